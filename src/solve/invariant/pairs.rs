//! What is known of two threads at once: that they never stand at two locations at the same time, which of their own
//! values differ, and what the values of one are not while the other one stands at some location. So two threads with two tickets are never both served, though what is known of each alone allows it.
//!
//! Only what belongs to the two is spoken of, never shared memory: no third thread can change that, so that it is enough to
//! look at the steps of the two and at who is created beside them (level 2 of the thread-modular proofs, without its cubic
//! price).

use super::candidate::Term;
use super::flow::{Flow, ITSELF, OTHER, Path, View, What};
use super::search::{CandidateId, Found, Search, different};
use super::word;
use crate::solve::formula::bits;
use crate::solve::formula::gates::{Lit, TRUE, Valuation};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What keeps two threads apart; the first is the one at the lower location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// A value of one differs from a value of the other.
    Differ(Term, Term),
    /// A value of one is not this number.
    FirstIsNot(Term, i128),
    SecondIsNot(Term, i128),
    /// A value of one is not the first number, or a value of the other is not the second one.
    NotBoth([(Term, i128); 2]),
}

impl Apart {
    /// The terms of the first thread and of the second one.
    pub fn terms(&self) -> [Option<Term>; 2] {
        match *self {
            Apart::Differ(first, second) => [Some(first), Some(second)],
            Apart::FirstIsNot(term, _) => [Some(term), None],
            Apart::SecondIsNot(term, _) => [None, Some(term)],
            Apart::NotBoth([(first, _), (second, _)]) => [Some(first), Some(second)],
        }
    }

    /// Of two threads at one location: is it the same if they change places?
    fn is_mutual(&self) -> bool {
        match self {
            Apart::Differ(first, second) => first == second,
            Apart::NotBoth([first, second]) => first == second,
            Apart::FirstIsNot(..) | Apart::SecondIsNot(..) => false,
        }
    }
}

/// Numbers that values are compared with: what flags are, and what try-functions return.
const NUMBERS: [i128; 2] = [0, 1];

/// Two locations, the lower one first.
pub type Places = (usize, usize);

/// With what is known of them: whether they are ever there at the same time, and what differs then.
pub type KnownPair = (Places, bool, Vec<Apart>);

/// What is known of two threads at two locations.
#[derive(Default)]
pub struct Together {
    pub reached: bool,
    pub facts: Vec<Apart>,
    pub version: u32,
}

/// Something that must hold of two threads, by the step after which it must.
#[derive(Clone, Copy, Debug)]
pub enum PairDuty {
    /// A thread takes this step while another one stands at a location.
    Moves(usize, usize),
    /// The how many-th thread that this step creates, and one that stands at a location.
    Born(usize, usize, usize),
    /// And the thread that creates it.
    Creator(usize, usize),
    /// Two threads that one step creates.
    Twins(usize, usize, usize),
}

/// A thread after a step: its location, and how to look at it.
type Seen<'a> = (usize, View<'a>);

/// Can two threads stand there at the same time, as far as the kinds of threads tell?
pub fn may_meet(flow: &Flow, one: usize, other: usize) -> bool {
    let (one, other) = (flow.locations[one], flow.locations[other]);
    (one.kind != other.kind || flow.kinds[one.kind].many) && (one.atomic == 0 || other.atomic == 0)
}

pub fn ordered(one: usize, other: usize) -> Places {
    (one.min(other), one.max(other))
}

/// All that must hold of two threads.
pub fn pair_duties(flow: &Flow, own: &[Path]) -> Vec<PairDuty> {
    let mut duties = Vec::new();
    for (index, path) in own.iter().enumerate() {
        // Who is in an atomic section is not disturbed.
        let standing = |at: &usize| may_meet(flow, path.from, *at) && flow.locations[*at].atomic == 0;
        for at in (0..flow.locations.len()).filter(standing) {
            duties.extend(path.target.map(|_| PairDuty::Moves(index, at)));
            duties.extend((0..path.births.len()).map(|birth| PairDuty::Born(index, birth, at)));
        }
        for birth in 0..path.births.len() {
            duties.extend(path.target.map(|_| PairDuty::Creator(index, birth)));
            duties.extend((birth + 1..path.births.len()).map(|other| PairDuty::Twins(index, birth, other)));
        }
    }
    duties
}

impl PairDuty {
    pub fn path(self) -> usize {
        match self {
            PairDuty::Moves(path, _) | PairDuty::Born(path, ..) => path,
            PairDuty::Creator(path, _) | PairDuty::Twins(path, ..) => path,
        }
    }

    /// The location of a thread that stands there while the step is taken.
    pub fn standing(self) -> Option<usize> {
        match self {
            PairDuty::Moves(_, at) | PairDuty::Born(_, _, at) => Some(at),
            PairDuty::Creator(..) | PairDuty::Twins(..) => None,
        }
    }

