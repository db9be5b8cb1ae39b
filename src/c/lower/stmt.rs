//! Statements (C11 6.8): loops become `while (1)`, `switch` becomes jumps.

use super::{Jump, Lowerer, Scope};
use crate::c::ast::{self, BlockItem, StmtKind as S};
use crate::diagnostic::{Diagnostic, Result};
use crate::il::{BinaryOp, Expr, ExprKind, IntKind, LabelId, LocalId, Stmt, StmtKind, TypeId, walk};

/// The cases met so far in the body of a `switch`.
pub(super) struct Switch {
    ty: TypeId,
    cases: Vec<(i128, i128, LabelId)>,
    default: Option<LabelId>,
}

impl Lowerer {
    pub(super) fn block_item(&mut self, item: &BlockItem) -> Result<()> {
        let (begin, outer) = (self.code.len(), std::mem::take(&mut self.body().short_lived));
        match item {
            BlockItem::Declaration(declaration) => self.local_declaration(declaration)?,
            BlockItem::Statement(statement) => self.statement(statement)?,
        }
        let ended = std::mem::replace(&mut self.body().short_lived, outer);
        let full_expression = match item {
            BlockItem::Declaration(_) => true,
            BlockItem::Statement(statement) => matches!(statement.kind, S::Expr(_) | S::Return(_)),
        };
        if full_expression && !ended.is_empty() {
            self.end_after(begin, &ended);
        }
        Ok(())
    }

