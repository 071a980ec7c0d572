//! A property as a question that every engine understands.
//!
//! Engines know two questions: is a state reached where a term is false or nothing follows, and is there a fair run? An
//! invariant about steps becomes one about states by a variable that remembers whether the last step broke it, and an LTL
//! formula becomes a question about fair runs ([`lurcher_ltl::violations`]). Variables that a question adds come last, so
//! that a run is one of the original relation when they are cut off.
//!
//! Before that, what the question does not depend on is left out ([`Cone`]); a run gets those values back at the end.

use std::borrow::Cow;

use lurcher_system::relation::complete;

use lurcher_ir::relation::{Assignment, Cone, Domain, Relation, TermId, Variable, VariableId, VariableRole};
use lurcher_ir::{Ctl, Property, PropertyKind};
use lurcher_syntax::Span;
use lurcher_system::Path;

use crate::job::JobError;

/// The name in reports of leaving out what a property does not depend on.
const CONE: &str = "cone-of-influence";

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) enum Sought {
    /// A state where this is false.
    False(TermId),
    /// A state without successors.
    Stuck,
    /// A fair run.
    FairRun,
    /// An initial state where this is false.
    Ctl(Ctl),
}

/// A property made ready.
#[derive(Clone, Debug)]
pub(crate) struct Watched<'r> {
    /// The relation, with what the question adds.
    pub relation: Cow<'r, Relation>,
    /// What is looked for in it.
    pub sought: Sought,
    /// The relation that was asked about.
    whole: &'r Relation,
    /// Variables of the whole that the relation has, in order.
    kept: Vec<VariableId>,
}

impl<'r> Watched<'r> {
    /// Is a state looked for, not a run?
    pub fn is_about_states(&self) -> bool {
        matches!(self.sought, Sought::False(_) | Sought::Stuck)
    }

    /// Makes a property ready, about all of a relation.
    pub fn whole(relation: &'r Relation, property: &Property) -> Result<Self, JobError> {
        let kept = relation.variables().map(|(id, _)| id).collect();
        let (extended, sought) = question(Cow::Borrowed(relation), property)?;
        Ok(Watched { relation: extended, sought, whole: relation, kept })
    }

    /// Makes a property ready; where a part of the relation decides it, about that part.
    pub fn part(relation: &'r Relation, property: &Property) -> Result<Self, JobError> {
        let cone = asked(&property.kind).and_then(|(atoms, fair)| Cone::of(relation, &atoms, fair));
        let Some(cone) = cone else { return Watched::whole(relation, property) };
        let property = Property { kind: property.kind.with_terms(&|t| cone.term(t)), ..property.clone() };
        let (extended, sought) = question(Cow::Owned(cone.relation), &property)?;
        Ok(Watched { relation: extended, sought, whole: relation, kept: cone.variables })
    }

    /// Makes a property ready, about a part that was found for it.
    pub fn within(relation: &'r Relation, cone: Option<&'r Cone>, property: &Property) -> Result<Self, JobError> {
        let Some(cone) = cone else { return Watched::whole(relation, property) };
        let property = Property { kind: property.kind.with_terms(&|t| cone.term(t)), ..property.clone() };
        let (extended, sought) = question(Cow::Borrowed(&cone.relation), &property)?;
        Ok(Watched { relation: extended, sought, whole: relation, kept: cone.variables.clone() })
    }

    /// How many variables are looked at, where not all are.
    pub fn decided_by(&self) -> Option<usize> {
        Some(self.kept.len()).filter(|&kept| kept < self.whole.variables.len())
    }

    /// The reduction that this is, as reports call it.
    pub fn reduction(&self) -> Option<&'static str> {
        self.decided_by().map(|_| CONE)
    }

    /// Has the relation that was asked about a variable of this name?
    pub fn knows(&self, name: &str) -> bool {
        self.whole.find(name).is_some()
    }

    /// A run as one of the relation that was asked about.
    pub fn original(&self, states: Vec<Vec<i64>>, cycle_start: Option<usize>) -> Option<Path<Vec<i64>>> {
        let cut = |mut state: Vec<i64>| {
            state.truncate(self.kept.len());
            state
        };
        let states: Vec<Vec<i64>> = states.into_iter().map(cut).collect();
        if self.kept.len() == self.whole.variables.len() {
            return Some(Path { steps: states, cycle_start });
        }
        let (states, cycle_start) = complete(self.whole, &states, cycle_start, &self.kept)?;
        Some(Path { steps: states, cycle_start })
    }
}

/// The terms that a property asks about, and whether only fair runs count; none when it asks about everything.
pub(super) fn asked(kind: &PropertyKind) -> Option<(Vec<TermId>, bool)> {
    let fair = match kind {
        PropertyKind::Deadlock => return None,
        PropertyKind::Ctl(_) | PropertyKind::Ltl { .. } => true,
        _ => false,
    };
    Some((kind.terms(), fair))
}

/// A relation with what a property adds to it, and what is looked for.
fn question<'r>(relation: Cow<'r, Relation>, property: &Property) -> Result<(Cow<'r, Relation>, Sought), JobError> {
    Ok(match &property.kind {
        PropertyKind::Invariant(term) => (relation, Sought::False(term.term())),
        PropertyKind::Deadlock => (relation, Sought::Stuck),
        PropertyKind::Ctl(formula) => (relation, Sought::Ctl(formula.clone())),
        PropertyKind::StepInvariant(term) => {
            let (relation, kept) = remember(&relation, term.term());
            (Cow::Owned(relation), Sought::False(kept))
        }
        PropertyKind::Ltl { formula, atoms } => {
            let limits = lurcher_ltl::Limits::default();
            let watched = lurcher_ltl::violations(&relation, formula, atoms, &limits)
                .map_err(|e| JobError::Formula(property.name.clone(), e))?;
            (Cow::Owned(watched.relation), Sought::FairRun)
        }
        PropertyKind::Safety | PropertyKind::Never(_) | PropertyKind::NonProgress | PropertyKind::Acceptance => {
            unreachable!("a property of a process model")
        }
    })
}

/// A variable that is true as long as every step has kept an invariant, and its value as a term.
fn remember(relation: &Relation, term: TermId) -> (Relation, TermId) {
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
