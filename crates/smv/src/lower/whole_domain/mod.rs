//! Questions about all values of the variables at once.
//!
//! NuSMV builds a decision diagram of every expression and looks at its leaves: a value out of range is an error even
//! where no reachable state, or no state at all that `INVAR` allows, leads to it. Most conditions are refuted by bounds on
//! the values of their parts ([`bounds`]); the rest are decided exactly, by a diagram of our own ([`diagram`]).

mod bounds;
mod diagram;

use lurcher_ir::relation::{Domain, Relation, Term, TermId};

use bounds::Bounds;
use diagram::{Diagram, Exceeded, Witness};

/// Can a condition be true?
#[derive(Debug)]
pub(super) enum Answer {
    Never,
    /// With these values, for one.
    Sometimes(Witness),
    /// The diagram would be too large.
    TooLarge,
}

/// Answers, and what was learnt on the way to earlier ones.
#[derive(Debug, Default)]
pub(super) struct WholeDomain {
    bounds: Bounds,
    diagram: Diagram,
}

impl WholeDomain {
    /// Can this condition be true for any values of the variables?
    pub(super) fn satisfiable(&mut self, relation: &Relation, condition: TermId) -> Answer {
        if self.bounds.of(relation, condition).only(0) {
            return Answer::Never;
        }
        match self.diagram.satisfy(relation, condition) {
            Ok(Some(witness)) => Answer::Sometimes(witness),
            Ok(None) => Answer::Never,
            Err(Exceeded) => {
                self.diagram = self.diagram.after_exceeding();
                Answer::TooLarge
            }
        }
    }

    /// Is every value of a term in a domain, by bounds alone?
    pub(super) fn surely_inside(&mut self, relation: &Relation, term: TermId, domain: &Domain) -> bool {
        self.bounds.of(relation, term).inside(domain)
    }

    /// The values that a term may have, given values of variables.
    pub(super) fn values(relation: &Relation, term: TermId, witness: &Witness) -> Vec<i64> {
        let mut values = Vec::new();
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            match relation.terms.get(id) {
                Term::Choice(parts) => open.extend(parts.iter().rev()),
                Term::Ite(c, a, b) => {
                    let test = diagram::evaluate(relation, *c, witness);
                    open.push(if test != 0 { *a } else { *b });
                }
                _ => values.push(diagram::evaluate(relation, id, witness)),
            }
        }
        values
    }
}
