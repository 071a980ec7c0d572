//! What a model is, and how good the guides to violations of its properties are.

use std::time::{Duration, Instant};

use lurcher_heuristics::{Informedness, LocalDistance, ReachabilityGraph, Target, control_flow_dot, informedness};
use lurcher_ir::analysis::{Dependencies, Participation};
use lurcher_ir::{LocationId, Model, ProcessRole, ProcessTypeId};
use lurcher_search::Budget;
use lurcher_system::Interpreter;

use crate::guides::{GuideKind, GuideSettings, Origin};
use crate::quarry::Quarry;
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
pub fn processes(model: &Model) -> Vec<ProcessSummary> {
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

/// Analyses every way to violate a property.
pub fn analyse(
    quarry: &Quarry,
    origin: Origin<'_>,
    (fair, message_loss): (bool, bool),
    seed: u64,
    wanted: (&GuideSettings, &Budget),
) -> Vec<TargetAnalysis> {
    let interpreter = quarry.interpreter(message_loss);
    let targets = quarry.targets();
    targets.iter().map(|t| analyse_target((quarry, fair), &interpreter, t, origin, seed, wanted)).collect()
}

fn analyse_target(
    (quarry, fair): (&Quarry, bool),
    interpreter: &Interpreter<'_>,
    target: &Target,
    origin: Origin<'_>,
    seed: u64,
    wanted: (&GuideSettings, &Budget),
) -> TargetAnalysis {
    let model = &quarry.model;
    let dependencies = Dependencies::new(model);
    let concern = target.concern(model, &dependencies);
    let layers = dependencies.layers(&concern.reads);
    let participation = Participation::new(model, &dependencies, &layers, &concern);
    let reached = ReachabilityGraph::explore(interpreter, target, EXACT)
        .or_else(|| ReachabilityGraph::sample(interpreter, target, seed, SAMPLE_WALKS, SAMPLE_DEPTH, EXACT));
    let (settings, budget) = wanted;
    let measure = |kind: GuideKind| {
        let patience = Instant::now() + PATIENCE;
        let deadline = Some(budget.deadline.map_or(patience, |deadline| deadline.min(patience)));
        let wanted = (settings, &Budget { deadline, ..budget.clone() });
        let made = quarry.guide(interpreter, target, kind, origin, wanted);
        let admissible = made.as_ref().is_ok_and(|g| g.guide.admissible());
        let notes = made.as_ref().map_or_else(|_| Vec::new(), |g| g.notes.clone());
        let informedness = made.map_err(|why| why.to_string()).and_then(|g| match &reached {
            Some(reached) => Ok(informedness(interpreter, &*g.guide, reached, g.build)),
            None => Err("the model cannot start".to_owned()),
        });
        GuideAnalysis { name: kind.name(), admissible, notes, informedness }
    };
    let (part, all) = (participation.participants, participation.processes);
    let advice = quarry.recommendation(fair, interpreter.limits().message_loss);
    let states = advice.diagrams && !matches!(target, Target::Claim(_));
    TargetAnalysis {
        symbolic: states.then(|| guided_symbolic(Some(part as f64 / all.max(1) as f64))),
        advice,
        property: quarry.property.name.clone(),
        target: target.name(),
        layers: layers.layers.iter().map(|l| l.iter().map(|v| v.name(model)).collect()).collect(),
        outside: layers.outside(&dependencies).iter().map(|v| v.name(model)).collect(),
        participants: (part, all),
        guides: GuideKind::ALL.into_iter().map(measure).collect(),
        sample: reached.as_ref().map(|r| Sample { states: r.len(), exact: r.is_exact(), distance: r.distance(0) }),
    }
}

/// The control flow of each process type as a graph in DOT, with distances to a target; the name comes first.
pub fn graphs(quarry: &Quarry, message_loss: bool) -> Vec<(String, String)> {
    let interpreter = quarry.interpreter(message_loss);
    let target = quarry.targets().into_iter().next();
    let guide = target.map(|t| LocalDistance::steps(&interpreter, &t));
    let start = quarry.question().claim.map_or(LocationId(0), |id| quarry.model.process_type(id).initial);
    let systems = quarry.model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System);
    systems
        .map(|(index, p)| {
            let id = ProcessTypeId(index as u16);
            let table = guide.as_ref().map(|g| g.table(start, id));
            (p.name.clone(), control_flow_dot(&quarry.model, id, table))
        })
        .collect()
}
