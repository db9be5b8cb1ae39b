//! Command line in, exit status out: the only place that prints.
#![expect(clippy::print_stderr, reason = "the binary's job is to print")]

mod console;
mod options;

use clap::Parser;
use console::Console;
use options::{Bounds, Check, Command, CommandLine, ErrorKind, Input, Replay, Run, SchemaName, Seq, Show, Stage};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unthread::c::preprocess::{PreprocessOptions, preprocess};
use unthread::check::{self, Bug, CheckOptions, Engine, Report, USUAL_ERRORS};
use unthread::diagnostic::{Diagnostic, Severity};
use unthread::il::interpret::{
    self, Chooser, Code, ExploreOptions, Failure, FailureKind, ListedInputs, Machine, Outcome, RandomChooser,
    TakenUnit, TraceStep,
};
use unthread::il::print::PrintOptions;
use unthread::il::{DataModel, Program};
use unthread::limit::{LimitError, LimitOptions};
use unthread::sequentialize::{Schema, SequentializeOptions, backend, sequentialize};
use unthread::solve::tool;
use unthread::solve::tool::run::Limits;
use unthread::verdict::Verdict;
use unthread::witness::replay::{self, check_trace};
use unthread::witness::text::TextOptions;
use unthread::witness::{self, document};
use unthread::{Read, ReadError};

/// Exit statuses; the same for every command.
const FINE: u8 = 0;
const BUG: u8 = 1;
const WRONG_INPUT: u8 = 2;
const UNKNOWN: u8 = 3;

/// Deep expressions recurse; the parser refuses what would not fit here.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("error: this is a bug in unthread, not in your program: {panic}");
        eprintln!("  = please report it with the input file");
    }));
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || match command_line.command {
        Command::Show(show) => run_show(&show),
        Command::Check(check) => run_check(&check),
        Command::Seq(seq) => run_seq(&seq),
        Command::Run(run) => run_program(&run),
        Command::Replay(replay) => run_replay(&replay),
    });
    let status = match worker {
        Ok(worker) => worker.join().unwrap_or(UNKNOWN),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            UNKNOWN
        }
    };
    ExitCode::from(status)
}

fn data_model(input: &Input) -> DataModel {
    if input.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// Reads the program; on failure says why and hands back the exit status.
fn read_input(input: &Input, timing: &mut Timing) -> Result<Read, u8> {
    let mut arguments = Vec::new();
    arguments.extend(input.include_dirs.iter().map(|dir| format!("-I{dir}")));
    arguments.extend(input.define.iter().map(|define| format!("-D{define}")));
    arguments.extend(input.undefine.iter().map(|undefine| format!("-U{undefine}")));
    for file in &input.include {
        arguments.extend(["-include".to_owned(), file.clone()]);
    }
    let options = PreprocessOptions { compiler: input.cc.clone(), data_model: data_model(input), arguments };
    let text = preprocess(&input.file, &options).map_err(|diagnostic| report(&diagnostic))?;
    timing.note("preprocess");
    let read = unthread::read(&input.file.to_string_lossy(), text, data_model(input)).map_err(|error| {
        let ReadError { diagnostic, source } = *error;
        eprint!("{}", diagnostic.render(Some(&source)));
        WRONG_INPUT
    })?;
    timing.note("read");
    for warning in &read.warnings {
        eprint!("{}", warning.render(Some(&read.program.source)));
    }
    Ok(read)
}

fn report(diagnostic: &Diagnostic) -> u8 {
    eprint!("{}", diagnostic.render(None));
    WRONG_INPUT
}

/// Prints to standard output; a reader that went away is no error of ours.
fn put(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text).and_then(|()| out.flush()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(i32::from(FINE));
        }
        eprintln!("error: cannot write the output: {error}");
        std::process::exit(i32::from(UNKNOWN));
    }
}

