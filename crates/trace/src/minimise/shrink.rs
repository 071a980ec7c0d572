//! Delta debugging on the groups of a run.
//!
//! Zeller and Hildebrandt's ddmin (2002) tries to leave out one half, one quarter, … of the input, down to single
//! parts. Runs of processes have more structure than that, so cuts that follow it come first:
//!
//! * everything that one process does;
//! * the loops of a process: what it does between two moments at which its own location and variables are the same,
//!   for all processes at once, for some, within a window of the run, for one, one loop at a time;
//! * everything that a message brings about, and the rounds it makes;
//! * then ddmin's chunks; and when the run has become short, pairs of groups, such as a send and its receive.
//!
//! A cut is kept when what remains, executed greedily, shows the violation in fewer steps. Then loops are removed from
//! it and the script is made anew. The passes repeat until none of them finds anything.

use std::ops::Range;

use lurcher_system::{Move, ProcessId};

use crate::minimise::budget::Meter;
use crate::minimise::follow::{Followed, Manner, follow};
use crate::minimise::journey::Journey;
use crate::minimise::loops::without_loops;
use crate::minimise::quest::{Position, Quest};
use crate::minimise::run::Run;
use crate::minimise::script::{Apart, Likeness, Part, Script};

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
    while shrinker.round(effort) && shrinker.meter.may_go_on() {}
    shrinker.run
}

/// One way of cutting.
#[derive(Clone, Copy, Debug)]
enum Pass {
    AllLoops(Likeness),
    LargeChunks,
    Processes,
    Journeys,
    Tails,
    Windows(Likeness),
    Loops(Likeness),
    SmallChunks,
    Pairs,
}

/// The passes, those that bring much at little cost first.
const PASSES: [Pass; 12] = [
    Pass::AllLoops(Likeness::Same),
    Pass::Processes,
    Pass::Journeys,
    Pass::LargeChunks,
    Pass::Tails,
    Pass::AllLoops(Likeness::Nearby),
    Pass::Windows(Likeness::Same),
    Pass::Loops(Likeness::Same),
    Pass::Windows(Likeness::Nearby),
    Pass::SmallChunks,
    Pass::Loops(Likeness::Nearby),
    Pass::Pairs,
];

struct Shrinker<'s, 'a, 'm, 'b> {
    quest: &'s Quest<'a, 'm>,
    run: Run,
    script: Script,
    meter: &'s mut Meter<'b>,
}

impl Shrinker<'_, '_, '_, '_> {
    /// Goes through the passes; says whether it is worth doing so again. After a large gain the first ones come again at
    /// once, since they cost less the shorter the run is.
    fn round(&mut self, effort: Effort) -> bool {
        let before = self.run.length;
        for pass in PASSES {
            let count = self.count();
            match pass {
                Pass::AllLoops(likeness) => self.all_loops(likeness),
                Pass::LargeChunks => self.chunks(count / 2, count / 32),
                Pass::Processes => self.processes(),
                Pass::Journeys => self.journeys(),
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
            if let Some(shorter) = shorter.filter(|f| self.quest.approves(&f.run)) {
                self.accept(shorter);
                return true;
            }
        }
        false
    }

    /// Removes the loops of what was followed, and takes the result apart.
    fn accept(&mut self, Followed { run, prints }: Followed) {
        self.meter.steps(run.moves.len());
        let mut apart = Apart::default();
        let visit = |position: &Position, moves: &[Move]| apart.visit(self.quest, moves, position);
        match without_loops(self.quest, &run, &prints, self.meter, visit) {
            Some(shorter) if apart.is_of(&shorter) => {
                self.meter.steps(shorter.moves.len());
                (self.run, self.script) = (shorter, apart.script());
            }
            shorter => {
                self.run = shorter.unwrap_or(run);
                self.script = Script::of(self.quest, &self.run, self.meter);
            }
        }
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
    fn windows(&mut self, likeness: Likeness, smallest: usize) {
        let mut size = self.count() / 2;
        while size > smallest.max(1) {
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

    /// Everything that a message brings about, then rounds of its journey.
    fn journeys(&mut self) {
        let mut group = 0;
        while group < self.count() && self.meter.may_go_on() {
            let journey = Journey::from(&self.script, group);
            let found = journey.is_some_and(|j| self.without(j.groups()) || j.rounds().any(|cut| self.without(cut)));
            if !found {
                group += 1;
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
