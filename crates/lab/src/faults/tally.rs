//! From what was said to what was found.

use lurcher_smv::mutate::{FaultKind, Mutant, Skipped};

use super::FaultEngine;
use super::trial::Said;

/// The model, or a mutant of it, with everything that was said about it.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The mutant; none for the model itself.
    pub mutant: Option<Mutant>,
    /// The judge, property by property.
    pub judged: Vec<Said>,
    /// Runs of engines; none for mutants that violate nothing.
    pub runs: Vec<Run>,
}

/// One run of an engine.
#[derive(Debug)]
pub(super) struct Run {
    pub engine: FaultEngine,
    pub seed: u64,
    /// Property by property.
    pub said: Vec<Said>,
}

impl Outcome {
    /// Its number; the model itself is 0.
    pub fn number(&self) -> usize {
        self.mutant.as_ref().map_or(0, |m| m.number)
    }

    /// Does it violate anything?
    pub fn is_fault(&self) -> bool {
        self.judged.iter().any(Said::is_violated)
    }

    /// Is it undecided whether it violates anything?
    pub fn is_open(&self) -> bool {
        !self.is_fault() && !self.judged.iter().all(Said::holds)
    }
}

/// Everything that a study found out.
#[derive(Debug)]
pub(super) struct Findings {
    /// Names of the properties that count.
    pub properties: Vec<String>,
    /// Properties that the model itself violates, or that the judge could not decide for it.
    pub left_out: Vec<String>,
    /// Faults that made no mutant.
    pub skipped: Skipped,
    /// The model itself, then its mutants.
    pub outcomes: Vec<Outcome>,
}

/// What an engine found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Score {
    /// Runs of each mutant.
    pub runs: usize,
    /// For each number of runs, the violations that so many runs found; the first element counts those never found.
    pub by_runs: Vec<usize>,
    /// For each run, violations and faults found.
    pub each: Vec<(usize, usize)>,
    /// Faults that some run found.
    pub faults: usize,
}

impl Score {
    /// Violations that at least so many runs found.
    pub fn at_least(&self, runs: usize) -> usize {
        self.by_runs[runs..].iter().sum()
    }
}

impl Findings {
    /// Mutants that violate something.
    pub fn faults(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|o| o.mutant.is_some() && o.is_fault())
    }

    /// Mutants of a kind: all, and those that violate something.
    pub fn of_kind(&self, kind: FaultKind) -> (usize, usize) {
        let is = |o: &&Outcome| o.mutant.as_ref().is_some_and(|m| m.kind == kind);
        (self.outcomes.iter().filter(is).count(), self.faults().filter(is).count())
    }

    /// Violations in all mutants.
    pub fn violations(&self) -> usize {
        self.faults().map(|o| o.judged.iter().filter(|s| s.is_violated()).count()).sum()
    }

    /// Properties of mutants that the judge could not decide.
    pub fn undecided(&self) -> usize {
        let open = |o: &Outcome| o.judged.iter().filter(|s| !s.is_violated() && !s.holds()).count();
        self.outcomes.iter().map(open).sum()
    }

    /// What contradicts the judge, or is a bug otherwise: mutant, engine, run, property, why.
    pub fn bugs(&self) -> Vec<String> {
        let mut bugs = Vec::new();
        for outcome in &self.outcomes {
            let at = |i: usize| format!("mutant {}, {}", outcome.number(), self.properties[i]);
            for (i, judged) in outcome.judged.iter().enumerate().filter(|(_, s)| s.bug) {
                bugs.push(format!("{}: the judge: {}", at(i), judged.note));
            }
            for run in &outcome.runs {
                for (i, (said, judged)) in run.said.iter().zip(&outcome.judged).enumerate() {
                    let who = format!("{}: {} in run {}", at(i), run.engine.name(), run.seed);
                    if said.bug {
                        bugs.push(format!("{who}: {}", said.note));
                    } else if contradict(said, judged) {
                        bugs.push(format!("{who} says {}, the judge {}", said.word(), judged.word()));
                    }
                }
            }
        }
        bugs
    }

    /// How often a violation was found, and by how many runs it could be.
    pub fn found(outcome: &Outcome, engine: FaultEngine, property: usize) -> (usize, usize) {
        let runs = outcome.runs.iter().filter(|r| r.engine == engine);
        runs.fold((0, 0), |(found, all), r| (found + usize::from(r.said[property].is_violated()), all + 1))
    }

    /// What an engine found of what there is.
    pub fn score(&self, engine: FaultEngine) -> Score {
        let runs = self.faults().next().map_or(0, |o| o.runs.iter().filter(|r| r.engine == engine).count());
        let mut score = Score { runs, by_runs: vec![0; runs + 1], each: vec![(0, 0); runs], faults: 0 };
        for outcome in self.faults() {
            let violated: Vec<usize> = (0..outcome.judged.len()).filter(|&p| outcome.judged[p].is_violated()).collect();
            for &property in &violated {
                score.by_runs[Findings::found(outcome, engine, property).0] += 1;
            }
            let mine = outcome.runs.iter().filter(|r| r.engine == engine);
            let mut some = false;
            for (run, each) in mine.zip(&mut score.each) {
                let found = violated.iter().filter(|&&p| run.said[p].is_violated()).count();
                each.0 += found;
                each.1 += usize::from(found > 0);
                some |= found > 0;
            }
            score.faults += usize::from(some);
        }
        score
    }
}

/// Two verdicts that cannot both be true.
pub(super) fn contradict(said: &Said, judged: &Said) -> bool {
    said.is_violated() && judged.holds() || said.holds() && judged.is_violated()
}
