//! From an execution of bounded threads to one of the normalized program: whole functions and loops, more steps.
//!
//! Copies of a statement keep its number (`origin`). What a bounded thread executed is, number by number, part of what
//! the thread of the normalized program executes; so that one is led along until it has done the same.

use crate::budget::Budget;
use crate::diagnostic::Span;
use crate::execution::{Content, Execution, Noted, Taken};
use crate::il::interpret::race::{Races, StopAt};
use crate::il::interpret::{self, Chooser, Code, Event, Failure, FailureKind, Machine, Outcome, Turn, Unit};
use crate::il::{CONTINUED, Operation, Program, StatementId, Stmt, StmtKind, walk};
use crate::property::Property;
use crate::unwritten::{Contents, Unwritten};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// An execution of the normalized program: who takes its next step, and all values that the program does not determine.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub units: Vec<Turn>,
    /// By thread and statement, in the order in which they are taken.
    pub inputs: FxHashMap<(usize, u32), VecDeque<u64>>,
    /// What new objects hold, likewise.
    pub contents: FxHashMap<(usize, u32), VecDeque<Vec<u8>>>,
    pub unwritten: Unwritten,
    /// A race of accesses in these two places ends it.
    pub race: Option<(Span, Span)>,
}

/// Takes the values of a plan.
struct Values {
    inputs: FxHashMap<(usize, u32), VecDeque<u64>>,
    contents: FxHashMap<(usize, u32), VecDeque<Vec<u8>>>,
    unwritten: Contents,
    at: (usize, u32),
    taken: Vec<Taken>,
}

impl Values {
    fn new(plan: &Plan) -> Values {
        let unwritten = Contents::new(plan.unwritten.clone());
        let (inputs, contents) = (plan.inputs.clone(), plan.contents.clone());
        Values { inputs, contents, unwritten, at: (0, 0), taken: Vec::new() }
    }

    fn next(&mut self) -> u64 {
        self.inputs.get_mut(&self.at).and_then(VecDeque::pop_front).unwrap_or(0)
    }

    fn note(&mut self, value: u64) -> u64 {
        self.taken.push(Taken { thread: self.at.0, statement: self.at.1, value });
        value
    }

    /// A unit that cannot be taken takes no values either.
    fn unit(&mut self, machine: &mut Machine, thread: usize, spurious: bool) -> Unit {
        let (inputs, contents) = (self.inputs.clone(), self.contents.clone());
        let (given, taken) = (self.unwritten.given.len(), self.taken.len());
        let unit = machine.take_unit(thread, spurious, self);
        if let Unit::Blocked { .. } = unit {
            (self.inputs, self.contents) = (inputs, contents);
            self.unwritten.given.truncate(given);
            self.taken.truncate(taken);
        }
        unit
    }
}

impl Chooser for Values {
    fn at(&mut self, thread: usize, origin: u32, _statement: StatementId) {
        self.at = (thread, origin);
    }

    fn content(&mut self, _size: usize) -> Option<Vec<u8>> {
        self.contents.get_mut(&self.at).and_then(VecDeque::pop_front)
    }

    fn initial(&mut self) -> Option<u64> {
        self.inputs.get_mut(&self.at).and_then(VecDeque::pop_front)
    }

    fn input(&mut self, bits: u32) -> u64 {
        let value = self.next();
        self.note(if bits >= 64 { value } else { value & ((1 << bits) - 1) })
    }

    fn pick(&mut self, count: usize) -> usize {
        let value = self.next() % count as u64;
        self.note(value) as usize
    }

    fn choose(&mut self, set: u64) -> u64 {
        let value = match self.next() & set {
            // Not one of the set: the first is as good as any.
            0 => set & set.wrapping_neg(),
            some => some & some.wrapping_neg(),
        };
        self.note(value)
    }

    fn undefined(&mut self, _bits: u32) -> u64 {
        self.unwritten.value()
    }
}

/// An execution that does not end is given up.
const MAX_STEPS: u64 = 4_000_000;
/// A thread that goes on for so long without anybody seeing it does so for ever.
const PATIENCE: u64 = 500_000;

fn start<'p>(code: &'p Code<'p>, recorded: bool, race: Option<(Span, Span)>) -> Machine<'p> {
    let mut machine = Machine::new(code);
    machine.record = recorded.then(Vec::new);
    machine.max_steps = MAX_STEPS;
    machine.patience = Some(PATIENCE);
    machine.creation_begins = true;
    machine.races = race.map(|(a, b)| Box::new(Races::new(StopAt::Between(a, b), false)));
    machine
}

