//! `cargo xtask nusmv`: a NuSMV to compare with, built from source.
//!
//! NuSMV is not packaged by distributions, but the Python package `pynusmv` carries the sources of NuSMV 2.5.4 and of the
//! CUDD library. This chore downloads that package with pip, makes the few edits that today's C compilers ask for, builds
//! the command line tool without a SAT solver, and leaves it in `target/nusmv`. Nothing of it enters the repository.
//! It needs Python with pip, a C compiler, make, flex and bison.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::peers::tools::{on_path, repository};

const PACKAGE: &str = "pynusmv";
const VERSION: &str = "1.0rc8";
const SOURCES: &str = "NuSMV-2.5.4";

/// The code is older than the rule that a definition stands in one file only, and than most warnings.
const C_FLAGS: &str = "-O2 -fcommon -w -std=gnu89";

/// What is run on the way, here or by its makefiles.
const NEEDS: [&str; 6] = ["python3", "tar", "make", "cc", "flex", "bison"];

/// One replacement in one file of the sources.
struct Edit {
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const EDITS: [Edit; 2] = [
    // The C library no longer has this union.
    Edit { file: "cudd-2.4.1.1/util/pipefork.c", from: "union wait status;", to: "int status;" },
    // Counts of more than a million states are printed in full, so that they can be compared.
    Edit {
        file: "nusmv/src/fsm/bdd/BddFsm.c",
        from: "reachable states: %g (2^%g) out of %g",
        to: "reachable states: %.16g (2^%g) out of %.16g",
    },
];

/// No choices so far.
#[derive(clap::Args)]
pub struct Options {}

/// Builds NuSMV unless it is there and prints the path of the binary: 0 there it is, 2 something is missing.
pub fn run(_: &Options) -> ExitCode {
    match binary() {
        Ok(path) => {
            println!("{}", path.display());
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("nusmv: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The path of a NuSMV that can be run, built first if it is not there.
pub fn binary() -> Result<PathBuf, String> {
    let folder = repository().join("target/nusmv");
    let binary = folder.join("NuSMV");
    if !binary.exists() {
        let missing: Vec<&str> = NEEDS.into_iter().filter(|tool| on_path(tool).is_none()).collect();
        if !missing.is_empty() {
            return Err(format!("building NuSMV needs {}, which the path does not have", missing.join(" and ")));
        }
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        build(&download(&folder)?, &binary)?;
    }
    Ok(binary)
}

/// Fetches and unpacks the sources; returns their folder.
fn download(folder: &Path) -> Result<PathBuf, String> {
    let archive = folder.join(format!("{PACKAGE}-{VERSION}.tar.gz"));
    if !archive.exists() {
        let package = format!("{PACKAGE}=={VERSION}");
        step(
            Command::new("python3")
                .args(["-m", "pip", "download", "--no-deps", "--no-binary", PACKAGE, "--dest", ".", &package])
                .current_dir(folder),
        )?;
    }
    let sources = folder.join(SOURCES);
    if sources.exists() {
        // What an interrupted build has left may be half edited.
        fs::remove_dir_all(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    }
    step(Command::new("tar").arg("xzf").arg(&archive).current_dir(folder))?;
    let inner = format!("{PACKAGE}-{VERSION}/dependencies/NuSMV/{SOURCES}.tar.gz");
    step(Command::new("tar").arg("xzf").arg(inner).current_dir(folder))?;
    Ok(sources)
}

/// Edits, configures and compiles; the binary appears only when all went well.
fn build(sources: &Path, binary: &Path) -> Result<(), String> {
    for edit in &EDITS {
        apply(edit, sources)?;
    }
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    let library = sources.join("cudd-2.4.1.1");
    step(
        Command::new("make")
            .args(["-f", "Makefile_64bit", "CC=cc", &format!("ICFLAGS={C_FLAGS}")])
            .current_dir(&library),
    )?;
    let tool = sources.join("nusmv");
    step(
        Command::new("./configure")
            .args(["--disable-minisat", "--disable-readline", "CC=cc", &format!("CFLAGS={C_FLAGS}")])
            .current_dir(&tool),
    )?;
    step(Command::new("make").args(["-j", &jobs]).current_dir(&tool))?;
    let unfinished = binary.with_extension("unfinished");
    fs::copy(tool.join("NuSMV"), &unfinished).map_err(|error| format!("{}: {error}", unfinished.display()))?;
    fs::rename(&unfinished, binary).map_err(|error| format!("{}: {error}", binary.display()))
}

fn apply(edit: &Edit, sources: &Path) -> Result<(), String> {
    let path = sources.join(edit.file);
    // Old sources: names of people in comments are not UTF-8.
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let from = edit.from.as_bytes();
    let at = bytes
        .windows(from.len())
        .position(|window| window == from)
        .ok_or_else(|| format!("{}: no `{}` to replace", path.display(), edit.from))?;
    let edited = [&bytes[..at], edit.to.as_bytes(), &bytes[at + from.len()..]].concat();
    fs::write(&path, edited).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs one command; its output goes to standard error, so that standard output holds the path alone.
fn step(command: &mut Command) -> Result<(), String> {
    eprintln!("{command:?}");
    let status =
        command.stdout(Stdio::from(std::io::stderr())).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
