//! Hunting in a relation: one engine for each way to look, and a mix of them when nobody says which.
//!
//! Left to itself, a hunt first looks around breadth first. Then it works in rounds: in each, the engine that
//! [`recommend`](super::recommend) names goes first and the other kind second, explicit walks for so many steps, diagrams
//! within so much memory, and both may use four times as much in the next round. All of that is counted, so what
//! is found depends on the machine only when the time is up.

mod lurch;
mod symbolic;
mod walks;

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, Specification};
use lurcher_search::{Budget, HuntPlan, LurchPlan, Observer, StopReason, WalkPlan};
use lurcher_symbolic::{Strategy, deep};

use super::confirm::FoundRun;
use super::explicit;
use super::job::{Answer, StateEngine, StateJob};
use super::recommend::recommend;
use super::symbolic::{Manner, Symbolic, USUAL};
use super::watch::{Sought, Watched};
use crate::exec::Exec;
use crate::guided::{StateGuide, SymbolicHunter};
use crate::job::JobError;
use crate::recommend::{Recommendation, Recommended};
use crate::verdict::{Report, Verdict, WalkReport};

use walks::Walks;

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

/// States of the first look around.
const LOOK: u64 = 4096;
/// Steps of walks in the first round.
const STEPS: u64 = 200_000;
/// Memory of diagrams in the first round.
const MEMORY: u64 = 32 << 20;
/// How much more each round may use.
const WIDER: u64 = 4;

impl StateHunt {
    /// Hunts for violations; stops at the first, but LURCH reports all that it found.
    pub fn hunt(
        &self,
        relation: &Relation,
        specifications: &[Specification],
        observer: &mut (impl Observer + Send),
    ) -> Result<Vec<Report>, JobError> {
        if let StateHunter::Lurch(plan) = &self.hunter {
            return lurch::lurch_all(self, relation, specifications, plan, observer);
        }
        let mut reports: Vec<Report> = Vec::new();
        if let StateHunter::Auto = self.hunter {
            return self.mixed(relation, specifications, observer);
        }
        for specification in specifications {
            let started = Instant::now();
            let watched = match self.hunter {
                StateHunter::BddPlain => Watched::whole(relation, specification)?,
                _ => Watched::part(relation, specification)?,
            };
            let mut chase = match self.chase(&watched, observer) {
                Err(JobError::Unsuited(why)) if specifications.len() > 1 => unsuited(why),
                chase => chase?,
            };
            chase.answer.reduction = watched.reduction();
            let report = self.report(relation, specification, chase, started.elapsed())?;
            let violated = report.verdict == Verdict::Violated;
            reports.push(report);
            if violated {
                reports.rotate_right(1);
                reports.retain(|r| r.verdict != Verdict::Inconclusive);
                break;
            }
        }
        Ok(reports)
    }

    /// Looks for one violation with one engine.
    fn chase(&self, watched: &Watched<'_>, observer: &mut (impl Observer + Send)) -> Result<Chase, JobError> {
        match &self.hunter {
            StateHunter::Walk(plan) => {
                let guide = self.guide.on.then(|| symbolic::guide(watched, &self.guide, &self.budget)).transpose()?;
                let mut walks = Walks::new(watched, walks::one(*plan, guide, &self.hunter)?, &self.plan, self.exec);
                Ok(walks.run(watched, u64::MAX, &self.budget, observer))
            }
            StateHunter::Bfs => explicit::answer(watched, StateEngine::Bfs, &self.budget, observer).map(Chase::from),
            StateHunter::Bdd => Ok(self.diagrams(watched, &self.budget, self.manner(), observer)),
            StateHunter::BddPlain => {
                let plain = Manner { strategy: Strategy::Forward, shorten: false };
                Ok(self.diagrams(watched, &self.budget, plain, observer))
            }
            StateHunter::Symbolic(hunter) => deep(|| symbolic::guided(self, *hunter, watched, observer)),
            StateHunter::Auto | StateHunter::Lurch(_) => unreachable!("they look for all properties together"),
        }
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

    /// Looks with several engines, for all properties in turn.
    fn mixed(
        &self,
        relation: &Relation,
        specifications: &[Specification],
        observer: &mut (impl Observer + Send),
    ) -> Result<Vec<Report>, JobError> {
        let mut quarries = Vec::new();
        for specification in specifications {
            let watched = Watched::part(relation, specification)?;
            let advice = recommend(relation, specification, &watched);
            quarries.push(Quarry { specification, watched, advice, walks: None, best: None, started: Instant::now() });
        }
        let mut decided: Vec<Report> = Vec::new();
        let (mut steps, mut memory) = (STEPS, MEMORY);
        let mut round = 0;
        while !quarries.is_empty() {
            let mut open = Vec::new();
            for mut quarry in quarries {
                let mut chase = match round {
                    0 => self.look_around(&quarry.watched, observer)?,
                    _ => self.round(&mut quarry, steps, memory, observer)?,
                };
                chase.answer.reduction = quarry.watched.reduction();
                let stop = chase.answer.stop;
                if chase.answer.found.is_some() || stop == StopReason::Complete {
                    let mut report = self.report(relation, quarry.specification, chase, quarry.started.elapsed())?;
                    if round > 0 {
                        report.remarks.push(format!("recommended: {}", quarry.advice));
                    }
                    if report.verdict == Verdict::Violated {
                        decided.insert(0, report);
                        return Ok(decided);
                    }
                    decided.push(report);
                } else {
                    quarry.best = Some(chase);
                    open.push(quarry);
                }
            }
            let over = |q: &Quarry<'_>| {
                let stop = q.best.as_ref().map(|c| c.answer.stop);
                matches!(stop, Some(StopReason::Time | StopReason::Interrupted))
            };
            if open.iter().any(over) || self.exhausted(round, memory) {
                for quarry in open {
                    let chase = quarry.best.expect("every round leaves one");
                    decided.push(self.report(relation, quarry.specification, chase, quarry.started.elapsed())?);
                }
                return Ok(decided);
            }
            quarries = open;
            if round > 0 {
                steps = steps.saturating_mul(WIDER);
                memory = memory.saturating_mul(WIDER);
            }
            round += 1;
        }
        Ok(decided)
    }

