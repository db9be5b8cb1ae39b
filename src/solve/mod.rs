//! A sequential program -> an answer about it.

pub mod formula;
pub mod sat;
pub mod states;
pub mod tool;
