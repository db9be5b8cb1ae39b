//! Runs a counterexample with real threads: the normalized program, with a scheduler in front of every visible step
//! and the recorded inputs, compiled and executed.
//!
//! The functions of the thread library are those of `c/model`, compiled with the program: only so does the schedule
//! decide who gets a lock, which thread a signal wakes, and when a wait ends without reason.

use super::follow::{declarations, is_step, run, visible_origins};
use super::trace::{Trace, data_model_name, fingerprint};
use crate::analysis::drains;
use crate::budget::Budget;
use crate::execution::{Execution, Taken};
use crate::il::interpret::race::Touch;
use crate::il::interpret::{Code, Event, Executed, FailureKind, MOST_GIVEN_AGAIN, UNINITIALIZED_LOCK};
use crate::il::print::{self, Hooks, Touched};
use crate::il::types::FunctionType;
use crate::il::{
    AccessKind, Callee, Expr, ExprKind, FloatKind, Function, FunctionId, FunctionKind, IntKind, Local, LocalId,
    Operation, Place, Program, Stmt, StmtKind, Type, TypeId, walk,
};
use crate::process::{Ended, Run, run as run_command};
use crate::property::{ErrorKind, Property};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const RUNTIME: &str = include_str!("replay.c");

/// Exit statuses of the replayed program.
const SAME_FAILURE: i32 = 77;
const HANGS: i32 = 79;
/// Seconds that a replay may take.
pub const SECONDS: u32 = 10;

/// A program of its own, with all that it needs: names and texts of its files.
pub struct Emitted {
    pub files: Vec<(&'static str, String)>,
    arguments: Vec<String>,
    /// It shows a data race, which ThreadSanitizer can see as well.
    race: bool,
}

/// It failed in the same way, in the same place.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub output: String,
    /// Did ThreadSanitizer report the same race? `None` if it was not asked.
    pub sanitizer: Option<bool>,
}

/// ThreadSanitizer remembers four accesses to eight bytes and forgets one of them at random for a fifth: an execution in which
/// others access the neighbours as well shows the race in some runs only (two of five, measured).
const SANITIZED_RUNS: usize = 20;

/// Does ThreadSanitizer report a race of the two accesses that the scheduler told?
fn reports_race(messages: &str) -> bool {
    let number = |text: &str| {
        let text = text.trim_start_matches("0x");
        let digits = text.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(text.len());
        u64::from_str_radix(&text[..digits], 16).ok()
    };
    let told: Vec<(u64, u64)> = messages
        .lines()
        .filter(|line| line.starts_with("replay: "))
        .flat_map(|line| line.match_indices(" bytes at 0x").map(move |(at, _)| (line, at)))
        .filter_map(|(line, at)| {
            let size: u64 = line[..at].rsplit(' ').next()?.parse().ok()?;
            Some((number(&line[at + " bytes at ".len()..])?, size))
        })
        .collect();
    let (mut seen, mut reported) = (Vec::new(), false);
    for line in messages.lines() {
        if line.contains("WARNING: ThreadSanitizer: data race") {
            seen.clear();
        }
        if let Some(at) = line.find(" at 0x").filter(|_| line.contains(" of size ")) {
            seen.extend(number(&line[at + " at ".len()..]));
        }
        let within =
            |address: &u64| told.iter().any(|(start, size)| (*start..start + (*size).max(1)).contains(address));
        reported |= seen.len() >= 2 && seen[..2].iter().all(within);
    }
    reported
}

/// Does the trace belong to this program?
pub fn check_trace(program: &Program, trace: &Trace) -> Result<Execution, String> {
    let model = data_model_name(program.types.model);
    if trace.program.data_model != model {
        let option = if trace.program.data_model == "ILP32" { "--32" } else { "--64" };
        return Err(format!("it was made for the data model {}; say {option}", trace.program.data_model));
    }
    if trace.program.fingerprint != fingerprint(program) {
        return Err(format!("it was made for another program, or for an older text of {}", trace.program.file));
    }
    let named = |kind: &ErrorKind| kind.failures().iter().any(|failure| failure.name() == trace.failure.kind);
    let kinds: Vec<ErrorKind> = ErrorKind::ALL.iter().copied().filter(named).collect();
    // Where leaks were looked for as well, there are more steps.
    let with_leaks = kinds.iter().copied().chain([ErrorKind::Leak]);
    let ran = repeats(program, trace, Property::new(kinds.clone()));
    ran.or_else(|why| repeats(program, trace, Property::new(with_leaks)).map_err(|_| why))
}

