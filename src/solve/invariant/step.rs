//! One step: executes a thread symbolically from a location up to the next ones, along every way there is.
//!
//! A way ends before whatever others may see or influence, at the head of a loop, and before everything that may stop a
//! thread: what it wrote until then is seen even if it goes no further. More such places are never wrong.

use super::flow::{Birth, Cell, ContextId, Copy, Failing, Flow, ITSELF, Location, MANY, Path, Register, Site, What};
use super::word::{self, Word};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::interpret::FailureKind;
use crate::il::interpret::code::{Instruction, Kind};
use crate::il::types::Bits;
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, LocalId, Operation, Place, Projection, Stmt,
    StmtKind, Type, TypeId, printed_texts, uncast,
};
use crate::solve::formula::bits;
use crate::solve::formula::gates::{FALSE, Lit, TRUE};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where a thread is in the middle of a step, and what it has done so far.
#[derive(Clone)]
pub(super) struct Now {
    pub(super) copy: Copy,
    pub(super) kind: usize,
    pub(super) context: ContextId,
    pub(super) pc: usize,
    pub(super) atomic: u32,
    pub(super) guard: Lit,
    pub(super) memory: FxHashMap<usize, Rc<Word>>,
    pub(super) registers: FxHashMap<Register, Rc<Word>>,
    /// Calls that began in this step: their variables hold anything.
    pub(super) entered: Vec<ContextId>,
    pub(super) births: Vec<Birth>,
    pub(super) first: bool,
    pub(super) from: usize,
    pub(super) span: Span,
}

/// Where a place is.
enum Where {
    Register(Register),
    Memory {
        /// Object, first bit, and when it is this one.
        choices: Vec<(usize, usize, Lit)>,
        /// Of what is kept there, in bits.
        width: usize,
    },
}

const MOST_INSTRUCTIONS: usize = 20_000;
const MOST_PATHS: usize = 1_000;
const MOST_CHOICES: usize = 2_000;
/// If a pointer may point to more objects, their parts are not spoken of.
const MOST_NAMED: usize = 4;

impl<'p> Flow<'p> {
    /// Every way on from a location. What fails on the way is noted if the thread is the one that is looked at.
    pub fn step(&mut self, copy: Copy, from: usize) -> Result<Vec<Path>> {
        let Location { kind, context, pc, atomic } = self.locations[from];
        let mut open = vec![Now {
            copy,
            kind,
            context,
            pc,
            atomic,
            guard: TRUE,
            memory: FxHashMap::default(),
            registers: FxHashMap::default(),
            entered: Vec::new(),
            births: Vec::new(),
            first: true,
            from,
            span: Span::default(),
        }];
        let (mut paths, mut count) = (Vec::new(), 0);
        while let Some(mut now) = self.take_first(&mut open) {
            if now.guard == FALSE {
                continue;
            }
            count += 1;
            if count > MOST_INSTRUCTIONS || paths.len() + open.len() > MOST_PATHS {
                return self.refuse(&now, "so many ways from one step to the next");
            }
            let function = self.contexts[now.context.0 as usize].function;
            let code = self.code;
            let instruction = &code.functions[function.0 as usize].instructions[now.pc];
            if !now.first && self.ends_step(&now, function, instruction) {
                let Now { kind, context, pc, atomic, .. } = now;
                let target = self.location(Location { kind, context, pc, atomic })?;
                self.arrive(&mut now, target);
                paths.push(finished(now, Some(target)));
                continue;
            }
            now.first = false;
            if instruction.span != Span::default() {
                now.span = instruction.span;
            }
            match self.instruction(&mut now, instruction, &mut open)? {
                Goes::On => open.push(now),
                Goes::Ends => paths.push(finished(now, None)),
                Goes::Nowhere => {}
            }
        }
        paths.append(&mut self.standing);
        Ok(paths)
    }

    pub(super) fn refuse<T>(&self, now: &impl HasSpan, what: &str) -> Result<T> {
        Err(Diagnostic::unsupported(now.span(), format!("{what}, in proofs by invariants")))
    }

    /// May something happen before this instruction that matters?
    fn ends_step(&self, now: &Now, function: FunctionId, instruction: &Instruction) -> bool {
        if self.is_loop_head(function, now.pc) {
            return true;
        }
        if now.atomic > 0 {
            return false;
        }
        let quiet = self.is_quiet(now.context, now.pc);
        let unlock = self.is_quiet_unlock(now.context, now.pc);
        let stops = match &instruction.kind {
            Kind::Statement(Stmt { kind: StmtKind::Call { callee, .. }, .. }) => match callee {
                Callee::Function(id) if self.program.function(*id).atomic => !unlock,
                Callee::Function(_) => match self.program.operation(callee) {
                    Some(Operation::AtomicBegin) => !unlock,
                    operation => matches!(
                        operation,
                        Some(
                            Operation::Assume
                                | Operation::Await
                                | Operation::AwaitSpurious
                                | Operation::Exit
                                | Operation::Abort
                                | Operation::Join
                                | Operation::JoinC11
                        )
                    ),
                },
                Callee::Pointer(_) => true,
            },
            // The process ends with `main`.
            Kind::Return(_) => self.kinds[now.kind].root == now.context && now.kind == 0,
            Kind::Statement(_) | Kind::Branch(..) | Kind::Jump(_) | Kind::Scope { .. } => false,
        };
        stops || instruction.visible && !quiet || instruction.creates
    }

    /// What was called in this step holds anything where nothing was written.
    fn arrive(&mut self, now: &mut Now, target: usize) {
        for register in self.live_registers(&self.locations[target].clone()) {
            if now.entered.contains(&register.0) && !now.registers.contains_key(&register) {
                let word = self.fresh(word::width(&self.program.types, self.local_type(register)));
                now.registers.insert(register, Rc::new(word));
            }
        }
    }

