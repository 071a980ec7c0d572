//! The abstraction of symbolic searches as a guide of walks from state to state.
//!
//! The model becomes a relation, weak variables are dropped, and what is left is sorted into rings around the target, as
//! for SGMC and SGRMC ([`lurcher_symbolic::Rings`]; the thesis's sections 5.2 and 7.3). A state is worth the number of the ring that its valuation
//! is in. The same rings guide sets of states and single states.
//!
//! Beside the [`PatternDatabase`](crate::PatternDatabase), which lists abstract states one by one, the rings are sets: what is dropped is
//! quantified, so nothing has to be listed, and a variable may stay whatever it is computed from. In return the model must be one
//! that can be translated.

use std::fmt;

use lurcher_ir::LocationId;
use lurcher_ir::relation::{TermId, VariableId};
use lurcher_search::{Budget, Guidance, Scores, StopReason};
use lurcher_symbolic::processes::{Refusal, StateMap, StepError, Translation, translate, translate_runs};
use lurcher_symbolic::{Encoding, Pattern, Rings, with_deep_stack};
use lurcher_system::{Interpreter, Layout, ProcessId, State};

use crate::goals::Target;

/// The distances of an abstraction, in use.
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
    /// The interpreter does something that the translation does not.
    MessageLoss,
    /// No variable has this name.
    UnknownName(String),
    /// A limit was reached while it was made.
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
    /// Makes the abstraction for a target, within a budget. The interpreter must be of the model with the claim of the
    /// target, if it has one. Variables are dropped by name, or weak ones where no name is given.
    ///
    /// # Errors
    /// When the model cannot be translated, a name is unknown, or the budget does not suffice.
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
        let aims = aims(&translation, target);
        let made = with_deep_stack(|| {
            let encoding = Encoding::new(&translation.relation, budget)?;
            let k = encoding.kernel();
            let mut states = k.constant(false);
            for &aim in &aims.states {
                states = k.or(&states, &encoding.states(aim)?)?;
            }
            let rings = Rings::for_walks(&encoding, &states, &aims.reads, &keep)?;
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

    /// Is its value never larger than the number of steps to a violation? Not where the rings are around a part of what is
    /// looked for, where processes may be created that the relation has no variables for, or under a claim, whose moves
    /// alone are no steps of a trace.
    pub fn admissible(&self) -> bool {
        self.admissible
    }

    /// How many rings there are.
    pub fn rings(&self) -> u32 {
        self.rings.worst()
    }

    /// Names of the variables that are kept.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }
}

/// Which variables to keep.
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

/// What is aimed at.
struct Aims {
    /// The states where one of these is true.
    states: Vec<TermId>,
    /// What says which states these are.
    reads: Vec<TermId>,
}

fn aims(translation: &Translation, target: &Target) -> Aims {
    let both = |terms: Vec<TermId>| Aims { states: terms.clone(), reads: terms };
    match target {
        // Whether processes are stuck depends on everything; where they stand tells most of it.
        Target::Deadlock => Aims { states: vec![translation.deadlock], reads: translation.locations.clone() },
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

/// Has the relation variables for everything that can happen?
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

    fn of_step(&self, state: &State, claim: LocationId, _: ProcessId, _: u16) -> u32 {
        self.of_state(state, claim)
    }
}
