//! Linear temporal logic to Büchi automata.
//!
//! [`translate()`] turns a formula into an automaton that accepts exactly the words that satisfy it; whoever looks for
//! violations gives it the [`negate`]d property. The way there is the one of Gastin and Oddoux (*Fast LTL to Büchi
//! automata translation*, CAV 2001), one file a step:
//!
//! ```text
//!   Formula
//!     │  term/          negation normal form, shared subterms, rewriting        "what is said, said briefly"
//!     ▼
//!   Term ───────────────┐  fairness.rs    conjuncts []<>p wait for the last step
//!     │  alternating.rs │                 very weak alternating automaton
//!     │  generalised.rs │                 marks on edges, one per until
//!     ▼                 │
//!   Automaton           │  reduce.rs      over settle.rs, bisimulation.rs, simulation.rs, guards.rs
//!     │  degeneralise.rs ◄                one kind of mark, on states; reduced again
//!     ▼
//!   Buchi
//! ```
//!
//! Apart from that way, and sharing nothing with it but the types, are [`holds`] (a formula on a lasso, straight from
//! the definition) and [`accepts()`] (an automaton on a lasso). The tests play the two sides against each other.
//!
//! Everything is deterministic: the same formula gives the same automaton. Nothing here recurses to the depth of the
//! formula, so deep ones cannot overflow the stack, and [`Limits`] bound the time and memory of the rest.
//!
//! For models that are a relation, [`violations`] extends the relation by the automaton, and eliminates past operators on
//! the way.
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
mod along;
mod alternating;
mod automaton;
mod bisimulation;
mod bits;
mod components;
mod cube;
mod degeneralise;
mod fairness;
mod generalised;
mod guards;
mod limits;
mod print;
mod reduce;
mod semantics;
mod settle;
mod simulation;
mod term;
mod translate;
mod walk;
mod watch;

pub use accepts::accepts;
pub use along::holds_along;
pub use limits::{Limits, Resource, TooLarge};
pub use print::{print_automaton, print_formula};
pub use semantics::{Lassos, Letter, holds};
pub use translate::{is_stutter_sensitive, negate, translate};
pub use watch::{Violations, violations};
