//! What `--json` writes, and `replay` reads: the whole answer. `docs/check.schema.json` describes it.

use super::trace::{Place, Trace};
use crate::analysis::race::Cleared;
use crate::solve::formula::Sizes;
use crate::solve::invariant::certificate::Certificate;
use crate::swarm::figures::Figures;
use crate::swarm::results::Outcome;
use crate::verdict::Bounds;
use serde::{Deserialize, Serialize};

pub const FORMAT: &str = "unthread-check";
/// Changes whenever the schema does.
pub const VERSION: u32 = 8;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub format: String,
    pub version: u32,
    pub verdict: String,
    pub bounds: Option<Bounds>,
    /// The answer comes from visiting so many states of the whole program: it has no bounds.
    pub states: Option<usize>,
    /// The answer comes from these invariants: it has no bounds, and holds for any number of threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariants: Option<Certificate>,
    /// The kinds of errors that were looked for, and those that were not.
    pub looked_for: Vec<String>,
    pub not_looked_for: Vec<String>,
    /// The loops and calls that the bounds cut, and where executions were not followed any further.
    pub not_followed: Vec<String>,
    /// What the answer takes for granted.
    pub assumed: Vec<String>,
    /// Why it is unknown, or why no larger bounds were tried.
    pub reason: Option<String>,
    /// What was found out about data races before the search, if they were looked for.
    pub races: Option<Cleared>,
    pub seconds: f64,
    pub attempts: Vec<Attempt>,
    /// What fails; more than one only with `--keep-going`.
    pub errors: Vec<FoundError>,
    /// What else fails within the same bounds.
    pub other_errors: Vec<OtherError>,
    /// The instances of `unthread swarm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swarm: Option<SwarmInfo>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwarmInfo {
    /// The part of the interleavings that is decided.
    pub covered: f64,
    pub lost: u64,
    pub figures: Figures,
    pub instances: Vec<InstanceInfo>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceInfo {
    pub index: u64,
    /// Which part of it; empty for all of it.
    pub path: String,
    pub outcome: Outcome,
    pub seconds: f64,
    pub clauses: usize,
}

/// An error beside the one whose trace is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherError {
    pub kind: String,
    pub place: Place,
    pub thread: usize,
    pub message: String,
}

impl std::fmt::Display for OtherError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OtherError { kind, place, thread, message } = self;
        write!(f, "{}:{}: {kind} in thread {thread}: {message}", place.file, place.line)
    }
}

/// An error that was found, with all that shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundError {
    /// Within which bounds, or after so many states of the whole program.
    pub bounds: Option<Bounds>,
    pub states: Option<usize>,
    /// The execution that fails, if the verifier gave it.
    pub trace: Option<Trace>,
    /// Did it fail in the same way with real threads? `None` if that was not tried.
    pub replayed: Option<bool>,
    /// Why it did not.
    pub not_replayed_because: Option<String>,
    /// Did ThreadSanitizer report the same data race? `None` if it was not asked.
    pub confirmed_by_thread_sanitizer: Option<bool>,
}

/// One attempt with some bounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub bounds: Bounds,
    pub threads: usize,
    pub steps: u32,
    /// Sizes of the formula and the time to make it, if there is one.
    pub formula: Option<Sizes>,
    pub solve_seconds: Option<f64>,
    /// No bug was found, and the search was complete.
    pub completed: bool,
}

/// Just enough to tell what a file is.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

/// Reads the trace of an error, counted from 1, out of a document; `Err` says to the user what is wrong with it.
pub fn read_trace(text: &str, error: usize) -> Result<Trace, String> {
    let head: Head = serde_json::from_str(text).map_err(|error| match error.is_eof() {
        true => format!("it is cut off or empty ({error})"),
        false => format!("it is no JSON document of unthread ({error})"),
    })?;
    match (head.format.as_deref(), head.version) {
        (Some(FORMAT), Some(VERSION)) => {}
        (Some(FORMAT), Some(version)) => {
            return Err(format!(
                "it has version {version} of the format, and this unthread reads version {VERSION}; make it again \
                 with `unthread check --json`"
            ));
        }
        _ => return Err(format!("it is not what `unthread check --json` writes: `format` is not \"{FORMAT}\"")),
    }
    let document: Document = serde_json::from_str(text).map_err(|error| format!("it is damaged ({error})"))?;
    let count = document.errors.len();
    match document.errors.into_iter().nth(error.saturating_sub(1)).map(|found| found.trace) {
        Some(Some(trace)) => Ok(trace),
        Some(None) => Err("it has no trace: the verifier gave none".to_owned()),
        None if count > 0 => Err(format!("it has {count} errors, and no number {error}")),
        None => Err(format!("it has no trace: its verdict is `{}`", document.verdict)),
    }
}
