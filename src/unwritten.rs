//! What memory holds that nobody wrote: no verifier's answer tells, so several contents are tried.

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Unwritten {
    #[default]
    Zero,
    /// Every scalar holds this.
    Value(u64),
    /// These in any order, from a seed.
    Any(Vec<u64>, u64),
    /// These, one after the other, then zero.
    Listed(Vec<u64>),
}

/// Memory with such contents, while a program runs.
pub struct Contents {
    unwritten: Unwritten,
    random: fastrand::Rng,
    /// What was read, in order.
    pub given: Vec<u64>,
}

impl Contents {
    pub fn new(unwritten: Unwritten) -> Contents {
        let seed = match unwritten {
            Unwritten::Any(_, seed) => seed,
            Unwritten::Zero | Unwritten::Value(_) | Unwritten::Listed(_) => 0,
        };
        Contents { unwritten, random: fastrand::Rng::with_seed(seed), given: Vec::new() }
    }

    pub fn value(&mut self) -> u64 {
        let value = match &self.unwritten {
            Unwritten::Zero => 0,
            Unwritten::Value(value) => *value,
            Unwritten::Any(values, _) => values[self.random.usize(..values.len())],
            Unwritten::Listed(values) => values.get(self.given.len()).copied().unwrap_or(0),
        };
        self.given.push(value);
        value
    }
}
