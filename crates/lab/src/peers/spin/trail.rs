//! Spin's trail files: one `depth:process:transition` per line, with negative depths for marks.

use std::fmt;

/// One line of a trail file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    /// Position in the search, or a mark: -1 start of the cycle, -2 claim in use, -4 merged statements.
    depth: i64,
    /// With a claim in use, process 0 is the claim.
    process: i64,
    transition: i64,
}

/// A trail file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail(Vec<Step>);

impl Trail {
    /// Reads the text of a trail file; a malformed line ends it, as in Spin.
    pub fn read(text: &str) -> Trail {
        let step = |line: &str| {
            let mut numbers = line.split(':').map(|number| number.trim().parse::<i64>().ok());
            Some(Step { depth: numbers.next()??, process: numbers.next()??, transition: numbers.next()?? })
        };
        Trail(text.lines().map_while(step).collect())
    }

    fn has_mark(&self, mark: i64) -> bool {
        self.0.iter().any(|step| step.depth == mark)
    }

    /// Whether a claim takes part.
    pub fn has_claim(&self) -> bool {
        self.has_mark(-2)
    }

    /// Whether the trail is a lasso.
    pub fn has_cycle(&self) -> bool {
        self.has_mark(-1)
    }

    /// Whether only the claim moves in the cycle.
    pub fn stutters(&self) -> bool {
        self.has_cycle() && self.length() == self.prefix().length()
    }

    /// The number of steps of the system, without marks and steps of the claim.
    pub fn length(&self) -> u64 {
        let claim = self.has_claim();
        self.0.iter().filter(|step| step.depth >= 0 && !(claim && step.process == 0)).count() as u64
    }

    /// The part before the cycle.
    pub fn prefix(&self) -> Trail {
        Trail(self.0.iter().copied().take_while(|step| step.depth != -1).collect())
    }

    /// The trail without its last line.
    pub fn without_last(mut self) -> Trail {
        self.0.pop();
        self
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| writeln!(f, "{}:{}:{}", step.depth, step.process, step.transition))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claim_steps_and_marks_do_not_count() {
        let trail = Trail::read("-2:3:-2\n-4:-4:-4\n1:0:22\n2:1:0\n-1:-1:-1\n3:0:22\n4:2:7\n");
        assert!(trail.has_claim() && trail.has_cycle());
        assert_eq!(trail.length(), 2);
        assert_eq!(trail.prefix().to_string(), "-2:3:-2\n-4:-4:-4\n1:0:22\n2:1:0\n");
        assert_eq!(Trail::read("1:0:22\n2:1:0\n").length(), 2);
    }

    #[test]
    fn a_cycle_without_system_steps_stutters() {
        assert!(Trail::read("-2:1:-2\n1:0:3\n2:1:0\n-1:-1:-1\n3:0:4\n4:0:3\n").stutters());
        assert!(!Trail::read("-2:1:-2\n1:0:3\n-1:-1:-1\n2:1:0\n3:0:4\n").stutters());
        assert!(!Trail::read("-2:1:-2\n1:0:3\n2:1:0\n").stutters());
    }
}
