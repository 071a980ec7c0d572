//! Spin's trail files.
//!
//! A line is `depth:process:statement`. Negative depths are marks: −4 statement merging, −2 a claim (then process 0 is the
//! claim, and the others count from 1), −1 the start of the cycle. Trails are written without the claim's moves: Spin
//! replays the system alone.

use std::fmt;

use crate::trail::{Entry, Trail};

/// Why a trail file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrailError {
    /// A line (counted from one) that is not three numbers.
    BadLine(usize),
    /// The search that wrote it permuted processes; only that verifier can replay it.
    Permuted,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrailError::BadLine(line) => write!(f, "line {line}: expected `depth:process:statement`"),
            TrailError::Permuted => write!(f, "the trail comes from a search with permuted processes"),
        }
    }
}

impl std::error::Error for TrailError {}

/// The statement numbers of Spin's non-progress claim.
const NON_PROGRESS: std::ops::RangeInclusive<i64> = 9997..=9999;

/// Writes a trail that Spin replays.
pub fn write_trail(trail: &Trail) -> String {
    let mut text = String::new();
    for (i, entry) in trail.path.steps.iter().map(Some).chain([None]).enumerate() {
        if trail.path.cycle_start == Some(i) {
            text.push_str("-1:-1:-1\n");
        }
        if let Some(entry) = entry {
            text.push_str(&format!("{}:{}:{}\n", i + 1, entry.process, entry.origin));
        }
    }
    text
}

/// Reads a trail that Spin or lurcher wrote.
pub fn read_trail(text: &str) -> Result<Trail, TrailError> {
    let mut trail = Trail::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let bad = || TrailError::BadLine(number + 1);
        let numbers: Vec<i64> =
            line.split(':').map(|n| n.trim().parse()).collect::<Result<_, _>>().map_err(|_| bad())?;
        let [depth, process, statement] = numbers.as_slice() else { return Err(bad()) };
        match depth {
            -1 => trail.path.cycle_start = Some(trail.path.steps.len()),
            -2 => trail.with_claim = true,
            -4 => trail.merged = true,
            -8..=-5 => return Err(TrailError::Permuted),
            0.. => {
                let process = if trail.with_claim { process - 1 } else { *process };
                if process < 0 {
                    trail.non_progress |= NON_PROGRESS.contains(statement);
                    continue;
                }
                let process = u16::try_from(process).map_err(|_| bad())?;
                let origin = u32::try_from(*statement).map_err(|_| bad())?;
                trail.path.steps.push(Entry { process, origin });
            }
            _ => {}
        }
    }
    Ok(trail)
}

#[cfg(test)]
mod tests {
    use lurcher_system::Path;

    use super::*;

    #[test]
    fn a_written_trail_reads_back_the_same() {
        let entry = |process, origin| Entry { process, origin };
        for cycle_start in [None, Some(0), Some(1), Some(2)] {
            let path = Path { steps: vec![entry(3, 0), entry(0, 17)], cycle_start };
            let trail = Trail { path, ..Trail::default() };
            assert_eq!(read_trail(&write_trail(&trail)), Ok(trail));
        }
    }

    #[test]
    fn moves_of_a_claim_are_left_out_and_processes_count_from_it() {
        let trail = read_trail("-2:1:-2\n-4:-4:-4\n1:0:5\n2:1:0\n-1:-1:-1\n3:0:5\n4:2:7\n").unwrap();
        assert_eq!(trail.path.steps, [Entry { process: 0, origin: 0 }, Entry { process: 1, origin: 7 }]);
        assert_eq!(trail.path.cycle_start, Some(1));
        assert!(trail.merged);
    }

    #[test]
    fn garbage_is_refused_with_its_line() {
        assert_eq!(read_trail("1:2:3\nx:y:z\n"), Err(TrailError::BadLine(2)));
        assert_eq!(read_trail("1:2\n"), Err(TrailError::BadLine(1)));
    }

    #[test]
    fn a_deadlock_in_the_initial_state_has_an_empty_trail() {
        assert_eq!(read_trail(""), Ok(Trail::default()));
    }
}
