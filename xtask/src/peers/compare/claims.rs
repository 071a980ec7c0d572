//! `ltl` formulas, never claims and non-progress cycles, with and without weak fairness.

use std::fs;
use std::path::Path;

use super::trails::{self, Suspect};
use super::{Aim, Row, excuses};
use crate::peers::bench::{Bench, NoResult};
use crate::peers::facts::Facts;
use crate::peers::kind::{Kind, Kinds};
use crate::peers::lurcher::{self, NoAnswer, Question};
use crate::peers::pan::{
    Build, CLAIMS, CLAIMS_MERGED, CLAIMS_REVERSED, PROGRESS, PROGRESS_MERGED, PROGRESS_REVERSED, PanRun,
};
use crate::peers::trail::Trail;

/// A property to compare.
#[derive(Debug, Clone)]
pub struct Property {
    /// As in headers: `ltl p fair`.
    pub label: String,
    /// As lurcher calls it.
    name: String,
    /// Builds of `pan`: the reference, and the one a user gets.
    builds: (Build, Build),
    /// The reference with the order of the search reversed, which must not make a difference.
    reversed: [Build; 3],
    /// What `pan` is told.
    arguments: Vec<String>,
    /// Only a violation says something: without `-a` the reachable ends of a claim are only half of it.
    one_sided: bool,
    fair: bool,
    /// With fairness, `pan` finds some runs only by luck: it takes a process held back by `provided` or a priority for
    /// one that could move, depending on the order of the processes.
    lucky: bool,
    kind: Kind,
}

impl Property {
    /// With the model's assertions silenced, one that fails is Spin's own, inside a claim made from an `ltl` formula.
    fn meaning(&self, kind: Kind) -> Kind {
        match kind {
            Kind::Assertion => self.kind,
            other => other,
        }
    }
}

/// The properties of a model besides safety.
pub fn properties(facts: &Facts) -> Vec<Property> {
    let mut properties = Vec::new();
    for name in &facts.ltl {
        for fair in [false, true] {
            properties.push(claim(&format!("ltl {name}"), name, name, fair));
        }
    }
    if let Some(name) = &facts.never {
        for fair in [false, true] {
            properties.push(claim("never", "never", name, fair));
        }
        let mut ends = claim("never", "never", name, false);
        ends.label = "never ends".to_owned();
        ends.arguments.retain(|argument| argument != "-a");
        ends.one_sided = true;
        properties.push(ends);
    }
    if facts.acceptance {
        for fair in [false, true] {
            properties.push(claim("acceptance", "acceptance", "", fair));
        }
    }
    if facts.progress {
        for fair in [false, true] {
            properties.push(progress(fair));
        }
    }
    for property in properties.iter_mut().filter(|property| property.fair) {
        property.lucky = facts.gated;
    }
    properties
}

fn claim(label: &str, name: &str, spin_name: &str, fair: bool) -> Property {
    let mut arguments = vec!["-a".to_owned()];
    if !spin_name.is_empty() {
        arguments.extend(["-N".to_owned(), spin_name.to_owned()]);
    }
    arguments.extend(fair.then(|| "-f".to_owned()));
    Property {
        label: label.to_owned() + if fair { " fair" } else { "" },
        name: name.to_owned(),
        builds: (CLAIMS, CLAIMS_MERGED),
        reversed: CLAIMS_REVERSED,
        arguments,
        one_sided: false,
        fair,
        lucky: false,
        kind: Kind::Claim,
    }
}

fn progress(fair: bool) -> Property {
    let mut arguments = vec!["-l".to_owned()];
    arguments.extend(fair.then(|| "-f".to_owned()));
    Property {
        label: "non-progress".to_owned() + if fair { " fair" } else { "" },
        name: "non-progress".to_owned(),
        builds: (PROGRESS, PROGRESS_MERGED),
        reversed: PROGRESS_REVERSED,
        arguments,
        one_sided: false,
        fair,
        lucky: false,
        kind: Kind::NonProgress,
    }
}

/// Compares verdicts and trails, on a workbench where no assertion of the model fails.
pub fn compare(bench: &mut Bench<'_>, property: &Property, aim: &Aim) -> Result<Row, NoResult> {
    let mut row = Row::new(&property.label);
    let mut arguments = vec!["-E".to_owned(), "-c1".to_owned()];
    arguments.extend(property.arguments.iter().cloned());
    let run = match bench.pan(property.builds.0, &arguments) {
        // Some claims send `pan -f` deeper and deeper on a single state: a fault of its own, and no result.
        Err(NoResult::TooBig(words)) if property.fair => {
            row.notes.push(format!("left out: {words}"));
            return Ok(row);
        }
        run => run?,
    };
    row.spin = run.kinds().0.into_iter().map(|kind| property.meaning(kind)).collect();
    if property.fair && !row.spin.holds() && aim.asks_lurcher(&property.label) && holds_unfairly(bench, property)? {
        // Fair runs are runs: what no run violates, no fair run does.
        row.notes.push("left out: pan -f contradicts pan".to_owned());
        return Ok(row);
    }
    if run.division_by_zero || row.spin.0.iter().any(|kind| *kind != property.kind) {
        row.notes.push(format!("left out: pan says {}", row.spin));
        return Ok(row);
    }
    let suspects = |way, run: PanRun| {
        let suspect = move |(path, kind)| Suspect { way, path, kind: property.meaning(kind) };
        let suspects = run.trails.into_iter().map(suspect);
        suspects.filter(|suspect| suspect.kind == property.kind).collect::<Vec<_>>()
    };
    let mut spin = suspects("unmerged", run);
    if !aim.asks_lurcher(&property.label) {
        trails::own(bench, &mut row, &spin)?;
        return Ok(row);
    }
    if !row.spin.holds() {
        // Reduction and fairness do not always go together; then there is one trail fewer.
        spin.extend(bench.pan(property.builds.1, &arguments).map(|run| suspects("merged", run)).unwrap_or_default());
    }
    let mut reliable = true;
    for reduced in [false, true] {
        reliable &= ask(bench, &mut row, property, reduced, &spin)?;
    }
    // Without a claim, some of the cycles that `pan -f` writes down neither close nor pass an accept label.
    if reliable && !(property.fair && property.name == "acceptance") {
        trails::theirs(bench, &mut row, &property.name, &spin)?;
    }
    Ok(row)
}

