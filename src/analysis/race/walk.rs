//! Walks all threads of a program without executing it, and notes every access to shared memory: which locks are surely
//! held there, whether it stands in an atomic section, and which other threads may be alive.
//!
//! Calls are followed with what is known of their arguments, each function once per situation. Where ways meet, only
//! what holds on both is kept; a loop is walked until nothing changes. `main` knows which threads exist: those that it
//! created and has not joined.

use super::value::{Name, Part, Protection, Value, protection};
use crate::analysis::points_to::{Object, ObjectId, PointsTo, Set, start_and_argument};
use crate::analysis::sharing::{Root, Sharing, operation_pointers, roots};
use crate::diagnostic::Span;
use crate::il::{
    AccessKind, Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, LabelId, LocalId, ObjectAction,
    Operation, Place, Program, Projection, StatementId, Stmt, StmtKind, UnaryOp, arithmetic, printed_texts, uncast,
    walk,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An access to memory that threads share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The kind of thread that makes it, by its number.
    pub root: usize,
    pub span: Span,
    pub write: bool,
    pub atomic: bool,
    /// What a function of the thread library does to its object.
    pub does: Option<ObjectAction>,
    /// What it may touch, in order; anything if there is none.
    pub objects: Rc<Vec<ObjectId>>,
    /// Always the same bytes of one object.
    pub exact: Option<(ObjectId, i64, i64)>,
    pub part: Option<Part>,
    /// The locks that are surely held, and whether others may hold them at the same time.
    pub locks: Vec<(Protection, bool)>,
    /// For `main`: the kinds of threads that may be alive.
    pub alive: Option<Rc<Vec<usize>>>,
}

/// What the walk found out.
pub struct Walked {
    pub accesses: Vec<Access>,
    /// For every two kinds of threads beside `main`: may both be alive? A kind beside itself: two threads of it.
    pub together: Vec<Vec<bool>>,
    /// Locks that are made new while others run.
    pub reset: FxHashSet<ObjectId>,
    /// Where threads are joined that surely can be: each is one that `main` created and did not join before.
    pub right_joins: FxHashSet<Span>,
}

/// More statements are not walked: the program is too large for this.
const MOST_STATEMENTS: usize = 3_000_000;
const DEEPEST: usize = 60;
/// Loops that create or join threads are walked so often, one iteration after the other, and with this part of the
/// statements that are left.
const MOST_ITERATIONS: usize = 20_000;
const UNROLLED_PART: usize = 4;

/// `None` if the program is too large. `stable`: global variables that nobody writes while there are several threads;
/// `broken`: locks that protect nothing.
pub fn walk_all(
    program: &Program,
    points_to: &PointsTo,
    sharing: &Sharing,
    stable: &FxHashSet<ObjectId>,
    broken: &FxHashSet<ObjectId>,
) -> Option<Walked> {
    let roots = roots(program, points_to);
    let count = roots.len();
    let mut walker = Walker {
        program,
        points_to,
        sharing,
        stable,
        taken: taken_addresses(program),
        families: families(program, points_to, &roots),
        roots,
        root: 0,
        accesses: FxHashSet::default(),
        together: vec![vec![false; count]; count],
        known: FxHashMap::default(),
        stack: Vec::new(),
        does: None,
        spans: Vec::new(),
        left: MOST_STATEMENTS,
        ids: stable_ids(program, points_to),
        reset: FxHashSet::default(),
        broken,
        joins: FxHashMap::default(),
        others_join: false,
    };
    for root in 0..count {
        walker.root = root;
        walker.known.clear();
        let function = walker.roots[root].function;
        let params = program.function(function).params.len();
        let args = (0..params).map(|index| Value::named(Name::Made(StatementId(u32::MAX), index as u32))).collect();
        let state = State { alive: (root == 0).then(BTreeMap::new), ..State::default() };
        walker.call(function, args, state);
        // What runs at the end of threads and of the process.
        for hook in [program.thread_end, program.at_exit].into_iter().flatten() {
            let alive = (root == 0).then(|| (1..count).map(|other| (other, None)).collect());
            walker.call(hook, Vec::new(), State { alive, ..State::default() });
        }
    }
    if walker.left == 0 {
        return None;
    }
    let mut accesses: Vec<Access> = walker.accesses.into_iter().collect();
    accesses.sort_by_key(|access| (access.span, access.root, access.write, access.atomic));
    let right = walker.joins.iter().filter(|(_, right)| **right && !walker.others_join);
    let right_joins = right.map(|(span, _)| *span).collect();
    Some(Walked { accesses, together: walker.together, reset: walker.reset, right_joins })
}

/// The variables that hold the ids of threads: object and offset.
type Ids = Option<Places>;

/// What is known where control is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    /// Locks that are surely held, and whether others may hold them too.
    locks: Vec<(Value, bool)>,
    /// Nesting of atomic sections.
    sections: u32,
    /// In `main`: kinds of threads that may be alive, with the variables that hold their ids, one thread each; none if
    /// that is not known of all.
    alive: Option<BTreeMap<usize, Ids>>,
    /// Allocations that nobody else knows of yet.
    fresh: Vec<Name>,
    /// In `main`: variables that surely hold the id of a thread that was created with them, and that can still be joined.
    joinable: Places,
}

/// Variables in order; many states share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Places(Rc<Vec<(ObjectId, i64)>>);

impl Places {
    fn insert(&mut self, place: (ObjectId, i64)) {
        if let Err(at) = self.0.binary_search(&place) {
            Rc::make_mut(&mut self.0).insert(at, place);
        }
    }

