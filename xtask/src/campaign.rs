//! The loop over random programs: generate, compare, report, shrink what shows a difference, save it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::{Duration, Instant};

use lurcher_lab::parallel;

use crate::options::Sampling;
use crate::repository;
use crate::shrink::{self, Pass};

/// A comparison of tools or engines on random programs.
pub trait Campaign: Sync {
    /// A program in the form that it is generated and shrunk in.
    type Program: Clone + PartialEq + Display + Send + Sync + 'static;
    /// The result of comparing one program.
    type Outcome: Send + Sync;
    /// Something the tools do not agree on.
    type Difference: Clone + Display + Send + Sync;

    /// The folder for failing programs, in the target folder.
    const FOLDER: &'static str;
    /// The extension of the language: `pml` or `smv`.
    const EXTENSION: &'static str;
    /// Comparisons spent on shrinking one program.
    const TRIALS: usize;
    /// The passes that shrink a program.
    const PASSES: &'static [Pass<Self::Program>];

    /// Program `index` under `seed`.
    fn generate(&self, seed: u64, index: u64) -> Self::Program;

    /// Compares the tools on a program.
    fn compare(&self, index: u64, program: &Self::Program) -> Self::Outcome;

    /// The first difference of an outcome.
    fn difference(&self, outcome: &Self::Outcome) -> Option<Self::Difference>;

    /// A difference that resembles `wanted` and that this smaller program shows. The last call for a program is `exact`.
    fn reproduce(
        &self,
        index: u64,
        program: &Self::Program,
        wanted: &Self::Difference,
        exact: bool,
    ) -> Option<Self::Difference>;

    /// Prints statistics.
    fn report(&self, compared: &[Compared<Self>], elapsed: Duration);
}

/// A program and the outcome of its comparison.
pub struct Compared<C: Campaign + ?Sized> {
    pub index: u64,
    pub program: C::Program,
    pub outcome: C::Outcome,
}

/// Prints the programs of a generator, which takes seed and index.
pub fn print<P: Display>(sampling: &Sampling, extension: &str, generate: impl Fn(u64, u64) -> P) {
    for index in sampling.indices() {
        let head = comment(&format!("seed {} program {index}", sampling.seed), extension);
        println!("{head}\n{}", generate(sampling.seed, index));
    }
}

fn comment(text: &str, extension: &str) -> String {
    match extension {
        "pml" if text.contains('\n') => format!("/*\n * {}\n */", text.replace('\n', "\n * ")),
        "pml" => format!("/* {text} */"),
        _ => format!("-- {}", text.replace('\n', "\n-- ")),
    }
}

/// Compares the tools on every program and shrinks failures; true when no program shows a difference.
pub fn run<C: Campaign>(campaign: &C, sampling: &Sampling, jobs: usize) -> Result<bool, String> {
    let started = Instant::now();
    let indices: Vec<u64> = sampling.indices().collect();
    let compared = parallel::map(&indices, jobs, |&index| {
        let program = campaign.generate(sampling.seed, index);
        Compared { index, outcome: campaign.compare(index, &program), program }
    });
    campaign.report(&compared, started.elapsed());
    let failures: Vec<(&Compared<C>, C::Difference)> =
        compared.iter().filter_map(|one| Some((one, campaign.difference(&one.outcome)?))).collect();
    if !failures.is_empty() {
        save(campaign, sampling, &failures, jobs)?;
    }
    println!("\n{} programs show a difference", failures.len());
    Ok(failures.is_empty())
}

/// Shrinks the first failures, writes all of them to the target folder, and prints those that were shrunk.
fn save<C: Campaign>(
    campaign: &C,
    &Sampling { seed, shrink, .. }: &Sampling,
    failures: &[(&Compared<C>, C::Difference)],
    jobs: usize,
) -> Result<(), String> {
    let folder = repository::target_folder().join(C::FOLDER);
    repository::create_folder(&folder)?;
    let small =
        parallel::map(&failures[..shrink.min(failures.len())], jobs, |(one, wanted)| smallest(campaign, one, wanted));
    let small = small.into_iter().chain(std::iter::repeat_with(|| None));
    for (number, ((one, difference), small)) in failures.iter().zip(small).enumerate() {
        let (program, difference) = small.unwrap_or_else(|| (one.program.clone(), difference.clone()));
        let index = one.index;
        let path = folder.join(format!("{seed}-{index}.{}", C::EXTENSION));
        let head = comment(&format!("seed {seed} program {index}: {difference}"), C::EXTENSION);
        let text = format!("{head}\n{program}");
        repository::write(&path, &text)?;
        match number < shrink {
            true => println!("\n=== {}\n{text}", path.display()),
            false => println!("{}: {difference}", path.display()),
        }
    }
    Ok(())
}

/// Shrinks a program while it shows a difference that resembles the first one.
fn smallest<C: Campaign>(
    campaign: &C,
    Compared { index, program, .. }: &Compared<C>,
    wanted: &C::Difference,
) -> Option<(C::Program, C::Difference)> {
    let find = |program: &C::Program, exact| campaign.reproduce(*index, program, wanted, exact);
    let small = shrink::shrink(program, C::TRIALS, C::PASSES, |program| find(program, false).is_some());
    find(&small, true).map(|difference| (small, difference))
}

/// Constructs of a language, each with pieces of text of which one shows its use.
pub type Signs = &'static [(&'static str, &'static [&'static str])];

/// `construct n` for every construct, where `n` programs use it.
pub fn census(signs: Signs, programs: &[String]) -> String {
    let uses = |pieces: &[&str]| programs.iter().filter(|text| pieces.iter().any(|piece| text.contains(piece))).count();
    signs.iter().map(|(name, pieces)| format!("{name} {}", uses(pieces))).collect::<Vec<_>>().join(", ")
}

/// Quartiles and the largest of some numbers of states.
pub fn spread(mut states: Vec<u64>) -> String {
    states.sort_unstable();
    let at = |percent: usize| states.get(states.len() * percent / 100).or(states.last()).copied().unwrap_or(0);
    format!("quartiles {}, {}, {}; 90 % below {}; largest {}", at(25), at(50), at(75), at(90), at(100))
}

/// How often each reason occurs.
pub fn tally<S: Into<String>>(reasons: impl Iterator<Item = S>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    reasons.for_each(|reason| *counts.entry(reason.into()).or_default() += 1);
    counts
}
