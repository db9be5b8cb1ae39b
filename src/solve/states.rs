//! The second engine: visits the states of the whole program one by one, without bounds.
//!
//! It is good where the formula is bad: values that depend on every single switch, loops that go on until somebody
//! else does something. It follows executions with many switches first, which the formula finds last.

use super::{Answer, Engine, Progress, Question, repeated};
use crate::analysis::{inputs, orders, race};
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::il::interpret::{Code, ExploreOptions, Explorer, Failure, FailureKind, First, RaceSearch, TakenUnit};
use crate::il::{Operation, Program, Stmt, StmtKind, walk};
use crate::property::{ErrorKind, MemoryModel, Property};
use std::time::{Duration, Instant};

/// Executions of more units, those of one thread alone aside, would be hard to follow for a person.
const MAX_UNITS: usize = 2_000;
/// Programs with more threads have too many states in any case.
const MAX_THREADS: usize = 130;
/// Longer stretches of one thread are not followed.
const PATIENCE: u64 = 10_000;
/// So many states are visited after a race was found.
const AFTER_A_RACE: usize = 2_000;
/// Between two looks at the memory.
const AT_ONCE: Duration = Duration::from_millis(2);

pub fn options(code: &Code, property: &Property, model: MemoryModel, budget: &Budget) -> ExploreOptions {
    let program = code.program;
    let weak = model == MemoryModel::AsWritten && !orders::weaker_accesses(program).is_empty();
    let races = match property.contains(ErrorKind::Race) && program.buffering.is_none() {
        false => RaceSearch::Not,
        true if weak => RaceSearch::Clocks,
        true => RaceSearch::States,
    };
    // What is left in memory when the process ends depends on every access before. Clocks tell states by their past.
    let all_matter = races == RaceSearch::Clocks || code.leaks || code.cleanup;
    let contended = if all_matter { None } else { race::contended(program, !code.overflow) };
    ExploreOptions {
        races,
        quiet: contended.map_or_else(Vec::new, |contended| code.quiet(&contended.places)),
        // What nobody reads any more may still be an address, by which memory is not lost, or is known when it comes again.
        live: if code.leaks || code.cleanup || program.told.reuse.is_some() { Vec::new() } else { code.live() },
        classes: inputs::classes(program),
        max_states: usize::MAX,
        // The states on the way are not counted.
        max_bytes: (budget.memory_mb as usize / 8) << 20,
        max_units: MAX_UNITS,
        max_steps_per_unit: 2 * PATIENCE,
        patience: Some(PATIENCE),
        creation_begins: true,
        max_threads: MAX_THREADS,
        first: First::Switches,
        ..ExploreOptions::default()
    }
}

pub struct StateSearch<'p> {
    code: &'p Code<'p>,
    program: &'p Program,
    explorer: Explorer<'p>,
    /// The time that it took so far.
    pub spent: Duration,
    /// So many failures were known when a race was found that is looked for, and so many states.
    raced: Option<(usize, usize)>,
    /// So many failures were looked at, and what is looked for was this then.
    looked: (usize, Property),
    over: bool,
}

impl Engine for StateSearch<'_> {
    /// Goes on where it stopped the last time.
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let start = Instant::now();
        let answer = self.visit(question);
        self.spent += start.elapsed();
        tell(Progress::Visited { states: self.states(), seconds: self.spent.as_secs_f64() });
        Ok(answer)
    }
}

impl<'p> StateSearch<'p> {
    pub fn new(code: &'p Code<'p>, options: &'p ExploreOptions) -> StateSearch<'p> {
        StateSearch {
            code,
            program: code.program,
            explorer: Explorer::new(code, options),
            spent: Duration::ZERO,
            raced: None,
            looked: (0, Property::new([])),
            over: false,
        }
    }

    pub fn states(&self) -> usize {
        self.explorer.result.states
    }

    /// Looks at states until the budget is used up, a failure is found, or none is left.
    fn visit(&mut self, question: &Question) -> Answer {
        let mut looked = Instant::now();
        loop {
            if self.looked.1 != *question.property {
                (self.looked, self.raced) = ((0, question.property.clone()), None);
            }
            let failures = &self.explorer.result.failures;
            let new = failures.iter().enumerate().skip(self.looked.0);
            for (index, found) in new.filter(|(_, (failure, _))| question.property.wants(failure)) {
                // What fails visibly says more than the race behind it, if it is not far.
                if found.0.kind != FailureKind::Race {
                    return self.tell(found);
                }
                self.raced = self.raced.or(Some((index, self.states())));
            }
            self.looked.0 = failures.len();
            if let Some((race, states)) = self.raced
                && (self.over || self.states() > states + AFTER_A_RACE)
            {
                return self.tell(&failures[race]);
            }
            if self.over {
                return self.why_not_all().map_or(Answer::NoBug, Answer::GivenUp);
            }
            if let Some(reason) = question.budget.out_of_time() {
                return Answer::NotYet(reason);
            }
            self.over = self.explorer.advance();
            if looked.elapsed() >= AT_ONCE {
                looked = Instant::now();
                if let Some(reason) = question.budget.out_of_memory(0) {
                    return Answer::GivenUp(reason);
                }
            }
        }
    }

    /// Executes it once more, and notes what happens.
    fn tell(&self, (failure, units): &(Failure, Vec<TakenUnit>)) -> Answer {
        repeated(self.code, PATIENCE, failure, units)
    }

    /// Why the end of the search is no proof.
    fn why_not_all(&self) -> Option<String> {
        let result = &self.explorer.result;
        // After a deadlock or abort() there is nothing; after other failures the execution was not followed.
        let ends = [FailureKind::Deadlock, FailureKind::Abort, FailureKind::Race];
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
        } else if result.reuse_limited {
            "memory that was freed was not given out again for much larger blocks"
        } else if result.buffers_limited {
            "a thread has more stores on their way to memory than are followed"
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
