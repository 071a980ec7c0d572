//! The comparison itself: one model, every property, both tools, both directions of trails.

mod claims;
mod excuses;
mod expectations;
mod safety;
mod trails;

use super::bench::{Bench, NoResult};
use super::facts::Facts;
use super::header::Header;
use super::kind::{Kind, Kinds};

pub use self::trails::Tally;

/// Something the two tools do not agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What was compared; shrinking keeps to it.
    pub check: String,
    /// Spin's word.
    pub spin: String,
    /// Lurcher's word.
    pub lurcher: String,
}

impl Difference {
    /// Whether two differences are of one sort, as far as words can tell: the same check, and lurcher failing alike.
    pub fn resembles(&self, other: &Difference) -> bool {
        let sort = |words: &str| match words.split_once(':') {
            Some((ending, rest)) => format!("{ending} {}", rest.contains("does not replay")),
            None => String::new(),
        };
        self.check == other.check && sort(&self.lurcher) == sort(&other.lurcher)
    }
}

/// One property of one model, compared.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The property: `safety`, `ltl p`, `never`, `non-progress`, each perhaps `fair`.
    pub property: String,
    /// Spin's number of stored states, where it has one.
    pub stored: Option<u64>,
    /// The length of lurcher's breadth-first counterexample.
    pub shortest: Option<u64>,
    /// What Spin says.
    pub spin: Kinds,
    /// What lurcher says, in its own words when they are no verdict.
    pub lurcher: String,
    /// Lurcher's trails followed by Spin.
    pub ours: Tally,
    /// Spin's trails followed by lurcher.
    pub theirs: Tally,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// What they differ in.
    pub differences: Vec<Difference>,
}

impl Row {
    fn new(property: &str) -> Row {
        Row { property: property.to_owned(), ..Row::default() }
    }

    fn differ(&mut self, check: &str, spin: impl ToString, lurcher: impl ToString) {
        let check = format!("{}: {check}", self.property);
        self.differences.push(Difference { check, spin: spin.to_string(), lurcher: lurcher.to_string() });
    }
}

/// What to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// Every property.
    Everything,
    /// One property, by its label: what shrinking needs.
    Only(String),
    /// Nothing, asking Spin alone: a census of generated programs.
    SpinOnly,
}

impl Aim {
    fn covers(&self, property: &str) -> bool {
        match self {
            Aim::Only(only) => only == property,
            Aim::Everything | Aim::SpinOnly => true,
        }
    }

    fn asks_lurcher(&self, property: &str) -> bool {
        *self != Aim::SpinOnly && self.covers(property)
    }
}

/// Everything compared for one model.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// One row per property.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// All differences.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.rows.iter().flat_map(|row| &row.differences)
    }

    /// Spin's number of stored states.
    pub fn stored(&self) -> Option<u64> {
        self.rows.first().and_then(|row| row.stored)
    }
}

/// Compares the tools on the model of a workbench. No result means Spin has none.
pub fn compare(bench: &mut Bench<'_>, header: &Header, aim: &Aim) -> Result<Comparison, NoResult> {
    let facts = Facts::of(bench)?;
    let mut comparison = Comparison::default();
    comparison.rows.push(safety::compare(bench, &facts, header, aim)?);
    if comparison.rows[0].spin.has(Kind::Fault) {
        // Past a fault `pan -A` goes on with a state that means nothing.
        comparison.rows[0].notes.push("claims left out: the model has faults".to_owned());
    } else {
        // Both tools also check assertions while they check a claim; here only the claim is to count. Beside a claim,
        // `_nr_pr` is one more, so one that always held may fail.
        let fails = comparison.rows[0].spin.has(Kind::Assertion) || facts.counts_processes;
        let mut quiet = if fails { Some(bench.without_assertions()?) } else { None };
        let bench = quiet.as_mut().unwrap_or(bench);
        for property in claims::properties(&facts).iter().filter(|property| aim.covers(&property.label)) {
            comparison.rows.push(claims::compare(bench, property, aim)?);
        }
    }
    expectations::check(header, &mut comparison.rows);
    Ok(comparison)
}
