//! The repository and what Cargo builds from it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use lurcher_lab::peers::models_in;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// The folder that Cargo builds into.
pub fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Cargo, as a command in the root of the repository.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Builds the release binary of lurcher and returns its path.
pub fn build_lurcher() -> Result<PathBuf, String> {
    let build = cargo().args(["build", "--release", "--quiet", "--package", "lurcher-cli"]).status();
    let binary = target_folder().join("release").join("lurcher");
    match build.map_err(|e| format!("cargo: {e}"))?.success() && binary.is_file() {
        true => Ok(binary),
        false => Err("lurcher does not build".to_owned()),
    }
}

/// The given models, or those of a folder of the repository.
pub fn models(given: &[PathBuf], folder: &str, extension: &str) -> Result<Vec<PathBuf>, String> {
    if given.is_empty() { models_in(&root().join(folder), extension) } else { Ok(given.to_vec()) }
}

/// Reads a file; the error names it.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Creates a folder; the error names it.
pub fn create_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The name of a file without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
