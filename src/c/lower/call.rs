//! Calls: arguments and results, compiler built-ins, atomics.

use super::{Lowerer, Symbol};
use crate::c::ast;
use crate::diagnostic::{Diagnostic, Result};
use crate::il::operation::builtin_signature;
use crate::il::types::FunctionType;
use crate::il::{
    AccessKind, BinaryOp, Callee, Expr, ExprKind, FloatKind, FunctionId, FunctionKind, IntKind, Operation, Order,
    Place, Projection, Stmt, StmtKind, Type, TypeId, UnaryOp, printed_texts, uncast,
};

/// Statements before a call among which the reads of its texts are: four for each of them in a printed program.
const LOOKED_BACK: usize = 100;

impl Lowerer {
    /// Lowers a call. A result of the right type goes straight into `target`, otherwise into a temporary.
    pub(super) fn call(
        &mut self,
        expr: &ast::Expr,
        callee: &ast::Expr,
        arguments: &[ast::Expr],
        target: Option<&Place>,
        wants_value: bool,
    ) -> Result<Expr> {
        if let ast::ExprKind::Ident(name) = &callee.kind {
            if let Some(result) = self.special_call(name, expr, arguments, target)? {
                return Ok(result);
            }
            if self.lookup(name).is_none() && self.builtin_function(name).is_err() {
                self.missing_declaration(name, expr)?;
            }
        }
        let callee_value = self.expr(callee)?;
        self.set_span(expr.span);
        let function_type = self.types.pointee(callee_value.ty).and_then(|to| self.types.function_type(to)).cloned();
        let Some(function_type) = function_type else {
            return Err(Diagnostic::error(callee.span, "only functions and pointers to functions can be called"));
        };
        let callee = match callee_value.kind {
            ExprKind::Function(id) => {
                self.use_function(id, expr.span)?;
                Callee::Function(id)
            }
            _ => Callee::Pointer(callee_value),
        };
        let mut args = self.arguments(expr, arguments, &function_type)?;
        self.set_span(expr.span);
        if let Callee::Function(id) = callee
            && let FunctionKind::Operation(operation) = self.function(id).kind
        {
            if args.len() < operation.arity() {
                let name = &self.function(id).name;
                let text = format!("`{name}` takes {} arguments, the call has {}", operation.arity(), args.len());
                return self.error(text);
            }
            self.look_at_texts(operation, &mut args);
        }
        Ok(self.emit_call(callee, args, function_type.result, target, wants_value))
    }

