//! Initializers (C11 6.7.9): brace elision, designators, strings; for locals as assignments, for globals as constants.

use super::Lowerer;
use crate::c::ast::{self, Designator, InitItem, Initializer};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::{Base, Callee, Expr, ExprKind, InitPart, PathStep, Place, Projection, StmtKind, Type, TypeId};

/// Objects with more scalars than this are zeroed by one operation instead of member by member.
const MAX_ZERO_ASSIGNMENTS: usize = 16;

/// One scalar (or whole struct) of the object and the expression it starts with.
struct Entry<'a> {
    path: Vec<PathStep>,
    ty: TypeId,
    value: Leaf<'a>,
}

enum Leaf<'a> {
    Expr(&'a ast::Expr),
    Unit(u32),
}

/// A designator with its name or constant resolved.
#[derive(Clone, Copy)]
enum Step {
    Field(u32),
    /// From and to, both included.
    Index(u64, u64),
}

/// The initializers of one brace level, consumed from the front.
struct Items<'a> {
    list: &'a [InitItem],
    at: usize,
}

impl Lowerer {
    /// `T a[] = {...}` gets its length from the initializer.
    pub(super) fn completed_array(&mut self, ty: TypeId, init: &Initializer) -> Result<TypeId> {
        let Type::OpenArray(element) = *self.types.get(ty) else { return Ok(ty) };
        let entries = self.speculate(|lowerer| {
            let entries = lowerer.entries(ty, init)?;
            Ok(entries.into_iter().map(|entry| entry.path).collect::<Vec<_>>())
        })?;
        let mut count = entries
            .iter()
            .filter_map(|path| match path.first() {
                Some(PathStep::Index(index)) => Some(index + 1),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        // A string fills its terminating zero too, which is no entry when it is the array's last byte.
        if let Some((units, _)) = self.string_of(init) {
            count = units.len() as u64 + 1;
        }
        Ok(self.types.intern(Type::Array(element, count)))
    }

    /// Emits the assignments that initialize a local.
    pub(super) fn initialize(&mut self, place: Place, init: &Initializer) -> Result<()> {
        if let Initializer::Expr(expr) = init
            && (self.types.is_scalar(place.ty) || self.string_of(init).is_none())
        {
            return self.store_expr(place, expr);
        }
        let entries = self.entries(place.ty, init)?;
        let mut values = Vec::new();
        for entry in entries {
            values.push((entry.path, entry.ty, entry.value));
        }
        self.zero_rest(&place, &values.iter().map(|(path, _, _)| path.clone()).collect::<Vec<_>>())?;
        for (path, ty, value) in values {
            let target = self.project(place.clone(), &path, ty);
            match value {
                Leaf::Expr(expr) => self.store_expr(target, expr)?,
                Leaf::Unit(unit) => {
                    let value = self.unit(unit, ty);
                    self.assign(target, value);
                }
            }
        }
        Ok(())
    }

    fn unit(&mut self, unit: u32, ty: TypeId) -> Expr {
        let value = crate::il::arithmetic::wrap(&self.types, i128::from(unit), ty);
        Expr::int(value, ty)
    }

    /// Zero for every scalar that no entry covers.
    fn zero_rest(&mut self, place: &Place, covered: &[Vec<PathStep>]) -> Result<()> {
        let mut leaves = Vec::new();
        let few = self.scalar_leaves(place.ty, &mut Vec::new(), &mut leaves);
        let is_covered = |leaf: &Vec<PathStep>| covered.iter().any(|path| leaf.starts_with(path));
        if few {
            let missing: Vec<_> = leaves.into_iter().filter(|(path, _)| !is_covered(path)).collect();
            if missing.len() <= MAX_ZERO_ASSIGNMENTS {
                for (path, ty) in missing {
                    let target = self.project(place.clone(), &path, ty);
                    let zero = self.zero(ty);
                    self.assign(target, zero);
                }
                return Ok(());
            }
        }
        let memset = self.builtin_function("__builtin_memset")?;
        let (void, int) = (self.types.void(), self.types.int(crate::il::IntKind::Int));
        let void_pointer = self.types.pointer(void);
        let size = self.size_of(place.ty);
        let address = self.address_of(place.clone());
        let args = vec![self.convert(address, void_pointer), Expr::int(0, int), size];
        self.emit(StmtKind::Call { to: None, callee: Callee::Function(memset), args });
        Ok(())
    }

    /// All scalars of a type; false if there are too many of them or a union or padding bits are in the way.
    pub(super) fn scalar_leaves(
        &self,
        ty: TypeId,
        path: &mut Vec<PathStep>,
        leaves: &mut Vec<(Vec<PathStep>, TypeId)>,
    ) -> bool {
        if leaves.len() > 64 {
            return false;
        }
        match self.types.get(ty) {
            Type::Qualified { inner, .. } => self.scalar_leaves(*inner, path, leaves),
            Type::Array(element, count) => (0..*count).all(|index| {
                path.push(PathStep::Index(index));
                let fine = self.scalar_leaves(*element, path, leaves);
                path.pop();
                fine
            }),
            Type::Record(record) => {
                let record = self.types.record(*record);
                if record.union {
                    return false;
                }
                record.fields.iter().enumerate().all(|(index, field)| {
                    if field.bits.is_some() && field.name.is_none() {
                        return true;
                    }
                    path.push(PathStep::Field(index as u32));
                    let fine = self.scalar_leaves(field.ty, path, leaves);
                    path.pop();
                    fine
                })
            }
            Type::OpenArray(_) => true,
            Type::VaList | Type::Void | Type::Function(_) | Type::VariableArray { .. } => false,
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Atomic(_) => {
                leaves.push((path.clone(), ty));
                true
            }
        }
    }

    pub(super) fn zero(&mut self, ty: TypeId) -> Expr {
        let ty = self.types.unqualified(ty);
        if self.types.float_kind(ty).is_some() {
            return Expr { kind: ExprKind::Float(0.0), ty };
        }
        Expr::int(0, ty)
    }

    fn project(&mut self, mut place: Place, path: &[PathStep], ty: TypeId) -> Place {
        let mut current = place.ty;
        for step in path {
            match step {
                PathStep::Field(index) => {
                    let record = self.types.record_id(current).expect("a field belongs to a record");
                    place.projections.push(Projection::Field(record, *index));
                    current = self.types.record(record).fields[*index as usize].ty;
                }
                PathStep::Index(index) => {
                    let element = self.types.element(current).expect("an index belongs to an array");
                    let size_type = self.types.int(crate::il::IntKind::Int);
                    place
                        .projections
                        .push(Projection::Index(Box::new(Expr::int(i128::from(*index), size_type)), element));
                    current = element;
                }
            }
        }
        place.ty = ty;
        place
    }

    /// Constant initializer of a variable with static storage.
    pub(super) fn constant_initializer(&mut self, ty: TypeId, init: &Initializer) -> Result<Vec<InitPart>> {
        let entries = self.entries(ty, init)?;
        let mut parts: Vec<InitPart> = Vec::new();
        for entry in entries {
            let value = match entry.value {
                Leaf::Unit(unit) => self.unit(unit, entry.ty),
                Leaf::Expr(expr) => self.constant_value(expr, entry.ty, &mut parts, &entry.path)?,
            };
            if matches!(value.kind, ExprKind::Load(_)) {
                continue;
            }
            parts.push(InitPart { path: entry.path, value });
        }
        // Nothing is said by a zero.
        parts.retain(|part| !part.value.is_zero());
        Ok(parts)
    }

    fn constant_value(
        &mut self,
        expr: &ast::Expr,
        ty: TypeId,
        parts: &mut Vec<InitPart>,
        path: &[PathStep],
    ) -> Result<Expr> {
        let saved = std::mem::replace(&mut self.span, expr.span);
        // `struct s a = (struct s){...}` at file scope, as kernel headers write it.
        if let ast::ExprKind::CompoundLiteral(name, inner) = &expr.kind
            && !self.types.is_scalar(ty)
        {
            let literal_type = self.type_name(name)?;
            let literal_type = self.completed_array(literal_type, inner)?;
            for mut part in self.constant_initializer(literal_type, inner)? {
                let mut full = path.to_vec();
                full.append(&mut part.path);
                parts.push(InitPart { path: full, value: part.value });
            }
            self.span = saved;
            return Ok(Expr::load(Place::deref(Expr::int(0, ty), ty)));
        }
        let (value, emitted) = self.in_block(|lowerer| lowerer.expr(expr))?;
        let value = self.convert(value, ty);
        if !emitted.is_empty() || !is_constant(&value) {
            return Err(Diagnostic::error(expr.span, "the initializer of a static variable must be constant"));
        }
        self.span = saved;
        Ok(value)
    }

    // ---- which expression goes where ----

    fn string_of<'a>(&self, init: &'a Initializer) -> Option<(&'a [u32], ast::CharWidth)> {
        match init {
            Initializer::Expr(ast::Expr { kind: ast::ExprKind::Str { units, width }, .. }) => Some((units, *width)),
            Initializer::List(items, _) => match &items[..] {
                [InitItem { designators, value, .. }] if designators.is_empty() => self.string_of(value),
                _ => None,
            },
            Initializer::Expr(_) => None,
        }
    }

    fn is_char_array(&self, ty: TypeId) -> bool {
        self.types.element(ty).is_some_and(|element| self.types.int_kind(element).is_some())
    }

    fn entries<'a>(&mut self, ty: TypeId, init: &'a Initializer) -> Result<Vec<Entry<'a>>> {
        let mut out = Vec::new();
        self.entries_of(ty, init, &mut Vec::new(), &mut out)?;
        Ok(out)
    }

    fn entries_of<'a>(
        &mut self,
        ty: TypeId,
        init: &'a Initializer,
        path: &mut Vec<PathStep>,
        out: &mut Vec<Entry<'a>>,
    ) -> Result<()> {
        if self.is_char_array(ty)
            && let Some((units, _)) = self.string_of(init)
        {
            self.string_entries(ty, units, path, out);
            return Ok(());
        }
        match init {
            Initializer::Expr(expr) => {
                out.push(Entry { path: path.clone(), ty, value: Leaf::Expr(expr) });
                Ok(())
            }
            Initializer::List(items, span) if self.types.is_scalar(ty) => match &items[..] {
                [] => Ok(()),
                [item] => self.entries_of(ty, &item.value, path, out),
                _ => Err(Diagnostic::error(*span, "several initializers for one scalar")),
            },
            Initializer::List(list, span) => {
                if self.member_at(ty, 0).is_none() && !list.is_empty() && !self.types.is_complete(ty) {
                    return Err(Diagnostic::error(*span, "braces around the initializer of this type make no sense"));
                }
                let mut items = Items { list, at: 0 };
                self.fill(ty, &mut items, path, out, &[], true)
            }
        }
    }

    fn string_entries<'a>(&mut self, ty: TypeId, units: &[u32], path: &[PathStep], out: &mut Vec<Entry<'a>>) {
        let element = self.types.element(ty).expect("a string initializes an array");
        let room = match self.types.get(ty) {
            Type::Array(_, count) => *count as usize,
            _ => usize::MAX,
        };
        for (index, unit) in units.iter().chain(std::iter::once(&0)).enumerate().take(room) {
            let mut unit_path = path.to_vec();
            unit_path.push(PathStep::Index(index as u64));
            out.push(Entry { path: unit_path, ty: element, value: Leaf::Unit(*unit) });
        }
    }

    /// Fills an array, struct or union from the items of a brace pair. `first` are the designators that the first
    /// item still has to follow; without braces of its own (`top` false) a designated item belongs further out.
    fn fill<'a>(
        &mut self,
        ty: TypeId,
        items: &mut Items<'a>,
        path: &mut Vec<PathStep>,
        out: &mut Vec<Entry<'a>>,
        first: &[Step],
        top: bool,
    ) -> Result<()> {
        let mut position = 0u64;
        let mut pending = first.to_vec();
        while items.at < items.list.len() {
            let item = &items.list[items.at];
            let steps = if !pending.is_empty() {
                std::mem::take(&mut pending)
            } else if !item.designators.is_empty() {
                if !top {
                    return Ok(());
                }
                self.steps(ty, &item.designators, item.span)?
            } else {
                Vec::new()
            };
            let Some((step, rest)) = steps.split_first() else {
                let Some((step, member)) = self.member_at(ty, position) else {
                    // gcc only warns about excess elements.
                    return Ok(());
                };
                path.push(step);
                self.elided(member, items, path, out)?;
                path.pop();
                position += 1;
                continue;
            };
            position = self.designated(ty, *step, rest, items, path, out)? + 1;
        }
        Ok(())
    }

    /// Follows one designator (and the rest of them) for the item at hand; hands back the member's position.
    fn designated<'a>(
        &mut self,
        ty: TypeId,
        step: Step,
        rest: &[Step],
        items: &mut Items<'a>,
        path: &mut Vec<PathStep>,
        out: &mut Vec<Entry<'a>>,
    ) -> Result<u64> {
        let at = items.at;
        let (last, member) = match step {
            Step::Field(field) => {
                let record = self.types.record_id(ty).expect("resolved against this type");
                if self.types.record(record).union {
                    // Another member of the union was initialized before: it is gone.
                    let depth = path.len();
                    out.retain(|entry| {
                        !(entry.path.len() > depth
                            && entry.path.starts_with(path)
                            && entry.path[depth] != PathStep::Field(field))
                    });
                }
                (PathStep::Field(field), self.types.record(record).fields[field as usize].ty)
            }
            Step::Index(from, to) => {
                let element = self.types.element(ty).expect("resolved against this type");
                // All but the last of a range take this item alone.
                for index in from..to {
                    path.push(PathStep::Index(index));
                    let mut alone = Items { list: &items.list[at..=at], at: 0 };
                    self.designated_member(element, rest, &mut alone, path, out)?;
                    path.pop();
                }
                (PathStep::Index(to), element)
            }
        };
        path.push(last);
        self.designated_member(member, rest, items, path, out)?;
        path.pop();
        Ok(match last {
            PathStep::Index(index) => index,
            PathStep::Field(field) => self.field_position(ty, field),
        })
    }

    fn designated_member<'a>(
        &mut self,
        member: TypeId,
        rest: &[Step],
        items: &mut Items<'a>,
        path: &mut Vec<PathStep>,
        out: &mut Vec<Entry<'a>>,
    ) -> Result<()> {
        if !rest.is_empty() {
            return self.fill(member, items, path, out, rest, false);
        }
        // What was said of this part before does not count any more.
        out.retain(|entry| !entry.path.starts_with(path));
        let item = &items.list[items.at];
        items.at += 1;
        self.entries_of(member, &item.value, path, out)
    }

    /// Position of a field among those that take part in initialization.
    fn field_position(&self, ty: TypeId, field: u32) -> u64 {
        let record = self.types.record_id(ty).expect("a field belongs to a record");
        let before = &self.types.record(record).fields[..field as usize];
        before.iter().filter(|field| !(field.name.is_none() && field.bits.is_some())).count() as u64
    }

    /// Designators with names and constants resolved; a member of an anonymous member takes several steps.
    fn steps(&mut self, ty: TypeId, designators: &[Designator], span: Span) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        let mut current = ty;
        for designator in designators {
            let (from, to) = match designator {
                Designator::Member(name, span) => {
                    let fields = self.types.record_id(current).and_then(|record| self.types.find_field(record, name));
                    let Some(fields) = fields else {
                        return Err(Diagnostic::error(*span, format!("there is no member `{name}` here")));
                    };
                    for field in fields {
                        let record = self.types.record_id(current).expect("the path goes through records");
                        current = self.types.record(record).fields[field as usize].ty;
                        steps.push(Step::Field(field));
                    }
                    continue;
                }
                Designator::Index(index) => {
                    let index = self.constant_int(index, "an index")?;
                    (index, index)
                }
                Designator::Range(from, to) => {
                    (self.constant_int(from, "an index")?, self.constant_int(to, "an index")?)
                }
            };
            let Some(element) = self.types.element(current) else {
                return Err(Diagnostic::error(span, "an index designator for something that is no array"));
            };
            let room = match self.types.get(self.types.unqualified(current)) {
                Type::Array(_, count) => i128::from(*count),
                _ => 1 << 24,
            };
            if from < 0 || to < from || to >= room {
                return Err(Diagnostic::error(span, "this index is outside of the array"));
            }
            steps.push(Step::Index(from as u64, to as u64));
            current = element;
        }
        Ok(steps)
    }

    /// The member at a position of the current object, skipping unnamed bit-fields.
    fn member_at(&self, ty: TypeId, position: u64) -> Option<(PathStep, TypeId)> {
        match self.types.get(self.types.unqualified(ty)) {
            Type::Array(element, count) => (position < *count).then_some((PathStep::Index(position), *element)),
            Type::OpenArray(element) => Some((PathStep::Index(position), *element)),
            Type::Record(record) => {
                let record = self.types.record(*record);
                if record.union && position > 0 {
                    return None;
                }
                let (index, field) = record
                    .fields
                    .iter()
                    .enumerate()
                    .filter(|(_, field)| !(field.name.is_none() && field.bits.is_some()))
                    .nth(position as usize)?;
                Some((PathStep::Field(index as u32), field.ty))
            }
            _ => None,
        }
    }

    /// Fills a member from the list, with or without braces of its own (brace elision).
    fn elided<'a>(
        &mut self,
        ty: TypeId,
        items: &mut Items<'a>,
        path: &mut Vec<PathStep>,
        out: &mut Vec<Entry<'a>>,
    ) -> Result<()> {
        let item = &items.list[items.at];
        let expr = match &item.value {
            Initializer::List(..) => {
                items.at += 1;
                return self.entries_of(ty, &item.value, path, out);
            }
            Initializer::Expr(expr) => expr,
        };
        if self.is_char_array(ty) && self.string_of(&item.value).is_some() {
            items.at += 1;
            return self.entries_of(ty, &item.value, path, out);
        }
        let aggregate = matches!(
            self.types.get(self.types.unqualified(ty)),
            Type::Array(..) | Type::OpenArray(_) | Type::Record(_)
        );
        if !aggregate {
            items.at += 1;
            out.push(Entry { path: path.clone(), ty, value: Leaf::Expr(expr) });
            return Ok(());
        }
        // A struct value initializes a struct member as a whole.
        if self.types.record_id(ty).is_some() {
            let value_type = self.type_of(expr)?;
            if self.types.unqualified(value_type) == self.types.unqualified(ty) {
                items.at += 1;
                out.push(Entry { path: path.clone(), ty, value: Leaf::Expr(expr) });
                return Ok(());
            }
        }
        self.fill(ty, items, path, out, &[], false)
    }
}

/// Address constants and numbers: what a linker can compute.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => true,
        ExprKind::Load(_) => false,
        ExprKind::AddressOf(place) => {
            let base = match &place.base {
                Base::Global(_) => true,
                Base::Local(_) => false,
                Base::Deref(pointer) => is_constant(pointer),
            };
            base && place.projections.iter().all(|projection| match projection {
                Projection::Field(..) => true,
                Projection::Index(index, _) => is_constant(index),
            })
        }
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_constant(operand),
        ExprKind::Binary(_, left, right) => is_constant(left) && is_constant(right),
        ExprKind::Conditional(condition, then, otherwise) => {
            is_constant(condition) && is_constant(then) && is_constant(otherwise)
        }
    }
}
