//! Leaks: memory of the heap that is left when the process ends, and that nobody can reach any more. If that is looked
//! for as well, memory that somebody could still have freed.
//!
//! Whether somebody can still reach it is told from all words of memory that could be its address, as conservative garbage
//! collectors do: a block counts as reachable rather than lost.

use super::memory::{Life, Object, ObjectId, ObjectKind};
use super::{Failure, FailureKind, Machine, Value};
use rustc_hash::FxHashSet;

impl Machine<'_> {
    /// A block that is left: one that nobody can reach, if there is one.
    pub(super) fn leak(&self, thread: usize) -> Option<Failure> {
        let reached = self.reached();
        let left = || {
            let heap = self.memory.objects().filter(|(_, object)| object.kind == ObjectKind::Heap);
            heap.filter(|(_, object)| object.life == Life::Alive)
        };
        let lost = left().find(|(id, _)| !reached.contains(id));
        let (kind, object, how) = match lost {
            Some((_, object)) if self.code.leaks => (FailureKind::Leak, object, ", and nobody can reach them any more"),
            _ if self.code.cleanup => (FailureKind::Left, left().next()?.1, ""),
            _ => return None,
        };
        let message = format!("{} bytes allocated here are left when the process ends{how}", object.bytes.len());
        Some(Failure { kind, message, thread, span: object.place, race: None, waits: Vec::new(), stuck: Vec::new() })
    }

    /// The blocks that variables lead to.
    fn reached(&self) -> FxHashSet<ObjectId> {
        let mut reached = FxHashSet::default();
        let mut waiting: Vec<ObjectId> = Vec::new();
        let variables = self.memory.objects().filter(|(_, object)| {
            let variable = match object.kind {
                ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Local => true,
                ObjectKind::VariableArguments => true,
                ObjectKind::Heap | ObjectKind::String | ObjectKind::Function(_) => false,
            };
            variable && object.life == Life::Alive
        });
        for (_, object) in variables {
            self.addresses(object, Life::Alive, &mut waiting);
        }
        self.addresses_in_registers(Life::Alive, &mut waiting);
        while let Some(id) = waiting.pop() {
            if reached.insert(id) {
                self.addresses(self.memory.object(id), Life::Alive, &mut waiting);
            }
        }
        reached
    }

    /// Blocks that were freed and whose addresses are still somewhere.
    pub(super) fn known_freed(&self) -> FxHashSet<ObjectId> {
        let mut known = Vec::new();
        for (_, object) in self.memory.objects().filter(|(_, object)| object.life == Life::Alive) {
            self.addresses(object, Life::Freed, &mut known);
        }
        self.addresses_in_registers(Life::Freed, &mut known);
        known.into_iter().collect()
    }

    fn addresses_in_registers(&self, life: Life, out: &mut Vec<ObjectId>) {
        for thread in &self.threads {
            // Nobody can ask for the result of a thread that is joined or detached.
            if !thread.joined && !thread.detached {
                out.extend(self.block_at(thread.result, life));
            }
            let registers = thread.frames.iter().flat_map(|frame| frame.registers.iter().flatten());
            out.extend(registers.filter_map(|value| self.block_at(*value, life)));
        }
    }

    /// The blocks whose addresses an object holds.
    fn addresses(&self, object: &Object, life: Life, out: &mut Vec<ObjectId>) {
        let size = self.program().types.model.pointer_size() as usize;
        for word in object.bytes.windows(size) {
            let mut bytes = [0; 8];
            bytes[..size].copy_from_slice(word);
            out.extend(self.block_at(Value::Int(i128::from(u64::from_le_bytes(bytes))), life));
        }
    }

    fn block_at(&self, value: Value, life: Life) -> Option<ObjectId> {
        let Value::Int(address) = value else { return None };
        let address = u64::try_from(address).ok()?;
        let id = self.memory.find(address)?;
        let object = self.memory.object(id);
        let inside = address <= object.base + object.bytes.len() as u64;
        (inside && object.kind == ObjectKind::Heap && object.life == life).then_some(id)
    }
}
