//! The order in which a step is constructed: when each variable is bound and each constraint tested.
//!
//! A greedy order:
//!
//! 1. a constraint is tested as soon as every cell that it reads is bound;
//! 2. a variable that bound cells determine, by its assignment or by a constraint solved for it, is bound before any choice;
//! 3. then a variable is chosen from a set, first the one that enables a test soonest;
//! 4. a variable that nothing determines is enumerated, first one of the constraint with the fewest unbound variables.

use std::collections::BTreeSet;

use lurcher_ir::relation::{BinaryTerm, Domain, Relation, Term, TermId, Terms, VariableId};

use super::code::{Cells, Reading, Slot};
use super::solve::{Unknown, solve};
use super::tree::{Node, Tree, membership};

/// A condition on a step.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// A cell gets a value of the choice tree of a term.
    Assign(Slot, Tree<TermId>, TermId, Reading),
    /// A term is true.
    Test(TermId, Reading),
}

impl Demand {
    /// The test that a variable of the new state has one of the values of an assignment.
    pub fn member(terms: &mut Terms, variable: VariableId, value: TermId, reading: Reading) -> Demand {
        let new = match reading {
            Reading::Step => terms.next(variable),
            Reading::NewState => terms.current(variable),
        };
        Demand::Test(membership(terms, new, value), reading)
    }
}

/// An action in the construction of a step.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Continue only if a term is true.
    Test(TermId, Reading),
    /// Bind a cell to the value of a term.
    Set(Slot, TermId, Reading),
    /// Bind a cell to each value of a tree.
    Choose(Slot, Tree<TermId>, Reading),
}

/// The actions that construct a step.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub actions: Vec<Action>,
    /// Cells that are enumerated because nothing determines them.
    pub enumerated: Vec<Slot>,
    /// The binary logarithm of the number of combinations, ignoring tests.
    pub cost: f64,
}

/// The context of a schedule.
pub(super) struct Setting<'r> {
    pub relation: &'r Relation,
    pub cells: Cells,
    /// Cells that are bound initially.
    pub bound: BTreeSet<Slot>,
    /// Cells that must be bound; inputs only if a term reads them.
    pub wanted: BTreeSet<Slot>,
}

impl Setting<'_> {
    fn domain(&self, cell: Slot) -> &Domain {
        &self.relation.variable(self.cells.variable(cell)).domain
    }

    /// Computes a schedule.
    pub fn schedule(&self, terms: &mut Terms, demands: &[Demand]) -> Schedule {
        let mut scheduler = Scheduler::new(self, terms, demands);
        while scheduler.advance() {}
        scheduler.schedule
    }
}

/// A demand with its state.
struct Pending {
    demand: Demand,
    /// Unbound cells that it reads.
    missing: BTreeSet<Slot>,
    done: bool,
}

/// A choice tree from which a cell can be bound.
struct Offer {
    cell: Slot,
    tree: Tree<TermId>,
    reading: Reading,
    /// The demand that it satisfies.
    demand: usize,
}

struct Scheduler<'s> {
    setting: &'s Setting<'s>,
    terms: &'s mut Terms,
    pending: Vec<Pending>,
    /// The demands that read each cell.
    waiting: Vec<Vec<usize>>,
    /// Cells that an assignment binds.
    assigned: BTreeSet<Slot>,
    unbound: BTreeSet<Slot>,
    /// Demands with at most one unbound cell.
    ready: Vec<usize>,
    options: Vec<Offer>,
    schedule: Schedule,
}

impl<'s> Scheduler<'s> {
    fn new(setting: &'s Setting<'s>, terms: &'s mut Terms, demands: &[Demand]) -> Self {
        let mut waiting = vec![Vec::new(); setting.cells.count() as usize];
        let mut pending = Vec::new();
        let mut assigned = BTreeSet::new();
        let mut unbound = setting.wanted.clone();
        for (index, demand) in demands.iter().enumerate() {
            let reads = match demand {
                Demand::Assign(_, tree, _, reading) => setting.cells.reads(terms, tree.terms(), *reading),
                Demand::Test(term, reading) => setting.cells.reads(terms, [*term], *reading),
            };
            if let Demand::Assign(cell, ..) = demand {
                assigned.insert(*cell);
            }
            let missing: BTreeSet<Slot> = reads.into_iter().filter(|c| !setting.bound.contains(c)).collect();
            missing.iter().for_each(|&c| waiting[c as usize].push(index));
            unbound.extend(&missing);
            pending.push(Pending { demand: demand.clone(), missing, done: false });
        }
        let schedule = Schedule { actions: Vec::new(), enumerated: Vec::new(), cost: 0.0 };
        let ready = (0..pending.len()).rev().collect();
        Scheduler { setting, terms, pending, waiting, assigned, unbound, ready, options: Vec::new(), schedule }
    }

    /// Adds actions for one demand or cell; returns whether there was one.
    fn advance(&mut self) -> bool {
        if let Some(index) = self.ready.pop() {
            self.consider(index);
            return true;
        }
        self.options.retain(|o| self.unbound.contains(&o.cell));
        if !self.options.is_empty() {
            self.choose();
            return true;
        }
        match self.free() {
            None => self.loosen(),
            Some(cell) => {
                let domain = self.setting.domain(cell);
                self.schedule.cost += (domain.size() as f64).log2();
                self.schedule.enumerated.push(cell);
                self.schedule.actions.push(Action::Choose(cell, Tree { nodes: vec![Node::Any] }, Reading::Step));
                self.bind(cell);
                true
            }
        }
    }

