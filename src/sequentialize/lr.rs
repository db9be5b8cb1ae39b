//! The eager schema of Lal and Reps: lr-cseq-2013.
//!
//! Shared memory exists once per round: `S[k]`. The threads run one after the other, each through all rounds; a
//! context switch goes on in a later round. What memory holds when a round begins is guessed before and checked at the
//! end; an error counts only if all guesses were right.
//!
//! A scalar global is an array with one element per round, as in the paper. The paper's limits are lifted: all else
//! that threads share is one struct per round (globals of any shape, locals whose address escapes, memory from malloc,
//! which in a bounded program is one object per allocation). A pointer into shared memory always is the address in
//! the first copy; it is moved to the current round's copy when it is used.
//! Threads are created anywhere: that they exist and have ended is shared memory too.

use super::backend::ValueKind;
use super::text::Writer;
use super::{SequentializeOptions, Watched};
use crate::analysis::points_to::{Object, ObjectId, PointsTo, Set, points_to};
use crate::analysis::sharing::{is_string, operation_pointers};
use crate::diagnostic::{Diagnostic, Result, Severity, Span};
use crate::il::types::{Field, Record};
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, FunctionId, Global, GlobalId, InitPart, IntKind, Local, LocalId,
    Operation, PathStep, Place, Program, Projection, RecordId, Stmt, StmtKind, Type, TypeId, walk,
};
use crate::limit::Bounded;
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub fn lr(bounded: &Bounded, options: &SequentializeOptions, order: &[usize]) -> Result<(String, Watched)> {
    refuse_order(bounded, order)?;
    let rounds = options.rounds.unwrap_or(2);
    let mut source = bounded.clone();
    separate_results(&mut source);
    let (program, memory) = copy_memory(&source, rounds)?;
    let mut writer = Writer::new(bounded, program, options);
    let names = LrNames {
        guess: writer.names.pick("guess"),
        at: writer.names.pick("at"),
        error: writer.names.pick("error"),
        failed: writer.names.pick("failed"),
        switch: writer.names.pick("SWITCH"),
        stop: writer.names.pick("stop"),
        end: writer.names.pick("end_thread"),
        r: writer.names.pick("r"),
    };
    if writer.wants_results {
        refuse_pointer_results(&source)?;
    }
    writer.deferred_errors = Some(format!("{} = {} = 1;", names.error, names.failed));
    writer.assume_unless = Some(names.failed.clone());
    let mut threads = String::new();
    for thread in 0..bounded.threads.len() {
        let function = bounded.threads[thread].function;
        let mut simulation =
            Simulation { writer: &mut writer, names: &names, memory: &memory, function, thread, next: 0 };
        simulation.thread()?;
        threads.push_str(&std::mem::take(&mut writer.body));
    }
    driver(&mut writer, &names, &memory, order, rounds)?;
    let driver = std::mem::take(&mut writer.body);
    writer.late_declarations = declarations(&writer, &names, &memory, rounds);
    let mut out = writer.header("")?;
    out.push_str("\n/* ---- threads: each runs once, through all rounds ---- */\n");
    out.push_str(&threads);
    out.push_str("\n/* ---- driver: guess, run, check ---- */\n");
    out.push_str(&driver);
    let watched = Watched { thread: writer.common.current.clone(), position: names.at, round: Some(memory.round_name) };
    Ok((out, watched))
}

struct LrNames {
    guess: String,
    at: String,
    error: String,
    /// The thread that runs has failed.
    failed: String,
    switch: String,
    stop: String,
    end: String,
    r: String,
}

/// A thread runs after the one that creates it.
fn refuse_order(bounded: &Bounded, order: &[usize]) -> Result<()> {
    for (thread, info) in bounded.threads.iter().enumerate().skip(1) {
        let place = |wanted: usize| order.iter().position(|other| *other == wanted);
        if place(thread) < place(info.parent) {
            let text = format!(
                "the schema lr needs every thread after the one that creates it: {thread} after {}",
                info.parent
            );
            return Err(Diagnostic::plain(text));
        }
    }
    Ok(())
}

/// Creating and joining write through pointers; here into a local first, so that the write is an assignment.
fn separate_results(bounded: &mut Bounded) {
    let program = &mut bounded.program;
    for thread in &bounded.threads {
        let index = thread.function.0 as usize;
        let body = std::mem::take(&mut program.functions[index].body);
        let known = program.functions[index].locals.len();
        let mut body = separate_in(program, index, body);
        let made = known..program.functions[index].locals.len();
        let declare = |id: usize| Stmt::new(StmtKind::Declare(LocalId(id as u32)), Span::default());
        // After the first statement, which is the thread's start.
        body.splice(1..1, made.map(declare));
        program.functions[index].body = body;
    }
}

fn separate_in(program: &mut Program, function: usize, block: Vec<Stmt>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut stmt in block {
        let mut after = None;
        if let StmtKind::Call { callee, args, .. } = &mut stmt.kind {
            let position = match program.operation(callee) {
                Some(Operation::Create | Operation::CreateC11) => Some(0),
                Some(Operation::Join | Operation::JoinC11) => Some(1),
                _ => None,
            };
            if let Some(position) = position
                && let Some(pointer) = args.get(position).cloned()
                && !pointer.is_zero()
                && let Some(target) = program.types.pointee(pointer.ty)
            {
                let locals = &mut program.functions[function].locals;
                let id = LocalId(locals.len() as u32);
                let name = format!("seq_value_{}", id.0);
                locals.push(Local { name, ty: target, align: 0, shared: false, span: stmt.span });
                let place = Place::local(id, target);
                args[position] = Expr { kind: ExprKind::AddressOf(Box::new(place.clone())), ty: pointer.ty };
                let to = Place::deref(pointer, target);
                after = Some(Stmt::new(StmtKind::Assign { to, value: Expr::load(place) }, stmt.span));
            }
        }
        stmt.kind = match stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let then = separate_in(program, function, then);
                let otherwise = separate_in(program, function, otherwise);
                StmtKind::If { condition, then, otherwise }
            }
            other => other,
        };
        out.push(stmt);
        out.extend(after);
    }
    out
}

