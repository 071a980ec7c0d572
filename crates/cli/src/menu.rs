//! The menu of `simulate --interactive`.

use std::io::{BufRead, Write};

use anyhow::Result;
use lurcher_system::State;
use lurcher_trace::Describer;
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::Exit;
use crate::simulate::{pick, show, violation_text};

const HELP: &str = "number: take that step   enter: the only step, or a random one   u: undo   v: variables   q: quit";

/// Lets the user choose every step. Reads commands line by line, so that it can be driven by a script as well.
pub fn interact(describer: &Describer<'_, '_>, seed: u64) -> Result<Exit> {
    let interpreter = describer.interpreter;
    let mut out = std::io::stdout().lock();
    let mut input = std::io::stdin().lock();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut state = match interpreter.initial() {
        Ok(state) => state,
        Err(violation) => {
            writeln!(out, "{}", violation_text(describer, &violation))?;
            return Ok(Exit::Violation);
        }
    };
    let mut history: Vec<State> = Vec::new();
    let mut line = String::new();
    writeln!(out, "{HELP}")?;
    loop {
        let mut moves = Vec::new();
        interpreter.moves(&state, &mut moves);
        writeln!(out, "\nstep {}", history.len())?;
        for (i, taken) in moves.iter().enumerate() {
            let parts: Vec<String> = describer
                .actions(&state, taken)
                .into_iter()
                .map(|(p, a)| {
                    format!("{} {} {}", describer.process(&state, p), describer.sources.short_place(a.span), a.text)
                })
                .collect();
            writeln!(out, "  {:>3}  {}", i + 1, parts.join("  ⇄  "))?;
        }
        if moves.is_empty() {
            let valid = state.process_count() == 0 || interpreter.is_valid_end(&state);
            writeln!(out, "  nothing can move: {} end state", if valid { "a valid" } else { "an invalid" })?;
        }
        write!(out, "> ")?;
        out.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Exit::Clean);
        }
        let taken = match line.trim() {
            "q" | "quit" => return Ok(Exit::Clean),
            "u" | "undo" => {
                match history.pop() {
                    Some(before) => state = before,
                    None => writeln!(out, "this is the start")?,
                }
                continue;
            }
            "v" | "variables" => {
                for (name, value) in describer.variables(&state) {
                    writeln!(out, "  {name} = {value}")?;
                }
                continue;
            }
            "" | "r" | "random" => pick(&mut random, &moves),
            other => other.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|n| moves.get(n).copied()),
        };
        let Some(taken) = taken else {
            writeln!(out, "{HELP}")?;
            continue;
        };
        let before = state.clone();
        let violation = interpreter.apply(&mut state, &taken);
        show(&mut out, describer, history.len() as u32 + 1, &before, &state, &taken)?;
        if let Some(violation) = violation {
            writeln!(out, "{}", violation_text(describer, &violation))?;
            if violation.is_fatal() {
                writeln!(out, "there is no state after this; the step is undone")?;
                state = before;
                continue;
            }
        }
        history.push(before);
    }
}
