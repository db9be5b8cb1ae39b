//! Store buffers in bounded threads (TSO, PSO): the same threads with buffers that are variables, under sequential
//! consistency. Every engine and every schema decides them as it decides any other program.
//!
//! A statement of a bounded thread runs at most once, so every store that may wait has a place of its own in the buffer,
//! and no list is needed. Before: `x = v;`. After, as one step:
//!
//! ```c
//! now = any();
//! if (now && !waits_1) x = v;                       // it reaches memory at once: all that SC does
//! else { value_2 = v; waits_2 = 1; }
//! ```
//! Who reads `x` in this thread sees `waits_2 ? value_2 : x`. Another thread takes the stores to memory, each if it is
//! there and none of those before it waits:
//!
//! ```c
//! void *buffer(void *p) { if (any()) { assume(waits_2 && !waits_1); x = value_2; waits_2 = 0; } ... }
//! ```
//! Under PSO every location has such a thread, because stores to others may overtake. What drains the buffer
//! (`analysis/drains`) assumes that nothing waits: a thread that would go on too early stops, and stopping is always
//! allowed. So do threads at their end, as those who join them see it.
//!
//! Most stores cannot be seen to be late, and stay as they are. Under TSO a late store can be told only by a load of the same
//! thread that comes before it in memory, though it stands after it in the program: of memory that others write, before
//! anything drains the buffer. Under PSO a later store can tell it as well. This is the shared memory abstraction of
//! lazy-cseq-2021, section 7.4, and verismart-2017, section V-B, with a place per store in place of a queue.

mod rewrite;

use super::{Bounded, LimitError};
use crate::analysis::drains::{self, Effect, section_after};
use crate::analysis::points_to::{PointsTo, Set, points_to};
use crate::analysis::sharing::operation_pointers;
use crate::diagnostic::Diagnostic;
use crate::il::{
    Base, Buffering, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, GlobalId, LabelId, LocalId, Operation,
    Place, Program, Projection, StatementId, Stmt, StmtKind, TypeId, walk,
};
use rewrite::rewrite;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// `seen`: the statements that access memory which other threads access at the same time, as they stand in the threads.
pub fn buffer(bounded: &mut Bounded, buffering: Buffering, seen: &FxHashSet<StatementId>) -> Result<(), LimitError> {
    let before = bounded.program.clone();
    let points_to = points_to(&before);
    let count = bounded.threads.len();
    for thread in 0..count {
        let function = bounded.threads[thread].function;
        let mut search = Search {
            program: &before,
            points_to: &points_to,
            function,
            buffering,
            seen,
            known: address_taken(before.function(function)),
            stores: Vec::new(),
            looks: Vec::new(),
            waits_at: FxHashMap::default(),
            labels: FxHashMap::default(),
            fault: None,
        };
        search.block(&before.function(function).body, Some(BTreeSet::new()), None);
        if let Some(fault) = search.fault {
            return Err(fault.into());
        }
        let waiting = search.may_wait();
        if waiting.is_empty() {
            continue;
        }
        let (stores, waits_at) = (std::mem::take(&mut search.stores), std::mem::take(&mut search.waits_at));
        rewrite(bounded, (thread, buffering), (&before, &points_to), (&stores, &waits_at), &waiting)?;
    }
    bounded.program.buffering = None;
    Ok(())
}

/// A store of a thread, in the order of the text.
#[derive(Clone, Debug)]
struct Store {
    id: StatementId,
    place: Place,
    objects: Set,
    spot: Spot,
    /// No store, but what keeps those after it after those before it: a fence, or the beginning of a store with release.
    is_fence: bool,
    /// What a function of the C library writes.
    by_call: bool,
    /// Those that may wait when it is made.
    before: BTreeSet<usize>,
}

/// Where a place is, if that is known.
#[derive(Clone, Debug, PartialEq)]
enum Spot {
    Global(GlobalId, u64),
    Unknown,
}

#[derive(Clone, Copy, PartialEq)]
enum Alias {
    Never,
    Always,
    Perhaps,
}

struct Search<'p> {
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    function: FunctionId,
    buffering: Buffering,
    seen: &'p FxHashSet<StatementId>,
    /// Locals that others may know the address of.
    known: FxHashSet<LocalId>,
    stores: Vec<Store>,
    /// What may wait when memory that others write is read.
    looks: Vec<BTreeSet<usize>>,
    /// What may wait before a statement.
    waits_at: FxHashMap<StatementId, BTreeSet<usize>>,
    labels: FxHashMap<LabelId, BTreeSet<usize>>,
    fault: Option<Diagnostic>,
}

