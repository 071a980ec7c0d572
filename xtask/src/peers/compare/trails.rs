//! Trails in both directions.
//!
//! Spin's guided simulation has faults of its own (it cannot follow every trail that its verifier writes), so before a
//! trail of ours is called wrong, Spin is asked to follow its own trail for the same property.

use std::fmt;
use std::fs;
use std::iter::Sum;
use std::path::{Path, PathBuf};

use super::Row;
use crate::peers::bench::{Bench, NoResult};
use crate::peers::facts::{without_comments, words};
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
        let mut read_otherwise = false;
        let verdict = match lurcher::replay(bench, &suspect.path, property)? {
            Ok(answer) if answer.kinds.has(suspect.kind) => None,
            Ok(answer) => {
                read_otherwise = suspect.way == "merged" && answer.first.is_some_and(|kind| row.spin.has(kind));
                Some(answer.kinds.to_string())
            }
            Err(NoAnswer(words)) => Some(words),
        };
        if verdict.is_some() {
            if suspect.kind != Kind::Fault
                && let Some(complaint) = own_complaint(bench, suspect)?
            {
                row.notes.push(format!("spin -t on pan's own {} trail: {complaint}", suspect.way));
                continue;
            }
            if suspect.kind == Kind::Fault && words(&without_comments(&bench.text()?)).any(|word| word == "priority") {
                // Comparing priorities, pan asks processes what they could do before it notes who is to move.
                row.notes.push(format!("pan's {} trail stops short of its fault", suspect.way));
                continue;
            }
            if let Some(words) = &verdict
                && stops_elsewhere(bench, suspect.kind, words, &SpinReplay::run(bench, &suspect.path)?)?
            {
                row.theirs.count(true);
                continue;
            }
            if read_otherwise {
                // It does not say which statements were merged: lurcher shows the first reading that violates something.
                row.notes.push("lurcher reads a merged trail as another violation that Spin too knows".to_owned());
                continue;
            }
        }
        row.theirs.count(verdict.is_none());
        if let Some(words) = verdict {
            row.differ(&format!("spin's {} trail", suspect.way), suspect.kind, words);
        }
    }
    Ok(())
}

/// Whether a trail meets two violations, so that who stops at the other one is right too: asked for several errors, pan
/// goes past failed assertions; and a fault may follow a failed assertion inside one `d_step`. An assertion about what the
/// simulator cuts to one bit need not fail in it.
fn stops_elsewhere(bench: &Bench<'_>, kind: Kind, lurcher: &str, spin: &SpinReplay) -> Result<bool, NoResult> {
    Ok(match kind {
        Kind::Assertion => lurcher == Kind::Fault.to_string() && spin.assertion && !spin.errors.is_empty(),
        _ if lurcher != Kind::Assertion.to_string() => false,
        _ => spin.assertion || spin.cut_to_bit && has_wide_bits(&without_comments(&bench.text()?)),
    })
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
        && let Some(excuse) = excuse(bench, path, answer, spin)?
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

/// Why a complaint about a trail of ours says nothing: what Spin's simulator is known to do otherwise than `pan`.
fn excuse(
    bench: &mut Bench<'_>,
    path: &Path,
    answer: &Answer,
    spin: &[Suspect],
) -> Result<Option<&'static str>, NoResult> {
    if !spin_follows_itself(bench, spin)? {
        return Ok(Some("spin -t cannot follow its own trail either"));
    }
    let text = without_comments(&bench.text()?);
    if words(&text).any(|word| word == "_last") {
        return Ok(Some("spin -t does not set _last"));
    }
    if has_wide_bits(&text) && SpinReplay::run(bench, path)?.cut_to_bit {
        return Ok(Some("spin -t cuts to one bit what pan keeps in a byte"));
    }
    let claim = matches!(answer.first, Some(Kind::Claim | Kind::NonProgress));
    if claim && words(&text).any(|word| word == "_nr_pr") && !names_claim(&fs::read_to_string(path)?) {
        return Ok(Some("our trail names no claim, and spin -t does not count it in _nr_pr"));
    }
    let unset = answer.first == Some(Kind::Fault) && answer.message.starts_with("use of an uninitialised channel");
    if unset && asks_unset_channel(&SpinReplay::run(bench, path)?) {
        return Ok(Some("spin -t takes an unset channel for an empty one"));
    }
    Ok(None)
}

/// Whether a trail tells the simulator to run the claim. Ours do not for `ltl` and non-progress: the automaton is not Spin's.
fn names_claim(trail: &str) -> bool {
    trail.lines().any(|line| line.starts_with("-2:"))
}

/// Whether the only complaint is about the very last step, which asks how full a channel is. Of a channel variable
/// that names none, the simulator says 0 (`qlen`, `qfull` in its `mesg.c`); for `pan` that is a fault (`q_len`, `q_full`).
fn asks_unset_channel(replay: &SpinReplay) -> bool {
    let asks = |statement: &String| ["len(", "full(", "empty("].iter().any(|name| statement.contains(name));
    replay.ended && replay.troubles.len() == 1 && replay.refused.as_ref().is_some_and(asks)
}

/// Whether there are bits that `pan` keeps in bytes: in arrays, and in messages of a single bit.
fn has_wide_bits(text: &str) -> bool {
    let array = |line: &str| {
        let line = line.trim();
        (line.starts_with("bit ") || line.starts_with("bool ")) && line.contains('[')
    };
    text.lines().any(array) || text.contains("of { bit }") || text.contains("of { bool }")
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

/// Whether `spin -t` follows the unmerged trails `pan` wrote for the same property.
fn spin_follows_itself(bench: &mut Bench<'_>, spin: &[Suspect]) -> Result<bool, NoResult> {
    for suspect in spin.iter().filter(|suspect| suspect.way == "unmerged") {
        if own_complaint(bench, suspect)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is wrong with a trail of Spin's own, by the measure ours are held to.
fn own_complaint(bench: &mut Bench<'_>, suspect: &Suspect) -> Result<Option<String>, NoResult> {
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
