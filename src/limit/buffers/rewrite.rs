//! The bounded thread with its buffer as variables, and the threads that take its stores to memory: see [`super`] for what
//! they look like.

use super::{Alias, PARTS, Spot, Store, address_taken, alias, aliases, drains_as_stub, is_private, loads, spot};
use crate::analysis::drains::{self, Effect, section_after};
use crate::analysis::points_to::PointsTo;
use crate::analysis::sharing::operation_pointers;
use crate::diagnostic::{Diagnostic, Span};
use crate::il::print::is_bit_field;
use crate::il::{
    Base, BinaryOp, Buffering, CONTINUED, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId,
    IntKind, Local, LocalId, Operation, Place, Program, Projection, StatementId, Stmt, StmtKind, TypeId, UnaryOp,
    operation, walk,
};
use crate::limit::unroll::nondet_function;
use crate::limit::{Bounded, LimitError, Thread};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The variables of a store that may wait.
struct Slot {
    waits: Place,
    value: Place,
    /// Its address, if the place is not the same for all threads.
    address: Option<Place>,
}

pub(super) fn rewrite(
    bounded: &mut Bounded,
    (thread, buffering): (usize, Buffering),
    (before, points_to): (&Program, &PointsTo),
    (stores, waits_at): (&[Store], &FxHashMap<StatementId, BTreeSet<usize>>),
    waiting: &BTreeSet<usize>,
) -> Result<(), LimitError> {
    let function = bounded.threads[thread].function;
    let span = bounded.program.function(function).span;
    let program = &mut bounded.program;
    let boolean = program.types.int(IntKind::Bool);
    let mut names = Names::new(program);
    let mut slots: FxHashMap<usize, Slot> = FxHashMap::default();
    for at in waiting {
        let store = &stores[*at];
        if store.by_call {
            let text = "a function of the C library that writes memory, where stores wait before they reach it";
            return Err(unsupported(before, store, text).into());
        }
        if is_bit_field(before, &store.place) {
            return Err(unsupported(before, store, "bit-fields that wait before they reach memory").into());
        }
        if !before.types.is_scalar(store.place.ty) {
            return Err(unsupported(before, store, "whole structures that wait before they reach memory").into());
        }
        let ty = program.types.unqualified(store.place.ty);
        let waits = names.global(program, "waits", boolean, span);
        let value = names.global(program, "value", ty, span);
        let address = (store.spot == Spot::Unknown).then(|| {
            let ty = program.types.pointer(ty);
            names.global(program, "address", ty, span)
        });
        slots.insert(*at, Slot { waits, value, address });
    }
    let separate = stores
        .iter()
        .enumerate()
        .filter(|(_, store)| store.is_fence && store.before.iter().any(|at| waiting.contains(at)));
    let made: FxHashMap<usize, Place> =
        separate.map(|(at, _)| (at, names.global(program, "made", boolean, span))).collect();
    let origins = origins(before.function(function), stores);
    // Addresses of all that is read or written are compared.
    walk::statements(&before.function(function).body, &mut |stmt| {
        walk::accesses(stmt, &mut |place, _| {
            let ty = program.types.unqualified(place.ty);
            program.types.pointer(ty);
        });
    });
    // What has parts in common has no order that could be told by places.
    for (later, earlier) in waiting.iter().flat_map(|later| waiting.range(..later).map(move |earlier| (later, earlier)))
    {
        if buffering == Buffering::Pso
            && let Err(text) = alias(before, &stores[*earlier], &stores[*later])
        {
            return Err(unsupported(before, &stores[*later], text).into());
        }
    }
    let mut declared = |operation: Operation, name: &str| {
        operation::declare_named(&mut program.functions, &mut program.types, operation, name)
    };
    let (waits, reaches) =
        (declared(Operation::Nothing, operation::WAITS), declared(Operation::Nothing, operation::REACHES));
    let (begin, end) = (
        declared(Operation::AtomicBegin, "__VERIFIER_atomic_begin"),
        declared(Operation::AtomicEnd, "__VERIFIER_atomic_end"),
    );
    let assume = declared(Operation::Assume, "__VERIFIER_assume");
    let mut writer = Writer {
        before,
        points_to,
        function,
        buffering,
        stores,
        waits_at,
        by_id: stores.iter().enumerate().map(|(at, store)| (store.id, at)).collect(),
        marked: origins.values().copied().collect(),
        origins,
        slots: &slots,
        made: &made,
        known: address_taken(before.function(function)),
        is_main: thread == 0,
        begin,
        end,
        assume,
        waits,
        reaches,
        any: nondet_function(&mut program.functions, &mut program.types, boolean),
        int: program.types.int(IntKind::Int),
        boolean,
        types: program.types.clone(),
        locals: program.function(function).locals.clone(),
        fault: None,
    };
    let body = writer.block(&before.function(function).body, None);
    if let Some(fault) = writer.fault {
        return Err(fault.into());
    }
    // Under PSO what is not known to be the same place has a thread of its own.
    let mut lanes: Vec<(Option<Spot>, Vec<usize>)> = Vec::new();
    for at in waiting {
        let key = match (buffering, &stores[*at].spot) {
            (Buffering::Tso, _) => Some(Spot::Unknown),
            (Buffering::Pso, Spot::Unknown) => None,
            (Buffering::Pso, spot) => Some(spot.clone()),
        };
        match lanes.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
            Some((_, lane)) => lane.push(*at),
            None => lanes.push((key, vec![*at])),
        }
    }
    let lanes: Vec<(Vec<Stmt>, Vec<Local>)> = lanes.iter().map(|(_, lane)| writer.lane(lane, span)).collect();
    let (locals, types) = (std::mem::take(&mut writer.locals), writer.types.clone());
    program.types = types;
    let void = program.types.void();
    let pointer = program.types.pointer(void);
    let own = &mut program.functions[function.0 as usize];
    (own.body, own.locals) = (body, locals);
    let mut lanes_made = Vec::new();
    for (body, locals) in lanes {
        let name = names.unique("__unthread_buffer");
        let lane = FunctionId(program.functions.len() as u32);
        let mut locals = locals;
        locals.insert(0, Local { name: "nothing".to_owned(), ty: pointer, align: 0, shared: false, span });
        program.functions.push(Function {
            name: name.clone(),
            kind: FunctionKind::Defined,
            ty: program.types.intern(crate::il::Type::Function(crate::il::types::FunctionType {
                result: pointer,
                params: vec![pointer],
                variadic: false,
                prototyped: true,
            })),
            params: vec![LocalId(0)],
            locals,
            labels: Vec::new(),
            body,
            atomic: false,
            does: None,
            internal: false,
            span,
        });
        lanes_made.push((lane, name));
    }
    create_lanes(bounded, thread, lanes_made, &mut names, &slots);
    Ok(())
}

