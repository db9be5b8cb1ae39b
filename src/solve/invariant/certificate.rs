//! A proof that can be shown, kept, and checked again by whoever doubts it.
//!
//! The check knows nothing of how the invariants were found. It executes the program's steps anew, and asks a new solver one
//! question for each: whether what is said of a location holds at the beginning, after every step of the thread, of every
//! new thread, and after every step of any other thread; and whether it excludes all that fails.

use super::candidate::{Atom, Candidate, Relation, Right, Term};
use super::flow::{Context, Flow, ITSELF, MOST_BYTES, Manner, OTHER, Path, SiteId, Steps, View, What};
use super::pairs::{Apart, KnownPair, PairDuty, Places, ordered, pair_duties};
use super::search::{Asker, Found, different};
use crate::analysis::race::contended;
use crate::budget::Budget;
use crate::diagnostic::Result;
use crate::il::interpret::Code;
use crate::il::{FunctionId, FunctionKind, Program, Type, TypeId, Types};
use crate::property::{ErrorKind, Property};
use crate::solve::formula::gates::{Lit, TRUE};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    pub version: u32,
    /// What is excluded.
    pub errors: Vec<ErrorKind>,
    /// What others cannot notice, as the analysis of locks tells, belongs to the step before it.
    pub joins_quiet_steps: bool,
    /// What larger arrays of numbers or pointers hold was not looked at.
    pub exact_array_bytes: u64,
    pub locations: Vec<Place>,
    /// What is known of two threads at once, if that was looked at: of all others nothing.
    pub pairs: Option<Vec<PairPlace>>,
}

/// What is known of two threads at two locations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairPlace {
    /// The locations by their index, the lower one first.
    pub first: usize,
    pub second: usize,
    /// They are never there at the same time if not.
    pub reached: bool,
    pub facts: Vec<PairFact>,
}

/// What is known of two threads.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairFact {
    pub text: String,
    pub fact: Apart,
}

/// What is known of a thread wherever it is at one location.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The function in which the thread began, and whether there may be several such threads.
    pub thread: String,
    pub several: bool,
    pub function: String,
    pub file: String,
    pub line: u32,
    /// No thread ever comes here if not.
    pub reached: bool,
    pub facts: Vec<Fact>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// For people: a C expression over the program's variables.
    pub text: String,
    pub fact: Candidate,
}

pub const VERSION: u32 = 3;

/// Why a certificate proves nothing.
#[derive(Debug)]
pub enum Refused {
    /// What does not follow, in words.
    Wrong(String),
    GaveUp(String),
}

pub fn certificate(
    flow: &Flow,
    joins_quiet_steps: bool,
    known: &[(bool, Vec<Candidate>)],
    pairs: Option<Vec<KnownPair>>,
) -> Certificate {
    let place = |(location, (reached, facts)): (&super::flow::Location, &(bool, Vec<Candidate>))| {
        let kind = &flow.kinds[location.kind];
        let at = flow.program.source.location(flow.span(location));
        let mut context = location.context;
        let function = loop {
            let Context { function, caller, .. } = &flow.contexts[context.0 as usize];
            match caller {
                Some((caller, _))
                    if !matches!(flow.program.function(*function).kind, crate::il::FunctionKind::Defined) =>
                {
                    context = *caller;
                }
                _ => break *function,
            }
        };
        Place {
            thread: flow.program.function(kind.function).name.clone(),
            several: kind.many,
            function: flow.program.function(function).name.clone(),
            file: at.file,
            line: at.line,
            reached: *reached,
            facts: facts.iter().map(|fact| Fact { text: text(flow, fact), fact: *fact }).collect(),
        }
    };
    let locations = flow.locations.iter().zip(known).map(place).collect();
    let (errors, exact_array_bytes) = (flow.property.kinds().to_vec(), flow.manner.exact_array_bytes);
    let pair = |((first, second), reached, facts): KnownPair| {
        let text = |fact: &Apart| match *fact {
            Apart::Differ(one, other) => {
                format!("{} of the one != {} of the other", term_text(flow, one), term_text(flow, other))
            }
            Apart::FirstIsNot(term, number) => format!("{} of the one != {number}", term_text(flow, term)),
            Apart::NotBoth([(one, a), (other, b)]) => {
                format!("{} of the one != {a} || {} of the other != {b}", term_text(flow, one), term_text(flow, other))
            }
            Apart::SecondIsNot(term, number) => format!("{} of the other != {number}", term_text(flow, term)),
        };
        let facts = facts.iter().map(|fact| PairFact { text: text(fact), fact: *fact }).collect();
        PairPlace { first, second, reached, facts }
    };
    let pairs = pairs.map(|pairs| pairs.into_iter().map(pair).collect());
    Certificate { version: VERSION, errors, joins_quiet_steps, exact_array_bytes, locations, pairs }
}

