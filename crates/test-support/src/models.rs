//! Loading models.

use std::path::{Path, PathBuf};

use lurcher_ir::Model;
use lurcher_ir::relation::Relation;
use lurcher_promela::parse::{DiskReader, Options};
use lurcher_syntax::{Severity, SourceMap};

/// The files of a folder with an extension, sorted.
///
/// # Panics
/// If the folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    paths.sort();
    paths
}

/// The models of the repository in a language: `promela` or `smv`.
pub fn repository_models(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(language);
    files(&folder, if language == "promela" { "pml" } else { "smv" })
}

/// Loads a Promela model; `None` if it has errors.
pub fn promela(name: &str, text: String, defines: &[(&str, &str)]) -> Option<Model> {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let defines = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let options = Options { defines, ..Options::default() };
    let parsed = lurcher_promela::parse::parse(&mut sources, main, &options, &DiskReader);
    if parsed.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    lurcher_promela::lower(&sources, &parsed.program).0.map(|lowered| lowered.model)
}

/// Loads a Promela file; `None` if it has errors.
///
/// # Panics
/// If the file cannot be read.
pub fn promela_file(path: &Path, defines: &[(&str, &str)]) -> Option<Model> {
    promela(&path.display().to_string(), text_of(path), defines)
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Loads an SMV file; `None` if it has errors.
///
/// # Panics
/// If the file cannot be read.
pub fn smv_file(path: &Path) -> Option<Relation> {
    let mut sources = SourceMap::new();
    let main = sources.add(path.display().to_string(), text_of(path));
    let parsed = lurcher_smv::parse(&sources, main);
    if parsed.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    lurcher_smv::lower(&sources, &parsed.file, &[]).0
}
