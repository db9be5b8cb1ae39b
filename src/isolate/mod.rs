//! Finds the memory that threads share and splits statements into steps.
use crate::il::Program;
pub fn normalize(program: Program) -> Program { program }
