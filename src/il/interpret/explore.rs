//! All interleavings of a small program: the ground truth for every other engine.
//!
//! A depth-first search over states, each stored once. Where a unit chooses (an input, which waiter wakes up), every
//! choice is followed. The number of executions is counted on the resulting graph.

use super::{Chooser, Code, Failure, Machine, Unit};
use crate::il::FunctionId;
use rustc_hash::FxHashMap;

/// States that take more than this together are not stored: the search gives up before the machine does.
const MAX_STORED_BYTES: usize = 2 << 30;

#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Values tried for inputs of more than one bit (which get 0 and 1).
    pub inputs: Vec<u64>,
    pub max_states: usize,
    pub max_steps_per_unit: u64,
    /// Follow wake-ups of waiting threads without reason.
    pub spurious: bool,
    /// Only executions in so many rounds.
    pub rounds: Option<Rounds>,
}

/// In a round every thread runs at most once for a while, in the order of these start functions.
#[derive(Clone, Debug)]
pub struct Rounds {
    pub count: u32,
    pub order: Vec<FunctionId>,
}

/// Where an execution stands: its round, and the place in the order of the thread that ran last.
type Turn = (u32, usize);

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        ExploreOptions {
            inputs: vec![0, 1],
            max_states: 1_000_000,
            max_steps_per_unit: 1_000_000,
            spurious: true,
            rounds: None,
        }
    }
}

/// A unit as a schedule names it, with the inputs that it consumed.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenUnit {
    pub thread: usize,
    /// The thread woke up without reason.
    pub spurious: bool,
    /// The thread is held before the step of the unit that fails.
    pub held: bool,
    pub inputs: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// Each kind and place of failure once, with the units that lead there.
    pub failures: Vec<(Failure, Vec<TakenUnit>)>,
    pub states: usize,
    /// Complete executions; `None` if some execution is endless.
    pub executions: Option<u128>,
    /// Every interleaving was followed to its end, but for stretches that are too long.
    pub complete: bool,
    /// A stretch without visible steps had more steps than are followed.
    pub long_units: bool,
    /// Inputs had more possible values than were tried.
    pub inputs_limited: bool,
}

pub fn explore(code: &Code, options: &ExploreOptions) -> Exploration {
    let mut search = Search {
        options,
        index: FxHashMap::default(),
        result: Exploration::default(),
        counts: Vec::new(),
        stored_bytes: 0,
        gave_up: false,
    };
    search.result.complete = true;
    let mut machine = Machine::new(code);
    machine.max_steps = options.max_steps_per_unit;
    machine.allow_spurious = options.spurious;
    search.run(machine);
    search.result.states = search.index.len();
    search.result
}

/// Number of executions from a state on.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    /// On the current path: meeting it again is a cycle.
    Open,
    Endless,
    Finite(u128),
}

/// Follows a given list of choices, then takes the first; remembers how many there were.
struct Script<'a> {
    options: &'a ExploreOptions,
    choices: Vec<(usize, usize)>,
    /// What the choices of this run amounted to.
    values: Vec<u64>,
    at: usize,
    limited: bool,
}

impl Script<'_> {
    fn next(&mut self, count: usize) -> usize {
        if self.at == self.choices.len() {
            self.choices.push((0, count));
        }
        self.at += 1;
        self.choices[self.at - 1].0
    }

    /// The next list of choices in lexicographic order; false if this was the last.
    fn advance(&mut self) -> bool {
        self.at = 0;
        self.values.clear();
        while let Some((choice, count)) = self.choices.pop() {
            if choice + 1 < count {
                self.choices.push((choice + 1, count));
                return true;
            }
        }
        false
    }
}

impl Chooser for Script<'_> {
    fn input(&mut self, bits: u32) -> u64 {
        let value = if bits == 1 {
            self.next(2) as u64
        } else {
            self.limited = true;
            let chosen = self.next(self.options.inputs.len().max(1));
            self.options.inputs.get(chosen).copied().unwrap_or(0)
        };
        self.values.push(value);
        value
    }

    fn pick(&mut self, count: usize) -> usize {
        let chosen = self.next(count);
        self.values.push(chosen as u64);
        chosen
    }
}

