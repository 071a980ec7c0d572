//! An experiment from plan to results.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::ExperimentError;
use crate::execute::{ExperimentObserver, Known, execute};
use crate::output::{self, Machine};
use crate::peers::trial::{find_nusmv, find_spin};
use crate::plan::Plan;
use crate::record::{Row, RowWriter, read_rows};
use crate::spec::Experiment;
use crate::trial::{Way, glob};

/// What the user wants of an experiment.
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

/// What an experiment came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conducted {
    /// Trials that were run.
    pub ran: usize,
    /// Trials of the plan that have a result now.
    pub known: usize,
    /// Trials of the plan.
    pub trials: usize,
    /// Trials that could not be made: a guide that the model does not allow, say. The notes of their rows tell why.
    pub failed: usize,
    /// Trials that showed a bug in lurcher.
    pub bugs: usize,
}

/// Runs what is missing and writes the results.
///
/// # Errors
/// When results cannot be read or written, are there and must not be, or Spin is asked for and missing.
pub fn conduct(
    experiment: &Experiment,
    plan: &Plan,
    settings: &Settings,
    interrupt: &Arc<AtomicBool>,
    observer: &mut impl ExperimentObserver,
) -> Result<Conducted, ExperimentError> {
    let folder = &settings.folder;
    let table = folder.join("trials.csv");
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
    let ids: HashSet<String> = plan.trials.iter().map(|t| t.parameters.id()).collect();
    let (mine, others): (Vec<Row>, Vec<Row>) = read_rows(&table)?.into_iter().partition(|r| ids.contains(&r.id));
    // A trial that failed is tried again.
    let mut known: Known =
        mine.into_iter().filter(|r| r.results.verdict != "error").map(|r| (r.id, r.results)).collect();
    let before = known.len();
    output::write_rows(&table, plan, &known, &others)?;
    let mut writer = RowWriter::append(&table)?;
    execute(plan, &wanted, (folder, settings.jobs), &mut known, &mut writer, interrupt, observer)?;
    drop(writer);
    output::write_rows(&table, plan, &known, &others)?;
    let machine = Machine::here(&settings.command, settings.jobs, spin);
    output::write(experiment, plan, &known, folder, &machine)?;
    Ok(Conducted {
        ran: known.len() - before,
        known: known.len(),
        trials: plan.trials.len(),
        failed: known.values().filter(|r| r.verdict == "error").count(),
        bugs: known.values().filter(|r| r.stop == "bug").count(),
    })
}

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

pub(crate) fn make_folder(path: &Path) -> Result<(), ExperimentError> {
    std::fs::create_dir_all(path).map_err(|e| ExperimentError::Io(path.to_owned(), e))
}
