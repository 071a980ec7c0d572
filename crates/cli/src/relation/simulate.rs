//! `simulate` on a relation: one run, random, chosen from a menu, or read from a trace.

use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::{Result, bail};
use lurcher_ir::relation::{Relation, Variable, VariableId, VariableRole};
use lurcher_search::Draws;
use lurcher_system::Path;
use lurcher_system::relation::{Halt, Stepper};
use lurcher_trace::{StateEvidence, read_states_json, states_to_text};
use serde_json::json;

use crate::Exit;
use crate::args::SimulateArgs;
use crate::input;
use crate::words::count;

/// Choices that a menu shows.
const MOST: usize = 40;

const HELP: &str = "number: take that step   enter: the only step, or a random one   u: undo   v: variables   q: quit";

/// `lurcher simulate` on a relation.
pub fn simulate(args: &SimulateArgs, relation: &Relation) -> Result<Exit> {
    if let Some(path) = &args.trace {
        let text = input::read_text(path)?;
        let read = read_states_json(relation, &text);
        let (run, _) = read.map_err(|e| anyhow::anyhow!("{} is no trace of this model: {e}", path.display()))?;
        write!(std::io::stdout().lock(), "{}", states_to_text(relation, &run, StateEvidence::None))?;
        return Ok(Exit::Clean);
    }
    let mut simulation =
        Simulation { relation, stepper: Stepper::new(relation), draws: Draws::of(args.common.seed, 0) };
    if args.interactive { simulation.interact() } else { simulation.wander(args) }
}

struct Simulation<'r> {
    relation: &'r Relation,
    stepper: Stepper,
    draws: Draws,
}

/// A step that can be chosen: the inputs with the state before, and the state after.
struct Choice {
    transition: usize,
    now: Vec<i64>,
    next: Vec<i64>,
}

