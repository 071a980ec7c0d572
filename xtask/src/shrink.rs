//! Greedy shrinking of a failing program.
//!
//! Every pass proposes smaller programs, from coarse changes to fine ones; the first that still fails replaces the program,
//! and the pass continues at the same position. The passes repeat until none helps or the trials are used up. A proposal
//! that is not a legal program is refused by the tools and so does not fail in the same way.

/// Changes a program at the `n`-th place where the pass applies; false when there are fewer places.
pub type Pass<P> = fn(&mut P, usize) -> bool;

/// The smallest program found within so many trials for which `fails` is true.
pub fn shrink<P: Clone + PartialEq>(
    program: &P,
    mut trials: usize,
    passes: &[Pass<P>],
    mut fails: impl FnMut(&P) -> bool,
) -> P {
    let mut best = program.clone();
    loop {
        let before = best.clone();
        for pass in passes {
            let mut position = 0;
            loop {
                let mut candidate = best.clone();
                if !pass(&mut candidate, position) {
                    break;
                }
                if trials == 0 {
                    return best;
                }
                let differs = candidate != best;
                trials -= usize::from(differs);
                match differs && fails(&candidate) {
                    true => best = candidate,
                    false => position += 1,
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Removes the `n`-th item of a list. Where there are fewer, counts them off `n`.
pub fn remove<T>(list: &mut Vec<T>, n: &mut usize) -> bool {
    if *n < list.len() {
        list.remove(*n);
        return true;
    }
    *n -= list.len();
    false
}

/// Replaces an item by the `n`-th alternative. Where there are fewer, counts them off `n`.
pub fn replace<T>(item: &mut T, mut alternatives: Vec<T>, n: &mut usize) -> bool {
    if *n < alternatives.len() {
        *item = alternatives.swap_remove(*n);
        return true;
    }
    *n -= alternatives.len();
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_keeps_what_fails_and_stops_when_trials_run_out() {
        let passes: [Pass<Vec<u8>>; 1] = [|list, mut n| remove(list, &mut n)];
        assert_eq!(shrink(&vec![1, 2, 3, 4], 100, &passes, |list| list.contains(&3)), [3]);
        let mut tried = 0;
        shrink(&vec![1, 2, 3, 4], 2, &passes, |_| {
            tried += 1;
            false
        });
        assert_eq!(tried, 2);
    }
}
