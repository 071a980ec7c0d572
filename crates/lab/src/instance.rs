//! Models of an experiment, read once each.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lurcher_engines::{AskError, Asked, LoadError, LoadOptions, Loaded, LoadedModel, LoadedRelation, load_model};
use lurcher_ir::Property;
use lurcher_ir::relation::Dependencies;
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};
use xxhash_rust::xxh3::xxh3_64;

/// A model with values for its macros.
#[derive(Debug)]
pub struct Instance {
    /// The file as the experiment names it, with values for the macros in its name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Macros.
    pub defines: Vec<(String, String)>,
    /// Those that the model is given: not those that only choose the file.
    pub given: Vec<(String, String)>,
    /// The model.
    pub loaded: LoadedModel,
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
    /// What it means for a model made of processes.
    pub properties: Vec<(Asked, Property)>,
    /// What it means for a relation.
    pub specifications: Vec<Property>,
}

impl Instance {
    /// Reads a model.
    ///
    /// # Errors
    /// When it cannot be read, with the reason.
    pub fn load(folder: &Path, name: &str, defines: Vec<(String, String)>) -> Result<Instance, String> {
        let (name, given) = file_name(name, &defines);
        let path = folder.join(&name);
        let started = Instant::now();
        let options = LoadOptions { defines: given.clone(), ..LoadOptions::default() };
        let loaded = load_model(&path, &options).map_err(|e| load_error(&e))?;
        let load = started.elapsed();
        let mut text = String::new();
        for (_, file) in loaded.sources().files() {
            text.push_str(file.text());
        }
        let text = format!("{:016x}", xxh3_64(text.as_bytes()));
        Ok(Instance { name, path, defines, given, loaded, load, text, questions: Vec::new() })
    }

    /// The number of a question, which is resolved when it is new.
    ///
    /// # Errors
    /// When the model has no such property, with the reason.
    pub fn ask(&mut self, asked: &Asked) -> Result<usize, String> {
        if let Some(known) = self.questions.iter().position(|q| q.asked == *asked) {
            return Ok(known);
        }
        let resolved = match &mut self.loaded {
            LoadedModel::Processes(loaded) => asked.resolve(loaded).map(|p| (p, Vec::new())),
            LoadedModel::Relation(loaded) => loaded.resolve(asked).map(|s| (Vec::new(), vec![s])),
        };
        let (properties, specifications) = resolved.map_err(|e| match e {
            AskError::Unknown(why) => why,
            AskError::Rejected(what, diagnostics) => {
                format!("the {what} cannot be read: {}", first(self.loaded.sources(), &diagnostics))
            }
            other => format!("{other:?}"),
        })?;
        let properties = properties.into_iter().map(|p| (asked.clone(), p)).collect();
        self.questions.push(Question { asked: asked.clone(), properties, specifications });
        Ok(self.questions.len() - 1)
    }

    /// How it was loaded.
    pub fn options(&self) -> LoadOptions {
        LoadOptions { defines: self.given.clone(), ..LoadOptions::default() }
    }

    /// The model, where it is made of processes.
    pub fn processes(&self) -> Option<&Loaded> {
        match &self.loaded {
            LoadedModel::Processes(loaded) => Some(loaded),
            LoadedModel::Relation(_) => None,
        }
    }

    /// The model, where it is a relation.
    pub fn relation(&self) -> Option<&LoadedRelation> {
        match &self.loaded {
            LoadedModel::Processes(_) => None,
            LoadedModel::Relation(loaded) => Some(loaded),
        }
    }

    /// Its macros as text.
    pub fn define_text(&self) -> String {
        self.defines.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// What a name in a depth stands for.
    pub fn value(&self, name: &str) -> Option<i64> {
        if name == "processes" {
            let number = match &self.loaded {
                LoadedModel::Processes(loaded) => loaded.model().initial_processes.len(),
                LoadedModel::Relation(loaded) => {
                    let layers = Dependencies::new(&loaded.relation).layers([]);
                    layers.participation(&loaded.relation).instances
                }
            };
            return i64::try_from(number).ok();
        }
        self.defines.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.parse().ok())
    }
}

/// A file's name with `{N}` replaced by the value of the macro `N`, and the macros that it does not use.
fn file_name(pattern: &str, defines: &[(String, String)]) -> (String, Vec<(String, String)>) {
    let mut name = pattern.to_owned();
    let mut given = Vec::new();
    for (macro_name, value) in defines {
        let hole = format!("{{{macro_name}}}");
        if name.contains(&hole) {
            name = name.replace(&hole, value);
        } else {
            given.push((macro_name.clone(), value.clone()));
        }
    }
    (name, given)
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
