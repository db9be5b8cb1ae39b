//! Assignments, calls of the library, and the operations of the core language.

use super::super::memory::{Home, LENGTH, MAX_BYTES, kind_of};
use super::super::range::{Kind, Range};
use super::super::term::{Op, TermId};
use super::values::float_bits;
use super::{Action, Executor, Followed, Input, Location, NewObject, State, TooLong};
use crate::analysis::points_to::{Object as Pointed, start_and_argument};
use crate::diagnostic::Result;
use crate::il::interpret::FailureKind;
use crate::il::{
    AccessKind, Expr, ExprKind, FunctionId, FunctionKind, IntKind, Operation, Place, Stmt, math, scan, uncast, walk,
};
use std::rc::Rc;

/// Allocations whose size is known from the execution only: if it is never more than this they are followed in full, and
/// never further than that.
const FEW_BYTES: i128 = 64;
const MOST_BYTES: u64 = 4096;

impl<'p> Executor<'p> {
    // ---- statements ----

    pub(super) fn assign(&mut self, state: &mut State, to: &Place, value: &Expr) -> Result<()> {
        let guard = state.path;
        if self.program.types.is_scalar(to.ty) {
            let term = self.eval(state, value, guard)?;
            return self.store_place(state, to, term);
        }
        let ExprKind::Load(from) = &value.kind else { return self.unsupported("a value of this type") };
        let from = self.locate(state, from, guard, false)?;
        let to_place = self.locate(state, to, guard, false)?;
        let size = self.program.types.size(to.ty);
        self.copy(state, &to_place, &from, size)
    }

    /// Copies bytes, in pieces that suit the cells.
    pub(super) fn copy(&mut self, state: &mut State, to: &Location, from: &Location, size: u64) -> Result<()> {
        let pieces = self.pieces(from, to, size);
        let mut values = Vec::new();
        for (offset, length) in &pieces {
            let part = self.part(from, *offset);
            let kind = Kind::unsigned(*length as u32 * 8);
            let guard = state.path;
            values.push(self.load(state, &part, *length, kind, guard)?);
        }
        for ((offset, length), value) in pieces.into_iter().zip(values) {
            let part = self.part(to, offset);
            self.store(state, &part, length, value, Kind::unsigned(length as u32 * 8))?;
        }
        Ok(())
    }

    /// The same for a number of bytes that only the execution tells.
    fn copy_some(&mut self, state: &mut State, to: &Location, from: &Location, size: TermId) -> Result<()> {
        let pieces = self.pieces_up_to(from, to, size);
        let mut values = Vec::new();
        for (offset, length) in &pieces {
            let part = self.part(from, *offset);
            let kind = Kind::unsigned(*length as u32 * 8);
            let load = |executor: &mut Self, state: &mut State| {
                let guard = state.path;
                executor.load(state, &part, *length, kind, guard)
            };
            values.push(self.within(state, (size, *offset), load)?);
        }
        for ((offset, length), value) in pieces.into_iter().zip(values) {
            let part = self.part(to, offset);
            let kind = Kind::unsigned(length as u32 * 8);
            self.within(state, (size, offset), |executor, state| executor.store(state, &part, length, value, kind))?;
        }
        Ok(())
    }

    /// Does something if a size is larger than an offset.
    fn within<T>(
        &mut self,
        state: &mut State,
        (size, offset): (TermId, u64),
        act: impl FnOnce(&mut Self, &mut State) -> Result<T>,
    ) -> Result<T> {
        let offset = self.terms.constant(i128::from(offset));
        let inside = self.terms.less(offset, size);
        if self.terms.as_constant(inside) == Some(1) {
            return act(self, state);
        }
        let mut then = state.clone();
        then.path = self.terms.and(state.path, inside);
        let done = act(self, &mut then)?;
        let mut other = state.clone();
        let beyond = self.terms.not(inside);
        other.path = self.terms.and(state.path, beyond);
        *state = self.merge(then, other, inside);
        Ok(done)
    }

    /// Pieces that are within a size as a whole or not at all, as far as it goes.
    fn pieces_up_to(&self, from: &Location, to: &Location, size: TermId) -> Vec<(u64, u64)> {
        let range = self.terms.range(size);
        let all = self.pieces(from, to, range.high().clamp(0, 1 << 24) as u64);
        if self.terms.as_constant(size).is_some() {
            return all;
        }
        let divides = |unit: &i128| range.low() % unit == 0 && range.step() % unit == 0;
        let unit = [8, 4, 2].into_iter().find(divides).unwrap_or(1) as u64;
        let split = |(offset, length): (u64, u64)| {
            let each = length.min(unit);
            (0..length / each).map(move |index| (offset + index * each, each))
        };
        all.into_iter().flat_map(split).collect()
    }