/// Executes a plan on a machine that the caller watches.
pub fn repeat(machine: &mut Machine, plan: &Plan, after_unit: &mut dyn FnMut(&mut Machine)) -> Outcome {
    machine.patience = Some(PATIENCE);
    if let (Some((a, b)), Some(races)) = (plan.race, &mut machine.races) {
        races.stop_at = StopAt::Between(a, b);
    }
    interpret::scheduled(machine, &plan.units, &mut Values::new(plan), after_unit)
}

/// Executes a plan. `Err` says why it does not end in a failure.
pub fn run(code: &Code, plan: &Plan) -> Result<Execution, String> {
    execute(code, plan, true)
}

/// Likewise; what was executed is noted only if asked for.
pub fn execute(code: &Code, plan: &Plan, recorded: bool) -> Result<Execution, String> {
    let mut machine = start(code, recorded, plan.race);
    let mut values = Values::new(plan);
    for (index, Turn { thread, spurious, held, commit }) in plan.units.iter().enumerate() {
        if let Some(at) = commit {
            if !machine.commit(*thread, *at) {
                return Err(format!("after {index} steps, no such store of thread {thread} can reach memory"));
            }
            continue;
        }
        if !machine.runnable_threads().contains(thread) {
            return Err(format!("after {index} steps, thread {thread} cannot run"));
        }
        match values.unit(&mut machine, *thread, *spurious) {
            Unit::Ran => {}
            Unit::Failed(failure) if *held => {
                if !machine.stop_before_failure(failure.thread) {
                    return Err(format!("after {index} steps, nobody else can run"));
                }
            }
            Unit::Failed(failure) => return Ok(ended(machine, failure, index + 1, &values)),
            Unit::Blocked { .. } => return Err(format!("after {index} steps, thread {thread} waits")),
            Unit::Exit(_) => return Err("the program ends before it fails".to_owned()),
            Unit::OutOfSteps => return Err("the execution is too long".to_owned()),
        }
    }
    match interpret::after_last_unit(&machine, &mut values) {
        Outcome::Failed(failure) => Ok(ended(machine, failure, plan.units.len(), &values)),
        _ => Err("the execution does not fail".to_owned()),
    }
}

fn ended(mut machine: Machine, failure: Failure, units: usize, values: &Values) -> Execution {
    let (taken, unwritten) = (values.taken.clone(), values.unwritten.given.clone());
    Execution::new(failure, &mut machine, Noted { taken, unwritten, units, contents: Vec::new() })
}

/// The plan that does on the normalized program what was executed on the bounded threads, and how it fails: as these
/// do, or before that in another way that is looked for and that only the whole program shows.
pub fn follow(
    program: &Program,
    code: &Code,
    execution: &Execution,
    property: &Property,
    budget: &Budget,
) -> Result<(Plan, Failure), Astray> {
    let mut inputs: FxHashMap<(usize, u32), VecDeque<u64>> = FxHashMap::default();
    let mut pool: Vec<u64> = Vec::new();
    let declarations = declarations(program);
    for Taken { thread, statement, value } in &execution.taken {
        if *statement == 0 || declarations.contains(statement) {
            pool.push(*value);
        }
        if *statement != 0 {
            inputs.entry((*thread, *statement)).or_default().push_back(*value);
        }
    }
    let mut contents: FxHashMap<(usize, u32), VecDeque<Vec<u8>>> = FxHashMap::default();
    for Content { thread, statement, bytes } in &execution.contents {
        contents.entry((*thread, *statement)).or_default().push_back(bytes.clone());
    }
    // The bounded threads take values for variables that nobody wrote; which belongs to which is not known.
    pool.extend([1, u64::MAX, 2]);
    let fixed = pool.iter().map(|value| Unwritten::Value(*value));
    let mixed = (0..30).map(|seed| Unwritten::Any(pool.iter().copied().chain([0]).collect(), seed));
    let race = execution.failure.race.as_ref().map(|race| (race.first.span, race.second.span));
    let mut first = None;
    for unwritten in std::iter::once(Unwritten::Zero).chain(fixed).chain(mixed) {
        if let (Some(_), Some(reason)) = (&first, budget.exceeded()) {
            return Err(Astray::GaveUp(reason));
        }
        let mut read_unwritten = false;
        let last_two =
            if race.is_some() { &[LastTwo::AsExecuted, LastTwo::Exchanged][..] } else { &[LastTwo::AsExecuted] };
        for (early, last_two) in
            [true, false].into_iter().flat_map(|early| last_two.iter().map(move |last| (early, *last)))
        {
            let (inputs, contents) = (inputs.clone(), contents.clone());
            let units = execution.turns.clone();
            let mut plan = Plan { units, inputs, contents, unwritten: unwritten.clone(), race };
            // It may be one of the whole program already.
            if !plan.units.is_empty()
                && execute(code, &plan, false).is_ok_and(|ran| ran.failure.is_same(&execution.failure))
            {
                return Ok((plan, execution.failure.clone()));
            }
            let mut values = Values::new(&plan);
            match (Leader { program, code, execution, early, last_two }).lead(&mut values) {
                Ok(units) => {
                    plan.units = units;
                    return Ok((plan, execution.failure.clone()));
                }
                Err(Lost { other: Some(other), .. }) if property.wants(&other.0) => {
                    let (failure, mut units) = *other;
                    units.iter_mut().for_each(|unit| unit.held = false);
                    plan.units = units;
                    return Ok((plan, failure));
                }
                Err(Lost { other: Some(other), .. }) => first.get_or_insert(Astray::Fails(other.0)),
                Err(Lost { why, other: None }) => first.get_or_insert(Astray::Elsewhere(why)),
            };
            read_unwritten |= !values.unwritten.given.is_empty();
        }
        if !read_unwritten {
            break;
        }
    }
    Err(first.expect("there was an attempt"))
}

