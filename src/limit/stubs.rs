//! Which library models stay calls: those that are one step, the stubs of lazy-cseq-2021 fig. 7.

use crate::il::{Base, Callee, ExprKind, Function, FunctionId, FunctionKind, Operation, Program, Stmt, StmtKind, walk};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stub {
    /// Touches nothing that threads share.
    Private,
    /// Touches shared memory; other models call it inside their atomic sections.
    Inner,
    /// One atomic section, and nothing visible outside of it.
    Step,
    /// Has loops, several sections, or calls what is not a stub: it is inlined.
    No,
}

/// For every function of the program.
pub fn stubs(program: &Program) -> Vec<Stub> {
    let mut found: Vec<Option<Stub>> = vec![None; program.functions.len()];
    for index in 0..program.functions.len() {
        classify(program, FunctionId(index as u32), &mut found);
    }
    found.into_iter().map(|stub| stub.unwrap_or(Stub::No)).collect()
}

fn classify(program: &Program, id: FunctionId, found: &mut Vec<Option<Stub>>) -> Stub {
    if let Some(known) = found[id.0 as usize] {
        return known;
    }
    // A recursive function is not a stub.
    found[id.0 as usize] = Some(Stub::No);
    let function = program.function(id);
    let stub = match function.kind {
        FunctionKind::Model if plain(program, function) => {
            let mut walker = Walker { program, found, sections: 0, visible: false, fits: true };
            walker.block(&function.body, 0);
            match (walker.fits, walker.sections, walker.visible) {
                (false, _, _) => Stub::No,
                (true, 0, false) => Stub::Private,
                (true, 0, true) => Stub::Inner,
                (true, 1, false) => Stub::Step,
                (true, _, _) => Stub::No,
            }
        }
        FunctionKind::Model | FunctionKind::Defined | FunctionKind::Operation(_) | FunctionKind::External => Stub::No,
    };
    found[id.0 as usize] = Some(stub);
    stub
}

/// No loops, no jumps, no variables that each thread has its own of, no struct as its result.
fn plain(program: &Program, function: &Function) -> bool {
    let types = &program.types;
    let mut plain = types.function_type(function.ty).is_some_and(|ty| types.record_id(ty.result).is_none());
    walk::statements(&function.body, &mut |stmt| {
        plain &= !matches!(
            stmt.kind,
            StmtKind::Loop(_)
                | StmtKind::Goto(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_)
        );
    });
    let (mut globals, mut functions) = (Vec::new(), Vec::new());
    walk::mentions(&function.body, &mut globals, &mut functions);
    plain && !globals.iter().any(|global| program.global(*global).thread_local)
}

struct Walker<'a> {
    program: &'a Program,
    found: &'a mut Vec<Option<Stub>>,
    sections: u32,
    /// Something visible stands outside of any section.
    visible: bool,
    fits: bool,
}

impl Walker<'_> {
    /// The depth of sections after the block; a return ends it.
    fn block(&mut self, block: &[Stmt], mut depth: u32) -> u32 {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Call { callee, .. } => depth = self.call(stmt, callee, depth),
                StmtKind::If { then, otherwise, .. } => {
                    self.visible |= stmt.visible && depth == 0;
                    let ends = |block: &[Stmt]| matches!(block.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
                    let after_then = self.block(then, depth);
                    let after_else = self.block(otherwise, depth);
                    depth = match (ends(then), ends(otherwise)) {
                        (true, _) => after_else,
                        (false, true) => after_then,
                        (false, false) => {
                            self.fits &= after_then == after_else;
                            after_then
                        }
                    };
                }
                StmtKind::Loop(_)
                | StmtKind::Block(_)
                | StmtKind::Declare(_)
                | StmtKind::Assign { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::Return(_)
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => {
                    self.visible |= stmt.visible && depth == 0;
                }
            }
        }
        depth
    }

    fn call(&mut self, stmt: &Stmt, callee: &Callee, depth: u32) -> u32 {
        let Callee::Function(id) = callee else {
            self.fits = false;
            return depth;
        };
        match self.program.operation(callee) {
            Some(Operation::AtomicBegin) => {
                self.sections += u32::from(depth == 0);
                return depth + 1;
            }
            Some(Operation::AtomicEnd) => return depth.saturating_sub(1),
            Some(
                Operation::Await
                | Operation::AwaitSpurious
                | Operation::Choose
                | Operation::Spurious
                | Operation::Misuse
                | Operation::Limit
                | Operation::ThreadSelf
                | Operation::Nondet
                | Operation::Fence
                | Operation::Nothing,
            ) => self.visible |= stmt.visible && depth == 0,
            Some(_) => self.fits = false,
            None => match classify(self.program, *id, self.found) {
                Stub::Private => self.visible |= stmt.visible && depth == 0,
                Stub::Inner => self.visible |= depth == 0,
                Stub::Step => self.sections += u32::from(depth == 0),
                Stub::No => self.fits = false,
            },
        }
        depth
    }
}

/// Does this pointer come straight from a parameter of the function?
pub fn parameter_of(function: &Function, pointer: &crate::il::Expr) -> Option<usize> {
    match &pointer.kind {
        ExprKind::Cast(inner) => parameter_of(function, inner),
        ExprKind::Load(place) => match place.base {
            Base::Local(id) if place.projections.is_empty() => function.params.iter().position(|param| *param == id),
            Base::Local(_) | Base::Global(_) | Base::Deref(_) => None,
        },
        _ => None,
    }
}
