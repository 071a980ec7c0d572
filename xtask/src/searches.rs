//! `cargo xtask searches`: directed and randomised searches against breadth-first search, on every model or on random programs.
//!
//! Breadth-first search without reduction says whether there is a violation and how long the shortest trace is. Every
//! directed search with every heuristic must give the same verdict, no shorter trace, and exactly this length where it
//! claims a shortest one.

mod compare;

use std::path::PathBuf;
use std::time::Duration;

use lurcher_lab::parallel;

use self::compare::{Comparison, compare};
use crate::campaign::{self, Campaign, Compared, tally};
use crate::options::{Binary, Sampling, Threads};
use crate::random::ast::Program;
use crate::random::{generate, shrink};
use crate::repository;
use crate::shrink::Pass;

/// What is compared.
#[derive(clap::Args)]
pub struct Options {
    /// Compare on these models, not on those of models/promela
    models: Vec<PathBuf>,
    #[command(flatten)]
    random: Sampling,
    #[command(flatten)]
    binary: Binary,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the comparison; true when all searches agree.
pub fn run(options: &Options) -> Result<bool, String> {
    let (lurcher, jobs) = (options.binary.find()?, options.threads.count());
    if options.random.count.is_some() {
        return campaign::run(&RandomSearches { lurcher }, &options.random, jobs);
    }
    let paths = repository::models(&options.models, "models/promela", "pml")?;
    let results =
        parallel::map(&paths, jobs, |path| compare(&lurcher, &path.canonicalize().map_err(|e| e.to_string())?));
    for (path, result) in paths.iter().zip(&results) {
        let differences = result.iter().flat_map(|comparison| &comparison.differences);
        differences.for_each(|d| println!("{}: {d}", path.display()));
    }
    report(results.iter());
    Ok(results.iter().flatten().all(|comparison| comparison.differences.is_empty()))
}

/// lurcher's searches on random Promela programs.
struct RandomSearches {
    lurcher: PathBuf,
}

impl Campaign for RandomSearches {
    type Program = Program;
    type Outcome = Result<Comparison, String>;
    type Difference = String;
    const FOLDER: &'static str = "search-failures";
    const EXTENSION: &'static str = "pml";
    const TRIALS: usize = 300;
    const PASSES: &'static [Pass<Program>] = shrink::PASSES;

    fn generate(&self, seed: u64, index: u64) -> Program {
        generate::program(seed, index)
    }

    fn compare(&self, _: u64, program: &Program) -> Self::Outcome {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("model.pml");
        repository::write(&path, &program.to_string())?;
        compare(&self.lurcher, &path)
    }

    fn difference(&self, outcome: &Self::Outcome) -> Option<String> {
        outcome.as_ref().ok().filter(|o| !o.differences.is_empty()).map(|o| o.differences.join("\n"))
    }

    fn reproduce(&self, index: u64, program: &Program, _: &String, _: bool) -> Option<String> {
        self.difference(&self.compare(index, program))
    }

    fn report(&self, compared: &[Compared<Self>], _: Duration) {
        report(compared.iter().map(|one| &one.outcome));
    }
}

/// Prints how much was compared.
fn report<'r>(results: impl Iterator<Item = &'r Result<Comparison, String>> + Clone) {
    let mut total = Comparison::default();
    results.clone().flatten().for_each(|comparison| total.add(comparison));
    let Comparison { searches, violated, optimal, refused, cut, .. } = total;
    println!(
        "{} models, {searches} searches: {violated} with a violation, {optimal} of them shortest",
        results.clone().flatten().count()
    );
    println!("{refused} refused, {cut} cut by a limit");
    let reasons = tally(results.filter_map(|result| result.as_ref().err().cloned()));
    reasons.iter().for_each(|(why, count)| println!("{count} not compared: {why}"));
}
