//! Reading models and files, choosing properties.

use std::fs::File;
use std::io::{Read, Write};
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use lurcher::{LoadError, LoadOptions, Model, Question, QuestionError};
use lurcher_ir::Property;
use lurcher_resources::{ResourceLimits, checkpoint_now};
use lurcher_syntax::{Diagnostic, FORMULA_FILE, Severity, SourceMap, render};
use serde_json::{Value, json};

use crate::args::{CommonArgs, PropertyArgs, STDIN};
use crate::progress::Live;
use crate::terminal::{Stream, Verbosity, message};
use crate::words::count;

/// A model or formula with errors, which have been printed.
#[derive(Debug)]
pub struct Rejected {
    message: String,
    /// The errors and warnings, as JSON.
    pub diagnostics: Vec<Value>,
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Rejected {}

impl Rejected {
    /// Prints diagnostics, and keeps them for JSON.
    fn new(message: String, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Rejected {
        print_diagnostics(sources, diagnostics);
        Rejected { message, diagnostics: diagnostics.iter().map(|d| diagnostic_object(sources, d)).collect() }
    }
}

fn diagnostic_object(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let span = diagnostic.labels.first().map(|l| l.span).filter(|span| sources.get(span.file).is_some());
    let position = span.map(|span| sources.line_column(span.file, span.start));
    json!({
        "severity": if diagnostic.severity == Severity::Error { "error" } else { "warning" },
        "message": diagnostic.message, "where": span.map(|span| sources.place(span)),
        "line": position.map(|p| p.0), "column": position.map(|p| p.1), "notes": diagnostic.notes,
    })
}

/// Reads the model; what is wrong with it is printed here.
pub fn read_model(args: &CommonArgs, resources: &ResourceLimits) -> Result<Model> {
    read_model_with(args, &args.defines, resources)
}

/// The same with other definitions.
pub fn read_model_with(args: &CommonArgs, defines: &[(String, String)], resources: &ResourceLimits) -> Result<Model> {
    let options = LoadOptions {
        defines: defines.to_vec(),
        language: args.lang.clone(),
        process: args.process.clone(),
        further: args.further.clone(),
        resources: resources.clone(),
    };
    let is_stdin = args.model.as_os_str() == STDIN;
    // Progress would be in the way of a model that is typed.
    let live = (!is_stdin).then(|| Live::new("loading the model", args.time));
    let read = match is_stdin {
        true => Model::from_reader(STDIN, std::io::stdin().lock(), &options),
        false => Model::load(&args.model, &options),
    };
    drop(live);
    match read {
        Ok(model) => {
            print_diagnostics(model.sources(), model.warnings());
            if Verbosity::get().verbose {
                message(&format!("             {}\n", sizes(&model)));
            }
            Ok(model)
        }
        Err(LoadError::Rejected(sources, diagnostics)) => {
            let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
            let summary = format!("{}: {errors} error{}", args.model.display(), if errors == 1 { "" } else { "s" });
            Err(Rejected::new(summary, &sources, &diagnostics).into())
        }
        Err(LoadError::Stopped(_, limit)) => Err(limit.into()),
        Err(error) => bail!("{error}"),
    }
}

/// How large a model is.
fn sizes(model: &Model) -> String {
    let many = |number: usize, thing: &str| count(number as u64, thing);
    if let Some(relation) = model.relation() {
        let bits: u32 = relation.state_variables().map(|(_, v)| v.domain.bits()).sum();
        let (variables, kinds) = (relation.state_variables().count(), relation.transitions.len());
        return format!(
            "{} in {}, {}",
            many(variables, "state variable"),
            many(bits as usize, "bit"),
            many(kinds, "transition")
        );
    }
    if let Some(specification) = model.timed() {
        let (constants, variables) = specification.processes.iter().fold((0, 0), |(constants, variables), process| {
            (constants + process.constants.len(), variables + process.variables.len())
        });
        let processes = many(specification.processes.len(), "process");
        return format!("{processes} with {}, {}", many(constants, "constant"), many(variables, "variable"));
    }
    let Some(processes) = model.processes() else { return String::new() };
    let locations: usize = processes.process_types.iter().map(|p| p.locations.len()).sum();
    let (types, bytes) = (processes.process_types.len(), processes.globals_size as usize);
    let globals = format!("{} in {}", many(processes.globals.len(), "global variable"), many(bytes, "byte"));
    format!("{} with {}, {globals}", many(types, "process type"), many(locations, "location"))
}

/// Prints diagnostics to standard error.
pub fn print_diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        message(&render(sources, diagnostics, Stream::Err.form().colour));
    }
}

