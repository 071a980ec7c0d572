//! Random Promela programs: generated, printed, compared, cut down.

pub mod ast;
pub mod generate;
pub mod print;
pub mod rng;
