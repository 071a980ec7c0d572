//! Hunting in a relation: one engine for each way to look, and a mix of them when nobody says which.

mod lurch;
mod rounds;
mod symbolic;
mod walks;

use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, HuntPlan, LurchPlan, Observer, StopReason, WalkPlan};
use lurcher_symbolic::{Strategy, deep};
use xxhash_rust::xxh3::xxh3_64;

use super::confirm::FoundRun;
use super::explicit;
use super::job::{Answer, StateEngine, StateJob};
use super::symbolic::{Manner, Symbolic, USUAL};
use super::watch::Watched;
use crate::exec::Exec;
use crate::guided::{StateGuide, SymbolicHunter};
use crate::guides::unmade;
use crate::job::JobError;
use crate::saved::{SavedHunt, SavedWalks};
use crate::verdict::{Report, Verdict, WalkReport};

use walks::{Members, Walks};

/// A way to look for a violation.
#[derive(Clone, Debug)]
pub enum StateHunter {
    /// What is recommended for the model and the property, and more.
    Auto,
    /// Explicit walks or trails of one kind.
    Walk(WalkPlan),
    /// LURCH: all properties at once.
    Lurch(LurchPlan),
    /// Breadth first, state by state.
    Bfs,
    /// Symbolic reachability of what the property depends on, chained.
    Bdd,
    /// Symbolic reachability as textbooks have it: all variables, breadth first. For comparisons.
    BddPlain,
    /// Symbolic A*, random walks and trails.
    Symbolic(SymbolicHunter),
}

/// A hunt in a relation.
#[derive(Clone, Debug)]
pub struct StateHunt {
    /// How to look.
    pub hunter: StateHunter,
    /// The guide of explicit and symbolic walks. SGMC always has one.
    pub guide: StateGuide,
    /// Seed, threads, and which walks.
    pub plan: HuntPlan,
    /// What runs the model in explicit walks.
    pub exec: Exec,
    /// What it may use.
    pub budget: Budget,
    /// Work for making a trace shorter, in expanded states; none shows it as it was found.
    pub minimise: Option<u64>,
}

/// An answer and what it took to get it.
pub(super) struct Chase {
    pub answer: Answer,
    pub guide: Option<String>,
    /// Making the guide.
    pub preparing: Duration,
    pub walks: Option<WalkReport>,
}

impl From<Answer> for Chase {
    fn from(answer: Answer) -> Chase {
        Chase { answer, guide: None, preparing: Duration::ZERO, walks: None }
    }
}

/// What a hunt came to.
#[derive(Debug)]
pub struct StateHunted {
    /// A report for each property; when one is violated, only it and those that were proved. LURCH reports all that it
    /// found.
    pub reports: Vec<Report>,
    /// What is needed to go on, where walks were made and nothing was found.
    pub saved: Option<SavedHunt<SavedWalks>>,
}

