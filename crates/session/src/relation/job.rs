//! Checking properties of a relation: picks the search, runs it, judges what it finds.

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, Specification, SpecificationKind};
use lurcher_search::{Budget, Observer, RelationSpace, Stats, StopReason, bfs, dfs};
use lurcher_syntax::Span;
use lurcher_trace::StateRun;

use super::confirm::{FoundRun, confirm_run, kind_of};
use crate::job::{CUT, JobError};
use crate::verdict::{Report, Times, Verdict};

/// A complete search of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateEngine {
    /// Sets of states as binary decision diagrams.
    Bdd,
    /// States one by one, breadth first.
    Bfs,
    /// States one by one, depth first.
    Dfs,
}

/// What every check of a job shares.
#[derive(Clone, Debug)]
pub struct StateJob {
    /// The search.
    pub engine: StateEngine,
    /// What each check may use.
    pub budget: Budget,
    /// Work for making all traces shorter, in expanded states; none shows them as they were found.
    pub minimise: Option<u64>,
}

/// What a search came to.
pub(crate) struct Answer {
    /// The search that was used.
    pub engine: String,
    pub stop: StopReason,
    pub stats: Stats,
    pub found: Option<FoundRun>,
    pub remarks: Vec<String>,
}

impl StateJob {
    /// Checks properties, one after the other.
    pub fn check(
        &self,
        relation: &Relation,
        specifications: &[Specification],
        observer: &mut impl Observer,
    ) -> Result<Vec<Report>, JobError> {
        let mut reports = Vec::new();
        for specification in specifications {
            let started = Instant::now();
            let answer = self.explicit(relation, specification, observer)?;
            let report = self.report(relation, specification, answer, started.elapsed())?;
            let over = matches!(report.stop, StopReason::Interrupted | StopReason::Memory);
            reports.push(report);
            if over {
                break;
            }
        }
        Ok(reports)
    }

    fn explicit(
        &self,
        relation: &Relation,
        specification: &Specification,
        observer: &mut impl Observer,
    ) -> Result<Answer, JobError> {
        let (invariants, deadlock) = match &specification.kind {
            SpecificationKind::Invariant(term) => (vec![*term], false),
            SpecificationKind::Deadlock => (Vec::new(), true),
            SpecificationKind::Ctl(_) | SpecificationKind::Ltl(_) => {
                return Err(JobError::Unsuited(format!(
                    "`{}` is a CTL formula; only --engine bdd can check it",
                    specification.name
                )));
            }
        };
        let mut space = RelationSpace::new(relation, &invariants, deadlock, &self.budget);
        let outcome = match self.engine {
            StateEngine::Dfs => dfs(&mut space, &self.budget, observer),
            StateEngine::Bfs | StateEngine::Bdd => bfs(&mut space, &self.budget, observer),
        };
        let found = outcome.found.first().map(|found| {
            let run = space.run_of(found);
            let run = StateRun { states: run.states, cycle_start: run.cycle_start };
            FoundRun { run: Some(run), shortest: found.shortest }
        });
        let engine = match self.engine {
            StateEngine::Dfs => "dfs",
            StateEngine::Bfs | StateEngine::Bdd => "bfs",
        };
        let remarks = Vec::new();
        Ok(Answer { engine: engine.to_owned(), stop: outcome.stop, stats: outcome.stats, found, remarks })
    }

    /// Judges an answer.
    pub(crate) fn report(
        &self,
        relation: &Relation,
        specification: &Specification,
        answer: Answer,
        search: Duration,
    ) -> Result<Report, JobError> {
        let Answer { engine, stop, stats, found, mut remarks } = answer;
        let mut counterexamples = Vec::new();
        let mut times = Times { search, ..Times::default() };
        if let Some(found) = found {
            let confirmed = confirm_run(relation, specification, found, self.minimise, &self.budget)?;
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
            name: specification.name.clone(),
            kind: kind_of(&specification.kind),
            place: (specification.span != Span::default()).then_some(specification.span),
            verdict,
            stop,
            engine,
            guide: None,
            counterexamples,
            stats,
            coverage: None,
            times,
            walks: None,
            with_claim: false,
            remarks,
        })
    }
}
