//! Tokens -> syntax tree. Recursive descent, one function per production of C11 annex A, GNU extensions included.
//!
//! Written by hand: the `lang-c` crate was tried first and cannot carry us. It rejects `a ?: b`, `f() {}`,
//! `__alignof__ expr`, `__builtin_types_compatible_p`, `sizeof (int){1}`, `__label__`, statement attributes, attributes
//! on both sides of a struct, `_Alignas` on members and `\e`; its messages list raw grammar tokens.

use super::ast::*;
use super::constant::{char_constant, float_constant, int_constant, string_constant};
use super::lex::{Kind, Lexed, PackEvent, Token};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::source::Source;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Trees deeper than this are refused, so that no later recursion can exhaust the stack.
const MAX_DEPTH: usize = 8000;

pub fn parse(source: &Source, lexed: &Lexed) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    let texts = lexed.tokens.split_inclusive(|token| token.kind == Kind::Eof);
    // Before the first directive that begins a unit there is nothing.
    for tokens in texts.filter(|tokens| tokens.len() > 1) {
        units.push(parse_unit(source, tokens, &lexed.packs)?);
    }
    Ok(units)
}

fn parse_unit(source: &Source, tokens: &[Token], packs: &[PackEvent]) -> Result<Unit> {
    let mut parser = Parser {
        source,
        tokens,
        packs,
        at: 0,
        depth: 0,
        scopes: vec![FxHashMap::default()],
        address_taken: FxHashSet::default(),
        tags: FxHashMap::default(),
    };
    let mut externals = Vec::new();
    while parser.kind() != Kind::Eof {
        if parser.eat(";") {
            continue;
        }
        parser.external(&mut externals)?;
    }
    Ok(Unit { externals, tags: parser.tags })
}

struct Parser<'t> {
    source: &'t Source,
    tokens: &'t [Token],
    packs: &'t [PackEvent],
    at: usize,
    depth: usize,
    /// For each open scope: is this name a typedef (true) or something else (false)?
    scopes: Vec<FxHashMap<&'t str, bool>>,
    /// Names behind a unary `&` in the function being read.
    address_taken: FxHashSet<String>,
    /// The structs and unions that are defined at file scope, with what their definitions look like.
    tags: FxHashMap<String, u64>,
}

impl<'t> Parser<'t> {
    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn peek(&self, ahead: usize) -> Kind {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn text(&self) -> &'t str {
        self.source.slice(self.span())
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::Eof {
            self.at += 1;
        }
        token
    }

    fn is(&self, spelling: &str) -> bool {
        matches!(self.kind(), Kind::Punct(p) | Kind::Keyword(p) if p == spelling)
    }

    fn peek_is(&self, ahead: usize, spelling: &str) -> bool {
        matches!(self.peek(ahead), Kind::Punct(p) | Kind::Keyword(p) if p == spelling)
    }

    fn eat(&mut self, spelling: &str) -> bool {
        let found = self.is(spelling);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, spelling: &str, context: &str) -> Result<Span> {
        let span = self.span();
        if self.eat(spelling) {
            return Ok(span);
        }
        Err(self.unexpected(&format!("`{spelling}` {context}")))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        if self.kind() == Kind::Eof {
            let end = self.source.text.trim_end().len();
            return Diagnostic::error(
                Span::new(end.saturating_sub(1), end),
                format!("the file ends here, but {wanted} should follow"),
            );
        }
        let found = self.text();
        // A missing `;` is best shown where it is missing: after the token before.
        Diagnostic::error(self.span(), format!("expected {wanted}, found `{found}`"))
    }

