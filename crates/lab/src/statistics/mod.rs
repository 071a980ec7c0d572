//! Statistics of samples.

mod proportion;
mod summary;

pub(crate) use proportion::Proportion;
pub(crate) use summary::{CONFIDENCE, Summary};
