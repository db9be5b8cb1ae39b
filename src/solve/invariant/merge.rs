//! Ways that meet again before the step is over go on as one: without that, every branch would double the ways.
//!
//! ```text
//! if (c) x = 1; else x = 2;   y = x;        one way on, with x = c ? 1 : 2
//! ```
//!
//! Within a step control only goes forward (the heads of loops end steps), so whoever is behind goes first, and meets the
//! others where they wait. Ways on which a pointer has two known values stay apart: what is done through it would be
//! said of all objects that it may point to.

use super::flow::{Birth, ContextId, Flow, Register};
use super::step::Now;
use super::word::{self, Word};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Flow<'_> {
    /// The way that is farthest behind, with all that stand in the same place and can go on with it.
    pub(super) fn take_first(&mut self, open: &mut Vec<Now>) -> Option<Now> {
        let places: Vec<Vec<usize>> = open.iter().map(|now| self.progress(now)).collect();
        // Of several in one place, the last one that was put there.
        let first = (0..open.len()).rev().min_by_key(|index| &places[*index])?;
        let mut now = open.swap_remove(first);
        let mut index = 0;
        while index < open.len() {
            if self.can_meet(&now, &open[index]) {
                let other = open.swap_remove(index);
                now = self.meet(now, other);
            } else {
                index += 1;
            }
        }
        Some(now)
    }

    /// Where control is, from the outermost call to the innermost.
    fn progress(&self, now: &Now) -> Vec<usize> {
        let (mut chain, mut place) = (Vec::new(), Some((now.context, now.pc)));
        while let Some((context, pc)) = place {
            chain.push(pc);
            place = self.contexts[context.0 as usize].caller;
        }
        chain.reverse();
        chain
    }

    fn can_meet(&self, one: &Now, other: &Now) -> bool {
        let place = |now: &Now| (now.context, now.pc, now.atomic, now.first);
        let same_births = one.births.len() == other.births.len()
            && one.births.iter().zip(&other.births).all(|(one, other)| same_birth(one, other));
        if place(one) != place(other) || !same_births {
            return false;
        }
        let mut apart = |(register, word): (&Register, &Rc<Word>)| {
            self.is_pointer(register)
                && other.registers.get(register).is_some_and(|else_word| differ(word, else_word))
                && self.is_on_chain(register.0, one.context)
        };
        !one.registers.iter().any(&mut apart)
    }

    fn is_pointer(&self, register: &Register) -> bool {
        self.program.types.pointee(self.local_type(*register)).is_some()
    }

    fn is_on_chain(&self, context: ContextId, innermost: ContextId) -> bool {
        let mut place = Some(innermost);
        while let Some(at) = place {
            if at == context {
                return true;
            }
            place = self.contexts[at.0 as usize].caller.map(|(caller, _)| caller);
        }
        false
    }

    fn meet(&mut self, mut one: Now, mut other: Now) -> Now {
        let first = one.guard;
        one.guard = self.gates.or(first, other.guard);
        let mut objects: Vec<usize> = one.memory.keys().chain(other.memory.keys()).copied().collect();
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let (here, there) = (self.content(&one, object), self.content(&other, object));
            if here != there {
                let word = word::choose(&mut self.gates, first, &here, &there);
                one.memory.insert(object, Rc::new(word));
            }
        }
        // The variables of calls that are over are nobody's.
        let innermost = one.context;
        for now in [&mut one, &mut other] {
            now.registers.retain(|(context, _), _| self.is_on_chain(*context, innermost));
        }
        let mut registers: Vec<Register> = one.registers.keys().chain(other.registers.keys()).copied().collect();
        registers.sort_unstable();
        registers.dedup();
        for register in registers {
            let (here, there) = (self.register(&mut one, register), self.register(&mut other, register));
            if here != there {
                let word = word::choose(&mut self.gates, first, &here, &there);
                one.registers.insert(register, Rc::new(word));
            }
        }
        let known: FxHashSet<ContextId> = one.entered.iter().copied().collect();
        one.entered.extend(other.entered.into_iter().filter(|context| !known.contains(context)));
        one
    }
}

fn same_birth(one: &Birth, other: &Birth) -> bool {
    one.kind == other.kind && one.id == other.id && one.memory == other.memory && one.registers == other.registers
}

/// Two numbers that are known, and not the same.
fn differ(one: &Word, other: &Word) -> bool {
    matches!((word::known(one), word::known(other)), (Some(one), Some(other)) if one != other)
}
