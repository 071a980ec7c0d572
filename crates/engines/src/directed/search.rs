//! A directed search over whatever space a system has.

use lurcher_search::{
    BestFirst, Budget, Draws, Expander, FoundKind, IterativeDeepening, Observer, Outcome, Priority, Space, Storage,
    Ties, Trial, TrialCounts, Trials, random_dfs,
};

use crate::engine::Task;
use crate::options::{FRONTIER, TRIAL_STATES, TRIALS};
use crate::system::Search;

/// How a directed search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Algorithm {
    /// Best-first search: once, or in trials.
    BestFirst { priority: Priority, ties: Ties, frontier: Option<usize>, choices: u32, shuffle: bool, in_trials: bool },
    /// IDA\*.
    IterativeDeepening { storage: Storage, restarts: u32 },
    /// Depth-first search with successors in random order, in trials.
    RandomDepthFirst,
}

/// The most open nodes of randomised searches by default, as in the paper.
const RANDOM_FRONTIER: usize = 100_000;
/// The most states of a trial by default.
const TRIAL_LIMIT: u64 = 1_000_000;

impl Algorithm {
    /// Best-first search that is made once.
    pub fn best_first(task: &Task<'_>, priority: Priority, ties: Ties) -> Self {
        let frontier = task.options.count(&FRONTIER).flatten();
        Algorithm::BestFirst { priority, ties, frontier, choices: 1, shuffle: false, in_trials: false }
    }

    /// Greedy best-first search that is made in trials.
    pub fn random_best_first(task: &Task<'_>, ties: Ties, choices: u32, shuffle: bool) -> Self {
        let frontier = task.options.count(&FRONTIER).unwrap_or(Some(RANDOM_FRONTIER));
        Algorithm::BestFirst { priority: Priority::Greedy, ties, frontier, choices, shuffle, in_trials: true }
    }

    fn is_made_in_trials(self) -> bool {
        matches!(self, Algorithm::RandomDepthFirst | Algorithm::BestFirst { in_trials: true, .. })
    }
}

/// A directed search.
pub(crate) struct DirectedSearch<'s> {
    name: &'static str,
    algorithm: Algorithm,
    seed: u64,
    threads: usize,
    plan: Trials,
    is_admissible_for: &'s (dyn Fn(&FoundKind) -> bool + Sync),
    omission: Option<f64>,
    /// The trials that were made.
    pub trials: Option<TrialCounts>,
}

impl<'s> DirectedSearch<'s> {
    pub fn new(
        name: &'static str,
        algorithm: Algorithm,
        task: &Task<'_>,
        is_admissible_for: &'s (dyn Fn(&FoundKind) -> bool + Sync),
    ) -> Self {
        let states = task.options.number(&TRIAL_STATES).unwrap_or(TRIAL_LIMIT);
        DirectedSearch {
            name,
            algorithm,
            seed: task.seed,
            threads: if algorithm.is_made_in_trials() { task.jobs } else { 1 },
            plan: Trials { count: task.options.number(&TRIALS), states },
            is_admissible_for,
            omission: None,
            trials: None,
        }
    }

    /// One search, or one trial.
    fn search_once<E: Expander>(
        &self,
        expander: &mut E,
        (number, budget, is_abandoned, mut observer): Trial<'_>,
    ) -> Outcome<<E::Space as Space>::Step> {
        let draws = Draws::of(self.seed, number);
        match self.algorithm {
            Algorithm::BestFirst { priority, ties, frontier, choices, shuffle, .. } => {
                let is_admissible_for = self.is_admissible_for;
                let search = BestFirst { priority, ties, frontier, choices, shuffle, is_admissible_for, is_abandoned };
                search.run(expander, draws, budget, &mut observer)
            }
            Algorithm::RandomDepthFirst => random_dfs(expander.space(), draws, is_abandoned, budget, &mut observer),
            Algorithm::IterativeDeepening { .. } => unreachable!("it draws no random numbers"),
        }
    }
}

impl Search for DirectedSearch<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn expands_batches(&self) -> bool {
        matches!(self.algorithm, Algorithm::BestFirst { .. })
    }

    fn storage(&self) -> Storage {
        match self.algorithm {
            Algorithm::IterativeDeepening { storage, .. } => storage,
            _ => Storage::Exact,
        }
    }

    fn run<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        spaces: &mut [E],
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        match self.algorithm {
            Algorithm::IterativeDeepening { storage, restarts } => {
                let search = IterativeDeepening { storage, restarts, is_admissible_for: self.is_admissible_for };
                let (outcome, omission) = search.run(&mut spaces[0], budget, &mut observer);
                self.omission = (storage != Storage::Exact).then_some(omission);
                outcome
            }
            algorithm if algorithm.is_made_in_trials() => {
                let this = &*self;
                let run = |expander: &mut E, trial: Trial<'_>| this.search_once(expander, trial);
                let (outcome, counts) = self.plan.run(spaces, budget, observer, run);
                self.trials = Some(counts);
                outcome
            }
            _ => self.search_once(&mut spaces[0], (0, budget, &|| false, observer)),
        }
    }

    fn omission(&self) -> Option<f64> {
        self.omission
    }
}
