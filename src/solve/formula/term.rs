//! Terms: what a thread computes, as a graph in which equal terms are the same term.

use super::range::{Kind, Range};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// What a term is; `Add` to `BitXor` wrap around in the term's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Constant(i128),
    /// Any value of the kind; the number tells inputs apart.
    Input(u32),
    /// What the shared read with this number found.
    Read(u32),
    Add(TermId, TermId),
    Sub(TermId, TermId),
    Mul(TermId, TermId),
    /// Truncating; of no interest where the divisor is zero.
    Div(TermId, TermId),
    Rem(TermId, TermId),
    Shl(TermId, TermId),
    /// Of the number itself: the sign comes in from the left.
    Shr(TermId, TermId),
    BitAnd(TermId, TermId),
    BitOr(TermId, TermId),
    BitXor(TermId, TermId),
    Less(TermId, TermId),
    Equal(TermId, TermId),
    Not(TermId),
    And(TermId, TermId),
    Or(TermId, TermId),
    Choose(TermId, TermId, TermId),
    /// The same value, where it is known to lie between these.
    Bounded(TermId, i128, i128),
    /// The same value, where it is known not to be this.
    Except(TermId, i128),
    /// Is the value one of the listed set with this number?
    OneOf(TermId, u32),
    /// The same bits as another kind.
    Cast(TermId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    pub op: Op,
    pub kind: Kind,
}