    /// Breaks a cyclic dependency between assignments of different blocks: one becomes a constraint.
    fn loosen(&mut self) -> bool {
        let waits = |p: &Pending| !p.done && matches!(p.demand, Demand::Assign(..));
        let Some(index) = self.pending.iter().position(waits) else { return false };
        let Demand::Assign(cell, _, value, reading) = self.pending[index].demand else {
            unreachable!("it is an assignment")
        };
        let variable = self.setting.cells.variable(cell);
        self.pending[index].demand = Demand::member(self.terms, variable, value, reading);
        self.pending[index].missing.insert(cell);
        self.waiting[cell as usize].push(index);
        self.assigned.remove(&cell);
        true
    }

    /// Handles a demand with at most one unbound cell.
    fn consider(&mut self, index: usize) {
        let pending = &self.pending[index];
        if pending.done {
            return;
        }
        match (&pending.demand, pending.missing.len()) {
            (&Demand::Test(term, reading), 0) => {
                self.pending[index].done = true;
                self.schedule.actions.push(Action::Test(term, reading));
            }
            (&Demand::Test(term, reading), 1) => {
                let cell = *pending.missing.first().expect("one is missing");
                let domain = self.setting.domain(cell);
                if self.assigned.contains(&cell) {
                    return;
                }
                let unknown = Unknown { cell, domain, cells: self.setting.cells, reading };
                if let Some(tree) = solve(self.terms, term, &unknown) {
                    self.offer(Offer { cell, tree, reading, demand: index });
                }
            }
            (Demand::Assign(cell, tree, _, reading), 0) => {
                let option = Offer { cell: *cell, tree: tree.clone(), reading: *reading, demand: index };
                self.offer(option);
            }
            _ => {}
        }
    }

    /// Binds a cell if the tree has only one value; otherwise keeps the tree for a later choice.
    fn offer(&mut self, option: Offer) {
        match option.tree.only_value(self.terms) {
            Some(value) => {
                self.pending[option.demand].done = true;
                self.schedule.actions.push(Action::Set(option.cell, value, option.reading));
                self.bind(option.cell);
            }
            None => self.options.push(option),
        }
    }

    /// Binds a cell by choosing from a set.
    fn choose(&mut self) {
        let best = (0..self.options.len()).min_by_key(|&i| self.urgency(&self.options[i]));
        let option = self.options.swap_remove(best.expect("there is one"));
        self.pending[option.demand].done = true;
        let Offer { cell, mut tree, reading, .. } = option;
        // Where this tree allows any value, the tree of another constraint may be smaller. That one is still tested.
        for other in &self.options {
            if other.cell == cell && other.reading == reading && tree.has_any() {
                tree = tree.or_else(&other.tree);
            }
        }
        self.schedule.cost += (tree.alternatives(self.setting.domain(cell)).max(1) as f64).log2();
        self.schedule.actions.push(Action::Choose(cell, tree, reading));
        self.bind(cell);
    }

    /// The priority of a choice; smaller is earlier.
    fn urgency(&self, option: &Offer) -> (bool, usize, u64) {
        let tests = self.waiting[option.cell as usize].iter().filter(|&&d| !self.pending[d].done && d != option.demand);
        let nearest = tests.map(|&d| self.pending[d].missing.len()).min().unwrap_or(usize::MAX);
        let alternatives = option.tree.alternatives(self.setting.domain(option.cell));
        (option.tree.has_any(), nearest, alternatives)
    }

    /// A cell to enumerate, because nothing determines it.
    fn free(&self) -> Option<Slot> {
        let waiting = self.pending.iter().filter(|p| !p.done && !p.missing.is_empty());
        let size = |c: &Slot| self.setting.domain(*c).size();
        let mut best: Option<(usize, bool, u64, Slot)> = None;
        for pending in waiting {
            let free = pending.missing.iter().filter(|c| !self.assigned.contains(c));
            for &cell in free {
                // A cell that others determine comes last.
                let follows = pending.missing.len() > 1 && self.follows(&pending.demand, cell);
                let rank = (pending.missing.len(), follows, size(&cell), cell);
                if best.is_none_or(|b| rank < b) {
                    best = Some(rank);
                }
            }
        }
        let unread = || self.unbound.iter().copied().filter(|c| !self.assigned.contains(c)).min_by_key(size);
        best.map(|b| b.3).or_else(unread)
    }

    /// Whether a demand has the form `cell = …`.
    fn follows(&self, demand: &Demand, cell: Slot) -> bool {
        let Demand::Test(term, reading) = demand else { return false };
        let is = |t: &TermId| self.setting.cells.read(self.terms.get(*t), *reading) == Some(cell);
        matches!(self.terms.get(*term), Term::Binary(BinaryTerm::Eq, a, b) if is(a) || is(b))
    }

    fn bind(&mut self, cell: Slot) {
        self.unbound.remove(&cell);
        for &index in self.waiting[cell as usize].iter().rev() {
            let pending = &mut self.pending[index];
            pending.missing.remove(&cell);
            if pending.missing.len() <= 1 {
                self.ready.push(index);
            }
        }
    }
}
