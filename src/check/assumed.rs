//! What an answer takes for granted: some of it stands in the way of a proof, the rest is only said.

use super::{CheckOptions, Externals, MemoryModel};
use crate::analysis::points_to::{Object, ObjectId, Set, points_to};
use crate::analysis::sharing::written_globals;
use crate::analysis::{ids, orders};
use crate::diagnostic::Span;
use crate::il::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, GlobalId, LocalId, ObjectAction, Operation,
    Place, Program, Projection, Stmt, StmtKind, TypeId, printed_texts, uncast, walk,
};
use crate::limit::reads_arguments;
use crate::property::ErrorKind;

/// In sentences that follow "Assumed: ".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// An execution may do what was not followed: there is no proof.
    pub against_proof: Vec<String>,
    /// The same, where values were followed; what needs no values is proved all the same.
    pub about_values: Vec<String>,
    pub stated: Vec<String>,
}

impl Assumed {
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.against_proof.iter().chain(&self.about_values).chain(&self.stated)
    }
}

/// What the models of processors say nothing of.
const AS_COMPILED: &str = "and compilers keep all accesses to memory that threads share, in their order";

pub fn assumed(program: &Program, options: &CheckOptions) -> Assumed {
    let mut assumed = Assumed::default();
    let place = |span: Span| program.source.location(span);
    for (name, span) in unknown_functions(program) {
        let text = format!("{name}() ({}) changes nothing but what it returns", place(span));
        match options.externals {
            Externals::Unknown => assumed.against_proof.push(text),
            Externals::Pure => assumed.stated.push(text),
        }
    }
    let threads = walk::calls(program, &[Operation::Create, Operation::CreateC11]);
    if threads {
        match options.memory_model {
            MemoryModel::AsWritten => {
                for weak in orders::weaker_accesses(program) {
                    let text = format!("the atomic operation in {} acts as if its order were seq_cst", place(weak));
                    assumed.about_values.push(text);
                }
            }
            MemoryModel::Sc => {}
            MemoryModel::Tso => assumed.stated.push(format!("stores reach memory as on x86 (TSO), {AS_COMPILED}")),
            MemoryModel::Pso => assumed.stated.push(format!("stores reach memory as on SPARC (PSO), {AS_COMPILED}")),
        }
        let frees = walk::calls(program, &[Operation::Free, Operation::Realloc]);
        if options.memory_model.buffering().is_some() && frees {
            assumed.stated.push("free() waits until all stores of the thread have reached memory".to_owned());
        }
        if options.memory_model.buffering().is_none() && !options.property.contains(ErrorKind::Race) {
            assumed.stated.push("sequential consistency (data races are not looked for)".to_owned());
        }
    }
    for span in &program.weak_exchanges {
        let text = format!("the weak compare-and-swap in {} does not fail without reason", place(*span));
        assumed.about_values.push(text);
    }
    assumed.about_values.extend(addresses(program));
    let ids = ids::looked_at(program);
    assumed.against_proof.extend(
        ids.as_numbers.map(|span| format!("the ids of threads are 1, 2, 3 and so on, which {} can tell", place(span))),
    );
    assumed.against_proof.extend(
        ids.for_equality
            .map(|span| format!("no thread gets the id of one that has ended, which {} could tell", place(span))),
    );
    assumed.against_proof.extend(thread_objects(program));
    assumed.against_proof.extend(unprepared(program));
    assumed.against_proof.extend(writer_preferring(program));
    assumed.against_proof.extend(missing_arguments(program));
    assumed.against_proof.extend(unread_pointers(program));
    if options.property.contains(ErrorKind::Race) {
        assumed.against_proof.extend(unread_memory(program));
    }
    if does(program, ObjectAction::LocksShared) || does(program, ObjectAction::TriesShared) {
        assumed.stated.push("readers of a read-write lock do not wait for writers that wait".to_owned());
    }
    if options.property.contains(ErrorKind::Deadlock) && has_loops(program) {
        if waits_for_nobody_in_particular(program) {
            let what = "no thread waits for ever for a semaphore, barrier, condition or reader because another one, which \
                        goes on for ever, could end the wait and never does";
            assumed.stated.push(what.to_owned());
        }
        if threads
            && (does(program, ObjectAction::Locks) || walk::calls(program, &[Operation::Join, Operation::JoinC11]))
        {
            let what = "no thread waits for ever for a lock or for the end of a thread because the one who has the lock, or is \
                        waited for, goes on for ever";
            assumed.stated.push(what.to_owned());
        }
    }
    let tries = does(program, ObjectAction::Tries) || does(program, ObjectAction::TriesShared);
    if options.property.contains(ErrorKind::Race) && tries {
        // C11 7.26.4.5 and POSIX promise that of an attempt that succeeds only.
        assumed.about_values.push("an attempt to lock orders what comes after it even if it fails".to_owned());
    }
    if program.handles_signals() {
        assumed.stated.push("no signal arrives from outside".to_owned());
    }
    let mut never_fail = Vec::new();
    if walk::calls(program, &[Operation::Malloc, Operation::Calloc, Operation::Realloc]) {
        never_fail.push("malloc()");
    }
    if threads {
        never_fail.push("pthread_create()");
    }
    if !never_fail.is_empty() {
        assumed.stated.push(format!("{} never fails", never_fail.join(" or ")));
    }
    if reads_arguments(program.function(program.main)) {
        assumed.about_values.push("the program is called `program`".to_owned());
    }
    if !program.function(program.main).params.is_empty() {
        assumed.stated.push("the program is started without arguments".to_owned());
    }
    assumed
}

