//! Looks for a bug with growing bounds: few rounds and iterations first. Beside that the states of the program are
//! visited one by one, for a share of the time.

use crate::c::preprocess::{PreprocessOptions, preprocess};
use crate::diagnostic::Diagnostic;
use crate::il::Program;
use crate::il::interpret::{Code, Executed, ExploreOptions, Failure, FailureKind, TakenUnit};
use crate::limit::{Bounded, LimitError, LimitOptions, MAX_THREADS, limit};
use crate::sequentialize::backend::Backend;
use crate::sequentialize::{Schema, SequentializeOptions, complete_order, sequentialize};
use crate::solve::formula::{self, EncodeError, Sizes};
use crate::solve::sat::{self, Outcome, Solver};
use crate::solve::states::{self, StateSearch, Visited};
use crate::solve::tool::run::Limits;
use crate::solve::tool::{self, Answer, Question};
use crate::verdict::{Bounds, Verdict};
use crate::witness::follow::Astray;
use crate::witness::trace::Trace;
use crate::witness::{self, Execution, Schedule};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub struct CheckOptions<'a> {
    pub engine: Engine,
    pub unwind: Option<u32>,
    pub unwind_max: Option<u32>,
    pub rounds: Option<u32>,
    /// The order of threads within a round.
    pub order: Vec<usize>,
    /// The kinds of failures that count.
    pub errors: Vec<FailureKind>,
    /// Where the formula is written to.
    pub dimacs: Option<PathBuf>,
    /// The C compiler whose preprocessor is used.
    pub compiler: String,
    /// Loops with bounds of their own, threads, kinds of errors.
    pub limits: LimitOptions,
    pub tool: Limits<'a>,
}

/// What is looked for if nothing else is said.
pub const USUAL_ERRORS: &[FailureKind] = &[FailureKind::Assertion, FailureKind::ErrorCall, FailureKind::LockMisuse];

/// Who decides.
pub enum Engine {
    /// The formula of the bounded threads, and the built-in SAT solver.
    Embedded,
    /// The sequentialized program, and the same engine: a program with one thread.
    Sequential(Schema),
    /// The sequentialized program, and an external verifier.
    Tool {
        schema: Schema,
        backend: &'static Backend,
        /// The command that starts the verifier.
        command: String,
    },
}

impl Engine {
    fn keeps_loops(&self) -> bool {
        match self {
            Engine::Embedded => false,
            Engine::Sequential(schema) | Engine::Tool { schema, .. } => schema.keeps_loops(),
        }
    }
}

/// What is said while the search goes on.
pub enum Progress {
    Trying {
        bounds: Bounds,
        threads: usize,
        steps: u32,
    },
    Done {
        bounds: Bounds,
        seconds: f64,
    },
    /// The embedded engine made a formula.
    Encoded(Sizes),
    /// And solved it, or gave up.
    Solved {
        sizes: Sizes,
        seconds: f64,
    },
    /// So many states were visited without bounds.
    Visited {
        states: usize,
        seconds: f64,
    },
    /// Lines with bounds of their own that have no loop.
    NoSuchLoop(Vec<u32>),
}

#[derive(Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// The largest bounds that were completed, or those of the bug.
    pub bounds: Option<Bounds>,
    /// The answer comes from visiting so many states, without bounds.
    pub states: Option<usize>,
    /// The loops and calls that these bounds cut.
    pub cuts: Vec<String>,
    /// Why it is unknown, or why no larger bounds were tried.
    pub reason: Option<String>,
    pub bug: Option<Bug>,
    /// What a report about us should carry.
    pub attachment: Option<String>,
}

impl Report {
    pub fn unknown(reason: String) -> Report {
        Report { reason: Some(reason), ..Report::new(Verdict::Unknown) }
    }

    fn new(verdict: Verdict) -> Report {
        Report { verdict, bounds: None, states: None, cuts: Vec::new(), reason: None, bug: None, attachment: None }
    }
}

#[derive(Debug)]
pub struct Bug {
    /// `None` if the verifier gives no trace.
    pub execution: Option<Execution>,
    pub trace: Option<Trace>,
}