/// Executes the trace, which must fail as it says.
fn repeats(program: &Program, trace: &Trace, property: Property) -> Result<Execution, String> {
    let code = Code::looking_for(program, &property);
    let ran = run(&code, &trace.replay.plan()).map_err(|why| format!("it is damaged: {why}"))?;
    let place = program.source.location(ran.failure.span);
    let failure = &trace.failure;
    let same = ran.failure.kind.name() == failure.kind
        && ran.failure.message == failure.message
        && ran.failure.thread == failure.thread
        && (&place.file, place.line) == (&failure.place.file, failure.place.line);
    if !same || ran.units != trace.replay.units.len() {
        let (kind, message) = (ran.failure.kind.name(), &ran.failure.message);
        return Err(format!("it is damaged: its execution ends otherwise, with {place}: {kind}: {message}"));
    }
    Ok(ran)
}

/// Prints the program that replays a trace. `Err` says which part of it cannot be replayed.
pub fn emit(program: &Program, trace: &Trace, ran: &Execution) -> Result<Emitted, String> {
    if ran.failure.message == UNINITIALIZED_LOCK {
        return Err("a machine does not notice that a lock was never initialized".to_owned());
    }
    if matches!(ran.failure.kind, FailureKind::Leak | FailureKind::Left) {
        return Err("what is left shows only after the end of the process".to_owned());
    }
    if ran.failure.kind == FailureKind::Race && touches(program, ran).len() < 2 {
        return Err("it is not known which statements race".to_owned());
    }
    if ran.failure.kind == FailureKind::Memory && !given_again(ran).is_empty() {
        return Err(
            "AddressSanitizer does not let memory be used that was freed, and here it is given out again".to_owned()
        );
    }
    let hooks = hooks(program, trace, ran);
    if let Some(what) = cannot_wait(program, &hooks) {
        return Err(format!("the replay has no buffer for {what}"));
    }
    let mut single = FxHashSet::default();
    for function in program.functions.iter().filter(|_| hooks.atomics) {
        single_operations(program, &function.body, &function.locals, &mut single);
    }
    let mut adapted = Adapter { program: program.clone(), single, refused: None, unknown: Vec::new() };
    adapted.adapt();
    if let Some(refused) = adapted.refused {
        return Err(refused);
    }
    let program_text = format!(
        "/* {}, with a scheduler in front of every visible step: see replay.c */\n\
         extern void __replay_step(int);\nextern void __replay_hold(int);\nextern void __replay_here(int);\n\
         extern void __replay_loop(void);\nextern int __replay_settles(int);\n\
         extern void __replay_settle(int, void *);\nextern int __replay_passed(int);\n\
         extern void __replay_touch(int, void *, unsigned long);\nextern int __replay_touched(int, int);\n\
         extern void __replay_atomic_begin(void);\nextern void __replay_atomic_end(void);\n\
         extern void __replay_loads(void *, int);\nextern int __replay_stores(void *, int);\n\
         extern void __replay_store(void *, const void *, unsigned, int);\nextern void *__replay_seen(void *, unsigned);\n{}{}",
        comment(&trace.program.file),
        print::print_with_hooks(&adapted.program, &hooks),
        ends(&adapted.program),
    );
    let memory = ran.failure.kind == FailureKind::Memory;
    let mut arguments: Vec<String> =
        ["-w", "-g", "-O0", "-std=gnu11", "-fno-builtin", "-pthread"].map(str::to_owned).to_vec();
    // Where overflow is not the failure, it wraps.
    let arithmetic: &[&str] = match ran.failure.kind {
        FailureKind::Overflow => {
            &["-fsanitize=signed-integer-overflow,shift,float-cast-overflow", "-fsanitize-undefined-trap-on-error"]
        }
        _ => &["-fwrapv"],
    };
    arguments.extend(arithmetic.iter().map(|argument| (*argument).to_owned()));
    arguments.push(if trace.program.data_model == "ILP32" { "-m32" } else { "-m64" }.to_owned());
    if memory {
        arguments.extend(["-fsanitize=address".to_owned(), "-DREPLAY_FREES".to_owned()]);
    }
    let makefile = format!(
        "# Replays a counterexample with real threads: `make run` succeeds if it fails as recorded.\n\
         CC ?= cc\nCFLAGS = {}\n\nreplay: program.c replay.c schedule.h\n\t$(CC) $(CFLAGS) -o $@ program.c replay.c -lm\n\n\
         run: replay\n\t./replay; test $$? = {SAME_FAILURE}\n\nclean:\n\trm -f replay\n\n.PHONY: run clean\n",
        arguments.join(" ")
    );
    let files = vec![
        ("program.c", program_text),
        ("replay.c", RUNTIME.to_owned()),
        ("schedule.h", schedule(program, trace, ran, &hooks) + &unknown_functions(&adapted.unknown)),
        ("Makefile", makefile),
    ];
    Ok(Emitted { files, arguments, race: shows_race(trace, ran) })
}

fn comment(text: &str) -> String {
    text.replace("*/", "")
}

