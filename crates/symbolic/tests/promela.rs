//! Reachable states of translated Promela models. Verdicts and counts are compared in `engines/tests/models.rs`.

use std::collections::HashSet;

use lurcher_ir::LocationId;
use lurcher_search::Budget;
use lurcher_symbolic::processes::translate;
use lurcher_symbolic::{Encoding, with_deep_stack};
use lurcher_system::{Interpreter, Limits, ProcessId, State};
use lurcher_test_support::{promela_file, repository_models};

/// Models with small BDDs.
const QUICK: &str = "
    alternating-bit alternating-bit-flawed alternating-bit-lossy atomic-blocked atomic-handover atomic-not-returned
    bakery-overflow bank-transfer barber-shop bit-decoder bounded-retransmission cache-coherence call-unless-busy
    cigarette-smokers d-step-sort dead-reply-channel dekker dice-select feature-switches flow-gauges grant-never-accept
    interrupt-unless mutex-flawed needham-schroeder peterson philosophers polling-accept-label readers-writers
    remote-view reorder ring-buffer-overrun river-crossing round-robin-provided sliding-window";

/// All reachable states, those inside atomic sequences included; `None` if there are too many.
fn states(interpreter: &Interpreter<'_>, limit: usize) -> Option<Vec<State>> {
    let mut all = vec![interpreter.initial().ok()?];
    let mut known: HashSet<(Vec<u8>, Option<ProcessId>)> = HashSet::from([key(&all[0])]);
    let (mut next, mut moves) = (0, Vec::new());
    while next < all.len() {
        interpreter.moves(&all[next], &mut moves);
        for step in &moves {
            let mut after = all[next].clone();
            if interpreter.apply(&mut after, step).is_none() && known.insert(key(&after)) {
                all.push(after);
            }
        }
        next += 1;
        if all.len() > limit {
            return None;
        }
    }
    Some(all)
}

fn key(state: &State) -> (Vec<u8>, Option<ProcessId>) {
    (state.bytes().to_vec(), state.exclusive)
}

#[test]
fn every_reachable_state_is_a_distinct_reachable_valuation() {
    let mut compared = 0;
    for path in repository_models("promela") {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a plain name");
        if !QUICK.split_whitespace().any(|quick| quick == name) {
            continue;
        }
        let model = promela_file(&path, &[]).expect("a correct model");
        let interpreter = Interpreter::new(&model, Limits::for_model(&model));
        let (Ok(translation), Some(states)) = (translate(&model, &[]), states(&interpreter, 20_000)) else { continue };
        let valuation = |state: &State| -> Vec<i64> {
            let value = |v| translation.map.value(interpreter.layout(), state, LocationId(0), v);
            translation.relation.variables().map(|(id, _)| value(id)).collect()
        };
        let valuations: HashSet<Vec<i64>> = states.iter().map(valuation).collect();
        assert_eq!(valuations.len(), states.len(), "{name}: states look the same");
        let unreached = with_deep_stack(|| {
            let encoding = Encoding::new(&translation.relation, &Budget::default()).expect("it fits");
            let reachable = encoding.reachable(&mut ()).expect("it fits");
            valuations.iter().find(|v| !encoding.holds(&reachable, v)).cloned()
        });
        assert_eq!(unreached, None, "{name}: a state that the relation does not reach");
        compared += 1;
    }
    assert!(compared >= 25, "only {compared} models were compared");
}
