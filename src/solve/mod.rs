//! A question about a program -> an answer. Engines are behind one trait; who works when is decided by `check`.

pub mod embedded;
pub mod formula;
pub mod invariant;
pub mod sat;
pub mod sequential;
pub mod states;
pub mod tool;
pub mod walks;

use crate::analysis::addresses;
use crate::analysis::race::{Cleared, Suspects};
use crate::budget::Budget;
use crate::check::Bug;
use crate::diagnostic::Diagnostic;
use crate::execution::{Execution, Schedule};
use crate::il::interpret::{Code, Failure, TakenUnit};
use crate::il::{Operation, Program, StmtKind, walk};
use crate::isolate::Normalized;
use crate::limit::Bounded;
use crate::property::Property;
use crate::restriction::Restriction;
use crate::verdict::{Bounds, Completed};
use formula::Sizes;

/// Can the program fail in a way that is looked for?
pub struct Question<'a> {
    pub program: &'a Normalized,
    pub property: &'a Property,
    /// Only these accesses can race.
    pub suspects: &'a Suspects,
    pub scope: Scope<'a>,
    pub budget: Budget,
}

/// Which executions are asked about.
#[derive(Clone, Copy)]
pub enum Scope<'a> {
    /// Those of the bounded threads, in so many rounds, or a part of them; the order is that of the threads within a
    /// round.
    Bounded { threads: &'a Bounded, bounds: Bounds, order: &'a [usize], restriction: &'a Restriction },
    /// All of them.
    Whole,
}

/// Executions that an answer says nothing of.
#[derive(Clone, Debug)]
pub struct LeftOut {
    pub what: Vec<String>,
    /// With larger bounds there are fewer of them.
    pub by_bounds: bool,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.what.join("; "))
    }
}

#[derive(Debug)]
pub enum Answer {
    /// None of the executions asked about fails.
    NoBug,
    /// None of them fails, but for executions that were left out: which.
    NoBugBut(LeftOut),
    /// This one does, and the interpreter has executed it; `None` if a verifier found one and gave no trace.
    Bug(Option<Box<Execution>>),
    /// Time or memory is used up; with more of it there may be an answer.
    NotYet(String),
    /// It makes no sense to ask this engine again.
    GivenUp(String),
    /// The execution that was found fails before that, in a way that is not looked for.
    FailsOtherwise(Failure),
    /// The answer cannot be believed: a mistake of ours. What is wrong, and what helps to find it.
    Doubtful { why: String, details: String },
}

pub trait Engine {
    /// `Err` if the program has a construct that the engine does not support.
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic>;
}

/// What is said while the search goes on.
pub enum Progress {
    /// By one of several workers; 0 visits the states.
    Of {
        worker: usize,
        progress: Box<Progress>,
    },
    Trying {
        bounds: Bounds,
        threads: usize,
        steps: u32,
    },
    Done {
        bounds: Bounds,
        seconds: f64,
    },
    /// The embedded engine made a formula.
    Encoded(Sizes),
    /// And solved it, or gave up.
    Solved {
        sizes: Sizes,
        seconds: f64,
    },
    /// So many states were visited without bounds.
    Visited {
        states: usize,
        seconds: f64,
    },
    /// What was found out about data races before the search.
    Races(Cleared),
    /// Lines with bounds of their own that have no loop.
    NoSuchLoop(Vec<u32>),
    /// The largest bounds that are completed so far.
    Established(Completed),
    /// An error after which the search goes on.
    Found(Box<Bug>),
    /// Something that the user should know, but that changes no answer.
    Warning(String),
}

/// What the interpreter found on the whole program, executed once more, with a note of what happens.
fn repeated(code: &Code, patience: u64, failure: &Failure, units: &[TakenUnit]) -> Answer {
    match crate::execution::retrace(code, patience, failure, units) {
        Ok(execution) => Answer::Bug(Some(Box::new(execution))),
        Err(why) => Answer::Doubtful {
            why: format!("the execution found cannot be repeated ({why})"),
            details: format!("{units:?}"),
        },
    }
}

/// A bug counts if the interpreter fails in the same execution.
fn confirm(threads: &Bounded, schedule: &Schedule, property: &Property, finder: &str) -> Answer {
    match crate::execution::execute(threads, schedule, property) {
        Ok(execution) if property.wants(&execution.failure) => Answer::Bug(Some(Box::new(execution))),
        Ok(execution) => Answer::FailsOtherwise(execution.failure),
        Err(why) if takes_addresses(&threads.program) => Answer::GivenUp(format!(
            "the execution that {finder} found needs an address where nobody wrote one, and objects lie elsewhere when it \
             is executed ({why})"
        )),
        Err(why) => Answer::Doubtful {
            why: format!("the execution that {finder} found is not one of the program ({why})"),
            details: format!("{schedule:?}"),
        },
    }
}

/// May a value that nobody wrote be an address? That of a pointer, or of a number that is compared with one.
fn takes_addresses(program: &Program) -> bool {
    let mut takes = false;
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { to: Some(to), callee, .. } = &stmt.kind
                && program.operation(callee) == Some(Operation::Nondet)
            {
                takes |= program.types.pointee(to.ty).is_some();
            }
        });
    }
    takes || addresses::told(program).layout.is_some()
}
