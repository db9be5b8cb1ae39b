//! Locals that somebody may still know after their scope has ended.
//!
//! Formulas do not follow the end of a scope, so that nothing is proved where such a local exists (the states do).
//! A local is safe if every variable that may hold its address ends with it or before it:
//! - variables of the same function whose scope lies within that of the local;
//! - variables of functions that the local's function calls, and that do not call it;
//! - nothing else: no global, no heap memory, no result, no argument of a thread.
//!
//! What `main` declares in its outermost scope lives as long as the process, unless `main` ends by `pthread_exit`.
//!
//! An array of variable length ends with its block, and so, as far as is known here, does memory of alloca(). The interpreter
//! lets both live until their function returns: where that could make a difference, states prove nothing either.

use super::points_to::{Object, PointsTo, points_to, start_and_argument};
use crate::diagnostic::Span;
use crate::il::{FunctionId, LocalId, Operation, Program, StatementId, Stmt, StmtKind, walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// Name and place of each.
pub fn may_be_used_after_their_end(program: &Program) -> Vec<(String, Span)> {
    outlived(program).into_iter().map(|found| (found.name, found.span)).collect()
}

/// Those that begin again where they ended before, in another iteration: the interpreter takes the next one for the same
/// variable, and does not see that a pointer to the last one is used.
pub fn may_be_taken_for_the_next(program: &Program) -> Vec<(String, Span)> {
    outlived(program).into_iter().filter(|found| found.begins_again).map(|found| (found.name, found.span)).collect()
}

struct Outlived {
    name: String,
    span: Span,
    begins_again: bool,
}

fn outlived(program: &Program) -> Vec<Outlived> {
    let points_to = points_to(program);
    let analysis = Analysis {
        program,
        scopes: program.functions.iter().map(|function| scopes(&function.body)).collect(),
        arrays: program.functions.iter().flat_map(|function| arrays(program, &function.body)).collect(),
        calls: (0..program.functions.len()).map(|index| reached(program, &points_to, index)).collect(),
        handed_over: handed_over(program, &points_to),
        main_ends_early: main_ends_early(program, &points_to),
        points_to: &points_to,
    };
    let mut found = Vec::new();
    for (index, object) in points_to.objects.iter().enumerate() {
        let (function, local) = match object {
            Object::Local(function, local) => (*function, Some(*local)),
            Object::Heap(function, _) if analysis.block_of(index).is_some() => (*function, None),
            // A variable of which every thread has its own ends with its thread.
            Object::Global(id) if program.global(*id).thread_local && !program.global(*id).model => {
                if analysis.leaves_its_thread(index) {
                    let global = program.global(*id);
                    found.push(Outlived { name: global.name.clone(), span: global.span, begins_again: false });
                }
                continue;
            }
            Object::Heap(..) | Object::Global(_) | Object::Function(_) => continue,
        };
        if !analysis.is_safe(index, function, local) {
            let function = program.function(function);
            found.push(match local {
                Some(id) => {
                    let local = &function.locals[id.0 as usize];
                    let begins_again = begin_again(&function.body).contains(&id);
                    Outlived { name: local.name.clone(), span: local.span, begins_again }
                }
                None => {
                    let name = format!("an array of {}()", function.name);
                    Outlived { name, span: function.span, begins_again: analysis.ends_early(index) }
                }
            });
        }
    }
    found
}

/// Where each local is declared: the numbers of the blocks around it.
type Scopes = FxHashMap<LocalId, Vec<usize>>;

struct Analysis<'p> {
    program: &'p Program,
    scopes: Vec<Scopes>,
    /// The blocks around each array of variable length, by the statement that makes it.
    arrays: FxHashMap<StatementId, Vec<usize>>,
    /// The functions that each function may call, directly or not.
    calls: Vec<FxHashSet<FunctionId>>,
    /// Objects whose addresses are given to threads, or returned.
    handed_over: super::points_to::Set,
    main_ends_early: bool,
    points_to: &'p PointsTo<'p>,
}

