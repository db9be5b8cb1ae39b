//! Literals, gates with structural hashing, and clauses. What no clause needs is not written.

use rustc_hash::FxHashMap;

/// A variable or its negation, as in DIMACS.
pub type Lit = i32;
pub const TRUE: Lit = 1;
pub const FALSE: Lit = -1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    Free,
    And(Lit, Lit),
    Xor(Lit, Lit),
    Choose(Lit, Lit, Lit),
}

#[derive(Default)]
pub struct Gates {
    /// By variable, from 1 on.
    gates: Vec<Gate>,
    index: FxHashMap<Gate, Lit>,
    /// Clauses one after the other, each ended by 0.
    clauses: Vec<Lit>,
}

/// A formula in conjunctive normal form.
#[derive(Default)]
pub struct Cnf {
    /// The highest number of a variable; not all are used.
    pub variables: i32,
    pub used_variables: usize,
    pub clause_count: usize,
    /// Clauses one after the other, each ended by 0.
    literals: Vec<Lit>,
}

impl Cnf {
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.literals.split_inclusive(|lit| *lit == 0).map(|clause| &clause[..clause.len() - 1])
    }

    /// The format that SAT solvers read.
    pub fn write_dimacs(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables, self.clause_count)?;
        for clause in self.clauses() {
            for lit in clause {
                write!(out, "{lit} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

impl Gates {
    pub fn new() -> Gates {
        Gates { gates: vec![Gate::Free, Gate::Free], index: FxHashMap::default(), clauses: vec![TRUE, 0] }
    }

    pub fn fresh(&mut self) -> Lit {
        self.gates.push(Gate::Free);
        self.gates.len() as Lit - 1
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        if let Some(lit) = self.index.get(&gate) {
            return *lit;
        }
        self.gates.push(gate);
        let lit = self.gates.len() as Lit - 1;
        self.index.insert(gate, lit);
        lit
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        self.gate(Gate::And(a.min(b), a.max(b)))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        -self.and(-a, -b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.abs() == TRUE {
            return if a == TRUE { -b } else { b };
        }
        if b.abs() == TRUE {
            return if b == TRUE { -a } else { a };
        }
        if a.abs() == b.abs() {
            return if a == b { FALSE } else { TRUE };
        }
        let sign = a.signum() * b.signum();
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        sign * self.gate(Gate::Xor(a, b))
    }

    pub fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition == TRUE || a == b {
            return a;
        }
        if condition == FALSE {
            return b;
        }
        if condition < 0 {
            return self.choose(-condition, b, a);
        }
        if a == -b {
            return self.xor(condition, b);
        }
        if a == TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == FALSE || a == -condition {
            return self.and(-condition, b);
        }
        if b == TRUE || b == -condition {
            return self.or(-condition, a);
        }
        if b == FALSE || b == condition {
            return self.and(condition, a);
        }
        if a < 0 {
            return -self.gate(Gate::Choose(condition, -a, -b));
        }
        self.gate(Gate::Choose(condition, a, b))
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&TRUE) {
            return;
        }
        self.clauses.extend(lits.iter().filter(|lit| **lit != FALSE));
        self.clauses.push(0);
    }

    /// The highest number of a variable.
    pub fn variables(&self) -> i32 {
        self.gates.len() as i32 - 1
    }

    /// The clauses, and the definitions of all gates that they need, or that are to be told.
    pub fn finish(mut self, told: &[Lit]) -> Cnf {
        let mut defined = Defined::default();
        let mut literals = std::mem::take(&mut self.clauses);
        let mut clause_count = literals.iter().filter(|lit| **lit == 0).count();
        let mut definitions = Vec::new();
        let needed = literals.iter().filter(|lit| **lit != 0).chain(told).copied();
        self.define(needed, &mut defined, &mut |clause| {
            definitions.extend_from_slice(clause);
            definitions.push(0);
            clause_count += 1;
        });
        literals.extend(definitions);
        Cnf { variables: self.variables(), used_variables: defined.count, clause_count, literals }
    }

    /// The definitions of all gates that some literals need and that a solver does not have yet.
    pub fn define(&self, lits: impl Iterator<Item = Lit>, defined: &mut Defined, add: &mut dyn FnMut(&[Lit])) {
        defined.known.resize(self.gates.len(), false);
        let mut waiting: Vec<i32> = Vec::new();
        lits.for_each(|lit| defined.need(lit, &mut waiting));
        while let Some(o) = waiting.pop() {
            match self.gates[o as usize] {
                Gate::Free => {}
                Gate::And(a, b) => {
                    add(&[-o, a]);
                    add(&[-o, b]);
                    add(&[o, -a, -b]);
                    defined.need(a, &mut waiting);
                    defined.need(b, &mut waiting);
                }
                Gate::Xor(a, b) => {
                    add(&[-o, a, b]);
                    add(&[-o, -a, -b]);
                    add(&[o, -a, b]);
                    add(&[o, a, -b]);
                    defined.need(a, &mut waiting);
                    defined.need(b, &mut waiting);
                }
                Gate::Choose(c, a, b) => {
                    add(&[-c, -a, o]);
                    add(&[-c, a, -o]);
                    add(&[c, -b, o]);
                    add(&[c, b, -o]);
                    // Implied, but they help propagation.
                    add(&[-a, -b, o]);
                    add(&[a, b, -o]);
                    for lit in [a, b, c] {
                        defined.need(lit, &mut waiting);
                    }
                }
            }
        }
    }

    /// The value of a literal, given those of the free variables; `known` keeps what was computed, by variable.
    pub fn value(&self, lit: Lit, known: &mut Valuation, free: &mut dyn FnMut(i32) -> bool) -> bool {
        known.hold(self.gates.len());
        known.set(TRUE, true);
        let mut open = std::mem::take(&mut known.open);
        open.push(lit.abs());
        while let Some(variable) = open.last().copied() {
            if known.get(variable).is_some() {
                open.pop();
                continue;
            }
            let gate = self.gates[variable as usize];
            let (needed, count) = match gate {
                Gate::Free => ([0; 3], 0),
                Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, 0], 2),
                Gate::Choose(a, b, c) => ([a, b, c], 3),
            };
            let before = open.len();
            open.extend(needed[..count].iter().filter(|lit| known.get(**lit).is_none()).map(|lit| lit.abs()));
            if open.len() > before {
                continue;
            }
            let of = |lit: Lit| known.get(lit) == Some(true);
            let value = match gate {
                Gate::Free => free(variable),
                Gate::And(a, b) => of(a) && of(b),
                Gate::Xor(a, b) => of(a) != of(b),
                Gate::Choose(c, a, b) => {
                    if of(c) {
                        of(a)
                    } else {
                        of(b)
                    }
                }
            };
            known.set(variable, value);
            open.pop();
        }
        known.open = open;
        known.get(lit) == Some(true)
    }
}

