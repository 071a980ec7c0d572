//! The facts that tools report about a model, and where they differ.

use std::collections::{BTreeMap, BTreeSet};

/// The fact whether the model is accepted.
pub const MODEL: &str = "model";
/// The fact of the number of reachable states.
pub const STATES: &str = "reachable states";
/// The fact whether a reachable state has no successor.
pub const DEADLOCK: &str = "deadlock";

/// The facts that one tool reports. It did not find out the facts that are missing.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The tool or engine.
    pub who: String,
    /// Names and values of facts; the name of a verdict is that of its specification.
    pub known: BTreeMap<String, String>,
    /// Its output, where it has no facts.
    pub words: String,
}

impl Facts {
    pub fn new(who: impl Into<String>) -> Facts {
        Facts { who: who.into(), known: BTreeMap::new(), words: String::new() }
    }

    /// The report of a tool that does not accept the model: `refused` or `crashed`.
    pub fn no_model(mut self, how: &str, words: &str) -> Facts {
        self.known.insert(MODEL.to_owned(), how.to_owned());
        let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).take(4).collect();
        self.words = lines.join("\n");
        self
    }

    pub fn add(&mut self, fact: impl Into<String>, value: impl Into<String>) {
        self.known.insert(fact.into(), value.into());
    }

    pub fn get(&self, fact: &str) -> Option<&str> {
        self.known.get(fact).map(String::as_str)
    }
}

/// A fact that tools do not agree on.
#[derive(Debug, Clone)]
pub struct Difference {
    pub fact: String,
    /// Tools and the values they report.
    pub values: Vec<(String, String)>,
}

impl Difference {
    /// Whether the same tools disagree, whatever their values are.
    pub fn resembles(&self, other: &Difference) -> bool {
        let sides = |d: &Difference| -> Vec<(String, bool)> {
            d.values.iter().map(|(who, value)| (who.clone(), value == &d.values[0].1)).collect()
        };
        let sort = |d: &Difference| match d.fact.as_str() {
            MODEL | STATES | DEADLOCK => d.fact.clone(),
            name => name.split_whitespace().skip(1).collect(),
        };
        sort(self) == sort(other) && sides(self) == sides(other)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.fact)?;
        self.values.iter().try_for_each(|(who, value)| writeln!(f, "    {who:<14} {value}"))
    }
}

/// Compares reports fact by fact: how many facts at least two tools report, and the differences.
pub fn compare(all: &[Facts]) -> (usize, Vec<Difference>) {
    let names: BTreeSet<&String> = all.iter().flat_map(|facts| facts.known.keys()).collect();
    let mut compared = 0;
    let mut differences = Vec::new();
    for name in names {
        let said: Vec<(&Facts, &str)> = all.iter().filter_map(|facts| Some((facts, facts.get(name)?))).collect();
        compared += usize::from(said.len() > 1);
        if said.iter().any(|(_, value)| !same(name, value, said[0].1)) {
            let words = |facts: &Facts, value: &str| match name == MODEL && !facts.words.is_empty() {
                true => format!("{value}: {}", facts.words.replace('\n', "\n                   ")),
                false => value.to_owned(),
            };
            let values = said.iter().map(|(facts, value)| (facts.who.clone(), words(facts, value))).collect();
            differences.push(Difference { fact: name.clone(), values });
        }
    }
    (compared, differences)
}

/// Whether two values are equal. NuSMV rounds large numbers of states to 6 or 16 digits.
pub fn same(fact: &str, one: &str, other: &str) -> bool {
    let rounded = |text: &str| text.contains('e') || text.len() > 15;
    if fact == STATES && (rounded(one) || rounded(other)) {
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        return (number(one) / number(other) - 1.0).abs() < 1e-5;
    }
    one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(who: &str, known: &[(&str, &str)]) -> Facts {
        let mut facts = Facts::new(who);
        known.iter().for_each(|(fact, value)| facts.add(*fact, *value));
        facts
    }

    #[test]
    fn a_missing_fact_is_no_difference() {
        let all = [facts("a", &[("p", "holds"), ("q", "holds")]), facts("b", &[("p", "violated")])];
        let (compared, differences) = compare(&all);
        assert_eq!((compared, differences.len(), differences[0].fact.as_str()), (1, 1, "p"));
    }

    #[test]
    fn rounded_numbers_of_states_are_compared_as_such() {
        assert!(same(STATES, "1.23227e+06", "1232274"));
        assert!(!same(STATES, "1.23227e+06", "1242274"));
        assert!(!same(STATES, "61", "62"));
    }
}
