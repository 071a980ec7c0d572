//! From runs to figures.

use lurcher_lab::report::distinct;

use super::run::{Measure, Run, Tool};

/// A subject and its size.
pub type Subject<'a> = (&'a str, &'a str);

/// The runs of one measure.
#[derive(Clone, Copy)]
pub struct Figures<'a> {
    runs: &'a [Run],
    measure: Measure,
}

impl<'a> Figures<'a> {
    pub fn of(runs: &'a [Run], measure: Measure) -> Self {
        Figures { runs, measure }
    }

    fn all(self) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |r| r.measure == self.measure)
    }

    /// The runs of the first repetition, which are in the order of the plan.
    fn first(self) -> impl Iterator<Item = &'a Run> {
        self.all().filter(|r| r.repetition == 1)
    }

    pub fn subjects(self) -> Vec<Subject<'a>> {
        distinct(self.first().map(|run| (run.subject.as_str(), run.size.as_str())))
    }

    /// The settings of lurcher.
    pub fn settings(self) -> Vec<&'a str> {
        distinct(self.first().filter(|run| run.tool == Tool::Lurcher).map(|run| run.setting.as_str()))
    }

    /// The median of a quantity over the repetitions of a trial; none unless all repetitions have it.
    pub fn median(
        self,
        (subject, size): Subject<'_>,
        tool: Tool,
        setting: Option<&str>,
        quantity: impl Fn(&Run) -> Option<f64>,
    ) -> Option<f64> {
        let trial = self.all().filter(|r| r.subject == subject && r.size == size && r.tool == tool);
        let wanted = trial.filter(|r| setting.is_none_or(|s| r.setting == s));
        median(wanted.map(quantity).collect::<Option<Vec<f64>>>()?)
    }

    /// The medians of lurcher and `pan`.
    pub fn both(self, subject: Subject<'_>, quantity: impl Fn(&Run) -> Option<f64>) -> Option<(f64, f64)> {
        let of = |tool| self.median(subject, tool, None, &quantity);
        Some((of(Tool::Lurcher)?, of(Tool::Pan)?))
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

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

/// The number of stored states.
pub fn stored(run: &Run) -> Option<f64> {
    run.stored.map(|n| n as f64)
}

/// Seconds of wall-clock time.
pub fn wall(run: &Run) -> Option<f64> {
    Some(run.wall)
}

/// A count per second of processor time.
pub fn per_second(count: fn(&Run) -> Option<u64>) -> impl Fn(&Run) -> Option<f64> {
    move |run| Some(count(run)? as f64 / run.processor)
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
