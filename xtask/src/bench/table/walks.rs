//! Lines about walks.

use super::{Goal, Line, Part, parts, rate};
use crate::bench::figures::{Figures, per_second};
use crate::bench::run::{Measure, Run, Tool};

/// Compiled walks against hand-written walks, transitions of `pan`, Stateright and the interpreter.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    let walks = Figures::of(runs, Measure::Walks);
    // Complete searches of `pan` without reductions.
    let searches = Figures::of(runs, Measure::Exhaustive);
    let speed = |s, tool, setting| walks.median(s, tool, setting, per_second(|r| r.steps));
    let jit = |s| speed(s, Tool::Lurcher, Some("jit"));
    let compared = |ours: f64, theirs: f64| (ours / theirs, vec![rate(ours), rate(theirs)]);
    let against = |tool, setting| parts(walks, |s| Some(compared(jit(s)?, speed(s, tool, setting)?)));
    let pan = parts(searches, |s| {
        Some(compared(jit(s)?, searches.median(s, Tool::Pan, None, per_second(|r| r.transitions))?))
    });
    vec![
        Line::new(
            (
                "walks by hand",
                "walk steps/s against a hand-written Rust walk of the same model, which takes the same steps",
            ),
            ("≥ 0.5×", Goal::AtLeast { each: 0.5, mean: 0.5 }),
            &["lurcher, steps/s", "by hand, steps/s"],
            against(Tool::Hand, None),
        ),
        Line::new(
            ("pan's transitions", "walk steps/s against `pan` transitions/s on the same model"),
            ("≥ 10× geometric mean", Goal::AtLeast { each: 0.0, mean: 10.0 }),
            &["lurcher, steps/s", "pan, transitions/s"],
            pan,
        ),
        Line::new(
            ("Stateright", "walk steps/s against Stateright's simulation checker on the same model"),
            ("≥ 5×", Goal::AtLeast { each: 5.0, mean: 5.0 }),
            &["lurcher, steps/s", "Stateright, states/s"],
            against(Tool::Stateright, None),
        ),
        Line::new(
            ("interpreter", "JIT against interpreter, walks"),
            ("≥ 8×", Goal::AtLeast { each: 0.0, mean: 8.0 }),
            &["JIT, steps/s", "interpreter, steps/s"],
            against(Tool::Lurcher, Some("interp")),
        ),
    ]
}

/// The cost of a step as processes grow.
pub fn growth(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Growth);
    let cost = |s| figures.median(s, Tool::Lurcher, Some("jit"), |r| Some(1e9 * r.processor / r.steps? as f64));
    let first = figures.subjects().into_iter().find_map(cost).unwrap_or(f64::NAN);
    let parts: Vec<Part> = parts(figures, |s| cost(s).map(|cost| (cost / first, vec![format!("{cost:.1}")])));
    let worst = parts.iter().map(|p| p.ratio).reduce(f64::max);
    let last = parts.last().filter(|p| p.size == "N=1000");
    let figure = last
        .zip(worst)
        .map(|(last, worst)| (format!("{:.2}× (worst on the way {worst:.2}×)", last.ratio), worst <= 2.0));
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
