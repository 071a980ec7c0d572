//! From runs to figures.

use super::run::{Measure, Run, Tool};

/// Runs that are looked at by what they belong to.
#[derive(Clone, Copy)]
pub struct Figures<'a> {
    runs: &'a [Run],
    measure: Measure,
}

impl<'a> Figures<'a> {
    /// The runs of a measure.
    pub fn of(runs: &'a [Run], measure: Measure) -> Self {
        Figures { runs, measure }
    }

    fn all(self) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |r| r.measure == self.measure)
    }

    /// Subjects with their sizes, in the order in which they were planned.
    pub fn subjects(self) -> Vec<(&'a str, &'a str)> {
        // The second repetition goes backwards.
        let mut found: Vec<(&str, &str)> = Vec::new();
        for run in self.all().filter(|r| r.repetition == 1) {
            let one = (run.subject.as_str(), run.size.as_str());
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// Settings of a tool, in the order in which they were planned.
    pub fn settings(self, tool: Tool) -> Vec<&'a str> {
        let mut found: Vec<&str> = Vec::new();
        for run in self.all().filter(|r| r.repetition == 1 && r.tool == tool) {
            if !found.contains(&run.setting.as_str()) {
                found.push(&run.setting);
            }
        }
        found
    }

    /// The median of a quantity over the repetitions of a trial; none unless all of them have it.
    pub fn median(
        self,
        (subject, size): (&str, &str),
        tool: Tool,
        setting: Option<&str>,
        quantity: impl Fn(&Run) -> Option<f64>,
    ) -> Option<f64> {
        let trial = self.all().filter(|r| r.subject == subject && r.size == size && r.tool == tool);
        let wanted = trial.filter(|r| setting.is_none_or(|s| r.setting == s));
        median(wanted.map(quantity).collect::<Option<Vec<f64>>>()?)
    }
}

/// The middle value; of an even number, the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

/// The mean of ratios.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

/// Stored states a second.
pub fn states_per_second(run: &Run) -> Option<f64> {
    Some(run.stored? as f64 / run.processor)
}

/// Transitions of a search a second.
pub fn transitions_per_second(run: &Run) -> Option<f64> {
    Some(run.transitions? as f64 / run.processor)
}

/// Steps of walks a second.
pub fn steps_per_second(run: &Run) -> Option<f64> {
    Some(run.steps? as f64 / run.processor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn the_mean_of_a_ratio_and_its_inverse_is_one() {
        assert!((geometric_mean(&[4.0, 0.25]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
