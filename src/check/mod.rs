//! Looks for a bug with growing bounds: few rounds and iterations first. Beside that the states of the program are
//! visited one by one, for a share of the time.

mod assumed;
mod beside;
mod report;
pub mod search;
mod team;

pub use assumed::{Assumed, assumed, unknown_functions};
pub use report::{Bug, Report};

use crate::analysis::race::{self, Cleared, Suspects};
use crate::budget::{Budget, TIME_IS_UP};
use crate::diagnostic::Diagnostic;
use crate::il::interpret::Code;
use crate::isolate::Normalized;
use crate::limit::BoundingOptions;
pub use crate::property::MemoryModel;
use crate::property::{ErrorKind, Property};
use crate::sequentialize::Schema;
use crate::sequentialize::backend::Backend;
use crate::solve::embedded::{Embedded, Parking};
use crate::solve::invariant::certificate::Certificate;
use crate::solve::sat::{Effort, Preset};
use crate::solve::sequential::Sequential;
use crate::solve::tool::Verifier;
use crate::solve::{Engine, Progress, states};
use crate::verdict::{Bounds, Verdict};
use beside::Beside;
use search::{Attempt, Basis, Search};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct CheckOptions {
    pub engine: EngineChoice,
    pub property: Property,
    pub unwind: Option<u32>,
    pub unwind_max: Option<u32>,
    pub rounds: Option<u32>,
    /// The order of threads within a round.
    pub order: Vec<usize>,
    /// Where the formula is written to.
    pub dimacs: Option<PathBuf>,
    /// The C compiler whose preprocessor is used.
    pub compiler: String,
    /// Loops with bounds of their own, and threads.
    pub bounding: BoundingOptions,
    pub externals: Externals,
    pub memory_model: MemoryModel,
    /// Not the first error only, but all that are found in the time there is.
    pub keep_going: bool,
    /// How many work at the same time.
    pub jobs: usize,
    /// The user wants a proof: engines that can give one without bounds come first, and get more time.
    pub proving: bool,
    pub budget: Budget,
}

impl CheckOptions {
    /// Are there several bounds for several workers? What was found decides what is asked next if the search goes on.
    fn can_share_work(&self) -> bool {
        let several = self.unwind.is_none() || self.rounds.is_none();
        several && !self.keep_going && !self.engine.emits() && self.dimacs.is_none()
    }

    /// Is it told what else fails within the bounds of the first error?
    fn gathers(&self) -> bool {
        !self.keep_going && !self.engine.emits() && self.dimacs.is_none()
    }
}

/// What a function without body and without model may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Externals {
    /// Anything: that it only returns a value is an assumption, with which nothing is proved.
    Unknown,
    /// It returns any value and changes nothing.
    Pure,
}

/// Who decides.
#[derive(Clone)]
pub enum EngineChoice {
    /// The formula of the bounded threads, and the built-in SAT solver.
    Embedded,
    /// The sequentialized program, and the same engine: a program with one thread.
    Sequential(Schema),
    /// The sequentialized program, and an external verifier.
    Verifier {
        schema: Schema,
        backend: &'static Backend,
        /// The command that starts the verifier.
        command: String,
    },
}

impl EngineChoice {
    /// Does it decide sequential programs?
    pub fn emits(&self) -> bool {
        !matches!(self, EngineChoice::Embedded)
    }

    fn keeps_loops(&self) -> bool {
        match self {
            EngineChoice::Embedded => false,
            EngineChoice::Sequential(schema) | EngineChoice::Verifier { schema, .. } => schema.keeps_loops(),
        }
    }

    fn engine(&self, options: &CheckOptions, parking: &Arc<Parking>) -> Box<dyn Engine> {
        match self {
            EngineChoice::Embedded => {
                Box::new(Embedded { dimacs: options.dimacs.clone(), parking: parking.clone(), ..Embedded::default() })
            }
            EngineChoice::Sequential(schema) => {
                Box::new(Sequential { schema: *schema, compiler: options.compiler.clone() })
            }
            EngineChoice::Verifier { schema, backend, command } => {
                Box::new(Verifier { schema: *schema, backend, command: command.clone() })
            }
        }
    }
}

impl EngineChoice {
    /// Somebody else for what the first one finds hard.
    fn second_engine(&self, parking: &Arc<Parking>) -> Option<Box<dyn Engine>> {
        match self {
            EngineChoice::Embedded => {
                let effort = Effort { preset: Preset::Sat, ..Effort::default() };
                Some(Box::new(Embedded { dimacs: None, effort, parking: parking.clone() }))
            }
            EngineChoice::Sequential(_) | EngineChoice::Verifier { .. } => None,
        }
    }
}

