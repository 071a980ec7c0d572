//! Formulas over states, and estimates of the number of steps until they hold.
//!
//! H_f of HSF-SPIN (Edelkamp, Leue and Lluch-Lafuente, section 4, figures 8 to 11) estimates how many steps lead to a state in
//! which a formula *f* holds; its dual, how many lead to one in which *f* does not hold. Here negations are pushed to the
//! literals when a formula is built, so that one function is both: the dual of a formula is the estimate of its negation.
//!
//! A violation is such a formula: a broken invariant is the negation of the invariant, a failed assertion *a* at location *u*
//! is (i@u) ∧ ¬*a* for some process *i*, and a deadlock is the conjunction over all processes of the disjunction over their
//! dangerous locations *u* of (i@u) ∧ "no statement at *u* is executable".
//!
//! *The sum form* adds up the parts of a conjunction, as the paper does. It is not admissible: one step may serve several
//! parts. *The maximum form* takes the greatest, and replaces the value of each literal by a lower bound (see `build`), so that
//! it is admissible. A literal that does not hold needs one step at least; that is the lower bound where nothing better is
//! known, because a `d_step` may change many variables.

mod assertion;
mod build;
mod claim;
mod deadlock;
mod estimate;
mod heuristic;
mod relation;
mod rendezvous;
mod sites;
mod step_facts;

use lurcher_ir::analysis::Distances;
use lurcher_ir::{BinaryOp, Expr, ReceiveField};

pub use heuristic::FormulaHeuristic;
pub use relation::RelationFormula;

/// How the estimates of the parts of a conjunction are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaForm {
    /// The sum.
    Sum,
    /// The maximum of lower bounds.
    Max,
}

impl FormulaForm {
    /// The estimate of a conjunction of two parts.
    fn join(self, a: u32, b: u32) -> u32 {
        match self {
            FormulaForm::Sum if a == INFINITE || b == INFINITE => INFINITE,
            FormulaForm::Sum => a.saturating_add(b).min(INFINITE - 1),
            FormulaForm::Max => a.max(b),
        }
    }
}

/// The estimate of a formula that never holds.
const INFINITE: u32 = u32::MAX;

/// The greatest difference of numbers that counts.
const FAR: u32 = 1 << 20;

/// A formula in negation normal form.
#[derive(Clone, Debug)]
enum Formula {
    /// A conjunction; true if it is empty.
    All(Vec<Formula>),
    /// A disjunction; false if it is empty.
    Any(Vec<Formula>),
    /// A literal. `is_bound` says whether its value is a lower bound of the number of steps; otherwise the lower bound is 1.
    Literal {
        /// What has to hold.
        literal: Literal,
        /// See above.
        is_bound: bool,
    },
}

impl Formula {
    fn constant(value: bool) -> Formula {
        if value { Formula::All(Vec::new()) } else { Formula::Any(Vec::new()) }
    }
}

/// An atom, or the negation of one.
#[derive(Clone, Debug)]
enum Literal {
    /// An expression has a truth value.
    Truth(Expr, bool),
    /// An invariant is false, or its evaluation faults.
    Broken(Expr),
    /// A relation holds.
    Relation(Relation),
    /// A channel is full, or is not.
    Full(Expr, bool),
    /// A channel is empty, or is not.
    Empty(Expr, bool),
    /// A message matches, or does not (`q?[t]`).
    Message(MessageTest, bool),
    /// A process is at a location.
    At(AtLocation),
    /// A process is at another location, or does not exist.
    NotAt(AtLocation),
    /// A send to the channel with these arguments is not executable.
    SendBlocked(Expr, Vec<Expr>),
    /// A receive is not executable.
    ReceiveBlocked(MessageTest),
    /// The process cannot die: it is not the youngest.
    NotYoungest,
}

/// A relation between two values.
#[derive(Clone, Debug)]
struct Relation {
    operator: BinaryOp,
    left: Expr,
    right: Expr,
    /// Both sides are numbers, so that their difference is a distance. Symbolic constants, channels and processes are not.
    is_numeric: bool,
    /// The most by which one step changes the difference, if it is known.
    per_step: Option<u32>,
}

/// A test for messages that match.
#[derive(Clone, Debug)]
struct MessageTest {
    channel: Expr,
    /// Any message of the channel, instead of the first.
    any_position: bool,
    fields: Vec<ReceiveField>,
}

/// A process at a location, with the distances over its control flow (D of the paper's figure 10).
#[derive(Clone, Debug)]
struct AtLocation {
    process: Expr,
    location: lurcher_ir::LocationId,
    /// By the type of the process: the number of a location says nothing of its type.
    distances: Vec<Distances>,
    /// The distance of a new process behind the `run` that creates it, if processes are created.
    created: Option<u32>,
}
