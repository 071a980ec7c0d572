//! How well a heuristic ranks states by their true distance from a violation.
//!
//! * *Range*: the smallest and the largest value.
//! * *Correlation*: Spearman's rank correlation between value and true distance, over the states from which a violation is
//!   reachable; ties share the mean of their ranks. 1 is a perfect ranking, 0 no information, negative values mislead.
//! * *Plateau*: the share of the states with two or more steps in which all choices have the same score.
//! * *Lookup*: the mean time of one lookup.
//!
//! For a heuristic that scores steps, the value of a state is the least score among its enabled steps; states without any
//! are left out. True distances come from the [`ReachabilityGraph`]: exact for a small instance, upper bounds for a sample.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lurcher_resources::charge;
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, State};

use crate::reachability_graph::ReachabilityGraph;

/// Units of work of one value: some heuristics list the moves of every process.
const SCORE_UNITS: usize = 32;

/// The informedness of a heuristic.
#[derive(Clone, Debug, PartialEq)]
pub struct Informedness {
    /// Number of states that were scored.
    pub states: usize,
    /// Whether these are all states of the instance, so that distances are exact.
    pub exact: bool,
    /// The smallest and the largest value.
    pub range: Option<(u32, u32)>,
    /// Rank correlation with the true distance; none if either is constant.
    pub correlation: Option<f64>,
    /// Number of states in the correlation.
    pub correlated: usize,
    /// Share of the choices that the heuristic leaves open; none if there is no choice.
    pub plateau: Option<f64>,
    /// Time to build the heuristic, given by the caller.
    pub build: Duration,
    /// Mean time of one lookup.
    pub lookup: Duration,
}

/// Measures a heuristic on the states of an instance or of a sample; `build` is its build time.
pub fn informedness(
    interpreter: &Interpreter<'_>,
    heuristic: &dyn Guidance,
    graph: &ReachabilityGraph,
    build: Duration,
) -> Informedness {
    let mut state = State::empty(interpreter.layout());
    let scores_states = heuristic.scores() == Scores::States;
    let mut score = |number: usize| -> Vec<u32> {
        charge(SCORE_UNITS);
        let claim = graph.load(interpreter, number, &mut state);
        let steps = graph.transitions(number).iter().filter_map(|t| t.step);
        match scores_states {
            true => vec![heuristic.of_state(&state, claim)],
            false => steps.map(|s| heuristic.of_step(&state, claim, s.process, s.branch)).collect(),
        }
    };
    let scores: Vec<Vec<u32>> = (0..graph.len()).map(&mut score).collect();
    let values: Vec<Option<u32>> = scores.iter().map(|s| s.iter().min().copied()).collect();
    let choices = |number: usize| match scores_states {
        true => graph.transitions(number).iter().filter_map(|t| values[t.target as usize]).collect(),
        false => scores[number].clone(),
    };
    let choices: Vec<Vec<u32>> = (0..graph.len()).map(choices).filter(|c| c.len() >= 2).collect();
    let flat = choices.iter().filter(|c| c.iter().all(|s| *s == c[0])).count();
    let seen: Vec<u32> = values.iter().copied().flatten().collect();
    let pair = |(n, value): (usize, &Option<u32>)| Some((f64::from((*value)?), f64::from(graph.distance(n)?)));
    let pairs: Vec<(f64, f64)> = values.iter().enumerate().filter_map(pair).collect();
    Informedness {
        states: seen.len(),
        exact: graph.is_exact(),
        range: seen.iter().min().copied().zip(seen.iter().max().copied()),
        correlation: rank_correlation(&pairs),
        correlated: pairs.len(),
        plateau: (!choices.is_empty()).then(|| flat as f64 / choices.len() as f64),
        build,
        lookup: lookup(interpreter, heuristic, graph),
    }
}

/// Times lookups on a few states in memory.
fn lookup(interpreter: &Interpreter<'_>, heuristic: &dyn Guidance, graph: &ReachabilityGraph) -> Duration {
    const STATES: usize = 256;
    const LOOKUPS: u32 = 20_000;
    /// Lookups between two looks at the clock.
    const BATCH: u32 = 100;
    const ENOUGH: Duration = Duration::from_millis(50);
    let stride = (graph.len() / STATES).max(1);
    let mut ready = Vec::new();
    for number in (0..graph.len()).step_by(stride) {
        let mut state = State::empty(interpreter.layout());
        let claim = graph.load(interpreter, number, &mut state);
        let step = graph.transitions(number).iter().find_map(|t| t.step);
        if step.is_some() || heuristic.scores() == Scores::States {
            ready.push((state, claim, step));
        }
    }
    if ready.is_empty() {
        return Duration::ZERO;
    }
    let started = Instant::now();
    let mut lookups = 0_u32;
    for (state, claim, step) in ready.iter().cycle().take(LOOKUPS as usize) {
        match (heuristic.scores(), step) {
            (Scores::Steps, Some(step)) => black_box(heuristic.of_step(state, *claim, step.process, step.branch)),
            _ => black_box(heuristic.of_state(state, *claim)),
        };
        lookups += 1;
        if lookups.is_multiple_of(BATCH) && started.elapsed() > ENOUGH {
            break;
        }
    }
    started.elapsed() / lookups
}

/// Spearman's rank correlation; none if one side is constant.
fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let left = ranks(&pairs.iter().map(|p| p.0).collect::<Vec<_>>());
    let right = ranks(&pairs.iter().map(|p| p.1).collect::<Vec<_>>());
    let count = pairs.len() as f64;
    let mean = (count + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (product(&left, &left) * product(&right, &right)).sqrt();
    (spread > 0.0).then(|| product(&left, &right) / spread)
}

/// Ranks from 1 on; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = order[start..].iter().take_while(|i| values[**i] == values[order[start]]).count();
        let rank = (2 * start + same + 1) as f64 / 2.0;
        order[start..start + same].iter().for_each(|&i| ranks[i] = rank);
        start += same;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::rank_correlation;

    #[test]
    fn the_correlation_depends_on_ranks_alone() {
        assert_eq!(rank_correlation(&[(1.0, 10.0), (2.0, 11.0), (3.0, 500.0)]), Some(1.0));
        assert_eq!(rank_correlation(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        assert_eq!(rank_correlation(&[(1.0, 3.0), (1.0, 2.0)]), None);
        assert_eq!(rank_correlation(&[]), None);
    }

    #[test]
    fn ties_share_their_rank() {
        // Ranks 1.5 1.5 3 4 against 1 2 3 4: by hand, 4.5 / sqrt(4.5 * 5).
        let found = rank_correlation(&[(0.0, 1.0), (0.0, 2.0), (5.0, 3.0), (9.0, 4.0)]).expect("both vary");
        assert!((found - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12);
    }
}