    /// The code from there on in a block that these locals end with; all others are declared before it.
    fn end_after(&mut self, begin: usize, ended: &[LocalId]) {
        let code = self.code.split_off(begin);
        let outlives = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Declare(id) if !ended.contains(&id));
        let (outside, inside): (Vec<Stmt>, Vec<Stmt>) = code.into_iter().partition(outlives);
        self.code.extend(outside);
        self.emit_block(inside);
    }

    /// The items of a block in a scope of their own, into the current code.
    pub(super) fn scoped(&mut self, items: &[BlockItem]) -> Result<()> {
        self.scopes.push(Scope::default());
        let result = items.iter().try_for_each(|item| self.block_item(item));
        self.scopes.pop();
        result
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Result<()> {
        self.set_span(statement.span);
        match &statement.kind {
            S::Label(name, inner) => {
                let label = self.named_label(name);
                if !self.body().defined_labels.insert(label) {
                    return self.error(format!("the label `{name}` is defined twice"));
                }
                self.emit(StmtKind::Label(label));
                self.statement(inner)
            }
            S::Case(from, to, inner) => self.case(from, to.as_ref(), inner),
            S::Default(inner) => {
                let label = self.new_label("default_case");
                match self.body().switches.last_mut() {
                    None => return self.error("`default` outside of a switch"),
                    Some(Switch { default: Some(_), .. }) => return self.error("a second `default` in one switch"),
                    Some(switch) => switch.default = Some(label),
                }
                self.emit(StmtKind::Label(label));
                self.statement(inner)
            }
            S::Compound(items) => {
                let ((), block) = self.in_block(|lowerer| lowerer.scoped(items))?;
                self.emit_block(block);
                Ok(())
            }
            S::Expr(None) => Ok(()),
            S::Expr(Some(expr)) => self.discard(expr),
            S::If(condition, then, otherwise) => self.if_statement(condition, then, otherwise.as_deref()),
            S::Switch(value, body) => self.switch(value, body),
            S::While(condition, body) => self.while_loop(condition, body),
            S::DoWhile(body, condition) => self.do_loop(body, condition),
            S::For { init, condition, step, body } => {
                let ((), block) = self.in_block(|lowerer| {
                    lowerer.scopes.push(Scope::default());
                    let result = lowerer.for_loop(init.as_deref(), condition.as_ref(), step.as_ref(), body);
                    lowerer.scopes.pop();
                    result
                })?;
                self.emit_block(block);
                Ok(())
            }
            S::Goto(name) => {
                let label = self.named_label(name);
                let span = self.span;
                self.body().goto_spans.push((label, span));
                self.emit(StmtKind::Goto(label));
                Ok(())
            }
            S::Continue => match self.body().continues.last().copied() {
                Some(jump) => {
                    self.jump(jump, StmtKind::Continue);
                    Ok(())
                }
                None => self.error("`continue` outside of a loop"),
            },
            S::Break => match self.body().breaks.last().copied() {
                Some(jump) => {
                    self.jump(jump, StmtKind::Break);
                    Ok(())
                }
                None => self.error("`break` outside of a loop or switch"),
            },
            S::Return(value) => self.return_statement(value.as_ref()),
            S::Asm(asm) => self.assembly(asm),
        }
    }

    fn jump(&mut self, jump: Jump, native: StmtKind) {
        match jump {
            Jump::Native => self.emit(native),
            Jump::Label(label) => {
                self.body().used_labels.insert(label);
                self.emit(StmtKind::Goto(label));
            }
        }
    }

    /// A block only where it delimits something: without declarations the braces say nothing.
    pub(super) fn emit_block(&mut self, block: Vec<Stmt>) {
        if block.iter().any(|stmt| matches!(stmt.kind, StmtKind::Declare(_))) {
            self.emit(StmtKind::Block(block));
        } else {
            self.code.extend(block);
        }
    }

    fn named_label(&mut self, name: &str) -> LabelId {
        if let Some(label) = self.body().label_ids.get(name) {
            return *label;
        }
        let label = self.new_label(name);
        self.body().label_ids.insert(name.to_owned(), label);
        label
    }

    fn branch(&mut self, statement: &ast::Stmt) -> Result<Vec<Stmt>> {
        // The block of an `if` or loop delimits by itself.
        let ((), block) = self.in_block(|lowerer| match &statement.kind {
            S::Compound(items) => lowerer.scoped(items),
            _ => lowerer.statement(statement),
        })?;
        Ok(block)
    }

    fn if_statement(&mut self, condition: &ast::Expr, then: &ast::Stmt, otherwise: Option<&ast::Stmt>) -> Result<()> {
        let span = self.span;
        let condition = self.condition(condition)?;
        let then = self.branch(then)?;
        let otherwise = otherwise.map_or(Ok(Vec::new()), |otherwise| self.branch(otherwise))?;
        self.span = span;
        self.emit_if(condition, then, otherwise);
        Ok(())
    }

    fn leave_unless(&mut self, condition: &ast::Expr) -> Result<()> {
        let span = self.span;
        self.set_span(condition.span);
        let condition = self.condition(condition)?;
        if condition.as_int().is_none_or(|value| value == 0) {
            let leave = self.negate(condition);
            let break_stmt = Stmt::new(StmtKind::Break, self.span);
            if leave.as_int().is_some() {
                self.code.push(break_stmt);
            } else {
                self.emit(StmtKind::If { condition: leave, then: vec![break_stmt], otherwise: Vec::new() });
            }
        }
        self.span = span;
        Ok(())
    }

    fn loop_body(&mut self, body: &ast::Stmt, on_continue: Jump) -> Result<Vec<Stmt>> {
        self.body().breaks.push(Jump::Native);
        self.body().continues.push(on_continue);
        let block = self.branch(body);
        self.body().breaks.pop();
        self.body().continues.pop();
        block
    }

    /// The body is a block of its own only if something else stands in the loop beside it.
    fn emit_loop_body(&mut self, body: Vec<Stmt>, more_follows: bool) {
        if self.code.is_empty() && !more_follows {
            self.code = body;
        } else {
            self.emit_block(body);
        }
    }

    /// while (c) body  ->  while (1) { if (!c) break; body }
    fn while_loop(&mut self, condition: &ast::Expr, body: &ast::Stmt) -> Result<()> {
        let span = self.span;
        let ((), code) = self.in_block(|lowerer| {
            lowerer.leave_unless(condition)?;
            let body = lowerer.loop_body(body, Jump::Native)?;
            lowerer.emit_loop_body(body, false);
            Ok(())
        })?;
        self.span = span;
        self.emit(StmtKind::Loop(code));
        Ok(())
    }

    /// do body while (c);  ->  while (1) { body next: if (!c) break; }
    fn do_loop(&mut self, body: &ast::Stmt, condition: &ast::Expr) -> Result<()> {
        let span = self.span;
        let next = self.new_label("next");
        let ((), code) = self.in_block(|lowerer| {
            let body = lowerer.loop_body(body, Jump::Label(next))?;
            lowerer.emit_block(body);
            lowerer.emit_used_label(next);
            lowerer.leave_unless(condition)
        })?;
        self.span = span;
        // do { ... } while (0) runs once: no loop, unless something jumps.
        match code.last() {
            Some(Stmt { kind: StmtKind::Break, .. }) if !breaks_out(&code[..code.len() - 1]) => {
                let mut once = code;
                once.pop();
                self.emit_block(once);
            }
            _ => self.emit(StmtKind::Loop(code)),
        }
        Ok(())
    }

    /// for (a; c; s) body  ->  { a; while (1) { if (!c) break; body next: s; } }
    fn for_loop(
        &mut self,
        init: Option<&BlockItem>,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> Result<()> {
        let span = self.span;
        if let Some(init) = init {
            self.block_item(init)?;
        }
        let next = self.new_label("next");
        let ((), code) = self.in_block(|lowerer| {
            lowerer.set_span(span);
            if let Some(condition) = condition {
                lowerer.leave_unless(condition)?;
            }
            let on_continue = if step.is_some() { Jump::Label(next) } else { Jump::Native };
            let body = lowerer.loop_body(body, on_continue)?;
            lowerer.emit_loop_body(body, step.is_some());
            lowerer.emit_used_label(next);
            if let Some(step) = step {
                lowerer.set_span(step.span);
                lowerer.discard(step)?;
            }
            Ok(())
        })?;
        self.span = span;
        self.emit(StmtKind::Loop(code));
        Ok(())
    }

    fn emit_used_label(&mut self, label: LabelId) {
        if self.body().used_labels.contains(&label) {
            self.body().defined_labels.insert(label);
            self.emit(StmtKind::Label(label));
        }
    }

    fn case(&mut self, from: &ast::Expr, to: Option<&ast::Expr>, inner: &ast::Stmt) -> Result<()> {
        let low = self.constant_int(from, "a case")?;
        let high = to.map_or(Ok(low), |to| self.constant_int(to, "a case"))?;
        let Some(ty) = self.body().switches.last().map(|switch| switch.ty) else {
            return self.error("`case` outside of a switch");
        };
        let wrap = |value| crate::il::arithmetic::wrap(&self.types, value, ty);
        let (low, high) = (wrap(low), wrap(high));
        let name = if low < 0 { format!("case_minus_{}", -low) } else { format!("case_{low}") };
        let label = self.new_label(&name);
        let body = self.body();
        let switch = body.switches.last_mut().expect("checked above");
        let twice = switch.cases.iter().any(|(a, b, _)| *a <= high && low <= *b);
        switch.cases.push((low, high, label));
        if twice {
            return self.error(format!("case {low} appears twice in one switch"));
        }
        self.emit(StmtKind::Label(label));
        self.statement(inner)
    }

    /// switch (v) { case 1: ... }  ->  { t = v; if (t == 1) goto case_1; ... goto end; case_1: ... end: }
    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Result<()> {
        let span = self.span;
        let ((), code) = self.in_block(|lowerer| lowerer.switch_code(value, body))?;
        self.span = span;
        self.emit_block(code);
        Ok(())
    }

    fn switch_code(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Result<()> {
        let span = self.span;
        let value = self.expr(value)?;
        if self.types.int_kind(value.ty).is_none() {
            return self.error("the value of a switch must be an integer");
        }
        let value = self.promote(value);
        let ty = value.ty;
        let value = self.in_temp(value);
        let end = self.new_label("end_switch");
        self.body().switches.push(Switch { ty, cases: Vec::new(), default: None });
        self.body().breaks.push(Jump::Label(end));
        let block = self.branch(body);
        self.body().breaks.pop();
        let switch = self.body().switches.pop().expect("pushed above");
        let block = block?;
        self.set_span(span);
        let int = self.types.int(IntKind::Int);
        for (low, high, label) in &switch.cases {
            let compare =
                |lowerer: &mut Lowerer, op, bound| lowerer.arithmetic(op, value.clone(), Expr::int(bound, ty), int);
            let condition = if low == high {
                compare(self, BinaryOp::Eq, *low)
            } else {
                let (above, below) = (compare(self, BinaryOp::Ge, *low), compare(self, BinaryOp::Le, *high));
                match (above.as_int(), below.as_int()) {
                    (Some(above), Some(below)) => Expr::int(i128::from(above != 0 && below != 0), int),
                    _ => {
                        Expr { kind: ExprKind::Binary(BinaryOp::LogicalAnd, Box::new(above), Box::new(below)), ty: int }
                    }
                }
            };
            let goto = Stmt::new(StmtKind::Goto(*label), self.span);
            match condition.as_int() {
                Some(0) => {}
                Some(_) => self.code.push(goto),
                None => self.emit(StmtKind::If { condition, then: vec![goto], otherwise: Vec::new() }),
            }
        }
        let otherwise = switch.default.unwrap_or(end);
        if otherwise == end {
            self.body().used_labels.insert(end);
        }
        self.emit(StmtKind::Goto(otherwise));
        self.emit_block(block);
        self.emit_used_label(end);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>) -> Result<()> {
        let span = self.span;
        let result = self.body().result;
        let value = match value {
            None => None,
            Some(value) if self.types.is_void(result) => {
                self.discard(value)?;
                None
            }
            Some(value) => {
                let lowered = self.expr(value)?;
                self.set_span(span);
                let fits = match (self.types.record_id(result), self.types.record_id(lowered.ty)) {
                    (None, None) => self.types.is_scalar(lowered.ty),
                    (a, b) => a == b,
                };
                if !fits {
                    return Err(Diagnostic::error(
                        value.span,
                        "the value does not fit the result type of the function",
                    ));
                }
                Some(self.convert(lowered, result))
            }
        };
        self.set_span(span);
        self.emit(StmtKind::Return(value));
        Ok(())
    }
}

pub(super) fn contains_label(block: &[Stmt]) -> bool {
    let mut found = false;
    walk::statements(block, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Label(_)));
    found
}

/// Does a `break` or `continue` in here refer to the loop around it?
fn breaks_out(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Loop(_) => false,
        other => other.blocks().into_iter().any(breaks_out),
    })
}
