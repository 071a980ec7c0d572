//! The search that a property asks for.

use lurcher_ir::analysis::Dead;
use lurcher_search::{
    Budget, Coverage, Found, Observer, Outcome, Product, Reduction, Space, Step, StopReason, Storage, System, bfs_on,
    dfs, lossy_dfs, nested_dfs_on,
};
use lurcher_system::{DeadVariableReset, Machine};

use crate::execute::Ask;
use crate::job::{Engine, Job};
use crate::quarry::{Quarry, Watched};

/// A search to be made by a machine.
pub(crate) struct Search<'a, O> {
    pub job: &'a Job,
    pub quarry: &'a Quarry,
    /// Chooses steps that suffice; none looks at all.
    pub reduction: Option<Reduction>,
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
        let forgetful = &DeadVariableReset::new(machine, self.dead);
        let mut searched = self.search(forgetful, budget);
        if let Some(reduction) = &mut self.reduction {
            for found in &mut searched.outcome.found {
                reduction.write_out(forgetful, found);
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
        // A limit on the depth is one on single steps.
        let leads_on = job.searches_breadth_first(quarry) && budget.depth.is_none();
        if let Some(reduction) = self.reduction.as_mut().filter(|_| leads_on) {
            reduction.go_through_atomic();
        }
        let reduction = self.reduction.clone();
        match &quarry.watched {
            Watched::States(invariants) => {
                let system =
                    || System::new(machine, invariants.clone(), quarry.end_states()).reduced(reduction.clone());
                match job.searches_breadth_first(quarry) {
                    true => {
                        let pace = if leads_on { System::leading_on } else { |system| system };
                        let mut systems: Vec<_> = (0..job.jobs.max(1)).map(|_| pace(system())).collect();
                        let outcome = bfs_on(&mut systems, budget, self.observer);
                        let coverage = merged(systems.iter().map(System::coverage));
                        Searched { outcome, coverage, engine: Engine::Bfs.name(), omission: None }
                    }
                    false => {
                        let mut system = system();
                        let (outcome, omission) = match job.storage {
                            Storage::Exact => (dfs(&mut system, budget, self.observer), None),
                            _ => self.lossy(&mut system, false, budget),
                        };
                        Searched { outcome, coverage: system.coverage(), engine: Engine::Dfs.name(), omission }
                    }
                }
            }
            Watched::Claim(claim) => {
                let jobs = if job.storage == Storage::Exact { job.jobs.max(1) } else { 1 };
                let mut products: Vec<_> =
                    (0..jobs).map(|_| Product::new(machine, *claim, job.fair).reduced(reduction.clone())).collect();
                let (outcome, omission) = match job.storage {
                    Storage::Exact => (nested_dfs_on(&mut products, budget, self.observer), None),
                    _ => self.lossy(&mut products[0], true, budget),
                };
                let coverage = merged(products.iter().map(Product::coverage));
                Searched { outcome, coverage, engine: "nested-dfs", omission }
            }
        }
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
