//! The files of an experiment: tables, plots and the page.
//!
//! They are made from the rows alone, so that a resumed experiment ends with the same files as one without interruption.

mod comparison;
mod effort;
mod markdown;
mod normalised;
mod outcome;
mod summary;
mod tries;

use std::path::Path;

use crate::conduct::Known;
use crate::error::ExperimentError;
use crate::plan::Plan;
use crate::plot;
use crate::record::{Row, RowWriter};
use crate::report::Machine;
use crate::spec::{Experiment, Plot, Series};

pub(crate) use comparison::Compared;
pub(crate) use normalised::normalised;
pub(crate) use outcome::{GroupOutcome, RowsByTrial};

/// Writes tables and plots of an experiment into its folder.
pub(crate) fn write(
    experiment: &Experiment,
    plan: &Plan,
    known: &Known,
    folder: &Path,
    machine: &Machine,
) -> Result<(), ExperimentError> {
    let rows = outcome::rows_by_trial(plan, known);
    let mut parts: Vec<(&Series, Vec<GroupOutcome<'_>>)> = Vec::new();
    for (series, groups) in experiment.series.iter().zip(&plan.groups) {
        parts.push((series, groups.iter().map(|g| GroupOutcome::new(g, &rows)).collect()));
    }
    let mut sections = Vec::new();
    for (series, outcomes) in &parts {
        let mut plots = Vec::new();
        for plot in &series.plots {
            let name = match plot {
                Plot::Mean(metric) => format!("{}-{}", series.name, metric.name()),
                Plot::Times => format!("{}-times", series.name),
            };
            if plot::draw(&folder.join("plots").join(&name), series, *plot, outcomes)? {
                plots.push(name);
            }
        }
        if series.choices.tries {
            plots.extend(tries::write(folder, series, plan, outcomes, &rows)?);
        }
        let details = format!("tables/{}.md", series.name);
        write_file(&folder.join(&details), &markdown::details(series, outcomes))?;
        sections.push(markdown::section(series, outcomes, &plots));
    }
    summary::write(&folder.join("summary.csv"), &parts)?;
    normalised::write(&folder.join("normalised.csv"), &parts)?;
    let comparisons = experiment.comparisons.iter().zip(&plan.pairs);
    let compared: Vec<Compared<'_>> = comparisons.map(|(one, pairs)| Compared::new(one, pairs, &parts)).collect();
    for (comparison, compared) in experiment.comparisons.iter().zip(&compared) {
        let name = format!("{}-normalised", comparison.name);
        let is_drawn = plot::draw_comparison(&folder.join("plots").join(&name), compared)?;
        sections.push(compared.section(is_drawn.then_some(&name)));
    }
    if !compared.is_empty() {
        comparison::write(&folder.join("comparisons.csv"), &compared)?;
    }
    let done = rows.iter().flatten().count();
    write_file(&folder.join("README.md"), &markdown::readme(experiment, &sections, machine, (done, rows.len())))
}

/// Writes the rows again: those of the plan in its order, then the others.
pub(crate) fn write_rows(path: &Path, plan: &Plan, known: &Known, others: &[Row]) -> Result<(), ExperimentError> {
    let unfinished = path.with_extension("csv.new");
    let mut writer = RowWriter::create(&unfinished)?;
    for trial in &plan.trials {
        let id = trial.parameters.id();
        if let Some(results) = known.get(&id) {
            writer.add(&Row { id, parameters: trial.parameters.clone(), results: results.clone() })?;
        }
    }
    for row in others {
        writer.add(row)?;
    }
    drop(writer);
    std::fs::rename(&unfinished, path).map_err(ExperimentError::about(path))
}

/// Writes a table of text as CSV.
pub(crate) fn write_csv(path: &Path, head: &[&str], rows: &[Vec<String>]) -> Result<(), ExperimentError> {
    let failed = ExperimentError::about::<csv::Error>(path);
    let mut writer = csv::Writer::from_path(path).map_err(&failed)?;
    writer.write_record(head).map_err(&failed)?;
    rows.iter().try_for_each(|row| writer.write_record(row)).map_err(failed)?;
    writer.flush().map_err(ExperimentError::about(path))
}

pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), ExperimentError> {
    std::fs::write(path, text).map_err(ExperimentError::about(path))
}

pub(crate) fn make_folder(path: &Path) -> Result<(), ExperimentError> {
    std::fs::create_dir_all(path).map_err(ExperimentError::about(path))
}
