//! The product of a model and a claim.
//!
//! The claim reads a state and moves, then the system moves; an atomic chain is one move of the system. When the system
//! has stopped, it stays in its state and the claim moves alone (Spin's stutter extension). As in Spin, `np_` is false from
//! the claim's second move in such a state on; so if the claim reads `np_`, a node records whether the system has stuttered.
//! A node is an encoded state, the location of the claim, and with weak fairness the round of Choueka's construction:
//!
//! * round 0 waits for an accepting node;
//! * round i + 1 waits until process i moves or is blocked;
//! * a node behind the last round is accepting.
//!
//! So a cycle through such nodes is a cycle through an accepting node that is fair to every process. As in Spin, a process
//! that could only receive in a rendezvous counts as blocked.

mod cached;
mod claim;
mod claim_cache;
mod fairness;
mod location_tests;
mod tail;
mod tail_cache;

use lurcher_ir::analysis::{Acceptance, ClaimComponents};
use lurcher_ir::{LocationId, ProcessRole, ProcessType, ProcessTypeId};
use lurcher_system::{Fault, Machine, Move, State, Violation};

use crate::claim_table::ClaimTable;
use crate::coverage::Coverage;
use crate::reduction::AmpleMoves;
use crate::space::{ClaimComponent, NodeInfo, Space, StateSpace, Step};
use crate::state_graph::{AllMoves, CachedSelection, Cursor, MoveSelection, decode_node, encode_node};
use crate::store::Partition;

pub use cached::CachedProduct;
pub use claim::Claim;
use fairness::{DONE, next_round};
use tail::{STUTTERED, Tail, split};

/// The product of a model and a claim.
#[derive(Debug)]
pub struct Product<M, S = AllMoves> {
    cursor: Cursor<M, S>,
    claim: Claim,
    table: Option<ClaimTable>,
    /// By location of the claim.
    components: Vec<ClaimComponent>,
    /// Only fair cycles count.
    fair: bool,
    /// The claim reads `np_`.
    reads_progress: bool,
    /// The system has accepting locations that count.
    system_accepts: bool,
    /// The rest of the loaded node.
    tail: Tail,
    /// The claim's moves in the loaded node, with what they violate; and whether they were listed with `timeout` true.
    claim_moves: Vec<(LocationId, Option<Violation>)>,
    listed_for: Option<bool>,
}

impl<M: Machine> Product<M> {
    /// The product; with `fair`, only cycles that are weakly fair to every process count.
    pub fn new(machine: M, claim: Claim, fair: bool) -> Self {
        let model = machine.model();
        let accepts = |p: &ProcessType| p.role == ProcessRole::System && p.locations.iter().any(|l| l.accept);
        let system_accepts = claim.counts_system() && model.process_types.iter().any(accepts);
        let of_claim = |id| components(model.process_type(id), system_accepts, fair);
        Product {
            table: claim.process_type().and_then(|id| ClaimTable::new(&machine, id)),
            components: claim.process_type().map_or_else(|| vec![ClaimComponent::ONLY], of_claim),
            reads_progress: claim.reads_progress(model),
            system_accepts,
            cursor: Cursor::new(machine, AllMoves),
            claim,
            fair,
            tail: Tail { claim: LocationId(0), stuttered: false, round: 0 },
            claim_moves: Vec::new(),
            listed_for: None,
        }
    }

    /// Explores only ample moves, and merges chains of single ones into edges. Not to be used with fairness.
    pub fn reduced(self, ample: AmpleMoves) -> Product<M, AmpleMoves> {
        let Product {
            cursor,
            claim,
            table,
            components,
            fair,
            reads_progress,
            system_accepts,
            tail,
            claim_moves,
            listed_for,
        } = self;
        let cursor = Cursor::new(cursor.machine, ample);
        Product {
            cursor,
            claim,
            table,
            components,
            fair,
            reads_progress,
            system_accepts,
            tail,
            claim_moves,
            listed_for,
        }
    }
}

impl<M: Machine, S: CachedSelection> Product<M, S> {
    /// Adds a transition cache.
    pub fn cached(self) -> CachedProduct<M, S> {
        CachedProduct::new(self)
    }
}

