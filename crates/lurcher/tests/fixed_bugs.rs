//! The smallest inputs that once went wrong. The numbers are those of Spin 6.5.2.

mod support;

use lurcher::engines::{Report, Verdict};
use lurcher::{Model, Question};
use lurcher_ir::Property;
use lurcher_search::{Prepared, Semantics};
use lurcher_system::{Interpreter, Limits};
use lurcher_trace::{Evidence, judge, read_trail, readings};

use support::{Setup, processes, promela, resolve, safety};

fn check(model: &Model, property: &Property) -> Report {
    Setup::verify("dfs", "all-errors").report(model, property)
}

/// Checks the first property that a model states.
fn check_first(text: &str) -> Report {
    let model = promela(text);
    check(&model, &processes(&model).properties[0])
}

fn stored(text: &str) -> u64 {
    check(&promela(text), &safety()).stats.stored
}

#[test]
fn last_is_still_the_process_before_while_a_statement_is_executed() {
    assert_eq!(stored("byte g; active proctype P() { g = _last } init { skip }"), 11);
}

#[test]
fn a_record_declared_behind_a_statement_is_a_step() {
    assert_eq!(stored("typedef R { short f[2] }\nactive proctype P() { skip; R r }"), 4);
}

#[test]
fn a_claim_counts_as_a_process_in_nr_pr() {
    let text = "byte x; active proctype P() { x = _nr_pr; assert(x == 1) } never { do :: true od }";
    assert!(check(&promela(text), &safety()).counterexamples.is_empty());
    assert_eq!(check_first(text).counterexamples.first().map(|c| c.kind), Some("assertion"));
}

#[test]
fn a_claim_that_comes_to_its_end_needs_no_further_step_of_the_system() {
    let claim = check_first("byte x; active proctype P() { x = 1; x = 2 } never { do :: x == 1 -> break :: else od }");
    assert_eq!(claim.counterexamples.first().map(|c| (c.kind, c.trace.length())), Some(("never", 1)));
}

#[test]
fn along_a_cycle_that_a_claim_accepts_it_may_also_come_to_its_end() {
    let text = "byte x; active proctype P() { skip; x = 1 }
        never { accept: if :: goto accept :: skip fi; x < 1 }";
    assert_eq!(check_first(text).counterexamples.first().map(|c| c.kind), Some("never"));
}

#[test]
fn a_cycle_through_an_atomic_chain_starts_where_the_chain_has_ended() {
    let text = "byte x; active proctype P() { do :: atomic { x = 1; x = 2; x = 0 } od }\nltl p { <> (x == 7) }";
    let model = promela(text);
    let property = &processes(&model).properties[0];
    let report = check(&model, property);
    let lasso = &report.counterexamples.first().and_then(|c| c.trace.processes()).expect("a violation").replayed;
    let start = lasso.path.cycle_start.expect("a cycle");
    let prepared = Prepared::new(processes(&model), property, Semantics::default()).expect("a small formula");
    let mut closed = false;
    lasso.visit(&prepared.interpreter(), |v| {
        closed |= v.index == start && v.before.exclusive.is_none() && *v.before == lasso.last;
    });
    assert!(closed);
}

#[test]
fn a_receive_that_names_no_channel_waits_where_all_channels_are_rendezvous() {
    let kinds =
        |text: &str| -> Vec<_> { check(&promela(text), &safety()).counterexamples.iter().map(|c| c.kind).collect() };
    assert_eq!(kinds("chan q = [0] of { byte }; active proctype P() { chan c; c?0 }"), ["deadlock"]);
    assert_eq!(kinds("chan q = [1] of { byte }; active proctype P() { chan c; c?0 }"), ["fault"]);
}

#[test]
fn a_d_proctype_that_has_a_choice_is_reported_and_goes_on() {
    let text = "byte x; active D_proctype P() { do :: x < 2 -> x++ :: x < 1 -> x = 2 :: x == 2 -> break od;
        if :: skip :: skip; x = 7 fi; if :: x == 2 :: else fi } active proctype Q() { x = 1 }";
    let report = check(&promela(text), &safety());
    assert_eq!(report.counterexamples.iter().map(|c| (c.kind, c.trace.length())).collect::<Vec<_>>(), [("fault", 1)]);
    assert_eq!(report.stats.stored, 43);
}

