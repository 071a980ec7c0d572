//! LURCH: every property watched in one search.
//!
//! Invariants, invariants about steps and deadlock share a search. An LTL formula extends the relation and has one of its
//! own, over the same share of the budget.

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, Specification, SpecificationKind, TermId};
use lurcher_search::{
    Budget, FoundKind, LurchFound, LurchPlan, LurchReport, Observer, RelationMachines, RelationSubject, Stats,
    StopReason, lurch,
};
use lurcher_system::Path;

use super::super::job::{Answer, LurchCurve};
use super::super::watch::{Sought, Watched};
use super::{Chase, StateHunt, found, unsuited};
use crate::job::JobError;
use crate::verdict::Report;

/// Hunts for violations of all properties.
pub(super) fn lurch_all(
    hunt: &StateHunt,
    relation: &Relation,
    specifications: &[Specification],
    plan: &LurchPlan,
    observer: &mut impl Observer,
) -> Result<Vec<Report>, JobError> {
    let alone = |s: &Specification| !matches!(s.kind, SpecificationKind::Invariant(_) | SpecificationKind::Deadlock);
    let searches =
        specifications.iter().filter(|s| alone(s)).count() + usize::from(specifications.iter().any(|s| !alone(s)));
    let mut left = Share { budget: &hunt.budget, searches };
    let mut reports = Vec::new();
    let together: Vec<&Specification> = specifications.iter().filter(|s| !alone(s)).collect();
    if !together.is_empty() {
        let invariant = |s: &&Specification| match s.kind {
            SpecificationKind::Invariant(term) => Some(term),
            _ => None,
        };
        let invariants: Vec<TermId> = together.iter().filter_map(invariant).collect();
        let deadlock = together.iter().any(|s| matches!(s.kind, SpecificationKind::Deadlock));
        let subject = RelationSubject { invariants: invariants.clone(), deadlock, fair: false };
        let started = Instant::now();
        let mut machines = RelationMachines::new(relation, &subject);
        let remark = hunt.exec.speed_up(machines.stepper());
        let report = lurch(&mut machines, plan, &left.next(), observer);
        for specification in together {
            let kind = match specification.kind {
                SpecificationKind::Invariant(term) => {
                    let index = invariants.iter().position(|&t| t == term).expect("it was collected");
                    FoundKind::Watched(index as u32)
                }
                _ => FoundKind::Deadlock,
            };
            let watched = Watched::whole(relation, specification)?;
            let violation = report.found.iter().find(|f| f.kind == kind);
            let mut one = one(hunt, relation, specification, &watched, &report, violation, started.elapsed())?;
            one.remarks.extend(remark.clone());
            reports.push(one);
        }
    }
    for specification in specifications.iter().filter(|s| alone(s)) {
        let watched = Watched::part(relation, specification)?;
        let subject = match &watched.sought {
            Sought::False(term) => RelationSubject { invariants: vec![*term], ..RelationSubject::default() },
            Sought::FairRun => RelationSubject { fair: true, ..RelationSubject::default() },
            Sought::Stuck => RelationSubject { deadlock: true, ..RelationSubject::default() },
            Sought::Ctl(_) => {
                let why = format!("`{}` is a CTL formula, which random search cannot watch", specification.name);
                if specifications.len() == 1 {
                    return Err(JobError::Unsuited(why));
                }
                reports.push(hunt.report(relation, specification, unsuited(why), Duration::ZERO)?);
                continue;
            }
        };
        let started = Instant::now();
        let mut machines = RelationMachines::new(watched.relation.as_ref(), &subject);
        let remark = hunt.exec.speed_up(machines.stepper());
        let report = lurch(&mut machines, plan, &left.next(), observer);
        let violation = report.found.first();
        let mut one = one(hunt, relation, specification, &watched, &report, violation, started.elapsed())?;
        one.remarks.extend(remark);
        reports.push(one);
    }
    let place = |r: &Report| specifications.iter().position(|s| s.name == r.name);
    reports.sort_by_key(place);
    Ok(reports)
}

/// Time for searches that come one after the other.
struct Share<'b> {
    budget: &'b Budget,
    searches: usize,
}

impl Share<'_> {
    fn next(&mut self) -> Budget {
        let now = Instant::now();
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / self.searches.max(1) as u32;
        let deadline = self.budget.deadline.map(share);
        self.searches = self.searches.saturating_sub(1);
        Budget { deadline, ..self.budget.clone() }
    }
}

fn one(
    hunt: &StateHunt,
    relation: &Relation,
    specification: &Specification,
    watched: &Watched<'_>,
    report: &LurchReport<Path<Vec<i64>>>,
    violation: Option<&LurchFound<Path<Vec<i64>>>>,
    time: Duration,
) -> Result<Report, JobError> {
    let stop = match (violation, report.stop) {
        (Some(_), _) => StopReason::Violation,
        // A search that ends because everything else was violated has not proved anything.
        (None, StopReason::Complete | StopReason::Violation) => StopReason::Walks,
        (None, stop) => stop,
    };
    let stats =
        Stats { stored: report.states, transitions: report.steps, depth: u64::from(report.depth), ..Stats::default() };
    let run = violation.map(|v| found(watched, v.run.steps.clone(), v.run.cycle_start, false));
    let curve = LurchCurve {
        points: report.curve.iter().map(|p| (p.steps, p.states)).collect(),
        paths: report.paths,
        full: report.full,
        found_after: violation.map(|v| (v.steps, v.elapsed)),
    };
    let reduction = watched.reduction();
    let answer = Answer { reduction, stop, stats, found: run, curve: Some(curve), ..Answer::new("lurch") };
    hunt.report(relation, specification, Chase::from(answer), violation.map_or(time, |v| v.elapsed))
}
