//! What is looked for: the kinds of errors, and what memory does. Every stage asks the property; none guesses it from
//! other options.

use crate::diagnostic::Span;
use crate::il::Buffering;
use crate::il::interpret::{Failure, FailureKind};

/// A kind of error, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    Assertion,
    Lock,
    Thread,
    Memory,
    Division,
    Deadlock,
    Race,
    Abort,
    Overflow,
    Leak,
    Cleanup,
}

impl ErrorKind {
    pub const ALL: &'static [ErrorKind] = &[
        ErrorKind::Assertion,
        ErrorKind::Lock,
        ErrorKind::Thread,
        ErrorKind::Memory,
        ErrorKind::Division,
        ErrorKind::Deadlock,
        ErrorKind::Race,
        ErrorKind::Abort,
        ErrorKind::Overflow,
        ErrorKind::Leak,
        ErrorKind::Cleanup,
    ];

    /// The word on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Assertion => "assertion",
            ErrorKind::Lock => "lock",
            ErrorKind::Thread => "thread",
            ErrorKind::Memory => "memory",
            ErrorKind::Division => "division",
            ErrorKind::Deadlock => "deadlock",
            ErrorKind::Race => "race",
            ErrorKind::Abort => "abort",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Leak => "leak",
            ErrorKind::Cleanup => "cleanup",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            ErrorKind::Assertion => "failed assertions and error calls",
            ErrorKind::Lock => "wrong use of locks",
            ErrorKind::Thread => "wrong use of threads",
            ErrorKind::Memory => "undefined use of memory",
            ErrorKind::Division => "division by zero",
            ErrorKind::Deadlock => "deadlocks",
            ErrorKind::Race => "data races",
            ErrorKind::Abort => "calls of abort",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Leak => "leaks",
            ErrorKind::Cleanup => "memory left at the end",
        }
    }

    /// What it covers, for the help.
    pub fn explanation(self) -> &'static str {
        match self {
            ErrorKind::Assertion => "A failed assert, or a call of reach_error, __VERIFIER_error or __assert_fail",
            ErrorKind::Lock => "Wrong use of a lock, such as unlocking what another thread holds",
            ErrorKind::Thread => "Joining what is no thread, or twice, or what is detached",
            ErrorKind::Memory => {
                "Null and wild pointers, accesses beyond the end, use after free, locals out of scope, calls through \
                 pointers to no function"
            }
            ErrorKind::Division => "Division by zero, or a quotient that does not fit its type",
            ErrorKind::Deadlock => "No thread can go on: they wait for each other, or for what never comes",
            ErrorKind::Race => {
                "Two threads access the same bytes at the same time, one writes, and not both are atomic"
            }
            ErrorKind::Abort => "A call of abort, or __builtin_unreachable",
            ErrorKind::Overflow => {
                "A signed result that its type cannot hold, a shift by too many places, a floating point number that does \
                 not fit the integer it is converted to"
            }
            ErrorKind::Leak => "Memory of the heap that nobody can reach any more when the process ends",
            ErrorKind::Cleanup => "Any memory of the heap that is not given back when the process ends",
        }
    }

    /// The failures of the interpreter that belong to it.
    pub fn failures(self) -> &'static [FailureKind] {
        match self {
            ErrorKind::Assertion => &[FailureKind::Assertion, FailureKind::ErrorCall],
            ErrorKind::Lock => &[FailureKind::LockMisuse],
            ErrorKind::Thread => &[FailureKind::ThreadMisuse],
            ErrorKind::Memory => &[FailureKind::Memory],
            ErrorKind::Division => &[FailureKind::DivisionByZero],
            ErrorKind::Deadlock => &[FailureKind::Deadlock],
            ErrorKind::Race => &[FailureKind::Race],
            ErrorKind::Abort => &[FailureKind::Abort, FailureKind::Unreachable],
            ErrorKind::Overflow => &[FailureKind::Overflow],
            ErrorKind::Leak => &[FailureKind::Leak],
            ErrorKind::Cleanup => &[FailureKind::Left],
        }
    }

    /// The kind that a failure belongs to; none for what is beyond the models.
    pub fn of(failure: FailureKind) -> Option<ErrorKind> {
        ErrorKind::ALL.iter().copied().find(|kind| kind.failures().contains(&failure))
    }
}

