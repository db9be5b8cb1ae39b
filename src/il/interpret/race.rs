//! Data races: two threads access the same bytes, one of them writes, not both accesses are atomic, and nothing orders
//! the two (C11 5.1.2.4). This is the one place that says what that means; `solve/formula/race.rs` probes for the same
//! by other means.
//!
//! - Bytes count, not variables: neighbouring elements do not race, neighbouring bit-fields do (they are one memory
//!   location, C11 3.14), a copy of memory races with a write into its middle. Giving memory back writes all of it.
//! - Accesses inside an atomic section are atomic, as SV-COMP has it, and seq_cst if they have no order of their own.
//!   `volatile` makes no access atomic.
//! - A thread that waits until a condition holds (`__VERIFIER_assume` outside of a section) has looked at it before.
//! - What the models of the library keep for themselves does not race.
//!
//! Two ways to see a race. In one execution, clocks tell what is ordered (Lamport; FastTrack, PLDI 2009): every thread
//! counts, and knows of every other thread up to which count it has heard of it. Creating and joining threads passes that on; so does
//! an atomic read that acquires from the write which it reads, if that releases, or from the chain of read-modify-writes
//! after it; fences make relaxed accesses do the same (C11 7.17.3 and 7.17.4). In a state of an exploration, two threads
//! race if both could take their next step now and these conflict ([`conflict`]), or if the step of one is what the
//! section of the other waits for. For programs whose atomic accesses are
//! all seq_cst, an execution with a race of the first kind exists if and only if a state of the second kind does.

use super::{Machine, Step, Stop};
use crate::diagnostic::Span;
use crate::il::types::Bits;
use crate::il::{AccessKind, Base, Order, Place, Program, Projection, TypeId};
use rustc_hash::FxHashMap;

/// An access to memory that other threads may know.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    pub thread: usize,
    /// In the user's own code: inside a library function, the call.
    pub span: Span,
    pub address: u64,
    pub size: u64,
    pub write: bool,
    pub atomic: Option<Order>,
    /// Of what is accessed, where that is one value.
    pub ty: Option<TypeId>,
}

/// Two accesses that nothing orders; `second` is the later one.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    pub first: Touch,
    pub second: Touch,
    /// What a reader calls the memory.
    pub name: String,
}

impl Race {
    /// The same two places in the program.
    pub fn same_places(&self, other: &Race) -> bool {
        self.is_between(other.first.span, other.second.span)
    }

    pub fn is_between(&self, a: Span, b: Span) -> bool {
        let own = (self.first.span, self.second.span);
        own == (a, b) || own == (b, a)
    }
}

/// Do two accesses of different threads conflict?
pub fn conflict(a: &Touch, b: &Touch) -> bool {
    a.thread != b.thread
        && (a.write || b.write)
        && (a.atomic.is_none() || b.atomic.is_none())
        && a.address < b.address + b.size
        && b.address < a.address + a.size
}

/// Of two accesses that could both be made now, should the first one come last? Who may have to wait goes first, which is
/// who is in an atomic section; `main` goes last, because the process may end with its step.
pub fn goes_last(a: &Touch, b: &Touch) -> bool {
    match (a.atomic, b.atomic) {
        (None, None) => a.thread == 0,
        (a, _) => a.is_none(),
    }
}

/// Which races end an execution; all others are noted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopAt {
    Never,
    Any,
    /// Accesses in these two places, whoever comes first.
    Between(Span, Span),
}

/// For each thread, up to which count its past is known.
type Clock = Vec<u32>;

/// The last access of a kind to a byte by a thread.
#[derive(Clone, Debug)]
struct Last {
    touch: Touch,
    count: u32,
    /// All accesses of the execution are numbered.
    number: u64,
}

#[derive(Clone, Debug)]
pub struct Races {
    pub stop_at: StopAt,
    /// All atomic accesses are taken to be seq_cst.
    sequential: bool,
    /// Each pair of places once, in the order in which they were seen.
    pub found: Vec<Race>,
    clocks: Vec<Clock>,
    /// What a relaxed read has seen, for an acquiring fence after it.
    seen: Vec<Clock>,
    /// What a releasing fence gives to relaxed writes after it.
    given: Vec<Clock>,
    /// By byte.
    last: FxHashMap<u64, Vec<Last>>,
    /// By byte: what an acquiring read of its value learns, by the thread whose write heads the release sequence.
    released: FxHashMap<u64, Vec<(usize, Clock)>>,
    /// The bytes that the atomic section at hand has read: writing them is a read-modify-write.
    section: Vec<u64>,
    /// What it has accessed: a section happens at once, so that all of it comes after what any part of it acquires, and
    /// before what any part of it releases: at this count of its thread.
    waiting: Vec<Touch>,
    section_count: u32,
    number: u64,
}

