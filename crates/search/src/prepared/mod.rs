//! Prepared properties: a model together with what a search has to look for.
//!
//! [`Prepared`] is a property of a process model, [`PreparedRelation`] one of a relation.

mod claims;
mod relation;
mod semantics;

use lurcher_ir::analysis::{ClaimComponents, ComponentCounts, ControlFlow};
use lurcher_ir::{Model, ProcessRole, ProcessType, Property, PropertyKind};
use lurcher_system::{Interpreter, Limits};

use crate::product::Claim;
use crate::walk::Objective;

pub use lurcher_ltl::TooLarge;
pub use relation::{CONE, PreparedRelation, RelationGoal, observed_terms};
pub use semantics::{SETTINGS, Semantics, Setting};

/// A property of a process model, prepared.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The property.
    pub property: Property,
    /// The model, with the claim that the property needs.
    pub model: Model,
    /// What counts as a violation.
    pub objective: Objective,
    /// The semantics of the model.
    pub semantics: Semantics,
}

impl Prepared {
    /// Prepares a property.
    ///
    /// # Errors
    /// When the automaton of a formula is too large.
    pub fn new(model: &Model, property: &Property, semantics: Semantics) -> Result<Prepared, TooLarge> {
        let mut model = model.clone();
        if semantics.no_assertions {
            for action in model.process_types.iter_mut().flat_map(|p| &mut p.actions) {
                action.kind = action.kind.without_assertions();
            }
        }
        let claim = claim(&mut model, property)?;
        let invariants = match &property.kind {
            PropertyKind::Invariant(atom) => vec![atom.expr().clone()],
            _ => Vec::new(),
        };
        let end_states = matches!(property.kind, PropertyKind::Safety);
        let objective = Objective { claim, invariants, end_states, fair: semantics.fair && claim.is_some() };
        Ok(Prepared { property: property.clone(), model, objective, semantics })
    }

    /// Whether violations are runs instead of states.
    pub fn is_about_runs(&self) -> bool {
        self.objective.claim.is_some()
    }

    /// Whether a finite prefix can be known to violate the property: its claim has an end.
    pub fn has_bad_prefixes(&self) -> bool {
        let claim = self.objective.claim.and_then(Claim::process_type);
        claim.is_some_and(|id| self.model.process_type(id).locations.iter().any(|l| l.end))
    }

    /// Whether cycles can violate the property: an accepting location of the claim lies on a cycle, or accepting locations of the system count.
    pub fn accepts_cycles(&self) -> bool {
        let Some(claim) = self.objective.claim else { return false };
        let accepts = |id| {
            let process_type = self.model.process_type(id);
            let cyclic = ControlFlow::new(process_type, None).on_cycles(|_| true);
            cyclic.into_iter().any(|l| process_type.location(l).accept)
        };
        claim.process_type().is_some_and(accepts) || self.processes_accept()
    }

    /// Whether cycles are accepting because of accepting locations of the processes.
    pub fn processes_accept(&self) -> bool {
        let in_system = |p: &ProcessType| p.role == ProcessRole::System && p.locations.iter().any(|l| l.accept);
        let counts = self.objective.claim.is_some_and(Claim::counts_system);
        counts && self.model.process_types.iter().any(in_system)
    }

    /// The components of the claim by their classes.
    pub fn claim_components(&self) -> Option<ComponentCounts> {
        let claim = self.objective.claim.and_then(Claim::process_type)?;
        Some(ClaimComponents::of_claim(self.model.process_type(claim)).counts())
    }

    /// The limits of the interpreter.
    pub fn limits(&self) -> Limits {
        let kind = &self.property.kind;
        let with_claim = matches!(kind, PropertyKind::Never(_) | PropertyKind::Ltl { .. } | PropertyKind::NonProgress);
        Limits { with_claim, ..self.semantics.limits(&self.model) }
    }

    /// The interpreter that the property is checked with.
    pub fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.model, self.limits())
    }
}

/// The claim of a property, added to the model where it is not part of it.
fn claim(model: &mut Model, property: &Property) -> Result<Option<Claim>, TooLarge> {
    Ok(Some(match &property.kind {
        PropertyKind::Safety | PropertyKind::Invariant(_) => return Ok(None),
        PropertyKind::Never(id) => Claim::Process(*id),
        PropertyKind::Acceptance => Claim::None,
        PropertyKind::NonProgress => Claim::Alone(claims::add_non_progress(model)),
        PropertyKind::Ltl { formula, atoms } => {
            let negated = lurcher_ltl::negate(formula);
            let automaton = lurcher_ltl::translate(&negated, &lurcher_ltl::Limits::default())?;
            Claim::Process(claims::add_automaton(model, &property.name, &automaton, atoms, property.span))
        }
        PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) | PropertyKind::Timed(_) => {
            unreachable!("a property of another kind of model")
        }
    }))
}
