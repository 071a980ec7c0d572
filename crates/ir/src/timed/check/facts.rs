//! What each term denotes and depends on, bottom-up.

use std::collections::{BTreeSet, HashSet};

use super::super::{Domain, Event, Linear, Moment, Occurrence, Parameter, Source, Term, TermId, Terms, TransitionRef};
use super::Checker;

/// What a term denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Number,
    Formula,
}

/// What a term depends on.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) sort: Sort,
    /// Quantifiers that must enclose it.
    pub(super) free: BTreeSet<u32>,
    pub(super) parameters: BTreeSet<u32>,
    /// Whether it reads a constant that has a value.
    pub(super) valued: bool,
    /// Variables that are read now, outside `Past` and `Change`.
    pub(super) variables: BTreeSet<u32>,
    /// Whether variables are read at the start of a transition.
    pub(super) start: bool,
    /// Whether it depends on the instant or the history.
    pub(super) timed: bool,
}

impl Checker<'_> {
    /// Checks a term whose operands were checked, and notes what it depends on.
    pub(super) fn term(&mut self, id: TermId) {
        let terms = &self.model.terms;
        let term = terms.get(id);
        let parts = term.parts();
        if !parts.iter().all(|p| p.0 < id.0) {
            return self.expect(false, "a part has no smaller id than the whole");
        }
        let mut facts = Facts {
            sort: Sort::Formula,
            free: BTreeSet::new(),
            parameters: BTreeSet::new(),
            valued: false,
            variables: BTreeSet::new(),
            start: false,
            timed: false,
        };
        for part in &parts {
            let part = &self.facts[part.0 as usize];
            facts.free.extend(&part.free);
            facts.parameters.extend(&part.parameters);
            facts.variables.extend(&part.variables);
            facts.valued |= part.valued;
            facts.start |= part.start;
            facts.timed |= part.timed;
        }
        self.own_facts(term, &parts, &mut facts);
        self.expect(terms.nesting(id) <= Terms::MOST_NESTING, "it nests too deeply");
        self.facts.push(facts);
    }

    fn own_facts(&mut self, term: &Term, parts: &[TermId], facts: &mut Facts) {
        match term {
            Term::Sum(sum) => {
                facts.sort = Sort::Number;
                self.linear(sum);
            }
            Term::Zero(sum) | Term::NotNegative(sum) => self.linear(sum),
            Term::Constant(constant) => match self.model.constants.get(constant.index()) {
                Some(constant) => {
                    facts.sort = sort_of(&constant.domain);
                    facts.valued = constant.value.is_some();
                }
                None => self.expect(false, "there is no such constant"),
            },
            Term::Variable(variable, moment) => match self.model.variables.get(variable.index()) {
                Some(declared) => {
                    facts.sort = sort_of(&declared.domain);
                    facts.start = *moment == Moment::Start;
                    facts.variables.insert(variable.0);
                }
                None => self.expect(false, "there is no such variable"),
            },
            Term::Parameter(parameter) => {
                facts.sort = Sort::Number;
                facts.parameters.insert(*parameter);
            }
            Term::Now | Term::NoNumber => (facts.sort, facts.timed) = (Sort::Number, *term == Term::Now),
            Term::Bound(bound) => {
                facts.sort = Sort::Number;
                facts.free.insert(*bound);
            }
            Term::Instant(occurrence) | Term::Occurred(occurrence) => {
                let is_instant = matches!(term, Term::Instant(_));
                facts.sort = if is_instant { Sort::Number } else { Sort::Formula };
                facts.timed = true;
                self.occurrence(occurrence, facts);
            }
            Term::Past(of, instant) => {
                let start = self.facts[of.0 as usize].start;
                self.expect(!start, "the start of a transition is read inside `Past`");
                self.sort(*instant, Sort::Number);
                facts.sort = self.facts[of.0 as usize].sort;
                facts.timed = true;
            }
            Term::If(condition, a, b) => {
                self.sort(*condition, Sort::Formula);
                facts.sort = self.facts[a.0 as usize].sort;
                self.sort(*b, facts.sort);
            }
            Term::Floor(a, divisor) | Term::Quotient(a, divisor) => {
                facts.sort = Sort::Number;
                self.sort(*a, Sort::Number);
                self.expect(*divisor > 1, "a divisor is not greater than 1");
            }
            Term::Truth(_) => {}
            Term::Not(_) | Term::And(_) | Term::Or(_) | Term::Iff(..) => {
                parts.iter().for_each(|&p| self.sort(p, Sort::Formula));
            }
            Term::Exists(bound, body) | Term::Forall(bound, body) => {
                self.sort(*body, Sort::Formula);
                facts.free.remove(bound);
                facts.timed = true;
            }
        }
    }

    pub(super) fn sort(&mut self, id: TermId, sort: Sort) {
        let found = self.facts[id.0 as usize].sort;
        self.expect(found == sort, "a formula stands for a number, or a number for a formula");
    }

    fn linear(&mut self, sum: &Linear) {
        let terms = &self.model.terms;
        self.expect(sum.terms.windows(2).all(|w| w[0].0 < w[1].0), "the terms of a sum are not sorted");
        for &(term, a) in &sum.terms {
            self.sort(term, Sort::Number);
            self.expect(!matches!(terms.get(term), Term::Sum(_)), "a sum stands in a sum");
            self.expect(a != 0 || !terms.is_total(term), "a term with a value has the coefficient 0");
        }
    }

    fn occurrence(&mut self, occurrence: &Occurrence, facts: &mut Facts) {
        self.expect(occurrence.nth >= 1, "an event is counted from 0");
        match &occurrence.event {
            Event::Change(of) => {
                let start = self.facts[of.0 as usize].start;
                self.expect(!start, "the start of a transition is read inside `Change`");
                facts.variables.clear();
            }
            Event::Start(source) | Event::End(source) => self.source(source, false),
            Event::Call(source) => self.source(source, true),
        }
    }

    fn source(&mut self, source: &Source, called: bool) {
        let model = self.model;
        self.expect(!source.transitions.is_empty(), "an event has no transitions");
        self.expect(source.transitions.windows(2).all(|w| w[0] < w[1]), "the transitions of an event are not sorted");
        let mut groups = HashSet::new();
        for &transition in &source.transitions {
            let found: Option<(bool, u32, &[Parameter])> = match transition {
                TransitionRef::Own(id) => model.transitions.get(id.index()).map(|t| {
                    groups.insert((false, t.declaration));
                    (t.exported, t.declaration, &t.parameters[..])
                }),
                TransitionRef::Imported(id) => model.imported.get(id.index()).map(|t| {
                    groups.insert((true, t.instance));
                    (true, t.instance, &t.parameters[..])
                }),
            };
            let Some((exported, _, parameters)) = found else {
                self.expect(false, "there is no such transition");
                continue;
            };
            self.expect(exported || !called, "a transition that is not exported is called");
            let fit = source.arguments.iter().all(|(position, _)| (*position as usize) < parameters.len());
            self.expect(fit, "an event has an argument without a parameter");
        }
        self.expect(groups.len() <= 1, "an event is of several declarations or instances");
        source.arguments.iter().for_each(|&(_, argument)| self.sort(argument, Sort::Number));
    }

    /// Whether quotients are instants of `Past` only.
    pub(super) fn quotients(&mut self) {
        let terms = &self.model.terms;
        let is_quotient = |id: &TermId| matches!(terms.get(*id), Term::Quotient(..));
        for index in 0..terms.len() as u32 {
            let term = terms.get(TermId(index));
            let misplaced = match term {
                Term::Past(of, _) => is_quotient(of),
                _ => term.parts().iter().any(is_quotient),
            };
            self.at = format!("term {index}");
            self.expect(!misplaced, "a quotient is not the instant of `Past`");
        }
    }
}

fn sort_of(domain: &Domain) -> Sort {
    if *domain == Domain::Boolean { Sort::Formula } else { Sort::Number }
}
