//! Prepared properties of relations.
//!
//! Searches know four goals: a state where a term is false, a state without successors, a fair run, and a CTL formula
//! that is false in an initial state. An invariant about steps becomes one about states by a variable that records whether
//! the last step satisfied it; an LTL formula becomes a fair run of the product with its negation
//! ([`lurcher_ltl::violations`]). Variables that the preparation adds come last, so that a run of the original
//! relation is left when they are cut off.
//!
//! Before that, variables outside the cone of influence are removed ([`Cone`]); a run gets their values back at the end.

use std::borrow::Cow;

use lurcher_ir::relation::{Assignment, Cone, Domain, Relation, TermId, Variable, VariableId, VariableRole};
use lurcher_ir::{Ctl, Property, PropertyKind};
use lurcher_syntax::Span;
use lurcher_system::Path;
use lurcher_system::relation::complete;

use crate::walk::RelationObjective;

/// The name of the cone-of-influence reduction in reports.
pub const CONE: &str = "cone-of-influence";

/// What a search looks for.
#[derive(Clone, Debug)]
pub enum RelationGoal {
    /// A state where this term is false.
    Violated(TermId),
    /// A state without successors.
    Deadlock,
    /// A fair run.
    FairRun,
    /// An initial state where this formula is false.
    Ctl(Ctl),
}

/// A property of a relation, prepared.
#[derive(Clone, Debug)]
pub struct PreparedRelation<'r> {
    /// The property.
    pub property: Property,
    /// The relation to search: a cone of the original one, with what the goal needs.
    pub relation: Cow<'r, Relation>,
    /// What to look for in it.
    pub goal: RelationGoal,
    /// The relation that the property is about.
    pub whole: &'r Relation,
    /// Variables of the whole that the relation has, in order.
    kept: Vec<VariableId>,
}

impl<'r> PreparedRelation<'r> {
    /// Prepares a property on the whole relation.
    pub fn whole(relation: &'r Relation, property: &Property) -> Self {
        PreparedRelation::within(relation, None, property)
    }

    /// Prepares a property on its cone of influence.
    pub fn cone(relation: &'r Relation, property: &Property) -> Self {
        let cone = observed_terms(&property.kind).and_then(|(terms, fair)| Cone::of(relation, &terms, fair));
        let Some(cone) = cone else { return PreparedRelation::whole(relation, property) };
        let kind = property.kind.with_terms(&|t| cone.term(t));
        let (extended, goal) = goal(Cow::Owned(cone.relation), &kind);
        PreparedRelation { property: property.clone(), relation: extended, goal, whole: relation, kept: cone.variables }
    }

    /// Prepares a property on a cone that contains its own; on the whole relation without one.
    pub fn within(relation: &'r Relation, cone: Option<&'r Cone>, property: &Property) -> Self {
        let (about, kind, kept) = match cone {
            None => (relation, property.kind.clone(), relation.variables().map(|(id, _)| id).collect()),
            Some(cone) => (&cone.relation, property.kind.with_terms(&|t| cone.term(t)), cone.variables.clone()),
        };
        let (extended, goal) = goal(Cow::Borrowed(about), &kind);
        PreparedRelation { property: property.clone(), relation: extended, goal, whole: relation, kept }
    }

    /// Whether violations are single states.
    pub fn is_about_states(&self) -> bool {
        matches!(self.goal, RelationGoal::Violated(_) | RelationGoal::Deadlock)
    }

    /// The number of variables that are left, if some are removed.
    pub fn variables_kept(&self) -> Option<usize> {
        Some(self.kept.len()).filter(|&kept| kept < self.whole.variables.len())
    }

    /// The reduction in reports.
    pub fn reduction(&self) -> Option<&'static str> {
        self.variables_kept().map(|_| CONE)
    }

    /// What explicit searches look for; nothing for CTL.
    pub fn objective(&self) -> RelationObjective {
        let none = RelationObjective::default();
        match self.goal {
            RelationGoal::Violated(term) => RelationObjective { invariants: vec![term], ..none },
            RelationGoal::Deadlock => RelationObjective { deadlock: true, ..none },
            RelationGoal::FairRun => RelationObjective { fair: true, ..none },
            RelationGoal::Ctl(_) => none,
        }
    }

    /// A run of the whole relation, with values for the variables that were removed; none where a cycle needs too many
    /// rounds for that.
    pub fn original(&self, mut run: Path<Vec<i64>>) -> Option<Path<Vec<i64>>> {
        run.steps.iter_mut().for_each(|state| state.truncate(self.kept.len()));
        if self.variables_kept().is_none() {
            return Some(run);
        }
        complete(self.whole, &run, &self.kept)
    }
}

/// The terms that a property observes, and whether only fair runs count; none if it observes everything.
pub fn observed_terms(kind: &PropertyKind) -> Option<(Vec<TermId>, bool)> {
    let fair = match kind {
        PropertyKind::Deadlock => return None,
        PropertyKind::Ctl(_) | PropertyKind::Ltl { .. } => true,
        _ => false,
    };
    Some((kind.terms(), fair))
}

/// A relation with what a property adds to it, and the goal.
fn goal<'r>(relation: Cow<'r, Relation>, kind: &PropertyKind) -> (Cow<'r, Relation>, RelationGoal) {
    match kind {
        PropertyKind::Invariant(term) => (relation, RelationGoal::Violated(term.term())),
        PropertyKind::Deadlock => (relation, RelationGoal::Deadlock),
        PropertyKind::Ctl(formula) => (relation, RelationGoal::Ctl(formula.clone())),
        PropertyKind::StepInvariant(term) => {
            let (relation, kept) = record_steps(&relation, term.term());
            (Cow::Owned(relation), RelationGoal::Violated(kept))
        }
        PropertyKind::Ltl { formula, atoms } => {
            (Cow::Owned(lurcher_ltl::violations(&relation, formula, atoms)), RelationGoal::FairRun)
        }
        PropertyKind::Safety
        | PropertyKind::Never(_)
        | PropertyKind::NonProgress
        | PropertyKind::Acceptance
        | PropertyKind::Timed(_) => unreachable!("a property of another kind of model"),
    }
}

/// Adds a variable that is true as long as every step has satisfied an invariant; returns it as a term.
fn record_steps(relation: &Relation, term: TermId) -> (Relation, TermId) {
    let mut relation = relation.clone();
    let variable = relation.add_variable(Variable {
        name: "<kept>".to_owned(),
        role: VariableRole::State,
        domain: Domain::Boolean,
        span: Span::default(),
    });
    let kept = relation.terms.current(variable);
    let (yes, no) = (relation.terms.truth(true), relation.terms.truth(false));
    let next = relation.terms.ite(term, yes, no);
    let assignment = |value| Assignment { variable, value, span: Span::default() };
    relation.initial.assignments.push(assignment(yes));
    for transition in &mut relation.transitions {
        transition.block.assignments.push(assignment(next));
    }
    (relation, kept)
}
