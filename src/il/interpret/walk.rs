//! One interleaving: a random walk from a seed, or a given schedule.

use super::future::{Awaited, Futures};
use super::{Chooser, Failure, FailureKind, Machine, Unit};
use crate::diagnostic::Span;
use serde::{Deserialize, Serialize};

/// How an execution ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Exited(i32),
    Failed(Failure),
    /// An assumption is false for good in some thread, and no other thread can go on.
    Assumption,
    OutOfSteps,
    /// The schedule asks for a thread that cannot run now; the number of units taken before.
    BadSchedule(usize, String),
    /// The schedule ends before the program does.
    ScheduleEnds,
}

/// Random inputs, mostly small ones: those are what programs branch on.
pub struct RandomChooser {
    pub random: fastrand::Rng,
}

impl Chooser for RandomChooser {
    fn input(&mut self, bits: u32) -> u64 {
        match self.random.u8(..4) {
            0 => self.random.u64(..),
            1 => self.random.u64(..256),
            2 => u64::MAX - self.random.u64(..4),
            _ => self.random.u64(..4),
        }
        .min(if bits >= 64 { u64::MAX } else { (1 << bits) - 1 })
    }

    fn pick(&mut self, count: usize) -> usize {
        self.random.usize(..count)
    }
}

/// Inputs from a list; zero when it is used up.
pub struct ListedInputs {
    pub inputs: std::collections::VecDeque<u64>,
}

impl Chooser for ListedInputs {
    fn input(&mut self, _bits: u32) -> u64 {
        self.inputs.pop_front().unwrap_or(0)
    }

    fn pick(&mut self, count: usize) -> usize {
        self.inputs.pop_front().map_or(0, |input| input as usize % count)
    }
}

/// Runs units of randomly chosen threads until the program ends. `after_unit` sees the machine after every unit.
pub fn random_walk(
    machine: &mut Machine,
    scheduler: &mut fastrand::Rng,
    chooser: &mut dyn Chooser,
    after_unit: &mut dyn FnMut(&mut Machine),
) -> Outcome {
    let mut current = 0;
    loop {
        // Stores stay in their buffers for a while.
        let pending: Vec<(usize, usize)> = (0..machine.thread_count())
            .flat_map(|thread| machine.ready_stores(thread).into_iter().map(move |at| (thread, at)))
            .collect();
        let stores = (!pending.is_empty()).then(|| pending[scheduler.usize(..pending.len())]);
        if let Some((thread, at)) = stores
            && (scheduler.u8(..4) == 0 || machine.runnable_threads().is_empty())
        {
            chooser.begins(Turn::commit(thread, at));
            machine.commit(thread, at);
            chooser.ran();
            after_unit(machine);
            continue;
        }
        let mut candidates = machine.runnable_threads();
        // Mostly goes on with the same thread: long stretches are as interesting as many switches.
        let stay = candidates.contains(&current) && scheduler.u8(..4) != 0;
        let mut waits_for_assumption = machine.has_stuck_thread();
        let mut first = stay.then_some(current);
        loop {
            if let (true, Some((thread, at))) = (candidates.is_empty(), stores) {
                chooser.begins(Turn::commit(thread, at));
                machine.commit(thread, at);
                chooser.ran();
                break;
            }
            if candidates.is_empty() {
                return nobody_can_run(machine, waits_for_assumption);
            }
            let thread = match first.take() {
                Some(thread) => thread,
                None => candidates[scheduler.usize(..candidates.len())],
            };
            let spurious = scheduler.u8(..16) == 0;
            chooser.begins(Turn { spurious, ..Turn::of(thread) });
            match machine.take_unit(thread, spurious, chooser) {
                Unit::Ran => {
                    chooser.ran();
                    current = thread;
                    break;
                }
                Unit::Blocked { by_assume, .. } => {
                    waits_for_assumption |= by_assume;
                    candidates.retain(|candidate| *candidate != thread);
                }
                Unit::Exit(status) => return Outcome::Exited(status),
                Unit::Failed(failure) => return Outcome::Failed(failure),
                Unit::OutOfSteps => return Outcome::OutOfSteps,
            }
        }
        after_unit(machine);
    }
}

