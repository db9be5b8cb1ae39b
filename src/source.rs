//! The text that was read, and the way back from a byte of it to the user's own file and line.

use crate::diagnostic::Span;

/// From byte `offset` on, the text is line `line` of `file` (`None`: the file of the previous marker).
#[derive(Clone, Debug)]
pub struct Marker {
    pub offset: u32,
    pub line: u32,
    pub file: Option<String>,
}

/// A place in the user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Preprocessed text with its line map.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The file as the user named it.
    pub name: String,
    pub text: String,
    pub markers: Vec<Marker>,
    /// Byte offset of each line's first byte.
    pub line_starts: Vec<u32>,
}

impl Source {
    pub fn new(name: String, text: String) -> Source {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        Source { name, text, markers: Vec::new(), line_starts }
    }

    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Index of the physical line that holds byte `offset`.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).max(1) - 1
    }

    /// The user's file and line for a physical line.
    pub fn user_line(&self, line_index: usize) -> (String, u32) {
        let start = self.line_starts[line_index];
        let count = self.markers.partition_point(|marker| marker.offset <= start);
        let Some(marker) = count.checked_sub(1).map(|last| &self.markers[last]) else {
            return (self.name.clone(), line_index as u32 + 1);
        };
        let file = self.markers[..count].iter().rev().find_map(|m| m.file.clone());
        let marker_line = self.line_index(marker.offset);
        let line = marker.line.saturating_add((line_index - marker_line.min(line_index)) as u32);
        (file.unwrap_or_else(|| self.name.clone()), line)
    }

    pub fn location(&self, span: Span) -> Location {
        let offset = span.start.min(self.text.len() as u32);
        let line_index = self.line_index(offset);
        let (file, line) = self.user_line(line_index);
        Location { file, line, column: offset - self.line_starts[line_index] + 1 }
    }
}
