//! Which steps are visible: a context switch is simulated before these, and only these.
//!
//! Everything after this costs by the number of visible steps, and everything before it relies on none being missing,
//! so this is where soundness is won or lost. The statements from one switch to the next are one *step*: all engines
//! take it as a whole or not at all. A statement needs no switch before it if nobody can tell the difference:
//! - it touches only memory that no thread which may be alive then touches in a way that matters (thread-private,
//!   only read, not shared yet, not shared any more); a thread that was joined is not alive any more;
//! - it stands inside an atomic section;
//! - it is the first visible statement of its thread: before it, the thread has done nothing that others could see;
//! - it creates a thread: doing that earlier allows everything that doing it later does;
//! - it touches only memory that this thread allocated and no other knows of yet.
//!
//! "Taken as a whole or not at all" is the trap. A thread may never get to the end of a step: it waits for good, an
//! assumption is false, the process is over, an operation is undefined. In
//!
//! ```c
//! void *t(void *p) { x = 1; pthread_mutex_lock(&own); x = 0; return 0; }     // `own` is held by t itself: for good
//! int main(void) { pthread_create(&h, 0, t, 0); assert(x == 0); return 0; }
//! ```
//! nobody but `t` touches `own`, so locking it does not matter to others and would need no switch. Merged into the
//! step of `x = 1` it would make that step one that cannot be taken, and the failing assertion would be lost. So every
//! statement at which a thread may stop closes the step before it (`close_step`) if something was changed in it. Steps
//! that only read need not be closed: nobody sees whether they were taken. What may stop:
//! - waiting (a library function that may wait, a join), `assume`, and what may be undefined;
//! - `exit` and `abort`, which stop the others as well: they are always steps of their own, as the end of `main` is;
//! - an atomic section with one of these in it: a section that cannot be taken to its end is not entered, so that the
//!   step is closed where it begins. Its beginning comes before its content, so the walk is repeated until nothing
//!   new is found out about sections ([`Section`]): each walk may make a section a step of its own, which closes the
//!   steps before it and changes what a later section has to close.
//!
//! A step is one stretch of text, because the formula counts steps by the text: where ways come together that have begun
//! different steps, what follows is a step of its own.

