//! Function bodies -> flat code with jumps, for the interpreter.

use super::future::Futures;
use crate::analysis::drains::{self, Effect};
use crate::diagnostic::Span;
use crate::il::{
    Base, Callee, Expr, ExprKind, Function, FunctionKind, LabelId, LocalId, ObjectAction, Operation, Program,
    StatementId, Stmt, StmtKind, Type, walk,
};
use crate::property::{ErrorKind, Property};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

pub struct Code<'p> {
    pub program: &'p Program,
    pub functions: Vec<FunctionCode<'p>>,
    /// Arithmetic that overflows fails; else it wraps, as processors do.
    pub overflow: bool,
    /// Memory that is left when the process ends is a failure, if nobody can reach it or at all.
    pub leaks: bool,
    pub cleanup: bool,
    futures: OnceLock<Futures>,
}

pub struct FunctionCode<'p> {
    pub instructions: Vec<Instruction<'p>>,
    /// Locals that live in memory: aggregates, and scalars whose address is taken.
    pub in_memory: Vec<bool>,
}

pub struct Instruction<'p> {
    pub kind: Kind<'p>,
    pub span: Span,
    pub visible: bool,
    /// The number of its statement in the normalized program.
    pub origin: u32,
    /// In the program that is executed.
    pub statement: StatementId,
    /// It creates a thread.
    pub creates: bool,
    /// What it means to the store buffer of the thread.
    pub effect: Effect,
}

/// A set of registers; those beyond its end are in it as well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registers(Vec<u64>);

impl Registers {
    pub fn contains(&self, register: usize) -> bool {
        self.0.get(register / 64).is_none_or(|word| word >> (register % 64) & 1 == 1)
    }

    fn insert(&mut self, local: LocalId) {
        if let Some(word) = self.0.get_mut(local.0 as usize / 64) {
            *word |= 1 << (local.0 % 64);
        }
    }

    fn remove(&mut self, local: LocalId) {
        if let Some(word) = self.0.get_mut(local.0 as usize / 64) {
            *word &= !(1 << (local.0 % 64));
        }
    }

    fn join(&mut self, other: &Registers) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }
}

/// Functions with more instructions times registers keep all of them.
const MOST_LIVE: usize = 50_000_000;

impl FunctionCode<'_> {
    fn live(&self) -> Vec<Registers> {
        let count = self.instructions.len();
        if count.saturating_mul(self.in_memory.len()) > MOST_LIVE {
            return vec![Registers::default(); count];
        }
        let none = Registers(vec![0; self.in_memory.len().div_ceil(64)]);
        let mut live = vec![none.clone(); count];
        let mut changed = true;
        while changed {
            changed = false;
            for (at, instruction) in self.instructions.iter().enumerate().rev() {
                let mut here = none.clone();
                let mut from = |next: usize| live.get(next).into_iter().for_each(|next| here.join(next));
                match &instruction.kind {
                    Kind::Branch(_, target) => {
                        from(at + 1);
                        from(*target);
                    }
                    Kind::Jump(target) => from(*target),
                    Kind::Return(_) => {}
                    Kind::Statement(_) | Kind::Scope { .. } => from(at + 1),
                }
                instruction.uses(&mut here);
                if here != live[at] {
                    live[at] = here;
                    changed = true;
                }
            }
        }
        live
    }
}

impl Instruction<'_> {
    /// What is live after it -> what is live before it.
    fn uses(&self, live: &mut Registers) {
        let mut read = Vec::new();
        let mut look = |expr: &Expr| {
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
                    && let Base::Local(id) = place.base
                {
                    read.push(id);
                }
            });
        };
        match &self.kind {
            Kind::Statement(stmt) => {
                if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind
                    && let (Base::Local(id), true) = (&to.base, to.projections.is_empty())
                {
                    live.remove(*id);
                }
                if let StmtKind::Declare(id) = stmt.kind {
                    live.remove(id);
                }
                let writes = matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. });
                let mut targets = Vec::new();
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => look(expr),
                    walk::Use::Target(place) => {
                        walk::place_expressions(place, &mut look);
                        targets.push(place);
                    }
                });
                // Lists of arguments are read where they are written.
                for place in targets.into_iter().filter(|place| !writes || !place.projections.is_empty()) {
                    if let Base::Local(id) = place.base {
                        read.push(id);
                    }
                }
            }
            Kind::Branch(condition, _) => look(condition),
            Kind::Return(Some(value)) => look(value),
            Kind::Return(None) | Kind::Jump(_) | Kind::Scope { .. } => {}
        }
        read.into_iter().for_each(|id| live.insert(id));
    }
}

