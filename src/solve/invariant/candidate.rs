//! What may be known at a location: relations between values of the program's own variables, numbers that it mentions, the
//! id of the thread, and who wrote a variable last; each also under a condition.

use super::flow::{Cell, ContextId, Flow, ID_WIDTH, Object, Register, View, What};
use super::word::{self, Word};
use crate::analysis::points_to::Object as Pointed;
use crate::solve::formula::bits;
use crate::solve::formula::gates::Lit;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    Cell(Cell),
    Register {
        register: Register,
        width: usize,
        signed: bool,
        pointer: bool,
    },
    /// The id of the thread itself.
    Id,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    Equal,
    Differs,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    Number(i128),
    /// A term, and what is added to it.
    Term(Term, i128),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Atom {
    pub left: Term,
    pub relation: Relation,
    pub right: Right,
}

/// An atom, if it has a condition only where that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    pub condition: Option<Atom>,
    pub atom: Atom,
}

impl Term {
    pub fn width(self) -> usize {
        match self {
            Term::Cell(cell) => cell.width,
            Term::Register { width, .. } => width,
            Term::Id => ID_WIDTH,
        }
    }

    pub fn signed(self) -> bool {
        match self {
            Term::Cell(cell) => cell.signed,
            Term::Register { signed, .. } => signed,
            Term::Id => false,
        }
    }

    fn pointer(self) -> bool {
        match self {
            Term::Cell(cell) => cell.pointer,
            Term::Register { pointer, .. } => pointer,
            Term::Id => false,
        }
    }
}

impl Atom {
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let right = match self.right {
            Right::Number(_) => None,
            Right::Term(term, _) => Some(term),
        };
        [Some(self.left), right].into_iter().flatten()
    }

    /// The term, and the other one if it is compared with one.
    pub fn about(&self) -> (Term, Option<Term>) {
        match self.right {
            Right::Number(_) => (self.left, None),
            Right::Term(term, _) => (self.left, Some(term)),
        }
    }

    /// The same, if nothing else is worth saying about them then.
    pub fn equates(&self) -> Option<(Term, Option<Term>)> {
        let plain = !matches!(self.right, Right::Term(_, plus) if plus != 0);
        (self.relation == Relation::Equal && plain).then(|| self.about())
    }

    /// Both sides are signed, or numbers without sign.
    fn signed(&self) -> bool {
        self.terms().all(Term::signed)
    }
}

impl Relation {
    pub fn opposite(self) -> Relation {
        match self {
            Relation::Equal => Relation::Differs,
            Relation::Differs => Relation::Equal,
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
        }
    }
}

impl Candidate {
    /// For tests: the opposite, where its condition holds.
    pub fn negate(&mut self) {
        self.atom.relation = self.atom.relation.opposite();
    }

    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.condition.into_iter().flat_map(|atom| atom.terms().collect::<Vec<_>>()).chain(self.atom.terms())
    }

    /// Does it speak of one of these objects?
    pub fn mentions(&self, memory: &FxHashMap<usize, Rc<Word>>) -> bool {
        self.terms().any(|term| matches!(term, Term::Cell(cell) if memory.contains_key(&cell.object)))
    }
}

impl Flow<'_> {
    /// The addresses of objects that a pointer may hold.
    fn addresses_in(&self, pointer: Term) -> Vec<u64> {
        let (holder, kind) = match pointer {
            Term::Register { register: (context, local), .. } => {
                let context = &self.contexts[context.0 as usize];
                (self.points_to.local(context.function, local), context.kind)
            }
            Term::Cell(cell) => match self.objects[cell.object].what {
                What::Global(id) => (self.points_to.global(id), 0),
                What::Local(context, local) => {
                    let context = &self.contexts[context.0 as usize];
                    (self.points_to.local(context.function, local), context.kind)
                }
                _ => return self.objects.iter().map(|object| object.base).filter(|base| *base != 0).collect(),
            },
            Term::Id => return Vec::new(),
        };
        let mut objects = Vec::new();
        for pointed in self.points_to.content(holder).iter() {
            match self.points_to.objects[pointed] {
                Pointed::Function(id) => objects.push(self.function_object(id)),
                other => objects.extend(self.objects_of(&other, kind)),
            }
        }
        objects.sort_unstable();
        objects.dedup();
        objects.into_iter().map(|object| self.objects[object].base).filter(|base| *base != 0).collect()
    }

    pub fn term(&mut self, term: Term, kind: usize, view: View) -> Word {
        match term {
            Term::Cell(cell) => self.object_in(cell.object, view)[cell.first..cell.first + cell.width].to_vec(),
            Term::Register { register, .. } => self.register_in(register, view).to_vec(),
            Term::Id => self.id_in(kind, view),
        }
    }

    fn atom(&mut self, atom: &Atom, kind: usize, view: View) -> Lit {
        let (width, signed) = (atom.left.width(), atom.signed());
        let left = self.term(atom.left, kind, view);
        let right = match atom.right {
            Right::Number(number) => word::constant(number, width),
            Right::Term(term, plus) => {
                let word = self.term(term, kind, view);
                let word = word::cut(&word::number(&word, false), width);
                bits::add(&mut self.gates, &word, &word::constant(plus, width), width)
            }
        };
        let (a, b) = (word::number(&left, signed), word::number(&right, signed));
        match atom.relation {
            Relation::Equal => bits::equal(&mut self.gates, &a, &b),
            Relation::Differs => -bits::equal(&mut self.gates, &a, &b),
            Relation::Less => bits::less(&mut self.gates, &a, &b),
            Relation::AtMost => -bits::less(&mut self.gates, &b, &a),
            Relation::Greater => bits::less(&mut self.gates, &b, &a),
            Relation::AtLeast => -bits::less(&mut self.gates, &a, &b),
        }
    }

    /// The literal that says that a candidate holds for a thread of some kind.
    pub fn holds(&mut self, candidate: &Candidate, kind: usize, view: View) -> Lit {
        let atom = self.atom(&candidate.atom, kind, view);
        match &candidate.condition {
            Some(condition) => {
                let condition = self.atom(condition, kind, view);
                self.gates.or(-condition, atom)
            }
            None => atom,
        }
    }
}

