//! Counts the reachable states of small models with the oracle, to be compared with NuSMV's `print_reachable_states`.
//!
//! Prints `ok N deadlocks D` or `refused`, then the name, one line per file. Slow on purpose: candidates for the next
//! state are all valuations, cut down only by what assignments say by themselves, and the oracle judges each.

use std::collections::BTreeSet;

use lurcher_ir::relation::{Relation, VariableRole};
use lurcher_smv::{lower, parse};
use lurcher_syntax::{Severity, SourceMap};
use lurcher_system::relation::Oracle;

/// Valuations looked at before a model is given up.
const LIMIT: usize = 20_000_000;

fn main() {
    for name in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let text = String::from_utf8_lossy(&std::fs::read(&name).unwrap_or_default()).into_owned();
        let main = sources.add(name.as_str(), text);
        let parsed = parse(&sources, main);
        let parses = parsed.diagnostics.iter().all(|d| d.severity != Severity::Error);
        let relation = if parses { lower(&sources, &parsed.file, &[]).0 } else { None };
        let said = match relation {
            None => "refused".to_owned(),
            Some(relation) => match count(&relation) {
                Some((states, deadlocks)) => format!("ok {states} deadlocks {deadlocks}"),
                None => "too large".to_owned(),
            },
        };
        println!("{said} {name}");
    }
}

/// Calls `visit` with every choice of one value from each list; stops when the budget is used up.
fn product(lists: &[Vec<i64>], budget: &mut usize, visit: &mut dyn FnMut(&[i64])) -> bool {
    let size = lists.iter().fold(1usize, |n, l| n.saturating_mul(l.len()));
    if size > *budget {
        return false;
    }
    *budget -= size;
    let mut at = vec![0; lists.len()];
    if lists.iter().any(Vec::is_empty) {
        return true;
    }
    loop {
        let values: Vec<i64> = at.iter().zip(lists).map(|(&i, list)| list[i]).collect();
        visit(&values);
        let Some(next) = (0..lists.len()).find(|&i| at[i] + 1 < lists[i].len()) else { return true };
        at[next] += 1;
        at[..next].iter_mut().for_each(|i| *i = 0);
    }
}

fn count(relation: &Relation) -> Option<(usize, usize)> {
    let oracle = Oracle::new(relation);
    let mut budget = LIMIT;
    let small = relation.variables.iter().all(|v| v.domain.size() < 1 << 16);
    if !small {
        return None;
    }
    let domains: Vec<Vec<i64>> = relation.variables.iter().map(|v| v.domain.values().collect()).collect();
    let is_input = |i: usize| relation.variables[i].role == VariableRole::Input;
    let first = |i: usize| vec![domains[i][0]];
    let without_inputs: Vec<Vec<i64>> =
        (0..domains.len()).map(|i| if is_input(i) { first(i) } else { domains[i].clone() }).collect();
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    let complete = product(&without_inputs, &mut budget, &mut |now| {
        if oracle.is_initial(now) && found.insert(now.to_vec()) {
            open.push(now.to_vec());
        }
    });
    if !complete {
        return None;
    }
    let mut deadlocks = 0;
    while let Some(state) = open.pop() {
        let with_inputs: Vec<Vec<i64>> =
            (0..domains.len()).map(|i| if is_input(i) { domains[i].clone() } else { vec![state[i]] }).collect();
        let mut moments = Vec::new();
        product(&with_inputs, &mut budget, &mut |now| moments.push(now.to_vec()));
        let mut moves = false;
        for now in moments {
            for transition in &relation.transitions {
                let mut lists = without_inputs.clone();
                for assignment in &transition.block.assignments {
                    let alone = relation.terms.support(assignment.value).next.is_empty();
                    if alone {
                        let values = oracle.values(assignment.value, &now, &now);
                        lists[assignment.variable.0 as usize] = values.into_iter().collect();
                    }
                }
                let complete = product(&lists, &mut budget, &mut |after| {
                    if oracle.steps(&now, after).next().is_some() {
                        moves = true;
                        if found.insert(after.to_vec()) {
                            open.push(after.to_vec());
                        }
                    }
                });
                if !complete {
                    return None;
                }
            }
        }
        deadlocks += usize::from(!moves);
    }
    Some((found.len(), deadlocks))
}
