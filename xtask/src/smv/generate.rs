//! Random programs: well-typed, small state spaces, every part of the language now and then.
//!
//! Values are kept inside their types by guards written into the expressions, because NuSMV checks whole domains; now and
//! then a guard is left out, and then both tools should refuse. Assignments read only what is declared before them, so
//! that there are no circles.

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