/// Unwind, rounds, and iterations of loops whose number is known. Loops that must be followed far often need few rounds.
const LADDER: &[(u32, u32, u32)] = &[
    (1, 2, 8),
    (1, 3, 8),
    (2, 2, 12),
    (2, 3, 16),
    (1, 4, 8),
    (3, 3, 24),
    (3, 4, 24),
    (8, 2, 128),
    (4, 4, 32),
    (5, 5, 64),
    (24, 2, 1000),
    (6, 6, 64),
    (8, 8, 128),
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

pub fn check(program: &Program, options: &CheckOptions, tell: &mut dyn FnMut(Progress)) -> Result<Report, Diagnostic> {
    let code = Code::new(program);
    let exploring = states::options(&options.tool);
    let mut beside = Beside::new(&code, &exploring, options);
    let mut search = Search { program, options, done: Vec::new(), reason: None, warned: false };
    let mut open = ladder(options);
    // Hard bounds must not keep easier ones from being tried: all get a little time first, then more.
    let mut slice = match (&options.engine, open.len()) {
        (Engine::Embedded, 2..) => FIRST_SLICE,
        _ => Duration::MAX,
    };
    while !open.is_empty() {
        let mut waiting = Vec::new();
        let mut left = open.into_iter();
        for bounds in left.by_ref() {
            let begun = Instant::now();
            let until = begun.checked_add(slice).map_or(options.tool.until, |end| end.min(options.tool.until));
            let attempt = match search.attempt(bounds, until, tell) {
                Ok(attempt) => attempt,
                // The interpreter knows more than formulas do.
                Err(diagnostic) => return beside.alone(&search, tell).ok_or_else(|| beside.adds(diagnostic)),
            };
            match attempt {
                Attempt::Done => {}
                Attempt::Decided(report) => return Ok(*report),
                Attempt::Stopped(reason) => {
                    search.reason = Some(reason);
                    if until == options.tool.until || options.tool.exceeded().is_some() {
                        return Ok(search.report());
                    }
                    waiting.push(bounds);
                    if waiting.len() == AT_ONCE {
                        break;
                    }
                }
            }
            beside.earned += begun.elapsed() / SHARE;
            if let Some(report) = beside.visit(&search, tell) {
                return Ok(report);
            }
        }
        waiting.extend(left);
        open = waiting;
        slice = slice.saturating_mul(5);
    }
    // All bounds are done, and none was enough for a proof.
    beside.earned = beside.earned.max(AT_THE_END);
    Ok(beside.visit(&search, tell).unwrap_or_else(|| search.report()))
}

/// The time that every bounds get at first, and how many may wait for more.
const FIRST_SLICE: Duration = Duration::from_secs(3);
const AT_ONCE: usize = 3;

/// Visiting states gets this part of the time that formulas take, and of all the time there is not more than that.
const SHARE: u32 = 3;
const MOST: u32 = 8;
/// When there is nothing else to do.
const AT_THE_END: Duration = Duration::from_secs(2);
/// It is not worth while for less.
const LEAST: Duration = Duration::from_millis(10);

/// The states of the program, visited beside the search with growing bounds.
struct Beside<'p> {
    code: &'p Code<'p>,
    exploring: &'p ExploreOptions,
    /// `None` before it begins.
    states: Option<StateSearch<'p>>,
    /// The time that it may take in all.
    earned: Duration,
    most: Duration,
    /// Why it ended without an answer.
    given_up: Option<String>,
}