/// Whether `pan` finds no violation of a property once fairness is dropped.
fn holds_unfairly(bench: &mut Bench<'_>, property: &Property) -> Result<bool, NoResult> {
    let mut arguments = vec!["-E", "-c1"];
    arguments.extend(property.arguments.iter().map(String::as_str).filter(|argument| *argument != "-f"));
    Ok(bench.pan(property.builds.0, &arguments)?.kinds().holds())
}

/// Whether `pan` changes its mind when it tries options or processes in reversed order.
fn depends_on_order(bench: &mut Bench<'_>, property: &Property, said: &Kinds) -> Result<bool, NoResult> {
    let mut arguments = vec!["-E".to_owned(), "-c1".to_owned()];
    arguments.extend(property.arguments.iter().cloned());
    for build in property.reversed {
        if bench.pan(build, &arguments)?.kinds().holds() != said.holds() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether all that `pan -f` finds, without a claim, is that the system stops in an accepting state, and `pan` finds no such
/// state. Fairness makes no state accepting: what `pan -f` goes by is left over from a process that was at an `accept` label.
fn stops_accepting_only_fairly(bench: &mut Bench<'_>, property: &Property) -> Result<bool, NoResult> {
    if !property.fair || property.name != "acceptance" {
        return Ok(false);
    }
    let is_stop = |message: &String| message.starts_with("accept stutter");
    let fair = bench.pan(property.builds.0, &["-E", "-c0", "-a", "-f"])?.output.messages;
    let all = bench.pan(property.builds.0, &["-E", "-c0", "-a"])?.output.messages;
    Ok(!fair.is_empty() && fair.iter().all(is_stop) && !all.iter().any(is_stop))
}

/// One question to lurcher, its verdict and its trail; false when it turns out that Spin's word is not reliable.
fn ask(
    bench: &mut Bench<'_>,
    row: &mut Row,
    property: &Property,
    reduced: bool,
    spin: &[Suspect],
) -> Result<bool, NoResult> {
    let mut question = Question::property(&property.name);
    let mut check = "default";
    if !reduced {
        question = question.with("--reduction").with("none");
        check = "unreduced";
    }
    if property.fair {
        question = question.with("--fair");
    }
    let path = bench.new_trail();
    let said = row.spin.clone();
    match lurcher::verify(bench, &question.trail(path.clone()))? {
        Err(NoAnswer(words)) => {
            row.lurcher.clone_from(&words);
            row.differ(&format!("verdict {check}"), said, words);
        }
        Ok(answer) => {
            row.lurcher = answer.kinds.to_string();
            let missed = property.fair && said.holds() && !answer.kinds.holds();
            if missed && stutters(&path) {
                row.notes.push("pan -f misses a run in which no process can move".to_owned());
            } else if missed && property.lucky {
                row.notes.push("pan -f misses runs where processes are held back".to_owned());
            } else if !said.holds() && answer.kinds.holds() && stops_accepting_only_fairly(bench, property)? {
                row.notes.push("pan -f takes a stop for accepting that pan does not".to_owned());
                return Ok(false);
            } else if property.fair && said.holds() != answer.kinds.holds() && depends_on_order(bench, property, &said)?
            {
                row.notes.push("pan -f says otherwise the other way round".to_owned());
                if missed {
                    trails::ours(bench, row, check, &path, &answer, spin)?;
                }
                return Ok(false);
            } else if answer.kinds.holds() && cycles_by_np(bench, spin)? {
                row.notes.push("np_ holds in pan's cycle only the first time around".to_owned());
                return Ok(false);
            } else if !agrees(property, &said, &answer.kinds) {
                row.differ(&format!("verdict {check}"), said, answer.kinds);
            } else if answer.first.is_some() {
                trails::ours(bench, row, check, &path, &answer, spin)?;
            }
        }
    }
    Ok(true)
}

/// Whether all that `pan` found is a cycle of the claim alone in which `np_` is said to hold.
fn cycles_by_np(bench: &Bench<'_>, spin: &[Suspect]) -> Result<bool, NoResult> {
    for suspect in spin {
        if !excuses::takes_stay_for_progress(bench, &suspect.path)? {
            return Ok(false);
        }
    }
    Ok(!spin.is_empty())
}

fn agrees(property: &Property, spin: &Kinds, lurcher: &Kinds) -> bool {
    match property.one_sided && spin.holds() {
        true => true,
        false => spin == lurcher,
    }
}

/// Whether no process moves in the cycle of a trail, so that none is neglected. `pan -f` overlooks some of these; what is
/// left to check, that no process can move there, is checked by the comparison without fairness.
fn stutters(path: &Path) -> bool {
    Trail::read(&fs::read_to_string(path).unwrap_or_default()).stutters()
}
