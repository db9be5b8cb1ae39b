//! The words of an answer, what they mean, and how several answers become one.
//!
//! - `bug`: a real execution reaches the error.
//! - `no-bug`: none does within the stated bounds, or under what the report says was assumed or not followed.
//! - `proved`: none does at all, and nothing was left out to say so: no bound, no undefined behaviour after which an
//!   execution was not followed, no function of unknown effect, no weaker memory order than was followed.
//! - `unknown`: given up, with the reason; also when the user interrupts.
//!
//! Joining the answers for growing bounds: a bug decides; else the largest bounds that were completed count
//! ([`Completed::largest`]); without any it is unknown. A timeout, a crash or something unsupported is never `no-bug`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Bug,
    NoBug,
    Proved,
    Unknown,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Bug => "bug",
            Verdict::NoBug => "no-bug",
            Verdict::Proved => "proved",
            Verdict::Unknown => "unknown",
        }
    }

    pub fn exit_status(self) -> u8 {
        match self {
            Verdict::NoBug | Verdict::Proved => 0,
            Verdict::Bug => 1,
            Verdict::Unknown => 3,
        }
    }
}

/// How far was looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    pub unwind: u32,
    pub unwind_max: u32,
    pub rounds: u32,
}

/// Bounds within which there is no bug, and what they cut.
#[derive(Clone, Debug)]
pub struct Completed {
    pub bounds: Bounds,
    pub cuts: Vec<String>,
}

impl Completed {
    /// Do these bounds include others? Where nothing is cut, only more rounds can show something new.
    pub fn covers(&self, other: &Bounds) -> bool {
        let larger = self.bounds.unwind >= other.unwind && self.bounds.unwind_max >= other.unwind_max;
        self.bounds.rounds >= other.rounds && (larger || self.cuts.is_empty())
    }

    /// The ones that say most about the program.
    pub fn largest(all: &[Completed]) -> Option<&Completed> {
        all.iter().max_by_key(|done| u64::from(done.bounds.unwind) * u64::from(done.bounds.rounds))
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Bounds { unwind, rounds, unwind_max } = self;
        write!(out, "unwind {unwind} ({unwind_max} where the number of iterations is known), rounds {rounds}")
    }
}
