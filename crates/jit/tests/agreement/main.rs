//! Compiled models against the interpreter.

mod cached;
mod compare;
mod fixed;
mod searches;

use lurcher_ir::PropertyKind;
use lurcher_search::{Budget, Nesting, Prepared, Product, Semantics, nested_dfs, nested_dfs_on};

use compare::{Bounds, Outcome, Tally, compare};
use lurcher_test_support::{promela_file, repository_models};

#[test]
fn every_model_of_the_repository_compiles_and_agrees_with_the_interpreter() {
    let paths = repository_models("promela");
    assert!(paths.len() >= 40, "only {} models", paths.len());
    let mut wrong = Vec::new();
    let mut total = Tally::default();
    for path in paths {
        let name = path.display();
        let model = promela_file(&path, &[]).unwrap_or_else(|| panic!("{name} is rejected"));
        for loss in [false, true] {
            match compare(&model, loss, Bounds { states: 1000, walks: 12, depth: 400 }) {
                Outcome::Agree(tally) => total.add(&tally),
                Outcome::NotCompiled(reason) => wrong.push(format!("{name}: not compiled: {reason}")),
                Outcome::Differ(difference) => wrong.push(format!("{name}: {difference}")),
            }
        }
    }
    println!("{total:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn nested_searches_on_threads_store_the_same_states_with_the_transition_cache() {
    let path = repository_models("promela").into_iter().find(|path| path.ends_with("leader-ring.pml"));
    let model = promela_file(&path.expect("a model"), &[("N", "6")]).expect("a correct model");
    let mut checked = 0;
    for property in model.properties.iter().filter(|p| matches!(p.kind, PropertyKind::Ltl { .. })) {
        let prepared = Prepared::new(&model, property, Semantics::default()).expect("a small automaton");
        let (machine, claim) = (prepared.interpreter(), prepared.objective.claim.expect("a claim"));
        let product = || Product::new(&machine, claim, false);
        for nesting in [Nesting::Everywhere, Nesting::PartialComponents] {
            let expected = nested_dfs(&mut product(), nesting, &Budget::default(), &mut ());
            let mut threads: Vec<_> = (0..3).map(|_| product().cached()).collect();
            let found = nested_dfs_on(&mut threads, nesting, &Budget::default(), &mut ());
            assert_eq!((found.stop, found.found.len()), (expected.stop, expected.found.len()), "{}", property.name);
            assert_eq!(found.stats.stored, expected.stats.stored, "{}", property.name);
            checked += u32::from(expected.is_complete() && expected.stats.stored > 40_000);
        }
    }
    assert!(checked >= 4, "{checked} searches went on on threads");
}
