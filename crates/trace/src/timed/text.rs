//! Runs of timed models as text: constants, then every instant at which something happens.

use lurcher_ir::timed::Model;
use lurcher_system::timed::Run;

use super::moments;
use crate::page::{Page, list, wrap};
use crate::steps::left_out;

/// The width of lines on a page of any width.
const WIDTH: usize = 100;

/// The run as text, with a sentence on what it shows.
pub fn run_to_text(model: &Model, run: &Run, ending: &str, page: &Page) -> String {
    let width = page.width.or(Some(WIDTH));
    let mut out = String::new();
    let value = |(constant, value): (&lurcher_ir::timed::Constant, &i64)| {
        format!("{} = {}", constant.name, constant.domain.show(*value))
    };
    let constants: Vec<String> = model.constants.iter().zip(&run.constants).map(value).collect();
    if !constants.is_empty() {
        list(&mut out, "constants  ", "           ", &constants, width);
    }
    let all = moments(model, run);
    let number = run.horizon.to_string().len().max(3);
    let blank = " ".repeat(number + 2);
    let without = left_out(all.len(), page.steps);
    for (index, step) in all.into_iter().enumerate() {
        if !without.is_empty() && index == without.start {
            wrap(&mut out, &blank, &blank, &format!("… {} instants left out …", without.len()), page.width);
        }
        if without.contains(&index) {
            continue;
        }
        let mut mark = format!("{:>number$}  ", step.number);
        if !step.action.is_empty() || step.changes.is_empty() {
            let action = if step.action.is_empty() { "nothing happens" } else { &step.action };
            wrap(&mut out, &mark, &format!("{blank}  "), action, width);
            mark.clone_from(&blank);
        }
        if !step.changes.is_empty() {
            let changes: Vec<String> = step.changes.iter().map(ToString::to_string).collect();
            list(&mut out, &format!("{mark}→ "), &format!("{blank}  "), &changes, width);
        }
    }
    format!("{out}\n{ending}\n")
}
