//! Exact sets and relations of integers.
//!
//! A [`Set`] is a union of polyhedra: conjunctions of linear equalities, inequalities and congruences over integer columns, in
//! which further columns may be bound by *exists*. A [`Relation`] is a set of pairs. Both come from a [`Formula`] of Presburger
//! arithmetic. Every operation is exact over the integers, or ends with an [`Error`]: a number that does not fit into 64 bits
//! is reported, never wrapped. Limits on time and memory end it as everywhere else, by unwinding to the enclosing
//! [`ResourceLimits::bound`](lurcher_resources::ResourceLimits::bound).
//!
//! ```
//! use lurcher_presburger::{Formula, Relation, Set, Term};
//!
//! // A counter that starts at 0 and grows by 2 or 3: what is reached in two steps?
//! let (old, new) = (|| Term::column(0), || Term::column(1));
//! let step = new().equals(old() + 2).or(new().equals(old() + 3));
//! let step = Relation::from_formula(1, 1, &step)?;
//! let start = Set::from_formula(1, &old().equals(0))?;
//! let reached = step.image(&step.image(&start)?)?.coalesce()?;
//! assert_eq!(reached.display(&["x"]).to_string(), "{ [x] : 4 <= x <= 6 }");
//!
//! // Is there an even number below 5 whose half is no reached number?
//! let half = Formula::exists(1, (Term::column(1) * 2).equals(old()));
//! let even = Set::from_formula(1, &half.and(old().below(5)))?;
//! assert!(!even.is_subset(&reached)?);
//! assert!(even.subtract(&reached)?.contains(&[2])?);
//! # Ok::<(), lurcher_presburger::Error>(())
//! ```
//!
//! # How it works
//!
//! | question | file |
//! | --- | --- |
//! | what is a constraint, and how are columns replaced in it? | `row.rs`, `atom.rs`, `substitution.rs` |
//! | what is the solved form of a conjunction? | `constraints.rs` |
//! | how are columns projected out exactly? | `eliminate.rs` |
//! | is there an integer solution? | `emptiness.rs`, on `simplex.rs` |
//! | which constraints say nothing new? | `redundancy.rs` |
//! | what is kept for each disjunct? | `polyhedron.rs` |
//! | how do unions stay small? | `coalesce.rs`, `join.rs` |
//! | difference, inclusion, least values | `subtract.rs`, `minimum.rs` |
//! | what does a caller see? | `set.rs`, `relation.rs`, `formula.rs`, `term.rs`, `display.rs` |
//!
//! Most time goes into the images of unions under unions, so every pair of disjuncts is first compared by what it says of
//! single columns; equalities with unit coefficients are solved before anything else; and a disjunct keeps one of its points,
//! which answers most questions whether it lies in another one.

mod arithmetic;
mod atom;
mod coalesce;
mod constraints;
mod display;
mod eliminate;
mod emptiness;
mod error;
mod formula;
mod join;
mod minimum;
mod polyhedron;
mod redundancy;
mod relation;
mod row;
mod set;
mod simplex;
mod substitution;
mod subtract;
mod term;

pub use display::Named;
pub use error::Error;
pub use formula::Formula;
pub use minimum::Minimum;
pub use relation::Relation;
pub use set::Set;
pub use term::Term;
