//! Self-checking programs, one per feature of the language and of the thread libraries: gcc's build of the original,
//! gcc's build of the printed program and the interpreter all print the same and end the same way.

use crate::support::{compile, files, normalized_twice, project, run_limited, scratch, text, unthread};
use std::path::Path;
use std::process::Command;

/// Standard output and exit status.
type Result = std::result::Result<(String, i32), String>;

#[test]
fn printed_and_interpreted_programs_behave_as_the_original() {
    let folder = scratch("programs");
    let runtime = folder.join("runtime.o");
    let source = project().join("tests/support/runtime.c");
    compile(&[&source], &["-c", "-D_GNU_SOURCE"], &runtime).expect("the runtime compiles");
    let programs = files(&project().join("tests/programs"), "c");
    assert!(programs.len() >= 95, "programs are missing");
    let mut failures = Vec::new();
    for program in &programs {
        if let Err(error) = check(program, &folder, &runtime) {
            failures.push(format!("{}: {error}", program.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(program: &Path, folder: &Path, runtime: &Path) -> std::result::Result<(), String> {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let expected = build_and_run(&[program], &folder.join(format!("{stem}.original")))?;
    let printed = normalized_twice(program, "--64", folder)?;
    let printed = build_and_run(&[&printed, runtime], &folder.join(format!("{stem}.printed")))?;
    if printed != expected {
        return Err(format!("printed program: {printed:?}, original: {expected:?}"));
    }
    for seed in ["1", "2"] {
        let interpreted = interpret(program, seed)?;
        if interpreted != expected {
            return Err(format!("interpreter, seed {seed}: {interpreted:?}, original: {expected:?}"));
        }
    }
    Ok(())
}

fn build_and_run(sources: &[&Path], out: &Path) -> Result {
    // A printed program must be compiled as C even though it is called `.i`.
    compile(sources, &["-std=gnu11", "-pthread"], out)?;
    let output = run_limited(&mut Command::new(out), 20).ok_or("hangs")?;
    Ok((text(&output.stdout), output.status.code().unwrap_or(-1)))
}

fn interpret(program: &Path, seed: &str) -> Result {
    let output =
        run_limited(unthread().args(["run", "--no-spurious", "--seed", seed]).arg(program), 60).ok_or("hangs")?;
    let messages = text(&output.stderr);
    let status = messages
        .lines()
        .find_map(|line| line.strip_prefix("the program ended with status "))
        .and_then(|status| status.parse().ok())
        .ok_or(messages.clone())?;
    Ok((text(&output.stdout), status))
}
