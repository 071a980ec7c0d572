//! Hunting: walks until something is found or the budget is used up.
//!
//! A portfolio looks at every property exhaustively first, for a few thousand states: that proves small models and
//! finds shallow violations, shortest trace included. Then the properties take turns, batch by batch: the one with the
//! fewest steps goes next, so that none starves and the order depends on counts alone. Each time the walks have taken
//! many more steps than the exhaustive search stored states, it is done again with more states.

use std::time::Instant;

use lurcher_exec::Interpreter;
use lurcher_guide::Guide;
use lurcher_ir::{Model, Property};
use lurcher_search::{
    Advance, Budget, Found, Hunt, HuntPlan, HuntState, Member, Observer, StopReason, UNBOUNDED, WalkPlan,
};
use lurcher_syntax::SourceMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::asked::Asked;
use crate::confirm::{Treatment, confirm, kind_name};
use crate::guides::{GuideKind, GuideSettings, NamedGuide};
use crate::job::{CUT, Engine, Job, JobError, fairness_remark};
use crate::load::Loaded;
use crate::portfolio::portfolio;
use crate::quarry::Quarry;
use crate::saved::SavedHunt;
use crate::verdict::{Bound, MemberReport, Report, Times, Verdict, WalkReport};

/// States that are looked at exhaustively before the first walk.
const EXHAUSTIVE: u64 = 4096;
/// The next exhaustive search has so many times the states,
const WIDER: u64 = 4;
/// and it comes when the walks have taken so many steps for each of its states.
const STEPS_PER_STATE: u64 = 4;
/// The confidence of bounds.
const CONFIDENCE: f64 = 0.95;
/// Bounds are given for the greatest depth that at least so many walks had, and for the depth that all had.
const ENOUGH_WALKS: u64 = 100;

/// Which walks a hunt makes.
#[derive(Clone, Debug)]
pub enum Pack {
    /// A portfolio of all kinds, none deeper than this.
    Portfolio(u32),
    /// One kind, under a name.
    One(String, WalkPlan),
}

/// What a hunt is told.
#[derive(Clone, Debug)]
pub struct HuntJob {
    /// Which walks it makes.
    pub pack: Pack,
    /// The guides it makes.
    pub guides: Vec<GuideKind>,
    /// What is wanted of them.
    pub guide_settings: GuideSettings,
    /// Seed, threads, units, saturation.
    pub plan: HuntPlan,
    /// What it may use.
    pub budget: Budget,
    /// Only runs in which no process is neglected for ever count as violations.
    pub fair: bool,
    /// A message sent to a full channel is lost.
    pub message_loss: bool,
    /// Work for making a trace shorter, in expanded states; none shows it as it was found.
    pub minimise: Option<u64>,
    /// Say what is needed to go on.
    pub save: bool,
    /// Go on from here.
    pub resume: Option<SavedHunt>,
}

/// What a hunt came to.
#[derive(Debug)]
pub struct Hunted {
    /// A report for each property; when one is violated, only it and those that were proved.
    pub reports: Vec<Report>,
    /// What is needed to go on, when it was asked for and nothing was found.
    pub saved: Option<SavedHunt>,
}

/// A property that is being hunted.
struct Chase<'m, 'a> {
    quarry: &'a Quarry,
    hunt: Hunt<'m, 'a, Guide<'m>>,
    stop: Option<StopReason>,
    found: Option<(u64, usize, Box<Found>)>,
    /// What an exhaustive search decided.
    decided: Option<Report>,
    /// States of the next exhaustive search.
    exhaustive: u64,
    times: Times,
}

