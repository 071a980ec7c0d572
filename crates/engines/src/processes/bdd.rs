//! Process models by sets of states.
//!
//! The model becomes a relation ([`lurcher_symbolic::processes`]), together with the claim if there is one, and the
//! interpreter follows what is found in it, so a trace is one like any other. What cannot be translated is refused in one
//! sentence.

use std::sync::Mutex;
use std::time::Instant;

use lurcher_ir::Property;
use lurcher_ir::relation::TermId;
use lurcher_search::{Budget, Found, FoundKind, Observer, Phase, Stats, Step, StopReason};
use lurcher_symbolic::processes::{Translation, translate, translate_runs};
use lurcher_symbolic::{Bdd, BddResult, Encoding, Pattern, Strategy, with_deep_stack};
use lurcher_system::Path;

use super::ProcessSystem;
use crate::engine::Task;
use crate::engines::each::SHORTENING;
use crate::error::EngineError;
use crate::report::{Answer, Report, Sets};
use crate::symbolic_goal::{GoalStates, SymbolicAnswer, SymbolicGoal, SymbolicPath};
use crate::system::{Model, judge};

/// The engine's name.
const BDD: &str = "bdd";

/// A property of a process model as one of a relation.
struct Symbolic<'s, 'p> {
    system: &'s ProcessSystem<'p>,
    engine: &'static str,
    translation: Translation,
}

/// What a trace of the relation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// An invalid end state.
    Deadlock,
    /// A state in which an invariant does not hold.
    Invariant,
    /// A state in which a step is a violation.
    Violation,
    /// The end of the claim.
    ClaimEnd,
    /// A cycle that the claim accepts.
    Cycle,
    /// A state that the translation does not cover.
    Uncovered,
}

impl<'s, 'p> Symbolic<'s, 'p> {
    /// Translates the model for an engine of that name.
    fn new(system: &'s ProcessSystem<'p>, engine: &'static str) -> Result<Self, EngineError> {
        let prepared = system.prepared;
        if prepared.limits().message_loss {
            return Err(refused(engine, "it knows no message loss"));
        }
        if prepared.objective.fair {
            return Err(refused(engine, "it knows no weak fairness; use bfs or dfs"));
        }
        let translation = match prepared.objective.claim {
            None => translate(&prepared.model, &prepared.objective.invariants),
            Some(claim) => translate_runs(&prepared.model, claim),
        };
        let translation = translation.map_err(|why| refused(engine, &why.0))?;
        Ok(Symbolic { system, engine, translation })
    }

    /// The targets, what makes all else worthless first, and the terms that are true of them.
    fn terms(&self) -> Vec<(Target, TermId)> {
        let Translation { violated_invariants, violations, deadlock, overflow, claim_ended, .. } = &self.translation;
        let mut terms = vec![(Target::Uncovered, *overflow)];
        terms.extend(violated_invariants.iter().map(|&term| (Target::Invariant, term)));
        terms.extend(self.system.prepared.objective.end_states.then_some((Target::Deadlock, *deadlock)));
        terms.extend(violations.iter().map(|v| (Target::Violation, v.condition)));
        terms.push((Target::ClaimEnd, *claim_ended));
        terms.retain(|(_, term)| self.translation.relation.terms.constant(*term) != Some(0));
        terms
    }

    /// The same as sets of states.
    fn targets(&self, encoding: &Encoding<'_>) -> BddResult<Vec<(Target, Bdd)>> {
        self.terms().into_iter().map(|(target, term)| Ok((target, encoding.states(term)?))).collect()
    }

    /// The states of all targets, and the terms that define them. Whether processes are stuck depends on everything; their
    /// locations tell most of it.
    fn goal_states(&self, encoding: &Encoding<'_>) -> BddResult<GoalStates> {
        let k = encoding.kernel();
        let (mut states, mut aim) = (k.constant(false), k.constant(false));
        for (target, set) in self.targets(encoding)? {
            states = k.or(&states, &set)?;
            if target != Target::Uncovered {
                aim = k.or(&aim, &set)?;
            }
        }
        let terms = match self.system.prepared.objective.end_states {
            true => self.translation.locations.clone(),
            false => self.terms().into_iter().map(|(_, term)| term).collect(),
        };
        Ok(GoalStates { states, aim, terms })
    }

    /// The target that a state belongs to.
    fn target_of(&self, encoding: &Encoding<'_>, state: &[i64]) -> BddResult<Option<Target>> {
        Ok(self.targets(encoding)?.into_iter().find(|(_, set)| encoding.holds(set, state)).map(|(target, _)| target))
    }

    /// A trace as moves of the processes.
    fn found(&self, target: Target, trace: &Path<Vec<i64>>, shortest: bool) -> Result<Found, EngineError> {
        if target == Target::Uncovered {
            return Err(refused(self.engine, "processes are created beyond what was foreseen"));
        }
        let lost = || EngineError::Unconfirmed("the processes cannot follow the run that BDDs found".to_owned());
        let violates = target == Target::Violation;
        let (path, violation) =
            self.translation.concretise(&self.system.interpreter, trace, violates).ok_or_else(lost)?;
        let kind = match (violation, target) {
            (Some(violation), _) => FoundKind::Step(violation),
            (None, Target::Deadlock) => FoundKind::Deadlock,
            (None, Target::Invariant) => FoundKind::Invariant,
            (None, Target::ClaimEnd) => FoundKind::ClaimEnd,
            (None, Target::Cycle) => FoundKind::Cycle,
            (None, Target::Violation | Target::Uncovered) => return Err(lost()),
        };
        let cycle_start = path.cycle_start;
        let steps = path.steps.into_iter().map(|m| Step { system: Some(m), claim: None }).collect();
        Ok(Found { shortest, ..Found::new(kind, Path { steps, cycle_start }) })
    }
}

