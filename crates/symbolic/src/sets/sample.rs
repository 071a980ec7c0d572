//! Uniform sampling from a set.
//!
//! From the root down, a branch is taken with the share of satisfying assignments behind it; a bit that is not tested is
//! a coin toss. Model counts overflow `f64` from about 1,024 bits on, so they carry an exponent of their own. The share
//! stored with each node is exact to 2⁻⁵², so the probability of a state is off by less than one part in 2⁵² per bit.

use lurcher_search::Draws;
use oxidd::VarNo;

use super::ArrayBdd;

/// Draws satisfying assignments of a function uniformly.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    function: ArrayBdd,
    /// For each node, the share of its satisfying assignments that have its bit set.
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

    /// The sum, and the share of the second number in it.
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
    /// A sampler of a set; `None` if the set is empty.
    pub fn new(function: ArrayBdd) -> Option<Sampler> {
        if function.root() == 0 {
            return None;
        }
        let mut sizes = [0.0, 1.0].map(|mantissa| Scaled { mantissa, exponent: 0 }).to_vec();
        let mut shares = Vec::with_capacity(function.nodes().len());
        for node in function.nodes() {
            let [low, high] = node.children.map(|id| sizes[id as usize].doubled(function.skipped(node.level + 1, id)));
            let (size, share) = Scaled::sum(low, high);
            sizes.push(size);
            shares.push(share);
        }
        Some(Sampler { function, shares })
    }

    /// Visits all bits from the top. `choose` returns the value of a bit; if the bit is tested, it gets the probability
    /// that it is set.
    fn descend(&self, mut choose: impl FnMut(VarNo, Option<f64>) -> bool) {
        let mut node = self.function.root();
        for (&bit, level) in self.function.order().iter().zip(0..) {
            let share = self.function.tests(node, level).then(|| self.shares[node as usize - 2]);
            node = self.function.child(node, level, choose(bit, share));
        }
    }

    /// Draws an assignment and calls `set` for each bit that is set. A bit with two possible values costs one 62-bit
    /// number if it is tested, else one coin toss.
    pub fn draw(&self, draws: &mut Draws, mut set: impl FnMut(VarNo)) {
        self.descend(|bit, share| {
            let is_set = match share {
                Some(share) => chance(draws, share),
                None => draws.below(2) == 1,
            };
            if is_set {
                set(bit);
            }
            is_set
        });
    }
}

#[cfg(test)]
mod tests;

/// True with a probability; draws nothing if the result is certain.
fn chance(draws: &mut Draws, probability: f64) -> bool {
    if probability <= 0.0 || probability >= 1.0 {
        return probability >= 1.0;
    }
    let high = u64::from(draws.below(1 << 31));
    let number = high << 31 | u64::from(draws.below(1 << 31));
    (number as f64) < probability * 2f64.powi(62)
}
