//! Store buffers: under TSO and PSO what a thread writes reaches memory later, in a turn of its own.
//!
//! A thread sees memory with its own stores that wait. So an instruction is executed on memory into which these are
//! written for as long as it takes; what it writes itself is taken out again and waits behind them. This way no
//! instruction and no operation needs to know of buffers: a copy, a bit-field or the arguments of printf() see what they
//! should. Instructions that others cannot see ([`super::code::Instruction::visible`]) write to memory at once.

use super::memory::{Byte, Life, Memory, ObjectKind};
use super::{Chooser, Event, Executed, Machine, Step, Stop};
use crate::analysis::drains::Effect;
use crate::diagnostic::Span;
use crate::il::{Buffering, FunctionId};

/// A thread with so many stores that wait goes no further, and nothing is proved then.
const MOST_BUFFERED: usize = 12;

/// Bytes on their way to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    address: u64,
    bytes: Vec<u8>,
    known: Vec<Byte>,
    /// It stays after all that was in the buffer before it.
    after_all: bool,
    /// Where it comes from, for people.
    origin: u32,
    /// Whoever leads this execution takes it to memory as soon as that is possible.
    decided: Option<Fate>,
    place: (FunctionId, Span),
    name: Option<(String, String)>,
}

/// What is known of a store in an execution that is led.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    AtOnce,
    /// It waits, and is known by this number of its thread.
    Later(u32),
}

/// What a thread knows of its buffer.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    stores: Vec<Store>,
    /// The next store stays after all that are in it now.
    separated: bool,
    section: Section,
}

/// The atomic section that a thread is in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Section {
    /// None, or one with an empty buffer that writes to memory.
    #[default]
    Direct,
    /// One store, of which so many parts are in the buffer.
    Stores(usize),
    Reads,
}

/// What memory held before.
#[derive(Clone, Debug)]
pub struct Undo {
    address: u64,
    bytes: Vec<u8>,
    known: Vec<Byte>,
}

impl Store {
    fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }

    fn overlaps(&self, address: u64, size: u64) -> bool {
        self.address < address + size && address < self.end()
    }

    /// Everything that can matter later.
    pub fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.address.to_le_bytes());
        out.extend((self.bytes.len() as u32).to_le_bytes());
        out.extend(&self.bytes);
        out.extend(self.known.iter().map(|byte| *byte as u8));
        out.push(u8::from(self.after_all));
    }
}

impl Buffer {
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }

    pub fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend((self.stores.len() as u32).to_le_bytes());
        self.stores.iter().for_each(|store| store.fingerprint(out));
        out.push(u8::from(self.separated));
    }

    /// The stores that may reach memory next.
    fn ready(&self, buffering: Buffering) -> Vec<usize> {
        let in_order = |at: &usize| match buffering {
            Buffering::Tso => *at == 0,
            Buffering::Pso => {
                let store = &self.stores[*at];
                let held = self.stores[..=*at].iter().skip(1).any(|earlier| earlier.after_all);
                !held
                    && !self.stores[..*at]
                        .iter()
                        .any(|earlier| earlier.overlaps(store.address, store.bytes.len() as u64))
            }
        };
        (0..self.stores.len()).filter(in_order).collect()
    }

    fn put(&mut self, mut store: Store, separates: bool) {
        let first = self.stores.is_empty();
        store.after_all = (separates || std::mem::take(&mut self.separated)) && !first;
        self.stores.push(store);
    }

    fn take(&mut self, at: usize) -> Store {
        let store = self.stores.remove(at);
        if let Some(first) = self.stores.first_mut() {
            first.after_all = false;
        } else {
            self.separated = false;
        }
        store
    }
}

impl Memory {
    /// Notes what is overwritten from now on.
    fn begin_journal(&mut self) {
        self.journal = Some(Vec::new());
    }

