//! Running one trial on a relation.

use lurcher_engines::{Exec, JobError, MINIMISE, Report, StateGuide, StateHunt, StateHunter};
use lurcher_search::{Budget, HuntPlan, LurchPlan};

use crate::instance::Instance;
use crate::trial::Trial;

/// What an engine, with a guide, says of the trial's question.
pub(crate) fn reports(
    (hunter, guide): (&StateHunter, &StateGuide),
    trial: &Trial,
    instance: &Instance,
    mut budget: Budget,
) -> Result<Vec<Report>, JobError> {
    let loaded = instance.relation().expect("this way is for relations");
    let walks = trial.limits.walks;
    let hunter = match hunter {
        StateHunter::Lurch(plan) => StateHunter::Lurch(LurchPlan { seed: trial.seed, paths: walks, ..*plan }),
        other => other.clone(),
    };
    if let StateHunter::Bfs = hunter {
        budget.states = trial.limits.states;
    }
    let chain = match &hunter {
        StateHunter::Walk(plan) => u64::from(plan.chain),
        _ => 1,
    };
    let last = walks.map(|walks| walks.div_ceil(chain));
    let hunt = StateHunt {
        hunter,
        guide: guide.clone(),
        plan: HuntPlan { seed: trial.seed, jobs: 1, first: 0, last, saturation: None },
        exec: Exec::Jit,
        budget,
        minimise: trial.minimise.then_some(MINIMISE),
    };
    hunt.hunt(&loaded.relation, &instance.questions[trial.question].specifications, &mut ())
}