#[test]
fn a_formula_may_refer_to_a_label_at_a_jump() {
    let text = "byte x; active proctype P() { L: goto M; M: x = 1; x = 2 }";
    let mut model = promela(text);
    let never_there = resolve(&mut model, Question::Ltl("f".to_owned(), "[] !(P[0]@L)".to_owned()));
    let with_block = promela(&format!("{text} ltl f {{ [] !(P[0]@L) }}"));
    assert_eq!(check(&model, &safety()).stats.stored, check(&with_block, &safety()).stats.stored);
    assert_eq!(check(&model, &never_there).counterexamples.len(), 1);
    assert!(processes(&model).properties.is_empty());
    let invariant = resolve(&mut model, Question::invariant("!(P[0]@L)"));
    assert_eq!(check(&model, &invariant).counterexamples.len(), 1);
}

/// What the readings of a trail that Spin wrote show.
fn shown(text: &str, trail: &str, question: &lurcher_trace::Question) -> Vec<Evidence> {
    let model = promela(text);
    let interpreter = Interpreter::new(processes(&model), Limits::for_model(processes(&model)));
    let trail = read_trail(trail).expect("a trail");
    readings(&interpreter, &trail).map(|r| judge(&interpreter, &r.expect("it replays"), question)).collect()
}

#[test]
fn a_merged_trail_may_name_a_jump_that_was_made_already() {
    let text = "active proctype P() { 0 } active proctype Q() { do :: atomic { if :: skip; break fi } od }";
    let seen = shown(text, "-4:-4:-4\n1:1:2\n2:1:9\n3:1:10\n", &Default::default());
    assert!(seen.contains(&Evidence::Deadlock), "{seen:?}");
}

#[test]
fn a_merged_run_may_go_on_behind_an_atomic_chain() {
    let text = "byte g; chan q = [1] of { byte };
        active proctype P() { do :: timeout; skip; break od }
        active proctype Q() { byte l; atomic { skip; g = 0 }; l = 1; q?0 }";
    let seen = shown(text, "-4:-4:-4\n1:1:7\n2:0:0\n3:0:1\n", &Default::default());
    assert!(seen.contains(&Evidence::Deadlock), "{seen:?}");
}

#[test]
fn a_merged_run_does_not_begin_with_a_statement_that_the_trail_names_later() {
    let text = "chan q = [1] of { byte };
        active proctype P() { skip; do :: full(q) od }
        init { byte j; run P(); accept: for (j : 1 .. 1) { atomic { skip; q!0 } } }";
    let trail = "-4:-4:-4\n1:1:6\n2:2:0\n3:0:0\n4:1:7\n5:1:8\n6:1:9\n7:1:10\n-1:-1:-1\n8:2:1\n";
    let seen = shown(text, trail, &lurcher_trace::Question { infinite: true, ..Default::default() });
    assert!(seen.contains(&Evidence::AcceptingCycle), "{seen:?}");
}

#[test]
fn a_statement_that_writes_globals_outside_atomic_is_not_merged_if_there_is_another_reading() {
    let text = "byte g; active proctype P() { byte l; l = 1; g = 1 } active proctype Q() { assert(g) }";
    let seen = shown(text, "-4:-4:-4\n1:0:0\n2:1:3\n", &Default::default());
    assert!(matches!(seen.first(), Some(Evidence::Step(_))), "{seen:?}");
}

#[test]
fn a_trail_may_end_with_a_fault_of_a_receiver() {
    let text = "chan p = [0] of { byte }; chan q = [1] of { byte };
        active proctype P() { chan c; c?0 } active proctype Q() { p!0 }";
    let seen = shown(text, "1:1:2\n2:0:0\n", &Default::default());
    assert!(matches!(seen.as_slice(), [Evidence::Step(_)]), "{seen:?}");
}

#[test]
fn a_receiver_sees_the_message_of_a_rendezvous_under_way() {
    let sender = "byte x; chan q = [0] of { byte }; active proctype S() { q!1; x++; q!2 }";
    let asks = "active proctype R() provided (len(q) || x == 1) { q?eval(len(q)); q?2; x = x + 2 }";
    assert_eq!(stored(&format!("{sender} {asks}")), 5);
    let excluded = "active proctype R() provided (empty(q)) { q?1; q?2 }
        active proctype T() provided (full(q)) { q?eval(len(q)); d_step { q?2; x = x + 2 } }";
    assert_eq!(stored(&format!("{sender} {excluded}")), 4);
}

