//! Programs that read well and that Spin 6.5.2 refuses all the same, each beside a neighbour that it accepts.

use lurcher_promela::lower;
use lurcher_promela::parse::{DiskReader, Options, parse};
use lurcher_syntax::{Severity, SourceMap};

/// The first error, if any.
fn error(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let main = sources.add("refused.pml", text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &DiskReader);
    let (_, diagnostics) = lower(&sources, &parsed.program);
    let mut all = parsed.diagnostics.into_iter().chain(diagnostics);
    all.find(|d| d.severity == Severity::Error).map(|d| d.message)
}

fn check(cases: &[(&str, &str, &str)]) {
    for (refused, words, accepted) in cases {
        let message = error(refused).unwrap_or_else(|| panic!("accepted: {refused}"));
        assert!(message.contains(words), "{refused}: {message}");
        assert_eq!(error(accepted), None, "{accepted}");
    }
}

#[test]
fn no_variable_hides_another() {
    check(&[
        ("byte x; init { byte x; x = 1 }", "already declared", "init { byte x; x = 1 } byte x;"),
        ("init { byte x; { byte x; x = 1 } }", "already declared", "init { { byte x; x = 1 } byte x; x = 2 }"),
        (
            "byte x; proctype P(byte x) { x = 1 } init { run P(1) }",
            "already declared",
            "proctype P(byte x) { x = 1 } init { byte x; x = 1; run P(x) }",
        ),
        (
            "byte t; inline f() { byte t; t = 1 } init { f() }",
            "already declared",
            "inline f() { byte t; t = 1 } init { f(); f() }",
        ),
        ("byte P; active proctype P() { skip }", "already declared", "active proctype P() { byte Q; Q = 1 }"),
        ("byte _pid; init { skip }", "already declared", "byte _pib; init { skip }"),
    ]);
}

#[test]
fn labels_have_names_and_places_of_their_own() {
    check(&[
        ("byte L; init { L: skip }", "is a variable", "init { L: skip } byte L;"),
        ("init { atomic { L: skip } }", "before the block", "init { L: atomic { skip } }"),
        ("init { { L: skip; goto L } }", "before the block", "init { { skip; L: skip; goto L } }"),
        ("init { { L: if :: skip fi } }", "before the block", "init { { L: do :: break od } }"),
        (
            "init { atomic { L: skip } }",
            "before the block",
            "init { byte i; atomic { L: M: for (i : 1 .. 2) { skip } } }",
        ),
        ("init { { L: { skip } unless { skip } } }", "before the block", "init { L: { { skip } unless { skip } } }"),
        ("init { L: skip unless { skip } }", "both sides", "init { L: do :: break od unless { skip } }"),
        ("init { skip unless L: skip }", "escape", "init { skip unless L: do :: break od }"),
        ("init { L: skip unless { skip } }", "both sides", "init { L: { skip } unless { skip } }"),
        ("init { skip unless L: skip }", "escape", "init { skip unless { skip; L: skip } }"),
    ]);
}

#[test]
fn a_select_in_an_inline_is_a_loop_and_may_have_a_label_in_front() {
    let with = |body: &str| format!("byte a; inline f() {{ {body} }} init {{ f() }}");
    check(&[
        (&with("L: a = 1"), "before the block", &with("L: select (a : 0 .. 2); a = 1")),
        (&with("atomic { L: a = 1 }"), "before the block", &with("atomic { L: M: select (a : 0 .. 2) }")),
        ("byte a; init { { L: select (a : 0 .. 2) } }", "before the block", "byte a; init { L: select (a : 0 .. 2) }"),
    ]);
}

#[test]
fn an_initialiser_starts_no_process_and_does_not_know_its_own_list() {
    check(&[
        ("byte x = 1, y = x; init { skip }", "same list", "byte x = 1; byte y = x; init { skip }"),
        ("byte n = 3, y = n + 1; init { skip }", "same list", "byte n = 3, t[n]; init { t[2] = 1 }"),
        ("init { byte x = 1, y = x; y = 1 }", "same list", "init { byte x = 1; byte y = x; y = 1 }"),
        ("init { skip; byte x, y = x; y = 1 }", "same list", "init { skip; byte x; byte y = x; y = 1 }"),
        (
            "byte z; init { byte t[2], y = t[z]; y = 1 }",
            "same list",
            "byte t[2], z; init { byte x = z, y = t[z]; y = x }",
        ),
        (
            "proctype P() { skip } init { pid p = run P(); p = 0 }",
            "in an initialiser",
            "proctype P() { skip } init { pid p; p = run P() }",
        ),
        (
            "proctype P() { skip } init { skip; pid p = run P(); p = 0 }",
            "in an initialiser",
            "proctype P() { skip } init { skip; pid p; p = run P() }",
        ),
    ]);
}

