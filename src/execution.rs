//! Who did what: an execution of bounded threads as a schedule, and what the interpreter saw when it was executed.
//!
//! Every engine that finds a bug says so by a [`Schedule`] (or, for states, by units); no `bug` is believed before the
//! interpreter has executed it. What it saw is an [`Execution`], from which `witness` makes a counterexample.

use crate::diagnostic::Span;
use crate::il::interpret::race::{Races, StopAt};
use crate::il::interpret::{
    self, Chooser, Code, Executed, Failure, FailureKind, Machine, Outcome, TakenUnit, Turn, Unit,
};
use crate::il::{CONTINUED, StatementId, StmtKind};
use crate::limit::Bounded;
use crate::property::{ErrorKind, Property};
use crate::unwritten::{Contents, Unwritten};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// An execution of bounded threads: who runs, and up to which of its steps.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    pub contexts: Vec<Context>,
    /// The undetermined values that each thread takes.
    inputs: Vec<VecDeque<Input>>,
    /// What the objects hold that nobody wrote, by the statement that makes them.
    contents: FxHashMap<StatementId, Vec<u8>>,
    /// After all that, accesses race.
    pub race: Option<Racers>,
}

/// Threads that stand before accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Racers {
    /// Who goes first; none if that access was the last step before.
    pub before: Option<usize>,
    pub last: usize,
    /// The two accesses.
    pub places: (Span, Span),
}

/// A value from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    Bits(u64),
    /// As the verifier tells it, whatever the size in memory.
    Double(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    pub thread: usize,
    pub until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// It stops before the step with this number.
    Step(u32),
    /// It takes so many steps: where there are loops, a number does not tell which time it is reached.
    Steps(u32),
}

/// What the interpreter saw.
#[derive(Debug)]
pub struct Execution {
    pub failure: Failure,
    /// All that was executed.
    pub record: Vec<Executed>,
    /// For each thread of the machine, the statement that it would execute next.
    pub next: Vec<u32>,
    /// Threads that could go on, or wait.
    pub live: Vec<usize>,
    /// Values from outside, in order; those at the end are what threads took that wait in the end.
    pub taken: Vec<Taken>,
    /// What objects held that nobody wrote, in the order in which they were made.
    pub contents: Vec<Content>,
    /// What memory held that nobody wrote and no object was made with, in the order in which it was read.
    pub unwritten: Vec<u64>,
    /// Of the whole program: units up to the failure.
    pub units: usize,
    /// Who took them, where that is known.
    pub turns: Vec<Turn>,
    /// For a deadlock: what each thread waits for, by its own record.
    pub blocked: Vec<Executed>,
    /// Of bounded threads with store buffers: under which number every store of a thread waits, if it does, by its
    /// statement and in order.
    pub waits: FxHashMap<(usize, u32), VecDeque<Option<u32>>>,
}

/// What a new object held: made by which thread, by which statement (by its number).
#[derive(Clone, Debug)]
pub struct Content {
    pub thread: usize,
    pub statement: u32,
    pub bytes: Vec<u8>,
}

impl Execution {
    pub fn new(failure: Failure, machine: &mut Machine, noted: Noted) -> Execution {
        let runs = machine.runnable_threads();
        let next = (0..machine.thread_count())
            .map(|thread| if runs.contains(&thread) { machine.next_origin(thread) } else { 0 })
            .collect();
        let blocked = failure.stuck.iter().copied().map(|thread| waiting_at(machine, thread)).collect();
        Execution {
            failure,
            record: machine.record.take().unwrap_or_default(),
            next,
            live: machine.live_threads(),
            taken: noted.taken,
            contents: noted.contents,
            unwritten: noted.unwritten,
            units: noted.units,
            turns: Vec::new(),
            blocked,
            waits: FxHashMap::default(),
        }
    }

