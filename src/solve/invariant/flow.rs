//! The control flow of every kind of thread: locations where others may come in between, and what a thread does from one
//! location to the next, as literals over the state before.
//!
//! Calls are followed in place, so a variable of a function is told apart by the chain of calls that led there
//! ([`Context`]). Memory is words of bits, with addresses, so that any access is a piece of a word. Threads that a place in
//! the program creates once are a kind of their own; of others there may be any number.

use super::simulate::Inputs;
use super::word::{self, Word};
use crate::analysis::points_to::{Object as Pointed, PointsTo, points_to};
use crate::analysis::race::Contended;
use crate::budget::Budget;
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::interpret::code::{Code, Kind as Instruction, Registers};
use crate::il::interpret::{FailureKind, Quiet};
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, Function, FunctionId, FunctionKind, GlobalId, LocalId, ObjectAction,
    Operation, PathStep, Program, Stmt, StmtKind, StringId, Type, TypeId, uncast, walk,
};
use crate::property::Property;
use crate::solve::formula::gates::{FALSE, Gates, Lit, TRUE};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Which of the two threads that are looked at: the one whose state must stay as it is known, or the other.
pub type Copy = usize;
pub const ITSELF: Copy = 0;
pub const OTHER: Copy = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContextId(pub u32);

/// A call, and who made it; none for the function in which a thread begins.
type Caller = Option<(ContextId, usize)>;

/// A function where one chain of calls has led to.
pub struct Context {
    pub function: FunctionId,
    /// Where it was called.
    pub caller: Caller,
    pub kind: usize,
    /// Its variables that need memory, each with the bit that says whether it exists.
    pub objects: FxHashMap<LocalId, (usize, usize)>,
}

pub type Register = (ContextId, LocalId);

/// Threads that begin in the same function.
pub struct Kind {
    pub function: FunctionId,
    pub root: ContextId,
    /// There may be more than one at a time.
    pub many: bool,
    /// The bit that says that one was created: until then none can come in between.
    pub created: usize,
    /// For one that exists once: the bits that say that it was created, has ended, and was joined.
    pub bits: Option<[usize; 3]>,
    pub entry: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    pub kind: usize,
    pub context: ContextId,
    pub pc: usize,
    /// Nesting of atomic sections: others wait if there is one.
    pub atomic: u32,
}

/// A piece of memory with an address, or a bit or number that only the proof needs.
pub struct Object {
    pub base: u64,
    pub width: usize,
    /// 0 for bits and numbers of the proof.
    pub bytes: u64,
    pub private: bool,
    pub what: What,
}