/// Wall time per stage, for `--stats`.
struct Timing {
    last: Instant,
    stages: Vec<(&'static str, f64)>,
}

impl Timing {
    fn start() -> Timing {
        Timing { last: Instant::now(), stages: Vec::new() }
    }

    fn note(&mut self, stage: &'static str) {
        self.stages.push((stage, self.last.elapsed().as_secs_f64() * 1000.0));
        self.last = Instant::now();
    }

    fn print(&self) {
        for (stage, milliseconds) in &self.stages {
            eprintln!("{stage}: {milliseconds:.2} ms");
        }
    }
}

fn run_show(show: &Show) -> u8 {
    let mut timing = Timing::start();
    let read = match read_input(&show.input, &mut timing) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let program = match show.stage {
        Stage::Parsed => read.program,
        Stage::Normalized => unthread::normalize(read.program),
        Stage::Bounded => {
            let normalized = unthread::normalize(read.program);
            timing.note("normalize");
            match unthread::limit::limit(&normalized, &limit_options(&show.bounds)) {
                Ok(bounded) => {
                    warn_without_loop(&bounded.without_loop);
                    bounded.cut_lines().iter().for_each(|line| eprintln!("{line}"));
                    bounded.program
                }
                Err(error) => return report_limit(&error, &normalized),
            }
        }
    };
    timing.note(if show.stage == Stage::Bounded { "bound" } else { "normalize" });
    let options = PrintOptions { line_directives: show.lines, mark_visible: show.visible };
    let text = unthread::il::print::print(&program, options);
    timing.note("print");
    put(text.as_bytes());
    if show.stats {
        timing.print();
    }
    FINE
}

fn schema(name: Option<SchemaName>) -> Schema {
    match name {
        Some(SchemaName::Lazy) | None => Schema::Lazy,
        Some(SchemaName::Ul) => Schema::Ul,
        Some(SchemaName::Lr) => Schema::Lr,
    }
}

fn run_check(check: &Check) -> u8 {
    let until =
        Instant::now() + Duration::try_from_secs_f64(check.timeout).unwrap_or(Duration::from_secs(u32::MAX.into()));
    let engine = match engine(check) {
        Ok(engine) => engine,
        Err(status) => return status,
    };
    let files: Vec<&PathBuf> = [&check.json, &check.html, &check.dimacs].into_iter().flatten().collect();
    if let Some(twice) = files.iter().enumerate().find(|(index, file)| files[..*index].contains(file)) {
        eprintln!(
            "error: {} cannot hold two things: --json, --html and --dimacs need files of their own",
            twice.1.display()
        );
        return WRONG_INPUT;
    }
    for file in files {
        if let Err(error) = can_be_written(file) {
            eprintln!("error: cannot write {}: {error}", file.display());
            return WRONG_INPUT;
        }
    }
    let read = match read_input(&check.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let normalized = unthread::normalize(read.program);
    let stop = stop_at_interrupt();
    let options = CheckOptions {
        engine,
        unwind: check.bounds.unwind,
        unwind_max: check.bounds.unwind_max,
        rounds: check.simulation.rounds,
        order: check.simulation.schedule.clone(),
        errors: check.errors.iter().flat_map(|kind| kind.failures()).copied().collect(),
        dimacs: check.dimacs.clone(),
        compiler: check.input.cc.clone(),
        limits: LimitOptions {
            misuse_is_error: check.errors.contains(&ErrorKind::Lock),
            waits_are_steps: check.errors.contains(&ErrorKind::Deadlock),
            keep_unread: check.errors.iter().any(|kind| !usual(*kind)),
            ..limit_options(&check.bounds)
        },
        tool: Limits { until, memory_mb: check.memory, stop },
    };
    let mut console = Console::new(check.stats);
    let answer = check::check(&normalized, &options, &mut |progress| console.tell(progress));
    console.finish();
    match answer {
        Ok(report) => {
            let replayed = replayed(&report, check, &normalized);
            if let Some(file) = &check.json
                && let Err(error) = console.write_json(file, &report, replayed.as_ref())
            {
                eprintln!("error: cannot write {}: {error}", file.display());
                return WRONG_INPUT;
            }
            if let Some(file) = &check.html {
                let Some(trace) = report.bug.as_ref().and_then(|bug| bug.trace.as_ref()) else {
                    eprintln!("warning: {} is not written: there is no counterexample to show", file.display());
                    return tell_report(&report, check, replayed.as_ref());
                };
                if let Err(error) = std::fs::write(file, witness::page::render(trace)) {
                    eprintln!("error: cannot write {}: {error}", file.display());
                    return WRONG_INPUT;
                }
            }
            tell_report(&report, check, replayed.as_ref())
        }
        Err(diagnostic) => {
            eprint!("{}", diagnostic.render(Some(&normalized.source)));
            match diagnostic.severity {
                // The program may be right, but we cannot decide about it.
                Severity::Unsupported => {
                    let report = Report::unknown(diagnostic.message.clone());
                    if let Some(file) = &check.json
                        && let Err(error) = console.write_json(file, &report, None)
                    {
                        eprintln!("error: cannot write {}: {error}", file.display());
                        return WRONG_INPUT;
                    }
                    put(format!("Verdict: {}\n", Verdict::Unknown.word()).as_bytes());
                    Verdict::Unknown.exit_status()
                }
                Severity::Error | Severity::Warning => WRONG_INPUT,
            }
        }
    }
}

/// Nobody wants to hear of a wrong name after the search.
fn can_be_written(file: &Path) -> std::io::Result<()> {
    let new = !file.exists();
    std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    if new { std::fs::remove_file(file) } else { Ok(()) }
}

/// Set when the user interrupts.
fn stop_at_interrupt() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    &STOP
}

/// Emitted programs look for these only.
fn usual(kind: ErrorKind) -> bool {
    kind.failures().iter().all(|failure| USUAL_ERRORS.contains(failure))
}

fn engine(check: &Check) -> Result<Engine, u8> {
    let embedded = backend::find(&check.backend).is_none() && check.simulation.schema.is_none();
    if let (false, Some(kind)) = (embedded, check.errors.iter().find(|kind| !usual(**kind))) {
        eprintln!("error: only the embedded engine, without --schema, looks for: {}", kind.about());
        return Err(WRONG_INPUT);
    }
    let Some(backend) = backend::find(&check.backend) else {
        if check.tool.is_some() {
            eprintln!("error: --tool names the command of an external verifier; say which with --backend");
            return Err(WRONG_INPUT);
        }
        return Ok(check.simulation.schema.map_or(Engine::Embedded, |name| Engine::Sequential(schema(Some(name)))));
    };
    let Some(command) = check.tool.clone().or(tool::command(backend.name).map(str::to_owned)) else {
        eprintln!("error: `{}` is only a vocabulary for `unthread seq`; no program of that name decides", backend.name);
        return Err(WRONG_INPUT);
    };
    Ok(Engine::Tool { schema: schema(check.simulation.schema), backend, command })
}

/// The bug or the cuts, the bounds, and the verdict in the last line.
fn tell_report(report: &Report, check: &Check, replayed: Option<&Result<(), String>>) -> u8 {
    let mut text = String::new();
    if let Some(bug) = &report.bug {
        text += &bug_text(bug, check.full);
    }
    match replayed {
        Some(Ok(())) => text += "Replayed with real threads: it fails in the same way, in the same place.\n",
        Some(Err(why)) => text += &wrapped(&format!("Not replayed with real threads: {why}.")),
        None => {}
    }
    if report.verdict != Verdict::Bug && !report.cuts.is_empty() {
        text += "Not followed to the end:\n";
        report.cuts.iter().for_each(|cut| text += &format!("  {cut}\n"));
    }
    if let Some(reason) = &report.reason {
        let what = if report.verdict == Verdict::Unknown { "Reason" } else { "Larger bounds were not completed" };
        text += &wrapped(&format!("{what}: {reason}"));
    }
    if let Some(attachment) = &report.attachment {
        let file = std::env::temp_dir().join(format!("unthread-report-{}.txt", std::process::id()));
        match std::fs::write(&file, attachment) {
            Ok(()) => text += &format!("Attach this file, it has the program in it: {}\n", file.display()),
            Err(error) => text += &format!("Attach the program ({}: {error})\n", file.display()),
        }
    }
    if matches!(report.verdict, Verdict::NoBug | Verdict::Proved) {
        let mut kinds: Vec<&str> = Vec::new();
        for kind in &check.errors {
            if !kinds.contains(&kind.about()) {
                kinds.push(kind.about());
            }
        }
        text += &wrapped(&format!("Looked for: {}", kinds.join(", ")));
    }
    if let Some(bounds) = &report.bounds {
        text += &format!("Bounds: {bounds}\n");
    }
    match (report.states, report.verdict) {
        (Some(states), Verdict::Proved) => text += &format!("Bounds: none, all {states} states were visited\n"),
        (Some(states), _) => text += &format!("Bounds: none, {states} states were visited\n"),
        (None, _) => {}
    }
    text += &format!("Verdict: {}\n", report.verdict.word());
    put(text.as_bytes());
    report.verdict.exit_status()
}

/// Runs what was found with real threads; `None` if there is nothing, or nobody wants it.
fn replayed(report: &Report, check: &Check, program: &Program) -> Option<Result<(), String>> {
    let trace = report.bug.as_ref()?.trace.as_ref().filter(|_| !check.no_replay)?;
    let ran = check_trace(program, trace);
    Some(ran.and_then(|ran| replay::replay(program, trace, &ran, &check.input.cc, &replay_limits()).map(|_| ())))
}

/// A sentence in lines of 80 columns.
fn wrapped(sentence: &str) -> String {
    witness::text::wrap(sentence, 80).join("\n") + "\n"
}

/// The execution for people, as wide as the terminal allows.
fn bug_text(bug: &Bug, full: bool) -> String {
    let Some(trace) = &bug.trace else {
        return "The sequential program has an execution that fails; who found it does not tell which.\n".to_owned();
    };
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    witness::text::render(trace, TextOptions { full, colour, ..TextOptions::default() })
}

/// A replay takes a moment, or it hangs.
fn replay_limits() -> Limits<'static> {
    let seconds = Duration::from_secs(u64::from(replay::SECONDS) + 20);
    Limits { until: Instant::now() + seconds, memory_mb: 4096, stop: stop_at_interrupt() }
}

