//! What `check` shows while it searches, and what it writes for programs.

use crate::commands::check::Replay;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};
use unthread::analysis::race::Cleared;
use unthread::check::{Bug, Report};
use unthread::property::ErrorKind;
use unthread::solve::Progress;
use unthread::swarm::control::Swarm;
use unthread::swarm::figures::Figures;
use unthread::swarm::plan::Instance;
use unthread::swarm::results::Done;
use unthread::witness::document::{self, Attempt, Document, FoundError, InstanceInfo, SwarmInfo};

/// A live line on a terminal, a line per bounds elsewhere.
pub struct Console {
    line: Option<ProgressBar>,
    stats: bool,
    start: Instant,
    attempts: Vec<Attempt>,
    /// Which of these each worker is at.
    current: BTreeMap<usize, usize>,
    races: Option<Cleared>,
}

impl Console {
    pub fn new(stats: bool) -> Console {
        let line = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}").expect("a valid template");
            bar.set_style(style);
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Console { line, stats, start: Instant::now(), attempts: Vec::new(), current: BTreeMap::new(), races: None }
    }

    fn say(&self, text: &str) {
        match &self.line {
            Some(line) if self.stats => line.println(text),
            Some(line) => line.set_message(text.trim_start().to_owned()),
            None => say!("{text}"),
        }
    }

    pub fn tell(&mut self, progress: Progress) {
        self.tell_of(0, progress);
    }

    /// The attempt that a worker is at.
    fn attempt(&mut self, worker: usize) -> Option<&mut Attempt> {
        self.attempts.get_mut(*self.current.get(&worker)?)
    }

    fn tell_of(&mut self, worker: usize, progress: Progress) {
        match progress {
            Progress::Of { worker, progress } => self.tell_of(worker, *progress),
            Progress::Trying { bounds, threads, steps } => {
                self.say(&format!("trying {bounds}: {threads} threads, {steps} steps"));
                let (formula, solve_seconds) = (None, None);
                self.current.insert(worker, self.attempts.len());
                self.attempts.push(Attempt { bounds, threads, steps, formula, solve_seconds, completed: false });
            }
            Progress::Encoded(sizes) => {
                let Some(attempt) = self.attempt(worker) else { return };
                attempt.formula = Some(sizes);
                let Attempt { bounds, threads, steps, .. } = attempt.clone();
                if let Some(line) = &self.line {
                    line.set_message(format!(
                        "unwind {}, rounds {}: {threads} threads, {steps} steps, {} variables, {} clauses",
                        bounds.unwind, bounds.rounds, sizes.variables, sizes.clauses
                    ));
                }
            }
            Progress::Solved { sizes, seconds } => {
                if let Some(attempt) = self.attempt(worker) {
                    attempt.solve_seconds = Some(seconds);
                }
                if self.stats {
                    self.say(&format!(
                        "  {} terms, {} shared accesses, {} variables, {} clauses; execute {:.3} s, narrow {:.3} s, \
                         place {:.3} s, solve {seconds:.3} s",
                        sizes.terms,
                        sizes.events,
                        sizes.variables,
                        sizes.clauses,
                        sizes.execute_seconds,
                        sizes.narrow_seconds,
                        sizes.place_seconds
                    ));
                }
            }
            Progress::Done { seconds, bounds } => {
                if let Some(attempt) = self.attempt(worker) {
                    attempt.completed = true;
                }
                // With several workers, the last line may be about other bounds.
                let which = if worker > 0 { format!(" with {bounds}") } else { String::new() };
                self.say(&format!("  no bug{which} ({seconds:.2} s)"));
            }
            Progress::Visited { states, seconds } => {
                self.say(&format!("  {states} states of the whole program visited ({seconds:.2} s)"));
            }
            Progress::NoSuchLoop(lines) => {
                for line in lines {
                    self.say(&format!("warning: --unwind-loop {line}: no loop begins in that line"));
                }
            }
            Progress::Races(cleared) => {
                self.races = Some(cleared);
                if self.stats {
                    self.say(&format!("races: {cleared}"));
                }
            }
            Progress::Found(bug) => {
                if let Some(trace) = &bug.trace {
                    let failure = &trace.failure;
                    self.say(&format!("  found: {}:{}: {}", failure.place.file, failure.place.line, failure.kind));
                }
            }
            // For those who may have to end the search.
            Progress::Established(_) => {}
            Progress::Warning(text) => self.say(&format!("warning: {text}")),
        }
    }

    pub fn finish(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }

    /// Writes all that is known to a file.
    pub fn write_json(&self, file: &Path, report: &Report, replays: &[Replay]) -> std::io::Result<()> {
        let document = Document {
            races: self.races,
            seconds: self.start.elapsed().as_secs_f64(),
            attempts: self.attempts.clone(),
            ..document(report, replays)
        };
        write_document(file, &document)
    }
}

/// The same for a swarm, with all its instances.
pub fn write_swarm(
    file: &Path,
    report: &Report,
    replays: &[Replay],
    swarm: &Swarm,
    figures: &Figures,
) -> std::io::Result<()> {
    let instance = |(instance, done): (Instance, &Done)| InstanceInfo {
        index: instance.index,
        path: instance.path,
        outcome: done.outcome,
        seconds: done.seconds,
        clauses: done.clauses,
    };
    let info = SwarmInfo {
        covered: swarm.covered(),
        lost: swarm.lost,
        figures: figures.clone(),
        instances: swarm.all_done().map(instance).collect(),
    };
    write_document(file, &Document { swarm: Some(info), seconds: figures.all_seconds, ..document(report, replays) })
}

fn write_document(file: &Path, document: &Document) -> std::io::Result<()> {
    let text = serde_json::to_string_pretty(document).map_err(std::io::Error::other)?;
    std::fs::write(file, text + "\n")
}

fn document(report: &Report, replays: &[Replay]) -> Document {
    let names = |kinds: Vec<ErrorKind>| kinds.iter().map(|kind| kind.name().to_owned()).collect();
    Document {
        format: document::FORMAT.to_owned(),
        version: document::VERSION,
        verdict: report.verdict.word().to_owned(),
        bounds: report.bounds,
        states: report.states,
        invariants: report.invariants.clone(),
        looked_for: names(report.property.kinds().to_vec()),
        not_looked_for: names(report.property.others().collect()),
        not_followed: report.not_followed.clone(),
        assumed: report.assumed.all().cloned().collect(),
        reason: report.reason.clone(),
        races: None,
        seconds: 0.0,
        attempts: Vec::new(),
        errors: report.bugs.iter().enumerate().map(|(index, bug)| found(bug, replays.get(index))).collect(),
        other_errors: report.others.clone(),
        swarm: None,
    }
}

fn found(bug: &Bug, replay: Option<&Replay>) -> FoundError {
    let replay = replay.and_then(|replay| replay.as_ref());
    FoundError {
        bounds: bug.bounds,
        states: bug.states,
        trace: bug.trace.clone(),
        replayed: replay.map(Result::is_ok),
        not_replayed_because: replay.and_then(|replay| replay.clone().err()),
        confirmed_by_thread_sanitizer: replay.and_then(|replay| replay.as_ref().ok()?.sanitizer),
    }
}
