//! What each statement means to the store buffer of its thread, under the models of memory that have one (TSO, PSO).
//!
//! One table for all engines, after what compilers make of C on x86 (TSO) and SPARC (PSO):
//!
//! | in C | store buffer |
//! |---|---|
//! | plain, volatile or relaxed store | goes into it |
//! | store with release | goes into it; under PSO after all that is in it |
//! | store with seq_cst | waits until it is empty, and goes to memory |
//! | load of any order | looks into it first, then into memory |
//! | read-modify-write of any order (`lock` on x86), `__VERIFIER_atomic` section | waits until it is empty |
//! | fence with seq_cst, `__sync_synchronize` | waits until it is empty |
//! | fence with release or acq_rel | under PSO: what comes later stays after what is in it |
//! | fence with acquire | nothing: loads are not moved anyway |
//! | functions of the thread library, creation, join | wait until it is empty |
//! | `free`, `realloc` | wait until it is empty, as if they took a lock (said where they are used) |
//! | end of a thread | who joins waits until it is empty |

use crate::il::print::is_register;
use crate::il::{
    AccessKind, Base, Buffering, Callee, ExprKind, Function, FunctionKind, Operation, Order, Place, Program,
    StatementId, Stmt, StmtKind, walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    #[default]
    Nothing,
    /// The thread waits before it until all its stores have reached memory.
    Drains,
    /// Stores after it reach memory after those before it.
    Separates,
    /// A section begins that is one store and goes into the buffer as a whole.
    Stores {
        /// After all that is in the buffer.
        separates: bool,
    },
    /// A section begins that only reads.
    Reads,
}

/// What a statement of a block means; `in_model`: the block belongs to a model of a library function.
pub fn effect(program: &Program, in_model: bool, block: &[Stmt], at: usize) -> Effect {
    let Some(buffering) = program.buffering else { return Effect::Nothing };
    let StmtKind::Call { callee, args, .. } = &block[at].kind else { return Effect::Nothing };
    let Some(operation) = program.operation(callee) else {
        return match callee {
            Callee::Function(id) if program.function(*id).atomic => Effect::Drains,
            Callee::Function(_) | Callee::Pointer(_) => Effect::Nothing,
        };
    };
    match operation {
        Operation::Create
        | Operation::CreateC11
        | Operation::Join
        | Operation::JoinC11
        | Operation::Detach
        | Operation::Free
        | Operation::Realloc => Effect::Drains,
        Operation::Fence => {
            let order = args.first().map_or(Order::SeqCst, |order| Order::of_constant(order.as_int()));
            match (order, buffering) {
                (Order::SeqCst, _) => Effect::Drains,
                (Order::Release | Order::AcqRel, Buffering::Pso) => Effect::Separates,
                (Order::Release | Order::AcqRel, Buffering::Tso) => Effect::Nothing,
                (Order::Relaxed | Order::Consume | Order::Acquire, _) => Effect::Nothing,
            }
        }
        Operation::AtomicBegin if in_model => Effect::Drains,
        Operation::AtomicBegin => section(program, &block[at + 1..], buffering),
        _ => Effect::Nothing,
    }
}

/// The section whose statements these are, up to its end: a single atomic access, or several bit-fields that are written
/// together, if it was made of one. Any other is like a locked instruction.
fn section(program: &Program, block: &[Stmt], buffering: Buffering) -> Effect {
    let mut parts = Parts::default();
    for stmt in block {
        if let StmtKind::Call { callee, .. } = &stmt.kind
            && program.operation(callee) == Some(Operation::AtomicEnd)
        {
            return parts.effect(buffering);
        }
        walk::statements(std::slice::from_ref(stmt), &mut |stmt| parts.look(program, stmt));
    }
    // It ends elsewhere.
    Effect::Drains
}

/// What stands in a section.
#[derive(Default)]
struct Parts {
    loads: usize,
    stores: usize,
    neighbours: usize,
    strongest: Option<Order>,
    other: bool,
}

impl Parts {
    fn look(&mut self, program: &Program, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { .. } | StmtKind::Declare(_) | StmtKind::Block(_) | StmtKind::If { .. } => {}
            StmtKind::Call { callee, .. } => {
                let harmless = matches!(program.operation(callee), Some(Operation::Nondet | Operation::Nothing));
                self.other |= !harmless;
            }
            StmtKind::Loop(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => self.other = true,
        }
        walk::accesses(stmt, &mut |place, writes| match place.access {
            AccessKind::Atomic(order) => {
                if writes {
                    self.stores += 1;
                    self.strongest = self.strongest.max(Some(order));
                } else {
                    self.loads += 1;
                }
            }
            AccessKind::Neighbour => self.neighbours += 1,
            AccessKind::Plain | AccessKind::Volatile => self.other |= writes && !is_variable(place),
        });
        self.other |= reads_through_a_pointer(stmt);
    }