impl Certificate {
    /// The property that it is about.
    pub fn property(&self) -> Property {
        Property::new(self.errors.iter().copied())
    }

    /// Does it prove that nothing of what it names can fail?
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<std::result::Result<(), Refused>> {
        let property = self.property();
        let code = Code::looking_for(program, &property);
        let exact_array_bytes = self.exact_array_bytes.min(MOST_BYTES);
        let manner = Manner { follows_failing: false, pairs: self.pairs.is_some(), exact_array_bytes };
        let contended = if self.joins_quiet_steps { contended(program, false) } else { None };
        let (flow, steps) = match Flow::explore(&code, &property, (budget, manner), contended.as_ref())? {
            Ok(explored) => explored,
            Err(reason) => return Ok(Err(Refused::GaveUp(reason))),
        };
        let pairs = self.pairs.iter().flatten().map(|pair| (ordered(pair.first, pair.second), pair)).collect();
        Ok(Checker { flow, steps, certificate: self, pairs, budget }.check())
    }
}

struct Checker<'a, 'p> {
    flow: Flow<'p>,
    steps: Steps,
    certificate: &'a Certificate,
    pairs: FxHashMap<Places, &'a PairPlace>,
    budget: &'a Budget,
}

impl Checker<'_, '_> {
    fn check(&mut self) -> std::result::Result<(), Refused> {
        let wrong = |what: &str| Err(Refused::Wrong(what.to_owned()));
        if self.certificate.version != VERSION {
            return wrong("its version is not the one of this program");
        }
        if self.certificate.locations.len() != self.flow.locations.len() {
            return wrong("it is about a program with another number of locations");
        }
        if self.certificate.errors.is_empty() {
            return wrong("it is about no kind of error");
        }
        if let Some(kind) = self.certificate.errors.iter().find(|kind| !super::CAN_EXCLUDE.contains(kind)) {
            return wrong(&format!("no invariants exclude {}", kind.about()));
        }
        let facts = self.certificate.locations.iter().flat_map(|place| &place.facts);
        if let Some(fact) = facts.into_iter().find(|fact| !fact.fact.terms().all(|term| self.makes_sense(term))) {
            return wrong(&format!("`{}` is about no variable of the program", fact.text));
        }
        let pairs = || self.certificate.pairs.iter().flatten();
        let places = self.certificate.locations.len();
        if pairs().any(|pair| pair.first > pair.second || pair.second >= places) {
            return wrong("it speaks of two threads at places that it does not have");
        }
        let facts = pairs().flat_map(|pair| &pair.facts);
        let own = |term: Term| self.makes_sense(term) && self.is_own(term);
        if let Some(fact) = facts.into_iter().find(|fact| !fact.fact.terms().into_iter().flatten().all(own)) {
            return wrong(&format!("`{}` is not about variables of the two threads", fact.text));
        }
        // The steps are taken out while literals are made of them.
        let Steps { own, others } = std::mem::take(&mut self.steps);
        let start = std::mem::take(&mut self.flow.start);
        let begins = start.target.expect("main begins somewhere");
        self.follows(&[], Vec::new(), begins, View::After(&start, ITSELF), "at the beginning")?;
        for path in &own {
            let before = [(path.from, ITSELF)];
            if let Some(target) = path.target {
                self.follows(&before, vec![path.guard], target, View::After(path, ITSELF), "after a step")?;
            }
            for birth in &path.births {
                let entry = self.flow.kinds[birth.kind].entry;
                self.follows(&before, vec![path.guard], entry, View::Newborn(path, birth), "of a new thread")?;
            }
        }
        for path in &others {
            for at in 0..self.flow.locations.len() {
                let (location, other) = (self.flow.locations[at], self.flow.locations[path.from]);
                let meet = location.kind != other.kind || self.flow.kinds[location.kind].many;
                if location.atomic > 0 || !meet {
                    continue;
                }
                if !self.meet(path.from, at) {
                    continue;
                }
                let mut all = vec![path.guard, different(&mut self.flow, at, path.from)];
                all.extend(self.pair_facts([(at, View::Before(ITSELF)), (path.from, View::Before(OTHER))]));
                let before = [(path.from, OTHER), (at, ITSELF)];
                self.follows(&before, all, at, View::Beside(path), "after a step of another thread")?;
            }
        }
        if self.certificate.pairs.is_some() {
            for duty in pair_duties(&self.flow, &own) {
                self.pair_follows(duty, &own)?;
            }
        }
        for failing in self.flow.failings.clone() {
            if !self.certificate.locations[failing.from].reached {
                continue;
            }
            let mut all = vec![failing.guard];
            all.extend(self.facts(failing.from, View::Before(ITSELF)));
            let what = || {
                let place = self.flow.program.source.location(failing.span);
                format!("it does not exclude: {place}: {}", failing.kind.name())
            };
            let what = what();
            self.cannot(&all, &[TRUE], what)?;
        }
        Ok(())
    }

