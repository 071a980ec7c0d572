//! The models of `models/smv`.

use std::path::{Path, PathBuf};

use lurcher_engines::{LoadOptions, LoadedModel, LoadedRelation, load_model};

/// All of them.
pub fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/smv");
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "smv"));
    paths.sort();
    assert!(paths.len() >= 25, "only {} models", paths.len());
    paths
}

/// One of them.
pub fn open(path: &Path) -> LoadedRelation {
    match load_model(path, &LoadOptions::default()) {
        Ok(LoadedModel::Relation(loaded)) => *loaded,
        other => panic!("{}: {other:?}", path.display()),
    }
}