use super::stubs::parameter_of;
use super::{Bounded, LimitError};
use crate::analysis::points_to::{ObjectId, PointsTo, Set, points_to, start_and_argument};
use crate::analysis::sharing::operation_pointers;
use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Span};
use crate::il::{
    Base, BinaryOp, Buffering, Callee, Expr, ExprKind, FunctionId, FunctionKind, GlobalId, LabelId, LocalId, Operation,
    Place, Program, Projection, StatementId, Stmt, StmtKind, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of threads.
type Threads = Set;

pub fn mark(bounded: &mut Bounded, budget: &Budget) -> Result<(), LimitError> {
    add_starts(bounded);
    walk::number(&mut bounded.program);
    let program = bounded.program.clone();
    let points_to = points_to(&program);
    let mut sharing = Sharing::new(bounded, &program, &points_to);
    let waits_are_steps = bounded.options.property.waits_are_steps();
    for thread in 0..bounded.threads.len() {
        super::go_on(budget)?;
        sharing.collect(thread);
    }
    for thread in 0..bounded.threads.len() {
        super::go_on(budget)?;
        let flags = Marker::new(&sharing, thread, waits_are_steps).mark()?;
        let function = bounded.threads[thread].function;
        let mut flags = flags.into_iter();
        let mut steps = 0;
        let mut body = std::mem::take(&mut bounded.program.functions[function.0 as usize].body);
        walk::statements_mut(&mut body, &mut |stmt| {
            stmt.visible = flags.next().expect("one flag per statement");
            steps += u32::from(stmt.visible);
        });
        bounded.program.functions[function.0 as usize].body = body;
        bounded.threads[thread].steps = steps;
    }
    // Inside stubs there are no switches.
    for (index, function) in bounded.program.functions.iter_mut().enumerate() {
        if !bounded.threads.iter().any(|thread| thread.function.0 as usize == index) {
            walk::statements_mut(&mut function.body, &mut |stmt| stmt.visible = false);
        }
    }
    Ok(())
}

/// The statements that access memory which other threads access at the same time, by their numbers.
pub fn seen(bounded: &Bounded, buffering: Buffering, budget: &Budget) -> Result<FxHashSet<StatementId>, LimitError> {
    let points_to = points_to(&bounded.program);
    let mut sharing = Sharing::new(bounded, &bounded.program, &points_to);
    // What only its thread knows of may be known to others before all that was written there has reached memory.
    sharing.published_late = buffering == Buffering::Pso;
    let mut seen = FxHashSet::default();
    for thread in 0..bounded.threads.len() {
        super::go_on(budget)?;
        sharing.collect(thread);
    }
    for thread in 0..bounded.threads.len() {
        super::go_on(budget)?;
        let mut marker = Marker::new(&sharing, thread, false);
        marker.seen = Some(&mut seen);
        marker.mark()?;
    }
    Ok(seen)
}

/// The objects that each thread touches, directly or through the library.
pub fn touched(bounded: &Bounded, points_to: &PointsTo) -> Vec<Set> {
    let sharing = Sharing::new(bounded, &bounded.program, points_to);
    let mut all = Vec::new();
    for thread in &bounded.threads {
        let mut touched = Set::default();
        walk::statements(&bounded.program.function(thread.function).body, &mut |stmt| {
            touched.union(&sharing.access(thread.function, stmt, &Fresh::default()).touched);
        });
        all.push(touched);
    }
    all
}

/// Every thread begins with a step of its own, so that it can be scheduled before it has done anything.
fn add_starts(bounded: &mut Bounded) {
    let program = &mut bounded.program;
    let nothing = crate::il::operation::declare_named(
        &mut program.functions,
        &mut program.types,
        Operation::Nothing,
        "__unthread_start",
    );
    for thread in &bounded.threads {
        let function = &mut program.functions[thread.function.0 as usize];
        let kind = StmtKind::Call { to: None, callee: Callee::Function(nothing), args: Vec::new() };
        function.body.insert(0, Stmt::new(kind, function.span));
    }
}

/// What a statement touches.
#[derive(Clone, Default)]
struct Access {
    touched: Set,
    written: Set,
    /// Through a pointer of unknown origin.
    unknown: bool,
}

/// What a stub touches, by itself and through its parameters.
#[derive(Clone, Default)]
struct Summary {
    own: Access,
    waits: bool,
    /// The thread may go no further than this.
    stops: bool,
    touched_parameters: Vec<usize>,
    written_parameters: Vec<usize>,
}

/// What a thread has allocated and kept to itself so far.
#[derive(Clone, Default, PartialEq)]
struct Fresh {
    objects: Vec<ObjectId>,
    /// Locals that hold the address of exactly this object.
    holders: Vec<(LocalId, ObjectId)>,
    /// Variables of this thread alone that hold the id of a thread.
    ids: Vec<(Place, usize)>,
}

impl Fresh {
    /// The object that a pointer certainly points into.
    fn exact(&self, pointer: &Expr) -> Option<ObjectId> {
        match &pointer.kind {
            ExprKind::Load(place) => match (&place.base, place.projections.is_empty()) {
                (Base::Local(id), true) => {
                    self.holders.iter().find(|(local, _)| local == id).map(|(_, object)| *object)
                }
                _ => None,
            },
            ExprKind::Cast(inner) => self.exact(inner),
            ExprKind::AddressOf(place) => match &place.base {
                Base::Deref(pointer) => self.exact(pointer),
                Base::Global(_) | Base::Local(_) => None,
            },
            _ => None,
        }
    }

    fn join(&self, other: &Fresh) -> Fresh {
        Fresh {
            objects: self.objects.iter().copied().filter(|object| other.objects.contains(object)).collect(),
            holders: self.holders.iter().copied().filter(|holder| other.holders.contains(holder)).collect(),
            ids: self.ids.iter().filter(|id| other.ids.contains(id)).cloned().collect(),
        }
    }
}

struct Sharing<'p> {
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    functions: Vec<FunctionId>,
    thread_of: FxHashMap<FunctionId, usize>,
    /// Each thread with all that it creates, directly and indirectly.
    families: Vec<Threads>,
    /// Objects that some pointer points to.
    pointed: Set,
    /// For variables whose address is kept nowhere: the only function that mentions them, if there is only one.
    own_globals: FxHashMap<GlobalId, Option<FunctionId>>,
    summaries: FxHashMap<FunctionId, Summary>,
    /// For each object and thread: who may be alive when it is touched, and when it is written.
    uses: FxHashMap<ObjectId, Vec<(Threads, Threads)>>,
    errors_close_steps: bool,
    published_late: bool,
}

