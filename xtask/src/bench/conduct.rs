//! Running the trials, in turns.

use std::path::Path;

use super::places::Places;
use super::plan::{Scale, trials};
use super::run::{Measure, Rows, Run};

/// Runs all trials of all measures `repeat` times and keeps the rows in a file. A measure or trial that
/// fails is named, and the others go on without it.
pub fn conduct(
    measures: &[Measure],
    repeat: u32,
    scale: &Scale,
    places: &Places,
    file: &Path,
) -> Result<Vec<Run>, String> {
    let mut rows = Rows::create(file)?;
    for &measure in measures {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        eprintln!("{measure:?}: planning");
        let planned = trials(measure, scale, places, &folder);
        let mut trials = planned.inspect_err(|reason| eprintln!("{measure:?}: {reason}")).unwrap_or_default();
        for repetition in 1..=repeat {
            eprintln!("{measure:?}: repetition {repetition} of {repeat}, {} trials", trials.len());
            let mut failed = Vec::new();
            for number in in_turns(trials.len(), repetition) {
                match trials[number].run(repetition, places) {
                    Ok(runs) => runs.into_iter().try_for_each(|run| rows.add(run))?,
                    Err(reason) => {
                        eprintln!("{measure:?}: {reason}");
                        failed.push(number);
                    }
                }
            }
            failed.sort_unstable();
            failed.into_iter().rev().for_each(|number| drop(trials.remove(number)));
        }
    }
    Ok(rows.all)
}

/// Forwards and backwards by turns, so that neither side of a pair always comes first.
fn in_turns(count: usize, repetition: u32) -> Vec<usize> {
    if repetition % 2 == 1 { (0..count).collect() } else { (0..count).rev().collect() }
}
