//! An experiment from plan to results.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use lurcher_resources::StopSignal;
use lurcher_syntax::{did_you_mean, glob};

use crate::error::ExperimentError;
use crate::guides::Guides;
use crate::output::{self, make_folder};
use crate::parallel;
use crate::peers::trial::{find_nusmv, find_spin};
use crate::plan::Plan;
use crate::record::{Results, Row, RowWriter, read_rows};
use crate::report::Machine;
use crate::run::run;
use crate::spec::Experiment;
use crate::trial::Way;

/// How an experiment is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where results go.
    pub folder: PathBuf,
    /// Trials at a time.
    pub jobs: usize,
    /// Go on from the results that are there.
    pub resume: bool,
    /// Only trials that match all of these: `series=NAME`, `guide=none`, `N=10`, `engine=*`.
    pub only: Vec<String>,
    /// The command, for the record.
    pub command: String,
}

/// The counts of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conducted {
    /// Trials that were run.
    pub ran: usize,
    /// Trials of the plan that have a result now.
    pub known: usize,
    /// Trials of the plan.
    pub trials: usize,
    /// Trials that could not be run, such as those with a guide that the model does not allow. The notes of their rows say why.
    pub failed: usize,
    /// Trials that showed a bug in lurcher.
    pub bugs: usize,
}

impl Settings {
    /// The file with one row for each trial.
    pub(crate) fn table(&self) -> PathBuf {
        self.folder.join("trials.csv")
    }

    /// Refuses to start a study where there are results.
    pub(crate) fn expect_no_results(&self) -> Result<(), ExperimentError> {
        if self.table().exists() { Err(ExperimentError::NoResume(self.table())) } else { Ok(()) }
    }
}

/// Receives the progress of an experiment, on the thread that started it.
pub trait ExperimentObserver {
    /// The number of trials, and how many of them need not be run again.
    fn planned(&mut self, trials: usize, known: usize) {
        let _ = (trials, known);
    }

    /// A trial has ended.
    fn finished(&mut self, row: &Row) {
        let _ = row;
    }

    /// A piece of a study has ended; so many properties were violated.
    fn progressed(&mut self, violated: usize) {
        let _ = violated;
    }
}

impl ExperimentObserver for () {}

/// Results by trial id.
pub(crate) type Known = HashMap<String, Results>;

/// Runs the trials without results and writes everything.
///
/// # Errors
/// When results cannot be read or written, when there are results and `resume` is off, or when Spin or NuSMV is missing.
pub fn conduct(
    experiment: &Experiment,
    plan: &Plan,
    settings: &Settings,
    interrupt: &StopSignal,
    observer: &mut impl ExperimentObserver,
) -> Result<Conducted, ExperimentError> {
    let folder = &settings.folder;
    let table = settings.table();
    if table.exists() && !settings.resume {
        return Err(ExperimentError::Exists(table));
    }
    let wanted = wanted(experiment, plan, &settings.only);
    let with_spin = wanted.iter().any(|&t| matches!(plan.trials[t].way, Way::Spin(_)));
    let spin = with_spin.then(find_spin).transpose()?;
    if wanted.iter().any(|&t| matches!(plan.trials[t].way, Way::Nusmv(_))) {
        find_nusmv()?;
    }
    for part in ["traces", "tables", "plots"] {
        make_folder(&folder.join(part))?;
    }
    let ids: Vec<String> = plan.trials.iter().map(|t| t.parameters.id()).collect();
    let own: HashSet<&String> = ids.iter().collect();
    let (mine, others): (Vec<Row>, Vec<Row>) = read_rows(&table)?.into_iter().partition(|r| own.contains(&r.id));
    // A trial that failed is run again.
    let mut known: Known = mine.into_iter().filter(|r| !r.results.is_error()).map(|r| (r.id, r.results)).collect();
    let before = known.len();
    output::write_rows(&table, plan, &known, &others)?;
    let mut writer = RowWriter::append(&table)?;
    let open: Vec<usize> = (0..ids.len()).filter(|t| wanted.contains(t) && !known.contains_key(&ids[*t])).collect();
    observer.planned(wanted.len(), wanted.len() - open.len());
    let guides = Guides::default();
    let trial = |i: usize| {
        let trial = &plan.trials[open[i]];
        run(trial, &plan.instances[trial.instance], &guides, folder, interrupt)
    };
    parallel::run(open.len(), settings.jobs, interrupt, trial, |i, results| {
        // An interrupted trial has no results.
        let Some(results) = results else { return Ok(()) };
        let (id, parameters) = (ids[open[i]].clone(), plan.trials[open[i]].parameters.clone());
        let row = Row { id, parameters, results };
        writer.add(&row)?;
        observer.finished(&row);
        known.insert(row.id, row.results);
        Ok::<(), ExperimentError>(())
    })?;
    drop(writer);
    output::write_rows(&table, plan, &known, &others)?;
    let machine = Machine::here(&settings.command, settings.jobs, spin);
    output::write(experiment, plan, &known, folder, &machine)?;
    Ok(Conducted {
        ran: known.len() - before,
        known: known.len(),
        trials: plan.trials.len(),
        failed: known.values().filter(|r| r.is_error()).count(),
        bugs: known.values().filter(|r| r.stop == "bug").count(),
    })
}

