//! The user's file -> preprocessed text: `.i` as it is, anything else through the machine's C compiler.

use super::lex::UNIT;
use crate::diagnostic::{Diagnostic, Result};
use crate::il::DataModel;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Larger texts are refused: they are no programs, and would only fill the memory.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    pub compiler: String,
    pub data_model: DataModel,
    /// `-I`, `-D`, `-U`, `-include` as the compiler takes them.
    pub arguments: Vec<String>,
    /// Where the compiler is started; where we are, if there is none.
    pub directory: Option<PathBuf>,
}

/// The name of the standard input as a file.
pub const STANDARD_INPUT: &str = "-";

/// Several translation units as one text.
pub fn joined(units: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, unit) in units {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("#{UNIT}\n# 1 \"{name}\"\n{unit}\n");
    }
    text
}

pub fn preprocess(path: &Path, options: &PreprocessOptions) -> Result<String> {
    if path == Path::new(STANDARD_INPUT) {
        return run_compiler(path, options);
    }
    let bytes = read_file(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension == Some("i") {
        return Ok(decode(bytes));
    }
    drop(bytes);
    run_compiler(path, options)
}

fn read_file(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Diagnostic::plain(format!("there is no file {shown}")),
        _ => Diagnostic::plain(format!("cannot read {shown}: {error}")),
    })?;
    if metadata.is_dir() {
        return Err(Diagnostic::plain(format!("{shown} is a folder, not a C file"))
            .note("name the C files of the program, or say -p FOLDER if it holds a compile_commands.json"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(Diagnostic::plain(format!("{shown} has {} MiB; 64 MiB is the limit", metadata.len() >> 20)));
    }
    let bytes = std::fs::read(path).map_err(|error| Diagnostic::plain(format!("cannot read {shown}: {error}")))?;
    if bytes.contains(&0) {
        return Err(Diagnostic::plain(format!("{shown} is a binary file, not C text")));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Diagnostic::plain(format!("{shown} is empty")));
    }
    Ok(bytes)
}

/// UTF-8; or else some encoding of single bytes, whose upper half is kept as [`raw_byte`] characters.
fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { raw_byte(*byte) }).collect()
    });
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// A byte that is no text in UTF-8, as a character of the private use area: string literals must keep it as it is.
fn raw_byte(byte: u8) -> char {
    char::from_u32(RAW_BYTES + u32::from(byte)).expect("the private use area holds characters")
}

const RAW_BYTES: u32 = 0xf700;

/// The byte after a character that [`raw_byte`] made.
pub fn as_raw_byte(c: char) -> Option<u8> {
    u8::try_from((c as u32).checked_sub(RAW_BYTES)?).ok().filter(|byte| !byte.is_ascii())
}

fn run_compiler(path: &Path, options: &PreprocessOptions) -> Result<String> {
    let mut command = Command::new(&options.compiler);
    command.arg("-E").arg(match options.data_model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    command.args(&options.arguments).args(["-x", "c"]);
    // A name that starts with `-` must not become an option.
    let standard = path == Path::new(STANDARD_INPUT);
    let option = path.to_string_lossy().starts_with('-') && !standard;
    let file: PathBuf = if option { Path::new(".").join(path) } else { path.to_owned() };
    command.arg(file).stdin(if standard { Stdio::inherit() } else { Stdio::null() });
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|error| {
        Diagnostic::plain(format!("cannot run the C compiler `{}`: {error}", options.compiler)).note(
            "a .c file is preprocessed with the machine's C compiler: install one (gcc or clang), name another with \
             --cc, or give a preprocessed .i file",
        )
    })?;
    if !output.status.success() {
        let mut messages = decode(output.stderr);
        messages.truncate(messages.char_indices().nth(4000).map_or(messages.len(), |(at, _)| at));
        let mut diagnostic =
            Diagnostic::plain(format!("`{} -E` could not preprocess {}", options.compiler, path.display()))
                .note(messages.trim_end().to_owned());
        // Which of the C library's own headers is the first to be missing depends on what is included first.
        let own_header = ["fatal error: bits/", "fatal error: gnu/"].iter().any(|start| messages.contains(start));
        if options.data_model == DataModel::Ilp32 && own_header {
            diagnostic = diagnostic.note("the 32-bit headers are missing: install gcc-multilib, or give a .i file");
        }
        return Err(diagnostic);
    }
    if output.stdout.len() as u64 > MAX_BYTES {
        return Err(Diagnostic::plain(format!("{} is larger than 64 MiB after preprocessing", path.display())));
    }
    Ok(decode(output.stdout))
}
