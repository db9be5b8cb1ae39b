//! Reads and writes: of cells that belong to the thread at once, of shared memory as events.

use super::super::memory::{Home, LENGTH, Memory, kind_of};
use super::super::range::Kind;
use super::super::term::{Op, TermId};
use super::{Action, Executor, Known, Location, RaceAccess, State};
use crate::analysis::points_to::{Object as Pointed, Set};
use crate::diagnostic::Result;
use crate::il::interpret::FailureKind;
use crate::il::types::Bits;
use crate::il::{AccessKind, Base, Expr, IntKind, Place, Projection, Type, TypeId};
use std::rc::Rc;

/// Addresses that an access may go to, with their objects.
pub(super) struct Reach {
    /// In cells that belong to the thread.
    private: Vec<(i128, usize)>,
    shared: Vec<(i128, usize)>,
    /// The objects of the shared ones.
    objects: Rc<Vec<usize>>,
}

impl Executor<'_> {
    // ---- cells of private objects ----

    /// Reads bytes out of the cells of an object.
    pub(super) fn get(&mut self, cells: &[TermId], index: usize, offset: u64, size: u64, kind: Kind) -> TermId {
        let object = &self.memory.objects[index];
        if let Some(cell) = object.exact(offset, size) {
            return self.terms.cast(cells[cell], kind);
        }
        let parts: Vec<(TermId, u64, u64)> =
            object.cells_of(offset, size).map(|i| (cells[i], object.cells[i].offset, object.cells[i].size)).collect();
        let wide = Kind::unsigned(64);
        let mut value = self.terms.constant(0);
        for (cell, at, length) in parts {
            let unsigned = self.terms.cast(cell, Kind::unsigned(length as u32 * 8));
            let (skip, shift) = (offset.saturating_sub(at) * 8, at.saturating_sub(offset) * 8);
            let taken = (at + length).min(offset + size) - at.max(offset);
            let skip = self.terms.constant(i128::from(skip));
            let part = self.terms.binary(Op::Shr, unsigned, skip, wide);
            let part = self.terms.cast(part, Kind::unsigned(taken as u32 * 8));
            let shift = self.terms.constant(i128::from(shift));
            let part = self.terms.binary(Op::Shl, part, shift, wide);
            value = self.terms.binary(Op::BitOr, value, part, wide);
        }
        self.terms.cast(value, kind)
    }

    /// Writes bytes into the cells of an object.
    pub(super) fn put(&mut self, cells: &mut [TermId], index: usize, offset: u64, size: u64, value: TermId) {
        let object = &self.memory.objects[index];
        if let Some(cell) = object.exact(offset, size) {
            let kind = object.cells[cell].kind;
            cells[cell] = self.terms.cast(value, kind);
            return;
        }
        let parts: Vec<(usize, u64, u64, Kind)> = object
            .cells_of(offset, size)
            .map(|i| (i, object.cells[i].offset, object.cells[i].size, object.cells[i].kind))
            .collect();
        let wide = Kind::unsigned(64);
        let value = self.terms.cast(value, Kind::unsigned(size as u32 * 8));
        for (cell, at, length, kind) in parts {
            let whole = Kind::unsigned(length as u32 * 8);
            let taken = (at + length).min(offset + size) - at.max(offset);
            let skip = self.terms.constant(i128::from(at.saturating_sub(offset) * 8));
            let part = self.terms.binary(Op::Shr, value, skip, wide);
            let part = self.terms.cast(part, Kind::unsigned(taken as u32 * 8));
            let shift = offset.saturating_sub(at) * 8;
            let bits = Bits { shift: shift as u32, width: taken as u32 * 8 };
            let old = self.terms.cast(cells[cell], whole);
            let new = self.with_bits(old, part, bits, whole);
            cells[cell] = self.terms.cast(new, kind);
        }
    }

    /// `old` with some of its bits replaced.
    pub(super) fn with_bits(&mut self, old: TermId, value: TermId, bits: Bits, whole: Kind) -> TermId {
        let value = self.terms.cast(value, Kind::unsigned(bits.width));
        let mask = ((1i128 << bits.width) - 1) << bits.shift;
        if mask == whole.max() {
            return value;
        }
        let keep = self.terms.constant(whole.max() & !mask);
        let kept = self.terms.binary(Op::BitAnd, old, keep, whole);
        let shift = self.terms.constant(i128::from(bits.shift));
        let moved = self.terms.binary(Op::Shl, value, shift, whole);
        self.terms.binary(Op::BitOr, kept, moved, whole)
    }

    // ---- access ----

    /// Where an access may go to.
    pub(super) fn reach(&mut self, state: &State, location: &Location, size: u64, writes: bool) -> Reach {
        let range = self.terms.range(location.address).clone();
        let mut reach = Reach { private: Vec::new(), shared: Vec::new(), objects: Rc::new(Vec::new()) };
        let mut seen = Vec::new();
        for (at, index) in self.memory.candidates(&range, &location.objects, size) {
            let object = &self.memory.objects[index];
            match object.home {
                _ if writes && object.read_only => {}
                Home::Private(owner) if owner != self.thread => {}
                Home::Private(_) | Home::Frame => reach.private.push((at, index)),
                Home::Shared(_) if state.fresh.contains(&index) => reach.private.push((at, index)),
                Home::Shared(_) => {
                    reach.shared.push((at, index));
                    if seen.last() != Some(&index) {
                        seen.push(index);
                    }
                }
            }
        }
        reach.objects = Rc::new(seen);
        reach
    }

    /// The access must go to one of its addresses, in objects that were not freed.
    pub(super) fn check_access(
        &mut self,
        state: &mut State,
        guard: TermId,
        location: &Location,
        size: u64,
        reach: &Reach,
    ) {
        if !location.checked {
            let mut valid: Vec<i128> = reach.private.iter().chain(&reach.shared).map(|(address, _)| *address).collect();
            valid.sort_unstable();
            let valid = self.terms.one_of(location.address, valid);
            self.must(state, guard, valid, FailureKind::Memory);
        }
        self.check_length(state, guard, location, size, reach);
        let freeable = |list: &[(i128, usize)], memory: &Memory| {
            let mut objects: Vec<usize> =
                list.iter().map(|(_, index)| *index).filter(|index| memory.objects[*index].freed).collect();
            objects.dedup();
            objects
        };
        let (own, others) = (freeable(&reach.private, &self.memory), freeable(&reach.shared, &self.memory));
        for index in own {
            let Some((_, freed)) = state.freed.iter().find(|(object, _)| *object == index).copied() else { continue };
            let inside = self.inside(location.address, index);
            let wrong = self.terms.and(inside, freed);
            let right = self.terms.not(wrong);
            self.must(state, guard, right, FailureKind::Memory);
        }
        if !others.is_empty() {
            let freed = self.terms.read(self.reads, Kind::BOOL);
            self.reads += 1;
            self.event(state, location.address, size, reach.objects.clone(), Action::ReadFreed(freed));
            let addresses =
                reach.shared.iter().filter(|(_, index)| others.contains(index)).map(|(address, _)| *address);
            let inside = self.terms.one_of(location.address, addresses.collect());
            let wrong = self.terms.and(inside, freed);
            let right = self.terms.not(wrong);
            self.must(state, guard, right, FailureKind::Memory);
        }
    }

    /// It must end within its object, where only the execution tells how long that is.
    fn check_length(&mut self, state: &mut State, guard: TermId, location: &Location, size: u64, reach: &Reach) {
        let mut objects: Vec<usize> = reach.private.iter().chain(&reach.shared).map(|(_, index)| *index).collect();
        objects.sort_unstable();
        objects.dedup();
        for index in objects {
            let Some(at) = self.memory.length_address(index) else { continue };
            let length = match self.lengths.get(&index) {
                Some((thread, length)) if *thread == self.thread => *length,
                _ => {
                    let address = self.terms.constant(at);
                    let known = state.known.iter().find(|known| known.address == address).map(|known| known.value);
                    known.unwrap_or_else(|| {
                        let objects = Rc::new(vec![self.memory.lengths]);
                        let value = self.event_read(state, address, 8, LENGTH, objects);
                        let entry = Known { address, size: 8, kind: LENGTH, value };
                        Rc::make_mut(&mut state.known).push(entry);
                        value
                    })
                }
            };
            let (base, kind) = (self.memory.objects[index].base, LENGTH);
            let (base, size) = (self.terms.constant(base), self.terms.constant(i128::from(size)));
            let last = self.terms.binary(Op::Add, base, length, kind);
            let end = self.terms.binary(Op::Add, location.address, size, kind);
            let inside = self.inside(location.address, index);
            let fits = self.terms.less_or_equal(end, last);
            let wrong = self.terms.not(fits);
            let wrong = self.terms.and(inside, wrong);
            let right = self.terms.not(wrong);
            self.must(state, guard, right, FailureKind::Memory);
        }
    }

    /// Does the address lie in an object?
    pub(super) fn inside(&mut self, address: TermId, index: usize) -> TermId {
        let object = &self.memory.objects[index];
        let (base, end) = (object.base, object.base + i128::from(object.size));
        if let Some(at) = self.terms.range(address).single() {
            return self.terms.truth(base <= at && at < end);
        }
        let (base, end) = (self.terms.constant(base), self.terms.constant(end));
        let above = self.terms.less_or_equal(base, address);
        let below = self.terms.less(address, end);
        self.terms.and(above, below)
    }

    /// Notes an access to shared memory that may race.
    pub(super) fn note_access(
        &mut self,
        state: &State,
        guard: TermId,
        (address, size): (TermId, u64),
        objects: &[usize],
        (write, kind): (bool, AccessKind),
    ) {
        if !self.property.looks_for(FailureKind::Race) {
            return;
        }
        // What the models of the library keep for themselves does not race.
        let of_model = |index: &usize| matches!(self.points_to.objects.get(*index), Some(Pointed::Global(id)) if self.program.global(*id).model);
        if objects.iter().all(of_model) {
            return;
        }
        let guard = self.terms.and(guard, state.path);
        let atomic = state.sections > kind.own_sections() || matches!(kind, AccessKind::Atomic(_));
        self.accesses.push(RaceAccess {
            thread: self.thread,
            step: state.current_step(),
            guard,
            address,
            size,
            write,
            atomic,
            span: self.user_span,
            requirements: self.requirements.len(),
            section: if state.sections > 0 { state.section } else { 0 },
        });
    }

    /// The bytes that count as accessed: for a bit-field, those of all that lie together with it.
    fn accessed_bytes(&mut self, location: &Location, size: u64) -> (TermId, u64) {
        let Some((before, all)) = location.run else { return (location.address, size) };
        let (kind, before) = (self.pointer_kind(), self.terms.constant(i128::from(before)));
        (self.terms.binary(Op::Sub, location.address, before, kind), all)
    }

    pub(super) fn load(
        &mut self,
        state: &mut State,
        location: &Location,
        size: u64,
        kind: Kind,
        guard: TermId,
    ) -> Result<TermId> {
        let reach = self.reach(state, location, size, false);
        self.check_access(state, guard, location, size, &reach);
        let mut value = None;
        if !reach.shared.is_empty() {
            let known = |known: &&Known| known.address == location.address && known.size == size && known.kind == kind;
            value = Some(match state.known.iter().find(known) {
                Some(known) => known.value,
                None => {
                    let bytes = self.accessed_bytes(location, size);
                    self.note_access(state, guard, bytes, &reach.objects, (false, location.access));
                    let value = self.event_read(state, location.address, size, kind, reach.objects.clone());
                    let entry = Known { address: location.address, size, kind, value };
                    Rc::make_mut(&mut state.known).push(entry);
                    value
                }
            });
        }
        for (at, index) in reach.private.iter().rev() {
            let offset = (at - self.memory.objects[*index].base) as u64;
            let cells = state.objects[self.slots[index]].clone();
            // Part of a pointer is a number that does not look like one: see `encodes`.
            if !state.fresh.is_empty() && self.memory.objects[*index].exact(offset, size).is_none() {
                for cell in self.memory.objects[*index].cells_of(offset, size) {
                    self.leak(state, cells[cell]);
                }
            }
            let content = self.get(&cells, *index, offset, size, kind);
            let place = self.terms.constant(*at);
            let here = self.terms.equal(location.address, place);
            // What this thread wrote through the same address is there.
            let content = self.terms.where_true(here, content);
            if self.terms.is_unwritten_pointer(content) {
                self.unwritten_pointers.push((location.address, *at, content));
            }
            value = Some(match value {
                None => content,
                Some(other) => self.terms.choose(here, content, other),
            });
        }
        Ok(value.unwrap_or_else(|| self.terms.constant(0)))
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        location: &Location,
        size: u64,
        value: TermId,
        kind: Kind,
    ) -> Result<()> {
        let reach = self.reach(state, location, size, true);
        let guard = state.path;
        self.check_access(state, guard, location, size, &reach);
        let single = reach.private.len() + reach.shared.len() == 1;
        for (at, index) in &reach.private {
            let offset = (at - self.memory.objects[*index].base) as u64;
            let slot = self.slots[index];
            let mut cells = (*state.objects[slot]).clone();
            let touched = self.memory.objects[*index].cells_of(offset, size);
            let old: Vec<TermId> = cells[touched.clone()].to_vec();
            self.put(&mut cells, *index, offset, size, value);
            if !single {
                let at = self.terms.constant(*at);
                let here = self.terms.equal(location.address, at);
                for (cell, old) in touched.zip(old) {
                    cells[cell] = self.terms.choose(here, cells[cell], old);
                }
            }
            state.objects[slot] = Rc::new(cells);
        }
        if !reach.shared.is_empty() {
            self.leak(state, value);
            let range = self.terms.range(location.address).clone();
            let far = i128::from(size.max(8));
            let terms = &self.terms;
            Rc::make_mut(&mut state.known).retain(|known| {
                let other = terms.range(known.address);
                !(other.low() < range.high() + far && range.low() < other.high() + far)
            });
            if reach.private.is_empty() {
                let value = self.terms.cast(value, kind);
                let entry = Known { address: location.address, size, kind, value };
                Rc::make_mut(&mut state.known).push(entry);
            }
            let bytes = self.accessed_bytes(location, size);
            self.note_access(state, state.path, bytes, &reach.objects, (true, location.access));
            self.event(state, location.address, size, reach.objects, Action::Write(value));
        }
        Ok(())
    }

    pub(super) fn load_place(&mut self, state: &mut State, place: &Place, guard: TermId) -> Result<TermId> {
        let location = self.locate(state, place, guard, false)?;
        let types = &self.program.types;
        if let Some(bits) = location.bits {
            let size = u64::from((bits.shift + bits.width).div_ceil(8));
            let whole = Kind::unsigned(size as u32 * 8);
            let signed = types.int_kind(place.ty).is_some_and(IntKind::signed);
            let value = self.load(state, &location, size, whole, guard)?;
            let shift = self.terms.constant(i128::from(bits.shift));
            let value = self.terms.binary(Op::Shr, value, shift, whole);
            return Ok(self.terms.cast(value, Kind { bits: bits.width, signed }));
        }
        if !types.is_scalar(place.ty) || types.size(place.ty) > 8 {
            return self.unsupported("a value of this type");
        }
        let (size, kind) = (types.size(place.ty), kind_of(types, place.ty));
        self.load(state, &location, size, kind, guard)
    }

    pub(super) fn store_place(&mut self, state: &mut State, place: &Place, value: TermId) -> Result<()> {
        let guard = state.path;
        let location = self.locate(state, place, guard, false)?;
        let types = &self.program.types;
        if let Some(bits) = location.bits {
            let size = u64::from((bits.shift + bits.width).div_ceil(8));
            let whole = Kind::unsigned(size as u32 * 8);
            let old = self.load(state, &location, size, whole, guard)?;
            let new = self.with_bits(old, value, bits, whole);
            return self.store(state, &location, size, new, whole);
        }
        if types.size(place.ty) > 8 {
            return self.unsupported("a value of this type");
        }
        let (size, kind) = (types.size(place.ty), kind_of(types, place.ty));
        self.store(state, &location, size, value, kind)
    }

    pub(super) fn pointer_kind(&self) -> Kind {
        Kind::unsigned(self.program.types.model.pointer_size() as u32 * 8)
    }

    /// The objects that an access through a pointer may touch.
    pub(super) fn targets(&self, pointer: &Expr) -> Rc<Vec<usize>> {
        let mut set: Set = self.points_to.value(self.function, pointer);
        for string in self.strings.iter() {
            set.insert(*string);
        }
        Rc::new(set.iter().collect())
    }

    pub(super) fn locate(
        &mut self,
        state: &mut State,
        place: &Place,
        guard: TermId,
        address_only: bool,
    ) -> Result<Location> {
        let types = &self.program.types;
        let known = |object: usize, executor: &Executor| (executor.memory.objects[object].base, Rc::new(vec![object]));
        let (base, objects, ty, is_known) = match &place.base {
            Base::Global(id) => {
                let (base, objects) = known(self.points_to.global(*id), self);
                (self.terms.constant(base), objects, Some(self.program.global(*id).ty), true)
            }
            Base::Local(id) => {
                let (base, objects) = known(self.points_to.local(self.function, *id), self);
                let ty = self.program.function(self.function).locals[id.0 as usize].ty;
                (self.terms.constant(base), objects, Some(ty), true)
            }
            Base::Deref(pointer) => {
                let address = self.eval(state, pointer, guard)?;
                (address, self.targets(pointer), types.pointee(pointer.ty), false)
            }
        };
        let length = |ty: TypeId| match types.get(ty) {
            Type::Array(_, count) => Some(*count),
            _ => None,
        };
        let kind = self.pointer_kind();
        let (mut address, mut bits, mut checked) = (base, None, is_known);
        let mut room = ty.and_then(length);
        let mut run = None;
        for (position, projection) in place.projections.iter().enumerate() {
            match projection {
                Projection::Field(record_id, index) => {
                    let record = types.record(*record_id);
                    let field = &record.fields[*index as usize];
                    let offset = self.terms.constant(i128::from(field.offset));
                    address = self.terms.binary(Op::Add, address, offset, kind);
                    bits = field.bits;
                    run = bits.map(|_| {
                        let (first, end) = types.bit_field_run(*record_id, *index);
                        (field.offset - first, end - first)
                    });
                    let trailing = *index as usize + 1 == record.fields.len();
                    room = if trailing { None } else { length(field.ty) };
                }
                Projection::Index(index, element) => {
                    let mut value = self.eval(state, index, guard)?;
                    let last = address_only && position + 1 == place.projections.len();
                    match room {
                        Some(room) => {
                            let most = self.terms.constant(i128::from(room) + i128::from(last));
                            let zero = self.terms.constant(0);
                            let above = self.terms.less_or_equal(zero, value);
                            let below = self.terms.less(value, most);
                            let fine = self.terms.and(above, below);
                            self.must(state, guard, fine, FailureKind::Memory);
                            value = self.terms.bounded(value, 0, i128::from(room) + i128::from(last) - 1);
                        }
                        None => checked = false,
                    }
                    let size = self.terms.constant(i128::from(types.size(*element)));
                    let offset = self.terms.binary(Op::Mul, value, size, Kind { bits: 66, signed: true });
                    address = self.terms.binary(Op::Add, address, offset, kind);
                    room = length(*element);
                }
            }
        }
        Ok(Location { address, objects, bits, run, checked, access: place.access })
    }
}