fn either(a: Option<BTreeSet<usize>>, b: Option<BTreeSet<usize>>) -> Option<BTreeSet<usize>> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.extend(b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

impl Search<'_> {
    /// Follows which stores may wait; `section`: the atomic section around it.
    fn block(
        &mut self,
        block: &[Stmt],
        mut state: Option<BTreeSet<usize>>,
        section: Option<Effect>,
    ) -> Option<BTreeSet<usize>> {
        let mut section = section;
        for (at, stmt) in block.iter().enumerate() {
            let effect = drains::effect(self.program, false, block, at);
            section = section_after(self.program, stmt, effect, section);
            if let Some(waits) = &mut state {
                if !waits.is_empty() {
                    self.waits_at.insert(stmt.id, waits.clone());
                }
                if effect == Effect::Drains || drains_as_stub(self.program, stmt) {
                    waits.clear();
                } else {
                    self.statement(stmt, waits, effect, section);
                }
            }
            state = match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    let then = self.block(then, state.clone(), section);
                    let otherwise = self.block(otherwise, state, section);
                    either(then, otherwise)
                }
                StmtKind::Loop(_) => {
                    let text = "loops that stay loops, where stores wait before they reach memory";
                    self.fault.get_or_insert(Diagnostic::unsupported(stmt.span, text));
                    None
                }
                StmtKind::Goto(label) => {
                    if let Some(joined) = either(state, self.labels.remove(label)) {
                        self.labels.insert(*label, joined);
                    }
                    None
                }
                StmtKind::Label(label) => either(state, self.labels.get(label).cloned()),
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => None,
                StmtKind::Block(body) => self.block(body, state, section),
                StmtKind::Declare(_)
                | StmtKind::Assign { .. }
                | StmtKind::Call { .. }
                | StmtKind::VaStart(_)
                | StmtKind::VaArg { .. }
                | StmtKind::VaCopy { .. }
                | StmtKind::VaEnd(_) => state,
            };
        }
        state
    }

    fn statement(&mut self, stmt: &Stmt, waits: &mut BTreeSet<usize>, effect: Effect, section: Option<Effect>) {
        if separates(effect) && !waits.is_empty() {
            let store = Store { is_fence: true, ..self.nowhere(stmt.id, waits) };
            self.stores.push(store);
        }
        let seen = self.seen.contains(&stmt.id);
        let reads = loads(stmt).iter().any(|place| !is_private(place, &self.known));
        let operates = matches!(stmt.kind, StmtKind::Call { .. });
        if seen && (reads || operates) {
            self.looks.push(waits.clone());
        }
        if let StmtKind::Assign { to, .. } | StmtKind::Call { to: Some(to), .. } = &stmt.kind
            && seen
            && section != Some(Effect::Drains)
            && !is_private(to, &self.known)
        {
            let objects = self.points_to.place_objects(self.function, to);
            let (place, spot) = (to.clone(), spot(self.program, to));
            self.stores.push(Store { place, objects, spot, ..self.nowhere(stmt.id, waits) });
            waits.insert(self.stores.len() - 1);
        }
        let written = operation_pointers(self.program, stmt).written;
        if seen && section != Some(Effect::Drains) && !written.is_empty() {
            let mut objects = Set::default();
            written.iter().for_each(|pointer| {
                objects.union(&self.points_to.value(self.function, pointer));
            });
            self.stores.push(Store { objects, by_call: true, ..self.nowhere(stmt.id, waits) });
            waits.insert(self.stores.len() - 1);
        }
    }

    fn nowhere(&self, id: StatementId, waits: &BTreeSet<usize>) -> Store {
        Store {
            id,
            place: Place::local(LocalId(0), TypeId(0)),
            objects: Set::default(),
            spot: Spot::Unknown,
            is_fence: false,
            by_call: false,
            before: waits.clone(),
        }
    }

    /// The stores that somebody can see to be late.
    fn may_wait(&self) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = self.looks.iter().flatten().copied().collect();
        if self.buffering == Buffering::Pso {
            found.extend(self.stores.iter().filter(|store| !store.is_fence).flat_map(|store| &store.before));
        }
        loop {
            let follows = |(at, store): (usize, &Store)| {
                let waits = store.before.iter().any(|earlier| {
                    found.contains(earlier)
                        && (self.buffering == Buffering::Tso
                            || separated(&self.stores, *earlier, at)
                            || may_alias(self.program, store, &self.stores[*earlier]))
                });
                (waits && !found.contains(&at)).then_some(at)
            };
            let stores = self.stores.iter().enumerate().filter(|(_, store)| !store.is_fence);
            let more: Vec<usize> = stores.filter_map(follows).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }
}

