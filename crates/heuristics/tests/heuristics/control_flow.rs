use lurcher_heuristics::registry::Settings;
use lurcher_heuristics::{ExtendedFlow, LocalDistance, ReachabilityGraph, Target};
use lurcher_ir::{Model, PropertyKind};
use lurcher_search::Guidance;
use lurcher_system::{Interpreter, ProcessId, State};

use super::{NONE, assert_consistent, each_violated, interpreter, overestimated, read, registered, scrambled};

/// The values of a state without and with data, and the greatest values.
fn values(model: &Model, target: &Target, state: impl Fn(&Interpreter<'_>) -> State) -> [(u32, u32); 2] {
    let interpreter = interpreter(model);
    ["distance-fsm", "distance-efsm"].map(|name| {
        let guide = registered(name, &interpreter, target, &Settings::default()).expect("a guide").guide;
        (guide.of_state(&state(&interpreter), NONE), guide.max())
    })
}

/// The values of the initial state of a text.
fn initial(text: &str, target: &Target) -> [u32; 2] {
    values(&read(text), target, |interpreter| interpreter.initial().expect("it starts")).map(|(value, _)| value)
}

#[test]
fn loops_are_counted_where_constants_decide_them() {
    let text = "active proctype P() { byte i; do :: i < 3 -> i++ :: i >= 3 -> break od; assert(false) }";
    assert_eq!(initial(text, &Target::Assertion), [2, 8]);
    let elements = "active proctype P() { byte i, a[2]; a[1] = 2; do :: i < a[1] -> i = i + 1 :: else -> break od; assert(false) }";
    // An assignment, two rounds, `else` and the assertion.
    assert_eq!(initial(elements, &Target::Assertion), [3, 7]);
}

#[test]
fn assertions_that_hold_and_branches_that_cannot_be_taken_are_left_out() {
    let holds = "active proctype P() { byte x = 1; assert(x == 1); skip; assert(x == 2) }";
    assert_eq!(initial(holds, &Target::Assertion), [1, 3]);
    let passed = "chan c = [1] of { byte }; byte y; active proctype P() { byte x = 5; c?x;
        if :: x == 1 -> assert(x == 1) :: x == 2 -> y = 1; y = 2; assert(x == 1) fi }";
    // The receive makes x unknown, and a guard that was passed tells its value.
    assert_eq!(initial(passed, &Target::Assertion), [3, 5]);
    let number = "active [3] proctype P() { if :: _pid == 2 -> skip; assert(false) :: else -> skip fi }";
    let model = read(number);
    let moved = |interpreter: &Interpreter<'_>| {
        let mut state = interpreter.initial().expect("it starts");
        let mut moves = Vec::new();
        interpreter.moves(&state, &mut moves);
        let own = moves.iter().find(|m| m.process == ProcessId(0)).expect("it can move");
        interpreter.apply(&mut state, own);
        state
    };
    // Process 0 has taken the other branch; only process 2 can take the first.
    assert_eq!(values(&model, &Target::Assertion, moved).map(|v| v.0), [3, 3]);
    let none = number.replace("_pid == 2", "_pid == 3");
    let [fsm, (value, max)] = values(&read(&none), &Target::Assertion, moved);
    assert_eq!((fsm.0, value), (3, max));
}

#[test]
fn created_processes_start_with_their_arguments() {
    let text = "proctype Q(byte n) { if :: n == 1 -> assert(false) :: else -> skip fi }
        init { skip; run Q(0); run Q(1) }";
    let model = read(text);
    let [fsm, efsm] = values(&model, &Target::Assertion, |interpreter| interpreter.initial().expect("it starts"));
    // Without calls the initial process reaches no assertion.
    assert_eq!((fsm.0, efsm.0), (fsm.1, 5));
    let interpreter = interpreter(&model);
    assert!(!LocalDistance::control_flow(&interpreter, &Target::Assertion).admissible());
}

#[test]
fn a_process_cannot_block_where_a_guard_is_known_to_hold() {
    let text = "byte g; active [2] proctype P() { byte i; do :: i < 4 -> i++ :: i == 4 -> g == 1; i = 0 od }";
    // Four rounds of two steps, and the guard: twice.
    assert_eq!(initial(text, &Target::Deadlock), [0, 18]);
}

#[test]
fn variables_with_too_many_values_are_given_up() {
    let text = "active proctype P() { byte a, b, c; bit d;
        do :: a++ :: b = b + a :: c = c + b :: a == 3 && b == 4 && c == 5 && d == 0 -> break :: d == 1 -> assert(false) od;
        d = 1; assert(d == 0) }";
    let model = read(text);
    let interpreter = interpreter(&model);
    let heuristic = ExtendedFlow::new(&interpreter, &Target::Assertion);
    assert!(heuristic.len() <= 20_000, "{}", heuristic.len());
    // a and d are still known: three increments, the guard, and not the near assertion.
    assert_eq!(heuristic.of_state(&interpreter.initial().expect("it starts"), NONE), 6);
}

#[test]
fn an_else_beside_a_timeout_in_a_deterministic_sequence_can_be_taken() {
    let text = "byte x; active proctype P() { do :: d_step { timeout; x = 1 } :: else -> assert(false) od }";
    let model = read(text);
    let interpreter = interpreter(&model);
    for heuristic in [
        &LocalDistance::control_flow(&interpreter, &Target::Assertion) as &dyn Guidance,
        &ExtendedFlow::new(&interpreter, &Target::Assertion),
    ] {
        assert_eq!(heuristic.of_state(&interpreter.initial().expect("it starts"), NONE), 2);
    }
}

