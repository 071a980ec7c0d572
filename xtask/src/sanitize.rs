//! `cargo xtask sanitize`: the tests of the shared store, and of the searches on many threads over it, under tools that
//! see what a plain run does not: ThreadSanitizer (data races), Miri (undefined behaviour, weak memory) and loom (all
//! interleavings of two threads).

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::ValueEnum;

use crate::peers::tools;

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// Run these, not all
    #[arg(value_enum)]
    with: Vec<Tool>,
    /// The toolchain that has ThreadSanitizer and Miri
    #[arg(long, value_name = "NAME", default_value = "nightly")]
    toolchain: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tool {
    /// ThreadSanitizer: data races, in one run of each test
    Thread,
    /// Miri: undefined behaviour and what weak memory allows, on small instances of the tests
    Miri,
    /// loom: all interleavings of two threads at an index and at a small store
    Loom,
}

/// The tests that concern the store and the threads that share it.
const SHARED: [&str; 2] = ["store::", "shared::"];

/// Runs the tools: 0 nothing was found, 1 something was, 2 one of them cannot be had.
pub fn run(options: &Options) -> ExitCode {
    let all = [Tool::Thread, Tool::Miri, Tool::Loom];
    let tools = if options.with.is_empty() { &all[..] } else { &options.with };
    let mut worst = 0;
    for tool in tools {
        let code = match tool.command(&options.toolchain).and_then(passes) {
            Ok(true) => {
                println!("{}: nothing found", tool.name());
                0
            }
            Ok(false) => {
                println!("{}: a test failed", tool.name());
                1
            }
            Err(why) => {
                eprintln!("sanitize: {}: {why}", tool.name());
                2
            }
        };
        worst = worst.max(code);
    }
    ExitCode::from(worst)
}

fn passes(mut command: Command) -> Result<bool, String> {
    command.status().map(|status| status.success()).map_err(|e| format!("cargo does not start: {e}"))
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Thread => "ThreadSanitizer",
            Tool::Miri => "Miri",
            Tool::Loom => "loom",
        }
    }

    /// The tests of `lurcher-search` under this tool; an error when it cannot be had here.
    fn command(self, toolchain: &str) -> Result<Command, String> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(tools::repository());
        let tests = ["-p", "lurcher-search", "--lib"];
        match self {
            // The standard library takes part in the races, so it is built anew.
            Tool::Thread => {
                let host = host(toolchain)?;
                source_of_the_library(toolchain)?;
                cargo.args([&format!("+{toolchain}"), "test", "--release", "-Zbuild-std", "--target", &host]);
                cargo.args(tests).arg("--").args(SHARED);
                cargo.env("RUSTFLAGS", "-Zsanitizer=thread").env("CARGO_TARGET_DIR", "target/thread");
            }
            Tool::Miri => {
                host(toolchain)?;
                source_of_the_library(toolchain)?;
                if !answers(Command::new("cargo").args([&format!("+{toolchain}"), "miri", "--version"])) {
                    return Err(missing(toolchain, "miri"));
                }
                // Lossy storage is used by one thread, and its tests fill much memory.
                cargo.args([&format!("+{toolchain}"), "miri", "test"]).args(tests).arg("--").args(SHARED);
                cargo.args(["--skip", "lossy"]);
                cargo.env("CARGO_TARGET_DIR", "target/miri");
            }
            Tool::Loom => {
                cargo.args(["test", "--release"]).args(tests).arg("loom");
                cargo.env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", "target/loom");
                cargo.env("LOOM_MAX_PREEMPTIONS", "3");
            }
        }
        Ok(cargo)
    }
}

/// The machine that the toolchain makes code for.
fn host(toolchain: &str) -> Result<String, String> {
    let output = Command::new("rustc").args([&format!("+{toolchain}"), "-vV"]).output();
    let text = output.ok().filter(|o| o.status.success()).and_then(|o| String::from_utf8(o.stdout).ok());
    let host = text.as_deref().and_then(|t| t.lines().find_map(|l| l.strip_prefix("host: ")));
    host.map(str::to_owned).ok_or_else(|| missing(toolchain, "rust-src"))
}

fn source_of_the_library(toolchain: &str) -> Result<(), String> {
    let output = Command::new("rustc").args([&format!("+{toolchain}"), "--print", "sysroot"]).output();
    let root = output.ok().and_then(|o| String::from_utf8(o.stdout).ok()).unwrap_or_default();
    let there = PathBuf::from(root.trim()).join("lib/rustlib/src/rust/library/Cargo.toml").exists();
    if there { Ok(()) } else { Err(missing(toolchain, "rust-src")) }
}

fn missing(toolchain: &str, component: &str) -> String {
    format!(
        "the toolchain `{toolchain}` or its component `{component}` is missing; \
         `rustup toolchain install {toolchain} --component rust-src,miri` brings both"
    )
}

fn answers(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}
