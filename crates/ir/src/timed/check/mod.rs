//! The checker of timed models.
//!
//! A model that passes guarantees:
//!
//! 1. every named constant, variable, transition and instance exists, and the operands of a term have smaller ids than the
//!    term; no term nests more deeply than [`Terms::MOST_NESTING`](super::Terms::MOST_NESTING);
//! 2. formulas stand where formulas are read and numbers where numbers are; clauses, assertions, conditions and properties are
//!    formulas;
//! 3. the terms of a linear combination are sorted, distinct and no sums; a coefficient is 0 only if the term may have no value;
//! 4. the number of a bound instant is that of an enclosing quantifier;
//! 5. [`Moment::Start`](super::Moment::Start) occurs in exit assertions and constraints only, and not inside [`Term::Past`] or [`Event::Change`](super::Event::Change);
//! 6. [`Term::Parameter`] occurs in the assertions of its transition and in the conditions of parameters only;
//! 7. axioms read constants only, conditions of types constants and what has the type; the numbers of a constant, variable or
//!    parameter with a Boolean domain are formulas;
//! 8. a constant with a value does not occur in clauses, assertions, conditions and properties, and the value is one of its
//!    domain;
//! 9. divisors are greater than 1; `Quotient` is an instant of `Past` and nothing else;
//! 10. an event names one or more transitions in ascending order, all own ones of one declaration or all imported ones of one
//!     instance; its arguments are parameters of each of them; only exported own transitions are called; it is counted from 1;
//! 11. every transition has a case; a duration is a positive number or a constant that is no truth value;
//! 12. domains are not empty, named values are sorted and distinct, names of properties are distinct.

mod facts;

use std::collections::HashSet;

use super::{Case, Clause, Domain, Model, Parameter, PropertyKind, Term, TermId};
use facts::{Facts, Sort};

/// Returns the violations of these rules, each with its context.
pub fn check(model: &Model) -> Vec<String> {
    let mut checker = Checker { model, at: String::new(), facts: Vec::new(), errors: Vec::new() };
    checker.model();
    checker.errors
}

struct Checker<'a> {
    model: &'a Model,
    at: String,
    facts: Vec<Facts>,
    errors: Vec<String>,
}

impl Checker<'_> {
    fn expect(&mut self, holds: bool, what: &str) {
        if !holds {
            self.errors.push(format!("{}: {what}", self.at));
        }
    }

    fn model(&mut self) {
        self.tables();
        let before = self.errors.len();
        for index in 0..self.model.terms.len() {
            self.at = format!("term {index}");
            self.term(TermId(index as u32));
            if self.errors.len() > before {
                return;
            }
        }
        self.quotients();
        self.declarations();
        self.clauses();
    }

    fn tables(&mut self) {
        let model = self.model;
        for constant in &model.constants {
            self.at.clone_from(&constant.name);
            self.domain(&constant.domain);
            self.expect(constant.value.is_none_or(|v| constant.domain.contains(v)), "its value is not in its domain");
        }
        for variable in &model.variables {
            self.at.clone_from(&variable.name);
            self.domain(&variable.domain);
            let known = match variable.owner {
                super::Owner::Own => true,
                super::Owner::Imported(instance) => (instance as usize) < model.instances.len(),
            };
            self.expect(known, "it belongs to no instance");
        }
        for parameter in model.transitions.iter().flat_map(|t| &t.parameters) {
            self.at.clone_from(&parameter.name);
            self.domain(&parameter.domain);
        }
        let mut names = HashSet::new();
        for property in &model.properties {
            self.at.clone_from(&property.name);
            self.expect(names.insert(&property.name), "two properties have this name");
        }
    }

    fn domain(&mut self, domain: &Domain) {
        self.expect(domain.size() != Some(0), "it has no values");
        if let Domain::Named(values) = domain {
            self.expect(values.windows(2).all(|w| w[0].0 < w[1].0), "its values are not sorted");
        }
    }

    fn declarations(&mut self) {
        let model = self.model;
        for (id, variable) in model.variables() {
            self.at.clone_from(&variable.name);
            for &condition in &variable.conditions {
                self.formula(condition, false, &[]);
                self.timeless(condition, Some(id.0));
            }
        }
        for transition in &model.transitions {
            self.at.clone_from(&transition.name);
            self.expect(!transition.cases.is_empty(), "it has no cases");
            self.parameters(&transition.parameters);
            transition.cases.iter().for_each(|case| self.case(case, &transition.parameters));
        }
        for transition in &model.imported {
            self.at.clone_from(&transition.name);
            self.expect((transition.instance as usize) < model.instances.len(), "it belongs to no instance");
            self.parameters(&transition.parameters);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for (index, parameter) in parameters.iter().enumerate() {
            for &condition in &parameter.conditions {
                let reads = self.facts.get(condition.0 as usize).map(|f| f.parameters.clone());
                self.formula(condition, false, parameters);
                self.timeless(condition, None);
                let own = reads.is_some_and(|reads| reads.iter().all(|&p| p as usize == index));
                self.expect(own, "the condition of a parameter reads another one");
            }
        }
    }

    fn case(&mut self, case: &Case, parameters: &[Parameter]) {
        self.at.clone_from(&case.name);
        self.formula(case.entry, false, parameters);
        self.formula(case.exit, true, parameters);
        let terms = &self.model.terms;
        let fine = (case.duration.0 as usize) < terms.len()
            && match terms.get(case.duration) {
                Term::Constant(id) => {
                    let constant = self.model.constant(*id);
                    constant.value.is_none() && constant.domain != Domain::Boolean
                }
                Term::Sum(_) => terms.as_number(case.duration).is_some_and(|d| d > 0),
                _ => false,
            };
        self.expect(fine, "its duration is not a positive number or a constant");
    }

    fn clauses(&mut self) {
        let model = self.model;
        for Clause { name, term, .. } in &model.axioms {
            self.at.clone_from(name);
            self.formula(*term, false, &[]);
            self.timeless(*term, None);
        }
        for Clause { name, term, .. } in
            [&model.initial, &model.environment, &model.imported_variable].into_iter().flatten()
        {
            self.at.clone_from(name);
            self.formula(*term, false, &[]);
        }
        for property in &model.properties {
            self.at.clone_from(&property.name);
            self.formula(property.term, property.kind == PropertyKind::Constraint, &[]);
        }
        self.at = "selection".to_owned();
        for rule in &model.selection {
            self.formula(rule.condition, false, &[]);
            let known = rule.enabled.iter().chain(&rule.selected).all(|t| t.index() < model.transitions.len());
            self.expect(known, "there is no such transition");
        }
    }

    /// A formula that stands alone.
    fn formula(&mut self, id: TermId, has_start: bool, parameters: &[Parameter]) {
        let Some(facts) = self.facts.get(id.0 as usize).cloned() else {
            return self.expect(false, "there is no such term");
        };
        self.sort(id, Sort::Formula);
        self.expect(facts.free.is_empty(), "an instant is not bound");
        self.expect(has_start || !facts.start, "the start of a transition is read where there is none");
        self.expect(!facts.valued, "a constant with a value occurs in it");
        let known = facts.parameters.iter().all(|&p| (p as usize) < parameters.len());
        self.expect(known, "there is no such parameter");
    }

    /// A formula that reads constants and perhaps a variable.
    fn timeless(&mut self, id: TermId, variable: Option<u32>) {
        let Some(facts) = self.facts.get(id.0 as usize) else { return };
        let fine = !facts.timed && facts.variables.iter().all(|&v| Some(v) == variable);
        self.expect(fine, "it depends on time");
    }
}
