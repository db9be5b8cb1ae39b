//! The verification tasks beside the project, where they are present: all are read, printed, compiled and read back,
//! and where all interleavings can be followed quickly, the answer is the known one.

use crate::support::{compile, files, normalized_twice, project, run_limited, scratch, skipped, text, unthread};
use std::path::PathBuf;

/// A task: its input, and whether its error can be reached.
struct Task {
    input: PathBuf,
    has_error: bool,
}

/// The tasks of SV-COMP 2020 that we have; all are 32-bit.
fn svcomp_tasks() -> Option<Vec<Task>> {
    let tasks = project().join("../shared/tasks/svcomp20");
    if !tasks.is_dir() {
        skipped("tasks", "there is no ../shared/tasks");
        return None;
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(tasks)
        .expect("the tasks can be listed")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut found = Vec::new();
    for folder in folders {
        for description in files(&folder, "yml") {
            let text = std::fs::read_to_string(&description).expect("a task can be read");
            let value = |key: &str| {
                let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
                line.expect("a task has an input and a verdict").trim().trim_matches('\'').to_owned()
            };
            let has_error = value("expected_verdict:") == "false";
            found.push(Task { input: folder.join(value("input_files:")), has_error });
        }
    }
    Some(found)
}

#[test]
fn following_all_interleavings_gives_the_known_answers() {
    let Some(tasks) = svcomp_tasks() else { return };
    let (mut answered, mut wrong) = (0, Vec::new());
    for task in &tasks {
        let mut command = unthread();
        command.args(["run", "--32", "--all", "--max-states", "5000", "--max-steps", "20000"]).arg(&task.input);
        let Some(output) = run_limited(&mut command, 5) else { continue };
        let messages = text(&output.stderr);
        let found = messages.contains("error function called") || messages.contains("assertion failed");
        let complete = !messages.contains("given up") && !messages.contains("inputs took only");
        if found == task.has_error && (found || complete) {
            answered += 1;
        } else if found || (complete && matches!(output.status.code(), Some(0 | 1))) {
            wrong.push(format!("{}: {messages}", task.input.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(answered >= 40, "only {answered} tasks were answered");
}

#[test]
fn all_tasks_are_read_printed_compiled_and_read_back() {
    let Some(tasks) = svcomp_tasks() else { return };
    let mut inputs: Vec<(PathBuf, &str)> = tasks.into_iter().map(|task| (task.input, "--32")).collect();
    inputs.extend(files(&project().join("../shared/tasks/hard"), "c").into_iter().map(|file| (file, "--64")));
    let folder = scratch("tasks");
    let mut failures = Vec::new();
    for (input, data_model) in &inputs {
        let machine = if *data_model == "--32" { "-m32" } else { "-m64" };
        let result = normalized_twice(input, data_model, &folder)
            .and_then(|printed| compile(&[&printed], &[machine, "-c"], &folder.join("task.o")));
        if let Err(error) = result {
            failures.push(format!("{}: {error}", input.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), inputs.len(), failures.join("\n"));
    assert!(inputs.len() >= 138, "only {} tasks were found", inputs.len());
}
