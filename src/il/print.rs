//! The core language as C that a compiler accepts, and that the front end reads back to the same program.
//!
//! Models of library functions are not printed: their callers call the real library.

use super::types::Field;
use super::{
    AccessKind, Base, BinaryOp, Callee, Expr, ExprKind, FloatKind, Function, FunctionId, FunctionKind, Global,
    GlobalId, InitPart, IntKind, Local, Operation, Order, PathStep, Place, Program, Projection, RecordId, Stmt,
    StmtKind, Type, TypeId, UnaryOp, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// Put `#line` directives, so that messages about the printed text name the user's lines.
    pub line_directives: bool,
    /// Mark every visible step with a comment.
    pub mark_visible: bool,
    /// Say of accesses that are not plain what they are: `__builtin_choose_expr(1, place, "relaxed")` is the place itself
    /// to a compiler, and an access of this order to our front end.
    pub accesses: bool,
}

pub fn print(program: &Program, options: PrintOptions) -> String {
    let mut printer = Printer::new(program, options);
    printer.program();
    printer.out
}

/// Calls of a scheduler that are put between the statements, which are named by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    /// The statement that fails.
    pub failing: u32,
    /// Statements before which a thread is to stay for good.
    pub holds: Vec<u32>,
    /// Places that get a value before a statement.
    pub settles: Vec<(u32, String)>,
    /// The two accesses of a data race: their statements, and whether they write.
    pub touches: Vec<Touched>,
    /// Atomic accesses are the compiler's, and the runtime is told of their orders, so that ThreadSanitizer sees what they
    /// order and no more.
    pub atomics: bool,
    /// Statements whose stores wait in a buffer; do they stand in a section? Where there are some, loads look there first.
    pub buffered: FxHashMap<u32, bool>,
}

/// An access that races: the statement, whether it writes, and how many bytes.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    pub statement: u32,
    pub write: bool,
    pub size: u64,
}

/// The program with a call of `__replay_step` before every visible step. Variables that have no value yet are zero.
pub fn print_with_hooks(program: &Program, hooks: &Hooks) -> String {
    let mut printer = Printer::new(program, PrintOptions { line_directives: true, ..PrintOptions::default() });
    printer.hooks = Some(hooks);
    printer.program();
    printer.out
}

/// A type or a declaration such as `int (*f[3])(char)`, for messages and tests.
pub fn type_text(program: &Program, ty: TypeId) -> String {
    let printer = Printer::new(program, PrintOptions::default());
    printer.declaration(ty, "")
}

/// An expression as C, for messages.
pub fn expr_text(program: &Program, function: &Function, expr: &Expr) -> String {
    let printer = Printer::new(program, PrintOptions::default());
    printer.expr(expr, &function.locals, 0)
}

/// A place as C.
pub fn place_text(program: &Program, function: &Function, place: &Place) -> String {
    Printer::new(program, PrintOptions::default()).place(place, &function.locals)
}

/// Is it a variable that only its own thread can reach?
pub fn is_register(place: &Place, locals: &[Local]) -> bool {
    matches!(place.base, Base::Local(id) if !locals[id.0 as usize].shared)
}

pub fn is_bit_field(program: &Program, place: &Place) -> bool {
    match place.projections.last() {
        Some(Projection::Field(record, index)) => program.types.record(*record).fields[*index as usize].bits.is_some(),
        Some(Projection::Index(..)) | None => false,
    }
}

/// Can a compiler load and store it atomically? (Bit-fields, floating point and structs it cannot.)
pub fn is_machine_atomic(program: &Program, place: &Place) -> bool {
    let types = &program.types;
    !is_bit_field(program, place)
        && types.is_scalar(place.ty)
        && types.float_kind(place.ty).is_none()
        && types.size(place.ty) <= 8
}

/// Prints parts of a program; passes that write C of their own borrow it for types and expressions.
pub struct Printer<'p> {
    program: &'p Program,
    options: PrintOptions,
    pub out: String,
    indent: usize,
    last_line: Option<(String, u32)>,
    hooks: Option<&'p Hooks>,
}

/// What the user's own code mentions.
#[derive(Default)]
pub struct Mentioned {
    records: FxHashSet<RecordId>,
    functions: FxHashSet<FunctionId>,
    types: FxHashSet<TypeId>,
}

impl<'p> Printer<'p> {
    pub fn new(program: &'p Program, options: PrintOptions) -> Printer<'p> {
        Printer { program, options, out: String::new(), indent: 0, last_line: None, hooks: None }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn program(&mut self) {
        let mentioned = self.mentioned();
        self.records(&mentioned);
        self.prototypes(&mentioned);
        let program = self.program;
        for global in program.globals.iter().filter(|global| !global.model) {
            // Forward declarations: initializers may take addresses of later globals.
            if global.init.iter().any(|part| mentions_global(&part.value)) {
                self.forward_declarations();
                break;
            }
        }
        for global in program.globals.iter().filter(|global| !global.model) {
            self.global(global);
        }
        for function in &program.functions {
            if matches!(function.kind, FunctionKind::Defined) {
                self.function(function);
            }
        }
    }

    // ---- what must be declared ----

    pub fn mentioned(&self) -> Mentioned {
        let mut mentioned = Mentioned::default();
        let program = self.program;
        let expr = |mentioned: &mut Mentioned, expr: &Expr| {
            walk::expressions(expr, &mut |inner| {
                self.mention_type(inner.ty, mentioned);
                if let ExprKind::Function(id) = inner.kind {
                    mentioned.functions.insert(id);
                }
            });
        };
        for function in &program.functions {
            if !matches!(function.kind, FunctionKind::Defined) {
                continue;
            }
            self.mention_type(function.ty, &mut mentioned);
            for local in &function.locals {
                self.mention_type(local.ty, &mut mentioned);
            }
            walk::statements(&function.body, &mut |stmt| {
                if let StmtKind::Call { callee: Callee::Function(id), .. } = &stmt.kind {
                    mentioned.functions.insert(*id);
                }
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(used) => expr(&mut mentioned, used),
                    walk::Use::Target(place) => {
                        walk::place_expressions(place, &mut |inner| expr(&mut mentioned, inner))
                    }
                });
            });
        }
        for global in program.globals.iter().filter(|global| !global.model) {
            self.mention_type(global.ty, &mut mentioned);
            for part in &global.init {
                expr(&mut mentioned, &part.value);
            }
        }
        for id in mentioned.functions.clone() {
            let function = program.function(id);
            if needs_prototype(&function.name) {
                self.mention_type(function.ty, &mut mentioned);
            }
        }
        mentioned
    }

