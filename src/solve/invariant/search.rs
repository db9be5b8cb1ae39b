//! Looks for invariants: everything that may be known is taken for true until a state shows that it is not.
//!
//! States come from executions at random first, which is quick, and then from the solver: one that is reached by a step of
//! the thread itself, by its creation, or while another thread takes a step, and in which something fails to hold. What is
//! left when the solver finds no more is inductive (Houdini; Flanagan and Leino 2001), and thread-modular: what is known of
//! one thread, whatever any others do (Owicki and Gries 1976, with one assertion for all threads of a kind).

use super::candidate::{Atom, Candidate, Relation, Right, Term, Values, candidates};
use super::flow::{Copy, Failing, Flow, ITSELF, OTHER, Path, Steps, View, What};
use super::pairs::{PairDuty, Places, Together};
use super::simulate::{Being, Content, Inputs, World, any_number};
use super::word;
use crate::budget::Budget;
use crate::solve::formula::gates::{Defined, FALSE, Lit, TRUE, Valuation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// So many other values from outside are tried with each state that the solver finds.
const OTHER_VALUES: usize = 8;

/// What is known at a location.
pub struct Known {
    pub reached: bool,
    atoms: Vec<Atom>,
    conditions: Vec<Atom>,
    /// What they speak of.
    pub terms: Vec<Term>,
    /// Which atoms hold, as bits: in all states first, then in those in which each condition holds.
    rows: Vec<Vec<u64>>,
    /// Those that do not follow from others at once.
    active: Vec<CandidateId>,
    /// It grows with every change.
    version: u32,
}

/// One of the candidates of a location: an atom, and the condition that it is under, if it is under one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CandidateId {
    atom: u32,
    /// 0 if there is none.
    row: u32,
}

impl Known {
    fn new((atoms, conditions): (Vec<Atom>, Vec<Atom>)) -> Known {
        let row = |allowed: &dyn Fn(&Atom) -> bool| {
            let mut row = vec![0; atoms.len().div_ceil(64)];
            let bits = atoms.iter().enumerate().filter(|(_, atom)| allowed(atom));
            bits.for_each(|(index, _)| row[index / 64] |= 1u64 << (index % 64));
            row
        };
        let mut rows = vec![row(&|_| true)];
        rows.extend(conditions.iter().map(|condition| row(&|atom| atom.left != condition.left)));
        let mut terms: Vec<Term> = atoms.iter().chain(&conditions).flat_map(|atom| atom.terms()).collect();
        terms.sort_unstable();
        terms.dedup();
        Known { reached: false, atoms, conditions, terms, rows, active: Vec::new(), version: 0 }
    }

    /// A state is reached here. Was there something to learn?
    pub fn see(&mut self, values: &Values) -> bool {
        let mut holds = vec![0u64; self.atoms.len().div_ceil(64)];
        for (index, atom) in self.atoms.iter().enumerate() {
            holds[index / 64] |= u64::from(atom.is_true(values)) << (index % 64);
        }
        let mut changed = !std::mem::replace(&mut self.reached, true);
        let conditions = std::iter::once(true).chain(self.conditions.iter().map(|condition| condition.is_true(values)));
        for (row, _) in self.rows.iter_mut().zip(conditions).filter(|(_, condition)| *condition) {
            for (known, holds) in row.iter_mut().zip(&holds) {
                changed |= *known & !holds != 0;
                *known &= holds;
            }
        }
        if changed {
            self.version += 1;
            self.active.clear();
        }
        changed
    }

    /// What is known, without what follows from the rest at once: every candidate costs in every question.
    pub fn active(&mut self) -> &[CandidateId] {
        if self.active.is_empty() {
            let list =
                |row: &[u64]| (0..self.atoms.len()).filter(|atom| row[atom / 64] >> (atom % 64) & 1 == 1).collect();
            let always: Vec<usize> = list(&self.rows[0]);
            let plain = Consequences::of(always.iter().map(|atom| &self.atoms[*atom]));
            for (index, row) in self.rows.iter().enumerate() {
                if index.checked_sub(1).is_some_and(|condition| plain.excludes(&self.conditions[condition])) {
                    continue;
                }
                let known: Vec<usize> = list(row);
                let here = Consequences::of(known.iter().map(|atom| &self.atoms[*atom]));
                let new = |atom: &&usize| index == 0 || self.rows[0][*atom / 64] >> (*atom % 64) & 1 == 0;
                let needed = known.iter().filter(new).filter(|atom| !here.say_more_than(&self.atoms[**atom]));
                self.active.extend(needed.map(|atom| CandidateId { atom: *atom as u32, row: index as u32 }));
            }
        }
        &self.active
    }

