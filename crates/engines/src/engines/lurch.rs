//! LURCH: random paths that watch every property at once (Owen and Menzies 2003).

use std::time::{Duration, Instant};

use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{
    Budget, FoundKind, LurchFound, LurchPlan, LurchReport, Observer, Phase, Stats, StopReason, WalkDomain, lurch,
};

use super::walk;
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{DEPTH, EXEC, SATURATION, UNTIL, WALKS};
use crate::report::{Answer, LurchCurve, Report};
use crate::system::{Model, Shape, System, judge};

/// Random paths that watch every property at once.
pub struct Lurch;

static INFO: Info = Info {
    name: "lurch",
    help: "LURCH: random paths that end after --until repeats, all properties watched at once",
    parameters: &[&[&UNTIL, &DEPTH, &WALKS, &SATURATION, &EXEC]],
    proves: false,
    random: true,
};

impl Engine for Lurch {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        let claim = matches!(
            kind,
            PropertyKind::Ltl { .. } | PropertyKind::Never(_) | PropertyKind::NonProgress | PropertyKind::Acceptance
        );
        match shape == Shape::Processes && claim {
            true => Some("LURCH does not watch claims of process models; walk and trail do"),
            false => walk::refuses(kind),
        }
    }

    /// Unlike other hunts, it goes on past violations and reports all that it found.
    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let Run { model, properties, task, observer } = run;
        let mut reports: Vec<Report> = Vec::new();
        let groups = model.prepare_together(properties, task)?;
        let count = groups.len();
        for (number, (prepared, members)) in groups.iter().enumerate() {
            let members: Vec<&Property> = members.iter().map(|&i| &properties[i]).collect();
            let each: Result<Vec<_>, _> = members.iter().map(|p| model.prepare(p, false, task)).collect();
            let each = each?;
            let system = model.system(prepared, task);
            let started = Instant::now();
            let property = if members.len() == 1 { members[0].name.as_str() } else { "all properties" };
            observer.phase(&Phase { engine: INFO.name, property, activity: "random paths" });
            let searched = search(&system, members.len(), task, share(&task.budget, count - number), observer);
            let elapsed = started.elapsed();
            if let [_] = members[..] {
                reports.push(report(&system, &searched, searched.found.first(), task, elapsed)?);
                continue;
            }
            for (index, prepared) in each.iter().enumerate() {
                let kind = watched_kind(&members, index);
                let found = searched.found.iter().find(|f| f.found.kind == kind);
                reports.push(report(&model.system(prepared, task), &searched, found, task, elapsed)?);
            }
        }
        reports.sort_by_key(|r| properties.iter().position(|p| p.name == r.name));
        Ok(reports.into())
    }
}

/// The budget of the next of so many searches: an equal share of the time that is left.
fn share(budget: &Budget, searches: usize) -> Budget {
    let now = Instant::now();
    let part = |deadline: Instant| now + deadline.saturating_duration_since(now) / searches.max(1) as u32;
    budget.resources.deadline.map_or_else(|| budget.clone(), |deadline| budget.until(part(deadline)))
}

/// Searches with so many properties watched.
fn search<S: System>(
    system: &S,
    properties: usize,
    task: &Task<'_>,
    budget: Budget,
    mut observer: &mut dyn Observer,
) -> LurchReport<S::Step> {
    let (usual, options) = (LurchPlan::default(), &task.options);
    let plan = LurchPlan {
        seed: task.seed,
        repeats: options.repeats(&UNTIL).unwrap_or(usual.repeats),
        depth: options.steps(&DEPTH).unwrap_or(usual.depth),
        paths: options.number(&WALKS),
        saturation: options.probability(&SATURATION),
        ..usual
    };
    // How many assertions and faults there are is not known before they are met.
    let known = !matches!(system.property().kind, PropertyKind::Safety);
    let domain = system.domain();
    lurch(&mut domain.position(), known.then_some(properties), &plan, &budget, &mut observer)
}

/// The kind of violation that shows one of several properties.
fn watched_kind(properties: &[&Property], index: usize) -> FoundKind {
    let is_invariant = |p: &&&Property| matches!(p.kind, PropertyKind::Invariant(_));
    match properties[index].kind {
        PropertyKind::Invariant(_) => {
            FoundKind::Watched(properties[..index].iter().filter(is_invariant).count() as u32)
        }
        _ => FoundKind::Deadlock,
    }
}

fn report<S: System>(
    system: &S,
    searched: &LurchReport<S::Step>,
    found: Option<&LurchFound<S::Step>>,
    task: &Task<'_>,
    elapsed: Duration,
) -> Result<Report, EngineError> {
    let mut answer = Answer::new(system.property(), INFO.name);
    answer.found.extend(found.map(|f| system.as_path(f.found.clone())));
    answer.report.stop = match (found, searched.stop) {
        (Some(_), _) => StopReason::Violation,
        // A search that ends because everything else was violated has not proved anything.
        (None, StopReason::Complete | StopReason::Violation) => StopReason::Walks,
        (None, stop) => stop,
    };
    answer.report.stats = Stats {
        stored: searched.states,
        transitions: searched.steps,
        depth: u64::from(searched.depth),
        ..Stats::default()
    };
    answer.report.curve = Some(LurchCurve {
        points: searched.curve.iter().map(|p| (p.steps, p.states)).collect(),
        paths: searched.paths,
        full: searched.full,
        found_after: found.map(|f| (f.steps, f.elapsed)),
    });
    system.describe_walks(&mut answer.report);
    judge(system, task, answer, found.map_or(elapsed, |f| f.elapsed))
}
