//! Walks choose steps with the stated probabilities, on graphs small enough to know them.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use lurcher::Model;
use lurcher_ir::{LocationId, Property, PropertyKind};
use lurcher_search::Semantics;
use lurcher_search::{
    Bias, End, FoundKind, Guidance, Keep, Kind, Prepared, ProcessPosition, Scores, Selection, Until, WalkPlan, Walked,
    Walker,
};
use lurcher_system::{ProcessId, State};

use support::{processes, promela, safety};

/// A guide that scores what the process of a number does, or states by the first global.
enum Toy {
    Steps([u32; 3]),
    States,
}

impl Guidance for Toy {
    fn scores(&self) -> Scores {
        match self {
            Toy::Steps(_) => Scores::Steps,
            Toy::States => Scores::States,
        }
    }

    fn max(&self) -> u32 {
        4
    }

    fn of_state(&self, state: &State, _: LocationId) -> u32 {
        // The first global stands behind the numbers of processes and channels.
        u32::from(state.bytes()[4])
    }

    fn of_step(&self, _: &State, _: LocationId, process: ProcessId, _: u16) -> u32 {
        let Toy::Steps(scores) = self else { unreachable!("it scores states") };
        scores[usize::from(process.0)]
    }
}

/// Makes walks and hands each to `note`.
fn walks(model: &Model, plan: WalkPlan, guide: Option<&Arc<Toy>>, count: u64, mut note: impl FnMut(Walked)) {
    walks_for(model, (&safety(), false), plan, guide, count, &mut note);
}

/// The same for a property, possibly under weak fairness.
fn walks_for(
    model: &Model,
    (property, fair): (&Property, bool),
    plan: WalkPlan,
    guide: Option<&Arc<Toy>>,
    count: u64,
    note: &mut impl FnMut(Walked),
) {
    let prepared =
        Prepared::new(processes(model), property, Semantics { fair, ..Semantics::default() }).expect("a small formula");
    let interpreter = prepared.interpreter();
    let initial = interpreter.initial().expect("it starts");
    let mut walker = Walker::new(ProcessPosition::new(&interpreter, &prepared.objective, &initial));
    for index in 0..count {
        note(walker.run(plan, guide.cloned(), (5, index), Keep { path: true, ..Keep::default() }, || false));
    }
}

/// Where walks ended in a failed assertion: line → how often.
fn lines(model: &Model, plan: WalkPlan, guide: Option<&Arc<Toy>>, count: u64) -> BTreeMap<u32, f64> {
    let mut counts = BTreeMap::new();
    walks(model, plan, guide, count, |walked| {
        if let Some(FoundKind::Step(violation)) = walked.found.map(|f| f.kind) {
            *counts.entry(model.sources().line(violation.span())).or_insert(0.0) += 1.0 / count as f64;
        }
    });
    counts
}

fn assert_shares(got: &BTreeMap<u32, f64>, expected: &[(u32, f64)]) {
    assert_eq!(got.len(), expected.len(), "{got:?}");
    for (line, share) in expected {
        assert!((got[line] - share).abs() < 0.02, "line {line}: {} instead of {share}; {got:?}", got[line]);
    }
}

/// Three processes: with one enabled step, with two of three, and with none.
const UNEVEN: &str = "byte x;
active proctype P() { assert(false) }
active proctype Q() { if
:: assert(false)
:: assert(false)
:: x > 0 -> skip
fi }
active proctype R() { x > 0 }
";

#[test]
fn try_a_child_is_uniform_over_processes_then_over_their_branches() {
    let plan = WalkPlan { selection: Selection::TryAChild, ..WalkPlan::default() };
    assert_shares(&lines(&promela(UNEVEN), plan, None, 12_000), &[(2, 0.5), (4, 0.25), (5, 0.25)]);
}

#[test]
fn all_children_is_uniform_over_all_possible_steps() {
    let plan = WalkPlan { selection: Selection::AllChildren, ..WalkPlan::default() };
    assert_shares(&lines(&promela(UNEVEN), plan, None, 12_000), &[(2, 1.0 / 3.0), (4, 1.0 / 3.0), (5, 1.0 / 3.0)]);
}

