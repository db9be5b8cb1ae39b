//! Assembly as C programs use it: the usual x86 instructions become the operations that they are.
//!
//! A template is a list of instructions (AT&T syntax) over its operands. Registers are temporaries; memory is accessed as
//! the processor does it: an instruction with the `lock` prefix, and `xchg`, is one atomic step, a plain `mov` an atomic
//! access that is ordered as x86 orders it (a load acquires, a store releases). Anything else makes its outputs any value,
//! which is said, and nothing is proved with it.

use super::Lowerer;
use crate::c::ast::{self, Asm};
use crate::diagnostic::{Diagnostic, Result};
use crate::il::types::FunctionType;
use crate::il::{
    AccessKind, Base, Callee, Expr, Function, FunctionId, FunctionKind, IntKind, Order, Place, StmtKind, Type, TypeId,
};
use rustc_hash::FxHashMap;

/// What an operand of the statement is.
#[derive(Clone)]
enum Operand {
    Memory(Place),
    /// A temporary.
    Register(Place),
    Immediate(i128),
    /// An output that says whether a condition holds at the end.
    Condition(String),
}

/// What an operand of an instruction is.
enum Argument {
    Memory(Place),
    Register(Place),
    Number(i128),
}

/// The state of the processor as far as the instructions at hand use it.
#[derive(Default)]
struct Processor {
    operands: Vec<Operand>,
    names: Vec<Option<String>>,
    /// Registers by their letter: those of operands, and those that the template mentions itself.
    registers: FxHashMap<char, Place>,
    /// Those of which the output is the low byte.
    bytes: Vec<Place>,
    /// Is the last result zero, negative, and was there a carry?
    zero: Option<Expr>,
    sign: Option<Expr>,
    carry: Option<Expr>,
}

struct Instruction<'t> {
    locked: bool,
    name: &'t str,
    arguments: Vec<&'t str>,
}

/// Not one of those that are understood: whatever was emitted for it is taken back.
struct Unknown;

type Known<T> = std::result::Result<T, Unknown>;

impl From<Diagnostic> for Unknown {
    fn from(_: Diagnostic) -> Unknown {
        Unknown
    }
}

impl Lowerer {
    pub(super) fn assembly(&mut self, asm: &Asm) -> Result<()> {
        if asm.jumps {
            return self.unsupported("assembly that jumps");
        }
        let template = asm.template.replace("\\n", "\n").replace("\\t", " ");
        let places = self.output_places(asm)?;
        let before = self.code.len();
        if self.instructions(asm, &template, &places).is_ok() {
            return Ok(());
        }
        self.code.truncate(before);
        self.unknown_assembly(asm, places)
    }

