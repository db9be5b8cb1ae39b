//! From a verifier's trace of the sequential program back to a schedule of the threads.

use super::{Event, RawTrace};
use crate::execution::{Context, Input, Schedule, Until};
use crate::limit::Bounded;
use crate::sequentialize::{Schema, Watched};

/// Reads the schedule off the values that the simulation's variables took.
pub fn schedule(bounded: &Bounded, schema: Schema, order: &[usize], watched: &Watched, trace: &RawTrace) -> Schedule {
    let count = bounded.threads.len();
    let mut schedule = Schedule::default();
    let contexts = &mut schedule.contexts;
    let mut inputs: Vec<(usize, Input)> = Vec::new();
    // For lr: the rounds of each thread, by the steps at which they begin.
    let mut rounds: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    let (mut current, mut at, mut started) = (0, 0, false);
    for event in &trace.events {
        match event {
            Event::Set { name, value, .. } if *name == watched.thread => {
                current = (*value as usize).min(count - 1);
                started = true;
                if schema == Schema::Ul {
                    contexts.push(Context { thread: current, until: Until::Steps(0) });
                }
            }
            Event::Set { name, value, .. } if *name == watched.position => match schema {
                Schema::Lazy => contexts.push(Context { thread: current, until: Until::Step(*value as u32) }),
                // 0: the step before which it was asked is taken.
                Schema::Ul => {
                    if let (Some(Context { until: Until::Steps(steps), .. }), 0) = (contexts.last_mut(), *value) {
                        *steps += 1;
                    }
                }
                Schema::Lr => at = *value as u32,
            },
            Event::Set { name, value, .. } if Some(name) == watched.round.as_ref() => {
                rounds[current].push((at, *value as u32));
            }
            Event::Set { .. } => {}
            Event::Input(input) if started => inputs.push((current, *input)),
            Event::Input(_) => {}
        }
    }
    if schema == Schema::Lr {
        let last = rounds.iter().flatten().map(|(_, round)| *round).max().unwrap_or(0);
        for round in 0..=last {
            for thread in order {
                let stop = rounds[*thread].iter().find(|(_, begins)| *begins > round);
                let until = Until::Step(stop.map_or(u32::MAX, |(step, _)| *step));
                contexts.push(Context { thread: *thread, until });
            }
        }
    }
    inputs.into_iter().for_each(|(thread, input)| schedule.add_input(thread, input));
    schedule
}
