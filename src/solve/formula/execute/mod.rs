//! Executes every thread symbolically, once: what it computes as terms, what it does to shared memory as events.
//!
//! Where control flow meets, values become choices. A thread that has to wait does not take the step at all: that is
//! a requirement on the step, and leaves everything after it as it is. What is undefined ends the path.

mod access;
mod operations;
mod values;

use super::memory::{Home, Initial, Memory, kind_of};
use super::range::Kind;
use super::term::{Op, TermId, Terms};
use crate::analysis::points_to::{Object as Pointed, PointsTo};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::interpret::FailureKind;
use crate::il::types::Bits;
use crate::il::{AccessKind, Callee, Expr, FunctionId, LabelId, Place, Program, StatementId, Stmt, StmtKind};
use crate::limit::Bounded;
use crate::property::Property;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that happens to memory that several threads see.
pub struct Event {
    pub step: u32,
    /// It happens where the thread comes by.
    pub guard: TermId,
    pub address: TermId,
    pub size: u64,
    /// The shared objects that it may touch.
    pub objects: Rc<Vec<usize>>,
    pub action: Action,
    /// Terms that were made before it.
    pub mark: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Action {
    /// The term is what was read.
    Read(TermId),
    Write(TermId),
    /// Was the object freed?
    ReadFreed(TermId),
    Free,
}

/// A condition on a step that is taken.
pub struct Requirement {
    pub thread: usize,
    pub step: u32,
    pub condition: TermId,
    /// Without it the thread would not wait, but end here.
    pub ends: bool,
    /// It waits for the end of another thread.
    pub joins: bool,
    /// The atomic section that it stands in, 0 for none.
    pub section: u32,
}

/// Where a thread waits for others if the condition does not hold.
pub struct Wait {
    pub thread: usize,
    pub step: u32,
    pub condition: TermId,
    /// The thread comes here only if these requirements of the step hold.
    pub after: Vec<TermId>,
    /// The id of the thread that alone could end the wait, or 0.
    pub holder: Option<TermId>,
    /// Where it is in the user's own code.
    pub span: Span,
}

/// An access of the user's program to memory that several threads see, for races.
pub struct RaceAccess {
    pub thread: usize,
    pub step: u32,
    pub guard: TermId,
    pub address: TermId,
    pub size: u64,
    pub write: bool,
    /// Its kind, or the atomic section that it stands in.
    pub atomic: bool,
    /// Where it is in the user's own code.
    pub span: Span,
    /// So many requirements were made before it.
    pub requirements: usize,
    /// Which section that is, 0 for none.
    pub section: u32,
}

pub struct Failure {
    pub thread: usize,
    pub step: u32,
    pub condition: TermId,
}

/// A value that the program does not determine, in the order in which a thread takes them.
pub struct Input {
    pub step: u32,
    pub guard: TermId,
    pub value: TermId,
}

#[derive(Default)]
pub struct ThreadLog {
    pub events: Vec<Event>,
    pub inputs: Vec<Input>,
    pub steps: u32,
    /// Terms that existed before the thread, and after it.
    pub terms: (u32, u32),
}

/// An object that somebody makes, and what it holds then that nobody wrote.
pub struct NewObject {
    /// The statement that makes it.
    pub statement: StatementId,
    /// Offset, size, value.
    pub pieces: Vec<(u64, u64, TermId)>,
}

/// All threads, executed.
pub struct Executed {
    pub terms: Terms,
    pub memory: Memory,
    pub threads: Vec<ThreadLog>,
    pub requirements: Vec<Requirement>,
    pub failures: Vec<Failure>,
    /// Only if deadlocks are looked for.
    pub waits: Vec<Wait>,
    /// Only if races are looked for.
    pub accesses: Vec<RaceAccess>,
    /// The content of shared memory before the program starts; none where nobody can see it.
    pub initial: Vec<Option<TermId>>,
    pub new_objects: Vec<NewObject>,
    /// What is read that may be a pointer that nobody wrote (if the address is that one), other than from where it lies in
    /// shared memory from the beginning: valid ones were left out.
    pub unwritten_pointers: Vec<(TermId, i128, TermId)>,
    pub too_long: Vec<TooLong>,
}

/// What is followed up to some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    Allocation,
    Copy,
}

