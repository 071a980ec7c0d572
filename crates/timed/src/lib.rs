//! Checking of timed models with sets of integers.
//!
//! | question | file |
//! | --- | --- |
//! | what is a state? | `layout.rs`, `live.rs` |
//! | what does a clause say of a state? | `view.rs`, `reader.rs`, `truth.rs` |
//! | what does the environment do while time passes? | `component.rs` |
//! | what does a step of the process do? | `step.rs`, `wait.rs`, `space.rs` |
//! | which sets of states are there? | `states.rs` |
//! | what is wrong with some of them? | `check.rs` |
//! | which are reachable at all? | `sets.rs` |
//! | how is the tree of all paths searched? | `tree.rs` |
//! | which run shows what was found? | `show.rs`, `between.rs` |
//! | what does a caller see? | `encoding.rs`, `outcome.rs`, `error.rs` |

mod between;
mod check;
mod component;
mod encoding;
mod error;
mod layout;
mod live;
mod outcome;
mod reader;
mod sets;
mod show;
mod space;
mod states;
mod step;
mod tree;
mod truth;
mod view;
mod wait;

pub use encoding::Encoding;
pub use error::Error;
pub use outcome::{Ended, Finding, Outcome};
pub use sets::SetsSettings;
pub use tree::TreeSettings;
