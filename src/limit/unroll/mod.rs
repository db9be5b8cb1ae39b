//! Inlines calls, unwinds loops and gives every created thread its function, one statement after the other.
//!
//! The walk carries the constants that private locals are known to hold. Branches on constants leave only the branch
//! that is taken, so that a loop with a known number of iterations ends by itself. Other loops are followed `unwind`
//! times; then the thread goes no further (`assume(0)`), and the cut is noted.
//!
//! `env` is `None` where control cannot be. Every jump goes forward, so all that arrive at a label are known before
//! the label is reached.

mod calls;
mod loops;
mod values;

use super::stubs::{Stub, stubs};
use super::{Bounded, BoundingOptions, Cut, CutKind, LimitError, Thread, fold, structure};
use crate::analysis::points_to::{PointsTo, points_to, start_and_argument};
use crate::analysis::sharing::written_globals;
use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Span};
use crate::il::operation::{declare as operation_function, declare_new};
use crate::il::{
    Base, BinaryOp, CONTINUED, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId, IntKind,
    LabelId, Local, LocalId, Operation, PathStep, Place, Program, Projection, StatementId, Stmt, StmtKind, Type,
    TypeId, Types, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bounded programs beyond this are given up.
const MAX_STATEMENTS: usize = 400_000;
/// Between two looks at the budget.
const STATEMENTS_AT_ONCE: usize = 1_000;

pub fn unroll(program: &Program, options: &BoundingOptions, budget: &Budget) -> Result<Bounded, LimitError> {
    let points_to = points_to(program);
    let written = written_globals(program, &points_to);
    let mut unroller = Unroller::new(program, (options, budget), &points_to, written);
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
    /// It is created beyond the bound: it exists and never runs.
    sleeps: bool,
    /// Once it is made.
    function: FunctionId,
}

struct Unroller<'p> {
    program: &'p Program,
    options: &'p BoundingOptions,
    budget: &'p Budget,
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
    /// Lines with bounds of their own in which there is a loop.
    bounded_lines: FxHashSet<u32>,
    statements: usize,
    /// Loops with a known but too large number of iterations.
    endless: FxHashSet<StatementId>,
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
    /// What `main` hands to pthread_exit().
    exit_value: Option<Place>,
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
    /// Where it was called, in the user's own code.
    span: Span,
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
        seen: FxHashMap<StatementId, Vec<Expr>>,
    },
}

