//! 2,000 damaged programs: every one ends in success or in a message, quickly, and never in a panic.

use crate::support::{files, project, run_limited, scratch, text, unthread};
use std::path::Path;
use std::process::Command;

const MUTATIONS: u32 = 2000;

#[test]
fn damaged_programs_end_in_a_message() {
    let folder = scratch("mutations");
    let originals: Vec<Vec<u8>> =
        files(&project().join("tests/programs"), "c").iter().map(|file| preprocessed(file)).collect();
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (folder, originals, failures) = (&folder, &originals, &failures);
            scope.spawn(move || {
                for seed in (worker..MUTATIONS).step_by(2) {
                    let mut random = fastrand::Rng::with_seed(u64::from(seed));
                    let original = &originals[random.usize(..originals.len())];
                    let file = folder.join(format!("worker{worker}.i"));
                    std::fs::write(&file, mutated(original, &mut random)).expect("the file can be written");
                    if let Some(error) = outcome(&file) {
                        let kept = folder.join(format!("failed{seed}.i"));
                        let _ = std::fs::copy(&file, &kept);
                        failures.lock().expect("no test panics here").push(format!("{}: {error}", kept.display()));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no test panics here");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The part of the preprocessed text that is the program itself, after the headers' declarations.
fn preprocessed(file: &Path) -> Vec<u8> {
    let output = Command::new("gcc").args(["-E", "-P"]).arg(file).output().expect("gcc runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    output.stdout
}

fn outcome(file: &Path) -> Option<String> {
    let Some(output) = run_limited(unthread().arg("show").arg(file), 5) else { return Some("hangs".to_owned()) };
    let messages = text(&output.stderr);
    match output.status.code() {
        Some(0 | 2) if !messages.contains("bug in unthread") => None,
        code => Some(format!("status {code:?}: {messages}")),
    }
}

fn mutated(original: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..random.usize(1..4) {
        // Near the end is the user's code; the start is declarations.
        let from = if random.bool() { bytes.len() * 2 / 3 } else { 0 };
        let at = random.usize(from..bytes.len().max(from + 1)).min(bytes.len().saturating_sub(1));
        match random.u8(..5) {
            0 => bytes.truncate(at),
            1 => bytes[at] = random.u8(..),
            2 => {
                let token = token_at(&bytes, at);
                bytes.drain(token);
            }
            3 => {
                let first = token_at(&bytes, at);
                let second = token_at(&bytes, random.usize(..bytes.len()));
                let copy = bytes[second].to_vec();
                bytes.splice(first, copy);
            }
            _ => {
                let token = token_at(&bytes, at);
                let copy = bytes[token.clone()].to_vec();
                bytes.splice(token.start..token.start, copy);
            }
        }
        if bytes.is_empty() {
            bytes.push(b';');
        }
    }
    bytes
}

/// The word or single character around a position.
fn token_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !is_word(bytes[at]) {
        return at..at + 1;
    }
    let start = bytes[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !is_word(*byte)).map_or(bytes.len(), |after| at + after);
    start..end
}
