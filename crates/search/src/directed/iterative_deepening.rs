//! IDA\*: depth-first searches below a growing threshold (Korf 1985; Edelkamp, Leue and Lluch-Lafuente 2003, section 3.3).
//!
//! An iteration expands every node whose *g* + *h* is at most the threshold; the smallest value above it is the threshold of
//! the next one. A transposition table keeps the nodes of an iteration with their *g*, so that a node is expanded again only when
//! it is reached by a shorter path. When the table is full, further nodes are not kept, and the search goes on as a search of the tree.
//!
//! *Partial IDA\** keeps bits of nodes instead (bitstate hashing). A node that is taken for a known one is lost, and no node is
//! expanded again in an iteration, so a path need not be a shortest one. When a search ends without a violation, it begins again with
//! other hash functions.

use lurcher_system::Path;

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::dfs::Stack;
use crate::guidance::History;
use crate::outcome::{Found, FoundKind, Outcome, Stats};
use crate::space::{Edge, Expander, Space};
use crate::store::{LossySet, Partition, Storage, Store, StoreFull};

/// An IDA\* search.
pub struct IterativeDeepening<'s> {
    /// What the transposition table keeps of a node.
    pub storage: Storage,
    /// Searches with other hash functions, where bits are kept.
    pub restarts: u32,
    /// The heuristic never exceeds the distance to a violation of such a kind.
    pub is_admissible_for: &'s (dyn Fn(&FoundKind) -> bool + Sync),
}

impl IterativeDeepening<'_> {
    /// Searches. Also returns the greatest probability, at the end of an iteration, that a new node was taken for a known one.
    pub fn run<E: Expander>(
        &self,
        expander: &mut E,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> (Outcome<<E::Space as Space>::Step>, f64) {
        let _scope = budget.resources.enter();
        let Ok(table) = Table::new(self.storage, expander.partition(), budget) else {
            return (Outcome::new(StopReason::Memory, Stats::default()), 0.0);
        };
        let mut search = Search {
            settings: self,
            expander,
            budget,
            meter: BudgetMeter::new(budget),
            table,
            is_full: false,
            stack: Stack::new(),
            bytes: Vec::new(),
            histories: Vec::new(),
            threshold: 0,
            next_threshold: None,
            iteration: 0,
            restart: 0,
            omission: 0.0,
            best: None,
            violation: None,
            stats: Stats::default(),
        };
        let stop = search.explore(observer).unwrap_or_else(|stop| stop);
        let omission = search.omission.max(search.table.omission());
        (search.finish(stop), omission)
    }
}

/// The nodes of an iteration.
enum Table {
    /// Nodes, and by node: the iteration of the last visit, its *g*, and *h*.
    Exact { store: Box<Store>, visits: Vec<(u32, u32, u32)> },
    /// Bits of nodes.
    Bits(LossySet),
}

impl Table {
    /// An empty table. A quarter of the memory is left to the path.
    fn new(storage: Storage, partition: Partition, budget: &Budget) -> Result<Table, StoreFull> {
        let memory = budget.resources.memory;
        Ok(match storage {
            Storage::Exact => {
                let store = Box::new(Store::new(partition, memory.map(|bytes| bytes / 4 * 3)));
                Table::Exact { store, visits: Vec::new() }
            }
            storage => Table::Bits(LossySet::new(storage, memory)?),
        })
    }

    fn memory(&self) -> u64 {
        match self {
            Table::Exact { store, visits } => store.memory() + visits.capacity() as u64 * 12,
            Table::Bits(set) => set.memory(),
        }
    }

    fn omission(&self) -> f64 {
        if let Table::Bits(set) = self { set.omission() } else { 0.0 }
    }
}

type StepOf<E> = <<E as Expander>::Space as Space>::Step;