#[test]
fn a_claim_that_reads_np_evaluates_a_stopped_state_once_like_any_other() {
    let text = "active proctype P() { skip; false } never { skip; (np_) }";
    assert_eq!(check_first(text).counterexamples.first().map(|c| c.kind), Some("never"));
    // From the second evaluation on, a stopped state counts as progress, so no cycle there satisfies `np_`. Pan reports one
    // for the first of these claims, and none for the second, which is equivalent.
    for text in [
        "active proctype P() { skip; skip } never { s: skip; accept: if :: (np_); goto s fi }",
        "active proctype P() { skip; skip }
            never { s: skip; accept: if :: (np_); goto t fi; t: skip; accept_t: if :: (np_); goto s fi }",
    ] {
        assert_eq!(check_first(text).verdict, Verdict::Holds);
    }
    let text = "active proctype P() { skip; false } never { skip; skip; skip; (np_) }";
    assert_eq!(check_first(text).verdict, Verdict::Holds);
}

#[test]
fn a_loop_at_the_start_of_a_block_may_have_a_label() {
    let text = "byte x; active proctype A() {
        { L: do :: x < 2 -> x++ :: else -> break od } unless { x == 4 };
        if :: x = 0; goto L :: x = 4; goto L :: skip fi }";
    assert_eq!(stored(text), 12);
}

#[test]
fn a_process_type_may_be_active_without_processes() {
    assert_eq!(stored("byte x; active [0] proctype P() { x = 2 } init { x = 1 }"), 3);
}

#[test]
fn evaluating_a_formula_may_fault() {
    let text = "byte a[3]; byte i, n; chan q;
        active [2] proctype P() { do :: n < 20 -> n++ :: n > 0 -> n-- :: n == 7 && i < 5 -> i++ od }
        ltl index { [] (a[i] == 0) } ltl divisor { [] (6 / (3 - i) >= 0) } ltl channel { [] (i < 2 || len(q) == 0) }
        ltl at_once { [] (len(q) < 2) }";
    let model = promela(text);
    let setup = Setup { minimise: Some(100_000), ..Setup::verify("dfs", "reduction=auto") };
    let lengths = processes(&model).properties.iter().map(|property| {
        let report = setup.report(&model, property);
        report.counterexamples.first().map(|c| (c.kind, c.trace.length()))
    });
    let expected = [Some(("fault", 20)), Some(("fault", 20)), Some(("fault", 18)), Some(("fault", 0))];
    assert_eq!(lengths.collect::<Vec<_>>(), expected);
}

#[test]
fn a_d_step_in_an_escape_comes_before_the_statements_it_guards() {
    // Sampled one branch at a time, `x = 1` is no move while the escape is enabled; Spin, too, has one execution.
    let text = "byte x; active proctype P() { { x = 1 } unless { d_step { x == 0 -> x = 2 } }; assert(x == 2) }";
    for seed in 1..=3 {
        let setup = Setup { seed, ..Setup::hunt("walk", "exec=interp walks=50") };
        assert_eq!(setup.report(&promela(text), &safety()).verdict, Verdict::Inconclusive);
    }
}

#[test]
fn the_initial_value_of_a_whole_record_is_ignored() {
    let text = "typedef T { byte a; int b = 5; bit c[2] }
        T x = 3; T y[3] = 1; byte z = 7;
        init { assert(x.a == 0 && x.b == 5 && y[0].a == 0 && y[2].b == 5 && z == 7) }";
    let report = check(&promela(text), &safety());
    assert_eq!((report.stats.stored, report.counterexamples.len()), (3, 0));
}

#[test]
fn temporal_operators_that_are_operands_have_spins_values() {
    let violated = |formula: &str| {
        let text = format!("#define m a==1\n#define n (a==1)\nbyte a, b; init {{ a = 1; b = 2 }} ltl {{ {formula} }}");
        check_first(&text).verdict == Verdict::Violated
    };
    let held_by_spin = ["[] a != 3", "<> a > 1", "<> a + b", "- <> a", "[] a | b", "(a V b) > 2", "(a -> b) == 1"];
    let refuted =
        ["<> a == 1", "X a == 342", "a == <> b", "always m", "always !m", "always !n", "<> m || m", "(a W b) > 2"];
    assert_eq!(held_by_spin.map(violated), [false; 7]);
    assert_eq!(refuted.map(violated), [true; 8]);
}

