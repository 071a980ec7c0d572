//! Lines about complete searches.

use super::{Figure, Line, Part, Reach, rate, whole};
use crate::bench::figures::{Figures, median, states_per_second};
use crate::bench::run::{Measure, Run, Tool};

/// Speed without reductions, the way from file to verdict, stored states and memory.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    vec![
        exhaustive(runs),
        verdict(runs),
        stored(runs),
        memory(
            runs,
            "memory",
            "memory per stored state in that same configuration (most resident memory of the process beside its program), \
             against `pan` without compression",
            |r| r.data,
        ),
        memory(runs, "memory, whole process", "the same with the pages of the program", |r| r.resident),
    ]
}

type Subject<'a> = (&'a str, &'a str);

/// A part for each subject for which there is one.
fn parts<'a>(figures: Figures<'a>, part: impl Fn(Subject<'a>) -> Option<(f64, Vec<String>)>) -> Vec<Part> {
    let made = |subject: Subject<'a>| {
        let (ratio, cells) = part(subject)?;
        Some(Part { subject: subject.0.to_owned(), size: subject.1.to_owned(), ratio, cells })
    };
    figures.subjects().into_iter().filter_map(made).collect()
}

/// A count that two programs agree on, or both counts.
fn same(ours: f64, theirs: f64) -> String {
    // `pan` prints eight digits.
    match (ours - theirs).abs() <= theirs * 1e-7 {
        true => whole(ours),
        false => format!("**{} against {}**", whole(ours), whole(theirs)),
    }
}

fn exhaustive(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Exhaustive);
    let parts = parts(figures, |s| {
        let ours = figures.median(s, Tool::Lurcher, None, states_per_second)?;
        let theirs = figures.median(s, Tool::Pan, None, states_per_second)?;
        let stored = |tool| figures.median(s, tool, None, |r| r.stored.map(|n| n as f64));
        let time = figures.median(s, Tool::Pan, None, |r| Some(r.processor))?;
        let counts = same(stored(Tool::Lurcher)?, stored(Tool::Pan)?);
        Some((ours / theirs, vec![counts, rate(ours), rate(theirs), format!("{time:.1}")]))
    });
    Line {
        name: "exhaustive",
        title: "exhaustive, reductions off, exact storage: states/s against `pan` (`-DSAFETY -DNOREDUCE`)",
        reach: "≥ 1.0× on every family, ≥ 2× geometric mean",
        goal: Some(1.0),
        figure: Reach::AtLeast { each: 1.0, mean: 2.0 }.judge(&parts),
        columns: &["stored states", "lurcher, states/s", "pan, states/s", "pan, s"],
        parts,
    }
}

fn verdict(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Reduced);
    let parts = parts(figures, |s| {
        let sum = |quantity: fn(&Run) -> Option<f64>| -> Option<f64> {
            [Tool::Spin, Tool::Gcc, Tool::Pan].iter().map(|&tool| figures.median(s, tool, None, quantity)).sum()
        };
        let (ours, theirs) = (figures.median(s, Tool::Lurcher, None, processor)?, sum(processor)?);
        let (ours_wall, theirs_wall) = (figures.median(s, Tool::Lurcher, None, wall)?, sum(wall)?);
        let cells = vec![
            format!("{ours:.2}"),
            format!("{theirs:.2}"),
            format!("{:.2}", figures.median(s, Tool::Gcc, None, processor)?),
            format!("{ours_wall:.2}"),
            format!("{theirs_wall:.2}"),
        ];
        Some((theirs / ours, cells))
    });
    Line {
        name: "file to verdict",
        title: "file to verdict, everything included, against `spin -a` + `gcc -O2` + `pan`, default reductions both sides",
        reach: "≥ 1.0× on every family, ≥ 3× geometric mean",
        goal: Some(1.0),
        figure: Reach::AtLeast { each: 1.0, mean: 3.0 }.judge(&parts),
        columns: &["lurcher, processor s", "Spin, processor s", "of that gcc", "lurcher, wall s", "Spin, wall s"],
        parts,
    }
}

fn stored(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Reduced);
    let parts = parts(figures, |s| {
        let of = |tool| figures.median(s, tool, None, |r| r.stored.map(|n| n as f64));
        let (ours, theirs) = (of(Tool::Lurcher)?, of(Tool::Pan)?);
        Some((ours / theirs, vec![whole(ours), whole(theirs)]))
    });
    Line {
        name: "stored states",
        title: "stored states with reduction on, against Spin's with its reduction",
        reach: "≤ 1.2× geometric mean",
        goal: Some(1.2),
        figure: Reach::MeanAtMost(1.2).judge(&parts),
        columns: &["lurcher", "Spin"],
        parts,
    }
}