impl Emitted {
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        self.files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    }

    /// Runs the compiler in a folder.
    fn compile(&self, folder: &Path, compiler: &str, more: &[&str], budget: &Budget) -> Run {
        // The compiler's own temporary files go where they are removed with the rest.
        let mut arguments = vec![format!("TMPDIR={}", folder.display())];
        arguments.extend(compiler.split_whitespace().map(str::to_owned));
        arguments.extend(self.arguments.iter().cloned());
        let in_folder = |name: &&str| match name.ends_with(".c") || name.ends_with(".o") || name.starts_with("replay") {
            true => folder.join(name).to_string_lossy().into_owned(),
            false => (*name).to_owned(),
        };
        arguments.extend(more.iter().map(in_folder));
        run_command("env", &arguments, budget)
    }

    /// ThreadSanitizer reports the very race: the program with its instrumentation, under a scheduler without. `None` if the
    /// compiler has no ThreadSanitizer for this machine.
    fn sanitized(&self, folder: &Path, compiler: &str, budget: &Budget) -> Option<bool> {
        let fine = |finished: Run| matches!(finished.ended, Ended::Exited(0)).then_some(());
        fine(self.compile(folder, compiler, &["-c", "-o", "replay.o", "replay.c"], budget))?;
        let program = ["-fsanitize=thread", "-o", "replay_tsan", "program.c", "replay.o", "-lm"];
        fine(self.compile(folder, compiler, &program, budget))?;
        let binary = folder.join("replay_tsan").to_string_lossy().into_owned();
        for _ in 0..SANITIZED_RUNS {
            let ran = run_command(&binary, &[], budget);
            if ran.messages.contains("FATAL: ThreadSanitizer") {
                return None;
            }
            if reports_race(&ran.messages) {
                return Some(true);
            }
            if !matches!(ran.ended, Ended::Exited(SAME_FAILURE)) {
                break;
            }
        }
        Some(false)
    }

    /// Compiles and runs it in a folder; what it printed, or why it did not fail as recorded.
    pub fn run(&self, folder: &Path, compiler: &str, budget: &Budget) -> Result<Replayed, String> {
        self.write(folder).map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
        let files = ["-o", "replay", "program.c", "replay.c", "-lm"];
        let compiled = self.compile(folder, compiler, &files, budget);
        match compiled.ended {
            Ended::Exited(0) => {}
            Ended::CannotStart(_) | Ended::Exited(127) => return Err(format!("there is no C compiler `{compiler}`")),
            Ended::Exited(_) => {
                let error = compiled.messages.lines().find(|line| line.contains("error")).unwrap_or("").trim();
                return Err(format!("the C compiler does not accept the program: {error}"));
            }
            other => return Err(other.explain(compiler)),
        }
        let ran = run_command(&folder.join("replay").to_string_lossy(), &[], budget);
        let last = ran.messages.lines().rfind(|line| line.starts_with("replay: ")).unwrap_or("").to_owned();
        match ran.ended {
            Ended::Exited(SAME_FAILURE) => {
                let sanitizer = if self.race { self.sanitized(folder, compiler, budget) } else { None };
                Ok(Replayed { output: ran.output + &ran.messages, sanitizer })
            }
            Ended::Exited(HANGS) | Ended::OutOfTime => Err(format!("it does not end within {SECONDS} s")),
            Ended::Exited(_) if !last.is_empty() => Err(last.trim_start_matches("replay: ").to_owned()),
            other => Err(other.explain("the replay")),
        }
    }
}

/// Replays a trace that belongs to the program, in a folder that is removed again.
pub fn replay(
    program: &Program,
    trace: &Trace,
    ran: &Execution,
    compiler: &str,
    budget: &Budget,
) -> Result<Replayed, String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("unthread-replay-{}-{number}", std::process::id()));
    let result = emit(program, trace, ran)?.run(&folder, compiler, budget);
    let _ = std::fs::remove_dir_all(&folder);
    let declared = declarations(program);
    let unwritten = || {
        ran.unwritten.iter().any(|value| *value != 0)
            || !trace.replay.contents.is_empty()
            || trace.replay.inputs.iter().any(|input| declared.contains(&input.statement))
    };
    result.map_err(|why| match unwritten() {
        true => format!("it depends on what memory holds that nobody wrote, which is not the same there ({why})"),
        false => why,
    })
}

/// The statements that need more than a step.
fn hooks(program: &Program, trace: &Trace, ran: &Execution) -> Hooks {
    let failing = match ran.failure.kind {
        FailureKind::Deadlock => 0,
        _ => ran.record.iter().rfind(|executed| executed.thread == ran.failure.thread).map_or(0, |last| last.origin),
    };
    let mut settles: Vec<(u32, String)> = Vec::new();
    for settled in settled(program, ran) {
        let key = (settled.statement, settled.place);
        if !settles.contains(&key) {
            settles.push(key);
        }
    }
    let touches = touches(program, ran)
        .iter()
        .map(|touch| Touched { statement: touch.statement, write: touch.write, size: touch.size })
        .collect();
    let holds = held(trace, ran).into_iter().map(|(_, statement)| statement).collect();
    let buffered = drains::buffered_stores(program);
    Hooks { failing, holds, settles, touches, atomics: shows_race(trace, ran), buffered }
}

