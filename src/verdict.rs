//! The words of an answer, what they mean, and how several answers become one.
//!
//! - `bug`: a real execution reaches the error.
//! - `no-bug`: none does within the stated bounds.
//! - `proved`: none does at all.
//! - `unknown`: given up, with the reason.
//!
//! Joining the answers for growing bounds: a bug decides; else the largest bounds that were completed count; without
//! any it is unknown. A timeout, a crash or something unsupported is never `no-bug`.

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

impl std::fmt::Display for Bounds {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Bounds { unwind, rounds, unwind_max } = self;
        write!(out, "unwind {unwind} ({unwind_max} where the number of iterations is known), rounds {rounds}")
    }
}
