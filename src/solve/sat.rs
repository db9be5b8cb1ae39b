//! SAT solvers behind one small trait; CaDiCaL is built in.

use super::formula::Cnf;
use crate::STACK_BYTES;
use crate::budget::Budget;
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// What a solver says.
pub enum Outcome {
    Satisfiable(Box<dyn Fn(i32) -> bool + Send>),
    Unsatisfiable,
    /// Why it gave up.
    Unknown(String),
}

/// It has a formula, can be left when the time is up, and goes on where it was.
pub trait Solver: Send {
    fn solve(&mut self, budget: &Budget) -> Outcome;
}

/// How hard a formula is tried, and in which way. The same effort gives the same answer everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    pub preset: Preset,
    /// Which of many equal formulas is given to the solver: clauses in another order. 0 is as they are.
    pub seed: u64,
    /// Conflicts after which it gives up.
    pub conflicts: Option<u32>,
}

/// What the solver is tuned for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    #[default]
    Default,
    Sat,
    Unsat,
}

impl Preset {
    pub const ALL: [Preset; 3] = [Preset::Default, Preset::Sat, Preset::Unsat];

    pub fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Sat => "sat",
            Preset::Unsat => "unsat",
        }
    }
}

/// Said where the solver has done what it was allowed to.
pub const CONFLICTS_ARE_UP: &str = "the conflicts that the solver may make are used up";

/// What the solver needs for a clause at least, with all that belongs to it.
const BYTES_PER_CLAUSE: u64 = 80;

/// CaDiCaL in a thread of its own. When the time is up that thread waits in the middle of its work: a solver that is
/// interrupted and called again is in another state than one that was not, and may be three times as slow.
pub struct Cadical {
    /// Closed when nobody wants to know any more.
    budgets: Option<Sender<Budget>>,
    outcomes: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
}

impl Cadical {
    /// It is asked for the first of the assumptions under which the formula holds, and says of the last one if none does.
    /// `Err` says why there is no room or no time for the formula.
    pub fn new(cnf: &Cnf, assumptions: Vec<i32>, effort: Effort, budget: &Budget) -> Result<Cadical, String> {
        let mut solver: cadical::Solver<Watch> =
            cadical::Solver::with_config(effort.preset.name()).expect("the solver has this preset");
        if let Some(reason) = budget.out_of_memory(cnf.clause_count as u64 * BYTES_PER_CLAUSE) {
            return Err(reason);
        }
        solver.reserve(cnf.variables);
        for (index, clause) in in_order(cnf, effort.seed).enumerate() {
            solver.add_clause(clause.iter().copied());
            if index % 50_000 == 0
                && let Some(reason) = budget.exceeded()
            {
                return Err(reason);
            }
        }
        let (budgets, orders) = channel();
        let (sender, outcomes) = channel();
        let mut work = Work { solver, variables: cnf.variables, assumptions, conflicts: effort.conflicts };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let started = thread.spawn(move || {
            work.solver.set_callbacks(Some(Watch { orders, outcomes: sender, budget: None, calls: 0 }));
            work.answer();
        });
        let thread = started.map_err(|error| format!("the machine starts no more threads: {error}"))?;
        Ok(Cadical { budgets: Some(budgets), outcomes, thread: Some(thread) })
    }
}

impl Solver for Cadical {
    fn solve(&mut self, budget: &Budget) -> Outcome {
        let asked = self.budgets.as_ref().is_some_and(|budgets| budgets.send(*budget).is_ok());
        let outcome = if asked { self.outcomes.recv().ok() } else { None };
        outcome.unwrap_or_else(|| Outcome::Unknown("the solver has ended".to_owned()))
    }
}

impl Drop for Cadical {
    fn drop(&mut self) {
        self.budgets = None;
        if let Some(thread) = self.thread.take() {
            // Whoever panicked there has said so.
            let _ = thread.join();
        }
    }
}

/// What the thread of a solver has.
struct Work {
    solver: cadical::Solver<Watch>,
    variables: i32,
    assumptions: Vec<i32>,
    conflicts: Option<u32>,
}

impl Work {
    /// As often as somebody asks.
    fn answer(&mut self) {
        while self.watch().begin() {
            let outcome = self.solve();
            self.watch().tell(outcome);
        }
    }

    fn watch(&mut self) -> &mut Watch {
        self.solver.get_callbacks().expect("they were set")
    }