impl Object {
    /// Nothing is known of what it holds: it has no bits, whoever reads it finds anything, and what is written is forgotten.
    pub fn is_vague(&self) -> bool {
        self.width as u64 != 8 * self.bytes && self.bytes > 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Global(GlobalId),
    Local(ContextId, LocalId),
    Text(StringId),
    Function(FunctionId),
    /// A block of the heap that a place in the program allocates once.
    Block(SiteId),
    /// All other blocks of the heap: any address of a range, and anything may be there.
    Blocks,
    /// Does the local variable exist?
    Exists(ContextId, LocalId),
    /// Was the block allocated, and not freed since?
    Allocated(SiteId),
    /// The id of the thread that wrote a global variable, or a part of one, last: the object, and the first bit.
    Writer(usize, usize),
    Created(usize),
    Ended(usize),
    Joined(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A place that allocates, in threads of some kind: the chain of calls that leads there, from the last to the first.
pub type Calls = (Vec<(FunctionId, usize)>, usize);

/// A place that allocates one block of a known size, once.
pub struct Site {
    pub calls: Calls,
    pub size: u64,
    pub block: usize,
    pub allocated: usize,
}

/// What is known of the heap from an earlier exploration: `None` for places that allocate several blocks, or of sizes that
/// are not known.
type Heap = BTreeMap<Calls, Option<u64>>;

/// Object, first bit, and width.
type Parts = BTreeSet<(usize, usize, usize)>;

/// What an exploration has to know from the beginning, and finds out on the way: then the next one begins with it.
#[derive(Default)]
struct Learnt {
    varying: FxHashSet<Register>,
    heap: Heap,
    parts: Parts,
}

/// A scalar in memory that the program accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    pub object: usize,
    pub first: usize,
    pub width: usize,
    pub signed: bool,
    pub pointer: bool,
}

/// What a thread does from one location to the next.
#[derive(Clone, Default)]
pub struct Path {
    pub from: usize,
    /// `None`: the thread has ended, or the process.
    pub target: Option<usize>,
    pub guard: Lit,
    pub memory: FxHashMap<usize, Rc<Word>>,
    pub registers: FxHashMap<Register, Rc<Word>>,
    pub births: Vec<Birth>,
}

/// A thread that is created on the way.
#[derive(Clone)]
pub struct Birth {
    pub kind: usize,
    pub id: Word,
    pub memory: FxHashMap<usize, Rc<Word>>,
    pub registers: FxHashMap<Register, Rc<Word>>,
}

/// Something fails on the way from a location.
#[derive(Clone, Copy)]
pub struct Failing {
    pub from: usize,
    pub guard: Lit,
    pub kind: FailureKind,
    pub span: Span,
}

/// In which state a term is looked at.
#[derive(Clone, Copy)]
pub enum View<'a> {
    Before(Copy),
    /// Of the thread that takes the path.
    After(&'a Path, Copy),
    /// Of another thread, after the path.
    Beside(&'a Path),
    Newborn(&'a Path, &'a Birth),
}

/// What a thread that is looked at can do, and what another one can.
#[derive(Default)]
pub struct Steps {
    pub own: Vec<Path>,
    pub others: Vec<Path>,
}

/// How steps are made. Where it is known which accesses others may contend for ([`Contended`]), what others cannot notice
/// belongs to the step before it, so that a section under a lock is one step (Lipton 1975; the transactions of Flanagan and
/// Qadeer 2003): others can take their steps after it as well, in the same way. That is known up to the first failure, and a
/// proof excludes all failures.
#[derive(Clone, Copy, Default)]
pub struct Manner {
    /// For tests: what a thread did in a step before it fails is seen by others, as if it stood still then. A proof need not
    /// follow that: it excludes the failure.
    pub follows_failing: bool,
    /// What two threads know together is looked at.
    pub pairs: bool,
    /// What larger arrays of numbers or pointers hold is not looked at.
    pub exact_array_bytes: u64,
}

pub struct Flow<'p> {
    pub code: &'p Code<'p>,
    pub program: &'p Program,
    pub property: &'p Property,
    pub points_to: PointsTo<'p>,
    pub gates: Gates,
    pub objects: Vec<Object>,
    pub contexts: Vec<Context>,
    pub kinds: Vec<Kind>,
    pub locations: Vec<Location>,
    pub failings: Vec<Failing>,
    pub manner: Manner,
    /// By function and instruction: what makes no difference to others, nor they to it; empty if steps are not joined.
    quiet: Vec<Vec<Quiet>>,
    /// Where threads are joined that surely can be; none if steps are not joined.
    pub right_joins: FxHashSet<Span>,
    pub standing: Vec<Path>,
    /// Values from outside, for those who choose some at random.
    pub inputs: Vec<Word>,
    pub cells: BTreeSet<Cell>,
    /// Those that only the thread library looks at, where it does something to a lock or the like.
    pub of_library: BTreeSet<Cell>,
    /// Constants that the program mentions.
    pub constants: BTreeSet<i128>,
    /// The initial state, as a way to the beginning of `main`.
    pub start: Path,
    /// Parameters that nobody writes and pointers that always get the same constant, such as the address of a lock.
    fixed: FxHashMap<Register, Rc<Word>>,
    /// Those that do not, as far as is known; and those that turned out not to while they were taken for it.
    varying: FxHashSet<Register>,
    mistaken: FxHashSet<Register>,
    /// Those that are never taken for it.
    changing: Vec<FxHashSet<LocalId>>,
    live: Vec<Vec<Registers>>,
    /// Those that stay when nobody reads them any more, since they tell threads apart; none unless two threads are looked at.
    kept: Vec<FxHashSet<LocalId>>,
    heads: Vec<FxHashSet<usize>>,
    cycles: FxHashMap<(FunctionId, usize), bool>,
    context_index: FxHashMap<(Caller, FunctionId, usize), ContextId>,
    location_index: FxHashMap<Location, usize>,
    site_index: FxHashMap<(ContextId, usize, FunctionId), usize>,
    many_index: FxHashMap<FunctionId, usize>,
    pub global_objects: Vec<usize>,
    text_objects: Vec<usize>,
    function_objects: Vec<usize>,
    /// By object: the first bit, the width, and who wrote it last.
    writers: FxHashMap<usize, Vec<(usize, usize, usize)>>,
    /// The parts of variables for which that is noted, as far as this exploration knows.
    parts: Parts,
    shared_before: FxHashMap<usize, Rc<Word>>,
    private_before: FxHashMap<(Copy, usize), Rc<Word>>,
    registers_before: FxHashMap<(Copy, Register), Rc<Word>>,
    ids: FxHashMap<(Copy, usize), Word>,
    next_address: u64,
    /// As far as this exploration knows.
    heap: Heap,
    pub sites: Vec<Site>,
    /// Where all blocks are that are not those of sites.
    blocks: Option<usize>,
}

/// Ids of threads of which there may be many have this bit.
pub const MANY: usize = 30;
pub const ID_WIDTH: usize = 32;
const FIRST_ADDRESS: u64 = 0x1000;
/// As malloc() does.
const BLOCK_ALIGN: u64 = 16;
/// More is not followed.
pub const MOST_BYTES: u64 = 4096;
/// Of so many parts of variables it is noted who wrote them last.
const MOST_PARTS: usize = 12;
const MOST_LOCATIONS: usize = 2_000;
const MOST_CONTEXTS: usize = 2_000;

impl<'p> Flow<'p> {
    /// All locations, with the steps of a thread and of another one; `contended` if steps are to be joined. The outer `Err` names what is not followed, the inner
    /// one says why there was no time.
    pub fn explore(
        code: &'p Code<'p>,
        property: &'p Property,
        (budget, manner): (&Budget, Manner),
        contended: Option<&Contended>,
    ) -> Result<std::result::Result<(Flow<'p>, Steps), String>> {
        let mut learnt = Learnt::default();
        loop {
            let mut flow = Flow::new(code, property, manner, &learnt)?;
            if let Some(contended) = contended {
                (flow.quiet, flow.right_joins) = (code.quiet(&contended.places), contended.right_joins.clone());
            }
            let mut steps = Steps::default();
            let mut at = 0;
            while at < flow.locations.len() {
                if let Some(reason) = budget.exceeded() {
                    return Ok(Err(reason));
                }
                steps.own.extend(flow.step(ITSELF, at)?);
                at += 1;
            }
            for location in 0..flow.locations.len() {
                if let Some(reason) = budget.exceeded() {
                    return Ok(Err(reason));
                }
                steps.others.extend(flow.step(OTHER, location)?);
            }
            if flow.mistaken.is_empty() && flow.heap == learnt.heap && flow.parts == learnt.parts {
                flow.complete_start();
                return Ok(Ok((flow, steps)));
            }
            // A step that was looked at before a block was known could not access it.
            learnt = Learnt { varying: flow.varying, heap: flow.heap, parts: flow.parts };
        }
    }

    fn new(code: &'p Code<'p>, property: &'p Property, manner: Manner, learnt: &Learnt) -> Result<Flow<'p>> {
        let program = code.program;
        let mut flow = Flow {
            code,
            program,
            property,
            points_to: points_to(program),
            gates: Gates::new(),
            objects: Vec::new(),
            contexts: Vec::new(),
            kinds: Vec::new(),
            locations: Vec::new(),
            failings: Vec::new(),
            manner,
            quiet: Vec::new(),
            right_joins: FxHashSet::default(),
            standing: Vec::new(),
            inputs: Vec::new(),
            cells: BTreeSet::new(),
            of_library: BTreeSet::new(),
            constants: BTreeSet::new(),
            start: Path::default(),
            fixed: FxHashMap::default(),
            varying: learnt.varying.clone(),
            mistaken: FxHashSet::default(),
            changing: Vec::new(),
            live: code.live(),
            kept: program.functions.iter().map(|function| kept_locals(function, manner)).collect(),
            heads: code.functions.iter().map(|function| loop_heads(&function.instructions)).collect(),
            cycles: FxHashMap::default(),
            context_index: FxHashMap::default(),
            location_index: FxHashMap::default(),
            site_index: FxHashMap::default(),
            many_index: FxHashMap::default(),
            global_objects: Vec::new(),
            text_objects: Vec::new(),
            function_objects: Vec::new(),
            writers: FxHashMap::default(),
            parts: learnt.parts.clone(),
            shared_before: FxHashMap::default(),
            private_before: FxHashMap::default(),
            registers_before: FxHashMap::default(),
            ids: FxHashMap::default(),
            next_address: FIRST_ADDRESS,
            heap: learnt.heap.clone(),
            sites: Vec::new(),
            blocks: None,
        };
        flow.changing = (0..program.functions.len()).map(|function| flow.changing_locals(function)).collect();
        for (hook, what) in [(program.thread_end, "destructors of threads"), (program.at_exit, "exit handlers")] {
            if let Some(hook) = hook {
                return Err(Diagnostic::unsupported(program.function(hook).span, what));
            }
        }
        flow.static_objects()?;
        flow.heap_objects(&learnt.heap);
        let main = flow.new_kind(program.main, false)?;
        flow.start = flow.initial(main)?;
        Ok(flow)
    }

    fn static_objects(&mut self) -> Result<()> {
        let program = self.program;
        for index in 0..program.functions.len() {
            let object = self.object(1, 1, false, What::Function(FunctionId(index as u32)));
            self.function_objects.push(object);
        }
        for (index, text) in program.strings.iter().enumerate() {
            let size = program.types.size(text.unit) * text.units.len() as u64;
            let object = self.object(size.max(1), 8, false, What::Text(StringId(index as u32)));
            self.text_objects.push(object);
        }
        for (index, global) in program.globals.iter().enumerate() {
            let (align, what) =
                (program.types.align(global.ty).max(global.align), What::Global(GlobalId(index as u32)));
            let object = self.variable(global.ty, align, global.thread_local, what);
            self.global_objects.push(object);
            if !global.thread_local && program.types.is_scalar(global.ty) {
                self.note_writer(object, 0, program.types.size(global.ty) as usize * 8);
            }
        }
        for (object, first, width) in self.parts.clone().into_iter().take(MOST_PARTS) {
            self.note_writer(object, first, width);
        }
        Ok(())
    }

    fn note_writer(&mut self, object: usize, first: usize, width: usize) {
        let writer = self.ghost(ID_WIDTH, false, What::Writer(object, first));
        self.writers.entry(object).or_default().push((first, width, writer));
    }

    /// A number in a structure or array, which the program itself accesses.
    pub fn note_part(&mut self, cell: &Cell) {
        let Object { what: What::Global(id), private: false, .. } = self.objects[cell.object] else { return };
        if !cell.pointer && !self.program.types.is_scalar(self.program.global(id).ty) {
            self.parts.insert((cell.object, cell.first, cell.width));
        }
    }

    fn heap_objects(&mut self, heap: &Heap) {
        for (calls, size) in heap {
            if let Some(size) = *size {
                self.new_site(calls.clone(), size);
            }
        }
        if walk::calls(self.program, &[Operation::Malloc, Operation::Calloc]) {
            let [first, _] = self.blocks_range();
            self.objects.push(Object { base: first, width: 0, bytes: 0, private: false, what: What::Blocks });
            self.blocks = Some(self.objects.len() - 1);
        }
    }

    fn new_site(&mut self, calls: Calls, size: u64) {
        let id = SiteId(self.sites.len() as u32);
        let block = self.object(size, BLOCK_ALIGN, false, What::Block(id));
        let allocated = self.ghost(1, false, What::Allocated(id));
        self.sites.push(Site { calls, size, block, allocated });
    }

    /// The addresses of blocks that are not told apart. A program cannot tell how many there may be (`told`), and every
    /// other object lies below.
    pub fn blocks_range(&self) -> [u64; 2] {
        match self.program.types.model.pointer_size() {
            4 => [1 << 31, (1 << 32) - 4096],
            _ => [1 << 40, 1 << 62],
        }
    }

    /// What a place allocates: `None` if it is not one block of a known size.
    pub fn site(&mut self, (context, pc): (ContextId, usize), kind: usize, size: Option<u64>) -> Option<&Site> {
        let (mut chain, mut place) = (Vec::new(), Some((context, pc)));
        while let Some((context, pc)) = place {
            let Context { function, caller, .. } = self.contexts[context.0 as usize];
            chain.push((function, pc));
            place = caller;
        }
        let calls = (chain, kind);
        let once = !self.kinds[kind].many && !self.may_come_again(context, pc);
        let size = size.filter(|size| once && (1..=MOST_BYTES).contains(size));
        let known = self.heap.entry(calls.clone()).or_insert(size);
        if *known != size {
            *known = None;
        }
        let size = (*known)?;
        let same = |site: &Site| site.calls == calls && site.size == size;
        if !self.sites.iter().any(same) {
            self.new_site(calls.clone(), size);
        }
        self.sites.iter().find(|site| same(site))
    }

    /// Large variables are vague, and arrays of numbers or pointers, unless they are to be looked at.
    fn holds_anything(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        let numbers = matches!(types.get(types.unqualified(ty)), Type::Array(element, _) if types.is_scalar(*element));
        types.size(ty) > if numbers { self.manner.exact_array_bytes } else { MOST_BYTES }
    }

    fn variable(&mut self, ty: TypeId, align: u64, private: bool, what: What) -> usize {
        let vague = self.holds_anything(ty);
        let object = self.object(self.program.types.size(ty).max(1), align, private, what);
        if vague {
            self.objects[object].width = 0;
        }
        object
    }

    fn object(&mut self, size: u64, align: u64, private: bool, what: What) -> usize {
        // Objects do not touch, so that one past the end is nobody's address.
        let align = align.max(16);
        let base = (self.next_address + 1).next_multiple_of(align);
        self.next_address = base + size;
        self.objects.push(Object { base, width: size as usize * 8, bytes: size, private, what });
        self.objects.len() - 1
    }

    fn ghost(&mut self, width: usize, private: bool, what: What) -> usize {
        self.objects.push(Object { base: 0, width, bytes: 0, private, what });
        self.objects.len() - 1
    }

    /// The object that contains an address.
    pub fn object_at(&self, address: u64) -> Option<usize> {
        let inside = |object: &Object| object.base != 0 && (object.base..object.base + object.bytes).contains(&address);
        self.objects.iter().position(inside)
    }

    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        match self.objects[self.object_at(address)?].what {
            What::Function(id) => Some(id),
            _ => None,
        }
    }

    pub fn function_object(&self, id: FunctionId) -> usize {
        self.function_objects[id.0 as usize]
    }

    pub fn text_object(&self, id: StringId) -> usize {
        self.text_objects[id.0 as usize]
    }

    /// Who wrote some bits last, where that is noted.
    pub fn writers_of(&self, object: usize, (first, width): (usize, usize)) -> Vec<usize> {
        let overlaps = |(other, size, _): &&(usize, usize, usize)| *other < first + width && first < other + size;
        self.writers.get(&object).into_iter().flatten().filter(overlaps).map(|(.., writer)| *writer).collect()
    }

    /// What an object of the points-to analysis is here, seen from a thread of some kind.
    pub fn objects_of(&self, pointed: &Pointed, kind: usize) -> Vec<usize> {
        match pointed {
            Pointed::Global(id) => vec![self.global_objects[id.0 as usize]],
            Pointed::Function(_) => Vec::new(),
            Pointed::Local(function, local) => {
                let of = |context: &&Context| context.function == *function;
                let object = |context: &Context| context.objects.get(local).map(|(object, _)| *object);
                let seen = |object: &usize| {
                    let What::Local(context, _) = self.objects[*object].what else { return false };
                    !self.objects[*object].private || self.contexts[context.0 as usize].kind == kind
                };
                self.contexts.iter().filter(of).filter_map(object).filter(seen).collect()
            }
            Pointed::Heap(function, _) => {
                let here = |calls: &Calls| calls.0[0].0 == *function;
                let of = |site: &&Site| here(&site.calls);
                let several = self.heap.iter().any(|(calls, size)| size.is_none() && here(calls));
                let others = self.blocks.filter(|_| several);
                self.sites.iter().filter(of).map(|site| site.block).chain(others).collect()
            }
        }
    }

    // ---- kinds of threads, contexts, locations ----

    fn new_kind(&mut self, function: FunctionId, many: bool) -> Result<usize> {
        let kind = self.kinds.len();
        let root = self.context(None, function, kind)?;
        let created = self.ghost(1, false, What::Created(kind));
        let bits = (!many).then(|| {
            let [ended, joined] = [What::Ended(kind), What::Joined(kind)].map(|what| self.ghost(1, false, what));
            [created, ended, joined]
        });
        self.kinds.push(Kind { function, root, many, created, bits, entry: 0 });
        let atomic = u32::from(self.program.function(function).atomic);
        let entry = self.location(Location { kind, context: root, pc: 0, atomic })?;
        self.kinds[kind].entry = entry;
        Ok(kind)
    }

    /// The kind of the threads that a place in the program creates.
    pub fn created_at(&mut self, context: ContextId, pc: usize, function: FunctionId) -> Result<usize> {
        if let Some(kind) = self.site_index.get(&(context, pc, function)) {
            return Ok(*kind);
        }
        let creator = self.contexts[context.0 as usize].kind;
        let once = !self.kinds[creator].many && !self.may_come_again(context, pc);
        let kind = match self.many_index.get(&function) {
            Some(kind) if !once => *kind,
            _ => self.new_kind(function, !once)?,
        };
        if !once {
            self.many_index.insert(function, kind);
        }
        self.site_index.insert((context, pc, function), kind);
        Ok(kind)
    }

    /// Can a thread come to this place again?
    fn may_come_again(&mut self, context: ContextId, pc: usize) -> bool {
        let mut place = Some((context, pc));
        while let Some((context, pc)) = place {
            let Context { function, caller, .. } = self.contexts[context.0 as usize];
            let code = self.code;
            let cycle = self.cycles.entry((function, pc)).or_insert_with(|| {
                let instructions = &code.functions[function.0 as usize].instructions;
                let mut seen = vec![false; instructions.len() + 1];
                let mut open = successors(instructions, pc);
                while let Some(next) = open.pop() {
                    if next < instructions.len() && !std::mem::replace(&mut seen[next], true) {
                        open.extend(successors(instructions, next));
                    }
                }
                seen[pc]
            });
            if *cycle {
                return true;
            }
            place = caller;
        }
        false
    }

    /// A function at the end of a chain of calls.
    pub fn context(&mut self, caller: Caller, function: FunctionId, kind: usize) -> Result<ContextId> {
        if let Some(id) = self.context_index.get(&(caller, function, kind)) {
            return Ok(*id);
        }
        let called = self.program.function(function);
        let refuse = |what: &str| Err(Diagnostic::unsupported(called.span, format!("{what} in proofs by invariants")));
        let mut above = caller;
        while let Some((context, _)) = above {
            let context = &self.contexts[context.0 as usize];
            if context.function == function {
                return refuse("recursion");
            }
            above = context.caller;
        }
        if self.contexts.len() >= MOST_CONTEXTS {
            return refuse("so many calls");
        }
        let id = ContextId(self.contexts.len() as u32);
        self.contexts.push(Context { function, caller, kind, objects: FxHashMap::default() });
        self.context_index.insert((caller, function, kind), id);
        for (index, local) in called.locals.iter().enumerate() {
            if !self.code.functions[function.0 as usize].in_memory[index] {
                continue;
            }
            let main = caller.is_none() && kind == 0;
            if local.shared && !main {
                return refuse("a local variable whose address other threads may know");
            }
            let local_id = LocalId(index as u32);
            let align = self.program.types.align(local.ty).max(local.align);
            let object = self.variable(local.ty, align, !local.shared, What::Local(id, local_id));
            let exists = self.ghost(1, !local.shared, What::Exists(id, local_id));
            self.contexts[id.0 as usize].objects.insert(local_id, (object, exists));
        }
        Ok(id)
    }

    pub fn location(&mut self, location: Location) -> Result<usize> {
        if let Some(index) = self.location_index.get(&location) {
            return Ok(*index);
        }
        let function = self.contexts[location.context.0 as usize].function;
        if self.locations.len() >= MOST_LOCATIONS {
            let span = self.program.function(function).span;
            return Err(Diagnostic::unsupported(span, "so many places where threads may meet in proofs by invariants"));
        }
        self.locations.push(location);
        self.location_index.insert(location, self.locations.len() - 1);
        Ok(self.locations.len() - 1)
    }

    pub fn is_loop_head(&self, function: FunctionId, pc: usize) -> bool {
        self.heads[function.0 as usize].contains(&pc)
    }

    /// Where a thread stands there, in the user's own code.
    pub fn span(&self, location: &Location) -> Span {
        let (mut context, mut pc) = (location.context, location.pc);
        loop {
            let Context { function, caller, .. } = &self.contexts[context.0 as usize];
            let span = self.code.functions[function.0 as usize].instructions[pc].span;
            let user = matches!(self.program.function(*function).kind, FunctionKind::Defined);
            match caller {
                Some(caller) if !user || span == Span::default() => (context, pc) = *caller,
                _ => return span,
            }
        }
    }

    /// Does an access of a thread make no difference to others, nor they to it?
    pub fn is_quiet(&self, context: ContextId, pc: usize) -> bool {
        let function = self.contexts[context.0 as usize].function;
        let defined = matches!(self.program.function(function).kind, FunctionKind::Defined);
        let here = self.quiet.get(function.0 as usize).is_some_and(|quiet| quiet[pc].itself);
        defined && here || self.is_quiet_unlock(context, pc)
    }

    /// Is a thread at or in the call of a library function that gives a lock back, which others cannot notice? Who takes
    /// one may wait, and what it did before is seen then.
    pub fn is_quiet_unlock(&self, context: ContextId, pc: usize) -> bool {
        let mut place = Some((context, pc));
        while let Some((context, pc)) = place {
            let Context { function, caller, .. } = self.contexts[context.0 as usize];
            if matches!(self.program.function(function).kind, FunctionKind::Defined) {
                let quiet = self.quiet.get(function.0 as usize).is_some_and(|quiet| quiet[pc].inside);
                return quiet && self.gives_back(function, pc);
            }
            place = caller;
        }
        false
    }

    fn gives_back(&self, function: FunctionId, pc: usize) -> bool {
        let Instruction::Statement(Stmt { kind: StmtKind::Call { callee: Callee::Function(called), .. }, .. }) =
            &self.code.functions[function.0 as usize].instructions[pc].kind
        else {
            return false;
        };
        self.program.function(*called).does == Some(ObjectAction::Unlocks)
    }

    /// The registers that a thread may still read there, or that are kept.
    pub fn live_registers(&self, location: &Location) -> Vec<Register> {
        let mut list = Vec::new();
        let mut place = Some((location.context, location.pc));
        while let Some((id, pc)) = place {
            let context = &self.contexts[id.0 as usize];
            let function = context.function.0 as usize;
            let live = &self.live[function][pc];
            for (index, in_memory) in self.code.functions[function].in_memory.iter().enumerate() {
                let local = LocalId(index as u32);
                if !in_memory && (live.contains(index) || self.kept[function].contains(&local)) {
                    list.push((id, local));
                }
            }
            place = context.caller;
        }
        list
    }

    pub fn local_type(&self, (context, local): Register) -> TypeId {
        let function = self.contexts[context.0 as usize].function;
        self.program.function(function).locals[local.0 as usize].ty
    }

    // ---- states ----

    pub fn fresh(&mut self, width: usize) -> Word {
        let word = word::fresh(&mut self.gates, width);
        self.inputs.push(word.clone());
        word
    }

    /// Of the values from outside.
    pub fn inputs_by_variable(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for (index, word) in self.inputs.iter().enumerate() {
            inputs.extend(word.iter().enumerate().map(|(bit, lit)| (lit.abs(), (index, bit.min(127)))));
        }
        inputs
    }

    pub fn object_before(&mut self, copy: Copy, object: usize) -> Rc<Word> {
        let (width, gates) = (self.objects[object].width, &mut self.gates);
        let mut new = || Rc::new(word::fresh(gates, width));
        if let What::Text(id) = self.objects[object].what {
            return Rc::new(self.text(id));
        }
        match self.objects[object].private {
            true => self.private_before.entry((copy, object)).or_insert_with(&mut new).clone(),
            false => self.shared_before.entry(object).or_insert_with(&mut new).clone(),
        }
    }

    fn text(&self, id: StringId) -> Word {
        let text = &self.program.strings[id.0 as usize];
        let width = self.program.types.size(text.unit) as usize * 8;
        text.units.iter().flat_map(|unit| word::constant(i128::from(*unit), width)).collect()
    }

    /// Notes what a parameter or pointer gets.
    pub fn gets(&mut self, register: Register, word: &Word) {
        let function = self.contexts[register.0.0 as usize].function;
        if self.varying.contains(&register) || self.changing[function.0 as usize].contains(&register.1) {
            return;
        }
        match (self.fixed.get(&register), word::known(word)) {
            (None, Some(_)) => drop(self.fixed.insert(register, Rc::new(word.clone()))),
            (Some(fixed), Some(_)) if **fixed == *word => {}
            (was, _) => {
                if was.is_some() {
                    self.mistaken.insert(register);
                }
                self.varying.insert(register);
            }
        }
    }

    /// The variables of a function that it assigns to, other than pointers, and those that may be read before they are
    /// written.
    fn changing_locals(&self, function: usize) -> FxHashSet<LocalId> {
        let called = &self.program.functions[function];
        let code = &self.code.functions[function].instructions;
        let mut changing = FxHashSet::default();
        let pointer = |id: LocalId| self.program.types.pointee(called.locals[id.0 as usize].ty).is_some();
        walk::statements(&called.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| {
                if let walk::Use::Target(place) = used
                    && let crate::il::Base::Local(id) = place.base
                    && !pointer(id)
                {
                    changing.insert(id);
                }
            });
        });
        let mut unwritten = |id: LocalId, pc: usize| {
            if self.live[function].get(pc).is_some_and(|live| live.contains(id.0 as usize)) {
                changing.insert(id);
            }
        };
        let locals = (0..called.locals.len()).map(|index| LocalId(index as u32));
        locals.filter(|id| !called.params.contains(id)).for_each(|id| unwritten(id, 0));
        for (pc, instruction) in code.iter().enumerate() {
            if let Instruction::Statement(Stmt { kind: StmtKind::Declare(id), .. }) = &instruction.kind {
                unwritten(*id, pc + 1);
            }
        }
        changing
    }

