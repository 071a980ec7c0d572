//! `pan.t`, the table of transitions that `spin -a` writes.

use std::collections::{HashMap, HashSet};

/// A process type and one of its states.
type Location = (u32, u32);
/// The transitions of each location: id, target and forward move.
type Transitions = HashMap<Location, Vec<(u32, u32, u32)>>;

/// Whether an `unless` escape starts at a statement that was merged into the one before it, or leads to one. Spin never
/// takes such an escape.
pub fn loses_escape(table: &str) -> bool {
    let (transitions, mut open) = read(table);
    let mut seen = HashSet::new();
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        for &(id, target, forward) in transitions.get(&location).into_iter().flatten() {
            if (id, target, forward) == (0, 0, 0) {
                return true;
            }
            if target != 0 {
                open.push((location.0, target));
            }
        }
    }
    false
}

/// The transitions, and the locations where escapes start.
fn read(table: &str) -> (Transitions, Vec<Location>) {
    let mut transitions = Transitions::new();
    let mut escapes = Vec::new();
    let mut here = (0, 0);
    for line in table.lines() {
        let line = line.trim();
        if let Some((_, start)) = line.strip_prefix("/* escape #").and_then(|rest| rest.split_once(": ")) {
            escapes.extend(number(start).map(|state| (here.0, state)));
        }
        let Some((left, right)) = line.split_once("settr(") else { continue };
        if let Some((_, indices)) = left.split_once("trans[") {
            let mut indices = indices.split("][").map(number);
            here = (indices.next().flatten().unwrap_or(here.0), indices.next().flatten().unwrap_or(0));
        }
        let numbers: Vec<Option<u32>> = right.split(',').map(number).collect();
        if let [Some(id), _, Some(target), Some(forward), ..] = numbers[..] {
            transitions.entry(here).or_default().push((id, target, forward));
        }
    }
    (transitions, escapes)
}

/// The number that a text starts with.
fn number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOST: &str = "
\ttrans[1][1]\t= settr(2,0,9,1,0,\"goto :b0\", 0, 2, 0);
\ttrans[1][1]->escp[0] = 3;
\t/* escape #0: 3 */
\tT = trans[ 1][3] = settr(4,2,0,0,0,\"ATOMIC\", 1, 2, 0);
\tT->nxt\t= settr(4,2,2,0,0,\"ATOMIC\", 1, 2, 0);
\ttrans[1][2]\t= settr(0,0,0,0,0,\"g0 = 0\",0,0,0);
\t/* end-escapes */
";

    #[test]
    fn an_escape_that_starts_with_a_merged_statement_is_lost() {
        assert!(loses_escape(LOST));
        assert!(!loses_escape(&LOST.replace("settr(0,0,0,0,0", "settr(3,0,5,1,0")));
    }

    #[test]
    fn an_escape_that_leads_to_a_merged_statement_is_lost() {
        let second = "\ttrans[1][1]\t= settr(5,0,9,1,0,\"goto :b0\", 0, 2, 0);\n\t/* escape #0: 2 */\n\ttrans[1][2]\t= settr(1,0,3,1,0,\"(1)\", 0, 2, 0);
\ttrans[1][3]\t= settr(0,0,0,0,0,\"printf(0)\",0,0,0);\n";
        assert!(loses_escape(second));
        assert!(!loses_escape(&second.replace("(1,0,3,", "(1,0,9,")));
    }

    #[test]
    fn a_merged_statement_elsewhere_loses_nothing() {
        assert!(!loses_escape(&LOST.replace("#0: 3", "#0: 1")));
    }
}
