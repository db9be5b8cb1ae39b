//! Splits statements with several shared accesses into steps, and marks the visible ones.
//!
//! Before: `x = y + z;`   After: `int t1 = y; int t2 = z; x = t1 + t2;`   (all three shared)
//!
//! Operands that C evaluates only under a condition (`&&`, `||`, `?:`) become branches. A struct is copied member by
//! member, memory by memcpy and its relatives byte by byte: C promises atomicity for neither. realloc, sprintf and
//! scanf on shared memory stay single steps.

use crate::analysis::addresses;
use crate::analysis::points_to::creates_threads;
use crate::analysis::sharing::{Sharing, everything_shared, is_string, operation_pointers, sharing};
use crate::diagnostic::Span;
use crate::il::{
    AccessKind, Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, IntKind, Local, LocalId, Operation, Place, Program,
    Projection, RecordId, Stmt, StmtKind, Type, TypeId, Types, uncast, walk,
};
use rustc_hash::FxHashSet;

/// Arrays up to this length are copied element by element without a loop.
const MAX_UNROLLED: u64 = 8;

pub fn split(mut program: Program, everywhere: bool) -> Program {
    let sections = atomic_sections(&mut program);
    let mut types = program.types.clone();
    let mut bodies = Vec::new();
    program.told = addresses::told(&program);
    {
        let sharing = if everywhere { everything_shared(&program) } else { sharing(&program) };
        let global_names: FxHashSet<&str> = program
            .globals
            .iter()
            .map(|g| g.name.as_str())
            .chain(program.functions.iter().map(|f| f.name.as_str()))
            .collect();
        for (index, function) in program.functions.iter().enumerate() {
            let names = function.locals.iter().map(|local| local.name.clone()).collect();
            let mut splitter = Splitter {
                program: &program,
                sharing: &sharing,
                function: FunctionId(index as u32),
                types: &mut types,
                locals: marked_locals(&sharing, FunctionId(index as u32), &function.locals),
                names,
                global_names: &global_names,
                next_temp: 0,
                out: Vec::new(),
                span: Span::default(),
                sections,
            };
            let mut body = splitter.block(&function.body);
            // The process ends with its last handler: others may run before that.
            if program.at_exit == Some(FunctionId(index as u32)) {
                let end = Stmt::new(StmtKind::Return(None), function.span);
                body.push(Stmt { visible: creates_threads(&program), ..end });
            }
            bodies.push((body, splitter.locals));
        }
    }
    program.types = types;
    for (function, (body, locals)) in program.functions.iter_mut().zip(bodies) {
        function.body = body;
        function.locals = locals;
    }
    program
}

struct Splitter<'p> {
    program: &'p Program,
    sharing: &'p Sharing<'p>,
    function: FunctionId,
    types: &'p mut Types,
    locals: Vec<Local>,
    names: FxHashSet<String>,
    global_names: &'p FxHashSet<&'p str>,
    next_temp: u32,
    out: Vec<Stmt>,
    span: Span,
    /// The operations that begin and end an atomic section, if the program has a use for them.
    sections: Option<(FunctionId, FunctionId)>,
}

/// A write to a bit-field needs an atomic section, in threaded programs that have one.
fn atomic_sections(program: &mut Program) -> Option<(FunctionId, FunctionId)> {
    let mut writes_bits = false;
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind {
                writes_bits |= bit_field(&program.types, to).is_some() || program.types.record_id(to.ty).is_some();
            }
        });
    }
    let has_bits = program.types.records.iter().any(|record| record.fields.iter().any(|field| field.bits.is_some()));
    if !(writes_bits && has_bits && creates_threads(program)) {
        return None;
    }
    let Program { functions, types, .. } = program;
    let mut operation =
        |operation: Operation, name: &str| crate::il::operation::declare(functions, types, operation, name);
    let begin = operation(Operation::AtomicBegin, "__VERIFIER_atomic_begin");
    Some((begin, operation(Operation::AtomicEnd, "__VERIFIER_atomic_end")))
}

/// The record and the number of the member that a place is, if that is a bit-field.
fn bit_field(types: &Types, place: &Place) -> Option<(RecordId, u32)> {
    match place.projections.last() {
        Some(Projection::Field(record, index)) => {
            types.record(*record).fields[*index as usize].bits.map(|_| (*record, *index))
        }
        Some(Projection::Index(..)) | None => None,
    }
}

/// The members that share their memory location with a bit-field (C11 3.14): the bit-fields next to it without a
/// member of another kind, or one of width zero, in between. Those without a name hold nothing that anybody reads.
fn neighbours(types: &Types, record: RecordId, index: u32) -> Vec<u32> {
    let fields = &types.record(record).fields;
    let joins = |at: &usize| fields[*at].bits.is_some_and(|bits| bits.width > 0);
    let index = index as usize;
    let before = (0..index).rev().take_while(joins);
    let after = (index + 1..fields.len()).take_while(joins);
    let named = before.chain(after).filter(|at| fields[*at].name.is_some());
    named.map(|at| at as u32).collect()
}

