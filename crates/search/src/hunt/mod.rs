//! Many walks in batches on several threads, with one result.
//!
//! Units of work are numbered. A batch is a range of numbers, each assigned to a member of the portfolio before any of
//! them starts; the results of the batch are merged in the order of the numbers, and the violation of the smallest number
//! is reported. So the result depends on the seed and the number of units done, not on threads or timing. A hunt that is
//! stopped keeps the units before the first unfinished one, and continues from there when it is resumed.

mod batch;
mod member;
mod observation;
mod seen;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Observer, StopReason};
use crate::coverage::Coverage;
use crate::outcome::Found;
use crate::space::Step;
use crate::walk::{Covers, End, Keep, WalkDomain, WalkPlan, Walked, Walker};

use batch::{Batch, Unit};
use member::{FULL, adapt};

pub use member::{Member, MemberStats};
pub use seen::Seen;

/// The plan of a hunt, beside its budget.
#[derive(Clone, Debug)]
pub struct HuntPlan {
    /// The seed of all walks.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
    /// The first unit.
    pub first: u64,
    /// Stop before this unit.
    pub last: Option<u64>,
    /// Stop after so many walks; the last unit is cut short where it would make more.
    pub walks: Option<u64>,
    /// Stop when less than this share of the states that a batch saw were new.
    pub saturation: Option<f64>,
}

/// The progress of a hunt: all that is needed to resume it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HuntState<C = Coverage> {
    /// Every unit below this is done.
    pub next: u64,
    /// Walks made.
    pub walks: u64,
    /// Steps taken.
    pub steps: u64,
    /// Branches tested.
    pub tries: u64,
    /// Length of the longest walk.
    pub depth: u32,
    /// Statistics of the members.
    pub members: Vec<MemberStats>,
    /// The states seen.
    pub seen: Seen,
    /// The statements executed.
    pub coverage: C,
    /// Batches begun.
    batches: u32,
    /// The rest of the current batch.
    batch: Option<Batch>,
    /// States seen and new states in the current batch.
    novelty: [u64; 2],
}

/// The result of a batch.
#[derive(Debug)]
pub enum Advance<S = Step> {
    /// No violation yet.
    Going,
    /// A unit found a violation: its number, its member, the violation.
    Found(u64, usize, Box<Found<S>>),
    /// The hunt is over.
    Stopped(StopReason),
}

/// A hunt: a portfolio of walks.
#[derive(Debug)]
pub struct Hunt<D: WalkDomain> {
    domain: D,
    members: Vec<Member<D::Guide>>,
    plan: HuntPlan,
    /// Its progress.
    pub state: HuntState<D::Coverage>,
    /// The progress before the last unit, where that was cut short.
    before_cut: Option<Box<HuntState<D::Coverage>>>,
}

impl<D: WalkDomain> Hunt<D> {
    /// A hunt that starts at the beginning.
    pub fn new(domain: D, members: Vec<Member<D::Guide>>, plan: HuntPlan) -> Self {
        let stats = MemberStats { share: FULL, ..MemberStats::default() };
        let state = HuntState {
            next: plan.first,
            walks: 0,
            steps: 0,
            tries: 0,
            depth: 0,
            members: vec![stats; members.len()],
            seen: Seen::default(),
            coverage: domain.coverage(),
            batches: 0,
            batch: None,
            novelty: [0; 2],
        };
        Hunt { domain, members, plan, state, before_cut: None }
    }

    /// Switches to another domain of the same system from the next batch on.
    pub fn set_domain(&mut self, domain: D) {
        self.domain = domain;
    }

    /// What a hunt that is resumed continues from: its progress without a unit that was cut short.
    pub fn resumable(&self) -> &HuntState<D::Coverage> {
        self.before_cut.as_deref().unwrap_or(&self.state)
    }

    /// Whether a batch was stopped before its end.
    pub fn is_unfinished(&self) -> bool {
        self.state.batch.as_ref().is_some_and(|b| !b.units.is_empty())
    }

    /// The portfolio.
    pub fn members(&self) -> &[Member<D::Guide>] {
        &self.members
    }

    /// Adds members from the next batch on. They start level with the member that has done least.
    pub fn join(&mut self, members: Vec<Member<D::Guide>>) {
        let clock = self.state.members.iter().map(|m| m.clock).min().unwrap_or(0);
        for member in members {
            self.members.push(member);
            if self.state.members.len() < self.members.len() {
                self.state.members.push(MemberStats { share: FULL, clock, ..MemberStats::default() });
            }
        }
    }

