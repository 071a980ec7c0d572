//! Lowering: each `ok/x.smv` beside the relation it becomes, each `err/x.smv` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-smv --test lowering` rewrites the expectations; read the difference before you
//! commit it.

mod dump;
mod questions;

use std::path::Path;

use lurcher_ir::relation::{Relation, check};
use lurcher_smv::{lower, parse};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};
use lurcher_test_support::{Golden, named_text};

/// Parses and lowers a text under a bare name.
fn lowered(name: &str, text: &str, defines: &[(String, String)]) -> (SourceMap, Option<Relation>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse(&sources, file);
    let said = render(&sources, &parsed.diagnostics, false);
    assert!(parsed.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}");
    let (relation, diagnostics) = lower(&sources, &parsed.file, defines);
    (sources, relation, diagnostics)
}

fn check_folder(folder: &str, describe: impl Fn(&str, &str) -> String) {
    let golden = Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering"), "smv");
    golden.check(folder, |file| {
        let (name, text) = named_text(file);
        describe(&name, &text)
    });
}

#[test]
fn models_become_their_relations() {
    check_folder("ok", |name, text| {
        let (sources, relation, diagnostics) = lowered(name, text, &[]);
        let said = render(&sources, &diagnostics, false);
        let relation = relation.unwrap_or_else(|| panic!("{name} is refused:\n{said}"));
        assert_eq!(check::check(&relation), Vec::<String>::new(), "{name}");
        dump::dump(&relation) + &said
    });
}

#[test]
fn wrong_models_are_refused_with_their_messages() {
    check_folder("err", |name, text| {
        let (sources, relation, diagnostics) = lowered(name, text, &[]);
        assert!(relation.is_none(), "{name} is not refused");
        render(&sources, &diagnostics, false)
    });
}
