//! A local that may be read before it is written gets any value where it is declared.
//!
//! Before: `int x; y = x;`   After: `int x; x = any(); y = x;`
//!
//! What is surely written first stays as it is: every such value would cost the verifier, and the reader.

use super::unroll::nondet_function;
use crate::il::leaves::{has_padding, scalars};
use crate::il::{
    Base, Callee, Expr, ExprKind, FunctionId, LabelId, LocalId, Operation, Place, Program, Stmt, StmtKind, Types, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

pub fn give_any_value(program: &mut Program) {
    for index in 0..program.functions.len() {
        let function = &program.functions[index];
        if function.body.is_empty() {
            continue;
        }
        let mut search = Search { program, labels: FxHashMap::default(), early: FxHashSet::default() };
        search.block(&function.body, Some(FxHashSet::default()));
        let early = search.early;
        if early.is_empty() {
            continue;
        }
        let mut types = program.types.clone();
        let mut leaves: FxHashMap<LocalId, Vec<(Place, FunctionId)>> = FxHashMap::default();
        let exposed = exposed(&program.functions[index].body, &program.types);
        let mut early: Vec<LocalId> = early.into_iter().collect();
        early.sort();
        for id in early {
            let place = Place::local(id, program.functions[index].locals[id.0 as usize].ty);
            // Whoever has an address may look at the bytes between the members.
            let between = exposed.contains(&id) && has_padding(&types, place.ty);
            let places = if between { vec![place] } else { scalars(&mut types, place) };
            let places = places.into_iter().map(|place| {
                let nondet = nondet_function(&mut program.functions, &mut types, place.ty);
                (place, nondet)
            });
            leaves.insert(id, places.collect());
        }
        program.types = types;
        let body = std::mem::take(&mut program.functions[index].body);
        program.functions[index].body = insert(body, &leaves);
    }
}

/// The locals whose address is taken, or that are copied as a whole.
fn exposed(block: &[Stmt], types: &Types) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            let place = match &inner.kind {
                ExprKind::AddressOf(place) => place,
                ExprKind::Load(place) if types.record_id(place.ty).is_some() => place,
                _ => return,
            };
            if let Base::Local(id) = place.base {
                found.insert(id);
            }
        });
    };
    walk::statements(block, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        });
    });
    found
}

/// Declarations come first in their function, once: iterations of a loop would repeat them.
pub fn hoist_declarations(program: &mut Program) {
    for function in &mut program.functions {
        let mut declared = Vec::new();
        let body = without_declarations(std::mem::take(&mut function.body));
        note_locals(&body, &mut declared);
        declared.sort();
        declared.dedup();
        declared.retain(|id| !function.params.contains(id));
        let span = function.span;
        function.body = declared.into_iter().map(|id| Stmt::new(StmtKind::Declare(id), span)).chain(body).collect();
    }
}

fn without_declarations(block: Vec<Stmt>) -> Vec<Stmt> {
    let kept = block.into_iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Declare(_)));
    kept.map(|mut stmt| {
        stmt.kind = match stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                StmtKind::If { condition, then: without_declarations(then), otherwise: without_declarations(otherwise) }
            }
            StmtKind::Loop(body) => StmtKind::Loop(without_declarations(body)),
            other => other,
        };
        stmt
    })
    .collect()
}

fn note_locals(block: &[Stmt], out: &mut Vec<LocalId>) {
    let mut note = |place: &Place| {
        if let Base::Local(id) = place.base {
            out.push(id);
        }
    };
    let look = |expr: &Expr, note: &mut dyn FnMut(&Place)| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind {
                note(place);
            }
        });
    };
    walk::statements(block, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr, &mut note),
            walk::Use::Target(place) => {
                note(place);
                walk::place_expressions(place, &mut |expr| look(expr, &mut note));
            }
        });
    });
}

