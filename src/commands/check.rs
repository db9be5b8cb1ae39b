//! `unthread check`: looks for a bug, and says what was found, what was looked for, and what was assumed.

use super::replay::replay_budget;
use super::watch::Watch;
use super::{Timing, WRONG_INPUT, bounding_options, put, read_input, schema, stop_at_interrupt, wrapped};
use crate::console::Console;
use crate::options::{Asking, Check, Errors, ExternalsName, MemoryModelName, SchemaName};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use unthread::budget::Budget;
use unthread::check::{self, Bug, CheckOptions, EngineChoice, Externals, Report};
use unthread::diagnostic::{Diagnostic, Severity};
use unthread::il::{Buffering, Program};
use unthread::isolate::Normalized;
use unthread::property::{ErrorKind, Property};
use unthread::sequentialize::backend;
use unthread::solve::invariant::certificate::Certificate;
use unthread::solve::{Progress, tool};
use unthread::verdict::{Completed, Verdict};
use unthread::witness;
use unthread::witness::replay::{self, Replayed, check_trace};
use unthread::witness::text::TextOptions;

pub fn check(check: &Check) -> u8 {
    let until =
        Instant::now() + Duration::try_from_secs_f64(check.timeout).unwrap_or(Duration::from_secs(u32::MAX.into()));
    let stop = stop_at_interrupt();
    let (engine, property) = match engine(&check.asking, check.simulation.schema, check.keep_going) {
        Ok(chosen) => chosen,
        Err(status) => return status,
    };
    let certificate = check.proof.as_ref().map_or(&None, |proof| &proof.certificate);
    if let Err(status) = files_can_be_written(&[&check.json, &check.html, &check.dimacs, certificate]) {
        return status;
    }
    let console = Mutex::new(Console::new(check.stats));
    let budget = Budget { until, memory_mb: check.memory, stop };
    let watch = Watch::new(Report::new(Verdict::Unknown, &property, &Default::default()));
    std::thread::scope(|scope| {
        scope.spawn(|| watch.guard(&budget, |report| finish(report, check, &console, &[])));
        let searching = watch.search();
        let found = find(check, (engine, property), budget, (&watch, &console));
        // Replaying has a limit of its own.
        drop(searching);
        match found {
            Ok((report, program)) => {
                let replays: Vec<Replay> =
                    report.bugs.iter().map(|bug| replayed(bug, check.no_replay, &check.input.cc, &program)).collect();
                finish(&report, check, &console, &replays)
            }
            Err(status) => {
                console.lock().unwrap_or_else(PoisonError::into_inner).finish();
                status
            }
        }
    })
}

/// Reads the program and searches; the status if the input is wrong.
fn find(
    check: &Check,
    (engine, property): (EngineChoice, Property),
    budget: Budget,
    (watch, console): (&Watch, &Mutex<Console>),
) -> Result<(Report, Normalized), u8> {
    let read = read_input(&check.input, &mut Timing::start())?;
    let options = search_options(check, (engine, property), budget);
    let normalized = unthread::normalize(read.program).under(options.memory_model);
    let assumed = check::assumed(&normalized, &options);
    watch.established(Report::new(Verdict::Unknown, &options.property, &assumed));
    let mut bugs: Vec<Bug> = Vec::new();
    let answer = check::check(&normalized, &options, &mut |progress| match progress {
        Progress::Established(Completed { bounds, cuts }) => {
            let verdict = if bugs.is_empty() { Verdict::NoBug } else { Verdict::Bug };
            let report = Report::new(verdict, &options.property, &assumed);
            watch.established(Report { bounds: Some(bounds), not_followed: cuts, bugs: bugs.clone(), ..report });
        }
        Progress::Found(bug) => {
            bugs.push((*bug).clone());
            let report = Report::new(Verdict::Bug, &options.property, &assumed);
            watch.established(Report { bugs: bugs.clone(), ..report });
            console.lock().unwrap_or_else(PoisonError::into_inner).tell(Progress::Found(bug));
        }
        progress => console.lock().unwrap_or_else(PoisonError::into_inner).tell(progress),
    });
    match answer {
        Ok(report) => Ok((report, normalized)),
        Err(diagnostic) => match unsupported(&diagnostic, &normalized, &options) {
            Some(report) => Ok((report, normalized)),
            None => Err(WRONG_INPUT),
        },
    }
}

pub fn search_options(check: &Check, (engine, property): (EngineChoice, Property), budget: Budget) -> CheckOptions {
    CheckOptions {
        engine,
        property,
        unwind: check.bounds.unwind,
        unwind_max: check.bounds.unwind_max,
        rounds: check.simulation.rounds,
        order: check.simulation.schedule.clone(),
        dimacs: check.dimacs.clone(),
        compiler: check.input.cc.clone(),
        bounding: bounding_options(&check.bounds),
        externals: externals(&check.asking),
        memory_model: MemoryModelName::model(check.asking.memory_model),
        keep_going: check.keep_going,
        jobs: if check.deterministic { 1 } else { jobs(check.jobs) },
        proving: check.proof.is_some(),
        budget,
    }
}

