//! Lowering: each `ok/x.smv` beside the relation it becomes, each `err/x.smv` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-smv --test lowering` rewrites the expectations; read the difference before you
//! commit it.

mod dump;
mod questions;

use std::path::{Path, PathBuf};

use lurcher_ir::relation::{Relation, check};
use lurcher_smv::{lower, parse};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};

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

fn golden_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder of golden files exists");
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "smv"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no golden files in {}", folder.display());
    files
}

/// Compares with the expectation beside a file, or rewrites it.
fn check_golden(file: &Path, actual: &str) -> Result<(), String> {
    let expectation = file.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expectation, actual).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(format!("{} differs.\n--- expected\n{expected}\n--- actual\n{actual}", expectation.display()))
}

fn check_folder(folder: &str, describe: impl Fn(&str, &str) -> String) {
    let mut failures = Vec::new();
    for file in golden_files(folder) {
        let text = std::fs::read_to_string(&file).expect("a golden file can be read");
        let name = file.file_name().and_then(|n| n.to_str()).expect("golden files have plain names");
        failures.extend(check_golden(&file, &describe(name, &text)).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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
