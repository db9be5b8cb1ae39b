//! The command line: raw flags as clap reads them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use unthread::c::flags::{Flag, classify};
use unthread::il::DataModel;
use unthread::il::interpret::Turn;
use unthread::limit::USUAL_THREADS;
use unthread::property::{ErrorKind, MemoryModel, Property};
use unthread::restriction::Limits;

/// More threads than this are not followed.
const MAX_THREADS: i64 = 1000;

/// Finds the bugs in threaded C programs that only some interleaving shows.
#[derive(Parser, Debug)]
#[command(name = "unthread", version, arg_required_else_help = true)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print the program after a stage, as C that a compiler accepts
    Show(Show),
    /// Look for a bug, with growing bounds unless they are given
    Check(Check),
    /// Prove that nothing fails, without bounds and for any number of threads, or find the bug
    Prove(Prove),
    /// Print a sequential C program that behaves the same, for any verifier of sequential C
    Seq(Seq),
    /// Execute one interleaving of the program (or all) with the interpreter
    Run(Run),
    /// Run a counterexample with real threads
    Replay(Replay),
    /// Split the interleavings into many small instances, and do them here or on a cluster
    Swarm(Swarm),
    /// Do instances of a plan of `swarm` (started by it, by Slurm, by GNU parallel, ...)
    Worker(Worker),
}

/// How the C file is read.
#[derive(Args, Debug)]
pub struct Input {
    /// The program: .c files (preprocessed with the machine's C compiler), preprocessed .i files, - for the standard input
    #[arg(value_name = "FILE", required_unless_present = "project")]
    pub files: Vec<PathBuf>,
    /// The build: a folder with compile_commands.json, or that file. Every file gets the flags of its own command; what
    /// the files that you name need of the others is found (without any, those that main needs)
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub project: Option<PathBuf>,
    /// 32-bit data model: int, long and pointers have 4 bytes
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,
    /// 64-bit data model: long and pointers have 8 bytes (the default)
    #[arg(long = "64")]
    pub lp64: bool,
    /// Folder to search for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<String>,
    /// Macro to define
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Macro to undefine
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// File to include before the program
    #[arg(long = "include", value_name = "FILE")]
    pub include: Vec<String>,
    /// C compiler that preprocesses .c files
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cc: String,
    /// An argument for the preprocessor, as what follows `--`
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, hide = true)]
    pub cc_arg: Vec<String>,
}

/// The command line with the flags of C compilers in our own words: those that change nothing are left out, and what
/// follows `--` is for the preprocessor.
pub fn without_compiler_flags(words: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut words = words.peekable();
    let mut kept: Vec<OsString> = words.by_ref().take(2).collect();
    let writes = kept.get(1).is_some_and(|command| command == "seq");
    while let Some(word) = words.next() {
        // The value of an option may look like a flag.
        let value = kept.last().is_some_and(|before| before == "--sbatch" || before == "--cc-arg");
        let Some(flag) = word.to_str().filter(|word| word.starts_with('-') && !value) else {
            kept.push(word);
            continue;
        };
        match classify(flag) {
            _ if flag == "--" => {
                kept.extend(words.by_ref().map(|word| concat("--cc-arg=", &word)));
            }
            // Options of our own.
            _ if ["-I", "-D", "-U"].iter().any(|own| flag.starts_with(own)) || (flag == "-o" && writes) => {
                kept.push(word)
            }
            Flag::Preprocessor(arguments) => {
                kept.push(concat("--cc-arg=", &word));
                kept.extend(words.by_ref().take(arguments).map(|word| concat("--cc-arg=", &word)));
            }
            Flag::Ignored(arguments) => words.by_ref().take(arguments).for_each(drop),
            Flag::Model(DataModel::Ilp32) => kept.push("--32".into()),
            Flag::Model(DataModel::Lp64) => kept.push("--64".into()),
            Flag::Refused(why) => return Err(format!("not supported: `{flag}`: {why}")),
            Flag::Unknown => kept.push(word),
        }
    }
    Ok(kept)
}