    pub fn is_fixed(&self, register: &Register) -> bool {
        self.fixed.contains_key(register)
    }

    pub fn register_before(&mut self, copy: Copy, register: Register) -> Rc<Word> {
        if let Some(word) = self.fixed.get(&register) {
            return word.clone();
        }
        let width = word::width(&self.program.types, self.local_type(register));
        let gates = &mut self.gates;
        let new = || Rc::new(word::fresh(gates, width));
        self.registers_before.entry((copy, register)).or_insert_with(new).clone()
    }

    /// The id of a thread: known if there is one of its kind.
    pub fn id(&mut self, copy: Copy, kind: usize) -> Word {
        if !self.kinds[kind].many {
            return word::constant(kind as i128 + 1, ID_WIDTH);
        }
        let gates = &mut self.gates;
        self.ids.entry((copy, kind)).or_insert_with(|| many_id(gates)).clone()
    }

    pub fn object_in(&mut self, object: usize, view: View) -> Rc<Word> {
        let private = self.objects[object].private;
        let changed = match view {
            View::Before(_) => None,
            View::After(path, _) => path.memory.get(&object),
            View::Beside(path) | View::Newborn(path, _) if !private => path.memory.get(&object),
            View::Beside(_) => None,
            View::Newborn(_, birth) => birth.memory.get(&object),
        };
        if let Some(word) = changed {
            return word.clone();
        }
        let copy = match view {
            View::Before(copy) | View::After(_, copy) => copy,
            View::Beside(_) | View::Newborn(..) => ITSELF,
        };
        self.object_before(copy, object)
    }

