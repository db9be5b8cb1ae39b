//! The answer of a whole search, as data.

use super::assumed::Assumed;
use crate::analysis::race::Cleared;
use crate::il::Program;
use crate::il::interpret::Failure;
use crate::property::{ErrorKind, Property};
use crate::solve::invariant::certificate::Certificate;
use crate::verdict::{Bounds, Verdict};
use crate::witness::document::OtherError;
use crate::witness::trace::Trace;

#[derive(Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub property: Property,
    /// The largest bounds that were completed, or those of the bug.
    pub bounds: Option<Bounds>,
    /// The answer comes from visiting so many states, without bounds.
    pub states: Option<usize>,
    /// The answer comes from what excludes data races, without bounds and without a search.
    pub races: Option<Cleared>,
    /// The answer comes from invariants, for any number of threads and without bounds.
    pub invariants: Option<Certificate>,
    /// Why engines that need no bounds gave no proof, if the user wanted one.
    pub no_proof: Vec<String>,
    /// The loops and calls that these bounds cut, and where executions were not followed any further.
    pub not_followed: Vec<String>,
    pub assumed: Assumed,
    /// Why it is unknown, or why no larger bounds were tried.
    pub reason: Option<String>,
    /// What fails; more than one only if the search went on after the first.
    pub bugs: Vec<Bug>,
    /// What else fails within the same bounds.
    pub others: Vec<OtherError>,
    /// What a report about us should carry.
    pub attachment: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Bug {
    /// `None` if the verifier gives no trace.
    pub trace: Option<Trace>,
    /// How it fails, on the whole program.
    pub failure: Option<Failure>,
    /// Where it was found.
    pub bounds: Option<Bounds>,
    pub states: Option<usize>,
}

impl Report {
    pub fn new(verdict: Verdict, property: &Property, assumed: &Assumed) -> Report {
        Report {
            verdict,
            property: property.clone(),
            bounds: None,
            states: None,
            races: None,
            invariants: None,
            no_proof: Vec::new(),
            not_followed: Vec::new(),
            assumed: assumed.clone(),
            reason: None,
            bugs: Vec::new(),
            others: Vec::new(),
            attachment: None,
        }
    }
}

/// An error in one line.
pub fn other_error(program: &Program, failure: &Failure) -> OtherError {
    let location = program.source.location(failure.span);
    let kind = failure.kind.name().to_owned();
    OtherError { kind, place: (&location).into(), thread: failure.thread, message: failure.message.clone() }
}

/// A failure in one line, with the option that looks for it.
pub fn failure_line(program: &Program, failure: &Failure) -> String {
    let location = program.source.location(failure.span);
    let (kind, message) = (failure.kind.name(), &failure.message);
    let hint = match ErrorKind::of(failure.kind) {
        Some(kind) => format!(" (--errors {} looks for that)", kind.name()),
        None => String::new(),
    };
    format!("{location}: {kind}: {message}{hint}")
}
