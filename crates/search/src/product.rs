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

use lurcher_ir::{Action, Expr, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId};
use lurcher_system::{Fault, Machine, Move, ProcessId, State, Violation};

use crate::claim_table::ClaimTable;
use crate::coverage::{Coverage, Recorder};
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
    table: Option<ClaimTable>,
    fair: bool,
    /// The claim asks for `np_`.
    asks_progress: bool,
    /// Locations of the system can be accepting, and count.
    system_accepts: bool,
    /// The state of the node that was looked at last, and the rest of that node.
    here: State,
    at: Tail,
    /// What can happen there, once it was asked for.
    moves: Vec<Move>,
    listed: bool,
    /// Where the claim can go from there, and what it asserts on the way; with a timeout or without.
    ways: Vec<(LocationId, Option<Violation>)>,
    ways_for: Option<bool>,
    /// The state that an edge leads to; between two edges, a copy of `here` that one of them may have changed.
    there: State,
    /// Chooses steps that suffice; none lists all.
    reduction: Option<Reduction>,
    /// With a reduction: the moves that suffice in `there`, where an edge ended.
    ahead: Vec<Move>,
    executed: Recorder,
}

/// What a node has beside a state.
#[derive(Clone, Copy, Debug)]
struct Tail {
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
        let (here, there) = (State::empty(machine.layout()), State::empty(machine.layout()));
        let model = machine.model();
        let accepts = |p: &ProcessType| p.role == ProcessRole::System && p.locations.iter().any(|l| l.accept);
        Product {
            table: claim.process_type().and_then(|id| ClaimTable::new(&machine, id)),
            asks_progress: claim.asks_progress(model),
            system_accepts: claim.counts_system() && model.process_types.iter().any(accepts),
            executed: Recorder::new(model),
            machine,
            claim,
            fair,
            here,
            at: Tail { claim: LocationId(0), stayed: false, round: 0 },
            moves: Vec::new(),
            listed: false,
            ways: Vec::new(),
            ways_for: None,
            there,
            reduction: None,
            ahead: Vec::new(),
        }
    }

    /// Lists only steps that suffice, and goes on where a single one does. Not to be used with fairness.
    pub fn reduced(self, reduction: Option<Reduction>) -> Self {
        Product { reduction, ..self }
    }

    /// What was executed.
    pub fn coverage(&self) -> Coverage {
        self.executed.coverage().clone()
    }

    /// The node of a state with the claim at a location, outside rounds of fairness.
    pub fn node(&self, state: &State, claim: LocationId, node: &mut Vec<u8>) {
        self.join(state, node, claim, false, 0);
    }

    fn join(&self, state: &State, node: &mut Vec<u8>, claim: LocationId, stayed: bool, round: u16) {
        let mark = if stayed && self.asks_progress { STAYED } else { 0 };
        node.clear();
        node.extend_from_slice(state.bytes());
        push_holder(node, state);
        node.extend_from_slice(&(claim.0 | mark).to_le_bytes());
        node.extend_from_slice(&round.to_le_bytes());
    }

    fn enter(&mut self, node: &[u8]) {
        let (bytes, holder, tail) = split(node);
        self.here.load(self.machine.layout(), bytes, holder);
        self.there.copy_from(&self.here);
        self.at = tail;
        (self.listed, self.ways_for) = (false, None);
    }

    /// Lists what can happen.
    fn list(&mut self) {
        if !self.listed {
            match &mut self.reduction {
                Some(reduction) => reduction.list(&self.machine, &self.here, &mut self.moves),
                None => self.machine.moves(&self.here, &mut self.moves),
            }
            self.listed = true;
        }
    }

    /// Lists where the claim can go.
    fn list_ways(&mut self, claim: ProcessTypeId, timeout: bool) -> Result<(), Fault> {
        if self.ways_for == Some(timeout) {
            return Ok(());
        }
        self.ways.clear();
        match &self.table {
            Some(table) => {
                let ways = &mut self.ways;
                table.targets(&self.machine, &self.here, self.at.claim, |target| ways.push((target, None)))?;
            }
            None => {
                let interpreter = self.machine.interpreter();
                let steps = interpreter.claim_steps(&self.here, claim, self.at.claim, timeout, self.at.stayed)?;
                self.ways.extend(steps.into_iter().map(|s| (s.target, s.violation)));
            }
        }
        self.ways_for = Some(timeout);
        Ok(())
    }

    fn claim_accepts(&self, claim: LocationId) -> bool {
        let model = self.machine.model();
        self.claim.process_type().is_some_and(|id| model.process_type(id).location(claim).accept)
    }

    /// Is the node accepting, fairness aside?
    fn accepting(&self) -> bool {
        let system = || self.system_accepts && self.machine.interpreter().any_location(&self.here, |l| l.accept);
        self.claim_accepts(self.at.claim) || system()
    }

    /// The round after a move.
    fn next_round(&mut self, step: Option<&Move>) -> u16 {
        if !self.fair {
            return 0;
        }
        let held = self.here.exclusive.is_some();
        let mut round = if self.at.round == DONE { 0 } else { self.at.round };
        if round == 0 {
            if held || !self.accepting() {
                return 0;
            }
            round = 1;
        }
        self.list();
        loop {
            let waiting_for = ProcessId(round - 1);
            if waiting_for.0 >= self.here.process_count() {
                return DONE;
            }
            let moved = step.is_some_and(|m| m.process == waiting_for || m.partner.is_some_and(|p| p.0 == waiting_for));
            let able = held || self.moves.iter().any(|m| m.process == waiting_for);
            if !moved && able {
                return round;
            }
            round += 1;
        }
    }
}

