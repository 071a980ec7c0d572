//! Which engine to use, and why.
//!
//! The thesis's classification (figure 7.11) says: explicit guided walks where the model is explicit; of symbolic
//! engines, guided search where few processes take part in the violation, guided walks where many do. What our own
//! experiments add (`bench/thesis`): breadth-first symbolic reachability over the cone of influence is hard to beat while
//! the cone is small, and walks win where it is large.

use std::fmt;

use lurcher_ir::relation::Relation;

use super::watch::{Sought, Watched};

/// The engine to try first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Explicit walks; why.
    Walk(String),
    /// Sets of states; why.
    Bdd(String),
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advice::Walk(why) => write!(f, "walk, because {why}"),
            Advice::Bdd(why) => write!(f, "bdd, because {why}"),
        }
    }
}

/// Bits of state up to which diagrams are tried first.
const BITS: u32 = 160;

/// The engine to try first for a question.
pub(crate) fn recommend(watched: &Watched<'_>) -> Advice {
    let bits = bits(watched.relation.as_ref());
    match watched.sought {
        Sought::Ctl(_) => Advice::Bdd("CTL formulas are about sets of states".to_owned()),
        _ if bits <= BITS => Advice::Bdd(format!("{bits} bits of state are few enough for diagrams")),
        _ => Advice::Walk(format!("{bits} bits of state are many, and walks only look at what they meet")),
    }
}

fn bits(relation: &Relation) -> u32 {
    relation.state_variables().map(|(_, v)| v.domain.bits()).sum()
}
