//! The interpreter: executes the core program concretely, one interleaving at a time or all of them.
//!
//! A scheduling *unit* is one visible step of a thread with the invisible steps after it, up to the next visible
//! one. An atomic section is one unit. What a thread does before its first visible step belongs to the unit that
//! creates it; for `main` it is a unit of its own. A unit that cannot be taken (a lock is held, a condition does not
//! hold yet) leaves the state as it was.

mod buffer;
pub mod code;
mod eval;
mod explore;
mod format;
mod future;
mod leak;
mod memory;
mod names;
mod operations;
pub mod race;
mod shared;
mod states;
mod thread;
mod walk;

pub use code::{Code, Quiet, Registers};
pub use explore::{Exploration, ExploreOptions, Explorer, First, RaceSearch, Rounds, TakenUnit, explore};
pub use memory::{MOST_GIVEN_AGAIN, MemoryFault};
pub use walk::{
    Blocked, ListedInputs, Outcome, RandomChooser, Turn, after_last_unit, deadlock, nobody_can_run, partial_deadlock,
    random_walk, scheduled,
};

use crate::diagnostic::Span;
use crate::il::arithmetic::Value;
use crate::il::{
    AccessKind, Callee, FunctionId, FunctionKind, GlobalId, LocalId, Operation, Program, StatementId, StmtKind, TypeId,
};
use future::Awaited;
use memory::{Byte, Memory, ObjectId};
use race::{Race, Races, Touch};
use rustc_hash::FxHashMap;
use shared::Shared;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    Assertion,
    ErrorCall,
    LockMisuse,
    ThreadMisuse,
    Deadlock,
    Memory,
    DivisionByZero,
    Overflow,
    Leak,
    Left,
    Race,
    Unreachable,
    Abort,
    /// The program goes beyond what the interpreter models: no verdict on the program.
    Unsupported,
}

impl FailureKind {
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion failed",
            FailureKind::ErrorCall => "error function called",
            FailureKind::LockMisuse => "wrong use of a lock",
            FailureKind::ThreadMisuse => "wrong use of a thread",
            FailureKind::Deadlock => "deadlock",
            FailureKind::Memory => "undefined use of memory",
            FailureKind::DivisionByZero => "division by zero",
            FailureKind::Overflow => "overflow",
            FailureKind::Leak => "leak",
            FailureKind::Left => "memory left",
            FailureKind::Race => "data race",
            FailureKind::Unreachable => "unreachable code reached",
            FailureKind::Abort => "aborted",
            FailureKind::Unsupported => "beyond what is modelled",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub thread: usize,
    pub span: Span,
    /// For a data race: the two accesses.
    pub race: Option<Box<Race>>,
    /// For a deadlock: where threads wait, in the order of the program, each place once; and which threads.
    pub waits: Vec<Span>,
    pub stuck: Vec<usize>,
}

impl Failure {
    /// The same error in the same place; messages may differ in names that were made. Who comes first does not matter
    /// to a race, and of a deadlock it is enough that it is one.
    pub fn is_same(&self, other: &Failure) -> bool {
        match (&self.race, &other.race) {
            (Some(race), Some(wanted)) => race.same_places(wanted),
            _ => self.kind == other.kind && (self.span == other.span || self.kind == FailureKind::Deadlock),
        }
    }
}

impl Failure {
    /// Is one of two deadlocks the other one, with or without threads that come to wait for those in it?
    pub fn same_deadlock(&self, other: &Failure) -> bool {
        let within = |a: &[Span], b: &[Span]| a.iter().all(|place| b.contains(place));
        self.kind == FailureKind::Deadlock
            && other.kind == FailureKind::Deadlock
            && (within(&self.waits, &other.waits) || within(&other.waits, &self.waits))
    }
}

/// Only the interpreter knows that nobody wrote the bytes of a lock.
pub const UNINITIALIZED_LOCK: &str = "a lock or other object of the thread library is used before it is initialized";

