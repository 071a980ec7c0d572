//! Preprocessing tokens: what C calls them, with what expansion needs to know of each.

use std::sync::Arc;

use lurcher_syntax::Span;

/// Classes of preprocessing tokens, as coarse as the preprocessor can use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PpKind {
    /// A name.
    Ident,
    /// A C "preprocessing number": `12`, but also `0x1F` and, to the surprise of many, `0..N`.
    Number,
    /// `"…"`.
    Str,
    /// `'…'`.
    Char,
    /// An operator or bracket of C.
    Punct,
    /// Anything else: a stray character, or the rest of a line after an unpaired quote.
    Other,
    /// An expansion starts here: the token after this is spaced like the one that was replaced, whose `space` this has.
    Lead,
    /// An expansion ended here: the token after this must not run into the one before.
    Seam,
    /// The end of a line.
    Newline,
    /// The end of a file, or of a list of tokens being expanded on its own.
    Eof,
}

/// One preprocessing token.
#[derive(Clone, Debug)]
pub(crate) struct PpToken {
    pub kind: PpKind,
    pub text: Arc<str>,
    /// Where it was spelled.
    pub span: Span,
    /// The line it was spelled on.
    pub line: u32,
    /// White space stands before it.
    pub space: bool,
    /// It is the first token of its line.
    pub first: bool,
    /// It was met inside its own expansion and is never expanded again.
    pub painted: bool,
    /// It belongs to the body of a macro (rather than to an argument or to the file).
    pub from_body: bool,
    /// `##` stands behind it.
    pub paste_left: bool,
    /// `#` stands before it.
    pub stringify: bool,
}

impl PpToken {
    /// A token that was made rather than read, at the place of the one that caused it.
    pub(crate) fn made(kind: PpKind, text: impl Into<Arc<str>>, cause: &PpToken) -> Self {
        let text = text.into();
        PpToken { kind, text, painted: false, paste_left: false, stringify: false, ..cause.clone() }
    }

    /// Whether it stands for spacing only.
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
