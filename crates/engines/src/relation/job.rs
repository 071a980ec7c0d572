//! Checking properties of a relation: picks the search, runs it, judges what it finds.

use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, Observer, Stats, StopReason, Storage};
use lurcher_symbolic::{Count, deep};
use lurcher_syntax::Span;

use super::confirm::{FoundRun, confirm_run};
use super::explicit;
use super::parts::Part;
use super::symbolic::{Symbolic, USUAL};
use super::watch::Watched;
use crate::job::{CUT, JobError};
use crate::verdict::{Report, Times, Verdict};

/// A complete search of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateEngine {
    /// Diagrams; where values are multiplied, which takes large ones, a look at the first states one by one before that.
    Auto,
    /// Sets of states as binary decision diagrams.
    Bdd,
    /// States one by one, breadth first.
    Bfs,
    /// States one by one, depth first.
    Dfs,
}

/// Looks in vain after which diagrams are used at once.
const LOOKS: u32 = 2;

/// What every check of a job shares.
#[derive(Clone, Debug)]
pub struct StateJob {
    /// The search.
    pub engine: StateEngine,
    /// What each check may use.
    pub budget: Budget,
    /// Leave out what a property does not depend on.
    pub cone: bool,
    /// Work for making all traces shorter, in expanded states; none shows them as they were found.
    pub minimise: Option<u64>,
}

/// What a search came to.
pub(crate) struct Answer {
    /// The search that was used.
    pub engine: &'static str,
    /// The reduction that it used.
    pub reduction: Option<&'static str>,
    pub stop: StopReason,
    pub stats: Stats,
    pub found: Option<FoundRun>,
    pub sets: Option<Sets>,
    pub curve: Option<LurchCurve>,
    pub remarks: Vec<String>,
}

/// What is known of sets of states.
#[derive(Clone, Debug)]
pub struct Sets {
    /// How many states are reachable, where all were found.
    pub reachable: Option<Count>,
    /// Nodes of all diagrams at the end.
    pub nodes: u64,
}

/// How a search by LURCH went.
#[derive(Clone, Debug)]
pub struct LurchCurve {
    /// Steps taken and different states met, at growing numbers of steps.
    pub points: Vec<(u64, u64)>,
    /// Paths made.
    pub paths: u64,
    /// The table of states was full, so that states met later count as known.
    pub full: bool,
    /// Steps and time until the violation was found.
    pub found_after: Option<(u64, Duration)>,
}

impl Answer {
    /// An answer of an engine that has not done anything yet.
    pub fn new(engine: &'static str) -> Self {
        Answer {
            engine,
            reduction: None,
            stop: StopReason::Complete,
            stats: Stats::default(),
            found: None,
            sets: None,
            curve: None,
            remarks: Vec::new(),
        }
    }
}

