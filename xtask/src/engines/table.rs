//! The table of all measurements.

use lurcher_lab::report::{Align, markdown_table};

use super::measure::{ENGINES, Measured};

/// Milliseconds that count as no difference.
const EQUAL: f64 = 20.0;
/// The share of properties on which the recommended engine must be good.
const WANTED: f64 = 0.8;

impl Measured {
    fn fastest(&self) -> Option<(&'static str, f64)> {
        // `auto` follows the recommendation, so it counts as an engine only where it is itself recommended.
        let auto = [("auto", self.auto)].into_iter().filter(|_| self.recommended == "auto");
        let found = self.times.iter().copied().chain(auto).filter_map(|(name, time)| Some((name, time?)));
        found.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether a time is within twice that of the fastest engine, or within 20 ms of it.
    fn is_good(&self, time: Option<f64>) -> bool {
        let Some((_, best)) = self.fastest() else { return false };
        time.is_some_and(|time| time <= 2.0 * best || time - best <= EQUAL)
    }

    fn recommended_time(&self) -> Option<f64> {
        let named = self.times.iter().find(|(name, _)| *name == self.recommended).and_then(|(_, time)| *time);
        if self.recommended == "auto" { self.auto } else { named }
    }

    /// Whether some engine is not good.
    fn matters(&self) -> bool {
        self.times.iter().any(|(_, time)| !self.is_good(*time))
    }
}

/// The cells of one row.
pub(super) fn cells(m: &Measured) -> Vec<String> {
    let shown = |time: Option<f64>| time.map_or("–".to_owned(), |t| format!("{t:.0}"));
    let mut cells = vec![
        m.model.clone(),
        m.property.clone(),
        m.bits.map_or("–".to_owned(), |bits| bits.to_string()),
        m.transitions.to_string(),
        m.pep.map_or("–".to_owned(), |p| format!("{p:.2}")),
    ];
    cells.extend(m.times.iter().map(|(_, time)| shown(*time)));
    cells.extend([
        shown(m.auto),
        m.recommended.clone(),
        m.fastest().map_or("–", |(name, _)| name).to_owned(),
        if m.is_good(m.recommended_time()) { "yes" } else { "**no**" }.to_owned(),
    ]);
    cells
}

/// The whole page, and whether the recommended engine is good often enough.
pub(super) fn table(rows: &[Measured], seeds: u64) -> (String, bool) {
    let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    let share = |good: usize, all: usize| if all == 0 { 1.0 } else { good as f64 / all as f64 };
    let percent = |good: usize, all: usize| format!("{good} of {all} ({:.0} %)", 100.0 * share(good, all));
    let recommended = |m: &&Measured| m.is_good(m.recommended_time());
    let (all, good) = (rows.len(), rows.iter().filter(recommended).count());
    let hard: Vec<&Measured> = rows.iter().filter(|m| m.matters()).collect();
    let good_hard = hard.iter().filter(|m| recommended(m)).count();
    let auto = rows.iter().filter(|m| m.is_good(m.auto)).count();
    let mut out = format!(
        "# Engines on flawed models

`cargo xtask engines` measured this: milliseconds of processor time to a confirmed violation, without reading the model
and without shortening the trace, one thread, median of {seeds} seeds. A dash is an engine that was stopped after ten times
the best time before it and 0.6 s, or that ran out of memory. *Good* is the fastest, or within twice its time; differences of
up to {EQUAL} ms count as none.

* The recommended engine is good on {} of the violated properties.
* Of those where at least one engine is not good, the recommended one is on {}.
* `hunt` without an engine, which first looks around and then follows the recommendation, is good on {}.

Always the same engine would be good on:

",
        percent(good, all),
        percent(good_hard, hard.len()),
        percent(auto, all),
    );
    let mut lines = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let here = |m: &&&Measured| m.is_good(m.times[number].1);
        let (of_all, of_hard) = (rows.iter().filter(|m| here(&m)).count(), hard.iter().filter(here).count());
        lines.push(vec![(*name).to_owned(), percent(of_all, all), percent(of_hard, hard.len())]);
    }
    out.push_str(&markdown_table(&["engine", "all", "where it matters"], &lines, Align::Left));
    let mut head = vec!["model", "property", "bits", "steps", "PEP"];
    head.extend(names);
    head.extend(["auto", "recommended", "fastest", "good"]);
    out.push('\n');
    out.push_str(&markdown_table(&head, &rows.iter().map(cells).collect::<Vec<_>>(), Align::Left));
    (out, share(good, all) >= WANTED)
}
