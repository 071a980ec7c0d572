//! `cargo xtask peers --random N`: generated programs through the same comparison.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use super::ast::Program;
use super::census::Census;
use super::{generate, shrink};
use crate::peers::bench::{Bench, Limits, NoResult};
use crate::peers::compare::{self, Aim, Comparison, Difference, Row, Tally};
use crate::peers::header::Header;
use crate::peers::pool;
use crate::peers::tools::{self, Tools};

/// Which programs to compare.
pub struct Campaign {
    /// The seed they are drawn from.
    pub seed: u64,
    /// Index of the first.
    pub start: u64,
    /// How many.
    pub count: u64,
    /// How many failures to cut down.
    pub shrink: usize,
    /// Full channels lose messages.
    pub loss: bool,
}

impl Campaign {
    fn bench<'t>(&self, index: u64, program: &Program, tools: &'t Tools, limits: &'t Limits) -> io::Result<Bench<'t>> {
        let bench = Bench::of_text(&program.to_string(), tools, limits)?;
        let bench = if self.loss { bench.with_loss() } else { bench };
        Ok(if is_minimised(index) { bench } else { bench.with_traces_as_found() })
    }
}

/// Of every fourth program the traces are minimised; of all of them it would take too long.
fn is_minimised(index: u64) -> bool {
    index.is_multiple_of(4)
}

/// Trials spent on cutting one program down.
const TRIALS: usize = 1200;

fn limits() -> Limits {
    Limits { time: Duration::from_secs(4), depth: 400_000, vector: 20_000, memory: 512, states: 200_000, hash: 16 }
}

/// A difference and the program that shows it.
struct Failure {
    index: u64,
    program: Program,
    difference: Difference,
}

/// Prints the programs.
pub fn print(campaign: &Campaign) {
    for index in campaign.start..campaign.start + campaign.count {
        println!("/* seed {} program {index} */\n{}", campaign.seed, generate::program(campaign.seed, index));
    }
}

/// Compares the tools on every program, cuts failures down, and says whether the tools agree everywhere.
pub fn run(campaign: &Campaign, tools: &Tools, jobs: usize) -> Result<bool, String> {
    let limits = limits();
    let started = Instant::now();
    let indices: Vec<u64> = (campaign.start..campaign.start + campaign.count).collect();
    let aim = if tools.lurcher.is_some() { Aim::Everything } else { Aim::SpinOnly };
    let results = pool::map(&indices, jobs, |index| {
        let program = generate::program(campaign.seed, *index);
        let result = confirmed(campaign, *index, &program, &aim, tools, &limits);
        (program, result)
    });
    report(&indices, &results, started.elapsed());
    let failures: Vec<Failure> = indices
        .iter()
        .zip(results)
        .filter_map(|(index, (program, result))| {
            let difference = result.ok()?.differences().next()?.clone();
            Some(Failure { index: *index, program, difference })
        })
        .collect();
    let count = failures.len();
    save(campaign, &failures, tools, &limits, jobs)?;
    println!("\n{count} programs show a difference");
    Ok(count == 0)
}

/// Compares with the fast compiler; a difference counts when GCC's `pan` shows it too.
fn confirmed(
    campaign: &Campaign,
    index: u64,
    program: &Program,
    aim: &Aim,
    tools: &Tools,
    limits: &Limits,
) -> Result<Comparison, NoResult> {
    let header = Header::default();
    let comparison = compare::compare(&mut campaign.bench(index, program, tools, limits)?, &header, aim)?;
    let doubtful = comparison.rows.iter().find(|row| !row.differences.is_empty());
    match doubtful.map(|row| Aim::Only(row.property.clone())) {
        Some(aim) if tools.tcc.is_some() => {
            let patient = Limits { time: limits.time * 4, ..limits.clone() };
            compare::compare(&mut campaign.bench(index, program, tools, &patient)?.with_gcc(), &header, &aim)
        }
        _ => Ok(comparison),
    }
}