impl Op {
    pub fn operands(&self) -> impl Iterator<Item = TermId> {
        let list = match *self {
            Op::Constant(_) | Op::Input(_) | Op::Read(_) => [None, None, None],
            Op::Not(a) | Op::Cast(a) | Op::OneOf(a, _) | Op::Bounded(a, ..) | Op::Except(a, _) => [Some(a), None, None],
            Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Mul(a, b)
            | Op::Div(a, b)
            | Op::Rem(a, b)
            | Op::Shl(a, b)
            | Op::Shr(a, b)
            | Op::BitAnd(a, b)
            | Op::BitOr(a, b)
            | Op::BitXor(a, b)
            | Op::Less(a, b)
            | Op::Equal(a, b)
            | Op::And(a, b)
            | Op::Or(a, b) => [Some(a), Some(b), None],
            Op::Choose(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        list.into_iter().flatten()
    }
}

#[derive(Default)]
pub struct Terms {
    pub list: Vec<Term>,
    index: FxHashMap<Term, TermId>,
    /// What is known without looking at other threads.
    ranges: Vec<Range>,
    inputs: u32,
    /// Which of their bits depend on a pointer that nobody wrote: see `unwritten_pointer`.
    unwritten: Vec<u64>,
    /// Sets of values, in ascending order.
    sets: Vec<Vec<i128>>,
    set_index: FxHashMap<Vec<i128>, u32>,
}

impl Terms {
    pub fn get(&self, id: TermId) -> Term {
        self.list[id.0 as usize]
    }

    pub fn range(&self, id: TermId) -> &Range {
        &self.ranges[id.0 as usize]
    }

    pub fn as_constant(&self, id: TermId) -> Option<i128> {
        match self.get(id).op {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn make(&mut self, op: Op, kind: Kind) -> TermId {
        let term = Term { op, kind };
        if let Some(id) = self.index.get(&term) {
            return *id;
        }
        let range = transfer(&term, |id| self.range(id), &self.sets, None);
        let unwritten = self.unwritten_bits(op, kind, &|id| self.unwritten[id.0 as usize]);
        // That a pointer nobody wrote is 0 or 1 is our choice: what follows from it only is not known.
        if let (Some(value), 0) = (range.single(), unwritten) {
            return self.constant(value);
        }
        let id = TermId(self.list.len() as u32);
        self.list.push(term);
        self.index.insert(term, id);
        self.ranges.push(range);
        self.unwritten.push(unwritten);
        id
    }

    /// Constants have no kind of their own: equal numbers are equal terms.
    pub fn constant(&mut self, value: i128) -> TermId {
        let term = Term { op: Op::Constant(value), kind: Kind { bits: 127, signed: true } };
        if let Some(id) = self.index.get(&term) {
            return *id;
        }
        let id = TermId(self.list.len() as u32);
        self.list.push(term);
        self.index.insert(term, id);
        self.ranges.push(Range::constant(value));
        self.unwritten.push(0);
        id
    }

    /// The bits of a new term that depend on a pointer that nobody wrote: none if all of its bytes were written since.
    fn unwritten_bits(&self, op: Op, kind: Kind, of: &dyn Fn(TermId) -> u64) -> u64 {
        let constant = |id: TermId| self.as_constant(id).and_then(|value| u64::try_from(value).ok());
        let all = |depends: bool| if depends { u64::MAX } else { 0 };
        let positive = |id: TermId| self.range(id).low() >= 0;
        match op {
            Op::BitAnd(a, b) => match (constant(a), constant(b)) {
                (Some(mask), _) => of(b) & mask,
                (_, Some(mask)) => of(a) & mask,
                (None, None) => of(a) | of(b),
            },
            Op::BitOr(a, b) | Op::BitXor(a, b) => of(a) | of(b),
            Op::Shl(a, b) => match constant(b) {
                Some(count @ 0..64) => of(a) << count,
                _ => all(of(a) | of(b) != 0),
            },
            Op::Shr(a, b) if positive(a) => match constant(b) {
                Some(count @ 0..64) => of(a) >> count,
                _ => all(of(a) | of(b) != 0),
            },
            Op::Cast(a) if positive(a) && !kind.signed && kind.bits < 64 => of(a) & ((1 << kind.bits) - 1),
            Op::Bounded(a, ..) | Op::Except(a, _) => of(a),
            Op::Choose(condition, then, otherwise) => all(of(condition) != 0) | of(then) | of(otherwise),
            Op::Constant(_)
            | Op::Input(_)
            | Op::Read(_)
            | Op::Add(..)
            | Op::Sub(..)
            | Op::Mul(..)
            | Op::Div(..)
            | Op::Rem(..)
            | Op::Shr(..)
            | Op::Less(..)
            | Op::Equal(..)
            | Op::Not(_)
            | Op::And(..)
            | Op::Or(..)
            | Op::OneOf(..)
            | Op::Cast(_) => all(op.operands().any(|operand| of(operand) != 0)),
        }
    }

    /// A term, where a condition is known to be true.
    pub fn where_true(&self, condition: TermId, mut id: TermId) -> TermId {
        while let Op::Choose(by, then, _) = self.get(id).op
            && by == condition
        {
            id = then;
        }
        id
    }

    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(i128::from(value))
    }

    pub fn input(&mut self, kind: Kind) -> TermId {
        self.inputs += 1;
        self.make(Op::Input(self.inputs - 1), kind)
    }

    /// A pointer in new memory that nobody wrote: null, or an address where nothing is. That it is a valid one by chance
    /// is left out: it would make every access through it one to any object.
    pub fn unwritten_pointer(&mut self, kind: Kind) -> TermId {
        let bit = self.input(Kind::BOOL);
        self.unwritten[bit.0 as usize] = u64::MAX;
        self.cast(bit, kind)
    }

    /// Which bits of all terms depend on such a pointer, if conditions are true or false as far as their ranges tell.
    pub fn unwritten_within(&self, ranges: &[Range]) -> Vec<u64> {
        let mut bits: Vec<u64> = Vec::with_capacity(self.list.len());
        for (term, made) in self.list.iter().zip(&self.unwritten) {
            let of = |id: TermId| bits[id.0 as usize];
            bits.push(match term.op {
                _ if *made == 0 => 0,
                Op::Input(_) => *made,
                // What such a pointer itself decides was our choice.
                Op::Choose(condition, then, otherwise) if of(condition) == 0 => {
                    match ranges[condition.0 as usize].single() {
                        Some(0) => of(otherwise),
                        Some(_) => of(then),
                        None => self.unwritten_bits(term.op, term.kind, &of),
                    }
                }
                op => self.unwritten_bits(op, term.kind, &of),
            });
        }
        bits
    }

    pub fn is_unwritten_pointer(&self, id: TermId) -> bool {
        self.unwritten[id.0 as usize] != 0
    }

    pub fn read(&mut self, number: u32, kind: Kind) -> TermId {
        self.make(Op::Read(number), kind)
    }

    /// Arithmetic that wraps around.
    pub fn binary(&mut self, make: fn(TermId, TermId) -> Op, a: TermId, b: TermId, kind: Kind) -> TermId {
        let (zero_a, zero_b) = (self.as_constant(a) == Some(0), self.as_constant(b) == Some(0));
        let one_b = self.as_constant(b) == Some(1);
        match make(a, b) {
            Op::Add(..) if zero_a => return self.cast(b, kind),
            Op::Add(..) | Op::Sub(..) | Op::Shl(..) | Op::Shr(..) | Op::BitOr(..) | Op::BitXor(..) if zero_b => {
                return self.cast(a, kind);
            }
            Op::BitOr(..) | Op::BitXor(..) if zero_a => return self.cast(b, kind),
            Op::Mul(..) | Op::Div(..) if one_b => return self.cast(a, kind),
            Op::Sub(..) | Op::BitXor(..) if a == b => return self.constant(0),
            Op::BitAnd(..) | Op::BitOr(..) if a == b => return self.cast(a, kind),
            // (x + c) + d is x + (c + d) where the inner sum does not wrap.
            Op::Add(..) => {
                if let (Op::Add(x, c), Some(d)) = (self.get(a).op, self.as_constant(b))
                    && let Some(c) = self.as_constant(c)
                    && self.range(x).add(&Range::constant(c)).within(self.get(a).kind)
                {
                    let sum = self.constant(c + d);
                    return self.binary(Op::Add, x, sum, kind);
                }
                // The constant stands on the right.
                if self.as_constant(a).is_some() {
                    return self.make(Op::Add(b, a), kind);
                }
            }
            _ => {}
        }
        self.make(make(a, b), kind)
    }

    pub fn cast(&mut self, a: TermId, kind: Kind) -> TermId {
        if self.range(a).within(kind) {
            return a;
        }
        // The inner cast is lost if it cuts off less.
        if let Op::Cast(inner) = self.get(a).op
            && self.get(a).kind.bits >= kind.bits
        {
            return self.cast(inner, kind);
        }
        self.make(Op::Cast(a), kind)
    }

    /// The term without what is known about it.
    pub fn plain(&self, mut a: TermId) -> TermId {
        while let Op::Bounded(inner, ..) | Op::Except(inner, _) = self.get(a).op {
            a = inner;
        }
        a
    }

    pub fn bounded(&mut self, a: TermId, low: i128, high: i128) -> TermId {
        let range = self.range(a);
        if range.low() >= low && range.high() <= high {
            return a;
        }
        self.make(Op::Bounded(a, low, high), Kind { bits: 127, signed: true })
    }

    pub fn except(&mut self, a: TermId, value: i128) -> TermId {
        if !self.range(a).contains(value) {
            return a;
        }
        self.make(Op::Except(a, value), Kind { bits: 127, signed: true })
    }

    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.truth(false);
        }
        self.make(Op::Less(a, b), Kind::BOOL)
    }

    pub fn less_or_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.less(b, a);
        self.not(less)
    }

    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if self.plain(a) == self.plain(b) {
            return self.truth(true);
        }
        let (a, b) = if a > b { (a, b) } else { (b, a) };
        let (a, b) = if self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if let Some(value) = self.as_constant(b) {
            match (self.range(a).is_bool(), value) {
                (true, 1) => return a,
                (true, 0) => return self.not(a),
                _ => {}
            }
            match self.get(a).op {
                // A choice between constants tells which was chosen.
                Op::Choose(condition, then, otherwise)
                    if self.as_constant(then).is_some() || self.as_constant(otherwise).is_some() =>
                {
                    let (then, otherwise) = (self.equal(then, b), self.equal(otherwise, b));
                    return self.choose(condition, then, otherwise);
                }
                Op::Add(x, c) => {
                    if let Some(c) = self.as_constant(c)
                        && self.range(x).add(&Range::constant(c)).within(self.get(a).kind)
                    {
                        let rest = self.constant(value - c);
                        return self.equal(x, rest);
                    }
                }
                _ => {}
            }
        }
        self.make(Op::Equal(a, b), Kind::BOOL)
    }

    pub fn set(&self, number: u32) -> &[i128] {
        &self.sets[number as usize]
    }

    pub fn sets(&self) -> &[Vec<i128>] {
        &self.sets
    }

    /// `values` in ascending order.
    pub fn one_of(&mut self, a: TermId, values: Vec<i128>) -> TermId {
        if let [one] = values[..] {
            let one = self.constant(one);
            return self.equal(a, one);
        }
        let number = match self.set_index.get(&values) {
            Some(number) => *number,
            None => {
                self.sets.push(values.clone());
                self.set_index.insert(values, self.sets.len() as u32 - 1);
                self.sets.len() as u32 - 1
            }
        };
        self.make(Op::OneOf(a, number), Kind::BOOL)
    }

    /// Is it different from zero?
    pub fn is_true(&mut self, a: TermId) -> TermId {
        let zero = self.constant(0);
        let equal = self.equal(a, zero);
        self.not(equal)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a).op {
            Op::Constant(value) => self.truth(value == 0),
            Op::Not(inner) => inner,
            _ => self.make(Op::Not(a), Kind::BOOL),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0), _) | (_, Some(0)) => return self.truth(false),
            (Some(_), _) => return b,
            (_, Some(_)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.opposite(a, b) {
            return self.truth(false);
        }
        // a and (a and x), a and not (a and x)
        for (x, y) in [(a, b), (b, a)] {
            if let Op::And(p, q) = self.get(y).op {
                if p == x || q == x {
                    return y;
                }
                if self.opposite(p, x) || self.opposite(q, x) {
                    return self.truth(false);
                }
            }
            if let Op::Not(inner) = self.get(y).op
                && let Op::And(p, q) = self.get(inner).op
                && (p == x || q == x)
            {
                let other = if p == x { q } else { p };
                let other = self.not(other);
                return self.and(x, other);
            }
            if let Op::Or(p, q) = self.get(y).op {
                if p == x || q == x {
                    return x;
                }
                if self.opposite(p, x) {
                    return self.and(x, q);
                }
                if self.opposite(q, x) {
                    return self.and(x, p);
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.make(Op::And(a, b), Kind::BOOL)
    }

    fn opposite(&self, a: TermId, b: TermId) -> bool {
        matches!(self.get(a).op, Op::Not(inner) if inner == b) || matches!(self.get(b).op, Op::Not(inner) if inner == a)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            (Some(_), _) | (_, Some(_)) => return self.truth(true),
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.opposite(a, b) {
            return self.truth(true);
        }
        // (p and c) or (p and not c) is p: where branches meet again.
        if let (Op::And(p, q), Op::And(r, s)) = (self.get(a).op, self.get(b).op) {
            for (common, x) in [(p, q), (q, p)] {
                for (other, y) in [(r, s), (s, r)] {
                    if common == other {
                        let either = self.or(x, y);
                        return self.and(common, either);
                    }
                }
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Op::And(p, q) = self.get(y).op {
                if p == x || q == x {
                    return x;
                }
                // x or (not x and q)
                if self.opposite(p, x) {
                    return self.or(x, q);
                }
                if self.opposite(q, x) {
                    return self.or(x, p);
                }
            }
            if let Op::Or(p, q) = self.get(y).op {
                if p == x || q == x {
                    return y;
                }
                if self.opposite(p, x) || self.opposite(q, x) {
                    return self.truth(true);
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.make(Op::Or(a, b), Kind::BOOL)
    }

    pub fn choose(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == otherwise {
            return then;
        }
        if self.plain(then) == self.plain(otherwise) {
            return self.plain(then);
        }
        match self.get(condition).op {
            Op::Constant(0) => return otherwise,
            Op::Constant(_) => return then,
            Op::Not(inner) => return self.choose(inner, otherwise, then),
            _ => {}
        }
        // The same choice again has been made.
        if let Op::Choose(inner, first, _) = self.get(then).op
            && inner == condition
        {
            return self.choose(condition, first, otherwise);
        }
        if let Op::Choose(inner, _, second) = self.get(otherwise).op
            && inner == condition
        {
            return self.choose(condition, then, second);
        }
        match (self.as_constant(then), self.as_constant(otherwise)) {
            (Some(1), Some(0)) => return condition,
            (Some(0), Some(1)) => return self.not(condition),
            (Some(1), _) if self.range(otherwise).is_bool() => return self.or(condition, otherwise),
            (Some(0), _) if self.range(otherwise).is_bool() => {
                let not = self.not(condition);
                return self.and(not, otherwise);
            }
            (_, Some(0)) if self.range(then).is_bool() => return self.and(condition, then),
            (_, Some(1)) if self.range(then).is_bool() => {
                let not = self.not(condition);
                return self.or(not, then);
            }
            _ => {}
        }
        self.make(Op::Choose(condition, then, otherwise), Kind { bits: 127, signed: true })
    }
}

/// The values of a term, given those of its operands; `read` is what is known of a shared read.
pub fn transfer<'r>(
    term: &Term,
    range: impl Fn(TermId) -> &'r Range,
    sets: &[Vec<i128>],
    read: Option<&Range>,
) -> Range {
    let kind = term.kind;
    match term.op {
        Op::Constant(value) => Range::constant(value),
        Op::Input(_) => kind.range(),
        Op::Read(_) => read.cloned().unwrap_or_else(|| kind.range()),
        Op::Add(a, b) => range(a).add(range(b)).wrap(kind),
        Op::Sub(a, b) => range(a).sub(range(b)).wrap(kind),
        Op::Mul(a, b) => range(a).mul(range(b)).wrap(kind),
        Op::Div(a, b) => range(a).div(range(b)).wrap(kind),
        Op::Rem(a, b) => range(a).rem(range(b)).wrap(kind),
        Op::Shl(a, b) => range(a).shl(range(b)).wrap(kind),
        Op::Shr(a, b) => range(a).shr(range(b)).wrap(kind),
        Op::BitAnd(a, b) => range(a).bit_and(range(b)).wrap(kind),
        Op::BitOr(a, b) => range(a).bit_or(range(b), |a, b| a | b).wrap(kind),
        Op::BitXor(a, b) => range(a).bit_or(range(b), |a, b| a ^ b).wrap(kind),
        Op::Less(a, b) => range(a).less(range(b), false),
        Op::Equal(a, b) => range(a).equal(range(b)),
        Op::Not(a) => Range::constant(1).sub(range(a)),
        // What is never evaluated (an empty range) stands after something that is false.
        Op::And(a, b) if range(a).is_empty() != range(b).is_empty() => Range::constant(0),
        Op::And(a, b) => range(a).bit_and(range(b)),
        Op::Or(a, b) if range(a).is_empty() => range(b).clone(),
        Op::Or(a, b) if range(b).is_empty() => range(a).clone(),
        Op::Or(a, b) => range(a).bit_or(range(b), |a, b| a | b),
        Op::Choose(condition, then, otherwise) => match range(condition) {
            condition if condition.is_empty() => Range::empty(),
            condition if condition.single() == Some(0) => range(otherwise).clone(),
            condition if condition.single().is_some() => range(then).clone(),
            _ => range(then).join(range(otherwise)),
        },
        Op::Bounded(a, low, high) => range(a).between(low, high),
        Op::Except(a, value) => range(a).without(value),
        Op::OneOf(a, set) => range(a).one_of(&sets[set as usize]),
        Op::Cast(a) => range(a).wrap(kind),
    }
}
