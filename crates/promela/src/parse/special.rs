//! Words that the lexer handles: `select` over constants, and embedded C.

use lurcher_syntax::Diagnostic;

use super::stream::{Stream, matching_brace};
use crate::lex::{Raw, RawToken};

/// The widest range that Spin turns into one option per value.
const SELECT_OPTIONS: i32 = 32;

impl<'a> Stream<'a> {
    /// Before parsing, Spin replaces `select (name : 1 .. 3)` with constant bounds on one line by
    /// `if :: name = 1 :: name = 2 :: name = 3 fi`, or by a loop if the range is wide. Returns `false` for other forms,
    /// which the grammar handles.
    pub(super) fn expand_select(&mut self, word: RawToken<'a>) -> bool {
        let [paren, name, colon, from, dots, to, close, ..] = *self.upcoming() else { return false };
        let shape = [Raw::ParenOpen, Raw::Word, Raw::Colon, Raw::Number, Raw::DotDot, Raw::Number, Raw::ParenClose];
        let found = [paren, name, colon, from, dots, to, close];
        if found.map(|t| t.kind) != shape || found[1..].iter().any(|t| t.newline) || name.text.contains('_') {
            return false;
        }
        self.skip_raw(found.len());
        let whole = if paren.newline { name.span } else { word.span }.to(close.span);
        if from.value > to.value {
            self.report(Diagnostic::error(whole, "the first value of a `select` is larger than the last"));
            return true;
        }
        let token = |kind, text, value| RawToken { kind, text, value, span: whole, newline: false, adjacent: false };
        let name = RawToken { span: whole, newline: false, adjacent: false, ..name };
        let mark = |kind, text| token(kind, text, 0);
        let number = |value| token(Raw::Number, "", value);
        let mut tokens = Vec::new();
        if i64::from(to.value) - i64::from(from.value) <= i64::from(SELECT_OPTIONS) {
            tokens.push(mark(Raw::Word, "if"));
            for value in from.value..=to.value {
                tokens.extend([mark(Raw::Sep, "::"), name, mark(Raw::Assign, "="), number(value)]);
            }
            tokens.push(mark(Raw::Word, "fi"));
        } else {
            tokens.extend([name, mark(Raw::Assign, "="), number(from.value), mark(Raw::Semi, ";")]);
            tokens.extend([mark(Raw::Word, "do"), mark(Raw::Sep, "::"), mark(Raw::ParenOpen, "("), name]);
            tokens.extend([mark(Raw::Lt, "<"), number(to.value), mark(Raw::ParenClose, ")"), mark(Raw::Arrow, "->")]);
            tokens.extend([name, mark(Raw::Increment, "++"), mark(Raw::Sep, "::"), mark(Raw::Word, "break")]);
            tokens.extend([mark(Raw::Word, "od"), mark(Raw::Semi, ";")]);
        }
        self.push_tokens(tokens);
        true
    }

    /// Refuses embedded C and skips it.
    pub(super) fn skip_embedded_c(&mut self, word: RawToken<'a>) {
        let message = format!("embedded C (`{}`) is not supported", word.text);
        self.report(
            Diagnostic::error(word.span, message).note("rewrite this part in Promela, or check the model with Spin"),
        );
        let rest = self.upcoming();
        let mut next = 0;
        if matches!(word.text, "c_state" | "c_track") {
            next = rest.iter().take_while(|t| t.kind == Raw::Str).count();
        } else {
            if rest.first().is_some_and(|t| t.kind == Raw::BracketOpen) {
                next = rest.iter().position(|t| t.kind == Raw::BracketClose).map_or(0, |i| i + 1);
            }
            if rest.get(next).is_some_and(|t| t.kind == Raw::BraceOpen) {
                next = matching_brace(rest, next).map_or(next, |end| end + 1);
            }
        }
        self.skip_raw(next);
    }
}
