//! What several kinds of tests need: running programs with a time limit, building C, scratch folders.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn unthread() -> Command {
    Command::new(env!("CARGO_BIN_EXE_unthread"))
}

pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of its own for a test, below the build folder.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the scratch folder can be made");
    folder
}

/// All files of a folder with this extension, sorted.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|other| other == extension))
        .collect();
    found.sort();
    found
}

/// Whether a message has these words, wherever its lines are broken: that depends on the paths in it.
pub fn says(message: &str, words: &str) -> bool {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    flat(message).contains(&flat(words))
}

/// Runs a command, killing it after a while; `None` if that was necessary.
pub fn run_limited(command: &mut Command, seconds: u64) -> Option<Output> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            break Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    status.map(|status| Output { status, stdout, stderr })
}

fn drain(pipe: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs unthread and demands success; its standard output.
pub fn unthread_output(args: &[&str]) -> String {
    let output = run_limited(unthread().args(args), 120).unwrap_or_else(|| panic!("unthread {args:?} hangs"));
    assert!(output.status.success(), "unthread {args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Compiles C files with gcc; the message of the compiler on failure.
pub fn compile(sources: &[&Path], flags: &[&str], out: &Path) -> Result<(), String> {
    let output = Command::new("gcc").arg("-w").args(flags).args(sources).arg("-o").arg(out).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(text(&output.stderr)),
        Err(error) => Err(format!("gcc cannot be run: {error}")),
    }
}

/// Is a program of this name installed?
pub fn installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Can C files be preprocessed for a machine with 32 bits? If not, that is said, with what is not tested for it.
pub fn has_headers_for_32_bits(needed_for: &str) -> bool {
    let mut compile = Command::new("cc");
    compile.args(["-m32", "-E", "-include", "stdio.h", "-x", "c", "/dev/null"]);
    let there = compile.output().is_ok_and(|output| output.status.success());
    if !there {
        skipped(needed_for, "the C compiler has no headers for 32 bits (Debian: gcc-multilib)");
    }
    there
}

/// Says on the terminal that something was not tested, and why.
pub fn skipped(what: &str, why: &str) {
    report(&format!("SKIPPED {what}: {why}"));
}

/// A line on standard error even of a test that passes: cargo hides only what the print macros print.
pub fn report(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints the program after normalizing, reads that again, and demands the same text.
pub fn normalized_twice(file: &Path, data_model: &str, folder: &Path) -> Result<PathBuf, String> {
    let show = |file: &Path| {
        let output = run_limited(unthread().args(["show", data_model]).arg(file), 60).ok_or("show hangs")?;
        if !output.status.success() {
            return Err(text(&output.stderr));
        }
        Ok(text(&output.stdout))
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let first = show(file)?;
    let printed = folder.join(format!("{stem}.normalized.i"));
    std::fs::write(&printed, &first).map_err(|error| error.to_string())?;
    let second = show(&printed).map_err(|error| format!("cannot be read back: {error}"))?;
    if first != second {
        let line = first.lines().zip(second.lines()).find(|(a, b)| a != b);
        return Err(format!("reads back as another program: {line:?}"));
    }
    Ok(printed)
}
