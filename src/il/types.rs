//! Types of the core language and their layout for both data models.

use super::{AccessKind, Order, PathStep};
use rustc_hash::FxHashMap;

/// Sizes of `long` and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// `long` and pointers have 32 bits (i386).
    Ilp32,
    /// `long` and pointers have 64 bits (x86-64).
    Lp64,
}

impl DataModel {
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

impl IntKind {
    pub fn spelling(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
        }
    }

    pub fn signed(self) -> bool {
        matches!(
            self,
            IntKind::Char | IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LongLong
        )
    }

    pub fn size(self, model: DataModel) -> u64 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong => model.pointer_size(),
            IntKind::LongLong | IntKind::ULongLong => 8,
        }
    }

    /// Conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Bool => IntKind::Bool,
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
            IntKind::Short | IntKind::UShort => IntKind::UShort,
            IntKind::Int | IntKind::UInt => IntKind::UInt,
            IntKind::Long | IntKind::ULong => IntKind::ULong,
            IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
        }
    }

    /// The value reduced to this type (two's complement; `_Bool` is "not zero").
    pub fn wrap(self, value: i128, model: DataModel) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        wrap_bits(value, self.size(model) as u32 * 8, self.signed())
    }
}

/// The low `bits` bits of a value, read as signed or unsigned.
pub fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    let shift = 128 - bits;
    if signed { (value << shift) >> shift } else { (((value as u128) << shift) >> shift) as i128 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    Float,
    Double,
    /// Declared only: arithmetic on it is refused by the front end.
    LongDouble,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `int f()`: any arguments, default promotions.
    pub prototyped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    Array(TypeId, u64),
    /// `T a[]`: of unknown length, or the flexible member at the end of a struct.
    OpenArray(TypeId),
    Function(FunctionType),
    Record(RecordId),
    /// `_Atomic T`: only inside the front end, which makes writes and updates of it atomic sections.
    Atomic(TypeId),
    /// `const` and `volatile`: only inside the front end, which erases them when types are settled.
    Qualified {
        inner: TypeId,
        constant: bool,
        volatile: bool,
    },
    /// Variable length array; only inside the front end, `count` names the local that holds its length.
    VariableArray {
        element: TypeId,
        count: u32,
    },
    VaList,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an anonymous struct or union, or an unnamed bit-field.
    pub name: Option<String>,
    pub ty: TypeId,
    /// Byte offset; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    pub bits: Option<Bits>,
    pub packed: bool,
    /// From `aligned(n)` or `_Alignas`; 0 if none.
    pub align: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Position of the first bit within the byte at the field's offset (0..8).
    pub shift: u32,
    pub width: u32,
}

impl Bits {
    /// How many bytes it touches.
    pub fn bytes(self) -> u64 {
        u64::from((self.shift + self.width).div_ceil(8))
    }
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub union: bool,
    pub fields: Vec<Field>,
    pub complete: bool,
    pub size: u64,
    pub align: u64,
    /// `#pragma pack(n)`, 0 if none.
    pub pack: u64,
    pub packed: bool,
    /// From `aligned(n)`; 0 if none.
    pub min_align: u64,
}

impl Record {
    /// A tag that was mentioned and not defined yet.
    pub fn incomplete(name: String, union: bool) -> Record {
        Record {
            name,
            union,
            fields: Vec::new(),
            complete: false,
            size: 0,
            align: 1,
            pack: 0,
            packed: false,
            min_align: 0,
        }
    }

    /// A lock, a condition variable and so on: nobody looks into it.
    pub fn is_of_thread_library(&self) -> bool {
        ["pthread_", "__pthread", "sem_t", "mtx_t", "cnd_t"].iter().any(|start| self.name.starts_with(start))
    }
}

/// The table of all types; equal types have equal ids.
#[derive(Clone, Debug)]
pub struct Types {
    pub model: DataModel,
    list: Vec<Type>,
    index: FxHashMap<Type, TypeId>,
    pub records: Vec<Record>,
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types { model, list: Vec::new(), index: FxHashMap::default(), records: Vec::new() }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.index.get(&ty) {
            return *id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The pointer to a type, if some part of the program has it.
    pub fn known_pointer(&self, to: TypeId) -> Option<TypeId> {
        self.index.get(&Type::Pointer(to)).copied()
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    pub fn size_type(&mut self) -> TypeId {
        self.int(match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        })
    }

    pub fn ptrdiff_type(&mut self) -> TypeId {
        self.int(match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    /// The type below `_Atomic`, `const` and `volatile`.
    pub fn unqualified(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Atomic(inner) | Type::Qualified { inner, .. } => self.unqualified(*inner),
            _ => id,
        }
    }

    pub fn is_atomic(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Atomic(_) => true,
            Type::Qualified { inner, .. } => self.is_atomic(*inner),
            _ => false,
        }
    }

    /// Is the other type a part of it, or the same?
    pub fn contains(&self, whole: TypeId, part: TypeId) -> bool {
        whole == part
            || match self.get(whole) {
                Type::Array(element, _) | Type::OpenArray(element) => self.contains(*element, part),
                Type::Record(id) => self.record(*id).fields.iter().any(|field| self.contains(field.ty, part)),
                Type::Atomic(inner) | Type::Qualified { inner, .. } => self.contains(*inner, part),
                _ => false,
            }
    }

    /// How an object of this type is accessed if nothing else is said.
    pub fn access(&self, id: TypeId) -> AccessKind {
        match self.get(id) {
            Type::Atomic(_) => AccessKind::Atomic(Order::SeqCst),
            Type::Qualified { inner, volatile, .. } => match self.access(*inner) {
                AccessKind::Plain if *volatile => AccessKind::Volatile,
                access => access,
            },
            _ => AccessKind::Plain,
        }
    }

    pub fn is_const(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Qualified { constant: true, .. })
    }

