//! Golden files: each `ok/x.astral` beside the tree it parses to, each `err/x.astral` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-astral --test golden` rewrites the expectations; read the difference before you
//! commit it.

mod dump;

use std::path::{Path, PathBuf};

use lurcher_astral::{Parsed, parse, print};
use lurcher_syntax::{Diagnostic, SourceMap, render};
use lurcher_test_support::{Golden, files, named_text};

fn golden() -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "astral")
}

fn models() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/astral"), "astral")
}

/// Parses a text under a bare name, so that expectations do not depend on where the repository lies.
fn parsed(name: &str, text: String) -> (SourceMap, Parsed) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse(&sources, file);
    (sources, parsed)
}

fn parsed_file(file: &Path) -> (SourceMap, Parsed) {
    let (name, text) = named_text(file);
    parsed(&name, text)
}

fn refused(parsed: &Parsed) -> bool {
    parsed.diagnostics.iter().any(Diagnostic::is_error)
}

#[test]
fn specifications_parse_to_their_trees() {
    golden().check("ok", |file| {
        let (sources, parsed) = parsed_file(file);
        let said = render(&sources, &parsed.diagnostics, false);
        assert!(!refused(&parsed), "{}:\n{said}", file.display());
        dump::dump(&sources, &parsed.file) + &said
    });
}

#[test]
fn wrong_specifications_are_refused_with_their_messages() {
    golden().check("err", |file| {
        let (sources, parsed) = parsed_file(file);
        assert!(refused(&parsed), "{} is not refused", file.display());
        render(&sources, &parsed.diagnostics, false)
    });
}

/// A tree as text without the places in it.
fn without_places(tree: &lurcher_astral::ast::File) -> String {
    let text = format!("{tree:?}");
    let mut parts = text.split("Span {");
    let mut kept = parts.next().unwrap_or("").to_owned();
    for part in parts {
        // `Span { file: FileId(0), start: 0, end: 1 }`
        kept.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    kept
}

#[test]
fn printed_specifications_are_read_back_as_the_same_tree() {
    for file in golden().files("ok").into_iter().chain(models()) {
        let (_, first) = parsed_file(&file);
        let text = print(&first.file);
        let (sources, second) = parsed("printed.astral", text.clone());
        let said = render(&sources, &second.diagnostics, false);
        assert!(!refused(&second), "{} printed:\n{text}\n{said}", file.display());
        assert_eq!(without_places(&first.file), without_places(&second.file), "{}:\n{text}", file.display());
        assert_eq!(text, print(&second.file));
    }
}
