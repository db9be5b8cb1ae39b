//! External verifiers of sequential C: run one on the emitted program and read its answer back.
//!
//! Whatever is not a clear answer is `Unknown` with what happened: a verifier that is not there, that crashed, ran
//! out of memory or time, or said something we do not understand.

pub mod cbmc;
pub mod run;

use crate::il::DataModel;
use run::{Ended, Limits, Run};
use std::path::Path;

/// What a verifier said about one program.
#[derive(Debug)]
pub enum Answer {
    /// It found an execution that fails, with its trace if it gave one.
    Bug(Option<RawTrace>),
    NoBug,
    Unknown(String),
}

/// The values that decide about an execution, in the order in which it took them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawTrace {
    pub events: Vec<Event>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A variable of the simulation got a value.
    Set {
        name: String,
        index: Option<u64>,
        value: u64,
    },
    /// The program took an undetermined value.
    Input(u64),
    InputDouble(f64),
}

/// What a verifier is asked.
#[derive(Debug)]
pub struct Question<'a> {
    pub file: &'a Path,
    pub data_model: DataModel,
    /// Iterations up to which the verifier itself unwinds loops; none are left in bounded programs.
    pub unwind: Option<u32>,
    /// Variables of the simulation whose values matter.
    pub watched: &'a [String],
}

/// The verifiers that can be started, with the command that does it.
const COMMANDS: &[(&str, &str)] = &[
    ("cbmc", "cbmc"),
    ("esbmc", "esbmc"),
    ("cpachecker", "cpachecker"),
    ("uautomizer", "Ultimate.py"),
    ("seahorn", "sea"),
    ("smack", "smack"),
    ("klee", "klee"),
    ("satabs", "satabs"),
    ("llbmc", "llbmc"),
];

/// The command of a verifier; `None` for those that only have a vocabulary.
pub fn command(backend: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(name, _)| *name == backend).map(|(_, command)| *command)
}

/// Runs a verifier on a program.
pub fn ask(backend: &str, command: &str, question: &Question, limits: &Limits) -> Answer {
    if backend == "cbmc" {
        return cbmc::ask(command, question, limits);
    }
    let arguments = match arguments(backend, question) {
        Some(arguments) => arguments,
        None => return Answer::Unknown(format!("there is no way known to run {backend} from here")),
    };
    let run = run::run(command, &arguments, limits);
    match &run.ended {
        Ended::Exited(_) => read_words(backend, &run),
        other => Answer::Unknown(other.explain(command)),
    }
}

fn arguments(backend: &str, question: &Question) -> Option<Vec<String>> {
    let file = question.file.to_string_lossy().into_owned();
    let bits = if question.data_model == DataModel::Ilp32 { "32" } else { "64" };
    let unwind = question.unwind.unwrap_or(0);
    let list = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    match backend {
        "esbmc" if unwind > 0 => list(&[
            &file,
            &format!("--{bits}"),
            "--no-bounds-check",
            "--no-pointer-check",
            "--no-div-by-zero-check",
            "--no-unwinding-assertions",
            "--unwind",
            &unwind.to_string(),
        ]),
        "esbmc" => {
            list(&[&file, &format!("--{bits}"), "--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"])
        }
        "cpachecker" => list(&["--svcomp", "--option", "cfa.allowBranchSwapping=false", &file]),
        "seahorn" => list(&["bpf", &format!("-m{bits}"), &file]),
        "smack" => list(&["--unroll", &unwind.max(1).to_string(), &file]),
        "satabs" | "llbmc" => list(&[&file]),
        _ => None,
    }
}

/// The last clear word in the output of a verifier that we know only by its words.
fn read_words(backend: &str, run: &Run) -> Answer {
    const BUG: &[&str] =
        &["VERIFICATION FAILED", "Verification result: FALSE", "RESULT: FALSE", "SMACK found an error"];
    const SAFE: &[&str] =
        &["VERIFICATION SUCCESSFUL", "Verification result: TRUE", "RESULT: TRUE", "SMACK found no errors"];
    let mut answer = None;
    for line in run.output.lines() {
        let line = line.trim();
        if BUG.iter().any(|word| line.starts_with(word)) || (backend == "seahorn" && line == "sat") {
            answer = Some(true);
        } else if SAFE.iter().any(|word| line.starts_with(word)) || (backend == "seahorn" && line == "unsat") {
            answer = Some(false);
        }
    }
    match answer {
        Some(true) => Answer::Bug(None),
        Some(false) => Answer::NoBug,
        None => Answer::Unknown(format!("{backend} gave no answer that is understood{}", run.last_words())),
    }
}
