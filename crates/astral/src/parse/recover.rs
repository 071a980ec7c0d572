//! Error reporting and recovery.
//!
//! A rule that cannot continue reports one error and returns [`Abort`]. The enclosing rule of a list (declarations,
//! clauses, processes) catches it, skips to where its next element may start, and continues.

use lurcher_syntax::{Diagnostic, Severity};

use super::cursor::{Abort, P, Parser};
use super::limits;
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// Reports an unexpected token.
    pub(super) fn unexpected<X>(&mut self, expected: &str) -> P<X> {
        let found = self.peek();
        let diagnostic = Diagnostic::error(found.span, format!("expected {expected}, found {}", found.describe()));
        let diagnostic = self.advise(diagnostic);
        self.fail(diagnostic)
    }

    /// Reports an error and aborts the rule.
    pub(super) fn fail<X>(&mut self, diagnostic: Diagnostic) -> P<X> {
        let here = self.position();
        if self.error_at.replace(here) != Some(here) {
            self.report(diagnostic);
        }
        Err(Abort)
    }

    /// Records a diagnostic.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= limits::ERRORS {
            self.diagnostics.push(diagnostic);
        } else if diagnostic.severity == Severity::Error && self.errors == limits::ERRORS + 1 {
            let span = diagnostic.labels[0].span;
            self.diagnostics.push(Diagnostic::error(span, "too many errors; the rest of the file was not read"));
            self.stop();
        }
    }

    /// Whether a clause, a part of a transition or a block starts or ends here, or the file ends.
    pub(super) fn at_part(&self) -> bool {
        match self.peek().kind {
            T::Eof => true,
            // `End(T)` and `Call(T)` are events.
            T::Key(Keyword::End) => !matches!(self.look(1).kind, T::ParenOpen | T::BracketOpen),
            T::Key(Keyword::Call) => self.look(1).kind == T::Key(Keyword::Generation),
            T::Key(keyword) => keyword.starts_part() && (!keyword.starts_block() || self.at_block()),
            _ => false,
        }
    }

    /// Whether a block starts here.
    pub(super) fn at_block(&self) -> bool {
        let next = self.look(1).kind;
        match self.peek().kind {
            T::Key(Keyword::Global | Keyword::Process) => next == T::Key(Keyword::Specification),
            T::Key(Keyword::Specification | Keyword::Level) => next == T::Name,
            T::Key(Keyword::Composition) => next == T::Key(Keyword::Of),
            _ => false,
        }
    }

    /// Skips to the next clause, part of a transition or block.
    pub(super) fn skip_to_part(&mut self) {
        while !self.at_part() {
            self.bump();
        }
    }

    /// Skips past the next comma outside parentheses; `false` if a part comes first.
    fn skip_element(&mut self) -> bool {
        let mut open = 0usize;
        while !self.at_part() {
            match self.bump().kind {
                T::Comma if open == 0 => return true,
                T::ParenOpen | T::BracketOpen | T::BraceOpen => open += 1,
                T::ParenClose | T::BracketClose | T::BraceClose => open = open.saturating_sub(1),
                _ => {}
            }
        }
        false
    }

    /// The declarations of a clause, separated by commas. `after` is what may follow the last one.
    pub(super) fn declarations<X>(&mut self, after: &str, mut rule: impl FnMut(&mut Self) -> P<X>) -> Vec<X> {
        let mut found = Vec::new();
        loop {
            let complete = rule(self).and_then(|declaration| {
                found.push(declaration);
                if self.at_part() || self.at(T::Comma) { Ok(()) } else { self.no_clause(after) }
            });
            let more = match complete {
                Ok(()) => self.eat(T::Comma).is_some(),
                Err(Abort) => self.skip_element(),
            };
            if !more {
                return found;
            }
        }
    }
}