/// Deadlock, unless an assumption keeps some thread from going on.
pub fn nobody_can_run(machine: &Machine, waits_for_assumption: bool) -> Outcome {
    if waits_for_assumption {
        return Outcome::Assumption;
    }
    Outcome::Failed(deadlock(machine))
}

/// The failure of a state in which every living thread waits for another one.
pub fn deadlock(machine: &Machine) -> Failure {
    stuck_failure(machine, &machine.live_threads(), "nobody can go on")
}

/// A thread that cannot take a step now.
#[derive(Clone, Copy, Debug)]
pub struct Blocked {
    pub thread: usize,
    /// By an assumption, not by another thread.
    pub by_assume: bool,
    /// The one thread that could end the wait, if there is only one.
    pub holder: Option<usize>,
}

/// The failure of a state in which some threads wait for good, whatever the others do. `blocked` are those that cannot take
/// a step now; none if nobody waits for good.
///
/// Whoever waits for a lock waits for its holder, and who joins a thread, for that: if that thread waits for good as well,
/// or has ended, it is for ever. The threads are the largest set of which that holds.
pub fn partial_deadlock(machine: &Machine, blocked: &[Blocked]) -> Option<Failure> {
    // What is on its way to memory may end a wait.
    if machine.has_pending() {
        return None;
    }
    let waiting = (0..machine.thread_count()).map(|thread| (thread, machine.waits_for(thread)));
    let all = waiting.chain(blocked.iter().map(|blocked| (blocked.thread, blocked.holder)));
    let known_thread = |id: &usize| *id < machine.thread_count();
    let held: Vec<(usize, usize)> =
        all.filter_map(|(thread, holder)| Some((thread, holder.filter(known_thread)?))).collect();
    let mut threads = for_good(machine, held.clone(), Vec::new());
    if threads.is_empty() {
        threads = never_woken(machine, blocked, held);
    }
    threads.sort_unstable();
    (!threads.is_empty()).then(|| stuck_failure(machine, &threads, "some wait for good"))
}

/// Those of the waiting threads that wait for each other, or for threads that have ended; or for objects that nobody can
/// touch any more but others of these.
fn for_good(machine: &Machine, mut held: Vec<(usize, usize)>, mut awaiting: Vec<(usize, Awaited)>) -> Vec<usize> {
    loop {
        let threads: Vec<usize> =
            held.iter().map(|(thread, _)| *thread).chain(awaiting.iter().map(|(thread, _)| *thread)).collect();
        held.retain(|(_, holder)| machine.has_ended(*holder) || threads.contains(holder));
        let others: Vec<u64> = match awaiting.is_empty() {
            true => Vec::new(),
            false => {
                machine.live_threads().iter().filter(|t| !threads.contains(t)).map(|t| machine.future(*t)).collect()
            }
        };
        let futures = machine.code.futures();
        awaiting.retain(|(_, awaited)| {
            others.iter().all(|deeds| !Futures::may_end(*deeds) && !futures.may_wake(*deeds, *awaited))
        });
        if held.len() + awaiting.len() == threads.len() {
            return threads;
        }
    }
}

/// Threads that wait for an object of the thread library that nobody can touch any more who goes on for ever: a server whose
/// worker was never woken. Where the others can end, that is waited for: then all wait, or the process is over, and waiting
/// for work in the end is no mistake.
fn never_woken(machine: &Machine, blocked: &[Blocked], held: Vec<(usize, usize)>) -> Vec<usize> {
    let by_object = |blocked: &&Blocked| !blocked.by_assume && blocked.holder.is_none();
    let awaiting: Vec<(usize, Awaited)> = blocked
        .iter()
        .filter(by_object)
        .filter_map(|blocked| Some((blocked.thread, machine.awaited(blocked.thread)?)))
        .collect();
    // A signal could come from outside, and an execution with an assumption that is false for good is none.
    if awaiting.is_empty() || machine.has_stuck_thread() || machine.program().handles_signals() {
        return Vec::new();
    }
    let stuck = for_good(machine, held, awaiting);
    // Where all wait it is a deadlock of all.
    let others = machine.live_threads().len() > stuck.len();
    if others { stuck } else { Vec::new() }
}

