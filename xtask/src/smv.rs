//! `cargo xtask peers --smv`: lurcher against the real NuSMV, and lurcher's engines against one another.
//!
//! NuSMV and each of lurcher's engines report the same facts about the same file (`facts`, `ask`): whether the model is
//! accepted, the number of reachable states, deadlock, verdicts, lengths of shortest traces. The files are the models of
//! the repository (`models`) or random well-typed programs (`generate`, `random`).

mod ask;
mod census;
mod facts;
mod generate;
mod models;
mod program;
mod random;
mod shrink;

use std::path::PathBuf;

use lurcher_lab::peers::nusmv::NuSmv;

use self::ask::Peers;
use self::random::RandomSmv;
use crate::options::Sampling;
use crate::{campaign, nusmv, repository};

/// Options of `cargo xtask peers` for SMV.
#[derive(clap::Args)]
pub struct Choice {
    /// Compare SMV models with NuSMV, not Promela models with Spin
    #[arg(long)]
    pub smv: bool,
    /// Use this NuSMV instead of building one
    #[arg(long, value_name = "PATH", requires = "smv")]
    nusmv: Option<PathBuf>,
    /// Compare lurcher's engines with one another only
    #[arg(long, requires = "smv", conflicts_with = "nusmv")]
    no_nusmv: bool,
}

/// Compares the tools on random programs or on models; true when they agree everywhere.
pub fn run(
    choice: &Choice,
    lurcher: PathBuf,
    models: &[PathBuf],
    sampling: &Sampling,
    jobs: usize,
) -> Result<bool, String> {
    let nusmv = match (&choice.nusmv, choice.no_nusmv) {
        (_, true) => None,
        (Some(path), _) => Some(path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?),
        (None, _) => Some(nusmv::binary()?),
    };
    // NuSMV 2.6 reads more than 2.5.
    let mut modern = true;
    if let Some(path) = &nusmv {
        let version = NuSmv(path.clone()).version().map_err(|e| format!("{}: {e}", path.display()))?;
        let version = version.ok_or_else(|| format!("{}: this is no NuSMV", path.display()))?;
        println!("NuSMV {version}");
        modern = !version.starts_with("2.5");
    }
    let peers = Peers { lurcher, nusmv: nusmv.map(NuSmv) };
    match sampling.count {
        Some(_) => campaign::run(&RandomSmv { peers: &peers, modern }, sampling, jobs),
        None => Ok(models::run(&repository::models(models, "models/smv", "smv")?, &peers, jobs)),
    }
}

/// Prints random programs.
pub fn print(sampling: &Sampling) {
    campaign::print(sampling, "smv", |seed, index| generate::program(seed, index, true));
}
