//! `unthread replay`: a counterexample with real threads.

use super::{Timing, WRONG_INPUT, put, read_input, stop_at_interrupt};
use crate::options::Replay;
use std::path::Path;
use std::time::{Duration, Instant};
use unthread::budget::Budget;
use unthread::execution::Execution;
use unthread::il::Program;
use unthread::isolate::Normalized;
use unthread::property::MemoryModel;
use unthread::verdict::Verdict;
use unthread::witness::document;
use unthread::witness::replay::{self, check_trace};
use unthread::witness::trace::Trace;

/// The counterexample of an error that a file holds for a program, and what the interpreter sees when it is executed.
pub fn read_trace(file: &Path, error: usize, program: &Program) -> Result<(Trace, Execution), u8> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("it cannot be read: {error}"));
    let checked = text.and_then(|text| document::read_trace(&text, error)).and_then(|trace| {
        let ran = check_trace(program, &trace)?;
        Ok((trace, ran))
    });
    checked.map_err(|why| {
        say!("error: {}: {why}", file.display());
        WRONG_INPUT
    })
}

/// The program as memory behaves in a counterexample; what is wrong with its file is told when it is read.
pub fn under_its_model(program: Normalized, file: &Path, error: usize) -> Normalized {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let trace = document::read_trace(&text, error);
    let named = trace.ok().and_then(|trace| trace.program.memory_model);
    program.under(match named.as_deref() {
        Some("tso") => MemoryModel::Tso,
        Some("pso") => MemoryModel::Pso,
        _ => MemoryModel::AsWritten,
    })
}

pub fn replay(options: &Replay) -> u8 {
    let read = match read_input(&options.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let program = under_its_model(unthread::normalize(read.program), &options.trace, options.error);
    let (trace, ran) = match read_trace(&options.trace, options.error, &program) {
        Ok(checked) => checked,
        Err(status) => return status,
    };
    let not_replayed = |why: String| {
        put(format!("Not replayed: {why}.\nVerdict: {}\n", Verdict::Unknown.word()).as_bytes());
        Verdict::Unknown.exit_status()
    };
    if let Some(folder) = &options.emit {
        let emitted = match replay::emit(&program, &trace, &ran) {
            Ok(emitted) => emitted,
            Err(why) => return not_replayed(why),
        };
        if let Err(error) = emitted.write(folder) {
            say!("error: cannot write to {}: {error}", folder.display());
            return WRONG_INPUT;
        }
        put(format!("Written to {}: `make -C {} run` replays it.\n", folder.display(), folder.display()).as_bytes());
    }
    match replay::replay(&program, &trace, &ran, &options.input.cc, &replay_budget()) {
        Ok(replayed) => {
            say_part!("{}", replayed.output);
            let confirmed = if replayed.sanitizer == Some(true) { "Confirmed by ThreadSanitizer.\n" } else { "" };
            let failure = &trace.failure;
            put(format!(
                "Replayed with real threads: {}:{}: {} in thread {}: {}\n{confirmed}Verdict: {}\n",
                failure.place.file,
                failure.place.line,
                failure.kind,
                failure.thread,
                failure.message,
                Verdict::Bug.word()
            )
            .as_bytes());
            Verdict::Bug.exit_status()
        }
        Err(why) => not_replayed(why),
    }
}

/// A replay takes a moment, or it hangs.
pub fn replay_budget() -> Budget {
    let seconds = Duration::from_secs(u64::from(replay::SECONDS) + 20);
    Budget { until: Instant::now() + seconds, memory_mb: 4096, stop: stop_at_interrupt() }
}
