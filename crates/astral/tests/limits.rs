//! Deep nesting is refused before the stack ends, and time grows with the size of a file, not faster.

use std::time::Instant;

use lurcher_astral::parse::limits;
use lurcher_astral::{Parsed, Request, check, lower, parse, print};
use lurcher_syntax::{Diagnostic, SourceMap};

const HEAD: &str = "SPECIFICATION s GLOBAL SPECIFICATION s PROCESSES p: q SCHEDULE ";

fn parsed(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("limits.astral", text);
    parse(&sources, file)
}

#[test]
fn deep_nesting_is_refused() {
    let parts = [
        "(",
        "~",
        "- ",
        "a & (b | ",
        "a[",
        "IF ",
        "IF a THEN b ELSE ",
        "FORALL x: t (",
        "{",
        "past(",
        "Start(a, ",
        "f(",
        "c * ~",
        "UNION ",
        "LIST_LEN ",
        "a.b(",
    ];
    for part in parts {
        let parsed = parsed(&format!("{HEAD}{}a", part.repeat(100_000)));
        let message = format!("nested more than {} levels deep", limits::NESTING);
        assert!(parsed.diagnostics.iter().any(|d| d.message == message), "{part}");
    }
    let sequences = format!(
        "SPECIFICATION s GLOBAL SPECIFICATION s END s PROCESS SPECIFICATION p LEVEL l REFINES m IMPLEMENTATION t == DO {}",
        "(".repeat(100_000)
    );
    assert!(!parsed(&sequences).diagnostics.is_empty());
}

#[test]
fn nesting_up_to_the_limit_is_read_printed_and_dropped() {
    let levels = limits::NESTING / 2 - 2;
    for (open, close) in [("(a + ", ")"), ("IF a THEN b ELSE ", " FI"), ("past(", ", t)"), ("~(", ")")] {
        let text = format!("{HEAD}{}a{} END s END s", open.repeat(levels), close.repeat(levels));
        let parsed = parsed(&text);
        assert!(parsed.diagnostics.is_empty(), "{open}: {:?}", parsed.diagnostics);
        assert!(print(&parsed.file).len() > levels);
        assert!(parsed.file == parsed.file.clone());
    }
}

#[test]
fn long_chains_are_not_nesting() {
    for chain in ["a & ", "a | b & c | ", "a + b * c - ", "a.b[1].c + "] {
        let parsed = parsed(&format!("{HEAD}{}a END s END s", chain.repeat(50_000)));
        assert!(parsed.diagnostics.is_empty(), "{chain}: {:?}", parsed.diagnostics);
    }
    let selections = parsed(&format!("{HEAD}a{} END s END s", ".b[1]".repeat(50_000)));
    assert!(selections.diagnostics.is_empty());
}

#[test]
fn wrong_files_take_time_in_proportion_to_their_size() {
    let once = |copies: usize| {
        let start = Instant::now();
        parsed(&format!("{HEAD}{}", "x BECOMES (b c; IF d FI ( SCHEDUL ".repeat(copies)));
        parsed(&format!("{HEAD}{}", "TYPE x: (a b, y: z, TRANSITION t ENTRY [TIME: 3] a EXIT b\n".repeat(copies)));
        start.elapsed().as_secs_f64()
    };
    let seconds = |copies| (0..5).map(|_| once(copies)).fold(f64::INFINITY, f64::min);
    let small = seconds(2_000).max(0.001);
    let large = seconds(20_000);
    assert!(large < 60.0 * small, "ten times the text took {:.0} times as long", large / small);
}

