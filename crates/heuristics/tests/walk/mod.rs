//! Walks for tests and experiments: uniform or guided, as simple as can be.
//!
//! All enabled moves are weighed; a rendezvous has the worse score of its two halves. A walk that has reached the depth limit or
//! a deadlock is followed by another one; its steps count.

use lurcher_ir::{Expr, LocationId};
use lurcher_search::{Bias, Guidance};
use lurcher_system::{Interpreter, Move, State};

/// Most steps of one walk for each process.
const DEPTH: u64 = 500;

/// SplitMix64: enough for an experiment.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A hunt by walks.
pub struct Hunt<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    /// The guide and the bias; none for uniform walks.
    pub guide: Option<(&'a dyn Guidance, Bias)>,
    /// The invariant to violate; without one, invalid end states are violations.
    pub invariant: Option<&'a Expr>,
    /// Steps after which the hunt stops.
    pub steps: u64,
}

impl Hunt<'_, '_> {
    fn weights(&self, state: &State, moves: &[Move]) -> Vec<u32> {
        let Some((guide, bias)) = self.guide else { return vec![1; moves.len()] };
        let of = |(process, branch)| guide.of_step(state, LocationId(0), process, branch);
        let score = |step: &Move| of((step.process, step.branch)).max(step.partner.map_or(0, of));
        let mut weights: Vec<u32> = moves.iter().map(score).collect();
        bias.weigh(&mut weights, guide.max(), false);
        weights
    }

    fn choose(&self, state: &State, moves: &[Move], random: &mut Random) -> Move {
        let weights = self.weights(state, moves);
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return moves[random.below(moves.len() as u64) as usize];
        }
        let mut drawn = random.below(total);
        for (step, weight) in moves.iter().zip(weights) {
            if drawn < u64::from(weight) {
                return *step;
            }
            drawn -= u64::from(weight);
        }
        unreachable!("the weights add up to the total")
    }

    /// Whether a state is a violation.
    fn is_bad(&self, state: &State, moves: &[Move]) -> bool {
        match self.invariant {
            Some(e) => state.exclusive.is_none() && !self.interpreter.holds(state, e).unwrap_or(false),
            None => moves.is_empty() && !self.interpreter.is_valid_end(state),
        }
    }

    /// Steps made until a violation, over all walks.
    pub fn run(&self, seed: u64) -> u64 {
        let start = self.interpreter.initial().expect("a model that starts");
        let depth = DEPTH * u64::from(start.process_count().max(4));
        let mut random = Random(seed);
        let mut moves = Vec::new();
        let mut steps = 0;
        loop {
            let mut state = start.clone();
            let mut length = 0;
            while length < depth {
                self.interpreter.moves(&state, &mut moves);
                if self.is_bad(&state, &moves) || steps >= self.steps {
                    return steps;
                }
                if moves.is_empty() {
                    break;
                }
                let step = self.choose(&state, &moves, &mut random);
                length += u64::from(step.length());
                steps += u64::from(step.length());
                if self.interpreter.apply(&mut state, &step).is_some() {
                    return steps;
                }
            }
            steps += 1;
        }
    }

    /// The mean number of steps over so many seeds.
    pub fn mean(&self, seeds: u64) -> f64 {
        (1..=seeds).map(|seed| self.run(seed)).sum::<u64>() as f64 / seeds as f64
    }
}
