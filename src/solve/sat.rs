//! SAT solvers behind one small trait; CaDiCaL is built in.

use super::formula::Cnf;
use super::tool::run::Limits;
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
    fn solve(&mut self, cnf: &Cnf, limits: &Limits) -> Outcome;
}

pub struct Cadical;

/// Ends the search when time or memory is used up, or the user does not want to wait.
struct Watch<'a> {
    limits: &'a Limits<'a>,
    calls: u32,
    reason: Rc<RefCell<Option<String>>>,
}

impl cadical::Callbacks for Watch<'_> {
    fn terminate(&mut self) -> bool {
        self.calls += 1;
        let exceeded = if self.calls % 256 == 1 { self.limits.exceeded() } else { None };
        let ends = exceeded.is_some();
        if ends {
            *self.reason.borrow_mut() = exceeded;
        }
        ends
    }
}

impl Solver for Cadical {
    fn solve(&mut self, cnf: &Cnf, limits: &Limits) -> Outcome {
        let reason = Rc::new(RefCell::new(None));
        let mut solver: cadical::Solver<Watch> = cadical::Solver::new();
        solver.reserve(cnf.variables);
        for clause in cnf.clauses() {
            solver.add_clause(clause.iter().copied());
        }
        solver.set_callbacks(Some(Watch { limits, calls: 0, reason: reason.clone() }));
        match solver.solve() {
            Some(true) => {
                let variables = cnf.variables;
                let values: Vec<bool> =
                    (0..=variables).map(|variable| variable > 0 && solver.value(variable) == Some(true)).collect();
                Outcome::Satisfiable(Box::new(move |lit| values[lit.unsigned_abs() as usize] == (lit > 0)))
            }
            Some(false) => Outcome::Unsatisfiable,
            None => Outcome::Unknown(reason.take().unwrap_or_else(|| "the SAT solver gave up".to_owned())),
        }
    }
}
