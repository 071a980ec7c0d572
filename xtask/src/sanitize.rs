//! `cargo xtask sanitize`: the tests of the shared store and of parallel search under ThreadSanitizer (data races), Miri
//! (undefined behaviour, weak memory) and loom (all interleavings of two threads).

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::ValueEnum;

use crate::repository;

/// Which tools to run.
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
    /// Miri: undefined behaviour and weak memory, on small instances of the tests
    Miri,
    /// loom: all interleavings of two threads at an index and at a small store
    Loom,
}

/// The tests of the store and of the threads that share it.
const SHARED: [&str; 2] = ["store::", "shared::"];

/// Runs the tools; true when no test fails.
pub fn run(options: &Options) -> Result<bool, String> {
    let tools = if options.with.is_empty() { Tool::value_variants() } else { &options.with };
    let (mut passed, mut missing) = (true, Vec::new());
    for tool in tools {
        let status = |mut cargo: Command| cargo.status().map_err(|e| format!("cargo does not start: {e}"));
        match tool.command(&options.toolchain).and_then(status) {
            Ok(status) => {
                println!("{}: {}", tool.name(), if status.success() { "nothing found" } else { "a test failed" });
                passed &= status.success();
            }
            Err(why) => missing.push(format!("{}: {why}", tool.name())),
        }
    }
    if missing.is_empty() { Ok(passed) } else { Err(missing.join("\n")) }
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Thread => "ThreadSanitizer",
            Tool::Miri => "Miri",
            Tool::Loom => "loom",
        }
    }

    /// The tests of `lurcher-search` under this tool; an error where it is not installed.
    fn command(self, toolchain: &str) -> Result<Command, String> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(repository::root());
        let tests = ["-p", "lurcher-search", "--lib"];
        match self {
            // ThreadSanitizer must see the standard library too, so it is built from source.
            Tool::Thread => {
                let host = host(toolchain)?;
                cargo.args([&format!("+{toolchain}"), "test", "--release", "-Zbuild-std", "--target", &host]);
                cargo.args(tests).arg("--").args(SHARED);
                cargo.env("RUSTFLAGS", "-Zsanitizer=thread").env("CARGO_TARGET_DIR", "target/thread");
            }
            Tool::Miri => {
                host(toolchain)?;
                let mut miri = Command::new("cargo");
                miri.args([&format!("+{toolchain}"), "miri", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
                if !miri.status().is_ok_and(|status| status.success()) {
                    return Err(missing(toolchain, "miri"));
                }
                // Lossy storage is single-threaded, and its tests use much memory.
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

/// The target triple of the toolchain; an error where it or the source of the standard library is missing.
fn host(toolchain: &str) -> Result<String, String> {
    let rustc = |arguments: &[&str]| {
        let output = Command::new("rustc").arg(format!("+{toolchain}")).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let root = rustc(&["--print", "sysroot"]).map(PathBuf::from);
    let source = root.map(|root| root.join("lib/rustlib/src/rust/library/Cargo.toml"));
    let version = rustc(&["-vV"]).filter(|_| source.is_some_and(|file| file.exists()));
    let host = version.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("host: ")));
    host.map(str::to_owned).ok_or_else(|| missing(toolchain, "rust-src"))
}

fn missing(toolchain: &str, component: &str) -> String {
    format!(
        "the toolchain `{toolchain}` or its component `{component}` is missing; \
         `rustup toolchain install {toolchain} --component rust-src,miri` brings both"
    )
}
