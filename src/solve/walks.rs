//! Executions at random, with values from outside that the program compares with: they find what is left at the end
//! where it takes values that the states do not try. They prove nothing.

use super::{Answer, Engine, Progress, Question};
use crate::diagnostic::Diagnostic;
use crate::execution;
use crate::il::interpret::{Chooser, Code, Failure, Machine, TakenUnit, Turn, Unit};
use crate::il::{ExprKind, Program, walk};
use std::collections::BTreeSet;

/// An execution ends after so many units, and one of its units after so many steps.
const MAX_UNITS: usize = 2_000;
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
    fn walk(&mut self, question: &Question) -> Option<(Failure, Vec<TakenUnit>)> {
        let mut machine = Machine::new(self.code);
        machine.patience = Some(PATIENCE);
        machine.creation_begins = true;
        let mut units = Vec::new();
        let mut current = 0;
        while units.len() < MAX_UNITS && question.budget.out_of_time().is_none() {
            let mut threads = machine.runnable_threads();
            let stays = threads.contains(&current) && self.random.u8(..4) != 0;
            self.random.shuffle(&mut threads);
            threads.sort_by_key(|thread| !(stays && *thread == current));
            let mut ran = false;
            for thread in threads {
                let mut values = Values { random: &mut self.random, constants: &self.constants, taken: Vec::new() };
                let unit = machine.take_unit(thread, false, &mut values);
                let taken = TakenUnit { turn: Turn { thread, spurious: false, held: false }, inputs: values.taken };
                match unit {
                    Unit::Blocked { .. } => continue,
                    Unit::Ran => units.push(taken),
                    Unit::Failed(failure) => {
                        units.push(taken);
                        return question.property.wants(&failure).then_some((failure, units));
                    }
                    Unit::Exit(_) | Unit::OutOfSteps => return None,
                }
                (current, ran) = (thread, true);
                break;
            }
            if !ran {
                return None;
            }
        }
        None
    }
}

impl Engine for Walks<'_> {
    fn ask(&mut self, question: &Question, _tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        loop {
            if let Some(reason) = question.budget.exceeded() {
                return Ok(Answer::NotYet(reason));
            }
            if let Some((failure, units)) = self.walk(question) {
                return Ok(match execution::retrace(self.code, PATIENCE, &failure, &units) {
                    Ok(execution) => Answer::Bug(Some(Box::new(execution))),
                    Err(why) => Answer::Doubtful {
                        why: format!("the execution found at random cannot be repeated ({why})"),
                        details: format!("{units:?}"),
                    },
                });
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
                let mut look = |expr: &crate::il::Expr| {
                    walk::expressions(expr, &mut |inner| {
                        if let ExprKind::Int(value) = inner.kind
                            && found.len() < MAX_CONSTANTS
                        {
                            found.extend([value as u64, value as u64 + 1]);
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

struct Values<'a> {
    random: &'a mut fastrand::Rng,
    constants: &'a [u64],
    taken: Vec<u64>,
}

impl Values<'_> {
    fn note(&mut self, value: u64) -> u64 {
        self.taken.push(value);
        value
    }
}

impl Chooser for Values<'_> {
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
