//! The values of terms at every instant of a run.

use lurcher_system::timed::{Judgement, Oracle};
use lurcher_test_support::{astral, astral_request};

use crate::script::script;

/// The truth of a formula at the instants 0 to 8 of a run: `T`, `F`, or `?` for none.
///
/// | instant | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
/// | `v` | 0 | 0 | 0 | 1 | 1 | 5 | 5 | 5 | 5 |
/// | `on` | F | F | F | T | T | F | F | F | F |
/// | `other.signal` | F | T | T | T | T | F | F | F | F |
/// | ends | | | | t | | c(5) | | c(5) | |
/// | calls and starts | | t | | | c(5) | | c(5) | | |
fn truths(formula: &str) -> String {
    let at = |instant: i64| {
        let text = format!(
            "SPECIFICATION Small
               GLOBAL SPECIFICATION Small PROCESSES it: Cell, other: Other END Small
               PROCESS SPECIFICATION Other
                 LEVEL Top EXPORT signal VARIABLE signal: BOOLEAN INITIAL ~signal
                   TRANSITION flip ENTRY [TIME: 1] TRUE EXIT signal = ~signal' END Top
               END Other
               PROCESS SPECIFICATION Cell
                 LEVEL Top IMPORT other.signal EXPORT c VARIABLE v: INTEGER, on: BOOLEAN
                   INITIAL v = 0 & ~on
                   INVARIANT now = {instant} -> ({formula})
                   TRANSITION t ENTRY [TIME: 2] other.signal & ~on EXIT v = v' + 1 & on
                   TRANSITION c(n: INTEGER) ENTRY [TIME: 1] n > 0 EXIT v = n & ~on
                 END Top
               END Cell
             END Small"
        );
        let model = astral("small", text, &astral_request("--process Cell")).unwrap_or_else(|said| panic!("{said}"));
        let events = "1 other.signal=true; 1 start t; 3 v=1; 3 on=true; 4 call c 5; 4 start c 5; 5 v=5; 5 on=false
            5 other.signal=false; 6 call c 5; 6 start c 5";
        match Oracle::new(&model).judge(&script(&model, "", "", events, 8), 0) {
            Judgement::ShowsNothing => 'T',
            Judgement::Violates { at } if at == instant => 'F',
            Judgement::Undefined { at, .. } if at == instant => '?',
            judgement => panic!("{formula}: {judgement}"),
        }
    };
    (0..=8).map(at).collect()
}

#[track_caller]
fn expect(formulas: &[(&str, &str)]) {
    for (formula, expected) in formulas {
        assert_eq!(truths(formula), *expected, "{formula}");
    }
}

#[test]
fn values_are_those_of_the_instant() {
    expect(&[
        ("other.signal", "FTTTTFFFF"),
        ("now >= 3", "FFFTTTTTT"),
        ("v MOD 2 = 1", "FFFTTTTTT"),
        ("v DIV 2 = 2", "FFFFFTTTT"),
        ("IF v = 0 THEN on ELSE ~on FI", "FFFFFTTTT"),
    ]);
}

#[test]
fn changes_are_counted_back_from_now() {
    expect(&[
        ("Change(other.signal, now)", "FTFFFTFFF"),
        ("Change(v, now)", "FFFTFTFFF"),
        ("Change(v) = 3", "???TTFFFF"),
        ("Change[2](v, 3)", "FFFFFTTTT"),
        ("Change[2](v) = 3", "?????TTTT"),
        ("Change(on, now) & ~on", "FFFFFTFFF"),
        ("Change(v + now) = now", "?TTTTTTTT"),
        // Whether the first start is a change of a term that had no value is unknown.
        ("Change(Start(t), now)", "F????????"),
    ]);
}

#[test]
fn events_of_transitions_are_counted_back_from_now() {
    expect(&[
        ("Start(t, now)", "FTFFFFFFF"),
        ("End(t, now)", "FFFTFFFFF"),
        ("Start(t) = 1", "?TTTTTTTT"),
        ("now - End(t) >= 2", "???FFTTTT"),
        ("Call(c, now)", "FFFFTFTFF"),
        ("Call[2](c) = 4", "??????TTT"),
        ("Call[2](c, 4)", "FFFFFFTTT"),
    ]);
}

#[test]
fn arguments_select_events() {
    expect(&[
        ("Start(c(5), now)", "FFFFTFTFF"),
        ("Start(c(4), now)", "FFFFFFFFF"),
        ("End(c(v), now)", "FFFFFTFTF"),
        ("EXISTS x: TIME (Call(c(v), x))", "FFFFFTTTT"),
        ("Call(c(past(v, now - 5)), 4)", "?????FFFF"),
    ]);
}

#[test]
fn the_past_is_that_of_instants_up_to_now() {
    expect(&[
        ("past(v, now - 1) = 0", "?TTTFFFFF"),
        ("past(v, 3) = 1", "???TTTTTT"),
        ("past(v, now + 1) = 0", "?????????"),
        ("past(v, now / 2) = 0", "T?T?T?F?F"),
        ("past(now, 2) = 2", "??TTTTTTT"),
        ("past(Change(other.signal, now), 1)", "?TTTTTTTT"),
        ("past(Change(other.signal), now - 1) = 1", "??TTTTFFF"),
        ("past(Start(t, now), now)", "FTFFFFFFF"),
    ]);
}

#[test]
fn quantifiers_range_over_the_run_so_far() {
    expect(&[
        ("EXISTS x: TIME (past(v, x) = 1)", "FFFTTTTTT"),
        ("FORALL x: TIME (past(v, x) = 0)", "TTTFFFFFF"),
        ("EXISTS x: TIME (End(t, x) & now - x = 2)", "FFFFFTFFF"),
        ("FORALL x: TIME (x <= now)", "TTTTTTTTT"),
        ("past((EXISTS x: TIME (x = 2)), now - 1)", "?FFTTTTTT"),
        ("FORALL x: TIME (EXISTS y: TIME (x = y & past(v, y) <= 1))", "TTTTTFFFF"),
    ]);
}

#[test]
fn formulas_have_three_values() {
    expect(&[
        ("v = 0 | now - End(t) >= 0", "TTTTTTTTT"),
        ("v = 1 & now - End(t) >= 9", "FFFFFFFFF"),
        ("v = 0 & now - End(t) >= 0", "???FFFFFF"),
        ("v = 1 | now - End(t) >= 9", "???TTFFFF"),
        ("~(now - End(t) >= 0)", "???FFFFFF"),
        ("now - End(t) >= 0 -> v = 0", "TTTFFFFFF"),
        ("(now - End(t) >= 0) <-> on", "???TTFFFF"),
        ("IF now - End(t) >= 0 THEN v = v ELSE v = v FI", "???TTTTTT"),
        ("FORALL x: TIME (past(End(t), x) >= 0)", "?????????"),
        ("EXISTS x: TIME (past(End(t), x) = 3)", "???TTTTTT"),
    ]);
}
