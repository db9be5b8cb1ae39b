//! Syntax tree -> core language.
//!
//! File-scope declarations are entered first; then only what `main` can reach is lowered, so that the thousand
//! inline functions of system headers cost nothing and may use what we do not support. Names, conversions and
//! side effects are resolved here: an expression becomes statements (emitted into the current block) and a value
//! without side effects.

mod assembly;
mod call;
mod declare;
mod expr;
mod init;
mod link;
mod specs;
mod stmt;

use super::ast;
use super::model;
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::operation::{must_not_be_ignored, operation_named};
use crate::il::{
    DataModel, Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId, LabelId, Local, LocalId, Place,
    Program, RecordId, Stmt, StmtKind, StringLiteral, TypeId, Types, walk,
};
use crate::source::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub struct Lowered {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}

pub fn lower(source: &Source, units: &[ast::Unit], data_model: DataModel) -> Result<Lowered> {
    let mut lowerer = Lowerer::new(data_model);
    for unit in units {
        lowerer.translation_unit(unit)?;
    }
    lowerer.end_of_units()?;
    let Some(Symbol::Function(main)) = lowerer.linked("main") else {
        return Err(Diagnostic::plain("the program has no function `main`").note(
            "unthread needs a whole program: the files with `main` and with all functions whose effect matters",
        ));
    };
    if !lowerer.definitions.contains_key(&main) {
        return Err(Diagnostic::error(lowerer.function(main).span, "`main` is declared but not defined"));
    }
    lowerer.use_function(main, Span::default())?;
    lowerer.drain()?;
    let (thread_end, at_exit) = (lowerer.thread_end, lowerer.at_exit);
    lowerer.weak_exchanges.sort_unstable_by_key(|span| span.start);
    lowerer.weak_exchanges.dedup();
    let mut program = Program {
        types: lowerer.types,
        globals: lowerer.globals,
        functions: lowerer.functions,
        strings: lowerer.strings,
        main,
        thread_end,
        at_exit,
        weak_exchanges: lowerer.weak_exchanges,
        told: Default::default(),
        buffering: None,
        source: source.clone(),
    };
    walk::erase_qualifiers(&mut program);
    walk::keep_reachable(&mut program);
    let unknown = program.globals.iter().find(|global| global.external && !program.types.is_complete(global.ty));
    if let Some(global) = unknown {
        let text = format!("`{}`, whose size no file given here tells", global.name);
        return Err(Diagnostic::unsupported(global.span, text));
    }
    Ok(Lowered { program, warnings: lowerer.warnings })
}

#[derive(Clone, Copy, Debug)]
enum Symbol {
    /// With the alignment that the typedef demands (0: none).
    Typedef(TypeId, u64),
    Enumerator(i128, TypeId),
    Global(GlobalId),
    Local(LocalId),
    Function(FunctionId),
    /// A parameter of a mere prototype, mentioned in the length of an array.
    Parameter(TypeId),
}

#[derive(Clone, Copy, Debug)]
enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<String, Symbol>,
    tags: FxHashMap<String, Tag>,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
enum Jump {
    /// The innermost IL loop.
    Native,
    Label(LabelId),
}

/// What is known about the function being lowered.
struct Body {
    id: FunctionId,
    result: TypeId,
    locals: Vec<Local>,
    labels: Vec<String>,
    label_ids: FxHashMap<String, LabelId>,
    defined_labels: FxHashSet<LabelId>,
    goto_spans: Vec<(LabelId, Span)>,
    breaks: Vec<Jump>,
    continues: Vec<Jump>,
    switches: Vec<stmt::Switch>,
    names: FxHashSet<String>,
    address_taken: Rc<FxHashSet<String>>,
    used_labels: FxHashSet<LabelId>,
    next_temp: u32,
    /// Temporaries with an array that an address was taken of: they end with the full expression (C11 6.2.4).
    short_lived: Vec<LocalId>,
    /// The array behind `__func__`.
    own_name: Option<GlobalId>,
}

impl Body {
    /// Stands for file scope: expressions there may emit code, which is then refused as not constant.
    fn outside() -> Body {
        Body::new(FunctionId(u32::MAX), TypeId(0), Rc::default())
    }

