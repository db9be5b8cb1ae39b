//! Programs with a known answer, in pairs that differ in one place: with the bug and without. All interleavings of
//! each are followed. The first line of a file says `// expect: nothing` or names the kind of failure.

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
    let (fine, status) = match expected {
        "nothing" => (found.is_empty(), 0),
        kind => (!found.is_empty() && found.iter().all(|line| line.contains(kind)), 1),
    };
    if fine && output.status.code() == Some(status) {
        return Ok(());
    }
    Err(format!("{name}: expected {expected}, status {status}; got {:?}\n{messages}", output.status.code()))
}
