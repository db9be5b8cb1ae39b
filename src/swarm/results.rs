//! Results of instances in the folder of a plan: files that appear whole or not at all, each with a checksum.

use super::plan::Instance;
use crate::witness::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const FOLDER: &str = "results";

/// What became of one instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// Which of its wave, and which instance that is.
    pub number: u64,
    pub instance: Instance,
    pub outcome: Outcome,
    /// Why it is not finished, or what was left out.
    pub reason: Option<String>,
    pub seconds: f64,
    pub clauses: usize,
    /// The execution that fails, on the whole program.
    pub trace: Option<Box<Trace>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Bug,
    NoBug,
    /// What it may use is used up.
    Unfinished,
    /// It was used up and memory was the reason.
    OutOfMemory,
    /// There is no answer, however hard it is tried.
    Unknown,
}

impl Outcome {
    pub fn is_finished(self) -> bool {
        match self {
            Outcome::Bug | Outcome::NoBug | Outcome::Unknown => true,
            Outcome::Unfinished | Outcome::OutOfMemory => false,
        }
    }
}

/// Some instances of a wave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The name of the plan.
    pub plan: String,
    pub wave: u32,
    pub done: Vec<Done>,
}

/// FNV-1a: it tells a damaged file, not a forged one.
pub fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A text after its checksum, which stands in a line of its own.
pub fn sealed(text: &str) -> String {
    format!("{:016x}\n{text}\n", checksum(text))
}

/// The text, if it is what it was.
pub fn unsealed(whole: &str) -> Option<&str> {
    let (sum, text) = whole.split_once('\n')?;
    let text = text.strip_suffix('\n')?;
    (sum == format!("{:016x}", checksum(text))).then_some(text)
}

/// Writes a file so that nobody sees a part of it. One that is there already stays as it is.
pub fn put(folder: &Path, name: &str, text: &str) -> std::io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let unique = format!(".new-{}-{}-{number}", host(), std::process::id());
    let new = folder.join(unique);
    let written = std::fs::File::create(&new).and_then(|mut file| {
        use std::io::Write;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    // A link is made only if there is no such file, by whoever comes first.
    let result = written.and_then(|()| std::fs::hard_link(&new, folder.join(name)));
    let _ = std::fs::remove_file(&new);
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

/// Process numbers are those of one machine.
fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map_or_else(|_| "host".to_owned(), |name| name.trim().to_owned())
}

impl Batch {
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let results = folder.join(FOLDER);
        std::fs::create_dir_all(&results)?;
        let (Some(first), Some(last)) = (self.done.first(), self.done.last()) else { return Ok(()) };
        let text = serde_json::to_string(self).expect("results are plain data");
        // Nobody's results replace other ones.
        let name = format!("{}-{}-{}-{:016x}", self.wave, first.number, last.number, checksum(&text));
        put(&results, &name, &sealed(&text))
    }

    fn read(file: &Path) -> Option<Batch> {
        let whole = std::fs::read_to_string(file).ok()?;
        serde_json::from_str(unsealed(&whole)?).ok()
    }
}

/// Reads results as they come.
#[derive(Default)]
pub struct Reader {
    seen: BTreeSet<std::ffi::OsString>,
    /// Files that hold no result of this plan: they count for nothing, and their instances are done again.
    pub damaged: BTreeSet<String>,
}

impl Reader {
    /// What is new since the last time.
    pub fn read(&mut self, folder: &Path, plan: &str) -> Vec<Batch> {
        let Ok(files) = std::fs::read_dir(folder.join(FOLDER)) else { return Vec::new() };
        let mut new = Vec::new();
        for file in files.flatten() {
            let name = file.file_name();
            if name.to_string_lossy().starts_with('.') || self.seen.contains(&name) {
                continue;
            }
            match Batch::read(&file.path()).filter(|batch| batch.plan == plan) {
                Some(batch) => {
                    self.damaged.remove(&*name.to_string_lossy());
                    self.seen.insert(name);
                    new.push(batch);
                }
                None => {
                    self.damaged.insert(name.to_string_lossy().into_owned());
                }
            }
        }
        new
    }
}

/// The numbers of a range in blocks in which something is missing.
pub fn blocks(missing: &[u64], size: u64) -> Vec<Range<u64>> {
    let mut blocks: Vec<Range<u64>> = Vec::new();
    for number in missing {
        let start = number / size * size;
        if blocks.last().is_none_or(|last| last.start != start) {
            blocks.push(start..start + size);
        }
    }
    blocks
}
