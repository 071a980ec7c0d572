//! Splits text into tokens, as NuSMV does.
//!
//! A name may contain `-`, so `a-b` is one name and `p->q` starts with the name `p-`. A line marker of the C preprocessor
//! (`# 12 "file"`) is skipped; any other line starting with `#` is refused.

use logos::{Lexer, Logos};
use lurcher_syntax::{FileId, SourceMap, Span};

use crate::token::{Keyword, T, Token};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// All tokens of a file, the last one [`T::Eof`].
pub(crate) fn tokens(sources: &SourceMap, file: FileId) -> Vec<Token<'_>> {
    let text: &str = sources.file(file).text();
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut lexer = T::lexer(text);
    if text.starts_with(BYTE_ORDER_MARK) {
        lexer.bump(BYTE_ORDER_MARK.len_utf8());
    }
    while let Some(kind) = lexer.next() {
        let Some(kind) = refine(kind.unwrap_or(T::Unknown), &mut lexer) else { continue };
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        tokens.push(Token { kind, text: lexer.slice(), span });
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: T::Eof, text: "", span: Span::new(file, end, end) });
    tokens
}

/// Refines the kind of a token; `None` for comments and line markers.
fn refine<'a>(kind: T, lexer: &mut Lexer<'a, T>) -> Option<T> {
    match kind {
        T::Name => Some(Keyword::from_text(lexer.slice()).map_or(T::Name, T::Key)),
        T::BlockComment => block_comment(lexer),
        T::Hash => hash(lexer),
        other => Some(other),
    }
}

/// Skips past `--/`, or to the end of the file.
fn block_comment(lexer: &mut Lexer<'_, T>) -> Option<T> {
    match lexer.remainder().find("--/") {
        Some(at) => {
            lexer.bump(at + 3);
            None
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Some(T::BlockComment)
        }
    }
}

/// Skips the rest of a line that starts with `#`.
fn hash(lexer: &mut Lexer<'_, T>) -> Option<T> {
    let start = lexer.span().start;
    if start > 0 && lexer.source().as_bytes()[start - 1] != b'\n' {
        return Some(T::Unknown);
    }
    let line = lexer.remainder().lines().next().unwrap_or("");
    lexer.bump(line.len());
    let marker = line.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if marker { None } else { Some(T::Directive) }
}
