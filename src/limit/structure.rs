//! Backward jumps become loops, blocks dissolve into their surroundings.
//!
//! Before: `again: s; if (c) goto again; t;`
//! After:  `again: while (1) { s; if (c) goto next; break; next: } t;`
//!
//! Locals have unique names per function from here on, so that scopes are not needed any more. A backward jump into a
//! block from outside of it is refused.

use super::LimitError;
use crate::diagnostic::Diagnostic;
use crate::il::{LabelId, Program, Stmt, StmtKind, walk};
use rustc_hash::FxHashSet;

pub fn structure(mut program: Program) -> Result<Program, LimitError> {
    for function in &mut program.functions {
        let body = flatten(std::mem::take(&mut function.body));
        let mut structurer = Structurer { labels: &mut function.labels };
        function.body = structurer.block(body);
        refuse_backward(&function.body, &mut FxHashSet::default())?;
    }
    Ok(program)
}

fn flatten(block: Vec<Stmt>) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(block.len());
    for mut stmt in block {
        match stmt.kind {
            StmtKind::Block(inner) => out.extend(flatten(inner)),
            StmtKind::If { condition, then, otherwise } => {
                stmt.kind = StmtKind::If { condition, then: flatten(then), otherwise: flatten(otherwise) };
                out.push(stmt);
            }
            StmtKind::Loop(body) => {
                stmt.kind = StmtKind::Loop(flatten(body));
                out.push(stmt);
            }
            StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => out.push(stmt),
        }
    }
    out
}

struct Structurer<'f> {
    labels: &'f mut Vec<String>,
}

impl Structurer<'_> {
    fn new_label(&mut self, name: String) -> LabelId {
        self.labels.push(name);
        LabelId(self.labels.len() as u32 - 1)
    }

    fn block(&mut self, mut block: Vec<Stmt>) -> Vec<Stmt> {
        let mut at = 0;
        while at < block.len() {
            if let StmtKind::Label(label) = block[at].kind
                && let Some(last) = last_jump_back(&block, at, label)
            {
                let span = block[last].span;
                let rest = block.split_off(last + 1);
                let mut body = block.split_off(at + 1);
                let again = self.new_label(format!("{}_again", self.labels[label.0 as usize]));
                walk::statements_mut(&mut body, &mut |stmt| {
                    if let StmtKind::Goto(target) = &mut stmt.kind
                        && *target == label
                    {
                        *target = again;
                    }
                });
                body.push(Stmt::new(StmtKind::Break, span));
                body.push(Stmt::new(StmtKind::Label(again), span));
                block.push(Stmt::new(StmtKind::Loop(body), span));
                block.extend(rest);
            }
            at += 1;
        }
        let mut out = Vec::with_capacity(block.len());
        for stmt in block {
            self.statement(stmt, &mut out);
        }
        out
    }

    fn statement(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        match stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                stmt.kind = StmtKind::If { condition, then: self.block(then), otherwise: self.block(otherwise) };
                out.push(stmt);
            }
            StmtKind::Loop(mut body) if jumps_within(&body) => {
                // A loop made of a jump inside would catch the breaks of this one.
                let (next, end) = (self.new_label("next".to_owned()), self.new_label("end".to_owned()));
                redirect(&mut body, next, end);
                body.push(Stmt::new(StmtKind::Label(next), stmt.span));
                let (span, body) = (stmt.span, self.block(body));
                out.push(Stmt { kind: StmtKind::Loop(body), ..stmt });
                out.push(Stmt::new(StmtKind::Label(end), span));
            }
            StmtKind::Loop(body) => {
                stmt.kind = StmtKind::Loop(self.block(body));
                out.push(stmt);
            }
            StmtKind::Block(_)
            | StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => out.push(stmt),
        }
    }
}

/// The last statement of the block that belongs to the loop which jumps back to this label.
fn last_jump_back(block: &[Stmt], at: usize, label: LabelId) -> Option<usize> {
    let mut last = (at..block.len()).rev().find(|index| targets(&block[*index..=*index]).contains(&label))?;
    // Whoever jumps back into the middle of the loop belongs to it too.
    loop {
        let inside = labels(&block[at..=last]);
        let further = (last + 1..block.len())
            .rev()
            .find(|index| targets(&block[*index..=*index]).iter().any(|target| inside.contains(target)));
        match further {
            Some(further) => last = further,
            None => return Some(last),
        }
    }
}

fn targets(block: &[Stmt]) -> FxHashSet<LabelId> {
    let mut targets = FxHashSet::default();
    walk::statements(block, &mut |stmt| {
        if let StmtKind::Goto(label) = stmt.kind {
            targets.insert(label);
        }
    });
    targets
}

pub fn labels(block: &[Stmt]) -> FxHashSet<LabelId> {
    let mut labels = FxHashSet::default();
    walk::statements(block, &mut |stmt| {
        if let StmtKind::Label(label) = stmt.kind {
            labels.insert(label);
        }
    });
    labels
}

fn jumps_within(body: &[Stmt]) -> bool {
    let inside = labels(body);
    targets(body).iter().any(|target| inside.contains(target))
}

/// `break` and `continue` of this loop as jumps.
fn redirect(body: &mut [Stmt], next: LabelId, end: LabelId) {
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::Break => stmt.kind = StmtKind::Goto(end),
            StmtKind::Continue => stmt.kind = StmtKind::Goto(next),
            StmtKind::If { then, otherwise, .. } => {
                redirect(then, next, end);
                redirect(otherwise, next, end);
            }
            StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {}
        }
    }
}

fn refuse_backward(block: &[Stmt], seen: &mut FxHashSet<LabelId>) -> Result<(), Diagnostic> {
    for stmt in block {
        match stmt.kind {
            StmtKind::Label(label) => {
                seen.insert(label);
            }
            StmtKind::Goto(label) if seen.contains(&label) => {
                return Err(Diagnostic::unsupported(stmt.span, "a jump backward into a block"));
            }
            _ => {}
        }
        for inner in stmt.kind.blocks() {
            refuse_backward(inner, seen)?;
        }
    }
    Ok(())
}
