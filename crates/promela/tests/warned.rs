//! Programs that Spin 6.5.2 reads, though hardly as they were meant: accepted with a warning at the right place.

use lurcher_promela::lower;
use lurcher_promela::parse::{DiskReader, Options, parse};
use lurcher_syntax::{Severity, SourceMap};

/// The warnings of a program that is accepted: line, column and message.
fn warnings(text: &str) -> Vec<(u32, u32, String)> {
    let mut sources = SourceMap::new();
    let main = sources.add("warned.pml", text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &DiskReader);
    let (lowered, diagnostics) = lower(&sources, &parsed.program);
    assert!(lowered.is_some(), "{text}: {diagnostics:?}");
    let warning = |d: lurcher_syntax::Diagnostic| {
        assert_eq!(d.severity, Severity::Warning, "{text}: {}", d.message);
        let span = d.labels[0].span;
        let (line, column) = sources.line_column(span.file, span.start);
        (line, column, d.message)
    };
    parsed.diagnostics.into_iter().chain(diagnostics).map(warning).collect()
}

/// Checks that each program has one warning, at its place and with its words.
fn check(cases: &[(&str, u32, u32, &str)]) {
    for (text, line, column, words) in cases {
        let found = warnings(text);
        let [(l, c, message)] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!((l, c), (line, column), "{text}");
        assert!(message.contains(words), "{text}: {message}");
    }
}

#[test]
fn the_initial_value_of_a_record_is_ignored() {
    check(&[
        ("typedef T { byte a }\nT x = 3;\ninit { skip }", 2, 7, "`x` is a record"),
        ("typedef T { byte a }\n  T x, y[2] = 3;\ninit { skip }", 2, 15, "`y` is a record"),
        ("typedef T { byte a }\ninit { T x = 3; skip }", 2, 14, "`x` is a record"),
        ("typedef T { byte a }\ntypedef U { T t = 3 }\nU u[9]; init { U v; skip }", 2, 19, "`t` is a record"),
    ]);
}

#[test]
fn values_for_more_elements_than_there_are_are_ignored() {
    check(&[
        ("byte b[2] = { 1, 2, 3 }; init { skip }", 1, 13, "3 values for 2 elements"),
        ("typedef T { byte b[2] = { 1, 2, 3 } }\nT t[9]; init { skip }", 1, 25, "3 values for 2 elements"),
    ]);
}

#[test]
fn a_loop_over_an_array_in_a_record_runs_over_the_indices_of_the_outermost_array() {
    let types = "typedef I { byte v[4]; byte w } typedef O { I i[2] } O o[3]; byte a[2], k;";
    let with = |over: &str| format!("{types}\ninit {{ for (k in {over}) {{ skip }} }}");
    check(&[
        (&with("o[0].i[1].v"), 2, 18, "over the 3 indices of `o`, not of `o[0].i[1].v`"),
        (&with("o[k].i"), 2, 18, "over the 3 indices"),
        (&with("o[0].i[0].w"), 2, 18, "over the 3 indices"),
        (&with("a[1]"), 2, 18, "over the 2 indices of `a`"),
    ]);
    assert_eq!(warnings(&with("a")), []);
    assert_eq!(warnings("typedef T { byte v[3] } T o; byte k; init { for (k in o.v) { skip } }"), []);
}

#[test]
fn the_size_of_an_array_that_is_no_constant_is_eight() {
    check(&[
        ("int n;\nint a[n]; init { a[7] = 1 }", 2, 7, "takes 8 as the size"),
        ("byte n = 2 + 1;\nbyte a[n]; init { skip }", 2, 8, "takes 8"),
        ("byte n = 6; byte m = n / 2;\nbyte a[m]; init { skip }", 2, 8, "`m` has no positive constant"),
        ("int n = -3;\nbyte a[n]; init { skip }", 2, 8, "takes 8"),
        ("byte n = 0;\nbyte a[n]; init { skip }", 2, 8, "takes 8"),
        ("proctype P(byte n) {\nbyte a[n]; skip } init { run P(3) }", 2, 8, "takes 8"),
        ("chan n = [3] of { byte };\nbyte a[n]; init { skip }", 2, 8, "takes 3"),
    ]);
    for size in ["byte n = 3;", "byte n = (3);", "mtype = { A, n };", "mtype = { A, B }; byte n = B;"] {
        assert_eq!(warnings(&format!("{size} byte a[n]; init {{ a[0] = 1 }}")), [], "{size}");
    }
}

#[test]
fn the_end_of_a_comment_that_is_not_open_is_skipped() {
    check(&[
        ("/* one /* two */ */\ninit { skip }", 1, 18, "no comment is open"),
        ("init { skip */ }", 1, 13, "no comment is open"),
    ]);
}

#[test]
fn stdin_is_a_channel_like_any_other() {
    check(&[("chan STDIN;\nint c; init { STDIN?c }", 2, 15, "`STDIN`")]);
}

#[test]
fn a_temporal_operator_that_is_an_operand_has_the_number_of_its_token() {
    let cases = [
        ("<> x == 1", "`<> x` is an operand here, and Spin takes 334"),
        ("[] x != 3", "takes 333"),
        ("X x > 3", "takes 338"),
        ("(x U y) > 3", "takes 335"),
        ("(x V y) > 3", "takes 337"),
        ("(x <-> y) > 3", "takes 330"),
        ("(x W y) > 3", "takes 1"),
        ("always !m", "takes 333"),
        ("<> x > 0 && y > 0", "takes 334"),
    ];
    for (formula, words) in cases {
        let text = format!("#define m x == 1\nbyte x, y; init {{ skip }}\nltl {{ {formula} }}");
        let found = warnings(&text);
        assert!(matches!(found.as_slice(), [(3 | 1, _, message)] if message.contains(words)), "{formula}: {found:?}");
    }
    for formula in ["<> (x == 1)", "always !n", "(x -> y) == 1", "! x == 1", "[] x || y == 1"] {
        let text = format!("#define n (x == 1)\nbyte x, y; init {{ skip }}\nltl {{ {formula} }}");
        assert_eq!(warnings(&text), [], "{formula}");
    }
}

#[test]
fn a_misspelt_keyword_is_named() {
    let cases = [
        ("actve proctype P() { skip }", "active"),
        ("active protcype P() { skip }", "proctype"),
        ("init { atmoic { skip } }", "atomic"),
        ("bytte x; init { skip }", "byte"),
        ("init { prinf(\"x\") }", "printf"),
        ("init { asert(true) }", "assert"),
        ("init { ig :: true fi }", "if"),
        ("init { skpi }", "skip"),
        ("init { do :: breka od }", "break"),
    ];
    for (text, keyword) in cases {
        let note = first_note(text);
        assert_eq!(note, Some(format!("did you mean `{keyword}`?")), "{text}");
    }
    for text in ["init { x { } }", "byte y; init { x = 1 }", "init { ) }"] {
        assert_eq!(first_note(text), None, "{text}");
    }
}

/// The first note of the first error.
fn first_note(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let main = sources.add("misspelt.pml", text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &DiskReader);
    let (_, diagnostics) = lower(&sources, &parsed.program);
    let mut all = parsed.diagnostics.into_iter().chain(diagnostics);
    all.find(|d| d.severity == Severity::Error).and_then(|d| d.notes.into_iter().next())
}
