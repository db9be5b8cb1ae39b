//! Which memory two threads can reach: a sound escape analysis on top of the points-to sets.
//!
//! An object is shared if threads of two kinds (or two threads of one kind) may access it and somebody writes it.
//! Locals, heap memory and thread-local variables count only if their address can leave the thread: through a
//! global, through the argument of a thread, or through its result.

use super::points_to::{Object, ObjectId, PointsTo, Set, creates_threads, points_to, start_and_argument};
use crate::il::{
    Base, Callee, Expr, ExprKind, FunctionId, FunctionKind, GlobalId, LocalId, Operation, Place, Program, Stmt,
    StmtKind, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Sharing<'p> {
    points_to: Option<PointsTo<'p>>,
    shared: Set,
}

pub fn sharing(program: &Program) -> Sharing<'_> {
    if !creates_threads(program) {
        return Sharing { points_to: None, shared: Set::default() };
    }
    let points_to = points_to(program);
    let escaping = escaping(program, &points_to);
    let accesses = accesses(program, &points_to);
    let roots = roots(program, &points_to);
    let mut readers: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); points_to.objects.len()];
    let mut written = Set::default();
    for (index, root) in roots.iter().enumerate() {
        for function in reachable(program, &points_to, root.function) {
            let access = &accesses[function.0 as usize];
            for object in access.touched.iter() {
                readers[object].insert(index);
                // Two threads of one kind are two.
                if root.many {
                    readers[object].insert(usize::MAX);
                }
            }
            written.union(&access.written);
        }
    }
    let mut shared = Set::default();
    for (object, kind) in points_to.objects.iter().enumerate() {
        let reachable_by_others = match kind {
            Object::Global(id) => !program.global(*id).thread_local || escaping.contains(object),
            Object::Local(..) | Object::Heap(..) => escaping.contains(object),
            Object::Function(_) => false,
        };
        if reachable_by_others && readers[object].len() > 1 && written.contains(object) {
            shared.insert(object);
        }
    }
    // A pointer to a block that was freed may point to any other.
    let heap = |object: &ObjectId| matches!(points_to.objects[*object], Object::Heap(..));
    if program.told.reuse.is_some() && shared.iter().any(|object| heap(&object)) {
        (0..points_to.objects.len()).filter(heap).for_each(|object| {
            shared.insert(object);
        });
    }
    Sharing { points_to: Some(points_to), shared }
}

/// All memory that a pointer or another function may reach, as if everybody shared it: what a program does then is the
/// judge of this analysis.
pub fn everything_shared(program: &Program) -> Sharing<'_> {
    let points_to = points_to(program);
    let mut pointed = Set::default();
    for object in 0..points_to.objects.len() {
        pointed.union(points_to.content(object));
    }
    let mut shared = Set::default();
    for (object, kind) in points_to.objects.iter().enumerate() {
        let in_memory = match kind {
            Object::Global(_) | Object::Heap(..) => true,
            Object::Local(..) => pointed.contains(object),
            Object::Function(_) => false,
        };
        if in_memory {
            shared.insert(object);
        }
    }
    Sharing { points_to: Some(points_to), shared }
}

/// The globals that any statement may write.
pub fn written_globals(program: &Program, points_to: &PointsTo) -> FxHashSet<GlobalId> {
    let mut written = Set::default();
    for access in accesses(program, points_to) {
        written.union(&access.written);
    }
    let ids = (0..program.globals.len()).map(|index| GlobalId(index as u32));
    ids.filter(|id| written.contains(points_to.global(*id))).collect()
}

impl Sharing<'_> {
    /// Is the object shared?
    pub fn shares(&self, object: ObjectId) -> bool {
        self.shared.contains(object)
    }

    /// May this place lie in shared memory?
    pub fn is_shared(&self, function: FunctionId, place: &Place) -> bool {
        let Some(points_to) = &self.points_to else { return false };
        match &place.base {
            Base::Global(id) => self.shared.contains(points_to.global(*id)),
            Base::Local(id) => self.shared.contains(points_to.local(function, *id)),
            Base::Deref(pointer) => self.points_to_shared(function, pointer),
        }
    }

    /// May this pointer point into shared memory? One of unknown origin may.
    pub fn points_to_shared(&self, function: FunctionId, pointer: &Expr) -> bool {
        let Some(points_to) = &self.points_to else { return false };
        if is_string(pointer) {
            return false;
        }
        let targets = points_to.value(function, pointer);
        targets.is_empty() || targets.iter().any(|object| self.shared.contains(object))
    }

    /// May these point into one object?
    pub fn may_alias(&self, function: FunctionId, a: &Expr, b: &Expr) -> bool {
        let Some(points_to) = &self.points_to else { return true };
        let (a, b) = (points_to.value(function, a), points_to.value(function, b));
        a.is_empty() || b.is_empty() || a.iter().any(|object| b.contains(object))
    }
}

pub fn is_string(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Str(_) => true,
        ExprKind::Cast(inner) => is_string(inner),
        ExprKind::Binary(_, left, _) => is_string(left),
        _ => false,
    }
}

