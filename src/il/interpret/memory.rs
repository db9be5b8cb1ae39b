//! Memory as objects with bounds and lifetime, in a flat address space.
//!
//! Every thread allocates in regions of its own, so that addresses do not depend on how threads interleave. Objects
//! lie apart, so that a pointer that leaves one does not silently enter the next.

use super::buffer::Undo;
use super::shared::Shared;
use crate::diagnostic::Span;
use crate::il::types::wrap_bits;
use crate::il::{DataModel, FunctionId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    Global,
    ThreadLocal,
    Local,
    Heap,
    String,
    Function(FunctionId),
    VariableArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Alive,
    /// The block or function that declared it is over.
    OutOfScope,
    Freed,
}

/// What is known of the value of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Byte {
    Written,
    /// Nobody wrote it: any value, chosen when it is first read.
    Open,
    /// Nobody wrote it, but its value is chosen already: it is the one in memory.
    Chosen,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub base: u64,
    pub bytes: Vec<u8>,
    /// For every byte; empty if all are written.
    pub known: Vec<Byte>,
    pub kind: ObjectKind,
    pub life: Life,
    /// For the heap: where it was allocated.
    pub place: Span,
}

/// Region and index of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectId {
    region: u32,
    index: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryFault {
    Null,
    /// Outside of every object.
    Wild(u64),
    OutOfBounds {
        size: u64,
        offset: i64,
        access: u64,
    },
    OutOfScope,
    Freed,
    /// A function or string was written to.
    ReadOnly,
    /// The interpreter's own limit.
    NoSpace,
}

#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Sorted by base.
    objects: Vec<Shared<Object>>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    model: DataModel,
    regions: Vec<Shared<Region>>,
    /// The sizes of all objects together, and how much that may be.
    allocated: u64,
    pub max_bytes: u64,
    /// What was overwritten since somebody began to note it.
    pub journal: Option<Vec<Undo>>,
}

/// Distance between objects.
const GAP: u64 = 4096;
/// A block that is given out again has at most so many bytes, or as many as before.
pub const MOST_GIVEN_AGAIN: u64 = GAP / 2;
/// So many dead objects at the end of a stack are kept to catch pointers to them.
const KEPT_DEAD: usize = 64;

/// Functions and string literals, which never change.
pub const CONSTANT_REGION: u32 = 0;
pub const STATIC_REGION: u32 = 1;

pub fn heap_region(thread: usize) -> u32 {
    2 * thread as u32 + 2
}

pub fn stack_region(thread: usize) -> u32 {
    2 * thread as u32 + 3
}

impl ObjectId {
    /// Of all objects, for telling them apart.
    pub fn number(self) -> u64 {
        u64::from(self.region) << 32 | u64::from(self.index)
    }
}

impl Object {
    /// Notes which bytes have a value. Variables of the program have one from the start, but may get one that has none.
    pub fn set_known(&mut self, offset: usize, known: &[Byte]) {
        if self.known.is_empty() {
            if known.iter().all(|known| *known == Byte::Written) {
                return;
            }
            self.known = vec![Byte::Written; self.bytes.len()];
        }
        self.known[offset..offset + known.len()].copy_from_slice(known);
    }
}

impl Memory {
    pub fn new(model: DataModel) -> Memory {
        Memory { model, regions: Vec::new(), allocated: 0, max_bytes: u64::MAX, journal: None }
    }