impl StateJob {
    /// Checks properties, one after the other.
    pub fn check(
        &self,
        relation: &Relation,
        properties: &[Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<Vec<Report>, JobError> {
        match self.engine {
            StateEngine::Auto | StateEngine::Bdd => deep(|| self.by_parts(relation, properties, observer)),
            engine => self.one_by_one(relation, properties, engine, observer),
        }
    }

    fn one_by_one(
        &self,
        relation: &Relation,
        properties: &[Property],
        engine: StateEngine,
        observer: &mut impl Observer,
    ) -> Result<Vec<Report>, JobError> {
        let mut reports = Vec::new();
        for property in properties {
            let started = Instant::now();
            let watched = match self.cone {
                true => Watched::part(relation, property)?,
                false => Watched::whole(relation, property)?,
            };
            let answer = |watched: &Watched<'_>| explicit::answer(watched, engine, &self.budget, observer);
            reports.push(self.one(relation, property, &watched, started, answer)?);
            if is_over(&reports) {
                break;
            }
        }
        Ok(reports)
    }

    /// Diagrams are made once for all properties that they serve.
    fn by_parts(
        &self,
        relation: &Relation,
        properties: &[Property],
        observer: &mut impl Observer,
    ) -> Result<Vec<Report>, JobError> {
        let parts = match self.cone {
            true => Part::divide(relation, properties),
            false => vec![Part::whole(properties)],
        };
        let (mut numbers, mut reports) = (Vec::new(), Vec::new());
        let worth = self.engine == StateEngine::Auto && relation.terms.multiply_values();
        let mut looks = if worth { LOOKS } else { 0 };
        'all: for Part { cone, properties: members, shared } in &parts {
            let about = cone.as_ref().map_or(relation, |c| &c.relation);
            let split = shared.then(|| about.split()).flatten();
            let mut symbolic = Symbolic::new(about, split.as_ref().unwrap_or(about), &self.budget, USUAL);
            for &number in members {
                let (property, started) = (&properties[number], Instant::now());
                let watched = Watched::within(relation, cone.as_ref(), property)?;
                let mut answer = |watched: &Watched<'_>| {
                    if looks > 0 && watched.is_about_states() {
                        if let Some(seen) = explicit::look(watched, &self.budget, observer)? {
                            return Ok(seen);
                        }
                        looks -= 1;
                    }
                    Ok(symbolic.answer(watched, observer))
                };
                let mut report = self.one(relation, property, &watched, started, &mut answer)?;
                if report.stop == StopReason::Memory && members.len() > 1 && self.cone {
                    // What this property needs may be less than what others need beside it.
                    let watched = Watched::part(relation, property)?;
                    report = self.one(relation, property, &watched, started, &mut answer)?;
                }
                reports.push(report);
                numbers.push(number);
                if is_over(&reports) {
                    break 'all;
                }
            }
        }
        let mut reports: Vec<(usize, Report)> = numbers.into_iter().zip(reports).collect();
        reports.sort_by_key(|(number, _)| *number);
        Ok(reports.into_iter().map(|(_, report)| report).collect())
    }

    /// The report on one property.
    fn one(
        &self,
        relation: &Relation,
        property: &Property,
        watched: &Watched<'_>,
        started: Instant,
        mut answer: impl FnMut(&Watched<'_>) -> Result<Answer, JobError>,
    ) -> Result<Report, JobError> {
        let mut found = answer(watched)?;
        let lost = |a: &Answer| a.found.as_ref().is_some_and(|f| f.run.is_none());
        if lost(&found) && watched.decided_by().is_some() {
            // A cycle of the part that takes too many rounds in the whole.
            found = answer(&Watched::whole(relation, property)?)?;
        } else if let Some(kept) = watched.decided_by() {
            found.reduction = watched.reduction();
            let all = relation.variables.len();
            found.remarks.push(format!("{kept} of {all} variables are looked at (cone of influence)"));
        }
        self.report(relation, property, found, started.elapsed())
    }

    /// Judges an answer.
    pub(crate) fn report(
        &self,
        relation: &Relation,
        property: &Property,
        answer: Answer,
        search: Duration,
    ) -> Result<Report, JobError> {
        let Answer { engine, reduction, stop, stats, found, sets, curve, mut remarks } = answer;
        let mut counterexamples = Vec::new();
        let mut times = Times { search, ..Times::default() };
        if let Some(found) = found {
            let confirmed = confirm_run(relation, property, found, self.minimise, &self.budget)?;
            times.minimise = confirmed.minimise;
            remarks.extend(confirmed.cut.then(|| CUT.to_owned()));
            counterexamples.push(confirmed.counterexample);
        }
        if stop == StopReason::Depth {
            remarks.push("states below the depth limit were not looked at".to_owned());
        }
        let verdict = match (counterexamples.is_empty(), stop) {
            (false, _) => Verdict::Violated,
            (true, StopReason::Complete) => Verdict::Holds,
            (true, _) => Verdict::Inconclusive,
        };
        Ok(Report {
            name: property.name.clone(),
            kind: property.kind.name(),
            place: (property.span != Span::default()).then_some(property.span),
            verdict,
            stop,
            engine: engine.to_owned(),
            reduction,
            guide: None,
            counterexamples,
            stats,
            executor: None,
            storage: Storage::Exact,
            omission: None,
            coverage: None,
            times,
            walks: None,
            with_claim: false,
            sets,
            curve,
            remarks,
        })
    }
}

/// Was the last search interrupted?
fn is_over(reports: &[Report]) -> bool {
    reports.last().is_some_and(|report| report.stop == StopReason::Interrupted)
}
