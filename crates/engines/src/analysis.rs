//! What a model is, and how good the guides to violations of its properties are.

use std::time::{Duration, Instant};

use lurcher_heuristics::registry::{self, HEURISTICS, Request};
use lurcher_heuristics::{Informedness, LocalDistance, ReachabilityGraph, Target, control_flow_dot, informedness};
use lurcher_ir::analysis::{ComponentCounts, Dependencies};
use lurcher_ir::{LocationId, Model, ProcessRole, ProcessTypeId};
use lurcher_resources::LimitReached;
use lurcher_search::{Guidance, Observer, Phase, Prepared};
use lurcher_system::Interpreter;

use crate::engine::Task;
use crate::processes::ProcessSystem;
use crate::recommend::{Recommendation, guided_symbolic};

/// The most states for which distances are computed exactly.
const EXACT: usize = 20_000;
/// Otherwise so many walks,
const SAMPLE_WALKS: usize = 60;
/// each of so many steps.
const SAMPLE_DEPTH: usize = 300;

/// Time for making one guide.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process type in numbers.
#[derive(Clone, Debug)]
pub struct ProcessSummary {
    /// Its name.
    pub name: String,
    /// Processes of it that exist from the start.
    pub active: usize,
    /// Locations that can be reached by its control flow.
    pub locations: usize,
    /// Variables of its own.
    pub variables: usize,
}

/// What is known about one way to violate a property.
#[derive(Clone, Debug)]
pub struct TargetAnalysis {
    /// The property.
    pub property: String,
    /// The kind of violation.
    pub target: &'static str,
    /// The components of the claim, and whether accepting locations of the processes count beside its own.
    pub claim: Option<(ComponentCounts, bool)>,
    /// Variables by their distance from the property: layer 0 is what it reads.
    pub layers: Vec<Vec<String>>,
    /// Variables that cannot matter to it.
    pub outside: Vec<String>,
    /// Processes that can take part, and all.
    pub participants: (usize, usize),
    /// The engine to use for the property.
    pub advice: Recommendation,
    /// The guided symbolic engine to use for this kind of violation, if any can be.
    pub symbolic: Option<&'static str>,
    /// The guides, or why there is none.
    pub guides: Vec<GuideAnalysis>,
    /// States that the guides were measured on.
    pub sample: Option<Sample>,
}

/// The states that guides were measured on.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub states: usize,
    /// These are all states of the model.
    pub exact: bool,
    /// Steps from the initial state to the nearest violation among them.
    pub distance: Option<u32>,
}

/// A guide and how well it does.
#[derive(Clone, Debug)]
pub struct GuideAnalysis {
    /// Its name.
    pub name: &'static str,
    /// It never overestimates.
    pub admissible: bool,
    /// How it came about, a sentence each.
    pub notes: Vec<String>,
    /// How well it does; or why it cannot be made.
    pub informedness: Result<Informedness, String>,
}

/// The process types of a model in numbers.
pub fn process_summaries(model: &Model) -> Vec<ProcessSummary> {
    let systems = model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System);
    systems
        .map(|(index, p)| {
            let id = ProcessTypeId(index as u16);
            let depths = lurcher_ir::analysis::ControlFlow::new(p, None).depths();
            let reached = |n: &usize| depths.of(LocationId(*n as u16)).is_some();
            ProcessSummary {
                name: p.name.clone(),
                active: model.initial_processes.iter().filter(|(ty, _)| *ty == id).count(),
                locations: (0..p.locations.len()).filter(reached).count(),
                variables: p.locals.len(),
            }
        })
        .collect()
}

/// Analyses every kind of violation of a property, one after the other.
///
/// # Errors
/// When a limit was reached; what is complete is among `found`.
pub fn analyse(
    prepared: &Prepared,
    task: &Task<'_>,
    observer: &mut dyn Observer,
    found: &mut Vec<TargetAnalysis>,
) -> Result<(), LimitReached> {
    let (interpreter, resources) = (prepared.interpreter(), &task.budget.resources);
    for target in ProcessSystem::targets(prepared) {
        found.push(resources.bound(|| analyse_target(prepared, &interpreter, &target, task, observer))?);
    }
    resources.reached().map_or(Ok(()), Err)
}

