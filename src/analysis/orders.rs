//! Which orders the atomic accesses of a program have.

use crate::diagnostic::Span;
use crate::il::{AccessKind, Order, Program, walk};

/// Where atomic accesses stand whose order is weaker than seq_cst.
pub fn weaker_accesses(program: &Program) -> Vec<Span> {
    let mut found = Vec::new();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            walk::accesses(stmt, &mut |place, _| {
                if matches!(place.access, AccessKind::Atomic(order) if order != Order::SeqCst) {
                    found.push(stmt.span);
                }
            });
        });
    }
    found.sort_unstable_by_key(|span| span.start);
    found.dedup();
    found
}