/// What accesses of different threads to the same memory do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryModel {
    /// As the program says; orders weaker than seq_cst are not followed yet, so that nothing is proved with them.
    AsWritten,
    /// All accesses are sequentially consistent.
    Sc,
    /// Stores wait in a buffer of their thread and reach memory later, in their order (x86).
    Tso,
    /// The same, in their order for each location (SPARC's PSO).
    Pso,
}

impl MemoryModel {
    pub fn buffering(self) -> Option<Buffering> {
        match self {
            MemoryModel::AsWritten | MemoryModel::Sc => None,
            MemoryModel::Tso => Some(Buffering::Tso),
            MemoryModel::Pso => Some(Buffering::Pso),
        }
    }
}

/// The kinds of errors that are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// In the order of [`ErrorKind::ALL`], each once.
    kinds: Vec<ErrorKind>,
    /// Single failures beside these.
    others: Vec<FailureKind>,
    /// Not these any more.
    known: Vec<Known>,
}

/// A failure that was found before: the same kind in the same place is not looked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    At(FailureKind, Span),
    Race(Span, Span),
    /// Threads wait in these places, and nowhere else.
    Deadlock(Vec<Span>),
}

impl Default for Property {
    /// All but calls of `abort`, which many programs make on purpose, overflow, which many take to wrap, and leaks: the
    /// end of the process gives everything back.
    fn default() -> Property {
        let special = [ErrorKind::Abort, ErrorKind::Overflow, ErrorKind::Leak, ErrorKind::Cleanup];
        Property::new(ErrorKind::ALL.iter().copied().filter(|kind| !special.contains(kind)))
    }
}

/// Where an execution is not followed any further, although C or POSIX do not say that it ends there.
const NOT_FOLLOWED: &[FailureKind] = &[
    FailureKind::Memory,
    FailureKind::DivisionByZero,
    FailureKind::ThreadMisuse,
    FailureKind::LockMisuse,
    FailureKind::Unreachable,
    FailureKind::ErrorCall,
    FailureKind::Unsupported,
];

impl Property {
    pub fn new(kinds: impl IntoIterator<Item = ErrorKind>) -> Property {
        let mut kinds: Vec<ErrorKind> = kinds.into_iter().collect();
        kinds.sort_unstable();
        kinds.dedup();
        Property { kinds, others: Vec::new(), known: Vec::new() }
    }

    /// The same about one kind alone.
    pub fn only(&self, kind: ErrorKind) -> Property {
        Property { kinds: self.kinds.iter().copied().filter(|other| *other == kind).collect(), ..self.clone() }
    }

    /// All but a failure that was found.
    pub fn beside(&self, failure: &Failure) -> Property {
        let mut property = self.clone();
        property.known.push(match &failure.race {
            Some(race) => Known::Race(race.first.span, race.second.span),
            None if failure.kind == FailureKind::Deadlock => Known::Deadlock(failure.waits.clone()),
            None => Known::At(failure.kind, failure.span),
        });
        property
    }

    /// Is it looked for, and not known?
    /// With failures that are not looked for and come before what is: executions that fail so are left out.
    pub fn past(&self, failures: &[Failure]) -> Property {
        let mut property = self.clone();
        for failure in failures {
            property.others.push(failure.kind);
            property = property.beside(failure);
        }
        property
    }

    pub fn wants(&self, failure: &Failure) -> bool {
        self.looks_for(failure.kind)
            && match &failure.race {
                Some(race) => self.wants_race(race.first.span, race.second.span),
                None if failure.kind == FailureKind::Deadlock => {
                    let more = |known: &[Span]| failure.waits.iter().any(|place| !known.contains(place));
                    let less = |known: &[Span]| known.iter().any(|place| !failure.waits.contains(place));
                    self.known_deadlocks().all(|known| more(known) && less(known))
                }
                None => self.wants_at(failure.kind, failure.span),
            }
    }

    pub fn wants_at(&self, kind: FailureKind, span: Span) -> bool {
        self.looks_for(kind) && !self.known.contains(&Known::At(kind, span))
    }

    pub fn wants_race(&self, a: Span, b: Span) -> bool {
        self.looks_for(FailureKind::Race)
            && !self.known.contains(&Known::Race(a, b))
            && !self.known.contains(&Known::Race(b, a))
    }

