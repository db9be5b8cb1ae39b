//! Which objects a pointer may point to: inclusion-based (Andersen), insensitive to flow, context and fields.
//!
//! Objects are globals, locals, functions and allocation sites. Every object has one content: the set of objects
//! whose addresses may be stored anywhere in it. Integers count as possible pointers, so that casts lose nothing.

use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, GlobalId, LocalId, Operation, Place,
    Program, StatementId, Stmt, StmtKind, walk,
};
use rustc_hash::FxHashMap;

pub type ObjectId = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    Global(GlobalId),
    Local(FunctionId, LocalId),
    Function(FunctionId),
    /// Memory from the n-th allocating call of a function.
    Heap(FunctionId, u32),
}

/// A set of objects as bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Set(Vec<u64>);

impl Set {
    pub fn insert(&mut self, id: ObjectId) -> bool {
        let (word, bit) = (id / 64, 1u64 << (id % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    pub fn remove(&mut self, id: ObjectId) {
        if let Some(word) = self.0.get_mut(id / 64) {
            *word &= !(1 << (id % 64));
        }
    }

    pub fn contains(&self, id: ObjectId) -> bool {
        self.0.get(id / 64).is_some_and(|word| word & (1 << (id % 64)) != 0)
    }

    pub fn union(&mut self, other: &Set) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word & (1u64 << bit) != 0).map(move |bit| index * 64 + bit)
        })
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

pub struct PointsTo<'p> {
    program: &'p Program,
    pub objects: Vec<Object>,
    global_base: usize,
    local_base: Vec<usize>,
    function_base: usize,
    /// The objects that allocating calls make.
    heap: FxHashMap<StatementId, ObjectId>,
    /// What may be stored in each object.
    content: Vec<Set>,
    results: Vec<Set>,
    changed: bool,
}

pub fn points_to(program: &Program) -> PointsTo<'_> {
    let mut analysis = PointsTo::new(program);
    analysis.initial_contents();
    loop {
        analysis.changed = false;
        for index in 0..program.functions.len() {
            let id = FunctionId(index as u32);
            walk::statements(&program.functions[index].body, &mut |stmt| analysis.statement(id, stmt));
        }
        if !analysis.changed {
            return analysis;
        }
    }
}

