//! Bounding and sequentialization against the interpreter, on random programs. Every failure names its seed.
//!
//! - The bounded threads can fail exactly as the program can (all interleavings of both are followed).
//! - A verifier's answer about the emitted program is that of the enumeration within the same number of rounds, and
//!   the execution it gives is one of the threads.
//! - The emitted program, run with the values of an execution, ends as the execution does.
//!
//! `BOUNDED_SEEDS=1000..3000` runs other seeds.

use crate::random::{kinds, normalized, threaded_program};
use crate::support::{compile, installed, report, run_limited, scratch, skipped, text};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use unthread::budget::{Budget, TIME_IS_UP};
use unthread::check::{CheckOptions, EngineChoice, Externals, MemoryModel, check};
use unthread::il::interpret::{Chooser, Code, ExploreOptions, FailureKind, Machine, Rounds, Unit, explore};
use unthread::il::{Stmt, StmtKind};
use unthread::isolate::Normalized;
use unthread::limit::{Bounded, BoundingOptions, limit};
use unthread::property::{ErrorKind, Property};
use unthread::restriction::Restriction;
use unthread::sequentialize::{Schema, SequentializeOptions, backend, sequentialize};
use unthread::verdict::Verdict;

/// There are too many interleavings.
const INCOMPLETE: &str = "the search was not complete";

pub fn seeds(default: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("BOUNDED_SEEDS") else { return default };
    let parsed = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    parsed.unwrap_or_else(|| panic!("BOUNDED_SEEDS should be like 1..100, not {text}"))
}

