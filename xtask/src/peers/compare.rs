//! The comparison of Spin and lurcher on one model: every property, and trails in both directions.

mod claims;
mod expectations;
mod known_faults;
mod safety;
mod trails;

use lurcher_lab::peers::spin::NoResult;
use lurcher_lab::peers::{Header, ViolationKind, ViolationKinds};

use super::case::Case;
use super::features::Features;

pub use self::trails::Tally;

/// Something that Spin and lurcher do not agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// `PROPERTY: CHECK`; shrinking keeps to it.
    pub check: String,
    pub spin: String,
    pub lurcher: String,
}

impl Difference {
    /// The property it is about.
    pub fn property(&self) -> &str {
        self.check.split(": ").next().unwrap_or_default()
    }

    /// Whether two differences are about the same check and lurcher fails in the same way.
    pub fn resembles(&self, other: &Difference) -> bool {
        let sort = |words: &str| match words.split_once(':') {
            Some((ending, rest)) => format!("{ending} {}", rest.contains("does not replay")),
            None => String::new(),
        };
        self.check == other.check && sort(&self.lurcher) == sort(&other.lurcher)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n    spin     {}\n    lurcher  {}", self.check, self.spin, self.lurcher)
    }
}

/// The comparison of one property.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// `safety`, `ltl p`, `never`, `non-progress`, each perhaps `fair`.
    pub property: String,
    /// Spin's number of stored states, where it is stable.
    pub stored: Option<u64>,
    /// The length of lurcher's breadth-first counterexample.
    pub shortest: Option<u64>,
    pub spin: ViolationKinds,
    /// The kinds of violation that lurcher finds, or its words where it has no verdict.
    pub lurcher: String,
    /// lurcher's trails that Spin followed.
    pub ours: Tally,
    /// Spin's trails that lurcher followed.
    pub theirs: Tally,
    /// What was left out, and why.
    pub notes: Vec<String>,
    pub differences: Vec<Difference>,
}

impl Row {
    fn new(property: &str) -> Row {
        Row { property: property.to_owned(), ..Row::default() }
    }

    fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    fn differ(&mut self, check: &str, spin: impl ToString, lurcher: impl ToString) {
        let check = format!("{}: {check}", self.property);
        self.differences.push(Difference { check, spin: spin.to_string(), lurcher: lurcher.to_string() });
    }

    /// Records that lurcher's verdict is not Spin's.
    fn differ_in_verdict(&mut self, check: &str, lurcher: impl ToString) {
        self.differ(&format!("verdict {check}"), self.spin.clone(), lurcher);
    }
}

/// Compares Spin and lurcher on a model, or on one property of it, and returns one row for each property, safety first.
pub fn compare(case: &mut Case<'_>, header: &Header, only: Option<&str>) -> Result<Vec<Row>, NoResult> {
    let features = Features::of(case)?;
    let wanted = |property: &str| only.is_none_or(|only| only == property);
    let mut rows = vec![safety::compare(case, &features, header, wanted("safety"))?];
    if rows[0].spin.has(ViolationKind::Fault) {
        // After a fault, the states of `pan -A` are meaningless.
        rows[0].note("claims left out: the model has faults");
    } else {
        // Both tools check assertions along with a claim; here only the claim counts. With a claim `_nr_pr` is one more,
        // so an assertion that holds without one may fail.
        let fails = rows[0].spin.has(ViolationKind::Assertion) || features.counts_processes;
        let mut quiet = if fails { Some(case.without_assertions()?) } else { None };
        let case = quiet.as_mut().unwrap_or(case);
        for property in claims::properties(&features).iter().filter(|property| wanted(&property.label)) {
            rows.push(claims::compare(case, property)?);
        }
    }
    expectations::check(header, &mut rows);
    Ok(rows)
}

/// The differences of all rows.
pub fn differences(rows: &[Row]) -> impl Iterator<Item = &Difference> {
    rows.iter().flat_map(|row| &row.differences)
}
