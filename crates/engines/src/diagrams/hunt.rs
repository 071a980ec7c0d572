//! Hunting with sets of states: SGMC, and symbolic random walks and trails, guided or not.

use std::time::Instant;

use lurcher_ir::relation::TermId;
use lurcher_ir::{Model, Property};
use lurcher_search::{Budget, HuntPlan, Observer, Outcome, StopReason, Storage};
use lurcher_symbolic::{BddResult, Encoding, with_deep_stack};
use lurcher_syntax::SourceMap;
use lurcher_system::Interpreter;

use super::{Met, Subject};
use crate::exec::Exec;
use crate::guided::{GuidedOutcome, GuidedSearch, Prey, StateGuide, SymbolicHunter};
use crate::job::{Answer, Engine, Job, JobError};
use crate::quarry::{Quarry, Watched};
use crate::verdict::{Report, Verdict};

/// A hunt with sets of states in a model made of processes.
#[derive(Clone, Debug)]
pub struct DiagramHunt {
    /// How to look.
    pub hunter: SymbolicHunter,
    /// The guide of walks. SGMC always has one.
    pub guide: StateGuide,
    /// Seed, and which walks.
    pub plan: HuntPlan,
    /// What it may use.
    pub budget: Budget,
    /// A message sent to a full channel is lost.
    pub message_loss: bool,
    /// Work for making a trace shorter, in expanded states; none shows it as it was found.
    pub minimise: Option<u64>,
}

impl DiagramHunt {
    /// Hunts for violations of properties, one after the other; stops at the first. What this engine cannot look at is
    /// passed over, unless it is all that was asked for.
    pub fn hunt(
        &self,
        model: &Model,
        sources: &SourceMap,
        properties: &[&Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<Vec<Report>, JobError> {
        let mut reports: Vec<Report> = Vec::new();
        for &property in properties {
            let quarry = Quarry::new(model, property)?;
            let report = match self.chase(&quarry, sources, observer) {
                Err(JobError::Unsuited(why)) if properties.len() > 1 => self.passed_over(&quarry, sources, why)?,
                report => report?,
            };
            let (verdict, stop) = (report.verdict, report.stop);
            reports.push(report);
            if verdict == Verdict::Violated {
                reports.rotate_right(1);
                reports.retain(|r| r.verdict != Verdict::Inconclusive);
                break;
            }
            if matches!(stop, StopReason::Interrupted | StopReason::Memory) {
                break;
            }
        }
        Ok(reports)
    }

    fn chase(
        &self,
        quarry: &Quarry,
        sources: &SourceMap,
        observer: &mut (impl Observer + Send),
    ) -> Result<Report, JobError> {
        let started = Instant::now();
        if matches!(quarry.watched, Watched::Claim(_)) {
            let why = "this engine looks for states, not for runs that a claim or a formula is about; --engine bdd looks for both";
            return Err(JobError::Unsuited(why.to_owned()));
        }
        let interpreter = quarry.interpreter(self.message_loss);
        let name = self.hunter.name(&self.guide);
        let subject = Subject::new(quarry, &interpreter, name)?;
        let relation = &subject.translation.relation;
        let keep = self.guide.keep(relation, |name| relation.find(name).is_some())?;
        let search = GuidedSearch { hunter: self.hunter, guide: &self.guide, keep, plan: &self.plan };
        let searched = with_deep_stack(|| -> BddResult<(GuidedOutcome, Option<Met>)> {
            let encoding = Encoding::new(relation, &self.budget)?;
            let outcome = search.search(|| prey(&subject, &encoding), &encoding, observer);
            let met =
                outcome.trace.as_ref().map(|t| subject.met(&encoding, t.states.last().expect("a run has a state")));
            Ok((outcome, met.transpose()?.flatten()))
        });
        let (outcome, met) = match searched {
            Ok(searched) => searched,
            Err(stop) => (GuidedOutcome::stopped(stop), None),
        };
        let found = match (met, &outcome.trace) {
            (Some(met), Some(trace)) => {
                // A rendezvous is one step here and two of a trace.
                let even = quarry.model.channel_types.iter().all(|c| c.capacity > 0);
                vec![subject.found(&interpreter, met, trace, outcome.shortest && even)?]
            }
            _ => Vec::new(),
        };
        let GuidedOutcome { stop, stats, guide, preparing, walks, .. } = outcome;
        let answer = Answer::new(Outcome { stop, found, stats }, name);
        let mut report = self.job().report(quarry, &interpreter, sources, answer, started.elapsed() - preparing)?;
        report.guide = guide;
        report.times.guide = preparing;
        report.walks = walks;
        Ok(report)
    }

    fn passed_over(&self, quarry: &Quarry, sources: &SourceMap, why: String) -> Result<Report, JobError> {
        let interpreter: Interpreter<'_> = quarry.interpreter(self.message_loss);
        let outcome = Outcome { stop: StopReason::Unsuited, found: Vec::new(), stats: Default::default() };
        let answer = Answer { remarks: vec![why], ..Answer::new(outcome, "none") };
        self.job().report(quarry, &interpreter, sources, answer, Default::default())
    }

    /// The job that judges what is found.
    fn job(&self) -> Job {
        Job {
            engine: Engine::Bdd,
            exec: Exec::Interp,
            jobs: 1,
            storage: Storage::Exact,
            budget: self.budget.clone(),
            fair: false,
            message_loss: self.message_loss,
            reduce: false,
            minimise: self.minimise,
        }
    }
}

/// All states that are looked for. Walks are not guided to what is beyond.
fn prey(subject: &Subject<'_>, encoding: &Encoding<'_>) -> BddResult<Prey> {
    let k = encoding.kernel();
    let (mut states, mut aim) = (k.constant(false), k.constant(false));
    for (met, target) in subject.targets(encoding)? {
        states = k.or(&states, &target)?;
        if met != Met::Beyond {
            aim = k.or(&aim, &target)?;
        }
    }
    Ok(Prey { states, aim, terms: subject.reads() })
}

impl Subject<'_> {
    /// The terms that say what is looked for. Whether processes are stuck depends on everything; where they stand tells
    /// most of it.
    fn reads(&self) -> Vec<TermId> {
        if self.quarry.end_states() {
            return self.translation.locations.clone();
        }
        self.sought().into_iter().map(|(_, term)| term).collect()
    }

    /// What of all that is looked for a state is.
    fn met(&self, encoding: &Encoding<'_>, state: &[i64]) -> BddResult<Option<Met>> {
        for (met, target) in self.targets(encoding)? {
            if encoding.holds(&target, state) {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }
}