/// What became of an error with real threads; `None` if that was not tried.
pub type Replay = Option<Result<Replayed, String>>;

/// Writes the files and says what is known.
fn finish(report: &Report, check: &Check, console: &Mutex<Console>, replays: &[Replay]) -> u8 {
    let console = console.lock().unwrap_or_else(PoisonError::into_inner);
    console.finish();
    write_files(report, check, &console, replays);
    tell_report(report, check.full, replays)
}

/// The program may be right, but we cannot decide about it; `None` if the input is wrong.
fn unsupported(diagnostic: &Diagnostic, program: &Program, options: &CheckOptions) -> Option<Report> {
    say_part!("{}", diagnostic.render(Some(&program.source)));
    match diagnostic.severity {
        Severity::Unsupported => {
            let reason = Some(diagnostic.message.clone());
            Some(Report { reason, ..Report::new(Verdict::Unknown, &options.property, &Default::default()) })
        }
        Severity::Error | Severity::Warning => None,
    }
}

/// Nobody wants to hear of a wrong name after the search.
pub fn files_can_be_written(files: &[&Option<PathBuf>]) -> Result<(), u8> {
    let files: Vec<&PathBuf> = files.iter().copied().flatten().collect();
    if let Some(twice) = files.iter().enumerate().find(|(index, file)| files[..*index].contains(file)) {
        say!(
            "error: {} cannot hold two things: --json, --html, --dimacs and --certificate need files of their own",
            twice.1.display()
        );
        return Err(WRONG_INPUT);
    }
    for file in files {
        if let Err(error) = can_be_written(file) {
            say!("error: cannot write {}: {error}", file.display());
            return Err(WRONG_INPUT);
        }
    }
    Ok(())
}

fn can_be_written(file: &Path) -> std::io::Result<()> {
    let new = !file.exists();
    std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    if new { std::fs::remove_file(file) } else { Ok(()) }
}

/// A file that cannot be written does not cost the verdict.
fn write_files(report: &Report, check: &Check, console: &Console, replays: &[Replay]) {
    if let Some(file) = &check.json
        && let Err(error) = console.write_json(file, report, replays)
    {
        say!("warning: cannot write {}: {error}", file.display());
    }
    if let Some(file) = check.proof.as_ref().and_then(|proof| proof.certificate.as_ref()) {
        match &report.invariants {
            Some(certificate) => {
                let text = serde_json::to_string_pretty(certificate).map_err(std::io::Error::other);
                if let Err(error) = text.and_then(|text| std::fs::write(file, text + "\n")) {
                    say!("warning: cannot write {}: {error}", file.display());
                }
            }
            None => say!("warning: {} is not written: there is no proof by invariants", file.display()),
        }
    }
    let Some(file) = &check.html else { return };
    let Some(trace) = report.bugs.first().and_then(|bug| bug.trace.as_ref()) else {
        say!("warning: {} is not written: there is no counterexample to show", file.display());
        return;
    };
    if let Err(error) = std::fs::write(file, witness::page::render(trace)) {
        say!("warning: cannot write {}: {error}", file.display());
    }
}

/// Who decides, and about what.
pub fn engine(
    asking: &Asking,
    schema_name: Option<SchemaName>,
    keep_going: bool,
) -> Result<(EngineChoice, Property), u8> {
    let embedded = backend::find(&asking.backend).is_none() && schema_name.is_none();
    let property = match (&asking.errors, embedded) {
        (Some(errors), _) => Errors::property(errors),
        (None, true) => Property::default(),
        (None, false) => Property::of_emitted_programs(),
    };
    let model = MemoryModelName::model(asking.memory_model);
    let property = match model.buffering() {
        Some(buffering) => with_buffers(property, asking.errors.is_some(), buffering)?,
        None => property,
    };
    if property.kinds().is_empty() {
        say!("error: --errors leaves nothing to look for");
        return Err(WRONG_INPUT);
    }
    let emitted = Property::of_emitted_programs();
    if let (false, Some(kind)) = (embedded, property.kinds().iter().find(|kind| !emitted.contains(**kind))) {
        say!("error: only the embedded engine, without --schema, looks for: {}", kind.about());
        return Err(WRONG_INPUT);
    }
    if !embedded && keep_going {
        say!("error: only the embedded engine, without --schema, goes on after an error (--keep-going)");
        return Err(WRONG_INPUT);
    }
    let Some(backend) = backend::find(&asking.backend) else {
        if asking.tool.is_some() {
            say!("error: --tool names the command of an external verifier; say which with --backend");
            return Err(WRONG_INPUT);
        }
        let named = |name| EngineChoice::Sequential(schema(Some(name)));
        return Ok((schema_name.map_or(EngineChoice::Embedded, named), property));
    };
    let Some(command) = asking.tool.clone().or(tool::command(backend.name).map(str::to_owned)) else {
        say!("error: `{}` is only a vocabulary for `unthread seq`; no program of that name decides", backend.name);
        return Err(WRONG_INPUT);
    };
    Ok((EngineChoice::Verifier { schema: schema(schema_name), backend, command }, property))
}

