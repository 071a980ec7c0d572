//! Reading what `pan` prints.
//!
//! `pan` exits 0 whatever it finds, so its words are all there is: `pan:N: …` lines for errors, `error:` lines and a
//! handful of hints when the search was cut short, and a closing report with the counts. A division by zero kills the
//! process before anything is printed; that is told by the signal, in `pan.rs`.

use super::kind::{Kind, Kinds};

/// What stands in the way of a complete search, in the order in which it should be cured.
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

/// A run of `pan`, read.
#[derive(Debug, Clone, Default)]
pub struct PanOutput {
    /// Error messages in order, each kind of message once per change (as `pan` prints them).
    pub messages: Vec<String>,
    /// The number after `errors:`.
    pub errors: u64,
    /// The number before `states, stored`.
    pub stored: Option<u64>,
    /// The number before `transitions (= stored+matched)`.
    pub transitions: Option<u64>,
    /// The number after `depth reached`.
    pub depth: Option<u64>,
    /// The search was cut short for this reason.
    pub shortage: Option<Shortage>,
    /// `Search not completed` was printed: the first error, or a fatal one, stopped it.
    pub stopped: bool,
    /// Names of the trail files written, each with the kind of error it leads to.
    pub trails: Vec<(String, Kind)>,
}

impl PanOutput {
    /// Reads the whole output of a run.
    pub fn read(text: &str) -> PanOutput {
        let mut run = PanOutput::default();
        for line in text.lines() {
            run.read_line(line.trim());
        }
        run
    }

    fn read_line(&mut self, line: &str) {
        if let Some(message) = error_message(line) {
            // "depth limit reached" is `pan -b` only; "aborting" repeats the line that said why.
            if !message.starts_with("aborting") && !message.starts_with("VECTORSZ") {
                self.messages.push(message.to_owned());
            }
        }
        if let Some(name) = line.strip_prefix("pan: wrote ") {
            // A message equal to the one before is not printed again, so the last one printed is the one meant.
            let kind = self.messages.last().map_or(Kind::Fault, |message| Kind::of_pan(message));
            self.trails.push((name.to_owned(), kind));
        } else if let Some((before, count)) = line.split_once(", errors: ") {
            self.errors = count.trim().parse().unwrap_or(0);
            self.depth = before.split_once("depth reached ").and_then(|(_, depth)| depth.parse().ok());
        } else if let Some((count, _)) = line.split_once(" states, stored") {
            self.stored = whole(count);
        } else if let Some((count, _)) = line.split_once(" transitions (= stored") {
            self.transitions = whole(count);
        } else if line.starts_with("Warning: Search not completed") {
            self.stopped = true;
        }
        let shortage = shortage(line);
        if self.shortage.is_none() {
            self.shortage = shortage;
        }
    }

    /// The kinds of error among the messages.
    pub fn kinds(&self) -> Kinds {
        self.messages.iter().map(|message| Kind::of_pan(message)).collect()
    }
}

/// A count, which `pan` may write as a floating-point number.
fn whole(text: &str) -> Option<u64> {
    text.trim().parse::<f64>().ok().map(|count| count as u64)
}

/// `pan:1: invalid end state (at depth 4)` → `invalid end state`.
fn error_message(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    Some(rest.rsplit_once(" (at depth").map_or(rest, |(message, _)| message))
}

fn shortage(line: &str) -> Option<Shortage> {
    if line.contains("VECTORSZ too small") || line.contains("VECTORSZ is too small") {
        Some(Shortage::Vector)
    } else if line.starts_with("recompile with -DNFAIR") {
        Some(Shortage::Fairness)
    } else if line.contains("max search depth too small") {
        Some(Shortage::Depth)
    } else if line.contains("out of memory") || line.contains("-DMEMLIM bound") {
        Some(Shortage::Memory)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLOCK: &str = "pan:1: invalid end state (at depth 18)
pan: wrote philosophers.pml.trail

(Spin Version 6.5.2 -- 6 December 2019)
Warning: Search not completed

Full statespace search for:
\tnever claim         \t- (not selected)

State-vector 44 byte, depth reached 38, errors: 1
     1615 states, stored
     2433 states, matched
";

    #[test]
    fn an_error_its_trail_and_the_counts_are_read() {
        let run = PanOutput::read(DEADLOCK);
        assert_eq!(run.kinds().to_string(), "deadlock");
        assert_eq!(run.trails, [("philosophers.pml.trail".to_owned(), Kind::Deadlock)]);
        assert_eq!((run.errors, run.stored, run.stopped, run.shortage), (1, Some(1615), true, None));
    }

    #[test]
    fn visited_states_of_a_nested_search_are_not_mistaken_for_stored_ones() {
        let run =
            PanOutput::read("State-vector 52 byte, depth reached 70, errors: 0\n 1602 states, stored (3204 visited)\n");
        assert_eq!((run.stored, run.errors), (Some(1602), 0));
        assert!(run.kinds().holds());
    }

    #[test]
    fn a_truncated_search_says_what_was_too_small() {
        let depth =
            PanOutput::read("error: max search depth too small\nState-vector 20 byte, depth reached 49, errors: 0\n");
        assert_eq!(depth.shortage, Some(Shortage::Depth));
        let vector = "pan: error, VECTORSZ too small, recompile pan.c with -DVECTORSZ=N with N>1024\npan:1: aborting (at depth 0)";
        assert_eq!(PanOutput::read(vector).shortage, Some(Shortage::Vector));
        assert!(PanOutput::read(vector).kinds().holds());
        let fair = "pan: error: too many processes -- current max is 6 procs (-DNFAIR=2)\n\trecompile with -DNFAIR=3\n";
        assert_eq!(PanOutput::read(fair).shortage, Some(Shortage::Fairness));
        assert_eq!(PanOutput::read("pan: reached -DMEMLIM bound").shortage, Some(Shortage::Memory));
    }

    #[test]
    fn an_index_out_of_bounds_is_a_fault_though_pan_calls_it_an_assertion() {
        let text = "pan:1: assertion violated - invalid array index (at depth 2)\npan:2: assertion violated (x==4) (at depth 3)\n";
        assert_eq!(PanOutput::read(text).kinds().to_string(), "assertion+fault");
    }
}