/// Does an instruction make no difference to other threads, nor they to it?
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    pub itself: bool,
    /// For the call of a library function: nor does anything that it does.
    pub inside: bool,
}

/// Which locals other threads may know.
type Shared = Vec<bool>;

pub enum Kind<'p> {
    /// Assignment, call, declaration or variable arguments.
    Statement(&'p Stmt),
    /// Goes on at the next instruction if the condition holds, else at the target.
    Branch(&'p Expr, usize),
    Jump(usize),
    Return(Option<&'p Expr>),
    /// Locals in memory whose scope ends or begins here.
    Scope {
        ends: Vec<LocalId>,
        begins: Vec<LocalId>,
    },
}

impl<'p> Code<'p> {
    pub fn new(program: &'p Program) -> Code<'p> {
        let functions = program.functions.iter().map(|function| flatten(program, function)).collect();
        Code { program, functions, overflow: false, leaks: false, cleanup: false, futures: OnceLock::new() }
    }

    /// With the errors that are none unless they are looked for.
    pub fn looking_for(program: &'p Program, property: &Property) -> Code<'p> {
        let (overflow, leaks) = (property.contains(ErrorKind::Overflow), property.contains(ErrorKind::Leak));
        let cleanup = property.contains(ErrorKind::Cleanup);
        let mut code = Code { overflow, leaks, cleanup, ..Code::new(program) };
        if leaks || cleanup {
            code.frees_are_steps();
        }
        code
    }

    /// What threads may still do, made when it is first asked for.
    pub(super) fn futures(&self) -> &Futures {
        self.futures.get_or_init(|| Futures::new(self))
    }

    /// By function and instruction: the registers that may still be read from there on.
    pub fn live(&self) -> Vec<Vec<Registers>> {
        self.functions.iter().map(FunctionCode::live).collect()
    }

    /// By function: which instructions make a difference to other threads, or they to them. `contended`: the places where
    /// they may.
    pub fn quiet(&self, contended: &FxHashSet<Span>) -> Vec<Vec<Quiet>> {
        let is_quiet = |instruction: &Instruction| self.is_quiet(instruction, contended);
        self.functions.iter().map(|function| function.instructions.iter().map(is_quiet).collect()).collect()
    }

    fn is_quiet(&self, instruction: &Instruction, contended: &FxHashSet<Span>) -> Quiet {
        let known = instruction.span != Span::default() && !contended.contains(&instruction.span);
        let alone = !instruction.visible || known;
        let (itself, inside) = match &instruction.kind {
            Kind::Statement(Stmt { kind: StmtKind::Call { callee: Callee::Function(callee), .. }, .. }) => {
                let called = self.program.function(*callee);
                match &called.kind {
                    FunctionKind::Defined => (alone, false),
                    FunctionKind::Model => {
                        (alone, known && matches!(called.does, Some(ObjectAction::Unlocks | ObjectAction::Locks)))
                    }
                    FunctionKind::Operation(operation) => {
                        use Operation::{Assert, Assume, Nondet, Nothing, ThreadSelf};
                        (alone && matches!(operation, Assert | Assume | Nondet | Nothing | ThreadSelf), false)
                    }
                    FunctionKind::External => (false, false),
                }
            }
            Kind::Statement(Stmt { kind: StmtKind::Assign { .. } | StmtKind::Declare(_), .. }) | Kind::Branch(..) => {
                (alone, false)
            }
            // Scopes that end are seen by those who know the variables.
            Kind::Jump(_) | Kind::Return(_) | Kind::Scope { .. } => (!instruction.visible, false),
            Kind::Statement(_) => (false, false),
        };
        Quiet { itself, inside }
    }

    /// The process may end before memory is given back.
    fn frees_are_steps(&mut self) {
        let program = self.program;
        for instruction in self.functions.iter_mut().flat_map(|function| &mut function.instructions) {
            if let Kind::Statement(Stmt { kind: StmtKind::Call { callee, .. }, .. }) = &instruction.kind
                && let Some(Operation::Free | Operation::Realloc) = program.operation(callee)
            {
                instruction.visible = true;
            }
        }
    }
}

/// Which locals need an address.
fn locals_in_memory(program: &Program, function: &Function) -> Vec<bool> {
    let mut in_memory: Vec<bool> = function
        .locals
        .iter()
        .map(|local| !program.types.is_scalar(local.ty) || matches!(program.types.get(local.ty), Type::VaList))
        .collect();
    let mut mark = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::AddressOf(place) = &inner.kind
                && let Base::Local(id) = place.base
            {
                in_memory[id.0 as usize] = true;
            }
        });
    };
    walk::statements(&function.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => mark(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut mark),
        });
    });
    in_memory
}

