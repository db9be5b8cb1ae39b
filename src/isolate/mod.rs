//! Normalizing: every statement becomes steps with at most one access to shared memory each.
//!
//! [`points_to`] says where pointers can point, [`sharing`] which memory two threads can reach, [`split`] rewrites.

pub mod points_to;
pub mod sharing;
mod split;

use crate::il::Program;

pub fn normalize(program: Program) -> Program {
    split::split(program)
}
