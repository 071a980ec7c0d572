//! Greedy best-first search: the state with the best score is expanded next.
//!
//! Open nodes are kept as the choices that lead to them, so a node costs a few bytes whatever the size of states. A child of
//! the last expanded node is reached by one step, any other node by repeating its choices. Visited states are told apart
//! by a hash, so the search proves nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use lurcher_heuristics::registry::{self, HEURISTICS, HeuristicError, Named};
use lurcher_ir::PropertyKind;
use lurcher_search::{
    BudgetMeter, Chosen, Draws, Found, FoundKind, Observer, Position, Progress, Scores, Stats, StopReason, WalkDomain,
};
use lurcher_system::Path;
use rustc_hash::FxHashSet;

use super::each::{CheckOne, check_each, refuses_runs};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{DROP, EXEC, GUIDE, LOAD_GUIDE, REDUCE};
use crate::report::Answer;
use crate::system::{Model, Shape, System};

/// Greedy best-first search.
pub struct BestFirst;

static INFO: Info = Info {
    name: "best-first",
    help: "Greedy best-first search for bad states: the best score of the heuristic first",
    parameters: &[&GUIDE, &DROP, &REDUCE, &LOAD_GUIDE, &EXEC],
    proves: false,
    random: false,
};

impl Engine for BestFirst {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_runs(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        check_each(self.info().name, run, Greedy)
    }
}

struct Greedy;

impl CheckOne for Greedy {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        mut observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        if !system.is_about_states() {
            return Err(EngineError::Refused("best-first search looks for bad states, not for runs".to_owned()));
        }
        let guide = match heuristic(system, task)? {
            Ok(guide) => guide,
            Err(stop) => return Ok(Answer::stopped(system.property(), INFO.name, stop)),
        };
        let mut answer = Answer::new(system.property(), INFO.name);
        let _scope = task.budget.resources.enter();
        let domain = system.domain();
        let mut search = Search::new(domain.position(), guide.guide);
        let mut meter = BudgetMeter::new(&task.budget);
        let (stop, found) = search.run(task.seed, &mut meter, &mut observer);
        answer.found.extend(found.map(|found| system.as_path(found)));
        (answer.report.stop, answer.report.guide) = (stop, Some(guide.name));
        answer.report.times.guide = guide.time;
        let progress = search.progress();
        answer.report.stats = Stats {
            stored: progress.stored,
            matched: search.matched,
            transitions: progress.transitions,
            depth: progress.depth,
            memory: progress.memory,
            ..Stats::default()
        };
        system.describe_walks(&mut answer.report);
        Ok(answer)
    }
}

/// The heuristic that options name; otherwise the model's own, or the first one for states that can be built; or the limit
/// that was reached.
fn heuristic<S: System>(system: &S, task: &Task<'_>) -> Result<Result<Named<S::Guide>, StopReason>, EngineError> {
    let settings = task.heuristic_settings();
    let build = |entry: &registry::Entry| system.heuristics(entry, &settings, &task.budget, true).pop();
    if let Some(entry) = task.options.text(&GUIDE).and_then(registry::heuristic) {
        let why = |e: &dyn std::fmt::Display| EngineError::Heuristic(entry.name, e.to_string());
        return match build(entry) {
            Some(Ok(guide)) => Ok(Ok(guide)),
            Some(Err(HeuristicError::Stopped(stop))) => Ok(Err(stop)),
            Some(Err(error)) => Err(why(&error)),
            None => Err(why(&"the property has no goal for it")),
        };
    }
    let states = HEURISTICS.iter().filter(|h| h.scores == Scores::States);
    let first = system.own_heuristic().or_else(|| states.filter_map(|h| build(h)?.ok()).next());
    match (first, task.budget.stop_reason()) {
        (Some(guide), _) => Ok(Ok(guide)),
        (None, Some(stop)) => Ok(Err(stop)),
        _ => Err(EngineError::Refused("no heuristic for states can be built for this property".to_owned())),
    }
}

/// An open node: the node it was generated from, and its place among the successors.
struct Node {
    parent: u32,
    candidate: u32,
}

/// The parent of the initial state.
const NONE: u32 = u32::MAX;

struct Search<P: Position> {
    position: P,
    guide: Arc<P::Guide>,
    nodes: Vec<Node>,
    /// Scores and numbers of open nodes; of those with equal scores the oldest comes first.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    visited: FxHashSet<u64>,
    /// The node of the position.
    here: u32,
    /// Candidates that were tested, for expanding nodes and for reaching them again.
    tests: u64,
    transitions: u64,
    /// Nodes whose state was visited before.
    matched: u64,
    depth: u32,
    best: Option<u32>,
}