fn refuse_pointer_results(bounded: &Bounded) -> Result<()> {
    let points_to = points_to(&bounded.program);
    for thread in &bounded.threads[1..] {
        if !points_to.result(thread.function).is_empty() {
            let span = bounded.program.function(thread.function).span;
            return Err(Diagnostic::unsupported(span, "a thread that returns a pointer, with the schema lr"));
        }
    }
    Ok(())
}

// ---- shared memory ----

/// Where the shared objects are now.
struct Memory {
    record: RecordId,
    name: String,
    round_name: String,
    global: GlobalId,
    round: GlobalId,
    fields: FxHashMap<ObjectId, u32>,
    /// Scalars that no pointer points to: each is an array of its own, one element per round, as in the paper.
    scalars: FxHashMap<ObjectId, GlobalId>,
    /// The type of each field, and where pointers in it may point.
    contents: Vec<Content>,
}

#[derive(Clone)]
struct Content {
    name: String,
    ty: TypeId,
    /// The functions that pointers in it may point to.
    functions: Vec<String>,
}

/// The program with its shared objects in one struct per round.
fn copy_memory(bounded: &Bounded, rounds: u32) -> Result<(Program, Memory)> {
    let original = &bounded.program;
    let points_to = points_to(original);
    let shared = shared_objects(bounded, &points_to)?;
    let mut program = original.clone();
    let mut taken: Vec<String> = original.functions.iter().map(|function| function.name.clone()).collect();
    taken.extend(original.globals.iter().map(|global| global.name.clone()));
    for function in &original.functions {
        taken.extend(function.locals.iter().map(|local| local.name.clone()));
    }
    let pick = |wanted: &str| {
        let mut name = wanted.to_owned();
        while taken.contains(&name) {
            name.push('_');
        }
        name
    };
    let (name, round_name) = (pick("S"), pick("k"));
    let allocations = allocations(bounded, &points_to, &shared)?;
    let mut pointed = Set::default();
    for object in 0..points_to.objects.len() {
        pointed.union(points_to.content(object));
    }
    let mut scalars = FxHashMap::default();
    let mut fields = FxHashMap::default();
    let mut list: Vec<Field> = Vec::new();
    let mut contents = Vec::new();
    let mut add = |name: String, ty: TypeId, functions: Vec<String>, list: &mut Vec<Field>| {
        let mut unique = name;
        while list.iter().any(|field| field.name.as_ref() == Some(&unique)) {
            unique.push('_');
        }
        contents.push(Content { name: unique.clone(), ty, functions });
        list.push(Field { name: Some(unique), ty, offset: 0, bits: None, packed: false, align: 0 });
        list.len() as u32 - 1
    };
    let bool = program.types.int(IntKind::Bool);
    let count = bounded.threads.len() as u64;
    let flags = program.types.intern(Type::Array(bool, count));
    add("active".to_owned(), flags, Vec::new(), &mut list);
    add("ended".to_owned(), flags, Vec::new(), &mut list);
    for object in shared.iter() {
        let (name, ty) = match points_to.objects[object] {
            Object::Global(id) => (original.global(id).name.clone(), original.global(id).ty),
            Object::Local(function, id) => {
                let function = original.function(function);
                let local = &function.locals[id.0 as usize];
                (format!("{}_{}", function.name, local.name), local.ty)
            }
            Object::Heap(..) => {
                let ty = allocation_type(&mut program, allocations[&object])?;
                (format!("heap_{}", list.len()), ty)
            }
            Object::Function(_) => continue,
        };
        refuse_unguessable(&program, ty, &name)?;
        if let Object::Global(id) = points_to.objects[object]
            && program.types.is_arithmetic(ty)
            && !pointed.contains(object)
            && !address_taken(original, id)
        {
            program.globals[id.0 as usize].ty = program.types.intern(Type::Array(ty, u64::from(rounds) + 1));
            scalars.insert(object, id);
            continue;
        }
        let functions = points_to.functions_in(points_to.content(object));
        let functions = functions.into_iter().map(|id| original.function(id).name.clone()).collect();
        fields.insert(object, add(name, ty, functions, &mut list));
    }
    let record = RecordId(program.types.records.len() as u32);
    program.types.records.push(Record::incomplete(pick("shared_memory"), false));
    program.types.lay_out(record, list);
    let record_type = program.types.intern(Type::Record(record));
    let copies = program.types.intern(Type::Array(record_type, u64::from(rounds) + 1));
    let unsigned = program.types.int(IntKind::UInt);
    let global = GlobalId(program.globals.len() as u32);
    let new_global = |name: &str, ty: TypeId| Global {
        name: name.to_owned(),
        ty,
        init: Vec::new(),
        thread_local: false,
        align: 0,
        external: false,
        internal: false,
        library: false,
        model: false,
        span: Span::default(),
    };
    program.globals.push(new_global(&name, copies));
    let round = GlobalId(program.globals.len() as u32);
    program.globals.push(new_global(&round_name, unsigned));
    let memory = Memory { record, name, round_name, global, round, fields, scalars, contents };
    Mover { points_to: &points_to, memory: &memory, original, program: &mut program, record_type }.program()?;
    Ok((program, memory))
}