/// An engine cannot be used with a model.
fn refused(engine: &str, why: &str) -> EngineError {
    EngineError::Refused(format!("{engine} cannot be used here: {why}"))
}

/// Checks properties one after the other.
pub(super) fn check_all(
    model: &lurcher_ir::Model,
    properties: &[Property],
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> Result<Vec<Report>, EngineError> {
    let mut reports: Vec<Report> = Vec::new();
    for property in properties {
        let mut check_one = || {
            let (started, resources) = (Instant::now(), &task.budget.resources);
            let prepared = resources.bound(|| model.prepare(property, true, task))??;
            let system = ProcessSystem::new(&prepared, task);
            let answer = resources.bound(|| check(&system, &task.budget, observer))??;
            if !answer.found.is_empty() {
                observer.phase(&Phase { property: &property.name, activity: SHORTENING, ..Phase::default() });
            }
            judge(&system, task, answer, started.elapsed())
        };
        let report = match check_one() {
            Err(EngineError::Stopped(limit)) => Report::stopped(property, BDD, limit.into()),
            report => report?,
        };
        let over = matches!(report.stop, StopReason::Interrupted | StopReason::Memory);
        reports.push(report);
        if over {
            break;
        }
    }
    Ok(reports)
}

/// Reachability: all reachable states, then the bad ones among them, then the runs that a claim accepts.
pub(super) fn check(
    system: &ProcessSystem<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer<Step>, EngineError> {
    let symbolic = Symbolic::new(system, BDD)?;
    let mut answer = Answer::new(&system.prepared.property, BDD);
    match with_deep_stack(|| reach(&symbolic, budget, observer)) {
        Ok((met, stats, sets)) => {
            let found = met.map(|(target, trace)| symbolic.found(target, &trace, false)).transpose()?;
            answer.report.stop = if found.is_none() { StopReason::Complete } else { StopReason::Violation };
            answer.found.extend(found);
            (answer.report.stats, answer.report.sets) = (stats, Some(sets));
        }
        Err(stop) => answer.report.stop = stop,
    }
    Ok(answer)
}

type Reached = (Option<(Target, Path<Vec<i64>>)>, Stats, Sets);

fn reach(symbolic: &Symbolic<'_, '_>, budget: &Budget, mut observer: &mut dyn Observer) -> BddResult<Reached> {
    let property = &symbolic.system.prepared.property.name;
    let begin = |observer: &mut dyn Observer, activity| observer.phase(&Phase { engine: BDD, property, activity });
    begin(observer, "encoding the model as BDDs");
    let encoding = Encoding::new(&symbolic.translation.relation, budget)?;
    let kernel = encoding.kernel();
    let targets = symbolic.targets(&encoding)?;
    begin(observer, "computing the reachable states");
    let reachable = encoding.reachable(&mut observer)?;
    let stored = encoding.count(&kernel.and(&reachable, &encoding.truth(symbolic.translation.stored)?)?);
    let mut met = None;
    for (target, states) in targets {
        if met.is_none() && !kernel.disjoint(&reachable, &states)? {
            begin(observer, "searching a trace");
            let trace = encoding.reach(&states, Strategy::Chaining, &mut observer)?.trace;
            met = trace.map(|trace| (target, trace));
        }
    }
    if met.is_none() && symbolic.system.prepared.is_about_runs() {
        begin(observer, "searching fair runs");
        met = encoding.fair_run_in(&reachable)?.map(|trace| (Target::Cycle, trace));
    }
    let count = stored.exact().map_or(u64::MAX, |n| u64::try_from(n).unwrap_or(u64::MAX));
    let stats = Stats { stored: count, memory: kernel.memory(), ..Stats::default() };
    Ok((met, stats, Sets { reachable: Some(stored), nodes: kernel.nodes() as u64 }))
}

/// Calls a symbolic search with the goal; gives its trace back as moves.
pub(super) fn symbolically(
    system: &ProcessSystem<'_>,
    engine: &'static str,
    drop: &[String],
    search: &mut dyn FnMut(&SymbolicGoal<'_>) -> SymbolicAnswer,
) -> Result<SymbolicPath<Step>, EngineError> {
    if system.prepared.is_about_runs() {
        let why = "this engine looks for states, not for runs that a claim or a formula is about; --engine bdd looks for both";
        return Err(EngineError::Refused(why.to_owned()));
    }
    let symbolic = Symbolic::new(system, engine)?;
    let relation = &symbolic.translation.relation;
    let find = |name: &String| {
        let unknown = || EngineError::Heuristic("abstraction", format!("there is no variable `{name}` to drop"));
        relation.find(name).ok_or_else(unknown)
    };
    let dropped = drop.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let keep = if dropped.is_empty() { Pattern::default() } else { Pattern::Without(dropped) };
    let met = Mutex::new(None);
    let states = |encoding: &Encoding<'_>| symbolic.goal_states(encoding);
    let target_of = |encoding: &Encoding<'_>, state: &[i64]| -> BddResult<()> {
        *met.lock().expect("no search panicked") = symbolic.target_of(encoding, state)?;
        Ok(())
    };
    let answer = search(&SymbolicGoal { relation, keep, states: &states, reached: &target_of });
    // A rendezvous is one step of the relation and two of a trace.
    let even = !system.prepared.model.has_rendezvous();
    let met = met.into_inner().expect("no search panicked");
    let found = match (met, &answer.trace) {
        (Some(target), Some(trace)) => Some(symbolic.found(target, trace, answer.shortest && even)?),
        _ => None,
    };
    Ok((answer, found))
}