    fn remove(&mut self, place: &(ObjectId, i64)) -> bool {
        let found = self.0.binary_search(place);
        found.is_ok_and(|at| *place == Rc::make_mut(&mut self.0).remove(at))
    }

    fn retain(&mut self, keep: impl Fn(&(ObjectId, i64)) -> bool) {
        if !self.0.iter().all(&keep) {
            Rc::make_mut(&mut self.0).retain(keep);
        }
    }

    fn keep_common(&mut self, other: &Places) {
        if !Rc::ptr_eq(&self.0, &other.0) {
            self.retain(|place| other.0.binary_search(place).is_ok());
        }
    }
}

/// The variables of one call, and the results of trying to lock.
#[derive(Clone, Debug, Default, PartialEq)]
struct Locals {
    values: BTreeMap<LocalId, Value>,
    tried: Vec<(LocalId, Value, bool)>,
}

type Flow = Option<(State, Locals)>;

struct Walker<'a> {
    program: &'a Program,
    points_to: &'a PointsTo<'a>,
    sharing: &'a Sharing<'a>,
    stable: &'a FxHashSet<ObjectId>,
    /// Locals whose address is taken: their values are not followed.
    taken: FxHashSet<(FunctionId, LocalId)>,
    roots: Vec<Root>,
    /// Each kind of thread with all that it may create.
    families: Vec<Vec<usize>>,
    root: usize,
    accesses: FxHashSet<Access>,
    together: Vec<Vec<bool>>,
    /// What a call in a situation leads to.
    known: FxHashMap<Situation, (Option<State>, Option<Value>)>,
    stack: Vec<FunctionId>,
    /// Where the user's functions call others.
    /// What the function of the thread library does whose object is looked at.
    does: Option<ObjectAction>,
    spans: Vec<Span>,
    left: usize,
    /// Variables that only creating threads writes.
    ids: FxHashSet<ObjectId>,
    /// Locks that are made new while others run, as far as this walk has found out, and as far as is known.
    reset: FxHashSet<ObjectId>,
    broken: &'a FxHashSet<ObjectId>,
    /// Where `main` joins threads, and whether that was right in every situation.
    joins: FxHashMap<Span, bool>,
    /// Threads other than `main` create, join or detach some.
    others_join: bool,
}

/// A function, its arguments, what is known where it is called, and, for the library, where that is.
type Situation = (FunctionId, Vec<Value>, State, Span);

struct Frame {
    function: FunctionId,
    labels: FxHashMap<LabelId, Flow>,
    /// Where the loop at hand is left, and where it goes on.
    breaks: Vec<Flow>,
    continues: Vec<Flow>,
    returns: Flow,
    result: Option<Option<Value>>,
}

impl<'a> Walker<'a> {
    fn call(&mut self, function: FunctionId, args: Vec<Value>, state: State) -> (Option<State>, Option<Value>) {
        let recursive = self.stack.contains(&function) || self.stack.len() > DEEPEST;
        let (args, state) = if recursive {
            // Whatever the arguments, with no lock, and any thread.
            let alive = state.alive.map(|_| (1..self.roots.len()).map(|other| (other, None)).collect());
            (Vec::new(), State { alive, ..State::default() })
        } else {
            (args, state)
        };
        let model = matches!(self.program.function(function).kind, FunctionKind::Model);
        let key = (function, args, state, if model { self.user_span() } else { Span::default() });
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let (_, args, state, _) = key.clone();
        // Until it is known better, which in a recursion is never.
        let nothing = State { alive: state.alive.clone(), ..State::default() };
        if recursive {
            self.known.insert(key.clone(), (Some(nothing), None));
        }
        self.stack.push(function);
        let body = self.program.function(function);
        let mut locals = Locals::default();
        for (index, param) in body.params.iter().enumerate() {
            if !self.taken.contains(&(function, *param)) {
                let unknown = || Value::named(Name::Made(StatementId(u32::MAX - 1 - function.0), index as u32));
                locals.values.insert(*param, args.get(index).cloned().unwrap_or_else(unknown));
            }
        }
        let mut frame = Frame {
            function,
            labels: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            returns: None,
            result: None,
        };
        let mut start = state;
        start.sections += u32::from(body.atomic);
        let end = self.block(&body.body, Some((start, locals)), &mut frame);
        let end = meet(end, frame.returns.take());
        self.stack.pop();
        let after = end.map(|(mut state, _)| {
            state.sections = state.sections.saturating_sub(u32::from(body.atomic));
            state
        });
        let result = (after, frame.result.flatten());
        // A recursion is left as it was supposed to be.
        self.known.entry(key).or_insert(result).clone()
    }

    fn block(&mut self, block: &'a [Stmt], mut flow: Flow, frame: &mut Frame) -> Flow {
        for stmt in block {
            flow = self.statement(stmt, flow, frame);
        }
        flow
    }