/// What can be looked for where stores wait in buffers; those that were asked for by name must be among them.
fn with_buffers(property: Property, named: bool, buffering: Buffering) -> Result<Property, u8> {
    let unknown = [ErrorKind::Race, ErrorKind::Leak, ErrorKind::Cleanup];
    let asked: Vec<ErrorKind> = unknown.into_iter().filter(|kind| named && property.contains(*kind)).collect();
    if !asked.is_empty() {
        let what: Vec<&str> = asked.iter().map(|kind| kind.about()).collect();
        let without: Vec<String> = asked.iter().map(|kind| format!("no-{}", kind.name())).collect();
        let (model, what, without) = (buffering.name(), what.join(", "), without.join(","));
        say!("error: not looked for under --memory-model {model}: {what} (leave it out with {without})");
        return Err(WRONG_INPUT);
    }
    Ok(unknown.into_iter().fold(property, |property, kind| property.without(kind)))
}

pub fn externals(asking: &Asking) -> Externals {
    match asking.externals {
        ExternalsName::Unknown => Externals::Unknown,
        ExternalsName::Pure => Externals::Pure,
    }
}

/// As many workers as the machine has cores, if nothing else is said.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The bug or what was not followed, what was looked for and assumed, the bounds, and the verdict in the last line.
pub fn tell_report(report: &Report, full: bool, replays: &[Replay]) -> u8 {
    let mut text = String::new();
    let count = report.bugs.len();
    for (index, bug) in report.bugs.iter().enumerate() {
        if count > 1 {
            text += &format!("{}Error {} of {count}\n", if index > 0 { "\n" } else { "" }, index + 1);
        }
        text += &bug_text(bug, full);
        text += &replay_text(replays.get(index).unwrap_or(&None));
    }
    if count > 1 {
        text += &format!("\n{count} errors:\n");
        for trace in report.bugs.iter().filter_map(|bug| bug.trace.as_ref()) {
            let failure = &trace.failure;
            text +=
                &format!("  {}:{}: {}: {}\n", failure.place.file, failure.place.line, failure.kind, failure.message);
        }
    }
    if !report.others.is_empty() {
        text += "Within the same bounds there is also (--keep-going shows how):\n";
        report.others.iter().for_each(|other| text += &format!("  {other}\n"));
    }
    if report.verdict != Verdict::Bug && !report.not_followed.is_empty() {
        text += "Not followed to the end:\n";
        report.not_followed.iter().for_each(|cut| text += &format!("  {cut}\n"));
    }
    if let Some(attachment) = &report.attachment {
        let file = std::env::temp_dir().join(format!("unthread-report-{}.txt", std::process::id()));
        match std::fs::write(&file, attachment) {
            Ok(()) => text += &format!("Attach this file, it has the program in it: {}\n", file.display()),
            Err(error) => text += &format!("Attach the program ({}: {error})\n", file.display()),
        }
    }
    text += &looked_for(&report.property);
    if report.verdict != Verdict::Bug {
        report.assumed.all().for_each(|line| text += &wrapped(&format!("Assumed: {line}")));
    }
    if let Some(bounds) = &report.bounds {
        text += &match report.verdict {
            Verdict::Proved => wrapped(&format!("Bounds: none, every execution fits into {bounds}")),
            _ => format!("Bounds: {bounds}\n"),
        };
    }
    match (report.states, report.verdict) {
        (Some(states), Verdict::Proved | Verdict::NoBug) => {
            text += &format!("Bounds: none, all {states} states were visited\n");
        }
        (Some(states), Verdict::Bug | Verdict::Unknown) => {
            text += &format!("Bounds: none, {states} states were visited\n");
        }
        (None, _) if report.bugs.iter().any(|bug| bug.bounds.is_none() && bug.states.is_none()) => {
            text += "Bounds: none, it was found by executions at random\n";
        }
        (None, _) => {}
    }
    if let Some(cleared) = &report.races {
        text += &wrapped(&format!("Bounds: none, no two accesses race. {cleared}"));
    }
    if let Some(certificate) = &report.invariants {
        text += &invariants_text(certificate);
    }
    report.no_proof.iter().for_each(|line| text += &wrapped(&format!("No proof by {line}")));
    if let Some(reason) = &report.reason {
        let what = if report.bounds.is_none() { "Reason" } else { "Larger bounds were not completed" };
        text += &wrapped(&format!("{what}: {reason}"));
    }
    text += &format!("Verdict: {}\n", report.verdict.word());
    put(text.as_bytes());
    report.verdict.exit_status()
}

