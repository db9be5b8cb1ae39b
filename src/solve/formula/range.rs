//! What values a term can have: a few listed ones, or an interval with a stride. Always a superset of the truth.

use crate::il::types::wrap_bits;

/// An integer type: its values are mathematical integers in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    pub bits: u32,
    pub signed: bool,
}

impl Kind {
    pub const BOOL: Kind = Kind { bits: 1, signed: false };

    pub fn unsigned(bits: u32) -> Kind {
        Kind { bits, signed: false }
    }

    pub fn min(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub fn max(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    pub fn wrap(self, value: i128) -> i128 {
        wrap_bits(value, self.bits, self.signed)
    }

    pub fn range(self) -> Range {
        if self.bits == 1 && !self.signed {
            return Range::Set(vec![0, 1]);
        }
        Range::Span { low: self.min(), high: self.max(), step: 1 }
    }
}

/// More values than this are kept as an interval.
const MAX_SET: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// In ascending order; an empty one belongs to what never happens.
    Set(Vec<i128>),
    /// `low`, `low + step`, ..., `high`
    Span { low: i128, high: i128, step: i128 },
}

impl Range {
    pub fn empty() -> Range {
        Range::Set(Vec::new())
    }

    pub fn constant(value: i128) -> Range {
        Range::Set(vec![value])
    }

    fn listed(mut values: Vec<i128>) -> Range {
        values.sort_unstable();
        values.dedup();
        if values.len() <= MAX_SET {
            return Range::Set(values);
        }
        let (low, high) = (values[0], values[values.len() - 1]);
        let step = values.iter().fold(0, |step, value| gcd(step, value - low));
        Range::Span { low, high, step }
    }

    fn span(low: i128, high: i128, step: i128) -> Range {
        let step = step.max(1);
        let high = low + (high - low) / step * step;
        if (high - low) / step < MAX_SET as i128 {
            return Range::Set((0..=(high - low) / step).map(|index| low + index * step).collect());
        }
        Range::Span { low, high, step }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Range::Set(values) if values.is_empty())
    }

    pub fn low(&self) -> i128 {
        match self {
            Range::Set(values) => values.first().copied().unwrap_or(0),
            Range::Span { low, .. } => *low,
        }
    }

    pub fn high(&self) -> i128 {
        match self {
            Range::Set(values) => values.last().copied().unwrap_or(0),
            Range::Span { high, .. } => *high,
        }
    }

    /// The distance that all values have from the lowest is a multiple of this; 0 for a single value.
    pub fn step(&self) -> i128 {
        match self {
            Range::Set(values) => values.iter().fold(0, |step, value| gcd(step, value - values[0])),
            Range::Span { step, .. } => *step,
        }
    }