/// Why there is no such execution.
#[derive(Debug)]
pub enum Astray {
    /// It fails in a way that the bounded threads do not know.
    Fails(Failure),
    /// It should not happen.
    Elsewhere(String),
    /// Time is up, and not all contents of unwritten memory were tried.
    GaveUp(String),
}

/// Why an execution could not be led to its failure.
struct Lost {
    why: String,
    /// The first other failure on the way, and the units that lead to it.
    other: Option<Box<(Failure, Vec<Turn>)>>,
}

/// A stretch of one thread without a switch.
#[derive(Clone, Copy)]
struct Stretch {
    thread: usize,
    /// How many numbered statements the thread has executed when it ends, since its beginning; and when its last unit
    /// begins.
    done: usize,
    before_last: usize,
    /// The statement that it executes next, or 0.
    next: u32,
    /// The thread ends in it.
    ends: bool,
    /// No stretch of the thread: the store that waits under this number reaches memory.
    commits: Option<u32>,
}

/// Leads the threads of the normalized program along what the bounded threads did.
struct Leader<'a> {
    program: &'a Program,
    code: &'a Code<'a>,
    execution: &'a Execution,
    /// A thread stops as soon as it has done its part. Else it goes on to where the bounded thread stands: statements
    /// that were left out of the bounded program may stand in between.
    early: bool,
    last_two: LastTwo,
}

/// In which order two threads that race take their last units. In the whole program the one that goes first may have to
/// wait after its access, or end the process, where the bounded thread does neither.
#[derive(Clone, Copy, PartialEq)]
enum LastTwo {
    AsExecuted,
    Exchanged,
}

/// How far they have come.
struct Way<'p> {
    machine: Machine<'p>,
    units: Vec<Turn>,
    /// What each thread is to execute, by number, and how much of that it has.
    wanted: Vec<Vec<u32>>,
    matched: Vec<usize>,
    /// How much of the record has been looked at.
    seen: usize,
    /// The first failure that is not the one to be shown, and the units that lead to it.
    other: Option<Box<(Failure, Vec<Turn>)>>,
    /// Under which numbers stores wait, of each statement of a thread.
    waits: FxHashMap<(usize, u32), VecDeque<Option<u32>>>,
}

