//! Answers by sets of states.
//!
//! All properties of a model share one encoding and one set of reachable states; LTL formulas, invariants about steps and
//! cones of influence are relations of their own, with encodings of their own. Steps that a scheduler takes apart are
//! taken apart first ([`Relation::split`]).

use std::time::{Duration, Instant};

use lurcher_ir::Ctl;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, Observer, Stats, StopReason};
use lurcher_symbolic::{Bdd, CtlChecker, Encoding, Ground, Reached, Stoppable, Strategy};

use super::confirm::FoundRun;
use super::job::{Answer, Sets};
use super::watch::{Sought, Watched};

/// The engine's name in reports.
pub(crate) const BDD: &str = "bdd";

/// What is remarked where nothing can begin.
pub(crate) const NO_INITIAL_STATE: &str = "the model has no initial state: everything is true of it";

/// What looking for a shortest trace may take, beside what finding the violation took.
const SHORTEST: (Duration, u32) = (Duration::from_secs(1), 10);

/// How states are reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// In which order.
    pub strategy: Strategy,
    /// Look for a shortest trace afterwards, where the order does not give one.
    pub shorten: bool,
}

/// Chaining finds a violation soonest; looking for a shortest trace comes after it.
pub(crate) const USUAL: Manner = Manner { strategy: Strategy::Chaining, shorten: true };

/// Answers questions about one relation.
pub(crate) struct Symbolic<'r> {
    relation: &'r Relation,
    /// The same with its steps taken apart, where that can be done.
    split: &'r Relation,
    budget: &'r Budget,
    manner: Manner,
    shared: Option<Shared<'r>>,
}

/// What all questions about the relation itself share.
struct Shared<'r> {
    encoding: Encoding<'r>,
    manner: Manner,
    reachable: Option<Bdd>,
    /// What formulas of CTL need first.
    ground: Option<Ground>,
    /// What is said of reachable states without a successor, where there are some.
    not_total: Option<Option<String>>,
}

impl<'r> Symbolic<'r> {
    /// `split` is the relation itself or the same with its steps taken apart.
    pub fn new(relation: &'r Relation, split: &'r Relation, budget: &'r Budget, manner: Manner) -> Self {
        Symbolic { relation, split, budget, manner, shared: None }
    }

    /// The answer to one question about a relation. Textbook search leaves its steps as they are.
    pub fn once(watched: &Watched<'_>, budget: &Budget, manner: Manner, observer: &mut dyn Observer) -> Answer {
        let relation = watched.relation.as_ref();
        let split = if manner.strategy == Strategy::Forward { None } else { relation.split() };
        Symbolic::new(relation, split.as_ref().unwrap_or(relation), budget, manner).answer(watched, observer)
    }

    /// The answer to a question; a stop is an answer too.
    pub fn answer(&mut self, watched: &Watched<'_>, observer: &mut dyn Observer) -> Answer {
        let stopped = |stop| Answer { stop, ..Answer::new(BDD) };
        let manner = self.manner;
        let own = std::ptr::eq(watched.relation.as_ref(), self.relation);
        let answer = if own {
            let shared = match self.shared.take() {
                Some(shared) => Ok(shared),
                None => Encoding::new(self.split, self.budget).map(|e| Shared::new(e, manner)),
            };
            shared.and_then(|mut shared| {
                let answer = shared.answer(watched, self.budget, observer);
                // After a stop the tables may be full of what led to it.
                self.shared = answer.is_ok().then_some(shared);
                answer
            })
        } else {
            let split = watched.relation.split();
            Encoding::new(split.as_ref().unwrap_or(watched.relation.as_ref()), self.budget)
                .and_then(|encoding| Shared::new(encoding, manner).answer(watched, self.budget, observer))
        };
        answer.unwrap_or_else(stopped)
    }
}

impl<'r> Shared<'r> {
    fn new(encoding: Encoding<'r>, manner: Manner) -> Self {
        Shared { encoding, manner, reachable: None, ground: None, not_total: None }
    }

    fn answer(&mut self, watched: &Watched<'_>, budget: &Budget, observer: &mut dyn Observer) -> Stoppable<Answer> {
        match &watched.sought {
            Sought::False(term) => {
                let good = self.encoding.truth(*term)?;
                let bad = self.encoding.kernel().minus(self.encoding.all_states(), &good)?;
                self.reach(watched, &bad, budget, observer)
            }
            Sought::Stuck => {
                let stuck = self.encoding.deadlocks()?;
                self.reach(watched, &stuck, budget, observer)
            }
            Sought::FairRun => {
                let run = self.encoding.fair_run(observer)?;
                let found = run.map(|t| FoundRun { run: watched.original(t.states, t.cycle_start), shortest: false });
                let mut answer = self.complete(found);
                answer.remarks.extend(self.not_total()?);
                Ok(answer)
            }
            Sought::Ctl(formula) => self.ctl(watched, formula, observer),
        }
    }

