//! Constants: what an expression is worth when some locals are known.
//!
//! A constant is an expression that reads no memory: a number, or the address of a variable or function.

use crate::il::arithmetic::{self, Value};
use crate::il::{AccessKind, Base, BinaryOp, Expr, ExprKind, Place, Projection, TypeId, Types, UnaryOp, walk};

/// Reads no memory.
pub fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    walk::expressions(expr, &mut |inner| constant &= !matches!(inner.kind, ExprKind::Load(_)));
    constant
}

fn number(expr: &Expr) -> Option<Value> {
    match expr.kind {
        ExprKind::Int(value) => Some(Value::Int(value)),
        ExprKind::Float(value) => Some(Value::Float(value)),
        _ => None,
    }
}

fn literal(value: Value, ty: TypeId) -> Expr {
    match value {
        Value::Int(value) => Expr::int(value, ty),
        Value::Float(value) => Expr { kind: ExprKind::Float(value), ty },
    }
}

/// Is the condition known to hold, or known not to?
pub fn truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => number(expr).map(Value::is_true),
        ExprKind::Function(_) | ExprKind::Str(_) => Some(true),
        ExprKind::AddressOf(place) => names_variable(place).then_some(true),
        ExprKind::Cast(inner) if keeps_address(inner) => truth(inner),
        _ => None,
    }
}

fn keeps_address(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Function(_) | ExprKind::Str(_) | ExprKind::AddressOf(_) => true,
        ExprKind::Cast(inner) => keeps_address(inner),
        _ => false,
    }
}

fn names_variable(place: &Place) -> bool {
    match place.base {
        Base::Global(_) | Base::Local(_) => true,
        Base::Deref(_) => false,
    }
}

pub fn unary(types: &Types, op: UnaryOp, operand: Expr, ty: TypeId) -> Expr {
    if let Some(value) = number(&operand)
        && !arithmetic::negation_overflows(types, op, value, ty)
    {
        return literal(arithmetic::unary(types, op, value, ty), ty);
    }
    match (op, truth(&operand)) {
        (UnaryOp::Not, Some(holds)) => Expr::int(i128::from(!holds), ty),
        _ => Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty },
    }
}

pub fn binary(types: &Types, op: BinaryOp, left: Expr, right: Expr, ty: TypeId) -> Expr {
    if let BinaryOp::LogicalAnd | BinaryOp::LogicalOr = op {
        let decides = op == BinaryOp::LogicalOr;
        match (truth(&left), truth(&right)) {
            (Some(holds), _) if holds == decides => return Expr::int(i128::from(decides), ty),
            (Some(_), Some(holds)) => return Expr::int(i128::from(holds), ty),
            _ => {}
        }
    } else if let (Some(a), Some(b)) = (number(&left), number(&right)) {
        let element = types.pointee(left.ty).map_or(1, |element| types.size(element).max(1));
        // What is undefined stays as it is: it may be looked for.
        if let (Ok(value), None) =
            (arithmetic::binary(types, op, a, b, left.ty, ty, element), arithmetic::overflow(types, op, a, b, ty))
        {
            return literal(value, ty);
        }
    } else if let (BinaryOp::Eq | BinaryOp::Ne, Some(equal)) = (op, same_address(&left, &right)) {
        return Expr::int(i128::from(equal == (op == BinaryOp::Eq)), ty);
    } else if op == BinaryOp::PointerAdd
        && let Some(moved) = moved_address(types, &left, &right, ty)
    {
        return moved;
    }
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty }
}

/// Are two addresses known to be equal, or to differ?
fn same_address(left: &Expr, right: &Expr) -> Option<bool> {
    let (left, right) = (without_casts(left), without_casts(right));
    match (&left.kind, &right.kind) {
        (ExprKind::Function(a), ExprKind::Function(b)) => Some(a == b),
        (ExprKind::AddressOf(a), ExprKind::AddressOf(b)) if a == b => Some(true),
        (ExprKind::AddressOf(a), ExprKind::AddressOf(b)) => {
            let whole = |place: &Place| place.projections.is_empty() && names_variable(place);
            (whole(a) && whole(b) && a.base != b.base).then_some(false)
        }
        (_, ExprKind::Int(0)) if keeps_address(left) => truth(left).map(|nonnull| !nonnull),
        (ExprKind::Int(0), _) if keeps_address(right) => truth(right).map(|nonnull| !nonnull),
        _ => None,
    }
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) if keeps_address(inner) => without_casts(inner),
        _ => expr,
    }
}

/// `&a[c] + i` is `&a[c + i]`, if `a` is a whole variable: an array in a structure or matrix ends before its object does, and
/// a pointer may go on there.
fn moved_address(types: &Types, pointer: &Expr, index: &Expr, ty: TypeId) -> Option<Expr> {
    let ExprKind::AddressOf(place) = &pointer.kind else { return None };
    let (Projection::Index(start, element), outer) = place.projections.split_last()? else { return None };
    let whole = outer.is_empty() && names_variable(place);
    if types.pointee(pointer.ty) != Some(*element) || !whole || types.element(*element).is_some() {
        return None;
    }
    let sum = match (start.as_int()?, index.as_int()) {
        (start, Some(index_value)) => Expr::int(arithmetic::wrap(types, start + index_value, index.ty), index.ty),
        (0, None) => index.clone(),
        (_, None) => return None,
    };
    let mut place = (**place).clone();
    *place.projections.last_mut().expect("it has one") = Projection::Index(Box::new(sum), *element);
    Some(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty })
}

pub fn cast(types: &Types, operand: Expr, ty: TypeId) -> Expr {
    if operand.ty == ty {
        return operand;
    }
    if let Some(value) = number(&operand)
        && (types.is_arithmetic(ty) || matches!(operand.kind, ExprKind::Int(_)) && types.pointee(ty).is_some())
        && !arithmetic::conversion_overflows(types, value, ty)
    {
        return literal(arithmetic::convert(types, value, ty), ty);
    }
    // A pointer through other pointer types is the pointer itself.
    if let ExprKind::Cast(inner) = &operand.kind
        && types.pointee(operand.ty).is_some()
        && types.pointee(ty).is_some()
        && types.pointee(inner.ty).is_some()
    {
        return cast(types, (**inner).clone(), ty);
    }
    Expr { kind: ExprKind::Cast(Box::new(operand)), ty }
}

/// `(*&p).f` is `p.f`.
pub fn deref(types: &Types, pointer: Expr, mut projections: Vec<Projection>, ty: TypeId, access: AccessKind) -> Place {
    if let ExprKind::AddressOf(inner) = &pointer.kind {
        let target = types.pointee(pointer.ty);
        let fits = if projections.is_empty() { ty == inner.ty } else { target == Some(inner.ty) };
        if fits {
            let mut place = (**inner).clone();
            place.projections.append(&mut projections);
            return Place { ty, access, ..place };
        }
    }
    Place { base: Base::Deref(Box::new(pointer)), projections, ty, access }
}