impl Leader<'_> {
    fn lead(&self, values: &mut Values) -> Result<Vec<Turn>, Lost> {
        let race = self.execution.failure.race.as_ref().map(|race| (race.first.span, race.second.span));
        let (wanted, mut stretches) = stretches(self.execution, &declarations(self.program));
        if self.last_two == LastTwo::Exchanged {
            exchange_last_two(&mut stretches, &wanted);
        }
        let mut way = Way {
            machine: start(self.code, true, race),
            units: Vec::new(),
            matched: vec![0; wanted.len()],
            wanted,
            seen: 0,
            other: None,
            waits: self.execution.waits.clone(),
        };
        match self.lead_along(&stretches, &mut way, values) {
            Ok(()) => Ok(way.units),
            Err(why) => Err(Lost { why, other: way.other }),
        }
    }

    fn lead_along(&self, stretches: &[Stretch], way: &mut Way, values: &mut Values) -> Result<(), String> {
        let failure = &self.execution.failure;
        let visible = visible_origins(self.program);
        let deadlock = failure.kind == FailureKind::Deadlock;
        for (index, stretch) in stretches.iter().enumerate() {
            if let Some(store) = stretch.commits {
                way.commit(stretch.thread, Some(store))?;
                way.commit_all_but_waiting();
                continue;
            }
            let fails_here = index + 1 == stretches.len() && !deadlock;
            loop {
                let done = !fails_here && !stretch.ends && way.matched[stretch.thread] >= stretch.done;
                if self.stands(way, stretch, done, &visible)? {
                    break;
                }
                match self.unit(way, stretch, done, values)? {
                    Led::On => {
                        way.look();
                        way.commit_all_but_waiting();
                    }
                    Led::Waits => break,
                    Led::Failed => return Ok(()),
                }
            }
        }
        if deadlock {
            // Who goes on beside those that wait stays where it is.
            let others = self.execution.live.iter().any(|thread| !failure.stuck.contains(thread));
            let stays = |thread| others && self.execution.live.contains(&thread) && !failure.stuck.contains(&thread);
            way.end_invisibly(values, &|thread| !stays(thread));
            way.commit_everything();
        }
        match interpret::after_last_unit(&way.machine, values) {
            Outcome::Failed(found) if found.is_same(failure) => Ok(()),
            _ => Err("the execution of the whole program does not fail".to_owned()),
        }
    }

    /// Has the thread come to the end of this stretch?
    fn stands(&self, way: &Way, stretch: &Stretch, done: bool, visible: &FxHashSet<u32>) -> Result<bool, String> {
        let thread = stretch.thread;
        if !way.machine.runnable_threads().contains(&thread) {
            if done || way.machine.thread_count() > thread {
                return Ok(true);
            }
            return Err(format!("thread {thread} does not exist"));
        }
        let there = !visible.contains(&stretch.next) || way.machine.next_origin(thread) == stretch.next;
        Ok(done && (self.early || there))
    }

    /// The thread takes a unit, a spurious one if it must.
    fn unit(&self, way: &mut Way, stretch: &Stretch, done: bool, values: &mut Values) -> Result<Led, String> {
        let failure = &self.execution.failure;
        let thread = stretch.thread;
        let mut spurious = false;
        let mut unit = values.unit(&mut way.machine, thread, false);
        if let Unit::Blocked { by_assume: false, .. } = unit {
            spurious = true;
            unit = values.unit(&mut way.machine, thread, true);
        }
        let taken = Turn { spurious, ..Turn::of(thread) };
        match unit {
            Unit::Ran => {
                way.units.push(taken);
                Ok(Led::On)
            }
            // The thread may fail before it takes a step of its own: then its creator stands there.
            Unit::Failed(found)
                if found.is_same(failure) && (found.thread == failure.thread || found.race.is_some()) =>
            {
                way.units.push(taken);
                Ok(Led::Failed)
            }
            Unit::Failed(found) => {
                way.units.push(Turn { held: true, ..taken });
                let others = way.machine.stop_before_failure(found.thread);
                way.other.get_or_insert_with(|| Box::new((found, way.units.clone())));
                if others { Ok(Led::On) } else { Err("nobody can run beside a thread that fails".to_owned()) }
            }
            Unit::Blocked { .. } if done => Ok(Led::Waits),
            Unit::Blocked { .. } => {
                let place = self.program.source.location(way.machine.position(thread).1);
                let (done, all) = (way.matched[thread], stretch.done);
                Err(format!("thread {thread} waits at {place}, having done {done} of {all} statements"))
            }
            Unit::Exit(_) => Err("the program ends before it fails".to_owned()),
            Unit::OutOfSteps => Err("the execution is too long".to_owned()),
        }
    }
}

/// What became of a unit.
enum Led {
    On,
    Waits,
    /// As it was to.
    Failed,
}