/// Runs a job per seed on two threads; the messages of those that failed.
pub fn in_parallel(seeds: Range<u64>, job: impl Fn(u64) -> Result<(), String> + Sync) {
    let next = AtomicU64::new(seeds.start);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    if let Err(message) = job(seed) {
                        failures.lock().expect("not poisoned").push(format!("seed {seed}: {message}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("not poisoned");
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
}

fn options(keep_loops: bool) -> BoundingOptions {
    BoundingOptions { unwind: 3, keep_loops, property: Property::of_emitted_programs(), ..BoundingOptions::default() }
}

fn bounded(program: &Normalized, options: &BoundingOptions) -> Bounded {
    limit(program, options, &budget()).unwrap_or_else(|error| panic!("cannot be bounded: {error:?}"))
}

/// Much more than these programs need.
pub fn budget() -> Budget {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Budget { until: Instant::now() + Duration::from_secs(100), memory_mb: 16_000, stop: &NEVER }
}

#[test]
fn bounded_threads_fail_as_the_program_does() {
    let failing = AtomicU64::new(0);
    let range = seeds(0..150);
    let all = range.end - range.start;
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        let found = explore(&Code::new(&program), &search());
        if !found.complete {
            return Err(INCOMPLETE.to_owned());
        }
        let usual = Property::of_emitted_programs();
        let wider = Property::new(usual.kinds().iter().copied().chain([ErrorKind::Deadlock]));
        for (keep_loops, property) in [(false, &usual), (false, &wider), (true, &usual), (true, &wider)] {
            let bounded = bounded(&program, &BoundingOptions { property: property.clone(), ..options(keep_loops) });
            let again = explore(&Code::new(&bounded.program), &search());
            let relevant = |kinds: Vec<FailureKind>| -> Vec<FailureKind> {
                kinds.into_iter().filter(|kind| property.looks_for(*kind)).collect()
            };
            let (expected, got) = (relevant(kinds(&found)), relevant(kinds(&again)));
            if expected != got {
                return Err(format!("{expected:?} became {got:?} (loops kept: {keep_loops})"));
            }
            failing.fetch_add(u64::from(!got.is_empty()), Ordering::Relaxed);
        }
        Ok(())
    });
    let failing = failing.into_inner() / 4;
    assert!(failing > all / 10 && failing < all * 9 / 10, "{failing} of {all} fail");
}

/// An endless loop without visible steps is followed for a while only: nobody can see it.
fn search() -> ExploreOptions {
    ExploreOptions { max_steps_per_unit: 2_000, max_states: 300_000, ..ExploreOptions::default() }
}

/// Can the bounded threads fail within so many rounds?
fn fails_within(bounded: &Bounded, rounds: u32, property: &Property) -> Result<bool, String> {
    let order = bounded.threads.iter().map(|thread| thread.function).collect();
    let options = ExploreOptions { rounds: Some(Rounds { count: rounds, order }), ..search() };
    let found = explore(&Code::new(&bounded.program), &options);
    if !found.complete {
        return Err(INCOMPLETE.to_owned());
    }
    Ok(found.failures.iter().any(|(failure, _)| property.looks_for(failure.kind)))
}

/// How random programs are checked.
pub fn search_options(engine: EngineChoice, property: &Property) -> CheckOptions {
    CheckOptions {
        keep_going: false,
        jobs: 1,
        proving: false,
        engine,
        unwind: Some(3),
        unwind_max: Some(options(false).unwind_max),
        rounds: None,
        order: Vec::new(),
        property: property.clone(),
        dimacs: None,
        compiler: "cc".to_owned(),
        bounding: options(false),
        externals: Externals::Unknown,
        memory_model: MemoryModel::AsWritten,
        budget: budget(),
    }
}

/// The answer is that of the enumeration.
fn agrees(program: &Normalized, seed: u64, engine: EngineChoice) -> Result<(), String> {
    agrees_on(program, seed, engine, &Property::of_emitted_programs()).map(|_| ())
}

/// Likewise, about these kinds of errors; was there one?
fn agrees_on(program: &Normalized, seed: u64, engine: EngineChoice, property: &Property) -> Result<bool, String> {
    let rounds = 1 + (seed % 3) as u32;
    let (schema, name) = match &engine {
        EngineChoice::Embedded => (None, "the embedded engine".to_owned()),
        EngineChoice::Sequential(schema) => (Some(*schema), format!("the embedded engine on {}", schema.name())),
        EngineChoice::Verifier { schema, command, .. } => (Some(*schema), format!("{command} on {}", schema.name())),
    };
    let keeps_loops = schema.is_some_and(Schema::keeps_loops);
    let check_options = CheckOptions { rounds: Some(rounds), ..search_options(engine, property) };
    let bounded = bounded(program, &BoundingOptions { property: property.clone(), ..options(keeps_loops) });
    let expected = fails_within(&bounded, rounds, property)?;
    let answer = check(program, &check_options, &mut |_| {}).map_err(|fault| fault.message)?;
    let right = match answer.verdict {
        Verdict::Bug => expected,
        Verdict::NoBug => !expected,
        // Then nothing was cut, and no number of rounds shows a failure.
        Verdict::Proved => {
            let found = explore(&Code::new(&bounded.program), &search());
            !expected && !found.failures.iter().any(|(failure, _)| property.looks_for(failure.kind))
        }
        // Guessed memory can be too much for the time there is; that is said, and no answer.
        Verdict::Unknown => {
            let late = |reason: &String| reason.contains(TIME_IS_UP) || reason.contains("ran out of time");
            schema == Some(Schema::Lr) && answer.reason.as_ref().is_some_and(late)
        }
    };
    match right {
        true => Ok(expected),
        false => Err(format!(
            "{name} in {rounds} rounds says {} ({:?}), the enumeration says {expected}",
            answer.verdict.word(),
            answer.reason
        )),
    }
}

#[test]
fn the_embedded_engine_agrees_with_the_enumeration_within_the_same_rounds() {
    let range = seeds(0..1000);
    let count = range.end - range.start;
    let too_large = AtomicU64::new(0);
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        match agrees(&program, seed, EngineChoice::Embedded) {
            Err(message) if message == INCOMPLETE => {
                too_large.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            result => result,
        }
    });
    let too_large = too_large.into_inner();
    report(&format!("{count} random programs through the embedded engine agree; {too_large} too large to enumerate"));
    assert!(too_large * 100 <= count, "{too_large} of {count} are too large to enumerate");
}

#[test]
fn the_embedded_engine_finds_the_deadlocks_of_the_enumeration() {
    let range = seeds(0..500);
    let count = range.end - range.start;
    let deadlocks = AtomicU64::new(0);
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        match agrees_on(&program, seed, EngineChoice::Embedded, &Property::new([ErrorKind::Deadlock])) {
            Err(message) if message == INCOMPLETE => Ok(()),
            result => {
                deadlocks.fetch_add(u64::from(result?), Ordering::Relaxed);
                Ok(())
            }
        }
    });
    let deadlocks = deadlocks.into_inner();
    report(&format!("{deadlocks} of {count} random programs deadlock, and the embedded engine agrees"));
    assert!(deadlocks > count / 20 && deadlocks < count * 9 / 10, "{deadlocks} of {count} deadlock");
}

/// The second road: the emitted C, read again, is a program of one thread.
#[test]
fn the_embedded_engine_agrees_on_emitted_programs() {
    in_parallel(seeds(0..100), |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        // Jumps between the branches of a condition: the emitted program is full of them.
        agrees(&program, seed, EngineChoice::Sequential(Schema::Lazy))?;
        agrees(&program, seed, EngineChoice::Sequential(Schema::Ul))?;
        if seed % 10 == 0 { agrees(&program, seed, EngineChoice::Sequential(Schema::Lr)) } else { Ok(()) }
    });
}

