//! Programs made by Csmith: original, printed program and interpreter print the same checksum.
//!
//! `CSMITH_SEEDS=1..301 cargo test --release csmith` is the long run.

use crate::support::{compile, installed, normalized_twice, report, run_limited, scratch, skipped, text, unthread};
use std::path::Path;
use std::process::Command;

const INCLUDE: &str = "/usr/include/csmith";

#[test]
fn random_sequential_programs_keep_their_checksum() {
    if !installed("csmith") || !Path::new(INCLUDE).is_dir() {
        skipped("csmith", "csmith and libcsmith-dev are not installed");
        return;
    }
    let range = std::env::var("CSMITH_SEEDS").unwrap_or_else(|_| "1..31".to_owned());
    let (from, to) = range.split_once("..").expect("CSMITH_SEEDS is FROM..TO");
    let seeds = from.parse().expect("a number")..to.parse().expect("a number");
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for seed in seeds {
        if let Err(error) = check(seed, &mut counts) {
            failures.push(format!("seed {seed}: {error}"));
        }
    }
    let summary = format!("{counts:?}");
    report(&format!("csmith seeds {range}: {summary}"));
    assert!(failures.is_empty(), "{summary}\n{}", failures.join("\n"));
    // Most programs end in time; if not, this test tests nothing.
    assert!(counts.interpreted * 2 > counts.printed, "{summary}");
}

#[derive(Debug, Default)]
struct Counts {
    /// The original itself runs longer than we wait: says nothing.
    endless: u32,
    printed: u32,
    interpreted: u32,
    out_of_steps: u32,
}

fn check(seed: u32, counts: &mut Counts) -> Result<(), String> {
    let folder = scratch("csmith");
    let source = folder.join(format!("s{seed}.c"));
    let made =
        Command::new("csmith").args(["--seed", &seed.to_string()]).output().map_err(|error| error.to_string())?;
    std::fs::write(&source, &made.stdout).map_err(|error| error.to_string())?;
    let include = format!("-I{INCLUDE}");
    let original = folder.join(format!("s{seed}.original"));
    compile(&[&source], &[&include], &original)?;
    let Some(expected) = run_limited(&mut Command::new(&original), 5) else {
        counts.endless += 1;
        return Ok(());
    };
    let preprocessed = folder.join(format!("s{seed}.i"));
    compile(&[&source], &[&include, "-E"], &preprocessed)?;
    let printed = normalized_twice(&preprocessed, "--64", &folder)?;
    let program = folder.join(format!("s{seed}.printed"));
    compile(&[&printed], &[], &program)?;
    let got = run_limited(&mut Command::new(&program), 30).ok_or("the printed program hangs")?;
    if got.stdout != expected.stdout {
        return Err(format!("printed program: {} instead of {}", text(&got.stdout), text(&expected.stdout)));
    }
    counts.printed += 1;
    let interpreted = run_limited(unthread().args(["run", "--max-steps", "3000000"]).arg(&preprocessed), 120)
        .ok_or("the interpreter hangs")?;
    if text(&interpreted.stderr).contains("limit of steps") {
        counts.out_of_steps += 1;
    } else if interpreted.stdout != expected.stdout {
        let (out, error) = (text(&interpreted.stdout), text(&interpreted.stderr));
        return Err(format!("interpreter: {out} {error} instead of {}", text(&expected.stdout)));
    } else {
        counts.interpreted += 1;
    }
    for file in [&source, &original, &preprocessed, &printed, &program] {
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}
