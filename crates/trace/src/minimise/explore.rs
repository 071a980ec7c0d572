//! Trail-directed search: best-first search with re-opening from a position of the run, towards the violation or any
//! later position of the run.
//!
//! Reaching a later position in `g` steps shows that the violation is `g` plus the remaining steps away. The search
//! keeps the best such total and looks only where something better could be: at nodes whose distance plus estimate is
//! below it. Without an estimate this is breadth-first search (Dijkstra's, as a rendezvous counts two); with the
//! distance to a position of the run as estimate it is A\* (Hart, Nilsson and Raphael 1968).
//!
//! A search from the start that uses no estimate and leaves no process out, and comes to its end, proves that no run is
//! shorter than the best one: the store is exact, so no node is missed. Positions of the run are known by their
//! fingerprints only; a run made from a search is executed before it is believed.

use lurcher_search::{Partition, StateId, Store};
use lurcher_system::Move;

use crate::minimise::aim::Aim;
use crate::minimise::budget::Meter;
use crate::minimise::quest::{Advance, Position, Quest};
use crate::minimise::run::{Run, fingerprint};
use crate::minimise::script::movers;
use crate::minimise::trail::Trail;

/// Where a search starts and what guides it.
#[derive(Default)]
pub(crate) struct Route<'r> {
    /// The position of the run it starts from, counted in moves.
    pub from: usize,
    /// The position it is guided to; without one it is breadth-first.
    pub aim: Option<(usize, &'r Aim)>,
    /// Only these processes move, by number.
    pub only: Option<&'r [bool]>,
    /// The most nodes to expand.
    pub nodes: Option<u32>,
}

/// What a search came to.
pub(crate) struct Explored {
    /// A shorter run.
    pub run: Option<Run>,
    /// Nothing was left to look at.
    pub complete: bool,
}

/// Looks for a shorter run than this one.
pub(crate) fn explore(quest: &Quest<'_, '_>, trail: &Trail<'_>, route: &Route<'_>, meter: &mut Meter<'_>) -> Explored {
    let Some(mut search) = Search::new(quest, trail, route, meter) else {
        return Explored { run: None, complete: false };
    };
    let complete = search.run(meter);
    let moves = search.best.map(|end| search.moves(end));
    let shorter = moves.and_then(|moves| quest.execute(&moves, meter, |_| {}));
    let shorter = shorter.filter(|r| r.length < trail.run.length);
    Explored { complete: complete && search.best.is_some() == shorter.is_some(), run: shorter }
}

/// How a node was reached.
struct Reached {
    distance: u32,
    parent: u32,
    step: Option<Move>,
}

/// The end of the best way: a node, a last move, and the position of the run it joins, if not the violation.
#[derive(Clone, Copy)]
struct End {
    node: StateId,
    last: Option<Move>,
    joins: Option<usize>,
}

struct Search<'s, 'a, 'm> {
    quest: &'s Quest<'a, 'm>,
    trail: &'s Trail<'s>,
    route: &'s Route<'s>,
    store: Store,
    reached: Vec<Reached>,
    /// Open nodes by distance plus estimate, with the distance they had when they were put there.
    open: Vec<Vec<(StateId, u32)>>,
    /// Steps from the position that is aimed at to the target.
    behind_aim: u32,
    /// The total that is to be improved on, and how it is reached.
    total: u32,
    best: Option<End>,
    full: bool,
}

impl<'s, 'a, 'm> Search<'s, 'a, 'm> {
    fn new(
        quest: &'s Quest<'a, 'm>,
        trail: &'s Trail<'s>,
        route: &'s Route<'s>,
        meter: &mut Meter<'_>,
    ) -> Option<Self> {
        let store =
            Store::new(Partition::Frames(quest.interpreter.layout().clone(), Vec::new()), Some(meter.budget.memory));
        let (reached, open) = (Vec::new(), Vec::new());
        let behind_aim = route.aim.map_or(0, |(at, _)| trail.behind[at]);
        let total = trail.behind[route.from];
        let mut search =
            Search { quest, trail, route, store, reached, open, behind_aim, total, best: None, full: false };
        let mut start = quest.start()?;
        start.unpack(quest.interpreter, trail.node(route.from));
        search.reach(&start, trail.node(route.from), 0, 0, None);
        Some(search)
    }