    pub fn candidate(&self, id: CandidateId) -> Candidate {
        let condition = id.row.checked_sub(1).map(|index| self.conditions[index as usize]);
        Candidate { condition, atom: self.atoms[id.atom as usize] }
    }
}

/// What some atoms say together, as far as that is seen at once.
#[derive(Default)]
struct Consequences {
    equal: FxHashSet<(Term, Option<Term>)>,
    /// The values of terms, and the least and the greatest one.
    values: FxHashMap<Term, i128>,
    least: FxHashMap<Term, i128>,
    most: FxHashMap<Term, i128>,
    /// Atoms about two terms, or that tell a term from something.
    others: FxHashSet<Atom>,
}

impl Consequences {
    fn of<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Consequences {
        let mut all = Consequences::default();
        for atom in atoms {
            all.equal.extend(atom.equates());
            match (atom.relation, atom.right) {
                (Relation::Equal, Right::Number(number)) => drop(all.values.insert(atom.left, number)),
                (Relation::AtMost, Right::Number(number)) => {
                    all.most.entry(atom.left).and_modify(|most| *most = number.min(*most)).or_insert(number);
                }
                (Relation::AtLeast, Right::Number(number)) => {
                    all.least.entry(atom.left).and_modify(|least| *least = number.max(*least)).or_insert(number);
                }
                _ => drop(all.others.insert(*atom)),
            }
        }
        all
    }

    /// Does an atom follow from the others?
    fn say_more_than(&self, atom: &Atom) -> bool {
        if atom.equates().is_some() {
            return false;
        }
        if self.equal.contains(&atom.about()) {
            return true;
        }
        let stronger = |relation: Relation| self.others.contains(&Atom { relation, ..*atom });
        match (atom.relation, atom.right) {
            (Relation::AtMost, Right::Number(number)) => self.most.get(&atom.left).is_some_and(|most| *most < number),
            (Relation::AtLeast, Right::Number(number)) => {
                self.least.get(&atom.left).is_some_and(|least| *least > number)
            }
            (Relation::Differs, Right::Number(number)) => {
                self.most.get(&atom.left).is_some_and(|most| *most < number)
                    || self.least.get(&atom.left).is_some_and(|least| *least > number)
            }
            (Relation::Differs, Right::Term(..)) => stronger(Relation::Less) || stronger(Relation::Greater),
            (Relation::AtMost, Right::Term(..)) => stronger(Relation::Less),
            (Relation::AtLeast, Right::Term(..)) => stronger(Relation::Greater),
            (Relation::Equal | Relation::Less | Relation::Greater, _) => false,
        }
    }

    /// Is a condition never true?
    fn excludes(&self, condition: &Atom) -> bool {
        if let (Some(value), Right::Number(number)) = (self.values.get(&condition.left), condition.right) {
            return match condition.relation {
                Relation::Equal => *value != number,
                Relation::Differs => *value == number,
                Relation::Less | Relation::AtMost | Relation::Greater | Relation::AtLeast => false,
            };
        }
        self.others.contains(&Atom { relation: condition.relation.opposite(), ..*condition })
    }
}

/// Something that must hold of every state that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duty {
    Start,
    /// After a step of the thread itself.
    Own(usize),
    /// Of the thread that a step creates, the how many-th.
    Birth(usize, usize),
    /// Of a thread at a location, after a step of another one.
    Beside(usize, usize),
}

pub struct Search<'p> {
    pub flow: Flow<'p>,
    /// The steps of the thread that is looked at, and of another one.
    pub own: Rc<Vec<Path>>,
    pub others: Vec<Path>,
    pub known: Vec<Known>,
    /// What is known of two threads at two locations, if that is looked at.
    pub pairs: Option<FxHashMap<Places, Together>>,
    pub pair_duties: Rc<Vec<PairDuty>>,
    pub askers: FxHashMap<(bool, usize), Asker>,
    done: FxHashMap<Duty, [u32; 3]>,
    /// Literals that were made: by copy and location, and by duty.
    before: FxHashMap<(Copy, usize), Made>,
    after: FxHashMap<Duty, Made>,
    /// Which atoms and conditions of a location may change with a step of another thread.
    touched: FxHashMap<Duty, Touched>,
    /// The steps of a thread from each location.
    pub ways: Vec<Vec<usize>>,
    /// For states that are computed: values from outside, numbers to try for them, and what was seen.
    pub inputs: Rc<Inputs>,
    pub numbers: Rc<Vec<i128>>,
    pub seen: Vec<FxHashSet<Vec<u128>>>,
    pub valuation: Valuation,
    pub budget: Budget,
}

