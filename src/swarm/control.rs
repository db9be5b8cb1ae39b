//! Sees to it that all instances of a plan are done: here, by processes of its own, or on a cluster. It keeps no state but
//! the folder, so that it can be ended at any moment and started again.

use super::plan::{Instance, Plan, Wave};
use super::results::{Done, Outcome, Reader, blocks};
use crate::budget::Budget;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The folder of a plan, and what is known of its instances.
pub struct Swarm {
    pub folder: PathBuf,
    pub plan: Plan,
    /// By wave.
    pub waves: Vec<WaveState>,
    reader: Reader,
    name: String,
    /// Instances that were begun and have no result: whoever did them is gone.
    pub lost: u64,
}

pub struct WaveState {
    pub wave: Wave,
    pub done: BTreeMap<u64, Done>,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub workers: usize,
    /// Instances that have a result, in all waves, and those that there are.
    pub done: u64,
    pub all: u64,
    pub bugs: u64,
    /// Those that were not finished and were divided, or get more.
    pub divided: u64,
    pub lost: u64,
    pub damaged: usize,
    /// The part of the interleavings in which there is no bug, or one that was found.
    pub covered: f64,
    pub seconds: f64,
    /// Instances a second.
    pub rate: f64,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// Every instance has an answer, or as many as are needed.
    Done,
    /// Time is up, the user interrupted, or the workers do not work.
    Early(String),
}

impl Swarm {
    pub fn open(folder: &Path) -> Result<Swarm, String> {
        let plan = Plan::read(folder)?;
        let name = plan.name();
        let first = WaveState { wave: Wave::read(folder, &plan, 0)?, done: BTreeMap::new() };
        let (folder, reader) = (folder.to_owned(), Reader::default());
        let mut swarm = Swarm { folder, plan, waves: vec![first], reader, name, lost: 0 };
        while Wave::exists(&swarm.folder, swarm.waves.len() as u32) {
            let wave = Wave::read(&swarm.folder, &swarm.plan, swarm.waves.len() as u32)?;
            swarm.waves.push(WaveState { wave, done: BTreeMap::new() });
        }
        swarm.look();
        Ok(swarm)
    }

    /// Takes in what has become known.
    pub fn look(&mut self) {
        for batch in self.reader.read(&self.folder, &self.name) {
            let Some(state) = self.waves.get_mut(batch.wave as usize) else { continue };
            for done in batch.done {
                if state.wave.instance(done.number).as_ref() != Some(&done.instance) {
                    continue;
                }
                // An answer counts more than none.
                let known = state.done.get(&done.number).is_some_and(|known| known.outcome.is_finished());
                if !known {
                    state.done.insert(done.number, done);
                }
            }
        }
    }

    pub fn bugs(&self) -> impl Iterator<Item = &Done> {
        self.all_done().map(|(_, done)| done).filter(|done| done.outcome == Outcome::Bug)
    }

    pub fn all_done(&self) -> impl Iterator<Item = (Instance, &Done)> {
        self.waves
            .iter()
            .flat_map(|state| state.done.values().filter_map(|done| Some((state.wave.instance(done.number)?, done))))
    }

    /// In how many waves there was too little memory for some.
    fn shortages(&self) -> u32 {
        let short = |state: &&WaveState| state.done.values().any(|done| done.outcome == Outcome::OutOfMemory);
        self.waves.iter().filter(short).count() as u32
    }

    /// Nothing is left to be found out.
    fn is_decided(&self) -> bool {
        !self.plan.keep_going && self.bugs().next().is_some()
    }

    fn missing(&self) -> Vec<u64> {
        let state = self.waves.last().expect("there is a first wave");
        (0..state.wave.count()).filter(|number| !state.done.contains_key(number)).collect()
    }

    /// What was not finished in the last wave, divided. Tiles are not: they are a part in any case.
    fn next_parts(&self) -> Vec<Instance> {
        let state = self.waves.last().expect("there is a first wave");
        let unfinished = state.done.values().filter(|done| !done.outcome.is_finished());
        unfinished.filter_map(|done| state.wave.instance(done.number)).flat_map(|of| self.plan.divided(&of)).collect()
    }

