//! The walks of one property: a portfolio of walks and what is reported of them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lurcher_heuristics::registry::Named;
use lurcher_search::{
    Advance, Budget, Found, Hunt, HuntPlan, HuntState, Kind, Member, Observer, Selection, Stats, StopReason, WalkPlan,
};

use crate::error::EngineError;
use crate::report::{Answer, Bound, MemberReport, WalkReport};
use crate::saved::SavedProperty;
use crate::system::System;

/// The confidence of bounds.
const CONFIDENCE: f64 = 0.95;
/// Bounds are given for the greatest depth that at least so many walks had, and for the depth that all had.
const ENOUGH_WALKS: u64 = 100;

/// The walks of one property.
pub(crate) struct Walks<'s, S: System> {
    system: &'s S,
    hunt: Hunt<S::Domain<'s>>,
    first: u64,
    /// Steps that a saved hunt had taken.
    resumed: u64,
    /// Time for walking and for making heuristics.
    pub search: Duration,
    pub guide_time: Duration,
    /// What ended the walks for good.
    pub stop: Option<StopReason>,
    found: Option<(u64, usize, Found<S::Step>)>,
}

impl<'s, S: System> Walks<'s, S> {
    pub fn new(system: &'s S, plan: &HuntPlan) -> Self {
        Walks {
            system,
            hunt: Hunt::new(system.domain(), Vec::new(), plan.clone()),
            first: plan.first,
            resumed: 0,
            search: Duration::ZERO,
            guide_time: Duration::ZERO,
            stop: None,
            found: None,
        }
    }

    /// Adds a member without a heuristic; with `growing`, its walks start with small depths.
    pub fn join(&mut self, name: &str, plan: WalkPlan, growing: bool, guide: Option<Named<S::Guide>>) {
        let growing_from = growing.then(|| self.system.first_depth());
        let guide = guide.map(|g| (g.name, g.guide));
        self.hunt.join(vec![Member { name: name.to_owned(), plan, growing_from, guide }]);
    }

    /// Adds a walk and a trail that follow a heuristic; those of a saved hunt only, where it is resumed.
    pub fn join_guided(
        &mut self,
        guide: &Named<S::Guide>,
        selection: Selection,
        depth: u32,
        saved: Option<&SavedProperty>,
    ) {
        self.guide_time += guide.time;
        for (kind, word) in [(Kind::Walk, "walk"), (Kind::Trail, "trail")] {
            let name = format!("{word}, {}", guide.name);
            if saved.is_some_and(|saved| !saved.members.contains(&name)) {
                continue;
            }
            let plan = WalkPlan { kind, selection, bias: guide.bias, depth, ..WalkPlan::default() };
            let copy = Named { name: guide.name.clone(), guide: guide.guide.clone(), notes: Vec::new(), ..*guide };
            self.join(&name, plan, true, Some(copy));
        }
    }

    /// The names of the members.
    pub fn members(&self) -> Vec<String> {
        self.hunt.members().iter().map(|m| m.name.clone()).collect()
    }

    pub fn steps(&self) -> u64 {
        self.hunt.state.steps
    }

    /// Whether a batch was interrupted.
    pub fn is_unfinished(&self) -> bool {
        self.hunt.is_unfinished()
    }

    /// Continues where saved walks ended. The members are the same.
    pub fn resume(&mut self, saved: &SavedProperty) -> Result<(), EngineError> {
        let state: HuntState<S::Coverage> =
            serde_json::from_value(saved.walks.clone()).map_err(|e| EngineError::Resume(e.to_string()))?;
        if state.members.len() != self.hunt.members().len() {
            return Err(EngineError::Resume("its walks and its members do not agree".to_owned()));
        }
        self.resumed = state.steps;
        self.hunt.state = state;
        Ok(())
    }

    /// What is needed to continue.
    pub fn save(&self, round: u32) -> SavedProperty {
        let walks = serde_json::to_value(self.hunt.resumable()).expect("numbers can be written");
        SavedProperty { name: self.system.property().name.clone(), round, members: self.members(), walks }
    }

