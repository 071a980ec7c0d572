//! The results of all mutants, and what each engine found.

use lurcher::Model;
use lurcher::engines::Info;
use lurcher_ir::Property;
use lurcher_smv::mutate::{Mutant, Skipped};

use super::trial::PropertyResult;

/// The results of the model or of one mutant.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The mutant; none for the model itself.
    pub mutant: Option<Mutant>,
    pub loaded: Model,
    /// Its properties, in the order of [`Findings::properties`].
    pub properties: Vec<Property>,
    /// The judge's results, property by property.
    pub truth: Vec<PropertyResult>,
    /// Runs of engines; none for mutants that violate nothing.
    pub runs: Vec<Run>,
}

/// One run of an engine.
#[derive(Debug)]
pub(super) struct Run {
    pub engine: &'static Info,
    pub seed: u64,
    /// Property by property.
    pub results: Vec<PropertyResult>,
}

impl Outcome {
    /// Its number; the model itself is 0.
    pub fn number(&self) -> usize {
        self.mutant.as_ref().map_or(0, |m| m.number)
    }

    /// Whether it violates a property.
    pub fn is_fault(&self) -> bool {
        self.violated().next().is_some()
    }

    /// The numbers of the properties that it violates.
    pub fn violated(&self) -> impl Iterator<Item = usize> {
        (0..self.truth.len()).filter(|&p| self.truth[p].is_violated())
    }

    pub fn runs_of(&self, engine: &Info) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |r| r.engine.name == engine.name)
    }

    /// How many runs of an engine found a violation of a property.
    pub fn found(&self, engine: &Info, property: usize) -> usize {
        self.runs_of(engine).filter(|r| r.results[property].is_violated()).count()
    }

    /// `fault`, `harmless`, or `undecided` where the judge left a property open.
    pub fn status(&self) -> &'static str {
        match self.is_fault() {
            true => "fault",
            false if self.truth.iter().all(PropertyResult::holds) => "harmless",
            false => "undecided",
        }
    }
}

/// The results of a study.
#[derive(Debug)]
pub(super) struct Findings {
    pub properties: Vec<String>,
    /// Properties that the model itself violates or that the judge could not decide for it.
    pub left_out: Vec<String>,
    /// Faults that gave no mutant.
    pub skipped: Skipped,
    /// The model itself, then its mutants.
    pub outcomes: Vec<Outcome>,
}

/// The violations and faults that an engine found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Score {
    /// Runs of each mutant.
    pub runs: usize,
    /// For each number of runs, the violations that exactly so many runs found.
    pub by_runs: Vec<usize>,
    /// For each run, violations and faults found.
    pub each: Vec<(usize, usize)>,
    /// Faults found by any run.
    pub faults: usize,
}

impl Score {
    /// Violations found by at least so many runs.
    pub fn at_least(&self, runs: usize) -> usize {
        self.by_runs[runs..].iter().sum()
    }
}

impl Findings {
    /// Mutants that violate a property.
    pub fn faults(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|o| o.mutant.is_some() && o.is_fault())
    }

    /// The number of violations of all mutants.
    pub fn violations(&self) -> usize {
        self.faults().map(|o| o.violated().count()).sum()
    }

    /// Properties of mutants that the judge could not decide.
    pub fn undecided(&self) -> usize {
        let open = |o: &Outcome| o.truth.iter().filter(|s| !s.is_violated() && !s.holds()).count();
        self.outcomes.iter().map(open).sum()
    }

    /// A quantity of each violation that an engine found in each of its runs, or that the judge found.
    pub fn measured(&self, engine: Option<&Info>, measure: impl Fn(&PropertyResult) -> Option<f64>) -> Vec<f64> {
        let mut all = Vec::new();
        for outcome in self.faults() {
            let runs: Vec<&[PropertyResult]> = match engine {
                Some(engine) => outcome.runs_of(engine).map(|run| run.results.as_slice()).collect(),
                None => vec![&outcome.truth],
            };
            for property in outcome.violated() {
                let found = runs.iter().map(|results| &results[property]).filter(|result| result.is_violated());
                all.extend(found.filter_map(&measure));
            }
        }
        all
    }

    /// Verdicts that contradict the judge, and errors that show a bug.
    pub fn bugs(&self) -> Vec<String> {
        let mut bugs = Vec::new();
        for outcome in &self.outcomes {
            let at = |i: usize| format!("mutant {}, {}", outcome.number(), self.properties[i]);
            for (i, truth) in outcome.truth.iter().enumerate().filter(|(_, s)| s.bug) {
                bugs.push(format!("{}: the judge: {}", at(i), truth.note));
            }
            for run in &outcome.runs {
                for (i, (result, truth)) in run.results.iter().zip(&outcome.truth).enumerate() {
                    let who = format!("{}: {} in run {}", at(i), run.engine.name, run.seed);
                    if result.bug {
                        bugs.push(format!("{who}: {}", result.note));
                    } else if contradict(result, truth) {
                        bugs.push(format!("{who} says {}, the judge {}", result.word(), truth.word()));
                    }
                }
            }
        }
        bugs
    }

    pub fn score(&self, engine: &Info) -> Score {
        let runs = self.faults().next().map_or(0, |o| o.runs_of(engine).count());
        let mut score = Score { runs, by_runs: vec![0; runs + 1], each: vec![(0, 0); runs], faults: 0 };
        for outcome in self.faults() {
            outcome.violated().for_each(|p| score.by_runs[outcome.found(engine, p)] += 1);
            let mut some = false;
            for (run, each) in outcome.runs_of(engine).zip(&mut score.each) {
                let found = outcome.violated().filter(|&p| run.results[p].is_violated()).count();
                each.0 += found;
                each.1 += usize::from(found > 0);
                some |= found > 0;
            }
            score.faults += usize::from(some);
        }
        score
    }
}

/// Whether two verdicts cannot both be true.
pub(super) fn contradict(result: &PropertyResult, truth: &PropertyResult) -> bool {
    result.is_violated() && truth.holds() || result.holds() && truth.is_violated()
}
