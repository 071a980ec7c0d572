//! Relations by sets of states.
//!
//! All properties with the same cone share one encoding and one set of reachable states; LTL formulas and step invariants
//! extend the relation and have encodings of their own. Transitions that a scheduler takes apart are split first
//! ([`Relation::split`]).

use std::time::{Duration, Instant};

use lurcher_heuristics::registry::abstraction::{goal_states, keep as keep_variables};
use lurcher_ir::relation::{Assignment, Block, Relation};
use lurcher_ir::{Ctl, Property};
use lurcher_resources::{LimitReached, checkpoint_now};
use lurcher_search::{Budget, Found, FoundKind, Observer, Phase, PreparedRelation, RelationGoal, Stats, StopReason};
use lurcher_symbolic::{Bdd, BddResult, CtlChecker, Encoding, FairStates, Reached, Strategy, with_deep_stack};
use lurcher_syntax::Span;
use lurcher_system::Path;

use super::cones::Part;
use super::{NO_INITIAL_STATE, PreparedProperties, RelationSystem};
use crate::engine::Task;
use crate::engines::Bfs;
use crate::engines::each::SHORTENING;
use crate::error::EngineError;
use crate::report::{Answer, Report, Sets};
use crate::symbolic_goal::{GoalStates, SymbolicAnswer, SymbolicGoal, SymbolicPath};
use crate::system::{System, judge};

/// The engine's name.
const BDD: &str = "bdd";

/// Failed bounded searches before BDDs are used at once.
const EXPLICIT_TRIES: u32 = 2;
/// States of a bounded search, and values that are tried to find them.
const EXPLICIT: (u64, u64) = (1 << 14, 1 << 18);
/// The time for a shortest trace: at least this, and this many times what finding the violation took.
const SHORTEST: (Duration, u32) = (Duration::from_secs(1), 10);

/// How states are reached.
#[derive(Clone, Copy, Debug)]
struct Method {
    /// In which order.
    strategy: Strategy,
    /// Whether a shortest trace is wanted, where the order does not give one.
    shorten: bool,
}

/// Checks all properties, one encoding for those with nearly the same cone.
pub(super) fn check_all(
    relation: &Relation,
    properties: &[Property],
    explicit_first: bool,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> Result<Vec<Report>, EngineError> {
    with_deep_stack(|| check_by_cones(relation, properties, explicit_first, task, observer))
}

fn check_by_cones(
    relation: &Relation,
    properties: &[Property],
    explicit_first: bool,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> Result<Vec<Report>, EngineError> {
    let parts = match task.reduces() {
        true => Part::divide(relation, properties),
        false => vec![Part::whole(properties)],
    };
    let (method, resources) = (Method { strategy: Strategy::Chaining, shorten: true }, &task.budget.resources);
    let mut reports: Vec<(usize, Report)> = Vec::new();
    // Multiplication makes BDDs large; the first states may decide without them.
    let mut tries = if explicit_first && relation.terms.multiply_values() { EXPLICIT_TRIES } else { 0 };
    'all: for Part { cone, properties: members, shared } in &parts {
        let about = cone.as_ref().map_or(relation, |c| &c.relation);
        let split = shared.then(|| about.split()).flatten();
        let symbolic = || Symbolic::new(about, split.as_ref().unwrap_or(about), &task.budget, method);
        let mut symbolic = match resources.bound(symbolic) {
            Ok(symbolic) => symbolic,
            Err(limit) => {
                reports.extend(members.iter().map(|&i| (i, Report::stopped(&properties[i], "bdd", limit.into()))));
                continue;
            }
        };
        for &index in members {
            let property = &properties[index];
            let mut check = || -> Result<Report, EngineError> {
                // What a limit leaves no time for is not begun.
                resources.bound(checkpoint_now)?;
                let prepared = resources.bound(|| PreparedRelation::within(relation, cone.as_ref(), property))?;
                let report = check_one(prepared, &mut symbolic, &mut tries, task, observer)?;
                if report.stop == StopReason::Memory && members.len() > 1 && task.reduces() {
                    // The property alone may need less than what it shares.
                    let prepared = resources.bound(|| PreparedRelation::cone(relation, property))?;
                    return check_one(prepared, &mut symbolic, &mut tries, task, observer);
                }
                Ok(report)
            };
            let report = match check() {
                Err(EngineError::Stopped(limit)) => Report::stopped(property, "bdd", limit.into()),
                report => report?,
            };
            report.tell(observer);
            let interrupted = report.stop == StopReason::Interrupted;
            reports.push((index, report));
            if interrupted {
                break 'all;
            }
        }
    }
    reports.sort_by_key(|(index, _)| *index);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}

/// Checks one property; on the whole relation if a run of its cone has no counterpart there.
fn check_one(
    prepared: PreparedRelation<'_>,
    symbolic: &mut Symbolic<'_>,
    tries: &mut u32,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let started = Instant::now();
    let mut answer = |prepared: &PreparedProperties<'_>| -> Result<_, EngineError> {
        let system = RelationSystem::new(prepared, task);
        if *tries > 0 && system.is_about_states() {
            let budget = Budget { states: Some(EXPLICIT.0), effort: Some(EXPLICIT.1), ..task.budget.clone() };
            let answer = system.explore(&mut Bfs::search(1), None, &budget, observer)?;
            if !answer.found.is_empty() || answer.report.stop == StopReason::Complete {
                return Ok(answer);
            }
            *tries -= 1;
        }
        Ok(symbolic.answer(&system, observer))
    };
    let resources = &task.budget.resources;
    let prepared = PreparedProperties::from(prepared);
    let found = resources.bound(|| answer(&prepared))??;
    let system = RelationSystem::new(&prepared, task);
    if !found.found.is_empty() {
        begin(&system, observer, SHORTENING);
    }
    match judge(&system, task, found, started.elapsed()) {
        Err(EngineError::NoCounterpart(_)) if prepared.first.variables_kept().is_some() => {
            let whole = || PreparedRelation::whole(prepared.first.whole, &prepared.first.property);
            check_one(resources.bound(whole)?, symbolic, tries, task, observer)
        }
        judged => judged,
    }
}

