//! Who does what on a path: processes grouped by their part in it.
//!
//! The part of a process is the set of branches that it takes; how often it takes them is left out,
//! because loops over all processes grow with the instance. Two paths, found in instances of
//! different size, tell which parts belong to the error and which to the size: a part that as many processes play in
//! both is *fixed* (the claimant in a leader election, the two processes that err in a mutual exclusion), and its
//! players are known by rank. All other parts are *growing*: they are played by everybody else.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::ProcessTypeId;

use super::path::{Edge, GoalPath};
use super::role::Rank;

/// What a goal path is a path of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOf {
    /// The model that the guide is for.
    Model,
    /// A smaller instance of it.
    Smaller,
}

/// The steps of one process on a path, in order, as indices into the path's steps.
pub(crate) type Part = Vec<usize>;

/// A process with a part of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    pub rank: Rank,
    /// Its steps in each path.
    pub parts: Vec<Part>,
}

/// The processes of one type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cast {
    pub fixed: Vec<Fixed>,
    /// Steps of everybody else, by path.
    pub growing: Vec<Part>,
}

/// Which branches a process takes.
type Edges = BTreeSet<Edge>;

/// Processes that take the same edges: rank and steps of each, by rank.
type Players = Vec<(u16, Part)>;

/// Groups the processes of a type by their parts in one or two paths, the smaller instance first.
pub(crate) fn cast(process_type: ProcessTypeId, paths: &[GoalPath], of: PathOf) -> Cast {
    let all = |path: &GoalPath| players(process_type, path);
    let (small, large) = match paths {
        [] => return Cast::default(),
        [path] => return alone(path, all(path), path.population[process_type.0 as usize].into(), of),
        [small, large, ..] => (small, large),
    };
    let count = |path: &GoalPath| path.population[process_type.0 as usize];
    let (few, many) = (count(small), count(large));
    let (mut before, mut after) = (all(small), all(large));
    let mut cast = Cast::default();
    // Whose step it is that finally fails is often a matter of chance, so what is left is compared without it.
    for last in [0, 1] {
        let (old, new) = (group(small, &before, last), group(large, &after, last));
        let same = new.iter().filter_map(|(edges, b)| Some((old.get(edges)?, b)));
        let equal = same.filter(|(a, b)| a.len() == b.len());
        for (a, b) in equal.flat_map(|(a, b)| a.iter().zip(b)) {
            if last > 0 && (twins(small, &before, &a.1) > 1 || twins(large, &after, &b.1) > 1) {
                continue;
            }
            let rank = name((a.0, few), (b.0, many));
            cast.fixed.push(Fixed { rank, parts: vec![a.1.clone(), b.1.clone()] });
            before.retain(|p| p != a);
            after.retain(|p| p != b);
        }
    }
    let steps = |players: Players| {
        let mut steps: Part = players.into_iter().flat_map(|p| p.1).collect();
        steps.sort_unstable();
        steps
    };
    cast.growing = vec![steps(before), steps(after)];
    cast
}

/// With one path only, of the model itself, everybody who moves is known by rank. In a path of a smaller instance it is
/// a guess: a part played by two or more grows, and when nobody's does but everybody moves, all parts do.
fn alone(path: &GoalPath, players: Players, population: usize, of: PathOf) -> Cast {
    let everybody = players.len() > 1 && players.len() == population;
    let mut cast = Cast { fixed: Vec::new(), growing: vec![Vec::new()] };
    for (_, group) in group(path, &players, 1) {
        let grows = group.len() > 1 && of == PathOf::Smaller;
        for (rank, part) in group {
            match grows {
                true => cast.growing[0].extend(part),
                false => cast.fixed.push(Fixed { rank: Rank::First(rank), parts: vec![part] }),
            }
        }
    }
    if cast.growing[0].is_empty() && everybody && of == PathOf::Smaller {
        cast.growing[0].extend(players.iter().flat_map(|p| &p.1));
    }
    cast.growing[0].sort_unstable();
    cast
}

/// The processes of a type that move on a path.
fn players(process_type: ProcessTypeId, path: &GoalPath) -> Players {
    let mut parts: BTreeMap<u16, Part> = BTreeMap::new();
    for (index, step) in path.steps.iter().enumerate().filter(|(_, s)| s.process_type == process_type) {
        parts.entry(step.rank).or_default().push(index);
    }
    parts.into_iter().collect()
}

/// How many of the processes play this part.
fn twins(path: &GoalPath, players: &Players, part: &Part) -> usize {
    let edges = |part: &Part| -> Edges { part.iter().map(|&i| path.steps[i].edge()).collect() };
    players.iter().filter(|(_, other)| edges(other) == edges(part)).count()
}

/// Groups processes by the edges they take, leaving out the last `last` steps of the path.
fn group(path: &GoalPath, players: &Players, last: usize) -> BTreeMap<Edges, Players> {
    let end = path.steps.len().saturating_sub(last);
    let mut groups: BTreeMap<Edges, Players> = BTreeMap::new();
    for (rank, part) in players {
        let kept = part.iter().filter(|&&i| i < end);
        let edges = kept.map(|&i| path.steps[i].edge()).collect();
        groups.entry(edges).or_default().push((*rank, part.clone()));
    }
    groups
}

/// A name for a process that has one rank in the small and one in the large instance. Where neither end explains
/// both, the processes are taken to be interchangeable, and the rank in the large instance serves.
fn name(small: (u16, u16), large: (u16, u16)) -> Rank {
    let from_end = |(rank, count): (u16, u16)| count.saturating_sub(rank + 1);
    if small.0 != large.0 && from_end(small) == from_end(large) {
        Rank::Last(from_end(large))
    } else {
        Rank::First(large.0)
    }
}
