//! The memory of a bounded program: objects with addresses, split into cells, private to a thread or shared.
//!
//! Every variable, every allocation (each is executed at most once), every function and string literal is an object
//! with a fixed address, so that a pointer is a number. The scalars of the declared type are the cells; an access
//! that does not fit them is put together from parts.

use super::range::{Kind, Range};
use crate::analysis::points_to::{Object as Pointed, PointsTo, Set};
use crate::diagnostic::{Diagnostic, Result};
use crate::il::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, FunctionKind, Operation, Place, Program, Projection, RecordId,
    StmtKind, Type, TypeId, Types, walk,
};
use crate::limit::Bounded;
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Cell {
    pub offset: u64,
    pub size: u64,
    pub kind: Kind,
    /// A pointer is kept there, as far as its type says.
    pub pointer: bool,
}

/// Who sees the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Its cells have numbers from here on in the memory that all threads see.
    Shared(usize),
    /// The content belongs to the state of one thread.
    Private(usize),
    /// A local of a library function: every thread has its own.
    Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Zero, but for what the initializer says.
    Zero,
    Any,
}

pub struct Object {
    pub base: i128,
    pub size: u64,
    pub cells: Vec<Cell>,
    pub home: Home,
    pub initial: Initial,
    /// Some `free` may be called with it.
    pub freed: bool,
    pub read_only: bool,
}

impl Object {
    /// The cells that a range of bytes touches.
    pub fn cells_of(&self, offset: u64, size: u64) -> std::ops::Range<usize> {
        let first = self.cells.partition_point(|cell| cell.offset + cell.size <= offset);
        let end = self.cells.partition_point(|cell| cell.offset < offset + size);
        first..end
    }

    /// The one cell that holds exactly these bytes.
    pub fn exact(&self, offset: u64, size: u64) -> Option<usize> {
        let range = self.cells_of(offset, size);
        let cell = self.cells.get(range.start)?;
        (range.len() == 1 && cell.offset == offset && cell.size == size).then_some(range.start)
    }
}

pub struct Memory {
    /// In the order of the points-to analysis, then strings, then the state of threads.
    pub objects: Vec<Object>,
    pub strings: usize,
    pub string_count: usize,
    /// One cell per thread: was it created, has it ended, what did it return?
    pub created: usize,
    pub ended: usize,
    /// Was it joined, or detached?
    pub joined: usize,
    pub results: usize,
    pub shared_cells: usize,
    /// For each shared object that may be freed, the cell that tells.
    pub freed_cells: FxHashMap<usize, usize>,
    /// How long allocations are whose size is known from the execution only: an object with a cell for each of them.
    pub lengths: usize,
    pub length_cells: FxHashMap<usize, usize>,
    /// All addresses are multiples of it.
    granularity: u64,
    word: u64,
    by_address: Vec<usize>,
}

/// Larger objects are refused.
pub const MAX_BYTES: u64 = 1 << 24;
const MAX_CELLS: usize = 200_000;

