//! Reading models and files, choosing properties.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use lurcher::{LoadError, LoadOptions, Model, Question, QuestionError};
use lurcher_ir::Property;
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};

use crate::args::{CommonArgs, PropertyArgs};
use crate::report::colour_on_stderr;

/// Reads the model; what is wrong with it is printed here.
pub fn read_model(args: &CommonArgs) -> Result<Model> {
    read_model_with(args, &args.defines)
}

/// The same with other definitions.
pub fn read_model_with(args: &CommonArgs, defines: &[(String, String)]) -> Result<Model> {
    let options = LoadOptions { defines: defines.to_vec(), language: args.lang.clone() };
    match Model::load(&args.model, &options) {
        Ok(model) => {
            print_diagnostics(model.sources(), model.warnings());
            Ok(model)
        }
        Err(LoadError::Rejected(sources, diagnostics)) => {
            print_diagnostics(&sources, &diagnostics);
            let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
            bail!("{}: {errors} error{}", args.model.display(), if errors == 1 { "" } else { "s" })
        }
        Err(error) => bail!("{error}"),
    }
}

/// Prints diagnostics to standard error.
pub fn print_diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        eprint!("{}", render(sources, diagnostics, colour_on_stderr()));
    }
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
    let mut all = Vec::new();
    for question in questions {
        let properties = resolve(model, &question)?;
        all.extend(properties.into_iter().map(|p| (question.clone(), p)));
    }
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
            print_diagnostics(model.sources(), &diagnostics);
            anyhow!("the {what} cannot be read")
        }
        error => anyhow!("{error}"),
    }
}

/// Reads a text file that the user named.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
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
