//! The guide `reduced-instance`: what went wrong in a small instance shows the way in a large one.
//!
//! This is the heuristic h1 of Bui's thesis (section 6.2.1, figure 6.5), where it was made by hand: reduce the number
//! of processes, find a shortest path to the error by breadth-first search, turn its steps into patterns (who moves,
//! from where to where, with which values of the variables, any of them a wildcard), and in the large instance put
//! a step at the distance of the pattern that it matches.
//!
//! Here it is made by itself, and it departs from the thesis in three ways. Two small instances of different size are
//! compared, not one looked at: what differs between them becomes a wildcard or a relation to `_pid` or to the number
//! of processes, and parts that are played by as many processes in both are told from parts that grow with the
//! instance ([`generalise()`], [`Role`]). The best match counts, not the first. And steps off the path are told apart,
//! so that a walk that lost the path finds back to it ([`ReducedInstance`]). [`Style::Plain`] switches all three off.
//!
//! Reading order: [`goal_path()`] finds a path, `classes` and [`generalise()`] make a [`Table`] of it, [`to_text()`] and
//! [`from_text()`] print and read it, [`ReducedInstance`] is the table in use. Loading smaller instances is the
//! business of the `session` crate.

mod bind;
mod classes;
mod condition;
mod constraint;
mod generalise;
mod guide;
mod path;
mod role;
mod table;
mod text;
mod variables;

pub use classes::PathOf;
pub use condition::Condition;
pub use constraint::{Comparison, Constraint, Term};
pub use generalise::generalise;
pub use guide::{Misfit, ReducedInstance};
pub use path::{GoalPath, PathStep, Target, goal_path};
pub use role::{Rank, Role};
pub use table::{Row, Shape, Style, Table, difference, shapes};
pub use text::{TextError, from_text, to_text};
