//! The analysis: each `ok/x.astral` beside the specification that it states, each `err/x.astral` beside what is said about
//! it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-astral --test checked` rewrites the expectations; read the difference before you
//! commit it.

mod dump;

use std::path::{Path, PathBuf};

use lurcher_astral::ast::Unit;
use lurcher_astral::checked::Specification;
use lurcher_astral::{check, parse, print};
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

/// The accepted specifications of the repository.
fn accepted() -> Vec<PathBuf> {
    golden().files("ok").into_iter().chain(models()).collect()
}

fn dump_of(text: &str) -> String {
    let (specification, _, said) = read("text.astral", text.to_owned());
    dump::dump(&specification.unwrap_or_else(|| panic!("{text}\n{said}")))
}

#[test]
fn case_makes_no_difference() {
    for file in accepted() {
        let (_, text) = named_text(&file);
        let lower = dump_of(&text).to_ascii_lowercase();
        assert_eq!(dump_of(&text.to_ascii_uppercase()).to_ascii_lowercase(), lower, "{}", file.display());
        assert_eq!(dump_of(&text.to_ascii_lowercase()).to_ascii_lowercase(), lower, "{}", file.display());
    }
}

#[test]
fn printed_specifications_mean_the_same() {
    for file in accepted() {
        let (_, text) = named_text(&file);
        assert_eq!(dump_of(&print(&parsed(&text))), dump_of(&text), "{}", file.display());
    }
}

#[test]
fn clauses_may_stand_in_any_order() {
    let sorted = |text: &str| {
        let dump = dump_of(text);
        let mut lines: Vec<_> = dump.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    for file in accepted() {
        let (_, text) = named_text(&file);
        let mut tree = parsed(&text);
        let Some(Unit::Specification(specification)) = &mut tree.unit else { panic!("a specification") };
        specification.global.iter_mut().for_each(|global| global.clauses.reverse());
        specification.processes.iter_mut().for_each(|process| process.levels[0].clauses.reverse());
        assert_eq!(sorted(&print(&tree)), sorted(&text), "{}", file.display());
    }
}

fn parsed(text: &str) -> lurcher_astral::ast::File {
    let mut sources = SourceMap::new();
    let file = sources.add("text.astral", text);
    parse(&sources, file).file
}

/// The words of a specification without its comments.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest)).collect();
    plain.replace(['(', ')'], " ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn mutants_of_the_railroad_crossing_only_leave_something_out() {
    let is_mutant = |file: &PathBuf| file.to_string_lossy().contains("railroad-crossing-m");
    let (mutants, others): (Vec<_>, Vec<_>) = models().into_iter().partition(is_mutant);
    assert_eq!(mutants.len(), 10);
    let original = others.iter().find(|f| f.ends_with("railroad-crossing.astral")).expect("the original");
    let original = words(&named_text(original).1);
    for file in mutants {
        let mutant = words(&named_text(&file).1);
        assert!(mutant.len() < original.len(), "{}", file.display());
        let mut rest = original.iter();
        assert!(mutant.iter().all(|word| rest.any(|w| w == word)), "{}", file.display());
    }
}
