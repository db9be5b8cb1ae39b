//! `unthread run`: one interleaving, or all of them, with the interpreter.

use super::{BUG, FINE, Timing, UNKNOWN, WRONG_INPUT, put, read_input};
use crate::options::{MemoryModelName, Run, RunSchedule};
use unthread::analysis::orders;
use unthread::il::Program;
use unthread::il::interpret::race::{Races, StopAt};
use unthread::il::interpret::{
    self, Chooser, Code, ExploreOptions, Failure, FailureKind, ListedInputs, Machine, Outcome, RaceSearch,
    RandomChooser, TakenUnit, TraceStep,
};
use unthread::witness::follow;

pub fn run(run: &Run) -> u8 {
    let read = match read_input(&run.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let model = MemoryModelName::model(run.memory_model);
    let program = unthread::normalize(read.program);
    let program = match &run.schedule {
        Some(RunSchedule::File(file)) if run.memory_model.is_none() => {
            super::replay::under_its_model(program, file, run.error)
        }
        _ => program.under(model),
    };
    let code = Code::new(&program);
    if run.all { run_all(run, &code) } else { run_once(run, &code) }
}

fn run_once(run: &Run, code: &Code) -> u8 {
    let mut machine = Machine::new(code);
    machine.max_steps = run.max_steps;
    machine.creation_begins = true;
    machine.allow_spurious = !run.no_spurious;
    machine.trace = run.trace.then(Vec::new);
    // What orders accesses is known of memory without buffers.
    let races = code.program.buffering.is_none();
    machine.races = races.then(|| Box::new(Races::new(StopAt::Never, false)));
    let seed = run.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut random = RandomChooser { random: fastrand::Rng::with_seed(seed) };
    let mut listed = ListedInputs { inputs: run.inputs.iter().flatten().map(|value| *value as u64).collect() };
    let mut after_unit = |machine: &mut Machine| flush(machine, code.program);
    let outcome = match &run.schedule {
        Some(RunSchedule::Turns(turns)) => interpret::scheduled(&mut machine, turns, &mut listed, &mut after_unit),
        Some(RunSchedule::File(_)) if run.inputs.is_some() => {
            say!("error: --inputs is of no use here: the file of --schedule gives the inputs");
            return WRONG_INPUT;
        }
        Some(RunSchedule::File(file)) => {
            let trace = match super::replay::read_trace(file, run.error, code.program) {
                Ok((trace, _)) => trace,
                Err(status) => return status,
            };
            follow::repeat(&mut machine, &trace.replay.plan(), &mut after_unit)
        }
        None => {
            let mut scheduler = fastrand::Rng::with_seed(seed ^ 0x5eed);
            let chooser: &mut dyn Chooser = if run.inputs.is_some() { &mut listed } else { &mut random };
            interpret::random_walk(&mut machine, &mut scheduler, chooser, &mut after_unit)
        }
    };
    flush(&mut machine, code.program);
    if run.schedule.is_none() && code.program.functions.len() > 1 {
        say!("seed {seed}");
    }
    let races = machine.races.as_mut().map_or_else(Vec::new, |races| std::mem::take(&mut races.found));
    let raced = races.into_iter().map(|race| tell_failure(&machine.raced(race), code.program)).max();
    match (outcome, raced) {
        // The two accesses are all that the schedule was for.
        (Outcome::ScheduleEnds, Some(status)) => status,
        (Outcome::BadSchedule(units, _), Some(status)) if scheduled_units(run) == Some(units + 1) => status,
        (outcome, raced) => {
            let status = tell(&outcome, code.program);
            raced.filter(|_| status == FINE).unwrap_or(status)
        }
    }
}

fn scheduled_units(run: &Run) -> Option<usize> {
    match &run.schedule {
        Some(RunSchedule::Turns(turns)) => Some(turns.len()),
        Some(RunSchedule::File(_)) | None => None,
    }
}

/// Passes on what the program printed and the steps it took.
fn flush(machine: &mut Machine, program: &Program) {
    if let Some(trace) = &mut machine.trace {
        for step in std::mem::take(trace) {
            say!("{}", trace_line(&step, program));
        }
    }
    if !machine.output.is_empty() {
        put(&std::mem::take(&mut machine.output));
    }
    if !machine.error_output.is_empty() {
        say_part!("{}", String::from_utf8_lossy(&std::mem::take(&mut machine.error_output)));
    }
}

fn trace_line(step: &TraceStep, program: &Program) -> String {
    let location = program.source.location(step.span);
    let function = &program.function(step.function).name;
    format!("thread {} {location} {function}: {}", step.thread, source_line(step, program))
}

fn source_line(step: &TraceStep, program: &Program) -> String {
    let location = program.source.location(step.span);
    // The line as the user wrote it, before macros; as it was read if the file is not there any more.
    let original = std::fs::read(&location.file).ok().and_then(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.lines().nth(location.line as usize - 1).map(str::to_owned)
    });
    let line = original.unwrap_or_else(|| {
        let start = program.source.line_starts[program.source.line_index(step.span.start)] as usize;
        program.source.text[start..].lines().next().unwrap_or("").to_owned()
    });
    line.trim().to_owned()
}

