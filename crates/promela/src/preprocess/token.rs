//! Preprocessing tokens.

use std::sync::Arc;

use lurcher_syntax::Span;

/// Kinds of preprocessing tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PpKind {
    /// A name.
    Ident,
    /// A C "preprocessing number": `12`, but also `0x1F` and `0..N`.
    Number,
    /// `"…"`.
    Str,
    /// `'…'`.
    Char,
    /// An operator or bracket of C.
    Punct,
    /// Anything else: a stray character, or the rest of a line after an unpaired quote.
    Other,
    /// The start of an expansion: the next token has the spacing of the replaced one, whose `space` this has.
    Lead,
    /// The end of an expansion: the next token must not run into the previous one.
    Seam,
    /// The end of a line.
    Newline,
    /// The end of a file, or of a list of tokens that is expanded on its own.
    Eof,
}

/// One preprocessing token.
#[derive(Clone, Debug)]
pub(crate) struct PpToken {
    pub kind: PpKind,
    pub text: Arc<str>,
    /// Its source position.
    pub span: Span,
    /// Its source line.
    pub line: u32,
    /// Whether white space precedes it.
    pub space: bool,
    /// Whether it is the first token of its line.
    pub first: bool,
    /// Whether it occurred in its own expansion, so that it is never expanded again.
    pub painted: bool,
    /// Whether it is from the body of a macro, not from an argument or a file.
    pub from_body: bool,
    /// Whether `##` follows.
    pub paste_left: bool,
    /// Whether `#` precedes.
    pub stringify: bool,
}

impl PpToken {
    /// A token from a file.
    pub(crate) fn new(kind: PpKind, text: impl Into<Arc<str>>, span: Span, line: u32) -> Self {
        let (space, first, painted, from_body, paste_left, stringify) = (false, false, false, false, false, false);
        PpToken { kind, text: text.into(), span, line, space, first, painted, from_body, paste_left, stringify }
    }

    /// A generated token, at the position of its cause.
    pub(crate) fn generated(kind: PpKind, text: impl Into<Arc<str>>, cause: &PpToken) -> Self {
        let text = text.into();
        PpToken { kind, text, painted: false, paste_left: false, stringify: false, ..cause.clone() }
    }

    /// Whether it is padding.
    pub(crate) fn is_padding(&self) -> bool {
        matches!(self.kind, PpKind::Lead | PpKind::Seam)
    }

    /// Whether it is this operator.
    pub(crate) fn is(&self, punct: &str) -> bool {
        self.kind == PpKind::Punct && &*self.text == punct
    }

    /// Whether the line or the file ends here.
    pub(crate) fn ends_line(&self) -> bool {
        matches!(self.kind, PpKind::Newline | PpKind::Eof)
    }
}