impl<'p> Beside<'p> {
    fn new(code: &'p Code<'p>, exploring: &'p ExploreOptions, options: &CheckOptions) -> Beside<'p> {
        // Whoever asks for bounds or for the formula gets them.
        let bounded = options.unwind.is_some()
            || options.unwind_max.is_some()
            || options.rounds.is_some()
            || !options.order.is_empty()
            || !options.limits.unwind_loops.is_empty()
            || options.limits.threads != MAX_THREADS
            || options.dimacs.is_some();
        let most = match options.engine {
            Engine::Embedded if !bounded => options.tool.until.saturating_duration_since(Instant::now()) / MOST,
            Engine::Embedded | Engine::Sequential(_) | Engine::Tool { .. } => Duration::ZERO,
        };
        Beside { code, exploring, states: None, earned: Duration::ZERO, most, given_up: None }
    }

    fn visit(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        let earned = self.earned.min(self.most);
        let spent = self.states.as_ref().map_or(Duration::ZERO, |states| states.spent);
        let time = earned.saturating_sub(spent);
        if time < LEAST {
            return None;
        }
        let options = search.options;
        let states = self.states.get_or_insert_with(|| StateSearch::new(self.code, self.exploring));
        let visited = states.visit(time, |kind| options.errors.contains(&kind), &options.tool);
        let count = states.states();
        tell(Progress::Visited { states: count, seconds: states.spent.as_secs_f64() });
        match visited {
            Visited::Some => None,
            Visited::All => Some(Report { states: Some(count), ..Report::new(Verdict::Proved) }),
            Visited::GivenUp(why) => self.stop(why),
            Visited::Fails(failure, units) => self.bug(search, &failure, &units, count),
        }
    }

    fn bug(&mut self, search: &Search, failure: &Failure, units: &[TakenUnit], count: usize) -> Option<Report> {
        let found = format!("{count} states, {units:?}");
        let execution = match witness::retrace(self.code, failure, units) {
            Ok(execution) => execution,
            Err(why) => {
                let doubt = format!("the execution found cannot be repeated ({why})");
                return Some(doubtful(search.program, &found, "", doubt));
            }
        };
        match search.explain(&execution, &search.options.tool, &found) {
            Ok(trace) => {
                let bug = Some(Bug { execution: Some(execution), trace: Some(trace) });
                Some(Report { bug, states: Some(count), ..Report::new(Verdict::Bug) })
            }
            // There may be others.
            Err(Unexplained::GaveUp(why)) => self.stop(why),
            Err(Unexplained::FailsFirst(failure)) => self.stop(fails_first(search.program, &failure)),
            Err(Unexplained::Doubtful(report)) => Some(*report),
        }
    }

    /// There are no formulas: half of the time is for the states.
    fn alone(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        self.most *= MOST / 2;
        self.earned = self.most;
        self.visit(search, tell)
    }

    /// Why the states did not help either.
    fn adds(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let why = match (&self.given_up, &self.states) {
            (Some(why), _) => why,
            (None, Some(_)) => "there was no time for all of them",
            (None, None) => return diagnostic,
        };
        diagnostic.notes.push(format!("visiting the states one by one gives no answer either: {why}"));
        diagnostic
    }

    /// It makes no sense to go on; its memory is for others.
    fn stop(&mut self, why: String) -> Option<Report> {
        self.given_up = Some(why);
        self.states = None;
        self.most = Duration::ZERO;
        None
    }
}

/// Why an execution that fails has no explanation.
enum Unexplained {
    GaveUp(String),
    /// In a way that is not looked for.
    FailsFirst(Failure),
    Doubtful(Box<Report>),
}

struct Search<'a> {
    program: &'a Program,
    options: &'a CheckOptions<'a>,
    /// Bounds without a bug, and what they cut.
    done: Vec<(Bounds, Vec<String>)>,
    /// Why the last bounds were not completed.
    reason: Option<String>,
    warned: bool,
}

enum Attempt {
    /// There is no bug within these bounds, or nothing new to see.
    Done,
    Decided(Box<Report>),
    Stopped(String),
}