pub struct TooLong {
    pub what: Followed,
    pub size: TermId,
    pub most: u64,
    pub span: Span,
}

pub fn execute(bounded: &Bounded, property: &Property) -> Result<Executed> {
    let points_to = crate::analysis::points_to::points_to(&bounded.program);
    let touched = crate::limit::touched(bounded, &points_to);
    // Sizes of allocations that only the execution tells: it starts again with those that it found.
    let mut sizes = FxHashMap::default();
    loop {
        let memory = Memory::new(bounded, &points_to, &touched, &sizes)?;
        let mut executor = Executor::new(bounded, &points_to, property, memory);
        executor.initial()?;
        for thread in 0..bounded.threads.len() {
            executor.run(thread)?;
        }
        if executor.larger.is_empty() {
            return Ok(Executed {
                terms: executor.terms,
                memory: executor.memory,
                threads: executor.threads,
                requirements: executor.requirements,
                failures: executor.failures,
                waits: executor.waits,
                accesses: executor.accesses,
                initial: executor.initial,
                new_objects: executor.new_objects,
                unwritten_pointers: executor.unwritten_pointers,
                too_long: executor.too_long,
            });
        }
        sizes.extend(executor.larger);
    }
}

/// Where control is, and what the thread knows.
#[derive(Clone)]
struct State {
    path: TermId,
    /// The cells of private objects and locals, by slot.
    objects: Vec<Rc<Vec<TermId>>>,
    /// Which private allocations were freed.
    freed: Rc<Vec<(usize, TermId)>>,
    /// Allocations that no other thread knows of yet.
    fresh: Rc<Vec<usize>>,
    /// What shared memory is known to hold in this step.
    known: Rc<Vec<Known>>,
    step: Option<u32>,
    /// Shared memory was changed in this step.
    wrote: bool,
    /// Nesting of atomic sections, and which one the outermost is.
    sections: u32,
    section: u32,
}

impl State {
    fn new(path: TermId) -> State {
        State {
            path,
            objects: Vec::new(),
            freed: Rc::new(Vec::new()),
            fresh: Rc::new(Vec::new()),
            known: Rc::new(Vec::new()),
            step: None,
            wrote: false,
            sections: 0,
            section: 0,
        }
    }

