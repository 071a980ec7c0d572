//! Loop removal: what lies between two visits of the same position does nothing.
//!
//! Cutting greedily, from a first visit to the last one, can miss a shorter way when loops overlap. So the run is taken
//! as a small graph, its positions as nodes and its moves as edges, and the shortest way through that graph is what
//! remains. Only fingerprints of positions are kept, and the result is executed before it is believed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lurcher_system::Move;
use rustc_hash::FxHashMap;

use crate::minimise::budget::Meter;
use crate::minimise::quest::{Position, Quest};
use crate::minimise::run::{Run, fingerprint};

/// The shortest run through the positions of this one.
pub(crate) fn remove_loops(quest: &Quest<'_, '_>, run: Run, meter: &mut Meter<'_>) -> Run {
    let mut prints = Vec::with_capacity(run.moves.len() + 1);
    let mut node = Vec::new();
    let executed = quest.execute(&run.moves, meter, |position| {
        position.pack(&mut node);
        prints.push(fingerprint(&node));
    });
    let Some(run) = executed else { return run };
    // What the last step leads to is the violation; there is nothing to cut behind it.
    prints.truncate(run.moves.len());
    without_loops(quest, &run, &prints, meter, |_, _| {}).unwrap_or(run)
}

/// The shortest run through the positions of this one, where there is a shorter one. `prints[i]` stands for where move `i`
/// starts. Shows every position on the way, with the moves that are tried.
pub(crate) fn without_loops(
    quest: &Quest<'_, '_>,
    run: &Run,
    prints: &[u64],
    meter: &mut Meter<'_>,
    mut visit: impl FnMut(&Position, &[Move]),
) -> Option<Run> {
    let kept = shortest_way(prints, &run.moves)?;
    let shorter = quest.execute(&kept, meter, |position| visit(position, &kept))?;
    (shorter.length < run.length && quest.approves(&shorter)).then_some(shorter)
}

/// The moves on the shortest way from the first node to the end. `prints[i]` is where move `i` starts.
fn shortest_way(prints: &[u64], moves: &[Move]) -> Option<Vec<Move>> {
    let mut visits: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (index, &print) in prints.iter().enumerate() {
        visits.entry(print).or_default().push(index);
    }
    if visits.len() == prints.len() {
        return None;
    }
    let first = |index: usize| visits[&prints[index]][0];
    let end = moves.len();
    let mut best: Vec<(u32, usize)> = vec![(u32::MAX, 0); end + 1];
    best[0].0 = 0;
    let mut open = BinaryHeap::from([(Reverse(0), Reverse(0))]);
    while let Some((Reverse(distance), Reverse(at))) = open.pop() {
        if at == end {
            break;
        }
        if distance > best[at].0 {
            continue;
        }
        for &index in &visits[&prints[at]] {
            let next = if index + 1 == end { end } else { first(index + 1) };
            let there = distance + moves[index].length();
            if there < best[next].0 {
                best[next] = (there, index);
                open.push((Reverse(there), Reverse(next)));
            }
        }
    }
    let mut kept = Vec::new();
    let mut at = end;
    while at != 0 {
        let index = best[at].1;
        kept.push(moves[index]);
        at = first(index);
    }
    kept.reverse();
    Some(kept)
}
