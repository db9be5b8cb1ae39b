//! unthread: finds the bugs in threaded C programs that only some interleaving shows.
//!
//! The whole flow: [`read`] makes the core program, [`normalize`] splits it into steps, [`limit::limit`] bounds it, and
//! [`check::check`] asks engines ([`solve`]) about it for growing bounds. [`witness`] makes a counterexample of what they
//! found. ARCHITECTURE.md has the map.

pub mod analysis;
pub mod budget;
pub mod c;
pub mod check;
pub mod diagnostic;
pub mod execution;
pub mod il;
pub mod isolate;
pub mod limit;
pub mod process;
pub mod property;
pub mod restriction;
pub mod sequentialize;
pub mod solve;
pub mod source;
pub mod swarm;
pub mod unwritten;
pub mod verdict;
pub mod witness;

use diagnostic::{Diagnostic, Result};
use il::{DataModel, Program};
use isolate::Normalized;
use source::Source;

/// For the threads that do the work: deep expressions recurse, and the parser refuses what would not fit.
pub const STACK_BYTES: usize = 1 << 30;

/// A program that was read, with the warnings about it.
pub struct Read {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}

/// Why a text could not be read: the message and the text it points into.
#[derive(Debug)]
pub struct ReadError {
    pub diagnostic: Diagnostic,
    pub source: Source,
}

/// Preprocessed C text -> core program.
pub fn read(name: &str, text: String, data_model: DataModel) -> std::result::Result<Read, Box<ReadError>> {
    let mut source = Source::new(name.to_owned(), text);
    match read_source(&mut source, data_model) {
        Ok(read) => Ok(read),
        Err(diagnostic) => Err(Box::new(ReadError { diagnostic, source })),
    }
}

fn read_source(source: &mut Source, data_model: DataModel) -> Result<Read> {
    let (mut lexed, fault) = c::lex::lex(source);
    source.markers = std::mem::take(&mut lexed.markers);
    if let Some(fault) = fault {
        return Err(fault);
    }
    let units = c::parse::parse(source, &lexed)?;
    let mut lowered = c::lower::lower(source, &units, data_model)?;
    il::walk::number(&mut lowered.program);
    il::validate::check(&lowered.program);
    Ok(Read { program: lowered.program, warnings: lowered.warnings })
}

/// Splits every statement into steps with at most one access to memory that threads share.
pub fn normalize(program: Program) -> Normalized {
    isolate::normalize(program)
}