/// The scopes around a point, outermost first, as indices into `Flattener::scopes`.
type Chain = Vec<usize>;

struct Flattener<'p> {
    program: &'p Program,
    in_memory: Vec<bool>,
    /// Of the statement at hand.
    origin: u32,
    effect: Effect,
    in_model: bool,
    shared: Shared,
    out: Vec<Instruction<'p>>,
    /// Locals in memory declared directly in each scope.
    scopes: Vec<Vec<LocalId>>,
    chain: Chain,
    labels: FxHashMap<LabelId, (usize, Chain)>,
    gotos: Vec<(usize, LabelId, Chain)>,
    /// For each open loop: jumps to its end, its start, and the scopes outside of it.
    loops: Vec<(Vec<usize>, usize, usize)>,
}

fn flatten<'p>(program: &'p Program, function: &'p Function) -> FunctionCode<'p> {
    let mut flattener = Flattener {
        program,
        in_memory: locals_in_memory(program, function),
        origin: 0,
        effect: Effect::Nothing,
        in_model: matches!(function.kind, FunctionKind::Model),
        shared: function.locals.iter().map(|local| local.shared).collect(),
        out: Vec::new(),
        scopes: Vec::new(),
        chain: Vec::new(),
        labels: FxHashMap::default(),
        gotos: Vec::new(),
        loops: Vec::new(),
    };
    flattener.scope(&function.body);
    // Falling off the end is a return like others.
    flattener.origin = 0;
    let ends_shared = flattener.shared.contains(&true);
    flattener.push(Kind::Return(None), function.span, ends_shared);
    for (at, label, chain) in std::mem::take(&mut flattener.gotos) {
        let (target, target_chain) = flattener.labels[&label].clone();
        let common = chain.iter().zip(&target_chain).take_while(|(a, b)| a == b).count();
        let locals = |scopes: &[usize]| scopes.iter().flat_map(|scope| flattener.scopes[*scope].clone()).collect();
        let (ends, begins): (Vec<_>, Vec<_>) = (locals(&chain[common..]), locals(&target_chain[common..]));
        flattener.out[at].visible = flattener.any_shared(&ends);
        flattener.out[at].kind = Kind::Scope { ends, begins };
        flattener.out[at + 1].kind = Kind::Jump(target);
    }
    FunctionCode { instructions: flattener.out, in_memory: flattener.in_memory }
}

impl<'p> Flattener<'p> {
    fn push(&mut self, kind: Kind<'p>, span: Span, visible: bool) {
        let creates = match &kind {
            Kind::Statement(Stmt { kind: StmtKind::Call { callee, .. }, .. }) => {
                matches!(self.program.operation(callee), Some(Operation::Create | Operation::CreateC11))
            }
            _ => false,
        };
        // Whether there is a jump depends on what was left out of a bounded program.
        let origin = if matches!(kind, Kind::Jump(_)) { 0 } else { self.origin };
        let statement = match &kind {
            Kind::Statement(stmt) => stmt.id,
            Kind::Branch(..) | Kind::Jump(_) | Kind::Return(_) | Kind::Scope { .. } => StatementId::default(),
        };
        let effect = if let Kind::Statement(_) = &kind { self.effect } else { Effect::Nothing };
        self.out.push(Instruction { kind, span, visible, origin, statement, creates, effect });
    }

