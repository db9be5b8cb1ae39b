//! What a reader calls a piece of memory, and how values are written.

use super::memory::ObjectKind;
use super::{Event, Machine};
use crate::il::arithmetic::Value;
use crate::il::{FunctionKind, Place, Projection, Type, TypeId, Types};

impl Machine<'_> {
    /// Notes an access to memory that several threads may see, or that the reader knows by name.
    pub(super) fn note_access(&mut self, write: bool, address: u64, place: &Place, value: Value) {
        if self.record.is_none() {
            return;
        }
        if let Some(name) = self.heap_member(address, place).or_else(|| self.name(address, place.ty, false)) {
            let value = self.shown(value, place.ty);
            let kind = place.access;
            self.happens(Event::Access { write, address, ty: place.ty, kind, name, value });
        }
    }

    /// Notes that a place got a value by being read.
    pub(super) fn note_settled(&mut self, thread: usize, place: &Place, bits: u64, value: Value) {
        if self.record.is_none() {
            return;
        }
        let program = self.program();
        let text = crate::il::print::place_text(program, program.function(self.frame(thread).function), place);
        let value = self.shown(value, place.ty);
        self.happens(Event::Settles { place: text, ty: place.ty, bits, value });
    }

    /// A member of a struct on the heap: the place tells its name, the object does not know its type.
    fn heap_member(&self, address: u64, place: &Place) -> Option<String> {
        let types = &self.program().types;
        let id = self.memory.find(address)?;
        let object = self.memory.object(id);
        if object.kind != ObjectKind::Heap || place.projections.is_empty() {
            return None;
        }
        let (mut path, mut inside) = (String::new(), 0);
        for projection in &place.projections {
            let Projection::Field(record, index) = projection else { return None };
            let field = &types.record(*record).fields[*index as usize];
            path += &field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
            inside += field.offset;
        }
        let start = (address - object.base).checked_sub(inside)?;
        let start = if start == 0 { String::new() } else { format!("+{start}") };
        Some(format!("heap{}{start}{path}", self.memory.heap_number(id)))
    }

    /// What to call the memory at an address, whatever it is; its variable if no type says which part is meant.
    pub(super) fn name_of(&self, address: u64, ty: Option<TypeId>) -> String {
        let named = ty.and_then(|ty| self.name(address, ty, true)).or_else(|| self.object_name(address));
        named.unwrap_or_else(|| "memory".to_owned())
    }

    fn object_name(&self, address: u64) -> Option<String> {
        let program = self.program();
        let id = self.memory.find(address)?;
        match self.memory.object(id).kind {
            ObjectKind::Global => {
                let index = self.globals.iter().position(|global| *global == Some(id))?;
                Some(program.globals[index].name.clone())
            }
            ObjectKind::Local => self.threads.iter().flat_map(|thread| &thread.frames).find_map(|frame| {
                let local = frame.objects.iter().position(|local| *local == Some(id))?;
                Some(program.function(frame.function).locals[local].name.clone())
            }),
            ObjectKind::Heap => Some(format!("heap{}", self.memory.heap_number(id))),
            ObjectKind::ThreadLocal | ObjectKind::String | ObjectKind::Function(_) | ObjectKind::VariableArguments => {
                None
            }
        }
    }

    /// A value as the user would write it; a pointer by the name of what it points to.
    pub fn shown(&self, value: Value, ty: TypeId) -> String {
        let types = &self.program().types;
        match (value, types.get(types.unqualified(ty))) {
            (Value::Float(value), _) => format!("{value}"),
            (Value::Int(0), Type::Pointer(_)) => "NULL".to_owned(),
            (Value::Int(value), Type::Pointer(to)) => self.pointer_text(value as u64, *to),
            (Value::Int(value), _) => value.to_string(),
        }
    }

    fn pointer_text(&self, address: u64, to: TypeId) -> String {
        match self.memory.find(address).map(|id| self.memory.object(id)) {
            Some(object) if matches!(object.kind, ObjectKind::Function(_)) => match self.function_at(address) {
                Ok(id) => self.program().function(id).name.clone(),
                Err(_) => format!("0x{address:x}"),
            },
            Some(object) if object.kind == ObjectKind::String => match self.memory.string(address, Some(40)) {
                Ok(text) => format!("{:?}", String::from_utf8_lossy(&text)),
                Err(_) => format!("0x{address:x}"),
            },
            Some(_) => self.name(address, to, true).map_or(format!("0x{address:x}"), |name| format!("&{name}")),
            // A small number is more likely a number than an address.
            None if address < 4096 => address.to_string(),
            None => format!("0x{address:x}"),
        }
    }

    /// The name of memory: a variable with members and indices, or a numbered piece of the heap. `any`: also locals
    /// that no other thread knows.
    pub(super) fn name(&self, address: u64, ty: TypeId, any: bool) -> Option<String> {
        let program = self.program();
        let types = &program.types;
        let id = self.memory.find(address)?;
        let object = self.memory.object(id);
        let offset = address - object.base;
        match object.kind {
            ObjectKind::Global => {
                let index = self.globals.iter().position(|global| *global == Some(id))?;
                let global = &program.globals[index];
                (!global.model).then(|| format!("{}{}", global.name, path_text(types, global.ty, offset, ty)))
            }
            ObjectKind::Local => self.threads.iter().flat_map(|thread| &thread.frames).find_map(|frame| {
                let local = frame.objects.iter().position(|local| *local == Some(id))?;
                let function = program.function(frame.function);
                let local = &function.locals[local];
                let known = matches!(function.kind, FunctionKind::Defined) && (any || local.shared);
                known.then(|| format!("{}{}", local.name, path_text(types, local.ty, offset, ty)))
            }),
            ObjectKind::Heap => {
                let number = self.memory.heap_number(id);
                let suffix = if offset == 0 { String::new() } else { format!("+{offset}") };
                Some(format!("heap{number}{suffix}"))
            }
            ObjectKind::ThreadLocal => None,
            ObjectKind::String | ObjectKind::Function(_) | ObjectKind::VariableArguments => None,
        }
    }
}

