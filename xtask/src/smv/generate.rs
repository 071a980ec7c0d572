//! Random well-typed SMV programs with small state spaces.
//!
//! NuSMV checks whole domains, so guards inside expressions keep values in their types; sometimes a guard is left out, and both
//! tools should reject the program. Assignments read only earlier variables, so that there are no cycles.

mod expression;
mod formula;
mod module;
mod types;
mod words;

use super::program::Program;
use crate::random::rng::Rng;

/// The program of this index under this seed. A `modern` one may use what only NuSMV 2.6 reads.
pub fn program(seed: u64, index: u64, modern: bool) -> Program {
    module::program(&mut Rng::of_program(seed, index), modern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(program(3, 7, true).to_string(), program(3, 7, true).to_string());
        assert_ne!(program(3, 7, true).to_string(), program(3, 8, true).to_string());
    }
}
