//! Executions at random, with the program's own steps: they show quickly what is not always true.

use super::flow::{Birth, Flow, ITSELF, Path, Register};
use super::search::{Search, number};
use super::word::Word;
use crate::solve::formula::gates::{Lit, Valuation};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

const RUNS: usize = 400;
const STEPS: usize = 150;
/// After so many steps without anything new it is not worth while to go on from a state that the solver found.
const PATIENCE: usize = 3;
/// Of one kind, at the same time.
const MOST_THREADS: usize = 3;
/// With more gates it takes too long to be worth it.
const MOST_GATES: i32 = 2_000_000;

pub type Content = Vec<bool>;

/// A state that can be reached, with some of the threads that are there.
pub struct World {
    pub shared: FxHashMap<usize, Content>,
    pub threads: Vec<Being>,
}

pub struct Being {
    pub at: usize,
    pub id: Content,
    pub memory: FxHashMap<usize, Content>,
    pub registers: FxHashMap<Register, Content>,
}

/// By variable: which value from outside it is part of, and which bit of that.
pub type Inputs = FxHashMap<i32, (usize, usize)>;

/// What the variables of the gates are in one state, computed as it is asked for.
struct State<'a> {
    known: &'a mut Valuation,
    inputs: &'a Inputs,
    numbers: &'a [i128],
    chosen: FxHashMap<usize, u128>,
}

impl<'a> State<'a> {
    fn new(known: &'a mut Valuation, inputs: &'a Inputs, numbers: &'a [i128]) -> State<'a> {
        known.forget();
        State { known, inputs, numbers, chosen: FxHashMap::default() }
    }

    fn set(&mut self, word: &[Lit], content: &[bool]) {
        let variables = word.iter().zip(content).filter(|(lit, _)| lit.abs() > 1);
        variables.for_each(|(lit, bit)| self.known.set(*lit, *bit));
    }

    fn value(&mut self, flow: &Flow, lit: Lit) -> bool {
        let State { known, inputs, numbers, chosen } = self;
        flow.gates.value(lit, known, &mut |variable| match inputs.get(&variable) {
            Some((input, bit)) => *chosen.entry(*input).or_insert_with(|| any_number(numbers)) >> bit & 1 == 1,
            None => fastrand::bool(),
        })
    }

    fn content(&mut self, flow: &Flow, word: &Word) -> Content {
        word.iter().map(|lit| self.value(flow, *lit)).collect()
    }
}

/// Small numbers and those of the program are more interesting than others.
pub fn any_number(numbers: &[i128]) -> u128 {
    match fastrand::u8(0..8) {
        0..=3 => fastrand::u128(0..4),
        4..=6 if !numbers.is_empty() => numbers[fastrand::usize(0..numbers.len())] as u128,
        _ => fastrand::u128(..),
    }
}

impl Search<'_> {
    pub fn simulate(&mut self, time: Duration) {
        if self.flow.gates.variables() > MOST_GATES {
            return;
        }
        let until = Instant::now() + time;
        let mut known = Valuation::default();
        let start = std::mem::take(&mut self.flow.start);
        for _ in 0..RUNS {
            if Instant::now() >= until {
                break;
            }
            let mut world = World { shared: FxHashMap::default(), threads: Vec::new() };
            let (inputs, numbers) = (self.inputs.clone(), self.numbers.clone());
            let mut state = State::new(&mut known, &inputs, &numbers);
            let id = self.flow.id(ITSELF, 0);
            let main = Birth { kind: 0, id, memory: private(&self.flow, &start), registers: start.registers.clone() };
            self.enter(&mut world, &start, &mut state);
            self.born(&mut world, &main, &mut state);
            self.look(&world, 0);
            self.walk(world, &mut known, (STEPS, STEPS));
        }
        self.flow.start = start;
    }

    /// Goes on from a state that the solver found.
    pub fn go_on(&mut self, world: World) {
        let mut known = std::mem::take(&mut self.valuation);
        self.walk(world, &mut known, (STEPS, PATIENCE));
        self.valuation = known;
    }