/// The members and indices that lead to a byte of a type.
pub fn path_text(types: &Types, ty: TypeId, offset: u64, wanted: TypeId) -> String {
    let ty = types.unqualified(ty);
    if offset == 0 && types.size(ty) == types.size(wanted) && types.is_scalar(ty) == types.is_scalar(wanted) {
        return String::new();
    }
    match types.get(ty) {
        Type::Array(element, _) | Type::OpenArray(element) if types.size(*element) > 0 => {
            let size = types.size(*element);
            format!("[{}]{}", offset / size, path_text(types, *element, offset % size, wanted))
        }
        Type::Atomic(inner) => path_text(types, *inner, offset, wanted),
        Type::Record(id) => {
            let record = types.record(*id);
            // The inside of a lock is nobody's business.
            if offset == 0 && record.is_of_thread_library() {
                return String::new();
            }
            let inside = |field: &&crate::il::types::Field| {
                field.bits.is_none() && field.offset <= offset && offset < field.offset + types.size(field.ty).max(1)
            };
            let mut fields: Vec<_> = record.fields.iter().filter(inside).collect();
            // Of the members of a union, one of the type that is wanted.
            fields.sort_by_key(|field| types.unqualified(field.ty) != types.unqualified(wanted));
            match fields.first() {
                Some(field) => {
                    let rest = path_text(types, field.ty, offset - field.offset, wanted);
                    field.name.as_ref().map_or(rest.clone(), |name| format!(".{name}{rest}"))
                }
                None => format!("+{offset}"),
            }
        }
        _ if offset == 0 => String::new(),
        _ => format!("+{offset}"),
    }
}
