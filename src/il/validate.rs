//! The rules of the core language; a program that breaks one is a bug of the pass that made it.
//!
//! - Every id (global, function, local, label, string) exists.
//! - A place's projections fit the type they are applied to, and its type is that of the last projection.
//! - Both sides of an assignment have the same type (after `_Atomic`), and no array is assigned.
//! - Operands of arithmetic have one type; conditions are scalars.
//! - `break` and `continue` stand in a loop; every `goto` has its label in the same function, once.
//! - Calls pass at least as many arguments as the callee has parameters.

use super::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, LabelId, Place, Program, Projection, Stmt, StmtKind, TypeId, walk,
};
use rustc_hash::FxHashSet;

/// Panics on the first broken rule. Cheap enough to run always; it guards every verdict.
pub fn check(program: &Program) {
    for function in program.functions.iter().filter(|function| function.has_body()) {
        let checker = Checker { program, function };
        let mut labels = FxHashSet::default();
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Label(label) = stmt.kind {
                checker.rule(labels.insert(label), "a label stands once");
            }
        });
        checker.block(&function.body, false, &labels);
    }
}

struct Checker<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Checker<'_> {
    fn rule(&self, holds: bool, rule: &str) {
        assert!(holds, "core language rule broken in `{}`: {rule}", self.function.name);
    }

    fn block(&self, block: &[Stmt], in_loop: bool, labels: &FxHashSet<LabelId>) {
        for stmt in block {
            self.statement(stmt, in_loop, labels);
        }
    }

    fn statement(&self, stmt: &Stmt, in_loop: bool, labels: &FxHashSet<LabelId>) {
        let types = &self.program.types;
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => self.expr(expr),
            walk::Use::Target(place) => self.place(place),
        });
        match &stmt.kind {
            StmtKind::Declare(local) => {
                self.rule((local.0 as usize) < self.function.locals.len(), "a declared local exists");
            }
            StmtKind::Assign { to, value } => {
                assert!(
                    self.same(to.ty, value.ty),
                    "core language rule broken: an assignment has one type: {} = {}",
                    super::print::type_text(self.program, to.ty),
                    super::print::type_text(self.program, value.ty)
                );
                self.rule(types.element(to.ty).is_none(), "no array is assigned");
            }
            StmtKind::Call { callee, args, .. } => {
                if let Callee::Function(id) = callee {
                    self.rule((id.0 as usize) < self.program.functions.len(), "a called function exists");
                    let function = self.program.function(*id);
                    self.rule(args.len() >= function.params.len(), "a call has all its arguments");
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                self.rule(types.is_scalar(condition.ty), "a condition is a scalar");
                self.block(then, in_loop, labels);
                self.block(otherwise, in_loop, labels);
            }
            StmtKind::Loop(body) => self.block(body, true, labels),
            StmtKind::Block(body) => self.block(body, in_loop, labels),
            StmtKind::Break | StmtKind::Continue => self.rule(in_loop, "break and continue stand in a loop"),
            StmtKind::Goto(label) => self.rule(labels.contains(label), "a goto has its label"),
            StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {}
        }
    }

    fn same(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.program.types;
        types.unqualified(a) == types.unqualified(b)
    }

    fn expr(&self, expr: &Expr) {
        walk::expressions(expr, &mut |inner| match &inner.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Binary(op, left, right) => {
                let mixed = matches!(
                    op,
                    BinaryOp::Shl | BinaryOp::Shr | BinaryOp::LogicalAnd | BinaryOp::LogicalOr | BinaryOp::PointerAdd
                );
                self.rule(mixed || self.same(left.ty, right.ty), "operands have one type");
            }
            ExprKind::Function(id) => {
                self.rule((id.0 as usize) < self.program.functions.len(), "a named function exists");
            }
            ExprKind::Str(id) => self.rule((id.0 as usize) < self.program.strings.len(), "a string exists"),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Unary(..)
            | ExprKind::Cast(_)
            | ExprKind::Conditional(..) => {}
        });
    }

    fn place(&self, place: &Place) {
        let types = &self.program.types;
        let mut current = match &place.base {
            Base::Global(id) => {
                self.rule((id.0 as usize) < self.program.globals.len(), "a named global exists");
                self.program.global(*id).ty
            }
            Base::Local(id) => {
                self.rule((id.0 as usize) < self.function.locals.len(), "a named local exists");
                self.function.locals[id.0 as usize].ty
            }
            Base::Deref(pointer) => {
                self.rule(types.pointee(pointer.ty).is_some(), "only pointers are dereferenced");
                types.pointee(pointer.ty).unwrap_or(place.ty)
            }
        };
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    self.rule(types.record_id(current) == Some(*record), "a field is taken of its record");
                    current = types.record(*record).fields[*index as usize].ty;
                }
                Projection::Index(index, element) => {
                    self.rule(types.element(current) == Some(*element), "an index is taken of an array");
                    self.rule(types.int_kind(index.ty).is_some(), "an index is an integer");
                    current = *element;
                }
            }
        }
        // Through a pointer to void, bytes are seen.
        let bytes = matches!(place.base, Base::Deref(_)) && types.is_void(current);
        assert!(
            bytes || self.same(current, place.ty),
            "core language rule broken in `{}`: a place has the type of its last part: {} is not {}",
            self.function.name,
            super::print::type_text(self.program, current),
            super::print::type_text(self.program, place.ty)
        );
    }
}
