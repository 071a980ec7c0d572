//! Simple walks for tests, uniform or guided. A rendezvous has the worse score of its two halves. A walk that exceeds its
//! depth or cannot continue starts again; its steps count.

use lurcher_ir::{Expr, LocationId};
use lurcher_search::{Bias, Draws, Guidance};
use lurcher_system::{Interpreter, Move, State};

/// The most steps of one walk for each process.
const DEPTH: u64 = 500;

/// A hunt by walks.
pub struct Hunt<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    /// The heuristic and the bias of its scores; none for uniform walks.
    pub heuristic: Option<(&'a dyn Guidance, Bias)>,
    /// Hunts for states in which this does not hold, instead of invalid end states.
    pub invariant: Option<&'a Expr>,
    /// The most steps of all walks.
    pub steps: u64,
}

impl Hunt<'_, '_> {
    fn weights(&self, state: &State, moves: &[Move]) -> Vec<u32> {
        let Some((heuristic, bias)) = self.heuristic else { return vec![1; moves.len()] };
        let of = |(process, branch)| heuristic.of_step(state, LocationId(0), process, branch);
        let score = |step: &Move| of((step.process, step.branch)).max(step.partner.map_or(0, of));
        let mut weights: Vec<u32> = moves.iter().map(score).collect();
        bias.weigh(&mut weights, heuristic.max(), false);
        weights
    }

    /// Steps of all walks until a violation.
    fn run(&self, seed: u64) -> u64 {
        let start = self.interpreter.initial().expect("a model that starts");
        let depth = DEPTH * u64::from(start.process_count().max(4));
        let mut draws = Draws::of(seed, 0);
        let mut moves = Vec::new();
        let mut steps = 0;
        loop {
            let mut state = start.clone();
            let mut length = 0;
            while length < depth {
                self.interpreter.moves(&state, &mut moves);
                let is_bad = match self.invariant {
                    Some(e) => state.exclusive.is_none() && !self.interpreter.holds(&state, e).unwrap_or(false),
                    None => moves.is_empty() && !self.interpreter.is_valid_end(&state),
                };
                if is_bad || steps >= self.steps {
                    return steps;
                }
                if moves.is_empty() {
                    break;
                }
                let step = moves[draws.by_weight(&self.weights(&state, &moves))];
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
