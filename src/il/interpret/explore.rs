//! All interleavings of a small program: the ground truth for every other engine.
//!
//! A depth-first search over states, each stored once. Where a unit chooses (an input, which waiter wakes up), every
//! choice is followed. The number of executions is counted on the resulting graph.

use super::race::{Races, StopAt, Touch, conflict, goes_last};
use super::states::States;
use super::{Blocked, Chooser, Code, Failure, FailureKind, ListedInputs, Machine, Quiet, Registers, Turn, Unit};
use crate::diagnostic::Span;
use crate::il::{FunctionId, StatementId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Values tried for inputs of more than one bit (which get 0 and 1).
    pub inputs: Vec<u64>,
    /// Values that stand for all that these statements can take from outside.
    pub classes: FxHashMap<StatementId, Vec<u64>>,
    pub max_states: usize,
    /// States that take more than this together are not stored: the search gives up before the machine does.
    pub max_bytes: usize,
    /// Executions of more units where there is a choice are not followed to their end.
    pub max_units: usize,
    pub max_steps_per_unit: u64,
    pub max_threads: usize,
    /// A thread that goes on for so long without a visible step is left to itself.
    pub patience: Option<u64>,
    /// Creating a thread begins a unit.
    pub creation_begins: bool,
    /// By function: the instructions that make no difference to others, nor they to them. Whoever stands before one of
    /// these takes it, and nobody else need be followed from there. Empty: all are followed.
    pub quiet: Vec<Vec<Quiet>>,
    /// By function and instruction: the registers that matter from there on. Empty: all of them.
    pub live: Vec<Vec<Registers>>,
    /// Follow wake-ups of waiting threads without reason.
    pub spurious: bool,
    /// Only executions in so many rounds.
    pub rounds: Option<Rounds>,
    pub first: First,
    pub races: RaceSearch,
}

/// How data races are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceSearch {
    Not,
    /// In every state: do two threads conflict in what they can do next? Exact if all atomic accesses are seq_cst.
    States,
    /// By what orders the accesses of every execution: exact for all orders of C11, and dear, because states differ by
    /// their past.
    Clocks,
}

/// Which executions are followed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Those of the threads with low numbers.
    LowNumbers,
    /// Those with many switches: what a search by rounds finds last.
    Switches,
}

/// In a round every thread runs at most once for a while, in the order of these start functions.
#[derive(Clone, Debug)]
pub struct Rounds {
    pub count: u32,
    pub order: Vec<FunctionId>,
}

/// Where an execution stands: its round, and the place in the order of the thread that ran last.
type Position = (u32, usize);

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        ExploreOptions {
            inputs: vec![0, 1],
            classes: FxHashMap::default(),
            max_states: 1_000_000,
            max_bytes: 2 << 30,
            max_units: usize::MAX,
            max_steps_per_unit: 1_000_000,
            max_threads: usize::MAX,
            patience: None,
            creation_begins: false,
            quiet: Vec::new(),
            live: Vec::new(),
            spurious: true,
            rounds: None,
            first: First::LowNumbers,
            races: RaceSearch::Not,
        }
    }
}

/// All ways in which a unit goes on, by the values that it takes, have so many times the steps of one.
const WAYS: u64 = 4;

/// An execution may have so many times the units where only one thread is followed.
const ALONE_UNITS: usize = 20;

/// A unit as a schedule names it, with the inputs that it consumed.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenUnit {
    pub turn: Turn,
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
    /// A stretch without visible steps had more steps or choices than are followed, or created more threads.
    pub long_units: bool,
    /// Inputs had more possible values than were tried.
    pub inputs_limited: bool,
    /// Memory that was freed was not given out again for blocks that are much larger.
    pub reuse_limited: bool,
    /// A thread had more stores on their way to memory than are followed.
    pub buffers_limited: bool,
}

pub fn explore(code: &Code, options: &ExploreOptions) -> Exploration {
    let mut explorer = Explorer::new(code, options);
    while !explorer.advance() {}
    explorer.result
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
    /// The values that the statement at hand can take, until it has.
    class: Option<&'a [u64]>,
    choices: Vec<(usize, usize)>,
    /// What the choices of this run amounted to.
    values: Vec<u64>,
    at: usize,
    limited: bool,
}