/// Objects whose address can leave the thread that made them.
fn escaping(program: &Program, points_to: &PointsTo) -> Set {
    let mut escaping = Set::default();
    let mut work: Vec<ObjectId> = Vec::new();
    let mut add = |set: &Set, work: &mut Vec<ObjectId>| {
        for object in set.iter() {
            if escaping.insert(object) {
                work.push(object);
            }
        }
    };
    for (index, global) in program.globals.iter().enumerate() {
        if !global.thread_local {
            add(points_to.content(index), &mut work);
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            match program.operation(callee) {
                Some(operation @ (Operation::Create | Operation::CreateC11)) => {
                    let (_, argument) = start_and_argument(operation, args);
                    add(&points_to.value(id, argument), &mut work);
                }
                Some(Operation::ThreadExit) => args.iter().for_each(|arg| add(&points_to.value(id, arg), &mut work)),
                _ => {}
            }
        });
    }
    for root in roots(program, points_to) {
        add(points_to.result(root.function), &mut work);
    }
    while let Some(object) = work.pop() {
        add(points_to.content(object), &mut work);
    }
    escaping
}

#[derive(Default)]
struct Access {
    touched: Set,
    written: Set,
}

/// What each function accesses itself.
fn accesses(program: &Program, points_to: &PointsTo) -> Vec<Access> {
    let mut all = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        let mut access = Access::default();
        // A function ends the life of its locals: that counts as writing them.
        for local in 0..function.locals.len() {
            let object = points_to.local(id, LocalId(local as u32));
            access.touched.insert(object);
            access.written.insert(object);
        }
        walk::statements(&function.body, &mut |stmt| {
            let mut reads = |expr: &Expr| {
                walk::expressions(expr, &mut |inner| {
                    if let ExprKind::Load(place) = &inner.kind {
                        access.touched.union(&points_to.place_objects(id, place));
                    }
                });
            };
            let mut targets = Vec::new();
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => reads(expr),
                walk::Use::Target(place) => {
                    walk::place_expressions(place, &mut |expr| reads(expr));
                    targets.push(points_to.place_objects(id, place));
                }
            });
            let pointers = operation_pointers(program, stmt);
            targets.extend(pointers.written.iter().map(|pointer| points_to.value(id, pointer)));
            for pointer in pointers.read {
                access.touched.union(&points_to.value(id, pointer));
            }
            for target in targets {
                access.touched.union(&target);
                access.written.union(&target);
            }
        });
        all.push(access);
    }
    all
}

/// The arguments through which an operation accesses memory.
#[derive(Default)]
pub struct Pointers<'p> {
    pub written: Vec<&'p Expr>,
    pub read: Vec<&'p Expr>,
}

impl<'p> Pointers<'p> {
    pub fn all(&self) -> impl Iterator<Item = &'p Expr> + '_ {
        self.written.iter().chain(&self.read).copied()
    }
}

/// What a statement accesses through the arguments of an operation. Printing to a stream is left out: nobody can
/// tell when it read its arguments.
pub fn operation_pointers<'p>(program: &Program, stmt: &'p Stmt) -> Pointers<'p> {
    let StmtKind::Call { callee, args, .. } = &stmt.kind else { return Pointers::default() };
    let Some(operation) = program.operation(callee) else { return Pointers::default() };
    let (first, rest): (Vec<&Expr>, Vec<&Expr>) = (args.iter().take(1).collect(), args.iter().skip(1).collect());
    let nth = |index: usize| args.get(index).into_iter().collect();
    if program.prints_count(stmt) {
        let pointers: Vec<&Expr> = args.iter().filter(|arg| !program.types.is_arithmetic(arg.ty)).collect();
        return Pointers { written: pointers.clone(), read: pointers };
    }
    match operation {
        Operation::Memcpy | Operation::Memmove => Pointers { written: first, read: nth(1) },
        Operation::Memcmp => Pointers { written: Vec::new(), read: args.iter().take(2).collect() },
        Operation::Memset | Operation::Free | Operation::Realloc | Operation::CreateC11 => {
            Pointers { written: first, read: Vec::new() }
        }
        // The attributes are looked at.
        Operation::Create => Pointers { written: first, read: nth(1) },
        // Formats and strings are read, those in a list of arguments too.
        Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf => Pointers {
            written: first,
            read: rest.into_iter().filter(|arg| !program.types.is_arithmetic(arg.ty)).collect(),
        },
        Operation::AddOverflow | Operation::SubOverflow | Operation::MulOverflow => {
            Pointers { written: nth(2), read: Vec::new() }
        }
        Operation::Join | Operation::JoinC11 => Pointers { written: nth(1), read: Vec::new() },
        Operation::ScanText => Pointers { written: args.iter().skip(2).collect(), read: first },
        Operation::ScanStream => Pointers { written: args.iter().skip(2).collect(), read: Vec::new() },
        Operation::ScanInput => Pointers { written: rest, read: Vec::new() },
        Operation::ThreadExit
        | Operation::ThreadSelf
        | Operation::Detach
        | Operation::AtomicBegin
        | Operation::AtomicEnd
        | Operation::Assume
        | Operation::Await
        | Operation::AwaitSpurious
        | Operation::Choose
        | Operation::Assert
        | Operation::AssertFail
        | Operation::ReachError
        | Operation::Spurious
        | Operation::Misuse
        | Operation::Limit
        | Operation::WrongCall
        | Operation::Math
        | Operation::Nondet
        | Operation::Malloc
        | Operation::Calloc
        | Operation::Alloca
        | Operation::Printf
        | Operation::Fprintf
        | Operation::Vprintf
        | Operation::Vfprintf
        | Operation::Puts
        | Operation::Putchar
        | Operation::Fputs
        | Operation::Fputc
        | Operation::Exit
        | Operation::Abort
        | Operation::Unreachable
        | Operation::Fence
        | Operation::Nothing => Pointers::default(),
    }
}