    fn statement(&mut self, stmt: &'a Stmt, flow: Flow, frame: &mut Frame) -> Flow {
        if let StmtKind::Label(label) = &stmt.kind {
            return meet(flow, frame.labels.get(label).cloned().flatten());
        }
        let Some((mut state, mut locals)) = flow else {
            // Labels inside may be jumped to.
            return match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    let then = self.block(then, None, frame);
                    let otherwise = self.block(otherwise, None, frame);
                    meet(then, otherwise)
                }
                StmtKind::Loop(body) => self.repeat(body, None, frame),
                StmtKind::Block(body) => self.block(body, None, frame),
                _ => None,
            };
        };
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return None;
        }
        self.note(stmt, &state, &locals, frame.function);
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no) = self.learn(condition, &state, &locals);
                let known = self.value(frame.function, condition, &locals).and_then(|value| value.as_number());
                // Labels inside may be jumped to, even if control does not come there by itself.
                let then = self.block(then, (known != Some(0)).then(|| (yes, locals.clone())), frame);
                let otherwise =
                    self.block(otherwise, known.is_none_or(|known| known == 0).then_some((no, locals)), frame);
                return meet(then, otherwise);
            }
            StmtKind::Loop(body) => return self.repeat(body, Some((state, locals)), frame),
            StmtKind::Block(body) => return self.block(body, Some((state, locals)), frame),
            StmtKind::Break => {
                join(frame.breaks.last_mut(), Some((state, locals)));
                return None;
            }
            StmtKind::Continue => {
                join(frame.continues.last_mut(), Some((state, locals)));
                return None;
            }
            StmtKind::Goto(label) => {
                join(Some(frame.labels.entry(*label).or_default()), Some((state, locals)));
                return None;
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().and_then(|value| self.value(frame.function, value, &locals));
                frame.result = match frame.result.take() {
                    None => Some(value),
                    Some(known) => Some(known.filter(|known| Some(known) == value.as_ref())),
                };
                join(Some(&mut frame.returns), Some((state, locals)));
                return None;
            }
            StmtKind::Assign { to, value } => {
                let made = Name::Made(stmt.id, 0);
                forget(made, &mut state, &mut locals);
                let known = self.value(frame.function, value, &locals);
                // A value that is not followed any further may be a copy of the address.
                if known.is_none() || self.register(frame.function, to).is_none() {
                    self.leak(value, &mut state, (frame.function, &locals));
                }
                let value = known.unwrap_or_else(|| Value::named(made));
                if self.register(frame.function, to).is_none() {
                    let objects = self.points_to.place_objects(frame.function, to);
                    for object in objects.iter().filter(|object| self.stable.contains(object)) {
                        let of = |value: &Value| {
                            value
                                .terms
                                .iter()
                                .any(|(name, _)| matches!(name, Name::Stable(other, _) if *other == object))
                        };
                        state.locks.retain(|(lock, _)| !of(lock));
                        locals.values.retain(|_, value| !of(value));
                    }
                }
                self.set(frame.function, to, value, &mut locals);
            }
            StmtKind::Call { to, callee, args } => {
                return self.called(stmt, (to.as_ref(), callee, args), (state, locals), frame.function);
            }
            StmtKind::Declare(local) => {
                locals.values.remove(local);
                let new = Object::Local(frame.function, *local);
                state.joinable.retain(|(object, _)| self.points_to.objects[*object] != new);
            }
            StmtKind::VaStart(to) | StmtKind::VaArg { to, .. } | StmtKind::VaCopy { to, .. } | StmtKind::VaEnd(to) => {
                let made = Name::Made(stmt.id, 0);
                forget(made, &mut state, &mut locals);
                self.set(frame.function, to, Value::named(made), &mut locals);
            }
            StmtKind::Label(_) => unreachable!("handled above"),
        }
        Some((state, locals))
    }

    /// A loop of `main` that creates or joins threads, one iteration after the other as long as numbers that are known
    /// decide how often: only so can be told which threads are alive after it. `None` if they do not.
    fn each_iteration(&mut self, body: &'a [Stmt], flow: &Flow, frame: &mut Frame) -> Option<Flow> {
        let (state, _) = flow.as_ref()?;
        if state.alive.is_none() || !self.counts_threads(body) {
            return None;
        }
        let (mut at, mut left) = (flow.clone(), None);
        let enough = self.left - self.left / UNROLLED_PART;
        for _ in 0..MOST_ITERATIONS {
            let numbers = |(_, locals): &(State, Locals)| -> Vec<(LocalId, i64)> {
                locals.values.iter().filter_map(|(local, value)| Some((*local, value.as_number()?))).collect()
            };
            let before = at.as_ref().map(numbers);
            // Nobody else has the state, so that thousands of ids need not be copied.
            let (end, broken) = self.iteration(body, at.take(), frame);
            left = meet(left, broken);
            let Some(after) = &end else { return Some(left) };
            if before == Some(numbers(after)) || self.left < enough {
                return None;
            }
            at = end;
        }
        None
    }

    /// Where control is after the body of a loop, and after what breaks out of it.
    fn iteration(&mut self, body: &'a [Stmt], start: Flow, frame: &mut Frame) -> (Flow, Flow) {
        frame.breaks.push(None);
        frame.continues.push(None);
        let end = self.block(body, start, frame);
        let (left, again) = (frame.breaks.pop().flatten(), frame.continues.pop().flatten());
        (meet(end, again), left)
    }

    fn counts_threads(&self, body: &[Stmt]) -> bool {
        let mut counts = false;
        for stmt in body {
            walk::statements(std::slice::from_ref(stmt), &mut |stmt| {
                let StmtKind::Call { callee, .. } = &stmt.kind else { return };
                use Operation::{Create, CreateC11, Join, JoinC11};
                counts |= matches!(self.program.operation(callee), Some(Create | CreateC11 | Join | JoinC11));
            });
        }
        counts
    }

    /// A loop, until nothing changes: what holds at its beginning becomes less with every walk.
    fn repeat(&mut self, body: &'a [Stmt], flow: Flow, frame: &mut Frame) -> Flow {
        if let Some(left) = self.each_iteration(body, &flow, frame) {
            return left;
        }
        let mut start = flow;
        loop {
            let (end, left) = self.iteration(body, start.clone(), frame);
            let next = meet(start.clone(), end);
            if next == start || self.left == 0 {
                return left;
            }
            start = next;
        }
    }

    // ---- values ----

    /// A local whose value is followed.
    fn register(&self, function: FunctionId, place: &Place) -> Option<LocalId> {
        match place.base {
            Base::Local(id) if place.projections.is_empty() && !self.taken.contains(&(function, id)) => Some(id),
            _ => None,
        }
    }

    fn set(&self, function: FunctionId, to: &Place, value: Value, locals: &mut Locals) {
        if let Some(local) = self.register(function, to) {
            locals.tried.retain(|(other, ..)| *other != local);
            locals.values.insert(local, value);
        }
    }

    fn value(&self, function: FunctionId, expr: &Expr, locals: &Locals) -> Option<Value> {
        let value = self.exact_value(function, expr, locals)?;
        // Numbers are those of their type, which may be narrower than what was computed.
        match value.as_number() {
            Some(number) => {
                let number = arithmetic::Value::Int(i128::from(number));
                let arithmetic::Value::Int(number) = arithmetic::convert(&self.program.types, number, expr.ty) else {
                    return None;
                };
                Some(Value::number(i64::try_from(number).ok()?))
            }
            None => Some(value),
        }
    }

    fn exact_value(&self, function: FunctionId, expr: &Expr, locals: &Locals) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Value::number(i64::try_from(*value).ok()?)),
            ExprKind::Load(place) => match self.register(function, place) {
                Some(local) => locals.values.get(&local).cloned(),
                None => {
                    let at = self.address(function, place, locals)?;
                    let stable = at.is_fixed() && at.base.is_some_and(|base| self.stable.contains(&base));
                    stable.then(|| Value::named(Name::Stable(at.base.unwrap_or_default(), at.offset)))
                }
            },
            ExprKind::AddressOf(place) => self.address(function, place, locals),
            // A narrower number is another one.
            ExprKind::Cast(inner) => {
                let types = &self.program.types;
                let value = self.value(function, inner, locals)?;
                let keeps =
                    types.size(expr.ty) >= types.size(inner.ty) || value.terms.is_empty() && value.base.is_none();
                keeps.then_some(value)
            }
            ExprKind::Binary(BinaryOp::PointerAdd, left, right) => {
                let element = self.program.types.size(self.program.types.pointee(left.ty)?) as i64;
                let (left, right) = (self.value(function, left, locals)?, self.value(function, right, locals)?);
                left.add(&right, element)
            }
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                self.value(function, left, locals)?.add(&self.value(function, right, locals)?, 1)
            }
            ExprKind::Binary(BinaryOp::Sub, left, right) => {
                let right = self.value(function, right, locals)?;
                (right.base.is_none()).then(|| self.value(function, left, locals)?.add(&right, -1)).flatten()
            }
            ExprKind::Binary(op, left, right) => {
                let number = |expr: &Expr| self.value(function, expr, locals)?.as_number();
                let (left, right) = (number(left)?, number(right)?);
                let holds = match op {
                    BinaryOp::Lt => left < right,
                    BinaryOp::Le => left <= right,
                    BinaryOp::Gt => left > right,
                    BinaryOp::Ge => left >= right,
                    BinaryOp::Eq => left == right,
                    BinaryOp::Ne => left != right,
                    _ => return None,
                };
                Some(Value::number(i64::from(holds)))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let number = self.value(function, inner, locals)?.as_number()?;
                Some(Value::number(i64::from(number == 0)))
            }
            ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Function(_)
            | ExprKind::Unary(UnaryOp::Minus | UnaryOp::Complement, _)
            | ExprKind::Conditional(..) => None,
        }
    }

    fn address(&self, function: FunctionId, place: &Place, locals: &Locals) -> Option<Value> {
        let mut address = match &place.base {
            Base::Global(id) if !self.program.global(*id).thread_local => Value::object(self.points_to.global(*id)),
            // `main` has its variables once.
            Base::Local(id) if function == self.program.main => Value::object(self.points_to.local(function, *id)),
            Base::Global(_) | Base::Local(_) => return None,
            Base::Deref(pointer) => self.value(function, pointer, locals)?,
        };
        let types = &self.program.types;
        for projection in &place.projections {
            address = match projection {
                Projection::Field(record, index) => {
                    address.plus(types.record(*record).fields[*index as usize].offset as i64)
                }
                Projection::Index(index, element) => {
                    let index = self.value(function, index, locals)?;
                    address.add(&index, types.size(*element) as i64)?
                }
            };
        }
        Some(address)
    }

    // ---- accesses ----

    /// Notes what a statement itself accesses.
    fn note(&mut self, stmt: &'a Stmt, state: &State, locals: &Locals, function: FunctionId) {
        let mut places: Vec<(&Place, bool)> = Vec::new();
        walk::accesses(stmt, &mut |place, write| places.push((place, write)));
        for (place, write) in places {
            let model = matches!(place.base, Base::Global(id) if self.program.global(id).model);
            if model || !self.sharing.is_shared(function, place) {
                continue;
            }
            let address = self.address(function, place, locals);
            let atomic = matches!(place.access, AccessKind::Atomic(_)) || state.sections > place.access.own_sections();
            let (bytes, part) = self.bytes(place);
            let address = address.map(|address| address.plus(-(bytes.0 as i64)));
            let objects = self.points_to.place_objects(function, place);
            self.add(stmt, state, (&objects, address, bytes.1, part), (write, atomic));
        }
        let pointers = operation_pointers(self.program, stmt);
        for (list, write) in [(pointers.written, true), (pointers.read, false)] {
            for pointer in list.into_iter().filter(|pointer| !pointer.is_zero()) {
                self.note_pointer(stmt, pointer, (state, locals), function, (write, state.sections > 0));
            }
        }
        if let StmtKind::Call { callee, args, .. } = &stmt.kind
            && let Some(operation) = self.program.operation(callee)
        {
            for index in printed_texts(&self.program.strings, operation, args) {
                self.note_pointer(stmt, &args[index], (state, locals), function, (false, state.sections > 0));
            }
        }
    }

    /// What is accessed through a pointer, as far as it goes.
    fn note_pointer(
        &mut self,
        stmt: &Stmt,
        pointer: &Expr,
        (state, locals): (&State, &Locals),
        function: FunctionId,
        how: (bool, bool),
    ) {
        if self.sharing.points_to_shared(function, pointer) {
            let objects = self.points_to.value(function, pointer);
            let address = self.value(function, pointer, locals).filter(|value| !value.terms.is_empty());
            self.add(stmt, state, (&objects, address, 0, None), how);
        }
    }

    /// How many bytes before the place itself count, how many in all, and which part of a structure they are.
    fn bytes(&self, place: &Place) -> ((u64, u64), Option<Part>) {
        let types = &self.program.types;
        let mut size = types.size(place.ty);
        let (mut before, mut inside, mut whole) = (0, 0, None);
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let field = &types.record(*record).fields[*index as usize];
                    if field.bits.is_some() {
                        let (first, end) = types.bit_field_run(*record, *index);
                        (before, size) = (field.offset - first, end - first);
                    }
                    // Members of a union lie in the same place.
                    whole.get_or_insert((*record, types.record(*record).union));
                    inside += field.offset;
                }
                Projection::Index(index, element) => {
                    whole.get_or_insert((crate::il::RecordId(u32::MAX), true));
                    match index.as_int() {
                        Some(index) => inside += index.max(0) as u64 * types.size(*element),
                        None => return ((before, size), None),
                    }
                }
            }
        }
        let part = whole.filter(|(_, union)| !union).map(|(record, _)| {
            let from = inside - before;
            Part { record, from, to: from + size }
        });
        ((before, size), part)
    }

    fn add(
        &mut self,
        stmt: &Stmt,
        state: &State,
        (objects, address, size, part): (&Set, Option<Value>, u64, Option<Part>),
        (write, atomic): (bool, bool),
    ) {
        if address.as_ref().is_some_and(|address| state.fresh.iter().any(|name| address.mentions(*name))) {
            return;
        }
        let alive = state.alive.as_ref().map(|alive| Rc::new(alive.keys().copied().collect::<Vec<usize>>()));
        if alive.as_ref().is_some_and(|alive| alive.is_empty()) {
            return;
        }
        let exact = address.as_ref().filter(|address| address.is_fixed() && size > 0);
        let exact = exact.and_then(|address| Some((address.base?, address.offset, address.offset + size as i64)));
        let mut locks: Vec<(Protection, bool)> = state
            .locks
            .iter()
            .filter_map(|(lock, shared)| Some((protection(address.as_ref(), size, lock)?, *shared)))
            .collect();
        locks.sort_unstable();
        locks.dedup();
        self.accesses.insert(Access {
            root: self.root,
            span: if stmt.span == Span::default() { self.user_span() } else { stmt.span },
            write,
            atomic,
            does: self.does,
            objects: Rc::new(objects.iter().collect()),
            exact,
            part,
            locks,
            alive,
        });
    }

    /// Where the user called the library function at hand.
    fn user_span(&self) -> Span {
        self.spans.last().copied().unwrap_or_default()
    }

    // ---- calls ----

    fn called(
        &mut self,
        stmt: &'a Stmt,
        (to, callee, args): (Option<&'a Place>, &'a Callee, &'a [Expr]),
        (mut state, mut locals): (State, Locals),
        function: FunctionId,
    ) -> Flow {
        let made = Name::Made(stmt.id, 0);
        for index in 0..=args.len() {
            forget(Name::Made(stmt.id, index as u32), &mut state, &mut locals);
        }
        if let Some(operation) = self.program.operation(callee) {
            let goes_on = self.operation(stmt, (operation, args), (&mut state, &locals), function);
            if let Some(to) = to {
                self.set(function, to, Value::named(made), &mut locals);
            }
            return goes_on.then_some((state, locals));
        }
        let values: Vec<Value> = args
            .iter()
            .enumerate()
            .map(|(index, arg)| {
                let unknown = || Value::named(Name::Made(stmt.id, index as u32 + 1));
                self.value(function, arg, &locals).unwrap_or_else(unknown)
            })
            .collect();
        let mut after: Flow = None;
        for target in self.points_to.callees(function, callee) {
            let one = self.one_call(stmt, target, (args, &values), (state.clone(), locals.clone()), (to, function));
            after = meet(after, one);
        }
        after
    }

    fn one_call(
        &mut self,
        stmt: &'a Stmt,
        target: FunctionId,
        (args, values): (&'a [Expr], &[Value]),
        (mut state, mut locals): (State, Locals),
        (to, function): (Option<&'a Place>, FunctionId),
    ) -> Flow {
        let called = self.program.function(target);
        let made = Name::Made(stmt.id, 0);
        let mut result = None;
        match (called.does, &called.kind) {
            (Some(action), _) => {
                let tried = self.library(stmt, (target, action), args, (&mut state, &locals), function);
                if action == ObjectAction::Unlocks {
                    // What trying it gave back says nothing any more of who holds it.
                    locals.tried.clear();
                }
                if let Some(to) = to {
                    self.set(function, to, Value::named(made), &mut locals);
                    if let (Some((lock, shared)), Some(local)) = (tried, self.register(function, to)) {
                        locals.tried.push((local, lock, shared));
                    }
                }
                return Some((state, locals));
            }
            (None, FunctionKind::Defined | FunctionKind::Model) => {
                let before = state.clone();
                if stmt.span != Span::default() {
                    self.spans.push(stmt.span);
                }
                let (after, returned) = self.call(target, values.to_vec(), state);
                if stmt.span != Span::default() {
                    self.spans.pop();
                }
                state = after?;
                // It may have given back what was tried before.
                locals.tried.clear();
                // What the function named for itself means nothing here, but for an allocation that it returns.
                let returned = returned.filter(|_| to.is_some());
                let given = |name: &Name| {
                    matches!(name, Name::Stable(..))
                        || values.iter().any(|value| value.mentions(*name))
                        || before.locks.iter().any(|(lock, _)| lock.mentions(*name))
                        || before.fresh.contains(name)
                };
                state.locks.retain(|(lock, _)| lock.terms.iter().all(|(name, _)| given(name)));
                let own = match returned.as_ref().map(|value| &value.terms[..]) {
                    Some([(name, 1)]) if state.fresh.contains(name) && !given(name) => Some(*name),
                    _ => None,
                };
                state.fresh.retain(|name| given(name));
                if own.is_some() {
                    state.fresh.push(made);
                }
                result = returned.filter(|value| value.terms.iter().all(|(name, _)| given(name)));
            }
            (None, FunctionKind::Operation(operation)) => {
                if !self.operation(stmt, (*operation, args), (&mut state, &locals), function) {
                    return None;
                }
            }
            (None, FunctionKind::External) => {
                args.iter().for_each(|arg| self.leak(arg, &mut state, (function, &locals)))
            }
        }
        if let Some(to) = to {
            self.set(function, to, result.unwrap_or_else(|| Value::named(made)), &mut locals);
        }
        Some((state, locals))
    }

    /// An operation; false if the thread does not go on after it.
    fn operation(
        &mut self,
        stmt: &Stmt,
        (operation, args): (Operation, &[Expr]),
        (state, locals): (&mut State, &Locals),
        function: FunctionId,
    ) -> bool {
        use Operation::{Create, CreateC11, Detach, Join, JoinC11};
        if matches!(operation, Create | CreateC11 | Join | JoinC11 | Detach) && state.alive.is_none() {
            self.others_join = true;
        }
        match operation {
            Operation::AtomicBegin => state.sections += 1,
            Operation::AtomicEnd => state.sections = state.sections.saturating_sub(1),
            Operation::Create | Operation::CreateC11 => {
                let (start, argument) = start_and_argument(operation, args);
                self.leak(argument, state, (function, locals));
                let place = match &uncast(&args[0]).kind {
                    ExprKind::AddressOf(place) => self.address(function, place, locals),
                    _ => None,
                };
                let place = place.filter(|place| place.is_fixed()).and_then(|place| Some((place.base?, place.offset)));
                let place = place.filter(|(object, _)| self.ids.contains(object));
                for target in self.points_to.functions_in(&self.points_to.value(function, start)) {
                    self.create(target, place, state);
                }
                let detached = operation == Create && uncast(&args[1]).as_int() != Some(0);
                match place {
                    Some(place) if detached => {
                        state.joinable.remove(&place);
                    }
                    Some(place) => state.joinable.insert(place),
                    // It may be written to any of them.
                    None => state.joinable = Places::default(),
                }
            }
            Operation::Join | Operation::JoinC11 => {
                let joined = match &uncast(&args[0]).kind {
                    ExprKind::Load(place) => match self.register(function, place) {
                        // The id was read before.
                        Some(_) => self.value(function, &args[0], locals).and_then(|value| match value.terms[..] {
                            [(Name::Stable(object, at), 1)] if value.offset == 0 => Some((object, at)),
                            _ => None,
                        }),
                        None => self
                            .address(function, place, locals)
                            .filter(Value::is_fixed)
                            .and_then(|address| Some((address.base?, address.offset))),
                    },
                    _ => None,
                };
                if let (Some(alive), Some(joined)) = (&mut state.alive, joined) {
                    alive.values_mut().flatten().for_each(|places| {
                        places.remove(&joined);
                    });
                    alive.retain(|_, places| places.as_ref().is_none_or(|places| !places.0.is_empty()));
                }
                let right = joined.is_some_and(|joined| state.joinable.remove(&joined));
                if !right {
                    state.joinable = Places::default();
                }
                *self.joins.entry(stmt.span).or_insert(true) &= right && stmt.span != Span::default();
            }
            Operation::Detach => state.joinable = Places::default(),
            Operation::Malloc | Operation::Calloc => state.fresh.push(Name::Made(stmt.id, 0)),
            Operation::Free | Operation::Memset => {}
            Operation::ThreadExit | Operation::Exit | Operation::Abort | Operation::Unreachable => return false,
            Operation::AssertFail | Operation::ReachError | Operation::Misuse | Operation::Limit => return false,
            Operation::WrongCall => return false,
            Operation::Realloc
            | Operation::Alloca
            | Operation::ThreadSelf
            | Operation::Assume
            | Operation::Await
            | Operation::AwaitSpurious
            | Operation::Choose
            | Operation::Assert
            | Operation::Spurious
            | Operation::Nondet
            | Operation::Memcpy
            | Operation::Memmove
            | Operation::Memcmp
            | Operation::Math
            | Operation::AddOverflow
            | Operation::SubOverflow
            | Operation::MulOverflow
            | Operation::Printf
            | Operation::Fprintf
            | Operation::Sprintf
            | Operation::Snprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Vsprintf
            | Operation::Vsnprintf
            | Operation::Puts
            | Operation::Putchar
            | Operation::Fputs
            | Operation::Fputc
            | Operation::ScanText
            | Operation::ScanStream
            | Operation::ScanInput
            | Operation::Fence
            | Operation::Nothing => args.iter().for_each(|arg| self.leak(arg, state, (function, locals))),
        }
        // A copy of memory may copy pointers.
        if let Operation::Memcpy | Operation::Memmove | Operation::Realloc = operation {
            state.fresh.clear();
        }
        true
    }

    /// A thread begins: it may run beside all that are alive, and what it creates may too.
    fn create(&mut self, start: FunctionId, place: Option<(ObjectId, i64)>, state: &mut State) {
        let Some(root) = self.roots.iter().position(|root| root.function == start) else { return };
        let family = self.families[root].clone();
        let Some(alive) = &mut state.alive else {
            // Created by another thread than `main`: beside everybody, and beside its like.
            for one in &family {
                for other in 0..self.roots.len() {
                    (self.together[*one][other], self.together[other][*one]) = (true, true);
                }
            }
            return;
        };
        for one in &family {
            for other in alive.keys().copied().chain(family.iter().copied().filter(|other| other != one)) {
                (self.together[*one][other], self.together[other][*one]) = (true, true);
            }
        }
        // The variable holds the id of the new thread from now on.
        for places in alive.values_mut() {
            let held = |places: &Places| place.is_some_and(|place| places.0.binary_search(&place).is_ok());
            if places.as_ref().is_some_and(held) {
                *places = None;
            }
        }
        for one in family {
            let new = place.filter(|_| one == root);
            let places = alive.entry(one).or_insert_with(|| Some(Places::default()));
            *places = match (places.take(), new) {
                (Some(mut places), Some(new)) => {
                    places.insert(new);
                    Some(places)
                }
                _ => None,
            };
        }
    }

    /// A function of the thread library: what it does to locks. The lock that was tried, if it may fail.
    fn library(
        &mut self,
        stmt: &'a Stmt,
        (target, action): (FunctionId, ObjectAction),
        args: &'a [Expr],
        (state, locals): (&mut State, &Locals),
        function: FunctionId,
    ) -> Option<(Value, bool)> {
        let object = args.first()?;
        // The library accesses its objects atomically.
        self.does = Some(action);
        self.note_pointer(stmt, object, (state, locals), function, (true, true));
        self.does = None;
        // What it reads or stores for its caller is not (`sem_getvalue`).
        let types = &self.program.types;
        let params = self.program.function(target).params.iter().zip(args).skip(1);
        for (param, arg) in params {
            let to = types.pointee(self.program.function(target).locals[param.0 as usize].ty);
            if to.is_some_and(|to| types.is_scalar(types.unqualified(to))) {
                self.note_pointer(stmt, arg, (state, locals), function, (true, false));
            }
        }
        let objects = self.points_to.value(function, object);
        let broken = objects.is_empty() || objects.iter().any(|object| self.broken.contains(&object));
        let lock = self.value(function, object, locals).filter(|_| !broken || action == ObjectAction::Unlocks);
        match action {
            ObjectAction::Locks | ObjectAction::LocksShared => {
                let shared = action == ObjectAction::LocksShared;
                if let Some(lock) = lock {
                    hold(lock, shared, state);
                }
            }
            ObjectAction::Tries => return lock.map(|lock| (lock, false)),
            ObjectAction::TriesShared => return lock.map(|lock| (lock, true)),
            ObjectAction::Unlocks => {
                state.locks.retain(|(held, _)| match (&lock, held.base.filter(|_| held.is_fixed())) {
                    (Some(lock), _) if lock == held => false,
                    // Two variables are two locks.
                    (Some(lock), Some(_)) if lock.is_fixed() => true,
                    (_, Some(base)) => !objects.is_empty() && !objects.contains(base),
                    (_, None) => false,
                });
            }
            // Who makes a lock new while others run takes it away from whoever holds it.
            ObjectAction::Initializes | ObjectAction::Prepares => {
                let alone = state.alive.as_ref().is_some_and(BTreeMap::is_empty);
                let own = lock.is_some_and(|lock| state.fresh.iter().any(|name| lock.mentions(*name)));
                if !alone && !own {
                    self.reset.extend(objects.iter());
                }
            }
            ObjectAction::Waits
            | ObjectAction::Signals
            | ObjectAction::Broadcasts
            | ObjectAction::Sleeps
            | ObjectAction::Uses
            | ObjectAction::UsesPrepared => {}
        }
        None
    }

    /// What a condition says about locks that were tried: the states where it holds, and where it does not.
    fn learn(&self, condition: &Expr, state: &State, locals: &Locals) -> (State, State) {
        let (mut yes, mut no) = (state.clone(), state.clone());
        let (tested, zero_if) = match &uncast(condition).kind {
            ExprKind::Unary(UnaryOp::Not, inner) => (&**inner, true),
            ExprKind::Binary(BinaryOp::Eq, left, right) if right.is_zero() => (&**left, true),
            ExprKind::Binary(BinaryOp::Ne, left, right) if right.is_zero() => (&**left, false),
            _ => (condition, false),
        };
        if let ExprKind::Load(place) = &uncast(tested).kind
            && let Base::Local(local) = place.base
            && place.projections.is_empty()
            && let Some((_, lock, shared)) = locals.tried.iter().find(|(tried, ..)| *tried == local)
        {
            hold(lock.clone(), *shared, if zero_if { &mut yes } else { &mut no });
        }
        (yes, no)
    }

    /// Others may know of allocations that an expression mentions.
    fn leak(&self, expr: &Expr, state: &mut State, (function, locals): (FunctionId, &Locals)) {
        if state.fresh.is_empty() {
            return;
        }
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind
                && let Some(local) = self.register(function, place)
                && let Some(value) = locals.values.get(&local)
            {
                state.fresh.retain(|name| !value.mentions(*name));
            }
        });
    }
}

