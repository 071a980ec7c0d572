//! The reachable states of a small model, and how far each really is from a violation.
//!
//! This is what heuristics are measured against: the states are listed by a forward search with the interpreter, and
//! distances spread backwards from the violations, counting steps as traces do (one for an action, two for a
//! rendezvous, none for a claim that moves alone). A deadlock or a broken invariant is a state, a failed assertion is
//! a step. Under a claim, distance is to an accepting state that lies on a cycle of accepting ones, or to the claim's
//! end: the length of the prefix of a counterexample.
//!
//! Where there are too many states, random walks give a sample: the states they pass and the neighbours of these. A
//! distance is then the shortest way inside the sample, and so an upper bound of the true one.

use std::collections::HashMap;

use lurcher_ir::LocationId;
use lurcher_system::{Interpreter, Move, ProcessId, State, Violation};

use crate::components::components;
use crate::goals::Target;

/// A state, and where the claim stands in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    bytes: Box<[u8]>,
    holder: Option<ProcessId>,
    claim: LocationId,
}

/// An edge between reachable states.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// The number of the state it leads to.
    pub target: u32,
    /// Its length in a trace.
    pub length: u32,
    /// What the system does; none when only the claim moves.
    pub step: Option<Move>,
}

/// All reachable states.
#[derive(Debug, Default)]
pub struct Reached {
    exact: bool,
    nodes: Vec<Node>,
    arrows: Vec<Vec<Arrow>>,
    /// Length of the shortest step or none that ends in a violation right here.
    goals: Vec<Option<u32>>,
    /// Can the claim come to its end here?
    ends: Vec<bool>,
    distances: Vec<Option<u32>>,
}

impl Reached {
    /// Lists the states; none when there are more than `limit` or the model cannot start.
    pub fn explore(interpreter: &Interpreter<'_>, target: &Target, limit: usize) -> Option<Reached> {
        let mut explorer = Explorer::new(interpreter, target)?;
        let mut next = 0;
        while next < explorer.reached.nodes.len() {
            if explorer.reached.nodes.len() > limit {
                return None;
            }
            explorer.expand(next);
            next += 1;
        }
        Some(explorer.finish())
    }

    /// Takes a sample by walks that choose uniformly among the moves; the same seed gives the same sample. It ends
    /// early when it has more than `limit` states, neighbours included. None when the model cannot start.
    pub fn sample(
        interpreter: &Interpreter<'_>,
        target: &Target,
        seed: u64,
        walks: usize,
        depth: usize,
        limit: usize,
    ) -> Option<Reached> {
        let mut explorer = Explorer::new(interpreter, target)?;
        let mut expanded = vec![false];
        let mut draw = seed;
        for _ in 0..walks {
            let mut at = 0;
            for _ in 0..depth {
                if !std::mem::replace(&mut expanded[at], true) {
                    explorer.expand(at);
                    expanded.resize(explorer.reached.nodes.len(), false);
                }
                let arrows = &explorer.reached.arrows[at];
                if arrows.is_empty() || expanded.len() > limit {
                    break;
                }
                at = arrows[(next_draw(&mut draw) % arrows.len() as u64) as usize].target as usize;
            }
        }
        explorer.reached.exact = expanded.iter().all(|e| *e);
        Some(explorer.finish())
    }

    /// Are these all the states, so that distances are exact?
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no state?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Loads a state, and says where the claim stands in it.
    pub fn load(&self, interpreter: &Interpreter<'_>, number: usize, state: &mut State) -> LocationId {
        let node = &self.nodes[number];
        state.load(interpreter.layout(), &node.bytes, node.holder);
        node.claim
    }

    /// The steps to the nearest violation; none when there is none ahead.
    pub fn distance(&self, number: usize) -> Option<u32> {
        self.distances[number]
    }

    /// The edges of a state.
    pub fn arrows(&self, number: usize) -> &[Arrow] {
        &self.arrows[number]
    }

    /// Under a claim, only accepting states on cycles are goals.
    fn close_cycles(&mut self, target: &Target, interpreter: &Interpreter<'_>) {
        let Target::Claim(claim) = target else { return };
        let targets: Vec<Vec<u32>> = self.arrows.iter().map(|a| a.iter().map(|a| a.target).collect()).collect();
        let component = components(&targets);
        let mut cyclic = vec![false; targets.len()];
        for (from, targets) in targets.iter().enumerate() {
            for &to in targets {
                if component[from] == component[to as usize] {
                    cyclic[component[from] as usize] = true;
                }
            }
        }
        let process_type = claim.process_type().map(|id| interpreter.model().process_type(id));
        for (number, goal) in self.goals.iter_mut().enumerate() {
            let at_end = process_type.is_some_and(|p| p.location(self.nodes[number].claim).end);
            let ended = at_end || self.ends[number];
            if !cyclic[component[number] as usize] && !ended {
                *goal = None;
            }
        }
    }
}

struct Explorer<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    target: &'a Target,
    known: HashMap<Node, u32>,
    reached: Reached,
}