/// Prints the warnings about formulas of the command line.
pub fn print_formula_warnings(model: &Model) {
    let about_formula = |w: &&Diagnostic| model.sources().file(w.labels[0].span.file).name() == FORMULA_FILE;
    let warnings: Vec<Diagnostic> = model.warnings().iter().filter(about_formula).cloned().collect();
    print_diagnostics(model.sources(), &warnings);
}

/// The properties that arguments name, in order; none for those of the model.
pub fn questions(args: &PropertyArgs) -> Vec<Question> {
    if args.no_claims {
        return vec![Question::Named("safety".to_owned())];
    }
    let mut questions: Vec<Question> = args.property.iter().cloned().map(Question::Named).collect();
    let numbered = |texts: &[String], name: &str, ask: fn(String, String) -> Question| -> Vec<Question> {
        let name = |i: usize| if texts.len() == 1 { name.to_owned() } else { format!("{name}_{i}") };
        texts.iter().enumerate().map(|(i, text)| ask(name(i), text.clone())).collect()
    };
    questions.extend(numbered(&args.ltl, "ltl", Question::Ltl));
    questions.extend(numbered(&args.ctl, "ctl", Question::Ctl));
    questions.extend(numbered(&args.invariant, "invariant", Question::Invariant));
    questions
}

/// The properties that arguments mean, each with the question it comes from.
pub fn properties(model: &mut Model, args: &PropertyArgs) -> Result<Vec<(Question, Property)>> {
    let mut questions = questions(args);
    if questions.is_empty() {
        questions = model.questions();
    }
    let selected = Question::select(&questions, &model.questions()).map_err(|error| unresolved(model, error))?;
    let mut all = Vec::new();
    for question in selected {
        let properties = resolve(model, &question)?;
        all.extend(properties.into_iter().map(|p| (question.clone(), p)));
    }
    print_formula_warnings(model);
    Ok(all)
}

/// The properties that a question means.
pub fn resolve(model: &mut Model, question: &Question) -> Result<Vec<Property>> {
    model.resolve(question).map_err(|error| unresolved(model, error))
}

/// Says why a question cannot be asked.
pub fn unresolved(model: &Model, error: QuestionError) -> anyhow::Error {
    match error {
        QuestionError::Rejected(what, diagnostics) => {
            Rejected::new(format!("the {what} cannot be read"), model.sources(), &diagnostics).into()
        }
        error => anyhow!("{error}"),
    }
}

/// Bytes of a file that are read before the limits are consulted again.
const PIECE: u64 = 1 << 20;

/// Reads a text file that the user named.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = read_bytes(path)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned()))
}

/// Reads a file that the user named; `-` is standard input.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let failed = || format!("cannot read {}", path.display());
    let mut file: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(File::open(path).with_context(failed)?),
    };
    let mut bytes = Vec::new();
    while (&mut file).take(PIECE).read_to_end(&mut bytes).with_context(failed)? > 0 {
        checkpoint_now();
    }
    Ok(bytes)
}

/// Refuses a file that could not be written where it is asked for.
pub fn check_place(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.is_dir(), path.is_dir()) {
        (false, _) => bail!("cannot write {}: there is no folder {}", path.display(), folder.display()),
        (true, true) => bail!("cannot write {}: it is a folder", path.display()),
        (true, false) => Ok(()),
    }
}

/// Writes a text file that the user named.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    let write = || create(path)?.write_all(text.as_bytes());
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Creates a file. A pipe that nobody reads is an error, because opening it would wait for a reader.
fn create(path: &Path) -> std::io::Result<File> {
    #[cfg(unix)]
    if path.metadata().is_ok_and(|found| found.file_type().is_fifo()) {
        File::options().write(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    }
    File::create(path)
}

/// Replaces a text file that the user named. The old text is lost only when the new one is on the disk. Links are followed;
/// devices and pipes are written to.
pub fn replace_text(path: &Path, text: &str) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return write_text(path, text);
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.unfinished", std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)
    };
    write().map_err(|error| {
        // What is left of the new text has no use, and nothing can be done where it cannot be removed either.
        let _ = std::fs::remove_file(&unfinished);
        anyhow!("cannot write {}: {error}", path.display())
    })
}