    /// The two threads afterwards.
    pub fn threads<'a>(self, flow: &Flow, own: &'a [Path]) -> [Seen<'a>; 2] {
        let path = &own[self.path()];
        let born = |birth: usize| {
            let birth = &path.births[birth];
            (flow.kinds[birth.kind].entry, View::Newborn(path, birth))
        };
        let moved = || (path.target.expect("it goes on"), View::After(path, ITSELF));
        match self {
            PairDuty::Moves(_, at) => [moved(), (at, View::Before(OTHER))],
            PairDuty::Born(_, birth, at) => [born(birth), (at, View::Before(OTHER))],
            PairDuty::Creator(_, birth) => [born(birth), moved()],
            PairDuty::Twins(_, one, two) => [born(one), born(two)],
        }
    }
}

impl Flow<'_> {
    /// What may be known of two threads there.
    fn pair_candidates(&self, (one, other): Places) -> Vec<Apart> {
        let (first, second) = (self.own_numbers(one), self.own_numbers(other));
        let pairs = first.iter().flat_map(|first| second.iter().map(|second| (*first, *second)));
        let alike = pairs.filter(|(first, second)| first.width() == second.width());
        let mut facts: Vec<Apart> = alike.map(|(first, second)| Apart::Differ(first, second)).collect();
        let numbers = |terms: Vec<Term>, fact: fn(Term, i128) -> Apart| {
            terms.into_iter().flat_map(move |term| NUMBERS.map(|number| fact(term, number)))
        };
        let chosen = |terms: &[Term]| -> Vec<(Term, i128)> {
            terms.iter().flat_map(|term| NUMBERS.map(|number| (*term, number))).collect()
        };
        for one in chosen(&first) {
            facts.extend(chosen(&second).into_iter().map(|other| Apart::NotBoth([one, other])));
        }
        facts.extend(numbers(first, Apart::FirstIsNot));
        facts.extend(numbers(second, Apart::SecondIsNot));
        facts
    }

    /// The numbers of a thread that nobody else can write.
    fn own_numbers(&self, location: usize) -> Vec<Term> {
        let types = &self.program.types;
        let mut terms = Vec::new();
        for register in self.live_registers(&self.locations[location]) {
            let ty = self.local_type(register);
            if types.int_kind(ty).is_some() && !self.is_fixed(&register) {
                let (width, signed) = (word::width(types, ty), word::signed(types, ty));
                terms.push(Term::Register { register, width, signed, pointer: false });
            }
        }
        let kind = self.locations[location].kind;
        terms.extend(self.cells.iter().filter(|cell| !cell.pointer && cell.width > 1).filter_map(|cell| {
            let object = &self.objects[cell.object];
            let What::Local(context, _) = object.what else { return None };
            (object.private && self.contexts[context.0 as usize].kind == kind).then_some(Term::Cell(*cell))
        }));
        terms
    }

    /// The literal that says that a fact holds of two threads; of two at one location, in both directions.
    pub fn holds_of_both(&mut self, fact: &Apart, [one, other]: [Seen; 2]) -> Lit {
        let (first, second) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        let holds = self.holds_so(fact, first, second);
        if one.0 != other.0 || fact.is_mutual() {
            return holds;
        }
        let too = self.holds_so(fact, second, first);
        self.gates.and(holds, too)
    }

    fn holds_so(&mut self, fact: &Apart, first: Seen, second: Seen) -> Lit {
        let mut value = |term: Term, (location, view): Seen| {
            let kind = self.locations[location].kind;
            word::number(&self.term(term, kind, view), false)
        };
        let words = match *fact {
            Apart::Differ(one, other) => vec![(value(one, first), value(other, second))],
            Apart::FirstIsNot(term, number) => vec![(value(term, first), constant(number, term))],
            Apart::SecondIsNot(term, number) => vec![(value(term, second), constant(number, term))],
            Apart::NotBoth([(one, a), (other, b)]) => {
                vec![(value(one, first), constant(a, one)), (value(other, second), constant(b, other))]
            }
        };
        let mut all = TRUE;
        for (a, b) in words {
            let equal = bits::equal(&mut self.gates, &a, &b);
            all = self.gates.and(all, equal);
        }
        -all
    }
}

fn constant(number: i128, term: Term) -> bits::Bits {
    word::number(&word::constant(number, term.width()), false)
}

