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
        if let StmtKind::Block(inner) = stmt.kind {
            out.extend(flatten(inner));
            continue;
        }
        for inner in stmt.kind.blocks_mut() {
            *inner = flatten(std::mem::take(inner));
        }
        out.push(stmt);
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
        let span = stmt.span;
        let mut end = None;
        if let StmtKind::Loop(body) = &mut stmt.kind
            && jumps_within(body)
        {
            // A loop made of a jump inside would catch the breaks of this one.
            let (next, behind) = (self.new_label("next".to_owned()), self.new_label("end".to_owned()));
            redirect(body, next, behind);
            body.push(Stmt::new(StmtKind::Label(next), span));
            end = Some(Stmt::new(StmtKind::Label(behind), span));
        }
        for inner in stmt.kind.blocks_mut() {
            *inner = self.block(std::mem::take(inner));
        }
        out.push(stmt);
        out.extend(end);
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
            StmtKind::Loop(_) => {}
            other => other.blocks_mut().for_each(|inner| redirect(inner, next, end)),
        }
    }
}

fn refuse_backward(block: &[Stmt], seen: &mut FxHashSet<LabelId>) -> Result<(), Diagnostic> {
    for stmt in block {
        if let StmtKind::Label(label) = stmt.kind {
            seen.insert(label);
        }
        if let StmtKind::Goto(label) = stmt.kind
            && seen.contains(&label)
        {
            return Err(Diagnostic::unsupported(stmt.span, "a jump backward into a block"));
        }
        for inner in stmt.kind.blocks() {
            refuse_backward(inner, seen)?;
        }
    }
    Ok(())
}
