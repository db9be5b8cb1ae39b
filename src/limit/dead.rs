//! Drops assignments to locals that nobody reads: inlining and constants leave many.

use crate::il::{Base, Expr, ExprKind, Function, FunctionKind, LocalId, Place, Program, Stmt, StmtKind, walk};

pub fn drop_dead_locals(program: &mut Program) {
    let pure: Vec<bool> =
        program.functions.iter().map(|function| matches!(function.kind, FunctionKind::External)).collect();
    for function in &mut program.functions {
        // What only dead assignments read is dead as well.
        while drop_once(function, &pure) {}
    }
}

fn drop_once(function: &mut Function, pure: &[bool]) -> bool {
    let mut read = vec![false; function.locals.len()];
    let mut note = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
                && let Base::Local(id) = place.base
            {
                read[id.0 as usize] = true;
            }
        });
    };
    walk::statements(&function.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => note(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut note),
        });
    });
    let mut changed = false;
    let body = std::mem::take(&mut function.body);
    function.body = cleaned(body, &read, pure, &mut changed);
    changed
}

fn cleaned(block: Vec<Stmt>, read: &[bool], pure: &[bool], changed: &mut bool) -> Vec<Stmt> {
    let dead = |id: LocalId| !read[id.0 as usize];
    let dead_place = |place: &Place| matches!(place.base, Base::Local(id) if dead(id));
    let mut out = Vec::with_capacity(block.len());
    for mut stmt in block {
        stmt.kind = match stmt.kind {
            StmtKind::Assign { to, .. } if dead_place(&to) => {
                *changed = true;
                continue;
            }
            StmtKind::Declare(id) if dead(id) => continue,
            StmtKind::Call { to: Some(to), callee, args } if dead_place(&to) => {
                *changed = true;
                if let crate::il::Callee::Function(id) = callee
                    && pure[id.0 as usize]
                {
                    continue;
                }
                StmtKind::Call { to: None, callee, args }
            }
            StmtKind::If { condition, then, otherwise } => {
                let then = cleaned(then, read, pure, changed);
                let otherwise = cleaned(otherwise, read, pure, changed);
                if then.is_empty() && otherwise.is_empty() {
                    *changed = true;
                    continue;
                }
                StmtKind::If { condition, then, otherwise }
            }
            StmtKind::Loop(body) => StmtKind::Loop(cleaned(body, read, pure, changed)),
            other => other,
        };
        out.push(stmt);
    }
    out
}