/// Is the address of a global taken anywhere?
fn address_taken(program: &Program, global: GlobalId) -> bool {
    let mut taken = false;
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::AddressOf(place) = &inner.kind {
                taken |= place.base == Base::Global(global);
            }
        });
    };
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }
    taken
}

/// What more than one thread touches, and what pointers into it force to join it.
fn shared_objects(bounded: &Bounded, points_to: &PointsTo) -> Result<Set> {
    let program = &bounded.program;
    let mut touched_by: FxHashMap<ObjectId, Vec<usize>> = FxHashMap::default();
    let mut written = Set::default();
    let mut groups: Vec<Set> = Vec::new();
    // Stubs are run by whoever calls them; any thread may.
    let anyone = usize::MAX;
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        let thread = bounded.threads.iter().position(|thread| thread.function == id);
        walk::statements(&function.body, &mut |stmt| {
            let mut touch = |objects: Set, writes: bool, pointer: bool| {
                for object in objects.iter() {
                    let own = matches!(points_to.objects[object], Object::Local(owner, _) if owner == id);
                    let list = touched_by.entry(object).or_default();
                    match thread {
                        Some(thread) => list.push(thread),
                        None if own => {}
                        None => list.extend([anyone, anyone - 1]),
                    }
                }
                if writes {
                    written.union(&objects);
                }
                if pointer {
                    groups.push(objects);
                }
            };
            walk::uses(stmt, &mut |used| {
                let mut look = |expr: &Expr| {
                    walk::expressions(expr, &mut |inner| {
                        if let ExprKind::Load(place) = &inner.kind {
                            let deref = matches!(place.base, Base::Deref(_));
                            touch(points_to.place_objects(id, place), false, deref);
                        }
                    });
                };
                match used {
                    walk::Use::Expr(expr) => look(expr),
                    walk::Use::Target(place) => {
                        walk::place_expressions(place, &mut look);
                        let deref = matches!(place.base, Base::Deref(_));
                        touch(points_to.place_objects(id, place), true, deref);
                    }
                }
            });
            let pointers = operation_pointers(program, stmt);
            for (list, writes) in [(&pointers.written, true), (&pointers.read, false)] {
                for pointer in list {
                    touch(points_to.value(id, pointer), writes, true);
                }
            }
        });
    }
    let mut shared = Set::default();
    for (object, threads) in &touched_by {
        let first = threads.first();
        let several = threads.iter().any(|thread| Some(thread) != first);
        if several && written.contains(*object) && !matches!(points_to.objects[*object], Object::Function(_)) {
            shared.insert(*object);
        }
    }
    // A pointer that may point into shared memory is moved, so that all it points to must be there. So must what
    // pointers in shared memory point to: their guesses are addresses in it.
    loop {
        let mut more = Set::default();
        for group in &groups {
            if group.iter().any(|object| shared.contains(object)) {
                more.union(group);
            }
        }
        for object in shared.iter() {
            more.union(points_to.content(object));
        }
        let mut changed = false;
        for object in more.iter() {
            if !matches!(points_to.objects[object], Object::Function(_)) {
                changed |= shared.insert(object);
            }
        }
        if !changed {
            return Ok(shared);
        }
    }
}

/// The allocating calls of shared heap objects.
fn allocations<'p>(
    bounded: &'p Bounded,
    points_to: &PointsTo,
    shared: &Set,
) -> Result<FxHashMap<ObjectId, (FunctionId, &'p Stmt)>> {
    let mut found = FxHashMap::default();
    for (index, function) in bounded.program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        let mut fault = None;
        walk::statements(&function.body, &mut |stmt| {
            if let Some(object) = points_to.allocation(stmt)
                && shared.contains(object)
            {
                found.insert(object, (id, stmt));
                if let StmtKind::Call { callee, .. } = &stmt.kind
                    && bounded.program.operation(callee) == Some(Operation::Realloc)
                {
                    fault = Some(Diagnostic::unsupported(stmt.span, "realloc() of shared memory, with the schema lr"));
                }
            }
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
    }
    Ok(found)
}

/// The type of what malloc returns: an array of what the pointer points to, or bytes.
fn allocation_type(program: &mut Program, (_, stmt): (FunctionId, &Stmt)) -> Result<TypeId> {
    let StmtKind::Call { to, callee, args } = &stmt.kind else { unreachable!("an allocation is a call") };
    let factor = |index: usize| args.get(index).and_then(Expr::as_int);
    let size = match program.operation(callee) {
        Some(Operation::Calloc) => factor(0).zip(factor(1)).map(|(a, b)| a * b),
        _ => factor(0),
    };
    let Some(size) = size.filter(|size| (0..1 << 20).contains(size)) else {
        let text = "an allocation of shared memory whose size is not constant, with the schema lr";
        return Err(Diagnostic::unsupported(stmt.span, text));
    };
    let target = to.as_ref().and_then(|to| program.types.pointee(to.ty));
    let element = target.filter(|ty| {
        let bytes = if program.types.is_complete(*ty) { program.types.size(*ty) } else { 0 };
        bytes > 0 && (size as u64).is_multiple_of(bytes)
    });
    let element = match element {
        Some(element) => element,
        None => program.types.int(IntKind::UChar),
    };
    let count = size as u64 / program.types.size(element).max(1);
    Ok(program.types.intern(Type::Array(element, count.max(1))))
}

/// Values that cannot be guessed in a way every verifier understands.
fn refuse_unguessable(program: &Program, ty: TypeId, name: &str) -> Result<()> {
    let bad = |what: &str| {
        let text = format!("not supported: {what} in shared memory (`{name}`), with the schema lr");
        Err(Diagnostic { severity: Severity::Unsupported, ..Diagnostic::plain(text) })
    };
    match program.types.get(ty) {
        Type::Record(record) => {
            let record = program.types.record(*record);
            // The library's own types are guessed as bytes.
            if record.union && record.fields.iter().any(|field| covers(program, field.ty, record.size)) {
                return if record.is_of_thread_library() || !holds_pointer(program, ty) {
                    Ok(())
                } else {
                    bad("a union with a pointer")
                };
            }
            for field in &record.fields {
                if record.union && holds_pointer(program, field.ty) {
                    return bad("a union with a pointer");
                }
                refuse_unguessable(program, field.ty, name)?;
            }
            Ok(())
        }
        Type::Array(element, _) => refuse_unguessable(program, *element, name),
        Type::OpenArray(_) => bad("a flexible array member"),
        Type::VaList => bad("a list of variable arguments"),
        _ => Ok(()),
    }
}

/// An array of bytes as large as the union it belongs to.
fn covers(program: &Program, member: TypeId, size: u64) -> bool {
    let element = program.types.element(member);
    element.is_some_and(|element| program.types.size(element) == 1) && program.types.size(member) == size
}

fn holds_pointer(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => holds_pointer(program, *element),
        Type::Record(record) => {
            program.types.record(*record).fields.iter().any(|field| holds_pointer(program, field.ty))
        }
        _ => false,
    }
}