    /// An answer after everything was looked at.
    fn complete(&self, found: Option<FoundRun>) -> Answer {
        let kernel = self.encoding.kernel();
        let stop = if found.is_some() { StopReason::Violation } else { StopReason::Complete };
        let sets =
            Sets { reachable: self.reachable.as_ref().map(|r| self.encoding.count(r)), nodes: kernel.nodes() as u64 };
        let stored =
            sets.reachable.as_ref().and_then(|c| c.exact()).map_or(0, |n| u64::try_from(n).unwrap_or(u64::MAX));
        let stats = Stats { stored, memory: kernel.memory(), ..Stats::default() };
        let mut answer = Answer { stop, stats, found, sets: Some(sets), ..Answer::new(BDD) };
        if kernel.is_empty(self.encoding.initial()) {
            answer.remarks.push(NO_INITIAL_STATE.to_owned());
        }
        answer
    }

    fn reach(
        &mut self,
        watched: &Watched<'_>,
        bad: &Bdd,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Stoppable<Answer> {
        let started = Instant::now();
        let kernel = self.encoding.kernel();
        let known = self.reachable.as_ref().map(|r| kernel.disjoint(r, bad)).transpose()?;
        if known == Some(true) {
            return Ok(self.complete(None));
        }
        let Reached { trace, shortest, reachable, rounds } =
            self.encoding.reach(bad, self.manner.strategy, observer)?;
        self.reachable = self.reachable.take().or(reachable);
        let found = trace.map(|trace| {
            let wanted = self.manner.shorten && !shortest;
            let better = wanted.then(|| shortest_trace(watched, started.elapsed(), budget, observer)).flatten();
            let shortest = shortest || better.is_some();
            let trace = better.unwrap_or(trace);
            FoundRun { run: watched.original(trace.states, trace.cycle_start), shortest }
        });
        let mut answer = self.complete(found);
        answer.stats.depth = rounds;
        Ok(answer)
    }

    fn ctl(&mut self, watched: &Watched<'_>, formula: &Ctl, observer: &mut dyn Observer) -> Stoppable<Answer> {
        let ground = match self.ground.take() {
            Some(ground) => ground,
            None => Ground::find(&self.encoding, self.reachable.clone(), observer)?,
        };
        let answer = CtlChecker::new(&self.encoding, ground.clone()).check(formula)?;
        let no_fair_run = self.encoding.kernel().is_empty(ground.fair());
        self.reachable = Some(ground.reachable().clone());
        self.ground = Some(ground);
        let found = (!answer.holds).then(|| {
            let run = answer.counterexample.and_then(|w| watched.original(w.trace.states, w.trace.cycle_start));
            FoundRun { run, shortest: false }
        });
        let mut answer = self.complete(found);
        if no_fair_run {
            answer.remarks.push("no fair infinite run starts anywhere: every CTL formula is true".to_owned());
        }
        if !self.encoding.relation().compassion.is_empty() {
            answer.remarks.push("CTL does not see COMPASSION".to_owned());
        }
        answer.remarks.extend(self.not_total()?);
        Ok(answer)
    }

    /// Says that reachable states have no successor: formulas about infinite runs do not see them.
    fn not_total(&mut self) -> Stoppable<Option<String>> {
        let Some(reachable) = &self.reachable else { return Ok(None) };
        if let Some(known) = &self.not_total {
            return Ok(known.clone());
        }
        let stuck = self.encoding.kernel().and(reachable, &self.encoding.deadlocks()?)?;
        let count = (!self.encoding.kernel().is_empty(&stuck)).then(|| self.encoding.count(&stuck));
        let said = count.map(|count| {
            format!(
                "{count} reachable states have no successor (--property deadlock shows one); the formula is only about infinite runs"
            )
        });
        self.not_total = Some(said.clone());
        Ok(said)
    }
}

/// A shortest trace to what was found, if that does not take much longer than finding it.
fn shortest_trace(
    watched: &Watched<'_>,
    took: Duration,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Option<lurcher_symbolic::Trace> {
    let late = Instant::now() + SHORTEST.0.max(took * SHORTEST.1);
    let deadline = Some(budget.deadline.map_or(late, |d| d.min(late)));
    let split = watched.relation.split();
    let relation = split.as_ref().unwrap_or(watched.relation.as_ref());
    let encoding = Encoding::new(relation, &Budget { deadline, ..budget.clone() }).ok()?;
    let bad = match &watched.sought {
        Sought::False(term) => encoding.kernel().minus(encoding.all_states(), &encoding.truth(*term).ok()?).ok()?,
        _ => encoding.deadlocks().ok()?,
    };
    let reached = encoding.reach(&bad, Strategy::Forward, observer).ok()?;
    reached.trace.filter(|_| reached.shortest)
}
