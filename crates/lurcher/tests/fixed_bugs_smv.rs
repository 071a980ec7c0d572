//! The smallest SMV programs that once went wrong. What is expected is what NuSMV 2.6 says.

mod support;

use std::time::{Duration, Instant};

use lurcher::{LoadOptions, Model, Question};
use lurcher_resources::ResourceLimits;
use lurcher_search::Budget;

use support::{Setup, relation, resolve, smv};

/// Engines, with and without the cone of influence.
const WAYS: [(&str, &str); 4] = [("bdd", "reduction=auto"), ("bdd", ""), ("bfs", "reduction=auto"), ("dfs", "")];

/// Every engine gives these verdicts, in the order of the specifications.
fn expect(text: &str, verdicts: &[&str]) {
    let model = smv(text);
    for (engine, options) in WAYS {
        let reports = Setup::verify(engine, options).check(&model, &relation(&model).properties);
        let reports = reports.unwrap_or_else(|e| panic!("{engine} {options}: {e}"));
        let found: Vec<&str> = reports.iter().map(|r| r.verdict.name()).collect();
        assert_eq!(found, verdicts, "{engine} {options}");
    }
}

#[test]
fn what_first_values_depend_on_belongs_to_the_cone() {
    let text = "MODULE main VAR x : boolean; y : boolean; z : boolean;
        ASSIGN init(y) := !x; next(y) := y; next(x) := x; next(z) := !z;
        INVARSPEC NAME p := !y; INVARSPEC NAME q := z;";
    expect(text, &["violated", "violated"]);
}

#[test]
fn a_guard_keeps_a_shift_by_a_constant_from_going_too_far() {
    let text = "MODULE main DEFINE n := -2; VAR w : unsigned word[2];
        ASSIGN init(w) := 0ud2_1; next(w) := (n in 0..2 ? w << n : w);
        INVARSPEC NAME p := w = 0ud2_1;";
    expect(text, &["holds"]);
}

#[test]
fn no_guard_helps_a_shift_by_a_literal_that_is_too_large() {
    let text = "MODULE main VAR w : unsigned word[2]; ASSIGN next(w) := (FALSE ? w << 5 : w);";
    assert!(Model::from_text("fixed.smv", text, &LoadOptions::default()).is_err());
}

#[test]
fn an_invariant_is_about_steps_if_its_text_is() {
    let text = "MODULE main FROZENVAR f : boolean; VAR x : boolean; IVAR i : boolean; DEFINE d := f; TRANS FALSE;
        INVARSPEC NAME a := next(d);
        INVARSPEC NAME b := f & (next(x) | TRUE);
        INVARSPEC NAME c := (TRUE ? FALSE : i);
        INVARSPEC NAME e := f & next(TRUE);";
    expect(text, &["violated", "holds", "holds", "violated"]);
}

#[test]
fn a_state_without_successors_is_confirmed_where_trying_all_values_takes_too_long() {
    // Whether the last step exists is a question about forty bits at once.
    let parity = (0..40).map(|i| format!("next(x{i})")).collect::<Vec<_>>().join(" xor ");
    let bits: String = (0..40).map(|i| format!("x{i} : boolean; ")).collect();
    let text = format!(
        "MODULE main VAR n : 0..2; {bits} ASSIGN init(n) := 0; next(n) := (n + 1) mod 3;
        TRANS n = 2 -> ({parity}); TRANS n = 2 -> !({parity});"
    );
    let mut model = smv(&text);
    let deadlock = resolve(&mut model, Question::Named("deadlock".to_owned()));
    let report = Setup::verify("bdd", "reduction=auto").report(&model, &deadlock);
    assert_eq!(report.verdict.name(), "violated");
}

#[test]
fn an_instance_may_have_the_name_of_a_constant() {
    let text = "MODULE one VAR x : {a, b}; ASSIGN init(x) := a; next(x) := {a, b};
        MODULE main VAR a : one; y : {a, c}; ASSIGN init(y) := a; next(y) := y;
        INVARSPEC NAME p := y = a; INVARSPEC NAME q := a.x = a;";
    expect(text, &["holds", "violated"]);
}

