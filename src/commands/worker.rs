//! `unthread worker`: does instances of a plan, and writes what became of them beside it.

use super::{FINE, UNKNOWN, WRONG_INPUT, stop_at_interrupt};
use crate::options::Worker;
use std::os::unix::process::parent_id;
use std::time::{Duration, Instant};
use unthread::budget::Budget;
use unthread::swarm::control::Swarm;
use unthread::swarm::plan::Plan;
use unthread::swarm::work;

/// How often it is looked whether whoever started it is still there.
const LOOKS: Duration = Duration::from_millis(200);

pub fn worker(options: &Worker) -> u8 {
    if options.with_parent {
        let parent = parent_id();
        std::thread::spawn(move || {
            while parent_id() == parent {
                std::thread::sleep(LOOKS);
            }
            std::process::exit(i32::from(UNKNOWN));
        });
    }
    let until =
        Instant::now() + Duration::try_from_secs_f64(options.timeout).unwrap_or(Duration::from_secs(u32::MAX.into()));
    let budget = Budget { until, memory_mb: options.memory, stop: stop_at_interrupt() };
    let folder = &options.folder;
    let loaded = Plan::read(folder).and_then(|plan| Ok((plan.program(folder)?, plan)));
    let (program, plan) = match loaded {
        Ok(loaded) => loaded,
        Err(why) => {
            say!("error: {why}");
            return WRONG_INPUT;
        }
    };
    let done = match Swarm::open(folder) {
        Ok(swarm) => swarm,
        Err(why) => {
            say!("error: {why}");
            return WRONG_INPUT;
        }
    };
    let Some(state) = done.waves.get(options.wave as usize) else {
        say!("error: {} has no wave {}", folder.display(), options.wave);
        return WRONG_INPUT;
    };
    let (first, last) = options.index;
    let last = last.min(state.wave.count().saturating_sub(1));
    if first > last {
        say!("error: wave {} has the instances 0 to {}", options.wave, state.wave.count().saturating_sub(1));
        return WRONG_INPUT;
    }
    // What has a result is done.
    let mut numbers = (first..=last).filter(|number| !state.done.contains_key(number));
    let checked = plan.options(&options.cc, budget);
    match work::work(folder, &plan, &program, (options.wave, &mut numbers), &checked) {
        Ok(()) if budget.interrupted() => UNKNOWN,
        Ok(()) => FINE,
        Err(why) => {
            say!("error: {why}");
            UNKNOWN
        }
    }
}
