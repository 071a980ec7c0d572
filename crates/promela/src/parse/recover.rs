//! Error reporting and recovery.
//!
//! A rule that cannot continue reports one error and returns [`Abort`]. The enclosing rule of a list (steps, options,
//! units) catches it, skips to a token where its next element may start, and continues. A second error at the same token
//! is not reported.

use lurcher_syntax::{Diagnostic, closest, one_edit_apart};

use super::stream::Modes;
use super::token::{FORMULA_WORDS, KEYWORDS, T, Token, starts_declaration, starts_unit};
use super::{Abort, P, Parser};

impl Parser<'_> {
    /// Reports an unexpected token.
    pub(super) fn unexpected<X>(&mut self, expected: &str) -> P<X> {
        let found = self.peek();
        let (span, found_text) = match found.dropped {
            Some(separator) => (separator, "`;`".to_owned()),
            None => (found.span, found.describe()),
        };
        let mut diagnostic = Diagnostic::error(span, format!("expected {expected}, found {found_text}"));
        if found.implied {
            diagnostic = diagnostic.note("Spin reads a `;` here that is not written");
        } else if self.after_implied {
            diagnostic = diagnostic.note("Spin reads a `;` before this that is not written");
        }
        let near = self.misspelt_inline(&found).map(str::to_owned);
        let near = near.as_deref().or_else(|| self.misspelt_keyword(&found));
        self.fail(diagnostic.suggest(near))
    }

    /// The keyword that the unexpected token, or the name before it, resembles.
    fn misspelt_keyword(&self, found: &Token<'_>) -> Option<&'static str> {
        let is_name = |kind| matches!(kind, T::Name | T::TypedefName | T::ProctypeName | T::InlineName);
        let in_formulas = if self.stream.modes.formula { FORMULA_WORDS } else { &[] };
        let words = [is_name(found.kind).then_some(found.text), self.previous_name];
        words.into_iter().flatten().find_map(|word| {
            let close = |k: &&str| *k != word && one_edit_apart(k, word) && k.len().min(word.len()) > 1;
            KEYWORDS.iter().chain(in_formulas).copied().find(close)
        })
    }

    /// The inline that the name before an unexpected `(` resembles.
    fn misspelt_inline(&self, found: &Token<'_>) -> Option<&str> {
        let name = self.previous_name.filter(|_| found.text == "(")?;
        closest(name, self.stream.inlines.keys().map(String::as_str))
    }

    /// Reports an error and aborts the rule.
    pub(super) fn fail<X>(&mut self, diagnostic: Diagnostic) -> P<X> {
        let place = diagnostic.labels[0].span;
        let repeated = self.error_at.replace(self.taken) == Some(self.taken);
        if !repeated && !self.stream.diagnostics.iter().any(|d| d.labels[0].span == place) {
            self.report(diagnostic);
        }
        Err(Abort)
    }

    /// Reports an error after which the rule continues.
    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        if let Some(call) = self.stream.call() {
            let message = format!("in the expansion of inline `{}`, called here", call.inline.name);
            diagnostic = diagnostic.also(call.site, message);
        }
        self.stream.report(diagnostic);
    }

    /// Skips to a separator, the end of the sequence or the start of a unit.
    pub(super) fn skip_to_step(&mut self, parens: i32) {
        self.stream.modes.parens = parens;
        self.stream.modes.in_for = false;
        loop {
            match self.peek().kind {
                T::Semi | T::Arrow | T::Sep | T::BraceClose | T::Fi | T::Od | T::Eof => return,
                kind if starts_unit(kind) => return,
                _ => self.skip_group(),
            }
            self.stream.modes.parens = parens;
        }
    }

    /// Skips to the start of a unit: its keyword, or a type at the start of a line.
    pub(super) fn skip_to_unit(&mut self) {
        self.stream.modes = Modes::default();
        loop {
            let next = self.peek();
            let declares = starts_declaration(next.kind) && next.first;
            if next.kind == T::Eof || starts_unit(next.kind) || declares {
                return;
            }
            self.skip_group();
            self.stream.modes.parens = 0;
        }
    }

    /// Skips a token, or a bracketed group.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                T::BraceOpen | T::If | T::Do => depth += 1,
                T::BraceClose | T::Fi | T::Od => depth = depth.saturating_sub(1),
                T::Eof => return,
                kind if depth > 0 && starts_unit(kind) => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }
}
