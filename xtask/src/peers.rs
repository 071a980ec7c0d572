//! `cargo xtask peers`: lurcher against the real Spin, or with `--smv` against the real NuSMV (`crate::smv`).
//!
//! Both tools get the same file, in a folder with everything that Spin builds from it (`case`); their verdicts and trails are
//! compared property by property (`compare`). The files are the models of the repository (`models`) or random programs
//! (`random`).

mod case;
mod compare;
mod features;
mod models;
mod random;
mod transitions;

use std::path::PathBuf;

use lurcher_lab::peers::spin::SpinTools;

use self::case::Tools;
use self::random::RandomPromela;
use crate::options::{Binary, Sampling, Threads};
use crate::random::generate;
use crate::{campaign, repository, smv};

/// What is compared, and with which tool.
#[derive(clap::Args)]
pub struct Options {
    /// Compare these models, not those of models/promela (models/smv)
    models: Vec<PathBuf>,
    #[command(flatten)]
    random: Sampling,
    /// Print the random programs and stop
    #[arg(long, requires = "random")]
    print: bool,
    /// Let full channels lose messages; headers are not checked then
    #[arg(long)]
    message_loss: bool,
    #[command(flatten)]
    smv: smv::Choice,
    #[command(flatten)]
    binary: Binary,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the comparison; true when the tools agree everywhere.
pub fn run(options: &Options) -> Result<bool, String> {
    let (sampling, jobs) = (&options.random, options.threads.count());
    if options.smv.smv {
        if options.print {
            smv::print(sampling);
            return Ok(true);
        }
        return smv::run(&options.smv, options.binary.find()?, &options.models, sampling, jobs);
    }
    if options.print {
        campaign::print(sampling, "pml", generate::program);
        return Ok(true);
    }
    let tools = Tools { spin: SpinTools::find(&[])?.reference()?, lurcher: options.binary.find()? };
    if sampling.count.is_some() {
        return campaign::run(&RandomPromela { tools: &tools, loss: options.message_loss }, sampling, jobs);
    }
    let models = repository::models(&options.models, "models/promela", "pml")?;
    Ok(models::run(&models, options.message_loss, &tools, jobs))
}