    fn effect(&self, buffering: Buffering) -> Effect {
        if self.other || (self.neighbours > 0 && self.loads + self.stores > 0) {
            return Effect::Drains;
        }
        match (self.loads, self.stores) {
            (0, 0) if self.neighbours > 0 => Effect::Stores { separates: false },
            // A section of the user's own.
            (0, 0) => Effect::Drains,
            (_, 0) => Effect::Reads,
            (0, 1) => match self.strongest {
                Some(Order::SeqCst) | None => Effect::Drains,
                Some(Order::Release | Order::AcqRel) => Effect::Stores { separates: buffering == Buffering::Pso },
                Some(Order::Relaxed | Order::Consume | Order::Acquire) => Effect::Stores { separates: false },
            },
            _ => Effect::Drains,
        }
    }
}

/// A local, such as those that sections put what they read into.
fn is_variable(place: &Place) -> bool {
    matches!(place.base, Base::Local(_)) && place.projections.is_empty()
}

/// Not one of the accesses that make a section.
fn reads_through_a_pointer(stmt: &Stmt) -> bool {
    let mut found = false;
    walk::uses(stmt, &mut |used| {
        let mut look = |expr: &crate::il::Expr| {
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::Load(place) = &inner.kind {
                    let plain = matches!(place.access, AccessKind::Plain | AccessKind::Volatile);
                    found |= plain && !matches!(place.base, Base::Local(_));
                }
            });
        };
        match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        }
    });
    found
}

/// Every statement that drains is one before which others run.
pub fn make_steps(program: &mut Program) {
    let mut drains = FxHashSet::default();
    for function in &program.functions {
        let in_model = matches!(function.kind, FunctionKind::Model);
        note_drains(program, in_model, &function.body, &mut drains);
    }
    for function in &mut program.functions {
        walk::statements_mut(&mut function.body, &mut |stmt| stmt.visible |= drains.contains(&stmt.id));
    }
}

fn note_drains(program: &Program, in_model: bool, block: &[Stmt], drains: &mut FxHashSet<StatementId>) {
    for (at, stmt) in block.iter().enumerate() {
        if effect(program, in_model, block, at) == Effect::Drains {
            drains.insert(stmt.id);
        }
        stmt.kind.blocks().into_iter().for_each(|inner| note_drains(program, in_model, inner, drains));
    }
}

/// The statements whose stores go into the buffer, by their numbers in the normalized program; and whether they stand in a
/// section that is one store. The others write to memory at once, as all do in a section that drains.
pub fn buffered_stores(program: &Program) -> FxHashMap<u32, bool> {
    let mut found = FxHashMap::default();
    for function in program.functions.iter().filter(|function| program.buffering.is_some() && !function.atomic) {
        let in_model = matches!(function.kind, FunctionKind::Model);
        note_stores((program, function), (in_model, None), &function.body, &mut found);
    }
    found
}

fn note_stores(
    (program, function): (&Program, &Function),
    (in_model, mut section): (bool, Option<Effect>),
    block: &[Stmt],
    found: &mut FxHashMap<u32, bool>,
) {
    for (at, stmt) in block.iter().enumerate() {
        section = section_after(program, stmt, effect(program, in_model, block, at), section);
        if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind
            && stmt.visible
            && section != Some(Effect::Drains)
            && !is_register(to, &function.locals)
        {
            found.insert(stmt.origin, section.is_some());
        }
        let inner = (in_model, section);
        stmt.kind.blocks().into_iter().for_each(|block| note_stores((program, function), inner, block, found));
    }
}

/// The section that a statement stands in, and those after it: it begins with this one, or ends.
pub fn section_after(program: &Program, stmt: &Stmt, effect: Effect, section: Option<Effect>) -> Option<Effect> {
    let StmtKind::Call { callee, .. } = &stmt.kind else { return section };
    match program.operation(callee) {
        Some(Operation::AtomicBegin) => Some(section.unwrap_or(effect)),
        Some(Operation::AtomicEnd) => None,
        _ => section,
    }
}
