//! The pattern database: abstract states in rings around the target.
//!
//! Ring 0 is what is left of the target in the abstraction; ring *i* + 1 are the abstract states from where a step leads
//! into ring *i*, as far as they are in no ring before. The number of a state's ring is a lower bound of its distance,
//! and it falls by at most one with a step.

use lurcher_ir::relation::{TermId, VariableId};
use oxidd::Function;

use super::abstraction::{Abstraction, reads};
use super::aim::Aim;
use super::{Guide, Keep};
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};

/// Nodes of all rings together; from there on no further ring is made.
const NODES: usize = 200_000;

/// Sets of states by their abstract distance to a target.
pub struct Rings {
    pub(super) rings: Vec<Bdd>,
    /// States in no ring cannot reach the target; otherwise they are only further away than the last ring.
    pub(super) complete: bool,
    /// They are around all of the target.
    whole: bool,
    kept: Vec<VariableId>,
}

impl Rings {
    /// The rings around a target: a state set of a property that reads these terms.
    pub fn new(encoding: &Encoding<'_>, target: &Bdd, property: &[TermId], keep: &Keep) -> Stoppable<Rings> {
        Rings::around(encoding, target, true, keep.variables(encoding, property))
    }

    /// Rings for walks, which may be around a part of the target only (`aim`). Nothing is shown by them.
    pub fn for_walks(encoding: &Encoding<'_>, target: &Bdd, property: &[TermId], keep: &Keep) -> Stoppable<Rings> {
        let Keep::Auto { bits } = keep else { return Rings::new(encoding, target, property, keep) };
        let reads = match property {
            [] => encoding.relation().state_variables().map(|(id, _)| id).collect(),
            terms => reads(encoding.relation(), terms),
        };
        let aim = Aim::at(encoding, target, &reads, *bits)?;
        Rings::around(encoding, &aim.target, aim.whole, aim.kept)
    }

    fn around(encoding: &Encoding<'_>, target: &Bdd, whole: bool, kept: Vec<VariableId>) -> Stoppable<Rings> {
        let k = encoding.kernel();
        let abstraction = Abstraction::new(encoding, &kept)?;
        let mut rings = vec![abstraction.of(encoding, target)?];
        let mut seen = rings[0].clone();
        let mut nodes = 0;
        k.settle();
        loop {
            let last = rings.last().expect("there is a first ring");
            let next = k.minus(&abstraction.before(encoding, last)?, &seen)?;
            if k.is_empty(&next) {
                return Ok(Rings { rings, complete: true, whole, kept });
            }
            nodes += next.node_count();
            if nodes > NODES {
                return Ok(Rings { rings, complete: false, whole, kept });
            }
            seen = k.or(&seen, &next)?;
            rings.push(next);
            k.sift_when_grown(encoding.layout.groups())?;
        }
    }

    /// How many rings there are.
    pub fn len(&self) -> usize {
        self.rings.len()
    }

    /// Is the target empty?
    pub fn is_empty(&self) -> bool {
        self.rings.iter().all(|r| !oxidd::BooleanFunction::satisfiable(r))
    }

    /// Do the rings hold every abstract state from where the target is reached? States in no ring then cannot reach it.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Is the number of a state's ring never larger than its distance from the target? Not where the rings are around a
    /// part of it.
    pub fn bounds_distances(&self) -> bool {
        self.whole
    }

    /// The variables that were kept.
    pub fn kept(&self) -> &[VariableId] {
        &self.kept
    }

    /// A set cut by the rings: each part with its ring's number, those in no ring last with the number of rings.
    /// Empty parts are left out.
    pub(super) fn cut(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Vec<(usize, Bdd)>> {
        let k = encoding.kernel();
        let mut parts = Vec::new();
        let mut left = set.clone();
        for (index, ring) in self.rings.iter().enumerate() {
            if k.is_empty(&left) {
                return Ok(parts);
            }
            let part = k.and(&left, ring)?;
            if !k.is_empty(&part) {
                left = k.minus(&left, &part)?;
                parts.push((index, part));
            }
        }
        if !k.is_empty(&left) {
            parts.push((self.rings.len(), left));
        }
        Ok(parts)
    }

    /// The rings as a guide for valuations.
    pub fn guide(&self, encoding: &Encoding<'_>) -> Guide {
        Guide::new(encoding, &self.rings, &self.kept)
    }
}
