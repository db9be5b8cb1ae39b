//! Which pairs of accesses may race, for any number of steps: what this analysis clears needs no bounds, and what it
//! cannot clear is handed to the engines as suspects.
//!
//! [`walk`] notes every access to memory that threads share. Two of them do not race if
//! - both are atomic, or neither writes;
//! - their threads never run at the same time: `main` creates and joins, and knows who is alive;
//! - they touch different memory: other objects, other bytes of one, other members of structures of one type;
//! - both threads surely hold the same lock, and not both for reading ([`value::Protection`]).
//!
//! It is about executions up to their first undefined behaviour of another kind: a pointer that leaves its object, a lock
//! that somebody else gives back, a structure that is seen as another one may do anything. Whoever says `proved` with
//! it says so.

mod commute;
mod value;
mod walk;

use super::points_to::{Object, ObjectId, points_to};
use super::sharing::{sharing, written_globals};
use crate::diagnostic::Span;
use crate::il::{ObjectAction, Program, walk as statements};
use crate::limit::structure;
use commute::adding_sections;
use rustc_hash::{FxHashMap, FxHashSet};
use walk::{Access, Walked, walk_all};

/// Pairs of places in the program whose accesses may race.
#[derive(Clone, Debug)]
pub enum Suspects {
    All,
    /// Each pair once, the earlier place first.
    Pairs(FxHashSet<(Span, Span)>),
}

/// How many pairs of accesses to the same memory were cleared, by the first reason that was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cleared {
    /// Accesses to shared memory, each once per situation.
    pub accesses: usize,
    /// Pairs of accesses of which at least one writes.
    pub pairs: usize,
    pub both_atomic: usize,
    pub not_at_the_same_time: usize,
    pub different_memory: usize,
    pub same_lock: usize,
    /// Those that are left.
    pub suspects: usize,
}

impl std::fmt::Display for Cleared {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Cleared { pairs, both_atomic, not_at_the_same_time, different_memory, same_lock, suspects, .. } = self;
        write!(
            out,
            "{pairs} pairs of accesses to shared memory: {both_atomic} are atomic, {not_at_the_same_time} never at the \
             same time, {different_memory} of different memory, {same_lock} under the same lock, {suspects} suspects"
        )
    }
}

impl Suspects {
    pub fn contains(&self, a: Span, b: Span) -> bool {
        match self {
            Suspects::All => true,
            Suspects::Pairs(pairs) => pairs.contains(&ordered(a, b)),
        }
    }

    /// Nothing can race.
    pub fn is_empty(&self) -> bool {
        matches!(self, Suspects::Pairs(pairs) if pairs.is_empty())
    }
}

fn ordered(a: Span, b: Span) -> (Span, Span) {
    if a <= b { (a, b) } else { (b, a) }
}

/// More pairs are not looked at one by one.
const MOST_PAIRS: usize = 20_000_000;

/// Which accesses of a normalized program may race.
pub fn suspects(program: &Program) -> (Suspects, Cleared) {
    analysed(program).map_or((Suspects::All, Cleared::default()), |walked| compare(&walked))
}

pub struct Contended {
    pub places: FxHashSet<Span>,
    /// Where threads are joined that surely can be joined then.
    pub right_joins: FxHashSet<Span>,
}

/// Places in the program whose accesses may come at the same time as others to the same memory of which one writes, be
/// they atomic or not; `None` if that is not known. Whoever stands before any other access may take it at once: nobody
/// else can do anything before it that would make a difference. `wraps`: arithmetic never fails.
pub fn contended(program: &Program, wraps: bool) -> Option<Contended> {
    let mut walked = analysed(program)?;
    let right_joins = std::mem::take(&mut walked.walked.right_joins);
    let contended = contended_with(&walked, &FxHashSet::default());
    if !wraps {
        return Some(Contended { places: contended, right_joins });
    }
    // Sections commute only if they are the only ones who touch what they protect: not if somebody has another lock.
    let sections = adding_sections(program).into_iter();
    let alone = sections.filter(|section| !section.inside.iter().any(|span| contended.contains(span)));
    let commuting: FxHashSet<Span> = alone.map(|section| section.taken).collect();
    Some(Contended { places: contended_with(&walked, &commuting), right_joins })
}

/// `commuting`: the calls that take a lock for a section that commutes with all others of these.
fn contended_with(walked: &Analysed, commuting: &FxHashSet<Span>) -> FxHashSet<Span> {
    let mut contended = FxHashSet::default();
    for (a, b) in &walked.pairs {
        let (a, b) = (&walked.accesses[*a], &walked.accesses[*b]);
        if at_the_same_time(a, b, &walked.together) && !different_memory(a, b) && !same_lock(a, b) {
            contended.extend(minds(a, b, commuting).then_some(a.span));
            contended.extend(minds(b, a, commuting).then_some(b.span));
        }
    }
    contended
}

