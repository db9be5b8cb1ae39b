//! The second engine: visits the states of the whole program one by one, without bounds.
//!
//! It is good where the formula is bad: values that depend on every single switch, loops that go on until somebody
//! else does something. It follows executions with many switches first, which the formula finds last.

use crate::il::interpret::{Code, ExploreOptions, Explorer, Failure, FailureKind, First, TakenUnit};
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
    /// It makes no sense to go on: too many states, or inputs of which only some were tried.
    GivenUp,
}

/// Executions of more units would be hard to follow for a person.
const MAX_UNITS: usize = 2_000;
/// Longer stretches of one thread are not followed.
const MAX_STEPS_PER_UNIT: u64 = 20_000;
/// States between two looks at the memory.
const AT_ONCE: usize = 200;

pub fn options(limits: &Limits) -> ExploreOptions {
    ExploreOptions {
        max_states: usize::MAX,
        // The states on the way are not counted.
        max_bytes: (limits.memory_mb as usize / 8) << 20,
        max_units: MAX_UNITS,
        max_steps_per_unit: MAX_STEPS_PER_UNIT,
        max_threads: MAX_THREADS as usize + 1,
        first: First::Switches,
        ..ExploreOptions::default()
    }
}

pub struct StateSearch<'p> {
    explorer: Explorer<'p>,
    /// The time that it took so far.
    pub spent: Duration,
    over: bool,
}

impl<'p> StateSearch<'p> {
    pub fn new(code: &'p Code<'p>, options: &'p ExploreOptions) -> StateSearch<'p> {
        StateSearch { explorer: Explorer::new(code, options), spent: Duration::ZERO, over: false }
    }

    pub fn states(&self) -> usize {
        self.explorer.result.states
    }

    /// Goes on for a while.
    pub fn visit(&mut self, time: Duration, wanted: impl Fn(FailureKind) -> bool, limits: &Limits) -> Visited {
        let start = Instant::now();
        let mut known = self.explorer.result.failures.len();
        let mut visited = 0;
        while !self.over && start.elapsed() < time && limits.out_of_time().is_none() {
            self.over = self.explorer.advance();
            let fails = self.explorer.result.failures[known..].iter().find(|(failure, _)| wanted(failure.kind));
            if let Some((failure, units)) = fails {
                self.spent += start.elapsed();
                return Visited::Fails(failure.clone(), units.clone());
            }
            known = self.explorer.result.failures.len();
            visited += 1;
            if visited % AT_ONCE == 0 && limits.out_of_memory(0).is_some() {
                return Visited::GivenUp;
            }
        }
        self.spent += start.elapsed();
        let result = &self.explorer.result;
        // Behind a failure that nobody looks for the execution was not followed; a deadlock has nothing behind it.
        let followed = result.failures.iter().all(|(failure, _)| failure.kind == FailureKind::Deadlock);
        match self.over {
            false => Visited::Some,
            true if result.complete && !result.long_units && !result.inputs_limited && followed => Visited::All,
            true => Visited::GivenUp,
        }
    }
}