    fn new(id: FunctionId, result: TypeId, address_taken: Rc<FxHashSet<String>>) -> Body {
        Body {
            id,
            result,
            locals: Vec::new(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            defined_labels: FxHashSet::default(),
            goto_spans: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            names: FxHashSet::default(),
            address_taken,
            used_labels: FxHashSet::default(),
            next_temp: 0,
            short_lived: Vec::new(),
            own_name: None,
        }
    }
}

struct Lowerer {
    types: Types,
    globals: Vec<Global>,
    functions: Vec<Function>,
    strings: Vec<StringLiteral>,
    scopes: Vec<Scope>,
    definitions: FxHashMap<FunctionId, Rc<ast::FunctionDef>>,
    /// Initializers of globals, lowered when the global is used.
    initializers: FxHashMap<GlobalId, ast::Initializer>,
    /// Locals that stand for a variable length array, or for a pointer to one, with their C type.
    variable_arrays: FxHashMap<(FunctionId, LocalId), TypeId>,
    used_functions: FxHashSet<FunctionId>,
    used_globals: FxHashSet<GlobalId>,
    pending_functions: Vec<FunctionId>,
    pending_globals: Vec<GlobalId>,
    global_names: FxHashSet<String>,
    record_names: FxHashSet<String>,
    body: Option<Body>,
    /// The block being filled; the enclosing ones wait on the Rust stack.
    code: Vec<Stmt>,
    span: Span,
    /// Above zero while only the type of an expression is wanted.
    speculative: u32,
    /// File scope of the models of library functions, once they were needed.
    model_scope: Option<Scope>,
    model_names: FxHashMap<String, FunctionId>,
    /// Functions that were declared by the models.
    model_functions: FxHashSet<FunctionId>,
    /// Compiler built-ins used so far.
    builtins: FxHashMap<String, FunctionId>,
    in_model: bool,
    /// How many of the texts of the models were loaded.
    model_texts: usize,
    thread_end: Option<FunctionId>,
    at_exit: Option<FunctionId>,
    /// Compare-and-swaps that may fail without reason.
    weak_exchanges: Vec<Span>,
    /// Functions with an attribute that changes what a call of them means.
    refused_functions: FxHashMap<FunctionId, &'static str>,
    /// Names that headers declare with types we do not support: an error only when they are used.
    refused: FxHashMap<String, Diagnostic>,
    linker: link::Linker,
    /// Functions that run before `main` and after it, with their priorities.
    constructors: Vec<(i128, FunctionId)>,
    destructors: Vec<(i128, FunctionId)>,
    warnings: Vec<Diagnostic>,
    warned: FxHashSet<String>,
}

impl Lowerer {
    fn new(data_model: DataModel) -> Lowerer {
        Lowerer {
            types: Types::new(data_model),
            globals: Vec::new(),
            functions: Vec::new(),
            strings: Vec::new(),
            scopes: vec![Scope::default()],
            definitions: FxHashMap::default(),
            initializers: FxHashMap::default(),
            variable_arrays: FxHashMap::default(),
            used_functions: FxHashSet::default(),
            used_globals: FxHashSet::default(),
            pending_functions: Vec::new(),
            pending_globals: Vec::new(),
            global_names: FxHashSet::default(),
            record_names: FxHashSet::default(),
            body: Some(Body::outside()),
            code: Vec::new(),
            span: Span::default(),
            speculative: 0,
            model_scope: None,
            model_names: FxHashMap::default(),
            model_functions: FxHashSet::default(),
            builtins: FxHashMap::default(),
            in_model: false,
            model_texts: 0,
            thread_end: None,
            at_exit: None,
            weak_exchanges: Vec::new(),
            refused_functions: FxHashMap::default(),
            refused: FxHashMap::default(),
            linker: link::Linker::default(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            warnings: Vec::new(),
            warned: FxHashSet::default(),
        }
    }

    fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Diagnostic::error(self.span, message))
    }

    fn unsupported<T>(&self, construct: impl std::fmt::Display) -> Result<T> {
        Err(Diagnostic::unsupported(self.span, construct))
    }

    fn warn_once(&mut self, key: &str, warning: Diagnostic) {
        if self.speculative == 0 && !self.in_model && self.warned.insert(key.to_owned()) {
            self.warnings.push(warning);
        }
    }

    fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    /// At file scope, not in a function.
    fn is_outside(&self) -> bool {
        self.body.as_ref().is_none_or(|body| body.id == FunctionId(u32::MAX))
    }

    fn body(&mut self) -> &mut Body {
        self.body.as_mut().expect("statements should be lowered inside a function")
    }

    // ---- what is reachable from main ----

    /// Lowers everything that became reachable, until nothing new turns up.
    fn drain(&mut self) -> Result<()> {
        loop {
            if let Some(global) = self.pending_globals.pop() {
                self.lower_initializer(global)?;
            } else if let Some(function) = self.pending_functions.pop() {
                self.lower_function(function)?;
            } else {
                return Ok(());
            }
        }
    }