    /// What is printed is not observed, but reading it may be undefined: the first unit of each text is read before.
    fn look_at_texts(&mut self, operation: Operation, args: &mut [Expr]) {
        let char_type = self.types.int(IntKind::Char);
        for index in printed_texts(&self.strings, operation, args) {
            if matches!(uncast(&args[index]).kind, ExprKind::Str(_)) {
                continue;
            }
            let char_pointer = self.types.pointer(char_type);
            let first = |lowerer: &mut Lowerer, text: &Expr| {
                let pointer = lowerer.convert(text.clone(), char_pointer);
                Expr::load(Place::deref(pointer, char_type))
            };
            // A printed program does so already.
            let read = first(self, &args[index]);
            let just_read = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Assign { value, .. } if *value == read);
            if self.code.iter().rev().take(LOOKED_BACK).any(just_read) {
                continue;
            }
            args[index] = self.in_temp(args[index].clone());
            let read = first(self, &args[index]);
            self.in_temp(read);
        }
    }

    fn emit_call(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        result: TypeId,
        target: Option<&Place>,
        wants_value: bool,
    ) -> Expr {
        if self.types.is_void(result) || !wants_value {
            self.emit(StmtKind::Call { to: None, callee, args });
            let void = self.types.void();
            return Expr { kind: ExprKind::Int(0), ty: void };
        }
        let to = match target {
            Some(place)
                if self.types.erased(place.ty) == self.types.erased(result) && self.bit_field(place).is_none() =>
            {
                place.clone()
            }
            _ => self.new_temp(result),
        };
        self.emit(StmtKind::Call { to: Some(to.clone()), callee, args });
        Expr::load(to)
    }

    /// A function whose declaration has types that we do not support is known by its model, or not at all.
    fn missing_declaration(&mut self, name: &str, expr: &ast::Expr) -> Result<()> {
        let Some(refused) = self.refused.get(name).cloned() else { return self.implicit_declaration(name, expr) };
        match self.model_function(name) {
            Some(model) => self.declare_outside(name, self.function(model).ty),
            None => Err(Diagnostic { span: Some(expr.span), ..refused }),
        }
    }

    fn declare_outside(&mut self, name: &str, ty: TypeId) -> Result<()> {
        let inner: Vec<_> = self.scopes.drain(1..).collect();
        let declared = self.declare_function(name, ty, false);
        self.scopes.extend(inner);
        declared.map(|_| ())
    }

    fn implicit_declaration(&mut self, name: &str, expr: &ast::Expr) -> Result<()> {
        self.warn_once(
            &format!("implicit {name}"),
            Diagnostic::warning(
                expr.span,
                format!("`{name}` is called without a declaration: taken as `int {name}()`"),
            ),
        );
        let int = self.types.int(IntKind::Int);
        let function = FunctionType { result: int, params: Vec::new(), variadic: false, prototyped: false };
        let ty = self.types.intern(Type::Function(function));
        self.declare_outside(name, ty)
    }

    fn arguments(&mut self, call: &ast::Expr, arguments: &[ast::Expr], ty: &FunctionType) -> Result<Vec<Expr>> {
        let known = ty.params.len();
        if arguments.len() < known || (ty.prototyped && !ty.variadic && arguments.len() > known) {
            return Err(Diagnostic::error(
                call.span,
                format!("the function takes {known} arguments, the call has {}", arguments.len()),
            ));
        }
        let mut args = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.expr(argument)?;
            self.set_span(argument.span);
            let value = match ty.params.get(index) {
                Some(param) => {
                    let fits = match (self.types.record_id(*param), self.types.record_id(value.ty)) {
                        (None, None) => self.types.is_scalar(value.ty),
                        (a, b) => a == b,
                    };
                    if !fits {
                        return Err(Diagnostic::error(
                            argument.span,
                            "this argument does not fit the type of the parameter",
                        ));
                    }
                    self.convert(value, *param)
                }
                None if self.types.is_void(value.ty) => {
                    return Err(Diagnostic::error(argument.span, "a void value as an argument"));
                }
                None => self.promote_argument(value),
            };
            args.push(value);
        }
        Ok(args)
    }

    /// A compiler built-in or core operation that no header declares.
    pub(super) fn builtin_function(&mut self, name: &str) -> Result<FunctionId> {
        let existing = match self.scopes[0].names.get(name) {
            Some(Symbol::Function(id)) => Some(*id),
            _ => match self.linked(name) {
                Some(Symbol::Function(id)) => Some(id),
                _ => self.builtins.get(name).copied(),
            },
        };
        let id = match existing {
            Some(id) => id,
            None => match builtin_signature(name) {
                Some(signature) => self.declare_builtin(name, signature),
                None => match self.model_function(name).filter(|_| name.starts_with("__builtin_")) {
                    Some(id) => id,
                    None => return self.error(format!("`{name}` is no known built-in function")),
                },
            },
        };
        self.use_function(id, self.span)?;
        Ok(id)
    }

    fn declare_builtin(&mut self, name: &str, signature: &str) -> FunctionId {
        let (result, params) = signature.split_once('(').expect("signatures have parentheses");
        let result = self.signature_type(result);
        let mut function = FunctionType { result, params: Vec::new(), variadic: false, prototyped: true };
        for param in params.trim_end_matches(')').split(',').filter(|param| !param.is_empty()) {
            if param == "..." {
                function.variadic = true;
            } else {
                let ty = self.signature_type(param);
                function.params.push(ty);
            }
        }
        let ty = self.types.intern(Type::Function(function));
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(crate::il::Function::without_body(name.to_owned(), FunctionKind::External, ty));
        self.builtins.insert(name.to_owned(), id);
        id
    }

    fn signature_type(&mut self, text: &str) -> TypeId {
        if let Some(inner) = text.strip_suffix('*') {
            let inner = self.signature_type(inner);
            return self.types.pointer(inner);
        }
        match text {
            "void" => self.types.void(),
            "size_t" => self.types.size_type(),
            "int" => self.types.int(IntKind::Int),
            "_Bool" => self.types.int(IntKind::Bool),
            "char" => self.types.int(IntKind::Char),
            "unsigned long long" => self.types.int(IntKind::ULongLong),
            other => unreachable!("`{other}` should be one of the types of the operation table"),
        }
    }

    // ---- built-ins that are more than functions ----

    fn special_call(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        args: &[ast::Expr],
        target: Option<&Place>,
    ) -> Result<Option<Expr>> {
        let Some(rest) = name.strip_prefix("__") else { return Ok(None) };
        if matches!(self.lookup(name), Some(Symbol::Function(id)) if self.definitions.contains_key(&id)) {
            return Ok(None);
        }
        if let Some(value) = self.cleanup_call(name)? {
            return Ok(Some(value));
        }
        if let Some(rest) = rest.strip_prefix("atomic_") {
            return self.atomic_builtin(rest, expr, args);
        }
        if let Some(rest) = rest.strip_prefix("sync_") {
            return self.sync_builtin(rest, expr, args);
        }
        if let Some(rest) = rest.strip_prefix("builtin_") {
            return self.gnu_builtin(rest, expr, args, target);
        }
        Ok(None)
    }

    /// What glibc's pthread_cleanup_push() and pthread_cleanup_pop() call: a jump to the handler when the thread ends in
    /// between. The handler and its argument are variables of the macro.
    fn cleanup_call(&mut self, name: &str) -> Result<Option<Expr>> {
        let local = |lowerer: &Lowerer, name: &str| match lowerer.lookup(name) {
            Some(Symbol::Local(id)) => {
                let ty = lowerer.body.as_ref().expect("locals live in functions").locals[id.0 as usize].ty;
                Some(Place::local(id, ty))
            }
            _ => None,
        };
        let places = ["__cancel_buf", "__cancel_routine", "__cancel_arg"].map(|name| local(self, name));
        let [Some(frame), Some(routine), Some(argument)] = places else { return Ok(None) };
        let int = self.types.int(IntKind::Int);
        let frame = self.address_of(frame);
        // The older form of the library does the same without a jump.
        let (model, args) = match name {
            "__sigsetjmp_cancel" | "__sigsetjmp" => return Ok(Some(Expr::int(0, int))),
            "__pthread_unwind_next" => return Ok(Some(self.nothing())),
            "__pthread_register_cancel" => {
                ("_pthread_cleanup_push", vec![frame, Expr::load(routine), Expr::load(argument)])
            }
            "__pthread_unregister_cancel" => ("_pthread_cleanup_pop", vec![frame, Expr::int(0, int)]),
            _ => return Ok(None),
        };
        let id = self.model_function(model).expect("the models have it");
        self.use_function(id, self.span)?;
        self.thread_end = self.use_hook("ut_run_destructors");
        let params = self.types.function_type(self.function(id).ty).map(|ty| ty.params.clone()).unwrap_or_default();
        let args = args.into_iter().zip(params).map(|(arg, ty)| self.convert(arg, ty)).collect();
        self.emit(StmtKind::Call { to: None, callee: Callee::Function(id), args });
        Ok(Some(self.nothing()))
    }

    fn gnu_builtin(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        args: &[ast::Expr],
        target: Option<&Place>,
    ) -> Result<Option<Expr>> {
        let need = |count: usize| {
            if args.len() < count {
                return Err(Diagnostic::error(expr.span, format!("`__builtin_{name}` needs {count} arguments")));
            }
            Ok(())
        };
        let double = self.types.intern(Type::Float(FloatKind::Double));
        let float = self.types.intern(Type::Float(FloatKind::Float));
        let int = self.types.int(IntKind::Int);
        let void = self.types.void();
        let value = match name {
            // A hint to the processor.
            "ia32_pause" => self.nothing(),
            "expect" | "expect_with_probability" => {
                need(2)?;
                let value = self.expr(&args[0])?;
                let long = self.types.int(IntKind::Long);
                self.discard(&args[1])?;
                self.convert(value, long)
            }
            "constant_p" => {
                need(1)?;
                let constant = self.speculate(|lowerer| {
                    let value = lowerer.expr(&args[0])?;
                    Ok(matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_)))
                })?;
                Expr::int(i128::from(constant), int)
            }
            "prefetch" => {
                args.iter().try_for_each(|argument| self.discard(argument))?;
                Expr::int(0, void)
            }
            "object_size" | "dynamic_object_size" => {
                let size_type = self.types.size_type();
                let all = crate::il::arithmetic::wrap(&self.types, -1, size_type);
                Expr::int(all, size_type)
            }
            "huge_val" | "inf" => Expr { kind: ExprKind::Float(f64::INFINITY), ty: double },
            "huge_valf" | "inff" => Expr { kind: ExprKind::Float(f64::INFINITY), ty: float },
            "nan" | "nans" => Expr { kind: ExprKind::Float(f64::NAN), ty: double },
            "nanf" | "nansf" => Expr { kind: ExprKind::Float(f64::NAN), ty: float },
            "isnan" | "isinf" | "isinf_sign" | "isfinite" => {
                need(1)?;
                let value = self.expr(&args[0])?;
                let value = self.convert(value, double);
                let value = self.in_temp(value);
                self.classify_float(name, value)
            }
            "va_start" | "c23_va_start" => {
                need(1)?;
                let list = self.va_list(&args[0])?;
                self.emit(StmtKind::VaStart(list));
                Expr::int(0, void)
            }
            "va_end" => {
                need(1)?;
                let list = self.va_list(&args[0])?;
                self.emit(StmtKind::VaEnd(list));
                Expr::int(0, void)
            }
            "va_copy" => {
                need(2)?;
                let to = self.va_list(&args[0])?;
                let from = self.va_list(&args[1])?;
                self.emit(StmtKind::VaCopy { to, from });
                Expr::int(0, void)
            }
            _ if name.ends_with("_overflow") => return self.overflow_builtin(name, expr, args, target),
            _ => return self.library_builtin(name, expr, args, target),
        };
        Ok(Some(value))
    }

    fn classify_float(&mut self, name: &str, value: Expr) -> Expr {
        let (int, double) = (self.types.int(IntKind::Int), value.ty);
        let constant = |number: f64| Expr { kind: ExprKind::Float(number), ty: double };
        match name {
            "isnan" => self.arithmetic(BinaryOp::Ne, value.clone(), value, int),
            "isfinite" => {
                let difference = self.arithmetic(BinaryOp::Sub, value.clone(), value, double);
                self.arithmetic(BinaryOp::Eq, difference, constant(0.0), int)
            }
            _ => {
                let above = self.arithmetic(BinaryOp::Eq, value.clone(), constant(f64::INFINITY), int);
                let below = self.arithmetic(BinaryOp::Eq, value, constant(f64::NEG_INFINITY), int);
                self.arithmetic(BinaryOp::Sub, above, below, int)
            }
        }
    }

    fn va_list(&mut self, expr: &ast::Expr) -> Result<Place> {
        let place = self.place(expr)?;
        if !matches!(self.types.get(place.ty), Type::VaList) {
            return Err(Diagnostic::error(expr.span, "this is no va_list"));
        }
        Ok(place)
    }

    /// `__builtin_strlen` and friends are the library functions of that name.
    fn library_builtin(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        args: &[ast::Expr],
        target: Option<&Place>,
    ) -> Result<Option<Expr>> {
        let full = format!("__builtin_{name}");
        if builtin_signature(&full).is_some() || crate::c::model::defines(&full) || !crate::c::model::defines(name) {
            return Ok(None);
        }
        let declared = match self.scopes[0].names.get(name) {
            Some(Symbol::Function(id)) => Some(*id),
            _ => self.model_function(name),
        };
        let Some(id) = declared else { return Ok(None) };
        self.use_function(id, expr.span)?;
        let ty = self.types.function_type(self.function(id).ty).expect("a function").clone();
        let args = self.arguments(expr, args, &ty)?;
        self.set_span(expr.span);
        Ok(Some(self.emit_call(Callee::Function(id), args, ty.result, target, true)))
    }

    /// `__builtin_add_overflow(a, b, &r)` and the typed forms (`__builtin_uaddl_overflow`).
    fn overflow_builtin(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        args: &[ast::Expr],
        place: Option<&Place>,
    ) -> Result<Option<Expr>> {
        let stem = name.trim_end_matches("_overflow");
        let operators = ["add", "sub", "mul"];
        let Some(operator) = operators.iter().find(|operator| stem.contains(*operator)) else { return Ok(None) };
        let (before, after) = stem.split_once(operator).expect("found above");
        let forced = match (before, after) {
            ("", "") => None,
            ("s", "") => Some(IntKind::Int),
            ("s", "l") => Some(IntKind::Long),
            ("s", "ll") => Some(IntKind::LongLong),
            ("u", "") => Some(IntKind::UInt),
            ("u", "l") => Some(IntKind::ULong),
            ("u", "ll") => Some(IntKind::ULongLong),
            _ => return Ok(None),
        };
        let [left, right, result] = args else {
            return Err(Diagnostic::error(expr.span, format!("`__builtin_{name}` needs 3 arguments")));
        };
        let mut left = self.expr(left)?;
        let mut right = self.expr(right)?;
        let result = self.expr(result)?;
        if let Some(kind) = forced {
            let ty = self.types.int(kind);
            (left, right) = (self.convert(left, ty), self.convert(right, ty));
        }
        let integers = self.types.int_kind(left.ty).is_some() && self.types.int_kind(right.ty).is_some();
        let target = self.types.pointee(result.ty).and_then(|to| self.types.int_kind(to));
        if !integers || target.is_none() {
            return Err(Diagnostic::error(expr.span, format!("`__builtin_{name}` works on integers")));
        }
        let id = self.builtin_function(&format!("__builtin_{operator}_overflow"))?;
        self.set_span(expr.span);
        let bool_type = self.types.int(IntKind::Bool);
        Ok(Some(self.emit_call(Callee::Function(id), vec![left, right, result], bool_type, place, true)))
    }

    // ---- atomics: the operation as one step ----

    /// Runs `work` between atomic begin and end; hands back its value.
    fn atomically<T>(&mut self, work: impl FnOnce(&mut Lowerer) -> Result<T>) -> Result<T> {
        self.emit_atomic(true)?;
        let value = work(self)?;
        self.emit_atomic(false)?;
        Ok(value)
    }

    /// What an atomic built-in works on: the pointer is read once, and `_Atomic` is stripped.
    fn atomic_place(&mut self, expr: &ast::Expr, order: Order) -> Result<Place> {
        let place = self.pointed_place(expr)?;
        Ok(Place { access: AccessKind::Atomic(order), ..place })
    }

    /// What a pointer points to that an atomic built-in reads or writes besides, without being atomic there.
    fn pointed_place(&mut self, expr: &ast::Expr) -> Result<Place> {
        let pointer = self.expr(expr)?;
        let Some(to) = self.types.pointee(pointer.ty) else {
            return Err(Diagnostic::error(expr.span, "an atomic operation needs a pointer"));
        };
        let to = self.types.unqualified(to);
        let ty = if self.types.is_void(to) { self.types.int(IntKind::Char) } else { to };
        if !self.types.is_scalar(ty) && self.types.record_id(ty).is_none() {
            return Err(Diagnostic::error(expr.span, "an atomic operation needs a pointer to a scalar"));
        }
        let mut place = self.deref_value(pointer)?;
        place.ty = ty;
        Ok(self.stabilize(place))
    }

    fn operand_for(&mut self, place: &Place, expr: &ast::Expr) -> Result<Expr> {
        let value = self.expr(expr)?;
        let ty = if self.types.pointee(place.ty).is_some() && self.types.int_kind(value.ty).is_some() {
            self.types.ptrdiff_type()
        } else {
            place.ty
        };
        let value = self.convert(value, ty);
        Ok(self.in_temp(value))
    }

    /// old = *p; *p = old op v, in one step; yields the old or the new value.
    fn fetch(&mut self, op: &str, args: &[ast::Expr], order: Order, wants_old: bool, span: &ast::Expr) -> Result<Expr> {
        if args.len() < 2 {
            return Err(Diagnostic::error(span.span, "this atomic operation needs two arguments"));
        }
        let place = self.atomic_place(&args[0], order)?;
        let value = self.operand_for(&place, &args[1])?;
        self.set_span(span.span);
        self.atomically(|lowerer| {
            let old = lowerer.in_temp(Expr::load(place.clone()));
            let new = lowerer.combine(op, old.clone(), value, place.ty)?;
            let new = lowerer.in_temp(new);
            lowerer.assign(place, new.clone());
            Ok(if wants_old { old } else { new })
        })
    }

    fn combine(&mut self, op: &str, old: Expr, value: Expr, ty: TypeId) -> Result<Expr> {
        // On pointers the built-ins count bytes; arithmetic wraps (C11 7.17.7.5).
        let work = match self.types.int_kind(ty) {
            _ if self.types.pointee(ty).is_some() => self.types.ptrdiff_type(),
            Some(IntKind::Bool) | None => ty,
            Some(kind) => self.types.int(kind.to_unsigned()),
        };
        let (old, value) = (self.convert(old, work), self.convert(value, work));
        let (operator, complement) = match op {
            "add" => (ast::BinaryOp::Add, false),
            "sub" => (ast::BinaryOp::Sub, false),
            "and" => (ast::BinaryOp::BitAnd, false),
            "or" => (ast::BinaryOp::BitOr, false),
            "xor" => (ast::BinaryOp::BitXor, false),
            "nand" => (ast::BinaryOp::BitAnd, true),
            other => return self.unsupported(format!("the atomic operation `{other}`")),
        };
        let mut result = self.binary(operator, old, value)?;
        if complement {
            let ty = result.ty;
            result = Expr { kind: ExprKind::Unary(UnaryOp::Complement, Box::new(result)), ty };
        }
        let result = self.convert(result, work);
        Ok(self.convert(result, ty))
    }

    /// if (*p == expected) *p = desired, in one step; yields (old value, succeeded). The read has the order of a failure;
    /// if it succeeds, the write brings its own, which holds for both. What was expected is read before that step, and
    /// written after it (C11 7.17.7.4 promises no more).
    fn compare_and_swap(
        &mut self,
        place: Place,
        on_failure_order: Order,
        expected: Expr,
        desired: Expr,
        on_failure: Option<Place>,
    ) -> Result<(Expr, Expr)> {
        let bool_type = self.types.int(IntKind::Bool);
        if !self.types.is_scalar(place.ty) && self.types.size(place.ty) > 16 {
            return self.unsupported("compare-and-swap on more than 16 bytes");
        }
        let expected = self.in_temp(expected);
        let (old, equal) = self.atomically(|lowerer| {
            let read = Place { access: AccessKind::Atomic(on_failure_order), ..place.clone() };
            let old = lowerer.in_temp(Expr::load(read));
            let equal = match lowerer.types.is_scalar(place.ty) {
                true => lowerer.binary(ast::BinaryOp::Eq, old.clone(), expected)?,
                false => lowerer.same_bytes(&old, &expected)?,
            };
            let equal = lowerer.convert(equal, bool_type);
            let equal = lowerer.in_temp(equal);
            let then = vec![Stmt::new(StmtKind::Assign { to: place, value: desired }, lowerer.span)];
            lowerer.emit(StmtKind::If { condition: equal.clone(), then, otherwise: Vec::new() });
            Ok((old, equal))
        })?;
        if let Some(to) = on_failure {
            let value = self.convert_scalar(old.clone(), to.ty);
            let otherwise = vec![Stmt::new(StmtKind::Assign { to, value }, self.span)];
            self.emit_if(equal.clone(), Vec::new(), otherwise);
        }
        Ok((old, equal))
    }

    /// Do two structs in temporaries hold the same bytes, those between their members included?
    fn same_bytes(&mut self, a: &Expr, b: &Expr) -> Result<Expr> {
        let mut args = Vec::new();
        for value in [a, b] {
            let ExprKind::Load(place) = &value.kind else { unreachable!("it is in a temporary") };
            args.push(self.address_of((**place).clone()));
        }
        let size = self.types.size_type();
        args.push(Expr::int(i128::from(self.types.size(a.ty)), size));
        let memcmp = self.builtin_function("__builtin_memcmp")?;
        let int = self.types.int(IntKind::Int);
        let params = self.types.function_type(self.function(memcmp).ty).map(|ty| ty.params.clone()).unwrap_or_default();
        let args = args.into_iter().zip(params).map(|(arg, ty)| self.convert(arg, ty)).collect();
        let different = self.emit_call(Callee::Function(memcmp), args, int, None, true);
        Ok(self.negate(different))
    }

    fn exchange(&mut self, place: Place, value: Expr) -> Result<Expr> {
        self.atomically(|lowerer| {
            let old = lowerer.in_temp(Expr::load(place.clone()));
            lowerer.assign(place, value);
            Ok(old)
        })
    }

    fn nothing(&mut self) -> Expr {
        let void = self.types.void();
        Expr::int(0, void)
    }

    fn sync_builtin(&mut self, name: &str, expr: &ast::Expr, args: &[ast::Expr]) -> Result<Option<Expr>> {
        // The typed forms `__sync_fetch_and_add_4` are the same operations.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let order = match name {
            "lock_test_and_set" => Order::Acquire,
            "lock_release" => Order::Release,
            _ => Order::SeqCst,
        };
        if let Some(op) = name.strip_prefix("fetch_and_") {
            return self.fetch(op, args, order, true, expr).map(Some);
        }
        if let Some(op) = name.strip_suffix("_and_fetch") {
            return self.fetch(op, args, order, false, expr).map(Some);
        }
        let value = match (name, args.len()) {
            ("bool_compare_and_swap" | "val_compare_and_swap", 3..) => {
                let place = self.atomic_place(&args[0], order)?;
                let expected = self.operand_for(&place, &args[1])?;
                let expected = self.convert(expected, place.ty);
                let desired = self.operand_for(&place, &args[2])?;
                let desired = self.convert(desired, place.ty);
                self.set_span(expr.span);
                let (old, equal) = self.compare_and_swap(place, order, expected, desired, None)?;
                if name.starts_with("bool") { equal } else { old }
            }
            ("lock_test_and_set", 2..) => {
                let place = self.atomic_place(&args[0], order)?;
                let value = self.operand_for(&place, &args[1])?;
                let value = self.convert(value, place.ty);
                self.set_span(expr.span);
                self.exchange(place, value)?
            }
            ("lock_release", 1..) => {
                let place = self.atomic_place(&args[0], order)?;
                let zero = self.zero(place.ty);
                self.set_span(expr.span);
                self.atomically(|lowerer| {
                    lowerer.assign(place, zero);
                    Ok(())
                })?;
                self.nothing()
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn order(&mut self, argument: Option<&ast::Expr>) -> Result<Order> {
        let Some(argument) = argument else { return Ok(Order::SeqCst) };
        Ok(Order::of_constant(self.speculate(|lowerer| Ok(lowerer.expr(argument)?.as_int()))?))
    }

    fn atomic_builtin(&mut self, name: &str, expr: &ast::Expr, args: &[ast::Expr]) -> Result<Option<Expr>> {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = if name.ends_with('_') { name.trim_end_matches('_') } else { name };
        let is_exchange = matches!(name, "compare_exchange_n" | "compare_exchange");
        let order = self.order(if is_exchange { args.get(4) } else { args.last() })?;
        if let Some(op) = name.strip_prefix("fetch_") {
            return self.fetch(op, args, order, true, expr).map(Some);
        }
        if let Some(op) = name.strip_suffix("_fetch") {
            return self.fetch(op, args, order, false, expr).map(Some);
        }
        let int = self.types.int(IntKind::Int);
        let bool_type = self.types.int(IntKind::Bool);
        if matches!(name, "always_lock_free" | "is_lock_free") {
            return Ok(Some(Expr::int(1, bool_type)));
        }
        if matches!(name, "thread_fence" | "signal_fence") || args.is_empty() {
            return Ok(None);
        }
        let place = self.atomic_place(&args[0], order)?;
        self.set_span(expr.span);
        let value = match (name, args.len()) {
            ("load_n", 2) => self.in_temp(Expr::load(place)),
            ("load", 3) => {
                let to = self.pointed_place(&args[1])?;
                self.set_span(expr.span);
                let value = self.atomically(|lowerer| Ok(lowerer.whole_value(place)))?;
                let value = self.convert_scalar(value, to.ty);
                self.assign(to, value);
                self.nothing()
            }
            ("store_n", 3) => {
                let value = self.operand_for(&place, &args[1])?;
                let value = self.convert(value, place.ty);
                self.set_span(expr.span);
                self.atomically(|lowerer| {
                    lowerer.assign(place, value);
                    Ok(())
                })?;
                self.nothing()
            }
            ("store", 3) => {
                let from = self.pointed_place(&args[1])?;
                self.set_span(expr.span);
                let value = self.whole_value(from);
                let value = self.convert_scalar(value, place.ty);
                self.atomically(|lowerer| {
                    lowerer.assign(place, value);
                    Ok(())
                })?;
                self.nothing()
            }
            ("exchange_n", 3) => {
                let value = self.operand_for(&place, &args[1])?;
                let value = self.convert(value, place.ty);
                self.set_span(expr.span);
                self.exchange(place, value)?
            }
            ("exchange", 4) => {
                let from = self.pointed_place(&args[1])?;
                let to = self.pointed_place(&args[2])?;
                self.set_span(expr.span);
                let value = self.whole_value(from);
                let value = self.convert_scalar(value, place.ty);
                let old = self.exchange(place, value)?;
                let old = self.convert_scalar(old, to.ty);
                self.assign(to, old);
                self.nothing()
            }
            ("compare_exchange_n" | "compare_exchange", 6) => {
                let expected = self.pointed_place(&args[1])?;
                let desired = if name.ends_with("_n") {
                    let value = self.operand_for(&place, &args[2])?;
                    self.convert(value, place.ty)
                } else {
                    let from = self.pointed_place(&args[2])?;
                    let value = self.whole_value(from);
                    self.convert_scalar(value, place.ty)
                };
                self.set_span(expr.span);
                let expected_value = self.convert(Expr::load(expected.clone()), place.ty);
                if self.speculate(|lowerer| Ok(lowerer.expr(&args[3])?.as_int()))? != Some(0) {
                    self.weak_exchanges.push(expr.span);
                }
                let on_failure = self.order(args.get(5))?;
                self.compare_and_swap(place, on_failure, expected_value, desired, Some(expected))?.1
            }
            ("test_and_set", 2) => {
                let place = self.first_scalar(place);
                let ty = place.ty;
                let one = self.convert(Expr::int(1, int), ty);
                let old = self.exchange(place, one)?;
                self.convert(old, bool_type)
            }
            ("clear", 2) => {
                let place = self.first_scalar(place);
                let zero = self.zero(place.ty);
                self.atomically(|lowerer| {
                    lowerer.assign(place, zero);
                    Ok(())
                })?;
                self.nothing()
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// `atomic_flag` is a struct around its flag.
    fn first_scalar(&self, mut place: Place) -> Place {
        while let Some(record) = self.types.record_id(place.ty) {
            let Some(field) = self.types.record(record).fields.first() else { break };
            place.ty = field.ty;
            place.projections.push(Projection::Field(record, 0));
        }
        place
    }

    /// Compilers take pointers to other integers of the same size.
    fn convert_scalar(&mut self, value: Expr, ty: TypeId) -> Expr {
        let scalars = self.types.is_scalar(value.ty) && self.types.is_scalar(ty);
        if scalars { self.convert(value, ty) } else { value }
    }

    /// The value of a place in a temporary: one read.
    fn whole_value(&mut self, place: Place) -> Expr {
        self.in_temp(Expr::load(place))
    }
}
