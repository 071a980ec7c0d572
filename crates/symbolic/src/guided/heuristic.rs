//! Rings as a heuristic for explicit search.

use lurcher_ir::relation::{Domain, VariableId};
use rustc_hash::FxHashMap;

use crate::encode::Encoding;
use crate::kernel::Bdd;
use crate::sets::ArrayBdd;

/// Maps valuations to ring numbers. Independent of the encoding, and shareable between threads.
#[derive(Clone, Debug)]
pub struct RingHeuristic {
    rings: Vec<ArrayBdd>,
    /// The variables of the pattern.
    read: Vec<(VariableId, Domain)>,
    /// For each bit in variable order, the index of its variable in `read` and its position in the code.
    bits: Vec<(usize, u32)>,
}

impl RingHeuristic {
    pub(super) fn new(encoding: &Encoding<'_>, rings: &[Bdd], kept: &[VariableId]) -> RingHeuristic {
        let mut positions: FxHashMap<u32, (usize, u32)> = FxHashMap::default();
        for (index, &v) in kept.iter().enumerate() {
            positions.extend(encoding.layout.now(v).iter().zip(0..).map(|(&b, i)| (b, (index, i))));
        }
        let bits: Vec<u32> = positions.keys().copied().collect();
        let rings: Vec<ArrayBdd> = rings.iter().map(|r| ArrayBdd::of(r, &bits)).collect();
        let order = rings.first().map_or(&[][..], ArrayBdd::order);
        RingHeuristic {
            bits: order.iter().map(|bit| positions[bit]).collect(),
            rings,
            read: kept.iter().map(|&v| (v, encoding.relation().variable(v).domain.clone())).collect(),
        }
    }

    /// The ring of a valuation; the number of rings if it is in none.
    pub fn score(&self, valuation: &[i64]) -> u32 {
        self.score_of(|v| valuation[v.0 as usize])
    }

    /// As [`RingHeuristic::score`]; `value` is called for the variables of the pattern only.
    pub fn score_of(&self, value: impl Fn(VariableId) -> i64) -> u32 {
        let code = |(v, domain): &(VariableId, Domain)| domain.code(value(*v)).unwrap_or(0);
        let codes: Vec<u64> = self.read.iter().map(code).collect();
        let bits: Vec<bool> = self.bits.iter().map(|&(index, i)| codes[index] >> i & 1 != 0).collect();
        let ring = self.rings.iter().position(|ring| ring.eval(&bits));
        ring.unwrap_or(self.rings.len()) as u32
    }

    /// The greatest score.
    pub fn worst(&self) -> u32 {
        self.rings.len() as u32
    }
}
