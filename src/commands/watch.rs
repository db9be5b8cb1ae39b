//! Keeps the limits where the search does not look at them itself: in the middle of a long step.
//!
//! The stages ask their budget now and then and end by themselves. Whatever does not ask in time (a huge function, a
//! single step of the solver) is not waited for: the watch says what was established so far and ends the process.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unthread::budget::{Budget, INTERRUPTED, TIME_IS_UP};
use unthread::check::Report;
use unthread::process;
use unthread::verdict::Verdict;

/// The search gets so much longer to end by itself.
const PATIENCE: Duration = Duration::from_millis(400);
/// And may use so much more memory, as a share of what it may use.
const MORE_MEMORY: u64 = 50;
const LOOKS: Duration = Duration::from_millis(20);

pub struct Watch {
    state: Mutex<State>,
    /// Told when the search is over.
    ended: Condvar,
}

struct State {
    /// What would be said if the search ended now.
    established: Option<Report>,
    over: bool,
}

struct Searching<'w>(&'w Watch);

impl Drop for Searching<'_> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.ended.notify_all();
    }
}

impl Watch {
    pub fn new(report: Report) -> Watch {
        Watch { state: Mutex::new(State { established: Some(report), over: false }), ended: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn established(&self, report: Report) {
        self.state().established = Some(report);
    }

    /// Until this is dropped the search goes on; it is over as well if it panics.
    pub fn search(&self) -> impl Drop {
        Searching(self)
    }

    /// Waits for the end of the search; ends the process, by way of `finish`, if it goes on beyond its limits.
    pub fn guard(&self, budget: &Budget, finish: impl Fn(&Report) -> u8) {
        let mut since: Option<Instant> = None;
        loop {
            let waited = self.ended.wait_timeout_while(self.state(), LOOKS, |state| !state.over);
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.over {
                return;
            }
            let more = budget.memory_mb / MORE_MEMORY;
            let beyond = Budget { memory_mb: budget.memory_mb.saturating_add(more), ..*budget };
            let memory = beyond.out_of_memory(0).and_then(|_| budget.out_of_memory(0));
            let reason = if let Some(reason) = memory {
                reason
            } else if budget.out_of_time().is_some() {
                if since.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
                    continue;
                }
                if budget.interrupted() { INTERRUPTED.to_owned() } else { TIME_IS_UP.to_owned() }
            } else {
                since = None;
                continue;
            };
            let Some(mut report) = state.established.take() else { continue };
            report.reason = Some(reason);
            if budget.interrupted() {
                report.verdict = Verdict::Unknown;
            }
            process::end_started();
            std::process::exit(i32::from(finish(&report)));
        }
    }
}
