//! Depth-first searches with lossy storage, for bad states and for accepting cycles.
//!
//! The storage cannot give nodes back, so the stack holds them. Cycles are looked for as in the nested search of
//! Courcoubetis, Vardi, Wolper and Yannakakis (1992) as it was first: a second search from each accepting node that the
//! first leaves, until it comes back to that very node, byte by byte. So storage may hide a violation, and never makes
//! one up; and nothing is ever complete: the best such a search comes to is [`StopReason::Storage`].

mod way;

use crate::budget::{Budget, Observer, Progress, StopReason, Watch};
use crate::outcome::{Collector, Found, FoundKind, Outcome, Stats};
use crate::space::{Edge, NodeInfo, Space};
use crate::store::{LossySet, Storage};
use way::Way;

/// The two searches keep their nodes apart.
const BLUE: u64 = 0;
const RED: u64 = 1;

/// Searches depth first with lossy storage, for bad states and, with `cycles`, for accepting cycles. The second value
/// is how likely it is that a node that was not met before was taken for one that was, at the end.
pub fn lossy_dfs<S: Space>(
    space: &mut S,
    storage: Storage,
    cycles: bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> (Outcome<S::Step>, f64) {
    let Ok(set) = LossySet::new(storage, budget.memory) else {
        return (Outcome { stop: StopReason::Memory, found: Vec::new(), stats: Stats::default() }, 1.0);
    };
    let mut search = Search {
        space,
        budget,
        set,
        cycles,
        way: Way::new(),
        steps: Vec::new(),
        stats: Stats::default(),
        collector: Collector::new(),
        cut: false,
    };
    let stop = search.run(observer);
    search.stats.memory = search.memory();
    (Outcome { stop, found: search.collector.found, stats: search.stats }, search.set.omission())
}

struct Search<'a, S: Space> {
    space: &'a mut S,
    budget: &'a Budget,
    set: LossySet,
    cycles: bool,
    way: Way<S::Step>,
    steps: Vec<S::Step>,
    stats: Stats,
    collector: Collector<S::Step>,
    cut: bool,
}

impl<S: Space> Search<'_, S> {
    fn memory(&self) -> u64 {
        self.set.memory() + self.space.memory() + self.way.memory()
    }

    fn progress(&self) -> Progress {
        Progress {
            stored: self.stats.stored,
            transitions: self.stats.transitions,
            depth: self.way.len() as u64,
            memory: self.memory(),
            ..Progress::default()
        }
    }

    fn enough(&self) -> bool {
        !self.budget.all_errors && !self.collector.found.is_empty()
    }

    fn run(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut watch = Watch::new(self.budget);
        let mut next = Vec::new();
        if let Err(violation) = self.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        let mut stop = self.visit(&next, 0);
        while stop.is_none() && !self.enough() && self.way.len() > 0 {
            let Some((depth, step)) = self.way.follow() else {
                stop = self.leave(&mut watch, observer);
                continue;
            };
            let violation = self.space.take(self.way.top(), &step, &mut next);
            self.stats.transitions += 1;
            if let Some(violation) = violation {
                let fatal = violation.is_fatal();
                self.note(FoundKind::Step(violation));
                if fatal {
                    continue;
                }
            }
            stop = self.visit(&next, depth + step.length());
            stop = stop.or_else(|| watch.tick(self.stats.transitions, observer, || self.progress()));
        }
        match stop {
            _ if self.enough() => StopReason::Violation,
            Some(stop) => stop,
            None if self.cut => StopReason::Depth,
            None => StopReason::Storage,
        }
    }

    /// Enters a node if it seems to be new. Says when the search must stop there.
    fn visit(&mut self, node: &[u8], depth: u32) -> Option<StopReason> {
        let Ok(new) = self.set.insert(node, BLUE) else { return Some(StopReason::Memory) };
        let counts = u64::from(self.space.counts(node));
        if !new {
            self.stats.matched += counts;
            return None;
        }
        self.stats.stored += counts;
        let info = self.space.steps(node, &mut self.steps);
        let halted = info.halted;
        self.stats.depth = self.stats.depth.max(u64::from(depth));
        let deep = self.budget.depth.is_some_and(|limit| depth >= limit);
        if deep && !self.steps.is_empty() && !self.space.is_root(node) {
            self.cut = true;
            self.steps.clear();
        }
        self.way.push(node, depth, &self.steps);
        let mut broken = Vec::new();
        self.space.look(node, &mut broken);
        broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        self.judge(info);
        halted
    }

    fn judge(&mut self, info: NodeInfo) {
        let kinds = [
            (info.deadlock, FoundKind::Deadlock),
            (info.invariant_broken, FoundKind::Invariant),
            (info.claim_ended, FoundKind::ClaimEnd),
        ];
        let kinds = kinds.into_iter().filter_map(|(found, kind)| found.then_some(kind));
        kinds.chain(info.violation.map(FoundKind::Step)).for_each(|kind| self.note(kind));
    }

    /// Notes a violation at the end of the current path.
    fn note(&mut self, kind: FoundKind) {
        let way = &self.way;
        self.collector.note(kind, false, || way.path());
    }

    /// Leaves the last node, looking for a cycle first if it is accepting.
    fn leave(&mut self, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        if self.cycles && self.space.is_accepting(self.way.top()) {
            let stop = self.red(watch, observer);
            if stop.is_some() || self.enough() {
                return stop;
            }
        }
        self.way.pop();
        None
    }

    /// Looks for a way from the last node back to it.
    fn red(&mut self, watch: &mut Watch<'_>, observer: &mut impl Observer) -> Option<StopReason> {
        let (mut way, mut next) = (Way::new(), Vec::new());
        let seed = self.way.top().to_vec();
        self.space.steps(&seed, &mut self.steps);
        way.push(&seed, 0, &self.steps);
        while way.len() > 0 {
            let Some((_, step)) = way.follow() else {
                way.pop();
                continue;
            };
            let violation = self.space.take(way.top(), &step, &mut next);
            self.stats.transitions += 1;
            if violation.is_some_and(|v| v.is_fatal()) {
                continue;
            }
            if next == seed {
                self.cycle(&way);
                return None;
            }
            let Ok(new) = self.set.insert(&next, RED) else { return Some(StopReason::Memory) };
            if new {
                self.space.steps(&next, &mut self.steps);
                way.push(&next, 0, &self.steps);
            }
            let memory = way.memory();
            let progress = || Progress { memory: self.memory() + memory, ..self.progress() };
            if let Some(stop) = watch.tick(self.stats.transitions, observer, progress) {
                return Some(stop);
            }
        }
        None
    }

    /// Notes the cycle: the way to the accepting node, then the way back to it.
    fn cycle(&mut self, back: &Way<S::Step>) {
        if let Some(known) = self.collector.found.iter_mut().find(|f| f.kind == FoundKind::Cycle) {
            known.count += 1;
            return;
        }
        let mut path = self.way.path_to_top();
        let mut start = path.len();
        path.extend(back.path());
        // A cycle is easier to follow, and to replay, from a state in which no atomic chain is under way.
        if let Some(settled) = (0..back.len()).find(|&i| self.space.counts(back.node(i))) {
            path.extend_from_within(start..start + settled);
            start += settled;
        }
        let found = Found { kind: FoundKind::Cycle, path, cycle_start: Some(start), count: 1, shortest: false };
        self.collector.found.push(found);
    }
}