    fn next_wave(&mut self, parts: Vec<Instance>) -> Result<(), String> {
        let number = self.waves.len() as u32;
        let fault = |error| format!("cannot write to {}: {error}", self.folder.display());
        Wave::write(&self.folder, number, &parts).map_err(fault)?;
        let wave = Wave::read(&self.folder, &self.plan, number)?;
        self.waves.push(WaveState { wave, done: BTreeMap::new() });
        self.reader = Reader::default();
        self.look();
        Ok(())
    }

    /// Has every instance an answer, or have all parts of it?
    pub fn is_complete(&self) -> bool {
        self.waves.iter().enumerate().all(|(index, state)| {
            let next: FxHashSet<Instance> = match self.waves.get(index + 1).map(|next| &next.wave) {
                Some(Wave::Parts(parts)) => parts.iter().cloned().collect(),
                Some(Wave::First { .. }) | None => FxHashSet::default(),
            };
            let goes_on = |done: &Done| {
                let parts = self.plan.divided(&done.instance);
                !parts.is_empty() && parts.iter().all(|part| next.contains(part))
            };
            state.done.len() as u64 == state.wave.count()
                && state.done.values().all(|done| done.outcome.is_finished() || goes_on(done))
        })
    }

    /// The part of the interleavings that is decided.
    pub fn covered(&self) -> f64 {
        let finished = self.all_done().filter(|(_, done)| matches!(done.outcome, Outcome::Bug | Outcome::NoBug));
        finished.map(|(instance, _)| self.plan.share(&instance)).fold(0.0, |sum, share| sum + share).min(1.0)
    }

    pub fn progress(&self, workers: usize, since: Instant, before: u64) -> Progress {
        let done = self.waves.iter().map(|state| state.done.len() as u64).sum::<u64>();
        let seconds = since.elapsed().as_secs_f64();
        Progress {
            workers,
            done,
            all: self.waves.iter().map(|state| state.wave.count()).sum(),
            bugs: self.bugs().count() as u64,
            divided: self.all_done().filter(|(_, done)| !done.outcome.is_finished()).count() as u64,
            lost: self.lost,
            damaged: self.reader.damaged.len(),
            covered: self.covered(),
            seconds,
            rate: (done - before.min(done)) as f64 / seconds.max(0.001),
        }
    }

    /// Wave after wave, until all is known.
    pub fn run(&mut self, crew: &mut dyn Crew, budget: &Budget, tell: &mut dyn FnMut(Progress)) -> Ended {
        let since = Instant::now();
        let before = self.all_done().count() as u64;
        loop {
            if let Err(why) = self.run_wave(crew, budget, &mut |swarm, workers| {
                tell(swarm.progress(workers, since, before));
            }) {
                return Ended::Early(why);
            }
            if self.is_decided() {
                return Ended::Done;
            }
            let parts = self.next_parts();
            if parts.is_empty() {
                return Ended::Done;
            }
            if let Err(why) = self.next_wave(parts) {
                return Ended::Early(why);
            }
        }
    }

    fn run_wave(
        &mut self,
        crew: &mut dyn Crew,
        budget: &Budget,
        tell: &mut dyn FnMut(&Swarm, usize),
    ) -> Result<(), String> {
        let wave = self.waves.len() as u32 - 1;
        // How often nobody came back with a result.
        let mut in_vain = 0;
        let mut lost_again = 0;
        loop {
            let missing = self.missing();
            if missing.is_empty() || self.is_decided() {
                return Ok(());
            }
            let left = missing.len();
            crew.begin(&self.folder, wave, missing, self.shortages() + lost_again)?;
            loop {
                let workers = crew.look()?;
                self.look();
                tell(self, workers);
                if self.is_decided() {
                    crew.end();
                    return Ok(());
                }
                if let Some(reason) = budget.exceeded() {
                    crew.end();
                    self.look();
                    return Err(reason);
                }
                if workers == 0 {
                    break;
                }
                std::thread::sleep(crew.pause());
            }
            // Results that were written in the last moment.
            self.look();
            let missing = self.missing().len();
            self.lost += missing as u64;
            // Whoever takes too much memory may be killed before it can say so.
            lost_again += u32::from(missing > 0);
            in_vain = if missing < left { 0 } else { in_vain + 1 };
            if in_vain == MOST_IN_VAIN {
                let why = crew.last_words().map_or_else(String::new, |words| format!(": {words}"));
                return Err(format!("the workers end without results{why}"));
            }
        }
    }
}

