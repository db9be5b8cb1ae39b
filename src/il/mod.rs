//! The core language: the program between the stages, "C without its traps".
//!
//! Expressions have no side effects, places are distinct from values, every conversion is a cast, and statements
//! are few. It prints as C ([`print`]), and reading that C gives the same program again.

pub mod arithmetic;
pub mod interpret;
pub mod leaves;
pub mod math;
pub mod operation;
pub mod print;
pub mod scan;
pub mod types;
pub mod validate;
pub mod walk;

use crate::diagnostic::Span;
use crate::source::Source;
pub use operation::Operation;
pub use types::{DataModel, FloatKind, IntKind, RecordId, Type, TypeId, Types};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct LocalId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringId(pub u32);
/// Names a statement within its program, once [`walk::number`] has numbered them; 0 before that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub u32);

#[derive(Clone, Debug)]
pub struct Program {
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub strings: Vec<StringLiteral>,
    pub main: FunctionId,
    /// Runs in every thread that ends, before it is joinable (destructors of thread-specific data).
    pub thread_end: Option<FunctionId>,
    /// Runs when `main` returns (`atexit` handlers).
    pub at_exit: Option<FunctionId>,
    /// Where a compare-and-swap stands that may fail without reason (C11 7.17.7.4).
    pub weak_exchanges: Vec<Span>,
    /// Where the program can tell something of addresses. Normalizing looks for it.
    pub told: crate::analysis::addresses::Told,
    /// What a thread writes reaches memory later. Without it memory is sequentially consistent.
    pub buffering: Option<Buffering>,
    pub source: Source,
}

/// In which order the stores of a thread reach memory (`analysis/drains` says what each statement means to it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffering {
    /// In the order of the program (x86).
    Tso,
    /// In the order of the program for each location (SPARC's PSO).
    Pso,
}

impl Buffering {
    /// As users and documents name it.
    pub fn name(self) -> &'static str {
        match self {
            Buffering::Tso => "tso",
            Buffering::Pso => "pso",
        }
    }
}

#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// Code units with the terminating zero.
    pub units: Vec<u32>,
    /// Type of one unit.
    pub unit: TypeId,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    /// Scalar constants for parts of the object; all other bytes are zero.
    pub init: Vec<InitPart>,
    pub thread_local: bool,
    /// Alignment that the declaration asks for, 0 if none.
    pub align: u64,
    /// Declared here, defined in a library: its initial value is not known.
    pub external: bool,
    pub internal: bool,
    /// Declared by the user, defined by a model (`optarg`): a printed program finds it in the library.
    pub library: bool,
    /// Part of a model of a library function, not of the user's program.
    pub model: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitPart {
    pub path: Vec<PathStep>,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    Field(u32),
    Index(u64),
}

#[derive(Clone, Debug)]
pub enum FunctionKind {
    /// Defined by the user.
    Defined,
    /// A library function whose meaning is given as C in `c/model`.
    Model,
    /// A primitive of the core language, or a library function that the engines know.
    Operation(Operation),
    /// Unknown: returns any value, has no other effect.
    External,
}

/// What a function of the thread library does with the object of its first argument. A result other than 0 means that
/// it did not. The models say it themselves, by an attribute of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectAction {
    /// Takes a lock.
    Locks,
    /// Takes a lock that others may hold as well, if they took it in the same way.
    LocksShared,
    /// Takes a lock, or fails at once.
    Tries,
    /// The same for a lock that others may hold as well.
    TriesShared,
    /// Gives a lock back, whichever way it was taken.
    Unlocks,
    /// Begins to wait for a condition, and gives back the lock of the second argument.
    Waits,
    Signals,
    Broadcasts,
    /// Waits for a condition, with the lock of the second argument, which it holds again in the end.
    Sleeps,
    /// Anything else; it reads nothing but the state of the object.
    Uses,
    /// Makes a lock new, whoever holds it.
    Initializes,
    /// Makes an object usable that nothing else makes so: not even zero bytes are one.
    Prepares,
    /// Anything else, with an object that must have been prepared.
    UsesPrepared,
}

