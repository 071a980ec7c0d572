//! Heuristics made from a model and a property.
//!
//! A heuristic estimates how far a state, or what lies behind a step, is from a violation. Each one is made from the
//! model itself, automatically, and lives in a file of its own; to a search all of them are a
//! [`lurcher_search::Guidance`].

use lurcher_exec::{ProcessId, State};
use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};

/// A guide of any kind.
#[derive(Debug)]
pub enum Guide {}

impl Guidance for Guide {
    fn scores(&self) -> Scores {
        match *self {}
    }

    fn max(&self) -> u32 {
        match *self {}
    }

    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        match *self {}
    }

    fn of_step(&self, _: &State, _: LocationId, _: ProcessId, _: u16) -> u32 {
        match *self {}
    }
}
