//! Symbolic searches that an abstraction guides, and symbolic random walks.

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, TermId, VariableId};
use lurcher_search::{HuntPlan, Observer, Stats, StopReason};
use lurcher_symbolic::{Bdd, BddResult, Encoding, Pattern, Rings, Trace, WalkPlan};

use crate::job::JobError;
use crate::verdict::WalkReport;

/// A symbolic way to look for states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicHunter {
    /// Symbolic A*, guided by an abstraction.
    Sgmc,
    /// Symbolic random walks or trails: SRMC, and with a guide SGRMC.
    Walk {
        /// Visit no state twice.
        trail: bool,
        /// Steps of a walk at most.
        depth: Option<u64>,
    },
}

impl SymbolicHunter {
    /// Its name in reports.
    pub(crate) fn name(self, guide: &StateGuide) -> &'static str {
        match self {
            SymbolicHunter::Sgmc => "sgmc",
            SymbolicHunter::Walk { .. } if guide.on => "sgrmc",
            SymbolicHunter::Walk { .. } => "srmc",
        }
    }
}

/// How the abstraction that guides is made, and used.
#[derive(Clone, Debug, Default)]
pub struct StateGuide {
    /// Follow it.
    pub on: bool,
    /// Away from the target rather than towards it.
    pub reverse: bool,
    /// Names of variables to drop; none drops weak variables until the rest is small.
    pub drop: Vec<String>,
}

impl StateGuide {
    /// Its name in reports.
    pub(crate) fn label(&self) -> String {
        let kind = if self.drop.is_empty() { "auto" } else { "manu" };
        format!("abstraction ({kind}{})", if self.reverse { ", reversed" } else { "" })
    }

    /// Which variables of a relation the abstraction keeps. Names that `known` knows and the relation does not have are
    /// dropped already.
    pub(crate) fn keep(&self, relation: &Relation, known: impl Fn(&str) -> bool) -> Result<Pattern, JobError> {
        if self.drop.is_empty() {
            return Ok(Pattern::default());
        }
        if let Some(name) = self.drop.iter().find(|n| !known(n)) {
            return Err(JobError::Guide("abstraction", format!("there is no variable `{name}` to drop")));
        }
        let dropped: Vec<VariableId> = self.drop.iter().filter_map(|name| relation.find(name)).collect();
        Ok(Pattern::Without(dropped))
    }
}

/// What such a search looks for.
pub(crate) struct Prey {
    /// The states where it ends.
    pub states: Bdd,
    /// The states that walks are guided to; SGMC proves something, and is guided to all.
    pub aim: Bdd,
    /// The terms that say which.
    pub terms: Vec<TermId>,
}

/// A search that is ready to begin.
pub(crate) struct GuidedSearch<'h> {
    pub hunter: SymbolicHunter,
    pub guide: &'h StateGuide,
    pub keep: Pattern,
    pub plan: &'h HuntPlan,
}

/// What it came to.
pub(crate) struct GuidedOutcome {
    pub stop: StopReason,
    pub trace: Option<Trace>,
    /// No shorter trace exists.
    pub shortest: bool,
    pub stats: Stats,
    /// The guide's name.
    pub guide: Option<String>,
    /// Making the guide.
    pub preparing: Duration,
    pub walks: Option<WalkReport>,
}

impl GuidedOutcome {
    /// Nothing came of it.
    pub fn stopped(stop: StopReason) -> Self {
        let (stats, preparing) = (Stats::default(), Duration::ZERO);
        GuidedOutcome { stop, trace: None, shortest: false, stats, guide: None, preparing, walks: None }
    }
}

impl GuidedSearch<'_> {
    /// Searches; a stop is an outcome too.
    pub fn search(
        &self,
        prepare: impl FnOnce() -> BddResult<Prey>,
        encoding: &Encoding<'_>,
        observer: &mut dyn Observer,
    ) -> GuidedOutcome {
        let mut outcome = GuidedOutcome::stopped(StopReason::Complete);
        if let Err(stop) = prepare().and_then(|prey| self.run(encoding, &prey, &mut outcome, observer)) {
            outcome.stop = stop;
        }
        outcome.stats.memory = encoding.kernel().memory();
        outcome
    }

    fn run(
        &self,
        encoding: &Encoding<'_>,
        prey: &Prey,
        outcome: &mut GuidedOutcome,
        observer: &mut dyn Observer,
    ) -> BddResult<()> {
        let started = Instant::now();
        let rings = match self.hunter {
            SymbolicHunter::Sgmc => Some(Rings::new(encoding, &prey.states, &prey.terms, &self.keep)?),
            SymbolicHunter::Walk { .. } if self.guide.on => {
                Some(Rings::for_walks(encoding, &prey.aim, &prey.terms, &self.keep)?)
            }
            SymbolicHunter::Walk { .. } => None,
        };
        if rings.is_some() {
            outcome.preparing = started.elapsed();
            outcome.guide = Some(self.guide.label());
        }
        match (self.hunter, &rings) {
            (SymbolicHunter::Walk { trail, depth }, _) => {
                let plan = WalkPlan {
                    seed: self.plan.seed,
                    first: self.plan.first,
                    walks: self.plan.last.map_or(u64::MAX, |last| last - self.plan.first),
                    depth,
                    trail,
                    guide: rings.as_ref(),
                    reversed: self.guide.reverse,
                };
                let started = Instant::now();
                let walked = encoding.walks(&prey.states, &plan, observer);
                let rate = walked.steps as f64 / started.elapsed().as_secs_f64().max(1e-6);
                outcome.stop = walked.stop;
                outcome.stats.transitions = walked.steps;
                let name = format!("{} {}", self.hunter.name(self.guide), if trail { "trail" } else { "walk" });
                let unit = walked.found.as_ref().map(|(unit, _)| *unit);
                outcome.walks = Some(walks(name, unit, walked.walks, walked.steps, rate));
                outcome.trace = walked.found.map(|(_, trace)| trace);
            }
            (SymbolicHunter::Sgmc, Some(rings)) => {
                let searched = encoding.sgmc(&prey.states, rings, observer)?;
                outcome.stats.transitions = searched.expansions;
                outcome.trace = searched.trace;
                outcome.shortest = true;
                outcome.stop = if outcome.trace.is_some() { StopReason::Violation } else { StopReason::Complete };
            }
            (SymbolicHunter::Sgmc, None) => unreachable!("SGMC has a guide"),
        }
        Ok(())
    }
}

fn walks(name: String, unit: Option<u64>, walks: u64, steps: u64, rate: f64) -> WalkReport {
    WalkReport {
        winner: unit.map(|_| name),
        unit,
        units: walks,
        walks,
        steps,
        rate,
        tries: 0,
        depth: 0,
        looked_walks: walks,
        distinct: 0,
        exact: false,
        members: Vec::new(),
        bounds: Vec::new(),
        new_states_per_walk: None,
    }
}
