//! The machines of a relation.
//!
//! With one transition every machine moves in each step; with several, one transition is drawn for each step: LURCH's
//! synchronous and asynchronous execution.
//!
//! An LTL formula is watched as a fair run: of a relation that was extended with the automaton of its negation, whose
//! acceptance is justice. Such a relation watches one formula; invariants and deadlock can be watched beside it.

use lurcher_ir::relation::Relation;
use lurcher_system::Path;
use lurcher_system::relation::{Formulas, Packing, Stepper};
use xxhash_rust::xxh3::xxh3_64;

use crate::outcome::FoundKind;
use crate::relation::{Fairness, RelationSubject, fair_inputs};
use crate::walk::Draws;

use super::{Machines, Moved};

/// The machines of a relation.
#[derive(Debug)]
pub struct RelationMachines {
    stepper: Stepper,
    packing: Packing,
    invariants: Formulas,
    fairness: Option<Fairness>,
    deadlock: bool,
    state: Vec<i64>,
    next: Vec<i64>,
    bytes: Vec<u8>,
    position: u32,
    recording: bool,
    /// The states left so far, each with the inputs of the step out of it, while recording.
    path: Vec<Vec<i64>>,
}

impl RelationMachines {
    /// What finds successors, to be given native code before the search begins.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.stepper
    }

    /// The machines of a relation and what is watched.
    pub fn new(relation: &Relation, subject: &RelationSubject) -> Self {
        let observed = if subject.fair { fair_inputs(relation) } else { Vec::new() };
        RelationMachines {
            stepper: Stepper::with_inputs(relation, &[], &observed),
            packing: Packing::new(relation),
            invariants: Formulas::new(relation, &subject.invariants),
            fairness: subject.fair.then(|| Fairness::new(relation)),
            deadlock: subject.deadlock,
            state: vec![0; relation.variables.len()],
            next: vec![0; relation.variables.len()],
            bytes: Vec::new(),
            position: 0,
            recording: false,
            path: Vec::new(),
        }
    }
}

impl Machines for RelationMachines {
    type Run = Path<Vec<i64>>;

    fn watched(&self) -> Option<usize> {
        Some(self.invariants.len() + usize::from(self.deadlock) + usize::from(self.fairness.is_some()))
    }

    fn start(&mut self, draws: &mut Draws, record: bool) -> bool {
        self.recording = record;
        self.position = 0;
        self.path.clear();
        if let Some(fairness) = &mut self.fairness {
            fairness.clear();
        }
        match self.stepper.sample_initial(|n| draws.below(n), |_| true) {
            Ok(Some(initial)) => self.state.copy_from_slice(initial),
            _ => return false,
        }
        true
    }

    fn look(&mut self, violated: &mut Vec<FoundKind>) {
        self.invariants.evaluate(&self.state);
        let broken = (0..self.invariants.len()).filter(|&i| !self.invariants.is_true(i));
        violated.extend(broken.map(|i| FoundKind::Watched(i as u32)));
    }

    fn fingerprint(&mut self) -> u64 {
        self.packing.pack(&self.state, &mut self.bytes);
        xxh3_64(&self.bytes)
    }

    fn step(&mut self, draws: &mut Draws, violated: &mut Vec<FoundKind>) -> Moved {
        match self.stepper.sample_successor(&self.state, |n| draws.below(n), |_| true) {
            Ok(Some(step)) => {
                self.state.copy_from_slice(step.now);
                self.next.copy_from_slice(step.next);
            }
            Ok(None) => {
                violated.extend(self.deadlock.then_some(FoundKind::Deadlock));
                return Moved::End;
            }
            Err(_) => return Moved::End,
        }
        if let Some(fairness) = &mut self.fairness {
            fairness.leave(&self.state, self.position);
        }
        if self.recording {
            self.path.push(self.state.clone());
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.position += 1;
        Moved::On
    }

    fn closes(&mut self, first: u32) -> bool {
        self.fairness.as_ref().is_some_and(|f| f.is_fair_since(first))
    }

    fn run(&mut self, cycle_start: Option<u32>) -> Path<Vec<i64>> {
        let mut states = std::mem::take(&mut self.path);
        if cycle_start.is_none() {
            states.push(self.state.clone());
        }
        Path { steps: states, cycle_start: cycle_start.map(|p| p as usize) }
    }
}
