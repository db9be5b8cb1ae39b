//! Normalizing: every statement becomes steps with at most one access to shared memory each.

mod split;

use crate::analysis::drains;
use crate::il::{Program, validate, walk};
use crate::property::MemoryModel;

/// A program of single-access steps, its statements numbered. Only [`normalize`] makes one.
#[derive(Clone, Debug)]
pub struct Normalized(Program);

impl std::ops::Deref for Normalized {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

impl Normalized {
    pub fn into_program(self) -> Program {
        self.0
    }

    /// The same where memory behaves so: where stores wait in buffers, threads wait for these as well.
    pub fn under(mut self, model: MemoryModel) -> Normalized {
        self.0.buffering = model.buffering();
        drains::make_steps(&mut self.0);
        self
    }

    /// The same where memory that was freed is never given out again, as in formulas. For tests of these.
    pub fn with_new_memory_only(mut self) -> Normalized {
        self.0.told.reuse = None;
        self
    }
}

pub fn normalize(program: Program) -> Normalized {
    numbered(split::split(program, false))
}

/// With a switch at every access to memory, whoever shares it: the same behaviour by more steps. For tests of
/// [`normalize`], which must not leave out any that matters.
pub fn normalize_everywhere(program: Program) -> Normalized {
    numbered(split::split(program, true))
}

fn numbered(mut normalized: Program) -> Normalized {
    walk::number(&mut normalized);
    for function in &mut normalized.functions {
        // Copies of a statement keep this number.
        walk::statements_mut(&mut function.body, &mut |stmt| stmt.origin = stmt.id.0);
    }
    validate::check(&normalized);
    Normalized(normalized)
}
