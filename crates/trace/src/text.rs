//! Traces as text.

use lurcher_system::{State, Violation};

use crate::describe::Describer;
use crate::judge::Evidence;
use crate::replay::{Replayed, Visit};

/// The trace as text: a line for each statement, followed by its changes.
pub fn to_text(describer: &Describer<'_, '_>, replayed: &Replayed, evidence: &Evidence) -> String {
    let mut out = String::new();
    let mut number = 0;
    let width = replayed.length().to_string().len().max(3);
    replayed.visit(describer.interpreter, |Visit { index, step, before, after }| {
        if replayed.path.cycle_start == Some(index) {
            out.push_str(&format!("{:>width$}  ┌── the cycle starts here\n", ""));
        }
        let mut actions = describer.actions(before, &step.taken);
        actions.truncate(step.taken.length_with(step.violation.as_ref()) as usize);
        for (process, action) in &actions {
            number += 1;
            let who = describer.process(before, *process);
            let place = describer.sources.short_place(action.span);
            out.push_str(&format!("{number:>width$}  {who:<16} {place:<24} {}\n", action.text));
            if let Some(printed) = describer.interpreter.printed(before, *process, action) {
                for line in printed.lines() {
                    out.push_str(&format!("{:>width$}  {:<16} │ {line}\n", "", ""));
                }
            }
        }
        let changes = describer.changes(before, after);
        if !changes.is_empty() {
            let shown: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let shown = shown.join(", ").replace(" = started", " started").replace(" = ended", " ended");
            out.push_str(&format!("{:>width$}  {:<16} → {shown}\n", "", ""));
        }
    });
    if replayed.path.cycle_start == Some(replayed.path.steps.len()) {
        out.push_str(&format!("{:>width$}  ┌── the cycle starts here: the run stays in this state\n", ""));
    } else if replayed.path.cycle_start.is_some() {
        out.push_str(&format!("{:>width$}  └── back to the start of the cycle\n", ""));
    }
    out.push_str(&ending(describer, replayed, evidence));
    out
}

fn ending(describer: &Describer<'_, '_>, replayed: &Replayed, evidence: &Evidence) -> String {
    match evidence {
        Evidence::Deadlock => {
            format!("\ninvalid end state: no process can move\n{}", locations(describer, &replayed.last))
        }
        Evidence::Step(Violation::Assertion(span)) => {
            format!(
                "\nassertion violated at {}: {}\n",
                describer.sources.short_place(*span),
                describer.sources.text(*span)
            )
        }
        Evidence::Step(Violation::Fault { fault, span, .. }) => {
            format!("\n{fault} at {}\n", describer.sources.short_place(*span))
        }
        Evidence::Invariant => "\nthe invariant does not hold\n".to_owned(),
        Evidence::ClaimEnd => "\nthe never claim came to its end\n".to_owned(),
        Evidence::AcceptingCycle => String::new(),
        Evidence::BadPrefix => "\nwhatever comes next, the property is violated\n".to_owned(),
        Evidence::None => "\nno violation\n".to_owned(),
    }
}

/// The location of every process.
fn locations(describer: &Describer<'_, '_>, state: &State) -> String {
    let mut out = String::new();
    for p in (0..state.process_count()).map(lurcher_system::ProcessId) {
        let ty = describer.interpreter.model().process_type(state.process_type(p));
        let location = ty.location(state.location(p));
        let waits: Vec<&str> = location.branches.iter().map(|b| ty.action(b.action).text.as_str()).collect();
        let place = describer.sources.short_place(location.span);
        let end = if location.end { " (valid end)" } else { "" };
        out.push_str(&format!(
            "  {:<16} {place:<24} waits at {}{end}\n",
            describer.process(state, p),
            waits.join(" | ")
        ));
    }
    out
}
