//! What must hold of the parser for any text at all.

use std::collections::HashMap;
use std::path::Path;

use lurcher_promela::parse::{Options, parse, parse_formula};
use lurcher_syntax::{Severity, SourceMap, render};

/// Programs to start from: the golden files and the models, but for those that only exist to grow large.
pub fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden/ok", "tests/golden/err", "../../models/promela"].map(|folder| root.join(folder));
    lurcher_test_support::seeds(&folders, |path| {
        path.to_str().is_some_and(|p| p.ends_with(".pml") && !p.ends_with("-bomb.pml"))
    })
}

/// Parses a text and looks at everything that comes back. Panics if anything is wrong; returns whether the text was
/// accepted.
pub fn check(text: &str) -> bool {
    let mut sources = SourceMap::new();
    let main = sources.add("fuzzed.pml", text);
    let files = HashMap::from([("golden.pml".to_owned(), "#define X(a) a\nbyte included;\n".to_owned())]);
    let parsed = parse(&mut sources, main, &Options::default(), &files);
    for diagnostic in &parsed.diagnostics {
        for label in &diagnostic.labels {
            let file = sources.get(label.span.file).expect("every label lies in a file");
            assert!(label.span.start <= label.span.end, "a label ends before it starts: {diagnostic:?}");
            assert!(label.span.end as usize <= file.text().len(), "a label ends behind its file: {diagnostic:?}");
        }
    }
    let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert!(errors <= 202, "{errors} errors are too many");
    assert!(!render(&sources, &parsed.diagnostics, true).contains('\0'));
    let _ = format!("{:?}", parsed.program);
    let _ = parse_formula(&mut sources, &parsed.context, text.get(..text.len().min(64)).unwrap_or("x"));
    errors == 0
}
