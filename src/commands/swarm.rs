//! `unthread swarm`: splits the interleavings into instances, and sees to it that they are done.

use super::check::{Replay, engine, externals, files_can_be_written, jobs, replayed, tell_report};
use super::{FINE, Timing, UNKNOWN, WRONG_INPUT, bounding_options, put, read_input, stop_at_interrupt, wrapped};
use crate::console;
use crate::options::{ClusterName, MemoryModelName, PresetName, Swarm};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use unthread::budget::{Budget, new_stop};
use unthread::check::{Bug, CheckOptions, Report};
use unthread::isolate::Normalized;
use unthread::restriction::Cubes;
use unthread::solve::sat::Preset;
use unthread::swarm::control::{self, Crew, Ended, Local, Progress};
use unthread::swarm::figures::Figures;
use unthread::swarm::page;
use unthread::swarm::plan::{Plan, Scheme, Shape};
use unthread::swarm::results::{Done, Outcome};
use unthread::swarm::slurm::Slurm;
use unthread::swarm::work;
use unthread::verdict::{Bounds, Verdict};
use unthread::witness::replay::check_trace;

/// Loops are followed so far, if nothing else is said.
const UNWIND: u32 = 2;
const UNWIND_MAX: u32 = 64;
/// A task of a cluster does so many instances, for at most so many minutes.
const BLOCK: u64 = 1;
const MINUTES: u64 = 60;
/// Bounding the program once more for the report takes a moment.
const TELLING: Duration = Duration::from_secs(60);

fn swarm_budget(options: &Swarm) -> Budget {
    let seconds = Duration::try_from_secs_f64(options.timeout).unwrap_or(Duration::from_secs(u32::MAX.into()));
    Budget { until: Instant::now() + seconds, memory_mb: options.memory, stop: stop_at_interrupt() }
}

pub fn swarm(options: &Swarm) -> u8 {
    if let Err(status) = files_can_be_written(&[&options.json, &options.html]) {
        return status;
    }
    if options.status || options.resume {
        let [folder] = &options.input.files[..] else {
            say!("error: --status and --resume take one folder, that of the plan");
            return WRONG_INPUT;
        };
        if options.status {
            return status(folder);
        }
        return run(options, folder, swarm_budget(options));
    }
    let budget = swarm_budget(options);
    let (folder, temporary) = match &options.plan {
        Some(folder) => (folder.clone(), false),
        None => (std::env::temp_dir().join(format!("unthread-swarm-{}", std::process::id())), true),
    };
    let plan = match make_plan(options, budget, &folder) {
        Ok(plan) => plan,
        Err(status) => return status,
    };
    if !temporary {
        put(how_to_run(&plan, &folder).as_bytes());
        return FINE;
    }
    let status = run(options, &folder, budget);
    if status == UNKNOWN {
        let hint = format!("The plan and all results are in {}: `unthread swarm --resume` goes on.", folder.display());
        say_part!("{}", wrapped(&hint));
    } else {
        let _ = std::fs::remove_dir_all(&folder);
    }
    status
}

fn wrong(why: &str) -> u8 {
    say!("error: {}", why.trim_end());
    WRONG_INPUT
}

fn make_plan(options: &Swarm, budget: Budget, folder: &Path) -> Result<Plan, u8> {
    let (engine, property) = engine(&options.asking, None, false)?;
    let read = read_input(&options.input, &mut Timing::start())?;
    let memory_model = MemoryModelName::model(options.asking.memory_model);
    let program = unthread::normalize(read.program).under(memory_model);
    let bounds = Bounds {
        unwind: options.bounds.unwind.unwrap_or(UNWIND),
        unwind_max: options.bounds.unwind_max.unwrap_or(UNWIND_MAX),
        rounds: options.rounds,
    };
    let checked = CheckOptions {
        engine,
        property,
        unwind: Some(bounds.unwind),
        unwind_max: Some(bounds.unwind_max),
        rounds: Some(bounds.rounds),
        order: options.schedule.clone(),
        dimacs: None,
        compiler: options.input.cc.clone(),
        bounding: bounding_options(&options.bounds),
        externals: externals(&options.asking),
        memory_model,
        keep_going: false,
        jobs: 1,
        proving: false,
        budget,
    };
    let basis = work::basis(&program, &checked);
    let prepared = work::prepare(&basis, &checked, bounds).map_err(|why| wrong(&why))?;
    let steps = prepared.steps();
    let scheme = match options.choice.tiles {
        Some(size) => Scheme::Tiles {
            steps,
            size,
            selections: options.choice.selections.unwrap_or(options.rounds),
            instances: options.instances,
            seed: options.choice.seed,
        },
        None => Scheme::Cubes(Cubes::plan(&steps, bounds.rounds, options.instances)),
    };
    let preset = |name: &PresetName| match name {
        PresetName::Default => Preset::Default,
        PresetName::Sat => Preset::Sat,
        PresetName::Unsat => Preset::Unsat,
    };
    let presets = options.presets.iter().map(preset).collect();
    let shape = Shape { scheme, presets, conflicts: options.conflicts, keep_going: options.keep_going };
    let plan = Plan::new(&program, &checked, bounds, shape);
    plan.write(folder, &program).map_err(|why| wrong(&why))?;
    Ok(plan)
}