    pub fn register_in(&mut self, register: Register, view: View) -> Rc<Word> {
        let (changed, copy) = match view {
            View::Before(copy) => (None, copy),
            View::After(path, copy) => (path.registers.get(&register), copy),
            View::Beside(_) => (None, ITSELF),
            View::Newborn(_, birth) => (birth.registers.get(&register), ITSELF),
        };
        changed.cloned().unwrap_or_else(|| self.register_before(copy, register))
    }

    pub fn id_in(&mut self, kind: usize, view: View) -> Word {
        match view {
            View::Before(copy) | View::After(_, copy) => self.id(copy, kind),
            View::Beside(_) => self.id(ITSELF, kind),
            View::Newborn(_, birth) => birth.id.clone(),
        }
    }

    /// What a new thread of a kind has: its argument, its thread-local variables, and else anything.
    pub fn birth(&mut self, kind: usize, argument: Option<&Word>) -> Result<Birth> {
        let root = self.kinds[kind].root;
        let id = match self.kinds[kind].many {
            true => many_id(&mut self.gates),
            false => word::constant(kind as i128 + 1, ID_WIDTH),
        };
        let mut birth = Birth { kind, id, memory: FxHashMap::default(), registers: FxHashMap::default() };
        for index in 0..self.program.globals.len() {
            if self.program.globals[index].thread_local {
                let word = self.initial_global(GlobalId(index as u32))?;
                birth.memory.insert(self.global_objects[index], Rc::new(word));
            }
        }
        let function = self.kinds[kind].function;
        let called = self.program.function(function);
        for index in 0..called.locals.len() {
            let local = LocalId(index as u32);
            let width = match self.contexts[root.0 as usize].objects.get(&local) {
                Some((object, _)) => self.objects[*object].width,
                None => word::width(&self.program.types, called.locals[index].ty),
            };
            let argument = argument.filter(|_| called.params.first() == Some(&local));
            let word = match argument {
                Some(argument) if argument.len() == width => argument.clone(),
                _ => self.fresh(width),
            };
            match self.contexts[root.0 as usize].objects.get(&local).copied() {
                Some((object, exists)) => {
                    birth.memory.insert(object, Rc::new(word));
                    birth.memory.insert(exists, Rc::new(vec![TRUE]));
                }
                None => {
                    if argument.is_some() {
                        self.gets((root, local), &word);
                    }
                    birth.registers.insert((root, local), Rc::new(word));
                }
            }
        }
        Ok(birth)
    }

