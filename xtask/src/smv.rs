//! `cargo xtask peers --smv`: lurcher against the real NuSMV, and lurcher's engines against one another.
//!
//! Every tool is asked for the same facts of the same file (`facts`): is the model accepted, how many states are
//! reachable, is there a deadlock, which specifications hold, how long is a shortest trace? NuSMV is asked by a script
//! (`nusmv`), lurcher by its command line and JSON, once for each engine (`lurcher`). Files come from the repository
//! (`models`) or from a generator of well-typed programs (`generate`); a program that shows a difference is cut down
//! (`shrink`).

mod campaign;
mod census;
mod facts;
mod generate;
mod lurcher;
mod models;
mod nusmv;
mod program;
mod shrink;

use std::path::{Path, PathBuf};

pub use self::campaign::Campaign;
use self::facts::Facts;
use self::nusmv::NuSmv;

/// What `cargo xtask peers` may be told about SMV.
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

/// The programs in use.
pub struct Peers {
    lurcher: PathBuf,
    nusmv: Option<NuSmv>,
}

impl Choice {
    /// Finds or builds the NuSMV that was chosen.
    pub fn peers(&self, lurcher: PathBuf) -> Result<Peers, String> {
        let nusmv = match (&self.nusmv, self.no_nusmv) {
            (_, true) => None,
            (Some(path), _) => Some(path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?),
            (None, _) => Some(crate::nusmv::binary()?),
        };
        Ok(Peers { lurcher, nusmv: nusmv.map(NuSmv::new).transpose()? })
    }
}

/// Compares the tools on these models, or on those of the repository: do they agree everywhere?
pub fn models(paths: &[PathBuf], peers: &Peers, jobs: usize) -> Result<bool, String> {
    let all = if paths.is_empty() { models::all()? } else { paths.to_vec() };
    Ok(models::run(&all, peers, jobs))
}

/// Compares the tools on random programs: do they agree everywhere?
pub fn random(campaign: &Campaign, peers: &Peers, jobs: usize) -> Result<bool, String> {
    campaign::run(campaign, peers, jobs)
}

/// Prints random programs.
pub fn print(campaign: &Campaign) {
    campaign::print(campaign);
}

/// What everyone says of a file.
fn ask_all(peers: &Peers, file: &Path, questions: &lurcher::Questions) -> Result<Vec<Facts>, String> {
    let mut all = Vec::new();
    if let Some(nusmv) = &peers.nusmv {
        all.push(nusmv.ask(file, &questions.names(), questions.patience)?);
    }
    for way in &lurcher::WAYS {
        all.extend(lurcher::ask(&peers.lurcher, file, questions, way)?);
    }
    let refused = |facts: &Facts| facts.get(facts::MODEL) == Some("refused");
    if all.iter().any(refused) {
        // NuSMV looks at no assignment of first values once the constraints before it exclude all states.
        all.retain(|facts| facts.who != nusmv::NAME || facts.get(facts::STATES) != Some("0"));
    }
    Ok(all)
}