impl Memory {
    /// `sizes`: of allocations whose size is known from the execution only.
    pub fn new(
        bounded: &Bounded,
        points_to: &PointsTo,
        touched: &[Set],
        sizes: &FxHashMap<usize, u64>,
    ) -> Result<Memory> {
        let program = &bounded.program;
        let mut pointed = Set::default();
        for object in 0..points_to.objects.len() {
            pointed.union(points_to.content(object));
        }
        let uses = Uses::collect(program, points_to);
        let mut layout = Layout { program, uses: &uses, cells: Vec::new() };
        let mut objects = Vec::new();
        let pointer_bits = program.types.model.pointer_size() as u32 * 8;
        for (index, object) in points_to.objects.iter().enumerate() {
            let touching: Vec<usize> = (0..touched.len()).filter(|thread| touched[*thread].contains(index)).collect();
            let mut initial = Initial::Zero;
            let (home, size) = match object {
                Pointed::Global(id) => {
                    let global = program.global(*id);
                    let size = layout.lay_out(global.ty, &global.name)?;
                    (if touching.len() <= 1 { Home::Private(*touching.first().unwrap_or(&0)) } else { SHARED }, size)
                }
                Pointed::Local(function, id) => {
                    let local = &program.function(*function).locals[id.0 as usize];
                    let size = layout.lay_out(local.ty, &local.name)?;
                    let owner = bounded.threads.iter().position(|thread| thread.function == *function);
                    let home = match owner {
                        None => Home::Frame,
                        Some(owner) if touching.iter().all(|thread| *thread == owner) => Home::Private(owner),
                        Some(_) => SHARED,
                    };
                    (home, size)
                }
                Pointed::Function(_) => (Home::Private(0), 1),
                Pointed::Heap(..) => {
                    let size = sizes.get(&index).or(uses.sizes.get(&index)).copied().unwrap_or(0);
                    if uses.plain.contains(&index) {
                        initial = Initial::Any;
                    }
                    layout.allocated(index, size)?;
                    (if touching.len() <= 1 { Home::Private(*touching.first().unwrap_or(&0)) } else { SHARED }, size)
                }
            };
            let cells = std::mem::take(&mut layout.cells);
            let freed = uses.freed.contains(index) && !uses.automatic.contains(&index);
            objects.push(Object { base: 0, size, cells, home, initial, freed, read_only: false });
        }
        let unknown = |(index, object): (usize, &Pointed)| {
            (matches!(object, Pointed::Heap(..)) && !uses.sizes.contains_key(&index)).then_some(index)
        };
        let unknown = points_to.objects.iter().enumerate().filter_map(unknown);
        let length_cells: FxHashMap<usize, usize> = unknown.enumerate().map(|(cell, object)| (object, cell)).collect();
        let strings = objects.len();
        for string in &program.strings {
            let unit = program.types.size(string.unit);
            let kind = kind_of(&program.types, string.unit);
            let cells = (0..string.units.len() as u64).map(|index| Cell {
                offset: index * unit,
                size: unit,
                kind,
                pointer: false,
            });
            let size = unit * string.units.len() as u64;
            let cells = cells.collect();
            let home = SHARED;
            objects.push(Object { base: 0, size, cells, home, initial: Initial::Zero, freed: false, read_only: true });
        }
        let count = bounded.threads.len() as u64;
        let mut state = |kind: Kind, size: u64, count: u64| {
            let cells = (0..count).map(|index| Cell { offset: index * size, size, kind, pointer: false }).collect();
            let (home, initial) = (SHARED, Initial::Zero);
            objects.push(Object { base: 0, size: count * size, cells, home, initial, freed: false, read_only: false });
            objects.len() - 1
        };
        let created = state(Kind::BOOL, 1, count);
        let ended = state(Kind::BOOL, 1, count);
        let joined = state(Kind::BOOL, 1, count);
        let results = state(Kind::unsigned(pointer_bits), 8, count);
        let lengths = state(LENGTH, 8, length_cells.len() as u64);
        let mut memory = Memory {
            objects,
            strings,
            string_count: program.strings.len(),
            created,
            ended,
            joined,
            results,
            shared_cells: 0,
            freed_cells: FxHashMap::default(),
            lengths,
            length_cells,
            granularity: granularity(program),
            word: program.types.model.pointer_size(),
            by_address: Vec::new(),
        };
        memory.place(points_to, &pointed, pointer_bits);
        memory.number();
        Ok(memory)
    }

    /// The cell with a part of a thread's state, such as `created`.
    pub fn thread_cell(&self, object: usize, thread: usize) -> usize {
        let Home::Shared(first) = self.objects[object].home else { unreachable!("the state of threads is shared") };
        first + thread
    }

    /// Gives every object its address: those that pointers may hold first, so that these are small numbers.
    fn place(&mut self, points_to: &PointsTo, pointed: &Set, pointer_bits: u32) {
        let is_pointed = |index: usize| match points_to.objects.get(index) {
            Some(Pointed::Heap(..)) => true,
            Some(_) => pointed.contains(index),
            None => index < self.created,
        };
        let mut order: Vec<usize> = (0..self.objects.len()).collect();
        order.sort_by_key(|index| (!is_pointed(*index), *index));
        let largest = order.iter().filter(|index| is_pointed(**index)).map(|index| self.objects[*index].size).max();
        // Below the first object nothing is valid: that is where members of a null pointer lie.
        let mut at = i128::from(largest.unwrap_or(0).max(15)) + 1;
        let align = i128::from(pointer_bits / 8 * 2);
        for index in &order {
            at = (at + align - 1) / align * align;
            self.objects[*index].base = at;
            // One past the end is not the next object.
            at += i128::from(self.objects[*index].size) + 1;
        }
        self.by_address = order;
    }

