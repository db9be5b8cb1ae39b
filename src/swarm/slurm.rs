//! Instances as job arrays of Slurm: it distributes them, keeps their limits and begins anew what a lost node had.

use super::control::Crew;
use super::results::blocks;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub struct Slurm {
    /// Instances that one task does, one after the other.
    pub block: u64,
    /// For one task.
    pub minutes: u64,
    /// At first.
    pub memory_mb: u64,
    pub compiler: String,
    /// Options of the site, handed to sbatch.
    pub more: Vec<String>,
    jobs: Vec<String>,
    said: Option<String>,
}

/// Memory is doubled so many times at most.
const MOST_DOUBLED: u32 = 6;

/// An array has at most so many tasks, unless Slurm is told otherwise.
const MOST_TASKS: u64 = 1000;

impl Slurm {
    pub fn new(block: u64, minutes: u64, memory_mb: u64, compiler: &str, more: Vec<String>) -> Slurm {
        Slurm { block, minutes, memory_mb, compiler: compiler.to_owned(), more, jobs: Vec::new(), said: None }
    }

    fn submit(&mut self, folder: &Path, wave: u32, tasks: &[u64], shortages: u32) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
        let logs = folder.join("logs");
        std::fs::create_dir_all(&logs).map_err(|error| format!("cannot write to {}: {error}", logs.display()))?;
        let sbatch = |memory_mb: u64, is_told: bool| {
            let memory = is_told.then(|| format!("--mem={memory_mb}M"));
            Command::new("sbatch")
                .args(["--parsable", "--requeue", "--job-name=unthread"])
                .arg(format!("--array={}", list(tasks)))
                .arg(format!("--time={}", self.minutes))
                .args(memory)
                .arg(format!("--output={}", logs.join("%A_%a.txt").display()))
                .args(&self.more)
                .arg("--wrap")
                .arg(script(&program, folder, wave, memory_mb, self))
                .output()
                .map_err(|error| format!("sbatch cannot be started: {error}"))
        };
        let most = self.memory_mb.saturating_mul(1 << shortages.min(MOST_DOUBLED));
        // What no node has is refused. A cluster that does not count memory refuses any; workers keep their limit then.
        let (mut memory_mb, mut is_told) = (most, true);
        let mut output = sbatch(memory_mb, is_told)?;
        while is_told && !output.status.success() && refuses_memory(&output) {
            (memory_mb, is_told) = if memory_mb > self.memory_mb { (memory_mb / 2, true) } else { (most, false) };
            output = sbatch(memory_mb, is_told)?;
        }
        if !output.status.success() {
            return Err(format!("sbatch does not take the jobs: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        self.jobs.push(text.trim().split(';').next().unwrap_or_default().to_owned());
        Ok(())
    }
}

fn refuses_memory(output: &std::process::Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    said.contains("Memory specification") || said.contains("Requested node configuration is not available")
}

/// What a task runs.
fn script(program: &Path, folder: &Path, wave: u32, memory_mb: u64, slurm: &Slurm) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    let Slurm { block, compiler, minutes, .. } = slurm;
    // Slurm's own limits come a little later.
    let (seconds, memory) = (minutes * 60 - 20, memory_mb - memory_mb / 10);
    format!(
        "first=$((SLURM_ARRAY_TASK_ID * {block})); exec {} worker {} --wave {wave} --index $first-$((first + {})) \
         --timeout {seconds} --memory {memory} --cc '{compiler}'",
        quoted(program),
        quoted(folder),
        block - 1
    )
}

/// `3,7-9` for 3, 7, 8, 9.
fn list(tasks: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for task in tasks {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *task => *last = *task,
            _ => parts.push((*task, *task)),
        }
    }
    let text = |(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

impl Crew for Slurm {
    fn begin(&mut self, folder: &Path, wave: u32, missing: Vec<u64>, shortages: u32) -> Result<(), String> {
        self.jobs.clear();
        let count = missing.last().map_or(0, |last| last + 1);
        // Task numbers stay below the limit.
        self.block = self.block.max(count.div_ceil(MOST_TASKS)).max(1);
        let folder: PathBuf =
            folder.canonicalize().map_err(|error| format!("{} cannot be found: {error}", folder.display()))?;
        let tasks: Vec<u64> = blocks(&missing, self.block).iter().map(|range| range.start / self.block).collect();
        self.submit(&folder, wave, &tasks, shortages)
    }

    fn look(&mut self) -> Result<usize, String> {
        let output = Command::new("squeue")
            .args(["--noheader", "--array", "--format=%i %T", "--jobs", &self.jobs.join(",")])
            .output()
            .map_err(|error| format!("squeue cannot be started: {error}"))?;
        // A job that has left the queue is no error of ours.
        let text = String::from_utf8_lossy(&output.stdout);
        let waits = text.lines().filter(|line| !line.trim().is_empty()).count();
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            if !said.contains("Invalid job id") {
                self.said = Some(said);
                // The controller of the cluster may come back.
                return Ok(1);
            }
        }
        Ok(waits)
    }

    fn pause(&self) -> Duration {
        Duration::from_millis(500)
    }

    fn end(&mut self) {
        let _ = Command::new("scancel").args(&self.jobs).output();
    }

    fn last_words(&self) -> Option<String> {
        self.said.clone()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn arrays_are_lists_of_ranges() {
        assert_eq!(super::list(&[3, 7, 8, 9, 11]), "3,7-9,11");
        assert_eq!(super::list(&[0]), "0");
    }
}