#[test]
fn a_guide_that_scores_steps_biases_both_selections() {
    let model = promela(UNEVEN);
    // Weights by max − h: 3 for P, 1 for each branch of Q, 4 for R, which is never possible.
    let guide = Arc::new(Toy::Steps([1, 3, 0]));
    for selection in [Selection::TryAChild, Selection::AllChildren] {
        let plan = WalkPlan { selection, bias: Bias::Thesis, ..WalkPlan::default() };
        assert_shares(&lines(&model, plan, Some(&guide), 12_000), &[(2, 0.6), (4, 0.2), (5, 0.2)]);
        let plan = WalkPlan { bias: Bias::Linear, ..plan };
        assert_shares(&lines(&model, plan, Some(&guide), 12_000), &[(2, 0.5), (4, 0.25), (5, 0.25)]);
        let plan = WalkPlan { reverse: true, bias: Bias::Thesis, ..plan };
        assert_shares(&lines(&model, plan, Some(&guide), 12_000), &[(2, 1.0 / 7.0), (4, 3.0 / 7.0), (5, 3.0 / 7.0)]);
    }
    // All scores at the maximum: the thesis's weights are all 0, and the choice is uniform.
    let plan = WalkPlan { selection: Selection::AllChildren, bias: Bias::Thesis, ..WalkPlan::default() };
    let third = 1.0 / 3.0;
    assert_shares(
        &lines(&model, plan, Some(&Arc::new(Toy::Steps([4, 4, 4]))), 12_000),
        &[(2, third), (4, third), (5, third)],
    );
}

#[test]
fn steep_bias_halves_with_each_unit_and_never_gives_weight_0() {
    let plan = WalkPlan { bias: Bias::Steep, ..WalkPlan::default() };
    // Q is two units worse than P: each of its branches weighs a quarter.
    let got = lines(&promela(UNEVEN), plan, Some(&Arc::new(Toy::Steps([1, 3, 1]))), 12_000);
    assert_shares(&got, &[(2, 4.0 / 6.0), (4, 1.0 / 6.0), (5, 1.0 / 6.0)]);
    let mut weights = [0, 40];
    Bias::Steep.weigh(&mut weights, 40, false);
    assert!(weights[1] >= 1 && weights[0] > 1000 * weights[1]);
}

#[test]
fn a_guide_that_scores_states_is_evaluated_on_successors() {
    let text = "byte h = 9;
active proctype P() { if
:: h = 1; assert(false)
:: h = 3; assert(false)
:: h = 4; assert(false)
fi }
";
    for selection in [Selection::TryAChild, Selection::AllChildren] {
        let plan = WalkPlan { selection, bias: Bias::Thesis, ..WalkPlan::default() };
        assert_shares(&lines(&promela(text), plan, Some(&Arc::new(Toy::States)), 12_000), &[(3, 0.75), (4, 0.25)]);
    }
}

/// From a to b or c, from b to a or c; c is the end.
const TRIANGLE: &str = "active proctype P() {
a: if :: goto b :: goto c fi;
b: if :: goto a :: goto c fi;
c: assert(false)
}
";

#[test]
fn trails_renormalise_over_unvisited_successors() {
    let model = promela(TRIANGLE);
    let lengths = |kind| {
        let mut lengths: BTreeMap<u32, f64> = BTreeMap::new();
        let plan = WalkPlan { kind, ..WalkPlan::default() };
        walks(&model, plan, None, 12_000, |w| *lengths.entry(w.steps as u32).or_insert(0.0) += 1.0 / 12_000.0);
        lengths
    };
    let trail = lengths(Kind::Trail);
    assert_shares(&trail, &[(2, 0.5), (3, 0.5)]);
    let walk = lengths(Kind::Walk);
    assert!((walk[&2] - 0.5).abs() < 0.02 && (walk[&3] - 0.25).abs() < 0.02 && (walk[&4] - 0.125).abs() < 0.02);
}

#[test]
fn a_walk_ends_by_depth_leaf_loop_or_repeats() {
    let circle = promela("byte x; active proctype P() { do :: x = (x + 1) % 5 od }");
    let end = |plan| {
        let mut ends = Vec::new();
        walks(&circle, plan, None, 1, |w| ends.push((w.end, w.steps)));
        ends[0]
    };
    assert_eq!(end(WalkPlan { depth: 33, ..WalkPlan::default() }), (End::Depth, 33));
    assert_eq!(end(WalkPlan { until: Until::Repeats(1), ..WalkPlan::default() }), (End::Repeats, 5));
    assert_eq!(end(WalkPlan { until: Until::Repeats(7), ..WalkPlan::default() }), (End::Repeats, 11));
    assert_eq!(end(WalkPlan { kind: Kind::Trail, ..WalkPlan::default() }), (End::Leaf, 4));
    let line = promela("byte x; active proctype P() { x = 1; x = 2 }");
    walks(&line, WalkPlan::default(), None, 1, |w| assert_eq!((w.end, w.steps), (End::Leaf, 3)));
}