    fn initial_global(&mut self, id: GlobalId) -> Result<Word> {
        let program = self.program;
        let global = program.global(id);
        let object = self.global_objects[id.0 as usize];
        let width = self.objects[object].width;
        if self.objects[object].is_vague() {
            return Ok(Vec::new());
        }
        if global.external {
            return Ok(self.fresh(width));
        }
        let mut word = vec![FALSE; width];
        for part in &global.init {
            let (offset, ty, bits) = program.types.path_offset(global.ty, &part.path);
            let (first, part_width) = match bits {
                Some(bits) => (offset as usize * 8 + bits.shift as usize, bits.width as usize),
                None => (offset as usize * 8, word::width(&program.types, ty)),
            };
            if first + part_width > width {
                return Err(Diagnostic::unsupported(global.span, "a flexible array member with elements in proofs"));
            }
            let value = self.initial_value(&part.value, global.span)?;
            word[first..first + part_width].copy_from_slice(&word::cut(&value, part_width));
        }
        Ok(word)
    }

    /// A constant of an initializer, with its sign.
    fn initial_value(&mut self, expr: &Expr, span: Span) -> Result<Word> {
        let types = &self.program.types;
        let refuse = || Err(Diagnostic::unsupported(span, "this initializer in proofs by invariants"));
        let address = |object: &Object| word::constant(i128::from(object.base), 64);
        Ok(match &expr.kind {
            ExprKind::Int(value) => word::constant(*value, 128),
            ExprKind::Str(id) => address(&self.objects[self.text_object(*id)]),
            ExprKind::Function(id) => address(&self.objects[self.function_object(*id)]),
            ExprKind::Cast(inner) if types.float_kind(expr.ty).is_none() && types.float_kind(inner.ty).is_none() => {
                let (from, to) = (inner.ty, expr.ty);
                let value = self.initial_value(inner, span)?;
                let value = word::cut(&value, word::width(&self.program.types, from));
                let value = word::convert(&mut self.gates, &self.program.types, &value, from, to);
                word::number(&value, word::signed(&self.program.types, to))
            }
            ExprKind::AddressOf(place) => {
                let crate::il::Base::Global(id) = place.base else { return refuse() };
                let mut path = Vec::new();
                for projection in &place.projections {
                    path.push(match projection {
                        crate::il::Projection::Field(_, index) => PathStep::Field(*index),
                        crate::il::Projection::Index(index, _) => {
                            match index.as_int().and_then(|index| u64::try_from(index).ok()) {
                                Some(index) => PathStep::Index(index),
                                None => return refuse(),
                            }
                        }
                    });
                }
                let (offset, _, bits) = types.path_offset(self.program.global(id).ty, &path);
                if bits.is_some() {
                    return refuse();
                }
                word::constant(i128::from(self.objects[self.global_objects[id.0 as usize]].base + offset), 64)
            }
            _ => return refuse(),
        })
    }

