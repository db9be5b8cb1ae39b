//! What we tell the user about the input: one type for faults, unsupported constructs and warnings, printed with
//! the source line and a caret.

use crate::c::preprocess::as_raw_byte;
use crate::source::Source;
use codespan_reporting::diagnostic as report;
use codespan_reporting::files::{Error as FilesError, Files};
use codespan_reporting::term;

/// A stretch of the preprocessed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.end) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is wrong.
    Error,
    /// The input may be right, but this program does not handle it (yet).
    Unsupported,
    Warning,
}

#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// `None`: the fault has no place in the text (no such file, no compiler).
    pub span: Option<Span>,
    pub message: String,
    pub notes: Vec<String>,
    /// Another place that it is about, and what is there.
    pub elsewhere: Option<(Span, String)>,
}

pub type Result<T> = std::result::Result<T, Diagnostic>;

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            span: Some(span),
            message: message.into(),
            notes: Vec::new(),
            elsewhere: None,
        }
    }

    pub fn unsupported(span: Span, construct: impl std::fmt::Display) -> Diagnostic {
        let message = format!("not supported: {construct}");
        Diagnostic { severity: Severity::Unsupported, ..Diagnostic::error(span, message) }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    pub fn plain(message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: None, ..Diagnostic::error(Span::default(), message) }
    }

    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    pub fn elsewhere(mut self, span: Span, what: impl Into<String>) -> Diagnostic {
        self.elsewhere = Some((span, what.into()));
        self
    }

    /// The message as text, with the source line and a caret where there is a place.
    pub fn render(&self, source: Option<&Source>) -> String {
        let mut text = String::new();
        let report = self.report(source);
        let config = term::Config { tab_width: 4, ..term::Config::default() };
        let name = match (self.span, source) {
            (Some(span), Some(source)) => source.location(span).file,
            _ => String::new(),
        };
        let files = SourceFiles { source, name };
        let written = term::emit_to_string(&mut text, &config, &files, &report);
        match written {
            // Bytes of another encoding are shown as Latin-1, the likeliest one.
            Ok(()) => text.chars().map(|c| as_raw_byte(c).map_or(c, char::from)).collect(),
            // The caret could not be drawn (a span past the text); the message must still arrive.
            Err(_) => format!("{}\n", self.message),
        }
    }

    fn report(&self, source: Option<&Source>) -> report::Diagnostic<()> {
        let base = match self.severity {
            Severity::Error | Severity::Unsupported => report::Diagnostic::error(),
            Severity::Warning => report::Diagnostic::warning(),
        };
        let mut notes = self.notes.clone();
        if let (Some((span, what)), Some(source)) = (&self.elsewhere, source) {
            notes.push(format!("{what}: {}", source.location(*span)));
        }
        let base = base.with_message(&self.message).with_notes(notes);
        match (self.span, source) {
            (Some(span), Some(source)) => {
                let length = source.text.len();
                let start = (span.start as usize).min(length);
                let mut end = (span.end as usize).clamp(start, length);
                // One line of caret is enough to find the place.
                if let Some(newline) = source.text.as_bytes()[start..end].iter().position(|b| *b == b'\n') {
                    end = start + newline;
                }
                base.with_labels(vec![report::Label::primary((), start..end)])
            }
            _ => base,
        }
    }
}

/// Shows codespan the preprocessed text under the user's own file names and line numbers.
struct SourceFiles<'s> {
    source: Option<&'s Source>,
    /// The user's file at the place that is shown.
    name: String,
}

impl<'f> Files<'f> for SourceFiles<'f> {
    type FileId = ();
    type Name = String;
    type Source = &'f str;

    fn name(&'f self, (): ()) -> std::result::Result<String, FilesError> {
        Ok(self.name.clone())
    }

    fn source(&'f self, (): ()) -> std::result::Result<&'f str, FilesError> {
        Ok(self.source.map_or("", |source| &source.text))
    }

    fn line_index(&'f self, (): (), byte_index: usize) -> std::result::Result<usize, FilesError> {
        Ok(self.source.map_or(0, |source| source.line_index(byte_index as u32)))
    }

    fn line_number(&'f self, (): (), line_index: usize) -> std::result::Result<usize, FilesError> {
        Ok(self.source.map_or(1, |source| source.user_line(line_index).1 as usize))
    }

    fn line_range(&'f self, (): (), line_index: usize) -> std::result::Result<std::ops::Range<usize>, FilesError> {
        let Some(source) = self.source else { return Err(FilesError::FileMissing) };
        let start = source.line_starts.get(line_index).copied().ok_or(FilesError::FileMissing)?;
        let end = source.line_starts.get(line_index + 1).map_or(source.text.len(), |next| *next as usize);
        Ok(start as usize..end)
    }
}
