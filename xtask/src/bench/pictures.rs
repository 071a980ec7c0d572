//! Pictures of the table.

use std::path::Path;

use lurcher_lab::report::{Axes, Bars, Curve, bars, curves};

use super::table::Line;

/// Pictures with bars: file, title, axis, and the names of the lines that it shows.
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

/// Draws what there is; gives the files (as SVG) with their titles.
pub fn draw(folder: &Path, lines: &[Line]) -> Result<Vec<(String, &'static str)>, String> {
    let mut drawn = Vec::new();
    for (file, title, axis, names) in BARS {
        let shown: Vec<&Line> = lines.iter().filter(|l| names.contains(&l.name)).collect();
        let mut subjects: Vec<String> = Vec::new();
        for part in shown.iter().flat_map(|l| &l.parts) {
            let subject = part.subject.clone();
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        let of = |line: &&Line| {
            let value = |s: &String| line.parts.iter().find(|p| p.subject == *s).map(|p| p.ratio);
            Bars { name: line.name.to_owned(), values: subjects.iter().map(value).collect(), goal: line.goal }
        };
        let all: Vec<Bars> = shown.iter().map(of).collect();
        if bars(&folder.join(file), title, axis, &subjects, &all).map_err(|e| e.to_string())? {
            drawn.push((format!("{file}.svg"), title));
        }
    }
    let growth = lines.iter().find(|l| l.name == "growth");
    let points = growth.iter().flat_map(|l| &l.parts).filter_map(|part| {
        let n: f64 = part.size.strip_prefix("N=")?.parse().ok()?;
        Some((n, part.cells.first()?.parse().ok()?))
    });
    let curve = Curve { name: "philosophers".to_owned(), points: points.collect(), bars: Vec::new() };
    let title = "The cost of a walk's step";
    let axes = ("processes", "nanoseconds");
    if curves(&folder.join("growth"), title, axes, Axes::LogXY, &[curve]).map_err(|e| e.to_string())? {
        drawn.push(("growth.svg".to_owned(), title));
    }
    Ok(drawn)
}
