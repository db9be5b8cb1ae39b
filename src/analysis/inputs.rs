//! Values from outside that are enough to try: two values between which no use distinguishes lead to the same
//! executions, so that one of each class stands for all of them.
//!
//! A *holder* is a variable of integer type that nobody takes the address of, or the result of a function. What is seen
//! of it are the points at which the answer of a comparison with a constant may change, the bits that a mask lets
//! through, or everything. A holder that is copied into another one is seen as that one is; a conversion to `_Bool` only
//! lets through whether it is zero, whatever comes of the result.

use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, GlobalId, LocalId, Operation, Place, Program,
    Projection, StatementId, Stmt, StmtKind, TypeId, UnaryOp, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// For statements that take a value from outside: the values that stand for all.
pub type Classes = FxHashMap<StatementId, Vec<u64>>;

/// More are not tried: the search would take too long.
const MOST: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    Result(FunctionId),
}

/// What the program can tell of a value.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    everything: bool,
    points: BTreeSet<i128>,
    mask: u64,
}

impl Seen {
    fn everything() -> Seen {
        Seen { everything: true, ..Seen::default() }
    }

    fn point(value: i128) -> Seen {
        Seen { points: BTreeSet::from([value]), ..Seen::default() }
    }

    fn is_nothing(&self) -> bool {
        *self == Seen::default()
    }

    fn join(&mut self, other: &Seen) {
        self.everything |= other.everything;
        self.points.extend(&other.points);
        self.mask |= other.mask;
    }
}

/// What happens to a value before it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Converted from one type of integers to another.
    Converted(TypeId, TypeId),
    /// Only whether it is zero.
    Truth,
    Masked(u64),
}

/// How a value is used: through these steps, the last one first, it becomes what is seen or held.
#[derive(Clone)]
struct Way {
    steps: Vec<Step>,
    end: End,
}

#[derive(Clone)]
enum End {
    Seen(Seen),
    Held(Holder),
}

impl Way {
    fn to(end: End) -> Way {
        Way { steps: Vec::new(), end }
    }

    fn seen(seen: Seen) -> Way {
        Way::to(End::Seen(seen))
    }

    fn after(&self, step: Step) -> Way {
        let mut way = self.clone();
        way.steps.push(step);
        way
    }
}

pub fn classes(program: &Program) -> Classes {
    let mut uses = Uses {
        program,
        addressed: FxHashSet::default(),
        by_pointer: FxHashSet::default(),
        by_name: FxHashSet::default(),
        results_are_read: false,
        ways: Vec::new(),
    };
    uses.look();
    let seen = uses.seen();
    let mut classes = Classes::default();
    for (index, function) in program.functions.iter().enumerate() {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { to: Some(to), callee: Callee::Function(callee), .. } = &stmt.kind
                && is_input(program, *callee)
                && let Some(holder) = uses.holder(FunctionId(index as u32), to)
                && let Some(values) = uses.values(to.ty, seen.get(&holder).unwrap_or(&Seen::default()))
            {
                classes.insert(stmt.id, values);
            }
        });
    }
    classes
}

fn is_input(program: &Program, callee: FunctionId) -> bool {
    matches!(program.function(callee).kind, FunctionKind::Operation(Operation::Nondet) | FunctionKind::External)
}

fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(inner) => is_null(inner),
        _ => expr.is_zero(),
    }
}

struct Uses<'p> {
    program: &'p Program,
    addressed: FxHashSet<Holder>,
    /// Functions that may be called through pointers.
    by_pointer: FxHashSet<FunctionId>,
    /// Functions that are called by their names.
    by_name: FxHashSet<FunctionId>,
    /// Somebody joins a thread for its result, or calls through pointers.
    results_are_read: bool,
    ways: Vec<(Holder, Way)>,
}