/// Are there waits that no single thread ends? Where others go on without end, those that wait for good are not seen.
fn waits_for_nobody_in_particular(program: &Program) -> bool {
    let mut found = does(program, ObjectAction::LocksShared);
    each_call(program, &mut |stmt, callee| {
        let StmtKind::Call { args, .. } = &stmt.kind else { return };
        found |= match program.operation(callee) {
            Some(Operation::Await) => args.len() == 1,
            Some(Operation::AwaitSpurious) => true,
            _ => false,
        };
    });
    found
}

/// May the user's program go on for ever?
fn has_loops(program: &Program) -> bool {
    let mut found = false;
    for function in program.functions.iter().filter(|function| matches!(function.kind, FunctionKind::Defined)) {
        walk::statements(&function.body, &mut |stmt| {
            found |= matches!(stmt.kind, StmtKind::Loop { .. } | StmtKind::Goto(_));
        });
    }
    found
}

/// Addresses are those of one layout, and realloc() does not keep them: said where a program can tell.
fn addresses(program: &Program) -> Vec<String> {
    let at = |span: Span| program.source.location(span);
    let layout =
        program.told.layout.map(|span| format!("objects lie where one layout puts them, which {} can tell", at(span)));
    let moves = program.told.reuse.filter(|_| walk::calls(program, &[Operation::Realloc]));
    let moves = moves.map(|span| format!("realloc() always gives another address, which {} could tell", at(span)));
    layout.into_iter().chain(moves).collect()
}

/// Semaphores, attributes and their like that no call of the program may have prepared: no engine looks at that.
fn unprepared(program: &Program) -> Vec<String> {
    let points_to = points_to(program);
    let mut prepared = Set::default();
    let mut used: Vec<(Set, String)> = Vec::new();
    each_user_call(program, &mut |function, stmt, callee, args| {
        let called = program.function(callee);
        let mut uses = |arg: Option<&Expr>| {
            if let Some(arg) = arg.filter(|arg| program.types.pointee(arg.ty).is_some() && !uncast(arg).is_zero()) {
                let line =
                    format!("what {}() uses in {} was initialized", called.name, program.source.location(stmt.span));
                used.push((points_to.value(function, arg), line));
            }
        };
        match (called.does, &called.kind) {
            (Some(ObjectAction::Prepares), _) => {
                prepared.union(&args.first().map(|arg| points_to.value(function, arg)).unwrap_or_default());
                uses(args.get(1));
            }
            (Some(ObjectAction::UsesPrepared), _) => uses(args.first()),
            // The attributes of a mutex and its like.
            (Some(ObjectAction::Uses | ObjectAction::Initializes), _)
            | (_, FunctionKind::Operation(Operation::Create)) => uses(args.get(1)),
            _ => {}
        }
    });
    let surely = |set: &Set| !set.is_empty() && set.iter().all(|object| prepared.contains(object));
    let mut lines: Vec<String> = used.into_iter().filter(|(set, _)| !surely(set)).map(|(_, line)| line).collect();
    lines.dedup();
    lines
}

