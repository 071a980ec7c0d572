//! The effort of searches side by side, as in tables 3 to 5 of Edelkamp, Leue and Lluch-Lafuente (2004).

use crate::report::{Align, distinct, markdown_table};
use crate::spec::{Metric, Series};
use crate::statistics::Summary;

use super::GroupOutcome;
use super::markdown::{cell, number, subject_columns};
use super::outcome::by_subject;

/// The lines of a subject: stored, expanded, transitions, length of the trace as found.
const LINES: [(&str, Metric); 4] =
    [("s", Metric::States), ("e", Metric::Expanded), ("t", Metric::Steps), ("l", Metric::Found)];

/// What the letters and stars mean.
const KEY: &str = "s: states stored; e: states expanded; t: transitions; l: length of the trace as found. A star marks the \
                   effort of searches that ended without a violation; their l says what stopped them.\n\n";

/// A table with a column for each technique and four lines for each subject.
pub(super) fn table(series: &Series, outcomes: &[GroupOutcome<'_>]) -> String {
    let techniques = distinct(outcomes.iter().map(|o| o.group.technique.as_str()));
    let head = [&subject_columns(series)[..], &[""], &techniques].concat();
    let mut lines: Vec<Vec<String>> = Vec::new();
    for subject in by_subject(outcomes) {
        for (letter, metric) in LINES {
            let group = subject[0].group;
            let cells = techniques.iter().map(|technique| {
                let outcome = subject.iter().find(|o| o.group.technique == *technique);
                outcome.map_or(String::new(), |outcome| effort(outcome, metric))
            });
            let about = [group.size.clone(), group.subject.clone(), letter.to_owned()];
            lines.push(about.into_iter().chain(cells).collect());
        }
    }
    KEY.to_owned() + &markdown_table(&head, &lines, Align::Right)
}

/// The effort of the trials that found a violation; where none did, that of all, with a star.
fn effort(outcome: &GroupOutcome<'_>, metric: Metric) -> String {
    if !outcome.found.is_empty() || metric == Metric::Found {
        return cell(outcome, metric);
    }
    let values: Vec<f64> = outcome.rows.iter().filter_map(|(_, results)| results.measure(metric)).collect();
    Summary::of(&values).map_or(String::new(), |s| format!("{}*", number(s.mean)))
}