#[test]
fn a_chain_restarts_at_a_state_of_the_previous_walk() {
    // A walk of 20 steps cannot count to 50; a chain of such walks can, and its path starts at the beginning.
    let model = promela("byte n; active proctype P() { do :: n < 50 -> n++ :: n == 50 -> assert(false) od }");
    let mut found = [0, 0];
    for (chain, found) in [1, 64].into_iter().zip(&mut found) {
        walks(&model, WalkPlan { chain, depth: 20, ..WalkPlan::default() }, None, 50, |w| {
            if let Some(f) = w.found {
                assert_eq!(f.path.steps.len(), 102);
                *found += 1;
            }
        });
    }
    assert_eq!(found, [0, 50]);
}

#[test]
fn the_bound_holds_over_many_seeds() {
    // A walk finds the violation with probability 1/8. After ln δ / ln(1 − ε) walks with ε = 1/8, at most a share
    // δ of the seeds has seen nothing.
    let text = "active proctype P() { byte n; do
        :: n < 3 -> if :: n++ :: goto out fi
        :: n == 3 -> assert(false)
        od; out: skip }";
    let model = promela(text);
    let delta: f64 = 0.1;
    let walks_each = (delta.ln() / (1.0f64 - 0.125).ln()).ceil() as u64;
    let mut unlucky = 0;
    let seeds = 1500;
    let mut all = Vec::new();
    walks(&model, WalkPlan::default(), None, seeds * walks_each, |w| all.push(w.found.is_some()));
    for group in all.chunks(walks_each as usize) {
        unlucky += u64::from(!group.contains(&true));
    }
    let share = unlucky as f64 / seeds as f64;
    assert!(share < delta + 0.025 && share > delta - 0.05, "{share}");
}

#[test]
fn lassos_are_found_in_the_product_and_only_accepting_and_fair_ones() {
    let text = "bool p, q;
active proctype P() { do :: p = !p od }
active proctype Q() { q = true }
ltl sometimes { <> q }
ltl always { [] (p -> <> !p) }
";
    let model = promela(text);
    let found = |name: &str, fair: bool, kind: Kind| {
        let property = processes(&model).properties.iter().find(|p| p.name == name).expect("stated");
        let mut found = 0;
        let plan = WalkPlan { kind, depth: 60, ..WalkPlan::default() };
        walks_for(&model, (property, fair), plan, None, 200, &mut |w| {
            if let Some(f) = w.found {
                assert_eq!(f.kind, FoundKind::Cycle);
                assert!(f.path.cycle_start.is_some_and(|c| c < f.path.steps.len()));
                found += 1;
            }
        });
        found
    };
    for kind in [Kind::Walk, Kind::Trail] {
        assert!(found("sometimes", false, kind) > 50, "Q may be neglected for ever");
        assert_eq!(found("sometimes", true, kind), 0, "a fair run lets Q move");
        assert_eq!(found("always", false, kind), 0, "p never stays true while P moves, and P always does");
    }
}

#[test]
fn non_progress_and_stopped_runs_are_lassos_too() {
    let model = promela("byte x; active proctype P() { do :: x = 1 - x :: x = 2; progress: x = 0 od }");
    let property = Property::built_in("np", PropertyKind::NonProgress);
    let mut found = 0;
    walks_for(&model, (&property, false), WalkPlan::default(), None, 20, &mut |w| {
        found += u32::from(w.found.is_some())
    });
    assert!(found > 2, "{found} of 20");
    let model = promela("byte x; active proctype P() { x = 1 } ltl two { <> (x == 2) }");
    let mut kinds = Vec::new();
    let property = &processes(&model).properties[0];
    walks_for(&model, (property, false), WalkPlan::default(), None, 20, &mut |w| kinds.push(w.found.map(|f| f.kind)));
    assert!(kinds.iter().all(|k| *k == Some(FoundKind::Cycle)), "{kinds:?}");
}
