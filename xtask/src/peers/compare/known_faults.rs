//! Known faults of Spin that explain why a trail was not followed: such a trail says nothing about lurcher.

use std::fs;
use std::path::Path;

use lurcher_lab::peers::lurcher::{Answer, REPLAYS_TO_NOTHING};
use lurcher_lab::peers::spin::{NoResult, SpinReplay, Trail};
use lurcher_lab::peers::{ViolationKind, ViolationKinds};

use super::trails::{SpinTrail, own_complaint};
use crate::peers::case::Case;
use crate::peers::features::{uses, without_comments};

/// The known fault of `spin -t` that explains why it does not follow one of lurcher's trails.
pub fn in_replay(
    case: &mut Case<'_>,
    path: &Path,
    answer: &Answer,
    spin: &[SpinTrail],
) -> Result<Option<&'static str>, NoResult> {
    for trail in spin.iter().filter(|trail| trail.origin == "unmerged") {
        if own_complaint(case, trail)?.is_some() {
            return Ok(Some("spin -t cannot follow its own trail either"));
        }
    }
    let text = without_comments(&case.text()?);
    let replay = SpinReplay::run(&case.verifier, path)?;
    let claim = matches!(answer.first, Some(ViolationKind::Claim | ViolationKind::NonProgress));
    let unset =
        answer.first == Some(ViolationKind::Fault) && answer.message.starts_with("use of an uninitialised channel");
    Ok(match () {
        () if uses(&text, "_last") => Some("spin -t does not set _last"),
        () if has_wide_bits(&text) && replay.truncated_to_bit => {
            Some("spin -t cuts to one bit what pan keeps in a byte")
        }
        () if keeps_more(&text, &replay.last_state) => Some("spin -t keeps more in a bit of a record than pan"),
        () if replay.truncated_sorted_send => Some("spin -t sorts by what is left of a value, pan by the value"),
        () if claim && uses(&text, "_nr_pr") && !Trail::read(&fs::read_to_string(path)?).has_claim() => {
            Some("our trail names no claim, and spin -t does not count it in _nr_pr")
        }
        () if unset && asks_unset_channel(&replay) => Some("spin -t takes an unset channel for an empty one"),
        () => None,
    })
}

/// The known fault of Spin that explains why lurcher does not follow one of Spin's trails to the same violation.
pub fn in_spin_trail(case: &mut Case<'_>, trail: &SpinTrail, said: &str) -> Result<Option<String>, NoResult> {
    let (origin, fault) = (trail.origin, trail.kind == ViolationKind::Fault);
    if !fault && let Some(complaint) = own_complaint(case, trail)? {
        return Ok(Some(format!("spin -t on pan's own {origin} trail: {complaint}")));
    }
    let text = without_comments(&case.text()?);
    let (merged, nothing) = (origin == "merged", said == REPLAYS_TO_NOTHING);
    Ok(match () {
        // To compare priorities, pan evaluates guards before it records which process moves.
        () if fault && uses(&text, "priority") && (origin == "bfs" || nothing) => {
            Some(format!("pan's {origin} trail stops short of its fault"))
        }
        () if merged && uses(&text, "priority") => {
            Some("between merged statements, Spin lets no higher priority in".to_owned())
        }
        () if merged && fault && uses(&text, "D_proctype") => {
            Some("merged with others, a skip is a second choice for Spin".to_owned())
        }
        () if nothing && np_holds_once(case, trail)? => {
            Some(format!("np_ holds in pan's {origin} cycle only the first time around"))
        }
        () if merged && case.loses_merged_escape()? => {
            Some("merging statements, Spin lost the escape of an unless".to_owned())
        }
        () => None,
    })
}

/// Whether `pan` closes a cycle of a claim over `np_` in a state in which the system has stopped. `np_` is true when the
/// second search starts and false at every later visit, and the mark that makes it so is not part of the compared state.
pub fn np_holds_once(case: &Case<'_>, trail: &SpinTrail) -> Result<bool, NoResult> {
    Ok(uses(&without_comments(&case.text()?), "np_") && trail.read()?.stutters())
}

/// Whether a trail meets two violations, so that either verdict is right. When `pan` looks for several errors it continues
/// after failed assertions, and a fault may follow a failed assertion inside one `d_step`. An assertion that fails in `pan`
/// may hold in the simulator if it depends on a value truncated to one bit or on `_last`.
pub fn meets_two_violations(
    case: &Case<'_>,
    trail: &SpinTrail,
    said: &str,
    pan: &ViolationKinds,
) -> Result<bool, NoResult> {
    let spin = trail.replay(case)?;
    if trail.kind == ViolationKind::Assertion {
        return Ok(said == ViolationKind::Fault.to_string() && spin.assertion && !spin.errors.is_empty());
    }
    let text = without_comments(&case.text()?);
    let blind = uses(&text, "_last") || spin.truncated_to_bit && has_wide_bits(&text);
    let assertion = spin.assertion || blind && pan.has(ViolationKind::Assertion);
    Ok(said == ViolationKind::Assertion.to_string() && assertion)
}

/// Whether the only complaint is about the last step, which reads the length of a channel. The simulator takes an
/// uninitialised channel for an empty one (`qlen`, `qfull` in `mesg.c`); in `pan` it is a fault (`q_len`, `q_full`).
fn asks_unset_channel(replay: &SpinReplay) -> bool {
    let asks = |statement: &String| ["len(", "full(", "empty("].iter().any(|name| statement.contains(name));
    replay.ended && replay.complaints.len() == 1 && replay.blocked.as_ref().is_some_and(asks)
}

/// Whether there are bits that `pan` keeps in bytes: in arrays, and in messages of one bit.
fn has_wide_bits(text: &str) -> bool {
    let array = |line: &str| {
        let line = line.trim();
        (line.starts_with("bit ") || line.starts_with("bool ")) && line.contains('[')
    };
    text.lines().any(array) || text.contains("of { bit }") || text.contains("of { bool }")
}

/// Whether a bit of a record has a value above 1 in a state: the simulator does not truncate a sum of constants.
fn keeps_more(text: &str, state: &[String]) -> bool {
    let fields = text.lines().filter(|line| line.contains("typedef")).flat_map(|line| line.split(['{', ';', '}']));
    let bits: Vec<&str> = fields
        .filter_map(|field| field.trim().strip_prefix("bit ").or(field.trim().strip_prefix("bool ")))
        .filter_map(|names| names.trim().split('[').next())
        .collect();
    let exceeds = |line: &String| {
        let Some((place, value)) = line.split_once(" = ") else { return false };
        let field = place.rsplit('.').next().unwrap_or_default().split('[').next().unwrap_or_default();
        place.contains('.') && bits.contains(&field) && !matches!(value.trim(), "0" | "1")
    };
    state.iter().any(exceeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_bit_of_a_record_is_seen() {
        let text = "typedef R { bit f1; byte f2 };";
        let state = |line: &str| [line.to_owned()];
        assert!(keeps_more(text, &state("P0(0):l0[1].f1 = 2")));
        assert!(!keeps_more(text, &state("P0(0):l0[1].f1 = 1")));
        assert!(!keeps_more(text, &state("P0(0):l0[1].f2 = 2")));
        assert!(!keeps_more(text, &state("f1 = 2")));
    }
}
