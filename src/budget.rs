//! What a search may use: time, memory, and the patience of its user.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A flag that ends a search. It is there for as long as the process, so that whatever was left in the middle can look at
/// it whenever it goes on.
pub type Stop = &'static AtomicBool;

/// A new flag, not set.
pub fn new_stop() -> Stop {
    Box::leak(Box::new(AtomicBool::new(false)))
}

#[derive(Clone, Copy)]
pub struct Budget {
    pub until: Instant,
    pub memory_mb: u64,
    /// Set when the user interrupts.
    pub stop: Stop,
}

/// Said where the time is used up, and nothing else is wrong.
pub const TIME_IS_UP: &str = "time is up";
/// Said where the user did not want to wait.
pub const INTERRUPTED: &str = "interrupted";

impl Budget {
    /// Why this process has to stop, if it has to.
    pub fn exceeded(&self) -> Option<String> {
        self.out_of_time().or_else(|| self.out_of_memory(0))
    }

    /// The part that is asked for quickly.
    pub fn out_of_time(&self) -> Option<String> {
        if self.interrupted() {
            return Some(INTERRUPTED.to_owned());
        }
        (Instant::now() >= self.until).then(|| TIME_IS_UP.to_owned())
    }

    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Is there no room for so many more bytes?
    pub fn out_of_memory(&self, more: u64) -> Option<String> {
        let used = memory_mb(&[std::process::id() as i32]) + more / (1 << 20);
        (used > self.memory_mb).then(|| format!("more than {} MB of memory are needed", self.memory_mb))
    }
}

/// The memory that processes have in use together.
pub fn memory_mb(processes: &[i32]) -> u64 {
    let resident = |pid: &i32| -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    processes.iter().filter_map(resident).sum::<u64>() / 1024
}
