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

use lurcher_ir::analysis::creates_processes;
use lurcher_ir::{ActionKind, LocationId, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};

use crate::combination::{Combination, StateForm};
use crate::goals::{GoalSet, Goals, Target};
pub use table::Table;
use table::{Detail, Tables};

/// The local-distance heuristic.
#[derive(Debug)]
pub struct LocalDistance<'m> {
    interpreter: Interpreter<'m>,
    target: Target,
    goal_set: GoalSet,
    form: Option<StateForm>,
    detail: Detail,
    tables: Tables,
    combination: Combination,
    /// Distances were edited, so they may not be admissible.
    edited: bool,
}

impl<'m> LocalDistance<'m> {
    /// The step form. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn steps(interpreter: &Interpreter<'m>, target: &Target) -> Self {
        Self::build(interpreter, target, GoalSet::Informative, None, Detail::Full)
    }

    /// A state form.
    pub fn states(interpreter: &Interpreter<'m>, target: &Target, form: StateForm, goal_set: GoalSet) -> Self {
        Self::build(interpreter, target, goal_set, Some(form), Detail::Full)
    }

    /// The state form over plain control flow: no process is told apart by its number, and created processes are not
    /// followed. The minimum for an assertion, which one process executes; otherwise the sum, with all goals.
    pub fn control_flow(interpreter: &Interpreter<'m>, target: &Target) -> Self {
        Self::build(interpreter, target, GoalSet::Complete, Some(StateForm::of_target(target)), Detail::ControlFlow)
    }

    fn build(
        interpreter: &Interpreter<'m>,
        target: &Target,
        goal_set: GoalSet,
        form: Option<StateForm>,
        detail: Detail,
    ) -> Self {
        let model = interpreter.model();
        let goals = Goals::of_target(model, target, goal_set);
        let tables = Tables::new(model, &goals, target, detail);
        LocalDistance {
            interpreter: interpreter.clone(),
            target: target.clone(),
            goal_set,
            form,
            detail,
            combination: Combination::new(model, target, form.unwrap_or(StateForm::Min), tables.far()),
            tables,
            edited: false,
        }
    }

    /// Computes the largest values again.
    fn measure(&mut self) {
        let form = self.form.unwrap_or(StateForm::Min);
        self.combination = Combination::new(self.interpreter.model(), &self.target, form, self.tables.far());
    }

    /// Whether its value never exceeds the number of steps to a violation of the target.
    pub fn admissible(&self) -> bool {
        match (&self.target, self.form) {
            _ if self.edited => false,
            (Target::Deadlock, Some(StateForm::Sum | StateForm::Max)) => self.goal_set == GoalSet::Complete,
            (Target::Assertion, Some(StateForm::Min)) => {
                self.detail == Detail::Full || !creates_processes(self.interpreter.model())
            }
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
}

impl Guidance for LocalDistance<'_> {
    fn scores(&self) -> Scores {
        if self.form.is_some() { Scores::States } else { Scores::Steps }
    }

    fn max(&self) -> u32 {
        if self.form.is_some() { self.combination.max() } else { self.combination.local_max() }
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        let distance = |p| self.tables.of_process(state, claim, p).at(state.location(p));
        self.combination.of_state(claim, (0..state.process_count()).map(ProcessId).map(distance))
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
