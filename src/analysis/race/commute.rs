//! Critical sections that only add to what they protect: `lock(&m); c = c + 1; unlock(&m);`. In whatever order threads take
//! them, memory is the same afterwards, so it is enough to follow one order (Lipton's movers for a whole section).
//!
//! What is in such a section, between lock and unlock, one after the other:
//!
//! ```text
//! t = c;  c = t + e;        for a global integer c, where nobody else reads t, and e is made of private values,
//! x = e;                    for a private x.
//! ```
//!
//! Additions wrap around, so that they commute; nothing in such a section waits, fails or leaves it. This is about the text
//! of one section. That all who may take the same lock at the same time have sections of this kind, and that nobody else
//! touches what is added to, is for the caller to see to: it knows which locks and which memory may be the same.

use crate::diagnostic::Span;
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, FunctionKind, GlobalId, IntKind, LocalId, ObjectAction, Place,
    Program, Projection, Stmt, StmtKind, TypeId, uncast, walk,
};
use rustc_hash::FxHashMap;

/// A lock that is a variable or a member of one, by its place.
type Lock = (GlobalId, Vec<u64>);

/// The call that takes the lock, and what is done between it and the unlock.
pub struct Section {
    pub taken: Span,
    pub inside: Vec<Span>,
}

/// The sections that only add.
pub fn adding_sections(program: &Program) -> Vec<Section> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| matches!(function.kind, FunctionKind::Defined)) {
        Looker { program, function, found: &mut found }.block(&function.body);
    }
    found
}

struct Looker<'a, 'p> {
    program: &'p Program,
    function: &'p Function,
    found: &'a mut Vec<Section>,
}

impl Looker<'_, '_> {
    fn block(&mut self, block: &[Stmt]) {
        for (at, stmt) in block.iter().enumerate() {
            if let Some((ObjectAction::Locks, lock)) = self.action(stmt)
                && let Some(lock) = self.lock(lock)
                && let Some(length) = self.section(&block[at + 1..], &lock)
            {
                let inside = block[at + 1..at + length].iter().map(|stmt| stmt.span).collect();
                self.found.push(Section { taken: stmt.span, inside });
            }
            stmt.kind.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// What a call of the thread library does to its object.
    fn action<'s>(&self, stmt: &'s Stmt) -> Option<(ObjectAction, &'s Expr)> {
        let StmtKind::Call { callee: Callee::Function(id), args, .. } = &stmt.kind else { return None };
        Some((self.program.function(*id).does?, args.first()?))
    }

    fn lock(&self, pointer: &Expr) -> Option<Lock> {
        let ExprKind::AddressOf(place) = &uncast(pointer).kind else { return None };
        let Base::Global(id) = place.base else { return None };
        let step = |projection: &Projection| match projection {
            Projection::Field(_, index) => Some(u64::from(*index)),
            Projection::Index(index, _) => u64::try_from(index.as_int()?).ok(),
        };
        (!self.program.global(id).thread_local)
            .then(|| place.projections.iter().map(step).collect::<Option<Vec<u64>>>())
            .flatten()
            .map(|path| (id, path))
    }

    /// The number of statements up to the unlock, if all of them commute with those of other sections.
    fn section(&self, block: &[Stmt], lock: &Lock) -> Option<usize> {
        // What was read and not yet written again.
        let mut read: FxHashMap<LocalId, &Place> = FxHashMap::default();
        for (at, stmt) in block.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Declare(_) => {}
                StmtKind::Assign { to, value } => match (&to.base, &value.kind) {
                    (Base::Local(id), ExprKind::Load(place)) if matches!(place.base, Base::Global(_)) => {
                        let fine = self.is_private(*id, to) && self.is_counter(place) && self.is_read_once(*id);
                        if !fine || read.insert(*id, place).is_some() {
                            return None;
                        }
                    }
                    (Base::Local(id), _) => {
                        if !self.is_private(*id, to) || !self.is_own(value, &read) || read.contains_key(id) {
                            return None;
                        }
                    }
                    (Base::Global(_), _) => {
                        let from = self.adds_to(to, value, &read)?;
                        read.remove(&from);
                    }
                    (Base::Deref(_), _) => return None,
                },
                StmtKind::Call { to, .. } => {
                    let (action, object) = self.action(stmt)?;
                    let result =
                        to.as_ref().is_none_or(|to| matches!(to.base, Base::Local(id) if self.is_private(id, to)));
                    let ends = action == ObjectAction::Unlocks && self.lock(object).as_ref() == Some(lock);
                    return (ends && result && read.is_empty()).then_some(at + 1);
                }
                StmtKind::If { .. }
                | StmtKind::Loop(_)
                | StmtKind::Block(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::Return(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => return None,
            }
        }
        None
    }

    /// A number of the thread itself, which nobody has the address of.
    fn is_private(&self, id: LocalId, place: &Place) -> bool {
        place.projections.is_empty() && self.program.types.is_scalar(place.ty) && !self.has_address(id)
    }

    fn has_address(&self, id: LocalId) -> bool {
        let mut found = false;
        self.expressions(&mut |expr| {
            found |= matches!(&expr.kind, ExprKind::AddressOf(place) if place.base == Base::Local(id));
        });
        found
    }

    fn is_read_once(&self, id: LocalId) -> bool {
        let mut count = 0;
        self.expressions(&mut |expr| {
            count += usize::from(matches!(&expr.kind, ExprKind::Load(place) if place.base == Base::Local(id)));
        });
        count == 1
    }

    fn expressions(&self, visit: &mut impl FnMut(&Expr)) {
        walk::statements(&self.function.body, &mut |stmt| {
            let mut look = |expr: &Expr| walk::expressions(expr, visit);
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }

    /// An integer in a global variable, of which it is known where it lies, and that it is there.
    fn is_counter(&self, place: &Place) -> bool {
        let types = &self.program.types;
        let Base::Global(id) = place.base else { return false };
        let mut ty = self.program.global(id).ty;
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let field = &types.record(*record).fields[*index as usize];
                    if field.bits.is_some() || types.record(*record).union {
                        return false;
                    }
                    ty = field.ty;
                }
                Projection::Index(index, element) => {
                    let inside = match (types.get(types.unqualified(ty)), index.as_int()) {
                        (crate::il::Type::Array(_, count), Some(index)) => index >= 0 && (index as u64) < *count,
                        _ => false,
                    };
                    if !inside {
                        return false;
                    }
                    ty = *element;
                }
            }
        }
        self.is_whole_number(place.ty)
    }

