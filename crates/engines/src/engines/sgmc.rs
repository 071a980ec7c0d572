//! SGMC: symbolic A\*, guided by an abstraction (Bui 2009, chapter 5).

use std::time::Instant;

use lurcher_ir::PropertyKind;
use lurcher_search::{Observer, Phase, StopReason};
use lurcher_symbolic::{BddResult, Encoding, Rings, with_deep_stack};

use super::each::{CheckOne, check_each, refuses_runs};
use super::symbolic_walk::is_guided;
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{DROP, SET_GUIDE};
use crate::report::Answer;
use crate::symbolic_goal::{SymbolicAnswer, SymbolicGoal};
use crate::system::{Model, Shape, System};

/// Symbolic A\*.
pub struct Sgmc;

static INFO: Info = Info {
    name: "sgmc",
    help: "Symbolic A*, guided by an abstraction",
    parameters: &[&[&SET_GUIDE, &DROP]],
    proves: true,
    random: false,
};

impl Engine for Sgmc {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_runs(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        is_guided(run.task)?;
        check_each(self.info().name, run, Guided)
    }
}

struct Guided;

impl CheckOne for Guided {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let drop = task.heuristic_settings().drop;
        let mut search = |goal: &SymbolicGoal<'_>| {
            let mut answer = SymbolicAnswer::new(system.property(), INFO.name);
            if let Err(stop) = with_deep_stack(|| search(goal, task, &drop, &mut answer, observer)) {
                answer.stop = stop;
            }
            answer
        };
        let (answer, found) = system.symbolically(INFO.name, &drop, &mut search)?;
        Ok(answer.with_path(found))
    }
}

fn search(
    goal: &SymbolicGoal<'_>,
    task: &Task<'_>,
    drop: &[String],
    answer: &mut SymbolicAnswer,
    mut observer: &mut dyn Observer,
) -> BddResult<()> {
    let begin = |observer: &mut dyn Observer, activity| {
        observer.phase(&Phase { engine: INFO.name, activity, ..Phase::default() });
    };
    begin(observer, "encoding the model as BDDs");
    let encoding = Encoding::new(goal.relation, &task.budget)?;
    let mut searched = || -> BddResult<()> {
        let states = (goal.states)(&encoding)?;
        let started = Instant::now();
        begin(observer, "making the guide abstraction");
        let rings = Rings::new(&encoding, &states.states, &states.terms, &goal.keep)?;
        answer.report.times.guide = started.elapsed();
        answer.report.guide = Some(abstraction_label(drop, false));
        begin(observer, "searching sets of states");
        let searched = encoding.sgmc(&states.states, &rings, &mut observer)?;
        answer.report.stats.transitions = searched.expansions;
        (answer.trace, answer.shortest) = (searched.trace, true);
        answer.stop = if answer.trace.is_some() { StopReason::Violation } else { StopReason::Complete };
        answer.reach(goal, &encoding)
    };
    let result = searched();
    answer.report.stats.memory = encoding.kernel().memory();
    result
}

/// The name of an abstraction in reports: `auto` where the tool chooses what it drops, `manu` where the user does.
pub(super) fn abstraction_label(drop: &[String], reversed: bool) -> String {
    let kind = if drop.is_empty() { "auto" } else { "manu" };
    format!("abstraction ({kind}{})", if reversed { ", reversed" } else { "" })
}
