//! The kind of a raw token: keyword, name of some class, or operator.

use lurcher_syntax::Diagnostic;

use super::stream::{Deferred, Stream, matching_brace, token};
use super::token::{T, Token, formula_keyword, keyword, punctuation};
use crate::lex::{Raw, RawToken};

impl<'a> Stream<'a> {
    /// The token of a raw token; `None` if it is replaced by other tokens.
    pub(super) fn classify(&mut self, raw: RawToken<'a>, in_argument: bool) -> Option<Token<'a>> {
        let kind = match raw.kind {
            Raw::Word => return self.classify_word(raw, in_argument),
            Raw::OpenStr => {
                self.report(Diagnostic::error(raw.span, "this string never ends"));
                T::Str
            }
            Raw::OpenChar => {
                self.report(Diagnostic::error(raw.span, "expected one character between single quotes"));
                T::Const
            }
            Raw::Number => {
                if !raw.text.is_empty() && raw.text.parse() != Ok(raw.value) {
                    let message = format!("number does not fit 32 bits and is read as {}, as Spin does", raw.value);
                    self.report(Diagnostic::warning(raw.span, message));
                }
                T::Const
            }
            _ if self.modes.formula => self.formula_punctuation(&raw),
            other => punctuation(other),
        };
        Some(token(&raw, kind, raw.value))
    }

    /// Punctuation in a formula.
    fn formula_punctuation(&mut self, raw: &RawToken<'a>) -> T {
        let next = self.peek_raw();
        let pair = (raw.kind, if next.adjacent { next.kind } else { Raw::Eof });
        let kind = match pair {
            (Raw::BracketOpen, Raw::BracketClose) => T::Always,
            (Raw::Lt, Raw::Gt) => T::Eventually,
            (Raw::Lt, Raw::Arrow) if next.text == "->" => T::Iff,
            (Raw::Slash, Raw::Unknown) if self.modes.mathematical && next.text == "\\" => T::And,
            (Raw::Unknown, Raw::Slash) if self.modes.mathematical && raw.text == "\\" => T::Or,
            (Raw::Arrow, _) if raw.text == "->" => return T::Implies,
            _ => return punctuation(raw.kind),
        };
        self.skip_raw(1);
        kind
    }

    fn classify_word(&mut self, raw: RawToken<'a>, in_argument: bool) -> Option<Token<'a>> {
        let token = |kind, value| Some(token(&raw, kind, value));
        if self.modes.formula
            && let Some(kind) = formula_keyword(raw.text)
        {
            return token(kind, 0);
        }
        match keyword(raw.text) {
            Some(T::In) if !self.modes.in_for => {}
            Some(T::Timeout) if self.call().is_none() && self.last_token != Some(T::ParenOpen) => {
                return Some(self.parenthesise_timeout(raw));
            }
            Some(T::Select) if self.call().is_none() && self.expand_select(raw) => return None,
            Some(T::Ltl) if self.call().is_none() && self.defer_formulas && self.defer_formula(raw) => return None,
            Some(kind @ (T::CCode | T::CDecl | T::CExpr | T::CState | T::CTrack)) => {
                self.skip_embedded_c(raw);
                return token(kind, 0);
            }
            Some(kind) => return token(kind, i32::from(matches!(raw.text, "true" | "skip"))),
            None => {}
        }
        if let Some(value) = self.names.mtype_constant(raw.text) {
            return token(T::Const, value);
        }
        if !in_argument && self.substitute(&raw) {
            return None;
        }
        let kind = match raw.text {
            name if self.names.typedefs.contains(name) => T::TypedefName,
            name if self.names.proctypes.contains(name) => T::ProctypeName,
            name if self.inlines.contains_key(name) => T::InlineName,
            _ => T::Name,
        };
        token(kind, 0)
    }

    /// Reads `timeout` as `(timeout)`, as Spin does, so that a line end after it counts.
    fn parenthesise_timeout(&mut self, raw: RawToken<'a>) -> Token<'a> {
        let close = RawToken { kind: Raw::ParenClose, text: ")", newline: false, adjacent: false, ..raw };
        let word = RawToken { newline: false, ..raw };
        self.push_tokens(vec![word, close]);
        let open = RawToken { kind: Raw::ParenOpen, text: "(", ..raw };
        token(&open, T::ParenOpen, 0)
    }

    /// Defers `ltl name { … }`; `false` if the tokens have another form.
    fn defer_formula(&mut self, keyword: RawToken<'a>) -> bool {
        let rest = self.upcoming();
        let named = rest.first().is_some_and(|t| t.kind == Raw::Word);
        let open = usize::from(named);
        if rest.get(open).is_none_or(|t| t.kind != Raw::BraceOpen) {
            return false;
        }
        let last = rest.len() - 1;
        let end = matching_brace(rest, open).unwrap_or(last);
        let mut tokens = rest[..=end].to_vec();
        if end == last {
            // As in Spin, the end of the file closes a formula.
            let message = "this formula has no closing `}`";
            tokens[end] = RawToken { kind: Raw::BraceClose, text: "}", newline: false, ..rest[end] };
            self.report(Diagnostic::warning(rest[open].span, message));
        }
        tokens.push(RawToken { kind: Raw::Eof, text: "", newline: true, ..tokens[end] });
        self.skip_raw(end + 1);
        self.deferred.push(Deferred { keyword: keyword.span, tokens: tokens.into() });
        true
    }
}
