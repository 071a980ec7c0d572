//! Splits a file into preprocessing tokens.
//!
//! Line splices (a backslash at the end of a line) are removed, also inside a token; comments become white space. The
//! scanner reports unterminated comments only: an unpaired quote is an error only if its text survives conditional
//! compilation, so it becomes a token with the rest of its line, which the Promela lexer refuses.

use std::sync::Arc;

use lurcher_resources::checkpoint;
use lurcher_syntax::{FileId, Span};

use super::token::{PpKind, PpToken};

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 25] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##", "%:", "::",
];

/// Reads a file token by token.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    file: FileId,
    text: Arc<str>,
    pos: usize,
    line: u32,
    fresh_line: bool,
    put_back: Option<PpToken>,
    /// The span of an unterminated comment.
    pub unterminated_comment: Option<Span>,
}

impl Scanner {
    pub(crate) fn new(file: FileId, text: Arc<str>) -> Self {
        let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Scanner { file, text, pos, line: 1, fresh_line: true, put_back: None, unterminated_comment: None }
    }

    /// The file being read.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// The next token; newlines are tokens, and the end of the file is repeated.
    pub(crate) fn next(&mut self) -> PpToken {
        checkpoint();
        if let Some(token) = self.put_back.take() {
            return token;
        }
        let space = self.skip_blanks();
        (self.pos, self.line) = self.after_splices();
        let (start, line, first) = (self.pos, self.line, self.fresh_line);
        self.fresh_line = false;
        let mut spelling = String::new();
        let kind = self.token(&mut spelling);
        let span = Span::new(self.file, start as u32, self.pos as u32);
        if kind == PpKind::Newline {
            self.fresh_line = true;
        }
        PpToken { space: space || first, first, ..PpToken::new(kind, spelling, span, line) }
    }

    /// Returns a token, which becomes the next one.
    pub(crate) fn put_back(&mut self, token: PpToken) {
        self.put_back = Some(token);
    }

    /// The rest of the line, comments included, for `#error` and `#warning`.
    pub(crate) fn rest_of_line(&mut self) -> String {
        let mut rest = String::new();
        while let Some(c) = self.peek() {
            if c == '\n' {
                break;
            }
            rest.push(c);
            self.bump();
        }
        rest.trim().to_owned()
    }

    fn token(&mut self, spelling: &mut String) -> PpKind {
        let Some(c) = self.bump() else { return PpKind::Eof };
        spelling.push(c);
        match c {
            '\n' => PpKind::Newline,
            'a'..='z' | 'A'..='Z' | '_' => {
                self.take_while(spelling, |c| c.is_ascii_alphanumeric() || c == '_');
                PpKind::Ident
            }
            '0'..='9' => self.number(spelling),
            '.' if self.peek().is_some_and(|c| c.is_ascii_digit()) => self.number(spelling),
            '"' | '\'' => self.quoted(c, spelling),
            _ if c.is_ascii_punctuation() && !matches!(c, '\\' | '@' | '$' | '`') => self.operator(c, spelling),
            _ => PpKind::Other,
        }
    }

    fn number(&mut self, spelling: &mut String) -> PpKind {
        while let Some(c) = self.peek() {
            let exponent_sign = matches!(c, '+' | '-') && spelling.ends_with(['e', 'E', 'p', 'P']);
            if !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || exponent_sign) {
                break;
            }
            spelling.push(c);
            self.bump();
        }
        PpKind::Number
    }

    /// A string or character constant, or the rest of the line if the closing quote is missing.
    fn quoted(&mut self, quote: char, spelling: &mut String) -> PpKind {
        while let Some(c) = self.peek() {
            if c == '\n' {
                return PpKind::Other;
            }
            spelling.push(c);
            self.bump();
            if c == quote {
                return if quote == '"' { PpKind::Str } else { PpKind::Char };
            }
            if c == '\\'
                && let Some(escaped) = self.peek().filter(|&c| c != '\n')
            {
                spelling.push(escaped);
                self.bump();
            }
        }
        PpKind::Other
    }

    fn operator(&mut self, first: char, spelling: &mut String) -> PpKind {
        let after = (self.pos, self.line);
        for operator in OPERATORS {
            let mut rest = operator.chars();
            if rest.next() == Some(first) && rest.all(|c| self.bump() == Some(c)) {
                spelling.push_str(&operator[1..]);
                return PpKind::Punct;
            }
            (self.pos, self.line) = after;
        }
        PpKind::Punct
    }

    fn take_while(&mut self, spelling: &mut String, accept: impl Fn(char) -> bool) {
        while let Some(c) = self.peek().filter(|&c| accept(c)) {
            spelling.push(c);
            self.bump();
        }
    }

    /// Skips blanks and comments, not newlines.
    fn skip_blanks(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r' | '\x0b' | '\x0c' | '\0') => {
                    self.bump();
                }
                Some('/') => {
                    let before = (self.pos, self.line);
                    self.bump();
                    match self.peek() {
                        Some('*') => self.block_comment(before.0),
                        Some('/') => self.line_comment(),
                        _ => {
                            (self.pos, self.line) = before;
                            return any;
                        }
                    }
                }
                _ => return any,
            }
            any = true;
        }
    }

    fn block_comment(&mut self, start: usize) {
        self.bump();
        let mut star = false;
        while let Some(c) = self.bump() {
            if star && c == '/' {
                return;
            }
            star = c == '*';
        }
        self.unterminated_comment = Some(Span::new(self.file, start as u32, start as u32 + 2));
    }

    fn line_comment(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.bump();
        }
    }

    fn peek(&self) -> Option<char> {
        let (at, _) = self.after_splices();
        match self.text[at..].chars().next() {
            Some('\r') if self.text[at..].starts_with("\r\n") => Some('\n'),
            c => c,
        }
    }

    fn bump(&mut self) -> Option<char> {
        (self.pos, self.line) = self.after_splices();
        let rest = &self.text[self.pos..];
        if rest.starts_with("\r\n") {
            self.pos += 2;
            self.line += 1;
            return Some('\n');
        }
        let c = rest.chars().next()?;
        self.pos += c.len_utf8();
        self.line += u32::from(c == '\n');
        Some(c)
    }

    /// Position and line behind any backslash-newline pairs here; blanks between the two are forgiven, as gcc does.
    fn after_splices(&self) -> (usize, u32) {
        let (mut pos, mut line) = (self.pos, self.line);
        let bytes = self.text.as_bytes();
        while bytes.get(pos) == Some(&b'\\') {
            let blanks = bytes[pos + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c'));
            let newline = pos + 1 + blanks.count();
            if bytes.get(newline) != Some(&b'\n') {
                break;
            }
            pos = newline + 1;
            line += 1;
        }
        (pos, line)
    }
}