    fn use_global(&mut self, id: GlobalId) {
        if self.speculative == 0 && self.used_globals.insert(id) {
            self.pending_globals.push(id);
        }
    }

    /// Marks a function as reachable and settles what it means: defined, operation, model or unknown.
    fn use_function(&mut self, id: FunctionId, span: Span) -> Result<()> {
        if self.speculative > 0 || !self.used_functions.insert(id) {
            return Ok(());
        }
        let name = self.function(id).name.clone();
        let defined = self.definitions.contains_key(&id);
        let internal = name.starts_with("__pthread_");
        if let Some(attribute) = self.refused_functions.get(&id)
            && (*attribute != "weak" || !(defined || internal))
        {
            return Err(Diagnostic::unsupported(span, format!("the attribute `{attribute}` of `{name}`")));
        }
        let operation = operation_named(&name);
        let overridden = is_error_call(&name);
        if let Some(operation) = operation
            && (overridden || !self.definitions.contains_key(&id))
        {
            self.functions[id.0 as usize].kind = FunctionKind::Operation(operation);
        } else if self.definitions.contains_key(&id) {
            if self.model_functions.contains(&id) {
                self.functions[id.0 as usize].kind = FunctionKind::Model;
            }
            self.pending_functions.push(id);
        } else if let Some(model) = self.model_function(&name) {
            self.adopt_model(id, model);
        } else if must_not_be_ignored(&name) {
            // The macros of the C library call internal functions; name what the user wrote.
            let written = if name.starts_with("__pthread_") { "pthread_cleanup_push" } else { &name };
            return Err(Diagnostic::unsupported(span, format!("the function `{written}`"))
                .note("it has no body, and calls of it cannot be ignored without changing what the program means"));
        } else {
            self.warn_once(
                &format!("external {name}"),
                Diagnostic::warning(
                    span,
                    format!("`{name}` has no body: it is taken to return any value and do nothing else"),
                )
                .note("nothing is proved with it; add the file that defines it, or say --externals pure"),
            );
        }
        Ok(())
    }

    /// The function of this name in the models of library functions, parsed on first need.
    fn model_function(&mut self, name: &str) -> Option<FunctionId> {
        if !self.model_names.contains_key(name)
            && let Some(text) = model::text_with(name)
        {
            while self.model_texts <= text {
                self.load_models(self.model_texts);
                self.model_texts += 1;
            }
        }
        self.model_names.get(name).copied()
    }

    fn load_models(&mut self, text: usize) {
        // The models see nothing of the user's names: they get a file scope of their own.
        let scope = self.model_scope.take().unwrap_or_default();
        self.with_model_scope(scope, |lowerer| {
            for external in model::parse(text) {
                lowerer.external(&external).expect("models should lower");
            }
        });
        self.join_variables();
    }

    /// Variables of the library (`optarg`) that the user declares and a model defines are one.
    fn join_variables(&mut self) {
        let Some(models) = &mut self.model_scope else { return };
        for (name, symbol) in &mut models.names {
            if let Symbol::Global(model) = *symbol
                && let Some(Symbol::Global(user)) = self.linker.linked(name)
                && self.globals[user.0 as usize].external
                && !self.globals[model.0 as usize].external
                && self.globals[user.0 as usize].ty == self.globals[model.0 as usize].ty
            {
                *symbol = Symbol::Global(user);
                let global = &mut self.globals[user.0 as usize];
                (global.external, global.library) = (false, true);
                if let Some(initializer) = self.initializers.remove(&model) {
                    self.initializers.insert(user, initializer);
                }
                if self.used_globals.contains(&user) {
                    self.pending_globals.push(user);
                }
            }
        }
    }

    /// Runs `work` with the models' file scope in place of the user's scopes.
    fn with_model_scope<T>(&mut self, scope: Scope, work: impl FnOnce(&mut Lowerer) -> T) -> T {
        let user_scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let was_in_model = std::mem::replace(&mut self.in_model, true);
        let saved_body = self.body.replace(Body::outside());
        let saved_code = std::mem::take(&mut self.code);
        let saved_span = std::mem::take(&mut self.span);
        let result = work(self);
        self.body = saved_body;
        self.code = saved_code;
        self.span = saved_span;
        self.in_model = was_in_model;
        self.model_scope = std::mem::replace(&mut self.scopes, user_scopes).into_iter().next();
        result
    }