    /// The same as it is without the threads that are buffers: what they do is that stores reach memory. `threads`: by
    /// thread of the machine, the bounded thread.
    fn without_buffers(mut self, bounded: &Bounded, threads: &[usize]) -> Execution {
        if bounded.threads.iter().all(|thread| thread.buffer_of.is_none()) {
            return self;
        }
        let owner = |thread: usize| bounded.threads[threads[thread]].buffer_of;
        // Who counts, and as which thread.
        let mut numbers = Vec::new();
        let mut count = 0;
        for thread in 0..threads.len() {
            numbers.push(owner(thread).is_none().then_some(count));
            count += usize::from(owner(thread).is_none());
        }
        let number = |thread: usize| {
            numbers[thread].or_else(|| {
                let owner = owner(thread)?;
                numbers[threads.iter().position(|bounded| *bounded == owner)?]
            })
        };
        for mut executed in std::mem::take(&mut self.record) {
            let is_buffer = owner(executed.thread).is_some();
            let Some(thread) = number(executed.thread) else { continue };
            executed.thread = thread;
            let store = executed.events.iter().find_map(|event| match event {
                interpret::Event::Store { number, waits } => Some((*number, *waits)),
                _ => None,
            });
            match store {
                Some((number, waits)) if is_buffer => {
                    let events = vec![interpret::Event::Store { number, waits }];
                    self.record.push(Executed { origin: 0, events, ..executed });
                }
                Some((number, waits)) => {
                    let number = waits.then_some(number);
                    self.waits.entry((thread, executed.origin & !CONTINUED)).or_default().push_back(number);
                }
                None => {}
            }
            if is_buffer || store.is_some() {
                continue;
            }
            executed.events.retain_mut(|event| match event {
                interpret::Event::Creates(child) | interpret::Event::Joins(child) => {
                    let kept = owner(*child).is_none();
                    *child = number(*child).unwrap_or(0);
                    kept
                }
                _ => true,
            });
            self.record.push(executed);
        }
        let kept = |thread: &usize| owner(*thread).is_none();
        self.next = (0..self.next.len()).filter(kept).map(|thread| self.next[thread]).collect();
        self.live = self.live.iter().filter(|thread| kept(thread)).filter_map(|thread| number(*thread)).collect();
        self.taken.retain(|taken| kept(&taken.thread));
        self.taken.iter_mut().for_each(|taken| taken.thread = number(taken.thread).unwrap_or(0));
        self.contents.retain(|content| kept(&content.thread));
        self.contents.iter_mut().for_each(|content| content.thread = number(content.thread).unwrap_or(0));
        self.blocked.retain(|blocked| kept(&blocked.thread));
        self.blocked.iter_mut().for_each(|blocked| blocked.thread = number(blocked.thread).unwrap_or(0));
        self.failure.thread = number(self.failure.thread).unwrap_or(0);
        self.failure.stuck =
            self.failure.stuck.iter().filter(|thread| kept(thread)).filter_map(|thread| number(*thread)).collect();
        self
    }
}

/// Where a thread waits, and what it looked at before it had to.
fn waiting_at(machine: &Machine, thread: usize) -> Executed {
    let (user_function, span) = machine.position(thread);
    let origin = machine.next_origin(thread);
    let events = machine.waits_in_call(thread).into_iter().collect();
    Executed { thread, origin, function: user_function, span, user_function, begins: false, visible: true, events }
}

impl Schedule {
    /// The next undetermined value that a thread takes.
    pub fn add_input(&mut self, thread: usize, value: Input) {
        if self.inputs.len() <= thread {
            self.inputs.resize(thread + 1, VecDeque::new());
        }
        self.inputs[thread].push_back(value);
    }

    /// What the object holds that a statement makes.
    pub fn set_content(&mut self, statement: StatementId, bytes: Vec<u8>) {
        self.contents.insert(statement, bytes);
    }
}

/// What was taken in an execution.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// By which thread of the machine, for which statement.
    pub taken: Vec<Taken>,
    pub contents: Vec<Content>,
    pub unwritten: Vec<u64>,
    pub units: usize,
}

struct Inputs<'a> {
    queue: &'a mut VecDeque<Input>,
    contents: &'a FxHashMap<StatementId, Vec<u8>>,
    unwritten: &'a mut Contents,
    noted: &'a mut Noted,
    at: (usize, u32, StatementId),
}

/// A value that a thread took for a statement (by its number, 0 if it has none).
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub thread: usize,
    pub statement: u32,
    pub value: u64,
}

impl Inputs<'_> {
    fn next(&mut self, bits: u32) -> u64 {
        match self.queue.pop_front() {
            Some(Input::Bits(value)) => value,
            Some(Input::Double(value)) if bits == 32 => u64::from((value as f32).to_bits()),
            Some(Input::Double(value)) => value.to_bits(),
            None => 0,
        }
    }

    fn note(&mut self, value: u64) -> u64 {
        self.noted.taken.push(Taken { thread: self.at.0, statement: self.at.1, value });
        value
    }
}