    /// The way from nothing to the beginning of `main`.
    fn initial(&mut self, main: usize) -> Result<Path> {
        let birth = self.birth(main, None)?;
        let mut path = Path { target: Some(self.kinds[main].entry), guard: TRUE, ..Path::default() };
        path.registers = birth.registers;
        path.memory = birth.memory;
        for index in 0..self.program.globals.len() {
            if !self.program.globals[index].thread_local {
                let word = self.initial_global(GlobalId(index as u32))?;
                path.memory.insert(self.global_objects[index], Rc::new(word));
            }
        }
        Ok(path)
    }

    /// What the initial state says of a bit or number of the proof: nobody wrote, was created, ended or joined.
    fn complete_start(&mut self) {
        for (index, object) in self.objects.iter().enumerate() {
            let zero = match object.what {
                What::Writer(..) | What::Ended(_) | What::Joined(_) | What::Created(_) | What::Allocated(_) => true,
                What::Exists(..) => !self.start.memory.contains_key(&index),
                // Nobody reads it before it is allocated, and then it holds anything.
                What::Block(_) => true,
                What::Global(_) | What::Local(..) | What::Text(_) | What::Function(_) => false,
                What::Blocks => false,
            };
            if zero {
                self.start.memory.insert(index, Rc::new(vec![FALSE; object.width]));
            }
        }
    }
}