impl Races {
    pub fn new(stop_at: StopAt, sequential: bool) -> Races {
        let mut races = Races {
            stop_at,
            sequential,
            found: Vec::new(),
            clocks: Vec::new(),
            seen: Vec::new(),
            given: Vec::new(),
            last: FxHashMap::default(),
            released: FxHashMap::default(),
            section: Vec::new(),
            waiting: Vec::new(),
            section_count: 0,
            number: 0,
        };
        races.begin(0);
        races
    }

    /// Makes room for a thread.
    fn begin(&mut self, thread: usize) {
        while self.clocks.len() <= thread {
            let mut clock = Clock::new();
            raise(&mut clock, self.clocks.len(), 1);
            self.clocks.push(clock);
            self.seen.push(Clock::new());
            self.given.push(Clock::new());
        }
    }

    fn count(&mut self, thread: usize) {
        let next = at(&self.clocks[thread], thread) + 1;
        raise(&mut self.clocks[thread], thread, next);
    }

    pub fn creates(&mut self, thread: usize, child: usize) {
        self.begin(thread.max(child));
        let past = self.clocks[thread].clone();
        join(&mut self.clocks[child], &past);
        self.count(thread);
    }

    pub fn joins(&mut self, thread: usize, other: usize) {
        self.begin(thread.max(other));
        let past = self.clocks[other].clone();
        join(&mut self.clocks[thread], &past);
    }

    /// What comes before free() comes before the call that gives the memory out again (C11 7.22.3).
    pub fn frees(&mut self, thread: usize, address: u64) {
        self.begin(thread);
        self.released.insert(address, vec![(thread, self.clocks[thread].clone())]);
        self.count(thread);
    }

    pub fn given_again(&mut self, thread: usize, bytes: std::ops::Range<u64>) {
        self.begin(thread);
        for (_, past) in self.released.get(&bytes.start).into_iter().flatten() {
            join(&mut self.clocks[thread], past);
        }
        for byte in bytes {
            self.last.remove(&byte);
            self.released.remove(&byte);
        }
    }

    pub fn section_begins(&mut self) {
        self.section.clear();
        self.waiting.clear();
    }

    pub fn fence(&mut self, thread: usize, order: Order) {
        self.begin(thread);
        let order = if self.sequential { Order::SeqCst } else { order };
        if acquires(order) {
            let seen = self.seen[thread].clone();
            join(&mut self.clocks[thread], &seen);
        }
        if releases(order) {
            self.given[thread] = self.clocks[thread].clone();
            self.count(thread);
        }
    }

    /// All that decides about later races, for telling states apart.
    pub fn fingerprint(&self, out: &mut Vec<u8>) {
        let numbers = |out: &mut Vec<u8>, clock: &[u32]| {
            out.extend((clock.len() as u32).to_le_bytes());
            clock.iter().for_each(|count| out.extend(count.to_le_bytes()));
        };
        for clock in self.clocks.iter().chain(&self.seen).chain(&self.given) {
            numbers(out, clock);
        }
        let mut bytes: Vec<&u64> = self.last.keys().chain(self.released.keys()).collect();
        bytes.sort_unstable();
        bytes.dedup();
        for byte in bytes {
            out.extend(byte.to_le_bytes());
            let mut list: Vec<_> = self.last.get(byte).into_iter().flatten().collect();
            list.sort_unstable_by_key(|last| {
                (last.touch.thread, last.touch.write, last.touch.atomic.is_some(), last.touch.span)
            });
            for last in list {
                let Touch { thread, write, atomic, span, .. } = &last.touch;
                out.extend([u8::from(*write), u8::from(atomic.is_some())]);
                numbers(out, &[*thread as u32, last.count, span.start]);
            }
            for (head, clock) in self.released.get(byte).into_iter().flatten() {
                numbers(out, &[*head as u32]);
                numbers(out, clock);
            }
            numbers(out, &[]);
        }
    }

    /// What an access passes on and learns.
    fn synchronize(&mut self, touch: &Touch) {
        self.begin(touch.thread);
        if let Some(order) = touch.atomic {
            let order = if self.sequential { Order::SeqCst } else { order };
            if touch.write { self.give(touch, order) } else { self.take(touch, order) }
        }
    }

