//! Checking properties one after the other.

use std::time::Instant;

use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Observer, StopReason};

use crate::engine::{Checked, Goal, Run, Task};
use crate::error::EngineError;
use crate::report::{Answer, Report, Verdict, violation_first};
use crate::system::{Model, Search, System, judge};

/// How an engine answers for one system. A trait instead of a closure, because it is generic over the system.
pub(super) trait CheckOne {
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

/// CTL formulas are about sets of states.
pub(super) fn refuses_ctl(kind: &PropertyKind) -> Option<&'static str> {
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
        match system.is_about_states() {
            true => system.explore(&mut search, &budget, observer),
            false => system.find_cycle(search.storage(), &budget, observer),
        }
    }
}

/// Checks properties one after the other. A hunt stops at the first violation. A property that the engine cannot check is
/// passed over, unless it is the only one.
pub(super) fn check_each<M: Model>(run: Run<'_, M>, mut engine: impl CheckOne) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let mut reports: Vec<Report> = Vec::new();
    for property in properties {
        let report = match check_one(model, property, task, observer, &mut engine) {
            Err(EngineError::Refused(why)) if properties.len() > 1 => Report::unsupported(property, why),
            report => report?,
        };
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

fn check_one<M: Model>(
    model: &M,
    property: &Property,
    task: &Task<'_>,
    observer: &mut dyn Observer,
    engine: &mut impl CheckOne,
) -> Result<Report, EngineError> {
    let started = Instant::now();
    let reduce = engine.reduces(task);
    let prepared = model.prepare(property, reduce, task)?;
    let system = model.system(&prepared, task);
    let answer = engine.answer(&system, task, observer)?;
    if reduce && answer.found.iter().any(|found| system.is_lost(found)) {
        let prepared = model.prepare(property, false, task)?;
        let system = model.system(&prepared, task);
        let answer = engine.answer(&system, task, observer)?;
        return judge(&system, task, answer, started.elapsed());
    }
    judge(&system, task, answer, started.elapsed())
}
