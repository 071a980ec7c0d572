//! The page of an experiment and its tables.

use crate::report::{Align, Machine, distinct, markdown_table, page_head};
use crate::spec::{Experiment, Metric, Series, Table};

use super::{GroupOutcome, effort, normalised};

const NOTES: &str = "\
How to read this: a cell is the mean ± the standard deviation over the trials that found a violation. Where some did
not, the cell says how many did, such as (48/50); where none did, it says what stopped them (`oom` is out of memory).
*Time to find* is search and making guides; *time in all* adds replaying and shortening the trace, for Spin compiling.
*Length as found* is that of the search, *as reported* that after shortening. Each table `tables/SERIES.md` has minimum,
mean, maximum, deviation, 95 % confidence interval (Student's t), path error density (the share of trials that found a
violation, with Clopper and Pearson's interval) and the rows of `trials.csv` behind every number; `summary.csv` has the
same for programs, `normalised.csv` with values between 0 and 1. A row with a trace replays:
`lurcher replay MODEL TRACE --define …` with the row's `model`, `trace` and `define`.
";

/// The page of the whole experiment.
pub(super) fn readme(
    experiment: &Experiment,
    sections: &[String],
    machine: &Machine,
    (done, all): (usize, usize),
) -> String {
    let mut out = page_head(&experiment.head, machine);
    let rest = if done == all { String::new() } else { format!("; {} were not run", all - done) };
    out.push_str(&format!("* trials: {done}, one row each in [trials.csv](trials.csv){rest}\n\n{NOTES}\n"));
    out.push_str(&sections.join("\n"));
    out
}

/// The tables and plots of a series.
pub(super) fn section(series: &Series, outcomes: &[GroupOutcome<'_>], plots: &[String]) -> String {
    let mut out = format!("## {}\n\n", series.title);
    for table in &series.show {
        let (title, table) = match table {
            Table::Mean(metric) => (metric.title(), means(series, *metric, outcomes)),
            Table::Effort => ("effort", effort::table(series, outcomes)),
            Table::Normalised => ("normalised: 1 is best", normalised::table(series, outcomes)),
        };
        if !table.is_empty() {
            out.push_str(&format!("**{title}**\n\n{table}\n"));
        }
    }
    for plot in plots {
        out.push_str(&format!("![{plot}](plots/{plot}.svg)\n"));
    }
    if !plots.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!("Details: [tables/{0}.md](tables/{0}.md)\n", series.name));
    out
}

/// A table with a row for each size, a column for each configuration; empty where no trial has the quantity.
fn means(series: &Series, metric: Metric, outcomes: &[GroupOutcome<'_>]) -> String {
    let sizes = distinct(outcomes.iter().map(|o| &o.group.size));
    let configurations = distinct(outcomes.iter().map(|o| &o.group.configuration));
    let references: Vec<_> = series.references.iter().filter(|r| r.metric == metric).collect();
    let names = configurations.iter().copied().chain(references.iter().map(|r| &r.name));
    let head: Vec<&str> = std::iter::once(size_title(series)).chain(names.map(String::as_str)).collect();
    let line = |&size: &&String| -> Vec<String> {
        let measured = configurations.iter().map(|&configuration| {
            let at = |o: &&GroupOutcome<'_>| o.group.size == *size && o.group.configuration == *configuration;
            outcomes.iter().find(at).map_or(String::new(), |o| cell(o, metric))
        });
        let referred = references.iter().map(|reference| {
            reference.values.iter().find(|(s, _)| s == size).map_or(String::new(), |(_, v)| number(*v))
        });
        std::iter::once(size.clone()).chain(measured).chain(referred).collect()
    };
    let lines: Vec<Vec<String>> = sizes.iter().map(line).collect();
    let is_empty = lines.iter().all(|line| line[1..].iter().all(String::is_empty));
    if is_empty { String::new() } else { markdown_table(&head, &lines, Align::Right) }
}

/// All statistics of every group of a series.
pub(super) fn details(series: &Series, outcomes: &[GroupOutcome<'_>]) -> String {
    let mut out = format!("# {}\n\n", series.title);
    let head = [
        "found",
        "path error density",
        "95 % confidence interval",
        "violations per walk",
        "steps per violation",
        "stopped otherwise",
        "rows of trials.csv",
    ];
    let lines = outcomes.iter().map(|o| {
        let density = o.path_error_density();
        vec![
            format!("{}/{}", o.found.len(), o.rows.len()),
            density.share().map_or(String::new(), |d| format!("{d:.2}")),
            density.interval().map_or(String::new(), |(low, high)| format!("{low:.2} to {high:.2}")),
            o.violations_per_walk().map_or(String::new(), |d| format!("{d:.4}")),
            o.steps_per_violation().map_or(String::new(), number),
            o.stops(),
            o.row_numbers(),
        ]
    });
    out.push_str(&grouped(series, outcomes, &head, lines));
    for metric in Metric::all() {
        if outcomes.iter().all(|o| o.summary(metric).is_none()) {
            continue;
        }
        out.push_str(&format!("\n## {}\n\n", metric.title()));
        let head = ["trials", "min", "mean", "max", "standard deviation", "95 % confidence interval"];
        let lines = outcomes.iter().map(|o| match o.summary(metric) {
            None => vec![String::new(); head.len()],
            Some(s) => vec![
                s.count.to_string(),
                number(s.min),
                number(s.mean),
                number(s.max),
                s.deviation.map_or(String::new(), number),
                s.half_width.map_or(String::new(), |h| format!("{} to {}", number(s.mean - h), number(s.mean + h))),
            ],
        });
        out.push_str(&grouped(series, outcomes, &head, lines));
    }
    out
}

/// A table with a row for each group.
fn grouped(
    series: &Series,
    outcomes: &[GroupOutcome<'_>],
    head: &[&str],
    lines: impl Iterator<Item = Vec<String>>,
) -> String {
    let names = [&[size_title(series), "configuration"], head].concat();
    let lines = outcomes
        .iter()
        .zip(lines)
        .map(|(o, line)| [o.group.size.clone(), o.group.configuration.clone()].into_iter().chain(line).collect());
    markdown_table(&names, &lines.collect::<Vec<Vec<String>>>(), Align::Right)
}

fn size_title(series: &Series) -> &str {
    series.size_name().unwrap_or("size")
}

/// The columns that say what is searched.
pub(super) fn subject_columns(series: &Series) -> [&str; 2] {
    [size_title(series), "subject"]
}

/// The mean and the deviation of a quantity over the trials that found a violation, and how many did where not all.
pub(super) fn cell(outcome: &GroupOutcome<'_>, metric: Metric) -> String {
    let (found, all) = (outcome.found.len(), outcome.rows.len());
    let Some(s) = outcome.summary(metric) else {
        return if found == 0 { outcome.stops() } else { String::new() };
    };
    let spread = s.deviation.map_or(String::new(), |d| format!(" ± {}", number(d)));
    let share = if found == all { String::new() } else { format!(" ({found}/{all})") };
    format!("{}{spread}{share}", number(s.mean))
}

/// A number with about three significant digits.
pub(super) fn number(n: f64) -> String {
    match n.abs() {
        a if a >= 1000.0 || a == a.trunc() => format!("{n:.0}"),
        a if a >= 10.0 => format!("{n:.1}"),
        a if a >= 0.1 => format!("{n:.2}"),
        _ => format!("{n:.4}"),
    }
}
