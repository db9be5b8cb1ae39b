//! The embedded engine: the formula of the bounded threads, and the built-in SAT solver.

use super::formula::{self, EncodeError};
use super::sat::{Cadical, Outcome, Solver};
use super::{Answer, Engine, Progress, Question, Scope, confirm};
use crate::analysis::race::Suspects;
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::execution::Schedule;
use crate::limit::Bounded;
use crate::property::Property;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Default)]
pub struct Embedded {
    /// Where the formula is written to.
    pub dimacs: Option<PathBuf>,
}

const UNWRITTEN_POINTERS: &str = "valid addresses in memory that was allocated and not written";

/// The answer of the SAT solver.
pub enum Solved {
    NoBug,
    /// But for executions that were left out.
    NoBugBut(&'static str),
    Bug(Schedule),
    NotYet(String),
}

impl Engine for Embedded {
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let Scope::Bounded { threads, bounds, order } = question.scope else {
            return Ok(Answer::GivenUp("a formula needs bounds".to_owned()));
        };
        let property = question.property;
        Ok(
            match self.solve(threads, (bounds.rounds, order), (property, question.suspects), &question.budget, tell)? {
                Solved::NoBug => Answer::NoBug,
                Solved::NoBugBut(left_out) => Answer::NoBugBut(left_out.to_owned()),
                Solved::NotYet(reason) => Answer::NotYet(reason),
                Solved::Bug(schedule) => confirm(threads, &schedule, property, "the embedded engine"),
            },
        )
    }
}

impl Embedded {
    pub fn solve(
        &self,
        threads: &Bounded,
        (rounds, order): (u32, &[usize]),
        (property, suspects): (&Property, &Suspects),
        budget: &Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Solved, Diagnostic> {
        let formula = match formula::encode(threads, rounds, order, property, suspects, budget) {
            Ok(formula) => formula,
            Err(EncodeError::Unsupported(diagnostic)) => return Err(diagnostic),
            Err(EncodeError::GaveUp(reason)) => return Ok(Solved::NotYet(reason)),
        };
        tell(Progress::Encoded(formula.sizes));
        if let Some(file) = &self.dimacs
            && let Err(error) = write_dimacs(&formula.cnf, file)
        {
            tell(Progress::Warning(format!("cannot write {}: {error}", file.display())));
        }
        let start = Instant::now();
        let outcome = Cadical.solve(&formula.cnf, &mut formula.questions(), budget);
        tell(Progress::Solved { sizes: formula.sizes, seconds: start.elapsed().as_secs_f64() });
        Ok(match outcome {
            Outcome::Unsatisfiable if formula.unwritten_pointers => Solved::NoBugBut(UNWRITTEN_POINTERS),
            Outcome::Unsatisfiable => Solved::NoBug,
            Outcome::Unknown(reason) => Solved::NotYet(reason),
            Outcome::Satisfiable(holds) => Solved::Bug(formula.schedule(order, &holds)),
        })
    }
}

fn write_dimacs(cnf: &formula::Cnf, file: &Path) -> std::io::Result<()> {
    cnf.write_dimacs(&mut std::io::BufWriter::new(std::fs::File::create(file)?))
}