/// Where the values come from that the program does not determine.
pub trait Chooser {
    /// A unit is tried, and the last one that was tried ran.
    fn begins(&mut self, _turn: Turn) {}
    fn ran(&mut self) {}
    /// The thread and the statement (by its origin, and by its id) for which the next values are.
    fn at(&mut self, _thread: usize, _origin: u32, _statement: StatementId) {}
    /// Any value of this many bits (nondeterministic input, uninitialized memory).
    fn input(&mut self, bits: u32) -> u64;
    /// Any number below `count`.
    fn pick(&mut self, count: usize) -> usize;
    /// Any one of the set bits, of which there is at least one.
    fn choose(&mut self, set: u64) -> u64 {
        let bits: Vec<u32> = (0..64).filter(|bit| set >> bit & 1 == 1).collect();
        let chosen = if bits.len() > 1 { self.pick(bits.len()) } else { 0 };
        1 << bits[chosen]
    }
    /// What a variable holds when it is declared, if that is known.
    fn initial(&mut self) -> Option<u64> {
        None
    }
    /// What a new object of so many bytes holds, if that is known.
    fn content(&mut self, _size: usize) -> Option<Vec<u8>> {
        None
    }
    /// The content of memory that nobody wrote.
    fn undefined(&mut self, bits: u32) -> u64 {
        self.input(bits)
    }
}

/// All zero: the plainest execution.
pub struct Zeros;

impl Chooser for Zeros {
    fn input(&mut self, _bits: u32) -> u64 {
        0
    }

    fn pick(&mut self, _count: usize) -> usize {
        0
    }
}

/// How one unit of a thread ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    Ran,
    /// The thread has to wait; nothing changed. `by_assume`: for an assumption, not for another thread.
    /// `holder`: the one thread that could end the wait, if there is only one.
    Blocked {
        by_assume: bool,
        holder: Option<usize>,
    },
    /// The process is over with this status.
    Exit(i32),
    Failed(Failure),
    /// The limit of steps was reached.
    OutOfSteps,
}

#[derive(Clone, Debug)]
enum Datum {
    Scalar(Value),
    /// A struct by value, with what is known of its bytes.
    Bytes(Vec<u8>, Vec<Byte>),
    Undefined,
}

#[derive(Clone, Debug)]
struct Frame {
    function: FunctionId,
    pc: usize,
    registers: Vec<Option<Value>>,
    objects: Shared<Vec<Option<ObjectId>>>,
    allocas: Vec<ObjectId>,
    /// Length of the thread's stack region before this frame.
    stack_mark: usize,
    variable_arguments: Option<ObjectId>,
    /// The caller waits at its call instruction for a result.
    wants_result: bool,
    is_hook: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Running,
    /// Waits for an assumption that can never become true.
    Stuck,
    /// Waits for what only it could change itself: for good.
    Waiting,
    Finished,
}

#[derive(Clone, Debug)]
struct Thread {
    frames: Vec<Shared<Frame>>,
    status: Status,
    result: Value,
    atomic: u32,
    detached: bool,
    joined: bool,
    ending: bool,
    thread_locals: FxHashMap<GlobalId, ObjectId>,
    /// Who waits in the middle of a unit: the one thread that could end that, if there is only one.
    holder: Option<usize>,
    /// The function that it began in.
    start: FunctionId,
    /// Stores that have not reached memory.
    buffer: buffer::Buffer,
}