fn concat(start: &str, word: &OsStr) -> OsString {
    let mut all = OsString::from(start);
    all.push(word);
    all
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum Stage {
    /// Core language: side effects and conversions are explicit
    Parsed,
    /// Every statement makes at most one access to memory that threads share
    Normalized,
    /// Loops unwound, calls inlined, one function per thread
    Bounded,
}

/// How far loops and threads are followed.
#[derive(Args, Debug)]
pub struct Bounds {
    /// Iterations of every loop, and nested calls of a recursive function
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub unwind: Option<u32>,
    /// Iterations up to which a loop is followed to its end if their number is known
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub unwind_max: Option<u32>,
    /// Iterations of the loop in one line
    #[arg(long, value_name = "LINE:N", value_parser = line_and_bound)]
    pub unwind_loop: Vec<(u32, u32)>,
    /// Threads that are followed, besides main; those created after them exist and never run
    #[arg(long, value_name = "N", default_value_t = USUAL_THREADS)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_THREADS))]
    pub threads: u32,
}

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub bounds: Bounds,
    /// The stage whose result is printed
    #[arg(long, value_enum, default_value_t = Stage::Normalized)]
    pub stage: Stage,
    /// How memory behaves: under tso and pso store buffers are part of the program (bounded threads)
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory_model: Option<MemoryModelName>,
    /// Put #line directives into the output, so that messages about it name your own lines
    #[arg(long)]
    pub lines: bool,
    /// Mark the steps before which a context switch can happen
    #[arg(long)]
    pub visible: bool,
    /// Print how long each stage took to standard error
    #[arg(long)]
    pub stats: bool,
}

/// How the threads are put into one sequential program.
#[derive(Args, Debug)]
pub struct Simulation {
    /// How interleavings become sequential runs
    /// (lazy, if a verifier decides; the embedded engine needs none)
    #[arg(long, value_enum)]
    pub schema: Option<SchemaName>,
    /// Rounds: in each, every thread runs for a while in turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: Option<u32>,
    /// Order of the threads within a round: 0 is main, the others in the order in which they are created
    #[arg(long = "schedule", value_name = "T,T,...", value_delimiter = ',')]
    pub schedule: Vec<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum SchemaName {
    /// Lazy-CSeq: only reachable states are visited
    Lazy,
    /// UL-CSeq: lazy with loops kept as they are
    Ul,
    /// Lal/Reps: memory is guessed for each round and checked at the end
    Lr,
}

#[derive(Args, Debug)]
pub struct Seq {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub bounds: Bounds,
    #[command(flatten)]
    pub simulation: Simulation,
    /// How memory behaves: under tso and pso store buffers are part of the program
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory_model: Option<MemoryModelName>,
    /// Only interleavings in which a thread has taken from so many to so many steps at the end of a round (both
    /// counted from 0; lazy schema); may be given several times
    #[arg(long, value_name = "THREAD:ROUND:FROM-TO", value_parser = limits, conflicts_with = "tiles")]
    pub restrict: Vec<Limits>,
    #[command(flatten)]
    pub choice: Tiles,
    /// Which random choice of tiles, counted from 0 (lazy schema): instance N of `swarm` with the same options
    #[arg(long, value_name = "N", requires = "tiles", default_value_t = 0)]
    pub instance: u64,
    /// File to write; standard output if there is none
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The verifier whose words are used (`run`: an ordinary program)
    #[arg(long, value_name = "NAME", default_value = "cbmc", value_parser = backend_names())]
    pub backend: String,
    /// Print how long each stage took to standard error
    #[arg(long)]
    pub stats: bool,
}

/// What is asked, and who answers.
#[derive(Args, Debug)]
pub struct Asking {
    /// Who decides: the embedded engine, or a verifier for sequential C
    #[arg(long, value_name = "NAME", default_value = "embedded", value_parser = engine_names())]
    pub backend: String,
    /// The command that starts the verifier, if it is not its name
    #[arg(long, value_name = "COMMAND")]
    pub tool: Option<String>,
    /// Kinds of errors to look for, or no-KIND to leave one out (without it: all but abort, overflow, leak and cleanup; with --schema or a verifier,
    /// assertion and lock)
    #[arg(long, value_parser = errors_parser(), value_name = "KIND,...", value_delimiter = ',')]
    pub errors: Option<Vec<Errors>>,
    /// What functions without body do
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ExternalsName::Unknown)]
    pub externals: ExternalsName,
    /// How memory behaves (without it: as the program says, where weaker orders than seq_cst leave nothing proved)
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory_model: Option<MemoryModelName>,
}

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub bounds: Bounds,
    #[command(flatten)]
    pub simulation: Simulation,
    #[command(flatten)]
    pub asking: Asking,
    /// Find not the first error only, but every distinct one that the time allows
    #[arg(long)]
    pub keep_going: bool,
    /// How many bounds are tried at the same time (without it: as many as the machine has cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The same counterexample in every run: one worker, as with --jobs 1
    #[arg(long, conflicts_with = "jobs")]
    pub deterministic: bool,
    /// Seconds after which the search ends
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub timeout: f64,
    /// Show every step of a counterexample, not only those that matter
    #[arg(long)]
    pub full: bool,
    /// Do not run the counterexample with real threads
    #[arg(long)]
    pub no_replay: bool,
    /// Print the sizes of formulas and how long each stage took
    #[arg(long)]
    pub stats: bool,
    /// Write the verdict, the bounds, the counterexample, the sizes of formulas and the times to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the counterexample as a page for the browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the formula of the last bounds to a file, for any SAT solver
    #[arg(long, value_name = "FILE")]
    pub dimacs: Option<PathBuf>,
    /// Megabytes that the search may use, verifiers included
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u64,
    /// What `prove` asks for.
    #[arg(skip)]
    pub proof: Option<ProofWanted>,
}

