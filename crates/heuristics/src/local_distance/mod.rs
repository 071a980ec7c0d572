//! Local distances (h0): the distance of each process from its own goal, without the other processes.
//!
//! Bui's thesis (section 6.2.1, GRANSPIN's table `state_heu[type][location]`) treats each process type alone: the distance of
//! a location is the number of actions to the nearest local goal over the control-flow graph. Here the goals come from the
//! property (see `goals`) and the distances from [`lurcher_ir::analysis::ControlFlow::distances`]. Instances of a type share
//! a table, unless guards over `_pid` or a property that names processes tell them apart. A process that cannot take part
//! reaches no goal, and each of its steps gets the maximum: this helps where few processes take part in the error (a low PEP
//! factor).
//!
//! *The step form* scores a branch by the distance of its target, as GRANSPIN does. One departure: an assertion that fails
//! in the current state scores 0, and one that holds scores as its target, so that a process waits at the assertion for the
//! others.
//!
//! *The state forms* combine the distances of all processes. The estimate is admissible in these cases:
//!
//! * an assertion is executed by one process, perhaps one that is still to be created, and tables see through `run`: the
//!   minimum over the processes is admissible;
//! * in a deadlock every process blocks, and each step of a trace moves one process along one edge (a rendezvous moves two
//!   and counts two; a process that dies has reached its end, where it can block): sum and maximum are admissible, provided
//!   that *all* locations at which a process can block are goals ([`GoalSet::Complete`]).
//!
//! For invariants and claims no form is admissible: part of the condition may hold already, and a claim may move after the
//! system has stopped.

mod table;
mod text;

use lurcher_ir::{ActionKind, LocationId, Model, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};

use crate::goals::{GoalSet, Goals, Target, claim_distances};
pub use table::Table;
use table::Tables;

/// How the distances of all processes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// The minimum.
    Min,
    /// The maximum over the processes that can take part.
    Max,
    /// The sum over the processes that can take part.
    Sum,
}

/// The local-distance heuristic.
#[derive(Debug)]
pub struct LocalDistance<'m> {
    interpreter: Interpreter<'m>,
    target: Target,
    goal_set: GoalSet,
    form: Option<StateForm>,
    tables: Tables,
    /// Distance of the claim from acceptance, by location.
    claim: Vec<u32>,
    /// The largest combined distance of the processes.
    local_max: u32,
    max: u32,
    /// Distances were edited, so they may not be admissible.
    edited: bool,
}

impl<'m> LocalDistance<'m> {
    /// The step form. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn steps(interpreter: &Interpreter<'m>, target: &Target) -> Self {
        Self::build(interpreter, target, GoalSet::Informative, None)
    }

    /// A state form.
    pub fn states(interpreter: &Interpreter<'m>, target: &Target, form: StateForm, goal_set: GoalSet) -> Self {
        Self::build(interpreter, target, goal_set, Some(form))
    }

    fn build(interpreter: &Interpreter<'m>, target: &Target, goal_set: GoalSet, form: Option<StateForm>) -> Self {
        let model = interpreter.model();
        let goals = Goals::of_target(model, target, goal_set);
        let tables = Tables::new(model, &goals, target);
        let claim = claim_values(model, target);
        let mut heuristic = LocalDistance {
            interpreter: interpreter.clone(),
            target: target.clone(),
            goal_set,
            form,
            tables,
            claim,
            local_max: 0,
            max: 0,
            edited: false,
        };
        heuristic.measure();
        heuristic
    }

    /// Computes the largest values.
    fn measure(&mut self) {
        let processes = self.interpreter.model().initial_processes.len().max(1) as u32;
        let far = self.tables.far();
        self.local_max = if self.form == Some(StateForm::Sum) { far.saturating_mul(processes) } else { far };
        let farthest = self.claim.iter().copied().max().unwrap_or(0);
        self.max = match self.form {
            Some(_) => farthest.saturating_mul(self.local_max.saturating_add(1)).saturating_add(self.local_max),
            None => self.local_max,
        };
    }

    /// Whether its value never exceeds the number of steps to a violation of the target.
    pub fn admissible(&self) -> bool {
        match (&self.target, self.form) {
            _ if self.edited => false,
            (Target::Deadlock, Some(StateForm::Sum | StateForm::Max)) => self.goal_set == GoalSet::Complete,
            (Target::Assertion, Some(StateForm::Min)) => true,
            _ => false,
        }
    }

    /// The table of a process type while the claim is at a location (0 without a claim).
    pub fn table(&self, claim: LocationId, process_type: ProcessTypeId) -> &Table {
        self.tables.of_type(claim, process_type)
    }

    /// The value of locations from which no goal is reachable.
    pub(crate) fn far(&self) -> u32 {
        self.tables.far()
    }

    /// The combined distance of the processes.
    fn combined(&self, state: &State, claim: LocationId, form: StateForm) -> u32 {
        let far = self.tables.far();
        let everyone = matches!(self.target, Target::Deadlock);
        let mut found: Option<u32> = None;
        for p in (0..state.process_count()).map(ProcessId) {
            let value = self.tables.of_process(state, claim, p).at(state.location(p));
            if value == far {
                if everyone {
                    return self.local_max;
                }
                continue;
            }
            found = Some(match (found, form) {
                (None, _) => value,
                (Some(old), StateForm::Min) => old.min(value),
                (Some(old), StateForm::Max) => old.max(value),
                (Some(old), StateForm::Sum) => old.saturating_add(value),
            });
        }
        found.map_or(self.local_max, |v| v.min(self.local_max))
    }
}

/// The distances of the claim from acceptance, with the largest value for never.
fn claim_values(model: &Model, target: &Target) -> Vec<u32> {
    let Target::Claim(claim) = target else { return Vec::new() };
    let Some(id) = claim.process_type() else { return Vec::new() };
    let distances = claim_distances(model, id);
    let never = distances.max().map_or(0, |m| m + 1);
    distances.as_slice().iter().map(|d| d.unwrap_or(never)).collect()
}

impl Guidance for LocalDistance<'_> {
    fn scores(&self) -> Scores {
        if self.form.is_some() { Scores::States } else { Scores::Steps }
    }

    fn max(&self) -> u32 {
        self.max
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        let form = self.form.unwrap_or(StateForm::Min);
        let ahead = self.claim.get(claim.0 as usize).copied().unwrap_or(0);
        ahead.saturating_mul(self.local_max + 1).saturating_add(self.combined(state, claim, form)).min(self.max)
    }

    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        let table = self.tables.of_process(state, claim, process);
        let location = state.location(process);
        if table.is_assertion(location, branch) {
            let (_, action) = self.interpreter.branch(state, process, branch);
            match &action.kind {
                ActionKind::Assert(e) if self.interpreter.holds_for(state, process, e).unwrap_or(true) => {}
                _ => return 0,
            }
        }
        table.by(location, branch)
    }
}
