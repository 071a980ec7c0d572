//! Properties of the parser for any text.

use std::path::Path;

use lurcher_smv::{ExprClass, parse, parse_expression, print};
use lurcher_syntax::{Severity, SourceMap};

/// Words that random bytes rarely spell, separated by `¦`.
pub const WORDS: &str = "\
    ;¦:=¦:¦::¦,¦.¦..¦(¦)¦[¦]¦{¦}¦!¦!=¦?¦=¦<¦>¦<->¦->¦&¦|¦+¦-¦--¦/--¦--/¦#¦\"¦\n¦\n#define X\n¦\n# 1 \"a\"\n¦\
    MODULE m(¦VAR ¦IVAR ¦DEFINE ¦ASSIGN ¦INIT ¦TRANS ¦CONSTANTS ¦ISA ¦LTLSPEC G F ¦CTLSPEC AG ¦INVARSPEC NAME p := ¦\
    COMPUTE MIN [¦PSLSPEC ¦COMPASSION (¦EBF 0..3 ¦A [¦U ¦BU 1..2 ¦G [0,3] ¦case ¦esac¦next(¦init(¦union ¦in ¦mod ¦\
    array 0..3 of ¦word[¦signed word[¦process ¦self¦TRUE¦0ub5_10110¦0sd8_¦1.5¦1e3¦f'1/2¦count(¦uwconst(¦\
    CONSTARRAY(typeof(¦99999999999¦\u{e9}¦\0¦\u{feff}";

/// Models to mutate: the golden files and the models.
pub fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden/ok", "tests/golden/err", "../../models/smv"].map(|folder| root.join(folder));
    lurcher_test_support::seeds(&folders, "smv")
}

/// Parses a text and checks the result. Panics if anything is wrong; returns whether the text is accepted.
pub fn check(text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzzed.smv", text);
    let parsed = parse(&sources, file);
    let errors = lurcher_test_support::check_diagnostics(&sources, &parsed.diagnostics, 102);
    let printed = print(&parsed.file);
    if errors == 0 {
        check_printed(&mut sources, &printed);
    }
    for class in [ExprClass::Ctl, ExprClass::Ltl] {
        let _ = parse_expression(&mut sources, text.get(..text.len().min(64)).unwrap_or("x"), class);
    }
    errors == 0
}

/// Printed text is accepted, and printing is idempotent.
fn check_printed(sources: &mut SourceMap, printed: &str) {
    let file = sources.add("printed.smv", printed);
    let again = parse(sources, file);
    let errors: Vec<_> = again.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "printed text is refused: {errors:?}\n{printed}");
    assert_eq!(print(&again.file), printed);
}
