//! The product of a model and a claim.
//!
//! The claim reads a state and moves, then the system moves; an atomic chain is one move of the system to the claim.
//! When the system has stopped, it stays where it is and the claim goes on alone (Spin's stutter extension). As in
//! Spin, `np_` is false from the claim's second look at such a state on, so where a claim asks for it, a node tells
//! whether the system has stayed where it is. A node is the bytes of a state, the holder of exclusive control, the
//! location of the claim, and with weak fairness the round of Choueka's construction:
//!
//! * round 0 waits for an accepting node;
//! * round i + 1 waits for process i to move, or not to be able to;
//! * when every process has had its round, the node is one that an accepting cycle must pass.
//!
//! So a cycle through such nodes is a cycle through an accepting node in which no process is neglected for ever.
//! As in Spin, a process that could only answer a rendezvous does not count as able to move.

use lurcher_exec::{Machine, Move, ProcessId, State, Violation};
use lurcher_ir::{Action, Expr, LocationId, Model, ProcessTypeId};

use crate::coverage::Coverage;
use crate::reduction::Reduction;
use crate::space::{NodeInfo, Space, Step};
use crate::store::Cut;
use crate::system::{push_holder, split_holder};

/// What watches the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nothing: only the system's own accepting locations count.
    None,
    /// A claim of the model; the system's accepting locations count as well.
    Process(ProcessTypeId),
    /// A claim of the model; the system's accepting locations do not count.
    Alone(ProcessTypeId),
}

impl Claim {
    /// The claim's process type.
    pub fn process_type(self) -> Option<ProcessTypeId> {
        match self {
            Claim::None => None,
            Claim::Process(id) | Claim::Alone(id) => Some(id),
        }
    }

    /// Does the claim ask whether there is no progress?
    pub(crate) fn asks_progress(self, model: &Model) -> bool {
        let asks = |a: &Action| {
            let mut found = false;
            a.kind.exprs(&mut |e| found |= e.any(&|e| matches!(e, Expr::NonProgress)));
            found
        };
        self.process_type().is_some_and(|id| model.process_type(id).actions.iter().any(asks))
    }

    /// Do the system's accepting locations count?
    pub fn counts_system(self) -> bool {
        !matches!(self, Claim::Alone(_))
    }
}

/// Every process has had its round.
const DONE: u16 = u16::MAX;

/// A model and a claim.
#[derive(Debug)]
pub struct Product<M> {
    machine: M,
    claim: Claim,
    fair: bool,
    /// The claim asks for `np_`.
    asks_progress: bool,
    state: State,
    moves: Vec<Move>,
    /// Chooses steps that suffice; none lists all.
    reduction: Option<Reduction>,
    coverage: Coverage,
}

/// A node taken apart.
struct Node<'n> {
    bytes: &'n [u8],
    holder: Option<ProcessId>,
    claim: LocationId,
    /// The system has stayed where it is, and the claim can tell.
    stayed: bool,
    round: u16,
}

/// Marks the claim's location in a node in which the system has stayed where it is.
const STAYED: u16 = 0x8000;

impl<M: Machine> Product<M> {
    /// The product; with `fair`, cycles that neglect a process do not count.
    pub fn new(machine: M, claim: Claim, fair: bool) -> Self {
        let state = State::empty(machine.layout());
        let coverage = Coverage::new(machine.model());
        let asks_progress = claim.asks_progress(machine.model());
        Product { machine, claim, fair, asks_progress, state, moves: Vec::new(), reduction: None, coverage }
    }

    /// Lists only steps that suffice, and goes on where a single one does. Not to be used with fairness.
    pub fn reduced(self, reduction: Option<Reduction>) -> Self {
        Product { reduction, ..self }
    }

    /// What was executed.
    pub fn coverage(&self) -> Coverage {
        self.coverage.clone()
    }