/// The state of an execution. Cloning is cheap enough for search: its parts are shared until they are changed.
#[derive(Clone)]
pub struct Machine<'p> {
    code: &'p Code<'p>,
    memory: Memory,
    threads: Vec<Shared<Thread>>,
    globals: Shared<Vec<Option<ObjectId>>>,
    strings: Shared<Vec<ObjectId>>,
    functions: Shared<Vec<ObjectId>>,
    standard_error: Option<u64>,
    pub output: Vec<u8>,
    pub error_output: Vec<u8>,
    pub steps: u64,
    pub max_steps: u64,
    /// A thread that creates more is not followed.
    pub max_threads: usize,
    exit_handlers_ran: bool,
    /// Threads that were just created and stand before their first step.
    newborn: Vec<usize>,
    /// For single executions: the creation of a thread begins a unit, and a thread that goes on for so many steps
    /// without a visible one is left to itself.
    pub patience: Option<u64>,
    /// Creating a thread begins a unit, as in all schedules of whole programs; the steps of bounded threads are marked.
    pub creation_begins: bool,
    /// That happened to some thread.
    left_alone: bool,
    /// Memory that was freed was not given out again, for want of room.
    reuse_limited: bool,
    /// A thread had more stores in its buffer than are followed.
    buffers_limited: bool,
    /// May waits end without reason?
    pub allow_spurious: bool,
    /// Steps taken since tracing was switched on.
    pub trace: Option<Vec<TraceStep>>,
    /// All that was executed since recording was switched on.
    pub record: Option<Vec<Executed>>,
    /// What is known of data races in this execution, if they are looked for.
    pub races: Option<Box<Races>>,
    /// For explorations: by function, the instructions that make no difference to others, nor they to them
    /// ([`Code::quiet`]), and whether the unit at hand had others.
    quiet: Option<&'p [Vec<Quiet>]>,
    loud: bool,
    /// For explorations: the accesses of the unit at hand.
    touched: Option<Vec<Touch>>,
    /// Memory that was freed before and that the unit at hand was given, while accesses are looked at.
    got_again: Vec<std::ops::Range<u64>>,
}

/// One instruction that was executed, and what it did that a reader wants to see.
#[derive(Clone, Debug)]
pub struct Executed {
    pub thread: usize,
    /// The number of its statement in the normalized program, or 0.
    pub origin: u32,
    pub function: FunctionId,
    /// Where it is in the user's own code: inside a library function, the call.
    pub span: Span,
    /// The function of the user's code.
    pub user_function: FunctionId,
    /// A unit begins here.
    pub begins: bool,
    pub visible: bool,
    pub events: Vec<Event>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An access to memory that has a name for the user, and the value as the user would write it.
    Access {
        write: bool,
        address: u64,
        ty: TypeId,
        kind: AccessKind,
        name: String,
        value: String,
    },
    /// A value from outside, as the user would write it.
    Input(String),
    /// A place that nobody wrote gets its value when it is first read; the place as it is printed.
    Settles {
        place: String,
        ty: TypeId,
        bits: u64,
        value: String,
    },
    /// A function of the library, with its arguments: what pointers point to by its name.
    Calls(FunctionId, Vec<String>),
    Returns(FunctionId, Option<Value>),
    Creates(usize),
    Joins(usize),
    /// A wait ended without reason.
    WakesUp,
    /// The name of memory that is freed.
    Frees(String),
    /// Memory of the heap is given out. If it was freed before: whose it was first, and the how many-th of its blocks.
    Allocates {
        again: Option<(usize, u32)>,
    },
    Ends,
    /// A store of the thread that waited in its buffer reaches memory.
    Reaches {
        name: String,
        value: String,
    },
    /// With that: the place in the buffer.
    LeavesBuffer(usize),
    /// Of bounded threads with buffers as variables: the number of the store that waits from here on, or reaches memory.
    Store {
        number: u32,
        waits: bool,
    },
}

/// One visible step (or the start of a unit) that was executed.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    pub thread: usize,
    pub function: FunctionId,
    pub span: Span,
    pub visible: bool,
}

/// A stop in the middle of a unit.
enum Stop {
    Failure(FailureKind, String),
    Blocked { by_assume: bool, holder: Option<usize> },
    Exit(i32),
    Race(Box<Race>),
}

type Step<T> = std::result::Result<T, Stop>;

impl From<MemoryFault> for Stop {
    fn from(fault: MemoryFault) -> Stop {
        let text = match fault {
            MemoryFault::Null => "null pointer used".to_owned(),
            MemoryFault::Wild(address) => format!("address 0x{address:x} belongs to no object"),
            MemoryFault::OutOfBounds { size, offset, access } => {
                format!("access of {access} bytes at offset {offset} of an object of {size} bytes")
            }
            MemoryFault::OutOfScope => "the variable does not exist any more".to_owned(),
            MemoryFault::Freed => "the memory was freed before".to_owned(),
            MemoryFault::ReadOnly => "a string literal is written".to_owned(),
            MemoryFault::NoSpace => {
                return Stop::Failure(FailureKind::Unsupported, "the interpreter ran out of address space".to_owned());
            }
        };
        Stop::Failure(FailureKind::Memory, text)
    }
}