    /// Notes an access of the section at hand, which is looked at when that ends.
    fn touch_in_section(&mut self, touch: &Touch) {
        if self.waiting.is_empty() {
            self.begin(touch.thread);
            self.section_count = at(&self.clocks[touch.thread], touch.thread);
        }
        self.waiting.push(touch.clone());
    }

    /// Notes an access that was made now.
    fn touch(&mut self, touch: &Touch) -> Vec<Touch> {
        self.begin(touch.thread);
        let count = at(&self.clocks[touch.thread], touch.thread);
        self.touch_at(touch, count)
    }

    /// Notes an access at some count of its thread; those that it races with, the latest first.
    fn touch_at(&mut self, touch: &Touch, count: u32) -> Vec<Touch> {
        let thread = touch.thread;
        self.begin(thread);
        self.number += 1;
        let mut others: Vec<&Last> = Vec::new();
        for byte in touch.address..touch.address + touch.size {
            for last in self.last.get(&byte).into_iter().flatten() {
                let ordered = last.count <= at(&self.clocks[thread], last.touch.thread);
                let known =
                    |other: &&Last| other.touch.span == last.touch.span && other.touch.thread == last.touch.thread;
                if !ordered && conflict(&last.touch, touch) && !others.iter().any(known) {
                    others.push(last);
                }
            }
        }
        others.sort_by_key(|last| std::cmp::Reverse(last.number));
        let others = others.into_iter().map(|last| last.touch.clone()).collect();
        let last = Last { touch: touch.clone(), count, number: self.number };
        for byte in touch.address..touch.address + touch.size {
            let list = self.last.entry(byte).or_default();
            list.retain(|known| {
                let known = &known.touch;
                (known.thread, known.write, known.atomic.is_some(), known.span)
                    != (thread, touch.write, touch.atomic.is_some(), touch.span)
            });
            list.push(last.clone());
        }
        others
    }

    /// An atomic read.
    fn take(&mut self, touch: &Touch, order: Order) {
        for byte in touch.address..touch.address + touch.size {
            self.section.push(byte);
            self.learn(touch.thread, byte, order);
        }
    }

    fn learn(&mut self, thread: usize, byte: u64, order: Order) {
        let learns = if acquires(order) { &mut self.clocks } else { &mut self.seen };
        for (_, released) in self.released.get(&byte).into_iter().flatten() {
            join(&mut learns[thread], released);
        }
    }

    /// An atomic write.
    fn give(&mut self, touch: &Touch, order: Order) {
        let thread = touch.thread;
        let bytes = touch.address..touch.address + touch.size;
        // The read of a compare-and-swap that succeeds has the order of its success (C11 7.17.7.4): that of this write.
        for byte in bytes.clone().filter(|byte| self.section.contains(byte)).collect::<Vec<_>>() {
            self.learn(thread, byte, order);
        }
        let gives = if releases(order) { self.clocks[thread].clone() } else { self.given[thread].clone() };
        for byte in bytes {
            let released = self.released.entry(byte).or_default();
            // A read-modify-write continues all release sequences, another store only those of its own thread
            // (C11 5.1.2.4).
            if !self.section.contains(&byte) {
                released.retain(|(head, _)| *head == thread);
            }
            match released.iter_mut().find(|(head, _)| *head == thread) {
                Some((_, clock)) => join(clock, &gives),
                None => released.push((thread, gives.clone())),
            }
            released.sort_unstable_by_key(|(head, _)| *head);
        }
        if releases(order) {
            self.count(thread);
        }
    }
}

fn at(clock: &Clock, thread: usize) -> u32 {
    clock.get(thread).copied().unwrap_or(0)
}

fn raise(clock: &mut Clock, thread: usize, count: u32) {
    if clock.len() <= thread {
        clock.resize(thread + 1, 0);
    }
    clock[thread] = clock[thread].max(count);
}

fn join(clock: &mut Clock, other: &Clock) {
    for (thread, count) in other.iter().enumerate() {
        raise(clock, thread, *count);
    }
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Consume | Order::Acquire | Order::AcqRel | Order::SeqCst)
}

fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}

