//! Hunting: walks until something is found or the budget is used up.
//!
//! A portfolio looks at every property exhaustively first, for a few thousand states: that proves small models and
//! finds shallow violations, shortest trace included. Then the properties take turns, batch by batch: the one with the
//! fewest steps goes next, so that none starves and the order depends on counts alone. Each time the walks have taken
//! many more steps than the exhaustive search stored states, it is done again with more states; and once these are many,
//! diagrams are tried for as long, where the recommendation says that they may help.

mod look;

use std::time::Instant;

use lurcher_heuristics::Heuristic;
use lurcher_ir::{Model, Property};
use lurcher_search::{
    Advance, Budget, Found, Hunt, HuntPlan, HuntState, Member, Observer, ProcessHunt, StopReason, Storage, WalkPlan,
};
use lurcher_syntax::SourceMap;
use lurcher_system::Interpreter;
use xxhash_rust::xxh3::xxh3_64;

use crate::asked::Asked;
use crate::confirm::{Treatment, confirm};
use crate::exec::{Exec, Executor};
use crate::guides::{GuideError, GuideKind, GuideSettings, NamedGuide, Origin, unmade};
use crate::job::{CUT, JobError, fairness_remark};
use crate::load::{LoadOptions, Loaded};
use crate::portfolio::{guided, unguided};
use crate::quarry::Quarry;
use crate::recommend::Recommendation;
use crate::runner::Runner;
use crate::saved::{SavedHunt, SavedProperty};
use crate::verdict::{Report, Times, Verdict};
use crate::walk_report::walk_report;

/// States that are looked at exhaustively before the first walk.
const EXHAUSTIVE: u64 = 4096;
/// The next exhaustive search has so many times the states,
const WIDER: u64 = 4;
/// and it comes when the walks have taken so many steps for each of its states.
const STEPS_PER_STATE: u64 = 4;
/// Guides that take long to make join after so many steps.
const REINFORCE: u64 = 1_000_000;

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
    /// What runs the model.
    pub exec: Exec,
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
    interpreter: &'a Interpreter<'m>,
    runner: &'a Runner<'m>,
    origin: Origin<'a>,
    hunt: ProcessHunt<'a, Executor<'m>, Heuristic<'m>>,
    stop: Option<StopReason>,
    found: Option<(u64, usize, Box<Found>)>,
    /// What an exhaustive search decided.
    decided: Option<Report>,
    /// States of the next exhaustive search.
    exhaustive: u64,
    /// The guides that take long to make are there.
    reinforced: bool,
    /// The engine to use, once somebody has asked.
    advice: Option<Recommendation>,
    /// Steps that a saved hunt had taken.
    steps_before: u64,
    times: Times,
    remarks: Vec<String>,
}

impl<'m, 'a> Chase<'m, 'a> {
    fn new(
        quarry: &'a Quarry,
        interpreter: &'a Interpreter<'m>,
        runner: &'a Runner<'m>,
        origin: Origin<'a>,
        hunt: ProcessHunt<'a, Executor<'m>, Heuristic<'m>>,
    ) -> Self {
        Chase {
            quarry,
            interpreter,
            runner,
            origin,
            hunt,
            stop: None,
            found: None,
            decided: None,
            exhaustive: EXHAUSTIVE * WIDER,
            reinforced: false,
            advice: None,
            steps_before: 0,
            times: Times::default(),
            remarks: Vec::new(),
        }
    }

    /// Lets native code make the walks from now on.
    fn compile(&mut self) {
        self.runner.compile();
        self.hunt.run_on(self.runner.machine(), self.runner.kernel());
        self.times.compile = self.runner.time();
        self.remarks.extend(self.runner.remark());
    }

    /// The engine to use.
    fn advice(&mut self, job: &HuntJob) -> &mut Recommendation {
        self.advice.get_or_insert_with(|| self.quarry.recommendation(job.fair, job.message_loss))
    }
}