    /// What is said of a location follows from what is said of others, and some literals.
    fn follows(
        &mut self,
        before: &[(usize, usize)],
        mut all: Vec<Lit>,
        target: usize,
        view: View,
        when: &str,
    ) -> std::result::Result<(), Refused> {
        if before.iter().any(|(location, _)| !self.certificate.locations[*location].reached) {
            return Ok(());
        }
        for (location, copy) in before {
            all.extend(self.facts(*location, View::Before(*copy)));
        }
        let place = &self.certificate.locations[target];
        let any: Vec<Lit> = match place.reached {
            true => self.facts(target, view).iter().map(|lit| -lit).collect(),
            false => vec![TRUE],
        };
        let what = format!("what it says of {}:{} does not hold {when}", place.file, place.line);
        self.cannot(&all, &any, what)
    }

    /// Do two threads ever stand there at the same time, as far as is said?
    fn meet(&self, one: usize, other: usize) -> bool {
        self.pairs.get(&ordered(one, other)).is_none_or(|pair| pair.reached)
    }

    fn pair_facts(&mut self, threads: [(usize, View); 2]) -> Vec<Lit> {
        let Some(pair) = self.pairs.get(&ordered(threads[0].0, threads[1].0)) else { return Vec::new() };
        pair.facts.iter().map(|fact| self.flow.holds_of_both(&fact.fact, threads)).collect()
    }

    /// What is said of two threads follows after a step of one of them.
    fn pair_follows(&mut self, duty: PairDuty, own: &[Path]) -> std::result::Result<(), Refused> {
        let path = &own[duty.path()];
        let mut all = vec![path.guard];
        let mut before = vec![(path.from, ITSELF)];
        if let Some(at) = duty.standing() {
            if !self.meet(path.from, at) {
                return Ok(());
            }
            all.push(different(&mut self.flow, path.from, at));
            all.extend(self.pair_facts([(path.from, View::Before(ITSELF)), (at, View::Before(OTHER))]));
            before.push((at, OTHER));
        }
        if before.iter().any(|(location, _)| !self.certificate.locations[*location].reached) {
            return Ok(());
        }
        for (location, copy) in before {
            all.extend(self.facts(location, View::Before(copy)));
        }
        let threads = duty.threads(&self.flow, own);
        let any: Vec<Lit> = match self.meet(threads[0].0, threads[1].0) {
            true => self.pair_facts(threads).iter().map(|lit| -lit).collect(),
            false => vec![TRUE],
        };
        let place = |at: usize| &self.certificate.locations[at];
        let (one, other) = (place(threads[0].0), place(threads[1].0));
        let what = format!(
            "what it says of two threads at {}:{} and {}:{} does not hold after a step",
            one.file, one.line, other.file, other.line
        );
        self.cannot(&all, &any, what)
    }

