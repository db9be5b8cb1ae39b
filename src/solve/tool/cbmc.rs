//! CBMC: its options differ between releases, its JSON output does not.

use super::run::{Ended, Limits, run};
use super::{Answer, Event, Question, RawTrace};
use crate::il::DataModel;
use serde_json::Value;
use std::sync::Mutex;

pub fn ask(command: &str, question: &Question, limits: &Limits) -> Answer {
    let major = match version(command, limits) {
        Ok(major) => major,
        Err(reason) => return Answer::Unknown(reason),
    };
    let mut arguments = vec![
        question.file.to_string_lossy().into_owned(),
        "--json-ui".to_owned(),
        "--trace".to_owned(),
        "--stop-on-fail".to_owned(),
        // Programs with many objects need more than the default of eight bits.
        "--object-bits".to_owned(),
        "12".to_owned(),
    ];
    if question.data_model == DataModel::Ilp32 {
        arguments.push("--32".to_owned());
    }
    if major >= 6 {
        // The emitted program has the checks that it needs.
        for option in ["--no-standard-checks", "--no-malloc-may-fail", "--no-unwinding-assertions"] {
            arguments.push(option.to_owned());
        }
    }
    if let Some(unwind) = question.unwind {
        arguments.extend(["--unwind".to_owned(), unwind.to_string()]);
    }
    let run = run(command, &arguments, limits);
    match run.ended {
        // 0: safe, 10: unsafe; all else is trouble.
        Ended::Exited(0) => match status(&run.output) {
            Some(false) => Answer::NoBug,
            _ => Answer::Unknown(format!("{command} ended without a verdict{}", run.last_words())),
        },
        Ended::Exited(10) => match status(&run.output) {
            Some(true) => Answer::Bug(trace(&run.output, question.watched)),
            _ => Answer::Unknown(format!("{command} ended without a verdict{}", run.last_words())),
        },
        Ended::Exited(code) => {
            let why = last_message(&run.output).unwrap_or_else(|| run.last_words());
            Answer::Unknown(format!("{command} failed with status {code}: {why}"))
        }
        other => Answer::Unknown(other.explain(command)),
    }
}

/// The major version, asked for once per command.
fn version(command: &str, limits: &Limits) -> Result<u32, String> {
    static KNOWN: Mutex<Vec<(String, u32)>> = Mutex::new(Vec::new());
    let known = |list: &[(String, u32)]| list.iter().find(|(name, _)| name == command).map(|(_, major)| *major);
    if let Some(major) = KNOWN.lock().ok().and_then(|list| known(&list)) {
        return Ok(major);
    }
    let run = run(command, &["--version".to_owned()], limits);
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
    let parsed: Value = serde_json::from_str(output).ok()?;
    let status = parsed.as_array()?.iter().find_map(|entry| entry.get("cProverStatus"))?.as_str()?;
    match status {
        "failure" => Some(true),
        "success" => Some(false),
        _ => None,
    }
}

fn last_message(output: &str) -> Option<String> {
    let parsed: Value = serde_json::from_str(output).ok()?;
    let errors = parsed.as_array()?.iter().filter(|entry| entry["messageType"] == "ERROR");
    errors.filter_map(|entry| entry["messageText"].as_str()).next_back().map(str::to_owned)
}

fn trace(output: &str, watched: &[String]) -> Option<RawTrace> {
    let parsed: Value = serde_json::from_str(output).ok()?;
    let steps = parsed.as_array()?.iter().find_map(|entry| entry.get("trace"))?.as_array()?;
    let mut events = Vec::new();
    for step in steps.iter().filter(|step| step["stepType"] == "assignment" && step["hidden"] != true) {
        let Some(lhs) = step["lhs"].as_str() else { continue };
        let Some(value) = step["value"]["binary"].as_str() else { continue };
        let number = |text: &str| u64::from_str_radix(text, 2).ok();
        if lhs == "unthread_input" {
            events.push(Event::Input(number(value)?));
        } else if lhs == "unthread_input_double" {
            events.push(Event::InputDouble(f64::from_bits(number(value)?)));
        } else {
            let (name, index) = match lhs.split_once('[') {
                Some((name, rest)) => {
                    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                    (name, digits.parse().ok())
                }
                None => (lhs, None),
            };
            if watched.iter().any(|watched| watched == name) {
                events.push(Event::Set { name: name.to_owned(), index, value: number(value)? });
            }
        }
    }
    Some(RawTrace { events })
}