impl Search<'_> {
    /// What the completed bounds say.
    fn report(self) -> Report {
        let reason = self.reason;
        match self.done.into_iter().max_by_key(|(bounds, _)| bounds.unwind * bounds.rounds) {
            Some((bounds, cuts)) => Report { bounds: Some(bounds), cuts, reason, ..Report::new(Verdict::NoBug) },
            None => Report { reason, ..Report::new(Verdict::Unknown) },
        }
    }

    /// An emitted program fails: so do the threads.
    fn on_threads(
        &self,
        bounds: Bounds,
        schema: Schema,
        limits: &Limits,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Decided, Diagnostic> {
        let Ok(bounded) = limit(self.program, &self.limits(bounds, false)) else { return Ok(Decided::Bug(None)) };
        Ok(match (decide_embedded(&bounded, bounds, self.options, limits, tell)?, schema.keeps_loops()) {
            (Decided::Bug(execution), _) => Decided::Bug(execution),
            // Kept loops are followed further than the unwound threads go.
            (_, true) => Decided::Bug(None),
            (Decided::NoBug, false) => {
                Decided::Doubt("the emitted program fails, but the threads do not".to_owned(), String::new())
            }
            (other, false) => other,
        })
    }

    fn limits(&self, bounds: Bounds, keep_loops: bool) -> LimitOptions {
        let Bounds { unwind, unwind_max, .. } = bounds;
        LimitOptions { unwind, unwind_max, keep_loops, ..self.options.limits.clone() }
    }

    /// The trace of an execution, on the whole program.
    fn explain(&self, execution: &Execution, limits: &Limits, found: &str) -> Result<Trace, Unexplained> {
        witness::explain(self.program, execution, limits).map_err(|astray| match astray {
            Astray::GaveUp(reason) => Unexplained::GaveUp(reason),
            Astray::Fails(failure) => Unexplained::FailsFirst(failure),
            Astray::Elsewhere(why) => {
                let doubt = format!("the execution found is not one of the whole program ({why})");
                let line = |executed: &Executed| {
                    format!("thread {} statement {} {:?}\n", executed.thread, executed.origin, executed.events)
                };
                let record: String = execution.record.iter().map(line).collect();
                Unexplained::Doubtful(Box::new(doubtful(self.program, found, &record, doubt)))
            }
        })
    }

    fn attempt(
        &mut self,
        bounds: Bounds,
        until: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Attempt, Diagnostic> {
        let options = self.options;
        let start = Instant::now();
        let bounded = match limit(self.program, &self.limits(bounds, options.engine.keeps_loops())) {
            Ok(bounded) => bounded,
            Err(LimitError::Unsupported(diagnostic)) => return Err(diagnostic),
            Err(LimitError::TooLarge { statements }) => {
                self.reason = Some(format!("with larger bounds the program has more than {statements} statements"));
                return Ok(Attempt::Done);
            }
        };
        if !self.warned && !bounded.without_loop.is_empty() {
            tell(Progress::NoSuchLoop(bounded.without_loop.clone()));
        }
        self.warned = true;
        let needed = rounds_needed(&bounded, &options.order)?;
        let bounds = Bounds { rounds: bounds.rounds.min(needed), ..bounds };
        if self.done.iter().any(|(done, cuts)| covers(done, cuts, &bounds)) {
            return Ok(Attempt::Done);
        }
        let steps = bounded.threads.iter().map(|thread| thread.steps).sum();
        tell(Progress::Trying { bounds, threads: bounded.threads.len(), steps });
        let limits = Limits { until, ..options.tool };
        let decided = match (decide(&bounded, bounds, options, &limits, tell)?, &options.engine) {
            (Decided::Bug(None), Engine::Sequential(schema)) => self.on_threads(bounds, *schema, &limits, tell)?,
            (decided, _) => decided,
        };
        Ok(match decided {
            Decided::NoBug => {
                tell(Progress::Done { bounds, seconds: start.elapsed().as_secs_f64() });
                let cuts = bounded.cut_lines();
                // Nothing was left out, and no execution needs more rounds.
                if bounded.cuts.is_empty() && bounds.rounds >= needed {
                    let report = Report { bounds: Some(bounds), cuts, ..Report::new(Verdict::Proved) };
                    return Ok(Attempt::Decided(Box::new(report)));
                }
                self.reason = None;
                self.done.push((bounds, cuts));
                Attempt::Done
            }
            Decided::Bug(execution) => {
                let found = bounds.to_string();
                let trace = match execution.as_ref().map(|execution| self.explain(execution, &limits, &found)) {
                    None => None,
                    Some(Ok(trace)) => Some(trace),
                    Some(Err(Unexplained::GaveUp(reason))) => return Ok(Attempt::Stopped(reason)),
                    Some(Err(Unexplained::FailsFirst(failure))) => {
                        let reason = fails_first(self.program, &failure);
                        return Ok(Attempt::Decided(Box::new(Report::unknown(reason))));
                    }
                    Some(Err(Unexplained::Doubtful(report))) => return Ok(Attempt::Decided(report)),
                };
                let bug = Some(Bug { execution, trace });
                let cuts = bounded.cut_lines();
                Attempt::Decided(Box::new(Report { bounds: Some(bounds), cuts, bug, ..Report::new(Verdict::Bug) }))
            }
            Decided::GaveUp(reason) => Attempt::Stopped(reason),
            Decided::Doubt(reason, details) => {
                Attempt::Decided(Box::new(doubtful(self.program, &bounds.to_string(), &details, reason)))
            }
            Decided::OtherFailure(reason) => Attempt::Decided(Box::new(Report::unknown(reason))),
        })
    }
}

/// Our own mistake: nothing is said about the program, and all is kept that helps to find it.
fn doubtful(program: &Program, found: &str, details: &str, doubt: String) -> Report {
    let mut attachment = format!("unthread {}\n{found}\n{doubt}\n{details}\n", env!("CARGO_PKG_VERSION"));
    let name = &program.source.name;
    attachment += &format!("---- {name}, preprocessed ----\n{}\n", program.source.text);
    let reason = format!("{doubt}; this is a bug in unthread, please report it");
    Report { attachment: Some(attachment), ..Report::unknown(reason) }
}

/// Do bounds that were completed include others? Where nothing is cut, only more rounds can show something new.
fn covers(done: &Bounds, cuts: &[String], other: &Bounds) -> bool {
    let larger = done.unwind >= other.unwind && done.unwind_max >= other.unwind_max;
    done.rounds >= other.rounds && (larger || cuts.is_empty())
}

/// No execution of these threads needs more rounds.
///
/// A round ends when the next thread stands earlier in the order. That thread is not the last of the order, and the
/// thread before it is not the first; every context has a step.
fn rounds_needed(bounded: &Bounded, order: &[usize]) -> Result<u32, Diagnostic> {
    let order = complete_order(bounded, order)?;
    let steps = |thread: &usize| bounded.threads[*thread].steps;
    let total: u32 = order.iter().map(steps).sum();
    let most = order.first().map_or(0, steps).max(order.last().map_or(0, steps));
    let loops = bounded.cuts.iter().any(|cut| cut.kind == crate::limit::CutKind::KeptLoop);
    Ok(if loops { u32::MAX } else { 1 + total - most })
}

enum Decided {
    NoBug,
    Bug(Option<Execution>),
    /// Time, memory, a verifier that is not there: what was done before still counts.
    GaveUp(String),
    /// The execution fails in another way, which is not looked for, before it fails as it should.
    OtherFailure(String),
    /// The answer cannot be believed.
    Doubt(String, String),
}

fn decide(
    bounded: &Bounded,
    bounds: Bounds,
    options: &CheckOptions,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress),
) -> Result<Decided, Diagnostic> {
    match &options.engine {
        Engine::Embedded => decide_embedded(bounded, bounds, options, limits, tell),
        Engine::Sequential(schema) => decide_sequential(bounded, bounds, options, limits, (*schema, tell)),
        Engine::Tool { schema, backend, command } => {
            decide_with_tool(bounded, bounds, options, limits, (*schema, backend, command))
        }
    }
}

