//! Data races, probed in the memory that the last round leaves: two threads stand before steps that both could take
//! now, whose accesses touch the same bytes, one writes, and not both are atomic. What a race is stands in
//! `il/interpret/race.rs`; this is the same by other means, so that the two can disagree in tests.
//!
//! A step has one access that others can see, or it is an atomic section. Standing before it, a thread has done all
//! before it; whether it gets to the access depends on what the step reads first, from memory as it is now, and on the
//! requirements of the step up to there. One gate or two per pair of accesses is all that this adds to the formula.
//!
//! An atomic section that waits for what the other thread is about to write (`assume(busy == 0)` against a plain
//! `busy = 0`) cannot be taken before that. So for these it is also asked whether the plain access was the very last step
//! of all, and the section can be taken right after it. (Outside of a section a thread looks, and waits then.)

use super::bits;
use super::execute::{Action, RaceAccess, Requirement};
use super::gates::{FALSE, Lit, TRUE};
use super::place::{Placer, Racing};
use super::range::Range;
use super::term::TermId;
use crate::diagnostic::Span;

/// Pairs of accesses that may race, by their numbers.
pub fn pairs(
    accesses: &[RaceAccess],
    range: &dyn Fn(TermId) -> Range,
    asked: &dyn Fn(Span, Span) -> bool,
) -> Vec<(usize, usize)> {
    let ranges: Vec<(Range, bool)> = accesses
        .iter()
        .map(|access| {
            let guard = range(access.guard);
            (range(access.address), !guard.is_empty() && guard.single() != Some(0))
        })
        .collect();
    let mut found = Vec::new();
    for (index, a) in accesses.iter().enumerate() {
        for (other, b) in accesses.iter().enumerate().skip(index + 1) {
            let conflict = a.thread != b.thread && (a.write || b.write) && !(a.atomic && b.atomic);
            if conflict
                && ranges[index].1
                && ranges[other].1
                && may_overlap((&ranges[index].0, a.size), (&ranges[other].0, b.size))
                && asked(a.span, b.span)
            {
                found.push((index, other));
            }
        }
    }
    found
}

/// May an access at one of these addresses touch what one at one of those touches?
fn may_overlap((a, size_a): (&Range, u64), (b, size_b): (&Range, u64)) -> bool {
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let (size_a, size_b) = (i128::from(size_a), i128::from(size_b));
    match (a, b) {
        (Range::Set(a), Range::Set(b)) if a.len() * b.len() <= 10_000 => {
            a.iter().any(|x| b.iter().any(|y| *x < y + size_b && *y < x + size_a))
        }
        (Range::Set(a), _) => a.iter().any(|x| b.meets(x - size_b + 1, x + size_a - 1)),
        (_, Range::Set(b)) => b.iter().any(|y| a.meets(y - size_a + 1, y + size_b - 1)),
        _ => a.low() < b.high() + size_b && b.low() < a.high() + size_a,
    }
}

