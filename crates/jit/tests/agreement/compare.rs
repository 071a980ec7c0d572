//! Comparison of compiled code with the interpreter on one model.

use std::collections::{HashSet, VecDeque};

use lurcher_ir::{Expr, Model};
use lurcher_jit::{Budget, Compiled, Kernel, NotCompiled};
use lurcher_search::{Coverage, End, FoundKind, Keep, Objective, ProcessPosition, Selection, WalkPlan, Walked, Walker};
use lurcher_system::{Course, Interpreter, KernelWalk, Limits, Machine, Move, ProcessId, State, WalkEnd, WalkKernel};

use crate::cached::cached_searches;
use crate::searches::searches;

/// Amount of comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub states: u64,
    pub moves: u64,
    pub violations: u64,
    pub values: u64,
    pub walks: u64,
    pub steps: u64,
    pub searched: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.states += other.states;
        self.moves += other.moves;
        self.violations += other.violations;
        self.values += other.values;
        self.walks += other.walks;
        self.steps += other.steps;
        self.searched += other.searched;
    }
}

/// Limits of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub states: usize,
    pub walks: u64,
    pub depth: u32,
}

/// The result of a comparison.
pub enum Outcome {
    Agree(Tally),
    NotCompiled(NotCompiled),
    Differ(String),
}

/// Compares states, walks and searches of a model.
pub fn compare(model: &Model, message_loss: bool, bounds: Bounds) -> Outcome {
    let limits = Limits { message_loss, ..Limits::for_model(model) };
    let watched = expressions(model);
    let compiled = match Compiled::watching(model, limits.clone(), watched.clone(), Budget::default()) {
        Ok(compiled) => compiled,
        Err(reason) => return Outcome::NotCompiled(reason),
    };
    let mut tally = Tally::default();
    let mut check = || {
        states(&compiled, &watched, bounds.states, &mut tally)?;
        walks(model, &limits, Vec::new(), bounds, &mut tally)?;
        for invariants in [&[], &watched[..watched.len().min(1)]] {
            tally.searched += searches(model, message_loss, invariants, bounds.states as u64)?;
        }
        tally.searched += cached_searches(model, message_loss, bounds.states as u64)?;
        for expr in watched.iter().take(3) {
            walks(model, &limits, vec![expr.clone()], bounds, &mut tally)?;
        }
        Ok(())
    };
    match check() {
        Ok(()) => Outcome::Agree(tally),
        Err(difference) => Outcome::Differ(difference),
    }
}

fn expressions(model: &Model) -> Vec<Expr> {
    model.properties.iter().flat_map(|property| property.kind.exprs()).collect()
}

/// Compares moves, successors, violations and values in the first states of a breadth-first search.
fn states(compiled: &Compiled<'_>, watched: &[Expr], most: usize, tally: &mut Tally) -> Result<(), String> {
    let interpreter = compiled.interpreter();
    let Ok(initial) = interpreter.initial() else { return Ok(()) };
    let mut known: HashSet<(Vec<u8>, Option<ProcessId>)> = HashSet::new();
    known.insert((initial.bytes().to_vec(), initial.exclusive));
    let mut open = VecDeque::from([initial]);
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    while let Some(state) = open.pop_front() {
        tally.states += 1;
        interpreter.moves(&state, &mut expected);
        compiled.moves(&state, &mut found);
        if expected != found {
            return Err(format!("moves\n{expected:?}\nnot\n{found:?}\nin {:?}", state.bytes()));
        }
        for expr in watched {
            tally.values += 1;
            let (wanted, got) = (interpreter.holds(&state, expr), compiled.holds(&state, expr));
            if wanted != got {
                return Err(format!("{expr:?} is {wanted:?}, not {got:?}"));
            }
        }
        if interpreter.is_valid_end(&state) != compiled.is_valid_end(&state) {
            return Err("end states".to_owned());
        }
        for step in &expected {
            tally.moves += 1;
            if let Some(next) = successor(interpreter, compiled, &state, step, tally)?
                && known.len() < most
                && known.insert((next.bytes().to_vec(), next.exclusive))
            {
                open.push_back(next);
            }
        }
    }
    Ok(())
}

