//! Lines about walks.

use super::{Figure, Line, Part, Reach, any, rate};
use crate::bench::figures::{Figures, steps_per_second, transitions_per_second};
use crate::bench::run::{Measure, Run, Tool};

/// Walks by hand, transitions of `pan`, Stateright and the interpreter, each against compiled walks.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    let figures = Figures::of(runs, Measure::Walks);
    let against = |tool: Tool, setting: Option<&str>| -> Vec<Part> {
        let part = |s: (&str, &str)| {
            let ours = figures.median(s, Tool::Lurcher, Some("jit"), steps_per_second)?;
            let theirs = figures.median(s, tool, setting, steps_per_second)?;
            let cells = vec![rate(ours), rate(theirs)];
            Some(Part { subject: s.0.to_owned(), size: s.1.to_owned(), ratio: ours / theirs, cells })
        };
        figures.subjects().into_iter().filter_map(part).collect()
    };
    let hand = against(Tool::Hand, None);
    let stateright =
        if any(runs, Measure::Walks, Tool::Stateright) { against(Tool::Stateright, None) } else { Vec::new() };
    let interp = against(Tool::Lurcher, Some("interp"));
    let pan = against_pan(runs);
    vec![
        Line {
            name: "walks by hand",
            title: "walk steps/s against a hand-written Rust walk of the same model, which takes the same steps",
            reach: "≥ 0.5×",
            goal: Some(0.5),
            figure: Reach::AtLeast { each: 0.5, mean: 0.5 }.judge(&hand),
            columns: &["lurcher, steps/s", "by hand, steps/s"],
            parts: hand,
        },
        Line {
            name: "pan's transitions",
            title: "walk steps/s against `pan` transitions/s on the same model",
            reach: "≥ 10× geometric mean",
            goal: Some(10.0),
            figure: Reach::AtLeast { each: 0.0, mean: 10.0 }.judge(&pan),
            columns: &["lurcher, steps/s", "pan, transitions/s"],
            parts: pan,
        },
        Line {
            name: "Stateright",
            title: "walk steps/s against Stateright's simulation checker on the same model",
            reach: "≥ 5×",
            goal: Some(5.0),
            figure: Reach::AtLeast { each: 5.0, mean: 5.0 }.judge(&stateright),
            columns: &["lurcher, steps/s", "Stateright, states/s"],
            parts: stateright,
        },
        Line {
            name: "interpreter",
            title: "JIT against interpreter, walks",
            reach: "≥ 8×",
            goal: Some(8.0),
            figure: Reach::AtLeast { each: 0.0, mean: 8.0 }.judge(&interp),
            columns: &["JIT, steps/s", "interpreter, steps/s"],
            parts: interp,
        },
    ]
}

/// Walks on the families against the complete searches of `pan` without reductions.
fn against_pan(runs: &[Run]) -> Vec<Part> {
    let (walks, searches) = (Figures::of(runs, Measure::Walks), Figures::of(runs, Measure::Exhaustive));
    let part = |s: (&str, &str)| {
        let ours = walks.median(s, Tool::Lurcher, Some("jit"), steps_per_second)?;
        let theirs = searches.median(s, Tool::Pan, None, transitions_per_second)?;
        let cells = vec![rate(ours), rate(theirs)];
        Some(Part { subject: s.0.to_owned(), size: s.1.to_owned(), ratio: ours / theirs, cells })
    };
    searches.subjects().into_iter().filter_map(part).collect()
}

/// The cost of a step as processes grow.
pub fn growth(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Growth);
    let cost = |r: &Run| Some(1e9 * r.processor / r.steps? as f64);
    let costs: Vec<(&str, f64)> = figures
        .subjects()
        .into_iter()
        .filter_map(|s| Some((s.1, figures.median(s, Tool::Lurcher, Some("jit"), cost)?)))
        .collect();
    let first = costs.first().map(|(_, cost)| *cost);
    let part = |(size, cost): &(&str, f64)| {
        let (subject, size) = ("philosophers".to_owned(), (*size).to_owned());
        Some(Part { subject, size, ratio: cost / first?, cells: vec![format!("{cost:.1}")] })
    };
    let parts: Vec<Part> = costs.iter().filter_map(part).collect();
    let worst = parts.iter().map(|p| p.ratio).reduce(f64::max);
    let last = parts.last().filter(|p| p.size == "N=1000");
    let figure = last.zip(worst).map(|(last, worst)| Figure {
        text: format!("{:.2}× (worst on the way {worst:.2}×)", last.ratio),
        reached: worst <= 2.0,
    });
    Line {
        name: "growth",
        title: "cost per walk step as processes grow from 10 to 1,000 (try-a-child, philosophers, over the first 10,000 steps)",
        reach: "flat within 2×",
        goal: Some(2.0),
        figure,
        columns: &["ns a step"],
        parts,
    }
}
