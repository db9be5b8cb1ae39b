//! Values of C types as literals: exactly as many bits as the type has, the lowest first.

use crate::il::{BinaryOp, IntKind, TypeId, Types, UnaryOp};
use crate::solve::formula::bits::{self, Bits};
use crate::solve::formula::gates::{FALSE, Gates, Lit, TRUE};

pub type Word = Vec<Lit>;

pub fn constant(value: i128, width: usize) -> Word {
    (0..width).map(|index| if value >> index.min(127) & 1 == 1 { TRUE } else { FALSE }).collect()
}

/// The number that a word without unknown bits holds, as an unsigned one.
pub fn known(word: &[Lit]) -> Option<u128> {
    let fixed = word.len() <= 128 && word.iter().all(|lit| lit.abs() == TRUE);
    fixed.then(|| word.iter().enumerate().map(|(index, lit)| u128::from(*lit == TRUE) << index).sum())
}

pub fn fresh(gates: &mut Gates, width: usize) -> Word {
    (0..width).map(|_| gates.fresh()).collect()
}

/// As a number of the other representation, which repeats its last bit without end.
pub fn number(word: &[Lit], signed: bool) -> Bits {
    let mut bits = word.to_vec();
    if !signed {
        bits.push(FALSE);
    }
    bits
}

pub fn cut(bits: &[Lit], width: usize) -> Word {
    (0..width).map(|index| bits::bit(bits, index)).collect()
}

pub fn truth(gates: &mut Gates, word: &[Lit]) -> Lit {
    word.iter().fold(FALSE, |any, lit| gates.or(any, *lit))
}

pub fn from_truth(lit: Lit, width: usize) -> Word {
    (0..width).map(|index| if index == 0 { lit } else { FALSE }).collect()
}

pub fn choose(gates: &mut Gates, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(a, b)| gates.choose(condition, *a, *b)).collect()
}

pub fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    bits::equal(gates, &number(a, false), &number(b, false))
}

pub fn width(types: &Types, ty: TypeId) -> usize {
    types.size(ty) as usize * 8
}

pub fn signed(types: &Types, ty: TypeId) -> bool {
    types.int_kind(ty).is_some_and(IntKind::signed)
}

/// Conversion between integers and pointers (C11 6.3.1.3).
pub fn convert(gates: &mut Gates, types: &Types, word: &[Lit], from: TypeId, to: TypeId) -> Word {
    if types.int_kind(to) == Some(IntKind::Bool) {
        let truth = truth(gates, word);
        return from_truth(truth, width(types, to));
    }
    cut(&number(word, signed(types, from)), width(types, to))
}

pub fn unary(gates: &mut Gates, types: &Types, op: UnaryOp, word: &[Lit], to: TypeId) -> Word {
    let width = width(types, to);
    match op {
        UnaryOp::Minus => bits::sub(gates, &constant(0, width), word, width),
        UnaryOp::Complement => bits::negated(word),
        UnaryOp::Not => {
            let truth = truth(gates, word);
            from_truth(-truth, width)
        }
    }
}

/// `of`: the types of the two operands and of the result.
pub fn binary(
    gates: &mut Gates,
    types: &Types,
    op: BinaryOp,
    (a, b): (&[Lit], &[Lit]),
    (left, right, to): (TypeId, TypeId, TypeId),
) -> Word {
    let width = width(types, to);
    let (x, y) = (number(a, signed(types, left)), number(b, signed(types, right)));
    let element = types.pointee(left).map_or(1, |to| types.size(to));
    match op {
        BinaryOp::Add => bits::add(gates, &x, &y, width),
        BinaryOp::Sub => bits::sub(gates, &x, &y, width),
        BinaryOp::Mul => bits::mul(gates, &x, &y, width),
        BinaryOp::Div => cut(&bits::divide(gates, &x, &y).0, width),
        BinaryOp::Rem => cut(&bits::divide(gates, &x, &y).1, width),
        BinaryOp::Shl => bits::shl(gates, &x, &count(a, b), width),
        BinaryOp::Shr => cut(&bits::shr(gates, &x, &count(a, b)), width),
        BinaryOp::BitAnd => cut(&bits::bitwise(gates, &x, &y, Gates::and), width),
        BinaryOp::BitOr => cut(&bits::bitwise(gates, &x, &y, Gates::or), width),
        BinaryOp::BitXor => cut(&bits::bitwise(gates, &x, &y, Gates::xor), width),
        BinaryOp::Lt => from_truth(bits::less(gates, &x, &y), width),
        BinaryOp::Gt => from_truth(bits::less(gates, &y, &x), width),
        BinaryOp::Le => from_truth(-bits::less(gates, &y, &x), width),
        BinaryOp::Ge => from_truth(-bits::less(gates, &x, &y), width),
        BinaryOp::Eq => from_truth(bits::equal(gates, &x, &y), width),
        BinaryOp::Ne => from_truth(-bits::equal(gates, &x, &y), width),
        BinaryOp::PointerAdd => {
            let moved = bits::mul(gates, &y, &bits::constant(i128::from(element)), width);
            bits::add(gates, &x, &moved, width)
        }
        BinaryOp::PointerSub => {
            let bytes = bits::sub(gates, &x, &y, a.len());
            cut(&bits::divide(gates, &bytes, &bits::constant(i128::from(element.max(1)))).0, width)
        }
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => unreachable!("evaluated one after the other"),
    }
}

