//! Checking of timed models with sets of integers.
//!
//! A state is the explicit values of everything finite and a point of numbers: constants, and the ages of the last events that
//! clauses read. A step is a case of a transition with all that the environment does until its end, or an idle instant. States
//! are those between two steps. [`Encoding::sets`] computes all reachable states; [`Encoding::tree`] follows all paths up to a
//! depth, with approximations that leave parts out at random. Both are exact or say why not ([`Ended`]); what is found comes with
//! a concrete run.
//!
//! Not covered: events of imported transitions, arguments of infinite types, `DIV` and `MOD` of numbers, selection of
//! transitions, and changes of terms that mix own and imported variables ([`Error::Unsupported`]). Where an assumption or an exit
//! assertion has no value, or no values satisfy an exit assertion, there is no step, and that is not reported.
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
