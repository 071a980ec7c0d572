//! The smallest SMV programs that once went wrong. What is expected is what NuSMV 2.6 says.

use lurcher_search::Budget;
use lurcher_session::{LoadedRelation, Report, StateEngine, StateJob};

/// Every way to check.
const WAYS: [(StateEngine, bool); 4] =
    [(StateEngine::Bdd, true), (StateEngine::Bdd, false), (StateEngine::Bfs, true), (StateEngine::Dfs, false)];

fn read(text: &str) -> LoadedRelation {
    LoadedRelation::read("fixed.smv", text.to_owned(), &[]).expect("a valid model")
}

fn check(text: &str, engine: StateEngine, cone: bool) -> Vec<Report> {
    let loaded = read(text);
    let job = StateJob { engine, budget: Budget::default(), cone, minimise: None };
    job.check(&loaded.relation, &loaded.relation.specifications, &mut ()).expect("every trace is confirmed")
}

/// Every engine gives these verdicts, in the order of the specifications.
fn expect(text: &str, verdicts: &[&str]) {
    for (engine, cone) in WAYS {
        let found: Vec<&str> = check(text, engine, cone).iter().map(|r| r.verdict.name()).collect();
        assert_eq!(found, verdicts, "{engine:?}, cone {cone}");
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
    assert!(LoadedRelation::read("fixed.smv", text.to_owned(), &[]).is_err());
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
