//! Timed models as text.

use std::fmt::{self, Display, Write};

use super::{
    Clause, Constant, Domain, Event, ImportedTransition, Linear, Model, Moment, Occurrence, Owner, Parameter, Source,
    Term, TermId, Transition, TransitionRef, Variable,
};

impl Model {
    /// A term as text. Every operator stands in parentheses.
    pub fn show(&self, term: TermId) -> String {
        match self.terms.get(term) {
            Term::Sum(sum) => self.sum(sum),
            Term::Constant(id) => self.constant(*id).name.clone(),
            Term::Variable(id, Moment::Now) => self.variable(*id).name.clone(),
            Term::Variable(id, Moment::Start) => format!("{}'", self.variable(*id).name),
            Term::Parameter(parameter) => format!("p{parameter}"),
            Term::Now => "now".to_owned(),
            Term::Bound(bound) => format!("t{bound}"),
            Term::Instant(occurrence) => self.occurrence(occurrence),
            Term::Occurred(occurrence) => format!("occurred {}", self.occurrence(occurrence)),
            Term::Past(of, instant) => format!("past({}, {})", self.show(*of), self.show(*instant)),
            Term::If(c, a, b) => format!("IF {} THEN {} ELSE {} FI", self.show(*c), self.show(*a), self.show(*b)),
            Term::Floor(a, divisor) => format!("({} DIV {divisor})", self.show(*a)),
            Term::Quotient(a, divisor) => format!("({} / {divisor})", self.show(*a)),
            Term::NoNumber => "undefined".to_owned(),
            Term::Truth(value) => Domain::Boolean.show(i64::from(*value)),
            Term::Zero(sum) => self.comparison(sum, "="),
            Term::NotNegative(sum) => self.comparison(sum, ">="),
            Term::Not(a) => format!("~{}", self.show(*a)),
            Term::And(parts) => self.joined(parts, " & "),
            Term::Or(parts) => self.joined(parts, " | "),
            Term::Iff(a, b) => format!("({} <-> {})", self.show(*a), self.show(*b)),
            Term::Exists(bound, body) => format!("EXISTS t{bound} {}", self.show(*body)),
            Term::Forall(bound, body) => format!("FORALL t{bound} {}", self.show(*body)),
        }
    }

    fn joined(&self, parts: &[TermId], operator: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|&p| self.show(p)).collect();
        format!("({})", parts.join(operator))
    }

    /// A sum, with its first terms first.
    fn sum(&self, sum: &Linear) -> String {
        let mut out = String::new();
        for (term, a) in &sum.terms {
            let size = if a.unsigned_abs() == 1 { String::new() } else { format!("{}*", a.unsigned_abs()) };
            let sign = match (out.is_empty(), *a < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out += &format!("{sign}{size}{}", self.show(*term));
        }
        match sum.constant {
            constant if out.is_empty() => constant.to_string(),
            0 => out,
            constant if constant < 0 => format!("{out} - {}", constant.unsigned_abs()),
            constant => format!("{out} + {constant}"),
        }
    }

    /// `sum relation 0`, with positive parts on the left and negative ones on the right.
    fn comparison(&self, sum: &Linear, relation: &str) -> String {
        let side = |positive: bool| {
            let terms = sum.terms.iter().filter(|(_, a)| (*a >= 0) == positive);
            let terms = terms.map(|(term, a)| (*term, if positive { *a } else { a.saturating_neg() })).collect();
            let constant = if (sum.constant >= 0) == positive { sum.constant.saturating_abs() } else { 0 };
            Linear { terms, constant }
        };
        let (left, right) = (side(true), side(false));
        let named = match (&left.terms[..], right.as_number()) {
            (&[(term, 1)], Some(value)) if left.constant == 0 => self.named_value(term, value),
            _ => None,
        };
        let right = named.unwrap_or_else(|| self.sum(&right));
        format!("({} {relation} {right})", self.sum(&left))
    }

    /// The name of a value of a term that has named values.
    fn named_value(&self, term: TermId, value: i64) -> Option<String> {
        match self.domain_of(term)? {
            domain @ Domain::Named(_) => Some(domain.show(value)),
            _ => None,
        }
    }

    /// The domain of a term that is a constant or a variable, perhaps at another instant.
    pub fn domain_of(&self, term: TermId) -> Option<&Domain> {
        match self.terms.get(term) {
            Term::Constant(id) => Some(&self.constant(*id).domain),
            Term::Variable(id, _) => Some(&self.variable(*id).domain),
            Term::Past(of, _) => self.domain_of(*of),
            _ => None,
        }
    }

    fn occurrence(&self, occurrence: &Occurrence) -> String {
        let (kind, what) = match &occurrence.event {
            Event::Change(of) => ("Change", self.show(*of)),
            Event::Start(source) => ("Start", self.source(source)),
            Event::End(source) => ("End", self.source(source)),
            Event::Call(source) => ("Call", self.source(source)),
        };
        let nth = if occurrence.nth == 1 { String::new() } else { format!("[{}]", occurrence.nth) };
        format!("{kind}{nth}({what})")
    }

    fn source(&self, source: &Source) -> String {
        let name = |t: &TransitionRef| match t {
            TransitionRef::Own(id) => self.transition(*id).name.clone(),
            TransitionRef::Imported(id) => self.imported[id.index()].name.clone(),
        };
        let names: Vec<String> = source.transitions.iter().map(name).collect();
        let mut out = names.join(" | ");
        for (position, argument) in &source.arguments {
            out += &format!(", p{position} = {}", self.show(*argument));
        }
        out
    }
}

