//! What a program can tell of addresses: where objects lie, and that memory which was freed is given out again.
//!
//! It can where it compares pointers, and where it makes numbers of them: by a conversion, or by looking at the memory of
//! a pointer as if it were something else (a union, a pointer to another type, a copy, memcmp()). A compare-and-swap
//! that takes a new block for an old one is the best known case (the ABA problem).

use super::points_to::{Object, ObjectId, PointsTo, Set, points_to};
use crate::diagnostic::Span;
use crate::il::{
    Base, BinaryOp, Expr, ExprKind, FunctionId, FunctionKind, IntKind, Operation, Place, Program, Projection, Stmt,
    StmtKind, Type, TypeId, Types, uncast, walk,
};

/// The first places where it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// Which of two objects comes first, or what number an address is.
    pub layout: Option<Span>,
    /// That memory was given out again.
    pub reuse: Option<Span>,
}

pub fn told(program: &Program) -> Told {
    let points_to = points_to(program);
    let frees = walk::calls(program, &[Operation::Free, Operation::Realloc]);
    let mut told = Told::default();
    for (index, function) in program.functions.iter().enumerate() {
        if !matches!(function.kind, FunctionKind::Defined) {
            continue;
        }
        let looker = Looker { program, points_to: &points_to, function: FunctionId(index as u32) };
        walk::statements(&function.body, &mut |stmt| {
            let mut note = |numbers: &Set, compared: bool, ordered: bool| {
                if ordered || !numbers.is_empty() {
                    told.layout.get_or_insert(stmt.span);
                }
                if frees && (compared || looker.has_heap(numbers)) {
                    told.reuse.get_or_insert(stmt.span);
                }
            };
            note(&looker.copied(stmt), false, false);
            let mut look = |expr: &Expr| {
                walk::expressions(expr, &mut |inner| {
                    let (compared, ordered) = looker.compares(inner);
                    note(&looker.numbers(inner), compared, ordered);
                });
            };
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }
    told
}

struct Looker<'p> {
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    function: FunctionId,
}

impl Looker<'_> {
    fn types(&self) -> &Types {
        &self.program.types
    }

    fn pointed(&self, expr: &Expr) -> Set {
        self.points_to.value(self.function, expr)
    }

    fn has_heap(&self, set: &Set) -> bool {
        set.iter().any(|object| matches!(self.points_to.objects[object], Object::Heap(..)))
    }

    /// The objects whose addresses these hold.
    fn held(&self, objects: &Set) -> Set {
        let mut held = Set::default();
        for object in objects.iter() {
            held.union(self.points_to.content(object));
        }
        held
    }

    /// Does it compare two pointers to the heap, and does it ask for the order of two objects?
    fn compares(&self, expr: &Expr) -> (bool, bool) {
        let ExprKind::Binary(op, left, right) = &expr.kind else { return (false, false) };
        let order = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        if !(order || matches!(op, BinaryOp::Eq | BinaryOp::Ne)) || self.types().pointee(left.ty).is_none() {
            return (false, false);
        }
        let (left, right) = (self.pointed(left), self.pointed(right));
        let mut both = left.clone();
        both.union(&right);
        (self.has_heap(&left) && self.has_heap(&right), order && both.iter().count() > 1)
    }

    /// The objects whose addresses it makes a number of.
    fn numbers(&self, expr: &Expr) -> Set {
        let types = self.types();
        match &expr.kind {
            ExprKind::Cast(from) => match (types.pointee(from.ty), types.pointee(expr.ty)) {
                (Some(_), None) if types.int_kind(expr.ty).is_some_and(|kind| kind != IntKind::Bool) => {
                    self.pointed(from)
                }
                (Some(was), Some(seen)) if !is_byte(types, seen) && shows_pointers(types, was, seen) => {
                    self.held(&self.pointed(from))
                }
                _ => Set::default(),
            },
            ExprKind::Load(place) if self.looks_into_pointer(place) => {
                self.held(&self.points_to.place_objects(self.function, place))
            }
            _ => Set::default(),
        }
    }

    /// Is it another member of a union than the pointer that is there, or a byte of a variable that is a pointer?
    fn looks_into_pointer(&self, place: &Place) -> bool {
        let types = self.types();
        let other_member = |step: &Projection| match step {
            Projection::Field(record, index) => {
                let record = types.record(*record);
                let seen = record.fields[*index as usize].ty;
                record.union && record.fields.iter().any(|field| shows_pointers(types, field.ty, seen))
            }
            Projection::Index(..) => false,
        };
        let is_pointer = |object: ObjectId| {
            let ty = match self.points_to.objects[object] {
                Object::Global(id) => self.program.global(id).ty,
                Object::Local(function, id) => self.program.function(function).locals[id.0 as usize].ty,
                Object::Heap(..) | Object::Function(_) => return false,
            };
            types.pointee(types.unqualified(ty)).is_some()
        };
        let objects = || self.points_to.place_objects(self.function, place);
        place.projections.iter().any(other_member)
            || (matches!(place.base, Base::Deref(_)) && is_byte(types, place.ty) && objects().iter().any(is_pointer))
    }

    /// The objects whose addresses are copied to where no pointers are, or compared byte by byte.
    fn copied(&self, stmt: &Stmt) -> Set {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return Set::default() };
        let types = self.types();
        let seen = |arg: &Expr| types.pointee(uncast(arg).ty);
        match self.program.operation(callee) {
            Some(Operation::Memcmp) => {
                let mut held = self.held(&self.pointed(&args[0]));
                held.union(&self.held(&self.pointed(&args[1])));
                held
            }
            Some(Operation::Memcpy | Operation::Memmove) => match (seen(&args[1]), seen(&args[0])) {
                (Some(was), Some(seen)) if shows_pointers(types, was, seen) => self.held(&self.pointed(&args[1])),
                _ => Set::default(),
            },
            _ => Set::default(),
        }
    }
}