impl<'p> Sharing<'p> {
    fn new(bounded: &Bounded, program: &'p Program, points_to: &'p PointsTo<'p>) -> Sharing<'p> {
        let functions: Vec<FunctionId> = bounded.threads.iter().map(|thread| thread.function).collect();
        let alone = |thread: usize| {
            let mut family = Threads::default();
            family.insert(thread);
            family
        };
        let mut families: Vec<Threads> = (0..functions.len()).map(alone).collect();
        // Parents come before their children.
        for thread in (1..functions.len()).rev() {
            let parent = bounded.threads[thread].parent;
            let children = families[thread].clone();
            families[parent].union(&children);
        }
        let mut pointed = Set::default();
        for object in 0..points_to.objects.len() {
            pointed.union(points_to.content(object));
        }
        let mut own_globals: FxHashMap<GlobalId, Option<FunctionId>> = FxHashMap::default();
        for (index, function) in program.functions.iter().enumerate() {
            let function_id = FunctionId(index as u32);
            let mut mentioned = Vec::new();
            walk::mentions(&function.body, &mut mentioned, &mut Vec::new());
            for id in mentioned {
                let known = own_globals.entry(id).or_insert(Some(function_id));
                if *known != Some(function_id) || pointed.contains(points_to.global(id)) {
                    *known = None;
                }
            }
        }
        let thread_of = functions.iter().enumerate().map(|(thread, function)| (*function, thread)).collect();
        let mut sharing = Sharing {
            program,
            points_to,
            functions,
            thread_of,
            families,
            pointed,
            own_globals,
            summaries: FxHashMap::default(),
            uses: FxHashMap::default(),
            errors_close_steps: bounded.options.errors_close_steps,
            published_late: false,
        };
        for (index, function) in program.functions.iter().enumerate() {
            if matches!(function.kind, FunctionKind::Model) {
                sharing.summarize(FunctionId(index as u32));
            }
        }
        sharing
    }

    fn everybody_but(&self, thread: usize) -> Threads {
        let mut others = Threads::default();
        for other in (0..self.functions.len()).filter(|other| !self.families[thread].contains(*other)) {
            others.insert(other);
        }
        others
    }

    fn summarize(&mut self, id: FunctionId) -> Summary {
        if let Some(known) = self.summaries.get(&id) {
            return known.clone();
        }
        self.summaries.insert(id, Summary::default());
        let program = self.program;
        let function = program.function(id);
        let mut summary = Summary::default();
        let mut stubs = Vec::new();
        walk::statements(&function.body, &mut |stmt| {
            let mut touch = |place: &Place, writes: bool| match &place.base {
                Base::Local(_) => {}
                Base::Deref(pointer) => match parameter_of(function, pointer) {
                    Some(parameter) if writes => summary.written_parameters.push(parameter),
                    Some(parameter) => summary.touched_parameters.push(parameter),
                    None => note(&mut summary.own, self.points_to, id, place, writes),
                },
                Base::Global(_) => note(&mut summary.own, self.points_to, id, place, writes),
            };
            each_access(stmt, &mut touch);
            summary.waits |= waits(program, stmt);
            summary.stops |= stops(program, stmt);
            if let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind
                && matches!(program.function(*callee).kind, FunctionKind::Model)
            {
                stubs.push((*callee, args));
            }
        });
        for (callee, args) in stubs {
            let inner = self.summarize(callee);
            join(&mut summary.own, &inner.own);
            summary.waits |= inner.waits;
            summary.stops |= inner.stops;
            let mut pass = |parameters: &[usize], writes: bool| {
                for parameter in parameters {
                    match args.get(*parameter).map(|arg| (parameter_of(function, arg), arg)) {
                        Some((Some(own), _)) if writes => summary.written_parameters.push(own),
                        Some((Some(own), _)) => summary.touched_parameters.push(own),
                        Some((None, arg)) => note_pointer(&mut summary.own, self.points_to, id, arg, writes),
                        None => {}
                    }
                }
            };
            pass(&inner.touched_parameters, false);
            pass(&inner.written_parameters, true);
        }
        self.summaries.insert(id, summary.clone());
        summary
    }

    /// What a statement touches, but for what only its thread knows of.
    fn access(&self, function: FunctionId, stmt: &Stmt, fresh: &Fresh) -> Access {
        let mut access = Access::default();
        each_access(stmt, &mut |place, writes| {
            if let Base::Local(id) = place.base
                && self.is_register(function, id)
            {
                return;
            }
            if let Base::Deref(pointer) = &place.base
                && !self.published_late
                && fresh.exact(pointer).is_some_and(|object| fresh.objects.contains(&object))
            {
                return;
            }
            note(&mut access, self.points_to, function, place, writes);
        });
        let pointers = operation_pointers(self.program, stmt);
        for (pointers, writes) in [(&pointers.written, true), (&pointers.read, false)] {
            for pointer in pointers.iter().filter(|pointer| !pointer.is_zero()) {
                note_pointer(&mut access, self.points_to, function, pointer, writes);
            }
        }
        if let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind
            && let Some(summary) = self.summaries.get(callee)
        {
            join(&mut access, &summary.own);
            for (parameters, writes) in [(&summary.touched_parameters, false), (&summary.written_parameters, true)] {
                for arg in parameters.iter().filter_map(|parameter| args.get(*parameter)) {
                    note_pointer(&mut access, self.points_to, function, arg, writes);
                }
            }
        }
        access
    }

    /// May the thread have to wait in this statement?
    fn may_wait(&self, stmt: &Stmt) -> bool {
        waits(self.program, stmt) || self.stub(stmt).is_some_and(|summary| summary.waits)
    }

    /// May the thread go no further than this statement, in some execution?
    fn may_stop(&self, stmt: &Stmt, fresh: &Fresh) -> bool {
        stops(self.program, stmt)
            || self.stub(stmt).is_some_and(|summary| summary.stops)
            || may_fail(stmt, fresh)
            || (self.errors_close_steps && self.may_end(stmt))
    }

    /// May the thread end here by an error of whatever kind?
    fn may_end(&self, stmt: &Stmt) -> bool {
        let mut may = self.stub(stmt).is_some();
        if let StmtKind::Call { callee, .. } = &stmt.kind {
            may |= matches!(
                self.program.operation(callee),
                Some(
                    Operation::Misuse
                        | Operation::Assert
                        | Operation::AssertFail
                        | Operation::ReachError
                        | Operation::Detach
                        | Operation::Free
                        | Operation::Realloc
                        | Operation::Memcpy
                        | Operation::Memmove
                        | Operation::Memset
                        | Operation::Memcmp
                )
            );
        }
        walk::accesses(stmt, &mut |place, _| may |= !constant_place(place));
        may
    }

    /// What is known of the library function that the statement calls.
    fn stub(&self, stmt: &Stmt) -> Option<&Summary> {
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(callee), .. } => self.summaries.get(callee),
            _ => None,
        }
    }

    /// Nobody can have its address.
    fn is_register(&self, function: FunctionId, id: LocalId) -> bool {
        !self.pointed.contains(self.points_to.local(function, id))
    }

    /// Nobody but this function can write it.
    fn is_own(&self, function: FunctionId, base: &Base) -> bool {
        match base {
            Base::Local(id) => self.is_register(function, *id),
            Base::Global(id) => self.own_globals.get(id) == Some(&Some(function)),
            Base::Deref(_) => false,
        }
    }

    /// The thread that has ended where this statement is done.
    fn joined(&self, fresh: &Fresh, stmt: &Stmt) -> Option<usize> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return None };
        let Some(Operation::Join | Operation::JoinC11) = self.program.operation(callee) else { return None };
        let ExprKind::Load(place) = &args[0].kind else { return None };
        fresh.ids.iter().find(|(id, _)| *id == **place).map(|(_, thread)| *thread)
    }

    /// Follows which allocations only this thread knows of, and which threads it knows.
    fn advance(&self, fresh: &mut Fresh, function: FunctionId, stmt: &Stmt) {
        if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind {
            fresh.ids.retain(|(id, _)| id.base != to.base);
        }
        if let StmtKind::Call { args, .. } = &stmt.kind {
            // What is handed over by its address may be written.
            for arg in args {
                walk::expressions(arg, &mut |inner| {
                    if let ExprKind::AddressOf(place) = &inner.kind {
                        fresh.ids.retain(|(id, _)| {
                            id.base != place.base || (constant_place(place) && constant_place(id) && id != &**place)
                        });
                    }
                });
            }
            if let (Some(child), Some(id)) = (self.created(stmt), args.first())
                && let ExprKind::AddressOf(place) = &id.kind
                && constant_place(place)
                && self.is_own(function, &place.base)
            {
                fresh.ids.push(((**place).clone(), child));
            }
        }
        let register = |place: &Place| match place.base {
            Base::Local(id) if self.is_register(function, id) => Some((id, place.projections.is_empty())),
            _ => None,
        };
        let leak = |fresh: &mut Fresh, value: &Expr| match fresh.exact(value) {
            Some(object) => fresh.objects.retain(|other| *other != object),
            None => {
                let set = self.points_to.value(function, value);
                fresh.objects.retain(|object| !set.contains(*object));
            }
        };
        match &stmt.kind {
            StmtKind::Assign { to, value } => {
                let held = fresh.exact(value);
                match register(to) {
                    Some((id, whole)) => {
                        fresh.holders.retain(|(local, _)| *local != id);
                        if let (Some(object), true) = (held, whole) {
                            fresh.holders.push((id, object));
                        }
                    }
                    None => leak(fresh, value),
                }
            }
            StmtKind::Call { to, callee, args } => {
                let operation = self.program.operation(callee);
                let keeps = matches!(
                    operation,
                    Some(
                        Operation::Assert
                            | Operation::Assume
                            | Operation::Await
                            | Operation::AwaitSpurious
                            | Operation::Free
                            | Operation::Memset
                            | Operation::Malloc
                            | Operation::Calloc
                    )
                );
                if !keeps {
                    args.iter().for_each(|arg| leak(fresh, arg));
                }
                // A copy of memory may copy pointers.
                if let Some(Operation::Memcpy | Operation::Memmove | Operation::Realloc) = operation {
                    fresh.objects.clear();
                }
                let made = match operation {
                    Some(Operation::Malloc | Operation::Calloc) => self.points_to.allocation(stmt),
                    _ => None,
                };
                if let Some(to) = to {
                    match register(to) {
                        Some((id, whole)) => {
                            fresh.holders.retain(|(local, _)| *local != id);
                            if let (Some(object), true) = (made, whole) {
                                fresh.objects.retain(|other| *other != object);
                                fresh.objects.push(object);
                                fresh.holders.push((id, object));
                            }
                        }
                        None => fresh.objects.retain(|object| made != Some(*object)),
                    }
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    leak(fresh, value);
                }
            }
            StmtKind::Declare(id) => fresh.holders.retain(|(local, _)| local != id),
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_) => {}
            StmtKind::VaStart(_) | StmtKind::VaArg { .. } | StmtKind::VaCopy { .. } | StmtKind::VaEnd(_) => {
                *fresh = Fresh::default();
            }
        }
    }

    /// Notes who may be alive at every access of a thread.
    fn collect(&mut self, thread: usize) {
        let mut noted: Vec<(ObjectId, Threads, bool)> = Vec::new();
        let function = self.functions[thread];
        let mut walker = Alive { sharing: self, function, labels: FxHashMap::default() };
        let start = (self.everybody_but(thread), Fresh::default());
        walker.block(&self.program.function(function).body, Some(start), &mut |stmt, alive, fresh| {
            let access = self.access(function, stmt, fresh);
            noted.extend(access.touched.iter().map(|object| (object, alive.clone(), false)));
            noted.extend(access.written.iter().map(|object| (object, alive.clone(), true)));
        });
        let count = self.functions.len();
        for (object, alive, writes) in noted {
            let uses = &mut self.uses.entry(object).or_insert_with(|| vec![Default::default(); count])[thread];
            uses.0.union(&alive);
            if writes {
                uses.1.union(&alive);
            }
        }
    }

    /// Can another thread that may be alive notice this access, or disturb it?
    fn matters(&self, thread: usize, access: &Access, alive: &Threads) -> bool {
        if alive.is_empty() {
            return false;
        }
        let disturbed = |object: ObjectId, writes: bool| {
            let Some(uses) = self.uses.get(&object) else { return false };
            uses.iter().enumerate().any(|(other, (touched, written))| {
                other != thread && alive.contains(other) && (if writes { touched } else { written }).contains(thread)
            })
        };
        access.unknown
            || access.touched.iter().any(|object| disturbed(object, false))
            || access.written.iter().any(|object| disturbed(object, true))
    }

    fn created(&self, stmt: &Stmt) -> Option<usize> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return None };
        let operation = self.program.operation(callee)?;
        match operation {
            Operation::Create | Operation::CreateC11 => match start_and_argument(operation, args).0.kind {
                ExprKind::Function(id) => self.thread_of.get(&id).copied(),
                _ => None,
            },
            _ => None,
        }
    }
}

