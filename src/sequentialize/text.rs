//! What all schemas write alike: the vocabulary of the verifier, types, variables, stubs, and plain statements.

use super::backend::ValueKind;
use super::{Schema, SequentializeOptions};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::leaves::has_padding;
use crate::il::print::{ITEM, PrintOptions, Printer, UNARY, mentions_global};
use crate::il::{
    Callee, Expr, ExprKind, FloatKind, Function, FunctionId, FunctionKind, IntKind, Local, Operation, Place, Program,
    RecordId, Stmt, StmtKind, Type, TypeId, scan, uncast, walk,
};
use crate::limit::Bounded;
use crate::property::ErrorKind;
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// The names that the simulation adds to the program; each differs from all names of the program.
pub struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let mut taken = FxHashSet::default();
        for function in &program.functions {
            taken.insert(function.name.clone());
            taken.extend(function.locals.iter().map(|local| local.name.clone()));
            taken.extend(function.labels.iter().cloned());
        }
        taken.extend(program.globals.iter().map(|global| global.name.clone()));
        for record in &program.types.records {
            taken.extend(record.fields.iter().filter_map(|field| field.name.clone()));
        }
        Names { taken }
    }

    pub fn pick(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// Names that every schema uses.
pub struct Common {
    pub active: String,
    pub argument: String,
    pub result: String,
    pub current: String,
    pub create: String,
    pub join: String,
    pub choose: String,
}

/// The sequential program as it is being written, and what all schemas need to write it.
pub struct Writer<'b> {
    pub bounded: &'b Bounded,
    pub program: Program,
    pub options: &'b SequentializeOptions,
    pub names: Names,
    pub common: Common,
    /// `pthread_join` with a place for the result occurs.
    pub wants_results: bool,
    /// `pthread_exit` in `main` occurs.
    pub main_may_exit: bool,
    pub body: String,
    pub indent: usize,
    nondets: Vec<(String, String, ValueKind)>,
    uses_choose: bool,
    /// Errors are noted and reported at the end.
    pub deferred_errors: Option<String>,
    /// Assumptions hold only as long as this does not: after a noted error nothing may throw the run away.
    pub assume_unless: Option<String>,
    /// Declarations of the simulation that need those of the program.
    pub late_declarations: String,
    /// Functions of the C library that the program calls.
    library: FxHashSet<&'static str>,
}