fn tell(outcome: &Outcome, program: &Program) -> u8 {
    match outcome {
        Outcome::Exited(status) => {
            say!("the program ended with status {status}");
            FINE
        }
        Outcome::Failed(failure) => tell_failure(failure, program),
        Outcome::Assumption => {
            say!("the execution stops: an assumption does not hold");
            FINE
        }
        Outcome::OutOfSteps => {
            say!("given up: the limit of steps is reached (--max-steps)");
            UNKNOWN
        }
        Outcome::BadSchedule(units, why) => {
            say!("error: the schedule does not fit the program: after {units} steps, {why}");
            WRONG_INPUT
        }
        Outcome::ScheduleEnds => {
            say!("the schedule ends before the program does");
            UNKNOWN
        }
    }
}

fn tell_failure(failure: &Failure, program: &Program) -> u8 {
    let location = program.source.location(failure.span);
    let name = failure.kind.name();
    say!("{location}: {name} in thread {}: {}", failure.thread, failure.message);
    match failure.kind {
        FailureKind::Unsupported => UNKNOWN,
        FailureKind::Assertion
        | FailureKind::ErrorCall
        | FailureKind::LockMisuse
        | FailureKind::ThreadMisuse
        | FailureKind::Deadlock
        | FailureKind::Memory
        | FailureKind::DivisionByZero
        | FailureKind::Overflow
        | FailureKind::Leak
        | FailureKind::Left
        | FailureKind::Race
        | FailureKind::Unreachable
        | FailureKind::Abort => BUG,
    }
}

/// The options of `run` that repeat an execution.
fn repeat_options(units: &[TakenUnit]) -> String {
    let marked = |unit: &TakenUnit| {
        format!(
            "{}{}{}{}",
            unit.turn.thread,
            match unit.turn.commit {
                None => String::new(),
                Some(0) => "c".to_owned(),
                Some(at) => format!("c{at}"),
            },
            if unit.turn.spurious { "!" } else { "" },
            if unit.turn.held { "-" } else { "" }
        )
    };
    let schedule: Vec<String> = units.iter().map(marked).collect();
    let inputs: Vec<String> =
        units.iter().flat_map(|unit| &unit.inputs).map(|input| (*input as i64).to_string()).collect();
    let mut text = format!("--schedule {}", schedule.join(","));
    if !inputs.is_empty() {
        text += &format!(" --inputs {}", inputs.join(","));
    }
    text
}

/// Steps of a thread without a visible one.
const PATIENCE: u64 = 20_000;

fn run_all(run: &Run, code: &Code) -> u8 {
    let mut options = ExploreOptions {
        max_states: run.max_states,
        max_steps_per_unit: run.max_steps,
        // A thread that goes on for so long without a step that others see does so for ever.
        patience: Some(run.max_steps.min(PATIENCE)),
        spurious: !run.no_spurious,
        creation_begins: true,
        races: match code.program.buffering {
            Some(_) => RaceSearch::Not,
            None if orders::weaker_accesses(code.program).is_empty() => RaceSearch::States,
            None => RaceSearch::Clocks,
        },
        ..ExploreOptions::default()
    };
    if let Some(inputs) = &run.inputs {
        options.inputs = inputs.iter().map(|value| *value as u64).collect();
    }
    let found = interpret::explore(code, &options);
    let mut status = FINE;
    for (failure, schedule) in &found.failures {
        status = status.max(tell_failure(failure, code.program));
        say!("  {}", repeat_options(schedule));
    }
    let executions = found.executions.map_or("not counted".to_owned(), |count| count.to_string());
    let counts = format!("states: {}\nexecutions: {executions}\nfailures: {}\n", found.states, found.failures.len());
    put(counts.as_bytes());
    if found.reuse_limited {
        say!("memory that was freed was not given out again for much larger blocks");
    }
    if found.buffers_limited {
        say!("a thread had more stores on their way to memory than are followed");
    }
    if found.inputs_limited {
        say!("inputs took only the values {:?}", options.inputs);
    }
    if !found.complete || found.long_units {
        say!("given up: a limit was reached (--max-states, --max-steps); not all interleavings were followed");
        return if status == FINE { UNKNOWN } else { status };
    }
    status
}
