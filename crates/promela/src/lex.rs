//! Cuts preprocessed text into raw tokens: spelling only, no meaning.
//!
//! Whether a word is a keyword, a type or a name, and whether a line end counts as `;`, depends on what was parsed
//! before; that is decided in `parse/stream.rs`.

use logos::Logos;
use lurcher_syntax::Span;

use crate::preprocess::Expanded;

/// Spelling classes.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\f]+")]
pub(crate) enum Raw {
    #[token("\n")]
    Newline,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#"\$([^$\\\n]|\\[^\n])*\$"#)]
    Str,
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    OpenStr,
    #[regex(r"'(\\[\x00-\x7f]|[\x00-\x09\x0b-\x5b\x5d-\x7f])'")]
    Char,
    #[regex(r"'[^'\n]*'?", priority = 1)]
    OpenChar,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token(";")]
    Semi,
    #[token("->")]
    Arrow,
    #[token("::")]
    Sep,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("@")]
    At,
    #[token("=")]
    Assign,
    #[token("==")]
    Eq,
    #[token("!=")]
    Ne,
    #[token("!")]
    Bang,
    #[token("!!")]
    BangBang,
    #[token("?")]
    Query,
    #[token("??")]
    QueryQuery,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token("<<")]
    Shl,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
    #[token(">>")]
    Shr,
    #[token("+")]
    Plus,
    #[token("++")]
    Increment,
    #[token("-")]
    Minus,
    #[token("--")]
    Decrement,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Amp,
    #[token("&&")]
    AmpAmp,
    #[token("|")]
    Pipe,
    #[token("||")]
    PipePipe,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    /// A character Promela has no use for.
    Unknown,
    Eof,
}

/// A raw token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawToken<'a> {
    pub kind: Raw,
    pub text: &'a str,
    /// The value of a number or character; numbers past 32 bits wrap as in Spin.
    pub value: i32,
    pub span: Span,
    /// A line end stands before it.
    pub newline: bool,
    /// Nothing at all stands before it.
    pub adjacent: bool,
}

/// All tokens of a text, the last one [`Raw::Eof`].
pub(crate) fn tokens(expanded: &Expanded) -> Vec<RawToken<'_>> {
    let mut tokens = Vec::new();
    let mut newline = false;
    let mut end = 0;
    for (kind, range) in Raw::lexer(&expanded.text).spanned() {
        let kind = kind.unwrap_or(Raw::Unknown);
        if kind == Raw::Newline {
            newline = true;
            continue;
        }
        let text = &expanded.text[range.clone()];
        let span = expanded.span(range.start, range.end);
        let adjacent = range.start == end;
        tokens.push(RawToken { kind, text, value: value(kind, text), span, newline, adjacent });
        newline = false;
        end = range.end;
    }
    let length = expanded.text.len();
    let span = expanded.span(length, length);
    tokens.push(RawToken { kind: Raw::Eof, text: "", value: 0, span, newline, adjacent: false });
    tokens
}

fn value(kind: Raw, text: &str) -> i32 {
    match kind {
        Raw::Number => text.parse().unwrap_or(i64::MAX) as i32,
        Raw::Char => match text.as_bytes()[1..] {
            [b'\\', b'n', _] => 10,
            [b'\\', b'r', _] => 13,
            [b'\\', b't', _] => 9,
            [b'\\', b'f', _] => 12,
            [b'\\', c, _] => i32::from(c),
            [c, ..] => i32::from(c),
            [] => 0,
        },
        _ => 0,
    }
}
