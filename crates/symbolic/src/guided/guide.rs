//! Rings for whoever has a valuation.

use lurcher_ir::relation::{Domain, VariableId};
use rustc_hash::FxHashMap;

use crate::encode::Encoding;
use crate::kernel::Bdd;
use crate::sets::Diagram;

/// Scores valuations by their ring. It stands on its own: no encoding is needed any more, and threads may share it.
#[derive(Clone, Debug)]
pub struct Guide {
    rings: Vec<Diagram>,
    /// The variables that rings read.
    read: Vec<(VariableId, Domain)>,
    /// For each bit in the order of the rings, the variable among those and the place of the bit in its code.
    places: Vec<(usize, u32)>,
}

impl Guide {
    pub(super) fn new(encoding: &Encoding<'_>, rings: &[Bdd], kept: &[VariableId]) -> Guide {
        let bits: Vec<u32> = kept.iter().flat_map(|&v| encoding.layout.now(v)).copied().collect();
        let mut places: FxHashMap<u32, (usize, u32)> = FxHashMap::default();
        for (index, &v) in kept.iter().enumerate() {
            places.extend(encoding.layout.now(v).iter().enumerate().map(|(i, &b)| (b, (index, i as u32))));
        }
        let rings: Vec<Diagram> = rings.iter().map(|r| Diagram::of(r, &bits)).collect();
        let order = rings.first().map_or(&[][..], Diagram::order);
        Guide {
            places: order.iter().map(|bit| places[bit]).collect(),
            rings,
            read: kept.iter().map(|&v| (v, encoding.relation().variable(v).domain.clone())).collect(),
        }
    }

    /// The number of a valuation's ring; the number of rings if it is in none.
    pub fn score(&self, valuation: &[i64]) -> u32 {
        self.score_of(|v| valuation[v.0 as usize])
    }

    /// The same for whoever can tell the values of variables one by one. Only those that rings read are asked for.
    pub fn score_of(&self, value: impl Fn(VariableId) -> i64) -> u32 {
        let code = |(v, domain): &(VariableId, Domain)| domain.code(value(*v)).unwrap_or(0);
        let codes: Vec<u64> = self.read.iter().map(code).collect();
        let bits: Vec<bool> = self.places.iter().map(|&(index, place)| codes[index] >> place & 1 != 0).collect();
        let ring = self.rings.iter().position(|ring| ring.holds_at(&bits));
        ring.unwrap_or(self.rings.len()) as u32
    }

    /// The greatest score.
    pub fn worst(&self) -> u32 {
        self.rings.len() as u32
    }
}