    fn instruction(&mut self, now: &mut Now, instruction: &'p Instruction<'p>, open: &mut Vec<Now>) -> Result<Goes> {
        match &instruction.kind {
            Kind::Branch(condition, target) => {
                let condition = self.condition(now, condition, TRUE)?;
                let (yes, no) = (self.gates.and(now.guard, condition), self.gates.and(now.guard, -condition));
                if yes != FALSE && no != FALSE {
                    let mut other = now.clone();
                    (other.guard, other.pc) = (no, *target);
                    open.push(other);
                }
                (now.guard, now.pc) = if yes == FALSE { (no, *target) } else { (yes, now.pc + 1) };
                Ok(Goes::On)
            }
            Kind::Jump(target) => {
                now.pc = *target;
                Ok(Goes::On)
            }
            Kind::Scope { ends, begins } => {
                for (locals, exists) in [(ends, FALSE), (begins, TRUE)] {
                    for local in locals {
                        self.set_existence(now, *local, exists);
                    }
                }
                now.pc += 1;
                Ok(Goes::On)
            }
            Kind::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(now, value, TRUE)?),
                    None => None,
                };
                self.leave(now, value)
            }
            Kind::Statement(stmt) => self.statement(now, stmt, open),
        }
    }

    fn set_existence(&mut self, now: &mut Now, local: LocalId, exists: Lit) {
        let Some((object, bit)) = self.contexts[now.context.0 as usize].objects.get(&local).copied() else { return };
        let word = self.fresh(self.objects[object].width);
        now.memory.insert(object, Rc::new(word));
        now.memory.insert(bit, Rc::new(vec![exists]));
    }

    fn statement(&mut self, now: &mut Now, stmt: &'p Stmt, open: &mut Vec<Now>) -> Result<Goes> {
        match &stmt.kind {
            StmtKind::Declare(local) => {
                if self.contexts[now.context.0 as usize].objects.contains_key(local) {
                    self.set_existence(now, *local, TRUE);
                } else {
                    let register = (now.context, *local);
                    let word = self.fresh(word::width(&self.program.types, self.local_type(register)));
                    now.registers.insert(register, Rc::new(word));
                }
                now.pc += 1;
                Ok(Goes::On)
            }
            StmtKind::Assign { to, value } => {
                let value = self.eval(now, value, TRUE)?;
                self.store(now, to, &value)?;
                now.pc += 1;
                Ok(Goes::On)
            }
            StmtKind::Call { to, callee, args } => self.call(now, (to.as_ref(), callee, args), open),
            StmtKind::VaStart(_) | StmtKind::VaArg { .. } | StmtKind::VaCopy { .. } | StmtKind::VaEnd(_) => {
                self.refuse(now, "lists of arguments")
            }
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_) => unreachable!("these are jumps in the code"),
        }
    }

    // ---- calls ----

    fn call(
        &mut self,
        now: &mut Now,
        (to, callee, args): (Option<&'p Place>, &'p Callee, &'p [Expr]),
        open: &mut Vec<Now>,
    ) -> Result<Goes> {
        let called = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let address = self.eval(now, pointer, TRUE)?;
                let function = self.contexts[now.context.0 as usize].function;
                let mut possible = Vec::new();
                for id in self.points_to.callees(function, callee) {
                    let base = self.objects[self.function_object(id)].base;
                    let same = word::equal(&mut self.gates, &address, &word::constant(base.into(), address.len()));
                    possible.push((id, same));
                }
                let any = possible.iter().fold(FALSE, |any, (_, same)| self.gates.or(any, *same));
                self.must(now, TRUE, any, FailureKind::Memory);
                possible.retain(|(_, same)| *same != FALSE);
                let Some((first, others)) = possible.split_first() else { return Ok(Goes::Nowhere) };
                for (id, same) in others {
                    let mut other = now.clone();
                    other.guard = self.gates.and(other.guard, *same);
                    match self.call_of(&mut other, *id, to, args)? {
                        Goes::On => open.push(other),
                        Goes::Ends | Goes::Nowhere => {
                            return self.refuse(now, "a pointer to a function that does not return");
                        }
                    }
                }
                now.guard = self.gates.and(now.guard, first.1);
                first.0
            }
        };
        self.call_of(now, called, to, args)
    }

    fn call_of(&mut self, now: &mut Now, called: FunctionId, to: Option<&'p Place>, args: &'p [Expr]) -> Result<Goes> {
        let function = self.program.function(called);
        match function.kind {
            FunctionKind::Operation(operation) => self.operation(now, operation, to, args),
            FunctionKind::External => {
                for arg in args {
                    self.eval(now, arg, TRUE)?;
                }
                self.any_result(now, to)?;
                now.pc += 1;
                Ok(Goes::On)
            }
            FunctionKind::Defined | FunctionKind::Model => {
                // Nobody looks at more than the parameters, as lists of arguments are refused.
                let count = function.params.len();
                let ty = self.program.types.get(function.ty);
                let variadic = matches!(ty, Type::Function(ty) if ty.variadic);
                if args.len() < count || args.len() > count && !variadic {
                    return self.refuse(now, "a call with another number of arguments");
                }
                for more in &args[count..] {
                    self.eval(now, more, TRUE)?;
                }
                let mut values = Vec::new();
                for (arg, param) in args.iter().zip(&function.params) {
                    let value = self.eval(now, arg, TRUE)?;
                    if value.len() != word::width(&self.program.types, function.locals[param.0 as usize].ty) {
                        return self.refuse(now, "a call with an argument of another size");
                    }
                    values.push(value);
                }
                let context = self.context(Some((now.context, now.pc)), called, now.kind)?;
                now.registers.retain(|(of, _), _| *of != context);
                now.entered.push(context);
                let objects: Vec<(usize, usize)> =
                    self.contexts[context.0 as usize].objects.values().copied().collect();
                for (object, exists) in objects {
                    let word = self.fresh(self.objects[object].width);
                    now.memory.insert(object, Rc::new(word));
                    now.memory.insert(exists, Rc::new(vec![TRUE]));
                }
                for (param, value) in function.params.iter().zip(values) {
                    match self.contexts[context.0 as usize].objects.get(param).copied() {
                        Some((object, _)) => now.memory.insert(object, Rc::new(value)),
                        None => {
                            self.gets((context, *param), &value);
                            now.registers.insert((context, *param), Rc::new(value))
                        }
                    };
                }
                (now.context, now.pc) = (context, 0);
                now.atomic += u32::from(function.atomic);
                Ok(Goes::On)
            }
        }
    }

    /// The function at hand is over.
    fn leave(&mut self, now: &mut Now, value: Option<Word>) -> Result<Goes> {
        let context = &self.contexts[now.context.0 as usize];
        let (function, caller) = (self.program.function(context.function), context.caller);
        let existing: Vec<usize> = context.objects.values().map(|(_, exists)| *exists).collect();
        for exists in existing {
            now.memory.insert(exists, Rc::new(vec![FALSE]));
        }
        now.atomic = now.atomic.saturating_sub(u32::from(function.atomic));
        let Some((context, pc)) = caller else { return Ok(self.thread_ends(now)) };
        (now.context, now.pc) = (context, pc);
        let code = self.code;
        let caller = self.contexts[context.0 as usize].function;
        if let Kind::Statement(Stmt { kind: StmtKind::Call { to: Some(to), .. }, .. }) =
            &code.functions[caller.0 as usize].instructions[pc].kind
        {
            let value = match value {
                Some(value) => value,
                None => self.fresh(word::width(&self.program.types, to.ty)),
            };
            self.store(now, to, &value)?;
        }
        now.pc += 1;
        Ok(Goes::On)
    }

    fn thread_ends(&mut self, now: &mut Now) -> Goes {
        // With `main`, the process ends.
        if now.kind == 0 {
            return Goes::Ends;
        }
        if let Some([_, ended, _]) = self.kinds[now.kind].bits {
            now.memory.insert(ended, Rc::new(vec![TRUE]));
        }
        Goes::Ends
    }

    fn any_result(&mut self, now: &mut Now, to: Option<&Place>) -> Result<()> {
        let Some(to) = to else { return Ok(()) };
        let types = &self.program.types;
        let width = word::width(types, to.ty);
        let word = match types.int_kind(to.ty) {
            Some(crate::il::IntKind::Bool) => {
                let bit = self.fresh(1);
                word::from_truth(bit[0], width)
            }
            _ => self.fresh(width),
        };
        self.store(now, to, &word)
    }

    fn operation(
        &mut self,
        now: &mut Now,
        operation: Operation,
        to: Option<&'p Place>,
        args: &'p [Expr],
    ) -> Result<Goes> {
        let texts = printed_texts(&self.program.strings, operation, args);
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(now, arg, TRUE)?);
        }
        let first = |flow: &mut Self| word::truth(&mut flow.gates, &values[0]);
        let zero = |flow: &mut Self, now: &mut Now| -> Result<()> {
            let Some(to) = to else { return Ok(()) };
            let word = word::constant(0, word::width(&flow.program.types, to.ty));
            flow.store(now, to, &word)
        };
        match operation {
            Operation::Create | Operation::CreateC11 => {
                let attributes = operation == Operation::Create && word::known(&values[1]) != Some(0);
                if attributes {
                    return self.refuse(now, "threads with attributes");
                }
                let (start, argument) = if operation == Operation::Create { (2, 3) } else { (1, 2) };
                let function = word::known(&values[start]).and_then(|address| self.function_at(address as u64));
                let Some(function) = function else { return self.refuse(now, "a start function that is not known") };
                if !self.program.function(function).has_body() {
                    return self.refuse(now, "a start function without a body");
                }
                let kind = self.created_at(now.context, now.pc, function)?;
                let birth = self.birth(kind, Some(&values[argument]))?;
                let pointer = self.program.types.model.pointer_size() as usize * 8;
                let id = word::cut(&word::number(&birth.id, false), pointer);
                self.store_at(now, (&args[0], &values[0]), &id)?;
                now.memory.insert(self.kinds[kind].created, Rc::new(vec![TRUE]));
                now.births.push(birth);
                zero(self, now)?;
            }
            Operation::Join | Operation::JoinC11 => {
                self.join(now, &values[0])?;
                if word::known(&values[1]) != Some(0) {
                    let ty = self.program.types.pointee(uncast(&args[1]).ty).unwrap_or(args[1].ty);
                    let width = if operation == Operation::Join { pointer_width(self) } else { 32 };
                    if word::width(&self.program.types, ty) != width {
                        return self.refuse(now, "this place for the result of a thread");
                    }
                    let any = self.fresh(width);
                    self.store_at(now, (&args[1], &values[1]), &any)?;
                }
                zero(self, now)?;
            }
            Operation::Detach => {
                let own = self.id(now.copy, now.kind);
                let own = word::cut(&word::number(&own, false), values[0].len());
                let own = word::equal(&mut self.gates, &values[0], &own);
                self.must(now, TRUE, own, FailureKind::Unsupported);
                if let Some([_, _, joined]) = self.kinds[now.kind].bits {
                    now.memory.insert(joined, Rc::new(vec![TRUE]));
                }
                zero(self, now)?;
            }
            Operation::ThreadExit => {
                if now.kind == 0
                    && self.objects.iter().any(|object| matches!(object.what, What::Local(..)) && !object.private)
                {
                    return self.refuse(now, "the end of main's thread while others know its variables");
                }
                return Ok(self.thread_ends(now));
            }
            Operation::ThreadSelf => {
                let id = self.id(now.copy, now.kind);
                if let Some(to) = to {
                    let id = word::cut(&word::number(&id, false), word::width(&self.program.types, to.ty));
                    self.store(now, to, &id)?;
                }
            }
            Operation::AtomicBegin => now.atomic += 1,
            Operation::AtomicEnd => {
                if now.atomic == 0 {
                    self.must(now, TRUE, FALSE, FailureKind::ThreadMisuse);
                    return Ok(Goes::Nowhere);
                }
                now.atomic -= 1;
            }
            Operation::Assume | Operation::Await => {
                let holds = first(self);
                now.guard = self.gates.and(now.guard, holds);
            }
            Operation::AwaitSpurious => {}
            Operation::Choose => {
                let chosen = self.fresh(values[0].len());
                let inside = bits::bitwise(&mut self.gates, &chosen, &values[0], crate::solve::formula::Gates::and);
                let inside = word::equal(&mut self.gates, &inside, &chosen);
                let minus_one = word::constant(-1, chosen.len());
                let less = bits::add(&mut self.gates, &chosen, &minus_one, chosen.len());
                let rest = bits::bitwise(&mut self.gates, &chosen, &less, crate::solve::formula::Gates::and);
                let several = word::truth(&mut self.gates, &rest);
                // None, if there is none to choose from.
                let none = first(self);
                let some = word::truth(&mut self.gates, &chosen);
                let differs = self.gates.xor(none, some);
                for holds in [inside, -several, -differs] {
                    now.guard = self.gates.and(now.guard, holds);
                }
                if let Some(to) = to {
                    self.store(now, to, &chosen)?;
                }
            }
            Operation::Spurious => {
                let bit = self.fresh(1);
                if let Some(to) = to {
                    let word = word::from_truth(bit[0], word::width(&self.program.types, to.ty));
                    self.store(now, to, &word)?;
                }
            }
            Operation::Assert => {
                let holds = first(self);
                self.must(now, TRUE, holds, FailureKind::Assertion);
            }
            Operation::AssertFail => return Ok(self.fails(now, FailureKind::Assertion)),
            Operation::ReachError => return Ok(self.fails(now, FailureKind::ErrorCall)),
            Operation::Misuse => return Ok(self.fails(now, FailureKind::LockMisuse)),
            Operation::Limit | Operation::WrongCall => return Ok(self.fails(now, FailureKind::Unsupported)),
            Operation::Unreachable => return Ok(self.fails(now, FailureKind::Unreachable)),
            Operation::Abort => {
                if self.property.looks_for(FailureKind::Abort) {
                    return Ok(self.fails(now, FailureKind::Abort));
                }
                return Ok(Goes::Ends);
            }
            Operation::Exit => return Ok(Goes::Ends),
            Operation::Nondet => self.any_result(now, to)?,
            Operation::Memset => {
                let size = word::known(&values[2]);
                let Some(size) = size.filter(|size| *size <= 4096) else {
                    return self.refuse(now, "memset() of a size that is not known");
                };
                let byte = word::cut(&values[1], 8);
                let all: Word = (0..size).flat_map(|_| byte.clone()).collect();
                if size > 0 {
                    self.store_at(now, (&args[0], &values[0]), &all)?;
                }
                if let Some(to) = to {
                    self.store(now, to, &values[0])?;
                }
            }
            Operation::Printf
            | Operation::Fprintf
            | Operation::Puts
            | Operation::Fputs
            | Operation::Putchar
            | Operation::Fputc => {
                let unknown = |index: &usize| !matches!(uncast(&args[*index]).kind, ExprKind::Str(_));
                let counted = args.iter().any(|arg| {
                    matches!(&uncast(arg).kind, ExprKind::Str(id)
                    if self.program.strings[id.0 as usize].units.windows(2).any(|pair| pair == [37, 110]))
                });
                let format = match operation {
                    Operation::Printf => args.first(),
                    Operation::Fprintf => args.get(1),
                    _ => None,
                };
                let dynamic = format.is_some_and(|format| !matches!(uncast(format).kind, ExprKind::Str(_)));
                if texts.iter().any(unknown) || counted || dynamic {
                    return self.refuse(now, "printing a text that is not constant");
                }
                self.any_result(now, to)?;
            }
            Operation::Fence | Operation::Nothing => zero(self, now)?,
            Operation::Malloc | Operation::Calloc => self.allocate(now, operation, (to, &values))?,
            Operation::Free => self.free(now, &args[0], &values[0])?,
            Operation::Realloc | Operation::Alloca => return self.refuse(now, "this way to get memory"),
            Operation::Memcpy
            | Operation::Memmove
            | Operation::Memcmp
            | Operation::Math
            | Operation::AddOverflow
            | Operation::SubOverflow
            | Operation::MulOverflow
            | Operation::Sprintf
            | Operation::Snprintf
            | Operation::Vprintf
            | Operation::Vfprintf
            | Operation::Vsprintf
            | Operation::Vsnprintf
            | Operation::ScanText
            | Operation::ScanStream
            | Operation::ScanInput => return self.refuse(now, "this function of the library"),
        }
        now.pc += 1;
        Ok(Goes::On)
    }

    fn fails(&mut self, now: &mut Now, kind: FailureKind) -> Goes {
        self.must(now, TRUE, FALSE, kind);
        Goes::Nowhere
    }

    /// Goes on when a thread that exists once has ended; it must be one that was created and not joined before, which may
    /// be known of this place.
    fn join(&mut self, now: &mut Now, id: &Word) -> Result<()> {
        let right = self.right_joins.contains(&now.span);
        let mut known = FALSE;
        let mut ended_too = FALSE;
        let mut still_runs = FALSE;
        for kind in 1..self.kinds.len() {
            let Some([created, ended, joined]) = self.kinds[kind].bits else { continue };
            let own = word::constant(kind as i128 + 1, id.len());
            let is = word::equal(&mut self.gates, id, &own);
            if is == FALSE || kind == now.kind {
                continue;
            }
            let bit = |flow: &mut Self, object: usize| flow.content(now, object)[0];
            let (created, ended, was_joined) = (bit(self, created), bit(self, ended), bit(self, joined));
            let fine = self.gates.and(created, -was_joined);
            let this = self.gates.and(is, fine);
            known = self.gates.or(known, this);
            let over = self.gates.and(is, ended);
            ended_too = self.gates.or(ended_too, over);
            let runs = self.gates.and(is, -ended);
            still_runs = self.gates.or(still_runs, runs);
            let now_joined = self.gates.or(was_joined, is);
            now.memory.insert(joined, Rc::new(vec![now_joined]));
        }
        if right {
            // Of one among many nobody knows when it has ended: the wait may be over at any time.
            now.guard = self.gates.and(now.guard, -still_runs);
            return Ok(());
        }
        // Threads of which there may be many have no bits.
        let many = id.get(MANY).copied().unwrap_or(FALSE);
        self.must(now, TRUE, -many, FailureKind::Unsupported);
        self.must(now, TRUE, known, FailureKind::ThreadMisuse);
        now.guard = self.gates.and(now.guard, ended_too);
        Ok(())
    }

    // ---- memory ----

    /// A block that is allocated only here has an address of its own; others get any address that nothing else has.
    fn allocate(
        &mut self,
        now: &mut Now,
        operation: Operation,
        (to, values): (Option<&'p Place>, &[Word]),
    ) -> Result<()> {
        let zeroed = operation == Operation::Calloc;
        let mut numbers = values.iter().map(|word| word::known(word));
        let size = numbers.try_fold(1u128, |product, number| product.checked_mul(number?));
        let size = size.and_then(|size| u64::try_from(size).ok());
        if size == Some(0) {
            return self.refuse(now, "a block without bytes");
        }
        let pointer = pointer_width(self);
        let address = match self.site((now.context, now.pc), now.kind, size) {
            Some(Site { block, allocated, .. }) => {
                let (block, allocated) = (*block, *allocated);
                let width = self.objects[block].width;
                let word = if zeroed { vec![FALSE; width] } else { self.fresh(width) };
                now.memory.insert(block, Rc::new(word));
                now.memory.insert(allocated, Rc::new(vec![TRUE]));
                word::constant(i128::from(self.objects[block].base), pointer)
            }
            None => {
                let word = self.fresh(pointer);
                let inside = self.is_in_blocks(&word, 1);
                let aligned = word::truth(&mut self.gates, &word[..4]);
                now.guard = self.gates.and(now.guard, inside);
                now.guard = self.gates.and(now.guard, -aligned);
                word
            }
        };
        if let Some(to) = to {
            let address = word::cut(&address, word::width(&self.program.types, to.ty));
            self.store(now, to, &address)?;
        }
        Ok(())
    }

    fn is_in_blocks(&mut self, address: &Word, size: u64) -> Lit {
        let [first, end] = self.blocks_range();
        self.is_between(address, [first, end - size])
    }

    fn is_between(&mut self, address: &Word, [first, last]: [u64; 2]) -> Lit {
        let number = word::number(address, false);
        let (first, last) = (bits::constant(first.into()), bits::constant(last.into()));
        let low = bits::less(&mut self.gates, &number, &first);
        let high = bits::less(&mut self.gates, &last, &number);
        self.gates.and(-low, -high)
    }

    /// Only the beginning of a block that is there can be freed; of blocks that are not told apart nobody knows.
    fn free(&mut self, now: &mut Now, pointer: &Expr, address: &Word) -> Result<()> {
        let mut any = -word::truth(&mut self.gates, address);
        for object in self.pointed(now, pointer, address) {
            match self.objects[object].what {
                What::Block(site) => {
                    let (base, allocated) = (self.objects[object].base, self.sites[site.0 as usize].allocated);
                    let this = word::equal(&mut self.gates, address, &word::constant(base.into(), address.len()));
                    let was = self.content(now, allocated)[0];
                    let this = self.gates.and(this, was);
                    any = self.gates.or(any, this);
                    let still = self.gates.and(was, -this);
                    now.memory.insert(allocated, Rc::new(vec![still]));
                }
                What::Blocks => {
                    let there = self.is_in_blocks(address, 1);
                    let fine = self.fresh(1)[0];
                    let there = self.gates.and(there, fine);
                    any = self.gates.or(any, there);
                }
                _ => {}
            }
        }
        self.must(now, TRUE, any, FailureKind::Memory);
        Ok(())
    }

    pub(super) fn content(&mut self, now: &Now, object: usize) -> Rc<Word> {
        match now.memory.get(&object) {
            Some(word) => word.clone(),
            None => self.object_before(now.copy, object),
        }
    }

    pub(super) fn register(&mut self, now: &mut Now, register: Register) -> Rc<Word> {
        if let Some(word) = now.registers.get(&register) {
            return word.clone();
        }
        if !now.entered.contains(&register.0) {
            return self.register_before(now.copy, register);
        }
        let word = Rc::new(self.fresh(word::width(&self.program.types, self.local_type(register))));
        now.registers.insert(register, word.clone());
        word
    }

    /// Something that must hold where control is; executions in which it does not end here.
    fn must(&mut self, now: &mut Now, guard: Lit, fine: Lit, kind: FailureKind) {
        let inside = self.gates.and(guard, -fine);
        let bad = self.gates.and(now.guard, inside);
        if bad != FALSE {
            if now.copy == ITSELF {
                let Now { kind: of, context, pc, atomic, .. } = *now;
                let span = self.span(&Location { kind: of, context, pc, atomic });
                self.failings.push(Failing { from: now.from, guard: bad, kind, span });
            }
            if self.manner.follows_failing {
                self.standing.push(Path { guard: bad, ..finished(now.clone(), None) });
            }
            now.guard = self.gates.and(now.guard, -inside);
        }
    }

    /// The objects that a place may be in, its address, and for a bit-field its bits.
    fn address(&mut self, now: &mut Now, place: &Place, guard: Lit) -> Result<(Vec<usize>, Word, Option<Bits>)> {
        let pointer = pointer_width(self);
        let at =
            |flow: &Self, object: usize| (vec![object], word::constant(i128::from(flow.objects[object].base), pointer));
        let (objects, mut address) = match &place.base {
            Base::Global(id) => at(self, self.global_objects[id.0 as usize]),
            Base::Local(id) => {
                let object = self.contexts[now.context.0 as usize].objects.get(id).copied();
                at(self, object.expect("it is in memory").0)
            }
            Base::Deref(expr) => {
                let address = self.eval(now, expr, guard)?;
                let objects = self.pointed(now, expr, &address);
                (objects, address)
            }
        };
        let mut field_bits = None;
        for projection in &place.projections {
            let offset = match projection {
                Projection::Field(record, index) => {
                    let field = &self.program.types.record(*record).fields[*index as usize];
                    field_bits = field.bits;
                    word::constant(i128::from(field.offset), pointer)
                }
                Projection::Index(index, element) => {
                    field_bits = None;
                    let (ty, size) = (index.ty, self.program.types.size(*element));
                    let index = self.eval(now, index, guard)?;
                    let index = word::number(&index, word::signed(&self.program.types, ty));
                    bits::mul(&mut self.gates, &index, &bits::constant(i128::from(size)), pointer)
                }
            };
            address = bits::add(&mut self.gates, &address, &offset, pointer);
        }
        Ok((objects, address, field_bits))
    }

    fn locate(&mut self, now: &mut Now, place: &Place, guard: Lit, writes: bool) -> Result<Where> {
        if let Base::Local(id) = place.base
            && !self.contexts[now.context.0 as usize].objects.contains_key(&id)
        {
            return Ok(Where::Register((now.context, id)));
        }
        let (objects, address, bits) = self.address(now, place, guard)?;
        let types = &self.program.types;
        let size = bits.map_or_else(|| types.size(place.ty), Bits::bytes);
        let step = if bits.is_some() { 1 } else { types.align(place.ty).max(1) };
        let (shift, width) = match bits {
            Some(bits) => (bits.shift as usize, bits.width as usize),
            None => (0, size as usize * 8),
        };
        let mut choices = self.choices(now, (&objects, &address), (size, step), (guard, writes))?;
        choices.iter_mut().for_each(|choice| choice.1 += shift);
        if types_scalar(self, place.ty) {
            let types = &self.program.types;
            let (signed, pointer) = (word::signed(types, place.ty), types.pointee(place.ty).is_some());
            let cell = |object: usize, first: usize| Cell { object, first, width, signed, pointer };
            let mut named: Vec<Cell> = Vec::new();
            match choices[..] {
                [(object, ..)] if self.objects[object].is_vague() => {}
                [(object, first, _)] if word::known(&address).is_some() => named.push(cell(object, first)),
                _ => {
                    let changes = |object: &&usize| {
                        let object = &self.objects[**object];
                        !matches!(object.what, What::Text(_)) && !object.is_vague()
                    };
                    let objects: Vec<usize> = objects.iter().filter(changes).copied().collect();
                    if let Some(offset) = self.offset(place).filter(|_| objects.len() <= MOST_NAMED) {
                        let first = offset as usize * 8 + shift;
                        let inside = |object: &usize| first + width <= self.objects[*object].width;
                        named.extend(objects.into_iter().filter(inside).map(|object| cell(object, first)));
                    }
                }
            }
            let model = self.program.function(self.contexts[now.context.0 as usize].function).does.is_some();
            for cell in named {
                // Locks know their owners.
                if !model && writes {
                    self.note_part(&cell);
                }
                if self.cells.insert(cell) && model {
                    self.of_library.insert(cell);
                } else if !model {
                    self.of_library.remove(&cell);
                }
            }
        }
        Ok(Where::Memory { choices, width })
    }

    /// How far a place lies behind what its pointer points to, if that is the same always.
    fn offset(&self, place: &Place) -> Option<u64> {
        let types = &self.program.types;
        place.projections.iter().try_fold(0, |offset, projection| match projection {
            Projection::Field(record, index) => Some(offset + types.record(*record).fields[*index as usize].offset),
            Projection::Index(index, element) => {
                Some(offset + u64::try_from(index.as_int()?).ok()?.checked_mul(types.size(*element))?)
            }
        })
    }

    /// Which bytes of which objects an address may mean; it must be one of them.
    fn choices(
        &mut self,
        now: &mut Now,
        (objects, address): (&[usize], &Word),
        (size, step): (u64, u64),
        (guard, writes): (Lit, bool),
    ) -> Result<Vec<(usize, usize, Lit)>> {
        let mut choices = Vec::new();
        let known = word::known(address).map(|address| address as u64);
        for object in objects.iter().copied() {
            let (base, bytes) = (self.objects[object].base, self.objects[object].bytes);
            let what = self.objects[object].what;
            let constant = matches!(what, What::Text(_)) && writes || matches!(what, What::Function(_));
            if what == What::Blocks {
                // It may be there or not: nobody knows which blocks there are.
                let (there, fine) = (self.is_in_blocks(address, size), self.fresh(1)[0]);
                choices.push((object, 0, self.gates.and(there, fine)));
                continue;
            }
            if constant || size > bytes {
                continue;
            }
            let model = self.program.function(self.contexts[now.context.0 as usize].function).does.is_some();
            if model && matches!(what, What::Local(..)) {
                return self.refuse(now, "a lock in a local variable");
            }
            let vague = self.objects[object].is_vague();
            let mut offsets: Vec<(u64, Lit)> = Vec::new();
            match known {
                None if vague => offsets.push((0, self.is_between(address, [base, base + bytes - size]))),
                Some(known) => {
                    offsets.extend((base <= known && known + size <= base + bytes).then(|| (known - base, TRUE)))
                }
                None => {
                    for offset in (0..=bytes - size).step_by(step as usize) {
                        let there = word::constant(i128::from(base + offset), address.len());
                        offsets.push((offset, word::equal(&mut self.gates, address, &there)));
                    }
                }
            }
            let exists = match what {
                What::Local(context, local) => {
                    let (_, bit) = self.contexts[context.0 as usize].objects[&local];
                    self.content(now, bit)[0]
                }
                What::Block(site) => self.content(now, self.sites[site.0 as usize].allocated)[0],
                _ => TRUE,
            };
            for (offset, there) in offsets {
                let there = self.gates.and(there, exists);
                if there != FALSE {
                    choices.push((object, if vague { 0 } else { offset as usize * 8 }, there));
                }
            }
            if choices.len() > MOST_CHOICES {
                return self.refuse(now, "an access to so many places");
            }
        }
        let any = choices.iter().fold(FALSE, |any, (_, _, there)| self.gates.or(any, *there));
        // What is not aligned is not followed, but may be fine.
        let low = word::truth(&mut self.gates, &address[..step.ilog2() as usize]);
        let odd = self.gates.and(low, -any);
        self.must(now, guard, -odd, FailureKind::Unsupported);
        self.must(now, guard, any, FailureKind::Memory);
        Ok(choices)
    }

    fn load(&mut self, now: &mut Now, place: &Place, guard: Lit) -> Result<Word> {
        let full = word::width(&self.program.types, place.ty);
        match self.locate(now, place, guard, false)? {
            Where::Register(register) => Ok(self.register(now, register).to_vec()),
            Where::Memory { choices, width } => {
                let mut word = word::constant(0, width);
                for (object, first, there) in choices {
                    let content = match self.objects[object].what {
                        What::Blocks => self.fresh(width),
                        _ if self.objects[object].is_vague() => self.fresh(width),
                        _ => self.content(now, object)[first..first + width].to_vec(),
                    };
                    word = word::choose(&mut self.gates, there, &content, &word);
                }
                // A bit-field.
                if width < full {
                    let signed = word::signed(&self.program.types, place.ty);
                    word = word::cut(&word::number(&word, signed), full);
                }
                Ok(word)
            }
        }
    }

    fn store(&mut self, now: &mut Now, place: &Place, value: &Word) -> Result<()> {
        match self.locate(now, place, TRUE, true)? {
            Where::Register(register) => {
                self.gets(register, value);
                now.registers.insert(register, Rc::new(value.clone()));
            }
            Where::Memory { choices, width } => self.put(now, choices, &word::cut(value, width)),
        }
        Ok(())
    }

    fn put(&mut self, now: &mut Now, choices: Vec<(usize, usize, Lit)>, value: &Word) {
        for (object, first, there) in choices {
            if self.objects[object].what == What::Blocks || self.objects[object].is_vague() {
                continue;
            }
            let mut content = self.content(now, object).to_vec();
            let part = &mut content[first..first + value.len()];
            let new = word::choose(&mut self.gates, there, value, part);
            part.copy_from_slice(&new);
            now.memory.insert(object, Rc::new(content));
            for writer in self.writers_of(object, (first, value.len())) {
                let (own, before) = (self.id(now.copy, now.kind), self.content(now, writer));
                let id = word::choose(&mut self.gates, there, &own, &before);
                now.memory.insert(writer, Rc::new(id));
            }
        }
    }

    /// What an operation of the library writes through a pointer.
    fn store_at(&mut self, now: &mut Now, (pointer, address): (&Expr, &Word), value: &Word) -> Result<()> {
        let objects = self.pointed(now, pointer, address);
        let choices = self.choices(now, (&objects, address), (value.len() as u64 / 8, 1), (TRUE, true))?;
        self.put(now, choices, value);
        Ok(())
    }

    /// The objects that an address may be in.
    fn pointed(&self, now: &Now, pointer: &Expr, address: &Word) -> Vec<usize> {
        if let Some(known) = word::known(address) {
            return self.object_at(known as u64).into_iter().collect();
        }
        let function = self.contexts[now.context.0 as usize].function;
        // Nobody follows where texts go.
        let is_text = |(_, object): &(usize, &super::flow::Object)| matches!(object.what, What::Text(_));
        let mut objects: Vec<usize> = self.objects.iter().enumerate().filter(is_text).map(|(index, _)| index).collect();
        for pointed in self.points_to.value(function, pointer).iter() {
            objects.extend(self.objects_of(&self.points_to.objects[pointed], now.kind));
        }
        // Several places may allocate in one function.
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    // ---- expressions ----

    fn condition(&mut self, now: &mut Now, expr: &Expr, guard: Lit) -> Result<Lit> {
        let word = self.eval(now, expr, guard)?;
        Ok(word::truth(&mut self.gates, &word))
    }

    fn eval(&mut self, now: &mut Now, expr: &Expr, guard: Lit) -> Result<Word> {
        let types = &self.program.types;
        let floating = |ty: TypeId| types.float_kind(ty).is_some();
        let refuses = match &expr.kind {
            ExprKind::Float(_) => true,
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => floating(inner.ty) || floating(expr.ty),
            ExprKind::Binary(_, left, _) => floating(left.ty) || floating(expr.ty),
            _ => false,
        };
        if refuses {
            return self.refuse(now, "floating point numbers");
        }
        let width = if types.is_void(expr.ty) { 0 } else { word::width(types, expr.ty) };
        match &expr.kind {
            ExprKind::Int(value) => {
                self.constants.insert(*value);
                Ok(word::constant(*value, width))
            }
            ExprKind::Float(_) => unreachable!("refused above"),
            ExprKind::Str(id) => Ok(word::constant(i128::from(self.objects[self.text_object(*id)].base), width)),
            ExprKind::Function(id) => {
                Ok(word::constant(i128::from(self.objects[self.function_object(*id)].base), width))
            }
            ExprKind::Load(place) => self.load(now, place, guard),
            ExprKind::AddressOf(place) => {
                if let Base::Local(id) = place.base
                    && !self.contexts[now.context.0 as usize].objects.contains_key(&id)
                {
                    return self.refuse(now, "the address of this variable");
                }
                Ok(self.address(now, place, guard)?.1)
            }
            ExprKind::Unary(op, inner) => {
                let word = self.eval(now, inner, guard)?;
                if *op == crate::il::UnaryOp::Minus && self.property.looks_for(FailureKind::Overflow) {
                    let zero = word::constant(0, word.len());
                    let of = (inner.ty, inner.ty, expr.ty);
                    let types = &self.program.types;
                    let bad = word::overflows(&mut self.gates, types, BinaryOp::Sub, (&zero, &word), of);
                    self.must(now, guard, -bad, FailureKind::Overflow);
                }
                Ok(word::unary(&mut self.gates, &self.program.types, *op, &word, expr.ty))
            }
            ExprKind::Cast(inner) => {
                let word = self.eval(now, inner, guard)?;
                if self.program.types.is_void(expr.ty) {
                    return Ok(Vec::new());
                }
                Ok(word::convert(&mut self.gates, &self.program.types, &word, inner.ty, expr.ty))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(now, condition, guard)?;
                let (yes, no) = (self.gates.and(guard, condition), self.gates.and(guard, -condition));
                if condition == TRUE {
                    return self.eval(now, then, yes);
                }
                if condition == FALSE {
                    return self.eval(now, otherwise, no);
                }
                let then = self.eval(now, then, yes)?;
                let otherwise = self.eval(now, otherwise, no)?;
                Ok(word::choose(&mut self.gates, condition, &then, &otherwise))
            }
            ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right) => {
                let and = *op == BinaryOp::LogicalAnd;
                let left = self.condition(now, left, guard)?;
                let needed = if and { left } else { -left };
                if needed == FALSE {
                    return Ok(word::from_truth(left, width));
                }
                let inner = self.gates.and(guard, needed);
                let right = self.condition(now, right, inner)?;
                let both = if and { self.gates.and(left, right) } else { self.gates.or(left, right) };
                Ok(word::from_truth(both, width))
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.eval(now, left, guard)?, self.eval(now, right, guard)?);
                let of = (left.ty, right.ty, expr.ty);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    let some = word::truth(&mut self.gates, &b);
                    let mut fine = some;
                    if word::signed(&self.program.types, left.ty) {
                        let least = word::constant(1 << (a.len() - 1), a.len());
                        let (least, minus) = (
                            word::equal(&mut self.gates, &a, &least),
                            word::equal(&mut self.gates, &b, &word::constant(-1, b.len())),
                        );
                        let over = self.gates.and(least, minus);
                        fine = self.gates.and(some, -over);
                    }
                    self.must(now, guard, fine, FailureKind::DivisionByZero);
                }
                if self.property.looks_for(FailureKind::Overflow) {
                    let bad = word::overflows(&mut self.gates, &self.program.types, *op, (&a, &b), of);
                    self.must(now, guard, -bad, FailureKind::Overflow);
                }
                Ok(word::binary(&mut self.gates, &self.program.types, *op, (&a, &b), of))
            }
        }
    }
}

pub(super) trait HasSpan {
    fn span(&self) -> Span;
}

impl HasSpan for Now {
    fn span(&self) -> Span {
        self.span
    }
}

/// How a thread goes on after an instruction.
enum Goes {
    On,
    /// It has ended.
    Ends,
    /// There is no such execution, or it fails.
    Nowhere,
}

fn finished(now: Now, target: Option<usize>) -> Path {
    let Now { from, guard, memory, registers, births, .. } = now;
    Path { from, target, guard, memory, registers, births }
}

fn pointer_width(flow: &Flow) -> usize {
    flow.program.types.model.pointer_size() as usize * 8
}

fn types_scalar(flow: &Flow, ty: TypeId) -> bool {
    flow.program.types.is_scalar(ty)
}
