//! The lowering: timed models as text, and what is said about specifications that have none.
//!
//! * `models/x.request` names a model of the repository and what is asked for, beside the timed model;
//! * `ok/x.astral` and `err/x.astral` begin with a comment that says what is asked for.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-astral --test lowering` rewrites the expectations; read the difference before you commit
//! it.

mod reads;

use std::path::{Path, PathBuf};

use lurcher_astral::{Request, check, lower, parse};
use lurcher_ir::timed::Model;
use lurcher_syntax::{Diagnostic, SourceMap, render};
use lurcher_test_support::{Golden, astral_request, files, named_text};

fn golden(extension: &'static str) -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering"), extension)
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/astral")
}

/// The timed model, and what is said.
fn lowered(name: &str, text: String, request: &Request) -> (Option<Model>, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse(&sources, file);
    assert!(!parsed.diagnostics.iter().any(Diagnostic::is_error), "{name}: {:?}", parsed.diagnostics);
    let (specification, diagnostics) = check(&parsed.file);
    let said = render(&sources, &diagnostics, false);
    let (model, diagnostics) = lower(&specification.unwrap_or_else(|| panic!("{name} is correct:\n{said}")), request);
    (model, render(&sources, &diagnostics, false))
}

/// The timed model of a file that begins with a comment.
fn commented(file: &Path) -> (Option<Model>, String) {
    let (name, text) = named_text(file);
    let comment = text.strip_prefix("/*").and_then(|t| t.split_once("*/")).map_or("", |(comment, _)| comment);
    let request = astral_request(comment);
    lowered(&name, text, &request)
}

#[test]
fn models_of_the_repository_are_lowered() {
    golden("request").check("models", |file| {
        let (_, text) = named_text(file);
        let (name, options) = text.split_once(' ').unwrap_or((text.trim(), ""));
        let (_, text) = named_text(&models().join(format!("{name}.astral")));
        let (model, said) = lowered(name, text, &astral_request(options));
        model.unwrap_or_else(|| panic!("{}:\n{said}", file.display())).to_string() + &said
    });
}

#[test]
fn every_model_is_lowered_for_every_process() {
    let requests = golden("request").files("models");
    let requests: Vec<String> = requests.iter().map(|file| named_text(file).1).collect();
    for file in files(&models(), "astral") {
        let (_, text) = named_text(&file);
        let name = file.file_stem().and_then(|n| n.to_str()).expect("models have plain names").to_owned();
        for process in text.lines().filter_map(|line| line.trim().strip_prefix("PROCESS SPECIFICATION ")) {
            let family = if name.starts_with("railroad-crossing-m") { "railroad-crossing" } else { &name };
            let wanted = format!("{family} --process {process}");
            let options = requests.iter().find(|r| r.starts_with(&wanted)).unwrap_or_else(|| panic!("no {wanted}"));
            let options = options.split_once(' ').map_or("", |(_, options)| options);
            let (model, said) = lowered(&name, text.clone(), &astral_request(options));
            assert!(model.is_some() && said.is_empty(), "{name}, {process}:\n{said}");
        }
    }
}

#[test]
fn features_are_lowered() {
    golden("astral").check("ok", |file| {
        let (model, said) = commented(file);
        model.unwrap_or_else(|| panic!("{}:\n{said}", file.display())).to_string() + &said
    });
}

#[test]
fn requests_without_an_answer_are_refused_with_their_messages() {
    golden("astral").check("err", |file| {
        let (model, said) = commented(file);
        assert!(model.is_none(), "{} is not refused", file.display());
        said
    });
}
