//! Random walks.

use lurcher_heuristics::registry;
use lurcher_ir::PropertyKind;
use lurcher_search::{Bias, HuntPlan, Kind, Selection, Until, WalkPlan};

use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{
    BIAS, CHAIN, DELTA, DEPTH, EPSILON, EXEC, GUIDE, GUIDING, Options, Parameter, RESTART, REVERSE_GUIDE, SATURATION,
    SELECT, UNTIL, WALKS, WALKS_FROM, WALKS_TO,
};
use crate::portfolio::{Members, hunt};
use crate::system::{Model, Shape};

/// Random walks of one kind.
pub struct Walk;

/// The parameters of walks.
pub(super) static PARAMETERS: &[&[&Parameter]] = &[
    &[&SELECT],
    GUIDING,
    &[&BIAS, &REVERSE_GUIDE, &DEPTH, &UNTIL, &RESTART, &CHAIN, &WALKS, &DELTA, &EPSILON, &SATURATION],
    &[&WALKS_FROM, &WALKS_TO, &EXEC],
];

static INFO: Info = Info { name: "walk", help: "Random walks", parameters: PARAMETERS, proves: false, random: true };

impl Engine for Walk {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        hunt(&Members::one(INFO.name, &run.task.options)?, run)
    }
}

/// Walks do not check CTL.
pub(super) fn refuses(kind: &PropertyKind) -> Option<&'static str> {
    matches!(kind, PropertyKind::Ctl(_)).then_some("CTL formulas are about sets of states, which walks do not see")
}

/// The plan of walks of one kind.
pub fn plan(kind: Kind, options: &Options) -> WalkPlan {
    let usual = WalkPlan::default();
    let heuristic = options.text(&GUIDE).and_then(registry::heuristic);
    WalkPlan {
        kind,
        selection: match options.is(&SELECT, "all-children") {
            true => Selection::AllChildren,
            false => Selection::TryAChild,
        },
        bias: match options.text(&BIAS) {
            Some("thesis") => Bias::Thesis,
            Some("linear") => Bias::Linear,
            Some(_) => Bias::Steep,
            None => heuristic.map_or(usual.bias, |h| h.bias),
        },
        reverse: options.has(&REVERSE_GUIDE),
        until: options.repeats(&UNTIL).map_or(Until::End, Until::Repeats),
        depth: options.steps(&DEPTH).unwrap_or(usual.depth),
        chain: match options.is(&RESTART, "random") {
            true => options.number(&CHAIN).map_or(RESTARTS, |n| n as u32),
            false => 1,
        },
    }
}

/// Walks in a chain by default.
const RESTARTS: u32 = 16;

/// Which walks are to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// The number of the first unit.
    pub first: u64,
    /// The number behind the last.
    pub last: Option<u64>,
    /// How many walks.
    pub walks: Option<u64>,
}

/// The walks that options ask for.
pub(super) fn range(options: &Options) -> Result<Range, String> {
    let bound = match (options.probability(&DELTA), options.probability(&EPSILON)) {
        (Some(delta), Some(epsilon)) => Some((delta.ln() / (1.0 - epsilon).ln()).ceil() as u64),
        (None, None) => None,
        _ => return Err("--delta and --epsilon go together".to_owned()),
    };
    let walks = options.number(&WALKS);
    if walks.is_some() && bound.is_some() {
        return Err("--walks and --delta with --epsilon both say how many walks to make".to_owned());
    }
    let (first, last) = (options.number(&WALKS_FROM).unwrap_or(0), options.number(&WALKS_TO));
    match last.filter(|l| *l <= first) {
        Some(last) => Err(format!("there are no walks from number {first} to below {last}")),
        None => Ok(Range { first, last, walks: walks.or(bound) }),
    }
}

/// Which walks a hunt makes.
pub(crate) fn hunt_plan(task: &Task<'_>) -> Result<HuntPlan, EngineError> {
    let Range { first, last, walks } = range(&task.options).map_err(EngineError::Refused)?;
    let saturation = task.options.probability(&SATURATION);
    Ok(HuntPlan { seed: task.seed, jobs: task.jobs, first, last, walks, saturation })
}
