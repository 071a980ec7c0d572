//! `cargo xtask directed`: what directed searches store, expand and find, beside breadth-first and depth-first search.
//!
//! Alone it is a sweep: every model of a list, at a size where breadth-first search stores over a million states,
//! searched by every engine with every heuristic for states that lurcher has (`sweep`). With `--tables` it makes the tables of
//! Edelkamp, Leue and Lluch-Lafuente (2003) on our models, with their numbers beside ours (`tables`).
//! With `--effort` it measures the processor time for an expanded state (`effort`). One search is one run of lurcher (`search`); all runs are
//! kept as CSV beside the page.

mod effort;
mod search;
mod subject;
mod sweep;
mod tables;

use std::path::PathBuf;
use std::time::Duration;

use lurcher_lab::report::Machine;

use self::search::Runner;
use crate::options::Binary;
use crate::repository;

/// What to search, and within which limits.
#[derive(clap::Args)]
pub struct Options {
    /// Only the models whose name contains one of these
    only: Vec<String>,
    /// Make the tables of a paper, which bench/NAME/runs.csv describes, not the sweep
    #[arg(long, value_name = "NAME")]
    tables: Option<String>,
    /// Measure the processor time for an expanded state, on models that have no violation
    #[arg(long, conflicts_with = "tables")]
    effort: bool,
    /// Runs of each search with --effort
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// The models and sizes [default: bench/directed/models.txt, with --effort bench/directed/effort.txt]
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Seconds for each search
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// Memory for each search, unless a table says otherwise
    #[arg(long, value_name = "SIZE", default_value = "4G")]
    memory: String,
    /// Models at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    binary: Binary,
    /// Where page and runs go [default: bench/results/DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Searches and writes the page; true when every violation was found, and in the sweep, when the goal is met.
pub fn run(options: &Options) -> Result<bool, String> {
    let runner = Runner {
        lurcher: options.binary.find()?,
        time: Duration::from_secs(options.time),
        memory: options.memory.clone(),
    };
    let command: Vec<String> = std::env::args().skip(1).collect();
    let machine = Machine::here(&format!("cargo xtask {}", command.join(" ")), options.jobs, None);
    let folder = options.out.clone().unwrap_or_else(|| repository::root().join("bench/results").join(&machine.date));
    repository::create_folder(&folder)?;
    let list = |default: &str| options.list.clone().unwrap_or_else(|| repository::root().join(default));
    let (name, (page, good)) = match &options.tables {
        Some(name) => (&**name, tables::page(name, &options.only, &runner, options.jobs)?),
        None if options.effort => {
            let list = list("bench/directed/effort.txt");
            ("directed-effort", effort::page(&list, &options.only, &runner, options.rounds)?)
        }
        None => {
            let list = list("bench/directed/models.txt");
            ("directed", sweep::page(&list, &options.only, &runner, options.jobs, &folder)?)
        }
    };
    let page = format!("{page}\n{}", machine.list());
    println!("{page}");
    repository::write(&folder.join(format!("{name}.md")), &page)?;
    Ok(good)
}
