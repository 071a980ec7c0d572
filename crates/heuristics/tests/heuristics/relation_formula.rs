use lurcher::LoadOptions;
use lurcher_heuristics::{FormulaForm, RelationFormula};
use lurcher_ir::PropertyKind;
use lurcher_ir::relation::{Relation, SYMBOLS};
use lurcher_search::RelationGuidance;

/// A relation with one invariant.
fn relation(invariant: &str) -> Relation {
    let text = format!(
        "MODULE main
         VAR a : boolean; x : 0..20; s : {{idle, busy}};
         FROZENVAR f : boolean;
         INVARSPEC {invariant}"
    );
    let model = lurcher::Model::from_text("model.smv", &text, &LoadOptions::default()).expect("a model");
    model.relation().expect("a relation").clone()
}

/// The estimate for a state in which `x` is 3, `s` is idle, and only `f` is true.
fn estimate(invariant: &str, form: FormulaForm) -> Option<u32> {
    let relation = relation(invariant);
    let PropertyKind::Invariant(atom) = &relation.properties[0].kind else { panic!("{:?}", relation.properties) };
    let heuristic = RelationFormula::new(&relation, atom.term(), form).expect("a condition on states");
    let idle = SYMBOLS + relation.symbols.get_index_of("idle").expect("a constant") as i64;
    let value = |name: &str| match name {
        "a" => 0,
        "x" => 3,
        "s" => idle,
        _ => 1,
    };
    let valuation: Vec<i64> = relation.variables.iter().map(|v| value(&v.name)).collect();
    Some(heuristic.score(&valuation)).filter(|&steps| steps < heuristic.max())
}

#[test]
fn every_construct_of_an_invariant_has_its_distance() {
    for (violation, sum, max) in [
        ("x = 7", Some(4), Some(1)),
        ("x = 3", Some(0), Some(0)),
        ("x != 3", Some(1), Some(1)),
        ("x < 2", Some(2), Some(1)),
        ("x >= 10", Some(7), Some(1)),
        ("x + 1 = 9", Some(5), Some(1)),
        ("x * x > 100", Some(92), Some(1)),
        ("s = busy", Some(1), Some(1)),
        ("s = idle", Some(0), Some(0)),
        ("a", Some(1), Some(1)),
        ("a & x = 7", Some(5), Some(1)),
        ("a | x = 7", Some(1), Some(1)),
        ("!(a | x != 7)", Some(4), Some(1)),
        ("a -> x = 7", Some(0), Some(0)),
        ("case a : x = 3; TRUE : x = 5; esac", Some(1), Some(1)),
        // A frozen variable never changes.
        ("a & !f", None, None),
        ("a & f", Some(1), Some(1)),
    ] {
        let invariant = format!("!({violation})");
        let found = [FormulaForm::Sum, FormulaForm::Max].map(|form| estimate(&invariant, form));
        assert_eq!(found, [sum, max], "{violation}");
    }
}
