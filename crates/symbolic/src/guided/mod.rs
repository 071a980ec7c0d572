//! Search guided by an abstraction, as in GOLFER and GRANGOLFER.
//!
//! Some variables are dropped ([`Keep`]); in the abstract system that is left, sets of states are sorted into
//! [`Rings`] by their distance to the target. The rings guide a complete search ([`sgmc`](crate::Encoding::sgmc)), random
//! walks and trails ([`walks`](crate::Encoding::walks)), and, as a [`Guide`], whoever has a valuation.

mod abstraction;
mod guide;
mod layers;
mod rings;
mod sgmc;
mod walks;

pub use abstraction::Keep;
pub use guide::Guide;
pub use layers::layers;
pub use rings::Rings;
pub use sgmc::Sgmc;
pub use walks::{GuideUse, WalkPlan, Walks};