/// Buffers begin before their thread does, by whoever creates it, so that in a round they come before it; those of `main`
/// where they are first needed.
fn create_lanes(
    bounded: &mut Bounded,
    thread: usize,
    lanes: Vec<(FunctionId, String)>,
    names: &mut Names,
    slots: &FxHashMap<usize, Slot>,
) {
    let function = bounded.threads[thread].function;
    let parent = if thread == 0 { 0 } else { bounded.threads[thread].parent };
    let creator = bounded.threads[parent].function;
    let program = &mut bounded.program;
    let void = program.types.void();
    let pointer = program.types.pointer(void);
    let int = program.types.int(IntKind::Int);
    let id_type = program.types.int(IntKind::ULong);
    let create = operation::declare(&mut program.functions, &mut program.types, Operation::Create, "pthread_create");
    let mut creations = Vec::new();
    for (lane, name) in lanes {
        let lane_type = program.types.pointer(program.functions[lane.0 as usize].ty);
        let to = program.types.pointer(id_type);
        let own = &mut program.functions[creator.0 as usize];
        let (span, id) = (own.span, LocalId(own.locals.len() as u32));
        own.locals.push(Local { name: names.unique("buffer"), ty: id_type, align: 0, shared: false, span });
        let address = Expr { kind: ExprKind::AddressOf(Box::new(Place::local(id, id_type))), ty: to };
        let null = Expr { kind: ExprKind::Cast(Box::new(Expr::int(0, int))), ty: pointer };
        let args = vec![address, null.clone(), Expr { kind: ExprKind::Function(lane), ty: lane_type }, null];
        let kind = StmtKind::Call { to: None, callee: Callee::Function(create), args };
        creations.extend([Stmt::new(StmtKind::Declare(id), span), Stmt::new(kind, span)]);
        bounded.threads.push(Thread { function: lane, start: name, parent, steps: 0, buffer_of: Some(thread) });
    }
    let own = &mut bounded.program.functions[creator.0 as usize];
    if thread == 0 {
        let at = first_use(&own.body, slots);
        own.body.splice(at..at, creations);
    } else {
        insert_before_creation(&mut own.body, function, &mut creations);
    }
}

