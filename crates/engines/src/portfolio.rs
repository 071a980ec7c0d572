//! Hunts: the portfolio, as data, and the policy that runs it.
//!
//! Members are configurations of the engines `walk` and `trail`. The policy works in rounds. Round 0 is a bounded breadth-first
//! search of each property: it proves small models and finds shallow violations, shortest trace included. In every further
//! round the properties take turns at batches of walks up to a number of steps, then each gets a bounded breadth-first search and
//! BDDs, as far as the portfolio has them; where BDDs are recommended they come first. Every round has four times the budget of the one before. All
//! budgets but those of BDDs under a time limit are counts, so what is found depends on the machine only when the time is up. Members
//! whose heuristics are costly to build join after a million steps. A hunt that is resumed continues in the round in which it was
//! stopped.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use lurcher_heuristics::registry::{self, HeuristicError};
use lurcher_ir::Property;
use lurcher_resources::{LimitReached, ResourceLimits};
use lurcher_search::{Budget, HuntPlan, Kind, Observer, Phase, Scores, Selection, StopReason, UNBOUNDED, WalkPlan};
use xxhash_rust::xxh3::xxh3_64;

use crate::engine::{Checked, Run, Task};
use crate::engines::each::SHORTENING;
use crate::engines::{Bfs, hunt_plan, walk_plan};
use crate::error::EngineError;
use crate::options::{DEPTH, GUIDE, OWN_GUIDE, Options, Parameter, RESTART, SELECT};
use crate::recommend::Recommendation;
use crate::report::{Answer, Report, Verdict, WalkReport, violation_first};
use crate::saved::{FORMULAS, HuntSetting, MODEL, SavedHunt, SavedProperty};
use crate::system::{Model, Shape, System, judge};
use crate::walks::Walks;

/// A portfolio.
struct Portfolio {
    /// Its unguided members.
    members: &'static [Configuration],
    /// The heuristics that walks and trails follow.
    heuristics: &'static [&'static str],
    /// States of the bounded search in round 0.
    first_states: u64,
    /// Steps of walks in round 1.
    steps: u64,
    /// States of the bounded search in round 1, where there is one.
    states: Option<u64>,
    /// What BDDs get.
    bdds: Bdds,
}

impl Portfolio {
    /// Whether BDDs come before the walks of a property.
    fn has_bdds_first<S: System>(&self, pursuit: &mut Pursuit<'_, S>) -> bool {
        cfg!(feature = "symbolic")
            && matches!(self.bdds, Bdds::Memory(_))
            && pursuit.advice().is_some_and(|a| a.engine == "bdd")
    }
}

/// A member: an engine with options, under the name that reports have for it.
struct Configuration {
    name: &'static str,
    engine: Kind,
    options: &'static [(&'static Parameter, &'static str)],
}

/// What BDDs get in a round.
enum Bdds {
    /// Nothing.
    None,
    /// So much memory in round 1.
    Memory(u64),
    /// As much time as the bounded search has just taken, from searches of so many states on. That depends on the
    /// machine, so only hunts with a time limit do it.
    Time(u64),
}

/// How much more each round gets.
const GROWTH: u64 = 4;
/// Bytes of a state from which on bounded searches are limited in bytes instead of states.
const LARGE_STATE: u64 = 4096;
/// Steps after which costly heuristics join.
const COSTLY_AFTER: u64 = 1_000_000;

const WALK: Configuration = Configuration { name: "walk", engine: Kind::Walk, options: &[] };
const TRAIL: Configuration = Configuration { name: "trail", engine: Kind::Trail, options: &[] };
const ALL_CHILDREN: Configuration =
    Configuration { name: "walk, all children", engine: Kind::Walk, options: &[(&SELECT, "all-children")] };
const RESTARTING: Configuration =
    Configuration { name: "walk, restarting", engine: Kind::Walk, options: &[(&RESTART, "random")] };

