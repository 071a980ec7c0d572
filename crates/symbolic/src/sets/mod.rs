//! What is in a set: how many, and which.

mod count;
mod diagram;
mod sample;

pub use count::Count;
pub use diagram::Diagram;
pub use sample::Sampler;

use crate::encode::Encoding;
use crate::kernel::Bdd;

impl Encoding<'_> {
    /// How many states a set has.
    pub fn count(&self, set: &Bdd) -> Count {
        Diagram::of(set, &self.state_bits).count()
    }
}
