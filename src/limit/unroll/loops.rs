//! Loops: followed a number of times, or kept.
//!
//! An iteration is free if a constant that changed since the last one decided to stay in the loop; such a loop is
//! followed to its end, up to `unwind_max`. If it has more iterations, it is bounded like any other.

use super::*;

impl<'p> Unroller<'p> {
    /// Loops stay loops where that is asked for, but each created thread needs a creation of its own.
    pub(super) fn keeps(&self, body: &[Stmt]) -> bool {
        // The loops of library models are no loops of the user's program: their number of iterations is known.
        let caller = self.body.frames.last().map(|frame| &self.program.function(frame.function).kind);
        let model = matches!(caller, Some(FunctionKind::Model));
        self.options.keep_loops && !model && !self.creates(body, &mut FxHashSet::default())
    }

    pub(super) fn creates(&self, body: &[Stmt], seen: &mut FxHashSet<FunctionId>) -> bool {
        let mut found = false;
        walk::statements(body, &mut |stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return };
            if matches!(self.program.operation(callee), Some(Operation::Create | Operation::CreateC11)) {
                found = true;
            }
            let function = self.body.frames.last().map_or(self.program.main, |frame| frame.function);
            for target in self.points_to.callees(function, callee) {
                if !found && seen.insert(target) {
                    found |= self.creates(&self.program.function(target).body, seen);
                }
            }
        });
        found
    }

    pub(super) fn kept_loop(&mut self, stmt: &Stmt, body: &'p [Stmt]) -> Result<(), LimitError> {
        // What the loop assigns is not known where it starts again.
        let mut assigned = Vec::new();
        walk::statements(body, &mut |inner| {
            walk::uses(inner, &mut |used| {
                if let walk::Use::Target(Place { base: Base::Local(id), .. }) = used {
                    assigned.push(*id);
                }
            });
            if let StmtKind::Declare(id) = inner.kind {
                assigned.push(id);
            }
        });
        for id in assigned {
            let mapped = self.map_local(id);
            let ty = self.body.locals[mapped.0 as usize].ty;
            self.forget(&Place::local(mapped, ty));
        }
        let cut = Cut { kind: CutKind::KeptLoop, span: self.span_of(stmt), bound: self.options.unwind };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
        self.frame().loops.push(LoopContext::Kept(None));
        let outer = std::mem::take(&mut self.body.out);
        self.block(body)?;
        let inner = std::mem::replace(&mut self.body.out, outer);
        let Some(LoopContext::Kept(left)) = self.frame().loops.pop() else { unreachable!("pushed above") };
        self.body.env = left;
        self.push(Stmt { kind: StmtKind::Loop(inner), visible: false, ..*stmt })
    }

    pub(super) fn unwound_loop(&mut self, stmt: &'p Stmt, body: &'p [Stmt]) -> Result<(), LimitError> {
        let key = stmt.id;
        let line = self.program.source.location(stmt.span).line;
        let own = self.options.unwind_loops.iter().find(|(at, _)| *at == line && stmt.span != Span::default());
        let bound = own.map_or(self.options.unwind, |(_, bound)| *bound);
        self.bounded_lines.extend(own.map(|(line, _)| *line));
        let outer = std::mem::take(&mut self.body.out);
        if own.is_some() || self.endless.contains(&key) {
            self.iterations(stmt, body, bound, false)?;
        } else {
            let mark = self.mark();
            if !self.iterations(stmt, body, bound, true)? {
                // Too many iterations, though their number is known: bounded like any other loop.
                self.endless.insert(key);
                self.back_to(mark);
                self.iterations(stmt, body, bound, false)?;
            }
        }
        let unwound = std::mem::replace(&mut self.body.out, outer);
        self.body.out.extend(unwound);
        Ok(())
    }

    /// False if the loop has more iterations than `unwind_max`, and all of them are decided by constants.
    pub(super) fn iterations(
        &mut self,
        stmt: &'p Stmt,
        body: &'p [Stmt],
        bound: u32,
        follow_known: bool,
    ) -> Result<bool, LimitError> {
        let end = self.new_label("loop_end");
        let domain = structure::labels(body);
        let mut seen = FxHashMap::default();
        let (mut total, mut open) = (0, 0);
        loop {
            if open >= bound {
                self.last_test(stmt, body, end)?;
                self.cut(CutKind::Loop, bound, stmt.span)?;
                break;
            }
            if follow_known && total >= self.options.unwind_max.max(bound) {
                return Ok(false);
            }
            self.enter_iteration(&domain, total == 0);
            let next = self.new_label("loop_next");
            self.frame().loops.push(LoopContext::Unwound { next, end, decided: false, seen });
            self.block(body)?;
            let context = self.frame().loops.pop();
            let Some(LoopContext::Unwound { decided, seen: now, .. }) = context else { unreachable!("pushed above") };
            seen = now;
            self.label(next, stmt.span);
            self.frame().scopes.pop();
            total += 1;
            open += u32::from(!(decided && follow_known));
            if self.body.env.is_none() {
                break;
            }
        }
        self.label(end, stmt.span);
        Ok(true)
    }

    pub(super) fn enter_iteration(&mut self, domain: &FxHashSet<LabelId>, first: bool) {
        // Jumps from before the loop into it arrive in the first iteration.
        let mut map = FxHashMap::default();
        if first {
            for label in domain {
                for scope in self.frame().scopes.iter().rev() {
                    if scope.domain.as_ref().is_none_or(|domain| domain.contains(label)) {
                        if let Some(mapped) = scope.map.get(label) {
                            map.insert(*label, *mapped);
                        }
                        break;
                    }
                }
            }
        }
        self.frame().scopes.push(LabelScope { domain: Some(domain.clone()), map });
    }

    /// After the last iteration the loop may still be left: its condition is tested once more.
    ///
    /// Only if the test comes first in the body, and is nothing but a test.
    pub(super) fn last_test(&mut self, stmt: &'p Stmt, body: &'p [Stmt], end: LabelId) -> Result<(), LimitError> {
        let leaves = |stmt: &Stmt| match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => contains_exit(then) || contains_exit(otherwise),
            _ => false,
        };
        let Some(test) = body.iter().position(leaves) else { return Ok(()) };
        let domain = structure::labels(body);
        if !body[..=test].iter().all(|stmt| self.only_computes(stmt, &domain)) {
            return Ok(());
        }
        self.enter_iteration(&domain, false);
        let next = self.new_label("loop_next");
        self.frame().loops.push(LoopContext::Unwound { next, end, decided: false, seen: FxHashMap::default() });
        self.block(&body[..=test])?;
        self.frame().loops.pop();
        self.label(next, stmt.span);
        self.frame().scopes.pop();
        Ok(())
    }

    pub(super) fn only_computes(&self, stmt: &Stmt, inside: &FxHashSet<LabelId>) -> bool {
        match &stmt.kind {
            StmtKind::Declare(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
            StmtKind::Goto(label) => !inside.contains(label),
            StmtKind::Assign { to, .. } => matches!(to.base, Base::Local(_)),
            StmtKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).all(|stmt| self.only_computes(stmt, inside))
            }
            StmtKind::Call { callee, .. } => matches!(
                self.program.operation(callee),
                Some(Operation::Nondet | Operation::AtomicBegin | Operation::AtomicEnd)
            ),
            StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Label(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => false,
        }
    }

    /// A branch was decided by constants: does it decide about leaving the innermost loop, with new values?
    pub(super) fn note_decision(&mut self, stmt: &Stmt, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        if !(contains_exit(then) || contains_exit(otherwise)) {
            return;
        }
        let mut values = Vec::new();
        let mut loads = Vec::new();
        walk::expressions(condition, &mut |inner| {
            if let ExprKind::Load(place) = &inner.kind
                && let Place { base: Base::Local(id), projections, .. } = &**place
                && projections.is_empty()
            {
                loads.push(*id);
            }
        });
        for id in loads {
            let mapped = self.map_local(id);
            values.extend(self.body.env.as_ref().and_then(|env| env.get(&mapped)).cloned());
        }
        let key = stmt.id;
        if let Some(LoopContext::Unwound { decided, seen, .. }) = self.frame().loops.last_mut() {
            *decided |= !values.is_empty() && seen.get(&key) != Some(&values);
            seen.insert(key, values);
        }
    }

    pub(super) fn cut(&mut self, kind: CutKind, bound: u32, span: Span) -> Result<(), LimitError> {
        if self.body.env.is_none() {
            return Ok(());
        }
        self.note_cut(kind, bound, span);
        self.stop(span)
    }

    /// Something is left out here.
    pub(super) fn note_cut(&mut self, kind: CutKind, bound: u32, span: Span) {
        // A model's own loop has no line: the call of it has.
        let span = if span == Span::default() { self.calling_span() } else { span };
        let cut = Cut { kind, span, bound };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// The thread goes no further.
    pub(super) fn stop(&mut self, span: Span) -> Result<(), LimitError> {
        let int = self.types.int(IntKind::Int);
        let callee = Callee::Function(self.assume);
        self.push(Stmt::new(StmtKind::Call { to: None, callee, args: vec![Expr::int(0, int)] }, span))?;
        self.body.env = None;
        Ok(())
    }

    pub(super) fn calling_span(&self) -> Span {
        self.body.frames.last().map_or(self.plans[self.body.thread].span, |frame| frame.span)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            plans: self.plans.len(),
            cuts: self.cuts.len(),
            statements: self.statements,
            env: self.body.env.clone(),
            arrived: self.body.arrived.clone(),
            label_uses: self.body.label_uses.clone(),
        }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.plans.truncate(mark.plans);
        self.cuts.truncate(mark.cuts);
        self.statements = mark.statements;
        self.body.env = mark.env;
        self.body.arrived = mark.arrived;
        for (uses, old) in self.body.label_uses.iter_mut().zip(mark.label_uses) {
            *uses = old;
        }
        self.body.out.clear();
    }
}
