//! From a file to a model.

use std::path::{Path, PathBuf};

use lurcher_ir::{Model, Property};
use lurcher_promela::Lowered;
use lurcher_promela::ast::{Expr, Ident, Ltl, Program, Unit};
use lurcher_promela::parse::{self, Context, DiskReader, Options};
use lurcher_syntax::{Diagnostic, Severity, SourceMap};

use crate::relation::LoadedRelation;

/// The languages that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Promela, Spin's language.
    Promela,
    /// SMV, NuSMV's language.
    Smv,
}

impl Language {
    /// The language of a file by its extension.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "pml" | "prom" | "pr" | "promela" | "spin" => Some(Language::Promela),
            "smv" => Some(Language::Smv),
            _ => None,
        }
    }
}

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `NAME=VALUE` pairs that override the model's own macros.
    pub defines: Vec<(String, String)>,
    /// The language; found from the extension when not given.
    pub language: Option<Language>,
}

/// Why a model could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    Io(PathBuf, std::io::Error),
    /// The file is too large to be a model.
    TooLarge(PathBuf),
    /// The extension says nothing.
    UnknownLanguage(PathBuf),
    /// The model is wrong; the diagnostics say where.
    Rejected(SourceMap, Vec<Diagnostic>),
}

/// The largest file that is read as a model.
const LARGEST_FILE: u64 = 64 << 20;

/// A model with its sources.
#[derive(Debug)]
pub struct Loaded {
    /// The files it was read from.
    pub sources: SourceMap,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// The units of the model, and an `ltl` block for every formula that was read since.
    program: Program,
    lowered: Lowered,
    context: Context,
}

impl Loaded {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.lowered.model
    }

    /// Reads a temporal formula about the model.
    pub fn formula(&mut self, name: &str, text: &str) -> Result<Property, Vec<Diagnostic>> {
        let formula = parse::parse_formula(&mut self.sources, &self.context, text)?;
        let property = self.state(formula)?;
        Ok(Property { name: name.to_owned(), ..property })
    }

    /// Reads an invariant about the model.
    pub fn invariant(&mut self, text: &str) -> Result<Property, Vec<Diagnostic>> {
        let expr = parse::parse_expression(&mut self.sources, &self.context, text)?;
        self.state(expr.clone())?;
        self.lowered.invariant(&self.sources, &expr)
    }

    /// Reads the model again with one more `ltl` block: labels that it refers to change what the model does.
    fn state(&mut self, formula: Expr) -> Result<Property, Vec<Diagnostic>> {
        let span = formula.span;
        let name = Ident { name: format!("formula {}", self.program.units.len()), span };
        self.program.units.push(Unit::Ltl(Ltl { span, name: Some(name), formula }));
        let (lowered, diagnostics) = lurcher_promela::lower(&self.sources, &self.program);
        let Some(mut lowered) = lowered else {
            self.program.units.pop();
            return Err(diagnostics);
        };
        let property = lowered.model.properties.pop().expect("the block was read");
        lowered.model.properties.truncate(self.model().properties.len());
        self.lowered = lowered;
        Ok(property)
    }
}

/// A model of either shape.
#[derive(Debug)]
pub enum LoadedModel {
    /// Made of processes.
    Processes(Box<Loaded>),
    /// A relation.
    Relation(Box<LoadedRelation>),
}

impl LoadedModel {
    /// The files it was read from.
    pub fn sources(&self) -> &SourceMap {
        match self {
            LoadedModel::Processes(loaded) => &loaded.sources,
            LoadedModel::Relation(loaded) => &loaded.sources,
        }
    }

    /// Warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        match self {
            LoadedModel::Processes(loaded) => &loaded.warnings,
            LoadedModel::Relation(loaded) => &loaded.warnings,
        }
    }
}

/// Reads a model of any language from a file.
pub fn load_model(path: &Path, options: &LoadOptions) -> Result<LoadedModel, LoadError> {
    match options.language.or_else(|| Language::of(path)) {
        Some(Language::Promela) => load(path, options).map(|l| LoadedModel::Processes(Box::new(l))),
        Some(Language::Smv) => {
            let text = read_file(path)?;
            let loaded = LoadedRelation::read(&path.display().to_string(), text, &options.defines)?;
            Ok(LoadedModel::Relation(Box::new(loaded)))
        }
        None => Err(LoadError::UnknownLanguage(path.to_owned())),
    }
}

/// Reads a model made of processes from a file.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let language = options.language.or_else(|| Language::of(path));
    let Some(Language::Promela) = language else { return Err(LoadError::UnknownLanguage(path.to_owned())) };
    load_text(&path.display().to_string(), read_file(path)?, options)
}

fn read_file(path: &Path) -> Result<String, LoadError> {
    let io = |e| LoadError::Io(path.to_owned(), e);
    if std::fs::metadata(path).map_err(io)?.len() > LARGEST_FILE {
        return Err(LoadError::TooLarge(path.to_owned()));
    }
    let bytes = std::fs::read(path).map_err(io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a model from text; `name` is what messages call it, and where its includes are looked for.
pub fn load_text(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, LoadError> {
    read(name, text, &Options { defines: options.defines.clone(), ..Options::default() })
}

/// Reads a model from text with all the settings of its front-end.
pub(crate) fn read(name: &str, text: String, settings: &Options) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let parsed = parse::parse(&mut sources, main, settings, &DiskReader);
    let parse::Parsed { program, mut diagnostics, context, .. } = parsed;
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(LoadError::Rejected(sources, diagnostics));
    }
    let (lowered, more) = lurcher_promela::lower(&sources, &program);
    diagnostics.extend(more);
    match lowered {
        Some(lowered) => Ok(Loaded { sources, warnings: diagnostics, program, lowered, context }),
        None => Err(LoadError::Rejected(sources, diagnostics)),
    }
}