    fn solve(&mut self) -> Outcome {
        for assumption in self.assumptions.clone() {
            if let Some(conflicts) = self.conflicts {
                let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
                self.solver.set_limit("conflicts", limit).expect("the solver has this limit");
            }
            match self.solver.solve_with([assumption]) {
                Some(true) => {
                    let holds = |variable| variable > 0 && self.solver.value(variable) == Some(true);
                    let values: Vec<bool> = (0..=self.variables).map(holds).collect();
                    return Outcome::Satisfiable(Box::new(move |lit| values[lit.unsigned_abs() as usize] == (lit > 0)));
                }
                Some(false) => {}
                None => return Outcome::Unknown(CONFLICTS_ARE_UP.to_owned()),
            }
        }
        Outcome::Unsatisfiable
    }
}

/// Stands between a solver and who asks it: holds it when time or memory is used up, or the user does not want to wait.
struct Watch {
    orders: Receiver<Budget>,
    outcomes: Sender<Outcome>,
    /// None if nobody wants to know any more.
    budget: Option<Budget>,
    calls: u32,
}

impl Watch {
    /// Waits until it is asked.
    fn begin(&mut self) -> bool {
        (self.budget, self.calls) = (self.orders.recv().ok(), 0);
        self.budget.is_some()
    }

    fn tell(&self, outcome: Outcome) {
        // Who has gone does not listen.
        let _ = self.outcomes.send(outcome);
    }
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.calls += 1;
        let Some(budget) = self.budget else { return true };
        let memory = if self.calls % 256 == 1 { budget.out_of_memory(0) } else { None };
        let Some(reason) = memory.or_else(|| budget.out_of_time()) else { return false };
        self.tell(Outcome::Unknown(reason));
        !self.begin()
    }
}

/// The clauses in the order of a seed. (Other numbers for the variables would be worse: those that belong together are
/// near each other.)
fn in_order(cnf: &Cnf, seed: u64) -> Box<dyn Iterator<Item = &[i32]> + '_> {
    if seed == 0 {
        return Box::new(cnf.clauses());
    }
    let mut all: Vec<&[i32]> = cnf.clauses().collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut all);
    Box::new(all.into_iter())
}

#[cfg(test)]
mod tests {
    use super::super::formula::{Gates, Lit};
    use super::*;
    use crate::budget::new_stop;
    use std::time::{Duration, Instant};

    /// More pigeons than holes: takes a while, and never holds. The formula, and where the first pigeon may sit first.
    fn pigeons(holes: usize) -> (Cnf, Lit) {
        let mut gates = Gates::new();
        let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| gates.fresh()).collect()).collect();
        for (number, pigeon) in sits.iter().enumerate() {
            gates.clause(pigeon);
            for other in &sits[..number] {
                pigeon.iter().zip(other).for_each(|(a, b)| gates.clause(&[-a, -b]));
            }
        }
        (gates.finish(&[]), sits[0][0])
    }

    fn lasting(time: Duration) -> Budget {
        Budget { until: Instant::now() + time, memory_mb: u64::MAX, stop: new_stop() }
    }

    const MOMENT: Duration = Duration::from_millis(5);

    fn solver((cnf, lit): &(Cnf, Lit)) -> Cadical {
        let budget = lasting(Duration::from_secs(60));
        Cadical::new(cnf, vec![*lit, -lit], Effort::default(), &budget).expect("there is room")
    }

    #[test]
    fn a_solver_that_waits_goes_on_where_it_was() {
        let mut solver = solver(&pigeons(8));
        let mut pauses = 0;
        while let Outcome::Unknown(reason) = solver.solve(&lasting(MOMENT)) {
            assert_eq!(reason, crate::budget::TIME_IS_UP);
            pauses += 1;
            assert!(pauses < 10_000, "it begins anew every time");
        }
        assert!(pauses > 0, "it never had to wait");
        let again = solver.solve(&lasting(Duration::from_secs(60)));
        assert!(matches!(again, Outcome::Unsatisfiable), "it can be asked again");
    }

    #[test]
    fn a_solver_that_waits_can_be_left() {
        let mut solver = solver(&pigeons(11));
        assert!(matches!(solver.solve(&lasting(MOMENT)), Outcome::Unknown(_)));
        drop(solver);
    }
}
