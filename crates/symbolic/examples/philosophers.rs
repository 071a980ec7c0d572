//! Reachable states and the deadlock of dining philosophers.
//!
//! `cargo run --release -p lurcher-symbolic --example philosophers -- 50`

use std::time::Instant;

use lurcher_ir::relation::{Assignment, Block, Constraint, Domain, Relation, Transition, Variable, VariableRole};
use lurcher_search::Budget;
use lurcher_symbolic::{Encoding, Strategy, with_deep_stack};
use lurcher_syntax::Span;

/// Philosophers who take the left fork, take the right fork, and put both back.
fn philosophers(count: usize) -> Relation {
    let mut relation = Relation::default();
    let span = Span::default();
    let variable = |name: String, domain| Variable { name, role: VariableRole::State, domain, span };
    let mut seats = Vec::new();
    for i in 0..count {
        let fork = relation.add_variable(variable(format!("fork{i}"), Domain::Boolean));
        let place = relation.add_variable(variable(format!("philosopher{i}"), Domain::Range(0, 2)));
        seats.push((fork, place));
    }
    let terms = &mut relation.terms;
    for i in 0..count {
        let ((left, place), (right, _)) = (seats[i], seats[(i + 1) % count]);
        let set = |variable, value| Assignment { variable, value, span };
        let is = |terms: &mut lurcher_ir::relation::Terms, v, value| {
            let now = terms.current(v);
            terms.is(now, value)
        };
        let value: Vec<_> = (0..3).map(|v| terms.value(v)).collect();
        let take = |terms: &mut _, from: usize, fork| {
            let constraints = [is(terms, place, from as i64), is(terms, fork, 0)];
            let assignments = vec![set(fork, value[1]), set(place, value[from + 1])];
            Block { assignments, constraints: constraints.map(|term| Constraint { term, span }).into() }
        };
        let steps = [take(terms, 0, left), take(terms, 1, right)];
        let back = Block {
            assignments: vec![set(left, value[0]), set(right, value[0]), set(place, value[0])],
            constraints: vec![Constraint { term: is(terms, place, 2), span }],
        };
        for block in steps.into_iter().chain([back]) {
            relation.transitions.push(Transition { name: format!("philosopher{i}"), block, keeps: true });
        }
        for v in [left, place] {
            relation.initial.assignments.push(Assignment { variable: v, value: value[0], span });
        }
    }
    relation
}

fn main() {
    let count = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(50);
    let relation = philosophers(count);
    with_deep_stack(|| {
        let start = Instant::now();
        let encoding = Encoding::new(&relation, &Budget::default()).expect("within the budget");
        println!("encoded in {:.3} s", start.elapsed().as_secs_f64());
        let nowhere = encoding.kernel().constant(false);
        let reached = encoding.reach(&nowhere, Strategy::Chaining, &mut ()).expect("within the budget");
        let reachable = reached.reachable.expect("without a target everything is seen");
        println!("{} rounds, {} nodes", reached.rounds, oxidd::Function::node_count(&reachable));
        println!("{} states reached after {:.3} s", encoding.count(&reachable), start.elapsed().as_secs_f64());
        let dead = encoding.deadlocks().expect("within the budget");
        let found = encoding.reach(&dead, Strategy::Chaining, &mut ()).expect("within the budget");
        let length = found.trace.map(|t| t.length());
        println!("deadlock after {length:?} steps, found after {:.3} s", start.elapsed().as_secs_f64());
    });
}