fn hold(lock: Value, shared: bool, state: &mut State) {
    match state.locks.iter_mut().find(|(held, _)| *held == lock) {
        Some(held) => held.1 &= shared,
        None => state.locks.push((lock, shared)),
    }
    state.locks.sort_unstable();
}

/// The name is given to another value now.
fn forget(name: Name, state: &mut State, locals: &mut Locals) {
    state.locks.retain(|(lock, _)| !lock.mentions(name));
    state.fresh.retain(|fresh| *fresh != name);
    locals.values.retain(|_, value| !value.mentions(name));
    locals.tried.retain(|(_, lock, _)| !lock.mentions(name));
}

fn join(known: Option<&mut Flow>, new: Flow) {
    if let Some(known) = known {
        *known = meet(known.take(), new);
    }
}

/// What holds on both ways.
fn meet(a: Flow, b: Flow) -> Flow {
    let ((mut state, mut locals), (other, others)) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.or(b),
    };
    let shared = |lock: &Value| other.locks.iter().find(|(held, _)| held == lock).map(|(_, shared)| *shared);
    state.locks.retain_mut(|(lock, own)| {
        let theirs = shared(lock);
        *own |= theirs.unwrap_or(false);
        theirs.is_some()
    });
    state.sections = state.sections.min(other.sections);
    state.fresh.retain(|name| other.fresh.contains(name));
    state.joinable.keep_common(&other.joinable);
    if let (Some(alive), Some(theirs)) = (&mut state.alive, other.alive) {
        for (root, places) in theirs {
            let known = alive.entry(root).or_insert_with(|| Some(Places::default()));
            *known = match (known.take(), places) {
                (Some(mut own), Some(theirs)) => {
                    theirs.0.iter().for_each(|place| own.insert(*place));
                    Some(own)
                }
                _ => None,
            };
        }
    }
    locals.values.retain(|local, value| others.values.get(local) == Some(value));
    locals.tried.retain(|tried| others.tried.contains(tried));
    Some((state, locals))
}

