//! Properties of the front-end for any text.

use std::path::Path;

use lurcher_astral::checked::Specification;
use lurcher_astral::{Request, lower, parse, print};
use lurcher_syntax::SourceMap;
use lurcher_test_support::check_diagnostics;

/// Words that random bytes rarely spell, separated by `¦`.
pub const WORDS: &str = "\
    '¦,¦.¦..¦:¦==¦=¦~=¦!¦<=¦(¦)¦[¦]¦{¦}¦&¦|¦->¦<->¦+¦-¦*¦/¦#1¦/*¦*/¦\n¦now¦Self¦Self.¦TRUE¦FALSE¦NIL¦EMPTY¦\
    SPECIFICATION ¦GLOBAL ¦PROCESS ¦LEVEL ¦END ¦REFINES ¦COMPOSITION OF ¦PROCESSES ¦IMPORT ¦EXPORT ¦TYPE ¦AXIOM ¦\
    CONSTANT ¦VARIABLE ¦DEFINE ¦ENVIRONMENT ¦IMPORTED VARIABLE ¦INITIAL ¦INVARIANT ¦CONSTRAINT ¦SCHEDULE ¦\
    FURTHER ASSUMPTIONS #1 ¦FURTHER PROCESS ASSUMPTIONS ¦TRANSITION SELECTION {¦TRANSITION t ¦ENTRY [TIME: 1] ¦EXIT ¦\
    EXCEPT [TIME: 2] ¦IMPLEMENTATION ¦WHEN ¦DO ¦OD¦BEFORE ¦OR ¦CALL GENERATION ¦ARRAY [1..2] OF ¦TYPEDEF i: ¦INTEGER¦\
    REAL¦BOOLEAN¦TIME¦ID¦LIST OF ¦SET OF ¦STRUCTURE OF (¦IF ¦THEN ¦ELSE ¦FI¦ALT ¦FORALL t: TIME (¦EXISTS ¦UNIQUE ¦\
    Start(¦End[2](¦Call(¦Change(¦past(¦BECOMES ¦NOCHANGE(¦IDTYPE(¦LISTDEF(¦{SETDEF ¦LIST_LEN ¦UNION ¦ISIN ¦MOD ¦DIV ¦\
    1.5¦0¦99999999999999999999¦9223372036854775807¦\u{e9}¦\0¦\u{feff}";

/// Specifications to mutate: the golden files and the models.
pub fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = ["golden/ok", "golden/err", "checked/ok", "checked/err", "lowering/ok", "lowering/err"];
    let tests = tests.map(|folder| root.join("tests").join(folder));
    let folders: Vec<_> = tests.into_iter().chain([root.join("../../models/astral")]).collect();
    lurcher_test_support::seeds(&folders, "astral")
}

/// Parses, analyses and lowers a text and checks the results. Panics if anything is wrong; returns whether the text is one of the
/// language.
pub fn check(text: &str) -> bool {
    let (parsed, _) = accepted(text);
    parsed
}

/// As [`check`]; also returns whether the analysis accepts the text.
pub fn accepted(text: &str) -> (bool, bool) {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzzed.astral", text);
    let parsed = parse(&sources, file);
    let errors = check_diagnostics(&sources, &parsed.diagnostics, 102);
    let printed = print(&parsed.file);
    if errors == 0 {
        check_printed(&mut sources, &printed);
    }
    // The analysis takes any tree, also one with errors.
    let (specification, said) = lurcher_astral::check(&parsed.file);
    let refused = check_diagnostics(&sources, &said, 102);
    assert!(specification.is_some() || errors + refused > 0, "refused without an error");
    assert!(specification.is_none() || refused == 0, "accepted with an error");
    if let Some(specification) = specification {
        check_lowered(&sources, &specification);
    }
    (errors == 0, errors + refused == 0)
}

/// Every process is lowered or refused, without values of constants and with some.
fn check_lowered(sources: &SourceMap, specification: &Specification) {
    let known = |c: &lurcher_astral::checked::Constant| (c.parameters.is_empty(), (c.name.clone(), "2".to_owned()));
    let constants = specification.constants.iter().map(known).filter(|(plain, _)| *plain);
    let defines: Vec<(String, String)> = constants.map(|(_, define)| define).collect();
    for process in &specification.processes {
        for defines in [Vec::new(), defines.clone()] {
            let request = Request { process: Some(process.name.clone()), defines, further: vec![1] };
            let (model, said) = lower(specification, &request);
            let refused = check_diagnostics(sources, &said, 102);
            assert_eq!(model.is_none(), refused > 0, "a model is refused without an error, or accepted with one");
        }
    }
}

/// Printed text is accepted, and printing is idempotent.
fn check_printed(sources: &mut SourceMap, printed: &str) {
    let file = sources.add("printed.astral", printed);
    let again = parse(sources, file);
    let errors: Vec<_> = again.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "printed text is refused: {errors:?}\n{printed}");
    assert_eq!(print(&again.file), printed);
}