/// Takes a node apart: the bytes of a state, the holder of exclusive control, the rest.
fn split(node: &[u8]) -> (&[u8], Option<ProcessId>, Tail) {
    let (rest, tail) = node.split_at(node.len() - 4);
    let word = |i: usize| u16::from_le_bytes([tail[i], tail[i + 1]]);
    let (bytes, holder) = split_holder(rest);
    (bytes, holder, Tail { claim: LocationId(word(0) & !STAYED), stayed: word(0) & STAYED != 0, round: word(2) })
}

impl<M: Machine> Space for Product<M> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        let state = self.machine.initial()?;
        let initial = |id| self.machine.model().process_type(id).initial;
        let claim = self.claim.process_type().map_or(LocationId(0), initial);
        self.join(&state, node, claim, false, 0);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        self.enter(node);
        self.list();
        steps.clear();
        let mut info = NodeInfo::default();
        let claim = match self.claim.process_type() {
            Some(id) if self.here.exclusive.is_none() => id,
            _ => {
                steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim: None }));
                // Without a claim, a run that stops goes on where it is.
                if self.moves.is_empty() {
                    steps.push(Step { system: None, claim: None });
                }
                return info;
            }
        };
        let stopped = self.moves.is_empty();
        let timeout = stopped || self.moves[0].timeout;
        let listed = self.list_ways(claim, timeout);
        let process_type = self.machine.model().process_type(claim);
        info.claim_ended = process_type.location(self.at.claim).end;
        if let Err(fault) = listed {
            info.violation = Some(Violation::Fault { fault, span: process_type.span, fatal: true, half: false });
            return info;
        }
        for (index, (target, violation)) in self.ways.iter().enumerate() {
            let claim = Some(index as u16);
            info.violation = info.violation.or_else(|| violation.clone());
            info.claim_ended |= process_type.location(*target).end;
            if stopped {
                steps.push(Step { system: None, claim });
            }
            steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim }));
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.enter(node);
        self.follow(node, step, next)
    }

    fn follow(&mut self, _: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let mut claim = self.at.claim;
        if let (Some(id), Some(choice)) = (self.claim.process_type(), step.claim) {
            let timeout = step.system.is_none_or(|m| m.timeout);
            self.list_ways(id, timeout).expect("steps() found it");
            claim = self.ways[choice as usize].0;
        }
        let round = self.next_round(step.system.as_ref());
        let mut violation = None;
        match &self.reduction {
            None => self.there.restore(&self.here),
            // Many steps may lie behind, and processes may have come and gone.
            Some(_) => self.there.copy_from(&self.here),
        }
        if let Some(taken) = &step.system {
            let Product { machine, there, executed, ahead, .. } = self;
            executed.note(machine.interpreter(), &self.here, taken);
            violation = machine.apply(there, taken);
            if let Some(reduction) = self.reduction.as_mut().filter(|_| violation.is_none()) {
                let note = |state: &State, step: &Move| executed.note(machine.interpreter(), state, step);
                violation = reduction.go_on(machine, there, ahead, note);
            }
        }
        self.join(&self.there, next, claim, step.system.is_none(), round);
        violation
    }

    fn cut(&self) -> Cut {
        Cut::Frames(self.machine.layout().clone(), Vec::new())
    }

    fn counts(&self, node: &[u8]) -> bool {
        split(node).1.is_none()
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        let (_, holder, tail) = split(node);
        if self.fair {
            return tail.round == DONE;
        }
        if holder.is_some() {
            return false;
        }
        if !self.system_accepts {
            return self.claim_accepts(tail.claim);
        }
        self.enter(node);
        self.accepting()
    }
}