/// Checks the property of a system.
pub(super) fn check(
    system: &RelationSystem<'_>,
    plain: bool,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Answer<Vec<i64>> {
    let relation = system.prepared.relation.as_ref();
    // Without minimising, a shortest trace is not wanted either.
    let shorten = !plain && system.task.minimise.is_some();
    let strategy = if plain { Strategy::Forward } else { Strategy::Chaining };
    with_deep_stack(|| {
        let split = || if plain { None } else { relation.split() };
        let answer = |split: &Relation, observer| {
            let method = Method { strategy, shorten };
            let mut symbolic = budget.resources.bound(|| Symbolic::new(relation, split, budget, method))?;
            Ok(symbolic.answer(system, observer))
        };
        let split = budget.resources.bound(split);
        let answered = split.and_then(|split| answer(split.as_ref().unwrap_or(relation), observer));
        answered.unwrap_or_else(|limit: LimitReached| Answer::stopped(system.property(), BDD, limit.into()))
    })
}

/// Checks properties of one relation.
struct Symbolic<'r> {
    relation: &'r Relation,
    /// The same with its transitions split, where that can be done.
    split: &'r Relation,
    budget: &'r Budget,
    method: Method,
    shared: Option<Shared<'r>>,
}

/// What all properties of the relation share.
struct Shared<'r> {
    encoding: Encoding<'r>,
    method: Method,
    reachable: Option<Bdd>,
    /// What CTL formulas need first.
    ground: Option<FairStates>,
    /// The remark on reachable states without successors, once it was computed.
    not_total: Option<Option<String>>,
}

impl<'r> Symbolic<'r> {
    fn new(relation: &'r Relation, split: &'r Relation, budget: &'r Budget, method: Method) -> Self {
        Symbolic { relation, split, budget, method, shared: None }
    }

    /// The answer to a property; a stop is an answer too.
    fn answer(&mut self, system: &RelationSystem<'_>, observer: &mut dyn Observer) -> Answer<Vec<i64>> {
        let method = self.method;
        let relation = system.prepared.relation.as_ref();
        begin(system, observer, "encoding the model as BDDs");
        let answer = if std::ptr::eq(relation, self.relation) {
            let shared = match self.shared.take() {
                Some(shared) => Ok(shared),
                None => Encoding::new(self.split, self.budget).map(|e| Shared::new(e, method)),
            };
            shared.and_then(|mut shared| {
                let answer = shared.answer(system, self.budget, observer);
                // After a stop the tables may be full of what led to it.
                self.shared = answer.is_ok().then_some(shared);
                answer
            })
        } else {
            let split = relation.split();
            Encoding::new(split.as_ref().unwrap_or(relation), self.budget)
                .and_then(|encoding| Shared::new(encoding, method).answer(system, self.budget, observer))
        };
        answer.unwrap_or_else(|stop| Answer::stopped(&system.prepared.property, BDD, stop))
    }
}