    fn output_places(&mut self, asm: &Asm) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for output in &asm.outputs {
            let place = self.place(&output.expr)?;
            places.push(self.stabilize(place));
        }
        Ok(places)
    }

    fn instructions(&mut self, asm: &Asm, template: &str, places: &[Place]) -> Known<()> {
        let mut processor = self.processor(asm, places)?;
        let list = instructions(template)?;
        if shares_registers(asm, &processor, &list) {
            return Err(Unknown);
        }
        for instruction in list {
            self.instruction(&mut processor, &instruction)?;
        }
        for (index, place) in places.iter().enumerate() {
            let value = match &processor.operands[index] {
                Operand::Memory(_) | Operand::Immediate(_) => continue,
                Operand::Register(temp) => Expr::load(temp.clone()),
                Operand::Condition(condition) => self.flag(&processor, condition)?,
            };
            let value = self.convert(value, place.ty);
            self.store(place.clone(), value)?;
        }
        Ok(())
    }

    /// The registers and places of the operands, with what is in them before the first instruction.
    fn processor(&mut self, asm: &Asm, places: &[Place]) -> Known<Processor> {
        let mut processor = Processor::default();
        for (output, place) in asm.outputs.iter().zip(places) {
            let letters = output.constraint.trim_start_matches(['=', '+', '&', '%']);
            let reads = output.constraint.contains('+');
            let operand = if let Some(condition) = letters.strip_prefix("@cc") {
                Operand::Condition(condition.to_owned())
            } else if in_memory(letters) || (reads && letters.contains('m')) {
                Operand::Memory(place.clone())
            } else {
                let temp = self.register(&mut processor, letters, place.ty)?;
                if reads {
                    let value = self.load(place.clone());
                    self.assign(temp.clone(), value);
                }
                Operand::Register(temp)
            };
            processor.operands.push(operand);
            processor.names.push(output.name.clone());
        }
        for input in &asm.inputs {
            let letters = input.constraint.trim_start_matches(['&', '%']);
            let named = letters.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let tied = match named {
                Some(name) => processor.names.iter().position(|known| known.as_deref() == Some(name)),
                None => letters.parse::<usize>().ok(),
            };
            if named.is_some() && tied.is_none() {
                return Err(Unknown);
            }
            let immediate = letters.contains(IMMEDIATE);
            let constant =
                if immediate { self.speculate(|lowerer| Ok(lowerer.expr(&input.expr)?.as_int()))? } else { None };
            let operand = if let Some(number) = constant.filter(|_| tied.is_none()) {
                Operand::Immediate(number)
            } else if let Some(output) = tied {
                let Some(Operand::Register(temp)) = processor.operands.get(output).cloned() else {
                    return Err(Unknown);
                };
                let value = self.expr(&input.expr)?;
                let value = self.convert(value, temp.ty);
                self.assign(temp.clone(), value);
                Operand::Register(temp)
            } else if in_memory(letters) {
                let place = self.place(&input.expr)?;
                Operand::Memory(self.stabilize(place))
            } else {
                let value = self.expr(&input.expr)?;
                let temp = self.register(&mut processor, letters, value.ty)?;
                self.assign(temp.clone(), value);
                Operand::Register(temp)
            };
            processor.operands.push(operand);
            processor.names.push(input.name.clone());
        }
        Ok(processor)
    }

    /// A temporary for an operand in a register: that of a letter, if its constraint names one.
    fn register(&mut self, processor: &mut Processor, letters: &str, ty: TypeId) -> Known<Place> {
        let ty = self.types.unqualified(ty);
        let fits = self.types.pointee(ty).is_some() || self.types.int_kind(ty).is_some();
        if !fits || self.types.size(ty) > 8 {
            return Err(Unknown);
        }
        let letter = letters.chars().find(|letter| "abcdSD".contains(*letter));
        // An input and an output may be in the same register; the output has its value in the end.
        let any = letters.chars().any(|letter| "rqQR".contains(letter));
        match letter.filter(|_| !any) {
            Some(letter) => match processor.registers.get(&letter) {
                Some(known) if known.ty == ty => Ok(known.clone()),
                Some(known) if self.types.size(known.ty) == 1 => {
                    // `setz` writes the low byte of what held the value to compare with.
                    let temp = self.new_temp(ty);
                    let low = known.clone();
                    processor.registers.insert(letter, temp.clone());
                    processor.bytes.push(temp.clone());
                    let outputs = processor.operands.iter_mut();
                    outputs.for_each(|operand| {
                        if matches!(operand, Operand::Register(place) if *place == low) {
                            *operand = Operand::Register(temp.clone());
                        }
                    });
                    Ok(temp)
                }
                Some(_) => Err(Unknown),
                None => {
                    let temp = self.new_temp(ty);
                    processor.registers.insert(letter, temp.clone());
                    Ok(temp)
                }
            },
            None => Ok(self.new_temp(ty)),
        }
    }

    fn instruction(&mut self, processor: &mut Processor, instruction: &Instruction) -> Known<()> {
        let Instruction { locked, name, arguments } = instruction;
        let stack = |argument: &&str| argument.contains("sp)");
        match *name {
            "nop" | "pause" | "yield" | "prefetcht0" | "prefetchnta" | "prefetchw" | "prefetch" => return Ok(()),
            "mfence" | "lfence" | "sfence" | "dmb" | "dsb" => return self.fence(),
            // The usual barrier where there is no mfence.
            "add" | "or" | "addl" | "orl" | "addq" | "orq" if *locked && arguments.last().is_some_and(stack) => {
                return self.fence();
            }
            "cmpxchg8b" | "cmpxchg16b" => {
                return self.exchange_pair(processor, *locked, *name == "cmpxchg16b", arguments);
            }
            _ => {}
        }
        if let Some(condition) = name.strip_prefix("set") {
            let [to] = arguments[..] else { return Err(Unknown) };
            let value = self.flag(processor, condition)?;
            let target = self.argument(processor, to)?;
            let byte = match &target {
                Argument::Register(place) => self.types.size(place.ty) == 1 || processor.bytes.contains(place),
                Argument::Memory(place) => self.types.size(place.ty) == 1,
                Argument::Number(_) => false,
            };
            return if byte { self.write(&target, value, false) } else { Err(Unknown) };
        }
        let (operation, size) = operation(name).ok_or(Unknown)?;
        let mut list = Vec::new();
        for argument in arguments {
            list.push(self.argument(processor, argument)?);
        }
        let size = size.or_else(|| list.iter().find_map(|argument| self.size(argument))).ok_or(Unknown)?;
        let list: Vec<Argument> =
            list.into_iter().map(|argument| self.resized(argument, size)).collect::<Known<_>>()?;
        let accumulator = processor.registers.get(&'a').cloned().filter(|_| operation == "cmpxchg");
        let list = self.as_pointers(list, accumulator, size)?;
        // An exchange with memory locks by itself.
        let memory = list.iter().any(|argument| matches!(argument, Argument::Memory(_)));
        if !memory || !(*locked || operation == "xchg") {
            return self.operate(processor, (operation, size), &list, false);
        }
        self.emit_atomic(true)?;
        self.operate(processor, (operation, size), &list, true)?;
        self.emit_atomic(false)?;
        Ok(())
    }

    fn fence(&mut self) -> Known<()> {
        let id = self.builtin_function("__sync_synchronize")?;
        self.emit(StmtKind::Call { to: None, callee: Callee::Function(id), args: Vec::new() });
        Ok(())
    }

    fn operate(
        &mut self,
        processor: &mut Processor,
        (operation, size): (&str, u64),
        list: &[Argument],
        locked: bool,
    ) -> Known<()> {
        match (operation, list) {
            ("mov", [from, to]) => {
                let value = self.read(from, size, locked)?;
                self.write(to, value, locked)
            }
            ("xchg", [a, b]) => {
                let (first, second) = (self.read(a, size, locked)?, self.read(b, size, locked)?);
                self.write(a, second, locked)?;
                self.write(b, first, locked)
            }
            ("xadd", [register, to]) => {
                let (added, old) = (self.read(register, size, locked)?, self.read(to, size, locked)?);
                let sum = self.compute(ast::BinaryOp::Add, old.clone(), added, size)?;
                self.write(register, old, locked)?;
                self.result(processor, sum.clone(), size)?;
                self.write(to, sum, locked)
            }
            ("cmpxchg", [new, to]) => {
                let accumulator = processor.registers.get(&'a').cloned().ok_or(Unknown)?;
                let expected = self.read(&Argument::Register(accumulator.clone()), size, locked)?;
                let (new, old) = (self.read(new, size, locked)?, self.read(to, size, locked)?);
                let equal = self.same(old.clone(), expected, size)?;
                let ((), then) = self.in_block(|lowerer| lowerer.write(to, new, locked).map_err(refused))?;
                let accumulator = Argument::Register(accumulator);
                let ((), otherwise) =
                    self.in_block(|lowerer| lowerer.write(&accumulator, old, locked).map_err(refused))?;
                self.emit(StmtKind::If { condition: equal.clone(), then, otherwise });
                (processor.zero, processor.sign, processor.carry) = (Some(equal), None, None);
                Ok(())
            }
            ("add" | "sub" | "and" | "or" | "xor" | "cmp" | "test", [from, to]) => {
                let (value, old) = (self.read(from, size, locked)?, self.read(to, size, locked)?);
                let operator = match operation {
                    "add" => ast::BinaryOp::Add,
                    "sub" | "cmp" => ast::BinaryOp::Sub,
                    "and" | "test" => ast::BinaryOp::BitAnd,
                    "or" => ast::BinaryOp::BitOr,
                    _ => ast::BinaryOp::BitXor,
                };
                let new = self.compute(operator, old.clone(), value.clone(), size)?;
                self.result(processor, new.clone(), size)?;
                let (old, value, sum) =
                    (self.number(old, size), self.number(value, size), self.number(new.clone(), size));
                let carry = match operation {
                    "add" => Some(self.binary(ast::BinaryOp::Lt, sum, old)?),
                    "sub" | "cmp" => Some(self.binary(ast::BinaryOp::Lt, old, value)?),
                    _ => None,
                };
                processor.carry = carry.map(|carry| self.in_temp(carry));
                if matches!(operation, "cmp" | "test") { Ok(()) } else { self.write(to, new, locked) }
            }
            ("inc" | "dec" | "neg" | "not", [to]) => {
                let old = self.read(to, size, locked)?;
                let one = self.literal(1, size);
                let new = match operation {
                    "inc" => self.compute(ast::BinaryOp::Add, old, one, size)?,
                    "dec" => self.compute(ast::BinaryOp::Sub, old, one, size)?,
                    "neg" => {
                        let zero = self.literal(0, size);
                        self.compute(ast::BinaryOp::Sub, zero, old, size)?
                    }
                    _ => {
                        let ones = self.literal(-1, size);
                        self.compute(ast::BinaryOp::BitXor, old, ones, size)?
                    }
                };
                if operation != "not" {
                    let carry = processor.carry.take();
                    self.result(processor, new.clone(), size)?;
                    // Counting does not change it.
                    processor.carry = carry.filter(|_| operation != "neg");
                }
                self.write(to, new, locked)
            }
            ("bts" | "btr" | "btc" | "bt", [Argument::Number(bit), to]) => {
                let bit = self.literal(bit & (size as i128 * 8 - 1), size);
                self.bit(processor, (operation, size), (bit, to), locked)
            }
            ("bts" | "btr" | "btc" | "bt", [from, Argument::Memory(place)]) => {
                // A number in a register may lie beyond the operand.
                let bit = self.read(from, size, locked)?;
                let bit = self.in_temp(bit);
                // It has a sign: the bits before the operand can be meant as well.
                let signed = self.types.int(signed_kind(size));
                let number = self.convert(bit.clone(), signed);
                let shift = self.literal((size * 8).ilog2().into(), size);
                let index = self.binary(ast::BinaryOp::Shr, number, shift)?;
                let index = self.in_temp(index);
                let mask = self.literal(size as i128 * 8 - 1, size);
                let bit = self.compute(ast::BinaryOp::BitAnd, bit, mask, size)?;
                let address = self.address_of(place.clone());
                let address = self.pointer_add(address, index, false)?;
                let address = self.in_temp(address);
                let place = self.deref_value(address)?;
                self.bit(processor, (operation, size), (bit, &Argument::Memory(place)), locked)
            }
            _ => Err(Unknown),
        }
    }

    fn bit(
        &mut self,
        processor: &mut Processor,
        (operation, size): (&str, u64),
        (bit, to): (Expr, &Argument),
        locked: bool,
    ) -> Known<()> {
        let old = self.read(to, size, locked)?;
        let one = self.literal(1, size);
        let mask = self.compute(ast::BinaryOp::Shl, one, bit, size)?;
        let new = match operation {
            "bts" => self.compute(ast::BinaryOp::BitOr, old.clone(), mask.clone(), size)?,
            "btc" => self.compute(ast::BinaryOp::BitXor, old.clone(), mask.clone(), size)?,
            "btr" => {
                let ones = self.literal(-1, size);
                let others = self.compute(ast::BinaryOp::BitXor, mask.clone(), ones, size)?;
                self.compute(ast::BinaryOp::BitAnd, old.clone(), others, size)?
            }
            _ => old.clone(),
        };
        let was = self.compute(ast::BinaryOp::BitAnd, old, mask, size)?;
        let zero = self.literal(0, size);
        let carry = self.binary(ast::BinaryOp::Ne, was, zero)?;
        (processor.zero, processor.sign, processor.carry) = (None, None, Some(self.in_temp(carry)));
        if operation == "bt" { Ok(()) } else { self.write(to, new, locked) }
    }

    /// `cmpxchg16b` and `cmpxchg8b`: two words at once, with d:a and c:b.
    fn exchange_pair(&mut self, processor: &mut Processor, locked: bool, wide: bool, arguments: &[&str]) -> Known<()> {
        let ([to], true) = (arguments, locked) else { return Err(Unknown) };
        let Argument::Memory(place) = self.argument(processor, to)? else { return Err(Unknown) };
        let size = if wide { 8 } else { 4 };
        let word = self.word(size);
        let pointer = self.types.pointer(word);
        let address = self.address_of(place);
        let address = self.convert(address, pointer);
        let address = self.in_temp(address);
        let index = self.literal(1, 4);
        let second = self.pointer_add(address.clone(), index, false)?;
        let mut halves = Vec::new();
        for (address, expected, new) in [(address, 'a', 'b'), (second, 'd', 'c')] {
            let registers = (processor.registers.get(&expected).cloned(), processor.registers.get(&new).cloned());
            let (Some(expected), Some(new)) = registers else { return Err(Unknown) };
            // A pointer stays one on its way through the register.
            let ty = if self.types.pointee(new.ty).is_some() { new.ty } else { word };
            let pointer = self.types.pointer(ty);
            let address = self.convert(address, pointer);
            let place = self.deref_value(address)?;
            let place = self.stabilize(place);
            halves.push((Argument::Memory(place), Argument::Register(expected), Argument::Register(new)));
        }
        self.emit_atomic(true)?;
        let mut equal: Option<Expr> = None;
        let mut found = Vec::new();
        for (memory, expected, _) in &halves {
            let (old, expected) = (self.read(memory, size, true)?, self.read(expected, size, true)?);
            let same = self.same(old.clone(), expected, size)?;
            equal = Some(match equal {
                Some(equal) => {
                    let both = self.binary(ast::BinaryOp::BitAnd, equal, same)?;
                    self.in_temp(both)
                }
                None => same,
            });
            found.push(old);
        }
        let ((), then) = self.in_block(|lowerer| {
            halves.iter().try_for_each(|(memory, _, new)| {
                let value = lowerer.read(new, size, true).map_err(refused)?;
                lowerer.write(memory, value, true).map_err(refused)
            })
        })?;
        let ((), otherwise) = self.in_block(|lowerer| {
            let mut pairs = halves.iter().zip(found);
            pairs.try_for_each(|((_, expected, _), old)| lowerer.write(expected, old, true).map_err(refused))
        })?;
        let equal = equal.ok_or(Unknown)?;
        self.emit(StmtKind::If { condition: equal.clone(), then, otherwise });
        self.emit_atomic(false)?;
        (processor.zero, processor.sign, processor.carry) = (Some(equal), None, None);
        Ok(())
    }

    // ---- flags ----

    fn result(&mut self, processor: &mut Processor, value: Expr, size: u64) -> Known<()> {
        let number = self.number(value, size);
        let zero = self.literal(0, size);
        let is_zero = self.binary(ast::BinaryOp::Eq, number.clone(), zero)?;
        let signed = self.types.int(signed_kind(size));
        let number = self.convert(number, signed);
        let zero = Expr::int(0, signed);
        let is_negative = self.binary(ast::BinaryOp::Lt, number, zero)?;
        processor.zero = Some(self.in_temp(is_zero));
        processor.sign = Some(self.in_temp(is_negative));
        processor.carry = None;
        Ok(())
    }

    fn flag(&mut self, processor: &Processor, condition: &str) -> Known<Expr> {
        let (flag, negated) = match condition {
            "z" | "e" => (&processor.zero, false),
            "nz" | "ne" => (&processor.zero, true),
            "c" | "b" => (&processor.carry, false),
            "nc" | "ae" | "nb" => (&processor.carry, true),
            "s" => (&processor.sign, false),
            "ns" => (&processor.sign, true),
            _ => return Err(Unknown),
        };
        let flag = flag.clone().ok_or(Unknown)?;
        Ok(if negated { self.negate(flag) } else { flag })
    }

    // ---- values ----

    fn word(&mut self, size: u64) -> TypeId {
        self.types.int(signed_kind(size).to_unsigned())
    }

    fn literal(&mut self, value: i128, size: u64) -> Expr {
        let ty = self.word(size);
        Expr::int(crate::il::arithmetic::wrap(&self.types, value, ty), ty)
    }

    /// As a number without sign.
    fn number(&mut self, value: Expr, size: u64) -> Expr {
        let ty = self.word(size);
        self.convert(value, ty)
    }

    fn compute(&mut self, op: ast::BinaryOp, a: Expr, b: Expr, size: u64) -> Known<Expr> {
        let (a, b) = (self.number(a, size), self.number(b, size));
        let value = self.binary(op, a, b)?;
        let value = self.number(value, size);
        Ok(self.in_temp(value))
    }

    fn same(&mut self, a: Expr, b: Expr, size: u64) -> Known<Expr> {
        let (a, b) = match a.ty == b.ty {
            true => (a, b),
            false => (self.number(a, size), self.number(b, size)),
        };
        let same = self.binary(ast::BinaryOp::Eq, a, b)?;
        Ok(self.in_temp(same))
    }

    fn read(&mut self, argument: &Argument, size: u64, locked: bool) -> Known<Expr> {
        Ok(match argument {
            Argument::Number(value) => self.literal(*value, size),
            Argument::Register(place) if self.types.size(place.ty) == size => {
                let value = Expr::load(place.clone());
                self.in_temp(value)
            }
            // A part of a register.
            Argument::Register(place) => {
                let value = self.number(Expr::load(place.clone()), size);
                self.in_temp(value)
            }
            Argument::Memory(place) => {
                let order = if locked { Order::SeqCst } else { Order::Acquire };
                self.in_temp(Expr::load(Place { access: AccessKind::Atomic(order), ..place.clone() }))
            }
        })
    }

    fn write(&mut self, argument: &Argument, value: Expr, locked: bool) -> Known<()> {
        match argument {
            Argument::Number(_) => return Err(Unknown),
            Argument::Register(place) => {
                // Less than 4 bytes leave the rest of the register as it was.
                let size = self.types.size(value.ty);
                if size < 4 && size < self.types.size(place.ty) {
                    return Err(Unknown);
                }
                // 4 bytes clear the upper half.
                let value = if size < self.types.size(place.ty) { self.number(value, size) } else { value };
                let value = self.convert(value, place.ty);
                self.assign(place.clone(), value);
            }
            Argument::Memory(place) => {
                let value = self.convert(value, place.ty);
                let order = if locked { Order::SeqCst } else { Order::Release };
                let place = Place { access: AccessKind::Atomic(order), ..place.clone() };
                if locked {
                    self.assign(place, value);
                } else {
                    self.emit_atomic(true)?;
                    self.assign(place, value);
                    self.emit_atomic(false)?;
                }
            }
        }
        Ok(())
    }

    fn size(&self, argument: &Argument) -> Option<u64> {
        match argument {
            Argument::Memory(place) | Argument::Register(place) => Some(self.types.size(place.ty)),
            Argument::Number(_) => None,
        }
    }

    /// Memory is accessed with the size of the instruction.
    fn resized(&mut self, argument: Argument, size: u64) -> Known<Argument> {
        match argument {
            Argument::Memory(place) if self.types.size(place.ty) != size || !self.types.is_scalar(place.ty) => {
                let word = self.word(size);
                let pointer = self.types.pointer(word);
                let address = self.address_of(place);
                let address = self.convert(address, pointer);
                let place = self.deref_value(address)?;
                Ok(Argument::Memory(self.stabilize(place)))
            }
            // Writing a part of a register would keep the rest.
            Argument::Register(place) if self.types.size(place.ty) < size => Err(Unknown),
            other => Ok(other),
        }
    }

    /// What a pointer is exchanged with is a pointer too, even if the program calls it a number: nobody could tell where a
    /// number points.
    fn as_pointers(&mut self, list: Vec<Argument>, accumulator: Option<Place>, size: u64) -> Known<Vec<Argument>> {
        let registers = list.iter().filter_map(|argument| match argument {
            Argument::Register(place) => Some(place.ty),
            Argument::Memory(_) | Argument::Number(_) => None,
        });
        let mut types = registers.chain(accumulator.map(|place| place.ty));
        let pointer = types.find(|ty| self.types.pointee(*ty).is_some() && self.types.size(*ty) == size);
        let Some(pointer) = pointer else { return Ok(list) };
        let mut retyped = Vec::new();
        for argument in list {
            retyped.push(match argument {
                Argument::Memory(place) if self.types.pointee(place.ty).is_none() => {
                    let to = self.types.pointer(pointer);
                    let address = self.address_of(place);
                    let address = self.convert(address, to);
                    let place = self.deref_value(address)?;
                    Argument::Memory(self.stabilize(place))
                }
                other => other,
            });
        }
        Ok(retyped)
    }

    fn argument(&mut self, processor: &mut Processor, text: &str) -> Known<Argument> {
        if let Some(number) = text.strip_prefix('$') {
            return Ok(Argument::Number(literal(number).ok_or(Unknown)?));
        }
        if let Some((displacement, inner)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            let displacement = if displacement.is_empty() { 0 } else { literal(displacement).ok_or(Unknown)? };
            let Argument::Register(base) = self.argument(processor, inner)? else { return Err(Unknown) };
            let byte = self.types.int(IntKind::Char);
            let pointer = self.types.pointer(byte);
            let address = self.convert(Expr::load(base), pointer);
            let offset = self.types.ptrdiff_type();
            let address = self.pointer_add(address, Expr::int(displacement, offset), false)?;
            let address = self.in_temp(address);
            return Ok(Argument::Memory(self.deref_value(address)?));
        }
        if let Some(name) = text.strip_prefix("%%") {
            let (letter, size) = register(name).ok_or(Unknown)?;
            if let Some(known) = processor.registers.get(&letter) {
                return Ok(Argument::Register(known.clone()));
            }
            let ty = self.word(size);
            let temp = self.new_temp(ty);
            processor.registers.insert(letter, temp.clone());
            return Ok(Argument::Register(temp));
        }
        match operand_of(processor, text).and_then(|index| processor.operands.get(index)).ok_or(Unknown)? {
            Operand::Memory(place) => Ok(Argument::Memory(place.clone())),
            Operand::Register(place) => Ok(Argument::Register(place.clone())),
            Operand::Immediate(number) => Ok(Argument::Number(*number)),
            Operand::Condition(_) => Err(Unknown),
        }
    }

    // ---- what is not understood ----

    /// The outputs hold anything, as the result of a function without a body would.
    fn unknown_assembly(&mut self, asm: &Asm, places: Vec<Place>) -> Result<()> {
        let mut args = Vec::new();
        for input in &asm.inputs {
            let value = match in_memory(&input.constraint) {
                true => {
                    let place = self.place(&input.expr)?;
                    self.address_of(place)
                }
                false => self.expr(&input.expr)?,
            };
            args.push(self.promote_argument(value));
        }
        let void = self.types.void();
        let results = if places.is_empty() { vec![None] } else { places.into_iter().map(Some).collect() };
        for place in results {
            let ty = place.as_ref().map_or(void, |place| self.types.unqualified(place.ty));
            let callee = Callee::Function(self.unknown_code(ty));
            let to = place.is_some().then(|| self.new_temp(ty));
            self.emit(StmtKind::Call { to: to.clone(), callee, args: args.clone() });
            if let (Some(place), Some(to)) = (place, to) {
                self.store(place, Expr::load(to))?;
            }
        }
        Ok(())
    }

    fn unknown_code(&mut self, result: TypeId) -> FunctionId {
        let ty = FunctionType { result, params: Vec::new(), variadic: true, prototyped: true };
        let ty = self.types.intern(Type::Function(ty));
        let name = self.free_name("assembly", true);
        let id = FunctionId(self.functions.len() as u32);
        let span = self.span;
        self.functions.push(Function { span, ..Function::without_body(name, FunctionKind::External, ty) });
        if self.speculative == 0 {
            self.used_functions.insert(id);
        }
        let warning = Diagnostic::warning(span, "this assembly is taken to give any value and do nothing else")
            .note("nothing is proved with it; write it in C, or say --externals pure");
        self.warn_once(&format!("assembly {}", span.start), warning);
        id
    }
}