/// Unwind, rounds, and iterations of loops whose number is known. Loops that must be followed far often need few rounds.
const LADDER: &[(u32, u32, u32)] = &[
    (1, 2, 8),
    (1, 3, 8),
    (2, 2, 12),
    (2, 3, 16),
    (1, 4, 8),
    (2, 4, 16),
    (3, 3, 24),
    (3, 4, 24),
    (8, 2, 128),
    (4, 4, 32),
    (5, 5, 64),
    (24, 2, 1000),
    (6, 6, 64),
    (8, 8, 128),
    (2, 2, 20_000),
    (11, 11, 128),
    (16, 16, 256),
    (24, 24, 1000),
    (32, 32, 1000),
    (64, 64, 1000),
];

/// The bounds to try, one after the other.
fn ladder(options: &CheckOptions) -> Vec<Bounds> {
    let mut levels: Vec<Bounds> = LADDER
        .iter()
        .map(|(unwind, rounds, unwind_max)| Bounds {
            unwind: options.unwind.unwrap_or(*unwind),
            rounds: options.rounds.unwrap_or(*rounds),
            unwind_max: options.unwind_max.unwrap_or(if options.unwind.is_some() { 1000 } else { *unwind_max }),
        })
        .collect();
    levels.dedup();
    levels
}

/// The time that every bounds get at first: a part of all there is, at least and at most so much; and how many may wait
/// for more.
const FIRST_PART: u32 = 10;
const SHORTEST_SLICE: Duration = Duration::from_secs(1);
const LONGEST_SLICE: Duration = Duration::from_secs(3);
const AT_ONCE: usize = 3;
/// So long does one worker try alone.
const ALONE: Duration = Duration::from_millis(300);
/// So much more do they get the next time; they go on from where they were.
const MORE: u32 = 3;

/// The how many-th time these bounds are asked about, if they were stopped so often.
fn visit(tried: &[Bounds], bounds: Bounds) -> usize {
    1 + tried.iter().filter(|tried| **tried == bounds).count()
}

/// The next slice: what waits shares the time that is left. If that is less than they got the last time, it is too little
/// to hope for: `Err` says so.
fn next_slice(slice: Duration, left: Duration, waiting: usize) -> Result<Duration, String> {
    let share = left / waiting.max(1) as u32;
    if waiting > 0 && share < slice && left > LONGEST_SLICE {
        let seconds = left.as_secs_f64();
        return Err(format!("{TIME_IS_UP}: the {seconds:.0} s that are left are too few for them"));
    }
    Ok(slice.saturating_mul(MORE).min(share).max(SHORTEST_SLICE))
}

fn first_slice(options: &CheckOptions) -> Duration {
    let left = options.budget.until.saturating_duration_since(Instant::now());
    match options.engine {
        EngineChoice::Embedded => (left / FIRST_PART).clamp(SHORTEST_SLICE, LONGEST_SLICE),
        EngineChoice::Sequential(_) | EngineChoice::Verifier { .. } => Duration::MAX,
    }
}

/// Which accesses may race, if that is asked, and what is known of the others.
pub fn suspects(program: &Normalized, property: &Property) -> (Suspects, Cleared) {
    match property.contains(ErrorKind::Race) {
        true => race::suspects(program),
        false => (Suspects::All, Cleared::default()),
    }
}