type Made = FxHashMap<CandidateId, Lit>;

struct Touched {
    atoms: Vec<bool>,
    conditions: Vec<bool>,
}

impl Touched {
    fn has(&self, id: CandidateId) -> bool {
        self.atoms[id.atom as usize] || id.row > 0 && self.conditions[id.row as usize - 1]
    }
}

/// A solver that keeps the gates of one step.
pub struct Asker {
    solver: cadical::Solver<Deadline>,
    defined: Defined,
}

struct Deadline(Budget);

impl cadical::Callbacks for Deadline {
    fn terminate(&mut self) -> bool {
        self.0.out_of_time().is_some()
    }
}

/// What a solver said.
pub enum Found {
    /// There is none.
    Nothing,
    State,
    /// Time is up.
    GaveUp,
}

impl Asker {
    pub fn new(budget: &Budget) -> Asker {
        let mut solver: cadical::Solver<Deadline> = cadical::Solver::default();
        solver.add_clause([TRUE]);
        solver.set_callbacks(Some(Deadline(*budget)));
        Asker { solver, defined: Defined::default() }
    }

    /// Can all of some literals be true, and one of others?
    pub fn ask(&mut self, flow: &mut Flow, all: &[Lit], any: &[Lit]) -> Found {
        if all.contains(&FALSE) || any.iter().all(|lit| *lit == FALSE) {
            return Found::Nothing;
        }
        let chosen = flow.gates.fresh();
        let solver = &mut self.solver;
        let needed = all.iter().chain(any).copied().chain([chosen]);
        flow.gates.define(needed, &mut self.defined, &mut |clause| solver.add_clause(clause.iter().copied()));
        if !any.contains(&TRUE) {
            solver.add_clause(any.iter().copied().filter(|lit| *lit != FALSE).chain([-chosen]));
        }
        match solver.solve_with(all.iter().copied().chain([chosen])) {
            Some(true) => Found::State,
            Some(false) => Found::Nothing,
            None => Found::GaveUp,
        }
    }

    /// Was this one of those that cannot all be true?
    pub fn was_needed(&self, lit: Lit) -> bool {
        lit != TRUE && self.solver.failed(lit)
    }

    pub fn value(&self, variable: i32) -> bool {
        variable <= self.solver.max_variable() && self.solver.value(variable) == Some(true)
    }
}

