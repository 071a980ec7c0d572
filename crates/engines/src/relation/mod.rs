//! Relations as systems.

#[cfg(feature = "symbolic")]
mod bdd;
#[cfg(feature = "symbolic")]
mod cones;
mod confirm;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use lurcher_heuristics::registry::{self, HeuristicError, Named, RelationHeuristic, Settings};
use lurcher_ir::relation::{Relation, TermId};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{
    Budget, Found, FoundKind, Guided, History, NodeHeuristic, Observer, PreparedRelation, RelationCoverage,
    RelationDomain, RelationGoal, RelationGuidance, RelationObjective, RelationSpace, Selection, StopReason, Storage,
    WalkPlan, fair_run,
};
use lurcher_system::Path;
use xxhash_rust::xxh3::xxh3_64;

use crate::directed::Direction;
use crate::engine::{Goal, Task};
use crate::error::EngineError;
use crate::options::STORAGE;
use crate::recommend::Recommendation;
use crate::report::{Answer, Report, Trace};
#[cfg(feature = "symbolic")]
use crate::symbolic_goal::{SymbolicAnswer, SymbolicGoal, SymbolicPath};
use crate::system::{Confirmed, Minimise, Model, Search, Shape, System};

pub use confirm::evidence;

/// Said where nothing can begin.
const NO_INITIAL_STATE: &str = "the model has no initial state: everything is true of it";

/// A property of a relation, prepared; or several invariants and deadlock, to be watched at once.
#[derive(Debug)]
pub struct PreparedProperties<'r> {
    first: PreparedRelation<'r>,
    objective: RelationObjective,
}

impl<'r> From<PreparedRelation<'r>> for PreparedProperties<'r> {
    fn from(first: PreparedRelation<'r>) -> Self {
        PreparedProperties { objective: first.objective(), first }
    }
}

/// Why symbolic walks and guided search refuse temporal formulas.
const ABOUT_STATES: &str = "this engine looks for states: for invariants and deadlocks, not for temporal formulas";

impl Model for Relation {
    type Prepared<'m> = PreparedProperties<'m>;
    type System<'p> = RelationSystem<'p>;

    fn shape(&self) -> Shape {
        Shape::Relation
    }

    fn identity(&self) -> String {
        format!("{:016x}", xxh3_64(format!("{self:?}").as_bytes()))
    }

    fn refuse(&self, task: &Task<'_>) -> Result<(), EngineError> {
        let refused = |why: &str| Err(EngineError::Refused(why.to_owned()));
        if task.options.text(&STORAGE).is_some_and(|s| s != Storage::Exact.name()) {
            return refused("states of SMV models are always stored exactly: --storage is for Promela models");
        }
        match task.semantics.chosen().next() {
            Some(setting) if setting.name == "fair" => {
                refused("--fair is for Promela models; SMV models state their FAIRNESS themselves")
            }
            Some(setting) => refused(&format!("--{} is for Promela models", setting.name)),
            None => Ok(()),
        }
    }

    fn prepare<'m>(
        &'m self,
        property: &Property,
        reduce: bool,
        _: &Task<'_>,
    ) -> Result<PreparedProperties<'m>, EngineError> {
        Ok(match reduce {
            true => PreparedRelation::cone(self, property),
            false => PreparedRelation::whole(self, property),
        }
        .into())
    }

    fn system<'p, 'm: 'p>(&'p self, prepared: &'p PreparedProperties<'m>, task: &'p Task<'_>) -> RelationSystem<'p> {
        RelationSystem::new(prepared, task)
    }

    /// Invariants and deadlock are watched in one search of the whole relation; each other property has one of its own.
    fn prepare_together<'m>(
        &'m self,
        properties: &[Property],
        task: &Task<'_>,
    ) -> Result<Vec<(PreparedProperties<'m>, Vec<usize>)>, EngineError> {
        let shared = |p: &Property| matches!(p.kind, PropertyKind::Invariant(_) | PropertyKind::Deadlock);
        let (together, alone): (Vec<usize>, Vec<usize>) = (0..properties.len()).partition(|&i| shared(&properties[i]));
        let mut all = Vec::new();
        if let Some(&first) = together.first() {
            let mut prepared = self.prepare(&properties[first], false, task)?;
            let invariant = |&i: &usize| match &properties[i].kind {
                PropertyKind::Invariant(atom) => Some(atom.term()),
                _ => None,
            };
            let invariants: Vec<TermId> = together.iter().filter_map(invariant).collect();
            let deadlock = invariants.len() < together.len();
            prepared.objective = RelationObjective { invariants, deadlock, fair: false };
            all.push((prepared, together));
        }
        for index in alone {
            all.push((self.prepare(&properties[index], true, task)?, vec![index]));
        }
        Ok(all)
    }

    #[cfg(feature = "symbolic")]
    fn check_with_bdds(
        &self,
        properties: &[Property],
        explicit_first: bool,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Report>, EngineError> {
        bdd::check_all(self, properties, explicit_first, task, observer)
    }
}

