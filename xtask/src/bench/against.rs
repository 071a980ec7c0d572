//! `bench --against OLD`: another build of lurcher and this one on the same trials, interleaved.

use std::path::Path;

use clap::ValueEnum;

use super::places::Places;
use super::plan::{Scale, trials};
use super::run::{Measure, Run, Tool};
use super::trial::{Program, Trial};

/// The same trial with both builds.
struct Pair {
    old: (Program, Vec<Run>),
    new: (Program, Vec<Run>),
}

/// Measures both builds and prints a row for each trial: processor times, their ratio, and whether the counts are the same.
pub fn run(old: &Path, (measures, repeat): (&[Measure], u32), scale: &Scale, places: &Places) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    println!("| measure | model | size | setting | old, s | new, s | new/old, medians | new/old, least | counts |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for &measure in measures {
        for pair in pairs(old, trials(measure, scale, places, folder.path())?) {
            println!("{}", pair.measured(repeat)?);
        }
    }
    Ok(())
}

/// The trials of lurcher, each with both builds.
fn pairs(old: &Path, trials: Vec<Trial<'_>>) -> impl Iterator<Item = Pair> {
    trials.into_iter().filter_map(|trial| match trial {
        Trial::Program(new) if new.row.tool == Tool::Lurcher => {
            let old = Program { row: new.row.clone(), program: old.to_owned(), arguments: new.arguments.clone() };
            Some(Pair { old: (old, Vec::new()), new: (new, Vec::new()) })
        }
        _ => None,
    })
}

impl Pair {
    /// Runs both builds in turn, the other one first each time; the row of the table.
    fn measured(mut self, repeat: u32) -> Result<String, String> {
        for round in 0..repeat {
            let both = [&mut self.old, &mut self.new];
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            for index in order {
                let run = both[index].0.run()?;
                both[index].1.push(run);
            }
        }
        let times = |runs: &[Run]| {
            let mut times: Vec<f64> = runs.iter().map(|run| run.processor).collect();
            times.sort_by(f64::total_cmp);
            (times[times.len() / 2], times[0])
        };
        let ((old, old_least), (new, new_least)) = (times(&self.old.1), times(&self.new.1));
        let counts = |run: &Run| (run.stored, run.transitions, run.steps, run.verdict.clone());
        let same = self.old.1.iter().chain(&self.new.1).all(|run| counts(run) == counts(&self.old.1[0]));
        let Run { measure, subject, size, setting, .. } = &self.new.0.row;
        Ok(format!(
            "| {} | {subject} | {size} | {setting} | {old:.3} | {new:.3} | {:.2} | {:.2} | {} |",
            measure.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned()),
            new / old,
            new_least / old_least,
            if same { "same" } else { "**differ**" },
        ))
    }
}
