//! How well a guide ranks states by their true distance from a violation.
//!
//! * *Range*: the smallest and the largest value seen. A guide of one value says nothing.
//! * *Correlation*: Spearman's rank correlation between the guide's value and the true distance, over the states from
//!   which a violation can be reached; ties share the mean of their ranks. 1 ranks perfectly, 0 tells nothing,
//!   negative values mislead.
//! * *Plateau*: the share of the states with a choice (two or more steps) where every choice scores the same, so that
//!   the guide does not help to choose.
//! * *Lookup*: the mean time of asking for one value.
//!
//! A guide that scores steps has no value of its own for a state; here it is the least score among the steps that are
//! possible there, and states where none is are left out.
//!
//! True distances come from [`Reached`]: exact for a small instance; for a sample they are lengths of the shortest ways
//! to a violation inside the sample, never too small but perhaps too large.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, State};

use crate::reached::Reached;

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Informedness {
    /// Number of states that were scored.
    pub states: usize,
    /// Were these all the states of the instance, so that distances are exact?
    pub exact: bool,
    /// The smallest and the largest value.
    pub range: Option<(u32, u32)>,
    /// Rank correlation with the true distance; none when either is the same everywhere.
    pub correlation: Option<f64>,
    /// Number of states that the correlation is about.
    pub correlated: usize,
    /// Share of the choices that the guide leaves open; none when there was no choice.
    pub plateau: Option<f64>,
    /// Time it took to make the guide, as told by the caller.
    pub build: Duration,
    /// Mean time of one lookup.
    pub lookup: Duration,
}

/// Measures a guide on the states of an instance or of a sample; `build` is how long it took to make.
pub fn informedness(
    interpreter: &Interpreter<'_>,
    guide: &dyn Guidance,
    reached: &Reached,
    build: Duration,
) -> Informedness {
    let mut state = State::empty(interpreter.layout());
    let values: Vec<Option<u32>> =
        (0..reached.len()).map(|n| value(interpreter, guide, reached, n, &mut state)).collect();
    let seen: Vec<u32> = values.iter().copied().flatten().collect();
    let pair = |(n, value): (usize, &Option<u32>)| Some((f64::from((*value)?), f64::from(reached.distance(n)?)));
    let pairs: Vec<(f64, f64)> = values.iter().enumerate().filter_map(pair).collect();
    Informedness {
        states: seen.len(),
        exact: reached.is_exact(),
        range: seen.iter().min().copied().zip(seen.iter().max().copied()),
        correlation: rank_correlation(&pairs),
        correlated: pairs.len(),
        plateau: plateau(interpreter, guide, reached, &values),
        build,
        lookup: lookup(interpreter, guide, reached),
    }
}

/// The guide's value of a state.
fn value(
    interpreter: &Interpreter<'_>,
    guide: &dyn Guidance,
    reached: &Reached,
    number: usize,
    state: &mut State,
) -> Option<u32> {
    let claim = reached.load(interpreter, number, state);
    match guide.scores() {
        Scores::States => Some(guide.of_state(state, claim)),
        Scores::Steps => step_scores(guide, reached, number, state, claim).into_iter().min(),
    }
}

fn step_scores(guide: &dyn Guidance, reached: &Reached, number: usize, state: &State, claim: LocationId) -> Vec<u32> {
    let steps = reached.arrows(number).iter().filter_map(|a| a.step);
    steps.map(|s| guide.of_step(state, claim, s.process, s.branch)).collect()
}

fn plateau(
    interpreter: &Interpreter<'_>,
    guide: &dyn Guidance,
    reached: &Reached,
    values: &[Option<u32>],
) -> Option<f64> {
    let mut state = State::empty(interpreter.layout());
    let (mut choices, mut flat) = (0u64, 0u64);
    for number in 0..reached.len() {
        let scores = match guide.scores() {
            Scores::States => reached.arrows(number).iter().filter_map(|a| values[a.target as usize]).collect(),
            Scores::Steps => {
                let claim = reached.load(interpreter, number, &mut state);
                step_scores(guide, reached, number, &state, claim)
            }
        };
        if scores.len() >= 2 {
            choices += 1;
            flat += u64::from(scores.iter().all(|s| *s == scores[0]));
        }
    }
    (choices > 0).then(|| flat as f64 / choices as f64)
}

/// Times lookups on a few states that are ready in memory.
fn lookup(interpreter: &Interpreter<'_>, guide: &dyn Guidance, reached: &Reached) -> Duration {
    const STATES: usize = 256;
    const LOOKUPS: u32 = 20_000;
    let stride = (reached.len() / STATES).max(1);
    let mut ready = Vec::new();
    for number in (0..reached.len()).step_by(stride) {
        let mut state = State::empty(interpreter.layout());
        let claim = reached.load(interpreter, number, &mut state);
        let step = reached.arrows(number).iter().find_map(|a| a.step);
        if step.is_some() || guide.scores() == Scores::States {
            ready.push((state, claim, step));
        }
    }
    if ready.is_empty() {
        return Duration::ZERO;
    }
    let started = Instant::now();
    for (state, claim, step) in ready.iter().cycle().take(LOOKUPS as usize) {
        match (guide.scores(), step) {
            (Scores::Steps, Some(step)) => black_box(guide.of_step(state, *claim, step.process, step.branch)),
            _ => black_box(guide.of_state(state, *claim)),
        };
    }
    started.elapsed() / LOOKUPS
}

/// Spearman's rank correlation; none when one side does not vary.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let left = ranks(&pairs.iter().map(|p| p.0).collect::<Vec<_>>());
    let right = ranks(&pairs.iter().map(|p| p.1).collect::<Vec<_>>());
    let count = pairs.len() as f64;
    let mean = (count + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (product(&left, &left) * product(&right, &right)).sqrt();
    (spread > 0.0).then(|| product(&left, &right) / spread)
}

/// Ranks from 1 on; equal values share the mean of theirs.
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
    fn ranks_decide_and_not_values() {
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
