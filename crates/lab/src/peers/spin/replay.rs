//! Following a trail with `spin -t`.
//!
//! The exit status of `spin -t` means nothing. A trail was followed when Spin prints `trail ends after N steps` and no
//! complaint before it. With `-g -l` Spin prints the last state in full. So a lasso closes when its prefix alone ends in the
//! same state as the whole, and a deadlock is confirmed when its state is one that `pan` reports.

use std::mem;
use std::path::Path;

use super::{NoResult, Trail, Verifier};
use crate::peers::child;

/// What `spin -t` printed about a trail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpinReplay {
    /// Spin reached the end of the trail.
    pub ended: bool,
    /// Steps that Spin could not follow.
    pub complaints: Vec<String>,
    /// An assertion failed.
    pub assertion: bool,
    /// The start of a cycle was printed.
    pub cycle: bool,
    /// Other run-time errors: index out of bounds, uninitialised channel, …
    pub errors: Vec<String>,
    /// The last statement, where Spin found it not executable.
    pub blocked: Option<String>,
    /// A value was truncated to one bit.
    pub truncated_to_bit: bool,
    /// A value was truncated in a sorted send.
    pub truncated_sorted_send: bool,
    /// The last state: variables, channels and locations, one per line, without step numbers.
    pub last_state: Vec<String>,
}

const COMPLAINTS: [&str; 6] = [
    "lost trail",
    "transition failed",
    "invalid statement",
    "no matching stmnt",
    "stop error",
    "trail file doesn't match",
];

/// The number of the types `bit` and `bool` in Spin's messages.
const BIT: u32 = 1;

impl SpinReplay {
    /// Reads the output of `spin -t -p -g -l`.
    pub fn read(text: &str) -> SpinReplay {
        let mut replay = SpinReplay::default();
        let mut last_step = String::new();
        let mut unfinished = String::new();
        let mut truncated = false;
        for line in text.lines() {
            // This message may interrupt another line, which continues after it.
            if let Some((start, message)) = line.split_once("spin: ")
                && message.ends_with("truncated in assignment")
            {
                replay.truncated_to_bit |= !replay.ended && message.contains(&format!("({BIT}))"));
                unfinished.push_str(start);
                truncated = true;
                continue;
            }
            let whole = mem::take(&mut unfinished) + line;
            let line = whole.as_str();
            if line.starts_with("spin: trail ends after") {
                replay.ended = true;
            } else if replay.ended {
                replay.last_state.extend(state_line(line));
            } else if line.contains("<<<<<START OF CYCLE>>>>>") {
                replay.cycle = true;
            } else if line.contains("Error: assertion violated") {
                replay.assertion = true;
            } else if (line.starts_with("spin:") && line.contains("Error: ")) || line.starts_with("Error: ") {
                replay.errors.push(line.to_owned());
            } else if COMPLAINTS.iter().any(|complaint| line.contains(complaint))
                || line.contains("proc") && line.contains("(?)")
            {
                replay.complaints.push(line.trim().to_owned());
                replay.blocked = Some(mem::take(&mut last_step)).filter(|_| line.trim() == "transition failed");
            } else {
                replay.blocked = None;
                replay.truncated_sorted_send |= mem::take(&mut truncated) && line.contains("!!");
            }
            // `  2:\tproc  0 (P:1) s.pml:5 (state 2)\t[statement]`
            if whole.contains("proc ") && whole.ends_with(']') {
                last_step = whole;
            }
        }
        replay
    }

    /// Runs `spin -t` on the trail at `path`.
    pub fn run(verifier: &Verifier<'_>, path: &Path) -> Result<SpinReplay, NoResult> {
        let mut spin = verifier.spin();
        spin.args(["-p", "-g", "-l", "-k"]).arg(path).arg(&verifier.model);
        Ok(SpinReplay::read(&child::run_merged(&spin, verifier.folder(), verifier.bounds)?.stdout))
    }

    /// Why Spin did not follow the trail, if it did not.
    pub fn complaint(&self) -> Option<String> {
        let unfinished = (!self.ended).then(|| "the trail was not followed to its end".to_owned());
        self.complaints.first().cloned().or(unfinished)
    }

    /// Why the lasso that was replayed does not close, if it does not: its prefix alone must end in the same state.
    pub fn lasso_gap(&self, verifier: &Verifier<'_>, trail: &Trail) -> Result<Option<String>, NoResult> {
        let path = verifier.folder().join("prefix.trail");
        std::fs::write(&path, trail.prefix().to_string())?;
        let prefix = SpinReplay::run(verifier, &path)?;
        Ok(match prefix.complaint() {
            Some(complaint) => Some(format!("the prefix alone: {complaint}")),
            None => state_difference(&prefix.last_state, &self.last_state),
        })
    }
}

/// `386: proc  1 (C:1) b.pml:7 (state 3)` → `proc  1 (C:1) b.pml:7 (state 3)`; nothing for lines outside the state.
fn state_line(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.ends_with(" created") || line.starts_with("spin:") {
        return None;
    }
    if let Some((_, name)) = line.strip_prefix("queue ").and_then(|rest| rest.split_once(' ')) {
        // Channels are numbered in the order of their first use.
        return Some(format!("queue {name}"));
    }
    match line.split_once(':') {
        Some((number, rest)) if number.parse::<i64>().is_ok() => Some(rest.trim().to_owned()),
        _ => Some(line.to_owned()),
    }
}