    fn number(&mut self) {
        let mut next = 0;
        for (index, object) in self.objects.iter_mut().enumerate() {
            if let Home::Shared(first) = &mut object.home {
                *first = next;
                next += object.cells.len();
                if object.freed {
                    self.freed_cells.insert(index, next);
                    next += 1;
                }
            }
        }
        self.shared_cells = next;
    }

    /// Where it is noted that a thread was created.
    pub fn created_address(&self, thread: usize) -> i128 {
        let object = &self.objects[self.created];
        object.base + i128::from(object.cells[thread].offset)
    }

    /// Where the length of an allocation is noted, if only the execution tells it.
    pub fn length_address(&self, object: usize) -> Option<i128> {
        let cell = *self.length_cells.get(&object)?;
        let lengths = &self.objects[self.lengths];
        Some(lengths.base + i128::from(lengths.cells[cell].offset))
    }

    pub fn object_at(&self, address: i128) -> Option<usize> {
        let position = self.by_address.partition_point(|index| self.objects[*index].base <= address);
        let index = *self.by_address.get(position.checked_sub(1)?)?;
        let object = &self.objects[index];
        (address < object.base + i128::from(object.size)).then_some(index)
    }

    /// The addresses that an access may go to, with their objects, in ascending order.
    pub fn candidates(&self, range: &Range, objects: &[usize], size: u64) -> Vec<(i128, usize)> {
        let mut out = Vec::new();
        if let Range::Set(values) = range {
            for value in values {
                if let Some(index) = self.object_at(*value)
                    && objects.contains(&index)
                    && *value + i128::from(size) <= self.objects[index].base + i128::from(self.objects[index].size)
                {
                    out.push((*value, index));
                }
            }
            return out;
        }
        // Objects begin at multiples of every alignment, so that a range which keeps to one skips the bytes between.
        let wanted = if size.is_power_of_two() { i128::from(size.min(self.word)) } else { 1 };
        let keeps = range.low() % wanted == 0 && range.step() % wanted == 0;
        let aligned = keeps || i128::from(self.granularity) >= wanted;
        let align = if aligned { wanted } else { 1 };
        for index in objects {
            let object = &self.objects[*index];
            let (first, last) = (object.base, object.base + i128::from(object.size) - i128::from(size));
            if !range.meets(first, last) {
                continue;
            }
            let mut address = first;
            while address <= last {
                if range.contains(address) {
                    out.push((address, *index));
                }
                address += align;
            }
        }
        out.sort_unstable();
        out
    }
}

const SHARED: Home = Home::Shared(0);

/// What holds the length of an allocation.
pub const LENGTH: Kind = Kind { bits: 64, signed: true };

/// The kind of a scalar as memory holds it.
pub fn kind_of(types: &Types, ty: TypeId) -> Kind {
    let bits = types.size(ty) as u32 * 8;
    match types.get(ty) {
        Type::Int(kind) => Kind { bits, signed: kind.signed() },
        _ => Kind::unsigned(bits),
    }
}

/// How far into its variable a place is, if that is always the same.
fn fixed_offset(types: &Types, place: &Place) -> Option<i128> {
    if let Base::Deref(_) = place.base {
        return place.projections.is_empty().then_some(0);
    }
    place.projections.iter().try_fold(0, |at, projection| match projection {
        Projection::Field(record, index) => Some(at + i128::from(types.record(*record).fields[*index as usize].offset)),
        Projection::Index(index, element) => Some(at + index.as_int()? * i128::from(types.size(*element))),
    })
}

/// The alignment that every address has which the program computes: that of the smallest type of which it takes the
/// address of a part, or steps through with a pointer. (A pointer that nobody wrote is taken to keep to it too.)
fn granularity(program: &Program) -> u64 {
    let types = &program.types;
    let packed = |record: &crate::il::types::Record| {
        record.packed || record.pack != 0 || record.fields.iter().any(|field| field.packed)
    };
    if types.records.iter().any(packed) {
        return 1;
    }
    let mut least = u64::MAX;
    let mut look = |expr: &Expr| {
        walk::expressions(expr, &mut |inner| {
            let part = match &inner.kind {
                ExprKind::Binary(BinaryOp::PointerAdd | BinaryOp::PointerSub, base, _) => types.pointee(base.ty),
                // An array as a pointer is where its object begins, which suits every type.
                ExprKind::AddressOf(place) => {
                    fixed_offset(types, place).is_none_or(|at| at % 8 != 0).then_some(place.ty)
                }
                // A number as an address may be any.
                ExprKind::Cast(from) if types.pointee(inner.ty).is_some() && types.pointee(from.ty).is_none() => {
                    least = least.min(if from.as_int().is_some() { u64::MAX } else { 1 });
                    None
                }
                _ => None,
            };
            if let Some(ty) = part {
                least = least.min(if types.is_void(ty) { 1 } else { types.align(ty) });
            }
        });
    };
    program.globals.iter().flat_map(|global| &global.init).for_each(|part| look(&part.value));
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            walk::uses(stmt, &mut |used| match used {
                walk::Use::Expr(expr) => look(expr),
                walk::Use::Target(place) => walk::place_expressions(place, &mut look),
            });
        });
    }
    least
}