impl Splitter<'_> {
    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.out);
        for stmt in block {
            self.statement(stmt);
        }
        std::mem::replace(&mut self.out, outer)
    }

    fn push(&mut self, kind: StmtKind, visible: bool) {
        self.out.push(Stmt { visible, ..Stmt::new(kind, self.span) });
    }

    fn new_local(&mut self, stem: &str, ty: TypeId) -> Place {
        let ty = self.types.unqualified(ty);
        let name = loop {
            self.next_temp += 1;
            let name = format!("{stem}{}", self.next_temp);
            if !self.names.contains(&name) && !self.global_names.contains(name.as_str()) {
                break name;
            }
        };
        self.names.insert(name.clone());
        self.locals.push(Local { name, ty, align: 0, shared: false, span: self.span });
        let id = LocalId(self.locals.len() as u32 - 1);
        self.push(StmtKind::Declare(id), false);
        Place::local(id, ty)
    }

    fn is_shared(&self, place: &Place) -> bool {
        // Locals made here are private, and unknown to the analysis.
        match place.base {
            Base::Local(id) if id.0 as usize >= self.program.function(self.function).locals.len() => false,
            _ => self.mentions_only_known(place) && self.sharing.is_shared(self.function, place),
        }
    }

    /// A pointer kept in a local made here: its own sharing was decided before it was put there.
    fn mentions_only_known(&self, place: &Place) -> bool {
        let Base::Deref(pointer) = &place.base else { return true };
        let known = self.program.function(self.function).locals.len();
        let mut fine = true;
        walk::expressions(pointer, &mut |expr| {
            if let ExprKind::Load(inner) | ExprKind::AddressOf(inner) = &expr.kind
                && let Base::Local(id) = inner.base
            {
                fine &= (id.0 as usize) < known;
            }
        });
        fine
    }

    fn shared_loads(&self, expr: &Expr) -> usize {
        let mut count = 0;
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind {
                count += usize::from(self.is_shared(place));
            }
        });
        count
    }

    fn shared_loads_in_place(&self, place: &Place) -> usize {
        let mut count = 0;
        walk::place_expressions(place, &mut |inner| {
            if let ExprKind::Load(loaded) = &inner.kind {
                count += usize::from(self.is_shared(loaded));
            }
        });
        count
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign { to, value } => self.assign(to, value),
            StmtKind::Call { to, callee, args } => self.call(stmt, to.as_ref(), callee, args),
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.at_most_one(condition);
                let visible = self.shared_loads(&condition) > 0;
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                self.span = stmt.span;
                self.push(StmtKind::If { condition, then, otherwise }, visible);
            }
            StmtKind::Return(Some(value)) => {
                let value = if self.is_shared_record(value) { self.copied(value) } else { self.at_most_one(value) };
                let visible = self.shared_loads(&value) > 0 || self.ends_something_shared();
                self.push(StmtKind::Return(Some(value)), visible);
            }
            StmtKind::Return(None) => {
                let visible = self.ends_something_shared();
                self.push(StmtKind::Return(None), visible);
            }
            StmtKind::Loop(body) => {
                let body = self.block(body);
                self.span = stmt.span;
                self.push(StmtKind::Loop(body), false);
            }
            StmtKind::Block(body) => {
                let body = self.block(body);
                self.span = stmt.span;
                self.push(StmtKind::Block(body), false);
            }
            StmtKind::Declare(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => self.push(stmt.kind.clone(), false),
        }
    }

    /// A return ends the locals that other threads may know; that of `main` ends all threads.
    fn ends_something_shared(&self) -> bool {
        let ends_threads = self.function == self.program.main && creates_threads(self.program);
        ends_threads || self.locals.iter().any(|local| local.shared)
    }

    /// The expression unchanged if it reads at most one shared place, else with all shared reads taken out.
    fn at_most_one(&mut self, expr: &Expr) -> Expr {
        if self.shared_loads(expr) <= 1 { expr.clone() } else { self.isolate(expr) }
    }

    fn assign(&mut self, to: &Place, value: &Expr) {
        let to_shared = self.is_shared(to);
        if self.types.record_id(value.ty).is_some() && (to_shared || self.is_shared_record(value)) {
            let ExprKind::Load(from) = &value.kind else { unreachable!("a struct value should be a load") };
            let (to, from) = (self.stable_place(to), self.stable_place(from));
            let shared_from = self.is_shared_record(value);
            self.copy(&to, &from, (to_shared, shared_from));
            return;
        }
        let accesses = usize::from(to_shared) + self.shared_loads_in_place(to) + self.shared_loads(value);
        if accesses == 1 && to_shared && self.assign_with_neighbours(to, value) {
            return;
        }
        if accesses <= 1 {
            self.push(StmtKind::Assign { to: to.clone(), value: value.clone() }, accesses == 1);
            return;
        }
        let to = if self.shared_loads_in_place(to) > 0 { self.isolate_place(to) } else { to.clone() };
        let reads = self.shared_loads(value);
        let value = if to_shared || reads > 1 { self.isolate(value) } else { value.clone() };
        let visible = to_shared || self.shared_loads(&value) > 0;
        if !(to_shared && self.assign_with_neighbours(&to, &value)) {
            self.push(StmtKind::Assign { to, value }, visible);
        }
    }

    /// `s.a = v` on a bit-field writes the neighbours of `a` again with what they held before:
    /// `t = s.b;` and then, in one step, `s.b = t; s.a = v;`. False if it has no neighbours.
    fn assign_with_neighbours(&mut self, to: &Place, value: &Expr) -> bool {
        let (Some((begin, end)), Some((record, index))) = (self.sections, bit_field(self.types, to)) else {
            return false;
        };
        let others = neighbours(self.types, record, index);
        if others.is_empty() {
            return false;
        }
        let mut to = self.stable_place(to);
        if !matches!(to.access, AccessKind::Atomic(_)) {
            to.access = AccessKind::Neighbour;
        }
        let member = |types: &Types, index: u32| {
            let mut place = to.clone();
            place.projections.pop();
            place.projections.push(Projection::Field(record, index));
            place.ty = types.record(record).fields[index as usize].ty;
            place
        };
        let value = if is_simple(value) {
            value.clone()
        } else {
            let temp = self.new_local("t", value.ty);
            self.push(StmtKind::Assign { to: temp.clone(), value: value.clone() }, false);
            Expr::load(temp)
        };
        let places: Vec<Place> = others.iter().map(|other| member(self.types, *other)).collect();
        let kept: Vec<Place> = places.iter().map(|place| self.new_local("t", place.ty)).collect();
        let section = |splitter: &mut Self, function: FunctionId, visible: bool| {
            let callee = Callee::Function(function);
            splitter.push(StmtKind::Call { to: None, callee, args: Vec::new() }, visible);
        };
        section(self, begin, true);
        for (place, temp) in places.iter().zip(&kept) {
            self.push(StmtKind::Assign { to: temp.clone(), value: Expr::load(place.clone()) }, true);
        }
        section(self, end, false);
        section(self, begin, true);
        for (place, temp) in places.into_iter().zip(kept) {
            self.push(StmtKind::Assign { to: place, value: Expr::load(temp) }, true);
        }
        self.push(StmtKind::Assign { to, value }, true);
        section(self, end, false);
        true
    }

    // ---- taking shared reads out of expressions ----

    /// The same value, with every shared read made by a step of its own before.
    fn isolate(&mut self, expr: &Expr) -> Expr {
        if self.shared_loads(expr) == 0 {
            return expr.clone();
        }
        let kind = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => return expr.clone(),
            ExprKind::Load(place) => {
                let shared = self.is_shared(place);
                let place = self.isolate_place(place);
                if shared {
                    let temp = self.new_local("t", expr.ty);
                    let value = Expr { kind: ExprKind::Load(Box::new(place)), ty: expr.ty };
                    self.push(StmtKind::Assign { to: temp.clone(), value }, true);
                    return Expr::load(temp);
                }
                ExprKind::Load(Box::new(place))
            }
            ExprKind::AddressOf(place) => ExprKind::AddressOf(Box::new(self.isolate_place(place))),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, Box::new(self.isolate(operand))),
            ExprKind::Cast(operand) => ExprKind::Cast(Box::new(self.isolate(operand))),
            ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right)
                if self.shared_loads(right) > 0 =>
            {
                return self.isolate_logical(*op, left, right, expr.ty);
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.isolate(left);
                ExprKind::Binary(*op, Box::new(left), Box::new(self.isolate(right)))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                return self.isolate_conditional(condition, then, otherwise, expr.ty);
            }
        };
        Expr { kind, ty: expr.ty }
    }

    /// a && b  ->  t = 0; if (a) { t = b != 0; }
    fn isolate_logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr, ty: TypeId) -> Expr {
        let temp = self.new_local("t", ty);
        let and = op == BinaryOp::LogicalAnd;
        let left = self.isolate(left);
        self.push(StmtKind::Assign { to: temp.clone(), value: Expr::int(i128::from(!and), ty) }, false);
        let outer = std::mem::take(&mut self.out);
        let right = self.isolate(right);
        let narrow = self.types.int_kind(right.ty).is_some_and(|kind| kind.rank() < IntKind::Int.rank());
        let right = if narrow { Expr { kind: ExprKind::Cast(Box::new(right)), ty } } else { right };
        let zero = self.zero(right.ty);
        let truth = Expr { kind: ExprKind::Binary(BinaryOp::Ne, Box::new(right), Box::new(zero)), ty };
        self.push(StmtKind::Assign { to: temp.clone(), value: truth }, false);
        let then = std::mem::replace(&mut self.out, outer);
        let condition =
            if and { left } else { Expr { kind: ExprKind::Unary(crate::il::UnaryOp::Not, Box::new(left)), ty } };
        self.push(StmtKind::If { condition, then, otherwise: Vec::new() }, false);
        Expr::load(temp)
    }

    fn isolate_conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, ty: TypeId) -> Expr {
        let temp = self.new_local("t", ty);
        let condition = self.isolate(condition);
        let mut branch = |value: &Expr| {
            let outer = std::mem::take(&mut self.out);
            let value = self.isolate(value);
            self.push(StmtKind::Assign { to: temp.clone(), value }, false);
            std::mem::replace(&mut self.out, outer)
        };
        let (then, otherwise) = (branch(then), branch(otherwise));
        self.push(StmtKind::If { condition, then, otherwise }, false);
        Expr::load(temp)
    }

    fn zero(&mut self, ty: TypeId) -> Expr {
        match self.types.float_kind(ty) {
            Some(_) => Expr { kind: ExprKind::Float(0.0), ty },
            None => Expr::int(0, ty),
        }
    }

    fn isolate_place(&mut self, place: &Place) -> Place {
        let base = match &place.base {
            Base::Deref(pointer) => Base::Deref(Box::new(self.isolate(pointer))),
            other => other.clone(),
        };
        let mut projections = Vec::new();
        for projection in &place.projections {
            projections.push(match projection {
                Projection::Index(index, element) => Projection::Index(Box::new(self.isolate(index)), *element),
                Projection::Field(..) => projection.clone(),
            });
        }
        Place { base, projections, ..*place }
    }

    // ---- structs ----

    fn is_shared_record(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Load(place) => self.types.record_id(value.ty).is_some() && self.is_shared(place),
            _ => false,
        }
    }

    /// A private copy of a shared struct.
    fn copied(&mut self, value: &Expr) -> Expr {
        let ExprKind::Load(from) = &value.kind else { unreachable!("a struct value should be a load") };
        let from = self.stable_place(from);
        let temp = self.new_local("t", value.ty);
        self.copy(&temp, &from, (false, true));
        Expr::load(temp)
    }

    /// A place whose pointer and indices are computed once, so that it can be used for every member.
    fn stable_place(&mut self, place: &Place) -> Place {
        let mut place = self.isolate_place(place);
        if let Base::Deref(pointer) = &place.base
            && !is_simple(pointer)
        {
            let temp = self.new_local("t", pointer.ty);
            self.push(StmtKind::Assign { to: temp.clone(), value: (**pointer).clone() }, false);
            place.base = Base::Deref(Box::new(Expr::load(temp)));
        }
        for projection in &mut place.projections {
            if let Projection::Index(index, _) = projection
                && !is_simple(index)
            {
                let temp = self.new_local("t", index.ty);
                self.push(StmtKind::Assign { to: temp.clone(), value: (**index).clone() }, false);
                **index = Expr::load(temp);
            }
        }
        place
    }

    /// `to = from`, one scalar at a time. `shared`: do the two sides lie in shared memory?
    fn copy(&mut self, to: &Place, from: &Place, shared: (bool, bool)) {
        match self.types.get(to.ty).clone() {
            Type::Record(record) if !self.types.record(record).union => {
                let fields = self.types.record(record).fields.clone();
                for (index, field) in fields.iter().enumerate() {
                    if field.bits.is_some() && field.name.is_none() {
                        continue;
                    }
                    let member = |place: &Place| {
                        let mut place = place.clone();
                        place.projections.push(Projection::Field(record, index as u32));
                        place.ty = field.ty;
                        place
                    };
                    self.copy(&member(to), &member(from), shared);
                }
            }
            Type::Record(_) if self.types.size(to.ty) > self.types.model.pointer_size() => {
                self.copy_bytes_of(to, from, shared);
            }
            Type::Array(element, count) if count <= MAX_UNROLLED => {
                let int = self.types.int(IntKind::Int);
                for index in 0..count {
                    let index = Expr::int(i128::from(index), int);
                    self.copy(&at(to, &index, element), &at(from, &index, element), shared);
                }
            }
            Type::Array(element, count) => {
                let size_type = self.types.size_type();
                let count = Expr::int(i128::from(count), size_type);
                self.counted_loop(count, |splitter, index| {
                    splitter.copy(&at(to, &index, element), &at(from, &index, element), shared);
                });
            }
            Type::OpenArray(_) => {}
            _ => self.copy_scalar(to, from, shared),
        }
    }

    fn copy_scalar(&mut self, to: &Place, from: &Place, shared: (bool, bool)) {
        let ty = self.types.unqualified(from.ty);
        let value = Expr { kind: ExprKind::Load(Box::new(from.clone())), ty };
        if shared.0 && self.sections.is_some() && bit_field(self.types, to).is_some() {
            let temp = self.new_local("t", ty);
            self.push(StmtKind::Assign { to: temp.clone(), value }, shared.1);
            if !self.assign_with_neighbours(to, &Expr::load(temp.clone())) {
                self.push(StmtKind::Assign { to: to.clone(), value: Expr::load(temp) }, true);
            }
        } else if shared == (true, true) {
            let temp = self.new_local("t", ty);
            self.push(StmtKind::Assign { to: temp.clone(), value }, true);
            self.push(StmtKind::Assign { to: to.clone(), value: Expr::load(temp) }, true);
        } else {
            self.push(StmtKind::Assign { to: to.clone(), value }, true);
        }
    }

    /// A union has no members that could be copied one by one: its bytes are.
    fn copy_bytes_of(&mut self, to: &Place, from: &Place, shared: (bool, bool)) {
        let byte = self.types.int(IntKind::UChar);
        let pointer = self.types.pointer(byte);
        let size_type = self.types.size_type();
        let size = Expr::int(i128::from(self.types.size(to.ty)), size_type);
        let mut address = |place: &Place| {
            let own = self.types.pointer(place.ty);
            let address = Expr { kind: ExprKind::AddressOf(Box::new(place.clone())), ty: own };
            self.cast_to_temp(&address, pointer)
        };
        let (to, from) = (address(to), address(from));
        self.copy_memory(to, from, size, shared);
    }

    fn cast_to_temp(&mut self, value: &Expr, ty: TypeId) -> Expr {
        let mut value = value;
        while let ExprKind::Cast(inner) = &value.kind
            && self.types.pointee(inner.ty).is_some()
        {
            value = inner;
        }
        let value = match value.ty == ty {
            true => value.clone(),
            false => Expr { kind: ExprKind::Cast(Box::new(value.clone())), ty },
        };
        let temp = self.new_local("t", ty);
        self.push(StmtKind::Assign { to: temp.clone(), value }, false);
        Expr::load(temp)
    }

    fn copy_memory(&mut self, to: Expr, from: Expr, size: Expr, shared: (bool, bool)) {
        self.counted_loop(size, |splitter, index| {
            let (to, from) = (splitter.byte_at(&to, &index), splitter.byte_at(&from, &index));
            splitter.copy_scalar(&to, &from, shared);
        });
    }

    fn byte_at(&mut self, pointer: &Expr, index: &Expr) -> Place {
        let byte = self.types.pointee(pointer.ty).expect("a pointer to bytes");
        let moved = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(pointer.clone()), Box::new(index.clone()));
        Place::deref(Expr { kind: moved, ty: pointer.ty }, byte)
    }

    /// { i = 0; while (1) { if (i >= count) break; body(i); i = i + 1; } }
    fn counted_loop(&mut self, count: Expr, body: impl FnOnce(&mut Self, Expr)) {
        let ty = count.ty;
        let int = self.types.int(IntKind::Int);
        let outer = std::mem::take(&mut self.out);
        let index = self.new_local("i", ty);
        let load = Expr::load(index.clone());
        self.push(StmtKind::Assign { to: index.clone(), value: Expr::int(0, ty) }, false);
        let before_loop = std::mem::take(&mut self.out);
        let done = Expr { kind: ExprKind::Binary(BinaryOp::Ge, Box::new(load.clone()), Box::new(count)), ty: int };
        let leave = Stmt::new(StmtKind::Break, self.span);
        self.push(StmtKind::If { condition: done, then: vec![leave], otherwise: Vec::new() }, false);
        let statements = std::mem::take(&mut self.out);
        body(self, load.clone());
        let inner = std::mem::replace(&mut self.out, statements);
        // The step's own temporaries live in a block of their own where there are any.
        if inner.iter().any(|stmt| matches!(stmt.kind, StmtKind::Declare(_))) {
            self.push(StmtKind::Block(inner), false);
        } else {
            self.out.extend(inner);
        }
        let next = ExprKind::Binary(BinaryOp::Add, Box::new(load), Box::new(Expr::int(1, ty)));
        self.push(StmtKind::Assign { to: index, value: Expr { kind: next, ty } }, false);
        let code = std::mem::replace(&mut self.out, before_loop);
        self.push(StmtKind::Loop(code), false);
        let block = std::mem::replace(&mut self.out, outer);
        self.push(StmtKind::Block(block), false);
    }

    // ---- calls ----

    fn call(&mut self, stmt: &Stmt, to: Option<&Place>, callee: &Callee, args: &[Expr]) {
        let operation = self.program.operation(callee);
        let pointers: Vec<&Expr> = operation_pointers(self.program, stmt).all().collect();
        let touches_shared =
            pointers.iter().any(|pointer| !pointer.is_zero() && self.sharing.points_to_shared(self.function, pointer));
        // The shared target of a result is written by a step of its own, after the call.
        let shared_to = to.filter(|to| self.is_shared(to) || self.shared_loads_in_place(to) > 0);
        let result = match (to, shared_to) {
            (Some(to), Some(_)) => Some(self.new_local("t", to.ty)),
            (to, None) => to.cloned(),
            (None, Some(_)) => None,
        };
        let reads: usize = args.iter().map(|arg| self.shared_loads(arg)).sum::<usize>()
            + if let Callee::Pointer(pointer) = callee { self.shared_loads(pointer) } else { 0 };
        let any_record = args.iter().any(|arg| self.is_shared_record(arg));
        // What prints into memory is one step: where that memory is private, it need not be one that others see.
        let prints = matches!(
            operation,
            Some(Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf)
        );
        let separate = reads > 1 || any_record || touches_shared || prints || self.is_visible_operation(callee);
        let mut new_args = Vec::new();
        for arg in args {
            new_args.push(if self.is_shared_record(arg) {
                self.copied(arg)
            } else if separate {
                self.isolate(arg)
            } else {
                arg.clone()
            });
        }
        let callee = match callee {
            Callee::Pointer(pointer) if separate => Callee::Pointer(self.isolate(pointer)),
            other => other.clone(),
        };
        let reads_left = if separate { 0 } else { reads };
        let visible = touches_shared || reads_left > 0 || self.is_visible_operation(&callee);
        match operation {
            Some(operation @ (Operation::Memcpy | Operation::Memmove | Operation::Memset | Operation::Memcmp))
                if touches_shared =>
            {
                self.memory_operation((operation, &callee), &new_args, &pointers, result.as_ref())
            }
            Some(operation @ (Operation::Create | Operation::CreateC11)) if touches_shared => {
                let attributes = args.get(1).filter(|_| operation == Operation::Create);
                let looks = attributes
                    .is_some_and(|pointer| !pointer.is_zero() && self.sharing.points_to_shared(self.function, pointer));
                self.through_private(&callee, new_args, 0, result.clone(), looks);
            }
            Some(Operation::Memcpy | Operation::Memmove)
                if !self.may_overlap(&args[0], &args[1]) && self.copy_as_assignment(&new_args, result.as_ref()) => {}
            Some(Operation::Join | Operation::JoinC11) if touches_shared => {
                self.through_private(&callee, new_args, 1, result.clone(), true);
            }
            _ => self.push(StmtKind::Call { to: result.clone(), callee, args: new_args }, visible),
        }
        if let (Some(temp), Some(original)) = (result, shared_to) {
            self.assign(original, &Expr::load(temp));
        }
    }

    /// memcpy(&a, &b, sizeof a) on private objects of one type is `a = b`.
    fn copy_as_assignment(&mut self, args: &[Expr], result: Option<&Place>) -> bool {
        let [to, from, size] = args else { return false };
        let (typed_to, typed_from) = (uncast(to), uncast(from));
        let (Some(a), Some(b)) = (self.types.pointee(typed_to.ty), self.types.pointee(typed_from.ty)) else {
            return false;
        };
        let whole = self.types.record_id(a).is_some() || self.types.is_scalar(a);
        let same = a == b && !self.types.is_void(a) && self.types.is_complete(a);
        if !(whole && same && size.as_int() == Some(i128::from(self.types.size(a)))) {
            return false;
        }
        let place = |pointer: &Expr| match &pointer.kind {
            ExprKind::AddressOf(place) if place.ty == a => (**place).clone(),
            _ => Place::deref(pointer.clone(), a),
        };
        let value = Expr::load(place(typed_from));
        self.push(StmtKind::Assign { to: place(typed_to), value }, false);
        if let Some(result) = result {
            self.push(StmtKind::Assign { to: result.clone(), value: to.clone() }, false);
        }
        true
    }

    /// Operations that other threads can tell, or that wait for other threads.
    fn is_visible_operation(&self, callee: &Callee) -> bool {
        let Callee::Function(id) = callee else { return false };
        if self.program.function(*id).atomic {
            return true;
        }
        // Which memory it gives depends on what others have freed.
        let allocates =
            matches!(self.program.operation(callee), Some(Operation::Malloc | Operation::Calloc | Operation::Realloc));
        if allocates && self.program.told.reuse.is_some() {
            return true;
        }
        matches!(
            self.program.operation(callee),
            Some(
                Operation::AtomicBegin
                    | Operation::Exit
                    | Operation::Abort
                    // Its variables end.
                    | Operation::ThreadExit
                    | Operation::Await
                    | Operation::AwaitSpurious
                    | Operation::Join
                    | Operation::JoinC11
                    | Operation::Detach
            )
        )
    }

    /// `create(&shared, ...)`: the operation writes a private variable, a second step the shared one.
    fn through_private(
        &mut self,
        callee: &Callee,
        mut args: Vec<Expr>,
        index: usize,
        result: Option<Place>,
        visible: bool,
    ) {
        let pointer = args[index].clone();
        let to = self.types.pointee(pointer.ty).expect("the operation writes through a pointer");
        if self.types.is_void(to) {
            self.push(StmtKind::Call { to: result, callee: callee.clone(), args }, true);
            return;
        }
        let private = self.new_local("t", to);
        args[index] = Expr { kind: ExprKind::AddressOf(Box::new(private.clone())), ty: pointer.ty };
        self.push(StmtKind::Call { to: result, callee: callee.clone(), args }, visible);
        let target = match &pointer.kind {
            ExprKind::AddressOf(place) if place.ty == to => (**place).clone(),
            _ => Place::deref(pointer, to),
        };
        self.push(StmtKind::Assign { to: target, value: Expr::load(private) }, true);
    }

    /// memcpy and its relatives on shared memory, byte by byte.
    fn memory_operation(
        &mut self,
        (operation, callee): (Operation, &Callee),
        args: &[Expr],
        pointers: &[&Expr],
        result: Option<&Place>,
    ) {
        let byte = self.types.int(IntKind::UChar);
        let pointer = self.types.pointer(byte);
        let to = self.cast_to_temp(&args[0], pointer);
        let size = args[2].clone();
        if operation == Operation::Memset {
            let value = Expr { kind: ExprKind::Cast(Box::new(args[1].clone())), ty: byte };
            self.counted_loop(size, |splitter, index| {
                let target = splitter.byte_at(&to, &index);
                splitter.push(StmtKind::Assign { to: target, value }, true);
            });
        } else {
            let from = self.cast_to_temp(&args[1], pointer);
            let shared = (
                self.sharing.points_to_shared(self.function, pointers[0]),
                self.sharing.points_to_shared(self.function, pointers[1]),
            );
            match operation {
                Operation::Memcmp => return self.compare_memory(to, from, size, shared, result),
                Operation::Memmove => self.move_memory(to, from, size, shared),
                _ => {
                    if self.may_overlap(pointers[0], pointers[1]) {
                        self.fail_if_overlapping(callee, [&to, &from, &size]);
                    }
                    self.copy_memory(to, from, size, shared);
                }
            }
        }
        if let Some(result) = result {
            self.push(StmtKind::Assign { to: result.clone(), value: args[0].clone() }, false);
        }
    }

    /// May memcpy() be given these for memory that overlaps?
    fn may_overlap(&self, to: &Expr, from: &Expr) -> bool {
        let variable = |pointer: &Expr| match &uncast(pointer).kind {
            ExprKind::AddressOf(place) if !matches!(place.base, Base::Deref(_)) => Some(place.base.clone()),
            _ => None,
        };
        if is_string(from) || variable(to).zip(variable(from)).is_some_and(|(to, from)| to != from) {
            return false;
        }
        self.sharing.may_alias(self.function, to, from)
    }

    /// if (to != from && to < from + size && from < to + size) memcpy(to, from, size)
    ///
    /// That memcpy fails before it touches anything.
    fn fail_if_overlapping(&mut self, callee: &Callee, args: [&Expr; 3]) {
        let [to, from, size] = args;
        let int = self.types.int(IntKind::Int);
        let binary = |op, left: Expr, right: Expr| Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: if op == BinaryOp::PointerAdd { to.ty } else { int },
        };
        let end = |pointer: &Expr| binary(BinaryOp::PointerAdd, pointer.clone(), size.clone());
        let apart = binary(BinaryOp::Ne, to.clone(), from.clone());
        let before = binary(BinaryOp::Lt, to.clone(), end(from));
        let after = binary(BinaryOp::Lt, from.clone(), end(to));
        let condition = binary(BinaryOp::LogicalAnd, binary(BinaryOp::LogicalAnd, apart, before), after);
        let outer = std::mem::take(&mut self.out);
        let void = self.types.void();
        let unknown = self.types.pointer(void);
        let cast = |pointer: &Expr| Expr { kind: ExprKind::Cast(Box::new(pointer.clone())), ty: unknown };
        let args = vec![cast(to), cast(from), size.clone()];
        self.push(StmtKind::Call { to: None, callee: callee.clone(), args }, false);
        let then = std::mem::replace(&mut self.out, outer);
        self.push(StmtKind::If { condition, then, otherwise: Vec::new() }, false);
    }

    /// if (from < to && to < from + size) copy downwards; else copy upwards
    ///
    /// Two objects have no order in C: a comparison that a verifier takes for false must mean that they are apart.
    fn move_memory(&mut self, to: Expr, from: Expr, size: Expr, shared: (bool, bool)) {
        let int = self.types.int(IntKind::Int);
        let outer = std::mem::take(&mut self.out);
        self.copy_memory(to.clone(), from.clone(), size.clone(), shared);
        let upwards = std::mem::take(&mut self.out);
        let (target, source) = (to.clone(), from.clone());
        let count = size.clone();
        self.counted_loop(count, |splitter, index| {
            // The byte before the ones that are done: to[size - 1 - index].
            let ty = index.ty;
            let last = match size.as_int() {
                Some(size) => ExprKind::Int(crate::il::arithmetic::wrap(splitter.types, size - 1, ty)),
                None => ExprKind::Binary(BinaryOp::Sub, Box::new(size.clone()), Box::new(Expr::int(1, ty))),
            };
            let mirrored = ExprKind::Binary(BinaryOp::Sub, Box::new(Expr { kind: last, ty }), Box::new(index));
            let mirrored = Expr { kind: mirrored, ty };
            let (to, from) = (splitter.byte_at(&target, &mirrored), splitter.byte_at(&source, &mirrored));
            splitter.copy_scalar(&to, &from, shared);
        });
        let downwards = std::mem::replace(&mut self.out, outer);
        let end = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(from.clone()), Box::new(size));
        let end = Expr { kind: end, ty: from.ty };
        let less = |left: Expr, right: Expr| {
            Box::new(Expr { kind: ExprKind::Binary(BinaryOp::Lt, Box::new(left), Box::new(right)), ty: int })
        };
        let overlap = ExprKind::Binary(BinaryOp::LogicalAnd, less(from, to.clone()), less(to, end));
        let condition = Expr { kind: overlap, ty: int };
        self.push(StmtKind::If { condition, then: downwards, otherwise: upwards }, false);
    }

    /// r = 0; for each byte: a = left[i]; b = right[i]; if (a != b) { r = a - b; break; }
    fn compare_memory(&mut self, left: Expr, right: Expr, size: Expr, shared: (bool, bool), result: Option<&Place>) {
        let (int, byte) = (self.types.int(IntKind::Int), self.types.int(IntKind::UChar));
        let difference = self.new_local("t", int);
        self.push(StmtKind::Assign { to: difference.clone(), value: Expr::int(0, int) }, false);
        self.counted_loop(size, |splitter, index| {
            let mut read = |pointer: &Expr, visible: bool| {
                let place = splitter.byte_at(pointer, &index);
                let temp = splitter.new_local("t", byte);
                splitter.push(StmtKind::Assign { to: temp.clone(), value: Expr::load(place) }, visible);
                Box::new(Expr { kind: ExprKind::Cast(Box::new(Expr::load(temp))), ty: int })
            };
            let (a, b) = (read(&left, shared.0), read(&right, shared.1));
            let condition = Expr { kind: ExprKind::Binary(BinaryOp::Ne, a.clone(), b.clone()), ty: int };
            let value = Expr { kind: ExprKind::Binary(BinaryOp::Sub, a, b), ty: int };
            let found = Stmt::new(StmtKind::Assign { to: difference.clone(), value }, splitter.span);
            let leave = Stmt::new(StmtKind::Break, splitter.span);
            splitter.push(StmtKind::If { condition, then: vec![found, leave], otherwise: Vec::new() }, false);
        });
        if let Some(result) = result {
            self.push(StmtKind::Assign { to: result.clone(), value: Expr::load(difference) }, false);
        }
    }
}

/// The locals with their marks: may other threads reach them?
fn marked_locals(sharing: &Sharing, function: FunctionId, locals: &[Local]) -> Vec<Local> {
    let mark = |(index, local): (usize, &Local)| {
        let place = Place::local(LocalId(index as u32), local.ty);
        Local { shared: sharing.is_shared(function, &place), ..local.clone() }
    };
    locals.iter().enumerate().map(mark).collect()
}

fn at(place: &Place, index: &Expr, element: TypeId) -> Place {
    let mut place = place.clone();
    place.projections.push(Projection::Index(Box::new(index.clone()), element));
    place.ty = element;
    place
}

fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Load(place) => matches!(place.base, Base::Local(_)) && place.projections.is_empty(),
        ExprKind::AddressOf(place) => matches!(place.base, Base::Global(_)) && place.projections.is_empty(),
        _ => false,
    }
}
