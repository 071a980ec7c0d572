//! Random Promela programs: generated, printed, compared, cut down.

pub mod ast;
pub mod campaign;
pub mod census;
pub mod generate;
pub mod print;
pub mod rng;
pub mod shrink;
mod visit;
