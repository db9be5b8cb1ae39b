//! What the core operations do.

use super::memory::{Life, ObjectId, ObjectKind, heap_region, stack_region};
use super::{Chooser, Event, FailureKind, Machine, Status, Step, Stop};
use crate::il::arithmetic::{self, Value};
use crate::il::{Expr, FunctionId, Operation, Order, Place, math, operation};

/// One call of an operation.
pub(super) struct Context<'a> {
    pub thread: usize,
    pub operation: Operation,
    pub args: &'a [Expr],
    /// The scheduler wants a wait to end without reason.
    pub spurious: bool,
    pub function: FunctionId,
}

const DETACHED: u64 = 1;

impl Machine<'_> {
    /// Executes an operation; its result, if it has one.
    pub(super) fn operation(
        &mut self,
        context: &Context,
        to: Option<&Place>,
        chooser: &mut dyn Chooser,
    ) -> Step<Option<Value>> {
        let thread = context.thread;
        let mut values = Vec::new();
        for arg in context.args {
            values.push(self.eval(thread, arg, chooser)?);
        }
        let int = |index: usize| values.get(index).map_or(0, |value| value.as_int());
        let address = |index: usize| int(index) as u64;
        let zero = Ok(Some(Value::Int(0)));
        match context.operation {
            Operation::Create => {
                let detached = address(1) != 0 && self.memory.read_uint(address(1), 4)?.0 == DETACHED;
                if address(1) != 0 {
                    self.touch(thread, (address(1), 4), false)?;
                }
                self.create(thread, address(0), address(2), (values[3], detached))
            }
            Operation::CreateC11 => self.create(thread, address(0), address(1), (values[2], false)),
            Operation::Join | Operation::JoinC11 => self.join(context, int(0), address(1)),
            Operation::ThreadExit => {
                let value = values.first().copied().unwrap_or(Value::Int(0));
                self.exit_thread(thread, value)?;
                Ok(None)
            }
            Operation::ThreadSelf => Ok(Some(Value::Int(thread as i128 + 1))),
            Operation::Detach => self.detach(int(0)),
            Operation::AtomicBegin => {
                self.threads[thread].atomic += 1;
                if let Some(races) = self.races.as_mut().filter(|_| self.threads[thread].atomic == 1) {
                    races.section_begins();
                }
                Ok(None)
            }
            Operation::AtomicEnd => {
                let atomic = &mut self.threads[thread].atomic;
                *atomic = atomic.checked_sub(1).ok_or_else(|| {
                    Stop::Failure(FailureKind::ThreadMisuse, "an atomic section ends that did not begin".to_owned())
                })?;
                if self.threads[thread].atomic == 0 {
                    self.section_ends()?;
                }
                Ok(None)
            }
            Operation::Assume if int(0) == 0 => Err(Stop::Blocked { by_assume: true, holder: None }),
            Operation::Await if int(0) == 0 => {
                let holder = if context.args.len() > 1 { usize::try_from(int(1) - 1).ok() } else { None };
                Err(Stop::Blocked { by_assume: false, holder })
            }
            Operation::AwaitSpurious if int(0) == 0 && !(context.spurious && self.allow_spurious) => {
                Err(Stop::Blocked { by_assume: false, holder: None })
            }
            Operation::AwaitSpurious if int(0) == 0 => {
                self.happens(Event::WakesUp);
                Ok(None)
            }
            Operation::Assume | Operation::Await | Operation::AwaitSpurious => Ok(None),
            Operation::Choose => {
                let mask = int(0) as u64;
                let chosen = if mask == 0 { 0 } else { chooser.choose(mask) };
                self.happens(Event::Input(chosen.to_string()));
                Ok(Some(Value::Int(i128::from(chosen))))
            }
            Operation::Spurious => {
                let without_reason = if self.allow_spurious { chooser.pick(2) } else { 0 };
                self.happens(Event::Input(without_reason.to_string()));
                Ok(Some(Value::Int(without_reason as i128)))
            }
            Operation::Assert if int(0) == 0 => Err(self.failed_assertion(context)),
            Operation::Assert => Ok(None),
            Operation::AssertFail => {
                let text = self.memory.string(address(0), None).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                Err(Stop::Failure(FailureKind::Assertion, text))
            }
            Operation::ReachError => {
                let name = self.program().function(context.function).name.clone();
                Err(Stop::Failure(FailureKind::ErrorCall, format!("{name}() was called")))
            }
            Operation::Misuse | Operation::Limit => {
                let text = self.memory.string(address(0), None).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                let misuse = context.operation == Operation::Misuse;
                Err(Stop::Failure(if misuse { FailureKind::LockMisuse } else { FailureKind::Unsupported }, text))
            }
            Operation::WrongCall => Err(self.function_at(address(0)).map_or_else(
                |stop| stop,
                |_| Stop::Failure(FailureKind::Unsupported, "a call with too few arguments".to_owned()),
            )),
            Operation::Nondet => Ok(to.map(|to| self.input(to.ty, chooser))),
            Operation::Malloc => self.allocated(thread, int(0), chooser),
            Operation::Calloc => {
                let size = int(0).saturating_mul(int(1));
                let result = self.allocated(thread, size, chooser)?;
                if let Some(Value::Int(base)) = result
                    && base != 0
                {
                    self.memory.write(base as u64, &vec![0; size as usize])?;
                    self.touch(thread, (base as u64, size as u64), true)?;
                }
                Ok(result)
            }
            Operation::Realloc => self.reallocate(thread, address(0), int(1), chooser),
            Operation::Free => {
                self.free(thread, address(0))?;
                Ok(None)
            }
            Operation::Alloca => {
                let size = u64::try_from(int(0)).unwrap_or(u64::MAX);
                let object = self.memory.allocate(stack_region(thread), size, 16, ObjectKind::Local)?;
                self.choose_content(object, chooser);
                self.frame_mut(thread).allocas.push(object);
                Ok(Some(self.address(object)))
            }
            Operation::Memcpy | Operation::Memmove => {
                let (to, from, size) = (address(0), address(1), address(2));
                if context.operation == Operation::Memcpy && to != from && to.abs_diff(from) < size {
                    return Err(Stop::Failure(FailureKind::Memory, "memcpy() of memory that overlaps".to_owned()));
                }
                self.memory.copy(address(0), address(1), address(2))?;
                self.touch(thread, (address(1), address(2)), false)?;
                self.touch(thread, (address(0), address(2)), true)?;
                Ok(Some(values[0]))
            }
            Operation::Memset => {
                let size = address(2);
                if size > 0 {
                    self.memory.check(address(0), size, true)?;
                    self.memory.write(address(0), &vec![int(1) as u8; size as usize])?;
                    self.touch(thread, (address(0), size), true)?;
                }
                Ok(Some(values[0]))
            }
            Operation::Memcmp => {
                if address(2) == 0 {
                    return zero;
                }
                self.memory.check(address(0), address(2), false)?;
                self.memory.check(address(1), address(2), false)?;
                self.touch(thread, (address(0), address(2)), false)?;
                self.touch(thread, (address(1), address(2)), false)?;
                for offset in 0..address(2) {
                    let left = self.read_raw(address(0) + offset, 1, chooser)?;
                    let right = self.read_raw(address(1) + offset, 1, chooser)?;
                    if left != right {
                        return Ok(Some(Value::Int(left as i128 - right as i128)));
                    }
                }
                zero
            }
            Operation::Math => {
                let name = &self.program().function(context.function).name;
                let numbers: Vec<f64> = values.iter().map(|value| value.as_float()).collect();
                math::apply(name, &numbers)
                    .map(|value| Some(Value::Float(value)))
                    .ok_or_else(|| Stop::Failure(FailureKind::Unsupported, format!("{name}() with too few arguments")))
            }
            Operation::AddOverflow | Operation::SubOverflow | Operation::MulOverflow => {
                self.overflow(context, (int(0), int(1)), address(2), chooser)
            }
            Operation::Printf
            | Operation::Fprintf
            | Operation::Sprintf
            | Operation::Snprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Vsprintf
            | Operation::Vsnprintf
            | Operation::Puts
            | Operation::Putchar
            | Operation::Fputs
            | Operation::Fputc => {
                let printed = self.print(context.operation, &values, chooser)?;
                self.touch_printed(context, &values)?;
                Ok(Some(printed))
            }
            Operation::ScanText => {
                let scanned = self.scan_text(address(0), address(1), &values[2..], chooser)?;
                self.touch_text(thread, address(0), false)?;
                self.touch_scanned(context, 2, &values)?;
                Ok(Some(scanned))
            }
            Operation::ScanStream => {
                let scanned = self.scan_input(address(1), &values[2..], chooser)?;
                self.touch_scanned(context, 2, &values)?;
                Ok(Some(scanned))
            }
            Operation::ScanInput => {
                let scanned = self.scan_input(address(0), &values[1..], chooser)?;
                self.touch_scanned(context, 1, &values)?;
                Ok(Some(scanned))
            }
            Operation::Exit => Err(Stop::Exit(int(0) as i32 & 0xff)),
            Operation::Abort => Err(Stop::Failure(FailureKind::Abort, "abort() was called".to_owned())),
            Operation::Unreachable => {
                Err(Stop::Failure(FailureKind::Unreachable, "__builtin_unreachable() was reached".to_owned()))
            }
            Operation::Fence => {
                let order = values.first().map_or(Order::SeqCst, |value| Order::of_constant(Some(value.as_int())));
                if let Some(races) = &mut self.races {
                    races.fence(thread, order);
                }
                zero
            }
            Operation::Nothing => {
                let name = &self.program().function(context.function).name;
                if self.record.is_some() && (name == operation::WAITS || name == operation::REACHES) {
                    self.happens(Event::Store { number: int(0) as u32, waits: name == operation::WAITS });
                }
                zero
            }
        }
    }

    /// A text that is read or written up to its end.
    fn touch_text(&mut self, thread: usize, address: u64, write: bool) -> Step<()> {
        let length = self.memory.string(address, None).map_or(0, |text| text.len() as u64 + 1);
        self.touch(thread, (address, length), write)
    }

    /// The texts that are printed, and the one that is printed into.
    fn touch_printed(&mut self, context: &Context, values: &[Value]) -> Step<()> {
        let texts = crate::il::printed_texts(&self.program().strings, context.operation, context.args);
        for index in texts {
            self.touch_text(context.thread, values[index].as_int() as u64, false)?;
        }
        match context.operation {
            Operation::Sprintf | Operation::Vsprintf | Operation::Snprintf | Operation::Vsnprintf
                if values[0].as_int() != 0 =>
            {
                self.touch_text(context.thread, values[0].as_int() as u64, true)
            }
            _ => Ok(()),
        }
    }

    /// What scanning wrote, as far as the types of the pointers tell.
    fn touch_scanned(&mut self, context: &Context, first: usize, values: &[Value]) -> Step<()> {
        for (arg, value) in context.args.iter().zip(values).skip(first) {
            if let Some(to) = self.program().types.pointee(arg.ty) {
                self.touch(context.thread, (value.as_int() as u64, self.size(to).max(1)), true)?;
            }
        }
        Ok(())
    }

    /// A value that the program takes from outside.
    pub(super) fn input(&mut self, ty: crate::il::TypeId, chooser: &mut dyn Chooser) -> Value {
        let value = self.any_value(ty, &mut |bits| chooser.input(bits));
        self.happens(Event::Input(self.shown(value, ty)));
        value
    }

    fn failed_assertion(&self, context: &Context) -> Stop {
        let frame = self.frame(context.thread);
        let function = self.program().function(frame.function);
        let text = crate::il::print::expr_text(self.program(), function, &context.args[0]);
        Stop::Failure(FailureKind::Assertion, text)
    }

    fn create(
        &mut self,
        creator: usize,
        id: u64,
        start: u64,
        (argument, detached): (Value, bool),
    ) -> Step<Option<Value>> {
        let function = self.function_at(start)?;
        let size = self.program().types.model.pointer_size();
        // Nobody is created if that fails.
        self.memory.write_uint(id, size, self.thread_count() as u64 + 1)?;
        let thread = self.new_thread();
        self.threads[thread].detached = detached;
        let args = vec![super::Datum::Scalar(argument)];
        if let Err(stop) = self.push_frame(thread, function, args, false, false) {
            self.threads.pop();
            return Err(stop);
        }
        self.newborn.push(thread);
        self.happens(Event::Creates(thread));
        // The id is there before the new thread begins: what `pthread_create` writes does not race with it.
        let written = self.touch(creator, (id, size), true);
        if let Some(races) = &mut self.races {
            races.creates(creator, thread);
        }
        written?;
        Ok(Some(Value::Int(0)))
    }

    fn thread_named(&self, id: i128) -> Step<usize> {
        let index = usize::try_from(id - 1).ok().filter(|index| *index < self.threads.len());
        index.ok_or_else(|| Stop::Failure(FailureKind::ThreadMisuse, "there is no thread with this id".to_owned()))
    }

    fn join(&mut self, context: &Context, id: i128, result: u64) -> Step<Option<Value>> {
        let target = self.thread_named(id)?;
        let misuse = |text: &str| Err(Stop::Failure(FailureKind::ThreadMisuse, text.to_owned()));
        if target == context.thread {
            return misuse("a thread joins itself");
        }
        if self.threads[target].joined {
            return misuse("a thread is joined that was joined before");
        }
        if self.threads[target].detached && target != 0 {
            return misuse("a detached thread is joined");
        }
        if self.threads[target].status == Status::Finished && !self.is_drained(target) {
            return Err(Stop::Blocked { by_assume: true, holder: None });
        }
        if self.threads[target].status != Status::Finished {
            return Err(Stop::Blocked { by_assume: false, holder: Some(target) });
        }
        self.threads[target].joined = true;
        self.happens(Event::Joins(target));
        if let Some(races) = &mut self.races {
            races.joins(context.thread, target);
        }
        if result != 0 {
            let value = self.threads[target].result;
            let size = match context.operation {
                Operation::JoinC11 => 4,
                _ => self.program().types.model.pointer_size(),
            };
            self.memory.write_uint(result, size, value.as_int() as u64)?;
            self.touch(context.thread, (result, size), true)?;
        }
        Ok(Some(Value::Int(0)))
    }

    fn detach(&mut self, id: i128) -> Step<Option<Value>> {
        let target = self.thread_named(id)?;
        if self.threads[target].detached || self.threads[target].joined {
            let text = "a thread is detached that was joined or detached before";
            return Err(Stop::Failure(FailureKind::ThreadMisuse, text.to_owned()));
        }
        self.threads[target].detached = true;
        Ok(Some(Value::Int(0)))
    }

    fn allocated(&mut self, thread: usize, size: i128, chooser: &mut dyn Chooser) -> Step<Option<Value>> {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        let again = self.given_again(size, chooser);
        let object = match again {
            Some(object) => {
                self.memory.revive(object, size);
                let base = self.memory.object(object).base;
                if let Some(races) = &mut self.races {
                    races.given_again(thread, base..base + size);
                }
                if self.touched.is_some() {
                    self.got_again.push(base..base + size);
                }
                object
            }
            None => self.memory.allocate(heap_region(thread), size, 16, ObjectKind::Heap)?,
        };
        self.happens(Event::Allocates { again: again.map(|object| self.memory.block_number(object)) });
        self.memory.object_mut(object).place = self.position(thread).1;
        self.choose_content(object, chooser);
        Ok(Some(self.address(object)))
    }

    /// Memory that was freed and that an allocation may give again: only where somebody can tell it from other memory,
    /// because its address is still known. `None` is other memory.
    fn given_again(&mut self, size: u64, chooser: &mut dyn Chooser) -> Option<ObjectId> {
        self.program().told.reuse?;
        let known = self.known_freed();
        let fits = |id: &ObjectId| self.memory.has_room(*id, size);
        let (mut blocks, others): (Vec<ObjectId>, Vec<ObjectId>) = known.into_iter().partition(fits);
        self.reuse_limited |= !others.is_empty();
        blocks.sort_unstable_by_key(|block| block.number());
        if blocks.is_empty() {
            return None;
        }
        let picked = chooser.pick(blocks.len() + 1);
        picked.checked_sub(1).map(|index| blocks[index])
    }

    fn free(&mut self, thread: usize, address: u64) -> Step<()> {
        if address == 0 {
            return Ok(());
        }
        let wrong = |text: &str| Err(Stop::Failure(FailureKind::Memory, text.to_owned()));
        let Some(id) = self.memory.find(address) else { return wrong("free() of an address that was never allocated") };
        let object = self.memory.object(id);
        if object.kind != ObjectKind::Heap || object.base != address {
            return wrong("free() of an address that malloc() did not return");
        }
        // Two threads that free the same memory race, and that comes before the second one fails.
        let (length, freed) = (object.bytes.len() as u64, object.life == Life::Freed);
        self.touch(thread, (address, length), true)?;
        if freed {
            return wrong("free() of memory that was freed before");
        }
        self.forget_stores(thread, address, length);
        self.memory.object_mut(id).life = Life::Freed;
        if let (Some(_), Some(races)) = (self.program().told.reuse, &mut self.races) {
            races.frees(thread, address);
        }
        self.happens(Event::Frees(format!("heap{}", self.memory.heap_number(id))));
        Ok(())
    }

    fn reallocate(&mut self, thread: usize, old: u64, size: i128, chooser: &mut dyn Chooser) -> Step<Option<Value>> {
        if old == 0 {
            return self.allocated(thread, size, chooser);
        }
        let Some(id) = self.memory.find(old) else {
            return Err(Stop::Failure(
                FailureKind::Memory,
                "realloc() of an address that was never allocated".to_owned(),
            ));
        };
        let length = self.memory.object(id).bytes.len() as u64;
        self.touch(thread, (old, length), true)?;
        let result = self.allocated(thread, size, chooser)?;
        if let Some(Value::Int(new)) = result {
            self.memory.copy(new as u64, old, length.min(size as u64))?;
        }
        self.free(thread, old)?;
        Ok(result)
    }

    fn overflow(
        &mut self,
        context: &Context,
        (a, b): (i128, i128),
        result: u64,
        chooser: &mut dyn Chooser,
    ) -> Step<Option<Value>> {
        let (wrapped, overflowed) = match context.operation {
            Operation::AddOverflow => a.overflowing_add(b),
            Operation::SubOverflow => a.overflowing_sub(b),
            _ => a.overflowing_mul(b),
        };
        let types = &self.program().types;
        let ty = types.pointee(context.args[2].ty).expect("the third argument is a pointer");
        let stored = arithmetic::wrap(types, wrapped, ty);
        self.write(result, ty, None, Value::Int(stored), chooser)?;
        self.touch(context.thread, (result, self.size(ty)), true)?;
        Ok(Some(Value::Int(i128::from(overflowed || stored != wrapped))))
    }
}