/// Rewrites every use of a shared object.
struct Mover<'a> {
    points_to: &'a PointsTo<'a>,
    memory: &'a Memory,
    original: &'a Program,
    program: &'a mut Program,
    record_type: TypeId,
}

impl Mover<'_> {
    fn program(&mut self) -> Result<()> {
        let original = self.original;
        for (index, function) in original.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            self.program.functions[index].body = self.block(&function.body, id)?;
        }
        let mut init: Vec<InitPart> = Vec::new();
        for (index, global) in original.globals.iter().enumerate() {
            let object = self.points_to.global(GlobalId(index as u32));
            let mut moved = Vec::new();
            for part in &global.init {
                moved.push(InitPart { path: part.path.clone(), value: self.expr(&part.value, original.main)? });
            }
            if self.memory.scalars.contains_key(&object) {
                moved.iter_mut().for_each(|part| part.path.insert(0, PathStep::Index(0)));
            }
            match self.memory.fields.get(&object) {
                None => self.program.globals[index].init = moved,
                Some(field) => init.extend(moved.into_iter().map(|part| {
                    let mut path = vec![PathStep::Index(0), PathStep::Field(*field)];
                    path.extend(part.path);
                    InitPart { path, value: part.value }
                })),
            }
        }
        // main exists from the beginning.
        let bool = self.program.types.int(IntKind::Bool);
        let path = vec![PathStep::Index(0), PathStep::Field(0), PathStep::Index(0)];
        init.push(InitPart { path, value: Expr::int(1, bool) });
        self.program.globals[self.memory.global.0 as usize].init = init;
        Ok(())
    }

    fn block(&mut self, block: &[Stmt], function: FunctionId) -> Result<Vec<Stmt>> {
        let mut out = Vec::with_capacity(block.len());
        for stmt in block {
            out.extend(self.statement(stmt, function)?);
            // Memory that is new holds any value.
            if let Some(fill) = self.fill(stmt)? {
                out.push(fill);
            }
        }
        Ok(out)
    }

    fn statement(&mut self, stmt: &Stmt, function: FunctionId) -> Result<Option<Stmt>> {
        let kind = match &stmt.kind {
            StmtKind::Declare(id) if self.memory.fields.contains_key(&self.points_to.local(function, *id)) => {
                return Ok(None);
            }
            StmtKind::Assign { to, value } => {
                StmtKind::Assign { to: self.place(to, function)?, value: self.expr(value, function)? }
            }
            StmtKind::Call { to, callee, args } => {
                return self.call(stmt, to.as_ref(), callee, args, function).map(Some);
            }
            StmtKind::If { condition, then, otherwise } => StmtKind::If {
                condition: self.expr(condition, function)?,
                then: self.block(then, function)?,
                otherwise: self.block(otherwise, function)?,
            },
            StmtKind::Return(Some(value)) => StmtKind::Return(Some(self.expr(value, function)?)),
            StmtKind::Loop(body) => StmtKind::Loop(self.block(body, function)?),
            StmtKind::Declare(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(None)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => stmt.kind.clone(),
        };
        Ok(Some(Stmt { kind, ..stmt.clone() }))
    }

    /// Any value for what malloc returns.
    fn fill(&mut self, stmt: &Stmt) -> Result<Option<Stmt>> {
        let object = match &stmt.kind {
            StmtKind::Call { callee, .. } if self.original.operation(callee) == Some(Operation::Malloc) => {
                self.points_to.allocation(stmt)
            }
            _ => None,
        };
        let Some(field) = object.and_then(|object| self.memory.fields.get(&object)).copied() else { return Ok(None) };
        let ty = self.program.types.record(self.memory.record).fields[field as usize].ty;
        let round = self.current_round();
        let to = self.copy_of(round, field, ty);
        let int = self.program.types.int(IntKind::Int);
        let nondet = crate::limit::nondet_function(&mut self.program.functions, &mut self.program.types, int);
        let kind = StmtKind::Call { to: Some(to), callee: Callee::Function(nondet), args: Vec::new() };
        Ok(Some(Stmt::new(kind, stmt.span)))
    }

    fn call(
        &mut self,
        stmt: &Stmt,
        to: Option<&Place>,
        callee: &Callee,
        args: &[Expr],
        function: FunctionId,
    ) -> Result<Stmt> {
        let to = to.map(|to| self.place(to, function)).transpose()?;
        let moved = |kind| Ok(Stmt { kind, ..*stmt });
        // Shared memory from malloc is there from the beginning.
        if let (Some(object), Some(to)) = (self.points_to.allocation(stmt), &to)
            && let Some(field) = self.memory.fields.get(&object)
        {
            let int = self.program.types.int(IntKind::Int);
            let field_type = self.program.types.record(self.memory.record).fields[*field as usize].ty;
            let element = self.program.types.element(field_type).expect("an allocation is an array");
            let mut place = self.copy_of(Expr::int(0, int), *field, field_type);
            place.projections.push(Projection::Index(Box::new(Expr::int(0, int)), element));
            place.ty = element;
            let pointer = self.program.types.pointer(element);
            let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer };
            let value =
                if to.ty == pointer { address } else { Expr { kind: ExprKind::Cast(Box::new(address)), ty: to.ty } };
            return moved(StmtKind::Assign { to: to.clone(), value });
        }
        let operation = self.original.operation(callee);
        if operation == Some(Operation::Free) && self.reaches_shared(&args[0], function) {
            let nothing = StmtKind::Label(crate::il::LabelId(u32::MAX));
            return moved(nothing);
        }
        let used: Vec<*const Expr> = operation_pointers(self.original, stmt).all().map(std::ptr::from_ref).collect();
        let mut new_args = Vec::new();
        for arg in args {
            let is_used = used.contains(&std::ptr::from_ref(arg)) && self.reaches_shared(arg, function);
            let value = self.expr(arg, function)?;
            new_args.push(if is_used { self.moved(value, arg) } else { value });
        }
        moved(StmtKind::Call { to, callee: callee.clone(), args: new_args })
    }

    fn reaches_shared(&self, pointer: &Expr, function: FunctionId) -> bool {
        self.points_to.value(function, pointer).iter().any(|object| self.memory.fields.contains_key(&object))
    }

    /// The copy of a field in a round.
    fn copy_of(&mut self, round: Expr, field: u32, ty: TypeId) -> Place {
        let index = Projection::Index(Box::new(round), self.record_type);
        let field = Projection::Field(self.memory.record, field);
        Place::new(Base::Global(self.memory.global), vec![index, field], ty)
    }

    fn current_round(&mut self) -> Expr {
        let unsigned = self.program.types.int(IntKind::UInt);
        Expr::load(Place::global(self.memory.round, unsigned))
    }

    /// A pointer into the first copy, moved to the copy of the current round.
    fn moved(&mut self, pointer: Expr, original: &Expr) -> Expr {
        let ty = pointer.ty;
        let (byte, unsigned, int) = (
            self.program.types.int(IntKind::Char),
            self.program.types.int(IntKind::UInt),
            self.program.types.int(IntKind::Int),
        );
        let bytes = self.program.types.pointer(byte);
        let size = self.program.types.size(self.record_type);
        let cast = |value: Expr, ty: TypeId| Expr { kind: ExprKind::Cast(Box::new(value)), ty };
        let binary = |op, a: Expr, b: Expr, ty| Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty };
        let round = self.current_round();
        let distance = binary(BinaryOp::Mul, round, Expr::int(i128::from(size), unsigned), unsigned);
        let from = cast(pointer.clone(), bytes);
        let shifted = cast(binary(BinaryOp::PointerAdd, from.clone(), distance, bytes), ty);
        // Text may also lie elsewhere: only what lies in the first copy is moved.
        let target = self.program.types.pointee(original.ty);
        let may_be_text =
            target.is_none_or(|ty| !self.program.types.is_complete(ty) || self.program.types.size(ty) <= 1);
        if !may_be_text {
            return shifted;
        }
        let copy = |index: i128| {
            let index = Projection::Index(Box::new(Expr::int(index, int)), self.record_type);
            let place = Place::new(Base::Global(self.memory.global), vec![index], self.record_type);
            Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: bytes }
        };
        let low = binary(BinaryOp::Ge, from.clone(), copy(0), int);
        let high = binary(BinaryOp::Lt, from, copy(1), int);
        let inside = binary(BinaryOp::LogicalAnd, low, high, int);
        Expr { kind: ExprKind::Conditional(Box::new(inside), Box::new(shifted), Box::new(pointer)), ty }
    }

    fn projections(&mut self, place: &Place, function: FunctionId) -> Result<Vec<Projection>> {
        let mut projections = Vec::new();
        for projection in &place.projections {
            projections.push(match projection {
                Projection::Field(..) => projection.clone(),
                Projection::Index(index, element) => Projection::Index(Box::new(self.expr(index, function)?), *element),
            });
        }
        Ok(projections)
    }

    /// The field of a variable, if it is shared.
    fn field(&self, base: &Base, function: FunctionId) -> Option<(u32, TypeId)> {
        let (object, ty) = match base {
            Base::Global(id) => (self.points_to.global(*id), self.original.global(*id).ty),
            Base::Local(id) => {
                let ty = self.original.function(function).locals[id.0 as usize].ty;
                (self.points_to.local(function, *id), ty)
            }
            Base::Deref(_) => return None,
        };
        self.memory.fields.get(&object).map(|field| (*field, ty))
    }

    fn variable(&mut self, place: &Place, round: Expr, function: FunctionId) -> Result<Option<Place>> {
        if let Base::Global(id) = place.base
            && self.memory.scalars.contains_key(&self.points_to.global(id))
        {
            let ty = self.original.global(id).ty;
            let index = Projection::Index(Box::new(round), ty);
            return Ok(Some(Place::new(place.base.clone(), vec![index], place.ty)));
        }
        let Some((field, ty)) = self.field(&place.base, function) else { return Ok(None) };
        let mut moved = self.copy_of(round, field, ty);
        moved.projections.extend(self.projections(place, function)?);
        moved.ty = place.ty;
        Ok(Some(moved))
    }

    /// A place that is read or written: in the copy of the current round.
    fn place(&mut self, place: &Place, function: FunctionId) -> Result<Place> {
        let round = self.current_round();
        if let Some(moved) = self.variable(place, round, function)? {
            return Ok(moved);
        }
        let base = match &place.base {
            Base::Deref(pointer) => {
                let value = self.expr(pointer, function)?;
                let shared = self.reaches_shared(pointer, function);
                Base::Deref(Box::new(if shared { self.moved(value, pointer) } else { value }))
            }
            other => other.clone(),
        };
        Ok(Place::new(base, self.projections(place, function)?, place.ty))
    }

    /// A place whose address is taken: in the first copy.
    fn address(&mut self, place: &Place, function: FunctionId) -> Result<Place> {
        let int = self.program.types.int(IntKind::Int);
        if let Some(moved) = self.variable(place, Expr::int(0, int), function)? {
            return Ok(moved);
        }
        let base = match &place.base {
            Base::Deref(pointer) => Base::Deref(Box::new(self.expr(pointer, function)?)),
            other => other.clone(),
        };
        Ok(Place::new(base, self.projections(place, function)?, place.ty))
    }

    fn expr(&mut self, expr: &Expr, function: FunctionId) -> Result<Expr> {
        let kind = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => expr.kind.clone(),
            ExprKind::Load(place) => ExprKind::Load(Box::new(self.place(place, function)?)),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(Box::new(self.address(place, function)?)),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, Box::new(self.expr(operand, function)?)),
            ExprKind::Binary(op, left, right) => {
                ExprKind::Binary(*op, Box::new(self.expr(left, function)?), Box::new(self.expr(right, function)?))
            }
            ExprKind::Cast(operand) => {
                let types = &self.original.types;
                let makes_pointer = types.pointee(expr.ty).is_some() && types.int_kind(operand.ty).is_some();
                if makes_pointer
                    && operand.as_int().is_none()
                    && !is_string(operand)
                    && self.reaches_shared(operand, function)
                {
                    let span = self.original.function(function).span;
                    return Err(Diagnostic::unsupported(
                        span,
                        "a shared pointer kept as an integer, with the schema lr",
                    ));
                }
                ExprKind::Cast(Box::new(self.expr(operand, function)?))
            }
            ExprKind::Conditional(condition, then, otherwise) => ExprKind::Conditional(
                Box::new(self.expr(condition, function)?),
                Box::new(self.expr(then, function)?),
                Box::new(self.expr(otherwise, function)?),
            ),
        };
        Ok(Expr { kind, ty: expr.ty })
    }
}

