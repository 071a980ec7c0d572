//! Walks that do not exist: real-time specifications are not walked state by state.

use lurcher_search::{Choice, Chosen, Draws, FoundKind, Position, Visited, WalkDomain};
use lurcher_system::timed::Run;

use crate::own::NoCoverage;

/// No heuristic.
#[derive(Clone, Copy, Debug)]
pub enum NoGuide {}

/// No walks.
#[derive(Clone, Copy, Debug)]
pub enum NoWalks {}

impl WalkDomain for NoWalks {
    type Step = Run;
    type Guide = NoGuide;
    type Coverage = NoCoverage;
    type Position<'t> = NoWalks;

    fn position(&self) -> NoWalks {
        *self
    }

    fn coverage(&self) -> NoCoverage {
        match *self {}
    }
}

impl Position for NoWalks {
    type Step = Run;
    type Guide = NoGuide;
    type Coverage = NoCoverage;

    fn start(&mut self, _: &mut Draws) -> Option<bool> {
        match *self {}
    }

    fn begin(&mut self) {
        match *self {}
    }

    fn record(&mut self, _: bool) {
        match *self {}
    }

    fn steps(&self) -> u32 {
        match *self {}
    }

    fn rewind(&mut self, _: u32) {
        match *self {}
    }

    fn path(&mut self, _: bool) -> Vec<Run> {
        match *self {}
    }

    fn memory(&self) -> u64 {
        match *self {}
    }

    fn violations(&mut self, _: &mut Vec<FoundKind>) {
        match *self {}
    }

    fn deadlock(&mut self) -> Option<FoundKind> {
        match *self {}
    }

    fn fingerprint(&mut self) -> u64 {
        match *self {}
    }

    fn tracks_cycles(&self) -> bool {
        match *self {}
    }

    fn closes_since(&self, _: u32) -> bool {
        match *self {}
    }

    fn sample(&mut self, _: &mut Choice<'_>) -> Chosen {
        match *self {}
    }

    fn list(&mut self, _: &mut u64) -> Result<u32, Chosen> {
        match *self {}
    }

    fn score(&mut self, _: &NoGuide, _: u32) -> u32 {
        match *self {}
    }

    fn attempt(&mut self, _: u32, _: Option<&Visited>) -> Option<Chosen> {
        match *self {}
    }

    fn max_score(guide: &NoGuide) -> u32 {
        match *guide {}
    }

    fn take_coverage(&mut self) -> NoCoverage {
        match *self {}
    }
}