impl<'b> Writer<'b> {
    pub fn new(bounded: &'b Bounded, program: Program, options: &'b SequentializeOptions) -> Writer<'b> {
        let mut names = Names::of(&program);
        // Macros of the prelude.
        for word in [
            "assume",
            "assert",
            "main",
            "thread_t",
            "mode_t",
            "unthread_input",
            "unthread_input_double",
            "unthread_switch",
            "step_t",
        ] {
            names.taken.insert(word.to_owned());
        }
        let common = Common {
            active: names.pick("active"),
            argument: names.pick("arg"),
            result: names.pick("returned"),
            current: names.pick("ct"),
            create: names.pick("seq_create"),
            join: names.pick("seq_join"),
            choose: names.pick("seq_choose"),
        };
        let mut writer = Writer {
            bounded,
            program,
            options,
            names,
            common,
            wants_results: false,
            main_may_exit: false,
            body: String::new(),
            indent: 0,
            nondets: Vec::new(),
            uses_choose: false,
            deferred_errors: None,
            assume_unless: None,
            late_declarations: String::new(),
            library: FxHashSet::default(),
        };
        writer.prepare();
        writer
    }

    /// Stubs become functions of the program, under names of their own; model variables become variables.
    fn prepare(&mut self) {
        for index in 0..self.program.functions.len() {
            if matches!(self.program.functions[index].kind, FunctionKind::Model) {
                let name = self.names.pick(&format!("seq_{}", self.program.functions[index].name));
                let function = &mut self.program.functions[index];
                function.kind = FunctionKind::Defined;
                function.name = name;
            }
        }
        for global in &mut self.program.globals {
            (global.external, global.library, global.internal) = (false, false, false);
        }
        let (mut results, mut exits) = (false, false);
        for thread in &self.bounded.threads {
            walk::statements(&self.bounded.program.function(thread.function).body, &mut |stmt| {
                let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
                match self.bounded.program.operation(callee) {
                    Some(Operation::Join | Operation::JoinC11) => {
                        results |= args.get(1).is_some_and(|arg| !arg.is_zero());
                    }
                    Some(Operation::ThreadExit) => exits = true,
                    _ => {}
                }
            });
        }
        self.wants_results = results;
        self.main_may_exit = exits;
        for function in &mut self.program.functions {
            if function.name == "main" {
                function.name = self.names.pick("user_main");
            }
        }
    }

    pub fn printer(&self) -> Printer<'_> {
        Printer::new(&self.program, PrintOptions::default())
    }

    pub fn thread_function(&self, thread: usize) -> &Function {
        self.program.function(self.bounded.threads[thread].function)
    }

    pub fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.body.push_str("    ");
        }
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// A line with the mark of its place in the user's file.
    pub fn marked(&mut self, text: &str, span: Span) {
        let mark = self.mark(span);
        self.line(&format!("{text}{mark}"));
    }

    pub fn mark(&self, span: Span) -> String {
        if span == Span::default() {
            return String::new();
        }
        let location = self.program.source.location(span);
        let file = location.file.rsplit('/').next().unwrap_or(&location.file).replace("*/", "");
        format!(" /* {file}:{} */", location.line)
    }

    pub fn expr(&self, expr: &Expr, locals: &[Local], level: u8) -> String {
        self.printer().expr(expr, locals, level)
    }

    pub fn type_text(&self, ty: TypeId) -> String {
        self.printer().declaration(ty, "")
    }

    // ---- plain statements ----

    /// A statement without control flow as lines of C.
    pub fn plain(&mut self, stmt: &Stmt, locals: &[Local]) -> Result<Vec<String>> {
        Ok(match &stmt.kind {
            StmtKind::Assign { to, value } => {
                vec![format!("{} = {};", self.printer().place(to, locals), self.expr(value, locals, ITEM))]
            }
            StmtKind::Call { to, callee, args } => {
                let Callee::Function(id) = callee else { unreachable!("calls through pointers should be resolved") };
                let to_text = to.as_ref().map(|to| self.printer().place(to, locals));
                match self.program.function(*id).kind {
                    FunctionKind::Operation(operation) => {
                        if let Some(name) = self.program.coarse_step(stmt) {
                            let what = format!("{name} on memory that threads share");
                            return Err(Diagnostic::unsupported(stmt.span, what));
                        }
                        let call = OperationCall { operation, to: to.as_ref(), to_text, args, span: stmt.span };
                        self.operation(&call, locals)?
                    }
                    FunctionKind::External => self.any_result(to.as_ref(), to_text),
                    FunctionKind::Defined | FunctionKind::Model => {
                        vec![assigned(to_text, &self.stub_call(*id, args, locals))]
                    }
                }
            }
            StmtKind::Declare(_) => Vec::new(),
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => unreachable!("control flow should be written by the schema"),
        })
    }

    /// A call of a stub; locks are handed over as the stub sees them.
    fn stub_call(&self, id: FunctionId, args: &[Expr], locals: &[Local]) -> String {
        let function = self.program.function(id);
        let mut texts = Vec::new();
        for (arg, param) in args.iter().zip(&function.params) {
            let ty = function.locals[param.0 as usize].ty;
            let text = self.expr(arg, locals, if arg.ty == ty { ITEM } else { UNARY });
            texts.push(if arg.ty == ty { text } else { format!("({}){text}", self.type_text(ty)) });
        }
        format!("{}({})", function.name, texts.join(", "))
    }

    fn any_result(&mut self, to: Option<&Place>, to_text: Option<String>) -> Vec<String> {
        match (to, to_text) {
            (Some(to), Some(text)) if !self.program.types.is_scalar(to.ty) => {
                let outer = std::mem::take(&mut self.body);
                let indent = std::mem::replace(&mut self.indent, 0);
                // `*p` is no name that members could be appended to.
                let text = if text.starts_with('*') { format!("({text})") } else { text };
                self.fill(&text, to.ty, 0);
                self.indent = indent;
                let lines = std::mem::replace(&mut self.body, outer);
                lines.lines().map(str::to_owned).collect()
            }
            (Some(to), Some(text)) => {
                let any = self.any(to.ty);
                vec![format!("{text} = {any};")]
            }
            _ => Vec::new(),
        }
    }

    /// An expression for any value of a scalar type.
    pub fn any(&mut self, ty: TypeId) -> String {
        let (suffix, kind) = match self.program.types.get(ty) {
            Type::Int(kind) => (int_suffix(*kind), ValueKind::Integer),
            Type::Float(FloatKind::Float) => ("float", ValueKind::Float),
            Type::Float(_) => ("double", ValueKind::Float),
            _ => ("pointer", ValueKind::Pointer),
        };
        let text = if kind == ValueKind::Pointer { "void *".to_owned() } else { self.type_text(ty) };
        self.any_of(suffix, &text, kind)
    }

    pub fn any_of(&mut self, suffix: &str, ty: &str, kind: ValueKind) -> String {
        let name = format!("nondet_{suffix}");
        if !self.nondets.iter().any(|(known, _, _)| *known == name) {
            self.nondets.push((name.clone(), ty.to_owned(), kind));
        }
        format!("{name}()")
    }

    fn assume(&self, condition: &str) -> String {
        match &self.assume_unless {
            Some(failed) => format!("assume({failed} || ({condition}));"),
            None => format!("assume({condition});"),
        }
    }

    /// What is not looked for ends the run instead.
    fn must_hold(&mut self, condition: &str, kind: ErrorKind) -> String {
        if self.bounded.options.property.contains(kind) { self.error(condition) } else { self.assume(condition) }
    }

    pub fn error(&mut self, condition: &str) -> String {
        match &self.deferred_errors {
            Some(action) if condition == "0" => format!("{{ {action} }}"),
            Some(action) => format!("if (!({condition})) {{ {action} }}"),
            None => format!("assert({condition});"),
        }
    }

    fn operation(&mut self, call: &OperationCall, locals: &[Local]) -> Result<Vec<String>> {
        let arg = |writer: &Writer, index: usize| writer.expr(&call.args[index], locals, ITEM);
        let unsupported =
            |what: &str| Err(Diagnostic::unsupported(call.span, format!("{what} in a sequentialized program")));
        let zero = |text: Option<String>| text.map(|text| format!("{text} = 0;")).into_iter().collect::<Vec<_>>();
        Ok(match call.operation {
            Operation::Create => self.create(call, &arg(self, 0), &arg(self, 3), &call.args[2]),
            Operation::CreateC11 => self.create(call, &arg(self, 0), &arg(self, 2), &call.args[1]),
            Operation::Join | Operation::JoinC11 => {
                let result = match call.args.get(1) {
                    Some(result) if !result.is_zero() => self.expr(result, locals, UNARY),
                    _ => "0".to_owned(),
                };
                let narrow = call.operation == Operation::JoinC11;
                let join = format!("{}({}, (void *){result}, {})", self.common.join, arg(self, 0), i32::from(narrow));
                vec![assigned(call.to_text.clone(), &join)]
            }
            Operation::ThreadExit => vec![],
            Operation::ThreadSelf => {
                call.to_text.iter().map(|text| format!("{text} = {} + 1;", self.common.current)).collect()
            }
            Operation::Detach | Operation::Fence | Operation::Nothing => zero(call.to_text.clone()),
            Operation::AtomicBegin | Operation::AtomicEnd => vec![],
            Operation::Assume | Operation::Await => {
                let condition = self.expr(&call.args[0], locals, 0);
                vec![self.assume(&condition)]
            }
            // A wait may end without reason at any time.
            Operation::AwaitSpurious => vec![],
            Operation::Choose => {
                self.uses_choose = true;
                self.any_of("ulonglong", "unsigned long long", ValueKind::Integer);
                let choose = format!("{}({})", self.common.choose, arg(self, 0));
                vec![assigned(call.to_text.clone(), &choose)]
            }
            Operation::Spurious => {
                let any = self.any_of("bool", "_Bool", ValueKind::Integer);
                vec![assigned(call.to_text.clone(), &any)]
            }
            Operation::Assert => {
                let condition = self.expr(&call.args[0], locals, 0);
                vec![self.must_hold(&condition, ErrorKind::Assertion)]
            }
            Operation::AssertFail | Operation::ReachError => vec![self.must_hold("0", ErrorKind::Assertion)],
            Operation::Misuse => vec![self.must_hold("0", ErrorKind::Lock)],
            Operation::Limit | Operation::WrongCall | Operation::Exit | Operation::Abort | Operation::Unreachable => {
                vec![self.assume("0")]
            }
            Operation::Nondet => self.any_result(call.to, call.to_text.clone()),
            Operation::Malloc | Operation::Alloca => self.library_call(call, "malloc", locals),
            Operation::Calloc => self.library_call(call, "calloc", locals),
            Operation::Realloc => self.library_call(call, "realloc", locals),
            Operation::Free => self.library_call(call, "free", locals),
            Operation::Memcpy => self.library_call(call, "memcpy", locals),
            Operation::Memmove => self.library_call(call, "memmove", locals),
            Operation::Memset => self.library_call(call, "memset", locals),
            Operation::Memcmp => self.library_call(call, "memcmp", locals),
            Operation::Math => return unsupported("a function of math.h"),
            Operation::AddOverflow => self.built_in(call, "__builtin_add_overflow", locals),
            Operation::SubOverflow => self.built_in(call, "__builtin_sub_overflow", locals),
            Operation::MulOverflow => self.built_in(call, "__builtin_mul_overflow", locals),
            Operation::Printf
            | Operation::Fprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Puts
            | Operation::Putchar
            | Operation::Fputs
            | Operation::Fputc => self.any_result(call.to, call.to_text.clone()),
            Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf => {
                return unsupported("sprintf()");
            }
            Operation::ScanText => return unsupported("sscanf()"),
            Operation::ScanInput | Operation::ScanStream => return self.scan(call, locals),
        })
    }

    /// `scanf` stores any values, and tells how many.
    fn scan(&mut self, call: &OperationCall, locals: &[Local]) -> Result<Vec<String>> {
        let Some(targets) = scan::numbers(&self.program, call.operation, call.args) else {
            let what = "scanf() of other than numbers in a sequentialized program";
            return Err(Diagnostic::unsupported(call.span, what));
        };
        let int = self.any_of("int", "int", ValueKind::Integer);
        let count = targets.len();
        let fits = self.assume(&format!("0 <= scanned && scanned <= {}", count + 1));
        // One more than there are means the end of the input.
        let mut line = format!("{{ int scanned = {int}; {fits} if (scanned > {count}) scanned = -1;");
        for (index, arg) in targets.iter().enumerate() {
            let pointer = uncast(arg);
            let ty = self.program.types.pointee(pointer.ty).expect("it points to a number");
            let any = self.any(ty);
            line += &format!(" if (scanned > {index}) *{} = {any};", self.expr(pointer, locals, UNARY));
        }
        if let Some(to) = &call.to_text {
            line += &format!(" {to} = scanned;");
        }
        Ok(vec![line + " }"])
    }

    fn create(&mut self, call: &OperationCall, id: &str, argument: &str, start: &Expr) -> Vec<String> {
        let ExprKind::Function(function) = start.kind else { unreachable!("a creation should name its function") };
        let thread = self.bounded.threads.iter().position(|thread| thread.function == function);
        let thread = thread.expect("a created thread should be one of the threads");
        let text = format!("{}((unsigned long *){id}, {argument}, {thread})", self.common.create);
        // The id has the type pthread_t, whatever the pointer is called.
        let text = text.replace("(unsigned long *)&", "&");
        vec![assigned(call.to_text.clone(), &text)]
    }

    fn library_call(&mut self, call: &OperationCall, name: &'static str, locals: &[Local]) -> Vec<String> {
        self.library.insert(name);
        self.built_in(call, name, locals)
    }

    fn built_in(&mut self, call: &OperationCall, name: &str, locals: &[Local]) -> Vec<String> {
        let args: Vec<String> = call.args.iter().map(|arg| self.expr(arg, locals, ITEM)).collect();
        let text = format!("{name}({})", args.join(", "));
        let needs_cast = call.to.is_some_and(|to| self.program.types.pointee(to.ty).is_some());
        match (&call.to_text, call.to) {
            (Some(to_text), Some(to)) if needs_cast => {
                vec![format!("{to_text} = ({}){text};", self.type_text(to.ty))]
            }
            (to_text, _) => vec![assigned(to_text.clone(), &text)],
        }
    }

    // ---- the parts of the output ----

    /// Any value for every scalar of an object, by `for` loops, and for the bytes between them.
    fn fill(&mut self, text: &str, ty: TypeId, depth: usize) {
        // An ordinary program finds some value there anyway.
        if self.options.backend.runs() {
            return;
        }
        // Verifiers that unwind the program's loops would unwind ours too, and stop in the middle.
        if depth == 0 && self.options.schema == Schema::Ul {
            self.library.insert("memcpy");
            let declared = self.printer().declaration(ty, "any");
            self.line(&format!("{{ {declared}; memcpy(&{text}, &any, sizeof any); }}"));
            return;
        }
        if depth == 0 && has_padding(&self.program.types, ty) {
            let size = self.program.types.size(ty);
            let any = self.any_of("uchar", "unsigned char", ValueKind::Integer);
            self.line(&format!("for (unsigned seq_b = 0; seq_b < {size}; seq_b++)"));
            self.line(&format!("    ((unsigned char *)&{text})[seq_b] = {any};"));
        }
        match self.program.types.get(ty).clone() {
            Type::Array(element, count) => {
                let index = format!("seq_i{depth}");
                self.line(&format!("for (unsigned {index} = 0; {index} < {count}; {index}++) {{"));
                self.indent += 1;
                self.fill(&format!("{text}[{index}]"), element, depth + 1);
                self.indent -= 1;
                self.line("}");
            }
            Type::Record(record) => {
                for (member, ty) in self.members(record) {
                    self.fill(&format!("{text}.{member}"), ty, depth);
                }
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let any = self.any(ty);
                self.line(&format!("{text} = {any};"));
            }
            _ => {}
        }
    }

    /// The members that hold values, with the names that they are printed with.
    pub fn members(&self, record: RecordId) -> Vec<(String, TypeId)> {
        let fields = self.program.types.record(record).fields.iter();
        let printer = self.printer();
        fields
            .filter(|field| field.name.is_some() || field.bits.is_none())
            .map(|field| (printer.member_name(field), field.ty))
            .collect()
    }

    /// A program that is executed prints the numbers that the program's variables hold at the end.
    pub fn final_state(&mut self) {
        if !self.options.backend.runs() {
            return;
        }
        for global in self.program.globals.clone() {
            if self.program.types.int_kind(global.ty).is_some() {
                self.line(&format!("printf(\"{0} = %lld\\n\", (long long){0});", global.name));
            }
        }
    }

    /// Everything in front of the threads: vocabulary, types, variables; `simulation` holds the schema's own part.
    pub fn header(&mut self, simulation: &str) -> Result<String> {
        let stubs = self.stubs()?;
        let mut out = String::new();
        let title = &self.options.title;
        let _ = writeln!(out, "/* {title} */\n");
        for line in self.options.backend.prelude() {
            let _ = writeln!(out, "{line}");
        }
        let mut nondets = std::mem::take(&mut self.nondets);
        nondets.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, ty, kind) in &nondets {
            let _ = writeln!(out, "{}", self.options.backend.any_value(name, ty, *kind));
        }
        let mut library: Vec<&str> = self.library.iter().copied().collect();
        library.sort_unstable();
        let size = if self.program.types.model.pointer_size() == 4 { "unsigned int" } else { "unsigned long" };
        for name in library {
            let _ = writeln!(out, "{}", library_declaration(name, size));
        }
        out.push_str(simulation);
        out.push_str("\n/* ---- types and variables of the program ---- */\n\n");
        let mut printer = self.printer();
        let mentioned = printer.mentioned();
        printer.records(&mentioned);
        out.push_str(&std::mem::take(&mut printer.out));
        for function in self.program.functions.iter() {
            // Functions that are left as addresses only.
            let mentioned = matches!(function.kind, FunctionKind::External) && self.is_address(function);
            if mentioned {
                let _ = writeln!(out, "void {}(void) {{}}", function.name);
            }
        }
        if self.program.globals.iter().any(|global| global.init.iter().any(|part| mentions_global(&part.value))) {
            printer.forward_declarations();
        }
        for global in &self.program.globals {
            printer.global(global);
        }
        out.push_str(&printer.out);
        out.push_str(&self.late_declarations);
        out.push_str(&stubs);
        Ok(out)
    }

    fn is_address(&self, function: &Function) -> bool {
        let is = |expr: &Expr| {
            let mut found = false;
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::Function(id) = inner.kind {
                    found |= std::ptr::eq(self.program.function(id), function);
                }
            });
            found
        };
        let mut found = self.program.globals.iter().any(|global| global.init.iter().any(|part| is(&part.value)));
        for other in &self.program.functions {
            walk::statements(&other.body, &mut |stmt| {
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => found |= is(expr),
                    walk::Use::Target(place) => walk::place_expressions(place, &mut |expr| found |= is(expr)),
                });
            });
        }
        found
    }

    /// The library's functions as the simulation sees them: each is one step (lazy-cseq-2021 fig. 7).
    fn stubs(&mut self) -> Result<String> {
        let threads: FxHashSet<FunctionId> = self.bounded.threads.iter().map(|thread| thread.function).collect();
        let ids = (0..self.program.functions.len() as u32).map(FunctionId);
        let stubs: Vec<FunctionId> = ids
            .filter(|id| matches!(self.program.function(*id).kind, FunctionKind::Defined) && !threads.contains(id))
            .collect();
        let outer = std::mem::take(&mut self.body);
        if !stubs.is_empty() {
            self.line("\n/* ---- the thread library: every call is one step ---- */\n");
        }
        for id in &stubs {
            let head = self.function_head(*id);
            self.line(&format!("static {head};"));
        }
        for id in &stubs {
            let function = self.program.function(*id).clone();
            let head = self.function_head(*id);
            self.line(&format!("\nstatic {head} {{"));
            self.indent += 1;
            for stmt in &function.body {
                if let StmtKind::Declare(local) = stmt.kind {
                    let local = &function.locals[local.0 as usize];
                    let text = self.printer().declaration(local.ty, &local.name);
                    self.line(&format!("{text};"));
                }
            }
            self.stub_block(&function.body, &function.locals)?;
            self.indent -= 1;
            self.line("}");
        }
        if self.uses_choose {
            let choose = &self.common.choose;
            let text = format!(
                "\nstatic unsigned long long {choose}(unsigned long long set) {{\n    unsigned long long one = \
                 nondet_ulonglong();\n    assume(one != 0 && (one & (one - 1)) == 0 && (one & set) != 0);\n    return \
                 one;\n}}"
            );
            // It is used by the stubs, so it stands before them.
            let stubs = std::mem::take(&mut self.body);
            self.line(&text);
            self.body.push_str(&stubs);
        }
        Ok(std::mem::replace(&mut self.body, outer))
    }

    fn function_head(&self, id: FunctionId) -> String {
        let function = self.program.function(id);
        let ty = self.program.types.function_type(function.ty).expect("a function has a function type");
        let printer = self.printer();
        let params: Vec<String> = function
            .params
            .iter()
            .map(|id| {
                let local = &function.locals[id.0 as usize];
                printer.declaration(local.ty, &local.name)
            })
            .collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        printer.declaration(ty.result, &format!("{}({params})", function.name))
    }

    fn stub_block(&mut self, block: &[Stmt], locals: &[Local]) -> Result<()> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::If { condition, then, otherwise } => {
                    self.line(&format!("if ({}) {{", self.expr(condition, locals, 0)));
                    self.indent += 1;
                    self.stub_block(then, locals)?;
                    self.indent -= 1;
                    if !otherwise.is_empty() {
                        self.line("} else {");
                        self.indent += 1;
                        self.stub_block(otherwise, locals)?;
                        self.indent -= 1;
                    }
                    self.line("}");
                }
                StmtKind::Return(None) => self.line("return;"),
                StmtKind::Return(Some(value)) => {
                    self.line(&format!("return {};", self.expr(value, locals, 0)));
                }
                _ => {
                    for line in self.plain(stmt, locals)? {
                        self.line(&line);
                    }
                }
            }
        }
        Ok(())
    }
}