fn waits(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
    matches!(program.operation(callee), Some(Operation::Await | Operation::AwaitSpurious))
}

/// Is it a statement that a thread may never get past: for good, or for as long as others let it wait?
fn stops(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
    matches!(
        program.operation(callee),
        Some(
            Operation::Assume
                | Operation::Await
                | Operation::AwaitSpurious
                | Operation::Join
                | Operation::JoinC11
                | Operation::Exit
                | Operation::Abort
                | Operation::Unreachable
                | Operation::Limit
                | Operation::WrongCall
        )
    )
}

/// May the statement be undefined? A division by what may be zero, a pointer that may point nowhere.
fn may_fail(stmt: &Stmt, fresh: &Fresh) -> bool {
    let mut may = false;
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| match &inner.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                may |= divisor.as_int().is_none_or(|value| value == 0);
            }
            ExprKind::Load(place) => may |= points_anywhere(place, fresh),
            _ => {}
        });
    };
    walk::uses(stmt, &mut |used| match used {
        walk::Use::Expr(expr) => look(expr),
        walk::Use::Target(place) => walk::place_expressions(place, &mut look),
    });
    if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind {
        may |= points_anywhere(to, fresh);
    }
    may
}

fn points_anywhere(place: &Place, fresh: &Fresh) -> bool {
    matches!(&place.base, Base::Deref(pointer) if fresh.exact(pointer).is_none())
}