/// The whole model, one declaration or clause on each line.
impl Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "process {} ({})", self.process, self.instance)?;
        for Constant { name, domain, value, .. } in &self.constants {
            let value = value.map_or(String::new(), |v| format!(" = {}", domain.show(v)));
            writeln!(f, "constant {name}: {domain}{value}")?;
        }
        for Variable { name, owner, domain, conditions, .. } in &self.variables {
            let kind = if *owner == Owner::Own { "variable" } else { "imported variable" };
            writeln!(f, "{kind} {name}: {domain}{}", self.with(conditions))?;
        }
        for ImportedTransition { name, parameters, .. } in &self.imported {
            writeln!(f, "imported transition {name}{}", self.parameters(parameters))?;
        }
        self.clauses(f, "axioms", &self.axioms)?;
        self.clauses(f, "initial", &self.initial)?;
        self.clauses(f, "environment", &self.environment)?;
        self.clauses(f, "imported variable", &self.imported_variable)?;
        for rule in &self.selection {
            let names = |list: &[super::TransitionId]| {
                let names: Vec<&str> = list.iter().map(|&t| self.transition(t).name.as_str()).collect();
                names.join(", ")
            };
            let (enabled, selected) = (names(&rule.enabled), names(&rule.selected));
            writeln!(f, "selection {{{enabled}}} & {} -> {{{selected}}}", self.show(rule.condition))?;
        }
        for Transition { name, exported, parameters, cases, .. } in &self.transitions {
            let exported = if *exported { "exported " } else { "" };
            writeln!(f, "{exported}transition {name}{}", self.parameters(parameters))?;
            for case in cases {
                writeln!(f, "  {} [{}]", case.name, self.show(case.duration))?;
                writeln!(f, "    entry {}", self.show(case.entry))?;
                writeln!(f, "    exit  {}", self.show(case.exit))?;
            }
        }
        for property in &self.properties {
            writeln!(f, "property {}\n  {}", property.name, self.show(property.term))?;
        }
        Ok(())
    }
}

impl Model {
    fn clauses(&self, f: &mut fmt::Formatter<'_>, title: &str, clauses: &[Clause]) -> fmt::Result {
        if !clauses.is_empty() {
            writeln!(f, "{title}")?;
        }
        clauses.iter().try_for_each(|c| writeln!(f, "  {}: {}", c.name, self.show(c.term)))
    }

    fn parameters(&self, parameters: &[Parameter]) -> String {
        let mut out = String::new();
        for (index, Parameter { name, domain, conditions }) in parameters.iter().enumerate() {
            write!(out, " p{index} = {name}: {domain}{}", self.with(conditions)).expect("strings take all text");
        }
        out
    }

    fn with(&self, conditions: &[TermId]) -> String {
        if conditions.is_empty() { String::new() } else { format!(" where {}", self.joined(conditions, " & ")) }
    }
}

/// `boolean`, `{a, b}` or `integer 1..`.
impl Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Boolean => f.write_str("boolean"),
            Domain::Named(values) => {
                let names: Vec<&str> = values.iter().map(|(_, name)| name.as_str()).collect();
                write!(f, "{{{}}}", names.join(", "))
            }
            Domain::Integer { lower: None, upper: None } => f.write_str("integer"),
            Domain::Integer { lower, upper } => {
                let limit = |limit: &Option<i64>| limit.map_or(String::new(), |l| l.to_string());
                write!(f, "integer {}..{}", limit(lower), limit(upper))
            }
        }
    }
}
