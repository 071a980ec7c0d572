//! Reading models.

use std::path::{Path, PathBuf};

use lurcher_ir::Model;
use lurcher_promela::parse::{self, DiskReader, Options};
use lurcher_syntax::{Severity, SourceMap};

/// Reads a model; nothing when it is rejected.
pub fn read(name: &str, text: String, defines: &[(&str, &str)]) -> Option<Model> {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let defines = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let parsed = parse::parse(&mut sources, main, &Options { defines, ..Options::default() }, &DiskReader);
    if parsed.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    lurcher_promela::lower(&sources, &parsed.program).0.map(|lowered| lowered.model)
}

/// The Promela files of a folder, in order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|e| e.expect("a readable folder").path())
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    paths.sort();
    paths
}