/// A relation with a property made ready.
pub struct RelationSystem<'p> {
    prepared: &'p PreparedRelation<'p>,
    objective: &'p RelationObjective,
    task: &'p Task<'p>,
    /// Why walks are not run as native code, once there are walks.
    not_compiled: OnceLock<Option<String>>,
}

impl<'p> RelationSystem<'p> {
    fn new(prepared: &'p PreparedProperties<'_>, task: &'p Task<'_>) -> Self {
        RelationSystem {
            prepared: &prepared.first,
            objective: &prepared.objective,
            task,
            not_compiled: OnceLock::new(),
        }
    }

    /// What was found, as a run of the whole relation; without a path where there is none.
    fn original(&self, found: Found<Vec<i64>>) -> Found<Vec<i64>> {
        Found { path: self.prepared.original(found.path).unwrap_or_default(), ..found }
    }

    fn found(&self, kind: FoundKind, run: Path<Vec<i64>>, shortest: bool) -> Found<Vec<i64>> {
        self.original(Found { shortest, ..Found::new(kind, run) })
    }

    /// Explicit searches do not check CTL.
    fn refuse_ctl(&self) -> Result<(), EngineError> {
        match self.prepared.goal {
            RelationGoal::Ctl(_) => {
                Err(EngineError::Refused("CTL formulas are checked by --engine bdd only".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn answer(&self, engine: &str) -> Answer<Vec<i64>> {
        Answer::new(&self.prepared.property, engine)
    }
}

/// Heuristics of a relation as values of nodes.
struct ValuationHeuristic<'d>(&'d Direction<RelationHeuristic>);

impl NodeHeuristic<RelationSpace> for ValuationHeuristic<'_> {
    fn estimate(&mut self, space: &mut RelationSpace, node: &[u8], _: History) -> u32 {
        let valuation = space.valuation(node);
        self.0.guides().map(|guide| guide.score(valuation)).min().unwrap_or(0)
    }
}

impl<'p> System for RelationSystem<'p> {
    type Step = Vec<i64>;
    type Guide = RelationHeuristic;
    type Coverage = RelationCoverage;
    type Domain<'s>
        = RelationDomain<RelationHeuristic>
    where
        Self: 's;

    fn property(&self) -> &Property {
        &self.prepared.property
    }

    fn is_about_states(&self) -> bool {
        self.prepared.is_about_states()
    }

    fn is_admissible(guide: &RelationHeuristic) -> bool {
        guide.admissible()
    }

    fn describe(&self, report: &mut Report) {
        let Some(kept) = self.prepared.variables_kept() else { return };
        report.reduction = self.prepared.reduction();
        if self.task.goal == Goal::Verify {
            let all = self.prepared.whole.variables.len();
            report.remarks.push(format!("{kept} of {all} variables are looked at (cone of influence)"));
        }
    }

    fn explore<A: Search>(
        &self,
        search: &mut A,
        direction: Option<&Direction<RelationHeuristic>>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Vec<i64>>, EngineError> {
        self.refuse_ctl()?;
        let RelationObjective { invariants, deadlock, .. } = self.objective;
        let _scope = budget.resources.enter();
        let space = RelationSpace::new(&self.prepared.relation, invariants, *deadlock, budget);
        let mut space = Guided::new(space, direction.filter(|d| !d.is_blind()).map(ValuationHeuristic));
        let outcome = search.run_alone(&mut space, budget, observer);
        let mut answer = self.answer(search.name());
        (answer.report.stop, answer.report.stats) = (outcome.stop, outcome.stats);
        answer.report.guide_range = space.range();
        answer.report.unconfirmed = outcome.pathless;
        // One violation is reported for each property.
        if let Some(found) = outcome.found.first() {
            match space.expander.run_of(found) {
                Ok(run) => answer.found.push(self.found(found.kind.clone(), run, found.shortest)),
                Err(stop) => {
                    answer.report.stop = stop;
                    answer.report.unconfirmed = true;
                }
            }
        }
        (answer.report.storage, answer.report.omission) = (search.storage(), search.omission());
        if outcome.stop == StopReason::Complete && outcome.stats.stored == 0 {
            answer.report.remarks.push(NO_INITIAL_STATE.to_owned());
        }
        Ok(answer)
    }

    fn find_cycle(
        &self,
        _: Storage,
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Result<Answer<Vec<i64>>, EngineError> {
        self.refuse_ctl()?;
        let outcome = fair_run(&self.prepared.relation, budget, &mut observer);
        let mut answer = self.answer("fair-run");
        answer.found.extend(outcome.run.map(|run| self.found(FoundKind::Cycle, run, false)));
        (answer.report.stop, answer.report.stats) = (outcome.stop, outcome.stats);
        Ok(answer)
    }

    fn domain(&self) -> RelationDomain<RelationHeuristic> {
        let mut domain = RelationDomain::new(&self.prepared.relation, self.objective);
        let remark = self.task.exec().compile_plans(domain.stepper());
        self.not_compiled.get_or_init(|| remark);
        domain
    }

    fn describe_walks(&self, report: &mut Report) {
        report.remarks.extend(self.not_compiled.get().cloned().flatten());
    }

    fn heuristics(
        &self,
        entry: &registry::Entry,
        settings: &Settings,
        budget: &Budget,
        _: bool,
    ) -> Vec<Result<Named<RelationHeuristic>, HeuristicError>> {
        let started = Instant::now();
        if !self.is_about_states() {
            return vec![Err(HeuristicError::None(ABOUT_STATES.to_owned()))];
        }
        let named = |guide| {
            let kind = if settings.drop.is_empty() { "auto" } else { "manu" };
            let name = format!("{} ({kind})", entry.name);
            Named { name, guide: Arc::new(guide), bias: entry.bias, notes: Vec::new(), time: started.elapsed() }
        };
        vec![entry.build_for_relation(self.prepared, settings, budget).map(named)]
    }

    /// The heuristic scores states, so all successors are listed.
    fn guided(&self, plan: WalkPlan, guide: Named<RelationHeuristic>) -> (WalkPlan, Named<RelationHeuristic>) {
        let name = match plan.reverse {
            true => guide.name.replace(')', ", reversed)"),
            false => guide.name,
        };
        (WalkPlan { selection: Selection::AllChildren, ..plan }, Named { name, ..guide })
    }

    fn recommendation(&self) -> Recommendation {
        Recommendation::for_relation(self.prepared)
    }

    #[cfg(feature = "symbolic")]
    fn check_with_bdds(
        &self,
        plain: bool,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Vec<i64>>, EngineError> {
        Ok(bdd::check(self, plain, budget, observer))
    }

    #[cfg(feature = "symbolic")]
    fn symbolically(
        &self,
        _: &'static str,
        drop: &[String],
        search: &mut dyn FnMut(&SymbolicGoal<'_>) -> SymbolicAnswer,
    ) -> Result<SymbolicPath<Vec<i64>>, EngineError> {
        bdd::symbolically(self, drop, search)
    }

    fn as_path(&self, found: Found<Vec<i64>>) -> Found<Vec<i64>> {
        self.original(found)
    }

    fn can_walk(&self) -> bool {
        !matches!(self.prepared.goal, RelationGoal::Ctl(_))
    }

    fn no_heuristic(&self) -> Option<&'static str> {
        (!self.is_about_states()).then_some(ABOUT_STATES)
    }

    fn found_in(&self, trace: &Trace) -> Option<Found<Vec<i64>>> {
        confirm::found_in(trace)
    }

    fn confirm(&self, found: &Found<Vec<i64>>, minimise: Minimise<'_>) -> Result<Confirmed, EngineError> {
        confirm::confirm(self.prepared.whole, &self.prepared.property, found, minimise)
    }
}