impl HuntJob {
    /// Hunts for violations of properties; stops at the first.
    pub fn hunt(
        &self,
        loaded: &Loaded,
        options: &LoadOptions,
        properties: &[(Asked, Property)],
        observer: &mut (impl Observer + Send),
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
        let objectives: Vec<_> = open.iter().map(|&i| quarries[i].objective(self.fair)).collect();
        let runners: Vec<_> = open.iter().map(|&i| Runner::new(&quarries[i], self.message_loss)).collect();
        let mut chases = Vec::new();
        for (slot, &index) in open.iter().enumerate() {
            let quarry = &quarries[index];
            let initial = interpreters[slot].initial().expect("a model that cannot start was reported");
            let interpreter = &interpreters[slot];
            let runner = &runners[slot];
            let (objective, plan) = (&objectives[slot], self.plan.clone());
            let hunt = Hunt::new(runner.machine(), None, objective, initial, Vec::new(), plan);
            let origin = Origin { loaded, options, asked: &properties[index].0 };
            let mut chase = Chase::new(quarry, interpreter, runner, origin, hunt);
            self.start(&mut chase)?;
            chases.push(chase);
        }
        self.take_turns(&mut chases, sources, observer)?;
        let saved = self.save.then(|| {
            let saved = |c: &Chase<'_, '_>| SavedProperty {
                name: c.quarry.property.name.clone(),
                state: c.hunt.state.clone(),
                exhaustive: c.exhaustive,
            };
            SavedHunt::new(self.setting(model), chases.iter().map(saved).collect())
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

    /// Gathers the members, and goes on where a saved hunt ended.
    fn start<'m>(&self, chase: &mut Chase<'m, '_>) -> Result<(), JobError> {
        let saved = match &self.resume {
            Some(saved) => {
                let name = &chase.quarry.property.name;
                let known = saved.properties.iter().find(|p| p.name == *name);
                Some(known.ok_or_else(|| JobError::Resume(format!("it knows nothing about `{name}`")))?)
            }
            None => None,
        };
        match &self.pack {
            Pack::Portfolio(depth) => {
                chase.hunt.join(unguided(&chase.quarry.model, *depth));
                self.reinforce(chase, false)?;
            }
            Pack::One(name, plan) => {
                let guide = self.make_guides(chase, |_| true)?.into_iter().next().map(|g| (g.name, g.guide));
                chase.hunt.join(vec![Member { name: name.clone(), plan: *plan, growing_from: None, guide }]);
                chase.reinforced = true;
            }
        }
        if let Some(SavedProperty { state, exhaustive, .. }) = saved {
            chase.exhaustive = *exhaustive;
            if state.members.len() > chase.hunt.members().len() {
                self.reinforce(chase, true)?;
            }
            if state.members.len() != chase.hunt.members().len() {
                return Err(JobError::Resume("it was made by another version".to_owned()));
            }
            chase.hunt.state = state.clone();
            chase.steps_before = state.steps;
        }
        Ok(())
    }

    /// Adds members that follow guides: those that are made at once, or those that take long.
    fn reinforce(&self, chase: &mut Chase<'_, '_>, costly: bool) -> Result<(), JobError> {
        let Pack::Portfolio(depth) = self.pack else { return Ok(()) };
        let guides = self.make_guides(chase, |kind| kind.is_costly() == costly)?;
        chase.hunt.join(guided(&chase.quarry.model, guides, depth));
        chase.reinforced |= costly;
        Ok(())
    }

    /// The guides that were asked for: to the first target for one kind of walk, to every target for a portfolio.
    /// A portfolio does without those that cannot be made.
    fn make_guides<'m>(
        &self,
        chase: &mut Chase<'m, '_>,
        wanted: impl Fn(GuideKind) -> bool,
    ) -> Result<Vec<NamedGuide<'m>>, JobError> {
        let mut targets = chase.quarry.targets();
        let one = matches!(self.pack, Pack::One(..));
        if one {
            targets.truncate(1);
        }
        let mut guides = Vec::new();
        for kind in self.guides.iter().copied().filter(|&k| wanted(k)) {
            for target in &targets {
                if self.budget.deadline.is_some_and(|d| Instant::now() >= d) {
                    return Ok(guides);
                }
                let wanted = (&self.guide_settings, &self.budget);
                match chase.quarry.guide(chase.interpreter, target, kind, chase.origin, wanted) {
                    Ok(guide) => {
                        chase.times.guide += guide.build;
                        guides.push(guide);
                    }
                    Err(GuideError::Stopped(stop)) if one => {
                        chase.stop = Some(stop);
                        chase.remarks.push(unmade(kind.name()));
                    }
                    Err(why) if one => return Err(JobError::Guide(kind.name(), why.to_string())),
                    Err(_) => {}
                }
            }
        }
        Ok(guides)
    }

