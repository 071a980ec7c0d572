//! Linear temporal logic to Büchi automata.
//!
//! [`translate()`] turns a formula into an automaton that accepts exactly the words that satisfy it; a search for
//! violations translates the [`negate`]d property. The translation follows Gastin and Oddoux (*Fast LTL to Büchi automata
//! translation*, CAV 2001), one file for each step:
//!
//! ```text
//!   Formula
//!     │  term/          negation normal form, shared subterms, rewriting
//!     ▼
//!   Term ───────────────┐  fairness.rs    conjuncts []<>p are suspended until the last step
//!     │  alternating.rs │                 very weak alternating automaton
//!     │  generalised.rs │                 generalised Büchi automaton, one mark per until
//!     ▼                 │
//!   Automaton           │  reduce.rs      over normalise.rs, bisimulation.rs, simulation.rs, guards.rs
//!     │  degeneralise.rs ◄                Büchi automaton; reduced again
//!     ▼
//!   Buchi
//! ```
//!
//! Independent of the translation are [`holds`] (a formula on a lasso, by definition) and [`accepts()`] (an automaton on a
//! lasso). The tests compare the two sides. For relations, [`violations`] builds the product with the automaton and
//! eliminates past operators.
//!
//! The translation is deterministic and does not recurse to the depth of the formula; [`Limits`] bound its time and
//! memory.
//!
//! Deliberately absent: a parser (front-ends have one) and determinisation.
//!
//! ```
//! use lurcher_ir::{AtomId, Formula};
//! use lurcher_ltl::{Letter, Limits, accepts, holds, negate, translate};
//!
//! let p = || Box::new(Formula::Atom(AtomId(0)));
//! let always_p = Formula::Always(p());
//! let violations = translate(&negate(&always_p), &Limits::default()).unwrap();
//!
//! let good = Letter::from_iter([AtomId(0)]);
//! let bad = Letter::default();
//! assert!(holds(&always_p, &[], &[good.clone()]));
//! assert!(accepts(&violations, &[good.clone(), bad], &[good]));
//! ```

mod accepts;
mod alternating;
mod automaton;
mod bisimulation;
mod bits;
mod cube;
mod degeneralise;
mod fairness;
mod generalised;
mod guards;
mod lasso_semantics;
mod limits;
mod normalise;
mod print;
mod product;
mod reduce;
mod simulation;
mod term;
mod translate;
mod walk;

pub use accepts::accepts;
pub use lasso_semantics::{Lassos, Letter, holds, holds_along};
pub use limits::{Limits, Resource, TooLarge};
pub use print::{print_automaton, print_formula};
pub use product::{violations, violations_within};
pub use translate::{is_stutter_sensitive, negate, translate};
