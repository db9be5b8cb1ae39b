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
    pub memory_mb: u64,
    pub compiler: String,
    /// Options of the site, handed to sbatch.
    pub more: Vec<String>,
    jobs: Vec<String>,
    said: Option<String>,
}

/// An array has at most so many tasks, unless Slurm is told otherwise.
const MOST_TASKS: u64 = 1000;

impl Slurm {
    pub fn new(block: u64, minutes: u64, memory_mb: u64, compiler: &str, more: Vec<String>) -> Slurm {
        Slurm { block, minutes, memory_mb, compiler: compiler.to_owned(), more, jobs: Vec::new(), said: None }
    }

    fn submit(&mut self, folder: &Path, wave: u32, tasks: &[u64]) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
        let logs = folder.join("logs");
        std::fs::create_dir_all(&logs).map_err(|error| format!("cannot write to {}: {error}", logs.display()))?;
        let script = script(&program, folder, wave, self);
        let sbatch = |limits_memory: bool| {
            let memory = limits_memory.then(|| format!("--mem={}M", self.memory_mb));
            Command::new("sbatch")
                .args(["--parsable", "--requeue", "--job-name=unthread"])
                .arg(format!("--array={}", list(tasks)))
                .arg(format!("--time={}", self.minutes))
                .args(memory)
                .arg(format!("--output={}", logs.join("%A_%a.txt").display()))
                .args(&self.more)
                .arg("--wrap")
                .arg(&script)
                .output()
                .map_err(|error| format!("sbatch cannot be started: {error}"))
        };
        let mut output = sbatch(true)?;
        // A cluster that does not count memory takes no limit of it; workers keep theirs all the same.
        if String::from_utf8_lossy(&output.stderr).contains("Memory specification") {
            output = sbatch(false)?;
        }
        if !output.status.success() {
            return Err(format!("sbatch does not take the jobs: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        self.jobs.push(text.trim().split(';').next().unwrap_or_default().to_owned());
        Ok(())
    }
}

/// What a task runs.
fn script(program: &Path, folder: &Path, wave: u32, slurm: &Slurm) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    let Slurm { block, memory_mb, compiler, minutes, .. } = slurm;
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
    fn begin(&mut self, folder: &Path, wave: u32, missing: Vec<u64>) -> Result<(), String> {
        self.jobs.clear();
        let count = missing.last().map_or(0, |last| last + 1);
        // Task numbers stay below the limit.
        self.block = self.block.max(count.div_ceil(MOST_TASKS)).max(1);
        let folder: PathBuf =
            folder.canonicalize().map_err(|error| format!("{} cannot be found: {error}", folder.display()))?;
        let tasks: Vec<u64> = blocks(&missing, self.block).iter().map(|range| range.start / self.block).collect();
        self.submit(&folder, wave, &tasks)
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
