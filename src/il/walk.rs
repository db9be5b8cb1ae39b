//! Walks over statements, places and expressions, for passes that care about few of them.

use super::{
    AccessKind, Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, GlobalId, LocalId, Operation, Place, Program,
    Projection, Stmt, StmtKind, Types, UnaryOp,
};
use crate::diagnostic::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Calls `visit` on every statement, outer ones first.
pub fn statements<'p>(block: &'p [Stmt], visit: &mut impl FnMut(&'p Stmt)) {
    for stmt in block {
        visit(stmt);
        stmt.kind.blocks().into_iter().for_each(|inner| statements(inner, visit));
    }
}

/// The same for statements that may be changed.
pub fn statements_mut(block: &mut [Stmt], visit: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        stmt.kind.blocks_mut().for_each(|inner| statements_mut(inner, visit));
    }
}

/// What a statement uses directly, without the statements inside it.
pub enum Use<'p> {
    Expr(&'p Expr),
    /// A place that is written (or handed out, for variable arguments).
    Target(&'p Place),
}

pub fn uses<'p>(stmt: &'p Stmt, visit: &mut impl FnMut(Use<'p>)) {
    match &stmt.kind {
        StmtKind::Assign { to, value } => {
            visit(Use::Target(to));
            visit(Use::Expr(value));
        }
        StmtKind::Call { to, callee, args } => {
            if let Some(to) = to {
                visit(Use::Target(to));
            }
            if let Callee::Pointer(pointer) = callee {
                visit(Use::Expr(pointer));
            }
            args.iter().for_each(|arg| visit(Use::Expr(arg)));
        }
        StmtKind::If { condition, .. } => visit(Use::Expr(condition)),
        StmtKind::Return(Some(value)) => visit(Use::Expr(value)),
        StmtKind::VaStart(list) | StmtKind::VaEnd(list) => visit(Use::Target(list)),
        StmtKind::VaArg { to, list } => {
            visit(Use::Target(to));
            visit(Use::Target(list));
        }
        StmtKind::VaCopy { to, from } => {
            visit(Use::Target(to));
            visit(Use::Target(from));
        }
        StmtKind::Declare(_)
        | StmtKind::Loop(_)
        | StmtKind::Block(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Return(None) => {}
    }
}

/// Every expression below (and including) this one, in order of evaluation; places are entered.
pub fn expressions<'p>(expr: &'p Expr, visit: &mut impl FnMut(&'p Expr)) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => place_expressions(place, visit),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => expressions(operand, visit),
        ExprKind::Binary(_, left, right) => {
            expressions(left, visit);
            expressions(right, visit);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            expressions(condition, visit);
            expressions(then, visit);
            expressions(otherwise, visit);
        }
    }
    visit(expr);
}

pub fn place_expressions<'p>(place: &'p Place, visit: &mut impl FnMut(&'p Expr)) {
    if let Base::Deref(pointer) = &place.base {
        expressions(pointer, visit);
    }
    for projection in &place.projections {
        if let Projection::Index(index, _) = projection {
            expressions(index, visit);
        }
    }
}

/// The globals and functions that a block names.
pub fn mentions(block: &[Stmt], globals: &mut Vec<GlobalId>, functions: &mut Vec<FunctionId>) {
    statements(block, &mut |stmt| {
        if let StmtKind::Call { callee: Callee::Function(id), .. } = &stmt.kind {
            functions.push(*id);
        }
        uses(stmt, &mut |used| match used {
            Use::Expr(expr) => expr_mentions(expr, globals, functions),
            Use::Target(place) => place_mentions(place, globals, functions),
        });
    });
}

pub fn expr_mentions(expr: &Expr, globals: &mut Vec<GlobalId>, functions: &mut Vec<FunctionId>) {
    expressions(expr, &mut |inner| match &inner.kind {
        ExprKind::Function(id) => functions.push(*id),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => {
            if let Base::Global(id) = place.base {
                globals.push(id);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(_)
        | ExprKind::Conditional(..) => {}
    });
}

fn place_mentions(place: &Place, globals: &mut Vec<GlobalId>, functions: &mut Vec<FunctionId>) {
    if let Base::Global(id) = place.base {
        globals.push(id);
    }
    place_expressions(place, &mut |inner| expr_mentions(inner, globals, functions));
}

fn expr_mut(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr), places: &mut impl FnMut(&mut Place)) {
    match &mut expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => place_mut(place, visit, places),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => expr_mut(operand, visit, places),
        ExprKind::Binary(_, left, right) => {
            expr_mut(left, visit, places);
            expr_mut(right, visit, places);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            expr_mut(condition, visit, places);
            expr_mut(then, visit, places);
            expr_mut(otherwise, visit, places);
        }
    }
    visit(expr);
}

fn place_mut(place: &mut Place, visit: &mut impl FnMut(&mut Expr), places: &mut impl FnMut(&mut Place)) {
    if let Base::Deref(pointer) = &mut place.base {
        expr_mut(pointer, visit, places);
    }
    for projection in &mut place.projections {
        if let Projection::Index(index, _) = projection {
            expr_mut(index, visit, places);
        }
    }
    places(place);
}

fn stmt_uses_mut(stmt: &mut Stmt, visit: &mut impl FnMut(&mut Expr), places: &mut impl FnMut(&mut Place)) {
    match &mut stmt.kind {
        StmtKind::Assign { to, value } => {
            place_mut(to, visit, places);
            expr_mut(value, visit, places);
        }
        StmtKind::Call { to, callee, args } => {
            if let Some(to) = to {
                place_mut(to, visit, places);
            }
            if let Callee::Pointer(pointer) = callee {
                expr_mut(pointer, visit, places);
            }
            args.iter_mut().for_each(|arg| expr_mut(arg, visit, places));
        }
        StmtKind::If { condition, .. } => expr_mut(condition, visit, places),
        StmtKind::Return(Some(value)) => expr_mut(value, visit, places),
        StmtKind::VaStart(list) | StmtKind::VaEnd(list) => place_mut(list, visit, places),
        StmtKind::VaArg { to, list } => {
            place_mut(to, visit, places);
            place_mut(list, visit, places);
        }
        StmtKind::VaCopy { to, from } => {
            place_mut(to, visit, places);
            place_mut(from, visit, places);
        }
        StmtKind::Declare(_)
        | StmtKind::Loop(_)
        | StmtKind::Block(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Return(None) => {}
    }
}

/// Gives every statement of the program an id of its own.
pub fn number(program: &mut Program) {
    let mut next = 0;
    for function in &mut program.functions {
        statements_mut(&mut function.body, &mut |stmt| {
            next += 1;
            stmt.id = crate::il::StatementId(next);
        });
    }
}

/// May computing it be undefined: a pointer, an index, a divisor, memory that other threads know? `shared` says which locals
/// these know.
pub fn may_be_undefined(expr: &Expr, shared: &dyn Fn(LocalId) -> bool) -> bool {
    let mut may = false;
    expressions(expr, &mut |inner| match &inner.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
            may |= divisor.as_int().is_none_or(|value| value == 0);
        }
        ExprKind::Load(place) => {
            let indexed = |step: &Projection| matches!(step, Projection::Index(..));
            may |= place.projections.iter().any(indexed);
            may |= match place.base {
                Base::Deref(_) | Base::Global(_) => true,
                Base::Local(id) => shared(id),
            };
        }
        _ => {}
    });
    may
}