fn report(indices: &[u64], results: &[(Program, Result<Comparison, NoResult>)], elapsed: Duration) {
    let mut census = Census::default();
    let mut useful = Vec::new();
    let mut minimised = Vec::new();
    let mut useless: BTreeMap<String, usize> = BTreeMap::new();
    for (index, (program, result)) in indices.iter().zip(results) {
        match result {
            Ok(comparison) => {
                census.count(program);
                useful.push(comparison);
                minimised.extend(is_minimised(*index).then_some(comparison));
            }
            Err(reason) => *useless.entry(sort_of(reason)).or_default() += 1,
        }
    }
    println!("{} programs in {:.0} s, {} useful", results.len(), elapsed.as_secs_f64(), useful.len());
    useless.iter().for_each(|(reason, count)| println!("  {count} {reason}"));
    for (name, safety) in [("safety", true), ("claims and progress", false)] {
        let rows = useful.iter().flat_map(|comparison| &comparison.rows);
        let (hold, violated): (Vec<&Row>, Vec<&Row>) =
            rows.filter(|row| (row.property == "safety") == safety).partition(|row| row.spin.holds());
        println!("{name}: {} hold, {} violated", hold.len(), violated.len());
    }
    println!("stored states: {}", spread(useful.iter().filter_map(|comparison| comparison.stored()).collect()));
    let (ours, theirs) = (tally(&useful, |row| row.ours), tally(&useful, |row| row.theirs));
    println!("trails: {ours} of ours followed by Spin, {theirs} of Spin's by lurcher");
    let ours = |safety: bool| {
        tally(&minimised, |row| if (row.property == "safety") == safety { row.ours } else { Tally::default() })
    };
    println!("minimised, among ours: {} of safety, {} of claims and progress", ours(true), ours(false));
    println!("constructs: {}", census.lines());
}

/// Reasons without what is particular to one program.
fn sort_of(reason: &NoResult) -> String {
    let words = reason.to_string();
    let words = words.rsplit_once("Error: ").map_or(words.as_str(), |(_, rest)| rest);
    words.split(['(', '\'', '\t']).next().unwrap_or(words).trim().to_owned()
}

fn spread(mut states: Vec<u64>) -> String {
    states.sort_unstable();
    let at = |percent: usize| states.get(states.len() * percent / 100).or(states.last()).copied().unwrap_or(0);
    format!("quartiles {}, {}, {}; 90 % below {}; largest {}", at(25), at(50), at(75), at(90), at(100))
}

fn tally(comparisons: &[&Comparison], which: impl Fn(&Row) -> Tally) -> Tally {
    comparisons.iter().flat_map(|comparison| &comparison.rows).map(which).sum()
}

/// Cuts the first failures down, writes all of them to `target/peers-failures` and prints those cut down.
fn save(campaign: &Campaign, failures: &[Failure], tools: &Tools, limits: &Limits, jobs: usize) -> Result<(), String> {
    if failures.is_empty() {
        return Ok(());
    }
    let folder = tools::target_folder().join("peers-failures");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let numbered: Vec<(usize, &Failure)> = failures.iter().enumerate().collect();
    let small = pool::map(&numbered, jobs, |(position, failure)| match *position < campaign.shrink {
        true => smallest(campaign, failure, tools, limits),
        false => (failure.program.clone(), failure.difference.clone()),
    });
    for ((position, failure), (program, difference)) in numbered.into_iter().zip(small) {
        let path = folder.join(format!("{}-{}.pml", campaign.seed, failure.index));
        let text = format!(
            "/*\n * seed {} program {}: {}\n * spin: {}\n * lurcher: {}\n */\n{program}",
            campaign.seed, failure.index, difference.check, difference.spin, difference.lurcher
        );
        fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        match position < campaign.shrink {
            true => println!("\n=== {}\n{text}", path.display()),
            false => println!(
                "{} ({}: spin {}, lurcher {})",
                path.display(),
                difference.check,
                difference.spin,
                difference.lurcher
            ),
        }
    }
    Ok(())
}

/// Cuts one program down while the same check fails.
fn smallest(campaign: &Campaign, failure: &Failure, tools: &Tools, limits: &Limits) -> (Program, Difference) {
    let check = &failure.difference.check;
    let aim = Aim::Only(check.split(": ").next().unwrap_or_default().to_owned());
    let find = |program: &Program, exact: bool| -> Option<Difference> {
        let bench = campaign.bench(failure.index, program, tools, limits).ok()?;
        let mut bench = if exact { bench.with_gcc() } else { bench };
        let comparison = compare::compare(&mut bench, &Header::default(), &aim).ok()?;
        comparison.differences().find(|difference| difference.resembles(&failure.difference)).cloned()
    };
    let (program, _) = shrink::shrink(&failure.program, TRIALS, |program| find(program, false).is_some());
    match find(&program, true) {
        Some(difference) => (program, difference),
        None => (failure.program.clone(), failure.difference.clone()),
    }
}