fn insert_before_creation(block: &mut Vec<Stmt>, function: FunctionId, creations: &mut Vec<Stmt>) {
    let creates = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Call { args, .. } => {
            args.iter().any(|arg| matches!(arg.kind, ExprKind::Function(id) if id == function))
        }
        _ => false,
    };
    if let Some(at) = block.iter().position(creates) {
        block.splice(at..at, std::mem::take(creations));
        return;
    }
    for stmt in block {
        stmt.kind.blocks_mut().for_each(|inner| insert_before_creation(inner, function, creations));
    }
}

/// The first statement of the body that needs the buffers, or that leads past it.
fn first_use(body: &[Stmt], slots: &FxHashMap<usize, Slot>) -> usize {
    let variables: FxHashSet<GlobalId> = slots
        .values()
        .filter_map(|slot| match slot.waits.base {
            Base::Global(id) => Some(id),
            Base::Local(_) | Base::Deref(_) => None,
        })
        .collect();
    let uses = |stmt: &Stmt| {
        let mut found = Vec::new();
        walk::mentions(std::slice::from_ref(stmt), &mut found, &mut Vec::new());
        found.iter().any(|id| variables.contains(id))
    };
    let mut at = body.iter().position(uses).unwrap_or(0);
    loop {
        let mut later = FxHashSet::default();
        walk::statements(&body[at..], &mut |stmt| {
            if let StmtKind::Label(label) = stmt.kind {
                later.insert(label);
            }
        });
        let leads_past = |stmt: &Stmt| {
            let mut found = false;
            walk::statements(std::slice::from_ref(stmt), &mut |inner| {
                found |= matches!(&inner.kind, StmtKind::Goto(label) if later.contains(label));
            });
            found
        };
        match body[..at].iter().position(leads_past) {
            Some(earlier) => at = earlier,
            None => return at,
        }
    }
}

/// The numbers of the statements of stores.
fn origins(function: &Function, stores: &[Store]) -> FxHashMap<StatementId, u32> {
    let wanted: FxHashSet<StatementId> = stores.iter().map(|store| store.id).collect();
    let mut found = FxHashMap::default();
    walk::statements(&function.body, &mut |stmt| {
        if wanted.contains(&stmt.id) {
            found.insert(stmt.id, stmt.origin & !CONTINUED);
        }
    });
    found
}