fn taken_addresses(program: &Program) -> FxHashSet<(FunctionId, LocalId)> {
    let mut taken = FxHashSet::default();
    for (index, function) in program.functions.iter().enumerate() {
        let mut look = |expr: &Expr| {
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::AddressOf(place) = &inner.kind
                    && let Base::Local(id) = place.base
                {
                    taken.insert((FunctionId(index as u32), id));
                }
            });
        };
        walk::statements(&function.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }
    taken
}

/// Each kind of thread, with all kinds that it may create, directly and indirectly.
fn families(program: &Program, points_to: &PointsTo, roots: &[Root]) -> Vec<Vec<usize>> {
    let mut creates: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            let list = creates.entry(id).or_default();
            match program.operation(callee) {
                Some(operation @ (Operation::Create | Operation::CreateC11)) => {
                    let start = points_to.value(id, start_and_argument(operation, args).0);
                    list.extend(points_to.functions_in(&start));
                }
                _ => list.extend(points_to.callees(id, callee)),
            }
        });
    }
    let family = |root: &Root| {
        let mut seen = FxHashSet::default();
        let mut work = vec![root.function];
        while let Some(function) = work.pop() {
            if seen.insert(function) {
                work.extend(creates.get(&function).into_iter().flatten());
            }
        }
        let own = |other: &(usize, &Root)| other.1.function == root.function || seen.contains(&other.1.function);
        roots.iter().enumerate().filter(own).map(|(index, _)| index).collect()
    };
    roots.iter().map(family).collect()
}

/// Variables that hold ids of threads and that nothing but creating threads writes.
fn stable_ids(program: &Program, points_to: &PointsTo) -> FxHashSet<ObjectId> {
    let (mut created, mut written) = (Set::default(), Set::default());
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            walk::accesses(stmt, &mut |place, write| {
                if write {
                    written.union(&points_to.place_objects(id, place));
                }
            });
            let pointers = operation_pointers(program, stmt);
            let creates = match &stmt.kind {
                StmtKind::Call { callee, .. } => {
                    matches!(program.operation(callee), Some(Operation::Create | Operation::CreateC11))
                }
                _ => false,
            };
            for pointer in pointers.written {
                let list = if creates { &mut created } else { &mut written };
                list.union(&points_to.value(id, pointer));
            }
        });
    }
    let variable = |object: &ObjectId| match points_to.objects[*object] {
        Object::Global(_) => true,
        Object::Local(function, _) => function == program.main,
        Object::Function(_) | Object::Heap(..) => false,
    };
    created.iter().filter(|object| !written.contains(*object)).filter(variable).collect()
}
