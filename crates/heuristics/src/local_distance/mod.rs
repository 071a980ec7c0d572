//! Local distances (h0): how far each process is from its own goal, the others forgotten.
//!
//! Bui's thesis (section 6.2.1, GRANSPIN's table `state_heu[type][location]`) looks at each process type alone: the
//! distance of a location is the number of actions to the nearest local goal over the control-flow graph. Here the
//! goals come from the property (see [`crate::Goals`]) and the tables from
//! [`lurcher_ir::analysis::ControlFlow::distances`]; instances of a type share a table, except where guards over
//! `_pid` or a property that names processes by number tell them apart. A process that cannot take part has no goal
//! it can reach, and every step of it gets the maximum: this is what helps where few processes take part in the error
//! (a low PEP factor).
//!
//! *The step form* scores a branch by the distance of the location it leads to, as GRANSPIN does. One departure: an
//! assertion that fails in the present state scores 0, and one that holds scores as what lies behind it, so that a
//! process waits at the assertion for the others instead of running through it.
//!
//! *The state forms* put the distances of all processes together. The form says how, and with it whether the estimate
//! is admissible, that is, never larger than the number of steps (as traces count them) to a violation of the target:
//!
//! * an assertion is executed by one process, perhaps by one that is still to be created, and tables see through
//!   `run`: the minimum over the processes is admissible;
//! * in a deadlock every process waits, and each step of a trace moves one process (a rendezvous moves two and counts
//!   two, a deterministic sequence is one step and one edge; who dies has come to its end, where it can wait, before):
//!   the sum is admissible, and so is the maximum, provided that *all* places where a process can wait are goals
//!   ([`Choice::Complete`]);
//! * for invariants and claims neither is: part of what they say may hold already, and a claim may move while the
//!   system has stopped.

mod table;
mod text;

use lurcher_ir::{ActionKind, Expr, LocationId, Model};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};

use crate::goals::{Choice, Goals, Target, claim_distances};
pub use table::Table;
use table::Tables;
pub use text::TableError;

/// How the distances of all processes become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// The nearest process counts.
    Min,
    /// The farthest process that can take part counts.
    Max,
    /// All processes that can take part count together.
    Sum,
}

/// Local distances in use.
#[derive(Debug)]
pub struct LocalDistance<'m> {
    interpreter: Interpreter<'m>,
    target: Target,
    choice: Choice,
    form: Option<StateForm>,
    tables: Tables,
    /// Distance of the claim from accepting, by location.
    claim: Vec<u32>,
    /// The largest value of the part that is about processes.
    local_max: u32,
    max: u32,
    /// Distances were set by hand, so nothing is known about them.
    edited: bool,
}

impl<'m> LocalDistance<'m> {
    /// The step form. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn steps(interpreter: &Interpreter<'m>, target: &Target) -> Self {
        Self::build(interpreter, target, Choice::Preferred, None)
    }

    /// A state form.
    pub fn states(interpreter: &Interpreter<'m>, target: &Target, form: StateForm, choice: Choice) -> Self {
        Self::build(interpreter, target, choice, Some(form))
    }

    /// The best state form that is admissible; none where there is none.
    pub fn admissible_states(interpreter: &Interpreter<'m>, target: &Target) -> Option<Self> {
        let form = match target {
            Target::Deadlock => StateForm::Sum,
            Target::Assertion => StateForm::Min,
            Target::Invariant(_) | Target::Claim(_) => return None,
        };
        Some(Self::build(interpreter, target, Choice::Complete, Some(form)))
    }

    fn build(interpreter: &Interpreter<'m>, target: &Target, choice: Choice, form: Option<StateForm>) -> Self {
        let model = interpreter.model();
        let goals = Goals::of_target(model, target, choice);
        let tables = Tables::new(model, &goals, target);
        let claim = claim_values(model, target);
        let mut guide = LocalDistance {
            interpreter: interpreter.clone(),
            target: target.clone(),
            choice,
            form,
            tables,
            claim,
            local_max: 0,
            max: 0,
            edited: false,
        };
        guide.measure();
        guide
    }

    /// Finds the largest values.
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

    /// Is the estimate never larger than the number of steps to a violation of the target?
    pub fn admissible(&self) -> bool {
        match (&self.target, self.form) {
            _ if self.edited => false,
            (Target::Deadlock, Some(StateForm::Sum | StateForm::Max)) => self.choice == Choice::Complete,
            (Target::Assertion, Some(StateForm::Min)) => true,
            _ => false,
        }
    }

    /// What it leads to.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The table in use for the processes of a type while the claim stands at a location (0 without a claim).
    pub fn table(&self, claim: LocationId, process_type: lurcher_ir::ProcessTypeId) -> &Table {
        self.tables.of_type(claim, process_type)
    }

    /// The table in use for a process.
    pub fn table_of(&self, state: &State, claim: LocationId, process: ProcessId) -> &Table {
        self.tables.of_process(state, claim, process)
    }

    fn local(&self, state: &State, claim: LocationId, form: StateForm) -> u32 {
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

    /// Does this branch execute an assertion that fails here?
    fn fails(&self, state: &State, process: ProcessId, condition: &Expr) -> bool {
        !self.interpreter.holds_for(state, process, condition).unwrap_or(true)
    }
}

/// Claim distances with a number for "never".
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
        ahead.saturating_mul(self.local_max + 1).saturating_add(self.local(state, claim, form)).min(self.max)
    }

    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        let table = self.tables.of_process(state, claim, process);
        let location = state.location(process);
        if table.is_assertion(location, branch) {
            let (_, action) = self.interpreter.branch(state, process, branch);
            match &action.kind {
                ActionKind::Assert(condition) if !self.fails(state, process, condition) => {}
                _ => return 0,
            }
        }
        table.by(location, branch)
    }
}