    /// The step on the way here that was the last. Where ways of different steps meet, nothing matters to others
    /// before the next step, so that the later one does.
    fn current_step(&self) -> u32 {
        self.step.expect("a thread begins with a step")
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Known {
    address: TermId,
    size: u64,
    kind: Kind,
    value: TermId,
}

/// Where a place is.
struct Location {
    address: TermId,
    objects: Rc<Vec<usize>>,
    bits: Option<Bits>,
    /// A bit-field: bytes before it that belong to others of its kind, and how many there are in all.
    run: Option<(u64, u64)>,
    access: AccessKind,
    /// The indices were checked, so that it lies within its object.
    checked: bool,
}

struct Executor<'p> {
    bounded: &'p Bounded,
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    property: &'p Property,
    memory: Memory,
    terms: Terms,
    threads: Vec<ThreadLog>,
    requirements: Vec<Requirement>,
    failures: Vec<Failure>,
    waits: Vec<Wait>,
    accesses: Vec<RaceAccess>,
    /// Atomic sections so far.
    sections: u32,
    /// What each thread is given when it is created.
    arguments: Vec<Option<TermId>>,
    reads: u32,
    thread: usize,
    function: FunctionId,
    /// Inside a function of the library: where it returned, and what.
    returns: Option<Vec<(State, TermId)>>,
    /// Where the state of the thread keeps an object.
    slots: FxHashMap<usize, usize>,
    log: ThreadLog,
    step: Option<u32>,
    labels: FxHashMap<(FunctionId, LabelId), State>,
    strings: Rc<Vec<usize>>,
    /// The statement at hand.
    span: Span,
    /// Where it is in the user's own code: inside a library function, the call.
    user_span: Span,
    statement: StatementId,
    new_objects: Vec<NewObject>,
    unwritten_pointers: Vec<(TermId, i128, TermId)>,
    initial: Vec<Option<TermId>>,
    /// The cells of allocations as they were allocated.
    blank: FxHashMap<usize, Rc<Vec<TermId>>>,
    /// Allocations that turned out larger than was known, with their sizes.
    larger: FxHashMap<usize, u64>,
    /// The lengths of allocations that only the execution tells, with the threads that make them.
    lengths: FxHashMap<usize, (usize, TermId)>,
    too_long: Vec<TooLong>,
}

type Flow = Option<State>;

impl<'p> Executor<'p> {
    fn new(bounded: &'p Bounded, points_to: &'p PointsTo<'p>, property: &'p Property, memory: Memory) -> Executor<'p> {
        let strings = memory.strings..memory.strings + memory.string_count;
        Executor {
            bounded,
            program: &bounded.program,
            points_to,
            property,
            memory,
            terms: Terms::default(),
            threads: Vec::new(),
            requirements: Vec::new(),
            failures: Vec::new(),
            waits: Vec::new(),
            accesses: Vec::new(),
            sections: 0,
            arguments: vec![None; bounded.threads.len()],
            reads: 0,
            thread: 0,
            function: bounded.threads[0].function,
            returns: None,
            slots: FxHashMap::default(),
            log: ThreadLog::default(),
            step: None,
            labels: FxHashMap::default(),
            strings: Rc::new(strings.collect()),
            span: Span::default(),
            user_span: Span::default(),
            statement: StatementId::default(),
            new_objects: Vec::new(),
            unwritten_pointers: Vec::new(),
            initial: Vec::new(),
            blank: FxHashMap::default(),
            larger: FxHashMap::default(),
            lengths: FxHashMap::default(),
            too_long: Vec::new(),
        }
    }

    fn unsupported<T>(&self, what: impl Into<String>) -> Result<T> {
        Err(Diagnostic::unsupported(self.span, format!("{} (embedded engine)", what.into())))
    }

    // ---- threads ----

    fn initial(&mut self) -> Result<()> {
        let mut shared = vec![None; self.memory.shared_cells];
        for index in 0..self.memory.objects.len() {
            let Home::Shared(first) = self.memory.objects[index].home else { continue };
            if let Some(cell) = self.memory.freed_cells.get(&index) {
                shared[*cell] = Some(self.terms.truth(false));
            }
            // Memory that is allocated belongs to its thread at first.
            if self.is_heap(index) {
                continue;
            }
            let cells = self.initial_cells(index)?;
            for (offset, cell) in cells.into_iter().enumerate() {
                shared[first + offset] = Some(cell);
            }
        }
        self.initial = shared;
        Ok(())
    }

    /// Is it memory that the function allocates?
    fn allocates(&self, function: FunctionId, index: usize) -> bool {
        matches!(self.points_to.objects.get(index), Some(Pointed::Heap(by, _)) if *by == function)
    }

    fn is_heap(&self, index: usize) -> bool {
        matches!(self.points_to.objects.get(index), Some(Pointed::Heap(..)))
    }

