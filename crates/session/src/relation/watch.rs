//! A specification as a question that every engine understands.
//!
//! Engines know two questions: is a state reached where a term is false or nothing follows, and is there a fair run? An
//! invariant about steps becomes one about states by a variable that remembers whether the last step broke it, and an LTL
//! formula becomes a question about fair runs ([`lurcher_ltl::violations`]). Variables that a question adds come last, so
//! that a run is one of the original relation when they are cut off.

use std::borrow::Cow;

use lurcher_ir::relation::{
    Assignment, Ctl, Domain, Relation, Specification, SpecificationKind, TermId, Variable, VariableRole,
};
use lurcher_syntax::Span;
use lurcher_trace::StateRun;

use crate::job::JobError;

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) enum Sought<'s> {
    /// A state where this is false.
    False(TermId),
    /// A state without successors.
    Stuck,
    /// A fair run.
    FairRun,
    /// An initial state where this is false.
    Ctl(&'s Ctl),
}

/// A specification made ready.
#[derive(Clone, Debug)]
pub(crate) struct Watched<'r> {
    /// The relation, with what the question adds.
    pub relation: Cow<'r, Relation>,
    /// What is looked for in it.
    pub sought: Sought<'r>,
    /// How many variables the original has.
    variables: usize,
}

impl<'r> Watched<'r> {
    /// Makes a specification ready.
    pub fn new(relation: &'r Relation, specification: &'r Specification) -> Result<Self, JobError> {
        let (extended, sought) = match &specification.kind {
            SpecificationKind::Invariant(term) => (Cow::Borrowed(relation), Sought::False(*term)),
            SpecificationKind::Deadlock => (Cow::Borrowed(relation), Sought::Stuck),
            SpecificationKind::Ctl(formula) => (Cow::Borrowed(relation), Sought::Ctl(formula)),
            SpecificationKind::StepInvariant(term) => {
                let (relation, kept) = remember(relation, *term);
                (Cow::Owned(relation), Sought::False(kept))
            }
            SpecificationKind::Ltl(formula) => {
                let limits = lurcher_ltl::Limits::default();
                let watched = lurcher_ltl::violations(relation, formula, &limits)
                    .map_err(|e| JobError::Formula(specification.name.clone(), e))?;
                (Cow::Owned(watched.relation), Sought::FairRun)
            }
        };
        Ok(Watched { relation: extended, sought, variables: relation.variables.len() })
    }

    /// A run as one of the original relation.
    pub fn original(&self, states: Vec<Vec<i64>>, cycle_start: Option<usize>) -> StateRun {
        let cut = |mut state: Vec<i64>| {
            state.truncate(self.variables);
            state
        };
        StateRun { states: states.into_iter().map(cut).collect(), cycle_start }
    }
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
