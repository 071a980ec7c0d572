//! Models of an experiment, read once each.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lurcher::engines::{Shape, engine};
use lurcher::{LoadOptions, Model, Question as Asked, QuestionError};
use lurcher_ir::Property;
use lurcher_ir::relation::Dependencies;
use lurcher_syntax::{Severity, render};
use xxhash_rust::xxh3::xxh3_64;

/// A model with values for its macros.
#[derive(Debug)]
pub struct Instance {
    /// The file as the experiment names it, with values for the macros in its name.
    pub name: String,
    pub path: PathBuf,
    pub defines: Vec<(String, String)>,
    /// The macros that the model is given, without those that only choose the file.
    pub given: Vec<(String, String)>,
    pub model: Model,
    /// How long it took to read.
    pub load: Duration,
    /// A fingerprint of its text.
    pub text: String,
    pub questions: Vec<Question>,
}

/// A question about an instance.
#[derive(Debug)]
pub struct Question {
    /// The question as the file states it.
    pub asked: Asked,
    /// The properties that it means.
    pub properties: Vec<(Asked, Property)>,
}

impl Instance {
    pub fn load(folder: &Path, name: &str, defines: Vec<(String, String)>) -> Result<Instance, String> {
        let (name, given) = file_name(name, &defines);
        let path = folder.join(&name);
        let started = Instant::now();
        let options = LoadOptions { defines: given.clone(), ..LoadOptions::default() };
        let model = Model::load(&path, &options).map_err(|e| e.to_string())?;
        let load = started.elapsed();
        let mut text = String::new();
        for (_, file) in model.sources().files() {
            text.push_str(file.text());
        }
        let text = format!("{:016x}", xxh3_64(text.as_bytes()));
        Ok(Instance { name, path, defines, given, model, load, text, questions: Vec::new() })
    }

    /// The number of a question, which is resolved when it is new.
    pub fn ask(&mut self, asked: &Asked) -> Result<usize, String> {
        if let Some(known) = self.questions.iter().position(|q| q.asked == *asked) {
            return Ok(known);
        }
        let properties = self.model.resolve(asked).map_err(|error| match error {
            QuestionError::Rejected(what, diagnostics) => {
                let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
                let shown = first.map(|d| render(self.model.sources(), std::slice::from_ref(d), false));
                let shown = shown.unwrap_or_default();
                format!("the {what} cannot be read: {}", shown.trim_end().trim_start_matches("error: "))
            }
            error => error.to_string(),
        })?;
        let properties = properties.into_iter().map(|p| (asked.clone(), p)).collect();
        self.questions.push(Question { asked: asked.clone(), properties });
        Ok(self.questions.len() - 1)
    }

    /// Why an engine cannot check a question about a process model.
    pub(crate) fn refusal(&self, question: usize, name: &str) -> Option<&'static str> {
        let engine = engine(name).filter(|_| self.model.processes().is_some())?;
        let properties = &self.questions[question].properties;
        properties.iter().find_map(|(_, property)| engine.refuses(Shape::Processes, &property.kind))
    }

    /// Its macros as text.
    pub fn define_text(&self) -> String {
        self.defines.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// The value of a name in a depth.
    pub fn value(&self, name: &str) -> Option<i64> {
        if name == "processes" {
            let instances = |r| Dependencies::new(r).layers([]).participation(r).instances;
            let processes = self.model.processes().map(|m| m.initial_processes.len());
            return i64::try_from(processes.or_else(|| self.model.relation().map(instances))?).ok();
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