/// The number of the operand that a text like `%0`, `%b1` or `%[name]` stands for.
fn operand_of(processor: &Processor, text: &str) -> Option<usize> {
    let name = text.strip_prefix('%')?;
    // A letter before the number says how it is printed.
    let name = name.strip_prefix(['b', 'w', 'k', 'q', 'c', 'P']).unwrap_or(name);
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => processor.names.iter().position(|known| known.as_deref() == Some(name)),
        None => name.parse().ok(),
    }
}

/// The compiler may put an output into the register of an input, or of the address of one, unless it is marked by `&`: it
/// takes all inputs to be read before the first output is written. Is one read after that?
fn shares_registers(asm: &Asm, processor: &Processor, list: &[Instruction]) -> bool {
    let fixed = |index: usize| {
        let operand = asm.outputs.iter().chain(&asm.inputs).nth(index);
        operand.is_some_and(|operand| !operand.constraint.contains(['r', 'q', 'Q', 'R']))
    };
    let is_output = |operand: &Operand| {
        let outputs = &processor.operands[..asm.outputs.len()];
        matches!(operand, Operand::Register(place) if outputs.iter().any(|output| matches!(output, Operand::Register(known) if known == place)))
    };
    let mut written: Vec<usize> = Vec::new();
    for Instruction { name, arguments, .. } in list {
        let operands: Vec<Option<usize>> = arguments
            .iter()
            .map(|text| {
                let inner =
                    text.strip_suffix(')').and_then(|text| text.split_once('(')).map_or(*text, |(_, inner)| inner);
                operand_of(processor, inner)
            })
            .collect();
        for index in operands.iter().flatten() {
            let reads = match processor.operands.get(*index) {
                Some(Operand::Memory(place)) => matches!(place.base, Base::Deref(_)),
                Some(operand @ Operand::Register(_)) => !is_output(operand),
                Some(Operand::Immediate(_) | Operand::Condition(_)) | None => false,
            };
            if reads && written.iter().any(|output| !(fixed(*output) && fixed(*index))) {
                return true;
            }
        }
        // Of two operands the first is a source, unless both are exchanged; cmpxchg writes its accumulator.
        let both = name.starts_with("xchg") || name.starts_with("xadd");
        let targets = if both { &operands[..] } else { operands.last().map_or(&[][..], std::slice::from_ref) };
        let accumulator =
            |output: &ast::AsmOperand| name.starts_with("cmpxchg") && output.constraint.contains(['a', 'd']);
        let outputs = asm.outputs.iter().enumerate();
        written.extend(
            outputs
                .filter(|(index, output)| targets.contains(&Some(*index)) || accumulator(output))
                .filter(|(index, output)| {
                    !output.constraint.contains('&') && matches!(processor.operands[*index], Operand::Register(_))
                })
                .map(|(index, _)| index),
        );
    }
    false
}

