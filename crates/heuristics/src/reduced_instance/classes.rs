//! Classes of processes by their behaviour on a path.
//!
//! The behaviour of a process is the set of branches that it takes; how often does not count, because loops over all
//! processes grow with the instance. Two paths, from instances of different size, tell which behaviours belong to the error:
//! one that equally many processes show in both is *fixed* (the claimant in a leader election, the two processes that err in
//! a mutual exclusion), and its processes are identified by rank. All others are *growing*.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::ProcessTypeId;

use super::path::{Edge, GoalPath};
use super::role::Rank;

/// The instance of a goal path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOf {
    /// The model itself.
    Model,
    /// A smaller instance.
    Smaller,
}

/// The steps of some processes on a path, as indices in ascending order.
pub(super) type Steps = Vec<usize>;

/// A process with a fixed behaviour.
pub(super) struct FixedProcess {
    pub rank: Rank,
    /// Its steps on each path.
    pub steps: Vec<Steps>,
}

/// The processes of one type.
#[derive(Default)]
pub(super) struct Classes {
    pub fixed: Vec<FixedProcess>,
    /// The steps of all other processes on each path.
    pub growing: Vec<Steps>,
}

/// The branches that a process takes.
type Behaviour = BTreeSet<Edge>;

/// Rank and steps of processes, by rank.
type Processes = Vec<(u16, Steps)>;

/// Classifies the processes of a type on one or two paths, the smaller instance first.
pub(super) fn classify(process_type: ProcessTypeId, paths: &[GoalPath], of: PathOf) -> Classes {
    let population = |path: &GoalPath| path.population[process_type.0 as usize];
    let (small, large) = match paths {
        [] => return Classes::default(),
        [path] => return classify_one(path, processes(process_type, path), population(path).into(), of),
        [small, large, ..] => (small, large),
    };
    let (mut before, mut after) = (processes(process_type, small), processes(process_type, large));
    let mut classes = Classes::default();
    // Which process makes the last step is often a matter of chance, so the rest is compared without it.
    for last in [0, 1] {
        let (old, new) = (by_behaviour(small, &before, last), by_behaviour(large, &after, last));
        let same = new.iter().filter_map(|(behaviour, b)| Some((old.get(behaviour)?, b)));
        let equal = same.filter(|(a, b)| a.len() == b.len());
        for (a, b) in equal.flat_map(|(a, b)| a.iter().zip(b)) {
            if last > 0 && (alike(small, &before, &a.1) > 1 || alike(large, &after, &b.1) > 1) {
                continue;
            }
            let rank = common_rank((a.0, population(small)), (b.0, population(large)));
            classes.fixed.push(FixedProcess { rank, steps: vec![a.1.clone(), b.1.clone()] });
            before.retain(|p| p != a);
            after.retain(|p| p != b);
        }
    }
    classes.growing = [before, after].map(|p| sorted(p.into_iter().flat_map(|p| p.1))).into();
    classes
}

fn sorted(steps: impl Iterator<Item = usize>) -> Steps {
    let mut steps: Steps = steps.collect();
    steps.sort_unstable();
    steps
}

/// Classifies on a single path. On a path of the model itself, every process that moves is fixed. On one of a smaller
/// instance this is a guess: a behaviour of two or more processes grows; if there is none but all processes move, all grow.
fn classify_one(path: &GoalPath, processes: Processes, population: usize, of: PathOf) -> Classes {
    let (mut fixed, mut growing) = (Vec::new(), Vec::new());
    for (_, class) in by_behaviour(path, &processes, 1) {
        let grows = class.len() > 1 && of == PathOf::Smaller;
        for (rank, steps) in class {
            match grows {
                true => growing.extend(steps),
                false => fixed.push(FixedProcess { rank: Rank::First(rank), steps: vec![steps] }),
            }
        }
    }
    let all_move = processes.len() > 1 && processes.len() == population;
    if growing.is_empty() && all_move && of == PathOf::Smaller {
        growing.extend(processes.into_iter().flat_map(|p| p.1));
    }
    Classes { fixed, growing: vec![sorted(growing.into_iter())] }
}

/// The processes of a type that move on a path.
fn processes(process_type: ProcessTypeId, path: &GoalPath) -> Processes {
    let mut found: BTreeMap<u16, Steps> = BTreeMap::new();
    for (index, step) in path.steps.iter().enumerate().filter(|(_, s)| s.process_type == process_type) {
        found.entry(step.rank).or_default().push(index);
    }
    found.into_iter().collect()
}

fn behaviour(path: &GoalPath, steps: impl Iterator<Item = usize>) -> Behaviour {
    steps.map(|i| path.steps[i].edge()).collect()
}

/// The number of processes with the same behaviour.
fn alike(path: &GoalPath, processes: &Processes, steps: &Steps) -> usize {
    let of = |steps: &Steps| behaviour(path, steps.iter().copied());
    processes.iter().filter(|(_, other)| of(other) == of(steps)).count()
}

/// Processes by behaviour, without the last `last` steps of the path.
fn by_behaviour(path: &GoalPath, processes: &Processes, last: usize) -> BTreeMap<Behaviour, Processes> {
    let end = path.steps.len().saturating_sub(last);
    let mut classes: BTreeMap<Behaviour, Processes> = BTreeMap::new();
    for (rank, steps) in processes {
        let behaviour = behaviour(path, steps.iter().copied().filter(|&i| i < end));
        classes.entry(behaviour).or_default().push((*rank, steps.clone()));
    }
    classes
}

/// The rank of a process, given rank and population in the small and in the large instance. If counting from neither end
/// explains both, the processes are taken as interchangeable, and the rank in the large instance is used.
fn common_rank(small: (u16, u16), large: (u16, u16)) -> Rank {
    let from_end = |(rank, count): (u16, u16)| count.saturating_sub(rank + 1);
    if small.0 != large.0 && from_end(small) == from_end(large) {
        Rank::Last(from_end(large))
    } else {
        Rank::First(large.0)
    }
}
