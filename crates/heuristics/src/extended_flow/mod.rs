//! Distances over extended finite state machines (EFSM; the family of distance heuristics in table 2 of Rungta and Mercer 2007).
//!
//! The FSM distance looks at the control flow alone. Here a control state is a location together with the *known* values of the
//! data that decide branches: local variables of guards, assertions and arguments, what they are computed from, and `_pid`.
//!
//! * *Data guards*: constants are propagated along the control flow; assignments compute with them, a guard `x == 3` that was
//!   passed tells a value, a receive forgets one. Branches whose guards are false for what is known are left out, and so are
//!   assertions that hold.
//! * *Calls*: `run` leads to the first control state of the created process with its arguments, so that a creator is as near
//!   as the process that it creates *with these arguments*: the call context of the e-FCA distance. A created process does not
//!   return to its creator. What it sends back is data of the model, and guards on global data are taken as true.
//!
//! Control states are explored forwards from the initial processes; distances spread backwards from the goals. A state of the
//! model may be covered by several control states that know different data; the greatest of their distances counts, because
//! each is a lower bound. Where the search has reset dead variables none may cover it; then the least distance of the location is taken.
//!
//! Like the control flow, the graph has every behaviour of a process and more. So the estimate is admissible for assertions
//! (the minimum over the processes) and for deadlocks (the sum of their distances from control states in which they can block),
//! by the reasons given for the state forms of [`LocalDistance`](crate::LocalDistance). It is consistent where no dead variable is reset. For invariants
//! and claims it is the sum, and neither.

mod control;
mod graph;

use std::collections::BTreeSet;

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};

use crate::combination::{Combination, StateForm};
use crate::goals::{GoalSet, Goals, Target};
use crate::heuristic::Estimate;
use control::{Control, SLOTS, Slot};
use graph::Graph;

/// Distances over extended finite state machines.
#[derive(Debug)]
pub struct ExtendedFlow<'m> {
    interpreter: Interpreter<'m>,
    target: Target,
    graph: Graph<'m>,
    /// By process type and location: which data are unknown in the control states there; empty if nothing is tracked.
    unknown: Vec<Vec<Vec<u8>>>,
    /// By claim location; one without a claim.
    stages: Vec<Stage>,
    combination: Combination,
}

/// The distances while the claim is at one location.
#[derive(Debug)]
struct Stage {
    /// By node.
    nodes: Vec<u32>,
    /// By process type and location: the least over its control states.
    locations: Vec<Vec<u32>>,
}

impl<'m> ExtendedFlow<'m> {
    /// Builds the distances to a target. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn new(interpreter: &Interpreter<'m>, target: &Target) -> Self {
        let model = interpreter.model();
        let goals = Goals::of_target(model, target, GoalSet::Complete);
        let graph = Graph::new(model, goals.iter().any(|stage| !stage.named.is_empty()));
        let distances: Vec<Vec<Option<u32>>> = goals.iter().map(|stage| graph.distances(target, stage)).collect();
        let farthest = distances.iter().flatten().flatten().max();
        // Executing the assertion is one more step.
        let last = u32::from(matches!(target, Target::Assertion));
        let far = farthest.map_or(1, |farthest| farthest + last + 1);
        let stages = distances.iter().map(|found| Stage::new(&graph, found, last, far, interpreter)).collect();
        let combination = Combination::new(model, target, StateForm::of_target(target), far);
        let unknown = unknown(&graph, interpreter);
        ExtendedFlow { interpreter: interpreter.clone(), target: target.clone(), graph, unknown, stages, combination }
    }

    /// The number of control states.
    pub fn len(&self) -> usize {
        self.graph.nodes.len()
    }

    /// Whether there is no control state: the model has no process.
    pub fn is_empty(&self) -> bool {
        self.graph.nodes.is_empty()
    }

    fn of_process(&self, stage: &Stage, state: &State, process: ProcessId) -> u32 {
        let (ty, location) = (state.process_type(process), state.location(process));
        let at = (usize::from(ty.0), usize::from(location.0));
        let unknown = &self.unknown[at.0][at.1];
        let covering = (!unknown.is_empty()).then(|| self.control(state, process, ty, location)).and_then(|control| {
            let node = |&unknown: &u8| self.graph.numbers.get(&(ty, control.without(unknown)));
            unknown.iter().filter_map(node).map(|&node| stage.nodes[node as usize]).max()
        });
        covering.unwrap_or(stage.locations[at.0][at.1])
    }

    /// The control state of a process with all data known.
    fn control(&self, state: &State, process: ProcessId, ty: ProcessTypeId, location: LocationId) -> Control {
        let mut control = Control { location, unknown: 0, values: [0; SLOTS] };
        let locals = state.locals_at(self.interpreter.layout(), process);
        for (value, slot) in control.values.iter_mut().zip(self.graph.slots[usize::from(ty.0)].iter()) {
            *value = match slot {
                Slot::Number => i32::from(process.0),
                Slot::Local { offset, scalar } => state.get(locals + offset as usize, scalar),
            };
        }
        control
    }
}

/// Which data are unknown in the control states of each location, where data are tracked.
fn unknown(graph: &Graph<'_>, interpreter: &Interpreter<'_>) -> Vec<Vec<Vec<u8>>> {
    let types = &interpreter.model().process_types;
    let mut found: Vec<Vec<BTreeSet<u8>>> = types.iter().map(|p| vec![BTreeSet::new(); p.locations.len()]).collect();
    for (ty, control) in &graph.nodes {
        if graph.slots[usize::from(ty.0)].iter().len() > 0 {
            found[usize::from(ty.0)][usize::from(control.location.0)].insert(control.unknown);
        }
    }
    found.into_iter().map(|sets| sets.into_iter().map(|set| set.into_iter().collect()).collect()).collect()
}

impl Stage {
    fn new(graph: &Graph<'_>, found: &[Option<u32>], last: u32, far: u32, interpreter: &Interpreter<'_>) -> Stage {
        let nodes: Vec<u32> = found.iter().map(|distance| distance.map_or(far, |d| d + last)).collect();
        let types = &interpreter.model().process_types;
        let mut locations: Vec<Vec<u32>> = types.iter().map(|p| vec![far; p.locations.len()]).collect();
        for ((ty, control), &distance) in graph.nodes.iter().zip(&nodes) {
            let least = &mut locations[usize::from(ty.0)][usize::from(control.location.0)];
            *least = distance.min(*least);
        }
        Stage { nodes, locations }
    }
}

impl Guidance for ExtendedFlow<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        self.combination.max()
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        let stage = self.stages.get(usize::from(claim.0)).unwrap_or(&self.stages[0]);
        let distances = (0..state.process_count()).map(|p| self.of_process(stage, state, ProcessId(p)));
        self.combination.of_state(claim, distances)
    }
}

impl Estimate for ExtendedFlow<'_> {
    fn admissible(&self) -> bool {
        matches!(self.target, Target::Assertion | Target::Deadlock)
    }
}