/// The first line in which two states differ. Spin's simulator creates locals and channels at their first use: one that
/// only one state has is no difference, unless it is a channel with messages.
pub fn state_difference(start: &[String], end: &[String]) -> Option<String> {
    let (missing, new) = (contradicted(start, end), contradicted(end, start));
    let quoted = |line: Option<&String>| line.map_or_else(|| "nothing".to_owned(), |line| format!("`{line}`"));
    (missing.is_some() || new.is_some())
        .then(|| format!("the cycle starts with {} and ends with {}", quoted(missing), quoted(new)))
}

/// The first line of one state that the other contradicts.
fn contradicted<'a>(lines: &'a [String], others: &[String]) -> Option<&'a String> {
    let comparable = |line: &String| {
        let (name, lazy) = name_of(line);
        !lazy || others.iter().any(|other| name_of(other).0 == name)
    };
    lines.iter().find(|line| comparable(line) && !others.contains(line))
}

/// The variable or channel of a line, and whether Spin prints the line only after the first use.
fn name_of(line: &str) -> (&str, bool) {
    if line.starts_with("queue (") {
        if let Some((name, content)) = line.split_once("): ") {
            return (name, content.trim().is_empty());
        }
        if let Some(name) = line.strip_suffix("):") {
            return (name, true);
        }
    }
    line.split_once(" = ").map_or((line, false), |(name, _)| (name, name.contains("):")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LASSO: &str = "starting claim 2
  2:	proc  0 (P:1) b.pml:5 (state 1)	[((i<3))]
  <<<<<START OF CYCLE>>>>>
386:	proc  1 (C:1) b.pml:7 (state 2)	[x = ((x+k)%7)]
spin: trail ends after 386 steps
#processes: 2
		queue 2 (q): 
		x = 0
386:	proc  1 (C:1) b.pml:7 (state 3)
		C(1):k = 0
386:	proc  - (p1:1) _spin_nvr.tmp:3 (state 3)
2 processes created
";

    #[test]
    fn the_last_state_is_read_without_step_numbers() {
        let replay = SpinReplay::read(LASSO);
        assert!(replay.ended && replay.cycle && !replay.assertion);
        assert_eq!(replay.complaint(), None);
        assert_eq!(replay.last_state[4], "C(1):k = 0");
        assert_eq!(replay.last_state[5], "proc  - (p1:1) _spin_nvr.tmp:3 (state 3)");
    }

    #[test]
    fn a_failed_transition_is_a_complaint() {
        let replay = SpinReplay::read(
            "  3:	proc  0 (P:1) x.pml:4 (state 2)	[(0)]\n\ttransition failed\nspin: trail ends after 3 steps\n",
        );
        assert_eq!(replay.complaint().as_deref(), Some("transition failed"));
        assert!(replay.blocked.is_some_and(|statement| statement.ends_with("[(0)]")));
    }

    #[test]
    fn messages_are_no_part_of_the_last_state() {
        let text =
            "spin: trail ends after 2 steps\nspin: m.pml:10, Error: value (2->0 (5)) truncated in assignment\ng = 0\n";
        assert_eq!(SpinReplay::read(text).last_state, ["g = 0"]);
        let text = "spin: trail ends after 2 steps\n\tP(0):l = spin: m.pml:10, Error: value (2->0 (5)) truncated in assignment\n0\n";
        assert_eq!(SpinReplay::read(text).last_state, ["P(0):l = 0"]);
    }

    #[test]
    fn a_value_truncated_to_one_bit_is_no_error() {
        let replay = SpinReplay::read("spin: m.pml:16, Error: value (-1->1 (1)) truncated in assignment\n");
        assert!(replay.truncated_to_bit && replay.errors.is_empty());
    }

    #[test]
    fn a_blocked_step_is_known_even_after_the_values_it_printed() {
        let text = "  1:\tproc  1 (P1:1) m.pml:9 (state 1)\t[(empty(lc))]\n\t\tP1(1):lc = 0\n\ttransition failed\n";
        assert!(SpinReplay::read(text).blocked.is_some_and(|step| step.contains("empty(lc)")));
    }

    #[test]
    fn a_sorted_send_of_a_truncated_value_is_noticed() {
        let cut = "spin: s.pml:5, Error: value (-1->255 (8)) truncated in assignment\n";
        let step = |statement: &str| format!("  2:\tproc  0 (P:1) s.pml:5 (state 2)\t[{statement}]\n");
        assert!(SpinReplay::read(&format!("{cut}{cut}{}", step("q!!(x-2)"))).truncated_sorted_send);
        assert!(!SpinReplay::read(&format!("{cut}{}{}", step("q!(x-2)"), step("q!!5"))).truncated_sorted_send);
    }

    #[test]
    fn a_trail_that_stops_early_is_a_complaint() {
        assert!(SpinReplay::read("spin: x.pml:3, Error: aborting").complaint().is_some());
    }

    #[test]
    fn a_local_first_used_inside_the_cycle_is_no_difference_but_a_changed_one_is() {
        let start = vec!["x = 0".to_owned()];
        let end = vec!["x = 0".to_owned(), "P(0):i = 3".to_owned()];
        assert_eq!(state_difference(&start, &end), None);
        assert!(state_difference(&end, &["x = 0".to_owned(), "P(0):i = 4".to_owned()]).is_some());
        assert!(state_difference(&start, &["x = 1".to_owned()]).is_some());
        let empty = ["x = 0".to_owned(), "queue (q):".to_owned()];
        let full = ["x = 0".to_owned(), "queue (q): [1]".to_owned()];
        assert_eq!(state_difference(&start, &empty), None);
        assert!(state_difference(&start, &full).is_some() && state_difference(&empty, &full).is_some());
    }
}
