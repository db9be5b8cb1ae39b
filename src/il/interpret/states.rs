//! States that were seen, each part of them stored once: threads and regions of memory repeat from state to state.

use super::memory::Region;
use super::{Machine, Thread};
use crate::il::arithmetic::Value;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct States {
    /// The numbers of parts, by their content.
    parts: FxHashMap<Box<[u8]>, u32>,
    /// The numbers of states, by those of their parts.
    index: FxHashMap<Box<[u32]>, u32>,
    bytes: usize,
    buffer: Vec<u8>,
}

/// What the tables need for an entry beside its content, about.
const ENTRY: usize = 64;
/// The numbers before those of the regions.
const FIXED: usize = 4;

impl States {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What tells a state from all others. Parts that it has in common with the state before are not looked at again.
    pub fn key(
        &mut self,
        machine: &Machine,
        (round, last): (u32, usize),
        before: Option<(&Machine, &[u32])>,
    ) -> Vec<u32> {
        let regions = machine.memory.regions();
        let mut key = Vec::with_capacity(FIXED + regions.len() + machine.threads.len());
        key.extend([round, last as u32, u32::from(machine.exit_handlers_ran), regions.len() as u32]);
        for (index, region) in regions.iter().enumerate() {
            let same =
                before.filter(|(other, _)| other.memory.regions().get(index).is_some_and(|old| old.same(region)));
            let number = match same {
                Some((_, key)) => key[FIXED + index],
                None => self.part(|out| Region::fingerprint(region, out)),
            };
            key.push(number);
        }
        for (index, thread) in machine.threads.iter().enumerate() {
            let same = before.filter(|(other, _)| other.threads.get(index).is_some_and(|old| old.same(thread)));
            let number = match same {
                Some((other, key)) => key[FIXED + other.memory.regions().len() + index],
                None => self.part(|out| thread_fingerprint(thread, out)),
            };
            key.push(number);
        }
        if let Some(races) = &machine.races {
            key.push(self.part(|out| races.fingerprint(out)));
        }
        key
    }

    fn part(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> u32 {
        self.buffer.clear();
        write(&mut self.buffer);
        if let Some(number) = self.parts.get(self.buffer.as_slice()) {
            return *number;
        }
        let number = self.parts.len() as u32;
        self.bytes += self.buffer.len() + ENTRY;
        self.parts.insert(self.buffer.as_slice().into(), number);
        number
    }

    pub fn find(&self, key: &[u32]) -> Option<usize> {
        self.index.get(key).map(|number| *number as usize)
    }

    pub fn add(&mut self, key: &[u32]) {
        self.bytes += size_of_val(key) + ENTRY;
        let number = self.index.len() as u32;
        self.index.insert(key.into(), number);
    }
}

fn thread_fingerprint(thread: &Thread, out: &mut Vec<u8>) {
    out.push(thread.status as u8);
    out.extend([u8::from(thread.detached), u8::from(thread.joined), u8::from(thread.ending)]);
    out.extend(thread.atomic.to_le_bytes());
    push_value(out, Some(thread.result));
    thread.buffer.fingerprint(out);
    let mut own: Vec<_> = thread.thread_locals.iter().map(|(global, object)| (global.0, object.number())).collect();
    own.sort_unstable();
    out.extend((own.len() as u32).to_le_bytes());
    own.iter().for_each(|(global, object)| push_numbers(out, &[u64::from(*global), *object]));
    for frame in &thread.frames {
        out.extend(frame.function.0.to_le_bytes());
        out.extend((frame.pc as u32).to_le_bytes());
        out.extend([u8::from(frame.wants_result), u8::from(frame.is_hook)]);
        // The frame's objects follow its mark.
        push_numbers(out, &[frame.stack_mark as u64, frame.allocas.len() as u64]);
        let others = frame.allocas.iter().chain(&frame.variable_arguments);
        others.for_each(|object| push_numbers(out, &[object.number()]));
        out.push(u8::from(frame.variable_arguments.is_some()));
        frame.registers.iter().for_each(|value| push_value(out, *value));
    }
}

fn push_numbers(out: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn push_value(out: &mut Vec<u8>, value: Option<Value>) {
    match value {
        None => out.push(0),
        Some(Value::Int(value)) => {
            out.push(1);
            out.extend(value.to_le_bytes());
        }
        Some(Value::Float(value)) => {
            out.push(2);
            out.extend(value.to_bits().to_le_bytes());
        }
    }
}