/// Is it always the same variable, member or element?
fn constant_place(place: &Place) -> bool {
    !matches!(place.base, Base::Deref(_))
        && place.projections.iter().all(|projection| match projection {
            Projection::Field(..) => true,
            Projection::Index(index, _) => index.as_int().is_some(),
        })
}

fn each_access(stmt: &Stmt, touch: &mut impl FnMut(&Place, bool)) {
    let mut written = Vec::new();
    let mut reads = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind {
                touch(place, false);
            }
        });
    };
    walk::uses(stmt, &mut |used| match used {
        walk::Use::Expr(expr) => reads(expr),
        walk::Use::Target(place) => {
            walk::place_expressions(place, &mut |expr| {
                if let ExprKind::Load(place) = &expr.kind {
                    touch_later(&mut written, place, false);
                }
            });
            touch_later(&mut written, place, true);
        }
    });
    for (place, writes) in written {
        touch(place, writes);
    }
}

fn touch_later<'p>(list: &mut Vec<(&'p Place, bool)>, place: &'p Place, writes: bool) {
    list.push((place, writes));
}

fn note(access: &mut Access, points_to: &PointsTo, function: FunctionId, place: &Place, writes: bool) {
    if let Base::Deref(pointer) = &place.base {
        return note_pointer(access, points_to, function, pointer, writes);
    }
    let objects = points_to.place_objects(function, place);
    access.touched.union(&objects);
    if writes {
        access.written.union(&objects);
    }
}

