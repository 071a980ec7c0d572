//! Process models as systems.

#[cfg(feature = "symbolic")]
mod bdd;
mod confirm;
mod machine;
#[cfg(not(feature = "jit"))]
mod no_jit;
mod prepare;
mod reduction;

use lurcher_heuristics::registry::{self, HeuristicError, Named, Request, Settings};
use lurcher_heuristics::{Heuristic, StateDistance, Target};
use lurcher_ir::analysis::Dead;
use lurcher_ir::{ProcessTypeId, Property};
use lurcher_resources::checkpoint;
use lurcher_search::{
    AmpleMoves, AtomicChains, Budget, CachedExpansion, CachedProduct, Claim, Coverage, Covers, Expander, Found,
    FoundKind, Guidance, Guided, History, MoveSelection, NodeHeuristic, Objective, Observer, Outcome, Prepared,
    Processes, Product, StateGraph, StateSpace, Stats, Step, StopReason, Storage,
};
use lurcher_system::{DeadVariableReset, Interpreter, Machine, Path, State, Violation};
use xxhash_rust::xxh3::xxh3_64;

use crate::cycles::CycleSearch;
use crate::directed::Direction;
use crate::engine::Task;
use crate::error::EngineError;
use crate::recommend::Recommendation;
use crate::report::{Answer, Report, Trace};
#[cfg(feature = "symbolic")]
use crate::symbolic_goal::{SymbolicAnswer, SymbolicGoal, SymbolicPath};
use crate::system::{Confirmed, Minimise, Model, Search, Shape, System};

#[cfg(feature = "jit")]
use lurcher_jit as jit;
#[cfg(not(feature = "jit"))]
use no_jit as jit;

pub(crate) use machine::not_compiled;
pub use machine::{EXEC, Exec, Executor};
pub use prepare::prepare;

impl Model for lurcher_ir::Model {
    type Prepared<'m> = Prepared;
    type System<'p> = ProcessSystem<'p>;

    fn shape(&self) -> Shape {
        Shape::Processes
    }

    fn identity(&self) -> String {
        format!("{:016x}", xxh3_64(format!("{self:?}").as_bytes()))
    }

    fn prepare(&self, property: &Property, _: bool, task: &Task<'_>) -> Result<Prepared, EngineError> {
        let prepared = prepare(self, property, task.semantics);
        prepared.map_err(|e| EngineError::Formula(property.name.clone(), e))
    }

    fn system<'p, 'm: 'p>(&'p self, prepared: &'p Prepared, task: &'p Task<'_>) -> ProcessSystem<'p> {
        ProcessSystem::new(prepared, task)
    }

    #[cfg(feature = "symbolic")]
    fn check_with_bdds(
        &self,
        properties: &[Property],
        _: bool,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Report>, EngineError> {
        bdd::check_all(self, properties, task, observer)
    }
}

/// A process model with a property made ready.
pub struct ProcessSystem<'p> {
    prepared: &'p Prepared,
    task: &'p Task<'p>,
    interpreter: Interpreter<'p>,
    initial: Option<State>,
    machines: machine::Machines<'p>,
}

impl<'p> ProcessSystem<'p> {
    fn new(prepared: &'p Prepared, task: &'p Task<'_>) -> Self {
        let interpreter = prepared.interpreter();
        let initial = interpreter.initial().ok();
        ProcessSystem { prepared, task, initial, interpreter, machines: machine::Machines::new(prepared) }
    }

    /// The targets of heuristics, the most promising first. A property with the name of one asks for that one.
    pub fn targets(prepared: &Prepared) -> Vec<Target> {
        let Prepared { model, property, objective, .. } = prepared;
        let mut targets = Target::of_property(model, &property.kind, objective.claim);
        if targets.iter().any(|t| t.name() == property.name) {
            targets.retain(|t| t.name() == property.name);
        }
        targets
    }

    /// Runs a search on the interpreter first, and again as native code if it turns out not to be small. The number of
    /// states decides that, so the same search always ends on the same machine. What a search has found when it reaches the
    /// limit need not be what it finds without a limit.
    fn on_machine(&self, budget: &Budget, run: &mut impl RunOn) -> Answer<Step> {
        let mut answer = Answer::new(&self.prepared.property, "");
        let first = match self.task.exec() {
            Exec::Interp => budget.clone(),
            Exec::Jit => machine::small(&self.prepared.model, budget),
        };
        let is_small = first.states != budget.states;
        let mut outcome = run.run(&self.interpreter, is_small, &first, &mut answer.report);
        answer.report.executor = Some("interp");
        let Stats { stored, transitions, .. } = outcome.stats;
        let exceeded = outcome.stop == StopReason::States || first.states_exceeded(stored, transitions);
        if is_small && exceeded {
            outcome = match machine::compiled(self.prepared) {
                Ok(compiled) => {
                    answer.report.executor = Some("jit");
                    answer.report.times.compile = compiled.size().time;
                    run.run(&compiled, false, budget, &mut answer.report)
                }
                Err(why) => {
                    let outcome = run.run(&self.interpreter, false, budget, &mut answer.report);
                    answer.report.remarks.push(not_compiled(&why));
                    outcome
                }
            };
        }
        let Outcome { stop, found, pathless, stats } = outcome;
        (answer.found, answer.report.stop, answer.report.stats) = (found, stop, stats);
        answer.report.unconfirmed = pathless;
        answer
    }

