//! The operations of the core language: what a call of these names means to every engine.
//!
//! Everything else of the C and POSIX libraries is either written in C in terms of these (`c/model`), or unknown.

use super::types::FunctionType;
use super::{Function, FunctionId, FunctionKind, Type, TypeId, Types};

/// Meaning of a call without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `(id*, attributes*, start, argument)`: starts a thread. Creation does not fail.
    Create,
    /// As `Create` for C11: `(id*, start, argument)`, the start function returns `int`.
    CreateC11,
    /// `(id, void **result)`: waits for the end of a thread.
    Join,
    /// As `Join` for C11: `(id, int *result)`.
    JoinC11,
    /// `(result)`: ends the calling thread.
    ThreadExit,
    ThreadSelf,
    Detach,
    /// No other thread runs until the matching end.
    AtomicBegin,
    AtomicEnd,
    /// `(condition)`: executions in which it is false do not exist.
    Assume,
    /// `(condition)`: the thread waits here until it is true.
    Await,
    /// As `Await`, but the thread may also go on without reason (spurious wake-up).
    AwaitSpurious,
    /// `(mask)`: any one of the set bits.
    Choose,
    /// `(condition)`: false is an error.
    Assert,
    /// The failed branch of the C library's `assert`.
    AssertFail,
    /// The error of SV-COMP's reachability tasks.
    ReachError,
    /// 1 if a wait may end without reason here, else 0.
    Spurious,
    /// `(text)`: a library object was used against its rules.
    Misuse,
    /// `(text)`: the program goes beyond what the models can tell.
    Limit,
    /// `(pointer)`: a call through a pointer to no function. Only bounded programs have it.
    WrongCall,
    /// Any value of the result type.
    Nondet,
    Malloc,
    Calloc,
    Realloc,
    Free,
    Alloca,
    Memcpy,
    Memmove,
    Memset,
    Memcmp,
    /// A function of math.h, by its name: see [`super::math`].
    Math,
    AddOverflow,
    SubOverflow,
    MulOverflow,
    Printf,
    Fprintf,
    Sprintf,
    Snprintf,
    Vprintf,
    Vfprintf,
    Vsprintf,
    Vsnprintf,
    Puts,
    Putchar,
    Fputs,
    Fputc,
    /// `sscanf(text, format, pointers...)`
    ScanText,
    /// `fscanf(stream, format, pointers...)`: stores any values; nothing is known of the input.
    ScanStream,
    /// `scanf(format, pointers...)`: likewise.
    ScanInput,
    /// Ends the process with a status.
    Exit,
    Abort,
    Unreachable,
    /// `(order)`, or of all orders without an argument: means nothing while memory is sequentially consistent.
    Fence,
    /// Accepted, without effect on any state that we model.
    Nothing,
}

impl Operation {
    /// The number of arguments that a call has at least.
    pub fn arity(self) -> usize {
        match self {
            Operation::Create | Operation::Vsnprintf => 4,
            Operation::CreateC11
            | Operation::Memcpy
            | Operation::Memmove
            | Operation::Memset
            | Operation::Memcmp
            | Operation::AddOverflow
            | Operation::SubOverflow
            | Operation::MulOverflow
            | Operation::Snprintf
            | Operation::Vfprintf
            | Operation::Vsprintf => 3,
            Operation::Join
            | Operation::JoinC11
            | Operation::Calloc
            | Operation::Realloc
            | Operation::Fprintf
            | Operation::Sprintf
            | Operation::Vprintf
            | Operation::Fputs
            | Operation::Fputc
            | Operation::ScanText
            | Operation::ScanStream => 2,
            Operation::ThreadExit
            | Operation::Detach
            | Operation::Assume
            | Operation::Await
            | Operation::AwaitSpurious
            | Operation::Choose
            | Operation::Assert
            | Operation::Misuse
            | Operation::Limit
            | Operation::WrongCall
            | Operation::Math
            | Operation::Malloc
            | Operation::Free
            | Operation::Alloca
            | Operation::Printf
            | Operation::Puts
            | Operation::Putchar
            | Operation::ScanInput
            | Operation::Exit => 1,
            Operation::ThreadSelf
            | Operation::AtomicBegin
            | Operation::AtomicEnd
            | Operation::AssertFail
            | Operation::ReachError
            | Operation::Spurious
            | Operation::Nondet
            | Operation::Abort
            | Operation::Unreachable
            | Operation::Fence
            | Operation::Nothing => 0,
        }
    }
}

/// In bounded threads with store buffers: a store waits from here on, or reaches memory; by its number in its thread.
pub const WAITS: &str = "__unthread_waits";
pub const REACHES: &str = "__unthread_reaches";

