//! Branches tested before each step of a walk: the thesis's α (figure 6.8).
//!
//! The walk that found the violation is made once more. Only unguided walks have such a curve: for them the number of
//! tests says how many processes are blocked.

use std::path::Path;

use crate::report::Curve;
use lurcher_engines::Quarry;
use lurcher_search::{Keep, ProcessPosition, Walker};

use crate::error::ExperimentError;
use crate::plan::Plan;
use crate::plot;
use crate::record::Results;
use crate::spec::Series;
use crate::trial::{Trial, Way};

use super::{GroupOutcome, RowsByTrial};

/// Points of a curve: each is the mean over its part of the walk.
const POINTS: usize = 200;

/// Writes the curves of a series, one for each group: the first trial that found something. Gives the picture's name.
pub(super) fn write(
    folder: &Path,
    series: &Series,
    plan: &Plan,
    outcomes: &[GroupOutcome<'_>],
    rows: &RowsByTrial<'_>,
) -> Result<Option<String>, ExperimentError> {
    let path = folder.join("tables").join(format!("{}-tries.csv", series.name));
    let failed = |e: csv::Error| ExperimentError::Csv(path.clone(), e.to_string());
    let mut writer = csv::Writer::from_path(&path).map_err(failed)?;
    writer.write_record(["trial", "size", "configuration", "step", "tries"]).map_err(failed)?;
    let mut curves = Vec::new();
    for GroupOutcome { group, .. } in outcomes {
        let found = |&t: &usize| {
            let (_, results) = rows[t].filter(|(_, r)| r.is_violated())?;
            Some((&plan.trials[t], tries(&plan.trials[t], results, plan)?))
        };
        let Some((trial, tries)) = group.trials.iter().find_map(found) else { continue };
        let id = trial.parameters.id();
        for (step, n) in tries.iter().enumerate() {
            let (step, n) = ((step + 1).to_string(), n.to_string());
            writer.write_record([&id, &group.size, &group.configuration, &step, &n]).map_err(failed)?;
        }
        let name = format!("{} {}", group.size, group.configuration);
        curves.push(Curve { name: name.trim().to_owned(), points: smooth(&tries), bars: Vec::new() });
    }
    writer.flush().map_err(|e| ExperimentError::Io(path.clone(), e))?;
    let name = format!("{}-tries", series.name);
    let axes = ("step of the walk", "branches tested before the step");
    let drawn = plot::curves(&folder.join("plots").join(&name), &series.title, axes, series.log, &curves)?;
    Ok(drawn.then_some(name))
}

/// The tests before each step of the walk that found the violation.
fn tries(trial: &Trial, results: &Results, plan: &Plan) -> Option<Vec<u32>> {
    let Way::Walks { plan: walk, guide: None, .. } = &trial.way else { return None };
    let unit = results.unit?;
    let instance = &plan.instances[trial.instance];
    let (_, property) = instance.questions[trial.question].properties.first()?;
    let quarry = Quarry::new(instance.processes()?.model(), property).ok()?;
    let (interpreter, objective) = (quarry.interpreter(false), quarry.objective(false));
    let initial = interpreter.initial().ok()?;
    let mut walker = Walker::new(ProcessPosition::<_, ()>::new(&interpreter, &objective, &initial));
    let keep = Keep { path: true, blind: true, ..Keep::default() };
    let walked = walker.run(*walk, None, (trial.seed, unit), keep, || false);
    walked.found.map(|_| walked.tries_by_step)
}

/// Means over parts of a walk.
fn smooth(tries: &[u32]) -> Vec<(f64, f64)> {
    let window = tries.len().div_ceil(POINTS).max(1);
    let mean = |part: &[u32]| part.iter().map(|&n| f64::from(n)).sum::<f64>() / part.len() as f64;
    tries.chunks(window).enumerate().map(|(i, part)| ((i * window + part.len()) as f64, mean(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_walks_are_shown_by_means() {
        assert_eq!(smooth(&[1, 2, 3]), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        let long: Vec<u32> = (0..400).collect();
        assert_eq!(smooth(&long)[..2], [(2.0, 0.5), (4.0, 2.5)]);
    }
}
