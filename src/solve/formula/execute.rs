//! Executes every thread symbolically, once: what it computes as terms, what it does to shared memory as events.
//!
//! Where control flow meets, values become choices. A thread that has to wait does not take the step at all: that is
//! a requirement on the step, and leaves everything behind it as it is. What is undefined ends the path.

use super::memory::{Home, Initial, Memory, allocated_size, kind_of};
use super::range::{Kind, Range};
use super::term::{Op, TermId, Terms};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::arithmetic::{self, Value};
use crate::il::interpret::FailureKind;
use crate::il::types::Bits;
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, FloatKind, FunctionId, FunctionKind, IntKind, LabelId, Operation, PathStep,
    Place, Program, Projection, Stmt, StmtKind, Type, TypeId, UnaryOp,
};
use crate::isolate::points_to::{Object as Pointed, PointsTo, Set, start_and_argument};
use crate::limit::Bounded;
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

/// All threads, executed.
pub struct Executed {
    pub terms: Terms,
    pub memory: Memory,
    pub threads: Vec<ThreadLog>,
    pub requirements: Vec<Requirement>,
    pub failures: Vec<Failure>,
    /// The content of shared memory before the program starts; none where nobody can see it.
    pub initial: Vec<Option<TermId>>,
}

pub fn execute(bounded: &Bounded, wanted: &dyn Fn(FailureKind) -> bool) -> Result<Executed> {
    let points_to = crate::isolate::points_to::points_to(&bounded.program);
    let touched = crate::limit::touched(bounded, &points_to);
    let memory = Memory::new(bounded, &points_to, &touched)?;
    let mut executor = Executor {
        bounded,
        program: &bounded.program,
        points_to: &points_to,
        wanted,
        memory,
        terms: Terms::default(),
        threads: Vec::new(),
        requirements: Vec::new(),
        failures: Vec::new(),
        arguments: vec![None; bounded.threads.len()],
        reads: 0,
        thread: 0,
        function: bounded.threads[0].function,
        slots: FxHashMap::default(),
        log: ThreadLog::default(),
        step: None,
        labels: FxHashMap::default(),
        strings: Rc::new(Vec::new()),
        span: Span::default(),
        initial: Vec::new(),
        blank: FxHashMap::default(),
    };
    executor.strings =
        Rc::new((executor.memory.strings..executor.memory.strings + executor.memory.string_count).collect());
    executor.initial()?;
    for thread in 0..bounded.threads.len() {
        executor.run(thread)?;
    }
    Ok(Executed {
        terms: executor.terms,
        memory: executor.memory,
        threads: executor.threads,
        requirements: executor.requirements,
        failures: executor.failures,
        initial: executor.initial,
    })
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
}

impl State {
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
    /// The indices were checked, so that it lies within its object.
    checked: bool,
}

struct Executor<'p> {
    bounded: &'p Bounded,
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    wanted: &'p dyn Fn(FailureKind) -> bool,
    memory: Memory,
    terms: Terms,
    threads: Vec<ThreadLog>,
    requirements: Vec<Requirement>,
    failures: Vec<Failure>,
    /// What each thread is given when it is created.
    arguments: Vec<Option<TermId>>,
    reads: u32,
    thread: usize,
    function: FunctionId,
    /// Where the state of the thread keeps an object.
    slots: FxHashMap<usize, usize>,
    log: ThreadLog,
    step: Option<u32>,
    labels: FxHashMap<(FunctionId, LabelId), State>,
    strings: Rc<Vec<usize>>,
    /// The statement at hand.
    span: Span,
    initial: Vec<Option<TermId>>,
    /// The cells of allocations as they were allocated.
    blank: FxHashMap<usize, Rc<Vec<TermId>>>,
}

type Flow = Option<State>;

