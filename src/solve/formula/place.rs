//! Places the steps of all threads in rounds, and carries the shared memory through rounds, threads and steps.
//!
//! In a round every thread runs once for a while, in a fixed order. `before[t][r][l]` says that step `l` of thread `t`
//! comes before the thread's context switch of round `r` (the paper's `l < cs`, lazy-cseq-2021 fig. 8). It is monotone
//! in both: what comes before a switch keeps doing so in later rounds, and so do the steps before it. Step `l` runs in
//! round `r` if it comes before the switch of this round and not before that of the last one.
//!
//! Take `x = 1; y = 1;` in thread 1 and `a = y; b = x;` in thread 2, order 1, 2, two rounds. Walking rounds, threads and
//! steps in order, memory is carried along as one formula per cell: after thread 1's part of round 0, `x` is
//! `before[1][0][0] ? 1 : 0` and `y` is `before[1][0][1] ? 1 : 0`. The read of `y` has one value `v`, whatever the round:
//! if it runs in round 0, `v` equals what `y` is there; if it runs in round 1, what `y` is then. So every step is encoded
//! once, and only memory is repeated per round. `a == 1 && b == 0` would need `y`'s write before the read of `y`, and
//! the read of `x` before the write of `x`: monotony makes that impossible, and the solver finds it out.
//!
//! What must hold for this to be exact, and who sees to it:
//! - A step is taken as a whole: `limit/mark.rs` closes steps where a thread may stop.
//! - A step that is not taken changes nothing: writes are guarded by "runs here" and by the path ([`Placer::event`]).
//! - A thread that has to wait does not take the step: requirements hold for steps that are taken ([`Placer::conditions`]).
//!   Nobody has to go on: a thread may stop before any step, so that every model is the beginning of a real execution.
//! - A step in a branch that is not taken may be placed anywhere: it does nothing, and its literal costs nothing.
//! - Events, requirements and failures that no failure depends on are left out ([`Placer::slice`]); steps without any go
//!   with the step before them, because nobody can tell.

use super::bits::{self, Bits, bit};
use super::execute::{Action, Event, Executed, Wait};
use super::gates::{Cnf, FALSE, Gates, Lit, TRUE};
use super::narrow::{Narrowed, Target, cell_kinds, targets};
use super::range::{Kind, Range};
use super::term::{Op, TermId};
use super::{EncodeError, Patience, race};
use crate::analysis::race::Suspects;
use crate::diagnostic::Span;
use crate::il::StatementId;
use crate::property::Property;
use crate::restriction::{Restriction, Windows};

pub struct Placed {
    pub cnf: Cnf,
    /// By thread, round and step.
    pub before: Vec<Vec<Vec<Lit>>>,
    /// The bits of the inputs that matter, by thread, in order, with the literal of their guard.
    pub inputs: Vec<Vec<PlacedInput>>,
    pub new_objects: Vec<PlacedObject>,
    /// Something fails, and something races: one is assumed at a time.
    pub fails: Lit,
    pub races: Lit,
    pub racing: Vec<Racing>,
}

/// Two threads that stand before accesses that race, if the literal holds: who goes first, and who second.
pub struct Racing {
    pub lit: Lit,
    pub first: usize,
    pub second: usize,
    pub places: (Span, Span),
    /// The second has made its access already, and the first can go on only after it.
    pub done: bool,
}

/// What an object holds that a statement makes: offset, size, bits.
pub struct PlacedObject {
    pub statement: StatementId,
    pub pieces: Vec<(u64, u64, Bits)>,
}

pub struct PlacedInput {
    pub step: u32,
    pub guard: Lit,
    pub bits: Bits,
}

