//! What a program can tell of addresses: where objects lie, and that memory which was freed is given out again.
//!
//! It can where it compares pointers, and where it makes numbers of them: by a conversion, or by looking at the memory of
//! a pointer as if it were something else (a union, a pointer to another type, a copy, memcmp()), or prints it into
//! memory. A compare-and-swap that takes a new block for an old one is the best known case (the ABA problem). Equality
//! tells where C leaves it open: equal string literals may be one object, an object may begin where another one ends (a
//! pointer to the end of an object comes from arithmetic), and a variable may lie where one lay whose scope has ended.

use super::points_to::{Object, ObjectId, PointsTo, Set, points_to};
use crate::diagnostic::Span;
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, IntKind, Local, Operation, Place, Program,
    Projection, Stmt, StmtKind, Type, TypeId, Types, uncast, walk,
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
    let literals = keeps_literals(program);
    let moved = moved(program, &points_to);
    let mut told = Told::default();
    for (index, function) in program.functions.iter().enumerate() {
        if !matches!(function.kind, FunctionKind::Defined) {
            continue;
        }
        let looker =
            Looker { program, points_to: &points_to, function: FunctionId(index as u32), literals, moved: &moved };
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
    /// There are several string literals whose addresses are kept.
    literals: bool,
    /// Objects whose end a pointer may stand at.
    moved: &'p Set,
}

/// The objects in which pointers are moved by arithmetic, so that one may stand at the end.
fn moved(program: &Program, points_to: &PointsTo) -> Set {
    let mut moved = Set::default();
    for (index, function) in program.functions.iter().enumerate() {
        let mut look = |expr: &Expr| {
            if moves(program, &function.locals, expr) {
                moved.union(&points_to.value(FunctionId(index as u32), expr));
            }
        };
        walk::statements(&function.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => kept(expr, &mut look),
                walk::Use::Target(place) => kept_of_accessed(place, &mut look),
            });
        });
    }
    // Initializers mention no locals, so that any function will do as context.
    for part in program.globals.iter().flat_map(|global| &global.init) {
        walk::expressions(&part.value, &mut |expr| {
            if moves(program, &[], expr) {
                moved.union(&points_to.value(program.main, expr));
            }
        });
    }
    moved
}

/// The expressions whose values may be kept or compared: not a pointer that is only there to access what it points to, which
/// then is no end of an object.
fn kept(expr: &Expr, look: &mut impl FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => {}
        ExprKind::Load(place) => kept_of_accessed(place, look),
        ExprKind::AddressOf(place) => {
            if let Base::Deref(pointer) = &place.base {
                kept(pointer, look);
            }
            kept_indices(place, look);
        }
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => kept(operand, look),
        ExprKind::Binary(_, left, right) => [left, right].into_iter().for_each(|side| kept(side, look)),
        ExprKind::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| kept(part, look));
        }
    }
    look(expr);
}

fn kept_of_accessed(place: &Place, look: &mut impl FnMut(&Expr)) {
    kept_indices(place, look);
    let Base::Deref(pointer) = &place.base else { return };
    let mut pointer: &Expr = pointer;
    while let ExprKind::Binary(BinaryOp::PointerAdd, moved, by) = &pointer.kind {
        kept(by, look);
        pointer = moved;
    }
    match &pointer.kind {
        ExprKind::AddressOf(inner) => kept_of_accessed(inner, look),
        _ => kept(pointer, look),
    }
}

fn kept_indices(place: &Place, look: &mut impl FnMut(&Expr)) {
    for projection in &place.projections {
        if let Projection::Index(index, _) = projection {
            kept(index, look);
        }
    }
}

/// May it be a pointer to the end of an object, other than one that is copied?
fn moves(program: &Program, locals: &[Local], expr: &Expr) -> bool {
    let is_pointer = |ty: TypeId| program.types.pointee(ty).is_some();
    match &expr.kind {
        ExprKind::Binary(op, _, by) => *op == BinaryOp::PointerAdd && !by.is_zero(),
        ExprKind::AddressOf(place) => may_be_at_the_end(program, locals, place),
        // A number that was made of a pointer.
        ExprKind::Cast(from) => is_pointer(expr.ty) && !is_pointer(from.ty),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Function(_)
        | ExprKind::Load(_)
        | ExprKind::Unary(..)
        | ExprKind::Conditional(..) => false,
    }
}

