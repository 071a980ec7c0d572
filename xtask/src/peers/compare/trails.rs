//! Trails in both directions.
//!
//! `spin -t` cannot follow every trail that `pan` writes. So before one of lurcher's trails counts as wrong, Spin must follow its
//! own trail for the same property.

use std::fmt;
use std::fs;
use std::iter::Sum;
use std::path::{Path, PathBuf};

use lurcher_lab::peers::ViolationKind;
use lurcher_lab::peers::lurcher::Answer;
use lurcher_lab::peers::spin::{NoResult, SpinReplay, Trail, state_difference};

use super::{Row, known_faults};
use crate::peers::case::Case;

/// How many trails were followed to the same violation, of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    followed: usize,
    tried: usize,
}

impl Tally {
    fn count(&mut self, followed: bool) {
        self.tried += 1;
        self.followed += usize::from(followed);
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |a, b| Tally { followed: a.followed + b.followed, tried: a.tried + b.tried })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tried {
            0 => f.write_str("-"),
            _ => write!(f, "{}/{}", self.followed, self.tried),
        }
    }
}

/// A trail that `pan` wrote.
#[derive(Debug, Clone)]
pub struct SpinTrail {
    /// The verifier that wrote it: `unmerged`, `merged` or `bfs`.
    pub origin: &'static str,
    pub path: PathBuf,
    pub kind: ViolationKind,
}

impl SpinTrail {
    pub fn read(&self) -> Result<Trail, NoResult> {
        Ok(Trail::read(&fs::read_to_string(&self.path)?))
    }

    pub fn replay(&self, case: &Case<'_>) -> Result<SpinReplay, NoResult> {
        SpinReplay::run(&case.verifier, &self.path)
    }
}

/// lurcher follows Spin's trails; each must lead to the same kind of violation.
pub fn follow_spin(case: &mut Case<'_>, row: &mut Row, property: &str, trails: &[SpinTrail]) -> Result<(), NoResult> {
    for trail in trails {
        let said = match case.replay(&trail.path, property)? {
            Ok(answer) if answer.kinds.has(trail.kind) => {
                row.theirs.count(true);
                continue;
            }
            Ok(answer) => answer.kinds.to_string(),
            Err(words) => words,
        };
        if let Some(fault) = known_faults::in_spin_trail(case, trail, &said)? {
            row.note(fault);
            continue;
        }
        let followed = known_faults::meets_two_violations(case, trail, &said, &row.spin)?;
        row.theirs.count(followed);
        if !followed {
            row.differ(&format!("spin's {} trail", trail.origin), trail.kind, said);
        }
    }
    Ok(())
}

/// Spin follows the trail that lurcher wrote at `path`.
pub fn follow_ours(
    case: &mut Case<'_>,
    row: &mut Row,
    name: &str,
    path: &Path,
    answer: &Answer,
    spin: &[SpinTrail],
) -> Result<(), NoResult> {
    let Ok(text) = fs::read_to_string(path) else {
        row.ours.count(false);
        row.differ(&format!("our trail {name}"), "a trail file", "none written");
        return Ok(());
    };
    let complaint = complaint(case, &Trail::read(&text), path, answer, spin)?;
    if complaint.is_some()
        && let Some(fault) = known_faults::in_replay(case, path, answer, spin)?
    {
        row.note(fault);
        return Ok(());
    }
    row.ours.count(complaint.is_none());
    if let Some(words) = complaint {
        row.differ(&format!("our trail {name}"), words, format!("{:?} in {:?} steps", answer.first, answer.length));
    }
    Ok(())
}

/// Why one of lurcher's trails is wrong, if it is.
fn complaint(
    case: &Case<'_>,
    trail: &Trail,
    path: &Path,
    answer: &Answer,
    spin: &[SpinTrail],
) -> Result<Option<String>, NoResult> {
    if answer.length != Some(trail.length()) {
        return Ok(Some(format!("the trail has {} system steps", trail.length())));
    }
    if answer.cycle != trail.has_cycle() {
        return Ok(Some("a cycle in the trace or in the trail, but not in both".to_owned()));
    }
    let replay = SpinReplay::run(&case.verifier, path)?;
    if answer.first == Some(ViolationKind::Fault) {
        // Spin's simulator crashes at some faults and cannot continue after others.
        return Ok(replay.complaints.first().filter(|_| replay.errors.is_empty()).cloned());
    }
    match answer.first {
        _ if replay.complaint().is_some() => Ok(replay.complaint()),
        Some(ViolationKind::Deadlock) => unknown_deadlock(case, &replay, spin),
        _ if trail.has_cycle() && !replay.cycle => Ok(Some("no cycle started".to_owned())),
        first => general_complaint(case, trail, &replay, first == Some(ViolationKind::Assertion)),
    }
}

/// The checks that lurcher's and Spin's trails share.
fn general_complaint(
    case: &Case<'_>,
    trail: &Trail,
    replay: &SpinReplay,
    assertion: bool,
) -> Result<Option<String>, NoResult> {
    match replay.complaint() {
        None if assertion && !replay.assertion => Ok(Some("no assertion failed".to_owned())),
        None if trail.has_cycle() => replay.lasso_gap(&case.verifier, trail),
        complaint => Ok(complaint),
    }
}

/// Where `pan` listed all deadlocks, lurcher's must be among them.
fn unknown_deadlock(case: &Case<'_>, replay: &SpinReplay, spin: &[SpinTrail]) -> Result<Option<String>, NoResult> {
    let listed: Vec<&SpinTrail> = spin.iter().filter(|trail| trail.origin == "unmerged").collect();
    // Spin's simulator numbers channels in the order of their first use, so channels as values differ from run to run.
    let text = case.text()?;
    let channels = text.contains("{ chan") || text.contains(", chan");
    let others = listed.iter().any(|trail| trail.kind != ViolationKind::Deadlock);
    if channels || others || listed.is_empty() || listed.len() >= 4 {
        return Ok(None);
    }
    for trail in &listed {
        if state_difference(&trail.replay(case)?.last_state, &replay.last_state).is_none() {
            return Ok(None);
        }
    }
    Ok(Some("the last state is none of the invalid end states pan reports".to_owned()))
}

/// Why `spin -t` cannot follow a trail of `pan`, if it cannot.
pub fn own_complaint(case: &Case<'_>, trail: &SpinTrail) -> Result<Option<String>, NoResult> {
    let replay = trail.replay(case)?;
    general_complaint(case, &trail.read()?, &replay, trail.kind == ViolationKind::Assertion)
}