impl<'p> Unroller<'p> {
    fn new(
        program: &'p Program,
        (options, budget): (&'p BoundingOptions, &'p Budget),
        points_to: &'p PointsTo<'p>,
        written: FxHashSet<GlobalId>,
    ) -> Unroller<'p> {
        let mut functions = program.functions.clone();
        let mut types = program.types.clone();
        let assume = operation_function(&mut functions, &mut types, Operation::Assume, "__VERIFIER_assume");
        let global_names =
            program.globals.iter().map(|global| &global.name).chain(program.functions.iter().map(|f| &f.name));
        let span = program.function(program.main).span;
        let main = Plan { start: program.main, parent: 0, argument: None, span, sleeps: false, function: program.main };
        Unroller {
            program,
            options,
            budget,
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
            bounded_lines: FxHashSet::default(),
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
        self.refuse_unknown_start(function, span)?;
        let params = self.thread_parameters(function);
        let result = types_result(&self.types, function);
        let result = match self.types.is_void(result) {
            true => None,
            false => Some(self.new_local("result", result, span)),
        };
        let is_main = index == 0;
        if is_main && reads_arguments(function) {
            let text = "the texts that main is given as arguments";
            return Err(Diagnostic::unsupported(function.span, text).into());
        }
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
        if is_main {
            self.external_variables()?;
        }
        if self.plans[index].sleeps {
            self.stop(span)?;
        }
        self.block(&function.body)?;
        self.pop_frame();
        self.label(self.body.end, span);
        if self.body.env.is_some() {
            let hook = if is_main { program.at_exit } else { program.thread_end };
            if let Some(hook) = hook {
                self.inline(hook, None, Vec::new(), (span, 0))?;
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

    /// Variables that another file defines start with any value.
    fn external_variables(&mut self) -> Result<(), LimitError> {
        for index in 0..self.program.globals.len() {
            let global = &self.program.globals[index];
            // The streams of the C library are only handed back to it.
            if !global.external || matches!(global.name.as_str(), "stdin" | "stdout" | "stderr") {
                continue;
            }
            let whole = Place::global(GlobalId(index as u32), global.ty);
            if holds_pointer(&self.types, global.ty) {
                let text = format!("`{}`, a pointer that no file given here defines", global.name);
                return Err(Diagnostic::unsupported(global.span, text).into());
            }
            for place in crate::il::leaves::scalars(&mut self.types, whole) {
                let nondet = nondet_function(&mut self.functions, &mut self.types, place.ty);
                let kind = StmtKind::Call { to: Some(place), callee: Callee::Function(nondet), args: Vec::new() };
                self.push(Stmt::new(kind, global.span))?;
            }
        }
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
            self.inline(hook, None, Vec::new(), (span, 0))?;
        }
        let exit = operation_function(&mut self.functions, &mut self.types, Operation::ThreadExit, "pthread_exit");
        let void = self.types.void();
        let null = Expr::int(0, self.types.pointer(void));
        let value = self.body.exit_value.clone().map_or(null, Expr::load);
        self.push(Stmt::new(StmtKind::Call { to: None, callee: Callee::Function(exit), args: vec![value] }, span))?;
        self.body.env = None;
        Ok(())
    }

    fn refuse_unknown_start(&self, function: &Function, span: Span) -> Result<(), LimitError> {
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
            does: None,
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
                buffer_of: None,
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
            weak_exchanges: Vec::new(),
            // Bounded threads get new memory always.
            told: Default::default(),
            buffering: self.program.buffering,
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
            global.library = false;
            global.external = false;
        }
        for function in &mut program.functions {
            function.locals.iter_mut().for_each(|local| local.shared = false);
        }
        resolve_creations(&mut program, &threads);
        let lines = self.options.unwind_loops.iter().map(|(line, _)| *line);
        let without_loop = lines.filter(|line| !self.bounded_lines.contains(line)).collect();
        let sleeper = self.plans.iter().position(|plan| plan.sleeps);
        let mut bounded =
            Bounded { sleeper, program, threads, cuts: self.cuts, without_loop, options: self.options.clone() };
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
        if self.statements.is_multiple_of(STATEMENTS_AT_ONCE) {
            super::go_on(self.budget)?;
        }
        // Statements of the library stand where the user called it.
        let span = self.span_of(&stmt);
        self.body.out.push(Stmt { span, ..stmt });
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
                    // The end of a thread may be a step that is not taken: it is left out of what was executed. What the
                    // return of another function reads was read.
                    let counts = self.body.frames.len() > 1 && reads_memory(&value);
                    let origin = if counts { stmt.origin } else { 0 };
                    self.push(Stmt { kind: StmtKind::Assign { to, value }, origin, ..*stmt })?;
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
            // The condition may fail, or be an access that races.
            _ if then_out.is_empty() && else_out.is_empty() && !self.options.property.keeps_unread() => {}
            _ => {
                let kind = StmtKind::If { condition: folded, then: then_out, otherwise: else_out };
                self.push(Stmt { kind, ..*stmt })?;
            }
        }
        Ok(())
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

/// Does `main` look at more than the number of its arguments?
pub fn reads_arguments(main: &Function) -> bool {
    let texts = main.params.get(1..).unwrap_or_default();
    let mut reads = false;
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
                && let Base::Local(id) = place.base
            {
                reads |= texts.contains(&id);
            }
        });
    };
    walk::statements(&main.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        });
    });
    reads
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

fn holds_pointer(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) | Type::OpenArray(element) => holds_pointer(types, *element),
        Type::Record(record) => types.record(*record).fields.iter().any(|field| holds_pointer(types, field.ty)),
        Type::Atomic(inner) | Type::Qualified { inner, .. } => holds_pointer(types, *inner),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) | Type::VaList => false,
        Type::VariableArray { .. } => false,
    }
}

fn types_result(types: &Types, function: &Function) -> TypeId {
    types.function_type(function.ty).expect("a function has a function type").result
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
        None => declare_new(functions, types, Operation::Nondet, name, result),
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

/// Does it read anything but locals?
fn reads_memory(expr: &Expr) -> bool {
    let mut reads = false;
    walk::expressions(expr, &mut |inner| {
        if let ExprKind::Load(place) = &inner.kind {
            reads |= !matches!(place.base, Base::Local(_));
        }
    });
    reads
}
