//! The typed model form shared by every language and every engine.
//!
//! A [`Model`] is a set of typed, finite-domain variables, channels and process types, and [`Property`]s that sit
//! beside it. Front-ends build it; the [`check`] module says what every model guarantees; engines run it through
//! `lurcher-system` and never learn which language it came from.
//!
//! Everything a statement can touch is resolved here to a [`Place`]: a frame (the globals, the running process, or
//! another process), a byte offset, and the indices that select an element. So a state can be one flat vector of
//! bytes, and no engine needs to know about names, scopes or records.
//!
//! The other shape of a model is a [`relation`]: variables that take their next values together, as in SMV.

pub mod analysis;
mod automaton;
pub mod check;
mod expr;
mod formula;
mod model;
mod property;
pub mod relation;
mod types;

pub use automaton::{Buchi, BuchiEdge, BuchiState, Literal};
pub use expr::{BinaryOp, Expr, Frame, Index, Place, Probe, ReceiveField, UnaryOp};
pub use formula::{AtomId, Ctl, Formula, TimeBounds};
pub use model::{
    Action, ActionId, ActionKind, Branch, ChannelType, ChannelTypeId, DStep, DStepNode, Initial, Location, LocationId,
    Model, NewChannel, ProcessRole, ProcessType, ProcessTypeId, VarDecl,
};
pub use property::{Atom, Property, PropertyKind};
pub use types::{Scalar, VarShape};