/// A read-write lock whose initializer is not all zero lets readers wait for waiting writers, which the model does not.
fn writer_preferring(program: &Program) -> Vec<String> {
    let points_to = points_to(program);
    let mut lines = Vec::new();
    each_user_call(program, &mut |function, _, callee, args| {
        let reads = [Some(ObjectAction::LocksShared), Some(ObjectAction::TriesShared)];
        let Some(lock) = args.first().filter(|_| reads.contains(&program.function(callee).does)) else {
            return;
        };
        for object in points_to.value(function, lock).iter() {
            let Object::Global(id) = points_to.objects[object] else { continue };
            let global = program.global(id);
            if global.init.iter().any(|part| !part.value.is_zero()) {
                let line = format!("readers of `{}` do not wait for writers that wait", global.name);
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    });
    lines
}

/// Formats that ask for more arguments than the call gives.
fn missing_arguments(program: &Program) -> Vec<String> {
    let mut lines = Vec::new();
    each_user_call(program, &mut |_, stmt, callee, args| {
        let FunctionKind::Operation(operation) = program.function(callee).kind else { return };
        let format = match operation {
            Operation::Printf | Operation::ScanInput => 0,
            Operation::Fprintf | Operation::Sprintf | Operation::ScanText | Operation::ScanStream => 1,
            Operation::Snprintf => 2,
            _ => return,
        };
        let Some(ExprKind::Str(id)) = args.get(format).map(|format| &uncast(format).kind) else { return };
        let units = &program.strings[id.0 as usize].units;
        let text: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
        if wanted_arguments(&text) > args.len() - format - 1 {
            lines.push(format!(
                "the call in {} has an argument for each conversion",
                program.source.location(stmt.span)
            ));
        }
    });
    lines
}

/// At most so many arguments does a format take. A set of characters to scan (`%[...]`) ends what is counted.
fn wanted_arguments(format: &str) -> usize {
    let mut wanted = 0;
    let mut letters = format.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if_eq(&'%').is_some() {
            continue;
        }
        let mut suppressed = false;
        while let Some(part) = letters.next_if(|part| "-+ #0123456789.*hlzjtqLm'".contains(*part)) {
            // A width from the arguments, or a value that is scanned and dropped: nobody needs to know which.
            suppressed |= part == '*';
        }
        match letters.next() {
            Some('[') | None => return wanted,
            Some(_) => wanted += usize::from(!suppressed),
        }
    }
    wanted
}

/// Does a function of the library get a pointer that its model does not look at?
fn is_unread(program: &Program, callee: &Function, index: usize, arg: &Expr) -> bool {
    let unread = match callee.kind {
        FunctionKind::Model => callee.params.get(index).is_some_and(|param| !mentions(&callee.body, *param)),
        FunctionKind::Operation(operation) => operation == Operation::Nothing,
        FunctionKind::Defined | FunctionKind::External => false,
    };
    unread && program.types.pointee(arg.ty).is_some()
}

/// Memory of several threads, perhaps, which a function of the library reads and its model does not: it may race.
fn unread_memory(program: &Program) -> Vec<String> {
    let points_to = points_to(program);
    let written = written_globals(program, &points_to);
    let changes = |object: ObjectId| match points_to.objects[object] {
        Object::Global(id) => written.contains(&id),
        Object::Heap(..) => true,
        Object::Local(..) | Object::Function(_) => false,
    };
    let mut lines: Vec<String> = Vec::new();
    each_user_call(program, &mut |function, stmt, id, args| {
        let callee = program.function(id);
        let reads = |(index, arg): (usize, &Expr)| {
            is_unread(program, callee, index, arg) && points_to.value(function, arg).iter().any(changes)
        };
        if args.iter().enumerate().any(reads) {
            let place = program.source.location(stmt.span);
            lines.push(format!("nobody writes what {}() is given in {place} while it looks there", callee.name));
        }
    });
    lines.dedup();
    lines
}

/// Pointers that a function of the library is given and its model does not look at: whether they are valid is not known.
fn unread_pointers(program: &Program) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for function in program.functions.iter().filter(|function| matches!(function.kind, FunctionKind::Defined)) {
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee: Callee::Function(id), args, .. } = &stmt.kind else { return };
            let callee = program.function(*id);
            // Where a null pointer is no answer to "which file".
            let stream = |index: usize| {
                let param = callee.params.get(index).map(|param| callee.locals[param.0 as usize].ty);
                let record = param.and_then(|ty| program.types.record_id(program.types.pointee(ty)?));
                record.is_some_and(|record| program.types.record(record).name == "ut_stream")
            };
            let doubtful = |(index, arg): (usize, &Expr)| {
                let valid = surely_valid(program, arg) && !(uncast(arg).is_zero() && stream(index));
                !valid && is_unread(program, callee, index, arg)
            };
            if args.iter().enumerate().any(doubtful) {
                let place = program.source.location(stmt.span);
                let line = format!("what {}() is given to point to in {place} is there", callee.name);
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        });
    }
    lines
}