/// Is there an index that is not known to be inside of its array?
fn may_be_at_the_end(program: &Program, locals: &[Local], place: &Place) -> bool {
    let types = &program.types;
    let mut ty = match &place.base {
        Base::Global(id) => program.global(*id).ty,
        Base::Local(id) => locals[id.0 as usize].ty,
        Base::Deref(pointer) => types.pointee(pointer.ty).unwrap_or(place.ty),
    };
    for projection in &place.projections {
        match projection {
            Projection::Field(record, index) => ty = types.record(*record).fields[*index as usize].ty,
            Projection::Index(index, element) => {
                let inside = match (types.get(types.unqualified(ty)), index.as_int()) {
                    (Type::Array(_, count), Some(index)) => index >= 0 && (index as u64) < *count,
                    (_, Some(0)) => true,
                    _ => false,
                };
                if !inside {
                    return true;
                }
                ty = *element;
            }
        }
    }
    false
}

/// Are the addresses of several string literals kept, other than as arguments of a call?
fn keeps_literals(program: &Program) -> bool {
    let mut kept =
        program.globals.iter().flat_map(|global| &global.init).filter(|part| is_literal(&part.value)).count();
    for function in program.functions.iter().filter(|function| matches!(function.kind, FunctionKind::Defined)) {
        walk::statements(&function.body, &mut |stmt| {
            let mut count = |expr: &Expr| {
                walk::expressions(expr, &mut |inner| kept += usize::from(matches!(inner.kind, ExprKind::Str(_))));
            };
            match &stmt.kind {
                StmtKind::Call { callee: Callee::Function(id), args, .. }
                    if !matches!(program.function(*id).kind, FunctionKind::Defined) =>
                {
                    args.iter().filter(|arg| !is_literal(arg)).for_each(count);
                }
                _ => walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => count(expr),
                    walk::Use::Target(place) => walk::place_expressions(place, &mut count),
                }),
            }
        });
    }
    kept > 1
}

fn is_literal(expr: &Expr) -> bool {
    match &uncast(expr).kind {
        ExprKind::Str(_) => true,
        ExprKind::AddressOf(place) => match &place.base {
            Base::Deref(inner) => is_literal(inner),
            Base::Global(_) | Base::Local(_) => false,
        },
        _ => false,
    }
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
        let texts = self.literals && self.may_be_literal(left) && self.may_be_literal(right);
        let kept = self.is_kept(left) || self.is_kept(right);
        let (left, right) = (self.pointed(left), self.pointed(right));
        let mut both = left.clone();
        both.union(&right);
        let several = both.iter().count() > 1 && !left.is_empty() && !right.is_empty();
        let ends = several && both.iter().any(|object| self.moved.contains(object));
        // The next variable may lie where one lay whose scope has ended.
        let next = kept && [&left, &right].iter().all(|set| set.iter().any(|object| self.ends_with_its_scope(object)));
        (self.has_heap(&left) && self.has_heap(&right), order && both.iter().count() > 1 || texts || ends || next)
    }

    /// Does it come from memory that outlives the function?
    fn is_kept(&self, expr: &Expr) -> bool {
        matches!(&uncast(expr).kind, ExprKind::Load(place) if !matches!(place.base, Base::Local(_)))
    }

    fn ends_with_its_scope(&self, object: ObjectId) -> bool {
        match self.points_to.objects[object] {
            Object::Local(..) => true,
            Object::Global(id) => self.program.global(id).thread_local,
            Object::Heap(..) | Object::Function(_) => false,
        }
    }

    /// By its type, and because it is no address of something else.
    fn may_be_literal(&self, expr: &Expr) -> bool {
        let types = self.types();
        let bytes =
            |ty: TypeId| types.pointee(ty).is_some_and(|to| is_byte(types, to) || matches!(types.get(to), Type::Void));
        let inner = uncast(expr);
        let other = matches!(&inner.kind, ExprKind::AddressOf(_) | ExprKind::Function(_)) && !is_literal(inner);
        bytes(expr.ty) && !inner.is_zero() && !other
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
            Some(
                Operation::Sprintf
                | Operation::Snprintf
                | Operation::Vsprintf
                | Operation::Vsnprintf
                | Operation::ScanText,
            ) if self.prints_addresses(args) => {
                let mut printed = Set::default();
                args.iter().filter(|arg| types.pointee(arg.ty).is_some()).for_each(|arg| {
                    printed.union(&self.pointed(arg));
                });
                printed
            }
            _ => Set::default(),
        }
    }

    /// Is there a `%p` in the format, as far as that is known?
    fn prints_addresses(&self, args: &[Expr]) -> bool {
        let literal = |arg: &Expr| match &uncast(arg).kind {
            ExprKind::Str(id) => Some(&self.program.strings[id.0 as usize].units),
            _ => None,
        };
        let mut formats = args.iter().filter_map(literal).peekable();
        let has = |units: &Vec<u32>| {
            let text: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
            text.split('%').skip(1).any(|conversion| {
                conversion.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*".contains(c)).starts_with('p')
            })
        };
        formats.peek().is_none() || formats.any(has)
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
