//! `cargo xtask peers --random N`: generated programs through the same comparison.

use std::fs;
use std::time::{Duration, Instant};

use super::ast::Program;
use super::census::Census;
use super::{generate, shrink};
use crate::peers::bench::{Bench, Limits, NoResult};
use crate::peers::compare::{self, Aim, Comparison, Difference};
use crate::peers::header::Header;
use crate::peers::kind::Kinds;
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
        let result = confirmed(&program, &aim, tools, &limits);
        (program, result)
    });
    report(&results, started.elapsed());
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
fn confirmed(program: &Program, aim: &Aim, tools: &Tools, limits: &Limits) -> Result<Comparison, NoResult> {
    let text = program.to_string();
    let header = Header::default();
    let comparison = compare::compare(&mut Bench::of_text(&text, tools, limits)?, &header, aim)?;
    let doubtful = comparison.rows.iter().find(|row| !row.differences.is_empty());
    match doubtful.map(|row| Aim::Only(row.property.clone())) {
        Some(aim) if tools.tcc.is_some() => {
            compare::compare(&mut Bench::of_text(&text, tools, limits)?.with_gcc(), &header, &aim)
        }
        _ => Ok(comparison),
    }
}

fn report(results: &[(Program, Result<Comparison, NoResult>)], elapsed: Duration) {
    let mut census = Census::default();
    let mut states = Vec::new();
    let (mut rejected, mut too_big, mut other) = (0, 0, Vec::new());
    let (mut safe, mut unsafe_, mut claims, mut broken) = (0, 0, 0, 0);
    for (program, result) in results {
        match result {
            Ok(comparison) => {
                census.count(program);
                states.extend(comparison.stored());
                let (safety, rest) = comparison.rows.split_first().expect("safety always comes first");
                *(if safety.spin.holds() { &mut safe } else { &mut unsafe_ }) += 1;
                claims += rest.len();
                broken += rest.iter().filter(|row| !Kinds::holds(&row.spin)).count();
            }
            Err(NoResult::Rejected(_)) => rejected += 1,
            Err(NoResult::TooBig(_)) => too_big += 1,
            Err(reason) => other.push(reason.to_string()),
        }
    }
    states.sort_unstable();
    let at = |percent: usize| states.get(states.len() * percent / 100).or(states.last()).copied().unwrap_or(0);
    println!(
        "{} programs in {:.0} s: {} useful, {rejected} refused by Spin, {too_big} too big, {} without a result",
        results.len(),
        elapsed.as_secs_f64(),
        safe + unsafe_,
        other.len()
    );
    println!(
        "safety: {safe} hold, {unsafe_} violated; claims and progress: {} hold, {broken} violated",
        claims - broken
    );
    println!("stored states: quartiles {}, {}, {}; 90 % below {}; largest {}", at(25), at(50), at(75), at(90), at(100));
    println!(
        "trails: {} of ours followed by Spin, {} of Spin's by lurcher",
        tally(results, true),
        tally(results, false)
    );
    println!("programs with: {}", census.lines());
    other.iter().for_each(|reason| println!("no result: {reason}"));
}

fn tally(results: &[(Program, Result<Comparison, NoResult>)], ours: bool) -> usize {
    let rows = results.iter().filter_map(|(_, result)| result.as_ref().ok()).flat_map(|comparison| &comparison.rows);
    rows.map(|row| if ours { row.ours.followed } else { row.theirs.followed }).sum()
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
        true => smallest(failure, tools, limits),
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
fn smallest(failure: &Failure, tools: &Tools, limits: &Limits) -> (Program, Difference) {
    let check = &failure.difference.check;
    let aim = Aim::Only(check.split(": ").next().unwrap_or_default().to_owned());
    let find = |program: &Program, exact: bool| -> Option<Difference> {
        let text = program.to_string();
        let bench = Bench::of_text(&text, tools, limits).ok()?;
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