    /// Without a time limit a hunt ends when diagrams have had all the memory there is.
    fn exhausted(&self, round: u32, memory: u64) -> bool {
        round > 0 && self.budget.deadline.is_none() && self.budget.memory.is_none_or(|limit| memory >= limit)
    }

    fn look_around(&self, watched: &Watched<'_>, observer: &mut impl Observer) -> Result<Chase, JobError> {
        if matches!(watched.sought, Sought::Ctl(_)) {
            return Ok(Answer { stop: StopReason::States, ..Answer::new("bfs") }.into());
        }
        let budget = Budget { states: Some(LOOK), ..self.budget.clone() };
        explicit::answer(watched, StateEngine::Bfs, &budget, observer).map(Chase::from)
    }

    /// Walks and diagrams once each, what is recommended first.
    fn round(
        &self,
        quarry: &mut Quarry<'_>,
        steps: u64,
        memory: u64,
        observer: &mut (impl Observer + Send),
    ) -> Result<Chase, JobError> {
        let order = match quarry.advice.engine {
            Recommended::Trail | Recommended::Auto => [true, false],
            Recommended::Bdd => [false, true],
        };
        let mut last: Option<Chase> = None;
        for walk in order {
            if walk && matches!(quarry.watched.sought, Sought::Ctl(_)) {
                continue;
            }
            let chase = if walk {
                let begin = || Walks::new(&quarry.watched, walks::portfolio(), &self.plan, self.exec);
                let walks = quarry.walks.get_or_insert_with(begin);
                walks.run(&quarry.watched, steps, &self.budget, observer)
            } else {
                let memory = Some(self.budget.memory.map_or(memory, |limit| limit.min(memory)));
                let budget = Budget { memory, ..self.budget.clone() };
                self.diagrams(&quarry.watched, &budget, self.manner(), observer)
            };
            let answer = &chase.answer;
            let over = matches!(answer.stop, StopReason::Complete | StopReason::Time | StopReason::Interrupted);
            if answer.found.is_some() || over {
                let walks = chase.walks.or_else(|| last.and_then(|l| l.walks));
                return Ok(Chase { walks, ..chase });
            }
            // What walks came to is worth telling when nothing is found.
            last = Some(match last {
                Some(before) if before.walks.is_some() => before,
                _ => chase,
            });
        }
        Ok(last.expect("one of two was tried"))
    }

    fn report(
        &self,
        relation: &Relation,
        specification: &Specification,
        chase: Chase,
        search: Duration,
    ) -> Result<Report, JobError> {
        let job =
            StateJob { engine: StateEngine::Bfs, budget: self.budget.clone(), cone: true, minimise: self.minimise };
        let Chase { answer, guide, preparing, walks } = chase;
        let mut report = job.report(relation, specification, answer, search.saturating_sub(preparing))?;
        report.guide = guide;
        report.times.guide = preparing;
        report.walks = walks;
        Ok(report)
    }
}

/// A property that is hunted with several engines.
struct Quarry<'r> {
    specification: &'r Specification,
    watched: Watched<'r>,
    advice: Recommendation,
    walks: Option<Walks>,
    best: Option<Chase>,
    started: Instant,
}

/// What is said of a property that an engine cannot look at, beside others that it can.
fn unsuited(why: String) -> Chase {
    Answer { stop: StopReason::Unsuited, remarks: vec![why], ..Answer::new("none") }.into()
}

/// What was found, as a run of the model that was asked about.
fn found(watched: &Watched<'_>, states: Vec<Vec<i64>>, cycle_start: Option<usize>, shortest: bool) -> FoundRun {
    FoundRun { run: watched.original(states, cycle_start), shortest }
}