impl<'p> Executor<'p> {
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
            let kinds: Vec<Kind> = object.cells.iter().map(|cell| cell.kind).collect();
            return Ok(kinds.into_iter().map(|kind| self.terms.input(kind)).collect());
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
                let (offset, ty, bits) = self.path_offset(global.ty, &part.path);
                let value = self.constant(&part.value)?;
                let kind = kind_of(&self.program.types, ty);
                let value = self.raw(value, &part.value, ty);
                match bits {
                    None => self.put(&mut cells, index, offset, self.program.types.size(ty), value, kind),
                    Some(bits) => {
                        let size = u64::from((bits.shift + bits.width).div_ceil(8));
                        let whole = Kind::unsigned(size as u32 * 8);
                        let old = self.get(&cells, index, offset, size, whole);
                        let new = self.with_bits(old, value, bits, whole);
                        self.put(&mut cells, index, offset, size, new, whole);
                    }
                }
            }
        }
        Ok(cells)
    }

    fn path_offset(&self, ty: TypeId, path: &[PathStep]) -> (u64, TypeId, Option<Bits>) {
        let types = &self.program.types;
        let (mut offset, mut current, mut bits) = (0, ty, None);
        for step in path {
            match step {
                PathStep::Field(index) => {
                    let record = types.record_id(current).expect("a field belongs to a record");
                    let field = &types.record(record).fields[*index as usize];
                    (offset, current, bits) = (offset + field.offset, field.ty, field.bits);
                }
                PathStep::Index(index) => {
                    current = types.element(current).expect("an index belongs to an array");
                    offset += index * types.size(current);
                }
            }
        }
        (offset, current, bits)
    }

    /// The value of an initializer.
    fn constant(&mut self, expr: &Expr) -> Result<TermId> {
        let path = self.terms.truth(true);
        let mut state = State {
            path,
            objects: Vec::new(),
            freed: Rc::new(Vec::new()),
            fresh: Rc::new(Vec::new()),
            known: Rc::new(Vec::new()),
            step: None,
            wrote: false,
        };
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
        let mut state = State {
            path,
            objects: Vec::new(),
            freed: Rc::new(Vec::new()),
            fresh: Rc::new(Vec::new()),
            known: Rc::new(Vec::new()),
            step: None,
            wrote: false,
        };
        self.slots.clear();
        for index in 0..self.memory.objects.len() {
            let own = match self.memory.objects[index].home {
                Home::Private(owner) => owner == thread,
                Home::Frame => true,
                // Until others know of it.
                Home::Shared(_) => self.allocates(self.function, index),
            };
            if own {
                let cells = if self.is_heap(index) {
                    // Nothing before it is allocated.
                    vec![self.terms.constant(0); self.memory.objects[index].cells.len()]
                } else {
                    self.initial_cells(index)?
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
            let (offset, size) =
                (self.memory.objects[object].cells[index].offset, self.memory.objects[object].cells[index].size);
            let address = self.terms.constant(base + i128::from(offset));
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
        self.require(state, never);
        state.path = never;
    }

    /// The step is taken only if the condition holds here.
    fn require(&mut self, state: &mut State, condition: TermId) {
        let away = self.terms.not(state.path);
        let condition = self.terms.or(away, condition);
        if self.terms.as_constant(condition) != Some(1) {
            self.requirements.push(Requirement { thread: self.thread, step: state.current_step(), condition });
        }
    }

    /// Behind a condition, the values that it compares are known better.
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
        if !(self.wanted)(kind) && !state.wrote {
            // Others cannot tell whether the thread ends here or did not take the step.
            let right = self.terms.not(wrong);
            self.require(state, right);
            if self.terms.as_constant(right) == Some(0) {
                state.path = right;
            } else if guard == state.path {
                self.refine(state, condition, true);
            }
            return;
        }
        if (self.wanted)(kind) && self.terms.as_constant(wrong) != Some(0) {
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
            let raw = self.raw(term, value, value.ty);
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

    // ---- cells of private objects ----

    /// Reads bytes out of the cells of an object.
    fn get(&mut self, cells: &[TermId], index: usize, offset: u64, size: u64, kind: Kind) -> TermId {
        let object = &self.memory.objects[index];
        if let Some(cell) = object.exact(offset, size) {
            return self.terms.cast(cells[cell], kind);
        }
        let parts: Vec<(TermId, u64, u64)> =
            object.cells_of(offset, size).map(|i| (cells[i], object.cells[i].offset, object.cells[i].size)).collect();
        let wide = Kind::unsigned(64);
        let mut value = self.terms.constant(0);
        for (cell, at, length) in parts {
            let unsigned = self.terms.cast(cell, Kind::unsigned(length as u32 * 8));
            let (skip, shift) = (offset.saturating_sub(at) * 8, at.saturating_sub(offset) * 8);
            let taken = (at + length).min(offset + size) - at.max(offset);
            let skip = self.terms.constant(i128::from(skip));
            let part = self.terms.binary(Op::Shr, unsigned, skip, wide);
            let part = self.terms.cast(part, Kind::unsigned(taken as u32 * 8));
            let shift = self.terms.constant(i128::from(shift));
            let part = self.terms.binary(Op::Shl, part, shift, wide);
            value = self.terms.binary(Op::BitOr, value, part, wide);
        }
        self.terms.cast(value, kind)
    }

    /// Writes bytes into the cells of an object.
    fn put(&mut self, cells: &mut [TermId], index: usize, offset: u64, size: u64, value: TermId, _kind: Kind) {
        let object = &self.memory.objects[index];
        if let Some(cell) = object.exact(offset, size) {
            let kind = object.cells[cell].kind;
            cells[cell] = self.terms.cast(value, kind);
            return;
        }
        let parts: Vec<(usize, u64, u64, Kind)> = object
            .cells_of(offset, size)
            .map(|i| (i, object.cells[i].offset, object.cells[i].size, object.cells[i].kind))
            .collect();
        let wide = Kind::unsigned(64);
        let value = self.terms.cast(value, Kind::unsigned(size as u32 * 8));
        for (cell, at, length, kind) in parts {
            let whole = Kind::unsigned(length as u32 * 8);
            let taken = (at + length).min(offset + size) - at.max(offset);
            let skip = self.terms.constant(i128::from(at.saturating_sub(offset) * 8));
            let part = self.terms.binary(Op::Shr, value, skip, wide);
            let part = self.terms.cast(part, Kind::unsigned(taken as u32 * 8));
            let shift = offset.saturating_sub(at) * 8;
            let bits = Bits { shift: shift as u32, width: taken as u32 * 8 };
            let old = self.terms.cast(cells[cell], whole);
            let new = self.with_bits(old, part, bits, whole);
            cells[cell] = self.terms.cast(new, kind);
        }
    }

    /// `old` with some of its bits replaced.
    fn with_bits(&mut self, old: TermId, value: TermId, bits: Bits, whole: Kind) -> TermId {
        let value = self.terms.cast(value, Kind::unsigned(bits.width));
        let mask = ((1i128 << bits.width) - 1) << bits.shift;
        if mask == whole.max() {
            return value;
        }
        let keep = self.terms.constant(whole.max() & !mask);
        let kept = self.terms.binary(Op::BitAnd, old, keep, whole);
        let shift = self.terms.constant(i128::from(bits.shift));
        let moved = self.terms.binary(Op::Shl, value, shift, whole);
        self.terms.binary(Op::BitOr, kept, moved, whole)
    }

    // ---- access ----

    /// Addresses that are private to this thread, whether there are shared ones, and the objects of these.
    #[allow(clippy::type_complexity)]
    fn split(
        &mut self,
        state: &State,
        (address, writes): (TermId, bool),
        objects: &[usize],
        size: u64,
    ) -> (Vec<(i128, usize)>, Vec<(i128, usize)>, Rc<Vec<usize>>) {
        let range = self.terms.range(address).clone();
        let all = self.memory.candidates(&range, objects, size);
        let mut private = Vec::new();
        let mut shared = Vec::new();
        let mut seen = Vec::new();
        for (at, index) in all {
            match self.memory.objects[index].home {
                _ if writes && self.memory.objects[index].read_only => {}
                Home::Private(owner) if owner != self.thread => {}
                Home::Private(_) | Home::Frame => private.push((at, index)),
                Home::Shared(_) if state.fresh.contains(&index) => private.push((at, index)),
                Home::Shared(_) => {
                    shared.push((at, index));
                    if seen.last() != Some(&index) {
                        seen.push(index);
                    }
                }
            }
        }
        (private, shared, Rc::new(seen))
    }

    /// The access must go to one of these addresses, in objects that were not freed.
    fn check_access(
        &mut self,
        state: &mut State,
        guard: TermId,
        location: &Location,
        size: u64,
        (private, shared): (&[(i128, usize)], &[(i128, usize)]),
        shared_objects: &Rc<Vec<usize>>,
    ) {
        if !location.checked {
            let mut valid: Vec<i128> = private.iter().chain(shared).map(|(address, _)| *address).collect();
            valid.sort_unstable();
            let valid = self.terms.one_of(location.address, valid);
            self.must(state, guard, valid, FailureKind::Memory);
        }
        let freeable = |list: &[(i128, usize)], memory: &Memory| {
            let mut objects: Vec<usize> =
                list.iter().map(|(_, index)| *index).filter(|index| memory.objects[*index].freed).collect();
            objects.dedup();
            objects
        };
        let (own, others) = (freeable(private, &self.memory), freeable(shared, &self.memory));
        for index in own {
            let Some((_, freed)) = state.freed.iter().find(|(object, _)| *object == index).copied() else { continue };
            let inside = self.inside(location.address, index);
            let wrong = self.terms.and(inside, freed);
            let right = self.terms.not(wrong);
            self.must(state, guard, right, FailureKind::Memory);
        }
        if !others.is_empty() {
            let freed = self.terms.read(self.reads, Kind::BOOL);
            self.reads += 1;
            self.event(state, location.address, size, shared_objects.clone(), Action::ReadFreed(freed));
            let addresses = shared.iter().filter(|(_, index)| others.contains(index)).map(|(address, _)| *address);
            let inside = self.terms.one_of(location.address, addresses.collect());
            let wrong = self.terms.and(inside, freed);
            let right = self.terms.not(wrong);
            self.must(state, guard, right, FailureKind::Memory);
        }
    }

    /// Does the address lie in an object?
    fn inside(&mut self, address: TermId, index: usize) -> TermId {
        let object = &self.memory.objects[index];
        let (base, end) = (object.base, object.base + i128::from(object.size));
        if let Some(at) = self.terms.range(address).single() {
            return self.terms.truth(base <= at && at < end);
        }
        let (base, end) = (self.terms.constant(base), self.terms.constant(end));
        let above = self.terms.less_or_equal(base, address);
        let below = self.terms.less(address, end);
        self.terms.and(above, below)
    }

    fn load(&mut self, state: &mut State, location: &Location, size: u64, kind: Kind, guard: TermId) -> Result<TermId> {
        let (private, shared, shared_objects) = self.split(state, (location.address, false), &location.objects, size);
        self.check_access(state, guard, location, size, (&private, &shared), &shared_objects);
        let mut value = None;
        if !shared.is_empty() {
            let known = |known: &&Known| known.address == location.address && known.size == size && known.kind == kind;
            value = Some(match state.known.iter().find(known) {
                Some(known) => known.value,
                None => {
                    let value = self.event_read(state, location.address, size, kind, shared_objects);
                    let entry = Known { address: location.address, size, kind, value };
                    Rc::make_mut(&mut state.known).push(entry);
                    value
                }
            });
        }
        for (at, index) in private.iter().rev() {
            let offset = (at - self.memory.objects[*index].base) as u64;
            let cells = state.objects[self.slots[index]].clone();
            let content = self.get(&cells, *index, offset, size, kind);
            value = Some(match value {
                None => content,
                Some(other) => {
                    let at = self.terms.constant(*at);
                    let here = self.terms.equal(location.address, at);
                    self.terms.choose(here, content, other)
                }
            });
        }
        Ok(value.unwrap_or_else(|| self.terms.constant(0)))
    }

    fn store(&mut self, state: &mut State, location: &Location, size: u64, value: TermId, kind: Kind) -> Result<()> {
        let (private, shared, shared_objects) = self.split(state, (location.address, true), &location.objects, size);
        let guard = state.path;
        self.check_access(state, guard, location, size, (&private, &shared), &shared_objects);
        let single = private.len() + shared.len() == 1;
        for (at, index) in &private {
            let offset = (at - self.memory.objects[*index].base) as u64;
            let slot = self.slots[index];
            let mut cells = (*state.objects[slot]).clone();
            let touched = self.memory.objects[*index].cells_of(offset, size);
            let old: Vec<TermId> = cells[touched.clone()].to_vec();
            self.put(&mut cells, *index, offset, size, value, kind);
            if !single {
                let at = self.terms.constant(*at);
                let here = self.terms.equal(location.address, at);
                for (cell, old) in touched.zip(old) {
                    cells[cell] = self.terms.choose(here, cells[cell], old);
                }
            }
            state.objects[slot] = Rc::new(cells);
        }
        if !shared.is_empty() {
            self.leak(state, value);
            let range = self.terms.range(location.address).clone();
            let reach = i128::from(size.max(8));
            let terms = &self.terms;
            Rc::make_mut(&mut state.known).retain(|known| {
                let other = terms.range(known.address);
                !(other.low() < range.high() + reach && range.low() < other.high() + reach)
            });
            if private.is_empty() {
                let value = self.terms.cast(value, kind);
                let entry = Known { address: location.address, size, kind, value };
                Rc::make_mut(&mut state.known).push(entry);
            }
            self.event(state, location.address, size, shared_objects, Action::Write(value));
        }
        Ok(())
    }

    fn load_place(&mut self, state: &mut State, place: &Place, guard: TermId) -> Result<TermId> {
        let location = self.locate(state, place, guard, false)?;
        let types = &self.program.types;
        if let Some(bits) = location.bits {
            let size = u64::from((bits.shift + bits.width).div_ceil(8));
            let whole = Kind::unsigned(size as u32 * 8);
            let signed = types.int_kind(place.ty).is_some_and(IntKind::signed);
            let value = self.load(state, &location, size, whole, guard)?;
            let shift = self.terms.constant(i128::from(bits.shift));
            let value = self.terms.binary(Op::Shr, value, shift, whole);
            return Ok(self.terms.cast(value, Kind { bits: bits.width, signed }));
        }
        if !types.is_scalar(place.ty) || types.size(place.ty) > 8 {
            return self.unsupported("a value of this type");
        }
        let (size, kind) = (types.size(place.ty), kind_of(types, place.ty));
        self.load(state, &location, size, kind, guard)
    }

    fn store_place(&mut self, state: &mut State, place: &Place, value: TermId) -> Result<()> {
        let guard = state.path;
        let location = self.locate(state, place, guard, false)?;
        let types = &self.program.types;
        if let Some(bits) = location.bits {
            let size = u64::from((bits.shift + bits.width).div_ceil(8));
            let whole = Kind::unsigned(size as u32 * 8);
            let old = self.load(state, &location, size, whole, guard)?;
            let new = self.with_bits(old, value, bits, whole);
            return self.store(state, &location, size, new, whole);
        }
        if types.size(place.ty) > 8 {
            return self.unsupported("a value of this type");
        }
        let (size, kind) = (types.size(place.ty), kind_of(types, place.ty));
        self.store(state, &location, size, value, kind)
    }

    fn pointer_kind(&self) -> Kind {
        Kind::unsigned(self.program.types.model.pointer_size() as u32 * 8)
    }

    /// The objects that an access through a pointer may touch.
    fn targets(&self, pointer: &Expr) -> Rc<Vec<usize>> {
        let mut set: Set = self.points_to.value(self.function, pointer);
        for string in self.strings.iter() {
            set.insert(*string);
        }
        Rc::new(set.iter().collect())
    }

    fn locate(&mut self, state: &mut State, place: &Place, guard: TermId, address_only: bool) -> Result<Location> {
        let types = &self.program.types;
        let known = |object: usize, executor: &Executor| (executor.memory.objects[object].base, Rc::new(vec![object]));
        let (base, objects, ty, is_known) = match &place.base {
            Base::Global(id) => {
                let (base, objects) = known(self.points_to.global(*id), self);
                (self.terms.constant(base), objects, Some(self.program.global(*id).ty), true)
            }
            Base::Local(id) => {
                let (base, objects) = known(self.points_to.local(self.function, *id), self);
                let ty = self.program.function(self.function).locals[id.0 as usize].ty;
                (self.terms.constant(base), objects, Some(ty), true)
            }
            Base::Deref(pointer) => {
                let address = self.eval(state, pointer, guard)?;
                (address, self.targets(pointer), types.pointee(pointer.ty), false)
            }
        };
        let length = |ty: TypeId| match types.get(ty) {
            Type::Array(_, count) => Some(*count),
            _ => None,
        };
        let kind = self.pointer_kind();
        let (mut address, mut bits, mut checked) = (base, None, is_known);
        let mut room = ty.and_then(length);
        for (position, projection) in place.projections.iter().enumerate() {
            match projection {
                Projection::Field(record, index) => {
                    let record = types.record(*record);
                    let field = &record.fields[*index as usize];
                    let offset = self.terms.constant(i128::from(field.offset));
                    address = self.terms.binary(Op::Add, address, offset, kind);
                    bits = field.bits;
                    let trailing = *index as usize + 1 == record.fields.len();
                    room = if trailing { None } else { length(field.ty) };
                }
                Projection::Index(index, element) => {
                    let mut value = self.eval(state, index, guard)?;
                    let last = address_only && position + 1 == place.projections.len();
                    match room {
                        Some(room) => {
                            let most = self.terms.constant(i128::from(room) + i128::from(last));
                            let zero = self.terms.constant(0);
                            let above = self.terms.less_or_equal(zero, value);
                            let below = self.terms.less(value, most);
                            let fine = self.terms.and(above, below);
                            self.must(state, guard, fine, FailureKind::Memory);
                            value = self.terms.bounded(value, 0, i128::from(room) + i128::from(last) - 1);
                        }
                        None => checked = false,
                    }
                    let size = self.terms.constant(i128::from(types.size(*element)));
                    let offset = self.terms.binary(Op::Mul, value, size, Kind { bits: 66, signed: true });
                    address = self.terms.binary(Op::Add, address, offset, kind);
                    room = length(*element);
                }
            }
        }
        Ok(Location { address, objects, bits, checked })
    }

    // ---- expressions ----

    /// The value as a truth value.
    fn condition(&mut self, state: &mut State, expr: &Expr, guard: TermId) -> Result<TermId> {
        let value = self.eval(state, expr, guard)?;
        self.truth_of(value, expr.ty)
    }

    fn truth_of(&mut self, value: TermId, ty: TypeId) -> Result<TermId> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            // Not zero: neither of the two zeros.
            let bits = if kind == FloatKind::Float { 31 } else { 63 };
            let magnitude = self.terms.cast(value, Kind::unsigned(bits));
            return Ok(self.terms.is_true(magnitude));
        }
        Ok(self.terms.is_true(value))
    }

    /// A value as memory holds it: for floating point numbers, `eval` gives their bits already.
    fn raw(&mut self, value: TermId, _from: &Expr, ty: TypeId) -> TermId {
        let kind = kind_of(&self.program.types, ty);
        self.terms.cast(value, kind)
    }

    fn kind(&self, ty: TypeId) -> Kind {
        match self.program.types.int_kind(ty) {
            Some(IntKind::Bool) => Kind::BOOL,
            _ => kind_of(&self.program.types, ty),
        }
    }

    fn eval(&mut self, state: &mut State, expr: &Expr, guard: TermId) -> Result<TermId> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.terms.constant(*value)),
            ExprKind::Float(value) => {
                let bits = float_bits(self.program, expr.ty, *value);
                Ok(self.terms.constant(bits))
            }
            ExprKind::Str(id) => {
                let base = self.memory.objects[self.memory.strings + id.0 as usize].base;
                Ok(self.terms.constant(base))
            }
            ExprKind::Function(id) => {
                let set = self.points_to.value(self.function, expr);
                let object = set.iter().next().expect("a function is an object");
                debug_assert!(id.0 < u32::MAX);
                Ok(self.terms.constant(self.memory.objects[object].base))
            }
            ExprKind::Load(place) => self.load_place(state, place, guard),
            ExprKind::AddressOf(place) => Ok(self.locate(state, place, guard, true)?.address),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(state, operand, guard)?;
                self.unary(*op, value, operand.ty, expr.ty)
            }
            ExprKind::Binary(op, left, right) => self.binary(state, *op, left, right, expr.ty, guard),
            ExprKind::Cast(operand) => {
                let value = self.eval(state, operand, guard)?;
                self.convert(value, operand.ty, expr.ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(state, condition, guard)?;
                let not = self.terms.not(condition);
                let (yes, no) = (self.terms.and(guard, condition), self.terms.and(guard, not));
                if self.terms.as_constant(condition) == Some(0) {
                    return self.eval(state, otherwise, no);
                }
                if self.terms.as_constant(condition).is_some() {
                    return self.eval(state, then, yes);
                }
                let then = self.eval(state, then, yes)?;
                let otherwise = self.eval(state, otherwise, no)?;
                Ok(self.terms.choose(condition, then, otherwise))
            }
        }
    }

    /// A floating point number that is known.
    fn known_float(&self, value: TermId, ty: TypeId) -> Option<f64> {
        let bits = self.terms.as_constant(value)?;
        Some(match self.program.types.float_kind(ty)? {
            FloatKind::Float => f64::from(f32::from_bits(bits as u32)),
            FloatKind::Double | FloatKind::LongDouble => f64::from_bits(bits as u64),
        })
    }

    fn unary(&mut self, op: UnaryOp, value: TermId, from: TypeId, to: TypeId) -> Result<TermId> {
        if self.program.types.float_kind(from).is_some() {
            return match op {
                UnaryOp::Not => {
                    let truth = self.truth_of(value, from)?;
                    Ok(self.terms.not(truth))
                }
                UnaryOp::Minus => {
                    let kind = kind_of(&self.program.types, from);
                    let sign = self.terms.constant(1 << (kind.bits - 1));
                    Ok(self.terms.binary(Op::BitXor, value, sign, kind))
                }
                UnaryOp::Complement => unreachable!("an integer operator"),
            };
        }
        let kind = self.kind(to);
        Ok(match op {
            UnaryOp::Minus => {
                let zero = self.terms.constant(0);
                self.terms.binary(Op::Sub, zero, value, kind)
            }
            UnaryOp::Complement => {
                let minus_one = self.terms.constant(-1);
                self.terms.binary(Op::Sub, minus_one, value, kind)
            }
            UnaryOp::Not => {
                let truth = self.terms.is_true(value);
                self.terms.not(truth)
            }
        })
    }

    fn convert(&mut self, value: TermId, from: TypeId, to: TypeId) -> Result<TermId> {
        let types = &self.program.types;
        let (from_float, to_float) = (types.float_kind(from), types.float_kind(to));
        if from_float.is_some() || to_float.is_some() {
            if from == to {
                return Ok(value);
            }
            if types.is_void(to) {
                return Ok(value);
            }
            let known = match from_float {
                Some(_) => self.known_float(value, from).map(Value::Float),
                None => self.terms.as_constant(value).map(Value::Int),
            };
            if let Some(known) = known {
                let bits = match arithmetic::convert(types, known, to) {
                    Value::Int(value) => value,
                    Value::Float(value) => float_bits(self.program, to, value),
                };
                return Ok(self.terms.constant(bits));
            }
            if from_float.is_some() && types.int_kind(to) == Some(IntKind::Bool) {
                return self.truth_of(value, from);
            }
            return self.unsupported("the conversion of a floating point number that depends on the execution");
        }
        if types.int_kind(to) == Some(IntKind::Bool) {
            return Ok(self.terms.is_true(value));
        }
        if types.is_void(to) {
            return Ok(value);
        }
        let kind = kind_of(types, to);
        Ok(self.terms.cast(value, kind))
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        to: TypeId,
        guard: TermId,
    ) -> Result<TermId> {
        if let BinaryOp::LogicalAnd | BinaryOp::LogicalOr = op {
            let a = self.condition(state, left, guard)?;
            let needed = if op == BinaryOp::LogicalAnd { a } else { self.terms.not(a) };
            let inner = self.terms.and(guard, needed);
            if self.terms.as_constant(needed) == Some(0) {
                return Ok(a);
            }
            let b = self.condition(state, right, inner)?;
            return Ok(if op == BinaryOp::LogicalAnd { self.terms.and(a, b) } else { self.terms.or(a, b) });
        }
        let a = self.eval(state, left, guard)?;
        let b = self.eval(state, right, guard)?;
        let types = &self.program.types;
        if types.float_kind(left.ty).is_some() {
            let (Some(x), Some(y)) = (self.known_float(a, left.ty), self.known_float(b, right.ty)) else {
                return self.unsupported("arithmetic on floating point numbers that depend on the execution");
            };
            let value = arithmetic::binary(types, op, Value::Float(x), Value::Float(y), left.ty, to, 1);
            let bits = match value {
                Ok(Value::Int(value)) => value,
                Ok(Value::Float(value)) => float_bits(self.program, to, value),
                Err(_) => 0,
            };
            return Ok(self.terms.constant(bits));
        }
        let kind = self.kind(to);
        let terms = &mut self.terms;
        Ok(match op {
            BinaryOp::Add => terms.binary(Op::Add, a, b, kind),
            BinaryOp::Sub => terms.binary(Op::Sub, a, b, kind),
            BinaryOp::Mul => {
                let constant_left = terms.as_constant(a).is_some();
                if constant_left { terms.binary(Op::Mul, b, a, kind) } else { terms.binary(Op::Mul, a, b, kind) }
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = terms.constant(0);
                let by_zero = terms.equal(b, zero);
                let mut fine = terms.not(by_zero);
                if kind.signed {
                    let (least, minus_one) = (terms.constant(kind.min()), terms.constant(-1));
                    let overflows = terms.equal(a, least);
                    let negates = terms.equal(b, minus_one);
                    let overflows = terms.and(overflows, negates);
                    let fits = terms.not(overflows);
                    fine = terms.and(fine, fits);
                }
                self.must(state, guard, fine, FailureKind::DivisionByZero);
                let make = if op == BinaryOp::Div { Op::Div } else { Op::Rem };
                self.terms.binary(make, a, b, kind)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = types.size(left.ty) as i128 * 8;
                let mask = terms.constant(bits - 1);
                let count = terms.binary(Op::BitAnd, b, mask, Kind::unsigned(8));
                terms.binary(if op == BinaryOp::Shl { Op::Shl } else { Op::Shr }, a, count, kind)
            }
            BinaryOp::BitAnd => terms.binary(Op::BitAnd, a, b, kind),
            BinaryOp::BitXor => terms.binary(Op::BitXor, a, b, kind),
            BinaryOp::BitOr => terms.binary(Op::BitOr, a, b, kind),
            BinaryOp::Lt => terms.less(a, b),
            BinaryOp::Le => terms.less_or_equal(a, b),
            BinaryOp::Gt => terms.less(b, a),
            BinaryOp::Ge => terms.less_or_equal(b, a),
            BinaryOp::Eq => terms.equal(a, b),
            BinaryOp::Ne => {
                let equal = terms.equal(a, b);
                terms.not(equal)
            }
            BinaryOp::PointerAdd => {
                let size = types.pointee(left.ty).map_or(1, |to| types.size(to));
                let size = terms.constant(i128::from(size));
                let offset = terms.binary(Op::Mul, b, size, Kind { bits: 80, signed: true });
                terms.binary(Op::Add, a, offset, kind)
            }
            BinaryOp::PointerSub => {
                let size = types.pointee(left.ty).map_or(1, |to| types.size(to)).max(1);
                let size = terms.constant(i128::from(size));
                let signed = Kind { bits: types.size(left.ty) as u32 * 8, signed: true };
                let bytes = terms.binary(Op::Sub, a, b, signed);
                terms.binary(Op::Div, bytes, size, kind)
            }
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => unreachable!("handled above"),
        })
    }

    // ---- statements ----

    fn assign(&mut self, state: &mut State, to: &Place, value: &Expr) -> Result<()> {
        let guard = state.path;
        if self.program.types.is_scalar(to.ty) {
            let term = self.eval(state, value, guard)?;
            return self.store_place(state, to, term);
        }
        let ExprKind::Load(from) = &value.kind else { return self.unsupported("a value of this type") };
        let from = self.locate(state, from, guard, false)?;
        let to_place = self.locate(state, to, guard, false)?;
        let size = self.program.types.size(to.ty);
        self.copy(state, &to_place, &from, size)
    }

    /// Copies bytes, in pieces that suit the cells.
    fn copy(&mut self, state: &mut State, to: &Location, from: &Location, size: u64) -> Result<()> {
        let pieces = self.pieces(from, to, size);
        let mut values = Vec::new();
        for (offset, length) in &pieces {
            let part = self.part(from, *offset);
            let kind = Kind::unsigned(*length as u32 * 8);
            let guard = state.path;
            values.push(self.load(state, &part, *length, kind, guard)?);
        }
        for ((offset, length), value) in pieces.into_iter().zip(values) {
            let part = self.part(to, offset);
            self.store(state, &part, length, value, Kind::unsigned(length as u32 * 8))?;
        }
        Ok(())
    }

    fn part(&mut self, location: &Location, offset: u64) -> Location {
        let kind = self.pointer_kind();
        let offset = self.terms.constant(i128::from(offset));
        let address = self.terms.binary(Op::Add, location.address, offset, kind);
        Location { address, objects: location.objects.clone(), bits: None, checked: location.checked }
    }

    /// Where the cells of the objects begin and end, if it is known which these are.
    fn pieces(&self, from: &Location, to: &Location, size: u64) -> Vec<(u64, u64)> {
        let mut cuts = vec![0, size];
        for location in [from, to] {
            let range = self.terms.range(location.address);
            for (at, index) in self.memory.candidates(range, &location.objects, 1) {
                // A coarse range says nothing about where it begins.
                if matches!(range, Range::Span { .. }) && at != self.memory.objects[index].base {
                    continue;
                }
                let object = &self.memory.objects[index];
                let start = (at - object.base) as u64;
                for cell in &object.cells {
                    for edge in [cell.offset, cell.offset + cell.size] {
                        if edge > start && edge - start < size {
                            cuts.push(edge - start);
                        }
                    }
                }
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut out = Vec::new();
        for pair in cuts.windows(2) {
            let (mut start, end) = (pair[0], pair[1]);
            while start < end {
                let mut length = (end - start).min(8);
                while !length.is_power_of_two() || start % length != 0 {
                    length -= 1;
                }
                out.push((start, length));
                start += length;
            }
        }
        out
    }

    fn set_result(&mut self, state: &mut State, to: Option<&Place>, value: TermId) -> Result<()> {
        match to {
            Some(to) => {
                let kind = self.kind(to.ty);
                let value = if self.program.types.int_kind(to.ty) == Some(IntKind::Bool) {
                    self.terms.is_true(value)
                } else {
                    self.terms.cast(value, kind)
                };
                self.store_place(state, to, value)
            }
            None => Ok(()),
        }
    }

    /// A value that nobody determines.
    fn input(&mut self, state: &State, kind: Kind) -> TermId {
        let value = self.terms.input(kind);
        self.log.inputs.push(Input { step: state.current_step(), guard: state.path, value });
        value
    }

    fn any(&mut self, state: &mut State, to: &Place) -> Result<()> {
        if self.program.types.is_scalar(to.ty) {
            let kind = self.kind(to.ty);
            let value = self.input(state, kind);
            return self.store_place(state, to, value);
        }
        let guard = state.path;
        let location = self.locate(state, to, guard, false)?;
        let size = self.program.types.size(to.ty);
        for (offset, length) in self.pieces(&location, &location, size) {
            let kind = Kind::unsigned(length as u32 * 8);
            let value = self.terms.input(kind);
            let part = self.part(&location, offset);
            self.store(state, &part, length, value, kind)?;
        }
        Ok(())
    }

    fn call(
        &mut self,
        state: &mut State,
        stmt: &'p Stmt,
        to: Option<&'p Place>,
        id: FunctionId,
        args: &'p [Expr],
    ) -> Result<()> {
        let function = self.program.function(id);
        match function.kind {
            FunctionKind::Operation(operation) => self.operation(state, stmt, to, operation, args),
            FunctionKind::External => {
                for arg in args.iter().filter(|arg| self.program.types.is_scalar(arg.ty)) {
                    let guard = state.path;
                    self.eval(state, arg, guard)?;
                }
                to.map_or(Ok(()), |to| self.any(state, to))
            }
            FunctionKind::Defined | FunctionKind::Model => self.library_call(state, to, id, args),
        }
    }

    /// A function of the library that is one step: its body is executed in place.
    fn library_call(
        &mut self,
        state: &mut State,
        to: Option<&'p Place>,
        id: FunctionId,
        args: &'p [Expr],
    ) -> Result<()> {
        let function = self.program.function(id);
        let guard = state.path;
        let mut values = Vec::new();
        for arg in args.iter().take(function.params.len()) {
            values.push(self.eval(state, arg, guard)?);
        }
        let caller = std::mem::replace(&mut self.function, id);
        let span = self.span;
        for (param, value) in function.params.iter().zip(values) {
            let ty = function.locals[param.0 as usize].ty;
            let kind = self.kind(ty);
            let value = self.terms.cast(value, kind);
            self.store_place(state, &Place::local(*param, ty), value)?;
        }
        let mut returns = Vec::new();
        let entry = state.clone();
        let end = self.stub_block(&function.body, Some(entry), &mut returns)?;
        let zero = self.terms.constant(0);
        returns.extend(end.map(|state| (state, zero)));
        self.function = caller;
        self.span = span;
        let mut merged: Option<(State, TermId)> = None;
        for (next, value) in returns {
            merged = Some(match merged {
                None => (next, value),
                Some((known, other)) => {
                    let condition = next.path;
                    let value = self.terms.choose(condition, value, other);
                    (self.merge(next, known, condition), value)
                }
            });
        }
        match merged {
            Some((next, value)) => {
                *state = next;
                self.set_result(state, to, value)
            }
            None => {
                state.path = self.terms.truth(false);
                Ok(())
            }
        }
    }

    fn stub_block(&mut self, block: &'p [Stmt], mut state: Flow, returns: &mut Vec<(State, TermId)>) -> Result<Flow> {
        for stmt in block {
            let Some(mut live) = state else { return Ok(None) };
            state = match &stmt.kind {
                StmtKind::Return(value) => {
                    let guard = live.path;
                    let value = match value {
                        Some(value) => self.eval(&mut live, value, guard)?,
                        None => self.terms.constant(0),
                    };
                    returns.push((live, value));
                    None
                }
                StmtKind::If { condition, then, otherwise } => {
                    let guard = live.path;
                    let condition = self.condition(&mut live, condition, guard)?;
                    let not = self.terms.not(condition);
                    let mut other = live.clone();
                    live.path = self.terms.and(live.path, condition);
                    other.path = self.terms.and(other.path, not);
                    self.refine(&mut live, condition, true);
                    self.refine(&mut other, condition, false);
                    let (live, other) = (self.if_alive(live), self.if_alive(other));
                    let after_then = self.stub_block(then, live, returns)?;
                    let after_else = self.stub_block(otherwise, other, returns)?;
                    match (after_then, after_else) {
                        (Some(a), Some(b)) => Some(self.merge(a, b, condition)),
                        (a, b) => a.or(b),
                    }
                }
                StmtKind::Declare(_) => Some(live),
                StmtKind::Assign { to, value } => {
                    self.assign(&mut live, to, value)?;
                    self.if_alive(live)
                }
                StmtKind::Call { to, callee: Callee::Function(id), args } => {
                    self.call(&mut live, stmt, to.as_ref(), *id, args)?;
                    self.if_alive(live)
                }
                StmtKind::Call { .. }
                | StmtKind::Loop(_)
                | StmtKind::Block(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => unreachable!("a library function that stays a call has no such statement"),
            };
        }
        Ok(state)
    }

    fn operation(
        &mut self,
        state: &mut State,
        stmt: &'p Stmt,
        to: Option<&'p Place>,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let guard = state.path;
        let types = &self.program.types;
        match operation {
            Operation::Create | Operation::CreateC11 => self.create(state, to, operation, args),
            Operation::Join | Operation::JoinC11 => self.join(state, to, operation, args),
            Operation::ThreadExit => {
                // Only main gets here; other threads jump to their end.
                self.end_thread(state, None)?;
                state.path = self.terms.truth(false);
                Ok(())
            }
            Operation::ThreadSelf => {
                let me = self.terms.constant(self.thread as i128 + 1);
                self.set_result(state, to, me)
            }
            Operation::Detach | Operation::Nothing => {
                for arg in args {
                    self.eval(state, arg, guard)?;
                }
                let zero = self.terms.constant(0);
                self.set_result(state, to, zero)
            }
            Operation::AtomicBegin | Operation::AtomicEnd | Operation::AwaitSpurious => Ok(()),
            Operation::Assume | Operation::Await => {
                let condition = self.condition(state, &args[0], guard)?;
                self.require(state, condition);
                self.refine(state, condition, true);
                if self.terms.as_constant(condition) == Some(0) {
                    state.path = condition;
                }
                Ok(())
            }
            Operation::Choose => {
                let mask = self.eval(state, &args[0], guard)?;
                let kind = Kind::unsigned(64);
                let input = self.input(state, kind);
                let chosen = self.terms.binary(Op::BitAnd, input, mask, kind);
                let one = self.terms.constant(1);
                let below = self.terms.binary(Op::Sub, chosen, one, Kind { bits: 66, signed: true });
                let others = self.terms.binary(Op::BitAnd, chosen, below, kind);
                let zero = self.terms.constant(0);
                let single = self.terms.equal(others, zero);
                let some = self.terms.is_true(chosen);
                let fine = self.terms.and(single, some);
                self.require(state, fine);
                self.set_result(state, to, chosen)
            }
            Operation::Spurious => {
                let value = self.input(state, Kind::BOOL);
                self.set_result(state, to, value)
            }
            Operation::Assert => {
                let condition = self.condition(state, &args[0], guard)?;
                self.must(state, guard, condition, FailureKind::Assertion);
                Ok(())
            }
            Operation::AssertFail | Operation::ReachError | Operation::Misuse => {
                let kind = match operation {
                    Operation::AssertFail => FailureKind::Assertion,
                    Operation::ReachError => FailureKind::ErrorCall,
                    _ => FailureKind::LockMisuse,
                };
                let never = self.terms.truth(false);
                self.must(state, guard, never, kind);
                Ok(())
            }
            Operation::Abort | Operation::Unreachable => {
                let kind = if operation == Operation::Abort { FailureKind::Abort } else { FailureKind::Unreachable };
                if (self.wanted)(kind) {
                    let never = self.terms.truth(false);
                    self.must(state, guard, never, kind);
                } else {
                    self.stop(state);
                }
                Ok(())
            }
            Operation::Limit | Operation::Exit => {
                self.stop(state);
                Ok(())
            }
            Operation::Nondet => to.map_or(Ok(()), |to| self.any(state, to)),
            Operation::Malloc | Operation::Calloc | Operation::Alloca => {
                let object = self.points_to.allocation(self.function, stmt).expect("an allocation has an object");
                if allocated_size(operation, args) != Some(self.memory.objects[object].size) {
                    return self.unsupported("an allocation whose size depends on the execution");
                }
                let cells = Rc::new(self.initial_cells(object)?);
                match (self.slots.get(&object).copied(), self.memory.objects[object].home) {
                    (Some(slot), home) => {
                        state.objects[slot] = cells.clone();
                        if let Home::Shared(_) = home {
                            self.blank.insert(object, cells);
                            Rc::make_mut(&mut state.fresh).push(object);
                        }
                    }
                    // Allocated by a function of the library, for all to see.
                    (None, Home::Shared(first)) => {
                        for (index, cell) in cells.iter().enumerate() {
                            self.initial[first + index] = Some(*cell);
                        }
                    }
                    (None, Home::Private(_) | Home::Frame) => {}
                }
                let base = self.terms.constant(self.memory.objects[object].base);
                self.set_result(state, to, base)
            }
            Operation::Realloc => self.unsupported("realloc()"),
            Operation::Free => self.free(state, &args[0]),
            Operation::Memcpy | Operation::Memmove => {
                let Some(size) = args[2].as_int() else { return self.unsupported("a copy of unknown size") };
                let to_address = self.pointed(state, &args[0])?;
                let from = self.pointed(state, &args[1])?;
                let target = to_address.address;
                self.copy(state, &to_address, &from, size.clamp(0, 1 << 24) as u64)?;
                self.set_result(state, to, target)
            }
            Operation::Memset => {
                let Some(size) = args[2].as_int() else { return self.unsupported("memset() of unknown size") };
                let location = self.pointed(state, &args[0])?;
                let byte = self.eval(state, &args[1], guard)?;
                let byte = self.terms.cast(byte, Kind::unsigned(8));
                let target = location.address;
                for (offset, length) in self.pieces(&location, &location, size.clamp(0, 1 << 24) as u64) {
                    let kind = Kind::unsigned(length as u32 * 8);
                    let all = self.terms.constant((0..length).fold(0, |sum, index| sum | 1 << (8 * index)));
                    let value = self.terms.binary(Op::Mul, byte, all, kind);
                    let part = self.part(&location, offset);
                    self.store(state, &part, length, value, kind)?;
                }
                self.set_result(state, to, target)
            }
            Operation::Memcmp => {
                let Some(size) = args[2].as_int() else { return self.unsupported("memcmp() of unknown size") };
                let (left, right) = (self.pointed(state, &args[0])?, self.pointed(state, &args[1])?);
                let mut result = self.terms.constant(0);
                for offset in (0..size.clamp(0, 1 << 16) as u64).rev() {
                    let (a, b) = (self.part(&left, offset), self.part(&right, offset));
                    let a = self.load(state, &a, 1, Kind::unsigned(8), guard)?;
                    let b = self.load(state, &b, 1, Kind::unsigned(8), guard)?;
                    let difference = self.terms.binary(Op::Sub, a, b, Kind { bits: 32, signed: true });
                    let same = self.terms.equal(a, b);
                    result = self.terms.choose(same, result, difference);
                }
                self.set_result(state, to, result)
            }
            Operation::AddOverflow | Operation::SubOverflow | Operation::MulOverflow => {
                let (a, b) = (self.eval(state, &args[0], guard)?, self.eval(state, &args[1], guard)?);
                let wide = Kind { bits: 120, signed: true };
                let make = match operation {
                    Operation::AddOverflow => Op::Add,
                    Operation::SubOverflow => Op::Sub,
                    _ => Op::Mul,
                };
                if operation == Operation::MulOverflow && !self.terms.range(a).mul(self.terms.range(b)).within(wide) {
                    return self.unsupported("__builtin_mul_overflow() of such large numbers");
                }
                let exact = self.terms.binary(make, a, b, wide);
                let ty = types.pointee(args[2].ty).expect("the third argument is a pointer");
                let kind = self.kind(ty);
                let stored = self.terms.cast(exact, kind);
                let same = self.terms.equal(exact, stored);
                let overflowed = self.terms.not(same);
                let location = self.pointed(state, &args[2])?;
                self.store(state, &location, types.size(ty), stored, kind)?;
                self.set_result(state, to, overflowed)
            }
            Operation::Printf
            | Operation::Fprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Puts
            | Operation::Putchar
            | Operation::Fputs
            | Operation::Fputc => match to {
                Some(to) => {
                    let kind = self.kind(to.ty);
                    let value = self.terms.input(kind);
                    self.store_place(state, to, value)
                }
                None => Ok(()),
            },
            Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf => {
                self.unsupported("sprintf()")
            }
            Operation::ScanText => self.unsupported("sscanf()"),
            Operation::ScanInput => self.scan(state, to, &args[1..]),
            Operation::ScanStream => self.scan(state, to, &args[2..]),
        }
    }

    /// `scanf` stores any values.
    fn scan(&mut self, state: &mut State, to: Option<&'p Place>, targets: &'p [Expr]) -> Result<()> {
        for target in targets {
            let mut pointer = target;
            while let ExprKind::Cast(inner) = &pointer.kind {
                pointer = inner;
            }
            let types = &self.program.types;
            let scalar = types
                .pointee(pointer.ty)
                .filter(|ty| types.is_arithmetic(*ty) && types.int_kind(*ty) != Some(IntKind::Char));
            let Some(ty) = scalar else { return self.unsupported("scanf() of text") };
            let location = self.pointed(state, pointer)?;
            let kind = self.kind(ty);
            let value = self.input(state, kind);
            self.store(state, &location, self.program.types.size(ty), value, kind)?;
        }
        to.map_or(Ok(()), |to| self.any(state, to))
    }

    fn pointed(&mut self, state: &mut State, pointer: &Expr) -> Result<Location> {
        let guard = state.path;
        let address = self.eval(state, pointer, guard)?;
        Ok(Location { address, objects: self.targets(pointer), bits: None, checked: false })
    }

    fn create(
        &mut self,
        state: &mut State,
        to: Option<&'p Place>,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let (start, argument) = start_and_argument(operation, args);
        let ExprKind::Function(function) = start.kind else { unreachable!("a creation should name its function") };
        let thread = self.bounded.threads.iter().position(|thread| thread.function == function);
        let thread = thread.expect("a created thread should be one of the threads");
        let guard = state.path;
        let argument = self.eval(state, argument, guard)?;
        self.leak(state, argument);
        self.arguments[thread] = Some(argument);
        let location = self.pointed(state, &args[0])?;
        let ty = self.program.types.pointee(args[0].ty).expect("the first argument is a pointer");
        let id = self.terms.constant(thread as i128 + 1);
        let kind = kind_of(&self.program.types, ty);
        self.store(state, &location, self.program.types.size(ty), id, kind)?;
        let address = self.terms.constant(self.thread_cell(self.memory.created, thread));
        let yes = self.terms.truth(true);
        self.event(state, address, 1, Rc::new(vec![self.memory.created]), Action::Write(yes));
        let zero = self.terms.constant(0);
        self.set_result(state, to, zero)
    }

    fn join(&mut self, state: &mut State, to: Option<&'p Place>, operation: Operation, args: &'p [Expr]) -> Result<()> {
        let guard = state.path;
        let id = self.eval(state, &args[0], guard)?;
        let count = self.bounded.threads.len() as i128;
        let valid = self.terms.one_of(id, (1..=count).collect());
        self.must(state, guard, valid, FailureKind::ThreadMisuse);
        let kind = self.pointer_kind();
        let base = self.terms.constant(self.thread_cell(self.memory.ended, 0) - 1);
        let address = self.terms.binary(Op::Add, id, base, kind);
        let ended = self.event_read(state, address, 1, Kind::BOOL, Rc::new(vec![self.memory.ended]));
        let me = self.terms.constant(self.thread as i128 + 1);
        let own = self.terms.equal(id, me);
        let fine = self.terms.or(ended, own);
        self.require(state, fine);
        if let Some(result) = args.get(1).filter(|result| !result.is_zero()) {
            let location = self.pointed(state, result)?;
            let eight = self.terms.constant(8);
            let offset = self.terms.binary(Op::Mul, id, eight, kind);
            let base = self.terms.constant(self.thread_cell(self.memory.results, 0) - 8);
            let address = self.terms.binary(Op::Add, offset, base, kind);
            let value = self.event_read(state, address, 8, kind, Rc::new(vec![self.memory.results]));
            let (size, kind) = match operation {
                Operation::JoinC11 => (4, Kind { bits: 32, signed: true }),
                _ => (self.program.types.model.pointer_size(), kind),
            };
            let value = self.terms.cast(value, kind);
            let null = self.terms.constant(0);
            let is_null = self.terms.equal(location.address, null);
            match self.terms.as_constant(is_null) {
                Some(0) => self.store(state, &location, size, value, kind)?,
                Some(_) => {}
                None => return self.unsupported("pthread_join() with a place for the result that may be null"),
            }
        }
        let (deadlock, zero) = (self.terms.constant(35), self.terms.constant(0));
        let result = self.terms.choose(own, deadlock, zero);
        self.set_result(state, to, result)
    }

    fn free(&mut self, state: &mut State, pointer: &'p Expr) -> Result<()> {
        let location = self.pointed(state, pointer)?;
        let bases: Vec<(i128, usize)> = location
            .objects
            .iter()
            .filter(|index| self.memory.objects[**index].freed)
            .filter(|index| matches!(self.points_to.objects.get(**index), Some(Pointed::Heap(..))))
            .filter(|index| !matches!(self.memory.objects[**index].home, Home::Private(owner) if owner != self.thread))
            .map(|index| (self.memory.objects[*index].base, *index))
            .filter(|(base, _)| self.terms.range(location.address).contains(*base))
            .collect();
        let mut valid: Vec<i128> = bases.iter().map(|(base, _)| *base).collect();
        valid.push(0);
        valid.sort_unstable();
        let valid = self.terms.one_of(location.address, valid);
        let guard = state.path;
        self.must(state, guard, valid, FailureKind::Memory);
        let shared: Vec<usize> = bases
            .iter()
            .map(|(_, index)| *index)
            .filter(|index| matches!(self.memory.objects[*index].home, Home::Shared(_)) && !state.fresh.contains(index))
            .collect();
        for (base, index) in bases.iter().filter(|(_, index)| !shared.contains(index)) {
            let base = self.terms.constant(*base);
            let here = self.terms.equal(location.address, base);
            let before = state.freed.iter().find(|(object, _)| object == index).map(|(_, freed)| *freed);
            let before = before.unwrap_or_else(|| self.terms.truth(false));
            let twice = self.terms.and(here, before);
            let once = self.terms.not(twice);
            let guard = state.path;
            self.must(state, guard, once, FailureKind::Memory);
            let freed = self.terms.or(before, here);
            let list = Rc::make_mut(&mut state.freed);
            list.retain(|(object, _)| object != index);
            list.push((*index, freed));
            list.sort_unstable();
        }
        if !shared.is_empty() {
            let shared = Rc::new(shared);
            let freed = self.terms.read(self.reads, Kind::BOOL);
            self.reads += 1;
            self.event(state, location.address, 1, shared.clone(), Action::ReadFreed(freed));
            let mut starts: Vec<i128> = shared.iter().map(|index| self.memory.objects[*index].base).collect();
            starts.sort_unstable();
            let inside = self.terms.one_of(location.address, starts);
            let twice = self.terms.and(inside, freed);
            let once = self.terms.not(twice);
            let guard = state.path;
            self.must(state, guard, once, FailureKind::Memory);
            self.event(state, location.address, 1, shared, Action::Free);
        }
        Ok(())
    }
}

/// A floating point number as memory holds it.
fn float_bits(program: &Program, ty: TypeId, value: f64) -> i128 {
    match program.types.float_kind(ty) {
        Some(FloatKind::Float) => i128::from((value as f32).to_bits()),
        _ => i128::from(value.to_bits()),
    }
}