    fn take_turns(
        &self,
        chases: &mut [Chase<'_, '_>],
        sources: &SourceMap,
        observer: &mut (impl Observer + Send),
    ) -> Result<(), JobError> {
        loop {
            // A batch that was interrupted comes first, as it would have without the interruption.
            let turn = |c: &&mut Chase<'_, '_>| (!c.hunt.is_unfinished(), c.hunt.state.steps);
            let Some(chase) = chases.iter_mut().filter(|c| c.stop.is_none()).min_by_key(turn) else { return Ok(()) };
            let started = Instant::now();
            self.look_further(chase, sources, observer)?;
            chase.times.search += started.elapsed();
            if !chase.reinforced && chase.hunt.state.steps >= REINFORCE && !chase.hunt.is_unfinished() {
                self.reinforce(chase, true)?;
            }
            // One kind of walks is as deep at once as it gets.
            let many = matches!(self.pack, Pack::One(..)).then_some(u64::MAX);
            if chase.stop.is_none() && chase.runner.is_due(self.exec, many.unwrap_or(chase.hunt.state.steps)) {
                chase.compile();
            }
            let started = Instant::now();
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

    fn report(
        &self,
        mut chase: Chase<'_, '_>,
        interpreter: &Interpreter<'_>,
        sources: &SourceMap,
    ) -> Result<Report, JobError> {
        if let (Pack::Portfolio(_), None) = (&self.pack, &chase.decided) {
            let advice = format!("recommended: {}", chase.advice(self));
            chase.remarks.push(advice);
        }
        let Chase { quarry, runner, hunt, stop, found, decided, steps_before, mut times, mut remarks, .. } = chase;
        let rate = (hunt.state.steps - steps_before) as f64 / times.search.as_secs_f64().max(1e-6);
        if let Some(report) = decided {
            return Ok(Report { walks: Some(walk_report(&hunt, None, self.plan.first, rate)), ..report });
        }
        let mut counterexamples = Vec::new();
        remarks.extend(fairness_remark(quarry, self.fair));
        let mut winner = None;
        if let Some((unit, member, found)) = &found {
            let treatment = Treatment { fair: self.fair, expansions: self.minimise, budget: &self.budget };
            let confirmed = confirm(quarry, interpreter, sources, found, treatment)?;
            times.minimise = confirmed.minimise;
            remarks.extend(confirmed.cut.then(|| CUT.to_owned()));
            counterexamples.push(confirmed.counterexample);
            winner = Some((*unit, *member));
        }
        let walks = walk_report(&hunt, winner, self.plan.first, rate);
        let member = winner.map(|(_, m)| &hunt.members()[m]);
        let engine = match (&self.pack, member) {
            (Pack::Portfolio(_), Some(member)) => member.name.clone(),
            (Pack::Portfolio(_), None) => "portfolio".to_owned(),
            (Pack::One(name, _), _) => name.clone(),
        };
        let guide = match (&self.pack, member) {
            (_, Some(member)) => member.guide.as_ref().map(|g| g.0.clone()),
            (Pack::One(..), None) => hunt.members()[0].guide.as_ref().map(|g| g.0.clone()),
            (Pack::Portfolio(_), None) => None,
        };
        let stop = stop.unwrap_or(StopReason::Violation);
        let HuntState { seen, coverage, steps, depth, .. } = &hunt.state;
        Ok(Report {
            name: quarry.property.name.clone(),
            kind: quarry.property.kind.name(),
            place: (quarry.property.span != lurcher_syntax::Span::default()).then_some(quarry.property.span),
            verdict: if counterexamples.is_empty() { Verdict::Inconclusive } else { Verdict::Violated },
            stop,
            engine,
            reduction: None,
            guide,
            counterexamples,
            stats: lurcher_search::Stats {
                stored: seen.distinct(),
                matched: 0,
                transitions: *steps,
                depth: u64::from(*depth),
                memory: seen.memory(),
            },
            executor: Some(runner.machine().name()),
            storage: Storage::Exact,
            omission: None,
            coverage: Some(coverage.clone()),
            times,
            walks: Some(walks),
            sets: None,
            curve: None,
            with_claim: quarry.limits(self.message_loss).with_claim,
            remarks,
        })
    }
}