/// A text, a variable, no pointer at all, or one that only the library knows (`stdout`).
fn surely_valid(program: &Program, pointer: &Expr) -> bool {
    match &uncast(pointer).kind {
        ExprKind::Str(_) | ExprKind::Int(_) | ExprKind::Function(_) => true,
        ExprKind::AddressOf(place) => !matches!(place.base, Base::Deref(_)),
        ExprKind::Load(place) => {
            matches!(place.base, Base::Global(id) if program.global(id).external || program.global(id).library)
        }
        _ => false,
    }
}

fn mentions(body: &[Stmt], local: LocalId) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind {
                found |= place.base == Base::Local(local);
            }
        });
    };
    walk::statements(body, &mut |stmt| {
        walk::uses(stmt, &mut |used| match used {
            walk::Use::Expr(expr) => look(expr),
            walk::Use::Target(place) => walk::place_expressions(place, &mut look),
        });
    });
    found
}

/// Is a function called that does this?
fn does(program: &Program, action: ObjectAction) -> bool {
    let mut found = false;
    each_call(program, &mut |_, callee| {
        found |= matches!(callee, Callee::Function(id) if program.function(*id).does == Some(action));
    });
    found
}

/// Rules of POSIX for the objects of the thread library that no engine looks at: waiting for one condition with two
/// mutexes at a time, and using the copy of an object. Said where a program may break them.
fn thread_objects(program: &Program) -> Vec<String> {
    let points_to = points_to(program);
    let types = &program.types;
    let mut waits: Vec<Wait> = Vec::new();
    let mut used = Set::default();
    let mut used_types = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        if !matches!(function.kind, FunctionKind::Defined) {
            continue;
        }
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind else { return };
            let Some(action) = program.function(*callee).does else { return };
            let Some(object) = args.first() else { return };
            let objects = points_to.value(id, object);
            used.union(&objects);
            used_types.extend(types.pointee(uncast(object).ty));
            if let (ObjectAction::Sleeps, Some(mutex)) = (action, args.get(1)) {
                let mutexes = points_to.value(id, mutex);
                let one = mutexes.iter().next().filter(|_| mutexes.iter().count() == 1);
                let alone = one.and_then(|object| match points_to.objects[object] {
                    Object::Global(global) => Some(global),
                    Object::Local(..) | Object::Heap(..) | Object::Function(_) => None,
                });
                let whole = types.pointee(uncast(mutex).ty);
                let alone = alone.filter(|global| Some(program.global(*global).ty) == whole);
                let mutex = alone.map(OneMutex::Variable).or_else(|| one_mutex(object, mutex));
                waits.push(Wait { objects, mutex, span: stmt.span });
            }
        });
    }
    let at = |span: Span| program.source.location(span);
    let mut lines = Vec::new();
    let together = |a: &Set, b: &Set| a.iter().any(|object| b.contains(object));
    let several = waits.iter().enumerate().find(|(index, wait)| {
        let same = |other: &Wait| wait.mutex.is_some() && wait.mutex == other.mutex;
        waits[..=*index].iter().any(|other| together(&wait.objects, &other.objects) && !same(other))
    });
    if let Some((_, wait)) = several {
        lines.push(format!("the condition variable in {} is waited for with one mutex at a time", at(wait.span)));
    }
    let mut copied = None;
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        walk::statements(&function.body, &mut |stmt| {
            let StmtKind::Assign { value, .. } = &stmt.kind else { return };
            let ExprKind::Load(from) = &value.kind else { return };
            let holds = |part: &TypeId| types.contains(value.ty, *part);
            if types.record_id(value.ty).is_some()
                && used_types.iter().any(holds)
                && together(&points_to.place_objects(id, from), &used)
            {
                copied.get_or_insert(stmt.span);
            }
        });
    }
    lines.extend(copied.map(|span| format!("the copy of a lock or condition variable in {} is not used", at(span))));
    lines
}

