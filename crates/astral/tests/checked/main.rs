//! The analysis: each `ok/x.astral` beside the specification that it states, each `err/x.astral` beside what is said about
//! it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-astral --test checked` rewrites the expectations; read the difference before you
//! commit it.

mod dump;

use std::path::{Path, PathBuf};

use lurcher_astral::checked::Specification;
use lurcher_astral::{check, parse};
use lurcher_syntax::{Diagnostic, SourceMap, render};
use lurcher_test_support::{Golden, files, named_text};

fn golden() -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checked"), "astral")
}

fn models() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/astral"), "astral")
}

/// Reads a text under a bare name, and says what there is to say about it.
fn read(name: &str, text: String) -> (Option<Specification>, Vec<Diagnostic>, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse(&sources, file);
    let errors: Vec<_> = parsed.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let (specification, mut diagnostics) = check(&parsed.file);
    diagnostics.extend(parsed.diagnostics);
    let said = render(&sources, &diagnostics, false);
    (specification, diagnostics, said)
}

fn read_file(file: &Path) -> (Option<Specification>, Vec<Diagnostic>, String) {
    let (name, text) = named_text(file);
    read(&name, text)
}

#[test]
fn specifications_are_resolved_and_typed() {
    golden().check("ok", |file| {
        let (specification, _, said) = read_file(file);
        dump::dump(&specification.unwrap_or_else(|| panic!("{}:\n{said}", file.display()))) + &said
    });
}

#[test]
fn wrong_specifications_are_refused_with_their_messages() {
    golden().check("err", |file| {
        let (specification, _, said) = read_file(file);
        assert!(specification.is_none(), "{} is not refused", file.display());
        said
    });
}

#[test]
fn models_are_accepted_without_a_warning() {
    for file in models() {
        let (specification, diagnostics, said) = read_file(&file);
        assert!(specification.is_some() && diagnostics.is_empty(), "{}:\n{said}", file.display());
    }
}