impl Chooser for Inputs<'_> {
    fn at(&mut self, thread: usize, origin: u32, statement: StatementId) {
        self.at = (thread, origin & !CONTINUED, statement);
    }

    fn content(&mut self, _size: usize) -> Option<Vec<u8>> {
        let bytes = self.contents.get(&self.at.2)?.clone();
        self.noted.contents.push(Content { thread: self.at.0, statement: self.at.1, bytes: bytes.clone() });
        Some(bytes)
    }

    fn input(&mut self, bits: u32) -> u64 {
        let value = self.next(bits);
        self.note(if bits >= 64 { value } else { value & ((1 << bits) - 1) })
    }

    fn pick(&mut self, count: usize) -> usize {
        let value = self.next(64) % count as u64;
        self.note(value) as usize
    }

    fn choose(&mut self, set: u64) -> u64 {
        let value = self.next(64) & set;
        self.note(value)
    }

    fn undefined(&mut self, _bits: u32) -> u64 {
        self.unwritten.value()
    }
}

/// What the exploration of states chose, in its order.
struct Repeated<'a> {
    values: std::slice::Iter<'a, u64>,
    noted: &'a mut Noted,
    at: (usize, u32),
}

impl Repeated<'_> {
    fn note(&mut self, statement: u32, value: u64) -> u64 {
        self.noted.taken.push(Taken { thread: self.at.0, statement, value });
        value
    }
}

impl Chooser for Repeated<'_> {
    fn at(&mut self, thread: usize, origin: u32, _statement: StatementId) {
        self.at = (thread, origin);
    }

    fn input(&mut self, _bits: u32) -> u64 {
        let value = self.values.next().copied().unwrap_or(0);
        self.note(self.at.1, value)
    }

    fn pick(&mut self, count: usize) -> usize {
        let value = self.values.next().copied().unwrap_or(0) % count as u64;
        self.note(self.at.1, value) as usize
    }

    fn choose(&mut self, set: u64) -> u64 {
        let bits: Vec<u32> = (0..64).filter(|bit| set >> bit & 1 == 1).collect();
        let chosen = if bits.len() > 1 { self.values.next().copied().unwrap_or(0) as usize } else { 0 };
        self.note(self.at.1, 1 << bits[chosen])
    }

    fn undefined(&mut self, _bits: u32) -> u64 {
        let value = self.values.next().copied().unwrap_or(0);
        self.note(0, value)
    }
}

/// Executes once more what the exploration of states found, and notes it.
pub fn retrace(code: &Code, patience: u64, failure: &Failure, units: &[TakenUnit]) -> Result<Execution, String> {
    let mut machine = Machine::new(code);
    machine.patience = Some(patience);
    machine.creation_begins = true;
    machine.record = Some(Vec::new());
    machine.races = Some(Box::new(Races::new(StopAt::Never, false)));
    let mut noted = Noted::default();
    let turns = units.iter().map(|unit| unit.turn).collect();
    for (index, TakenUnit { turn: Turn { thread, spurious, held, commit }, inputs }) in units.iter().enumerate() {
        if let Some(at) = commit {
            if !machine.commit(*thread, *at) {
                return Err(format!("step {index} is no store that can reach memory"));
            }
            continue;
        }
        let mut chooser = Repeated { values: inputs.iter(), noted: &mut noted, at: (0, 0) };
        if let (Some(race), Some(races)) = (&failure.race, &mut machine.races)
            && index + 1 == units.len()
        {
            races.stop_at = StopAt::Between(race.first.span, race.second.span);
        }
        match machine.take_unit(*thread, *spurious, &mut chooser) {
            Unit::Ran => {}
            Unit::Failed(found) if *held => {
                machine.stop_before_failure(found.thread);
            }
            Unit::Failed(found) if index + 1 == units.len() && found.is_same(failure) => {
                return Ok(Execution { turns, ..Execution::new(found, &mut machine, noted) });
            }
            Unit::Failed(found) => return Err(format!("step {index} fails: {}", found.message)),
            Unit::Blocked { .. } => return Err(format!("step {index} waits")),
            Unit::Exit(_) => return Err("the program ends before it fails".to_owned()),
            Unit::OutOfSteps => return Err("the execution is too long".to_owned()),
        }
    }
    match failure.kind {
        FailureKind::Deadlock => Ok(Execution { turns, ..Execution::new(failure.clone(), &mut machine, noted) }),
        _ => Err("the execution does not fail".to_owned()),
    }
}

