//! Delta debugging on the schedule of a run.
//!
//! Zeller and Hildebrandt's ddmin (2002) leaves out one half, one quarter, … of the input, down to single parts. Schedules
//! of processes have more structure, so cuts that follow it come first:
//!
//! * everything that one process does;
//! * the loops of a process: its groups between two moments with the same local state, for all processes at once, for some,
//!   within a window of the run, for one, one loop at a time;
//! * the consequences of a message, and the rounds it makes (`causality`);
//! * then ddmin's chunks; and in a short run pairs of groups, such as a send and its receive.
//!
//! A cut is kept if the rest, executed greedily, reaches the goal in fewer steps. Then loops are removed and the schedule is
//! recorded again. The passes repeat until none of them finds a cut.

use std::ops::Range;

use lurcher_resources::charge;
use lurcher_system::ProcessId;

use super::causality::CausalChain;
use super::goal::Goal;
use super::reexecute::{Blocked, Candidate, reexecute};
use super::run::Run;
use super::schedule::{Likeness, LocalEffect, Schedule};
use crate::minimise::budget::Meter;

/// The most groups for which pairs are tried.
const GROUPS_FOR_PAIRS: usize = 160;

/// How much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// All but the most expensive passes, and large chunks only.
    Quick,
    /// Chunks down to single groups, and pairs.
    Exhaustive,
}

/// Leaves out of a run what the goal does not need.
pub(super) fn delta_debug(goal: &Goal<'_, '_>, run: Run, effort: Effort, meter: &mut Meter<'_>) -> Run {
    let schedule = Schedule::of(goal, &run, meter);
    let mut debugger = DeltaDebugger { goal, run, schedule, meter };
    while debugger.round(effort) && debugger.meter.may_go_on() {}
    debugger.run
}

/// One kind of cut.
#[derive(Clone, Copy, Debug)]
enum Pass {
    AllLoops(Likeness),
    LargeChunks,
    Processes,
    CausalChains,
    Tails,
    Windows(Likeness),
    Loops(Likeness),
    SmallChunks,
    Pairs,
}

/// The passes, those with much gain at little cost first.
const PASSES: [Pass; 12] = [
    Pass::AllLoops(Likeness::SameState),
    Pass::Processes,
    Pass::CausalChains,
    Pass::LargeChunks,
    Pass::Tails,
    Pass::AllLoops(Likeness::SameLocation),
    Pass::Windows(Likeness::SameState),
    Pass::Loops(Likeness::SameState),
    Pass::Windows(Likeness::SameLocation),
    Pass::SmallChunks,
    Pass::Loops(Likeness::SameLocation),
    Pass::Pairs,
];

struct DeltaDebugger<'s, 'a, 'm, 'b> {
    goal: &'s Goal<'a, 'm>,
    run: Run,
    schedule: Schedule,
    meter: &'s mut Meter<'b>,
}

impl DeltaDebugger<'_, '_, '_, '_> {
    /// Runs the passes and returns whether another round may help. After a large gain the round ends early, because the
    /// first passes are cheaper on a shorter run.
    fn round(&mut self, effort: Effort) -> bool {
        let before = self.run.length;
        for pass in PASSES {
            let count = self.count();
            match pass {
                Pass::AllLoops(likeness) => self.all_loops(likeness),
                Pass::LargeChunks => self.chunks(count / 2, count / 32),
                Pass::Processes => self.processes(),
                Pass::CausalChains => self.causal_chains(),
                Pass::Tails => self.tails(),
                Pass::Windows(likeness) => self.windows(likeness, if effort == Effort::Quick { count / 32 } else { 1 }),
                Pass::Loops(likeness) => self.loops(likeness),
                Pass::SmallChunks if effort == Effort::Quick => self.chunks(count / 32, count / 64),
                Pass::SmallChunks => self.chunks(count / 32, 0),
                Pass::Pairs if effort == Effort::Exhaustive => self.pairs(),
                Pass::Pairs => {}
            }
            if self.run.length < before - before / 5 {
                return true;
            }
        }
        self.run.length < before
    }

    fn count(&self) -> usize {
        self.schedule.groups.len()
    }

    /// Tries to leave out some groups.
    fn without(&mut self, cut: impl IntoIterator<Item = usize>) -> bool {
        let mut keep = vec![true; self.count()];
        for group in cut {
            keep[group] = false;
        }
        for blocked in [Blocked::Skip, Blocked::Delay] {
            if !self.meter.may_go_on() {
                return false;
            }
            let shorter = reexecute(self.goal, &self.schedule, &self.run, &keep, blocked, self.meter);
            if let Some(shorter) = shorter.filter(|c| self.goal.approves(&c.run)) {
                self.accept(shorter);
                return true;
            }
        }
        false
    }

