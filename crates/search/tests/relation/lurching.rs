//! LURCH on relations.

use lurcher_ir::relation::Relation;
use lurcher_search::{
    Budget, FoundKind, LurchPlan, LurchReport, RelationDomain, RelationObjective, RelationSpace, StopReason,
    WalkDomain, bfs, fair_run, lurch,
};
use lurcher_system::relation::Oracle;

use crate::brute::{Brute, Valuation};
use crate::fairness::assert_is_fair;
use crate::generate::{self, Numbers};
use crate::judge::{assert_is_run, distances};
use crate::rounds;

fn search(relation: &Relation, objective: &RelationObjective, plan: &LurchPlan) -> LurchReport<Valuation> {
    let properties = objective.invariants.len() + usize::from(objective.deadlock) + usize::from(objective.fair);
    let domain = RelationDomain::<()>::new(relation, objective);
    lurch(&mut domain.position(), Some(properties), plan, &Budget::default(), &mut ())
}

#[test]
fn one_search_finds_most_of_everything_and_nothing_else() {
    let (mut there, mut met) = (0, 0);
    for round in 0..rounds() {
        let mut numbers = Numbers(round + 10_000_000);
        let mut relation = generate::relation(&mut numbers, 30);
        let invariants: Vec<_> = (0..4).map(|_| generate::about_state(&mut numbers, &mut relation, false)).collect();
        let brute = Brute::new(&relation);
        let budget = Budget { all_errors: true, ..Budget::default() };
        let complete = bfs(&mut RelationSpace::new(&relation, &invariants, true, &budget), &budget, &mut ());
        let fair = fair_run(&relation, &Budget::default(), &mut ()).run.is_some();
        let subject = RelationObjective { invariants: invariants.clone(), deadlock: true, fair: true };
        let plan = LurchPlan { seed: round, depth: 100, repeats: 20, paths: Some(200), ..LurchPlan::default() };
        let report = search(&relation, &subject, &plan);
        let again = search(&relation, &subject, &plan);
        assert_eq!((report.steps, report.states, &report.curve), (again.steps, again.states, &again.curve));
        for (found, again) in report.found.iter().zip(&again.found) {
            assert_eq!(
                (&found.found.kind, found.number, found.step, &found.found.path),
                (&again.found.kind, again.number, again.step, &again.found.path)
            );
            let run = &found.found.path;
            assert_is_run(&relation, run);
            assert_eq!(run.length(), found.step);
            let last = run.steps.last().expect("a run has a state");
            match found.found.kind {
                FoundKind::Watched(i) => assert!(!Oracle::new(&relation).holds(invariants[i as usize], last)),
                FoundKind::Deadlock => assert!(brute.successors(&relation, last).is_empty()),
                FoundKind::Cycle => assert_is_fair(&relation, run),
                _ => panic!("{found:?}"),
            }
        }
        there += complete.found.len() + usize::from(fair);
        met += report.found.len();
        assert!(report.found.len() <= complete.found.len() + usize::from(fair), "round {round}");
        assert!(report.states <= distances(&relation, &brute).len() as u64);
        assert!(report.curve.is_sorted_by_key(|p| (p.steps, p.states)));
        let over = [StopReason::Walks, StopReason::Violation, StopReason::Complete].contains(&report.stop);
        assert!(over, "{:?}", report.stop);
    }
    assert!(met * 100 >= there * 97, "{met} of {there}");
}

#[test]
fn a_search_stops_when_little_is_new_or_its_table_is_full() {
    let mut numbers = Numbers(77);
    let mut stopped = 0;
    for round in 0..50 {
        let relation = generate::relation(&mut numbers, 4000);
        let subject = RelationObjective { invariants: Vec::new(), deadlock: true, fair: true };
        let plan = LurchPlan { seed: round, saturation: Some(0.01), paths: Some(20_000), ..LurchPlan::default() };
        let report = search(&relation, &subject, &plan);
        stopped += u64::from(report.stop == StopReason::Saturation);
        let tiny = LurchPlan { memory: 0, saturation: None, paths: Some(2000), ..plan };
        let report = search(&relation, &subject, &tiny);
        assert!(report.states <= 768 && (report.full || report.states < 768));
    }
    assert!(stopped > 10, "{stopped}");
}
