//! Expressions (C11 6.5): conversions made explicit, side effects emitted as statements, the rest folded.

use super::init::is_constant;
use super::{Lowerer, Scope, Symbol};
use crate::c::ast::{self, Designator};
use crate::diagnostic::{Diagnostic, Result};
use crate::il::arithmetic::{self, Value};
use crate::il::{
    AccessKind, Base, BinaryOp, Callee, Expr, ExprKind, FloatKind, IntKind, LocalId, Place, Projection, StmtKind,
    StringId, StringLiteral, Type, TypeId, UnaryOp, walk,
};

/// What an expression denotes before it is used as a value.
enum Operand {
    Place(Place),
    Value(Expr),
}

impl Lowerer {
    // ---- entry points ----

    /// The value of an expression: arrays and functions decayed, atomics read.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let saved = self.span;
        let operand = self.operand(expr)?;
        let value = self.value_of(operand);
        self.span = saved;
        // Constants may be written as long double (DBL_MAX is); nothing may be computed with them.
        let constant = matches!(value.kind, ExprKind::Float(_));
        if self.types.float_kind(value.ty) == Some(FloatKind::LongDouble) && self.speculative == 0 && !constant {
            return Err(Diagnostic::unsupported(expr.span, "arithmetic on long double"));
        }
        Ok(value)
    }

    /// Only the side effects of an expression.
    pub(super) fn discard(&mut self, expr: &ast::Expr) -> Result<()> {
        match &expr.kind {
            ast::ExprKind::Assign(operator, left, right) => self.assignment(*operator, left, right, false).map(|_| ()),
            ast::ExprKind::IncDec { operand, increment, .. } => {
                self.increment(operand, *increment, true, false).map(|_| ())
            }
            ast::ExprKind::Comma(left, right) => {
                self.discard(left)?;
                self.discard(right)
            }
            ast::ExprKind::Cast(name, inner) => {
                let target = self.type_name(name)?;
                if self.types.is_void(target) {
                    return self.discard(inner);
                }
                let value = self.expr(inner)?;
                self.evaluate(value);
                Ok(())
            }
            ast::ExprKind::Call(callee, arguments) => self.call(expr, callee, arguments, None, false).map(|_| ()),
            ast::ExprKind::Conditional(condition, then, otherwise) => {
                self.discard_conditional(condition, then.as_deref(), otherwise)
            }
            ast::ExprKind::LogicalAnd(left, right) => {
                let condition = self.condition(left)?;
                let ((), block) = self.in_block(|lowerer| lowerer.discard(right))?;
                self.emit_if(condition, block, Vec::new());
                Ok(())
            }
            ast::ExprKind::LogicalOr(left, right) => {
                let condition = self.condition(left)?;
                let ((), block) = self.in_block(|lowerer| lowerer.discard(right))?;
                let condition = self.negate(condition);
                self.emit_if(condition, block, Vec::new());
                Ok(())
            }
            ast::ExprKind::StatementExpr(items) => {
                let ((), block) = self.in_block(|lowerer| lowerer.scoped(items))?;
                self.emit_block(block);
                Ok(())
            }
            _ => {
                let value = self.expr(expr)?;
                self.set_span(expr.span);
                self.evaluate(value);
                Ok(())
            }
        }
    }

    /// Nobody wants the value, but computing it may fail.
    fn evaluate(&mut self, value: Expr) {
        let mut may_fail = crate::il::walk::may_overflow(&self.types, &value);
        crate::il::walk::expressions(&value, &mut |inner| {
            may_fail |= match &inner.kind {
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => true,
                ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                    matches!(place.base, Base::Deref(_))
                        || place.projections.iter().any(|projection| matches!(projection, Projection::Index(..)))
                        || (matches!(place.base, Base::Global(_)) && matches!(inner.kind, ExprKind::Load(_)))
                }
                _ => false,
            };
        });
        if may_fail && self.types.is_scalar(value.ty) {
            self.in_temp(value);
        }
    }

    fn discard_conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
    ) -> Result<()> {
        let condition = self.condition(condition)?;
        if let Some(value) = condition.as_int() {
            return match (value != 0, then) {
                (true, Some(then)) => self.discard(then),
                (true, None) => Ok(()),
                (false, _) => self.discard(otherwise),
            };
        }
        let ((), then_block) = self.in_block(|lowerer| then.map_or(Ok(()), |then| lowerer.discard(then)))?;
        let ((), else_block) = self.in_block(|lowerer| lowerer.discard(otherwise))?;
        self.emit_if(condition, then_block, else_block);
        Ok(())
    }

    pub(super) fn emit_if(&mut self, condition: Expr, then: Vec<crate::il::Stmt>, otherwise: Vec<crate::il::Stmt>) {
        // A constant condition decides, but a branch that holds labels can be entered otherwise.
        if let Some(value) = condition.as_int()
            && !super::stmt::contains_label(&then)
            && !super::stmt::contains_label(&otherwise)
        {
            self.emit_block(if value != 0 { then } else { otherwise });
            return;
        }
        match (then.is_empty(), otherwise.is_empty()) {
            // Reading the condition may be undefined, or a race.
            (true, true) => {
                let mut reads = false;
                walk::expressions(&condition, &mut |inner| reads |= matches!(inner.kind, ExprKind::Load(_)));
                if reads {
                    self.in_temp(condition);
                }
            }
            (true, false) => {
                let condition = self.negate(condition);
                self.emit(StmtKind::If { condition, then: otherwise, otherwise: Vec::new() });
            }
            (false, _) => self.emit(StmtKind::If { condition, then, otherwise }),
        }
    }

    /// An expression as a condition: of scalar type, not yet compared with zero unless it is no integer.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let value = self.expr(expr)?;
        self.truth(value, expr)
    }

    fn truth(&mut self, value: Expr, expr: &ast::Expr) -> Result<Expr> {
        if !self.types.is_scalar(value.ty) {
            return Err(Diagnostic::error(expr.span, "a condition must be a number or a pointer"));
        }
        match value.kind {
            ExprKind::Float(number) => Ok(self.int_value(i128::from(number != 0.0))),
            ExprKind::Str(_) | ExprKind::Function(_) => Ok(self.int_value(1)),
            ExprKind::AddressOf(ref place) if !matches!(place.base, Base::Deref(_)) => Ok(self.int_value(1)),
            _ => Ok(value),
        }
    }

    fn int_value(&mut self, value: i128) -> Expr {
        Expr::int(value, self.types.int(IntKind::Int))
    }

    pub(super) fn negate(&mut self, condition: Expr) -> Expr {
        let int = self.types.int(IntKind::Int);
        match condition.kind {
            ExprKind::Int(value) => Expr::int(i128::from(value == 0), int),
            ExprKind::Unary(UnaryOp::Not, inner) if inner.ty == int => *inner,
            ExprKind::Binary(op, left, right) if self.types.float_kind(left.ty).is_none() => {
                let flipped = match op {
                    BinaryOp::Eq => Some(BinaryOp::Ne),
                    BinaryOp::Ne => Some(BinaryOp::Eq),
                    BinaryOp::Lt => Some(BinaryOp::Ge),
                    BinaryOp::Ge => Some(BinaryOp::Lt),
                    BinaryOp::Gt => Some(BinaryOp::Le),
                    BinaryOp::Le => Some(BinaryOp::Gt),
                    _ => None,
                };
                match flipped {
                    Some(op) => Expr { kind: ExprKind::Binary(op, left, right), ty: int },
                    None => {
                        let inner = Expr { kind: ExprKind::Binary(op, left, right), ty: condition.ty };
                        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)), ty: int }
                    }
                }
            }
            _ => Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)), ty: int },
        }
    }

    /// The type of an expression without evaluating it: arrays and functions do not decay.
    pub(super) fn type_of(&mut self, expr: &ast::Expr) -> Result<TypeId> {
        self.speculate(|lowerer| {
            Ok(match lowerer.operand(expr)? {
                Operand::Place(place) => place.ty,
                Operand::Value(value) => match (&expr.kind, value.kind) {
                    (ast::ExprKind::Ident(_), ExprKind::Function(id)) => lowerer.function(id).ty,
                    _ => value.ty,
                },
            })
        })
    }

    pub(super) fn constant_int(&mut self, expr: &ast::Expr, what: &str) -> Result<i128> {
        let value = self.speculate(|lowerer| lowerer.expr(expr))?;
        match value.kind {
            ExprKind::Int(value) => Ok(value),
            _ => Err(Diagnostic::error(expr.span, format!("{what} must be a constant integer"))),
        }
    }

    pub(super) fn place(&mut self, expr: &ast::Expr) -> Result<Place> {
        match self.operand(expr)? {
            Operand::Place(place) => Ok(place),
            Operand::Value(_) => Err(Diagnostic::error(expr.span, "this is a value, not a variable or other memory")),
        }
    }

    fn value_of(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(place) => self.load(place),
        }
    }

    /// Reads a place; an array becomes a pointer to its first element.
    pub(super) fn load(&mut self, place: Place) -> Expr {
        // A string literal is known by its address alone.
        if let Base::Deref(pointer) = &place.base
            && matches!(pointer.kind, ExprKind::Str(_))
            && place.projections.is_empty()
            && self.types.element(place.ty).is_some()
        {
            return (**pointer).clone();
        }
        match *self.types.get(place.ty) {
            Type::Array(element, _) | Type::OpenArray(element) => {
                let pointer = self.types.pointer(element);
                let address = self.element_address(place, element);
                Expr { ty: pointer, ..address }
            }
            Type::VariableArray { element, .. } => {
                let pointer = self.types.pointer(element);
                match place.base {
                    Base::Deref(inner) if place.projections.is_empty() => self.convert(*inner, pointer),
                    _ => {
                        let address = self.address_of(place);
                        Expr { ty: pointer, ..address }
                    }
                }
            }
            Type::Function(_) => {
                let pointer = self.types.pointer(place.ty);
                let address = self.address_of(place);
                Expr { ty: pointer, ..address }
            }
            Type::Atomic(_) | Type::Qualified { .. } if self.is_atomic_record(place.ty) => {
                // An atomic struct is read as a whole.
                let ty = self.types.unqualified(place.ty);
                let temp = self.new_temp(ty);
                self.emit_atomic(true).expect("atomic sections are built in");
                self.assign(temp.clone(), Expr { kind: ExprKind::Load(Box::new(place)), ty });
                self.emit_atomic(false).expect("atomic sections are built in");
                Expr::load(temp)
            }
            Type::Atomic(_) | Type::Qualified { .. } => {
                let ty = self.types.unqualified(place.ty);
                Expr { kind: ExprKind::Load(Box::new(place)), ty }
            }
            _ => Expr::load(place),
        }
    }

    fn is_atomic_record(&self, ty: TypeId) -> bool {
        self.types.is_atomic(ty) && self.types.record_id(ty).is_some()
    }

    fn element_address(&mut self, mut place: Place, element: TypeId) -> Expr {
        let zero = self.int_value(0);
        place.projections.push(Projection::Index(Box::new(zero), element));
        place.ty = element;
        self.address_of(place)
    }

    /// `&place`, with `&*p` reduced to `p`.
    pub(super) fn address_of(&mut self, place: Place) -> Expr {
        let ty = self.types.pointer(place.ty);
        if place.projections.is_empty()
            && let Base::Deref(pointer) = place.base
        {
            return self.convert(*pointer, ty);
        }
        Expr { kind: ExprKind::AddressOf(Box::new(place)), ty }
    }

    // ---- operands ----

    fn operand(&mut self, expr: &ast::Expr) -> Result<Operand> {
        self.set_span(expr.span);
        use ast::ExprKind as E;
        Ok(Operand::Value(match &expr.kind {
            E::Ident(name) => return self.identifier(name, expr),
            E::Int { value, decimal, unsigned, suffix } => self.int_constant(*value, *decimal, *unsigned, *suffix)?,
            E::Float { value, suffix } => {
                let kind = match suffix {
                    ast::FloatSuffix::Float => FloatKind::Float,
                    ast::FloatSuffix::Double => FloatKind::Double,
                    ast::FloatSuffix::LongDouble => FloatKind::LongDouble,
                };
                Expr { kind: ExprKind::Float(*value), ty: self.types.intern(Type::Float(kind)) }
            }
            E::Char { value, width } => {
                let kind = match width {
                    ast::CharWidth::Char | ast::CharWidth::Wchar => IntKind::Int,
                    ast::CharWidth::Char16 => IntKind::UShort,
                    ast::CharWidth::Char32 => IntKind::UInt,
                };
                Expr::int(i128::from(*value), self.types.int(kind))
            }
            E::Str { units, width } => return Ok(Operand::Place(self.string_place(units, *width))),
            E::Index(base, index) => return self.index(base, index).map(Operand::Place),
            E::Member { base, name, arrow } => return self.member(expr, base, name, *arrow).map(Operand::Place),
            E::Deref(pointer) => return self.deref(pointer),
            E::CompoundLiteral(name, init) => return self.compound_literal(name, init).map(Operand::Place),
            E::Call(callee, arguments) => return self.call_operand(expr, callee, arguments),
            E::IncDec { operand, increment, prefix } => self.increment(operand, *increment, *prefix, true)?,
            E::AddressOf(operand) => self.address(operand)?,
            E::Unary(op, operand) => self.unary(*op, operand)?,
            E::SizeofType(name) => {
                let ty = self.type_name(name)?;
                self.sized(ty, expr)?
            }
            E::SizeofExpr(operand) => {
                let ty = self.type_of(operand)?;
                if let Ok(Operand::Place(place)) = self.speculate(|lowerer| lowerer.operand(operand))
                    && self.bit_field(&place).is_some()
                {
                    return Err(Diagnostic::error(operand.span, "a bit-field has no size"));
                }
                if matches!(self.types.get(ty), Type::VariableArray { .. }) {
                    // Its length was computed where the array was declared; find it through the real type.
                    let place = self.place(operand)?;
                    return Ok(Operand::Value(self.size_of(place.ty)));
                }
                self.sized(ty, expr)?
            }
            E::AlignofType { name, preferred } => {
                let (base, declared) = self.base_type(&name.specs)?;
                let ty = self.declared_type(base, &name.declarator)?;
                let natural = self.aligned(ty, *preferred);
                if declared == 0 || ty != base { natural } else { Expr::int(i128::from(declared), natural.ty) }
            }
            E::AlignofExpr { operand, preferred } => {
                let place = self.speculate(|lowerer| lowerer.operand(operand))?;
                let (ty, declared) = match &place {
                    Operand::Place(place) => (place.ty, self.declared_alignment(place)),
                    Operand::Value(value) => (value.ty, 0),
                };
                let natural = self.aligned(ty, *preferred);
                if declared == 0 { natural } else { Expr::int(i128::from(declared), natural.ty) }
            }
            E::Cast(name, operand) => return self.cast(name, operand),
            E::Binary(op, left, right) => {
                let left_value = self.expr(left)?;
                let right_value = self.expr(right)?;
                self.set_span(expr.span);
                self.binary(*op, left_value, right_value)?
            }
            E::LogicalAnd(left, right) => self.logical(left, right, true)?,
            E::LogicalOr(left, right) => self.logical(left, right, false)?,
            E::Conditional(condition, then, otherwise) => {
                return self.conditional(condition, then.as_deref(), otherwise);
            }
            E::Assign(operator, left, right) => return self.assignment(*operator, left, right, true),
            E::Comma(left, right) => {
                self.discard(left)?;
                let operand = self.operand(right)?;
                self.value_of(operand)
            }
            E::StatementExpr(items) => return self.statement_expr(items),
            E::Generic(control, associations) => return self.generic(control, associations),
            E::OffsetOf(name, path) => self.offset_of(name, path)?,
            E::VaArg(list, name) => self.va_arg(list, name)?,
            E::TypesCompatible(left, right) => {
                let (left, right) = (self.type_name(left)?, self.type_name(right)?);
                let same = self.types.compatible(self.types.unqualified(left), self.types.unqualified(right));
                self.int_value(i128::from(same))
            }
            E::ChooseExpr(condition, then, otherwise) => {
                let chosen = self.constant_int(condition, "the condition of `__builtin_choose_expr`")? != 0;
                let operand = self.operand(if chosen { then } else { otherwise })?;
                // How a printed program says what an access is.
                let word = match &otherwise.kind {
                    E::Str { units, width: ast::CharWidth::Char } if chosen => {
                        units.iter().filter_map(|unit| char::from_u32(*unit)).collect()
                    }
                    _ => String::new(),
                };
                return Ok(match (operand, AccessKind::of_word(&word)) {
                    (Operand::Place(place), Some(access)) => Operand::Place(Place { access, ..place }),
                    (operand, _) => operand,
                });
            }
        }))
    }

    fn sized(&mut self, ty: TypeId, expr: &ast::Expr) -> Result<Expr> {
        let known = self.types.is_complete(ty) || matches!(self.types.get(ty), Type::Void | Type::Function(_));
        if !known {
            return Err(Diagnostic::error(expr.span, "the size of an incomplete type"));
        }
        Ok(self.size_of(ty))
    }

    fn aligned(&mut self, ty: TypeId, preferred: bool) -> Expr {
        let mut align = self.types.align(ty);
        if preferred && self.types.is_arithmetic(ty) && self.types.size(ty) == 8 {
            align = 8;
        }
        let size_type = self.types.size_type();
        Expr::int(i128::from(align), size_type)
    }

    /// The alignment that a declaration asked for, 0 if none.
    fn declared_alignment(&self, place: &Place) -> u64 {
        match (place.projections.last(), &place.base) {
            (Some(Projection::Field(record, index)), _) => {
                let record = self.types.record(*record);
                let field = &record.fields[*index as usize];
                if field.align == 0 && (record.packed || field.packed) { 1 } else { field.align }
            }
            (None, Base::Global(id)) => self.globals[id.0 as usize].align,
            (None, Base::Local(id)) => self.body.as_ref().map_or(0, |body| body.locals[id.0 as usize].align),
            _ => 0,
        }
    }

    fn identifier(&mut self, name: &str, expr: &ast::Expr) -> Result<Operand> {
        match self.lookup(name) {
            Some(Symbol::Enumerator(value, ty)) => Ok(Operand::Value(Expr::int(value, ty))),
            Some(Symbol::Local(id)) => Ok(Operand::Place(self.local_place(id))),
            Some(Symbol::Global(id)) => {
                self.use_global(id);
                Ok(Operand::Place(Place::global(id, self.globals[id.0 as usize].ty)))
            }
            Some(Symbol::Function(id)) => {
                self.use_function(id, expr.span)?;
                let ty = self.types.pointer(self.function(id).ty);
                Ok(Operand::Value(Expr { kind: ExprKind::Function(id), ty }))
            }
            Some(Symbol::Parameter(ty)) => {
                let pointer = self.types.pointer(ty);
                let nowhere = Expr::int(0, pointer);
                Ok(Operand::Place(Place::deref(nowhere, ty)))
            }
            Some(Symbol::Typedef(..)) => Err(Diagnostic::error(expr.span, format!("`{name}` is a type, not a value"))),
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") && !self.is_outside() => {
                Ok(Operand::Place(self.own_name()))
            }
            None => match self.builtin_function(name) {
                Ok(id) => {
                    let ty = self.types.pointer(self.function(id).ty);
                    Ok(Operand::Value(Expr { kind: ExprKind::Function(id), ty }))
                }
                Err(_) if self.refused.contains_key(name) => {
                    Err(Diagnostic { span: Some(expr.span), ..self.refused[name].clone() })
                }
                Err(_) => Err(Diagnostic::error(expr.span, format!("`{name}` is not declared"))
                    .note("is an #include or a declaration missing?")),
            },
        }
    }

    /// `__func__` is a static array in every function that mentions it (C11 6.4.2.2).
    fn own_name(&mut self) -> Place {
        let function = self.body().id;
        // The name that the user wrote: a static may have got another one, if files share it.
        let written = self.definitions.get(&function).and_then(|definition| definition.declarator.name.clone());
        let name = written.unwrap_or_else(|| self.function(function).name.clone());
        let char_type = self.types.int(IntKind::Char);
        let element = self.types.with_qualifiers(char_type, true, false);
        let ty = self.types.intern(Type::Array(element, name.len() as u64 + 1));
        if self.speculative > 0 {
            let pointer = self.types.pointer(ty);
            let nowhere = Expr::int(0, pointer);
            return Place::deref(nowhere, ty);
        }
        if let Some(id) = self.body().own_name {
            return Place::global(id, ty);
        }
        let id = self.new_global((&format!("{name}_func"), true), ty, false);
        self.globals[id.0 as usize].init = name
            .bytes()
            .enumerate()
            .map(|(index, byte)| crate::il::InitPart {
                path: vec![crate::il::PathStep::Index(index as u64)],
                value: Expr::int(i128::from(byte), char_type),
            })
            .collect();
        self.used_globals.insert(id);
        self.body().own_name = Some(id);
        Place::global(id, ty)
    }

    fn local_place(&mut self, id: LocalId) -> Place {
        let body = self.body();
        let ty = body.locals[id.0 as usize].ty;
        let key = (body.id, id);
        match self.variable_arrays.get(&key).copied() {
            Some(array) if matches!(self.types.get(array), Type::VariableArray { .. }) => {
                let pointer = Expr::load(Place::local(id, ty));
                Place::deref(pointer, array)
            }
            Some(pointer_to_array) => Place::local(id, pointer_to_array),
            None => Place::local(id, ty),
        }
    }

    fn int_constant(&mut self, value: u64, decimal: bool, unsigned: bool, suffix: ast::IntSuffix) -> Result<Expr> {
        use IntKind as K;
        let candidates: &[K] = match (suffix, unsigned, decimal) {
            (ast::IntSuffix::Int, false, true) => &[K::Int, K::Long, K::LongLong],
            (ast::IntSuffix::Int, false, false) => &[K::Int, K::UInt, K::Long, K::ULong, K::LongLong, K::ULongLong],
            (ast::IntSuffix::Int, true, _) => &[K::UInt, K::ULong, K::ULongLong],
            (ast::IntSuffix::Long, false, true) => &[K::Long, K::LongLong],
            (ast::IntSuffix::Long, false, false) => &[K::Long, K::ULong, K::LongLong, K::ULongLong],
            (ast::IntSuffix::Long, true, _) => &[K::ULong, K::ULongLong],
            (ast::IntSuffix::LongLong, false, true) => &[K::LongLong],
            (ast::IntSuffix::LongLong, false, false) => &[K::LongLong, K::ULongLong],
            (ast::IntSuffix::LongLong, true, _) => &[K::ULongLong],
        };
        let model = self.types.model;
        let value = i128::from(value);
        let kind = candidates.iter().copied().find(|kind| kind.wrap(value, model) == value);
        match kind {
            Some(kind) => Ok(Expr::int(value, self.types.int(kind))),
            None => self.unsupported("an integer constant that fits no type up to long long"),
        }
    }

    fn string_place(&mut self, units: &[u32], width: ast::CharWidth) -> Place {
        let unit = self.types.int(match width {
            ast::CharWidth::Char => IntKind::Char,
            ast::CharWidth::Wchar => IntKind::Int,
            ast::CharWidth::Char16 => IntKind::UShort,
            ast::CharWidth::Char32 => IntKind::UInt,
        });
        let units: Vec<u32> = units.iter().copied().chain(std::iter::once(0)).collect();
        let array = self.types.intern(Type::Array(unit, units.len() as u64));
        let pointer = self.types.pointer(unit);
        self.strings.push(StringLiteral { units, unit });
        let id = StringId(self.strings.len() as u32 - 1);
        let address = Expr { kind: ExprKind::Str(id), ty: pointer };
        Place::deref(address, array)
    }

    /// `base[index]`, in either order.
    fn index(&mut self, base: &ast::Expr, index: &ast::Expr) -> Result<Place> {
        let base_operand = self.operand(base)?;
        if let Operand::Place(place) = &base_operand
            && let Type::Array(element, _) | Type::OpenArray(element) = *self.types.get(place.ty)
            && !matches!(&place.base, Base::Deref(pointer) if matches!(pointer.kind, ExprKind::Str(_)))
        {
            let Operand::Place(mut place) = base_operand else { unreachable!() };
            let index_value = self.expr(index)?;
            if self.types.int_kind(index_value.ty).is_none() {
                return Err(Diagnostic::error(index.span, "an index must be an integer"));
            }
            place.projections.push(Projection::Index(Box::new(index_value), element));
            place.ty = element;
            return Ok(place);
        }
        let base_value = self.value_of(base_operand);
        let index_value = self.expr(index)?;
        let (pointer, offset) = if self.types.pointee(base_value.ty).is_some() {
            (base_value, index_value)
        } else {
            (index_value, base_value)
        };
        if self.types.pointee(pointer.ty).is_none() || self.types.int_kind(offset.ty).is_none() {
            return Err(Diagnostic::error(base.span, "only arrays and pointers can be indexed, by integers"));
        }
        let address = self.pointer_add(pointer, offset, false)?;
        self.deref_value(address)
    }

    fn deref(&mut self, pointer: &ast::Expr) -> Result<Operand> {
        let value = self.expr(pointer)?;
        if let ExprKind::Function(_) = value.kind {
            return Ok(Operand::Value(value));
        }
        match self.types.pointee(value.ty) {
            None => Err(Diagnostic::error(pointer.span, "only pointers can be dereferenced")),
            Some(to) if matches!(self.types.get(to), Type::Function(_)) => Ok(Operand::Value(value)),
            Some(_) => self.deref_value(value).map(Operand::Place),
        }
    }

    /// `*pointer`, with `*&place` reduced to `place`.
    pub(super) fn deref_value(&mut self, pointer: Expr) -> Result<Place> {
        let to = self.types.pointee(pointer.ty).expect("only pointers are dereferenced");
        if let ExprKind::AddressOf(place) = &pointer.kind
            && place.ty == to
        {
            return Ok((**place).clone());
        }
        Ok(Place::deref(pointer, to))
    }

    fn member(&mut self, expr: &ast::Expr, base: &ast::Expr, name: &str, arrow: bool) -> Result<Place> {
        let mut temporary = None;
        let mut place = if arrow {
            let pointer = self.expr(base)?;
            if self.types.pointee(pointer.ty).is_none() {
                return Err(Diagnostic::error(base.span, format!("`->{name}` needs a pointer on its left")));
            }
            self.deref_value(pointer)?
        } else {
            match self.operand(base)? {
                Operand::Place(place) => place,
                // A struct that a function returned lies in a temporary already.
                Operand::Value(Expr { kind: ExprKind::Load(place), .. }) => {
                    if let Base::Local(id) = place.base {
                        temporary = Some(id);
                    }
                    *place
                }
                Operand::Value(_) => return Err(Diagnostic::error(base.span, "this value has no members")),
            }
        };
        let Some(record) = self.types.record_id(place.ty) else {
            return Err(Diagnostic::error(
                base.span,
                format!("`{name}` is asked of something that is no struct or union"),
            ));
        };
        if !self.types.record(record).complete {
            let tag = &self.types.record(record).name;
            return Err(Diagnostic::error(
                base.span,
                format!("`{tag}` is declared but not defined, so it has no members"),
            ));
        }
        let Some(path) = self.types.find_field(record, name) else {
            let tag = &self.types.record(record).name;
            return Err(Diagnostic::error(expr.span, format!("`{tag}` has no member `{name}`")));
        };
        let mut current = record;
        for field in path {
            place.projections.push(Projection::Field(current, field));
            place.ty = self.types.record(current).fields[field as usize].ty;
            if let Some(inner) = self.types.record_id(place.ty) {
                current = inner;
            }
        }
        if self.types.element(place.ty).is_some() {
            self.body().short_lived.extend(temporary);
        }
        Ok(place)
    }

    /// A compound literal is an unnamed variable of the enclosing block, or static at file scope.
    fn compound_literal(&mut self, name: &ast::TypeName, init: &ast::Initializer) -> Result<Place> {
        let ty = self.type_name(name)?;
        let ty = self.completed_array(ty, init)?;
        if self.is_outside() {
            let id = self.new_global(("compound", true), ty, false);
            if self.speculative == 0 {
                self.used_globals.insert(id);
            }
            let parts = self.constant_initializer(ty, init)?;
            self.globals[id.0 as usize].init = parts;
            return Ok(Place::global(id, ty));
        }
        let id = self.new_local("literal", ty);
        self.emit(StmtKind::Declare(id));
        self.initialize(Place::local(id, ty), init)?;
        Ok(Place::local(id, ty))
    }

    fn call_operand(&mut self, expr: &ast::Expr, callee: &ast::Expr, arguments: &[ast::Expr]) -> Result<Operand> {
        let result = self.call(expr, callee, arguments, None, true)?;
        Ok(Operand::Value(result))
    }

    fn address(&mut self, operand: &ast::Expr) -> Result<Expr> {
        match self.operand(operand)? {
            Operand::Value(value) if matches!(value.kind, ExprKind::Function(_)) => Ok(value),
            Operand::Value(value)
                if self.types.pointee(value.ty).is_some_and(|to| self.types.function_type(to).is_some()) =>
            {
                Ok(value)
            }
            Operand::Value(_) => Err(Diagnostic::error(operand.span, "a value has no address")),
            Operand::Place(place) => {
                if self.bit_field(&place).is_some() {
                    return Err(Diagnostic::error(operand.span, "a bit-field has no address"));
                }
                if place.projections.is_empty()
                    && let Base::Deref(pointer) = &place.base
                    && let ExprKind::Str(_) = pointer.kind
                {
                    let ty = self.types.pointer(place.ty);
                    return Ok(Expr { kind: ExprKind::Cast(pointer.clone()), ty });
                }
                Ok(self.address_of(place))
            }
        }
    }

    pub(super) fn bit_field(&self, place: &Place) -> Option<u32> {
        match place.projections.last() {
            Some(Projection::Field(record, index)) => {
                self.types.record(*record).fields[*index as usize].bits.map(|bits| bits.width)
            }
            _ => None,
        }
    }

    // ---- conversions (C11 6.3) ----

    pub(super) fn convert(&mut self, value: Expr, to: TypeId) -> Expr {
        let to = self.types.unqualified(to);
        if value.ty == to || self.types.is_void(to) || self.types.record_id(to).is_some() {
            return value;
        }
        let from = value.ty;
        match value.kind {
            ExprKind::Int(number) if self.types.is_scalar(to) => {
                match arithmetic::convert(&self.types, Value::Int(number), to) {
                    Value::Int(number) => Expr::int(number, to),
                    Value::Float(number) => Expr { kind: ExprKind::Float(number), ty: to },
                }
            }
            ExprKind::Float(number)
                if self.types.is_arithmetic(to)
                    && !arithmetic::conversion_overflows(&self.types, Value::Float(number), to) =>
            {
                match arithmetic::convert(&self.types, Value::Float(number), to) {
                    Value::Int(number) => Expr::int(number, to),
                    Value::Float(number) => Expr { kind: ExprKind::Float(number), ty: to },
                }
            }
            // (T*)(U*)p is (T*)p; and back to p where the types agree.
            ExprKind::Cast(inner)
                if self.types.pointee(to).is_some()
                    && self.types.pointee(from).is_some()
                    && self.types.pointee(inner.ty).is_some() =>
            {
                self.convert(*inner, to)
            }
            kind => Expr { kind: ExprKind::Cast(Box::new(Expr { kind, ty: from })), ty: to },
        }
    }

    fn promoted_kind(&self, kind: IntKind, bit_width: Option<u32>) -> IntKind {
        let int_bits = 32;
        match bit_width {
            // gcc also promotes narrow bit-fields of wide types to int.
            Some(width) if kind.rank() <= IntKind::UInt.rank() || width <= int_bits => {
                if width < int_bits || kind.signed() { IntKind::Int } else { IntKind::UInt }
            }
            _ if kind.rank() < IntKind::Int.rank() => IntKind::Int,
            _ => kind,
        }
    }

    /// Integer promotion (C11 6.3.1.1); bit-fields promote by their width.
    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        let Some(kind) = self.types.int_kind(value.ty) else { return value };
        let width = match &value.kind {
            ExprKind::Load(place) => self.bit_field(place),
            _ => None,
        };
        let promoted = self.promoted_kind(kind, width);
        let ty = self.types.int(promoted);
        self.convert(value, ty)
    }

    /// Default argument promotions (C11 6.5.2.2).
    pub(super) fn promote_argument(&mut self, value: Expr) -> Expr {
        if self.types.float_kind(value.ty) == Some(FloatKind::Float) {
            let double = self.types.intern(Type::Float(FloatKind::Double));
            return self.convert(value, double);
        }
        self.promote(value)
    }

    /// Usual arithmetic conversions (C11 6.3.1.8).
    fn common_type(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let kinds = [self.types.float_kind(left), self.types.float_kind(right)];
        for kind in [FloatKind::LongDouble, FloatKind::Double, FloatKind::Float] {
            if kinds.contains(&Some(kind)) {
                return self.types.intern(Type::Float(kind));
            }
        }
        let (a, b) = (self.types.int_kind(left), self.types.int_kind(right));
        let (Some(a), Some(b)) = (a, b) else { return left };
        let model = self.types.model;
        let kind = if a == b {
            a
        } else if a.signed() == b.signed() {
            if a.rank() >= b.rank() { a } else { b }
        } else {
            let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
            if unsigned.rank() >= signed.rank() {
                unsigned
            } else if signed.size(model) > unsigned.size(model) {
                signed
            } else {
                signed.to_unsigned()
            }
        };
        self.types.int(kind)
    }

    // ---- operators ----

    /// Builds and folds an operation on operands that already have their common type.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, result: TypeId) -> Expr {
        if let (Some(a), Some(b)) = (constant(&left), constant(&right))
            && arithmetic::overflow(&self.types, op, a, b, result).is_none()
            && let Ok(value) = arithmetic::binary(&self.types, op, a, b, left.ty, result, 1)
        {
            return match value {
                Value::Int(value) => Expr::int(value, result),
                Value::Float(value) => Expr { kind: ExprKind::Float(value), ty: result },
            };
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: result }
    }

    pub(super) fn binary(&mut self, op: ast::BinaryOp, left: Expr, right: Expr) -> Result<Expr> {
        use ast::BinaryOp as B;
        let left_pointer = self.types.pointee(left.ty).is_some();
        let right_pointer = self.types.pointee(right.ty).is_some();
        if left_pointer || right_pointer {
            return self.pointer_binary(op, left, right);
        }
        if !self.types.is_arithmetic(left.ty) || !self.types.is_arithmetic(right.ty) {
            return self.error("this operator needs numbers or pointers");
        }
        let int = self.types.int(IntKind::Int);
        let core = core_operator(op);
        if matches!(op, B::Add | B::Sub | B::Mul | B::Shl) {
            self.refuse_wide_bit_field(&left)?;
            self.refuse_wide_bit_field(&right)?;
        }
        match op {
            B::Shl | B::Shr => {
                let (left, right) = (self.promote(left), self.promote(right));
                self.need_integers(&left, &right)?;
                let ty = left.ty;
                Ok(self.arithmetic(core, left, right, ty))
            }
            _ => {
                let (left, right) = (self.promote(left), self.promote(right));
                let common = self.common_type(left.ty, right.ty);
                if matches!(op, B::Rem | B::BitAnd | B::BitOr | B::BitXor) {
                    self.need_integers(&left, &right)?;
                }
                let (left, right) = (self.convert(left, common), self.convert(right, common));
                let compares = matches!(op, B::Lt | B::Le | B::Gt | B::Ge | B::Eq | B::Ne);
                Ok(self.arithmetic(core, left, right, if compares { int } else { common }))
            }
        }
    }

    /// Compilers disagree about the type of a bit-field wider than `int` (gcc: as wide as the field; clang: as declared).
    fn refuse_wide_bit_field(&self, value: &Expr) -> Result<()> {
        if let ExprKind::Load(place) = &value.kind
            && self.bit_field(place).is_some_and(|width| width > 32)
        {
            let refused = Diagnostic::unsupported(self.span, "arithmetic on a bit-field wider than int");
            return Err(refused.note("compilers disagree about its type: cast the bit-field to the type you mean"));
        }
        Ok(())
    }

    fn need_integers(&self, left: &Expr, right: &Expr) -> Result<()> {
        if self.types.int_kind(left.ty).is_none() || self.types.int_kind(right.ty).is_none() {
            return self.error("this operator needs integers");
        }
        Ok(())
    }

    fn pointer_binary(&mut self, op: ast::BinaryOp, left: Expr, right: Expr) -> Result<Expr> {
        use ast::BinaryOp as B;
        let left_pointer = self.types.pointee(left.ty).is_some();
        let right_pointer = self.types.pointee(right.ty).is_some();
        match op {
            B::Add if left_pointer && !right_pointer => self.pointer_add(left, right, false),
            B::Add if right_pointer && !left_pointer => self.pointer_add(right, left, false),
            B::Sub if left_pointer && !right_pointer => self.pointer_add(left, right, true),
            B::Sub if left_pointer && right_pointer => {
                let to = self.types.pointee(left.ty).expect("checked");
                let difference = self.types.ptrdiff_type();
                if matches!(self.types.get(to), Type::VariableArray { .. }) {
                    let (left, right) = (self.convert(left, difference), self.convert(right, difference));
                    let bytes = self.arithmetic(BinaryOp::Sub, left, right, difference);
                    let size = self.size_of(to);
                    let size = self.convert(size, difference);
                    return Ok(self.arithmetic(BinaryOp::Div, bytes, size, difference));
                }
                let right = self.convert(right, left.ty);
                Ok(Expr {
                    kind: ExprKind::Binary(BinaryOp::PointerSub, Box::new(left), Box::new(right)),
                    ty: difference,
                })
            }
            B::Lt | B::Le | B::Gt | B::Ge | B::Eq | B::Ne => {
                let int = self.types.int(IntKind::Int);
                let ty = if left_pointer { left.ty } else { right.ty };
                let (left, right) = (self.convert(left, ty), self.convert(right, ty));
                // `&x == 0` is decided here, and so is `0 == 0`.
                if let (B::Eq | B::Ne, true) = (op, right.is_zero() && never_null(&left)) {
                    return Ok(self.int_value(i128::from(op == B::Ne)));
                }
                Ok(self.arithmetic(core_operator(op), left, right, int))
            }
            _ => self.error("this operator does not work on pointers"),
        }
    }

    /// `pointer + offset` or `pointer - offset`, counted in elements.
    pub(super) fn pointer_add(&mut self, pointer: Expr, offset: Expr, negative: bool) -> Result<Expr> {
        let to = self.types.pointee(pointer.ty).expect("only pointers are moved");
        if self.types.int_kind(offset.ty).is_none() {
            return self.error("a pointer can be moved only by an integer");
        }
        if !self.types.is_complete(to) && !matches!(self.types.get(to), Type::Void | Type::Function(_)) {
            return self.error("arithmetic on a pointer to an incomplete type");
        }
        let offset = self.promote(offset);
        let offset = if negative {
            let difference = self.types.ptrdiff_type();
            let offset = self.convert(offset, difference);
            match offset.kind {
                ExprKind::Int(value) => Expr::int(-value, difference),
                _ => Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(offset)), ty: difference },
            }
        } else {
            offset
        };
        if offset.is_zero() {
            return Ok(pointer);
        }
        let ty = pointer.ty;
        if matches!(self.types.get(to), Type::VariableArray { .. }) {
            // Rows of variable length: count in bytes.
            let char_type = self.types.int(IntKind::Char);
            let char_pointer = self.types.pointer(char_type);
            let difference = self.types.ptrdiff_type();
            let row = self.size_of(to);
            let (row, offset) = (self.convert(row, difference), self.convert(offset, difference));
            let bytes = self.arithmetic(BinaryOp::Mul, offset, row, difference);
            let base = self.convert(pointer, char_pointer);
            let moved = Expr {
                kind: ExprKind::Binary(BinaryOp::PointerAdd, Box::new(base), Box::new(bytes)),
                ty: char_pointer,
            };
            return Ok(self.convert(moved, ty));
        }
        // `&a[i] + j` is `&a[i + j]` for constants: keeps static initializers simple.
        if let ExprKind::AddressOf(place) = &pointer.kind
            && let Some(Projection::Index(index, element)) = place.projections.last()
            && let (Some(start), Some(offset)) = (index.as_int(), offset.as_int())
            && place.ty == to
        {
            let mut place = (**place).clone();
            let long = self.types.ptrdiff_type();
            let index_type = if i128::from((start + offset) as i32) == start + offset { index.ty } else { long };
            *place.projections.last_mut().expect("just seen") =
                Projection::Index(Box::new(Expr::int(start + offset, index_type)), *element);
            return Ok(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty });
        }
        Ok(Expr { kind: ExprKind::Binary(BinaryOp::PointerAdd, Box::new(pointer), Box::new(offset)), ty })
    }

    fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr) -> Result<Expr> {
        let value = self.expr(operand)?;
        self.set_span(operand.span);
        match op {
            ast::UnaryOp::Not => {
                let condition = self.truth(value, operand)?;
                // `!p` on a pointer or floating value stays a comparison with zero in C.
                let int = self.types.int(IntKind::Int);
                Ok(match condition.kind {
                    ExprKind::Int(value) => Expr::int(i128::from(value == 0), int),
                    _ => Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)), ty: int },
                })
            }
            _ if !self.types.is_arithmetic(value.ty) => self.error("this operator needs a number"),
            ast::UnaryOp::Plus => Ok(self.promote(value)),
            ast::UnaryOp::Minus | ast::UnaryOp::Complement => {
                self.refuse_wide_bit_field(&value)?;
                let value = self.promote(value);
                let core = if op == ast::UnaryOp::Minus { UnaryOp::Minus } else { UnaryOp::Complement };
                if core == UnaryOp::Complement && self.types.int_kind(value.ty).is_none() {
                    return self.error("`~` needs an integer");
                }
                let ty = value.ty;
                if let Some(number) = constant(&value)
                    && !arithmetic::negation_overflows(&self.types, core, number, ty)
                {
                    return Ok(match arithmetic::unary(&self.types, core, number, ty) {
                        Value::Int(number) => Expr::int(number, ty),
                        Value::Float(number) => Expr { kind: ExprKind::Float(number), ty },
                    });
                }
                Ok(Expr { kind: ExprKind::Unary(core, Box::new(value)), ty })
            }
        }
    }

    fn cast(&mut self, name: &ast::TypeName, operand: &ast::Expr) -> Result<Operand> {
        let target = self.type_name(name)?;
        if self.types.is_void(target) {
            self.discard(operand)?;
            let void = self.types.void();
            return Ok(Operand::Value(Expr { kind: ExprKind::Int(0), ty: void }));
        }
        let value = self.expr(operand)?;
        self.set_span(operand.span);
        if let Some(record) = self.types.record_id(target) {
            if value.ty == self.types.unqualified(target) {
                return Ok(Operand::Value(value));
            }
            return self.cast_to_union(record, target, value);
        }
        if !self.types.is_scalar(target) || !self.types.is_scalar(value.ty) {
            return self.error("this cast is not possible");
        }
        let float_pointer = (self.types.float_kind(target).is_some() && self.types.pointee(value.ty).is_some())
            || (self.types.pointee(target).is_some() && self.types.float_kind(value.ty).is_some());
        if float_pointer {
            return self.error("a cast between pointer and floating point");
        }
        // A cast to its own type still ends the special promotion of a bit-field.
        if value.ty == self.types.unqualified(target)
            && let ExprKind::Load(place) = &value.kind
            && self.bit_field(place).is_some()
        {
            let ty = value.ty;
            return Ok(Operand::Value(Expr { kind: ExprKind::Cast(Box::new(value)), ty }));
        }
        Ok(Operand::Value(self.convert(value, target)))
    }

    /// GNU: `(union u) value` builds a union from the member of that type.
    fn cast_to_union(&mut self, record: crate::il::RecordId, target: TypeId, value: Expr) -> Result<Operand> {
        let union = self.types.record(record);
        let field = union.fields.iter().position(|field| field.ty == value.ty);
        let (true, Some(index)) = (union.union, field) else {
            return self.error("this cast is not possible");
        };
        let temp = self.new_temp(target);
        let ty = value.ty;
        let mut member = temp.clone();
        member.projections.push(Projection::Field(record, index as u32));
        member.ty = ty;
        self.assign(member, value);
        Ok(Operand::Value(Expr::load(temp)))
    }

    /// `left && right`, `left || right`: the right side only if it is needed.
    fn logical(&mut self, left: &ast::Expr, right: &ast::Expr, and: bool) -> Result<Expr> {
        let int = self.types.int(IntKind::Int);
        let left_value = self.condition(left)?;
        if let Some(value) = left_value.as_int() {
            if (value != 0) != and {
                return Ok(Expr::int(i128::from(!and), int));
            }
            let right_value = self.condition(right)?;
            return Ok(self.boolean(right_value));
        }
        let (right_value, block) = self.in_block(|lowerer| lowerer.condition(right))?;
        let op = if and { BinaryOp::LogicalAnd } else { BinaryOp::LogicalOr };
        if block.is_empty() {
            return Ok(Expr { kind: ExprKind::Binary(op, Box::new(left_value), Box::new(right_value)), ty: int });
        }
        let result = self.new_temp(int);
        let (value, mut block) = self.in_block(|lowerer| {
            lowerer.code = block;
            Ok(lowerer.boolean(right_value))
        })?;
        block.push(crate::il::Stmt::new(StmtKind::Assign { to: result.clone(), value }, self.span));
        self.assign(result.clone(), Expr::int(i128::from(!and), int));
        let condition = if and { left_value } else { self.negate(left_value) };
        self.emit(StmtKind::If { condition, then: block, otherwise: Vec::new() });
        Ok(Expr::load(result))
    }

    /// 0 or 1 as `int`.
    fn boolean(&mut self, value: Expr) -> Expr {
        let int = self.types.int(IntKind::Int);
        match value.kind {
            ExprKind::Int(number) => Expr::int(i128::from(number != 0), int),
            ExprKind::Binary(
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr,
                ..,
            )
            | ExprKind::Unary(UnaryOp::Not, _) => value,
            _ => {
                let value = self.promote(value);
                let zero = self.zero(value.ty);
                Expr { kind: ExprKind::Binary(BinaryOp::Ne, Box::new(value), Box::new(zero)), ty: int }
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
    ) -> Result<Operand> {
        // `a ?: b` evaluates `a` once.
        let (condition_value, then_given) = match then {
            Some(_) => (self.condition(condition)?, None),
            None => {
                let value = self.expr(condition)?;
                let value = self.in_temp(value);
                (self.truth(value.clone(), condition)?, Some(value))
            }
        };
        // With a constant condition only the chosen branch counts, the other one gives its type.
        if let Some(value) = condition_value.as_int() {
            let given = |then_given: Option<Expr>| then_given.expect("set above");
            let (chosen, other) = match (value != 0, then) {
                (true, Some(then)) => (self.expr(then)?, self.speculate(|lowerer| lowerer.expr(otherwise))?),
                (true, None) => (given(then_given), self.speculate(|lowerer| lowerer.expr(otherwise))?),
                (false, Some(then)) => (self.expr(otherwise)?, self.speculate(|lowerer| lowerer.expr(then))?),
                (false, None) => (self.expr(otherwise)?, given(then_given)),
            };
            let result = self.conditional_type(&chosen, &other)?;
            return Ok(Operand::Value(self.convert(chosen, result)));
        }
        let (then_value, then_block) = self.in_block(|lowerer| match then {
            Some(then) => lowerer.expr(then),
            None => Ok(then_given.expect("set above")),
        })?;
        let (else_value, else_block) = self.in_block(|lowerer| lowerer.expr(otherwise))?;
        let result = self.conditional_type(&then_value, &else_value)?;
        if self.types.is_void(result) {
            self.emit_if(condition_value, then_block, else_block);
            return Ok(Operand::Value(Expr { kind: ExprKind::Int(0), ty: result }));
        }
        let (then_value, else_value) = (self.convert(then_value, result), self.convert(else_value, result));
        let pure = then_block.is_empty() && else_block.is_empty() && self.types.is_scalar(result);
        if pure {
            let kind = ExprKind::Conditional(Box::new(condition_value), Box::new(then_value), Box::new(else_value));
            return Ok(Operand::Value(Expr { kind, ty: result }));
        }
        let temp = self.new_temp(result);
        let finish = |lowerer: &mut Lowerer, mut block: Vec<crate::il::Stmt>, value: Expr| {
            block.push(crate::il::Stmt::new(StmtKind::Assign { to: temp.clone(), value }, lowerer.span));
            block
        };
        let then_block = finish(self, then_block, then_value);
        let else_block = finish(self, else_block, else_value);
        self.emit(StmtKind::If { condition: condition_value, then: then_block, otherwise: else_block });
        Ok(Operand::Value(Expr::load(temp)))
    }

    /// The type of `c ? then : otherwise` (C11 6.5.15).
    fn conditional_type(&mut self, then: &Expr, otherwise: &Expr) -> Result<TypeId> {
        let (then_type, else_type) = (self.promote(then.clone()).ty, self.promote(otherwise.clone()).ty);
        if then_type == else_type {
            return Ok(then_type);
        }
        if self.types.is_arithmetic(then_type) && self.types.is_arithmetic(else_type) {
            return Ok(self.common_type(then_type, else_type));
        }
        if self.types.is_void(then_type) || self.types.is_void(else_type) {
            return Ok(self.types.void());
        }
        match (self.types.pointee(then_type), self.types.pointee(else_type)) {
            (Some(a), Some(b)) => {
                // A null pointer constant takes the other type; `void *` swallows everything else.
                if self.is_null_constant(then) {
                    return Ok(else_type);
                }
                if self.is_null_constant(otherwise) {
                    return Ok(then_type);
                }
                // The result points to a type with the qualifiers of both.
                let base = if self.types.is_void(b) { self.types.unqualified(b) } else { self.types.unqualified(a) };
                let (constant, volatile) = (self.types.is_const(a) || self.types.is_const(b), false);
                let to = self.types.with_qualifiers(base, constant, volatile);
                Ok(self.types.pointer(to))
            }
            (Some(_), None) if self.types.int_kind(else_type).is_some() => Ok(then_type),
            (None, Some(_)) if self.types.int_kind(then_type).is_some() => Ok(else_type),
            _ => self.error("the two results of `?:` have types that do not go together"),
        }
    }

    fn is_null_constant(&self, value: &Expr) -> bool {
        value.is_zero() && self.types.pointee(value.ty).is_none_or(|to| self.types.is_void(to))
    }

    // ---- assignment ----

    /// Assigns an already lowered value, converted to the type of the place.
    pub(super) fn store(&mut self, place: Place, value: Expr) -> Result<()> {
        self.check_assignable(&place, &value)?;
        let value = self.convert(value, place.ty);
        self.assign_atomically(place, value)
    }

    /// An atomic object is written in a section of its own, so that no update of it can come in between when the
    /// printed program runs; elsewhere this is a plain assignment.
    pub(super) fn assign_atomically(&mut self, place: Place, value: Expr) -> Result<()> {
        if !self.types.is_atomic(place.ty) {
            self.assign(place, value);
            return Ok(());
        }
        let value = self.in_temp(value);
        self.emit_atomic(true)?;
        self.assign(place, value);
        self.emit_atomic(false)
    }

    fn check_assignable(&self, place: &Place, value: &Expr) -> Result<()> {
        let to = self.types.unqualified(place.ty);
        let fits = match (self.types.record_id(to), self.types.record_id(value.ty)) {
            (None, None) => self.types.is_scalar(to) && self.types.is_scalar(value.ty),
            (a, b) => a == b,
        };
        if !fits {
            return self.error("the value does not fit the type of what it is assigned to");
        }
        if self.types.float_kind(to) == Some(FloatKind::LongDouble) {
            return self.unsupported("a variable of type long double");
        }
        Ok(())
    }

    /// `place = expr`; a call stores its result directly.
    pub(super) fn store_expr(&mut self, place: Place, expr: &ast::Expr) -> Result<()> {
        if let ast::ExprKind::Call(callee, arguments) = &expr.kind {
            let value = self.call(expr, callee, arguments, Some(&place), true)?;
            // The call took the place as its target.
            if let ExprKind::Load(loaded) = &value.kind
                && **loaded == place
            {
                return Ok(());
            }
            return self.store(place, value);
        }
        if let ast::ExprKind::VaArg(list, name) = &expr.kind
            && self.type_name(name)? == place.ty
        {
            let list = self.place(list)?;
            self.emit(StmtKind::VaArg { to: place, list });
            return Ok(());
        }
        let value = self.expr(expr)?;
        self.set_span(expr.span);
        self.store(place, value)
    }

    fn assignment(
        &mut self,
        operator: Option<ast::BinaryOp>,
        left: &ast::Expr,
        right: &ast::Expr,
        wants_value: bool,
    ) -> Result<Operand> {
        let whole = left.span.to(right.span);
        let place = self.place(left)?;
        if matches!(self.types.get(place.ty), Type::Array(..) | Type::OpenArray(_) | Type::VariableArray { .. }) {
            return Err(Diagnostic::error(left.span, "an array cannot be assigned to"));
        }
        if self.types.is_const(place.ty) {
            return Err(Diagnostic::error(left.span, "this is const and cannot be assigned to"));
        }
        let void = self.types.void();
        let nothing = Operand::Value(Expr { kind: ExprKind::Int(0), ty: void });
        let Some(operator) = operator else {
            if !wants_value {
                self.set_span(whole);
                self.store_expr(place, right)?;
                return Ok(nothing);
            }
            let value = self.expr(right)?;
            self.set_span(whole);
            self.check_assignable(&place, &value)?;
            if self.types.record_id(place.ty).is_some() {
                self.assign(place.clone(), value);
                return Ok(Operand::Value(Expr::load(place)));
            }
            let value = self.convert(value, place.ty);
            let value = self.in_temp(value);
            self.assign_atomically(place.clone(), value.clone())?;
            return Ok(Operand::Value(self.stored_value(&place, value)));
        };
        let right_value = self.expr(right)?;
        self.set_span(whole);
        // The right side first: its own reads and side effects are not part of the update.
        let place = self.stabilize(place);
        let atomic = self.types.is_atomic(place.ty);
        let right_value = if atomic { self.in_temp(right_value) } else { right_value };
        self.update(place, atomic, wants_value, false, |lowerer, old| lowerer.binary(operator, old, right_value))
    }

    /// What an assignment to a bit-field yields is what the field holds.
    fn stored_value(&mut self, place: &Place, value: Expr) -> Expr {
        let Some(width) = self.bit_field(place) else { return value };
        let Some(kind) = self.types.int_kind(place.ty) else { return value };
        let ty = value.ty;
        if kind == IntKind::Bool {
            return value;
        }
        if let ExprKind::Int(number) = value.kind {
            return Expr::int(crate::il::types::wrap_bits(number, width, kind.signed()), ty);
        }
        // (value << k) >> k in the field's own type.
        let bits = kind.size(self.types.model) as u32 * 8;
        if width == bits {
            return value;
        }
        let shift = self.int_value(i128::from(bits - width));
        let unsigned = self.types.int(kind.to_unsigned());
        let raw = self.convert(value, unsigned);
        let left = Expr { kind: ExprKind::Binary(BinaryOp::Shl, Box::new(raw), Box::new(shift.clone())), ty: unsigned };
        let left = self.convert(left, ty);
        Expr { kind: ExprKind::Binary(BinaryOp::Shr, Box::new(left), Box::new(shift)), ty }
    }

    /// `place = f(place)`, as one atomic step for `_Atomic` objects. Yields the new value, or the old one.
    fn update(
        &mut self,
        place: Place,
        atomic: bool,
        wants_value: bool,
        wants_old: bool,
        compute: impl FnOnce(&mut Lowerer, Expr) -> Result<Expr>,
    ) -> Result<Operand> {
        if atomic {
            self.emit_atomic(true)?;
        }
        let old = self.load(place.clone());
        let old = if wants_old || atomic { self.in_temp(old) } else { old };
        let bit_width = self.bit_field(&place);
        let old_promoted = match bit_width {
            // A temporary forgets that it came from a bit-field, whose promotion depends on the width.
            Some(width) if wants_old => {
                let kind = self.types.int_kind(old.ty).unwrap_or(IntKind::Int);
                let ty = self.types.int(self.promoted_kind(kind, Some(width)));
                self.convert(old.clone(), ty)
            }
            // Stored back into the field, the result is the same whatever type it was computed in.
            Some(width) if width > 32 && !wants_value => {
                let ty = old.ty;
                Expr { kind: ExprKind::Cast(Box::new(old.clone())), ty }
            }
            _ => old.clone(),
        };
        let new = compute(self, old_promoted)?;
        self.check_assignable(&place, &new)?;
        let new = self.convert(new, place.ty);
        let new = if wants_value && !wants_old { self.in_temp(new) } else { new };
        self.assign(place.clone(), new.clone());
        if atomic {
            self.emit_atomic(false)?;
        }
        if wants_old {
            return Ok(Operand::Value(old));
        }
        Ok(Operand::Value(self.stored_value(&place, new)))
    }

    pub(super) fn emit_atomic(&mut self, begin: bool) -> Result<()> {
        let name = if begin { "__VERIFIER_atomic_begin" } else { "__VERIFIER_atomic_end" };
        let id = self.builtin_function(name)?;
        self.emit(StmtKind::Call { to: None, callee: Callee::Function(id), args: Vec::new() });
        Ok(())
    }

    fn increment(&mut self, operand: &ast::Expr, increment: bool, prefix: bool, wants_value: bool) -> Result<Expr> {
        let place = self.place(operand)?;
        self.set_span(operand.span);
        if !self.types.is_scalar(place.ty) {
            return self.error("`++` and `--` need a number or a pointer");
        }
        if self.types.is_const(place.ty) {
            return self.error("this is const and cannot be changed");
        }
        let place = self.stabilize(place);
        let atomic = self.types.is_atomic(place.ty);
        let one = self.int_value(1);
        let operator = if increment { ast::BinaryOp::Add } else { ast::BinaryOp::Sub };
        let wants_old = wants_value && !prefix;
        let operand =
            self.update(place, atomic, wants_value, wants_old, |lowerer, old| lowerer.binary(operator, old, one))?;
        Ok(self.value_of(operand))
    }

    /// Makes a place safe to use twice: pointers and indices that could change or be shared are read once.
    pub(super) fn stabilize(&mut self, mut place: Place) -> Place {
        if let Base::Deref(pointer) = place.base {
            let pointer = if self.is_stable(&pointer) { *pointer } else { self.in_temp(*pointer) };
            place.base = Base::Deref(Box::new(pointer));
        }
        for projection in &mut place.projections {
            if let Projection::Index(index, _) = projection
                && !self.is_stable(index)
            {
                let value = std::mem::replace(&mut **index, Expr::int(0, TypeId(0)));
                **index = self.in_temp(value);
            }
        }
        place
    }

    /// Reads nothing but locals that nobody else can know.
    fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => true,
            ExprKind::Load(place) => match (&place.base, place.projections.is_empty(), &self.body) {
                (Base::Local(id), true, Some(body)) => {
                    let name = &body.locals[id.0 as usize].name;
                    // A shadowing variable `x` is called `x_2` here.
                    let written = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
                    !body.address_taken.contains(name) && !body.address_taken.contains(written)
                }
                _ => false,
            },
            ExprKind::AddressOf(_) => is_constant(expr),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.is_stable(operand),
            ExprKind::Binary(_, left, right) => self.is_stable(left) && self.is_stable(right),
            ExprKind::Conditional(..) => false,
        }
    }

    // ---- the rest ----

    fn statement_expr(&mut self, items: &[ast::BlockItem]) -> Result<Operand> {
        let void = self.types.void();
        if self.is_outside() {
            return self.error("a statement expression outside of a function");
        }
        let last_value = match items.last() {
            Some(ast::BlockItem::Statement(ast::Stmt { kind: ast::StmtKind::Expr(Some(value)), .. })) => Some(value),
            _ => None,
        };
        let Some(value) = last_value else {
            let ((), block) = self.in_block(|lowerer| lowerer.scoped(items))?;
            self.emit_block(block);
            return Ok(Operand::Value(Expr { kind: ExprKind::Int(0), ty: void }));
        };
        // The result must outlive the block, so its temporary is declared outside; its type is known only inside.
        let slot = self.code.len();
        let (temp, block) = self.in_block(|lowerer| {
            lowerer.scopes.push(Scope::default());
            for item in &items[..items.len() - 1] {
                lowerer.block_item(item)?;
            }
            let result = lowerer.expr(value)?;
            let temp = if lowerer.types.is_void(result.ty) {
                None
            } else {
                lowerer.body().next_temp += 1;
                let name = format!("t{}", lowerer.body().next_temp);
                let ty = lowerer.types.unqualified(result.ty);
                let id = lowerer.new_local(&name, ty);
                lowerer.assign(Place::local(id, ty), result);
                Some((id, ty))
            };
            lowerer.scopes.pop();
            Ok(temp)
        })?;
        let Some((id, ty)) = temp else {
            self.emit_block(block);
            return Ok(Operand::Value(Expr { kind: ExprKind::Int(0), ty: void }));
        };
        self.code.insert(slot, crate::il::Stmt::new(StmtKind::Declare(id), self.span));
        self.emit_block(block);
        Ok(Operand::Value(Expr::load(Place::local(id, ty))))
    }

    fn generic(&mut self, control: &ast::Expr, associations: &[(Option<ast::TypeName>, ast::Expr)]) -> Result<Operand> {
        let ty = self.speculate(|lowerer| lowerer.expr(control).map(|value| value.ty))?;
        let ty = self.types.unqualified(ty);
        let mut fallback = None;
        for (name, expr) in associations {
            match name {
                None => fallback = Some(expr),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    if self.types.compatible(self.types.unqualified(candidate), ty) {
                        return self.operand(expr);
                    }
                }
            }
        }
        match fallback {
            Some(expr) => self.operand(expr),
            None => self.error("no association of this `_Generic` fits the type"),
        }
    }

    fn offset_of(&mut self, name: &ast::TypeName, path: &[Designator]) -> Result<Expr> {
        let mut ty = self.type_name(name)?;
        let size_type = self.types.size_type();
        let mut offset = Expr::int(0, size_type);
        for step in path {
            match step {
                Designator::Member(member, span) => {
                    let found = self.types.record_id(ty).and_then(|record| self.types.find_field(record, member));
                    let Some(fields) = found else {
                        return Err(Diagnostic::error(*span, format!("there is no member `{member}` here")));
                    };
                    for field in fields {
                        let record = self.types.record_id(ty).expect("the path goes through records");
                        let field = self.types.record(record).fields[field as usize].clone();
                        let here = Expr::int(i128::from(field.offset), size_type);
                        offset = self.arithmetic(BinaryOp::Add, offset, here, size_type);
                        ty = field.ty;
                    }
                }
                Designator::Index(index) => {
                    let Some(element) = self.types.element(ty) else {
                        return Err(Diagnostic::error(index.span, "this is no array"));
                    };
                    let index = self.expr(index)?;
                    let index = self.convert(index, size_type);
                    let size = self.size_of(element);
                    let here = self.arithmetic(BinaryOp::Mul, index, size, size_type);
                    offset = self.arithmetic(BinaryOp::Add, offset, here, size_type);
                    ty = element;
                }
                Designator::Range(..) => return self.error("a range in `offsetof`"),
            }
        }
        Ok(offset)
    }

    fn va_arg(&mut self, list: &ast::Expr, name: &ast::TypeName) -> Result<Expr> {
        let list = self.place(list)?;
        let ty = self.type_name(name)?;
        let temp = self.new_temp(ty);
        self.emit(StmtKind::VaArg { to: temp.clone(), list });
        Ok(Expr::load(temp))
    }
}

pub(super) fn constant(expr: &Expr) -> Option<Value> {
    match expr.kind {
        ExprKind::Int(value) => Some(Value::Int(value)),
        ExprKind::Float(value) => Some(Value::Float(value)),
        _ => None,
    }
}

fn never_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Function(_) | ExprKind::Str(_) => true,
        ExprKind::AddressOf(place) => matches!(place.base, Base::Global(_) | Base::Local(_)),
        _ => false,
    }
}

fn core_operator(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Rem => BinaryOp::Rem,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Shl => BinaryOp::Shl,
        ast::BinaryOp::Shr => BinaryOp::Shr,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
    }
}