/// Is one of these operations called?
pub fn calls(program: &Program, operations: &[Operation]) -> bool {
    let mut found = false;
    for function in &program.functions {
        statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return };
            found |= program.operation(callee).is_some_and(|operation| operations.contains(&operation));
        });
    }
    found
}

/// May computing it overflow?
pub fn may_overflow(types: &Types, expr: &Expr) -> bool {
    let mut may = false;
    expressions(expr, &mut |inner| {
        may |= match &inner.kind {
            ExprKind::Binary(op, left, _) => {
                let arithmetic = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Shl, BinaryOp::Shr];
                arithmetic.contains(op) && types.int_kind(left.ty).is_some()
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => types.int_kind(operand.ty).is_some(),
            ExprKind::Cast(operand) => types.float_kind(operand.ty).is_some() && types.int_kind(inner.ty).is_some(),
            _ => false,
        };
    });
    may
}

/// Every place that a statement reads or writes itself, not in the blocks inside it; `true` for those it writes.
pub fn accesses<'p>(stmt: &'p Stmt, visit: &mut impl FnMut(&'p Place, bool)) {
    let reads = |expr: &'p Expr, visit: &mut dyn FnMut(&'p Place, bool)| {
        expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind {
                visit(place, false);
            }
        });
    };
    uses(stmt, &mut |used| match used {
        Use::Expr(expr) => reads(expr, visit),
        Use::Target(place) => {
            place_expressions(place, &mut |inner| reads(inner, visit));
            visit(place, true);
        }
    });
}

