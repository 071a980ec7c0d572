//! Models of an experiment, read once each.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_session::{AskError, Asked, LoadError, LoadOptions, Loaded, load};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};
use xxhash_rust::xxh3::xxh3_64;

/// A model with values for its macros.
#[derive(Debug)]
pub struct Instance {
    /// The file as the experiment names it.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Macros.
    pub defines: Vec<(String, String)>,
    /// The model.
    pub loaded: Loaded,
    /// How long it took to read.
    pub load: Duration,
    /// A fingerprint of its text.
    pub text: String,
    /// What is asked of it.
    pub questions: Vec<Question>,
}

/// What is asked of an instance, and the properties that it means.
#[derive(Debug)]
pub struct Question {
    /// As it was asked.
    pub asked: Asked,
    /// What it means.
    pub properties: Vec<(Asked, Property)>,
}

impl Instance {
    /// Reads a model.
    ///
    /// # Errors
    /// When it cannot be read, with the reason.
    pub fn load(folder: &Path, name: &str, defines: Vec<(String, String)>) -> Result<Instance, String> {
        let path = folder.join(name);
        let started = Instant::now();
        let options = LoadOptions { defines: defines.clone(), ..LoadOptions::default() };
        let loaded = load(&path, &options).map_err(|e| load_error(&e))?;
        let load = started.elapsed();
        let mut text = String::new();
        for (_, file) in loaded.sources.files() {
            text.push_str(file.text());
        }
        let text = format!("{:016x}", xxh3_64(text.as_bytes()));
        Ok(Instance { name: name.to_owned(), path, defines, loaded, load, text, questions: Vec::new() })
    }

    /// The number of a question, which is resolved when it is new.
    ///
    /// # Errors
    /// When the model has no such property, with the reason.
    pub fn ask(&mut self, asked: &Asked) -> Result<usize, String> {
        if let Some(known) = self.questions.iter().position(|q| q.asked == *asked) {
            return Ok(known);
        }
        let properties = asked.resolve(&mut self.loaded).map_err(|e| match e {
            AskError::Unknown(why) => why,
            AskError::Rejected(what, diagnostics) => {
                format!("the {what} cannot be read: {}", first(&self.loaded.sources, &diagnostics))
            }
            other => format!("{other:?}"),
        })?;
        let properties = properties.into_iter().map(|p| (asked.clone(), p)).collect();
        self.questions.push(Question { asked: asked.clone(), properties });
        Ok(self.questions.len() - 1)
    }

    /// How it was loaded.
    pub fn options(&self) -> LoadOptions {
        LoadOptions { defines: self.defines.clone(), ..LoadOptions::default() }
    }

    /// Its macros as text.
    pub fn define_text(&self) -> String {
        self.defines.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// What a name in a depth stands for.
    pub fn value(&self, name: &str) -> Option<i64> {
        if name == "processes" {
            return i64::try_from(self.loaded.model().initial_processes.len()).ok();
        }
        self.defines.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.parse().ok())
    }
}

pub(crate) fn load_error(error: &LoadError) -> String {
    match error {
        LoadError::Io(path, error) => format!("{} cannot be read: {error}", path.display()),
        LoadError::TooLarge(path) => format!("{} is too large to be a model", path.display()),
        LoadError::UnknownLanguage(path) => {
            format!("the extension of {} does not tell the language", path.display())
        }
        LoadError::Rejected(sources, diagnostics) => format!("the model is wrong: {}", first(sources, diagnostics)),
        other => format!("{other:?}"),
    }
}

/// The first error, with its place.
pub(crate) fn first(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
    error.map_or(String::new(), |d| render(sources, std::slice::from_ref(d), false).trim_end().to_owned())
}
