//! Preprocessed C text -> tokens.
//!
//! Line markers (`# 12 "file.c"`, `#line`) are turned into the line map, `#pragma pack` into pack events,
//! comments (which `.i` files may still hold) are skipped. Token positions are byte offsets into the text, so
//! nothing moves.

use crate::diagnostic::{Diagnostic, Result, Span};
use crate::source::{Marker, Source};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Ident,
    Keyword(&'static str),
    Punct(&'static str),
    Int,
    Float,
    Char,
    Str,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// `#pragma pack` state: from byte offset `.0` on, members are packed to `.1` bytes (0: natural).
pub type PackEvent = (u32, u32);

/// The directive before every translation unit of a text that has several.
pub const UNIT: &str = "pragma unthread translation unit";

#[derive(Debug)]
pub struct Lexed {
    /// Every translation unit ends in `Kind::Eof`.
    pub tokens: Vec<Token>,
    pub packs: Vec<PackEvent>,
    pub markers: Vec<Marker>,
}

/// Spelling variants of GNU keywords, mapped to one canonical spelling.
const KEYWORDS: &[(&str, &str)] = &[
    ("auto", "auto"),
    ("break", "break"),
    ("case", "case"),
    ("char", "char"),
    ("const", "const"),
    ("__const", "const"),
    ("__const__", "const"),
    ("continue", "continue"),
    ("default", "default"),
    ("do", "do"),
    ("double", "double"),
    ("else", "else"),
    ("enum", "enum"),
    ("extern", "extern"),
    ("float", "float"),
    ("for", "for"),
    ("goto", "goto"),
    ("if", "if"),
    ("inline", "inline"),
    ("__inline", "inline"),
    ("__inline__", "inline"),
    ("int", "int"),
    ("long", "long"),
    ("register", "register"),
    ("restrict", "restrict"),
    ("__restrict", "restrict"),
    ("__restrict__", "restrict"),
    ("return", "return"),
    ("short", "short"),
    ("signed", "signed"),
    ("__signed", "signed"),
    ("__signed__", "signed"),
    ("sizeof", "sizeof"),
    ("static", "static"),
    ("struct", "struct"),
    ("switch", "switch"),
    ("typedef", "typedef"),
    ("union", "union"),
    ("unsigned", "unsigned"),
    ("__unsigned__", "unsigned"),
    ("void", "void"),
    ("volatile", "volatile"),
    ("__volatile", "volatile"),
    ("__volatile__", "volatile"),
    ("while", "while"),
    ("_Alignas", "_Alignas"),
    ("_Alignof", "_Alignof"),
    ("__alignof", "__alignof__"),
    ("__alignof__", "__alignof__"),
    ("_Atomic", "_Atomic"),
    ("_Bool", "_Bool"),
    ("_Complex", "_Complex"),
    ("__complex__", "_Complex"),
    ("__complex", "_Complex"),
    ("__real__", "__real__"),
    ("__real", "__real__"),
    ("__imag__", "__imag__"),
    ("__imag", "__imag__"),
    ("_Generic", "_Generic"),
    ("_Noreturn", "_Noreturn"),
    ("_Static_assert", "_Static_assert"),
    ("_Thread_local", "_Thread_local"),
    ("__thread", "_Thread_local"),
    ("__extension__", "__extension__"),
    ("asm", "asm"),
    ("__asm", "asm"),
    ("__asm__", "asm"),
    ("typeof", "typeof"),
    ("__typeof", "typeof"),
    ("__typeof__", "typeof"),
    ("__attribute__", "__attribute__"),
    ("__attribute", "__attribute__"),
    ("__label__", "__label__"),
    ("__auto_type", "__auto_type"),
    ("__builtin_offsetof", "__builtin_offsetof"),
    ("__builtin_va_arg", "__builtin_va_arg"),
    ("__builtin_types_compatible_p", "__builtin_types_compatible_p"),
    ("__builtin_choose_expr", "__builtin_choose_expr"),
    ("__builtin_va_list", "__builtin_va_list"),
    ("__int128", "__int128"),
    ("__int128_t", "__int128"),
    ("__uint128_t", "__int128"),
    ("_Float16", "_Float16"),
    ("_Float32", "_Float32"),
    ("_Float64", "_Float64"),
    ("_Float128", "_Float128"),
    ("__float128", "_Float128"),
    ("_Float32x", "_Float32x"),
    ("_Float64x", "_Float64x"),
    ("_Decimal32", "_Decimal32"),
    ("_Decimal64", "_Decimal64"),
    ("_Decimal128", "_Decimal128"),
];

/// Longest first within each first character.
const PUNCTUATORS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
    "-=", "&=", "^=", "|=", "##", "[", "]", "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">",
    "^", "|", "?", ":", ";", "=", ",", "#",
];

/// The tokens, and the fault that stopped the lexer; the line map holds up to there.
pub fn lex(source: &Source) -> (Lexed, Option<Diagnostic>) {
    let mut lexer = Lexer {
        text: source.text.as_bytes(),
        at: 0,
        keywords: KEYWORDS.iter().copied().collect(),
        out: Lexed { tokens: Vec::new(), packs: Vec::new(), markers: Vec::new() },
        pack_stack: Vec::new(),
        pack: 0,
    };
    let fault = lexer.run().err();
    (lexer.out, fault)
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    keywords: rustc_hash::FxHashMap<&'static str, &'static str>,
    out: Lexed,
    pack_stack: Vec<u32>,
    pack: u32,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<()> {
        let mut line_start = true;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if matches!(self.text.get(self.at + 1), Some(b'\n' | b'\r')) => self.at += 2,
                b'#' if line_start => self.directive(),
                b'/' if self.text.get(self.at + 1) == Some(&b'/') => self.skip_line(),
                b'/' if self.text.get(self.at + 1) == Some(&b'*') => self.skip_comment()?,
                _ => {
                    line_start = false;
                    self.token(byte)?;
                }
            }
        }
        let end = self.text.len();
        self.push(Kind::Eof, end, end);
        Ok(())
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 2;
        while self.at + 1 < self.text.len() {
            if &self.text[self.at..self.at + 2] == b"*/" {
                self.at += 2;
                return Ok(());
            }
            self.at += 1;
        }
        Err(Diagnostic::error(Span::new(start, start + 2), "this comment is not closed"))
    }

    /// A line that starts with `#`: a line marker, a pragma, or something the preprocessor left for nobody.
    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let line = String::from_utf8_lossy(&self.text[start + 1..self.at]).into_owned();
        let line = line.trim();
        if line == UNIT {
            self.push(Kind::Eof, start, start);
            (self.pack, self.pack_stack) = (0, Vec::new());
            self.out.packs.push((self.at as u32, 0));
            return;
        }
        let marker = line.strip_prefix("line").unwrap_or(line).trim_start();
        if marker.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = marker.find(|c: char| !c.is_ascii_digit()).unwrap_or(marker.len());
            let file = marker[digits..].trim_start().strip_prefix('"').and_then(|rest| {
                let end = rest.rfind('"')?;
                Some(rest[..end].replace("\\\"", "\"").replace("\\\\", "\\"))
            });
            if let Ok(number) = marker[..digits].parse() {
                self.out.markers.push(Marker { offset: (self.at + 1) as u32, line: number, file });
            }
        } else if let Some(pragma) = line.strip_prefix("pragma")
            && let Some(arguments) = pragma.trim_start().strip_prefix("pack")
        {
            self.pragma_pack(arguments);
        }
    }

    fn pragma_pack(&mut self, arguments: &str) {
        let arguments = arguments.trim().trim_start_matches('(').trim_end_matches(')');
        let mut explicit = None;
        for argument in arguments.split(',').map(str::trim) {
            match argument {
                "push" => self.pack_stack.push(self.pack),
                "pop" => explicit = Some(self.pack_stack.pop().unwrap_or(0)),
                "" => explicit = Some(0),
                number => explicit = number.parse().ok().or(explicit),
            }
        }
        if let Some(pack) = explicit {
            self.pack = pack;
        }
        self.out.packs.push((self.at as u32, self.pack));
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.out.tokens.push(Token { kind, span: Span::new(start, end) });
    }

    fn token(&mut self, byte: u8) -> Result<()> {
        let start = self.at;
        let next = self.text.get(start + 1).copied().unwrap_or(0);
        match byte {
            b'"' => self.quoted(b'"', Kind::Str),
            b'\'' => self.quoted(b'\'', Kind::Char),
            b'L' | b'u' | b'U' if next == b'"' || next == b'\'' => {
                self.at += 1;
                let kind = if next == b'"' { Kind::Str } else { Kind::Char };
                self.quoted_from(start, next, kind)
            }
            b'u' if next == b'8' && self.text.get(start + 2) == Some(&b'"') => {
                self.at += 2;
                self.quoted_from(start, b'"', Kind::Str)
            }
            b'0'..=b'9' => {
                self.number();
                Ok(())
            }
            b'.' if next.is_ascii_digit() => {
                self.number();
                Ok(())
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. | b'\\' if byte != b'\\' || is_universal_name(next) => {
                // A compiler may write other letters as universal character names: `\u00e9`.
                while self.text.get(self.at).is_some_and(|b| {
                    is_ident_byte(*b)
                        || (*b == b'\\' && self.text.get(self.at + 1).is_some_and(|n| is_universal_name(*n)))
                }) {
                    self.at += 1;
                }
                let word = std::str::from_utf8(&self.text[start..self.at]).unwrap_or("");
                let kind = match self.keywords.get(word) {
                    Some(keyword) => Kind::Keyword(keyword),
                    None => Kind::Ident,
                };
                self.push(kind, start, self.at);
                Ok(())
            }
            _ => self.punctuator(start),
        }
    }

    fn punctuator(&mut self, start: usize) -> Result<()> {
        let rest = &self.text[start..];
        match PUNCTUATORS.iter().find(|p| rest.starts_with(p.as_bytes())) {
            Some(punct) => {
                self.at += punct.len();
                self.push(Kind::Punct(punct), start, self.at);
                Ok(())
            }
            None => Err(Diagnostic::error(
                Span::new(start, start + 1),
                format!("byte 0x{:02x} cannot start a token of C", self.text[start]),
            )
            .note("is this a C source file?")),
        }
    }

    fn quoted(&mut self, quote: u8, kind: Kind) -> Result<()> {
        self.quoted_from(self.at, quote, kind)
    }

    fn quoted_from(&mut self, start: usize, quote: u8, kind: Kind) -> Result<()> {
        self.at += 1;
        loop {
            match self.text.get(self.at) {
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    return Err(Diagnostic::error(
                        Span::new(start, start + 1),
                        format!("this {what} is not closed on its line"),
                    ));
                }
                Some(&byte) => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.text.len());
        self.push(kind, start, self.at);
        Ok(())
    }

    /// A preprocessing number (C11 6.4.8); its value is worked out by the parser.
    fn number(&mut self) {
        let start = self.at;
        let hex = self.text[start..].starts_with(b"0x") || self.text[start..].starts_with(b"0X");
        let mut float = false;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'.' => float = true,
                b'e' | b'E' if !hex => {
                    float = true;
                    if matches!(self.text.get(self.at + 1), Some(b'+' | b'-')) {
                        self.at += 1;
                    }
                }
                b'p' | b'P' if hex => {
                    float = true;
                    if matches!(self.text.get(self.at + 1), Some(b'+' | b'-')) {
                        self.at += 1;
                    }
                }
                _ if is_ident_byte(byte) => {}
                _ => break,
            }
            self.at += 1;
        }
        self.push(if float { Kind::Float } else { Kind::Int }, start, self.at);
    }
}

fn is_universal_name(byte: u8) -> bool {
    byte == b'u' || byte == b'U'
}

fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}