impl HuntJob {
    /// Hunts for violations of properties; stops at the first.
    pub fn hunt(
        &self,
        loaded: &Loaded,
        properties: &[(Asked, Property)],
        observer: &mut impl Observer,
    ) -> Result<Hunted, JobError> {
        let (model, sources) = (loaded.model(), &loaded.sources);
        if let Some(saved) = &self.resume
            && saved.setting != self.setting(model)
        {
            return Err(JobError::Resume("the model or the options are not those it was saved with".to_owned()));
        }
        let quarries: Result<Vec<Quarry>, JobError> = properties.iter().map(|(_, p)| Quarry::new(model, p)).collect();
        let quarries = quarries?;
        let mut reports = Vec::new();
        let mut open = Vec::new();
        for (index, quarry) in quarries.iter().enumerate() {
            match self.look_around(quarry, sources, EXHAUSTIVE, observer)? {
                Some(report) if report.verdict == Verdict::Violated => {
                    return Ok(Hunted { reports: vec![report], saved: None });
                }
                Some(report) => reports.push(report),
                None => open.push(index),
            }
        }
        let interpreters: Vec<_> = open.iter().map(|&i| quarries[i].interpreter(self.message_loss)).collect();
        let subjects: Vec<_> = open.iter().map(|&i| quarries[i].subject(self.fair)).collect();
        let made = open.iter().zip(&interpreters).map(|(&i, interpreter)| self.make_guides(&quarries[i], interpreter));
        let guides = made.collect::<Result<Vec<Vec<NamedGuide<'_>>>, JobError>>()?;
        let mut chases = Vec::new();
        for (slot, &index) in open.iter().enumerate() {
            let quarry = &quarries[index];
            let initial = interpreters[slot].initial().expect("a model that cannot start was reported");
            let members = self.members(&quarry.model, &guides[slot]);
            let mut hunt = Hunt::new(&interpreters[slot], &subjects[slot], initial, members, self.plan.clone());
            if let Some(saved) = &self.resume {
                hunt.state = self.resumed(saved, quarry, &hunt)?;
            }
            chases.push(Chase {
                quarry,
                hunt,
                stop: None,
                found: None,
                decided: None,
                exhaustive: EXHAUSTIVE * WIDER,
                times: Times { guide: guides[slot].iter().map(|g| g.build).sum(), ..Times::default() },
            });
        }
        self.take_turns(&mut chases, sources, observer)?;
        let saved = self.save.then(|| {
            let states = chases.iter().map(|c| (c.quarry.property.name.clone(), c.hunt.state.clone())).collect();
            SavedHunt::new(self.setting(model), states)
        });
        for (slot, chase) in chases.into_iter().enumerate() {
            let interpreter = &interpreters[slot];
            let report = self.report(chase, interpreter, sources)?;
            if report.verdict == Verdict::Violated {
                reports.insert(0, report);
            } else {
                reports.push(report);
            }
        }
        let violated = reports.first().is_some_and(|r| r.verdict == Verdict::Violated);
        if violated {
            reports.retain(|r| r.verdict != Verdict::Inconclusive);
        }
        Ok(Hunted { reports, saved: saved.filter(|_| !violated) })
    }

    /// Everything that the walks depend on.
    fn setting(&self, model: &Model) -> String {
        let names: Vec<&str> = self.guides.iter().map(|g| g.name()).collect();
        let HuntPlan { seed, first, saturation, .. } = &self.plan;
        format!(
            "model {:016x}, seed {seed}, from {first}, saturation {saturation:?}, {:?}, guides {names:?} {:?}, \
             fair {}, message loss {}",
            xxh3_64(format!("{model:?}").as_bytes()),
            self.pack,
            self.guide_settings,
            self.fair,
            self.message_loss
        )
    }

    fn resumed(
        &self,
        saved: &SavedHunt,
        quarry: &Quarry,
        hunt: &Hunt<'_, '_, Guide<'_>>,
    ) -> Result<HuntState, JobError> {
        let name = &quarry.property.name;
        let known = saved.states.iter().find(|(n, _)| n == name).map(|(_, s)| s);
        match known {
            Some(state) if state.members.len() == hunt.members().len() => Ok(state.clone()),
            _ => Err(JobError::Resume(format!("it knows nothing about `{name}`"))),
        }
    }

    /// An exhaustive search of a few states; a report when it decides.
    fn look_around(
        &self,
        quarry: &Quarry,
        sources: &SourceMap,
        states: u64,
        observer: &mut impl Observer,
    ) -> Result<Option<Report>, JobError> {
        let starts = quarry.interpreter(self.message_loss).initial().is_ok();
        let depth = match self.pack {
            Pack::One(..) if starts => return Ok(None),
            Pack::Portfolio(depth) if depth < UNBOUNDED => Some(depth),
            Pack::One(..) | Pack::Portfolio(_) => None,
        };
        let budget = Budget { states: Some(states), depth, ..self.budget.clone() };
        let job = Job {
            engine: Engine::Bfs,
            budget,
            fair: self.fair,
            message_loss: self.message_loss,
            minimise: self.minimise,
        };
        let report = job.check_quarry(quarry, sources, observer)?;
        let decided = report.verdict != Verdict::Inconclusive || report.stop == StopReason::Depth;
        Ok(decided.then_some(report))
    }