struct OperationCall<'a> {
    operation: Operation,
    to: Option<&'a Place>,
    to_text: Option<String>,
    args: &'a [Expr],
    span: Span,
}

fn assigned(to: Option<String>, value: &str) -> String {
    match to {
        Some(to) => format!("{to} = {value};"),
        None => format!("{value};"),
    }
}

fn int_suffix(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "bool",
        IntKind::Char => "char",
        IntKind::SChar => "schar",
        IntKind::UChar => "uchar",
        IntKind::Short => "short",
        IntKind::UShort => "ushort",
        IntKind::Int => "int",
        IntKind::UInt => "uint",
        IntKind::Long => "long",
        IntKind::ULong => "ulong",
        IntKind::LongLong => "longlong",
        IntKind::ULongLong => "ulonglong",
    }
}

fn library_declaration(name: &str, size: &str) -> String {
    match name {
        "malloc" => format!("extern void *malloc({size});"),
        "calloc" => format!("extern void *calloc({size}, {size});"),
        "realloc" => format!("extern void *realloc(void *, {size});"),
        "free" => "extern void free(void *);".to_owned(),
        "memcpy" | "memmove" => format!("extern void *{name}(void *, const void *, {size});"),
        "memset" => format!("extern void *memset(void *, int, {size});"),
        _ => format!("extern int memcmp(const void *, const void *, {size});"),
    }
}
