//! Following a trail with the real `spin -t`, and judging where it ends.
//!
//! `spin -t` never fails by its exit status. A trail was followed when it says `trail ends after N steps` and has not
//! complained on the way. The state it ends in is printed in full with `-g -l`, which makes two checks possible that
//! the step numbers alone do not give: a lasso is closed when its prefix alone ends in the same state as the whole,
//! and a deadlock is Spin's when the state is one that `pan` too reports.

use std::fs;
use std::mem;
use std::path::Path;

use super::bench::{Bench, NoResult};
use super::child;
use super::trail::Trail;

/// What `spin -t` said about a trail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpinReplay {
    /// It followed the trail to its end.
    pub ended: bool,
    /// Its complaints on the way.
    pub troubles: Vec<String>,
    /// It saw an assertion fail.
    pub assertion: bool,
    /// It printed the start of a cycle.
    pub cycle: bool,
    /// Its other run-time errors (index out of bounds, unset channel, …).
    pub errors: Vec<String>,
    /// The last statement, where it would not execute that one.
    pub refused: Option<String>,
    /// It cut a value to one bit.
    pub cut_to_bit: bool,
    /// It cut a value that it sent to a place in sorted order.
    pub sorted_cut: bool,
    /// The last state: variables, channels and locations, one per line, without step numbers.
    pub last_state: Vec<String>,
}

const TROUBLES: [&str; 6] = [
    "lost trail",
    "transition failed",
    "invalid statement",
    "no matching stmnt",
    "stop error",
    "trail file doesn't match",
];

/// What Spin's messages call the types `bit` and `bool`.
const BIT: u32 = 1;

impl SpinReplay {
    /// Reads the output of `spin -t -p -g -l`.
    pub fn read(text: &str) -> SpinReplay {
        let mut replay = SpinReplay::default();
        let mut before = String::new(); // the last step
        let mut begun = String::new();
        let mut cut = false;
        for line in text.lines() {
            // A message in the middle of a line: what was begun goes on in the next one.
            if let Some((start, message)) = line.split_once("spin: ")
                && message.ends_with("truncated in assignment")
            {
                replay.cut_to_bit |= !replay.ended && message.contains(&format!("({BIT}))"));
                begun.push_str(start);
                cut = true;
                continue;
            }
            let whole = mem::take(&mut begun) + line;
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
            } else if TROUBLES.iter().any(|trouble| line.contains(trouble))
                || line.contains("proc") && line.contains("(?)")
            {
                replay.troubles.push(line.trim().to_owned());
                replay.refused = Some(mem::take(&mut before)).filter(|_| line.trim() == "transition failed");
            } else {
                // A step.
                replay.refused = None;
                replay.sorted_cut |= mem::take(&mut cut) && line.contains("!!");
            }
            if is_step(&whole) {
                before = whole;
            }
        }
        replay
    }

    /// Runs `spin -t` on the trail at `path`.
    pub fn run(bench: &Bench<'_>, path: &Path) -> Result<SpinReplay, NoResult> {
        let mut spin = bench.spin();
        spin.args(["-p", "-g", "-l", "-k"]).arg(path).arg(bench.file());
        let run = child::run(&mut spin, bench.folder(), bench.limits.time)?;
        Ok(SpinReplay::read(&run.output))
    }

    /// Why the trail was not followed, if it was not.
    pub fn trouble(&self) -> Option<String> {
        if let Some(trouble) = self.troubles.first() {
            return Some(trouble.clone());
        }
        (!self.ended).then(|| "the trail was not followed to its end".to_owned())
    }
}

/// `  2:\tproc  0 (P:1) s.pml:5 (state 2)\t[statement]`
fn is_step(line: &str) -> bool {
    line.contains("proc ") && line.ends_with(']')
}

/// `386: proc  1 (C:1) b.pml:7 (state 3)` → `proc  1 (C:1) b.pml:7 (state 3)`; nothing for the closing count.
fn state_line(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.ends_with(" created") || line.starts_with("spin:") {
        return None;
    }
    if let Some((_, name)) = line.strip_prefix("queue ").and_then(|rest| rest.split_once(' ')) {
        // Channels are numbered as they are first used, so the number says nothing.
        return Some(format!("queue {name}"));
    }
    match line.split_once(':') {
        Some((number, rest)) if number.parse::<i64>().is_ok() => Some(rest.trim().to_owned()),
        _ => Some(line.to_owned()),
    }
}

/// Whether a lasso ends in the state its cycle starts in; the difference otherwise.
pub fn lasso_closes(bench: &mut Bench<'_>, trail: &Trail, whole: &SpinReplay) -> Result<Option<String>, NoResult> {
    let path = bench.new_trail();
    fs::write(&path, trail.prefix().to_string())?;
    let prefix = SpinReplay::run(bench, &path)?;
    if let Some(trouble) = prefix.trouble() {
        return Ok(Some(format!("the prefix alone: {trouble}")));
    }
    Ok(difference(&prefix.last_state, &whole.last_state))
}

