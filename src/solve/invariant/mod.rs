//! The third engine: proofs by invariants, without bounds and for any number of threads.
//!
//! [`flow`] and [`step`] make locations and the steps between them, [`candidate`] says what may be known at a location,
//! [`search`] takes away what is not, and [`certificate`] shows what is left, after it was checked from scratch.

pub mod candidate;
pub mod certificate;
pub mod flow;
mod merge;
mod pairs;
mod search;
mod simulate;
mod step;
mod word;

use super::{Answer, Engine, Progress, Question};
use crate::analysis::race::{Contended, contended};
use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Span};
use crate::il::Program;
use crate::il::interpret::{Code, FailureKind};
use crate::property::{ErrorKind, Property};
use candidate::Candidate;
use certificate::{Certificate, Refused};
use flow::{Flow, MOST_BYTES, Manner};
use search::Search;
use std::time::Instant;

/// What can be asked about: everything that fails where a thread stands, but not what needs more than one look.
const CAN_EXCLUDE: &[ErrorKind] = &[
    ErrorKind::Assertion,
    ErrorKind::Lock,
    ErrorKind::Thread,
    ErrorKind::Memory,
    ErrorKind::Division,
    ErrorKind::Abort,
    ErrorKind::Overflow,
];

/// What a proof seldom needs is expensive, and looked at if there is none without: what two threads know together, and what
/// arrays of more bytes hold.
const ATTEMPTS: [(u64, bool); 3] = [(64, false), (64, true), (MOST_BYTES, true)];

/// The part of the time for executions at random.
const SIMULATED: u32 = 10;

/// Looks for invariants, and shows what it found.
#[derive(Default)]
pub struct Invariants {
    /// The proof, if there is one.
    pub certificate: Option<Certificate>,
    /// Which accesses others may contend for, once that was asked: it is the same whenever it is asked.
    contended: Option<Option<Contended>>,
}

/// Why there are none under TSO and PSO.
pub const NO_BUFFERS: &str = "invariants know nothing of stores that wait before they reach memory";

impl Engine for Invariants {
    fn ask(&mut self, question: &Question, _tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let Question { program, property, suspects, budget, .. } = question;
        if program.buffering.is_some() {
            return Ok(Answer::GivenUp(NO_BUFFERS.to_owned()));
        }
        // What needs no values may be excluded already.
        let property = if suspects.is_empty() { property.without(ErrorKind::Race) } else { (*property).clone() };
        if let Some(kind) = property.kinds().iter().find(|kind| !CAN_EXCLUDE.contains(kind)) {
            return Ok(Answer::GivenUp(format!("invariants do not exclude {}", kind.about())));
        }
        let mut answer = Answer::GivenUp(String::new());
        for (exact_array_bytes, pairs) in ATTEMPTS {
            let manner = Manner { follows_failing: false, pairs, exact_array_bytes };
            let (new, looked_at_all) = self.attempt(program, &property, (budget, manner))?;
            answer = new;
            if looked_at_all && pairs || !matches!(answer, Answer::GivenUp(_)) {
                break;
            }
        }
        Ok(answer)
    }
}

impl Invariants {
    /// The answer, and whether more would not be seen if arrays were looked at.
    fn attempt(
        &mut self,
        program: &Program,
        property: &Property,
        (budget, manner): (&Budget, Manner),
    ) -> Result<(Answer, bool), Diagnostic> {
        let code = Code::looking_for(program, property);
        let contended = self.contended.get_or_insert_with(|| contended(program, false)).as_ref();
        let mut search = match weakened(&code, property, (budget, manner), contended)? {
            Ok(search) => search,
            Err(reason) => return Ok((Answer::NotYet(reason), true)),
        };
        let looked_at_all = !search.flow.objects.iter().any(|object| object.is_vague() && object.bytes <= MOST_BYTES);
        match search.not_excluded(false).map(|list| list.first().copied()) {
            Ok(None) => {}
            Err(reason) => return Ok((Answer::NotYet(reason), true)),
            Ok(Some(failing)) => {
                let (place, what) = (program.source.location(failing.span), failing.kind.name());
                let why = format!("no invariant was found that excludes: {place}: {what}");
                return Ok((Answer::GivenUp(why), looked_at_all));
            }
        }
        let needed = match search.needed() {
            Ok(needed) => needed,
            Err(reason) => return Ok((Answer::NotYet(reason), true)),
        };
        let reached = search.known.iter().map(|known| known.reached);
        let known: Vec<(bool, Vec<Candidate>)> = reached.zip(needed).collect();
        let certificate = certificate::certificate(&search.flow, contended.is_some(), &known, search.known_pairs());
        let answer = match certificate.check(program, budget)? {
            Ok(()) => {
                self.certificate = Some(certificate);
                Answer::NoBug
            }
            Err(Refused::GaveUp(reason)) => Answer::NotYet(reason),
            Err(Refused::Wrong(what)) => Answer::Doubtful {
                why: format!("the proof that was found does not pass its check ({what})"),
                details: serde_json::to_string(&certificate).unwrap_or_default(),
            },
        };
        Ok((answer, true))
    }
}

/// What is inductive; the outer `Err` names what is not followed, the inner one says why there was no time.
fn weakened<'p>(
    code: &'p Code<'p>,
    property: &'p Property,
    (budget, manner): (&Budget, Manner),
    contended: Option<&Contended>,
) -> Result<Result<Search<'p>, String>, Diagnostic> {
    let mut search = match Flow::explore(code, property, (budget, manner), contended)? {
        Ok((flow, steps)) => Search::new(flow, steps, *budget),
        Err(reason) => return Ok(Err(reason)),
    };
    if manner.pairs {
        search.look_at_pairs();
    }
    search.simulate(budget.until.saturating_duration_since(Instant::now()) / SIMULATED);
    Ok(search.weaken().map(|()| search))
}

/// Where and how a program may fail as far as invariants tell, for tests: whatever really fails must be among these.
/// `None` if there was no time.
/// What may be chosen: whether steps that others cannot notice are joined ([`Manner`]), whether arrays are looked at, and
/// whether two threads at once are.
pub fn not_excluded(
    program: &Program,
    property: &Property,
    budget: &Budget,
    [joins_quiet, looks_at_arrays, pairs]: [bool; 3],
) -> Result<Option<Vec<(Span, FailureKind)>>, Diagnostic> {
    let property = Property::new(property.kinds().iter().copied().filter(|kind| CAN_EXCLUDE.contains(kind)));
    let code = Code::looking_for(program, &property);
    let exact_array_bytes = if looks_at_arrays { MOST_BYTES } else { ATTEMPTS[0].0 };
    let manner = Manner { follows_failing: true, pairs, exact_array_bytes };
    let contended = if joins_quiet { contended(program, false) } else { None };
    let list = match weakened(&code, &property, (budget, manner), contended.as_ref())? {
        Ok(mut search) => search.not_excluded(true),
        Err(_) => return Ok(None),
    };
    Ok(list.ok().map(|list| list.iter().map(|failing| (failing.span, failing.kind)).collect()))
}
