//! Formulas that are not part of the file, definitions from the command line, and models of unusual size.

use lurcher_ir::PropertyKind;
use lurcher_ir::relation::{Relation, check};
use lurcher_smv::{ExprClass, lower, lower_specification, parse, parse_expression};
use lurcher_syntax::SourceMap;

use crate::{dump, lowered};

const MODEL: &str = "
MODULE cell(start)
VAR n : 0..3;
ASSIGN init(n) := start; next(n) := (n + 1) mod 4;
MODULE main
VAR c : cell(first); go : boolean;
DEFINE first := 1; far := c.n > first;
";

fn asked(formula: &str, class: ExprClass) -> Result<(Relation, PropertyKind), String> {
    let mut sources = SourceMap::new();
    let file = sources.add("model.smv", MODEL);
    let parsed = parse(&sources, file);
    let (relation, diagnostics) = lower(&sources, &parsed.file, &[]);
    assert!(diagnostics.is_empty());
    let mut relation = relation.expect("the model is right");
    let formula = parse_expression(&mut sources, formula, class).expect("the formula parses");
    let asked = lower_specification(&parsed.file, &[], &mut relation, "asked", &formula, class);
    let (specification, _) = asked.map_err(|errors| errors[0].message.clone())?;
    let kind = specification.kind.clone();
    relation.properties.push(specification);
    assert_eq!(check::check(&relation), Vec::<String>::new());
    Ok((relation, kind))
}

#[test]
fn a_formula_may_speak_of_what_main_knows() {
    let (relation, kind) = asked("far -> c.n < 4 & go", ExprClass::Simple).expect("it is right");
    assert!(matches!(kind, PropertyKind::Invariant(_)));
    let text = dump::dump(&relation);
    assert!(text.contains("asked: invariant (!(1 < c.n) | ((c.n < 4) & go))"), "{text}");
    assert!(matches!(asked("G F far", ExprClass::Ltl), Ok((_, PropertyKind::Ltl { .. }))));
    assert!(matches!(asked("AG EF far", ExprClass::Ctl), Ok((_, PropertyKind::Ctl(_)))));
}

#[test]
fn a_wrong_formula_is_refused_and_leaves_the_model_as_it_was() {
    assert_eq!(asked("c.m = 3", ExprClass::Simple).map(|_| ()), Err("`c.m` is undefined".to_owned()));
    let types = "illegal operand types of `=`: boolean and integer";
    assert_eq!(asked("go = 3", ExprClass::Simple).map(|_| ()), Err(types.to_owned()));
    assert_eq!(asked("F c.n / c.n = 1", ExprClass::Ltl).map(|_| ()), Err("division by zero".to_owned()));
}

#[test]
fn definitions_given_replace_those_of_main_or_are_added() {
    let given = [("first".to_owned(), "3 - extra".to_owned()), ("extra".to_owned(), "1".to_owned())];
    let (_, relation, diagnostics) = lowered("model.smv", MODEL, &given);
    assert!(diagnostics.is_empty());
    let text = dump::dump(&relation.expect("the model is right"));
    assert!(text.contains("c.n := 2"), "{text}");
    for (value, message) in [("go", "cannot assign value"), ("+", "in first=+"), ("7", "cannot assign value 7")] {
        let (_, relation, diagnostics) = lowered("model.smv", MODEL, &[("first".to_owned(), value.to_owned())]);
        assert!(relation.is_none());
        let said = &diagnostics[0].message;
        assert!(said.contains(message) || value == "go", "{said}");
    }
}

#[test]
fn long_chains_of_definitions_are_lowered() {
    let length = 3_000;
    let chain: String = (0..length).map(|i| format!("d{i} := d{} + d{};", i + 1, i + 1)).collect();
    let text = format!("MODULE main VAR x : 0..0; DEFINE {chain} d{length} := x; INVARSPEC d0 = 0");
    let (_, relation, diagnostics) = lowered("chain.smv", &text, &[]);
    assert!(relation.is_some(), "{diagnostics:?}");
    let circle = text.replace(&format!("d{length} := x"), &format!("d{length} := d0"));
    let (_, relation, diagnostics) = lowered("circle.smv", &circle, &[]);
    assert!(relation.is_none());
    assert!(diagnostics[0].message.contains("recursively defined"));
}

#[test]
fn a_model_that_unfolds_without_end_is_refused() {
    let levels: String = (1..40).map(|i| format!("MODULE m{i} VAR a : m{}; b : m{};", i - 1, i - 1)).collect();
    let text = format!("MODULE m0 VAR x : boolean; {levels} MODULE main VAR all : m39;");
    let (_, relation, diagnostics) = lowered("unfold.smv", &text, &[]);
    assert!(relation.is_none());
    assert!(diagnostics[0].message.contains("instances"));
    let arrays = "MODULE main VAR a : array 0..999999 of array 0..999999 of boolean;";
    assert!(lowered("arrays.smv", arrays, &[]).1.is_none());
}

#[test]
fn a_check_that_would_take_too_long_is_said_to_be_open() {
    let inputs: String = (0..3000).map(|i| format!("b{i} : boolean;")).collect();
    let all: Vec<String> = (0..3000).map(|i| format!("b{i}")).collect();
    let next = "case n < 10 : n; TRUE : 0; esac";
    let text =
        format!("MODULE main VAR {inputs} c : 0..9; DEFINE n := count({}); ASSIGN next(c) := {next};", all.join(", "));
    let (_, relation, diagnostics) = lowered("sum.smv", &text, &[]);
    assert!(relation.is_some());
    assert!(diagnostics[0].message.contains("could not be checked"), "{diagnostics:?}");
}