/// Drops the qualifiers from all types, and the casts that only concerned them; accesses keep what they are.
pub fn erase_qualifiers(program: &mut Program) {
    let mut types = program.types.clone();
    for index in 0..types.records.len() {
        for field in 0..types.records[index].fields.len() {
            let ty = types.records[index].fields[field].ty;
            let plain = types.erased(ty);
            types.records[index].fields[field].ty = plain;
            // An atomic member may have been aligned more strictly than its plain type is.
            let (strict, natural) = (types.align(ty), types.align(plain));
            let member = &mut types.records[index].fields[field];
            if strict > natural && member.align == 0 {
                member.align = strict;
            }
        }
    }
    {
        let types = std::cell::RefCell::new(&mut types);
        let mut exprs = |expr: &mut Expr| {
            expr.ty = types.borrow_mut().erased(expr.ty);
            // To take an address is not to access.
            if let ExprKind::AddressOf(place) = &mut expr.kind {
                place.access = AccessKind::Plain;
            }
            while let ExprKind::Cast(inner) = &mut expr.kind
                && inner.ty == expr.ty
            {
                let inner = std::mem::replace(&mut **inner, Expr::int(0, expr.ty));
                *expr = inner;
            }
        };
        let mut places = |place: &mut Place| {
            if place.access == AccessKind::Plain {
                place.access = types.borrow().access(place.ty);
            }
            place.ty = types.borrow_mut().erased(place.ty);
            // `*(int *)&x` of a const x is `*&x` now, which is x.
            if let Base::Deref(pointer) = &mut place.base
                && let ExprKind::AddressOf(inner) = &mut pointer.kind
            {
                let whole = place.projections.is_empty().then_some(place.ty).or(types.borrow().pointee(pointer.ty));
                if whole == Some(inner.ty) {
                    let mut projections = std::mem::take(&mut inner.projections);
                    projections.append(&mut place.projections);
                    place.projections = projections;
                    place.base = std::mem::replace(&mut inner.base, Base::Local(LocalId(0)));
                }
            }
            for projection in &mut place.projections {
                if let Projection::Index(_, element) = projection {
                    *element = types.borrow_mut().erased(*element);
                }
            }
        };
        for function in &mut program.functions {
            function.ty = types.borrow_mut().erased(function.ty);
            for local in &mut function.locals {
                local.ty = types.borrow_mut().erased(local.ty);
            }
            statements_mut(&mut function.body, &mut |stmt| stmt_uses_mut(stmt, &mut exprs, &mut places));
        }
        for global in &mut program.globals {
            global.ty = types.borrow_mut().erased(global.ty);
            for part in &mut global.init {
                expr_mut(&mut part.value, &mut exprs, &mut places);
            }
        }
        for literal in &mut program.strings {
            literal.unit = types.borrow_mut().erased(literal.unit);
        }
    }
    program.types = types;
}

/// Replaces the ids of globals and functions everywhere.
pub fn renumber(
    program: &mut Program,
    globals: &FxHashMap<GlobalId, GlobalId>,
    functions: &FxHashMap<FunctionId, FunctionId>,
) {
    let new_function = |id: FunctionId| *functions.get(&id).expect("every used function is kept");
    let mut exprs = |expr: &mut Expr| {
        if let ExprKind::Function(id) = &mut expr.kind {
            *id = new_function(*id);
        }
    };
    let mut places = |place: &mut Place| {
        if let Base::Global(id) = &mut place.base {
            *id = *globals.get(id).expect("every used global is kept");
        }
    };
    for function in &mut program.functions {
        statements_mut(&mut function.body, &mut |stmt| {
            if let StmtKind::Call { callee: Callee::Function(id), .. } = &mut stmt.kind {
                *id = new_function(*id);
            }
            stmt_uses_mut(stmt, &mut exprs, &mut places);
        });
    }
    for global in &mut program.globals {
        for part in &mut global.init {
            expr_mut(&mut part.value, &mut exprs, &mut places);
        }
    }
    program.main = new_function(program.main);
    program.thread_end = program.thread_end.map(new_function);
    program.at_exit = program.at_exit.map(new_function);
}

/// What the code itself still mentions, from `main` on: folding may have dropped mentions that the text has.
fn reachable(program: &Program) -> (FxHashSet<GlobalId>, FxHashSet<FunctionId>) {
    let (mut globals, mut functions) = (FxHashSet::default(), FxHashSet::default());
    let mut new_functions = vec![program.main];
    new_functions.extend(program.thread_end);
    new_functions.extend(program.at_exit);
    let mut new_globals: Vec<GlobalId> = Vec::new();
    loop {
        if let Some(id) = new_functions.pop() {
            if functions.insert(id) {
                mentions(&program.function(id).body, &mut new_globals, &mut new_functions);
            }
        } else if let Some(id) = new_globals.pop() {
            if globals.insert(id) {
                for part in &program.global(id).init {
                    expr_mentions(&part.value, &mut new_globals, &mut new_functions);
                }
            }
        } else {
            return (globals, functions);
        }
    }
}

/// Drops what is not reachable and renumbers the rest in the order of the source, models last; the new ids.
pub fn keep_reachable(program: &mut Program) -> FxHashMap<FunctionId, FunctionId> {
    let (globals, functions) = reachable(program);
    let mut global_order: Vec<GlobalId> = globals.iter().copied().collect();
    global_order.sort_by_key(|id| {
        let global = &program.globals[id.0 as usize];
        (global.model, global.span.start, id.0)
    });
    let mut function_order: Vec<FunctionId> = functions.iter().copied().collect();
    function_order.sort_by_key(|id| {
        let function = &program.functions[id.0 as usize];
        let nowhere = function.span == Span::default();
        (nowhere, function.span.start, if nowhere { function.name.clone() } else { String::new() }, id.0)
    });
    let global_map: FxHashMap<GlobalId, GlobalId> =
        global_order.iter().enumerate().map(|(index, id)| (*id, GlobalId(index as u32))).collect();
    let function_map: FxHashMap<FunctionId, FunctionId> =
        function_order.iter().enumerate().map(|(index, id)| (*id, FunctionId(index as u32))).collect();
    program.globals = global_order.iter().map(|id| program.globals[id.0 as usize].clone()).collect();
    program.functions = function_order.iter().map(|id| program.functions[id.0 as usize].clone()).collect();
    renumber(program, &global_map, &function_map);
    function_map
}
