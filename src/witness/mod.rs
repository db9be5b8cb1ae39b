//! Counterexamples: from an execution of the bounded threads to one of the user's program that a person can follow.

pub mod document;
pub mod follow;
pub mod minimize;
pub mod page;
pub mod replay;
mod story;
pub mod text;
pub mod trace;

use crate::budget::Budget;
use crate::execution::Execution;
use crate::il::Program;
use crate::il::interpret::{Code, Failure};
use crate::property::Property;
use follow::Astray;

/// The plainest execution of the whole program that fails as an execution of the bounded threads does, and how it fails.
pub fn explain(
    program: &Program,
    execution: &Execution,
    property: &Property,
    budget: &Budget,
) -> Result<(trace::Trace, Failure), Astray> {
    let code = Code::looking_for(program, property);
    let (plan, failure) = follow::follow(program, &code, execution, property, budget)?;
    let failure = follow::execute(&code, &plan, false).map_or(failure, |ran| ran.failure);
    let plan = minimize::minimize(&code, &plan, &failure);
    let ran = follow::run(&code, &plan).map_err(Astray::Elsewhere)?;
    Ok((trace::trace(program, &plan, &ran), ran.failure))
}

/// How the whole program fails where an execution of the bounded threads does.
pub fn confirm(
    program: &Program,
    execution: &Execution,
    property: &Property,
    budget: &Budget,
) -> Result<Failure, Astray> {
    let code = Code::looking_for(program, property);
    let (plan, failure) = follow::follow(program, &code, execution, property, budget)?;
    Ok(follow::execute(&code, &plan, false).map_or(failure, |ran| ran.failure))
}