    /// Gives a declaration of a library function the body of its model.
    fn adopt_model(&mut self, id: FunctionId, model: FunctionId) {
        if let Some(definition) = self.definitions.get(&model).cloned() {
            self.definitions.insert(id, definition);
        }
        // A declaration without parameters does not say how many there are; the model does.
        let model_type = self.function(model).ty;
        let function = &mut self.functions[id.0 as usize];
        function.kind = FunctionKind::Model;
        if self.types.function_type(function.ty).is_some_and(|ty| !ty.prototyped) {
            function.ty = model_type;
        }
        self.pending_functions.push(id);
        match self.functions[id.0 as usize].name.as_str() {
            "pthread_key_create" | "tss_create" | "_pthread_cleanup_push" => {
                self.thread_end = self.use_hook("ut_run_destructors")
            }
            "atexit" => self.at_exit = self.use_hook("ut_run_exit_handlers"),
            _ => {}
        }
    }

    fn use_hook(&mut self, name: &str) -> Option<FunctionId> {
        let hook = self.model_names.get(name).copied()?;
        if self.used_functions.insert(hook) {
            self.functions[hook.0 as usize].kind = FunctionKind::Model;
            self.pending_functions.push(hook);
        }
        Some(hook)
    }

    // ---- emitting code ----

    fn emit(&mut self, kind: StmtKind) {
        self.code.push(Stmt::new(kind, self.span));
    }

    fn assign(&mut self, to: Place, value: Expr) {
        self.emit(StmtKind::Assign { to, value });
    }

    /// Lowers into a block of its own and hands that back.
    fn in_block<T>(&mut self, work: impl FnOnce(&mut Lowerer) -> Result<T>) -> Result<(T, Vec<Stmt>)> {
        let outer = std::mem::take(&mut self.code);
        let result = work(self);
        let block = std::mem::replace(&mut self.code, outer);
        Ok((result?, block))
    }

    /// Lowers only to learn something about an expression: whatever was emitted or noted is forgotten.
    fn speculate<T>(&mut self, work: impl FnOnce(&mut Lowerer) -> Result<T>) -> Result<T> {
        self.speculative += 1;
        let strings = self.strings.len();
        let saved =
            self.body.as_ref().map(|body| (body.locals.len(), body.labels.len(), body.next_temp, body.names.clone()));
        let result = self.in_block(work);
        if let (Some(body), Some((locals, labels, next_temp, names))) = (self.body.as_mut(), saved) {
            body.locals.truncate(locals);
            body.labels.truncate(labels);
            body.label_ids.retain(|_, id| (id.0 as usize) < labels);
            body.next_temp = next_temp;
            body.names = names;
        }
        self.strings.truncate(strings);
        self.speculative -= 1;
        result.map(|(value, _)| value)
    }

    fn new_local(&mut self, name: &str, ty: TypeId) -> LocalId {
        let span = self.span;
        let body = self.body.as_mut().expect("locals live in functions");
        let name = unique(&body.names, &self.global_names, name);
        body.names.insert(name.clone());
        body.locals.push(Local { name, ty, align: 0, shared: false, span });
        LocalId(body.locals.len() as u32 - 1)
    }

    /// A fresh local for an intermediate value, declared here.
    fn new_temp(&mut self, ty: TypeId) -> Place {
        let ty = self.types.unqualified(ty);
        self.body().next_temp += 1;
        let name = format!("t{}", self.body().next_temp);
        let id = self.new_local(&name, ty);
        self.emit(StmtKind::Declare(id));
        Place::local(id, ty)
    }

    /// The value in a temporary of its own, so that it is computed here and only once.
    fn in_temp(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_)) {
            return value;
        }
        let temp = self.new_temp(value.ty);
        self.assign(temp.clone(), value);
        Expr::load(temp)
    }

    fn new_label(&mut self, name: &str) -> LabelId {
        let body = self.body();
        let mut candidate = name.to_owned();
        let mut number = 1;
        while body.labels.contains(&candidate) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        body.labels.push(candidate);
        LabelId(body.labels.len() as u32 - 1)
    }
}

/// An error whatever body the program gives it.
fn is_error_call(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// `name`, or `name_2`, `name_3`, ... if it is taken.
fn unique(taken: &FxHashSet<String>, also_taken: &FxHashSet<String>, name: &str) -> String {
    let is_taken = |candidate: &str| taken.contains(candidate) || also_taken.contains(candidate);
    if !is_taken(name) {
        return name.to_owned();
    }
    (2..).map(|number| format!("{name}_{number}")).find(|candidate| !is_taken(candidate)).expect("names do not run out")
}
