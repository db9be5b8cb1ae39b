//! SAT solvers behind one small trait; CaDiCaL is built in.

use super::formula::Cnf;
use crate::budget::Budget;
use std::cell::RefCell;
use std::rc::Rc;

/// What a solver says.
pub enum Outcome {
    Satisfiable(Box<dyn Fn(i32) -> bool>),
    Unsatisfiable,
    /// Why it gave up.
    Unknown(String),
}

pub trait Solver {
    /// The first of these assumptions under which the formula holds; the answer for the last if none does.
    fn solve(&mut self, cnf: &Cnf, assumptions: &mut dyn Iterator<Item = i32>, budget: &Budget) -> Outcome;
}

pub struct Cadical;

/// What the solver needs for a clause at least, with all that belongs to it.
const BYTES_PER_CLAUSE: u64 = 80;

/// Ends the search when time or memory is used up, or the user does not want to wait.
struct Watch<'a> {
    budget: &'a Budget<'a>,
    calls: u32,
    reason: Rc<RefCell<Option<String>>>,
}

impl cadical::Callbacks for Watch<'_> {
    fn terminate(&mut self) -> bool {
        self.calls += 1;
        let memory = if self.calls % 256 == 1 { self.budget.out_of_memory(0) } else { None };
        let exceeded = memory.or_else(|| self.budget.out_of_time());
        let ends = exceeded.is_some();
        if ends {
            *self.reason.borrow_mut() = exceeded;
        }
        ends
    }
}

impl Solver for Cadical {
    fn solve(&mut self, cnf: &Cnf, assumptions: &mut dyn Iterator<Item = i32>, budget: &Budget) -> Outcome {
        let reason = Rc::new(RefCell::new(None));
        let mut solver: cadical::Solver<Watch> = cadical::Solver::new();
        if let Some(reason) = budget.out_of_memory(cnf.clause_count as u64 * BYTES_PER_CLAUSE) {
            return Outcome::Unknown(reason);
        }
        solver.reserve(cnf.variables);
        for (index, clause) in cnf.clauses().enumerate() {
            solver.add_clause(clause.iter().copied());
            if index % 50_000 == 0
                && let Some(reason) = budget.exceeded()
            {
                return Outcome::Unknown(reason);
            }
        }
        solver.set_callbacks(Some(Watch { budget, calls: 0, reason: reason.clone() }));
        for assumption in assumptions {
            match solver.solve_with([assumption]) {
                Some(true) => {
                    let variables = cnf.variables;
                    let values: Vec<bool> =
                        (0..=variables).map(|variable| variable > 0 && solver.value(variable) == Some(true)).collect();
                    return Outcome::Satisfiable(Box::new(move |lit| values[lit.unsigned_abs() as usize] == (lit > 0)));
                }
                Some(false) => {}
                None => return Outcome::Unknown(reason.take().unwrap_or_else(|| "the SAT solver gave up".to_owned())),
            }
        }
        Outcome::Unsatisfiable
    }
}
