//! Symbolic random walks and trails: SRMC, and with a heuristic SGRMC (Bui 2009, chapter 5).

use std::time::Instant;

use lurcher_ir::PropertyKind;
use lurcher_search::{DEPTH as USUAL_DEPTH, Observer, Phase, UNBOUNDED};
use lurcher_symbolic::{BddResult, Encoding, Rings, WalkPlan, with_deep_stack};

use super::each::{CheckOne, check_each, refuses_runs};
use super::sgmc::abstraction_label;
use super::walk::{Range, range};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{DELTA, DEPTH, DROP, EPSILON, Parameter, REVERSE_GUIDE, SET_GUIDE, WALKS, WALKS_FROM, WALKS_TO};
use crate::report::{Answer, WalkReport};
use crate::symbolic_goal::{SymbolicAnswer, SymbolicGoal};
use crate::system::{Model, Shape, System};

/// Symbolic random walks.
pub struct SymbolicWalk;
/// Symbolic random trails: no state twice.
pub struct SymbolicTrail;

static PARAMETERS: &[&[&Parameter]] =
    &[&[&SET_GUIDE, &DROP, &REVERSE_GUIDE, &DEPTH, &WALKS, &DELTA, &EPSILON, &WALKS_FROM, &WALKS_TO]];

static WALK: Info = Info {
    name: "symbolic-walk",
    help: "Symbolic random walks; with --guide abstraction this is SGRMC",
    parameters: PARAMETERS,
    proves: false,
    random: true,
};
static TRAIL: Info = Info {
    name: "symbolic-trail",
    help: "The same without visiting a state twice",
    parameters: PARAMETERS,
    proves: false,
    random: true,
};

impl Engine for SymbolicWalk {
    fn info(&self) -> &'static Info {
        &WALK
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_runs(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let guided = is_guided(run.task)?;
        check_each(self.info().name, run, Walks { trail: false, guided })
    }
}

impl Engine for SymbolicTrail {
    fn info(&self) -> &'static Info {
        &TRAIL
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_runs(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let guided = is_guided(run.task)?;
        check_each(self.info().name, run, Walks { trail: true, guided })
    }
}

/// Whether walks are guided; the only heuristic for sets of states is the abstraction.
pub(super) fn is_guided(task: &Task<'_>) -> Result<bool, EngineError> {
    match task.options.text(&SET_GUIDE) {
        None | Some("none") => Ok(false),
        Some("abstraction") => Ok(true),
        Some(_) => Err(EngineError::Refused("the guide of sets of states is called abstraction".to_owned())),
    }
}

struct Walks {
    trail: bool,
    guided: bool,
}

impl CheckOne for Walks {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let name = if self.guided { "sgrmc" } else { "srmc" };
        let drop = task.heuristic_settings().drop;
        let units = range(&task.options).map_err(EngineError::Refused)?;
        let mut search = |goal: &SymbolicGoal<'_>| {
            let mut answer = SymbolicAnswer::new(system.property(), name);
            if let Err(stop) = with_deep_stack(|| self.search(goal, task, (&drop, units), &mut answer, observer)) {
                answer.stop = stop;
            }
            answer
        };
        let (answer, found) = system.symbolically(name, &drop, &mut search)?;
        Ok(answer.with_path(found))
    }
}

impl Walks {
    fn search(
        &self,
        goal: &SymbolicGoal<'_>,
        task: &Task<'_>,
        (drop, range): (&[String], Range),
        answer: &mut SymbolicAnswer,
        mut observer: &mut dyn Observer,
    ) -> BddResult<()> {
        let begin = |observer: &mut dyn Observer, activity| observer.phase(&Phase { activity, ..Phase::default() });
        begin(observer, "encoding the model as BDDs");
        let encoding = Encoding::new(goal.relation, &task.budget)?;
        let mut searched = || -> BddResult<()> {
            let states = (goal.states)(&encoding)?;
            let reversed = task.options.has(&REVERSE_GUIDE);
            let started = Instant::now();
            let rings = match self.guided {
                true => {
                    begin(observer, "making the guide abstraction");
                    Some(Rings::for_walks(&encoding, &states.aim, &states.terms, &goal.keep)?)
                }
                false => None,
            };
            if rings.is_some() {
                answer.report.times.guide = started.elapsed();
                answer.report.guide = Some(abstraction_label(drop, reversed));
            }
            let plan = WalkPlan {
                seed: task.seed,
                first: range.first,
                walks: range.last.map_or(u64::MAX, |last| last - range.first).min(range.walks.unwrap_or(u64::MAX)),
                depth: Some(task.options.steps(&DEPTH).unwrap_or(USUAL_DEPTH))
                    .filter(|&d| d < UNBOUNDED)
                    .map(u64::from),
                trail: self.trail,
                guide: rings.as_ref(),
                reversed,
            };
            let started = Instant::now();
            begin(observer, "walks over sets of states");
            let walked = encoding.walks(&states.states, &plan, &mut observer);
            let unit = walked.found.as_ref().map(|(unit, _)| *unit);
            let name = format!("{} {}", answer.report.engine, if self.trail { "trail" } else { "walk" });
            answer.report.stats.transitions = walked.steps;
            answer.report.walks = Some(WalkReport {
                winner: unit.map(|_| name),
                unit,
                units: walked.walks,
                walks: walked.walks,
                steps: walked.steps,
                depth: u32::try_from(walked.longest).unwrap_or(u32::MAX),
                rate: walked.steps as f64 / started.elapsed().as_secs_f64().max(1e-6),
                ..WalkReport::default()
            });
            answer.stop = walked.stop;
            answer.trace = walked.found.map(|(_, trace)| trace);
            answer.reach(goal, &encoding)
        };
        let result = searched();
        answer.report.stats.memory = encoding.kernel().memory();
        result
    }
}