/// The first line in which two states differ. Spin's simulator creates a local variable or a channel when it is first
/// used, so one that only one of the states knows is no difference (unless it is a channel with something in it).
pub fn difference(start: &[String], end: &[String]) -> Option<String> {
    let missing = unknown(start, end);
    let new = unknown(end, start);
    match (missing, new) {
        (None, None) => None,
        (missing, new) => {
            let word = |line: Option<&String>| line.map_or_else(|| "nothing".to_owned(), |line| format!("`{line}`"));
            Some(format!("the cycle starts with {} and ends with {}", word(missing), word(new)))
        }
    }
}

/// The first line of one state that the other contradicts.
fn unknown<'a>(lines: &'a [String], others: &[String]) -> Option<&'a String> {
    let comparable = |line: &String| match parts(line) {
        (_, None) => true,
        (name, Some(lazy)) => !lazy || others.iter().any(|other| parts(other).0 == name),
    };
    lines.iter().find(|line| comparable(line) && !others.contains(line))
}

/// What a line is about, and whether Spin may not have printed it yet (unknown where it is about no variable).
fn parts(line: &str) -> (&str, Option<bool>) {
    if let Some((name, content)) = line.split_once("): ").filter(|_| line.starts_with("queue (")) {
        return (name, Some(content.trim().is_empty()));
    }
    if let Some(name) = line.strip_suffix("):").filter(|_| line.starts_with("queue (")) {
        return (name, Some(true));
    }
    match line.split_once(" = ") {
        Some((name, _)) => (name, Some(name.contains("):"))),
        None => (line, None),
    }
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
        assert_eq!(replay.trouble(), None);
        assert_eq!(replay.last_state[4], "C(1):k = 0");
        assert_eq!(replay.last_state[5], "proc  - (p1:1) _spin_nvr.tmp:3 (state 3)");
    }

    #[test]
    fn a_failed_transition_is_trouble() {
        let replay = SpinReplay::read(
            "  3:	proc  0 (P:1) x.pml:4 (state 2)	[(0)]\n\ttransition failed\nspin: trail ends after 3 steps\n",
        );
        assert_eq!(replay.trouble().as_deref(), Some("transition failed"));
        assert!(replay.refused.is_some_and(|statement| statement.ends_with("[(0)]")));
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
    fn a_value_cut_to_one_bit_is_noticed_and_is_no_error() {
        let replay = SpinReplay::read("spin: m.pml:16, Error: value (-1->1 (1)) truncated in assignment\n");
        assert!(replay.cut_to_bit && replay.errors.is_empty());
    }

    #[test]
    fn the_step_that_was_refused_is_known_behind_the_values_it_printed() {
        let text = "  1:\tproc  1 (P1:1) m.pml:9 (state 1)\t[(empty(lc))]\n\t\tP1(1):lc = 0\n\ttransition failed\n";
        assert!(SpinReplay::read(text).refused.is_some_and(|step| step.contains("empty(lc)")));
    }

    #[test]
    fn a_sorted_send_of_a_value_cut_is_noticed() {
        let cut = "spin: s.pml:5, Error: value (-1->255 (8)) truncated in assignment\n";
        let step = |statement: &str| format!("  2:\tproc  0 (P:1) s.pml:5 (state 2)\t[{statement}]\n");
        assert!(SpinReplay::read(&format!("{cut}{cut}{}", step("q!!(x-2)"))).sorted_cut);
        assert!(!SpinReplay::read(&format!("{cut}{}{}", step("q!(x-2)"), step("q!!5"))).sorted_cut);
    }

    #[test]
    fn a_trail_that_stops_early_is_trouble() {
        assert!(SpinReplay::read("spin: x.pml:3, Error: aborting").trouble().is_some());
    }

    #[test]
    fn a_local_first_used_inside_the_cycle_is_no_difference_but_a_changed_one_is() {
        let start = vec!["x = 0".to_owned()];
        let end = vec!["x = 0".to_owned(), "P(0):i = 3".to_owned()];
        assert_eq!(difference(&start, &end), None);
        assert!(difference(&end, &["x = 0".to_owned(), "P(0):i = 4".to_owned()]).is_some());
        assert!(difference(&start, &["x = 1".to_owned()]).is_some());
        let empty = ["x = 0".to_owned(), "queue (q):".to_owned()];
        let full = ["x = 0".to_owned(), "queue (q): [1]".to_owned()];
        assert_eq!(difference(&start, &empty), None);
        assert!(difference(&start, &full).is_some() && difference(&empty, &full).is_some());
    }
}