    fn region_bits(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 25,
            DataModel::Lp64 => 36,
        }
    }

    fn gap(&self) -> u64 {
        if self.model == DataModel::Ilp32 { 64 } else { GAP }
    }

    pub fn allocate(&mut self, region: u32, size: u64, align: u64, kind: ObjectKind) -> Result<ObjectId, MemoryFault> {
        let bits = self.region_bits();
        let gap = self.gap();
        let start = u64::from(region + 1) << bits;
        let end = start + (1 << bits);
        if self.model == DataModel::Ilp32 && end > 1 << 32 {
            return Err(MemoryFault::NoSpace);
        }
        if self.regions.len() <= region as usize {
            self.regions.resize(region as usize + 1, Shared::default());
        }
        let objects = &mut self.regions[region as usize].objects;
        // Addresses that are cut off to an int or a short are no null pointers.
        let free = objects.last().map_or(start + 0x1010, |last| last.base + last.bytes.len() as u64 + gap);
        let base = free.next_multiple_of(align.max(16));
        if size > 1 << 30 || base + size + gap > end || self.allocated + size > self.max_bytes {
            return Err(MemoryFault::NoSpace);
        }
        self.allocated += size;
        let known = match kind {
            ObjectKind::Local | ObjectKind::Heap => vec![Byte::Open; size as usize],
            ObjectKind::Global
            | ObjectKind::ThreadLocal
            | ObjectKind::String
            | ObjectKind::Function(_)
            | ObjectKind::VariableArguments => Vec::new(),
        };
        objects.push(Shared::new(Object {
            base,
            bytes: vec![0; size as usize],
            known,
            kind,
            life: Life::Alive,
            place: Span::default(),
        }));
        Ok(ObjectId { region, index: objects.len() as u32 - 1 })
    }

    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.regions.iter().enumerate().flat_map(|(region, list)| {
            let id = move |index: usize| ObjectId { region: region as u32, index: index as u32 };
            list.objects.iter().enumerate().map(move |(index, object)| (id(index), &**object))
        })
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.regions[id.region as usize].objects[id.index as usize]
    }

    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.regions[id.region as usize].objects[id.index as usize]
    }

    /// Is there room for so many bytes where an object lies, with a gap after them?
    pub fn has_room(&self, id: ObjectId, size: u64) -> bool {
        let object = self.object(id);
        size <= (object.bytes.len() as u64).max(self.gap() / 2)
    }

    /// A block that was freed is given out again, with another size: nobody has written it.
    pub fn revive(&mut self, id: ObjectId, size: u64) {
        let object = self.object_mut(id);
        let before = object.bytes.len() as u64;
        object.life = Life::Alive;
        object.bytes = vec![0; size as usize];
        object.known = vec![Byte::Open; size as usize];
        self.allocated = self.allocated - before + size;
    }

    /// Pieces of the heap are numbered by the thread that allocated them: 1.2 is the second of thread 1.
    pub fn heap_number(&self, id: ObjectId) -> String {
        let (owner, number) = self.block_number(id);
        format!("{owner}.{number}")
    }

    /// The thread that allocated a piece of the heap, and the how many-th of its pieces it is.
    pub fn block_number(&self, id: ObjectId) -> (usize, u32) {
        ((id.region as usize - 2) / 2, id.index + 1)
    }

    pub fn region_length(&self, region: u32) -> usize {
        self.regions.get(region as usize).map_or(0, |region| region.objects.len())
    }

    /// The objects of a region from `mark` on are dead and belong to nobody: forget them once there are many.
    pub fn trim_stack(&mut self, region: u32, mark: usize) {
        if let Some(region) = self.regions.get_mut(region as usize)
            && region.objects.len() > mark + KEPT_DEAD
        {
            let forgotten: u64 = region.objects[mark..].iter().map(|object| object.bytes.len() as u64).sum();
            region.objects.truncate(mark);
            self.allocated -= forgotten;
        }
    }

    /// The object that an address belongs to, by the gaps: also just before or after it.
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let region = ((address >> self.region_bits()) as u32).checked_sub(1)?;
        let objects = &self.regions.get(region as usize)?.objects;
        let index = objects.partition_point(|object| object.base <= address).checked_sub(1)?;
        Some(ObjectId { region, index: index as u32 })
    }

    /// Checks an access and finds its object and offset.
    pub fn check(&self, address: u64, size: u64, write: bool) -> Result<(ObjectId, usize), MemoryFault> {
        if address < 4096 {
            return Err(MemoryFault::Null);
        }
        let id = self.find(address).ok_or(MemoryFault::Wild(address))?;
        let object = self.object(id);
        let offset = address - object.base;
        let length = object.bytes.len() as u64;
        if offset >= length + GAP {
            return Err(MemoryFault::Wild(address));
        }
        match object.life {
            Life::Alive => {}
            Life::OutOfScope => return Err(MemoryFault::OutOfScope),
            Life::Freed => return Err(MemoryFault::Freed),
        }
        if offset + size > length || matches!(object.kind, ObjectKind::Function(_)) {
            return Err(MemoryFault::OutOfBounds { size: length, offset: offset as i64, access: size });
        }
        if write && object.kind == ObjectKind::String {
            return Err(MemoryFault::ReadOnly);
        }
        Ok((id, offset as usize))
    }

    pub fn read(&self, address: u64, size: u64) -> Result<(&[u8], bool), MemoryFault> {
        let (id, offset) = self.check(address, size, false)?;
        let object = self.object(id);
        let range = offset..offset + size as usize;
        let written = object.known.is_empty() || object.known[range.clone()].iter().all(|byte| *byte == Byte::Written);
        Ok((&object.bytes[range], written))
    }

    /// Bytes, and what is known of each.
    pub fn read_parts(&self, address: u64, size: u64) -> Result<(Vec<u8>, Vec<Byte>), MemoryFault> {
        let (id, offset) = self.check(address, size, false)?;
        let object = self.object(id);
        let range = offset..offset + size as usize;
        let all = || vec![Byte::Written; size as usize];
        let known = if object.known.is_empty() { all() } else { object.known[range.clone()].to_vec() };
        Ok((object.bytes[range].to_vec(), known))
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        let (id, offset) = self.check(address, bytes.len() as u64, true)?;
        self.note_old(address, bytes.len() as u64);
        let object = self.object_mut(id);
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        if !object.known.is_empty() {
            object.known[offset..offset + bytes.len()].fill(Byte::Written);
        }
        Ok(())
    }

    /// The values that bytes have which nobody wrote.
    pub fn choose(&mut self, id: ObjectId, bytes: &[u8]) {
        let object = self.object_mut(id);
        for (index, byte) in bytes.iter().enumerate().take(object.bytes.len()) {
            if object.known.get(index) == Some(&Byte::Open) {
                object.bytes[index] = *byte;
                object.known[index] = Byte::Chosen;
            }
        }
    }

    /// Copies bytes and what is known of them.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), MemoryFault> {
        if size == 0 {
            return Ok(());
        }
        let (bytes, known) = self.read_parts(from, size)?;
        let (target, target_offset) = self.check(to, size, true)?;
        self.note_old(to, size);
        let object = self.object_mut(target);
        let range = target_offset..target_offset + size as usize;
        object.bytes[range.clone()].copy_from_slice(&bytes);
        object.set_known(range.start, &known);
        Ok(())
    }

    pub fn read_uint(&self, address: u64, size: u64) -> Result<(u64, bool), MemoryFault> {
        let (bytes, written) = self.read(address, size)?;
        let mut buffer = [0; 8];
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok((u64::from_le_bytes(buffer), written))
    }

    pub fn write_uint(&mut self, address: u64, size: u64, value: u64) -> Result<(), MemoryFault> {
        self.write(address, &value.to_le_bytes()[..size as usize])
    }

    /// A zero-terminated string, for printing.
    pub fn string(&self, address: u64, limit: Option<usize>) -> Result<Vec<u8>, MemoryFault> {
        let mut text = Vec::new();
        while limit.is_none_or(|limit| text.len() < limit) {
            let (bytes, _) = self.read(address + text.len() as u64, 1)?;
            match bytes[0] {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    /// The parts that can change.
    pub fn regions(&self) -> &[Shared<Region>] {
        self.regions.get(STATIC_REGION as usize..).unwrap_or_default()
    }
}

impl Region {
    /// Everything that can matter later, for telling states apart.
    pub fn fingerprint(&self, out: &mut Vec<u8>) {
        for object in &self.objects {
            out.push(object.life as u8);
            out.extend(object.base.to_le_bytes());
            out.extend((object.bytes.len() as u32).to_le_bytes());
            out.push(u8::from(object.known.is_empty()));
            out.extend(object.place.start.to_le_bytes());
            if object.life == Life::Alive {
                out.extend(&object.bytes);
                out.extend(object.known.iter().map(|byte| *byte as u8));
            }
        }
    }
}

pub fn pointer(value: i128, model: DataModel) -> u64 {
    wrap_bits(value, model.pointer_size() as u32 * 8, false) as u64
}
