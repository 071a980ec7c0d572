//! The trials that a comparison is about.

use super::{Group, Plan};
use crate::report::distinct;
use crate::spec::{Comparison, Experiment};

/// Two techniques on one subject, within one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The series.
    pub series: usize,
    /// The group of the first technique in it.
    pub first: usize,
    /// The group of the second technique in it.
    pub second: usize,
}

/// One pair for each subject of a series that has trials of both techniques. The same trials are compared once.
pub(super) fn pairs(comparison: &Comparison, experiment: &Experiment, plan: &Plan) -> Result<Vec<Pair>, String> {
    let is_chosen = |name: &String| comparison.series.as_ref().is_none_or(|wanted| wanted == name);
    let chosen: Vec<usize> = (0..plan.groups.len()).filter(|&n| is_chosen(&experiment.series[n].name)).collect();
    if chosen.is_empty() {
        return Err(format!("there is no series `{}`", comparison.series.as_deref().unwrap_or_default()));
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for &series in &chosen {
        let groups = &plan.groups[series];
        let trials = |pair: &Pair| [pair.first, pair.second].map(|group| &plan.groups[pair.series][group].trials);
        for subject in subjects(groups, plan) {
            let first = matching("first", &comparison.first, &subject, groups, plan)?;
            let second = matching("second", &comparison.second, &subject, groups, plan)?;
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first == second {
                let name = &groups[first].technique;
                return Err(format!("`first` and `second` are the same technique: {name}"));
            }
            let pair = Pair { series, first, second };
            if pairs.iter().all(|known| trials(known) != trials(&pair)) {
                pairs.push(pair);
            }
        }
    }
    if pairs.is_empty() { Err(nothing(comparison, &chosen, plan)) } else { Ok(pairs) }
}

/// Why there is nothing to compare.
fn nothing(comparison: &Comparison, chosen: &[usize], plan: &Plan) -> String {
    let groups = || chosen.iter().flat_map(|&series| &plan.groups[series]);
    let sides = [("first", &comparison.first), ("second", &comparison.second)];
    match sides.into_iter().find(|(_, patterns)| !groups().any(|group| is_matched(patterns, group, plan))) {
        Some((side, patterns)) => format!("no trial matches all patterns of `{side}`: {}", patterns.join(", ")),
        None => "no series has trials of both techniques for the same model, macros and property".to_owned(),
    }
}

/// The groups of a series by their models and properties.
fn subjects(groups: &[Group], plan: &Plan) -> Vec<Vec<usize>> {
    let subject = |&group: &usize| {
        let trial = &plan.trials[groups[group].trials[0]];
        (trial.instance, trial.question)
    };
    let all = || (0..groups.len()).filter(|&group| !groups[group].trials.is_empty());
    distinct(all().map(|group| subject(&group)))
        .into_iter()
        .map(|at| all().filter(|g| subject(g) == at).collect())
        .collect()
}

/// The one group of a subject that matches all patterns.
fn matching(
    side: &str,
    patterns: &[String],
    subject: &[usize],
    groups: &[Group],
    plan: &Plan,
) -> Result<Option<usize>, String> {
    let found: Vec<usize> = subject.iter().copied().filter(|&g| is_matched(patterns, &groups[g], plan)).collect();
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let names = distinct(several.iter().map(|&group| groups[group].technique.as_str()));
            Err(format!("`{side}` matches several techniques: {}; one more pattern may choose one", names.join("; ")))
        }
    }
}

fn is_matched(patterns: &[String], group: &Group, plan: &Plan) -> bool {
    let matches = |&trial: &usize| patterns.iter().all(|pattern| plan.trials[trial].parameters.matches(pattern));
    group.trials.first().is_some_and(matches)
}
