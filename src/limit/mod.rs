//! Normalized program -> bounded threads: no loops, no calls, one function per thread, visible steps marked.
//!
//! In: the program of single-access steps. Out: [`Bounded`], in which every jump goes forward, every step runs at most
//! once, every `pthread_create` has a copy of its start function of its own, and `visible` marks exactly the steps
//! before which a context switch is simulated (lazy-cseq-2021, section 2.4). Library models that are one step stay
//! calls; they are the stubs of the paper's fig. 7.

mod buffers;
mod dead;
mod fold;
mod mark;
mod structure;
mod stubs;
mod uninitialized;
mod unroll;

pub use mark::touched;
pub use structure::structure;
pub use unroll::{nondet_function, reads_arguments};

use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Span};
use crate::il::{FunctionId, Program, walk};
use crate::isolate::Normalized;
use crate::property::Property;

#[derive(Clone, Debug, PartialEq)]
pub struct BoundingOptions {
    /// Iterations of a loop, and nested calls of a function.
    pub unwind: u32,
    /// Iterations of a loop whose number is known.
    pub unwind_max: u32,
    /// Bounds of single loops: line and iterations.
    pub unwind_loops: Vec<(u32, u32)>,
    /// Threads besides `main`.
    pub threads: u32,
    /// Loops stay loops (those that create threads are unwound all the same).
    pub keep_loops: bool,
    /// What is looked for decides what must stay.
    pub property: Property,
    /// A thread goes no further than a function whose effect is not known.
    pub stop_at_unknown_functions: bool,
    /// For emitted programs, which take a step as a whole or not at all even if the thread ends in it by an error that is
    /// not looked for. Formulas know what came before it in the step.
    pub errors_close_steps: bool,
}

/// Threads besides `main` that are followed, if nothing else is said.
pub const USUAL_THREADS: u32 = 63;

impl Default for BoundingOptions {
    fn default() -> BoundingOptions {
        BoundingOptions {
            unwind: 2,
            unwind_max: 64,
            unwind_loops: Vec::new(),
            threads: USUAL_THREADS,
            keep_loops: false,
            property: Property::default(),
            stop_at_unknown_functions: false,
            errors_close_steps: false,
        }
    }
}

/// Only [`limit`] makes one.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// One function per thread, stubs, and operations.
    pub program: Program,
    /// `main` first, then in the order in which their creations stand.
    pub threads: Vec<Thread>,
    pub cuts: Vec<Cut>,
    /// The thread that stands for all that are created beyond the bound: they exist and never run.
    pub sleeper: Option<usize>,
    /// Lines that were given a bound of their own, but have no loop that is unwound.
    pub without_loop: Vec<u32>,
    /// How it was made.
    pub options: BoundingOptions,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub function: FunctionId,
    /// The name of its start function in the user's program.
    pub start: String,
    /// The thread that creates it.
    pub parent: usize,
    /// Number of its visible steps; the first is its beginning.
    pub steps: u32,
    /// It takes stores of this thread to memory, and is none of the program.
    pub buffer_of: Option<usize>,
}

/// What the bound left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    pub kind: CutKind,
    pub span: Span,
    pub bound: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutKind {
    Loop,
    Recursion,
    Threads,
    /// The models of the library know no more.
    Model,
    /// A loop that stayed a loop: the verifier itself follows it.
    KeptLoop,
}

/// Why there is no bounded program.
#[derive(Debug)]
pub enum LimitError {
    /// A construct that cannot be bounded.
    Unsupported(Diagnostic),
    /// More statements than any verifier would take.
    TooLarge { statements: usize },
    /// Time or memory is used up, or the user does not want to wait.
    GaveUp(String),
}

impl From<Diagnostic> for LimitError {
    fn from(diagnostic: Diagnostic) -> LimitError {
        LimitError::Unsupported(diagnostic)
    }
}

pub fn limit(program: &Normalized, options: &BoundingOptions, budget: &Budget) -> Result<Bounded, LimitError> {
    let mut structured = structure::structure(Program::clone(program))?;
    walk::number(&mut structured);
    let mut bounded = unroll::unroll(&structured, options, budget)?;
    // What nobody reads would cost a value or a switch.
    if !options.property.keeps_unread() {
        dead::drop_dead_locals(&mut bounded.program);
    }
    go_on(budget)?;
    uninitialized::give_any_value(&mut bounded.program);
    uninitialized::hoist_declarations(&mut bounded.program);
    if let Some(buffering) = bounded.program.buffering {
        walk::number(&mut bounded.program);
        let seen = mark::seen(&bounded, buffering, budget)?;
        buffers::buffer(&mut bounded, buffering, &seen)?;
        uninitialized::hoist_declarations(&mut bounded.program);
    }
    mark::mark(&mut bounded, budget)?;
    crate::il::validate::check(&bounded.program);
    Ok(bounded)
}

/// Is there time and memory left?
fn go_on(budget: &Budget) -> Result<(), LimitError> {
    budget.exceeded().map_or(Ok(()), |reason| Err(LimitError::GaveUp(reason)))
}

impl Bounded {
    /// The loops and calls that the bound cut, for people: one line each, in the order of the program.
    pub fn cut_lines(&self) -> Vec<String> {
        let mut cuts: Vec<&Cut> = self.cuts.iter().collect();
        cuts.sort_by_key(|cut| (cut.span.start, cut.kind as u8));
        cuts.dedup();
        let times = |count: u32| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        cuts.iter()
            .map(|cut| {
                let location = self.program.source.location(cut.span);
                match cut.kind {
                    CutKind::KeptLoop => {
                        format!("{location}: the loop is followed {} in every context", times(cut.bound))
                    }
                    CutKind::Loop => format!("{location}: the loop is followed {} only", times(cut.bound)),
                    CutKind::Recursion => {
                        format!("{location}: the recursive call is followed {} only", times(cut.bound))
                    }
                    CutKind::Threads => {
                        format!("{location}: threads beyond the first {} exist, but never run", cut.bound)
                    }
                    CutKind::Model => format!("{location}: not followed beyond what is modelled of the library"),
                }
            })
            .collect()
    }
}
