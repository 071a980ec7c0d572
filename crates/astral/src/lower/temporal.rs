//! Events, changes and past values.

use lurcher_ir::timed::{self, Occurrence, Source, Term, TermId};
use lurcher_syntax::Span;

use super::fraction::Fraction;
use super::transition::Expanded;
use super::value::Value;
use super::{Context, Lowering};
use crate::checked::{self, Event, EventKind, Owner, Type};

impl Lowering<'_> {
    /// `owner.Start[k](T(arguments), t)`.
    pub(super) fn event(&mut self, event: &Event, span: Span) -> Option<Value> {
        let at = event.at.map(|at| self.number(at));
        let at = match at {
            Some(at) => Some(at?),
            None => None,
        };
        let arguments = self.list(&event.arguments)?;
        let Owner::Instance(owner) = event.owner else {
            return self.event_of(self.context.me, event, &arguments, at.as_ref(), span);
        };
        let instance = self.term(owner)?;
        let process = self.specification.transitions[event.transition.index()].process;
        let result = if at.is_some() { Type::Boolean } else { Type::Time };
        let ty = self.specification.terms[owner].ty;
        self.select(&[(instance, ty)], result, span, &mut |l, chosen| {
            let instance = u32::try_from(chosen[0]).ok()?;
            if l.process_of(instance) != process {
                return Some(l.undefined(result));
            }
            l.event_of(instance, event, &arguments, at.as_ref(), span)
        })
    }

    /// The event of an instance. Arguments for parameters that are expanded select transitions, others stay in the event.
    fn event_of(
        &mut self,
        instance: u32,
        event: &Event,
        arguments: &[Value],
        at: Option<&Fraction>,
        span: Span,
    ) -> Option<Value> {
        let expansion = self.expansion(instance, event.transition, span)?;
        let parameters = &self.specification.transitions[event.transition.index()].parameters;
        let (mut finite, mut positions, mut numeric) = (Vec::new(), Vec::new(), Vec::new());
        for (position, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            match expansion.parameters[position] {
                Expanded::Finite => {
                    finite.push((argument.clone(), self.specification.bound[parameter.index()].ty));
                    positions.push(position);
                }
                Expanded::Number(index) => {
                    let number = argument.clone().number();
                    numeric.push((index, self.whole(number, span)?));
                }
            }
        }
        let result = if at.is_some() { Type::Boolean } else { Type::Time };
        let (kind, nth) = (event.kind, event.nth);
        self.select(&finite, result, span, &mut |l, chosen| {
            let fits = |values: &[Option<i64>]| {
                positions.iter().zip(chosen).all(|(&position, &value)| values[position] == Some(value))
            };
            let instances = expansion.transitions.iter().filter(|(values, _)| fits(values));
            let mut transitions: Vec<_> = instances.map(|(_, transition)| *transition).collect();
            transitions.sort_unstable();
            if transitions.is_empty() {
                return l.moment(None, at, span);
            }
            let source = Source { transitions, arguments: numeric.clone() };
            let event = match kind {
                EventKind::Start => timed::Event::Start(source),
                EventKind::End => timed::Event::End(source),
                EventKind::Call => timed::Event::Call(source),
            };
            l.moment(Some(Occurrence { event, nth }), at, span)
        })
    }

    /// The instant of an event, or whether it was at an instant. Without an event there is no such instant.
    fn moment(&mut self, occurrence: Option<Occurrence>, at: Option<&Fraction>, span: Span) -> Option<Value> {
        let Some(occurrence) = occurrence else {
            return Some(match at {
                Some(_) => Value::Formula(self.model.terms.truth(false)),
                None => self.undefined(Type::Time),
            });
        };
        let instant = self.model.terms.add(Term::Instant(occurrence.clone()));
        let instant = Fraction::term(instant, &self.model.terms);
        let Some(at) = at else { return Some(Value::Number(instant)) };
        let occurred = self.model.terms.add(Term::Occurred(occurrence));
        let then = self.equal(&Value::Number(instant), &Value::Number(at.clone()), span)?;
        Some(Value::Formula(self.model.terms.all([occurred, then])))
    }

    /// `Change[k](a, t)`.
    pub(super) fn change(
        &mut self,
        of: checked::TermId,
        nth: u32,
        at: Option<checked::TermId>,
        span: Span,
    ) -> Option<Value> {
        let of = self.historical(of);
        let at = match at {
            Some(at) => Some(self.number(at)?),
            None => None,
        };
        let of = match of? {
            Value::Formula(term) => term,
            // A quotient changes when its dividend does.
            Value::Number(number) => self.model.terms.sum(number.sum),
        };
        self.moment(Some(Occurrence { event: timed::Event::Change(of), nth }), at.as_ref(), span)
    }

    /// `past(a, t)`.
    pub(super) fn past(&mut self, of: checked::TermId, at: checked::TermId) -> Option<Value> {
        let of = self.historical(of);
        let instant = self.number(at)?;
        let instant = self.instant(instant);
        Some(match of? {
            Value::Formula(term) => Value::Formula(self.model.terms.add(Term::Past(term, instant))),
            Value::Number(Fraction { sum, over }) => {
                let term = self.model.terms.sum(sum);
                let past = self.model.terms.add(Term::Past(term, instant));
                Value::Number(Fraction { sum: self.model.terms.linear(past), over })
            }
        })
    }

    /// The term of an instant; a quotient is one if it is whole.
    fn instant(&mut self, Fraction { sum, over }: Fraction) -> TermId {
        let terms = &mut self.model.terms;
        let dividend = terms.sum(sum);
        if over == 1 { dividend } else { terms.add(Term::Quotient(dividend, over)) }
    }

    /// A term whose values at other instants matter. There is no start of a transition there.
    fn historical(&mut self, of: checked::TermId) -> Option<Value> {
        let context = Context { primed: false, exit: false, ..self.context };
        self.within(context, |l| l.term(of))
    }
}
