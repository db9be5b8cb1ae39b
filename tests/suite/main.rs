//! All tests in one binary: it compiles once, and every module is one kind of check.

mod agreement;
mod bounded;
mod command;
mod counterexamples;
mod csmith;
mod files;
mod formulas;
mod generator;
mod golden;
mod inputs;
mod interleavings;
mod invariants;
mod library;
mod mutations;
mod native;
mod page;
mod programs;
mod random;
mod reductions;
mod schemas;
mod support;
mod swarm;
mod tasks;
mod tidy;
mod verdicts;
mod waits;