#[test]
fn a_long_conjunction_of_formulas_needs_no_automaton_for_all_of_them() {
    // One automaton for all twelve obligations has more states than there is memory for.
    let variables: String = (0..12).map(|i| format!("a{i} : boolean; ")).collect();
    let obligations: Vec<String> = (0..12).map(|i| format!("G (a{i} -> F (a{} U X a{i}))", (i + 1) % 12)).collect();
    let bounded: Vec<String> = (0..8).map(|i| format!("G F [0, {}] (a{i} & X a{})", i + 3, i + 1)).collect();
    let text = format!(
        "MODULE main VAR {variables} ASSIGN next(a0) := !a0;
        LTLSPEC NAME p := ({all}) -> F G a0; LTLSPEC NAME q := ({all}) -> G F a0;
        LTLSPEC NAME r := ({bounded}) -> F a1; LTLSPEC NAME s := ({bounded}) -> G a1;",
        all = obligations.join(" & "),
        bounded = bounded.join(" & "),
    );
    let model = smv(&text);
    let reports = Setup::verify("bdd", "reduction=auto").check(&model, &relation(&model).properties).expect("reports");
    let found: Vec<&str> = reports.iter().map(|r| r.verdict.name()).collect();
    assert_eq!(found, ["violated", "holds", "holds", "violated"]);
}

#[test]
fn walks_without_an_initial_state_end() {
    let engines = ["walk", "trail", "symbolic-walk", "symbolic-trail"].map(|walks| (walks, "walks=9"));
    for (engine, options) in engines.into_iter().chain([("lurch", ""), ("best-first", "")]) {
        let model = smv("MODULE main VAR x : boolean; INIT x; INIT !x; INVARSPEC x");
        let reports = Setup::hunt(engine, options).check(&model, &relation(&model).properties).expect("a report");
        assert_ne!(reports[0].verdict.name(), "violated", "{engine}");
    }
}

#[test]
fn a_cycle_that_closes_after_many_rounds_only_is_found_or_left_open() {
    // The formula is about `z`; a run of the whole model repeats itself when `x` does.
    let text = |most: u32| {
        format!(
            "MODULE main VAR x : 0..{most}; z : boolean; ASSIGN init(x) := 0;
            TRANS next(x) = (x + 1) mod {}; LTLSPEC F G z;",
            most + 1
        )
    };
    for engine in ["auto", "walk", "trail", "bfs"] {
        for (most, expected) in [(10_000, "violated"), (3_000_000, "inconclusive")] {
            let model = smv(&text(most));
            let budget = Budget { resources: ResourceLimits::default().until(soon()), ..Budget::default() };
            let setup = Setup { budget, ..Setup::hunt(engine, "walks=3") };
            let reports = setup.check(&model, &relation(&model).properties).expect("a report");
            let verdict = reports[0].verdict.name();
            // A few walks may miss it.
            let is_missed = verdict == "inconclusive" && matches!(engine, "walk" | "trail");
            assert!(verdict == expected || is_missed, "{engine}, {most}: {verdict}");
        }
    }
}

/// A deadline.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(2)
}

#[test]
fn bounded_operators_within_one_another_do_not_grow_exponentially() {
    let nested = |op: &str| format!("{op} [1, 3] ").repeat(9);
    let text = format!(
        "MODULE main VAR x : 0..40; ASSIGN init(x) := 0; next(x) := case x < 40 : x + 1; TRUE : 40; esac;
        LTLSPEC {g} (x >= 9 & x <= 27); LTLSPEC {g} (x >= 10); LTLSPEC {g} (x <= 26);
        LTLSPEC {f} x = 9; LTLSPEC {f} x = 27; LTLSPEC {f} x = 8; LTLSPEC {f} x = 28;
        LTLSPEC G (x = 30 -> {o} x = 21); LTLSPEC G (x = 30 -> {o} x = 22);
        LTLSPEC G (x = 30 -> {h} (x >= 3 & x <= 21)); LTLSPEC G (x = 20 -> {h} TRUE);",
        g = nested("G"),
        f = nested("F"),
        o = nested("O"),
        h = nested("H"),
    );
    let model = smv(&text);
    let reports = Setup::verify("bdd", "reduction=auto").check(&model, &relation(&model).properties).expect("reports");
    let found: Vec<&str> = reports.iter().map(|r| r.verdict.name()).collect();
    let [yes, no] = ["holds", "violated"];
    assert_eq!(found, [yes, no, no, yes, yes, no, no, yes, no, yes, no]);
}