impl Machine<'_> {
    /// An access was made through a place.
    pub(super) fn touch_place(
        &mut self,
        thread: usize,
        place: &Place,
        (address, size): (u64, u64),
        bits: Option<Bits>,
        write: bool,
    ) -> Step<()> {
        if !self.looks_at_accesses() {
            return Ok(());
        }
        // What a model keeps for itself.
        if matches!(place.base, Base::Global(id) if self.program().global(id).model) {
            return Ok(());
        }
        let (address, size) = match (bits, place.projections.last()) {
            (Some(_), Some(Projection::Field(record, index))) => {
                let types = &self.program().types;
                let own = types.record(*record).fields[*index as usize].offset;
                let (first, end) = types.bit_field_run(*record, *index);
                (address - own + first, end - first)
            }
            _ => (address, size),
        };
        let atomic = match place.access {
            AccessKind::Atomic(order) => Some(order),
            AccessKind::Plain | AccessKind::Volatile | AccessKind::Neighbour => None,
        };
        let ty = bits.is_none().then_some(place.ty);
        let sections = place.access.own_sections();
        let atomic = atomic.or((self.threads[thread].atomic > sections).then_some(Order::SeqCst));
        self.touch_typed(thread, (address, size), write, (atomic, ty))
    }

    /// A plain access was made by an operation.
    pub(super) fn touch(&mut self, thread: usize, bytes: (u64, u64), write: bool) -> Step<()> {
        let atomic = (self.threads[thread].atomic > 0).then_some(Order::SeqCst);
        self.touch_typed(thread, bytes, write, (atomic, None))
    }

    fn touch_typed(
        &mut self,
        thread: usize,
        (address, size): (u64, u64),
        write: bool,
        (atomic, ty): (Option<Order>, Option<TypeId>),
    ) -> Step<()> {
        if !self.looks_at_accesses() || size == 0 {
            return Ok(());
        }
        let touch = Touch { thread, span: self.position(thread).1, address, size, write, atomic, ty };
        if let Some(touched) = &mut self.touched {
            // Nobody else gets the memory that this unit was given again.
            if !self.got_again.iter().any(|block| block.contains(&address)) {
                touched.push(touch);
            }
            return Ok(());
        }
        let Some(races) = &mut self.races else { return Ok(()) };
        if self.threads[thread].atomic > 0 {
            races.touch_in_section(&touch);
            races.synchronize(&touch);
            return Ok(());
        }
        let others = races.touch(&touch);
        races.synchronize(&touch);
        self.found(others, &touch)
    }

    /// An atomic section ends.
    pub(super) fn section_ends(&mut self) -> Step<()> {
        let waiting = self.races.as_mut().map_or_else(Vec::new, |races| std::mem::take(&mut races.waiting));
        for touch in waiting {
            let others = self.races.as_mut().map_or_else(Vec::new, |races| {
                let count = races.section_count;
                races.touch_at(&touch, count)
            });
            self.found(others, &touch)?;
        }
        Ok(())
    }

    /// Notes accesses that race with another one, and ends the execution if it is to end there.
    fn found(&mut self, others: Vec<Touch>, touch: &Touch) -> Step<()> {
        let mut stop = None;
        for other in others {
            let race = self.race(other, touch.clone());
            let Some(races) = &mut self.races else { return Ok(()) };
            let stops = match races.stop_at {
                StopAt::Never => false,
                StopAt::Any => true,
                StopAt::Between(a, b) => race.is_between(a, b),
            };
            match races.found.iter_mut().find(|known| known.same_places(&race)) {
                // A schedule leads to the last one.
                Some(known) => *known = race.clone(),
                None => races.found.push(race.clone()),
            }
            if stops && stop.is_none() {
                stop = Some(race);
            }
        }
        stop.map_or(Ok(()), |race| Err(Stop::Race(Box::new(race))))
    }

    fn looks_at_accesses(&self) -> bool {
        self.touched.is_some() || self.races.is_some()
    }

    /// Two accesses that were found to race.
    pub(super) fn race(&self, first: Touch, second: Touch) -> Race {
        let ty = second.ty.or(first.ty);
        let at = if second.ty.is_some() || first.ty.is_none() { second.address } else { first.address };
        let name = self.name_of(at, ty);
        Race { first, second, name }
    }
}

/// What happens in two accesses, for a message at the place of the second.
pub fn message(program: &Program, race: &Race) -> String {
    let how = |touch: &Touch| match (touch.write, touch.atomic) {
        (true, None) => "written",
        (false, None) => "read",
        (true, Some(_)) => "written atomically",
        (false, Some(_)) => "read atomically",
    };
    let place = program.source.location(race.first.span);
    format!("{} is {} here while it is {} in {place}", race.name, how(&race.second), how(&race.first))
}