    /// The cells of an object before anything happens.
    fn initial_cells(&mut self, index: usize) -> Result<Vec<TermId>> {
        let object = &self.memory.objects[index];
        if object.initial == Initial::Any {
            let kinds: Vec<(Kind, bool)> = object.cells.iter().map(|cell| (cell.kind, cell.pointer)).collect();
            let content = |(kind, pointer)| match pointer {
                true => self.terms.unwritten_pointer(kind),
                false => self.terms.input(kind),
            };
            return Ok(kinds.into_iter().map(content).collect());
        }
        let zero = self.terms.constant(0);
        let mut cells = vec![zero; self.memory.objects[index].cells.len()];
        let strings = self.memory.strings;
        if index >= strings && index < strings + self.memory.string_count {
            let string = &self.program.strings[index - strings];
            let kind = kind_of(&self.program.types, string.unit);
            for (cell, unit) in cells.iter_mut().zip(&string.units) {
                *cell = self.terms.constant(kind.wrap(i128::from(*unit)));
            }
        }
        if let Some(Pointed::Global(id)) = self.points_to.objects.get(index) {
            let global = self.program.global(*id);
            for part in &global.init {
                let (offset, ty, bits) = self.program.types.path_offset(global.ty, &part.path);
                let value = self.constant(&part.value)?;
                let value = self.raw(value, ty);
                match bits {
                    None => self.put(&mut cells, index, offset, self.program.types.size(ty), value),
                    Some(bits) => {
                        let size = u64::from((bits.shift + bits.width).div_ceil(8));
                        let whole = Kind::unsigned(size as u32 * 8);
                        let old = self.get(&cells, index, offset, size, whole);
                        let new = self.with_bits(old, value, bits, whole);
                        self.put(&mut cells, index, offset, size, new);
                    }
                }
            }
        }
        Ok(cells)
    }

    /// What an object holds that a statement makes: the counterexample tells it.
    fn note_new_object(&mut self, statement: StatementId, index: usize, cells: &[TermId]) {
        let object = &self.memory.objects[index];
        if object.initial == Initial::Any {
            let pieces = object.cells.iter().zip(cells).map(|(cell, term)| (cell.offset, cell.size, *term)).collect();
            self.new_objects.push(NewObject { statement, pieces });
        }
    }

    /// The value of an initializer.
    fn constant(&mut self, expr: &Expr) -> Result<TermId> {
        let path = self.terms.truth(true);
        let mut state = State::new(path);
        self.eval(&mut state, expr, path)
    }

    fn run(&mut self, thread: usize) -> Result<()> {
        let start = self.terms.list.len() as u32;
        self.thread = thread;
        self.function = self.bounded.threads[thread].function;
        self.step = None;
        self.labels.clear();
        self.log = ThreadLog::default();
        let path = self.terms.truth(true);
        let mut state = State::new(path);
        self.slots.clear();
        for index in 0..self.memory.objects.len() {
            let own = match self.memory.objects[index].home {
                Home::Private(owner) => owner == thread,
                Home::Frame => true,
                // Until others know of it.
                Home::Shared(_) => self.allocates(self.function, index),
            };
            if own {
                let cells = if self.allocates(self.function, index) {
                    // Nothing before it is allocated.
                    vec![self.terms.constant(0); self.memory.objects[index].cells.len()]
                } else {
                    let cells = self.initial_cells(index)?;
                    // Another thread allocates it, and does not touch it.
                    if let Some(statement) = self.points_to.allocated_by(index) {
                        self.note_new_object(statement, index, &cells);
                    }
                    cells
                };
                self.slots.insert(index, state.objects.len());
                state.objects.push(Rc::new(cells));
            }
        }
        let function = self.program.function(self.function);
        for (position, param) in function.params.iter().enumerate() {
            let ty = function.locals[param.0 as usize].ty;
            let value = match (thread, position) {
                (0, 0) => self.terms.constant(1),
                (0, _) => self.terms.constant(0),
                _ => match self.arguments[thread] {
                    Some(argument) => {
                        let kind = kind_of(&self.program.types, ty);
                        self.terms.cast(argument, kind)
                    }
                    None => self.terms.constant(0),
                },
            };
            self.store_place(&mut state, &Place::local(*param, ty), value)?;
        }
        let state = self.block(&function.body, Some(state))?;
        // A thread function without a return at its end.
        if let Some(mut state) = state {
            self.end_thread(&mut state, None)?;
        }
        self.log.steps = self.step.map_or(0, |step| step + 1);
        self.log.terms = (start, self.terms.list.len() as u32);
        self.threads.push(std::mem::take(&mut self.log));
        Ok(())
    }

    // ---- control flow ----

