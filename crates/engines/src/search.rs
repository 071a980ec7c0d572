//! The search that a property asks for.

use lurcher_ir::analysis::Dead;
use lurcher_search::{
    AmpleMoves, AtomicChains, Budget, CachedExpansion, Coverage, Expander, Found, MoveSelection, Observer, Outcome,
    Product, Space, StateGraph, Step, StopReason, Storage, bfs_on, dfs, lossy_dfs, nested_dfs_on,
};
use lurcher_system::{Forgetful, Machine};

use crate::execute::Ask;
use crate::job::{Engine, Job};
use crate::quarry::{Quarry, Watched};

/// A search to be made by a machine.
pub(crate) struct Search<'a, O> {
    pub job: &'a Job,
    pub quarry: &'a Quarry,
    /// Chooses steps that suffice; none looks at all.
    pub reduction: Option<AmpleMoves>,
    /// What it forgets.
    pub dead: &'a Dead,
    pub observer: &'a mut O,
}

/// What it came to.
pub(crate) struct Searched {
    pub outcome: Outcome,
    /// What it executed.
    pub coverage: Coverage,
    /// Its name.
    pub engine: &'static str,
    /// With lossy storage: how likely it is that a state is lost.
    pub omission: Option<f64>,
}

impl<O: Observer> Ask for Search<'_, O> {
    type Answer = Searched;

    fn ask<M: Machine + Sync>(&mut self, machine: &M, budget: &Budget) -> Searched {
        let forgetful = &Forgetful::new(machine, self.dead);
        let mut searched = self.search(forgetful, budget);
        if let Some(reduction) = &mut self.reduction {
            for found in &mut searched.outcome.found {
                reduction.unmerge_chains(forgetful, found);
                close(machine, found);
                // A shortest way among those that were looked at need not be a shortest of all.
                found.shortest &= found.path.is_empty();
            }
        }
        searched
    }

    fn is_cut(answer: &Searched) -> bool {
        answer.outcome.stop == StopReason::States
    }
}

/// Makes a cycle of states of which something was forgotten one of the states themselves. What was forgotten when it is
/// entered may be something else when it comes round; but from then on all that is written depends on what is known,
/// so once more around it is the same.
fn close<M: Machine>(machine: &M, found: &mut Found) {
    let Some(start) = found.cycle_start else { return };
    let Ok(mut state) = machine.initial() else { return };
    let mut entered = None;
    for (at, step) in found.path.iter().enumerate() {
        if at == start {
            entered = Some(state.clone());
        }
        if let Some(taken) = &step.system {
            machine.apply(&mut state, taken);
        }
    }
    if entered.is_some_and(|entered| entered.bytes() != state.bytes()) {
        let round = found.path[start..].to_vec();
        found.cycle_start = Some(found.path.len());
        found.path.extend(round);
    }
}

impl<O: Observer> Search<'_, O> {
    fn search<M: Machine + Sync>(&mut self, machine: &M, budget: &Budget) -> Searched {
        let (job, quarry) = (self.job, self.quarry);
        let breadth_first = job.searches_breadth_first(quarry);
        // A depth limit counts single steps.
        let merging = breadth_first && budget.depth.is_none();
        if let Some(ample) = self.reduction.as_mut().filter(|_| merging) {
            ample.chain_through_atomic();
        }
        let ample = self.reduction.clone();
        match &quarry.watched {
            Watched::States(invariants) => {
                let graph = || StateGraph::new(machine, invariants.clone(), quarry.end_states());
                match ample {
                    Some(ample) if merging => {
                        let graph = || graph().reduced(ample.clone()).cached();
                        self.breadth_first(graph, budget, CachedExpansion::coverage)
                    }
                    None if merging => {
                        let graph = || graph().merging_chains().cached();
                        let mut searched = self.breadth_first(graph, budget, CachedExpansion::coverage);
                        let found = searched.outcome.found.iter_mut();
                        found.for_each(|found| AtomicChains.unmerge_chains(machine, found));
                        searched
                    }
                    _ if breadth_first => self.breadth_first(graph, budget, StateGraph::coverage),
                    Some(ample) => self.depth_first(graph().reduced(ample), budget, StateGraph::coverage),
                    None => self.depth_first(graph(), budget, StateGraph::coverage),
                }
            }
            Watched::Claim(claim) => {
                let product = || Product::new(machine, *claim, job.fair);
                match ample {
                    Some(ample) => self.nested(|| product().reduced(ample.clone()), budget, Product::coverage),
                    None => self.nested(product, budget, Product::coverage),
                }
            }
        }
    }

    fn breadth_first<E: Expander<Space: Space<Step = Step>> + Send>(
        &mut self,
        expander: impl Fn() -> E,
        budget: &Budget,
        coverage: impl Fn(&E) -> Coverage,
    ) -> Searched {
        let mut expanders: Vec<E> = (0..self.job.jobs.max(1)).map(|_| expander()).collect();
        let outcome = bfs_on(&mut expanders, budget, self.observer);
        let coverage = merged(expanders.iter().map(coverage));
        Searched { outcome, coverage, engine: Engine::Bfs.name(), omission: None }
    }

    fn depth_first<S: Space<Step = Step>>(
        &mut self,
        mut space: S,
        budget: &Budget,
        coverage: impl Fn(&S) -> Coverage,
    ) -> Searched {
        let (outcome, omission) = match self.job.storage {
            Storage::Exact => (dfs(&mut space, budget, self.observer), None),
            _ => self.lossy(&mut space, false, budget),
        };
        Searched { outcome, coverage: coverage(&space), engine: Engine::Dfs.name(), omission }
    }

    fn nested<S: Space<Step = Step> + Send>(
        &mut self,
        space: impl Fn() -> S,
        budget: &Budget,
        coverage: impl Fn(&S) -> Coverage,
    ) -> Searched {
        let jobs = if self.job.storage == Storage::Exact { self.job.jobs.max(1) } else { 1 };
        let mut spaces: Vec<S> = (0..jobs).map(|_| space()).collect();
        let (outcome, omission) = match self.job.storage {
            Storage::Exact => (nested_dfs_on(&mut spaces, budget, self.observer), None),
            _ => self.lossy(&mut spaces[0], true, budget),
        };
        Searched { outcome, coverage: merged(spaces.iter().map(coverage)), engine: "nested-dfs", omission }
    }

    fn lossy(&mut self, space: &mut impl Space<Step = Step>, cycles: bool, budget: &Budget) -> (Outcome, Option<f64>) {
        let (outcome, omission) = lossy_dfs(space, self.job.storage, cycles, budget, self.observer);
        (outcome, Some(omission))
    }
}

impl Job {
    /// Is the search a breadth-first one?
    fn searches_breadth_first(&self, quarry: &Quarry) -> bool {
        let states = matches!(quarry.watched, Watched::States(_));
        states && matches!(self.engine, Engine::Bfs | Engine::Bdd) && self.storage == Storage::Exact
    }
}

/// What several threads executed.
fn merged(mut all: impl Iterator<Item = Coverage>) -> Coverage {
    let mut coverage = all.next().expect("a thread");
    all.for_each(|other| {
        coverage.merge(&other);
    });
    coverage
}
