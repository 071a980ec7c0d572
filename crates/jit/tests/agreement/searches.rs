//! Searches on the interpreter and on compiled code: same violations, paths, counts and coverage.

use lurcher_ir::{Expr, Model, ProcessRole, ProcessTypeId};
use lurcher_jit::Compiled;
use lurcher_search::{
    Budget, Claim, Coverage, Nesting, Outcome, Product, StateGraph, Stats, Step, bfs, dfs, nested_dfs,
};
use lurcher_system::{Interpreter, Limits, Machine};

/// Compares all searches of a model, each limited to `states` states; returns the number of stored states.
pub fn searches(model: &Model, message_loss: bool, invariants: &[Expr], states: u64) -> Result<u64, String> {
    let limits = Limits { message_loss, ..Limits::for_model(model) };
    let interpreter = Interpreter::new(model, limits.clone());
    let compiled = Compiled::new(model, limits.clone()).map_err(|e| e.to_string())?;
    let mut stored = 0;
    for all_errors in [false, true] {
        for depth in [None, Some(40)] {
            let budget = Budget { states: Some(states), all_errors, depth, ..Budget::default() };
            for engine in [Engine::Dfs, Engine::Bfs] {
                let expected = system(&interpreter, invariants, engine, &budget);
                let found = system(&compiled, invariants, engine, &budget);
                stored += same(&format!("{engine:?} {all_errors} {depth:?}"), &expected, &found)?;
            }
        }
    }
    let is_claim = |(_, p): &(usize, &lurcher_ir::ProcessType)| p.role == ProcessRole::Claim;
    let claims = model.process_types.iter().enumerate().filter(is_claim).map(|(i, _)| ProcessTypeId(i as u16));
    let claims: Vec<Claim> = std::iter::once(Claim::None).chain(claims.map(Claim::Process)).collect();
    for claim in claims {
        let limits = Limits { with_claim: claim != Claim::None, ..limits.clone() };
        let interpreter = Interpreter::new(model, limits.clone());
        let compiled = Compiled::new(model, limits).map_err(|e| e.to_string())?;
        for fair in [false, true] {
            let budget = Budget { states: Some(states), all_errors: fair, ..Budget::default() };
            let expected = product(&interpreter, claim, fair, &budget);
            let found = product(&compiled, claim, fair, &budget);
            stored += same(&format!("{claim:?}, fair: {fair}"), &expected, &found)?;
        }
    }
    Ok(stored)
}

#[derive(Clone, Copy, Debug)]
enum Engine {
    Dfs,
    Bfs,
}

/// The outcome and coverage of a search.
type Searched = (Outcome<Step>, Coverage);

fn system<M: Machine + Sync>(machine: &M, invariants: &[Expr], engine: Engine, budget: &Budget) -> Searched {
    let mut system = StateGraph::new(machine, invariants.to_vec(), true);
    let outcome = match engine {
        Engine::Dfs => dfs(&mut system, budget, &mut ()),
        Engine::Bfs => bfs(&mut system, budget, &mut ()),
    };
    (outcome, system.coverage())
}

fn product<M: Machine + Sync>(machine: &M, claim: Claim, fair: bool, budget: &Budget) -> Searched {
    let mut product = Product::new(machine, claim, fair);
    let outcome = nested_dfs(&mut product, Nesting::Everywhere, budget, &mut ());
    (outcome, product.coverage())
}

fn same(who: &str, expected: &Searched, found: &Searched) -> Result<u64, String> {
    let counts = |stats: &Stats| Stats { memory: 0, ..*stats };
    let (wanted, got) = (counts(&expected.0.stats), counts(&found.0.stats));
    if (expected.0.stop, wanted) != (found.0.stop, got) {
        return Err(format!("{who}: {:?} {wanted:?}, not {:?} {got:?}", expected.0.stop, found.0.stop));
    }
    let (wanted, got) = (format!("{:?}", expected.0.found), format!("{:?}", found.0.found));
    if wanted != got {
        return Err(format!("{who}: found\n{wanted}\nnot\n{got}"));
    }
    if expected.1 != found.1 {
        return Err(format!("{who}: other statements executed\n{:?}\nnot\n{:?}", expected.1, found.1));
    }
    Ok(found.0.stats.stored)
}