/// A wait for a condition.
struct Wait<'p> {
    /// Which it may be.
    objects: Set,
    /// `None` if it may be one of several.
    mutex: Option<OneMutex<'p>>,
    span: Span,
}

/// A mutex that is always the same for one condition.
#[derive(PartialEq)]
enum OneMutex<'p> {
    Variable(GlobalId),
    Part(GlobalId, &'p [Projection]),
    /// In the same object as the condition: `wait(&q->changed, &q->lock)`.
    Beside(&'p [Projection]),
}

fn one_mutex<'p>(condition: &'p Expr, mutex: &'p Expr) -> Option<OneMutex<'p>> {
    let address = |expr: &'p Expr| match &uncast(expr).kind {
        ExprKind::AddressOf(place) => Some(&**place),
        _ => None,
    };
    let (condition, mutex): (Option<&Place>, &Place) = (address(condition), address(mutex)?);
    let fixed = |place: &Place| {
        place.projections.iter().all(|step| match step {
            Projection::Field(..) => true,
            Projection::Index(index, _) => index.as_int().is_some(),
        })
    };
    match mutex.base {
        _ if !fixed(mutex) => None,
        Base::Global(global) => Some(OneMutex::Part(global, &mutex.projections)),
        _ => {
            let beside = condition.is_some_and(|condition| condition.base == mutex.base && fixed(condition));
            beside.then_some(OneMutex::Beside(&mutex.projections))
        }
    }
}

/// Texts that are printed, where it is not known that they end within their memory: formulas do not read them.
pub fn printed(program: &Program) -> Option<Span> {
    let mut found = None;
    each_call(program, &mut |stmt, callee| {
        let (StmtKind::Call { args, .. }, Some(operation)) = (&stmt.kind, program.operation(callee)) else { return };
        let texts = printed_texts(&program.strings, operation, args);
        if texts.into_iter().any(|index| !matches!(uncast(&args[index]).kind, ExprKind::Str(_))) {
            found.get_or_insert(stmt.span);
        }
    });
    found
}

/// Do models in it say where they end?
pub fn has_limits(program: &Program) -> bool {
    walk::calls(program, &[Operation::Limit])
}

/// Functions without body or model that are called, each with its first call.
pub fn unknown_functions(program: &Program) -> Vec<(&str, Span)> {
    let mut found: Vec<(&str, Span)> = Vec::new();
    each_call(program, &mut |stmt, callee| {
        let Callee::Function(id) = callee else { return };
        let function = program.function(*id);
        if matches!(function.kind, FunctionKind::External) && !found.iter().any(|(name, _)| *name == function.name) {
            found.push((&function.name, stmt.span));
        }
    });
    found
}

/// Calls of known functions in the user's own functions.
fn each_user_call<'p>(program: &'p Program, visit: &mut impl FnMut(FunctionId, &'p Stmt, FunctionId, &'p [Expr])) {
    for (index, function) in program.functions.iter().enumerate() {
        if matches!(function.kind, FunctionKind::Defined) {
            walk::statements(&function.body, &mut |stmt| {
                if let StmtKind::Call { callee: Callee::Function(id), args, .. } = &stmt.kind {
                    visit(FunctionId(index as u32), stmt, *id, args);
                }
            });
        }
    }
}

fn each_call<'p>(program: &'p Program, visit: &mut impl FnMut(&'p Stmt, &'p Callee)) {
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                visit(stmt, callee);
            }
        });
    }
}
