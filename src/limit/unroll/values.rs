//! Expressions and places, with what is known put in.

use super::*;

impl Unroller<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Function(_) => expr.clone(),
            ExprKind::Load(place) => {
                let place = self.place(place);
                self.known_value(&place, ty).unwrap_or_else(|| Expr { kind: ExprKind::Load(Box::new(place)), ty })
            }
            ExprKind::AddressOf(place) => {
                let place = self.place(place);
                // &*p is p.
                if let (Base::Deref(pointer), true) = (&place.base, place.projections.is_empty()) {
                    return fold::cast(&self.types, (**pointer).clone(), ty);
                }
                Expr { kind: ExprKind::AddressOf(Box::new(place)), ty }
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand);
                fold::unary(&self.types, *op, operand, ty)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                fold::binary(&self.types, *op, left, right, ty)
            }
            ExprKind::Cast(operand) => {
                let operand = self.expr(operand);
                fold::cast(&self.types, operand, ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(condition);
                match fold::truth(&condition) {
                    Some(true) => self.expr(then),
                    Some(false) => self.expr(otherwise),
                    None => {
                        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                        Expr { kind, ty }
                    }
                }
            }
        }
    }

    pub(super) fn known_value(&self, place: &Place, ty: TypeId) -> Option<Expr> {
        if let Some(id) = self.is_followed(place) {
            return self.body.env.as_ref()?.get(&id).filter(|value| value.ty == ty).cloned();
        }
        let Base::Global(id) = place.base else { return None };
        let global = &self.globals[id.0 as usize];
        if self.written.contains(&id) || global.external || id.0 as usize >= self.program.globals.len() {
            return None;
        }
        let mut path = Vec::new();
        for projection in &place.projections {
            path.push(match projection {
                Projection::Field(record, index) => {
                    let record = self.types.record(*record);
                    if record.union || record.fields[*index as usize].bits.is_some() {
                        return None;
                    }
                    PathStep::Field(*index)
                }
                Projection::Index(index, _) => PathStep::Index(u64::try_from(index.as_int()?).ok()?),
            });
        }
        if !self.types.is_scalar(place.ty) || place.ty != ty {
            return None;
        }
        let part = global.init.iter().rev().find(|part| part.path == path);
        match part {
            Some(part) => (part.value.ty == ty && fold::is_constant(&part.value)).then(|| part.value.clone()),
            // Beyond the end of an array there is no zero.
            None if self.in_range(global.ty, &path) => match self.types.float_kind(ty) {
                Some(_) => Some(Expr { kind: ExprKind::Float(0.0), ty }),
                None => Some(Expr::int(0, ty)),
            },
            None => None,
        }
    }

    pub(super) fn in_range(&self, ty: TypeId, path: &[PathStep]) -> bool {
        let mut current = ty;
        for step in path {
            current = match (step, self.types.get(current)) {
                (PathStep::Index(index), Type::Array(element, count)) if index < count => *element,
                (PathStep::Field(index), Type::Record(record)) => self.types.record(*record).fields[*index as usize].ty,
                _ => return false,
            };
        }
        true
    }

    pub(super) fn place(&mut self, place: &Place) -> Place {
        let mut projections = Vec::with_capacity(place.projections.len());
        for projection in &place.projections {
            projections.push(match projection {
                Projection::Field(..) => projection.clone(),
                Projection::Index(index, element) => Projection::Index(Box::new(self.expr(index)), *element),
            });
        }
        let base = match &place.base {
            Base::Local(id) => Base::Local(self.map_local(*id)),
            Base::Global(id) => Base::Global(self.own_global(*id)),
            Base::Deref(pointer) => {
                let pointer = self.expr(pointer);
                return fold::deref(&self.types, pointer, projections, place.ty, place.access);
            }
        };
        Place { base, projections, ..*place }
    }

    /// Each thread has its own copy of a thread-local variable.
    pub(super) fn own_global(&mut self, id: GlobalId) -> GlobalId {
        let global = &self.program.globals[id.0 as usize];
        if !global.thread_local || self.body.thread == 0 {
            return id;
        }
        if let Some(own) = self.body.thread_locals.get(&id) {
            return *own;
        }
        let name = self.unique_global_name(&format!("{}_{}", global.name, self.body.thread));
        let own = GlobalId(self.globals.len() as u32);
        self.globals.push(Global { name, ..global.clone() });
        self.body.thread_locals.insert(id, own);
        own
    }
}
