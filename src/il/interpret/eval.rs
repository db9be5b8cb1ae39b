//! Values of expressions, reads and writes of places.

use super::memory::{Byte, ObjectKind, heap_region, pointer};
use super::{Chooser, Datum, FailureKind, Machine, Step, Stop};
use crate::il::arithmetic::{self, Fault, Value};
use crate::il::types::{Bits, wrap_bits};
use crate::il::{
    Base, BinaryOp, Expr, ExprKind, FloatKind, GlobalId, IntKind, LocalId, Place, Projection, Type, TypeId,
};

/// Where a place is.
pub(super) enum Where {
    Register(LocalId),
    Memory(u64, Option<Bits>),
}

fn overflow(text: &str) -> Stop {
    Stop::Failure(FailureKind::Overflow, text.to_owned())
}

impl Machine<'_> {
    pub(super) fn eval(&mut self, thread: usize, expr: &Expr, chooser: &mut dyn Chooser) -> Step<Value> {
        Ok(match &expr.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Str(id) => self.address(self.strings[id.0 as usize]),
            ExprKind::Function(id) => self.address(self.functions[id.0 as usize]),
            ExprKind::Load(place) => self.load(thread, place, chooser)?,
            ExprKind::AddressOf(place) => match self.locate_for(thread, place, true, chooser)? {
                Where::Memory(address, _) => Value::Int(i128::from(address)),
                Where::Register(_) => unreachable!("a variable whose address is taken should be in memory"),
            },
            ExprKind::Unary(op, operand) => {
                let value = self.eval(thread, operand, chooser)?;
                let types = &self.program().types;
                if self.code.overflow && arithmetic::negation_overflows(types, *op, value, expr.ty) {
                    return Err(overflow("the negated value does not fit its type"));
                }
                arithmetic::unary(types, *op, value, expr.ty)
            }
            ExprKind::Binary(op, left, right) => self.binary(thread, *op, left, right, expr.ty, chooser)?,
            ExprKind::Cast(operand) => {
                let value = self.eval(thread, operand, chooser)?;
                let types = &self.program().types;
                if self.code.overflow && arithmetic::conversion_overflows(types, value, expr.ty) {
                    return Err(overflow("the converted value does not fit its type"));
                }
                arithmetic::convert(types, value, expr.ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.eval(thread, condition, chooser)?.is_true() { then } else { otherwise };
                self.eval(thread, chosen, chooser)?
            }
        })
    }

    pub(super) fn address(&self, object: super::memory::ObjectId) -> Value {
        Value::Int(i128::from(self.memory.object(object).base))
    }

    fn binary(
        &mut self,
        thread: usize,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        result: TypeId,
        chooser: &mut dyn Chooser,
    ) -> Step<Value> {
        let a = self.eval(thread, left, chooser)?;
        match op {
            BinaryOp::LogicalAnd if !a.is_true() => return Ok(Value::Int(0)),
            BinaryOp::LogicalOr if a.is_true() => return Ok(Value::Int(1)),
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let b = self.eval(thread, right, chooser)?;
                return Ok(Value::Int(i128::from(b.is_true())));
            }
            _ => {}
        }
        let b = self.eval(thread, right, chooser)?;
        let types = &self.program().types;
        if self.code.overflow
            && let Some(text) = arithmetic::overflow(types, op, a, b, result)
        {
            return Err(overflow(text));
        }
        let element = types.pointee(left.ty).map_or(1, |to| types.size(to));
        arithmetic::binary(types, op, a, b, left.ty, result, element).map_err(|fault| match fault {
            Fault::DivisionByZero => Stop::Failure(FailureKind::DivisionByZero, "the divisor is zero".to_owned()),
            Fault::DivisionOverflow => {
                Stop::Failure(FailureKind::DivisionByZero, "the quotient does not fit its type".to_owned())
            }
        })
    }

    pub(super) fn locate(&mut self, thread: usize, place: &Place, chooser: &mut dyn Chooser) -> Step<Where> {
        self.locate_for(thread, place, false, chooser)
    }

    /// Where a place is. `address_only`: nothing is accessed, so that one past the end of an array is allowed.
    fn locate_for(
        &mut self,
        thread: usize,
        place: &Place,
        address_only: bool,
        chooser: &mut dyn Chooser,
    ) -> Step<Where> {
        let mut address = match &place.base {
            Base::Local(id) => {
                let frame = self.frame(thread);
                if !self.in_memory(frame.function, *id) {
                    return Ok(Where::Register(*id));
                }
                let object = frame.objects[id.0 as usize].expect("locals in memory are allocated with the frame");
                i128::from(self.memory.object(object).base)
            }
            Base::Global(id) => {
                let object = self.global_object(thread, *id)?;
                i128::from(self.memory.object(object).base)
            }
            Base::Deref(pointer) => self.eval(thread, pointer, chooser)?.as_int(),
        };
        let mut bits = None;
        // Elements of an array that nothing bounds: through a pointer, or the last member of a struct.
        let mut room = self.array_length(thread, place);
        for (position, projection) in place.projections.iter().enumerate() {
            match projection {
                Projection::Field(record, index) => {
                    let record = self.program().types.record(*record);
                    let field = &record.fields[*index as usize];
                    address += i128::from(field.offset);
                    bits = field.bits;
                    let trailing = *index as usize + 1 == record.fields.len();
                    room = if trailing { None } else { self.length_of(field.ty) };
                }
                Projection::Index(index, element) => {
                    let index = self.eval(thread, index, chooser)?.as_int();
                    let last = address_only && position + 1 == place.projections.len();
                    if let Some(room) = room
                        && !(0..i128::from(room) + i128::from(last)).contains(&index)
                    {
                        let text = format!("index {index} of an array of {room} elements");
                        return Err(Stop::Failure(FailureKind::Memory, text));
                    }
                    address += index * i128::from(self.size(*element));
                    room = self.length_of(*element);
                }
            }
        }
        Ok(Where::Memory(pointer(address, self.program().types.model), bits))
    }

    fn length_of(&self, ty: TypeId) -> Option<u64> {
        match self.program().types.get(ty) {
            Type::Array(_, count) => Some(*count),
            _ => None,
        }
    }

    /// The length of the array that the first projection of a place selects from, if that is known.
    fn array_length(&self, thread: usize, place: &Place) -> Option<u64> {
        match &place.base {
            Base::Local(id) => {
                let function = self.program().function(self.frame(thread).function);
                self.length_of(function.locals[id.0 as usize].ty)
            }
            Base::Global(id) => self.length_of(self.program().global(*id).ty),
            Base::Deref(pointer) => self.program().types.pointee(pointer.ty).and_then(|to| self.length_of(to)),
        }
    }

    fn global_object(&mut self, thread: usize, id: GlobalId) -> Step<super::memory::ObjectId> {
        if let Some(object) = self.globals[id.0 as usize] {
            return Ok(object);
        }
        if let Some(object) = self.threads[thread].thread_locals.get(&id) {
            return Ok(*object);
        }
        // The thread's own instance of a thread-local variable, made on first use.
        let object = self.new_global(id, heap_region(thread), ObjectKind::ThreadLocal)?;
        self.threads[thread].thread_locals.insert(id, object);
        self.initialize_global(thread, id, object)?;
        Ok(object)
    }

    fn load(&mut self, thread: usize, place: &Place, chooser: &mut dyn Chooser) -> Step<Value> {
        match self.locate(thread, place, chooser)? {
            Where::Register(id) => {
                if let Some(value) = self.frame(thread).registers[id.0 as usize] {
                    return Ok(value);
                }
                // Uninitialized: any value, but the same one from now on.
                let mut chosen = 0;
                let value = self.any_value(place.ty, &mut |bits| {
                    chosen = chooser.undefined(bits);
                    chosen
                });
                self.frame_mut(thread).registers[id.0 as usize] = Some(value);
                let bits = if let Value::Int(value) = value { value as u64 } else { chosen };
                self.note_settled(thread, place, bits, value);
                Ok(value)
            }
            Where::Memory(address, bits) => {
                self.check_initialized(thread, address, place.ty)?;
                self.check_defined_here(place, address)?;
                let size = bits.map_or_else(|| self.scalar_size(place.ty), Bits::bytes);
                let defined = self.record.is_none() || self.memory.read(address, size)?.1;
                let value = self.read(address, place.ty, bits, chooser)?;
                if !defined {
                    let raw = match (bits, value) {
                        (Some(_), Value::Int(value)) => value as u64,
                        _ => self.memory.read_uint(address, size.min(8))?.0,
                    };
                    self.note_settled(thread, place, raw, value);
                }
                self.note_access(false, address, place, value);
                self.touch_place(thread, place, (address, size), bits, false)?;
                Ok(value)
            }
        }
    }

    /// The thread library looks into an object that nobody initialized.
    fn check_initialized(&self, thread: usize, address: u64, ty: TypeId) -> Step<()> {
        let function = self.program().function(self.frame(thread).function);
        if function.does.is_none() {
            return Ok(());
        }
        if let Ok((_, false)) = self.memory.read(address, self.size(ty)) {
            return Err(Stop::Failure(FailureKind::LockMisuse, super::UNINITIALIZED_LOCK.to_owned()));
        }
        Ok(())
    }

    /// A pointer that another file defines points somewhere, but nobody here knows where.
    fn check_defined_here(&self, place: &Place, address: u64) -> Step<()> {
        let Base::Global(id) = place.base else { return Ok(()) };
        let global = self.program().global(id);
        if global.external
            && self.program().types.pointee(place.ty).is_some()
            && let Ok((_, false)) = self.memory.read(address, self.size(place.ty))
        {
            let text = format!("what `{}` points to: no file given here defines it", global.name);
            return Err(Stop::Failure(FailureKind::Unsupported, text));
        }
        Ok(())
    }

    /// A value of any bits that `chosen` gives.
    pub(super) fn any_value(&self, ty: TypeId, chosen: &mut dyn FnMut(u32) -> u64) -> Value {
        let types = &self.program().types;
        let bits = types.size(ty) as u32 * 8;
        match types.get(types.unqualified(ty)) {
            Type::Int(IntKind::Bool) => Value::Int(i128::from(chosen(1) & 1)),
            Type::Float(FloatKind::Float) => Value::Float(f64::from(f32::from_bits(chosen(32) as u32))),
            Type::Float(_) => Value::Float(f64::from_bits(chosen(64))),
            _ => Value::Int(arithmetic::wrap(types, i128::from(chosen(bits.min(64))), ty)),
        }
    }

    pub(super) fn read(
        &mut self,
        address: u64,
        ty: TypeId,
        bits: Option<Bits>,
        chooser: &mut dyn Chooser,
    ) -> Step<Value> {
        let types = &self.program().types;
        let kind = types.get(types.unqualified(ty)).clone();
        if let Some(bits) = bits {
            let raw = self.read_raw(address, bits.bytes(), chooser)?;
            let signed = matches!(kind, Type::Int(kind) if kind.signed());
            return Ok(Value::Int(wrap_bits((raw >> bits.shift) as i128, bits.width, signed)));
        }
        let size = self.scalar_size(ty);
        let raw = self.read_raw(address, size, chooser)?;
        Ok(match kind {
            Type::Float(FloatKind::Float) => Value::Float(f64::from(f32::from_bits(raw as u32))),
            Type::Float(_) => Value::Float(f64::from_bits(raw as u64)),
            Type::Int(kind) => Value::Int(if kind == IntKind::Bool {
                (raw & 0xff) as i128
            } else {
                kind.wrap(raw as i128, self.program().types.model)
            }),
            _ => Value::Int(raw as i128),
        })
    }

    /// A list of arguments is the address of the next one, in a type that is larger.
    fn scalar_size(&self, ty: TypeId) -> u64 {
        let types = &self.program().types;
        match types.get(types.unqualified(ty)) {
            Type::VaList => types.model.pointer_size(),
            _ => types.size(ty),
        }
    }

    pub(super) fn read_raw(&mut self, address: u64, size: u64, chooser: &mut dyn Chooser) -> Step<u128> {
        let (bytes, defined) = self.memory.read(address, size)?;
        let mut buffer = [0; 16];
        buffer[..bytes.len()].copy_from_slice(bytes);
        if !defined {
            self.settle(address, size, chooser)?;
            let (bytes, _) = self.memory.read(address, size)?;
            buffer[..bytes.len()].copy_from_slice(bytes);
        }
        Ok(u128::from_le_bytes(buffer))
    }

    /// Gives bytes that have no value any value, once and for all.
    fn settle(&mut self, address: u64, size: u64, chooser: &mut dyn Chooser) -> Step<()> {
        let (id, offset) = self.memory.check(address, size, false)?;
        let range = offset..offset + size as usize;
        let open = self.memory.object(id).known[range.clone()].contains(&Byte::Open);
        let value = if open { chooser.undefined((size as u32 * 8).min(64)) } else { 0 }.to_le_bytes();
        let object = self.memory.object_mut(id);
        for index in range {
            if object.known[index] == Byte::Open {
                object.bytes[index] = value[(index - offset) % 8];
            }
            object.known[index] = Byte::Written;
        }
        Ok(())
    }

    /// A bit-field: its neighbours keep their values, or get any if they have none.
    fn write_bits(&mut self, address: u64, bits: Bits, value: Value, chooser: &mut dyn Chooser) -> Step<()> {
        let size = bits.bytes();
        let mask = ((1u128 << bits.width) - 1) << bits.shift;
        let old = self.read_raw(address, size, chooser)?;
        let raw = old & !mask | ((value.as_int() as u128) << bits.shift) & mask;
        self.memory.write(address, &raw.to_le_bytes()[..size as usize])?;
        Ok(())
    }

    pub(super) fn write(
        &mut self,
        address: u64,
        ty: TypeId,
        bits: Option<Bits>,
        value: Value,
        chooser: &mut dyn Chooser,
    ) -> Step<()> {
        let types = &self.program().types;
        if let Some(bits) = bits {
            return self.write_bits(address, bits, value, chooser);
        }
        let raw = match (types.get(types.unqualified(ty)), value) {
            (Type::Float(FloatKind::Float), value) => u64::from((value.as_float() as f32).to_bits()),
            (Type::Float(_), value) => value.as_float().to_bits(),
            (_, value) => value.as_int() as u64,
        };
        let size = self.scalar_size(ty);
        if size > 8 {
            return Err(Stop::Failure(FailureKind::Unsupported, "long double in the interpreter".to_owned()));
        }
        self.memory.write_uint(address, size, raw)?;
        Ok(())
    }

    /// The value of an argument or result, structs included.
    pub(super) fn datum(&mut self, thread: usize, expr: &Expr, chooser: &mut dyn Chooser) -> Step<Datum> {
        if self.program().types.record_id(expr.ty).is_none() {
            return Ok(Datum::Scalar(self.eval(thread, expr, chooser)?));
        }
        let ExprKind::Load(place) = &expr.kind else { unreachable!("a struct value should be a load") };
        let Where::Memory(address, _) = self.locate(thread, place, chooser)? else {
            unreachable!("structs live in memory");
        };
        let size = self.size(expr.ty);
        let (bytes, known) = self.memory.read_parts(address, size)?;
        self.touch_place(thread, place, (address, size), None, false)?;
        Ok(Datum::Bytes(bytes, known))
    }

    pub(super) fn store(&mut self, thread: usize, place: &Place, datum: Datum, chooser: &mut dyn Chooser) -> Step<()> {
        match (self.locate(thread, place, chooser)?, datum) {
            (Where::Register(id), Datum::Scalar(value)) => {
                self.frame_mut(thread).registers[id.0 as usize] = Some(value);
                Ok(())
            }
            (Where::Register(id), Datum::Undefined) => {
                self.frame_mut(thread).registers[id.0 as usize] = None;
                Ok(())
            }
            (Where::Register(_), Datum::Bytes(..)) => unreachable!("structs live in memory"),
            (Where::Memory(address, bits), Datum::Scalar(value)) => {
                self.write(address, place.ty, bits, value, chooser)?;
                self.note_access(true, address, place, value);
                self.touch_place(thread, place, (address, self.scalar_size(place.ty)), bits, true)
            }
            (Where::Memory(address, _), Datum::Bytes(bytes, known)) => {
                self.memory.write(address, &bytes)?;
                self.set_known(address, &known)?;
                self.touch_place(thread, place, (address, bytes.len() as u64), None, true)
            }
            (Where::Memory(address, _), Datum::Undefined) => {
                let size = self.size(place.ty);
                self.memory.check(address, size, true)?;
                self.set_known(address, &vec![Byte::Open; size as usize])?;
                self.touch_place(thread, place, (address, size), None, true)
            }
        }
    }

    /// A string that ends with a zero byte, or is as long as asked for; what nobody wrote of it gets any value.
    pub(super) fn string(&mut self, address: u64, limit: Option<usize>, chooser: &mut dyn Chooser) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while limit.is_none_or(|limit| text.len() < limit) {
            match self.read_raw(address + text.len() as u64, 1, chooser)? as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    pub(super) fn set_known(&mut self, address: u64, known: &[Byte]) -> Step<()> {
        let (id, offset) = self.memory.check(address, known.len() as u64, true)?;
        self.memory.note_old(address, known.len() as u64);
        let object = self.memory.object_mut(id);
        object.set_known(offset, known);
        Ok(())
    }
}
