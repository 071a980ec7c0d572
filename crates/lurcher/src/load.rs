//! From a file to a model.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_resources::{LimitReached, ResourceLimits};
use lurcher_syntax::{Diagnostic, FORMULA_FILE, Severity, SourceMap, Span, render};
use lurcher_trace::Header;
use xxhash_rust::xxh3::xxh3_64;

use crate::languages::{Form, LANGUAGES, Language, Source, language, language_of, language_of_text};
use crate::question::{Question, QuestionError};

/// The largest file that is read as a model.
const LARGEST_FILE: u64 = 64 << 20;

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `NAME=VALUE` pairs that override the model's own definitions.
    pub defines: Vec<(String, String)>,
    /// The language's name; by the extension, or else the text, if not given.
    pub language: Option<String>,
    /// Of a specification of several processes, the process or instance to check; all of them if not given.
    pub process: Option<String>,
    /// The further assumptions of that process that count, by their numbers.
    pub further: Vec<i64>,
    /// What reading the model may use.
    pub resources: ResourceLimits,
}

/// Why a model could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    Io(PathBuf, std::io::Error),
    /// The file is too large to be a model.
    TooLarge(PathBuf),
    /// Neither the options nor the extension nor the text tell the language.
    UnknownLanguage(PathBuf),
    /// A limit was reached.
    Stopped(PathBuf, LimitReached),
    /// An option says nothing to this language: the option and the language.
    Unread(&'static str, &'static str),
    /// The model is wrong; the diagnostics say where.
    Rejected(SourceMap, Vec<Diagnostic>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            LoadError::Stopped(path, limit) => write!(f, "{}: {limit} while the model was read", path.display()),
            LoadError::TooLarge(path) => write!(f, "{} is too large to be a model", path.display()),
            LoadError::UnknownLanguage(path) if path.is_dir() => {
                write!(f, "{} is a folder, not a model", path.display())
            }
            LoadError::UnknownLanguage(path) => {
                let options: Vec<String> = LANGUAGES.iter().map(|l| format!("--lang {}", l.name())).collect();
                let path = path.display();
                write!(f, "{path}: neither the name nor the text shows the language; add {}", options.join(" or "))
            }
            LoadError::Unread(option, language) => {
                write!(
                    f,
                    "--{option} chooses among processes of a real-time specification; {language} models have none to choose"
                )
            }
            LoadError::Rejected(sources, diagnostics) => {
                let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
                let shown = first.map(|d| render(sources, std::slice::from_ref(d), false));
                let shown = shown.unwrap_or_default();
                write!(f, "the model is wrong: {}", shown.trim_end().trim_start_matches("error: "))
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// A model that was read.
#[derive(Debug)]
pub struct Model {
    /// The file's name, as messages call it.
    pub name: String,
    source: Box<dyn Source>,
    defines: Vec<(String, String)>,
    /// Its files and a hash of each; formulas that are read later are not among them.
    files: Vec<(String, String)>,
    /// Formulas that were read since.
    formulas: Vec<Question>,
}

/// Reads a model from a file; the language follows the extension, or else the text.
///
/// # Errors
/// When the file cannot be read or the model is wrong.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    Model::load(path.as_ref(), &LoadOptions::default())
}

impl Model {
    /// Reads a model from a file.
    ///
    /// # Errors
    /// When the file cannot be read or the model is wrong.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<Model, LoadError> {
        let file = std::fs::File::open(path).map_err(|e| LoadError::Io(path.to_owned(), e))?;
        if path.is_dir() {
            return Err(LoadError::UnknownLanguage(path.to_owned()));
        }
        Model::from_reader(&path.display().to_string(), file, options)
    }

    /// Reads a model from a file that is open, or from standard input; see [`Model::from_text`].
    ///
    /// # Errors
    /// When the file cannot be read or the model is wrong.
    pub fn from_reader(name: &str, reader: impl Read, options: &LoadOptions) -> Result<Model, LoadError> {
        let mut bytes = Vec::new();
        let limited = &mut reader.take(LARGEST_FILE + 1);
        limited.read_to_end(&mut bytes).map_err(|e| LoadError::Io(name.into(), e))?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(LoadError::TooLarge(name.into()));
        }
        Model::from_text(name, String::from_utf8_lossy(&bytes), options)
    }

    /// Reads a model from text. `name` is what messages call it, and where its includes are looked for; its extension tells
    /// the language unless the options do, or else the text.
    ///
    /// # Errors
    /// When the model is wrong.
    pub fn from_text(name: &str, text: impl Into<String>, options: &LoadOptions) -> Result<Model, LoadError> {
        let text = text.into();
        let language = match &options.language {
            Some(name) => language(name),
            None => language_of(Path::new(name)).or_else(|| language_of_text(&text)),
        };
        let language = language.ok_or_else(|| LoadError::UnknownLanguage(name.into()))?;
        Model::read(language, name, text, options)
    }

    fn read(language: &dyn Language, name: &str, text: String, options: &LoadOptions) -> Result<Model, LoadError> {
        let LoadOptions { defines, resources, .. } = options;
        if !language.is_modular() && (options.process.is_some() || !options.further.is_empty()) {
            let option = if options.process.is_some() { "process" } else { "further" };
            return Err(LoadError::Unread(option, language.name()));
        }
        let source = resources.bound(|| language.load(name, text, options));
        let source = source.map_err(|limit| LoadError::Stopped(name.into(), limit))??;
        let hash = |text: &str| format!("{:016x}", xxh3_64(text.as_bytes()));
        let files = source.sources().files().map(|(_, file)| (file.name().to_owned(), hash(file.text()))).collect();
        Ok(Model { name: name.to_owned(), source, defines: defines.clone(), files, formulas: Vec::new() })
    }

    /// The model form: what engines run.
    pub fn form(&self) -> Form<'_> {
        self.source.form()
    }

    /// The process model, if it is one.
    pub fn processes(&self) -> Option<&lurcher_ir::Model> {
        match self.form() {
            Form::Processes(model) => Some(model),
            _ => None,
        }
    }

    /// The relation, if it is one.
    pub fn relation(&self) -> Option<&Relation> {
        match self.form() {
            Form::Relation(relation) => Some(relation),
            _ => None,
        }
    }

    /// The real-time specification, if it is one.
    pub fn timed(&self) -> Option<&lurcher_ir::timed::Specification> {
        match self.form() {
            Form::Timed(specification) => Some(specification),
            _ => None,
        }
    }

    /// The files it was read from.
    pub fn sources(&self) -> &SourceMap {
        self.source.sources()
    }

    /// The formula that was given beside the model and stands at a place.
    pub fn formula_at(&self, place: Span) -> Option<String> {
        let file = self.sources().get(place.file).filter(|file| file.name() == FORMULA_FILE)?;
        Some(file.text().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.source.warnings()
    }

    /// The properties to check when the user names none.
    pub fn questions(&self) -> Vec<Question> {
        self.source.questions()
    }

    /// The properties that a question means.
    ///
    /// # Errors
    /// When there is no such property, or a formula cannot be read.
    pub fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        let properties = self.source.resolve(question)?;
        if !matches!(question, Question::Named(_)) && !self.formulas.contains(question) {
            self.formulas.push(question.clone());
        }
        Ok(properties)
    }

    /// The head of a JSON trace of a property: all that is needed to replay it.
    pub(crate) fn header(&self, model: &str, property: &str) -> Header {
        let formula = self.formulas.iter().find(|q| q.name() == property).and_then(Question::formula);
        Header { formula, defines: self.defines.clone(), sources: self.files.clone(), ..Header::new(model, property) }
    }

    /// In what the model differs from the one that a trace was made from. Short traces do not say what that was.
    pub(crate) fn difference(&self, header: &Header) -> Option<String> {
        if header.sources.is_empty() {
            return None;
        }
        let changed = |(now, then): (&(String, String), &(String, String))| match now.1 == then.1 {
            true => None,
            false if now.0 == then.0 => Some(format!("{} has changed since the trace was written", now.0)),
            false => Some(format!("the trace was made from {}, whose text differs from {}", then.0, now.0)),
        };
        let more = || {
            let differ = self.files.len() != header.sources.len();
            differ.then(|| format!("{} has changed since the trace was written", self.name))
        };
        let files = || self.files.iter().zip(&header.sources).find_map(changed);
        self.other_definition(&header.defines).or_else(files).or_else(more)
    }

    /// A definition that the model or the trace has and the other has not.
    fn other_definition(&self, traced: &[(String, String)]) -> Option<String> {
        let with = traced.iter().find(|d| !self.defines.contains(d));
        let without = self.defines.iter().find(|d| !traced.contains(d));
        let with = with.map(|(name, value)| format!("the trace was made with --define {name}={value}"));
        with.or_else(|| without.map(|(name, _)| format!("the trace was made without --define {name}")))
    }

    pub(crate) fn source(&self) -> &dyn Source {
        &*self.source
    }
}