struct Search<'a, E: Expander> {
    settings: &'a IterativeDeepening<'a>,
    expander: &'a mut E,
    budget: &'a Budget,
    meter: BudgetMeter<'a>,
    table: Table,
    /// The table took no further node.
    is_full: bool,
    /// The path; a node is named by the offset of its first byte.
    stack: Stack<usize, StepOf<E>>,
    bytes: Vec<u8>,
    /// By node on the path: the processes that moved last.
    histories: Vec<History>,
    threshold: u32,
    next_threshold: Option<u32>,
    iteration: u32,
    restart: u32,
    omission: f64,
    best: Option<u32>,
    violation: Option<(FoundKind, Vec<StepOf<E>>)>,
    stats: Stats,
}

impl<E: Expander> Search<'_, E> {
    fn memory(&self) -> u64 {
        self.table.memory() + self.expander.memory() + self.stack.memory() + self.bytes.capacity() as u64
    }

    fn explore(&mut self, observer: &mut impl Observer) -> Result<StopReason, StopReason> {
        let mut root = Vec::new();
        if let Err(violation) = self.expander.space().initial(&mut root) {
            self.violation = Some((FoundKind::Step(violation), Vec::new()));
            return Ok(StopReason::Violation);
        }
        self.threshold = self.expander.estimate(&root, History::default());
        loop {
            self.iterate(&root, observer)?;
            if self.violation.is_some() {
                return Ok(StopReason::Violation);
            }
            self.iteration += 1;
            match self.next_threshold.take() {
                Some(threshold) => self.threshold = threshold,
                None if self.settings.storage == Storage::Exact => return Ok(StopReason::Complete),
                None if self.restart == self.settings.restarts => return Ok(StopReason::Storage),
                None => {
                    self.restart += 1;
                    self.threshold = self.expander.estimate(&root, History::default());
                }
            }
            if self.settings.storage != Storage::Exact {
                self.omission = self.omission.max(self.table.omission());
                self.table = Table::new(self.settings.storage, self.expander.partition(), self.budget)?;
                self.stats.stored = 0;
            }
        }
    }

    /// Searches depth first below the threshold.
    fn iterate(&mut self, root: &[u8], observer: &mut impl Observer) -> Result<(), StopReason> {
        let mut next = Vec::new();
        self.enter(root, 0, History::default())?;
        while self.violation.is_none() {
            let Some((node, g, step)) = self.stack.next_edge() else {
                let Some(node) = self.stack.pop() else { break };
                self.bytes.truncate(node);
                self.histories.pop();
                continue;
            };
            self.tick(observer)?;
            let space = self.expander.space();
            let violation = space.take(&self.bytes[node..], &step, &mut next);
            let chain = space.chain_length();
            self.stats.transitions += 1 + u64::from(chain);
            if let Some(violation) = violation {
                let length = if chain == 0 { step.length_with(&violation) } else { step.length() + chain };
                let fatal = violation.is_fatal();
                self.note(FoundKind::Step(violation), g + length);
                if fatal || self.violation.is_some() {
                    continue;
                }
            }
            let length = step.length() + chain;
            // A step of no length may close a cycle, which the threshold does not end.
            if length == 0 && self.is_full && self.is_on_path(&next) {
                continue;
            }
            let history = self.histories.last().expect("the path is not empty").after_step(&step);
            self.enter(&next, g + length, history)?;
        }
        self.stack.clear();
        self.bytes.clear();
        self.histories.clear();
        Ok(())
    }

    fn is_on_path(&self, node: &[u8]) -> bool {
        let starts: Vec<usize> = self.stack.nodes().collect();
        let ends = starts.iter().skip(1).copied().chain([self.bytes.len()]);
        starts.iter().zip(ends).any(|(&start, end)| self.bytes[start..end] == *node)
    }

    fn tick(&mut self, observer: &mut impl Observer) -> Result<(), StopReason> {
        let Stats { stored, transitions, .. } = self.stats;
        if !self.meter.is_due(transitions) {
            return Ok(());
        }
        let (depth, memory) = (u64::from(self.threshold), self.memory());
        let frontier = Some(self.stack.len() as u64);
        let progress =
            Progress { stored, transitions, depth, memory, best: self.best, frontier, ..Progress::default() };
        self.meter.check(transitions, &progress, observer).map_or(Ok(()), Err)
    }

    /// Puts a node on the path, unless it is above the threshold or known.
    fn enter(&mut self, node: &[u8], g: u32, history: History) -> Result<(), StopReason> {
        let counts = u64::from(self.expander.space().counts(node));
        let Some((h, is_new)) = self.visit(node, g, history)? else {
            self.stats.matched += counts;
            return Ok(());
        };
        let f = g.saturating_add(h);
        if f > self.threshold {
            self.raise(f);
            return Ok(());
        }
        self.best = Some(self.best.map_or(h, |best| best.min(h)));
        self.stats.stored += if is_new { counts } else { 0 };
        if is_new {
            let mut broken = Vec::new();
            self.expander.space().check_node(node, &mut broken);
            broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number), g));
        }
        let mut steps = Vec::new();
        let info = self.expander.space().steps(node, &mut steps);
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(g.into());
        let halted = info.halted;
        info.kinds().for_each(|kind| self.note(kind, g));
        self.stack.push(self.bytes.len(), g, steps.iter().copied());
        self.bytes.extend_from_slice(node);
        self.histories.push(history);
        halted.map_or(Ok(()), Err)
    }

    /// The next iteration has at least the smallest value above the threshold.
    fn raise(&mut self, f: u32) {
        self.next_threshold = Some(self.next_threshold.map_or(f, |known| known.min(f)));
    }

    /// The value of a node, and whether it is new to the table; none if it was visited in this iteration by a path that is no longer.
    /// Nodes above the threshold are not visited.
    fn visit(&mut self, node: &[u8], g: u32, history: History) -> Result<Option<(u32, bool)>, StopReason> {
        match &mut self.table {
            Table::Bits(set) => {
                let h = self.expander.estimate(node, history);
                if g.saturating_add(h) > self.threshold {
                    return Ok(Some((h, false)));
                }
                Ok(set.insert(node, u64::from(self.restart))?.then_some((h, true)))
            }
            Table::Exact { store, visits } => {
                let Ok((id, is_new)) = store.insert(node) else {
                    self.is_full = true;
                    return Ok(Some((self.expander.estimate(node, history), true)));
                };
                if is_new {
                    visits.push((u32::MAX, u32::MAX, self.expander.estimate(node, history)));
                }
                let (iteration, known, h) = &mut visits[id.0 as usize];
                if self.expander.looks_back() {
                    *h = self.expander.estimate(node, history);
                }
                let first = *iteration == u32::MAX;
                if *iteration == self.iteration && g >= *known {
                    return Ok(None);
                }
                if g.saturating_add(*h) <= self.threshold {
                    (*iteration, *known) = (self.iteration, g);
                }
                Ok(Some((*h, first)))
            }
        }
    }

    /// Notes a violation whose path ends below the threshold.
    fn note(&mut self, kind: FoundKind, length: u32) {
        if length > self.threshold {
            return self.raise(length);
        }
        if self.violation.is_none() {
            self.violation = Some((kind, self.stack.path().map(|(_, _, step)| step).collect()));
        }
    }

    fn finish(mut self, stop: StopReason) -> Outcome<StepOf<E>> {
        self.stats.memory = self.memory();
        let Some((kind, steps)) = self.violation.take() else { return Outcome::new(stop, self.stats) };
        let shortest = self.settings.storage == Storage::Exact && (self.settings.is_admissible_for)(&kind);
        let found = Found { shortest, ..Found::new(kind, Path::finite(steps)) };
        Outcome { found: vec![found], ..Outcome::new(StopReason::Violation, self.stats) }
    }
}
