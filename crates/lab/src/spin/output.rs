//! Reading what `pan` prints.

/// A run of `pan`, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PanOutput {
    /// The first error and its depth.
    pub error: Option<(String, u64)>,
    /// States stored.
    pub stored: Option<u64>,
    /// Transitions.
    pub transitions: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// `-DVECTORSZ` is too small.
    pub vector_too_small: bool,
    /// `-m` is too small.
    pub depth_too_small: bool,
    /// Memory ran out.
    pub out_of_memory: bool,
}

impl PanOutput {
    pub fn read(text: &str) -> PanOutput {
        let mut run = PanOutput::default();
        for line in text.lines().map(str::trim) {
            if run.error.is_none() {
                run.error = error(line);
            }
            let number = || line.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
            if line.contains(" states, stored") {
                run.stored = number().map(|n| n as u64);
            } else if line.contains(" transitions (=") {
                run.transitions = number().map(|n| n as u64);
            } else if line.contains("total actual memory usage") {
                run.memory = number().map(|n| (n * 1e6).round() as u64);
            }
            run.vector_too_small |= line.contains("VECTORSZ too small") || line.contains("VECTORSZ is too small");
            run.depth_too_small |= line.contains("max search depth too small");
            run.out_of_memory |= line.contains("out of memory") || line.contains("-DMEMLIM bound");
        }
        run
    }
}

/// `pan:1: invalid end state (at depth 4)`; what only repeats a hint is none.
fn error(line: &str) -> Option<(String, u64)> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let (message, depth) = rest.rsplit_once(" (at depth ")?;
    if message.starts_with("aborting") || message.starts_with("VECTORSZ") {
        return None;
    }
    Some((message.to_owned(), depth.trim_end_matches(')').parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_and_the_counts_are_read() {
        let text = "pan:1: invalid end state (at depth 18)
State-vector 44 byte, depth reached 38, errors: 1
     1615 states, stored
     2433 states, matched
     4048 transitions (= stored+matched)
  128.730	total actual memory usage
pan: elapsed time 0.01 seconds";
        let run = PanOutput::read(text);
        assert_eq!(run.error, Some(("invalid end state".to_owned(), 18)));
        assert_eq!((run.stored, run.transitions, run.memory), (Some(1615), Some(4048), Some(128_730_000)));
    }

    #[test]
    fn shortages_are_no_errors() {
        let vector = "pan: error, VECTORSZ too small, recompile pan.c with -DVECTORSZ=N with N>1024\npan:1: aborting (at depth 0)";
        let run = PanOutput::read(vector);
        assert!(run.vector_too_small && run.error.is_none());
        assert!(PanOutput::read("error: max search depth too small").depth_too_small);
        assert!(PanOutput::read("pan: out of memory").out_of_memory);
    }
}
