//! Bounded threads -> propositional formula that is satisfiable if and only if some execution fails.
//!
//! Each thread is executed symbolically once ([`execute`]), its values are narrowed to what they can be
//! ([`narrow`]), and its steps are placed into rounds ([`place`]). Size is local work plus rounds times shared
//! accesses, where the sequentialized program costs rounds times everything.

pub mod bits;
mod execute;
pub mod gates;
mod memory;
mod narrow;
mod place;
mod race;
mod range;
mod term;

pub use gates::Cnf;
pub use gates::Gates;

use crate::analysis::race::Suspects;
use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Span};
use crate::execution::{Context, Input, Racers, Schedule, Until};
use crate::limit::Bounded;
use crate::property::Property;
use crate::restriction::Restriction;
pub use execute::Followed;
use gates::FALSE;
pub use gates::Lit;
use std::time::Instant;

/// The formula of a bounded program, and what its literals mean.
pub struct Formula {
    pub cnf: Cnf,
    pub sizes: Sizes,
    before: Vec<Vec<Vec<Lit>>>,
    inputs: Vec<Vec<place::PlacedInput>>,
    new_objects: Vec<place::PlacedObject>,
    /// Assumed if failures are asked about; false if there is none.
    fails: Lit,
    /// Assumed if races are asked about.
    races: Lit,
    racing: Vec<place::Racing>,
    /// Executions are left out in which a pointer that nobody wrote is valid by chance.
    pub unwritten_pointers: bool,
    /// What may be larger than it is followed, with the size up to which it is.
    pub too_long: Vec<(Span, Followed, u64)>,
}

/// How large the formula became, and how long each stage took.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    pub terms: usize,
    pub events: usize,
    pub variables: usize,
    pub clauses: usize,
    pub execute_seconds: f64,
    pub narrow_seconds: f64,
    pub place_seconds: f64,
}

/// Why there is no formula.
pub enum EncodeError {
    Unsupported(Diagnostic),
    /// Time or memory is used up, or the user does not want to wait.
    GaveUp(String),
}

impl From<Diagnostic> for EncodeError {
    fn from(diagnostic: Diagnostic) -> EncodeError {
        EncodeError::Unsupported(diagnostic)
    }
}

/// Asks now and then whether to go on.
struct Patience<'a> {
    budget: &'a Budget,
    work: usize,
}

impl Patience<'_> {
    /// Counts work that was done.
    fn spend(&mut self, work: usize) -> Result<(), EncodeError> {
        self.work += work;
        if self.work < 200_000 {
            return Ok(());
        }
        self.work = 0;
        self.budget.exceeded().map_or(Ok(()), |reason| Err(EncodeError::GaveUp(reason)))
    }
}

/// `order` is that of the threads within a round.
pub fn encode(
    bounded: &Bounded,
    (rounds, order, restriction): (u32, &[usize], &Restriction),
    (property, suspects): (&Property, &Suspects),
    budget: &Budget,
) -> Result<Formula, EncodeError> {
    let mut patience = Patience { budget, work: 0 };
    let start = Instant::now();
    let executed = execute::execute(bounded, property)?;
    let execute_seconds = start.elapsed().as_secs_f64();
    patience.spend(usize::MAX / 2)?;
    // A thread that comes before its creator sees its argument one round later.
    let parents_first = order
        .iter()
        .enumerate()
        .all(|(at, thread)| *thread == 0 || order[..at].contains(&bounded.threads[*thread].parent));
    let extra = if parents_first { 0 } else { bounded.threads.len() as u32 };
    // Whether threads wait or race in the end is asked once more after the last round.
    let extra = extra + u32::from(!executed.waits.is_empty() || !executed.accesses.is_empty());
    let start = Instant::now();
    let steps: Vec<u32> = executed.threads.iter().map(|log| log.steps).collect();
    let windows = restriction.windows(&steps, rounds);
    // What runs when is known only if no round is added in between.
    let may_run = |thread: usize, round: u32, step: u32| match round < rounds {
        _ if !parents_first => true,
        true => windows.may_run(thread, round, step),
        false => windows.may_stand(thread, step),
    };
    let narrowed = narrow::narrow(&executed, rounds + extra, order, &may_run, &mut patience)?;
    let narrow_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let placed = place::place(
        &executed,
        &narrowed,
        (rounds, order),
        (restriction, &windows),
        (property, suspects),
        &mut patience,
    )?;
    let sizes = Sizes {
        terms: executed.terms.list.len(),
        events: executed.threads.iter().map(|log| log.events.len()).sum(),
        variables: placed.cnf.used_variables,
        clauses: placed.cnf.clause_count,
        execute_seconds,
        narrow_seconds,
        place_seconds: start.elapsed().as_secs_f64(),
    };
    Ok(Formula {
        cnf: placed.cnf,
        sizes,
        before: placed.before,
        inputs: placed.inputs,
        new_objects: placed.new_objects,
        fails: placed.fails,
        races: placed.races,
        racing: placed.racing,
        unwritten_pointers: narrowed.unwritten_pointers,
        too_long: narrowed.too_long,
    })
}

