//! The part of the target that guides walks.
//!
//! If an abstraction drops variables of the property, most abstract states may belong to the target: "some sender has
//! failed" covers all states of the first three senders once the fourth is dropped. Walks need not aim at the whole
//! target. So variables of the property are fixed to their initial values, one by one, as long as the target stays
//! satisfiable, and the pattern keeps the other variables with their dependencies. If none can be fixed ("all
//! philosophers wait"), the pattern keeps those that fit. If all can, the target depends on other variables: it stays
//! whole, and the pattern is built around one variable.
//!
//! Distances to a part of the target are not lower bounds.

use lurcher_ir::relation::{Dependencies, VariableId, VariableRole};

use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

/// A target for walks, and the pattern for its rings.
pub(super) struct WalkTarget {
    pub states: Bdd,
    /// Whether this is the whole target.
    pub whole: bool,
    /// The variables of the pattern, sorted.
    pub kept: Vec<VariableId>,
}

impl WalkTarget {
    /// Chooses a target for a property over the variables `reads` and a pattern of at most `bits` bits.
    pub fn choose(encoding: &Encoding<'_>, target: &Bdd, reads: &[VariableId], bits: u32) -> BddResult<WalkTarget> {
        let size = |variables: &[VariableId]| variables.iter().map(|&v| width(encoding, v)).sum::<u32>();
        let near = Dependencies::new(encoding.relation()).layers(reads.iter().copied()).layers;
        let near: Vec<VariableId> = near.into_iter().take(2).flatten().collect();
        if size(&near) <= bits {
            return Ok(WalkTarget { states: target.clone(), whole: true, kept: nearest(encoding, reads, bits) });
        }
        let (part, needed) = part(encoding, target, reads)?;
        if needed.is_empty() {
            let kept = nearest(encoding, &reads[..reads.len().min(1)], bits);
            return Ok(WalkTarget { states: target.clone(), whole: true, kept });
        }
        let whole = part == *target;
        if size(&needed) <= bits {
            return Ok(WalkTarget { states: part, whole, kept: nearest(encoding, &needed, bits) });
        }
        let mut left = bits;
        let fits = |v: &VariableId| {
            let width = width(encoding, *v);
            let fits = width <= left;
            left -= if fits { width } else { 0 };
            fits
        };
        Ok(WalkTarget { states: part, whole, kept: needed.into_iter().filter(fits).collect() })
    }
}

/// The part of a target with as many variables as possible at their initial values, and the variables that differ.
fn part(encoding: &Encoding<'_>, target: &Bdd, reads: &[VariableId]) -> BddResult<(Bdd, Vec<VariableId>)> {
    let k = encoding.kernel();
    let mut part = target.clone();
    let mut needed = Vec::new();
    let Some(start) = encoding.pick(encoding.initial()) else { return Ok((part, reads.to_vec())) };
    for &v in reads.iter().rev() {
        let rest = k.and(&part, &k.literals(encoding.bits_of_one(&start, v))?)?;
        if k.is_empty(&rest) {
            needed.push(v);
        } else {
            part = rest;
        }
    }
    needed.reverse();
    Ok((part, needed))
}

/// The given variables with their dependencies, layer by layer, as far as they fit. The given variables are always kept.
pub(super) fn nearest(encoding: &Encoding<'_>, first: &[VariableId], bits: u32) -> Vec<VariableId> {
    let relation = encoding.relation();
    let layers = Dependencies::new(relation).layers(first.iter().copied()).layers;
    let mut left = i64::from(bits);
    let mut kept = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        for &v in layer.iter().filter(|&&v| relation.variable(v).role != VariableRole::Input) {
            let width = i64::from(width(encoding, v));
            if number == 0 || width <= left {
                left -= width;
                kept.push(v);
            }
        }
    }
    kept.sort_unstable();
    kept
}

fn width(encoding: &Encoding<'_>, v: VariableId) -> u32 {
    encoding.relation().variable(v).domain.bits()
}
