//! LURCH on process models: every violation it reports replays.

mod support;

use lurcher_search::{Budget, FoundKind, LurchPlan, Objective, ProcessPosition, StopReason, lurch};
use lurcher_system::{Interpreter, Limits, Violation};

use support::{processes, promela};

const MODEL: &str = "
byte x, y;
active [2] proctype P() {
    do
    :: x < 3 -> x++
    :: x > 0 -> x--; assert(y == 0)
    :: y == 0 && x == 3 -> y = 1
    :: y == 1 && x == 0 -> break
    od;
    (false)
}";

#[test]
fn assertions_and_deadlocks_are_found_in_one_search() {
    let model = promela(MODEL);
    let interpreter = Interpreter::new(processes(&model), Limits::for_model(processes(&model)));
    let initial = interpreter.initial().expect("it starts");
    let objective = Objective { claim: None, invariants: Vec::new(), end_states: true, fair: false };
    let mut position = ProcessPosition::<_, ()>::new(&interpreter, &objective, &initial);
    let plan = LurchPlan { paths: Some(300), repeats: 50, ..LurchPlan::default() };
    let report = lurch(&mut position, None, &plan, &Budget::default(), &mut ());
    assert_eq!(report.stop, StopReason::Walks);
    assert_eq!(report.found.len(), 2, "{:?}", report.found);
    for found in &report.found {
        let mut state = initial.clone();
        let mut last = None;
        assert_eq!(found.found.path.steps.len(), found.step as usize);
        for step in &found.found.path.steps {
            last = interpreter.apply(&mut state, &step.system.expect("a process moves"));
        }
        match &found.found.kind {
            FoundKind::Deadlock => {
                let mut moves = Vec::new();
                interpreter.moves(&state, &mut moves);
                assert!(moves.is_empty() && !interpreter.is_valid_end(&state));
            }
            FoundKind::Step(violation) => {
                assert!(matches!(violation, Violation::Assertion(_)));
                assert_eq!(last.as_ref(), Some(violation));
            }
            other => panic!("{other:?}"),
        }
    }
}