/// So often do all workers end without any result before it is given up.
const MOST_IN_VAIN: u32 = 3;

/// Those who do the instances.
pub trait Crew {
    /// Instances of a wave that are to be done. Memory was too little so many times: where each worker has its own, it
    /// gets more.
    fn begin(&mut self, folder: &Path, wave: u32, missing: Vec<u64>, shortages: u32) -> Result<(), String>;
    /// How many are at work; none if all that was begun has ended.
    fn look(&mut self) -> Result<usize, String>;
    /// How long to wait before the next look.
    fn pause(&self) -> Duration;
    /// Whatever runs is not needed any more.
    fn end(&mut self);
    /// What somebody who failed said last.
    fn last_words(&self) -> Option<String>;
}

/// Processes on this machine.
pub struct Local {
    pub jobs: usize,
    /// For all of them together.
    pub budget: Budget,
    pub compiler: String,
    running: Vec<Child>,
    open: VecDeque<Range<u64>>,
    at: Option<(PathBuf, u32)>,
    said: Option<String>,
}

/// Every worker gets so many ranges, and a range has at most so many instances.
const RANGES: u64 = 8;
const LONGEST_RANGE: u64 = 1000;

impl Local {
    pub fn new(jobs: usize, budget: Budget, compiler: &str) -> Local {
        let compiler = compiler.to_owned();
        Local { jobs, budget, compiler, running: Vec::new(), open: VecDeque::new(), at: None, said: None }
    }

    fn start(&mut self, range: &Range<u64>) -> Result<(), String> {
        let (folder, wave) = self.at.as_ref().expect("a wave was begun");
        let left = self.budget.until.saturating_duration_since(Instant::now()).as_secs_f64();
        let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
        let child = Command::new(program)
            .arg("worker")
            .arg(folder)
            .args(["--wave", &wave.to_string()])
            .args(["--index", &format!("{}-{}", range.start, range.end - 1)])
            .args(["--timeout", &format!("{:.3}", left.max(0.01))])
            .args(["--memory", &(self.budget.memory_mb / self.jobs as u64).max(1).to_string()])
            .args(["--cc", &self.compiler])
            .arg("--with-parent")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("a worker cannot be started: {error}"))?;
        self.running.push(child);
        Ok(())
    }
}

impl Crew for Local {
    fn begin(&mut self, folder: &Path, wave: u32, missing: Vec<u64>, _: u32) -> Result<(), String> {
        self.at = Some((folder.to_owned(), wave));
        let size = (missing.len() as u64 / (self.jobs as u64 * RANGES)).clamp(1, LONGEST_RANGE);
        self.open = blocks(&missing, size).into();
        Ok(())
    }

    fn look(&mut self) -> Result<usize, String> {
        let mut running = Vec::new();
        for mut child in std::mem::take(&mut self.running) {
            match child.try_wait() {
                Ok(None) => running.push(child),
                Ok(Some(status)) if !status.success() => {
                    let mut text = String::new();
                    if let Some(mut said) = child.stderr.take() {
                        let _ = std::io::Read::read_to_string(&mut said, &mut text);
                    }
                    let last = text.lines().last().map_or_else(|| status.to_string(), str::to_owned);
                    self.said = Some(last);
                }
                Ok(Some(_)) | Err(_) => {}
            }
        }
        self.running = running;
        while self.running.len() < self.jobs
            && let Some(range) = self.open.pop_front()
        {
            self.start(&range)?;
        }
        Ok(self.running.len())
    }

    fn pause(&self) -> Duration {
        Duration::from_millis(20)
    }

    fn end(&mut self) {
        self.open.clear();
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
        self.running.clear();
    }

    fn last_words(&self) -> Option<String> {
        self.said.clone()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.end();
    }
}
