//! A property ready to be checked: the model with the claim that the property needs, and what is watched.

use lurcher_ir::{Expr, Model, Property, PropertyKind};
use lurcher_search::{Claim, Objective};
use lurcher_system::{Interpreter, Limits};
use lurcher_trace::Question;

use crate::claims;
use crate::job::JobError;

/// What is watched while a property is checked.
#[derive(Clone, Debug)]
pub(crate) enum Watched {
    /// States; these expressions hold in each of them.
    States(Vec<Expr>),
    /// Runs: this claim accepts none.
    Claim(Claim),
}

/// A property ready to be checked.
#[derive(Clone, Debug)]
pub struct Quarry {
    /// The property.
    pub property: Property,
    /// The model, with the claim that the property needs.
    pub model: Model,
    pub(crate) watched: Watched,
}

impl Quarry {
    /// Makes a property of a model ready.
    pub fn new(model: &Model, property: &Property) -> Result<Quarry, JobError> {
        let mut model = model.clone();
        let watched = watch(&mut model, property)?;
        Ok(Quarry { property: property.clone(), model, watched })
    }

    /// What the model may do while the property is checked.
    pub fn limits(&self, message_loss: bool) -> Limits {
        let with_claim =
            matches!(self.property.kind, PropertyKind::Never(_) | PropertyKind::Ltl { .. } | PropertyKind::NonProgress);
        Limits { message_loss, with_claim, ..Limits::for_model(&self.model) }
    }

    /// The interpreter that the property is checked with.
    pub fn interpreter(&self, message_loss: bool) -> Interpreter<'_> {
        Interpreter::new(&self.model, self.limits(message_loss))
    }

    /// Are end states looked at?
    pub(crate) fn end_states(&self) -> bool {
        matches!(self.property.kind, PropertyKind::Safety)
    }

    /// What a walk watches for.
    pub fn objective(&self, fair: bool) -> Objective {
        let (claim, invariants) = match &self.watched {
            Watched::States(invariants) => (None, invariants.clone()),
            Watched::Claim(claim) => (Some(*claim), Vec::new()),
        };
        Objective { claim, invariants, end_states: self.end_states(), fair: fair && claim.is_some() }
    }

    /// What a trace is judged against.
    pub fn question(&self) -> Question {
        match &self.watched {
            Watched::States(invariants) => Question { invariant: invariants.first().cloned(), ..Question::default() },
            Watched::Claim(claim) => Question {
                claim: claim.process_type(),
                claim_alone: !claim.counts_system(),
                infinite: true,
                ..Question::default()
            },
        }
    }
}

/// Adds the claim that a property needs to a model.
fn watch(model: &mut Model, property: &Property) -> Result<Watched, JobError> {
    Ok(match &property.kind {
        PropertyKind::Safety => Watched::States(Vec::new()),
        PropertyKind::Invariant(atom) => Watched::States(vec![atom.expr().clone()]),
        PropertyKind::Never(id) => Watched::Claim(Claim::Process(*id)),
        PropertyKind::Acceptance => Watched::Claim(Claim::None),
        PropertyKind::NonProgress => Watched::Claim(Claim::Alone(claims::add_non_progress(model))),
        PropertyKind::Ltl { formula, atoms } => {
            let negated = lurcher_ltl::negate(formula);
            let automaton = lurcher_ltl::translate(&negated, &lurcher_ltl::Limits::default())
                .map_err(|e| JobError::Formula(property.name.clone(), e))?;
            let id = claims::add_automaton(model, &property.name, &automaton, atoms, property.span);
            Watched::Claim(Claim::Process(id))
        }
        PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) => {
            unreachable!("a property of a relation")
        }
    })
}
