//! One attempt after the other: bound the program, ask the engine, explain what it found, say what is established.

use super::CheckOptions;
use super::assumed::{Assumed, has_limits, printed};
use super::report::{Bug, Report, failure_line, other_error};
use crate::analysis::lifetime;
use crate::analysis::race::{Cleared, Suspects};
use crate::budget::{Budget, TIME_IS_UP};
use crate::diagnostic::{Diagnostic, Span};
use crate::execution::Execution;
use crate::il::interpret::{Executed, Failure, FailureKind};
use crate::isolate::Normalized;
use crate::limit::{Bounded, BoundingOptions, CutKind, LimitError, limit};
use crate::property::{ErrorKind, Property};
use crate::restriction::Restriction;
use crate::sequentialize::complete_order;
use crate::solve::embedded::{Embedded, Parking};
use crate::solve::{Answer, Engine, LeftOut, Progress, Question, Scope};
use crate::verdict::{Bounds, Completed, Verdict};
use crate::witness::document::OtherError;
use crate::witness::follow::Astray;
use crate::witness::{self, trace::Trace};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

pub struct Search<'a> {
    pub program: &'a Normalized,
    pub options: &'a CheckOptions,
    /// What is looked for, but for what was found.
    pub property: Property,
    pub assumed: Assumed,
    /// Which accesses may race.
    pub suspects: Suspects,
    pub engine: Box<dyn Engine>,
    /// Another one for what is hard.
    pub second: Option<Box<dyn Engine>>,
    pub done: Vec<Completed>,
    /// What was found, if the search goes on after that.
    pub found: Vec<Bug>,
    /// What is undefined and not looked for, where executions were found that fail only after it.
    pub past: Vec<Failure>,
    /// Why the last bounds were not completed.
    pub reason: Option<String>,
    pub warned: bool,
    /// Uses of locals after their end, which formulas do not see; found when somebody asks.
    pub dangling: OnceLock<Vec<String>>,
}

pub enum Attempt {
    /// There is no bug within these bounds, or nothing new to see.
    Done,
    Decided(Box<Report>),
    /// All bounds are covered; only the states may know more, if it is no proof.
    Complete(Box<Report>),
    Stopped(String),
    /// What was found is no answer, because it fails in this way first, which is not looked for; other bounds, or the
    /// states, may give one.
    Skipped(Failure),
}

/// Why an execution that fails has no explanation.
pub enum Unexplained {
    GaveUp(String),
    /// In a way that is not looked for.
    FailsFirst(Failure),
    Doubtful(Box<Report>),
}

/// What stays the same, whoever searches.
pub struct Basis<'a> {
    pub program: &'a Normalized,
    pub property: Property,
    pub assumed: Assumed,
    pub suspects: Suspects,
    pub parking: Arc<Parking>,
}

impl<'a> Search<'a> {
    pub fn new(basis: &Basis<'a>, options: &'a CheckOptions) -> Search<'a> {
        Search {
            program: basis.program,
            options,
            property: basis.property.clone(),
            assumed: basis.assumed.clone(),
            suspects: basis.suspects.clone(),
            engine: options.engine.engine(options, &basis.parking),
            second: options.engine.second_engine(&basis.parking),
            done: Vec::new(),
            found: Vec::new(),
            past: Vec::new(),
            reason: None,
            warned: false,
            dangling: OnceLock::new(),
        }
    }
}