/// What the analysis says of a specification with these global clauses.
fn analysed(clauses: &str) -> Vec<String> {
    let text = format!(
        "SPECIFICATION s GLOBAL SPECIFICATION s PROCESSES p: q {clauses} END s
         PROCESS SPECIFICATION q LEVEL l EXPORT x VARIABLE x: INTEGER END l END q END s"
    );
    let parsed = parsed(&text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let (specification, diagnostics) = check(&parsed.file);
    if let Some(conjunct) = specification.iter().flat_map(|s| s.clauses.iter().flat_map(|c| &c.conjuncts)).next() {
        assert!(!specification.as_ref().map_or(String::new(), |s| s.text(*conjunct)).is_empty());
    }
    diagnostics.into_iter().map(|d| d.message).collect()
}

#[test]
fn long_formulas_and_definitions_are_analysed() {
    let chain = |part: &str| part.repeat(20_000);
    assert_eq!(analysed(&format!("SCHEDULE {}p.x = 1", chain("p.x = 1 & "))), [""; 0]);
    assert_eq!(analysed(&format!("SCHEDULE {}p.x = 1", chain("p.x = 1 | "))), [""; 0]);
    assert_eq!(analysed(&format!("SCHEDULE {}1 = 1", chain("p.x + "))), [""; 0]);
    assert_eq!(analysed(&format!("SCHEDULE now / ({}1) = 1", chain("p.x + "))).len(), 1);
    let ids =
        format!("TYPE t: TYPEDEF i: ID ({}IDTYPE(i) = q) SCHEDULE FORALL i: t (i.x = 1)", chain("IDTYPE(i) = q | "));
    assert_eq!(analysed(&ids), [""; 0]);
    let defines: Vec<_> = (0..20_000).map(|i| format!("d{i}: INTEGER == d{} * 2", i + 1)).collect();
    let defined = |last: &str| format!("DEFINE {}, d20000: INTEGER == {last} SCHEDULE d0 * d0 = 1", defines.join(", "));
    assert_eq!(analysed(&defined("p.x")), ["products of two unknowns are not supported"]);
    assert_eq!(analysed(&defined("3")), [""; 0]);
    assert_eq!(analysed(&defined("d7")), ["`d7` is defined by itself"]);
    let types: Vec<_> = (0..20_000).map(|i| format!("t{i}: t{}", i + 1)).collect();
    assert_eq!(analysed(&format!("TYPE {}, t20000: INTEGER", types.join(", "))), [""; 0]);
}

#[test]
fn nesting_up_to_the_limit_is_analysed() {
    let levels = limits::NESTING / 3 - 2;
    let parts = [
        ("(p.x + ", "1", ")"),
        ("(IF p.x = 1 THEN 1 ELSE ", "2", " FI)"),
        ("past(", "p.x", ", now)"),
        ("(p.x - - ", "p.x", ")"),
    ];
    for (open, inner, close) in parts {
        let formula = format!("SCHEDULE {}{inner}{} = 1", open.repeat(levels), close.repeat(levels));
        assert_eq!(analysed(&formula), [""; 0], "{open}");
    }
    let quantifiers = format!("SCHEDULE {}b{}", "FORALL b: BOOLEAN (~".repeat(levels), ")".repeat(levels));
    assert_eq!(analysed(&quantifiers), [""; 0]);
}

/// What the lowering says of a process with these clauses.
fn lowered(clauses: &str) -> Vec<String> {
    let text = format!(
        "SPECIFICATION s GLOBAL SPECIFICATION s PROCESSES p: q END s
         PROCESS SPECIFICATION q LEVEL l VARIABLE x: INTEGER, on: BOOLEAN, v(BOOLEAN): BOOLEAN {clauses} END l END q END s"
    );
    let parsed = parsed(&text);
    assert!(!parsed.diagnostics.iter().any(Diagnostic::is_error), "{:?}", parsed.diagnostics);
    let (specification, diagnostics) = check(&parsed.file);
    let (model, said) =
        lower(&specification.unwrap_or_else(|| panic!("{:?}", diagnostics.first())), &Request::default());
    assert_eq!(model.is_none(), !said.is_empty());
    said.into_iter().map(|d| d.message).collect()
}

#[test]
fn long_formulas_are_lowered() {
    let chain = |part: &str| part.repeat(20_000);
    assert_eq!(lowered(&format!("SCHEDULE {}on", chain("on & "))), [""; 0]);
    assert_eq!(lowered(&format!("SCHEDULE {}x = 1", chain("x = 1 | "))), [""; 0]);
    assert_eq!(lowered(&format!("SCHEDULE {}1 = 1", chain("x + "))), [""; 0]);
    assert_eq!(lowered(&format!("SCHEDULE {}1 = 1", chain("past(x, now) + "))), [""; 0]);
    assert_eq!(
        lowered(&format!("SCHEDULE {}on", chain("on -> v(on) -> "))),
        ["the formula nests too deeply when its definitions are expanded"]
    );
    let terms = |n: usize| (0..n).map(|i| format!("past(x, {i})")).collect::<Vec<_>>().join(" + ");
    assert_eq!(lowered(&format!("SCHEDULE {} = 1", terms(2_000))), [""; 0]);
    let exit = format!("TRANSITION t ENTRY [TIME: 1] TRUE EXIT {}on", chain("x = x' & "));
    assert_eq!(lowered(&exit), [""; 0]);
}

#[test]
fn definitions_nest_up_to_a_limit() {
    let defined = |count: usize, body: &str| {
        let one = |i: usize| format!("d{i}: INTEGER == {}", body.replace('_', &format!("d{}", i + 1)));
        let defines: Vec<_> = (0..count).map(one).collect();
        lowered(&format!("DEFINE {}, d{count}: INTEGER == x SCHEDULE d0 = 1", defines.join(", ")))
    };
    assert_eq!(defined(50, "_ + _"), [""; 0]);
    assert_eq!(defined(100, "_ + _"), ["a number is too large"]);
    assert_eq!(defined(100, "IF on THEN _ ELSE 1 - _ FI"), [""; 0]);
    assert_eq!(defined(20_000, "_"), ["definitions nest too deeply"]);
    assert_eq!(defined(20_000, "IF _ = 1 THEN past(_, now) ELSE 0 - _ FI"), ["definitions nest too deeply"]);
}

#[test]
fn nesting_up_to_the_limit_is_lowered() {
    let levels = limits::NESTING / 3 - 2;
    let parts = [
        ("(x + ", "1", ")"),
        ("(IF x = 1 THEN 1 ELSE ", "2", " FI)"),
        ("past(", "x", ", now)"),
        ("(x - - ", "x", ")"),
        ("(3 + ", "x", ") DIV 2"),
    ];
    for (open, inner, close) in parts {
        let formula = format!("SCHEDULE {}{inner}{} = 1", open.repeat(levels), close.repeat(levels));
        assert_eq!(lowered(&formula), [""; 0], "{open}");
    }
    for (open, inner, close) in [("v(", "on", ")"), ("~(on & ", "v(on)", ")"), ("EXISTS t: TIME (past(", "on", ", t))")]
    {
        let formula = format!("SCHEDULE {}{inner}{}", open.repeat(levels), close.repeat(levels));
        assert_eq!(lowered(&formula), [""; 0], "{open}");
    }
    let exit = format!("{}x = 1{}", "IF x' = 1 THEN ".repeat(levels), " ELSE on FI".repeat(levels));
    assert_eq!(lowered(&format!("TRANSITION t ENTRY [TIME: 1] on EXIT {exit}")), [""; 0]);
}