/// A proof is wanted, and perhaps a file with it.
#[derive(Clone, Debug, Default)]
pub struct ProofWanted {
    pub certificate: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Prove {
    #[command(flatten)]
    pub input: Input,
    /// Kinds of errors to look for, or no-KIND to leave one out (without it: all but abort, overflow, leak and cleanup)
    #[arg(long, value_parser = errors_parser(), value_name = "KIND,...", value_delimiter = ',')]
    pub errors: Option<Vec<Errors>>,
    /// What functions without body do
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ExternalsName::Unknown)]
    pub externals: ExternalsName,
    /// How memory behaves (without it: as the program says, where weaker orders than seq_cst leave nothing proved)
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory_model: Option<MemoryModelName>,
    /// Write the invariants of a proof to a file, for `prove --check`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Only check the invariants in a file that --certificate wrote, for this program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "errors", "json"])]
    pub check: Option<PathBuf>,
    /// How many work at the same time (without it: as many as the machine has cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Seconds after which the search ends
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub timeout: f64,
    /// Show every step of a counterexample, not only those that matter
    #[arg(long)]
    pub full: bool,
    /// Do not run the counterexample with real threads
    #[arg(long)]
    pub no_replay: bool,
    /// Print the sizes of formulas and how long each stage took
    #[arg(long)]
    pub stats: bool,
    /// Write the verdict, the proof or the counterexample, and the times to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Megabytes that the search may use
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum ClusterName {
    /// Job arrays of Slurm (sbatch, squeue, scancel)
    Slurm,
}

