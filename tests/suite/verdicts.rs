//! Programs with a known answer, in pairs that differ in one place: with the bug and without. All interleavings of
//! each are followed. The first line of a file says `// expect: nothing` or names the kinds of failure, with commas.

use crate::support::{files, project, run_limited, text, unthread};
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
    let found: Vec<&str> = messages.lines().filter(|line| line.contains(" in thread ")).collect();
    let kinds: Vec<&str> = expected.split(", ").filter(|kind| *kind != "nothing").collect();
    let fine = found.iter().all(|line| kinds.iter().any(|kind| line.contains(kind)))
        && kinds.iter().all(|kind| found.iter().any(|line| line.contains(kind)));
    let status = i32::from(!kinds.is_empty());
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
