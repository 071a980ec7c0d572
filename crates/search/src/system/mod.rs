//! The states of a model as a space, whichever machine runs it.
//!
//! A node is the bytes of a state and two more: which process holds exclusive control, plus one. Nodes with a holder
//! lie between two stored states; keeping them in the store as well is what makes loops inside `atomic` end. It is enough
//! to keep one now and then, and those where the holder has a choice: where it has none, an edge may lead on.

mod breed;
mod by_heart;
mod detours;

use lurcher_ir::Expr;
use lurcher_system::{Machine, Move, ProcessId, State, Violation};

use self::by_heart::ByHeart;
use self::detours::Detours;
use crate::coverage::{Coverage, Recorder};
use crate::recall::{self, Recall};
use crate::reduction::Reduction;
use crate::shared::Offspring;
use crate::space::{BEHIND, NodeInfo, Space, Step};
use crate::store::{Cut, StoreFull};

/// The states of a model.
#[derive(Debug)]
pub struct System<M> {
    machine: M,
    /// The node that was looked at last.
    here: State,
    /// The one that an edge of it leads to; between two edges, a copy of `here` that one of them may have changed.
    there: State,
    moves: Vec<Move>,
    /// Holds in every state, or the state is a violation.
    invariants: Vec<Expr>,
    /// Look for invalid end states.
    end_states: bool,
    /// Chooses steps that suffice; none lists all.
    reduction: Option<Reduction>,
    /// With a reduction: the moves that suffice in `there`, if that is where an edge ended.
    ahead: Vec<Move>,
    ended: bool,
    /// Edges lead on inside `atomic` while there is one step only.
    leads_on: bool,
    /// What processes did before, where nothing else is asked of a state.
    recall: Option<Box<Recall>>,
    node: Vec<u8>,
    /// Ends of chains of steps that suffice, and the nodes of one.
    detours: Detours<u8>,
    chain: Vec<Vec<u8>>,
    /// What is needed to find them without running the model; made when it is.
    heart: Option<Box<ByHeart>>,
    /// How many steps the last one has led on.
    behind: u32,
    executed: Recorder,
}

impl<M: Machine> System<M> {
    /// The states of a model; with `end_states`, a state where nothing can move must be a valid end state.
    pub fn new(machine: M, invariants: Vec<Expr>, end_states: bool) -> Self {
        let (here, there) = (State::empty(machine.layout()), State::empty(machine.layout()));
        let executed = Recorder::new(machine.model());
        System {
            machine,
            here,
            there,
            moves: Vec::new(),
            invariants,
            end_states,
            reduction: None,
            ahead: Vec::new(),
            ended: false,
            leads_on: false,
            recall: None,
            node: Vec::new(),
            detours: Detours::default(),
            chain: Vec::new(),
            heart: None,
            behind: 0,
            executed,
        }
    }

    /// Makes edges lead on inside `atomic` while there is one step only, and remembers what processes do.
    pub fn leading_on(self) -> Self {
        let recall = self.invariants.is_empty().then(|| Box::new(Recall::new(self.machine.model())));
        System { leads_on: true, recall, ..self }
    }

    /// Lists only steps that suffice, and goes on where a single one does.
    pub fn reduced(self, reduction: Option<Reduction>) -> Self {
        System { reduction, ..self }
    }

    /// What was executed.
    pub fn coverage(&self) -> Coverage {
        self.executed.coverage().clone()
    }

    /// Takes the steps that are the only ones inside `atomic`. Tells of each before it is taken.
    fn lead_on(&mut self, mut taken: impl FnMut(&Move)) -> Option<Violation> {
        let System { machine, there, ahead, executed, .. } = self;
        self.behind = 0;
        while self.behind < BEHIND
            && let Some(holder) = there.exclusive
        {
            machine.moves(there, ahead);
            let &[only] = ahead.as_slice() else { return None };
            if only.process != holder || only.partner.is_some() {
                return None;
            }
            taken(&only);
            executed.note(machine.interpreter(), there, &only);
            self.behind += 1;
            if let Some(violation) = machine.apply(there, &only) {
                return Some(violation);
            }
        }
        None
    }

    fn enter(&mut self, node: &[u8]) {
        let (bytes, holder) = split_holder(node);
        self.here.load(self.machine.layout(), bytes, holder);
        self.there.copy_from(&self.here);
        self.ended = false;
    }