static PROCESSES: Portfolio = Portfolio {
    members: &[WALK, TRAIL, ALL_CHILDREN, RESTARTING],
    heuristics: &["local-distance", "local-distance-sum", "reduced-instance", "pattern-database"],
    first_states: 4096,
    steps: 65_536,
    states: Some(16_384),
    bdds: Bdds::Time(1 << 20),
};

static RELATION: Portfolio = Portfolio {
    members: &[WALK, TRAIL, RESTARTING],
    heuristics: &[],
    first_states: 4096,
    steps: 262_144,
    states: None,
    bdds: Bdds::Memory(32 << 20),
};

static OWN: Portfolio = Portfolio {
    members: &[WALK, TRAIL, RESTARTING],
    heuristics: &[],
    first_states: 4096,
    steps: 65_536,
    states: Some(16_384),
    bdds: Bdds::None,
};

/// The walks of a hunt.
pub(crate) struct Members {
    /// The portfolio; one kind of walks without it.
    portfolio: Option<&'static Portfolio>,
    /// The engine's name, its plan and its heuristic, where there is one kind of walks.
    one: Option<(&'static str, WalkPlan)>,
    heuristics: Vec<&'static registry::Entry>,
    /// The depth that walks grow to.
    depth: u32,
}

impl Members {
    /// Walks of one kind.
    pub fn one(engine: &'static str, options: &Options) -> Result<Members, EngineError> {
        let kind = if engine == "trail" { Kind::Trail } else { Kind::Walk };
        let plan = walk_plan(kind, options);
        Ok(Members { portfolio: None, one: Some((engine, plan)), heuristics: named(options), depth: plan.depth })
    }

    /// The engine's name in reports.
    fn name(&self) -> &'static str {
        self.one.map_or("portfolio", |(name, _)| name)
    }

    /// Why walks of one kind cannot hunt for violations of a property.
    fn refuses<S: System>(&self, system: &S) -> Option<&'static str> {
        self.one?;
        if self.heuristics.is_empty() { None } else { system.no_heuristic() }
    }

    /// The portfolio for a kind of models.
    pub fn portfolio(shape: Shape, task: &Task<'_>) -> Members {
        let portfolio = match shape {
            Shape::Processes => &PROCESSES,
            Shape::Relation => &RELATION,
            Shape::Own | Shape::Timed => &OWN,
        };
        let heuristics = match task.options.has(&GUIDE) {
            true => named(&task.options),
            false => portfolio.heuristics.iter().filter_map(|name| registry::heuristic(name)).collect(),
        };
        let depth = task.options.steps(&DEPTH).unwrap_or(UNBOUNDED);
        Members { portfolio: Some(portfolio), one: None, heuristics, depth }
    }
}

/// The heuristics that options name.
fn named(options: &Options) -> Vec<&'static registry::Entry> {
    options.all(&GUIDE).iter().filter_map(|name| registry::heuristic(name)).collect()
}

/// Hunts for violations of properties; stops at the first.
pub(crate) fn hunt<M: Model>(members: &Members, run: Run<'_, M>) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let plan = hunt_plan(task)?;
    let setting = |reduce| setting(model, properties, members, task, &plan, reduce);
    if task.resume.as_ref().is_some_and(|saved| saved.setting == setting(false)) {
        return hunt_in(members, false, setting(false), Run { model, properties, task, observer });
    }
    match hunt_in(members, true, setting(true), Run { model, properties, task, observer: &mut *observer }) {
        Err(EngineError::NoCounterpart(_)) => {
            // The walks of a saved hunt were made in the parts of the model that decide the properties.
            let task = &Task { resume: None, ..task.clone() };
            hunt_in(members, false, setting(false), Run { model, properties, task, observer })
        }
        hunted => hunted,
    }
}