    /// Says whether it came to its end.
    fn run(&mut self, meter: &mut Meter<'_>) -> bool {
        let mut position = self.quest.start().expect("a run starts");
        let (mut moves, mut node, mut at, mut expanded) = (Vec::new(), Vec::new(), 0, 0);
        while at < self.open.len() && at as u32 + self.behind_aim < self.total {
            let Some((id, distance)) = self.open[at].pop() else {
                at += 1;
                continue;
            };
            if self.reached[id.0 as usize].distance != distance {
                continue;
            }
            if self.full || !meter.may_go_on() || self.route.nodes.is_some_and(|most| expanded >= most) {
                return false;
            }
            // Most violations need one more step, and then nothing at the last distance can be better.
            let last = distance + 1 >= self.total;
            if last && !self.quest.may_be_met_at_rest() {
                continue;
            }
            expanded += 1;
            position.unpack(self.quest.interpreter, self.store.load(id));
            self.quest.interpreter.moves(&position.state, &mut moves);
            if self.quest.is_met_with(&position, &moves) {
                self.improve(distance, End { node: id, last: None, joins: None });
            }
            meter.expansion(moves.len(), position.state.bytes().len());
            if last {
                continue;
            }
            let nearest = self.expand(id, distance, &position, &moves, &mut node);
            at = at.min(nearest);
        }
        !self.full
    }

    /// Follows all moves; gives the smallest sum of distance and estimate of what was reached.
    fn expand(&mut self, id: StateId, distance: u32, here: &Position, moves: &[Move], node: &mut Vec<u8>) -> usize {
        let mut nearest = usize::MAX;
        let mut next = here.clone();
        for step in moves {
            if self.route.only.is_some_and(|only| movers(step).any(|p| !only.get(p.0 as usize).unwrap_or(&false))) {
                continue;
            }
            next.copy_from(here);
            match self.quest.advance(&mut next, step) {
                Advance::On => {
                    next.pack(node);
                    let open = self.reach(&next, node, distance + step.length(), id.0, Some(*step));
                    nearest = open.map_or(nearest, |sum| nearest.min(sum));
                }
                Advance::Reached(cost) => {
                    self.improve(distance + cost, End { node: id, last: Some(*step), joins: None })
                }
                Advance::Lost => {}
            }
        }
        nearest
    }

    /// Notes a way to a node; gives its place among the open ones if it is better than what was known.
    fn reach(
        &mut self,
        position: &Position,
        node: &[u8],
        distance: u32,
        parent: u32,
        step: Option<Move>,
    ) -> Option<usize> {
        let estimate = self.route.aim.map_or(Some(0), |(_, aim)| aim.distance(&position.state))?;
        if distance + estimate + self.behind_aim >= self.total && step.is_some() {
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
        if let Some(&at) = self.trail.index.get(&fingerprint(node)).filter(|&&at| at >= self.route.from) {
            self.improve(distance + self.trail.behind[at], End { node: id, last: None, joins: Some(at) });
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

    /// The whole run by way of the search.
    fn moves(&self, end: End) -> Vec<Move> {
        let mut way: Vec<Move> = end.last.into_iter().collect();
        let mut at = end.node.0 as usize;
        while let Some(step) = self.reached[at].step {
            way.push(step);
            at = self.reached[at].parent as usize;
        }
        way.reverse();
        let run = &self.trail.run.moves;
        let rest = end.joins.map_or(&[][..], |index| &run[index..]);
        [&run[..self.route.from], &way, rest].concat()
    }
}
