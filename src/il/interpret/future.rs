//! What a thread may still do from where it stands: end, or wake those who wait for an object of the thread library. Who
//! waits for an object that nobody can touch any more waits for good, although others go on for ever.
//!
//! An object is known by the variable that it is or lies in, where a call says so (`sem_post(&s)`), else by its type only.
//! More than what happens is never wrong: then nobody is said to wait for good.

use super::code::{Code, Instruction, Kind};
use crate::il::{
    Base, Callee, Expr, ExprKind, FunctionId, FunctionKind, GlobalId, Operation, Program, Stmt, StmtKind, Type, TypeId,
    uncast,
};
use rustc_hash::FxHashMap;

/// A set of deeds; the bits are those of [`Futures::deeds`].
type Deeds = u64;

/// The first bits: the process or the thread is ended, and the function at hand returns.
const ENDS: Deeds = 1;
const RETURNS: Deeds = 2;
/// So many bits are taken.
const FIXED: usize = 2;
const ANYTHING: Deeds = Deeds::MAX;

/// Something that a call does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Deed {
    /// Uses an object of this type, whichever it is.
    UsesSome(TypeId),
    /// Uses an object in this variable.
    Uses(GlobalId),
}

pub struct Futures {
    deeds: FxHashMap<Deed, Deeds>,
    /// By function and instruction.
    from: Vec<Vec<Deeds>>,
}

/// An object that a thread waits for.
#[derive(Clone, Copy)]
pub struct Awaited {
    pub ty: TypeId,
    pub variable: Option<GlobalId>,
}

impl Futures {
    pub fn new(code: &Code) -> Futures {
        let program = code.program;
        let count = |function: &super::code::FunctionCode| vec![0; function.instructions.len()];
        let from = code.functions.iter().map(count).collect();
        let mut futures = Futures { deeds: FxHashMap::default(), from };
        let mut changed = true;
        while changed {
            changed = false;
            for (index, function) in code.functions.iter().enumerate() {
                let id = FunctionId(index as u32);
                for (at, instruction) in function.instructions.iter().enumerate().rev() {
                    let then = |next: usize| futures.from[index].get(next).copied().unwrap_or(0);
                    let after = match &instruction.kind {
                        Kind::Branch(_, target) => then(at + 1) | then(*target),
                        Kind::Jump(target) => then(*target),
                        Kind::Return(_) => RETURNS,
                        Kind::Statement(_) | Kind::Scope { .. } => then(at + 1),
                    };
                    let here = after | futures.does(program, id, instruction);
                    changed |= here != futures.from[index][at];
                    futures.from[index][at] = here;
                }
            }
        }
        futures
    }

    /// From the beginning of a function on, while its caller waits.
    fn of(&self, function: FunctionId) -> Deeds {
        self.from[function.0 as usize].first().map_or(0, |deeds| deeds & !RETURNS)
    }

    fn deed(&mut self, deed: Deed) -> Deeds {
        let next = self.deeds.len() + FIXED;
        // More than fit are all the same.
        *self.deeds.entry(deed).or_insert(if next < Deeds::BITS as usize { ENDS << next } else { ANYTHING })
    }

    fn does(&mut self, program: &Program, function: FunctionId, instruction: &Instruction) -> Deeds {
        let Kind::Statement(Stmt { kind: StmtKind::Call { callee, args, .. }, .. }) = &instruction.kind else {
            return 0;
        };
        let Callee::Function(id) = callee else { return ANYTHING };
        match &program.function(*id).kind {
            FunctionKind::Defined => self.of(*id),
            // Inside of models every object is one that somebody gave them.
            FunctionKind::Model if is_model(program, function) => self.of(*id),
            FunctionKind::Model => {
                let objects = objects_given(program, *id, args);
                objects.into_iter().fold(self.of(*id), |deeds, deed| deeds | self.deed(deed))
            }
            FunctionKind::Operation(
                Operation::Exit | Operation::Abort | Operation::Unreachable | Operation::ThreadExit,
            ) => ENDS,
            FunctionKind::Operation(Operation::Create | Operation::CreateC11) => {
                let start = args.iter().find_map(|arg| match uncast(arg).kind {
                    ExprKind::Function(start) => Some(start),
                    _ => None,
                });
                start.map_or(ANYTHING, |start| self.of(start))
            }
            FunctionKind::Operation(_) | FunctionKind::External => 0,
        }
    }

    /// What a thread may do that stands at these instructions, in the functions that called each other: the first is the
    /// one that it started with, whose end is that of the thread.
    pub fn of_thread(&self, frames: impl Iterator<Item = (FunctionId, usize)>) -> Deeds {
        frames.enumerate().fold(0, |deeds, (depth, (function, at))| {
            let here = self.from[function.0 as usize][at];
            let ends = if depth == 0 && here & RETURNS != 0 { ENDS } else { 0 };
            deeds | ends | here & !RETURNS
        })
    }

    /// May the thread end, or all of them? If not it goes on for ever, or waits.
    pub fn may_end(deeds: Deeds) -> bool {
        deeds & ENDS != 0
    }

    /// May whoever waits for the object be woken?
    pub fn may_wake(&self, deeds: Deeds, awaited: Awaited) -> bool {
        let variable = awaited.variable.map(Deed::Uses);
        let touching = [Some(Deed::UsesSome(awaited.ty)), variable].into_iter().flatten();
        touching.filter_map(|deed| self.deeds.get(&deed)).any(|bits| deeds & bits != 0)
    }
}

/// The type of the object of the thread library that a parameter points to.
pub fn object_type(program: &Program, function: FunctionId, param: usize) -> Option<TypeId> {
    let function = program.function(function);
    let param = function.params.get(param)?;
    match program.types.get(function.locals[param.0 as usize].ty) {
        Type::Pointer(to) if matches!(program.types.get(*to), Type::Record(_)) => Some(*to),
        _ => None,
    }
}

fn objects_given(program: &Program, model: FunctionId, args: &[Expr]) -> Vec<Deed> {
    let given = args.iter().enumerate().filter_map(|(index, arg)| {
        let ty = object_type(program, model, index)?;
        Some(match &uncast(arg).kind {
            ExprKind::AddressOf(place) => match place.base {
                Base::Global(id) => Deed::Uses(id),
                Base::Local(_) | Base::Deref(_) => Deed::UsesSome(ty),
            },
            _ => Deed::UsesSome(ty),
        })
    });
    given.collect()
}

fn is_model(program: &Program, function: FunctionId) -> bool {
    matches!(program.function(function).kind, FunctionKind::Model)
}
