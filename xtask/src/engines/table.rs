//! The table of what was measured.

use super::measure::{ENGINES, Measured};

/// Milliseconds that make no difference to anybody.
const EQUAL: f64 = 20.0;
/// The share of properties on which the recommended engine must be good.
const WANTED: f64 = 0.8;

impl Measured {
    fn fastest(&self) -> Option<(&'static str, f64)> {
        // Walks of many kinds are an engine only where they are recommended: elsewhere they follow a recommendation.
        let auto = [("auto", self.auto)].into_iter().filter(|_| self.recommended == "auto");
        let found = self.times.iter().copied().chain(auto).filter_map(|(name, time)| Some((name, time?)));
        found.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Is a time that of the fastest, or within twice it, or no longer in a way that anybody would notice?
    fn is_good(&self, time: Option<f64>) -> bool {
        let Some((_, best)) = self.fastest() else { return false };
        time.is_some_and(|time| time <= 2.0 * best || time - best <= EQUAL)
    }

    fn recommended_time(&self) -> Option<f64> {
        let named = self.times.iter().find(|(name, _)| *name == self.recommended).and_then(|(_, time)| *time);
        if self.recommended == "auto" { self.auto } else { named }
    }

    /// Is there an engine that is not good?
    fn matters(&self) -> bool {
        self.times.iter().any(|(_, time)| !self.is_good(*time))
    }
}

/// One row.
pub(super) fn line(m: &Measured) -> String {
    let shown = |time: Option<f64>| time.map_or("–".to_owned(), |t| format!("{t:.0}"));
    let times: Vec<String> = m.times.iter().map(|(_, time)| shown(*time)).collect();
    let fastest = m.fastest().map_or("–", |(name, _)| name);
    let good = if m.is_good(m.recommended_time()) { "yes" } else { "**no**" };
    let pep = m.pep.map_or("–".to_owned(), |p| format!("{p:.2}"));
    format!(
        "| {} | {} | {} | {} | {pep} | {} | {} | {} | {fastest} | {good} |",
        m.model,
        m.property,
        m.bits.map_or("–".to_owned(), |bits| bits.to_string()),
        m.transitions,
        times.join(" | "),
        shown(m.auto),
        m.recommended,
    )
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

| engine | all | where it matters |
| --- | --- | --- |
",
        percent(good, all),
        percent(good_hard, hard.len()),
        percent(auto, all),
    );
    for (number, name) in names.iter().enumerate() {
        let here = |m: &&&Measured| m.is_good(m.times[number].1);
        let (of_all, of_hard) = (rows.iter().filter(|m| here(&m)).count(), hard.iter().filter(here).count());
        out.push_str(&format!("| {name} | {} | {} |\n", percent(of_all, all), percent(of_hard, hard.len())));
    }
    out.push_str(&format!(
        "\n| model | property | bits | steps | PEP | {} | auto | recommended | fastest | good |\n",
        names.join(" | ")
    ));
    out.push_str(&format!("| {} |\n", vec!["---"; names.len() + 9].join(" | ")));
    for row in rows {
        out.push_str(&line(row));
        out.push('\n');
    }
    (out, share(good, all) >= WANTED)
}
