//! Random Promela programs: generated, printed, shrunk.

pub mod ast;
mod census;
pub mod generate;
mod print;
pub mod rng;
pub mod shrink;
mod visit;

pub use census::SIGNS;
