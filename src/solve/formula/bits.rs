//! Numbers as literals: two's complement, the lowest bit first, the last bit repeated without end.

use super::gates::{FALSE, Gates, Lit, TRUE};
use super::range::{Range, width};

pub type Bits = Vec<Lit>;

pub fn constant(value: i128) -> Bits {
    (0..width(value, value)).map(|index| if value >> index & 1 == 1 { TRUE } else { FALSE }).collect()
}

pub fn bit(bits: &[Lit], index: usize) -> Lit {
    bits[index.min(bits.len() - 1)]
}

/// The first bits, as many as asked for.
fn extended(bits: &[Lit], count: usize) -> Bits {
    (0..count).map(|index| bit(bits, index)).collect()
}

/// Without repetitions of the last bit.
pub fn trimmed(mut bits: Bits) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}

/// The low bits of a result, put into the shape that its range allows.
pub fn shaped(mut bits: Bits, kind_bits: usize, range: &Range) -> Bits {
    let wanted = width(range.low(), range.high());
    bits = extended(&bits, wanted.min(kind_bits));
    if range.low() >= 0 {
        bits.truncate(wanted - 1);
        bits.push(FALSE);
    } else if range.high() < 0 {
        bits.truncate(wanted - 1);
        bits.push(TRUE);
    }
    // Bits that are the same in all values.
    match range {
        Range::Set(values) => {
            for (index, lit) in bits.iter_mut().enumerate() {
                let first = values[0] >> index & 1;
                if values.iter().all(|value| value >> index & 1 == first) {
                    *lit = if first == 1 { TRUE } else { FALSE };
                }
            }
        }
        Range::Span { low, step, .. } => {
            let fixed = step.trailing_zeros() as usize;
            for (index, lit) in bits.iter_mut().enumerate().take(fixed) {
                *lit = if low >> index & 1 == 1 { TRUE } else { FALSE };
            }
        }
    }
    trimmed(bits)
}

/// A new number of the range. Bits that always go together are one literal.
pub fn fresh(gates: &mut Gates, range: &Range) -> Bits {
    let count = width(range.low(), range.high());
    match range {
        Range::Set(values) if values.is_empty() => vec![FALSE],
        Range::Set(values) => {
            let column = |index: usize| values.iter().map(|value| value >> index & 1 == 1).collect::<Vec<bool>>();
            let mut known: Vec<(Vec<bool>, Lit)> =
                vec![(vec![true; values.len()], TRUE), (vec![false; values.len()], FALSE)];
            let bits = (0..count).map(|index| {
                let column = column(index);
                match known.iter().find(|(other, _)| *other == column) {
                    Some((_, lit)) => *lit,
                    None => {
                        let lit = gates.fresh();
                        let opposite = column.iter().map(|bit| !bit).collect();
                        known.push((column, lit));
                        known.push((opposite, -lit));
                        lit
                    }
                }
            });
            trimmed(bits.collect())
        }
        Range::Span { .. } => {
            let bits = (0..count).map(|_| gates.fresh()).collect();
            shaped(bits, count, range)
        }
    }
}

pub fn choose(gates: &mut Gates, condition: Lit, a: &[Lit], b: &[Lit]) -> Bits {
    let count = a.len().max(b.len());
    trimmed((0..count).map(|index| gates.choose(condition, bit(a, index), bit(b, index))).collect())
}

pub fn bitwise(gates: &mut Gates, a: &[Lit], b: &[Lit], op: fn(&mut Gates, Lit, Lit) -> Lit) -> Bits {
    let count = a.len().max(b.len());
    (0..count).map(|index| op(gates, bit(a, index), bit(b, index))).collect()
}

/// The low bits of the sum.
fn sum(gates: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit, count: usize) -> Bits {
    let mut out = Vec::with_capacity(count);
    for index in 0..count {
        let (x, y) = (bit(a, index), bit(b, index));
        let either = gates.xor(x, y);
        out.push(gates.xor(either, carry));
        if index + 1 < count {
            carry = gates.choose(either, carry, x);
        }
    }
    out
}

pub fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], count: usize) -> Bits {
    sum(gates, a, b, FALSE, count)
}

pub fn negated(bits: &[Lit]) -> Bits {
    bits.iter().map(|lit| -lit).collect()
}

pub fn sub(gates: &mut Gates, a: &[Lit], b: &[Lit], count: usize) -> Bits {
    sum(gates, a, &negated(b), TRUE, count)
}

pub fn mul(gates: &mut Gates, a: &[Lit], b: &[Lit], count: usize) -> Bits {
    let literals = |bits: &[Lit]| bits.iter().filter(|lit| lit.abs() != TRUE).count();
    let (a, b) = if literals(b) > literals(a) { (b, a) } else { (a, b) };
    let mut out = vec![FALSE; count];
    for (index, lit) in b.iter().enumerate().take(count) {
        let last = index + 1 == b.len();
        if *lit == FALSE {
            continue;
        }
        let mut part = vec![FALSE; index];
        part.extend((0..count - index).map(|at| gates.and(*lit, bit(a, at))));
        // The last bit counts negatively.
        out = if last { sub(gates, &out, &part, count) } else { add(gates, &out, &part, count) };
    }
    out
}