    /// The reduction of a search, if it is wanted and sound; notes it, or why there is none.
    fn reduction(&self, budget: &Budget, report: &mut Report) -> Option<(AmpleMoves, Dead)> {
        if !self.task.reduces() {
            return None;
        }
        match reduction::reduction(self.prepared, &self.interpreter, budget) {
            Ok(reduction) => {
                report.reduction = Some(reduction::PARTIAL_ORDER);
                Some(reduction)
            }
            Err(why) => {
                report.remarks.push(format!("no partial-order reduction: {why}"));
                None
            }
        }
    }
}

/// A search that any machine can run.
trait RunOn {
    /// Searches within a budget; `is_small` says that it is a small one.
    fn run<M: Machine + Sync>(&mut self, machine: &M, is_small: bool, budget: &Budget, report: &mut Report) -> Outcome;
}

/// A search for bad states.
struct StateSearch<'a, 'p, A> {
    model: &'a lurcher_ir::Model,
    objective: &'a Objective,
    reduction: Option<(AmpleMoves, Dead)>,
    search: &'a mut A,
    direction: Option<&'a Direction<Heuristic<'p>>>,
    observer: &'a mut dyn Observer,
}

impl<A: Search> StateSearch<'_, '_, A> {
    /// Searches on as many threads as the search can use, and notes what was executed.
    fn search<E: Expander<Space: StateSpace<Step = Step>> + Send>(
        &mut self,
        space: impl Fn() -> E,
        coverage: impl Fn(&E) -> Coverage,
        budget: &Budget,
        report: &mut Report,
    ) -> Outcome {
        let heuristic =
            || Some(StateHeuristic::new(self.direction.filter(|d| !d.is_blind())?, self.model, self.objective.claim));
        let threads = 0..self.search.threads().max(1);
        let mut spaces: Vec<_> = threads.map(|_| Guided::new(space(), heuristic())).collect();
        let outcome = self.search.run(&mut spaces, budget, self.observer);
        report.coverage = Some(merged(spaces.iter().map(|guided| coverage(&guided.expander))));
        let ranges = spaces.iter().filter_map(Guided::range);
        report.guide_range = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        outcome
    }
}

/// Heuristics of a process model as values of nodes.
struct StateHeuristic<'d, 'p> {
    direction: &'d Direction<Heuristic<'p>>,
    /// Distances back to a state, for cycles.
    back: StateDistance<'d>,
    claim: Option<ProcessTypeId>,
    state: Option<State>,
}

impl<'d, 'p> StateHeuristic<'d, 'p> {
    fn new(direction: &'d Direction<Heuristic<'p>>, model: &'d lurcher_ir::Model, claim: Option<Claim>) -> Self {
        let claim = claim.and_then(Claim::process_type);
        StateHeuristic { direction, back: StateDistance::new(model), claim, state: None }
    }
}

impl<S: StateSpace> NodeHeuristic<S> for StateHeuristic<'_, '_> {
    fn estimate(&mut self, space: &mut S, node: &[u8], history: History) -> u32 {
        let state = self.state.get_or_insert_with(|| space.empty_state());
        let claim = space.decode(node, state);
        let value = |guide: &Heuristic<'_>| guide.of_state_after(state, claim, history);
        self.direction.guides().map(value).min().unwrap_or(0)
    }

    fn looks_back(&self) -> bool {
        self.direction.guides().any(Heuristic::looks_back)
    }

    fn aim_at(&mut self, space: &mut S, node: &[u8]) {
        let state = self.state.get_or_insert_with(|| space.empty_state());
        let claim = space.decode(node, state);
        self.back.aim_at(state, self.claim.map(|id| (id, claim)));
    }

    fn distance_to_aim(&mut self, space: &mut S, node: &[u8]) -> u32 {
        let state = self.state.get_or_insert_with(|| space.empty_state());
        let claim = space.decode(node, state);
        self.back.of(state, self.claim.map(|id| (id, claim)))
    }
}