/// What the replayed program cannot put into a buffer.
fn cannot_wait(program: &Program, hooks: &Hooks) -> Option<&'static str> {
    let mut found = None;
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign { to, .. }
                if hooks.buffered.contains_key(&stmt.origin) && print::is_bit_field(program, to) =>
            {
                found = Some("bit-fields");
            }
            StmtKind::Call { to: Some(_), .. } if hooks.buffered.contains_key(&stmt.origin) => {
                found = Some("what a call returns");
            }
            _ => {}
        });
    }
    found
}

/// Does it show a race that ThreadSanitizer can see as well?
fn shows_race(trace: &Trace, ran: &Execution) -> bool {
    ran.failure.kind == FailureKind::Race && trace.program.data_model == "LP64"
}

/// Where sections begin and end that are a single atomic operation, or accesses to neighbouring bit-fields: they order no
/// more than these accesses do.
fn single_operations(program: &Program, block: &[Stmt], locals: &[Local], found: &mut FxHashSet<u32>) {
    let operation = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Call { callee, .. } => program.operation(callee),
        _ => None,
    };
    for (at, stmt) in block.iter().enumerate() {
        stmt.kind.blocks().into_iter().for_each(|inner| single_operations(program, inner, locals, found));
        if operation(stmt) != Some(Operation::AtomicBegin) {
            continue;
        }
        let Some(length) = block[at + 1..].iter().position(|stmt| operation(stmt) == Some(Operation::AtomicEnd)) else {
            continue;
        };
        let (inside, end) = (&block[at + 1..at + 1 + length], &block[at + 1 + length]);
        let (mut single, mut kinds) = (true, FxHashSet::default());
        walk::statements(inside, &mut |stmt| {
            single &= !matches!(stmt.kind, StmtKind::Call { .. });
            walk::accesses(stmt, &mut |place, _| {
                if print::is_register(place, locals) {
                    return;
                }
                kinds.insert(std::mem::discriminant(&place.access));
                single &= match place.access {
                    AccessKind::Atomic(_) => print::is_machine_atomic(program, place),
                    AccessKind::Neighbour => true,
                    AccessKind::Plain | AccessKind::Volatile => false,
                };
            });
        });
        if single && kinds.len() == 1 {
            found.extend([stmt.origin, end.origin]);
        }
    }
}

/// One of the two accesses of a race: who makes it, in which unit, by which statement.
struct Access {
    thread: usize,
    unit: usize,
    statement: u32,
    write: bool,
    size: u64,
}

/// The two accesses of a race, if the failure is one.
fn touches(program: &Program, ran: &Execution) -> Vec<Access> {
    let visible = visible_origins(program);
    let Some(race) = &ran.failure.race else { return Vec::new() };
    let find = |touch: &Touch| {
        let by = |executed: &Executed| executed.thread == touch.thread && executed.span == touch.span;
        let accesses = |executed: &Executed| {
            executed.events.iter().any(|event| match event {
                Event::Access { write, address, .. } => {
                    *write == touch.write && (touch.address..touch.address + touch.size.max(1)).contains(address)
                }
                _ => false,
            })
        };
        let named = ran.record.iter().rposition(|executed| by(executed) && accesses(executed));
        let at = named.or_else(|| ran.record.iter().rposition(by))?;
        let unit =
            ran.record[..=at].iter().filter(|executed| executed.begins && visible.contains(&executed.origin)).count();
        Some(Access {
            thread: touch.thread,
            unit: unit.checked_sub(1)?,
            statement: ran.record[at].origin,
            write: touch.write,
            size: touch.size,
        })
    };
    [&race.first, &race.second].into_iter().filter_map(find).collect()
}

/// A place that nobody wrote, and the value with which it is read first. Zero needs no mention.
struct Settled {
    thread: usize,
    statement: u32,
    /// How often the thread came by this statement before.
    pass: usize,
    place: String,
    size: u64,
    value: u64,
}

fn settled(program: &Program, ran: &Execution) -> Vec<Settled> {
    let mut passes: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut all = Vec::new();
    for Executed { thread, origin, events, .. } in &ran.record {
        let pass = passes.entry((*thread, *origin)).or_insert(0);
        for event in events {
            if let Event::Settles { place, ty, bits, .. } = event
                && *bits != 0
            {
                let (thread, statement, pass, size) = (*thread, *origin, *pass, program.types.size(*ty));
                all.push(Settled { thread, statement, pass, place: place.clone(), size, value: *bits });
            }
        }
        *pass += 1;
    }
    all
}

