//! `simulate`: one run.

use std::io::Write;

use anyhow::Result;
use lurcher_system::{Move, State, Violation};
use lurcher_trace::{Describer, Evidence, replay as execute, to_text};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::json;

use crate::Exit;
use crate::args::SimulateArgs;
use crate::words::count;
use crate::{follow, input, menu, relation};

/// `lurcher simulate`.
pub fn simulate(args: &SimulateArgs) -> Result<Exit> {
    let model = input::read_model(&args.common)?;
    if let Some(relation) = model.relation() {
        return relation::simulate(args, relation);
    }
    let processes = model.processes().expect("it is no relation");
    let interpreter = follow::interpreter(&args.common, processes, false);
    let describer = Describer { interpreter: &interpreter, sources: model.sources() };
    if args.interactive {
        return menu::interact(&describer, args.common.seed);
    }
    let mut out = std::io::stdout().lock();
    if let Some(path) = &args.trace {
        let (trail, _) = follow::read(path)?;
        let replayed = execute(&interpreter, &trail)?;
        write!(out, "{}", to_text(&describer, &replayed, &Evidence::None))?;
        return Ok(Exit::Clean);
    }
    let mut state = match interpreter.initial() {
        Ok(state) => state,
        Err(violation) => {
            writeln!(out, "{}", violation_text(&describer, &violation))?;
            return Ok(Exit::Violation);
        }
    };
    let mut random = Pcg64Mcg::seed_from_u64(args.common.seed);
    let mut moves = Vec::new();
    let mut steps = 0;
    let mut exit = Exit::Clean;
    let ending = loop {
        if steps >= args.steps {
            break format!("stopped after {} (--steps sets the limit)", count(u64::from(steps), "step"));
        }
        interpreter.moves(&state, &mut moves);
        let Some(taken) = pick(&mut random, &moves) else {
            if state.process_count() == 0 || interpreter.is_valid_end(&state) {
                break "the run ended: every process rests at a valid end".to_owned();
            }
            exit = Exit::Violation;
            break "invalid end state: no process can move".to_owned();
        };
        let before = state.clone();
        let violation = interpreter.apply(&mut state, &taken);
        steps += taken.length();
        if !args.common.json {
            show(&mut out, &describer, steps, &before, &state, &taken)?;
        }
        if let Some(violation) = violation {
            exit = Exit::Violation;
            break violation_text(&describer, &violation);
        }
    };
    if args.common.json {
        let variables: serde_json::Map<String, serde_json::Value> =
            describer.variables(&state).into_iter().map(|(n, v)| (n, json!(v))).collect();
        let object = json!({
            "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
            "model": args.common.model.display().to_string(), "seed": args.common.seed,
            "verdict": if exit == Exit::Violation { "violated" } else { "inconclusive" },
            "steps": steps, "ending": ending, "variables": variables,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    } else {
        writeln!(out, "\n{ending}")?;
        for (name, value) in describer.variables(&state) {
            writeln!(out, "  {name} = {value}")?;
        }
    }
    Ok(exit)
}

/// One of the moves, each as likely as the other.
pub fn pick(random: &mut Pcg64Mcg, moves: &[Move]) -> Option<Move> {
    if moves.is_empty() {
        return None;
    }
    let wide = u128::from(random.next_u64()) * moves.len() as u128;
    Some(moves[(wide >> 64) as usize])
}

/// What a violation is called.
pub fn violation_text(describer: &Describer<'_, '_>, violation: &Violation) -> String {
    let place = describer.sources.short_place(violation.span());
    match violation {
        Violation::Assertion(span) => format!("assertion violated at {place}: {}", describer.sources.text(*span)),
        Violation::Fault { fault, .. } => format!("{fault} at {place}"),
    }
}

/// Prints one step.
pub fn show(
    out: &mut impl Write,
    describer: &Describer<'_, '_>,
    number: u32,
    before: &State,
    after: &State,
    taken: &Move,
) -> Result<()> {
    for (process, action) in describer.actions(before, taken) {
        let who = describer.process(before, process);
        let place = describer.sources.short_place(action.span);
        writeln!(out, "{number:>4}  {who:<16} {place:<24} {}", action.text)?;
        if let Some(printed) = describer.interpreter.printed(before, process, action) {
            write!(out, "{printed}")?;
            if !printed.ends_with('\n') {
                writeln!(out)?;
            }
        }
    }
    let changes = describer.changes(before, after);
    if !changes.is_empty() {
        let shown: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        writeln!(out, "      {:<16} → {}", "", shown.join(", "))?;
    }
    Ok(())
}