impl<A: Search> RunOn for StateSearch<'_, '_, A> {
    fn run<M: Machine + Sync>(&mut self, machine: &M, is_small: bool, budget: &Budget, report: &mut Report) -> Outcome {
        let (ample, dead) = self.reduction.clone().unzip();
        let dead = dead.unwrap_or_default();
        let plain = machine;
        let machine = &DeadVariableReset::new(plain, &dead);
        // A depth limit counts single steps.
        let merging = self.search.expands_batches() && budget.depth.is_none();
        let Objective { invariants, end_states, claim, fair } = self.objective;
        if let Some(claim) = *claim {
            let product = || Product::new(machine, claim, *fair);
            // In a small search, few cached moves occur again.
            let caching = merging && !is_small;
            return match ample {
                None if caching => self.search(|| product().cached(), CachedProduct::coverage, budget, report),
                None => self.search(product, Product::coverage, budget, report),
                Some(mut ample) => {
                    let reduced = || product().reduced(ample.clone());
                    let mut outcome = match caching {
                        true => self.search(|| reduced().cached(), CachedProduct::coverage, budget, report),
                        false => self.search(reduced, Product::coverage, budget, report),
                    };
                    unmerge_ample(&mut ample, (plain, machine), &mut outcome, budget);
                    outcome
                }
            };
        }
        let graph = || StateGraph::new(machine, invariants.clone(), *end_states);
        match ample {
            Some(mut ample) => {
                if merging {
                    ample.chain_through_atomic();
                }
                let reduced = || graph().reduced(ample.clone());
                let mut outcome = match merging {
                    true => self.search(|| reduced().cached(), CachedExpansion::coverage, budget, report),
                    false => self.search(reduced, StateGraph::coverage, budget, report),
                };
                unmerge_ample(&mut ample, (plain, machine), &mut outcome, budget);
                outcome
            }
            None if merging => {
                let cached = || graph().merging_chains().cached();
                let mut outcome = self.search(cached, CachedExpansion::coverage, budget, report);
                unmerge(&mut outcome, budget, |found| AtomicChains.unmerge_chains(machine, &mut found.path));
                outcome
            }
            None => self.search(graph, StateGraph::coverage, budget, report),
        }
    }
}

/// Writes out the chains that edges stand for. Chains may be long, so that this may come to a limit.
fn unmerge(outcome: &mut Outcome, budget: &Budget, mut unmerge: impl FnMut(&mut Found)) {
    let resources = budget.resources.with_grace();
    let known = outcome.found.len();
    outcome.found.retain_mut(|found| resources.bound(|| unmerge(found)).is_ok());
    outcome.pathless |= outcome.found.len() < known;
}