/// Says that no trial matches all patterns, and what there is instead.
pub fn unmatched(experiment: &Experiment, plan: &Plan, only: &[String]) -> Option<String> {
    if !wanted(experiment, plan, only).is_empty() {
        return None;
    }
    let nothing = |pattern: &&String| wanted(experiment, plan, std::slice::from_ref(pattern)).is_empty();
    let Some(pattern) = only.iter().find(nothing) else {
        return Some(format!("no trial matches all of {}", only.join(", ")));
    };
    let mut values: Vec<String> = experiment.series.iter().map(|s| format!("series={}", s.name)).collect();
    for parameters in plan.trials.iter().map(|t| &t.parameters) {
        values.extend(parameters.define.split_whitespace().map(str::to_owned));
        let fields = parameters.fields().into_iter().filter(|(name, value)| *name != "text" && !value.is_empty());
        values.extend(fields.map(|(name, value)| format!("{name}={value}")));
    }
    let wanted = pattern.split('=').next().unwrap_or_default();
    let mut near: Vec<&str> =
        values.iter().map(String::as_str).filter(|v| v.split('=').next() == Some(wanted)).collect();
    if near.is_empty() {
        near = values.iter().filter_map(|v| v.split('=').next()).collect();
    }
    near.sort_unstable();
    near.dedup();
    let value = |text: &'_ str| text.find('=').map_or(0, |at| at + 1);
    let meant = match near.iter().any(|near| near.contains('=')) {
        true => did_you_mean(&pattern[value(pattern)..], near.iter().map(|near| &near[value(near)..])),
        false => did_you_mean(wanted, near.iter().copied()),
    };
    let more = near.len().saturating_sub(MOST_NAMES);
    near.truncate(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("no trial matches {pattern}; there are {}{more}{meant}", near.join(", ")))
}

/// The most names that a message lists.
const MOST_NAMES: usize = 20;

/// The trials that match all patterns.
fn wanted(experiment: &Experiment, plan: &Plan, only: &[String]) -> HashSet<usize> {
    let mut wanted = HashSet::new();
    for (series, groups) in experiment.series.iter().zip(&plan.groups) {
        let name = format!("series={}", series.name);
        for &trial in groups.iter().flat_map(|g| &g.trials) {
            let parameters = &plan.trials[trial].parameters;
            if only.iter().all(|pattern| glob(pattern, &name) || parameters.matches(pattern)) {
                wanted.insert(trial);
            }
        }
    }
    wanted
}