/// The values of terms in one state.
pub type Values = FxHashMap<Term, u128>;

fn truncated(value: u128, width: usize) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn as_number(value: u128, width: usize, signed: bool) -> i128 {
    if signed && width < 128 && value >> (width - 1) & 1 == 1 { value as i128 - (1 << width) } else { value as i128 }
}

impl Atom {
    pub fn is_true(&self, values: &Values) -> bool {
        let (width, signed) = (self.left.width(), self.signed());
        let right = match self.right {
            Right::Number(number) => number as u128,
            Right::Term(term, plus) => values[&term].wrapping_add(plus as u128),
        };
        let left = as_number(values[&self.left], width, signed);
        let right = as_number(truncated(right, width), width, signed);
        match self.relation {
            Relation::Equal => left == right,
            Relation::Differs => left != right,
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
        }
    }
}

impl Candidate {
    pub fn is_true(&self, values: &Values) -> bool {
        self.condition.is_some_and(|condition| !condition.is_true(values)) || self.atom.is_true(values)
    }
}

const MOST_NUMBERS: usize = 14;
const MOST_TERMS: usize = 26;
const MOST_CONDITIONS: usize = 22;
const MOST_EQUALITIES: usize = 16;

/// What may be known at a location, and under which conditions.
pub fn candidates(flow: &Flow, location: usize) -> (Vec<Atom>, Vec<Atom>) {
    let place = flow.locations[location];
    let types = &flow.program.types;
    let chain = chain(flow, place.context);
    let mut terms: Vec<Term> = Vec::new();
    for register in flow.live_registers(&place) {
        let ty = flow.local_type(register);
        let pointer = types.pointee(ty).is_some();
        if (types.int_kind(ty).is_some() || pointer) && !flow.is_fixed(&register) {
            let (width, signed) = (word::width(types, ty), word::signed(types, ty));
            terms.push(Term::Register { register, width, signed, pointer });
        }
    }
    let seen = |object: &Object, context: ContextId| !object.private || chain.contains(&context);
    for cell in &flow.cells {
        let object = &flow.objects[cell.object];
        match object.what {
            What::Global(_) | What::Block(_) => terms.push(Term::Cell(*cell)),
            What::Local(context, _) if seen(object, context) => terms.push(Term::Cell(*cell)),
            _ => {}
        }
    }
    let ghosts = flow.objects.iter().enumerate().filter(|(_, object)| match object.what {
        What::Writer(..) | What::Created(_) | What::Ended(_) | What::Joined(_) | What::Allocated(_) => true,
        What::Exists(context, _) => seen(object, context),
        What::Global(_) | What::Local(..) | What::Text(_) | What::Function(_) => false,
        What::Block(_) | What::Blocks => false,
    });
    let ghosts: Vec<Term> = ghosts
        .map(|(object, it)| Term::Cell(Cell { object, first: 0, width: it.width, signed: false, pointer: false }))
        .collect();
    let mut all = Atoms { list: Vec::new(), numbers: numbers(flow) };
    ghosts.iter().for_each(|ghost| all.about_ghost(*ghost));
    for term in &terms {
        all.about_number(*term, flow);
    }
    // What a lock holds is compared with numbers and the id of the thread only.
    let compared = |term: &Term| !term.pointer() && term.width() > 1 && !is_of_library(flow, *term);
    let numeric: Vec<Term> = terms.iter().copied().filter(compared).collect();
    let numeric = &numeric[..numeric.len().min(MOST_TERMS)];
    for (index, a) in numeric.iter().enumerate() {
        numeric[index + 1..].iter().filter(|b| b.width() == a.width()).for_each(|b| all.about_both(*a, *b));
    }
    let mut conditions = conditions(flow, &terms, &ghosts);
    if flow.manner.pairs {
        conditions.extend(equalities(flow, numeric));
    }
    all.list.sort_unstable();
    all.list.dedup();
    (all.list, conditions)
}

