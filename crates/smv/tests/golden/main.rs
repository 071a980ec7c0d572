//! Golden files: each `ok/x.smv` beside the tree it parses to, each `err/x.smv` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-smv --test golden` rewrites the expectations; read the difference before you
//! commit it.

mod dump;

use std::path::Path;

use lurcher_smv::{Parsed, parse, print};
use lurcher_syntax::{Severity, SourceMap, render};
use lurcher_test_support::{Golden, named_text};

fn golden() -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "smv")
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

fn errors(parsed: &Parsed) -> usize {
    parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
}

#[test]
fn models_parse_to_their_trees() {
    golden().check("ok", |file| {
        let (sources, parsed) = parsed_file(file);
        let said = render(&sources, &parsed.diagnostics, false);
        assert_eq!(errors(&parsed), 0, "{}:\n{said}", file.display());
        dump::dump(&sources, &parsed.file) + &said
    });
}

#[test]
fn wrong_models_are_refused_with_their_messages() {
    golden().check("err", |file| {
        let (sources, parsed) = parsed_file(file);
        assert!(errors(&parsed) > 0, "{} is not refused", file.display());
        render(&sources, &parsed.diagnostics, false)
    });
}

/// A tree as text without the places in it.
fn without_places(tree: &lurcher_smv::ast::File) -> String {
    let mut rest = format!("{tree:?}");
    let mut kept = String::new();
    while let Some(at) = rest.find("Span {") {
        kept.push_str(&rest[..at]);
        let end = rest[at..].find('}').map_or(rest.len(), |e| at + e + 1);
        rest.drain(..end);
    }
    kept + &rest
}

#[test]
fn printed_models_are_read_back_as_the_same_tree() {
    for file in golden().files("ok") {
        let (_, first) = parsed_file(&file);
        let text = print(&first.file);
        let (sources, second) = parsed("printed.smv", text.clone());
        let said = render(&sources, &second.diagnostics, false);
        assert_eq!(errors(&second), 0, "{} printed:\n{text}\n{said}", file.display());
        assert_eq!(without_places(&first.file), without_places(&second.file), "{}:\n{text}", file.display());
        assert_eq!(text, print(&second.file));
    }
}
