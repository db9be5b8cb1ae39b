//! Inlines calls, unwinds loops and gives every created thread its function, one statement after the other.
//!
//! The walk carries the constants that private locals are known to hold. Branches on constants leave only the branch
//! that is taken, so that a loop with a known number of iterations ends by itself. Other loops are followed `unwind`
//! times; then the thread goes no further (`assume(0)`), and the cut is noted.
//!
//! `env` is `None` where control cannot be. Every jump goes forward, so all that arrive at a label are known before
//! the label is reached.

use super::stubs::{Stub, stubs};
use super::{Bounded, Cut, CutKind, LimitError, LimitOptions, Thread, fold, structure};
use crate::diagnostic::{Diagnostic, Span};
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId, IntKind, LabelId,
    Local, LocalId, Operation, PathStep, Place, Program, Projection, Stmt, StmtKind, Type, TypeId, Types, walk,
};
use crate::isolate::points_to::{PointsTo, points_to, start_and_argument};
use crate::isolate::sharing::written_globals;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bounded programs beyond this are given up.
const MAX_STATEMENTS: usize = 400_000;

pub fn unroll(program: &Program, options: &LimitOptions) -> Result<Bounded, LimitError> {
    let points_to = points_to(program);
    let written = written_globals(program, &points_to);
    let mut unroller = Unroller::new(program, options, &points_to, written);
    let mut index = 0;
    while index < unroller.plans.len() {
        unroller.thread(index)?;
        index += 1;
    }
    Ok(unroller.finish())
}

type Env = FxHashMap<LocalId, Expr>;

/// A thread whose function is to be made.
struct Plan {
    start: FunctionId,
    parent: usize,
    /// The argument, where it is the same in every execution.
    argument: Option<Expr>,
    span: Span,
    /// Once it is made.
    function: FunctionId,
}

struct Unroller<'p> {
    program: &'p Program,
    options: &'p LimitOptions,
    points_to: &'p PointsTo<'p>,
    written: FxHashSet<GlobalId>,
    stubs: Vec<Stub>,
    address_taken: Vec<Vec<bool>>,
    types: Types,
    globals: Vec<Global>,
    plans: Vec<Plan>,
    functions: Vec<Function>,
    global_names: FxHashSet<String>,
    assume: FunctionId,
    cuts: Vec<Cut>,
    statements: usize,
    /// Loops with a known but too large number of iterations.
    endless: FxHashSet<usize>,
    body: Body,
}

/// What to go back to when a loop turns out too long.
struct Mark {
    plans: usize,
    cuts: usize,
    statements: usize,
    env: Option<Env>,
    arrived: FxHashMap<LabelId, Env>,
    label_uses: Vec<u32>,
}

/// The function that is being made.
#[derive(Default)]
struct Body {
    thread: usize,
    out: Vec<Stmt>,
    locals: Vec<Local>,
    names: FxHashSet<String>,
    /// Locals of calls that are over, for the next call of the same function.
    free: FxHashMap<(FunctionId, u32), Vec<LocalId>>,
    labels: Vec<String>,
    label_uses: Vec<u32>,
    arrived: FxHashMap<LabelId, Env>,
    env: Option<Env>,
    frames: Vec<Frame>,
    /// Own copies of thread-local variables.
    thread_locals: FxHashMap<GlobalId, GlobalId>,
    /// Arguments beyond the parameters; a known `va_list` is an index into these.
    extra_arguments: Vec<Place>,
    end: LabelId,
    exited: LabelId,
    result: Option<Place>,
}

struct Frame {
    function: FunctionId,
    locals: Vec<Option<LocalId>>,
    scopes: Vec<LabelScope>,
    loops: Vec<LoopContext>,
    result: Option<Place>,
    end: LabelId,
    arguments: Vec<Option<Expr>>,
    extra: (usize, usize),
}

/// The labels of one iteration.
struct LabelScope {
    domain: Option<FxHashSet<LabelId>>,
    map: FxHashMap<LabelId, LabelId>,
}

enum LoopContext {
    /// Stays a loop; the constants that hold where it is left.
    Kept(Option<Env>),
    Unwound {
        next: LabelId,
        end: LabelId,
        /// A condition for leaving it was decided by constants that change from one iteration to the next.
        decided: bool,
        seen: FxHashMap<usize, Vec<Expr>>,
    },
}