impl Formula {
    /// What to assume, one after the other: first that something fails visibly, then that something races.
    pub fn questions(&self) -> impl Iterator<Item = Lit> {
        [self.fails, self.races].into_iter().filter(|lit| *lit != FALSE)
    }

    /// The solver has them.
    pub fn without_clauses(self) -> Formula {
        Formula { cnf: Cnf::default(), ..self }
    }

    /// The execution that a satisfying assignment describes.
    pub fn schedule(&self, order: &[usize], holds: &dyn Fn(Lit) -> bool) -> Schedule {
        let mut schedule = Schedule::default();
        let rounds = self.before.first().map_or(0, Vec::len);
        for round in 0..rounds {
            for thread in order {
                let row = &self.before[*thread][round];
                let taken = row.iter().position(|lit| !holds(*lit)).unwrap_or(row.len()) as u32;
                if taken > 0 {
                    schedule.contexts.push(Context { thread: *thread, until: Until::Step(taken) });
                }
            }
        }
        let visible = self.fails != FALSE && holds(self.fails);
        let racing = self.racing.iter().find(|racing| !visible && holds(racing.lit));
        schedule.race = racing.map(|racing| {
            let places = racing.places;
            match racing.done {
                true => Racers { before: None, last: racing.first, places },
                false => Racers { before: Some(racing.first), last: racing.second, places },
            }
        });
        for (thread, inputs) in self.inputs.iter().enumerate() {
            let last = self.before[thread].last().expect("there is a round");
            // Those of the step before which the thread stands in the end tell why it waits there.
            let stands = last.iter().position(|lit| !holds(*lit));
            for input in inputs {
                let step = input.step as usize;
                if (holds(last[step]) || stands == Some(step)) && holds(input.guard) {
                    schedule.add_input(thread, Input::Bits(number(&input.bits, holds)));
                }
            }
        }
        for object in self.new_objects.iter().filter(|object| !object.pieces.is_empty()) {
            let mut bytes = Vec::new();
            for (offset, size, bits) in &object.pieces {
                let (offset, size) = (*offset as usize, *size as usize);
                bytes.resize(bytes.len().max(offset + size), 0);
                let value = number(bits, holds).to_le_bytes();
                let length = size.min(value.len());
                bytes[offset..offset + length].copy_from_slice(&value[..length]);
            }
            schedule.set_content(object.statement, bytes);
        }
        schedule
    }
}

/// The value of a number in two's complement.
fn number(bits: &[Lit], holds: &dyn Fn(Lit) -> bool) -> u64 {
    let value = bits
        .iter()
        .enumerate()
        .fold(0u64, |value, (index, lit)| if index < 64 { value | u64::from(holds(*lit)) << index } else { value });
    let sign = bits.last().is_some_and(|lit| holds(*lit));
    if sign && bits.len() < 64 { value | u64::MAX << bits.len() } else { value }
}