    fn split<'n>(&self, node: &'n [u8]) -> Node<'n> {
        let (rest, tail) = node.split_at(node.len() - 4);
        let word = |i: usize| u16::from_le_bytes([tail[i], tail[i + 1]]);
        let (bytes, holder) = split_holder(rest);
        Node { bytes, holder, claim: LocationId(word(0) & !STAYED), stayed: word(0) & STAYED != 0, round: word(2) }
    }

    fn join(&self, node: &mut Vec<u8>, claim: LocationId, stayed: bool, round: u16) {
        let mark = if stayed && self.asks_progress { STAYED } else { 0 };
        node.clear();
        node.extend_from_slice(self.state.bytes());
        push_holder(node, &self.state);
        node.extend_from_slice(&(claim.0 | mark).to_le_bytes());
        node.extend_from_slice(&round.to_le_bytes());
    }

    fn load(&mut self, node: &Node<'_>) {
        self.state.load(self.machine.layout(), node.bytes, node.holder);
    }

    fn claim_accepts(&self, claim: LocationId) -> bool {
        let model = self.machine.model();
        self.claim.process_type().is_some_and(|id| model.process_type(id).location(claim).accept)
    }

    /// Is the loaded state accepting, fairness aside?
    fn accepting(&self, claim: LocationId) -> bool {
        let system =
            || self.claim.counts_system() && self.machine.interpreter().any_location(&self.state, |l| l.accept);
        self.claim_accepts(claim) || system()
    }

    /// The round after a move out of the loaded state.
    fn next_round(&mut self, node: &Node<'_>, step: Option<&Move>) -> u16 {
        if !self.fair {
            return 0;
        }
        let mut round = if node.round == DONE { 0 } else { node.round };
        if round == 0 {
            if node.holder.is_some() || !self.accepting(node.claim) {
                return 0;
            }
            round = 1;
        }
        self.machine.moves(&self.state, &mut self.moves);
        loop {
            let waiting_for = ProcessId(round - 1);
            if waiting_for.0 >= self.state.process_count() {
                return DONE;
            }
            let moved = step.is_some_and(|m| m.process == waiting_for || m.partner.is_some_and(|p| p.0 == waiting_for));
            let able = node.holder.is_some() || self.moves.iter().any(|m| m.process == waiting_for);
            if !moved && able {
                return round;
            }
            round += 1;
        }
    }
}

impl<M: Machine> Space for Product<M> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        self.state = self.machine.initial()?;
        let initial = |id| self.machine.model().process_type(id).initial;
        let claim = self.claim.process_type().map_or(LocationId(0), initial);
        self.join(node, claim, false, 0);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        let node = self.split(node);
        self.load(&node);
        steps.clear();
        let mut info = NodeInfo::default();
        match &mut self.reduction {
            Some(reduction) => reduction.list(&self.machine, &self.state, &mut self.moves),
            None => self.machine.moves(&self.state, &mut self.moves),
        }
        let claim = match self.claim.process_type() {
            Some(id) if node.holder.is_none() => id,
            _ => {
                steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim: None }));
                // Without a claim, a run that stops goes on where it is.
                if self.moves.is_empty() {
                    steps.push(Step { system: None, claim: None });
                }
                return info;
            }
        };
        let process_type = self.machine.model().process_type(claim);
        info.claim_ended = process_type.location(node.claim).end;
        let stopped = self.moves.is_empty();
        let timeout = stopped || self.moves[0].timeout;
        match self.machine.interpreter().claim_steps(&self.state, claim, node.claim, timeout, node.stayed) {
            Ok(choices) => {
                for (index, choice) in choices.iter().enumerate() {
                    let claim = Some(index as u16);
                    info.violation = info.violation.or_else(|| choice.violation.clone());
                    info.claim_ended |= process_type.location(choice.target).end;
                    if stopped {
                        steps.push(Step { system: None, claim });
                    }
                    steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim }));
                }
            }
            Err(fault) => {
                info.violation = Some(Violation::Fault { fault, span: process_type.span, fatal: true, half: false })
            }
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let node = self.split(node);
        self.load(&node);
        let mut claim = node.claim;
        if let (Some(id), Some(choice)) = (self.claim.process_type(), step.claim) {
            let timeout = step.system.is_none_or(|m| m.timeout);
            let choices = self.machine.interpreter().claim_steps(&self.state, id, node.claim, timeout, node.stayed);
            claim = choices.expect("steps() found it").swap_remove(choice as usize).target;
        }
        let round = self.next_round(&node, step.system.as_ref());
        let mut violation = None;
        if let Some(taken) = &step.system {
            let Product { machine, state, coverage, moves, .. } = self;
            coverage.note(machine.interpreter(), state, taken);
            violation = machine.apply(state, taken);
            if let Some(reduction) = self.reduction.as_mut().filter(|_| violation.is_none()) {
                let note = |state: &State, step: &Move| coverage.note(machine.interpreter(), state, step);
                violation = reduction.go_on(machine, state, moves, note);
            }
        }
        self.join(next, claim, step.system.is_none(), round);
        violation
    }

    fn cut(&self) -> Cut {
        Cut::Frames(self.machine.layout().clone())
    }

    fn counts(&self, node: &[u8]) -> bool {
        self.split(node).holder.is_none()
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        let node = self.split(node);
        if self.fair {
            return node.round == DONE;
        }
        self.load(&node);
        node.holder.is_none() && self.accepting(node.claim)
    }
}