/// Values of variables, which are all forgotten at once.
#[derive(Default)]
pub struct Valuation {
    /// Twice the round in which it was set, and one more if it is true.
    stamps: Vec<u32>,
    round: u32,
    /// What is being computed; empty between two calls.
    open: Vec<Lit>,
}

impl Valuation {
    fn hold(&mut self, variables: usize) {
        if self.stamps.len() < variables {
            self.stamps.resize(variables, 0);
        }
        self.round = self.round.max(1);
    }

    pub fn forget(&mut self) {
        self.round += 1;
        if self.round >= u32::MAX / 2 {
            self.stamps.fill(0);
            self.round = 1;
        }
    }

    /// A literal becomes true or false.
    pub fn set(&mut self, lit: Lit, value: bool) {
        self.hold(lit.unsigned_abs() as usize + 1);
        self.stamps[lit.unsigned_abs() as usize] = 2 * self.round + u32::from(value == (lit > 0));
    }

    pub fn get(&self, lit: Lit) -> Option<bool> {
        let stamp = *self.stamps.get(lit.unsigned_abs() as usize)?;
        (stamp / 2 == self.round && self.round > 0).then_some((stamp & 1 == 1) == (lit > 0))
    }
}

/// Which gates a solver has.
#[derive(Default)]
pub struct Defined {
    known: Vec<bool>,
    count: usize,
}

impl Defined {
    fn need(&mut self, lit: Lit, waiting: &mut Vec<i32>) {
        if !std::mem::replace(&mut self.known[lit.unsigned_abs() as usize], true) {
            self.count += 1;
            waiting.push(lit.abs());
        }
    }
}
