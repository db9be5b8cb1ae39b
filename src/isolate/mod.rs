//! Normalizing: every statement becomes steps with at most one access to shared memory each.

mod split;

use crate::il::Program;

pub fn normalize(program: Program) -> Program {
    split::split(program)
}
