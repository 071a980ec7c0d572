//! Transitions.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use super::place::Place;
use crate::ast;
use crate::checked::{Case, Duration, Rational, TransitionId};

impl Checker {
    pub(super) fn transition(&mut self, id: TransitionId, it: &ast::Transition) {
        let parameters = self.specification.transitions[id.index()].parameters.clone();
        for case in &it.cases {
            let duration = self.duration(&case.duration);
            self.place = Place::Entry;
            let entry = self.with_bound(&parameters, |c| c.formula(&case.entry));
            self.place = Place::Exit;
            let exit = self.with_bound(&parameters, |c| c.formula(&case.exit));
            if let (Some(duration), Some(entry), Some(exit)) = (duration, entry, exit) {
                self.specification.transitions[id.index()].cases.push(Case { duration, entry, exit });
            }
        }
    }

    fn duration(&mut self, it: &ast::Duration) -> Option<Duration> {
        match it {
            ast::Duration::Constant(name) => {
                let id = self.plain_constant(name, "a duration")?;
                let constant = &self.specification.constants[id.index()];
                if !self.is_evidently_positive(constant.ty) {
                    let message = format!("nothing in its type says that the duration `{}` is positive", constant.name);
                    let ty = constant.span;
                    self.report(Diagnostic::warning(name.span, message).also(ty, "declared here"));
                }
                Some(Duration::Constant(id))
            }
            ast::Duration::Integer(value, span) => self.instants(Rational::integer(*value), *span),
            ast::Duration::Real(text, span) => match Rational::decimal(text) {
                Some(value) => self.instants(value, *span),
                None => self.refuse(*span, "the number has too many digits"),
            },
        }
    }

    fn instants(&mut self, value: Rational, span: Span) -> Option<Duration> {
        if value.numerator <= 0 {
            return self.refuse(span, "a duration is positive");
        }
        if value.denominator != 1 {
            return self.refuse(span, "a duration is a whole number of instants: time is discrete");
        }
        Some(Duration::Instants(value.numerator))
    }
}
