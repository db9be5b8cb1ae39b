//! Expressions as terms: exact arithmetic of the C types.

use super::super::memory::kind_of;
use super::super::range::Kind;
use super::super::term::{Op, TermId, Terms};
use super::{Executor, State};
use crate::diagnostic::Result;
use crate::il::arithmetic::{self, Value};
use crate::il::interpret::FailureKind;
use crate::il::{BinaryOp, Expr, ExprKind, FloatKind, IntKind, Program, TypeId, UnaryOp};

impl Executor<'_> {
    // ---- expressions ----

    /// The value as a truth value.
    pub(super) fn condition(&mut self, state: &mut State, expr: &Expr, guard: TermId) -> Result<TermId> {
        let value = self.eval(state, expr, guard)?;
        self.truth_of(value, expr.ty)
    }

    pub(super) fn truth_of(&mut self, value: TermId, ty: TypeId) -> Result<TermId> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            // Not zero: neither of the two zeros.
            let bits = if kind == FloatKind::Float { 31 } else { 63 };
            let magnitude = self.terms.cast(value, Kind::unsigned(bits));
            return Ok(self.terms.is_true(magnitude));
        }
        Ok(self.terms.is_true(value))
    }

    /// A value as memory holds it: for floating point numbers, `eval` gives their bits already.
    pub(super) fn raw(&mut self, value: TermId, ty: TypeId) -> TermId {
        let kind = kind_of(&self.program.types, ty);
        self.terms.cast(value, kind)
    }

    pub(super) fn kind(&self, ty: TypeId) -> Kind {
        match self.program.types.int_kind(ty) {
            Some(IntKind::Bool) => Kind::BOOL,
            _ => kind_of(&self.program.types, ty),
        }
    }

    pub(super) fn eval(&mut self, state: &mut State, expr: &Expr, guard: TermId) -> Result<TermId> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.terms.constant(*value)),
            ExprKind::Float(value) => {
                let bits = float_bits(self.program, expr.ty, *value);
                Ok(self.terms.constant(bits))
            }
            ExprKind::Str(id) => {
                let base = self.memory.objects[self.memory.strings + id.0 as usize].base;
                Ok(self.terms.constant(base))
            }
            ExprKind::Function(_) => {
                let set = self.points_to.value(self.function, expr);
                let object = set.iter().next().expect("a function is an object");
                Ok(self.terms.constant(self.memory.objects[object].base))
            }
            ExprKind::Load(place) => self.load_place(state, place, guard),
            ExprKind::AddressOf(place) => Ok(self.locate(state, place, guard, true)?.address),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(state, operand, guard)?;
                self.encodes(state, operand, value);
                if *op == UnaryOp::Minus && self.program.types.int_kind(expr.ty).is_some() {
                    let zero = self.terms.constant(0);
                    self.must_fit(state, guard, BinaryOp::Sub, (zero, value), expr.ty);
                }
                self.unary(*op, value, operand.ty, expr.ty)
            }
            ExprKind::Binary(op, left, right) => self.binary(state, *op, left, right, expr.ty, guard),
            ExprKind::Cast(operand) => {
                let value = self.eval(state, operand, guard)?;
                let types = &self.program.types;
                if types.is_scalar(expr.ty) && types.size(expr.ty) < types.size(operand.ty) {
                    self.encodes(state, operand, value);
                }
                if let Some(number) = self.known_float(value, operand.ty)
                    && arithmetic::conversion_overflows(&self.program.types, Value::Float(number), expr.ty)
                {
                    let never = self.terms.truth(false);
                    if self.property.looks_for(FailureKind::Overflow) {
                        self.must(state, guard, never, FailureKind::Overflow);
                    }
                }
                self.convert(value, operand.ty, expr.ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(state, condition, guard)?;
                let not = self.terms.not(condition);
                let (yes, no) = (self.terms.and(guard, condition), self.terms.and(guard, not));
                if self.terms.as_constant(condition) == Some(0) {
                    return self.eval(state, otherwise, no);
                }
                if self.terms.as_constant(condition).is_some() {
                    return self.eval(state, then, yes);
                }
                let then = self.eval(state, then, yes)?;
                let otherwise = self.eval(state, otherwise, no)?;
                Ok(self.terms.choose(condition, then, otherwise))
            }
        }
    }

    /// Arithmetic on an address gives a number that does not look like one any more, but may become one again: what
    /// it points to counts as known to others from here on.
    fn encodes(&mut self, state: &mut State, operand: &Expr, value: TermId) {
        if !state.fresh.is_empty() {
            let pointed = self.points_to.value(self.function, operand);
            if state.fresh.iter().any(|object| pointed.contains(*object)) {
                self.leak(state, value);
            }
        }
    }

    /// A floating point number that is known.
    pub(super) fn known_float(&self, value: TermId, ty: TypeId) -> Option<f64> {
        let bits = self.terms.as_constant(value)?;
        Some(match self.program.types.float_kind(ty)? {
            FloatKind::Float => f64::from(f32::from_bits(bits as u32)),
            FloatKind::Double | FloatKind::LongDouble => f64::from_bits(bits as u64),
        })
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: TermId, from: TypeId, to: TypeId) -> Result<TermId> {
        if self.program.types.float_kind(from).is_some() {
            return match op {
                UnaryOp::Not => {
                    let truth = self.truth_of(value, from)?;
                    Ok(self.terms.not(truth))
                }
                UnaryOp::Minus => {
                    let kind = kind_of(&self.program.types, from);
                    let sign = self.terms.constant(1 << (kind.bits - 1));
                    Ok(self.terms.binary(Op::BitXor, value, sign, kind))
                }
                UnaryOp::Complement => unreachable!("an integer operator"),
            };
        }
        let kind = self.kind(to);
        Ok(match op {
            UnaryOp::Minus => {
                let zero = self.terms.constant(0);
                self.terms.binary(Op::Sub, zero, value, kind)
            }
            UnaryOp::Complement => {
                let minus_one = self.terms.constant(-1);
                self.terms.binary(Op::Sub, minus_one, value, kind)
            }
            UnaryOp::Not => {
                let truth = self.terms.is_true(value);
                self.terms.not(truth)
            }
        })
    }

    pub(super) fn convert(&mut self, value: TermId, from: TypeId, to: TypeId) -> Result<TermId> {
        let types = &self.program.types;
        let (from_float, to_float) = (types.float_kind(from), types.float_kind(to));
        if from_float.is_some() || to_float.is_some() {
            if from == to {
                return Ok(value);
            }
            if types.is_void(to) {
                return Ok(value);
            }
            let known = match from_float {
                Some(_) => self.known_float(value, from).map(Value::Float),
                None => self.terms.as_constant(value).map(Value::Int),
            };
            if let Some(known) = known {
                let bits = match arithmetic::convert(types, known, to) {
                    Value::Int(value) => value,
                    Value::Float(value) => float_bits(self.program, to, value),
                };
                return Ok(self.terms.constant(bits));
            }
            if from_float.is_some() && types.int_kind(to) == Some(IntKind::Bool) {
                return self.truth_of(value, from);
            }
            return self.unsupported("the conversion of a floating point number that depends on the execution");
        }
        if types.int_kind(to) == Some(IntKind::Bool) {
            return Ok(self.terms.is_true(value));
        }
        if types.is_void(to) {
            return Ok(value);
        }
        let kind = kind_of(types, to);
        Ok(self.terms.cast(value, kind))
    }

    /// The result fits its type, where C leaves anything else undefined: as `arithmetic::overflow` has it.
    fn must_fit(&mut self, state: &mut State, guard: TermId, op: BinaryOp, (a, b): (TermId, TermId), to: TypeId) {
        let Some(int) = self.program.types.int_kind(to) else { return };
        if !self.property.looks_for(FailureKind::Overflow) {
            return;
        }
        let kind = self.kind(to);
        // Enough for the product of any two numbers.
        let wide = Kind { bits: 127, signed: true };
        let terms = &mut self.terms;
        let exact = |op: fn(TermId, TermId) -> Op, terms: &mut Terms, a, b| terms.binary(op, a, b, wide);
        let fine = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if int.signed() => {
                let result = match op {
                    BinaryOp::Add => exact(Op::Add, terms, a, b),
                    BinaryOp::Sub => exact(Op::Sub, terms, a, b),
                    _ if terms.as_constant(a).is_some() => exact(Op::Mul, terms, b, a),
                    _ => exact(Op::Mul, terms, a, b),
                };
                fits(terms, result, kind)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let (zero, bits) = (terms.constant(0), terms.constant(i128::from(kind.bits)));
                let negative = terms.less(b, zero);
                let some = terms.not(negative);
                let few = terms.less(b, bits);
                let mut fine = terms.and(some, few);
                if op == BinaryOp::Shl && int.signed() {
                    let negative = terms.less(a, zero);
                    let positive = terms.not(negative);
                    let mask = terms.constant(i128::from(kind.bits) - 1);
                    let count = terms.binary(Op::BitAnd, b, mask, Kind::unsigned(8));
                    let result = exact(Op::Shl, terms, a, count);
                    let result = fits(terms, result, kind);
                    fine = terms.and(fine, positive);
                    fine = terms.and(fine, result);
                }
                fine
            }
            _ => return,
        };
        self.must(state, guard, fine, FailureKind::Overflow);
    }

    pub(super) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        to: TypeId,
        guard: TermId,
    ) -> Result<TermId> {
        if let BinaryOp::LogicalAnd | BinaryOp::LogicalOr = op {
            let a = self.condition(state, left, guard)?;
            let needed = if op == BinaryOp::LogicalAnd { a } else { self.terms.not(a) };
            let inner = self.terms.and(guard, needed);
            if self.terms.as_constant(needed) == Some(0) {
                return Ok(a);
            }
            let b = self.condition(state, right, inner)?;
            return Ok(if op == BinaryOp::LogicalAnd { self.terms.and(a, b) } else { self.terms.or(a, b) });
        }
        let a = self.eval(state, left, guard)?;
        let b = self.eval(state, right, guard)?;
        let types = &self.program.types;
        if types.float_kind(left.ty).is_some() {
            let (Some(x), Some(y)) = (self.known_float(a, left.ty), self.known_float(b, right.ty)) else {
                return self.unsupported("arithmetic on floating point numbers that depend on the execution");
            };
            let value = arithmetic::binary(types, op, Value::Float(x), Value::Float(y), left.ty, to, 1);
            let bits = match value {
                Ok(Value::Int(value)) => value,
                Ok(Value::Float(value)) => float_bits(self.program, to, value),
                Err(_) => 0,
            };
            return Ok(self.terms.constant(bits));
        }
        match op {
            BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr => {}
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitXor
            | BinaryOp::BitOr => {
                self.encodes(state, left, a);
                self.encodes(state, right, b);
                self.must_fit(state, guard, op, (a, b), to);
            }
        }
        let kind = self.kind(to);
        let terms = &mut self.terms;
        let types = &self.program.types;
        Ok(match op {
            BinaryOp::Add => terms.binary(Op::Add, a, b, kind),
            BinaryOp::Sub => terms.binary(Op::Sub, a, b, kind),
            BinaryOp::Mul => {
                let constant_left = terms.as_constant(a).is_some();
                if constant_left { terms.binary(Op::Mul, b, a, kind) } else { terms.binary(Op::Mul, a, b, kind) }
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = terms.constant(0);
                let by_zero = terms.equal(b, zero);
                let mut fine = terms.not(by_zero);
                if kind.signed {
                    let (least, minus_one) = (terms.constant(kind.min()), terms.constant(-1));
                    let overflows = terms.equal(a, least);
                    let negates = terms.equal(b, minus_one);
                    let overflows = terms.and(overflows, negates);
                    let fits = terms.not(overflows);
                    fine = terms.and(fine, fits);
                }
                self.must(state, guard, fine, FailureKind::DivisionByZero);
                let make = if op == BinaryOp::Div { Op::Div } else { Op::Rem };
                self.terms.binary(make, a, b, kind)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = types.size(left.ty) as i128 * 8;
                let mask = terms.constant(bits - 1);
                let count = terms.binary(Op::BitAnd, b, mask, Kind::unsigned(8));
                terms.binary(if op == BinaryOp::Shl { Op::Shl } else { Op::Shr }, a, count, kind)
            }
            BinaryOp::BitAnd => terms.binary(Op::BitAnd, a, b, kind),
            BinaryOp::BitXor => terms.binary(Op::BitXor, a, b, kind),
            BinaryOp::BitOr => terms.binary(Op::BitOr, a, b, kind),
            BinaryOp::Lt => terms.less(a, b),
            BinaryOp::Le => terms.less_or_equal(a, b),
            BinaryOp::Gt => terms.less(b, a),
            BinaryOp::Ge => terms.less_or_equal(b, a),
            BinaryOp::Eq => terms.equal(a, b),
            BinaryOp::Ne => {
                let equal = terms.equal(a, b);
                terms.not(equal)
            }
            BinaryOp::PointerAdd => {
                let size = types.pointee(left.ty).map_or(1, |to| types.size(to));
                let size = terms.constant(i128::from(size));
                let offset = terms.binary(Op::Mul, b, size, Kind { bits: 80, signed: true });
                terms.binary(Op::Add, a, offset, kind)
            }
            BinaryOp::PointerSub => {
                let size = types.pointee(left.ty).map_or(1, |to| types.size(to)).max(1);
                let size = terms.constant(i128::from(size));
                let signed = Kind { bits: types.size(left.ty) as u32 * 8, signed: true };
                let bytes = terms.binary(Op::Sub, a, b, signed);
                terms.binary(Op::Div, bytes, size, kind)
            }
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => unreachable!("handled above"),
        })
    }
}

/// Is the number in the range of a kind?
fn fits(terms: &mut Terms, number: TermId, kind: Kind) -> TermId {
    let (least, most) = (terms.constant(kind.min()), terms.constant(kind.max()));
    let (low, high) = (terms.less(number, least), terms.less(most, number));
    let (low, high) = (terms.not(low), terms.not(high));
    terms.and(low, high)
}

/// A floating point number as memory holds it.
pub(super) fn float_bits(program: &Program, ty: TypeId, value: f64) -> i128 {
    match program.types.float_kind(ty) {
        Some(FloatKind::Float) => i128::from((value as f32).to_bits()),
        _ => i128::from(value.to_bits()),
    }
}