fn note_pointer(access: &mut Access, points_to: &PointsTo, function: FunctionId, pointer: &Expr, writes: bool) {
    let objects = points_to.value(function, pointer);
    access.unknown |= objects.is_empty() && !crate::analysis::sharing::is_string(pointer);
    access.touched.union(&objects);
    if writes {
        access.written.union(&objects);
    }
}

fn join(access: &mut Access, other: &Access) {
    access.touched.union(&other.touched);
    access.written.union(&other.written);
    access.unknown |= other.unknown;
}

/// Follows which threads may be alive, and what only this one knows of.
struct Alive<'a, 'p> {
    sharing: &'a Sharing<'p>,
    function: FunctionId,
    labels: FxHashMap<LabelId, (Threads, Fresh)>,
}

impl Alive<'_, '_> {
    fn block(
        &mut self,
        block: &[Stmt],
        mut state: Option<(Threads, Fresh)>,
        visit: &mut impl FnMut(&Stmt, &Threads, &Fresh),
    ) -> Option<(Threads, Fresh)> {
        for stmt in block {
            if let Some((alive, fresh)) = &mut state {
                visit(stmt, alive, fresh);
                if let Some(ended) = self.sharing.joined(fresh, stmt) {
                    alive.remove(ended);
                }
                self.sharing.advance(fresh, self.function, stmt);
                if let Some(child) = self.sharing.created(stmt) {
                    alive.union(&self.sharing.families[child]);
                }
            }
            state = match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    let after_then = self.block(then, state.clone(), visit);
                    let after_else = self.block(otherwise, state, visit);
                    either(after_then, after_else)
                }
                // No thread is created in a loop that is kept.
                StmtKind::Loop(body) => {
                    let state = state.map(|(alive, _)| (alive, Fresh::default()));
                    self.block(body, state.clone(), visit);
                    state
                }
                StmtKind::Goto(label) => {
                    let joined = either(state, self.labels.remove(label));
                    if let Some(joined) = joined {
                        self.labels.insert(*label, joined);
                    }
                    None
                }
                StmtKind::Label(label) => either(state, self.labels.get(label).cloned()),
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => None,
                StmtKind::Declare(_)
                | StmtKind::Assign { .. }
                | StmtKind::Call { .. }
                | StmtKind::Block(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => state,
            };
        }
        state
    }
}

fn either(a: Option<(Threads, Fresh)>, b: Option<(Threads, Fresh)>) -> Option<(Threads, Fresh)> {
    match (a, b) {
        (Some((mut alive, fresh)), Some(b)) => {
            alive.union(&b.0);
            Some((alive, fresh.join(&b.1)))
        }
        (a, b) => a.or(b),
    }
}

