//! Bounded threads -> one sequential C program that behaves the same, for any verifier of sequential C.
//!
//! One schema per file: [`lazy`] (lazy-cseq-2021), [`ul`] (ul-cseq-2016) and [`lr`] (lr-cseq-2013). [`text`] writes
//! what they share: the verifier's vocabulary, types, variables, stubs and plain statements.

pub mod backend;
mod lazy;
mod lr;
mod text;
mod ul;

use crate::diagnostic::{Diagnostic, Result};
use crate::limit::Bounded;
use crate::restriction::Restriction;
use backend::Backend;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    Lazy,
    Ul,
    Lr,
}

impl Schema {
    /// Does the schema work on threads with loops?
    pub fn keeps_loops(self) -> bool {
        self == Schema::Ul
    }

    pub fn name(self) -> &'static str {
        match self {
            Schema::Lazy => "lazy",
            Schema::Ul => "ul",
            Schema::Lr => "lr",
        }
    }
}

#[derive(Clone, Debug)]
pub struct SequentializeOptions {
    pub schema: Schema,
    /// `None`: as many as it takes (`ul` only).
    pub rounds: Option<u32>,
    /// The order of the threads within a round; those not named follow in the order of their creation.
    pub order: Vec<usize>,
    /// Which interleavings (`lazy` only).
    pub restriction: Restriction,
    pub backend: &'static Backend,
    /// How the bounds were, for the first lines of the output.
    pub title: String,
}

/// The variables of the simulation that tell which execution a run of it is.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The thread that runs.
    pub thread: String,
    /// Where it stops, or (lr) where it goes on in a later round.
    pub position: String,
    /// The round, where threads run one after the other (lr).
    pub round: Option<String>,
}

/// Bounded threads -> the text of a sequential C program.
pub fn sequentialize(bounded: &Bounded, options: &SequentializeOptions) -> Result<(String, Watched)> {
    let order = complete_order(bounded, &options.order)?;
    if options.restriction != Restriction::All && options.schema != Schema::Lazy {
        return Err(Diagnostic::plain("only --schema lazy can be restricted to a part of the interleavings"));
    }
    match options.schema {
        Schema::Lazy => lazy::lazy(bounded, options, &order),
        Schema::Ul => ul::ul(bounded, options, &order),
        Schema::Lr => lr::lr(bounded, options, &order),
    }
}

pub fn complete_order(bounded: &Bounded, wanted: &[usize]) -> Result<Vec<usize>> {
    let count = bounded.threads.len();
    let mut order = Vec::new();
    for thread in wanted {
        if *thread >= count {
            let text = format!("the schedule names thread {thread}, but there are only {count} (0 is main)");
            return Err(Diagnostic::plain(text));
        }
        if order.contains(thread) {
            return Err(Diagnostic::plain(format!("the schedule names thread {thread} twice")));
        }
        order.push(*thread);
    }
    // Stores reach memory before their thread goes on; main begins first all the same.
    let buffers = |of: usize| (0..count).filter(move |thread| bounded.threads[*thread].buffer_of == Some(of));
    for thread in (0..count).filter(|thread| bounded.threads[*thread].buffer_of.is_none() && !wanted.contains(thread)) {
        order.extend(buffers(thread).filter(|_| thread != 0));
        order.push(thread);
        order.extend(buffers(thread).filter(|_| thread == 0));
    }
    order.extend((0..count).filter(|thread| !order.contains(thread)).collect::<Vec<_>>());
    Ok(order)
}
