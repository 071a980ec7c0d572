//! Trail-directed search: best-first search with re-opening from a position of the run to the goal or to any later
//! position of the run.
//!
//! If a later position is reached in `g` steps, the goal is at most `g` plus its remaining steps away. The search keeps the
//! best such total and prunes nodes whose distance plus estimate is not below it. Without an estimate it is breadth-first
//! search (Dijkstra's algorithm, because a rendezvous counts two); with the location distance to a position of the run as
//! estimate it is A\* (Hart, Nilsson and Raphael 1968).
//!
//! A search from the start without estimate and with all processes that finishes proves the best run shortest: the store is
//! exact, so no node is missed. Positions of the run are recognised by hash; a run that the search finds is executed before
//! it is accepted.

use lurcher_search::{Partition, StateId, Store};
use lurcher_system::Move;
use rustc_hash::FxHashMap;

use super::goal::{Advance, Goal, Position};
use super::location_distance::LocationDistance;
use super::run::{Run, fingerprint};
use crate::minimise::budget::Meter;

/// A run with its positions.
pub(super) struct IndexedRun<'r> {
    pub run: &'r Run,
    /// The encoded positions, concatenated, and the end of each.
    nodes: Vec<u8>,
    ends: Vec<usize>,
    /// Steps from each position to the goal.
    pub remaining: Vec<u32>,
    /// The last position with each hash.
    pub index: FxHashMap<u64, usize>,
}

impl<'r> IndexedRun<'r> {
    /// Executes the run; none if its positions take more memory than a search may use.
    pub fn new(goal: &Goal<'_, '_>, run: &'r Run, meter: &mut Meter<'_>) -> Option<Self> {
        let size = goal.start()?.state.bytes().len() + 16;
        if (size * run.moves.len()) as u64 > meter.budget.memory() / 4 {
            return None;
        }
        let (nodes, ends, remaining) = (Vec::new(), Vec::new(), Vec::new());
        let mut indexed = IndexedRun { run, nodes, ends, remaining, index: FxHashMap::default() };
        let (mut node, mut rest) = (Vec::new(), run.length);
        goal.execute(&run.moves, meter, |position| {
            position.pack(&mut node);
            let at = indexed.ends.len();
            indexed.index.insert(fingerprint(&node), at);
            indexed.nodes.extend_from_slice(&node);
            indexed.ends.push(indexed.nodes.len());
            indexed.remaining.push(rest);
            rest = rest.saturating_sub(run.moves.get(at).map_or(0, Move::length));
        })?;
        Some(indexed)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// An encoded position.
    pub fn node(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.nodes[start..self.ends[at]]
    }
}

/// The start, direction and limits of a search.
#[derive(Default)]
pub(super) struct SearchPlan<'r> {
    /// The position of the run at which it starts.
    pub from: usize,
    /// The position it is directed to; without one it is breadth-first.
    pub towards: Option<(usize, &'r LocationDistance)>,
    /// By process number: whether the process may move.
    pub only: Option<&'r [bool]>,
    /// The most expansions.
    pub nodes: Option<u32>,
}

/// Searches for a run that is shorter than the indexed one. Also returns whether the search was exhaustive.
pub(super) fn search(
    goal: &Goal<'_, '_>,
    indexed: &IndexedRun<'_>,
    plan: &SearchPlan<'_>,
    meter: &mut Meter<'_>,
) -> (Option<Run>, bool) {
    let Some(mut search) = Search::new(goal, indexed, plan, meter) else { return (None, false) };
    let exhaustive = search.run(meter);
    let moves = search.best.map(|end| search.moves(end));
    let shorter = moves.and_then(|moves| goal.execute(&moves, meter, |_| {}));
    let shorter = shorter.filter(|r| r.length < indexed.run.length);
    let accepted = search.best.is_some() == shorter.is_some();
    (shorter, exhaustive && accepted)
}

/// How a node was reached.
struct Reached {
    distance: u32,
    parent: u32,
    step: Option<Move>,
}

/// The end of the best path: a node, then a last move to the goal or the position of the run that it joins.
#[derive(Clone, Copy)]
struct End {
    node: StateId,
    last: Option<Move>,
    joins: Option<usize>,
}

struct Search<'s, 'a, 'm> {
    goal: &'s Goal<'a, 'm>,
    indexed: &'s IndexedRun<'s>,
    plan: &'s SearchPlan<'s>,
    store: Store,
    reached: Vec<Reached>,
    /// Open nodes by distance plus estimate, with the distance at which they were opened.
    open: Vec<Vec<(StateId, u32)>>,
    /// Steps from the position it is directed to, to the goal.
    remaining: u32,
    /// The best total so far, and how it is reached.
    total: u32,
    best: Option<End>,
    /// The store is full.
    full: bool,
}