impl<'p> PointsTo<'p> {
    fn new(program: &'p Program) -> PointsTo<'p> {
        let mut objects: Vec<Object> = Vec::new();
        let global_base = 0;
        objects.extend((0..program.globals.len()).map(|index| Object::Global(GlobalId(index as u32))));
        let function_base = objects.len();
        objects.extend((0..program.functions.len()).map(|index| Object::Function(FunctionId(index as u32))));
        let mut local_base = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            local_base.push(objects.len());
            let id = FunctionId(index as u32);
            objects.extend((0..function.locals.len()).map(|local| Object::Local(id, LocalId(local as u32))));
        }
        let mut heap = FxHashMap::default();
        let may_allocate = |callee: &Callee| match callee {
            Callee::Function(_) => program.operation(callee).is_some_and(allocates),
            // Whoever has the address of malloc() may call it.
            Callee::Pointer(_) => program.functions.iter().any(|function| match function.kind {
                FunctionKind::Operation(operation) => allocates(operation),
                FunctionKind::Defined | FunctionKind::Model | FunctionKind::External => false,
            }),
        };
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let mut count = 0;
            walk::statements(&function.body, &mut |stmt| {
                if let StmtKind::Call { callee, .. } = &stmt.kind
                    && may_allocate(callee)
                {
                    debug_assert_ne!(stmt.id, StatementId::default(), "statements should be numbered");
                    heap.insert(stmt.id, objects.len());
                    objects.push(Object::Heap(id, count));
                    count += 1;
                }
            });
        }
        PointsTo {
            program,
            global_base,
            local_base,
            function_base,
            heap,
            content: vec![Set::default(); objects.len()],
            results: vec![Set::default(); program.functions.len()],
            objects,
            changed: false,
        }
    }

    pub fn global(&self, id: GlobalId) -> ObjectId {
        self.global_base + id.0 as usize
    }

    pub fn local(&self, function: FunctionId, id: LocalId) -> ObjectId {
        self.local_base[function.0 as usize] + id.0 as usize
    }

    /// The object that an allocating call makes.
    pub fn allocation(&self, stmt: &Stmt) -> Option<ObjectId> {
        self.heap.get(&stmt.id).copied()
    }

    /// The call that makes an object, if it is one of the heap.
    pub fn allocated_by(&self, object: ObjectId) -> Option<StatementId> {
        self.heap.iter().find(|(_, made)| **made == object).map(|(statement, _)| *statement)
    }

    pub fn content(&self, object: ObjectId) -> &Set {
        &self.content[object]
    }

    pub fn result(&self, function: FunctionId) -> &Set {
        &self.results[function.0 as usize]
    }

    /// The functions that a call may reach.
    pub fn callees(&self, function: FunctionId, callee: &Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => self.functions_in(&self.value(function, pointer)),
        }
    }

    pub fn functions_in(&self, set: &Set) -> Vec<FunctionId> {
        set.iter()
            .filter_map(|object| match self.objects[object] {
                Object::Function(id) => Some(id),
                Object::Global(_) | Object::Local(..) | Object::Heap(..) => None,
            })
            .collect()
    }

    /// The objects that hold a place.
    pub fn place_objects(&self, function: FunctionId, place: &Place) -> Set {
        match &place.base {
            Base::Global(id) => singleton(self.global(*id)),
            Base::Local(id) => singleton(self.local(function, *id)),
            Base::Deref(pointer) => self.value(function, pointer),
        }
    }

    /// The objects that a value may point to.
    pub fn value(&self, function: FunctionId, expr: &Expr) -> Set {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) => Set::default(),
            ExprKind::Function(id) => singleton(self.function_base + id.0 as usize),
            ExprKind::AddressOf(place) => self.place_objects(function, place),
            ExprKind::Load(place) => {
                let mut set = Set::default();
                for object in self.place_objects(function, place).iter() {
                    set.union(&self.content[object]);
                }
                set
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.value(function, operand),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
                | BinaryOp::PointerSub => Set::default(),
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::BitAnd
                | BinaryOp::BitXor
                | BinaryOp::BitOr
                | BinaryOp::PointerAdd => {
                    let mut set = self.value(function, left);
                    set.union(&self.value(function, right));
                    set
                }
            },
            ExprKind::Conditional(_, then, otherwise) => {
                let mut set = self.value(function, then);
                set.union(&self.value(function, otherwise));
                set
            }
        }
    }

    fn initial_contents(&mut self) {
        for (index, global) in self.program.globals.iter().enumerate() {
            for part in &global.init {
                // Initializers mention no locals, so that any function will do as context.
                let set = self.value(self.program.main, &part.value);
                self.content[index].union(&set);
            }
        }
    }

    fn store(&mut self, targets: &Set, value: &Set) {
        for object in targets.iter() {
            self.changed |= self.content[object].union(value);
        }
    }

    fn statement(&mut self, function: FunctionId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { to, value } => {
                let value = self.value(function, value);
                if !value.is_empty() {
                    let targets = self.place_objects(function, to);
                    self.store(&targets, &value);
                }
            }
            StmtKind::Return(Some(value)) => {
                let value = self.value(function, value);
                self.changed |= self.results[function.0 as usize].union(&value);
            }
            StmtKind::Call { to, callee, args } => self.call(function, stmt, to.as_ref(), callee, args),
            // A list of variable arguments holds whatever was passed; collected under the function's result.
            StmtKind::VaStart(list) => {
                let passed = self.variadic(function);
                let targets = self.place_objects(function, list);
                self.store(&targets, &passed);
            }
            StmtKind::VaArg { to, list } | StmtKind::VaCopy { to, from: list } => {
                let mut value = Set::default();
                for object in self.place_objects(function, list).iter() {
                    value.union(&self.content[object]);
                }
                let targets = self.place_objects(function, to);
                self.store(&targets, &value);
            }
            StmtKind::Return(None)
            | StmtKind::Declare(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::VaEnd(_) => {}
        }
    }

    /// Everything that any caller passes beyond the parameters.
    fn variadic(&self, function: FunctionId) -> Set {
        let mut passed = Set::default();
        let params = self.program.function(function).params.len();
        for (index, caller) in self.program.functions.iter().enumerate() {
            let caller_id = FunctionId(index as u32);
            walk::statements(&caller.body, &mut |stmt| {
                if let StmtKind::Call { callee, args, .. } = &stmt.kind
                    && args.len() > params
                    && self.callees(caller_id, callee).contains(&function)
                {
                    for arg in &args[params..] {
                        passed.union(&self.value(caller_id, arg));
                    }
                }
            });
        }
        passed
    }

    fn call(&mut self, function: FunctionId, stmt: &Stmt, to: Option<&Place>, callee: &Callee, args: &[Expr]) {
        let program = self.program;
        let mut result = Set::default();
        for target in self.callees(function, callee) {
            let called = program.function(target);
            match called.kind {
                FunctionKind::Defined | FunctionKind::Model => {
                    for (param, arg) in called.params.iter().zip(args) {
                        let value = self.value(function, arg);
                        let param = singleton(self.local(target, *param));
                        self.store(&param, &value);
                    }
                    result.union(&self.results[target.0 as usize].clone());
                }
                FunctionKind::Operation(operation) => {
                    let value = self.operation(function, stmt, operation, args);
                    result.union(&value);
                }
                FunctionKind::External => {}
            }
        }
        if let Some(to) = to {
            let targets = self.place_objects(function, to);
            self.store(&targets, &result);
        }
    }

    fn operation(&mut self, function: FunctionId, stmt: &Stmt, operation: Operation, args: &[Expr]) -> Set {
        match operation {
            Operation::Malloc | Operation::Calloc | Operation::Alloca => self.allocated(stmt),
            Operation::Realloc => {
                let mut moved = self.allocated(stmt);
                let old = args.first().map(|arg| self.value(function, arg)).unwrap_or_default();
                for object in old.iter() {
                    let content = self.content[object].clone();
                    self.store(&moved.clone(), &content);
                }
                moved.union(&old);
                moved
            }
            Operation::Memcpy | Operation::Memmove => {
                let [to, from, ..] = args else { return Set::default() };
                let targets = self.value(function, to);
                let mut content = Set::default();
                for object in self.value(function, from).iter() {
                    content.union(&self.content[object]);
                }
                self.store(&targets, &content);
                targets
            }
            Operation::Memset => args.first().map(|to| self.value(function, to)).unwrap_or_default(),
            Operation::Create | Operation::CreateC11 => {
                let (start, argument) = start_and_argument(operation, args);
                let value = self.value(function, argument);
                for target in self.functions_in(&self.value(function, start)) {
                    if let Some(param) = self.program.function(target).params.first() {
                        let param = singleton(self.local(target, *param));
                        self.store(&param, &value);
                    }
                }
                Set::default()
            }
            Operation::Join | Operation::JoinC11 => {
                let Some(result) = args.get(1) else { return Set::default() };
                let targets = self.value(function, result);
                let results = self.thread_results();
                self.store(&targets, &results);
                Set::default()
            }
            Operation::ThreadExit => {
                // Any thread may be the one that ends here.
                if let Some(value) = args.first() {
                    let value = self.value(function, value);
                    self.changed |= self.results[function.0 as usize].union(&value);
                }
                Set::default()
            }
            Operation::ThreadSelf
            | Operation::Detach
            | Operation::AtomicBegin
            | Operation::AtomicEnd
            | Operation::Assume
            | Operation::Await
            | Operation::AwaitSpurious
            | Operation::Choose
            | Operation::Assert
            | Operation::AssertFail
            | Operation::ReachError
            | Operation::Spurious
            | Operation::Misuse
            | Operation::Limit
            | Operation::WrongCall
            | Operation::Math
            | Operation::Nondet
            | Operation::Free
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
            | Operation::ScanStream
            | Operation::ScanInput
            | Operation::Exit
            | Operation::Abort
            | Operation::Unreachable
            | Operation::Fence
            | Operation::Nothing => Set::default(),
        }
    }

    fn allocated(&self, stmt: &Stmt) -> Set {
        singleton(self.heap[&stmt.id])
    }

    /// What threads may hand to whoever joins them: the result of any function, to be safe.
    pub fn thread_results(&self) -> Set {
        let mut set = Set::default();
        for result in &self.results {
            set.union(result);
        }
        set
    }
}

/// The start function and the argument of a thread creation.
pub fn start_and_argument(operation: Operation, args: &[Expr]) -> (&Expr, &Expr) {
    match operation {
        Operation::CreateC11 => (&args[1], &args[2]),
        _ => (&args[2], &args[3]),
    }
}

fn allocates(operation: Operation) -> bool {
    matches!(operation, Operation::Malloc | Operation::Calloc | Operation::Realloc | Operation::Alloca)
}

fn singleton(id: ObjectId) -> Set {
    let mut set = Set::default();
    set.insert(id);
    set
}

/// Does the program start threads at all?
pub fn creates_threads(program: &Program) -> bool {
    program.functions.iter().any(|function: &Function| {
        matches!(function.kind, FunctionKind::Operation(Operation::Create | Operation::CreateC11))
    })
}
