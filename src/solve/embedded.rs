//! The embedded engine: the formula of the bounded threads, and the built-in SAT solver.

use super::formula::Followed;
use super::formula::{self, EncodeError, Formula};
use super::sat::{Cadical, Effort, Outcome, Solver};
use super::{Answer, Engine, LeftOut, Progress, Question, Scope, confirm};
use crate::analysis::race::Suspects;
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::execution::Schedule;
use crate::limit::{Bounded, BoundingOptions};
use crate::property::Property;
use crate::restriction::Restriction;
use crate::source::Source;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub struct Embedded {
    /// Where the formula is written to.
    pub dimacs: Option<PathBuf>,
    pub effort: Effort,
    pub parking: Arc<Parking>,
}

const UNWRITTEN_POINTERS: &str = "valid addresses in memory that was allocated and not written";

/// The answer of the SAT solver.
pub enum Solved {
    NoBug,
    /// But for executions that were left out.
    NoBugBut(LeftOut),
    Bug(Schedule),
    NotYet(String),
}

impl Engine for Embedded {
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let Scope::Bounded { threads, bounds, order, restriction } = question.scope else {
            return Ok(Answer::GivenUp("a formula needs bounds".to_owned()));
        };
        let property = question.property;
        let placing = (bounds.rounds, order, restriction);
        Ok(match self.solve(threads, placing, (property, question.suspects), &question.budget, tell)? {
            Solved::NoBug => Answer::NoBug,
            Solved::NoBugBut(left_out) => Answer::NoBugBut(left_out),
            Solved::NotYet(reason) => Answer::NotYet(reason),
            Solved::Bug(schedule) => confirm(threads, &schedule, property, "the embedded engine"),
        })
    }
}

impl Embedded {
    pub fn solve(
        &self,
        threads: &Bounded,
        (rounds, order, restriction): (u32, &[usize], &Restriction),
        (property, suspects): (&Property, &Suspects),
        budget: &Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Solved, Diagnostic> {
        let steps: Vec<u32> = threads.threads.iter().map(|thread| thread.steps).collect();
        if restriction.windows(&steps, rounds).are_empty() {
            return Ok(Solved::NoBug);
        }
        let key = Key {
            bounding: threads.options.clone(),
            placing: (rounds, order.to_vec(), restriction.clone()),
            property: property.clone(),
            effort: self.effort,
        };
        let mut unfinished = match self.parking.take(&key) {
            Some(unfinished) => unfinished,
            None => {
                let formula = match formula::encode(threads, (rounds, order, restriction), (property, suspects), budget)
                {
                    Ok(formula) => formula,
                    Err(EncodeError::Unsupported(diagnostic)) => return Err(diagnostic),
                    Err(EncodeError::GaveUp(reason)) => return Ok(Solved::NotYet(reason)),
                };
                if let Some(file) = &self.dimacs
                    && let Err(error) = write_dimacs(&formula.cnf, file)
                {
                    tell(Progress::Warning(format!("cannot write {}: {error}", file.display())));
                }
                match Cadical::new(&formula.cnf, formula.questions().collect(), self.effort, budget) {
                    Ok(solver) => Unfinished { formula: formula.without_clauses(), solver },
                    Err(reason) => return Ok(Solved::NotYet(reason)),
                }
            }
        };
        let formula = &unfinished.formula;
        tell(Progress::Encoded(formula.sizes));
        let start = Instant::now();
        let outcome = unfinished.solver.solve(budget);
        tell(Progress::Solved { sizes: formula.sizes, seconds: start.elapsed().as_secs_f64() });
        Ok(match outcome {
            Outcome::Unsatisfiable => match left_out(formula, &threads.program.source) {
                Some(left_out) => Solved::NoBugBut(left_out),
                None => Solved::NoBug,
            },
            Outcome::Satisfiable(holds) => Solved::Bug(formula.schedule(order, &holds)),
            Outcome::Unknown(reason) => {
                self.parking.leave(key, unfinished, budget);
                Solved::NotYet(reason)
            }
        })
    }
}

/// Executions that a formula does not have.
fn left_out(formula: &Formula, source: &Source) -> Option<LeftOut> {
    let mut what = Vec::new();
    for (span, followed, most) in &formula.too_long {
        let followed = match followed {
            Followed::Allocation => "allocations are",
            Followed::Copy => "what is copied or set is",
        };
        let line = format!("{}: {followed} followed up to {most} bytes only", source.location(*span));
        if !what.contains(&line) {
            what.push(line);
        }
    }
    let by_bounds = !what.is_empty();
    what.extend(formula.unwritten_pointers.then(|| UNWRITTEN_POINTERS.to_owned()));
    (!what.is_empty()).then_some(LeftOut { what, by_bounds })
}

/// Formulas that were left when their time was up, with all that the solver has learned about them. Whoever is asked the
/// same question again goes on from there.
#[derive(Default)]
pub struct Parking(Mutex<Vec<(Key, Unfinished)>>);

/// The question that a formula answers, about one program.
#[derive(PartialEq)]
struct Key {
    bounding: BoundingOptions,
    placing: (u32, Vec<usize>, Restriction),
    property: Property,
    effort: Effort,
}

struct Unfinished {
    formula: Formula,
    solver: Cadical,
}

/// What is parked may use this part of the memory, with all that is in use.
const PARKED_PART: u64 = 2;

impl Parking {
    fn all(&self) -> MutexGuard<'_, Vec<(Key, Unfinished)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, key: &Key) -> Option<Unfinished> {
        let mut all = self.all();
        let index = all.iter().position(|(parked, _)| parked == key)?;
        Some(all.swap_remove(index).1)
    }

    fn leave(&self, key: Key, unfinished: Unfinished, budget: &Budget) {
        let part = Budget { memory_mb: budget.memory_mb / PARKED_PART, ..*budget };
        if part.out_of_memory(0).is_none() && !budget.interrupted() {
            self.all().push((key, unfinished));
        }
    }
}

fn write_dimacs(cnf: &formula::Cnf, file: &Path) -> std::io::Result<()> {
    cnf.write_dimacs(&mut std::io::BufWriter::new(std::fs::File::create(file)?))
}
