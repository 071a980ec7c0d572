//! `cargo xtask reduction`: verdicts with partial-order reduction against verdicts without, on every model or on
//! random programs.
//!
//! Without reduction every violation is looked for; with it, by depth-first, breadth-first and nested search, the
//! verdict must be the same and the violation one of those. Where the model is right, the same statements must be
//! executed.

mod compare;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::compare::{Compared, NotCompared, Question, compare};
use crate::options::{Binary, Sampling, Threads};
use crate::peers::{models, pool, tools};
use crate::random::ast::{Program, Type};
use crate::random::{generate, shrink};

/// What to compare.
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

/// Trials spent on cutting one program down.
const TRIALS: usize = 1500;

/// Runs the comparison: 0 all verdicts agree, 1 some do not, 2 something is missing.
pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("reduction: {reason}");
            ExitCode::from(2)
        }
    }
}

fn try_run(options: &Options) -> Result<bool, String> {
    let (lurcher, jobs) = (options.binary.find()?, options.threads.count());
    match options.random.count {
        Some(count) => Ok(random(options, &lurcher, count, jobs)),
        None if options.models.is_empty() => {
            Ok(on_models(&models::in_folder(&tools::repository().join("models/promela"))?, options, &lurcher, jobs))
        }
        None => Ok(on_models(&options.models, options, &lurcher, jobs)),
    }
}

fn on_models(paths: &[PathBuf], options: &Options, lurcher: &Path, jobs: usize) -> bool {
    let results = pool::map(paths, jobs, |path| {
        let text = fs::read_to_string(path).map_err(|e| NotCompared(e.to_string()))?;
        let path = path.canonicalize().map_err(|e| NotCompared(e.to_string()))?;
        compare(lurcher, &Question { path: &path, text: &text, invariants: &[], message_loss: options.message_loss })
    });
    let mut differing = 0;
    for (path, result) in paths.iter().zip(&results) {
        match result {
            Ok(compared) => {
                differing += usize::from(!compared.differences.is_empty());
                compared.differences.iter().for_each(|difference| println!("{}: {difference}", path.display()));
            }
            Err(NotCompared(why)) => println!("{}: not compared: {why}", path.display()),
        }
    }
    report(results.iter());
    differing == 0 && results.iter().all(Result::is_ok)
}

fn random(options: &Options, lurcher: &Path, count: u64, jobs: usize) -> bool {
    let Sampling { seed, start, shrink: most, .. } = options.random;
    let indices: Vec<u64> = (start..start + count).collect();
    let results = pool::map(&indices, jobs, |index| on_program(&generate::program(seed, *index), options, lurcher));
    report(results.iter());
    let failing: Vec<u64> =
        indices.iter().zip(&results).filter(|(_, r)| is_failure(r)).map(|(index, _)| *index).collect();
    for (position, index) in failing.iter().enumerate() {
        let mut program = generate::program(seed, *index);
        if position < most {
            program = shrink::shrink(&program, TRIALS, |p| is_failure(&on_program(p, options, lurcher))).0;
        }
        println!("\n/* seed {seed} program {index} */\n{program}");
        if let Ok(compared) = on_program(&program, options, lurcher) {
            compared.differences.iter().for_each(|difference| println!("/* {difference} */"));
        }
    }
    println!("{} programs show a difference", failing.len());
    failing.is_empty()
}

fn is_failure(result: &Result<Compared, NotCompared>) -> bool {
    result.as_ref().is_ok_and(|compared| !compared.differences.is_empty())
}

fn on_program(program: &Program, options: &Options, lurcher: &Path) -> Result<Compared, NotCompared> {
    let folder = tempfile::tempdir().map_err(|e| NotCompared(e.to_string()))?;
    let (path, text) = (folder.path().join("model.pml"), program.to_string());
    fs::write(&path, &text).map_err(|e| NotCompared(e.to_string()))?;
    let numbers = program.globals.iter().filter(|v| v.array.is_none() && matches!(v.ty, Type::Scalar(_)));
    let invariants: Vec<String> = numbers.take(2).map(|v| format!("{} != 1", v.name)).collect();
    compare(
        lurcher,
        &Question { path: &path, text: &text, invariants: &invariants, message_loss: options.message_loss },
    )
}

/// Says how much was compared, and what the reduction came to.
fn report<'r>(results: impl Iterator<Item = &'r Result<Compared, NotCompared>>) {
    let mut total = Compared::default();
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let mut useful = 0;
    for result in results {
        match result {
            Ok(compared) => {
                useful += 1;
                total.add(compared);
            }
            Err(NotCompared(why)) => *left_out.entry(why).or_default() += 1,
        }
    }
    println!("{useful} models, {} questions: {} hold, {} are violated", total.questions, total.hold, total.violated);
    println!(
        "of those that hold, {} were reduced, {} to fewer states: {} instead of {}",
        total.reduced, total.smaller, total.stored, total.stored_without
    );
    left_out.iter().for_each(|(why, count)| println!("{count} not compared: {why}"));
}