#[test]
fn verifiers_agree_with_the_enumeration_within_the_same_rounds() {
    let commands: Vec<&str> = ["cbmc-6.6", "cbmc-5.12"].into_iter().filter(|command| installed(command)).collect();
    let commands = if commands.is_empty() && installed("cbmc") { vec!["cbmc"] } else { commands };
    if commands.is_empty() {
        return skipped("random programs through CBMC", "cbmc is not installed");
    }
    let range = seeds(0..210);
    let count = range.end - range.start;
    let milliseconds = [Schema::Lazy, Schema::Ul, Schema::Lr].map(|schema| (schema, AtomicU64::new(0)));
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        for (schema, spent) in &milliseconds {
            // Guessed memory is expensive: lr takes about forty times as long as the others.
            if *schema == Schema::Lr && seed % 10 != 0 {
                continue;
            }
            let start = Instant::now();
            let command = commands[(seed / 3) as usize % commands.len()].to_owned();
            let backend = backend::find("cbmc").expect("it is in the table");
            agrees(&program, seed, EngineChoice::Verifier { schema: *schema, backend, command })?;
            spent.fetch_add(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        }
        Ok(())
    });
    let spent: Vec<String> = milliseconds
        .iter()
        .map(|(schema, spent)| format!("{} {} s", schema.name(), spent.load(Ordering::Relaxed) / 1000))
        .collect();
    report(&format!("{count} random programs through {commands:?} agree with the enumeration: {}", spent.join(", ")));
}

// ---- the emitted program as an ordinary program ----

/// Notes all that an execution takes.
struct Recorder {
    random: fastrand::Rng,
    taken: Vec<i64>,
}

impl Chooser for Recorder {
    fn input(&mut self, bits: u32) -> u64 {
        let value = self.random.u64(..2) & ((1u64 << bits.min(63)) - 1);
        self.taken.push(value as i64);
        value
    }

    fn pick(&mut self, count: usize) -> usize {
        let value = self.random.usize(..count);
        self.taken.push(value as i64);
        value
    }

    fn choose(&mut self, set: u64) -> u64 {
        let bits: Vec<u32> = (0..64).filter(|bit| set >> bit & 1 == 1).collect();
        let chosen = 1 << bits[self.random.usize(..bits.len())];
        self.taken.push(chosen as i64);
        chosen
    }

    fn undefined(&mut self, _bits: u32) -> u64 {
        0
    }
}

/// One execution in rounds: the values that the emitted program must take to follow it, and how it ends.
struct Followed {
    values: Vec<i64>,
    failed: bool,
    numbers: Vec<(String, i128)>,
}