    /// Makes the next batch of walks, as native code if that pays after so many steps.
    pub fn advance(&mut self, steps: u64, budget: &Budget, mut observer: &mut dyn Observer) {
        if self.system.compile(steps) {
            self.hunt.set_domain(self.system.domain());
        }
        let started = Instant::now();
        match self.hunt.advance(budget, &mut observer) {
            Advance::Going => {}
            Advance::Stopped(reason) => self.stop = Some(reason),
            Advance::Found(unit, member, found) => {
                self.stop = Some(StopReason::Violation);
                self.found = Some((unit, member, self.system.as_path(*found)));
            }
        }
        self.search += started.elapsed();
    }

    /// What the walks came to; `alone` is the engine's name where there is one kind of walks.
    pub fn answer(&self, alone: Option<&str>, stop: StopReason) -> Answer<S::Step> {
        let members = self.hunt.members();
        let winner = self.found.as_ref().map(|(unit, member, _)| (*unit, &members[*member]));
        let engine = match (alone, winner) {
            (Some(name), _) => name,
            (None, Some((_, member))) => &member.name,
            (None, None) => "portfolio",
        };
        let guided = winner.map(|(_, member)| member).or_else(|| members.first().filter(|_| alone.is_some()));
        let mut answer = Answer::new(self.system.property(), engine);
        answer.found.extend(self.found.iter().map(|(_, _, found)| found.clone()));
        let HuntState { seen, coverage, steps, depth, .. } = &self.hunt.state;
        let report = &mut answer.report;
        report.stop = stop;
        report.guide = guided.and_then(|m| m.guide.as_ref()).map(|g| g.0.clone());
        report.stats = Stats {
            stored: seen.distinct(),
            matched: 0,
            transitions: *steps,
            depth: u64::from(*depth),
            memory: seen.memory(),
            ..Stats::default()
        };
        report.coverage = self.system.statements(coverage);
        report.walks = Some(self.report());
        self.system.describe_walks(report);
        report.times.guide = self.guide_time;
        answer
    }

    /// The walks in numbers.
    pub fn report(&self) -> WalkReport {
        let (state, members) = (&self.hunt.state, self.hunt.members());
        let winner = self.found.as_ref().map(|(unit, member, _)| (*unit, *member));
        let plain = || members.iter().zip(&state.members).filter(|(m, _)| m.is_plain());
        let plain_walks: u64 = plain().map(|(_, s)| s.looked_walks).sum();
        let member_report = |(member, stats): (&Member<_>, &lurcher_search::MemberStats)| MemberReport {
            name: member.name.clone(),
            walks: stats.walks,
            steps: stats.steps,
            new_states: stats.new_states,
            best: stats.best,
        };
        WalkReport {
            winner: winner.map(|(_, m)| members[m].name.clone()),
            unit: winner.map(|(u, _)| u),
            units: state.next - self.first,
            walks: state.walks,
            looked_walks: state.members.iter().map(|m| m.looked_walks).sum(),
            steps: state.steps,
            rate: (state.steps - self.resumed) as f64 / self.search.as_secs_f64().max(1e-6),
            tries: state.tries,
            depth: state.depth,
            distinct: state.seen.distinct(),
            exact: state.seen.is_exact(),
            members: members.iter().zip(&state.members).map(member_report).collect(),
            bounds: match winner {
                Some(_) => Vec::new(),
                None => plain().flat_map(|(m, s)| bounds(&m.name, &s.depths)).collect(),
            },
            new_states_per_walk: (plain_walks > 0).then(|| state.seen.singles() as f64 / plain_walks as f64),
        }
    }
}

/// Bounds from walks of several depths: a walk is, up to a smaller depth, a walk of that depth.
fn bounds(member: &str, depths: &BTreeMap<u32, u64>) -> Vec<Bound> {
    let at_least = |depth: u32| -> u64 { depths.range(depth..).map(|(_, n)| n).sum() };
    let Some(&all) = depths.keys().next() else { return Vec::new() };
    let deep = depths.keys().copied().filter(|&d| at_least(d) >= ENOUGH_WALKS).max().unwrap_or(all);
    let mut chosen = vec![deep, all];
    chosen.dedup();
    chosen.into_iter().map(|depth| Bound::after(member, depth, at_least(depth), CONFIDENCE)).collect()
}