/// How the program looks at memory that has no type of its own.
struct Uses {
    /// Unions that the library sees as one of its own structs.
    overlays: FxHashMap<RecordId, RecordId>,
    /// The type through which an allocation is used.
    element: FxHashMap<usize, TypeId>,
    sizes: FxHashMap<usize, u64>,
    /// Allocations whose content is not set to zero.
    plain: Vec<usize>,
    /// Those that end by themselves, and are never freed.
    automatic: FxHashSet<usize>,
    freed: Set,
}

impl Uses {
    fn collect(program: &Program, points_to: &PointsTo) -> Uses {
        let mut uses = Uses {
            overlays: FxHashMap::default(),
            element: FxHashMap::default(),
            sizes: FxHashMap::default(),
            plain: Vec::new(),
            automatic: FxHashSet::default(),
            freed: Set::default(),
        };
        let types = &program.types;
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            walk::statements(&function.body, &mut |stmt| {
                let mut look = |expr: &Expr| {
                    walk::expressions(expr, &mut |inner| {
                        if let ExprKind::Cast(operand) = &inner.kind {
                            uses.overlay(types, operand.ty, inner.ty);
                        }
                        if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind {
                            uses.accessed(points_to, types, id, &place.base);
                        }
                    });
                };
                walk::uses(stmt, &mut |used| match used {
                    walk::Use::Expr(expr) => look(expr),
                    walk::Use::Target(place) => walk::place_expressions(place, &mut look),
                });
                walk::uses(stmt, &mut |used| {
                    if let walk::Use::Target(place) = used {
                        uses.accessed(points_to, types, id, &place.base);
                    }
                });
                let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind else { return };
                let called = program.function(*callee);
                match called.kind {
                    FunctionKind::Operation(operation) => match operation {
                        Operation::Malloc | Operation::Alloca | Operation::Calloc | Operation::Realloc => {
                            let object = points_to.allocation(stmt).expect("an allocation has an object");
                            uses.sizes.extend(allocated_size(operation, args).map(|size| (object, size)));
                            if operation != Operation::Calloc {
                                uses.plain.push(object);
                            }
                            if operation == Operation::Alloca {
                                uses.automatic.insert(object);
                            }
                            if operation == Operation::Realloc {
                                uses.freed.union(&points_to.value(id, &args[0]));
                            }
                        }
                        Operation::Free => {
                            uses.freed.union(&points_to.value(id, &args[0]));
                        }
                        _ => {}
                    },
                    FunctionKind::Defined | FunctionKind::Model | FunctionKind::External => {
                        for (param, arg) in called.params.iter().zip(args) {
                            uses.overlay(types, arg.ty, called.locals[param.0 as usize].ty);
                        }
                    }
                }
            });
        }
        uses
    }

    fn overlay(&mut self, types: &Types, from: TypeId, to: TypeId) {
        let record = |ty: TypeId| types.pointee(ty).and_then(|to| types.record_id(to));
        if let (Some(from), Some(to)) = (record(from), record(to))
            && types.record(from).union
            && !types.record(to).union
            && types.record(to).size <= types.record(from).size
        {
            self.overlays.insert(from, to);
        }
    }

    fn accessed(&mut self, points_to: &PointsTo, types: &Types, function: FunctionId, base: &crate::il::Base) {
        let crate::il::Base::Deref(pointer) = base else { return };
        let Some(to) = types.pointee(pointer.ty) else { return };
        if !types.is_complete(to) {
            return;
        }
        for object in points_to.value(function, pointer).iter() {
            if !matches!(points_to.objects[object], Pointed::Heap(..)) {
                continue;
            }
            // The largest type that the allocation is seen as.
            let known = self.element.entry(object).or_insert(to);
            if types.size(to) > types.size(*known) {
                *known = to;
            }
        }
    }
}