fn run_replay(options: &Replay) -> u8 {
    let wrong = |why: String| {
        eprintln!("error: {}: {why}", options.trace.display());
        WRONG_INPUT
    };
    let text = match std::fs::read_to_string(&options.trace) {
        Ok(text) => text,
        Err(error) => return wrong(format!("it cannot be read: {error}")),
    };
    let trace = match document::read_trace(&text) {
        Ok(trace) => trace,
        Err(why) => return wrong(why),
    };
    let read = match read_input(&options.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let program = unthread::normalize(read.program);
    let ran = match check_trace(&program, &trace) {
        Ok(ran) => ran,
        Err(why) => return wrong(why),
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
            eprintln!("error: cannot write to {}: {error}", folder.display());
            return WRONG_INPUT;
        }
        put(format!("Written to {}: `make -C {} run` replays it.\n", folder.display(), folder.display()).as_bytes());
    }
    match replay::replay(&program, &trace, &ran, &options.input.cc, &replay_limits()) {
        Ok(said) => {
            eprint!("{said}");
            let failure = &trace.failure;
            put(format!(
                "Replayed with real threads: {}:{}: {} in thread {}: {}\nVerdict: {}\n",
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

fn run_seq(seq: &Seq) -> u8 {
    let mut timing = Timing::start();
    let read = match read_input(&seq.input, &mut timing) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let normalized = unthread::normalize(read.program);
    timing.note("normalize");
    let schema = schema(seq.simulation.schema);
    let limits = LimitOptions { keep_loops: schema.keeps_loops(), ..limit_options(&seq.bounds) };
    let bounded = match unthread::limit::limit(&normalized, &limits) {
        Ok(bounded) => bounded,
        Err(error) => return report_limit(&error, &normalized),
    };
    timing.note("bound");
    let rounds = seq.simulation.rounds.or((schema != Schema::Ul).then_some(2));
    let options = SequentializeOptions {
        schema,
        rounds,
        order: seq.simulation.schedule.clone(),
        backend: backend::find(&seq.backend).expect("the command line knows all backends"),
        title: title(seq, schema, &limits, rounds),
    };
    let text = match sequentialize(&bounded, &options) {
        Ok((text, _)) => text,
        Err(diagnostic) => {
            eprint!("{}", diagnostic.render(Some(&normalized.source)));
            return WRONG_INPUT;
        }
    };
    timing.note("sequentialize");
    match &seq.output {
        None => put(text.as_bytes()),
        Some(file) => {
            if let Err(error) = std::fs::write(file, &text) {
                eprintln!("error: cannot write {}: {error}", file.display());
                return WRONG_INPUT;
            }
        }
    }
    warn_without_loop(&bounded.without_loop);
    bounded.cut_lines().iter().for_each(|line| eprintln!("{line}"));
    if seq.stats {
        timing.print();
    }
    FINE
}

/// The first line of the output: what it was made from, and how.
fn title(seq: &Seq, schema: Schema, limits: &LimitOptions, rounds: Option<u32>) -> String {
    let name = seq.input.file.file_name().unwrap_or_default().to_string_lossy().replace("*/", "");
    let rounds = rounds.map_or("any number of rounds".to_owned(), |rounds| format!("{rounds} rounds"));
    format!(
        "{name} as a sequential program for {}: schema {}, unwind {}, {rounds}",
        seq.backend,
        schema.name(),
        limits.unwind
    )
}

/// Bounds for lines without a loop are most likely a slip.
fn warn_without_loop(lines: &[u32]) {
    for line in lines {
        eprintln!("warning: --unwind-loop {line}: no loop begins in that line");
    }
}

fn limit_options(bounds: &Bounds) -> LimitOptions {
    let defaults = LimitOptions::default();
    LimitOptions {
        unwind: bounds.unwind.unwrap_or(defaults.unwind),
        unwind_max: bounds.unwind_max.unwrap_or(defaults.unwind_max),
        unwind_loops: bounds.unwind_loop.clone(),
        threads: bounds.threads,
        ..defaults
    }
}

/// Says why there is no bounded program.
fn report_limit(error: &LimitError, program: &Program) -> u8 {
    match error {
        LimitError::Unsupported(diagnostic) => {
            eprint!("{}", diagnostic.render(Some(&program.source)));
            WRONG_INPUT
        }
        LimitError::TooLarge { statements } => {
            eprintln!("given up: the program has more than {statements} statements within these bounds");
            UNKNOWN
        }
    }
}

fn run_program(run: &Run) -> u8 {
    let read = match read_input(&run.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let program = unthread::normalize(read.program);
    let code = Code::new(&program);
    if run.all { run_all(run, &code) } else { run_once(run, &code) }
}

fn run_once(run: &Run, code: &Code) -> u8 {
    let mut machine = Machine::new(code);
    machine.max_steps = run.max_steps;
    machine.allow_spurious = !run.no_spurious;
    machine.trace = run.trace.then(Vec::new);
    let seed = run.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut random = RandomChooser { random: fastrand::Rng::with_seed(seed) };
    let mut listed = ListedInputs { inputs: run.inputs.iter().flatten().map(|value| *value as u64).collect() };
    let chooser: &mut dyn Chooser =
        if run.inputs.is_some() || run.schedule.is_some() { &mut listed } else { &mut random };
    let mut after_unit = |machine: &mut Machine| flush(machine, code.program);
    let outcome = match &run.schedule {
        Some(schedule) => interpret::scheduled(&mut machine, schedule, chooser, &mut after_unit),
        None => {
            let mut scheduler = fastrand::Rng::with_seed(seed ^ 0x5eed);
            interpret::random_walk(&mut machine, &mut scheduler, chooser, &mut after_unit)
        }
    };
    flush(&mut machine, code.program);
    if run.schedule.is_none() && code.program.functions.len() > 1 {
        eprintln!("seed {seed}");
    }
    tell(&outcome, code.program)
}

/// Passes on what the program printed and the steps it took.
fn flush(machine: &mut Machine, program: &Program) {
    if let Some(trace) = &mut machine.trace {
        for step in std::mem::take(trace) {
            eprintln!("{}", trace_line(&step, program));
        }
    }
    if !machine.output.is_empty() {
        put(&std::mem::take(&mut machine.output));
    }
    if !machine.error_output.is_empty() {
        eprint!("{}", String::from_utf8_lossy(&std::mem::take(&mut machine.error_output)));
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
            eprintln!("the program ended with status {status}");
            FINE
        }
        Outcome::Failed(failure) => tell_failure(failure, program),
        Outcome::Assumption => {
            eprintln!("the execution stops: an assumption does not hold");
            FINE
        }
        Outcome::OutOfSteps => {
            eprintln!("given up: the limit of steps is reached (--max-steps)");
            UNKNOWN
        }
        Outcome::BadSchedule(units, why) => {
            eprintln!("error: the schedule does not fit the program: after {units} steps, {why}");
            WRONG_INPUT
        }
        Outcome::ScheduleEnds => {
            eprintln!("the schedule ends before the program does");
            UNKNOWN
        }
    }
}

fn tell_failure(failure: &Failure, program: &Program) -> u8 {
    let location = program.source.location(failure.span);
    let name = failure.kind.name();
    eprintln!("{location}: {name} in thread {}: {}", failure.thread, failure.message);
    match failure.kind {
        FailureKind::Unsupported => UNKNOWN,
        FailureKind::Assertion
        | FailureKind::ErrorCall
        | FailureKind::LockMisuse
        | FailureKind::ThreadMisuse
        | FailureKind::Deadlock
        | FailureKind::Memory
        | FailureKind::DivisionByZero
        | FailureKind::Unreachable
        | FailureKind::Abort => BUG,
    }
}

/// The options of `run` that repeat an execution.
fn repeat_options(units: &[TakenUnit]) -> String {
    let marked = |unit: &TakenUnit| {
        format!("{}{}{}", unit.thread, if unit.spurious { "!" } else { "" }, if unit.held { "-" } else { "" })
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

fn run_all(run: &Run, code: &Code) -> u8 {
    let mut options = ExploreOptions {
        max_states: run.max_states,
        max_steps_per_unit: run.max_steps,
        spurious: !run.no_spurious,
        ..ExploreOptions::default()
    };
    if let Some(inputs) = &run.inputs {
        options.inputs = inputs.iter().map(|value| *value as u64).collect();
    }
    let found = interpret::explore(code, &options);
    let mut status = FINE;
    for (failure, schedule) in &found.failures {
        status = status.max(tell_failure(failure, code.program));
        eprintln!("  {}", repeat_options(schedule));
    }
    let executions = found.executions.map_or("not counted".to_owned(), |count| count.to_string());
    let counts = format!("states: {}\nexecutions: {executions}\nfailures: {}\n", found.states, found.failures.len());
    put(counts.as_bytes());
    if found.inputs_limited {
        eprintln!("inputs took only the values {:?}", options.inputs);
    }
    if !found.complete || found.long_units {
        eprintln!("given up: a limit was reached (--max-states, --max-steps); not all interleavings were followed");
        return if status == FINE { UNKNOWN } else { status };
    }
    status
}