fn decide_embedded(
    bounded: &Bounded,
    bounds: Bounds,
    options: &CheckOptions,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress),
) -> Result<Decided, Diagnostic> {
    let order = complete_order(bounded, &options.order)?;
    let wanted = |kind| options.errors.contains(&kind);
    Ok(match solve(bounded, (bounds.rounds, &order), options, limits, tell)? {
        Solved::NoBug => Decided::NoBug,
        Solved::GaveUp(reason) => Decided::GaveUp(reason),
        Solved::Bug(schedule) => {
            let executed = witness::execute(bounded, &schedule, wanted);
            confirm(bounded, executed, options, ("the embedded engine", &schedule))
        }
    })
}

/// The answer of the SAT solver.
enum Solved {
    NoBug,
    Bug(Schedule),
    GaveUp(String),
}

fn solve(
    bounded: &Bounded,
    (rounds, order): (u32, &[usize]),
    options: &CheckOptions,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress),
) -> Result<Solved, Diagnostic> {
    let wanted = |kind| options.errors.contains(&kind);
    let formula = match formula::encode(bounded, rounds, order, &wanted, limits) {
        Ok(formula) => formula,
        Err(EncodeError::Unsupported(diagnostic)) => return Err(diagnostic),
        Err(EncodeError::GaveUp(reason)) => return Ok(Solved::GaveUp(reason)),
    };
    tell(Progress::Encoded(formula.sizes));
    if let Some(file) = &options.dimacs {
        let written =
            std::fs::File::create(file).and_then(|file| formula.cnf.write_dimacs(&mut std::io::BufWriter::new(file)));
        if let Err(error) = written {
            return Err(Diagnostic::plain(format!("cannot write {}: {error}", file.display())));
        }
    }
    let start = Instant::now();
    let outcome = sat::Cadical.solve(&formula.cnf, limits);
    tell(Progress::Solved { sizes: formula.sizes, seconds: start.elapsed().as_secs_f64() });
    Ok(match outcome {
        Outcome::Unsatisfiable => Solved::NoBug,
        Outcome::Unknown(reason) => Solved::GaveUp(reason),
        Outcome::Satisfiable(holds) => Solved::Bug(formula.schedule(order, &holds)),
    })
}

