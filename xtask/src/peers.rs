//! `cargo xtask peers`: lurcher against the real Spin, or with `--smv` against the real NuSMV (`crate::smv`).
//!
//! Both tools get the same file; what they say is compared property by property (`compare`). Spin's side is `bench`
//! (the files), `pan` and `pan_output` (the verifier), `spin_replay` (`spin -t`); lurcher's is its command line and JSON
//! (`lurcher`). Models come from the repository (`models`) or from the generator (`crate::random`).

pub mod bench;
pub mod child;
pub mod compare;
mod facts;
pub mod header;
pub mod kind;
mod lurcher;
pub mod models;
mod pan;
pub mod pan_output;
pub mod pool;
mod spin_replay;
pub mod table;
pub mod tools;
mod trail;
mod transitions;

use std::path::PathBuf;
use std::process::ExitCode;

use self::tools::Tools;
use crate::options::{Binary, Sampling, Threads};
use crate::random::campaign::{self, Campaign};
use crate::smv;

/// What to compare, and with what.
#[derive(clap::Args)]
pub struct Options {
    /// Compare these models, not those of models/promela (models/smv)
    models: Vec<PathBuf>,
    #[command(flatten)]
    random: Sampling,
    /// Print the random programs and stop
    #[arg(long, requires = "random")]
    print: bool,
    /// Ask Spin alone: does the generator write useful programs, do the headers tell the truth?
    #[arg(long)]
    spin_only: bool,
    /// Let full channels lose messages; what the headers expect is not asked then
    #[arg(long)]
    message_loss: bool,
    #[command(flatten)]
    smv: smv::Choice,
    #[command(flatten)]
    binary: Binary,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the comparison: 0 the tools agree, 1 they differ, 2 something is missing.
pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("peers: {reason}");
            ExitCode::from(2)
        }
    }
}

fn try_run(options: &Options) -> Result<bool, String> {
    if options.smv.smv {
        return with_smv(options);
    }
    let Sampling { seed, start, shrink, .. } = options.random;
    let campaign =
        options.random.count.map(|count| Campaign { seed, start, count, shrink, loss: options.message_loss });
    if let Some(campaign) = campaign.as_ref().filter(|_| options.print) {
        campaign::print(campaign);
        return Ok(true);
    }
    let lurcher = if options.spin_only { None } else { Some(options.binary.find()?) };
    let tools = Tools::find(lurcher)?;
    let jobs = options.threads.count();
    match campaign {
        Some(campaign) => campaign::run(&campaign, &tools, jobs),
        None if options.models.is_empty() => {
            let all = models::in_folder(&tools::repository().join("models/promela"))?;
            Ok(models::run(&all, options.message_loss, &tools, jobs))
        }
        None => Ok(models::run(&options.models, options.message_loss, &tools, jobs)),
    }
}

/// The same question with SMV and NuSMV.
fn with_smv(options: &Options) -> Result<bool, String> {
    let Sampling { seed, start, shrink, .. } = options.random;
    let campaign = options.random.count.map(|count| smv::Campaign { seed, start, count, shrink });
    if let Some(campaign) = campaign.as_ref().filter(|_| options.print) {
        smv::print(campaign);
        return Ok(true);
    }
    let peers = options.smv.peers(options.binary.find()?)?;
    match campaign {
        Some(campaign) => smv::random(&campaign, &peers, options.threads.count()),
        None => smv::models(&options.models, &peers, options.threads.count()),
    }
}
