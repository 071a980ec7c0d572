//! Causality: the consequences of a message.
//!
//! In protocols a message makes its receiver work and send further messages. Leaving out the first message alone breaks
//! the run; leaving out all its consequences often does not. The causal chain of a group that sends contains the loop of
//! its process around that group, the groups that receive what the loop sends, the loops around those, and so on. A
//! process is in a loop if it returns to its location.
//!
//! A chain that passes a process twice has made a round, and can be shortened by that round.

use std::collections::VecDeque;

use lurcher_system::ProcessId;

use super::schedule::{Likeness, LocalEffect, Schedule};

/// The most groups on either side of a loop around a message.
const WIDEST: usize = 48;

/// A message and its consequences: for each hop its process and its groups.
pub(super) struct CausalChain {
    hops: Vec<(ProcessId, Vec<usize>)>,
}

impl CausalChain {
    /// The chain of the messages that a group sends; none if it sends nothing.
    pub fn from(schedule: &Schedule, start: usize) -> Option<CausalChain> {
        if schedule.groups[start].receivers.is_empty() {
            return None;
        }
        let mut hops = Vec::new();
        let mut known = vec![false; schedule.groups.len()];
        let mut open = VecDeque::from([start]);
        while let Some(group) = open.pop_front() {
            if std::mem::replace(&mut known[group], true) {
                continue;
            }
            let process = schedule.groups[group].effects[0].process;
            let groups = loop_around(schedule, process, group);
            for &group in &groups {
                known[group] = true;
                open.extend(schedule.groups[group].receivers.iter().copied());
            }
            hops.push((process, groups));
        }
        Some(CausalChain { hops })
    }

    /// All groups of the chain.
    pub fn groups(&self) -> Vec<usize> {
        self.hops.iter().flat_map(|(_, groups)| groups).copied().collect()
    }

    /// The groups of the first round: after a hop, up to the last hop of the same process.
    pub fn round(&self) -> Option<Vec<usize>> {
        self.hops.iter().enumerate().find_map(|(first, (process, _))| {
            let last = self.hops.iter().rposition(|(p, _)| p == process)?;
            let round = self.hops.get(first + 1..=last).filter(|round| !round.is_empty())?;
            Some(round.iter().flat_map(|(_, groups)| groups).copied().collect())
        })
    }
}

/// The groups of the smallest loop of a process around one of its groups; that group alone if there is no loop.
fn loop_around(schedule: &Schedule, process: ProcessId, group: usize) -> Vec<usize> {
    // From the group outwards, the group itself the first of those before.
    let (mut before, mut after) = (VecDeque::new(), Vec::new());
    for (index, effect) in schedule.effects_on(process) {
        if index <= group {
            before.push_front((index, effect));
            before.truncate(WIDEST);
        } else if after.len() < WIDEST {
            after.push((index, effect));
        }
    }
    let last = |later: usize| -> LocalEffect { if later == 0 { before[0].1 } else { after[later - 1].1 } };
    for width in 0..WIDEST {
        for earlier in 0..=width.min(before.len() - 1) {
            let later = width - earlier;
            if later <= after.len() && before[earlier].1.before.is_like(&last(later).after, Likeness::SameLocation) {
                return before.iter().take(earlier + 1).chain(&after[..later]).map(|(index, _)| *index).collect();
            }
        }
    }
    vec![group]
}