#[test]
fn an_arrow_may_have_two_dashes_and_a_comment_may_be_closed_twice() {
    let text = "/* a /* b */ */ int c;
        active proctype P() { if :: c == 0 --> c = 1 :: c==1 --> c = 2 fi; c--;
            if :: c <=< 1 -> skip :: c >=> 1 -> c = 3 :: c !!= 0 -> skip fi */ ; c = 4 }";
    assert_eq!(stored(text), 4);
}

#[test]
fn any_number_may_be_stored_in_a_channel_variable() {
    let text = "chan c = [1] of { byte }; byte a; active proctype P() { c = a + 2; a = len(c) }";
    for engine in ["bfs", "dfs", "bdd"] {
        let report = Setup::verify(engine, "").report(&promela(text), &safety());
        assert_eq!(report.verdict, Verdict::Violated, "{engine}");
    }
}

#[test]
fn faults_are_found_while_a_formula_is_checked_that_no_run_can_violate() {
    let model = promela(
        "byte x, a[2]; active proctype P() { x = 5; if :: assert(x == 4) :: a[x] = 1 fi }
        ltl always { [] true } ltl same { [] ((x == 0) -> (x == 0)) } ltl at_last { <> true }",
    );
    for engine in ["dfs", "bfs", "bdd"] {
        for property in &processes(&model).properties {
            let report = Setup::verify(engine, "").report(&model, property);
            let kind = report.counterexamples.first().map(|c| c.kind);
            assert!(matches!(kind, Some("assertion" | "fault")), "{engine}: {}: {kind:?}", property.name);
        }
    }
    let model = promela("byte x; active proctype P() { do :: x = 1 - x od } ltl always { [] true }");
    let report = check(&model, &processes(&model).properties[0]);
    assert_eq!((report.verdict, report.stats.stored), (Verdict::Holds, 2));
}

#[test]
fn a_loop_over_an_array_in_a_record_has_the_bound_of_the_outermost_array() {
    assert_eq!(stored("typedef T { byte v[3] } T o[2]; init { byte k, n; for (k in o[0].v) { n++ } }"), 10);
    let nested = "typedef I { byte v[4] } typedef O { I i[2] } O o[2]; byte n;";
    assert_eq!(stored(&format!("{nested} init {{ byte k; for (k in o[0].i[1].v) {{ n++ }} }}")), 10);
    let text = "typedef T { byte v[2] } T o[3]; init { byte k; for (k in o[0].v) { o[0].v[k] = 1 } }";
    assert_eq!(check(&promela(text), &safety()).counterexamples.first().map(|c| c.kind), Some("fault"));
}

#[test]
fn the_size_of_an_array_is_the_constant_initial_value_of_a_variable_or_eight() {
    let faults = |declared: &str, index: u32| {
        let text = format!("mtype = {{ A, B, C }}; {declared} byte a[n]; init {{ a[{index}] = 1 }}");
        !check(&promela(&text), &safety()).counterexamples.is_empty()
    };
    for (declared, size) in [("int n;", 8), ("byte n = 2 + 1;", 8), ("byte n = 3;", 3), ("mtype n = B;", 2)] {
        assert!(!faults(declared, size - 1) && faults(declared, size), "{declared}");
    }
}

#[test]
fn the_macros_of_gcc_are_defined() {
    let text = "#if !defined(__linux__) || !linux || __GNUC__ < 4 || __STDC_VERSION__ < 199901L || __INT_MAX__ < 32768
        #error no
        #endif
        #undef __unix__
        #ifdef __unix__
        #error no
        #endif
        #define __VERSION__ 7
        byte linux, unix = 3;
        init { assert(__STDC__ == 1 && __CHAR_BIT__ == 8 && unix == 3 && __VERSION__ == 7); printf(__DATE__) }";
    let report = check(&promela(text), &safety());
    assert_eq!((report.stats.stored, report.counterexamples.len()), (4, 0));
}

#[test]
fn a_receive_from_no_channel_is_a_fault_unless_all_channels_are_rendezvous() {
    for (channel, kind) in
        [("", "fault"), ("chan r = [0] of { byte };", "deadlock"), ("chan r = [1] of { byte };", "fault")]
    {
        let model = promela(&format!("chan s; {channel} active proctype Q() {{ byte c; s?c }}"));
        for engine in ["bfs", "dfs", "bdd"] {
            let report = Setup::verify(engine, "").report(&model, &safety());
            assert_eq!(report.counterexamples.first().map(|c| c.kind), Some(kind), "{engine}: {channel}");
        }
    }
}