    /// Runs the next batch, or the rest of a stopped one.
    pub fn advance(&mut self, budget: &Budget, observer: &mut impl Observer) -> Advance<D::Step> {
        let mut units = self.state.batch.take().map_or(Vec::new(), |batch| batch.units);
        if units.is_empty() {
            units = self.plan_batch();
        }
        let wanted = self.wanted(&units);
        let results = self.run(&wanted, self.state.seen.level(), budget, observer);
        for (done, result) in results.into_iter().enumerate() {
            let walked = match result {
                Some(walked) if walked.end == End::Memory => return self.stop(units, done, StopReason::Memory),
                Some(walked) if walked.end != End::Stopped => walked,
                _ => return self.stop(units, done, stop_reason(budget)),
            };
            let (number, unit) = (self.state.next, wanted[done]);
            let found = walked.found.is_some();
            if unit.walks < units[done].walks && !found {
                let batch = Some(Batch { units: units[done..].to_vec() });
                self.before_cut = Some(Box::new(HuntState { batch, ..self.state.clone() }));
            }
            self.merge(&unit, walked);
            if found {
                let member = usize::from(unit.member);
                let found = self.path_of(number, &unit, budget);
                let stopped = self.stop(units, done + 1, stop_reason(budget));
                return found.map_or(stopped, |found| Advance::Found(number, member, Box::new(found)));
            }
            let full = budget.resources.memory.is_some_and(|limit| self.state.seen.memory() > limit);
            if full && done + 1 < units.len() {
                return self.stop(units, done + 1, StopReason::Memory);
            }
        }
        let ended = self.plan.walks.is_some_and(|walks| self.state.walks >= walks)
            || self.plan.last.is_some_and(|last| self.state.next >= last);
        match (wanted.len() < units.len(), ended) {
            (true, false) => {
                // Units that could not start made fewer walks than planned.
                self.stop(units, wanted.len(), StopReason::Walks);
                Advance::Going
            }
            (true, true) => self.stop(units, wanted.len(), StopReason::Walks),
            (false, _) => self.finish_batch(),
        }
    }

    /// The units of a batch that the plan still wants, the last perhaps with fewer walks.
    fn wanted(&self, units: &[Unit]) -> Vec<Unit> {
        let last = self.plan.last.map_or(u64::MAX, |last| last.saturating_sub(self.state.next));
        let mut walks = self.plan.walks.map_or(u64::MAX, |walks| walks.saturating_sub(self.state.walks));
        let mut wanted = Vec::new();
        for unit in units.iter().take(usize::try_from(last).unwrap_or(usize::MAX)) {
            let allowed = u64::from(unit.walks).min(walks);
            if allowed == 0 {
                break;
            }
            walks -= allowed;
            wanted.push(Unit { walks: allowed as u32, ..*unit });
        }
        wanted
    }

    /// Stops when so many units of a batch are done; the next call continues with the others.
    fn stop(&mut self, mut units: Vec<Unit>, done: usize, reason: StopReason) -> Advance<D::Step> {
        self.state.batch = Some(Batch { units: units.split_off(done) });
        Advance::Stopped(reason)
    }

    fn finish_batch(&mut self) -> Advance<D::Step> {
        let plain: Vec<bool> = self.members.iter().map(Member::is_plain).collect();
        adapt(&mut self.state.members, &plain);
        let [seen, new] = std::mem::take(&mut self.state.novelty);
        let saturated = self.plan.saturation.is_some_and(|least| (new as f64) < least * seen as f64);
        if saturated { Advance::Stopped(StopReason::Saturation) } else { Advance::Going }
    }

    fn merge(&mut self, unit: &Unit, walked: Walked<D::Step, D::Coverage>) {
        let member = usize::from(unit.member);
        let plain = self.members[member].is_plain();
        let state = &mut self.state;
        let level = state.seen.level();
        let kept = walked.seen.iter().filter(|s| s.trailing_zeros() >= level).count() as u64;
        let new = state.seen.add(&walked.seen, plain);
        let statements = walked.coverage.map_or(0, |executed| state.coverage.merge(&executed));
        state.novelty[0] += kept << level;
        state.novelty[1] += new;
        state.next += 1;
        state.walks += u64::from(walked.walks);
        state.steps += walked.steps;
        state.tries += walked.tries;
        state.depth = state.depth.max(walked.depth);
        let stats = &mut state.members[member];
        let better = walked.best.is_some_and(|b| stats.best.is_none_or(|known| b < known));
        if better {
            stats.best = walked.best;
        }
        stats.units += 1;
        *stats.depths.entry(unit.depth).or_default() += 1;
        stats.walks += u64::from(walked.walks);
        stats.steps += walked.steps;
        stats.new_states += new;
        stats.clock += walked.steps.max(1) * FULL / stats.share.max(1);
        let looked = if unit.looks { (u64::from(walked.walks), walked.steps) } else { (0, 0) };
        stats.looked_walks += looked.0;
        stats.looked_steps += looked.1;
        let gains = [walked.steps, looked.1, new, statements, u64::from(better)];
        stats.lately.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    /// Repeats the walks of a unit to record the path.
    fn path_of(&self, number: u64, unit: &Unit, budget: &Budget) -> Option<Found<D::Step>> {
        let resources = budget.resources.with_grace();
        let _scope = resources.enter();
        let mut walker = Walker::new(self.domain.position());
        self.walk(&mut walker, number, unit, Keep { path: true, blind: true, ..Keep::default() }, &|| {
            resources.reached().is_some()
        })
        .found
    }

    fn walk(
        &self,
        walker: &mut Walker<D::Position<'_>>,
        number: u64,
        unit: &Unit,
        keep: Keep,
        stop: &dyn Fn() -> bool,
    ) -> Walked<D::Step, D::Coverage> {
        let member = &self.members[usize::from(unit.member)];
        let plan = WalkPlan { depth: unit.depth, chain: unit.walks, ..member.plan };
        let guide = member.guide.as_ref().map(|g| g.1.clone());
        walker.run_fastest(plan, guide, (self.plan.seed, number), keep, &self.state.coverage, stop)
    }
}

/// Why walks were stopped.
fn stop_reason(budget: &Budget) -> StopReason {
    budget.resources.stop.raised().map_or(StopReason::Time, StopReason::from)
}