/// Threads that are held before a failure that nobody looks for, with the statement that fails.
fn held(trace: &Trace, ran: &Execution) -> Vec<(usize, u32)> {
    let threads: Vec<usize> = trace.replay.units.iter().filter(|unit| unit.held).map(|unit| unit.thread).collect();
    let last = |thread: usize| ran.record.iter().rfind(|executed| executed.thread == thread);
    threads.into_iter().filter_map(|thread| Some((thread, last(thread)?.origin))).collect()
}

/// Statements that allocate: what they take from a plan is told by `given_again`.
fn allocations(program: &Program) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind
                && let Some(Operation::Malloc | Operation::Calloc | Operation::Realloc) = program.operation(callee)
            {
                found.insert(stmt.origin);
            }
        });
    }
    found
}

/// Allocations that get memory again: the thread, which of its allocations it is, and the block.
fn given_again(ran: &Execution) -> Vec<String> {
    let mut counts: FxHashMap<usize, u32> = FxHashMap::default();
    let mut found = Vec::new();
    for executed in &ran.record {
        for event in &executed.events {
            let Event::Allocates { again } = event else { continue };
            let count = counts.entry(executed.thread).or_default();
            let thread = executed.thread;
            found.extend(again.map(|(owner, number)| format!("    {{{thread}, {count}, {owner}, {number}}},\n")));
            *count += 1;
        }
    }
    found
}

/// What differs from trace to trace, for `replay.c`.
fn schedule(program: &Program, trace: &Trace, ran: &Execution, hooks: &Hooks) -> String {
    let visible = visible_origins(program);
    let step = |executed: &Executed| {
        // A store that reaches memory is told by its place in the buffer.
        let leaves = executed.events.iter().find_map(|event| match event {
            Event::LeavesBuffer(at) => Some(-1 - *at as i64),
            _ => None,
        });
        let begins = executed.begins && visible.contains(&executed.origin);
        let what = leaves.or(begins.then_some(i64::from(executed.origin)))?;
        Some(format!("    {{{}, {what}}},\n", executed.thread))
    };
    let steps: Vec<String> = ran.record.iter().filter_map(step).collect();
    let count = trace.threads.len().max(1);
    let mut inputs = vec![Vec::new(); count];
    let allocations = allocations(program);
    for Taken { thread, value, statement } in &ran.taken {
        if allocations.contains(statement) {
            continue;
        }
        if let Some(list) = inputs.get_mut(*thread) {
            list.push(*value);
        }
    }
    let mut values = String::new();
    for (thread, list) in inputs.iter().enumerate() {
        let list: Vec<String> = list.iter().map(|value| format!("{value}ULL")).chain(["0".to_owned()]).collect();
        values += &format!("static const unsigned long long __replay_inputs_{thread}[] = {{{}}};\n", list.join(", "));
    }
    let tables: Vec<String> = inputs
        .iter()
        .enumerate()
        .map(|(thread, list)| format!("    {{{}, __replay_inputs_{thread}}},\n", list.len()))
        .collect();
    let mut holds: Vec<String> =
        held(trace, ran).iter().map(|(thread, statement)| format!("    {{{thread}, {statement}}},\n")).collect();
    holds.push("    {-1, -1},\n".to_owned());
    let mut settles: Vec<String> = settled(program, ran)
        .into_iter()
        .map(|settled| {
            let Settled { thread, statement, pass, place, size, value } = settled;
            let index = hooks.settles.iter().position(|known| *known == (statement, place.clone())).unwrap_or(0);
            format!("    {{{thread}, {index}, {pass}, {size}, {value}ULL}},\n")
        })
        .collect();
    settles.push("    {-1, 0, 0, 0, 0},\n".to_owned());
    let touched: Vec<String> = touches(program, ran)
        .iter()
        .map(|touch| format!("{{{}, {}}}", touch.thread, touch.unit))
        .chain(["{-1, -1}".to_owned(), "{-1, -1}".to_owned()])
        .take(2)
        .collect();
    let is_stuck = |thread: usize| u8::from(ran.failure.stuck.contains(&thread)).to_string();
    let stuck: Vec<String> = (0..count).map(is_stuck).collect();
    let place = &trace.failure.place;
    debug_assert!(hooks.holds.len() < holds.len());
    format!(
        "/* The interleaving that fails, and the values that the program takes from outside. */\n\
         enum {{ REPLAY_ASSERTION, REPLAY_ERROR_CALL, REPLAY_LOCK_MISUSE, REPLAY_THREAD_MISUSE, REPLAY_DEADLOCK,\n    \
         REPLAY_MEMORY, REPLAY_DIVISION, REPLAY_OVERFLOW, REPLAY_UNREACHABLE, REPLAY_ABORT, REPLAY_RACE }};\n\
         #define REPLAY_KIND {}\n#define REPLAY_THREAD {}\n#define REPLAY_PLACE {}\n#define REPLAY_SECONDS {SECONDS}\n\
         #define REPLAY_MAX_THREADS {}\n#define REPLAY_LENGTH {}\n\n\
         struct replay_unit {{ int thread, statement; }};\n\
         static const struct replay_unit replay_schedule[] = {{\n{}    {{-1, -1}},\n}};\n\
         static const struct replay_unit replay_holds[] = {{\n{}}};\n\
         /* The threads of a deadlock. */\n\
         static const int replay_stuck[REPLAY_MAX_THREADS] = {{{}}};\n\
         /* The two accesses of a data race. */\n\
         static const struct {{ int thread, unit; }} replay_touches[2] = {{{}}};\n\
         /* What memory holds that nobody wrote. */\n\
         #define REPLAY_SETTLES {}\nstruct replay_settled {{ int thread, place, pass, size; unsigned long long value; }};\n\
         static const struct replay_settled replay_settled[] = {{\n{}}};\n\n\
         /* Allocations that get memory which was freed: the thread, its how many-th, and the block. */\n\
         #define REPLAY_ROOM {}\n\
         struct replay_again {{ int thread, allocation, owner, number; }};\n\
         static const struct replay_again replay_again[] = {{\n{}    {{-1, 0, 0, 0}},\n}};\n\n\
         {values}struct replay_inputs {{ unsigned count; const unsigned long long *values; }};\n\
         static const struct replay_inputs replay_inputs[] = {{\n{}}};\n\nvoid __replay_thread_end(void);\nvoid __replay_at_exit(void);\n",
        kind_name(ran.failure.kind),
        ran.failure.thread,
        c_string(&format!("{}:{}", place.file, place.line)),
        count,
        steps.len(),
        steps.concat(),
        holds.concat(),
        stuck.join(", "),
        touched.join(", "),
        hooks.settles.len() + 1,
        settles.concat(),
        if given_again(ran).is_empty() { 0 } else { MOST_GIVEN_AGAIN },
        given_again(ran).concat(),
        tables.concat(),
    )
}