fn how_to_run(plan: &Plan, folder: &Path) -> String {
    let (count, folder) = (plan.count(), folder.display());
    let what = if plan.covers_all() { "instances that cover all interleavings" } else { "random instances" };
    let first = wrapped(&format!("{count} {what} within {} are planned in {folder}.", plan.bounds));
    format!(
        "{first}On this machine, or on a cluster that runs Slurm:\n  unthread swarm --resume {folder}\n  unthread swarm \
         --resume {folder} --cluster slurm\nWith GNU parallel (many hosts: --sshlogin), and the answer after it:\n  \
         seq 0 {} | parallel --joblog {folder}/joblog --resume unthread worker {folder} --index {{}}\n  unthread swarm \
         --resume {folder}\n",
        count - 1
    )
}

/// How far a plan is, without disturbing anything.
fn status(folder: &Path) -> u8 {
    let swarm = match control::Swarm::open(folder) {
        Ok(swarm) => swarm,
        Err(why) => return wrong(&why),
    };
    let progress = swarm.progress(0, Instant::now(), u64::MAX);
    let mut text = format!("{}: {}\n", swarm.plan.file, swarm.plan.bounds);
    text += &format!("{}\n", line(&Progress { rate: 0.0, ..progress }, swarm.plan.covers_all()));
    text += &figures_text(&Figures::of(swarm.all_done().map(|(_, done)| done)));
    put(text.as_bytes());
    FINE
}

fn line(progress: &Progress, covers: bool) -> String {
    let Progress { workers, done, all, bugs, divided, lost, damaged, covered, rate, .. } = progress;
    let mut text = format!("{done} of {all} instances done");
    let mut add = |count: u64, what: &str| {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    };
    add(*bugs, "with a bug");
    add(*divided, "not finished in their budget");
    add(*lost, "lost and done again");
    add(*damaged as u64, "damaged results");
    add(*workers as u64, "workers");
    if covers {
        text += &format!(", {:.1}% of the interleavings covered", covered * 100.0);
    }
    if *rate > 0.0 {
        text += &format!(", {rate:.1} a second, about {:.0} s left", (all - done) as f64 / rate);
    }
    text
}

/// A live line on a terminal, a line now and then elsewhere.
struct Live {
    line: Option<ProgressBar>,
    last: Option<Instant>,
}

const EVERY: Duration = Duration::from_secs(10);

impl Live {
    fn new() -> Live {
        let line = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(1000);
            let template = "{spinner} {elapsed} {bar:20} {wide_msg}";
            bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Live { line, last: None }
    }

    fn tell(&mut self, progress: &Progress, covers: bool) {
        match &self.line {
            Some(bar) => {
                let share = if covers { progress.covered } else { progress.done as f64 / progress.all as f64 };
                bar.set_position((share * 1000.0) as u64);
                bar.set_message(line(progress, covers));
            }
            None if self.last.is_none_or(|last| last.elapsed() >= EVERY) => {
                self.last = Some(Instant::now());
                say!("{}", line(progress, covers));
            }
            None => {}
        }
    }
}

fn run(options: &Swarm, folder: &Path, budget: Budget) -> u8 {
    let opened = control::Swarm::open(folder).and_then(|swarm| Ok((swarm.plan.program(folder)?, swarm)));
    let (program, mut swarm) = match opened {
        Ok(opened) => opened,
        Err(why) => return wrong(&why),
    };
    let compiler = &options.input.cc;
    let mut crew: Box<dyn Crew> = match options.cluster {
        None => Box::new(Local::new(jobs(options.jobs), budget, compiler)),
        Some(ClusterName::Slurm) => {
            let more = options.sbatch.as_deref().unwrap_or_default();
            Box::new(Slurm::new(BLOCK, MINUTES, options.memory, compiler, words(more)))
        }
    };
    let mut live = Live::new();
    let covers = swarm.plan.covers_all();
    let ended = swarm.run(crew.as_mut(), &budget, &mut |progress| live.tell(&progress, covers));
    if let Some(bar) = live.line {
        bar.finish_and_clear();
    }
    // What is known is told, whatever ended the search.
    let telling = Budget { until: Instant::now() + TELLING, memory_mb: u64::MAX, stop: new_stop() };
    let checked = swarm.plan.options(compiler, telling);
    let report = report(&swarm, &program, &checked, &ended).unwrap_or_else(|why| {
        // The input was right when the plan was made: whatever does not fit now is no verdict.
        Report { reason: Some(why), ..Report::new(Verdict::Unknown, &checked.property, &Default::default()) }
    });
    let replays: Vec<Replay> =
        report.bugs.iter().map(|bug| replayed(bug, options.no_replay, compiler, &program)).collect();
    let figures = Figures::of(swarm.all_done().map(|(_, done)| done));
    write_files(options, &swarm, &report, &replays, &figures);
    let progress = swarm.progress(0, Instant::now(), u64::MAX);
    let summary = format!("{}\n", line(&Progress { rate: 0.0, ..progress }, covers)) + &figures_text(&figures);
    put(summary.as_bytes());
    tell_report(&report, options.full, &replays)
}

