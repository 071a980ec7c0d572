//! Conjunctive partitions with early quantification.
//!
//! The product of a set with a relation, quantified, is what every search spends its time on. Where the relation is a
//! conjunction, it need not be built: the set is multiplied with one conjunct after the other, and a bit is quantified
//! as soon as no later conjunct reads it (Burch, Clarke and Long 1991). The order of conjuncts is the greedy one of
//! Ranjan, Aziz, Brayton, Plessier and Pixley (1995): next comes the one that lets most of its bits go and brings in
//! fewest new ones. Neighbours are multiplied out as long as the product stays small.

use oxidd::{Function, VarNo};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::{Bdd, Kernel, Stoppable};

/// Nodes of a product of conjuncts that is kept.
pub(super) const CLUSTER: usize = 2000;

/// A relation as conjuncts, with the bits that go with each.
pub(crate) struct Schedule {
    /// Bits that no conjunct reads.
    first: Bdd,
    /// Conjuncts, each with the bits that are not read after it.
    parts: Vec<(Bdd, Bdd)>,
}

struct Conjunct {
    function: Bdd,
    bits: Vec<VarNo>,
}

impl Schedule {
    /// Orders conjuncts for the quantification of some bits.
    pub fn new(k: &Kernel, conjuncts: &[Bdd], quantified: &[VarNo]) -> Stoppable<Schedule> {
        let quantified: FxHashSet<VarNo> = quantified.iter().copied().collect();
        let conjuncts = conjuncts.iter().map(|c| Conjunct { function: c.clone(), bits: k.support(c) }).collect();
        let clusters = clustered(k, ordered(conjuncts, &quantified))?;
        let mut left = quantified;
        let mut parts = Vec::with_capacity(clusters.len());
        for cluster in clusters.into_iter().rev() {
            let last: Vec<VarNo> = cluster.bits.iter().copied().filter(|b| left.remove(b)).collect();
            parts.push((cluster.function, k.cube(last)?));
        }
        parts.reverse();
        Ok(Schedule { first: k.cube(left)?, parts })
    }

    /// The product of a set with the relation, quantified.
    pub fn product(&self, k: &Kernel, set: &Bdd) -> Stoppable<Bdd> {
        let first = k.exists(set, &self.first)?;
        self.parts.iter().try_fold(first, |product, (conjunct, bits)| k.and_exists(&product, conjunct, bits))
    }

    /// Functions that the schedule multiplies with.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Bdd> {
        self.parts.iter().map(|(conjunct, _)| conjunct)
    }
}

/// Conjuncts in the order of multiplication.
fn ordered(mut left: Vec<Conjunct>, quantified: &FxHashSet<VarNo>) -> Vec<Conjunct> {
    let mut readers: FxHashMap<VarNo, u32> = FxHashMap::default();
    left.iter().flat_map(|c| &c.bits).for_each(|&b| *readers.entry(b).or_default() += 1);
    let mut seen: FxHashSet<VarNo> = FxHashSet::default();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let score = |c: &Conjunct| {
            let goes = c.bits.iter().filter(|b| readers[b] == 1 && quantified.contains(b)).count() as f64;
            let comes = c.bits.iter().filter(|b| !quantified.contains(b) && !seen.contains(b)).count() as f64;
            (2.0 * goes - comes) / (c.bits.len() as f64 + 1.0)
        };
        let scores: Vec<f64> = left.iter().map(score).collect();
        let best = (0..left.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)));
        let next = left.remove(best.expect("something is left"));
        for &b in &next.bits {
            *readers.get_mut(&b).expect("it was counted") -= 1;
            seen.insert(b);
        }
        order.push(next);
    }
    order
}

/// Neighbours multiplied out as long as they stay small.
fn clustered(k: &Kernel, conjuncts: Vec<Conjunct>) -> Stoppable<Vec<Conjunct>> {
    let mut clusters: Vec<Conjunct> = Vec::new();
    for conjunct in conjuncts {
        if let Some(last) = clusters.last_mut() {
            let product = k.and(&last.function, &conjunct.function)?;
            if product.node_count() <= CLUSTER {
                last.bits = k.support(&product);
                last.function = product;
                continue;
            }
        }
        clusters.push(conjunct);
    }
    Ok(clusters)
}
