//! Walks, trails and hunts through relations.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use lurcher_ir::relation::Relation;
use lurcher_search::{
    Advance, Bias, Budget, End, Found, FoundKind, Hunt, HuntPlan, Keep, Kind, Member, RelationDomain, RelationGuidance,
    RelationObjective, RelationSpace, Selection, Until, WalkDomain, WalkPlan, Walker, bfs, fair_run,
};
use lurcher_system::relation::Oracle;

use crate::brute::{Brute, Valuation};
use crate::fairness::assert_is_fair;
use crate::generate::{self, Numbers};
use crate::judge::assert_is_run;
use crate::rounds;

/// Likes small sums.
struct Sum;

impl RelationGuidance for Sum {
    fn score(&self, valuation: &[i64]) -> u32 {
        valuation.iter().map(|v| v.rem_euclid(8) as u32).sum()
    }

    fn max(&self) -> u32 {
        64
    }
}

fn subject(numbers: &mut Numbers, relation: &mut Relation) -> RelationObjective {
    let invariants = (0..2).map(|_| generate::about_state(numbers, relation, false)).collect();
    RelationObjective { invariants, deadlock: true, fair: false }
}

fn plans() -> Vec<WalkPlan> {
    let mut plans = Vec::new();
    for kind in [Kind::Walk, Kind::Trail] {
        for selection in [Selection::TryAChild, Selection::AllChildren] {
            for (until, chain) in [(Until::End, 1), (Until::Repeats(3), 1), (Until::End, 3)] {
                plans.push(WalkPlan { kind, selection, until, chain, depth: 60, bias: Bias::Linear, reverse: false });
            }
        }
    }
    plans
}

fn assert_shows(relation: &Relation, brute: &Brute, subject: &RelationObjective, found: &Found<Valuation>) {
    let run = &found.path;
    assert_is_run(relation, run);
    let last = run.steps.last().expect("a run has a state");
    match found.kind {
        FoundKind::Watched(index) => {
            assert!(!Oracle::new(relation).holds(subject.invariants[index as usize], last))
        }
        FoundKind::Deadlock => assert!(brute.successors(relation, last).is_empty()),
        FoundKind::Cycle => assert_is_fair(relation, run),
        _ => panic!("{found:?}"),
    }
}

#[test]
fn what_walks_find_is_there_and_they_find_most_of_what_is_there() {
    let (mut there, mut found) = (0, 0);
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 6_000_000);
        let mut relation = generate::relation(&mut numbers, 30);
        let subject = subject(&mut numbers, &mut relation);
        let brute = Brute::new(&relation);
        let budget = Budget::default();
        let mut space = RelationSpace::new(&relation, &subject.invariants, true, &budget);
        let violated = !bfs(&mut space, &budget, &mut ()).found.is_empty();
        let domain = RelationDomain::<Sum>::new(&relation, &subject);
        let mut walker = Walker::new(domain.position());
        for (number, plan) in plans().into_iter().enumerate() {
            let guide = (number % 2 == 1).then(|| Arc::new(Sum));
            let mut any = false;
            for index in 0..20 {
                let keep = Keep { path: true, ..Keep::default() };
                let walked = walker.run(plan, guide.clone(), (round, index), keep, || false);
                let plain = walker.run(plan, guide.clone(), (round, index), Keep::default(), || false);
                assert_eq!((walked.end, walked.steps, walked.tries), (plain.end, plain.steps, plain.tries));
                assert_eq!(walked.end == End::Violation, walked.found.is_some());
                if let Some(found) = walked.found {
                    any = true;
                    assert_shows(&relation, &brute, &subject, &found);
                    let distinct: HashSet<&Valuation> = found.path.steps.iter().collect();
                    let trail = plan.kind == Kind::Trail && plan.chain == 1;
                    assert!(!trail || distinct.len() == found.path.steps.len());
                }
            }
            assert!(violated || !any, "round {round}");
            there += u64::from(violated);
            found += u64::from(any);
        }
    }
    assert!(there > 0 && found * 100 >= there * 97, "{found} of {there}");
}

