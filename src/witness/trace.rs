//! The counterexample as data: every form of it (text, page, JSON, replay) is made from this.
//!
//! It is part of the document that `--json` writes ([`super::document`]).

use super::follow::Plan;
use crate::diagnostic::Span;
use crate::execution::Execution;
use crate::il::interpret::race::{Race, Touch};
use crate::il::interpret::{Event, Executed, FailureKind, Turn};
use crate::il::print::{self, PrintOptions};
use crate::il::{AccessKind, Callee, DataModel, FunctionId, FunctionKind, ObjectAction, Program, StmtKind, walk};
use crate::source::Location;
use crate::unwritten::Unwritten;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    pub program: ProgramInfo,
    pub failure: FailureInfo,
    /// What led to the failure, in words.
    pub story: Vec<String>,
    /// The results of functions without body that this execution takes for granted, in words.
    pub rests_on: Vec<String>,
    pub threads: Vec<ThreadInfo>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// How to make it happen again.
    pub replay: Replay,
    /// The user's files that the steps name.
    pub sources: Vec<SourceFile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramInfo {
    pub file: String,
    /// `LP64` or `ILP32`.
    pub data_model: String,
    /// Of the normalized program: a trace belongs to exactly one.
    pub fingerprint: String,
    /// `tso` or `pso`, if stores wait in buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_model: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

/// `heap0.1` of `heap0.1.value` and of `heap0.1+4`.
fn heap_block(name: &str) -> Option<&str> {
    let numbers = name.strip_prefix("heap")?;
    let (_, number) = numbers.split_once('.')?;
    let rest = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
    Some(&name[..name.len() - rest.len()])
}

impl From<&Location> for Place {
    fn from(location: &Location) -> Place {
        Place { file: location.file.clone(), line: location.line }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureInfo {
    pub kind: String,
    pub message: String,
    pub thread: usize,
    pub place: Place,
    /// The line as it is in the user's file.
    pub text: String,
    /// The variables that the failing line reads.
    pub values: Vec<Value>,
    /// For a deadlock: who waits where, and for what.
    pub waits: Vec<Wait>,
    /// For a data race: the two accesses, the earlier one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<RacingAccess>,
}

/// One of two accesses that race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RacingAccess {
    pub thread: usize,
    pub place: Place,
    pub text: String,
    pub write: bool,
    pub atomic: bool,
    pub variable: String,
    /// What was read or written, if it is one value.
    pub value: Option<String>,
    /// The number of the step.
    pub step: Option<usize>,
    /// The locks that the thread held.
    pub holds: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    pub variable: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    pub thread: usize,
    pub place: Place,
    /// The function it waits in, if it is one of the library.
    pub function: Option<String>,
    /// What it was called with.
    pub object: Option<String>,
    /// The thread that holds the lock.
    pub held_by: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadInfo {
    pub number: usize,
    pub start: String,
    /// The thread that created it; none for `main`.
    pub creator: Option<usize>,
    /// Where it was created.
    pub place: Option<Place>,
}

/// What one thread did in one line, without a context switch in between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub number: usize,
    pub thread: usize,
    pub function: String,
    pub place: Place,
    pub text: String,
    /// Another thread ran before.
    pub switch: bool,
    /// It is shown if not all is asked for.
    pub matters: bool,
    pub accesses: Vec<Access>,
    pub locks: Vec<Lock>,
    pub inputs: Vec<String>,
    pub creates: Vec<usize>,
    pub joins: Vec<usize>,
    /// Memory that was freed.
    pub frees: Vec<String>,
    /// Memory that had been freed and was given out again.
    pub gets_again: Vec<String>,
    /// A wait ended without reason.
    pub wakes_without_reason: bool,
    /// Not a step of the thread: what it wrote before reaches memory now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<Value>,
    /// The thread ended.
    pub ends: bool,
    /// Who holds which lock after this step.
    pub held: Vec<Held>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    pub write: bool,
    /// Of an atomic access: `relaxed`, `acquire` and so on.
    pub order: Option<String>,
    pub variable: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    pub action: LockAction,
    pub object: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockAction {
    Locks,
    Unlocks,
    /// Begins to wait for a condition variable, and gives the lock away.
    Waits,
    Signals,
    Broadcasts,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    pub object: String,
    pub thread: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub file: String,
    pub text: String,
}

/// The execution as the interpreter and the replay take it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// One entry per scheduled step of the normalized program.
    pub units: Vec<Turn>,
    pub inputs: Vec<InputInfo>,
    /// What objects hold that nobody wrote, where that is known from their beginning.
    pub contents: Vec<ContentInfo>,
    /// What memory holds that nobody wrote, in the order in which it is read; zero after the end.
    pub unwritten: Vec<u64>,
    /// For a data race: where the two accesses stand in the preprocessed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<[Bytes; 2]>,
}

/// A piece of the preprocessed text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bytes {
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputInfo {
    pub thread: usize,
    /// The number of the statement that takes the values.
    pub statement: u32,
    pub values: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentInfo {
    pub thread: usize,
    /// The number of the statement that makes the objects.
    pub statement: u32,
    /// The bytes of each, in the order in which they are made.
    pub objects: Vec<Vec<u8>>,
}

impl Replay {
    fn new(plan: &Plan, ran: &Execution) -> Replay {
        let mut keys: Vec<&(usize, u32)> = plan.inputs.keys().collect();
        keys.sort_unstable();
        let inputs = keys.into_iter().map(|key| InputInfo {
            thread: key.0,
            statement: key.1,
            values: plan.inputs[key].iter().copied().collect(),
        });
        let mut keys: Vec<&(usize, u32)> = plan.contents.keys().collect();
        keys.sort_unstable();
        let contents = keys.into_iter().map(|key| ContentInfo {
            thread: key.0,
            statement: key.1,
            objects: plan.contents[key].iter().cloned().collect(),
        });
        let length = ran.unwritten.iter().rposition(|value| *value != 0).map_or(0, |last| last + 1);
        Replay {
            units: plan.units.clone(),
            inputs: inputs.collect(),
            contents: contents.collect(),
            unwritten: ran.unwritten[..length].to_vec(),
            race: plan.race.map(|(a, b)| [a, b].map(|span| Bytes { start: span.start, end: span.end })),
        }
    }

    /// The plan that a trace describes.
    pub fn plan(&self) -> Plan {
        let inputs = self.inputs.iter().map(|input| {
            let values = input.values.iter().copied().collect();
            ((input.thread, input.statement), values)
        });
        let unwritten = Unwritten::Listed(self.unwritten.clone());
        let contents = self.contents.iter().map(|content| {
            let objects = content.objects.iter().cloned().collect();
            ((content.thread, content.statement), objects)
        });
        let span = |bytes: Bytes| Span { start: bytes.start, end: bytes.end };
        let race = self.race.map(|[a, b]| (span(a), span(b)));
        Plan { units: self.units.clone(), inputs: inputs.collect(), contents: contents.collect(), unwritten, race }
    }
}

/// A number that tells programs apart (FNV-1a of their normalized text).
pub fn fingerprint(program: &Program) -> String {
    let text = print::print(program, PrintOptions { mark_visible: true, ..PrintOptions::default() });
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

pub fn data_model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    }
}

/// Makes the trace of a plan that was executed on the normalized program.
pub fn trace(program: &Program, plan: &Plan, ran: &Execution) -> Trace {
    let mut builder = Builder {
        program,
        lines: Lines::default(),
        steps: Vec::new(),
        threads: Vec::new(),
        calls: FxHashMap::default(),
        held: Vec::new(),
    };
    builder.thread(0, program.function(program.main).name.clone(), None);
    for executed in &ran.record {
        builder.executed(executed);
    }
    builder.finish(plan, ran)
}

/// What functions without body returned in this execution.
fn rests_on(program: &Program, ran: &Execution) -> Vec<String> {
    let mut unknown: FxHashMap<u32, &str> = FxHashMap::default();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee: Callee::Function(id), .. } = &stmt.kind
                && matches!(program.function(*id).kind, FunctionKind::External)
            {
                unknown.insert(stmt.origin, &program.function(*id).name);
            }
        });
    }
    let mut lines: Vec<String> = Vec::new();
    for executed in &ran.record {
        let Some(name) = unknown.get(&executed.origin) else { continue };
        for event in &executed.events {
            if let Event::Input(value) = event {
                let line = format!("{name}() returns {value} in {}", program.source.location(executed.span));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// The user's lines, before macros; as they were read if a file is not there any more.
#[derive(Default)]
struct Lines {
    files: FxHashMap<String, Option<String>>,
}

impl Lines {
    fn text(&mut self, program: &Program, place: &Location, span: crate::diagnostic::Span) -> String {
        let original = self.file(&place.file).and_then(|text| {
            let line = text.lines().nth((place.line as usize).checked_sub(1)?)?;
            Some(line.trim().to_owned())
        });
        original.unwrap_or_else(|| {
            let source = &program.source;
            let start = source.line_starts[source.line_index(span.start)] as usize;
            source.text[start..].lines().next().unwrap_or("").trim().to_owned()
        })
    }

    fn file(&mut self, name: &str) -> Option<&String> {
        let read = || std::fs::read(name).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        self.files.entry(name.to_owned()).or_insert_with(read).as_ref()
    }
}

/// Of one step, at its beginning and at its end.
const SHOWN_ACCESSES: usize = 100;

struct Builder<'p> {
    program: &'p Program,
    lines: Lines,
    steps: Vec<Step>,
    threads: Vec<ThreadInfo>,
    /// The library functions that each thread is in.
    calls: FxHashMap<usize, Vec<(FunctionId, Vec<String>)>>,
    /// Once for every time that a lock is held.
    held: Vec<Held>,
}

impl Builder<'_> {
    fn place(&self, span: crate::diagnostic::Span) -> Location {
        self.program.source.location(span)
    }

    fn thread(&mut self, number: usize, start: String, created: Option<(usize, Place)>) {
        let (creator, place) = created.unzip();
        self.threads.push(ThreadInfo { number, start, creator, place });
    }

    fn executed(&mut self, executed: &Executed) {
        let location = self.place(executed.span);
        let place = Place::from(&location);
        let function = self.program.function(executed.user_function).name.clone();
        // The first that a thread executes is in its start function.
        let unknown = |info: &&mut ThreadInfo| info.number == executed.thread && info.start.is_empty();
        if let Some(info) = self.threads.iter_mut().find(unknown) {
            info.start.clone_from(&function);
        }
        let reaches = executed.events.iter().any(|event| matches!(event, Event::Reaches { .. }));
        let same = !reaches
            && self.steps.last().is_some_and(|last| {
                let here = last.thread == executed.thread && last.place == place && last.function == function;
                here && last.reaches.is_empty()
            });
        if !same {
            let switch = self.steps.last().is_some_and(|last| last.thread != executed.thread);
            self.steps.push(Step {
                number: self.steps.len() + 1,
                thread: executed.thread,
                function,
                text: self.lines.text(self.program, &location, executed.span),
                place,
                switch,
                matters: false,
                accesses: Vec::new(),
                locks: Vec::new(),
                inputs: Vec::new(),
                creates: Vec::new(),
                joins: Vec::new(),
                frees: Vec::new(),
                gets_again: Vec::new(),
                wakes_without_reason: false,
                reaches: Vec::new(),
                ends: false,
                held: Vec::new(),
            });
        }
        for event in &executed.events {
            self.event(executed, event, &location);
        }
        self.last().held = Vec::new();
        for held in self.held.clone() {
            if !self.last().held.contains(&held) {
                self.last().held.push(held);
            }
        }
    }

    /// A loop in one line may have any number of accesses: the first and the last tell enough.
    fn access(&mut self, access: Access) {
        let accesses = &mut self.last().accesses;
        if accesses.len() >= 2 * SHOWN_ACCESSES {
            accesses.remove(SHOWN_ACCESSES);
        }
        accesses.push(access);
    }

    fn last(&mut self) -> &mut Step {
        self.steps.last_mut().expect("a step was begun")
    }

    fn event(&mut self, executed: &Executed, event: &Event, location: &Location) {
        let thread = executed.thread;
        // What the thread library does to its own objects is told in other words; strcpy() and so on work for the user.
        let function = self.program.function(executed.function);
        let threads = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "call_once", "ut_"];
        let in_library = matches!(function.kind, FunctionKind::Model)
            && threads.iter().any(|prefix| function.name.starts_with(prefix));
        match event {
            Event::Access { write, ty, kind, name, value, .. } => {
                if !in_library {
                    let ty = print::type_text(self.program, *ty);
                    let order = match kind {
                        AccessKind::Atomic(_) => kind.word().map(str::to_owned),
                        AccessKind::Plain | AccessKind::Volatile | AccessKind::Neighbour => None,
                    };
                    self.access(Access { write: *write, order, variable: name.clone(), ty, value: value.clone() });
                }
            }
            Event::Settles { place, ty, value, .. } => {
                if !in_library {
                    let ty = print::type_text(self.program, *ty);
                    let value = format!("{value} (nobody wrote it)");
                    self.access(Access { write: false, order: None, variable: place.clone(), ty, value });
                }
            }
            Event::Input(value) => {
                if !in_library {
                    self.last().inputs.push(value.clone());
                }
            }
            Event::Calls(function, args) => self.calls.entry(thread).or_default().push((*function, args.clone())),
            Event::Returns(function, value) => {
                let called = self.calls.entry(thread).or_default();
                if let Some((_, args)) = called.pop().filter(|(called, _)| called == function) {
                    let fine = value.is_none_or(|value| value.as_int() == 0);
                    if let Some(action) = self.program.function(*function).does.filter(|_| fine) {
                        self.library_call(thread, action, &args);
                    }
                }
            }
            Event::Creates(child) => {
                self.last().creates.push(*child);
                self.thread(*child, String::new(), Some((thread, location.into())));
            }
            Event::Joins(other) => self.last().joins.push(*other),
            Event::WakesUp => self.last().wakes_without_reason = true,
            Event::Ends => self.last().ends = true,
            // For bounded threads, and for the replay.
            Event::Store { .. } | Event::LeavesBuffer(_) => {}
            Event::Reaches { name, value } => {
                let reaches = Value { variable: name.clone(), value: value.clone() };
                self.last().reaches.push(reaches);
            }
            Event::Frees(name) => self.last().frees.push(name.clone()),
            Event::Allocates { again } => {
                self.last().gets_again.extend(again.map(|(owner, number)| format!("heap{owner}.{number}")));
            }
        }
    }

    fn library_call(&mut self, thread: usize, action: ObjectAction, args: &[String]) {
        let argument =
            |index: usize| args.get(index).map_or(String::new(), |arg: &String| arg.trim_start_matches('&').to_owned());
        let object = argument(0);
        let action = match action {
            ObjectAction::Locks | ObjectAction::LocksShared | ObjectAction::Tries | ObjectAction::TriesShared => {
                self.held.push(Held { object: object.clone(), thread });
                LockAction::Locks
            }
            ObjectAction::Unlocks => {
                self.release(thread, &object);
                LockAction::Unlocks
            }
            ObjectAction::Waits => {
                self.release(thread, &argument(1));
                LockAction::Waits
            }
            ObjectAction::Signals => LockAction::Signals,
            ObjectAction::Broadcasts => LockAction::Broadcasts,
            ObjectAction::Sleeps
            | ObjectAction::Uses
            | ObjectAction::Initializes
            | ObjectAction::Prepares
            | ObjectAction::UsesPrepared => return,
        };
        self.last().locks.push(Lock { action, object });
    }

    fn release(&mut self, thread: usize, object: &str) {
        let at = self.held.iter().rposition(|held| held.object == object && held.thread == thread);
        if let Some(at) = at {
            self.held.remove(at);
        }
    }

    fn finish(mut self, plan: &Plan, ran: &Execution) -> Trace {
        self.mark_what_matters(ran);
        let failure = self.failure(ran);
        let mut sources: Vec<SourceFile> = Vec::new();
        let mut files: Vec<String> = self.steps.iter().map(|step| step.place.file.clone()).collect();
        files.sort();
        files.dedup();
        for file in files {
            if let Some(text) = self.lines.file(&file) {
                sources.push(SourceFile { file, text: text.clone() });
            }
        }
        let mut trace = Trace {
            program: ProgramInfo {
                file: self.program.source.name.clone(),
                data_model: data_model_name(self.program.types.model).to_owned(),
                fingerprint: fingerprint(self.program),
                memory_model: self.program.buffering.map(|buffering| buffering.name().to_owned()),
            },
            failure,
            story: Vec::new(),
            rests_on: rests_on(self.program, ran),
            threads: self.threads,
            steps: self.steps,
            replay: Replay::new(plan, ran),
            sources,
        };
        trace.story = super::story::story(&trace);
        trace
    }

    /// Steps that touch what two threads touch, use locks, or begin and end threads.
    fn mark_what_matters(&mut self, ran: &Execution) {
        let mut users: FxHashMap<&str, (Option<usize>, bool)> = FxHashMap::default();
        for step in &self.steps {
            for access in &step.accesses {
                let user = users.entry(&access.variable).or_insert((Some(step.thread), false));
                if user.0 != Some(step.thread) {
                    user.0 = None;
                }
                user.1 |= access.write;
            }
        }
        let shared: Vec<String> = users
            .iter()
            .filter(|(_, (user, written))| user.is_none() && *written)
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let last = self.steps.len();
        let fails = |step: &Step| step.number == last && ran.failure.kind != FailureKind::Deadlock;
        for step in &mut self.steps {
            step.matters = step.accesses.iter().any(|access| shared.contains(&access.variable))
                || !step.locks.is_empty()
                || !step.inputs.is_empty()
                || !step.creates.is_empty()
                || !step.joins.is_empty()
                || !step.frees.is_empty()
                || !step.gets_again.is_empty()
                || step.wakes_without_reason
                || !step.reaches.is_empty()
                || fails(step);
        }
    }

    fn failure(&mut self, ran: &Execution) -> FailureInfo {
        let failure = &ran.failure;
        let location = self.place(failure.span);
        let place = Place::from(&location);
        let mut values: Vec<Value> = Vec::new();
        let last = self.steps.last().filter(|step| step.place == place && failure.kind != FailureKind::Deadlock);
        for access in last.iter().flat_map(|step| &step.accesses) {
            let known = values.iter_mut().find(|value| value.variable == access.variable);
            match known {
                Some(known) => known.value.clone_from(&access.value),
                None => values.push(Value { variable: access.variable.clone(), value: access.value.clone() }),
            }
        }
        let waits = ran.blocked.iter().map(|blocked| self.wait(blocked)).collect();
        let accesses = match &failure.race {
            Some(race) => [&race.first, &race.second].map(|touch| self.racing(race, touch)).to_vec(),
            None => Vec::new(),
        };
        FailureInfo {
            kind: failure.kind.name().to_owned(),
            message: failure.message.clone(),
            thread: failure.thread,
            text: self.lines.text(self.program, &location, failure.span),
            place,
            values,
            waits,
            accesses,
        }
    }

    fn racing(&mut self, race: &Race, touch: &Touch) -> RacingAccess {
        let location = self.place(touch.span);
        let place = Place::from(&location);
        let here = |step: &&Step| step.thread == touch.thread && step.place == place;
        let made = |access: &&Access| access.write == touch.write;
        // Several accesses may stand in one line: it is the one to this memory, or to a part of it.
        let exact = |access: &&Access| made(access) && access.variable == race.name;
        let part = |access: &&Access| {
            let within = access.variable.starts_with(&race.name) || race.name.starts_with(&access.variable);
            made(access)
                && (within || heap_block(&access.variable).is_some_and(|block| Some(block) == heap_block(&race.name)))
        };
        let there = || self.steps.iter().rev().filter(here);
        let found = there().find_map(|step| Some((step, step.accesses.iter().rev().find(exact)?)));
        let found = found.or_else(|| there().find_map(|step| Some((step, step.accesses.iter().rev().find(part)?))));
        let step = found.map(|(step, _)| step).or_else(|| there().find(|step| !step.frees.is_empty() && touch.write));
        let step = step.or_else(|| there().next());
        let access = found.map(|(_, access)| access).filter(|access| !access.variable.is_empty());
        let variable = access.map_or_else(|| race.name.clone(), |access| access.variable.clone());
        let held = step.iter().flat_map(|step| &step.held).filter(|held| held.thread == touch.thread);
        RacingAccess {
            thread: touch.thread,
            write: touch.write,
            atomic: touch.atomic.is_some(),
            variable,
            value: access.map(|access| access.value.clone()),
            step: step.map(|step| step.number),
            holds: held.map(|held| held.object.clone()).collect(),
            text: self.lines.text(self.program, &location, touch.span),
            place,
        }
    }

    fn wait(&self, blocked: &Executed) -> Wait {
        let location = self.place(blocked.span);
        let called = blocked.events.iter().find_map(|event| match event {
            Event::Calls(function, args) => Some((self.program.function(*function).name.clone(), args.clone())),
            _ => None,
        });
        let (function, object) = match called {
            Some((name, args)) => (Some(name), args.first().map(|arg| arg.trim_start_matches('&').to_owned())),
            None => (None, None),
        };
        let held_by = self.held.iter().find(|held| Some(&held.object) == object.as_ref()).map(|held| held.thread);
        Wait { thread: blocked.thread, place: (&location).into(), function, object, held_by }
    }
}