/// Holds both distances to what they claim on a model's states; returns whether they told anything.
fn assert_claims(name: &str, interpreter: &Interpreter<'_>, target: &Target, graph: &ReachabilityGraph) -> [bool; 2] {
    let fsm = LocalDistance::control_flow(interpreter, target);
    let efsm = ExtendedFlow::new(interpreter, target);
    let start = interpreter.initial().expect("it starts");
    if fsm.admissible() {
        assert_eq!(overestimated(interpreter, &fsm, graph), None, "{name}: distance-fsm to {target:?}");
        assert_consistent(name, interpreter, &fsm, graph, false);
    }
    assert_eq!(overestimated(interpreter, &efsm, graph), None, "{name}: distance-efsm to {target:?}");
    assert_consistent(name, interpreter, &efsm, graph, false);
    let mut state = start.clone();
    for number in 0..graph.len() {
        let claim = graph.load(interpreter, number, &mut state);
        let (plain, extended) = (fsm.of_state(&state, claim), efsm.of_state(&state, claim));
        // The greatest value stands for no reachable goal.
        let no_goal = plain == fsm.max() || extended == efsm.max();
        assert!(!fsm.admissible() || no_goal || plain <= extended, "{name}: {plain} {extended}");
    }
    [fsm.admissible() && fsm.of_state(&start, NONE) > 0, efsm.of_state(&start, NONE) > fsm.of_state(&start, NONE)]
}

#[test]
fn distances_never_exceed_the_true_ones_on_the_models() {
    let (mut checked, mut told) = (0, [0; 2]);
    each_violated(|name, interpreter, target, graph| {
        let told_here = assert_claims(name, interpreter, target, graph);
        checked += 1;
        told.iter_mut().zip(told_here).for_each(|(count, told)| *count += u32::from(told));
    });
    assert!(checked >= 30 && told[0] >= 10 && told[1] >= 4, "{checked} {told:?}");
}

/// A random program with local data, channels, creation, chains and choices.
struct Program {
    seed: usize,
    draws: usize,
}

impl Program {
    fn below(&mut self, bound: u64) -> u64 {
        self.draws += 1;
        scrambled(self.seed * 7919 + self.draws) % bound
    }

    fn pick(&mut self, texts: &[&str]) -> String {
        let text = texts[self.below(texts.len() as u64) as usize];
        text.replace('K', &self.below(4).to_string())
    }

    fn guard(&mut self) -> String {
        self.pick(&[
            "a == K",
            "a < K",
            "b != K && a > 0",
            "a == K && b == K",
            "g == K",
            "_pid == K",
            "c?[1]",
            "timeout",
        ])
    }

    fn statement(&mut self, depth: u32, creates: bool) -> String {
        let simple =
            ["a = (a + K) % 4", "b = a", "a = K", "a = g", "g = a", "g = K", "c!a", "c?b", "c?K", "skip", "r!K", "r?a"];
        match self.below(if depth == 0 { 9 } else { 14 }) {
            0..=5 => self.pick(&simple),
            6 | 7 => self.pick(&[
                "assert(a != K)",
                "assert(b <= K)",
                "assert(g != K || a == b)",
                "d_step { a = K; b = a; g = b }",
            ]),
            8 if creates => self.pick(&["run Q(a, K)", "run Q(K, b)"]),
            8 => "c?<b>".to_owned(),
            9 | 10 => {
                let (one, two) = (self.body(depth - 1, creates), self.body(depth - 1, creates));
                let other = if self.below(2) == 0 { "else".to_owned() } else { self.guard() };
                format!("if :: {} -> {one} :: {other} -> {two} fi", self.guard())
            }
            11 | 12 => {
                // Nothing is created inside a loop, so that there are few processes.
                let (one, two) = (self.body(depth - 1, false), self.body(0, false));
                format!("do :: {} -> {one} :: {} -> {two}; break od", self.guard(), self.guard())
            }
            _ => format!("atomic {{ {} }}", self.body(depth - 1, creates)),
        }
    }

    fn body(&mut self, depth: u32, creates: bool) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.statement(depth, creates)).collect::<Vec<_>>().join("; ")
    }

    fn text(&mut self) -> String {
        let (p, q, init) = (self.body(2, false), self.body(2, false), self.body(2, true));
        format!(
            "byte g; chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }};
             active [2] proctype P() {{ byte a, b; {p} }}
             proctype Q(byte a, b) {{ {q} }}
             init {{ byte a = 1, b; {init} }}"
        )
    }
}

#[test]
fn distances_never_exceed_the_true_ones_on_random_programs() {
    let rounds = std::env::var("LURCHER_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let (mut checked, mut told) = ([0; 2], [0; 2]);
    for seed in 1..=rounds {
        let text = Program { seed, draws: 0 }.text();
        let model = read(&text);
        let interpreter = interpreter(&model);
        for target in Target::of_property(&model, &PropertyKind::Safety, None) {
            let Some(graph) = ReachabilityGraph::explore(&interpreter, &target, 4_000) else { continue };
            if graph.distance(0).is_some() {
                let told_here = assert_claims(&text, &interpreter, &target, &graph);
                checked[usize::from(matches!(target, Target::Assertion))] += 1;
                told.iter_mut().zip(told_here).for_each(|(count, told)| *count += u32::from(told));
            }
        }
    }
    assert!(checked.iter().all(|&n| n >= 40) && told.iter().all(|&n| n >= 20), "{checked:?} {told:?}");
}