pub fn check(
    program: &Normalized,
    options: &CheckOptions,
    tell: &mut dyn FnMut(Progress),
) -> Result<Report, Diagnostic> {
    let (suspects, cleared) = suspects(program, &options.property);
    if options.property.contains(ErrorKind::Race) {
        tell(Progress::Races(cleared));
    }
    let code = Code::looking_for(program, &options.property);
    let raceless =
        if suspects.is_empty() { options.property.without(ErrorKind::Race) } else { options.property.clone() };
    let exploring = states::options(&code, &raceless, options.memory_model, &options.budget);
    let mut beside = Beside::new(&code, &exploring, options);
    let assumed = assumed::assumed(program, options);
    let basis = Basis { program, property: options.property.clone(), assumed, suspects, parking: Arc::default() };
    let mut search = Search::new(&basis, options);
    if search.suspects.is_empty() && options.property.kinds() == [ErrorKind::Race] {
        return Ok(search.cannot_race(cleared));
    }
    if options.property.asks_only_what_is_left() && beside.may_visit() {
        let report = beside.only(&mut search, tell);
        return Ok(search.with_what_was_found(report));
    }
    let mut no_proof = Vec::new();
    if options.proving
        && let Some(report) = beside.prove_first(&mut search, tell)
    {
        return Ok(search.with_what_was_found(report));
    }
    if options.proving {
        no_proof = beside.why_no_proof();
    }
    let jobs = if options.can_share_work() { options.jobs } else { 1 };
    // What is easy is done by one, and so in the same way every time.
    let alone = if jobs > 1 { (Instant::now() + ALONE).min(options.budget.until) } else { options.budget.until };
    let climbed = match climb(&mut search, &mut beside, alone, tell) {
        Ok(Some(report)) => Ok(report),
        Ok(None) if jobs > 1 => {
            let established = (std::mem::take(&mut search.done), search.reason.take());
            drop(beside);
            team::climb((&basis, options), established, jobs, (&code, &exploring), tell)
        }
        Ok(None) => Ok(search.report()),
        Err(diagnostic) => Err(diagnostic),
    };
    let report = match climbed {
        Ok(report) => report,
        Err(diagnostic) if search.found.is_empty() => return Err(diagnostic),
        Err(diagnostic) => Report { reason: Some(diagnostic.message), ..search.report() },
    };
    let mut report = search.with_what_was_found(report);
    if matches!(report.verdict, Verdict::NoBug | Verdict::Unknown) {
        report.no_proof = no_proof;
    }
    // What was established is told, but nobody waited for an answer.
    Ok(match report.verdict {
        Verdict::NoBug if options.budget.interrupted() => Report { verdict: Verdict::Unknown, ..report },
        Verdict::NoBug | Verdict::Unknown | Verdict::Bug | Verdict::Proved => report,
    })
}

/// What a proof by invariants, which holds, means for a program.
pub fn proved_by(program: &Normalized, options: &CheckOptions, certificate: Certificate) -> Report {
    let assumed = assumed::assumed(program, options);
    let property = options.property.clone();
    let basis = Basis { program, property, assumed, suspects: Suspects::All, parking: Arc::default() };
    Report { invariants: Some(certificate), ..Search::new(&basis, options).all_states_followed() }
}

/// One bounds after the other, and the states beside them; `None` if that is not decided at some time.
fn climb(
    search: &mut Search,
    beside: &mut Beside,
    alone: Instant,
    tell: &mut dyn FnMut(Progress),
) -> Result<Option<Report>, Diagnostic> {
    let options = search.options;
    let mut open = ladder(options);
    // Hard bounds must not keep easier ones from being tried: all get a little time first, then more.
    let left = || options.budget.until.saturating_duration_since(Instant::now());
    let mut slice = if open.len() > 1 { first_slice(options) } else { Duration::MAX };
    // Those that were given some time before.
    let mut tried: Vec<Bounds> = Vec::new();
    while !open.is_empty() {
        let mut waiting = Vec::new();
        let mut untried = open.into_iter();
        for bounds in untried.by_ref() {
            let begun = Instant::now();
            if alone < options.budget.until && begun >= alone {
                return Ok(None);
            }
            let until = begun.checked_add(slice).map_or(alone, |end| end.min(alone));
            let attempt = match search.attempts((bounds, visit(&tried, bounds)), until, tell) {
                Ok(attempt) => attempt,
                // The interpreter knows more than formulas do.
                Err(diagnostic) => {
                    let report = beside.alone(search, tell);
                    return report.map(Some).ok_or_else(|| beside.adds(diagnostic));
                }
            };
            match attempt {
                Attempt::Done => {}
                Attempt::Decided(report) => return Ok(Some(*report)),
                Attempt::Complete(report) if report.verdict == Verdict::Proved => return Ok(Some(*report)),
                Attempt::Complete(report) => {
                    beside.earn_the_rest();
                    return Ok(Some(beside.visit(search, tell).unwrap_or(*report)));
                }
                Attempt::Skipped(failure) => search.reason = Some(search.fails_first(&failure)),
                Attempt::Stopped(reason) => {
                    search.reason = Some(reason);
                    if until == options.budget.until || options.budget.exceeded().is_some() {
                        return Ok(Some(search.report()));
                    }
                    if until == alone {
                        return Ok(None);
                    }
                    waiting.push(bounds);
                    tried.push(bounds);
                    if waiting.len() == AT_ONCE {
                        break;
                    }
                }
            }
            beside.earn(begun.elapsed());
            if let Some(report) = beside.visit(search, tell) {
                return Ok(Some(report));
            }
        }
        slice = match next_slice(slice, left(), waiting.len()) {
            Ok(slice) => slice,
            Err(reason) => {
                search.reason = Some(reason);
                return Ok(Some(search.report()));
            }
        };
        waiting.extend(untried);
        open = waiting;
    }
    beside.earn_the_rest();
    Ok(Some(beside.visit(search, tell).unwrap_or_else(|| search.report())))
}
