//! Directed and randomised guided search (Edelkamp, Leue and Lluch-Lafuente 2003; Rungta and Mercer 2007).
//!
//! [`BestFirst`] is greedy best-first search and A\*, with an open list whose ties are broken by age or at random;
//! [`IterativeDeepening`] is IDA\* with a transposition table or with bitstate hashing; [`Trials`] makes independent
//! randomised searches; [`AStarNested`] looks for accepting cycles. All of them see a space with a heuristic ([`Guided`]).

mod astar_nested;
mod best_first;
mod component_space;
mod guided;
mod iterative_deepening;
mod open_list;
mod trials;

pub use astar_nested::AStarNested;
pub use best_first::{BestFirst, Priority};
pub use guided::{Guided, NodeHeuristic};
pub use iterative_deepening::IterativeDeepening;
pub use open_list::Ties;
pub use trials::{Trial, TrialCounts, Trials};
