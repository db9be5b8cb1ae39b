//! C text -> core language: preprocess, lex, parse, lower.

pub mod ast;
mod constant;
pub mod flags;
pub mod lex;
pub mod lower;
pub mod model;
pub mod parse;
pub mod preprocess;
pub mod project;
