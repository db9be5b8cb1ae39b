//! Runs a command under limits of time and memory that hold for it and for everything it starts.
//!
//! Every process it starts inherits a mark in its environment. The marked processes together must stay below the
//! memory limit, and all of them are ended when the time is up, when the user interrupts, or when the command ends.

use crate::budget::{Budget, memory_mb};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Run {
    pub ended: Ended,
    pub output: String,
    pub messages: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Exited(i32),
    Signalled(i32),
    OutOfTime,
    OutOfMemory,
    Interrupted,
    CannotStart(String),
}

impl Ended {
    pub fn explain(&self, command: &str) -> String {
        match self {
            Ended::Exited(status) => format!("{command} ended with status {status}"),
            Ended::Signalled(signal) => format!("{command} was killed by signal {signal}"),
            Ended::OutOfTime => format!("{command} ran out of time"),
            Ended::OutOfMemory => format!("{command} ran out of memory"),
            Ended::Interrupted => "interrupted".to_owned(),
            Ended::CannotStart(error) => format!("{command} cannot be started: {error}"),
        }
    }
}

impl Run {
    /// What it said last, for messages.
    pub fn last_words(&self) -> String {
        let lines = self.messages.lines().chain(self.output.lines());
        let last: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        match last.last() {
            Some(line) => format!("; its last words: {}", line.chars().take(200).collect::<String>()),
            None => String::new(),
        }
    }
}

const MARK: &str = "UNTHREAD_RUN";
static RUNS: AtomicU64 = AtomicU64::new(0);

pub fn run(command: &str, arguments: &[String], budget: &Budget) -> Run {
    // It ends with a letter, so that no mark is the beginning of another.
    let mark = format!("{}-{}x", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let failed = |ended| Run { ended, output: String::new(), messages: String::new() };
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return failed(Ended::CannotStart("it has no name".to_owned())) };
    let child = Command::new(program)
        .args(words)
        .args(arguments)
        .env(MARK, &mark)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Ctrl-C reaches us alone: we end the others, and say what is known so far.
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return failed(Ended::CannotStart(error.to_string())),
    };
    let output = reader(child.stdout.take());
    let messages = reader(child.stderr.take());
    let mut looked = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => Ended::Exited(code),
                    (None, signal) => Ended::Signalled(signal.unwrap_or(0)),
                };
            }
            Ok(None) => {}
            Err(error) => break Ended::CannotStart(error.to_string()),
        }
        if budget.stop.load(Ordering::Relaxed) {
            break Ended::Interrupted;
        }
        if Instant::now() >= budget.until {
            break Ended::OutOfTime;
        }
        // Looking through all processes is expensive, and nothing fills the memory in a moment.
        if looked.elapsed() > Duration::from_millis(100) {
            looked = Instant::now();
            if memory_mb(&marked_processes(&mark)) > budget.memory_mb {
                break Ended::OutOfMemory;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let ended = if budget.stop.load(Ordering::Relaxed) { Ended::Interrupted } else { ended };
    end_all(&mark);
    let _ = child.kill();
    let _ = child.wait();
    let text = |handle: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&handle.join().unwrap_or_default()).into_owned()
    };
    Run { ended, output: text(output), messages: text(messages) }
}

fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Ends everything that this process has started.
pub fn end_started() {
    end_all(&format!("{}-", std::process::id()));
}

/// All processes that carry a mark that begins so, wherever they have moved to.
fn marked_processes(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(wanted.as_bytes()))
        })
        .collect()
}

fn end_all(mark: &str) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // A process may start another while we look, so look until there is none.
    for _ in 0..50 {
        let processes = marked_processes(mark);
        if processes.is_empty() {
            return;
        }
        for pid in processes {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
