//! Exit assertions: what they say, and that everything else keeps its value.
//!
//! A variable that an exit assertion does not mention, or mentions primed only, keeps its value (*implied no change*).
//! `v(x) BECOMES e` mentions one element of `v`; a variable of which an element is mentioned otherwise is mentioned as a whole.
//! Of an `IF`, the condition and the branch that is taken mention variables. `a ALT b` is a choice: the whole assertion with `a`
//! or the whole assertion with `b` in its place, each with its own unchanged variables.
//!
//! Which element `BECOMES` mentions, and which branch is taken, depends on the state. So [`Mentions`] has for every variable the
//! condition under which it is mentioned.

use std::collections::{BTreeMap, HashSet};

use lurcher_ir::timed::{self, Moment, Term, TermId};
use lurcher_resources::checkpoint;
use lurcher_syntax::Span;

use super::Lowering;
use super::value::{Argument, Value};
use crate::checked::{self, BinaryOp, Owner, Quantifier, TermKind, Type, VariableId};

/// The variables that a formula mentions, with the conditions under which it does.
type Mentions = BTreeMap<timed::VariableId, TermId>;

/// An exit assertion without `ALT`.
#[derive(Clone, Debug)]
struct Said {
    formula: TermId,
    mentions: Mentions,
}

impl Lowering<'_> {
    /// An exit assertion.
    pub(super) fn exit(&mut self, term: checked::TermId) -> Option<TermId> {
        let context = super::Context { exit: true, ..self.context };
        self.within(context, |l| {
            let own: Vec<timed::VariableId> = l.model.own_variables().map(|(id, _)| id).collect();
            let mut alternatives = Vec::new();
            for Said { formula, mentions } in l.statement(term)? {
                let mut parts = vec![formula];
                parts.extend(own.iter().map(|&variable| l.kept(variable, &mentions)));
                alternatives.push(l.model.terms.all(parts));
            }
            let exit = l.model.terms.any(alternatives);
            l.nests(exit, term)
        })
    }

    /// The alternatives of a formula, with what they mention.
    fn statement(&mut self, term: checked::TermId) -> Option<Vec<Said>> {
        checkpoint();
        let specification = self.specification;
        let span = specification.terms[term].span;
        match &specification.terms[term].kind {
            TermKind::Binary(BinaryOp::And, ..) => {
                let parts = specification.terms.conjuncts(term);
                let parts: Vec<_> = parts.into_iter().map(|part| self.statement(part)).collect();
                self.conjunction(parts.into_iter().collect::<Option<_>>()?, span)
            }
            TermKind::Binary(BinaryOp::Alternative, a, b) => {
                let (a, b) = (self.statement(*a), self.statement(*b));
                let (mut a, b) = (a?, b?);
                a.extend(b);
                Some(a)
            }
            TermKind::If(condition, a, b) => {
                let (a, b) = (self.statement(*a), self.statement(*b));
                let beside = self.unprimed(vec![*condition]);
                let condition = self.formula(*condition)?;
                self.conditional(condition, &beside, &a?, &b?, span)
            }
            TermKind::Quantified(Quantifier::Forall, bound, body) if self.are_finite(bound) => {
                let mut parts = Vec::new();
                self.expanded(false, bound, span, &mut |l| {
                    parts.push(l.statement(*body)?);
                    Some(l.model.terms.truth(true))
                })?;
                self.conjunction(parts, span)
            }
            TermKind::Becomes(target, value) => {
                let formula = self.assigned(*target, *value, span);
                let read = specification.terms[*target].kind.operands().into_iter().chain([*value]).collect();
                let mentions = self.unprimed(read);
                let elements = self.assigned_elements(*target)?;
                Some(vec![Said { formula: formula?, mentions: self.joined(mentions, elements) }])
            }
            TermKind::NoChange(list) => {
                let formula = self.formula(term);
                let mut mentions = Mentions::new();
                for &variable in list {
                    let read = self.unprimed(specification.terms[variable].kind.operands());
                    let elements = self.assigned_elements(variable)?;
                    mentions = self.joined(mentions, read);
                    mentions = self.joined(mentions, elements);
                }
                Some(vec![Said { formula: formula?, mentions }])
            }
            _ => {
                let formula = self.formula(term)?;
                Some(vec![Said { formula, mentions: self.unprimed(vec![term]) }])
            }
        }
    }

    /// All choices of an alternative of each part.
    fn conjunction(&mut self, parts: Vec<Vec<Said>>, span: Span) -> Option<Vec<Said>> {
        let mut choices: Vec<(Vec<TermId>, Mentions)> = vec![(Vec::new(), Mentions::new())];
        for part in parts {
            let mut longer = Vec::new();
            for (position, said) in part.iter().enumerate() {
                // The last alternative takes the choices so far, the others copy them.
                let so_far = if position + 1 == part.len() { std::mem::take(&mut choices) } else { choices.clone() };
                for (mut formulas, mentions) in so_far {
                    self.expand(span)?;
                    formulas.push(said.formula);
                    longer.push((formulas, self.joined(mentions, said.mentions.clone())));
                }
            }
            choices = longer;
        }
        let said =
            |(formulas, mentions): (Vec<TermId>, Mentions)| Said { formula: self.model.terms.all(formulas), mentions };
        Some(choices.into_iter().map(said).collect())
    }

    /// `IF`, for all choices of an alternative of each branch.
    fn conditional(
        &mut self,
        condition: TermId,
        beside: &Mentions,
        a: &[Said],
        b: &[Said],
        span: Span,
    ) -> Option<Vec<Said>> {
        let otherwise = self.model.terms.not(condition);
        let mut choices = Vec::new();
        for left in a {
            for right in b {
                self.expand(span)?;
                let branches = (Value::Formula(left.formula), Value::Formula(right.formula));
                let formula = self.choice(condition, branches.0, branches.1, span)?.formula();
                let (first, second) =
                    (self.guarded(condition, &left.mentions), self.guarded(otherwise, &right.mentions));
                let mentions = self.joined(beside.clone(), first);
                choices.push(Said { formula, mentions: self.joined(mentions, second) });
            }
        }
        Some(choices)
    }

    /// What is mentioned only where a condition holds.
    fn guarded(&mut self, condition: TermId, mentions: &Mentions) -> Mentions {
        let terms = &mut self.model.terms;
        mentions.iter().map(|(&variable, &when)| (variable, terms.all([condition, when]))).collect()
    }

    /// A variable keeps its value, unless it is mentioned.
    fn kept(&mut self, variable: timed::VariableId, mentions: &Mentions) -> TermId {
        let terms = &mut self.model.terms;
        let [end, start] = [Moment::Now, Moment::Start].map(|moment| terms.add(Term::Variable(variable, moment)));
        let same = if self.model.variables[variable.index()].domain == timed::Domain::Boolean {
            terms.iff(end, start)
        } else {
            let difference = terms.combine(&terms.linear(end), &terms.linear(start), -1);
            terms.zero(difference.expect("small numbers fit"))
        };
        terms.any(mentions.get(&variable).copied().into_iter().chain([same]))
    }

    fn joined(&mut self, mut a: Mentions, b: Mentions) -> Mentions {
        for (variable, condition) in b {
            let both = match a.get(&variable) {
                Some(&known) => self.model.terms.any([known, condition]),
                None => condition,
            };
            a.insert(variable, both);
        }
        a
    }

    /// The own variables that are read without a prime, as a whole.
    fn unprimed(&mut self, terms: Vec<checked::TermId>) -> Mentions {
        let specification = self.specification;
        let (mut found, mut seen, mut open) = (HashSet::new(), HashSet::new(), terms);
        while let Some(term) = open.pop() {
            checkpoint();
            if !seen.insert(term) {
                continue;
            }
            match &specification.terms[term].kind {
                TermKind::Variable { variable, owner: Owner::Own, primed: false, .. } => {
                    found.insert(*variable);
                }
                TermKind::Define(define, _, false) => open.push(specification.defines[define.index()].body),
                _ => {}
            }
            open.extend(specification.terms[term].kind.operands());
        }
        let truth = self.model.terms.truth(true);
        let own = self.own;
        let elements = self.variables.iter().filter(|((instance, id, _), _)| *instance == own && found.contains(id));
        elements.map(|(_, &element)| (element, truth)).collect()
    }

    fn are_finite(&self, bound: &[checked::BoundId]) -> bool {
        bound.iter().all(|b| self.specification.base(self.specification.bound[b.index()].ty) != Type::Time)
    }

    /// The elements that `BECOMES` and `NOCHANGE` name, with the conditions under which they do.
    fn assigned_elements(&mut self, target: checked::TermId) -> Option<Mentions> {
        let (variable, arguments, _) = self.target(target)?;
        let span = self.specification.terms[target].span;
        let parameters = self.specification.variables[variable.index()].parameters.clone();
        let mut mentions = Mentions::new();
        for element in self.elements_of(&parameters, span)? {
            let mut same = Vec::new();
            for ((argument, ty), &value) in arguments.iter().zip(&element) {
                let literal = self.literal(value, *ty);
                same.push(self.equal(argument, &literal, span)?);
            }
            let condition = self.model.terms.all(same);
            if self.model.terms.as_truth(condition) != Some(false) {
                mentions.insert(self.variables[&(self.own, variable, element)], condition);
            }
        }
        Some(mentions)
    }

    /// The variable of `BECOMES` or `NOCHANGE`, its arguments and its type.
    fn target(&mut self, target: checked::TermId) -> Option<(VariableId, Vec<Argument>, Type)> {
        let checked::Term { kind: TermKind::Variable { variable, arguments, .. }, ty, .. } =
            &self.specification.terms[target]
        else {
            unreachable!("`BECOMES` and `NOCHANGE` name variables");
        };
        let parameters = &self.specification.variables[variable.index()].parameters;
        Some((*variable, self.arguments(arguments, parameters)?, *ty))
    }

    /// `v(x) = e`: what `v(x) BECOMES e` says of the element itself.
    fn assigned(&mut self, target: checked::TermId, value: checked::TermId, span: Span) -> Option<TermId> {
        let (target, value) = (self.term(target), self.term(value));
        self.equal(&target?, &value?, span)
    }

    /// `v(x) BECOMES e` inside another formula, where it says as well that the other elements keep their values.
    pub(super) fn becomes(&mut self, target: checked::TermId, value: checked::TermId, span: Span) -> Option<TermId> {
        let said = self.assigned(target, value, span);
        let mentioned = self.assigned_elements(target)?;
        let (variable, ..) = self.target(target)?;
        let parameters = self.specification.variables[variable.index()].parameters.clone();
        let mut parts = vec![said?];
        for element in self.elements_of(&parameters, span)? {
            let element = self.variables[&(self.own, variable, element)];
            parts.push(self.kept(element, &mentioned));
        }
        Some(self.model.terms.all(parts))
    }

    /// `NOCHANGE(v)`: the value at the end is that at the start.
    pub(super) fn unchanged(&mut self, variable: checked::TermId) -> Option<TermId> {
        let (id, arguments, ty) = self.target(variable)?;
        let span = self.specification.terms[variable].span;
        let own = self.own;
        let mut at = |primed: bool| {
            let context = super::Context { primed, ..self.context };
            self.select(&arguments, ty, span, &mut |l, element| {
                l.within(context, |l| l.variable(own, id, element, span))
            })
        };
        let (end, start) = (at(false), at(true));
        self.equal(&end?, &start?, span)
    }
}
