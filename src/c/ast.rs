//! The syntax tree of a translation unit, close to the grammar of C11 with the GNU extensions.

use crate::diagnostic::Span;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntSuffix {
    Int,
    Long,
    LongLong,
}

/// Width class of a character or string constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharWidth {
    Char,
    /// `L'..'`: `wchar_t` is `int` (32-bit and 64-bit Linux alike).
    Wchar,
    Char16,
    Char32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    Float,
    Double,
    LongDouble,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Ident(String),
    Int {
        value: u64,
        decimal: bool,
        unsigned: bool,
        suffix: IntSuffix,
    },
    Float {
        value: f64,
        suffix: FloatSuffix,
    },
    Char {
        value: i64,
        width: CharWidth,
    },
    /// Code units without the terminating zero.
    Str {
        units: Vec<u32>,
        width: CharWidth,
    },
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Member {
        base: Box<Expr>,
        name: String,
        arrow: bool,
    },
    IncDec {
        operand: Box<Expr>,
        increment: bool,
        prefix: bool,
    },
    AddressOf(Box<Expr>),
    Deref(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    SizeofType(Box<TypeName>),
    SizeofExpr(Box<Expr>),
    /// `preferred`: GNU `__alignof__`, which is 8 for 8-byte numbers even where members are aligned to 4.
    AlignofType {
        name: Box<TypeName>,
        preferred: bool,
    },
    AlignofExpr {
        operand: Box<Expr>,
        preferred: bool,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, Box<Initializer>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `a ? b : c`; `b` is absent in the GNU form `a ?: c`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    StatementExpr(Vec<BlockItem>),
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    OffsetOf(Box<TypeName>, Vec<Designator>),
    VaArg(Box<Expr>, Box<TypeName>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Designator {
    Index(Expr),
    Range(Expr, Expr),
    Member(String, Span),
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expr(Expr),
    List(Vec<InitItem>, Span),
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Initializer,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    pub atomic: bool,
    pub constant: bool,
    pub volatile: bool,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    /// Without the surrounding underscores.
    pub name: String,
    pub arguments: Vec<Expr>,
}

/// The arithmetic type specifiers of one declaration, as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arithmetic {
    pub void: bool,
    pub bool_: bool,
    pub char_: bool,
    pub short: bool,
    pub int: bool,
    pub long: u8,
    pub float: bool,
    pub double: bool,
    pub signed: bool,
    pub unsigned: bool,
}

#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// No type at all: implicit `int`.
    Missing,
    Arithmetic(Arithmetic),
    Named(String),
    Record(RecordSpec),
    Enum(EnumSpec),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    Atomic(Box<TypeName>),
    AutoType,
    VaList,
    /// A type that exists in the language but not here, named for the message.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub struct RecordSpec {
    pub union: bool,
    pub tag: Option<String>,
    pub members: Option<Vec<MemberDecl>>,
    pub attributes: Vec<Attribute>,
    /// `#pragma pack` in force at the definition (0: natural).
    pub pack: u32,
    /// What the definition looks like, and where it stands if it has no tag: the same for the same definition in another
    /// unit.
    pub looks: u64,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct MemberDecl {
    pub specs: Specs,
    /// Empty for an anonymous struct or union member.
    pub declarators: Vec<(Declarator, Option<Expr>)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct EnumSpec {
    pub tag: Option<String>,
    pub enumerators: Option<Vec<(String, Option<Expr>, Span)>>,
    pub packed: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Specs {
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub ty: TypeSpec,
    pub qualifiers: Qualifiers,
    pub alignas: Vec<Alignment>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Alignment {
    Type(Box<TypeName>),
    Value(Expr),
}

/// `int *a[3]` is name `a`, derived `[Array 3, Pointer]`: read from the name outwards.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Option<String>,
    pub name_span: Span,
    pub derived: Vec<Derived>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

impl Declarator {
    pub fn is_function(&self) -> bool {
        matches!(self.derived.first(), Some(Derived::Function { .. }))
    }
}

#[derive(Clone, Debug)]
pub enum Derived {
    Pointer(Qualifiers),
    /// `star`: `[*]`, of a length that a prototype does not say.
    Array {
        size: Option<Box<Expr>>,
        star: bool,
        span: Span,
    },
    Function {
        params: Vec<Param>,
        variadic: bool,
        identifiers: Vec<(String, Span)>,
        prototyped: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Param {
    pub specs: Specs,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct TypeName {
    pub specs: Specs,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Clone, Debug)]
pub enum Declaration {
    Variables { specs: Specs, declarators: Vec<InitDeclarator>, span: Span },
    StaticAssert { condition: Expr, message: String, span: Span },
}

#[derive(Clone, Debug)]
pub struct FunctionDef {
    pub specs: Specs,
    pub declarator: Declarator,
    /// K&R parameter declarations.
    pub declarations: Vec<Declaration>,
    pub body: Vec<BlockItem>,
    /// Names that stand behind a unary `&`: other threads may come to know these variables.
    pub address_taken: std::rc::Rc<rustc_hash::FxHashSet<String>>,
    pub span: Span,
    /// The closing brace: where control falls off the end.
    pub end: Span,
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    pub externals: Vec<External>,
    /// The structs and unions that are defined at file scope, with what their definitions look like.
    pub tags: FxHashMap<String, u64>,
}

#[derive(Clone, Debug)]
pub enum External {
    Declaration(Declaration),
    Function(std::rc::Rc<FunctionDef>),
}

#[derive(Clone, Debug)]
pub enum BlockItem {
    Declaration(Declaration),
    Statement(Stmt),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(String, Box<Stmt>),
    Case(Expr, Option<Expr>, Box<Stmt>),
    Default(Box<Stmt>),
    Compound(Vec<BlockItem>),
    Expr(Option<Expr>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    Switch(Expr, Box<Stmt>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For { init: Option<Box<BlockItem>>, condition: Option<Expr>, step: Option<Expr>, body: Box<Stmt> },
    Goto(String),
    Continue,
    Break,
    Return(Option<Expr>),
    Asm(Asm),
}

/// The name of the attribute that stands for `asm("label")` after a declarator.
pub const ASM_LABEL: &str = "asm label";

/// A statement in assembly (GNU C).
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    /// It may go on at a label.
    pub jumps: bool,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<String>,
    pub constraint: String,
    pub expr: Expr,
}
