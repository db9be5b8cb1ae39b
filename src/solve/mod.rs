//! A sequential program -> an answer about it.

pub mod check;
pub mod tool;
