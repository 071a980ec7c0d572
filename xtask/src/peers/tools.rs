//! The programs the comparison needs: `spin`, a C compiler, `lurcher`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Spin release whose behaviour is the reference.
pub const REFERENCE: &str = "Spin Version 6.5.2";

/// Paths of the programs in use.
#[derive(Debug, Clone)]
pub struct Tools {
    /// The real Spin.
    pub spin: PathBuf,
    /// GCC, the compiler whose word counts.
    pub gcc: PathBuf,
    /// The Tiny C Compiler, thirty times faster on `pan.c`; used for random programs when installed.
    pub tcc: Option<PathBuf>,
    /// The binary under test; none in a census of the generator.
    pub lurcher: Option<PathBuf>,
}

impl Tools {
    /// Finds `spin`, `gcc` and perhaps `tcc`, or says what is missing and how to get it.
    pub fn find(lurcher: Option<PathBuf>) -> Result<Tools, String> {
        let spin = on_path("spin").ok_or("`spin` is not installed: apt-get install spin")?;
        reference_version(&spin)?;
        let gcc = on_path("gcc").ok_or("`gcc` is not installed: apt-get install gcc")?;
        Ok(Tools { spin, gcc, tcc: on_path("tcc"), lurcher })
    }
}

/// What Spin calls itself, if it is the reference.
pub fn reference_version(spin: &Path) -> Result<String, String> {
    let version = Command::new(spin).arg("-V").output().map_err(|error| format!("{}: {error}", spin.display()))?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    match version.starts_with(REFERENCE) {
        true => Ok(version),
        false => Err(format!("the reference is {REFERENCE}, but {} says: {version}", spin.display())),
    }
}

/// Where a program lies that can be called by its name.
pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The root of the repository, whatever the current directory.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// The folder Cargo builds into.
pub fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from)
}

/// Builds the release binary of lurcher and returns its path.
pub fn build_lurcher() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "lurcher-cli"])
        .current_dir(repository())
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    let binary = target_folder().join("release").join("lurcher");
    match status.success() && binary.is_file() {
        true => Ok(binary),
        false => Err("lurcher does not build".to_owned()),
    }
}
