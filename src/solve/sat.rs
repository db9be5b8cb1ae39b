//! SAT solvers behind one small trait; CaDiCaL is built in.

use super::formula::Cnf;
use crate::budget::Budget;
use serde::{Deserialize, Serialize};

/// What a solver says.
pub enum Outcome {
    Satisfiable(Box<dyn Fn(i32) -> bool>),
    Unsatisfiable,
    /// Why it gave up.
    Unknown(String),
}

/// It has a formula, can be left when the time is up, and taken up again.
pub trait Solver: Send {
    /// The first of these assumptions under which the formula holds; the answer for the last if none does.
    fn solve(&mut self, assumptions: &mut dyn Iterator<Item = i32>, budget: &Budget) -> Outcome;
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

/// Ends the search when time or memory is used up, or the user does not want to wait.
struct Watch {
    budget: Budget,
    calls: u32,
    reason: Option<String>,
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.calls += 1;
        let memory = if self.calls % 256 == 1 { self.budget.out_of_memory(0) } else { None };
        self.reason = memory.or_else(|| self.budget.out_of_time());
        self.reason.is_some()
    }
}

pub struct Cadical {
    solver: cadical::Solver<Watch>,
    variables: i32,
    conflicts: Option<u32>,
}

impl Cadical {
    /// `Err` says why there is no room or no time for the formula.
    pub fn new(cnf: &Cnf, effort: Effort, budget: &Budget) -> Result<Cadical, String> {
        let Effort { preset, seed, conflicts } = effort;
        let mut solver: cadical::Solver<Watch> =
            cadical::Solver::with_config(preset.name()).expect("the solver has this preset");
        if let Some(reason) = budget.out_of_memory(cnf.clause_count as u64 * BYTES_PER_CLAUSE) {
            return Err(reason);
        }
        solver.reserve(cnf.variables);
        for (index, clause) in in_order(cnf, seed).enumerate() {
            solver.add_clause(clause.iter().copied());
            if index % 50_000 == 0
                && let Some(reason) = budget.exceeded()
            {
                return Err(reason);
            }
        }
        Ok(Cadical { solver, variables: cnf.variables, conflicts })
    }
}

impl Solver for Cadical {
    fn solve(&mut self, assumptions: &mut dyn Iterator<Item = i32>, budget: &Budget) -> Outcome {
        let solver = &mut self.solver;
        solver.set_callbacks(Some(Watch { budget: *budget, calls: 0, reason: None }));
        for assumption in assumptions {
            if let Some(conflicts) = self.conflicts {
                let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
                solver.set_limit("conflicts", limit).expect("the solver has this limit");
            }
            match solver.solve_with([assumption]) {
                Some(true) => {
                    let holds = |variable| variable > 0 && solver.value(variable) == Some(true);
                    let values: Vec<bool> = (0..=self.variables).map(holds).collect();
                    return Outcome::Satisfiable(Box::new(move |lit| values[lit.unsigned_abs() as usize] == (lit > 0)));
                }
                Some(false) => {}
                None => {
                    let reason = solver.get_callbacks().and_then(|watch| watch.reason.take());
                    return Outcome::Unknown(reason.unwrap_or_else(|| CONFLICTS_ARE_UP.to_owned()));
                }
            }
        }
        Outcome::Unsatisfiable
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