impl<'p> Uses<'p> {
    fn look(&mut self) {
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            walk::statements(&function.body, &mut |stmt| {
                let mut look = |expr: &Expr| self.look_at_addresses(id, expr);
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => walk::expressions(expr, &mut look),
                    walk::Use::Target(place) => {
                        walk::place_expressions(place, &mut |expr| walk::expressions(expr, &mut look));
                    }
                });
                if let StmtKind::Call { callee, args, .. } = &stmt.kind {
                    match callee {
                        Callee::Pointer(_) => self.results_are_read = true,
                        Callee::Function(callee) => {
                            self.by_name.insert(*callee);
                        }
                    }
                    let joins = matches!(program.operation(callee), Some(Operation::Join | Operation::JoinC11));
                    self.results_are_read |= joins && !args.get(1).is_some_and(is_null);
                }
                // Lists of arguments are handed out.
                if let StmtKind::VaStart(place) | StmtKind::VaEnd(place) | StmtKind::VaCopy { from: place, .. } =
                    &stmt.kind
                    && let Some(holder) = self.variable(id, place)
                {
                    self.addressed.insert(holder);
                }
            });
        }
        let parts = program.globals.iter().flat_map(|global| &global.init);
        for part in parts {
            walk::expressions(&part.value, &mut |expr| self.look_at_addresses(program.main, expr));
        }
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            walk::statements(&function.body, &mut |stmt| self.statement(id, stmt));
        }
    }

    fn look_at_addresses(&mut self, function: FunctionId, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddressOf(place) => {
                if let Some(holder) = self.variable(function, place) {
                    self.addressed.insert(holder);
                }
            }
            ExprKind::Function(id) => {
                self.by_pointer.insert(*id);
            }
            _ => {}
        }
    }

    fn variable(&self, function: FunctionId, place: &Place) -> Option<Holder> {
        match place.base {
            Base::Global(id) => Some(Holder::Global(id)),
            Base::Local(id) => Some(Holder::Local(function, id)),
            Base::Deref(_) => None,
        }
    }

    /// The whole of a variable of integer type whose address nobody has.
    fn holder(&self, function: FunctionId, place: &Place) -> Option<Holder> {
        let holder = self.variable(function, place)?;
        let declared = match holder {
            Holder::Global(id) => self.program.globals[id.0 as usize].ty,
            Holder::Local(function, id) => self.program.function(function).locals[id.0 as usize].ty,
            Holder::Result(_) => return None,
        };
        let whole = place.projections.is_empty() && self.is_int(declared) && self.is_int(place.ty);
        (whole && !self.addressed.contains(&holder)).then_some(holder)
    }

    /// Into a holder of the same type, or into something else.
    fn kept_in(&self, function: FunctionId, place: &Place, from: TypeId) -> Way {
        let types = &self.program.types;
        let kind = |ty| types.int_kind(types.unqualified(ty));
        let holder = self.holder(function, place).filter(|_| kind(place.ty) == kind(from));
        holder.map_or_else(|| Way::seen(Seen::everything()), |holder| Way::to(End::Held(holder)))
    }

    fn is_int(&self, ty: TypeId) -> bool {
        self.program.types.int_kind(self.program.types.unqualified(ty)).is_some()
    }

    /// The smallest and the largest value.
    fn range(&self, ty: TypeId) -> Option<(i128, i128)> {
        let types = &self.program.types;
        let kind = types.int_kind(types.unqualified(ty))?;
        let bits = types.size(ty) * 8;
        Some(match (kind, kind.signed()) {
            (crate::il::IntKind::Bool, _) => (0, 1),
            (_, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (_, false) => (0, (1 << bits) - 1),
        })
    }

    fn statement(&mut self, function: FunctionId, stmt: &Stmt) {
        let truth = Way::seen(Seen::point(0));
        let everything = Way::seen(Seen::everything());
        match &stmt.kind {
            StmtKind::Assign { to, value } => {
                self.place(function, to);
                let way = self.kept_in(function, to, value.ty);
                self.expr(function, value, &way);
            }
            StmtKind::Call { to, callee, args } => {
                if let Some(to) = to {
                    self.place(function, to);
                }
                if let Callee::Pointer(pointer) = callee {
                    self.expr(function, pointer, &everything);
                }
                let called = match callee {
                    Callee::Function(id) => Some((*id, self.program.function(*id))),
                    Callee::Pointer(_) => None,
                };
                let is_condition = matches!(
                    self.program.operation(callee),
                    Some(Operation::Assume | Operation::Assert | Operation::Await | Operation::AwaitSpurious)
                );
                let ends = self.program.operation(callee) == Some(Operation::ThreadExit) && !self.results_are_read;
                for (index, arg) in args.iter().enumerate() {
                    let parameter = called.filter(|(_, called)| called.has_body()).and_then(|(id, called)| {
                        let local = *called.params.get(index)?;
                        let ty = called.locals[local.0 as usize].ty;
                        Some(self.kept_in(id, &Place::local(local, ty), arg.ty))
                    });
                    match parameter {
                        Some(way) => self.expr(function, arg, &way),
                        None if is_condition => self.expr(function, arg, &truth),
                        None if ends => self.expr(function, arg, &Way::seen(Seen::default())),
                        None => self.expr(function, arg, &everything),
                    }
                }
                if let (Some(to), Some((id, called))) = (to, called)
                    && called.has_body()
                {
                    let types = &self.program.types;
                    let way = types.function_type(called.ty).map(|ty| self.kept_in(function, to, ty.result));
                    self.ways.push((Holder::Result(id), way.unwrap_or(everything)));
                }
            }
            StmtKind::If { condition, .. } => self.expr(function, condition, &truth),
            StmtKind::Return(Some(value)) => {
                let types = &self.program.types;
                let kind = |ty| types.int_kind(types.unqualified(ty));
                let ty = types.function_type(self.program.function(function).ty);
                let known = ty.is_some_and(|ty| kind(ty.result) == kind(value.ty) && kind(value.ty).is_some());
                let way = match (self.by_pointer.contains(&function), self.by_name.contains(&function)) {
                    // The start of threads whose results nobody looks at.
                    (true, false) if !self.results_are_read => Way::seen(Seen::default()),
                    (false, _) if known => Way::to(End::Held(Holder::Result(function))),
                    _ => everything,
                };
                self.expr(function, value, &way);
            }
            StmtKind::VaStart(place) | StmtKind::VaEnd(place) => self.place(function, place),
            StmtKind::VaArg { to, list } => {
                self.place(function, to);
                self.place(function, list);
            }
            StmtKind::VaCopy { to, from } => {
                self.place(function, to);
                self.place(function, from);
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

    /// What is computed to find a place is seen.
    fn place(&mut self, function: FunctionId, place: &Place) {
        let everything = Way::seen(Seen::everything());
        if let Base::Deref(pointer) = &place.base {
            self.expr(function, pointer, &everything);
        }
        for projection in &place.projections {
            if let Projection::Index(index, _) = projection {
                self.expr(function, index, &everything);
            }
        }
    }

    fn expr(&mut self, function: FunctionId, expr: &Expr, way: &Way) {
        let everything = Way::seen(Seen::everything());
        let truth = Way::seen(Seen::point(0));
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => match self.holder(function, place) {
                Some(holder) => self.ways.push((holder, way.clone())),
                None => self.place(function, place),
            },
            ExprKind::AddressOf(place) => self.place(function, place),
            ExprKind::Unary(UnaryOp::Not, inner) => self.expr(function, inner, &way.after(Step::Truth)),
            ExprKind::Unary(UnaryOp::Minus | UnaryOp::Complement, inner) => self.expr(function, inner, &everything),
            ExprKind::Cast(inner) => {
                let types = &self.program.types;
                let is_truth = types.int_kind(types.unqualified(expr.ty)) == Some(crate::il::IntKind::Bool);
                if matches!(&way.end, End::Seen(seen) if seen.is_nothing()) {
                    self.expr(function, inner, way);
                } else if !self.is_int(inner.ty) {
                    self.expr(function, inner, &everything);
                } else if is_truth {
                    self.expr(function, inner, &way.after(Step::Truth));
                } else if self.is_int(expr.ty) {
                    self.expr(function, inner, &way.after(Step::Converted(inner.ty, expr.ty)));
                } else {
                    self.expr(function, inner, &everything);
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(function, condition, &truth);
                self.expr(function, then, way);
                self.expr(function, otherwise, way);
            }
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, a, b) => {
                self.expr(function, a, &truth);
                self.expr(function, b, &truth);
            }
            ExprKind::Binary(
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne,
                a,
                b,
            ) if self.is_int(a.ty) && self.is_int(b.ty) => {
                for (value, other) in [(a, b), (b, a)] {
                    let way = other.as_int().map_or_else(|| everything.clone(), |point| Way::seen(Seen::point(point)));
                    self.expr(function, value, &way);
                }
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                for (value, other) in [(a, b), (b, a)] {
                    let mask = other.as_int().and_then(|mask| u64::try_from(mask).ok());
                    let masked = mask.map(|mask| way.after(Step::Masked(mask)));
                    self.expr(function, value, &masked.unwrap_or_else(|| everything.clone()));
                }
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(function, a, &everything);
                self.expr(function, b, &everything);
            }
        }
    }

    /// What is seen of every holder: grows until nothing changes.
    fn seen(&self) -> FxHashMap<Holder, Seen> {
        let mut seen: FxHashMap<Holder, Seen> = FxHashMap::default();
        loop {
            let mut changed = false;
            for (holder, way) in &self.ways {
                let end = match &way.end {
                    End::Seen(seen) => seen.clone(),
                    End::Held(holder) => seen.get(holder).cloned().unwrap_or_default(),
                };
                let here = way.steps.iter().fold(end, |seen, step| self.before(seen, *step));
                let known = seen.entry(*holder).or_default();
                let mut grown = known.clone();
                grown.join(&here);
                if grown.points.len() > MOST {
                    grown = Seen::everything();
                }
                changed |= grown != *known;
                *known = grown;
            }
            if !changed {
                return seen;
            }
        }
    }

    /// What is seen of a value if this is seen of what a step makes of it.
    fn before(&self, seen: Seen, step: Step) -> Seen {
        if seen.is_nothing() {
            return seen;
        }
        match step {
            Step::Truth => Seen::point(0),
            Step::Masked(mask) => Seen { mask, ..Seen::default() },
            Step::Converted(from, to) => self.unconverted(seen, from, to).unwrap_or_else(Seen::everything),
        }
    }

    /// Only conversions that lose nothing; they keep the order, but for the jump between negative and positive values.
    fn unconverted(&self, seen: Seen, from: TypeId, to: TypeId) -> Option<Seen> {
        let ((least, most), (first, last)) = (self.range(from)?, self.range(to)?);
        let sizes = (self.program.types.size(from), self.program.types.size(to));
        if seen.everything || sizes.1 < sizes.0 {
            return None;
        }
        let all = 1 << (sizes.1 * 8);
        let within = |value: &i128| (least..=most).contains(value);
        // The values that become this one.
        let mut points: BTreeSet<i128> =
            seen.points.iter().flat_map(|point| [*point, point - all, point + all]).filter(within).collect();
        if first > least && !seen.points.is_empty() {
            points.extend([-1, 0]);
        }
        if last < most && !seen.points.is_empty() {
            points.extend([last, last + 1]);
        }
        // A mask lets bits through that a conversion may have made of the sign.
        let all_bits = u64::try_from(most).unwrap_or(u64::MAX);
        (seen.mask & !all_bits == 0).then_some(Seen { everything: false, points, mask: seen.mask })
    }

    /// One value of each class; `None` if there are too many.
    fn values(&self, ty: TypeId, seen: &Seen) -> Option<Vec<u64>> {
        let (least, most) = self.range(ty)?;
        if seen.everything || (seen.mask != 0 && !seen.points.is_empty()) {
            return None;
        }
        if seen.mask != 0 {
            let mask = seen.mask & u64::try_from(most).unwrap_or(u64::MAX);
            if mask.count_ones() > MOST.ilog2() {
                return None;
            }
            // All sets of bits of the mask.
            let mut values = vec![0];
            let mut value = 0_u64;
            while value != mask {
                value = value.wrapping_sub(mask) & mask;
                values.push(value);
            }
            return Some(values);
        }
        let mut values: BTreeSet<i128> = BTreeSet::new();
        let mut begin = least;
        for point in seen.points.iter().filter(|point| (least..=most).contains(*point)) {
            if *point > begin {
                // Next to a point, because small numbers are easier to read.
                values.insert(point - 1);
            }
            values.insert(*point);
            begin = point + 1;
        }
        if begin <= most {
            values.insert(if begin == least { 0 } else { begin });
        }
        // Small ones first.
        let mut values: Vec<i128> = values.into_iter().collect();
        values.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
        (values.len() <= MOST).then(|| values.into_iter().map(|value| value as u64).collect())
    }
}