    fn any_shared(&self, locals: &[LocalId]) -> bool {
        locals.iter().any(|local| self.shared[local.0 as usize])
    }

    fn scope(&mut self, block: &'p [Stmt]) {
        let id = self.scopes.len();
        let declared = block.iter().filter_map(|stmt| match stmt.kind {
            StmtKind::Declare(local) if self.in_memory[local.0 as usize] => Some(local),
            _ => None,
        });
        let declared: Vec<LocalId> = declared.collect();
        self.scopes.push(declared.clone());
        self.chain.push(id);
        for (at, stmt) in block.iter().enumerate() {
            self.effect = drains::effect(self.program, self.in_model, block, at);
            self.statement(stmt);
        }
        self.chain.pop();
        if !declared.is_empty() {
            let visible = self.any_shared(&declared);
            self.push(Kind::Scope { ends: declared, begins: Vec::new() }, Span::default(), visible);
        }
    }

    /// Ends the scopes that a jump out of a loop leaves.
    fn leave_to(&mut self, depth: usize, span: Span) {
        let ends: Vec<LocalId> = self.chain[depth..].iter().flat_map(|scope| self.scopes[*scope].clone()).collect();
        if !ends.is_empty() {
            let visible = self.any_shared(&ends);
            self.push(Kind::Scope { ends, begins: Vec::new() }, span, visible);
        }
    }

    fn statement(&mut self, stmt: &'p Stmt) {
        self.origin = stmt.origin;
        self.flatten(stmt);
        self.origin = 0;
    }

    fn flatten(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let branch = self.out.len();
                self.push(Kind::Branch(condition, 0), stmt.span, stmt.visible);
                self.scope(then);
                if otherwise.is_empty() {
                    self.out[branch].kind = Kind::Branch(condition, self.out.len());
                    return;
                }
                let skip = self.out.len();
                self.push(Kind::Jump(0), stmt.span, false);
                self.out[branch].kind = Kind::Branch(condition, self.out.len());
                self.scope(otherwise);
                self.out[skip].kind = Kind::Jump(self.out.len());
            }
            StmtKind::Loop(body) => {
                let start = self.out.len();
                self.loops.push((Vec::new(), start, self.chain.len()));
                self.scope(body);
                self.push(Kind::Jump(start), stmt.span, false);
                let (ends, _, _) = self.loops.pop().expect("pushed above");
                for end in ends {
                    self.out[end].kind = Kind::Jump(self.out.len());
                }
            }
            StmtKind::Block(body) => self.scope(body),
            StmtKind::Break => {
                let depth = self.loops.last().expect("break stands in a loop").2;
                self.leave_to(depth, stmt.span);
                let at = self.out.len();
                self.loops.last_mut().expect("break stands in a loop").0.push(at);
                self.push(Kind::Jump(0), stmt.span, false);
            }
            StmtKind::Continue => {
                let (_, start, depth) = *self.loops.last().expect("continue stands in a loop");
                self.leave_to(depth, stmt.span);
                self.push(Kind::Jump(start), stmt.span, false);
            }
            StmtKind::Goto(label) => {
                self.gotos.push((self.out.len(), *label, self.chain.clone()));
                self.push(Kind::Jump(0), stmt.span, false);
                self.push(Kind::Jump(0), stmt.span, false);
            }
            StmtKind::Label(label) => {
                self.labels.insert(*label, (self.out.len(), self.chain.clone()));
            }
            StmtKind::Return(value) => self.push(Kind::Return(value.as_ref()), stmt.span, stmt.visible),
            StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => self.push(Kind::Statement(stmt), stmt.span, stmt.visible),
        }
    }
}