    /// The guides that were asked for: to the first target for one kind of walk, to every target for a portfolio.
    /// A portfolio does without those that cannot be made.
    fn make_guides<'m>(&self, quarry: &Quarry, interpreter: &Interpreter<'m>) -> Result<Vec<NamedGuide<'m>>, JobError> {
        let mut targets = quarry.targets();
        let one = matches!(self.pack, Pack::One(..));
        if one {
            targets.truncate(1);
        }
        let mut guides = Vec::new();
        for &kind in &self.guides {
            for target in &targets {
                match quarry.guide(interpreter, target, kind, &self.guide_settings) {
                    Ok(guide) => guides.push(guide),
                    Err(why) if one => return Err(JobError::Guide(kind.name(), why)),
                    Err(_) => {}
                }
            }
        }
        Ok(guides)
    }

    fn members<'m, 'a>(&self, model: &Model, guides: &'a [NamedGuide<'m>]) -> Vec<Member<'a, Guide<'m>>> {
        match &self.pack {
            Pack::Portfolio(depth) => portfolio(model, guides, *depth),
            Pack::One(name, plan) => {
                let guide = guides.first().map(|g| (g.name.as_str(), &g.guide));
                vec![Member { name: name.clone(), plan: *plan, growing_from: None, guide }]
            }
        }
    }

    fn take_turns(
        &self,
        chases: &mut [Chase<'_, '_>],
        sources: &SourceMap,
        observer: &mut impl Observer,
    ) -> Result<(), JobError> {
        loop {
            // A batch that was interrupted comes first, as it would have without the interruption.
            let turn = |c: &&mut Chase<'_, '_>| (!c.hunt.is_unfinished(), c.hunt.state.steps);
            let Some(chase) = chases.iter_mut().filter(|c| c.stop.is_none()).min_by_key(turn) else { return Ok(()) };
            let started = Instant::now();
            self.look_further(chase, sources, observer)?;
            if chase.stop.is_none() {
                match chase.hunt.advance(&self.budget, observer) {
                    Advance::Going => {}
                    Advance::Stopped(reason) => chase.stop = Some(reason),
                    Advance::Found(unit, member, found) => {
                        chase.stop = Some(StopReason::Violation);
                        chase.found = Some((unit, member, found));
                    }
                }
            }
            chase.times.search += started.elapsed();
            let reason = chase.stop;
            let own = [StopReason::Walks, StopReason::Saturation, StopReason::Complete, StopReason::Depth];
            if reason.is_none_or(|r| own.contains(&r)) {
                continue;
            }
            chases.iter_mut().for_each(|c| c.stop = c.stop.or(reason));
            return Ok(());
        }
    }

    /// Searches exhaustively once more, with more states, when the walks have earned it.
    fn look_further(
        &self,
        chase: &mut Chase<'_, '_>,
        sources: &SourceMap,
        observer: &mut impl Observer,
    ) -> Result<(), JobError> {
        if chase.hunt.is_unfinished() || chase.hunt.state.steps < chase.exhaustive * STEPS_PER_STATE {
            return Ok(());
        }
        let states = chase.exhaustive;
        chase.exhaustive *= WIDER;
        if let Some(report) = self.look_around(chase.quarry, sources, states, observer)? {
            chase.stop = Some(report.stop);
            chase.decided = Some(report);
        }
        Ok(())
    }

    fn report(
        &self,
        chase: Chase<'_, '_>,
        interpreter: &Interpreter<'_>,
        sources: &SourceMap,
    ) -> Result<Report, JobError> {
        let Chase { quarry, hunt, stop, found, decided, mut times, .. } = chase;
        if let Some(report) = decided {
            return Ok(Report { walks: Some(walk_report(&hunt, None, self.plan.first)), ..report });
        }
        let mut counterexamples = Vec::new();
        let mut remarks = fairness_remark(quarry, self.fair);
        let mut winner = None;
        if let Some((unit, member, found)) = &found {
            let treatment = Treatment { fair: self.fair, expansions: self.minimise, budget: &self.budget };
            let confirmed = confirm(quarry, interpreter, sources, found, treatment)?;
            times.minimise = confirmed.minimise;
            remarks.extend(confirmed.cut.then(|| CUT.to_owned()));
            counterexamples.push(confirmed.counterexample);
            winner = Some((*unit, *member));
        }
        let walks = walk_report(&hunt, winner, self.plan.first);
        let member = winner.map(|(_, m)| &hunt.members()[m]);
        let engine = match (&self.pack, member) {
            (Pack::Portfolio(_), Some(member)) => member.name.clone(),
            (Pack::Portfolio(_), None) => "portfolio".to_owned(),
            (Pack::One(name, _), _) => name.clone(),
        };
        let guide = match (&self.pack, member) {
            (_, Some(member)) => member.guide.map(|g| g.0.to_owned()),
            (Pack::One(..), None) => hunt.members()[0].guide.map(|g| g.0.to_owned()),
            (Pack::Portfolio(_), None) => None,
        };
        let stop = stop.unwrap_or(StopReason::Violation);
        let HuntState { seen, coverage, steps, depth, .. } = &hunt.state;
        Ok(Report {
            name: quarry.property.name.clone(),
            kind: kind_name(&quarry.property.kind),
            place: (quarry.property.span != lurcher_syntax::Span::default()).then_some(quarry.property.span),
            verdict: if counterexamples.is_empty() { Verdict::Inconclusive } else { Verdict::Violated },
            stop,
            engine,
            guide,
            counterexamples,
            stats: lurcher_search::Stats {
                stored: seen.distinct(),
                matched: 0,
                transitions: *steps,
                depth: u64::from(*depth),
                memory: seen.memory(),
            },
            coverage: coverage.clone(),
            times,
            walks: Some(walks),
            remarks,
        })
    }
}

