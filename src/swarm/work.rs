//! Does instances of a plan: the program is read and bounded once, then every instance is a question of its own.

use super::plan::{Plan, Wave};
use super::results::{Batch, Done, Outcome};
use crate::budget::{Budget, INTERRUPTED, TIME_IS_UP};
use crate::check::search::{Basis, Search, Unexplained};
use crate::check::{CheckOptions, EngineChoice, assumed, suspects};
use crate::isolate::Normalized;
use crate::limit::{Bounded, LimitError, limit};
use crate::sequentialize::complete_order;
use crate::solve::embedded::Embedded;
use crate::solve::{Answer, Engine, Progress, Question, Scope};
use crate::verdict::Bounds;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Results are written at least so often.
const SAVED: Duration = Duration::from_secs(1);
/// Explaining what was found takes a moment.
const EXPLAINING: Duration = Duration::from_secs(60);

/// A program that was bounded as its plan says.
pub struct Prepared<'p> {
    pub search: Search<'p>,
    pub bounded: Bounded,
    bounds: Bounds,
    order: Vec<usize>,
}

pub fn basis<'p>(program: &'p Normalized, options: &CheckOptions) -> Basis<'p> {
    let (suspects, _) = suspects(program, &options.property);
    let assumed = assumed(program, options);
    Basis { program, property: options.property.clone(), assumed, suspects, parking: Arc::default() }
}

pub fn prepare<'p>(basis: &Basis<'p>, options: &'p CheckOptions, bounds: Bounds) -> Result<Prepared<'p>, String> {
    let search = Search::new(basis, options);
    let source = &basis.program.source;
    let bounded = limit(basis.program, &search.bounding(bounds, &basis.property), &options.budget);
    let bounded = bounded.map_err(|error| match error {
        LimitError::Unsupported(diagnostic) => diagnostic.render(Some(source)),
        LimitError::TooLarge { statements } => {
            format!("the program has more than {statements} statements within these bounds")
        }
        LimitError::GaveUp(reason) => reason,
    })?;
    let order = complete_order(&bounded, &options.order).map_err(|diagnostic| diagnostic.message)?;
    Ok(Prepared { search, bounded, bounds, order })
}

impl Prepared<'_> {
    pub fn steps(&self) -> Vec<u32> {
        self.bounded.threads.iter().map(|thread| thread.steps).collect()
    }

    fn instance(&mut self, plan: &Plan, number: u64, wave: &Wave, budget: &Budget) -> Option<Done> {
        let start = Instant::now();
        let instance = wave.instance(number)?;
        let done = |outcome, reason| Done {
            number,
            instance: instance.clone(),
            outcome,
            reason,
            seconds: 0.0,
            clauses: 0,
            trace: None,
        };
        let Some(restriction) = plan.restriction(&instance) else {
            return Some(done(Outcome::Unknown, Some("the plan has no such instance".to_owned())));
        };
        let scope = Scope::Bounded {
            threads: &self.bounded,
            bounds: self.bounds,
            order: &self.order,
            restriction: &restriction,
        };
        let search = &mut self.search;
        let question = Question {
            program: search.program,
            property: &search.property,
            suspects: &search.suspects,
            scope,
            budget: *budget,
        };
        let mut clauses = 0;
        let mut tell = |progress: Progress| {
            if let Progress::Encoded(sizes) = progress {
                clauses = sizes.clauses;
            }
        };
        let answer = match &search.options.engine {
            EngineChoice::Embedded => {
                Embedded { effort: plan.effort(&instance), ..Embedded::default() }.ask(&question, &mut tell)
            }
            EngineChoice::Sequential(_) | EngineChoice::Verifier { .. } => search.engine.ask(&question, &mut tell),
        };
        let seconds = start.elapsed().as_secs_f64();
        let mut trace = None;
        let done = match answer {
            Ok(Answer::NoBug) => done(Outcome::NoBug, None),
            Ok(Answer::NoBugBut(left_out)) => done(Outcome::NoBug, Some(left_out.to_string())),
            Ok(Answer::NotYet(reason)) if reason == INTERRUPTED || reason == TIME_IS_UP => return None,
            Ok(Answer::NotYet(reason)) if reason.contains("of memory") => done(Outcome::OutOfMemory, Some(reason)),
            Ok(Answer::NotYet(reason)) => done(Outcome::Unfinished, Some(reason)),
            Ok(Answer::GivenUp(reason) | Answer::Doubtful { why: reason, .. }) => done(Outcome::Unknown, Some(reason)),
            Ok(Answer::FailsOtherwise(failure)) => done(Outcome::Unknown, Some(search.fails_first(&failure))),
            Ok(Answer::Bug(None)) => done(Outcome::Bug, Some("the verifier gave no trace".to_owned())),
            Ok(Answer::Bug(Some(execution))) => {
                let budget = Budget { until: Instant::now() + EXPLAINING, ..*budget };
                match search.explain(&execution, &budget, &format!("instance {number}")) {
                    Ok((explained, _)) => {
                        trace = Some(Box::new(explained));
                        done(Outcome::Bug, None)
                    }
                    Err(Unexplained::GaveUp(reason)) => done(Outcome::Unknown, Some(reason)),
                    Err(Unexplained::FailsFirst(failure)) => done(Outcome::Unknown, Some(search.fails_first(&failure))),
                    Err(Unexplained::Doubtful(report)) => done(Outcome::Unknown, report.reason),
                }
            }
            Err(diagnostic) => done(Outcome::Unknown, Some(diagnostic.message)),
        };
        Some(Done { seconds, clauses, trace, ..done })
    }
}

/// Does the instances with these numbers and writes what became of them; ends at the first bug unless the plan goes on.
pub fn work(
    folder: &Path,
    plan: &Plan,
    program: &Normalized,
    (wave, numbers): (u32, &mut dyn Iterator<Item = u64>),
    options: &CheckOptions,
) -> Result<(), String> {
    let basis = basis(program, options);
    let mut prepared = prepare(&basis, options, plan.bounds)?;
    if prepared.steps() != plan.steps() {
        return Err("the threads have other steps than in the plan: it was made by another unthread".to_owned());
    }
    let instances = Wave::read(folder, plan, wave)?;
    let name = plan.name();
    let fault = |error: std::io::Error| format!("cannot write results to {}: {error}", folder.display());
    let mut done = Vec::new();
    let mut saved = Instant::now();
    for number in numbers {
        let Some(instance) = prepared.instance(plan, number, &instances, &options.budget) else { break };
        let ends = instance.outcome == Outcome::Bug && !plan.keep_going;
        done.push(instance);
        if ends || saved.elapsed() >= SAVED {
            Batch { plan: name.clone(), wave, done: std::mem::take(&mut done) }.write(folder).map_err(fault)?;
            saved = Instant::now();
        }
        if ends || options.budget.out_of_time().is_some() {
            break;
        }
    }
    Batch { plan: name, wave, done }.write(folder).map_err(fault)
}
