//! Nested searches with the transition cache against the same searches without: the same violations, paths and counts.

use lurcher_ir::analysis::{Dead, Visibility};
use lurcher_ir::{Model, ProcessRole, ProcessTypeId, Property, PropertyKind};
use lurcher_jit::Compiled;
use lurcher_search::{
    AmpleMoves, Budget, Expander, Nesting, Outcome, Prepared, Product, Semantics, Space, Stats, Step, nested_dfs,
};
use lurcher_system::{DeadVariableReset, Limits, Machine};

/// Compares all nested searches of a model, each limited to `states` states; returns the number of stored states.
pub fn cached_searches(model: &Model, message_loss: bool, states: u64) -> Result<u64, String> {
    let property = |kind, name| Property::built_in(name, kind);
    let mut properties: Vec<Property> = Vec::new();
    for (index, process_type) in model.process_types.iter().enumerate() {
        if process_type.role == ProcessRole::Claim {
            properties.push(property(PropertyKind::Never(ProcessTypeId(index as u16)), "never"));
        }
    }
    properties.extend(model.properties.iter().filter(|p| matches!(p.kind, PropertyKind::Ltl { .. })).cloned());
    properties.push(property(PropertyKind::Acceptance, "acceptance"));
    properties.push(property(PropertyKind::NonProgress, "non-progress"));
    let mut stored = 0;
    for property in properties {
        let semantics = Semantics { message_loss, ..Semantics::default() };
        let prepared = Prepared::new(model, &property, semantics).map_err(|e| e.to_string())?;
        let limits = prepared.limits();
        let interpreter = prepared.interpreter();
        let compiled = Compiled::new(&prepared.model, limits.clone()).map_err(|e| e.to_string())?;
        stored += products(&property, &prepared, &limits, &interpreter, states)?;
        stored += products(&property, &prepared, &limits, &compiled, 5 * states)?;
    }
    Ok(stored)
}

fn products<M: Machine + Sync>(
    property: &Property,
    prepared: &Prepared,
    limits: &Limits,
    machine: &M,
    states: u64,
) -> Result<u64, String> {
    let claim = prepared.objective.claim.expect("the property is about runs");
    let exprs = property.kind.exprs();
    let dead = Dead::of(&prepared.model, &exprs);
    let unseen = dead.globals().to_vec();
    let watch = Visibility { exprs, accept: true, progress: true, unseen, ..Visibility::default() };
    let ample = AmpleMoves::new(&prepared.model, watch, limits.message_loss);
    let reset = &DeadVariableReset::new(machine, &dead);
    let mut stored = 0;
    for nesting in [Nesting::Everywhere, Nesting::PartialComponents] {
        let budget = Budget { states: Some(states), ..Budget::default() };
        let who = format!("{}, {nesting:?}", property.name);
        for fair in [false, true] {
            let product = || Product::new(machine, claim, fair);
            let who = format!("{who}, fair: {fair}");
            stored += same(&who, product(), product().cached(), nesting, &budget)?;
            let all = Budget { all_errors: true, ..budget.clone() };
            stored += same(&format!("{who}, all errors"), product(), product().cached(), nesting, &all)?;
        }
        // A search for all errors has no reduction.
        let product = || Product::new(reset, claim, false).reduced(ample.clone());
        stored += same(&format!("{who}, reduced"), product(), product().cached(), nesting, &budget)?;
    }
    Ok(stored)
}

/// Compares two searches.
fn same<S: Space<Step = Step>>(
    who: &str,
    mut plain: S,
    mut cached: impl Expander<Space = S>,
    nesting: Nesting,
    budget: &Budget,
) -> Result<u64, String> {
    let expected = nested_dfs(&mut plain, nesting, budget, &mut ());
    let found = nested_dfs(&mut cached, nesting, budget, &mut ());
    let counts = |outcome: &Outcome| (outcome.stop, Stats { memory: 0, ..outcome.stats });
    if counts(&expected) != counts(&found) {
        return Err(format!("{who}: {:?}, not {:?}", counts(&expected), counts(&found)));
    }
    let (wanted, got) = (format!("{:?}", expected.found), format!("{:?}", found.found));
    if wanted != got {
        return Err(format!("{who}: found\n{wanted}\nnot\n{got}"));
    }
    Ok(found.stats.stored)
}
