//! Golden files: inputs in folders, each beside what is expected of it.
//!
//! With `UPDATE_EXPECT=1` in the environment the expectations are rewritten; read the difference before you commit it.

use std::path::{Path, PathBuf};

/// Folders of inputs with one extension, each input `x.ext` beside its expectation `x.txt`.
#[derive(Clone, Debug)]
pub struct Golden {
    root: PathBuf,
    extension: &'static str,
}

impl Golden {
    /// The folders under this one.
    pub fn new(root: impl Into<PathBuf>, extension: &'static str) -> Self {
        Golden { root: root.into(), extension }
    }

    /// One of the folders.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The inputs of a folder, in order.
    ///
    /// # Panics
    /// When there are none.
    pub fn files(&self, folder: &str) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(self.folder(folder))
            .expect("the folder of golden files exists")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == self.extension))
            .collect();
        files.sort();
        assert!(!files.is_empty(), "no golden files in {}", self.folder(folder).display());
        files
    }

    /// Compares what is said of every input of a folder with what is expected.
    ///
    /// # Panics
    /// When something differs, with all that does.
    pub fn check(&self, folder: &str, describe: impl Fn(&Path) -> String) {
        let files = self.files(folder);
        let failures: Vec<_> = files.iter().filter_map(|file| compare(file, &describe(file)).err()).collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// Compares with the expectation beside a file, or rewrites it.
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

/// The bare name of a file, so that expectations do not depend on where the repository lies, and its text.
///
/// # Panics
/// When it cannot be read.
pub fn named_text(file: &Path) -> (String, String) {
    let bytes = std::fs::read(file).expect("a golden file can be read");
    let name = file.file_name().and_then(|n| n.to_str()).expect("golden files have plain names");
    (name.to_owned(), String::from_utf8_lossy(&bytes).into_owned())
}
