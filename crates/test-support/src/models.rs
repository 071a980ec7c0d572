//! Loading models.

use std::path::{Path, PathBuf};

use lurcher_astral::Request;
use lurcher_ir::relation::Relation;
use lurcher_ir::{Model, timed};
use lurcher_promela::parse::{DiskReader, Options};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};

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

/// The models of the repository in a language: `astral`, `promela` or `smv`.
pub fn repository_models(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(language);
    files(&folder, if language == "promela" { "pml" } else { language })
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

/// What `--process P --define c=2 --further 1` asks for.
///
/// # Panics
/// If it asks for anything else.
pub fn astral_request(text: &str) -> Request {
    let mut request = Request::default();
    let mut words = text.split_whitespace();
    while let (Some(option), Some(value)) = (words.next(), words.next()) {
        match option {
            "--process" => request.process = Some(value.to_owned()),
            "--define" => {
                let (name, value) = value.split_once('=').expect("a definition has a value");
                request.defines.push((name.to_owned(), value.to_owned()));
            }
            "--further" => request.further.push(value.parse().expect("further assumptions have a number")),
            other => panic!("{other} is no option"),
        }
    }
    request
}

/// The timed model of a process of an ASTRAL specification.
///
/// # Errors
/// The diagnostics, if the specification or the request has errors.
pub fn astral(name: &str, text: String, request: &Request) -> Result<timed::Model, String> {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let parsed = lurcher_astral::parse(&sources, main);
    let mut said: Vec<Diagnostic> = parsed.diagnostics.clone();
    let (specification, diagnostics) = lurcher_astral::check(&parsed.file);
    said.extend(diagnostics);
    if let (Some(specification), false) = (specification, said.iter().any(Diagnostic::is_error)) {
        let (model, diagnostics) = lurcher_astral::lower(&specification, request);
        said.extend(diagnostics);
        if let Some(model) = model {
            return Ok(model);
        }
    }
    Err(render(&sources, &said, false))
}

/// The timed model of a model of the repository (`watchdog`), for what [`astral_request`] reads.
///
/// # Panics
/// If there is no such model, or it has errors.
pub fn astral_file(name: &str, options: &str) -> timed::Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/astral/{name}.astral"));
    astral(name, text_of(&path), &astral_request(options)).unwrap_or_else(|said| panic!("{name}:\n{said}"))
}
