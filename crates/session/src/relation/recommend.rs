//! Which engine to use, and why.

use std::fmt;

use lurcher_ir::relation::{Dependencies, Participation, Relation, Specification};

use super::watch::{Sought, Watched};
use crate::job::JobError;

/// An engine that can be recommended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recommended {
    /// Explicit walks.
    Walk,
    /// Sets of states.
    Bdd,
}

impl Recommended {
    /// Its name, as `--engine` knows it.
    pub fn name(self) -> &'static str {
        match self {
            Recommended::Walk => "walk",
            Recommended::Bdd => "bdd",
        }
    }
}

/// The engine to try first for a property of a model, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The engine.
    pub engine: Recommended,
    /// Why.
    pub reason: String,
    /// Bits of state that decide the property.
    pub bits: u32,
    /// Who takes part in a violation.
    pub participation: Participation,
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, because {}", self.engine.name(), self.reason)
    }
}

/// Bits of state up to which diagrams are tried first.
const BITS: u32 = 160;

impl Recommendation {
    /// The engine to try first for a property.
    ///
    /// # Errors
    /// When the property cannot be made ready.
    pub fn of(relation: &Relation, specification: &Specification) -> Result<Recommendation, JobError> {
        Ok(recommend(relation, specification, &Watched::part(relation, specification)?))
    }
}

/// The engine to try first for a property that is ready.
pub(crate) fn recommend(relation: &Relation, specification: &Specification, watched: &Watched<'_>) -> Recommendation {
    let layers = Dependencies::new(relation).layers(specification.kind.reads(relation));
    let participation = layers.participation(relation);
    let bits = watched.relation.state_variables().map(|(_, v)| v.domain.bits()).sum();
    let (engine, reason) = match watched.sought {
        Sought::Ctl(_) => (Recommended::Bdd, "CTL formulas are about sets of states".to_owned()),
        _ if bits <= BITS => (Recommended::Bdd, format!("{bits} bits of state are few enough for diagrams")),
        _ => (Recommended::Walk, format!("{bits} bits of state are many, and walks only look at what they meet")),
    };
    Recommendation { engine, reason, bits, participation }
}