    /// At most so many steps, and not so many in which nothing is learnt.
    fn walk(&mut self, mut world: World, known: &mut Valuation, (steps, patience): (usize, usize)) {
        let (inputs, numbers, own) = (self.inputs.clone(), self.numbers.clone(), self.own.clone());
        let (mut mover, mut in_vain) = (0, 0);
        for _ in 0..steps {
            if in_vain > patience || self.budget.out_of_time().is_some() {
                break;
            }
            in_vain += 1;
            let atomic = world.threads.get(mover).is_some_and(|thread| self.flow.locations[thread.at].atomic > 0);
            if !atomic && (fastrand::bool() || mover >= world.threads.len()) {
                if world.threads.is_empty() {
                    break;
                }
                mover = fastrand::usize(0..world.threads.len());
            }
            let mut state = State::new(known, &inputs, &numbers);
            self.fill(&world, mover, &mut state);
            let mut possible: Vec<usize> = self.ways[world.threads[mover].at].clone();
            possible.retain(|path| state.value(&self.flow, own[*path].guard));
            if possible.is_empty() {
                mover = fastrand::usize(0..world.threads.len());
                if atomic {
                    break;
                }
                continue;
            }
            let path = &own[possible[fastrand::usize(0..possible.len())]];
            self.take(&mut world, mover, path, &mut state);
            if path.target.is_none() {
                world.threads.swap_remove(mover);
                mover = usize::MAX;
            }
            if self.look(&world, mover) {
                in_vain = 0;
            }
        }
    }

    /// The shared memory after a step.
    fn enter(&mut self, world: &mut World, path: &Path, state: &mut State) {
        for (object, word) in &path.memory {
            if !self.flow.objects[*object].private {
                world.shared.insert(*object, state.content(&self.flow, word));
            }
        }
    }

    fn born(&mut self, world: &mut World, birth: &Birth, state: &mut State) {
        let at = self.flow.kinds[birth.kind].entry;
        let memory = birth.memory.iter().map(|(object, word)| (*object, state.content(&self.flow, word))).collect();
        let registers = birth.registers.iter().map(|(local, word)| (*local, state.content(&self.flow, word))).collect();
        world.threads.push(Being { at, id: state.content(&self.flow, &birth.id), memory, registers });
    }

    /// The variables of the state before a step of a thread.
    fn fill(&mut self, world: &World, mover: usize, state: &mut State) {
        let thread = &world.threads[mover];
        let kind = self.flow.locations[thread.at].kind;
        for (object, content) in world.shared.iter().chain(&thread.memory) {
            let word = self.flow.object_before(ITSELF, *object);
            state.set(&word, content);
        }
        for (register, content) in &thread.registers {
            let word = self.flow.register_before(ITSELF, *register);
            state.set(&word, content);
        }
        let id = self.flow.id(ITSELF, kind);
        state.set(&id, &thread.id);
    }

    fn take(&mut self, world: &mut World, mover: usize, path: &Path, state: &mut State) {
        let mut memory = Vec::new();
        for (object, word) in &path.memory {
            memory.push((*object, state.content(&self.flow, word)));
        }
        let mut registers = Vec::new();
        for (register, word) in &path.registers {
            registers.push((*register, state.content(&self.flow, word)));
        }
        for birth in &path.births {
            let kind = |thread: &&Being| self.flow.locations[thread.at].kind == birth.kind;
            if world.threads.iter().filter(kind).count() < MOST_THREADS {
                self.born(world, birth, state);
            }
        }
        let thread = &mut world.threads[mover];
        for (object, content) in memory {
            let private = self.flow.objects[object].private;
            if private {
                thread.memory.insert(object, content)
            } else {
                world.shared.insert(object, content)
            };
        }
        thread.registers.extend(registers);
        if let Some(target) = path.target {
            thread.at = target;
        }
    }

    /// All threads see the state; nobody does in the middle of a section but who is in it. Was there something to learn?
    fn look(&mut self, world: &World, mover: usize) -> bool {
        let mut changed = false;
        for (index, thread) in world.threads.iter().enumerate() {
            let location = self.flow.locations[thread.at];
            if index != mover && location.atomic > 0 {
                continue;
            }
            let terms = self.known[thread.at].terms.clone();
            let values: Vec<u128> = terms.iter().map(|term| self.term_value(world, thread, *term)).collect();
            if self.seen[thread.at].insert(values.clone()) {
                changed |= self.known[thread.at].see(&terms.iter().copied().zip(values).collect());
            }
        }
        changed
    }

    fn term_value(&mut self, world: &World, thread: &Being, term: super::candidate::Term) -> u128 {
        use super::candidate::Term;
        match term {
            Term::Id => number(thread.id.iter().copied()),
            Term::Cell(cell) => {
                let content = thread.memory.get(&cell.object).or_else(|| world.shared.get(&cell.object));
                content.map_or(0, |content| number(content[cell.first..cell.first + cell.width].iter().copied()))
            }
            Term::Register { register, .. } => {
                thread.registers.get(&register).map_or(0, |content| number(content.iter().copied()))
            }
        }
    }
}

fn private(flow: &Flow, path: &Path) -> FxHashMap<usize, std::rc::Rc<Word>> {
    let own = path.memory.iter().filter(|(object, _)| flow.objects[**object].private);
    own.map(|(object, word)| (*object, word.clone())).collect()
}
