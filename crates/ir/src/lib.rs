//! The typed model form shared by every language and every engine.
//!
//! A [`Model`] consists of typed, finite-domain variables, channels, process types and [`Property`]s. Front-ends build
//! it; the [`check`] module lists its invariants; engines run it through `lurcher-system`, independent of the source
//! language.
//!
//! Every variable access is resolved to a [`Place`]: a frame (the globals, the executing process, or another process), a
//! byte offset, and indices. So a state is one flat byte vector, and engines need no names, scopes or records.
//!
//! There are two other shapes of models: a [`relation`], as in SMV, is a synchronous next-state relation; a [`timed`] model, as
//! in ASTRAL, is a real-time process with durations, histories and unknown constants.

pub mod analysis;
mod automaton;
pub mod check;
mod expr;
mod formula;
pub mod graph;
mod model;
mod property;
pub mod relation;
mod statement;
pub mod timed;
mod types;

pub use automaton::{Buchi, BuchiEdge, BuchiState, Literal};
pub use expr::{BinaryOp, Expr, Frame, Index, Place, Probe, ReceiveField, UnaryOp};
pub use formula::{AtomId, Ctl, Formula, TimeBounds};
pub use model::{
    Action, ActionId, Branch, ChannelType, ChannelTypeId, Initial, Location, LocationId, Model, NewChannel,
    ProcessRole, ProcessType, ProcessTypeId, VarDecl,
};
pub use property::{Atom, Property, PropertyKind};
pub use statement::{ActionKind, DStep, DStepNode};
pub use types::{Leaf, Scalar, VarShape};

/// The position of an item in a short list, at whose end it is added if it is new.
pub fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}
