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
    explorer: Explorer<'p>,
    /// The time that it took so far.
    pub spent: Duration,
    /// So many failures were looked at.
    known: usize,
    over: bool,
}

impl<'p> StateSearch<'p> {
    pub fn new(code: &'p Code<'p>, options: &'p ExploreOptions) -> StateSearch<'p> {
        StateSearch { explorer: Explorer::new(code, options), spent: Duration::ZERO, known: 0, over: false }
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
            true => self.why_not_all().map_or(Visited::All, |why| Visited::GivenUp(why.to_owned())),
        }
    }

    /// Why the end of the search is no proof.
    fn why_not_all(&self) -> Option<&str> {
        let result = &self.explorer.result;
        // Behind a deadlock or abort() there is nothing; behind other failures the execution was not followed.
        let ends = [FailureKind::Deadlock, FailureKind::Abort];
        if let Some((failure, _)) = result.failures.iter().find(|(failure, _)| !ends.contains(&failure.kind)) {
            return Some(if failure.kind == FailureKind::Unsupported { &failure.message } else { failure.kind.name() });
        }
        if result.inputs_limited {
            return Some(
                "there are values from outside, or memory that nobody wrote, of which only 0 and 1 were tried",
            );
        }
        if result.long_units {
            return Some("a thread goes on for long without a step that others see, or creates too many threads");
        }
        (!result.complete).then_some("there are too many states, or executions that are too long")
    }
}