    pub fn single(&self) -> Option<i128> {
        match self {
            Range::Set(values) if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    pub fn contains(&self, value: i128) -> bool {
        match self {
            Range::Set(values) => values.binary_search(&value).is_ok(),
            Range::Span { low, high, step } => *low <= value && value <= *high && (value - low) % step == 0,
        }
    }

    pub fn within(&self, kind: Kind) -> bool {
        self.low() >= kind.min() && self.high() <= kind.max()
    }

    pub fn is_bool(&self) -> bool {
        self.low() >= 0 && self.high() <= 1
    }

    pub fn join(&self, other: &Range) -> Range {
        if self.is_empty() || self == other {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        match (self, other) {
            (Range::Set(a), Range::Set(b)) => Range::listed(a.iter().chain(b).copied().collect()),
            _ => {
                let (low, high) = (self.low().min(other.low()), self.high().max(other.high()));
                let step = gcd(gcd(self.step(), other.step()), self.low() - other.low());
                Range::span(low, high, step)
            }
        }
    }

    /// The values that lie between two others.
    pub fn between(&self, least: i128, most: i128) -> Range {
        match self {
            Range::Set(values) => {
                Range::Set(values.iter().copied().filter(|value| (least..=most).contains(value)).collect())
            }
            Range::Span { low, high, step } => {
                let first = if least > *low { low + (least - low + step - 1) / step * step } else { *low };
                let last = (*high).min(most);
                if first > last { Range::empty() } else { Range::span(first, last, *step) }
            }
        }
    }

    pub fn without(&self, other: i128) -> Range {
        match self {
            Range::Set(values) => Range::Set(values.iter().copied().filter(|value| *value != other).collect()),
            Range::Span { low, high, step } if *low == other => Range::span(low + step, *high, *step),
            Range::Span { low, high, step } if *high == other => Range::span(*low, high - step, *step),
            Range::Span { .. } => self.clone(),
        }
    }

    /// Does it have a value between these?
    pub fn meets(&self, low: i128, high: i128) -> bool {
        !self.is_empty() && self.low() <= high && self.high() >= low
    }

    pub fn wrap(&self, kind: Kind) -> Range {
        if self.is_empty() || self.within(kind) {
            return self.clone();
        }
        match self {
            Range::Set(values) => Range::listed(values.iter().map(|value| kind.wrap(*value)).collect()),
            // Alignment survives.
            Range::Span { low, step, .. } => {
                let step = gcd(*step, 1 << kind.bits.min(100));
                let low = kind.min() + (low - kind.min()).rem_euclid(step);
                Range::span(low, kind.max(), step)
            }
        }
    }

    /// Every pair of values, if these are few.
    fn pairwise(&self, other: &Range, op: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
        match (self, other) {
            (Range::Set(a), Range::Set(b)) if a.len() * b.len() <= 4 * MAX_SET => {
                Some(Range::listed(a.iter().flat_map(|x| b.iter().filter_map(|y| op(*x, *y))).collect()))
            }
            _ => None,
        }
    }

    pub fn add(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| Some(a + b)).unwrap_or_else(|| {
            Range::span(self.low() + other.low(), self.high() + other.high(), gcd(self.step(), other.step()))
        })
    }

    pub fn sub(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| Some(a - b)).unwrap_or_else(|| {
            Range::span(self.low() - other.high(), self.high() - other.low(), gcd(self.step(), other.step()))
        })
    }

    pub fn mul(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        let (low, high) = self.corners(other, product);
        let exact = low > -FAR && high < FAR;
        let pairs = if exact { self.pairwise(other, |a, b| Some(a * b)) } else { None };
        pairs.unwrap_or_else(|| {
            let step = match (self.single(), other.single()) {
                (Some(factor), _) => product(factor, other.step()).abs(),
                (_, Some(factor)) => product(factor, self.step()).abs(),
                _ => 1,
            };
            Range::span(low, high, if exact { step } else { 1 })
        })
    }

    fn corners(&self, other: &Range, op: impl Fn(i128, i128) -> i128) -> (i128, i128) {
        let all = [
            op(self.low(), other.low()),
            op(self.low(), other.high()),
            op(self.high(), other.low()),
            op(self.high(), other.high()),
        ];
        (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
    }

    /// Truncating; dividing by zero gives nothing.
    pub fn div(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| (b != 0).then(|| a / b)).unwrap_or_else(|| {
            if other.low() > 0 {
                let (low, high) = self.corners(other, |a, b| a / b);
                return Range::span(low, high, 1);
            }
            let most = self.low().abs().max(self.high().abs());
            Range::span(-most, most, 1)
        })
    }

    pub fn rem(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| (b != 0).then(|| a % b)).unwrap_or_else(|| {
            let most = (other.low().abs().max(other.high().abs()) - 1).max(0);
            let low = if self.low() < 0 { (-most).max(self.low()) } else { 0 };
            let high = if self.high() > 0 { most.min(self.high()) } else { 0 };
            Range::span(low, high, 1)
        })
    }

    /// `left << right`, with a right operand from 0 to 63.
    pub fn shl(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        let (low, high) = self.corners(other, |a, b| product(a, 1 << b));
        let exact = low > -FAR && high < FAR;
        let pairs = if exact { self.pairwise(other, |a, b| Some(a << b)) } else { None };
        pairs.unwrap_or_else(|| {
            let step = other.single().map_or(1, |shift| product(self.step(), 1 << shift));
            Range::span(low, high, if exact { step } else { 1 })
        })
    }

