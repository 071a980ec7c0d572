//! The states of a relation under numbers.

use std::ops::ControlFlow;

use lurcher_ir::relation::{Domain, Relation, VariableId};
use lurcher_system::Path;
use lurcher_system::relation::{Halt, Packing, Stepper};

use crate::budget::{Budget, StopReason};
use crate::store::{Partition, StateId, Store};

/// Successors between two checks of the deadline.
const CHECK_INTERVAL: u32 = 4096;

/// The states of a relation that were met, each stored once, packed, under a number. Some inputs may be part of a state.
#[derive(Debug)]
pub(super) struct NumberedStates {
    pub stepper: Stepper,
    packing: Packing,
    store: Store,
    /// The inputs that are part of a state, with their domains.
    inputs: Vec<(usize, Domain)>,
    budget: Budget,
    /// The state that was loaded last.
    pub loaded: Vec<i64>,
    next: Vec<i64>,
    bytes: Vec<u8>,
}

impl NumberedStates {
    /// No states yet. These inputs are part of a state.
    pub fn new(relation: &Relation, inputs: &[VariableId], budget: &Budget) -> Self {
        let mut stepper = Stepper::with_inputs(relation, inputs, &[]);
        stepper.set_total_effort(budget.effort.unwrap_or(u64::MAX));
        NumberedStates {
            stepper,
            packing: Packing::with(relation, |v| inputs.contains(&v)),
            store: Store::new(Partition::Whole, budget.resources.memory),
            inputs: inputs.iter().map(|v| (v.0 as usize, relation.variable(*v).domain.clone())).collect(),
            budget: budget.clone(),
            loaded: vec![0; relation.variables.len()],
            next: vec![0; relation.variables.len()],
            bytes: Vec::new(),
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.store.memory()
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Loads a state.
    pub fn load(&mut self, number: u32) {
        self.packing.unpack(self.store.load(StateId(number)), &mut self.loaded);
    }

    /// Lists the successors of a state, or the initial states: sorted, no two equal. Returns why they are incomplete, if they
    /// are.
    pub fn list(&mut self, from: Option<u32>, targets: &mut Vec<u32>) -> Option<StopReason> {
        if let Some(number) = from {
            self.load(number);
        }
        let NumberedStates { stepper, packing, store, inputs, budget, loaded, next, bytes } = self;
        let (mut stop, mut inserted) = (None, 0u32);
        targets.clear();
        let mut insert = |state: &[i64]| {
            packing.pack(state, bytes);
            match store.insert(bytes) {
                Ok((id, _)) => targets.push(id.0),
                Err(_) => stop = Some(StopReason::Memory),
            }
            inserted = inserted.wrapping_add(1);
            if inserted.is_multiple_of(CHECK_INTERVAL) {
                stop = stop.or_else(|| budget.stop_reason());
            }
            stop.is_none()
        };
        let mut note = |successor: &[i64]| {
            next.copy_from_slice(successor);
            while insert(next) {
                if !next_inputs(inputs, next) {
                    return ControlFlow::Continue(());
                }
            }
            ControlFlow::Break(())
        };
        let done = match from {
            None => stepper.initial(note),
            Some(_) => stepper.successors(loaded, |step| note(step.next)),
        };
        targets.sort_unstable();
        targets.dedup();
        match done {
            Err(Halt::Effort) => Some(StopReason::Successors),
            Err(Halt::Limit(limit)) => Some(limit.into()),
            _ => stop,
        }
    }

    /// The path through some states; why there is none if a limit was reached.
    pub fn path(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        cycle_start: Option<usize>,
    ) -> Result<Path<Vec<i64>>, StopReason> {
        let resources = self.budget.resources.with_grace();
        let _scope = resources.enter();
        let state = |number| {
            self.load(number);
            self.loaded.clone()
        };
        let steps = numbers.map(state).collect();
        // The search has found each of these steps with the effort of one call.
        self.stepper.set_total_effort(u64::MAX);
        let path = Path { steps, cycle_start }.with_inputs(&mut self.stepper);
        path.ok_or_else(|| resources.reached().map_or(StopReason::Successors, StopReason::from))
    }
}

/// Sets the next combination of inputs; false, and the first combination, after the last one.
fn next_inputs(inputs: &[(usize, Domain)], valuation: &mut [i64]) -> bool {
    for (input, domain) in inputs {
        let code = domain.code(valuation[*input]).expect("a value of the domain") + 1;
        if code < domain.size() {
            valuation[*input] = domain.value(code);
            return true;
        }
        valuation[*input] = domain.value(0);
    }
    false
}