fn walk_report(hunt: &Hunt<'_, '_, Guide<'_>>, winner: Option<(u64, usize)>, first: u64) -> WalkReport {
    let state = &hunt.state;
    let members: Vec<MemberReport> = hunt
        .members()
        .iter()
        .zip(&state.members)
        .map(|(member, stats)| MemberReport {
            name: member.name.clone(),
            walks: stats.walks,
            steps: stats.steps,
            new_states: stats.new_states,
            best: stats.best,
        })
        .collect();
    let plain = || hunt.members().iter().zip(&state.members).filter(|(m, _)| m.is_plain());
    let plain_walks: u64 = plain().map(|(_, s)| s.walks).sum();
    let bounds = match winner {
        Some(_) => Vec::new(),
        None => plain().flat_map(|(m, s)| bounds(&m.name, &s.depths)).collect(),
    };
    WalkReport {
        winner: winner.map(|(_, m)| hunt.members()[m].name.clone()),
        unit: winner.map(|(u, _)| u),
        units: state.next - first,
        walks: state.walks,
        steps: state.steps,
        tries: state.tries,
        depth: state.depth,
        distinct: state.seen.distinct(),
        exact: state.seen.is_exact(),
        members,
        bounds,
        new_states_per_walk: (plain_walks > 0).then(|| state.seen.singles() as f64 / plain_walks as f64),
    }
}

/// A walk of some depth is, up to a smaller one, a walk of that depth: so many walks count for each depth.
fn bounds(member: &str, depths: &std::collections::BTreeMap<u32, u64>) -> Vec<Bound> {
    let at_least = |depth: u32| -> u64 { depths.range(depth..).map(|(_, n)| n).sum() };
    let Some(&all) = depths.keys().next() else { return Vec::new() };
    let deep = depths.keys().copied().filter(|&d| at_least(d) >= ENOUGH_WALKS).max().unwrap_or(all);
    let mut chosen = vec![deep, all];
    chosen.dedup();
    chosen.into_iter().map(|depth| Bound::after(member, depth, at_least(depth), CONFIDENCE)).collect()
}