fn refused(_: Unknown) -> Diagnostic {
    Diagnostic::plain("not understood")
}

/// Letters of constraints that a number fits.
const IMMEDIATE: [char; 9] = ['i', 'n', 'I', 'J', 'K', 'M', 'N', 'e', 'Z'];

/// Must the operand be in memory?
fn in_memory(letters: &str) -> bool {
    !letters.starts_with('[')
        && letters.contains(['m', 'o', 'V'])
        && !letters.contains(['r', 'q', 'Q', 'a', 'b', 'c', 'd', 'S', 'D', 'i', 'n'])
}

/// The instructions of a template. A prefix may stand by itself, before the instruction that it belongs to.
fn instructions(template: &str) -> Known<Vec<Instruction<'_>>> {
    let (mut list, mut locked) = (Vec::new(), false);
    // From `#` on a line is a comment.
    let lines = template.lines().map(|line| line.split_once('#').map_or(line, |(code, _)| code));
    for part in lines.flat_map(|line| line.split(';')) {
        let mut words = part.trim();
        loop {
            let (word, after) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            match word {
                "lock" => locked = true,
                "rep" => {}
                _ => break,
            }
            words = after.trim_start();
        }
        let (name, arguments) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        // Labels and directives.
        if name.ends_with(':') || name.starts_with('.') {
            return Err(Unknown);
        }
        if !name.is_empty() {
            let arguments = arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()).collect();
            list.push(Instruction { locked: std::mem::take(&mut locked), name, arguments });
        }
    }
    Ok(list)
}