impl ObjectAction {
    pub fn of_attribute(name: &str) -> Option<ObjectAction> {
        Some(match name {
            "ut_locks" => ObjectAction::Locks,
            "ut_locks_shared" => ObjectAction::LocksShared,
            "ut_tries" => ObjectAction::Tries,
            "ut_tries_shared" => ObjectAction::TriesShared,
            "ut_unlocks" => ObjectAction::Unlocks,
            "ut_waits" => ObjectAction::Waits,
            "ut_signals" => ObjectAction::Signals,
            "ut_broadcasts" => ObjectAction::Broadcasts,
            "ut_sleeps" => ObjectAction::Sleeps,
            "ut_uses" => ObjectAction::Uses,
            "ut_initializes" => ObjectAction::Initializes,
            "ut_prepares" => ObjectAction::Prepares,
            "ut_uses_prepared" => ObjectAction::UsesPrepared,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub kind: FunctionKind,
    /// Type as the user's program declares it.
    pub ty: TypeId,
    pub params: Vec<LocalId>,
    pub locals: Vec<Local>,
    pub labels: Vec<String>,
    pub body: Vec<Stmt>,
    /// `__VERIFIER_atomic_*`: other threads do not run between its first and last step.
    pub atomic: bool,
    /// For models of the thread library.
    pub does: Option<ObjectAction>,
    pub internal: bool,
    pub span: Span,
}

impl Function {
    /// One whose body is not known.
    pub fn without_body(name: String, kind: FunctionKind, ty: TypeId) -> Function {
        Function {
            name,
            kind,
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            body: Vec::new(),
            atomic: false,
            does: None,
            internal: false,
            span: Span::default(),
        }
    }

    pub fn has_body(&self) -> bool {
        match self.kind {
            FunctionKind::Defined | FunctionKind::Model => true,
            FunctionKind::Operation(_) | FunctionKind::External => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: TypeId,
    /// Alignment that the declaration asks for, 0 if none.
    pub align: u64,
    /// Other threads may know its address, so that the end of its scope is a visible step.
    pub shared: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    /// The right operand is evaluated only if the left is true.
    LogicalAnd,
    LogicalOr,
    /// Pointer plus integer, counted in elements.
    PointerAdd,
    /// Difference of two pointers in elements.
    PointerSub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i128),
    Float(f64),
    /// Address of the first unit of a string literal.
    Str(StringId),
    Function(FunctionId),
    Load(Box<Place>),
    AddressOf(Box<Place>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Conversion to the expression's type.
    Cast(Box<Expr>),
    /// Only the chosen branch is evaluated.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub fn int(value: i128, ty: TypeId) -> Expr {
        Expr { kind: ExprKind::Int(value), ty }
    }

    pub fn load(place: Place) -> Expr {
        let ty = place.ty;
        Expr { kind: ExprKind::Load(Box::new(place)), ty }
    }

    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.as_int() == Some(0)
    }
}

/// How a place is read or written (C11 5.1.2.4). Under sequential consistency all are the same to the engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AccessKind {
    #[default]
    Plain,
    /// Neither atomic nor ordered, but the compiler must do it.
    Volatile,
    /// Plain: one of the bit-fields that are accessed together, in an atomic section that only says so.
    Neighbour,
    Atomic(Order),
}

/// The order of an atomic access or a fence (C11 7.17.3), as the constants of the compilers number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    const ALL: [Order; 6] =
        [Order::Relaxed, Order::Consume, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

    /// What is not a constant may be the weakest.
    pub fn of_constant(value: Option<i128>) -> Order {
        let known = value.and_then(|value| usize::try_from(value).ok());
        known.and_then(|value| Order::ALL.get(value).copied()).unwrap_or(Order::Relaxed)
    }
}

impl AccessKind {
    const NAMES: [(AccessKind, &str); 8] = [
        (AccessKind::Volatile, "volatile"),
        (AccessKind::Neighbour, "neighbour"),
        (AccessKind::Atomic(Order::Relaxed), "relaxed"),
        (AccessKind::Atomic(Order::Consume), "consume"),
        (AccessKind::Atomic(Order::Acquire), "acquire"),
        (AccessKind::Atomic(Order::Release), "release"),
        (AccessKind::Atomic(Order::AcqRel), "acq_rel"),
        (AccessKind::Atomic(Order::SeqCst), "seq_cst"),
    ];

    /// How many atomic sections around it do not make it atomic.
    pub fn own_sections(self) -> u32 {
        match self {
            AccessKind::Neighbour => 1,
            AccessKind::Plain | AccessKind::Volatile | AccessKind::Atomic(_) => 0,
        }
    }

    /// The word for it in printed programs; a plain access has none.
    pub fn word(self) -> Option<&'static str> {
        AccessKind::NAMES.iter().find(|(access, _)| *access == self).map(|(_, word)| *word)
    }

    pub fn of_word(word: &str) -> Option<AccessKind> {
        AccessKind::NAMES.iter().find(|(_, name)| *name == word).map(|(access, _)| *access)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub base: Base,
    pub projections: Vec<Projection>,
    /// Type of what the place holds.
    pub ty: TypeId,
    /// How it is read or written here.
    pub access: AccessKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Global(GlobalId),
    Local(LocalId),
    /// What a pointer points to.
    Deref(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    Field(RecordId, u32),
    /// Element of an array whose element type is given.
    Index(Box<Expr>, TypeId),
}

impl Place {
    pub fn new(base: Base, projections: Vec<Projection>, ty: TypeId) -> Place {
        Place { base, projections, ty, access: AccessKind::Plain }
    }

    pub fn local(id: LocalId, ty: TypeId) -> Place {
        Place::new(Base::Local(id), Vec::new(), ty)
    }

    pub fn global(id: GlobalId, ty: TypeId) -> Place {
        Place::new(Base::Global(id), Vec::new(), ty)
    }

    /// What a pointer points to.
    pub fn deref(pointer: Expr, ty: TypeId) -> Place {
        Place::new(Base::Deref(Box::new(pointer)), Vec::new(), ty)
    }
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// May touch memory that two threads can reach: a context switch may happen before it.
    pub visible: bool,
    pub id: StatementId,
    /// The number of the statement in the normalized program, kept by its copies; 0 if it has none.
    pub origin: u32,
}

/// Added to the number of a statement: the rest of one that began before. It takes values under that number, but does
/// not begin it again.
pub const CONTINUED: u32 = 1 << 31;

impl Stmt {
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span, visible: false, id: StatementId::default(), origin: 0 }
    }
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The local comes to life here and holds any value.
    Declare(LocalId),
    Assign {
        to: Place,
        value: Expr,
    },
    Call {
        to: Option<Place>,
        callee: Callee,
        args: Vec<Expr>,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// `while (1)`: left by `break`, `goto` or `return`.
    Loop(Vec<Stmt>),
    /// A scope: the locals declared in it end with it.
    Block(Vec<Stmt>),
    Break,
    Continue,
    Goto(LabelId),
    Label(LabelId),
    Return(Option<Expr>),
    VaStart(Place),
    VaArg {
        to: Place,
        list: Place,
    },
    VaCopy {
        to: Place,
        from: Place,
    },
    VaEnd(Place),
}

impl StmtKind {
    /// The blocks inside a statement, in order; an empty one where there is none.
    pub fn blocks(&self) -> [&[Stmt]; 2] {
        match self {
            StmtKind::If { then, otherwise, .. } => [then, otherwise],
            StmtKind::Loop(inner) | StmtKind::Block(inner) => [inner, &[]],
            StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => [&[], &[]],
        }
    }

    /// The same for blocks that may be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Vec<Stmt>> {
        let blocks = match self {
            StmtKind::If { then, otherwise, .. } => [Some(then), Some(otherwise)],
            StmtKind::Loop(inner) | StmtKind::Block(inner) => [Some(inner), None],
            StmtKind::Declare(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => [None, None],
        };
        blocks.into_iter().flatten()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Function(FunctionId),
    Pointer(Expr),
}

/// The expression below its casts.
pub fn uncast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => uncast(inner),
        _ => expr,
    }
}

/// Which arguments of a call that prints are texts, up to a zero.
pub fn printed_texts(strings: &[StringLiteral], operation: Operation, args: &[Expr]) -> Vec<usize> {
    let format = match operation {
        Operation::Puts | Operation::Fputs => return vec![0],
        Operation::Printf => 0,
        Operation::Fprintf => 1,
        _ => return Vec::new(),
    };
    let Some(ExprKind::Str(id)) = args.get(format).map(|format| &uncast(format).kind) else { return Vec::new() };
    let text: String = strings[id.0 as usize].units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
    let mut found = Vec::new();
    let mut next = format + 1;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if_eq(&'%').is_some() {
            continue;
        }
        let mut limited = false;
        while let Some(part) = letters.next_if(|part| "-+ #0123456789.*hlzjtqL".contains(*part)) {
            next += usize::from(part == '*');
            limited |= part == '.';
        }
        if letters.next() == Some('s') && !limited && next < args.len() {
            found.push(next);
        }
        next += 1;
    }
    found
}

