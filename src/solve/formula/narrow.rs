//! Which values every term can have within the rounds: the same walk over rounds, threads and steps as the formula,
//! with ranges instead of values.
//!
//! A step may run in any round, so what it reads grows from round to round by what the others wrote in between. It
//! never grows without end, because the number of rounds is bounded.

use super::execute::{Action, Event, Executed, Followed};
use super::memory::{Home, Memory};
use super::range::Range;
use super::term::{Op, TermId, Terms, transfer};
use super::{EncodeError, Patience};
use crate::diagnostic::Span;

/// Conditions are taken apart into so many parts.
const MOST_PARTS: usize = 256;

/// One address that an event may go to.
pub struct Target {
    pub address: i128,
    /// The shared cells that it touches.
    pub cells: std::ops::Range<usize>,
    /// It is exactly one cell.
    pub exact: bool,
    /// Bytes from the beginning of the first cell to the address.
    pub skip: u64,
}

pub struct Narrowed {
    pub ranges: Vec<Range>,
    /// A pointer may be read that nobody wrote.
    pub unwritten_pointers: bool,
    /// What may be larger than it is followed, with the size up to which it is.
    pub too_long: Vec<(Span, Followed, u64)>,
}

impl Narrowed {
    pub fn range(&self, id: TermId) -> &Range {
        &self.ranges[id.0 as usize]
    }
}

/// Where an event may go to.
pub fn targets(memory: &Memory, event: &Event, addresses: &Range) -> Vec<Target> {
    let mut out = Vec::new();
    for (address, index) in memory.candidates(addresses, &event.objects, event.size) {
        let object = &memory.objects[index];
        let Home::Shared(first) = object.home else { continue };
        let offset = (address - object.base) as u64;
        match event.action {
            Action::Read(_) | Action::Write(_) => {
                let cells = object.cells_of(offset, event.size);
                let skip = offset - object.cells[cells.start].offset;
                let exact = object.exact(offset, event.size).is_some();
                out.push(Target { address, cells: first + cells.start..first + cells.end, exact, skip });
            }
            Action::ReadFreed(_) | Action::Free => {
                let Some(cell) = memory.freed_cells.get(&index) else { continue };
                if event.action == Action::Free && offset != 0 {
                    continue;
                }
                out.push(Target { address, cells: *cell..*cell + 1, exact: true, skip: 0 });
            }
        }
    }
    out
}