/// The second road to the same answer: the emitted C is read again and decided as a program of one thread.
fn decide_sequential(
    bounded: &Bounded,
    bounds: Bounds,
    options: &CheckOptions,
    limits: &Limits,
    (schema, tell): (Schema, &mut dyn FnMut(Progress)),
) -> Result<Decided, Diagnostic> {
    let settings = SequentializeOptions {
        schema,
        rounds: Some(bounds.rounds),
        order: options.order.clone(),
        backend: crate::sequentialize::backend::find("svcomp").expect("it is in the table"),
        title: format!("made by unthread: schema {}, {bounds}", schema.name()),
    };
    let (text, _) = sequentialize(bounded, &settings)?;
    let file = match TemporaryFile::write(&text) {
        Ok(file) => file,
        Err(error) => return Ok(Decided::GaveUp(format!("cannot write a temporary file: {error}"))),
    };
    let model = bounded.program.types.model;
    let preprocessing = PreprocessOptions { compiler: options.compiler.clone(), data_model: model, arguments: vec![] };
    let text = preprocess(&file.path, &preprocessing)?;
    let ours = |diagnostic: Diagnostic| {
        let message = format!("in the emitted program: {}", diagnostic.message);
        Diagnostic { message, ..Diagnostic::unsupported(Default::default(), "") }
    };
    let read = crate::read("emitted.c", text, model).map_err(|error| ours(error.diagnostic))?;
    let program = crate::normalize(read.program);
    let unrolling = LimitOptions {
        // The loops that are left are the rounds, and those that fill arrays; kept loops are followed by the bound.
        unwind: if schema.keeps_loops() { bounds.unwind + 1 } else { 1000 },
        unwind_max: 100_000,
        keep_loops: false,
        ..options.limits.clone()
    };
    let single = match limit(&program, &unrolling) {
        Ok(single) => single,
        Err(LimitError::Unsupported(diagnostic)) => return Err(ours(diagnostic)),
        Err(LimitError::TooLarge { .. }) => return Ok(Decided::GaveUp("the emitted program is too large".to_owned())),
    };
    if !schema.keeps_loops() && !single.cuts.is_empty() {
        return Ok(Decided::GaveUp("the loops of the emitted program are too long".to_owned()));
    }
    Ok(match solve(&single, (1, &[0]), options, limits, tell).map_err(ours)? {
        Solved::NoBug => Decided::NoBug,
        Solved::GaveUp(reason) => Decided::GaveUp(reason),
        // An execution of the simulation, not of the threads; but the interpreter must be able to follow it.
        Solved::Bug(schedule) => {
            let wanted = |kind| options.errors.contains(&kind);
            let executed = witness::execute(&single, &schedule, wanted);
            if executed.as_ref().is_err_and(|why| why == witness::UNWRITTEN) {
                return Ok(Decided::Bug(None));
            }
            match confirm(&single, executed, options, ("the embedded engine", &schedule)) {
                Decided::Bug(_) => Decided::Bug(None),
                other => other,
            }
        }
    })
}

