//! Our own programs, with the bug and without, through the engine, and through every schema and a real verifier: the
//! verdict is that of the first line of each program. `unknown` is right only where a schema does not support a construct, and says so.

use crate::support::{files, installed, project, report, run_limited, says, skipped, text, unthread};
use std::path::{Path, PathBuf};

/// Failures that `check` looks for if nothing else is said.
const COUNTED: &[&str] = &["assertion failed", "error function called", "wrong use of a lock"];

/// Options of `check`.
type Road = &'static [&'static str];

#[test]
fn the_embedded_engine_gives_the_known_verdict() {
    every_road_gives_the_known_verdict(&[
        &["--errors", "assertion,lock"],
        // Whoever asks for bounds gets formulas only.
        &["--errors", "assertion,lock", "--threads", "62"],
        &["--errors", "deadlock"],
        &["--schema", "lazy"],
        &["--schema", "ul"],
        &["--schema", "lr"],
    ]);
}

#[test]
fn every_schema_gives_the_known_verdict() {
    if !installed("cbmc") {
        return skipped("schemas through CBMC", "cbmc is not installed");
    }
    every_road_gives_the_known_verdict(&[
        &["--backend", "cbmc", "--schema", "lazy"],
        &["--backend", "cbmc", "--schema", "ul"],
        &["--backend", "cbmc", "--schema", "lr"],
    ]);
}

fn every_road_gives_the_known_verdict(roads: &[Road]) {
    let mut programs = files(&project().join("tests/verify"), "c");
    programs.extend(files(&project().join("examples"), "c"));
    let jobs: Vec<(PathBuf, Road)> =
        programs.iter().flat_map(|program| roads.iter().map(|road| (program.clone(), *road))).collect();
    let results: Vec<Result<Given, String>> = std::thread::scope(|scope| {
        let halves: Vec<_> = jobs
            .chunks(jobs.len().div_ceil(2))
            .map(|half| scope.spawn(|| half.iter().map(|(program, road)| check(program, road)).collect::<Vec<_>>()))
            .collect();
        halves.into_iter().flat_map(|half| half.join().expect("no panic")).collect()
    });
    let failures: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let count = |wanted: Given| results.iter().flatten().filter(|given| **given == wanted).count();
    report(&format!(
        "{} programs x {:?}: {} verdicts right, {} not supported, {} out of time",
        programs.len(),
        roads,
        count(Given::Right),
        count(Given::Unsupported),
        count(Given::OutOfTime)
    ));
    assert!(count(Given::Right) * 10 > results.len() * 8, "too few verdicts");
}

#[derive(Clone, Copy, PartialEq)]
enum Given {
    Right,
    Unsupported,
    OutOfTime,
}

fn check(program: &Path, road: Road) -> Result<Given, String> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = std::fs::read_to_string(program).map_err(|error| error.to_string())?;
    let first = source.lines().next().unwrap_or("");
    let counted = if road.contains(&"deadlock") { &["deadlock"] } else { COUNTED };
    let bug = counted.iter().any(|kind| first.contains(kind));
    let mut command = unthread();
    command.args(["check", "--timeout", "20"]).args(road).arg(program);
    // A bug is found by climbing; where there is none, climbing would only take time.
    if !bug {
        command.args(["--rounds", "3", "--unwind", "3"]);
    }
    let output = run_limited(&mut command, 40).ok_or(format!("{name} {road:?}: hangs"))?;
    let (said, messages) = (text(&output.stdout), text(&output.stderr));
    let verdict = said.lines().last().unwrap_or("").to_owned();
    // Our own time, or that of a verifier we started.
    let out_of_time = says(&said, "time is up") || says(&said, "out of time");
    match (verdict.as_str(), output.status.code()) {
        ("Verdict: bug", Some(1)) if bug => Ok(Given::Right),
        ("Verdict: no-bug" | "Verdict: proved", Some(0)) if !bug => Ok(Given::Right),
        ("Verdict: unknown", Some(3)) if messages.contains("not supported") => Ok(Given::Unsupported),
        ("Verdict: unknown", Some(3)) | ("Verdict: no-bug", Some(0)) if out_of_time => Ok(Given::OutOfTime),
        // An execution that does something undefined before it fails the assertion is not believed.
        ("Verdict: unknown", Some(3)) if says(&said, "fails in another way first") => Ok(Given::Unsupported),
        (verdict, status) => Err(format!("{name} {road:?}: {verdict} ({status:?}), a bug: {bug}\n{said}{messages}")),
    }
}
