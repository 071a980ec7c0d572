//! The output of `pan`.
//!
//! `pan` exits with status 0 whatever it finds. It prints a line `pan:N: …` for each error, a hint when a limit cut the
//! search short, and a report with the counts. A division by zero kills it before it prints anything.

use crate::peers::{ViolationKind, ViolationKinds};

/// A limit that cut a search of `pan` short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// `-DVECTORSZ` is too small.
    Vector,
    /// `-DNFAIR` is too small.
    Fairness,
    /// `-m` is too small.
    Depth,
    /// Memory ran out.
    Memory,
}

/// What one run of `pan` printed.
#[derive(Debug, Clone, Default)]
pub struct PanOutput {
    /// Error messages with their depths, in order. `pan` does not repeat a message that equals the one before.
    pub errors: Vec<(String, Option<u64>)>,
    /// The number after `errors:`.
    pub error_count: u64,
    /// The number of stored states.
    pub stored: Option<u64>,
    /// The number of transitions.
    pub transitions: Option<u64>,
    /// Total memory, in bytes.
    pub memory: Option<u64>,
    /// The number after `depth reached`.
    pub depth: Option<u64>,
    /// The limits that cut the search short, in the order in which `pan` names them.
    pub shortages: Vec<Shortage>,
    /// `Search not completed`: an error stopped the search.
    pub stopped: bool,
    /// The trail files written, each with the kind of error it leads to.
    pub trails: Vec<(String, ViolationKind)>,
}

impl PanOutput {
    /// Reads the whole output of a run.
    pub fn read(text: &str) -> PanOutput {
        let mut run = PanOutput::default();
        text.lines().for_each(|line| run.read_line(line.trim()));
        run
    }

    fn read_line(&mut self, line: &str) {
        self.errors.extend(error(line));
        if let Some(name) = line.strip_prefix("pan: wrote ") {
            // The trail belongs to the last message printed, even where a repeated message was left out.
            let kind = self.errors.last().map_or(ViolationKind::Fault, |(message, _)| ViolationKind::of_pan(message));
            self.trails.push((name.to_owned(), kind));
        } else if let Some((before, count)) = line.split_once(", errors: ") {
            self.error_count = count.trim().parse().unwrap_or(0);
            self.depth = before.split_once("depth reached ").and_then(|(_, depth)| depth.parse().ok());
        } else if let Some((count, _)) = line.split_once(" states, stored") {
            self.stored = number(count).map(|n| n as u64);
        } else if let Some((count, _)) = line.split_once(" transitions (=") {
            self.transitions = number(count).map(|n| n as u64);
        } else if let Some((megabytes, _)) = line.split_once("total actual memory usage") {
            self.memory = number(megabytes).map(|n| (n * 1e6).round() as u64);
        } else if line.starts_with("Warning: Search not completed") {
            self.stopped = true;
        }
        self.shortages.extend(shortage(line));
    }

    /// The kinds of the errors.
    pub fn kinds(&self) -> ViolationKinds {
        self.errors.iter().map(|(message, _)| ViolationKind::of_pan(message)).collect()
    }

    /// Whether this limit cut the search short.
    pub fn lacks(&self, shortage: Shortage) -> bool {
        self.shortages.contains(&shortage)
    }
}

/// A number, which `pan` may write with a decimal point or an exponent.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// `pan:1: invalid end state (at depth 4)` → `invalid end state`, 4. `aborting` and `VECTORSZ` only repeat a shortage.
fn error(line: &str) -> Option<(String, Option<u64>)> {
    let (index, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    index.parse::<u64>().ok()?;
    let (message, depth) = rest.rsplit_once(" (at depth").unwrap_or((rest, ""));
    let repeats = message.starts_with("aborting") || message.starts_with("VECTORSZ");
    (!repeats).then(|| (message.to_owned(), depth.trim().trim_end_matches(')').parse().ok()))
}

fn shortage(line: &str) -> Option<Shortage> {
    let contains = |words: [&str; 2]| words.iter().any(|w| line.contains(w));
    match line {
        _ if contains(["VECTORSZ too small", "VECTORSZ is too small"]) => Some(Shortage::Vector),
        _ if line.starts_with("recompile with -DNFAIR") => Some(Shortage::Fairness),
        _ if line.contains("max search depth too small") => Some(Shortage::Depth),
        _ if contains(["out of memory", "-DMEMLIM bound"]) => Some(Shortage::Memory),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_its_trail_and_the_counts_are_read() {
        let run = PanOutput::read(
            "pan:1: invalid end state (at depth 18)
pan: wrote philosophers.pml.trail
Warning: Search not completed
State-vector 44 byte, depth reached 38, errors: 1
     1615 states, stored
     2433 states, matched
     4048 transitions (= stored+matched)
  128.730	total actual memory usage
",
        );
        assert_eq!(run.errors, [("invalid end state".to_owned(), Some(18))]);
        assert_eq!(run.trails, [("philosophers.pml.trail".to_owned(), ViolationKind::Deadlock)]);
        assert_eq!((run.error_count, run.depth, run.stopped, run.shortages.len()), (1, Some(38), true, 0));
        assert_eq!((run.stored, run.transitions, run.memory), (Some(1615), Some(4048), Some(128_730_000)));
    }

    #[test]
    fn visited_states_of_a_nested_search_are_not_stored_ones() {
        let run = PanOutput::read(" 1602 states, stored (3204 visited)\n");
        assert_eq!(run.stored, Some(1602));
        assert!(run.kinds().holds());
    }

    #[test]
    fn a_shortage_is_named_and_is_no_error() {
        let vector = "pan: error, VECTORSZ too small, recompile pan.c with -DVECTORSZ=N with N>1024\npan:1: aborting (at depth 0)";
        let fair = "pan: error: too many processes -- current max is 6 procs (-DNFAIR=2)\n\trecompile with -DNFAIR=3\n";
        for (text, shortage) in [
            (vector, Shortage::Vector),
            (fair, Shortage::Fairness),
            ("error: max search depth too small\n", Shortage::Depth),
            ("pan: reached -DMEMLIM bound", Shortage::Memory),
            ("pan: out of memory", Shortage::Memory),
        ] {
            let run = PanOutput::read(text);
            assert!(run.shortages == [shortage] && run.kinds().holds(), "{text}");
        }
    }

    #[test]
    fn an_index_out_of_bounds_is_a_fault_though_pan_calls_it_an_assertion() {
        let text = "pan:1: assertion violated - invalid array index (at depth 2)\npan:2: assertion violated (x==4) (at depth 3)\n";
        assert_eq!(PanOutput::read(text).kinds().to_string(), "assertion+fault");
    }
}