/// Writes out the chains of ample moves that reduced edges stand for.
fn unmerge_ample<M: Machine>(
    ample: &mut AmpleMoves,
    (plain, machine): (&M, &DeadVariableReset<'_, M>),
    outcome: &mut Outcome,
    budget: &Budget,
) {
    unmerge(outcome, budget, |found| {
        ample.unmerge_chains(machine, &mut found.path);
        close(plain, &mut found.path);
        // A shortest path of the reduced state space need not be a shortest of all.
        found.shortest &= found.path.steps.is_empty();
    });
}

/// Makes a cycle of states with reset dead variables a cycle of the model itself: the values may differ when the cycle is
/// entered and when it closes, but not from one round to the next.
fn close<M: Machine>(machine: &M, path: &mut Path<Step>) {
    let Some(start) = path.cycle_start else { return };
    let Ok(mut state) = machine.initial() else { return };
    let mut entered = None;
    for (at, step) in path.steps.iter().enumerate() {
        if at == start {
            entered = Some(state.clone());
        }
        checkpoint();
        if let Some(taken) = &step.system {
            machine.apply(&mut state, taken);
        }
    }
    if entered.is_some_and(|entered| entered.bytes() != state.bytes()) {
        path.cycle_start = Some(path.steps.len());
        path.steps.extend_from_within(start..);
    }
}

/// What several threads executed.
fn merged(mut all: impl Iterator<Item = Coverage>) -> Coverage {
    let mut coverage = all.next().expect("a thread");
    all.for_each(|other| {
        coverage.merge(&other);
    });
    coverage
}

impl<'p> System for ProcessSystem<'p> {
    type Step = Step;
    type Guide = Heuristic<'p>;
    type Coverage = Coverage;
    type Domain<'s>
        = Processes<'s, Executor<'p>, Heuristic<'p>>
    where
        Self: 's;

    fn property(&self) -> &Property {
        &self.prepared.property
    }

    fn is_about_states(&self) -> bool {
        !self.prepared.is_about_runs()
    }

    fn has_bad_prefixes(&self) -> bool {
        self.prepared.has_bad_prefixes()
    }

    fn target_of(&self, kind: &FoundKind) -> Option<usize> {
        ProcessSystem::targets(self.prepared).iter().position(|target| match target {
            Target::Deadlock => *kind == FoundKind::Deadlock,
            Target::Assertion => matches!(kind, FoundKind::Step(Violation::Assertion(_))),
            Target::Invariant(_) => *kind == FoundKind::Invariant,
            Target::Claim(_) => *kind == FoundKind::ClaimEnd,
        })
    }

    fn is_admissible(guide: &Heuristic<'p>) -> bool {
        guide.admissible()
    }

    fn starts(&self) -> bool {
        self.initial.is_some()
    }

    fn describe(&self, report: &mut Report) {
        report.with_claim = self.prepared.limits().with_claim;
        if self.prepared.semantics.no_assertions {
            report.remarks.insert(0, "assertions were not checked".to_owned());
        }
        if self.prepared.objective.fair {
            report.remarks.insert(0, "under weak fairness".to_owned());
        }
    }

    fn explore<A: Search>(
        &self,
        search: &mut A,
        direction: Option<&Direction<Heuristic<'p>>>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Step>, EngineError> {
        let mut noted = Report::new(&self.prepared.property, search.name());
        let reduction = self.reduction(budget, &mut noted);
        let objective = &self.prepared.objective;
        let mut run = StateSearch { model: &self.prepared.model, objective, reduction, search, direction, observer };
        let mut answer = self.on_machine(budget, &mut run);
        let report = &mut answer.report;
        (report.engine, report.reduction) = (noted.engine, noted.reduction);
        report.remarks.extend(noted.remarks);
        (report.storage, report.omission) = (run.search.storage(), run.search.omission());
        if report.stop == StopReason::Complete && !run.search.finds_cycles() && self.prepared.accepts_cycles() {
            report.stop = StopReason::Prefixes;
        }
        Ok(answer)
    }

    fn find_cycle(
        &self,
        storage: Storage,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Step>, EngineError> {
        let mut search = CycleSearch::default_for(storage, budget, self.task.jobs);
        self.explore(&mut search, None, budget, observer)
    }

    fn domain(&self) -> Processes<'_, Executor<'p>, Heuristic<'p>> {
        let initial = self.initial.clone().expect("a model that cannot start is reported before walks");
        Processes::new(self.machines.machine(), self.machines.kernel(), &self.prepared.objective, initial)
    }

    fn state_bytes(&self) -> u64 {
        self.initial.as_ref().map_or(0, |state| state.bytes().len() as u64)
    }

    fn compile(&self, steps: u64) -> bool {
        self.task.exec() == Exec::Jit && self.machines.compile_after(steps)
    }

    fn describe_walks(&self, report: &mut Report) {
        report.executor = Some(self.machines.machine().name());
        report.times.compile = self.machines.compile_time();
        report.remarks.extend(self.machines.remark());
    }

    /// Enough for every process to take some steps.
    fn first_depth(&self) -> u32 {
        (32 * (self.prepared.model.initial_processes.len() as u32 + 1)).clamp(64, 100_000)
    }

    fn heuristics(
        &self,
        entry: &registry::Entry,
        settings: &Settings,
        budget: &Budget,
        first_target_only: bool,
    ) -> Vec<Result<Named<Heuristic<'p>>, HeuristicError>> {
        let targets = ProcessSystem::targets(self.prepared);
        let several = targets.len() > 1;
        let wanted = if first_target_only { &targets[..targets.len().min(1)] } else { &targets[..] };
        let build = |target: &Target| {
            let instances = self.task.instances.as_deref();
            let (prepared, interpreter) = (self.prepared, &self.interpreter);
            entry.build(&Request { prepared, interpreter, target, settings, instances, budget }, several)
        };
        let mut built = Vec::new();
        for target in wanted {
            let one = build(target);
            let is_last = one.as_ref().is_ok_and(|named| named.guide.is_for_every_target());
            built.push(one);
            if is_last {
                break;
            }
        }
        built
    }

    fn statements(&self, coverage: &Coverage) -> Option<Coverage> {
        Some(coverage.clone())
    }

    fn recommendation(&self) -> Recommendation {
        Recommendation::for_processes(self.prepared)
    }

    #[cfg(feature = "symbolic")]
    fn check_with_bdds(
        &self,
        plain: bool,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Step>, EngineError> {
        if plain {
            return Err(EngineError::Refused("bdd-plain is for relations".to_owned()));
        }
        bdd::check(self, budget, observer)
    }

    #[cfg(feature = "symbolic")]
    fn symbolically(
        &self,
        engine: &'static str,
        drop: &[String],
        search: &mut dyn FnMut(&SymbolicGoal<'_>) -> SymbolicAnswer,
    ) -> Result<SymbolicPath<Step>, EngineError> {
        bdd::symbolically(self, engine, drop, search)
    }

    fn found_in(&self, trace: &Trace) -> Option<Found> {
        confirm::found_in(trace)
    }

    fn confirm(&self, found: &Found, minimise: Minimise<'_>) -> Result<Confirmed, EngineError> {
        confirm::confirm(self, found, minimise)
    }
}
