//! Random specifications: every run of the stepper is legal, every mutant of a run is legal if the stepper reaches it, and merged
//! states have the same continuations.

use std::collections::{BTreeSet, HashMap, HashSet};

use lurcher_ir::timed::check::check;
use lurcher_ir::timed::{ImportedId, Model, PropertyKind, TransitionId, TransitionRef, VariableId};
use lurcher_system::timed::{
    Defect, Event, EventKind, Judgement, Options, Oracle, Outcome, Run, Search, State, Stepper, valuations,
};
use lurcher_test_support::{Random, astral, astral_request, timed_specification};

/// How many specifications are tried.
fn rounds() -> u64 {
    std::env::var("LURCHER_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(200)
}

/// The most runs up to an instant.
const MOST_RUNS: usize = 1000;

/// The most calls at an instant.
const CALLS: usize = 2;

/// Numbers that are tried.
const TRIED: (i64, i64) = (0, 2);

/// A random model with values of its constants.
fn instance(seed: u64) -> (String, Model, Vec<i64>) {
    let mut random = Random::new(seed);
    let text = timed_specification(&mut random);
    let model = astral("random", text.clone(), &astral_request("--process Own"));
    let model = model.unwrap_or_else(|said| panic!("seed {seed}:\n{text}\n{said}"));
    assert_eq!(check(&model), [""; 0], "seed {seed}:\n{text}");
    let mut constants = valuations(&model, |_| (1, 3));
    let chosen = random.below(constants.len());
    (text, model, constants.swap_remove(chosen))
}

/// All runs up to an instant, without merging.
struct All {
    /// The runs that end at each instant.
    layers: Vec<Vec<State>>,
    defects: Vec<(State, Defect)>,
}

/// All runs, up to an instant until which they are few.
fn explored(stepper: &Stepper<'_>) -> All {
    let mut all = All { layers: Vec::new(), defects: Vec::new() };
    for instant in 0..=6 {
        let successors: Vec<_> = match all.layers.last() {
            None => vec![stepper.initial()],
            Some(layer) => layer.iter().map(|state| stepper.successors(state)).collect(),
        };
        let (mut layer, mut defects) = (Vec::new(), Vec::new());
        for successors in successors {
            layer.extend(successors.states);
            defects.extend(successors.defects);
        }
        if instant > 0 && layer.len() > MOST_RUNS {
            break;
        }
        all.layers.push(layer);
        all.defects.extend(defects);
    }
    all
}

#[test]
fn runs_of_the_stepper_are_legal_and_mutants_are_legal_if_it_reaches_them() {
    let (mut runs, mut mutants, mut legal, mut undefined) = (0, 0, 0, 0);
    for seed in 1..=rounds() {
        let (text, model, constants) = instance(seed);
        let mut random = Random::new(seed ^ 0xfeed);
        let oracle = Oracle::new(&model);
        let kind = if seed % 2 == 0 { PropertyKind::Schedule } else { PropertyKind::Invariant };
        let options = Options { kind, tried: TRIED, calls: CALLS };
        let stepper = Stepper::new(&model, &constants, options);
        let all = explored(&stepper);
        let runs_of = |layer: &Vec<State>| layer.iter().map(|state| state.run(&constants)).collect::<HashSet<Run>>();
        let layers: Vec<HashSet<Run>> = all.layers.iter().map(runs_of).collect();
        let (at_end, reached) = all.layers.last().zip(layers.last()).expect("there is a layer");
        assert_eq!(reached.len(), at_end.len(), "seed {seed}: a run is listed twice\n{text}");
        for run in reached {
            assert_eq!(oracle.judge_run(run, kind), Judgement::ShowsNothing, "seed {seed}: {run:?}\n{text}");
        }
        let mut stopped = HashSet::new();
        for (state, defect) in &all.defects {
            let run = state.run(&constants);
            let judgement = oracle.judge_run(&run, kind);
            let confirmed = match defect {
                Defect::Undefined { .. } => {
                    stopped.insert(run.clone());
                    matches!(judgement, Judgement::Undefined { at, .. } if at == run.horizon)
                }
                Defect::NoExit { .. } => judgement == Judgement::ShowsNothing,
            };
            assert!(confirmed, "seed {seed}: {defect:?}, and {judgement}: {run:?}\n{text}");
        }
        runs += reached.len();
        let sample: Vec<&Run> = reached.iter().chain(&stopped).collect();
        for _ in 0..100 {
            if sample.is_empty() {
                break;
            }
            let mut mutant = sample[random.below(sample.len())].clone();
            mutate(&model, &mut mutant, &mut random);
            if !is_tried(&mutant) {
                continue;
            }
            mutants += 1;
            let judgement = oracle.judge_run(&mutant, kind);
            let canonical = canonical(&model, &mutant);
            let agrees = match &judgement {
                Judgement::ShowsNothing => {
                    legal += 1;
                    layers[canonical.horizon as usize].contains(&canonical)
                }
                Judgement::Undefined { at, .. } => {
                    undefined += 1;
                    // What starts there may be that of which it is unknown whether it is enabled.
                    let before = without_starts(&until(&canonical, *at), *at);
                    stopped.iter().any(|run| run.horizon == *at && without_starts(run, *at) == before)
                }
                Judgement::Illegal { at, .. } => {
                    let run = until(&canonical, *at);
                    let well_formed = (0..=mutant.horizon).contains(at);
                    !well_formed || !layers[*at as usize].contains(&run)
                }
                Judgement::Violates { .. } | Judgement::Undecided { .. } => false,
            };
            assert!(agrees, "seed {seed}: {judgement}: {mutant:?}\n{text}");
        }
    }
    println!("{runs} runs, {mutants} mutants: {legal} legal, {undefined} undefined");
    assert!(rounds() < 100 || (legal > 1000 && undefined > 100 && mutants > 2 * legal));
}

/// The run up to an instant.
fn until(run: &Run, at: i64) -> Run {
    let mut run = run.clone();
    run.events.retain(|event| event.at <= at);
    run.horizon = at;
    run
}

/// The run without the starts of own transitions at an instant.
fn without_starts(run: &Run, at: i64) -> Run {
    let mut run = run.clone();
    run.events.retain(|event| event.at != at || !matches!(event.kind, EventKind::Start { .. }));
    run
}

/// Whether the stepper tries all choices in a run.
fn is_tried(run: &Run) -> bool {
    let calls = |at| run.events.iter().filter(|e| e.at == at && matches!(e.kind, EventKind::Call { .. })).count();
    (0..=run.horizon).all(|at| calls(at) <= CALLS)
}

/// The run without calls that do not count.
fn canonical(model: &Model, run: &Run) -> Run {
    let mut pending = BTreeSet::new();
    let mut run = run.clone();
    run.events.retain(|event| match &event.kind {
        EventKind::Call { transition, arguments } => pending.insert((*transition, arguments.clone())),
        EventKind::Start { transition, arguments, .. } => {
            if model.transition(*transition).exported {
                pending.remove(&(TransitionRef::Own(*transition), arguments.clone()));
            }
            true
        }
        EventKind::ImportedStart { transition, arguments } => {
            pending.remove(&(TransitionRef::Imported(*transition), arguments.clone()));
            true
        }
        EventKind::Change { .. } | EventKind::ImportedEnd { .. } => true,
    });
    run
}

/// Changes a run a little.
fn mutate(model: &Model, run: &mut Run, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let at = random.below(run.horizon as usize + 1) as i64;
        let many = run.events.len();
        match random.below(7) {
            0 if many > 0 => drop(run.events.remove(random.below(many))),
            1 if many > 0 => run.events[random.below(many)].at = at,
            2 if many > 0 => {
                let event = &mut run.events[random.below(many)];
                match &mut event.kind {
                    EventKind::Change { variable, value } => *value = value_of(model, *variable, random),
                    EventKind::Start { transition, case, .. } => {
                        *case = random.below(model.transition(*transition).cases.len()) as u32;
                    }
                    EventKind::Call { arguments, .. } | EventKind::ImportedStart { arguments, .. } => {
                        arguments.iter_mut().for_each(|argument| *argument = random.below(3) as i64);
                    }
                    EventKind::ImportedEnd { .. } => {}
                }
            }
            3 => {
                let index = random.below(model.variables.len());
                run.initial[index] = value_of(model, VariableId(index as u32), random);
            }
            4 => {
                let variable = VariableId(random.below(model.variables.len()) as u32);
                let kind = EventKind::Change { variable, value: value_of(model, variable, random) };
                run.events.push(Event { at, kind });
            }
            5 if !model.imported.is_empty() => {
                let transition = ImportedId(random.below(model.imported.len()) as u32);
                let arguments = Vec::new();
                let kind = match random.below(3) {
                    0 => EventKind::Call { transition: TransitionRef::Imported(transition), arguments },
                    1 => EventKind::ImportedStart { transition, arguments },
                    _ => EventKind::ImportedEnd { transition },
                };
                run.events.push(Event { at, kind });
            }
            _ => {
                let id = TransitionId(random.below(model.transitions.len()) as u32);
                let transition = model.transition(id);
                let arguments = transition.parameters.iter().map(|_| random.below(3) as i64).collect();
                let kind = if transition.exported && random.below(2) == 0 {
                    EventKind::Call { transition: TransitionRef::Own(id), arguments }
                } else {
                    let case = random.below(transition.cases.len()) as u32;
                    EventKind::Start { transition: id, case, arguments }
                };
                run.events.push(Event { at, kind });
            }
        }
    }
    run.events.sort();
    run.events.dedup();
}

