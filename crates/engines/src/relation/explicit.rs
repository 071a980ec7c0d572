//! Answers state by state.

use lurcher_search::{Budget, Observer, RelationSpace, StopReason, bfs, dfs, fair_run};

use super::confirm::FoundRun;
use super::job::{Answer, StateEngine};
use super::symbolic::NO_INITIAL_STATE;
use super::watch::{Sought, Watched};
use crate::job::JobError;

/// States of a look, and values that are tried to find them.
const LOOK: (u64, u64) = (1 << 14, 1 << 18);

/// The answer to a question about states, if a look at the first ones gives it.
pub(crate) fn look(
    watched: &Watched<'_>,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Result<Option<Answer>, JobError> {
    let budget = Budget { states: Some(LOOK.0), effort: Some(LOOK.1), ..budget.clone() };
    let answer = answer(watched, StateEngine::Bfs, &budget, observer)?;
    Ok(Some(answer).filter(|a| a.found.is_some() || a.stop == StopReason::Complete))
}

/// The answer to a question.
pub(crate) fn answer(
    watched: &Watched<'_>,
    engine: StateEngine,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Result<Answer, JobError> {
    let mut answer = search(watched, engine, budget, observer)?;
    // With a formula's automaton beside it, a model may begin and the search may not.
    let alone = !matches!(watched.sought, Sought::FairRun);
    if alone && answer.stop == StopReason::Complete && answer.stats.stored == 0 {
        answer.remarks.push(NO_INITIAL_STATE.to_owned());
    }
    Ok(answer)
}

fn search(
    watched: &Watched<'_>,
    engine: StateEngine,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Result<Answer, JobError> {
    let relation = watched.relation.as_ref();
    let (invariants, deadlock) = match &watched.sought {
        Sought::False(term) => (vec![*term], false),
        Sought::Stuck => (Vec::new(), true),
        Sought::FairRun => {
            let outcome = fair_run(relation, budget, observer);
            let found =
                outcome.run.map(|run| FoundRun { run: watched.original(run.steps, run.cycle_start), shortest: false });
            return Ok(Answer { stop: outcome.stop, stats: outcome.stats, found, ..Answer::new("fair-run") });
        }
        Sought::Ctl(_) => {
            return Err(JobError::Unsuited("CTL formulas are checked by --engine bdd only".to_owned()));
        }
    };
    let mut space = RelationSpace::new(relation, &invariants, deadlock, budget);
    let (outcome, name) = match engine {
        StateEngine::Dfs => (dfs(&mut space, budget, observer), "dfs"),
        StateEngine::Auto | StateEngine::Bfs | StateEngine::Bdd => (bfs(&mut space, budget, observer), "bfs"),
    };
    let found = outcome.found.first().map(|found| {
        let run = space.run_of(found);
        FoundRun { run: watched.original(run.steps, run.cycle_start), shortest: found.shortest }
    });
    Ok(Answer { stop: outcome.stop, stats: outcome.stats, found, ..Answer::new(name) })
}
