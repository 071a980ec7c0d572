//! The state space of a state machine, or of its product with an automaton.
//!
//! States are interned: each is kept once, under a number, and a node is that number and the automaton's state. One node more,
//! the root, stands before the initial states; it counts neither as a state nor as a step.

use lurcher_ir::Buchi;
use lurcher_ir::analysis::ClaimComponents;
use lurcher_search::{ClaimComponent, Edge, NodeInfo, Space};
use lurcher_system::Violation;
use rustc_hash::FxHashMap;

use super::{HEURISTIC_MAX, OwnStep, StateMachine};

/// An edge: the step, and the node it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnEdge {
    pub step: OwnStep,
    to: u32,
    location: u32,
}

impl Edge for OwnEdge {
    fn length(&self) -> u32 {
        u32::from(matches!(self.step, OwnStep::Action(_)))
    }

    fn length_with(&self, _: &Violation) -> u32 {
        self.length()
    }
}

/// The node before the initial states.
const ROOT: u32 = u32::MAX;

/// The state space of a state machine.
pub struct OwnSpace<'m, M: StateMachine> {
    machine: &'m M,
    automaton: Option<&'m Buchi>,
    components: Option<ClaimComponents>,
    states: Vec<M::State>,
    numbers: FxHashMap<Box<[u8]>, u32>,
    /// Bytes of all encodings.
    encoded: u64,
    bytes: Vec<u8>,
    actions: Vec<M::Action>,
}

impl<'m, M: StateMachine> OwnSpace<'m, M> {
    pub fn new(machine: &'m M, automaton: Option<&'m Buchi>) -> Self {
        OwnSpace {
            machine,
            automaton,
            components: automaton.map(ClaimComponents::of_automaton),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            encoded: 0,
            bytes: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// The state machine's own heuristic value of a node.
    pub fn heuristic(&self, node: &[u8]) -> u32 {
        let state = &self.states[split(node).0 as usize];
        self.machine.heuristic(state).map_or(HEURISTIC_MAX, |value| value.min(HEURISTIC_MAX))
    }

    /// The number of a state.
    fn intern(&mut self, state: M::State) -> u32 {
        self.bytes.clear();
        self.machine.encode(&state, &mut self.bytes);
        if let Some(&known) = self.numbers.get(&self.bytes[..]) {
            return known;
        }
        let number = self.states.len() as u32;
        self.encoded += self.bytes.len() as u64;
        self.numbers.insert(self.bytes.as_slice().into(), number);
        self.states.push(state);
        number
    }
}

fn split(node: &[u8]) -> (u32, u32) {
    let word = |at: usize| u32::from_le_bytes([node[at], node[at + 1], node[at + 2], node[at + 3]]);
    (word(0), word(4))
}

fn write(node: &mut Vec<u8>, state: u32, location: u32) {
    node.clear();
    node.extend_from_slice(&state.to_le_bytes());
    node.extend_from_slice(&location.to_le_bytes());
}

/// The states of an automaton that follow one when it reads a state; the same location without an automaton.
pub(super) fn follow<M: StateMachine>(
    machine: &M,
    automaton: Option<&Buchi>,
    location: u32,
    state: &M::State,
    locations: &mut Vec<u32>,
) {
    locations.clear();
    let Some(automaton) = automaton else {
        locations.push(location);
        return;
    };
    for edge in &automaton.states[location as usize].edges {
        if edge.guard.iter().all(|l| machine.holds(l.atom.0 as usize, state) == l.positive) {
            locations.push(edge.target as u32);
        }
    }
}

impl<M: StateMachine> Space for OwnSpace<'_, M> {
    type Step = OwnEdge;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        write(node, ROOT, 0);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<OwnEdge>) -> NodeInfo {
        let (number, location) = split(node);
        let mut info = NodeInfo::default();
        steps.clear();
        if number == ROOT {
            for (index, state) in self.machine.initial().into_iter().enumerate() {
                let to = self.intern(state);
                steps.push(OwnEdge { step: OwnStep::Initial(index as u32), to, location });
            }
            return info;
        }
        let state = self.states[number as usize].clone();
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.machine.actions(&state, &mut actions);
        let mut locations = Vec::new();
        follow(self.machine, self.automaton, location, &state, &mut locations);
        for (index, action) in actions.iter().enumerate() {
            let mut next = state.clone();
            self.machine.apply(&mut next, action);
            let to = self.intern(next);
            let step = OwnStep::Action(index as u32);
            steps.extend(locations.iter().map(|&location| OwnEdge { step, to, location }));
        }
        match self.automaton {
            None => {
                info.deadlock = actions.is_empty() && !self.machine.is_end(&state);
                info.invariant_broken = !self.machine.invariant(&state);
            }
            // An infinite run stays where no action is enabled.
            Some(_) if actions.is_empty() => {
                let stay = |&location: &u32| OwnEdge { step: OwnStep::Stay, to: number, location };
                steps.extend(locations.iter().map(stay));
            }
            Some(_) => {}
        }
        self.actions = actions;
        info
    }

    fn take(&mut self, _: &[u8], step: &OwnEdge, next: &mut Vec<u8>) -> Option<Violation> {
        write(next, step.to, step.location);
        None
    }

    fn counts(&self, node: &[u8]) -> bool {
        split(node).0 != ROOT
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        let (number, location) = split(node);
        number != ROOT && self.automaton.is_some_and(|a| a.states[location as usize].accepting)
    }

    fn component(&self, node: &[u8]) -> ClaimComponent {
        let location = split(node).1 as usize;
        let of = |c: &ClaimComponents| ClaimComponent {
            number: c.component(location) as u16,
            acceptance: c.acceptance(location),
        };
        self.components.as_ref().map_or(ClaimComponent::ONLY, of)
    }

    fn is_root(&self, node: &[u8]) -> bool {
        split(node).0 == ROOT
    }

    /// An estimate: states may own memory that only they know of.
    fn memory(&self) -> u64 {
        self.encoded * 2 + (self.states.capacity() * (std::mem::size_of::<M::State>() + 32)) as u64
    }
}
