//! Violations of a formula as fair runs of a relation.
//!
//! [`violations`] extends a relation so that its fair runs are just those runs of the original that violate a formula.
//! So every engine answers LTL with one question: is there a fair run? What is added, behind the variables that were
//! there:
//!
//! * for each past operator a **history** variable: what the operator would say of the run so far ([`mod@past`]);
//! * for each future formula below a past operator a **prophecy**: a boolean that any run may guess, and that the
//!   automaton requires to be guessed right;
//! * the location of the Büchi automaton of the negated formula, which moves with the relation, and the justice
//!   that it be accepting again and again.

mod past;

use lurcher_ir::relation::{Assignment, Domain, Relation, Term, TermId, Variable, VariableId, VariableRole};
use lurcher_ir::{Atom, AtomId, Buchi, BuchiEdge, Formula, Literal};
use lurcher_syntax::Span;

use crate::limits::{Limits, TooLarge};
use crate::translate::{negate, translate};

use past::Meaning;

/// A relation whose fair runs violate a formula.
#[derive(Clone, Debug)]
pub struct Violations {
    /// The relation; the variables of the original come first, under their old ids.
    pub relation: Relation,
    /// Locations of the automaton.
    pub locations: usize,
}

/// The runs of a relation that violate a formula, as the fair runs of another relation.
pub fn violations(
    relation: &Relation,
    formula: &Formula,
    atoms: &[Atom],
    limits: &Limits,
) -> Result<Violations, TooLarge> {
    let meanings = atoms.iter().map(Atom::term).collect();
    let mut watch = Watch { relation: relation.clone(), meanings, atoms: Vec::new(), prophecies: Vec::new() };
    let meaning = watch.meaning(formula);
    let property = watch.formula(meaning);
    let mut wanted = negate(&property);
    for prophecy in std::mem::take(&mut watch.prophecies) {
        wanted = Formula::And(Box::new(wanted), Box::new(Formula::Always(Box::new(prophecy))));
    }
    let automaton = translate(&wanted, limits)?;
    watch.add_automaton(&automaton);
    Ok(Violations { relation: watch.relation, locations: automaton.states.len() })
}

/// A relation while it is extended.
struct Watch {
    relation: Relation,
    /// The terms of the atoms of the formula.
    meanings: Vec<TermId>,
    /// What the atoms of the automaton mean.
    atoms: Vec<TermId>,
    /// What makes guesses right: each holds at every moment.
    prophecies: Vec<Formula>,
}

impl Watch {
    /// The atom of a term.
    fn atom(&mut self, term: TermId) -> Formula {
        match self.relation.terms.constant(term) {
            Some(0) => return Formula::False,
            Some(_) => return Formula::True,
            None => {}
        }
        let known = self.atoms.iter().position(|&a| a == term);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(term);
            self.atoms.len() - 1
        });
        Formula::Atom(AtomId(index as u32))
    }

    fn formula(&mut self, meaning: Meaning) -> Formula {
        match meaning {
            Meaning::Now(term) => self.atom(term),
            Meaning::Later(formula) => formula,
        }
    }

    fn add_variable(&mut self, name: String, domain: Domain) -> VariableId {
        let variable = Variable { name, role: VariableRole::State, domain, span: Span::default() };
        self.relation.add_variable(variable)
    }

    /// Sets a variable at the start and by every step.
    fn assign(&mut self, variable: VariableId, initial: TermId, next: TermId) {
        let assignment = |value| Assignment { variable, value, span: Span::default() };
        self.relation.initial.assignments.push(assignment(initial));
        for transition in &mut self.relation.transitions {
            transition.block.assignments.push(assignment(next));
        }
    }

    fn add_automaton(&mut self, automaton: &Buchi) {
        let last = automaton.states.len() as i64 - 1;
        let name = self.fresh("location");
        let variable = self.add_variable(name, Domain::Range(0, last));
        let location = self.relation.terms.current(variable);
        let mut next = self.relation.terms.add(Term::Choice(Vec::new()));
        let mut accepting = Vec::new();
        for (number, state) in automaton.states.iter().enumerate() {
            let here = self.relation.terms.is(location, number as i64);
            let targets = state.edges.iter().map(|edge| self.edge(edge)).collect();
            let targets = self.relation.terms.choice(targets);
            next = self.relation.terms.ite(here, targets, next);
            accepting.extend(state.accepting.then_some(here));
        }
        let initial = self.relation.terms.value(0);
        self.assign(variable, initial, next);
        let accepting = self.relation.terms.any(accepting);
        self.relation.justice.push(accepting);
    }

    fn edge(&mut self, edge: &BuchiEdge) -> TermId {
        let terms = &mut self.relation.terms;
        let literals: Vec<TermId> = edge
            .guard
            .iter()
            .map(|&Literal { atom, positive }| {
                let atom = self.atoms[atom.0 as usize];
                if positive { atom } else { terms.not(atom) }
            })
            .collect();
        let guard = terms.all(literals);
        let target = terms.value(edge.target as i64);
        terms.when(guard, target)
    }

    /// A name that no variable of the source can have.
    fn fresh(&self, what: &str) -> String {
        format!("<{what} {}>", self.relation.variables.len())
    }
}