fn decide_with_tool(
    bounded: &Bounded,
    bounds: Bounds,
    options: &CheckOptions,
    limits: &Limits,
    (schema, backend, command): (Schema, &'static Backend, &str),
) -> Result<Decided, Diagnostic> {
    let order = complete_order(bounded, &options.order)?;
    let settings = SequentializeOptions {
        schema,
        rounds: Some(bounds.rounds),
        order: options.order.clone(),
        backend,
        title: format!("made by unthread: schema {}, {bounds}", schema.name()),
    };
    let (text, watched) = sequentialize(bounded, &settings)?;
    let file = match TemporaryFile::write(&text) {
        Ok(file) => file,
        Err(error) => return Ok(Decided::GaveUp(format!("cannot write a temporary file: {error}"))),
    };
    let names: Vec<String> = [&watched.thread, &watched.position].into_iter().chain(&watched.round).cloned().collect();
    let question = Question {
        file: &file.path,
        data_model: bounded.program.types.model,
        unwind: schema.keeps_loops().then_some(bounds.unwind + 1),
        watched: &names,
    };
    Ok(match tool::ask(backend.name, command, &question, limits) {
        Answer::NoBug => Decided::NoBug,
        Answer::Unknown(reason) => Decided::GaveUp(reason),
        Answer::Bug(None) => Decided::Bug(None),
        Answer::Bug(Some(trace)) => {
            let schedule = witness::schedule(bounded, schema, &order, &watched, &trace);
            let wanted = |kind| options.errors.contains(&kind);
            let executed = witness::execute(bounded, &schedule, wanted);
            confirm(bounded, executed, options, (command, &schedule))
        }
    })
}

fn fails_first(program: &Program, failure: &Failure) -> String {
    let location = program.source.location(failure.span);
    let (kind, message) = (failure.kind.name(), &failure.message);
    let hint = match failure.kind {
        FailureKind::LockMisuse => " (--errors lock looks for that)",
        FailureKind::Memory => " (--errors memory looks for that)",
        FailureKind::DivisionByZero => " (--errors division looks for that)",
        FailureKind::Abort | FailureKind::Unreachable => " (--errors abort looks for that)",
        FailureKind::ThreadMisuse => " (--errors thread looks for that)",
        FailureKind::Assertion | FailureKind::ErrorCall => " (--errors assertion looks for that)",
        FailureKind::Deadlock | FailureKind::Unsupported => "",
    };
    format!("the execution found fails in another way first: {location}: {kind}: {message}{hint}")
}

/// A bug counts if the interpreter fails in the same execution.
fn confirm(
    bounded: &Bounded,
    executed: Result<Execution, String>,
    options: &CheckOptions,
    (finder, schedule): (&str, &Schedule),
) -> Decided {
    match executed {
        Ok(execution) if options.errors.contains(&execution.failure.kind) => Decided::Bug(Some(execution)),
        Ok(execution) => Decided::OtherFailure(fails_first(&bounded.program, &execution.failure)),
        Err(why) => {
            let doubt = format!("the execution that {finder} found is not one of the program ({why})");
            Decided::Doubt(doubt, format!("{schedule:?}"))
        }
    }
}

/// Removed when it is not needed any more.
struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    fn write(text: &str) -> std::io::Result<TemporaryFile> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("unthread-{}-{number}.c", std::process::id()));
        std::fs::write(&path, text)?;
        Ok(TemporaryFile { path })
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
