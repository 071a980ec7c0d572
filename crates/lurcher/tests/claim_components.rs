//! The classes of claims' components for specification patterns: table 9 of Edelkamp, Leue and Lluch-Lafuente (2003).
//!
//! `bench/hsf-spin/table9.md` shows the table; these tests keep it true.

mod support;

use std::path::Path;
use std::process::Command;

use lurcher::Question;
use lurcher_search::{Prepared, Semantics};

use support::{processes, promela, resolve};

/// A formula of the pattern system of Dwyer, Avrunin and Corbett (1999): pattern, scope, formula, and the letters of the
/// paper.
type Row = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const PATTERNS: &[Row] = &[
    ("absence", "globally", "[] !p", "S,N"),
    ("absence", "before r", "<> r -> (!p U r)", "S,N"),
    ("absence", "after q", "[] (q -> [] !p)", "S,N"),
    ("absence", "between q and r", "[] ((q && !r && <> r) -> (!p U r))", "S,N"),
    ("absence", "after q until r", "[] ((q && !r) -> (!p W r))", "S,N,P"),
    ("universality", "globally", "[] p", "S,N"),
    ("universality", "before r", "<> r -> (p U r)", "S,N"),
    ("universality", "after q", "[] (q -> [] p)", "S,N"),
    ("universality", "between q and r", "[] ((q && !r && <> r) -> (p U r))", "S,N,P,F"),
    ("universality", "after q until r", "[] ((q && !r) -> (p W r))", "S,N,P"),
    ("existence", "globally", "<> p", "F"),
    ("existence", "before r", "!r W (p && !r)", "S,N,P"),
    ("existence", "after q", "[] !q || <> (q && <> p)", "N,F"),
    ("existence", "between q and r", "[] ((q && !r) -> (!r W (p && !r)))", "S,N,P"),
    ("existence", "after q until r", "[] ((q && !r) -> (!r U (p && !r)))", "S,N,F"),
    ("response", "globally", "[] (p -> <> s)", "N,F"),
    ("response", "before r", "<> r -> ((p -> (!r U (s && !r))) U r)", "S,N,P,F"),
    ("response", "after q", "[] (q -> [] (p -> <> s))", "N,F"),
    ("response", "between q and r", "[] ((q && !r && <> r) -> ((p -> (!r U (s && !r))) U r))", "S,N,P,F"),
    ("response", "after q until r", "[] ((q && !r) -> ((p -> (!r U (s && !r))) W r))", "S,N,P,F"),
    ("precedence", "globally", "!p W s", "S,N,P"),
    ("precedence", "before r", "<> r -> (!p U (s || r))", "S,N"),
    ("precedence", "after q", "[] !q || <> (q && (!p W s))", "N,P"),
    ("precedence", "between q and r", "[] ((q && !r && <> r) -> (!p U (s || r)))", "S,N"),
    ("precedence", "after q until r", "[] ((q && !r) -> (!p W (s || r)))", "S,N,P"),
];

/// The letters of a property of a model with the claim's numbers of components: N, P and F.
fn letters(text: &str, property: &str) -> (String, [usize; 3]) {
    let mut model = promela(text);
    let property = resolve(&mut model, Question::Named(property.to_owned()));
    let prepared = Prepared::new(processes(&model), &property, Semantics::default()).expect("a small automaton");
    let counts = prepared.claim_components().expect("a claim");
    (counts.letters(), [counts.non_accepting, counts.partially_accepting, counts.fully_accepting])
}

const PROPOSITIONS: &str = "bool p, q, r, s; active proctype P() { skip }\n";

/// The letters of our claim for a formula.
fn ours(formula: &str) -> (String, [usize; 3]) {
    letters(&format!("{PROPOSITIONS} ltl f {{ {formula} }}"), "f")
}

/// The letters of the claim that Spin prints for the negation of a formula. Spin's `-f` has no weak until.
fn spins(formula: &str) -> (String, [usize; 3]) {
    let without_weak = weak_until_expanded(formula);
    let negated = format!("!({without_weak})");
    let folder = std::env::temp_dir().join(format!("lurcher-classes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files Spin leaves behind");
    let output = Command::new("spin").args(["-f", &negated]).current_dir(&folder).output().expect("spin runs");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed again");
    let claim = String::from_utf8(output.stdout).expect("spin prints text");
    assert!(claim.starts_with("never"), "{negated}: {claim}");
    let (classes, counts) = letters(&format!("{PROPOSITIONS}{claim}"), "never");
    // Spin 6 writes a failing assertion where older versions went to the end of the claim.
    (if claim.contains("assert(") { format!("S,{classes}") } else { classes }, counts)
}

/// The formula with `a W b` as `b V (a || b)`.
fn weak_until_expanded(formula: &str) -> String {
    let Some(at) = formula.find(" W ") else { return formula.to_owned() };
    let left = operand(formula[..at].chars().rev(), ')', '(');
    let right = operand(formula[at + 3..].chars(), '(', ')');
    let (start, end) = (at - left, at + 3 + right);
    let (a, b) = (&formula[start..at], &formula[at + 3..end]);
    format!("{}({b} V ({a} || {b})){}", &formula[..start], &formula[end..])
}

/// The length of the operand that begins a text: a proposition with its negation, or what stands in parentheses.
fn operand(text: impl Iterator<Item = char>, open: char, close: char) -> usize {
    let mut depth = 0_i32;
    let mut length = 0;
    for c in text {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth < 0 || depth == 0 && c == ' ' {
            break;
        }
        length += 1;
    }
    length
}

/// The rows of the table, as they stand in the document.
fn rows(spin: bool) -> Vec<String> {
    let row = |&(pattern, scope, formula, paper): &Row| {
        let ((letters, [n, p, f]), spin) = (ours(formula), if spin { spins(formula).0 } else { String::new() });
        format!("| {pattern} | {scope} | `{formula}` | {paper} | {letters} | {n} | {p} | {f} | {spin} |")
    };
    PATTERNS.iter().map(row).collect()
}

#[test]
fn the_table_of_patterns_is_what_the_classifier_says() {
    let spin = Command::new("spin").arg("-V").output().is_ok();
    assert!(spin || std::env::var_os("CI").is_none(), "spin is not installed");
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/hsf-spin/table9.md");
    let document = std::fs::read_to_string(document).expect("the document of the table");
    let stated = |row: &String| document.lines().any(|line| line.starts_with(row.trim_end_matches('|').trim_end()));
    let missing: Vec<String> = rows(spin).into_iter().filter(|row| !stated(row)).collect();
    assert!(missing.is_empty(), "table9.md has no\n{}", missing.join("\n"));
    let same = PATTERNS.iter().filter(|(_, _, formula, paper)| ours(formula).0 == *paper).count();
    assert!(document.contains(&format!("{same} of the {} cells", PATTERNS.len())), "{same} cells are the paper's");
}

#[test]
fn weak_until_is_expanded() {
    assert_eq!(weak_until_expanded("!p W s"), "(s V (!p || s))");
    assert_eq!(
        weak_until_expanded("[] ((q && !r) -> (!p W (s || r)))"),
        "[] ((q && !r) -> (((s || r) V (!p || (s || r)))))"
    );
}