    fn ident(&mut self, context: &str) -> Result<&'t str> {
        if self.kind() == Kind::Ident {
            let text = self.text();
            self.at += 1;
            return Ok(text);
        }
        Err(self.unexpected(context))
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::unsupported(self.span(), format!("more than {MAX_DEPTH} levels of nesting")));
        }
        Ok(())
    }

    fn declare(&mut self, name: &'t str, is_typedef: bool) {
        self.scopes.last_mut().expect("a scope is always open").insert(name, is_typedef);
    }

    fn declare_declarator(&mut self, declarator: &Declarator, is_typedef: bool) {
        if declarator.name.is_some() {
            let source = self.source;
            self.declare(source.slice(declarator.name_span), is_typedef);
        }
    }

    fn is_typedef_name(&self, name: &str) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied().unwrap_or(false)
    }

    fn starts_type(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Kind::Keyword(keyword) => matches!(
                keyword,
                "void"
                    | "__attribute__"
                    | "char"
                    | "short"
                    | "int"
                    | "long"
                    | "float"
                    | "double"
                    | "signed"
                    | "unsigned"
                    | "_Bool"
                    | "_Complex"
                    | "struct"
                    | "union"
                    | "enum"
                    | "typeof"
                    | "_Atomic"
                    | "const"
                    | "volatile"
                    | "restrict"
                    | "__auto_type"
                    | "__builtin_va_list"
                    | "__int128"
                    | "_Float16"
                    | "_Float32"
                    | "_Float64"
                    | "_Float128"
                    | "_Float32x"
                    | "_Float64x"
                    | "_Decimal32"
                    | "_Decimal64"
                    | "_Decimal128"
                    | "_Alignas"
            ),
            Kind::Ident => {
                let span = self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].span;
                self.is_typedef_name(self.source.slice(span))
            }
            _ => false,
        }
    }

    fn starts_declaration(&self) -> bool {
        if self.starts_type(0) {
            // `name:` is a label even where `name` is a typedef.
            return !(self.kind() == Kind::Ident && self.peek_is(1, ":"));
        }
        match self.kind() {
            Kind::Keyword(keyword) => matches!(
                keyword,
                "typedef"
                    | "extern"
                    | "static"
                    | "auto"
                    | "register"
                    | "inline"
                    | "_Noreturn"
                    | "_Thread_local"
                    | "_Static_assert"
            ),
            _ => false,
        }
    }

    // ---- external declarations (C11 6.9) ----

    /// external-declaration: function-definition | declaration
    fn external(&mut self, unit: &mut Vec<External>) -> Result<()> {
        if self.is("[") {
            self.attributes(&mut Vec::new())?;
        }
        let start = self.span();
        while self.eat("__extension__") {}
        if self.is("asm") {
            self.advance();
            return Err(Diagnostic::unsupported(start, "assembly outside functions"));
        }
        if self.is("_Static_assert") {
            unit.push(External::Declaration(self.static_assert()?));
            return Ok(());
        }
        let specs = self.specifiers(true)?;
        if self.eat(";") {
            unit.push(External::Declaration(Declaration::Variables { specs, declarators: Vec::new(), span: start }));
            return Ok(());
        }
        let declarator = self.declarator(false)?;
        let is_function = matches!(declarator.derived.first(), Some(Derived::Function { .. }));
        if is_function && (self.is("{") || self.starts_declaration()) && !self.is("_Static_assert") {
            unit.push(External::Function(std::rc::Rc::new(self.function_definition(start, specs, declarator)?)));
            return Ok(());
        }
        if matches!(specs.ty, TypeSpec::Missing) && !is_function && specs.storage.is_none() {
            let message = match self.source.slice(specs.span) {
                "" => format!("`{}` is not a type", declarator.name.as_deref().unwrap_or("this")),
                text => format!("expected a declaration, found `{text}`"),
            };
            return Err(Diagnostic::error(start, message).note("a declaration starts with a type"));
        }
        let declaration = self.rest_of_declaration(start, specs, Some(declarator))?;
        unit.push(External::Declaration(declaration));
        Ok(())
    }

    fn function_definition(&mut self, start: Span, specs: Specs, declarator: Declarator) -> Result<FunctionDef> {
        self.declare_declarator(&declarator, false);
        self.scopes.push(FxHashMap::default());
        if let Some(Derived::Function { params, .. }) = declarator.derived.first() {
            for param in params {
                self.declare_declarator(&param.declarator, false);
            }
        }
        let mut declarations = Vec::new();
        while !self.is("{") {
            if self.kind() == Kind::Eof {
                return Err(self.unexpected("`{` and the body of the function"));
            }
            declarations.push(self.declaration()?);
        }
        let (body, end) = self.compound_items()?;
        self.scopes.pop();
        let address_taken = std::rc::Rc::new(std::mem::take(&mut self.address_taken));
        Ok(FunctionDef { specs, declarator, declarations, body, address_taken, span: start, end })
    }

    // ---- declarations (C11 6.7) ----

    /// declaration: declaration-specifiers init-declarator-list? ;  |  static_assert-declaration
    fn declaration(&mut self) -> Result<Declaration> {
        let start = self.span();
        while self.eat("__extension__") {}
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        let specs = self.specifiers(true)?;
        self.rest_of_declaration(start, specs, None)
    }

    fn rest_of_declaration(&mut self, start: Span, specs: Specs, first: Option<Declarator>) -> Result<Declaration> {
        let is_typedef = specs.storage == Some(Storage::Typedef);
        let mut declarators = Vec::new();
        let mut pending = first;
        if pending.is_some() || !self.is(";") {
            loop {
                let mut declarator = match pending.take() {
                    Some(declarator) => declarator,
                    None => self.declarator(false)?,
                };
                self.asm_label_and_attributes(&mut declarator.attributes)?;
                self.declare_declarator(&declarator, is_typedef);
                if self.is("{") && matches!(declarator.derived.first(), Some(Derived::Function { .. })) {
                    return Err(Diagnostic::unsupported(self.span(), "a function defined inside a function"));
                }
                let init = if self.eat("=") { Some(self.initializer()?) } else { None };
                declarators.push(InitDeclarator { declarator, init });
                if !self.eat(",") {
                    break;
                }
                let mut ignored = Vec::new();
                self.attributes(&mut ignored)?;
            }
        }
        self.expect(";", "after the declaration")?;
        Ok(Declaration::Variables { specs, declarators, span: start.to(self.previous_span()) })
    }

    fn asm_label_and_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Result<()> {
        loop {
            if self.is("asm") {
                self.advance();
                self.expect("(", "after `asm`")?;
                let (span, label) = (self.span(), self.asm_text().replace('"', ""));
                let units = label.chars().map(u32::from).collect();
                let label = Expr { kind: ExprKind::Str { units, width: CharWidth::Char }, span };
                attributes.push(Attribute { name: ASM_LABEL.to_owned(), arguments: vec![label] });
                self.expect(")", "after the assembler name")?;
            } else if self.is("__attribute__") {
                self.attributes(attributes)?;
            } else {
                return Ok(());
            }
        }
    }

    /// static_assert-declaration: _Static_assert ( constant-expression , string-literal ) ;
    fn static_assert(&mut self) -> Result<Declaration> {
        let start = self.span();
        self.advance();
        self.expect("(", "after `_Static_assert`")?;
        let condition = self.conditional()?;
        let mut message = String::new();
        if self.eat(",") {
            if self.kind() != Kind::Str {
                return Err(self.unexpected("a string"));
            }
            while self.kind() == Kind::Str {
                message.push_str(self.text().trim_matches('"'));
                self.advance();
            }
        }
        self.expect(")", "after the static assertion")?;
        self.expect(";", "after the static assertion")?;
        Ok(Declaration::StaticAssert { condition, message, span: start })
    }

    /// declaration-specifiers, or specifier-qualifier-list where `storage_allowed` is false
    fn specifiers(&mut self, storage_allowed: bool) -> Result<Specs> {
        let start = self.span();
        let mut specs = Specs {
            storage: None,
            thread_local: false,
            inline: false,
            ty: TypeSpec::Missing,
            qualifiers: Qualifiers::default(),
            alignas: Vec::new(),
            attributes: Vec::new(),
            span: start,
        };
        let mut arithmetic = Arithmetic::default();
        let mut any_arithmetic = false;
        loop {
            let span = self.span();
            let keyword = match self.kind() {
                Kind::Keyword(keyword) => keyword,
                Kind::Ident
                    if !any_arithmetic
                        && matches!(specs.ty, TypeSpec::Missing)
                        && self.is_typedef_name(self.text()) =>
                {
                    specs.ty = TypeSpec::Named(self.text().to_owned());
                    self.advance();
                    continue;
                }
                _ => break,
            };
            let storage = match keyword {
                "typedef" => Some(Storage::Typedef),
                "extern" => Some(Storage::Extern),
                "static" => Some(Storage::Static),
                "auto" => Some(Storage::Auto),
                "register" => Some(Storage::Register),
                _ => None,
            };
            if let Some(storage) = storage {
                if !storage_allowed && storage != Storage::Register {
                    return Err(Diagnostic::error(span, format!("`{keyword}` has no meaning here")));
                }
                if specs.storage.is_some_and(|other| other != storage) {
                    return Err(Diagnostic::error(span, "a declaration has one storage class at most"));
                }
                specs.storage = Some(storage);
                self.advance();
                continue;
            }
            let complete = match keyword {
                "const" => {
                    specs.qualifiers.constant = true;
                    self.advance();
                    continue;
                }
                "volatile" => {
                    specs.qualifiers.volatile = true;
                    self.advance();
                    continue;
                }
                "restrict" | "_Noreturn" | "__extension__" => {
                    self.advance();
                    continue;
                }
                "inline" => {
                    specs.inline = true;
                    self.advance();
                    continue;
                }
                "_Thread_local" => {
                    specs.thread_local = true;
                    self.advance();
                    continue;
                }
                "__attribute__" => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                "_Alignas" => {
                    self.advance();
                    self.expect("(", "after `_Alignas`")?;
                    specs.alignas.push(if self.starts_type(0) {
                        Alignment::Type(Box::new(self.type_name()?))
                    } else {
                        Alignment::Value(self.conditional()?)
                    });
                    self.expect(")", "after the alignment")?;
                    continue;
                }
                "_Atomic" => {
                    self.advance();
                    if !self.is("(") {
                        specs.qualifiers.atomic = true;
                        continue;
                    }
                    self.advance();
                    let inner = self.type_name()?;
                    self.expect(")", "after the type of `_Atomic`")?;
                    Some(TypeSpec::Atomic(Box::new(inner)))
                }
                "struct" | "union" => Some(self.record_specifier()?),
                "enum" => Some(self.enum_specifier()?),
                "typeof" => Some(self.typeof_specifier()?),
                "__auto_type" => self.single(TypeSpec::AutoType),
                "__builtin_va_list" => self.single(TypeSpec::VaList),
                "__int128" => self.single(TypeSpec::Unsupported("the type __int128")),
                "_Float16" => self.single(TypeSpec::Unsupported("the type _Float16")),
                "_Float128" => self.single(TypeSpec::Unsupported("the type _Float128")),
                "_Float64x" => self.single(TypeSpec::Unsupported("the type _Float64x")),
                "_Decimal32" | "_Decimal64" | "_Decimal128" => {
                    self.single(TypeSpec::Unsupported("decimal floating point"))
                }
                "_Complex" => {
                    // `_Complex double`: the words around it do not matter any more.
                    self.advance();
                    while matches!(self.kind(), Kind::Keyword("float" | "double" | "long")) {
                        self.advance();
                    }
                    any_arithmetic = false;
                    Some(TypeSpec::Unsupported("complex numbers"))
                }
                "_Float32" => {
                    self.advance();
                    Some(TypeSpec::Arithmetic(Arithmetic { float: true, ..Arithmetic::default() }))
                }
                "_Float64" | "_Float32x" => {
                    self.advance();
                    Some(TypeSpec::Arithmetic(Arithmetic { double: true, ..Arithmetic::default() }))
                }
                _ => None,
            };
            if let Some(ty) = complete {
                let int128_sign = matches!(ty, TypeSpec::Unsupported(_));
                if (any_arithmetic || !matches!(specs.ty, TypeSpec::Missing)) && !int128_sign {
                    return Err(Diagnostic::error(span, "a second type in one declaration"));
                }
                any_arithmetic = false;
                specs.ty = ty;
                continue;
            }
            let doubled = match keyword {
                "void" => std::mem::replace(&mut arithmetic.void, true),
                "_Bool" => std::mem::replace(&mut arithmetic.bool_, true),
                "char" => std::mem::replace(&mut arithmetic.char_, true),
                "short" => std::mem::replace(&mut arithmetic.short, true),
                "int" => std::mem::replace(&mut arithmetic.int, true),
                "float" => std::mem::replace(&mut arithmetic.float, true),
                "double" => std::mem::replace(&mut arithmetic.double, true),
                "signed" => {
                    arithmetic.signed = true;
                    false
                }
                "unsigned" => {
                    arithmetic.unsigned = true;
                    false
                }
                "long" => {
                    arithmetic.long += 1;
                    arithmetic.long > 2
                }
                _ => break,
            };
            if doubled || !matches!(specs.ty, TypeSpec::Missing | TypeSpec::Unsupported(_)) {
                return Err(Diagnostic::error(span, format!("`{keyword}` does not fit the type before it")));
            }
            any_arithmetic = matches!(specs.ty, TypeSpec::Missing);
            self.advance();
        }
        if any_arithmetic {
            specs.ty = TypeSpec::Arithmetic(arithmetic);
        }
        specs.span = if self.span() == start {
            Span { start: start.start, end: start.start }
        } else {
            start.to(self.previous_span())
        };
        Ok(specs)
    }

    fn single(&mut self, ty: TypeSpec) -> Option<TypeSpec> {
        self.advance();
        Some(ty)
    }

    /// typeof ( expression | type-name )
    fn typeof_specifier(&mut self) -> Result<TypeSpec> {
        self.advance();
        self.expect("(", "after `typeof`")?;
        let ty = if self.starts_type(0) {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expression()?))
        };
        self.expect(")", "after the operand of `typeof`")?;
        Ok(ty)
    }

    /// struct-or-union-specifier (C11 6.7.2.1), with attributes before the tag and after the brace
    fn record_specifier(&mut self) -> Result<TypeSpec> {
        let span = self.span();
        let union = self.is("union");
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = if self.kind() == Kind::Ident {
            let tag = self.text().to_owned();
            self.advance();
            Some(tag)
        } else {
            None
        };
        let pack_at = self.packs.partition_point(|event| event.0 <= self.span().start);
        let pack = pack_at.checked_sub(1).map_or(0, |last| self.packs[last].1);
        let (mut members, mut looks) = (None, 0);
        if self.is("{") {
            let first = self.at;
            self.deeper()?;
            self.advance();
            let mut list = Vec::new();
            while !self.is("}") {
                if self.eat(";") {
                    continue;
                }
                if self.is("_Static_assert") {
                    self.static_assert()?;
                    continue;
                }
                list.push(self.member_declaration()?);
            }
            self.advance();
            self.attributes(&mut attributes)?;
            self.depth -= 1;
            members = Some(list);
            let mut hasher = FxHasher::default();
            self.tokens[first..self.at].iter().for_each(|token| self.source.slice(token.span).hash(&mut hasher));
            if tag.is_none() {
                self.source.location(span).to_string().hash(&mut hasher);
            }
            looks = hasher.finish();
            if let (Some(tag), 1) = (&tag, self.scopes.len()) {
                self.tags.insert(tag.clone(), looks);
            }
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(TypeSpec::Record(RecordSpec { union, tag, members, attributes, pack, looks, span }))
    }

    /// struct-declaration: specifier-qualifier-list struct-declarator-list? ;
    fn member_declaration(&mut self) -> Result<MemberDecl> {
        let start = self.span();
        let specs = self.specifiers(false)?;
        if matches!(specs.ty, TypeSpec::Missing) {
            return Err(self.unexpected("the type of a member"));
        }
        let mut declarators = Vec::new();
        if !self.is(";") {
            loop {
                let mut declarator = if self.is(":") {
                    Declarator {
                        name: None,
                        derived: Vec::new(),
                        attributes: Vec::new(),
                        name_span: self.span(),
                        span: self.span(),
                    }
                } else {
                    self.declarator(false)?
                };
                let width = if self.eat(":") { Some(self.conditional()?) } else { None };
                self.attributes(&mut declarator.attributes)?;
                declarators.push((declarator, width));
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect(";", "after the member")?;
        Ok(MemberDecl { specs, declarators, span: start.to(self.previous_span()) })
    }

    /// enum-specifier (C11 6.7.2.2)
    fn enum_specifier(&mut self) -> Result<TypeSpec> {
        let span = self.span();
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = if self.kind() == Kind::Ident {
            let tag = self.text().to_owned();
            self.advance();
            Some(tag)
        } else {
            None
        };
        let mut enumerators = None;
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.is("}") {
                let span = self.span();
                let name = self.ident("the name of an enumerator")?;
                let mut ignored = Vec::new();
                self.attributes(&mut ignored)?;
                let value = if self.eat("=") { Some(self.conditional()?) } else { None };
                self.declare(name, false);
                list.push((name.to_owned(), value, span));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}", "after the enumerators")?;
            self.attributes(&mut attributes)?;
            enumerators = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        let packed = attributes.iter().any(|attribute| attribute.name == "packed");
        Ok(TypeSpec::Enum(EnumSpec { tag, enumerators, packed, span }))
    }

    /// __attribute__ (( name ( arguments )? , ... ))
    fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Result<()> {
        // C23 attributes, `[[nodiscard]]`: none of them changes what a program means.
        while self.is("[") && self.peek_is(1, "[") {
            while !(self.is("]") && self.peek_is(1, "]")) {
                if self.kind() == Kind::Eof {
                    return Err(self.unexpected("`]]`"));
                }
                self.advance();
            }
            self.advance();
            self.advance();
        }
        while self.is("__attribute__") {
            self.advance();
            self.expect("(", "after `__attribute__`")?;
            self.expect("(", "after `__attribute__(`")?;
            while !self.is(")") {
                if self.eat(",") {
                    continue;
                }
                if !matches!(self.kind(), Kind::Ident | Kind::Keyword(_)) {
                    return Err(self.unexpected("the name of an attribute"));
                }
                let name = self.text().trim_matches('_').to_owned();
                self.advance();
                let mut arguments = Vec::new();
                if self.is("(") {
                    arguments = self.attribute_arguments(&name)?;
                }
                attributes.push(Attribute { name, arguments });
            }
            self.expect(")", "after the attributes")?;
            self.expect(")", "after the attributes")?;
        }
        Ok(())
    }

    /// The arguments of attributes that change nothing are skipped as they are.
    fn attribute_arguments(&mut self, name: &str) -> Result<Vec<Expr>> {
        self.advance();
        let mut arguments = Vec::new();
        const READ: &[&str] = &["aligned", "vector_size", "mode", "alias", "constructor", "destructor"];
        if READ.contains(&name) && !self.is(")") {
            arguments.push(self.assignment()?);
        } else {
            let mut open = 0usize;
            while !(open == 0 && self.is(")")) {
                if self.kind() == Kind::Eof {
                    break;
                }
                open += usize::from(self.is("("));
                open -= usize::from(self.is(")"));
                self.advance();
            }
        }
        self.expect(")", "after the arguments of the attribute")?;
        Ok(arguments)
    }

    /// declarator: pointer? direct-declarator (C11 6.7.6); abstract ones too where `abstract_allowed`
    fn declarator(&mut self, abstract_allowed: bool) -> Result<Declarator> {
        self.deeper()?;
        let start = self.span();
        let mut attributes = Vec::new();
        let mut pointers = Vec::new();
        self.attributes(&mut attributes)?;
        while self.eat("*") {
            let mut qualifiers = Qualifiers::default();
            loop {
                if self.eat("restrict") || self.eat("__extension__") {
                } else if self.eat("const") {
                    qualifiers.constant = true;
                } else if self.eat("volatile") {
                    qualifiers.volatile = true;
                } else if self.eat("_Atomic") {
                    qualifiers.atomic = true;
                } else if self.is("__attribute__") {
                    self.attributes(&mut attributes)?;
                } else {
                    break;
                }
            }
            pointers.push(Derived::Pointer(qualifiers));
        }
        self.attributes(&mut attributes)?;
        let mut declarator =
            Declarator { name: None, derived: Vec::new(), attributes, name_span: self.span(), span: start };
        if self.kind() == Kind::Ident {
            declarator.name = Some(self.text().to_owned());
            self.advance();
        } else if self.is("(") && self.parenthesis_opens_declarator(abstract_allowed) {
            self.advance();
            let inner = self.declarator(abstract_allowed)?;
            self.expect(")", "in the declarator")?;
            declarator.name = inner.name;
            declarator.name_span = inner.name_span;
            declarator.derived = inner.derived;
            declarator.attributes.extend(inner.attributes);
        } else if !abstract_allowed {
            return Err(self.unexpected("a name"));
        }
        loop {
            if self.is("[") {
                let derived = self.array_suffix()?;
                declarator.derived.push(derived);
            } else if self.is("(") {
                let derived = self.function_suffix()?;
                declarator.derived.push(derived);
            } else {
                break;
            }
        }
        declarator.derived.extend(pointers.into_iter().rev());
        self.asm_label_and_attributes(&mut declarator.attributes)?;
        declarator.span = start.to(self.previous_span());
        self.depth -= 1;
        Ok(declarator)
    }

    /// In an abstract declarator `(` may also open a parameter list: `int (int)`, `int ()`.
    fn parenthesis_opens_declarator(&self, abstract_allowed: bool) -> bool {
        if !abstract_allowed {
            return true;
        }
        !(self.peek_is(1, ")") || self.starts_type(1) || self.peek_is(1, "register"))
    }

    /// [ static? type-qualifier-list? assignment-expression? ]  |  [ * ]
    fn array_suffix(&mut self) -> Result<Derived> {
        let span = self.span();
        self.advance();
        while ["static", "const", "volatile", "restrict", "_Atomic"].iter().any(|word| self.eat(word)) {}
        if self.is("*") && self.peek_is(1, "]") {
            self.advance();
            self.advance();
            return Ok(Derived::Array { size: None, star: true, span });
        }
        let size = if self.is("]") { None } else { Some(Box::new(self.assignment()?)) };
        self.expect("]", "after the size of the array")?;
        Ok(Derived::Array { size, star: false, span })
    }

    /// ( parameter-type-list? )  |  ( identifier-list )
    fn function_suffix(&mut self) -> Result<Derived> {
        self.advance();
        let mut function =
            Derived::Function { params: Vec::new(), variadic: false, identifiers: Vec::new(), prototyped: true };
        let Derived::Function { params, variadic, identifiers, prototyped } = &mut function else { unreachable!() };
        if self.eat(")") {
            *prototyped = false;
            return Ok(function);
        }
        if self.is("void") && self.peek_is(1, ")") {
            self.advance();
            self.advance();
            return Ok(function);
        }
        if self.kind() == Kind::Ident && !self.starts_type(0) {
            *prototyped = false;
            loop {
                let span = self.span();
                let name = self.ident("a parameter name (or its type: is a typedef missing?)")?;
                identifiers.push((name.to_owned(), span));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")", "after the parameters")?;
            return Ok(function);
        }
        self.scopes.push(FxHashMap::default());
        loop {
            if self.eat("...") {
                *variadic = true;
                break;
            }
            let start = self.span();
            let specs = self.specifiers(true)?;
            if matches!(specs.ty, TypeSpec::Missing) && self.span() == start {
                return Err(self.unexpected("the type of a parameter"));
            }
            let mut declarator = self.declarator(true)?;
            self.attributes(&mut declarator.attributes)?;
            self.declare_declarator(&declarator, false);
            params.push(Param { specs, declarator, span: start.to(self.previous_span()) });
            if !self.eat(",") {
                break;
            }
        }
        self.scopes.pop();
        self.expect(")", "after the parameters")?;
        Ok(function)
    }

    /// type-name: specifier-qualifier-list abstract-declarator?
    fn type_name(&mut self) -> Result<TypeName> {
        let start = self.span();
        let specs = self.specifiers(false)?;
        if matches!(specs.ty, TypeSpec::Missing) {
            return Err(self.unexpected("a type"));
        }
        let declarator = self.declarator(true)?;
        Ok(TypeName { specs, declarator, span: start.to(self.previous_span()) })
    }

    /// initializer: assignment-expression | { initializer-list ,? }  (C11 6.7.9)
    fn initializer(&mut self) -> Result<Initializer> {
        if !self.is("{") {
            return Ok(Initializer::Expr(self.assignment()?));
        }
        self.deeper()?;
        let start = self.span();
        self.advance();
        let mut items = Vec::new();
        while !self.is("}") {
            let span = self.span();
            let designators = self.designation()?;
            let value = self.initializer()?;
            items.push(InitItem { designators, value, span });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}", "after the initializers")?;
        self.depth -= 1;
        Ok(Initializer::List(items, start))
    }

    /// designator-list =  |  GNU: [ n ] value, member : value
    fn designation(&mut self) -> Result<Vec<Designator>> {
        if self.kind() == Kind::Ident && self.peek_is(1, ":") {
            let span = self.span();
            let name = self.text().to_owned();
            self.advance();
            self.advance();
            return Ok(vec![Designator::Member(name, span)]);
        }
        let mut designators = Vec::new();
        loop {
            if self.eat("[") {
                let from = self.conditional()?;
                designators.push(if self.eat("...") {
                    Designator::Range(from, self.conditional()?)
                } else {
                    Designator::Index(from)
                });
                self.expect("]", "after the index")?;
            } else if self.is(".") && matches!(self.peek(1), Kind::Ident) {
                self.advance();
                let span = self.span();
                designators.push(Designator::Member(self.ident("a member name")?.to_owned(), span));
            } else {
                break;
            }
        }
        if !designators.is_empty() && !self.eat("=") && !matches!(designators[..], [Designator::Index(_)]) {
            return Err(self.unexpected("`=` after the designator"));
        }
        Ok(designators)
    }

    // ---- statements (C11 6.8) ----

    /// The items of `{ ... }` in a scope of their own, and the span of the closing brace.
    fn compound_items(&mut self) -> Result<(Vec<BlockItem>, Span)> {
        self.deeper()?;
        self.expect("{", "to open a block")?;
        self.scopes.push(FxHashMap::default());
        let mut items = Vec::new();
        while !self.is("}") {
            if self.kind() == Kind::Eof {
                return Err(self.unexpected("`}`"));
            }
            if self.is("__label__") {
                while !self.eat(";") {
                    self.advance();
                    if self.kind() == Kind::Eof {
                        return Err(self.unexpected("`;`"));
                    }
                }
                continue;
            }
            items.push(self.block_item()?);
        }
        let end = self.span();
        self.advance();
        self.scopes.pop();
        self.depth -= 1;
        Ok((items, end))
    }

    fn block_item(&mut self) -> Result<BlockItem> {
        let extension = self.is("__extension__");
        let mut ahead = 0;
        while self.peek_is(ahead, "__extension__") {
            ahead += 1;
        }
        if (extension && self.starts_type(ahead)) || self.starts_declaration() {
            return Ok(BlockItem::Declaration(self.declaration()?));
        }
        if self.is("[") && self.peek_is(1, "[") {
            self.attributes(&mut Vec::new())?;
            return self.block_item();
        }
        if self.is("__attribute__") {
            // Either attributes of a declaration or a statement attribute (`fallthrough`).
            let back = self.at;
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            if self.starts_declaration() {
                self.at = back;
                return Ok(BlockItem::Declaration(self.declaration()?));
            }
        }
        Ok(BlockItem::Statement(self.statement()?))
    }

    fn statement(&mut self) -> Result<Stmt> {
        self.deeper()?;
        let start = self.span();
        let kind = self.statement_kind()?;
        self.depth -= 1;
        let span = match &kind {
            // The head of a compound statement is its place, not all of its body.
            StmtKind::Expr(_) | StmtKind::Return(_) => start.to(self.previous_span()),
            _ => start,
        };
        Ok(Stmt { kind, span })
    }

    fn statement_kind(&mut self) -> Result<StmtKind> {
        if self.kind() == Kind::Ident && self.peek_is(1, ":") {
            let name = self.text().to_owned();
            self.advance();
            self.advance();
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            return Ok(StmtKind::Label(name, Box::new(self.labelled_statement()?)));
        }
        let Kind::Keyword(keyword) = self.kind() else {
            if self.is("{") {
                return Ok(StmtKind::Compound(self.compound_items()?.0));
            }
            return self.expression_statement();
        };
        match keyword {
            "case" => {
                self.advance();
                let from = self.conditional()?;
                let to = if self.eat("...") { Some(self.conditional()?) } else { None };
                self.expect(":", "after the case")?;
                Ok(StmtKind::Case(from, to, Box::new(self.labelled_statement()?)))
            }
            "default" => {
                self.advance();
                self.expect(":", "after `default`")?;
                Ok(StmtKind::Default(Box::new(self.labelled_statement()?)))
            }
            "if" => {
                self.advance();
                let condition = self.parenthesized("if")?;
                let then = self.statement()?;
                let otherwise = if self.eat("else") { Some(Box::new(self.statement()?)) } else { None };
                Ok(StmtKind::If(condition, Box::new(then), otherwise))
            }
            "switch" => {
                self.advance();
                let value = self.parenthesized("switch")?;
                Ok(StmtKind::Switch(value, Box::new(self.statement()?)))
            }
            "while" => {
                self.advance();
                let condition = self.parenthesized("while")?;
                Ok(StmtKind::While(condition, Box::new(self.statement()?)))
            }
            "do" => {
                self.advance();
                let body = self.statement()?;
                self.expect("while", "after the body of `do`")?;
                let condition = self.parenthesized("while")?;
                self.expect(";", "after `do ... while (...)`")?;
                Ok(StmtKind::DoWhile(Box::new(body), condition))
            }
            "for" => self.for_statement(),
            "goto" => {
                self.advance();
                if self.is("*") {
                    return Err(Diagnostic::unsupported(self.span(), "a computed goto"));
                }
                let name = self.ident("the label to go to")?.to_owned();
                self.expect(";", "after `goto`")?;
                Ok(StmtKind::Goto(name))
            }
            "continue" => {
                self.advance();
                self.expect(";", "after `continue`")?;
                Ok(StmtKind::Continue)
            }
            "break" => {
                self.advance();
                self.expect(";", "after `break`")?;
                Ok(StmtKind::Break)
            }
            "return" => {
                self.advance();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.expect(";", "after `return`")?;
                Ok(StmtKind::Return(value))
            }
            "asm" => self.asm_statement(),
            "__attribute__" => {
                let mut ignored = Vec::new();
                self.attributes(&mut ignored)?;
                self.statement_kind()
            }
            _ => self.expression_statement(),
        }
    }

    /// After a label GNU C (and C23) allow a declaration or the end of the block.
    fn labelled_statement(&mut self) -> Result<Stmt> {
        if self.is("}") {
            return Ok(Stmt { kind: StmtKind::Expr(None), span: self.span() });
        }
        if self.starts_declaration() {
            return Err(Diagnostic::error(self.span(), "a label must be followed by a statement")
                .note("put `;` between the label and the declaration"));
        }
        self.statement()
    }

    fn expression_statement(&mut self) -> Result<StmtKind> {
        if self.eat(";") {
            return Ok(StmtKind::Expr(None));
        }
        let expr = self.expression()?;
        if !self.is(";")
            && self.kind() == Kind::Ident
            && let ExprKind::Ident(name) = &expr.kind
        {
            return Err(Diagnostic::error(expr.span, format!("`{name}` is not a type"))
                .note("is a typedef or an #include missing?"));
        }
        self.expect(";", "after the expression")?;
        Ok(StmtKind::Expr(Some(expr)))
    }

    fn parenthesized(&mut self, keyword: &str) -> Result<Expr> {
        self.expect("(", &format!("after `{keyword}`"))?;
        let expr = self.expression()?;
        self.expect(")", &format!("after the condition of `{keyword}`"))?;
        Ok(expr)
    }

    /// for ( (expression? ; | declaration) expression? ; expression? ) statement
    fn for_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        self.expect("(", "after `for`")?;
        self.scopes.push(FxHashMap::default());
        let init = if self.eat(";") {
            None
        } else if self.starts_declaration() || self.is("__extension__") {
            Some(Box::new(BlockItem::Declaration(self.declaration()?)))
        } else {
            let span = self.span();
            let expr = self.expression()?;
            self.expect(";", "after the first part of `for`")?;
            Some(Box::new(BlockItem::Statement(Stmt { kind: StmtKind::Expr(Some(expr)), span })))
        };
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";", "after the condition of `for`")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")", "after the head of `for`")?;
        let body = Box::new(self.statement()?);
        self.scopes.pop();
        Ok(StmtKind::For { init, condition, step, body })
    }

    /// asm qualifiers ( template : outputs : inputs : clobbers : labels ) ;
    fn asm_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        let mut jumps = false;
        while self.is("volatile") || self.is("inline") || self.is("goto") || self.is("const") {
            jumps |= self.is("goto");
            self.advance();
        }
        self.expect("(", "after `asm`")?;
        let template = self.asm_text();
        let mut operands = [Vec::new(), Vec::new()];
        for list in &mut operands {
            if self.eat(":") {
                while self.kind() == Kind::Str || self.is("[") {
                    list.push(self.asm_operand()?);
                    self.eat(",");
                }
            }
        }
        // Clobbers and labels.
        while !self.is(")") {
            if self.kind() == Kind::Eof {
                return Err(self.unexpected("`)`"));
            }
            self.advance();
        }
        self.advance();
        self.expect(";", "after `asm (...)`")?;
        let [outputs, inputs] = operands;
        Ok(StmtKind::Asm(Asm { template, outputs, inputs, jumps }))
    }

    fn asm_text(&mut self) -> String {
        let mut text = String::new();
        while self.kind() == Kind::Str {
            text.push_str(self.text().trim_matches('"'));
            self.advance();
        }
        text
    }

    /// [ name ] "constraint" ( expression )
    fn asm_operand(&mut self) -> Result<AsmOperand> {
        let mut name = None;
        if self.eat("[") {
            name = Some(self.text().to_owned());
            self.advance();
            self.expect("]", "after the name of an operand")?;
        }
        let constraint = self.asm_text();
        self.expect("(", "before an operand of `asm`")?;
        let expr = self.expression()?;
        self.expect(")", "after an operand of `asm`")?;
        Ok(AsmOperand { name, constraint, expr })
    }

    // ---- expressions (C11 6.5) ----

    /// expression: assignment-expression | expression , assignment-expression
    fn expression(&mut self) -> Result<Expr> {
        let mut left = self.assignment()?;
        let mut length = 0;
        while self.eat(",") {
            length += 1;
            self.check_chain(length)?;
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    /// Chains such as `a + a + ...` make deep trees without any nesting in the text.
    fn check_chain(&self, length: usize) -> Result<()> {
        if length > 4 * MAX_DEPTH {
            return Err(Diagnostic::unsupported(self.span(), "an expression of so many operands"));
        }
        Ok(())
    }

    /// assignment-expression: conditional-expression | unary-expression assignment-operator assignment-expression
    fn assignment(&mut self) -> Result<Expr> {
        self.deeper()?;
        let left = self.conditional()?;
        let operator = match self.kind() {
            Kind::Punct("=") => None,
            Kind::Punct("*=") => Some(BinaryOp::Mul),
            Kind::Punct("/=") => Some(BinaryOp::Div),
            Kind::Punct("%=") => Some(BinaryOp::Rem),
            Kind::Punct("+=") => Some(BinaryOp::Add),
            Kind::Punct("-=") => Some(BinaryOp::Sub),
            Kind::Punct("<<=") => Some(BinaryOp::Shl),
            Kind::Punct(">>=") => Some(BinaryOp::Shr),
            Kind::Punct("&=") => Some(BinaryOp::BitAnd),
            Kind::Punct("^=") => Some(BinaryOp::BitXor),
            Kind::Punct("|=") => Some(BinaryOp::BitOr),
            _ => {
                self.depth -= 1;
                return Ok(left);
            }
        };
        self.advance();
        let right = self.assignment()?;
        self.depth -= 1;
        let span = left.span.to(right.span);
        Ok(Expr { kind: ExprKind::Assign(operator, Box::new(left), Box::new(right)), span })
    }

    /// conditional-expression: logical-OR-expression (? expression? : conditional-expression)?
    fn conditional(&mut self) -> Result<Expr> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        self.deeper()?;
        let then = if self.is(":") { None } else { Some(Box::new(self.expression()?)) };
        self.expect(":", "in the conditional expression")?;
        let otherwise = self.conditional()?;
        self.depth -= 1;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), then, Box::new(otherwise)), span })
    }

    /// All binary operators by precedence climbing: level 0 is `||`, level 9 is `*`.
    fn binary(&mut self, level: u8) -> Result<Expr> {
        let mut left = self.cast()?;
        let mut length = 0;
        while let Some((operator_level, operator)) = binary_operator(self.kind()) {
            if operator_level < level {
                break;
            }
            length += 1;
            self.check_chain(length)?;
            self.advance();
            let right = self.binary(operator_level + 1)?;
            let span = left.span.to(right.span);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Logical::And => ExprKind::LogicalAnd(left_box, right_box),
                Logical::Or => ExprKind::LogicalOr(left_box, right_box),
                Logical::Binary(op) => ExprKind::Binary(op, left_box, right_box),
            };
            left = Expr { kind, span };
        }
        Ok(left)
    }

    /// cast-expression: unary-expression | ( type-name ) cast-expression
    fn cast(&mut self) -> Result<Expr> {
        if !(self.is("(") && self.starts_type(1)) {
            return self.unary();
        }
        self.deeper()?;
        let start = self.span();
        self.advance();
        let ty = self.type_name()?;
        self.expect(")", "after the type")?;
        let expr = if self.is("{") {
            let literal = self.compound_literal(start, ty)?;
            self.postfix_operators(literal)?
        } else {
            let operand = self.cast()?;
            let span = start.to(operand.span);
            Expr { kind: ExprKind::Cast(Box::new(ty), Box::new(operand)), span }
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn compound_literal(&mut self, start: Span, ty: TypeName) -> Result<Expr> {
        let init = self.initializer()?;
        let span = start.to(self.previous_span());
        Ok(Expr { kind: ExprKind::CompoundLiteral(Box::new(ty), Box::new(init)), span })
    }

    /// unary-expression (C11 6.5.3)
    fn unary(&mut self) -> Result<Expr> {
        self.deeper()?;
        let start = self.span();
        let kind = match self.kind() {
            Kind::Punct(punct @ ("++" | "--")) => {
                self.advance();
                let operand = Box::new(self.unary()?);
                ExprKind::IncDec { operand, increment: punct == "++", prefix: true }
            }
            Kind::Punct("&&") => return Err(Diagnostic::unsupported(start, "the address of a label")),
            Kind::Punct(punct @ ("&" | "*" | "+" | "-" | "~" | "!")) => {
                self.advance();
                let operand = Box::new(self.cast()?);
                if let (ExprKind::Ident(name), "&") = (&operand.kind, punct) {
                    self.address_taken.insert(name.clone());
                }
                match punct {
                    "&" => ExprKind::AddressOf(operand),
                    "*" => ExprKind::Deref(operand),
                    "+" => ExprKind::Unary(UnaryOp::Plus, operand),
                    "-" => ExprKind::Unary(UnaryOp::Minus, operand),
                    "~" => ExprKind::Unary(UnaryOp::Complement, operand),
                    _ => ExprKind::Unary(UnaryOp::Not, operand),
                }
            }
            Kind::Keyword("__extension__") => {
                self.advance();
                let inner = self.cast()?;
                self.depth -= 1;
                return Ok(inner);
            }
            Kind::Keyword(keyword @ ("sizeof" | "_Alignof" | "__alignof__")) => {
                self.advance();
                self.sizeof_operand(keyword)?
            }
            Kind::Keyword("__real__" | "__imag__") => {
                return Err(Diagnostic::unsupported(start, "complex numbers"));
            }
            _ => {
                let expr = self.postfix()?;
                self.depth -= 1;
                return Ok(expr);
            }
        };
        self.depth -= 1;
        Ok(Expr { kind, span: start.to(self.previous_span()) })
    }

    fn sizeof_operand(&mut self, keyword: &str) -> Result<ExprKind> {
        let preferred = keyword == "__alignof__";
        let of_expr = |operand: Box<Expr>| match keyword {
            "sizeof" => ExprKind::SizeofExpr(operand),
            _ => ExprKind::AlignofExpr { operand, preferred },
        };
        if !(self.is("(") && self.starts_type(1)) {
            return Ok(of_expr(Box::new(self.unary()?)));
        }
        let start = self.span();
        self.advance();
        let name = self.type_name()?;
        self.expect(")", "after the type")?;
        if self.is("{") {
            let literal = self.compound_literal(start, name)?;
            return Ok(of_expr(Box::new(self.postfix_operators(literal)?)));
        }
        let name = Box::new(name);
        Ok(match keyword {
            "sizeof" => ExprKind::SizeofType(name),
            _ => ExprKind::AlignofType { name, preferred },
        })
    }

    /// postfix-expression (C11 6.5.2)
    fn postfix(&mut self) -> Result<Expr> {
        if self.is("(") && self.starts_type(1) {
            let start = self.span();
            self.advance();
            let ty = self.type_name()?;
            self.expect(")", "after the type")?;
            if !self.is("{") {
                return Err(self.unexpected("`{` and the initializers of a compound literal"));
            }
            let literal = self.compound_literal(start, ty)?;
            return self.postfix_operators(literal);
        }
        let primary = self.primary()?;
        self.postfix_operators(primary)
    }

    fn postfix_operators(&mut self, mut expr: Expr) -> Result<Expr> {
        let mut length = 0;
        loop {
            length += 1;
            self.check_chain(length)?;
            let start = expr.span;
            let kind = match self.kind() {
                Kind::Punct("[") => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect("]", "after the index")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Kind::Punct("(") => {
                    self.advance();
                    let mut arguments = Vec::new();
                    if !self.is(")") {
                        arguments.push(self.assignment()?);
                        while self.eat(",") {
                            arguments.push(self.assignment()?);
                        }
                    }
                    self.expect(")", "after the arguments")?;
                    ExprKind::Call(Box::new(expr), arguments)
                }
                Kind::Punct(punct @ ("." | "->")) => {
                    self.advance();
                    let name = self.ident("the name of a member")?.to_owned();
                    ExprKind::Member { base: Box::new(expr), name, arrow: punct == "->" }
                }
                Kind::Punct(punct @ ("++" | "--")) => {
                    self.advance();
                    ExprKind::IncDec { operand: Box::new(expr), increment: punct == "++", prefix: false }
                }
                _ => return Ok(expr),
            };
            expr = Expr { kind, span: start.to(self.previous_span()) };
        }
    }

    /// primary-expression (C11 6.5.1) and the built-in functions that take types
    fn primary(&mut self) -> Result<Expr> {
        let start = self.span();
        let text = self.text();
        let kind = match self.kind() {
            Kind::Ident => {
                self.advance();
                ExprKind::Ident(text.to_owned())
            }
            Kind::Int => {
                self.advance();
                int_constant(text).map_err(|message| Diagnostic::error(start, message))?
            }
            Kind::Float => {
                self.advance();
                float_constant(text).map_err(|message| Diagnostic::error(start, message))?
            }
            Kind::Char => {
                self.advance();
                char_constant(text).map_err(|message| Diagnostic::error(start, message))?
            }
            Kind::Str => {
                let mut pieces = Vec::new();
                while self.kind() == Kind::Str {
                    pieces.push(self.text());
                    self.advance();
                }
                string_constant(&pieces).map_err(|message| Diagnostic::error(start, message))?
            }
            Kind::Punct("(") => {
                self.advance();
                if self.is("{") {
                    let (items, _) = self.compound_items()?;
                    self.expect(")", "after the statement expression")?;
                    ExprKind::StatementExpr(items)
                } else {
                    let inner = self.expression()?;
                    self.expect(")", "to close the parenthesis")?;
                    return Ok(Expr { kind: inner.kind, span: start.to(self.previous_span()) });
                }
            }
            Kind::Keyword("_Generic") => self.generic_selection()?,
            Kind::Keyword("__builtin_offsetof") => {
                self.advance();
                self.expect("(", "after `__builtin_offsetof`")?;
                let ty = self.type_name()?;
                self.expect(",", "after the type")?;
                let path = self.offsetof_path()?;
                self.expect(")", "after the member")?;
                ExprKind::OffsetOf(Box::new(ty), path)
            }
            Kind::Keyword("__builtin_va_arg") => {
                self.advance();
                self.expect("(", "after `va_arg`")?;
                let list = self.assignment()?;
                self.expect(",", "after the list")?;
                let ty = self.type_name()?;
                self.expect(")", "after the type")?;
                ExprKind::VaArg(Box::new(list), Box::new(ty))
            }
            Kind::Keyword("__builtin_types_compatible_p") => {
                self.advance();
                self.expect("(", "after `__builtin_types_compatible_p`")?;
                let left = self.type_name()?;
                self.expect(",", "between the types")?;
                let right = self.type_name()?;
                self.expect(")", "after the types")?;
                ExprKind::TypesCompatible(Box::new(left), Box::new(right))
            }
            Kind::Keyword("__builtin_choose_expr") => {
                self.advance();
                self.expect("(", "after `__builtin_choose_expr`")?;
                let condition = self.assignment()?;
                self.expect(",", "after the condition")?;
                let then = self.assignment()?;
                self.expect(",", "between the expressions")?;
                let otherwise = self.assignment()?;
                self.expect(")", "after the expressions")?;
                ExprKind::ChooseExpr(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.previous_span()) })
    }

    /// _Generic ( assignment-expression , generic-assoc-list )
    fn generic_selection(&mut self) -> Result<ExprKind> {
        self.advance();
        self.expect("(", "after `_Generic`")?;
        let control = self.assignment()?;
        let mut associations = Vec::new();
        while self.eat(",") {
            let ty = if self.eat("default") { None } else { Some(self.type_name()?) };
            self.expect(":", "after the type")?;
            associations.push((ty, self.assignment()?));
        }
        self.expect(")", "after the associations")?;
        Ok(ExprKind::Generic(Box::new(control), associations))
    }

    fn offsetof_path(&mut self) -> Result<Vec<Designator>> {
        let span = self.span();
        let mut path = vec![Designator::Member(self.ident("the name of a member")?.to_owned(), span)];
        loop {
            let span = self.span();
            if self.eat(".") {
                path.push(Designator::Member(self.ident("the name of a member")?.to_owned(), span));
            } else if self.eat("[") {
                path.push(Designator::Index(self.expression()?));
                self.expect("]", "after the index")?;
            } else {
                return Ok(path);
            }
        }
    }
}

enum Logical {
    And,
    Or,
    Binary(BinaryOp),
}

fn binary_operator(kind: Kind) -> Option<(u8, Logical)> {
    let Kind::Punct(punct) = kind else { return None };
    let (level, op) = match punct {
        "||" => return Some((0, Logical::Or)),
        "&&" => return Some((1, Logical::And)),
        "|" => (2, BinaryOp::BitOr),
        "^" => (3, BinaryOp::BitXor),
        "&" => (4, BinaryOp::BitAnd),
        "==" => (5, BinaryOp::Eq),
        "!=" => (5, BinaryOp::Ne),
        "<" => (6, BinaryOp::Lt),
        ">" => (6, BinaryOp::Gt),
        "<=" => (6, BinaryOp::Le),
        ">=" => (6, BinaryOp::Ge),
        "<<" => (7, BinaryOp::Shl),
        ">>" => (7, BinaryOp::Shr),
        "+" => (8, BinaryOp::Add),
        "-" => (8, BinaryOp::Sub),
        "*" => (9, BinaryOp::Mul),
        "/" => (9, BinaryOp::Div),
        "%" => (9, BinaryOp::Rem),
        _ => return None,
    };
    Some((level, Logical::Binary(op)))
}
