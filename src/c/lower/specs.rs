//! Declaration specifiers and declarators -> types (C11 6.7.2 to 6.7.7).

use super::{Lowerer, Scope, Symbol, Tag, unique};
use crate::c::ast::{self, Alignment, Derived, TypeSpec};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::types::{Bits, Field, FunctionType, Record};
use crate::il::{Expr, FloatKind, IntKind, RecordId, StmtKind, Type, TypeId};

/// Objects above this size are refused: no analysis of them would end, and offsets stay far from overflow.
const MAX_OBJECT: u64 = 1 << 30;

impl Lowerer {
    /// The type that specifiers name, and the alignment they ask for (0: none).
    pub(super) fn base_type(&mut self, specs: &ast::Specs) -> Result<(TypeId, u64)> {
        let saved = std::mem::replace(&mut self.span, if self.in_model { Span::default() } else { specs.span });
        let mut align = 0;
        let mut ty = match &specs.ty {
            TypeSpec::Missing => self.types.int(IntKind::Int),
            TypeSpec::Arithmetic(arithmetic) => self.arithmetic_type(arithmetic)?,
            TypeSpec::Named(name) => match self.lookup(name) {
                Some(Symbol::Typedef(ty, typedef_align)) => {
                    align = typedef_align;
                    ty
                }
                _ => match self.refused.get(name) {
                    Some(refused) => return Err(Diagnostic { span: Some(self.span), ..refused.clone() }),
                    None => return self.error(format!("`{name}` is not a type")),
                },
            },
            TypeSpec::Record(spec) => self.record_type(spec)?,
            TypeSpec::Enum(spec) => self.enum_type(spec)?,
            TypeSpec::TypeofExpr(expr) => {
                let ty = self.type_of(expr)?;
                self.types.unqualified(ty)
            }
            TypeSpec::TypeofType(name) => self.type_name(name)?,
            TypeSpec::Atomic(name) => {
                let inner = self.type_name(name)?;
                self.types.intern(Type::Atomic(inner))
            }
            TypeSpec::VaList => self.types.intern(Type::VaList),
            TypeSpec::AutoType => return self.error("`__auto_type` needs an initializer"),
            TypeSpec::Unsupported(name) => return self.unsupported(name),
        };
        for attribute in &specs.attributes {
            ty = self.type_attribute(attribute, ty)?;
        }
        align = align.max(self.alignment(&specs.attributes, &specs.alignas)?);
        ty = self.qualified(ty, specs.qualifiers);
        self.span = saved;
        Ok((ty, align))
    }