    pub(super) fn part(&mut self, location: &Location, offset: u64) -> Location {
        let kind = self.pointer_kind();
        let offset = self.terms.constant(i128::from(offset));
        let address = self.terms.binary(Op::Add, location.address, offset, kind);
        Location {
            address,
            objects: location.objects.clone(),
            bits: None,
            run: None,
            access: location.access,
            checked: location.checked,
        }
    }

    /// Where the cells of the objects begin and end, if it is known which these are.
    pub(super) fn pieces(&self, from: &Location, to: &Location, size: u64) -> Vec<(u64, u64)> {
        let mut cuts = vec![0, size];
        for location in [from, to] {
            let range = self.terms.range(location.address);
            for (at, index) in self.memory.candidates(range, &location.objects, 1) {
                // A coarse range says nothing about where it begins.
                if matches!(range, Range::Span { .. }) && at != self.memory.objects[index].base {
                    continue;
                }
                let object = &self.memory.objects[index];
                let start = (at - object.base) as u64;
                for cell in &object.cells {
                    for edge in [cell.offset, cell.offset + cell.size] {
                        if edge > start && edge - start < size {
                            cuts.push(edge - start);
                        }
                    }
                }
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut out = Vec::new();
        for pair in cuts.windows(2) {
            let (mut start, end) = (pair[0], pair[1]);
            while start < end {
                let mut length = (end - start).min(8);
                while !length.is_power_of_two() || start % length != 0 {
                    length -= 1;
                }
                out.push((start, length));
                start += length;
            }
        }
        out
    }

    pub(super) fn set_result(&mut self, state: &mut State, to: Option<&Place>, value: TermId) -> Result<()> {
        match to {
            Some(to) => {
                let kind = self.kind(to.ty);
                let value = if self.program.types.int_kind(to.ty) == Some(IntKind::Bool) {
                    self.terms.is_true(value)
                } else {
                    self.terms.cast(value, kind)
                };
                self.store_place(state, to, value)
            }
            None => Ok(()),
        }
    }

    /// A value that nobody determines.
    pub(super) fn input(&mut self, state: &State, kind: Kind) -> TermId {
        let value = self.terms.input(kind);
        self.log.inputs.push(Input { step: state.current_step(), guard: state.path, value });
        value
    }

    pub(super) fn any(&mut self, state: &mut State, to: &Place) -> Result<()> {
        if self.program.types.is_scalar(to.ty) {
            let kind = self.kind(to.ty);
            let value = self.input(state, kind);
            return self.store_place(state, to, value);
        }
        let guard = state.path;
        let location = self.locate(state, to, guard, false)?;
        let size = self.program.types.size(to.ty);
        let mut pieces = Vec::new();
        for (offset, length) in self.pieces(&location, &location, size) {
            let kind = Kind::unsigned(length as u32 * 8);
            let value = self.terms.input(kind);
            let part = self.part(&location, offset);
            self.store(state, &part, length, value, kind)?;
            pieces.push((offset, length, value));
        }
        self.new_objects.push(NewObject { statement: self.statement, pieces });
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        state: &mut State,
        stmt: &'p Stmt,
        to: Option<&'p Place>,
        id: FunctionId,
        args: &'p [Expr],
    ) -> Result<()> {
        let function = self.program.function(id);
        match function.kind {
            FunctionKind::Operation(Operation::Math) => self.math(state, to, &function.name, args),
            FunctionKind::Operation(operation) => self.operation(state, stmt, to, operation, args),
            FunctionKind::External => {
                for arg in args.iter().filter(|arg| self.program.types.is_scalar(arg.ty)) {
                    let guard = state.path;
                    self.eval(state, arg, guard)?;
                }
                to.map_or(Ok(()), |to| self.any(state, to))
            }
            FunctionKind::Defined | FunctionKind::Model => self.library_call(state, to, id, args),
        }
    }

    /// Only of numbers that are known.
    fn math(&mut self, state: &mut State, to: Option<&'p Place>, name: &str, args: &'p [Expr]) -> Result<()> {
        let guard = state.path;
        let mut numbers = Vec::new();
        for arg in args {
            let value = self.eval(state, arg, guard)?;
            numbers.extend(self.known_float(value, arg.ty));
        }
        let Some(to) = to else { return Ok(()) };
        match math::apply(name, &numbers).filter(|_| numbers.len() == args.len()) {
            Some(result) => {
                let bits = float_bits(self.program, to.ty, result);
                let value = self.terms.constant(bits);
                self.store_place(state, to, value)
            }
            None => self.unsupported(format!("{name}() of a number that depends on the execution")),
        }
    }

    /// A function of the library that is one step: its body is executed in place.
    pub(super) fn library_call(
        &mut self,
        state: &mut State,
        to: Option<&'p Place>,
        id: FunctionId,
        args: &'p [Expr],
    ) -> Result<()> {
        let function = self.program.function(id);
        let guard = state.path;
        let mut values = Vec::new();
        for arg in args.iter().take(function.params.len()) {
            values.push(self.eval(state, arg, guard)?);
        }
        let caller = std::mem::replace(&mut self.function, id);
        let span = self.span;
        for (param, value) in function.params.iter().zip(values) {
            let ty = function.locals[param.0 as usize].ty;
            let kind = self.kind(ty);
            let value = self.terms.cast(value, kind);
            self.store_place(state, &Place::local(*param, ty), value)?;
        }
        let outer = self.returns.replace(Vec::new());
        let entry = state.clone();
        let end = self.block(&function.body, Some(entry))?;
        let mut returns = std::mem::replace(&mut self.returns, outer).unwrap_or_default();
        let zero = self.terms.constant(0);
        returns.extend(end.map(|state| (state, zero)));
        self.function = caller;
        self.span = span;
        let mut merged: Option<(State, TermId)> = None;
        for (next, value) in returns {
            merged = Some(match merged {
                None => (next, value),
                Some((known, other)) => {
                    let condition = next.path;
                    let value = self.terms.choose(condition, value, other);
                    (self.merge(next, known, condition), value)
                }
            });
        }
        match merged {
            Some((next, value)) => {
                *state = next;
                self.set_result(state, to, value)
            }
            None => {
                state.path = self.terms.truth(false);
                Ok(())
            }
        }
    }

    pub(super) fn operation(
        &mut self,
        state: &mut State,
        stmt: &'p Stmt,
        to: Option<&'p Place>,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let guard = state.path;
        let types = &self.program.types;
        if self.program.prints_count(stmt) {
            return self.unsupported("printing with a format that has %n, or is not known");
        }
        if let Some(name) = self.program.coarse_step(stmt) {
            return self.unsupported(format!("{name} on memory that threads share"));
        }
        match operation {
            Operation::Create | Operation::CreateC11 => self.create(state, to, operation, args),
            Operation::Join | Operation::JoinC11 => self.join(state, to, operation, args),
            Operation::ThreadExit => {
                // Only main gets here; other threads jump to their end.
                self.end_thread(state, args.first())?;
                state.path = self.terms.truth(false);
                Ok(())
            }
            Operation::ThreadSelf => {
                let me = self.terms.constant(self.thread as i128 + 1);
                self.set_result(state, to, me)
            }
            Operation::Detach => {
                let id = self.eval(state, &args[0], guard)?;
                let always = self.terms.truth(true);
                self.not_left_before(state, id, always);
                self.leave(state, id, always);
                let zero = self.terms.constant(0);
                self.set_result(state, to, zero)
            }
            Operation::Fence | Operation::Nothing => {
                for arg in args {
                    self.eval(state, arg, guard)?;
                }
                let zero = self.terms.constant(0);
                self.set_result(state, to, zero)
            }
            Operation::AtomicBegin => {
                state.sections += 1;
                if state.sections == 1 {
                    self.sections += 1;
                    state.section = self.sections;
                }
                Ok(())
            }
            Operation::AtomicEnd => {
                state.sections = state.sections.saturating_sub(1);
                if state.sections == 0 {
                    state.section = 0;
                }
                Ok(())
            }
            // It may go on without reason at any time, but nobody can rely on that.
            Operation::AwaitSpurious => {
                let condition = self.condition(state, &args[0], guard)?;
                self.wait(state, condition, None);
                Ok(())
            }
            Operation::Assume | Operation::Await => {
                let condition = self.condition(state, &args[0], guard)?;
                if operation == Operation::Await {
                    let holder = args.get(1).map(|holder| self.eval(state, holder, guard)).transpose()?;
                    self.wait(state, condition, holder);
                }
                self.require(state, condition);
                self.refine(state, condition, true);
                if self.terms.as_constant(condition) == Some(0) {
                    state.path = condition;
                }
                Ok(())
            }
            Operation::Choose => {
                let mask = self.eval(state, &args[0], guard)?;
                let kind = Kind::unsigned(64);
                let input = self.input(state, kind);
                let chosen = self.terms.binary(Op::BitAnd, input, mask, kind);
                let one = self.terms.constant(1);
                let below = self.terms.binary(Op::Sub, chosen, one, Kind { bits: 66, signed: true });
                let others = self.terms.binary(Op::BitAnd, chosen, below, kind);
                let zero = self.terms.constant(0);
                let single = self.terms.equal(others, zero);
                let some = self.terms.is_true(chosen);
                let fine = self.terms.and(single, some);
                self.require(state, fine);
                self.set_result(state, to, chosen)
            }
            Operation::Spurious => {
                let value = self.input(state, Kind::BOOL);
                self.set_result(state, to, value)
            }
            Operation::Assert => {
                let condition = self.condition(state, &args[0], guard)?;
                self.must(state, guard, condition, FailureKind::Assertion);
                Ok(())
            }
            Operation::AssertFail | Operation::ReachError | Operation::Misuse => {
                let kind = match operation {
                    Operation::AssertFail => FailureKind::Assertion,
                    Operation::ReachError => FailureKind::ErrorCall,
                    _ => FailureKind::LockMisuse,
                };
                let never = self.terms.truth(false);
                self.must(state, guard, never, kind);
                Ok(())
            }
            Operation::Abort | Operation::Unreachable => {
                let kind = if operation == Operation::Abort { FailureKind::Abort } else { FailureKind::Unreachable };
                if self.property.looks_for(kind) {
                    let never = self.terms.truth(false);
                    self.must(state, guard, never, kind);
                } else {
                    self.stop(state);
                }
                Ok(())
            }
            Operation::Math => unreachable!("it has a name"),
            Operation::WrongCall => {
                self.eval(state, &args[0], guard)?;
                let never = self.terms.truth(false);
                self.must(state, guard, never, FailureKind::Memory);
                Ok(())
            }
            Operation::Limit => {
                let never = self.terms.truth(false);
                self.must(state, guard, never, FailureKind::Unsupported);
                Ok(())
            }
            Operation::Exit => {
                self.eval_what_may_fail(state, args, guard)?;
                self.stop(state);
                Ok(())
            }
            Operation::Nondet => to.map_or(Ok(()), |to| self.any(state, to)),
            Operation::Malloc | Operation::Calloc | Operation::Alloca => {
                let object = self.points_to.allocation(stmt).expect("an allocation has an object");
                self.size_of_allocation(state, object, operation, args)?;
                let cells = Rc::new(self.initial_cells(object)?);
                let seen =
                    self.slots.contains_key(&object) || matches!(self.memory.objects[object].home, Home::Shared(_));
                if seen {
                    self.note_new_object(stmt.id, object, &cells);
                }
                match (self.slots.get(&object).copied(), self.memory.objects[object].home) {
                    (Some(slot), home) => {
                        state.objects[slot] = cells.clone();
                        if let Home::Shared(_) = home {
                            self.blank.insert(object, cells);
                            Rc::make_mut(&mut state.fresh).push(object);
                        }
                    }
                    // Allocated by a function of the library, for all to see.
                    (None, Home::Shared(first)) => {
                        for (index, cell) in cells.iter().enumerate() {
                            self.initial[first + index] = Some(*cell);
                        }
                    }
                    (None, Home::Private(_) | Home::Frame) => {}
                }
                let base = self.terms.constant(self.memory.objects[object].base);
                self.set_result(state, to, base)
            }
            Operation::Realloc => self.unsupported("realloc()"),
            Operation::Free => self.free(state, &args[0]),
            Operation::Memcpy | Operation::Memmove => {
                let size = self.eval(state, &args[2], guard)?;
                let size = self.up_to_a_bound(state, size, Followed::Copy);
                let guard = state.path;
                let to_address = self.pointed(state, &args[0])?;
                let from = self.pointed(state, &args[1])?;
                let target = to_address.address;
                if operation == Operation::Memcpy {
                    let (from, kind) = (from.address, self.pointer_kind());
                    let (to_end, from_end) =
                        (self.terms.binary(Op::Add, target, size, kind), self.terms.binary(Op::Add, from, size, kind));
                    let (same, after, before) = (
                        self.terms.equal(target, from),
                        self.terms.less_or_equal(from_end, target),
                        self.terms.less_or_equal(to_end, from),
                    );
                    let beside = self.terms.or(after, before);
                    let apart = self.terms.or(same, beside);
                    self.must(state, guard, apart, FailureKind::Memory);
                }
                match self.terms.as_constant(size) {
                    Some(size) => self.copy(state, &to_address, &from, size.clamp(0, 1 << 24) as u64)?,
                    None => self.copy_some(state, &to_address, &from, size)?,
                }
                self.set_result(state, to, target)
            }
            Operation::Memset => {
                let size = self.eval(state, &args[2], guard)?;
                let size = self.up_to_a_bound(state, size, Followed::Copy);
                let guard = state.path;
                let location = self.pointed(state, &args[0])?;
                let byte = self.eval(state, &args[1], guard)?;
                let byte = self.terms.cast(byte, Kind::unsigned(8));
                let target = location.address;
                for (offset, length) in self.pieces_up_to(&location, &location, size) {
                    let kind = Kind::unsigned(length as u32 * 8);
                    let all = self.terms.constant((0..length).fold(0, |sum, index| sum | 1 << (8 * index)));
                    let value = self.terms.binary(Op::Mul, byte, all, kind);
                    let part = self.part(&location, offset);
                    self.within(state, (size, offset), |executor, state| {
                        executor.store(state, &part, length, value, kind)
                    })?;
                }
                self.set_result(state, to, target)
            }
            Operation::Memcmp => {
                let Some(size) = args[2].as_int() else { return self.unsupported("memcmp() of unknown size") };
                let (left, right) = (self.pointed(state, &args[0])?, self.pointed(state, &args[1])?);
                let mut result = self.terms.constant(0);
                for offset in (0..size.clamp(0, 1 << 16) as u64).rev() {
                    let (a, b) = (self.part(&left, offset), self.part(&right, offset));
                    let a = self.load(state, &a, 1, Kind::unsigned(8), guard)?;
                    let b = self.load(state, &b, 1, Kind::unsigned(8), guard)?;
                    let difference = self.terms.binary(Op::Sub, a, b, Kind { bits: 32, signed: true });
                    let same = self.terms.equal(a, b);
                    result = self.terms.choose(same, result, difference);
                }
                self.set_result(state, to, result)
            }
            Operation::AddOverflow | Operation::SubOverflow | Operation::MulOverflow => {
                let (a, b) = (self.eval(state, &args[0], guard)?, self.eval(state, &args[1], guard)?);
                let wide = Kind { bits: 120, signed: true };
                let make = match operation {
                    Operation::AddOverflow => Op::Add,
                    Operation::SubOverflow => Op::Sub,
                    _ => Op::Mul,
                };
                if operation == Operation::MulOverflow && !self.terms.range(a).mul(self.terms.range(b)).within(wide) {
                    return self.unsupported("__builtin_mul_overflow() of such large numbers");
                }
                let exact = self.terms.binary(make, a, b, wide);
                let ty = types.pointee(args[2].ty).expect("the third argument is a pointer");
                let kind = self.kind(ty);
                let stored = self.terms.cast(exact, kind);
                let same = self.terms.equal(exact, stored);
                let overflowed = self.terms.not(same);
                let location = self.pointed(state, &args[2])?;
                self.store(state, &location, types.size(ty), stored, kind)?;
                self.set_result(state, to, overflowed)
            }
            Operation::Printf
            | Operation::Fprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Puts
            | Operation::Putchar
            | Operation::Fputs
            | Operation::Fputc => match to {
                Some(_) => self.unsupported("the result of printing"),
                None => self.eval_what_may_fail(state, args, guard),
            },
            Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf => {
                self.unsupported("sprintf()")
            }
            Operation::ScanText => self.unsupported("sscanf()"),
            Operation::ScanInput | Operation::ScanStream => match scan::numbers(self.program, operation, args) {
                Some(targets) => self.scan(state, to, targets),
                None => self.unsupported("scanf() of other than numbers"),
            },
        }
    }

    /// What nobody uses is computed all the same where that may be undefined.
    fn eval_what_may_fail(&mut self, state: &mut State, args: &'p [Expr], guard: TermId) -> Result<()> {
        let function = self.program.function(self.function);
        let shared = |id: crate::il::LocalId| function.locals[id.0 as usize].shared;
        let overflow = self.property.looks_for(FailureKind::Overflow);
        for arg in args {
            if walk::may_be_undefined(arg, &shared) || (overflow && walk::may_overflow(&self.program.types, arg)) {
                self.eval(state, arg, guard)?;
            }
        }
        Ok(())
    }

    /// Makes sure that the object is as large as any execution asks for.
    fn size_of_allocation(
        &mut self,
        state: &mut State,
        object: usize,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let guard = state.path;
        let mut size = self.eval(state, &args[0], guard)?;
        if operation == Operation::Calloc {
            let each = self.eval(state, &args[1], guard)?;
            size = self.terms.binary(Op::Mul, size, each, Kind { bits: 120, signed: true });
        }
        let most = self.terms.range(size).high();
        if self.terms.as_constant(size).is_some() && !(0..=i128::from(MAX_BYTES)).contains(&most) {
            return self.unsupported("an allocation of that size");
        }
        let size = self.up_to_a_bound(state, size, Followed::Allocation);
        let most = self.terms.range(size).high() as u64;
        if self.memory.objects[object].size < most {
            self.larger.insert(object, most);
        }
        self.note_length(state, object, size);
        Ok(())
    }

    /// A size that is followed as far as it is at most some number of bytes, if it depends on the execution.
    fn up_to_a_bound(&mut self, state: &mut State, size: TermId, what: Followed) -> TermId {
        let followed = i128::from(self.most_bytes(size, 2 * u64::from(self.bounded.options.unwind) + 4));
        if self.terms.as_constant(size).is_some() || self.terms.range(size).high() <= followed {
            return size;
        }
        let bound = self.terms.constant(followed);
        let fits = self.terms.less_or_equal(size, bound);
        self.too_long.push(TooLong { size, most: followed as u64, what, span: self.user_span });
        state.path = self.terms.and(state.path, fits);
        self.terms.bounded(size, 0, followed)
    }

    /// Others find the length of an allocation in memory, where only the execution tells it.
    fn note_length(&mut self, state: &mut State, object: usize, size: TermId) {
        let Some(at) = self.memory.length_address(object) else { return };
        self.lengths.insert(object, (self.thread, size));
        if let Home::Shared(_) = self.memory.objects[object].home {
            let (address, wrote) = (self.terms.constant(at), state.wrote);
            let size = self.terms.cast(size, LENGTH);
            self.event(state, address, 8, Rc::new(vec![self.memory.lengths]), Action::Write(size));
            // Nobody can tell that it was written before they have the address of the allocation.
            state.wrote = wrote;
        }
    }

    /// Up to which size an allocation is followed: so many elements, where a number of these is asked for.
    fn most_bytes(&self, size: TermId, elements: u64) -> u64 {
        let of = |id: TermId| self.most_bytes(id, elements);
        let constant = |id: TermId| self.terms.as_constant(id).and_then(|value| u64::try_from(value).ok());
        let most = match self.terms.get(size).op {
            Op::Constant(value) => u64::try_from(value).unwrap_or(0),
            Op::Mul(a, b) => match (constant(a), constant(b)) {
                (Some(each), _) => each.saturating_mul(of(b)),
                (_, Some(each)) => each.saturating_mul(of(a)),
                (None, None) => of(a).saturating_mul(of(b)),
            },
            Op::Shl(a, b) => constant(b).map_or(elements, |by| of(a).saturating_mul(1 << by.min(12))),
            Op::Add(a, b) => of(a).saturating_add(of(b)),
            Op::Cast(a) | Op::Bounded(a, ..) | Op::Except(a, _) => of(a),
            Op::Choose(_, a, b) => of(a).max(of(b)),
            _ => elements,
        };
        // What is known to be small is followed in full.
        let range = self.terms.range(size).high();
        most.max(u64::try_from(range.min(FEW_BYTES)).unwrap_or(0)).min(MOST_BYTES)
    }

    /// `scanf` stores any values, and tells how many; one more than there are means the end of the input.
    pub(super) fn scan(&mut self, state: &mut State, to: Option<&'p Place>, targets: &'p [Expr]) -> Result<()> {
        let any = self.input(state, Kind::unsigned(64));
        let most = targets.len() as i128;
        let last = self.terms.constant(most + 1);
        let beyond = self.terms.less(last, any);
        let fits = self.terms.not(beyond);
        self.require(state, fits);
        let any = self.terms.bounded(any, 0, most + 1);
        let ended = self.terms.equal(any, last);
        let minus = self.terms.constant(-1);
        let count = self.terms.choose(ended, minus, any);
        for (index, target) in targets.iter().enumerate() {
            let pointer = uncast(target);
            let ty = self.program.types.pointee(pointer.ty).expect("it points to a number");
            let kind = self.kind(ty);
            // What comes after the first that does not fit stays as it is.
            let at = self.terms.constant(index as i128);
            let stored = self.terms.less(at, count);
            let mut then = state.clone();
            then.path = self.terms.and(state.path, stored);
            let location = self.pointed(&mut then, pointer)?;
            let value = self.input(&then, kind);
            self.store(&mut then, &location, self.program.types.size(ty), value, kind)?;
            let other = state.clone();
            *state = self.merge(then, other, stored);
        }
        to.map_or(Ok(()), |to| self.set_result(state, Some(to), count))
    }

    pub(super) fn pointed(&mut self, state: &mut State, pointer: &Expr) -> Result<Location> {
        let guard = state.path;
        let address = self.eval(state, pointer, guard)?;
        let objects = self.targets(pointer);
        Ok(Location { address, objects, bits: None, run: None, access: AccessKind::Plain, checked: false })
    }

    pub(super) fn create(
        &mut self,
        state: &mut State,
        to: Option<&'p Place>,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let detached = self.created_detached(state, operation, args)?;
        let (start, argument) = start_and_argument(operation, args);
        let ExprKind::Function(function) = start.kind else { unreachable!("a creation should name its function") };
        let thread = self.bounded.threads.iter().position(|thread| thread.function == function);
        let thread = thread.expect("a created thread should be one of the threads");
        let guard = state.path;
        let argument = self.eval(state, argument, guard)?;
        self.leak(state, argument);
        self.arguments[thread] = Some(argument);
        let location = self.pointed(state, &args[0])?;
        let ty = self.program.types.pointee(args[0].ty).expect("the first argument is a pointer");
        let id = self.terms.constant(thread as i128 + 1);
        let kind = kind_of(&self.program.types, ty);
        self.store(state, &location, self.program.types.size(ty), id, kind)?;
        if let Some(detached) = detached {
            let address = self.terms.constant(self.thread_cell(self.memory.joined, thread));
            self.event(state, address, 1, Rc::new(vec![self.memory.joined]), Action::Write(detached));
        }
        let address = self.terms.constant(self.thread_cell(self.memory.created, thread));
        let yes = self.terms.truth(true);
        self.event(state, address, 1, Rc::new(vec![self.memory.created]), Action::Write(yes));
        let zero = self.terms.constant(0);
        self.set_result(state, to, zero)
    }

    /// Does the attribute ask for a detached thread?
    fn created_detached(
        &mut self,
        state: &mut State,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<Option<TermId>> {
        const DETACHED: i128 = 1;
        let attributes = args.get(1).filter(|arg| operation == Operation::Create && !arg.is_zero());
        let Some(attributes) = attributes else { return Ok(None) };
        let location = self.pointed(state, attributes)?;
        let null = self.terms.constant(0);
        let is_null = self.terms.equal(location.address, null);
        let given = self.terms.not(is_null);
        let mut then = state.clone();
        then.path = self.terms.and(state.path, given);
        let guard = then.path;
        let value = self.load(&mut then, &location, 4, Kind { bits: 32, signed: true }, guard)?;
        let other = state.clone();
        *state = self.merge(then, other, given);
        let wanted = self.terms.constant(DETACHED);
        let detached = self.terms.equal(value, wanted);
        Ok(Some(self.terms.and(given, detached)))
    }

    pub(super) fn join(
        &mut self,
        state: &mut State,
        to: Option<&'p Place>,
        operation: Operation,
        args: &'p [Expr],
    ) -> Result<()> {
        let guard = state.path;
        let id = self.eval(state, &args[0], guard)?;
        let count = self.bounded.threads.len() as i128;
        let valid = self.terms.one_of(id, (1..=count).collect());
        self.must(state, guard, valid, FailureKind::ThreadMisuse);
        let kind = self.pointer_kind();
        let base = self.terms.constant(self.thread_cell(self.memory.ended, 0) - 1);
        let address = self.terms.binary(Op::Add, id, base, kind);
        let ended = self.event_read(state, address, 1, Kind::BOOL, Rc::new(vec![self.memory.ended]));
        let me = self.terms.constant(self.thread as i128 + 1);
        let own = self.terms.equal(id, me);
        let another = self.terms.not(own);
        let guard = state.path;
        self.must(state, guard, another, FailureKind::ThreadMisuse);
        let always = self.terms.truth(true);
        self.not_left_before(state, id, always);
        self.wait(state, ended, Some(id));
        let known = self.requirements.len();
        self.require(state, ended);
        self.requirements[known..].iter_mut().for_each(|required| required.joins = true);
        self.leave(state, id, always);
        if let Some(result) = args.get(1).filter(|result| !result.is_zero()) {
            let location = self.pointed(state, result)?;
            let eight = self.terms.constant(8);
            let offset = self.terms.binary(Op::Mul, id, eight, kind);
            let base = self.terms.constant(self.thread_cell(self.memory.results, 0) - 8);
            let address = self.terms.binary(Op::Add, offset, base, kind);
            let value = self.event_read(state, address, 8, kind, Rc::new(vec![self.memory.results]));
            let (size, kind) = match operation {
                Operation::JoinC11 => (4, Kind { bits: 32, signed: true }),
                _ => (self.program.types.model.pointer_size(), kind),
            };
            let value = self.terms.cast(value, kind);
            let null = self.terms.constant(0);
            let is_null = self.terms.equal(location.address, null);
            match self.terms.as_constant(is_null) {
                Some(0) => self.store(state, &location, size, value, kind)?,
                Some(_) => {}
                None => return self.unsupported("pthread_join() with a place for the result that may be null"),
            }
        }
        let zero = self.terms.constant(0);
        self.set_result(state, to, zero)
    }

    /// A thread may be joined or detached once: here, if the condition holds.
    fn not_left_before(&mut self, state: &mut State, id: TermId, condition: TermId) {
        let count = self.bounded.threads.len() as i128;
        let valid = self.terms.one_of(id, (1..=count).collect());
        let guard = state.path;
        self.must(state, guard, valid, FailureKind::ThreadMisuse);
        let address = self.joined_address(id);
        let before = self.event_read(state, address, 1, Kind::BOOL, Rc::new(vec![self.memory.joined]));
        let mut fine = self.terms.not(before);
        // It stands for many threads, each of which may be detached.
        if let Some(sleeper) = self.bounded.sleeper {
            let sleeper = self.terms.constant(sleeper as i128 + 1);
            let sleeps = self.terms.equal(id, sleeper);
            fine = self.terms.or(fine, sleeps);
        }
        let otherwise = self.terms.not(condition);
        let fine = self.terms.or(otherwise, fine);
        let guard = state.path;
        self.must(state, guard, fine, FailureKind::ThreadMisuse);
    }

    /// The thread is joined or detached now, if the condition holds.
    fn leave(&mut self, state: &mut State, id: TermId, condition: TermId) {
        let address = self.joined_address(id);
        let mut then = state.clone();
        then.path = self.terms.and(state.path, condition);
        if self.terms.as_constant(then.path) != Some(0) {
            let yes = self.terms.truth(true);
            self.event(&mut then, address, 1, Rc::new(vec![self.memory.joined]), Action::Write(yes));
            state.wrote |= then.wrote;
        }
    }

    fn joined_address(&mut self, id: TermId) -> TermId {
        let kind = self.pointer_kind();
        let base = self.terms.constant(self.thread_cell(self.memory.joined, 0) - 1);
        self.terms.binary(Op::Add, id, base, kind)
    }

    pub(super) fn free(&mut self, state: &mut State, pointer: &'p Expr) -> Result<()> {
        let location = self.pointed(state, pointer)?;
        let bases: Vec<(i128, usize)> = location
            .objects
            .iter()
            .filter(|index| self.memory.objects[**index].freed)
            .filter(|index| matches!(self.points_to.objects.get(**index), Some(Pointed::Heap(..))))
            .filter(|index| !matches!(self.memory.objects[**index].home, Home::Private(owner) if owner != self.thread))
            .map(|index| (self.memory.objects[*index].base, *index))
            .filter(|(base, _)| self.terms.range(location.address).contains(*base))
            .collect();
        let mut valid: Vec<i128> = bases.iter().map(|(base, _)| *base).collect();
        valid.push(0);
        valid.sort_unstable();
        let valid = self.terms.one_of(location.address, valid);
        let guard = state.path;
        self.must(state, guard, valid, FailureKind::Memory);
        let shared: Vec<usize> = bases
            .iter()
            .map(|(_, index)| *index)
            .filter(|index| matches!(self.memory.objects[*index].home, Home::Shared(_)) && !state.fresh.contains(index))
            .collect();
        for (base, index) in bases.iter().filter(|(_, index)| !shared.contains(index)) {
            let base = self.terms.constant(*base);
            let here = self.terms.equal(location.address, base);
            let before = state.freed.iter().find(|(object, _)| object == index).map(|(_, freed)| *freed);
            let before = before.unwrap_or_else(|| self.terms.truth(false));
            let twice = self.terms.and(here, before);
            let once = self.terms.not(twice);
            let guard = state.path;
            self.must(state, guard, once, FailureKind::Memory);
            let freed = self.terms.or(before, here);
            let list = Rc::make_mut(&mut state.freed);
            list.retain(|(object, _)| object != index);
            list.push((*index, freed));
            list.sort_unstable();
        }
        if !shared.is_empty() {
            let shared = Rc::new(shared);
            let freed = self.terms.read(self.reads, Kind::BOOL);
            self.reads += 1;
            self.event(state, location.address, 1, shared.clone(), Action::ReadFreed(freed));
            let mut starts: Vec<i128> = shared.iter().map(|index| self.memory.objects[*index].base).collect();
            starts.sort_unstable();
            let inside = self.terms.one_of(location.address, starts);
            let twice = self.terms.and(inside, freed);
            let once = self.terms.not(twice);
            let guard = state.path;
            self.must(state, guard, once, FailureKind::Memory);
            // All of it is written, in a way.
            for index in shared.iter().copied() {
                let (base, size) = (self.memory.objects[index].base, self.memory.objects[index].size);
                let base = self.terms.constant(base);
                let here = self.terms.equal(location.address, base);
                let guard = self.terms.and(state.path, here);
                self.note_access(state, guard, (base, size), &[index], (true, AccessKind::Plain));
            }
            self.event(state, location.address, 1, shared, Action::Free);
        }
        Ok(())
    }
}