pub fn less(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let count = a.len().max(b.len());
    let mut less = FALSE;
    for index in 0..count {
        let (x, y) = (bit(a, index), bit(b, index));
        let differ = gates.xor(x, y);
        // At the sign, one means smaller.
        let here = if index + 1 == count { x } else { y };
        less = gates.choose(differ, here, less);
    }
    less
}

pub fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let count = a.len().max(b.len());
    let mut equal = TRUE;
    for index in 0..count {
        let differ = gates.xor(bit(a, index), bit(b, index));
        equal = gates.and(equal, -differ);
    }
    equal
}

/// `a << b` for a number `b` that is not negative; the low bits.
pub fn shl(gates: &mut Gates, a: &[Lit], b: &[Lit], count: usize) -> Bits {
    let mut out = extended(a, count);
    for (index, lit) in b.iter().enumerate().take(b.len() - 1) {
        let by = 1usize.checked_shl(index as u32).unwrap_or(usize::MAX);
        let moved: Bits = (0..count).map(|at| if at >= by { out[at - by] } else { FALSE }).collect();
        out = (0..count).map(|at| gates.choose(*lit, moved[at], out[at])).collect();
    }
    out
}

pub fn shr(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Bits {
    let mut out = a.to_vec();
    for (index, lit) in b.iter().enumerate().take(b.len() - 1) {
        let by = 1usize.checked_shl(index as u32).unwrap_or(usize::MAX);
        let moved: Bits = (0..out.len()).map(|at| bit(&out, at.saturating_add(by))).collect();
        out = (0..out.len()).map(|at| gates.choose(*lit, moved[at], out[at])).collect();
    }
    out
}

/// The absolute value, as a number that is not negative.
fn magnitude(gates: &mut Gates, a: &[Lit]) -> Bits {
    let sign = a[a.len() - 1];
    if sign == FALSE {
        return a.to_vec();
    }
    let negative = sub(gates, &[FALSE], a, a.len());
    let mut out = choose(gates, sign, &negative, a);
    out = extended(&out, a.len());
    out.push(FALSE);
    out
}

/// Quotient and remainder, truncating towards zero.
pub fn divide(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (x, y) = (magnitude(gates, a), magnitude(gates, b));
    let mut quotient = vec![FALSE; x.len()];
    let mut rest: Bits = vec![FALSE];
    let count = y.len() + 1;
    for index in (0..x.len()).rev() {
        rest.insert(0, x[index]);
        rest = extended(&rest, count.min(rest.len()));
        let smaller = less(gates, &rest, &y);
        quotient[index] = -smaller;
        let difference = sub(gates, &rest, &y, count);
        rest = choose(gates, smaller, &rest, &difference);
    }
    quotient.push(FALSE);
    let sign = gates.xor(sign_a, sign_b);
    let negative = sub(gates, &[FALSE], &quotient, quotient.len() + 1);
    let quotient = choose(gates, sign, &negative, &quotient);
    let negative = sub(gates, &[FALSE], &rest, rest.len() + 1);
    let rest = choose(gates, sign_a, &negative, &rest);
    (quotient, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bits: &[Lit]) -> i128 {
        let all = bits.iter().enumerate().map(|(index, lit)| {
            assert_eq!(lit.abs(), TRUE, "constants give constants");
            i128::from(*lit == TRUE) << index
        });
        let count = bits.len();
        let sum: i128 = all.sum();
        (sum << (128 - count)) >> (128 - count)
    }

    /// With constants, every operation computes.
    #[test]
    fn arithmetic_on_constants() {
        let mut gates = Gates::new();
        let g = &mut gates;
        for a in -37i128..37 {
            for b in -19i128..19 {
                let (x, y) = (constant(a), constant(b));
                assert_eq!(value(&x), a);
                assert_eq!(value(&add(g, &x, &y, 12)), a + b);
                assert_eq!(value(&sub(g, &x, &y, 12)), a - b);
                assert_eq!(value(&mul(g, &x, &y, 14)), a * b, "{a} * {b}");
                assert_eq!(less(g, &x, &y) == TRUE, a < b);
                assert_eq!(equal(g, &x, &y) == TRUE, a == b);
                assert_eq!(value(&bitwise(g, &x, &y, Gates::and)), a & b);
                if b != 0 {
                    let (quotient, rest) = divide(g, &x, &y);
                    assert_eq!((value(&quotient), value(&rest)), (a / b, a % b), "{a} / {b}");
                }
                if b >= 0 {
                    assert_eq!(value(&shl(g, &x, &y, 40)), a << b);
                    assert_eq!(value(&shr(g, &x, &y)), a >> b);
                }
            }
        }
    }
}
