//! Why a trail that was not followed says nothing about lurcher: what Spin is known to do otherwise than Spin.

use std::fs;
use std::path::Path;

use super::trails::{Suspect, own_complaint};
use crate::peers::bench::{Bench, NoResult};
use crate::peers::facts::{without_comments, words};
use crate::peers::kind::{Kind, Kinds};
use crate::peers::lurcher::{Answer, REPLAYS_TO_NOTHING};
use crate::peers::spin_replay::SpinReplay;
use crate::peers::trail::Trail;

/// Why a complaint about a trail of ours says nothing: what Spin's simulator is known to do otherwise than `pan`.
pub fn for_ours(
    bench: &mut Bench<'_>,
    path: &Path,
    answer: &Answer,
    spin: &[Suspect],
) -> Result<Option<&'static str>, NoResult> {
    if !spin_follows_itself(bench, spin)? {
        return Ok(Some("spin -t cannot follow its own trail either"));
    }
    let text = without_comments(&bench.text()?);
    if uses(&text, "_last") {
        return Ok(Some("spin -t does not set _last"));
    }
    if has_wide_bits(&text) && SpinReplay::run(bench, path)?.cut_to_bit {
        return Ok(Some("spin -t cuts to one bit what pan keeps in a byte"));
    }
    if keeps_more(&text, &SpinReplay::run(bench, path)?.last_state) {
        return Ok(Some("spin -t keeps more in a bit of a record than pan"));
    }
    if SpinReplay::run(bench, path)?.sorted_cut {
        return Ok(Some("spin -t sorts by what is left of a value, pan by the value"));
    }
    let claim = matches!(answer.first, Some(Kind::Claim | Kind::NonProgress));
    if claim && uses(&text, "_nr_pr") && !Trail::read(&fs::read_to_string(path)?).has_claim() {
        return Ok(Some("our trail names no claim, and spin -t does not count it in _nr_pr"));
    }
    let unset = answer.first == Some(Kind::Fault) && answer.message.starts_with("use of an uninitialised channel");
    if unset && asks_unset_channel(&SpinReplay::run(bench, path)?) {
        return Ok(Some("spin -t takes an unset channel for an empty one"));
    }
    Ok(None)
}

/// Why a trail of Spin's that lurcher does not follow to the same violation says nothing.
pub fn for_theirs(bench: &mut Bench<'_>, suspect: &Suspect, said: &str) -> Result<Option<String>, NoResult> {
    let way = suspect.way;
    if suspect.kind != Kind::Fault
        && let Some(complaint) = own_complaint(bench, suspect)?
    {
        return Ok(Some(format!("spin -t on pan's own {way} trail: {complaint}")));
    }
    let text = without_comments(&bench.text()?);
    if suspect.kind == Kind::Fault && uses(&text, "priority") && (way == "bfs" || said == REPLAYS_TO_NOTHING) {
        // Comparing priorities, pan asks processes what they could do before it notes who is to move.
        return Ok(Some(format!("pan's {way} trail stops short of its fault")));
    }
    if way == "merged" && uses(&text, "priority") {
        return Ok(Some("between merged statements, Spin lets no higher priority in".to_owned()));
    }
    if way == "merged" && suspect.kind == Kind::Fault && uses(&text, "D_proctype") {
        return Ok(Some("merged with others, a skip is a second choice for Spin".to_owned()));
    }
    if said == REPLAYS_TO_NOTHING && takes_stay_for_progress(bench, &suspect.path)? {
        return Ok(Some(format!("np_ holds in pan's {way} cycle only the first time around")));
    }
    if way == "merged" && bench.loses_merged_escape()? {
        return Ok(Some("merging statements, Spin lost the escape of an unless".to_owned()));
    }
    Ok(None)
}

/// Whether `pan` closed a cycle of a claim that asks for `np_` in a state in which the system has stopped. It starts its
/// second search with a look at which `np_` is true, but at every later look at the same state `np_` is false; the mark
/// that makes it so is no part of the states it compares.
pub fn takes_stay_for_progress(bench: &Bench<'_>, path: &Path) -> Result<bool, NoResult> {
    let asks = uses(&without_comments(&bench.text()?), "np_");
    Ok(asks && Trail::read(&fs::read_to_string(path)?).stutters())
}

/// Whether a trail meets two violations, so that who stops at the other one is right too: asked for several errors, pan
/// goes past failed assertions; and a fault may follow a failed assertion inside one `d_step`. An assertion that `pan` knows
/// to fail need not fail in the simulator if it is about what that cuts to one bit, or about `_last`.
pub fn stops_elsewhere(bench: &Bench<'_>, suspect: &Suspect, said: &str, pan: &Kinds) -> Result<bool, NoResult> {
    let spin = SpinReplay::run(bench, &suspect.path)?;
    if suspect.kind == Kind::Assertion {
        return Ok(said == Kind::Fault.to_string() && spin.assertion && !spin.errors.is_empty());
    }
    if said != Kind::Assertion.to_string() {
        return Ok(false);
    }
    let text = without_comments(&bench.text()?);
    let blind = uses(&text, "_last") || spin.cut_to_bit && has_wide_bits(&text);
    Ok(spin.assertion || blind && pan.has(Kind::Assertion))
}

fn uses(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
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

/// Whether a state of the simulator has a number in a bit of a record: assigned a sum of constants, it does not cut it.
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
