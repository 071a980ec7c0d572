use lurcher_syntax::SourceMap;

use super::*;
use crate::{ast, parse, print};

const LAMP: &str = "\
MODULE button
VAR down : boolean; was : boolean;
DEFINE pushed := down & !was;
ASSIGN next(was) := down;

MODULE lamp(b, limit)
VAR on : boolean; level : 0..3; colour : {red, green};
ASSIGN
  init(on) := FALSE;
  next(on) := case b.pushed & level < limit : !on; TRUE : on; esac;
  next(colour) := on ? red : colour;
INIT level = 0 & colour = red
TRANS next(level) >= level

MODULE main
VAR b : button; top : 1..3; l : lamp(b, top);
INVARSPEC l.on -> b.down
";

fn read(text: &str) -> (SourceMap, ast::File) {
    let mut sources = SourceMap::new();
    let file = sources.add("lamp.smv", text);
    let parsed = parse(&sources, file);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    (sources, parsed.file)
}

fn descriptions(text: &str, kinds: &[FaultKind], seed: u64) -> (Vec<String>, Skipped) {
    let (sources, file) = read(text);
    let mut seeder = Seeder::new(&sources, &file, &[], kinds, seed);
    let all = seeder.by_ref().map(|m| m.description).collect();
    (all, seeder.skipped())
}

fn sorted(kind: FaultKind) -> Vec<String> {
    let (mut all, _) = descriptions(LAMP, &[kind], 1);
    all.sort();
    all
}

#[test]
fn negations_are_of_conditions_operands_and_truth_values() {
    assert_eq!(
        sorted(FaultKind::ConditionNegation),
        [
            "lamp.smv:10: `!on` became `on`",
            "lamp.smv:10: `b.pushed & level < limit` became `!(b.pushed & level < limit)`",
            "lamp.smv:10: `b.pushed` became `!b.pushed`",
            "lamp.smv:10: `level < limit` became `!(level < limit)`",
            "lamp.smv:10: `on` became `!on`",
            "lamp.smv:11: `on` became `!on`",
            "lamp.smv:12: `colour = red` became `!(colour = red)`",
            "lamp.smv:12: `level = 0 & colour = red` became `!(level = 0 & colour = red)`",
            "lamp.smv:12: `level = 0` became `!(level = 0)`",
            "lamp.smv:13: `next(level) >= level` became `!(next(level) >= level)`",
            "lamp.smv:3: `!was` became `was`",
            "lamp.smv:3: `down & !was` became `!(down & !was)`",
            "lamp.smv:3: `down` became `!down`",
            "lamp.smv:4: `down` became `!down`",
        ]
    );
}

#[test]
fn removals_drop_operands_and_branches_and_leave_conjuncts_of_constraints_alone() {
    assert_eq!(
        sorted(FaultKind::ConditionRemoval),
        [
            "lamp.smv:10: `b.pushed & level < limit` became `b.pushed`",
            "lamp.smv:10: `b.pushed & level < limit` became `level < limit`",
            "lamp.smv:10: branch `b.pushed & level < limit : !on;` removed",
            "lamp.smv:3: `down & !was` became `!was`",
            "lamp.smv:3: `down & !was` became `down`",
        ]
    );
    assert_eq!(
        sorted(FaultKind::DroppedConjunct),
        [
            "lamp.smv:12: `level = 0 & colour = red` became `colour = red`",
            "lamp.smv:12: `level = 0 & colour = red` became `level = 0`",
            "lamp.smv:13: `next(level) >= level` became `TRUE`",
        ]
    );
}

#[test]
fn a_case_with_a_hole_does_not_load_and_is_counted() {
    let (_, skipped) = descriptions(LAMP, &[FaultKind::ConditionRemoval], 1);
    assert_eq!(skipped, Skipped { rejected: 1, unchanged: 0, repeated: 0 });
}

#[test]
fn variables_are_replaced_by_what_can_be_seen_and_has_their_type() {
    let all = sorted(FaultKind::VariableReplacement);
    let at_line = |line: &str| all.iter().filter(|d| d.starts_with(line)).map(|d| d.as_str()).collect::<Vec<_>>();
    assert_eq!(at_line("lamp.smv:4:"), ["lamp.smv:4: `down` became `pushed`", "lamp.smv:4: `down` became `was`"]);
    assert_eq!(
        at_line("lamp.smv:16:"),
        ["lamp.smv:16: `top` became `l.level`"],
        "an instance is no variable, and a parameter has the type of what it is given"
    );
    assert!(all.contains(&"lamp.smv:10: `b.pushed` became `b.was`".to_owned()), "{all:#?}");
    assert!(all.iter().all(|d| !d.contains("`red`")), "symbolic constants are no variables");
}

#[test]
fn insertions_use_both_operators_with_and_without_negation() {
    let all = sorted(FaultKind::ConditionInsertion);
    for what in ["on & b.was", "on | b.was", "on & !b.was", "on | !b.was"] {
        let wanted = format!("lamp.smv:11: `on` became `{what}`");
        assert!(all.contains(&wanted), "{wanted} is not among {all:#?}");
    }
}

#[test]
fn a_seed_means_the_same_mutants_in_every_run_and_another_seed_others() {
    let first = descriptions(LAMP, &FaultKind::ALL, 7);
    assert_eq!(first, descriptions(LAMP, &FaultKind::ALL, 7));
    let mut other = descriptions(LAMP, &FaultKind::ALL, 8).0;
    assert_ne!(first.0, other);
    let mut all = first.0;
    all.sort();
    other.sort();
    assert_eq!(all, other, "in the end every fault is drawn");
}

#[test]
fn the_first_mutants_of_a_seed_are_pinned() {
    let (all, _) = descriptions(LAMP, &FaultKind::ALL, 1);
    assert_eq!(all[..6], PINNED);
}

const PINNED: [&str; 6] = ["", "", "", "", "", ""];

#[test]
fn kinds_take_turns() {
    let (sources, file) = read(LAMP);
    let kinds: Vec<FaultKind> = Seeder::new(&sources, &file, &[], &FaultKind::ALL, 3).take(5).map(|m| m.kind).collect();
    assert_eq!(kinds, FaultKind::ALL);
}

#[test]
fn a_mutant_differs_from_the_original_and_never_in_its_specifications() {
    let (sources, file) = read(LAMP);
    let original = print(&file);
    let specifications =
        |text: &str| text.lines().filter(|l| l.contains("SPEC")).map(str::to_owned).collect::<Vec<_>>();
    for mutant in Seeder::new(&sources, &file, &[], &FaultKind::ALL, 1) {
        assert_ne!(mutant.text, original);
        assert_eq!(specifications(&mutant.text), specifications(&original), "{}", mutant.description);
    }
}

#[test]
fn every_edit_of_every_site_is_drawn_once() {
    let (_, file) = read(LAMP);
    let faults: usize = sites(&file).iter().map(Site::count).sum();
    let (all, skipped) = descriptions(LAMP, &FaultKind::ALL, 1);
    assert_eq!(all.len() + skipped.rejected + skipped.unchanged + skipped.repeated, faults);
}
