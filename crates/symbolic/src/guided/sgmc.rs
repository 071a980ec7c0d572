//! SGMC: symbolic A* (Qian and Nymeyer 2003, as in the thesis's figure 5.1).
//!
//! The open list maps *f* = *g* + *h* and *g* to sets of states, where *h* is the ring number. The set with the least *f*
//! is expanded, ties broken by the greatest *g*; its successors are split by the rings. States outside complete rings are
//! pruned.
//!
//! The heuristic is consistent, so a state is first expanded with its least *g*, and the trace is shortest. Unlike the
//! thesis, each expanded set keeps its *g*, and a trace goes back through sets whose *g* falls by one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lurcher_search::{Observer, Progress};
use lurcher_system::Path;

use super::Rings;
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

/// The result of SGMC.
#[derive(Clone, Debug)]
pub struct Sgmc {
    /// A shortest run to the target, if it is reachable.
    pub trace: Option<Path<Vec<i64>>>,
    /// Number of expanded sets.
    pub expansions: u64,
}

impl Encoding<'_> {
    /// Searches for a shortest run to a target, guided by rings around it.
    pub fn sgmc(&self, target: &Bdd, rings: &Rings, observer: &mut dyn Observer) -> BddResult<Sgmc> {
        let k = self.kernel();
        let mut open: BTreeMap<(usize, Reverse<usize>), Bdd> = BTreeMap::new();
        let mut expanded: Vec<(usize, Bdd)> = Vec::new();
        let mut closed = k.constant(false);
        let mut expansions = 0;
        self.open_by_ring(&mut open, 0, self.initial(), rings)?;
        while let Some(((_, Reverse(g)), set)) = open.pop_first() {
            let set = k.minus(&set, &closed)?;
            if k.is_empty(&set) {
                continue;
            }
            let hit = k.and(&set, target)?;
            if !k.is_empty(&hit) {
                return Ok(Sgmc { trace: Some(self.trace_back(&expanded, g, &hit)?), expansions });
            }
            expansions += 1;
            closed = k.or(&closed, &set)?;
            let after = k.minus(&self.image(&set)?, &closed)?;
            self.open_by_ring(&mut open, g + 1, &after, rings)?;
            expanded.push((g, set));
            k.sift_when_grown(self.layout.groups())?;
            observer.progress(&Progress { depth: g as u64, memory: k.memory(), ..Progress::default() });
        }
        Ok(Sgmc { trace: None, expansions })
    }

    /// Adds a set to the open list, split by ring.
    fn open_by_ring(
        &self,
        open: &mut BTreeMap<(usize, Reverse<usize>), Bdd>,
        g: usize,
        set: &Bdd,
        rings: &Rings,
    ) -> BddResult<()> {
        for (h, part) in rings.split(self, set)? {
            if h == rings.len() && rings.is_complete() {
                continue;
            }
            let at = (g + h, Reverse(g));
            let joined = match open.get(&at) {
                Some(waiting) => self.kernel().or(waiting, &part)?,
                None => part,
            };
            open.insert(at, joined);
        }
        Ok(())
    }

    /// A run to a state of `hit`, which is `g` steps away, through expanded sets.
    fn trace_back(&self, expanded: &[(usize, Bdd)], g: usize, hit: &Bdd) -> BddResult<Path<Vec<i64>>> {
        let k = self.kernel();
        let mut states = vec![self.pick(hit).expect("a target state is reached")];
        for g in (0..g).rev() {
            let before = self.preimage_with_inputs(&self.state(states.last().expect("a path has a last state"))?)?;
            for (_, set) in expanded.iter().filter(|(at, _)| *at == g) {
                if let Some(state) = self.pick(&k.and(&before, set)?) {
                    states.push(state);
                    break;
                }
            }
        }
        states.reverse();
        debug_assert_eq!(states.len(), g + 1, "every state has a predecessor one step nearer");
        Ok(Path::finite(states))
    }
}
