//! Location distance: a lower bound on the steps between two states.
//!
//! Every step moves one process along one edge of its control-flow graph; a rendezvous moves two and counts twice. So the
//! sum of the distances between the locations of the processes is admissible. It is nearly exact where processes hardly
//! interact.

use std::collections::VecDeque;

use lurcher_ir::{LocationId, ProcessType, ProcessTypeId};
use lurcher_system::{Interpreter, ProcessId, State};
use rustc_hash::FxHashMap;

use super::goal::Position;

/// The target is unreachable.
const UNREACHABLE: u32 = u32::MAX;

/// Distances to the locations of one state.
pub(super) struct LocationDistance {
    /// For each process of the target: its type, and the table of its location.
    targets: Vec<(ProcessTypeId, usize)>,
    /// Distances by location.
    tables: Vec<Vec<u32>>,
}

impl LocationDistance {
    /// Distances to the locations of an encoded position.
    pub fn to(interpreter: &Interpreter<'_>, node: &[u8]) -> Self {
        let mut position = Position { state: State::empty(interpreter.layout()), claim: Vec::new() };
        position.unpack(interpreter, node);
        let (model, target) = (interpreter.model(), &position.state);
        let mut known: FxHashMap<(ProcessTypeId, LocationId), usize> = FxHashMap::default();
        let (mut targets, mut tables) = (Vec::new(), Vec::new());
        for id in (0..target.process_count()).map(ProcessId) {
            let (ty, location) = (target.process_type(id), target.location(id));
            let table = *known.entry((ty, location)).or_insert_with(|| {
                tables.push(distances(model.process_type(ty), location));
                tables.len() - 1
            });
            targets.push((ty, table));
        }
        LocationDistance { targets, tables }
    }

    /// A lower bound on the steps from a state; none if the target is unreachable.
    pub fn from(&self, state: &State) -> Option<u32> {
        let mut sum = 0;
        for (id, &(ty, table)) in (0..state.process_count()).map(ProcessId).zip(&self.targets) {
            // A process of another type has to end first; its successor is unknown.
            if state.process_type(id) == ty {
                match self.tables[table][state.location(id).0 as usize] {
                    UNREACHABLE => return None,
                    distance => sum += distance,
                }
            }
        }
        Some(sum)
    }
}

/// The distance from each location to one of them.
fn distances(process_type: &ProcessType, target: LocationId) -> Vec<u32> {
    let mut predecessors = vec![Vec::new(); process_type.locations.len()];
    for (from, location) in process_type.locations.iter().enumerate() {
        for branch in &location.branches {
            predecessors[branch.target.0 as usize].push(from);
        }
    }
    let mut distance = vec![UNREACHABLE; predecessors.len()];
    distance[target.0 as usize] = 0;
    let mut open = VecDeque::from([target.0 as usize]);
    while let Some(at) = open.pop_front() {
        for &from in &predecessors[at] {
            if distance[from] == UNREACHABLE {
                distance[from] = distance[at] + 1;
                open.push_back(from);
            }
        }
    }
    distance
}