fn value_of(model: &Model, variable: VariableId, random: &mut Random) -> i64 {
    let values = model.variable(variable).domain.values().expect("variables are finite");
    values[random.below(values.len())]
}

#[test]
fn merged_states_have_the_same_continuations() {
    let (mut merged, mut single) = (0, 0);
    for seed in 1..=rounds() / 2 {
        let (text, model, constants) = instance(seed);
        for kind in [PropertyKind::Invariant, PropertyKind::Constraint, PropertyKind::Schedule] {
            let stepper = Stepper::new(&model, &constants, Options { kind, tried: TRIED, calls: CALLS });
            let all = explored(&stepper);
            let properties: Vec<usize> =
                (0..model.properties.len()).filter(|&p| model.properties[p].kind == kind).collect();
            let mut search = Search::new(&stepper, None);
            for (instant, layer) in all.layers.iter().enumerate() {
                let mut holds: HashMap<Box<[i64]>, Vec<Option<bool>>> = HashMap::new();
                for state in layer {
                    let truths: Vec<Option<bool>> = properties.iter().map(|&p| stepper.holds(state, p)).collect();
                    let known = holds.entry(stepper.key(state)).or_insert_with(|| truths.clone());
                    assert_eq!(*known, truths, "seed {seed}: {:?}\n{text}", state.run(&constants));
                }
                let outcome = search.advance(instant);
                let found: HashSet<Box<[i64]>> = search.layer().iter().map(|state| stepper.key(state)).collect();
                let wanted: HashSet<Box<[i64]>> = holds.into_keys().collect();
                assert_eq!(found, wanted, "seed {seed}, instant {instant}:\n{text}");
                merged += found.len();
                single += layer.len();
                let stops = all.defects.iter().any(|(state, defect)| match defect {
                    Defect::Undefined { .. } => state.instant() == instant,
                    Defect::NoExit { .. } => state.instant() + 1 == instant,
                });
                assert_eq!(stops, matches!(outcome, Outcome::Defect(..)), "seed {seed}, instant {instant}:\n{text}");
            }
        }
    }
    println!("{single} runs, {merged} states");
    assert!(rounds() < 100 || merged * 2 < single);
}
