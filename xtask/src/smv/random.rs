//! `cargo xtask peers --smv --random N`: random SMV programs.

use std::time::Duration;

use super::ask::{ENGINES, NUSMV, Peers, Questions, ask_all};
use super::census::SIGNS;
use super::facts::{self, Difference, Facts, MODEL, STATES};
use super::program::Program;
use super::{generate, shrink};
use crate::campaign::{Campaign, Compared, census, spread};
use crate::repository;
use crate::shrink::Pass;

/// Time for one engine or NuSMV.
const TIME: Duration = Duration::from_secs(20);

/// NuSMV and lurcher's engines on random SMV programs.
pub struct RandomSmv<'p> {
    pub peers: &'p Peers,
    /// Programs may use what only NuSMV 2.6 reads.
    pub modern: bool,
}

/// The facts reported about a program, and how they compare.
pub struct Outcome {
    reported: Vec<Facts>,
    compared: usize,
    differences: Vec<Difference>,
}

impl Campaign for RandomSmv<'_> {
    type Program = Program;
    type Outcome = Result<Outcome, String>;
    type Difference = Difference;
    const FOLDER: &'static str = "peers-smv-failures";
    const EXTENSION: &'static str = "smv";
    const TRIALS: usize = 300;
    const PASSES: &'static [Pass<Program>] = shrink::PASSES;

    fn generate(&self, seed: u64, index: u64) -> Program {
        generate::program(seed, index, self.modern)
    }

    fn compare(&self, _: u64, program: &Program) -> Self::Outcome {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("program.smv");
        repository::write(&file, &program.to_string())?;
        let (branching, linear) = program.specifications();
        let reported = ask_all(self.peers, &file, &Questions { linear, branching, explicit: true, time: TIME })?;
        let (compared, differences) = facts::compare(&reported);
        Ok(Outcome { reported, compared, differences })
    }

    fn difference(&self, outcome: &Self::Outcome) -> Option<Difference> {
        match outcome {
            Ok(outcome) => outcome.differences.first().cloned(),
            Err(reason) => Some(Difference { fact: reason.clone(), values: Vec::new() }),
        }
    }

    fn reproduce(&self, index: u64, program: &Program, wanted: &Difference, _: bool) -> Option<Difference> {
        let found = self.compare(index, program).ok()?;
        found.differences.into_iter().find(|difference| difference.resembles(wanted))
    }

    fn report(&self, compared: &[Compared<Self>], elapsed: Duration) {
        let outcomes: Vec<(&Program, &Outcome)> =
            compared.iter().filter_map(|one| Some((&one.program, one.outcome.as_ref().ok()?))).collect();
        let ours = |outcome: &'_ Outcome| outcome.reported.iter().find(|facts| facts.who == "bdd").cloned();
        let (mut accepted, mut refused, mut texts) = (Vec::new(), 0, Vec::new());
        for (program, outcome) in &outcomes {
            match ours(outcome) {
                Some(facts) if facts.get(MODEL) == Some("accepted") => {
                    accepted.push(facts);
                    texts.push(program.to_string());
                }
                other => refused += usize::from(other.is_some()),
            }
        }
        let facts: usize = outcomes.iter().map(|(_, outcome)| outcome.compared).sum();
        println!(
            "{} programs in {:.0} s, {refused} refused, {facts} facts compared",
            compared.len(),
            elapsed.as_secs_f64()
        );
        let count = |verdict: &str| accepted.iter().flat_map(|f| f.known.values()).filter(|v| *v == verdict).count();
        println!("{} verdicts hold, {} are violated (deadlock included)", count("holds"), count("violated"));
        let states = accepted.iter().filter_map(|facts| facts.get(STATES)?.parse().ok()).collect();
        println!("reachable states: {}", spread(states));
        println!("constructs: {}", census(SIGNS, &texts));
        for who in ENGINES.iter().map(|(who, ..)| *who).chain([NUSMV]) {
            let reported = outcomes.iter().flat_map(|(_, outcome)| &outcome.reported).filter(|facts| facts.who == who);
            let silent = reported.filter(|facts| facts.known.is_empty()).count();
            if silent > 0 {
                println!("no answer from {who}: {silent} programs");
            }
        }
    }
}