/// Plays the part of a schema's driver on the interpreter, with random context switches.
fn follow(bounded: &Bounded, schema: Schema, rounds: u32, seed: u64) -> Option<Followed> {
    let code = Code::new(&bounded.program);
    let mut machine = Machine::new(&code);
    machine.max_steps = 20_000;
    let mut recorder = Recorder { random: fastrand::Rng::with_seed(seed), taken: Vec::new() };
    let mut switches = fastrand::Rng::with_seed(seed + 77);
    let mut values = Vec::new();
    let mut failed = false;
    let mut finished = vec![false; bounded.threads.len()];
    let main_returns = matches!(
        bounded.program.function(bounded.threads[0].function).body.last(),
        Some(Stmt { kind: StmtKind::Return(_), .. })
    );
    'rounds: for _ in 0..rounds {
        for (thread, info) in bounded.threads.iter().enumerate() {
            let last = if thread == 0 && main_returns { info.steps - 1 } else { info.steps };
            let find = |machine: &Machine| {
                machine.runnable_threads().into_iter().find(|number| machine.start_of(*number) == Some(info.function))
            };
            let exists = find(&machine).is_some();
            if !exists && (schema != Schema::Lr || finished[thread]) {
                continue;
            }
            let mut wanted = switches.u32(..6);
            let (mut events, mut inputs): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
            let mut until = 0;
            while let Some(number) = find(&machine) {
                until = machine.step_number(number);
                if until >= last || wanted == 0 {
                    break;
                }
                wanted -= 1;
                recorder.taken.clear();
                match machine.take_unit(number, true, &mut recorder) {
                    // An assumption that is false for good: the emitted program has no such run.
                    Unit::Ran if machine.has_stuck_thread() => return None,
                    Unit::Ran => {
                        events.push(0);
                        events.extend(&recorder.taken);
                        inputs.append(&mut recorder.taken);
                        if find(&machine).is_none() {
                            finished[thread] = true;
                            until = last;
                        }
                    }
                    Unit::Failed(_) => {
                        events.push(0);
                        events.extend(&recorder.taken);
                        inputs.append(&mut recorder.taken);
                        (failed, until) = (true, last);
                        break;
                    }
                    Unit::Blocked { .. } if machine.stands_before_step(number) => break,
                    // The emitted program takes the whole unit or nothing of it.
                    Unit::Blocked { .. } => return None,
                    // An endless loop that nobody can see.
                    Unit::OutOfSteps => return None,
                    Unit::Exit(status) => panic!("main should stay before its end: {status}"),
                }
            }
            let stands = !failed && !finished[thread] && until < last;
            match schema {
                // The place of the switch first, then what the program takes.
                Schema::Lazy => {
                    values.push(i64::from(until));
                    values.extend(inputs);
                }
                // Before every step whether to stop; 1 where it does.
                Schema::Ul => {
                    values.extend(events);
                    values.extend(stands.then_some(1));
                }
                // Before every step the round to go on in; the last number means never.
                Schema::Lr => {
                    values.extend(events);
                    values.extend((!exists || stands).then_some(i64::from(rounds)));
                }
            }
            if failed {
                // A thread that stops at an error leaves nothing to the others, but lr lets them choose.
                values.extend(std::iter::repeat_n(i64::from(rounds), if schema == Schema::Lr { 60 } else { 0 }));
                break 'rounds;
            }
        }
    }
    let names: Vec<String> = bounded.program.globals.iter().map(|global| global.name.clone()).collect();
    let numbers =
        names.into_iter().filter_map(|name| machine.global_number(&name).map(|number| (name, number))).collect();
    Some(Followed { values, failed, numbers })
}

/// Compiles the emitted program and runs it along some executions.
fn runs_like_the_interpreter(program: &Normalized, seed: u64, schema: Schema) -> Result<(), String> {
    // Guesses of memory cannot be read off an execution so simply: lr is run in one round, without any.
    let rounds = if schema == Schema::Lr { 1 } else { 3 };
    let bounded = bounded(program, &options(schema.keeps_loops()));
    let options = SequentializeOptions {
        restriction: Restriction::All,
        schema,
        rounds: Some(rounds),
        order: Vec::new(),
        backend: backend::find("run").expect("it is in the table"),
        title: format!("seed {seed}"),
    };
    let (emitted, _) = sequentialize(&bounded, &options).map_err(|fault| fault.message)?;
    let folder = scratch("emitted");
    let stem = format!("{}_{seed}", schema.name());
    let (source, binary, input) =
        (folder.join(format!("{stem}.c")), folder.join(&stem), folder.join(format!("{stem}.txt")));
    std::fs::write(&source, emitted).map_err(|error| error.to_string())?;
    compile(&[&source], &["-O0"], &binary)?;
    for execution in 0..6 {
        let Some(expected) = follow(&bounded, schema, rounds, seed * 100 + execution) else { continue };
        let values: Vec<String> = expected.values.iter().map(i64::to_string).collect();
        std::fs::write(&input, values.join(" ")).map_err(|error| error.to_string())?;
        let output = run_limited(std::process::Command::new(&binary).arg(&input), 10)
            .ok_or(format!("{} execution {execution}: does not end", schema.name()))?;
        let printed = text(&output.stdout);
        let status = output.status.code();
        if status != Some(i32::from(expected.failed)) {
            return Err(format!(
                "{} execution {execution}: ends with {status:?}, not {}",
                schema.name(),
                expected.failed
            ));
        }
        for (name, number) in expected.numbers.iter().filter(|_| !expected.failed) {
            let line = format!("{name} = {number}");
            let other = printed.lines().find(|other| other.starts_with(&format!("{name} = ")));
            if other.is_some_and(|other| other != line) {
                return Err(format!("{} execution {execution}: {line}, but the program says {other:?}", schema.name()));
            }
        }
    }
    let _ = (std::fs::remove_file(&source), std::fs::remove_file(&binary), std::fs::remove_file(&input));
    Ok(())
}

#[test]
fn emitted_programs_run_like_the_interpreter() {
    in_parallel(seeds(0..200), |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        for schema in [Schema::Lazy, Schema::Ul, Schema::Lr] {
            runs_like_the_interpreter(&program, seed, schema)?;
        }
        Ok(())
    });
}