/// Does it make a difference to an access whether another one comes before it? Who gives a lock back has it until then:
/// others who want it can only wait, and who gives back what is not his fails in any case. Who takes a lock for a section
/// that commutes with all others who may take it at the same time may be the first of them.
fn minds(access: &Access, other: &Access, commuting: &FxHashSet<Span>) -> bool {
    match (access.does, other.does) {
        (Some(ObjectAction::Unlocks), Some(ObjectAction::Locks | ObjectAction::Unlocks)) => false,
        (Some(ObjectAction::Locks), Some(ObjectAction::Unlocks)) => !commuting.contains(&access.span),
        (Some(ObjectAction::Locks), Some(ObjectAction::Locks)) => {
            !commuting.contains(&access.span) || !commuting.contains(&other.span)
        }
        _ => true,
    }
}

/// What was found, and all pairs of accesses that may touch the same object, of which one writes.
struct Analysed {
    walked: Walked,
    pairs: FxHashSet<(usize, usize)>,
}

impl std::ops::Deref for Analysed {
    type Target = Walked;

    fn deref(&self) -> &Walked {
        &self.walked
    }
}

/// `None` if the program is too large, or jumps in a way that is not followed.
fn analysed(program: &Program) -> Option<Analysed> {
    let mut program = structure(program.clone()).ok()?;
    statements::number(&mut program);
    let points_to = points_to(&program);
    let sharing = sharing(&program);
    // What is never written while there are several threads, as far as the first walk tells.
    let first = walk_all(&program, &points_to, &sharing, &FxHashSet::default(), &FxHashSet::default())?;
    let written: FxHashSet<ObjectId> =
        first.accesses.iter().filter(|access| access.write).flat_map(|access| access.objects.iter().copied()).collect();
    let anything = first.accesses.iter().any(|access| access.write && access.objects.is_empty());
    let ever = written_globals(&program, &points_to);
    let stable = points_to.objects.iter().enumerate().filter(|(object, kind)| match kind {
        Object::Global(id) => {
            let noted = sharing.shares(*object) && !written.contains(object);
            !anything && !program.global(*id).thread_local && (noted || !ever.contains(id))
        }
        Object::Local(..) | Object::Function(_) | Object::Heap(..) => false,
    });
    let stable: FxHashSet<ObjectId> = stable.map(|(object, _)| object).collect();
    let walked = walk_all(&program, &points_to, &sharing, &stable, &first.reset)?;
    let pairs = pairs(&walked)?;
    Some(Analysed { walked, pairs })
}

/// `None` if there are too many.
fn pairs(walked: &Walked) -> Option<FxHashSet<(usize, usize)>> {
    let mut by_object: FxHashMap<ObjectId, Vec<usize>> = FxHashMap::default();
    let mut anywhere = Vec::new();
    for (index, access) in walked.accesses.iter().enumerate() {
        access.objects.iter().for_each(|object| by_object.entry(*object).or_default().push(index));
        if access.objects.is_empty() {
            anywhere.push(index);
        }
    }
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut work = 0;
    let mut add = |a: usize, b: usize| {
        work += 1;
        let (first, second) = (&walked.accesses[a], &walked.accesses[b]);
        if first.write || second.write {
            pairs.insert((a.min(b), a.max(b)));
        }
        work <= MOST_PAIRS
    };
    for list in by_object.values() {
        for (index, a) in list.iter().enumerate() {
            for b in &list[index..] {
                if !add(*a, *b) {
                    return None;
                }
            }
        }
    }
    for a in &anywhere {
        for b in 0..walked.accesses.len() {
            if !add(*a, b) {
                return None;
            }
        }
    }
    Some(pairs)
}

/// Which pairs are left, and why the others are not.
fn compare(walked: &Analysed) -> (Suspects, Cleared) {
    let mut cleared = Cleared { accesses: walked.accesses.len(), pairs: walked.pairs.len(), ..Cleared::default() };
    let mut left = FxHashSet::default();
    for (a, b) in &walked.pairs {
        let (a, b) = (&walked.accesses[*a], &walked.accesses[*b]);
        if a.atomic && b.atomic {
            cleared.both_atomic += 1;
        } else if !at_the_same_time(a, b, &walked.together) {
            cleared.not_at_the_same_time += 1;
        } else if different_memory(a, b) {
            cleared.different_memory += 1;
        } else if same_lock(a, b) {
            cleared.same_lock += 1;
        } else {
            cleared.suspects += 1;
            left.insert(ordered(a.span, b.span));
        }
    }
    (Suspects::Pairs(left), cleared)
}

fn at_the_same_time(a: &Access, b: &Access, together: &[Vec<bool>]) -> bool {
    match (&a.alive, &b.alive) {
        (Some(_), Some(_)) => false,
        (Some(alive), None) => alive.contains(&b.root),
        (None, Some(alive)) => alive.contains(&a.root),
        (None, None) => together[a.root][b.root],
    }
}

fn different_memory(a: &Access, b: &Access) -> bool {
    if let (Some((first, from, to)), Some((second, start, end))) = (a.exact, b.exact) {
        return first != second || to <= start || end <= from;
    }
    match (a.part, b.part) {
        (Some(a), Some(b)) => a.record == b.record && (a.to <= b.from || b.to <= a.from),
        _ => false,
    }
}

fn same_lock(a: &Access, b: &Access) -> bool {
    a.locks.iter().any(|(lock, shared)| b.locks.iter().any(|(other, others)| lock == other && !(*shared && *others)))
}