impl Search<'_> {
    pub fn new_report(&self, verdict: Verdict) -> Report {
        Report::new(verdict, &self.options.property, &self.assumed)
    }

    /// What the completed bounds say.
    pub fn report(&self) -> Report {
        let reason = self.reason.clone();
        match Completed::largest(&self.done) {
            Some(Completed { bounds, cuts }) => {
                Report { bounds: Some(*bounds), not_followed: cuts.clone(), reason, ..self.new_report(Verdict::NoBug) }
            }
            None => Report { reason, ..self.new_report(Verdict::Unknown) },
        }
    }

    /// Every execution was followed to its end, and none fails.
    pub fn all_followed(&self) -> Report {
        let proved = self.assumed.against_proof.is_empty() && self.assumed.about_values.is_empty();
        self.new_report(if proved { Verdict::Proved } else { Verdict::NoBug })
    }

    /// Data races alone are looked for, and no two accesses can race: not before something else is undefined, that is.
    pub fn cannot_race(&self, cleared: Cleared) -> Report {
        let mut assumed = self.assumed.clone();
        assumed.about_values.clear();
        assumed.stated.push(
            "no other undefined behaviour comes before (memory, locks and threads are not looked for)".to_owned(),
        );
        let verdict = if assumed.against_proof.is_empty() { Verdict::Proved } else { Verdict::NoBug };
        Report { races: Some(cleared), ..Report::new(verdict, &self.options.property, &assumed) }
    }

    /// Of all states that the interpreter knows, that is.
    pub fn all_states_followed(&self) -> Report {
        let unseen = lifetime::may_be_taken_for_the_next(self.program);
        if unseen.is_empty() {
            return self.all_followed();
        }
        let not_followed = unseen.iter().map(|(name, span)| {
            let place = self.program.source.location(*span);
            format!("uses of {name} ({place}) after its block or its iteration has ended")
        });
        Report { not_followed: not_followed.collect(), ..self.new_report(Verdict::NoBug) }
    }

    /// What these bounds leave out.
    pub fn not_followed(&self, bounded: &Bounded) -> Vec<String> {
        let leaks = self.property.asks_what_is_left().then(|| LEAKS.to_owned());
        let dangling = self.dangling().iter().cloned();
        bounded.cut_lines().into_iter().chain(leaks).chain(dangling).chain(self.past_lines()).collect()
    }

    fn dangling(&self) -> &[String] {
        self.dangling.get_or_init(|| {
            let place = |span| self.program.source.location(span);
            let line =
                |(name, span): &(String, Span)| format!("uses of {name} ({}) after its scope has ended", place(*span));
            lifetime::may_be_used_after_their_end(self.program).iter().map(line).collect()
        })
    }

    /// Can executions that fail in this way be left out? Once only, and not of emitted programs.
    fn looks_past(&self, failure: &Failure) -> bool {
        !self.options.engine.emits() && !self.past.iter().any(|past| past.is_same(failure))
    }

    fn past_lines(&self) -> impl Iterator<Item = String> {
        self.past.iter().map(|failure| format!("what comes after {}", failure_line(self.program, failure)))
    }

    pub fn bounding(&self, bounds: Bounds, property: &Property) -> BoundingOptions {
        let Bounds { unwind, unwind_max, .. } = bounds;
        let keep_loops = self.options.engine.keeps_loops();
        BoundingOptions {
            unwind,
            unwind_max,
            keep_loops,
            property: property.clone(),
            errors_close_steps: self.options.engine.emits(),
            ..self.options.bounding.clone()
        }
    }

    /// Our own mistake: nothing is said about the program, and all is kept that helps to find it.
    pub fn doubtful(&self, found: &str, details: &str, doubt: String) -> Report {
        let mut attachment = format!("unthread {}\n{found}\n{doubt}\n{details}\n", env!("CARGO_PKG_VERSION"));
        let source = &self.program.source;
        attachment += &format!("---- {}, preprocessed ----\n{}\n", source.name, source.text);
        let reason = format!("{doubt}; this is a bug in unthread, please report it");
        Report { attachment: Some(attachment), reason: Some(reason), ..self.new_report(Verdict::Unknown) }
    }

    /// The trace of an execution, on the whole program.
    pub fn explain(
        &self,
        execution: &Execution,
        budget: &Budget,
        found: &str,
    ) -> Result<(Trace, Failure), Unexplained> {
        let explained = witness::explain(self.program, execution, &self.property, budget);
        explained.map_err(|astray| match astray {
            Astray::GaveUp(reason) => Unexplained::GaveUp(reason),
            Astray::Fails(failure) => Unexplained::FailsFirst(failure),
            Astray::Elsewhere(why) => {
                let doubt = format!("the execution found is not one of the whole program ({why})");
                let line = |executed: &Executed| {
                    format!("thread {} statement {} {:?}\n", executed.thread, executed.origin, executed.events)
                };
                let record: String = execution.record.iter().map(line).collect();
                Unexplained::Doubtful(Box::new(self.doubtful(found, &record, doubt)))
            }
        })
    }

    /// As often as errors are found after which the search goes on, or executions that are undefined before they fail.
    pub fn attempts(
        &mut self,
        asked: (Bounds, usize),
        until: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Attempt, Diagnostic> {
        loop {
            match self.attempt(asked, until, tell)? {
                Attempt::Decided(report) if self.goes_on(&report, tell) => {}
                Attempt::Skipped(failure) if self.looks_past(&failure) => self.past.push(failure),
                attempt => return Ok(attempt),
            }
        }
    }

    fn attempt(
        &mut self,
        (bounds, visit): (Bounds, usize),
        until: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Attempt, Diagnostic> {
        let options = self.options;
        let start = Instant::now();
        let budget = Budget { until, ..options.budget };
        if visit > 1
            && let Some(attempt) = self.ask_for_assertions((bounds, visit), &budget, tell)?
        {
            return Ok(attempt);
        }
        let property = self.property.past(&self.past);
        let bounded = match limit(self.program, &self.bounding(bounds, &property), &budget) {
            Ok(bounded) => bounded,
            Err(LimitError::Unsupported(diagnostic)) => return Err(diagnostic),
            Err(LimitError::GaveUp(reason)) => return Ok(Attempt::Stopped(reason)),
            Err(LimitError::TooLarge { statements }) => {
                self.reason = Some(format!("with larger bounds the program has more than {statements} statements"));
                return Ok(Attempt::Done);
            }
        };
        if !self.warned && !bounded.without_loop.is_empty() {
            tell(Progress::NoSuchLoop(bounded.without_loop.clone()));
        }
        self.warned = true;
        let order = complete_order(&bounded, &options.order)?;
        let needed = rounds_needed(&bounded, &order);
        let bounds = Bounds { rounds: bounds.rounds.min(needed), ..bounds };
        if self.done.iter().any(|done| done.covers(&bounds)) {
            return Ok(Attempt::Done);
        }
        let steps = bounded.threads.iter().map(|thread| thread.steps).sum();
        tell(Progress::Trying { bounds, threads: bounded.threads.len(), steps });
        let scope = Scope::Bounded { threads: &bounded, bounds, order: &order, restriction: &Restriction::All };
        let question = Question { program: self.program, property: &property, suspects: &self.suspects, scope, budget };
        let answer = ask((self.engine.as_mut(), &mut self.second), &question, visit, tell)?;
        let left_out = match &answer {
            Answer::NoBugBut(left_out) => Some(left_out.clone()),
            _ => None,
        };
        Ok(match answer {
            Answer::NoBug | Answer::NoBugBut(_) => {
                tell(Progress::Done { bounds, seconds: start.elapsed().as_secs_f64() });
                // Nothing was left out, and no execution needs more rounds.
                let cut = !bounded.cuts.is_empty() || left_out.as_ref().is_some_and(|left_out| left_out.by_bounds);
                if !cut && bounds.rounds >= needed {
                    return Ok(Attempt::Complete(Box::new(self.complete(bounds, left_out, tell))));
                }
                self.reason = None;
                let cuts = self.not_followed(&bounded).into_iter().chain(lines_of(left_out)).collect();
                self.done.push(Completed { bounds, cuts });
                if let Some(largest) = Completed::largest(&self.done) {
                    tell(Progress::Established(largest.clone()));
                }
                Attempt::Done
            }
            Answer::Bug(execution) => {
                let all = execution.map_or_else(Vec::new, |first| match options.gathers() {
                    true => gather(self.engine.as_mut(), &question, *first, start.elapsed()),
                    false => vec![*first],
                });
                self.bug(&all, &bounded, bounds, (&budget, tell))?
            }
            Answer::NotYet(reason) => Attempt::Stopped(reason),
            Answer::GivenUp(reason) => {
                Attempt::Decided(Box::new(Report { reason: Some(reason), ..self.new_report(Verdict::Unknown) }))
            }
            Answer::FailsOtherwise(failure) => Attempt::Skipped(failure),
            Answer::Doubtful { why, details } => {
                Attempt::Decided(Box::new(self.doubtful(&bounds.to_string(), &details, why)))
            }
        })
    }

    /// Bounds that were too hard for all kinds of errors are asked about assertions alone when they come again: more
    /// kinds must not lose a bug that fewer find. `None` if there is no such bug.
    fn ask_for_assertions(
        &mut self,
        (bounds, visit): (Bounds, usize),
        budget: &Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Attempt>, Diagnostic> {
        let assertions = self.property.only(ErrorKind::Assertion);
        if assertions.kinds().is_empty() || self.property == assertions {
            return Ok(None);
        }
        let Ok(bounded) = limit(self.program, &self.bounding(bounds, &assertions), budget) else { return Ok(None) };
        let order = complete_order(&bounded, &self.options.order)?;
        let bounds = Bounds { rounds: bounds.rounds.min(rounds_needed(&bounded, &order)), ..bounds };
        let scope = Scope::Bounded { threads: &bounded, bounds, order: &order, restriction: &Restriction::All };
        let question =
            Question { program: self.program, property: &assertions, suspects: &self.suspects, scope, budget: *budget };
        let answer = ask((self.engine.as_mut(), &mut self.second), &question, visit, tell)?;
        Ok(match answer {
            Answer::Bug(execution) => {
                let all = execution.map_or_else(Vec::new, |execution| vec![*execution]);
                Some(self.bug(&all, &bounded, bounds, (budget, tell))?)
            }
            Answer::NotYet(reason) => Some(Attempt::Stopped(reason)),
            Answer::NoBug | Answer::NoBugBut(_) => None,
            Answer::GivenUp(_) | Answer::FailsOtherwise(_) | Answer::Doubtful { .. } => None,
        })
    }

    pub fn fails_first(&self, failure: &Failure) -> String {
        format!("the execution found fails in another way first: {}", failure_line(self.program, failure))
    }

    /// What was found leads to a report about the first that can be explained; none if the verifier gave no trace.
    fn bug(
        &mut self,
        all: &[Execution],
        bounded: &Bounded,
        bounds: Bounds,
        (budget, tell): (&Budget, &mut dyn FnMut(Progress)),
    ) -> Result<Attempt, Diagnostic> {
        let mut explained = None;
        if let Some((lead, others)) = all.split_first() {
            let (mut trace, failure) = match self.explain(lead, budget, &bounds.to_string()) {
                Ok(explained) => explained,
                Err(Unexplained::GaveUp(reason)) => return Ok(Attempt::Stopped(reason)),
                Err(Unexplained::FailsFirst(_)) if !others.is_empty() => {
                    return self.bug(others, bounded, bounds, (budget, tell));
                }
                Err(Unexplained::FailsFirst(failure)) => return Ok(Attempt::Skipped(failure)),
                Err(Unexplained::Doubtful(report)) => return Ok(Attempt::Decided(report)),
            };
            if !trace.rests_on.is_empty() {
                trace = self.without_unknown_functions(bounds, budget, tell).unwrap_or(trace);
            }
            explained = Some((trace, failure));
        }
        let (trace, failure) = explained.unzip();
        let others = self.others(all.get(1..).unwrap_or_default(), failure.as_ref(), budget);
        let bug = Bug { trace, failure, bounds: Some(bounds), states: None };
        Ok(Attempt::Decided(Box::new(Report {
            bounds: Some(bounds),
            not_followed: self.not_followed(bounded),
            bugs: vec![bug],
            others,
            ..self.new_report(Verdict::Bug)
        })))
    }

    /// A line for each of these executions that is one of the whole program.
    pub fn others(&self, executions: &[Execution], lead: Option<&Failure>, budget: &Budget) -> Vec<OtherError> {
        let mut told: Vec<OtherError> = Vec::new();
        let lead = lead.map(|failure| other_error(self.program, failure));
        for execution in executions {
            let Ok(failure) = witness::confirm(self.program, execution, &self.property, budget) else { continue };
            let error = other_error(self.program, &failure);
            let known = |other: &OtherError| (&other.kind, &other.place) == (&error.kind, &error.place);
            let same_race = |other: &OtherError| error.kind == "data race" && other.message != error.message;
            if !told.iter().chain(&lead).any(|other| known(other) && !same_race(other)) {
                told.push(error);
            }
        }
        told
    }

    /// The answer, if errors were found on the way to it: the rest is about what else there is.
    pub fn with_what_was_found(&mut self, rest: Report) -> Report {
        if self.found.is_empty() {
            return rest;
        }
        let bugs = std::mem::take(&mut self.found);
        Report { verdict: Verdict::Bug, bugs, ..rest }
    }

    /// Remembers what was found; does the search go on? Only if that is wanted, and if it is new.
    pub fn goes_on(&mut self, report: &Report, tell: &mut dyn FnMut(Progress)) -> bool {
        if !self.options.keep_going || report.verdict != Verdict::Bug {
            return false;
        }
        for bug in &report.bugs {
            let Some(failure) = bug.failure.as_ref().filter(|failure| self.property.wants(failure)) else {
                return false;
            };
            self.property = self.property.beside(failure);
            let place = |bug: &Bug| bug.failure.as_ref().map(|failure| other_error(self.program, failure));
            let same = |other: &Bug| match (place(other), place(bug)) {
                (Some(a), Some(b)) => (a.kind, a.place, a.message) == (b.kind, b.place, b.message),
                _ => false,
            };
            if !self.found.iter().any(same) {
                tell(Progress::Found(Box::new(bug.clone())));
                self.found.push(bug.clone());
            }
        }
        true
    }

    /// The bug that was found rests on what a function without body returned. One that does not is better.
    fn without_unknown_functions(
        &mut self,
        bounds: Bounds,
        budget: &Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Option<Trace> {
        let property = &self.property;
        let options = BoundingOptions { stop_at_unknown_functions: true, ..self.bounding(bounds, property) };
        let bounded = limit(self.program, &options, budget).ok()?;
        let order = complete_order(&bounded, &self.options.order).ok()?;
        let scope = Scope::Bounded { threads: &bounded, bounds, order: &order, restriction: &Restriction::All };
        let question = Question { program: self.program, property, suspects: &self.suspects, scope, budget: *budget };
        match self.engine.ask(&question, tell) {
            Ok(Answer::Bug(Some(execution))) => {
                self.explain(&execution, budget, "without unknown functions").ok().map(|(trace, _)| trace)
            }
            _ => None,
        }
    }

    /// No execution that was followed fails. Was each followed to its end? Where an operation is undefined, and that
    /// kind of error is not looked for, it was not: so these are looked for once, with the same bounds.
    fn complete(&mut self, bounds: Bounds, left_out: Option<LeftOut>, tell: &mut dyn FnMut(Progress)) -> Report {
        if !self.dangling().is_empty() {
            let not_followed = self.dangling().to_vec();
            return Report { bounds: Some(bounds), not_followed, ..self.new_report(Verdict::NoBug) };
        }
        if let Some(span) = printed(self.program) {
            let place = self.program.source.location(span);
            let not_followed = vec![format!("whether the text that is printed in {place} ends in its memory")];
            return Report { bounds: Some(bounds), not_followed, ..self.new_report(Verdict::NoBug) };
        }
        let reuse = self.program.told.reuse.map(|span| {
            let place = self.program.source.location(span);
            format!("memory that is freed and given out again, which {place} could tell from other memory")
        });
        let leaks = self.property.asks_what_is_left().then(|| LEAKS.to_owned());
        let not_followed: Vec<String> =
            reuse.into_iter().chain(leaks).chain(lines_of(left_out)).chain(self.past_lines()).collect();
        if !not_followed.is_empty() {
            return Report { bounds: Some(bounds), not_followed, ..self.new_report(Verdict::NoBug) };
        }
        let all = Report { bounds: Some(bounds), ..self.all_followed() };
        let wider = self.property.with_what_is_not_followed(has_limits(self.program));
        let Some(wider) = wider.filter(|_| all.verdict == Verdict::Proved) else { return all };
        let not_followed = match self.ask_about(bounds, &wider, &self.options.budget, tell) {
            Ok(Answer::NoBug) => return all,
            Ok(Answer::NoBugBut(left_out)) => left_out.to_string(),
            Ok(Answer::Bug(Some(execution))) => {
                format!("what comes after {}", failure_line(self.program, &execution.failure))
            }
            Ok(Answer::FailsOtherwise(failure)) => {
                format!("what comes after {}", failure_line(self.program, &failure))
            }
            Ok(Answer::NotYet(reason) | Answer::GivenUp(reason) | Answer::Doubtful { why: reason, .. }) => {
                format!("undefined behaviour was not looked for ({reason})")
            }
            Ok(Answer::Bug(None)) => "undefined behaviour was not looked for".to_owned(),
            Err(diagnostic) => format!("undefined behaviour was not looked for ({})", diagnostic.message),
        };
        Report { bounds: Some(bounds), not_followed: vec![not_followed], ..self.new_report(Verdict::NoBug) }
    }

    /// The embedded engine looks for all kinds of errors.
    fn ask_about(
        &self,
        bounds: Bounds,
        property: &Property,
        budget: &Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Answer, Diagnostic> {
        let options = BoundingOptions { keep_loops: false, ..self.bounding(bounds, property) };
        let bounded = match limit(self.program, &options, budget) {
            Ok(bounded) => bounded,
            Err(LimitError::Unsupported(diagnostic)) => return Err(diagnostic),
            Err(LimitError::GaveUp(reason)) => return Ok(Answer::NotYet(reason)),
            Err(LimitError::TooLarge { .. }) => return Ok(Answer::GivenUp("the program is too large".to_owned())),
        };
        let order = complete_order(&bounded, &self.options.order)?;
        let rounds = rounds_needed(&bounded, &order);
        let bounds = Bounds { rounds, ..bounds };
        let scope = Scope::Bounded { threads: &bounded, bounds, order: &order, restriction: &Restriction::All };
        let question = Question { program: self.program, property, suspects: &self.suspects, scope, budget: *budget };
        let answer = Embedded::default().ask(&question, tell)?;
        Ok(match answer {
            Answer::NoBug | Answer::NoBugBut(_) if !bounded.cuts.is_empty() => {
                Answer::GivenUp("not all of it is within the bounds".to_owned())
            }
            other => other,
        })
    }
}

/// The lines of a report about it.
fn lines_of(left_out: Option<LeftOut>) -> impl Iterator<Item = String> {
    left_out.into_iter().flat_map(|left_out| left_out.what)
}

/// Bounds that come again are hard: a second solver, which is tuned for formulas that hold, tries them as well, and who had
/// to leave goes on from where it was. Both get the same time in all.
fn ask(
    (first, second): (&mut dyn Engine, &mut Option<Box<dyn Engine>>),
    question: &Question,
    visit: usize,
    tell: &mut dyn FnMut(Progress),
) -> Result<Answer, Diagnostic> {
    let Some(second) = second.as_mut().filter(|_| visit > 1) else { return first.ask(question, tell) };
    let left = question.budget.until.saturating_duration_since(Instant::now());
    // The first one has had a slice of its own, a third of this one. It may be nearly done, and so begins.
    let turns: &[(Turn, u32)] = match visit {
        2 => &[(Turn::First, 1), (Turn::Second, 6), (Turn::First, 2)],
        _ => &[(Turn::First, 1), (Turn::Second, 1)],
    };
    let parts: u32 = turns.iter().map(|(_, part)| part).sum();
    let mut until = question.budget.until - left;
    let mut answer = Answer::NotYet(TIME_IS_UP.to_owned());
    for (turn, part) in turns {
        until += left * *part / parts;
        let for_a_while = Question { budget: Budget { until, ..question.budget }, ..*question };
        answer = match turn {
            Turn::First => first.ask(&for_a_while, tell)?,
            Turn::Second => second.ask(&for_a_while, tell)?,
        };
        if !matches!(answer, Answer::NotYet(_)) || question.budget.exceeded().is_some() {
            break;
        }
    }
    Ok(answer)
}

/// Whose turn it is with bounds that are hard.
enum Turn {
    First,
    Second,
}

/// Formulas know nothing of them.
pub const LEAKS: &str = "memory left at the end: only the states that are visited one by one show it";

/// So many errors are told in a line each.
const MOST_OTHERS: usize = 16;
/// And so long is looked for them.
const LEAST_TIME: Duration = Duration::from_millis(300);
const MOST_TIME: Duration = Duration::from_secs(3);

/// What fails visibly comes before the race behind it; then the kinds in their order, then the places.
fn rank(execution: &Execution) -> (bool, Option<ErrorKind>, Span) {
    let failure = &execution.failure;
    (failure.kind == FailureKind::Race, ErrorKind::of(failure.kind), failure.span)
}

/// What else the engine finds, the first included, what should be told first in front. `spent`: finding the first took so
/// long.
pub fn gather(engine: &mut dyn Engine, question: &Question, first: Execution, spent: Duration) -> Vec<Execution> {
    let until = question.budget.until.min(Instant::now() + spent.clamp(LEAST_TIME, MOST_TIME));
    let budget = Budget { until, ..question.budget };
    let mut property = question.property.beside(&first.failure);
    let mut all = vec![first];
    while all.len() <= MOST_OTHERS {
        match engine.ask(&Question { property: &property, budget, ..*question }, &mut |_| {}) {
            Ok(Answer::Bug(Some(execution))) => {
                property = property.beside(&execution.failure);
                all.push(*execution);
            }
            _ => break,
        }
    }
    all.sort_by_key(rank);
    all
}

/// No execution of these threads needs more rounds.
///
/// A round ends when the next thread stands earlier in the order. That thread is not the last of the order, and the
/// thread before it is not the first; every context has a step.
fn rounds_needed(bounded: &Bounded, order: &[usize]) -> u32 {
    let steps = |thread: &usize| bounded.threads[*thread].steps;
    let total: u32 = order.iter().map(steps).sum();
    let most = order.first().map_or(0, steps).max(order.last().map_or(0, steps));
    let loops = bounded.cuts.iter().any(|cut| cut.kind == CutKind::KeptLoop);
    if loops { u32::MAX } else { 1 + total - most }
}