impl<'p> Machine<'p> {
    pub fn program(&self) -> &'p Program {
        self.code.program
    }

    /// Threads that exist and have not finished.
    pub fn live_threads(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|thread| self.threads[*thread].status != Status::Finished).collect()
    }

    pub fn runnable_threads(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|thread| self.threads[*thread].status == Status::Running).collect()
    }

    /// Some thread waits for an assumption that is false for good: the execution is not a real one beyond here.
    pub fn has_stuck_thread(&self) -> bool {
        self.threads.iter().any(|thread| thread.status == Status::Stuck)
    }

    pub fn has_ended(&self, thread: usize) -> bool {
        self.threads[thread].status == Status::Finished
    }

    /// The thread waits for what only it could change itself.
    pub fn waits_for_good(&self, thread: usize) -> bool {
        self.threads[thread].status == Status::Waiting
    }

    /// And is it known who could end that?
    fn waits_for(&self, thread: usize) -> Option<usize> {
        self.threads[thread].holder.filter(|_| self.waits_for_good(thread))
    }

    /// The function that a running thread started in.
    pub fn start_of(&self, thread: usize) -> Option<FunctionId> {
        self.threads[thread].frames.first().map(|frame| frame.function)
    }

    /// The function that a thread began in, also if it has ended.
    pub fn first_function(&self, thread: usize) -> FunctionId {
        self.threads[thread].start
    }

    /// The number that a global variable holds; `None` if it holds none.
    pub fn global_number(&mut self, name: &str) -> Option<i128> {
        let program = self.program();
        let index = program.globals.iter().position(|global| global.name == name)?;
        let ty = program.globals[index].ty;
        program.types.int_kind(ty)?;
        let base = self.memory.object(self.globals[index]?).base;
        self.read(base, ty, None, &mut Zeros).ok().map(Value::as_int)
    }

    /// How many visible steps stand before the one that the thread takes next, in the text of its function.
    pub fn step_number(&self, thread: usize) -> u32 {
        let frame = self.frame(thread);
        let instructions = &self.code.functions[frame.function.0 as usize].instructions;
        instructions[..frame.pc].iter().filter(|instruction| instruction.visible).count() as u32
    }

    /// Does the thread stand before a visible step? Not if it has to wait in the middle of a unit.
    pub fn stands_before_step(&self, thread: usize) -> bool {
        let frame = self.frame(thread);
        self.code.functions[frame.function.0 as usize].instructions[frame.pc].visible
    }

    /// Holds a thread before the step that failed; can any other thread still run? Not if it is in an atomic section.
    pub fn stop_before_failure(&mut self, thread: usize) -> bool {
        self.threads[thread].status = Status::Stuck;
        self.newborn.clear();
        self.threads[thread].atomic == 0 && !self.runnable_threads().is_empty()
    }

    /// Is the thread in an atomic section?
    fn in_section(&self, thread: usize) -> bool {
        self.threads[thread].atomic > 0
    }

    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    fn happens(&mut self, event: Event) {
        if let Some(executed) = self.record.as_mut().and_then(|record| record.last_mut()) {
            executed.events.push(event);
        }
    }

    /// The library function in which a thread waits, with what it was given; for a join, the thread that it waits for.
    pub fn waits_in_call(&self, thread: usize) -> Option<Event> {
        let frame = self.frame(thread);
        let instruction = &self.code.functions[frame.function.0 as usize].instructions[frame.pc];
        if let code::Kind::Statement(crate::il::Stmt { kind: StmtKind::Call { callee, args, .. }, .. }) =
            &instruction.kind
            && let (Some(Operation::Join | Operation::JoinC11), Callee::Function(id)) =
                (self.program().operation(callee), callee)
        {
            let target = self.clone().eval(thread, &args[0], &mut Zeros).ok()?.as_int();
            return Some(Event::Calls(*id, vec![format!("thread {}", target - 1)]));
        }
        // Of functions of the library that call each other, the one that waits; helpers have no name for the user.
        let frame = self.threads[thread].frames.iter().rev().find(|frame| {
            let function = self.program().function(frame.function);
            !function.name.starts_with("ut_")
        })?;
        let function = self.program().function(frame.function);
        if !matches!(function.kind, FunctionKind::Model) {
            return None;
        }
        let shown = |param: &LocalId| {
            let ty = function.locals[param.0 as usize].ty;
            let in_memory = frame.objects[param.0 as usize].is_some();
            let value = frame.registers[param.0 as usize].filter(|_| !in_memory);
            value.map_or(String::new(), |value| self.shown(value, ty))
        };
        Some(Event::Calls(frame.function, function.params.iter().map(shown).collect()))
    }

    /// The object of the thread library that a blocked thread waits for, if that can be told.
    fn awaited(&self, thread: usize) -> Option<Awaited> {
        let frame = self.threads[thread].frames.last()?;
        let function = self.program().function(frame.function);
        if !matches!(function.kind, FunctionKind::Model) {
            return None;
        }
        let ty = future::object_type(self.program(), frame.function, 0)?;
        let param = function.params.first()?.0 as usize;
        let address = frame.registers[param].filter(|_| frame.objects[param].is_none())?.as_int() as u64;
        let holds = |object: &Option<ObjectId>| {
            let object = object.map(|id| self.memory.object(id));
            object.is_some_and(|object| (object.base..object.base + object.bytes.len() as u64).contains(&address))
        };
        let variable = self.globals.iter().position(holds).map(|index| GlobalId(index as u32));
        Some(Awaited { ty, variable })
    }

    /// What a thread may still do.
    fn future(&self, thread: usize) -> u64 {
        let frames = self.threads[thread].frames.iter().map(|frame| (frame.function, frame.pc));
        self.code.futures().of_thread(frames)
    }

    /// The number of the statement that a thread executes next.
    pub fn next_origin(&self, thread: usize) -> u32 {
        let frame = self.frame(thread);
        self.code.functions[frame.function.0 as usize].instructions[frame.pc].origin
    }

    /// Where a thread stands, in the user's own code.
    pub fn position(&self, thread: usize) -> (FunctionId, Span) {
        for frame in self.threads[thread].frames.iter().rev() {
            let instruction = &self.code.functions[frame.function.0 as usize].instructions[frame.pc];
            if instruction.span != Span::default() {
                return (frame.function, instruction.span);
            }
        }
        (self.program().main, Span::default())
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.program().types.size(ty)
    }

    /// Registers that nobody reads any more hold nothing, so that they do not tell states apart.
    fn forget(&mut self, thread: usize, live: &[Vec<Registers>]) {
        for index in 0..self.threads[thread].frames.len() {
            let frame = &self.threads[thread].frames[index];
            let live = &live[frame.function.0 as usize][frame.pc];
            let is_dead = |(register, value): (usize, &Option<Value>)| value.is_some() && !live.contains(register);
            if frame.registers.iter().enumerate().any(is_dead) {
                let registers = &mut self.threads[thread].frames[index].registers;
                registers.iter_mut().enumerate().filter(|(at, _)| !live.contains(*at)).for_each(|(_, it)| *it = None);
            }
        }
    }

    fn is_running(&self, thread: usize) -> bool {
        self.threads[thread].status == Status::Running
    }

    fn frame(&self, thread: usize) -> &Frame {
        self.threads[thread].frames.last().expect("a running thread has a frame")
    }

    fn frame_mut(&mut self, thread: usize) -> &mut Frame {
        self.threads[thread].frames.last_mut().expect("a running thread has a frame")
    }

    fn in_memory(&self, function: FunctionId, local: LocalId) -> bool {
        self.code.functions[function.0 as usize].in_memory[local.0 as usize]
    }
}
