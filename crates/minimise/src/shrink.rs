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

use lurcher_exec::ProcessId;

use crate::budget::Meter;
use crate::follow::{Manner, follow};
use crate::loops::remove_loops;
use crate::quest::Quest;
use crate::run::Run;
use crate::script::Script;

/// Pairs are tried when there are no more groups than this.
const GROUPS_FOR_PAIRS: usize = 160;

/// Leaves out of a run what the violation does not need.
pub(crate) fn shrink(quest: &Quest<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let script = Script::of(quest, &run, meter);
    let mut shrinker = Shrinker { quest, run, script, meter };
    loop {
        let before = shrinker.run.length;
        shrinker.all_loops();
        shrinker.processes();
        shrinker.windows();
        shrinker.loops();
        shrinker.chunks();
        shrinker.pairs();
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
            if let Some(shorter) = follow(self.quest, &self.script, &self.run, &keep, manner, self.meter) {
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
    fn loops_of(&self, process: ProcessId, window: std::ops::Range<usize>) -> Vec<usize> {
        let parts: Vec<_> = self.script.parts_of(process).filter(|(g, _)| window.contains(g)).collect();
        let mut cut = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let here = parts[at].1.before;
            match parts[at..].iter().rposition(|(_, part)| part.after == here) {
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
    fn all_loops(&mut self) {
        let mut size = self.script.processes().len();
        while size > 0 {
            let processes = self.script.processes();
            for some in processes.chunks(size) {
                let whole = 0..self.count();
                let cut: Vec<usize> = some.iter().flat_map(|&p| self.loops_of(p, whole.clone())).collect();
                if !cut.is_empty() {
                    self.without(cut);
                }
            }
            size /= 2;
        }
    }

    /// Loops of all processes within ever smaller windows.
    fn windows(&mut self) {
        let mut size = self.count() / 2;
        while size >= 2 {
            let mut start = 0;
            while start < self.count() && self.meter.may_go_on() {
                let window = start..(start + size).min(self.count());
                let processes = self.script.processes();
                let cut: Vec<usize> = processes.iter().flat_map(|&p| self.loops_of(p, window.clone())).collect();
                if cut.is_empty() || !self.without(cut) {
                    start += size.div_ceil(2);
                }
            }
            size /= 2;
        }
    }

    /// Single loops of single processes.
    fn loops(&mut self) {
        for process in self.script.processes() {
            let mut at = 0;
            loop {
                let parts: Vec<_> = self.script.parts_of(process).collect();
                let Some(here) = parts.get(at).map(|(_, part)| part.before) else { break };
                let ends = (at..parts.len()).filter(|&end| parts[end].1.after == here);
                let cuts: Vec<Vec<usize>> = ends.map(|e| parts[at..=e].iter().map(|(g, _)| *g).collect()).collect();
                if !cuts.into_iter().rev().any(|cut| self.without(cut)) {
                    at += 1;
                }
                if !self.meter.may_go_on() {
                    return;
                }
            }
        }
    }

    /// ddmin: chunks of ever smaller size.
    fn chunks(&mut self) {
        let mut size = self.count() / 2;
        while size > 0 {
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
