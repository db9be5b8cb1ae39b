//! Exact arithmetic on constants of the C types; the front end folds with it and the interpreter computes with it.

use super::types::wrap_bits;
use super::{BinaryOp, FloatKind, Type, TypeId, Types, UnaryOp};

/// A scalar value. Integers and pointers are kept in the range of their type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
}

impl Value {
    pub fn is_true(self) -> bool {
        match self {
            Value::Int(value) => value != 0,
            Value::Float(value) => value != 0.0,
        }
    }

    pub fn as_int(self) -> i128 {
        match self {
            Value::Int(value) => value,
            Value::Float(value) => value as i128,
        }
    }

    pub fn as_float(self) -> f64 {
        match self {
            Value::Int(value) => value as f64,
            Value::Float(value) => value,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    DivisionByZero,
    /// `INT_MIN / -1`
    DivisionOverflow,
}

/// Reduces an integer to the range of an integer or pointer type.
pub fn wrap(types: &Types, value: i128, ty: TypeId) -> i128 {
    match types.get(types.unqualified(ty)) {
        Type::Int(kind) => kind.wrap(value, types.model),
        _ => wrap_bits(value, types.model.pointer_size() as u32 * 8, false),
    }
}

/// Conversion of a scalar value to a type (C11 6.3).
pub fn convert(types: &Types, value: Value, to: TypeId) -> Value {
    if let Some(kind) = types.float_kind(to) {
        let value = match value {
            Value::Float(value) => value,
            // Rounding an integer to float directly: through double would round twice.
            Value::Int(value) if kind == FloatKind::Float => return Value::Float(f64::from(value as f32)),
            Value::Int(value) => value as f64,
        };
        return Value::Float(round(kind, value));
    }
    let is_bool = types.int_kind(to) == Some(super::IntKind::Bool);
    match value {
        Value::Float(value) if is_bool => Value::Int(i128::from(value != 0.0)),
        // What x86-64 gcc does for values out of range is undefined anyway.
        Value::Float(value) => Value::Int(wrap(types, value as i128, to)),
        Value::Int(value) => Value::Int(wrap(types, value, to)),
    }
}

fn round(kind: FloatKind, value: f64) -> f64 {
    match kind {
        FloatKind::Float => f64::from(value as f32),
        FloatKind::Double | FloatKind::LongDouble => value,
    }
}

pub fn unary(types: &Types, op: UnaryOp, value: Value, ty: TypeId) -> Value {
    match (op, value) {
        (UnaryOp::Minus, Value::Int(value)) => Value::Int(wrap(types, value.wrapping_neg(), ty)),
        (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
        (UnaryOp::Complement, value) => Value::Int(wrap(types, !value.as_int(), ty)),
        (UnaryOp::Not, value) => Value::Int(i128::from(!value.is_true())),
    }
}

/// `operand` is the common type of both operands (for shifts: of the left one), `result` that of the result.
/// Pointer arithmetic takes `element_size`.
pub fn binary(
    types: &Types,
    op: BinaryOp,
    left: Value,
    right: Value,
    operand: TypeId,
    result: TypeId,
    element_size: u64,
) -> Result<Value, Fault> {
    if types.float_kind(operand).is_some() {
        return float_binary(types, op, left.as_float(), right.as_float(), result);
    }
    let (a, b) = (left.as_int(), right.as_int());
    let truth = |value: bool| Ok(Value::Int(i128::from(value)));
    let bits = types.size(operand) as u32 * 8;
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem => {
            if b == 0 {
                return Err(Fault::DivisionByZero);
            }
            let quotient = a / b;
            if wrap(types, quotient, result) != quotient {
                return Err(Fault::DivisionOverflow);
            }
            if op == BinaryOp::Div { quotient } else { a % b }
        }
        // Out of range counts are undefined; x86 takes them modulo the width.
        BinaryOp::Shl => a << (b as u32 & (bits - 1)),
        BinaryOp::Shr => a >> (b as u32 & (bits - 1)),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Lt => return truth(a < b),
        BinaryOp::Le => return truth(a <= b),
        BinaryOp::Gt => return truth(a > b),
        BinaryOp::Ge => return truth(a >= b),
        BinaryOp::Eq => return truth(a == b),
        BinaryOp::Ne => return truth(a != b),
        BinaryOp::LogicalAnd => return truth(a != 0 && b != 0),
        BinaryOp::LogicalOr => return truth(a != 0 || b != 0),
        BinaryOp::PointerAdd => a + b * i128::from(element_size),
        BinaryOp::PointerSub => wrap_bits(a - b, bits, true) / i128::from(element_size.max(1)),
    };
    Ok(Value::Int(wrap(types, value, result)))
}

/// What C leaves undefined about an operation on integers, beside division: a result that its type cannot hold, and shifts
/// (C11 6.5p5, 6.5.7). Unsigned arithmetic wraps, and pointers are not numbers.
pub fn overflow(types: &Types, op: BinaryOp, left: Value, right: Value, result: TypeId) -> Option<&'static str> {
    let kind = types.int_kind(result)?;
    let (Value::Int(a), Value::Int(b)) = (left, right) else { return None };
    let fits = |value: i128| kind.wrap(value, types.model) == value;
    let bits = types.size(result) as i128 * 8;
    match op {
        BinaryOp::Add if kind.signed() && !fits(a + b) => Some("the sum does not fit its type"),
        BinaryOp::Sub if kind.signed() && !fits(a - b) => Some("the difference does not fit its type"),
        BinaryOp::Mul if kind.signed() && !a.checked_mul(b).is_some_and(fits) => {
            Some("the product does not fit its type")
        }
        BinaryOp::Shl | BinaryOp::Shr if !(0..bits).contains(&b) => {
            Some("the number of places to shift is negative or too large")
        }
        BinaryOp::Shl if kind.signed() && (a < 0 || !fits(a << b)) => Some("the shifted value does not fit its type"),
        _ => None,
    }
}

/// Likewise for an operation on one number.
pub fn negation_overflows(types: &Types, op: UnaryOp, value: Value, result: TypeId) -> bool {
    match (op, value, types.int_kind(result)) {
        (UnaryOp::Minus, Value::Int(value), Some(kind)) => kind.signed() && kind.wrap(-value, types.model) != -value,
        _ => false,
    }
}

/// Likewise for the conversion of a floating point number to an integer (C11 6.3.1.4).
pub fn conversion_overflows(types: &Types, value: Value, to: TypeId) -> bool {
    match (value, types.int_kind(to)) {
        (Value::Float(_), Some(super::IntKind::Bool)) => false,
        (Value::Float(value), Some(kind)) => {
            value.is_nan() || value.abs() > 1e30 || kind.wrap(value as i128, types.model) != value as i128
        }
        _ => false,
    }
}

fn float_binary(types: &Types, op: BinaryOp, a: f64, b: f64, result: TypeId) -> Result<Value, Fault> {
    let truth = |value: bool| Ok(Value::Int(i128::from(value)));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Lt => return truth(a < b),
        BinaryOp::Le => return truth(a <= b),
        BinaryOp::Gt => return truth(a > b),
        BinaryOp::Ge => return truth(a >= b),
        BinaryOp::Eq => return truth(a == b),
        BinaryOp::Ne => return truth(a != b),
        BinaryOp::LogicalAnd => return truth(a != 0.0 && b != 0.0),
        BinaryOp::LogicalOr => return truth(a != 0.0 || b != 0.0),
        BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr
        | BinaryOp::PointerAdd
        | BinaryOp::PointerSub => unreachable!("integer operator should not have floating operands"),
    };
    let kind = types.float_kind(result).unwrap_or(FloatKind::Double);
    Ok(Value::Float(round(kind, value)))
}
