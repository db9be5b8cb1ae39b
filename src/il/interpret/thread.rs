//! Starting a machine, taking units, calls and returns.

use super::code::Kind;
use super::eval::Where;
use super::memory::{Byte, CONSTANT_REGION, Life, Memory, ObjectId, ObjectKind, STATIC_REGION, stack_region};
use super::race::Race;
use super::shared::Shared;
use super::{
    Chooser, Code, Datum, Event, Executed, Failure, FailureKind, Frame, Machine, Status, Step, Stop, Thread, TraceStep,
    Unit,
};
use crate::il::arithmetic::Value;
use crate::il::leaves::scalars;
use crate::il::{
    Callee, Expr, FunctionId, FunctionKind, GlobalId, LocalId, Operation, Place, Stmt, StmtKind, Type, TypeId,
};
use rustc_hash::FxHashMap;

/// Calls nested deeper than this are taken for endless recursion.
const MAX_FRAMES: usize = 20_000;

/// What is recorded of a thread that goes on for ever.
const KEPT_OF_ENDLESS: usize = 100;

impl<'p> Machine<'p> {
    pub fn new(code: &'p Code<'p>) -> Machine<'p> {
        let program = code.program;
        let mut machine = Machine {
            code,
            memory: Memory::new(program.types.model),
            threads: Vec::new(),
            globals: Shared::new(vec![None; program.globals.len()]),
            strings: Shared::default(),
            functions: Shared::default(),
            standard_error: None,
            output: Vec::new(),
            error_output: Vec::new(),
            steps: 0,
            max_steps: u64::MAX,
            max_threads: usize::MAX,
            patience: None,
            creation_begins: false,
            left_alone: false,
            reuse_limited: false,
            buffers_limited: false,
            allow_spurious: true,
            exit_handlers_ran: false,
            newborn: Vec::new(),
            trace: None,
            record: None,
            races: None,
            quiet: None,
            loud: false,
            touched: None,
            got_again: Vec::new(),
        };
        machine.start().unwrap_or_else(|_| panic!("the static objects should fit the address space"));
        machine
    }

    fn start(&mut self) -> Step<()> {
        let program = self.program();
        for index in 0..program.functions.len() {
            let kind = ObjectKind::Function(FunctionId(index as u32));
            let object = self.memory.allocate(CONSTANT_REGION, 1, 16, kind)?;
            self.functions.push(object);
        }
        for literal in &program.strings {
            let unit = program.types.size(literal.unit);
            let size = unit * literal.units.len() as u64;
            let object = self.memory.allocate(CONSTANT_REGION, size, 16, ObjectKind::String)?;
            let bytes = literal.units.iter().flat_map(|value| value.to_le_bytes().into_iter().take(unit as usize));
            self.memory.object_mut(object).bytes = bytes.collect();
            self.strings.push(object);
        }
        for index in 0..program.globals.len() {
            let id = GlobalId(index as u32);
            if !program.globals[index].thread_local {
                self.globals[index] = Some(self.new_global(id, STATIC_REGION, ObjectKind::Global)?);
            }
        }
        self.new_thread();
        for index in 0..program.globals.len() {
            if let Some(object) = self.globals[index] {
                self.initialize_global(0, GlobalId(index as u32), object)?;
            }
        }
        let args = self.main_arguments()?;
        self.push_frame(0, program.main, args, false, false)
    }

    pub(super) fn new_global(&mut self, id: GlobalId, region: u32, kind: ObjectKind) -> Step<ObjectId> {
        let global = self.program().global(id);
        let size = self.size(global.ty) + self.flexible_extra(id);
        Ok(self.memory.allocate(region, size, global.align, kind)?)
    }

    /// A static struct may give its flexible array member elements.
    fn flexible_extra(&self, id: GlobalId) -> u64 {
        let global = self.program().global(id);
        let size = self.size(global.ty);
        let types = &self.program().types;
        let needed = global.init.iter().map(|part| {
            let (offset, ty, _) = types.path_offset(global.ty, &part.path);
            offset + self.size(ty)
        });
        needed.max().unwrap_or(0).saturating_sub(size)
    }

    pub(super) fn initialize_global(&mut self, thread: usize, id: GlobalId, object: ObjectId) -> Step<()> {
        let program = self.program();
        let global = program.global(id);
        if global.external {
            return self.initialize_external(id, object);
        }
        let base = self.memory.object(object).base;
        for part in &global.init {
            let (offset, ty, bits) = program.types.path_offset(global.ty, &part.path);
            let value = self.eval(thread, &part.value, &mut super::Zeros)?;
            self.write(base + offset, ty, bits, value, &mut super::Zeros)?;
        }
        Ok(())
    }

    /// The standard streams point somewhere; every other variable of a library holds any value.
    fn initialize_external(&mut self, id: GlobalId, object: ObjectId) -> Step<()> {
        let global = self.program().global(id);
        let pointer_size = self.program().types.model.pointer_size();
        if matches!(global.name.as_str(), "stdin" | "stdout" | "stderr") && self.size(global.ty) == pointer_size {
            let stream = self.memory.allocate(STATIC_REGION, 1, 16, ObjectKind::Global)?;
            let address = self.memory.object(stream).base;
            if global.name == "stderr" {
                self.standard_error = Some(address);
            }
            let base = self.memory.object(object).base;
            self.memory.write_uint(base, pointer_size, address)?;
        } else {
            let length = self.memory.object(object).bytes.len();
            self.memory.object_mut(object).known = vec![Byte::Open; length];
        }
        Ok(())
    }

    /// `argc` is 1 and `argv` holds the program's name.
    fn main_arguments(&mut self) -> Step<Vec<Datum>> {
        let program = self.program();
        let pointer_size = program.types.model.pointer_size();
        let mut args = Vec::new();
        for index in 0..program.function(program.main).params.len() {
            args.push(Datum::Scalar(Value::Int(match index {
                0 => 1,
                1 => {
                    let name = self.memory.allocate(STATIC_REGION, 8, 16, ObjectKind::Global)?;
                    self.memory.object_mut(name).bytes[..7].copy_from_slice(b"program");
                    let list = self.memory.allocate(STATIC_REGION, 2 * pointer_size, 16, ObjectKind::Global)?;
                    let (name, list) = (self.memory.object(name).base, self.memory.object(list).base);
                    self.memory.write_uint(list, pointer_size, name)?;
                    i128::from(list)
                }
                _ => 0,
            })));
        }
        Ok(args)
    }

    pub(super) fn new_thread(&mut self) -> usize {
        self.threads.push(Shared::new(Thread {
            frames: Vec::new(),
            status: Status::Running,
            result: Value::Int(0),
            atomic: 0,
            detached: false,
            joined: false,
            ending: false,
            thread_locals: FxHashMap::default(),
            holder: None,
            start: FunctionId(0),
            buffer: Default::default(),
        }));
        self.threads.len() - 1
    }

    // ---- units ----

    /// Takes one unit of a thread. If it is blocked, nothing changes.
    pub fn take_unit(&mut self, thread: usize, spurious: bool, chooser: &mut dyn Chooser) -> Unit {
        debug_assert_eq!(self.threads[thread].status, Status::Running);
        // What was noted is not copied: it only grows.
        let (trace, record) = (self.trace.take(), self.record.take());
        let snapshot = self.may_block(thread).then(|| self.clone());
        let noted = (trace.as_ref().map_or(0, Vec::len), record.as_ref().map_or(0, Vec::len));
        (self.trace, self.record) = (trace, record);
        let unit = self.try_unit(thread, spurious, chooser);
        if let Unit::Blocked { .. } = unit {
            let (mut trace, mut record) = (self.trace.take(), self.record.take());
            if let Some(snapshot) = snapshot {
                // It has looked, and waits then; a section has not begun.
                let looked = self.races.take().filter(|_| self.threads[thread].atomic == 0);
                *self = snapshot;
                if let (Some(looked), Some(races)) = (looked, &mut self.races) {
                    races.found = looked.found;
                }
            }
            trace.iter_mut().for_each(|trace| trace.truncate(noted.0));
            record.iter_mut().for_each(|record| record.truncate(noted.1));
            (self.trace, self.record) = (trace, record);
        }
        unit
    }

    /// The same for whoever throws the state away if the unit is blocked: it may have changed then.
    pub(super) fn try_unit(&mut self, thread: usize, spurious: bool, chooser: &mut dyn Chooser) -> Unit {
        let mut unit = self.advance(thread, true, spurious, chooser);
        while unit == Unit::Ran
            && let Some(child) = self.newborn.pop()
        {
            unit = self.advance(child, false, false, chooser);
        }
        match unit {
            // A section in which the thread fails has happened up to there.
            Unit::Failed(_) | Unit::Exit(_) => match (self.section_ends(), &unit) {
                (Err(Stop::Race(race)), _) => Unit::Failed(self.raced(*race)),
                (_, Unit::Exit(_)) if self.code.leaks || self.code.cleanup => match self.leak(thread) {
                    Some(leak) => {
                        self.threads[thread].status = Status::Finished;
                        Unit::Failed(leak)
                    }
                    None => unit,
                },
                _ => unit,
            },
            Unit::Ran | Unit::Blocked { .. } | Unit::OutOfSteps => unit,
        }
    }

    /// Runs a thread up to its next visible step; `first`: the step it stands at is taken even if it is visible.
    fn advance(&mut self, thread: usize, first: bool, spurious: bool, chooser: &mut dyn Chooser) -> Unit {
        let mut first = first;
        let starts_unit = first;
        let patience = self.patience.map_or(u64::MAX, |patience| self.steps.saturating_add(patience));
        let recorded = self.record.as_ref().map_or(0, Vec::len);
        loop {
            if self.threads[thread].status == Status::Finished {
                return self.after_end();
            }
            let frame = self.frame(thread);
            let instruction = &self.code.functions[frame.function.0 as usize].instructions[frame.pc];
            let visible = instruction.visible || (instruction.creates && self.creation_begins);
            if visible && !first && self.threads[thread].atomic == 0 {
                return Unit::Ran;
            }
            if self.steps >= patience {
                // Nobody else can run while an atomic section does not end.
                if self.threads[thread].atomic > 0 {
                    return Unit::OutOfSteps;
                }
                self.threads[thread].status = Status::Stuck;
                self.left_alone = true;
                // It goes on in the same way for ever, and nobody sees it.
                self.record.iter_mut().for_each(|record| record.truncate(recorded + KEPT_OF_ENDLESS));
                return Unit::Ran;
            }
            if self.steps >= self.max_steps || self.threads.len() > self.max_threads {
                return Unit::OutOfSteps;
            }
            self.steps += 1;
            self.loud |= self.quiet.is_some() && !self.is_quiet(thread);
            chooser.at(thread, instruction.origin, instruction.statement);
            self.note(thread, first);
            let step = match self.code.program.buffering {
                Some(_) => self.execute_with_buffer(thread, spurious, chooser),
                None => self.execute(thread, spurious, chooser),
            };
            match step {
                Ok(()) => {}
                Err(Stop::Exit(status)) => return Unit::Exit(status),
                Err(Stop::Failure(kind, message)) => {
                    let (_, span) = self.position(thread);
                    return Unit::Failed(Failure {
                        kind,
                        message,
                        thread,
                        span,
                        race: None,
                        waits: Vec::new(),
                        stuck: Vec::new(),
                    });
                }
                Err(Stop::Race(race)) => return Unit::Failed(self.raced(*race)),
                Err(Stop::Blocked { by_assume, holder }) => {
                    if first || (starts_unit && self.threads[thread].atomic > 0) {
                        return Unit::Blocked { by_assume, holder };
                    }
                    // It depends on private values only: this thread goes no further, and has not done this.
                    self.record.iter_mut().for_each(|record| {
                        record.pop();
                    });
                    self.threads[thread].status = if by_assume { Status::Stuck } else { Status::Waiting };
                    self.threads[thread].holder = holder;
                    return Unit::Ran;
                }
            }
            first = false;
        }
    }

    /// Does the next instruction of a thread make no difference to others, nor they to it? Inside of a library function,
    /// what others may see of it is told by the call.
    pub(super) fn is_quiet(&self, thread: usize) -> bool {
        let Some(quiet) = self.quiet else { return false };
        let is_user = |frame: &Frame| matches!(self.program().function(frame.function).kind, FunctionKind::Defined);
        let at = |frame: &Frame| (quiet[frame.function.0 as usize][frame.pc], self.instruction_of(frame).visible);
        let frames = &self.threads[thread].frames;
        let Some((last, outer)) = frames.split_last() else { return false };
        match at(last) {
            (here, _) if is_user(last) => here.itself,
            (here, false) if here.itself => true,
            _ => outer.iter().rev().find(|frame| is_user(frame)).is_some_and(|frame| at(frame).0.inside),
        }
    }

    fn instruction_of(&self, frame: &Frame) -> &super::code::Instruction<'p> {
        &self.code.functions[frame.function.0 as usize].instructions[frame.pc]
    }

    /// The failure of two accesses that race.
    pub fn raced(&self, race: Race) -> Failure {
        let message = super::race::message(self.program(), &race);
        let (thread, span) = (race.second.thread, race.second.span);
        Failure {
            kind: FailureKind::Race,
            message,
            thread,
            span,
            race: Some(Box::new(race)),
            waits: Vec::new(),
            stuck: Vec::new(),
        }
    }

    /// Every thread has ended: so has the process.
    fn after_end(&self) -> Unit {
        if self.threads.iter().all(|thread| thread.status == Status::Finished) {
            return Unit::Exit(0);
        }
        Unit::Ran
    }

    fn note(&mut self, thread: usize, first: bool) {
        if self.record.is_some() {
            let (user_function, span) = self.position(thread);
            let frame = self.frame(thread);
            let function = frame.function;
            let instruction = &self.code.functions[function.0 as usize].instructions[frame.pc];
            let (origin, visible) = (instruction.origin, instruction.visible);
            let executed =
                Executed { thread, origin, function, span, user_function, begins: first, visible, events: Vec::new() };
            self.record.iter_mut().for_each(|record| record.push(executed.clone()));
        }
        if self.trace.is_none() {
            return;
        }
        let (function, span) = self.position(thread);
        let frame = self.frame(thread);
        let visible = self.code.functions[frame.function.0 as usize].instructions[frame.pc].visible;
        let trace = self.trace.as_mut().expect("checked above");
        // Several steps of one line in a row tell nothing new.
        let repeated = trace.last().is_some_and(|last| last.thread == thread && last.span == span);
        if first || (visible && !repeated) {
            trace.push(TraceStep { thread, function, span, visible });
        }
    }

    /// Can the coming unit turn out to be impossible after it has changed something?
    fn may_block(&self, thread: usize) -> bool {
        let frame = self.frame(thread);
        let instruction = &self.code.functions[frame.function.0 as usize].instructions[frame.pc];
        let Kind::Statement(Stmt { kind: StmtKind::Call { callee, .. }, .. }) = instruction.kind else { return false };
        match callee {
            Callee::Function(id) => {
                let function = self.program().function(*id);
                // In bounded programs a call of the library's model is one step.
                let model = matches!(function.kind, FunctionKind::Model);
                model || function.atomic || self.program().operation(callee) == Some(Operation::AtomicBegin)
            }
            Callee::Pointer(_) => true,
        }
    }

    pub(super) fn execute(&mut self, thread: usize, spurious: bool, chooser: &mut dyn Chooser) -> Step<()> {
        let code = self.code;
        let frame = self.frame(thread);
        let (function, pc) = (frame.function, frame.pc);
        match &code.functions[function.0 as usize].instructions[pc].kind {
            Kind::Statement(stmt) => return self.statement(thread, stmt, spurious, chooser),
            Kind::Branch(condition, target) => {
                let holds = self.eval(thread, condition, chooser)?.is_true();
                self.frame_mut(thread).pc = if holds { pc + 1 } else { *target };
            }
            Kind::Jump(target) => self.frame_mut(thread).pc = *target,
            Kind::Scope { ends, begins } => {
                self.set_life(thread, ends, Life::OutOfScope);
                self.set_life(thread, begins, Life::Alive);
                self.frame_mut(thread).pc = pc + 1;
            }
            Kind::Return(value) => {
                let datum = match value {
                    Some(value) => self.datum(thread, value, chooser)?,
                    None => Datum::Undefined,
                };
                return self.leave(thread, datum, chooser);
            }
        }
        Ok(())
    }

    fn set_life(&mut self, thread: usize, locals: &[LocalId], life: Life) {
        for local in locals {
            if let Some(object) = self.frame(thread).objects[local.0 as usize] {
                let (base, size) = (self.memory.object(object).base, self.memory.object(object).bytes.len() as u64);
                self.forget_stores(thread, base, size);
                let object = self.memory.object_mut(object);
                object.life = life;
                object.known.fill(Byte::Open);
            }
        }
    }

    fn statement(&mut self, thread: usize, stmt: &'p Stmt, spurious: bool, chooser: &mut dyn Chooser) -> Step<()> {
        match &stmt.kind {
            StmtKind::Declare(local) => {
                self.set_life(thread, &[*local], Life::Alive);
                self.frame_mut(thread).registers[local.0 as usize] = None;
                let ty = self.program().function(self.frame(thread).function).locals[local.0 as usize].ty;
                if self.program().types.is_scalar(ty)
                    && let Some(bits) = chooser.initial()
                {
                    let place = Place::local(*local, ty);
                    let value = self.any_value(ty, &mut |_| bits);
                    self.store(thread, &place, Datum::Scalar(value), chooser)?;
                    self.note_settled(thread, &place, bits, value);
                } else if let Some(object) = self.frame(thread).objects[local.0 as usize] {
                    self.choose_content(object, chooser);
                    self.choose_scalars(thread, Place::local(*local, ty), object, chooser)?;
                }
            }
            StmtKind::Assign { to, value } => {
                let datum = self.datum(thread, value, chooser)?;
                self.store(thread, to, datum, chooser)?;
            }
            StmtKind::Call { to, callee, args } => {
                return self.call(thread, to.as_ref(), callee, args, spurious, chooser);
            }
            StmtKind::VaStart(list) => {
                let arguments = self.frame(thread).variable_arguments;
                let address = arguments.map_or(Value::Int(0), |object| self.address(object));
                self.store(thread, list, Datum::Scalar(address), chooser)?;
            }
            StmtKind::VaArg { to, list } => {
                let datum = self.next_argument(thread, to, list, chooser)?;
                self.store(thread, to, datum, chooser)?;
            }
            StmtKind::VaCopy { to, from } => {
                let value = self.eval(thread, &Expr::load(from.clone()), chooser)?;
                self.store(thread, to, Datum::Scalar(value), chooser)?;
            }
            StmtKind::VaEnd(_) => {}
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_) => unreachable!("control flow should be flattened"),
        }
        self.frame_mut(thread).pc += 1;
        Ok(())
    }

    fn next_argument(&mut self, thread: usize, to: &Place, list: &Place, chooser: &mut dyn Chooser) -> Step<Datum> {
        let at = self.eval(thread, &Expr::load(list.clone()), chooser)?.as_int() as u64;
        let size = self.size(to.ty);
        let datum = if self.program().types.record_id(to.ty).is_some() {
            let (bytes, known) = self.memory.read_parts(at, size)?;
            Datum::Bytes(bytes, known)
        } else {
            Datum::Scalar(self.read(at, to.ty, None, chooser)?)
        };
        let next = Value::Int(i128::from(at + size.next_multiple_of(8)));
        self.store(thread, list, Datum::Scalar(next), chooser)?;
        Ok(datum)
    }

    // ---- calls ----

    fn call(
        &mut self,
        thread: usize,
        to: Option<&'p Place>,
        callee: &'p Callee,
        args: &'p [Expr],
        spurious: bool,
        chooser: &mut dyn Chooser,
    ) -> Step<()> {
        let target = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let address = self.eval(thread, pointer, chooser)?.as_int() as u64;
                self.function_at(address)?
            }
        };
        let function = self.program().function(target);
        match function.kind {
            FunctionKind::Operation(operation) => {
                let context = super::operations::Context { thread, operation, args, spurious, function: target };
                match to {
                    // A whole object of any value.
                    Some(to) if operation == Operation::Nondet && !self.program().types.is_scalar(to.ty) => {
                        self.any_object(thread, to, chooser)?;
                    }
                    _ => {
                        let result = self.operation(&context, to, chooser)?;
                        if let (Some(to), Some(value)) = (to, result) {
                            self.store(thread, to, Datum::Scalar(value), chooser)?;
                        }
                    }
                }
                // The end of a thread has dropped the calling frame.
                if operation != Operation::ThreadExit {
                    self.frame_mut(thread).pc += 1;
                }
                Ok(())
            }
            FunctionKind::External => {
                for arg in args {
                    self.datum(thread, arg, chooser)?;
                }
                if let Some(to) = to {
                    if self.program().types.pointee(to.ty).is_some() {
                        let text = format!("what `{}` returns a pointer to: it has no body", function.name);
                        return Err(Stop::Failure(FailureKind::Unsupported, text));
                    }
                    if self.program().types.is_scalar(to.ty) {
                        let value = self.input(to.ty, chooser);
                        self.store(thread, to, Datum::Scalar(value), chooser)?;
                    } else {
                        self.any_object(thread, to, chooser)?;
                    }
                }
                self.frame_mut(thread).pc += 1;
                Ok(())
            }
            FunctionKind::Defined | FunctionKind::Model => {
                let mut data = Vec::new();
                for arg in args {
                    data.push((self.datum(thread, arg, chooser)?, arg.ty));
                }
                let count = function.params.len();
                let extra = self.variable_arguments(thread, target, &data[count.min(data.len())..])?;
                let data: Vec<Datum> = data.into_iter().take(count).map(|(datum, _)| datum).collect();
                if matches!(function.kind, FunctionKind::Model) && self.record.is_some() {
                    let shown = |(datum, arg): (&Datum, &Expr)| match datum {
                        Datum::Scalar(value) => self.shown(*value, arg.ty),
                        Datum::Bytes(..) | Datum::Undefined => String::new(),
                    };
                    let values = data.iter().zip(args).map(shown).collect();
                    self.happens(Event::Calls(target, values));
                }
                self.push_frame(thread, target, data, to.is_some(), false)?;
                self.frame_mut(thread).variable_arguments = extra;
                Ok(())
            }
        }
    }

    /// Gives a whole object any value.
    fn any_object(&mut self, thread: usize, to: &Place, chooser: &mut dyn Chooser) -> Step<()> {
        self.store(thread, to, Datum::Undefined, chooser)?;
        let Where::Memory(address, _) = self.locate(thread, to, chooser)? else { return Ok(()) };
        let size = self.size(to.ty);
        if let Some(mut bytes) = chooser.content(size as usize) {
            bytes.resize(size as usize, 0);
            self.memory.write(address, &bytes)?;
            self.set_known(address, &vec![Byte::Chosen; size as usize])?;
        }
        Ok(())
    }

    /// What an object holds that nobody wrote yet, if that is known.
    pub(super) fn choose_content(&mut self, object: ObjectId, chooser: &mut dyn Chooser) {
        let size = self.memory.object(object).bytes.len();
        if let Some(bytes) = chooser.content(size) {
            self.memory.choose(object, &bytes);
        }
    }

    /// The same where the values of its scalars are known, one by one.
    fn choose_scalars(&mut self, thread: usize, place: Place, object: ObjectId, chooser: &mut dyn Chooser) -> Step<()> {
        let Some(first) = chooser.initial() else { return Ok(()) };
        let mut first = Some(first);
        let leaves = scalars(&mut self.program().types.clone(), place);
        for leaf in leaves {
            if self.program().types.is_scalar(leaf.ty) {
                // One for each: those after these belong to the next time.
                let bits = first.take().or_else(|| chooser.initial()).unwrap_or(0);
                let value = self.any_value(leaf.ty, &mut |_| bits);
                self.store(thread, &leaf, Datum::Scalar(value), chooser)?;
            }
        }
        for byte in &mut self.memory.object_mut(object).known {
            if *byte == Byte::Written {
                *byte = Byte::Chosen;
            }
        }
        Ok(())
    }

    pub(super) fn function_at(&self, address: u64) -> Step<FunctionId> {
        let found = self.memory.find(address).map(|id| self.memory.object(id));
        match found {
            Some(object) if object.base == address => match object.kind {
                ObjectKind::Function(id) => return Ok(id),
                ObjectKind::Global
                | ObjectKind::ThreadLocal
                | ObjectKind::Local
                | ObjectKind::Heap
                | ObjectKind::String
                | ObjectKind::VariableArguments => {}
            },
            _ => {}
        }
        let text =
            if address == 0 { "a null function pointer is called" } else { "a pointer that is no function is called" };
        Err(Stop::Failure(FailureKind::Memory, text.to_owned()))
    }

    /// The arguments beyond the parameters, one after the other in slots of 8 bytes.
    fn variable_arguments(
        &mut self,
        thread: usize,
        target: FunctionId,
        extra: &[(Datum, TypeId)],
    ) -> Step<Option<ObjectId>> {
        let types = &self.program().types;
        let variadic = types.function_type(self.program().function(target).ty).is_some_and(|ty| ty.variadic);
        if !variadic {
            return Ok(None);
        }
        let size: u64 = extra.iter().map(|(_, ty)| types.size(*ty).next_multiple_of(8)).sum();
        let object = self.memory.allocate(stack_region(thread), size, 16, ObjectKind::VariableArguments)?;
        let mut at = self.memory.object(object).base;
        for (datum, ty) in extra {
            match datum {
                Datum::Scalar(value) => self.write(at, *ty, None, *value, &mut super::Zeros)?,
                Datum::Bytes(bytes, known) => {
                    self.memory.write(at, bytes)?;
                    self.set_known(at, known)?;
                }
                Datum::Undefined => {}
            }
            at += self.size(*ty).next_multiple_of(8);
        }
        Ok(Some(object))
    }

    pub(super) fn push_frame(
        &mut self,
        thread: usize,
        function: FunctionId,
        args: Vec<Datum>,
        wants_result: bool,
        is_hook: bool,
    ) -> Step<()> {
        if self.threads[thread].frames.len() >= MAX_FRAMES {
            let text = format!("calls nested more than {MAX_FRAMES} deep");
            return Err(Stop::Failure(FailureKind::Unsupported, text));
        }
        let program = self.program();
        let body = program.function(function);
        if self.threads[thread].frames.is_empty() && !is_hook {
            self.threads[thread].start = function;
        }
        let stack_mark = self.memory.region_length(stack_region(thread));
        let mut objects = vec![None; body.locals.len()];
        for (index, local) in body.locals.iter().enumerate() {
            if self.in_memory(function, LocalId(index as u32)) {
                let size = self.size(local.ty);
                let object = self.memory.allocate(stack_region(thread), size, local.align, ObjectKind::Local)?;
                objects[index] = Some(object);
            }
        }
        self.threads[thread].frames.push(Shared::new(Frame {
            function,
            pc: 0,
            registers: vec![None; body.locals.len()],
            objects: Shared::new(objects),
            allocas: Vec::new(),
            stack_mark,
            variable_arguments: None,
            wants_result,
            is_hook,
        }));
        if body.atomic {
            self.threads[thread].atomic += 1;
            if let Some(races) = self.races.as_mut().filter(|_| self.threads[thread].atomic == 1) {
                races.section_begins();
            }
        }
        for (param, datum) in body.params.iter().zip(args) {
            let ty = body.locals[param.0 as usize].ty;
            // Calls through unprototyped pointers pass promoted values.
            let datum = match datum {
                Datum::Scalar(value) => Datum::Scalar(self.as_parameter(value, ty)),
                other => other,
            };
            self.store(thread, &Place::local(*param, ty), datum, &mut super::Zeros)?;
        }
        Ok(())
    }

    fn as_parameter(&self, value: Value, ty: TypeId) -> Value {
        let types = &self.program().types;
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) => crate::il::arithmetic::convert(types, value, ty),
            _ => value,
        }
    }

    fn drop_frame(&mut self, thread: usize) -> Step<Shared<Frame>> {
        let frame = self.threads[thread].frames.pop().expect("a frame is left");
        let dead = frame.objects.iter().flatten().chain(&frame.allocas).chain(&frame.variable_arguments);
        for object in dead {
            let (base, size) = (self.memory.object(*object).base, self.memory.object(*object).bytes.len() as u64);
            self.forget_stores(thread, base, size);
            self.memory.object_mut(*object).life = Life::OutOfScope;
        }
        self.memory.trim_stack(stack_region(thread), frame.stack_mark);
        if self.program().function(frame.function).atomic {
            self.threads[thread].atomic -= 1;
            if self.threads[thread].atomic == 0 {
                self.section_ends()?;
            }
        }
        Ok(frame)
    }

    /// Returns from the current function, perhaps from the last one of the thread.
    fn leave(&mut self, thread: usize, datum: Datum, chooser: &mut dyn Chooser) -> Step<()> {
        let frame = self.drop_frame(thread)?;
        if frame.is_hook {
            return self.after_hook(thread);
        }
        if self.threads[thread].ending && Some(frame.function) == self.program().thread_end {
            let result = self.threads[thread].result;
            return self.end_thread(thread, result);
        }
        if self.threads[thread].frames.is_empty() {
            let value = match datum {
                Datum::Scalar(value) => value,
                Datum::Bytes(..) | Datum::Undefined => Value::Int(0),
            };
            return self.end_thread(thread, value);
        }
        if matches!(self.program().function(frame.function).kind, FunctionKind::Model) {
            let value = match &datum {
                Datum::Scalar(value) => Some(*value),
                Datum::Bytes(..) | Datum::Undefined => None,
            };
            self.happens(Event::Returns(frame.function, value));
        }
        let code = self.code;
        let caller = self.frame(thread);
        let instruction = &code.functions[caller.function.0 as usize].instructions[caller.pc];
        if let Kind::Statement(Stmt { kind: StmtKind::Call { to: Some(to), .. }, .. }) = &instruction.kind
            && frame.wants_result
        {
            self.store(thread, to, datum, chooser)?;
        }
        self.frame_mut(thread).pc += 1;
        Ok(())
    }

    /// The thread's start function is over: hooks first, then the thread (for `main`: the process) ends.
    pub(super) fn end_thread(&mut self, thread: usize, result: Value) -> Step<()> {
        while !self.threads[thread].frames.is_empty() {
            self.drop_frame(thread)?;
        }
        let program = self.program();
        self.threads[thread].atomic = 0;
        if std::mem::replace(&mut self.threads[thread].ending, true) {
            return self.after_hook(thread);
        }
        self.threads[thread].result = result;
        let ends_process = thread == 0 && !self.threads[thread].detached;
        match if ends_process { program.at_exit } else { program.thread_end } {
            Some(hook) => self.push_frame(thread, hook, Vec::new(), false, true),
            None => self.after_hook(thread),
        }
    }

    fn after_hook(&mut self, thread: usize) -> Step<()> {
        // `main` that returned (and did not call pthread_exit) ends the process.
        if thread == 0 && !self.threads[0].detached {
            return Err(Stop::Exit(self.threads[0].result.as_int() as i32 & 0xff));
        }
        let last =
            (0..self.threads.len()).all(|other| other == thread || self.threads[other].status == Status::Finished);
        if let (true, false, Some(hook)) = (last, self.exit_handlers_ran, self.program().at_exit) {
            self.exit_handlers_ran = true;
            // The process ends after all of its threads: their ends happen before the handlers.
            if let Some(races) = &mut self.races {
                (0..self.threads.len()).filter(|other| *other != thread).for_each(|other| races.joins(thread, other));
            }
            return self.push_frame(thread, hook, Vec::new(), false, true);
        }
        self.threads[thread].status = Status::Finished;
        self.happens(Event::Ends);
        for object in std::mem::take(&mut self.threads[thread].thread_locals).into_values() {
            self.memory.object_mut(object).life = Life::OutOfScope;
        }
        Ok(())
    }

    /// `pthread_exit` in `main` ends only that thread; `detached` doubles as the mark of it.
    pub(super) fn exit_thread(&mut self, thread: usize, result: Value) -> Step<()> {
        if thread == 0 {
            self.threads[0].detached = true;
        }
        // Handlers may use the locals of the functions that the thread is in.
        let state = &mut self.threads[thread];
        match self.code.program.thread_end {
            Some(hook) if state.atomic == 0 && !state.ending => {
                (state.ending, state.result) = (true, result);
                self.push_frame(thread, hook, Vec::new(), false, true)
            }
            _ => self.end_thread(thread, result),
        }
    }
}
