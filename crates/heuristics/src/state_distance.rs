//! The control-flow distance between two states: the actions that the processes have to execute, if every guard is true, to
//! stand where they stand in the other state (the FSM distance of HSF-SPIN between states).

use std::collections::HashMap;

use lurcher_ir::analysis::{ControlFlow, Distances};
use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_system::{ProcessId, State};

/// What a process adds that cannot get to where it should stand, or that has to be created or to die.
const UNREACHABLE: u32 = 1000;

/// Distances of states from one that is set.
pub struct StateDistance<'m> {
    model: &'m Model,
    flows: Vec<Option<ControlFlow<'m>>>,
    /// The distances to a location of a process type.
    distances: HashMap<Place, Distances>,
    /// Where the claim and the processes stand in the state that distances lead to.
    aim: Vec<Place>,
}

/// A process type and a location of it.
type Place = (ProcessTypeId, LocationId);

impl<'m> StateDistance<'m> {
    /// Distances in a model, from no state yet.
    pub fn new(model: &'m Model) -> Self {
        let flows = (0..model.process_types.len()).map(|_| None).collect();
        StateDistance { model, flows, distances: HashMap::new(), aim: Vec::new() }
    }

    /// Sets the state that distances lead to, with the place of the claim if there is one.
    pub fn aim_at(&mut self, state: &State, claim: Option<(ProcessTypeId, LocationId)>) {
        self.aim = places(state, claim).collect();
        for &(process_type, location) in &self.aim {
            let flow = self.flows[usize::from(process_type.0)]
                .get_or_insert_with(|| ControlFlow::new(self.model.process_type(process_type), None));
            let at = |l| (l == location).then_some(0);
            self.distances.entry((process_type, location)).or_insert_with(|| flow.distances(at, |_| None));
        }
    }

    /// The sum of the distances of the processes and the claim.
    pub fn of(&self, state: &State, claim: Option<(ProcessTypeId, LocationId)>) -> u32 {
        let mut aims = self.aim.iter();
        let mut sum = 0;
        for (process_type, location) in places(state, claim) {
            let aim = aims.next().filter(|(aimed, _)| *aimed == process_type);
            let distance = aim.and_then(|aim| self.distances[aim].of(location));
            sum += distance.unwrap_or(UNREACHABLE);
        }
        sum + UNREACHABLE * aims.len() as u32
    }
}

/// Where the claim and the processes of a state stand.
fn places(state: &State, claim: Option<Place>) -> impl Iterator<Item = Place> + '_ {
    let of_process = |p| (state.process_type(ProcessId(p)), state.location(ProcessId(p)));
    claim.into_iter().chain((0..state.process_count()).map(of_process))
}