/// Hunts in the part of the model that decides each property, or in the whole model.
fn hunt_in<M: Model>(
    members: &Members,
    reduce: bool,
    setting: HuntSetting,
    run: Run<'_, M>,
) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let plan = hunt_plan(task)?;
    if let Some(difference) = task.resume.as_ref().and_then(|saved| saved.difference(&setting)) {
        return Err(EngineError::Resume(difference));
    }
    // A hunt that is stopped before it begins has come no further than the one that it resumes.
    let stopped = |limit: LimitReached| {
        let report = |p: &Property| Report::stopped(p, members.name(), limit.into());
        let kept = || task.resume.as_deref().cloned().unwrap_or_else(|| SavedHunt::new(setting.clone(), Vec::new()));
        Ok(Checked { reports: properties.iter().map(report).collect(), saved: task.saving.is_some().then(kept) })
    };
    let resources = &task.budget.resources;
    let made = resources.bound(|| properties.iter().map(|p| (p, model.prepare(p, reduce, task))).collect::<Vec<_>>());
    let made = match made {
        Ok(made) => made,
        Err(limit) => return stopped(limit),
    };
    let (mut prepared, mut unsupported) = (Vec::new(), Vec::new());
    for (property, made) in made {
        match made {
            Err(error @ EngineError::Formula(..)) if properties.len() > 1 => {
                observer.refused(&[&property.name], &error.to_string());
                unsupported.push(Report::unsupported(property, error.to_string()));
            }
            made => prepared.push(made?),
        }
    }
    let systems = match resources.bound(|| prepared.iter().map(|p| model.system(p, task)).collect::<Vec<_>>()) {
        Ok(systems) => systems,
        Err(limit) => return stopped(limit),
    };
    // From here on nothing that was found is lost.
    let _scope = task.budget.resources.enter();
    let refused: Vec<_> = systems.iter().filter_map(|s| Some((s.property(), members.refuses(s)?))).collect();
    if let Some((_, why)) = refused.first() {
        if refused.len() == systems.len() {
            return Err(EngineError::Refused((*why).to_owned()));
        }
        observer.refused(&refused.iter().map(|(p, _)| p.name.as_str()).collect::<Vec<_>>(), why);
    }
    let mut policy = Policy { task, members, plan: &plan, setting: &setting, last_save: Instant::now(), observer };
    let (mut reports, mut open) = (Vec::new(), Vec::new());
    for system in &systems {
        if let Some(why) = members.refuses(system) {
            unsupported.push(Report::unsupported(system.property(), why.to_owned()));
            continue;
        }
        let mut pursuit = Pursuit::new(system);
        policy.first_look(&mut pursuit)?;
        match pursuit.decided.take() {
            None => open.push(pursuit),
            Some(report) => {
                let violated = report.verdict == Verdict::Violated;
                report.tell(policy.observer);
                reports.push(report);
                if violated {
                    reports.append(&mut unsupported);
                    return Ok(violation_first(reports).into());
                }
            }
        }
    }
    if let Some(saved) = &task.resume {
        // The saved hunt may have been stopped before a property had walks.
        let has_walks = |p: &&mut Pursuit<'_, _>| saved.property(p.name()).is_some();
        open.iter_mut().filter(has_walks).try_for_each(|pursuit| policy.start_walks(pursuit))?;
    }
    policy.run(&mut open)?;
    let saved = task.saving.is_some().then(|| policy.saved(&open));
    for pursuit in open {
        reports.push(policy.report(pursuit)?);
    }
    reports.append(&mut unsupported);
    let reports = violation_first(reports);
    let violated = reports.first().is_some_and(|r| r.verdict == Verdict::Violated);
    Ok(Checked { reports, saved: saved.filter(|_| !violated) })
}