/// Random parts of the interleavings.
#[derive(Args, Debug)]
pub struct Tiles {
    /// Random choices of tiles of so many steps: a thread can be preempted only in those
    #[arg(long, value_name = "SIZE", value_parser = clap::value_parser!(u32).range(1..))]
    pub tiles: Option<u32>,
    /// Tiles that are chosen for each thread (as many as rounds)
    #[arg(long, value_name = "Z", requires = "tiles", value_parser = clap::value_parser!(u32).range(1..))]
    pub selections: Option<u32>,
    /// Seed of the random choice of tiles
    #[arg(long, value_name = "S", requires = "tiles", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub struct Swarm {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub bounds: Bounds,
    /// Rounds: in each, every thread runs for a while in turn
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Order of the threads within a round: 0 is main, the others in the order in which they are created
    #[arg(long = "schedule", value_name = "T,T,...", value_delimiter = ',')]
    pub schedule: Vec<usize>,
    #[command(flatten)]
    pub asking: Asking,
    /// How many instances: at most so many that cover all interleavings, or so many choices of tiles
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub instances: u64,
    #[command(flatten)]
    pub choice: Tiles,
    /// What the SAT solver is tuned for; several are taken in turn
    #[arg(long, value_enum, value_name = "NAME,...", value_delimiter = ',', default_value = "sat")]
    pub presets: Vec<PresetName>,
    /// Conflicts that the solver may make for an instance before it is divided
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub conflicts: u32,
    /// Do all instances, even if one fails
    #[arg(long)]
    pub keep_going: bool,
    /// Only write the plan to a new folder, with what must be done to it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "status"])]
    pub plan: Option<PathBuf>,
    /// Go on with the plan in the folder that stands in the place of the file
    #[arg(long, conflicts_with = "status")]
    pub resume: bool,
    /// Show how far the plan in the folder is that stands in the place of the file
    #[arg(long)]
    pub status: bool,
    /// Do the instances on a cluster
    #[arg(long, value_enum, value_name = "NAME")]
    pub cluster: Option<ClusterName>,
    /// Options of the site for sbatch, as in a shell
    #[arg(long, value_name = "OPTIONS", requires = "cluster", allow_hyphen_values = true)]
    pub sbatch: Option<String>,
    /// Workers on this machine (without it: as many as it has cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Seconds after which it ends; --resume goes on then
    #[arg(long, value_name = "S", default_value_t = 3600.0, value_parser = seconds)]
    pub timeout: f64,
    /// Megabytes that all workers of this machine may use together, or one task of a cluster
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(16..))]
    pub memory: u64,
    /// Show every step of a counterexample, not only those that matter
    #[arg(long)]
    pub full: bool,
    /// Do not run the counterexample with real threads
    #[arg(long)]
    pub no_replay: bool,
    /// Write the verdict, the counterexample, and every instance with its time to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the times of the instances, and how many workers would find the bug how soon, as a page for the browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum PresetName {
    Default,
    /// For formulas that hold
    Sat,
    /// For formulas that do not
    Unsat,
}

#[derive(Args, Debug)]
pub struct Worker {
    /// The folder of a plan that `unthread swarm` wrote
    pub folder: PathBuf,
    /// Which instances: a number, or the first and the last
    #[arg(long, value_name = "N[-M]", value_parser = index_range)]
    pub index: (u64, u64),
    /// Which wave: 0 is the plan itself, the others are made of what was not finished
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub wave: u32,
    /// Seconds after which it ends
    #[arg(long, value_name = "S", default_value_t = 86_400.0, value_parser = seconds)]
    pub timeout: f64,
    /// Megabytes that it may use
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u64,
    /// C compiler, for verifiers that need one
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cc: String,
    /// End when whoever started it has ended
    #[arg(long, hide = true)]
    pub with_parent: bool,
}

fn limits(text: &str) -> Result<Limits, String> {
    let mut parts = text.split(':');
    let mut part = || parts.next();
    let parsed = (|| {
        let (thread, round, steps) = (part()?.parse().ok()?, part()?.parse().ok()?, part()?);
        let (from, to) = steps.split_once('-')?;
        let limits = Limits { thread, round, from: from.parse().ok()?, to: to.parse().ok()? };
        (limits.from <= limits.to).then_some(limits)
    })();
    match (parsed, parts.next()) {
        (Some(limits), None) => Ok(limits),
        _ => Err(format!("`{text}` should be a thread, a round and a range of steps, such as 1:0:3-7")),
    }
}

