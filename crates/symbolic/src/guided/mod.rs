//! Search guided by an abstraction, as in GOLFER and GRANGOLFER.
//!
//! Some variables are dropped ([`Keep`]), and walks may aim at a part of what is looked for (`aim`); in the abstract system that is left, sets of states are sorted into
//! [`Rings`] by their distance to the target. The rings guide a complete search ([`sgmc`](crate::Encoding::sgmc)), random
//! walks and trails ([`walks`](crate::Encoding::walks)), and, as a [`Guide`], whoever has a valuation.

mod abstraction;
mod aim;
mod guide;
mod rings;
mod sgmc;
mod successors;
mod walks;

pub use abstraction::Keep;
pub use guide::Guide;
pub use rings::Rings;
pub use sgmc::Sgmc;
pub use walks::{GuideUse, WalkPlan, Walks};