#[derive(Clone, PartialEq)]
struct State {
    alive: Threads,
    fresh: Fresh,
    /// Nesting of atomic sections.
    depth: u32,
    /// The thread has taken a visible step since the last switch.
    acted: bool,
    /// It has done something since that others can see: not only read.
    changed: bool,
    /// The section we are in, counted by its beginning.
    section: usize,
    /// The statement with the last switch, by its number in the text.
    step: usize,
}

/// An atomic section is one step, so that its beginning must know what comes in it.
#[derive(Clone, Copy, Default, PartialEq)]
struct Section {
    /// Something in it matters to others.
    matters: bool,
    /// The thread may stop in it; then it does not enter it at all.
    stops: bool,
}

struct Marker<'a, 'p> {
    sharing: &'a Sharing<'p>,
    thread: usize,
    flags: Vec<bool>,
    labels: FxHashMap<LabelId, State>,
    begins: usize,
    waits_are_steps: bool,
    /// What is known of each atomic section; it only grows from one walk to the next.
    sections: Vec<Section>,
    fault: Option<Diagnostic>,
    /// Where the statements are noted that matter to others.
    seen: Option<&'a mut FxHashSet<StatementId>>,
}

impl<'a, 'p> Marker<'a, 'p> {
    fn new(sharing: &'a Sharing<'p>, thread: usize, waits_are_steps: bool) -> Marker<'a, 'p> {
        Marker {
            sharing,
            thread,
            flags: Vec::new(),
            labels: FxHashMap::default(),
            begins: 0,
            waits_are_steps,
            sections: Vec::new(),
            fault: None,
            seen: None,
        }
    }

    /// One flag per statement, in the order of the text.
    fn mark(mut self) -> Result<Vec<bool>, LimitError> {
        let body = &self.sharing.program.function(self.sharing.functions[self.thread]).body;
        // What a walk finds out about sections changes what the next one finds: until nothing changes.
        loop {
            let known = self.sections.clone();
            self.flags.clear();
            self.labels.clear();
            self.begins = 0;
            let alive = self.sharing.everybody_but(self.thread);
            let fresh = Fresh::default();
            // `main` always takes its first step; it must not be one in which it waits.
            let acted = self.waits_are_steps && self.thread == 0;
            self.block(body, Some(State { alive, fresh, depth: 0, acted, changed: false, section: 0, step: 0 }));
            if self.sections == known {
                break;
            }
        }
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        // The start of a thread is its first step.
        self.flags[0] = true;
        Ok(self.flags)
    }

