//! The size of a model against the number of its states, as in figure 4 of the LURCH paper.
//!
//! A random search keeps the model and little else; a complete search keeps the states. The size of a process model is counted
//! like LURCH's AND-OR graph: for each initial process its locations (OR nodes) and its actions (AND nodes), and each global
//! variable. The size of a relation is its variables and the distinct terms of its assignments and constraints. States are
//! those that a breadth-first search for all violations stores.

use std::time::{Duration, Instant};

use lurcher::engines::{ALL_ERRORS, Goal, Options, REDUCTION, Task};
use lurcher::{Form, LoadOptions, Question, Subject};
use lurcher_ir::relation::{Block, Relation};
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_resources::{ResourceLimits, StopSignal};
use lurcher_search::{Budget, RelationSpace, StopReason, bfs};

use crate::conduct::{Conducted, ExperimentObserver, Settings};
use crate::error::ExperimentError;
use crate::output::{make_folder, write_file};
use crate::parallel::in_order;
use crate::report::{Align, Axes, Curve, Machine, curves, markdown_table, page_head};
use crate::spec::Head;

/// A study of a model that grows with a macro.
#[derive(Clone, Debug)]
pub struct GraphStudy {
    pub head: Head,
    pub model: String,
    /// The macro that sets its size.
    pub size: String,
    pub values: Vec<String>,
    /// Time for each search.
    pub time: Duration,
    /// Bytes for each search.
    pub memory: u64,
    /// States of each search.
    pub states: Option<u64>,
}

/// The measurements of one size.
struct Measured {
    size: String,
    graph: usize,
    stored: u64,
    stop: StopReason,
    seconds: f64,
}

/// Measures all sizes and writes the results.
///
/// # Errors
/// When a model cannot be read, when there are results already, or when they cannot be written.
pub fn conduct_graph(
    study: &GraphStudy,
    settings: &Settings,
    interrupt: &StopSignal,
    observer: &mut impl ExperimentObserver,
) -> Result<Conducted, ExperimentError> {
    settings.expect_no_results()?;
    let folder = &settings.folder;
    observer.planned(study.values.len(), 0);
    let measure = |i: usize| measure(study, &study.values[i], interrupt);
    let all = in_order(study.values.len(), settings.jobs, interrupt, measure, |_| observer.progressed(0));
    let Some(all) = all else { return Ok(Conducted::default()) };
    let all: Vec<Measured> = all.into_iter().collect::<Result<_, _>>()?;
    make_folder(&folder.join("plots"))?;
    write_file(&settings.table(), &csv(study, &all))?;
    draw(study, &all, &folder.join("plots/graph"))?;
    let machine = Machine::here(&settings.command, settings.jobs, None);
    write_file(&folder.join("README.md"), &readme(study, &all, &machine))?;
    Ok(Conducted { ran: all.len(), known: all.len(), trials: all.len(), failed: 0, bugs: 0 })
}

fn measure(study: &GraphStudy, size: &str, interrupt: &StopSignal) -> Result<Measured, ExperimentError> {
    let path = study.head.folder.join(&study.model);
    let wrong = |why: String| ExperimentError::about(&path)(why);
    let options = LoadOptions { defines: vec![(study.size.clone(), size.to_owned())], ..LoadOptions::default() };
    let model = lurcher::Model::load(&path, &options).map_err(|e| wrong(e.to_string()))?;
    let started = Instant::now();
    let resources = ResourceLimits::new(started, Some(study.time), Some(study.memory), interrupt.clone());
    let budget = Budget { resources, states: study.states, all_errors: true, ..Budget::default() };
    let (graph, stop, stored) = match model.form() {
        Form::Processes(processes) => {
            let options = Options::default().with(&ALL_ERRORS, "true").with(&REDUCTION, "none");
            let task = Task { options, budget, minimise: None, ..Task::new(Goal::Verify) };
            let safety = (Question::Named("safety".to_owned()), Property::built_in("safety", PropertyKind::Safety));
            let checked = model.check("bfs", &[safety], task, &mut ());
            let report = checked.map_err(|e| wrong(e.to_string()))?.reports.remove(0);
            (graph_of_processes(processes), report.stop, report.stats.stored)
        }
        Form::Relation(relation) => {
            let mut space = RelationSpace::new(relation, &[], false, &budget);
            let outcome = bfs(&mut space, &budget, &mut ());
            (graph_of_relation(relation), outcome.stop, outcome.stats.stored)
        }
        _ => return Err(wrong("this kind of model has no size".to_owned())),
    };
    Ok(Measured { size: size.to_owned(), graph, stored, stop, seconds: started.elapsed().as_secs_f64() })
}

fn graph_of_processes(model: &Model) -> usize {
    let nodes = |(of, _): &(lurcher_ir::ProcessTypeId, u8)| {
        let ty = &model.process_types[usize::from(of.0)];
        // Location 0 is not used.
        ty.locations.len().saturating_sub(1) + ty.actions.len()
    };
    model.globals.len() + model.initial_processes.iter().map(nodes).sum::<usize>()
}

fn graph_of_relation(relation: &Relation) -> usize {
    relation.variables.len() + relation.terms.closure(relation.blocks().flat_map(Block::terms)).len()
}

fn csv(study: &GraphStudy, all: &[Measured]) -> String {
    let row = |m: &Measured| format!("{},{},{},{},{:.6}\n", m.size, m.graph, m.stored, m.stop.name(), m.seconds);
    format!("{},graph,stored,stop,seconds\n{}", study.size, all.iter().map(row).collect::<String>())
}

fn draw(study: &GraphStudy, all: &[Measured], path: &std::path::Path) -> Result<bool, ExperimentError> {
    let line = |name: &str, value: &dyn Fn(&Measured) -> Option<f64>| {
        let point = |m: &Measured| Some((m.size.parse().ok()?, value(m)?));
        Curve::new(name, all.iter().filter_map(point).collect())
    };
    let complete = |m: &Measured| (m.stop == StopReason::Complete).then_some(m.stored as f64);
    let lines = [line("stored states", &complete), line("size of the model", &|m| Some(m.graph as f64))];
    curves(path, &study.head.title, (&study.size, "nodes, states"), Axes::LogY, &lines)
}

fn readme(study: &GraphStudy, all: &[Measured], machine: &Machine) -> String {
    let head = [&study.size, "size of the model", "stored states", "ended by", "seconds"];
    let line = |m: &Measured| {
        let bound = if m.stop == StopReason::Complete { "" } else { "≥ " };
        let stored = format!("{bound}{}", m.stored);
        vec![m.size.clone(), m.graph.to_string(), stored, m.stop.name().to_owned(), format!("{:.3}", m.seconds)]
    };
    let lines: Vec<Vec<String>> = all.iter().map(line).collect();
    let table = markdown_table(&head, &lines, Align::Right);
    format!("{}\n{COUNTED}\n{table}\n![{}](plots/graph.svg)\n", page_head(&study.head, machine), study.head.title)
}

const COUNTED: &str = "\
The size of a model of processes is the number of global variables, and of locations and actions of every process that
exists at the start; that of a relation is the number of variables and of different terms in its assignments and
constraints. That is what a random search keeps. Stored states are what a complete breadth-first search keeps, past
all violations; one that was stopped has no point in the plot.
";
