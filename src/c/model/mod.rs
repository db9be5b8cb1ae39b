//! The meaning of library functions, written in C in terms of the core operations.
//!
//! One text serves every engine: the interpreter executes it, sequentialization and the embedded engine take it as
//! part of the program. It is parsed when a program first needs one of its functions.

use super::ast::External;
use crate::source::Source;

/// Each may use what those before it define.
const TEXTS: [&str; 3] =
    [concat!(include_str!("threads.c"), include_str!("library.c")), include_str!("text.c"), include_str!("posix.c")];

/// May the models define a function of this name? (A mention in a comment only costs the parsing.)
pub fn defines(name: &str) -> bool {
    text_with(name).is_some()
}

/// The number of the text that may define a function of this name.
pub fn text_with(name: &str) -> Option<usize> {
    TEXTS.iter().position(|text| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            text[at + name.len()..].starts_with('(') && matches!(before, Some(' ' | '*'))
        })
    })
}

pub fn parse(text: usize) -> Vec<External> {
    let source = Source::new("models".to_owned(), TEXTS[text].to_owned());
    let (lexed, fault) = super::lex::lex(&source);
    assert!(fault.is_none(), "models should lex");
    let units = super::parse::parse(&source, &lexed)
        .unwrap_or_else(|diagnostic| panic!("models should parse: {}", diagnostic.render(Some(&source))));
    units.into_iter().flat_map(|unit| unit.externals).collect()
}