// ---- writing ----

fn declarations(writer: &Writer, names: &LrNames, memory: &Memory, rounds: u32) -> String {
    let LrNames { guess, at, error, failed, switch, stop, .. } = names;
    let (shared, k) = (&memory.name, &memory.round_name);
    let count = writer.bounded.threads.len();
    let c = &writer.common;
    let record = &writer.program.types.record(memory.record).name;
    let mut out = String::from("\n/* ---- simulation (Lal/Reps schema) ---- */\n\n");
    if !writer.options.backend.bit_vectors {
        out.push_str("#define nondet_round() nondet_uint()\n");
    } else {
        let width = 32 - rounds.leading_zeros();
        let _ = writeln!(
            out,
            "static unsigned nondet_round(void) {{ unsigned __CPROVER_bitvector[{width}] any; return any; }}"
        );
    }
    let _ = writeln!(out, "struct {record} {guess}[{}];", rounds + 1);
    for (name, ty) in scalar_arrays(writer, memory) {
        let _ = writeln!(out, "{};", writer.printer().declaration(ty, &format!("{guess}_{name}[{}]", rounds + 1)));
    }
    let _ = writeln!(out, "unsigned {at}, {};\n_Bool {error}, {failed};", c.current);
    if count > 1 {
        let _ = writeln!(out, "void *{}[{count}];", c.argument);
        let _ = writeln!(
            out,
            "static int {}(unsigned long *id, void *argument, unsigned thread) {{\n    {shared}[{k}].active[thread] = \
             1;\n    {}[thread] = argument;\n    *id = thread + 1;\n    return 0;\n}}",
            c.create, c.argument
        );
    }
    let store = if writer.wants_results {
        let _ = writeln!(out, "long {}[{count}];", c.result);
        format!(
            "    if (result) {{\n        if (narrow) *(int *)result = (int){0}[id - 1];\n        else *(void **)result \
             = (void *){0}[id - 1];\n    }}\n",
            c.result
        )
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "static int {}(unsigned long id, void *result, int narrow) {{\n    assume(id >= 1 && id <= {count});\n    \
         assume({failed} || {shared}[{k}].ended[id - 1]);\n{store}    return 0;\n}}",
        c.join
    );
    let _ = writeln!(
        out,
        "/* A context switch before step L: the thread goes on in a later round, or never (round {rounds}). */\n\
         #define {switch}(L) {{ unsigned next = nondet_round(); assume(next >= {k} && next <= {rounds}); {at} = L; {k} \
         = next; if ({k} == {rounds}) goto {stop}; }}"
    );
    out
}