#[test]
fn provided_sees_global_variables_only() {
    let with = |condition: &str| {
        let globals = "byte x, t[2]; chan q = [1] of { byte }; active proctype Q() { byte k; k = 0; L: k = 1 }";
        format!("{globals} proctype P(byte a) provided ({condition}) {{ x = a }} init {{ run P(1) }}")
    };
    check(&[
        (&with("a > 0"), "only global variables", &with("x == 0")),
        (&with("t[a] == 0"), "only global variables", &with("t[_pid] == 0 && _nr_pr > 0")),
        (&with("Q[0]:k == 0"), "only global variables", &with("len(q) == 0 && empty(q)")),
        (&with("Q[0]@L"), "only global variables", &with("q?[1]")),
        (&with("run Q()"), "`run` cannot be used in `provided`", &with("pc_value(0) == 1")),
    ]);
}

#[test]
fn channels_and_new_processes_are_no_numbers() {
    let run = "proctype P() { skip } byte x; chan q = [1] of { byte };";
    let with = |body: &str| format!("{run} init {{ {body} }}");
    for (refused, words, accepted) in [
        ("q = 0", "assigned to a channel", "q = q"),
        ("x = -q", "computed with", "x = q"),
        ("(run P() == 1)", "larger condition", "x = run P()"),
        ("q!run P()", "in a message", "q!x"),
    ] {
        check(&[(&with(refused), words, &with(accepted))]);
    }
}

#[test]
fn one_process_type_has_a_channel_to_itself() {
    let with = |p: &str, q: &str| {
        let channels = "chan q = [1] of { byte }; chan a[2] = [1] of { byte };";
        format!("{channels} active proctype P() {{ {p}; skip }} active proctype Q() {{ {q}; skip }}")
    };
    check(&[
        (&with("xs q", "xs q"), "alone sends to `q`", &with("xs q", "xr q")),
        (&with("xr q", "xr q"), "alone receives from `q`", &with("xr q; xr q", "q!1")),
        (&with("xr a[0]", "a[0]!1"), "an element of an array", &with("chan c = a[0]; xr c", "a[0]!1")),
    ]);
}

#[test]
fn claims_traces_and_deterministic_steps_keep_to_what_they_are() {
    let with = |rest: &str| format!("chan q = [1] of {{ byte }}; init {{ q!1 }} {rest}");
    for (refused, words, accepted) in [
        ("never { do :: q?1 od }", "send or receive", "never { do :: q?[1] od }"),
        ("trace { q!1; skip }", "sends and receives", "trace { do :: q!1; q?1 od }"),
        ("trace { q??1 }", "sends and receives", "trace { q?1 }"),
    ] {
        check(&[(&with(refused), words, &with(accepted))]);
    }
    check(&[
        (
            "byte x; init { do :: d_step { x = 1; break } od }",
            "leave a `d_step`",
            "byte x; init { do :: atomic { x = 1; break } od }",
        ),
        (
            "byte x; init { d_step { { x = 1 } unless { x == 2 } } }",
            "`unless`",
            "byte x; init { { d_step { x = 1 } } unless { x == 2 } }",
        ),
        ("active proctype P() priority 0 { skip }", "between 1 and 255", "active proctype P() priority 1 { skip }"),
    ]);
}

#[test]
fn an_initial_value_for_a_record_is_a_number_or_fits_an_array() {
    let typedef = "typedef T { byte a } byte z;";
    check(&[
        (
            &format!("{typedef} T x = {{ 1, 2 }}; init {{ skip }}"),
            "no array",
            &format!("{typedef} T x[2] = {{ 1, 2 }}; init {{ skip }}"),
        ),
        (
            &format!("{typedef} T x = [2] of {{ byte }}; init {{ skip }}"),
            "no channel",
            &format!("{typedef} T x = z; init {{ skip }}"),
        ),
        (
            &format!("{typedef} T x = y; init {{ skip }}"),
            "undeclared",
            &format!("{typedef} T x = z + 1; init {{ skip }}"),
        ),
        (
            &format!("{typedef} init {{ z = 1; T x = 3 }}"),
            "first statement",
            &format!("{typedef} init {{ T x = 3; z = 1 }}"),
        ),
    ]);
}

#[test]
fn there_may_be_no_processes_of_a_type_but_no_array_without_elements() {
    check(&[
        ("byte x[0]; init { skip }", "0 is no possible", "active [0] proctype P() { skip } init { skip }"),
        ("active [-1] proctype P() { skip } init { skip }", "", "active [2] proctype P() { skip }"),
    ]);
}

