//! Rings around the goal in a symbolic abstraction.

use lurcher_ir::relation::{TermId, VariableId};
use lurcher_search::{Bias, Budget, PreparedRelation, RelationGoal, Scores};
use lurcher_symbolic::{Bdd, BddResult, Encoding, Pattern, Rings, with_deep_stack};

use super::{Built, BuiltForRelation, Entry, HeuristicError, RelationHeuristic, Request, Settings};
use crate::abstraction::{Abstraction, AbstractionError};
use crate::heuristic::Heuristic;

/// Why an abstraction is not written to a file.
pub(super) const NO_TEXT: &str = "it is made anew each time, and in no file; --drop FILE says what it drops";
/// Memory for the BDDs of an abstraction of processes, so that it is the same heuristic on every machine.
const MEMORY: u64 = 256 << 20;

pub(super) const ENTRY: Entry = Entry {
    name: "abstraction",
    help: "Distances in an abstraction without weak variables or those of --drop, as BDD rings, for states and sets of states",
    scores: Scores::States,
    costly: true,
    bias: Bias::Steep,
    for_processes,
    for_relation: Some(for_relation),
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    let Request { interpreter, target, settings, budget, .. } = request;
    refuse_text(settings)?;
    let memory = Some(budget.resources.memory.map_or(MEMORY, |limit| limit.min(MEMORY)));
    let budget = budget.with_memory(memory);
    let made = Abstraction::build(interpreter, target, &settings.drop, &budget).map_err(|error| match error {
        AbstractionError::Stopped(stop) => HeuristicError::Stopped(stop),
        error => HeuristicError::None(error.to_string()),
    })?;
    let notes = vec![format!("{} rings; kept: {}", made.rings(), made.kept().join(", "))];
    Ok((Heuristic::Abstraction(Box::new(made)), notes))
}

fn for_relation(prepared: &PreparedRelation<'_>, settings: &Settings, budget: &Budget) -> BuiltForRelation {
    refuse_text(settings)?;
    let keep = keep(prepared, &settings.drop)?;
    let rings = with_deep_stack(|| {
        let split = prepared.relation.split();
        let encoding = Encoding::new(split.as_ref().unwrap_or(prepared.relation.as_ref()), budget)?;
        let (target, terms) = goal_states(&encoding, &prepared.goal)?;
        Ok(Rings::for_walks(&encoding, &target, &terms, &keep)?.heuristic(&encoding))
    });
    rings.map(RelationHeuristic::Rings).map_err(HeuristicError::Stopped)
}

fn refuse_text(settings: &Settings) -> Result<(), HeuristicError> {
    if settings.text.is_some() { Err(NO_TEXT.to_owned().into()) } else { Ok(()) }
}

/// The variables that an abstraction of a relation keeps. Names that only the whole relation has are dropped already.
///
/// # Errors
/// When a name is unknown.
pub fn keep(prepared: &PreparedRelation<'_>, drop: &[String]) -> Result<Pattern, String> {
    if drop.is_empty() {
        return Ok(Pattern::default());
    }
    if let Some(name) = drop.iter().find(|n| prepared.whole.find(n).is_none()) {
        return Err(format!("there is no variable `{name}` to drop"));
    }
    let dropped: Vec<VariableId> = drop.iter().filter_map(|name| prepared.relation.find(name)).collect();
    Ok(Pattern::Without(dropped))
}

/// The states of a goal, and the terms that define them; no states for goals about runs.
///
/// # Errors
/// When a limit is reached.
pub fn goal_states(encoding: &Encoding<'_>, goal: &RelationGoal) -> BddResult<(Bdd, Vec<TermId>)> {
    Ok(match goal {
        RelationGoal::Violated(term) => {
            (encoding.kernel().minus(encoding.all_states(), &encoding.truth(*term)?)?, vec![*term])
        }
        RelationGoal::Deadlock => (encoding.deadlocks()?, Vec::new()),
        RelationGoal::FairRun | RelationGoal::Ctl(_) => (encoding.kernel().constant(false), Vec::new()),
    })
}
