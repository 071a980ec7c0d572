//! The local goals that a property implies: where a violation wants each process to be.
//!
//! A violation of a whole system is seldom a matter of one process, but each process has its share in it: an
//! assertion fails where it stands, a deadlock finds every process waiting, a formula over labels names locations, a
//! formula over variables is decided by those who assign to them. This is what Bui's thesis wrote down by hand for
//! each model (the "local goal state" of section 6.2.1); here it is read off the property.
//!
//! With a claim the goals change with the claim's location, so there is one set of goals for each of them, a
//! *stage*. Without a claim there is one stage.

mod claim;
mod deadlock;
mod expression;

pub(crate) use claim::claim_distances;

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::analysis::{Concern, Dependencies, constant};
use lurcher_ir::{ActionId, ActionKind, DStepNode, Expr, LocationId, Model, ProcessRole, ProcessType, PropertyKind};
use lurcher_search::Claim;

/// The kind of violation that a guide leads to.
#[derive(Clone, Debug)]
pub enum Target {
    /// No process can move, and not all may rest where they are.
    Deadlock,
    /// An assertion fails.
    Assertion,
    /// The expression does not hold.
    Invariant(Expr),
    /// A run that a claim of the model, or its own accept labels, accept.
    Claim(Claim),
}

impl Target {
    /// What to look for when a property is checked, the most promising first. `claim` is what watches the system,
    /// for the properties that need one. A safety property gives its assertions, if it has any that can fail, and
    /// deadlock; run-time faults are no target: nothing in the model points at them.
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
            PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) => Vec::new(),
        }
    }

    /// What it reads, for the dependency layers and the PEP factor.
    pub fn concern(&self, model: &Model, dependencies: &Dependencies<'_>) -> Concern {
        match self {
            Target::Deadlock => Concern::deadlock(model, dependencies),
            Target::Assertion => Concern::assertions(model, dependencies),
            Target::Invariant(e) => Concern::expression(dependencies, e),
            Target::Claim(claim) => Concern::claim(model, dependencies, claim.process_type(), claim.counts_system()),
        }
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

/// How careful to be about what counts as a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Only goals that tell much: good guidance.
    Preferred,
    /// Every place where a violation can find a process: what an admissible estimate needs.
    Complete,
}

/// The goals of one process type, or of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessGoals {
    /// To stand there.
    pub locations: BTreeSet<LocationId>,
    /// To execute one of these.
    pub actions: BTreeSet<ActionId>,
}

impl ProcessGoals {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty() && self.actions.is_empty()
    }

    fn add(&mut self, other: &ProcessGoals) {
        self.locations.extend(&other.locations);
        self.actions.extend(&other.actions);
    }
}

/// The goals of all processes, while the claim stands where it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// By process type.
    pub types: Vec<ProcessGoals>,
    /// Further goals of single processes, by number.
    pub named: BTreeMap<u16, ProcessGoals>,
}

impl Goals {
    fn none(model: &Model) -> Goals {
        Goals { types: vec![ProcessGoals::default(); model.process_types.len()], named: BTreeMap::new() }
    }

    /// The goals of a process: those of its type and its own.
    pub fn of_process(&self, process_type: usize, pid: u16) -> ProcessGoals {
        let mut goals = self.types[process_type].clone();
        if let Some(own) = self.named.get(&pid) {
            goals.add(own);
        }
        goals
    }

    /// The goals of a target, by the location of the claim; one set when there is no claim.
    pub fn of_target(model: &Model, target: &Target, choice: Choice) -> Vec<Goals> {
        match target {
            Target::Deadlock => vec![deadlock::goals(model, choice)],
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

/// Process types that run, with their numbers.
pub(crate) fn system_types(model: &Model) -> impl Iterator<Item = (usize, &ProcessType)> {
    model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System)
}

/// Is this an assertion, or a deterministic sequence with one inside, whose condition is not always true?
pub(crate) fn can_fail(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Assert(e) => constant(e, None).is_none_or(|v| v == 0),
        ActionKind::DStep(sequence) => {
            sequence.nodes.iter().any(|n| matches!(n, DStepNode::Do(kind, ..) if can_fail(kind)))
        }
        _ => false,
    }
}

/// Locations from which an assertion that can fail is the next step.
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