impl<'r> Shared<'r> {
    fn new(encoding: Encoding<'r>, method: Method) -> Self {
        Shared { encoding, method, reachable: None, ground: None, not_total: None }
    }

    fn answer(
        &mut self,
        system: &RelationSystem<'_>,
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> BddResult<Answer<Vec<i64>>> {
        match &system.prepared.goal {
            RelationGoal::Violated(_) | RelationGoal::Deadlock => {
                let (bad, _) = goal_states(&self.encoding, &system.prepared.goal)?;
                self.reach(system, &bad, budget, observer)
            }
            RelationGoal::FairRun => {
                begin(system, observer, "searching fair runs");
                let run = self.encoding.fair_run(&mut observer)?;
                let found = run.map(|t| found(system, FoundKind::Cycle, t, false));
                let mut answer = self.complete(system, found);
                answer.report.remarks.extend(self.not_total()?);
                Ok(answer)
            }
            RelationGoal::Ctl(formula) => self.ctl(system, formula, observer),
        }
    }

    /// The answer of a complete search.
    fn complete(&self, system: &RelationSystem<'_>, found: Option<Found<Vec<i64>>>) -> Answer<Vec<i64>> {
        let kernel = self.encoding.kernel();
        let mut answer = system.answer(BDD);
        let report = &mut answer.report;
        report.stop = if found.is_some() { StopReason::Violation } else { StopReason::Complete };
        let reachable = self.reachable.as_ref().map(|r| self.encoding.count(r));
        let stored = reachable.as_ref().and_then(|c| c.exact()).map_or(0, |n| u64::try_from(n).unwrap_or(u64::MAX));
        report.stats = Stats { stored, memory: kernel.memory(), ..Stats::default() };
        report.sets = Some(Sets { reachable, nodes: kernel.nodes() as u64 });
        if kernel.is_empty(self.encoding.initial()) {
            report.remarks.push(NO_INITIAL_STATE.to_owned());
        }
        answer.found.extend(found);
        answer
    }

    fn reach(
        &mut self,
        system: &RelationSystem<'_>,
        bad: &Bdd,
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> BddResult<Answer<Vec<i64>>> {
        let started = Instant::now();
        let kernel = self.encoding.kernel();
        let known = self.reachable.as_ref().map(|r| kernel.disjoint(r, bad)).transpose()?;
        if known == Some(true) {
            return Ok(self.complete(system, None));
        }
        begin(system, observer, "computing the reachable states");
        let Reached { trace, shortest, reachable, rounds } =
            self.encoding.reach(bad, self.method.strategy, &mut observer)?;
        self.reachable = self.reachable.take().or(reachable);
        let found = trace.map(|trace| {
            let wanted = self.method.shorten && !shortest;
            let better = wanted.then(|| shortest_trace(system, started.elapsed(), budget, observer)).flatten();
            let shortest = shortest || better.is_some();
            found(system, FoundKind::Watched(0), better.unwrap_or(trace), shortest)
        });
        let mut answer = self.complete(system, found);
        answer.report.stats.depth = rounds;
        Ok(answer)
    }

    fn ctl(
        &mut self,
        system: &RelationSystem<'_>,
        formula: &Ctl,
        mut observer: &mut dyn Observer,
    ) -> BddResult<Answer<Vec<i64>>> {
        begin(system, observer, "computing the fair states");
        let ground = match self.ground.take() {
            Some(ground) => ground,
            None => FairStates::compute(&self.encoding, self.reachable.clone(), &mut observer)?,
        };
        begin(system, observer, "evaluating the CTL formula");
        let verdict = CtlChecker::new(&self.encoding, ground.clone()).check(formula)?;
        let no_fair_run = self.encoding.kernel().is_empty(ground.fair());
        self.reachable = Some(ground.reachable().clone());
        self.ground = Some(ground);
        let found = (!verdict.holds).then(|| {
            let trace = verdict.counterexample.map_or_else(Path::default, |w| w.trace);
            found(system, FoundKind::Watched(0), trace, false)
        });
        let mut answer = self.complete(system, found);
        let remarks = &mut answer.report.remarks;
        if no_fair_run {
            remarks.push("no fair infinite run starts anywhere: every CTL formula is true".to_owned());
        }
        if !self.encoding.relation().compassion.is_empty() {
            remarks.push("CTL does not see COMPASSION".to_owned());
        }
        remarks.extend(self.not_total()?);
        Ok(answer)
    }

    /// The remark that reachable states have no successor: formulas about infinite runs do not see them.
    fn not_total(&mut self) -> BddResult<Option<String>> {
        let Some(reachable) = &self.reachable else { return Ok(None) };
        if let Some(known) = &self.not_total {
            return Ok(known.clone());
        }
        let stuck = self.encoding.kernel().and(reachable, &self.encoding.deadlocks()?)?;
        let count = (!self.encoding.kernel().is_empty(&stuck)).then(|| self.encoding.count(&stuck));
        let remark = count.map(|count| {
            format!(
                "{count} reachable states have no successor (--property deadlock shows one); the formula is only about infinite runs"
            )
        });
        self.not_total = Some(remark.clone());
        Ok(remark)
    }
}

/// Tells the observer what happens next.
fn begin(system: &RelationSystem<'_>, observer: &mut dyn Observer, activity: &str) {
    observer.phase(&Phase { engine: BDD, property: &system.prepared.property.name, activity });
}

/// A trace as a path of the whole relation.
fn found(system: &RelationSystem<'_>, kind: FoundKind, trace: Path<Vec<i64>>, shortest: bool) -> Found<Vec<i64>> {
    if trace.steps.is_empty() {
        return Found { shortest, ..Found::new(kind, trace) };
    }
    system.found(kind, trace, shortest)
}

/// A shortest trace to the goal, if that does not take much longer than finding it took.
fn shortest_trace(
    system: &RelationSystem<'_>,
    took: Duration,
    budget: &Budget,
    mut observer: &mut dyn Observer,
) -> Option<Path<Vec<i64>>> {
    begin(system, observer, "searching a shortest trace");
    let late = Instant::now() + SHORTEST.0.max(took * SHORTEST.1);
    let relation = system.prepared.relation.as_ref();
    let split = relation.split();
    let encoding = Encoding::new(split.as_ref().unwrap_or(relation), &budget.until(late)).ok()?;
    let goal = &system.prepared.goal;
    let (bad, _) = goal_states(&encoding, goal).ok()?;
    let reached = encoding.reach(&bad, Strategy::Forward, &mut observer).ok()?;
    reached.trace.filter(|_| reached.shortest)
}

/// Calls a symbolic search with the goal; gives its trace back as a run of the whole relation.
pub(super) fn symbolically(
    system: &RelationSystem<'_>,
    drop: &[String],
    search: &mut dyn FnMut(&SymbolicGoal<'_>) -> SymbolicAnswer,
) -> Result<SymbolicPath<Vec<i64>>, EngineError> {
    if !system.is_about_states() {
        return Err(EngineError::Refused(super::ABOUT_STATES.to_owned()));
    }
    let keep = keep_variables(system.prepared, drop).map_err(|why| EngineError::Heuristic("abstraction", why))?;
    let split = system.prepared.relation.split();
    let relation = split.as_ref().unwrap_or(&system.prepared.relation);
    let states = |encoding: &Encoding<'_>| -> BddResult<GoalStates> {
        let (states, terms) = goal_states(encoding, &system.prepared.goal)?;
        Ok(GoalStates { aim: states.clone(), states, terms })
    };
    let answer = search(&SymbolicGoal { relation, keep, states: &states, reached: &|_, _| Ok(()) });
    let found = answer.trace.clone().map(|run| system.found(FoundKind::Watched(0), run, answer.shortest));
    Ok((answer, found))
}

/// Whether no step leads out of a state, by the set of its successors.
pub(super) fn has_empty_image(relation: &Relation, state: &[i64]) -> bool {
    let mut from_here = relation.clone();
    let here = state.iter().zip(relation.variables()).map(|(&value, (variable, _))| Assignment {
        variable,
        value: from_here.terms.value(value),
        span: Span::default(),
    });
    from_here.initial = Block { assignments: here.collect(), constraints: Vec::new() };
    let is_empty = || -> BddResult<bool> {
        let encoding = Encoding::new(&from_here, &Budget::default())?;
        Ok(encoding.kernel().is_empty(&encoding.image(encoding.initial())?))
    };
    with_deep_stack(is_empty) == Ok(true)
}
