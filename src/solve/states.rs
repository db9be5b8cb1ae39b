//! The second engine: visits the states of the whole program one by one, without bounds.
//!
//! It is good where the formula is bad: values that depend on every single switch, loops that go on until somebody
//! else does something. It follows executions with many switches first, which the formula finds last.

use crate::il::interpret::{Code, ExploreOptions, Explorer, Failure, FailureKind, First, TakenUnit};
use crate::il::{Operation, Program, Stmt, StmtKind, walk};
use crate::limit::MAX_THREADS;
use crate::solve::tool::run::Limits;
use std::time::{Duration, Instant};

/// What is known after some time.
#[derive(Debug)]
pub enum Visited {
    /// There are states left, and time to look at them later.
    Some,
    /// None of the states fails, and there are no others.
    All,
    /// The units that lead to a failure.
    Fails(Failure, Vec<TakenUnit>),
    /// It makes no sense to go on, for this reason.
    GivenUp(String),
}

/// Executions of more units would be hard to follow for a person.
const MAX_UNITS: usize = 2_000;
/// Longer stretches of one thread are not followed.
pub const PATIENCE: u64 = 10_000;
/// Between two looks at the memory.
const AT_ONCE: Duration = Duration::from_millis(2);

pub fn options(limits: &Limits) -> ExploreOptions {
    ExploreOptions {
        max_states: usize::MAX,
        // The states on the way are not counted.
        max_bytes: (limits.memory_mb as usize / 8) << 20,
        max_units: MAX_UNITS,
        max_steps_per_unit: 2 * PATIENCE,
        patience: Some(PATIENCE),
        max_threads: MAX_THREADS as usize + 1,
        first: First::Switches,
        ..ExploreOptions::default()
    }
}

pub struct StateSearch<'p> {
    program: &'p Program,
    explorer: Explorer<'p>,
    /// The time that it took so far.
    pub spent: Duration,
    /// So many failures were looked at.
    known: usize,
    over: bool,
}

impl<'p> StateSearch<'p> {
    pub fn new(code: &'p Code<'p>, options: &'p ExploreOptions) -> StateSearch<'p> {
        StateSearch {
            program: code.program,
            explorer: Explorer::new(code, options),
            spent: Duration::ZERO,
            known: 0,
            over: false,
        }
    }

    pub fn states(&self) -> usize {
        self.explorer.result.states
    }

    /// Goes on for a while.
    pub fn visit(&mut self, time: Duration, wanted: impl Fn(FailureKind) -> bool, limits: &Limits) -> Visited {
        let start = Instant::now();
        let mut looked = start;
        loop {
            let new = &self.explorer.result.failures[self.known..];
            if let Some((failure, units)) = new.iter().find(|(failure, _)| wanted(failure.kind)) {
                self.spent += start.elapsed();
                return Visited::Fails(failure.clone(), units.clone());
            }
            self.known = self.explorer.result.failures.len();
            if self.over || start.elapsed() >= time || limits.out_of_time().is_some() {
                break;
            }
            self.over = self.explorer.advance();
            if looked.elapsed() >= AT_ONCE {
                looked = Instant::now();
                if let Some(reason) = limits.out_of_memory(0) {
                    return Visited::GivenUp(reason);
                }
            }
        }
        self.spent += start.elapsed();
        match self.over {
            false => Visited::Some,
            true => self.why_not_all().map_or(Visited::All, Visited::GivenUp),
        }
    }

    /// Why the end of the search is no proof.
    fn why_not_all(&self) -> Option<String> {
        let result = &self.explorer.result;
        // Behind a deadlock or abort() there is nothing; behind other failures the execution was not followed.
        let ends = [FailureKind::Deadlock, FailureKind::Abort];
        if let Some((failure, _)) = result.failures.iter().find(|(failure, _)| !ends.contains(&failure.kind)) {
            let other = failure.kind != FailureKind::Unsupported;
            return Some(if other { failure.kind.name().to_owned() } else { failure.message.clone() });
        }
        let mut coarse = None;
        for function in &self.program.functions {
            walk::statements(&function.body, &mut |stmt| {
                let name = self.program.coarse_step(stmt).or_else(|| self.counts_output(stmt));
                coarse = coarse.or(name);
            });
        }
        if let Some(name) = coarse {
            return Some(format!("what others do while {name} works is not followed"));
        }
        let why = if result.inputs_limited {
            "there are values from outside, or memory that nobody wrote, of which only 0 and 1 were tried"
        } else if result.long_units {
            "a thread goes on for long without a step that others see, or creates too many threads"
        } else if !result.complete {
            "there are too many states, or executions that are too long"
        } else {
            return None;
        };
        Some(why.to_owned())
    }
    /// The length of what is printed may come from shared memory, and printing may fail.
    fn counts_output(&self, stmt: &Stmt) -> Option<&'static str> {
        let StmtKind::Call { to: Some(_), callee, .. } = &stmt.kind else { return None };
        let prints = matches!(
            self.program.operation(callee)?,
            Operation::Printf | Operation::Fprintf | Operation::Vprintf | Operation::Vfprintf
        );
        prints.then_some("printf()")
    }
}
