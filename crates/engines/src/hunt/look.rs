//! Looking around: exhaustive searches before walks and between them.

use std::time::{Duration, Instant};

use lurcher_search::{Budget, Observer, StopReason, Storage, UNBOUNDED};
use lurcher_syntax::SourceMap;

use super::{Chase, HuntJob, Pack, STEPS_PER_STATE, WIDER};
use crate::job::{Engine, Job, JobError};
use crate::quarry::Quarry;
use crate::verdict::{Report, Verdict};

/// From searches of so many states on diagrams are tried as well.
const DIAGRAMS: u64 = 1 << 20;

impl HuntJob {
    /// An exhaustive search of a few states; a report when it decides.
    pub(super) fn look_around(
        &self,
        quarry: &Quarry,
        sources: &SourceMap,
        states: u64,
        observer: &mut (impl Observer + Send),
    ) -> Result<Option<Report>, JobError> {
        let starts = quarry.interpreter(self.message_loss).initial().is_ok();
        let depth = match self.pack {
            Pack::One(..) if starts => return Ok(None),
            Pack::Portfolio(depth) if depth < UNBOUNDED => Some(depth),
            Pack::One(..) | Pack::Portfolio(_) => None,
        };
        let job = self.search(Budget { states: Some(states), depth, ..self.budget.clone() });
        let report = job.check_quarry(quarry, sources, observer)?;
        let decided = report.verdict != Verdict::Inconclusive || report.stop == StopReason::Depth;
        Ok(decided.then_some(report))
    }

    /// An exhaustive search.
    fn search(&self, budget: Budget) -> Job {
        Job {
            engine: Engine::Bfs,
            exec: self.exec,
            jobs: 1,
            storage: Storage::Exact,
            budget,
            fair: self.fair,
            message_loss: self.message_loss,
            reduce: false,
            minimise: self.minimise,
        }
    }

    /// Searches exhaustively once more, with more states, when the walks have earned it.
    pub(super) fn look_further(
        &self,
        chase: &mut Chase<'_, '_>,
        sources: &SourceMap,
        observer: &mut (impl Observer + Send),
    ) -> Result<(), JobError> {
        if chase.hunt.is_unfinished() || chase.hunt.state.steps < chase.exhaustive * STEPS_PER_STATE {
            return Ok(());
        }
        let states = chase.exhaustive;
        chase.exhaustive *= WIDER;
        let started = Instant::now();
        let mut decided = self.look_around(chase.quarry, sources, states, observer)?;
        if decided.is_none() && states >= DIAGRAMS {
            decided = self.look_at_sets(chase, sources, started.elapsed(), observer)?;
        }
        if let Some(report) = decided {
            chase.stop = Some(report.stop);
            chase.decided = Some(report);
        }
        Ok(())
    }

    /// Tries diagrams for as long as the search state by state has just taken. That depends on the machine, so only a hunt
    /// that ends by the clock does it.
    fn look_at_sets(
        &self,
        chase: &mut Chase<'_, '_>,
        sources: &SourceMap,
        time: Duration,
        observer: &mut (impl Observer + Send),
    ) -> Result<Option<Report>, JobError> {
        let Some(deadline) = self.budget.deadline else { return Ok(None) };
        if !matches!(self.pack, Pack::Portfolio(UNBOUNDED)) || !chase.advice(self).diagrams {
            return Ok(None);
        }
        let budget = Budget { deadline: Some(deadline.min(Instant::now() + time)), ..self.budget.clone() };
        let job = Job { engine: Engine::Bdd, ..self.search(budget) };
        match job.check_quarry(chase.quarry, sources, observer) {
            Ok(mut report) if report.verdict != Verdict::Inconclusive => {
                report.remarks.push(format!("recommended: {}", chase.advice(self)));
                Ok(Some(report))
            }
            Ok(_) => Ok(None),
            Err(JobError::Unsuited(_)) => {
                chase.advice(self).diagrams = false;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
