//! Which pairs of accesses may race: what this analysis cannot clear is handed to the engines as suspects.

use crate::diagnostic::Span;
use rustc_hash::FxHashSet;

/// Pairs of places in the program whose accesses may race.
#[derive(Clone, Debug)]
pub enum Suspects {
    All,
    /// Each pair once, the earlier place first.
    Pairs(FxHashSet<(Span, Span)>),
}

impl Suspects {
    pub fn contains(&self, a: Span, b: Span) -> bool {
        match self {
            Suspects::All => true,
            Suspects::Pairs(pairs) => pairs.contains(&if a <= b { (a, b) } else { (b, a) }),
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Suspects::Pairs(pairs) if pairs.is_empty())
    }
}
