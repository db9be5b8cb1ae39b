//! Calls: inlined, kept as stubs, resolved through pointers; operations; creation of threads.

use super::*;

impl<'p> Unroller<'p> {
    pub(super) fn call(
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

    /// if (p == f) f(..); else if (p == g) g(..); else wrong_call(p);
    pub(super) fn call_any(
        &mut self,
        stmt: &'p Stmt,
        to: Option<Place>,
        original: &'p Expr,
        pointer: Expr,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        let function = self.frame().function;
        let targets = self.points_to.functions_in(&self.points_to.value(function, original));
        let mut targets: Vec<FunctionId> = targets;
        targets.dedup();
        let fits = |target: &FunctionId| self.program.function(*target).params.len() <= args.len();
        let fitting = targets.iter().any(fits);
        // The library only calls what the program gave to it.
        let by_user = matches!(self.program.function(function).kind, FunctionKind::Defined);
        if !fitting && !pointer.is_zero() && by_user {
            return Err(Diagnostic::unsupported(self.span_of(stmt), "a call of a function that is not known").into());
        }
        let held = self.held(pointer, stmt.origin, stmt.span)?;
        let plain = Stmt { origin: stmt.origin | CONTINUED, ..Stmt::new(StmtKind::Return(None), stmt.span) };
        self.choose_function(&targets, &held, &plain, &mut |unroller, target| {
            if unroller.program.function(target).params.len() > args.len() {
                return unroller.cut(CutKind::Model, 0, stmt.span);
            }
            unroller.call_function(&plain, to.clone(), target, args.clone())
        })
    }

    /// The value in a local of its own, so that it is read once.
    fn held(&mut self, value: Expr, origin: u32, span: Span) -> Result<Expr, LimitError> {
        let local = self.new_local("callee", value.ty, span);
        let kind = StmtKind::Assign { to: local.clone(), value };
        self.push(Stmt { origin, ..Stmt::new(kind, span) })?;
        Ok(Expr::load(local))
    }

    pub(super) fn choose_function(
        &mut self,
        targets: &[FunctionId],
        pointer: &Expr,
        stmt: &Stmt,
        act: &mut dyn FnMut(&mut Self, FunctionId) -> Result<(), LimitError>,
    ) -> Result<(), LimitError> {
        let Some((first, rest)) = targets.split_first() else { return self.wrong_call(pointer, stmt) };
        let int = self.types.int(IntKind::Int);
        let function = Expr { kind: ExprKind::Function(*first), ty: pointer.ty };
        let equal = ExprKind::Binary(BinaryOp::Eq, Box::new(pointer.clone()), Box::new(function));
        let condition = Expr { kind: equal, ty: int };
        let before = self.body.env.clone();
        let outer = std::mem::take(&mut self.body.out);
        act(self, *first)?;
        let then = std::mem::take(&mut self.body.out);
        let after_then = std::mem::replace(&mut self.body.env, before);
        self.choose_function(rest, pointer, stmt, act)?;
        let otherwise = std::mem::replace(&mut self.body.out, outer);
        match (&mut self.body.env, after_then) {
            (Some(env), Some(other)) => join_into(env, &other),
            (env @ None, other) => *env = other,
            (Some(_), None) => {}
        }
        self.push(Stmt::new(StmtKind::If { condition, then, otherwise }, stmt.span))
    }

    /// The pointer points to no function.
    fn wrong_call(&mut self, pointer: &Expr, stmt: &Stmt) -> Result<(), LimitError> {
        let operation = Operation::WrongCall;
        let function = operation_function(&mut self.functions, &mut self.types, operation, "__unthread_wrong_call");
        let kind = StmtKind::Call { to: None, callee: Callee::Function(function), args: vec![pointer.clone()] };
        self.push(Stmt { origin: stmt.origin, ..Stmt::new(kind, self.span_of(stmt)) })?;
        self.body.env = None;
        Ok(())
    }

    pub(super) fn call_function(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        target: FunctionId,
        args: Vec<Expr>,
    ) -> Result<(), LimitError> {
        let function = self.program.function(target);
        match function.kind {
            FunctionKind::Operation(operation) => self.operation(stmt, to, target, operation, args),
            FunctionKind::External if self.options.stop_at_unknown_functions => self.stop(stmt.span),
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
                self.inline(target, to, args, (stmt.span, stmt.origin))
            }
        }
    }

    pub(super) fn span_of(&self, stmt: &Stmt) -> Span {
        if stmt.span == Span::default() { self.calling_span() } else { stmt.span }
    }

    pub(super) fn stays_call(&self, target: FunctionId) -> bool {
        match self.stubs[target.0 as usize] {
            Stub::Private | Stub::Step => true,
            Stub::Inner => {
                let caller = self.body.frames.last().map(|frame| &self.program.function(frame.function).kind);
                matches!(caller, Some(FunctionKind::Model))
            }
            Stub::No => false,
        }
    }