struct Simulation<'w, 'b> {
    writer: &'w mut Writer<'b>,
    names: &'w LrNames,
    memory: &'w Memory,
    function: FunctionId,
    thread: usize,
    next: u32,
}

impl Simulation<'_, '_> {
    fn thread(&mut self) -> Result<()> {
        let function = self.writer.program.function(self.function).clone();
        super::lazy::head(self.writer, &function, self.thread);
        // Every call is the only one, but statics start with known values as everywhere.
        self.writer.indent = 1;
        self.block(&function.body, &function)?;
        let stop = format!("{}: ;", self.names.stop);
        self.writer.indent = 0;
        self.writer.line(&stop);
        self.writer.line("}");
        Ok(())
    }

    fn block(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        for stmt in block {
            self.statement(stmt, function)?;
        }
        Ok(())
    }

    fn step(&mut self, stmt: &Stmt) {
        if stmt.visible {
            let text = format!("{}({})", self.names.switch, self.next);
            self.writer.line(&text);
            self.next += 1;
        }
    }

    fn statement(&mut self, stmt: &Stmt, function: &Function) -> Result<()> {
        let (shared, k) = (self.memory.name.clone(), self.memory.round_name.clone());
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.step(stmt);
                let text = format!("if ({}) {{", self.writer.expr(condition, &function.locals, 0));
                self.writer.marked(&text, stmt.span);
                self.inner(then, function)?;
                if !otherwise.is_empty() {
                    self.writer.line("} else {");
                    self.inner(otherwise, function)?;
                }
                self.writer.line("}");
            }
            StmtKind::Goto(label) => {
                self.writer.marked(&format!("goto {};", function.labels[label.0 as usize]), stmt.span);
            }
            StmtKind::Label(label) => {
                if let Some(name) = function.labels.get(label.0 as usize) {
                    let text = format!("{name}: ;");
                    self.writer.line(&text);
                }
            }
            StmtKind::Return(value) => {
                if self.thread == 0 {
                    self.next += u32::from(stmt.visible);
                    let text = format!("goto {}; /* the process would end */", self.names.stop);
                    self.writer.line(&text);
                    return Ok(());
                }
                if let (Some(value), true) = (value, self.writer.wants_results) {
                    let value = self.writer.expr(value, &function.locals, crate::il::print::UNARY);
                    let text = format!(
                        "assume({} || {}[{}] == (long){value});",
                        self.names.failed, self.writer.common.result, self.thread
                    );
                    self.writer.line(&text);
                }
                self.writer.line(&format!("{shared}[{k}].ended[{}] = 1;", self.thread));
            }
            StmtKind::Declare(_) => {}
            StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {
                self.step(stmt);
                if stmt.visible && self.next == 1 {
                    self.writer.line(&format!("assume({shared}[{k}].active[{}]);", self.thread));
                    return Ok(());
                }
                if self.leaves_main(stmt) {
                    self.writer.line(&format!("{shared}[{k}].ended[0] = 1;"));
                }
                for line in self.writer.plain(stmt, &function.locals)? {
                    self.writer.marked(&line, stmt.span);
                }
            }
        }
        Ok(())
    }

    fn leaves_main(&self, stmt: &Stmt) -> bool {
        let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
        self.writer.program.operation(callee) == Some(Operation::ThreadExit)
    }

    fn inner(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        self.writer.indent += 1;
        self.block(block, function)?;
        self.writer.indent -= 1;
        Ok(())
    }
}

