//! Shortcuts, breadth first.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use lurcher_system::relation::{Formulas, Packing, Stepper};
use rustc_hash::FxHashMap;

use super::gave_up;
use crate::minimise::budget::Meter;

/// What a way leads to.
pub(super) enum Goal<'g> {
    /// The watched term is false.
    False,
    /// There is no successor.
    Stuck,
    /// One of these.
    OneOf(&'g [Vec<i64>]),
}

/// What a search works with.
pub(super) struct Search {
    pub stepper: Stepper,
    pub packing: Packing,
    pub formulas: Formulas,
    pub variables: usize,
    pub memory: u64,
}

/// States that a search has reached.
#[derive(Default)]
struct Reached {
    numbers: FxHashMap<Vec<u8>, u32>,
    states: Vec<(Vec<u8>, u32)>,
}

/// No state before.
const NONE: u32 = u32::MAX;

impl Reached {
    /// Adds a state; gives its number if it is new.
    fn add(&mut self, bytes: &[u8], parent: u32) -> Option<u32> {
        if self.numbers.contains_key(bytes) {
            return None;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(bytes.to_vec(), number);
        self.states.push((bytes.to_vec(), parent));
        Some(number)
    }

    fn distance(&self, mut number: u32) -> usize {
        let mut steps = 0;
        while self.states[number as usize].1 != NONE {
            number = self.states[number as usize].1;
            steps += 1;
        }
        steps
    }
}

impl Search {
    fn packed(&self, state: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.packing.len());
        self.packing.pack(state, &mut bytes);
        bytes
    }

    /// Are these the same state, inputs aside?
    pub fn same(&self, a: &[i64], b: &[i64]) -> bool {
        self.packed(a) == self.packed(b)
    }

    /// Cuts out whatever lies between two visits to one state.
    pub fn without_loops(&self, way: &mut Vec<Vec<i64>>) {
        let packed: Vec<Vec<u8>> = way.iter().map(|s| self.packed(s)).collect();
        let last: FxHashMap<&Vec<u8>, usize> = packed.iter().enumerate().map(|(i, b)| (b, i)).collect();
        let mut kept = Vec::new();
        let mut at = 0;
        while at < way.len() {
            at = last[&packed[at]];
            kept.push(way[at].clone());
            at += 1;
        }
        *way = kept;
    }

    /// Searches from the initial states or from a state of a way, and makes the way shorter where it can. Has the search
    /// proved that the way is a shortest one?
    pub fn from(
        &mut self,
        way: &mut Vec<Vec<i64>>,
        from: Option<usize>,
        goal: &Goal<'_>,
        meter: &mut Meter<'_>,
    ) -> bool {
        let start = from.unwrap_or(0);
        let ahead: FxHashMap<Vec<u8>, usize> =
            way.iter().enumerate().skip(start + 1).map(|(i, s)| (self.packed(s), i)).collect();
        let goals: Vec<Vec<u8>> = match goal {
            Goal::OneOf(states) => states.iter().map(|s| self.packed(s)).collect(),
            Goal::False | Goal::Stuck => Vec::new(),
        };
        let mut reached = Reached::default();
        let mut bytes = Vec::new();
        let mut queue = VecDeque::new();
        let mut complete = true;
        match from {
            Some(index) => queue.extend(reached.add(&self.packed(&way[index]), NONE)),
            None => {
                let packing = &self.packing;
                let listed = self.stepper.initial(|state| {
                    packing.pack(state, &mut bytes);
                    queue.extend(reached.add(&bytes, NONE));
                    meter.step();
                    if meter.may_go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                complete = listed.is_ok();
            }
        }
        let mut here = vec![0; self.variables];
        // The best shortcut: what it saves, the state it ends with, where that is on the way.
        let mut best: Option<(usize, u32, usize)> = None;
        let mut found = None;
        let stride = self.packing.len() as u64 * 2 + 64;
        while let Some(number) = queue.pop_front() {
            if !meter.may_go_on() || reached.states.len() as u64 * stride > self.memory {
                complete = false;
                break;
            }
            let at = reached.states[number as usize].0.clone();
            if let Some(&index) = ahead.get(&at) {
                let saved = (index - start).saturating_sub(reached.distance(number));
                if saved > best.map_or(0, |b| b.0) {
                    best = Some((saved, number, index));
                }
            }
            self.packing.unpack(&at, &mut here);
            let is_goal = match goal {
                Goal::False => {
                    self.formulas.evaluate(&here);
                    self.formulas.value(0) == 0
                }
                Goal::OneOf(_) => goals.contains(&at),
                Goal::Stuck => false,
            };
            if is_goal {
                found = Some(number);
                break;
            }
            let mut successors = 0;
            let packing = &self.packing;
            let listed = self.stepper.successors(&here, |step| {
                successors += 1;
                packing.pack(step.next, &mut bytes);
                queue.extend(reached.add(&bytes, number));
                ControlFlow::Continue(())
            });
            meter.expansion(successors, self.packing.len());
            complete &= !gave_up(listed);
            if successors == 0 && matches!(goal, Goal::Stuck) && !gave_up(listed) {
                found = Some(number);
                break;
            }
        }
        if let Some(number) = found {
            self.splice(way, start, &reached, number, None);
            return complete && from.is_none();
        }
        if let Some((_, number, index)) = best {
            self.splice(way, start, &reached, number, Some(index));
        }
        false
    }

    /// Puts the path to a reached state in the place of what the way had before `index`, or before its end.
    fn splice(&self, way: &mut Vec<Vec<i64>>, start: usize, reached: &Reached, number: u32, index: Option<usize>) {
        let mut path = Vec::new();
        let mut at = number;
        while at != NONE {
            let (bytes, parent) = &reached.states[at as usize];
            let mut state = vec![0; self.variables];
            self.packing.unpack(bytes, &mut state);
            path.push(state);
            at = *parent;
        }
        path.reverse();
        let end = index.map_or(way.len(), |i| i + 1);
        if path.len() < end - start {
            way.splice(start..end, path);
        }
    }
}
