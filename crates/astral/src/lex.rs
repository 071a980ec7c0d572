//! Splits text into tokens.

use logos::{Lexer, Logos};
use lurcher_syntax::{FileId, SourceMap, Span};

use crate::token::{Keyword, T, Token};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// All tokens of a file, the last one [`T::Eof`]. A [`T::Comment`] among them is a comment that does not end.
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

/// Refines the kind of a token; `None` for comments.
fn refine<'a>(kind: T, lexer: &mut Lexer<'a, T>) -> Option<T> {
    match kind {
        T::Name => Some(Keyword::from_text(lexer.slice()).map_or(T::Name, T::Key)),
        T::Comment => match lexer.remainder().find("*/") {
            Some(at) => {
                lexer.bump(at + 2);
                None
            }
            None => {
                lexer.bump(lexer.remainder().len());
                Some(T::Comment)
            }
        },
        other => Some(other),
    }
}