pub fn place(
    executed: &Executed,
    narrowed: &Narrowed,
    (rounds, order): (u32, &[usize]),
    (restriction, windows): (&Restriction, &Windows),
    (property, suspects): (&Property, &Suspects),
    patience: &mut Patience,
) -> Result<Placed, EncodeError> {
    let asked = |a, b| suspects.contains(a, b) && property.wants_race(a, b);
    let pairs = race::pairs(&executed.accesses, &|id| narrowed.range(id).clone(), &asked);
    let mut suspected = vec![false; executed.accesses.len()];
    pairs.iter().for_each(|(a, b)| (suspected[*a], suspected[*b]) = (true, true));
    let mut placer = Placer {
        executed,
        narrowed,
        gates: Gates::new(),
        bits: vec![None; executed.terms.list.len()],
        targets: executed
            .threads
            .iter()
            .map(|log| {
                let of = |event: &Event| targets(&executed.memory, event, narrowed.range(event.address));
                log.events.iter().map(of).collect()
            })
            .collect(),
        needed: Vec::new(),
        kinds: cell_kinds(&executed.memory),
        suspected,
    };
    placer.slice();
    let before = placer.schedule(rounds, restriction, windows);
    let memory = placer.walk(&before, rounds, order, patience)?;
    let racing = placer.races(&before, (rounds, order), memory.clone(), &pairs);
    let deadlock = placer.deadlock(&before, rounds, memory, property);
    let fails = placer.conditions(&before, rounds, deadlock);
    let races = placer.one_of(racing.iter().map(|racing| racing.lit).collect());
    placer.gates.clause(&[fails, races]);
    // The interpreter takes all inputs on the way, so that it must be known which these are.
    let mut inputs = Vec::new();
    let mut told = vec![fails, races];
    told.extend(racing.iter().map(|racing| racing.lit));
    for log in &executed.threads {
        let mut of_thread = Vec::new();
        for input in &log.inputs {
            let guard = if placer.range(input.guard).is_empty() { FALSE } else { placer.lit(input.guard) };
            let bits = placer.bits[input.value.0 as usize].clone().unwrap_or_else(|| vec![FALSE]);
            told.push(guard);
            of_thread.push(PlacedInput { step: input.step, guard, bits });
        }
        inputs.push(of_thread);
    }
    let placed =
        |(offset, size, term): &(u64, u64, TermId)| Some((*offset, *size, placer.bits[term.0 as usize].clone()?));
    let new_objects = executed.new_objects.iter().map(|object| PlacedObject {
        statement: object.statement,
        pieces: object.pieces.iter().filter_map(placed).collect(),
    });
    let new_objects = new_objects.collect();
    let cnf = placer.gates.finish(&told);
    Ok(Placed { cnf, before, inputs, new_objects, fails, races, racing })
}

pub(super) struct Placer<'e> {
    pub(super) executed: &'e Executed,
    narrowed: &'e Narrowed,
    pub(super) gates: Gates,
    bits: Vec<Option<Bits>>,
    targets: Vec<Vec<Vec<Target>>>,
    /// By thread: the events that a failure or a requirement depends on.
    needed: Vec<Vec<bool>>,
    kinds: Vec<Kind>,
    /// The accesses that may race.
    suspected: Vec<bool>,
}

