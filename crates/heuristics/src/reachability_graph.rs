//! The reachability graph of a small model with the true distance of every state from a violation, for measurements of
//! heuristics.
//!
//! The interpreter lists the states, and distances spread backwards from the violations, in steps of a trace: one for an
//! action, two for a rendezvous, none if the claim moves alone. A deadlock or a broken invariant is a state, a failed
//! assertion is a step. Under a claim the goal is an accepting state on a cycle, or the claim's end: the distance is the
//! length of the prefix of a counterexample.
//!
//! For a large model random walks give a sample: the states they visit and the neighbours of these. A distance is then that
//! of the shortest path inside the sample, an upper bound of the true one.

use std::collections::HashMap;

use lurcher_ir::LocationId;
use lurcher_ir::graph::components;
use lurcher_resources::charge;
use lurcher_search::{SPLITMIX_STEP, splitmix64};
use lurcher_system::{Interpreter, Move, ProcessId, State, Violation};

use crate::goals::Target;

/// A state with the location of the claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    bytes: Box<[u8]>,
    holder: Option<ProcessId>,
    claim: LocationId,
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The number of the target state.
    pub target: u32,
    /// Its length in a trace.
    pub length: u32,
    /// The move of the system; none if only the claim moves.
    pub step: Option<Move>,
}

/// The reachable states of a model, or a sample of them.
#[derive(Debug, Default)]
pub struct ReachabilityGraph {
    exact: bool,
    nodes: Vec<Node>,
    transitions: Vec<Vec<Transition>>,
    /// The steps to a violation in the state itself or in one of its steps.
    goals: Vec<Option<u32>>,
    /// Whether the claim has ended or can end in its next step.
    ends: Vec<bool>,
    distances: Vec<Option<u32>>,
}

impl ReachabilityGraph {
    /// Lists all states; none if there are more than `limit` or the model has no initial state.
    pub fn explore(interpreter: &Interpreter<'_>, target: &Target, limit: usize) -> Option<Self> {
        let mut explorer = Explorer::new(interpreter, target)?;
        let mut next = 0;
        while next < explorer.graph.len() {
            if explorer.is_full(limit) {
                return None;
            }
            explorer.expand(next);
            next += 1;
        }
        Some(explorer.finish())
    }

    /// Takes a sample by uniform random walks; the same seed gives the same sample. It ends early at more than `limit`
    /// states, neighbours included. None if the model has no initial state.
    pub fn sample(
        interpreter: &Interpreter<'_>,
        target: &Target,
        seed: u64,
        walks: usize,
        depth: usize,
        limit: usize,
    ) -> Option<Self> {
        let mut explorer = Explorer::new(interpreter, target)?;
        let mut expanded = vec![false];
        let mut draw = seed;
        for _ in 0..walks {
            let mut at = 0;
            for _ in 0..depth {
                if !std::mem::replace(&mut expanded[at], true) {
                    explorer.expand(at);
                    expanded.resize(explorer.graph.len(), false);
                }
                let transitions = &explorer.graph.transitions[at];
                if transitions.is_empty() || explorer.is_full(limit) {
                    break;
                }
                at = transitions[(splitmix64(draw) % transitions.len() as u64) as usize].target as usize;
                draw = draw.wrapping_add(SPLITMIX_STEP);
            }
        }
        explorer.graph.exact = expanded.iter().all(|e| *e);
        Some(explorer.finish())
    }

    /// Whether these are all states, so that distances are exact.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Loads a state and returns the location of the claim.
    pub fn load(&self, interpreter: &Interpreter<'_>, number: usize, state: &mut State) -> LocationId {
        let node = &self.nodes[number];
        state.load(interpreter.layout(), &node.bytes, node.holder);
        node.claim
    }

    /// The steps to the nearest violation; none if no violation is reachable.
    pub fn distance(&self, number: usize) -> Option<u32> {
        self.distances[number]
    }

    /// The transitions of a state.
    pub fn transitions(&self, number: usize) -> &[Transition] {
        &self.transitions[number]
    }
}

struct Explorer<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    target: &'a Target,
    known: HashMap<Node, u32>,
    graph: ReachabilityGraph,
    /// Bytes of all states.
    bytes: usize,
}

/// The most bytes of all states.
const MOST_BYTES: usize = 64 << 20;

impl<'a, 'm> Explorer<'a, 'm> {
    fn is_full(&self, limit: usize) -> bool {
        self.graph.len() > limit || self.bytes > MOST_BYTES
    }

