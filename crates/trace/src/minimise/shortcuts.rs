//! Minimising paths of states, for every kind of system whose initial states and successors can be listed.
//!
//! After loop removal, breadth-first search from the initial states looks for a goal; if it finishes within its share of
//! the budget, the path is a shortest one. A search that does not get that far may still have reached later states of the
//! path in fewer steps, and the best of these shortcuts is taken. The same search then starts from states along the path.
//!
//! Of a lasso only the prefix is shortened: its goal is any state of the cycle, which is entered there. Whether the new
//! lasso still violates its property is for the caller to check, because a formula may depend on the prefix.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use lurcher_search::{Partition, StateId, Store};
use lurcher_system::Path;
use rustc_hash::FxHashMap;

use super::Minimised;
use super::budget::{Meter, MinimiseBudget};

/// A system whose paths of states can be minimised.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use lurcher_system::Path;
/// # use lurcher_trace::minimise::{MinimiseBudget, PathSystem, minimise_path};
/// /// Counts from 0 by one or two; the goal is 9.
/// struct Counter;
///
/// impl PathSystem for Counter {
///     type State = u8;
///     fn encode(&self, state: &u8) -> Vec<u8> {
///         vec![*state]
///     }
///     fn decode(&self, code: &[u8]) -> u8 {
///         code[0]
///     }
///     fn initial(&mut self, mut visit: impl FnMut(&[u8]) -> ControlFlow<()>) -> bool {
///         visit(&[0]).is_continue()
///     }
///     fn successors(&mut self, state: &u8, mut visit: impl FnMut(&[u8])) -> bool {
///         [1, 2].iter().for_each(|step| visit(&[(state + step).min(9)]));
///         true
///     }
///     fn is_goal(&mut self, state: &u8) -> bool {
///         *state == 9
///     }
/// }
///
/// let found = Path::finite((0..10).collect());
/// let minimised = minimise_path(&mut Counter, &found, &MinimiseBudget::default());
/// assert_eq!((minimised.length, minimised.optimal), (5, true));
/// ```
pub trait PathSystem {
    /// A state as it appears in a path.
    type State: Clone;

    /// The encoding of a state. States with equal encodings are equal.
    fn encode(&self, state: &Self::State) -> Vec<u8>;

    /// The state of an encoding.
    fn decode(&self, code: &[u8]) -> Self::State;

    /// Calls `visit` with the encoding of every initial state, until it breaks. Returns whether all were visited.
    fn initial(&mut self, visit: impl FnMut(&[u8]) -> ControlFlow<()>) -> bool;

    /// Calls `visit` with the encoding of every successor of a state. Returns whether all were visited.
    fn successors(&mut self, state: &Self::State, visit: impl FnMut(&[u8])) -> bool;

    /// Whether a path may end in this state.
    fn is_goal(&mut self, state: &Self::State) -> bool;

    /// Whether a path may end in a state without successors.
    fn deadlock_is_goal(&self) -> bool {
        false
    }
}

/// Minimises a path of states to a goal, or the prefix of a lasso.
pub fn minimise_path<S: PathSystem>(
    system: &mut S,
    path: &Path<S::State>,
    budget: &MinimiseBudget,
) -> Minimised<S::State> {
    let length = |path: &Path<S::State>| {
        let closing = usize::from(path.cycle_start.is_some());
        (path.steps.len() + closing).saturating_sub(1) as u32
    };
    let mut meter = Meter::new(budget);
    let entry = path.cycle_start.unwrap_or(path.steps.len() - 1);
    let cycle: Vec<Vec<u8>> = path.cycle().iter().map(|s| system.encode(s)).collect();
    let mut minimiser = PathMinimiser { system, steps: path.steps[..=entry].to_vec(), cycle };
    minimiser.remove_loops();
    let optimal = minimiser.shorten(&mut meter);
    let result = minimiser.finish(path);
    let (found_length, length) = (length(path), length(&result));
    let (expansions, finished) = (meter.expansions(), !meter.was_stopped());
    Minimised { path: result, found_length, length, optimal, expansions, finished }
}

struct PathMinimiser<'s, S: PathSystem> {
    system: &'s mut S,
    /// The finite path, or the prefix of the lasso up to the first state of its cycle.
    steps: Vec<S::State>,
    /// Encodings of the states of the cycle; empty for a finite path.
    cycle: Vec<Vec<u8>>,
}

/// The states reached by a search, in the order in which they were reached.
struct Reached {
    states: Store,
    /// The predecessor of each state; none for a start state.
    parents: Vec<Option<u32>>,
    /// The memory limit was reached.
    full: bool,
}

impl Reached {
    fn new(memory: u64) -> Self {
        Reached { states: Store::new(Partition::Whole, Some(memory)), parents: Vec::new(), full: false }
    }

    /// Adds a state and returns its number if it is new.
    fn add(&mut self, code: &[u8], parent: Option<u32>) -> Option<u32> {
        let added = self.states.insert(code);
        self.full |= added.is_err();
        let (StateId(number), _) = added.ok().filter(|(_, is_new)| *is_new)?;
        self.parents.push(parent);
        Some(number)
    }

