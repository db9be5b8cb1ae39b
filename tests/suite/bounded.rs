//! Bounding and sequentialization against the interpreter, on random programs. Every failure names its seed.
//!
//! - The bounded threads can fail exactly as the program can (all interleavings of both are followed).
//! - A verifier's answer about the emitted program is that of the enumeration within the same number of rounds, and
//!   the execution it gives is one of the threads.
//! - The emitted program, run with the values of an execution, ends as the execution does.
//!
//! `BOUNDED_SEEDS=1000..3000` runs other seeds.

use crate::random::{kinds, normalized, threaded_program};
use crate::support::{installed, report, skipped};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use unthread::il::Program;
use unthread::il::interpret::{Code, ExploreOptions, FailureKind, Rounds, explore};
use unthread::limit::{Bounded, LimitOptions, limit};
use unthread::sequentialize::{Schema, backend};
use unthread::solve::check::{CheckOptions, check};
use unthread::solve::tool::run::Limits;
use unthread::verdict::Verdict;
use unthread::witness::counts;

fn seeds(default: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("BOUNDED_SEEDS") else { return default };
    let parsed = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    parsed.unwrap_or_else(|| panic!("BOUNDED_SEEDS should be like 1..100, not {text}"))
}

/// Runs a job per seed on two threads; the messages of those that failed.
fn in_parallel(seeds: Range<u64>, job: impl Fn(u64) -> Result<(), String> + Sync) {
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

fn options(keep_loops: bool) -> LimitOptions {
    LimitOptions { unwind: 3, keep_loops, ..LimitOptions::default() }
}

fn bounded(program: &Program, keep_loops: bool) -> Bounded {
    limit(program, &options(keep_loops)).unwrap_or_else(|error| panic!("cannot be bounded: {error:?}"))
}

#[test]
fn bounded_threads_fail_as_the_program_does() {
    let failing = AtomicU64::new(0);
    let range = seeds(0..300);
    let all = range.end - range.start;
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        let found = explore(&Code::new(&program), &search());
        if !found.complete {
            return Err("the search was not complete".to_owned());
        }
        for keep_loops in [false, true] {
            let bounded = bounded(&program, keep_loops);
            let again = explore(&Code::new(&bounded.program), &search());
            // Deadlocks are not looked for here: what is never visible together cannot block together.
            let relevant = |kinds: Vec<FailureKind>| -> Vec<FailureKind> {
                kinds.into_iter().filter(|kind| counts(*kind, true)).collect()
            };
            let (expected, got) = (relevant(kinds(&found)), relevant(kinds(&again)));
            if expected != got {
                return Err(format!("{expected:?} became {got:?} (loops kept: {keep_loops})"));
            }
            failing.fetch_add(u64::from(!got.is_empty()), Ordering::Relaxed);
        }
        Ok(())
    });
    let failing = failing.into_inner() / 2;
    assert!(failing > all / 10 && failing < all * 9 / 10, "{failing} of {all} fail");
}

/// An endless loop without visible steps is followed for a while only: nobody can see it.
fn search() -> ExploreOptions {
    ExploreOptions { max_steps_per_unit: 2_000, max_states: 300_000, ..ExploreOptions::default() }
}

/// Can the bounded threads fail within so many rounds?
fn fails_within(bounded: &Bounded, rounds: u32) -> Result<bool, String> {
    let order = bounded.threads.iter().map(|thread| thread.function).collect();
    let options = ExploreOptions { rounds: Some(Rounds { count: rounds, order }), ..search() };
    let found = explore(&Code::new(&bounded.program), &options);
    if !found.complete {
        return Err("the search was not complete".to_owned());
    }
    Ok(found.failures.iter().any(|(failure, _)| counts(failure.kind, true)))
}

fn agrees(program: &Program, seed: u64, schema: Schema, command: &str) -> Result<(), String> {
    let rounds = 1 + (seed % 3) as u32;
    let bounded = bounded(program, schema.keeps_loops());
    let expected = fails_within(&bounded, rounds)?;
    let stop = AtomicBool::new(false);
    let check_options = CheckOptions {
        schema,
        backend: backend::find("cbmc").expect("it is in the table"),
        command: command.to_owned(),
        unwind: Some(3),
        unwind_max: Some(options(false).unwind_max),
        rounds: Some(rounds),
        order: Vec::new(),
        limits: options(schema.keeps_loops()),
        tool: Limits { until: Instant::now() + Duration::from_secs(100), memory_mb: 4000, stop: &stop },
    };
    let answer = check(program, &check_options, &mut |_| {}).map_err(|fault| fault.message)?;
    let right = match answer.verdict {
        Verdict::Bug => expected,
        Verdict::NoBug | Verdict::Proved => !expected,
        Verdict::Unknown => false,
    };
    match right {
        true => Ok(()),
        false => Err(format!(
            "{} with {command} in {rounds} rounds says {} ({:?}), the enumeration says {expected}",
            schema.name(),
            answer.verdict.word(),
            answer.reason
        )),
    }
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
    let start = Instant::now();
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        for schema in [Schema::Lazy, Schema::Ul, Schema::Lr] {
            agrees(&program, seed, schema, commands[(seed / 3) as usize % commands.len()])?;
        }
        Ok(())
    });
    let seconds = start.elapsed().as_secs();
    report(&format!("{count} random programs: 3 schemas through {commands:?} agree with the enumeration ({seconds} s)"));
}
