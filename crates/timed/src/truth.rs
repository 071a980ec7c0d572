//! Formulas with three values, and what is not known of a history that is kept in part.

use lurcher_presburger::Formula;

/// Where a formula is true, where it is false, and where it reads events that are no longer known. Everywhere else it has no
/// value.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub yes: Formula,
    pub no: Formula,
    pub lost: Formula,
}

impl Truth {
    pub fn of(yes: Formula) -> Truth {
        let no = negation(yes.clone());
        Truth { yes, no, lost: Formula::never() }
    }

    pub fn known(value: bool) -> Truth {
        Truth::of(if value { Formula::always() } else { Formula::never() })
    }

    pub fn negated(self) -> Truth {
        Truth { yes: self.no, no: self.yes, lost: self.lost }
    }

    pub fn all(parts: impl IntoIterator<Item = Truth>) -> Truth {
        let (mut yes, mut no, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            yes.push(part.yes);
            no.push(part.no);
            lost.push(part.lost);
        }
        let no = any(no);
        let lost = all([any(lost), negation(no.clone())]);
        Truth { yes: all(yes), no, lost }
    }

    pub fn any(parts: impl IntoIterator<Item = Truth>) -> Truth {
        Truth::all(parts.into_iter().map(Truth::negated)).negated()
    }

    /// Where the formula has no value.
    pub fn no_value(&self) -> Formula {
        negation(any([self.yes.clone(), self.no.clone(), self.lost.clone()]))
    }
}

pub(crate) fn is_always(formula: &Formula) -> bool {
    matches!(formula, Formula::And(parts) if parts.is_empty())
}

pub(crate) fn is_never(formula: &Formula) -> bool {
    matches!(formula, Formula::Or(parts) if parts.is_empty())
}

/// A conjunction without parts that are always true.
pub(crate) fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Formula::And(inner) => kept.extend(inner),
            part if is_never(&part) => return part,
            part => kept.push(part),
        }
    }
    single(kept, Formula::And)
}

/// A disjunction without parts that are always false.
pub(crate) fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Formula::Or(inner) => kept.extend(inner),
            part if is_always(&part) => return part,
            part => kept.push(part),
        }
    }
    single(kept, Formula::Or)
}

fn single(mut parts: Vec<Formula>, make: fn(Vec<Formula>) -> Formula) -> Formula {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            make(parts)
        }
    }
}

pub(crate) fn negation(formula: Formula) -> Formula {
    match formula {
        Formula::Not(inner) => *inner,
        formula if is_always(&formula) => Formula::never(),
        formula if is_never(&formula) => Formula::always(),
        formula => formula.negated(),
    }
}

/// The formula holds for a value of one further column.
pub(crate) fn exists(body: Formula) -> Formula {
    if is_never(&body) { body } else { Formula::exists(1, body) }
}