    fn is_whole_number(&self, ty: TypeId) -> bool {
        self.program.types.int_kind(ty).is_some_and(|kind| kind != IntKind::Bool)
    }

    /// The register with what the place held, if the value is that and something private.
    fn adds_to(&self, to: &Place, value: &Expr, read: &FxHashMap<LocalId, &Place>) -> Option<LocalId> {
        let wide =
            |ty: TypeId| self.is_whole_number(ty) && self.program.types.size(ty) >= self.program.types.size(to.ty);
        let mut sum = value;
        loop {
            if !wide(sum.ty) {
                return None;
            }
            let ExprKind::Cast(inner) = &sum.kind else { break };
            sum = inner;
        }
        let ExprKind::Binary(op, left, right) = &sum.kind else { return None };
        let (old, added) = match op {
            BinaryOp::Add if !self.is_own(left, read) => (left, right),
            BinaryOp::Add => (right, left),
            BinaryOp::Sub => (left, right),
            _ => return None,
        };
        let mut old = &**old;
        while let ExprKind::Cast(inner) = &old.kind {
            if !wide(old.ty) {
                return None;
            }
            old = inner;
        }
        let ExprKind::Load(place) = &old.kind else { return None };
        let Base::Local(id) = place.base else { return None };
        let from = read.get(&id)?;
        let same = from.base == to.base && from.projections == to.projections && from.ty == to.ty;
        (same && wide(old.ty) && self.is_own(added, read)).then_some(id)
    }

    /// Made of what the thread alone knows, by operations that do not fail.
    fn is_own(&self, expr: &Expr, read: &FxHashMap<LocalId, &Place>) -> bool {
        let mut own = true;
        walk::expressions(expr, &mut |inner| {
            own &= match &inner.kind {
                ExprKind::Int(_) => true,
                ExprKind::Load(place) => {
                    matches!(place.base, Base::Local(id) if !read.contains_key(&id) && self.is_private(id, place))
                }
                ExprKind::Unary(..) => self.is_whole_number(inner.ty),
                ExprKind::Binary(op, ..) => {
                    self.is_whole_number(inner.ty) && !matches!(op, BinaryOp::Div | BinaryOp::Rem)
                }
                ExprKind::Cast(from) => self.is_whole_number(inner.ty) && self.is_whole_number(from.ty),
                ExprKind::Float(_)
                | ExprKind::Str(_)
                | ExprKind::Function(_)
                | ExprKind::AddressOf(_)
                | ExprKind::Conditional(..) => false,
            };
        });
        own
    }
}
