//! Drivers of the programs that lurcher is compared with: the real Spin, the real NuSMV, and lurcher's own command line.

pub mod child;
mod header;
pub mod lurcher;
pub mod nusmv;
pub mod spin;
pub(crate) mod trial;
mod violation;

use std::path::{Path, PathBuf};

pub use header::Header;
pub use violation::{ViolationKind, ViolationKinds};

/// The path of a program in one of these folders or on the path.
pub fn find_program(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = folders.iter().cloned().chain(std::env::split_paths(&path)).map(|folder| folder.join(name));
    places.find(|file| file.is_file()).and_then(|file| std::path::absolute(file).ok())
}

/// The files with this extension in a folder, sorted by name.
///
/// # Errors
/// When the folder cannot be read or has no such file.
pub fn models_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    if files.is_empty() { Err(format!("no models in {}", folder.display())) } else { Ok(files) }
}