    fn mention_type(&self, ty: TypeId, mentioned: &mut Mentioned) {
        if !mentioned.types.insert(ty) {
            return;
        }
        match self.program.types.get(ty) {
            Type::Void | Type::Int(_) | Type::Float(_) | Type::VaList => {}
            Type::Pointer(inner)
            | Type::Array(inner, _)
            | Type::OpenArray(inner)
            | Type::Atomic(inner)
            | Type::Qualified { inner, .. }
            | Type::VariableArray { element: inner, .. } => self.mention_type(*inner, mentioned),
            Type::Function(function) => {
                self.mention_type(function.result, mentioned);
                function.params.iter().for_each(|param| self.mention_type(*param, mentioned));
            }
            Type::Record(record) => {
                mentioned.records.insert(*record);
                for field in &self.program.types.record(*record).fields {
                    self.mention_type(field.ty, mentioned);
                }
            }
        }
    }

    /// Definitions in an order in which every member's type is complete; all tags are declared first.
    pub fn records(&mut self, mentioned: &Mentioned) {
        let mut ordered = Vec::new();
        let mut ids: Vec<RecordId> = mentioned.records.iter().copied().collect();
        ids.sort();
        let mut seen = FxHashSet::default();
        for id in &ids {
            self.order_record(*id, &mut seen, &mut ordered);
        }
        for id in &ordered {
            let record = self.program.types.record(*id);
            let head = format!("{} {};", if record.union { "union" } else { "struct" }, record.name);
            self.line(&head);
        }
        for id in &ordered {
            if self.program.types.record(*id).complete {
                self.record(*id);
            }
        }
    }

    fn order_record(&self, id: RecordId, seen: &mut FxHashSet<RecordId>, ordered: &mut Vec<RecordId>) {
        if !seen.insert(id) {
            return;
        }
        for field in &self.program.types.record(id).fields {
            if let Some(inner) = self.contained_record(field.ty) {
                self.order_record(inner, seen, ordered);
            }
        }
        ordered.push(id);
    }

    fn contained_record(&self, ty: TypeId) -> Option<RecordId> {
        match self.program.types.get(ty) {
            Type::Record(record) => Some(*record),
            Type::Array(inner, _) | Type::OpenArray(inner) | Type::Atomic(inner) => self.contained_record(*inner),
            _ => None,
        }
    }

    fn record(&mut self, id: RecordId) {
        let record = self.program.types.record(id).clone();
        if record.pack != 0 {
            self.line(&format!("#pragma pack(push, {})", record.pack));
        }
        let mut head = String::from(if record.union { "union " } else { "struct " });
        head.push_str(&record.name);
        head.push_str(" {");
        self.line(&head);
        self.indent += 1;
        for field in &record.fields {
            self.field(field);
        }
        self.indent -= 1;
        let mut tail = String::from("}");
        if record.packed {
            tail.push_str(" __attribute__((packed))");
        }
        if record.min_align != 0 {
            let _ = write!(tail, " __attribute__((aligned({})))", record.min_align);
        }
        tail.push(';');
        self.line(&tail);
        if record.pack != 0 {
            self.line("#pragma pack(pop)");
        }
    }

    fn field(&mut self, field: &Field) {
        let name = match (&field.name, field.bits) {
            (Some(name), _) => name.clone(),
            (None, Some(_)) => String::new(),
            // Anonymous members are printed with their own tagless definition, so that names stay reachable.
            (None, None) => return self.anonymous_member(field),
        };
        let mut text = self.declaration(field.ty, &name);
        if let Some(bits) = field.bits {
            let _ = write!(text, " : {}", bits.width);
        }
        self.field_attributes(field, &mut text);
        self.line(&text);
    }

    fn field_attributes(&self, field: &Field, text: &mut String) {
        if field.packed {
            text.push_str(" __attribute__((packed))");
        }
        if field.align != 0 {
            let _ = write!(text, " __attribute__((aligned({})))", field.align);
        }
        text.push(';');
    }

    /// C has no way to refer to a tagged type as an anonymous member, so such a member gets a name made from its tag.
    fn anonymous_member(&mut self, field: &Field) {
        let record = self.program.types.record_id(field.ty).expect("only records can be anonymous members");
        let name = anonymous_name(&self.program.types.record(record).name);
        let mut text = self.declaration(field.ty, &name);
        self.field_attributes(field, &mut text);
        self.line(&text);
    }