impl<'s, 'a, 'm> Search<'s, 'a, 'm> {
    fn new(
        goal: &'s Goal<'a, 'm>,
        indexed: &'s IndexedRun<'s>,
        plan: &'s SearchPlan<'s>,
        meter: &mut Meter<'_>,
    ) -> Option<Self> {
        let mut search = Search {
            goal,
            indexed,
            plan,
            store: Store::new(Partition::frames(goal.system.interpreter.layout()), Some(meter.budget.memory())),
            reached: Vec::new(),
            open: Vec::new(),
            remaining: plan.towards.map_or(0, |(at, _)| indexed.remaining[at]),
            total: indexed.remaining[plan.from],
            best: None,
            full: false,
        };
        let mut start = goal.start()?;
        start.unpack(goal.system.interpreter, indexed.node(plan.from));
        search.reach(&start, indexed.node(plan.from), 0, 0, None);
        Some(search)
    }

    /// Returns whether the search was exhaustive.
    fn run(&mut self, meter: &mut Meter<'_>) -> bool {
        let mut position = self.goal.start().expect("a run has a start");
        let (mut moves, mut node, mut at, mut expanded) = (Vec::new(), Vec::new(), 0, 0);
        while at < self.open.len() && at as u32 + self.remaining < self.total {
            let Some((id, distance)) = self.open[at].pop() else {
                at += 1;
                continue;
            };
            if self.reached[id.0 as usize].distance != distance {
                continue;
            }
            if self.full || !meter.may_go_on() || self.plan.nodes.is_some_and(|most| expanded >= most) {
                return false;
            }
            // A goal that needs one more step cannot improve the total from here.
            let last = distance + 1 >= self.total;
            if last && !self.goal.may_be_met_at_rest() {
                continue;
            }
            expanded += 1;
            position.unpack(self.goal.system.interpreter, self.store.load(id));
            self.goal.system.interpreter.moves(&position.state, &mut moves);
            if self.goal.is_met_with(&position, &moves) {
                self.improve(distance, End { node: id, last: None, joins: None });
            }
            meter.expansion(moves.len(), position.state.bytes().len());
            if !last {
                at = at.min(self.expand(id, distance, &position, &moves, &mut node));
            }
        }
        !self.full
    }

    /// Executes all moves and returns the smallest sum of distance and estimate among the successors.
    fn expand(&mut self, id: StateId, distance: u32, here: &Position, moves: &[Move], node: &mut Vec<u8>) -> usize {
        let mut nearest = usize::MAX;
        let mut next = here.clone();
        for step in moves {
            if self.plan.only.is_some_and(|only| step.processes().any(|p| !only.get(p.0 as usize).unwrap_or(&false))) {
                continue;
            }
            next.copy_from(here);
            match self.goal.advance(&mut next, step) {
                Advance::Continues => {
                    next.pack(node);
                    let open = self.reach(&next, node, distance + step.length(), id.0, Some(*step));
                    nearest = open.map_or(nearest, |sum| nearest.min(sum));
                }
                Advance::Reached(cost) => {
                    self.improve(distance + cost, End { node: id, last: Some(*step), joins: None })
                }
                Advance::Rejected => {}
            }
        }
        nearest
    }

    /// Opens a node unless it is known at this distance; returns its distance plus estimate.
    fn reach(
        &mut self,
        position: &Position,
        node: &[u8],
        distance: u32,
        parent: u32,
        step: Option<Move>,
    ) -> Option<usize> {
        let estimate = self.plan.towards.map_or(Some(0), |(_, heuristic)| heuristic.from(&position.state))?;
        if distance + estimate + self.remaining >= self.total && step.is_some() {
            return None;
        }
        let Ok((id, new)) = self.store.insert(node) else {
            self.full = true;
            return None;
        };
        let reached = Reached { distance, parent, step };
        if new {
            self.reached.push(reached);
        } else if distance < self.reached[id.0 as usize].distance {
            self.reached[id.0 as usize] = reached;
        } else {
            return None;
        }
        if let Some(&at) = self.indexed.index.get(&fingerprint(node)).filter(|&&at| at >= self.plan.from) {
            self.improve(distance + self.indexed.remaining[at], End { node: id, last: None, joins: Some(at) });
        }
        let sum = (distance + estimate) as usize;
        if self.open.len() <= sum {
            self.open.resize_with(sum + 1, Vec::new);
        }
        self.open[sum].push((id, distance));
        Some(sum)
    }

    fn improve(&mut self, total: u32, end: End) {
        if total < self.total {
            self.total = total;
            self.best = Some(end);
        }
    }

    /// The whole run through the searched part.
    fn moves(&self, end: End) -> Vec<Move> {
        let mut path: Vec<Move> = end.last.into_iter().collect();
        let mut at = end.node.0 as usize;
        while let Some(step) = self.reached[at].step {
            path.push(step);
            at = self.reached[at].parent as usize;
        }
        path.reverse();
        let run = &self.indexed.run.moves;
        let rest = end.joins.map_or(&[][..], |index| &run[index..]);
        [&run[..self.plan.from], &path, rest].concat()
    }
}
