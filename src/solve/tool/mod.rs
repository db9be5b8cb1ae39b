//! External verifiers of sequential C: run one on the emitted program and read its answer back.
//!
//! Whatever is not a clear answer is `Unknown` with what happened: a verifier that is not there, that crashed, ran
//! out of memory or time, or said something we do not understand.

pub mod cbmc;
mod schedule;

use super::embedded::Embedded;
use super::sequential::emit;
use super::{Answer, Engine, Progress, Question, Scope, confirm};
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::execution::Input;
use crate::il::DataModel;
use crate::process::{self, Ended, Run};
use crate::sequentialize::Schema;
use crate::sequentialize::backend::Backend;
use std::path::Path;

/// An external verifier, and the sequential program that it gets.
pub struct Verifier {
    pub schema: Schema,
    pub backend: &'static Backend,
    /// The command that starts it.
    pub command: String,
}

impl Engine for Verifier {
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let Scope::Bounded { threads, bounds, order, restriction } = question.scope else {
            return Ok(Answer::GivenUp("an emitted program needs bounds".to_owned()));
        };
        let (file, watched) = match emit(threads, self.schema, (bounds, order, restriction), self.backend)? {
            Ok(emitted) => emitted,
            Err(reason) => return Ok(Answer::GivenUp(reason)),
        };
        let names = [&watched.thread, &watched.position].into_iter().chain(&watched.round);
        let task = Task {
            file: &file.path,
            data_model: threads.program.types.model,
            unwind: self.schema.keeps_loops().then_some(bounds.unwind + 1),
            watched: &names.cloned().collect::<Vec<String>>(),
        };
        Ok(match run(self.backend.name, &self.command, &task, &question.budget) {
            Said::NoBug => Answer::NoBug,
            Said::Unknown(reason) => Answer::NotYet(reason),
            Said::Bug(None) => Answer::Bug(None),
            Said::Bug(Some(trace)) => {
                let schedule = schedule::schedule(threads, self.schema, order, &watched, &trace);
                let confirmed = confirm(threads, &schedule, question.property, &self.command);
                // A trace does not tell all: what whole objects hold, for one. The embedded engine does.
                match confirmed {
                    Answer::Doubtful { .. } => match Embedded::default().ask(question, tell)? {
                        Answer::Bug(Some(execution)) => Answer::Bug(Some(execution)),
                        _ => confirmed,
                    },
                    confirmed => confirmed,
                }
            }
        })
    }
}

/// What a verifier said about one program.
#[derive(Debug)]
pub enum Said {
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
    Set { name: String, index: Option<u64>, value: u64 },
    /// The program took an undetermined value.
    Input(Input),
}

/// What a verifier is asked.
#[derive(Debug)]
pub struct Task<'a> {
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
fn run(backend: &str, command: &str, task: &Task, budget: &Budget) -> Said {
    if backend == "cbmc" {
        return cbmc::ask(command, task, budget);
    }
    let arguments = match arguments(backend, task) {
        Some(arguments) => arguments,
        None => return Said::Unknown(format!("there is no way known to run {backend} from here")),
    };
    let run = process::run(command, &arguments, budget);
    match &run.ended {
        Ended::Exited(_) => read_words(backend, &run),
        other => Said::Unknown(other.explain(command)),
    }
}

fn arguments(backend: &str, task: &Task) -> Option<Vec<String>> {
    let file = task.file.to_string_lossy().into_owned();
    let bits = if task.data_model == DataModel::Ilp32 { "32" } else { "64" };
    let unwind = task.unwind.unwrap_or(0);
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
fn read_words(backend: &str, run: &Run) -> Said {
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
        Some(true) => Said::Bug(None),
        Some(false) => Said::NoBug,
        None => Said::Unknown(format!("{backend} gave no answer that is understood{}", run.last_words())),
    }
}
