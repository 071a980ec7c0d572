//! Distances in an abstraction, as BDD rings.
//!
//! The model becomes a relation, weak variables are dropped, and the abstract states are sorted into rings around the
//! target, as for SGMC and SGRMC ([`lurcher_symbolic::Rings`]; sections 5.2 and 7.3 of the thesis). The value of a state is
//! the number of its ring. The same rings guide symbolic searches.
//!
//! The [`PatternDatabase`](crate::PatternDatabase) lists abstract states; rings are sets, in which dropped variables are
//! quantified, so a variable can be kept whatever it is computed from. In return the model must be translatable to a
//! relation.

use std::fmt;

use lurcher_ir::LocationId;
use lurcher_ir::relation::{TermId, VariableId};
use lurcher_search::{Budget, Guidance, Scores, StopReason};
use lurcher_symbolic::processes::{Refusal, StateMap, StepError, Translation, translate, translate_runs};
use lurcher_symbolic::{Encoding, Pattern, Rings, with_deep_stack};
use lurcher_system::{Interpreter, Layout, State};

use crate::goals::Target;

/// Distances in an abstraction.
#[derive(Debug)]
pub struct Abstraction {
    rings: lurcher_symbolic::RingHeuristic,
    map: StateMap,
    layout: Layout,
    kept: Vec<String>,
    admissible: bool,
}

/// Why there is no abstraction.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AbstractionError {
    /// The model cannot be translated to a relation.
    Refused(Refusal),
    /// The translation does not support message loss.
    MessageLoss,
    /// No variable has this name.
    UnknownName(String),
    /// The budget was used up.
    Stopped(StopReason),
}

impl fmt::Display for AbstractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbstractionError::Refused(why) => write!(f, "{why}"),
            AbstractionError::MessageLoss => write!(f, "it knows no message loss"),
            AbstractionError::UnknownName(name) => write!(f, "there is no variable `{name}` to drop"),
            AbstractionError::Stopped(stop) => write!(f, "stopped by {}", stop.name()),
        }
    }
}

impl std::error::Error for AbstractionError {}

impl Abstraction {
    /// Builds the abstraction for a target, within a budget. The interpreter must be of the model with the claim of the
    /// target, if it has one. Without names to drop, weak variables are dropped.
    ///
    /// # Errors
    /// If the model cannot be translated, a name is unknown, or the budget does not suffice.
    pub fn build(
        interpreter: &Interpreter<'_>,
        target: &Target,
        drop: &[String],
        budget: &Budget,
    ) -> Result<Self, AbstractionError> {
        if interpreter.limits().message_loss {
            return Err(AbstractionError::MessageLoss);
        }
        let model = interpreter.model();
        let translation = match target {
            Target::Claim(claim) => translate_runs(model, *claim),
            Target::Invariant(e) => translate(model, std::slice::from_ref(e)),
            Target::Deadlock | Target::Assertion => translate(model, &[]),
        };
        let translation = translation.map_err(AbstractionError::Refused)?;
        let keep = keep(&translation, drop)?;
        let (violations, reads) = target_terms(&translation, target);
        let made = with_deep_stack(|| {
            let encoding = Encoding::new(&translation.relation, budget)?;
            let k = encoding.kernel();
            let mut states = k.constant(false);
            for &violation in &violations {
                states = k.or(&states, &encoding.states(violation)?)?;
            }
            let rings = Rings::for_walks(&encoding, &states, &reads, &keep)?;
            Ok((rings.heuristic(&encoding), rings.kept().to_vec(), rings.bounds_distances()))
        });
        let (rings, kept, bounds) = made.map_err(AbstractionError::Stopped)?;
        let relation = &translation.relation;
        Ok(Abstraction {
            rings,
            kept: kept.iter().map(|&v| relation.variable(v).name.clone()).collect(),
            admissible: bounds && !matches!(target, Target::Claim(_)) && is_whole(&translation),
            map: translation.map,
            layout: interpreter.layout().clone(),
        })
    }

    /// Whether its value never exceeds the number of steps to a violation. It may if the rings surround only a part of the
    /// target, if processes may be created for which the relation has no variables, or under a claim, whose moves alone are
    /// no steps of a trace.
    pub fn admissible(&self) -> bool {
        self.admissible
    }

    /// Number of rings.
    pub fn rings(&self) -> u32 {
        self.rings.worst()
    }

    /// Names of the kept variables.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }
}

/// The variables to keep.
fn keep(translation: &Translation, drop: &[String]) -> Result<Pattern, AbstractionError> {
    if drop.is_empty() {
        return Ok(Pattern::default());
    }
    let find = |name: &String| {
        let found = translation.relation.find(name);
        found.ok_or_else(|| AbstractionError::UnknownName(name.clone()))
    };
    Ok(Pattern::Without(drop.iter().map(find).collect::<Result<Vec<VariableId>, _>>()?))
}

/// The terms one of which is true in the target states, and the terms whose variables are the strongest.
fn target_terms(translation: &Translation, target: &Target) -> (Vec<TermId>, Vec<TermId>) {
    let both = |terms: Vec<TermId>| (terms.clone(), terms);
    match target {
        // A deadlock depends on everything, most of all on the locations of the processes.
        Target::Deadlock => (vec![translation.deadlock], translation.locations.clone()),
        Target::Assertion => {
            let assertions = translation.violations.iter().filter(|v| v.kind == StepError::Assertion);
            both(assertions.map(|v| v.condition).collect())
        }
        Target::Invariant(_) => both(translation.violated_invariants.clone()),
        Target::Claim(_) => {
            both(translation.relation.justice.iter().copied().chain([translation.claim_ended]).collect())
        }
    }
}

/// Whether the relation has variables for every process that can be created.
fn is_whole(translation: &Translation) -> bool {
    let support = translation.relation.terms.support(translation.overflow);
    let changes = |v: VariableId| {
        let mut blocks = translation.relation.transitions.iter().map(|t| &t.block);
        blocks.any(|b| b.assignments.iter().any(|a| a.variable == v))
    };
    !support.current.into_iter().any(changes)
}

impl Guidance for Abstraction {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        self.rings.worst()
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        self.rings.score_of(|v| self.map.value(&self.layout, state, claim, v))
    }
}
