//! Error reporting and recovery.
//!
//! A rule that cannot continue reports one error and returns [`Abort`]. The enclosing rule of a list (branches,
//! declarations, sections) catches it, skips to where its next element may start, and continues.

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

    /// Takes the `;` at the end of a declaration. If it is only missing, reports that and continues.
    pub(super) fn semicolon(&mut self, expected: &str) -> P<()> {
        if self.eat(T::Semi).is_some() {
            return Ok(());
        }
        if !self.at_section() && !self.on_new_line() {
            return self.unexpected(expected);
        }
        let message = format!("expected {expected}, found {}", self.peek().describe());
        let diagnostic = Diagnostic::error(self.previous().end(), message).at("a `;` is missing here");
        let diagnostic = self.advise(diagnostic);
        let _ = self.fail::<()>(diagnostic);
        Ok(())
    }

    /// Whether a section starts here, or the file ends.
    pub(super) fn at_section(&self) -> bool {
        match self.peek().kind {
            T::Eof => true,
            T::Key(keyword) => keyword.starts_section(),
            T::Name => self.at_foreign_section(),
            _ => false,
        }
    }

    /// Skips to the next section.
    pub(super) fn skip_to_section(&mut self) {
        while !self.at_section() {
            self.bump();
        }
    }

    /// Skips past the `;` of a declaration, or to the next section.
    pub(super) fn skip_declaration(&mut self) {
        let mut cases = 0usize;
        while !self.at_section() {
            match self.bump().kind {
                T::Semi if cases == 0 => return,
                T::Key(Keyword::Case) => cases += 1,
                T::Key(Keyword::Esac) => cases = cases.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Skips past the `;` of a branch, or to the end of the `case`; `false` if that end seems missing.
    pub(super) fn skip_branch(&mut self) -> bool {
        let mut cases = 0usize;
        while !self.at_section() && !self.at(T::Becomes) {
            match self.peek().kind {
                T::Key(Keyword::Esac) if cases == 0 => return true,
                T::Key(Keyword::Esac) => cases -= 1,
                T::Key(Keyword::Case) => cases += 1,
                T::Semi if cases == 0 => {
                    self.bump();
                    return true;
                }
                _ => {}
            }
            self.bump();
        }
        false
    }

    /// Parses declarations up to the next section.
    pub(super) fn declarations<X>(&mut self, mut rule: impl FnMut(&mut Self) -> P<X>) -> Vec<X> {
        let mut found = Vec::new();
        while !self.at_section() {
            match rule(self) {
                Ok(declaration) => found.push(declaration),
                Err(Abort) => self.skip_declaration(),
            }
        }
        found
    }
}
