//! A state drawn from a set, each as likely as the other.
//!
//! From the root down, a branch is taken with the share of valuations that lie behind it; a bit that is not asked is
//! drawn as a coin. The numbers of valuations overflow any float from about 1,024 bits on, so each node keeps the
//! share of its set branch and a number with an exponent of its own: a share is exact to 2⁻⁵², whatever the number of
//! bits, and so the chance of a state is off by less than one part in 2⁵² for each bit.

use lurcher_search::Draws;
use oxidd::VarNo;

use super::diagram::Diagram;

/// Draws valuations of a set's bits.
#[derive(Clone, Debug)]
pub struct Sampler {
    diagram: Diagram,
    /// For each node, the share of its valuations that have its bit set.
    shares: Vec<f64>,
}

/// A number `mantissa · 2^exponent`.
#[derive(Clone, Copy)]
struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    fn doubled(self, times: usize) -> Scaled {
        Scaled { exponent: self.exponent + times as i64, ..self }
    }

    /// The sum of two numbers, and the share that the second has in it.
    fn sum(a: Scaled, b: Scaled) -> (Scaled, f64) {
        if a.mantissa == 0.0 || b.mantissa == 0.0 {
            return if a.mantissa == 0.0 { (b, 1.0) } else { (a, 0.0) };
        }
        let exponent = a.exponent.max(b.exponent);
        let at = |x: Scaled| x.mantissa * 2f64.powi((x.exponent - exponent).max(-1100) as i32);
        let (x, y) = (at(a), at(b));
        let sum = x + y;
        let shift = sum.log2().floor();
        (Scaled { mantissa: sum / shift.exp2(), exponent: exponent + shift as i64 }, y / sum)
    }
}

impl Sampler {
    /// A sampler of a set; nothing if the set is empty.
    pub fn new(diagram: Diagram) -> Option<Sampler> {
        if diagram.is_empty() {
            return None;
        }
        let zero = Scaled { mantissa: 0.0, exponent: 0 };
        let mut sizes = vec![zero, Scaled { mantissa: 1.0, exponent: 0 }];
        let mut shares = Vec::with_capacity(diagram.len());
        for node in diagram.nodes() {
            let [low, high] = node.to.map(|to| sizes[to as usize].doubled(diagram.skipped(node.place + 1, to)));
            let (size, share) = Scaled::sum(low, high);
            sizes.push(size);
            shares.push(share);
        }
        Some(Sampler { diagram, shares })
    }

    /// Draws a valuation: calls `set` for each bit that is set. Bits are drawn from the top, one 62-bit number for each
    /// that is asked and has two ways, one coin for each that is not.
    pub fn draw(&self, draws: &mut Draws, mut set: impl FnMut(VarNo)) {
        let order = self.diagram.order();
        let mut at = self.diagram.root();
        for (place, &bit) in order.iter().enumerate() {
            let asked = at > 1 && self.diagram.nodes()[at as usize - 2].place as usize == place;
            let is_set = if asked {
                let index = at as usize - 2;
                let is_set = chance(draws, self.shares[index]);
                at = self.diagram.nodes()[index].to[usize::from(is_set)];
                is_set
            } else {
                draws.below(2) == 1
            };
            if is_set {
                set(bit);
            }
        }
    }
}

#[cfg(test)]
impl Sampler {
    /// The probability with which a valuation is drawn.
    fn probability(&self, bit: impl Fn(VarNo) -> bool) -> f64 {
        let mut at = self.diagram.root();
        let mut probability = 1.0;
        for (place, &b) in self.diagram.order().iter().enumerate() {
            if at > 1 && self.diagram.nodes()[at as usize - 2].place as usize == place {
                let index = at as usize - 2;
                probability *= if bit(b) { self.shares[index] } else { 1.0 - self.shares[index] };
                at = self.diagram.nodes()[index].to[usize::from(bit(b))];
            } else {
                probability *= 0.5;
            }
        }
        probability
    }
}

#[cfg(test)]
mod tests;

/// True with a probability; nothing is drawn when there is no choice.
fn chance(draws: &mut Draws, probability: f64) -> bool {
    if probability <= 0.0 || probability >= 1.0 {
        return probability >= 1.0;
    }
    let high = u64::from(draws.below(1 << 31));
    let number = high << 31 | u64::from(draws.below(1 << 31));
    (number as f64) < probability * 2f64.powi(62)
}