    fn facts(&mut self, location: usize, view: View) -> Vec<Lit> {
        let kind = self.flow.locations[location].kind;
        let facts = &self.certificate.locations[location].facts;
        facts.iter().map(|fact| self.flow.holds(&fact.fact, kind, view)).collect()
    }

    fn cannot(&mut self, all: &[Lit], any: &[Lit], what: String) -> std::result::Result<(), Refused> {
        if let Some(reason) = self.budget.exceeded() {
            return Err(Refused::GaveUp(reason));
        }
        match Asker::new(self.budget).ask(&mut self.flow, all, any) {
            Found::Nothing => Ok(()),
            Found::State => Err(Refused::Wrong(what)),
            Found::GaveUp => Err(Refused::GaveUp(crate::budget::TIME_IS_UP.to_owned())),
        }
    }

    /// Nobody else can write it.
    fn is_own(&self, term: Term) -> bool {
        match term {
            Term::Cell(cell) => self.flow.objects[cell.object].private,
            Term::Register { .. } | Term::Id => true,
        }
    }

    /// Whoever wrote it may have made a mistake.
    fn makes_sense(&self, term: Term) -> bool {
        match term {
            Term::Cell(cell) => {
                let object = self.flow.objects.get(cell.object);
                let inside = |width: usize| cell.first.checked_add(cell.width).is_some_and(|end| end <= width);
                (1..=64).contains(&cell.width) && object.is_some_and(|object| inside(object.width))
            }
            Term::Register { register: (context, local), width, .. } => {
                let function = self.flow.contexts.get(context.0 as usize).map(|context| context.function);
                function.is_some_and(|function| {
                    let locals = &self.flow.program.function(function).locals;
                    let in_memory = &self.flow.code.functions[function.0 as usize].in_memory;
                    let known = locals.get(local.0 as usize).filter(|_| !in_memory[local.0 as usize]);
                    known.is_some_and(|local| {
                        self.flow.program.types.size(local.ty) as usize * 8 == width && (1..=64).contains(&width)
                    })
                })
            }
            Term::Id => true,
        }
    }
}

/// A fact as a C expression.
pub fn text(flow: &Flow, fact: &Candidate) -> String {
    let atom = atom_text(flow, &fact.atom);
    match &fact.condition {
        Some(condition) => {
            let relation = condition.relation.opposite();
            format!("{} || {atom}", atom_text(flow, &Atom { relation, ..*condition }))
        }
        None => atom,
    }
}

fn atom_text(flow: &Flow, atom: &Atom) -> String {
    let sign = match atom.relation {
        Relation::Equal => "==",
        Relation::Differs => "!=",
        Relation::Less => "<",
        Relation::AtMost => "<=",
        Relation::Greater => ">",
        Relation::AtLeast => ">=",
    };
    let right = match atom.right {
        Right::Number(number) => address_text(flow, atom.left, number).unwrap_or_else(|| number.to_string()),
        Right::Term(term, 0) => term_text(flow, term),
        Right::Term(term, plus) if plus > 0 => format!("{} + {plus}", term_text(flow, term)),
        Right::Term(term, plus) => format!("{} - {}", term_text(flow, term), -plus),
    };
    format!("{} {sign} {right}", term_text(flow, atom.left))
}

/// A number that is an address of something with a name.
fn address_text(flow: &Flow, left: Term, number: i128) -> Option<String> {
    let pointer = match left {
        Term::Cell(cell) => cell.pointer,
        Term::Register { pointer, .. } => pointer,
        Term::Id => false,
    };
    let object = flow.object_at(u64::try_from(number).ok().filter(|_| pointer)?)?;
    match flow.objects[object].what {
        What::Global(id) => Some(format!("&{}", flow.program.global(id).name)),
        What::Function(id) => Some(flow.program.function(id).name.clone()),
        What::Block(site) => Some(block_text(flow, site)),
        _ => None,
    }
}

