//! Memory that was freed may be given out again, at the same address. A program can tell where it compares pointers, or
//! makes numbers of them: a compare-and-swap then takes a new block for the old one (the ABA problem).

use super::points_to::{Object, PointsTo, points_to};
use crate::diagnostic::Span;
use crate::il::{BinaryOp, Expr, ExprKind, FunctionId, FunctionKind, IntKind, Operation, Program, StmtKind, walk};

/// The first place where the program can tell; none if it frees nothing.
pub fn where_told(program: &Program) -> Option<Span> {
    let mut frees = false;
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return };
            frees |= matches!(program.operation(callee), Some(Operation::Free | Operation::Realloc));
        });
    }
    if !frees {
        return None;
    }
    let points_to = points_to(program);
    let mut found = None;
    for (index, function) in program.functions.iter().enumerate() {
        if !matches!(function.kind, FunctionKind::Defined) {
            continue;
        }
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            if found.is_some() {
                return;
            }
            let mut look = |expr: &Expr| {
                walk::expressions(expr, &mut |inner| {
                    if tells(program, &points_to, id, inner) {
                        found = Some(stmt.span);
                    }
                });
            };
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }
    found
}

fn tells(program: &Program, points_to: &PointsTo, function: FunctionId, expr: &Expr) -> bool {
    let types = &program.types;
    let blocks = |expr: &Expr| {
        let targets = points_to.value(function, expr);
        targets.iter().filter(|object| matches!(points_to.objects[*object], Object::Heap(..))).collect::<Vec<_>>()
    };
    match &expr.kind {
        ExprKind::Binary(op, left, right) => {
            let compares = match op {
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => true,
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
                | BinaryOp::PointerAdd
                | BinaryOp::PointerSub => false,
            };
            compares && types.pointee(left.ty).is_some() && !blocks(left).is_empty() && !blocks(right).is_empty()
        }
        ExprKind::Cast(inner) => {
            let number = types.int_kind(expr.ty).is_some_and(|kind| kind != IntKind::Bool);
            number && types.pointee(inner.ty).is_some() && !blocks(inner).is_empty()
        }
        _ => false,
    }
}
