//! Runs as valuations.

/// A run: valuations of all variables, inputs included, in the order of their ids.
///
/// The inputs of a valuation are those of the step that leaves it. In the last valuation of a finite run nothing is
/// left, and inputs have the first value of their domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The valuations.
    pub states: Vec<Vec<i64>>,
    /// For an infinite run: the last valuation is followed by this one again.
    pub cycle_start: Option<usize>,
}

impl Trace {
    /// Number of steps; of an infinite run, up to where it repeats.
    pub fn len(&self) -> usize {
        self.states.len() - usize::from(self.cycle_start.is_none())
    }

    /// Does it consist of one state only?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