fn driver(writer: &mut Writer, names: &LrNames, memory: &Memory, order: &[usize], rounds: u32) -> Result<()> {
    let LrNames { guess, error, failed, end, r, .. } = names;
    let (shared, k) = (memory.name.clone(), memory.round_name.clone());
    let (current, argument) = (writer.common.current.clone(), writer.common.argument.clone());
    if !writer.options.backend.bit_vectors {
        writer.any_of("uint", "unsigned int", ValueKind::Integer);
    }
    let fields = memory.contents.clone();
    let scalars = scalar_arrays(writer, memory);
    writer.line(&format!("\n/* What memory holds when a round begins. */\nstatic void {guess}_round(unsigned {r}) {{"));
    writer.indent = 1;
    for field in &fields {
        guess_values(writer, (memory, &field.functions), &format!("{shared}[{r}].{}", field.name), field.ty, 0);
    }
    for (name, ty) in &scalars {
        let any = writer.any(*ty);
        writer.line(&format!("{guess}_{name}[{r}] = {any}; {name}[{r}] = {guess}_{name}[{r}];"));
    }
    writer.line(&format!("{guess}[{r}] = {shared}[{r}];"));
    writer.indent = 0;
    writer.line("}");
    writer.line(&format!(
        "\n/* A round has ended with what was guessed for the next one. */\nstatic void {end}_round(unsigned {r}) {{"
    ));
    writer.indent = 1;
    for Content { name, ty, .. } in &fields {
        compare_values(writer, &format!("{shared}[{r}].{name}"), &format!("{guess}[{r} + 1].{name}"), *ty, 0);
    }
    for (name, ty) in &scalars {
        compare_values(writer, &format!("{name}[{r}]"), &format!("{guess}_{name}[{r} + 1]"), *ty, 0);
    }
    writer.indent = 0;
    writer.line("}\n");
    writer.line(&writer.options.backend.main_head());
    writer.indent = 1;
    for round in 1..rounds {
        writer.line(&format!("{guess}_round({round});"));
    }
    if writer.wants_results {
        let any = writer.any_of("long", "long", ValueKind::Integer);
        for thread in 1..writer.bounded.threads.len() {
            let text = format!("{}[{thread}] = {any};", writer.common.result);
            writer.line(&text);
        }
    }
    for thread in order {
        let function = writer.thread_function(*thread);
        let (name, has_parameter) = (function.name.clone(), !function.params.is_empty() && *thread != 0);
        let value = if has_parameter { format!("{argument}[{thread}]") } else { String::new() };
        writer.line(&format!("{current} = {thread}; {k} = 0; {failed} = 0; {name}({value});"));
    }
    for round in 0..rounds.saturating_sub(1) {
        writer.line(&format!("{end}_round({round});"));
    }
    writer.line(&format!("assert(!{error});"));
    if writer.options.backend.runs() {
        for Content { name, ty, .. } in &fields {
            if writer.program.types.int_kind(*ty).is_some() {
                writer.line(&format!("printf(\"{name} = %lld\\n\", (long long){shared}[{}].{name});", rounds - 1));
            }
        }
        for (name, ty) in &scalars {
            if writer.program.types.int_kind(*ty).is_some() {
                writer.line(&format!("printf(\"{name} = %lld\\n\", (long long){name}[{}]);", rounds - 1));
            }
        }
    }
    writer.line("return 0;");
    writer.indent = 0;
    writer.line("}");
    Ok(())
}