impl Simulation<'_> {
    /// A random run.
    fn wander(&mut self, args: &SimulateArgs) -> Result<Exit> {
        let draws = &mut self.draws;
        let first = self.stepper.sample_initial(|n| draws.below(n), |_| true);
        let Some(first) = searched(first)?.map(<[i64]>::to_vec) else {
            bail!("the model has no initial state");
        };
        let mut run = Path::finite(vec![first]);
        let mut ending = format!("stopped after {} (--steps sets the limit)", count(u64::from(args.steps), "step"));
        let mut exit = Exit::Clean;
        for taken in 0..args.steps {
            let here = run.steps.last_mut().expect("it has a first state");
            let draws = &mut self.draws;
            let step = self.stepper.sample_successor(here, |n| draws.below(n), |_| true);
            let Some(step) = searched(step)? else {
                ending = format!("no state can follow, after {}", count(u64::from(taken), "step"));
                exit = Exit::Violation;
                break;
            };
            here.copy_from_slice(step.now);
            let next = step.next.to_vec();
            run.steps.push(next);
        }
        let mut out = std::io::stdout().lock();
        if args.common.json {
            let last = run.steps.last().expect("it has a first state");
            let variables: serde_json::Map<String, serde_json::Value> = self
                .relation
                .state_variables()
                .map(|(id, v)| (v.name.clone(), json!(self.show(v, id, last))))
                .collect();
            let object = json!({
                "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
                "model": args.common.model.display().to_string(), "seed": args.common.seed,
                "verdict": if exit == Exit::Violation { "violated" } else { "inconclusive" },
                "steps": run.length(), "ending": ending, "variables": variables,
            });
            writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        } else {
            write!(out, "{}", states_to_text(self.relation, &run, StateEvidence::Illustration))?;
            writeln!(out, "\n{ending}")?;
        }
        Ok(exit)
    }

    fn show(&self, variable: &Variable, id: VariableId, state: &[i64]) -> String {
        self.relation.show(&variable.domain, state[id.0 as usize])
    }

    /// What differs between two states; everything where there is no state before.
    fn changes(&self, before: Option<&[i64]>, after: &[i64]) -> String {
        let changed = |id: VariableId| before.is_none_or(|b| b[id.0 as usize] != after[id.0 as usize]);
        let all = self.relation.state_variables().filter(|(id, _)| changed(*id));
        let shown: Vec<String> = all.map(|(id, v)| format!("{} = {}", v.name, self.show(v, id, after))).collect();
        if shown.is_empty() { "nothing changes".to_owned() } else { shown.join(", ") }
    }

    fn inputs(&self, choice: &Choice) -> String {
        let inputs = self.relation.variables().filter(|(_, v)| v.role == VariableRole::Input);
        let shown: Vec<String> =
            inputs.map(|(id, v)| format!("{} = {}", v.name, self.show(v, id, &choice.now))).collect();
        if shown.is_empty() { String::new() } else { format!("  with {}", shown.join(", ")) }
    }

    /// The first steps out of a state that lead to different states, or the first initial states.
    fn choices(&mut self, here: Option<&[i64]>) -> Result<(Vec<Choice>, bool)> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen = HashSet::new();
        let mut more = false;
        let mut add = |transition: usize, now: &[i64], next: &[i64]| {
            if choices.len() == MOST {
                more = true;
                return ControlFlow::Break(());
            }
            if seen.insert(next.to_vec()) {
                choices.push(Choice { transition, now: now.to_vec(), next: next.to_vec() });
            }
            ControlFlow::Continue(())
        };
        let listed = match here {
            None => self.stepper.initial(|state| add(0, state, state)),
            Some(here) => self.stepper.successors(here, |step| add(step.transition, step.now, step.next)),
        };
        match listed {
            Ok(()) | Err(Halt::Stopped) => Ok((choices, more)),
            Err(_) => bail!("the steps out of this state are too many to be listed"),
        }
    }

    /// Lets the user choose every step. Reads commands line by line, so that it can be driven by a script as well.
    fn interact(&mut self) -> Result<Exit> {
        let mut out = std::io::stdout().lock();
        let mut input = std::io::stdin().lock();
        let mut history: Vec<Vec<i64>> = Vec::new();
        let mut line = String::new();
        writeln!(out, "{HELP}")?;
        loop {
            let here = history.last().cloned();
            let (choices, more) = self.choices(here.as_deref())?;
            match history.len() {
                0 => writeln!(out, "\ninitial states")?,
                n => writeln!(out, "\nstep {}", n - 1)?,
            }
            for (number, choice) in choices.iter().enumerate() {
                let name = if here.is_some() { &self.relation.transitions[choice.transition].name } else { "" };
                let changes = self.changes(here.as_deref(), &choice.next);
                let inputs = if here.is_some() { self.inputs(choice) } else { String::new() };
                writeln!(
                    out,
                    "  {:>3}  {name}{}{changes}{inputs}",
                    number + 1,
                    if name.is_empty() { "" } else { ": " }
                )?;
            }
            if more {
                writeln!(out, "       … and more")?;
            }
            if choices.is_empty() {
                writeln!(out, "  {}", if here.is_some() { "no state can follow" } else { "there is none" })?;
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
                    if history.pop().is_none() {
                        writeln!(out, "this is the start")?;
                    }
                    continue;
                }
                "v" | "variables" => {
                    if let Some(here) = &here {
                        writeln!(out, "  {}", self.changes(None, here))?;
                    }
                    continue;
                }
                "" | "r" | "random" if !choices.is_empty() => Some(self.draws.below(choices.len() as u32) as usize),
                other => other.parse::<usize>().ok().and_then(|n| n.checked_sub(1)),
            };
            match taken.and_then(|n| choices.get(n)) {
                Some(choice) => history.push(choice.next.clone()),
                None => writeln!(out, "{HELP}")?,
            }
        }
    }
}

fn searched<T>(result: Result<Option<T>, Halt>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(found),
        Err(_) => bail!("a next state is too hard to find: the constraints leave too many values to try"),
    }
}