impl<'p> Unroller<'p> {
    fn new(
        program: &'p Program,
        options: &'p LimitOptions,
        points_to: &'p PointsTo<'p>,
        written: FxHashSet<GlobalId>,
    ) -> Unroller<'p> {
        let mut functions = program.functions.clone();
        let mut types = program.types.clone();
        let assume = operation_function(&mut functions, &mut types, Operation::Assume, "__VERIFIER_assume");
        let global_names =
            program.globals.iter().map(|global| &global.name).chain(program.functions.iter().map(|f| &f.name));
        let span = program.function(program.main).span;
        let main = Plan { start: program.main, parent: 0, argument: None, span, function: program.main };
        Unroller {
            program,
            options,
            points_to,
            written,
            stubs: stubs(program),
            address_taken: program.functions.iter().map(address_taken).collect(),
            globals: program.globals.clone(),
            plans: vec![main],
            global_names: global_names.cloned().collect(),
            functions,
            types,
            assume,
            cuts: Vec::new(),
            statements: 0,
            endless: FxHashSet::default(),
            body: Body::default(),
        }
    }

    // ---- threads ----

    fn thread(&mut self, index: usize) -> Result<(), LimitError> {
        let (start, span) = (self.plans[index].start, self.plans[index].span);
        self.body = Body { thread: index, env: Some(Env::default()), ..Body::default() };
        self.body.end = self.new_label("thread_end");
        self.body.exited = self.new_label("thread_exit");
        let program = self.program;
        let function = program.function(start);
        self.refuse_variadic_start(function, span)?;
        let params = self.thread_parameters(function);
        let result = types_result(&self.types, function);
        let result = match self.types.is_void(result) {
            true => None,
            false => Some(self.new_local("result", result, span)),
        };
        let is_main = index == 0;
        self.body.result = result.clone();
        self.push_frame(start, result.clone(), self.body.end, Vec::new());
        for (position, param) in function.params.iter().enumerate() {
            let to = self.map_local(*param);
            let ty = self.body.locals[to.0 as usize].ty;
            // The program is started without arguments, so that argc is 1.
            let known = match (is_main, position) {
                (true, 0) if self.types.int_kind(ty).is_some() => Some(Expr::int(1, ty)),
                (false, 0) => self.plans[index].argument.clone(),
                _ => None,
            };
            let value = known.unwrap_or_else(|| Expr::load(Place::local(params[position], ty)));
            let value = fold::cast(&self.types, value, ty);
            self.assign(Place::local(to, ty), value, span);
        }
        self.block(&function.body)?;
        self.pop_frame();
        self.label(self.body.end, span);
        if self.body.env.is_some() {
            let hook = if is_main { program.at_exit } else { program.thread_end };
            if let Some(hook) = hook {
                self.inline(hook, None, Vec::new(), span)?;
            }
            let mut stmt = Stmt::new(StmtKind::Return(result.clone().map(Expr::load)), function.span);
            stmt.visible = is_main;
            self.push(stmt)?;
            self.body.env = None;
        }
        self.main_exited(index, span)?;
        self.add_thread_function(index, function, params);
        Ok(())
    }

    /// `main` may end by itself, and leave the process to the other threads.
    fn main_exited(&mut self, index: usize, span: Span) -> Result<(), LimitError> {
        let exited = self.body.exited;
        if index != 0 || self.body.label_uses[exited.0 as usize] == 0 {
            return Ok(());
        }
        if self.program.at_exit.is_some() {
            return Err(
                Diagnostic::unsupported(span, "atexit() in a program whose main ends with pthread_exit()").into()
            );
        }
        self.label(exited, span);
        if let Some(hook) = self.program.thread_end {
            self.inline(hook, None, Vec::new(), span)?;
        }
        let exit = operation_function(&mut self.functions, &mut self.types, Operation::ThreadExit, "pthread_exit");
        let void = self.types.void();
        let null = Expr::int(0, self.types.pointer(void));
        self.push(Stmt::new(StmtKind::Call { to: None, callee: Callee::Function(exit), args: vec![null] }, span))?;
        self.body.env = None;
        Ok(())
    }

    fn refuse_variadic_start(&self, function: &Function, span: Span) -> Result<(), LimitError> {
        if !function.has_body() {
            let text = format!("a thread that starts in `{}`, which has no body", function.name);
            return Err(Diagnostic::unsupported(span, text).into());
        }
        Ok(())
    }

    /// One parameter per parameter of the start function, with the same type.
    fn thread_parameters(&mut self, function: &Function) -> Vec<LocalId> {
        let mut params = Vec::new();
        for param in &function.params {
            let local = &function.locals[param.0 as usize];
            let place = self.new_local(&local.name, local.ty, local.span);
            let Base::Local(id) = place.base else { unreachable!("just made") };
            params.push(id);
        }
        params
    }

    fn add_thread_function(&mut self, index: usize, start: &Function, params: Vec<LocalId>) {
        let name = self.unique_global_name(&format!("{}_{index}", start.name));
        let body = std::mem::take(&mut self.body);
        self.plans[index].function = FunctionId(self.functions.len() as u32);
        self.functions.push(Function {
            name,
            kind: FunctionKind::Defined,
            ty: start.ty,
            params,
            locals: body.locals,
            labels: body.labels,
            body: body.out,
            atomic: false,
            internal: false,
            span: start.span,
        });
    }

    fn unique_global_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while !self.global_names.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn finish(self) -> Bounded {
        let threads: Vec<Thread> = self
            .plans
            .iter()
            .map(|plan| Thread {
                function: plan.function,
                start: self.program.function(plan.start).name.clone(),
                parent: plan.parent,
                steps: 0,
            })
            .collect();
        let mut program = Program {
            types: self.types,
            globals: self.globals,
            functions: self.functions,
            strings: self.program.strings.clone(),
            main: threads[0].function,
            thread_end: None,
            at_exit: None,
            source: self.program.source.clone(),
        };
        for (index, stub) in self.stubs.iter().enumerate() {
            // What was inlined is left as an address at most.
            if *stub == Stub::No && program.functions[index].has_body() {
                let function = &mut program.functions[index];
                (function.body, function.locals, function.labels) = (Vec::new(), Vec::new(), Vec::new());
                function.params.clear();
                function.kind = FunctionKind::External;
            }
        }
        for global in &mut program.globals {
            global.thread_local = false;
            global.model = false;
        }
        for function in &mut program.functions {
            function.locals.iter_mut().for_each(|local| local.shared = false);
        }
        if !self.options.misuse_is_error {
            drop_misuse(&mut program);
        }
        resolve_creations(&mut program, &threads);
        let mut bounded = Bounded { program, threads, cuts: self.cuts };
        let kept = walk::keep_reachable(&mut bounded.program);
        for thread in &mut bounded.threads {
            thread.function = kept[&thread.function];
        }
        bounded
    }

    // ---- building ----

    fn push(&mut self, stmt: Stmt) -> Result<(), LimitError> {
        self.statements += 1;
        if self.statements > MAX_STATEMENTS {
            return Err(LimitError::TooLarge { statements: MAX_STATEMENTS });
        }
        self.body.out.push(stmt);
        Ok(())
    }

    fn new_local(&mut self, name: &str, ty: TypeId, span: Span) -> Place {
        let mut unique = name.to_owned();
        let mut count = 1;
        while self.global_names.contains(&unique) || !self.body.names.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}_{count}");
        }
        self.body.locals.push(Local { name: unique, ty, align: 0, shared: false, span });
        Place::local(LocalId(self.body.locals.len() as u32 - 1), ty)
    }

    fn new_label(&mut self, name: &str) -> LabelId {
        let id = LabelId(self.body.labels.len() as u32);
        self.body.labels.push(format!("{name}_{}", id.0));
        self.body.label_uses.push(0);
        id
    }

    fn frame(&mut self) -> &mut Frame {
        self.body.frames.last_mut().expect("a function is being inlined")
    }

    fn map_local(&mut self, id: LocalId) -> LocalId {
        let frame = self.body.frames.last().expect("a function is being inlined");
        if let Some(mapped) = frame.locals[id.0 as usize] {
            return mapped;
        }
        let function = frame.function;
        let free = self.body.free.get_mut(&(function, id.0)).and_then(Vec::pop);
        let mapped = free.unwrap_or_else(|| {
            let program = self.program;
            let local = &program.function(function).locals[id.0 as usize];
            let place = self.new_local(&local.name, local.ty, local.span);
            let made = LocalId(self.body.locals.len() as u32 - 1);
            debug_assert_eq!(place.base, Base::Local(made));
            self.body.locals[made.0 as usize].align = local.align;
            // Until the threads are complete, `shared` means that the address is taken.
            self.body.locals[made.0 as usize].shared = self.address_taken[function.0 as usize][id.0 as usize];
            made
        });
        self.frame().locals[id.0 as usize] = Some(mapped);
        mapped
    }

    /// The locals whose values are followed: scalars whose address nobody takes.
    fn is_followed(&self, place: &Place) -> Option<LocalId> {
        let Base::Local(id) = place.base else { return None };
        let scalar = self.types.is_scalar(place.ty) || matches!(self.types.get(place.ty), Type::VaList);
        (place.projections.is_empty() && scalar && !self.body.locals[id.0 as usize].shared).then_some(id)
    }

    fn assign(&mut self, to: Place, value: Expr, span: Span) {
        self.note_value(&to, &value);
        if !matches!(self.types.get(to.ty), Type::VaList) {
            self.body.out.push(Stmt::new(StmtKind::Assign { to, value }, span));
            self.statements += 1;
        }
    }

    fn note_value(&mut self, to: &Place, value: &Expr) {
        let followed = self.is_followed(to);
        if let (Some(id), Some(env)) = (followed, &mut self.body.env) {
            if fold::is_constant(value) {
                env.insert(id, value.clone());
            } else {
                env.remove(&id);
            }
        }
    }

    fn forget(&mut self, to: &Place) {
        if let (Base::Local(id), Some(env)) = (&to.base, &mut self.body.env) {
            env.remove(id);
        }
    }

    // ---- jumps ----

    fn jump(&mut self, label: LabelId, span: Span) -> Result<(), LimitError> {
        let Some(env) = self.body.env.take() else { return Ok(()) };
        self.body.label_uses[label.0 as usize] += 1;
        match self.body.arrived.get_mut(&label) {
            Some(known) => join_into(known, &env),
            None => {
                self.body.arrived.insert(label, env);
            }
        }
        self.push(Stmt::new(StmtKind::Goto(label), span))
    }

    /// Control may come here from above, and from the jumps to the label.
    fn label(&mut self, label: LabelId, span: Span) {
        let removed = strip_tail(&mut self.body.out, label);
        self.body.label_uses[label.0 as usize] -= removed;
        if let Some(arrived) = self.body.arrived.remove(&label) {
            match &mut self.body.env {
                Some(env) => join_into(env, &arrived),
                None => self.body.env = Some(arrived),
            }
        }
        if self.body.label_uses[label.0 as usize] > 0 {
            self.body.out.push(Stmt::new(StmtKind::Label(label), span));
        }
    }

    fn map_label(&mut self, label: LabelId) -> LabelId {
        let frame = self.body.frames.last().expect("a function is being inlined");
        let scope = frame
            .scopes
            .iter()
            .rposition(|scope| scope.domain.as_ref().is_none_or(|domain| domain.contains(&label)))
            .expect("the outermost scope has all labels");
        if let Some(mapped) = frame.scopes[scope].map.get(&label) {
            return *mapped;
        }
        let program = self.program;
        let name = &program.function(frame.function).labels[label.0 as usize];
        let mapped = self.new_label(name);
        self.frame().scopes[scope].map.insert(label, mapped);
        mapped
    }

    // ---- statements ----

    fn block(&mut self, block: &'p [Stmt]) -> Result<(), LimitError> {
        for stmt in block {
            if self.body.env.is_some() || self.may_be_jumped_into(stmt) {
                self.statement(stmt)?;
            }
        }
        Ok(())
    }

    /// Is there a label inside that somebody jumped to?
    fn may_be_jumped_into(&mut self, stmt: &Stmt) -> bool {
        if self.body.arrived.is_empty() {
            return false;
        }
        let labels = structure::labels(std::slice::from_ref(stmt));
        let mut sorted: Vec<LabelId> = labels.into_iter().collect();
        sorted.sort();
        sorted.into_iter().any(|label| {
            let mapped = self.map_label(label);
            self.body.arrived.contains_key(&mapped)
        })
    }

    fn statement(&mut self, stmt: &'p Stmt) -> Result<(), LimitError> {
        match &stmt.kind {
            StmtKind::Declare(local) => {
                let local = self.map_local(*local);
                let ty = self.body.locals[local.0 as usize].ty;
                self.forget(&Place::local(local, ty));
                if !matches!(self.types.get(ty), Type::VaList) {
                    self.push(Stmt { kind: StmtKind::Declare(local), ..stmt.clone() })?;
                }
            }
            StmtKind::Assign { to, value } => {
                let (to, value) = (self.place(to), self.expr(value));
                self.note_value(&to, &value);
                if !matches!(self.types.get(to.ty), Type::VaList) {
                    self.push(Stmt { kind: StmtKind::Assign { to, value }, ..*stmt })?;
                }
            }
            StmtKind::Call { to, callee, args } => self.call(stmt, to.as_ref(), callee, args)?,
            StmtKind::If { condition, then, otherwise } => self.branch(stmt, condition, then, otherwise)?,
            StmtKind::Loop(body) if self.keeps(body) => self.kept_loop(stmt, body)?,
            StmtKind::Loop(body) => self.unwound_loop(stmt, body)?,
            StmtKind::Block(_) => unreachable!("blocks should be flattened"),
            StmtKind::Break => match self.frame().loops.last() {
                Some(LoopContext::Unwound { end, .. }) => {
                    let end = *end;
                    self.jump(end, stmt.span)?;
                }
                _ => self.kept_jump(stmt, true)?,
            },
            StmtKind::Continue => match self.frame().loops.last() {
                Some(LoopContext::Unwound { next, .. }) => {
                    let next = *next;
                    self.jump(next, stmt.span)?;
                }
                _ => self.kept_jump(stmt, false)?,
            },
            StmtKind::Goto(label) => {
                let label = self.map_label(*label);
                self.jump(label, stmt.span)?;
            }
            StmtKind::Label(label) => {
                let label = self.map_label(*label);
                self.label(label, stmt.span);
            }
            StmtKind::Return(value) => {
                if let (Some(value), Some(to)) = (value, self.frame().result.clone()) {
                    let value = self.expr(value);
                    let value = if value.ty == to.ty { value } else { fold::cast(&self.types, value, to.ty) };
                    self.note_value(&to, &value);
                    self.push(Stmt { kind: StmtKind::Assign { to, value }, span: stmt.span, visible: stmt.visible })?;
                }
                let end = self.frame().end;
                self.jump(end, stmt.span)?;
            }
            StmtKind::VaStart(list) => {
                let list = self.place(list);
                let first = self.frame().extra.0;
                self.set_list(&list, first, stmt.span)?;
            }
            StmtKind::VaArg { to, list } => self.next_argument(to, list, stmt.span)?,
            StmtKind::VaCopy { to, from } => {
                let (to, from) = (self.place(to), self.place(from));
                let at = self.list_position(&from, stmt.span)?;
                self.set_list(&to, at, stmt.span)?;
            }
            StmtKind::VaEnd(_) => {}
        }
        Ok(())
    }

    fn kept_jump(&mut self, stmt: &Stmt, leaves: bool) -> Result<(), LimitError> {
        let Some(env) = self.body.env.take() else { return Ok(()) };
        if leaves && let Some(LoopContext::Kept(left)) = self.frame().loops.last_mut() {
            match left {
                Some(known) => join_into(known, &env),
                None => *left = Some(env),
            }
        }
        self.push(stmt.clone())
    }

    fn branch(
        &mut self,
        stmt: &'p Stmt,
        condition: &'p Expr,
        then: &'p [Stmt],
        otherwise: &'p [Stmt],
    ) -> Result<(), LimitError> {
        let int = self.types.int(IntKind::Int);
        let before = self.body.env.clone();
        let folded = if before.is_some() { self.expr(condition) } else { Expr::int(0, int) };
        let known = if before.is_some() { fold::truth(&folded) } else { None };
        if known.is_some() {
            self.note_decision(stmt, condition, then, otherwise);
        }
        let outer = std::mem::take(&mut self.body.out);
        if known == Some(false) {
            self.body.env = None;
        }
        self.block(then)?;
        let then_out = std::mem::take(&mut self.body.out);
        let after_then = std::mem::replace(&mut self.body.env, before);
        if known == Some(true) {
            self.body.env = None;
        }
        self.block(otherwise)?;
        let else_out = std::mem::replace(&mut self.body.out, outer);
        match (&mut self.body.env, after_then) {
            (Some(env), Some(other)) => join_into(env, &other),
            (env @ None, other) => *env = other,
            (Some(_), None) => {}
        }
        match known {
            // The branch not taken is there only if somebody jumps into it.
            Some(true) if else_out.is_empty() => self.body.out.extend(then_out),
            Some(false) if then_out.is_empty() => self.body.out.extend(else_out),
            _ if then_out.is_empty() && else_out.is_empty() => {}
            _ => {
                let kind = StmtKind::If { condition: folded, then: then_out, otherwise: else_out };
                self.push(Stmt { kind, span: stmt.span, visible: stmt.visible })?;
            }
        }
        Ok(())
    }

    // ---- loops ----

    /// Loops stay loops where that is asked for, but each created thread needs a creation of its own.
    fn keeps(&self, body: &[Stmt]) -> bool {
        self.options.keep_loops && !self.creates(body, &mut FxHashSet::default())
    }

    fn creates(&self, body: &[Stmt], seen: &mut FxHashSet<FunctionId>) -> bool {
        let mut found = false;
        walk::statements(body, &mut |stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return };
            if matches!(self.program.operation(callee), Some(Operation::Create | Operation::CreateC11)) {
                found = true;
            }
            let function = self.body.frames.last().map_or(self.program.main, |frame| frame.function);
            for target in self.points_to.callees(function, callee) {
                if !found && seen.insert(target) {
                    found |= self.creates(&self.program.function(target).body, seen);
                }
            }
        });
        found
    }

    fn kept_loop(&mut self, stmt: &Stmt, body: &'p [Stmt]) -> Result<(), LimitError> {
        // What the loop assigns is not known where it starts again.
        let mut assigned = Vec::new();
        walk::statements(body, &mut |inner| {
            walk::uses(inner, &mut |used| {
                if let walk::Use::Target(Place { base: Base::Local(id), .. }) = used {
                    assigned.push(*id);
                }
            });
            if let StmtKind::Declare(id) = inner.kind {
                assigned.push(id);
            }
        });
        for id in assigned {
            let mapped = self.map_local(id);
            let ty = self.body.locals[mapped.0 as usize].ty;
            self.forget(&Place::local(mapped, ty));
        }
        let cut = Cut { kind: CutKind::KeptLoop, span: self.span_of(stmt), bound: self.options.unwind };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
        self.frame().loops.push(LoopContext::Kept(None));
        let outer = std::mem::take(&mut self.body.out);
        self.block(body)?;
        let inner = std::mem::replace(&mut self.body.out, outer);
        let Some(LoopContext::Kept(left)) = self.frame().loops.pop() else { unreachable!("pushed above") };
        self.body.env = left;
        self.push(Stmt { kind: StmtKind::Loop(inner), span: stmt.span, visible: false })
    }

    fn unwound_loop(&mut self, stmt: &'p Stmt, body: &'p [Stmt]) -> Result<(), LimitError> {
        let key = std::ptr::from_ref(stmt) as usize;
        let line = self.program.source.location(stmt.span).line;
        let own = self.options.unwind_loops.iter().find(|(at, _)| *at == line && stmt.span != Span::default());
        let bound = own.map_or(self.options.unwind, |(_, bound)| *bound);
        let outer = std::mem::take(&mut self.body.out);
        if own.is_some() || self.endless.contains(&key) {
            self.iterations(stmt, body, bound, false)?;
        } else {
            let mark = self.mark();
            if !self.iterations(stmt, body, bound, true)? {
                // Too many iterations, though their number is known: bounded like any other loop.
                self.endless.insert(key);
                self.back_to(mark);
                self.iterations(stmt, body, bound, false)?;
            }
        }
        let unwound = std::mem::replace(&mut self.body.out, outer);
        self.body.out.extend(unwound);
        Ok(())
    }

    /// False if the loop has more iterations than `unwind_max`, and all of them are decided by constants.
    fn iterations(
        &mut self,
        stmt: &'p Stmt,
        body: &'p [Stmt],
        bound: u32,
        follow_known: bool,
    ) -> Result<bool, LimitError> {
        let end = self.new_label("loop_end");
        let domain = structure::labels(body);
        let mut seen = FxHashMap::default();
        let (mut total, mut open) = (0, 0);
        loop {
            if open >= bound {
                self.last_test(stmt, body, end)?;
                self.cut(CutKind::Loop, bound, stmt.span)?;
                break;
            }
            if follow_known && total >= self.options.unwind_max.max(bound) {
                return Ok(false);
            }
            self.enter_iteration(&domain, total == 0);
            let next = self.new_label("loop_next");
            self.frame().loops.push(LoopContext::Unwound { next, end, decided: false, seen });
            self.block(body)?;
            let context = self.frame().loops.pop();
            let Some(LoopContext::Unwound { decided, seen: now, .. }) = context else { unreachable!("pushed above") };
            seen = now;
            self.label(next, stmt.span);
            self.frame().scopes.pop();
            total += 1;
            open += u32::from(!(decided && follow_known));
            if self.body.env.is_none() {
                break;
            }
        }
        self.label(end, stmt.span);
        Ok(true)
    }

    fn enter_iteration(&mut self, domain: &FxHashSet<LabelId>, first: bool) {
        // Jumps from before the loop into it arrive in the first iteration.
        let mut map = FxHashMap::default();
        if first {
            for label in domain {
                for scope in self.frame().scopes.iter().rev() {
                    if scope.domain.as_ref().is_none_or(|domain| domain.contains(label)) {
                        if let Some(mapped) = scope.map.get(label) {
                            map.insert(*label, *mapped);
                        }
                        break;
                    }
                }
            }
        }
        self.frame().scopes.push(LabelScope { domain: Some(domain.clone()), map });
    }

    /// Behind the last iteration the loop may still be left: its condition is tested once more.
    ///
    /// Only if the test comes first in the body, and is nothing but a test.
    fn last_test(&mut self, stmt: &'p Stmt, body: &'p [Stmt], end: LabelId) -> Result<(), LimitError> {
        let leaves = |stmt: &Stmt| match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => contains_exit(then) || contains_exit(otherwise),
            _ => false,
        };
        let Some(test) = body.iter().position(leaves) else { return Ok(()) };
        let domain = structure::labels(body);
        if !body[..=test].iter().all(|stmt| self.only_computes(stmt, &domain)) {
            return Ok(());
        }
        self.enter_iteration(&domain, false);
        let next = self.new_label("loop_next");
        self.frame().loops.push(LoopContext::Unwound { next, end, decided: false, seen: FxHashMap::default() });
        self.block(&body[..=test])?;
        self.frame().loops.pop();
        self.label(next, stmt.span);
        self.frame().scopes.pop();
        Ok(())
    }

    fn only_computes(&self, stmt: &Stmt, inside: &FxHashSet<LabelId>) -> bool {
        match &stmt.kind {
            StmtKind::Declare(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
            StmtKind::Goto(label) => !inside.contains(label),
            StmtKind::Assign { to, .. } => matches!(to.base, Base::Local(_)),
            StmtKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).all(|stmt| self.only_computes(stmt, inside))
            }
            StmtKind::Call { callee, .. } => matches!(
                self.program.operation(callee),
                Some(Operation::Nondet | Operation::AtomicBegin | Operation::AtomicEnd)
            ),
            StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Label(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => false,
        }
    }

    /// A branch was decided by constants: does it decide about leaving the innermost loop, with new values?
    fn note_decision(&mut self, stmt: &Stmt, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        if !(contains_exit(then) || contains_exit(otherwise)) {
            return;
        }
        let mut values = Vec::new();
        let mut loads = Vec::new();
        walk::expressions(condition, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind
                && let Place { base: Base::Local(id), projections, .. } = &**place
                && projections.is_empty()
            {
                loads.push(*id);
            }
        });
        for id in loads {
            let mapped = self.map_local(id);
            values.extend(self.body.env.as_ref().and_then(|env| env.get(&mapped)).cloned());
        }
        let key = std::ptr::from_ref(stmt) as usize;
        if let Some(LoopContext::Unwound { decided, seen, .. }) = self.frame().loops.last_mut() {
            *decided |= !values.is_empty() && seen.get(&key) != Some(&values);
            seen.insert(key, values);
        }
    }

    fn cut(&mut self, kind: CutKind, bound: u32, span: Span) -> Result<(), LimitError> {
        if self.body.env.is_none() {
            return Ok(());
        }
        // A model's own loop has no line: the call of it has.
        let span = if span == Span::default() { self.calling_span() } else { span };
        let cut = Cut { kind, span, bound };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
        self.stop(span)
    }

    /// The thread goes no further.
    fn stop(&mut self, span: Span) -> Result<(), LimitError> {
        let int = self.types.int(IntKind::Int);
        let callee = Callee::Function(self.assume);
        self.push(Stmt::new(StmtKind::Call { to: None, callee, args: vec![Expr::int(0, int)] }, span))?;
        self.body.env = None;
        Ok(())
    }

    fn calling_span(&self) -> Span {
        let last = self.body.out.iter().rev().map(|stmt| stmt.span).find(|span| *span != Span::default());
        last.unwrap_or(self.plans[self.body.thread].span)
    }

    fn mark(&self) -> Mark {
        Mark {
            plans: self.plans.len(),
            cuts: self.cuts.len(),
            statements: self.statements,
            env: self.body.env.clone(),
            arrived: self.body.arrived.clone(),
            label_uses: self.body.label_uses.clone(),
        }
    }

    fn back_to(&mut self, mark: Mark) {
        self.plans.truncate(mark.plans);
        self.cuts.truncate(mark.cuts);
        self.statements = mark.statements;
        self.body.env = mark.env;
        self.body.arrived = mark.arrived;
        for (uses, old) in self.body.label_uses.iter_mut().zip(mark.label_uses) {
            *uses = old;
        }
        self.body.out.clear();
    }

    // ---- calls ----

    fn call(
        &mut self,
        stmt: &'p Stmt,
        to: Option<&'p Place>,
        callee: &'p Callee,
        originals: &'p [Expr],
    ) -> Result<(), LimitError> {
        let to = to.map(|to| self.place(to));
        let args: Vec<Expr> = originals.iter().map(|arg| self.expr(arg)).collect();
        if let (Callee::Function(id), Some(operation @ (Operation::Create | Operation::CreateC11))) =
            (callee, self.program.operation(callee))
        {
            let (start, _) = start_and_argument(operation, originals);
            let function = self.frame().function;
            let starts = self.points_to.functions_in(&self.points_to.value(function, start));
            return self.create(stmt, to, (*id, operation), args, starts);
        }
        let target = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let original = pointer;
                let pointer = self.expr(pointer);
                match constant_function(&pointer) {
                    Some(id) => id,
                    None => return self.call_any(stmt, to, original, pointer, args),
                }
            }
        };
        self.call_function(stmt, to, target, args)
    }

    /// if (p == f) f(..); else if (p == g) g(..); else assume(0);
    fn call_any(
        &mut self,
        stmt: &'p Stmt,
        to: Option<Place>,
        original: &'p Expr,
        pointer: Expr,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        let function = self.frame().function;
        let targets = self.points_to.functions_in(&self.points_to.value(function, original));
        let mut fitting: Vec<FunctionId> =
            targets.into_iter().filter(|target| self.program.function(*target).params.len() <= args.len()).collect();
        fitting.dedup();
        let held = self.held(pointer, stmt.visible, stmt.span)?;
        self.choose_function(&fitting, &held, stmt.span, &mut |unroller, target| {
            let plain = Stmt::new(StmtKind::Return(None), stmt.span);
            unroller.call_function(&plain, to.clone(), target, args.clone())
        })
    }

    /// The value in a local of its own, so that it is read once.
    fn held(&mut self, value: Expr, visible: bool, span: Span) -> Result<Expr, LimitError> {
        let local = self.new_local("callee", value.ty, span);
        self.push(Stmt { kind: StmtKind::Assign { to: local.clone(), value }, span, visible })?;
        Ok(Expr::load(local))
    }

    fn choose_function(
        &mut self,
        targets: &[FunctionId],
        pointer: &Expr,
        span: Span,
        act: &mut dyn FnMut(&mut Self, FunctionId) -> Result<(), LimitError>,
    ) -> Result<(), LimitError> {
        let Some((first, rest)) = targets.split_first() else { return self.stop(span) };
        let int = self.types.int(IntKind::Int);
        let function = Expr { kind: ExprKind::Function(*first), ty: pointer.ty };
        let equal = ExprKind::Binary(BinaryOp::Eq, Box::new(pointer.clone()), Box::new(function));
        let condition = Expr { kind: equal, ty: int };
        let before = self.body.env.clone();
        let outer = std::mem::take(&mut self.body.out);
        act(self, *first)?;
        let then = std::mem::take(&mut self.body.out);
        let after_then = std::mem::replace(&mut self.body.env, before);
        self.choose_function(rest, pointer, span, act)?;
        let otherwise = std::mem::replace(&mut self.body.out, outer);
        match (&mut self.body.env, after_then) {
            (Some(env), Some(other)) => join_into(env, &other),
            (env @ None, other) => *env = other,
            (Some(_), None) => {}
        }
        self.push(Stmt::new(StmtKind::If { condition, then, otherwise }, span))
    }

    fn call_function(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        target: FunctionId,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        let function = self.program.function(target);
        match function.kind {
            FunctionKind::Operation(operation) => self.operation(stmt, to, target, operation, args),
            FunctionKind::External => {
                if to.as_ref().is_some_and(|to| self.types.pointee(to.ty).is_some()) {
                    let text = format!("a pointer from `{}`, which has no body", function.name);
                    return Err(Diagnostic::unsupported(self.span_of(stmt), text).into());
                }
                self.emit_call(stmt, to, target, args)
            }
            FunctionKind::Model if self.stays_call(target) => self.emit_call(stmt, to, target, args),
            FunctionKind::Defined | FunctionKind::Model => {
                let depth = self.body.frames.iter().filter(|frame| frame.function == target).count() as u32;
                if depth > 0 && self.cuts_recursion(target, depth, &args) {
                    return self.cut(CutKind::Recursion, depth, stmt.span);
                }
                self.inline(target, to, args, stmt.span)
            }
        }
    }

    fn span_of(&self, stmt: &Stmt) -> Span {
        if stmt.span == Span::default() { self.calling_span() } else { stmt.span }
    }

    fn stays_call(&self, target: FunctionId) -> bool {
        match self.stubs[target.0 as usize] {
            Stub::Private | Stub::Step => true,
            Stub::Inner => {
                let caller = self.body.frames.last().map(|frame| &self.program.function(frame.function).kind);
                matches!(caller, Some(FunctionKind::Model))
            }
            Stub::No => false,
        }
    }

    fn cuts_recursion(&self, target: FunctionId, depth: u32, args: &[Expr]) -> bool {
        let last = self.body.frames.iter().rev().find(|frame| frame.function == target);
        let changes = last.is_some_and(|frame| {
            frame.arguments.iter().zip(args).any(|(old, new)| fold::is_constant(new) && old.as_ref() != Some(new))
        });
        depth >= if changes { self.options.unwind_max } else { self.options.unwind }
    }

    fn emit_call(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        target: FunctionId,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        if let Some(to) = &to {
            self.forget(to);
        }
        let kind = StmtKind::Call { to, callee: Callee::Function(target), args };
        self.push(Stmt { kind, span: stmt.span, visible: stmt.visible })
    }

    fn push_frame(&mut self, function: FunctionId, result: Option<Place>, end: LabelId, arguments: Vec<Option<Expr>>) {
        let locals = vec![None; self.program.function(function).locals.len()];
        let at = self.body.extra_arguments.len();
        self.body.frames.push(Frame {
            function,
            locals,
            scopes: vec![LabelScope { domain: None, map: FxHashMap::default() }],
            loops: Vec::new(),
            result,
            end,
            arguments,
            extra: (at, at),
        });
    }

    fn pop_frame(&mut self) {
        let frame = self.body.frames.pop().expect("pushed before");
        for (index, mapped) in frame.locals.iter().enumerate() {
            let Some(mapped) = mapped else { continue };
            for env in self.body.env.iter_mut().chain(self.body.arrived.values_mut()) {
                env.remove(mapped);
            }
            if !self.address_taken[frame.function.0 as usize][index] {
                self.body.free.entry((frame.function, index as u32)).or_default().push(*mapped);
            }
        }
    }

    fn inline(&mut self, target: FunctionId, to: Option<Place>, args: Vec<Expr>, span: Span) -> Result<(), LimitError> {
        let program = self.program;
        let function = program.function(target);
        let end = self.new_label(&format!("{}_end", function.name));
        let known = args.iter().map(|arg| fold::is_constant(arg).then(|| arg.clone())).collect();
        // The result goes through a local, because the target may mention what the function changes.
        let result = types_result(&self.types, function);
        let direct = to.as_ref().is_some_and(|to| self.is_followed(to).is_some() && to.ty == result);
        let place = match &to {
            Some(to) if direct => Some(to.clone()),
            Some(_) => Some(self.new_local(&format!("{}_result", function.name), result, span)),
            None => None,
        };
        let atomic = function.atomic;
        if atomic {
            self.section(Operation::AtomicBegin, "__VERIFIER_atomic_begin", span)?;
        }
        self.push_frame(target, place.clone(), end, known);
        self.pass_arguments(function, args, span)?;
        self.block(&function.body)?;
        self.label(end, span);
        let locals = self.body.extra_arguments.len();
        let first = self.frame().extra.0;
        self.pop_frame();
        debug_assert!(first <= locals);
        self.body.extra_arguments.truncate(first);
        if atomic && self.body.env.is_some() {
            self.section(Operation::AtomicEnd, "__VERIFIER_atomic_end", span)?;
        }
        if let (Some(to), Some(place), false) = (to, place, direct)
            && self.body.env.is_some()
        {
            let value = Expr::load(place);
            let value = if value.ty == to.ty { value } else { fold::cast(&self.types, value, to.ty) };
            self.note_value(&to, &value);
            self.push(Stmt { kind: StmtKind::Assign { to, value }, span, visible: false })?;
        }
        Ok(())
    }

    fn section(&mut self, operation: Operation, name: &str, span: Span) -> Result<(), LimitError> {
        let function = operation_function(&mut self.functions, &mut self.types, operation, name);
        let mut stmt =
            Stmt::new(StmtKind::Call { to: None, callee: Callee::Function(function), args: Vec::new() }, span);
        stmt.visible = operation == Operation::AtomicBegin;
        self.push(stmt)
    }

    fn pass_arguments(&mut self, function: &'p Function, args: Vec<Expr>, span: Span) -> Result<(), LimitError> {
        let count = function.params.len();
        let mut targets = Vec::new();
        for (param, value) in function.params.iter().zip(&args) {
            let to = self.map_local(*param);
            let ty = self.body.locals[to.0 as usize].ty;
            let scalar = self.types.is_scalar(ty);
            let value =
                if value.ty == ty || !scalar { value.clone() } else { fold::cast(&self.types, value.clone(), ty) };
            targets.push((Place::local(to, ty), value));
        }
        for (to, value) in targets {
            self.assign(to, value, span);
        }
        if args.len() > count {
            let first = self.body.extra_arguments.len();
            for value in args.into_iter().skip(count) {
                let place = self.new_local("argument", value.ty, span);
                self.assign(place.clone(), value, span);
                self.body.extra_arguments.push(place);
            }
            self.frame().extra = (first, self.body.extra_arguments.len());
        }
        Ok(())
    }

    // ---- variable arguments: a list is known by its position ----

    fn set_list(&mut self, list: &Place, at: usize, span: Span) -> Result<(), LimitError> {
        match (self.is_followed(list), &mut self.body.env) {
            (Some(id), Some(env)) => {
                env.insert(id, Expr::int(at as i128, list.ty));
                Ok(())
            }
            (None, _) => Err(Diagnostic::unsupported(span, "a list of variable arguments kept in memory").into()),
            (_, None) => Ok(()),
        }
    }

    fn list_position(&self, list: &Place, span: Span) -> Result<usize, LimitError> {
        let known = self.is_followed(list).and_then(|id| self.body.env.as_ref()?.get(&id)?.as_int());
        let text = "a list of variable arguments whose position depends on the execution";
        known.map(|at| at as usize).ok_or_else(|| Diagnostic::unsupported(span, text).into())
    }

    fn next_argument(&mut self, to: &'p Place, list: &'p Place, span: Span) -> Result<(), LimitError> {
        let (to, list) = (self.place(to), self.place(list));
        let at = self.list_position(&list, span)?;
        let Some(argument) = self.body.extra_arguments.get(at).cloned() else { return self.stop(span) };
        let known = self.is_followed(&argument).and_then(|id| self.body.env.as_ref()?.get(&id).cloned());
        let value = known.unwrap_or_else(|| Expr::load(argument));
        let value = if value.ty == to.ty { value } else { fold::cast(&self.types, value, to.ty) };
        self.note_value(&to, &value);
        self.push(Stmt::new(StmtKind::Assign { to, value }, span))?;
        self.set_list(&list, at + 1, span)
    }

    // ---- operations ----

    fn operation(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        target: FunctionId,
        operation: Operation,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        match operation {
            Operation::Create | Operation::CreateC11 => {
                let text = "the creation of a thread through a function pointer";
                return Err(Diagnostic::unsupported(self.span_of(stmt), text).into());
            }
            Operation::ThreadExit => return self.thread_exit(stmt, args),
            Operation::Assume | Operation::Await => match fold::truth(&args[0]) {
                Some(true) => return Ok(()),
                Some(false) if operation == Operation::Assume => return self.stop(stmt.span),
                _ => {}
            },
            Operation::Assert if fold::truth(&args[0]) == Some(true) => return Ok(()),
            Operation::Misuse if !self.options.misuse_is_error => return Ok(()),
            Operation::Nothing => {
                if let Some(to) = to {
                    let int = self.types.int(IntKind::Int);
                    let zero = fold::cast(&self.types, Expr::int(0, int), to.ty);
                    self.assign(to, zero, stmt.span);
                }
                return Ok(());
            }
            Operation::Limit => return self.cut(CutKind::Model, 0, stmt.span),
            _ => {}
        }
        self.emit_call(stmt, to, target, args)?;
        let ends = matches!(
            operation,
            Operation::Exit
                | Operation::Abort
                | Operation::Unreachable
                | Operation::AssertFail
                | Operation::ReachError
                | Operation::Misuse
        );
        if ends {
            self.body.env = None;
        }
        Ok(())
    }

    fn thread_exit(&mut self, stmt: &Stmt, args: Vec<Expr>) -> Result<(), LimitError> {
        let is_main = self.body.thread == 0;
        if let (Some(to), Some(value), false) = (self.body.result.clone(), args.into_iter().next(), is_main) {
            let value = fold::cast(&self.types, value, to.ty);
            self.assign(to, value, stmt.span);
        }
        let label = if is_main { self.body.exited } else { self.body.end };
        self.jump(label, stmt.span)
    }

    fn create(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        call: (FunctionId, Operation),
        args: Vec<Expr>,
        mut starts: Vec<FunctionId>,
    ) -> Result<(), LimitError> {
        let (start, argument) = start_and_argument(call.1, &args);
        let known = fold::is_constant(argument) && !mentions_local(argument);
        let argument = known.then(|| argument.clone());
        let span = self.span_of(stmt);
        if let Some(function) = constant_function(start) {
            return self.create_one(stmt, to, call, args.clone(), (function, argument), span);
        }
        starts.retain(|start| self.program.function(*start).params.len() <= 1);
        let held = self.held(start.clone(), false, span)?;
        let plain = Stmt { kind: StmtKind::Return(None), span: stmt.span, visible: stmt.visible };
        self.choose_function(&starts, &held, span, &mut |unroller, function| {
            unroller.create_one(&plain, to.clone(), call, args.clone(), (function, argument.clone()), span)
        })
    }

    fn create_one(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        (target, operation): (FunctionId, Operation),
        mut args: Vec<Expr>,
        (start, argument): (FunctionId, Option<Expr>),
        span: Span,
    ) -> Result<(), LimitError> {
        if self.plans.len() > self.options.threads as usize {
            return self.cut(CutKind::Threads, self.options.threads, span);
        }
        let number = self.plans.len();
        self.plans.push(Plan { start, parent: self.body.thread, argument, span, function: start });
        // The number stands for the function until all of them are made.
        let position = if operation == Operation::Create { 2 } else { 1 };
        let ty = args[position].ty;
        args[position] = Expr::int(number as i128, ty);
        self.emit_call(stmt, to, target, args)
    }

    // ---- expressions ----

    fn expr(&mut self, expr: &Expr) -> Expr {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => expr.clone(),
            ExprKind::Load(place) => {
                let place = self.place(place);
                self.known_value(&place, ty).unwrap_or_else(|| Expr { kind: ExprKind::Load(Box::new(place)), ty })
            }
            ExprKind::AddressOf(place) => {
                let place = self.place(place);
                // &*p is p.
                if let (Base::Deref(pointer), true) = (&place.base, place.projections.is_empty()) {
                    return fold::cast(&self.types, (**pointer).clone(), ty);
                }
                Expr { kind: ExprKind::AddressOf(Box::new(place)), ty }
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand);
                fold::unary(&self.types, *op, operand, ty)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                fold::binary(&self.types, *op, left, right, ty)
            }
            ExprKind::Cast(operand) => {
                let operand = self.expr(operand);
                fold::cast(&self.types, operand, ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(condition);
                match fold::truth(&condition) {
                    Some(true) => self.expr(then),
                    Some(false) => self.expr(otherwise),
                    None => {
                        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                        Expr { kind, ty }
                    }
                }
            }
        }
    }

    fn known_value(&self, place: &Place, ty: TypeId) -> Option<Expr> {
        if let Some(id) = self.is_followed(place) {
            return self.body.env.as_ref()?.get(&id).filter(|value| value.ty == ty).cloned();
        }
        let Base::Global(id) = place.base else { return None };
        let global = &self.globals[id.0 as usize];
        if self.written.contains(&id) || global.external || id.0 as usize >= self.program.globals.len() {
            return None;
        }
        let mut path = Vec::new();
        for projection in &place.projections {
            path.push(match projection {
                Projection::Field(record, index) => {
                    let record = self.types.record(*record);
                    if record.union || record.fields[*index as usize].bits.is_some() {
                        return None;
                    }
                    PathStep::Field(*index)
                }
                Projection::Index(index, _) => PathStep::Index(u64::try_from(index.as_int()?).ok()?),
            });
        }
        if !self.types.is_scalar(place.ty) || place.ty != ty {
            return None;
        }
        let part = global.init.iter().rev().find(|part| part.path == path);
        match part {
            Some(part) => (part.value.ty == ty && fold::is_constant(&part.value)).then(|| part.value.clone()),
            // Beyond the end of an array there is no zero.
            None if self.in_range(global.ty, &path) => match self.types.float_kind(ty) {
                Some(_) => Some(Expr { kind: ExprKind::Float(0.0), ty }),
                None => Some(Expr::int(0, ty)),
            },
            None => None,
        }
    }

    fn in_range(&self, ty: TypeId, path: &[PathStep]) -> bool {
        let mut current = ty;
        for step in path {
            current = match (step, self.types.get(current)) {
                (PathStep::Index(index), Type::Array(element, count)) if index < count => *element,
                (PathStep::Field(index), Type::Record(record)) => self.types.record(*record).fields[*index as usize].ty,
                _ => return false,
            };
        }
        true
    }

    fn place(&mut self, place: &Place) -> Place {
        let mut projections = Vec::with_capacity(place.projections.len());
        for projection in &place.projections {
            projections.push(match projection {
                Projection::Field(..) => projection.clone(),
                Projection::Index(index, element) => Projection::Index(Box::new(self.expr(index)), *element),
            });
        }
        let base = match &place.base {
            Base::Local(id) => Base::Local(self.map_local(*id)),
            Base::Global(id) => Base::Global(self.own_global(*id)),
            Base::Deref(pointer) => {
                let pointer = self.expr(pointer);
                return fold::deref(&self.types, pointer, projections, place.ty);
            }
        };
        Place { base, projections, ty: place.ty }
    }

    /// Each thread has its own copy of a thread-local variable.
    fn own_global(&mut self, id: GlobalId) -> GlobalId {
        let global = &self.program.globals[id.0 as usize];
        if !global.thread_local || self.body.thread == 0 {
            return id;
        }
        if let Some(own) = self.body.thread_locals.get(&id) {
            return *own;
        }
        let name = self.unique_global_name(&format!("{}_{}", global.name, self.body.thread));
        let own = GlobalId(self.globals.len() as u32);
        self.globals.push(Global { name, ..global.clone() });
        self.body.thread_locals.insert(id, own);
        own
    }
}