    /// The encoding of a state.
    fn code(&mut self, number: u32) -> Vec<u8> {
        self.states.load(StateId(number)).to_vec()
    }

    /// The states on the path to a state, the last first.
    fn path_to(&self, number: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(number), |&number| self.parents[number as usize])
    }
}

impl<S: PathSystem> PathMinimiser<'_, S> {
    fn codes(&self) -> Vec<Vec<u8>> {
        self.steps.iter().map(|s| self.system.encode(s)).collect()
    }

    /// Cuts out what lies between the first and the last visit of each state.
    fn remove_loops(&mut self) {
        let codes = self.codes();
        let last: FxHashMap<&Vec<u8>, usize> = codes.iter().enumerate().map(|(i, c)| (c, i)).collect();
        let (mut kept, mut at) = (Vec::new(), 0);
        while at < codes.len() {
            at = last[&codes[at]] + 1;
            kept.push(self.steps[at - 1].clone());
        }
        self.steps = kept;
    }

    /// Searches for shortcuts until there are none or the budget ends. Returns whether the path is proven shortest.
    fn shorten(&mut self, meter: &mut Meter<'_>) -> bool {
        if meter.with_share(1, 2, |meter| self.search(None, meter)) {
            return true;
        }
        let mut from = 0;
        while from + 2 < self.steps.len() && meter.may_go_on() {
            let before = self.steps.len();
            let part = (before - from) as u64;
            meter.with_share(2, part.max(2), |meter| self.search(Some(from), meter));
            if self.steps.len() == before {
                from += 1 + before / 64;
            }
        }
        false
    }

    /// Breadth-first search from the initial states, or from a state of the path, for a goal or a shortcut. Returns whether
    /// the path is proven shortest.
    fn search(&mut self, from: Option<usize>, meter: &mut Meter<'_>) -> bool {
        let start = from.unwrap_or(0);
        let codes = self.codes();
        let ahead: FxHashMap<&[u8], usize> =
            codes.iter().enumerate().skip(start + 1).map(|(i, c)| (c.as_slice(), i)).collect();
        let mut reached = Reached::new(meter.budget.memory());
        let mut queue = VecDeque::new();
        let mut complete = true;
        match from {
            Some(index) => queue.extend(reached.add(&codes[index], None)),
            None => {
                complete = self.system.initial(|code| {
                    queue.extend(reached.add(code, None));
                    meter.steps(1);
                    if meter.may_go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            }
        }
        // The best shortcut: steps saved, the state it ends in, and the index of that state on the path.
        let mut best: Option<(usize, u32, usize)> = None;
        while let Some(number) = queue.pop_front() {
            if !meter.may_go_on() || reached.full {
                break;
            }
            let code = reached.code(number);
            if let Some(&index) = ahead.get(code.as_slice()) {
                let saved = (index - start + 1).saturating_sub(reached.path_to(number).count());
                if saved > best.map_or(0, |b| b.0) {
                    best = Some((saved, number, index));
                }
            }
            let here = self.system.decode(&code);
            let mut is_goal = self.cycle.contains(&code) || (self.cycle.is_empty() && self.system.is_goal(&here));
            if !is_goal {
                let mut successors = 0;
                let listed = self.system.successors(&here, |next| {
                    successors += 1;
                    queue.extend(reached.add(next, Some(number)));
                });
                meter.expansion(successors, code.len());
                complete &= listed;
                is_goal = successors == 0 && listed && self.cycle.is_empty() && self.system.deadlock_is_goal();
            }
            if is_goal {
                self.splice(start, self.steps.len(), &mut reached, number);
                return complete && from.is_none();
            }
        }
        if let Some((_, number, index)) = best {
            self.splice(start, index + 1, &mut reached, number);
        }
        false
    }

    /// Replaces a part of the path by the path to a reached state, if that is shorter.
    fn splice(&mut self, start: usize, end: usize, reached: &mut Reached, number: u32) {
        let mut numbers: Vec<u32> = reached.path_to(number).collect();
        numbers.reverse();
        let path: Vec<S::State> = numbers.into_iter().map(|n| self.system.decode(&reached.code(n))).collect();
        if path.len() < end - start {
            self.steps.splice(start..end, path);
        }
    }

    /// The whole path; for a lasso, the cycle from the state at which the prefix enters it.
    fn finish(mut self, given: &Path<S::State>) -> Path<S::State> {
        if given.cycle_start.is_none() {
            return Path::finite(self.steps);
        }
        let entry = self.steps.pop().map(|s| self.system.encode(&s));
        let at = self.cycle.iter().position(|c| Some(c) == entry.as_ref()).expect("the prefix ends in the cycle");
        let cycle_start = Some(self.steps.len());
        let (before, after) = given.cycle().split_at(at);
        self.steps.extend(after.iter().chain(before).cloned());
        Path { steps: self.steps, cycle_start }
    }
}
