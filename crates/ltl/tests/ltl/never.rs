//! Spin's never claims, read back.
//!
//! With them Spin is a second oracle: it should find that formulas mean what [`lurcher_ltl::holds`] says. A claim looks
//! like this, and `assert` stands for a move to `accept_all`:
//!
//! ```text
//! never  {    /* <>p */
//! T0_init:
//!     do
//!     :: atomic { ((p)) -> assert(!((p))) }
//!     :: (1) -> goto T0_init
//!     od;
//! accept_all:
//!     skip
//! }
//! ```

use std::process::Command;
use std::sync::LazyLock;

use lurcher_ir::{AtomId, Buchi, BuchiEdge, BuchiState, Formula, Literal};
use lurcher_ltl::{Lassos, accepts, holds};

use crate::lassos;
use crate::parse::parse;
use crate::spin_states::{SIZES, Spin};

/// Whether there is a Spin to ask. On a build server there must be.
pub(crate) fn spin_is_installed() -> bool {
    let installed = Command::new("spin").arg("-V").output().is_ok();
    assert!(installed || std::env::var_os("CI").is_none(), "spin is not installed");
    if !installed {
        eprintln!("SKIPPED: spin is not installed");
    }
    installed
}

/// Spin's claims for the formulas of the table that it can do.
pub(crate) static CLAIMS: LazyLock<Vec<(&str, Claim)>> = LazyLock::new(|| {
    let possible = SIZES.iter().filter(|(_, spin, _)| matches!(spin, Spin::States(_)));
    possible.map(|&(formula, ..)| (formula, Claim::of(formula))).collect()
});

/// A never claim.
pub(crate) struct Claim {
    pub(crate) states: Vec<ClaimState>,
}

/// A state of a claim: the labels it has, and guards with the labels they lead to.
#[derive(Default)]
pub(crate) struct ClaimState {
    labels: Vec<String>,
    moves: Vec<(Formula, String)>,
}

impl Claim {
    /// What `spin -f` prints for a formula.
    fn of(formula: &str) -> Claim {
        let directory = std::env::temp_dir().join(format!("lurcher-ltl-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory for the files Spin leaves behind");
        let output = Command::new("spin").args(["-f", formula]).current_dir(&directory).output().expect("spin runs");
        std::fs::remove_dir_all(&directory).expect("the directory can be removed again");
        let text = String::from_utf8(output.stdout).expect("spin prints text");
        assert!(text.starts_with("never"), "{formula}: spin says {text}");
        Claim::read(&text)
    }

    fn read(text: &str) -> Claim {
        let mut states: Vec<ClaimState> = Vec::new();
        let mut after_label = false;
        for line in text.lines().map(str::trim) {
            let label = line.strip_suffix(':');
            if let Some(label) = label {
                if !after_label {
                    states.push(ClaimState::default());
                }
                states.last_mut().expect("just made").labels.push(label.to_string());
            } else if let Some(state) = states.last_mut() {
                state.moves.extend(claim_move(line));
            }
            after_label = label.is_some();
        }
        Claim { states }
    }

    /// The same as an automaton of ours: one edge for every letter over so many atoms.
    fn automaton(&self, atoms: u32) -> Buchi {
        let number = |label: &String| self.states.iter().position(|state| state.labels.contains(label));
        let state = |state: &ClaimState| {
            let mut edges = Vec::new();
            for (guard, target) in &state.moves {
                let target = number(target).unwrap_or_else(|| panic!("the claim has no label {target}"));
                for letter in lassos::letters(atoms) {
                    if holds(guard, &[], std::slice::from_ref(&letter)) {
                        let literal = |atom| Literal { atom, positive: letter.has(atom) };
                        edges.push(BuchiEdge { guard: (0..atoms).map(AtomId).map(literal).collect(), target });
                    }
                }
            }
            BuchiState { accepting: state.labels.iter().any(|label| label.starts_with("accept")), edges }
        };
        Buchi { states: self.states.iter().map(state).collect() }
    }
}

fn claim_move(line: &str) -> Option<(Formula, String)> {
    let guard = |text: &str| parse(&text.replace('1', "true").replace('0', "false"));
    if line == "skip" {
        return Some((Formula::True, "accept_all".to_string()));
    }
    let line = line.strip_prefix(":: ")?;
    match line.split_once(" -> goto ") {
        Some((condition, target)) => Some((guard(condition), target.to_string())),
        None => {
            let (condition, _) = line.strip_prefix("atomic { ")?.split_once(" -> assert")?;
            Some((guard(condition), "accept_all".to_string()))
        }
    }
}

#[test]
fn formulas_mean_what_spin_takes_them_to_mean() {
    if !spin_is_installed() {
        return;
    }
    for (text, claim) in CLAIMS.iter() {
        let formula = parse(text);
        let last = text.chars().filter(|letter| ('p'..='t').contains(letter)).max().expect("a formula has atoms");
        let atoms = last as u32 - 'p' as u32 + 1;
        let claim = claim.automaton(atoms);
        let lassos = lassos::all_up_to(2, atoms);
        let words = Lassos::new(lassos.iter().map(|lasso| (&lasso.prefix[..], &lasso.cycle[..])));
        for (lasso, holds) in lassos.iter().zip(words.satisfy(&formula)) {
            let accepted = accepts(&claim, &lasso.prefix, &lasso.cycle);
            assert_eq!(accepted, holds, "{text} on {lasso}");
        }
    }
}