impl Placer<'_> {
    /// The literals of all pairs that race after the last round, with who should go first: whoever may have to wait,
    /// which is whoever is in an atomic section.
    pub(super) fn races(
        &mut self,
        before: &[Vec<Vec<Lit>>],
        (rounds, order): (u32, &[usize]),
        mut memory: Vec<bits::Bits>,
        pairs: &[(usize, usize)],
    ) -> Vec<Racing> {
        let executed = self.executed;
        let mut comes: Vec<Option<Lit>> = vec![None; executed.accesses.len()];
        let mut probed: Vec<(usize, usize)> = Vec::new();
        let mut racing = Vec::new();
        for (a, b) in pairs.iter().copied() {
            let mut both = TRUE;
            for index in [a, b] {
                let lit = match comes[index] {
                    Some(lit) => lit,
                    None => self.comes_to(&executed.accesses[index], before, rounds, &mut memory, &mut probed),
                };
                comes[index] = Some(lit);
                both = self.gates.and(both, lit);
            }
            let (first, second) = (&executed.accesses[a], &executed.accesses[b]);
            // As `interpret::race::goes_last` has it; who looks and then waits goes last.
            let reversed = match (first.atomic, second.atomic) {
                (false, false) if self.may_wait(first) != self.may_wait(second) => self.may_wait(first),
                (false, false) => first.thread == 0,
                (first, _) => !first,
            };
            let (first, second) = if reversed { (second, first) } else { (first, second) };
            // The section of the first may wait for the second.
            let after =
                self.goes_on_after((first, comes[if reversed { b } else { a }]), second, before, (rounds, order));
            if both == FALSE && after == FALSE {
                continue;
            }
            let overlap = self.overlap(first, second);
            let places = (first.span, second.span);
            for (lit, done) in [(both, false), (after, true)] {
                let lit = self.gates.and(lit, overlap);
                if lit != FALSE {
                    racing.push(Racing { lit, first: first.thread, second: second.thread, places, done });
                }
            }
        }
        racing
    }

    /// The section of one access waits, maybe for what the other one writes, which was the very last step: now it goes on.
    fn goes_on_after(
        &mut self,
        (waiting, comes): (&RaceAccess, Option<Lit>),
        other: &RaceAccess,
        before: &[Vec<Vec<Lit>>],
        (rounds, order): (u32, &[usize]),
    ) -> Lit {
        let place = (waiting.thread, waiting.step);
        let required =
            || self.executed.requirements.iter().filter(|required| (required.thread, required.step) == place);
        let waits = waiting.section > 0 && required().any(|required| required.section == waiting.section);
        // A section in the step of a join matters to nobody who still runs: it is a step of its own otherwise.
        let ordered = required().any(|required| required.joins);
        if !waits || ordered || self.creates(other, waiting.thread) {
            return FALSE;
        }
        let last = self.was_last(other, before, rounds, order);
        self.gates.and(last, comes.unwrap_or(FALSE))
    }

    /// May the thread have to wait after its access, in the same step?
    fn may_wait(&self, access: &RaceAccess) -> bool {
        let later = self.executed.requirements.iter().skip(access.requirements);
        later.into_iter().any(|required| (required.thread, required.step) == (access.thread, access.step))
    }

    /// Does the step of the access create the thread?
    fn creates(&self, access: &RaceAccess, child: usize) -> bool {
        let cell = self.executed.memory.created_address(child);
        self.executed.threads[access.thread].events.iter().any(|event| {
            event.step == access.step
                && matches!(event.action, Action::Write(_))
                && self.range(event.address).single() == Some(cell)
        })
    }

    /// The step of the access was taken, and nobody did anything after it. (A last step can always be in the last round.)
    fn was_last(&mut self, access: &RaceAccess, before: &[Vec<Vec<Lit>>], rounds: u32, order: &[usize]) -> Lit {
        let (last, step) = (rounds as usize - 1, access.step as usize);
        let row = &before[access.thread][last];
        let mut was = row[step];
        // Steps in which nothing happens have the literal of the step before them, and are taken with it.
        if let Some(next) = row[step + 1..].iter().find(|next| **next != row[step] || **next == TRUE) {
            was = self.gates.and(was, -next);
        }
        let earlier = if last == 0 { FALSE } else { before[access.thread][last - 1][step] };
        was = self.gates.and(was, -earlier);
        let after = order.iter().skip_while(|thread| **thread != access.thread).skip(1);
        for thread in after {
            for (step, now) in before[*thread][last].iter().enumerate() {
                let earlier = if last == 0 { FALSE } else { before[*thread][last - 1][step] };
                let runs = self.gates.and(*now, -earlier);
                was = self.gates.and(was, -runs);
            }
        }
        let guard = if self.range(access.guard).is_empty() { FALSE } else { self.lit(access.guard) };
        self.gates.and(was, guard)
    }

    /// The thread stands before the step of the access after the last round, and gets to it if it goes on now.
    fn comes_to(
        &mut self,
        access: &RaceAccess,
        before: &[Vec<Vec<Lit>>],
        rounds: u32,
        memory: &mut [bits::Bits],
        probed: &mut Vec<(usize, usize)>,
    ) -> Lit {
        let (thread, step) = (access.thread, access.step as usize);
        let row = &before[thread][rounds as usize - 1];
        let came = if step == 0 { TRUE } else { row[step - 1] };
        let mut comes = self.gates.and(came, -row[step]);
        if comes == FALSE {
            return FALSE;
        }
        if !probed.contains(&(thread, step)) {
            probed.push((thread, step));
            self.probe(thread, step, comes, memory);
        }
        let executed = self.executed;
        // A section is entered only if it need not wait in it; where the thread ends in it, it has made its access before.
        let counts = |index: usize, required: &Requirement| {
            let waits = access.section > 0 && required.section == access.section && !required.ends;
            index < access.requirements || waits
        };
        let required = executed.requirements.iter().enumerate();
        let earlier = required.filter(|(_, required)| required.thread == thread && required.step == access.step);
        let earlier = earlier.filter(|(index, required)| counts(*index, required)).map(|(_, required)| required);
        for condition in earlier.map(|required| required.condition).chain([access.guard]) {
            let holds = if self.range(condition).is_empty() { FALSE } else { self.lit(condition) };
            comes = self.gates.and(comes, holds);
        }
        comes
    }

    fn overlap(&mut self, a: &RaceAccess, b: &RaceAccess) -> Lit {
        if let (Some(x), Some(y)) = (self.range(a.address).single(), self.range(b.address).single()) {
            return if x < y + i128::from(b.size) && y < x + i128::from(a.size) { TRUE } else { FALSE };
        }
        let (x, y) = (self.bits_of(a.address), self.bits_of(b.address));
        let count = x.len().max(y.len()) + 2;
        let end = |placer: &mut Self, start: &[Lit], size: u64| {
            bits::add(&mut placer.gates, start, &bits::constant(i128::from(size)), count)
        };
        let (end_x, end_y) = (end(self, &x, a.size), end(self, &y, b.size));
        let before = bits::less(&mut self.gates, &x, &end_y);
        let after = bits::less(&mut self.gates, &y, &end_x);
        self.gates.and(before, after)
    }
}