fn separates(effect: Effect) -> bool {
    matches!(effect, Effect::Separates | Effect::Stores { separates: true })
}

/// Does something stand between two stores that may keep them in order?
fn separated(stores: &[Store], earlier: usize, later: usize) -> bool {
    stores[earlier + 1..later].iter().any(|between| between.is_fence && between.before.contains(&earlier))
}

/// A function of the thread library that is one step. Others, such as abs(), touch nothing that threads share.
fn drains_as_stub(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee: Callee::Function(id), .. } = &stmt.kind else { return false };
    let function = program.function(*id);
    let mut drains = false;
    if matches!(function.kind, FunctionKind::Model) {
        // Models that are one step are not recursive.
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                drains |= program.operation(callee) == Some(Operation::AtomicBegin) || drains_as_stub(program, stmt);
            }
        });
    }
    drains
}

fn address_taken(function: &Function) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::AddressOf(place) = &inner.kind
                && let Base::Local(id) = place.base
            {
                found.insert(id);
            }
        });
    };
    walk::statements(&function.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        });
    });
    found
}

/// A local that nobody else can know of.
fn is_private(place: &Place, known: &FxHashSet<LocalId>) -> bool {
    matches!(place.base, Base::Local(id) if !known.contains(&id))
}

/// The places that a statement reads itself.
fn loads(stmt: &Stmt) -> Vec<&Place> {
    let mut found = Vec::new();
    walk::accesses(stmt, &mut |place, writes| {
        if !writes {
            found.push(place);
        }
    });
    found
}

fn spot(program: &Program, place: &Place) -> Spot {
    let types = &program.types;
    let Base::Global(id) = place.base else { return Spot::Unknown };
    let mut offset = 0;
    for projection in &place.projections {
        match projection {
            Projection::Field(record, index) => offset += types.record(*record).fields[*index as usize].offset,
            Projection::Index(index, element) => match index.as_int().and_then(|index| u64::try_from(index).ok()) {
                Some(index) => offset += index * types.size(*element),
                None => return Spot::Unknown,
            },
        }
    }
    Spot::Global(id, offset)
}

const PARTS: &str = "accesses of different sizes to the same memory, where stores wait before they reach it";

fn alias(program: &Program, a: &Store, b: &Store) -> Result<Alias, &'static str> {
    aliases(program, (&a.place, &a.objects, &a.spot), (&b.place, &b.objects, &b.spot))
}

fn may_alias(program: &Program, a: &Store, b: &Store) -> bool {
    if a.by_call || b.by_call {
        let known = !a.objects.is_empty() && !b.objects.is_empty();
        return !known || a.objects.iter().any(|object| b.objects.contains(object));
    }
    alias(program, a, b) != Ok(Alias::Never)
}

/// `Err`: they may have a part in common.
fn aliases(
    program: &Program,
    (a, a_objects, a_spot): (&Place, &Set, &Spot),
    (b, b_objects, b_spot): (&Place, &Set, &Spot),
) -> Result<Alias, &'static str> {
    let (a_size, b_size) = (program.types.size(a.ty), program.types.size(b.ty));
    if let (Spot::Global(a, from), Spot::Global(b, other)) = (a_spot, b_spot) {
        return match a == b && *from < other + b_size && *other < from + a_size {
            false => Ok(Alias::Never),
            true if (from, a_size) == (other, b_size) => Ok(Alias::Always),
            true => Err(PARTS),
        };
    }
    if !a_objects.is_empty() && !b_objects.is_empty() && !a_objects.iter().any(|object| b_objects.contains(object)) {
        return Ok(Alias::Never);
    }
    if a_size == b_size { Ok(Alias::Perhaps) } else { Err(PARTS) }
}