/// More places are not shown.
const MOST_PLACES: usize = 30;

/// A proof that a person can follow: what holds of a thread wherever it stands.
fn invariants_text(certificate: &Certificate) -> String {
    let mut text = "Bounds: none, for any number of threads, by these invariants:\n".to_owned();
    let places = certificate.locations.iter().filter(|place| place.reached && !place.facts.is_empty());
    for place in places.clone().take(MOST_PLACES) {
        let facts: Vec<&str> = place.facts.iter().map(|fact| &*fact.text).collect();
        let thread = if place.several { format!("every {}", place.thread) } else { place.thread.clone() };
        text += &wrapped(&format!("  {}:{} ({thread}): {}", place.file, place.line, facts.join(", ")));
    }
    let more = places.count().saturating_sub(MOST_PLACES);
    if more > 0 {
        text += &format!("  and {more} more places (--json has them all)\n");
    }
    text + &pairs_text(certificate)
}

/// What is known of two threads at once.
fn pairs_text(certificate: &Certificate) -> String {
    let Some(pairs) = &certificate.pairs else { return String::new() };
    let line = |at: usize| format!("{}:{}", certificate.locations[at].file, certificate.locations[at].line);
    let reached = |at: usize| certificate.locations[at].reached;
    let mut lines: Vec<String> = Vec::new();
    let mut never: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| reached(pair.first) && reached(pair.second)) {
        let (first, second) = (line(pair.first), line(pair.second));
        if pair.reached {
            let facts: Vec<&str> = pair.facts.iter().map(|fact| &*fact.text).collect();
            lines.push(format!("  one at {first}, another at {second}: {}", facts.join(", ")));
        } else if certificate.locations[pair.first].several {
            let others = never.entry(first).or_default();
            if !others.contains(&second) {
                others.push(second);
            }
        }
    }
    lines.extend(
        never.iter().map(|(first, others)| format!("  never one at {first} and another at {}", others.join(" or "))),
    );
    let mut text = String::new();
    if !lines.is_empty() {
        text += "and by these about two threads at once:\n";
    }
    lines.iter().take(MOST_PLACES).for_each(|line| text += &wrapped(line));
    if lines.len() > MOST_PLACES {
        text += &format!("  and {} more (--json has them all)\n", lines.len() - MOST_PLACES);
    }
    text
}

fn looked_for(property: &Property) -> String {
    let names = |kinds: Vec<ErrorKind>| kinds.iter().map(|kind| kind.about()).collect::<Vec<_>>().join(", ");
    let mut text = wrapped(&format!("Looked for: {}", names(property.kinds().to_vec())));
    let others: Vec<ErrorKind> = property.others().collect();
    let others = if others.is_empty() { String::new() } else { format!("{}, ", names(others)) };
    text += &wrapped(&format!("Not looked for: {others}writes to constants, aliasing, order of evaluation"));
    text
}

fn replay_text(replay: &Replay) -> String {
    match replay {
        Some(Ok(replayed)) => {
            let confirmed = if replayed.sanitizer == Some(true) { "Confirmed by ThreadSanitizer.\n" } else { "" };
            format!("Replayed with real threads: it fails in the same way, in the same place.\n{confirmed}")
        }
        Some(Err(why)) => wrapped(&format!("Not replayed with real threads: {why}.")),
        None => String::new(),
    }
}

/// Runs what was found with real threads, if there is something to run and anybody wants it.
pub fn replayed(bug: &Bug, no_replay: bool, compiler: &str, program: &Program) -> Replay {
    let trace = bug.trace.as_ref().filter(|_| !no_replay)?;
    let ran = check_trace(program, trace);
    Some(ran.and_then(|ran| replay::replay(program, trace, &ran, compiler, &replay_budget())))
}

/// The execution for people, as wide as the terminal allows.
fn bug_text(bug: &Bug, full: bool) -> String {
    let Some(trace) = &bug.trace else {
        return "The sequential program has an execution that fails; the verifier gave no trace.\n".to_owned();
    };
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut text = witness::text::render(trace, TextOptions { full, colour, ..TextOptions::default() });
    for line in &trace.rests_on {
        text += &wrapped(&format!("This rests on a function without body: {line}"));
    }
    text
}