    fn prototypes(&mut self, mentioned: &Mentioned) {
        let mut ids: Vec<FunctionId> = mentioned.functions.iter().copied().collect();
        ids.extend(
            (0..self.program.functions.len())
                .map(|index| FunctionId(index as u32))
                .filter(|id| matches!(self.program.function(*id).kind, FunctionKind::Defined)),
        );
        ids.sort();
        ids.dedup();
        let mut seen = FxHashSet::default();
        for id in ids {
            let function = self.program.function(id);
            if !needs_prototype(&function.name) || !seen.insert(&function.name) {
                continue;
            }
            let storage = self.storage(function);
            let text = format!("{storage}{};", self.declaration(function.ty, &function.name));
            self.line(&text);
        }
    }

    fn storage(&self, function: &Function) -> &'static str {
        match function.kind {
            FunctionKind::Defined if function.internal => "static ",
            FunctionKind::Defined => "",
            FunctionKind::Model | FunctionKind::Operation(_) | FunctionKind::External => "extern ",
        }
    }

    pub fn forward_declarations(&mut self) {
        let program = self.program;
        for global in program.globals.iter().filter(|global| !global.model) {
            let storage = if global.internal { "static " } else { "extern " };
            let text = format!(
                "{storage}{}{}{};",
                thread_storage(global),
                self.declaration(global.ty, &global.name),
                alignment(global.align)
            );
            self.line(&text);
        }
    }

    pub fn global(&mut self, global: &Global) {
        let storage = if global.external || global.library {
            "extern "
        } else if global.internal {
            "static "
        } else {
            ""
        };
        let declared = self.declaration(global.ty, &global.name);
        let mut text = format!("{storage}{}{declared}{}", thread_storage(global), alignment(global.align));
        if !global.init.is_empty() && !global.library {
            let _ = write!(text, " = {}", self.initializer(global.ty, &global.init));
        }
        text.push(';');
        self.line(&text);
    }

    fn initializer(&self, ty: TypeId, parts: &[InitPart]) -> String {
        if let [InitPart { path, value }] = parts
            && path.is_empty()
        {
            return self.expr(value, &[], 2);
        }
        if let Some(text) = self.char_array_text(ty, parts) {
            return text;
        }
        // A plain list where the parts are the elements 0, 1, 2, ... of a flat array.
        let flat = parts.iter().enumerate().all(|(index, part)| part.path == [PathStep::Index(index as u64)]);
        let parts: Vec<String> = parts
            .iter()
            .map(|part| {
                let value = self.expr(&part.value, &[], 2);
                if flat { value } else { format!("{} = {value}", self.path(ty, &part.path)) }
            })
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    /// `char a[] = {'h', 'i'}` reads better as a string.
    fn char_array_text(&self, ty: TypeId, parts: &[InitPart]) -> Option<String> {
        let types = &self.program.types;
        let Type::Array(element, count) = types.get(ty) else { return None };
        if types.int_kind(*element) != Some(IntKind::Char) || *count <= parts.len() as u64 {
            return None;
        }
        let mut text = String::from("\"");
        for (index, part) in parts.iter().enumerate() {
            let unit = part.value.as_int().filter(|unit| (0x20..0x7f).contains(unit))?;
            if part.path != [PathStep::Index(index as u64)] || matches!(unit, 0x22 | 0x5c | 0x3f) {
                return None;
            }
            text.push(char::from(unit as u8));
        }
        text.push('"');
        Some(text)
    }

    fn path(&self, ty: TypeId, path: &[PathStep]) -> String {
        let mut text = String::new();
        let mut current = ty;
        for step in path {
            match step {
                PathStep::Index(index) => {
                    let _ = write!(text, "[{index}]");
                    current = self.program.types.element(current).expect("an index belongs to an array");
                }
                PathStep::Field(index) => {
                    let record = self.program.types.record_id(current).expect("a field belongs to a record");
                    let _ = write!(text, ".{}", self.field_name(record, *index));
                    current = self.program.types.record(record).fields[*index as usize].ty;
                }
            }
        }
        text
    }

    fn field_name(&self, record: RecordId, index: u32) -> String {
        self.member_name(&self.program.types.record(record).fields[index as usize])
    }

    /// The name of a member; one without gets a name made from its type's.
    pub fn member_name(&self, field: &Field) -> String {
        match &field.name {
            Some(name) => name.clone(),
            None => {
                let inner = self.program.types.record_id(field.ty).expect("only records can be anonymous members");
                anonymous_name(&self.program.types.record(inner).name)
            }
        }
    }

    // ---- types ----

    /// A declaration of `name` with this type, built from the name outwards.
    pub fn declaration(&self, ty: TypeId, name: &str) -> String {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Pointer(to) => {
                let to = *to;
                let inner = format!("*{name}");
                match types.get(to) {
                    Type::Array(..) | Type::OpenArray(_) | Type::Function(_) => {
                        self.declaration(to, &format!("({inner})"))
                    }
                    _ => self.declaration(to, &inner),
                }
            }
            Type::Array(element, count) => self.declaration(*element, &format!("{name}[{count}]")),
            Type::OpenArray(element) => self.declaration(*element, &format!("{name}[]")),
            Type::Function(function) => {
                let mut params: Vec<String> =
                    function.params.iter().map(|param| self.declaration(*param, "")).collect();
                if function.variadic && !params.is_empty() {
                    params.push("...".to_owned());
                }
                let list = match (params.is_empty(), function.prototyped) {
                    (true, true) => "void".to_owned(),
                    _ => params.join(", "),
                };
                self.declaration(function.result, &format!("{name}({list})"))
            }
            Type::Void => with_name("void", name),
            Type::Int(kind) => with_name(kind.spelling(), name),
            Type::Float(FloatKind::Float) => with_name("float", name),
            Type::Float(FloatKind::Double) => with_name("double", name),
            Type::Float(FloatKind::LongDouble) => with_name("long double", name),
            Type::Record(record) => {
                let record = types.record(*record);
                let keyword = if record.union { "union" } else { "struct" };
                with_name(&format!("{keyword} {}", record.name), name)
            }
            Type::Atomic(inner) => match types.get(*inner) {
                Type::Pointer(_) => self.declaration(*inner, &format!("_Atomic {name}")),
                _ => format!("_Atomic {}", self.declaration(*inner, name)),
            },
            Type::VariableArray { element, .. } => self.declaration(*element, &format!("(*{name})")),
            Type::Qualified { inner, .. } => self.declaration(*inner, name),
            Type::VaList => with_name("__builtin_va_list", name),
        }
    }

    // ---- functions and statements ----

    fn function(&mut self, function: &'p Function) {
        let types = &self.program.types;
        let ty = types.function_type(function.ty).expect("a function has a function type");
        let mut params: Vec<String> = function
            .params
            .iter()
            .map(|id| {
                let local = &function.locals[id.0 as usize];
                self.declaration(local.ty, &local.name)
            })
            .collect();
        if ty.variadic {
            params.push("...".to_owned());
        }
        let list = if params.is_empty() && ty.prototyped { "void".to_owned() } else { params.join(", ") };
        let head = self.declaration(ty.result, &format!("{}({list})", function.name));
        self.out.push('\n');
        self.line_directive(function.span);
        let storage = self.storage(function);
        self.line(&format!("{storage}{head} {{"));
        self.indent += 1;
        self.block(&function.body, function);
        self.indent -= 1;
        self.line("}");
    }

    fn line_directive(&mut self, span: crate::diagnostic::Span) {
        if !self.options.line_directives || span == crate::diagnostic::Span::default() {
            return;
        }
        let location = self.program.source.location(span);
        if self.last_line.as_ref() != Some(&(location.file.clone(), location.line)) {
            let _ = writeln!(self.out, "#line {} \"{}\"", location.line, location.file.replace('\\', "\\\\"));
            self.last_line = Some((location.file, location.line));
        }
    }

    fn block(&mut self, block: &'p [Stmt], function: &'p Function) {
        let mut index = 0;
        while index < block.len() {
            let stmt = &block[index];
            self.line_directive(stmt.span);
            let next = block.get(index + 1).filter(|next| self.joins(stmt, next, function));
            let visible = stmt.visible || next.is_some_and(|next| next.visible);
            if self.options.mark_visible && visible {
                self.line("/* visible */");
            }
            index += match self.hooks {
                Some(hooks) => self.hooked(hooks, stmt, next, function),
                None => self.statement(stmt, next, function),
            };
        }
    }

    /// A statement between the calls of a scheduler.
    fn hooked(&mut self, hooks: &Hooks, stmt: &'p Stmt, next: Option<&'p Stmt>, function: &'p Function) -> usize {
        let all = || std::iter::once(stmt).chain(next);
        for visible in all().filter(|stmt| stmt.visible) {
            self.line(&format!("__replay_step({});", visible.origin));
        }
        for held in all().filter(|stmt| hooks.holds.contains(&stmt.origin)) {
            self.line(&format!("__replay_hold({});", held.origin));
        }
        let settles = |declares: bool| -> Vec<String> {
            let of = |(_, (origin, _)): &(usize, &(u32, String))| {
                all().any(|stmt| stmt.origin == *origin && matches!(stmt.kind, StmtKind::Declare(_)) == declares)
            };
            let line = |(index, (_, place)): (usize, &(u32, String))| {
                format!("if (__replay_settles({index})) __replay_settle({index}, &{place});")
            };
            hooks.settles.iter().enumerate().filter(of).map(line).collect()
        };
        settles(false).iter().for_each(|line| self.line(line));
        let fails = all().any(|stmt| stmt.origin == hooks.failing);
        let atomic = all().any(|stmt| match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(id), .. } => self.program.function(*id).atomic,
            _ => false,
        });
        if fails {
            self.line("__replay_here(1);");
        }
        for (which, touched) in hooks.touches.iter().enumerate() {
            for stmt in all().filter(|stmt| stmt.origin == touched.statement) {
                self.touches(which, stmt, *touched, function);
            }
        }
        if atomic {
            self.line("__replay_atomic_begin();");
        }
        let count = self.statement(stmt, next, function);
        if next.is_none() {
            settles(true).iter().for_each(|line| self.line(line));
        }
        if atomic {
            self.line("__replay_atomic_end();");
        }
        if fails {
            self.line("__replay_here(0);");
        }
        if let Some((_, touched)) = hooks.touches.iter().enumerate().nth(1)
            && all().any(|stmt| stmt.origin == touched.statement)
        {
            self.line("__replay_touched(1, 0);");
        }
        count
    }

    /// Says where the accesses of a statement go.
    fn touches(&mut self, which: usize, stmt: &'p Stmt, touched: Touched, function: &'p Function) {
        let Touched { write, size: recorded, .. } = touched;
        let types = &self.program.types;
        let mut texts: Vec<String> = Vec::new();
        let mut places: Vec<&Place> = Vec::new();
        walk::accesses(stmt, &mut |place, writes| places.extend((writes == write).then_some(place)));
        for place in places {
            if is_register(place, &function.locals) {
                continue;
            }
            // A bit-field has no address, but its structure has.
            let mut place = Place { access: Default::default(), ..place.clone() };
            if let Some(Projection::Field(record, index)) = place.projections.last().cloned()
                && types.record(record).fields[index as usize].bits.is_some()
            {
                place.projections.pop();
                let offset = types.bit_field_run(record, index).0;
                let size = types.bit_field_run(record, index).1 - offset;
                let text = self.place(&place, &function.locals);
                texts.push(format!("__replay_touch({which}, (char *)&{text} + {offset}, {size}UL);"));
                continue;
            }
            let text = self.place(&place, &function.locals);
            texts.push(format!("__replay_touch({which}, (void *)&{text}, sizeof({text}));"));
        }
        let pointers = crate::analysis::sharing::operation_pointers(self.program, stmt);
        for pointer in if write { pointers.written } else { pointers.read } {
            let text = self.expr(pointer, &function.locals, 0);
            let size = match &stmt.kind {
                StmtKind::Call { callee, args, .. } => match self.program.operation(callee) {
                    Some(Operation::Memcpy | Operation::Memmove | Operation::Memset | Operation::Memcmp) => {
                        self.expr(&args[2], &function.locals, 0)
                    }
                    // A block as a whole.
                    _ => format!("{recorded}UL"),
                },
                _ => format!("{recorded}UL"),
            };
            texts.push(format!("__replay_touch({which}, (void *)({text}), {size});"));
        }
        texts.iter().for_each(|text| self.line(text));
    }

    /// Without a value of its own, a variable is zero in a program with hooks.
    fn zero(&self, ty: TypeId) -> &'static str {
        match (self.hooks, self.program.types.get(self.program.types.unqualified(ty))) {
            (None, _) | (_, Type::VaList) => "",
            (Some(_), Type::Record(_) | Type::Array(..)) if self.program.types.size(ty) == 0 => "",
            (Some(_), Type::Record(_) | Type::Array(..)) => " = {0}",
            (Some(_), _) => " = 0",
        }
    }

    /// A declaration joins the statement after it that gives the variable its first value (arrays have none).
    fn joins(&self, stmt: &Stmt, next: &Stmt, function: &Function) -> bool {
        let StmtKind::Declare(id) = stmt.kind else { return false };
        let ty = function.locals[id.0 as usize].ty;
        let to = match &next.kind {
            StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } => to,
            _ => return false,
        };
        *to == Place::local(id, ty) && self.program.types.element(ty).is_none()
    }

    /// Prints a statement, joined with the one after it if that is given; counts both.
    fn statement(&mut self, stmt: &'p Stmt, next: Option<&'p Stmt>, function: &'p Function) -> usize {
        let locals = &function.locals[..];
        match &stmt.kind {
            StmtKind::Declare(id) => {
                let local = &locals[id.0 as usize];
                let declared = format!("{}{}", self.declaration(local.ty, &local.name), alignment(local.align));
                let value = match next.map(|next| &next.kind) {
                    Some(StmtKind::Assign { value, .. }) => Some(self.expr(value, locals, 2)),
                    Some(StmtKind::Call { callee, args, .. }) => Some(self.call(callee, args, locals)),
                    _ => None,
                };
                match value {
                    Some(value) => {
                        self.line(&format!("{declared} = {value};"));
                        return 2;
                    }
                    None => self.line(&format!("{declared}{};", self.zero(local.ty))),
                }
            }
            StmtKind::Assign { to, value } => {
                let value = self.expr(value, locals, 2);
                let buffered = self.hooks.and_then(|hooks| hooks.buffered.get(&stmt.origin).copied());
                let text = match self.hooked_order(to, locals) {
                    _ if let Some(section) = buffered => {
                        let (copy, to_text) = (self.declaration(to.ty, "__replay_value"), self.place(to, locals));
                        let size = self.program.types.size(to.ty);
                        format!(
                            "{{ {copy} = {value}; __replay_store((void *)&{to_text}, &__replay_value, {size}, {}); }}",
                            u8::from(section)
                        )
                    }
                    Some(order) => {
                        let to = self.place(to, locals);
                        let store = |order: u32| format!("__atomic_store_n(&{to}, {value}, {order});");
                        let (releases, relaxed) = (store(Order::Release as u32), store(Order::Relaxed as u32));
                        format!("if (__replay_stores((void *)&{to}, {})) {releases} else {relaxed}", order as u32)
                    }
                    None => format!("{} = {value};", self.accessed(to, locals)),
                };
                self.line(&text);
            }
            StmtKind::Call { to, callee, args } => {
                let call = self.call(callee, args, locals);
                let text = match to {
                    Some(to) => format!("{} = {call};", self.accessed(to, locals)),
                    None => format!("{call};"),
                };
                self.line(&text);
            }
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition, locals, 0);
                // After the condition it is another statement that fails.
                let head = match self.hooks {
                    Some(hooks) if hooks.touches.get(1).is_some_and(|touch| touch.statement == stmt.origin) => {
                        format!("if (__replay_touched(1, ({condition}) != 0)) {{")
                    }
                    Some(hooks) if hooks.failing == stmt.origin => {
                        format!("if (__replay_passed(({condition}) != 0)) {{")
                    }
                    _ => format!("if ({condition}) {{"),
                };
                self.line(&head);
                self.indented(then, function);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.indented(otherwise, function);
                }
                self.line("}");
            }
            StmtKind::Loop(body) => {
                self.line("while (1) {");
                if self.hooks.is_some() {
                    self.line("    __replay_loop();");
                }
                self.indented(body, function);
                self.line("}");
            }
            StmtKind::Block(body) => {
                self.line("{");
                self.indented(body, function);
                self.line("}");
            }
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Goto(label) => self.line(&format!("goto {};", function.labels[label.0 as usize])),
            StmtKind::Label(label) => {
                let text = format!("{}:;", function.labels[label.0 as usize]);
                self.indent -= 1;
                self.line(&text);
                self.indent += 1;
            }
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => {
                let value = self.expr(value, locals, 0);
                let text = match self.hooks.and_then(|hooks| hooks.touches.get(1)) {
                    Some(touched) if touched.statement == stmt.origin => {
                        format!("{{ __typeof__({value}) result = {value}; __replay_touched(1, 0); return result; }}")
                    }
                    _ => format!("return {value};"),
                };
                self.line(&text);
            }
            StmtKind::VaStart(list) => {
                let last = function.params.last().map_or("0", |id| locals[id.0 as usize].name.as_str());
                let text = format!("__builtin_va_start({}, {last});", self.place(list, locals));
                self.line(&text);
            }
            StmtKind::VaArg { to, list } => {
                let ty = self.declaration(to.ty, "");
                let text =
                    format!("{} = __builtin_va_arg({}, {ty});", self.place(to, locals), self.place(list, locals));
                self.line(&text);
            }
            StmtKind::VaCopy { to, from } => {
                let text = format!("__builtin_va_copy({}, {});", self.place(to, locals), self.place(from, locals));
                self.line(&text);
            }
            StmtKind::VaEnd(list) => {
                let text = format!("__builtin_va_end({});", self.place(list, locals));
                self.line(&text);
            }
        }
        1
    }

    fn indented(&mut self, block: &'p [Stmt], function: &'p Function) {
        self.indent += 1;
        self.block(block, function);
        self.indent -= 1;
    }

    pub fn call(&self, callee: &Callee, args: &[Expr], locals: &[Local]) -> String {
        let name = match callee {
            Callee::Function(id) => self.program.function(*id).name.clone(),
            Callee::Pointer(pointer) => self.expr(pointer, locals, PRIMARY),
        };
        let args: Vec<String> = args.iter().map(|arg| self.expr(arg, locals, 2)).collect();
        format!("{name}({})", args.join(", "))
    }

    // ---- places and expressions ----

    /// The order of an access that the runtime is to be told of.
    fn hooked_order(&self, place: &Place, locals: &[Local]) -> Option<Order> {
        self.hooks.filter(|hooks| hooks.atomics)?;
        let AccessKind::Atomic(order) = place.access else { return None };
        (is_machine_atomic(self.program, place) && !is_register(place, locals)).then_some(order)
    }

    /// A place that is read or written.
    fn accessed(&self, place: &Place, locals: &[Local]) -> String {
        let text = self.place(place, locals);
        match place.access.word().filter(|_| self.options.accesses) {
            Some(word) => format!("__builtin_choose_expr(1, {text}, \"{word}\")"),
            None => text,
        }
    }

    pub fn place(&self, place: &Place, locals: &[Local]) -> String {
        let mut projections = &place.projections[..];
        let mut text = match &place.base {
            Base::Global(id) => self.global_name(*id),
            Base::Local(id) => locals[id.0 as usize].name.clone(),
            Base::Deref(pointer) => {
                let pointee = self.program.types.pointee(pointer.ty);
                match (projections.first(), &pointer.kind) {
                    // (*p).f is p->f
                    (Some(Projection::Field(record, index)), _) if self.is_record(pointee, *record) => {
                        let name = self.field_name(*record, *index);
                        projections = &projections[1..];
                        format!("{}->{name}", self.expr(pointer, locals, PRIMARY))
                    }
                    // *(p + i) is p[i]
                    (_, ExprKind::Binary(BinaryOp::PointerAdd, base, index))
                        if self.program.types.pointee(base.ty) == pointee
                            && self.printable_index(pointee, place, projections) =>
                    {
                        format!("{}[{}]", self.expr(base, locals, PRIMARY), self.expr(index, locals, 0))
                    }
                    _ => {
                        let target = self.deref_type(place);
                        let inner = self.expr(pointer, locals, UNARY);
                        let inner = if Some(target) == pointee {
                            inner
                        } else {
                            // The place is read as another type than the pointer's own.
                            format!("({}){inner}", self.pointer_text(target))
                        };
                        if projections.is_empty() { format!("*{inner}") } else { format!("(*{inner})") }
                    }
                }
            }
        };
        for projection in projections {
            match projection {
                Projection::Field(record, index) => {
                    let _ = write!(text, ".{}", self.field_name(*record, *index));
                }
                Projection::Index(index, _) => {
                    let _ = write!(text, "[{}]", self.expr(index, locals, 0));
                }
            }
        }
        text
    }

    fn is_record(&self, ty: Option<TypeId>, record: RecordId) -> bool {
        ty.and_then(|ty| self.program.types.record_id(ty)) == Some(record)
    }

    fn printable_index(&self, pointee: Option<TypeId>, place: &Place, projections: &[Projection]) -> bool {
        !projections.is_empty() || Some(place.ty) == pointee
    }

    /// The type that the dereferenced pointer must point to for the projections to apply.
    fn deref_type(&self, place: &Place) -> TypeId {
        match place.projections.first() {
            None => place.ty,
            Some(_) => {
                let Base::Deref(pointer) = &place.base else { return place.ty };
                self.program.types.pointee(pointer.ty).unwrap_or(place.ty)
            }
        }
    }

    fn pointer_text(&self, to: TypeId) -> String {
        match self.program.types.get(to) {
            Type::Array(..) | Type::OpenArray(_) | Type::Function(_) => self.declaration(to, "(*)"),
            _ => self.declaration(to, "*"),
        }
    }

    fn global_name(&self, id: GlobalId) -> String {
        self.program.global(id).name.clone()
    }

    /// An expression, in parentheses if it binds less tightly than `level` asks.
    pub fn expr(&self, expr: &Expr, locals: &[Local], level: u8) -> String {
        let (text, own) = self.expr_level(expr, locals);
        if own < level { format!("({text})") } else { text }
    }

    fn expr_level(&self, expr: &Expr, locals: &[Local]) -> (String, u8) {
        match &expr.kind {
            ExprKind::Int(value) => self.int_text(*value, expr.ty),
            ExprKind::Float(value) => self.float_text(*value, expr.ty),
            ExprKind::Str(id) => (self.string_text(id.0 as usize), PRIMARY),
            ExprKind::Function(id) => (self.program.function(*id).name.clone(), PRIMARY),
            ExprKind::Load(place) => {
                let waits = self.hooks.is_some_and(|hooks| !hooks.buffered.is_empty());
                if waits && !is_register(place, locals) && !is_bit_field(self.program, place) {
                    let (text, size) = (self.place(place, locals), self.program.types.size(place.ty));
                    let load = format!("(*(__typeof__({text}) *)__replay_seen((void *)&{text}, {size}))");
                    return (load, PRIMARY);
                }
                if let Some(order) = self.hooked_order(place, locals) {
                    let (text, order) = (self.place(place, locals), order as u32);
                    let load = format!("(__replay_loads((void *)&{text}, {order}), __atomic_load_n(&{text}, 0))");
                    return (load, PRIMARY);
                }
                let text = self.accessed(place, locals);
                if self.is_promoted_bit_field(place) {
                    return (format!("({}){text}", self.declaration(expr.ty, "")), UNARY);
                }
                let level = if text.starts_with('*') { UNARY } else { PRIMARY };
                (text, level)
            }
            ExprKind::AddressOf(place) => self.address_text(place, expr.ty, locals),
            ExprKind::Unary(op, operand) => {
                let symbol = match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Complement => "~",
                    UnaryOp::Not => "!",
                };
                let inner = self.expr(operand, locals, UNARY);
                // `- -1` must not become `--1`.
                let gap = if symbol == "-" && inner.starts_with('-') { " " } else { "" };
                (format!("{symbol}{gap}{inner}"), UNARY)
            }
            ExprKind::Binary(op, left, right) => {
                let (symbol, level) = operator(*op);
                // Mixed operators get parentheses even where C does not need them: nobody knows them all.
                let strict = |operand: &Expr, side: u8| match &operand.kind {
                    ExprKind::Binary(inner, ..) if *inner != *op => PRIMARY,
                    _ => level + side,
                };
                let left = self.expr(left, locals, strict(left, 0));
                let right = self.expr(right, locals, strict(right, 1));
                (format!("{left} {symbol} {right}"), level)
            }
            ExprKind::Cast(operand) => {
                if let ExprKind::Load(place) = &operand.kind
                    && self.is_promoted_bit_field(place)
                {
                    return (format!("({}){}", self.declaration(expr.ty, ""), self.accessed(place, locals)), UNARY);
                }
                (format!("({}){}", self.declaration(expr.ty, ""), self.expr(operand, locals, UNARY)), UNARY)
            }
            ExprKind::Conditional(condition, then, otherwise) => (
                format!(
                    "{} ? {} : {}",
                    self.expr(condition, locals, 3),
                    self.expr(then, locals, 3),
                    self.expr(otherwise, locals, 3)
                ),
                2,
            ),
        }
    }

    /// A bit-field that C would promote to another type than the declared one, which it has here.
    fn is_promoted_bit_field(&self, place: &Place) -> bool {
        let types = &self.program.types;
        match place.projections.last() {
            Some(Projection::Field(record, index)) => {
                let field = &types.record(*record).fields[*index as usize];
                let plain = matches!(types.int_kind(field.ty), Some(IntKind::Int | IntKind::Bool));
                field.bits.is_some() && !plain && types.size(field.ty) >= 4
            }
            _ => false,
        }
    }

    fn address_text(&self, place: &Place, ty: TypeId, locals: &[Local]) -> (String, u8) {
        // &a[0] of an array with its own element type is just `a`.
        let mut short = place.clone();
        if let Some(Projection::Index(index, _)) = short.projections.last()
            && index.is_zero()
            && self.program.types.pointee(ty) == Some(place.ty)
        {
            short.projections.pop();
            let text = self.place(&short, locals);
            let level = if text.starts_with('*') { UNARY } else { PRIMARY };
            return (text, level);
        }
        let address = format!("&{}", self.place(place, locals));
        if self.program.types.pointee(ty) == Some(place.ty) {
            (address, UNARY)
        } else {
            (format!("({}){address}", self.declaration(ty, "")), UNARY)
        }
    }

    fn int_text(&self, value: i128, ty: TypeId) -> (String, u8) {
        let types = &self.program.types;
        let Some(kind) = types.int_kind(ty) else {
            // An integer as a pointer: null, or an address that was written as a number.
            return (
                format!(
                    "({}){value}{}",
                    self.declaration(ty, ""),
                    if value > i128::from(i32::MAX) { "UL" } else { "" }
                ),
                UNARY,
            );
        };
        let suffix = match kind {
            IntKind::Int => "",
            IntKind::UInt => "U",
            IntKind::Long => "L",
            IntKind::ULong => "UL",
            IntKind::LongLong => "LL",
            IntKind::ULongLong => "ULL",
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Short | IntKind::UShort => {
                return (
                    format!(
                        "({}){}",
                        kind.spelling(),
                        if value < 0 { format!("({value})") } else { value.to_string() }
                    ),
                    UNARY,
                );
            }
        };
        let bits = kind.size(types.model) as u32 * 8;
        if kind.signed() && value == -(1i128 << (bits - 1)) {
            // The most negative number has no literal of its own.
            return (format!("-{}{suffix} - 1{suffix}", -(value + 1)), 11);
        }
        (format!("{value}{suffix}"), if value < 0 { UNARY } else { PRIMARY })
    }

    fn float_text(&self, value: f64, ty: TypeId) -> (String, u8) {
        let suffix = match self.program.types.float_kind(ty) {
            Some(FloatKind::Float) => "f",
            _ => "",
        };
        if value.is_nan() {
            let name = if suffix == "f" { "__builtin_nanf(\"\")" } else { "__builtin_nan(\"\")" };
            return (name.to_owned(), PRIMARY);
        }
        if value.is_infinite() {
            let name = if suffix == "f" { "__builtin_inff()" } else { "__builtin_inf()" };
            return if value < 0.0 { (format!("-{name}"), UNARY) } else { (name.to_owned(), PRIMARY) };
        }
        let digits = if suffix == "f" { format!("{:?}", value as f32) } else { format!("{value:?}") };
        (format!("{digits}{suffix}"), if value.is_sign_negative() { UNARY } else { PRIMARY })
    }

    fn string_text(&self, index: usize) -> String {
        let literal = &self.program.strings[index];
        let prefix = match self.program.types.int_kind(literal.unit) {
            Some(IntKind::Char) => "",
            Some(IntKind::UShort) => "u",
            Some(IntKind::UInt) => "U",
            _ => "L",
        };
        let mut text = format!("{prefix}\"");
        let units = &literal.units[..literal.units.len() - 1];
        for (at, unit) in units.iter().enumerate() {
            match unit {
                0x22 => text.push_str("\\\""),
                0x5c => text.push_str("\\\\"),
                0x0a => text.push_str("\\n"),
                0x09 => text.push_str("\\t"),
                0x3f => text.push_str("\\?"),
                0x20..=0x7e => text.push(char::from(*unit as u8)),
                _ if prefix.is_empty() => {
                    let _ = write!(text, "\\{unit:03o}");
                }
                _ => {
                    let _ = write!(text, "\\x{unit:x}");
                    // A hexadecimal escape would swallow digits after it.
                    let next = units.get(at + 1).and_then(|next| char::from_u32(*next));
                    if next.is_some_and(|next| next.is_ascii_hexdigit()) {
                        let _ = write!(text, "\" {prefix}\"");
                    }
                }
            }
        }
        text.push('"');
        text
    }
}

