//! Declarations and function definitions (C11 6.7, 6.9).

use super::{Body, Lowerer, Scope, Symbol, is_error_call, unique};
use crate::c::ast::{self, Declaration, Derived, External, Storage, TypeSpec};
use crate::diagnostic::{Diagnostic, Result, Severity, Span};
use crate::il::types::FunctionType;
use crate::il::{
    Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId, LocalId, ObjectAction, Place, Stmt,
    StmtKind, Type, TypeId,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Lowerer {
    pub(super) fn external(&mut self, external: &External) -> Result<()> {
        match external {
            External::Declaration(declaration) => self.file_scope_declaration(declaration),
            External::Function(definition) => {
                self.span = definition.span;
                let declared = self.base_type(&definition.specs).and_then(|(base, _)| {
                    self.span = definition.declarator.span;
                    let ty = self.declared_type(base, &definition.declarator)?;
                    self.with_kr_parameters(ty, definition)
                });
                let ty = match declared {
                    Ok(ty) => ty,
                    Err(diagnostic) => return self.refuse([&definition.declarator].into_iter(), diagnostic),
                };
                let name = definition.declarator.name.as_deref().unwrap_or("");
                let attributes = || definition.specs.attributes.iter().chain(&definition.declarator.attributes);
                let internal = definition.specs.storage == Some(Storage::Static) || definition.specs.inline;
                let id = self.declare_function(name, ty, internal)?;
                let gnu_inline = definition.specs.inline && definition.specs.storage == Some(Storage::Extern);
                if gnu_inline && self.definitions.contains_key(&id) && !self.in_model {
                    return Ok(());
                }
                let weak = attributes().any(|attribute| attribute.name == "weak");
                if !self.defines_function(id, (name, weak), definition.declarator.span)? {
                    return Ok(());
                }
                if internal && definition.specs.storage != Some(Storage::Static) {
                    self.is_inline_only(id, name);
                }
                for attribute in attributes().filter(|a| matches!(a.name.as_str(), "constructor" | "destructor")) {
                    let priority = match attribute.arguments.first() {
                        Some(priority) => self.constant_int(priority, "a priority")?,
                        None => i128::from(u16::MAX) + 1,
                    };
                    let list =
                        if attribute.name == "constructor" { &mut self.constructors } else { &mut self.destructors };
                    list.push((priority, id));
                }
                // The definition's types win over those of earlier declarations.
                self.functions[id.0 as usize].ty = ty;
                self.definitions.insert(id, definition.clone());
                Ok(())
            }
        }
    }

    /// `int f(a) char a; {}`: the parameter types stand in the declarations after the head.
    fn with_kr_parameters(&mut self, ty: TypeId, definition: &ast::FunctionDef) -> Result<TypeId> {
        let Some(Derived::Function { identifiers, prototyped: false, .. }) = definition.declarator.derived.first()
        else {
            return Ok(ty);
        };
        let mut params = Vec::new();
        for (name, _) in identifiers {
            params.push(match self.kr_declaration(name, definition)? {
                Some(ty) => self.adjust_parameter(ty),
                None => self.types.int(crate::il::IntKind::Int),
            });
        }
        let result = self.types.function_type(ty).expect("a definition has a function type").result;
        Ok(self.types.intern(Type::Function(FunctionType { result, params, variadic: false, prototyped: false })))
    }

    fn kr_declaration(&mut self, name: &str, definition: &ast::FunctionDef) -> Result<Option<TypeId>> {
        for declaration in &definition.declarations {
            let Declaration::Variables { specs, declarators, .. } = declaration else { continue };
            for init in declarators {
                if init.declarator.name.as_deref() == Some(name) {
                    let (base, _) = self.base_type(specs)?;
                    return self.declared_type(base, &init.declarator).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn file_scope_declaration(&mut self, declaration: &Declaration) -> Result<()> {
        match declaration {
            Declaration::StaticAssert { condition, message, span } => self.static_assert(condition, message, *span),
            Declaration::Variables { specs, declarators, span } => {
                self.span = *span;
                let base = match (&specs.ty, &declarators[..]) {
                    (TypeSpec::AutoType, [ast::InitDeclarator { init: Some(ast::Initializer::Expr(value)), .. }]) => {
                        self.speculate(|lowerer| lowerer.expr(value).map(|value| (value.ty, 0)))
                    }
                    _ => self.base_type(specs),
                };
                let (base, base_align) = match base {
                    Ok(base) => base,
                    Err(diagnostic) => {
                        return self.refuse(declarators.iter().map(|init| &init.declarator), diagnostic);
                    }
                };
                for init in declarators {
                    self.span = init.declarator.span;
                    let name = init.declarator.name.as_deref().unwrap_or("");
                    let ty = match self.declared_type(base, &init.declarator) {
                        Ok(ty) => ty,
                        Err(diagnostic) => {
                            self.refuse([&init.declarator].into_iter(), diagnostic)?;
                            continue;
                        }
                    };
                    self.has_label(name, &init.declarator.attributes);
                    if specs.storage == Some(Storage::Typedef) {
                        let align = base_align.max(self.alignment(&init.declarator.attributes, &[])?);
                        self.name_record(ty, name);
                        self.bind(name, Symbol::Typedef(ty, align));
                    } else if matches!(self.types.get(ty), Type::Function(_)) {
                        let id = self.declare_function(name, ty, specs.storage == Some(Storage::Static))?;
                        for attribute in specs.attributes.iter().chain(&init.declarator.attributes) {
                            match attribute.name.as_str() {
                                "alias" => {
                                    self.is_alias(id, attribute)?;
                                    None
                                }
                                "weak" => {
                                    self.is_weak_here(id);
                                    self.refused_functions.insert(id, "weak")
                                }
                                "ifunc" => self.refused_functions.insert(id, "ifunc"),
                                _ => None,
                            };
                        }
                    } else {
                        let mut attributes = specs.attributes.iter().chain(&init.declarator.attributes);
                        if attributes.any(|attribute| attribute.name == "alias") {
                            return self.unsupported(format!("the attribute `alias` of `{name}`"));
                        }
                        let id = self.declare_global(name, ty, specs, init)?;
                        let align = base_align.max(self.alignment(&init.declarator.attributes, &[])?);
                        let global = &mut self.globals[id.0 as usize];
                        global.align = global.align.max(align);
                    }
                }
                Ok(())
            }
        }
    }

    /// A declaration with a type we do not support is an error only if one of its names is used: headers have many.
    fn refuse<'d>(
        &mut self,
        declarators: impl Iterator<Item = &'d ast::Declarator>,
        diagnostic: Diagnostic,
    ) -> Result<()> {
        if diagnostic.severity != Severity::Unsupported {
            return Err(diagnostic);
        }
        for declarator in declarators {
            if let Some(name) = &declarator.name {
                self.refused.insert(name.clone(), diagnostic.clone());
            }
        }
        Ok(())
    }

    /// `typedef struct {...} name;`: the struct gets the name that the user knows it by.
    fn name_record(&mut self, ty: TypeId, name: &str) {
        let Some(id) = self.types.record_id(ty) else { return };
        if self.types.record(id).name.starts_with("anonymous_") {
            let name = unique(&self.record_names, &FxHashSet::default(), name);
            self.record_names.insert(name.clone());
            self.types.records[id.0 as usize].name = name;
        }
    }

    pub(super) fn bind(&mut self, name: &str, symbol: Symbol) {
        self.scopes.last_mut().expect("a scope is open").names.insert(name.to_owned(), symbol);
    }

    pub(super) fn static_assert(&mut self, condition: &ast::Expr, message: &str, span: Span) -> Result<()> {
        if self.constant_int(condition, "a static assertion")? == 0 {
            return Err(Diagnostic::error(span, format!("static assertion failed: {message}")));
        }
        Ok(())
    }

    /// Enters a function under its name at file scope (functions have no other scope).
    pub(super) fn declare_function(&mut self, name: &str, ty: TypeId, internal: bool) -> Result<FunctionId> {
        // Every file may have an error function of its own: all are the same error.
        let internal = internal && !is_error_call(name);
        let here = self.scopes[0].names.get(name).copied();
        let elsewhere = || self.linked(name).filter(|_| !internal);
        let existing = match here.or_else(elsewhere) {
            Some(Symbol::Function(id)) => Some(id),
            Some(_) => return self.error(format!("`{name}` is already something else than a function")),
            None => None,
        };
        let id = match existing {
            Some(id) => {
                let Function { ty: old, span, .. } = self.functions[id.0 as usize];
                self.check_redeclaration(name, (old, span), ty)?;
                let old_unprototyped = self.types.function_type(old).is_some_and(|f| !f.prototyped);
                if old_unprototyped && !self.definitions.contains_key(&id) {
                    self.functions[id.0 as usize].ty = ty;
                }
                self.scopes[0].names.insert(name.to_owned(), Symbol::Function(id));
                id
            }
            None => {
                // Functions of the models have the names of what they are models of.
                let unique = if self.in_model { name.to_owned() } else { self.free_name(name, internal) };
                let id = FunctionId(self.functions.len() as u32);
                self.functions.push(Function {
                    internal,
                    span: if self.in_model { Span::default() } else { self.span },
                    ..Function::without_body(unique, FunctionKind::External, ty)
                });
                if !internal {
                    self.link(name, Symbol::Function(id));
                }
                if self.in_model {
                    self.model_names.insert(name.to_owned(), id);
                    self.model_functions.insert(id);
                }
                self.scopes[0].names.insert(name.to_owned(), Symbol::Function(id));
                self.global_names.insert(name.to_owned());
                id
            }
        };
        if self.scopes.len() > 1 {
            self.bind(name, Symbol::Function(id));
        }
        Ok(id)
    }

    /// Several declarations of one name must agree; K&R and unprototyped ones agree with much.
    fn check_redeclaration(&mut self, name: &str, (old, before): (TypeId, Span), new: TypeId) -> Result<()> {
        let (old, new) = (self.types.erased(old), self.types.erased(new));
        if !self.in_model && !self.types.compatible(old, new) {
            return Err(Diagnostic::error(self.span, format!("`{name}` is declared again with another type"))
                .elsewhere(before, "the other declaration"));
        }
        Ok(())
    }

    /// Variables, and elements of arrays, are const or atomic in all declarations or in none.
    fn same_qualifiers(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.types;
        let of = |ty: TypeId| (types.is_atomic(ty), types.is_const(ty));
        match (types.element(a), types.element(b)) {
            (Some(a), Some(b)) => self.same_qualifiers(a, b),
            _ => of(a) == of(b),
        }
    }

    fn declare_global(
        &mut self,
        name: &str,
        ty: TypeId,
        specs: &ast::Specs,
        init: &ast::InitDeclarator,
    ) -> Result<GlobalId> {
        let internal = specs.storage == Some(Storage::Static);
        let here = self.scopes[0].names.get(name).copied();
        let elsewhere = || self.linked(name).filter(|_| !internal);
        let existing = match here.or_else(elsewhere) {
            Some(Symbol::Global(id)) => Some(id),
            Some(_) => return self.error(format!("`{name}` is already something else than a variable")),
            None => None,
        };
        let id = existing.unwrap_or_else(|| self.new_global((name, internal), ty, specs.thread_local));
        if existing.is_none() && !internal {
            self.link(name, Symbol::Global(id));
        }
        let Global { ty: old, span, thread_local, .. } = self.globals[id.0 as usize];
        self.check_redeclaration(name, (old, span), ty)?;
        if !self.in_model && !self.same_qualifiers(old, ty) {
            return Err(Diagnostic::error(self.span, format!("`{name}` is declared again with other qualifiers"))
                .elsewhere(span, "the other declaration"));
        }
        if thread_local != specs.thread_local && !self.in_model {
            return Err(Diagnostic::error(self.span, format!("`{name}` is thread-local only in some declarations"))
                .elsewhere(span, "the other declaration"));
        }
        let defines = specs.storage != Some(Storage::Extern) || init.init.is_some();
        let mut attributes = specs.attributes.iter().chain(&init.declarator.attributes);
        let weak = attributes.any(|attribute| attribute.name == "weak");
        let defined = existing.is_some() && !self.globals[id.0 as usize].external;
        let makes_way = defines && !self.defines_variable(id, (weak, defined));
        let global = &mut self.globals[id.0 as usize];
        if existing.is_none() {
            global.external = true;
        }
        if specs.storage != Some(Storage::Extern) || init.init.is_some() {
            global.external = false;
        }
        global.internal |= internal;
        let old = global.ty;
        if matches!(self.types.get(old), Type::OpenArray(_)) || !self.types.is_complete(old) {
            self.globals[id.0 as usize].ty = ty;
        }
        self.bind(name, Symbol::Global(id));
        if self.scopes.len() > 1 {
            self.scopes[0].names.insert(name.to_owned(), Symbol::Global(id));
        }
        if let Some(initializer) = init.init.as_ref().filter(|_| !makes_way) {
            if self.initializers.contains_key(&id) {
                return Err(Diagnostic::error(self.span, format!("`{name}` is initialized twice"))
                    .elsewhere(span, "another declaration"));
            }
            self.initializes(id);
            // The length of `int a[] = {...}` is needed as soon as the name can be used.
            if matches!(self.types.get(ty), Type::OpenArray(_)) {
                self.globals[id.0 as usize].ty = self.completed_array(ty, initializer)?;
            }
            self.initializers.insert(id, initializer.clone());
        }
        Ok(id)
    }

    pub(super) fn new_global(&mut self, (name, internal): (&str, bool), ty: TypeId, thread_local: bool) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        let name = self.free_name(name, internal);
        self.globals.push(Global {
            name,
            ty,
            init: Vec::new(),
            thread_local,
            align: 0,
            external: false,
            internal: internal || self.in_model,
            library: false,
            model: self.in_model,
            span: if self.in_model { Span::default() } else { self.span },
        });
        id
    }

    pub(super) fn lower_initializer(&mut self, id: GlobalId) -> Result<()> {
        let global = &self.globals[id.0 as usize];
        let (ty, model) = (global.ty, global.model || global.library);
        if let Type::OpenArray(element) = *self.types.get(ty) {
            // A tentative definition `int a[];` has one element (C11 6.9.2).
            if !self.globals[id.0 as usize].external {
                self.globals[id.0 as usize].ty = self.types.intern(Type::Array(element, 1));
            }
        } else if !self.types.is_complete(ty) && !self.globals[id.0 as usize].external {
            return Err(Diagnostic::error(self.globals[id.0 as usize].span, "this variable has an incomplete type"));
        }
        let Some(initializer) = self.initializers.remove(&id) else { return Ok(()) };
        let ty = self.globals[id.0 as usize].ty;
        let saved_body = self.body.replace(Body::outside());
        let saved_code = std::mem::take(&mut self.code);
        let parts = if model {
            let scope = self.model_scope.take().expect("models are loaded");
            self.with_model_scope(scope, |lowerer| lowerer.constant_initializer(ty, &initializer))
        } else {
            // Initializers at file scope see file scope; static locals were lowered at their place.
            self.in_unit_of_global(id, |lowerer| lowerer.constant_initializer(ty, &initializer))
        };
        self.body = saved_body;
        self.code = saved_code;
        self.globals[id.0 as usize].init = parts?;
        Ok(())
    }

    // ---- declarations inside functions ----

    pub(super) fn local_declaration(&mut self, declaration: &Declaration) -> Result<()> {
        let (specs, declarators, span) = match declaration {
            Declaration::StaticAssert { condition, message, span } => {
                return self.static_assert(condition, message, *span);
            }
            Declaration::Variables { specs, declarators, span } => (specs, declarators, *span),
        };
        self.set_span(span);
        if matches!(specs.ty, TypeSpec::AutoType) {
            return declarators.iter().try_for_each(|init| self.auto_type_declaration(init));
        }
        self.redeclare_tag(specs, declarators.is_empty());
        let (base, base_align) = self.base_type(specs)?;
        for init in declarators {
            self.set_span(init.declarator.span);
            let name = init.declarator.name.as_deref().unwrap_or("");
            if specs.attributes.iter().chain(&init.declarator.attributes).any(|attribute| attribute.name == "cleanup") {
                return self.unsupported("the attribute `cleanup`");
            }
            let ty = self.declared_type(base, &init.declarator)?;
            match specs.storage {
                Some(Storage::Typedef) => {
                    let align = base_align.max(self.alignment(&init.declarator.attributes, &[])?);
                    self.name_record(ty, name);
                    self.bind(name, Symbol::Typedef(ty, align));
                }
                _ if matches!(self.types.get(ty), Type::Function(_)) => {
                    self.declare_function(name, ty, false)?;
                }
                Some(Storage::Extern) => {
                    self.declare_global(name, ty, specs, init)?;
                }
                Some(Storage::Static) => {
                    let align = base_align.max(self.alignment(&init.declarator.attributes, &[])?);
                    self.static_local(name, ty, align, specs, init)?;
                }
                _ if specs.thread_local => return self.error("a thread-local variable must be static or extern here"),
                Some(Storage::Auto | Storage::Register) | None => {
                    let align = base_align.max(self.alignment(&init.declarator.attributes, &[])?);
                    self.local_variable(name, ty, align, init.init.as_ref())?;
                }
            }
        }
        Ok(())
    }

    /// `struct tag;` alone declares a new type, even where an outer scope has one of that tag (C11 6.7.2.3).
    fn redeclare_tag(&mut self, specs: &ast::Specs, alone: bool) {
        if let TypeSpec::Record(spec @ ast::RecordSpec { tag: Some(tag), members: None, .. }) = &specs.ty
            && alone
            && !self.scopes.last().is_some_and(|scope| scope.tags.contains_key(tag))
        {
            self.new_record(spec);
        }
    }

    /// `__auto_type x = value;`
    fn auto_type_declaration(&mut self, init: &ast::InitDeclarator) -> Result<()> {
        let Some(ast::Initializer::Expr(value)) = &init.init else {
            return self.error("`__auto_type` needs an initializer");
        };
        let value = self.expr(value)?;
        let ty = self.types.unqualified(value.ty);
        let id = self.new_local(init.declarator.name.as_deref().unwrap_or("auto"), ty);
        self.bind(init.declarator.name.as_deref().unwrap_or(""), Symbol::Local(id));
        self.emit(StmtKind::Declare(id));
        self.store(Place::local(id, ty), value)
    }

    fn static_local(
        &mut self,
        name: &str,
        ty: TypeId,
        align: u64,
        specs: &ast::Specs,
        init: &ast::InitDeclarator,
    ) -> Result<()> {
        let function = self.body.as_ref().map_or(String::new(), |body| self.functions[body.id.0 as usize].name.clone());
        let id = self.new_global((&format!("{function}_{name}"), true), ty, specs.thread_local);
        self.globals[id.0 as usize].align = align;
        self.bind(name, Symbol::Global(id));
        if let Some(initializer) = &init.init {
            if matches!(self.types.get(ty), Type::OpenArray(_)) {
                self.globals[id.0 as usize].ty = self.completed_array(ty, initializer)?;
            }
            let ty = self.globals[id.0 as usize].ty;
            let parts = self.constant_initializer(ty, initializer)?;
            self.globals[id.0 as usize].init = parts;
        }
        Ok(())
    }

    fn local_variable(&mut self, name: &str, ty: TypeId, align: u64, init: Option<&ast::Initializer>) -> Result<()> {
        if self.scopes.last().is_some_and(|scope| matches!(scope.names.get(name), Some(Symbol::Local(_)))) {
            return self.error(format!("`{name}` is declared twice in one block"));
        }
        if let Type::VariableArray { .. } = self.types.get(ty) {
            if init.is_some() {
                return self.error("a variable length array cannot have an initializer");
            }
            return self.variable_array_local(name, ty);
        }
        let ty = match init {
            Some(init) if matches!(self.types.get(ty), Type::OpenArray(_)) => self.completed_array(ty, init)?,
            _ => ty,
        };
        if !self.types.is_complete(ty) {
            return self.error(format!("`{name}` has an incomplete type"));
        }
        let id = self.new_local(name, ty);
        self.body().locals[id.0 as usize].align = align;
        self.bind(name, Symbol::Local(id));
        self.emit(StmtKind::Declare(id));
        match init {
            Some(init) => self.initialize(Place::local(id, ty), init),
            None => Ok(()),
        }
    }

    /// `int a[n];` becomes a pointer to memory of the function's frame.
    fn variable_array_local(&mut self, name: &str, ty: TypeId) -> Result<()> {
        let element = self.fixed_element(ty);
        let pointer = self.types.pointer(element);
        let id = self.new_local(name, pointer);
        self.bind(name, Symbol::Local(id));
        self.emit(StmtKind::Declare(id));
        let function = self.body().id;
        self.variable_arrays.insert((function, id), ty);
        let size = self.size_of(ty);
        let alloca = self.builtin_function("__builtin_alloca")?;
        let void = self.types.void();
        let void_pointer = self.types.pointer(void);
        let memory = self.new_temp(void_pointer);
        self.emit(StmtKind::Call { to: Some(memory.clone()), callee: Callee::Function(alloca), args: vec![size] });
        let value = self.convert(Expr::load(memory), pointer);
        self.assign(Place::local(id, pointer), value);
        Ok(())
    }

    // ---- function bodies ----

    pub(super) fn lower_function(&mut self, id: FunctionId) -> Result<()> {
        let definition = self.definitions[&id].clone();
        if matches!(self.functions[id.0 as usize].kind, FunctionKind::Model) {
            let mut attributes = definition.specs.attributes.iter();
            self.functions[id.0 as usize].does = attributes.find_map(|named| ObjectAction::of_attribute(&named.name));
            let scope = self.model_scope.take().expect("models are loaded");
            let lowered = self.with_model_scope(scope, |lowerer| {
                lowerer.name_declared_types(id);
                lowerer.lower_body(id, &definition)
            });
            lowered.expect("models should lower");
            return Ok(());
        }
        self.functions[id.0 as usize].kind = FunctionKind::Defined;
        self.functions[id.0 as usize].atomic = self.functions[id.0 as usize].name.starts_with("__VERIFIER_atomic_");
        self.in_unit_of_function(id, |lowerer| lowerer.lower_body(id, &definition))
    }

    /// The result and the first parameter of a model may have the types of the user's declaration.
    fn name_declared_types(&mut self, id: FunctionId) {
        let Some(declared) = self.types.function_type(self.function(id).ty).cloned() else { return };
        self.scopes.push(Scope::default());
        self.bind("ut_result", Symbol::Typedef(declared.result, 0));
        if let Some(first) = declared.params.first() {
            self.bind("ut_argument", Symbol::Typedef(*first, 0));
        }
    }

    fn lower_body(&mut self, id: FunctionId, definition: &Rc<ast::FunctionDef>) -> Result<()> {
        self.set_span(definition.span);
        let (base, _) = self.base_type(&definition.specs)?;
        let ty = self.declared_type(base, &definition.declarator)?;
        let ty = self.with_kr_parameters(ty, definition)?;
        let function_type = self.types.function_type(ty).expect("a definition has a function type").clone();
        self.body = Some(Body::new(id, function_type.result, definition.address_taken.clone()));
        self.code = Vec::new();
        self.scopes.push(Scope::default());
        let params = self.parameters(definition, &function_type)?;
        if self.linked("main").is_some_and(|main| matches!(main, Symbol::Function(main) if main == id)) {
            self.begin_process()?;
        }
        for item in &definition.body {
            self.block_item(item)?;
        }
        self.set_span(definition.end);
        self.finish_function(id);
        self.scopes.pop();
        let body = self.body.replace(Body::outside()).expect("the body was being lowered");
        for (label, span) in &body.goto_spans {
            if !body.defined_labels.contains(label) {
                let name = &body.labels[label.0 as usize];
                return Err(Diagnostic::error(*span, format!("there is no label `{name}` in this function")));
            }
        }
        let function = &mut self.functions[id.0 as usize];
        function.params = params;
        function.locals = body.locals;
        function.labels = body.labels;
        function.body = std::mem::take(&mut self.code);
        Ok(())
    }

    /// What runs before `main`: constructors, those of low priority first. Destructors are like handlers that atexit() was given
    /// before all others.
    fn begin_process(&mut self) -> Result<()> {
        let (mut constructors, mut destructors) = (self.constructors.clone(), self.destructors.clone());
        constructors.sort_by_key(|(priority, _)| *priority);
        destructors.sort_by_key(|(priority, _)| *priority);
        for (_, id) in destructors {
            self.use_function(id, self.span)?;
            let register = self.model_function("atexit").expect("the models have it");
            self.use_function(register, self.span)?;
            self.at_exit = self.use_hook("ut_run_exit_handlers");
            let ty = self.function(id).ty;
            let pointer = self.types.pointer(ty);
            let handler = Expr { kind: ExprKind::Function(id), ty: pointer };
            let params = self.types.function_type(self.function(register).ty).map(|ty| ty.params.clone());
            let wanted = params.and_then(|params| params.first().copied()).unwrap_or(pointer);
            let handler = self.convert(handler, wanted);
            self.emit(StmtKind::Call { to: None, callee: Callee::Function(register), args: vec![handler] });
        }
        for (_, id) in constructors {
            self.use_function(id, self.span)?;
            self.emit(StmtKind::Call { to: None, callee: Callee::Function(id), args: Vec::new() });
        }
        Ok(())
    }

    fn parameters(&mut self, definition: &ast::FunctionDef, function_type: &FunctionType) -> Result<Vec<LocalId>> {
        let Some(Derived::Function { params, identifiers, .. }) = definition.declarator.derived.first() else {
            unreachable!("a definition should have a parameter list");
        };
        let mut ids = Vec::new();
        for ((name, _), ty) in identifiers.iter().zip(&function_type.params) {
            let id = self.new_local(name, *ty);
            self.bind(name, Symbol::Local(id));
            ids.push(id);
        }
        // First all slots, then the types: lengths of array parameters compute into locals after them.
        let first = ids.len();
        for (param, ty) in params.iter().zip(&function_type.params) {
            let name = param.declarator.name.as_deref();
            ids.push(self.new_local(name.unwrap_or("unused"), *ty));
        }
        for (index, param) in params.iter().enumerate().take(function_type.params.len()) {
            let id = ids[first + index];
            if !self.types.is_complete(function_type.params[index]) {
                return Err(Diagnostic::error(param.span, "a parameter of incomplete type"));
            }
            if let Some(name) = &param.declarator.name {
                if self.scopes.last().is_some_and(|scope| scope.names.contains_key(name)) {
                    return Err(Diagnostic::error(param.span, format!("two parameters are called `{name}`")));
                }
                self.bind(name, Symbol::Local(id));
            }
            // The length of an array parameter is computed, though nobody needs it.
            if let Some(Derived::Array { size: Some(size), .. }) = param.declarator.derived.first() {
                self.discard(size)?;
            }
            let mentions_variable_array =
                param.declarator.derived.iter().filter(|derived| matches!(derived, Derived::Array { .. })).count() > 1
                    || matches!(param.declarator.derived[..], [Derived::Pointer(_), Derived::Array { .. }, ..]);
            if mentions_variable_array {
                let (base, _) = self.base_type(&param.specs)?;
                let declared = self.declared_type(base, &param.declarator)?;
                let element = self.types.element(declared).or(self.types.pointee(declared));
                if let Some(element) = element
                    && matches!(self.types.get(element), Type::VariableArray { .. })
                {
                    let pointer = self.types.pointer(element);
                    let function = self.body().id;
                    self.variable_arrays.insert((function, id), pointer);
                }
            }
        }
        Ok(ids)
    }

    /// `main` returns 0 at its end (C11 5.1.2.2.3); labels at the end need a statement anyway.
    fn finish_function(&mut self, id: FunctionId) {
        let ends_in_return = matches!(self.code.last(), Some(Stmt { kind: StmtKind::Return(_), .. }));
        if self.functions[id.0 as usize].name == "main" && !ends_in_return {
            // Explicit even in a `void main`: the end of the process is a step that other threads can tell.
            let result = self.body().result;
            let zero = self.types.int_kind(result).map(|_| Expr { kind: ExprKind::Int(0), ty: result });
            self.emit(StmtKind::Return(zero));
        }
    }

    pub(super) fn set_span(&mut self, span: Span) {
        if !self.in_model {
            self.span = span;
        }
    }
}
