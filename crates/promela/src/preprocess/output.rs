//! The output of the preprocessor, with the source position of each token.

use std::sync::Arc;

use lurcher_resources::checkpoint;
use lurcher_syntax::{FileId, SourceMap, Span};

use super::token::{PpKind, PpToken};

/// Preprocessed text with the source position of every token.
///
/// The text has the line structure of `gcc -E`, on which Spin's optional semicolons depend: a token is on its source line,
/// and the expansion of a macro call is on the line of the macro's name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expanded {
    pub text: String,
    pieces: Vec<Piece>,
}

/// A token in the text: its offset and its source span.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: u32,
    span: Span,
    /// Whether the text equals the source text, so that positions inside the token map one to one.
    verbatim: bool,
}

impl Expanded {
    /// The source span of bytes `start..end` of the text.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.piece(start);
        let last = self.piece(end.max(start + 1) - 1);
        let from = first.inside(start);
        let to = last.inside(end);
        if from.file == to.file { Span::new(from.file, from.start, to.end.max(from.start)) } else { from }
    }

    fn piece(&self, byte: usize) -> Piece {
        let after = self.pieces.partition_point(|p| p.at as usize <= byte);
        match after.checked_sub(1) {
            Some(i) => self.pieces[i],
            None => Piece { at: 0, span: Span::default(), verbatim: false },
        }
    }
}

impl Piece {
    /// The source position of a byte of the text, or the whole span if the piece is not verbatim.
    fn inside(self, byte: usize) -> Span {
        if !self.verbatim {
            return self.span;
        }
        let place = (self.span.start + (byte as u32).saturating_sub(self.at)).min(self.span.end);
        Span::new(self.span.file, place, place)
    }
}

/// The padding between two tokens.
#[derive(Debug, Default)]
pub(crate) struct Padding {
    /// Whether there is any.
    padded: bool,
    /// Whether the first significant padding asks for a blank.
    pub spacing: Option<bool>,
}

impl Padding {
    /// Adds a padding token.
    pub(crate) fn add(&mut self, token: &PpToken) {
        self.padded = true;
        self.spacing = match token.kind {
            PpKind::Lead => self.spacing.or(Some(token.space)),
            _ => self.spacing.filter(|&space| space),
        };
    }
}

/// Writes tokens as `gcc -E` would.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    out: Expanded,
    line: Option<(FileId, u32)>,
    padding: Padding,
    previous: Option<(PpKind, Arc<str>)>,
}

impl Writer {
    /// Appends a token with its reported position.
    pub(crate) fn write(&mut self, sources: &SourceMap, token: &PpToken, span: Span, line: u32) {
        checkpoint();
        if token.is_padding() {
            return self.padding.add(token);
        }
        let Padding { padded, spacing } = std::mem::take(&mut self.padding);
        let space = spacing.unwrap_or(token.space);
        let place = Some((span.file, line));
        if self.line != place && (space || padded) {
            self.out.text.push('\n');
            self.line = place;
        } else if space || (padded && self.would_paste(token)) {
            self.out.text.push(' ');
        }
        let verbatim = sources.text(span) == &*token.text;
        self.out.pieces.push(Piece { at: self.out.text.len() as u32, span, verbatim });
        self.out.text.push_str(&token.text);
        self.previous = Some((token.kind, token.text.clone()));
    }

    /// Bytes written.
    pub(crate) fn len(&self) -> usize {
        self.out.text.len()
    }

    /// Ends the text; `end` is the end of the main file.
    pub(crate) fn finish(mut self, end: Span) -> Expanded {
        self.out.text.push('\n');
        self.out.pieces.push(Piece { at: self.out.text.len() as u32, span: end, verbatim: false });
        self.out
    }

    /// Whether the previous token and this one need a blank between them.
    fn would_paste(&self, token: &PpToken) -> bool {
        let Some((kind, text)) = &self.previous else { return false };
        let next = token.text.chars().next().unwrap_or(' ');
        match kind {
            PpKind::Ident => matches!(token.kind, PpKind::Ident | PpKind::Number | PpKind::Str | PpKind::Char),
            PpKind::Number => {
                matches!(token.kind, PpKind::Ident | PpKind::Number | PpKind::Char) || matches!(next, '.' | '+' | '-')
            }
            PpKind::Punct => match &**text {
                ">" => matches!(next, '>' | '='),
                "<" => matches!(next, '<' | '=' | '%' | ':'),
                "+" => matches!(next, '+' | '='),
                "-" => matches!(next, '-' | '>' | '='),
                "/" => matches!(next, '/' | '*' | '='),
                "&" => matches!(next, '&' | '='),
                "|" => matches!(next, '|' | '='),
                "=" | "!" | "*" | "^" | "<<" | ">>" => next == '=',
                "." => matches!(next, '.' | '%' | '0'..='9'),
                ":" => matches!(next, ':' | '>'),
                "%" => matches!(next, '=' | ':' | '%'),
                "->" => next == '*',
                "#" => next == '#',
                _ => false,
            },
            _ => false,
        }
    }
}