fn insert(block: Vec<Stmt>, leaves: &FxHashMap<LocalId, Vec<(Place, FunctionId)>>) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(block.len());
    for mut stmt in block {
        let (span, origin) = (stmt.span, stmt.origin);
        let declared = match stmt.kind {
            StmtKind::Declare(id) => leaves.get(&id),
            _ => None,
        };
        stmt.kind = match stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                StmtKind::If { condition, then: insert(then, leaves), otherwise: insert(otherwise, leaves) }
            }
            StmtKind::Loop(body) => StmtKind::Loop(insert(body, leaves)),
            other => other,
        };
        out.push(stmt);
        for (place, nondet) in declared.into_iter().flatten() {
            let callee = Callee::Function(*nondet);
            let kind = StmtKind::Call { to: Some(place.clone()), callee, args: Vec::new() };
            out.push(Stmt { origin, ..Stmt::new(kind, span) });
        }
    }
    out
}

/// Locals that are declared and not written yet; `None` where control cannot be.
type Unwritten = Option<FxHashSet<LocalId>>;

struct Search<'p> {
    program: &'p Program,
    labels: FxHashMap<LabelId, FxHashSet<LocalId>>,
    early: FxHashSet<LocalId>,
}

impl Search<'_> {
    fn block(&mut self, block: &[Stmt], mut state: Unwritten) -> Unwritten {
        for stmt in block {
            state = self.statement(stmt, state);
        }
        state
    }

    fn statement(&mut self, stmt: &Stmt, mut state: Unwritten) -> Unwritten {
        if let Some(unwritten) = &mut state {
            self.uses(stmt, unwritten);
        }
        match &stmt.kind {
            StmtKind::Declare(id) => {
                if let Some(unwritten) = &mut state {
                    unwritten.insert(*id);
                }
                state
            }
            StmtKind::If { then, otherwise, .. } => {
                let after_then = self.block(then, state.clone());
                let after_else = self.block(otherwise, state);
                either(after_then, after_else)
            }
            // What holds before the loop holds at its head in every iteration; `break` is taken for its head.
            StmtKind::Loop(body) => {
                self.block(body, state.clone());
                state
            }
            StmtKind::Goto(label) => {
                if let Some(unwritten) = state {
                    self.labels.entry(*label).or_default().extend(unwritten);
                }
                None
            }
            StmtKind::Label(label) => either(state, self.labels.get(label).cloned()),
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => None,
            StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Block(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => state,
        }
    }

    fn uses(&mut self, stmt: &Stmt, unwritten: &mut FxHashSet<LocalId>) {
        // Creating a thread writes its id, waiting for one its result: through a pointer, but at once.
        let mut written_through = None;
        if let StmtKind::Call { callee, args, .. } = &stmt.kind {
            written_through = match self.program.operation(callee) {
                Some(Operation::Create | Operation::CreateC11) => args.first(),
                Some(Operation::Join | Operation::JoinC11) => args.get(1),
                _ => None,
            };
        }
        let early = &mut self.early;
        let mut look = |expr: &Expr| {
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
                    && let Base::Local(id) = place.base
                    && unwritten.contains(&id)
                {
                    early.insert(id);
                }
            });
        };
        let mut whole = Vec::new();
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) if written_through.is_some_and(|through| std::ptr::eq(through, expr)) => {
                if let ExprKind::AddressOf(place) = &expr.kind
                    && let (Base::Local(id), true) = (&place.base, place.projections.is_empty())
                {
                    whole.push(*id);
                } else {
                    look(expr);
                }
            }
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => {
                walk::place_expressions(place, &mut look);
                if let (Base::Local(id), true) = (&place.base, place.projections.is_empty()) {
                    whole.push(*id);
                }
            }
        });
        for id in whole {
            unwritten.remove(&id);
        }
    }
}

fn either(a: Unwritten, b: Unwritten) -> Unwritten {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.extend(b);
            Some(a)
        }
        (a, None) => a,
        (None, b) => b,
    }
}