impl<'a, 'm> Explorer<'a, 'm> {
    /// Starts with the initial state.
    fn new(interpreter: &'a Interpreter<'m>, target: &'a Target) -> Option<Self> {
        let mut explorer = Explorer { interpreter, target, known: HashMap::new(), reached: Reached::default() };
        explorer.reached.exact = true;
        let claim = explorer.claim().map_or(LocationId(0), |id| interpreter.model().process_type(id).initial);
        explorer.number(&interpreter.initial().ok()?, claim);
        Some(explorer)
    }

    fn finish(self) -> Reached {
        let mut reached = self.reached;
        reached.close_cycles(self.target, self.interpreter);
        reached.distances = spread(&reached.arrows, &reached.goals);
        reached
    }

    fn claim(&self) -> Option<lurcher_ir::ProcessTypeId> {
        match self.target {
            Target::Claim(claim) => claim.process_type(),
            _ => None,
        }
    }

    fn number(&mut self, state: &State, claim: LocationId) -> u32 {
        let node = Node { bytes: state.bytes().into(), holder: state.exclusive, claim };
        let next = self.reached.nodes.len() as u32;
        *self.known.entry(node).or_insert_with_key(|node| {
            self.reached.nodes.push(node.clone());
            self.reached.arrows.push(Vec::new());
            self.reached.goals.push(None);
            self.reached.ends.push(false);
            next
        })
    }

    fn expand(&mut self, number: usize) {
        let mut state = State::empty(self.interpreter.layout());
        let claim = self.reached.load(self.interpreter, number, &mut state);
        let mut moves = Vec::new();
        self.interpreter.moves(&state, &mut moves);
        let mut goal = self.is_goal(&state, claim, moves.is_empty()).then_some(0);
        let mut claims = vec![claim];
        if let (Some(id), None) = (self.claim(), state.exclusive) {
            let timeout = moves.first().is_none_or(|m| m.timeout);
            let steps = self.interpreter.claim_steps(&state, id, claim, timeout, moves.is_empty()).unwrap_or_default();
            claims = steps.iter().map(|s| s.target).collect();
            if claims.iter().any(|l| self.interpreter.model().process_type(id).location(*l).end) {
                goal = Some(0);
                self.reached.ends[number] = true;
            }
        }
        let watched = matches!(self.target, Target::Claim(_));
        let mut arrows = Vec::new();
        for claim in claims {
            if moves.is_empty() && watched {
                let target = self.number(&state, claim);
                arrows.push(Arrow { target, length: 0, step: None });
            }
            for step in &moves {
                let mut next = state.clone();
                let violation = self.interpreter.apply(&mut next, step);
                if matches!((&violation, self.target), (Some(Violation::Assertion(_)), Target::Assertion)) {
                    goal = Some(goal.map_or(step.length(), |g| g.min(step.length())));
                }
                if violation.is_none_or(|v| !v.is_fatal()) {
                    let target = self.number(&next, claim);
                    arrows.push(Arrow { target, length: step.length(), step: Some(*step) });
                }
            }
        }
        self.reached.goals[number] = goal;
        self.reached.arrows[number] = arrows;
    }

    fn is_goal(&self, state: &State, at: LocationId, stuck: bool) -> bool {
        if state.exclusive.is_some() {
            return false;
        }
        match self.target {
            Target::Deadlock => stuck && state.process_count() > 0 && !self.interpreter.is_valid_end(state),
            Target::Assertion => false,
            Target::Invariant(e) => !self.interpreter.holds(state, e).unwrap_or(false),
            Target::Claim(claim) => {
                let model = self.interpreter.model();
                let own = claim.process_type().map(|id| model.process_type(id).location(at));
                let system = claim.counts_system() && self.interpreter.any_location(state, |l| l.accept);
                own.is_some_and(|l| l.accept || l.end) || system
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood): good enough to choose among moves.
fn next_draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Distances backwards from the goals: layers by length, nearest first.
fn spread(arrows: &[Vec<Arrow>], goals: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut incoming: Vec<Vec<(u32, u32)>> = vec![Vec::new(); arrows.len()];
    for (from, row) in arrows.iter().enumerate() {
        for arrow in row {
            incoming[arrow.target as usize].push((from as u32, arrow.length));
        }
    }
    backwards(&incoming, goals)
}

/// The shortest distance to a goal over edges given by their targets, with what remains at each goal.
pub(crate) fn backwards(incoming: &[Vec<(u32, u32)>], goals: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut found = goals.to_vec();
    let mut layers: Vec<Vec<u32>> = Vec::new();
    let wait = |layers: &mut Vec<Vec<u32>>, node: u32, distance: u32| {
        layers.resize(layers.len().max(distance as usize + 1), Vec::new());
        layers[distance as usize].push(node);
    };
    for (node, goal) in goals.iter().enumerate() {
        goal.iter().for_each(|&g| wait(&mut layers, node as u32, g));
    }
    let mut distance = 0;
    while (distance as usize) < layers.len() {
        while let Some(node) = layers[distance as usize].pop() {
            if found[node as usize] != Some(distance) {
                continue;
            }
            for &(from, length) in &incoming[node as usize] {
                let new = distance + length;
                let known = &mut found[from as usize];
                if known.is_none_or(|old| new < old) {
                    *known = Some(new);
                    wait(&mut layers, from, new);
                }
            }
        }
        distance += 1;
    }
    found
}
