//! Splits preprocessed text into raw tokens, by spelling only.
//!
//! Whether a word is a keyword, a type or a name, and whether a line end counts as `;`, depends on what was parsed
//! before: see `parse/stream.rs`.

use logos::Logos;
use lurcher_syntax::{Diagnostic, Span};

use crate::preprocess::Expanded;

/// Calls a macro with the punctuation of Promela: its spelling and its name.
macro_rules! with_punctuation {
    ($macro:ident) => {
        $macro! {
            "(" ParenOpen ")" ParenClose "[" BracketOpen "]" BracketClose "{" BraceOpen "}" BraceClose
            ";" Semi "->" Arrow "::" Sep ":" Colon "," Comma "." Dot ".." DotDot "@" At "=" Assign
            "==" Eq "!=" Ne "!" Bang "!!" BangBang "?" Query "??" QueryQuery "<" Lt "<=" Le "<<" Shl ">" Gt ">=" Ge
            ">>" Shr "+" Plus "++" Increment "-" Minus "--" Decrement "*" Star "/" Slash "%" Percent
            "&" Amp "&&" And "|" Pipe "||" Or "^" Caret "~" Tilde
        }
    };
}
pub(crate) use with_punctuation;

macro_rules! raw_kinds {
    ($($text:tt $name:ident)*) => {
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
            $(#[token($text)] $name,)*
            /// A second spelling of another token: see [`other_spelling`].
            #[token("-->")]
            #[token("<=<")]
            #[token(">=>")]
            #[token("!!=")]
            OtherSpelling,
            /// The end of a comment that is not open.
            #[token("*/")]
            CommentEnd,
            /// A character that Promela does not use.
            Unknown,
            Eof,
        }
    };
}
with_punctuation!(raw_kinds);

/// A raw token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawToken<'a> {
    pub kind: Raw,
    pub text: &'a str,
    /// The value of a number or character; numbers past 32 bits wrap as in Spin.
    pub value: i32,
    pub span: Span,
    /// Whether a line end precedes it.
    pub newline: bool,
    /// Whether it directly follows the previous token.
    pub adjacent: bool,
}

/// Spin looks for the last character of `->`, `<<`, `>>` and `!=` after it has taken that of `--`, `<=`, `>=` and `!!`.
fn other_spelling(text: &str) -> Raw {
    match text {
        "-->" => Raw::Arrow,
        "<=<" => Raw::Shl,
        ">=>" => Raw::Shr,
        _ => Raw::Ne,
    }
}

/// All tokens of a text, the last one [`Raw::Eof`], and warnings.
pub(crate) fn tokens(expanded: &Expanded) -> (Vec<RawToken<'_>>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut warnings = Vec::new();
    let mut newline = false;
    let mut end = 0;
    for (kind, range) in Raw::lexer(&expanded.text).spanned() {
        let text = &expanded.text[range.clone()];
        let span = expanded.span(range.start, range.end);
        let kind = match kind.unwrap_or(Raw::Unknown) {
            Raw::Newline => {
                newline = true;
                continue;
            }
            Raw::CommentEnd => {
                let warning = Diagnostic::warning(span, "no comment is open here: this `*/` is skipped, as in Spin");
                warnings.push(warning.note("comments do not nest: the first `*/` ends a comment"));
                continue;
            }
            Raw::OtherSpelling => other_spelling(text),
            kind => kind,
        };
        let adjacent = range.start == end;
        tokens.push(RawToken { kind, text, value: value(kind, text), span, newline, adjacent });
        newline = false;
        end = range.end;
    }
    let length = expanded.text.len();
    let span = expanded.span(length, length);
    tokens.push(RawToken { kind: Raw::Eof, text: "", value: 0, span, newline, adjacent: false });
    (tokens, warnings)
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