impl Program {
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// A step of several accesses to memory that threads share, where C promises only each of them: `no-bug` would not
    /// know what others see in between.
    pub fn coarse_step(&self, stmt: &Stmt) -> Option<&'static str> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return None };
        let several = |name: &'static str, targets: usize| (targets > 1).then_some(name);
        let found = match self.operation(callee)? {
            Operation::Sprintf | Operation::Snprintf | Operation::Vsprintf | Operation::Vsnprintf => Some("sprintf()"),
            Operation::ScanText => Some("sscanf()"),
            Operation::Realloc => Some("realloc()"),
            Operation::ScanInput => several("scanf()", args.len() - 1),
            Operation::ScanStream => several("fscanf()", args.len() - 2),
            _ => None,
        };
        found.filter(|_| stmt.visible)
    }

    /// Does it print with a format that has `%n`, which writes memory, or with one that is not known?
    pub fn prints_count(&self, stmt: &Stmt) -> bool {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return false };
        let format = match self.operation(callee) {
            Some(Operation::Printf | Operation::Vprintf) => args.first(),
            Some(Operation::Fprintf | Operation::Vfprintf | Operation::Sprintf | Operation::Vsprintf) => args.get(1),
            Some(Operation::Snprintf | Operation::Vsnprintf) => args.get(2),
            _ => return false,
        };
        let Some(mut format) = format else { return false };
        while let ExprKind::Cast(inner) = &format.kind {
            format = inner;
        }
        let ExprKind::Str(id) = format.kind else { return true };
        let units = &self.strings[id.0 as usize].units;
        let text: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
        text.replace("%%", "").split('%').skip(1).any(|conversion| {
            conversion.trim_start_matches(|c: char| "-+ #0123456789.*hlzjtqL".contains(c)).starts_with('n')
        })
    }

    /// Are there handlers of signals, which may arrive at any time?
    pub fn handles_signals(&self) -> bool {
        let handlers = ["sigaction", "signal"];
        let is_handler = |function: &Function| {
            matches!(function.kind, FunctionKind::Model) && handlers.contains(&function.name.as_str())
        };
        self.functions.iter().any(is_handler)
    }

    pub fn operation(&self, callee: &Callee) -> Option<Operation> {
        match callee {
            Callee::Function(id) => match self.function(*id).kind {
                FunctionKind::Operation(operation) => Some(operation),
                FunctionKind::Defined | FunctionKind::Model | FunctionKind::External => None,
            },
            Callee::Pointer(_) => None,
        }
    }
}
