//! Events of transitions, changes and past values.

use lurcher_syntax::Span;

use super::scope::Entity;
use super::{Checker, limits};
use crate::ast::{self, EventKind, Expr};
use crate::checked::{Event, Exported, Owner, TermId, TermKind, TransitionId, Type};

impl Checker {
    /// `owner.Start[k](T(arguments), t)`.
    pub(super) fn event(&mut self, it: &ast::Event, span: Span) -> Option<TermId> {
        let found = self.event_transition(it);
        let at = it.at.as_ref().map(|at| self.number(at));
        let (owner, transition) = found?;
        let arguments = self.event_arguments(it, transition, span)?;
        let nth = self.nth(it.nth, span)?;
        let at = match at {
            Some(at) => Some(at?),
            None => None,
        };
        let ty = if at.is_some() { Type::Boolean } else { Type::Time };
        self.add(TermKind::Event(Event { kind: it.kind, transition, owner, arguments, nth, at }), ty, span)
    }

    fn event_transition(&mut self, it: &ast::Event) -> Option<(Owner, TransitionId)> {
        let (name, span) = (&it.transition.name, it.transition.span);
        let (owner, item) = match &it.owner {
            Some(owner) => {
                let owner = self.select(owner, &[], owner.span)?;
                let selected = self.selected(owner, name, span)?;
                (selected.owner, self.item(&selected, name, span)?)
            }
            None => (Owner::Own, self.own_transition(it)?),
        };
        let Exported::Transition(transition) = item else {
            return self.refuse(span, format!("`{name}` is a variable, not a transition"));
        };
        if it.kind == EventKind::Call && !self.specification.transitions[transition.index()].exported {
            return self.refuse(span, format!("`{name}` is not exported, so it is never called"));
        }
        Some((owner, transition))
    }

    fn own_transition(&mut self, it: &ast::Event) -> Option<Exported> {
        let (name, span) = (&it.transition.name, it.transition.span);
        if self.process.is_none() {
            let message = format!("`{}({name})` needs an instance: write `s.{0}({name})`", it.kind.symbol());
            return self.refuse(span, message);
        }
        match self.lookup(name, span)? {
            Entity::Transition(id) => Some(Exported::Transition(id)),
            other => self.refuse(span, format!("`{name}` is {}, not a transition", other.describe())),
        }
    }

    /// The first arguments of a transition; the others may be any.
    fn event_arguments(&mut self, it: &ast::Event, transition: TransitionId, span: Span) -> Option<Vec<TermId>> {
        let transition = &self.specification.transitions[transition.index()];
        let parameters: Vec<Type> =
            transition.parameters.iter().map(|p| self.specification.bound[p.index()].ty).collect();
        let (wanted, found) = (parameters.len(), it.arguments.len());
        let name = transition.name.clone();
        if found > wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            return self.refuse(span, format!("`{name}` takes {wanted} argument{plural}, not {found}"));
        }
        if 0 < found && found < wanted {
            self.warning(span, format!("{found} of {wanted} arguments of `{name}` given: the others may be any"));
        }
        self.typed_arguments(&it.arguments, &parameters)
    }

    /// `Change[k](a, t)`.
    pub(super) fn change(&mut self, of: &Expr, nth: Option<i64>, at: Option<&Expr>, span: Span) -> Option<TermId> {
        let of = self.historical(of);
        let at = at.map(|at| self.number(at));
        let nth = self.nth(nth, span)?;
        let at = match at {
            Some(at) => Some(at?),
            None => None,
        };
        let ty = if at.is_some() { Type::Boolean } else { Type::Time };
        self.add(TermKind::Change { of: of?, nth, at }, ty, span)
    }

    /// `past(a, t)`.
    pub(super) fn past(&mut self, of: &Expr, at: &Expr, span: Span) -> Option<TermId> {
        let of = self.historical(of);
        let at = self.number(at)?;
        let of = of?;
        self.add(TermKind::Past(of, at), self.ty(of), span)
    }

    /// A term whose values at other instants matter.
    fn historical(&mut self, of: &Expr) -> Option<TermId> {
        let outer = std::mem::replace(&mut self.in_history, true);
        let term = self.expr(of);
        self.in_history = outer;
        term
    }

    fn nth(&mut self, nth: Option<i64>, span: Span) -> Option<u32> {
        let nth = nth.unwrap_or(1);
        if nth > limits::EVENTS_BACK {
            return self.refuse(span, format!("no more than {} events back", limits::EVENTS_BACK));
        }
        u32::try_from(nth).ok()
    }
}