fn index_range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(format!("`{text}` should be a number, or the first and the last such as 100-199")),
    }
}

#[derive(Args, Debug)]
pub struct Replay {
    #[command(flatten)]
    pub input: Input,
    /// The counterexample: a file that `unthread check --json` wrote for this program
    pub trace: PathBuf,
    /// Which error of that file, counted from 1, if `check --keep-going` found several
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub error: usize,
    /// Write the program with its scheduler and a Makefile to a folder
    #[arg(long, value_name = "DIR")]
    pub emit: Option<PathBuf>,
}

/// A word after `--errors`: a kind, all of them, or one to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    Kind(ErrorKind),
    All,
    Without(ErrorKind),
}

impl Errors {
    /// What some words ask for together. If they only leave out, they do so from the usual kinds.
    pub fn property(words: &[Errors]) -> Property {
        let mut kinds: Vec<ErrorKind> = Vec::new();
        for word in words {
            match word {
                Errors::Kind(kind) => kinds.push(*kind),
                Errors::All => kinds.extend(ErrorKind::ALL),
                Errors::Without(_) => {}
            }
        }
        if kinds.is_empty() {
            kinds.extend(Property::default().kinds());
        }
        Property::new(kinds.into_iter().filter(|kind| !words.contains(&Errors::Without(*kind))))
    }

    fn name(self) -> &'static str {
        match self {
            Errors::Kind(kind) => kind.name(),
            Errors::All => "all",
            Errors::Without(kind) => match kind {
                ErrorKind::Assertion => "no-assertion",
                ErrorKind::Lock => "no-lock",
                ErrorKind::Thread => "no-thread",
                ErrorKind::Memory => "no-memory",
                ErrorKind::Division => "no-division",
                ErrorKind::Deadlock => "no-deadlock",
                ErrorKind::Race => "no-race",
                ErrorKind::Abort => "no-abort",
                ErrorKind::Overflow => "no-overflow",
                ErrorKind::Leak => "no-leak",
                ErrorKind::Cleanup => "no-cleanup",
            },
        }
    }

    fn words() -> impl Iterator<Item = Errors> {
        let kinds = ErrorKind::ALL.iter().copied();
        kinds.clone().map(Errors::Kind).chain([Errors::All]).chain(kinds.map(Errors::Without))
    }
}

