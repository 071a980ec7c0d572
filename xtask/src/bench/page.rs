//! The page: pictures, the table with its goals, and the parts behind each line.

use std::fmt::Write as _;
use std::path::Path;

use lurcher_lab::report::{Align, Axes, Bars, Curve, bars, curves, distinct, markdown_table};

use super::run::Run;
use super::table::{Line, lines};
use crate::repository;

/// Bar charts: file, title, axis, and the lines they show.
const BARS: [(&str, &str, &str, &[&str]); 2] = [
    (
        "searches",
        "Complete searches, against Spin 6.5.2",
        "times Spin's",
        &["exhaustive", "file to verdict", "stored states", "memory"],
    ),
    (
        "walks",
        "Steps of walks",
        "times as many a second",
        &["pan's transitions", "walks by hand", "Stateright", "interpreter"],
    ),
];

/// Writes the page and its pictures into a folder, and prints the page.
pub fn write(folder: &Path, machine: &str, runs: &[Run]) -> Result<(), String> {
    let lines = lines(runs);
    let page = page(machine, &lines, &draw(folder, &lines).map_err(|e| e.to_string())?);
    repository::write(&folder.join("README.md"), &page)?;
    print!("{page}");
    Ok(())
}

fn page(machine: &str, lines: &[Line], pictures: &[(String, &str)]) -> String {
    let mut out = format!(
        "# Speed\n\nAll figures of this page come from one run on one machine; `runs.csv` has every run of every program, \
         and `cargo xtask bench --from DIR` makes this page again. Figures are medians; times are processor time (that of \
         the system for the process included) unless they say *wall*; one core unless said.\n\n{machine}\n"
    );
    let row = |line: &Line| {
        let (figure, verdict) = match &line.figure {
            Some((text, reached)) => (text.as_str(), if *reached { "reached" } else { "**not reached**" }),
            None if line.parts.is_empty() => ("–", "not measured"),
            None => ("see below", "–"),
        };
        [line.title, line.reach, figure, verdict].map(str::to_owned).to_vec()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    out.push_str(&markdown_table(&["measure", "reach", "figure", "verdict"], &rows, Align::Left));
    for (file, title) in pictures {
        let _ = write!(out, "\n![{title}]({file})\n");
    }
    for line in lines.iter().filter(|l| !l.parts.is_empty()) {
        let head: Vec<&str> = ["", "", "ratio"].into_iter().chain(line.columns.iter().copied()).collect();
        let rows = line.parts.iter().map(|part| {
            let start = [part.subject.clone(), part.size.clone(), format!("{:.2}×", part.ratio)];
            start.into_iter().chain(part.cells.iter().cloned()).collect()
        });
        let table = markdown_table(&head, &rows.collect::<Vec<Vec<String>>>(), Align::Left);
        let _ = write!(out, "\n## {}\n\n{}: {}\n\n{table}", line.name, line.title, line.reach);
    }
    out
}

/// Draws the pictures that have something to show; returns their SVG files and titles.
fn draw(folder: &Path, lines: &[Line]) -> Result<Vec<(String, &'static str)>, lurcher_lab::ExperimentError> {
    let mut drawn = Vec::new();
    for (file, title, axis, names) in BARS {
        let shown: Vec<&Line> = lines.iter().filter(|l| names.contains(&l.name)).collect();
        let subjects = distinct(shown.iter().flat_map(|l| &l.parts).map(|part| part.subject.clone()));
        let of = |line: &&Line| {
            let value = |s: &String| line.parts.iter().find(|p| p.subject == *s).map(|p| p.ratio);
            Bars { name: line.name.to_owned(), values: subjects.iter().map(value).collect(), goal: line.goal }
        };
        let all: Vec<Bars> = shown.iter().map(of).collect();
        if bars(&folder.join(file), title, axis, &subjects, &all)? {
            drawn.push((format!("{file}.svg"), title));
        }
    }
    let growth = lines.iter().find(|l| l.name == "growth");
    let points = growth.iter().flat_map(|l| &l.parts).filter_map(|part| {
        let n: f64 = part.size.strip_prefix("N=")?.parse().ok()?;
        Some((n, part.cells.first()?.parse().ok()?))
    });
    let curve = Curve::new("philosophers", points.collect());
    let title = "The cost of a walk's step";
    if curves(&folder.join("growth"), title, ("processes", "nanoseconds"), Axes::LogXY, &[curve])? {
        drawn.push(("growth.svg".to_owned(), title));
    }
    Ok(drawn)
}
