//! Executions at random, with values from outside that the program compares with: they find what is left at the end
//! where it takes values that the states do not try. They prove nothing.

use super::{Answer, Engine, Progress, Question, repeated};
use crate::diagnostic::Diagnostic;
use crate::il::interpret::{Chooser, Code, Failure, FailureKind, Machine, Outcome, TakenUnit, Turn, random_walk};
use crate::il::{Expr, ExprKind, Program, walk};
use std::collections::BTreeSet;

/// An execution ends after so many steps, and one of its units after so many.
const MAX_STEPS: u64 = 200_000;
const PATIENCE: u64 = 100_000;
/// More constants than this are too many to hit one.
const MAX_CONSTANTS: usize = 64;

pub struct Walks<'p> {
    code: &'p Code<'p>,
    random: fastrand::Rng,
    constants: Vec<u64>,
}

impl<'p> Walks<'p> {
    pub fn new(code: &'p Code<'p>) -> Walks<'p> {
        // The same program gives the same walks.
        Walks { code, random: fastrand::Rng::with_seed(1), constants: constants(code.program) }
    }

    /// One execution, if it fails: how, and what leads there.
    fn walk(&mut self) -> Option<(Failure, Vec<TakenUnit>)> {
        let mut machine = Machine::new(self.code);
        machine.patience = Some(PATIENCE);
        machine.max_steps = MAX_STEPS;
        machine.creation_begins = true;
        let random = fastrand::Rng::with_seed(self.random.u64(..));
        let mut values = Values { random, constants: &self.constants, units: Vec::new(), tried: None };
        match random_walk(&mut machine, &mut self.random, &mut values, &mut |_| {}) {
            Outcome::Failed(failure) => {
                // In a deadlock, the unit that was tried last waits.
                if failure.kind != FailureKind::Deadlock {
                    values.ran();
                }
                Some((failure, values.units))
            }
            Outcome::Exited(_)
            | Outcome::Assumption
            | Outcome::OutOfSteps
            | Outcome::BadSchedule(..)
            | Outcome::ScheduleEnds => None,
        }
    }
}

impl Engine for Walks<'_> {
    fn ask(&mut self, question: &Question, _tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        loop {
            if let Some(reason) = question.budget.exceeded() {
                return Ok(Answer::NotYet(reason));
            }
            if let Some((failure, units)) = self.walk().filter(|(failure, _)| question.property.wants(failure)) {
                return Ok(repeated(self.code, PATIENCE, &failure, &units));
            }
        }
    }
}

/// Numbers in the program, and those next to them: what it compares with.
fn constants(program: &Program) -> Vec<u64> {
    let mut found = BTreeSet::from([u64::MAX]);
    for function in program.functions.iter().filter(|function| function.has_body()) {
        walk::statements(&function.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| {
                let mut look = |expr: &Expr| {
                    walk::expressions(expr, &mut |inner| {
                        if let ExprKind::Int(value) = inner.kind
                            && found.len() < MAX_CONSTANTS
                        {
                            found.extend([value as u64, (value as u64).wrapping_add(1)]);
                        }
                    });
                };
                match used {
                    walk::Use::Expr(expr) => look(expr),
                    walk::Use::Target(place) => walk::place_expressions(place, &mut look),
                }
            });
        });
    }
    found.into_iter().collect()
}

/// Random values, noted by the units that take them.
struct Values<'a> {
    random: fastrand::Rng,
    constants: &'a [u64],
    units: Vec<TakenUnit>,
    tried: Option<TakenUnit>,
}

impl Values<'_> {
    fn note(&mut self, value: u64) -> u64 {
        if let Some(unit) = &mut self.tried {
            unit.inputs.push(value);
        }
        value
    }
}

impl Chooser for Values<'_> {
    fn begins(&mut self, turn: Turn) {
        self.tried = Some(TakenUnit { turn, inputs: Vec::new() });
    }

    fn ran(&mut self) {
        self.units.extend(self.tried.take());
    }

    fn input(&mut self, bits: u32) -> u64 {
        let value = match self.random.u8(..4) {
            0 | 1 => self.random.u64(..2),
            2 => self.random.u64(..),
            _ => self.constants[self.random.usize(..self.constants.len())],
        };
        self.note(if bits >= 64 { value } else { value & ((1 << bits) - 1) })
    }

    fn pick(&mut self, count: usize) -> usize {
        let picked = self.random.usize(..count);
        self.note(picked as u64) as usize
    }
}