    fn block(&mut self, block: &'p [Stmt], mut state: Flow) -> Result<Flow> {
        for stmt in block {
            state = self.statement(stmt, state)?;
        }
        Ok(state)
    }

    fn statement(&mut self, stmt: &'p Stmt, mut state: Flow) -> Result<Flow> {
        if stmt.visible {
            self.step = Some(self.step.map_or(0, |step| step + 1));
            if let Some(state) = &mut state {
                state.step = self.step;
                state.known = Rc::new(Vec::new());
                state.wrote = false;
                if self.step == Some(0) {
                    self.begin(state);
                }
            }
        }
        if let Some(live) = &state
            && self.terms.as_constant(live.path) == Some(0)
        {
            state = None;
        }
        self.span = stmt.span;
        if stmt.span != Span::default() {
            self.user_span = stmt.span;
        }
        self.statement = stmt.id;
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let Some(mut live) = state else {
                    let then = self.block(then, None)?;
                    let otherwise = self.block(otherwise, None)?;
                    return Ok(self.meet(then, otherwise));
                };
                let guard = live.path;
                let condition = self.condition(&mut live, condition, guard)?;
                let not = self.terms.not(condition);
                let mut other = live.clone();
                live.path = self.terms.and(live.path, condition);
                other.path = self.terms.and(other.path, not);
                self.refine(&mut live, condition, true);
                self.refine(&mut other, condition, false);
                let live = self.if_alive(live);
                let other = self.if_alive(other);
                let after_then = self.block(then, live)?;
                let after_else = self.block(otherwise, other)?;
                // A branch that can be jumped into is not only taken when the condition says so.
                if has_label(then) || has_label(otherwise) {
                    return Ok(self.meet(after_then, after_else));
                }
                Ok(match (after_then, after_else) {
                    (Some(a), Some(b)) => Some(self.merge(a, b, condition)),
                    (a, b) => a.or(b),
                })
            }
            StmtKind::Goto(label) => {
                if let Some(state) = state {
                    let key = (self.function, *label);
                    let merged = match self.labels.remove(&key) {
                        Some(known) => {
                            let condition = state.path;
                            self.merge(state, known, condition)
                        }
                        None => state,
                    };
                    self.labels.insert(key, merged);
                }
                Ok(None)
            }
            StmtKind::Label(label) => {
                let arrived = self.labels.remove(&(self.function, *label));
                Ok(self.meet(arrived, state))
            }
            StmtKind::Return(value) => {
                if let Some(mut state) = state {
                    if self.returns.is_some() {
                        let guard = state.path;
                        let value = match value {
                            Some(value) => self.eval(&mut state, value, guard)?,
                            None => self.terms.constant(0),
                        };
                        self.returns.as_mut().expect("in the library").push((state, value));
                        return Ok(None);
                    }
                    // `main` does not take the step that ends the process.
                    if self.thread != 0 {
                        self.end_thread(&mut state, value.as_ref())?;
                    } else {
                        self.stop(&mut state);
                    }
                }
                Ok(None)
            }
            StmtKind::Declare(_) => Ok(state),
            StmtKind::Assign { to, value } => {
                if let Some(state) = &mut state {
                    self.assign(state, to, value)?;
                }
                Ok(state)
            }
            StmtKind::Call { to, callee, args } => {
                let Some(mut state) = state else { return Ok(None) };
                let Callee::Function(id) = callee else { return self.unsupported("a call through a pointer") };
                self.call(&mut state, stmt, to.as_ref(), *id, args)?;
                Ok(self.if_alive(state))
            }
            StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => unreachable!("a bounded program has no such statement"),
        }
    }

    fn if_alive(&self, state: State) -> Flow {
        (self.terms.as_constant(state.path) != Some(0)).then_some(state)
    }

    fn meet(&mut self, a: Flow, b: Flow) -> Flow {
        match (a, b) {
            (Some(a), Some(b)) => {
                let condition = a.path;
                Some(self.merge(a, b, condition))
            }
            (a, b) => a.or(b),
        }
    }

    /// One state out of two ways to the same point; `condition` tells whether the first was taken.
    fn merge(&mut self, mut a: State, mut b: State, condition: TermId) -> State {
        if a.fresh != b.fresh {
            let differ = |mine: &State, other: &State| -> Vec<usize> {
                mine.fresh.iter().copied().filter(|object| !other.fresh.contains(object)).collect()
            };
            for object in differ(&a, &b) {
                self.publish(&mut a, object);
            }
            for object in differ(&b, &a) {
                self.publish(&mut b, object);
            }
        }
        for (mine, theirs) in a.objects.iter_mut().zip(&b.objects) {
            if !Rc::ptr_eq(mine, theirs) && mine != theirs {
                let cells = mine.iter().zip(theirs.iter());
                let merged = cells.map(|(x, y)| self.terms.choose(condition, *x, *y)).collect();
                *mine = Rc::new(merged);
            }
        }
        if a.freed != b.freed {
            let mut merged = Vec::new();
            let no = self.terms.truth(false);
            let of = |list: &[(usize, TermId)], object| list.iter().find(|(o, _)| *o == object).map_or(no, |(_, t)| *t);
            let mut all: Vec<usize> = a.freed.iter().chain(b.freed.iter()).map(|(object, _)| *object).collect();
            all.sort_unstable();
            all.dedup();
            for object in all {
                let (x, y) = (of(&a.freed, object), of(&b.freed, object));
                merged.push((object, self.terms.choose(condition, x, y)));
            }
            a.freed = Rc::new(merged);
        }
        if !Rc::ptr_eq(&a.known, &b.known) {
            let mut merged = Vec::new();
            if a.step == b.step {
                for mine in a.known.iter() {
                    let same = |theirs: &&Known| {
                        theirs.address == mine.address && theirs.size == mine.size && theirs.kind == mine.kind
                    };
                    if let Some(theirs) = b.known.iter().find(same) {
                        let value = self.terms.choose(condition, mine.value, theirs.value);
                        merged.push(Known { value, ..*mine });
                    }
                }
            }
            a.known = Rc::new(merged);
        }
        a.wrote |= b.wrote;
        a.step = a.step.max(b.step);
        a.path = self.terms.or(a.path, b.path);
        a
    }

    /// From now on other threads may know of an allocation: its content becomes shared.
    fn publish(&mut self, state: &mut State, object: usize) {
        Rc::make_mut(&mut state.fresh).retain(|other| *other != object);
        let Home::Shared(first) = self.memory.objects[object].home else { return };
        let cells = state.objects[self.slots[&object]].clone();
        let blank = self.blank[&object].clone();
        let base = self.memory.objects[object].base;
        for (index, (cell, blank)) in cells.iter().zip(blank.iter()).enumerate() {
            self.leak(state, *cell);
            if cell == blank {
                // It still holds what it held when it was allocated.
                self.initial[first + index] = Some(*cell);
                continue;
            }
            let unwritten = self.terms.is_unwritten_pointer(*cell);
            let (offset, size) =
                (self.memory.objects[object].cells[index].offset, self.memory.objects[object].cells[index].size);
            let at = base + i128::from(offset);
            let address = self.terms.constant(at);
            self.unwritten_pointers.extend(unwritten.then_some((address, at, *cell)));
            self.event(state, address, size, Rc::new(vec![object]), Action::Write(*cell));
        }
        if let Some((_, freed)) = state.freed.iter().find(|(other, _)| *other == object).copied() {
            let mut then = state.clone();
            then.path = self.terms.and(state.path, freed);
            let address = self.terms.constant(base);
            self.event(&mut then, address, 1, Rc::new(vec![object]), Action::Free);
        }
    }

    /// Other threads may see this value, and what it points to.
    fn leak(&mut self, state: &mut State, value: TermId) {
        if state.fresh.is_empty() {
            return;
        }
        let mut waiting = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(address) = self.terms.as_constant(term) {
                let pointed = state.fresh.iter().copied().find(|index| {
                    let object = &self.memory.objects[*index];
                    (object.base..=object.base + i128::from(object.size)).contains(&address)
                });
                if let Some(object) = pointed {
                    self.publish(state, object);
                }
            }
            waiting.extend(self.terms.get(term).op.operands());
        }
    }

    /// The thread does not take this step if it comes here.
    fn stop(&mut self, state: &mut State) {
        let never = self.terms.truth(false);
        self.require_or_end(state, never);
        state.path = never;
    }

    /// The step is taken only if the condition holds here.
    fn require(&mut self, state: &mut State, condition: TermId) {
        let away = self.terms.not(state.path);
        let condition = self.terms.or(away, condition);
        if self.terms.as_constant(condition) != Some(1) {
            let (thread, step) = (self.thread, state.current_step());
            let section = if state.sections > 0 { state.section } else { 0 };
            self.requirements.push(Requirement { thread, step, condition, ends: false, joins: false, section });
        }
    }

    /// If the condition does not hold the thread ends here, which nobody can tell from its not taking the step.
    fn require_or_end(&mut self, state: &mut State, condition: TermId) {
        let known = self.requirements.len();
        self.require(state, condition);
        self.requirements[known..].iter_mut().for_each(|required| required.ends = true);
    }

    /// The thread waits here until the condition holds.
    fn wait(&mut self, state: &State, condition: TermId, holder: Option<TermId>) {
        if !self.property.looks_for(FailureKind::Deadlock) {
            return;
        }
        let (thread, step) = (self.thread, state.current_step());
        let away = self.terms.not(state.path);
        let condition = self.terms.or(away, condition);
        if self.terms.as_constant(condition) != Some(1) {
            let of_step = |required: &&Requirement| required.thread == thread && required.step == step;
            let after = self.requirements.iter().filter(of_step).map(|required| required.condition).collect();
            self.waits.push(Wait { thread, step, condition, after, holder, span: self.user_span });
        }
    }

    /// After a condition, the values that it compares are known better.
    fn refine(&mut self, state: &mut State, condition: TermId, holds: bool) {
        let mut known: Vec<(TermId, TermId)> = Vec::new();
        self.learn(condition, holds, &mut known);
        for (old, new) in known {
            for cells in &mut state.objects {
                if cells.len() <= 64 && cells.contains(&old) {
                    let cells = Rc::make_mut(cells);
                    cells.iter_mut().filter(|cell| **cell == old).for_each(|cell| *cell = new);
                }
            }
            if state.known.iter().any(|known| known.value == old) {
                let known = Rc::make_mut(&mut state.known);
                known.iter_mut().filter(|known| known.value == old).for_each(|known| known.value = new);
            }
        }
    }

    /// Terms, and what they are replaced by.
    fn learn(&mut self, condition: TermId, holds: bool, out: &mut Vec<(TermId, TermId)>) {
        let mut learned = |terms: &mut Terms, term: TermId, low: i128, high: i128| {
            if terms.as_constant(term).is_some() {
                return;
            }
            let latest = out.iter().rev().find(|(old, _)| *old == term).map_or(term, |(_, new)| *new);
            let new = terms.bounded(latest, low, high);
            if new != latest {
                out.retain(|(old, _)| *old != term);
                out.push((term, new));
            }
        };
        match (self.terms.get(condition).op, holds) {
            (Op::Not(inner), _) => self.learn(inner, !holds, out),
            (Op::And(a, b), true) | (Op::Or(a, b), false) => {
                self.learn(a, holds, out);
                self.learn(b, holds, out);
            }
            (Op::Less(a, b), _) => {
                let (range_a, range_b) = (self.terms.range(a).clone(), self.terms.range(b).clone());
                let gap = i128::from(holds);
                if holds {
                    learned(&mut self.terms, a, i128::MIN, range_b.high() - gap);
                    learned(&mut self.terms, b, range_a.low() + gap, i128::MAX);
                } else {
                    learned(&mut self.terms, a, range_b.low(), i128::MAX);
                    learned(&mut self.terms, b, i128::MIN, range_a.high());
                }
            }
            (Op::Equal(a, b), true) => {
                if let Some(value) = self.terms.as_constant(b) {
                    let new = self.terms.constant(value);
                    out.push((a, new));
                }
            }
            (Op::Equal(a, b), false) => {
                if let Some(value) = self.terms.as_constant(b) {
                    let new = self.terms.except(a, value);
                    if new != a {
                        out.push((a, new));
                    }
                }
            }
            // A truth value is known itself.
            (Op::Read(_) | Op::Input(_), _) if self.terms.range(condition).is_bool() => {
                let new = self.terms.truth(holds);
                out.push((condition, new));
            }
            _ => {}
        }
    }

    /// If the condition does not hold here the program fails, or at least does not go on.
    fn must(&mut self, state: &mut State, guard: TermId, condition: TermId, kind: FailureKind) {
        if self.terms.as_constant(condition) == Some(1) {
            return;
        }
        let wrong = self.terms.not(condition);
        let wrong = self.terms.and(guard, wrong);
        let wanted = self.property.wants_at(kind, self.user_span);
        if !wanted && !state.wrote {
            // Others cannot tell whether the thread ends here or did not take the step.
            let right = self.terms.not(wrong);
            self.require_or_end(state, right);
            if self.terms.as_constant(right) == Some(0) {
                state.path = right;
            } else if guard == state.path {
                self.refine(state, condition, true);
            }
            return;
        }
        if wanted && self.terms.as_constant(wrong) != Some(0) {
            self.failures.push(Failure { thread: self.thread, step: state.current_step(), condition: wrong });
        }
        let right = self.terms.not(wrong);
        if guard == state.path {
            self.refine(state, condition, true);
        }
        state.path = self.terms.and(state.path, right);
    }

    /// A thread starts only when it was created.
    fn begin(&mut self, state: &mut State) {
        if self.thread == 0 {
            return;
        }
        let created = self.thread_cell(self.memory.created, self.thread);
        let address = self.terms.constant(created);
        let flag = self.event_read(state, address, 1, Kind::BOOL, Rc::new(vec![self.memory.created]));
        self.require(state, flag);
    }

    fn thread_cell(&self, object: usize, thread: usize) -> i128 {
        let object = &self.memory.objects[object];
        object.base + i128::from(object.cells[thread].offset)
    }

    fn end_thread(&mut self, state: &mut State, value: Option<&'p Expr>) -> Result<()> {
        let guard = state.path;
        if let Some(value) = value
            && self.program.types.is_scalar(value.ty)
        {
            let term = self.eval(state, value, guard)?;
            let raw = self.raw(term, value.ty);
            let kind = Kind::unsigned(self.program.types.model.pointer_size() as u32 * 8);
            let raw = self.terms.cast(raw, kind);
            self.leak(state, raw);
            let address = self.terms.constant(self.thread_cell(self.memory.results, self.thread));
            self.event(state, address, 8, Rc::new(vec![self.memory.results]), Action::Write(raw));
        }
        let address = self.terms.constant(self.thread_cell(self.memory.ended, self.thread));
        let yes = self.terms.truth(true);
        self.event(state, address, 1, Rc::new(vec![self.memory.ended]), Action::Write(yes));
        Ok(())
    }

    // ---- events ----

    fn event(&mut self, state: &mut State, address: TermId, size: u64, objects: Rc<Vec<usize>>, action: Action) {
        let (step, guard, mark) = (state.current_step(), state.path, self.terms.list.len() as u32);
        state.wrote |= matches!(action, Action::Write(_) | Action::Free);
        self.log.events.push(Event { step, guard, address, size, objects, action, mark });
    }

    fn event_read(
        &mut self,
        state: &mut State,
        address: TermId,
        size: u64,
        kind: Kind,
        objects: Rc<Vec<usize>>,
    ) -> TermId {
        let value = self.terms.read(self.reads, kind);
        self.reads += 1;
        self.event(state, address, size, objects, Action::Read(value));
        value
    }
}

fn has_label(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| matches!(stmt.kind, StmtKind::Label(_)) || stmt.kind.blocks().into_iter().any(has_label))
}