    fn block(&mut self, block: &[Stmt], mut state: Option<State>) -> Option<State> {
        for stmt in block {
            let at = self.flags.len();
            self.flags.push(false);
            if let Some(state) = &mut state {
                self.flags[at] = self.step(stmt, state);
                if self.flags[at] {
                    state.step = at;
                }
                if let Some(ended) = self.sharing.joined(&state.fresh, stmt) {
                    state.alive.remove(ended);
                }
                self.sharing.advance(&mut state.fresh, self.sharing.functions[self.thread], stmt);
            }
            state = match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    let after_then = self.block(then, state.clone());
                    let after_else = self.block(otherwise, state);
                    self.join(after_then, after_else, stmt.span)
                }
                StmtKind::Loop(body) => {
                    let fresh = Fresh::default();
                    let changed = state.as_ref().is_some_and(|state| state.changed && state.depth == 0);
                    let state = state.map(|state| State { acted: true, changed: true, fresh, ..state });
                    let back = self.block(body, state.clone());
                    // It may never end: others see what was done before it.
                    if changed && !self.flags[at + 1..].contains(&true) {
                        self.switch_in(body, at + 1);
                    }
                    self.join(state.clone(), back, stmt.span);
                    state
                }
                StmtKind::Goto(label) => {
                    let joined = self.join(state, self.labels.get(label).cloned(), stmt.span);
                    if let Some(joined) = joined {
                        self.labels.insert(*label, joined);
                    }
                    None
                }
                StmtKind::Label(label) => self.join(state, self.labels.get(label).cloned(), stmt.span),
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => None,
                StmtKind::Declare(_)
                | StmtKind::Assign { .. }
                | StmtKind::Call { .. }
                | StmtKind::Block(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => state,
            };
        }
        state
    }

    /// A switch before the first statement of a block that can have one; `at` is the number of its first statement.
    fn switch_in(&mut self, block: &[Stmt], mut at: usize) {
        for stmt in block {
            if matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. } | StmtKind::If { .. }) {
                self.flags[at] = true;
                return;
            }
            walk::statements(std::slice::from_ref(stmt), &mut |_| at += 1);
        }
    }

    fn join(&mut self, a: Option<State>, b: Option<State>, span: Span) -> Option<State> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.or(b),
        };
        if a.depth != b.depth {
            let text = "an atomic section that is open on some of the ways to this point only";
            self.fault.get_or_insert(Diagnostic::unsupported(span, text));
        }
        if a.depth > 0 && a.section != b.section {
            // Emitted programs take both for one step; a formula counts steps by the text.
            if !self.sharing.errors_close_steps {
                let text = "an atomic section that begins in different places on the ways to this point";
                self.fault.get_or_insert(Diagnostic::unsupported(span, text));
            }
            self.sections[a.section].matters = true;
            self.sections[b.section].matters = true;
        }
        let fresh = a.fresh.join(&b.fresh);
        // What follows belongs to one step, whichever way it was come to: not to several that have only begun.
        let acted = a.acted || b.acted || a.step != b.step;
        let (changed, step) = (a.changed || b.changed, a.step.max(b.step));
        let mut alive = a.alive.clone();
        alive.union(&b.alive);
        Some(State { alive, fresh, acted, changed, step, ..a })
    }

    /// Is there a switch before this statement?
    fn step(&mut self, stmt: &Stmt, state: &mut State) -> bool {
        let sharing = self.sharing;
        let operation = match &stmt.kind {
            StmtKind::Call { callee, .. } => sharing.program.operation(callee),
            _ => None,
        };
        match operation {
            Some(Operation::AtomicBegin) => {
                state.depth += 1;
                if state.depth > 1 {
                    return false;
                }
                state.section = self.begins;
                self.begins += 1;
                if self.sections.len() < self.begins {
                    self.sections.push(Section::default());
                }
                let Section { matters, stops } = self.sections[state.section];
                return if matters { take_step(state, true) } else { stops && close_step(state) };
            }
            Some(Operation::AtomicEnd) => {
                if state.depth == 0 {
                    let text = "an atomic section ends that did not begin";
                    self.fault.get_or_insert(Diagnostic::unsupported(stmt.span, text));
                } else {
                    state.depth -= 1;
                }
                return false;
            }
            _ => {}
        }
        let (matters, changes) = self.matters(stmt, operation, state);
        if let (true, Some(seen)) = (matters, &mut self.seen) {
            seen.insert(stmt.id);
        }
        if let Some(child) = sharing.created(stmt) {
            state.alive.union(&sharing.families[child]);
            // Creating may come earlier than it stands, but what follows waits for what the child does.
            if !matters {
                state.acted = true;
                state.changed = true;
            }
        }
        let stops = sharing.may_stop(stmt, &state.fresh);
        if state.depth > 0 {
            let section = &mut self.sections[state.section];
            section.matters |= matters;
            section.stops |= stops;
            return false;
        }
        if matters {
            return take_step(state, changes);
        }
        // Who ends the process ends all threads: that is never part of another step.
        let ends_process = match stmt.kind {
            StmtKind::Return(_) => self.thread == 0,
            _ => matches!(operation, Some(Operation::Exit | Operation::Abort)),
        };
        (stops && close_step(state)) || ends_process
    }

    /// Does the statement matter to others, and does it change what they see?
    fn matters(&self, stmt: &Stmt, operation: Option<Operation>, state: &State) -> (bool, bool) {
        let access = self.sharing.access(self.sharing.functions[self.thread], stmt, &state.fresh);
        let matters = self.sharing.matters(self.thread, &access, &state.alive);
        // Afterwards nobody may join the thread any more.
        let joins = matches!(operation, Some(Operation::Join | Operation::JoinC11 | Operation::Detach));
        let waits = joins || (self.waits_are_steps && self.sharing.may_wait(stmt));
        (matters || waits, joins || (matters && (access.unknown || !access.written.is_empty())))
    }
}

/// Is there a switch before a visible step? Not before the first one since the last switch.
fn take_step(state: &mut State, changes: bool) -> bool {
    let switch = std::mem::replace(&mut state.acted, true);
    state.changed = changes || (state.changed && !switch);
    switch
}

/// Is there a switch before a place where the thread may stop? If it has changed something since the last one: a step
/// that is not taken to its end is not taken at all, and what was changed before would never have happened.
fn close_step(state: &mut State) -> bool {
    let switch = state.changed;
    if switch {
        (state.acted, state.changed) = (false, false);
    }
    switch
}