    /// Removes the loops of a candidate and records its schedule.
    fn accept(&mut self, Candidate { run, prints }: Candidate) {
        self.meter.steps(run.moves.len());
        self.run = self.goal.without_loops(&run, &prints, self.meter).unwrap_or(run);
        self.schedule = Schedule::of(self.goal, &self.run, self.meter);
    }

    fn groups_of(&self, process: ProcessId) -> Vec<usize> {
        self.schedule.effects_on(process).map(|(group, _)| group).collect()
    }

    fn processes(&mut self) {
        for process in self.schedule.processes() {
            self.without(self.groups_of(process));
        }
    }

    /// The groups in loops of some processes, within a window of the run.
    fn loops_of(&self, processes: &[ProcessId], window: Range<usize>, likeness: Likeness) -> Vec<usize> {
        let mut cut = Vec::new();
        for &process in processes {
            let effects: Vec<_> = self.schedule.effects_on(process).filter(|(g, _)| window.contains(g)).collect();
            let mut at = 0;
            while at < effects.len() {
                charge(effects.len() - at);
                let here = effects[at].1.before;
                match effects[at..].iter().rposition(|(_, effect)| effect.after.is_like(&here, likeness)) {
                    Some(last) => {
                        cut.extend(effects[at..=at + last].iter().map(|(group, _)| *group));
                        at += last + 1;
                    }
                    None => at += 1,
                }
            }
        }
        cut
    }

    /// Loops of all processes, then of half of them, down to one.
    fn all_loops(&mut self, likeness: Likeness) {
        let mut size = self.schedule.processes().len();
        while size > 0 {
            for some in self.schedule.processes().chunks(size) {
                let cut = self.loops_of(some, 0..self.count(), likeness);
                if !cut.is_empty() {
                    self.without(cut);
                }
            }
            size /= 2;
        }
    }

    /// Loops of all processes within ever smaller windows.
    fn windows(&mut self, likeness: Likeness, smallest: usize) {
        let mut size = self.count() / 2;
        while size > smallest.max(1) {
            let mut start = 0;
            while start < self.count() && self.meter.may_go_on() {
                let window = start..(start + size).min(self.count());
                let cut = self.loops_of(&self.schedule.processes(), window, likeness);
                if cut.is_empty() || !self.without(cut) {
                    start += size.div_ceil(2);
                }
            }
            size /= 2;
        }
    }

    /// Single loops of single processes: from each moment the two longest and the shortest.
    fn loops(&mut self, likeness: Likeness) {
        for process in self.schedule.processes() {
            let mut at = 0;
            let mut effects: Vec<(usize, LocalEffect)> = self.schedule.effects_on(process).collect();
            while self.meter.may_go_on() {
                let Some(here) = effects.get(at).map(|(_, effect)| effect.before) else { break };
                let is_end = |&end: &usize| effects[end].1.after.is_like(&here, likeness);
                let mut ends: Vec<usize> = (at..effects.len()).rev().filter(is_end).collect();
                if let [_, _, .., shortest] = ends[..] {
                    ends.truncate(2);
                    ends.push(shortest);
                }
                let groups = |end: usize| effects[at..=end].iter().map(|(group, _)| *group);
                if ends.into_iter().any(|end| self.without(groups(end))) {
                    effects = self.schedule.effects_on(process).collect();
                } else {
                    at += 1;
                }
            }
        }
    }

    /// The consequences of a message, then one round of them.
    fn causal_chains(&mut self) {
        let mut group = 0;
        while group < self.count() && self.meter.may_go_on() {
            let chain = CausalChain::from(&self.schedule, group);
            let found =
                chain.is_some_and(|c| self.without(c.groups()) || c.round().is_some_and(|cut| self.without(cut)));
            if !found {
                group += 1;
            }
        }
    }

    /// The last groups of a process, as many as possible.
    fn tails(&mut self) {
        for process in self.schedule.processes() {
            let mut groups = self.groups_of(process);
            let mut size = groups.len() / 2;
            while size > 0 && size < groups.len() {
                if self.without(groups[groups.len() - size..].iter().copied()) {
                    groups = self.groups_of(process);
                } else {
                    size /= 2;
                }
            }
        }
    }

    /// ddmin: chunks of ever smaller size, above the smallest.
    fn chunks(&mut self, largest: usize, smallest: usize) {
        let mut size = largest.max(1);
        while size > smallest {
            let mut start = 0;
            while start < self.count() && self.meter.may_go_on() {
                let end = (start + size).min(self.count());
                if !self.without(start..end) {
                    start += size;
                }
            }
            size /= 2;
        }
    }

    fn pairs(&mut self) {
        let mut first = 0;
        while first < self.count() && self.count() <= GROUPS_FOR_PAIRS && self.meter.may_go_on() {
            let shorter = (first + 2..self.count()).any(|second| self.without([first, second]));
            if !shorter {
                first += 1;
            }
        }
    }
}