/// Name, meaning, and for compiler built-ins (which no header declares) the C type of the call.
const TABLE: &[(&str, Operation, &str)] = &[
    ("pthread_create", Operation::Create, ""),
    ("thrd_create", Operation::CreateC11, ""),
    ("pthread_join", Operation::Join, ""),
    ("thrd_join", Operation::JoinC11, ""),
    ("pthread_exit", Operation::ThreadExit, ""),
    ("thrd_exit", Operation::ThreadExit, ""),
    ("pthread_self", Operation::ThreadSelf, ""),
    ("thrd_current", Operation::ThreadSelf, ""),
    ("pthread_detach", Operation::Detach, ""),
    ("thrd_detach", Operation::Detach, ""),
    ("__VERIFIER_atomic_begin", Operation::AtomicBegin, "void()"),
    ("__VERIFIER_atomic_end", Operation::AtomicEnd, "void()"),
    ("__VERIFIER_assume", Operation::Assume, ""),
    ("__unthread_await", Operation::Await, "void(int)"),
    ("__unthread_await_holder", Operation::Await, "void(int,int)"),
    ("__unthread_await_or_spurious", Operation::AwaitSpurious, "void(int)"),
    ("__unthread_choose", Operation::Choose, "unsigned long long(unsigned long long)"),
    ("__unthread_spurious", Operation::Spurious, "int()"),
    (WAITS, Operation::Nothing, "void(int)"),
    (REACHES, Operation::Nothing, "void(int)"),
    ("__unthread_limit", Operation::Limit, "void(char*)"),
    ("__unthread_misuse", Operation::Misuse, "void(char*)"),
    ("__unthread_wrong_call", Operation::WrongCall, "void(void*)"),
    ("__VERIFIER_assert", Operation::Assert, ""),
    ("assert", Operation::Assert, ""),
    ("__assert_fail", Operation::AssertFail, ""),
    ("__assert", Operation::AssertFail, ""),
    ("__assert_perror_fail", Operation::AssertFail, ""),
    ("__assert_rtn", Operation::AssertFail, ""),
    ("__VERIFIER_error", Operation::ReachError, ""),
    ("reach_error", Operation::ReachError, ""),
    ("malloc", Operation::Malloc, "void*(size_t)"),
    ("__builtin_malloc", Operation::Malloc, "void*(size_t)"),
    ("calloc", Operation::Calloc, "void*(size_t,size_t)"),
    ("realloc", Operation::Realloc, "void*(void*,size_t)"),
    ("free", Operation::Free, "void(void*)"),
    ("__builtin_free", Operation::Free, "void(void*)"),
    ("alloca", Operation::Alloca, "void*(size_t)"),
    ("__builtin_alloca", Operation::Alloca, "void*(size_t)"),
    ("memcpy", Operation::Memcpy, "void*(void*,void*,size_t)"),
    ("__builtin_memcpy", Operation::Memcpy, "void*(void*,void*,size_t)"),
    ("memmove", Operation::Memmove, "void*(void*,void*,size_t)"),
    ("__builtin_memmove", Operation::Memmove, "void*(void*,void*,size_t)"),
    ("memset", Operation::Memset, "void*(void*,int,size_t)"),
    ("__builtin_memset", Operation::Memset, "void*(void*,int,size_t)"),
    ("memcmp", Operation::Memcmp, "int(void*,void*,size_t)"),
    ("__builtin_memcmp", Operation::Memcmp, "int(void*,void*,size_t)"),
    ("__builtin_add_overflow", Operation::AddOverflow, "_Bool(...)"),
    ("__builtin_sub_overflow", Operation::SubOverflow, "_Bool(...)"),
    ("__builtin_mul_overflow", Operation::MulOverflow, "_Bool(...)"),
    ("printf", Operation::Printf, ""),
    ("__builtin_printf", Operation::Printf, "int(char*,...)"),
    ("fprintf", Operation::Fprintf, ""),
    ("sprintf", Operation::Sprintf, ""),
    ("snprintf", Operation::Snprintf, ""),
    ("vprintf", Operation::Vprintf, ""),
    ("vfprintf", Operation::Vfprintf, ""),
    ("vsprintf", Operation::Vsprintf, ""),
    ("vsnprintf", Operation::Vsnprintf, ""),
    ("puts", Operation::Puts, ""),
    ("putchar", Operation::Putchar, ""),
    ("fputs", Operation::Fputs, ""),
    ("fputc", Operation::Fputc, ""),
    ("putc", Operation::Fputc, ""),
    ("_IO_putc", Operation::Fputc, ""),
    ("sscanf", Operation::ScanText, ""),
    ("__isoc99_sscanf", Operation::ScanText, ""),
    ("fscanf", Operation::ScanStream, ""),
    ("__isoc99_fscanf", Operation::ScanStream, ""),
    ("scanf", Operation::ScanInput, ""),
    ("__isoc99_scanf", Operation::ScanInput, ""),
    ("_exit", Operation::Exit, ""),
    ("_Exit", Operation::Exit, ""),
    ("quick_exit", Operation::Exit, ""),
    ("__unthread_exit", Operation::Exit, "void(int)"),
    ("abort", Operation::Abort, "void()"),
    ("__builtin_abort", Operation::Abort, "void()"),
    ("__builtin_trap", Operation::Abort, "void()"),
    ("__builtin_unreachable", Operation::Unreachable, "void()"),
    ("fflush", Operation::Nothing, ""),
    ("perror", Operation::Nothing, ""),
    ("setbuf", Operation::Nothing, ""),
    ("srand", Operation::Nothing, ""),
    ("srandom", Operation::Nothing, ""),
    ("sched_yield", Operation::Nothing, ""),
    ("pthread_yield", Operation::Nothing, ""),
    ("thrd_yield", Operation::Nothing, ""),
    ("__sync_synchronize", Operation::Fence, "void()"),
    ("__atomic_thread_fence", Operation::Fence, "void(int)"),
    ("__atomic_signal_fence", Operation::Nothing, "void(int)"),
];