    pub fn shr(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| Some(a >> b)).unwrap_or_else(|| {
            let (low, high) = self.corners(other, |a, b| a >> b);
            Range::span(low, high, 1)
        })
    }

    pub fn bit_and(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| Some(a & b)).unwrap_or_else(|| {
            let high = match (self.low() >= 0, other.low() >= 0) {
                (true, true) => self.high().min(other.high()),
                (true, false) => self.high(),
                (false, true) => other.high(),
                (false, false) => return self.around(other),
            };
            Range::span(0, high, 1)
        })
    }

    /// Or, and exclusive or.
    pub fn bit_or(&self, other: &Range, op: impl Fn(i128, i128) -> i128) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        self.pairwise(other, |a, b| Some(op(a, b))).unwrap_or_else(|| self.around(other))
    }

    /// All numbers with as many bits as these.
    fn around(&self, other: &Range) -> Range {
        let low = self.low().min(other.low());
        let high = self.high().max(other.high());
        let bits = width(low, high) as u32 - 1;
        Range::span(if low < 0 { -(1 << bits) } else { 0 }, (1 << bits) - 1, 1)
    }

    fn truth(can_be_false: bool, can_be_true: bool) -> Range {
        let mut values = Vec::new();
        if can_be_false {
            values.push(0);
        }
        if can_be_true {
            values.push(1);
        }
        Range::Set(values)
    }

    pub fn less(&self, other: &Range, or_equal: bool) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        let extra = i128::from(or_equal);
        Range::truth(self.high() >= other.low() + extra, self.low() < other.high() + extra)
    }

    /// Is it in a set of values in ascending order?
    pub fn one_of(&self, set: &[i128]) -> Range {
        if self.is_empty() {
            return Range::empty();
        }
        let some = set.iter().any(|value| self.contains(*value));
        let all = match self {
            Range::Set(values) => values.iter().all(|value| set.binary_search(value).is_ok()),
            Range::Span { low, high, step } => {
                (high - low) / step < set.len() as i128
                    && (0..=(high - low) / step).all(|index| set.binary_search(&(low + index * step)).is_ok())
            }
        };
        Range::truth(!all, some)
    }

    pub fn equal(&self, other: &Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::empty();
        }
        let can_differ = self.single().is_none() || self.single() != other.single();
        let can_be_equal = match (self, other) {
            (Range::Set(values), _) => values.iter().any(|value| other.contains(*value)),
            (_, Range::Set(values)) => values.iter().any(|value| self.contains(*value)),
            _ => {
                let step = gcd(self.step(), other.step());
                self.low() <= other.high() && other.low() <= self.high() && (self.low() - other.low()) % step == 0
            }
        };
        Range::truth(can_differ, can_be_equal)
    }
}

/// Beyond every value of C; products that reach it are not exact.
const FAR: i128 = 1 << 120;

fn product(a: i128, b: i128) -> i128 {
    a.saturating_mul(b).clamp(-FAR, FAR)
}

pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Bits that hold these numbers in two's complement, with the bit for the sign.
pub fn width(low: i128, high: i128) -> usize {
    let bits = |value: i128| 128 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    bits(low).max(bits(high)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever two values give, the range of the result has it.
    #[test]
    fn operations_lose_no_value() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut range = || match random.u32(0..3) {
                0 => Range::constant(random.i128(-20..20)),
                1 => Range::listed((0..random.usize(1..6)).map(|_| random.i128(-40..40)).collect()),
                _ => {
                    let (low, step) = (random.i128(-60..60), random.i128(1..5));
                    Range::Span { low, high: low + step * random.i128(33..60), step }
                }
            };
            let (a, b) = (range(), range());
            let members = |range: &Range| -> Vec<i128> { (-400..400).filter(|v| range.contains(*v)).collect() };
            let kind = Kind { bits: random.u32(2..9), signed: random.bool() };
            let shift = Range::constant(random.i128(0..5));
            for x in members(&a) {
                assert!(a.join(&b).contains(x), "{a:?} joined with {b:?}");
                let (least, most) = (b.low(), b.high());
                assert!(a.between(least, most).contains(x) == (least <= x && x <= most));
                assert!(x == least || a.without(least).contains(x));
                assert!(a.wrap(kind).contains(kind.wrap(x)), "{a:?} as {kind:?}: {x}");
                assert!(a.shl(&shift).contains(x << shift.low()));
                assert!(a.shr(&shift).contains(x >> shift.low()));
                for y in members(&b) {
                    let all = [
                        (a.add(&b), x + y),
                        (a.sub(&b), x - y),
                        (a.mul(&b), x * y),
                        (a.bit_and(&b), x & y),
                        (a.bit_or(&b, |a, b| a | b), x | y),
                        (a.bit_or(&b, |a, b| a ^ b), x ^ y),
                        (a.less(&b, false), i128::from(x < y)),
                        (a.less(&b, true), i128::from(x <= y)),
                        (a.equal(&b), i128::from(x == y)),
                        (if y == 0 { Range::constant(0) } else { a.div(&b) }, if y == 0 { 0 } else { x / y }),
                        (if y == 0 { Range::constant(0) } else { a.rem(&b) }, if y == 0 { 0 } else { x % y }),
                    ];
                    for (index, (range, value)) in all.iter().enumerate() {
                        assert!(range.contains(*value), "operation {index}: {a:?} and {b:?}: {x}, {y} gives {value}");
                    }
                }
            }
        }
    }
}