#[test]
fn a_loop_counts_upwards_with_a_simple_variable() {
    let with = |body: &str| {
        let declared = "mtype = { A, B, C }; typedef T { byte k } T t; byte k, a[2];";
        format!("{declared} inline pick(v) {{ select (v : 3 .. 1) }} init {{ {body} }}")
    };
    let fields = "only a simple variable";
    check(&[
        (&with("for (k : 3 .. 1) { skip }"), "larger than the last", &with("for (k : 3 .. (1)-0) { skip }")),
        (&with("for (k : A .. C) { skip }"), "larger than the last", &with("for (k : C .. A) { skip }")),
        (&with("pick(k)"), "larger than the last", &with("for (k : -1 .. -2) { skip }")),
        (&with("for (t.k : 0 .. 1) { skip }"), fields, &with("for (k : 0 .. t.k) { skip }")),
        (&with("for (a[1] : 0 .. 1) { skip }"), fields, &with("for (k[0] : 0 .. 1) { skip }")),
        (&with("for (t.k in a) { skip }"), fields, &with("for (k in a) { skip }")),
        (&with("select (t.k : 0 .. k)"), fields, &with("select (k : 0 .. k)")),
    ]);
}

#[test]
fn a_send_has_no_more_values_than_the_longest_message_of_the_model() {
    check(&[
        ("chan c; init { c!1 }", "too many values", "chan c; init { c?1 }"),
        ("chan c; init { c!1 }", "too many values", "chan c; init { c!1 } chan d = [0] of { byte };"),
        (
            "chan d = [1] of { byte }; proctype P(chan c) { c!1,2 } init { run P(d) }",
            "too many values",
            "chan d = [1] of { byte, byte }; chan e = [1] of { byte }; init { e!1,2; d!1,2 }",
        ),
    ]);
}

#[test]
fn symbolic_constants_stay_in_their_set() {
    let with = |rest: &str| format!("mtype = {{ A, B }} mtype:foo = {{ C, D }} {rest}");
    let assigned = |declared: &str, body: &str| with(&format!("{declared} init {{ {body} }}"));
    let run = |parameter: &str, value: &str| {
        let body = format!("mtype f; mtype:foo g; byte k; f = g; run P(k, {value})");
        with(&format!("proctype P(byte k; {parameter} p) {{ p = k }} init {{ {body} }}"))
    };
    let other = "takes constants of type `mtype:foo`";
    check(&[
        (&assigned("mtype:foo f;", "f = A"), other, &assigned("mtype:foo f;", "f = C; f = A + 0; f = 1")),
        (&assigned("mtype f;", "f = C; f = A"), other, &assigned("mtype f, g;", "f = C; f = D; g = A")),
        (&assigned("byte f;", "f = D; f = A"), other, &assigned("byte f;", "f = A; f = 2; f = B")),
        (&assigned("mtype:foo f[2];", "f[1] = A"), other, &assigned("mtype:foo f[2];", "f[1] = D")),
        (&assigned("mtype:foo f = A;", "skip"), other, &assigned("mtype f = C;", "f = A")),
        (&assigned("", "skip; mtype:foo f = A"), other, &assigned("", "skip; mtype f = C; f = A")),
        (
            &assigned("typedef T { mtype:foo f = B } T t;", "skip"),
            other,
            &assigned("typedef T { mtype:foo f = C } T t;", "t.f = A"),
        ),
        (&run("mtype:foo", "A"), "not of type `mtype:foo`", &run("mtype:foo", "C")),
        (&run("mtype:foo", "f"), "not of type `mtype:foo`", &run("mtype:foo", "3")),
        (&run("mtype", "C"), "not of type `mtype`", &run("byte", "C")),
        (&run("mtype", "k"), "not of type `mtype`", &run("mtype", "k + 0")),
    ]);
    // Spin refuses all variables here.
    assert_eq!(error(&run("mtype:foo", "g")), None);
}

/// The messages of all errors.
fn errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let main = sources.add("refused.pml", text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &DiskReader);
    let (_, diagnostics) = lower(&sources, &parsed.program);
    let all = parsed.diagnostics.into_iter().chain(diagnostics);
    all.filter(|d| d.severity == Severity::Error).map(|d| d.message).collect()
}

#[test]
fn types_of_types_do_not_grow_without_bound() {
    let doubled = |levels: usize| {
        let more = (1..levels).map(|i| format!("typedef t{i} {{ t{} a; t{} b }}\n", i - 1, i - 1));
        let text: String = std::iter::once("typedef t0 { byte a; byte b }\n".to_owned()).chain(more).collect();
        text + "init { skip }"
    };
    assert_eq!(errors(&doubled(12)), Vec::<String>::new());
    assert!(errors(&doubled(40))[0].starts_with("a type of more than 65536 fields"));
}

#[test]
fn no_more_than_a_hundred_errors_are_reported() {
    let found = errors(&format!("init {{ {} skip }}", "y = 2; ".repeat(5000)));
    assert_eq!(found.len(), 101);
    assert!(found[100].contains("too many errors"));
}

#[test]
fn jumps_in_a_circle_are_reported_once_for_each_jump() {
    assert_eq!(errors("init { a: goto a }").len(), 1);
    assert_eq!(errors("init { a: goto b; skip; b: goto a }").len(), 2);
    let many: String = (0..3000).map(|i| format!("l{i}: goto l{};\n", (i * 7) % 3000)).collect();
    assert_eq!(errors(&format!("init {{ {many} skip }}")).len(), 101);
}
