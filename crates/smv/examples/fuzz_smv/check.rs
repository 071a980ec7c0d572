//! What must hold of the parser for any text at all.

use std::path::Path;

use lurcher_smv::{ExprClass, parse, parse_expression, print};
use lurcher_syntax::{Severity, SourceMap, render};

/// Models to start from: the golden files and the models.
pub fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden/ok", "tests/golden/err", "../../models/smv"].map(|folder| root.join(folder));
    lurcher_test_support::seeds(&folders, |path| path.extension().is_some_and(|e| e == "smv"))
}

/// Parses a text and looks at everything that comes back. Panics if anything is wrong; returns whether the text was
/// accepted.
pub fn check(text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzzed.smv", text);
    let parsed = parse(&sources, file);
    for diagnostic in &parsed.diagnostics {
        for label in &diagnostic.labels {
            assert!(label.span.start <= label.span.end, "a label ends before it starts: {diagnostic:?}");
            assert!(label.span.end as usize <= text.len(), "a label ends behind its file: {diagnostic:?}");
        }
    }
    let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert!(errors <= 102, "{errors} errors are too many");
    assert!(!render(&sources, &parsed.diagnostics, true).contains('\0'));
    let printed = print(&parsed.file);
    if errors == 0 {
        check_printed(&mut sources, &printed);
    }
    for class in [ExprClass::Ctl, ExprClass::Ltl] {
        let _ = parse_expression(&mut sources, text.get(..text.len().min(64)).unwrap_or("x"), class);
    }
    errors == 0
}

/// What is printed is accepted, and printed the same again.
fn check_printed(sources: &mut SourceMap, printed: &str) {
    let file = sources.add("printed.smv", printed);
    let again = parse(sources, file);
    let errors: Vec<_> = again.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "printed text is refused: {errors:?}\n{printed}");
    assert_eq!(print(&again.file), printed);
}