    /// Notes what these bytes hold, before they are written.
    pub fn note_old(&mut self, address: u64, size: u64) {
        if self.journal.is_some()
            && let Ok((bytes, known)) = self.read_parts(address, size)
            && let Some(journal) = &mut self.journal
        {
            journal.push(Undo { address, bytes, known });
        }
    }

    /// Writes bytes whatever they are known to be, if their object still exists.
    fn overwrite(&mut self, address: u64, bytes: &[u8], known: &[Byte]) {
        let Some(id) = self.find(address) else { return };
        let object = self.object_mut(id);
        let offset = (address - object.base) as usize;
        if object.life != Life::Alive || offset + bytes.len() > object.bytes.len() {
            return;
        }
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        object.set_known(offset, known);
    }
}

impl<'p> Machine<'p> {
    pub(super) fn has_pending(&self) -> bool {
        self.threads.iter().any(|thread| !thread.buffer.is_empty())
    }

    pub(super) fn is_drained(&self, thread: usize) -> bool {
        self.threads[thread].buffer.is_empty()
    }

    /// The stores of a thread that may reach memory next, by their places in its buffer.
    pub fn ready_stores(&self, thread: usize) -> Vec<usize> {
        self.program().buffering.map_or_else(Vec::new, |buffering| self.threads[thread].buffer.ready(buffering))
    }

    /// A store reaches memory; false if that cannot be now.
    pub fn commit(&mut self, thread: usize, at: usize) -> bool {
        if thread >= self.threads.len() || !self.ready_stores(thread).contains(&at) {
            return false;
        }
        let store = self.threads[thread].buffer.take(at);
        self.memory.overwrite(store.address, &store.bytes, &store.known);
        if let Some(record) = &mut self.record {
            let (user_function, span) = store.place;
            let reaches = store.name.map(|(name, value)| Event::Reaches { name, value });
            record.push(Executed {
                thread,
                origin: 0,
                function: user_function,
                span,
                user_function,
                begins: true,
                visible: true,
                events: reaches.into_iter().chain([Event::LeavesBuffer(at)]).collect(),
            });
        }
        true
    }

    /// Asks of every new store, by its thread and statement, under which number it is to wait.
    pub fn decide(&mut self, waits: &mut dyn FnMut(usize, u32) -> Option<u32>) {
        for thread in 0..self.threads.len() {
            if self.threads[thread].buffer.stores.iter().all(|store| store.decided.is_some()) {
                continue;
            }
            for store in self.threads[thread].buffer.stores.iter_mut().filter(|store| store.decided.is_none()) {
                store.decided = Some(waits(thread, store.origin).map_or(Fate::AtOnce, Fate::Later));
            }
        }
    }

    /// A store that can reach memory now: one that is not to wait, or the one that waits under a number.
    pub fn decided_store(&self, thread: usize, waiting: Option<u32>) -> Option<usize> {
        let stores = &self.threads.get(thread)?.buffer.stores;
        let wanted = Some(waiting.map_or(Fate::AtOnce, Fate::Later));
        self.ready_stores(thread).into_iter().find(|at| stores[*at].decided == wanted)
    }

    /// Nothing waits any more for memory that does not exist any more.
    pub(super) fn forget_stores(&mut self, thread: usize, address: u64, size: u64) {
        if self.threads[thread].buffer.stores.iter().any(|store| store.overlaps(address, size)) {
            self.threads[thread].buffer.stores.retain(|store| !store.overlaps(address, size));
        }
    }

