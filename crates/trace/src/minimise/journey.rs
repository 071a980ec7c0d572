//! What a message brings about.
//!
//! In protocols a message makes its receiver do some work and send another one, so that one decision to send has
//! consequences in many processes. Leaving out the first message alone, or what one process does with it, breaks the run;
//! leaving out the whole journey often does not. A journey starts with a group that sends; to it belong the loop of its
//! process around that group, the groups that take what is sent in the loop, the loops around those, and so on. A
//! process is in a loop when it comes back to its location.
//!
//! A journey that passes a process twice has made a round, and can be cut short by that round.

use std::collections::VecDeque;

use lurcher_system::ProcessId;

use crate::minimise::script::{Likeness, Part, Script};

/// The widest loop that counts as work on one message.
const WIDEST: usize = 48;

/// A message and its consequences, hop by hop.
pub(crate) struct Journey {
    hops: Vec<Hop>,
}

struct Hop {
    process: ProcessId,
    groups: Vec<usize>,
}

impl Journey {
    /// The journey of what a group sends; none when it sends nothing.
    pub fn from(script: &Script, start: usize) -> Option<Journey> {
        if script.groups[start].receivers.is_empty() {
            return None;
        }
        let mut hops: Vec<Hop> = Vec::new();
        let mut known = vec![false; script.groups.len()];
        let mut open = VecDeque::from([start]);
        while let Some(group) = open.pop_front() {
            if std::mem::replace(&mut known[group], true) {
                continue;
            }
            let process = script.groups[group].parts[0].process;
            let groups = work_around(script, process, group);
            for &group in &groups {
                known[group] = true;
                open.extend(script.groups[group].receivers.iter().copied());
            }
            hops.push(Hop { process, groups });
        }
        Some(Journey { hops })
    }

    /// All groups of the journey.
    pub fn groups(&self) -> Vec<usize> {
        self.hops.iter().flat_map(|h| h.groups.iter().copied()).collect()
    }

    /// The groups of each round, the longest first: from a hop to the last one of the same process.
    pub fn rounds(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let last = |first: usize| self.hops.iter().rposition(|h| h.process == self.hops[first].process);
        let round = move |first: usize| last(first).filter(|&last| last > first).map(|last| first + 1..=last);
        let groups = |hops: std::ops::RangeInclusive<usize>| {
            self.hops[hops].iter().flat_map(|h| h.groups.iter().copied()).collect()
        };
        (0..self.hops.len()).filter_map(round).take(1).map(groups)
    }
}

/// The groups of the smallest loop of a process around one of its groups; that group alone where there is none.
fn work_around(script: &Script, process: ProcessId, group: usize) -> Vec<usize> {
    let (mut before, mut behind) = (VecDeque::new(), Vec::new());
    for (index, part) in script.parts_of(process) {
        if index <= group {
            before.push_front((index, part));
            before.truncate(WIDEST);
        } else if behind.len() < WIDEST {
            behind.push((index, part));
        }
    }
    // From the group outwards: so many groups before it and so many behind it.
    let at = |i: usize| -> (usize, Part) { if i == 0 { before[0] } else { behind[i - 1] } };
    for width in 0..WIDEST {
        for earlier in 0..=width.min(before.len() - 1) {
            let later = width - earlier;
            if later <= behind.len() && before[earlier].1.before.is_like(&at(later).1.after, Likeness::Nearby) {
                let first = before.iter().take(earlier + 1).map(|(index, _)| *index);
                return first.chain(behind[..later].iter().map(|(index, _)| *index)).collect();
            }
        }
    }
    vec![group]
}
