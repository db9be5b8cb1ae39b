//! Habits that a compiler does not check.

use crate::support::project;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources can be listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let mut found = Vec::new();
    sources(&project().join("src"), &mut found);
    sources(&project().join("tests"), &mut found);
    for file in found {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        assert!(text.starts_with("//! "), "{} should open with a header that says what it is for", file.display());
    }
}

#[test]
fn every_option_is_in_the_readme() {
    let readme = std::fs::read_to_string(project().join("README.md")).expect("there is a README");
    let options = std::fs::read_to_string(project().join("src/options.rs")).expect("there are options");
    for line in options
        .lines()
        .filter(|line| line.trim_start().starts_with("pub ") && line.contains(": ") && !line.contains("fn "))
    {
        let name = line.trim().trim_start_matches("pub ").split(':').next().unwrap_or("").trim();
        let flag = match name {
            "files" | "input" | "command" | "bounds" | "simulation" | "asking" | "choice" | "folder" => continue,
            // What `prove` hands to `check`.
            "proof" => continue,
            // What follows `--` on the command line.
            "cc_arg" => continue,
            // For workers that `swarm` starts itself.
            "with_parent" => continue,
            "ilp32" => "--32".to_owned(),
            "lp64" => "--64".to_owned(),
            "include_dirs" => "-I".to_owned(),
            "define" => "-D".to_owned(),
            "undefine" => "-U".to_owned(),
            other => format!("--{}", other.replace('_', "-")),
        };
        assert!(readme.contains(&flag), "the README should explain {flag}");
    }
}
