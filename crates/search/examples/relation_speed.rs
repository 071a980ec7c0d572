//! How many variable updates a second do walks through a relation make?
//!
//! A synchronous model of a hundred machines: modes that follow their neighbours, timers, requests that come and go at
//! random. Prints updates a second for bare steps and for whole walks, on one thread, in time that the processor gave to
//! it where the system tells (Linux), so that other work on the machine does not count. Arguments: steps, and machines
//! of four variables each.

use std::time::Instant;

use lurcher_ir::relation::{
    Assignment, BinaryTerm, Domain, Relation, TermId, Transition, Variable, VariableId, VariableRole,
};
use lurcher_search::{
    Budget, Draws, Keep, LurchPlan, RelationDomain, RelationObjective, Until, WalkDomain, WalkPlan, Walker, lurch,
};
use lurcher_syntax::Span;
use lurcher_system::relation::Stepper;

/// A ring of machines, each with a mode, a timer, and a request that is given at random.
fn model(machines: u32) -> Relation {
    let mut relation = Relation::default();
    let mut add = |name: String, domain| {
        relation.add_variable(Variable { name, role: VariableRole::State, domain, span: Span::default() })
    };
    let each: Vec<[VariableId; 4]> = (0..machines)
        .map(|i| {
            [
                add(format!("mode{i}"), Domain::Range(0, 3)),
                add(format!("timer{i}"), Domain::Range(0, 9)),
                add(format!("request{i}"), Domain::Boolean),
                add(format!("busy{i}"), Domain::Boolean),
            ]
        })
        .collect();
    let mut transition = Transition::default();
    for (index, &[mode, timer, request, busy]) in each.iter().enumerate() {
        let [before, ..] = each[(index + each.len() - 1) % each.len()];
        let terms = &mut relation.terms;
        let (m, t, r, b) = (terms.current(mode), terms.current(timer), terms.current(request), terms.current(busy));
        let (neighbour, zero, one) = (terms.current(before), terms.value(0), terms.value(1));
        let rests = terms.is(m, 0);
        let called = terms.binary(BinaryTerm::And, rests, r);
        let late = terms.is(t, 9);
        let ahead = terms.binary(BinaryTerm::Lt, m, neighbour);
        let calm = terms.not(b);
        let rises = terms.binary(BinaryTerm::And, ahead, calm);
        let more = terms.binary(BinaryTerm::Add, m, one);
        let either = terms.choice(vec![m, zero]);
        let stays = terms.ite(rises, more, either);
        let or_late = terms.ite(late, zero, stays);
        let new_mode = terms.ite(called, one, or_late);
        let (next_mode, ticked) = (terms.next(mode), terms.binary(BinaryTerm::Add, t, one));
        let changed = terms.binary(BinaryTerm::Eq, next_mode, m);
        let stop = terms.not(changed);
        let reset = terms.binary(BinaryTerm::Or, stop, late);
        let new_timer = terms.ite(reset, zero, ticked);
        let any = terms.choice(vec![zero, one]);
        let new_request = terms.ite(r, one, any);
        let answered = terms.is(next_mode, 1);
        let new_request = terms.ite(answered, zero, new_request);
        let new_busy: TermId = terms.binary(BinaryTerm::Lt, one, next_mode);
        for (variable, value) in [(mode, new_mode), (timer, new_timer), (request, new_request), (busy, new_busy)] {
            transition.block.assignments.push(Assignment { variable, value, span: Span::default() });
            relation.initial.assignments.push(Assignment { variable, value: zero, span: Span::default() });
        }
    }
    relation.transitions.push(transition);
    let errors = lurcher_ir::relation::check::check(&relation);
    assert!(errors.is_empty(), "{errors:?}");
    relation
}

/// Seconds: of this thread on the processor, or by the clock.
fn seconds(began: Instant) -> f64 {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|s| s.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64(), |n| n as f64 / 1e9)
}

fn main() {
    let steps: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(200_000);
    let machines: u32 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(25);
    let relation = model(machines);
    let variables = relation.variables.len() as u64;
    let clock = Instant::now();
    let show = |what: &str, steps: u64, began: f64| {
        let seconds = seconds(clock) - began;
        let (updates, each) = ((steps * variables) as f64 / seconds / 1e6, seconds * 1e6 / steps as f64);
        println!("{what:<16} {updates:8.1} million variable updates a second, {each:.2} µs a step");
    };
    println!("{variables} variables, {steps} steps");

    let began = seconds(clock);
    let mut stepper = Stepper::new(&relation);
    println!("compiled in {:.1} ms", (seconds(clock) - began) * 1e3);
    let mut draws = Draws::of(1, 0);
    let initial = stepper.sample_initial(|n| draws.below(n), |_| true);
    let mut state = initial.expect("little effort").expect("there is one").to_vec();
    let began = seconds(clock);
    for _ in 0..steps {
        let step = stepper.sample_successor(&state, |n| draws.below(n), |_| true);
        state.copy_from_slice(step.expect("little effort").expect("there is one").next);
    }
    show("bare steps", steps, began);

    let domain = RelationDomain::<()>::new(&relation, &RelationObjective::default());
    let mut walker = Walker::new(domain.position());
    for (what, until) in [("walk", Until::End), ("walk, repeats", Until::Repeats(2))] {
        let plan = WalkPlan { depth: 10_000, until, ..WalkPlan::default() };
        let began = seconds(clock);
        let (mut taken, mut index) = (0, 0);
        while taken < steps {
            taken += walker.run(plan, None, (1, index), Keep { level: 10, ..Keep::default() }, || false).steps;
            index += 1;
        }
        show(what, taken, began);
    }

    let objective = RelationObjective { deadlock: true, ..Default::default() };
    let domain = RelationDomain::<()>::new(&relation, &objective);
    let plan = LurchPlan { paths: Some(steps / 10_000 + 1), ..LurchPlan::default() };
    let began = seconds(clock);
    let report = lurch(&mut domain.position(), Some(1), &plan, &Budget::default(), &mut ());
    show("lurch", report.steps, began);
}