struct Atoms {
    list: Vec<Atom>,
    numbers: Vec<i128>,
}

impl Atoms {
    fn add(&mut self, left: Term, relation: Relation, right: Right) {
        self.list.push(Atom { left, relation, right });
    }

    fn about_id(&mut self, left: Term) {
        self.add(left, Relation::Equal, Right::Term(Term::Id, 0));
        self.add(left, Relation::Differs, Right::Term(Term::Id, 0));
    }

    fn about_ghost(&mut self, ghost: Term) {
        self.add(ghost, Relation::Equal, Right::Number(0));
        if ghost.width() == ID_WIDTH {
            self.about_id(ghost);
        } else {
            self.add(ghost, Relation::Equal, Right::Number(1));
        }
    }

    fn about_number(&mut self, left: Term, flow: &Flow) {
        if left.pointer() {
            self.add(left, Relation::Differs, Right::Number(0));
            for address in flow.addresses_in(left).into_iter().map(i128::from).chain([0]) {
                self.add(left, Relation::Equal, Right::Number(address));
            }
            return;
        }
        for number in self.numbers.clone() {
            // Numbers that the type does not have are there as what they become.
            let wrapped = truncated(number as u128, left.width());
            let number = as_number(wrapped, left.width(), left.signed());
            for relation in [Relation::Equal, Relation::Differs, Relation::AtMost, Relation::AtLeast] {
                self.add(left, relation, Right::Number(number));
            }
        }
        if left.width() >= ID_WIDTH {
            self.about_id(left);
        }
    }

    fn about_both(&mut self, a: Term, b: Term) {
        use Relation::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        for relation in [Equal, Differs, Less, AtMost, Greater, AtLeast] {
            self.add(a, relation, Right::Term(b, 0));
        }
        self.add(a, Equal, Right::Term(b, 1));
        self.add(a, Equal, Right::Term(b, -1));
    }
}

/// The numbers that a program mentions, small ones first.
fn numbers(flow: &Flow) -> Vec<i128> {
    let mut numbers: Vec<i128> = flow.constants.iter().copied().chain([0, 1]).collect();
    numbers.sort_by_key(|number| (number.unsigned_abs(), *number < 0));
    numbers.dedup();
    numbers.truncate(MOST_NUMBERS);
    // The ids of threads that exist once are kept to be joined.
    numbers.extend((1..flow.kinds.len()).filter(|kind| !flow.kinds[*kind].many).map(|kind| kind as i128 + 1));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What an atom may depend on: flags, locks, and who wrote last.
fn conditions(flow: &Flow, terms: &[Term], ghosts: &[Term]) -> Vec<Atom> {
    let mut list = Vec::new();
    let is = |left: Term, relation: Relation, right: Right| Atom { left, relation, right };
    let over = |ghost: &Term| match ghost {
        Term::Cell(cell) => matches!(flow.objects[cell.object].what, What::Ended(kind) if kind != 0),
        Term::Register { .. } | Term::Id => false,
    };
    list.extend(ghosts.iter().copied().filter(over).map(|ghost| is(ghost, Relation::Equal, Right::Number(1))));
    for term in terms.iter().copied().filter(|term| !term.pointer()) {
        let shared = matches!(term, Term::Cell(cell) if !flow.objects[cell.object].private);
        list.push(is(term, Relation::Equal, Right::Number(0)));
        list.push(is(term, Relation::Differs, Right::Number(0)));
        if shared {
            list.push(is(term, Relation::Equal, Right::Number(1)));
        }
    }
    for ghost in ghosts.iter().copied().filter(|ghost| ghost.width() == ID_WIDTH) {
        list.push(is(ghost, Relation::Equal, Right::Term(Term::Id, 0)));
    }
    list.truncate(MOST_CONDITIONS);
    list
}

/// It is a thread's turn where a shared variable has the value of one of its own, and nobody's where two shared ones agree:
/// what two threads know together is of use only under such conditions.
fn equalities(flow: &Flow, numeric: &[Term]) -> Vec<Atom> {
    let shared = |term: Term| matches!(term, Term::Cell(cell) if !flow.objects[cell.object].private);
    let mut list = Vec::new();
    for (index, left) in numeric.iter().enumerate().filter(|(_, term)| shared(**term)) {
        let others = numeric.iter().enumerate().filter(|(at, right)| !shared(**right) || *at > index);
        let alike = others.filter(|(_, right)| right.width() == left.width());
        list.extend(alike.map(|(_, right)| Atom {
            left: *left,
            relation: Relation::Equal,
            right: Right::Term(*right, 0),
        }));
    }
    list.truncate(MOST_EQUALITIES);
    list
}

fn is_of_library(flow: &Flow, term: Term) -> bool {
    matches!(term, Term::Cell(cell) if flow.of_library.contains(&cell))
}

fn chain(flow: &Flow, context: ContextId) -> Vec<ContextId> {
    let mut chain = vec![context];
    while let Some((caller, _)) = flow.contexts[chain[chain.len() - 1].0 as usize].caller {
        chain.push(caller);
    }
    chain
}