/// A state whose successors are being followed.
struct Open<'p> {
    id: usize,
    successors: Vec<(TakenUnit, Option<(Machine<'p>, Turn)>)>,
    total: Count,
}

struct Search<'a> {
    options: &'a ExploreOptions,
    index: FxHashMap<Vec<u8>, usize>,
    result: Exploration,
    counts: Vec<Count>,
    stored_bytes: usize,
    /// A unit of the state at hand was too long to follow.
    gave_up: bool,
}

impl Search<'_> {
    fn run<'p>(&mut self, start: Machine<'p>) {
        let mut path: Vec<TakenUnit> = Vec::new();
        self.index.insert(fingerprint(&start, (0, 0)), 0);
        self.counts.push(Count::Open);
        let mut stack = vec![self.open(0, &start, (0, 0), &path)];
        while let Some(top) = stack.last_mut() {
            let Some((taken, machine)) = top.successors.pop() else {
                let done = stack.pop().expect("just looked at");
                self.counts[done.id] = done.total;
                path.pop();
                if let Some(parent) = stack.last_mut() {
                    parent.total = add(parent.total, done.total);
                }
                continue;
            };
            let Some((machine, turn)) = machine else {
                top.total = add(top.total, Count::Finite(1));
                continue;
            };
            let key = fingerprint(&machine, turn);
            if let Some(known) = self.index.get(&key) {
                let count = self.counts[*known];
                top.total = add(top.total, if count == Count::Open { Count::Endless } else { count });
                continue;
            }
            self.stored_bytes += key.len();
            if self.index.len() >= self.options.max_states || self.stored_bytes > MAX_STORED_BYTES {
                self.result.complete = false;
                return;
            }
            let id = self.index.len();
            self.index.insert(key, id);
            self.counts.push(Count::Open);
            path.push(taken);
            let opened = self.open(id, &machine, turn, &path);
            stack.push(opened);
        }
        self.result.executions = match self.counts.first() {
            Some(Count::Finite(count)) if self.result.complete && !self.result.long_units => Some(*count),
            _ => None,
        };
    }

    /// All successors of a state, in reverse order. Ends of executions count without being followed.
    fn open<'p>(&mut self, id: usize, machine: &Machine<'p>, turn: Turn, path: &[TakenUnit]) -> Open<'p> {
        self.gave_up = false;
        let mut opened = Open { id, successors: Vec::new(), total: Count::Finite(0) };
        let mut waits_for_assumption = machine.has_stuck_thread();
        let mut without_reason = Vec::new();
        for thread in machine.runnable_threads() {
            let Some(turn) = self.turn(machine, thread, turn) else {
                // It may wait all the same.
                match machine.clone().take_unit(thread, false, &mut super::Zeros) {
                    Unit::Blocked { by_assume } => waits_for_assumption |= by_assume,
                    Unit::Ran | Unit::Exit(_) | Unit::Failed(_) | Unit::OutOfSteps => self.gave_up = true,
                }
                continue;
            };
            let blocked = self.units(machine, (thread, false, turn), path, &mut opened.successors);
            if let Some(by_assume) = blocked {
                waits_for_assumption |= by_assume;
                if self.options.spurious && !by_assume {
                    self.units(machine, (thread, true, turn), path, &mut without_reason);
                }
            }
        }
        if opened.successors.is_empty() {
            let live = machine.live_threads();
            if !live.is_empty() && !waits_for_assumption && !self.gave_up {
                self.fail(super::deadlock(machine), path);
            }
            opened.total = Count::Finite(1);
        }
        if !without_reason.is_empty() {
            if opened.successors.is_empty() {
                opened.total = Count::Finite(0);
            }
            opened.successors.append(&mut without_reason);
        }
        opened.successors.reverse();
        opened
    }

    /// The turn after a unit of this thread; `None` if the rounds are used up.
    fn turn(&self, machine: &Machine, thread: usize, (round, last): Turn) -> Option<Turn> {
        let Some(rounds) = &self.options.rounds else { return Some((0, 0)) };
        let start = machine.start_of(thread);
        let place = rounds.order.iter().position(|function| Some(*function) == start).unwrap_or(0);
        let round = if place < last { round + 1 } else { round };
        (round < rounds.count).then_some((round, place))
    }

    /// The successors by one thread, one per list of choices. `Some(by_assume)` if the thread is blocked.
    fn units<'p>(
        &mut self,
        machine: &Machine<'p>,
        (thread, spurious, turn): (usize, bool, Turn),
        path: &[TakenUnit],
        successors: &mut Vec<(TakenUnit, Option<(Machine<'p>, Turn)>)>,
    ) -> Option<bool> {
        let mut script =
            Script { options: self.options, choices: Vec::new(), values: Vec::new(), at: 0, limited: false };
        let mut blocked = None;
        loop {
            let mut next = machine.clone();
            next.steps = 0;
            let unit = next.take_unit(thread, spurious, &mut script);
            let taken = TakenUnit { thread, spurious, held: false, inputs: script.values.clone() };
            match unit {
                Unit::Ran => successors.push((taken, Some((next, turn)))),
                Unit::Exit(_) => successors.push((taken, None)),
                Unit::Blocked { by_assume } => blocked = Some(by_assume),
                Unit::Failed(failure) => {
                    let mut full = path.to_vec();
                    full.push(taken.clone());
                    let culprit = failure.thread;
                    self.fail(failure, &full);
                    // What the unit did before it failed is there for the others, who may run on.
                    let others = next.stop_before_failure(culprit);
                    successors.push((TakenUnit { held: true, ..taken }, others.then_some((next, turn))));
                }
                Unit::OutOfSteps => {
                    self.result.long_units = true;
                    self.gave_up = true;
                }
            }
            self.result.inputs_limited |= script.limited;
            if !script.advance() {
                return blocked;
            }
        }
    }

    fn fail(&mut self, failure: Failure, path: &[TakenUnit]) {
        let known = self.result.failures.iter().any(|(other, _)| {
            other.kind == failure.kind && other.span == failure.span && other.message == failure.message
        });
        if !known {
            self.result.failures.push((failure, path.to_vec()));
        }
    }
}

