//! `ltl` formulas, never claims and non-progress cycles, with and without weak fairness.

use std::fs;
use std::path::Path;

use lurcher_lab::peers::spin::{NoResult, Trail};
use lurcher_lab::peers::{ViolationKind, ViolationKinds};

use super::trails::{self, SpinTrail};
use super::{Row, known_faults};
use crate::peers::case::{Build, Case, PanRun};
use crate::peers::features::Features;

/// A property other than safety.
#[derive(Debug, Clone)]
pub struct Property {
    /// As in headers: `ltl p fair`.
    pub label: String,
    /// lurcher's name of the property.
    name: String,
    /// Macros of `pan`.
    macros: &'static [&'static str],
    /// Arguments of `pan`.
    arguments: String,
    /// Only a violation counts: without `-a`, `pan` finds reachable ends of a claim and no accepting cycles.
    one_sided: bool,
    fair: bool,
    /// `pan -f` may miss violations: it takes a process that `provided` or a priority disables for an enabled one, which
    /// depends on the order of the processes.
    unreliable: bool,
    kind: ViolationKind,
}

impl Property {
    /// Since the model's own assertions hold, one that fails belongs to a claim that Spin made from an `ltl` formula.
    fn meaning(&self, kind: ViolationKind) -> ViolationKind {
        if kind == ViolationKind::Assertion { self.kind } else { kind }
    }

    /// `pan` without reduction, the reference.
    fn reference(&self) -> Build {
        Build::plain(self.macros)
    }

    /// The arguments that stop `pan` at the first violation.
    fn first_error(&self) -> String {
        format!("-E -c1 {}", self.arguments)
    }
}

/// The properties of a model besides safety, each with and without fairness.
pub fn properties(features: &Features) -> Vec<Property> {
    let base = |label: &str, name: &str, arguments: &str| Property {
        label: label.to_owned(),
        name: name.to_owned(),
        macros: &[],
        arguments: arguments.to_owned(),
        one_sided: false,
        fair: false,
        unreliable: false,
        kind: ViolationKind::Claim,
    };
    let mut all: Vec<Property> =
        features.ltl.iter().map(|name| base(&format!("ltl {name}"), name, &format!("-a -N {name}"))).collect();
    all.extend(features.never.iter().map(|name| base("never", "never", &format!("-a -N {name}"))));
    all.extend(features.acceptance.then(|| base("acceptance", "acceptance", "-a")));
    let progress =
        Property { macros: &["NP"], kind: ViolationKind::NonProgress, ..base("non-progress", "non-progress", "-l") };
    all.extend(features.progress.then_some(progress));
    let mut properties = Vec::new();
    for property in all {
        let mut fair = Property { fair: true, unreliable: features.gated, ..property.clone() };
        fair.label.push_str(" fair");
        fair.arguments.push_str(" -f");
        let ends = (property.name == "never").then(|| Property {
            label: "never ends".to_owned(),
            arguments: property.arguments.replace("-a ", ""),
            one_sided: true,
            ..property.clone()
        });
        properties.extend([property, fair]);
        properties.extend(ends);
    }
    properties
}

/// Compares verdicts and trails, on a case in which no assertion of the model fails.
pub fn compare(case: &mut Case<'_>, property: &Property) -> Result<Row, NoResult> {
    let mut row = Row::new(&property.label);
    let run = match case.pan(&property.reference(), &property.first_error()) {
        // Some claims send `pan -f` deeper and deeper on a single state.
        Err(NoResult::TooBig(words)) if property.fair => {
            row.note(format!("left out: {words}"));
            return Ok(row);
        }
        run => run?,
    };
    row.spin = run.kinds().0.into_iter().map(|kind| property.meaning(kind)).collect();
    if property.fair && !row.spin.holds() && holds_unfairly(case, property)? {
        // Fair runs are runs, so a violation with fairness is one without.
        row.note("left out: pan -f contradicts pan");
        return Ok(row);
    }
    if run.division_by_zero || row.spin.0.iter().any(|kind| *kind != property.kind) {
        row.note(format!("left out: pan says {}", row.spin));
        return Ok(row);
    }
    let trails_of = |origin, run: PanRun| {
        let trails = run.trails.into_iter().map(move |(path, kind)| (path, property.meaning(kind)));
        let known = trails.filter(|(_, kind)| *kind == property.kind);
        known.map(|(path, kind)| SpinTrail { origin, path, kind }).collect::<Vec<_>>()
    };
    let mut spin = trails_of("unmerged", run);
    if !row.spin.holds() {
        // Reduction and fairness do not always go together; then there is one trail fewer.
        let reduced = case.pan(&Build::reduced(property.macros), &property.first_error());
        spin.extend(reduced.map(|run| trails_of("merged", run)).unwrap_or_default());
    }
    let mut reliable = true;
    for search in SEARCHES {
        reliable &= ask(case, &mut row, property, search, &spin)?;
    }
    // Without a claim, some cycles of `pan -f` neither close nor pass an accept label.
    if reliable && !(property.fair && property.name == "acceptance") {
        trails::follow_spin(case, &mut row, &property.name, &spin)?;
    }
    Ok(row)
}