/// The expressions of a statement itself, those of its target's place included.
fn each_expr(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Assign { to, value } => {
            each_in_place(to, visit);
            visit(value);
        }
        StmtKind::Call { to, callee, args } => {
            to.iter_mut().for_each(|to| each_in_place(to, visit));
            if let Callee::Pointer(pointer) = callee {
                visit(pointer);
            }
            args.iter_mut().for_each(visit);
        }
        StmtKind::If { condition, .. } => visit(condition),
        StmtKind::Return(value) => value.iter_mut().for_each(visit),
        StmtKind::VaStart(place) | StmtKind::VaEnd(place) => each_in_place(place, visit),
        StmtKind::VaArg { to, list } => {
            each_in_place(to, visit);
            each_in_place(list, visit);
        }
        StmtKind::VaCopy { to, from } => {
            each_in_place(to, visit);
            each_in_place(from, visit);
        }
        StmtKind::Declare(_)
        | StmtKind::Loop(_)
        | StmtKind::Block(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_) => {}
    }
}

fn each_in_place(place: &mut Place, visit: &mut dyn FnMut(&mut Expr)) {
    if let Base::Deref(pointer) = &mut place.base {
        visit(pointer);
    }
    for projection in &mut place.projections {
        if let Projection::Index(index, _) = projection {
            visit(index);
        }
    }
}

/// Reads of these places become reads of those.
fn replace(expr: &mut Expr, changes: &[(Place, Place)]) {
    match &mut expr.kind {
        ExprKind::Load(place) => match changes.iter().find(|(known, _)| known == &**place) {
            Some((_, seen)) => **place = seen.clone(),
            None => each_in_place(place, &mut |inner| replace(inner, changes)),
        },
        ExprKind::AddressOf(place) => each_in_place(place, &mut |inner| replace(inner, changes)),
        ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => replace(inner, changes),
        ExprKind::Binary(_, left, right) => {
            replace(left, changes);
            replace(right, changes);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            replace(condition, changes);
            replace(then, changes);
            replace(otherwise, changes);
        }
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => {}
    }
}

fn unsupported(program: &Program, store: &Store, text: &str) -> Diagnostic {
    let mut span = Span::default();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if stmt.id == store.id {
                span = stmt.span;
            }
        });
    }
    Diagnostic::unsupported(span, text)
}

/// Names that nothing else has.
struct Names(FxHashSet<String>);

impl Names {
    fn new(program: &Program) -> Names {
        let globals = program.globals.iter().map(|global| global.name.clone());
        let locals = program.functions.iter().flat_map(|function| &function.locals).map(|local| local.name.clone());
        Names(globals.chain(locals).chain(program.functions.iter().map(|function| function.name.clone())).collect())
    }

    fn unique(&mut self, wanted: &str) -> String {
        let numbered = (1..).map(|number: u32| format!("{wanted}_{number}"));
        let name = numbered.into_iter().find(|name| !self.0.contains(name)).expect("there are enough numbers");
        self.0.insert(name.clone());
        name
    }

    fn global(&mut self, program: &mut Program, wanted: &str, ty: TypeId, span: Span) -> Place {
        let id = GlobalId(program.globals.len() as u32);
        program.globals.push(Global {
            name: self.unique(wanted),
            ty,
            init: Vec::new(),
            thread_local: false,
            align: 0,
            external: false,
            internal: false,
            library: false,
            model: false,
            span,
        });
        Place::global(id, ty)
    }
}

struct Writer<'a> {
    before: &'a Program,
    points_to: &'a PointsTo<'a>,
    function: FunctionId,
    buffering: Buffering,
    stores: &'a [Store],
    waits_at: &'a FxHashMap<StatementId, BTreeSet<usize>>,
    by_id: FxHashMap<StatementId, usize>,
    /// The numbers of statements that store in some copy: an execution tells of each copy when it reaches memory.
    marked: FxHashSet<u32>,
    origins: FxHashMap<StatementId, u32>,
    slots: &'a FxHashMap<usize, Slot>,
    /// For what separates stores: whether it was done.
    made: &'a FxHashMap<usize, Place>,
    known: FxHashSet<LocalId>,
    is_main: bool,
    begin: FunctionId,
    end: FunctionId,
    assume: FunctionId,
    waits: FunctionId,
    reaches: FunctionId,
    any: FunctionId,
    int: TypeId,
    boolean: TypeId,
    types: crate::il::Types,
    locals: Vec<Local>,
    fault: Option<Diagnostic>,
}