/// The words after `--errors`, with what each kind covers.
fn errors_parser() -> impl TypedValueParser<Value = Errors> {
    let values = Errors::words().map(|word| match word {
        Errors::Kind(kind) => PossibleValue::new(kind.name()).help(kind.explanation()),
        Errors::All => PossibleValue::new("all").help("All of these"),
        Errors::Without(_) => PossibleValue::new(word.name()).hide(true),
    });
    let word = |name: String| Errors::words().find(|word| word.name() == name).expect("one of the possible values");
    PossibleValuesParser::new(values).map(word)
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum ExternalsName {
    /// They may do anything, so that nothing is proved with them
    Unknown,
    /// They return any value and change nothing (the rule of SV-COMP)
    Pure,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum MemoryModelName {
    /// Sequential consistency, whatever orders the atomic operations have
    Sc,
    /// Stores reach memory later, in the order of the program (x86)
    Tso,
    /// Stores reach memory later, in the order of the program for each location only (SPARC's PSO)
    Pso,
}

impl MemoryModelName {
    pub fn model(name: Option<MemoryModelName>) -> MemoryModel {
        match name {
            None => MemoryModel::AsWritten,
            Some(MemoryModelName::Sc) => MemoryModel::Sc,
            Some(MemoryModelName::Tso) => MemoryModel::Tso,
            Some(MemoryModelName::Pso) => MemoryModel::Pso,
        }
    }
}

fn engine_names() -> clap::builder::PossibleValuesParser {
    let embedded = PossibleValue::new("embedded").help("the engine of unthread itself");
    let tools = unthread::sequentialize::backend::BACKENDS
        .iter()
        .map(|backend| PossibleValue::new(backend.name).help(backend.about));
    clap::builder::PossibleValuesParser::new(std::iter::once(embedded).chain(tools))
}

fn backend_names() -> clap::builder::PossibleValuesParser {
    let values = unthread::sequentialize::backend::BACKENDS
        .iter()
        .map(|backend| PossibleValue::new(backend.name).help(backend.about));
    clap::builder::PossibleValuesParser::new(values)
}

#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    pub input: Input,
    /// Seed of the random interleaving and of random inputs; printed, so that a run can be repeated
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads in the order in which they take their steps: 0 is main, then in order of creation (`2!` wakes thread 2
    /// from its wait without reason, `2-` holds it before a step that fails); or a file that `check --json` wrote,
    /// which gives the inputs as well
    #[arg(long, value_name = "T,T,... | FILE", conflicts_with_all = ["seed", "all"], value_parser = run_schedule)]
    pub schedule: Option<RunSchedule>,
    /// Which error of the file of --schedule, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "schedule")]
    pub error: usize,
    /// Values for nondeterministic inputs, in order of their use; zero after the end
    #[arg(long, value_name = "V,V,...", value_delimiter = ',', allow_hyphen_values = true)]
    pub inputs: Option<Vec<i64>>,
    /// Follow all interleavings (small programs only), inputs from --inputs, or 0 and 1
    #[arg(long)]
    pub all: bool,
    /// Steps after which the run is given up
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// States after which --all is given up
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_states: usize,
    /// How memory behaves: under tso and pso a store of thread 1 reaches memory in a turn of its own (`1c` in a schedule, `1c2`
    /// if two others wait before it)
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory_model: Option<MemoryModelName>,
    /// Waiting threads wake up only when they are signalled
    #[arg(long)]
    pub no_spurious: bool,
    /// Print every step with its thread and line to standard error
    #[arg(long)]
    pub trace: bool,
}

fn line_and_bound(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once(':').and_then(|(line, bound)| Some((line.parse().ok()?, bound.parse().ok()?)));
    match parsed {
        Some((line, bound)) if line > 0 && bound > 0 => Ok((line, bound)),
        _ => Err(format!("`{text}` should be a line and a number of iterations, such as 12:5")),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("a time is a number of seconds above 0".to_owned()),
    }
}

/// What `run` follows.
#[derive(Clone, Debug)]
pub enum RunSchedule {
    Turns(Vec<Turn>),
    /// A counterexample.
    File(PathBuf),
}

fn run_schedule(text: &str) -> Result<RunSchedule, String> {
    let turns: Result<Vec<Turn>, String> = text.split(',').map(scheduled_unit).collect();
    match turns {
        Err(_) if std::path::Path::new(text).exists() => Ok(RunSchedule::File(text.into())),
        turns => turns.map(RunSchedule::Turns),
    }
}

fn scheduled_unit(text: &str) -> Result<Turn, String> {
    let wrong =
        || "a schedule is a list of thread numbers, as in 0,1,2,1, or a file that `check --json` wrote".to_owned();
    if let Some((thread, at)) = text.trim().split_once('c') {
        let at = if at.is_empty() { Ok(0) } else { at.parse() };
        return match (thread.parse(), at) {
            (Ok(thread), Ok(at)) => Ok(Turn::commit(thread, at)),
            _ => Err(wrong()),
        };
    }
    let (number, held) = text.strip_suffix('-').map_or((text, false), |number| (number, true));
    let (number, spurious) = number.strip_suffix('!').map_or((number, false), |number| (number, true));
    let thread = number.trim().parse().map_err(|_| wrong())?;
    Ok(Turn { spurious, held, ..Turn::of(thread) })
}
