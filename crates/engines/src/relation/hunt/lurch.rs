//! LURCH: every property watched in one search.
//!
//! Invariants, invariants about steps and deadlock share a search. An LTL formula extends the relation and has one of its
//! own, over the same share of the budget.

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, TermId};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{
    Budget, FoundKind, LurchFound, LurchPlan, LurchReport, Observer, RelationDomain, RelationObjective, Stats,
    StopReason, WalkDomain, lurch,
};

use super::super::job::{Answer, LurchCurve};
use super::super::watch::{Sought, Watched};
use super::{Chase, StateHunt, found, unsuited};
use crate::job::JobError;
use crate::verdict::Report;

/// Hunts for violations of all properties.
pub(super) fn lurch_all(
    hunt: &StateHunt,
    relation: &Relation,
    properties: &[Property],
    plan: &LurchPlan,
    observer: &mut impl Observer,
) -> Result<Vec<Report>, JobError> {
    let alone = |s: &Property| !matches!(s.kind, PropertyKind::Invariant(_) | PropertyKind::Deadlock);
    let searches = properties.iter().filter(|s| alone(s)).count() + usize::from(properties.iter().any(|s| !alone(s)));
    let mut left = Share { budget: &hunt.budget, searches };
    let mut reports = Vec::new();
    let together: Vec<&Property> = properties.iter().filter(|s| !alone(s)).collect();
    if !together.is_empty() {
        let invariant = |s: &&Property| match &s.kind {
            PropertyKind::Invariant(term) => Some(term.term()),
            _ => None,
        };
        let invariants: Vec<TermId> = together.iter().filter_map(invariant).collect();
        let deadlock = together.iter().any(|s| matches!(s.kind, PropertyKind::Deadlock));
        let subject = RelationObjective { invariants: invariants.clone(), deadlock, fair: false };
        let started = Instant::now();
        let (report, remark) = search(hunt, relation, &subject, plan, &left.next(), observer);
        for property in together {
            let kind = match &property.kind {
                PropertyKind::Invariant(term) => {
                    let index = invariants.iter().position(|&t| t == term.term()).expect("it was collected");
                    FoundKind::Watched(index as u32)
                }
                _ => FoundKind::Deadlock,
            };
            let watched = Watched::whole(relation, property)?;
            let violation = report.found.iter().find(|f| f.found.kind == kind);
            let mut one = one(hunt, relation, property, &watched, &report, violation, started.elapsed())?;
            one.remarks.extend(remark.clone());
            reports.push(one);
        }
    }
    for property in properties.iter().filter(|s| alone(s)) {
        let watched = Watched::part(relation, property)?;
        let subject = match &watched.sought {
            Sought::False(term) => RelationObjective { invariants: vec![*term], ..RelationObjective::default() },
            Sought::FairRun => RelationObjective { fair: true, ..RelationObjective::default() },
            Sought::Stuck => RelationObjective { deadlock: true, ..RelationObjective::default() },
            Sought::Ctl(_) => {
                let why = format!("`{}` is a CTL formula, which random search cannot watch", property.name);
                if properties.len() == 1 {
                    return Err(JobError::Unsuited(why));
                }
                reports.push(hunt.report(relation, property, unsuited(why), Duration::ZERO)?);
                continue;
            }
        };
        let started = Instant::now();
        let (report, remark) = search(hunt, watched.relation.as_ref(), &subject, plan, &left.next(), observer);
        let violation = report.found.first();
        let mut one = one(hunt, relation, property, &watched, &report, violation, started.elapsed())?;
        one.remarks.extend(remark);
        reports.push(one);
    }
    let place = |r: &Report| properties.iter().position(|s| s.name == r.name);
    reports.sort_by_key(place);
    Ok(reports)
}

/// Searches, and says why that is not done as native code.
fn search(
    hunt: &StateHunt,
    relation: &Relation,
    objective: &RelationObjective,
    plan: &LurchPlan,
    budget: &Budget,
    observer: &mut impl Observer,
) -> (LurchReport<Vec<i64>>, Option<String>) {
    let mut domain = RelationDomain::<()>::new(relation, objective);
    let remark = hunt.exec.speed_up(domain.stepper());
    let properties = objective.invariants.len() + usize::from(objective.deadlock) + usize::from(objective.fair);
    (lurch(&mut domain.position(), Some(properties), plan, budget, observer), remark)
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
    property: &Property,
    watched: &Watched<'_>,
    report: &LurchReport<Vec<i64>>,
    violation: Option<&LurchFound<Vec<i64>>>,
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
    let run = violation.map(|v| found(watched, v.found.path.clone(), v.found.cycle_start, false));
    let curve = LurchCurve {
        points: report.curve.iter().map(|p| (p.steps, p.states)).collect(),
        paths: report.paths,
        full: report.full,
        found_after: violation.map(|v| (v.steps, v.elapsed)),
    };
    let reduction = watched.reduction();
    let answer = Answer { reduction, stop, stats, found: run, curve: Some(curve), ..Answer::new("lurch") };
    hunt.report(relation, property, Chase::from(answer), violation.map_or(time, |v| v.elapsed))
}