/// `main` never takes the step that ends the process: nothing happens after it.
fn last_step(bounded: &Bounded, thread: usize) -> u32 {
    let info = &bounded.threads[thread];
    let last = bounded.program.function(info.function).body.last().map(|stmt| &stmt.kind);
    match (thread, last) {
        (0, Some(StmtKind::Return(_))) => info.steps - 1,
        _ => u32::MAX,
    }
}

/// Why an execution may fail all the same.
const UNWRITTEN: &str = "it depends on what memory holds that nobody wrote";

/// Attempts with different contents of memory that nobody wrote.
const ATTEMPTS: u64 = 200;

/// Executes a schedule on the bounded threads. `Err` says why it does not end in a failure.
pub fn execute(bounded: &Bounded, schedule: &Schedule, property: &Property) -> Result<Execution, String> {
    let result = execute_with_contents(bounded, schedule, property);
    // After its access the thread that goes first may leave the other one nothing to do: it ends the process, or fails.
    match (schedule.race, &result) {
        (Some(Racers { before: Some(before), last, places }), Err(_)) => {
            let race = Some(Racers { before: Some(last), last: before, places });
            execute_with_contents(bounded, &Schedule { race, ..schedule.clone() }, property).or(result)
        }
        _ => result,
    }
}

fn execute_with_contents(bounded: &Bounded, schedule: &Schedule, property: &Property) -> Result<Execution, String> {
    let mut first = None;
    for attempt in 0..ATTEMPTS {
        let mut unwritten = Contents::new(match attempt {
            0 => Unwritten::Zero,
            1 => Unwritten::Value(1),
            2 => Unwritten::Value(u64::MAX),
            seed => Unwritten::Any(vec![0, 1, 2, 3, u64::MAX, fastrand::Rng::with_seed(seed).u64(..)], seed),
        });
        let result = execute_once(bounded, schedule, property, &mut unwritten);
        let right = result.as_ref().is_ok_and(|execution| property.wants(&execution.failure));
        if right || unwritten.given.is_empty() {
            return result;
        }
        first.get_or_insert(result);
    }
    match first.expect("there was an attempt") {
        Err(_) => Err(UNWRITTEN.to_owned()),
        result => result,
    }
}