impl Way<'_> {
    /// A store reaches memory: the one of a number, or any that need not wait.
    fn commit(&mut self, thread: usize, store: Option<u32>) -> Result<(), String> {
        let Some(at) = self.machine.decided_store(thread, store) else {
            return Err(format!("a store of thread {thread} that waits cannot reach memory"));
        };
        self.machine.commit(thread, at);
        self.units.push(Turn::commit(thread, at));
        Ok(())
    }

    /// What the bounded thread wrote to memory at once reaches it at once.
    fn commit_all_but_waiting(&mut self) {
        let waits = &mut self.waits;
        let mut next = |thread, store| waits.get_mut(&(thread, store)).and_then(VecDeque::pop_front).flatten();
        self.machine.decide(&mut next);
        for thread in 0..self.machine.thread_count() {
            while self.commit(thread, None).is_ok() {}
        }
    }

    fn commit_everything(&mut self) {
        for thread in 0..self.machine.thread_count() {
            while let Some(at) = self.machine.ready_stores(thread).first().copied() {
                self.machine.commit(thread, at);
                self.units.push(Turn::commit(thread, at));
            }
        }
    }

    /// Counts what was executed since the last time.
    fn look(&mut self) {
        let record = self.machine.record.as_ref().expect("recording is on");
        for executed in &record[self.seen..] {
            let Some(list) = self.wanted.get(executed.thread) else { continue };
            let matched = &mut self.matched[executed.thread];
            if list.get(*matched) == Some(&executed.origin) {
                *matched += 1;
            }
        }
        self.seen = record.len();
    }

    /// Steps that nobody can see may be left before those at which everybody waits.
    fn end_invisibly(&mut self, values: &mut Values, ends: &dyn Fn(usize) -> bool) {
        for thread in self.machine.runnable_threads().into_iter().filter(|thread| ends(*thread)) {
            while self.machine.runnable_threads().contains(&thread) {
                // A unit that ends the process or fails is not taken.
                let before = self.machine.clone();
                if values.unit(&mut self.machine, thread, false) != Unit::Ran {
                    self.machine = before;
                    break;
                }
                self.units.push(Turn::of(thread));
            }
        }
    }
}

/// What each thread executed, by number, and where threads were switched.
fn stretches(execution: &Execution, declarations: &FxHashSet<u32>) -> (Vec<Vec<u32>>, Vec<Stretch>) {
    let count = execution.next.len();
    let mut wanted: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut stretches: Vec<Stretch> = Vec::new();
    for executed in &execution.record {
        let thread = executed.thread;
        if let Some(Event::Store { number, .. }) = executed.events.first() {
            let done = wanted[thread].len();
            stretches.push(Stretch { thread, done, before_last: done, next: 0, ends: false, commits: Some(*number) });
            continue;
        }
        // A declaration may stand for the values of many parts.
        let before = wanted[thread].len();
        let begins = executed.origin != 0 && executed.origin & CONTINUED == 0;
        if begins && !declarations.contains(&executed.origin) {
            wanted[thread].push(executed.origin);
        }
        let done = wanted[thread].len();
        match stretches.last_mut() {
            Some(last) if last.thread == thread && last.commits.is_none() => {
                last.before_last = if executed.begins { last.done } else { last.before_last };
                last.done = done;
            }
            _ => stretches.push(Stretch { thread, done, before_last: before, next: 0, ends: false, commits: None }),
        }
        if let Some(last) = stretches.last_mut() {
            last.ends |= executed.events.contains(&Event::Ends);
        }
    }
    for stretch in &mut stretches {
        let next = wanted[stretch.thread].get(stretch.done).copied();
        stretch.next = next.unwrap_or(execution.next[stretch.thread]);
    }
    (wanted, stretches)
}

/// The last thread goes before the last unit of the one before it.
fn exchange_last_two(stretches: &mut Vec<Stretch>, wanted: &[Vec<u32>]) {
    let [.., first, second] = stretches.as_mut_slice() else { return };
    let next = wanted[first.thread].get(first.before_last).copied().unwrap_or(0);
    let until = Stretch { done: first.before_last, next, ends: false, ..*first };
    let (again, other) = (*first, *second);
    stretches.truncate(stretches.len() - 2);
    stretches.extend([until, other, again]);
}

/// The statements that declare a variable.
pub fn declarations(program: &Program) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Declare(_) = stmt.kind {
                found.insert(stmt.origin);
            }
        });
    }
    found
}

pub fn visible_origins(program: &Program) -> FxHashSet<u32> {
    let mut visible = FxHashSet::default();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if is_step(program, stmt) {
                visible.insert(stmt.origin);
            }
        });
    }
    visible
}

/// Can a unit begin with this statement?
pub fn is_step(program: &Program, stmt: &Stmt) -> bool {
    let creates = match &stmt.kind {
        StmtKind::Call { callee, .. } => {
            matches!(program.operation(callee), Some(Operation::Create | Operation::CreateC11))
        }
        _ => false,
    };
    stmt.visible || creates
}
