//! The heuristic `reduced-instance` (h1): the error path of a small instance guides the search in a large one.
//!
//! Bui's thesis (section 6.2.1, figure 6.5) makes it by hand: reduce the number of processes, find a shortest path to the
//! error by breadth-first search, turn its steps into patterns (which process moves, from where to where, with which values
//! of the variables, any of them a wildcard), and give a step of the large instance the distance of the pattern that it
//! matches.
//!
//! Here it is made automatically, with three departures. Two small instances of different size are compared: what differs
//! between them becomes a wildcard or a relation to `_pid` or to the number of processes, and processes that take part in
//! the error are told from those that grow in number with the instance ([`generalise()`], [`Role`]). The best match counts,
//! not the first. And steps off the path are graded, so that a walk that left the path returns to it ([`ReducedInstance`]).
//! [`Style::Plain`] switches all three off.
//!
//! Reading order: [`goal_path()`] finds a path, `classes` and [`generalise()`] make a [`Table`] of it, [`to_text()`] and
//! [`from_text()`] print and read it, [`ReducedInstance`] is the heuristic.

mod bind;
mod classes;
mod condition;
mod generalise;
mod heuristic;
mod path;
mod role;
mod table;
mod text;
mod variables;

pub use classes::PathOf;
pub use condition::{Condition, Term};
pub use generalise::generalise;
pub use heuristic::{Misfit, ReducedInstance};
pub use path::{GoalPath, PathStep, goal_path};
pub use role::{Rank, Role};
pub use table::{Row, Shape, Style, Table, difference, shapes};
pub use text::{from_text, to_text};