// ---- helpers ----

fn address_taken(function: &Function) -> Vec<bool> {
    let mut taken = vec![false; function.locals.len()];
    let mut note = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::AddressOf(place) = &inner.kind
                && let Base::Local(id) = place.base
            {
                taken[id.0 as usize] = true;
            }
        });
    };
    walk::statements(&function.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => note(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut note),
        });
    });
    taken
}

fn join_into(env: &mut Env, other: &Env) {
    env.retain(|local, value| other.get(local) == Some(value));
}

/// Takes away jumps to a label that stand directly before it; how many.
fn strip_tail(block: &mut Vec<Stmt>, label: LabelId) -> u32 {
    match block.last_mut().map(|stmt| &mut stmt.kind) {
        Some(StmtKind::Goto(target)) if *target == label => {
            block.pop();
            1
        }
        Some(StmtKind::If { then, otherwise, .. }) => strip_tail(then, label) + strip_tail(otherwise, label),
        _ => 0,
    }
}

/// Does the block leave the loop it stands in?
fn contains_exit(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_) => true,
        StmtKind::If { then, otherwise, .. } => contains_exit(then) || contains_exit(otherwise),
        _ => false,
    })
}

fn constant_function(expr: &Expr) -> Option<FunctionId> {
    match &expr.kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::Cast(inner) => constant_function(inner),
        _ => None,
    }
}

