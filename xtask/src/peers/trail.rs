//! Spin's trail files: one `depth:process:transition` per line, with negative depths for marks.

use std::fmt;

/// One line of a trail file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Position in the search, or a mark: -1 cycle, -2 claim in use, -4 merged statements.
    pub depth: i64,
    /// The process; with a claim in use it is process 0 and the others follow.
    pub process: i64,
    /// The transition.
    pub transition: i64,
}

/// A trail file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    /// Its lines.
    pub steps: Vec<Step>,
}

impl Trail {
    /// Reads the text of a trail file; a malformed line ends it, as in Spin.
    pub fn read(text: &str) -> Trail {
        let step = |line: &str| {
            let mut numbers = line.split(':').map(|number| number.trim().parse::<i64>().ok());
            Some(Step { depth: numbers.next()??, process: numbers.next()??, transition: numbers.next()?? })
        };
        Trail { steps: text.lines().map_while(step).collect() }
    }

    /// Whether a claim takes part, as process 0.
    pub fn has_claim(&self) -> bool {
        self.steps.iter().any(|step| step.depth == -2)
    }

    /// Whether it is a lasso.
    pub fn has_cycle(&self) -> bool {
        self.steps.iter().any(|step| step.depth == -1)
    }

    /// Whether its cycle is the claim's alone: no process moves in it.
    pub fn stutters(&self) -> bool {
        self.has_cycle() && self.length() == self.prefix().length()
    }

    /// System steps: marks and claim steps left out.
    pub fn length(&self) -> u64 {
        let claim = self.has_claim();
        self.steps.iter().filter(|step| step.depth >= 0 && !(claim && step.process == 0)).count() as u64
    }

    /// What comes before the cycle.
    pub fn prefix(&self) -> Trail {
        Trail { steps: self.steps.iter().copied().take_while(|step| step.depth != -1).collect() }
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{}:{}:{}", step.depth, step.process, step.transition))
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
    }

    #[test]
    fn a_cycle_without_system_steps_stutters() {
        assert!(Trail::read("-2:1:-2\n1:0:3\n2:1:0\n-1:-1:-1\n3:0:4\n4:0:3\n").stutters());
        assert!(!Trail::read("-2:1:-2\n1:0:3\n-1:-1:-1\n2:1:0\n3:0:4\n").stutters());
        assert!(!Trail::read("-2:1:-2\n1:0:3\n2:1:0\n").stutters());
    }

    #[test]
    fn without_a_claim_process_zero_counts() {
        assert_eq!(Trail::read("1:0:22\n2:1:0\n").length(), 2);
    }
}
