//! `cargo xtask reduction`: verdicts with partial-order reduction against verdicts without, on every model or on random
//! programs.
//!
//! Without reduction, lurcher searches for every violation. With it, depth-first, breadth-first and nested search must
//! give the same verdict, and the violation must be one of those. Where a property holds, the same statements must be
//! executed.

mod compare;

use std::path::PathBuf;
use std::time::Duration;

use lurcher_lab::parallel;

use self::compare::{Comparison, Question, compare};
use crate::campaign::{self, Campaign, Compared, tally};
use crate::options::{Binary, Sampling, Threads};
use crate::random::ast::{Program, Type};
use crate::random::{generate, shrink};
use crate::repository;
use crate::shrink::Pass;

/// What is compared.
#[derive(clap::Args)]
pub struct Options {
    /// Compare these models, not those of models/promela
    models: Vec<PathBuf>,
    #[command(flatten)]
    random: Sampling,
    /// Let full channels lose messages
    #[arg(long)]
    message_loss: bool,
    #[command(flatten)]
    binary: Binary,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the comparison; true when all verdicts agree.
pub fn run(options: &Options) -> Result<bool, String> {
    let (lurcher, jobs, message_loss) = (options.binary.find()?, options.threads.count(), options.message_loss);
    if options.random.count.is_some() {
        return campaign::run(&RandomReduction { lurcher, message_loss }, &options.random, jobs);
    }
    let paths = repository::models(&options.models, "models/promela", "pml")?;
    let results = parallel::map(&paths, jobs, |path| {
        let text = repository::read(path)?;
        let path = path.canonicalize().map_err(|e| e.to_string())?;
        compare(&lurcher, &Question { path: &path, text: &text, invariants: &[], message_loss })
    });
    for (path, result) in paths.iter().zip(&results) {
        match result {
            Ok(comparison) => comparison.differences.iter().for_each(|d| println!("{}: {d}", path.display())),
            Err(why) => println!("{}: not compared: {why}", path.display()),
        }
    }
    report(results.iter());
    Ok(results.iter().all(|result| result.as_ref().is_ok_and(|comparison| comparison.differences.is_empty())))
}

/// lurcher with and without reduction on random Promela programs.
struct RandomReduction {
    lurcher: PathBuf,
    message_loss: bool,
}

impl Campaign for RandomReduction {
    type Program = Program;
    type Outcome = Result<Comparison, String>;
    type Difference = String;
    const FOLDER: &'static str = "reduction-failures";
    const EXTENSION: &'static str = "pml";
    const TRIALS: usize = 1500;
    const PASSES: &'static [Pass<Program>] = shrink::PASSES;

    fn generate(&self, seed: u64, index: u64) -> Program {
        generate::program(seed, index)
    }

    /// Besides the properties of the program, compares invariants over its first two numbers.
    fn compare(&self, _: u64, program: &Program) -> Self::Outcome {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (path, text) = (folder.path().join("model.pml"), program.to_string());
        repository::write(&path, &text)?;
        let numbers = program.globals.iter().filter(|v| v.array.is_none() && matches!(v.ty, Type::Scalar(_)));
        let invariants: Vec<String> = numbers.take(2).map(|v| format!("{} != 1", v.name)).collect();
        let message_loss = self.message_loss;
        compare(&self.lurcher, &Question { path: &path, text: &text, invariants: &invariants, message_loss })
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

/// Prints how much was compared and how far the reduction went.
fn report<'r>(results: impl Iterator<Item = &'r Result<Comparison, String>> + Clone) {
    let mut total = Comparison::default();
    results.clone().flatten().for_each(|comparison| total.add(comparison));
    println!(
        "{} models, {} questions: {} hold, {} are violated",
        results.clone().flatten().count(),
        total.questions,
        total.hold,
        total.violated
    );
    println!(
        "of those that hold, {} were reduced, {} to fewer states: {} instead of {}",
        total.reduced, total.smaller, total.stored, total.stored_without
    );
    let reasons = tally(results.filter_map(|result| result.as_ref().err().cloned()));
    reasons.iter().for_each(|(why, count)| println!("{count} not compared: {why}"));
}