fn analyse_target(
    prepared: &Prepared,
    interpreter: &Interpreter<'_>,
    target: &Target,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> TargetAnalysis {
    let mut begin = |activity: &str| {
        observer.phase(&Phase { engine: "analyze", property: &prepared.property.name, activity });
    };
    begin("exploring states for their distances");
    let model = &prepared.model;
    let dependencies = Dependencies::new(model);
    let concern = target.concern(model, &dependencies);
    let layers = dependencies.layers(&concern.reads);
    let participation = dependencies.participation(&layers, &concern);
    let reached = ReachabilityGraph::explore(interpreter, target, EXACT)
        .or_else(|| ReachabilityGraph::sample(interpreter, target, task.seed, SAMPLE_WALKS, SAMPLE_DEPTH, EXACT));
    let settings = &task.heuristic_settings();
    let mut measure = |entry: &'static registry::Entry| {
        begin(&format!("making the guide {}", entry.name));
        let patience = Instant::now() + PATIENCE;
        let budget = &task.budget.until(patience);
        let request = Request { prepared, interpreter, target, settings, instances: task.instances.as_deref(), budget };
        let made = entry.build(&request, false);
        let admissible = made.as_ref().is_ok_and(|g| g.guide.admissible());
        let notes = made.as_ref().map_or_else(|_| Vec::new(), |g| g.notes.clone());
        let informedness = made.map_err(|why| why.to_string()).and_then(|g| match &reached {
            _ if g.guide.looks_back() => Err("it ranks the last moves, not states, so it has no distances".to_owned()),
            Some(reached) => budget
                .resources
                .bound(|| informedness(interpreter, &*g.guide as &dyn Guidance, reached, g.time))
                .map_err(|limit| format!("{limit} while it was measured")),
            None => Err("the model cannot start".to_owned()),
        });
        GuideAnalysis { name: entry.name, admissible, notes, informedness }
    };
    let (part, all) = (participation.participants, participation.instances);
    let mut advice = Recommendation::for_processes(prepared);
    let states = advice.bdds && !matches!(target, Target::Claim(_));
    if let Some(all) = reached.as_ref().filter(|r| r.is_exact()) {
        advice = advice.of_all_states(all.len());
    }
    TargetAnalysis {
        symbolic: states.then(|| guided_symbolic(Some(part as f64 / all.max(1) as f64))),
        advice,
        property: prepared.property.name.clone(),
        target: target.name(),
        claim: prepared.claim_components().map(|counts| (counts, prepared.processes_accept())),
        layers: layers.layers.iter().map(|l| l.iter().map(|v| v.name(model)).collect()).collect(),
        outside: layers.outside.iter().map(|v| v.name(model)).collect(),
        participants: (part, all),
        guides: HEURISTICS.iter().map(&mut measure).collect(),
        sample: reached.as_ref().map(|r| Sample { states: r.len(), exact: r.is_exact(), distance: r.distance(0) }),
    }
}

/// The control flow of each process type as a graph in DOT, with distances to the first target; the name comes first.
pub fn control_flow_graphs(prepared: &Prepared) -> Vec<(String, String)> {
    let (model, interpreter) = (&prepared.model, prepared.interpreter());
    let target = ProcessSystem::targets(prepared).into_iter().next();
    let distances = target.map(|t| LocalDistance::steps(&interpreter, &t));
    let claim = prepared.objective.claim.and_then(|c| c.process_type());
    let start = claim.map_or(LocationId(0), |id| model.process_type(id).initial);
    let systems = model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System);
    systems
        .map(|(index, p)| {
            let id = ProcessTypeId(index as u16);
            let table = distances.as_ref().map(|d| d.table(start, id));
            (p.name.clone(), control_flow_dot(model, id, table))
        })
        .collect()
}