/// Why a node is not expanded.
enum End {
    /// It is a violation.
    Found(FoundKind),
    /// Nothing is to be seen there.
    Nothing,
}

impl<P: Position> Search<P> {
    fn new(position: P, guide: Arc<P::Guide>) -> Self {
        let (nodes, open) = (vec![Node { parent: NONE, candidate: 0 }], BinaryHeap::from([Reverse((0, 0))]));
        Search {
            position,
            guide,
            nodes,
            open,
            visited: FxHashSet::default(),
            here: NONE,
            tests: 0,
            transitions: 0,
            matched: 0,
            depth: 0,
            best: None,
        }
    }

    fn progress(&self) -> Progress {
        let memory = self.nodes.len() * 16 + self.visited.len() * 16;
        Progress {
            stored: self.visited.len() as u64,
            transitions: self.transitions,
            depth: u64::from(self.depth),
            memory: memory as u64 + self.position.memory(),
            best: self.best,
            ..Progress::default()
        }
    }

    fn run(
        &mut self,
        seed: u64,
        meter: &mut BudgetMeter<'_>,
        observer: &mut impl Observer,
    ) -> (StopReason, Option<Found<P::Step>>) {
        while let Some(Reverse((_, number))) = self.open.pop() {
            if meter.is_due(self.tests) {
                let progress = self.progress();
                if let Some(stop) = meter.check(self.tests, &progress, observer) {
                    return (stop, None);
                }
            }
            match self.reach(number, seed).and_then(|()| self.expand()) {
                Ok(()) => {}
                Err(End::Found(kind)) => {
                    let path = Path::finite(self.position.path(false));
                    return (StopReason::Violation, Some(Found::new(kind, path)));
                }
                // Perhaps a limit kept it from being listed.
                Err(End::Nothing) => {
                    if let Some(stop) = meter.stop_reason() {
                        return (stop, None);
                    }
                }
            }
        }
        // States that are told apart by hashes prove nothing.
        (StopReason::Storage, None)
    }

    /// Moves the position to a node.
    fn reach(&mut self, number: u32, seed: u64) -> Result<(), End> {
        let mut choices = Vec::new();
        let mut at = number;
        while at != self.here && self.nodes[at as usize].parent != NONE {
            let Node { parent, candidate } = self.nodes[at as usize];
            choices.push(candidate);
            at = parent;
        }
        if at != self.here {
            self.position.record(true);
            if self.position.start(&mut Draws::of(seed, 0)) != Some(true) {
                return Err(End::Nothing);
            }
            self.position.begin();
        }
        self.here = NONE;
        for candidate in choices.into_iter().rev() {
            self.list()?;
            match self.position.attempt(candidate, None) {
                Some(Chosen::Moved(_, None)) => {}
                Some(Chosen::Moved(_, Some(kind)) | Chosen::Found(kind)) => return Err(End::Found(kind)),
                _ => return Err(End::Nothing),
            }
        }
        self.here = number;
        Ok(())
    }

    /// Adds the successors of the position, unless it was visited before.
    fn expand(&mut self) -> Result<(), End> {
        let mut violations = Vec::new();
        self.position.violations(&mut violations);
        if let Some(kind) = violations.into_iter().next() {
            return Err(End::Found(kind));
        }
        if !self.visited.insert(self.position.fingerprint()) {
            self.matched += 1;
            return Ok(());
        }
        self.depth = self.depth.max(self.position.steps());
        let count = self.list()?;
        self.transitions += u64::from(count);
        for candidate in 0..count {
            let score = self.position.score(&self.guide, candidate);
            self.best = Some(self.best.map_or(score, |best| best.min(score)));
            self.open.push(Reverse((score, self.nodes.len() as u32)));
            self.nodes.push(Node { parent: self.here, candidate });
        }
        Ok(())
    }

    fn list(&mut self) -> Result<u32, End> {
        match self.position.list(&mut self.tests) {
            Ok(count) => Ok(count),
            Err(Chosen::Found(kind)) => Err(End::Found(kind)),
            Err(Chosen::Stopped) => Err(self.position.deadlock().map_or(End::Nothing, End::Found)),
            Err(_) => Err(End::Nothing),
        }
    }
}
