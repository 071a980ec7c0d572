//! The table of speed: one line for each goal.

mod searches;
#[cfg(test)]
mod tests;
mod walks;

use super::figures::{Figures, Subject, geometric_mean};
use super::run::Run;

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Line {
    /// A short name, for plots and headings.
    pub name: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// The goal in words.
    pub reach: &'static str,
    /// The goal of every part, where it is a ratio.
    pub goal: Option<f64>,
    /// The result and whether it reaches the goal; none where nothing was measured.
    pub figure: Option<(String, bool)>,
    /// The columns that a part fills after its ratio.
    pub columns: &'static [&'static str],
    /// The families or models behind the figure.
    pub parts: Vec<Part>,
}

/// One family or model of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub subject: String,
    pub size: String,
    pub ratio: f64,
    pub cells: Vec<String>,
}

/// A part for each subject that has a ratio and cells.
fn parts<'a>(figures: Figures<'a>, part: impl Fn(Subject<'a>) -> Option<(f64, Vec<String>)>) -> Vec<Part> {
    let made = |s: Subject<'a>| {
        part(s).map(|(ratio, cells)| Part { subject: s.0.to_owned(), size: s.1.to_owned(), ratio, cells })
    };
    figures.subjects().into_iter().filter_map(made).collect()
}

/// The goal of a line.
#[derive(Clone, Copy)]
enum Goal {
    /// Lower bounds for every part and for the geometric mean; no bound is 0.
    AtLeast { each: f64, mean: f64 },
    /// An upper bound for the geometric mean; parts above it are named.
    MeanAtMost(f64),
}

impl Line {
    /// A line whose figure is the geometric mean of its parts.
    fn new(
        (name, title): (&'static str, &'static str),
        (reach, goal): (&'static str, Goal),
        columns: &'static [&'static str],
        parts: Vec<Part>,
    ) -> Line {
        let bound = match goal {
            Goal::AtLeast { each: 0.0, mean } => mean,
            Goal::AtLeast { each: bound, .. } | Goal::MeanAtMost(bound) => bound,
        };
        Line { name, title, reach, goal: Some(bound), figure: goal.judge(&parts), columns, parts }
    }
}

impl Goal {
    fn judge(self, parts: &[Part]) -> Option<(String, bool)> {
        let ratios: Vec<f64> = parts.iter().map(|p| p.ratio).collect();
        let mean = geometric_mean(&ratios)?;
        let named = |bad: &dyn Fn(f64) -> bool| {
            let names: Vec<&str> = parts.iter().filter(|p| bad(p.ratio)).map(|p| p.subject.as_str()).collect();
            names.join(", ")
        };
        let mut text = format!("{mean:.2}×");
        if ratios.len() > 1 {
            let (low, high) = ratios.iter().fold((f64::MAX, f64::MIN), |(a, b), r| (a.min(*r), b.max(*r)));
            text = format!("{mean:.2}× (geometric mean; {low:.2}× to {high:.2}×)");
        }
        let (reached, bad, bound) = match self {
            Goal::AtLeast { each, mean: least } => {
                let below = named(&|r| r < each);
                (mean >= least && below.is_empty(), below, format!("below {each:.1}×"))
            }
            Goal::MeanAtMost(most) => (mean <= most, named(&|r| r > most), format!("above {most:.2}×")),
        };
        if !bad.is_empty() {
            text = format!("{text}; {bound}: {bad}");
        }
        Some((text, reached))
    }
}

/// All lines. Lines without runs have no figure.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    let mut lines = searches::lines(runs);
    lines.extend(walks::lines(runs));
    lines.extend(searches::threads(runs));
    lines.extend([walks::growth(runs), searches::startup(runs)]);
    lines
}

/// A rate: `2.50 M`, `1.5 k`.
fn rate(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e3 => format!("{:.1} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

/// A whole number with thousands separators.
fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|g| std::str::from_utf8(g).unwrap_or("")).collect();
    groups.join(",")
}