fn c_string(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(letter).collect::<String>())
}

fn kind_name(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Assertion => "REPLAY_ASSERTION",
        FailureKind::ErrorCall => "REPLAY_ERROR_CALL",
        FailureKind::LockMisuse => "REPLAY_LOCK_MISUSE",
        FailureKind::ThreadMisuse => "REPLAY_THREAD_MISUSE",
        FailureKind::Deadlock => "REPLAY_DEADLOCK",
        FailureKind::Memory => "REPLAY_MEMORY",
        FailureKind::DivisionByZero => "REPLAY_DIVISION",
        FailureKind::Overflow => "REPLAY_OVERFLOW",
        FailureKind::Race => "REPLAY_RACE",
        FailureKind::Unreachable => "REPLAY_UNREACHABLE",
        FailureKind::Abort => "REPLAY_ABORT",
        FailureKind::Leak | FailureKind::Left | FailureKind::Unsupported => "-1",
    }
}

fn unknown_functions(names: &[String]) -> String {
    let define = |name: &String| {
        format!("void {name}(void) {{ __replay_limit(\"a function is called that is not known\"); }}\n")
    };
    let definitions: String = names.iter().map(define).collect();
    if definitions.is_empty() { definitions } else { format!("\nvoid __replay_limit(char *);\n{definitions}") }
}

/// What runs when a thread ends (destructors of its own data) and when `main` returns (handlers).
fn ends(program: &Program) -> String {
    let call =
        |hook: Option<FunctionId>| hook.map_or(String::new(), |hook| program.function(hook).name.clone() + "();");
    format!(
        "\nvoid __replay_thread_end(void) {{ {} }}\nvoid __replay_at_exit(void) {{ {} }}\n",
        call(program.thread_end),
        call(program.at_exit)
    )
}

/// Makes calls of the library calls of the runtime, and the models part of the program.
struct Adapter {
    program: Program,
    /// Beginnings and ends of sections that are a single operation.
    single: FxHashSet<u32>,
    refused: Option<String>,
    /// Functions without a body whose address is taken.
    unknown: Vec<String>,
}

