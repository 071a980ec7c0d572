//! Checking properties one after the other.

use std::time::Instant;

use lurcher_ir::{Property, PropertyKind};
use lurcher_resources::checkpoint_now;
use lurcher_search::{Observer, Phase, StopReason};

use crate::engine::{Checked, Goal, Run, Task};
use crate::error::EngineError;
use crate::report::{Answer, Report, Verdict, violation_first};
use crate::system::{Model, Search, System, judge};

/// How an engine answers for one system. A trait instead of a closure, because it is generic over the system.
pub(crate) trait CheckOne {
    /// Whether the property is checked on the part of the model that decides it, where reductions are not turned off.
    fn reduces(&self, task: &Task<'_>) -> bool {
        task.goal == Goal::Hunt || task.reduces()
    }

    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError>;
}

/// Searches for states do not see runs.
pub(crate) fn refuses_runs(kind: &PropertyKind) -> Option<&'static str> {
    let about_states = matches!(kind, PropertyKind::Safety | PropertyKind::Deadlock | PropertyKind::Invariant(_));
    let why = "this engine looks for bad states, not for runs that a formula or a claim is about; --engine bdd looks for both";
    (!about_states).then_some(why)
}

/// CTL formulas are about sets of states.
pub(crate) fn refuses_ctl(kind: &PropertyKind) -> Option<&'static str> {
    matches!(kind, PropertyKind::Ctl(_)).then_some("CTL formulas are checked by --engine bdd only")
}

/// An explicit search for bad states, made for each task; bad runs are found by the system's own search.
pub(super) struct Explicit<A>(pub fn(&Task<'_>) -> A);

impl<A: Search> CheckOne for Explicit<A> {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let (mut search, budget) = ((self.0)(task), task.search_budget());
        let states = system.is_about_states();
        let activity = if states { "searching states" } else { "searching cycles" };
        observer.phase(&Phase { engine: search.name(), property: &system.property().name, activity });
        match states {
            true => system.explore(&mut search, None, &budget, observer),
            false => system.find_cycle(search.storage(), &budget, observer),
        }
    }
}

/// Checks properties one after the other. A hunt stops at the first violation. A property that the engine cannot check is
/// passed over, unless it is the only one.
pub(super) fn check_each<M: Model>(
    name: &str,
    run: Run<'_, M>,
    mut engine: impl CheckOne,
) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let mut reports: Vec<Report> = Vec::new();
    for property in properties {
        // What a limit leaves no time for is not begun.
        let begun = task.budget.resources.bound(checkpoint_now).map_err(EngineError::from);
        let mut check = || check_one(model, property, engine.reduces(task), task, observer, &mut engine);
        let report = match begun.and_then(|()| check()) {
            Err(EngineError::Stopped(limit)) => Report::stopped(property, name, limit.into()),
            Err(EngineError::Refused(why)) if properties.len() > 1 => Report::unsupported(property, why),
            Err(error @ EngineError::Formula(..)) if properties.len() > 1 => {
                Report::unsupported(property, error.to_string())
            }
            report => report?,
        };
        report.tell(observer);
        let (verdict, stop) = (report.verdict, report.stop);
        reports.push(report);
        let over = match task.goal {
            Goal::Hunt => verdict == Verdict::Violated || matches!(stop, StopReason::Interrupted | StopReason::Memory),
            Goal::Verify => stop == StopReason::Interrupted,
        };
        if over {
            break;
        }
    }
    Ok(match task.goal {
        Goal::Hunt => violation_first(reports).into(),
        Goal::Verify => reports.into(),
    })
}

/// Checks a property on the part of the model that decides it, or on the whole model.
fn check_one<M: Model>(
    model: &M,
    property: &Property,
    reduce: bool,
    task: &Task<'_>,
    observer: &mut dyn Observer,
    engine: &mut impl CheckOne,
) -> Result<Report, EngineError> {
    let resources = &task.budget.resources;
    let started = Instant::now();
    let phase = |activity| Phase { property: &property.name, activity, ..Phase::default() };
    observer.phase(&phase("preparing the model"));
    let prepared = resources.bound(|| model.prepare(property, reduce, task))??;
    let system = resources.bound(|| model.system(&prepared, task))?;
    let answer = resources.bound(|| engine.answer(&system, task, observer))??;
    if !answer.found.is_empty() {
        observer.phase(&phase(SHORTENING));
    }
    match judge(&system, task, answer, started.elapsed()) {
        Err(EngineError::NoCounterpart(_)) if reduce => check_one(model, property, false, task, observer, engine),
        judged => judged,
    }
}

/// The activity of [`judge`] where something was found.
pub(crate) const SHORTENING: &str = "replaying and shortening the trace";
