//! Statistics of samples, and tests that compare two of them.

mod fisher;
mod holm;
mod proportion;
mod rank_test;
mod summary;

pub(crate) use fisher::fisher_exact;
pub(crate) use holm::holm;
pub(crate) use proportion::Proportion;
pub(crate) use rank_test::{Observation, RankTest};
pub(crate) use summary::{CONFIDENCE, Summary};