    /// Where threads wait in the deadlocks that are known.
    pub fn known_deadlocks(&self) -> impl Iterator<Item = &[Span]> {
        self.known.iter().filter_map(|known| match known {
            Known::Deadlock(places) => Some(&places[..]),
            Known::At(..) | Known::Race(..) => None,
        })
    }

    /// Without one kind.
    pub fn without(&self, kind: ErrorKind) -> Property {
        Property { kinds: self.kinds.iter().copied().filter(|other| *other != kind).collect(), ..self.clone() }
    }

    pub fn all() -> Property {
        Property::new(ErrorKind::ALL.iter().copied())
    }

    /// What emitted programs can look for.
    pub fn of_emitted_programs() -> Property {
        Property::new([ErrorKind::Assertion, ErrorKind::Lock])
    }

    pub fn kinds(&self) -> &[ErrorKind] {
        &self.kinds
    }

    /// The kinds that are not looked for.
    pub fn others(&self) -> impl Iterator<Item = ErrorKind> + '_ {
        ErrorKind::ALL.iter().copied().filter(|kind| !self.contains(*kind))
    }

    pub fn contains(&self, kind: ErrorKind) -> bool {
        self.kinds.contains(&kind)
    }

    pub fn looks_for(&self, failure: FailureKind) -> bool {
        self.kinds.iter().any(|kind| kind.failures().contains(&failure)) || self.others.contains(&failure)
    }

    /// With all failures after which an execution is not followed any further although it may go on: only without
    /// these nothing is left out. `None` if all of them are looked for. `limits`: there are models in it that say where
    /// they end.
    pub fn with_what_is_not_followed(&self, limits: bool) -> Option<Property> {
        let matters = |kind: &FailureKind| !self.looks_for(*kind) && (limits || *kind != FailureKind::Unsupported);
        let others: Vec<FailureKind> = NOT_FOLLOWED.iter().copied().filter(matters).collect();
        (!others.is_empty()).then(|| Property { others, ..self.clone() })
    }

    /// Does it ask what is left at the end? Formulas know nothing of that.
    pub fn asks_what_is_left(&self) -> bool {
        self.contains(ErrorKind::Leak) || self.contains(ErrorKind::Cleanup)
    }

    /// Does it ask about nothing else?
    pub fn asks_only_what_is_left(&self) -> bool {
        self.kinds.iter().all(|kind| matches!(kind, ErrorKind::Leak | ErrorKind::Cleanup)) && self.others.is_empty()
    }

    /// Where a thread waits there is a step, even if only it can end the wait.
    pub fn waits_are_steps(&self) -> bool {
        self.contains(ErrorKind::Deadlock)
    }

    /// What nobody reads is computed all the same: that may fail.
    pub fn keeps_unread(&self) -> bool {
        !self.others.is_empty() || self.kinds.iter().any(|kind| !Property::of_emitted_programs().contains(*kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_of_a_program_belongs_to_one_kind() {
        let all = [
            FailureKind::Assertion,
            FailureKind::ErrorCall,
            FailureKind::LockMisuse,
            FailureKind::ThreadMisuse,
            FailureKind::Deadlock,
            FailureKind::Race,
            FailureKind::Memory,
            FailureKind::DivisionByZero,
            FailureKind::Overflow,
            FailureKind::Leak,
            FailureKind::Left,
            FailureKind::Unreachable,
            FailureKind::Abort,
        ];
        for failure in all {
            let kinds = ErrorKind::ALL.iter().filter(|kind| kind.failures().contains(&failure)).count();
            assert_eq!(kinds, 1, "{failure:?}");
            assert!(Property::all().looks_for(failure));
        }
        assert_eq!(ErrorKind::of(FailureKind::Unsupported), None);
    }

    #[test]
    fn nothing_is_left_out_where_all_undefined_behaviour_is_looked_for() {
        let wider = Property::new([ErrorKind::Thread]).with_what_is_not_followed(true).expect("there is more");
        assert!(NOT_FOLLOWED.iter().all(|kind| wider.looks_for(*kind)));
        // These end the process, so that nothing comes after them.
        assert!(!wider.looks_for(FailureKind::Abort) && !wider.looks_for(FailureKind::Assertion));
        assert!(!wider.looks_for(FailureKind::Deadlock));
        assert_eq!(Property::all().with_what_is_not_followed(false), None);
        let limits = Property::all().with_what_is_not_followed(true).expect("the models end somewhere");
        assert!(limits.looks_for(FailureKind::Unsupported));
    }
}
