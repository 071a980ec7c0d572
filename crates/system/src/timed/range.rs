//! The values that a type leaves to a variable or a parameter.

use lurcher_ir::timed::{Domain, Linear, Model, Term, TermId};

/// Limits of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) lower: Option<i64>,
    pub(super) upper: Option<i64>,
}

impl Range {
    /// The limits that a domain and the conditions of a type state for a term, given the constants.
    pub(super) fn new(
        model: &Model,
        constants: &[i64],
        domain: &Domain,
        conditions: &[TermId],
        is_it: impl Fn(&Term) -> bool,
    ) -> Self {
        let (lower, upper) = match domain {
            Domain::Integer { lower, upper } => (*lower, *upper),
            _ => {
                let values = domain.values().unwrap_or_default();
                (values.first().copied(), values.last().copied())
            }
        };
        let mut range = Range { lower, upper };
        for &condition in conditions {
            if let Term::NotNegative(sum) = model.terms.get(condition) {
                range.limit(model, constants, sum, &is_it);
            }
        }
        range
    }

    /// Uses `factor * it + rest >= 0`, where the rest consists of constants.
    fn limit(&mut self, model: &Model, constants: &[i64], sum: &Linear, is_it: &impl Fn(&Term) -> bool) {
        let (mut factor, mut rest) = (0i128, i128::from(sum.constant));
        for &(term, a) in &sum.terms {
            match model.terms.get(term) {
                Term::Constant(id) => rest += i128::from(a) * i128::from(constants[id.index()]),
                term if is_it(term) => factor += i128::from(a),
                _ => return,
            }
        }
        let clamp = |value: i128| i64::try_from(value).ok();
        if factor > 0 {
            self.lower = self.lower.max(clamp(-rest.div_euclid(factor)));
        } else if factor < 0 {
            let upper = clamp(rest.div_euclid(-factor));
            self.upper = self.upper.map_or(upper, |u| Some(upper.map_or(u, |v| u.min(v))));
        }
    }

    /// The limits, with others where there are none.
    pub(super) fn within(self, lower: i64, upper: i64) -> std::ops::RangeInclusive<i64> {
        self.lower.unwrap_or(lower)..=self.upper.unwrap_or(upper)
    }

    /// The limits, if there are both.
    pub(super) fn finite(self) -> Option<std::ops::RangeInclusive<i64>> {
        Some(self.lower?..=self.upper?)
    }
}
