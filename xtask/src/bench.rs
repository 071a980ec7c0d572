//! `cargo xtask bench`: lurcher beside the real Spin, walks written by hand and Stateright, on this machine.
//!
//! A measure is a list of trials (`plan`), each of which starts one program and writes down what it used (`process`,
//! `run`). All trials of a measure are run once before any is run again, in turns forwards and backwards, so that
//! whatever disturbs the machine disturbs both sides (`conduct`). The rows are kept as CSV; the page with its table,
//! verdicts and pictures is made from them alone (`table`, `page`, `pictures`), and `--from` makes it again.
//!
//! Nothing here needs Cargo or Rust when the programs lie beside this one or in `--binaries` (`places`).

mod by_hand;
mod conduct;
mod family;
mod figures;
mod lurcher;
mod page;
mod pictures;
mod places;
mod plan;
mod process;
mod run;
mod spin;
mod table;
mod walked;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lurcher_lab::report::Machine;

pub use by_hand::Options as ByHand;
use conduct::conduct;
use places::Places;
use plan::Scale;
use run::{Measure, Run};

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
    /// Small sizes and short walks, to see that everything works: the figures mean nothing
    #[arg(long)]
    small: bool,
    /// Numbers of threads to compare with one
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2")]
    threads: Vec<u16>,
    /// The search that lurcher uses instead of its default
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Where `lurcher`, `spin` and `stateright-walks` are looked for first
    #[arg(long, value_name = "DIR")]
    binaries: Option<PathBuf>,
    /// The repository with the models [default: where this was built, or the current directory]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Where the results go [default: bench/results/DATE/speed in the repository]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure nothing: make the page again from the rows in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "measures"])]
    from: Option<PathBuf>,
}

impl Options {
    fn measures(&self) -> Vec<Measure> {
        if self.measures.is_empty() { Measure::ALL.to_vec() } else { self.measures.clone() }
    }
}

/// Measures: 0 done (the page says what was reached), 2 something is missing.
pub fn run(options: &Options) -> ExitCode {
    match try_run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bench: {reason}");
            ExitCode::from(2)
        }
    }
}

/// Walks by hand, for a trial that wants them in a process of their own.
pub fn walk_by_hand(options: &ByHand) -> ExitCode {
    by_hand::run(options)
}

fn try_run(options: &Options) -> Result<(), String> {
    if let Some(folder) = &options.from {
        let machine = std::fs::read_to_string(folder.join(MACHINE)).map_err(|e| format!("{MACHINE}: {e}"))?;
        return write_page(folder, &machine, &run::read(&folder.join(ROWS))?);
    }
    let places = Places::find(options.binaries.as_deref(), options.root.as_deref())?;
    let command: Vec<String> = std::env::args().skip(1).collect();
    let machine = Machine::here(&format!("cargo xtask {}", command.join(" ")), 1, places.spin_version());
    let folder =
        options.out.clone().unwrap_or_else(|| places.root.join("bench/results").join(&machine.date).join("speed"));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let machine: String = machine.lines().iter().map(|(name, value)| format!("* {name}: {value}\n")).collect();
    std::fs::write(folder.join(MACHINE), &machine).map_err(|e| e.to_string())?;
    let scale = Scale {
        small: options.small,
        families: family::chosen(&options.families)?,
        threads: options.threads.clone(),
        engine: options.engine.clone(),
    };
    let rows = conduct(&options.measures(), options.repeat, &scale, &places, &folder.join(ROWS))?;
    write_page(&folder, &machine, &rows)
}

const ROWS: &str = "runs.csv";
const MACHINE: &str = "machine.md";

fn write_page(folder: &Path, machine: &str, rows: &[Run]) -> Result<(), String> {
    let lines = table::lines(rows);
    let pictures = pictures::draw(folder, &lines)?;
    let page = page::page(machine, &lines, &pictures);
    std::fs::write(folder.join("README.md"), &page).map_err(|e| e.to_string())?;
    print!("{page}");
    Ok(())
}