/// Everything that the walks depend on.
fn setting<M: Model>(
    model: &M,
    properties: &[Property],
    members: &Members,
    task: &Task<'_>,
    plan: &HuntPlan,
    reduce: bool,
) -> HuntSetting {
    let names: Vec<&str> = properties.iter().map(|p| p.name.as_str()).collect();
    let formulas: Vec<_> = properties.iter().map(|p| &p.kind).collect();
    let formulas = xxh3_64(format!("{formulas:?}").as_bytes());
    let HuntPlan { seed, first, .. } = plan;
    // How many walks to make, and on which machine, may differ.
    let free = ["walks", "walks-to", "delta", "epsilon", "exec"];
    let options = task.options.clone().without(&free);
    let parts = [
        ("properties", names.join(", ")),
        (MODEL, model.identity()),
        (FORMULAS, format!("{formulas:016x}")),
        ("engine", members.name().to_owned()),
        ("seed", seed.to_string()),
        ("first walk", first.to_string()),
        ("semantics", task.semantics.to_string().trim_start().to_owned()),
        ("part of the model", if reduce { "what decides the properties" } else { "all" }.to_owned()),
        ("options", options.to_string()),
    ];
    parts.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// The hunt for one property.
struct Pursuit<'p, S: System> {
    system: &'p S,
    walks: Option<Walks<'p, S>>,
    round: u32,
    /// Costly heuristics have joined.
    complete: bool,
    /// What an exhaustive engine decided.
    decided: Option<Report>,
    /// What ended the hunt for this property.
    stop: Option<StopReason>,
    /// What BDDs came to, where nothing else can be reported.
    undecided: Option<Answer<S::Step>>,
    /// The engine to try first, once it was asked for; none if there was no time to tell.
    advice: Option<Option<Recommendation>>,
    resources: ResourceLimits,
    /// Time for exhaustive engines.
    search: Duration,
    bdds_refused: bool,
}

impl<'p, S: System> Pursuit<'p, S> {
    fn new(system: &'p S) -> Self {
        Pursuit {
            system,
            walks: None,
            round: 1,
            complete: false,
            decided: None,
            stop: None,
            undecided: None,
            advice: None,
            resources: ResourceLimits::current(),
            search: Duration::ZERO,
            bdds_refused: false,
        }
    }

    fn name(&self) -> &'p str {
        &self.system.property().name
    }

    fn advice(&mut self) -> Option<&Recommendation> {
        let advise = || self.resources.with_grace().bound(|| self.system.recommendation()).ok();
        self.advice.get_or_insert_with(advise).as_ref()
    }

    /// How many times the budget of round 1 this round has.
    fn factor(&self) -> u64 {
        GROWTH.saturating_pow(self.round - 1)
    }

    /// Ends the hunt for this property because a limit was reached while heuristics were made.
    fn end(&mut self, engine: &str, stop: StopReason) {
        let mut answer = Answer::stopped(self.system.property(), engine, stop);
        answer.report.remarks.push("the limit was reached while guides were made: there were no walks".to_owned());
        answer.report.walks = Some(WalkReport::default());
        (self.stop, self.undecided) = (Some(stop), Some(answer));
    }

    /// Notes what an exhaustive engine came to.
    fn note(&mut self, report: Report) {
        self.stop = Some(report.stop);
        self.decided = Some(report);
    }
}

/// How far the saved hunt for a property had come.
fn saved_before<'t>(task: &'t Task<'_>, property: &str) -> Option<&'t SavedProperty> {
    task.resume.as_ref()?.property(property)
}

/// Runs a portfolio.
struct Policy<'a, 't> {
    task: &'a Task<'t>,
    members: &'a Members,
    plan: &'a HuntPlan,
    /// Everything that the walks depend on.
    setting: &'a HuntSetting,
    last_save: Instant,
    observer: &'a mut dyn Observer,
}

impl Policy<'_, '_> {
    /// Tells the observer what happens next.
    fn begin<S: System>(&mut self, engine: &str, pursuit: &Pursuit<'_, S>, activity: &str) {
        self.observer.phase(&Phase { engine, property: pursuit.name(), activity });
    }