    pub fn with_qualifiers(&mut self, id: TypeId, constant: bool, volatile: bool) -> TypeId {
        match *self.get(id) {
            _ if !constant && !volatile => id,
            Type::Qualified { inner, constant: c, volatile: v } => {
                self.intern(Type::Qualified { inner, constant: c || constant, volatile: v || volatile })
            }
            _ => self.intern(Type::Qualified { inner: id, constant, volatile }),
        }
    }

    /// The same type as the engines see it: without qualifiers at any depth (atomic updates are sections by then),
    /// and with pointers into variable length arrays as pointers to their elements.
    pub fn erased(&mut self, id: TypeId) -> TypeId {
        match self.get(id).clone() {
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Record(_) | Type::VaList => id,
            Type::Qualified { inner, .. } | Type::Atomic(inner) => self.erased(inner),
            Type::Pointer(to) => {
                let mut to = self.erased(to);
                while let Type::VariableArray { element, .. } = *self.get(to) {
                    to = element;
                }
                self.intern(Type::Pointer(to))
            }
            Type::Array(element, count) => {
                let element = self.erased(element);
                self.intern(Type::Array(element, count))
            }
            Type::OpenArray(element) => {
                let element = self.erased(element);
                self.intern(Type::OpenArray(element))
            }
            Type::VariableArray { element, count } => {
                let element = self.erased(element);
                self.intern(Type::VariableArray { element, count })
            }
            Type::Function(function) => {
                let result = self.erased(function.result);
                let params = function.params.iter().map(|param| self.erased(*param)).collect();
                self.intern(Type::Function(FunctionType { result, params, ..function }))
            }
        }
    }

    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(self.unqualified(id)) {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    pub fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        match self.get(self.unqualified(id)) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(self.unqualified(id)) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// Where a path of members and elements leads: offset, type, and the bits if it is a bit-field.
    pub fn path_offset(&self, ty: TypeId, path: &[PathStep]) -> (u64, TypeId, Option<Bits>) {
        let (mut offset, mut current, mut bits) = (0, ty, None);
        for step in path {
            match step {
                PathStep::Field(index) => {
                    let record = self.record_id(current).expect("a field belongs to a record");
                    let field = &self.record(record).fields[*index as usize];
                    (offset, current, bits) = (offset + field.offset, field.ty, field.bits);
                }
                PathStep::Index(index) => {
                    current = self.element(current).expect("an index belongs to an array");
                    offset += index * self.size(current);
                }
            }
        }
        (offset, current, bits)
    }

    pub fn record_id(&self, id: TypeId) -> Option<RecordId> {
        match self.get(self.unqualified(id)) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// Element type of any kind of array.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(self.unqualified(id)) {
            Type::Array(element, _) | Type::OpenArray(element) | Type::VariableArray { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// The bytes of all bit-fields that lie together with one: they are one memory location (C11 3.14).
    pub fn bit_field_run(&self, record: RecordId, index: u32) -> (u64, u64) {
        let fields = &self.record(record).fields;
        let within = |field: &&Field| field.bits.is_some_and(|bits| bits.width > 0);
        let (before, after) = fields.split_at(index as usize);
        let run = before.iter().rev().take_while(within).chain(after.iter().take_while(within));
        let bytes = |field: &Field| (field.offset, field.offset + field.bits.map_or(0, Bits::bytes));
        run.map(bytes).fold((u64::MAX, 0), |(first, end), (from, to)| (first.min(from), end.max(to)))
    }

    pub fn function_type(&self, id: TypeId) -> Option<&FunctionType> {
        match self.get(id) {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(self.unqualified(id)), Type::Void)
    }

    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(self.unqualified(id)), Type::Int(_) | Type::Float(_))
    }

    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(self.unqualified(id)), Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::VaList)
    }

    pub fn is_complete(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Void | Type::OpenArray(_) | Type::Function(_) => false,
            Type::Record(record) => self.record(*record).complete,
            Type::Array(element, _) | Type::VariableArray { element, .. } => self.is_complete(*element),
            Type::Atomic(inner) | Type::Qualified { inner, .. } => self.is_complete(*inner),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::VaList => true,
        }
    }

    /// Size in bytes. Void and functions count 1 (GNU pointer arithmetic), open arrays 0.
    pub fn size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => kind.size(self.model),
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            Type::Pointer(_) => self.model.pointer_size(),
            Type::Array(element, count) => self.size(*element).saturating_mul(*count),
            Type::OpenArray(_) => 0,
            Type::Record(record) => self.record(*record).size,
            Type::Atomic(inner) | Type::Qualified { inner, .. } => self.size(*inner),
            Type::VariableArray { .. } => self.model.pointer_size(),
            Type::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
        }
    }

    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(_) | Type::Float(_) => match self.model {
                // The i386 ABI aligns 8-byte members to 4.
                DataModel::Ilp32 => self.size(id).min(4),
                DataModel::Lp64 => self.size(id),
            },
            Type::Pointer(_) | Type::VariableArray { .. } | Type::VaList => self.model.pointer_size(),
            Type::Array(element, _) | Type::OpenArray(element) => self.align(*element),
            Type::Qualified { inner, .. } => self.align(*inner),
            Type::Record(record) => self.record(*record).align,
            Type::Atomic(inner) => {
                let size = self.size(*inner);
                if size.is_power_of_two() && size <= 16 { size.max(self.align(*inner)) } else { self.align(*inner) }
            }
        }
    }

    /// Places the fields of a record that was just defined: System V rules as gcc applies them.
    pub fn lay_out(&mut self, id: RecordId, fields: Vec<Field>) {
        let mut record = self.records[id.0 as usize].clone();
        record.fields = fields;
        let mut position = 0u64; // in bits
        let mut end = 0u64;
        let mut align = 1u64;
        for index in 0..record.fields.len() {
            let field = record.fields[index].clone();
            let packed = record.packed || field.packed;
            let natural = if packed { 1 } else { self.align(field.ty) };
            let mut field_align = natural.max(field.align);
            if record.pack != 0 {
                field_align = field_align.min(record.pack);
            }
            if record.union {
                position = 0;
            }
            match field.bits {
                Some(Bits { width: 0, .. }) => {
                    position = position.next_multiple_of(self.align(field.ty).max(field.align) * 8);
                }
                Some(Bits { width, .. }) => {
                    let type_align = self.align(field.ty) * 8;
                    let units = (position % type_align + u64::from(width)).div_ceil(type_align);
                    let crosses = units > self.size(field.ty) * 8 / type_align;
                    if field.align != 0 {
                        position = position.next_multiple_of(field.align * 8);
                    } else if crosses && !packed && record.pack == 0 {
                        position = position.next_multiple_of(type_align);
                    }
                    record.fields[index].offset = position / 8;
                    record.fields[index].bits = Some(Bits { shift: (position % 8) as u32, width });
                    position += u64::from(width);
                    if field.name.is_some() {
                        align = align.max(field_align);
                    }
                }
                None => {
                    position = position.next_multiple_of(8).next_multiple_of(field_align * 8);
                    record.fields[index].offset = position / 8;
                    position = position.saturating_add(self.size(field.ty).saturating_mul(8));
                    align = align.max(field_align);
                }
            }
            end = end.max(position);
        }
        align = align.max(record.min_align);
        record.align = align;
        record.size = end.div_ceil(8).next_multiple_of(align);
        record.complete = true;
        self.records[id.0 as usize] = record;
    }

    /// The path of field indices to a member, through anonymous members.
    pub fn find_field(&self, id: RecordId, name: &str) -> Option<Vec<u32>> {
        for (index, field) in self.record(id).fields.iter().enumerate() {
            if field.name.as_deref() == Some(name) {
                return Some(vec![index as u32]);
            }
            if let (None, None, Some(inner)) = (&field.name, field.bits, self.record_id(field.ty))
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }

    /// Compatible in the sense of C11 6.2.7, as far as `_Generic` and redeclarations need it.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(*x, *y),
            (Type::Array(x, n), Type::Array(y, m)) => n == m && self.compatible(*x, *y),
            (Type::Array(x, _), Type::OpenArray(y)) | (Type::OpenArray(x), Type::Array(y, _)) => {
                self.compatible(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => {
                self.compatible(f.result, g.result)
                    && (!f.prototyped
                        || !g.prototyped
                        || (f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params.iter().zip(&g.params).all(|(p, q)| self.compatible(*p, *q))))
            }
            _ => false,
        }
    }
}