fn mentions_local(expr: &Expr) -> bool {
    let mut found = false;
    walk::expressions(expr, &mut |inner| {
        if let ExprKind::AddressOf(place) = &inner.kind {
            found |= matches!(place.base, Base::Local(_));
        }
    });
    found
}

fn types_result(types: &Types, function: &Function) -> TypeId {
    types.function_type(function.ty).expect("a function has a function type").result
}

/// The function that stands for an operation; it is declared if the program does not mention it.
pub fn operation_function(
    functions: &mut Vec<Function>,
    types: &mut Types,
    operation: Operation,
    name: &str,
) -> FunctionId {
    let same = |function: &Function| matches!(function.kind, FunctionKind::Operation(other) if other == operation);
    if let Some(index) = functions.iter().position(same) {
        return FunctionId(index as u32);
    }
    let void = types.void();
    new_operation(functions, types, operation, name.to_owned(), void)
}

/// The function that hands out any value of a type.
pub fn nondet_function(functions: &mut Vec<Function>, types: &mut Types, ty: TypeId) -> FunctionId {
    let (suffix, result) = match types.get(ty) {
        Type::Int(kind) => (kind.spelling().replace("unsigned ", "u").replace("signed ", "s").replace(' ', ""), ty),
        Type::Float(crate::il::FloatKind::Float) => ("float".to_owned(), ty),
        Type::Float(_) => ("double".to_owned(), ty),
        _ => {
            let void = types.void();
            ("pointer".to_owned(), types.pointer(void))
        }
    };
    let name = format!("__VERIFIER_nondet_{}", suffix.replace("_Bool", "bool"));
    let known = functions.iter().position(|function| {
        function.name == name && matches!(function.kind, FunctionKind::Operation(Operation::Nondet))
    });
    match known {
        Some(index) => FunctionId(index as u32),
        None => new_operation(functions, types, Operation::Nondet, name, result),
    }
}