    pub(super) fn cuts_recursion(&self, target: FunctionId, depth: u32, args: &[Expr]) -> bool {
        let last = self.body.frames.iter().rev().find(|frame| frame.function == target);
        let changes = last.is_some_and(|frame| {
            frame.arguments.iter().zip(args).any(|(old, new)| fold::is_constant(new) && old.as_ref() != Some(new))
        });
        depth >= if changes { self.options.unwind_max } else { self.options.unwind }
    }

    pub(super) fn emit_call(
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
        self.push(Stmt { kind, ..*stmt })
    }

    pub(super) fn push_frame(
        &mut self,
        function: FunctionId,
        result: Option<Place>,
        end: LabelId,
        arguments: Vec<Option<Expr>>,
    ) {
        let locals = vec![None; self.program.function(function).locals.len()];
        let at = self.body.extra_arguments.len();
        let span = self.calling_span();
        self.body.frames.push(Frame {
            function,
            locals,
            scopes: vec![LabelScope { domain: None, map: FxHashMap::default() }],
            loops: Vec::new(),
            result,
            end,
            arguments,
            extra: (at, at),
            span,
        });
    }

    pub(super) fn pop_frame(&mut self) {
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

    pub(super) fn inline(
        &mut self,
        target: FunctionId,
        to: Option<Place>,
        args: Vec<Expr>,
        (span, origin): (Span, u32),
    ) -> Result<(), LimitError> {
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
            self.section(Operation::AtomicBegin, "__VERIFIER_atomic_begin", (span, origin))?;
        }
        let calling = if span == Span::default() { self.calling_span() } else { span };
        self.push_frame(target, place.clone(), end, known);
        self.frame().span = calling;
        self.pass_arguments(function, args, span)?;
        self.block(&function.body)?;
        self.label(end, span);
        let locals = self.body.extra_arguments.len();
        let first = self.frame().extra.0;
        self.pop_frame();
        debug_assert!(first <= locals);
        self.body.extra_arguments.truncate(first);
        if atomic && self.body.env.is_some() {
            self.section(Operation::AtomicEnd, "__VERIFIER_atomic_end", (span, 0))?;
        }
        if let (Some(to), Some(place), false) = (to, place, direct)
            && self.body.env.is_some()
        {
            let value = Expr::load(place);
            let value = if value.ty == to.ty { value } else { fold::cast(&self.types, value, to.ty) };
            self.note_value(&to, &value);
            self.push(Stmt::new(StmtKind::Assign { to, value }, span))?;
        }
        Ok(())
    }

    fn section(&mut self, operation: Operation, name: &str, (span, origin): (Span, u32)) -> Result<(), LimitError> {
        let function = operation_function(&mut self.functions, &mut self.types, operation, name);
        let mut stmt =
            Stmt::new(StmtKind::Call { to: None, callee: Callee::Function(function), args: Vec::new() }, span);
        stmt.visible = operation == Operation::AtomicBegin;
        stmt.origin = origin;
        self.push(stmt)
    }