impl Writer<'_> {
    /// A block of the thread; before the thread ends all its stores have reached memory.
    fn block(&mut self, block: &[Stmt], section: Option<Effect>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(block.len());
        let mut section = section;
        for (at, stmt) in block.iter().enumerate() {
            let effect = drains::effect(self.before, false, block, at);
            let outside = section.is_none();
            section = section_after(self.before, stmt, effect, section);
            // The process ends with `main`, and nobody sees what comes after that.
            let ends = matches!(stmt.kind, StmtKind::Return(_)) && !self.is_main;
            if outside && (effect == Effect::Drains || drains_as_stub(self.before, stmt) || ends) {
                self.drain(stmt, &mut out);
            }
            if let Some(made) = self.by_id.get(&stmt.id).and_then(|at| self.made.get(at)) {
                out.push(self.set(made, 1, stmt.span));
            }
            self.statement(stmt, section, &mut out);
        }
        out
    }

    fn statement(&mut self, stmt: &Stmt, section: Option<Effect>, out: &mut Vec<Stmt>) {
        let mut stmt = stmt.clone();
        match &mut stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                *then = self.block(then, section);
                *otherwise = self.block(otherwise, section);
            }
            StmtKind::Block(body) => *body = self.block(body, section),
            StmtKind::Loop(_) => unreachable!("loops were refused"),
            StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {}
        }
        if section == Some(Effect::Drains) {
            return out.push(stmt);
        }
        let mut before = Vec::new();
        let origin = stmt.origin;
        self.forward(&mut stmt, &mut before);
        let stored = self.by_id.get(&stmt.id).copied().filter(|at| self.slots.contains_key(at));
        let marker = |writer: &Self, stmt: &Stmt| {
            let writes = matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { to: Some(_), .. });
            (writes && writer.marked.contains(&(origin & !CONTINUED))).then(|| writer.marker(writer.reaches, stmt, 0))
        };
        if stored.is_none() && before.is_empty() {
            let marker = marker(self, &stmt);
            out.push(stmt);
            return out.extend(marker);
        }
        // A value that a call gives is taken before the store.
        if let (Some(at), StmtKind::Call { to: Some(to), .. }) = (stored, &mut stmt.kind) {
            let place = std::mem::replace(to, self.variable(self.stores[at].place.ty, stmt.span));
            let value = Expr::load(to.clone());
            let span = stmt.span;
            out.append(&mut before);
            out.push(stmt.clone());
            let rest = Stmt {
                id: stmt.id,
                origin: origin | CONTINUED,
                ..Stmt::new(StmtKind::Assign { to: place, value }, span)
            };
            stmt = rest;
        }
        let span = stmt.span;
        let whole = section.is_none() && !matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Return(_));
        if whole {
            out.push(Stmt { origin: stmt.origin, ..self.call(self.begin, Vec::new(), span) });
            stmt.origin |= CONTINUED;
        } else if section.is_none() {
            // The condition is looked at in one step, and what depends on it comes after that.
            out.push(self.call(self.begin, Vec::new(), span));
            out.append(&mut before);
            out.push(self.call(self.end, Vec::new(), span));
        }
        out.append(&mut before);
        match stored {
            Some(at) => self.store(at, stmt, out),
            None => {
                let marker = marker(self, &stmt);
                out.push(stmt);
                out.extend(marker);
            }
        }
        if whole {
            out.push(self.call(self.end, Vec::new(), span));
        }
    }

    /// A store: now, or later.
    fn store(&mut self, at: usize, stmt: Stmt, out: &mut Vec<Stmt>) {
        let StmtKind::Assign { to, value } = &stmt.kind else { unreachable!("calls were taken apart") };
        let (span, store) = (stmt.span, &self.stores[at]);
        let slot = &self.slots[&at];
        let now = self.variable(self.boolean, span);
        let any = StmtKind::Call { to: Some(now.clone()), callee: Callee::Function(self.any), args: Vec::new() };
        out.push(Stmt::new(any, span));
        let mut condition = self.truth(&now);
        for earlier in store.before.iter().rev().filter(|earlier| self.slots.contains_key(earlier)) {
            let Some(holds) = self.holds_back(*earlier, at, Some(to)) else { continue };
            condition = self.and(condition, self.not(holds));
        }
        let mut later = Vec::new();
        if let Some(address) = &slot.address {
            // Whether it can be written is found out now.
            let checked = self.variable(store.place.ty, span);
            later.push(Stmt::new(StmtKind::Assign { to: checked, value: Expr::load(to.clone()) }, span));
            let pointer = self.types.pointer(self.types.unqualified(to.ty));
            let value = Expr { kind: ExprKind::AddressOf(Box::new(to.clone())), ty: pointer };
            later.push(Stmt::new(StmtKind::Assign { to: address.clone(), value }, span));
        }
        later.push(Stmt {
            origin: stmt.origin,
            ..Stmt::new(StmtKind::Assign { to: slot.value.clone(), value: value.clone() }, span)
        });
        later.push(self.set(&slot.waits, 1, span));
        later.push(self.marker(self.waits, &stmt, at));
        let marker = self.marker(self.reaches, &stmt, at);
        out.push(Stmt::new(StmtKind::If { condition, then: vec![stmt, marker], otherwise: later }, span));
    }

    /// Must a store (at this place, if it is not made yet) wait while an earlier one does? `None`: never.
    fn holds_back(&self, earlier: usize, at: usize, place: Option<&Place>) -> Option<Expr> {
        let waits = self.truth(&self.slots[&earlier].waits);
        let (first, second) = (&self.stores[earlier], &self.stores[at]);
        if self.buffering == Buffering::Tso {
            return Some(waits);
        }
        // Something between them keeps them in order, if it was done.
        let between: Vec<Expr> = (earlier + 1..at)
            .filter(|middle| self.stores[*middle].is_fence && self.stores[*middle].before.contains(&earlier))
            .filter_map(|middle| self.made.get(&middle))
            .map(|made| self.truth(made))
            .collect();
        let same = match alias(self.before, first, second) {
            Ok(Alias::Never) => None,
            Ok(Alias::Always) => return Some(waits),
            Ok(Alias::Perhaps) | Err(_) => {
                let address = |at: usize, place: Option<&Place>| match (&self.slots[&at].address, place) {
                    (_, Some(place)) => self.address(place),
                    (Some(address), None) => Expr::load(address.clone()),
                    (None, None) => self.address(&self.stores[at].place),
                };
                Some(self.equal(address(earlier, None), address(at, place)))
            }
        };
        let reason = between.into_iter().chain(same).reduce(|a, b| self.or(a, b))?;
        Some(self.and(waits, reason))
    }

    /// What the statement reads is what its own stores say that wait, or memory.
    fn forward(&mut self, stmt: &mut Stmt, before: &mut Vec<Stmt>) {
        let span = stmt.span;
        let mut changes: Vec<(Place, Place)> = Vec::new();
        let mut fault = None;
        let waiting = self.waiting(stmt);
        if waiting.is_empty() {
            return;
        }
        let pointers = operation_pointers(self.before, stmt);
        for pointer in pointers.read.iter().chain(&pointers.written) {
            let objects = self.points_to.value(self.function, pointer);
            let touches = |at: &usize| self.stores[*at].objects.iter().any(|object| objects.contains(object));
            if waiting.iter().any(touches) {
                fault = fault.or(Some("a function of the C library on memory for which stores wait"));
            }
        }
        for place in loads(stmt) {
            if is_private(place, &self.known) || changes.iter().any(|(known, _)| known == place) {
                continue;
            }
            let objects = self.points_to.place_objects(self.function, place);
            let here = spot(self.before, place);
            let mut found = Vec::new();
            for at in waiting.iter().copied() {
                let store = &self.stores[at];
                match aliases(self.before, (place, &objects, &here), (&store.place, &store.objects, &store.spot)) {
                    Ok(Alias::Never) => {}
                    Ok(alias) => found.push((at, alias)),
                    Err(text) => fault = fault.or(Some(text)),
                }
            }
            if found.is_empty() {
                continue;
            }
            if is_bit_field(self.before, place) || !self.before.types.is_scalar(place.ty) {
                fault = fault.or(Some("bit-fields and structures that wait before they reach memory"));
                continue;
            }
            let seen = self.variable(place.ty, span);
            let mut reading =
                vec![Stmt::new(StmtKind::Assign { to: seen.clone(), value: Expr::load(place.clone()) }, span)];
            for (at, alias) in found {
                let slot = &self.slots[&at];
                let mut condition = self.truth(&slot.waits);
                if alias == Alias::Perhaps {
                    let address = match &slot.address {
                        Some(address) => Expr::load(address.clone()),
                        None => self.address(&self.stores[at].place),
                    };
                    condition = self.and(condition, self.equal(address, self.address(place)));
                }
                let mut value = Expr::load(slot.value.clone());
                if self.types.unqualified(slot.value.ty) != self.types.unqualified(place.ty) {
                    fault = fault.or((!self.same_bits(slot.value.ty, place.ty)).then_some(PARTS));
                    value = Expr { kind: ExprKind::Cast(Box::new(value)), ty: self.types.unqualified(place.ty) };
                }
                let own = vec![Stmt::new(StmtKind::Assign { to: seen.clone(), value }, span)];
                reading = vec![Stmt::new(StmtKind::If { condition, then: own, otherwise: reading }, span)];
            }
            before.extend(reading);
            changes.push((place.clone(), seen));
        }
        if let Some(text) = fault {
            self.fault.get_or_insert(Diagnostic::unsupported(span, text));
        }
        if changes.is_empty() {
            return;
        }
        each_expr(stmt, &mut |expr| replace(expr, &changes));
    }

    /// Integers and pointers of one size convert without loss.
    fn same_bits(&self, a: TypeId, b: TypeId) -> bool {
        let float = |ty: TypeId| self.types.float_kind(ty).is_some();
        let boolean = |ty: TypeId| self.types.int_kind(ty) == Some(IntKind::Bool);
        !float(a) && !float(b) && boolean(a) == boolean(b) && self.types.size(a) == self.types.size(b)
    }

    /// What may wait before a statement.
    fn waiting(&self, stmt: &Stmt) -> Vec<usize> {
        let waits = self.waits_at.get(&stmt.id);
        waits.into_iter().flatten().copied().filter(|at| self.slots.contains_key(at)).collect()
    }

    /// Goes no further while one of its stores waits.
    fn drain(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let none: Vec<Expr> = self.waiting(stmt).iter().map(|at| self.not(self.truth(&self.slots[at].waits))).collect();
        if let Some(condition) = none.into_iter().reduce(|a, b| self.and(a, b)) {
            out.push(self.call(self.begin, Vec::new(), stmt.span));
            out.push(self.call(self.assume, vec![condition], stmt.span));
            out.push(self.call(self.end, Vec::new(), stmt.span));
        }
    }

    /// The thread that takes these stores to memory, in this order.
    fn lane(&mut self, lane: &[usize], span: Span) -> (Vec<Stmt>, Vec<Local>) {
        let (mut body, mut locals) = (Vec::new(), Vec::new());
        for at in lane {
            let (slot, store) = (&self.slots[at], &self.stores[*at]);
            // The parameter is the first local.
            let goes = Place::local(LocalId(locals.len() as u32 + 1), self.boolean);
            locals.push(Local {
                name: format!("goes_{}", locals.len() + 1),
                ty: self.boolean,
                align: 0,
                shared: false,
                span,
            });
            let Base::Local(id) = goes.base else { unreachable!("just made") };
            body.push(Stmt::new(StmtKind::Declare(id), span));
            let any = StmtKind::Call { to: Some(goes.clone()), callee: Callee::Function(self.any), args: Vec::new() };
            body.push(Stmt::new(any, span));
            let mut may = self.truth(&slot.waits);
            let earlier: Vec<usize> = self.slots.keys().copied().filter(|earlier| earlier < at).collect();
            for earlier in BTreeSet::from_iter(earlier) {
                if let Some(holds) = self.holds_back(earlier, *at, None) {
                    may = self.and(may, self.not(holds));
                }
            }
            let to = match &slot.address {
                Some(address) => {
                    Place { access: store.place.access, ..Place::deref(Expr::load(address.clone()), slot.value.ty) }
                }
                None => store.place.clone(),
            };
            let written = StmtKind::Assign { to, value: Expr::load(slot.value.clone()) };
            let origin = self.origins[&store.id];
            let number = vec![Expr::int(*at as i128, self.int)];
            let marker = Stmt { origin: origin | CONTINUED, ..self.call(self.reaches, number, span) };
            let then = vec![
                self.call(self.begin, Vec::new(), span),
                self.call(self.assume, vec![may], span),
                Stmt::new(written, span),
                self.set(&slot.waits, 0, span),
                marker,
                self.call(self.end, Vec::new(), span),
            ];
            body.push(Stmt::new(StmtKind::If { condition: self.truth(&goes), then, otherwise: Vec::new() }, span));
        }
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        let null = Expr { kind: ExprKind::Cast(Box::new(Expr::int(0, self.int))), ty: pointer };
        body.push(Stmt::new(StmtKind::Return(Some(null)), span));
        (body, locals)
    }

    // ---- parts ----

    fn variable(&mut self, ty: TypeId, span: Span) -> Place {
        let ty = self.types.unqualified(ty);
        let mut name = format!("seen_{}", self.locals.len());
        while self.locals.iter().any(|local| local.name == name) {
            name.push('_');
        }
        self.locals.push(Local { name, ty, align: 0, shared: false, span });
        Place::local(LocalId(self.locals.len() as u32 - 1), ty)
    }

    fn call(&self, function: FunctionId, args: Vec<Expr>, span: Span) -> Stmt {
        Stmt::new(StmtKind::Call { to: None, callee: Callee::Function(function), args }, span)
    }

    /// For those who follow an execution.
    fn marker(&self, function: FunctionId, stmt: &Stmt, number: usize) -> Stmt {
        let number = vec![Expr::int(number as i128, self.int)];
        Stmt { origin: stmt.origin | CONTINUED, ..self.call(function, number, stmt.span) }
    }

    fn set(&self, place: &Place, value: i128, span: Span) -> Stmt {
        Stmt::new(StmtKind::Assign { to: place.clone(), value: Expr::int(value, self.boolean) }, span)
    }

    fn address(&self, place: &Place) -> Expr {
        let pointer = self.types.known_pointer(self.types.unqualified(place.ty)).expect("noted before");
        Expr { kind: ExprKind::AddressOf(Box::new(place.clone())), ty: pointer }
    }

    fn equal(&self, a: Expr, b: Expr) -> Expr {
        let b = if a.ty == b.ty { b } else { Expr { ty: a.ty, kind: ExprKind::Cast(Box::new(b)) } };
        Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b)), ty: self.int }
    }

    fn truth(&self, place: &Place) -> Expr {
        Expr::load(place.clone())
    }

    fn not(&self, expr: Expr) -> Expr {
        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr)), ty: self.int }
    }

    fn and(&self, a: Expr, b: Expr) -> Expr {
        Expr { kind: ExprKind::Binary(BinaryOp::LogicalAnd, Box::new(a), Box::new(b)), ty: self.int }
    }

    fn or(&self, a: Expr, b: Expr) -> Expr {
        Expr { kind: ExprKind::Binary(BinaryOp::LogicalOr, Box::new(a), Box::new(b)), ty: self.int }
    }
}