/// A kind of thread: `main`, or one start function.
pub struct Root {
    pub function: FunctionId,
    /// More than one such thread may exist.
    pub many: bool,
}

pub fn roots(program: &Program, points_to: &PointsTo) -> Vec<Root> {
    let once = functions_run_once(program, points_to);
    let mut roots = vec![Root { function: program.main, many: false }];
    let mut created: FxHashMap<FunctionId, u32> = FxHashMap::default();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        each_with_loops(&function.body, &mut |stmt, in_loop| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            if let Some(operation @ (Operation::Create | Operation::CreateC11)) = program.operation(callee) {
                let (start, _) = start_and_argument(operation, args);
                let repeated = in_loop || !once.contains(&id);
                for target in points_to.functions_in(&points_to.value(id, start)) {
                    *created.entry(target).or_default() += if repeated { 2 } else { 1 };
                }
            }
        });
    }
    let mut starts: Vec<_> = created.into_iter().collect();
    starts.sort();
    roots.extend(starts.into_iter().map(|(function, count)| Root { function, many: count > 1 }));
    roots
}

/// Functions that surely run at most once in the whole program: `main`, and those with one call site that does.
fn functions_run_once(program: &Program, points_to: &PointsTo) -> FxHashSet<FunctionId> {
    let mut sites: FxHashMap<FunctionId, Vec<(FunctionId, bool)>> = FxHashMap::default();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        each_with_loops(&function.body, &mut |stmt, in_loop| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            let mut targets = points_to.callees(id, callee);
            if let Some(operation @ (Operation::Create | Operation::CreateC11)) = program.operation(callee) {
                let (start, _) = start_and_argument(operation, args);
                targets.extend(points_to.functions_in(&points_to.value(id, start)));
            }
            for target in targets {
                let direct = matches!(callee, Callee::Function(_));
                sites.entry(target).or_default().push((id, in_loop || !direct));
            }
        });
    }
    let mut once = FxHashSet::default();
    once.insert(program.main);
    loop {
        let before = once.len();
        for (target, callers) in &sites {
            if let [(caller, false)] = callers[..]
                && once.contains(&caller)
                && *target != caller
            {
                once.insert(*target);
            }
        }
        if once.len() == before {
            break;
        }
    }
    // Somebody calls main, or the hooks at the end of threads call it: then nothing is sure.
    if sites.contains_key(&program.main) {
        once.clear();
    }
    for hook in [program.thread_end, program.at_exit].into_iter().flatten() {
        once.remove(&hook);
    }
    once
}

/// Every statement, and whether it may run more than once per call: inside a loop, or after a backward jump.
fn each_with_loops<'p>(body: &'p [Stmt], visit: &mut impl FnMut(&'p Stmt, bool)) {
    let mut labels_seen = FxHashSet::default();
    let mut backward = false;
    walk::statements(body, &mut |stmt| match stmt.kind {
        StmtKind::Label(label) => {
            labels_seen.insert(label);
        }
        StmtKind::Goto(label) => backward |= labels_seen.contains(&label),
        _ => {}
    });
    visit_with_loops(body, backward, visit);
}

fn visit_with_loops<'p>(block: &'p [Stmt], in_loop: bool, visit: &mut impl FnMut(&'p Stmt, bool)) {
    for stmt in block {
        visit(stmt, in_loop);
        let in_loop = in_loop || matches!(stmt.kind, StmtKind::Loop(_));
        stmt.kind.blocks().into_iter().for_each(|inner| visit_with_loops(inner, in_loop, visit));
    }
}

/// The functions that a thread starting in `root` may run, hooks at its end included.
fn reachable(program: &Program, points_to: &PointsTo, root: FunctionId) -> Vec<FunctionId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    work.extend(program.thread_end);
    work.extend(program.at_exit);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = program.function(id);
        if !matches!(function.kind, FunctionKind::Defined | FunctionKind::Model) {
            continue;
        }
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                work.extend(points_to.callees(id, callee));
            }
        });
    }
    seen.into_iter().collect()
}
