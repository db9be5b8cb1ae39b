//! Addresses and numbers as far as they can be told apart without executing: a variable, an offset, and values that
//! nobody knows but that are the same wherever they have the same name.

use crate::analysis::points_to::ObjectId;
use crate::il::{RecordId, StatementId};

/// A value that was made by a statement (the n-th of its values). It lasts until the statement is executed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    Made(StatementId, u32),
    /// What a global variable holds that nobody writes while there are several threads: variable and offset.
    Stable(ObjectId, i64),
}

/// `base + offset + sum of names times factors`; a number if there is no base.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    pub base: Option<ObjectId>,
    pub offset: i64,
    pub terms: Vec<(Name, i64)>,
}

impl Value {
    pub fn number(offset: i64) -> Value {
        Value { base: None, offset, terms: Vec::new() }
    }

    pub fn object(base: ObjectId) -> Value {
        Value { base: Some(base), offset: 0, terms: Vec::new() }
    }

    pub fn named(name: Name) -> Value {
        Value { base: None, offset: 0, terms: vec![(name, 1)] }
    }

    pub fn plus(mut self, offset: i64) -> Value {
        self.offset = self.offset.wrapping_add(offset);
        self
    }

    /// `None` if both are addresses, or it gets too long to be worth it.
    pub fn add(&self, other: &Value, factor: i64) -> Option<Value> {
        if other.base.is_some() && (self.base.is_some() || factor != 1) {
            return None;
        }
        let mut sum = self.clone().plus(other.offset.checked_mul(factor)?);
        sum.base = sum.base.or(other.base);
        for (name, times) in &other.terms {
            let times = times.checked_mul(factor)?;
            match sum.terms.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 = known.1.checked_add(times)?,
                None => sum.terms.push((*name, times)),
            }
        }
        sum.terms.retain(|(_, times)| *times != 0);
        sum.terms.sort_unstable();
        (sum.terms.len() <= 4).then_some(sum)
    }

    pub fn mentions(&self, name: Name) -> bool {
        self.terms.iter().any(|(known, _)| *known == name)
    }

    pub fn as_number(&self) -> Option<i64> {
        (self.base.is_none() && self.terms.is_empty()).then_some(self.offset)
    }

    /// Always the same place.
    pub fn is_fixed(&self) -> bool {
        self.base.is_some() && self.terms.is_empty()
    }
}

/// A lock, told by where an access that it protects goes. Two accesses that touch the same bytes and have the same of
/// these hold the same lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protection {
    Fixed(ObjectId, i64),
    /// The address of the access and that of the lock, with names numbered by their order in the first: of `p->x`
    /// under `p->lock`, or of `a[i]` under `locks[i]`.
    Relative {
        access: Shape,
        lock: Shape,
        size: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    base: Option<ObjectId>,
    offset: i64,
    terms: Vec<(usize, i64)>,
}

/// How a lock protects an access, if that can be told.
pub fn protection(access: Option<&Value>, size: u64, lock: &Value) -> Option<Protection> {
    if lock.is_fixed() {
        return Some(Protection::Fixed(lock.base?, lock.offset));
    }
    let access = access?;
    let stable = |value: &Value| value.terms.iter().all(|(name, _)| matches!(name, Name::Stable(..)));
    if stable(lock) {
        // The same for everybody, so it does not matter where the access goes.
        let [(Name::Stable(object, at), 1)] = lock.terms[..] else { return None };
        return lock.base.is_none().then_some(Protection::Relative {
            access: Shape { base: Some(object), offset: at, terms: Vec::new() },
            lock: Shape { base: Some(object), offset: lock.offset, terms: Vec::new() },
            size: 0,
        });
    }
    let number = |name: &Name| access.terms.iter().position(|(known, _)| known == name);
    let shape = |value: &Value| {
        let terms: Option<Vec<(usize, i64)>> =
            value.terms.iter().map(|(name, times)| Some((number(name)?, *times))).collect();
        Some(Shape { base: value.base, offset: value.offset, terms: terms? })
    };
    // The bytes must tell the names that the lock depends on. An index does if it is the only name, because elements
    // lie apart. A pointer to a structure does, because it points to where one begins, whatever is indexed in it.
    let single = matches!(access.terms[..], [(_, times)] if times.unsigned_abs() >= size);
    let pointers = access.terms.iter().filter(|(_, times)| *times == 1).count();
    let by_pointer =
        access.base.is_none() && pointers == 1 && lock.terms.iter().all(|(name, _)| access.terms.contains(&(*name, 1)));
    if !single && !by_pointer {
        return None;
    }
    Some(Protection::Relative { access: shape(access)?, lock: shape(lock)?, size })
}

/// A part of a structure: two different parts do not overlap, whichever structures of this type they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part {
    pub record: RecordId,
    pub from: u64,
    pub to: u64,
}
