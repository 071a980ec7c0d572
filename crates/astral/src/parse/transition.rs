//! Transitions.

use lurcher_syntax::{Diagnostic, Span};

use super::cursor::{P, Parser};
use crate::ast::{Case, Duration, Transition};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// A transition, after its first word.
    pub(super) fn transition(&mut self, word: Span) -> P<Transition> {
        let name = self.ident("the name of a transition")?;
        let parameters = self.parameters()?;
        if !self.at_key(Keyword::Entry) {
            return self.unexpected("`ENTRY`");
        }
        let mut cases = vec![self.case()?];
        while self.at_key(Keyword::Except) {
            cases.push(self.case()?);
        }
        if self.at_key(Keyword::Entry) {
            let error = Diagnostic::error(self.here(), format!("the transition `{}` has a second `ENTRY`", name.name));
            return self.fail(error.also(word, "of this transition").note("further cases start with `EXCEPT`"));
        }
        Ok(Transition { name, parameters, cases })
    }

    /// `ENTRY [TIME: duration] entry EXIT exit`, or `EXCEPT`.
    fn case(&mut self) -> P<Case> {
        self.bump();
        let label = if self.at(T::Name) { Some(self.ident("a name")?) } else { None };
        self.expect(T::BracketOpen, "`[TIME: …]`, the duration")?;
        self.expect_key(Keyword::Time)?;
        self.expect(T::Colon, "`:`")?;
        let duration = self.duration()?;
        self.expect(T::BracketClose, "`]`")?;
        let entry = self.expr()?;
        self.expect(T::Key(Keyword::Exit), "an operator or `EXIT`")?;
        Ok(Case { label, duration, entry, exit: self.expr()? })
    }

    fn duration(&mut self) -> P<Duration> {
        let token = self.peek();
        let duration = match token.kind {
            T::Name => Duration::Constant(self.ident("a constant")?),
            T::Number => Duration::Integer(self.number("a duration")?, token.span),
            T::Real => Duration::Real(self.bump().text.to_owned(), token.span),
            T::Minus => {
                let error = Diagnostic::error(token.span, "a duration is positive");
                return self.fail(error);
            }
            _ => return self.unexpected("a constant or a number"),
        };
        if !self.at(T::BracketClose) {
            let error = Diagnostic::error(token.span.to(self.here()), "a duration is one constant, not an expression");
            return self.fail(error.note("declare a constant and say in an axiom what it equals"));
        }
        Ok(duration)
    }
}