impl Analysis<'_> {
    fn is_safe(&self, object: usize, function: FunctionId, local: Option<LocalId>) -> bool {
        let scope = match local {
            Some(local) => self.scopes[function.0 as usize].get(&local).cloned().unwrap_or_default(),
            None => self.block_of(object).unwrap_or_default(),
        };
        if function == self.program.main && scope.is_empty() && !self.main_ends_early {
            return true;
        }
        let holders = (0..self.points_to.objects.len()).filter(|at| self.points_to.content(*at).contains(object));
        let mut known = self.handed_over.contains(object);
        for holder in holders {
            known |= match self.points_to.objects[holder] {
                Object::Global(_) => true,
                Object::Heap(by, _) if by == function && self.block_of(holder).is_some() => !scope.is_empty(),
                Object::Heap(..) => true,
                Object::Function(_) => false,
                Object::Local(by, _) if by != function => self.calls[by.0 as usize].contains(&function),
                Object::Local(by, holder) => {
                    let own = self.scopes[by.0 as usize].get(&holder);
                    let recursive = self.calls[function.0 as usize].contains(&function);
                    recursive || !own.map_or(&[][..], Vec::as_slice).starts_with(&scope)
                }
            };
        }
        !known
    }

    /// Is the address kept where other threads find it?
    fn leaves_its_thread(&self, object: usize) -> bool {
        let kept = (0..self.points_to.objects.len()).any(|holder| {
            let shared = matches!(self.points_to.objects[holder], Object::Global(_) | Object::Heap(..));
            shared && self.points_to.content(holder).contains(object)
        });
        kept || self.handed_over.contains(object)
    }

    /// The blocks around an array of variable length, or memory of alloca().
    fn block_of(&self, object: usize) -> Option<Vec<usize>> {
        let statement = self.points_to.allocated_by(object)?;
        self.arrays.get(&statement).cloned()
    }

    /// Does it end before its function does?
    fn ends_early(&self, object: usize) -> bool {
        self.block_of(object).is_some_and(|block| !block.is_empty())
    }
}

/// The locals that are declared in a loop, or after a label that is jumped back to.
fn begin_again(body: &[Stmt]) -> FxHashSet<LocalId> {
    let mut labels = FxHashSet::default();
    let mut declared = Vec::new();
    let mut jumps_back = false;
    let mut in_loops = FxHashSet::default();
    walk::statements(body, &mut |stmt| match &stmt.kind {
        StmtKind::Label(label) => {
            labels.insert(*label);
        }
        StmtKind::Goto(label) => jumps_back |= labels.contains(label),
        StmtKind::Declare(local) => declared.push(*local),
        StmtKind::Loop(inner) => walk::statements(inner, &mut |stmt| {
            if let StmtKind::Declare(local) = stmt.kind {
                in_loops.insert(local);
            }
        }),
        _ => {}
    });
    if jumps_back { declared.into_iter().collect() } else { in_loops }
}

fn scopes(body: &[Stmt]) -> Scopes {
    let mut out = Scopes::default();
    blocks(body, &mut |stmt, path| {
        if let StmtKind::Declare(local) = stmt.kind {
            out.insert(local, path.to_vec());
        }
    });
    out
}

/// Arrays of variable length, with the blocks around them. Where there are jumps backward, one may end wherever it stands.
fn arrays(program: &Program, body: &[Stmt]) -> Vec<(StatementId, Vec<usize>)> {
    let (mut found, mut labels, mut jumps_back) = (Vec::new(), FxHashSet::default(), false);
    blocks(body, &mut |stmt, path| match &stmt.kind {
        StmtKind::Label(label) => {
            labels.insert(*label);
        }
        StmtKind::Goto(label) => jumps_back |= labels.contains(label),
        StmtKind::Call { callee, .. } if program.operation(callee) == Some(Operation::Alloca) => {
            found.push((stmt.id, path.to_vec()));
        }
        _ => {}
    });
    if jumps_back {
        // No variable is declared in this block.
        found.iter_mut().for_each(|(_, path)| path.insert(0, usize::MAX));
    }
    found
}

/// All statements, with the numbers of the blocks around them.
fn blocks<'p>(body: &'p [Stmt], visit: &mut impl FnMut(&'p Stmt, &[usize])) {
    fn inside<'p>(
        block: &'p [Stmt],
        path: &mut Vec<usize>,
        next: &mut usize,
        visit: &mut impl FnMut(&'p Stmt, &[usize]),
    ) {
        for stmt in block {
            visit(stmt, path);
            for inner in stmt.kind.blocks() {
                *next += 1;
                path.push(*next);
                inside(inner, path, next, visit);
                path.pop();
            }
        }
    }
    inside(body, &mut Vec::new(), &mut 0, visit);
}

/// The functions that a function may call, directly or not.
fn reached(program: &Program, points_to: &PointsTo, index: usize) -> FxHashSet<FunctionId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![FunctionId(index as u32)];
    while let Some(id) = work.pop() {
        walk::statements(&program.function(id).body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                work.extend(points_to.callees(id, callee).into_iter().filter(|callee| seen.insert(*callee)));
            }
        });
    }
    seen
}

fn handed_over(program: &Program, points_to: &PointsTo) -> super::points_to::Set {
    let mut handed = super::points_to::Set::default();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        handed.union(points_to.result(id));
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            if let Some(operation @ (Operation::Create | Operation::CreateC11)) = program.operation(callee) {
                handed.union(&points_to.value(id, start_and_argument(operation, args).1));
            }
        });
    }
    handed
}

fn main_ends_early(program: &Program, points_to: &PointsTo) -> bool {
    let mut functions = reached(program, points_to, program.main.0 as usize);
    functions.insert(program.main);
    functions
        .iter()
        .any(|id| matches!(program.function(*id).kind, crate::il::FunctionKind::Operation(Operation::ThreadExit)))
}