    /// Enters a node and lists its moves, with a reduction those that suffice.
    fn look_at(&mut self, node: &[u8]) {
        let (bytes, holder) = split_holder(node);
        let known = self.ended && self.there.bytes() == bytes && self.there.exclusive == holder;
        self.enter(node);
        if known {
            std::mem::swap(&mut self.moves, &mut self.ahead);
        } else if let Some(reduction) = &mut self.reduction {
            reduction.list(&self.machine, &self.here, &mut self.moves);
        } else {
            self.machine.moves(&self.here, &mut self.moves);
        }
    }
}

/// Makes a node of a state.
fn write_node(state: &State, node: &mut Vec<u8>) {
    node.clear();
    node.extend_from_slice(state.bytes());
    push_holder(node, state);
}

/// Appends who holds exclusive control.
pub(crate) fn push_holder(node: &mut Vec<u8>, state: &State) {
    node.extend_from_slice(&state.exclusive.map_or(0, |p| p.0 + 1).to_le_bytes());
}

/// Splits a node into the state's bytes and the holder of exclusive control.
pub(crate) fn split_holder(node: &[u8]) -> (&[u8], Option<ProcessId>) {
    let (bytes, holder) = node.split_at(node.len() - 2);
    let holder = u16::from_le_bytes([holder[0], holder[1]]);
    (bytes, holder.checked_sub(1).map(ProcessId))
}

impl<M: Machine> Space for System<M> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        write_node(&self.machine.initial()?, node);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        self.look_at(node);
        steps.clear();
        steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim: None }));
        let mut info = NodeInfo::default();
        if self.here.exclusive.is_none() {
            let stuck = self.moves.is_empty() && self.here.process_count() > 0;
            info.deadlock = self.end_states && stuck && !self.machine.is_valid_end(&self.here);
            for invariant in &self.invariants {
                info.invariant_broken |= !self.machine.holds(&self.here, invariant).unwrap_or(false);
            }
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.enter(node);
        self.follow(node, step, next)
    }

    fn follow(&mut self, _: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let taken = step.system.expect("a system always moves");
        (self.ended, self.behind) = (false, 0);
        match &self.reduction {
            None => self.there.restore(&self.here),
            // Many steps may lie behind, and processes may have come and gone.
            Some(_) => self.there.copy_from(&self.here),
        }
        let System { machine, there, executed, .. } = self;
        executed.note(machine.interpreter(), &self.here, &taken);
        let mut violation = machine.apply(there, &taken);
        if let Some(reduction) = self.reduction.as_mut().filter(|_| violation.is_none()) {
            let note = |state: &State, step: &Move| executed.note(machine.interpreter(), state, step);
            violation = reduction.go_on(machine, there, &mut self.ahead, note);
            self.ended = violation.is_none();
        } else if self.leads_on && violation.is_none() {
            violation = self.lead_on(|_| ());
        }
        write_node(&self.there, next);
        violation
    }

    fn behind(&self) -> u32 {
        self.behind
    }

    fn write_out(&mut self, path: Vec<Step>) -> Vec<Step> {
        if !self.leads_on || self.reduction.is_some() {
            return path;
        }
        let Ok(initial) = self.machine.initial() else { return path };
        self.there.copy_from(&initial);
        let mut whole = Vec::new();
        for step in path {
            let taken = step.system.expect("a system always moves");
            whole.push(step);
            if self.machine.apply(&mut self.there, &taken).is_none() {
                self.lead_on(|m| whole.push(Step { system: Some(*m), claim: None }));
            }
        }
        whole
    }

    fn breed(&mut self, offspring: &mut Offspring<'_>) -> Result<Option<u64>, StoreFull> {
        let Some(mut recall) = self.recall.take() else { return Ok(None) };
        let bred = match &self.reduction {
            None => self.breed_all(&mut recall, offspring),
            Some(_) => self.breed_sufficient(&mut recall, offspring),
        };
        self.recall = Some(recall);
        bred
    }

    fn memory(&self) -> u64 {
        let by_heart = self.heart.as_ref().map_or(0, |h| h.memory());
        self.recall.as_ref().map_or(0, |r| r.memory()) + self.detours.memory() + by_heart
    }

    fn cut(&self) -> Cut {
        // What processes do is remembered by the parts that they see.
        let cuts =
            self.recall.as_ref().map_or_else(Vec::new, |_| recall::cuts(self.machine.model(), self.machine.layout()));
        Cut::Frames(self.machine.layout().clone(), cuts)
    }

    fn counts(&self, node: &[u8]) -> bool {
        split_holder(node).1.is_none()
    }

    fn is_accepting(&mut self, _: &[u8]) -> bool {
        false
    }
}