pub fn operation_named(name: &str) -> Option<Operation> {
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Operation::Nondet);
    }
    if super::math::is_known(name) {
        return Some(Operation::Math);
    }
    TABLE.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
}

/// The C type of a compiler built-in, as `result(params)`, if it is one of the table.
pub fn builtin_signature(name: &str) -> Option<&'static str> {
    TABLE.iter().find(|entry| entry.0 == name && !entry.2.is_empty()).map(|entry| entry.2)
}

/// Names that mean something to threads or control flow and that we do not model: a call is an error, because
/// "returns any value and does nothing else" would be a wrong meaning.
pub fn must_not_be_ignored(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "pthread_",
        "__pthread_",
        "sem_",
        "mtx_",
        "cnd_",
        "thrd_",
        "tss_",
        "__atomic_",
        "__sync_",
        "__builtin_",
        "__c11_atomic_",
        "__VERIFIER_",
        "__unthread_",
        "atomic_",
    ];
    const NAMES: &[&str] = &[
        "setjmp",
        "_setjmp",
        "__sigsetjmp",
        "sigsetjmp",
        "longjmp",
        "siglongjmp",
        "_longjmp",
        "fork",
        "vfork",
        "execl",
        "execlp",
        "execle",
        "execv",
        "execvp",
        "execvpe",
        "posix_spawn",
        "call_once",
        "execve",
        "makecontext",
        "swapcontext",
        "getcontext",
        "setcontext",
        "clone",
        "modf",
        "modff",
        "frexp",
        "frexpf",
        "remquo",
        "sincos",
        "on_exit",
        "at_quick_exit",
        "semget",
        "killpg",
        "alarm",
        "ualarm",
        "setitimer",
        "timer_create",
        "pause",
        "sigsuspend",
        "sigwaitinfo",
        "sigtimedwait",
        "flockfile",
        "ftrylockfile",
        "funlockfile",
        "flock",
        "lockf",
        "socketpair",
        "shmat",
        "shm_open",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The function that stands for an operation; it is declared if the program does not mention it.
pub fn declare(functions: &mut Vec<Function>, types: &mut Types, operation: Operation, name: &str) -> FunctionId {
    let same = |function: &Function| matches!(function.kind, FunctionKind::Operation(other) if other == operation);
    if let Some(index) = functions.iter().position(same) {
        return FunctionId(index as u32);
    }
    let void = types.void();
    declare_new(functions, types, operation, name.to_owned(), void)
}

/// The same where the name matters as well.
pub fn declare_named(functions: &mut Vec<Function>, types: &mut Types, operation: Operation, name: &str) -> FunctionId {
    if let Some(index) = functions.iter().position(|function| function.name == name) {
        return FunctionId(index as u32);
    }
    let void = types.void();
    declare_new(functions, types, operation, name.to_owned(), void)
}

/// A function for an operation, with this type of result.
pub fn declare_new(
    functions: &mut Vec<Function>,
    types: &mut Types,
    operation: Operation,
    name: String,
    result: TypeId,
) -> FunctionId {
    let ty =
        types.intern(Type::Function(FunctionType { result, params: Vec::new(), variadic: false, prototyped: false }));
    functions.push(Function::without_body(name, FunctionKind::Operation(operation), ty));
    FunctionId(functions.len() as u32 - 1)
}