/// Options as in a shell, without its magic.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What all instances say together.
fn report(
    swarm: &control::Swarm,
    program: &Normalized,
    options: &CheckOptions,
    ended: &Ended,
) -> Result<Report, String> {
    let basis = work::basis(program, options);
    let prepared = work::prepare(&basis, options, swarm.plan.bounds)?;
    let search = &prepared.search;
    let bounds = Some(swarm.plan.bounds);
    let mut not_followed = search.not_followed(&prepared.bounded);
    if let Some(found) = swarm.bugs().next() {
        let trace = found.trace.as_deref().cloned();
        // It is believed when it fails here.
        let failure = match &trace {
            Some(trace) => Some(check_trace(program, trace)?.failure),
            None => None,
        };
        let bugs = vec![Bug { trace, failure, bounds, states: None }];
        return Ok(Report { bounds, not_followed, bugs, ..search.new_report(Verdict::Bug) });
    }
    let left_out =
        swarm.all_done().filter(|(_, done)| done.outcome == Outcome::NoBug).filter_map(|(_, done)| done.reason.clone());
    not_followed.extend(left_out);
    not_followed.dedup();
    let unknown = swarm.all_done().find(|(_, done)| done.outcome == Outcome::Unknown);
    let reason = match (ended, unknown) {
        (Ended::Early(why), _) => why.clone(),
        (Ended::Done, Some((_, Done { reason, .. }))) => {
            let why = reason.clone().unwrap_or_default();
            format!("an instance has no answer: {why}")
        }
        (Ended::Done, None) if !swarm.plan.covers_all() => {
            "tiles that are chosen at random are a part of the interleavings: that none of them fails says nothing of \
             the others"
                .to_owned()
        }
        (Ended::Done, None) if !swarm.is_complete() => "the instances that are done are not all".to_owned(),
        (Ended::Done, None) => return Ok(Report { bounds, not_followed, ..search.new_report(Verdict::NoBug) }),
    };
    Ok(Report { reason: Some(reason), not_followed, ..search.new_report(Verdict::Unknown) })
}

fn figures_text(figures: &Figures) -> String {
    let mut text = String::new();
    let percent = 100.0 * figures.with_bug as f64 / figures.instances.max(1) as f64;
    for (what, count, spread) in [
        ("with a bug", figures.with_bug, figures.bug_seconds),
        ("without", figures.without_bug, figures.no_bug_seconds),
    ] {
        if let Some(spread) = spread {
            let share = if what == "with a bug" { format!(" ({percent:.1}%)") } else { String::new() };
            text += &format!(
                "{count} {what}{share}: {:.2} s at least, {:.2} s in the mean, {:.2} s at most\n",
                spread.least, spread.mean, spread.most
            );
        }
    }
    if figures.with_bug > 1 {
        let times = figures.expected.iter().map(|(workers, seconds)| format!("{seconds:.2} s with {workers}"));
        let times: Vec<String> = times.collect();
        text += &wrapped(&format!("First bug to be expected, by the number of workers: {}", times.join(", ")));
    }
    text
}

/// A file that cannot be written does not cost the verdict.
fn write_files(options: &Swarm, swarm: &control::Swarm, report: &Report, replays: &[Replay], figures: &Figures) {
    let warn = |file: &PathBuf, error: std::io::Error| say!("warning: cannot write {}: {error}", file.display());
    if let Some(file) = &options.json
        && let Err(error) = console::write_swarm(file, report, replays, swarm, figures)
    {
        warn(file, error);
    }
    if let Some(file) = &options.html {
        let times: Vec<(f64, bool)> =
            swarm.all_done().map(|(_, done)| (done.seconds, done.outcome == Outcome::Bug)).collect();
        if let Err(error) = std::fs::write(file, page::render(&swarm.plan.file, &times, figures)) {
            warn(file, error);
        }
    }
}