/// The size that an allocation asks for, if it does not depend on the execution.
fn allocated_size(operation: Operation, args: &[Expr]) -> Option<u64> {
    let size = match operation {
        Operation::Calloc => args[0].as_int()?.checked_mul(args[1].as_int()?)?,
        Operation::Realloc => args[1].as_int()?,
        _ => args[0].as_int()?,
    };
    u64::try_from(size).ok().filter(|size| *size <= MAX_BYTES)
}

struct Layout<'p> {
    program: &'p Program,
    uses: &'p Uses,
    cells: Vec<Cell>,
}

impl Layout<'_> {
    /// The cells of an object of a type; its size.
    fn lay_out(&mut self, ty: TypeId, name: &str) -> Result<u64> {
        let size = self.program.types.size(ty);
        if size > MAX_BYTES {
            return Err(Diagnostic::unsupported(Default::default(), format!("`{name}` with {size} bytes")));
        }
        self.leaves(ty, 0)?;
        self.close(size);
        Ok(size)
    }

    fn allocated(&mut self, object: usize, size: u64) -> Result<()> {
        if let Some(element) = self.uses.element.get(&object) {
            let each = self.program.types.size(*element).max(1);
            let mut offset = 0;
            while offset + each <= size {
                self.leaves(*element, offset)?;
                offset += each;
            }
        }
        self.close(size);
        Ok(())
    }

    fn leaves(&mut self, ty: TypeId, offset: u64) -> Result<()> {
        let types = &self.program.types;
        if self.cells.len() > MAX_CELLS {
            return Err(Diagnostic::unsupported(Default::default(), "an object of more than 200,000 elements"));
        }
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let size = types.size(ty);
                // long double is only copied.
                if size <= 8 {
                    let pointer = types.pointee(ty).is_some();
                    self.cells.push(Cell { offset, size, kind: kind_of(types, ty), pointer });
                }
            }
            Type::Array(element, count) => {
                let each = types.size(*element);
                for index in 0..*count {
                    self.leaves(*element, offset + index * each)?;
                }
            }
            Type::Record(id) => {
                let record = types.record(*id);
                if !record.union {
                    for field in &record.fields {
                        match field.bits {
                            None => self.leaves(field.ty, offset + field.offset)?,
                            // Bytes: neighbours share them.
                            Some(bits) => {
                                for byte in 0..u64::from((bits.shift + bits.width).div_ceil(8)) {
                                    let offset = offset + field.offset + byte;
                                    self.cells.push(Cell { offset, size: 1, kind: Kind::unsigned(8), pointer: false });
                                }
                            }
                        }
                    }
                } else if let Some(seen) = self.uses.overlays.get(id) {
                    for field in &types.record(*seen).fields {
                        self.leaves(field.ty, offset + field.offset)?;
                    }
                } else {
                    let fits = |field: &&crate::il::types::Field| {
                        types.size(field.ty) == record.size && types.element(field.ty).is_none()
                    };
                    let largest = record.fields.iter().max_by_key(|field| types.size(field.ty));
                    if let Some(field) = record.fields.iter().find(fits).or(largest) {
                        self.leaves(field.ty, offset)?;
                    }
                }
            }
            Type::Void
            | Type::OpenArray(_)
            | Type::Function(_)
            | Type::Atomic(_)
            | Type::Qualified { .. }
            | Type::VariableArray { .. }
            | Type::VaList => {}
        }
        Ok(())
    }

    /// Every byte belongs to exactly one cell.
    fn close(&mut self, size: u64) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.sort_by_key(|cell| cell.offset);
        cells.dedup_by_key(|cell| cell.offset);
        let mut end = 0;
        for cell in cells.into_iter().filter(|cell| cell.offset + cell.size <= size) {
            if cell.offset < end {
                continue;
            }
            self.fill(end, cell.offset);
            end = cell.offset + cell.size;
            self.cells.push(cell);
        }
        self.fill(end, size);
    }

    /// Padding, and bytes of no known type.
    fn fill(&mut self, mut from: u64, to: u64) {
        while from < to {
            let mut size = 8.min(to - from);
            while !from.is_multiple_of(size) || !size.is_power_of_two() {
                size -= 1;
            }
            self.cells.push(Cell { offset: from, size, kind: Kind::unsigned(size as u32 * 8), pointer: false });
            from += size;
        }
    }
}
