//! The table: one line for each figure that is to be reached.

mod searches;
#[cfg(test)]
mod tests;
mod walks;

use super::figures::geometric_mean;
use super::run::{Measure, Run, Tool};

/// A line of the table, with what it was made from.
#[derive(Clone, Debug)]
pub struct Line {
    /// A short name, for pictures and headings.
    pub name: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// What is to be reached, in words.
    pub reach: &'static str,
    /// The number that every part is held against, where it is a ratio.
    pub goal: Option<f64>,
    /// What was measured; none where nothing was.
    pub figure: Option<Figure>,
    /// Names of the columns that a part fills after its ratio.
    pub columns: &'static [&'static str],
    /// What the figure is made from.
    pub parts: Vec<Part>,
}

/// The outcome of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// It, in words.
    pub text: String,
    /// Whether it is what is to be reached.
    pub reached: bool,
}

/// One family or model of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub subject: String,
    /// Its size.
    pub size: String,
    /// The figure.
    pub ratio: f64,
    /// Where it comes from.
    pub cells: Vec<String>,
}

/// What a line asks of its parts.
#[derive(Clone, Copy)]
enum Reach {
    /// Every part at least so much, and the geometric mean at least so much.
    AtLeast { each: f64, mean: f64 },
    /// The geometric mean at most so much; parts above it are named.
    MeanAtMost(f64),
}

impl Reach {
    fn judge(self, parts: &[Part]) -> Option<Figure> {
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
        let (reached, bad) = match self {
            Reach::AtLeast { each, mean: least } => {
                let below = named(&|r| r < each);
                (mean >= least && below.is_empty(), (below, format!("below {each:.1}×")))
            }
            Reach::MeanAtMost(most) => (mean <= most, (named(&|r| r > most), format!("above {most:.2}×"))),
        };
        if !bad.0.is_empty() {
            text = format!("{text}; {}: {}", bad.1, bad.0);
        }
        Some(Figure { text, reached })
    }
}

/// All lines, in the order of the issue. Lines without runs have no figure.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    let mut lines = searches::lines(runs);
    lines.extend(walks::lines(runs));
    lines.extend(searches::threads(runs));
    lines.push(walks::growth(runs));
    lines.push(searches::startup(runs));
    lines
}

/// A number of things a second.
fn rate(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e3 => format!("{:.1} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

/// A number with its thousands apart.
fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Whether a run belongs to a tool and measure.
fn any(runs: &[Run], measure: Measure, tool: Tool) -> bool {
    runs.iter().any(|r| r.measure == measure && r.tool == tool)
}
