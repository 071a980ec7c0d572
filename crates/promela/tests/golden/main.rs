//! Golden files: each `ok/x.pml` beside the tree it parses to, each `err/x.pml` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-promela --test golden` rewrites the expectations; read the difference before
//! you commit it.

mod dump;

use std::path::{Path, PathBuf};
use std::process::Command;

use lurcher_promela::parse::{DiskReader, Options, parse, parse_expression, parse_formula};
use lurcher_syntax::{Severity, SourceMap, render};
use lurcher_test_support::{Golden, named_text};

fn golden() -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "pml")
}

/// Parses a file under its bare name, so that expectations do not depend on where the repository lies.
fn parsed(file: &Path) -> (SourceMap, lurcher_promela::parse::Parsed) {
    let (name, text) = named_text(file);
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let options =
        Options { include_dirs: file.parent().map(Path::to_owned).into_iter().collect(), ..Options::default() };
    let parsed = parse(&mut sources, main, &options, &DiskReader);
    (sources, parsed)
}

/// Strips the directory from included files' names.
fn plain(text: String, name: &str) -> String {
    text.replace(&format!("{}/", golden().folder(name).display()), "")
}

#[test]
fn programs_parse_to_their_trees() {
    golden().check("ok", |file| {
        let (sources, parsed) = parsed(file);
        let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        assert_eq!(errors, 0, "{}:\n{}", file.display(), render(&sources, &parsed.diagnostics, false));
        let text = dump::dump(&sources, &parsed.program) + &render(&sources, &parsed.diagnostics, false);
        plain(text, "ok")
    });
}

#[test]
fn wrong_programs_are_refused_with_their_messages() {
    golden().check("err", |file| {
        let (sources, parsed) = parsed(file);
        let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        assert!(errors > 0, "{} is not refused", file.display());
        plain(render(&sources, &parsed.diagnostics, false), "err")
    });
}

/// Files that Spin accepts although they are refused here, each for a reason that DESIGN.md or the limits give.
const REFUSED_ON_PURPOSE: [&str; 5] = ["embedded-c", "deep-nesting", "long-chain", "binary", "preprocessor"];

#[test]
fn spin_agrees_on_what_is_refused() {
    let Ok(folder) = scratch_folder() else { panic!("no place for scratch files") };
    if Command::new("spin").arg("-V").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "spin is missing, and CI must compare with it");
        eprintln!("SKIPPED: spin is not installed, so the golden files were not compared with it");
        return;
    }
    for (name, refused) in [("ok", false), ("err", true)] {
        for file in golden().files(name) {
            let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
            if REFUSED_ON_PURPOSE.contains(&stem) || stem.ends_with("-bomb") {
                continue;
            }
            let output = Command::new("spin").arg("-a").arg(&file).current_dir(&folder).output().expect("spin runs");
            let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
            let spin_refused = !output.status.success() || text.contains("error");
            assert_eq!(spin_refused, refused, "{}: {text}", file.display());
        }
    }
}

fn scratch_folder() -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden-spin");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

#[test]
fn formulas_are_read_in_the_context_of_a_program() {
    let mut sources = SourceMap::new();
    let text = "#define busy (x == 1)\nmtype = { ack };\nbyte x, U;\nactive proctype P() { byte k; L: skip }\n";
    let main = sources.add("m.pml", text);
    let parsed = parse(&mut sources, main, &Options::default(), &DiskReader);
    let mut formula = |text| match parse_formula(&mut sources, &parsed.context, text) {
        Ok(e) => dump::expr(&e),
        Err(d) => d[0].message.clone(),
    };
    assert_eq!(formula("[] (busy -> <> !busy)"), "(Always ((x Eq 1) Implies (Eventually (Not (x Eq 1)))))");
    assert_eq!(formula("busy /\\ P@L \\/ x U x"), "(((x Eq 1) And P@L) Or (x Until x))");
    assert_eq!(formula("a -> b -> c"), "((a Implies b) Implies c)");
    assert_eq!(formula("[] a U b"), "((Always a) Until b)");
    assert_eq!(formula("[] (x"), "expected an operator or `)`, found the end of the file");
    assert_eq!(formula("x y"), "expected an operator or the end of the formula, found `y`");
    assert_eq!(formula(""), "expected an expression, found the end of the file");
    let expression = parse_expression(&mut sources, &parsed.context, "U > 2 && P:k == ack").map(|e| dump::expr(&e));
    assert_eq!(expression.as_deref(), Ok("((U Gt 2) And (P:k Eq ack))"));
}
