//! The effort of a heuristic: processor time for an expanded state, beside breadth-first search.
//!
//! The models have no violation, so breadth-first search and best-first search with any heuristic store and expand the same
//! states, and what differs is the time for heuristic and open list. The time of a run includes loading, native code and the
//! building of the heuristic.

use std::path::Path;

use lurcher_lab::report::{Align, markdown_table};

use super::search::{Effort, Runner};
use super::subject::{Subject, subjects};
use super::sweep::guides;

/// What the cheap heuristics should take at most, beside breadth-first search.
const GOAL: f64 = 2.0;

/// Processor seconds for an expanded state.
fn cost(effort: &Effort) -> f64 {
    effort.processor / effort.expanded.max(1) as f64
}

/// The median of ratios, of which there is at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// One complete search.
fn search(subject: &Subject, runner: &Runner, engine: &str, guide: &str) -> Result<Effort, String> {
    let mut arguments = subject.arguments.clone();
    arguments.extend(["--engine", engine, "--reduction", "none"].map(str::to_owned));
    if guide != "none" {
        arguments.extend(["--guide", guide].map(str::to_owned));
    }
    let effort = runner.search(&subject.model, &arguments)?;
    match (&*effort.verdict, &*effort.stop) {
        (_, "complete") => Ok(effort),
        (verdict, stop) => Err(format!("{}: {engine} {guide} is {verdict} after {stop}", subject.name)),
    }
}

/// The median ratio to breadth-first search for each guide, or `None` where the guide refuses the model. The runs of the guides take turns.
fn ratios(subject: &Subject, runner: &Runner, rounds: usize) -> Result<(u64, Vec<Option<f64>>), String> {
    let guides: Vec<&str> = guides().collect();
    let mut measured: Vec<Vec<f64>> = vec![Vec::new(); guides.len()];
    let mut expanded = 0;
    for _ in 0..rounds.max(1) {
        let bfs = search(subject, runner, "bfs", "none")?;
        expanded = bfs.expanded;
        for (guide, measured) in guides.iter().zip(&mut measured) {
            // A heuristic that does not fit the model says so in each round.
            if let Ok(effort) = search(subject, runner, "best-first", guide) {
                if effort.expanded != expanded {
                    return Err(format!("{}: {guide} expands {}, not {expanded}", subject.name, effort.expanded));
                }
                measured.push(cost(&effort) / cost(&bfs));
            }
        }
    }
    Ok((expanded, measured.into_iter().map(|ratios| (!ratios.is_empty()).then(|| median(ratios))).collect()))
}

/// Measures all models of the list; returns the page and whether every heuristic meets the goal on the average.
pub(super) fn page(list: &Path, only: &[String], runner: &Runner, rounds: usize) -> Result<(String, bool), String> {
    let subjects = subjects(list, only)?;
    let mut columns = Vec::new();
    for subject in &subjects {
        columns.push(ratios(subject, runner, rounds)?);
        eprintln!("{}: {:?}", subject.name, columns[columns.len() - 1]);
    }
    let mean = |index: usize| {
        let ratios: Vec<f64> = columns.iter().filter_map(|(_, ratios)| ratios[index]).collect();
        (!ratios.is_empty()).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
    };
    let cell = |ratio: Option<f64>| ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
    let line = |(index, guide): (usize, &str)| {
        let models = columns.iter().map(|(_, ratios)| cell(ratios[index]));
        [guide.to_owned()].into_iter().chain(models).chain([cell(mean(index))]).collect()
    };
    let head: Vec<&str> =
        ["heuristic"].into_iter().chain(subjects.iter().map(|subject| &*subject.name)).chain(["mean"]).collect();
    let sizes = columns.iter().map(|(expanded, _)| expanded.to_string());
    let states = ["*states*".to_owned()].into_iter().chain(sizes).chain([String::new()]).collect();
    let rows: Vec<Vec<String>> = [states].into_iter().chain(guides().enumerate().map(line)).collect();
    let above: Vec<&str> = guides()
        .enumerate()
        .filter(|(index, _)| mean(*index).is_some_and(|mean| mean > GOAL))
        .map(|(_, guide)| guide)
        .collect();
    let verdict = match above.is_empty() {
        true => format!(
            "No heuristic takes more than {GOAL} times the processor time of breadth-first search on the average."
        ),
        false => format!("Above {GOAL} times the processor time of breadth-first search: {}.", above.join(", ")),
    };
    let page = format!(
        "# Effort of heuristics

`cargo xtask directed --effort` measured this: processor time for an expanded state of best-first search with a heuristic, divided by
that of breadth-first search, one thread, without reduction; medians of {rounds} runs, which take turns; the last column is the
geometric mean. The searches are complete. Loading, native code and the building of the heuristic are counted. A dash is a heuristic that does not fit the model.

{}
{verdict}
",
        markdown_table(&head, &rows, Align::Right)
    );
    Ok((page, above.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository;

    #[test]
    fn the_models_of_the_measurement_exist() {
        let all = subjects(&repository::root().join("bench/directed/effort.txt"), &[]).unwrap();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn costs_are_compared_by_expanded_state_and_the_middle_counts() {
        let effort = Effort { processor: 3.0, expanded: 6, ..Effort::NONE };
        assert_eq!(cost(&effort), 0.5);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
    }
}