fn new_operation(
    functions: &mut Vec<Function>,
    types: &mut Types,
    operation: Operation,
    name: String,
    result: TypeId,
) -> FunctionId {
    let ty = types.intern(Type::Function(crate::il::types::FunctionType {
        result,
        params: Vec::new(),
        variadic: false,
        prototyped: false,
    }));
    functions.push(Function {
        name,
        kind: FunctionKind::Operation(operation),
        ty,
        params: Vec::new(),
        locals: Vec::new(),
        labels: Vec::new(),
        body: Vec::new(),
        atomic: false,
        internal: false,
        span: Span::default(),
    });
    FunctionId(functions.len() as u32 - 1)
}

/// Where wrong use is no error, the models go on as the C library does.
fn drop_misuse(program: &mut Program) {
    let misuse: Vec<bool> = program
        .functions
        .iter()
        .map(|function| matches!(function.kind, FunctionKind::Operation(Operation::Misuse)))
        .collect();
    fn clean(block: &mut Vec<Stmt>, misuse: &[bool]) {
        block.retain(|stmt| match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(id), .. } => !misuse[id.0 as usize],
            _ => true,
        });
        for stmt in block {
            match &mut stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    clean(then, misuse);
                    clean(otherwise, misuse);
                }
                StmtKind::Loop(inner) | StmtKind::Block(inner) => clean(inner, misuse),
                _ => {}
            }
        }
    }
    for function in &mut program.functions {
        clean(&mut function.body, &misuse);
    }
}

/// Creations name their thread's function now that it exists.
fn resolve_creations(program: &mut Program, threads: &[Thread]) {
    let creates: Vec<Option<Operation>> = program
        .functions
        .iter()
        .map(|function| match function.kind {
            FunctionKind::Operation(operation @ (Operation::Create | Operation::CreateC11)) => Some(operation),
            _ => None,
        })
        .collect();
    for function in &mut program.functions {
        walk::statements_mut(&mut function.body, &mut |stmt| {
            let StmtKind::Call { callee: Callee::Function(id), args, .. } = &mut stmt.kind else { return };
            let Some(operation) = creates[id.0 as usize] else { return };
            let start = &mut args[if operation == Operation::Create { 2 } else { 1 }];
            if let Some(number) = start.as_int() {
                start.kind = ExprKind::Function(threads[number as usize].function);
            }
        });
    }
}