impl<'a> Script<'a> {
    fn new(options: &'a ExploreOptions) -> Script<'a> {
        Script { options, class: None, choices: Vec::new(), values: Vec::new(), at: 0, limited: false }
    }

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
    fn at(&mut self, _thread: usize, _origin: u32, statement: StatementId) {
        self.class = self.options.classes.get(&statement).map(Vec::as_slice);
    }

    fn input(&mut self, bits: u32) -> u64 {
        match self.class.take() {
            Some(class) if bits > 1 => {
                let value = class[self.next(class.len())];
                self.values.push(value);
                value
            }
            _ => self.undefined(bits),
        }
    }

    fn undefined(&mut self, bits: u32) -> u64 {
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
    machine: Machine<'p>,
    key: Vec<u32>,
    successors: Vec<(TakenUnit, Option<(Machine<'p>, Position)>)>,
    total: Count,
    /// One thread alone is followed from here.
    alone: bool,
}

/// A search that can be interrupted.
pub struct Explorer<'p> {
    options: &'p ExploreOptions,
    states: States,
    /// What is known so far.
    pub result: Exploration,
    counts: Vec<Count>,
    /// The states on the way to the one at hand, and the units between them.
    stack: Vec<Open<'p>>,
    path: Vec<TakenUnit>,
    /// So many of these states have more than one thread to follow.
    choices: usize,
    /// A unit of the state at hand was too long to follow.
    gave_up: bool,
    /// One of the units just tried does what others may see.
    loud: bool,
    /// What each unit of the state at hand accesses.
    touched: Vec<(TakenUnit, Vec<Touch>)>,
    /// What the clocks say when a thread of the state at hand has looked at a condition that does not hold.
    looked: Vec<(TakenUnit, Box<Races>)>,
}

impl<'p> Explorer<'p> {
    pub fn new(code: &'p Code<'p>, options: &'p ExploreOptions) -> Explorer<'p> {
        let mut machine = Machine::new(code);
        machine.max_steps = options.max_steps_per_unit;
        machine.max_threads = options.max_threads;
        // What one state holds, and what a unit adds to it.
        machine.memory.max_bytes = (options.max_bytes / 8) as u64;
        machine.patience = options.patience;
        machine.creation_begins = options.creation_begins;
        machine.allow_spurious = options.spurious;
        machine.quiet = (!options.quiet.is_empty()).then_some(&options.quiet);
        if options.races == RaceSearch::Clocks {
            machine.races = Some(Box::new(Races::new(StopAt::Never, false)));
        }
        let mut explorer = Explorer {
            options,
            states: States::default(),
            result: Exploration { complete: true, ..Exploration::default() },
            counts: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            choices: 0,
            gave_up: false,
            loud: false,
            touched: Vec::new(),
            looked: Vec::new(),
        };
        let key = explorer.states.key(&machine, (0, 0), None);
        explorer.states.add(&key);
        explorer.push(machine, (0, 0), key);
        explorer
    }

    /// Looks at one more successor of a state; true if there is nothing left to do.
    pub fn advance(&mut self) -> bool {
        let Some(top) = self.stack.last_mut() else { return true };
        let Some((taken, machine)) = top.successors.pop() else {
            let done = self.stack.pop().expect("just looked at");
            self.choices -= usize::from(!done.alone);
            self.counts[done.id] = done.total;
            self.path.pop();
            match self.stack.last_mut() {
                Some(parent) => parent.total = add(parent.total, done.total),
                None => self.end(),
            }
            return self.stack.is_empty();
        };
        let Some((machine, position)) = machine else {
            top.total = add(top.total, Count::Finite(1));
            return false;
        };
        let key = self.states.key(&machine, position, Some((&top.machine, &top.key)));
        if let Some(known) = self.states.find(&key) {
            let count = self.counts[known];
            top.total = add(top.total, if count == Count::Open { Count::Endless } else { count });
            return false;
        }
        if self.states.len() >= self.options.max_states || self.states.bytes() > self.options.max_bytes {
            self.result.complete = false;
            self.stack.clear();
            return true;
        }
        self.states.add(&key);
        self.path.push(taken);
        // Where one thread alone is followed there is no choice to make, but an execution must end all the same.
        let most = self.options.max_units;
        if self.choices >= most || self.path.len() >= most.saturating_mul(ALONE_UNITS) {
            self.result.complete = false;
            self.counts.push(Count::Endless);
            self.path.pop();
            return false;
        }
        self.push(machine, position, key);
        false
    }

    fn push(&mut self, machine: Machine<'p>, position: Position, key: Vec<u32>) {
        self.result.states = self.states.len();
        let id = self.counts.len();
        self.counts.push(Count::Open);
        let path = std::mem::take(&mut self.path);
        let opened = self.open(id, machine, position, key, &path);
        self.path = path;
        self.choices += usize::from(!opened.alone);
        self.stack.push(opened);
    }

    fn end(&mut self) {
        self.result.executions = match self.counts.first() {
            Some(Count::Finite(count)) if self.result.complete && !self.result.long_units => Some(*count),
            _ => None,
        };
    }

    /// The threads that can run, those to be followed first in front.
    fn in_order(&self, machine: &Machine, path: &[TakenUnit]) -> Vec<usize> {
        let mut threads = machine.runnable_threads();
        if self.options.first == First::Switches {
            let last = path.last().map(|unit| unit.turn.thread);
            threads.sort_by_key(|thread| (Some(*thread) == last, std::cmp::Reverse(*thread)));
        }
        threads
    }

    /// All successors of a state, in reverse order. Ends of executions count without being followed.
    fn open(
        &mut self,
        id: usize,
        machine: Machine<'p>,
        position: Position,
        key: Vec<u32>,
        path: &[TakenUnit],
    ) -> Open<'p> {
        self.gave_up = false;
        self.touched.clear();
        self.looked.clear();
        let mut opened = Open { id, machine, key, successors: Vec::new(), total: Count::Finite(0), alone: false };
        if !self.options.quiet.is_empty() && self.alone(&mut opened, position, path) {
            return opened;
        }
        let machine = &opened.machine;
        let mut waits_for_assumption = machine.has_stuck_thread();
        let mut without_reason = Vec::new();
        let mut waiting = Vec::new();
        let mut blocked = Vec::new();
        for thread in self.in_order(machine, path) {
            let Some(position) = self.position(machine, thread, position) else {
                // It may wait all the same.
                match machine.clone().try_unit(thread, false, &mut super::Zeros) {
                    Unit::Blocked { by_assume, holder } => {
                        waits_for_assumption |= by_assume;
                        blocked.push(Blocked { thread, by_assume, holder });
                    }
                    Unit::Ran | Unit::Exit(_) | Unit::Failed(_) | Unit::OutOfSteps => self.gave_up = true,
                }
                continue;
            };
            let waits = self.units(machine, (thread, false, position), path, &mut opened.successors);
            if let Some((by_assume, holder)) = waits {
                waiting.push(thread);
                blocked.push(Blocked { thread, by_assume, holder });
                waits_for_assumption |= by_assume;
                if self.options.spurious && !by_assume {
                    self.units(machine, (thread, true, position), path, &mut without_reason);
                }
            }
        }
        self.commits(&opened.machine, position, &mut opened.successors);
        self.conflicts(&opened.machine, path);
        self.conflicts_after(&opened, &waiting, path);
        self.ends_after_looking(&opened, path);
        let machine = &opened.machine;
        if opened.successors.is_empty() {
            let live = machine.live_threads();
            if !live.is_empty() && !waits_for_assumption && !self.gave_up {
                self.fail(super::deadlock(machine), path);
            }
            opened.total = Count::Finite(1);
        }
        if let Some(failure) = super::partial_deadlock(machine, &blocked) {
            self.fail(failure, path);
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

    /// Stores that may reach memory next, of threads that have ended or wait as well.
    fn commits(
        &self,
        machine: &Machine<'p>,
        position: Position,
        successors: &mut Vec<(TakenUnit, Option<(Machine<'p>, Position)>)>,
    ) {
        for thread in 0..machine.thread_count() {
            for at in machine.ready_stores(thread) {
                let mut next = machine.clone();
                next.commit(thread, at);
                let taken = TakenUnit { turn: Turn::commit(thread, at), inputs: Vec::new() };
                successors.push((taken, Some((next, position))));
            }
        }
    }

    /// Is there a thread that can go on and makes no difference to the others, nor they to it? Then it is enough to follow
    /// that one: what the others can do, they can do after it as well (a persistent set of one thread). If it comes back to
    /// a state on the way to this one, all are followed, or else the others would wait for ever.
    fn alone(&mut self, opened: &mut Open<'p>, position: Position, path: &[TakenUnit]) -> bool {
        // Who went last is in the middle of something that others may wait for.
        let last = path.last().map(|unit| unit.turn.thread);
        let mut threads = opened.machine.runnable_threads();
        threads.sort_by_key(|thread| Some(*thread) != last);
        for thread in threads {
            if !opened.machine.is_quiet(thread) {
                continue;
            }
            let Some(position) = self.position(&opened.machine, thread, position) else { continue };
            let mut successors = Vec::new();
            self.loud = false;
            let waits = self.units(&opened.machine, (thread, false, position), path, &mut successors);
            let goes_on = |(_, next): &(TakenUnit, Option<(Machine<'p>, Position)>), states: &mut States| {
                let Some((next, position)) = next else { return false };
                let key = states.key(next, *position, Some((&opened.machine, &opened.key)));
                states.find(&key).is_none_or(|known| self.counts[known] != Count::Open)
            };
            let quiet = !self.loud && waits.is_none() && !self.gave_up && !successors.is_empty();
            if quiet && successors.iter().all(|successor| goes_on(successor, &mut self.states)) {
                successors.reverse();
                opened.successors = successors;
                opened.alone = true;
                return true;
            }
            self.gave_up = false;
            self.touched.clear();
            self.looked.clear();
        }
        false
    }

    /// The position after a unit of this thread; `None` if the rounds are used up.
    fn position(&self, machine: &Machine, thread: usize, (round, last): Position) -> Option<Position> {
        let Some(rounds) = &self.options.rounds else { return Some((0, 0)) };
        let start = machine.start_of(thread);
        let place = rounds.order.iter().position(|function| Some(*function) == start).unwrap_or(0);
        let round = if place < last { round + 1 } else { round };
        (round < rounds.count).then_some((round, place))
    }

    /// The successors by one thread, one per list of choices. `Some` if the thread is blocked: by an assumption? by whom?
    fn units(
        &mut self,
        machine: &Machine<'p>,
        (thread, spurious, position): (usize, bool, Position),
        path: &[TakenUnit],
        successors: &mut Vec<(TakenUnit, Option<(Machine<'p>, Position)>)>,
    ) -> Option<(bool, Option<usize>)> {
        let mut script = Script::new(self.options);
        let mut blocked = None;
        let mut steps = 0;
        while steps <= WAYS * self.options.max_steps_per_unit {
            let mut next = machine.clone();
            next.steps = 0;
            next.loud = false;
            if self.options.races == RaceSearch::States {
                next.touched = Some(Vec::new());
            }
            let unit = next.try_unit(thread, spurious, &mut script);
            steps += next.steps;
            self.result.long_units |= next.left_alone;
            self.loud |= next.loud || next.left_alone || !next.is_running(thread) || !matches!(unit, Unit::Ran);
            self.result.reuse_limited |= next.reuse_limited;
            self.result.buffers_limited |= next.buffers_limited;
            let taken = TakenUnit { turn: Turn { spurious, ..Turn::of(thread) }, inputs: script.values.clone() };
            self.look_at_accesses(&mut next, &unit, &taken, path);
            match unit {
                Unit::Ran => {
                    if !self.options.live.is_empty() {
                        next.forget(thread, &self.options.live);
                    }
                    successors.push((taken, Some((next, position))));
                }
                Unit::Exit(_) => successors.push((taken, None)),
                Unit::Blocked { by_assume, holder } => {
                    blocked = Some((by_assume, holder));
                    if let Some(races) = next.races.take().filter(|_| !next.in_section(thread)) {
                        self.looked.push((taken, races));
                    }
                }
                Unit::Failed(failure) => {
                    let mut full = path.to_vec();
                    full.push(taken.clone());
                    let culprit = failure.thread;
                    self.fail(failure, &full);
                    // What the unit did before it failed is there for the others, who may run on.
                    let others = next.stop_before_failure(culprit);
                    let held = TakenUnit { turn: Turn { held: true, ..taken.turn }, ..taken };
                    successors.push((held, others.then_some((next, position))));
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
        self.result.long_units = true;
        self.gave_up = true;
        blocked
    }

    /// What the unit accessed is compared with other units later; what the clocks found is told now.
    fn look_at_accesses(&mut self, next: &mut Machine<'p>, unit: &Unit, taken: &TakenUnit, path: &[TakenUnit]) {
        let touched = next.touched.take().unwrap_or_default();
        next.got_again.clear();
        // A thread outside of a section looks, and waits then.
        let blocked = matches!(unit, Unit::Blocked { .. });
        if blocked && next.in_section(taken.turn.thread) {
            return;
        }
        if !touched.is_empty() {
            // Where it fails after its access, it is held there while the other one goes on.
            let held = matches!(unit, Unit::Failed(_));
            self.touched.push((TakenUnit { turn: Turn { held, ..taken.turn }, ..taken.clone() }, touched));
        }
        let found = next.races.as_mut().map_or_else(Vec::new, |races| std::mem::take(&mut races.found));
        for race in found {
            let mut full = path.to_vec();
            full.push(taken.clone());
            self.fail(next.raced(race), &full);
        }
    }

    /// Threads that race in a state: both could go on now.
    fn conflicts(&mut self, machine: &Machine<'p>, path: &[TakenUnit]) {
        let touched = std::mem::take(&mut self.touched);
        for (index, (unit, touches)) in touched.iter().enumerate() {
            // The same unit with other inputs is another way to go on, not another thread, even if it begins one.
            let of_others = touched[index + 1..].iter().filter(|(other, _)| other.turn.thread != unit.turn.thread);
            for (other, others) in of_others {
                for (a, b) in touches.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    let known = |(failure, _): &(Failure, Vec<TakenUnit>)| {
                        failure.race.as_ref().is_some_and(|race| race.is_between(a.span, b.span))
                    };
                    if !conflict(a, b) || self.result.failures.iter().any(known) {
                        continue;
                    }
                    let preferred = if goes_last(a, b) { [(other, b), (unit, a)] } else { [(unit, a), (other, b)] };
                    let swapped = [preferred[1], preferred[0]];
                    let shows = |[first, second]: [(&TakenUnit, &Touch); 2]| {
                        shows_race(machine, [first.0, second.0], (first.1.span, second.1.span))
                    };
                    let [first, second] = if !shows(preferred) && shows(swapped) { swapped } else { preferred };
                    let failure = machine.raced(machine.race(first.1.clone(), second.1.clone()));
                    let mut path: Vec<TakenUnit> = path.iter().chain([first.0, second.0]).cloned().collect();
                    path.iter_mut().next_back().expect("two units").turn.held = false;
                    self.fail(failure, &path);
                }
            }
        }
        self.touched = touched;
    }

    /// Threads that wait in a section for what another one writes, without being atomic: they would race if they looked
    /// while they wait, and they do when they go on right after it.
    fn conflicts_after(&mut self, opened: &Open<'p>, waiting: &[usize], path: &[TakenUnit]) {
        if self.options.races != RaceSearch::States || waiting.is_empty() {
            return;
        }
        let touched = std::mem::take(&mut self.touched);
        for (unit, touches) in &touched {
            let plain = touches.iter().any(|touch| touch.write && touch.atomic.is_none());
            let after =
                opened.successors.iter().find(|(taken, _)| taken.turn == unit.turn && taken.inputs == unit.inputs);
            let Some((_, Some((next, _)))) = after.filter(|_| plain) else { continue };
            for thread in waiting.iter().copied().filter(|thread| next.runnable_threads().contains(thread)) {
                let mut then = next.clone();
                then.touched = Some(Vec::new());
                then.steps = 0;
                let mut script = Script::new(self.options);
                if let Unit::Blocked { .. } = then.try_unit(thread, false, &mut script) {
                    continue;
                }
                let turn = Turn::of(thread);
                let taken = TakenUnit { turn, inputs: script.values.clone() };
                let others = then.touched.take().unwrap_or_default();
                then.got_again.clear();
                for (a, b) in touches.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    if conflict(a, b) {
                        let path: Vec<TakenUnit> = path.iter().chain([unit, &taken]).cloned().collect();
                        self.fail(opened.machine.raced(opened.machine.race(a.clone(), b.clone())), &path);
                    }
                }
            }
        }
        self.touched = touched;
    }

    /// Who waits for a condition has looked at it before another thread ends the process, and does not look after that.
    fn ends_after_looking(&mut self, opened: &Open<'p>, path: &[TakenUnit]) {
        for (waits, races) in std::mem::take(&mut self.looked) {
            let others = opened.successors.iter().filter(|(taken, _)| taken.turn.thread != waits.turn.thread);
            for (ends, _) in others.filter(|(_, next)| next.is_none()) {
                let mut machine = opened.machine.clone();
                (machine.races, machine.steps) = (Some(races.clone()), 0);
                let mut inputs = ListedInputs { inputs: ends.inputs.iter().copied().collect() };
                machine.try_unit(ends.turn.thread, ends.turn.spurious, &mut inputs);
                let found = machine.races.as_mut().map_or_else(Vec::new, |races| std::mem::take(&mut races.found));
                for race in found {
                    // In this order, because an execution cannot have a unit that waits before its end.
                    let path: Vec<TakenUnit> = path.iter().chain([ends, &waits]).cloned().collect();
                    self.fail(machine.raced(race), &path);
                }
            }
        }
    }

    fn fail(&mut self, failure: Failure, path: &[TakenUnit]) {
        let known = self.result.failures.iter().any(|(other, _)| match (&other.race, &failure.race) {
            (Some(known), Some(race)) => known.same_places(race),
            // With more threads that wait in the end it is the same one.
            _ if failure.kind == FailureKind::Deadlock => other.same_deadlock(&failure),
            _ => other.kind == failure.kind && other.span == failure.span && other.message == failure.message,
        });
        if !known {
            self.result.failures.push((failure, path.to_vec()));
        }
    }
}

/// Do these units, one after the other, make the two accesses? The first may leave the second nothing to do but wait.
fn shows_race(machine: &Machine, units: [&TakenUnit; 2], (a, b): (Span, Span)) -> bool {
    let mut machine = machine.clone();
    machine.races = Some(Box::new(Races::new(StopAt::Never, true)));
    for unit in units {
        let thread = unit.turn.thread;
        let mut inputs = ListedInputs { inputs: unit.inputs.iter().copied().collect() };
        let runnable = machine.runnable_threads().contains(&thread);
        match if runnable { machine.take_unit(thread, unit.turn.spurious, &mut inputs) } else { return false } {
            Unit::Blocked { .. } | Unit::Exit(_) if unit == units[0] => return false,
            Unit::Failed(failure) if unit.turn.held && unit == units[0] => {
                if !machine.stop_before_failure(failure.thread) {
                    return false;
                }
            }
            Unit::Ran | Unit::Blocked { .. } | Unit::Exit(_) | Unit::Failed(_) | Unit::OutOfSteps => {}
        }
    }
    machine.races.is_some_and(|races| races.found.iter().any(|race| race.is_between(a, b)))
}

fn add(a: Count, b: Count) -> Count {
    match (a, b) {
        (Count::Finite(a), Count::Finite(b)) => a.checked_add(b).map_or(Count::Endless, Count::Finite),
        _ => Count::Endless,
    }
}
