//! Golden files: inputs beside their expected output.
//!
//! With `UPDATE_EXPECT=1` in the environment, expected output is rewritten.

use std::path::{Path, PathBuf};

/// Folders of inputs `x.ext`, each beside its expected output `x.txt`.
#[derive(Clone, Debug)]
pub struct Golden {
    root: PathBuf,
    extension: &'static str,
}

impl Golden {
    /// The golden files in the subfolders of a folder.
    pub fn new(root: impl Into<PathBuf>, extension: &'static str) -> Self {
        Golden { root: root.into(), extension }
    }

    /// The path of a subfolder.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The inputs of a subfolder, sorted.
    ///
    /// # Panics
    /// If there are none.
    pub fn files(&self, folder: &str) -> Vec<PathBuf> {
        let files = crate::files(&self.folder(folder), self.extension);
        assert!(!files.is_empty(), "no golden files in {}", self.folder(folder).display());
        files
    }

    /// Compares the output of `describe` with the expected output, for every input of a subfolder.
    ///
    /// # Panics
    /// If an output differs.
    pub fn check(&self, folder: &str, describe: impl Fn(&Path) -> String) {
        let files = self.files(folder);
        let failures: Vec<_> = files.iter().filter_map(|file| compare(file, &describe(file)).err()).collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// Compares with the expected output beside a file, or rewrites it.
fn compare(file: &Path, actual: &str) -> Result<(), String> {
    let expectation = file.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expectation, actual).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(format!("{} differs.\n--- expected\n{expected}\n--- actual\n{actual}", expectation.display()))
}

/// The name of a file without its folder, and its text.
///
/// # Panics
/// If it cannot be read.
pub fn named_text(file: &Path) -> (String, String) {
    let bytes = std::fs::read(file).expect("a golden file can be read");
    let name = file.file_name().and_then(|n| n.to_str()).expect("golden files have plain names");
    (name.to_owned(), String::from_utf8_lossy(&bytes).into_owned())
}