impl Adapter {
    fn adapt(&mut self) {
        let input = self.runtime_function("__replay_input", |types| types.int(IntKind::ULongLong));
        let double =
            self.runtime_function("__replay_input_double", |types| types.intern(Type::Float(FloatKind::Double)));
        let float = self.runtime_function("__replay_input_float", |types| types.intern(Type::Float(FloatKind::Float)));
        let assert_fail = self.runtime_function("__replay_assert_fail", |types| types.void());
        let error = self.runtime_function("__replay_error", |types| types.void());
        let operation_begin = self.runtime_function("__replay_operation_begin", |types| types.void());
        let operation_end = self.runtime_function("__replay_operation_end", |types| types.void());
        let params = |function: &Function| -> Vec<TypeId> {
            function.params.iter().map(|param| function.locals[param.0 as usize].ty).collect()
        };
        let model_params: Vec<Vec<TypeId>> = self.program.functions.iter().map(params).collect();
        let mut names: FxHashSet<String> =
            self.program.functions.iter().map(|function| function.name.clone()).collect();
        for index in 0..self.program.functions.len() {
            let program = &self.program;
            let mut steps = FxHashSet::default();
            walk::statements(&program.functions[index].body, &mut |stmt| {
                if is_step(program, stmt) {
                    steps.insert(stmt.origin);
                }
            });
            let mut body = std::mem::take(&mut self.program.functions[index].body);
            let mut locals = std::mem::take(&mut self.program.functions[index].locals);
            walk::statements_mut(&mut body, &mut |stmt| {
                stmt.visible = steps.contains(&stmt.origin);
                let StmtKind::Call { to, callee: Callee::Function(id), args } = &mut stmt.kind else { return };
                let function = &self.program.functions[id.0 as usize];
                match function.kind {
                    // The user's headers and the models have types of their own for the same objects.
                    FunctionKind::Model => {
                        if matches!(function.name.as_str(), "fopen" | "fdopen" | "tmpfile" | "popen") {
                            // What a model opens is no stream that the C library could print to.
                            self.refused = Some(format!("it opens a stream with {}()", function.name));
                        }
                        for (arg, ty) in args.iter_mut().zip(&model_params[id.0 as usize]) {
                            if arg.ty != *ty && self.program.types.is_scalar(*ty) {
                                let inner = Box::new(arg.clone());
                                *arg = Expr { kind: ExprKind::Cast(inner), ty: *ty };
                            }
                        }
                    }
                    FunctionKind::Operation(Operation::AssertFail) => stmt.kind = call(assert_fail),
                    FunctionKind::Operation(Operation::ReachError) => stmt.kind = call(error),
                    FunctionKind::Operation(Operation::AtomicBegin) if self.single.contains(&stmt.origin) => {
                        stmt.kind = call(operation_begin);
                    }
                    FunctionKind::Operation(Operation::AtomicEnd) if self.single.contains(&stmt.origin) => {
                        stmt.kind = call(operation_end);
                    }
                    FunctionKind::Operation(Operation::Nondet | Operation::Nothing) | FunctionKind::External
                        if function.name.starts_with("__replay_") => {}
                    FunctionKind::Operation(Operation::Nondet) | FunctionKind::External => {
                        let to = to.take();
                        let from = match to.as_ref().and_then(|to| self.program.types.float_kind(to.ty)) {
                            Some(FloatKind::Float) => float,
                            Some(_) => double,
                            None => input,
                        };
                        if to.as_ref().is_some_and(|to| !self.program.types.is_scalar(to.ty)) {
                            self.refused = Some(format!("{}() gives a whole struct of any value", function.name));
                        }
                        stmt.kind = StmtKind::Block(self.taken(to, from, &mut locals));
                    }
                    FunctionKind::Operation(Operation::Nothing) => {
                        let zero = to.take().map(|to| {
                            let value = Expr::int(0, to.ty);
                            Stmt::new(StmtKind::Assign { to, value }, stmt.span)
                        });
                        stmt.kind = StmtKind::Block(zero.into_iter().collect());
                    }
                    _ => {}
                }
            });
            self.program.functions[index].body = body;
            self.program.functions[index].locals = locals;
        }
        self.name_unknown_functions();
        for (index, function) in self.program.functions.iter_mut().enumerate() {
            match function.kind {
                FunctionKind::Model => {
                    let known = self.program.types.function_type(function.ty).expect("it is a function").clone();
                    let ty = FunctionType { params: model_params[index].clone(), prototyped: true, ..known };
                    function.ty = self.program.types.intern(Type::Function(ty));
                    let mut name = format!("model_{}", function.name);
                    while !names.insert(name.clone()) {
                        name.push('_');
                    }
                    function.name = name;
                    function.kind = FunctionKind::Defined;
                }
                FunctionKind::Operation(operation) => {
                    if let Some(name) = runtime_name(operation, &function.name) {
                        function.name = name.to_owned();
                    }
                }
                FunctionKind::Defined | FunctionKind::External => {}
            }
        }
        for global in &mut self.program.globals {
            global.model = false;
            global.library = false;
            // There is no other file; only the streams come from the C library.
            global.external &= matches!(global.name.as_str(), "stdin" | "stdout" | "stderr");
            global.internal = !global.external;
        }
        // Names of the program must not get in the way of those that the scheduler needs.
        let main = self.program.main;
        for (index, function) in self.program.functions.iter_mut().enumerate() {
            function.internal |= matches!(function.kind, FunctionKind::Defined) && index != main.0 as usize;
        }
    }