/// Whether `pan` finds no violation without fairness.
fn holds_unfairly(case: &mut Case<'_>, property: &Property) -> Result<bool, NoResult> {
    Ok(case.pan(&property.reference(), property.first_error().trim_end_matches(" -f"))?.kinds().holds())
}

/// Whether the verdict of `pan` changes when it tries options, processes or both in reverse order.
fn depends_on_order(case: &mut Case<'_>, property: &Property, said: &ViolationKinds) -> Result<bool, NoResult> {
    for reversed in [&["T_REVERSE"][..], &["REVERSE"], &["T_REVERSE", "REVERSE"]] {
        let run = case.pan(&property.reference().with(reversed), &property.first_error())?;
        if run.kinds().holds() != said.holds() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether `pan -f`, without a claim, finds only that the system stops in an accepting state, and `pan` finds no such state.
/// Fairness makes no state accepting: `pan -f` uses a stale mark of a process that was at an `accept` label.
fn stops_accepting_only_fairly(case: &mut Case<'_>, property: &Property) -> Result<bool, NoResult> {
    if !property.fair || property.name != "acceptance" {
        return Ok(false);
    }
    let is_stop = |(message, _): &(String, _)| message.starts_with("accept stutter");
    let fair = case.pan(&property.reference(), "-E -c0 -a -f")?.output.errors;
    let all = case.pan(&property.reference(), "-E -c0 -a")?.output.errors;
    Ok(!fair.is_empty() && fair.iter().all(is_stop) && !all.iter().any(is_stop))
}

/// lurcher's searches, each with its name in differences and its arguments.
const SEARCHES: [(&str, &str); 5] = [
    ("unreduced", "--reduction none"),
    ("default", ""),
    ("ndfs", "--engine ndfs --reduction none"),
    ("indfs", "--engine indfs --reduction none"),
    ("astar-indfs", "--engine astar-indfs --reduction none"),
];

/// Compares lurcher's verdict and trail by one of its searches; false when Spin's verdict turns out to be unreliable.
fn ask(
    case: &mut Case<'_>,
    row: &mut Row,
    property: &Property,
    (check, arguments): (&str, &str),
    spin: &[SpinTrail],
) -> Result<bool, NoResult> {
    let fair = if property.fair { "--fair" } else { "" };
    let path = case.new_trail();
    let answer = match case.verify(&format!("--property {} {arguments} {fair}", property.name), Some(&path))? {
        Ok(answer) => answer,
        Err(words) => {
            row.lurcher.clone_from(&words);
            row.differ_in_verdict(check, words);
            return Ok(true);
        }
    };
    row.lurcher = answer.kinds.to_string();
    let (spin_holds, holds) = (row.spin.holds(), answer.kinds.holds());
    let missed = property.fair && spin_holds && !holds;
    if missed && stutters(&path) {
        row.note("pan -f misses a run in which no process can move");
    } else if missed && property.unreliable {
        row.note("pan -f misses runs where processes are held back");
    } else if !spin_holds && holds && stops_accepting_only_fairly(case, property)? {
        row.note("pan -f takes a stop for accepting that pan does not");
        return Ok(false);
    } else if property.fair && spin_holds != holds && depends_on_order(case, property, &row.spin)? {
        row.note("pan -f says otherwise the other way round");
        if missed {
            trails::follow_ours(case, row, check, &path, &answer, spin)?;
        }
        return Ok(false);
    } else if holds && cycles_by_np(case, spin)? {
        row.note("np_ holds in pan's cycle only the first time around");
        return Ok(false);
    } else if row.spin != answer.kinds && !(property.one_sided && spin_holds) {
        row.differ_in_verdict(check, answer.kinds);
    } else if answer.first.is_some() {
        trails::follow_ours(case, row, check, &path, &answer, spin)?;
    }
    Ok(true)
}

/// Whether every trail of `pan` is a cycle of the claim alone in which `np_` holds once.
fn cycles_by_np(case: &Case<'_>, spin: &[SpinTrail]) -> Result<bool, NoResult> {
    for trail in spin {
        if !known_faults::np_holds_once(case, trail)? {
            return Ok(false);
        }
    }
    Ok(!spin.is_empty())
}

/// Whether no process moves in the cycle of a trail, so that the run is fair. `pan -f` misses some of these runs; the comparison
/// without fairness checks that no process can move there.
fn stutters(path: &Path) -> bool {
    Trail::read(&fs::read_to_string(path).unwrap_or_default()).stutters()
}
