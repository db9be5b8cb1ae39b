//! The verification tasks beside the project, where they are present: all are read, printed, compiled and read back.

use crate::support::{compile, files, normalized_twice, project, scratch, skipped};
use std::path::PathBuf;

#[test]
fn all_tasks_are_read_printed_compiled_and_read_back() {
    let tasks = project().join("../shared/tasks");
    if !tasks.is_dir() {
        skipped("tasks", "there is no ../shared/tasks");
        return;
    }
    let mut inputs: Vec<(PathBuf, &str)> = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(tasks.join("svcomp20"))
        .expect("the tasks can be listed")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        for description in files(&folder, "yml") {
            let text = std::fs::read_to_string(&description).expect("a task can be read");
            let input =
                text.lines().find_map(|line| line.strip_prefix("input_files: ")).expect("a task names its input");
            inputs.push((folder.join(input.trim_matches('\'')), "--32"));
        }
    }
    inputs.extend(files(&tasks.join("hard"), "c").into_iter().map(|file| (file, "--64")));
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