#[test]
fn a_rendezvous_needs_the_priority_of_the_sender_only() {
    // In simulations of Spin; its verifier refuses the combination.
    let text = "chan net = [0] of { byte }; byte x;
        active proctype High() priority 3 { net!1; assert(x == 0); x = 1 }
        active proctype Middle() priority 2 { assert(x == 1); x = 2 }
        active proctype Low() { byte c; net?c; assert(x == 2) }";
    for engine in ["bfs", "dfs"] {
        let report = Setup::verify(engine, "").report(&promela(text), &safety());
        assert_eq!(report.verdict, Verdict::Holds, "{engine}: {:?}", report.counterexamples);
    }
}

#[test]
fn processes_may_ask_for_each_other_by_enabled() {
    let asking = "active proctype P() { enabled(1) } active proctype Q() { enabled(0) }";
    let provided = "chan c = [0] of { byte };
        active proctype P() provided (enabled(1)) { c!1 } active proctype Q() provided (enabled(0)) { byte x; c?x }";
    for text in [asking, provided] {
        let report = Setup::verify("bfs", "").report(&promela(text), &safety());
        assert_ne!(report.verdict, Verdict::Inconclusive, "{text}");
    }
}

/// The search meets an index further off than the shortest trace does.
#[test]
fn a_shorter_trace_may_have_another_index_in_the_same_fault() {
    let model = promela("byte a[8]; init { byte n; do :: n < 9 -> n++ :: n > 5 -> a[n + 3] = 1 od }");
    let message = |minimise: Option<u64>| {
        let report = Setup { minimise, ..Setup::hunt("dfs", "reduction=none") }.report(&model, &safety());
        report.counterexamples.first().map(|c| (c.message.clone(), c.trace.length()))
    };
    let shown =
        |index: u32, length: u32| Some((format!("index {index} out of bounds for 8 elements: a[n + 3] = 1"), length));
    assert_eq!(message(None), shown(12, 20));
    assert_eq!(message(Some(1000)), shown(9, 14));
}

/// The trace forbids the send of a rendezvous; with `all-errors` the run goes on with its receive.
#[test]
fn traces_go_on_past_a_violation_in_a_rendezvous() {
    let model = promela(
        "chan up = [1] of { byte }; chan down = [0] of { byte };
        active proctype Client() { do :: up!1; down?2; up!3 od }
        active proctype Server() { do :: up?1 -> down!2; up?3 od }
        trace { do :: up!3; up?1; down!2 od }",
    );
    for engine in ["bfs", "dfs"] {
        let report = Setup::verify(engine, "all-errors").report(&model, &safety());
        let lengths: Vec<u32> = report.counterexamples.iter().map(|c| c.trace.length()).collect();
        assert_eq!(lengths, [1, 2, 3, 6], "{engine}");
    }
}

/// Breadth-first search with its transition cache finds the violation of a model and stores the states of a depth-first search.
fn assert_found_with_cache(text: &str) {
    let expected = Setup::verify("dfs", "all-errors reduction=none").report(&promela(text), &safety());
    for engine in ["bfs", "dfs"] {
        for reduction in ["none", "auto"] {
            let report = Setup::verify(engine, &format!("reduction={reduction}")).report(&promela(text), &safety());
            assert_eq!(report.verdict, Verdict::Violated, "{engine}, reduction {reduction}");
        }
    }
    let found = Setup::verify("bfs", "all-errors reduction=none").report(&promela(text), &safety());
    assert_eq!(found.stats.stored, expected.stats.stored);
}

#[test]
fn a_process_of_another_type_in_the_place_of_one_that_died_is_not_taken_for_it() {
    let text = "byte g1, g2;
        proctype A() { byte a; (g1 == 0) -> a = 1 }
        proctype B() { byte a; (g2 == 1) -> a = 1; assert(false) }
        active proctype S() { do :: g2 == 0 -> g2 = 1 :: g2 == 1 -> g2 = 0 od }
        init { run A(); (_nr_pr == 2) -> run B() }";
    assert_found_with_cache(text);
}

#[test]
fn a_process_in_the_place_of_a_channel_of_the_same_size_moves() {
    let text = "proctype X() { chan q = [1] of { byte }; q!1; q?_; end: (false) }
        proctype Y() { short s; s = 1; end: (false) }
        proctype Z() { byte z; z = 1; z = 2; assert(false) }
        init { if :: run X() :: run Y(); run Z() fi; end: (false) }";
    assert_found_with_cache(text);
}
