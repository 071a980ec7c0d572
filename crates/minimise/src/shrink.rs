//! Delta debugging on the groups of a run.
//!
//! Zeller and Hildebrandt's ddmin (2002) tries to leave out one half, one quarter, … of the input, down to single
//! parts. Runs of processes have more structure than that, so cuts that follow it come first:
//!
//! * everything that one process does;
//! * the loops of a process: what it does between two moments at which its own location and variables are the same,
//!   for all processes at once, for some, within a window of the run, for one, one loop at a time;
//! * then ddmin's chunks; and when the run has become short, pairs of groups, such as a send and its receive.
//!
//! A cut is kept when what remains, executed greedily, shows the violation in fewer steps. Then loops are removed from
//! it and the script is made anew. The passes repeat until none of them finds anything.

use std::ops::Range;

use lurcher_exec::ProcessId;

use crate::budget::Meter;
use crate::follow::{Manner, follow};
use crate::loops::remove_loops;
use crate::quest::Quest;
use crate::run::Run;
use crate::script::{Likeness, Part, Script};

/// Pairs are tried when there are no more groups than this.
const GROUPS_FOR_PAIRS: usize = 160;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// All but the most expensive passes, and large chunks only.
    Quick,
    /// Chunks down to single groups, and pairs.
    Exhaustive,
}

/// Leaves out of a run what the violation does not need.
pub(crate) fn shrink(quest: &Quest<'_, '_>, run: Run, effort: Effort, meter: &mut Meter<'_>) -> Run {
    let script = Script::of(quest, &run, meter);
    let mut shrinker = Shrinker { quest, run, script, meter };
    loop {
        let before = shrinker.run.length;
        for likeness in [Likeness::Same, Likeness::Nearby] {
            shrinker.all_loops(likeness);
            shrinker.windows(likeness);
            shrinker.loops(likeness);
            shrinker.processes();
        }
        shrinker.tails();
        shrinker.chunks(if effort == Effort::Quick { shrinker.count() / 64 } else { 0 });
        if effort == Effort::Exhaustive {
            shrinker.pairs();
        }
        if shrinker.run.length == before || !shrinker.meter.may_go_on() {
            return shrinker.run;
        }
    }
}

struct Shrinker<'s, 'a, 'm, 'b> {
    quest: &'s Quest<'a, 'm>,
    run: Run,
    script: Script,
    meter: &'s mut Meter<'b>,
}

impl Shrinker<'_, '_, '_, '_> {
    fn count(&self) -> usize {
        self.script.groups.len()
    }

    /// Tries to do without some groups.
    fn without(&mut self, cut: impl IntoIterator<Item = usize>) -> bool {
        let mut keep = vec![true; self.count()];
        for group in cut {
            keep[group] = false;
        }
        for manner in [Manner::Skipping, Manner::Patient] {
            if !self.meter.may_go_on() {
                return false;
            }
            let shorter = follow(self.quest, &self.script, &self.run, &keep, manner, self.meter);
            if let Some(shorter) = shorter.filter(|run| self.quest.approves(run)) {
                self.run = remove_loops(self.quest, shorter, self.meter);
                self.script = Script::of(self.quest, &self.run, self.meter);
                return true;
            }
        }
        false
    }

    fn processes(&mut self) {
        for process in self.script.processes() {
            let cut: Vec<usize> = self.script.parts_of(process).map(|(group, _)| group).collect();
            self.without(cut);
        }
    }

    /// The groups in loops of a process, within a window of the run.
    fn loops_of(&self, process: ProcessId, window: Range<usize>, likeness: Likeness) -> Vec<usize> {
        let parts: Vec<_> = self.script.parts_of(process).filter(|(g, _)| window.contains(g)).collect();
        let mut cut = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let here = parts[at].1.before;
            match parts[at..].iter().rposition(|(_, part)| part.after.is_like(&here, likeness)) {
                Some(last) => {
                    cut.extend(parts[at..=at + last].iter().map(|(group, _)| *group));
                    at += last + 1;
                }
                None => at += 1,
            }
        }
        cut
    }

    /// Loops of all processes, then of half of them, down to one.
    fn all_loops(&mut self, likeness: Likeness) {
        let mut size = self.script.processes().len();
        while size > 0 {
            let processes = self.script.processes();
            for some in processes.chunks(size) {
                let whole = 0..self.count();
                let cut: Vec<usize> = some.iter().flat_map(|&p| self.loops_of(p, whole.clone(), likeness)).collect();
                if !cut.is_empty() {
                    self.without(cut);
                }
            }
            size /= 2;
        }
    }

    /// Loops of all processes within ever smaller windows.
    fn windows(&mut self, likeness: Likeness) {
        let mut size = self.count() / 2;
        while size >= 2 {
            let mut start = 0;
            while start < self.count() && self.meter.may_go_on() {
                let window = start..(start + size).min(self.count());
                let processes = self.script.processes();
                let cut: Vec<usize> =
                    processes.iter().flat_map(|&p| self.loops_of(p, window.clone(), likeness)).collect();
                if cut.is_empty() || !self.without(cut) {
                    start += size.div_ceil(2);
                }
            }
            size /= 2;
        }
    }

    /// Single loops of single processes: from each moment the longest ones and the shortest.
    fn loops(&mut self, likeness: Likeness) {
        for process in self.script.processes() {
            let mut at = 0;
            let mut parts: Vec<(usize, Part)> = self.script.parts_of(process).collect();
            while self.meter.may_go_on() {
                let Some(here) = parts.get(at).map(|(_, part)| part.before) else { break };
                let is_end = |&end: &usize| parts[end].1.after.is_like(&here, likeness);
                let mut ends: Vec<usize> = (at..parts.len()).rev().filter(is_end).collect();
                if let [_, _, .., shortest] = ends[..] {
                    ends.truncate(2);
                    ends.push(shortest);
                }
                let groups = |end: usize| parts[at..=end].iter().map(|(group, _)| *group);
                if ends.into_iter().any(|end| self.without(groups(end))) {
                    parts = self.script.parts_of(process).collect();
                } else {
                    at += 1;
                }
            }
        }
    }

    /// What a process does last: as much of it as possible.
    fn tails(&mut self) {
        for process in self.script.processes() {
            let groups = |script: &Script| script.parts_of(process).map(|(group, _)| group).collect::<Vec<usize>>();
            let mut mine = groups(&self.script);
            let mut size = mine.len() / 2;
            while size > 0 && size < mine.len() {
                if self.without(mine[mine.len() - size..].iter().copied()) {
                    mine = groups(&self.script);
                } else {
                    size /= 2;
                }
            }
        }
    }

    /// ddmin: chunks of ever smaller size.
    fn chunks(&mut self, smallest: usize) {
        let mut size = self.count() / 2;
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
