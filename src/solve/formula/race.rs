//! Data races, probed in the memory that the last round leaves: two threads stand before steps that both could take
//! now, whose accesses touch the same bytes, one writes, and not both are atomic. What a race is stands in
//! `il/interpret/race.rs`; this is the same by other means, so that the two can disagree in tests.
//!
//! A step has one access that others can see, or it is an atomic section. Standing before it, a thread has done all
//! before it; whether it gets to the access depends on what the step reads first, from memory as it is now, and on the
//! requirements of the step up to there. One gate or two per pair of accesses is all that this adds to the formula.

use super::bits;
use super::execute::RaceAccess;
use super::gates::{FALSE, Lit, TRUE};
use super::place::{Placer, Racing};
use super::range::Range;
use super::term::TermId;
use crate::analysis::race::Suspects;

/// Pairs of accesses that may race, by their numbers.
pub fn pairs(accesses: &[RaceAccess], range: &dyn Fn(TermId) -> Range, suspects: &Suspects) -> Vec<(usize, usize)> {
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
                && suspects.contains(a.span, b.span)
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
        rounds: u32,
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
            if both == FALSE {
                continue;
            }
            let (first, second) = (&executed.accesses[a], &executed.accesses[b]);
            let overlap = self.overlap(first, second);
            let lit = self.gates.and(both, overlap);
            if lit != FALSE {
                let reversed = !first.atomic && second.atomic;
                let (first, second) = if reversed { (second, first) } else { (first, second) };
                racing.push(Racing { lit, first: first.thread, second: second.thread });
            }
        }
        racing
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
        let earlier = executed.requirements[..access.requirements].iter();
        let earlier = earlier.filter(|required| required.thread == thread && required.step == access.step);
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
