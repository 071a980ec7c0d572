//! LURCH: every property watched in one search.
//!
//! Invariants, invariants about steps and deadlock share a search. An LTL formula extends the relation and has one of its
//! own, over the same share of the budget.

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, TermId};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{
    Budget, FoundKind, LurchFound, LurchPlan, LurchReport, Observer, RelationMachines, RelationSubject, Stats,
    StopReason, lurch,
};
use lurcher_system::relation::StateRun;

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
        let subject = RelationSubject { invariants: invariants.clone(), deadlock, fair: false };
        let started = Instant::now();
        let mut machines = RelationMachines::new(relation, &subject);
        let remark = hunt.exec.speed_up(machines.stepper());
        let report = lurch(&mut machines, plan, &left.next(), observer);
        for property in together {
            let kind = match &property.kind {
                PropertyKind::Invariant(term) => {
                    let index = invariants.iter().position(|&t| t == term.term()).expect("it was collected");
                    FoundKind::Watched(index as u32)
                }
                _ => FoundKind::Deadlock,
            };
            let watched = Watched::whole(relation, property)?;
            let violation = report.found.iter().find(|f| f.kind == kind);
            let mut one = one(hunt, relation, property, &watched, &report, violation, started.elapsed())?;
            one.remarks.extend(remark.clone());
            reports.push(one);
        }
    }
    for property in properties.iter().filter(|s| alone(s)) {
        let watched = Watched::part(relation, property)?;
        let subject = match &watched.sought {
            Sought::False(term) => RelationSubject { invariants: vec![*term], ..RelationSubject::default() },
            Sought::FairRun => RelationSubject { fair: true, ..RelationSubject::default() },
            Sought::Stuck => RelationSubject { deadlock: true, ..RelationSubject::default() },
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
        let mut machines = RelationMachines::new(watched.relation.as_ref(), &subject);
        let remark = hunt.exec.speed_up(machines.stepper());
        let report = lurch(&mut machines, plan, &left.next(), observer);
        let violation = report.found.first();
        let mut one = one(hunt, relation, property, &watched, &report, violation, started.elapsed())?;
        one.remarks.extend(remark);
        reports.push(one);
    }
    let place = |r: &Report| properties.iter().position(|s| s.name == r.name);
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
    property: &Property,
    watched: &Watched<'_>,
    report: &LurchReport<StateRun>,
    violation: Option<&LurchFound<StateRun>>,
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
    let run = violation.map(|v| found(watched, v.run.states.clone(), v.run.cycle_start, false));
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
