//! Lines about complete searches.

use super::{Goal, Line, Part, parts, rate, whole};
use crate::bench::figures::{Figures, Subject, median, per_second, stored, wall};
use crate::bench::run::{Measure, Run, Tool};

/// Speed without reductions, from file to verdict, stored states and memory.
pub fn lines(runs: &[Run]) -> Vec<Line> {
    let exhaustive = Figures::of(runs, Measure::Exhaustive);
    let reduced = Figures::of(runs, Measure::Reduced);
    vec![
        Line::new(
            ("exhaustive", "exhaustive, reductions off, exact storage: states/s against `pan` (`-DSAFETY -DNOREDUCE`)"),
            ("≥ 1.0× on every family, ≥ 2× geometric mean", Goal::AtLeast { each: 1.0, mean: 2.0 }),
            &["stored states", "lurcher, states/s", "pan, states/s", "pan, s"],
            parts(exhaustive, |s| {
                let (ours, theirs) = exhaustive.both(s, per_second(|r| r.stored))?;
                let (our_count, their_count) = exhaustive.both(s, stored)?;
                let (_, time) = exhaustive.both(s, |r| Some(r.processor))?;
                let counts = same(our_count, their_count);
                Some((ours / theirs, vec![counts, rate(ours), rate(theirs), format!("{time:.1}")]))
            }),
        ),
        Line::new(
            (
                "file to verdict",
                "file to verdict, everything included, against `spin -a` + `gcc -O2` + `pan`, default reductions both sides",
            ),
            ("≥ 1.0× on every family, ≥ 3× geometric mean", Goal::AtLeast { each: 1.0, mean: 3.0 }),
            &["lurcher, processor s", "Spin, processor s", "of that gcc", "lurcher, wall s", "Spin, wall s"],
            parts(reduced, |s| file_to_verdict(reduced, s)),
        ),
        Line::new(
            ("stored states", "stored states with reduction on, against Spin's with its reduction"),
            ("≤ 1.2× geometric mean", Goal::MeanAtMost(1.2)),
            &["lurcher", "Spin"],
            parts(reduced, |s| {
                let (ours, theirs) = reduced.both(s, stored)?;
                Some((ours / theirs, vec![whole(ours), whole(theirs)]))
            }),
        ),
        memory(
            reduced,
            "memory",
            "memory per stored state in that same configuration (most resident memory of the process beside its program), \
             against `pan` without compression",
            |r| r.data,
        ),
        memory(reduced, "memory, whole process", "the same with the pages of the program", |r| r.resident),
    ]
}

/// A count, or both counts where two programs differ.
fn same(ours: f64, theirs: f64) -> String {
    // `pan` prints eight digits.
    match (ours - theirs).abs() <= theirs * 1e-7 {
        true => whole(ours),
        false => format!("**{} against {}**", whole(ours), whole(theirs)),
    }
}

fn file_to_verdict(figures: Figures<'_>, s: Subject<'_>) -> Option<(f64, Vec<String>)> {
    let of = |tool, quantity: fn(&Run) -> Option<f64>| figures.median(s, tool, None, quantity);
    let spin =
        |quantity| [Tool::Spin, Tool::Gcc, Tool::Pan].iter().map(|&tool| of(tool, quantity)).sum::<Option<f64>>();
    let processor = |r: &Run| Some(r.processor);
    let (ours, theirs) = (of(Tool::Lurcher, processor)?, spin(processor)?);
    let times = [ours, theirs, of(Tool::Gcc, processor)?, of(Tool::Lurcher, wall)?, spin(wall)?];
    Some((theirs / ours, times.iter().map(|time| format!("{time:.2}")).collect()))
}

fn memory(figures: Figures<'_>, name: &'static str, title: &'static str, bytes: impl Fn(&Run) -> u64) -> Line {
    let per_state = |r: &Run| Some(bytes(r)).filter(|&b| b > 0).and_then(|b| Some(b as f64 / r.stored? as f64));
    Line::new(
        (name, title),
        ("≤ 1/3 geometric mean; families where sharing fails named", Goal::MeanAtMost(1.0 / 3.0)),
        &["lurcher, bytes", "pan, bytes"],
        parts(figures, |s| {
            let (ours, theirs) = figures.both(s, per_state)?;
            Some((ours / theirs, vec![format!("{ours:.0}"), format!("{theirs:.0}")]))
        }),
    )
}