/// The operation that a name stands for, and the size of what it works on if its last letter tells.
fn operation(name: &str) -> Option<(&'static str, Option<u64>)> {
    const OPERATIONS: &[&str] = &[
        "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "cmp", "test", "inc", "dec", "neg", "not",
        "bts", "btr", "btc", "bt",
    ];
    let find = |name: &str| OPERATIONS.iter().copied().find(|known| *known == name);
    if let Some(known) = find(name) {
        return Some((known, None));
    }
    let size = match name.chars().last()? {
        'b' => 1,
        'w' => 2,
        'l' => 4,
        'q' => 8,
        _ => return None,
    };
    Some((find(&name[..name.len() - 1])?, Some(size)))
}

/// A register by its name: its letter, and how much of it is meant.
fn register(name: &str) -> Option<(char, u64)> {
    Some(match name {
        "rax" => ('a', 8),
        "rbx" => ('b', 8),
        "rcx" => ('c', 8),
        "rdx" => ('d', 8),
        "eax" => ('a', 4),
        "ebx" => ('b', 4),
        "ecx" => ('c', 4),
        "edx" => ('d', 4),
        "al" => ('a', 1),
        _ => return None,
    })
}

fn literal(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn signed_kind(size: u64) -> IntKind {
    match size {
        1 => IntKind::SChar,
        2 => IntKind::Short,
        4 => IntKind::Int,
        _ => IntKind::LongLong,
    }
}