fn add(a: Count, b: Count) -> Count {
    match (a, b) {
        (Count::Finite(a), Count::Finite(b)) => a.checked_add(b).map_or(Count::Endless, Count::Finite),
        _ => Count::Endless,
    }
}

fn fingerprint(machine: &Machine, turn: Turn) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(turn.0.to_le_bytes());
    out.extend((turn.1 as u32).to_le_bytes());
    machine.memory.fingerprint(&mut out);
    for thread in &machine.threads {
        out.push(thread.status as u8);
        out.extend([u8::from(thread.detached), u8::from(thread.joined), u8::from(thread.ending)]);
        out.extend(thread.atomic.to_le_bytes());
        push_value(&mut out, Some(thread.result));
        out.extend((thread.frames.len() as u32).to_le_bytes());
        for frame in &thread.frames {
            out.extend(frame.function.0.to_le_bytes());
            out.extend((frame.pc as u32).to_le_bytes());
            frame.registers.iter().for_each(|value| push_value(&mut out, *value));
        }
    }
    out
}

fn push_value(out: &mut Vec<u8>, value: Option<crate::il::arithmetic::Value>) {
    use crate::il::arithmetic::Value;
    match value {
        None => out.push(0),
        Some(Value::Int(value)) => {
            out.push(1);
            out.extend(value.to_le_bytes());
        }
        Some(Value::Float(value)) => {
            out.push(2);
            out.extend(value.to_bits().to_le_bytes());
        }
    }
}
