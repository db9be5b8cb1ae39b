//! Many small questions instead of a large one: the interleavings within some bounds are split into instances that are
//! decided anywhere, any number of times, with the same result (VeriSmart, verismart-2017).
//!
//! Everything is in a folder that all machines see: [`plan`] says what the instances are, [`results`] has one file for
//! some of them that are done, [`work`] does them, and [`control`] sees to it that all are done. Nobody claims an
//! instance, and there is no server: what has a result is done, and what is done twice has two equal results.

pub mod control;
pub mod figures;
pub mod page;
pub mod plan;
pub mod results;
pub mod slurm;
pub mod work;