impl Search<'_> {
    /// Begins with everything that may be known of two threads.
    pub fn look_at_pairs(&mut self) {
        let count = self.flow.locations.len();
        let mut pairs = FxHashMap::default();
        for one in 0..count {
            for other in one..count {
                let facts = self.flow.pair_candidates((one, other));
                pairs.insert((one, other), Together { reached: false, facts, version: 0 });
            }
        }
        self.pair_duties = Rc::new(pair_duties(&self.flow, &self.own));
        self.pairs = Some(pairs);
    }

    /// Do two threads ever stand there at the same time, as far as is known?
    pub fn meet(&self, one: usize, other: usize) -> bool {
        self.pairs.as_ref().is_none_or(|pairs| pairs[&ordered(one, other)].reached)
    }

    pub fn pair_version(&self, one: usize, other: usize) -> u32 {
        self.pairs.as_ref().map_or(0, |pairs| pairs[&ordered(one, other)].version)
    }

    /// What is known of the thread itself and of another one, as literals over the state before a step.
    pub fn pair_before(&mut self, itself: usize, other: usize) -> Vec<Lit> {
        let Some(pairs) = &self.pairs else { return Vec::new() };
        let seen = [(itself, View::Before(ITSELF)), (other, View::Before(OTHER))];
        pairs[&ordered(itself, other)].facts.iter().map(|fact| self.flow.holds_of_both(fact, seen)).collect()
    }

    /// Weakens what is known of two threads; was there something to learn?
    pub fn weaken_pairs(&mut self) -> Result<bool, String> {
        let mut changed = false;
        for duty in self.pair_duties.clone().iter() {
            while self.weaken_pair(*duty)? {
                changed = true;
            }
        }
        Ok(changed)
    }

    fn weaken_pair(&mut self, duty: PairDuty) -> Result<bool, String> {
        let from = self.own[duty.path()].from;
        let possible =
            self.known[from].reached && duty.standing().is_none_or(|at| self.known[at].reached && self.meet(from, at));
        if !possible {
            return Ok(false);
        }
        if let Some(reason) = self.budget.exceeded() {
            return Err(reason);
        }
        let all = self.pair_premises(duty, &mut Vec::new());
        let (places, lits) = self.pair_conclusions(duty);
        let reached = self.pairs.as_ref().is_some_and(|pairs| pairs[&places].reached);
        let any: Vec<Lit> = if reached { lits.iter().map(|lit| -lit).collect() } else { vec![TRUE] };
        match self.ask_of((true, duty.path()), &all, &any) {
            Found::Nothing => Ok(false),
            Found::GaveUp => Err(self.budget.exceeded().unwrap_or_else(|| "the solver gave up".to_owned())),
            Found::State => {
                let (asker, gates) = (&self.askers[&(true, duty.path())], &self.flow.gates);
                let mut known = Valuation::default();
                let holds: Vec<bool> = lits
                    .iter()
                    .map(|lit| gates.value(*lit, &mut known, &mut |variable| asker.value(variable)))
                    .collect();
                let pairs = self.pairs.as_mut().expect("pairs are looked at");
                let together = pairs.get_mut(&places).expect("all pairs are there");
                let mut holds = holds.into_iter();
                together.facts.retain(|_| holds.next() == Some(true));
                together.reached = true;
                together.version += 1;
                Ok(true)
            }
        }
    }

    /// What is known before a step, as literals; `told` gets what those of single threads say.
    pub fn pair_premises(&mut self, duty: PairDuty, told: &mut Vec<(Lit, usize, CandidateId)>) -> Vec<Lit> {
        let (from, guard) = (self.own[duty.path()].from, self.own[duty.path()].guard);
        let mut all = vec![guard];
        let mut threads = vec![(from, ITSELF)];
        if let Some(at) = duty.standing() {
            all.push(different(&mut self.flow, from, at));
            all.extend(self.pair_before(from, at));
            threads.push((at, OTHER));
        }
        for (location, copy) in threads {
            for (id, lit) in self.known_before(location, copy) {
                told.push((lit, location, id));
                all.push(lit);
            }
        }
        all
    }

    pub fn pair_conclusions(&mut self, duty: PairDuty) -> (Places, Vec<Lit>) {
        let own = self.own.clone();
        let threads = duty.threads(&self.flow, &own);
        let places = ordered(threads[0].0, threads[1].0);
        let Some(pairs) = &self.pairs else { return (places, Vec::new()) };
        let flow = &mut self.flow;
        (places, pairs[&places].facts.iter().map(|fact| flow.holds_of_both(fact, threads)).collect())
    }

    /// What is known of two threads, where that is something.
    pub fn known_pairs(&self) -> Option<Vec<KnownPair>> {
        let pairs = self.pairs.as_ref()?;
        let something = |(_, together): &(&Places, &Together)| !together.reached || !together.facts.is_empty();
        let mut list: Vec<_> = pairs
            .iter()
            .filter(something)
            .map(|(places, together)| {
                let facts = if together.reached { together.facts.clone() } else { Vec::new() };
                (*places, together.reached, facts)
            })
            .collect();
        list.sort_unstable();
        Some(list)
    }
}