    /// Executes the next instruction of a thread as its store buffer has it.
    pub(super) fn execute_with_buffer(&mut self, thread: usize, spurious: bool, chooser: &mut dyn Chooser) -> Step<()> {
        let frame = self.frame(thread);
        let instruction = &self.code.functions[frame.function.0 as usize].instructions[frame.pc];
        let (effect, visible, origin) = (instruction.effect, instruction.visible, instruction.origin);
        let outside = self.threads[thread].atomic == 0;
        let buffer = &mut self.threads[thread].buffer;
        let waits = !buffer.stores.is_empty();
        if effect == Effect::Drains && outside && waits {
            return Err(Stop::Blocked { by_assume: true, holder: None });
        }
        buffer.separated |= waits && matches!(effect, Effect::Separates | Effect::Stores { separates: true });
        if outside {
            buffer.section = match effect {
                Effect::Stores { .. } => Section::Stores(0),
                Effect::Reads => Section::Reads,
                Effect::Nothing | Effect::Drains | Effect::Separates => Section::Direct,
            };
        }
        let buffer = &self.threads[thread].buffer;
        // What a locked operation writes is in memory at once.
        let direct = if outside { effect == Effect::Drains } else { buffer.section == Section::Direct };
        let buffered = visible && !direct;
        if buffered && buffer.stores.len() >= MOST_BUFFERED {
            self.buffers_limited = true;
            return Err(Stop::Blocked { by_assume: true, holder: None });
        }
        if !buffered && buffer.stores.is_empty() {
            return self.execute(thread, spurious, chooser);
        }
        let place = if self.record.is_some() { self.position(thread) } else { (FunctionId(0), Span::default()) };
        self.memory.begin_journal();
        for store in self.threads[thread].buffer.stores.clone() {
            self.memory.note_old(store.address, store.bytes.len() as u64);
            self.memory.overwrite(store.address, &store.bytes, &store.known);
        }
        let own = self.memory.journal.as_ref().map_or(0, Vec::len);
        let events = self.record.as_ref().and_then(|record| record.last()).map_or(0, |last| last.events.len());
        let result = self.execute(thread, spurious, chooser);
        let journal = self.memory.journal.take().unwrap_or_default();
        let mut written: Vec<Store> = Vec::new();
        for undo in &journal[own..] {
            let size = undo.bytes.len() as u64;
            let Ok((bytes, known)) = self.memory.read_parts(undo.address, size) else { continue };
            written.retain(|store| (store.address, store.bytes.len() as u64) != (undo.address, size));
            let name = self.written_name(events, undo.address);
            written.push(Store {
                address: undo.address,
                bytes,
                known,
                after_all: false,
                origin,
                decided: None,
                place,
                name,
            });
        }
        for undo in journal.into_iter().rev() {
            self.memory.overwrite(undo.address, &undo.bytes, &undo.known);
        }
        for store in written {
            self.write_or_wait(thread, store, buffered);
        }
        result
    }

    /// What was written goes into the buffer, or to memory if others cannot see it and nothing waits for the same place.
    fn write_or_wait(&mut self, thread: usize, store: Store, buffered: bool) {
        let size = store.bytes.len() as u64;
        let waits = self.threads[thread].buffer.stores.iter().any(|other| other.overlaps(store.address, size));
        let own = self.memory.find(store.address).is_some_and(|id| {
            let kind = self.memory.object(id).kind;
            kind == ObjectKind::VariableArguments
        });
        if !(waits || buffered && !own) {
            return self.memory.overwrite(store.address, &store.bytes, &store.known);
        }
        let buffer = &mut self.threads[thread].buffer;
        // Parts of one store that cover each other are one.
        if let Section::Stores(parts) = buffer.section {
            let first = buffer.stores.len() - parts.min(buffer.stores.len());
            let same = |other: &&mut Store| (other.address, other.bytes.len()) == (store.address, store.bytes.len());
            if let Some(other) = buffer.stores[first..].iter_mut().find(same) {
                (other.bytes, other.known) = (store.bytes, store.known);
                return;
            }
            buffer.section = Section::Stores(parts + 1);
        }
        buffer.put(store, false);
    }

    /// The name and the value of what was just written, for people.
    fn written_name(&self, events: usize, at: u64) -> Option<(String, String)> {
        let last = self.record.as_ref()?.last()?;
        last.events.get(events..)?.iter().find_map(|event| match event {
            Event::Access { write: true, address, name, value, .. } if *address == at => {
                Some((name.clone(), value.clone()))
            }
            _ => None,
        })
    }
}
