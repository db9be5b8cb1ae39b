//! CBMC: its options differ between releases, the text of its traces does not (the JSON of 5.12 can crash it).

use super::{Event, RawTrace, Said, Task};
use crate::budget::Budget;
use crate::execution::Input;
use crate::il::DataModel;
use crate::process::{Ended, Run, run};
use std::sync::Mutex;

pub fn ask(command: &str, task: &Task, budget: &Budget) -> Said {
    let major = match version(command, budget) {
        Ok(major) => major,
        Err(reason) => return Said::Unknown(reason),
    };
    let mut arguments = vec![
        task.file.to_string_lossy().into_owned(),
        "--trace".to_owned(),
        "--stop-on-fail".to_owned(),
        // Programs with many objects need more than the default of eight bits.
        "--object-bits".to_owned(),
        "12".to_owned(),
    ];
    if task.data_model == DataModel::Ilp32 {
        arguments.push("--32".to_owned());
    }
    if major >= 6 {
        // The emitted program has the checks that it needs.
        for option in ["--no-standard-checks", "--no-malloc-may-fail", "--no-unwinding-assertions"] {
            arguments.push(option.to_owned());
        }
    }
    if let Some(unwind) = task.unwind {
        arguments.extend(["--unwind".to_owned(), unwind.to_string()]);
    }
    let run = run(command, &arguments, budget);
    match run.ended {
        // 0: safe, 10: unsafe; all else is trouble.
        Ended::Exited(0) => match status(&run.output) {
            Some(false) => Said::NoBug,
            _ => Said::Unknown(format!("{command} ended without a verdict{}", run.last_words())),
        },
        Ended::Exited(10) => match status(&run.output) {
            Some(true) => Said::Bug(trace(&run.output, task.watched)),
            _ => Said::Unknown(format!("{command} ended without a verdict{}", run.last_words())),
        },
        Ended::Exited(code) => {
            let why = last_message(&run).map_or_else(|| run.last_words(), |message| format!(": {message}"));
            Said::Unknown(format!("{command} failed with status {code}{why}"))
        }
        other => Said::Unknown(other.explain(command)),
    }
}

/// The major version, asked for once per command.
fn version(command: &str, budget: &Budget) -> Result<u32, String> {
    static KNOWN: Mutex<Vec<(String, u32)>> = Mutex::new(Vec::new());
    let known = |list: &[(String, u32)]| list.iter().find(|(name, _)| name == command).map(|(_, major)| *major);
    if let Some(major) = KNOWN.lock().ok().and_then(|list| known(&list)) {
        return Ok(major);
    }
    let run = run(command, &["--version".to_owned()], budget);
    if run.ended != Ended::Exited(0) {
        let hint = if matches!(run.ended, Ended::CannotStart(_)) { "; is CBMC installed?" } else { "" };
        return Err(format!("{}{hint}", run.ended.explain(command)));
    }
    let major = run.output.split('.').next().and_then(|major| major.trim().parse().ok());
    let major = major.ok_or_else(|| format!("{command} --version says nothing that is understood"))?;
    if let Ok(mut list) = KNOWN.lock() {
        list.push((command.to_owned(), major));
    }
    Ok(major)
}

/// Did an assertion fail?
fn status(output: &str) -> Option<bool> {
    output.lines().rev().find_map(|line| match line.trim() {
        "VERIFICATION FAILED" => Some(true),
        "VERIFICATION SUCCESSFUL" => Some(false),
        _ => None,
    })
}

fn last_message(run: &Run) -> Option<String> {
    let is_error = |line: &&str| line.contains("error") || line.contains("Invariant") || line.contains("invariant");
    run.messages.lines().chain(run.output.lines()).find(is_error).map(|line| line.trim().to_owned())
}

/// Lines of a trace look like `  cs=3u (011)`.
fn trace(output: &str, watched: &[String]) -> Option<RawTrace> {
    let mut events = Vec::new();
    for line in output.lines().filter(|line| line.starts_with("  ")) {
        let Some((lhs, rest)) = line.trim().split_once('=') else { continue };
        let (name, index) = match lhs.split_once('[') {
            Some((name, rest)) => {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                (name, digits.parse().ok())
            }
            None => (lhs, None),
        };
        let input = name == "unthread_input" || name == "unthread_input_double";
        if !input && !watched.iter().any(|watched| watched == name) {
            continue;
        }
        let bits: String = rest.rsplit_once('(')?.1.chars().filter(|digit| matches!(digit, '0' | '1')).collect();
        let value = u64::from_str_radix(&bits, 2).ok()?;
        events.push(match name {
            "unthread_input" => Event::Input(Input::Bits(value)),
            "unthread_input_double" => Event::Input(Input::Double(f64::from_bits(value))),
            _ => Event::Set { name: name.to_owned(), index, value },
        });
    }
    Some(RawTrace { events })
}
