//! What to think when `pan -f` finds no fair run that violates a property, and lurcher does.
//!
//! Spin's search under weak fairness is not complete. It overlooks runs at whose end no process can move, takes a process
//! held back by `provided` or a priority for one that could move (depending on the order of processes), and can lose a
//! fair cycle when an unrelated `break` is added to a loop. But Spin can be asked in another way: weak fairness is
//! the formula `[]<> (!enabled(i) || _last == i)` for every process *i*, and a fair run violates *p* when some run
//! violates *fairness* → *p*. That is slower, and impossible where rendezvous makes two processes move at once.

use std::path::Path;

use crate::peers::bench::{Bench, NoResult};
use crate::peers::pan::CLAIMS;
use crate::peers::spin_replay::SpinReplay;

/// More processes than these make a formula that Spin translates for minutes.
const PROCESSES: usize = 3;

const UNDECIDED: &str = "pan -f finds nothing, lurcher does: undecided";

/// Why lurcher may be right about a violation that `pan -f` does not find; none if it is wrong.
pub fn missed(
    bench: &mut Bench<'_>,
    property: &str,
    rendezvous: bool,
    trail: &Path,
) -> Result<Option<&'static str>, NoResult> {
    let processes = SpinReplay::run(bench, trail)?.created;
    let Some(claim) = claim(bench, property, processes)?.filter(|_| !rendezvous && processes > 0) else {
        return Ok(Some(UNDECIDED));
    };
    let mut spelt_out = bench.with_text(&format!("{}\n{claim}\n", bench.text()?))?;
    match spelt_out.pan(CLAIMS, &["-E", "-c1", "-a", "-N", "spelt_out"]) {
        Ok(run) if run.kinds().holds() => Ok(None),
        Ok(_) => Ok(Some("pan -f finds nothing, pan with fairness spelt out does")),
        Err(_) => Ok(Some(UNDECIDED)),
    }
}

/// The property with fairness as part of it, where that can be written.
fn claim(bench: &mut Bench<'_>, property: &str, processes: usize) -> Result<Option<String>, NoResult> {
    if property == "non-progress" {
        return Ok(Some(no_progress(processes)));
    }
    let (announced, _) = bench.generated_text()?;
    let prefix = format!("ltl {property}: ");
    let formula = announced.lines().find_map(|line| line.strip_prefix(&prefix)).filter(|_| processes <= PROCESSES);
    let fairness: Vec<String> = (0..processes).map(|process| format!("[]<> ({})", treated_fairly(process))).collect();
    Ok(formula.map(|formula| format!("ltl spelt_out {{ ({}) -> ({formula}) }}", fairness.join(" && "))))
}

fn treated_fairly(process: usize) -> String {
    format!("(!enabled({process}) || _last == {process})")
}

/// A never claim for a fair cycle without progress: from some point on `np_` holds, and the processes get their due one
/// after the other, again and again.
fn no_progress(processes: usize) -> String {
    let mut claim =
        "never spelt_out {\nstart:\n\tif\n\t:: true -> goto start\n\t:: np_ -> goto wait_0\n\tfi;\n".to_owned();
    for process in 0..processes {
        let due = treated_fairly(process);
        let next = if process + 1 < processes { format!("wait_{}", process + 1) } else { "accept_all".to_owned() };
        claim += &format!(
            "wait_{process}:\n\tif\n\t:: np_ && {due} -> goto {next}\n\t:: np_ && !{due} -> goto wait_{process}\n\tfi;\n"
        );
    }
    claim + "accept_all:\n\tif\n\t:: np_ -> goto wait_0\n\tfi\n}"
}