/// The scalars that are arrays of their own: name and type of an element.
fn scalar_arrays(writer: &Writer, memory: &Memory) -> Vec<(String, TypeId)> {
    let mut ids: Vec<GlobalId> = memory.scalars.values().copied().collect();
    ids.sort();
    let element = |ty: TypeId| writer.program.types.element(ty).expect("an array per scalar");
    let globals = ids.into_iter().map(|id| writer.program.global(id));
    globals.map(|global| (global.name.clone(), element(global.ty))).collect()
}

/// Any value for every scalar; a pointer is null or an address in the first copy of shared memory.
fn guess_values(writer: &mut Writer, (memory, functions): (&Memory, &[String]), text: &str, ty: TypeId, depth: usize) {
    match writer.program.types.get(ty).clone() {
        Type::Pointer(to) if matches!(writer.program.types.get(to), Type::Function(_)) => {
            let choice = writer.any_of("uint", "unsigned int", ValueKind::Integer);
            let pointer = writer.type_text(ty);
            let mut value = "0".to_owned();
            for (index, function) in functions.iter().enumerate() {
                value = format!("choice == {} ? ({pointer}){function} : {value}", index + 1);
            }
            writer.line(&format!("{{ unsigned choice = {choice}; {text} = {value}; }}"));
        }
        Type::Pointer(_) => {
            let offset = writer.any_of("uint", "unsigned int", ValueKind::Integer);
            let record = writer.program.types.intern(Type::Record(memory.record));
            let size = writer.program.types.size(record);
            let pointer = writer.type_text(ty);
            writer.line(&format!(
                "{{ unsigned offset = {offset}; assume(offset <= {size}); {text} = offset == {size} ? 0 : \
                 ({pointer})((char *)&{}[0] + offset); }}",
                memory.name
            ));
        }
        Type::Array(element, count) => {
            let index = format!("seq_i{depth}");
            writer.line(&format!("for (unsigned {index} = 0; {index} < {count}; {index}++) {{"));
            writer.indent += 1;
            guess_values(writer, (memory, functions), &format!("{text}[{index}]"), element, depth + 1);
            writer.indent -= 1;
            writer.line("}");
        }
        Type::Record(record) => {
            for (member, ty) in members(writer, record) {
                guess_values(writer, (memory, functions), &format!("{text}.{member}"), ty, depth);
            }
        }
        Type::Int(_) | Type::Float(_) => {
            let any = writer.any(ty);
            writer.line(&format!("{text} = {any};"));
        }
        _ => {}
    }
}

/// The named members that together cover a struct; of a union the bytes, or the largest member.
fn members(writer: &Writer, record: RecordId) -> Vec<(String, TypeId)> {
    let types = &writer.program.types;
    let all = writer.members(record);
    let record = types.record(record);
    if !record.union {
        return all;
    }
    let bytes = all.iter().find(|(_, ty)| covers(&writer.program, *ty, record.size));
    let one = bytes.or_else(|| all.iter().max_by_key(|(_, ty)| types.size(*ty)));
    one.cloned().into_iter().collect()
}

fn compare_values(writer: &mut Writer, left: &str, right: &str, ty: TypeId, depth: usize) {
    match writer.program.types.get(ty).clone() {
        Type::Array(element, count) => {
            let index = format!("seq_i{depth}");
            writer.line(&format!("for (unsigned {index} = 0; {index} < {count}; {index}++) {{"));
            writer.indent += 1;
            let (left, right) = (format!("{left}[{index}]"), format!("{right}[{index}]"));
            compare_values(writer, &left, &right, element, depth + 1);
            writer.indent -= 1;
            writer.line("}");
        }
        Type::Record(record) => {
            for (member, ty) in members(writer, record) {
                compare_values(writer, &format!("{left}.{member}"), &format!("{right}.{member}"), ty, depth);
            }
        }
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
            writer.line(&format!("assume({left} == {right});"));
        }
        _ => {}
    }
}