/// `order` is that of the threads within a round, creators before those that they create; `may_run` says whether a thread
/// can take a step in a round.
pub fn narrow(
    executed: &Executed,
    rounds: u32,
    order: &[usize],
    may_run: &dyn Fn(usize, u32, u32) -> bool,
    patience: &mut Patience,
) -> Result<Narrowed, EncodeError> {
    let terms = &executed.terms.list;
    let mut ranges: Vec<Range> = Vec::with_capacity(terms.len());
    for term in terms {
        ranges.push(match term.op {
            Op::Constant(value) => Range::constant(value),
            Op::Input(_) => term.kind.range(),
            _ => Range::empty(),
        });
    }
    let kinds = cell_kinds(&executed.memory);
    // Memory that nobody has allocated yet is zero in the formula. A step that runs may look there in a branch that it does
    // not take, and must find what its range allows, or it could not run at all.
    let nothing = Range::constant(0);
    let content = |id: &Option<TermId>| id.map_or_else(|| nothing.clone(), |id| ranges[id.0 as usize].clone());
    let mut memory: Vec<Range> = executed.initial.iter().map(content).collect();
    let sets = executed.terms.sets();
    let unwritten = |cell: usize| executed.initial[cell].is_some_and(|id| executed.terms.is_unwritten_pointer(id));
    let mut unwritten_pointers = false;
    let compute = |ranges: &mut Vec<Range>, from: u32, to: u32| {
        for index in from as usize..to as usize {
            let term = &terms[index];
            if matches!(term.op, Op::Constant(_) | Op::Input(_) | Op::Read(_)) {
                continue;
            }
            let range = transfer(term, |id| &ranges[id.0 as usize], sets, None);
            if range != ranges[index] {
                ranges[index] = ranges[index].join(&range);
            }
        }
    };
    let first = executed.threads.first().map_or(0, |log| log.terms.0);
    compute(&mut ranges, 0, first);
    for round in 0..rounds {
        for thread in order {
            let log = &executed.threads[*thread];
            let mut done = log.terms.0;
            for event in &log.events {
                patience.spend(10 + (event.mark - done) as usize)?;
                compute(&mut ranges, done, event.mark);
                done = event.mark;
                // The first step of `main` is taken at the very beginning.
                let first_step = *thread == 0 && event.step == 0;
                let guard = &ranges[event.guard.0 as usize];
                let never = (first_step && round > 0) || !may_run(*thread, round, event.step);
                if guard.is_empty() || guard.single() == Some(0) || never {
                    continue;
                }
                let certain = first_step && guard.single() == Some(1);
                let targets = targets(&executed.memory, event, &ranges[event.address.0 as usize]);
                match event.action {
                    Action::Read(value) | Action::ReadFreed(value) => {
                        let kind = terms[value.0 as usize].kind;
                        let mut range = ranges[value.0 as usize].clone();
                        let may_be_unwritten =
                            !unwritten_pointers && targets.iter().any(|target| target.cells.clone().any(unwritten));
                        unwritten_pointers |= may_be_unwritten && !written_before(&executed.terms, &log.events, event);
                        for target in &targets {
                            let content =
                                if target.exact { memory[target.cells.start].wrap(kind) } else { kind.range() };
                            range = range.join(&content);
                        }
                        // Where the address is nowhere, nothing constrains it.
                        if targets.is_empty() {
                            range = range.join(&Range::constant(0));
                        }
                        ranges[value.0 as usize] = range;
                    }
                    Action::Write(value) => {
                        for target in &targets {
                            for cell in target.cells.clone() {
                                let content = if target.exact {
                                    ranges[value.0 as usize].wrap(kinds[cell])
                                } else {
                                    kinds[cell].range()
                                };
                                memory[cell] = if certain && targets.len() == 1 && target.exact {
                                    content
                                } else {
                                    memory[cell].join(&content)
                                };
                            }
                        }
                    }
                    Action::Free => {
                        for target in &targets {
                            memory[target.cells.start] = memory[target.cells.start].join(&Range::constant(1));
                        }
                    }
                }
            }
            compute(&mut ranges, done, log.terms.1);
        }
    }
    if !unwritten_pointers && !executed.unwritten_pointers.is_empty() {
        let bits = executed.terms.unwritten_within(&ranges);
        let mut reads = executed.unwritten_pointers.iter();
        unwritten_pointers = reads
            .any(|(address, at, content)| bits[content.0 as usize] != 0 && ranges[address.0 as usize].contains(*at));
    }
    let longer = executed.too_long.iter().filter(|cut| ranges[cut.size.0 as usize].high() > i128::from(cut.most));
    let too_long = longer.map(|cut| (cut.span, cut.what, cut.most)).collect();
    Ok(Narrowed { ranges, unwritten_pointers, too_long })
}

/// Has the thread itself written there, wherever it comes to read there?
fn written_before(terms: &Terms, events: &[Event], read: &Event) -> bool {
    let earlier = events.iter().take_while(|event| !std::ptr::eq(*event, read));
    let mut there = earlier.filter(|event| (event.address, event.size) == (read.address, read.size));
    there.any(|event| matches!(event.action, Action::Write(_)) && implies(terms, read.guard, event.guard))
}

/// Is a condition one of those that another one joins?
fn implies(terms: &Terms, whole: TermId, part: TermId) -> bool {
    let mut open = vec![whole];
    for _ in 0..MOST_PARTS {
        let Some(id) = open.pop() else { return false };
        if id == part || terms.as_constant(part) == Some(1) {
            return true;
        }
        if let Op::And(a, b) = terms.list[id.0 as usize].op {
            open.extend([a, b]);
        }
    }
    false
}

/// The kinds of all shared cells.
pub fn cell_kinds(memory: &Memory) -> Vec<super::range::Kind> {
    let mut kinds = vec![super::range::Kind::BOOL; memory.shared_cells];
    for object in &memory.objects {
        if let Home::Shared(first) = object.home {
            for (index, cell) in object.cells.iter().enumerate() {
                kinds[first + index] = cell.kind;
            }
        }
    }
    kinds
}
