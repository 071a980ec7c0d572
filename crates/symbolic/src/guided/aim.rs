//! What guided walks aim at.
//!
//! A property over many variables has a target in all of them. Where an abstraction drops some of these, most of what is
//! left may look like the target: "some sender has failed" is true of every state of the first three senders as soon as
//! the fourth is dropped. A walk need not aim at all of the target. So variables that the property reads are set to their first
//! values, one after the other, as long as something of the target remains; what the others depend on is then worth more
//! than they are. Where nothing can be set, as in "all philosophers wait", the abstraction drops them. Where everything can, the
//! target has to do with other variables: it is left whole, and seen from one variable and what surrounds it.
//!
//! Distances to a part of the target may be longer than those to the whole: they guide walks, and prove nothing.

use lurcher_ir::relation::{Dependencies, VariableId, VariableRole};

use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};

/// A target, and the variables in which its distances are measured.
pub(super) struct Aim {
    pub target: Bdd,
    /// It is all of what is looked for.
    pub whole: bool,
    /// Sorted.
    pub kept: Vec<VariableId>,
}

impl Aim {
    /// What to aim at for a property that reads these variables, with so many bits to keep.
    pub fn at(encoding: &Encoding<'_>, target: &Bdd, reads: &[VariableId], bits: u32) -> Stoppable<Aim> {
        let size = |variables: &[VariableId]| variables.iter().map(|&v| width(encoding, v)).sum::<u32>();
        let near = Dependencies::new(encoding.relation()).layers(reads.iter().copied()).layers;
        let near: Vec<VariableId> = near.into_iter().take(2).flatten().collect();
        if size(&near) <= bits {
            return Ok(Aim { target: target.clone(), whole: true, kept: nearest(encoding, reads, bits) });
        }
        let (part, needed) = part(encoding, target, reads)?;
        if needed.is_empty() {
            // The values of the start say nothing about the target. One variable and what surrounds it stand for all.
            let kept = nearest(encoding, &reads[..reads.len().min(1)], bits);
            return Ok(Aim { target: target.clone(), whole: true, kept });
        }
        let whole = part == *target;
        if size(&needed) <= bits {
            return Ok(Aim { target: part, whole, kept: nearest(encoding, &needed, bits) });
        }
        let mut left = bits;
        let fits = |v: &VariableId| {
            let width = width(encoding, *v);
            let fits = width <= left;
            left -= if fits { width } else { 0 };
            fits
        };
        Ok(Aim { target: part, whole, kept: needed.into_iter().filter(fits).collect() })
    }
}

/// Part of a target with as many variables at their first values as possible, and the others.
fn part(encoding: &Encoding<'_>, target: &Bdd, reads: &[VariableId]) -> Stoppable<(Bdd, Vec<VariableId>)> {
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

/// Variables with what they depend on, layer by layer, as far as there is room for it. What comes first is kept whatever it
/// takes.
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
