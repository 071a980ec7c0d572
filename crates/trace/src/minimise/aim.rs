//! How far a state is from another, at least.
//!
//! Every step moves one process along one edge of its control-flow graph, or two processes and counts twice. So to get
//! from one state to another takes at least the sum, over the processes, of the distances between their locations.
//! As a guide towards a state of the trail this never overestimates, and where processes hardly disturb each other it is
//! nearly exact.

use std::collections::VecDeque;

use lurcher_ir::{LocationId, ProcessType, ProcessTypeId};
use lurcher_system::{Interpreter, ProcessId, State};
use rustc_hash::FxHashMap;

use crate::minimise::quest::Position;

/// No way.
const NEVER: u32 = u32::MAX;

/// Distances to the locations of one state.
pub(crate) struct Aim {
    /// For each process of the target: its type and the distance from each of its locations.
    targets: Vec<(ProcessTypeId, usize)>,
    tables: Vec<Vec<u32>>,
}

impl Aim {
    /// Aims at the locations of a position, given as bytes.
    pub fn at(interpreter: &Interpreter<'_>, node: &[u8]) -> Aim {
        let mut position = Position { state: State::empty(interpreter.layout()), claim: Vec::new() };
        position.unpack(interpreter, node);
        let (model, target) = (interpreter.model(), &position.state);
        let mut known: FxHashMap<(ProcessTypeId, LocationId), usize> = FxHashMap::default();
        let mut aim = Aim { targets: Vec::new(), tables: Vec::new() };
        for id in (0..target.process_count()).map(ProcessId) {
            let (ty, location) = (target.process_type(id), target.location(id));
            let table = *known.entry((ty, location)).or_insert_with(|| {
                aim.tables.push(distances(model.process_type(ty), location));
                aim.tables.len() - 1
            });
            aim.targets.push((ty, table));
        }
        aim
    }

    /// The least number of steps from a state; none when there is no way.
    pub fn distance(&self, state: &State) -> Option<u32> {
        let mut sum = 0;
        for (id, &(ty, table)) in (0..state.process_count()).map(ProcessId).zip(&self.targets) {
            // A process of another type will have to die first; nothing is known about what follows.
            if state.process_type(id) == ty {
                match self.tables[table][state.location(id).0 as usize] {
                    NEVER => return None,
                    distance => sum += distance,
                }
            }
        }
        Some(sum)
    }
}

/// The distance from each location to one of them.
fn distances(process_type: &ProcessType, target: LocationId) -> Vec<u32> {
    let mut back = vec![Vec::new(); process_type.locations.len()];
    for (from, location) in process_type.locations.iter().enumerate() {
        for branch in &location.branches {
            back[branch.target.0 as usize].push(from);
        }
    }
    let mut distance = vec![NEVER; back.len()];
    distance[target.0 as usize] = 0;
    let mut open = VecDeque::from([target.0 as usize]);
    while let Some(at) = open.pop_front() {
        for &from in &back[at] {
            if distance[from] == NEVER {
                distance[from] = distance[at] + 1;
                open.push_back(from);
            }
        }
    }
    distance
}
