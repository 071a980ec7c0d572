//! Plans of walks.

use serde::{Deserialize, Serialize};

/// Whether a walk may revisit a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A random walk: any step.
    Walk,
    /// A random trail: no state twice within a walk.
    Trail,
}

/// How a step is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Selection {
    /// A process at random, one of its branches at random, until one is possible; then one of the moves it offers.
    TryAChild,
    /// One of all possible moves.
    AllChildren,
}

/// How scores become weights. `max` is the guide's greatest value, *h* a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bias {
    /// max − *h*, as in the thesis; what scores worst is never chosen unless all do.
    Thesis,
    /// max − *h* + 1.
    Linear,
    /// Halved for each unit above the best candidate, and never 0.
    Steep,
}

/// What ends a walk, beside its depth, a violation, and a state without successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Until {
    /// Nothing.
    End,
    /// This many visits to states visited before: 1 is the first loop, more is LURCH's rule.
    Repeats(u32),
}

/// The plan of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkPlan {
    /// Whether it may revisit a state.
    pub kind: Kind,
    /// How a step is chosen.
    pub selection: Selection,
    /// How scores become weights.
    pub bias: Bias,
    /// Prefer the worst scores.
    pub reverse: bool,
    /// What else ends it.
    pub until: Until,
    /// The most steps.
    pub depth: u32,
    /// Walks of a unit: the first starts in the initial state, each other one at a random state of the one before.
    pub chain: u32,
}

impl Default for WalkPlan {
    fn default() -> Self {
        WalkPlan {
            kind: Kind::Walk,
            selection: Selection::TryAChild,
            bias: Bias::Steep,
            reverse: false,
            until: Until::End,
            depth: DEPTH,
            chain: 1,
        }
    }
}

/// The default depth of a walk.
pub const DEPTH: u32 = 10_000;

/// The depth of walks without a depth limit: every walk ends.
pub const UNBOUNDED: u32 = 10_000_000;

/// Weights of a bias are below this, so that sums of many stay small.
const LARGEST_WEIGHT: u32 = 1 << 16;

impl Bias {
    /// Turns scores into weights, in place.
    pub fn weigh(self, scores: &mut [u32], max: u32, reverse: bool) {
        if reverse {
            scores.iter_mut().for_each(|s| *s = max.saturating_sub(*s));
        }
        let best = scores.iter().copied().min().unwrap_or(0);
        for score in scores.iter_mut() {
            let left = max.saturating_sub(*score);
            *score = match self {
                Bias::Thesis => left.min(LARGEST_WEIGHT),
                Bias::Linear => left.min(LARGEST_WEIGHT - 1) + 1,
                Bias::Steep => (1 << 12 >> (*score - best).min(31)).max(1),
            };
        }
    }
}