fn stuck_failure(machine: &Machine, threads: &[usize], what: &str) -> Failure {
    let thread = threads.first().copied().unwrap_or(0);
    let (_, span) = machine.position(thread);
    let waits: Vec<String> = threads
        .iter()
        .map(|thread| {
            format!(
                "thread {thread} waits at line {}",
                machine.program().source.location(machine.position(*thread).1).line
            )
        })
        .collect();
    let message = format!("{what}: {}", waits.join(", "));
    let mut places: Vec<Span> = threads.iter().map(|thread| machine.position(*thread).1).collect();
    places.sort_unstable();
    places.dedup();
    let stuck = threads.to_vec();
    Failure { kind: FailureKind::Deadlock, message, thread, span, race: None, waits: places, stuck }
}

/// One entry of a schedule: a thread, whether it is to wake up without reason, and whether it is to be held before
/// the step that fails, so that the others can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub thread: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spurious: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Not a step of the thread: the store in this place of its buffer reaches memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<usize>,
}

impl Turn {
    /// A step of a thread.
    pub fn of(thread: usize) -> Turn {
        Turn { thread, spurious: false, held: false, commit: None }
    }

    /// A store of a thread reaches memory.
    pub fn commit(thread: usize, at: usize) -> Turn {
        Turn { commit: Some(at), ..Turn::of(thread) }
    }
}

/// Runs one unit of each listed thread in turn.
pub fn scheduled(
    machine: &mut Machine,
    schedule: &[Turn],
    chooser: &mut dyn Chooser,
    after_unit: &mut dyn FnMut(&mut Machine),
) -> Outcome {
    for (index, turn) in schedule.iter().enumerate() {
        let Turn { thread, spurious, held, commit } = turn;
        if let Some(at) = commit {
            if !machine.commit(*thread, *at) {
                let text = format!("no such store of thread {thread} can reach memory now");
                return Outcome::BadSchedule(index, text);
            }
            after_unit(machine);
            continue;
        }
        if !machine.runnable_threads().contains(thread) {
            let text = if *thread < machine.thread_count() { "has ended" } else { "does not exist (yet)" };
            return Outcome::BadSchedule(index, format!("thread {thread} {text}"));
        }
        match machine.take_unit(*thread, *spurious, chooser) {
            Unit::Ran => {}
            Unit::Blocked { .. } => {
                return Outcome::BadSchedule(index, format!("thread {thread} cannot run now: it waits"));
            }
            Unit::Exit(status) => return Outcome::Exited(status),
            Unit::Failed(failure) if *held => {
                machine.stop_before_failure(failure.thread);
            }
            Unit::Failed(failure) => return Outcome::Failed(failure),
            Unit::OutOfSteps => return Outcome::OutOfSteps,
        }
        after_unit(machine);
    }
    // The schedule may lead into a state in which nobody can go on.
    after_last_unit(machine, &mut super::Zeros)
}

/// How an execution ends if no other unit is taken. `values` gives what the threads would take then.
pub fn after_last_unit(machine: &Machine, values: &mut dyn Chooser) -> Outcome {
    let mut waits_for_assumption = machine.has_stuck_thread() || machine.has_pending();
    let mut blocked = Vec::new();
    let runnable = machine.runnable_threads();
    for thread in &runnable {
        if let Unit::Blocked { by_assume, holder } = machine.clone().take_unit(*thread, false, values) {
            waits_for_assumption |= by_assume;
            blocked.push(Blocked { thread: *thread, by_assume, holder });
        }
    }
    let all = blocked.len() == runnable.len();
    match partial_deadlock(machine, &blocked) {
        Some(failure) if !all || waits_for_assumption => Outcome::Failed(failure),
        _ if all => nobody_can_run(machine, waits_for_assumption),
        _ => Outcome::ScheduleEnds,
    }
}