    pub(super) fn pass_arguments(
        &mut self,
        function: &'p Function,
        args: Vec<Expr>,
        span: Span,
    ) -> Result<(), LimitError> {
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

    pub(super) fn set_list(&mut self, list: &Place, at: usize, span: Span) -> Result<(), LimitError> {
        match (self.is_followed(list), &mut self.body.env) {
            (Some(id), Some(env)) => {
                env.insert(id, Expr::int(at as i128, list.ty));
                Ok(())
            }
            (None, _) => Err(Diagnostic::unsupported(span, "a list of variable arguments kept in memory").into()),
            (_, None) => Ok(()),
        }
    }

    pub(super) fn list_position(&self, list: &Place, span: Span) -> Result<usize, LimitError> {
        let known = self.is_followed(list).and_then(|id| self.body.env.as_ref()?.get(&id)?.as_int());
        let text = "a list of variable arguments whose position depends on the execution";
        known.map(|at| at as usize).ok_or_else(|| Diagnostic::unsupported(span, text).into())
    }

    pub(super) fn next_argument(&mut self, to: &'p Place, list: &'p Place, span: Span) -> Result<(), LimitError> {
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

    /// vprintf(format, list)  ->  printf(format, arguments...): bounded threads have no lists.
    fn print_list(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        mut args: Vec<Expr>,
        (operation, name): (Operation, &str),
    ) -> Result<(), LimitError> {
        let span = self.span_of(stmt);
        let list = args.pop().expect("the list is the last argument");
        let known = list.as_int().map(|at| at as usize);
        let at = match (known, list.kind) {
            (Some(at), _) => at,
            (None, ExprKind::Load(place)) => self.list_position(&place, span)?,
            (None, _) => {
                let text = "a list of variable arguments whose position depends on the execution";
                return Err(Diagnostic::unsupported(span, text).into());
            }
        };
        let end = self.body.frames.iter().map(|frame| frame.extra).find(|(from, to)| (*from..*to).contains(&at));
        let arguments = self.body.extra_arguments[at..end.map_or(at, |(_, to)| to)].to_vec();
        for argument in arguments {
            let constant = self.is_followed(&argument).and_then(|id| self.body.env.as_ref()?.get(&id).cloned());
            args.push(constant.unwrap_or_else(|| Expr::load(argument)));
        }
        let function = operation_function(&mut self.functions, &mut self.types, operation, name);
        self.emit_call(stmt, to, function, args)
    }

    // ---- operations ----

    pub(super) fn operation(
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
            Operation::Vprintf => return self.print_list(stmt, to, args, (Operation::Printf, "printf")),
            Operation::Vfprintf => return self.print_list(stmt, to, args, (Operation::Fprintf, "fprintf")),
            Operation::Vsprintf => return self.print_list(stmt, to, args, (Operation::Sprintf, "sprintf")),
            Operation::Vsnprintf => return self.print_list(stmt, to, args, (Operation::Snprintf, "snprintf")),
            Operation::Assume | Operation::Await => match fold::truth(&args[0]) {
                Some(true) => return Ok(()),
                Some(false) if operation == Operation::Assume => return self.stop(stmt.span),
                _ => {}
            },
            Operation::Assert if fold::truth(&args[0]) == Some(true) => return Ok(()),
            Operation::Fence | Operation::Nothing
                if operation == Operation::Nothing || self.program.buffering.is_none() =>
            {
                for arg in args {
                    let shared = |id: LocalId| self.body.locals[id.0 as usize].shared;
                    if !walk::may_be_undefined(&arg, &shared) && !walk::may_overflow(&self.types, &arg) {
                        continue;
                    }
                    let unused = self.new_local("unused", arg.ty, stmt.span);
                    self.assign(unused, arg, stmt.span);
                }
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

    pub(super) fn thread_exit(&mut self, stmt: &Stmt, args: Vec<Expr>) -> Result<(), LimitError> {
        let is_main = self.body.thread == 0;
        if let Some(value) = args.into_iter().next() {
            let to = match (is_main, self.body.exit_value.clone()) {
                (false, _) => self.body.result.clone(),
                (true, Some(place)) => Some(place),
                // What `main` returns is not what it hands to whoever joins it.
                (true, None) => {
                    let place = self.new_local("exit_value", value.ty, stmt.span);
                    self.body.exit_value = Some(place.clone());
                    Some(place)
                }
            };
            if let Some(to) = to {
                let value = fold::cast(&self.types, value, to.ty);
                self.assign(to, value, stmt.span);
            }
        }
        let label = if is_main { self.body.exited } else { self.body.end };
        self.jump(label, stmt.span)
    }

    pub(super) fn create(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        call: (FunctionId, Operation),
        args: Vec<Expr>,
        starts: Vec<FunctionId>,
    ) -> Result<(), LimitError> {
        let (start, argument) = start_and_argument(call.1, &args);
        let known = fold::is_constant(argument) && !mentions_local(argument);
        let argument = known.then(|| argument.clone());
        let span = self.span_of(stmt);
        if let Some(function) = constant_function(start) {
            return self.create_one(stmt, to, call, args.clone(), (function, argument), span);
        }
        if starts.is_empty() && !start.is_zero() {
            return Err(Diagnostic::unsupported(span, "the creation of a thread whose function is not known").into());
        }
        let held = self.held(start.clone(), 0, span)?;
        let plain = Stmt { kind: StmtKind::Return(None), ..*stmt };
        self.choose_function(&starts, &held, stmt, &mut |unroller, function| {
            if unroller.program.function(function).params.len() > 1 {
                return unroller.cut(CutKind::Model, 0, span);
            }
            unroller.create_one(&plain, to.clone(), call, args.clone(), (function, argument.clone()), span)
        })
    }

    /// The number of the thread that a creation makes. Beyond the bound it is always the same one, which never runs: a
    /// thread that is created need not run, so that this is a real execution.
    fn new_thread(&mut self, start: FunctionId, argument: Option<Expr>, span: Span) -> usize {
        let parent = self.body.thread;
        let sleeper = self.plans.iter().position(|plan| plan.sleeps);
        let sleeps = self.plans.len() > self.options.threads as usize;
        if sleeps {
            self.note_cut(CutKind::Threads, self.options.threads, span);
        }
        sleeper.unwrap_or_else(|| {
            self.plans.push(Plan { start, parent, argument, span, sleeps, function: start });
            self.plans.len() - 1
        })
    }

    pub(super) fn create_one(
        &mut self,
        stmt: &Stmt,
        to: Option<Place>,
        (target, operation): (FunctionId, Operation),
        mut args: Vec<Expr>,
        (start, argument): (FunctionId, Option<Expr>),
        span: Span,
    ) -> Result<(), LimitError> {
        let number = self.new_thread(start, argument, span);
        // The number stands for the function until all of them are made.
        let position = if operation == Operation::Create { 2 } else { 1 };
        let ty = args[position].ty;
        args[position] = Expr::int(number as i128, ty);
        self.emit_call(stmt, to, target, args)
    }
}
