//! Branches tested before each step of a walk: the thesis's α (figure 6.8).
//!
//! The walk that found the violation is repeated. Only unguided walks have such a curve: there the number of tests shows how
//! many processes are blocked.

use std::path::Path;

use lurcher::engines::{GUIDE, prepare, walk_plan};
use lurcher_search::{Keep, Kind, ProcessPosition, Semantics, Walker};

use crate::error::ExperimentError;
use crate::plan::Plan;
use crate::record::Results;
use crate::report::{Curve, curves};
use crate::spec::Series;
use crate::trial::{Trial, Way};

use super::{GroupOutcome, RowsByTrial, write_csv};

/// Points of a curve; each is the mean over a part of the walk.
const POINTS: usize = 200;

/// Writes one curve for each group of a series, of the first trial that found a violation. Returns the name of the plot.
pub(super) fn write(
    folder: &Path,
    series: &Series,
    plan: &Plan,
    outcomes: &[GroupOutcome<'_>],
    rows: &RowsByTrial<'_>,
) -> Result<Option<String>, ExperimentError> {
    let mut records = Vec::new();
    let mut lines = Vec::new();
    for GroupOutcome { group, .. } in outcomes {
        let found = |&t: &usize| {
            let (_, results) = rows[t].filter(|(_, r)| r.is_violated())?;
            Some((&plan.trials[t], tries(&plan.trials[t], results, plan)?))
        };
        let Some((trial, tries)) = group.trials.iter().find_map(found) else { continue };
        let id = trial.parameters.id();
        for (step, n) in tries.iter().enumerate() {
            let (size, configuration) = (group.size.clone(), group.configuration.clone());
            records.push(vec![id.clone(), size, configuration, (step + 1).to_string(), n.to_string()]);
        }
        let name = format!("{} {}", group.size, group.configuration);
        lines.push(Curve::new(name.trim(), smooth(&tries)));
    }
    let name = format!("{}-tries", series.name);
    let head = ["trial", "size", "configuration", "step", "tries"];
    write_csv(&folder.join("tables").join(format!("{name}.csv")), &head, &records)?;
    let axes = ("step of the walk", "branches tested before the step");
    let drawn = curves(&folder.join("plots").join(&name), &series.title, axes, series.log, &lines)?;
    Ok(drawn.then_some(name))
}

/// The number of tests before each step of the walk that found the violation.
fn tries(trial: &Trial, results: &Results, plan: &Plan) -> Option<Vec<u32>> {
    let Way::Engine { info, options } = &trial.way else { return None };
    let kind = match info.name {
        "walk" => Kind::Walk,
        "trail" => Kind::Trail,
        _ => return None,
    };
    if !options.is(&GUIDE, "none") {
        return None;
    }
    let unit = results.unit?;
    let instance = &plan.instances[trial.instance];
    let (_, property) = instance.questions[trial.question].properties.first()?;
    let prepared = prepare(instance.model.processes()?, property, Semantics::default()).ok()?;
    let interpreter = prepared.interpreter();
    let initial = interpreter.initial().ok()?;
    let mut walker = Walker::new(ProcessPosition::<_, ()>::new(&interpreter, &prepared.objective, &initial));
    let keep = Keep { path: true, blind: true, ..Keep::default() };
    let walked = walker.run(walk_plan(kind, options), None, (trial.seed, unit), keep, || false);
    walked.found.map(|_| walked.tries_by_step)
}

/// Means over parts of equal length.
fn smooth(tries: &[u32]) -> Vec<(f64, f64)> {
    let window = tries.len().div_ceil(POINTS).max(1);
    let mean = |part: &[u32]| part.iter().map(|&n| f64::from(n)).sum::<f64>() / part.len() as f64;
    tries.chunks(window).enumerate().map(|(i, part)| ((i * window + part.len()) as f64, mean(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_walks_are_reduced_to_means() {
        assert_eq!(smooth(&[1, 2, 3]), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        let long: Vec<u32> = (0..400).collect();
        assert_eq!(smooth(&long)[..2], [(2.0, 0.5), (4.0, 2.5)]);
    }
}