#[test]
fn lassos_of_walks_are_fair_runs() {
    let mut found = 0;
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 7_000_000);
        let relation = generate::relation(&mut numbers, 20);
        let subject = RelationObjective { fair: true, ..RelationObjective::default() };
        let brute = Brute::new(&relation);
        let fair = fair_run(&relation, &Budget::default(), &mut ()).run.is_some();
        let domain = RelationDomain::<Sum>::new(&relation, &subject);
        let mut walker = Walker::new(domain.position());
        for plan in plans() {
            for index in 0..10 {
                let keep = Keep { path: true, ..Keep::default() };
                if let Some(shown) = walker.run(plan, None, (round, index), keep, || false).found {
                    assert!(fair, "round {round}");
                    assert_shows(&relation, &brute, &subject, &shown);
                    found += 1;
                }
            }
        }
    }
    assert!(found > rounds());
}

#[test]
fn all_children_draws_every_successor_alike() {
    for round in 0..rounds() / 20 {
        let mut numbers = Numbers(round + 8_000_000);
        let relation = generate::relation(&mut numbers, 12);
        let domain = RelationDomain::<Sum>::new(&relation, &RelationObjective::default());
        let brute = Brute::new(&relation);
        let mut walker = Walker::new(domain.position());
        let plan = WalkPlan { selection: Selection::AllChildren, depth: 1, ..WalkPlan::default() };
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        let Some(initial) = brute.initial.first().filter(|_| brute.initial.len() == 1) else { continue };
        let successors = brute.successors(&relation, initial);
        if successors.contains(initial) || successors.len() < 2 {
            continue;
        }
        let walks = 2000 * successors.len() as u32;
        let first = walker.run(WalkPlan { depth: 0, ..plan }, None, (1, 0), Keep::default(), || false).seen;
        for index in 0..u64::from(walks) {
            let walked = walker.run(plan, None, (round, index), Keep::default(), || false);
            walked.seen.iter().filter(|s| !first.contains(s)).for_each(|s| *counts.entry(*s).or_default() += 1);
        }
        assert_eq!(counts.len(), successors.len());
        assert!(counts.values().all(|c| c.abs_diff(2000) < 300), "{counts:?}");
    }
}

#[test]
fn a_hunt_has_one_answer_on_any_number_of_threads() {
    for round in 0..rounds() / 10 {
        let mut numbers = Numbers(round + 9_000_000);
        let mut relation = generate::relation(&mut numbers, 200);
        let invariants = vec![generate::about_state(&mut numbers, &mut relation, false)];
        let subject = RelationObjective { invariants, deadlock: round % 2 == 0, fair: false };
        let mut answers = Vec::new();
        for jobs in [1, 3] {
            let member = |name: &str, plan, guided: bool| Member {
                name: name.to_owned(),
                plan,
                growing_from: Some(4),
                guide: guided.then(|| ("sum".to_owned(), Arc::new(Sum))),
            };
            let trail = WalkPlan { kind: Kind::Trail, depth: 64, ..WalkPlan::default() };
            let members = vec![
                member("walk", WalkPlan { depth: 64, ..WalkPlan::default() }, false),
                member("trail", trail, true),
            ];
            let plan = HuntPlan { seed: round, jobs, first: 0, last: Some(100), walks: None, saturation: None };
            let mut hunt = Hunt::new(RelationDomain::new(&relation, &subject), members, plan);
            let answer = loop {
                match hunt.advance(&Budget::default(), &mut ()) {
                    Advance::Going => {}
                    Advance::Found(number, member, found) => {
                        break Some((number, member, found.kind.clone(), found.path.clone()));
                    }
                    Advance::Stopped(_) => break None,
                }
            };
            let state = &hunt.state;
            answers.push((answer, state.steps, state.tries, state.seen.distinct(), state.coverage.clone()));
        }
        assert_eq!(answers[0], answers[1], "round {round}");
    }
}
