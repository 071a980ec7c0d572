//! Which engine to use for a relation, and why.
//!
//! The thesis's classification (figure 7.11) says: explicit walks before symbolic ones. What our own measurements add
//! (`cargo xtask engines`, kept in `bench/results`): reachability over the cone of influence, with chaining, is mostly as
//! fast as anything while the cone is small, and stays so a little longer where not all take part. Beyond that diagrams grow
//! quickly, and explicit trails, which never come back to where they were, need the least luck.

use lurcher_ir::Property;
use lurcher_ir::relation::{Dependencies, Relation};

use super::watch::{Sought, Watched};
use crate::job::JobError;
use crate::recommend::{Recommendation, Recommended};

/// Bits of state up to which diagrams are as fast as anything.
const FEW: u32 = 36;
/// Bits up to which they are where not all instances take part.
const SOME: u32 = 48;

impl Recommendation {
    /// The engine to try first for a property.
    ///
    /// # Errors
    /// When the property cannot be made ready.
    pub fn of(relation: &Relation, property: &Property) -> Result<Recommendation, JobError> {
        Ok(recommend(relation, property, &Watched::part(relation, property)?))
    }
}

/// The engine to try first for a property that is ready.
pub(crate) fn recommend(relation: &Relation, property: &Property, watched: &Watched<'_>) -> Recommendation {
    let layers = Dependencies::new(relation).layers(property.kind.reads(relation));
    let participation = layers.participation(relation);
    let bits = watched.relation.state_variables().map(|(_, v)| v.domain.bits()).sum();
    let partial = participation.factor().is_some_and(|f| f < 1.0);
    let (engine, reason) = match watched.sought {
        Sought::Ctl(_) => (Recommended::Bdd, "CTL formulas are about sets of states".to_owned()),
        _ if bits <= FEW => (Recommended::Bdd, format!("{bits} bits of state are few enough for diagrams")),
        _ if bits <= SOME && partial => {
            let (part, all) = (participation.participants, participation.instances);
            (
                Recommended::Bdd,
                format!("{bits} bits of state are not many, and only {part} of {all} instances take part"),
            )
        }
        _ => {
            let reason = format!("{bits} bits of state are many for diagrams, and trails look only at what they meet");
            (Recommended::Trail, reason)
        }
    };
    Recommendation { engine, reason, bits: Some(bits), diagrams: true }
}
