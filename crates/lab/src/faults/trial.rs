//! The judge's verdicts, and what engines find.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lurcher_engines::{
    Exec, JobError, LurchCurve, Report, StateEngine, StateGuide, StateHunt, StateHunter, StateJob, Verdict,
};
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, HuntPlan, Kind, LurchPlan, WalkPlan};

use super::{Effort, FaultEngine, FaultStudy};

/// What was said about one property of one mutant.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// The verdict; none when there was an error.
    pub verdict: Option<Verdict>,
    /// What stopped it.
    pub stop: &'static str,
    /// Steps of the search until it ended.
    pub steps: u64,
    /// Steps of the search until the violation; only LURCH and walks tell.
    pub found_after: Option<u64>,
    /// Length of the trace as found.
    pub length: Option<u32>,
    /// Seconds until the verdict.
    pub seconds: f64,
    /// How much was new.
    pub curve: Option<LurchCurve>,
    /// What went wrong.
    pub note: String,
    /// It shows a bug in lurcher.
    pub bug: bool,
}

impl Said {
    fn failed(why: String, bug: bool) -> Said {
        Said {
            verdict: None,
            stop: "error",
            steps: 0,
            found_after: None,
            length: None,
            seconds: 0.0,
            curve: None,
            note: why,
            bug,
        }
    }

    pub fn is_violated(&self) -> bool {
        self.verdict == Some(Verdict::Violated)
    }

    pub fn holds(&self) -> bool {
        self.verdict == Some(Verdict::Holds)
    }

    /// The word for the verdict.
    pub fn word(&self) -> &'static str {
        self.verdict.map_or("error", Verdict::name)
    }
}

/// Complete verification of every property.
pub(super) fn judge(
    study: &FaultStudy,
    relation: &Relation,
    properties: &[Property],
    interrupt: &Arc<AtomicBool>,
) -> Vec<Said> {
    // One property at a time: each has its own time, and one that fails does not take the others with it.
    let one = |property: &Property| {
        let job = StateJob {
            engine: StateEngine::Bdd,
            budget: Budget {
                deadline: Some(Instant::now() + study.judge_time),
                memory: Some(study.effort.memory),
                interrupt: interrupt.clone(),
                ..Budget::default()
            },
            cone: true,
            minimise: None,
        };
        caught(1, || job.check(relation, std::slice::from_ref(property), &mut ())).remove(0)
    };
    properties.iter().map(one).collect()
}

/// One run of an engine on every property.
pub(super) fn hunt(
    engine: FaultEngine,
    seed: u64,
    effort: &Effort,
    relation: &Relation,
    properties: &[Property],
    interrupt: &Arc<AtomicBool>,
) -> Vec<Said> {
    let run = |properties: &[Property]| {
        let hunt = plan(engine, seed, effort, interrupt);
        caught(properties.len(), || hunt.hunt(relation, properties, &mut ()))
    };
    match engine {
        FaultEngine::Lurch => run(properties),
        _ => properties.iter().map(|p| run(std::slice::from_ref(p)).remove(0)).collect(),
    }
}

fn plan(engine: FaultEngine, seed: u64, effort: &Effort, interrupt: &Arc<AtomicBool>) -> StateHunt {
    let walk = |kind| StateHunter::Walk(WalkPlan { kind, depth: effort.depth, ..WalkPlan::default() });
    let hunter = match engine {
        FaultEngine::Lurch => StateHunter::Lurch(LurchPlan {
            seed,
            repeats: effort.repeats,
            depth: effort.depth,
            paths: Some(effort.paths),
            ..LurchPlan::default()
        }),
        FaultEngine::Walk => walk(Kind::Walk),
        FaultEngine::Trail => walk(Kind::Trail),
        FaultEngine::Bfs => StateHunter::Bfs,
        FaultEngine::Bdd => StateHunter::Bdd,
    };
    StateHunt {
        hunter,
        guide: StateGuide::default(),
        plan: HuntPlan { seed, jobs: 1, first: 0, last: Some(effort.paths), saturation: None },
        exec: Exec::Jit,
        budget: Budget {
            deadline: Some(Instant::now() + effort.time),
            memory: Some(effort.memory),
            interrupt: interrupt.clone(),
            ..Budget::default()
        },
        minimise: None,
    }
}

/// Reports as what was said; an error or a panic is said of all `count` properties.
fn caught(count: usize, work: impl FnOnce() -> Result<Vec<Report>, JobError>) -> Vec<Said> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(reports)) if reports.len() == count => reports.into_iter().map(said).collect(),
        Ok(Ok(reports)) => {
            vec![Said::failed(format!("{} reports about {count} properties", reports.len()), true); count]
        }
        Ok(Err(why @ JobError::Unconfirmed(_))) => vec![Said::failed(why.to_string(), true); count],
        Ok(Err(why)) => vec![Said::failed(why.to_string(), false); count],
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            vec![Said::failed(format!("a panic: {text}"), true); count]
        }
    }
}

fn said(report: Report) -> Said {
    let found = report.verdict == Verdict::Violated;
    let walked = report.walks.as_ref().map(|w| w.steps).filter(|_| found);
    let curve = report.curve;
    Said {
        verdict: Some(report.verdict),
        stop: report.stop.name(),
        steps: report.stats.transitions,
        found_after: curve.as_ref().and_then(|c| c.found_after).map(|(steps, _)| steps).or(walked),
        length: report.counterexamples.first().map(|c| c.found_length),
        seconds: report.times.search.as_secs_f64(),
        curve,
        note: String::new(),
        bug: false,
    }
}