    /// The qualifiers of an array are those of its elements (C11 6.7.3).
    fn qualified(&mut self, ty: TypeId, qualifiers: ast::Qualifiers) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, count) => {
                let element = self.qualified(element, qualifiers);
                self.types.intern(Type::Array(element, count))
            }
            Type::OpenArray(element) => {
                let element = self.qualified(element, qualifiers);
                self.types.intern(Type::OpenArray(element))
            }
            Type::VariableArray { .. } | Type::Function(_) => ty,
            _ => {
                let ty = if qualifiers.atomic { self.types.intern(Type::Atomic(ty)) } else { ty };
                self.types.with_qualifiers(ty, qualifiers.constant, qualifiers.volatile)
            }
        }
    }

    /// Attributes that change a type: `mode(SI)` and friends; `vector_size` is refused.
    pub(super) fn type_attribute(&mut self, attribute: &ast::Attribute, ty: TypeId) -> Result<TypeId> {
        match (attribute.name.as_str(), attribute.arguments.first().map(|argument| &argument.kind)) {
            ("transparent_union", _) => self.unsupported("the attribute `transparent_union`"),
            ("vector_size", _) => self.unsupported("vector types"),
            ("mode", Some(ast::ExprKind::Ident(mode))) => {
                let signed = self.types.int_kind(ty).is_none_or(IntKind::signed);
                let kind = match mode.trim_matches('_') {
                    "QI" | "byte" => IntKind::SChar,
                    "HI" => IntKind::Short,
                    "SI" => IntKind::Int,
                    "DI" => IntKind::LongLong,
                    "word" | "pointer" => IntKind::Long,
                    "SF" => return Ok(self.types.intern(Type::Float(FloatKind::Float))),
                    "DF" => return Ok(self.types.intern(Type::Float(FloatKind::Double))),
                    other => return self.unsupported(format!("machine mode {other}")),
                };
                Ok(self.types.int(if signed { kind } else { kind.to_unsigned() }))
            }
            _ => Ok(ty),
        }
    }

    /// The largest of `aligned(n)` and `_Alignas(...)`, 0 if there is none.
    pub(super) fn alignment(&mut self, attributes: &[ast::Attribute], alignas: &[Alignment]) -> Result<u64> {
        let mut align = 0;
        for attribute in attributes.iter().filter(|attribute| attribute.name == "aligned") {
            align = align.max(match attribute.arguments.first() {
                Some(value) => self.constant_int(value, "an alignment")? as u64,
                None => 16,
            });
        }
        for wanted in alignas {
            align = align.max(match wanted {
                Alignment::Type(name) => {
                    let ty = self.type_name(name)?;
                    self.types.align(ty)
                }
                Alignment::Value(value) => self.constant_int(value, "an alignment")? as u64,
            });
        }
        if align != 0 && (!align.is_power_of_two() || align > 1 << 20) {
            return self.error(format!("an alignment must be a power of two, not {align}"));
        }
        Ok(align)
    }

    fn arithmetic_type(&mut self, a: &ast::Arithmetic) -> Result<TypeId> {
        let plain = !a.signed && !a.unsigned && !a.short && a.long == 0 && !a.int && !a.char_;
        let ty = match () {
            () if a.void && plain && !a.bool_ && !a.float && !a.double => Type::Void,
            () if a.bool_ && plain && !a.float && !a.double => Type::Int(IntKind::Bool),
            () if a.float && plain && !a.double => Type::Float(FloatKind::Float),
            () if a.double && plain => Type::Float(FloatKind::Double),
            () if a.double && a.long == 1 && !a.signed && !a.unsigned && !a.short && !a.int => {
                Type::Float(FloatKind::LongDouble)
            }
            () if a.void || a.bool_ || a.float || a.double || (a.signed && a.unsigned) => {
                return self.error("these words together are no type");
            }
            () => Type::Int(match (a.char_, a.short, a.long, a.unsigned) {
                (true, false, 0, true) if !a.int => IntKind::UChar,
                (true, false, 0, false) if !a.int => {
                    if a.signed {
                        IntKind::SChar
                    } else {
                        IntKind::Char
                    }
                }
                (false, true, 0, true) => IntKind::UShort,
                (false, true, 0, false) => IntKind::Short,
                (false, false, 0, true) => IntKind::UInt,
                (false, false, 0, false) => IntKind::Int,
                (false, false, 1, true) => IntKind::ULong,
                (false, false, 1, false) => IntKind::Long,
                (false, false, 2, true) => IntKind::ULongLong,
                (false, false, 2, false) => IntKind::LongLong,
                _ => return self.error("these words together are no type"),
            }),
        };
        Ok(self.types.intern(ty))
    }

    fn record_type(&mut self, spec: &ast::RecordSpec) -> Result<TypeId> {
        let id = match (&spec.tag, &spec.members) {
            (Some(tag), None) => match self.find_tag(tag) {
                Some(Tag::Record(id)) => id,
                Some(Tag::Enum(_)) => return self.error(format!("`{tag}` is the tag of an enum")),
                None => self.shared_record(spec).unwrap_or_else(|| self.new_record(spec)),
            },
            (Some(tag), Some(members)) => {
                let here = self.scopes.last().and_then(|scope| scope.tags.get(tag)).copied();
                let id = match here {
                    Some(Tag::Record(id)) => id,
                    Some(Tag::Enum(_)) => return self.error(format!("`{tag}` is the tag of an enum")),
                    None => self.shared_record(spec).unwrap_or_else(|| self.new_record(spec)),
                };
                match self.types.record(id).complete {
                    false => self.define_record(id, spec, members)?,
                    true if self.is_defined_elsewhere(tag, id) => self.check_definition(id, spec, members)?,
                    true => return self.error(format!("`{tag}` is defined twice")),
                }
                id
            }
            (None, Some(members)) => match self.shared_untagged(spec, members)? {
                Some(id) => id,
                None => {
                    let id = self.new_record(spec);
                    self.define_record(id, spec, members)?;
                    self.is_untagged(spec, id);
                    id
                }
            },
            (None, None) => self.new_record(spec),
        };
        if self.types.record(id).union != spec.union {
            return self.error("struct and union under one tag");
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    fn find_tag(&self, tag: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope: &Scope| scope.tags.get(tag)).copied()
    }

    pub(super) fn new_record(&mut self, spec: &ast::RecordSpec) -> RecordId {
        let base = spec.tag.as_deref().unwrap_or(if spec.union { "anonymous_union" } else { "anonymous_struct" });
        let name = unique(&self.record_names, &Default::default(), base);
        self.record_names.insert(name.clone());
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record::incomplete(name, spec.union));
        if let Some(tag) = &spec.tag {
            let scope = self.scopes.last_mut().expect("a scope is open");
            scope.tags.insert(tag.clone(), Tag::Record(id));
        }
        id
    }

    fn define_record(&mut self, id: RecordId, spec: &ast::RecordSpec, members: &[ast::MemberDecl]) -> Result<()> {
        self.is_defined_here(id);
        let Record { fields, pack, packed, min_align, .. } = self.defined_record(spec, members)?;
        let record = &mut self.types.records[id.0 as usize];
        (record.pack, record.packed, record.min_align) = (pack, packed, min_align);
        self.types.lay_out(id, fields);
        if self.types.record(id).size > MAX_OBJECT {
            return self.unsupported("a struct of more than 1 GiB");
        }
        Ok(())
    }

    /// What a definition says, before it is laid out.
    pub(super) fn defined_record(&mut self, spec: &ast::RecordSpec, members: &[ast::MemberDecl]) -> Result<Record> {
        let mut fields = Vec::new();
        for member in members {
            self.member_fields(member, &mut fields)?;
        }
        let count = fields.len();
        for (index, field) in fields.iter().enumerate() {
            let last_open = matches!(self.types.get(field.ty), Type::OpenArray(_)) && !spec.union && index + 1 == count;
            if !self.types.is_complete(field.ty)
                && !last_open
                && !matches!(self.types.get(field.ty), Type::OpenArray(_))
            {
                return self.error(format!("member `{}` has an incomplete type", field.name.as_deref().unwrap_or("")));
            }
        }
        for (index, field) in fields.iter().enumerate() {
            if field.name.is_some() && fields[..index].iter().any(|other| other.name == field.name) {
                return self.error(format!("two members are called `{}`", field.name.as_deref().unwrap_or("")));
            }
        }
        const REFUSED: &[&str] = &["ms_struct", "gcc_struct", "scalar_storage_order", "transparent_union"];
        if let Some(attribute) = spec.attributes.iter().find(|attribute| REFUSED.contains(&attribute.name.as_str())) {
            return self.error(format!("not supported: the attribute `{}`", attribute.name));
        }
        Ok(Record {
            fields,
            pack: u64::from(spec.pack),
            packed: spec.attributes.iter().any(|attribute| attribute.name == "packed"),
            min_align: self.alignment(&spec.attributes, &[])?,
            ..Record::incomplete(String::new(), spec.union)
        })
    }

    fn member_fields(&mut self, member: &ast::MemberDecl, fields: &mut Vec<Field>) -> Result<()> {
        let (base, base_align) = self.base_type(&member.specs)?;
        if member.declarators.is_empty() {
            // An anonymous struct or union; a mere tag declaration declares no member.
            let anonymous =
                matches!(&member.specs.ty, TypeSpec::Record(spec) if spec.tag.is_none() && spec.members.is_some());
            if anonymous {
                fields.push(Field { name: None, ty: base, offset: 0, bits: None, packed: false, align: base_align });
            }
            return Ok(());
        }
        for (declarator, width) in &member.declarators {
            let ty = self.declared_type(base, declarator)?;
            let align = base_align.max(self.alignment(&declarator.attributes, &[])?);
            let packed = declarator.attributes.iter().chain(&member.specs.attributes).any(|a| a.name == "packed");
            let bits = match width {
                None => None,
                Some(width) => Some(self.bit_width(ty, width, declarator)?),
            };
            if matches!(self.types.get(ty), Type::Function(_)) {
                return self.error("a member cannot be a function");
            }
            if matches!(self.types.get(ty), Type::VariableArray { .. }) {
                return self.error("a member cannot be a variable length array");
            }
            fields.push(Field { name: declarator.name.clone(), ty, offset: 0, bits, packed, align });
        }
        Ok(())
    }

    fn bit_width(&mut self, ty: TypeId, width: &ast::Expr, declarator: &ast::Declarator) -> Result<Bits> {
        let Some(kind) = self.types.int_kind(ty) else {
            return self.error("a bit-field must have an integer type");
        };
        let width = self.constant_int(width, "the width of a bit-field")?;
        let max = if kind == IntKind::Bool { 1 } else { kind.size(self.types.model) as i128 * 8 };
        if !(0..=max).contains(&width) || (width == 0 && declarator.name.is_some()) {
            return self.error(format!("a bit-field of {width} bits does not fit its type"));
        }
        Ok(Bits { shift: 0, width: width as u32 })
    }

    fn enum_type(&mut self, spec: &ast::EnumSpec) -> Result<TypeId> {
        let Some(enumerators) = &spec.enumerators else {
            let tag = spec.tag.as_deref().unwrap_or("");
            return match self.find_tag(tag) {
                Some(Tag::Enum(ty)) => Ok(ty),
                Some(Tag::Record(_)) => self.error(format!("`{tag}` is the tag of a struct or union")),
                // `enum e;` ahead of its definition is common in kernel headers; gcc takes unsigned int.
                None => Ok(self.types.int(IntKind::UInt)),
            };
        };
        let mut next = 0i128;
        let mut values = Vec::new();
        for (name, value, _) in enumerators {
            if let Some(value) = value {
                next = self.constant_int(value, "the value of an enumerator")?;
            }
            let fits_int = i128::from(next as i32) == next;
            let kind = match (fits_int, next < 0) {
                (true, _) => IntKind::Int,
                (false, true) => IntKind::LongLong,
                (false, false) if next <= i128::from(u32::MAX) => IntKind::UInt,
                (false, false) => IntKind::ULongLong,
            };
            let ty = self.types.int(kind);
            let scope = self.scopes.last_mut().expect("a scope is open");
            if scope.names.insert(name.clone(), Symbol::Enumerator(next, ty)).is_some() {
                return self.error(format!("`{name}` is declared twice in one scope"));
            }
            values.push(next);
            next += 1;
        }
        let (min, max) = (values.iter().copied().min().unwrap_or(0), values.iter().copied().max().unwrap_or(0));
        let candidates: &[IntKind] = match (spec.packed, min < 0) {
            (true, true) => &[IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::LongLong],
            (true, false) => &[IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULongLong],
            (false, true) => &[IntKind::Int, IntKind::LongLong],
            (false, false) => &[IntKind::UInt, IntKind::ULongLong],
        };
        let model = self.types.model;
        let kind = candidates.iter().copied().find(|kind| kind.wrap(min, model) == min && kind.wrap(max, model) == max);
        let ty = self.types.int(kind.unwrap_or(IntKind::LongLong));
        if let Some(tag) = &spec.tag {
            let scope = self.scopes.last_mut().expect("a scope is open");
            scope.tags.insert(tag.clone(), Tag::Enum(ty));
        }
        Ok(ty)
    }

    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> Result<TypeId> {
        let (base, _) = self.base_type(&name.specs)?;
        self.declared_type(base, &name.declarator)
    }

    /// Applies pointers, arrays and parameter lists to a base type, from the outside in.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &ast::Declarator) -> Result<TypeId> {
        let mut ty = base;
        for attribute in &declarator.attributes {
            ty = self.type_attribute(attribute, ty)?;
        }
        for derived in declarator.derived.iter().rev() {
            ty = match derived {
                Derived::Pointer(qualifiers) => {
                    let pointer = self.types.pointer(ty);
                    self.qualified(pointer, *qualifiers)
                }
                Derived::Array { star: true, .. } => {
                    self.types.intern(Type::VariableArray { element: ty, count: u32::MAX })
                }
                Derived::Array { size, span, .. } => self.array_type(ty, size.as_deref(), *span)?,
                Derived::Function { params, variadic, prototyped, .. } => {
                    self.function_type(ty, params, *variadic, *prototyped)?
                }
            };
        }
        Ok(ty)
    }

    fn array_type(&mut self, element: TypeId, size: Option<&ast::Expr>, span: Span) -> Result<TypeId> {
        if matches!(self.types.get(element), Type::Function(_) | Type::Void) || !self.types.is_complete(element) {
            if self.types.record_id(element).is_some() && size.is_none() {
                return Ok(self.types.intern(Type::OpenArray(element)));
            }
            return Err(Diagnostic::error(span, "an array of an incomplete type, of void or of functions"));
        }
        let Some(size) = size else {
            return Ok(self.types.intern(Type::OpenArray(element)));
        };
        let constant = self.speculate(|lowerer| {
            let value = lowerer.expr(size)?;
            if lowerer.types.int_kind(value.ty).is_none() {
                return Err(Diagnostic::error(size.span, "the size of an array must be an integer"));
            }
            Ok(value.as_int())
        })?;
        match constant {
            Some(count) if count < 0 => Err(Diagnostic::error(size.span, "an array of negative size")),
            Some(count) => {
                let count = u64::try_from(count).unwrap_or(u64::MAX);
                if matches!(self.types.get(element), Type::VariableArray { .. }) {
                    return self.variable_array(element, size);
                }
                if self.types.size(element).saturating_mul(count) > MAX_OBJECT {
                    return Err(Diagnostic::unsupported(size.span, "an array of more than 1 GiB"));
                }
                Ok(self.types.intern(Type::Array(element, count)))
            }
            None if self.speculative == 0 && !self.is_outside() => self.variable_array(element, size),
            None if self.speculative > 0 => Ok(self.types.intern(Type::VariableArray { element, count: u32::MAX })),
            None => Err(Diagnostic::error(size.span, "the size of this array is not a constant")),
        }
    }

    /// The length is computed where the type is met and kept in a local.
    fn variable_array(&mut self, element: TypeId, size: &ast::Expr) -> Result<TypeId> {
        let value = self.expr(size)?;
        let size_type = self.types.size_type();
        let value = self.convert(value, size_type);
        let count = self.new_local("length", size_type);
        self.emit(StmtKind::Declare(count));
        self.assign(crate::il::Place::local(count, size_type), value);
        Ok(self.types.intern(Type::VariableArray { element, count: count.0 }))
    }

    fn function_type(
        &mut self,
        result: TypeId,
        params: &[ast::Param],
        variadic: bool,
        prototyped: bool,
    ) -> Result<TypeId> {
        if matches!(self.types.get(result), Type::Function(_) | Type::Array(..)) {
            return self.error("a function cannot return an array or a function");
        }
        // `typedef void nothing; int f(nothing);` has no parameters.
        let params = match params {
            [only] if only.declarator.name.is_none() && only.declarator.derived.is_empty() => {
                let (base, _) = self.base_type(&only.specs)?;
                if self.types.is_void(base) { &[] } else { params }
            }
            _ => params,
        };
        self.scopes.push(Scope::default());
        let types = self.parameter_types(params);
        self.scopes.pop();
        let (types, result) = (types?, self.types.unqualified(result));
        Ok(self.types.intern(Type::Function(FunctionType { result, params: types, variadic, prototyped })))
    }

    fn parameter_types(&mut self, params: &[ast::Param]) -> Result<Vec<TypeId>> {
        let mut types = Vec::new();
        for param in params {
            let (base, _) = self.base_type(&param.specs)?;
            // A length may name an earlier parameter; in definitions it is computed where the body starts.
            let ty = self.speculate(|lowerer| lowerer.declared_type(base, &param.declarator))?;
            let ty = self.adjust_parameter(ty);
            if let Some(name) = &param.declarator.name {
                self.bind(name, Symbol::Parameter(ty));
            }
            types.push(ty);
        }
        Ok(types)
    }

    /// Arrays and functions as parameters are pointers (C11 6.7.6.3).
    pub(super) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty).clone() {
            Type::Array(element, _) | Type::OpenArray(element) => self.types.pointer(element),
            Type::VariableArray { element, .. } => {
                let element = self.fixed_element(element);
                self.types.pointer(element)
            }
            Type::Function(_) => self.types.pointer(ty),
            Type::Qualified { inner, .. } => inner,
            _ => ty,
        }
    }

    /// The innermost element of a variable length array: what a pointer into it points to.
    pub(super) fn fixed_element(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::VariableArray { element, .. } => self.fixed_element(*element),
            _ => ty,
        }
    }

    /// Size of a type as a value: a constant, or for a variable length array a product.
    pub(super) fn size_of(&mut self, ty: TypeId) -> Expr {
        let size_type = self.types.size_type();
        match *self.types.get(ty) {
            Type::VariableArray { element, count } => {
                let element = self.size_of(element);
                let count = Expr::load(crate::il::Place::local(crate::il::LocalId(count), size_type));
                self.arithmetic(crate::il::BinaryOp::Mul, count, element, size_type)
            }
            _ => Expr::int(i128::from(self.types.size(ty)), size_type),
        }
    }
}
