//! A build's own list of compilations (`compile_commands.json`), and which of its files a program needs.

use super::ast::{Declaration, External, Storage};
use super::flags::{Flag, classify};
use super::lex::{Kind, lex};
use super::parse::parse;
use crate::diagnostic::{Diagnostic, Result};
use crate::il::DataModel;
use crate::source::Source;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How a build compiles a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compilation {
    pub file: PathBuf,
    pub directory: PathBuf,
    /// Of its flags, those that the preprocessor needs.
    pub arguments: Vec<String>,
    pub model: Option<DataModel>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// All compilations of C files; `project` is the file or the folder that it lies in.
pub fn compilations(project: &Path) -> Result<Vec<Compilation>> {
    let file = if project.is_dir() { project.join("compile_commands.json") } else { project.to_owned() };
    let shown = file.display();
    let text = std::fs::read_to_string(&file).map_err(|error| {
        Diagnostic::plain(format!("cannot read {shown}: {error}"))
            .note("cmake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, make with the help of bear")
    })?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|error| Diagnostic::plain(format!("{shown} is no list of compilations: {error}")))?;
    let base = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut list: Vec<Compilation> = Vec::new();
    for entry in entries {
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) => Some(arguments),
            (None, Some(command)) => shlex::split(&command),
            (None, None) => None,
        };
        let Some(words) = words else {
            let file = entry.file.display();
            return Err(Diagnostic::plain(format!("{shown}: the command for {file} cannot be read")));
        };
        let directory = base.join(&entry.directory);
        let file = directory.join(&entry.file);
        // A file that is compiled twice is taken the first time.
        let known = list.iter().any(|known| known.file == file);
        if file.extension().is_some_and(|extension| extension == "c") && !known {
            list.push(compilation(file, directory, &words)?);
        }
    }
    Ok(list)
}

fn compilation(file: PathBuf, directory: PathBuf, words: &[String]) -> Result<Compilation> {
    let mut compilation = Compilation { file, directory, arguments: Vec::new(), model: None };
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        match classify(word) {
            Flag::Preprocessor(arguments) => {
                compilation.arguments.push(word.clone());
                compilation.arguments.extend(words.by_ref().take(arguments).cloned());
            }
            Flag::Ignored(arguments) => words.by_ref().take(arguments).for_each(drop),
            Flag::Model(model) => compilation.model = Some(model),
            Flag::Refused(why) => {
                let file = compilation.file.display();
                return Err(Diagnostic::plain(format!(
                    "not supported: `{word}`, with which {file} is compiled: {why}"
                )));
            }
            // The input file, or what only other compilers know.
            Flag::Unknown => {}
        }
    }
    Ok(compilation)
}

/// Of preprocessed files, those that a program needs: the first ones, which the user named, or else the one that defines
/// `main`; and whoever defines a function or variable that one of these mentions.
pub fn needed(units: &[(String, String)], named: usize) -> Result<Vec<usize>> {
    let names: Vec<Names> = units.iter().map(|(name, text)| names(name, text)).collect();
    let mut needed: Vec<usize> = (0..named).collect();
    if named == 0 {
        needed = (0..units.len()).filter(|unit| names[*unit].defined.contains("main")).collect();
    }
    if named == 0 && needed.len() != 1 {
        let files: Vec<&str> = needed.iter().map(|unit| units[*unit].0.as_str()).collect();
        return Err(match files.is_empty() {
            true => Diagnostic::plain("no file of the project defines `main`"),
            false => Diagnostic::plain(format!("several files of the project define `main`: {}", files.join(", ")))
                .note("name the one that is meant: the files that it needs are found"),
        });
    }
    let mut at = 0;
    while let Some(unit) = needed.get(at).copied() {
        at += 1;
        for other in 0..units.len() {
            let missing = |name: &String| names[unit].mentioned.contains(name) && !names[unit].defined.contains(name);
            let provided = |name: &String| needed.iter().any(|unit| names[*unit].defined.contains(name));
            if !needed.contains(&other) && names[other].defined.iter().any(|name| missing(name) && !provided(name)) {
                needed.push(other);
            }
        }
    }
    Ok(needed)
}

#[derive(Default)]
struct Names {
    defined: FxHashSet<String>,
    mentioned: FxHashSet<String>,
}

/// What a unit defines for others, and all names in it. One that cannot be read defines nothing: the program may not need it.
fn names(name: &str, text: &str) -> Names {
    let mut source = Source::new(name.to_owned(), text.to_owned());
    let (mut lexed, fault) = lex(&source);
    source.markers = std::mem::take(&mut lexed.markers);
    let Some(units) = parse(&source, &lexed).ok().filter(|_| fault.is_none()) else { return Names::default() };
    let mut names = Names::default();
    for external in units.iter().flat_map(|unit| &unit.externals) {
        match external {
            External::Function(definition) => {
                if definition.specs.storage != Some(Storage::Static) && !definition.specs.inline {
                    names.defined.extend(definition.declarator.name.clone());
                }
            }
            External::Declaration(Declaration::Variables { specs, declarators, .. }) => {
                for init in declarators {
                    let defines = match specs.storage {
                        None => !init.declarator.is_function(),
                        Some(Storage::Extern) => init.init.is_some(),
                        Some(_) => false,
                    };
                    names.defined.extend(init.declarator.name.clone().filter(|_| defines));
                }
            }
            External::Declaration(Declaration::StaticAssert { .. }) => {}
        }
    }
    let identifiers = lexed.tokens.iter().filter(|token| token.kind == Kind::Ident);
    names.mentioned = identifiers.map(|token| source.slice(token.span).to_owned()).collect();
    names
}