fn execute_once(
    bounded: &Bounded,
    schedule: &Schedule,
    property: &Property,
    unwritten: &mut Contents,
) -> Result<Execution, String> {
    let code = Code::looking_for(&bounded.program, &property.without(ErrorKind::Leak).without(ErrorKind::Cleanup));
    let mut machine = Machine::new(&code);
    machine.record = Some(Vec::new());
    if schedule.race.is_some() {
        machine.races = Some(Box::new(Races::new(StopAt::Never, false)));
    }
    machine.max_steps = 10_000_000;
    let mut inputs = schedule.inputs.clone();
    inputs.resize(bounded.threads.len(), VecDeque::new());
    let mut noted = Noted::default();
    let contents = &schedule.contents;
    for context in &schedule.contexts {
        let last = last_step(bounded, context.thread);
        let mut taken = 0;
        loop {
            let function = bounded.threads[context.thread].function;
            let running = machine.runnable_threads();
            let Some(thread) = running.into_iter().find(|thread| machine.start_of(*thread) == Some(function)) else {
                break;
            };
            let stops = match context.until {
                Until::Step(step) => machine.step_number(thread) >= step,
                Until::Steps(steps) => taken >= steps,
            };
            if stops || machine.step_number(thread) >= last {
                break;
            }
            taken += 1;
            let queue = &mut inputs[context.thread];
            let (before, given, made) = (queue.clone(), noted.taken.len(), noted.contents.len());
            let mut chooser = Inputs { queue, contents, unwritten, noted: &mut noted, at: Default::default() };
            match machine.take_unit(thread, true, &mut chooser) {
                Unit::Ran => {}
                Unit::Failed(failure) => {
                    return Ok(finished(bounded, failure, &mut machine, noted));
                }
                // Runs up to "anywhere" end where the thread cannot go on. So does a step of which only the beginning was
                // taken, in which nobody sees anything: what comes after ways have joined belongs to the last step before
                // that, and it waits there.
                Unit::Blocked { .. } => {
                    inputs[context.thread] = before;
                    noted.taken.truncate(given);
                    noted.contents.truncate(made);
                    break;
                }
                Unit::Exit(_) => return Err("the program ends before it fails".to_owned()),
                Unit::OutOfSteps => return Err("the execution is too long".to_owned()),
            }
        }
    }
    if let Some(race) = schedule.race {
        let mut take = |thread: usize, machine: &mut Machine| {
            let function = bounded.threads[thread].function;
            let running = machine.runnable_threads();
            let running = running.into_iter().find(|thread| machine.start_of(*thread) == Some(function))?;
            let queue = &mut inputs[thread];
            let mut chooser = Inputs { queue, contents, unwritten, noted: &mut noted, at: Default::default() };
            Some(machine.take_unit(running, true, &mut chooser))
        };
        let first = race.before.map_or(Some(Unit::Ran), |thread| take(thread, &mut machine));
        return match first {
            Some(Unit::Ran) => {
                machine
                    .races
                    .iter_mut()
                    .for_each(|races| races.stop_at = StopAt::Between(race.places.0, race.places.1));
                match take(race.last, &mut machine) {
                    Some(Unit::Failed(failure)) => Ok(finished(bounded, failure, &mut machine, noted)),
                    _ => Err("the accesses do not race".to_owned()),
                }
            }
            // After its access.
            Some(Unit::Failed(failure)) => Ok(finished(bounded, failure, &mut machine, noted)),
            _ => Err("the first of two threads that race cannot go on".to_owned()),
        };
    }
    let mut waits_for_assumption = machine.has_stuck_thread();
    let executed = machine.record.as_ref().map_or(0, Vec::len);
    let (mut blocked, mut goes_on, mut fails) = (Vec::new(), false, None);
    for thread in machine.runnable_threads() {
        let mut queue = inputs[number_of(bounded, &machine, thread)].clone();
        let mut tried = (machine.clone(), noted.clone());
        let mut chooser =
            Inputs { queue: &mut queue, contents, unwritten, noted: &mut tried.1, at: Default::default() };
        match tried.0.take_unit(thread, false, &mut chooser) {
            Unit::Blocked { by_assume, holder } => {
                waits_for_assumption |= by_assume;
                blocked.push(interpret::Blocked { thread, by_assume, holder });
                (machine, noted) = tried;
            }
            // It waits in its first unit, after its beginning.
            Unit::Ran if tried.0.waits_for_good(thread) => (machine, noted) = tried,
            Unit::Failed(failure) => fails = fails.or(Some((failure, tried))),
            Unit::Ran | Unit::Exit(_) | Unit::OutOfSteps => goes_on = true,
        }
    }
    machine.record.iter_mut().for_each(|record| record.truncate(executed));
    let partial = interpret::partial_deadlock(&machine, &blocked);
    let failure = match fails {
        // It would not wait, but fail in a way that nobody looks for.
        Some((failure, (mut machine, noted))) if partial.is_none() => {
            return Ok(finished(bounded, failure, &mut machine, noted));
        }
        None if !goes_on => match interpret::nobody_can_run(&machine, waits_for_assumption) {
            Outcome::Failed(failure) => Some(failure),
            _ => partial,
        },
        _ => partial,
    };
    match failure {
        Some(failure) => Ok(finished(bounded, failure, &mut machine, noted)),
        None => Err("the execution does not fail".to_owned()),
    }
}

/// What was executed, told of the threads of the program.
fn finished(bounded: &Bounded, failure: Failure, machine: &mut Machine, noted: Noted) -> Execution {
    let of_function = |function| bounded.threads.iter().position(|info| info.function == function).unwrap_or(0);
    let threads: Vec<usize> =
        (0..machine.thread_count()).map(|thread| of_function(machine.first_function(thread))).collect();
    Execution::new(failure, machine, noted).without_buffers(bounded, &threads)
}

/// The number of a running thread in the bounded program.
fn number_of(bounded: &Bounded, machine: &Machine, thread: usize) -> usize {
    let start = machine.start_of(thread);
    bounded.threads.iter().position(|info| Some(info.function) == start).unwrap_or(thread)
}
