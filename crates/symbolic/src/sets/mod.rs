//! Counting and sampling the states of a set.

mod array_bdd;
mod sample;

pub(crate) use array_bdd::ArrayBdd;
pub(crate) use sample::Sampler;

use crate::count::Count;
use crate::encode::Encoding;
use crate::kernel::Bdd;

impl Encoding<'_> {
    /// Number of states in a set.
    pub fn count(&self, set: &Bdd) -> Count {
        ArrayBdd::of(set, &self.state_bits).count()
    }
}
