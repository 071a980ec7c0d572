//! The members of a portfolio, and their shares of the steps.
//!
//! A member gets steps in proportion to its share. After every batch the shares are adapted to the gains of the member's
//! steps: new states, statements executed for the first time, better scores. Members without a guide together never get less
//! than a quarter. Gains are counted, not timed, so the shares are the same on every machine.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::walk::WalkPlan;

/// A kind of walk.
#[derive(Clone, Debug)]
pub struct Member<G> {
    /// Its name in reports.
    pub name: String,
    /// How its walks go.
    pub plan: WalkPlan,
    /// The first depth, if the depth grows to that of the plan.
    pub growing_from: Option<u32>,
    /// Its guide, with the guide's name.
    pub guide: Option<(String, Arc<G>)>,
}

impl<G> Member<G> {
    /// Whether its walks are independent and unguided. Only such walks are evidence for bounds.
    pub fn is_plain(&self) -> bool {
        self.guide.is_none() && self.plan.chain <= 1
    }

    /// The depth of its walk of this number.
    pub fn depth(&self, number: u64) -> u32 {
        match self.growing_from {
            Some(from) => from.saturating_mul(luby(number + 1)).min(self.plan.depth),
            None => self.plan.depth,
        }
    }
}

/// Statistics of a member.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemberStats {
    /// Units finished.
    pub units: u64,
    /// Walks made.
    pub walks: u64,
    /// Steps taken.
    pub steps: u64,
    /// Walks whose states were recorded.
    pub looked_walks: u64,
    /// Steps of these walks.
    pub looked_steps: u64,
    /// New states of these walks.
    pub new_states: u64,
    /// The best score of its guide.
    pub best: Option<u32>,
    /// Number of its units by depth.
    pub depths: BTreeMap<u32, u64>,
    /// Its share, in thousandths of the greatest.
    pub share: u64,
    /// Its steps, each divided by the share at the time.
    pub(super) clock: u64,
    /// Since the last batch: steps, steps of recorded walks, new states, statements executed for the first time, better
    /// scores.
    pub(super) lately: [u64; 5],
}

/// The greatest share.
pub(super) const FULL: u64 = 1000;
/// The least share of a member, so that none is abandoned.
const LEAST: u64 = 50;

/// Adapts the shares to the gains.
pub(super) fn adapt(stats: &mut [MemberStats], plain: &[bool]) {
    let gain = |s: &MemberStats| {
        let [steps, looked, states, statements, better] = s.lately;
        // Other walks are assumed to find as many.
        let states = states * steps / looked.max(1);
        (states + 1000 * statements + 500 * better) * 1000 / steps.max(1)
    };
    let most = stats.iter().map(gain).max().unwrap_or(0).max(1);
    for member in stats.iter_mut() {
        if member.lately[0] > 0 {
            let earned = LEAST + (FULL - LEAST) * gain(member) / most;
            member.share = (member.share + earned) / 2;
        }
        member.lately = [0; 5];
    }
    let sum =
        |wanted: bool| -> u64 { stats.iter().zip(plain).filter(|(_, p)| **p == wanted).map(|(s, _)| s.share).sum() };
    let (unguided, guided) = (sum(true), sum(false));
    if unguided > 0 && unguided * 3 < guided {
        for (member, _) in stats.iter_mut().zip(plain).filter(|(_, p)| **p) {
            member.share = (member.share * guided / (unguided * 3)).max(1);
        }
    }
}

/// The sequence of Luby, Sinclair and Zuckerman (1993): 1, 1, 2, 1, 1, 2, 4, …; numbers start at 1.
fn luby(number: u64) -> u32 {
    let mut n = number;
    loop {
        let power = (n + 1).next_power_of_two();
        if power == n + 1 {
            return (power / 2).min(1 << 30) as u32;
        }
        n -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_follow_the_luby_sequence() {
        let first: Vec<u32> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn shares_follow_the_gains_and_unguided_members_keep_a_quarter() {
        let member = |lately| MemberStats { share: FULL, lately, ..MemberStats::default() };
        let mut stats =
            vec![member([1000, 1000, 0, 0, 0]), member([1000, 1000, 900, 3, 1]), member([1000, 500, 50, 0, 0])];
        for _ in 0..20 {
            for (s, l) in stats.iter_mut().zip([[1000, 1000, 0, 0, 0], [1000, 1000, 900, 3, 1], [1000, 500, 400, 3, 1]])
            {
                s.lately = l;
            }
            adapt(&mut stats, &[true, false, false]);
        }
        assert!(stats[1].share > 900 && stats[2].share > 700, "{stats:?}");
        let all: u64 = stats.iter().map(|s| s.share).sum();
        assert!(stats[0].share * 4 + 8 >= all, "{stats:?}");
    }
}
