//! Breadth-first search over runs, one instant after the other.

use lurcher_resources::checkpoint;
use rustc_hash::FxHashSet;

use super::{Defect, State, Stepper};

/// What a search has found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The property is false at the last instant of a run.
    Violation(State),
    /// A run shows a mistake in the specification.
    Defect(State, Defect),
    /// Nothing up to the horizon.
    Nothing,
}

/// A breadth-first search.
pub struct Search<'s, 'm> {
    stepper: &'s Stepper<'m>,
    property: Option<usize>,
    layer: Vec<State>,
    states: usize,
}

impl<'s, 'm> Search<'s, 'm> {
    /// A search for a violation of a property, or through all runs.
    pub fn new(stepper: &'s Stepper<'m>, property: Option<usize>) -> Self {
        Search { stepper, property, layer: Vec::new(), states: 0 }
    }

    /// The different states at the last instant that was reached.
    pub fn layer(&self) -> &[State] {
        &self.layer
    }

    /// How many different states were found.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Searches the instants from 0 to a horizon.
    pub fn run(&mut self, horizon: usize) -> Outcome {
        for instant in 0..=horizon {
            match self.advance(instant) {
                Outcome::Nothing if self.layer.is_empty() => break,
                Outcome::Nothing => {}
                found => return found,
            }
        }
        Outcome::Nothing
    }

    /// Searches one more instant: 0 first, then one after the other.
    pub fn advance(&mut self, instant: usize) -> Outcome {
        let before = std::mem::take(&mut self.layer);
        let mut known: FxHashSet<Box<[i64]>> = FxHashSet::default();
        let initial = (instant == 0).then(|| self.stepper.initial());
        let later = before.iter().map(|state| self.stepper.successors(state));
        let mut defect = None;
        for successors in initial.into_iter().chain(later) {
            checkpoint();
            for state in successors.states {
                if !known.insert(self.stepper.key(&state)) {
                    continue;
                }
                self.states += 1;
                if let Some(property) = self.property {
                    match self.stepper.holds(&state, property) {
                        Some(true) => {}
                        Some(false) => return Outcome::Violation(state),
                        None => {
                            let clause = self.stepper.model().properties[property].name.clone();
                            defect = defect.or(Some((state.clone(), Defect::Undefined { clause })));
                        }
                    }
                }
                self.layer.push(state);
            }
            defect = defect.or(successors.defects.into_iter().next());
        }
        match defect {
            Some((state, defect)) => Outcome::Defect(state, defect),
            None => Outcome::Nothing,
        }
    }
}