fn successor(
    interpreter: &Interpreter<'_>,
    compiled: &Compiled<'_>,
    state: &State,
    step: &Move,
    tally: &mut Tally,
) -> Result<Option<State>, String> {
    let (mut expected, mut found) = (state.clone(), state.clone());
    let wanted = interpreter.apply(&mut expected, step);
    let got = compiled.apply(&mut found, step);
    tally.violations += u64::from(wanted.is_some());
    let action = interpreter.branch(state, step.process, step.branch).1;
    if wanted != got {
        return Err(format!("{step:?} ({}): {wanted:?}, not {got:?}", action.text));
    }
    if wanted.is_some_and(|v| v.is_fatal()) {
        return Ok(None);
    }
    if expected != found {
        return Err(format!("{step:?} ({}) leads to\n{expected:?}\nnot\n{found:?}", action.text));
    }
    Ok(Some(expected))
}

/// Compares walks of the kernel and the walker: both selections, single and in chains.
fn walks(
    model: &Model,
    limits: &Limits,
    invariants: Vec<Expr>,
    bounds: Bounds,
    tally: &mut Tally,
) -> Result<(), String> {
    let interpreter = Interpreter::new(model, limits.clone());
    let Ok(initial) = interpreter.initial() else { return Ok(()) };
    let kernel = Kernel::new(model, limits.clone(), invariants.clone()).map_err(|e| e.to_string())?;
    let objective = Objective { claim: None, invariants, end_states: true, fair: false };
    let mut walker = Walker::new(ProcessPosition::<_, ()>::new(&interpreter, &objective, &initial));
    let mut fast = kernel.walker(&initial);
    for index in 0..bounds.walks {
        let (chain, selection) = match index % 4 {
            0 => (1, Selection::TryAChild),
            1 => (1, Selection::AllChildren),
            2 => (4, Selection::TryAChild),
            _ => (3, Selection::AllChildren),
        };
        // Rendezvous have length two, so both parities of the depth are tested.
        let depth = bounds.depth / chain - (index / 4 % 2) as u32;
        let plan = WalkPlan { depth, chain, selection, ..WalkPlan::default() };
        let keep = Keep { path: true, ..Keep::default() };
        let expected = walker.run(plan, None, (7, index), keep, || false);
        let course = Course {
            seed: 7,
            index,
            depth: plan.depth,
            chain,
            all_children: selection == Selection::AllChildren,
            deadlock: true,
            level: Some(0),
            memory: None,
        };
        let blind = fast.run(&Course { level: None, ..course }, &|| false);
        let end = fast.state().clone();
        let found = fast.run(&course, &|| false);
        if blind != found || end != *fast.state() {
            return Err(format!("unit {index}: {found:?} with observed states, {blind:?} without"));
        }
        tally.walks += 1;
        tally.steps += found.steps;
        let ours = (expected.walks, expected.steps, expected.tries, expected.depth);
        if ours != (found.walks, found.steps, found.tries, found.length) || !is_same_end(&expected, &found) {
            let kind = expected.found.map(|f| f.kind);
            return Err(format!("unit {index} ({plan:?}): {:?}, {ours:?}, {kind:?}, not {found:?}", expected.end));
        }
        let mut seen = fast.seen().to_vec();
        seen.sort_unstable();
        seen.dedup();
        if seen != expected.seen {
            return Err(format!("unit {index} sees {} states, not {}", expected.seen.len(), seen.len()));
        }
        let nothing = Coverage::new(model);
        let coverage = nothing.with(fast.executed());
        fast.executed().fill(0);
        if coverage != expected.coverage.filter(|c| *c != nothing) {
            return Err(format!("unit {index} does not cover the same statements"));
        }
        let Some(violation) = &expected.found else { continue };
        let mut state = initial.clone();
        let mut fatal = false;
        for step in violation.path.steps.iter().filter_map(|s| s.system.as_ref()) {
            fatal |= interpreter.apply(&mut state, step).is_some_and(|v| v.is_fatal());
        }
        if !fatal && state != *fast.state() {
            return Err(format!("unit {index} leads to\n{state:?}\nnot\n{:?}", fast.state()));
        }
    }
    Ok(())
}

fn is_same_end(expected: &Walked, found: &KernelWalk) -> bool {
    let kind = expected.found.as_ref().map(|f| &f.kind);
    match &found.end {
        WalkEnd::Violation(violation) => kind == Some(&FoundKind::Step(violation.clone())),
        WalkEnd::Invariant => kind == Some(&FoundKind::Invariant),
        WalkEnd::Deadlock => kind == Some(&FoundKind::Deadlock),
        WalkEnd::Leaf => kind.is_none() && expected.end == End::Leaf,
        WalkEnd::Depth => kind.is_none() && expected.end == End::Depth,
        WalkEnd::Stopped | WalkEnd::Memory => false,
    }
}
