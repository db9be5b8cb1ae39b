//! Where a program looks at the ids of threads. They are small numbers here, each used once; on a machine they are anything,
//! and used again after a thread has ended. Whoever only joins, detaches or prints cannot tell.

use super::points_to::{ObjectId, PointsTo, points_to};
use crate::diagnostic::Span;
use crate::il::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, Operation, Place, Program, Projection, RecordId, Stmt,
    StmtKind, uncast, walk,
};
use rustc_hash::FxHashSet;

/// The first places where it does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looked {
    /// Orders them, computes with them, chooses by them.
    pub as_numbers: Option<Span>,
    /// Asks whether two are the same.
    pub for_equality: Option<Span>,
}

/// Where an id may be kept. Members of structures are told apart by their type, not by the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Keeps {
    Object(ObjectId),
    Member(RecordId, u32),
}

pub fn looked_at(program: &Program) -> Looked {
    if !walk::calls(program, &[Operation::Create, Operation::CreateC11, Operation::ThreadSelf]) {
        return Looked::default();
    }
    let points_to = points_to(program);
    let mut ids = Ids { program, points_to: &points_to, kept: FxHashSet::default(), returned: FxHashSet::default() };
    let mut known = usize::MAX;
    while known != ids.kept.len() + ids.returned.len() {
        known = ids.kept.len() + ids.returned.len();
        each_statement(program, &mut |function, stmt| ids.follow(function, stmt));
    }
    let mut looked = Looked::default();
    each_statement(program, &mut |function, stmt| ids.look(function, stmt, &mut looked));
    looked
}

fn each_statement<'p>(program: &'p Program, visit: &mut impl FnMut(FunctionId, &'p Stmt)) {
    for (index, function) in program.functions.iter().enumerate() {
        if matches!(function.kind, FunctionKind::Defined) {
            walk::statements(&function.body, &mut |stmt| visit(FunctionId(index as u32), stmt));
        }
    }
}

struct Ids<'p> {
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    kept: FxHashSet<Keeps>,
    /// Functions that return ids.
    returned: FxHashSet<FunctionId>,
}

impl Ids<'_> {
    fn places(&self, function: FunctionId, place: &Place) -> Vec<Keeps> {
        let member = place.projections.iter().rev().find_map(|step| match step {
            Projection::Field(record, index) => Some(Keeps::Member(*record, *index)),
            Projection::Index(..) => None,
        });
        let objects = || self.points_to.place_objects(function, place).iter().map(Keeps::Object).collect();
        member.map_or_else(objects, |member| vec![member])
    }

    fn is_id(&self, function: FunctionId, expr: &Expr) -> bool {
        match &uncast(expr).kind {
            ExprKind::Load(place) => self.places(function, place).iter().any(|keeps| self.kept.contains(keeps)),
            ExprKind::Conditional(_, then, otherwise) => self.is_id(function, then) || self.is_id(function, otherwise),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(_) => false,
        }
    }

    /// Where ids go to in a statement.
    fn follow(&mut self, function: FunctionId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { to, value } if self.is_id(function, value) => {
                self.kept.extend(self.places(function, to));
            }
            StmtKind::Return(Some(value)) if self.is_id(function, value) => {
                self.returned.insert(function);
            }
            StmtKind::Call { to, callee, args } => {
                let operation = self.program.operation(callee);
                if let (Some(Operation::Create | Operation::CreateC11), Some(id)) = (operation, args.first()) {
                    let kept: Vec<Keeps> = match &uncast(id).kind {
                        ExprKind::AddressOf(place) => self.places(function, place),
                        _ => self.points_to.value(function, id).iter().map(Keeps::Object).collect(),
                    };
                    self.kept.extend(kept);
                }
                for called in self.points_to.callees(function, callee) {
                    let params = &self.program.function(called).params;
                    let given: Vec<Keeps> = (params.iter().zip(args))
                        .filter(|(_, arg)| self.is_id(function, arg))
                        .map(|(param, _)| Keeps::Object(self.points_to.local(called, *param)))
                        .collect();
                    self.kept.extend(given);
                    if let Some(to) = to
                        && (operation == Some(Operation::ThreadSelf) || self.returned.contains(&called))
                    {
                        self.kept.extend(self.places(function, to));
                    }
                }
            }
            _ => {}
        }
    }

    fn look(&self, function: FunctionId, stmt: &Stmt, looked: &mut Looked) {
        let is_id = |expr: &Expr| self.is_id(function, expr);
        let mut number = |looks: bool| {
            if looks {
                looked.as_numbers.get_or_insert(stmt.span);
            }
        };
        let mut equality = false;
        match &stmt.kind {
            StmtKind::If { condition, .. } => number(is_id(condition)),
            StmtKind::Call { callee: Callee::Function(called), args, .. } => {
                match self.program.function(*called).kind {
                    FunctionKind::Operation(Operation::Assert | Operation::Assume) => number(args.iter().any(is_id)),
                    // pthread_equal() and its like.
                    FunctionKind::Model => equality |= args.iter().filter(|arg| is_id(arg)).count() > 1,
                    FunctionKind::Operation(_) | FunctionKind::Defined | FunctionKind::External => {}
                }
            }
            _ => {}
        }
        let mut look = |expr: &Expr| {
            walk::expressions(expr, &mut |inner| match &inner.kind {
                ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => equality |= is_id(left) || is_id(right),
                ExprKind::Binary(_, left, right) => number(is_id(left) || is_id(right)),
                ExprKind::Unary(_, operand) => number(is_id(operand)),
                ExprKind::Conditional(condition, ..) => number(is_id(condition)),
                ExprKind::Load(place) | ExprKind::AddressOf(place) => number(indices(place).any(is_id)),
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Str(_)
                | ExprKind::Function(_)
                | ExprKind::Cast(_) => {}
            });
        };
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        });
        if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind {
            number(indices(to).any(is_id));
        }
        if equality {
            looked.for_equality.get_or_insert(stmt.span);
        }
    }
}

fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    place.projections.iter().filter_map(|step| match step {
        Projection::Index(index, _) => Some(&**index),
        Projection::Field(..) => None,
    })
}
