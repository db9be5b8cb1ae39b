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

    /// The clauses, and the definitions of all gates that they need, or that are to be told.
    pub fn finish(self, told: &[Lit]) -> Cnf {
        let Gates { gates, clauses, .. } = self;
        let mut needed = vec![false; gates.len()];
        let mut waiting: Vec<i32> = Vec::new();
        let mut count = 0;
        let need = |lit: Lit, waiting: &mut Vec<i32>, needed: &mut Vec<bool>| {
            let variable = lit.unsigned_abs() as usize;
            if lit != 0 && !std::mem::replace(&mut needed[variable], true) {
                waiting.push(variable as i32);
            }
        };
        for lit in &clauses {
            need(*lit, &mut waiting, &mut needed);
            count += usize::from(*lit == 0);
        }
        told.iter().for_each(|lit| need(*lit, &mut waiting, &mut needed));
        let mut out = clauses;
        while let Some(o) = waiting.pop() {
            let mut add = |clause: &[Lit]| {
                out.extend_from_slice(clause);
                out.push(0);
                count += 1;
            };
            match gates[o as usize] {
                Gate::Free => {}
                Gate::And(a, b) => {
                    add(&[-o, a]);
                    add(&[-o, b]);
                    add(&[o, -a, -b]);
                    need(a, &mut waiting, &mut needed);
                    need(b, &mut waiting, &mut needed);
                }
                Gate::Xor(a, b) => {
                    add(&[-o, a, b]);
                    add(&[-o, -a, -b]);
                    add(&[o, -a, b]);
                    add(&[o, a, -b]);
                    need(a, &mut waiting, &mut needed);
                    need(b, &mut waiting, &mut needed);
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
                        need(lit, &mut waiting, &mut needed);
                    }
                }
            }
        }
        let used_variables = needed.iter().filter(|needed| **needed).count();
        Cnf { variables: gates.len() as i32 - 1, used_variables, clause_count: count, literals: out }
    }
}
