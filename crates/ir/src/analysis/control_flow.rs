//! The control-flow graph of a process type, and distances in it.
//!
//! The distance from a location to a goal is the least number of actions that a process executes if every guard is true:
//! a backward breadth-first search from the goals (the local distances of Bui's thesis, section 6.2.1, and of HSF-SPIN).
//! It never exceeds the number of actions that the process executes in the model, so estimates built from it are
//! admissible.
//!
//! A goal is a location or an edge, with the distance that remains when it is reached: a `run` may lead to goals of the
//! process that it creates.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lurcher_resources::checkpoint;

use crate::analysis::{always_enabled, breadth_first, constant};
use crate::expr::Expr;
use crate::graph::components;
use crate::model::{Action, ActionId, LocationId, ProcessType};
use crate::statement::ActionKind;

/// A branch as an edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The source location.
    pub from: LocationId,
    /// The index among the branches of the source.
    pub branch: u16,
    /// The action.
    pub action: ActionId,
    /// The target location; none if the process dies.
    pub target: Option<LocationId>,
}

/// The control-flow graph of a process type.
#[derive(Clone, Debug)]
pub struct ControlFlow<'m> {
    process_type: &'m ProcessType,
    edges: Vec<Edge>,
    /// Edge numbers by target.
    incoming: Vec<Vec<u32>>,
    /// Edge numbers by source.
    outgoing: Vec<Vec<u32>>,
}

/// The distance of each location of a process type; none if no goal is reachable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distances(Vec<Option<u32>>);

impl Distances {
    /// The distance from a location.
    pub fn of(&self, location: LocationId) -> Option<u32> {
        self.0.get(location.0 as usize).copied().flatten()
    }

    /// The largest distance.
    pub fn max(&self) -> Option<u32> {
        self.0.iter().copied().flatten().max()
    }

    /// Distances, indexed by location.
    pub fn as_slice(&self) -> &[Option<u32>] {
        &self.0
    }
}

impl<'m> ControlFlow<'m> {
    /// The graph of a process type. With a process number, branches whose guards are false for this `_pid` are left out.
    pub fn new(process_type: &'m ProcessType, pid: Option<u16>) -> Self {
        let count = process_type.locations.len();
        let mut graph = ControlFlow {
            process_type,
            edges: Vec::new(),
            incoming: vec![vec![]; count],
            outgoing: vec![vec![]; count],
        };
        for (from, location) in process_type.locations.iter().enumerate() {
            let mut taken_before = false;
            checkpoint();
            for (index, branch) in location.branches.iter().enumerate() {
                let kind = &process_type.action(branch.action).kind;
                let enabled = match kind {
                    ActionKind::Guard(e) => constant(e, pid) != Some(0),
                    ActionKind::Else => !taken_before,
                    _ => true,
                };
                let waits_for_others = kind.is_else() || kind.any(&|e| matches!(e, Expr::Timeout));
                taken_before |= !waits_for_others && always_enabled(kind, pid);
                if enabled {
                    let target = (!matches!(kind, ActionKind::End)).then_some(branch.target);
                    let from = LocationId(from as u16);
                    graph.add(Edge { from, branch: index as u16, action: branch.action, target });
                }
            }
        }
        graph
    }

    fn add(&mut self, edge: Edge) {
        let number = self.edges.len() as u32;
        self.edges.push(edge);
        self.outgoing[edge.from.0 as usize].push(number);
        if let Some(target) = edge.target {
            self.incoming[target.0 as usize].push(number);
        }
    }

    /// The process type.
    pub fn process_type(&self) -> &'m ProcessType {
        self.process_type
    }

    /// All edges, in the order of the locations and their branches.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that start at a location.
    pub fn outgoing(&self, location: LocationId) -> impl Iterator<Item = &Edge> {
        self.outgoing[location.0 as usize].iter().map(|&e| &self.edges[e as usize])
    }

    /// The action of an edge.
    pub fn action(&self, edge: &Edge) -> &'m Action {
        self.process_type.action(edge.action)
    }

    /// Distances to the goals: `at` gives the remaining distance at a goal location, `by` after a goal edge.
    pub fn distances(&self, at: impl Fn(LocationId) -> Option<u32>, by: impl Fn(&Edge) -> Option<u32>) -> Distances {
        let mut found: Vec<Option<u32>> = (0..self.incoming.len()).map(|l| at(LocationId(l as u16))).collect();
        for edge in &self.edges {
            lower(&mut found[edge.from.0 as usize], by(edge).map(|d| d + 1));
        }
        let known =
            |(location, distance): (usize, &Option<u32>)| Some(Reverse((distance.as_ref().copied()?, location)));
        let mut open: BinaryHeap<Reverse<(u32, usize)>> = found.iter().enumerate().filter_map(known).collect();
        while let Some(Reverse((distance, location))) = open.pop() {
            checkpoint();
            if found[location] != Some(distance) {
                continue;
            }
            for &edge in &self.incoming[location] {
                let from = self.edges[edge as usize].from.0 as usize;
                if lower(&mut found[from], Some(distance + 1)) {
                    open.push(Reverse((distance + 1, from)));
                }
            }
        }
        Distances(found)
    }

    /// Distances from the initial location, forwards.
    pub fn depths(&self) -> Distances {
        let initial = [self.process_type.initial.0 as usize];
        let layers = breadth_first(self.incoming.len(), initial, |l| self.targets(l).map(|target| (target, false)));
        let mut found = vec![None; self.incoming.len()];
        for (layer, distance) in layers.into_iter().zip(0..) {
            layer.into_iter().for_each(|location| found[location] = Some(distance));
        }
        Distances(found)
    }

    /// The locations on cycles all of whose locations satisfy `inside`.
    pub fn on_cycles(&self, inside: impl Fn(LocationId) -> bool) -> Vec<LocationId> {
        let inside = |&l: &usize| inside(LocationId(l as u16));
        let all = 0..self.incoming.len();
        let successors: Vec<Vec<usize>> = all
            .clone()
            .map(|l| if inside(&l) { self.targets(l).filter(inside).collect() } else { Vec::new() })
            .collect();
        let components = components(&successors);
        all.filter(|&l| components.cyclic[components.of[l]]).map(|l| LocationId(l as u16)).collect()
    }

    fn targets(&self, location: usize) -> impl Iterator<Item = usize> {
        self.outgoing(LocationId(location as u16)).filter_map(|edge| edge.target).map(|target| target.0 as usize)
    }
}

/// Replaces a distance by a smaller one; returns whether it is smaller.
fn lower(known: &mut Option<u32>, offer: Option<u32>) -> bool {
    let smaller = offer.is_some_and(|new| known.is_none_or(|old| new < old));
    if smaller {
        *known = offer;
    }
    smaller
}
