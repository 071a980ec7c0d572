//! The product of a relation and the automaton of a negated formula.
//!
//! [`violations`] extends a relation such that its fair runs are exactly the runs of the original that violate a formula.
//! So engines check LTL by searching for a fair run. The product adds, after the original variables:
//!
//! * for each past operator a **history** variable: the truth of the operator one position before ([`mod@past`]);
//! * for each future formula below a past operator a **prophecy**: a boolean chosen freely, which the automaton requires
//!   to equal the formula;
//! * the location of the Büchi automaton, and the justice constraint that accepting locations recur.
//!
//! Where one automaton for the whole formula would be large, each conjunct of the negated formula has an automaton of its own:
//! a run violates the formula if all of them accept it. A conjunct whose automaton is large even so is not translated at
//! all, but encoded by a prophecy for each of its operators ([`mod@tableau`]).

mod past;
mod tableau;

use lurcher_ir::relation::{Assignment, Domain, Relation, Term, TermId, Variable, VariableId, VariableRole};
use lurcher_ir::{Atom, AtomId, Buchi, BuchiEdge, Formula, Literal, position_or_push};
use lurcher_syntax::Span;

use crate::limits::Limits;
use crate::term::{Simplified, simplify};
use crate::translate::{negate, translate, translate_term};

use past::Meaning;
use tableau::Tableau;

/// The most that an automaton may need if it is to be part of a relation.
const AUTOMATON: Limits = Limits { states: 1000, edges: 20_000, steps: 20_000_000 };

/// A relation whose fair runs are those of another that violate a formula. The original variables come first, with their ids;
/// `atoms` are the terms of the formula's atoms.
pub fn violations(relation: &Relation, formula: &Formula, atoms: &[Atom]) -> Relation {
    violations_within(relation, formula, atoms, [&AUTOMATON; 2])
}

/// The same with other limits: of an automaton for the whole formula, and of one for a conjunct of its negation.
pub fn violations_within(relation: &Relation, formula: &Formula, atoms: &[Atom], limits: [&Limits; 2]) -> Relation {
    let meanings = atoms.iter().map(Atom::term).collect();
    let mut product = Product { relation: relation.clone(), meanings, atoms: Vec::new(), prophecies: Vec::new() };
    let meaning = product.meaning(formula);
    let property = product.formula(meaning);
    let mut wanted = negate(&property);
    for prophecy in std::mem::take(&mut product.prophecies) {
        wanted = Formula::And(Box::new(wanted), Box::new(Formula::Always(Box::new(prophecy))));
    }
    let [of_whole, of_conjunct] = limits;
    if let Ok(automaton) = translate(&wanted, of_whole) {
        product.add_automaton(&automaton);
        return product.relation;
    }
    let Simplified { mut terms, root, atoms } = simplify(&wanted);
    for conjunct in terms.parts(root) {
        match translate_term(&mut terms, conjunct, &atoms, of_conjunct) {
            Ok(automaton) => product.add_automaton(&automaton),
            Err(_) => Tableau::require(&mut product, &terms, &atoms, conjunct),
        }
    }
    product.relation
}

/// The product under construction.
struct Product {
    relation: Relation,
    /// The terms of the atoms of the formula.
    meanings: Vec<TermId>,
    /// The terms of the atoms of the automaton.
    atoms: Vec<TermId>,
    /// The correctness conditions of prophecies, which hold at every position.
    prophecies: Vec<Formula>,
}

impl Product {
    /// The atom of the automaton for a term.
    fn atom(&mut self, term: TermId) -> Formula {
        match self.relation.terms.constant(term) {
            Some(0) => return Formula::False,
            Some(_) => return Formula::True,
            None => {}
        }
        Formula::Atom(AtomId(position_or_push(&mut self.atoms, term) as u32))
    }

    /// Adds a boolean variable that is chosen freely. It is assigned in every transition, because transitions may keep variables
    /// without an assignment.
    fn add_free_variable(&mut self) -> VariableId {
        let variable = self.add_variable("prophecy", Domain::Boolean);
        let either = [0, 1].map(|v| self.relation.terms.value(v));
        let any = self.relation.terms.choice(either.to_vec());
        self.assign(variable, any, any);
        variable
    }

    fn formula(&mut self, meaning: Meaning) -> Formula {
        match meaning {
            Meaning::Term(term) => self.atom(term),
            Meaning::Formula(formula) => formula,
        }
    }

    /// Adds a variable under a name that no variable of the source has.
    fn add_variable(&mut self, what: &str, domain: Domain) -> VariableId {
        let name = format!("<{what} {}>", self.relation.variables.len());
        let variable = Variable { name, role: VariableRole::State, domain, span: Span::default() };
        self.relation.add_variable(variable)
    }

    /// Assigns a variable in initial states and in every transition.
    fn assign(&mut self, variable: VariableId, initial: TermId, next: TermId) {
        let assignment = |value| Assignment { variable, value, span: Span::default() };
        self.relation.initial.assignments.push(assignment(initial));
        for transition in &mut self.relation.transitions {
            transition.block.assignments.push(assignment(next));
        }
    }

    fn add_automaton(&mut self, automaton: &Buchi) {
        let last = automaton.states.len() as i64 - 1;
        let variable = self.add_variable("location", Domain::Range(0, last));
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
}
