//! `cargo xtask nusmv`: builds NuSMV from source.
//!
//! Distributions do not package NuSMV, but the Python package `pynusmv` carries the sources of NuSMV 2.5.4 and of the CUDD
//! library. This chore downloads the package with pip, edits the sources for today's C compilers, builds the command line tool
//! without a SAT solver, and leaves it in `target/nusmv`. It needs Python with pip, a C compiler, make, flex and bison.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lurcher_lab::peers::find_program;

use crate::repository;

const PACKAGE: &str = "pynusmv";
const VERSION: &str = "1.0rc8";
const SOURCES: &str = "NuSMV-2.5.4";

/// The sources define some globals in several files (`-fcommon`).
const C_FLAGS: &str = "-O2 -fcommon -w -std=gnu89";

/// The programs that the build runs.
const NEEDS: [&str; 6] = ["python3", "tar", "make", "cc", "flex", "bison"];

/// Replacements: file, text, new text.
const EDITS: [(&str, &str, &str); 2] = [
    // The C library no longer has this union.
    ("cudd-2.4.1.1/util/pipefork.c", "union wait status;", "int status;"),
    // Counts of more than a million states are printed in full.
    (
        "nusmv/src/fsm/bdd/BddFsm.c",
        "reachable states: %g (2^%g) out of %g",
        "reachable states: %.16g (2^%g) out of %.16g",
    ),
];

/// The path of NuSMV, built first if it is missing.
pub fn binary() -> Result<PathBuf, String> {
    let folder = repository::root().join("target/nusmv");
    let binary = folder.join("NuSMV");
    if !binary.exists() {
        let missing: Vec<&str> = NEEDS.into_iter().filter(|tool| find_program(tool, &[]).is_none()).collect();
        if !missing.is_empty() {
            return Err(format!("building NuSMV needs {}, which the path does not have", missing.join(" and ")));
        }
        repository::create_folder(&folder)?;
        build(&download(&folder)?, &binary)?;
    }
    Ok(binary)
}

/// Downloads and unpacks the sources; returns their folder.
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
        // An interrupted build may have edited some of them.
        fs::remove_dir_all(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    }
    step(Command::new("tar").arg("xzf").arg(&archive).current_dir(folder))?;
    let inner = format!("{PACKAGE}-{VERSION}/dependencies/NuSMV/{SOURCES}.tar.gz");
    step(Command::new("tar").arg("xzf").arg(inner).current_dir(folder))?;
    Ok(sources)
}

/// Edits, configures and compiles. The binary appears only after a complete build.
fn build(sources: &Path, binary: &Path) -> Result<(), String> {
    for (file, from, to) in EDITS {
        edit(&sources.join(file), from, to)?;
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

/// Replaces a text in a file, whose comments are not UTF-8.
fn edit(path: &Path, from: &str, to: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(failed)?;
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes());
    let at = at.ok_or_else(|| format!("{}: no `{from}` to replace", path.display()))?;
    fs::write(path, [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()).map_err(failed)
}

/// Runs one command with its output on standard error; standard output is for the path alone.
fn step(command: &mut Command) -> Result<(), String> {
    eprintln!("{command:?}");
    let status =
        command.stdout(Stdio::from(std::io::stderr())).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
