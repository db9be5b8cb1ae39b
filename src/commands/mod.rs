//! The commands, one file each, and what they share: reading the input, printing, timing.

pub mod check;
pub mod prove;
pub mod replay;
pub mod run;
pub mod seq;
pub mod show;
pub mod swarm;
mod watch;
pub mod worker;

use crate::options::{Bounds, Input, SchemaName};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unthread::budget::{Budget, Stop};
use unthread::c::preprocess::{PreprocessOptions, joined, preprocess};
use unthread::c::project::{Compilation, compilations, needed};
use unthread::diagnostic::Diagnostic;
use unthread::il::{DataModel, Program};
use unthread::limit::{BoundingOptions, LimitError};
use unthread::sequentialize::Schema;
use unthread::witness;
use unthread::{Read, ReadError};

/// Exit statuses; the same for every command.
pub const FINE: u8 = 0;
pub const BUG: u8 = 1;
pub const WRONG_INPUT: u8 = 2;
pub const UNKNOWN: u8 = 3;

pub fn data_model(input: &Input) -> DataModel {
    if input.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// Reads the program; on failure says why and hands back the exit status.
pub fn read_input(input: &Input, timing: &mut Timing) -> Result<Read, u8> {
    let units = preprocessed(input).map_err(|diagnostic| report(&diagnostic))?;
    let (name, text) = match <[_; 1]>::try_from(units) {
        Ok([unit]) => unit,
        Err(units) => (units[0].0.clone(), joined(&units)),
    };
    timing.note("preprocess");
    let read = unthread::read(&name, text, data_model(input)).map_err(|error| {
        let ReadError { diagnostic, source } = *error;
        say_part!("{}", diagnostic.render(Some(&source)));
        WRONG_INPUT
    })?;
    timing.note("read");
    for warning in &read.warnings {
        say_part!("{}", warning.render(Some(&read.program.source)));
    }
    Ok(read)
}

/// The preprocessed text of every file that belongs to the program, with the file's name.
fn preprocessed(input: &Input) -> Result<Vec<(String, String)>, Diagnostic> {
    let mut arguments = Vec::new();
    arguments.extend(input.include_dirs.iter().map(|dir| format!("-I{dir}")));
    arguments.extend(input.define.iter().map(|define| format!("-D{define}")));
    arguments.extend(input.undefine.iter().map(|undefine| format!("-U{undefine}")));
    for file in &input.include {
        arguments.extend(["-include".to_owned(), file.clone()]);
    }
    arguments.extend(input.cc_arg.iter().cloned());
    let (compiler, data_model) = (input.cc.clone(), data_model(input));
    let usual = PreprocessOptions { compiler, data_model, arguments, directory: None };
    let mut build = match &input.project {
        Some(project) => compilations(project)?,
        None => Vec::new(),
    };
    let mut units = Vec::new();
    for file in &input.files {
        let own = |compilation: &Compilation| same_file(&compilation.file, file);
        let own = build.iter().position(own).map(|index| build.remove(index));
        units.push(unit(file, own.as_ref(), &usual)?);
    }
    if input.project.is_none() {
        return Ok(units);
    }
    for compilation in &build {
        units.push(unit(&compilation.file, Some(compilation), &usual)?);
    }
    let needed = needed(&units, input.files.len())?;
    let mut units: Vec<Option<(String, String)>> = units.into_iter().map(Some).collect();
    Ok(needed.into_iter().filter_map(|unit| units[unit].take()).collect())
}

fn same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// A file, with the flags of the build if that has it.
fn unit(
    file: &Path,
    compilation: Option<&Compilation>,
    usual: &PreprocessOptions,
) -> Result<(String, String), Diagnostic> {
    let name = file.to_string_lossy().into_owned();
    let Some(Compilation { file, directory, arguments, model }) = compilation else {
        return Ok((name, preprocess(file, usual)?));
    };
    if let Some(model) = model.filter(|model| *model != usual.data_model) {
        let bits = if model == DataModel::Ilp32 { 32 } else { 64 };
        return Err(Diagnostic::plain(format!("{name} is compiled for {bits} bits")).note(format!("say --{bits}")));
    }
    let arguments = arguments.iter().chain(&usual.arguments).cloned().collect();
    let file = file.canonicalize().unwrap_or_else(|_| file.clone());
    let options = PreprocessOptions { arguments, directory: Some(directory.clone()), ..usual.clone() };
    Ok((name, preprocess(&file, &options)?))
}

pub fn report(diagnostic: &Diagnostic) -> u8 {
    say_part!("{}", diagnostic.render(None));
    WRONG_INPUT
}

/// Prints to standard output; a reader that went away is no error of ours, and the status is what it would have been.
pub fn put(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text).and_then(|()| out.flush()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return;
        }
        say!("error: cannot write the output: {error}");
        std::process::exit(i32::from(UNKNOWN));
    }
}

/// Wall time per stage, for `--stats`.
pub struct Timing {
    last: Instant,
    stages: Vec<(&'static str, f64)>,
}

impl Timing {
    pub fn start() -> Timing {
        Timing { last: Instant::now(), stages: Vec::new() }
    }

    pub fn note(&mut self, stage: &'static str) {
        self.stages.push((stage, self.last.elapsed().as_secs_f64() * 1000.0));
        self.last = Instant::now();
    }

    pub fn print(&self) {
        for (stage, milliseconds) in &self.stages {
            say!("{stage}: {milliseconds:.2} ms");
        }
    }
}

pub fn schema(name: Option<SchemaName>) -> Schema {
    match name {
        Some(SchemaName::Lazy) | None => Schema::Lazy,
        Some(SchemaName::Ul) => Schema::Ul,
        Some(SchemaName::Lr) => Schema::Lr,
    }
}

/// Set when the user interrupts.
pub fn stop_at_interrupt() -> Stop {
    static STOP: AtomicBool = AtomicBool::new(false);
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    &STOP
}

/// A sentence in lines of 80 columns.
pub fn wrapped(sentence: &str) -> String {
    witness::text::wrap(sentence, 80).join("\n") + "\n"
}

/// Bounds for lines without a loop are most likely a slip.
pub fn warn_without_loop(lines: &[u32]) {
    for line in lines {
        say!("warning: --unwind-loop {line}: no loop begins in that line");
    }
}

pub fn bounding_options(bounds: &Bounds) -> BoundingOptions {
    let defaults = BoundingOptions::default();
    BoundingOptions {
        unwind: bounds.unwind.unwrap_or(defaults.unwind),
        unwind_max: bounds.unwind_max.unwrap_or(defaults.unwind_max),
        unwind_loops: bounds.unwind_loop.clone(),
        threads: bounds.threads,
        ..defaults
    }
}

/// For commands that have no limit of their own.
pub fn unlimited() -> Budget {
    Budget {
        until: Instant::now() + Duration::from_secs(u32::MAX.into()),
        memory_mb: u64::MAX,
        stop: stop_at_interrupt(),
    }
}

/// Says why there is no bounded program.
pub fn report_limit(error: &LimitError, program: &Program) -> u8 {
    match error {
        LimitError::Unsupported(diagnostic) => {
            say_part!("{}", diagnostic.render(Some(&program.source)));
            WRONG_INPUT
        }
        LimitError::TooLarge { statements } => {
            say!("given up: the program has more than {statements} statements within these bounds");
            UNKNOWN
        }
        LimitError::GaveUp(reason) => {
            say!("given up: {reason}");
            UNKNOWN
        }
    }
}
