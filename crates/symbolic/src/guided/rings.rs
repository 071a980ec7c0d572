//! The symbolic pattern database: abstract states in rings around the target.
//!
//! Ring 0 is the abstract target; ring *i* + 1 holds the predecessors of ring *i* that are in no earlier ring. The ring of
//! a state is a consistent lower bound of its distance.

use lurcher_ir::relation::{TermId, VariableId};
use oxidd::Function;

use super::abstraction::{Abstraction, reads};
use super::walk_target::WalkTarget;
use super::{Pattern, RingHeuristic};
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

/// The most nodes of all rings together; further rings are not computed.
const NODES: usize = 200_000;

/// Sets of states by their abstract distance to a target.
pub struct Rings {
    rings: Vec<Bdd>,
    /// Whether states in no ring cannot reach the target.
    complete: bool,
    /// Whether ring 0 covers the whole target.
    whole: bool,
    kept: Vec<VariableId>,
}

impl Rings {
    /// The rings around a target set; `property` are the terms that define the target.
    pub fn new(encoding: &Encoding<'_>, target: &Bdd, property: &[TermId], pattern: &Pattern) -> BddResult<Rings> {
        Rings::around(encoding, target, true, pattern.variables(encoding, property))
    }

    /// Rings for walks, possibly around a part of the target only (`WalkTarget`), so not a lower bound in general.
    pub fn for_walks(
        encoding: &Encoding<'_>,
        target: &Bdd,
        property: &[TermId],
        pattern: &Pattern,
    ) -> BddResult<Rings> {
        let Pattern::Auto { bits } = pattern else { return Rings::new(encoding, target, property, pattern) };
        let reads = match property {
            [] => encoding.relation().state_variables().map(|(id, _)| id).collect(),
            terms => reads(encoding.relation(), terms),
        };
        let WalkTarget { states, whole, kept } = WalkTarget::choose(encoding, target, &reads, *bits)?;
        Rings::around(encoding, &states, whole, kept)
    }

    fn around(encoding: &Encoding<'_>, target: &Bdd, whole: bool, kept: Vec<VariableId>) -> BddResult<Rings> {
        let k = encoding.kernel();
        let abstraction = Abstraction::new(encoding, &kept)?;
        let mut rings = vec![abstraction.of_set(encoding, target)?];
        let mut seen = rings[0].clone();
        let mut nodes = 0;
        k.reset_sift_threshold();
        loop {
            let last = rings.last().expect("there is a first ring");
            let next = k.minus(&abstraction.preimage(encoding, last)?, &seen)?;
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

    /// Number of rings.
    pub fn len(&self) -> usize {
        self.rings.len()
    }

    /// Whether the target is empty.
    pub fn is_empty(&self) -> bool {
        self.rings.iter().all(|r| !oxidd::BooleanFunction::satisfiable(r))
    }

    /// Whether states in no ring cannot reach the target; otherwise the computation of rings stopped early.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether the ring of a state is a lower bound of its distance: ring 0 covers the whole target.
    pub fn bounds_distances(&self) -> bool {
        self.whole
    }

    /// The variables of the pattern.
    pub fn kept(&self) -> &[VariableId] {
        &self.kept
    }

    /// Splits a set by ring: the non-empty parts with their ring numbers. States in no ring come last, with the number of
    /// rings.
    pub(super) fn split(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Vec<(usize, Bdd)>> {
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

    /// The rings as a heuristic for valuations.
    pub fn heuristic(&self, encoding: &Encoding<'_>) -> RingHeuristic {
        RingHeuristic::new(encoding, &self.rings, &self.kept)
    }
}