    /// A graph of the initial state.
    fn new(interpreter: &'a Interpreter<'m>, target: &'a Target) -> Option<Self> {
        let graph = ReachabilityGraph { exact: true, ..ReachabilityGraph::default() };
        let mut explorer = Explorer { interpreter, target, known: HashMap::new(), graph, bytes: 0 };
        let claim = target.claim().map_or(LocationId(0), |id| interpreter.model().process_type(id).initial);
        explorer.number(&interpreter.initial().ok()?, claim);
        Some(explorer)
    }

    fn finish(self) -> ReachabilityGraph {
        let mut graph = self.graph;
        let mut incoming: Vec<Vec<(u32, u32)>> = vec![Vec::new(); graph.len()];
        for (from, row) in graph.transitions.iter().enumerate() {
            for transition in row {
                incoming[transition.target as usize].push((from as u32, transition.length));
            }
        }
        if matches!(self.target, Target::Claim(_)) {
            let targets = |row: &Vec<Transition>| row.iter().map(|t| t.target as usize).collect();
            let components = components(&graph.transitions.iter().map(targets).collect::<Vec<_>>());
            for (number, goal) in graph.goals.iter_mut().enumerate() {
                *goal = goal.filter(|_| components.cyclic[components.of[number]] || graph.ends[number]);
            }
        }
        graph.distances = goal_distances(&incoming, graph.goals.clone());
        graph
    }

    fn number(&mut self, state: &State, claim: LocationId) -> u32 {
        let node = Node { bytes: state.bytes().into(), holder: state.exclusive, claim };
        let next = self.graph.len() as u32;
        charge(4 + node.bytes.len() / 64);
        *self.known.entry(node).or_insert_with_key(|node| {
            self.graph.nodes.push(node.clone());
            self.bytes += node.bytes.len();
            self.graph.transitions.push(Vec::new());
            self.graph.goals.push(None);
            self.graph.ends.push(false);
            next
        })
    }

    fn expand(&mut self, number: usize) {
        let mut state = State::empty(self.interpreter.layout());
        let claim = self.graph.load(self.interpreter, number, &mut state);
        let mut moves = Vec::new();
        self.interpreter.moves(&state, &mut moves);
        let mut goal = self.is_goal(&state, claim, moves.is_empty()).then_some(0);
        let mut claims = vec![claim];
        if let Some(id) = self.target.claim() {
            let process_type = self.interpreter.model().process_type(id);
            self.graph.ends[number] = process_type.location(claim).end;
            if state.exclusive.is_none() {
                let timeout = moves.first().is_none_or(|m| m.timeout);
                let steps = self.interpreter.claim_steps(&state, id, claim, timeout, moves.is_empty());
                claims = steps.unwrap_or_default().iter().map(|s| s.target).collect();
                if claims.iter().any(|l| process_type.location(*l).end) {
                    goal = Some(0);
                    self.graph.ends[number] = true;
                }
            }
        }
        let mut transitions = Vec::new();
        for claim in claims {
            if moves.is_empty() && matches!(self.target, Target::Claim(_)) {
                let target = self.number(&state, claim);
                transitions.push(Transition { target, length: 0, step: None });
            }
            for step in &moves {
                charge(1 + state.bytes().len() / 64);
                let mut next = state.clone();
                let violation = self.interpreter.apply(&mut next, step);
                if matches!((&violation, self.target), (Some(Violation::Assertion(_)), Target::Assertion)) {
                    goal = Some(goal.map_or(step.length(), |g| g.min(step.length())));
                }
                if violation.is_none_or(|v| !v.is_fatal()) {
                    let target = self.number(&next, claim);
                    transitions.push(Transition { target, length: step.length(), step: Some(*step) });
                }
            }
        }
        self.graph.goals[number] = goal;
        self.graph.transitions[number] = transitions;
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

/// The distance of each state to a goal, given the incoming edges with their lengths and the distances of the goals.
pub(crate) fn goal_distances(incoming: &[Vec<(u32, u32)>], goals: Vec<Option<u32>>) -> Vec<Option<u32>> {
    let mut layers: Vec<Vec<u32>> = Vec::new();
    let open = |layers: &mut Vec<Vec<u32>>, node: u32, distance: u32| {
        layers.resize(layers.len().max(distance as usize + 1), Vec::new());
        layers[distance as usize].push(node);
    };
    for (node, goal) in goals.iter().enumerate() {
        goal.iter().for_each(|&g| open(&mut layers, node as u32, g));
    }
    let mut found = goals;
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
                    open(&mut layers, from, new);
                }
            }
        }
        distance += 1;
    }
    found
}