fn is_byte(types: &Types, ty: TypeId) -> bool {
    types.int_kind(types.unqualified(ty)).is_some() && types.size(ty) == 1
}

/// Is a pointer in an object of the first type something else in one of the second?
fn shows_pointers(types: &Types, was: TypeId, seen: TypeId) -> bool {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    scalars(types, was, 0, &mut before);
    scalars(types, seen, 0, &mut after);
    let mut pointers = before.iter().filter(|scalar| scalar.pointer);
    // A pointer to a number may be moved on to the next ones.
    if let [Scalar { pointer: false, offset: 0, .. }] = after[..] {
        return pointers.next().is_some();
    }
    let overlaps = |a: &Scalar, b: &Scalar| a.offset < b.offset + b.size && b.offset < a.offset + a.size;
    pointers.any(|pointer| after.iter().any(|scalar| !scalar.pointer && overlaps(pointer, scalar)))
}

struct Scalar {
    offset: u64,
    size: u64,
    pointer: bool,
}

/// Elements of an array are alike: so many are looked at.
const ELEMENTS: u64 = 2;

/// All scalars of a type, those of all members of a union.
fn scalars(types: &Types, ty: TypeId, offset: u64, out: &mut Vec<Scalar>) {
    match types.get(ty) {
        Type::Int(_) | Type::Float(_) => out.push(Scalar { offset, size: types.size(ty), pointer: false }),
        Type::Pointer(_) => out.push(Scalar { offset, size: types.size(ty), pointer: true }),
        Type::Atomic(inner) | Type::Qualified { inner, .. } => scalars(types, *inner, offset, out),
        Type::Array(element, count) => {
            let each = types.size(*element);
            (0..ELEMENTS.min(*count)).for_each(|index| scalars(types, *element, offset + index * each, out));
        }
        Type::Record(record) => {
            for field in &types.record(*record).fields {
                scalars(types, field.ty, offset + field.offset, out);
            }
        }
        Type::Void | Type::OpenArray(_) | Type::Function(_) | Type::VariableArray { .. } | Type::VaList => {}
    }
}