    /// Functions of other files may be mentioned, but nobody knows what they do.
    fn name_unknown_functions(&mut self) {
        let mut mentioned = FxHashSet::default();
        let mut look = |expr: &Expr| {
            walk::expressions(expr, &mut |inner| {
                if let ExprKind::Function(id) = inner.kind {
                    mentioned.insert(id);
                }
            });
        };
        for global in &self.program.globals {
            global.init.iter().for_each(|part| look(&part.value));
        }
        for function in &self.program.functions {
            walk::statements(&function.body, &mut |stmt| {
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => look(expr),
                    walk::Use::Target(place) => walk::place_expressions(place, &mut look),
                });
            });
        }
        for id in mentioned {
            let function = &mut self.program.functions[id.0 as usize];
            let unknown = match function.kind {
                FunctionKind::External => !function.name.starts_with("__replay_"),
                FunctionKind::Operation(operation) => {
                    matches!(operation, Operation::Nondet | Operation::Nothing)
                }
                FunctionKind::Defined | FunctionKind::Model => false,
            };
            if unknown {
                function.name = format!("__replay_unknown_{}", function.name);
                function.kind = FunctionKind::External;
                self.unknown.push(function.name.clone());
            }
        }
        self.unknown.sort();
    }

    fn runtime_function(&mut self, name: &str, result: impl Fn(&mut crate::il::Types) -> TypeId) -> FunctionId {
        let types = &mut self.program.types;
        let result = result(types);
        let function = FunctionType { result, params: Vec::new(), variadic: false, prototyped: true };
        let ty = types.intern(Type::Function(function));
        self.program.functions.push(Function::without_body(name.to_owned(), FunctionKind::External, ty));
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    /// A recorded value, in the type of the place that takes it.
    fn taken(&self, to: Option<Place>, from: FunctionId, locals: &mut Vec<Local>) -> Vec<Stmt> {
        let result = |id: FunctionId| {
            let ty = self.program.function(id).ty;
            self.program.types.function_type(ty).expect("it is a function").result
        };
        let Some(to) = to else { return vec![Stmt::new(call(from), Default::default())] };
        let ty = result(from);
        locals.push(Local { name: "__replay_value".to_owned(), ty, align: 0, shared: false, span: Default::default() });
        let id = LocalId(locals.len() as u32 - 1);
        let place = Place::local(id, ty);
        let value = Expr { kind: ExprKind::Cast(Box::new(Expr::load(place.clone()))), ty: to.ty };
        let taken = StmtKind::Call { to: Some(place), callee: Callee::Function(from), args: Vec::new() };
        let kinds = [StmtKind::Declare(id), taken, StmtKind::Assign { to, value }];
        kinds.into_iter().map(|kind| Stmt::new(kind, Default::default())).collect()
    }
}

fn call(function: FunctionId) -> StmtKind {
    StmtKind::Call { to: None, callee: Callee::Function(function), args: Vec::new() }
}

/// The function of the runtime, if the operation is not one of the C library or the compiler.
fn runtime_name(operation: Operation, name: &str) -> Option<&'static str> {
    Some(match operation {
        Operation::Create => "__replay_create",
        Operation::CreateC11 => "__replay_create_c11",
        Operation::Join => "__replay_join",
        Operation::JoinC11 => "__replay_join_c11",
        Operation::ThreadExit if name == "thrd_exit" => "__replay_thread_exit_c11",
        Operation::ThreadExit => "__replay_thread_exit",
        Operation::ThreadSelf => "__replay_self",
        Operation::Detach => "__replay_detach",
        Operation::AtomicBegin => "__replay_atomic_begin",
        Operation::AtomicEnd => "__replay_atomic_end",
        Operation::Assume => "__replay_assume",
        Operation::Await if name == "__unthread_await_holder" => "__replay_await_holder",
        Operation::Await => "__replay_await",
        Operation::AwaitSpurious => "__replay_await_or_spurious",
        Operation::Choose => "__replay_choose",
        Operation::Assert => "__replay_assert",
        Operation::Spurious => "__replay_spurious",
        Operation::Misuse => "__replay_misuse",
        Operation::Limit => "__replay_limit",
        Operation::Malloc => "__replay_malloc",
        Operation::Calloc => "__replay_calloc",
        Operation::Realloc => "__replay_realloc",
        Operation::Free => "__replay_free",
        Operation::Exit => "__replay_exit",
        Operation::Abort => "__replay_abort",
        Operation::Unreachable => "__replay_unreachable",
        Operation::Alloca => "__builtin_alloca",
        Operation::ScanInput => "__replay_scan_input",
        Operation::ScanStream => "__replay_scan_stream",
        Operation::Fence if name == "__sync_synchronize" => "__replay_full_fence",
        Operation::Fence => "__replay_fence",
        Operation::AssertFail
        | Operation::WrongCall
        | Operation::Math
        | Operation::ReachError
        | Operation::Nondet
        | Operation::Memcpy
        | Operation::Memmove
        | Operation::Memset
        | Operation::Memcmp
        | Operation::AddOverflow
        | Operation::SubOverflow
        | Operation::MulOverflow
        | Operation::Printf
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
        | Operation::Fputc
        | Operation::ScanText
        | Operation::Nothing => return None,
    })
}