/// Two threads against one for walks and searches; other numbers of threads are shown and not judged.
pub fn threads(runs: &[Run]) -> Vec<Line> {
    let figures = Figures::of(runs, Measure::Threads);
    let columns: &[&str] = &["1 thread, wall s", "more threads, wall s"];
    let speedups = |setting: &str| {
        let kind = setting.rsplit_once(' ').map_or(setting, |(kind, _)| kind);
        parts(figures, |s| {
            let alone = figures.median(s, Tool::Lurcher, Some(&format!("{kind} 1")), wall)?;
            let together = figures.median(s, Tool::Lurcher, Some(setting), wall)?;
            Some((alone / together, vec![format!("{alone:.2}"), format!("{together:.2}")]))
        })
    };
    let line = |title, reach, mean, setting| {
        Line::new(title, (reach, Goal::AtLeast { each: 0.0, mean }), columns, speedups(setting))
    };
    let mut lines = vec![
        line(("2 threads, walks", "2 threads against 1: walks"), "≥ 1.9×", 1.9, "walks 2"),
        line(("2 threads, exhaustive", "2 threads against 1: exhaustive"), "≥ 1.7×", 1.7, "exhaustive 2"),
    ];
    let settings = figures.settings().into_iter().filter(|s| !s.ends_with(" 1") && !s.ends_with(" 2"));
    let with_setting = |setting| {
        let sized = move |part: Part| Part { size: format!("{}, {setting}", part.size), ..part };
        speedups(setting).into_iter().map(sized)
    };
    let parts: Vec<Part> = settings.flat_map(with_setting).collect();
    if !parts.is_empty() {
        let (name, title, reach) = ("more threads", "more threads against 1", "nothing is asked");
        lines.push(Line { name, title, reach, goal: None, figure: None, columns, parts });
    }
    lines
}

/// The most stored states of a small model.
const SMALL: f64 = 10_000.0;
/// The goal in milliseconds from process start to verdict.
const QUICK: f64 = 20.0;
/// How many of the slowest models the table shows.
const SHOWN: usize = 12;

/// From process start to verdict.
pub fn startup(runs: &[Run]) -> Line {
    let figures = Figures::of(runs, Measure::Startup);
    let mut small = Vec::new();
    let mut all = Vec::new();
    for verb in figures.settings() {
        all.extend(parts(figures, |s| {
            let time = 1000.0 * figures.median(s, Tool::Lurcher, Some(verb), wall)?;
            let stored = figures.median(s, Tool::Lurcher, Some(verb), stored);
            Some((time / QUICK, vec![verb.to_owned(), format!("{time:.1}"), stored.map_or("–".to_owned(), whole)]))
        }));
    }
    for s in figures.subjects().into_iter().filter(|s| s.0.ends_with(".pml")) {
        let of = |quantity: fn(&Run) -> Option<f64>| figures.median(s, Tool::Lurcher, Some("verify"), quantity);
        if of(stored).is_some_and(|n| n <= SMALL) {
            small.extend(of(wall).map(|time| (1000.0 * time, s.0)));
        }
    }
    all.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    all.truncate(SHOWN);
    let middle = median(small.iter().map(|(time, _)| *time).collect());
    let slowest = small.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let figure = slowest.zip(middle).map(|((time, name), middle)| {
        let text = format!("median {middle:.1} ms, slowest {time:.1} ms ({name}) of {} models", small.len());
        (text, *time < QUICK)
    });
    Line {
        name: "start-up",
        title: "small Promela models (at most 10,000 stored states), `verify` from process start to verdict",
        reach: "< 20 ms",
        goal: None,
        figure,
        columns: &["command", "ms", "stored states"],
        parts: all,
    }
}
