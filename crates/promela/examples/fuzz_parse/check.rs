//! Properties of the parser for any text.

use std::collections::HashMap;
use std::path::Path;

use lurcher_promela::parse::{Options, parse, parse_formula};
use lurcher_syntax::SourceMap;

/// Words that random bytes rarely spell, separated by `¦`.
pub const WORDS: &str = "\
    ;¦->¦::¦,¦.¦..¦(¦)¦[¦]¦{¦}¦!¦!!¦?¦??¦=¦==¦<¦>¦\"¦'¦/*¦*/¦//¦\\\n¦\n¦#define X(a) a ## a #a\n¦#define Y Y Y\n¦\
    #include \"golden.pml\"\n¦#if ¦#ifdef X\n¦#else\n¦#endif\n¦#undef X\n¦X(¦Y¦if¦fi¦do¦od¦else¦atomic {¦d_step {¦\
    unless¦inline f(a) { a }\n¦f(¦ltl p { [] <> ¦typedef T {¦mtype = {¦chan q = [¦proctype P(¦active [¦init {¦\
    never {¦for (¦select (¦c_code {¦return¦timeout¦99999999999¦\u{e9}¦\0¦\u{feff}";

/// Programs to mutate: the golden files and the models, without those that only grow large.
pub fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden/ok", "tests/golden/err", "../../models/promela"].map(|folder| root.join(folder));
    lurcher_test_support::seeds(&folders, "pml")
}

/// Parses a text and checks the result. Panics if anything is wrong; returns whether the text is accepted.
pub fn check(text: &str) -> bool {
    let mut sources = SourceMap::new();
    let main = sources.add("fuzzed.pml", text);
    let files = HashMap::from([("golden.pml".to_owned(), "#define X(a) a\nbyte included;\n".to_owned())]);
    let parsed = parse(&mut sources, main, &Options::default(), &files);
    let errors = lurcher_test_support::check_diagnostics(&sources, &parsed.diagnostics, 202);
    let _ = format!("{:?}", parsed.program);
    let _ = parse_formula(&mut sources, &parsed.context, text.get(..text.len().min(64)).unwrap_or("x"));
    errors == 0
}
