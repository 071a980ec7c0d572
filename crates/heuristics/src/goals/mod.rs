//! The local goals of a property: what a violation requires of each process.
//!
//! An assertion fails at its own location, a deadlock blocks every process, a formula over labels names locations, a formula
//! over variables is decided by their assignments. Bui's thesis writes the "local goal state" (section 6.2.1) by hand for
//! each model; here it is derived from the property.
//!
//! Under a claim the goals depend on the claim's location: there is one set of goals, a *stage*, for each. Without a claim
//! there is one stage.

mod claim;
mod deadlock;
mod expression;

pub(crate) use claim::claim_distances;

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::analysis::{Concern, Dependencies, constant};
use lurcher_ir::{
    ActionId, ActionKind, DStepNode, Expr, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId, PropertyKind,
};
use lurcher_search::Claim;

/// The kind of violation that a heuristic measures the distance to.
#[derive(Clone, Debug)]
pub enum Target {
    /// An invalid end state.
    Deadlock,
    /// An assertion fails.
    Assertion,
    /// The expression does not hold.
    Invariant(Expr),
    /// A run that a claim, or the accept labels of the model, accept.
    Claim(Claim),
}

impl Target {
    /// The targets of a property, the most promising first. `claim` is the claim of a property that needs one. A safety
    /// property has its assertions, if any can fail, and deadlock; run-time faults are no target.
    pub fn of_property(model: &Model, kind: &PropertyKind, claim: Option<Claim>) -> Vec<Target> {
        match kind {
            PropertyKind::Safety => {
                let asserts = system_types(model).any(|(_, p)| p.actions.iter().any(|a| can_fail(&a.kind)));
                let mut targets = vec![Target::Deadlock];
                if asserts {
                    targets.insert(0, Target::Assertion);
                }
                targets
            }
            PropertyKind::Invariant(atom) => vec![Target::Invariant(atom.expr().clone())],
            PropertyKind::Never(id) => vec![Target::Claim(claim.unwrap_or(Claim::Process(*id)))],
            PropertyKind::Acceptance | PropertyKind::Ltl { .. } | PropertyKind::NonProgress => {
                vec![Target::Claim(claim.unwrap_or(Claim::None))]
            }
            PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) | PropertyKind::Timed(_) => {
                Vec::new()
            }
        }
    }

    /// The variables it reads, for the dependency layers and the PEP factor.
    pub fn concern(&self, model: &Model, dependencies: &Dependencies<'_>) -> Concern {
        match self {
            Target::Deadlock => Concern::deadlock(model, dependencies),
            Target::Assertion => Concern::assertions(model, dependencies),
            Target::Invariant(e) => Concern::expression(dependencies, e),
            Target::Claim(claim) => Concern::claim(model, dependencies, claim.process_type(), claim.counts_system()),
        }
    }

    /// The claim's process type.
    pub(crate) fn claim(&self) -> Option<ProcessTypeId> {
        if let Target::Claim(claim) = self { claim.process_type() } else { None }
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Target::Deadlock => "deadlock",
            Target::Assertion => "assertion",
            Target::Invariant(_) => "invariant",
            Target::Claim(_) => "claim",
        }
    }
}

/// Which locations count as goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalSet {
    /// The most informative ones.
    Informative,
    /// All locations at which a violation is possible: what an admissible estimate needs.
    Complete,
}

/// The goals of one process type, or of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessGoals {
    /// Locations to be at.
    pub locations: BTreeSet<LocationId>,
    /// Actions to execute.
    pub actions: BTreeSet<ActionId>,
}

/// The goals of all processes at one stage.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    /// By process type.
    pub types: Vec<ProcessGoals>,
    /// Further goals of single processes, by process number.
    pub named: BTreeMap<u16, ProcessGoals>,
}

impl Goals {
    fn none(model: &Model) -> Goals {
        Goals { types: vec![ProcessGoals::default(); model.process_types.len()], named: BTreeMap::new() }
    }

    /// The goals of a process: those of its type and of its number.
    pub fn of_process(&self, process_type: usize, pid: u16) -> ProcessGoals {
        let mut goals = self.types[process_type].clone();
        if let Some(own) = self.named.get(&pid) {
            goals.locations.extend(&own.locations);
            goals.actions.extend(&own.actions);
        }
        goals
    }

    /// The goals of a target, stage by stage.
    pub fn of_target(model: &Model, target: &Target, goal_set: GoalSet) -> Vec<Goals> {
        match target {
            Target::Deadlock => vec![deadlock::goals(model, goal_set)],
            Target::Assertion => vec![assertions(model)],
            Target::Invariant(e) => {
                let mut goals = Goals::none(model);
                expression::add(model, e, false, &mut goals);
                vec![goals]
            }
            Target::Claim(claim) => claim::goals(model, *claim),
        }
    }
}

/// The process types of the system, with their numbers.
pub(crate) fn system_types(model: &Model) -> impl Iterator<Item = (usize, &ProcessType)> {
    model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System)
}

/// Whether a statement contains an assertion whose condition is not constantly true.
pub(crate) fn can_fail(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Assert(e) => constant(e, None).is_none_or(|v| v == 0),
        ActionKind::DStep(sequence) => {
            sequence.nodes.iter().any(|n| matches!(n, DStepNode::Do(kind, ..) if can_fail(kind)))
        }
        _ => false,
    }
}

/// The locations of assertions that can fail.
fn assertions(model: &Model) -> Goals {
    let mut goals = Goals::none(model);
    for (number, process_type) in system_types(model) {
        for (location, row) in process_type.locations.iter().enumerate() {
            if row.branches.iter().any(|b| can_fail(&process_type.action(b.action).kind)) {
                goals.types[number].locations.insert(LocationId(location as u16));
            }
        }
    }
    goals
}