impl Placer<'_> {
    // ---- slicing ----

    /// Leaves out what no failure and no requirement depends on.
    fn slice(&mut self) {
        let executed = self.executed;
        let mut needed_terms = vec![false; executed.terms.list.len()];
        let mut needed_cells = vec![false; executed.memory.shared_cells];
        let mut waiting: Vec<TermId> = Vec::new();
        let conditions = executed.requirements.iter().map(|requirement| requirement.condition);
        let conditions = conditions.chain(executed.failures.iter().map(|failure| failure.condition));
        let conditions = conditions.chain(executed.waits.iter().map(|wait| wait.condition));
        let conditions = conditions.chain(executed.waits.iter().filter_map(|wait| wait.holder));
        waiting.extend(conditions.filter(|id| self.narrowed.range(*id).single().is_none()));
        for (access, _) in executed.accesses.iter().zip(&self.suspected).filter(|(_, suspected)| **suspected) {
            waiting.extend([access.guard, access.address]);
        }
        waiting.extend(executed.threads.iter().flat_map(|log| log.inputs.iter().map(|input| input.guard)));
        let mut reads: Vec<Option<(usize, usize)>> = vec![None; executed.terms.list.len()];
        for (thread, log) in executed.threads.iter().enumerate() {
            for (index, event) in log.events.iter().enumerate() {
                if let Action::Read(value) | Action::ReadFreed(value) = event.action {
                    reads[value.0 as usize] = Some((thread, index));
                }
            }
        }
        if !executed.waits.is_empty() {
            for thread in 0..executed.threads.len() {
                for object in [executed.memory.created, executed.memory.ended] {
                    needed_cells[executed.memory.thread_cell(object, thread)] = true;
                }
            }
        }
        let mut needed: Vec<Vec<bool>> = executed.threads.iter().map(|log| vec![false; log.events.len()]).collect();
        loop {
            while let Some(id) = waiting.pop() {
                let index = id.0 as usize;
                if std::mem::replace(&mut needed_terms[index], true) || self.narrowed.ranges[index].single().is_some() {
                    continue;
                }
                waiting.extend(executed.terms.list[index].op.operands());
                if let Some((thread, event)) = reads[index] {
                    needed[thread][event] = true;
                    waiting.push(executed.threads[thread].events[event].address);
                    for target in &self.targets[thread][event] {
                        target.cells.clone().for_each(|cell| needed_cells[cell] = true);
                    }
                }
            }
            for (thread, log) in executed.threads.iter().enumerate() {
                for (index, event) in log.events.iter().enumerate() {
                    let value = match event.action {
                        Action::Write(value) => value,
                        Action::Free => event.guard,
                        Action::Read(_) | Action::ReadFreed(_) => continue,
                    };
                    let touches =
                        self.targets[thread][index].iter().any(|target| target.cells.clone().any(|c| needed_cells[c]));
                    if touches && !needed[thread][index] && self.happens(event) {
                        needed[thread][index] = true;
                        waiting.extend([value, event.guard, event.address]);
                    }
                }
            }
            if waiting.is_empty() {
                break;
            }
        }
        self.needed = needed;
    }

    fn happens(&self, event: &Event) -> bool {
        let guard = self.narrowed.range(event.guard);
        !guard.is_empty() && guard.single() != Some(0)
    }

    // ---- terms ----

    pub(super) fn range(&self, id: TermId) -> &Range {
        self.narrowed.range(id)
    }

    pub(super) fn lit(&mut self, id: TermId) -> Lit {
        let bits = self.bits_of(id);
        bits[0]
    }

    pub(super) fn bits_of(&mut self, id: TermId) -> Bits {
        // Operands come first in the list; long chains would be too deep for recursion.
        let mut waiting = vec![id];
        while let Some(next) = waiting.last().copied() {
            if self.bits[next.0 as usize].is_some() {
                waiting.pop();
                continue;
            }
            if self.range(next).is_empty() {
                self.bits[next.0 as usize] = Some(vec![FALSE]);
                continue;
            }
            if let Some(value) = self.range(next).single() {
                self.bits[next.0 as usize] = Some(bits::constant(value));
                continue;
            }
            let term = self.executed.terms.get(next);
            let missing: Vec<TermId> =
                term.op.operands().filter(|operand| self.bits[operand.0 as usize].is_none()).collect();
            if missing.is_empty() {
                let bits = self.make(next);
                self.bits[next.0 as usize] = Some(bits);
            } else {
                waiting.extend(missing);
            }
        }
        self.bits[id.0 as usize].clone().expect("just made")
    }

    fn make(&mut self, id: TermId) -> Bits {
        let executed = self.executed;
        let term = executed.terms.get(id);
        let range = self.narrowed.range(id);
        let kind_bits = term.kind.bits as usize;
        // As many bits as the result can need.
        let count = super::range::width(range.low(), range.high()).min(kind_bits);
        let numbers: Vec<Bits> =
            term.op.operands().map(|id| self.bits[id.0 as usize].clone().expect("operands come first")).collect();
        let number = |index: usize| &numbers[index][..];
        let gates = &mut self.gates;
        let raw = match term.op {
            Op::Constant(value) => return bits::constant(value),
            Op::Input(_) | Op::Read(_) => return bits::fresh(gates, range),
            Op::Add(..) => bits::add(gates, number(0), number(1), count),
            Op::Sub(..) => bits::sub(gates, number(0), number(1), count),
            Op::Mul(..) => bits::mul(gates, number(0), number(1), count),
            Op::Div(..) => bits::divide(gates, number(0), number(1)).0,
            Op::Rem(..) => bits::divide(gates, number(0), number(1)).1,
            Op::Shl(..) => bits::shl(gates, number(0), number(1), count),
            Op::Shr(..) => bits::shr(gates, number(0), number(1)),
            Op::BitAnd(..) => bits::bitwise(gates, number(0), number(1), Gates::and),
            Op::BitOr(..) => bits::bitwise(gates, number(0), number(1), Gates::or),
            Op::BitXor(..) => bits::bitwise(gates, number(0), number(1), Gates::xor),
            Op::Less(..) => truth(bits::less(gates, number(0), number(1))),
            Op::Equal(..) => truth(bits::equal(gates, number(0), number(1))),
            Op::Not(_) => truth(-number(0)[0]),
            Op::And(..) => truth(gates.and(number(0)[0], number(1)[0])),
            Op::Or(..) => truth(gates.or(number(0)[0], number(1)[0])),
            Op::Choose(..) => bits::choose(gates, number(0)[0], number(1), number(2)),
            Op::OneOf(a, set) => {
                let possible = self.narrowed.range(a);
                let mut any = FALSE;
                for value in executed.terms.set(set).iter().filter(|value| possible.contains(**value)) {
                    let here = bits::equal(gates, number(0), &bits::constant(*value));
                    any = gates.or(any, here);
                }
                truth(any)
            }
            Op::Cast(_) | Op::Bounded(..) | Op::Except(..) => numbers[0].clone(),
        };
        bits::shaped(raw, kind_bits, range)
    }

    // ---- placing ----

    fn schedule(&mut self, rounds: u32, restriction: &Restriction, windows: &Windows) -> Vec<Vec<Vec<Lit>>> {
        let executed = self.executed;
        let mut before = Vec::new();
        for (thread, log) in executed.threads.iter().enumerate() {
            // Steps in which nothing happens go with the step before them.
            let mut alive = vec![false; log.steps as usize];
            for (index, event) in log.events.iter().enumerate() {
                alive[event.step as usize] |= self.needed[thread][index];
            }
            let conditions = executed.requirements.iter().map(|r| (r.thread, r.step, r.condition));
            let conditions = conditions.chain(executed.failures.iter().map(|f| (f.thread, f.step, f.condition)));
            let conditions = conditions.chain(executed.waits.iter().map(|w| (w.thread, w.step, w.condition)));
            for (_, step, _) in conditions.filter(|(owner, ..)| *owner == thread) {
                alive[step as usize] = true;
            }
            let accesses = executed.accesses.iter().zip(&self.suspected).filter(|(_, suspected)| **suspected);
            for (access, _) in accesses.filter(|(access, _)| access.thread == thread) {
                alive[access.step as usize] = true;
            }
            if let Some(first) = alive.first_mut() {
                *first = true;
            }
            let preempted = self.preempted(thread, &alive, restriction);
            let mut of_thread: Vec<Vec<Lit>> = Vec::new();
            for round in 0..rounds as usize {
                let mut row: Vec<Lit> = Vec::with_capacity(alive.len());
                let window = windows.get(thread, round as u32);
                let last = round + 1 == rounds as usize;
                for (step, (between, at_the_end)) in preempted.iter().enumerate() {
                    let may_switch = if last { *at_the_end } else { *between };
                    let lit = match step as u32 {
                        number if number < window.from => TRUE,
                        number if number >= window.to => FALSE,
                        _ if !may_switch => row[step - 1],
                        _ => self.gates.fresh(),
                    };
                    if may_switch {
                        if step > 0 {
                            self.gates.clause(&[-lit, row[step - 1]]);
                        }
                        if round > 0 {
                            self.gates.clause(&[-of_thread[round - 1][step], lit]);
                        }
                    }
                    row.push(lit);
                }
                of_thread.push(row);
            }
            before.push(of_thread);
        }
        before
    }

    /// Before which steps a thread may have to leave the others the turn: between rounds, and in the end.
    fn preempted(&self, thread: usize, alive: &[bool], restriction: &Restriction) -> Vec<(bool, bool)> {
        let executed = self.executed;
        let mut waits = vec![false; alive.len()];
        for required in executed.requirements.iter().filter(|required| required.thread == thread) {
            waits[required.step as usize] = true;
        }
        // Who fails goes no further, and who races stands before the access, or has just made it.
        let mut ends = vec![false; alive.len() + 1];
        for failure in executed.failures.iter().filter(|failure| failure.thread == thread) {
            ends[failure.step as usize + 1] = true;
        }
        let suspected = executed.accesses.iter().zip(&self.suspected).filter(|(_, suspected)| **suspected);
        for (access, _) in suspected.filter(|(access, _)| access.thread == thread) {
            ends[access.step as usize] = true;
            ends[access.step as usize + 1] = true;
        }
        let of_step = |(step, alive): (usize, &bool)| {
            let between = *alive && (waits[step] || restriction.may_switch(thread, step as u32));
            (between, between || (*alive && ends[step]))
        };
        alive.iter().enumerate().map(of_step).collect()
    }

    fn walk(
        &mut self,
        before: &[Vec<Vec<Lit>>],
        rounds: u32,
        order: &[usize],
        patience: &mut Patience,
    ) -> Result<Vec<Bits>, EncodeError> {
        let executed = self.executed;
        let mut memory: Vec<Bits> = Vec::with_capacity(executed.initial.len());
        for id in &executed.initial {
            let content = id.map_or_else(|| vec![FALSE], |id| self.bits_of(id));
            memory.push(content);
        }
        for round in 0..rounds as usize {
            for thread in order {
                let log = &executed.threads[*thread];
                for (index, event) in log.events.iter().enumerate() {
                    if !self.needed[*thread][index] || !self.happens(event) {
                        continue;
                    }
                    patience.spend(100 * self.targets[*thread][index].len())?;
                    let step = event.step as usize;
                    let now = before[*thread][round][step];
                    let earlier = if round == 0 { FALSE } else { before[*thread][round - 1][step] };
                    let runs = self.gates.and(now, -earlier);
                    if runs != FALSE {
                        self.event(event, (*thread, index), runs, &mut memory);
                    }
                }
            }
        }
        Ok(memory)
    }

    /// Nobody can go on after the last round: every thread that was created and has not ended waits.
    ///
    /// What a thread would read in the step it stands before is read from the memory that the rounds leave.
    fn deadlock(&mut self, before: &[Vec<Vec<Lit>>], rounds: u32, mut memory: Vec<Bits>, property: &Property) -> Lit {
        let executed = self.executed;
        if executed.waits.is_empty() {
            return FALSE;
        }
        let (mut all, mut some) = (TRUE, FALSE);
        // Threads that wait for good, whatever the others do: as `interpret::partial_deadlock` has it.
        let stuck: Vec<Lit> = executed.threads.iter().map(|_| self.gates.fresh()).collect();
        // Where threads wait: the place, in all and for good.
        let mut places: Vec<(Span, Lit, Lit)> = Vec::new();
        for thread in 0..executed.threads.len() {
            let row = &before[thread][rounds as usize - 1];
            let mut steps: Vec<usize> =
                executed.waits.iter().filter(|wait| wait.thread == thread).map(|wait| wait.step as usize).collect();
            steps.sort_unstable();
            steps.dedup();
            let mut waits = FALSE;
            let mut for_good = vec![-stuck[thread]];
            for step in steps {
                let came = if step == 0 { TRUE } else { row[step - 1] };
                let stands = self.gates.and(came, -row[step]);
                if stands == FALSE {
                    continue;
                }
                self.probe(thread, step, stands, &mut memory);
                for wait in executed.waits.iter().filter(|wait| wait.thread == thread && wait.step as usize == step) {
                    let mut blocked = stands;
                    for condition in &wait.after {
                        let holds = if self.range(*condition).is_empty() { FALSE } else { self.lit(*condition) };
                        blocked = self.gates.and(blocked, holds);
                    }
                    let fails = if self.range(wait.condition).is_empty() { FALSE } else { -self.lit(wait.condition) };
                    blocked = self.gates.and(blocked, fails);
                    waits = self.gates.or(waits, blocked);
                    if blocked != FALSE {
                        let held = self.held_for_good(wait, &stuck, &memory);
                        let held = self.gates.and(blocked, held);
                        for_good.push(held);
                        let counts = self.gates.and(held, stuck[thread]);
                        places.push((wait.span, blocked, counts));
                    }
                }
            }
            let state = |object| bit(&memory[executed.memory.thread_cell(object, thread)], 0);
            let (created, ended) = (state(executed.memory.created), state(executed.memory.ended));
            let gone = if thread == 0 { ended } else { self.gates.or(-created, ended) };
            let fine = self.gates.or(gone, waits);
            all = self.gates.and(all, fine);
            some = self.gates.or(some, waits);
            self.gates.clause(&for_good);
        }
        let (mut total, mut partial) = (self.gates.and(all, some), FALSE);
        for lit in stuck {
            partial = self.gates.or(partial, lit);
        }
        for known in property.known_deadlocks() {
            total = self.other_deadlock(total, known, places.iter().map(|(span, blocked, _)| (*span, *blocked)));
            partial = self.other_deadlock(partial, known, places.iter().map(|(span, _, counts)| (*span, *counts)));
        }
        self.gates.or(total, partial)
    }

    /// A deadlock that is neither part of a known one nor has that as a part.
    fn other_deadlock(&mut self, deadlock: Lit, known: &[Span], waits: impl Iterator<Item = (Span, Lit)>) -> Lit {
        let (mut more, mut there) = (FALSE, vec![FALSE; known.len()]);
        for (span, lit) in waits {
            match known.iter().position(|place| *place == span) {
                Some(index) => there[index] = self.gates.or(there[index], lit),
                None => more = self.gates.or(more, lit),
            }
        }
        let mut whole = TRUE;
        for lit in there {
            whole = self.gates.and(whole, lit);
        }
        let other = self.gates.and(more, -whole);
        self.gates.and(deadlock, other)
    }

    /// Who alone could end the wait waits for good, or has ended.
    fn held_for_good(&mut self, wait: &Wait, stuck: &[Lit], memory: &[Bits]) -> Lit {
        let Some(holder) = wait.holder.filter(|holder| !self.range(*holder).is_empty()) else { return FALSE };
        let range = self.range(holder).clone();
        let mut held = FALSE;
        for (thread, lit) in stuck.iter().enumerate() {
            let id = thread as i128 + 1;
            if !range.contains(id) {
                continue;
            }
            let bits = self.bits_of(holder);
            let is = bits::equal(&mut self.gates, &bits, &bits::constant(id));
            let ended = bit(&memory[self.executed.memory.thread_cell(self.executed.memory.ended, thread)], 0);
            let for_good = self.gates.or(*lit, ended);
            let here = self.gates.and(is, for_good);
            held = self.gates.or(held, here);
        }
        held
    }

    /// The events of a step that is not taken: what it reads is known, what it writes is forgotten.
    pub(super) fn probe(&mut self, thread: usize, step: usize, stands: Lit, memory: &mut [Bits]) {
        let executed = self.executed;
        let mut forgotten = Vec::new();
        for (index, event) in executed.threads[thread].events.iter().enumerate() {
            if event.step as usize != step || !self.needed[thread][index] || !self.happens(event) {
                continue;
            }
            if let Action::Write(_) | Action::Free = event.action {
                let cells = self.targets[thread][index].iter().flat_map(|target| target.cells.clone());
                forgotten.extend(cells.map(|cell| (cell, memory[cell].clone())));
            }
            self.event(event, (thread, index), stands, memory);
        }
        for (cell, content) in forgotten.into_iter().rev() {
            memory[cell] = content;
        }
    }

    fn event(&mut self, event: &Event, (thread, index): (usize, usize), runs: Lit, memory: &mut [Bits]) {
        let address = self.bits_of(event.address);
        let certain = self.range(event.address).single().is_some();
        let targets = std::mem::take(&mut self.targets[thread][index]);
        for target in &targets {
            let here =
                if certain { TRUE } else { bits::equal(&mut self.gates, &address, &bits::constant(target.address)) };
            if here == FALSE {
                continue;
            }
            match event.action {
                Action::Read(value) | Action::ReadFreed(value) => {
                    let content = self.content(memory, target, event.size, self.executed.terms.get(value).kind);
                    let value = self.bits_of(value);
                    self.agree(runs, here, &value, &content);
                }
                Action::Write(value) => {
                    let guard = self.lit(event.guard);
                    let happens = self.gates.and(runs, guard);
                    let happens = self.gates.and(happens, here);
                    let value = self.bits_of(value);
                    self.write(memory, target, event.size, happens, &value);
                }
                Action::Free => {
                    let guard = self.lit(event.guard);
                    let happens = self.gates.and(runs, guard);
                    let happens = self.gates.and(happens, here);
                    let cell = target.cells.start;
                    memory[cell] = bits::choose(&mut self.gates, happens, &bits::constant(1), &memory[cell]);
                }
            }
        }
        self.targets[thread][index] = targets;
    }

    /// If the read runs, and goes here, it finds what is here.
    fn agree(&mut self, runs: Lit, here: Lit, value: &[Lit], content: &[Lit]) {
        for index in 0..value.len().max(content.len()) {
            let (v, c) = (bit(value, index), bit(content, index));
            if v != c {
                self.gates.clause(&[-runs, -here, -v, c]);
                self.gates.clause(&[-runs, -here, v, -c]);
            }
        }
    }

    /// What memory holds at a target, as a number of a kind.
    fn content(&mut self, memory: &[Bits], target: &Target, size: u64, kind: Kind) -> Bits {
        if target.exact {
            let cell = &memory[target.cells.start];
            return self.as_kind(cell, self.kinds[target.cells.start], kind);
        }
        let mut all = Vec::new();
        for cell in target.cells.clone() {
            let count = self.kinds[cell].bits as usize;
            all.extend((0..count).map(|index| bit(&memory[cell], index)));
        }
        let skip = target.skip as usize * 8;
        let mut out: Bits = all[skip..skip + size as usize * 8].to_vec();
        out.truncate(kind.bits as usize);
        if !kind.signed {
            out.push(FALSE);
        }
        bits::trimmed(out)
    }

    /// The bits of one kind read as another.
    fn as_kind(&self, number: &[Lit], from: Kind, to: Kind) -> Bits {
        // A cell of the state of threads has fewer bits than its size.
        if from == to || (from.bits < to.bits && !from.signed) {
            return number.to_vec();
        }
        let mut out: Bits = (0..to.bits as usize).map(|index| bit(number, index)).collect();
        if !to.signed {
            out.push(FALSE);
        }
        bits::trimmed(out)
    }

    fn write(&mut self, memory: &mut [Bits], target: &Target, size: u64, happens: Lit, value: &[Lit]) {
        if target.exact {
            let cell = target.cells.start;
            let kind = self.kinds[cell];
            let new = self.as_kind(value, Kind { bits: 127, signed: true }, kind);
            memory[cell] = bits::choose(&mut self.gates, happens, &new, &memory[cell]);
            return;
        }
        let mut at = 0usize;
        let (first, end) = (target.skip as usize * 8, (target.skip + size) as usize * 8);
        for cell in target.cells.clone() {
            let kind = self.kinds[cell];
            let mut new: Bits = (0..kind.bits as usize)
                .map(|index| match at + index {
                    place if place >= first && place < end => bit(value, place - first),
                    _ => bit(&memory[cell], index),
                })
                .collect();
            if !kind.signed {
                new.push(FALSE);
            }
            at += kind.bits as usize;
            memory[cell] = bits::choose(&mut self.gates, happens, &bits::trimmed(new), &memory[cell]);
        }
    }

    /// A literal under which one of these holds.
    fn one_of(&mut self, mut lits: Vec<Lit>) -> Lit {
        if lits.is_empty() {
            return FALSE;
        }
        let any = self.gates.fresh();
        lits.push(-any);
        self.gates.clause(&lits);
        any
    }

    /// Steps that are taken meet their requirements. The literal under which some failure happens.
    fn conditions(&mut self, before: &[Vec<Vec<Lit>>], rounds: u32, deadlock: Lit) -> Lit {
        let executed = self.executed;
        let last = rounds as usize - 1;
        for requirement in &executed.requirements {
            let condition = match self.range(requirement.condition) {
                range if range.is_empty() => continue,
                _ => self.lit(requirement.condition),
            };
            let taken = before[requirement.thread][last][requirement.step as usize];
            self.gates.clause(&[-taken, condition]);
        }
        let mut some = Vec::new();
        for failure in &executed.failures {
            if self.range(failure.condition).is_empty() {
                continue;
            }
            let condition = self.lit(failure.condition);
            let taken = before[failure.thread][last][failure.step as usize];
            let fails = self.gates.and(taken, condition);
            if fails != FALSE {
                some.push(fails);
            }
        }
        if deadlock != FALSE {
            some.push(deadlock);
        }
        self.one_of(some)
    }
}

fn truth(lit: Lit) -> Bits {
    vec![lit, FALSE]
}