    /// Round 0. A model that cannot start is always reported by a search.
    fn first_look<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>) -> Result<(), EngineError> {
        let states = match self.members.portfolio {
            Some(portfolio) => portfolio.first_states,
            None if !pursuit.system.starts() => u64::MAX,
            None => return Ok(()),
        };
        self.bounded_search(pursuit, states)
    }

    /// A breadth-first search of so many states, or fewer where states are large.
    fn bounded_search<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>, states: u64) -> Result<(), EngineError> {
        let started = Instant::now();
        let states = states.min(states.saturating_mul(LARGE_STATE) / pursuit.system.state_bytes().max(1)).max(1);
        let depth = Some(self.members.depth).filter(|&d| d < UNBOUNDED && self.members.one.is_none());
        let budget = Budget { states: Some(states), depth, ..self.task.budget.clone() };
        let activity = format!("searching the first {states} states breadth first");
        self.begin("bfs", pursuit, &activity);
        let answer = match pursuit.system.is_about_states() {
            true => pursuit.system.explore(&mut Bfs::search(1), None, &budget, self.observer),
            false => pursuit.system.find_cycle(Default::default(), &budget, self.observer),
        };
        let answer = match answer {
            Err(EngineError::Refused(_)) => return Ok(()),
            answer => answer?,
        };
        if !answer.found.is_empty() {
            self.begin("", pursuit, SHORTENING);
        }
        let report = judge(pursuit.system, self.task, answer, started.elapsed())?;
        pursuit.search += started.elapsed();
        if report.verdict != Verdict::Inconclusive || report.stop == StopReason::Depth {
            pursuit.note(report);
        }
        Ok(())
    }

    /// Gathers the members of the walks, and continues a saved hunt. Which members there are depends on the model, the
    /// options and the memory, never on the time: a limit that is reached while heuristics are made ends the hunt instead.
    fn start_walks<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>) -> Result<(), EngineError> {
        if pursuit.walks.is_some() || pursuit.stop.is_some() || !pursuit.system.can_walk() {
            return Ok(());
        }
        let mut walks = Walks::new(pursuit.system, self.plan);
        if let Some(portfolio) = self.members.portfolio {
            for Configuration { name, engine, options } in portfolio.members {
                let options = options.iter().fold(Options::default(), |all, (p, text)| all.with(p, text));
                let plan = WalkPlan { depth: self.members.depth, ..walk_plan(*engine, &options) };
                walks.join(name, plan, true, None);
            }
        }
        let saved = saved_before(self.task, pursuit.name());
        if let Some(stop) = self.join_heuristics(pursuit, &mut walks, false, saved)? {
            pursuit.end(self.members.name(), stop);
            return Ok(());
        }
        if let Some(saved) = saved {
            if walks.members() != saved.members
                && let Some(stop) = self.join_heuristics(pursuit, &mut walks, true, Some(saved))?
            {
                pursuit.end(self.members.name(), stop);
                return Ok(());
            }
            let members = walks.members();
            if let Some(missing) = saved.members.iter().find(|name| !members.contains(name)) {
                let why = format!("there is no `{missing}`, perhaps because --memory is smaller now");
                return Err(EngineError::Resume(why));
            }
            pursuit.round = saved.round;
            walks.resume(saved)?;
        }
        pursuit.walks = Some(walks);
        Ok(())
    }

    /// Adds the members that follow heuristics: those that are built at once, or the costly ones. A portfolio does without
    /// those that cannot be built; one kind of walks cannot. If a limit is reached, none is added.
    fn join_heuristics<S: System>(
        &mut self,
        pursuit: &mut Pursuit<'_, S>,
        walks: &mut Walks<'_, S>,
        costly: bool,
        saved: Option<&SavedProperty>,
    ) -> Result<Option<StopReason>, EngineError> {
        let (task, members, property) = (self.task, self.members, pursuit.name());
        let (settings, budget) = (task.heuristic_settings(), &task.budget);
        let mut begin = |engine, guide: &str| {
            self.observer.phase(&Phase { engine, property, activity: &format!("making the guide {guide}") });
        };
        if let Some((name, plan)) = members.one {
            pursuit.complete = true;
            let Some(entry) = members.heuristics.first() else {
                let own = task.options.is(&GUIDE, OWN_GUIDE).then(|| pursuit.system.own_heuristic()).flatten();
                walks.join(name, plan, false, own);
                return Ok(None);
            };
            begin(name, entry.name);
            match pursuit.system.heuristics(entry, &settings, budget, true).pop() {
                Some(Ok(guide)) => {
                    walks.guide_time += guide.time;
                    let (plan, guide) = pursuit.system.guided(plan, guide);
                    walks.join(name, plan, false, Some(guide));
                }
                Some(Err(HeuristicError::Stopped(stop))) => return Ok(Some(stop)),
                Some(Err(why)) => return Err(EngineError::Heuristic(entry.name, why.to_string())),
                None => walks.join(name, plan, false, None),
            }
            return Ok(None);
        }
        let mut made = Vec::new();
        for &entry in members.heuristics.iter().filter(|h| h.costly == costly) {
            let selection = match entry.scores {
                Scores::Steps => Selection::TryAChild,
                Scores::States => Selection::AllChildren,
            };
            if let Some(stop) = budget.stop_reason() {
                return Ok(Some(stop));
            }
            begin("walk", entry.name);
            for guide in pursuit.system.heuristics(entry, &settings, budget, false) {
                match guide {
                    Ok(guide) => made.push((guide, selection)),
                    // A guide that is too large on its own is left out.
                    Err(HeuristicError::Stopped(StopReason::Memory)) if budget.stop_reason().is_none() => {}
                    Err(HeuristicError::Stopped(stop)) => return Ok(Some(stop)),
                    Err(_) => {}
                }
            }
        }
        if let Some(guide) = pursuit.system.own_heuristic().filter(|_| !costly) {
            walks.join_guided(&guide, Selection::AllChildren, members.depth, saved);
        }
        for (guide, selection) in made {
            walks.join_guided(&guide, selection, members.depth, saved);
        }
        pursuit.complete |= costly;
        Ok(None)
    }

    /// Round after round, until a violation is found or a limit is reached. Within a round properties take turns: with BDDs
    /// that come first, with batches of walks, and with the exhaustive searches that end the round.
    fn run<S: System>(&mut self, pursuits: &mut [Pursuit<'_, S>]) -> Result<(), EngineError> {
        while let Some(round) = pursuits.iter().filter(|p| p.stop.is_none()).map(|p| p.round).min() {
            let ended = self.turn(pursuits, round, Self::bdds_first)?.is_break()
                || self.walk_in_turns(pursuits, round)?.is_break()
                || self.turn(pursuits, round, Self::end_round)?.is_break();
            if ended {
                break;
            }
        }
        Ok(())
    }

    /// One turn of every property that is open in a round. A violation or a limit ends the hunt for all of them.
    fn turn<S: System>(
        &mut self,
        pursuits: &mut [Pursuit<'_, S>],
        round: u32,
        mut turn: impl FnMut(&mut Self, &mut Pursuit<'_, S>) -> Result<(), EngineError>,
    ) -> Result<ControlFlow<()>, EngineError> {
        let own = [StopReason::Walks, StopReason::Saturation, StopReason::Complete, StopReason::Depth];
        for at in 0..pursuits.len() {
            let pursuit = &mut pursuits[at];
            if pursuit.stop.is_some() || pursuit.round > round {
                continue;
            }
            turn(self, pursuit)?;
            self.save_when_due(pursuits);
            let pursuit = &pursuits[at];
            if let Some(reason) = pursuit.stop.filter(|stop| !own.contains(stop)) {
                pursuits.iter_mut().for_each(|p| p.stop = p.stop.or(Some(reason)));
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What is needed to resume the hunt.
    fn saved<S: System>(&self, pursuits: &[Pursuit<'_, S>]) -> SavedHunt {
        let save = |pursuit: &Pursuit<'_, S>| match &pursuit.walks {
            Some(walks) => Some(walks.save(pursuit.round)),
            // A hunt that was stopped before it made walks has come no further.
            None => saved_before(self.task, pursuit.name()).cloned(),
        };
        SavedHunt::new(self.setting.clone(), pursuits.iter().filter_map(save).collect())
    }

    /// Saves a hunt that goes on, once the time for it has passed.
    fn save_when_due<S: System>(&mut self, pursuits: &[Pursuit<'_, S>]) {
        let due = self.task.saving.as_ref().filter(|saving| self.last_save.elapsed() >= saving.every);
        if let Some(saving) = due.filter(|_| pursuits.iter().all(|p| p.stop != Some(StopReason::Violation))) {
            (saving.store)(&self.saved(pursuits));
            self.last_save = Instant::now();
        }
    }

    /// Where BDDs are recommended, they come before the walks.
    fn bdds_first<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>) -> Result<(), EngineError> {
        match self.members.portfolio.filter(|portfolio| portfolio.has_bdds_first(pursuit)) {
            Some(portfolio) => self.bdds(pursuit, portfolio, Duration::ZERO),
            None => Ok(()),
        }
    }

    /// The exhaustive searches that end a round: bounded breadth-first search, and BDDs that were not first.
    fn end_round<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>) -> Result<(), EngineError> {
        let Some(portfolio) = self.members.portfolio else { return Ok(()) };
        let mut took = Duration::ZERO;
        if let Some(states) = portfolio.states {
            let started = Instant::now();
            self.bounded_search(pursuit, states.saturating_mul(pursuit.factor()))?;
            took = started.elapsed();
        }
        if pursuit.stop.is_none() && !portfolio.has_bdds_first(pursuit) {
            self.bdds(pursuit, portfolio, took)?;
        }
        pursuit.round += 1;
        Ok(())
    }

    /// Batches of walks, one of each property in turn, until all have taken the steps of the round.
    fn walk_in_turns<S: System>(
        &mut self,
        pursuits: &mut [Pursuit<'_, S>],
        round: u32,
    ) -> Result<ControlFlow<()>, EngineError> {
        let mut walking = true;
        while walking {
            walking = false;
            let batch = |policy: &mut Self, pursuit: &mut Pursuit<'_, S>| {
                walking |= policy.walk_batch(pursuit)?;
                Ok(())
            };
            if self.turn(pursuits, round, batch)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The next batch of walks; false if the walks have ended or taken all steps of the round.
    fn walk_batch<S: System>(&mut self, pursuit: &mut Pursuit<'_, S>) -> Result<bool, EngineError> {
        self.start_walks(pursuit)?;
        let until = self.members.portfolio.map_or(u64::MAX, |p| p.steps.saturating_mul(pursuit.factor()));
        let Some(walks) = &pursuit.walks else { return Ok(false) };
        let goes_on = walks.stop.is_none() && (walks.steps() < until || walks.is_unfinished());
        if goes_on {
            if !pursuit.complete && walks.steps() >= COSTLY_AFTER && !walks.is_unfinished() {
                let mut walks = pursuit.walks.take().expect("there are walks");
                walks.stop = self.join_heuristics(pursuit, &mut walks, true, None)?;
                pursuit.walks = Some(walks);
            }
            self.begin(self.members.one.map_or("walk", |(name, _)| name), pursuit, "random walks");
            let walks = pursuit.walks.as_mut().expect("there are walks");
            if walks.stop.is_some() {
                pursuit.stop = walks.stop;
                return Ok(false);
            }
            // One kind of walks is as deep at once as it gets.
            let steps = if self.members.one.is_some() { u64::MAX } else { walks.steps() };
            walks.advance(steps, &self.task.budget, self.observer);
        }
        let stop = pursuit.walks.as_ref().and_then(|walks| walks.stop);
        let bdds_remain = matches!(stop, Some(StopReason::Walks | StopReason::Saturation)) && self.has_bdds();
        pursuit.stop = stop.filter(|_| !bdds_remain);
        Ok(goes_on)
    }

    /// Whether BDDs go on where walks have come to their end.
    fn has_bdds(&self) -> bool {
        cfg!(feature = "symbolic") && self.members.portfolio.is_some_and(|p| matches!(p.bdds, Bdds::Memory(_)))
    }

    /// BDDs, within what the round gives them.
    fn bdds<S: System>(
        &mut self,
        pursuit: &mut Pursuit<'_, S>,
        portfolio: &Portfolio,
        took: Duration,
    ) -> Result<(), EngineError> {
        let (mut budget, factor) = (self.task.budget.clone(), pursuit.factor());
        let all = match portfolio.bdds {
            Bdds::None => return Ok(()),
            Bdds::Memory(bytes) => {
                let bytes = bytes.saturating_mul(factor);
                let all = budget.resources.memory.is_none_or(|limit| bytes >= limit);
                budget.resources.memory = Some(budget.resources.memory.map_or(bytes, |limit| limit.min(bytes)));
                all
            }
            Bdds::Time(states) => {
                let searched = portfolio.states.unwrap_or(0).saturating_mul(factor);
                let Some(deadline) = budget.resources.deadline.filter(|_| searched >= states) else { return Ok(()) };
                if self.members.depth < UNBOUNDED || pursuit.bdds_refused || !pursuit.advice().is_some_and(|a| a.bdds) {
                    return Ok(());
                }
                budget.resources.deadline = Some(deadline.min(Instant::now() + took));
                false
            }
        };
        let started = Instant::now();
        let answer = match pursuit.system.check_with_bdds(false, &budget, self.observer) {
            Err(EngineError::Refused(_)) => {
                pursuit.bdds_refused = true;
                return Ok(());
            }
            answer => answer?,
        };
        pursuit.search += started.elapsed();
        let stop = answer.report.stop;
        if !answer.found.is_empty() || stop == StopReason::Complete {
            self.begin("", pursuit, SHORTENING);
            let mut report = judge(pursuit.system, self.task, answer, started.elapsed())?;
            let reason =
                pursuit.advice().map(|advice| advice.reason.clone()).filter(|_| portfolio.has_bdds_first(pursuit));
            report.remarks.extend(reason.map(|reason| format!("bdd came before walks, because {reason}")));
            pursuit.note(report);
            return Ok(());
        }
        pursuit.undecided = Some(answer);
        // Without a time limit, the hunt ends when BDDs have had all the memory there is.
        let ended = matches!(stop, StopReason::Interrupted)
            || (stop == StopReason::Time && matches!(portfolio.bdds, Bdds::Memory(_)))
            || (all && self.task.budget.resources.deadline.is_none());
        if ended {
            let walked = pursuit.walks.is_some() && stop == StopReason::Memory;
            pursuit.stop = Some(if walked { StopReason::Walks } else { stop });
        }
        Ok(())
    }

    /// The report on a property.
    fn report<S: System>(&mut self, mut pursuit: Pursuit<'_, S>) -> Result<Report, EngineError> {
        if let Some(report) = pursuit.decided {
            let walks = pursuit.walks.filter(|w| w.steps() > 0).map(|w| w.report());
            return Ok(Report { walks, ..report });
        }
        let found = pursuit.walks.as_ref().is_some_and(|walks| walks.stop == Some(StopReason::Violation));
        let advice = self.members.portfolio.filter(|_| !found).and_then(|_| pursuit.advice());
        let advice = advice.map(Recommendation::after_hunt);
        let stop = pursuit.stop.unwrap_or(StopReason::Violation);
        let (answer, elapsed) = match (&pursuit.walks, pursuit.undecided) {
            (Some(walks), _) => {
                let answer = walks.answer(self.members.one.map(|(name, _)| name), stop);
                (answer, pursuit.search + walks.search + walks.guide_time)
            }
            (None, Some(answer)) => (answer, pursuit.search),
            (None, None) => (Answer::stopped(pursuit.system.property(), self.members.name(), stop), pursuit.search),
        };
        let mut answer = answer;
        let compile = answer.report.times.compile;
        answer.report.remarks.extend(advice);
        if !answer.found.is_empty() {
            let property = &pursuit.system.property().name;
            self.observer.phase(&Phase { property, activity: SHORTENING, ..Phase::default() });
        }
        judge(pursuit.system, self.task, answer, elapsed + compile)
    }
}
