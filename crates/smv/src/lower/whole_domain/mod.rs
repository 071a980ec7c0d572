//! Conditions over all values of the variables.
//!
//! NuSMV builds a decision diagram of every expression and checks its leaves: a value out of range is an error even if no
//! reachable state has it. Most conditions are refuted by bounds on the values of subterms ([`bounds`]); the rest are
//! decided exactly by a multi-terminal BDD ([`mtbdd`]).

mod bounds;
mod mtbdd;

use lurcher_ir::relation::{Domain, Relation, Term, TermId};

use bounds::Bounds;
use mtbdd::{Exceeded, Mtbdd, Witness};

/// Whether a condition is satisfiable.
#[derive(Debug)]
pub(super) enum Answer {
    Never,
    /// With a witness.
    Sometimes(Witness),
    /// The MTBDD is too large.
    TooLarge,
}

/// The checker, with caches.
#[derive(Debug, Default)]
pub(super) struct WholeDomain {
    bounds: Bounds,
    mtbdd: Mtbdd,
}

impl WholeDomain {
    /// Whether a condition is true for some values of the variables.
    pub(super) fn satisfiable(&mut self, relation: &Relation, condition: TermId) -> Answer {
        if self.bounds.of(relation, condition).only(0) {
            return Answer::Never;
        }
        match self.mtbdd.satisfy(relation, condition) {
            Ok(Some(witness)) => Answer::Sometimes(witness),
            Ok(None) => Answer::Never,
            Err(Exceeded) => {
                self.mtbdd = self.mtbdd.after_exceeding();
                Answer::TooLarge
            }
        }
    }

    /// Whether the bounds of a term are inside a domain.
    pub(super) fn surely_inside(&mut self, relation: &Relation, term: TermId, domain: &Domain) -> bool {
        self.bounds.of(relation, term).inside(domain)
    }

    /// The values of a term for a witness.
    pub(super) fn values(relation: &Relation, term: TermId, witness: &Witness) -> Vec<i64> {
        let mut values = Vec::new();
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            match relation.terms.get(id) {
                Term::Choice(parts) => open.extend(parts.iter().rev()),
                Term::Ite(c, a, b) => {
                    let test = mtbdd::evaluate(relation, *c, witness);
                    open.push(if test != 0 { *a } else { *b });
                }
                _ => values.push(mtbdd::evaluate(relation, id, witness)),
            }
        }
        values
    }
}
