//! `cargo xtask peers --smv --random N`: generated programs through every engine, and through NuSMV.

use std::fs;
use std::time::{Duration, Instant};

use super::census::Census;
use super::facts::{self, Difference, Facts, MODEL, STATES};
use super::lurcher::Questions;
use super::program::Program;
use super::{Peers, ask_all, generate, shrink};
use crate::peers::pool;
use crate::peers::tools::target_folder;

/// What a tool may take for a program.
const PATIENCE: Duration = Duration::from_secs(20);
/// Trials spent on cutting one program down.
const TRIALS: usize = 300;

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

/// What was said of a program.
struct Compared {
    program: Program,
    said: Vec<Facts>,
    facts: usize,
    differences: Vec<Difference>,
}

/// Prints the programs.
pub fn print(campaign: &Campaign) {
    for index in campaign.start..campaign.start + campaign.count {
        println!("-- seed {} program {index}\n{}", campaign.seed, generate::program(campaign.seed, index, true));
    }
}

/// Compares the tools on every program, cuts failures down, and says whether the tools agree everywhere.
pub fn run(campaign: &Campaign, peers: &Peers, jobs: usize) -> Result<bool, String> {
    let started = Instant::now();
    let modern = peers.nusmv.as_ref().is_none_or(|nusmv| nusmv.modern);
    let indices: Vec<u64> = (campaign.start..campaign.start + campaign.count).collect();
    let results = pool::map(&indices, jobs, |index| one(generate::program(campaign.seed, *index, modern), peers));
    let results: Vec<Compared> = results.into_iter().collect::<Result<_, _>>()?;
    report(&results, started.elapsed());
    let failures: Vec<(u64, &Compared)> =
        indices.into_iter().zip(&results).filter(|(_, compared)| !compared.differences.is_empty()).collect();
    save(campaign, &failures, peers, jobs)?;
    println!("{} programs show a difference", failures.len());
    Ok(failures.is_empty())
}

fn one(program: Program, peers: &Peers) -> Result<Compared, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("program.smv");
    fs::write(&file, program.to_string()).map_err(|error| error.to_string())?;
    let (branching, linear): (Vec<_>, Vec<_>) = program.specifications().into_iter().partition(|s| s.branching);
    let names = |of: Vec<super::program::Named>| of.into_iter().map(|named| named.name).collect();
    let questions =
        Questions { linear: names(linear), branching: names(branching), explicit: true, patience: PATIENCE };
    let said = ask_all(peers, &file, &questions)?;
    let (facts, differences) = facts::compare(&said);
    Ok(Compared { program, said, facts, differences })
}

fn report(results: &[Compared], elapsed: Duration) {
    let mut census = Census::default();
    let mut states: Vec<u64> = Vec::new();
    let (mut refused, mut holds, mut violated) = (0, 0, 0);
    for compared in results {
        let Some(ours) = compared.said.iter().find(|facts| facts.who == "bdd") else { continue };
        if ours.get(MODEL) != Some("accepted") {
            refused += 1;
            continue;
        }
        census.count(&compared.program.to_string());
        states.extend(ours.get(STATES).and_then(|count| count.parse::<u64>().ok()));
        holds += ours.known.values().filter(|value| *value == "holds").count();
        violated += ours.known.values().filter(|value| *value == "violated").count();
    }
    states.sort_unstable();
    let at = |percent: usize| states.get(states.len() * percent / 100).or(states.last()).copied().unwrap_or(0);
    let facts: usize = results.iter().map(|compared| compared.facts).sum();
    let seconds = elapsed.as_secs_f64();
    println!("{} programs in {seconds:.0} s, {refused} refused, {facts} facts compared", results.len());
    println!("{holds} verdicts hold, {violated} are violated (deadlock included)");
    println!("reachable states: quartiles {}, {}, {}; largest {}", at(25), at(50), at(75), at(100));
    println!("constructs: {}", census.lines());
    for who in ["NuSMV", "bdd", "bdd with cone", "bfs", "dfs with cone"] {
        let said = results.iter().flat_map(|compared| &compared.said).filter(|facts| facts.who == who);
        let silent = said.filter(|facts| facts.known.is_empty()).count();
        if silent > 0 {
            println!("no answer from {who}: {silent} programs");
        }
    }
}

/// Cuts the first failures down, writes all of them to `target/peers-smv-failures` and prints those cut down.
fn save(campaign: &Campaign, failures: &[(u64, &Compared)], peers: &Peers, jobs: usize) -> Result<(), String> {
    if failures.is_empty() {
        return Ok(());
    }
    let folder = target_folder().join("peers-smv-failures");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let numbered: Vec<(usize, u64, &Compared)> =
        failures.iter().enumerate().map(|(position, (index, compared))| (position, *index, *compared)).collect();
    let small = pool::map(&numbered, jobs, |(position, _, compared)| match *position < campaign.shrink {
        true => smallest(compared, peers),
        false => (compared.program.clone(), compared.differences[0].clone()),
    });
    for ((position, index, _), (program, difference)) in numbered.into_iter().zip(small) {
        let path = folder.join(format!("{}-{index}.smv", campaign.seed));
        let words = difference.to_string().replace('\n', "\n-- ");
        let text = format!("-- seed {} program {index}: {words}\n{program}", campaign.seed);
        fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        match position < campaign.shrink {
            true => println!("\n=== {}\n{text}", path.display()),
            false => println!("{}: {difference}", path.display()),
        }
    }
    Ok(())
}

/// Cuts one program down while it shows a difference of the same sort.
fn smallest(compared: &Compared, peers: &Peers) -> (Program, Difference) {
    let wanted = &compared.differences[0];
    let find = |program: &Program| -> Option<Difference> {
        let found = one(program.clone(), peers).ok()?;
        found.differences.into_iter().find(|difference| difference.resembles(wanted))
    };
    let program = shrink::shrink(&compared.program, TRIALS, |program| find(program).is_some());
    match find(&program) {
        Some(difference) => (program, difference),
        None => (compared.program.clone(), wanted.clone()),
    }
}