impl<'p> Search<'p> {
    pub fn new(flow: Flow<'p>, steps: Steps, budget: Budget) -> Search<'p> {
        let Steps { own, mut others } = steps;
        others.retain(|path| path.memory.keys().any(|object| !flow.objects[*object].private));
        let locations = 0..flow.locations.len();
        let known: Vec<Known> = locations.map(|location| Known::new(candidates(&flow, location))).collect();
        let mut ways: Vec<Vec<usize>> = vec![Vec::new(); flow.locations.len()];
        own.iter().enumerate().for_each(|(index, path)| ways[path.from].push(index));
        // What is chosen at random is the same in every run.
        fastrand::seed(1);
        let (inputs, numbers) = (flow.inputs_by_variable(), flow.constants.iter().copied().collect());
        Search {
            ways,
            inputs: Rc::new(inputs),
            numbers: Rc::new(numbers),
            seen: vec![FxHashSet::default(); known.len()],
            flow,
            own: Rc::new(own),
            others,
            known,
            pairs: None,
            pair_duties: Rc::default(),
            askers: FxHashMap::default(),
            done: FxHashMap::default(),
            before: FxHashMap::default(),
            after: FxHashMap::default(),
            touched: FxHashMap::default(),
            valuation: Valuation::default(),
            budget,
        }
    }

    /// All that must hold: where it must, and of which locations what is known counts.
    pub fn duties(&self) -> Vec<Duty> {
        let mut duties = vec![Duty::Start];
        for (index, path) in self.own.iter().enumerate() {
            duties.extend(path.target.map(|_| Duty::Own(index)));
            duties.extend((0..path.births.len()).map(|birth| Duty::Birth(index, birth)));
        }
        for index in 0..self.others.len() {
            duties.extend(
                (0..self.flow.locations.len())
                    .filter_map(|at| self.meets(index, at).then_some(Duty::Beside(index, at))),
            );
        }
        duties
    }

    /// Can a thread be at a location while another one takes a step?
    fn meets(&self, path: usize, at: usize) -> bool {
        let (location, other) = (self.flow.locations[at], self.flow.locations[self.others[path].from]);
        location.atomic == 0 && (location.kind != other.kind || self.flow.kinds[location.kind].many)
    }

    fn sources(&self, duty: Duty) -> (Option<usize>, Option<usize>) {
        match duty {
            Duty::Start => (None, None),
            Duty::Own(path) | Duty::Birth(path, _) => (Some(self.own[path].from), None),
            Duty::Beside(path, at) => (Some(self.others[path].from), Some(at)),
        }
    }

    fn target(&self, duty: Duty) -> usize {
        match duty {
            Duty::Start => self.flow.start.target.expect("main begins somewhere"),
            Duty::Own(path) => self.own[path].target.expect("it goes on"),
            Duty::Birth(path, birth) => self.flow.kinds[self.own[path].births[birth].kind].entry,
            Duty::Beside(_, at) => at,
        }
    }

    /// Weakens what is known until it is inductive; `Err` if the time is up.
    pub fn weaken(&mut self) -> Result<(), String> {
        let duties = self.duties();
        loop {
            let mut changed = false;
            for duty in &duties {
                changed |= self.weaken_for(*duty)?;
            }
            changed |= self.weaken_pairs()?;
            if !changed {
                return Ok(());
            }
        }
    }

    fn weaken_for(&mut self, duty: Duty) -> Result<bool, String> {
        let (first, second) = self.sources(duty);
        let reached = |at: Option<usize>| at.is_none_or(|at| self.known[at].reached);
        if !reached(first) || !reached(second) {
            return Ok(false);
        }
        let version = |at: Option<usize>| at.map_or(0, |at| self.known[at].version);
        let pair = if let (Some(from), Some(at)) = (first, second) {
            if !self.meet(from, at) {
                return Ok(false);
            }
            self.pair_version(from, at)
        } else {
            0
        };
        let versions = [version(first), version(second), pair];
        if self.done.get(&duty) == Some(&versions) {
            return Ok(false);
        }
        let target = self.target(duty);
        let mut changed = false;
        loop {
            if let Some(reason) = self.budget.exceeded() {
                return Err(reason);
            }
            let all = self.premises(duty, &mut Vec::new());
            let goals = self.goals(duty, target);
            let any: Vec<Lit> = match self.known[target].reached {
                true => self.conclusions(duty, target, &goals).iter().map(|lit| -lit).collect(),
                false => vec![TRUE],
            };
            match self.ask(duty, &all, &any) {
                Found::Nothing => break,
                Found::GaveUp => return Err(self.budget.exceeded().unwrap_or_else(|| "the solver gave up".to_owned())),
                Found::State => {
                    self.learn(duty, target);
                    changed = true;
                }
            }
        }
        // What it depends on may have become weaker in the meantime, if it is the target itself.
        if !changed || (first != Some(target) && second != Some(target)) {
            self.done.insert(duty, versions);
        }
        Ok(changed)
    }

    fn ask(&mut self, duty: Duty, all: &[Lit], any: &[Lit]) -> Found {
        self.ask_of(asker_of(duty), all, any)
    }

    pub fn ask_of(&mut self, key: (bool, usize), all: &[Lit], any: &[Lit]) -> Found {
        let mut asker = self.askers.remove(&key).unwrap_or_else(|| Asker::new(&self.budget));
        let found = asker.ask(&mut self.flow, all, any);
        self.askers.insert(key, asker);
        found
    }

    /// What is known before a step, as literals; `told` gets what they say.
    fn premises(&mut self, duty: Duty, told: &mut Vec<(Lit, usize, CandidateId)>) -> Vec<Lit> {
        let (mut all, parts) = match duty {
            Duty::Start => (Vec::new(), Vec::new()),
            Duty::Own(path) | Duty::Birth(path, _) => (vec![self.own[path].guard], vec![(self.own[path].from, ITSELF)]),
            Duty::Beside(path, at) => {
                let from = self.others[path].from;
                let mut all = vec![self.others[path].guard];
                all.push(different(&mut self.flow, at, from));
                all.extend(self.pair_before(at, from));
                (all, vec![(from, OTHER), (at, ITSELF)])
            }
        };
        for (location, copy) in parts {
            for (id, lit) in self.known_before(location, copy) {
                told.push((lit, location, id));
                all.push(lit);
            }
        }
        all
    }

    /// What is known of a thread at a location, as literals over the state before a step.
    pub fn known_before(&mut self, location: usize, copy: Copy) -> Vec<(CandidateId, Lit)> {
        let kind = self.flow.locations[location].kind;
        let made = self.before.entry((copy, location)).or_default();
        self.known[location].active();
        let known = &self.known[location];
        let flow = &mut self.flow;
        let mut literal = |id: CandidateId| {
            let make = || flow.holds(&known.candidate(id), kind, View::Before(copy));
            (id, *made.entry(id).or_insert_with(make))
        };
        known.active.iter().map(|id| literal(*id)).collect()
    }

    /// What must hold afterwards.
    fn goals(&mut self, duty: Duty, target: usize) -> Vec<CandidateId> {
        let mut goals = self.known[target].active().to_vec();
        if let Duty::Beside(path, _) = duty {
            let (known, memory) = (&self.known[target], &self.others[path].memory);
            let touched = self.touched.entry(duty).or_insert_with(|| {
                let touches = |atom: &Atom| Candidate { condition: None, atom: *atom }.mentions(memory);
                Touched {
                    atoms: known.atoms.iter().map(touches).collect(),
                    conditions: known.conditions.iter().map(touches).collect(),
                }
            });
            goals.retain(|id| touched.has(*id));
        }
        goals
    }

    fn conclusions(&mut self, duty: Duty, target: usize, goals: &[CandidateId]) -> Vec<Lit> {
        let kind = self.flow.locations[target].kind;
        let (flow, own, others) = (&mut self.flow, &self.own, &self.others);
        // The flow is borrowed while its start is looked at.
        let start = std::mem::take(&mut flow.start);
        let view = match duty {
            Duty::Start => View::After(&start, ITSELF),
            Duty::Own(path) => View::After(&own[path], ITSELF),
            Duty::Birth(path, birth) => View::Newborn(&own[path], &own[path].births[birth]),
            Duty::Beside(path, _) => View::Beside(&others[path]),
        };
        let (after, known) = (self.after.entry(duty).or_default(), &self.known[target]);
        let mut holds = |id: CandidateId| {
            let make = || flow.holds(&known.candidate(id), kind, view);
            *after.entry(id).or_insert_with(make)
        };
        let lits = goals.iter().map(|id| holds(*id)).collect();
        flow.start = start;
        lits
    }

    /// The solver has found a state: what does not hold there is not known. The same with other values from outside, as long
    /// as the thread can go this way: that is much quicker than to ask the solver for each.
    fn learn(&mut self, duty: Duty, target: usize) {
        let mut found = self.see(duty, target, false);
        for _ in 0..OTHER_VALUES {
            let Some(world) = found else { break };
            self.go_on(world);
            found = self.see(duty, target, true);
        }
    }

    /// The state, if there was something to learn.
    fn see(&mut self, duty: Duty, target: usize, other_values: bool) -> Option<World> {
        let place = self.flow.locations[target];
        let (flow, own, others) = (&mut self.flow, &self.own, &self.others);
        let start = std::mem::take(&mut flow.start);
        let view = match duty {
            Duty::Start => View::After(&start, ITSELF),
            Duty::Own(path) => View::After(&own[path], ITSELF),
            Duty::Birth(path, birth) => View::Newborn(&own[path], &own[path].births[birth]),
            Duty::Beside(path, _) => View::Beside(&others[path]),
        };
        let guard = match duty {
            Duty::Start => TRUE,
            Duty::Own(path) | Duty::Birth(path, _) => own[path].guard,
            Duty::Beside(path, _) => others[path].guard,
        };
        let (asker, inputs, known) = (&self.askers[&asker_of(duty)], &self.inputs, &mut self.valuation);
        known.forget();
        let mut chosen: FxHashMap<usize, u128> = FxHashMap::default();
        let numbers = &self.numbers;
        let mut free = |variable: i32| match inputs.get(&variable).filter(|_| other_values) {
            Some((input, bit)) => *chosen.entry(*input).or_insert_with(|| any_number(numbers)) >> bit & 1 == 1,
            None => asker.value(variable),
        };
        let mut world = None;
        if flow.gates.value(guard, known, &mut free) {
            let mut content = |flow: &Flow, word: &[Lit]| -> Content {
                word.iter().map(|lit| flow.gates.value(*lit, known, &mut free)).collect()
            };
            let mut values = Values::default();
            for term in &self.known[target].terms {
                let word = flow.term(*term, place.kind, view);
                values.insert(*term, number(content(flow, &word).into_iter()));
            }
            if self.known[target].see(&values) {
                let id = flow.id_in(place.kind, view);
                let (memory, registers) = (FxHashMap::default(), FxHashMap::default());
                let mut being = Being { at: target, id: content(flow, &id), memory, registers };
                let mut shared = FxHashMap::default();
                for object in 0..flow.objects.len() {
                    if matches!(flow.objects[object].what, What::Text(_) | What::Function(_)) {
                        continue;
                    }
                    let word = flow.object_in(object, view);
                    let to = if flow.objects[object].private { &mut being.memory } else { &mut shared };
                    to.insert(object, content(flow, &word));
                }
                for register in flow.live_registers(&place) {
                    let word = flow.register_in(register, view);
                    being.registers.insert(register, content(flow, &word));
                }
                world = Some(World { shared, threads: vec![being] });
            }
        }
        flow.start = start;
        world
    }

    /// What fails, as far as what is known does not exclude it; the first only, unless all are asked for.
    pub fn not_excluded(&mut self, all: bool) -> Result<Vec<Failing>, String> {
        let mut list = Vec::new();
        for failing in self.flow.failings.clone() {
            if !self.known[failing.from].reached {
                continue;
            }
            let mut premises = vec![failing.guard];
            premises.extend(self.known_before(failing.from, ITSELF).iter().map(|(_, lit)| lit));
            match Asker::new(&self.budget).ask(&mut self.flow, &premises, &[TRUE]) {
                Found::Nothing => {}
                Found::State => list.push(failing),
                Found::GaveUp => return Err(crate::budget::TIME_IS_UP.to_owned()),
            }
            if !all && !list.is_empty() {
                break;
            }
        }
        Ok(list)
    }

    /// Of what is known, what the proof needs.
    pub fn needed(&mut self) -> Result<Vec<Vec<Candidate>>, String> {
        let mut needed: Needed = vec![FxHashSet::default(); self.known.len()];
        let mut open: Vec<(usize, CandidateId)> = Vec::new();
        let gave_up = || crate::budget::TIME_IS_UP.to_owned();
        for failing in self.flow.failings.clone() {
            if !self.known[failing.from].reached {
                continue;
            }
            let known = self.known_before(failing.from, ITSELF);
            let all: Vec<Lit> = known.iter().map(|(_, lit)| *lit).chain([failing.guard]).collect();
            let mut asker = Asker::new(&self.budget);
            match asker.ask(&mut self.flow, &all, &[TRUE]) {
                Found::Nothing if all.contains(&FALSE) => {}
                Found::Nothing => {
                    let used = known.iter().filter(|(_, lit)| asker.was_needed(*lit));
                    used.for_each(|(id, _)| need(&mut needed, &mut open, failing.from, *id));
                }
                Found::State | Found::GaveUp => return Err(gave_up()),
            }
        }
        // That a location is not reached is what its sources say.
        let duties = self.duties();
        for duty in duties.iter().copied() {
            if self.known[self.target(duty)].reached {
                continue;
            }
            let (first, second) = self.sources(duty);
            if self.can_be(first, second) {
                self.need_for(duty, &[TRUE], (&mut needed, &mut open))?;
            }
        }
        self.need_for_pairs((&mut needed, &mut open))?;
        while let Some((location, id)) = open.pop() {
            let candidate = self.known[location].candidate(id);
            for duty in duties.iter().copied() {
                if self.target(duty) != location {
                    continue;
                }
                let (first, second) = self.sources(duty);
                let touched = match duty {
                    Duty::Beside(path, _) => candidate.mentions(&self.others[path].memory),
                    Duty::Start | Duty::Own(_) | Duty::Birth(..) => true,
                };
                if self.can_be(first, second) && touched {
                    let lit = self.conclusions(duty, location, &[id])[0];
                    self.need_for(duty, &[-lit], (&mut needed, &mut open))?;
                }
            }
        }
        let of_location = |(known, ids): (&Known, FxHashSet<CandidateId>)| {
            let mut list: Vec<Candidate> = ids.into_iter().map(|id| known.candidate(id)).collect();
            list.sort_unstable();
            list
        };
        Ok(self.known.iter().zip(needed).map(of_location).collect())
    }

    /// Are the threads that a step concerns ever there, and at the same time?
    fn can_be(&self, first: Option<usize>, second: Option<usize>) -> bool {
        let reached = |at: Option<usize>| at.is_none_or(|at| self.known[at].reached);
        let meet = first.zip(second).is_none_or(|(first, second)| self.meet(first, second));
        reached(first) && reached(second) && meet
    }

    /// All that is known of two threads is kept, with what that needs of each.
    fn need_for_pairs(&mut self, (needed, open): (&mut Needed, &mut Vec<(usize, CandidateId)>)) -> Result<(), String> {
        for duty in self.pair_duties.clone().iter().copied() {
            let from = self.own[duty.path()].from;
            if !self.can_be(Some(from), duty.standing()) {
                continue;
            }
            let mut told = Vec::new();
            let all = self.pair_premises(duty, &mut told);
            let (places, lits) = self.pair_conclusions(duty);
            let reached = self.meet(places.0, places.1);
            let any: Vec<Lit> = if reached { lits.iter().map(|lit| -lit).collect() } else { vec![TRUE] };
            let key = (true, duty.path());
            let found = self.ask_of(key, &all, &any);
            self.need_used(found, (key, &all, &any), told, (needed, open))?;
        }
        Ok(())
    }

    /// Notes what is needed so that none of some literals is true after a step.
    fn need_for(
        &mut self,
        duty: Duty,
        any: &[Lit],
        (needed, open): (&mut Needed, &mut Vec<(usize, CandidateId)>),
    ) -> Result<(), String> {
        if let Some(reason) = self.budget.exceeded() {
            return Err(reason);
        }
        let mut told = Vec::new();
        let all = self.premises(duty, &mut told);
        let found = self.ask(duty, &all, any);
        self.need_used(found, (asker_of(duty), &all, any), told, (needed, open))
    }

    /// Notes what the solver used to say that there is no such state.
    fn need_used(
        &mut self,
        found: Found,
        (key, all, any): ((bool, usize), &[Lit], &[Lit]),
        told: Vec<(Lit, usize, CandidateId)>,
        (needed, open): (&mut Needed, &mut Vec<(usize, CandidateId)>),
    ) -> Result<(), String> {
        match found {
            Found::Nothing if all.contains(&FALSE) => {
                // One that is never true by itself.
                let never = told.iter().find(|(lit, ..)| *lit == FALSE);
                never.into_iter().for_each(|(_, at, id)| need(needed, open, *at, *id));
            }
            Found::Nothing if any.iter().all(|lit| *lit == FALSE) => {}
            Found::Nothing => {
                let asker = &self.askers[&key];
                let used = told.iter().filter(|(lit, ..)| asker.was_needed(*lit));
                used.for_each(|(_, at, id)| need(needed, open, *at, *id));
            }
            Found::State | Found::GaveUp => return Err("what was found is not inductive any more".to_owned()),
        }
        Ok(())
    }
}

/// By location.
type Needed = Vec<FxHashSet<CandidateId>>;

fn need(needed: &mut Needed, open: &mut Vec<(usize, CandidateId)>, at: usize, id: CandidateId) {
    if needed[at].insert(id) {
        open.push((at, id));
    }
}

fn asker_of(duty: Duty) -> (bool, usize) {
    match duty {
        Duty::Start => (true, usize::MAX),
        Duty::Own(path) | Duty::Birth(path, _) => (true, path),
        Duty::Beside(path, _) => (false, path),
    }
}

/// Two threads have two ids.
pub fn different(flow: &mut Flow, at: usize, from: usize) -> Lit {
    let (one, other) = (flow.locations[at].kind, flow.locations[from].kind);
    let (a, b) = (flow.id(ITSELF, one), flow.id(OTHER, other));
    -word::equal(&mut flow.gates, &a, &b)
}

pub fn number(bits: impl Iterator<Item = bool>) -> u128 {
    bits.enumerate().map(|(index, bit)| u128::from(bit) << index).sum()
}