impl<M: Machine, S: MoveSelection> Product<M, S> {
    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.cursor.coverage()
    }

    /// The node of a state with the claim at a location, in round 0.
    pub fn node(&self, state: &State, claim: LocationId, node: &mut Vec<u8>) {
        self.encode(state, node, Tail { claim, stuttered: false, round: 0 });
    }

    fn encode(&self, state: &State, node: &mut Vec<u8>, tail: Tail) {
        encode_node(state, node);
        let stuttered = tail.stuttered && self.reads_progress;
        node.extend_from_slice(&Tail { stuttered, ..tail }.suffix());
    }

    fn load(&mut self, node: &[u8]) {
        let (state, tail) = split(node);
        self.cursor.load(decode_node(state));
        self.tail = tail;
        self.listed_for = None;
    }

    /// Lists the claim's moves.
    fn list_claim_moves(&mut self, claim: ProcessTypeId, timeout: bool) -> Result<(), Fault> {
        if self.listed_for == Some(timeout) {
            return Ok(());
        }
        let Cursor { machine, here, .. } = &self.cursor;
        let moves = &mut self.claim_moves;
        moves.clear();
        match &self.table {
            Some(table) => table.targets(machine, here, self.tail.claim, |target| moves.push((target, None)))?,
            None => {
                let Tail { claim: from, stuttered, .. } = self.tail;
                let steps = machine.interpreter().claim_steps(here, claim, from, timeout, stuttered)?;
                moves.extend(steps.into_iter().map(|s| (s.target, s.violation)));
            }
        }
        self.listed_for = Some(timeout);
        Ok(())
    }

    fn claim_accepts(&self, claim: LocationId) -> bool {
        let model = self.cursor.machine.model();
        self.claim.process_type().is_some_and(|id| model.process_type(id).location(claim).accept)
    }

    /// Whether the loaded node is accepting, without fairness.
    fn accepts(&self) -> bool {
        let Cursor { machine, here, .. } = &self.cursor;
        let system = || self.system_accepts && machine.interpreter().any_location(here, |l| l.accept);
        self.claim_accepts(self.tail.claim) || system()
    }

    /// The round behind a move.
    fn next_round(&mut self, step: Option<&Move>) -> u16 {
        if !self.fair {
            return 0;
        }
        let held = self.cursor.here.exclusive.is_some();
        let accepts = !held && matches!(self.tail.round, 0 | DONE) && self.accepts();
        self.cursor.list();
        let Cursor { here, moves, .. } = &self.cursor;
        next_round(self.tail.round, accepts, here.process_count(), |process| {
            let moved = step.is_some_and(|m| m.process == process || m.partner.is_some_and(|p| p.0 == process));
            moved || !held && moves.iter().all(|m| m.process != process)
        })
    }
}

/// The component of each location of a claim, with what is known of its cycles in the product. Accepting locations of the
/// system make cycles accepting in any component. With fairness, a cycle is accepting only if it is fair, too.
fn components(claim: &ProcessType, system_accepts: bool, fair: bool) -> Vec<ClaimComponent> {
    let components = ClaimComponents::of_claim(claim);
    let component = |location| {
        let acceptance = match components.acceptance(location) {
            Acceptance::NonAccepting if system_accepts => Acceptance::PartiallyAccepting,
            Acceptance::FullyAccepting if fair => Acceptance::PartiallyAccepting,
            acceptance => acceptance,
        };
        ClaimComponent { number: components.component(location) as u16, acceptance }
    };
    (0..claim.locations.len()).map(component).collect()
}

impl<M: Machine, S: MoveSelection> StateSpace for Product<M, S> {
    fn empty_state(&self) -> State {
        State::empty(self.cursor.machine.layout())
    }

    fn decode(&self, node: &[u8], state: &mut State) -> LocationId {
        let (node, tail) = split(node);
        let (bytes, holder) = decode_node(node);
        state.load(self.cursor.machine.layout(), bytes, holder);
        tail.claim
    }
}

impl<M: Machine, S: MoveSelection> Space for Product<M, S> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        let machine = &self.cursor.machine;
        let initial = |id| machine.model().process_type(id).initial;
        let claim = self.claim.process_type().map_or(LocationId(0), initial);
        self.node(&machine.initial()?, claim, node);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        self.load(node);
        self.cursor.list();
        steps.clear();
        let mut info = NodeInfo::default();
        let stopped = self.cursor.moves.is_empty();
        let claim = match self.claim.process_type() {
            Some(id) if self.cursor.here.exclusive.is_none() => id,
            _ => {
                steps.extend(self.cursor.moves.iter().map(|&m| Step::of(m)));
                // Without a claim, a run that stops stutters.
                if stopped {
                    steps.push(Step { system: None, claim: None });
                }
                return info;
            }
        };
        let listed = self.list_claim_moves(claim, stopped || self.cursor.moves[0].timeout);
        let process_type = self.cursor.machine.model().process_type(claim);
        info.claim_ended = process_type.location(self.tail.claim).end;
        if let Err(fault) = listed {
            info.violation = Some(Violation::Fault { fault, span: process_type.span, fatal: true, half: false });
            return info;
        }
        for (index, (target, violation)) in self.claim_moves.iter().enumerate() {
            let claim = Some(index as u16);
            info.violation = info.violation.or_else(|| violation.clone());
            info.claim_ended |= process_type.location(*target).end;
            if stopped {
                steps.push(Step { system: None, claim });
            }
            steps.extend(self.cursor.moves.iter().map(|&m| Step { system: Some(m), claim }));
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.load(node);
        self.follow(node, step, next)
    }

    fn follow(&mut self, _: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let mut claim = self.tail.claim;
        if let (Some(id), Some(choice)) = (self.claim.process_type(), step.claim) {
            let timeout = step.system.is_none_or(|m| m.timeout);
            self.list_claim_moves(id, timeout).expect("steps() listed the claim's moves");
            claim = self.claim_moves[choice as usize].0;
        }
        let round = self.next_round(step.system.as_ref());
        let violation = self.cursor.follow(step.system.as_ref());
        self.encode(&self.cursor.there, next, Tail { claim, stuttered: step.system.is_none(), round });
        violation
    }

    fn partition(&self) -> Partition {
        Partition::frames(self.cursor.machine.layout())
    }

    fn counts(&self, node: &[u8]) -> bool {
        decode_node(split(node).0).1.is_none()
    }

    fn component(&self, node: &[u8]) -> ClaimComponent {
        self.components[split(node).1.claim.0 as usize]
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        let (state, tail) = split(node);
        if self.fair {
            return tail.round == DONE;
        }
        if decode_node(state).1.is_some() {
            return false;
        }
        if !self.system_accepts {
            return self.claim_accepts(tail.claim);
        }
        self.load(node);
        self.accepts()
    }
}