impl StateHunt {
    /// Hunts for violations; stops at the first, but LURCH reports all that it found.
    pub fn hunt(
        &self,
        relation: &Relation,
        properties: &[Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<Vec<Report>, JobError> {
        self.go_on(None, relation, properties, observer).map(|hunted| hunted.reports)
    }

    /// The same, from where a saved hunt ended.
    pub fn go_on(
        &self,
        saved: Option<&SavedHunt<SavedWalks>>,
        relation: &Relation,
        properties: &[Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<StateHunted, JobError> {
        let setting = self.setting(relation, properties);
        if saved.is_some_and(|saved| saved.setting != setting) {
            return Err(JobError::Resume("the model or the options are not those it was saved with".to_owned()));
        }
        let saved = saved.map_or(&[][..], |saved| &saved.properties);
        let (reports, walks) = match &self.hunter {
            StateHunter::Lurch(plan) => (lurch::lurch_all(self, relation, properties, plan, observer)?, Vec::new()),
            StateHunter::Auto => self.mixed(saved, relation, properties, observer)?,
            _ => self.in_turn(saved, relation, properties, observer)?,
        };
        let violated = reports.iter().any(|r| r.verdict == Verdict::Violated);
        let walked = matches!(self.hunter, StateHunter::Auto | StateHunter::Walk(_));
        Ok(StateHunted { reports, saved: (walked && !violated).then(|| SavedHunt::new(setting, walks)) })
    }

    /// Everything that walks depend on.
    fn setting(&self, relation: &Relation, properties: &[Property]) -> String {
        let HuntPlan { seed, first, saturation, .. } = &self.plan;
        let hash = xxh3_64(format!("{relation:?} {properties:?}").as_bytes());
        let (hunter, guide) = (&self.hunter, &self.guide);
        format!("model {hash:016x}, seed {seed}, from {first}, saturation {saturation:?}, {hunter:?}, {guide:?}")
    }

    /// Looks with one engine, for one property after the other.
    fn in_turn(
        &self,
        saved: &[SavedWalks],
        relation: &Relation,
        properties: &[Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<(Vec<Report>, Vec<SavedWalks>), JobError> {
        let mut reports: Vec<Report> = Vec::new();
        let mut saving = Vec::new();
        for property in properties {
            let started = Instant::now();
            let watched = match self.hunter {
                StateHunter::BddPlain => Watched::whole(relation, property)?,
                _ => Watched::part(relation, property)?,
            };
            let known = saved.iter().find(|s| s.name == property.name);
            let (mut chase, walks) = match self.chase(&watched, known, observer) {
                Err(JobError::Unsuited(why)) if properties.len() > 1 => (unsuited(why), None),
                chase => chase?,
            };
            saving.extend(walks.map(|w| w.save(&property.name)));
            chase.answer.reduction = watched.reduction();
            let report = self.report(relation, property, chase, started.elapsed())?;
            let violated = report.verdict == Verdict::Violated;
            reports.push(report);
            if violated {
                reports.rotate_right(1);
                reports.retain(|r| r.verdict != Verdict::Inconclusive);
                break;
            }
        }
        Ok((reports, saving))
    }

    /// Looks for one violation with one engine; gives the walks that it made.
    fn chase(
        &self,
        watched: &Watched<'_>,
        saved: Option<&SavedWalks>,
        observer: &mut (impl Observer + Send),
    ) -> Result<(Chase, Option<Walks>), JobError> {
        let chase = match &self.hunter {
            StateHunter::Walk(plan) => {
                let guide = self.guide.on.then(|| symbolic::guide(watched, &self.guide, &self.budget)).transpose()?;
                let guide = match guide.transpose() {
                    Ok(guide) => guide,
                    Err(stop) => {
                        let remarks = vec![unmade(&self.guide.label())];
                        return Ok((Answer { stop, remarks, ..Answer::new(walks::name(plan.kind)) }.into(), None));
                    }
                };
                let mut walks = self.walks(watched, walks::one(*plan, guide, &self.hunter)?, saved)?;
                let chase = walks.run(watched, (0, u64::MAX), &self.budget, observer);
                return Ok((chase, Some(walks)));
            }
            StateHunter::Bfs => explicit::answer(watched, StateEngine::Bfs, &self.budget, observer)?.into(),
            StateHunter::Bdd => self.diagrams(watched, &self.budget, self.manner(), observer),
            StateHunter::BddPlain => {
                let plain = Manner { strategy: Strategy::Forward, shorten: false };
                self.diagrams(watched, &self.budget, plain, observer)
            }
            StateHunter::Symbolic(hunter) => deep(|| symbolic::guided(self, *hunter, watched, observer))?,
            StateHunter::Auto | StateHunter::Lurch(_) => unreachable!("they look for all properties together"),
        };
        Ok((chase, None))
    }

    /// Walks that begin, or go on where saved ones ended.
    fn walks(&self, watched: &Watched<'_>, members: Members, saved: Option<&SavedWalks>) -> Result<Walks, JobError> {
        let mut walks = Walks::new(watched, members, &self.plan, self.exec);
        saved.map(|saved| walks.resume(saved)).transpose()?;
        Ok(walks)
    }

    /// Who does not want a trace made shorter does not want to wait for a shortest one either.
    fn manner(&self) -> Manner {
        Manner { shorten: self.minimise.is_some(), ..USUAL }
    }

    fn diagrams(
        &self,
        watched: &Watched<'_>,
        budget: &Budget,
        manner: Manner,
        observer: &mut (impl Observer + Send),
    ) -> Chase {
        deep(|| Symbolic::once(watched, budget, manner, observer).into())
    }

    fn report(
        &self,
        relation: &Relation,
        property: &Property,
        chase: Chase,
        search: Duration,
    ) -> Result<Report, JobError> {
        let job =
            StateJob { engine: StateEngine::Bfs, budget: self.budget.clone(), cone: true, minimise: self.minimise };
        let Chase { answer, guide, preparing, walks } = chase;
        let mut report = job.report(relation, property, answer, search.saturating_sub(preparing))?;
        report.guide = guide;
        report.times.guide = preparing;
        report.walks = walks;
        Ok(report)
    }
}

/// What is said of a property that an engine cannot look at, beside others that it can.
fn unsuited(why: String) -> Chase {
    Answer { stop: StopReason::Unsuited, remarks: vec![why], ..Answer::new("none") }.into()
}

/// What was found, as a run of the model that was asked about.
fn found(watched: &Watched<'_>, states: Vec<Vec<i64>>, cycle_start: Option<usize>, shortest: bool) -> FoundRun {
    FoundRun { run: watched.original(states, cycle_start), shortest }
}