fn memory(runs: &[Run], name: &'static str, title: &'static str, bytes: impl Fn(&Run) -> u64) -> Line {
    let figures = Figures::of(runs, Measure::Reduced);
    let per_state = |r: &Run| Some(bytes(r)).filter(|&b| b > 0).and_then(|b| Some(b as f64 / r.stored? as f64));
    let parts = parts(figures, |s| {
        let ours = figures.median(s, Tool::Lurcher, None, per_state)?;
        let theirs = figures.median(s, Tool::Pan, None, per_state)?;
        Some((ours / theirs, vec![format!("{ours:.0}"), format!("{theirs:.0}")]))
    });
    Line {
        name,
        title,
        reach: "≤ 1/3 geometric mean; families where sharing fails named",
        goal: Some(1.0 / 3.0),
        figure: Reach::MeanAtMost(1.0 / 3.0).judge(&parts),
        columns: &["lurcher, bytes", "pan, bytes"],
        parts,
    }
}

/// One line for walks and one for searches, for each number of threads.
pub fn threads(runs: &[Run]) -> Vec<Line> {
    let figures = Figures::of(runs, Measure::Threads);
    let line = |kind: &'static str, jobs: &str| {
        let (one, many) = (format!("{kind} 1"), format!("{kind} {jobs}"));
        let parts = parts(figures, |s| {
            let alone = figures.median(s, Tool::Lurcher, Some(&one), wall)?;
            let together = figures.median(s, Tool::Lurcher, Some(&many), wall)?;
            Some((alone / together, vec![format!("{alone:.2}"), format!("{together:.2}")]))
        });
        let least = if kind == "walks" { 1.9 } else { 1.7 };
        let judged = Reach::AtLeast { each: 0.0, mean: least }.judge(&parts);
        let columns: &[&str] = &["1 thread, wall s", "more threads, wall s"];
        (parts, judged, columns, least)
    };
    let mut lines = Vec::new();
    for (kind, name, title, reach) in [
        ("walks", "2 threads, walks", "2 threads against 1: walks", "≥ 1.9×"),
        ("exhaustive", "2 threads, exhaustive", "2 threads against 1: exhaustive", "≥ 1.7×"),
    ] {
        let (parts, figure, columns, least) = line(kind, "2");
        lines.push(Line { name, title, reach, goal: Some(least), figure, columns, parts });
    }
    lines.extend(more_threads(figures));
    lines
}

/// Numbers of threads that nothing is asked of: shown, not judged.
fn more_threads(figures: Figures<'_>) -> Option<Line> {
    let settings = figures.settings(Tool::Lurcher);
    let others: Vec<&str> = settings.into_iter().filter(|s| !s.ends_with(" 1") && !s.ends_with(" 2")).collect();
    let mut parts = Vec::new();
    for setting in others {
        let (kind, _) = setting.rsplit_once(' ')?;
        for subject in figures.subjects() {
            let alone = figures.median(subject, Tool::Lurcher, Some(&format!("{kind} 1")), wall);
            let together = figures.median(subject, Tool::Lurcher, Some(setting), wall);
            let (Some(alone), Some(together)) = (alone, together) else { continue };
            let size = format!("{}, {setting}", subject.1);
            let cells = vec![format!("{alone:.2}"), format!("{together:.2}")];
            parts.push(Part { subject: subject.0.to_owned(), size, ratio: alone / together, cells });
        }
    }
    (!parts.is_empty()).then_some(Line {
        name: "more threads",
        title: "more threads against 1",
        reach: "nothing is asked",
        goal: None,
        figure: None,
        columns: &["1 thread, wall s", "more threads, wall s"],
        parts,
    })
}

/// A model with no more stored states than these is small.
const SMALL: u64 = 10_000;
/// Milliseconds from process start to verdict.
const QUICK: f64 = 20.0;
/// How many of the slowest models are shown.
const SHOWN: usize = 12;

/// From process start to verdict.
pub fn startup(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Startup);
    let mut small = Vec::new();
    let mut parts = Vec::new();
    for subject in figures.subjects() {
        for verb in figures.settings(Tool::Lurcher) {
            let milliseconds = |r: &Run| Some(1000.0 * r.wall);
            let Some(time) = figures.median(subject, Tool::Lurcher, Some(verb), milliseconds) else { continue };
            let stored = figures.median(subject, Tool::Lurcher, Some(verb), |r| r.stored.map(|n| n as f64));
            if verb == "verify" && subject.0.ends_with(".pml") && stored.is_some_and(|n| n <= SMALL as f64) {
                small.push((time, subject.0));
            }
            let cells = vec![verb.to_owned(), format!("{time:.1}"), stored.map_or("–".to_owned(), whole)];
            parts.push(Part { subject: subject.0.to_owned(), size: String::new(), ratio: time / QUICK, cells });
        }
    }
    parts.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    parts.truncate(SHOWN);
    let middle = median(small.iter().map(|(time, _)| *time).collect());
    let slowest = small.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let figure = slowest.zip(middle).map(|((time, name), middle)| Figure {
        text: format!("median {middle:.1} ms, slowest {time:.1} ms ({name}) of {} models", small.len()),
        reached: *time < QUICK,
    });
    Line {
        name: "start-up",
        title: "small Promela models (at most 10,000 stored states), `verify` from process start to verdict",
        reach: "< 20 ms",
        goal: None,
        figure,
        columns: &["command", "ms", "stored states"],
        parts,
    }
}

fn processor(run: &Run) -> Option<f64> {
    Some(run.processor)
}

fn wall(run: &Run) -> Option<f64> {
    Some(run.wall)
}