/// Levels of binding: a comma list, the operand of a unary operator, a name.
pub const ITEM: u8 = 2;
pub const UNARY: u8 = 14;
pub const PRIMARY: u8 = 15;

fn operator(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::LogicalOr => ("||", 3),
        BinaryOp::LogicalAnd => ("&&", 4),
        BinaryOp::BitOr => ("|", 5),
        BinaryOp::BitXor => ("^", 6),
        BinaryOp::BitAnd => ("&", 7),
        BinaryOp::Eq => ("==", 8),
        BinaryOp::Ne => ("!=", 8),
        BinaryOp::Lt => ("<", 9),
        BinaryOp::Le => ("<=", 9),
        BinaryOp::Gt => (">", 9),
        BinaryOp::Ge => (">=", 9),
        BinaryOp::Shl => ("<<", 10),
        BinaryOp::Shr => (">>", 10),
        BinaryOp::Add | BinaryOp::PointerAdd => ("+", 11),
        BinaryOp::Sub | BinaryOp::PointerSub => ("-", 11),
        BinaryOp::Mul => ("*", 12),
        BinaryOp::Div => ("/", 12),
        BinaryOp::Rem => ("%", 12),
    }
}

fn with_name(base: &str, name: &str) -> String {
    if name.is_empty() { base.to_owned() } else { format!("{base} {name}") }
}

fn thread_storage(global: &Global) -> &'static str {
    if global.thread_local { "_Thread_local " } else { "" }
}

fn alignment(align: u64) -> String {
    if align == 0 { String::new() } else { format!(" __attribute__((aligned({align})))") }
}

/// The compiler knows these by itself.
fn needs_prototype(name: &str) -> bool {
    !["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

fn anonymous_name(tag: &str) -> String {
    format!("{tag}_member")
}

pub fn mentions_global(expr: &Expr) -> bool {
    let mut found = false;
    walk::expressions(expr, &mut |inner| {
        if let ExprKind::AddressOf(place) = &inner.kind {
            found |= matches!(place.base, Base::Global(_));
        }
    });
    found
}
