//! Conjunctive partitions with early quantification (Burch, Clarke and Long 1991).
//!
//! The relation is a list of conjuncts. The relational product conjoins them one by one and quantifies each bit as soon as
//! no later conjunct depends on it. The order is the greedy one of Ranjan, Aziz, Brayton, Plessier and Pixley (1995):
//! next is the conjunct that frees most quantified bits and introduces fewest new ones. Adjacent conjuncts are clustered
//! while their conjunction stays small.

use oxidd::{Function, VarNo};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::{Bdd, BddResult, Kernel};

/// The most nodes of a cluster of conjuncts.
pub(super) const CLUSTER: usize = 2000;

/// A quantification schedule.
pub(crate) struct Schedule {
    /// Quantified bits that no conjunct depends on.
    first: Bdd,
    /// Conjuncts, each with the cube of bits that are quantified after it.
    parts: Vec<(Bdd, Bdd)>,
}

/// A function and its support.
struct Conjunct {
    function: Bdd,
    bits: Vec<VarNo>,
}

impl Schedule {
    /// Schedules conjuncts for the quantification of some bits.
    pub fn new(k: &Kernel, conjuncts: &[Bdd], quantified: &[VarNo]) -> BddResult<Schedule> {
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

    /// The conjunction of a set with the relation, quantified.
    pub fn relational_product(&self, k: &Kernel, set: &Bdd) -> BddResult<Bdd> {
        let first = k.exists(set, &self.first)?;
        self.parts.iter().try_fold(first, |product, (conjunct, bits)| k.and_exists(&product, conjunct, bits))
    }

    /// The clustered conjuncts.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Bdd> {
        self.parts.iter().map(|(conjunct, _)| conjunct)
    }
}

/// The conjuncts in scheduling order.
fn ordered(mut left: Vec<Conjunct>, quantified: &FxHashSet<VarNo>) -> Vec<Conjunct> {
    let mut readers: FxHashMap<VarNo, u32> = FxHashMap::default();
    left.iter().flat_map(|c| &c.bits).for_each(|&b| *readers.entry(b).or_default() += 1);
    let mut seen: FxHashSet<VarNo> = FxHashSet::default();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let score = |c: &Conjunct| {
            let freed = c.bits.iter().filter(|b| readers[b] == 1 && quantified.contains(b)).count() as f64;
            let new = c.bits.iter().filter(|b| !quantified.contains(b) && !seen.contains(b)).count() as f64;
            (2.0 * freed - new) / (c.bits.len() as f64 + 1.0)
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

/// Conjoins adjacent conjuncts while the result stays small.
fn clustered(k: &Kernel, conjuncts: Vec<Conjunct>) -> BddResult<Vec<Conjunct>> {
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
