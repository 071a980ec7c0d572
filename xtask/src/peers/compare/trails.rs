//! Trails in both directions.
//!
//! Spin's guided simulation has faults of its own (it cannot follow every trail that its verifier writes), so before a
//! trail of ours is called wrong, Spin is asked to follow its own trail for the same property.

use std::fmt;
use std::fs;
use std::iter::Sum;
use std::path::{Path, PathBuf};

use super::{Row, excuses};
use crate::peers::bench::{Bench, NoResult};
use crate::peers::kind::Kind;
use crate::peers::lurcher::{self, Answer, NoAnswer};
use crate::peers::spin_replay::{self, SpinReplay};
use crate::peers::trail::Trail;

/// How many trails were followed, of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Followed to the same violation.
    pub followed: usize,
    /// Tried.
    pub tried: usize,
}

impl Tally {
    fn count(&mut self, followed: bool) {
        self.tried += 1;
        self.followed += usize::from(followed);
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |sum, tally| Tally {
            followed: sum.followed + tally.followed,
            tried: sum.tried + tally.tried,
        })
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

/// A trail that Spin wrote.
#[derive(Debug, Clone)]
pub struct Suspect {
    /// How it came about.
    pub way: &'static str,
    /// Where it is.
    pub path: PathBuf,
    /// What it leads to.
    pub kind: Kind,
}

/// Lurcher follows Spin's trails; each must lead it to the same kind of violation.
pub fn theirs(bench: &mut Bench<'_>, row: &mut Row, property: &str, suspects: &[Suspect]) -> Result<(), NoResult> {
    for suspect in suspects {
        let said = match lurcher::replay(bench, &suspect.path, property)? {
            Ok(answer) if answer.kinds.has(suspect.kind) => {
                row.theirs.count(true);
                continue;
            }
            Ok(answer) => answer.kinds.to_string(),
            Err(NoAnswer(words)) => words,
        };
        if let Some(excuse) = excuses::for_theirs(bench, suspect, &said)? {
            row.notes.push(excuse);
            continue;
        }
        let followed = excuses::stops_elsewhere(bench, suspect, &said, &row.spin)?;
        row.theirs.count(followed);
        if !followed {
            row.differ(&format!("spin's {} trail", suspect.way), suspect.kind, said);
        }
    }
    Ok(())
}

/// Spin follows the trail lurcher wrote at `path`.
pub fn ours(
    bench: &mut Bench<'_>,
    row: &mut Row,
    name: &str,
    path: &Path,
    answer: &Answer,
    spin: &[Suspect],
) -> Result<(), NoResult> {
    let Ok(text) = fs::read_to_string(path) else {
        row.ours.count(false);
        row.differ(&format!("our trail {name}"), "a trail file", "none written");
        return Ok(());
    };
    let trail = Trail::read(&text);
    let complaint = complaint(bench, &trail, path, answer, spin)?;
    if complaint.is_some()
        && let Some(excuse) = excuses::for_ours(bench, path, answer, spin)?
    {
        row.notes.push(excuse.to_owned());
        return Ok(());
    }
    row.ours.count(complaint.is_none());
    if let Some(words) = complaint {
        row.differ(&format!("our trail {name}"), words, format!("{:?} in {:?} steps", answer.first, answer.length));
    }
    Ok(())
}

/// What is wrong with a trail of ours, if anything.
fn complaint(
    bench: &mut Bench<'_>,
    trail: &Trail,
    path: &Path,
    answer: &Answer,
    spin: &[Suspect],
) -> Result<Option<String>, NoResult> {
    if answer.length != Some(trail.length()) {
        return Ok(Some(format!("the trail has {} system steps", trail.length())));
    }
    if answer.cycle != trail.has_cycle() {
        return Ok(Some("a cycle in the trace or in the trail, but not in both".to_owned()));
    }
    let replay = SpinReplay::run(bench, path)?;
    if answer.first == Some(Kind::Fault) {
        // Spin's simulator dies of some faults itself, and after others it cannot go on; that it got there counts.
        return Ok(replay.troubles.first().filter(|_| replay.errors.is_empty()).cloned());
    }
    if let Some(trouble) = replay.trouble() {
        return Ok(Some(trouble));
    }
    match answer.first {
        Some(Kind::Assertion) if !replay.assertion => Ok(Some("no assertion failed".to_owned())),
        Some(Kind::Deadlock) => known_deadlock(bench, &replay, spin),
        _ if trail.has_cycle() && !replay.cycle => Ok(Some("no cycle started".to_owned())),
        _ if trail.has_cycle() => spin_replay::lasso_closes(bench, trail, &replay),
        _ => Ok(None),
    }
}

/// `pan` was asked for a few deadlocks; where it listed them all, ours must be among them.
fn known_deadlock(bench: &mut Bench<'_>, replay: &SpinReplay, spin: &[Suspect]) -> Result<Option<String>, NoResult> {
    let listed: Vec<&Suspect> = spin.iter().filter(|suspect| suspect.way == "unmerged").collect();
    // Spin's simulator numbers channels as they are first used: as values they differ from run to run.
    let text = bench.text()?;
    if text.contains("{ chan") || text.contains(", chan") {
        return Ok(None);
    }
    if listed.is_empty() || listed.len() >= 4 || listed.iter().any(|suspect| suspect.kind != Kind::Deadlock) {
        return Ok(None);
    }
    for suspect in &listed {
        let known = SpinReplay::run(bench, &suspect.path)?;
        if spin_replay::difference(&known.last_state, &replay.last_state).is_none() {
            return Ok(None);
        }
    }
    Ok(Some("the last state is none of the invalid end states pan reports".to_owned()))
}

/// What is wrong with a trail of Spin's own, by the measure ours are held to.
pub(super) fn own_complaint(bench: &mut Bench<'_>, suspect: &Suspect) -> Result<Option<String>, NoResult> {
    let replay = SpinReplay::run(bench, &suspect.path)?;
    let trail = Trail::read(&fs::read_to_string(&suspect.path)?);
    if let Some(trouble) = replay.trouble() {
        return Ok(Some(trouble));
    }
    if suspect.kind == Kind::Assertion && !replay.assertion {
        return Ok(Some("no assertion failed".to_owned()));
    }
    match trail.has_cycle() {
        true => spin_replay::lasso_closes(bench, &trail, &replay),
        false => Ok(None),
    }
}

/// Spin follows its own trails: how far the measure itself can be trusted.
pub fn own(bench: &mut Bench<'_>, row: &mut Row, suspects: &[Suspect]) -> Result<(), NoResult> {
    for suspect in suspects.iter().filter(|suspect| suspect.way == "unmerged" && suspect.kind != Kind::Fault) {
        let complaint = own_complaint(bench, suspect)?;
        row.ours.count(complaint.is_none());
        row.notes.extend(complaint.map(|words| format!("spin -t on pan's own trail: {words}")));
    }
    Ok(())
}