/// A block of the heap, named after the place that allocates it.
fn block_text(flow: &Flow, site: SiteId) -> String {
    let site = &flow.sites[site.0 as usize];
    let calls = &site.calls.0;
    let of_user = |call: &&(FunctionId, usize)| matches!(flow.program.function(call.0).kind, FunctionKind::Defined);
    let (function, pc) = calls.iter().find(of_user).unwrap_or(&calls[0]);
    let span = flow.code.functions[function.0 as usize].instructions[*pc].span;
    format!("block_of_line({})", flow.program.source.location(span).line)
}

fn term_text(flow: &Flow, term: Term) -> String {
    let local = |context: super::flow::ContextId, local: crate::il::LocalId| {
        let function = flow.program.function(flow.contexts[context.0 as usize].function);
        let name = &function.locals[local.0 as usize].name;
        if name.is_empty() { format!("{}:{}", function.name, local.0) } else { name.clone() }
    };
    let thread = |kind: usize| flow.program.function(flow.kinds[kind].function).name.clone();
    match term {
        Term::Id => "self()".to_owned(),
        Term::Register { register, .. } => local(register.0, register.1),
        Term::Cell(cell) => match flow.objects[cell.object].what {
            What::Global(id) => {
                let global = flow.program.global(id);
                format!("{}{}", global.name, part_text(&flow.program.types, global.ty, cell.first, cell.width))
            }
            What::Local(context, id) => {
                let function = flow.contexts[context.0 as usize].function;
                let ty = flow.program.function(function).locals[id.0 as usize].ty;
                format!("{}{}", local(context, id), part_text(&flow.program.types, ty, cell.first, cell.width))
            }
            What::Block(site) => {
                let (first, last) = (cell.first / 8, (cell.first + cell.width - 1) / 8);
                format!("bytes({}, {first}, {last})", block_text(flow, site))
            }
            What::Allocated(site) => format!("allocated({})", block_text(flow, site)),
            What::Writer(object, first) => match flow.objects[object].what {
                What::Global(id) => {
                    let global = flow.program.global(id);
                    format!("last_writer({}{})", global.name, part_text(&flow.program.types, global.ty, first, 1))
                }
                _ => "last_writer()".to_owned(),
            },
            What::Exists(context, id) => format!("exists({})", local(context, id)),
            What::Created(kind) => format!("created({})", thread(kind)),
            What::Ended(kind) => format!("ended({})", thread(kind)),
            What::Joined(kind) => format!("joined({})", thread(kind)),
            What::Text(_) | What::Function(_) | What::Blocks => "constant".to_owned(),
        },
    }
}

/// The member or element of a type that lies there.
fn part_text(types: &Types, ty: TypeId, first: usize, width: usize) -> String {
    match types.get(types.unqualified(ty)) {
        Type::Record(id) => {
            let fits = |field: &&crate::il::types::Field| {
                let (start, size) = match field.bits {
                    Some(bits) => (field.offset as usize * 8 + bits.shift as usize, bits.width as usize),
                    None => (field.offset as usize * 8, types.size(field.ty) as usize * 8),
                };
                start <= first && first + width <= start + size
            };
            match types.record(*id).fields.iter().find(fits) {
                Some(field) => {
                    let name = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
                    let inner = if field.bits.is_some() { 0 } else { first - field.offset as usize * 8 };
                    let rest =
                        if field.bits.is_some() { String::new() } else { part_text(types, field.ty, inner, width) };
                    name + &rest
                }
                None => String::new(),
            }
        }
        Type::Array(element, _) => {
            let size = types.size(*element) as usize * 8;
            if size == 0 {
                return String::new();
            }
            format!("[{}]{}", first / size, part_text(types, *element, first % size, width))
        }
        _ => String::new(),
    }
}
