//! `cargo xtask bench`: lurcher beside the real Spin, hand-written walks and Stateright, on this machine.
//!
//! A measure is a list of trials (`plan`, `trial`), each of which runs one program and records the resources it used. All
//! trials of a measure run once before any runs again, alternately forwards and backwards, so that a disturbance of the machine
//! affects both sides (`run`). The rows are kept as CSV; the page is made from the rows alone (`figures`, `table`, `page`),
//! and `--from` makes it again.
//!
//! Neither Cargo nor Rust is needed when the programs lie beside this one or in `--binaries` (`places`).

mod against;
mod by_hand;
mod family;
mod figures;
mod page;
mod places;
mod plan;
mod run;
mod table;
mod trial;

use std::path::PathBuf;

use clap::ValueEnum;
use lurcher_lab::report::Machine;

use self::places::Places;
use self::plan::Scale;
use self::run::{Measure, conduct};
use crate::repository;

pub use by_hand::{Options as ByHand, run as walk_by_hand};

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Measure these alone [default: all]
    measures: Vec<Measure>,
    /// How often each trial is run
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Only these families
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    families: Vec<String>,
    /// Small sizes and short walks, to check that everything works: the figures mean nothing
    #[arg(long)]
    small: bool,
    /// Numbers of threads to compare with one
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2")]
    threads: Vec<u16>,
    /// The engine that lurcher uses instead of its default
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Look here first for `lurcher`, `spin` and `stateright-walks`
    #[arg(long, value_name = "DIR")]
    binaries: Option<PathBuf>,
    /// The repository with the models [default: where this was built, or the current directory]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Where the results go [default: bench/results/DATE/speed in the repository]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare with another build of lurcher on the same trials, in turn; prints a table and writes nothing
    #[arg(long, value_name = "LURCHER", conflicts_with_all = ["out", "from"])]
    against: Option<PathBuf>,
    /// Measure nothing: make page and plots again from the rows in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "measures"])]
    from: Option<PathBuf>,
}

const ROWS: &str = "runs.csv";
const MACHINE: &str = "machine.md";

/// Measures and writes the page.
pub fn run(options: &Options) -> Result<(), String> {
    if let Some(folder) = &options.from {
        let machine = repository::read(&folder.join(MACHINE))?;
        return page::write(folder, &machine, &run::read(&folder.join(ROWS))?);
    }
    let places = Places::find(options.binaries.as_deref(), options.root.as_deref())?;
    let scale = Scale {
        small: options.small,
        families: family::chosen(&options.families)?,
        threads: options.threads.clone(),
        engine: options.engine.clone(),
    };
    let measures = if options.measures.is_empty() { Measure::value_variants() } else { &options.measures };
    if let Some(old) = &options.against {
        return against::run(old, (measures, options.repeat), &scale, &places);
    }
    let command: Vec<String> = std::env::args().skip(1).collect();
    let spin = places.spin.as_ref().ok().map(|tools| tools.version.clone());
    let machine = Machine::here(&format!("cargo xtask {}", command.join(" ")), 1, spin);
    let folder =
        options.out.clone().unwrap_or_else(|| places.root.join("bench/results").join(&machine.date).join("speed"));
    repository::create_folder(&folder)?;
    let machine = machine.list();
    repository::write(&folder.join(MACHINE), &machine)?;
    let rows = conduct(measures, options.repeat, &scale, &places, &folder.join(ROWS))?;
    page::write(&folder, &machine, &rows)
}