fn many_id(gates: &mut Gates) -> Word {
    let bit = |index: usize| match index {
        MANY => Some(TRUE),
        _ if index > MANY => Some(FALSE),
        _ => None,
    };
    (0..ID_WIDTH).map(|index| bit(index).unwrap_or_else(|| gates.fresh())).collect()
}

fn successors(instructions: &[crate::il::interpret::code::Instruction], pc: usize) -> Vec<usize> {
    match &instructions[pc].kind {
        Instruction::Branch(_, target) => vec![pc + 1, *target],
        Instruction::Jump(target) => vec![*target],
        Instruction::Return(_) => Vec::new(),
        Instruction::Statement(_) | Instruction::Scope { .. } => vec![pc + 1],
    }
}

/// What is compared with something that is no constant, such as a ticket with the one that is served.
fn kept_locals(function: &Function, manner: Manner) -> FxHashSet<LocalId> {
    let mut kept = FxHashSet::default();
    if !manner.pairs {
        return kept;
    }
    let mut compared = |expr: &Expr| {
        if let ExprKind::Load(place) = &uncast(expr).kind
            && let (Base::Local(id), []) = (&place.base, place.projections.as_slice())
        {
            kept.insert(*id);
        }
    };
    walk::statements(&function.body, &mut |stmt| {
        walk::uses(stmt, &mut |used| {
            let walk::Use::Expr(value) = used else { return };
            walk::expressions(value, &mut |inner| match &inner.kind {
                ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right)
                    if uncast(left).as_int().is_none() && uncast(right).as_int().is_none() =>
                {
                    compared(left);
                    compared(right);
                }
                _ => {}
            });
        });
    });
    kept
}

/// Where loops begin: every cycle goes through one of these.
fn loop_heads(instructions: &[crate::il::interpret::code::Instruction]) -> FxHashSet<usize> {
    let back = |(pc, instruction): (usize, &crate::il::interpret::code::Instruction)| match &instruction.kind {
        Instruction::Branch(_, target) | Instruction::Jump(target) if *target <= pc => Some(*target),
        _ => None,
    };
    instructions.iter().enumerate().filter_map(back).collect()
}
