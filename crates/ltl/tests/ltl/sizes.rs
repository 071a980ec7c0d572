//! Automata are no larger than Spin's.

use crate::automaton;
use crate::parse::parse;
use crate::spin_states::SPIN_STATES;

#[test]
fn automata_have_no_more_states_than_those_of_spin() {
    let ours = |formula: &str| automaton(&parse(formula)).states.len();
    let rows: Vec<(&str, usize, usize)> =
        SPIN_STATES.iter().filter_map(|&(formula, spin)| Some((formula, ours(formula), spin?))).collect();
    for (f, o, s) in &rows {
        println!("{o}\t{s}\t{f}");
    }
    let larger: Vec<_> = rows.iter().filter(|(_, ours, spin)| ours > spin).collect();
    assert!(larger.is_empty(), "formula, our states, Spin's states: {larger:#?}");
}

#[test]
#[ignore]
fn totals() {
    let mut random = crate::formulas::Random::new(7);
    let (mut states, mut edges, mut n) = (0, 0, 0);
    let time = std::time::Instant::now();
    for i in 0..6000 {
        let size = 5 + random.below(14);
        let f = random.formula(size, 2 + (i % 3));
        let a = automaton(&f);
        n += 1;
        states += a.states.len();
        edges += a.states.iter().map(|s| s.edges.len()).sum::<usize>();
    }
    println!("random: {n} formulas, {states} states, {edges} edges, {:?}", time.elapsed());
}
