//! Programs with a known answer, in pairs that differ in one place: with the bug and without. All interleavings of
//! each are followed. The first line of a file says `// expect: nothing` or names the kinds of failure, with commas.
//!
//! The programs of `tests/verdicts` are checked instead. Their first lines say how, and what must be answered:
//! `// check OPTIONS: VERDICT` (or several, with `|`); `// says: TEXT` is what the answer of the check above it contains.

use crate::bounded::in_parallel;
use crate::support::{files, has_headers_for_32_bits, project, run_limited, says, text, unthread};
use std::path::Path;

#[test]
fn every_program_has_exactly_the_expected_failures() {
    let mut programs = files(&project().join("tests/verify"), "c");
    programs.extend(files(&project().join("examples"), "c"));
    assert!(programs.len() >= 20, "programs are missing");
    let failures: Vec<String> = programs.iter().filter_map(|program| check(program).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(program: &Path) -> Result<(), String> {
    let name = program.display();
    let source = std::fs::read_to_string(program).map_err(|error| error.to_string())?;
    let expected = source
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// expect: "))
        .ok_or(format!("{name}: the first line should say what to expect"))?;
    let output = run_limited(unthread().args(["run", "--all"]).arg(program), 120).ok_or(format!("{name}: hangs"))?;
    let messages = text(&output.stderr);
    let kinds: Vec<&str> = expected.split(", ").filter(|kind| *kind != "nothing").collect();
    // Most of these programs race, which is not what they are about.
    let races = kinds.contains(&"data race");
    let told = |line: &&str| line.contains(" in thread ") && (races || !line.contains("data race"));
    let found: Vec<&str> = messages.lines().filter(told).collect();
    let fine = found.iter().all(|line| kinds.iter().any(|kind| line.contains(kind)))
        && kinds.iter().all(|kind| found.iter().any(|line| line.contains(kind)));
    let status = i32::from(!kinds.is_empty() || messages.contains("data race"));
    if fine && output.status.code() == Some(status) {
        return repeat(program, &messages);
    }
    Err(format!("{name}: expected {expected}, status {status}; got {:?}\n{messages}", output.status.code()))
}

/// Every schedule that was printed leads to the failure it was printed for.
fn repeat(program: &Path, messages: &str) -> Result<(), String> {
    let lines: Vec<&str> = messages.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair[1].trim_start().starts_with("--schedule")) {
        let options: Vec<&str> = pair[1].split_whitespace().collect();
        let output = run_limited(unthread().arg("run").args(&options).arg(program), 60).ok_or("a schedule hangs")?;
        let message = text(&output.stderr);
        if output.status.code() != Some(1) || !message.contains(pair[0]) {
            return Err(format!("{}: {options:?} does not repeat {:?}: {message}", program.display(), pair[0]));
        }
    }
    Ok(())
}

#[test]
fn every_check_gives_the_expected_verdict() {
    let programs = files(&project().join("tests/verdicts"), "c");
    assert!(programs.len() >= 80, "programs are missing: there are {}", programs.len());
    let also_32_bits = has_headers_for_32_bits("verdicts with --32");
    in_parallel(0..programs.len() as u64, |index| {
        let program = &programs[index as usize];
        let source = std::fs::read_to_string(program).map_err(|error| format!("{}: {error}", program.display()))?;
        let differences: Vec<String> = match expectations(&source) {
            Ok(expected) => expected
                .iter()
                .filter(|expected| also_32_bits || !expected.options.contains(&"--32"))
                .filter_map(|expected| answer(program, expected).err())
                .collect(),
            Err(message) => vec![message],
        };
        if differences.is_empty() {
            return Ok(());
        }
        Err(format!("{}\n  {}", program.display(), differences.join("\n  ")))
    });
}

/// One call of `check`, and what is demanded of it.
struct Expected<'a> {
    options: Vec<&'a str>,
    verdicts: Vec<&'a str>,
    words: Vec<&'a str>,
}

/// From the lines before the first other one.
fn expectations(source: &str) -> Result<Vec<Expected<'_>>, String> {
    let mut found: Vec<Expected> = Vec::new();
    for line in source.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some(words) = line.strip_prefix("says: ") {
            let last = found.last_mut().ok_or(format!("{line:?} belongs to no check"))?;
            last.words.push(words);
            continue;
        }
        let (call, verdicts) = line.rsplit_once(": ").ok_or(format!("{line:?} names no verdict"))?;
        let mut call = call.split_whitespace();
        if call.next() != Some("check") {
            return Err(format!("{line:?} is no check"));
        }
        let verdicts: Vec<&str> = verdicts.split('|').collect();
        if let Some(other) = verdicts.iter().find(|verdict| !["bug", "no-bug", "proved", "unknown"].contains(verdict)) {
            return Err(format!("{line:?}: {other:?} is no verdict"));
        }
        found.push(Expected { options: call.collect(), verdicts, words: Vec::new() });
    }
    if found.is_empty() { Err("the first lines should say what to expect".to_owned()) } else { Ok(found) }
}

fn answer(program: &Path, expected: &Expected) -> Result<(), String> {
    let call = [&["check"], expected.options.as_slice()].concat().join(" ");
    let mut command = unthread();
    command.args(["check", "--no-replay", "--timeout", "20"]).args(&expected.options).arg(program);
    let output = run_limited(&mut command, 60).ok_or(format!("{call}: hangs"))?;
    let told = text(&output.stdout);
    let verdict = told.lines().rev().find_map(|line| line.strip_prefix("Verdict: "));
    let Some(verdict) = verdict else {
        return Err(format!("{call}: no verdict: {}", text(&output.stderr)));
    };
    if !expected.verdicts.contains(&verdict) {
        return Err(format!("{call}: expected {}, got {verdict}", expected.verdicts.join(" or ")));
    }
    match expected.words.iter().find(|words| !says(&told, words)) {
        Some(words) => Err(format!("{call}: {words:?} is missing in:\n{told}")),
        None => Ok(()),
    }
}