/// The number of places of a shift, modulo the width of what is shifted, as processors have it.
fn count(shifted: &[Lit], by: &[Lit]) -> Bits {
    let digits = shifted.len().ilog2() as usize;
    (0..=digits).map(|index| if index == digits { FALSE } else { by.get(index).copied().unwrap_or(FALSE) }).collect()
}

/// What C leaves undefined about an operation on integers: as `arithmetic::overflow` has it.
pub fn overflows(
    gates: &mut Gates,
    types: &Types,
    op: BinaryOp,
    (a, b): (&[Lit], &[Lit]),
    (left, right, to): (TypeId, TypeId, TypeId),
) -> Lit {
    let width = width(types, to);
    if types.int_kind(to).is_none() {
        return FALSE;
    }
    let is_signed = signed(types, to);
    let (x, y) = (number(a, signed(types, left)), number(b, signed(types, right)));
    let exact = match op {
        BinaryOp::Add if is_signed => bits::add(gates, &x, &y, width + 1),
        BinaryOp::Sub if is_signed => bits::sub(gates, &x, &y, width + 1),
        BinaryOp::Mul if is_signed => bits::mul(gates, &x, &y, 2 * width),
        BinaryOp::Shl | BinaryOp::Shr => {
            let zero = bits::constant(0);
            let negative = bits::less(gates, &y, &zero);
            let few = bits::less(gates, &y, &bits::constant(width as i128));
            let mut bad = gates.or(negative, -few);
            if op == BinaryOp::Shl && is_signed {
                let below = bits::less(gates, &x, &zero);
                bad = gates.or(bad, below);
                let exact = bits::shl(gates, &x, &count(a, b), 2 * width);
                let lost = does_not_fit(gates, &exact, width);
                bad = gates.or(bad, lost);
            }
            return bad;
        }
        _ => return FALSE,
    };
    does_not_fit(gates, &exact, width)
}

/// Is an exact result outside of a signed type of this width?
fn does_not_fit(gates: &mut Gates, exact: &[Lit], width: usize) -> Lit {
    let sign = exact[width - 1];
    let mut lost = FALSE;
    for lit in &exact[width..] {
        let differs = gates.xor(sign, *lit);
        lost = gates.or(lost, differs);
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::il::DataModel;
    use crate::il::arithmetic::{self, Value};

    /// Constants give what the interpreter computes, for every operation, type and a number of values.
    #[test]
    fn as_the_interpreter_computes() {
        let mut types = Types::new(DataModel::Lp64);
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong];
        let ids: Vec<TypeId> = kinds.iter().map(|kind| types.int(*kind)).collect();
        let int = types.int(IntKind::Int);
        let values: [i128; 14] =
            [0, 1, 2, 3, 7, 31, 32, 33, -1, -2, -7, i32::MAX as i128, i32::MIN as i128, i64::MIN as i128];
        use BinaryOp::*;
        let mut gates = Gates::new();
        for ty in ids {
            for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
                let (a, b) = (arithmetic::wrap(&types, a, ty), arithmetic::wrap(&types, b, ty));
                let w = width(&types, ty);
                let (x, y) = (constant(a, w), constant(b, w));
                for op in [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Lt, Le, Gt, Ge, Eq, Ne] {
                    let compares = matches!(op, Lt | Le | Gt | Ge | Eq | Ne);
                    let to = if compares { int } else { ty };
                    let right = arithmetic::binary(&types, op, Value::Int(a), Value::Int(b), ty, to, 1);
                    let bad = overflows(&mut gates, &types, op, (&x, &y), (ty, ty, to));
                    if !compares && !matches!(op, Div | Rem) {
                        let over = arithmetic::overflow(&types, op, Value::Int(a), Value::Int(b), to).is_some();
                        assert_eq!(bad == TRUE, over, "{a} {op:?} {b} overflows");
                    }
                    let Ok(Value::Int(right)) = right else { continue };
                    let ours = binary(&mut gates, &types, op, (&x, &y), (ty, ty, to));
                    let expected = constant(right, width(&types, to));
                    assert_eq!(known(&ours), known(&expected), "{a} {op:?} {b}");
                }
            }
        }
    }
}
