//! The order in which a step is made: which variable gets its value when, and which constraint is tested when.
//!
//! A greedy order over what is bound so far:
//!
//! 1. a constraint is tested as soon as every cell that it reads is bound;
//! 2. a variable whose value follows from what is bound, by its assignment or by a constraint solved for it, is bound
//!    before anything is chosen;
//! 3. then a variable that is chosen from a set, the one first whose value lets something be tested soonest;
//! 4. a variable that nothing determines is tried value by value, one that the constraint with the fewest unbound
//!    variables waits for.

use std::collections::BTreeSet;

use lurcher_ir::relation::{Domain, Relation, TermId, Terms};

use super::code::{Cells, Reading, Slot};
use super::solve::{Unknown, solve};
use super::tree::{Node, Tree, membership};

/// What a step has to satisfy.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// A cell gets a value of a tree, which is that of a term.
    Assign(Slot, Tree<TermId>, TermId, Reading),
    /// A term is true.
    Test(TermId, Reading),
}

/// What is done while a step is made.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Go on only if a term is true.
    Test(TermId, Reading),
    /// Give a cell the value of a term.
    Set(Slot, TermId, Reading),
    /// Give a cell one value after another.
    Choose(Slot, Tree<TermId>, Reading),
}

/// Actions that make a step.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub actions: Vec<Action>,
    /// Cells that are tried value by value because nothing determines them.
    pub tried: Vec<Slot>,
    /// The logarithm of the number of combinations, tests left aside.
    pub cost: f64,
}

/// What a schedule is made from, beside demands.
pub(super) struct Setting<'r> {
    pub relation: &'r Relation,
    pub cells: Cells,
    /// Cells that have values before anything is done.
    pub bound: BTreeSet<Slot>,
    /// Cells that must get a value; inputs only if something reads them.
    pub wanted: BTreeSet<Slot>,
}

impl Setting<'_> {
    fn domain(&self, cell: Slot) -> &Domain {
        &self.relation.variable(self.cells.variable(cell)).domain
    }

    /// Orders what is to be done.
    pub fn schedule(&self, terms: &mut Terms, demands: &[Demand]) -> Schedule {
        let mut scheduler = Scheduler::new(self, terms, demands);
        while scheduler.advance() {}
        scheduler.schedule
    }
}

/// A demand that has not been met.
struct Pending {
    demand: Demand,
    /// Cells it reads that are not bound.
    missing: BTreeSet<Slot>,
    done: bool,
}

/// A way to bind a cell by choosing.
struct Offer {
    cell: Slot,
    tree: Tree<TermId>,
    reading: Reading,
    /// The demand that is met by it.
    demand: usize,
}

struct Scheduler<'s> {
    setting: &'s Setting<'s>,
    terms: &'s mut Terms,
    pending: Vec<Pending>,
    /// Which demands wait for a cell.
    waiting: Vec<Vec<usize>>,
    /// Cells that an assignment gives a value to.
    assigned: BTreeSet<Slot>,
    unbound: BTreeSet<Slot>,
    /// Demands whose cells are all bound, and constraints that one cell is missing from.
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
        let schedule = Schedule { actions: Vec::new(), tried: Vec::new(), cost: 0.0 };
        let ready = (0..pending.len()).rev().collect();
        Scheduler { setting, terms, pending, waiting, assigned, unbound, ready, options: Vec::new(), schedule }
    }

    /// Does one thing; says whether there was one to do.
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
                self.schedule.tried.push(cell);
                self.schedule.actions.push(Action::Choose(cell, Tree { nodes: vec![Node::Any] }, Reading::Step));
                self.bind(cell);
                true
            }
        }
    }

    /// Assignments of different blocks may wait for each other: then one of them becomes a constraint.
    fn loosen(&mut self) -> bool {
        let waits = |p: &Pending| !p.done && matches!(p.demand, Demand::Assign(..));
        let Some(index) = self.pending.iter().position(waits) else { return false };
        let Demand::Assign(cell, _, value, reading) = self.pending[index].demand else { unreachable!("it is one") };
        let variable = self.setting.cells.variable(cell);
        let made = match reading {
            Reading::Step => self.terms.next(variable),
            Reading::Made => self.terms.current(variable),
        };
        self.pending[index].demand = Demand::Test(membership(self.terms, made, value), reading);
        self.pending[index].missing.insert(cell);
        self.waiting[cell as usize].push(index);
        self.assigned.remove(&cell);
        true
    }

    /// Looks at a demand that has lost a missing cell.
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

    /// Takes a way to bind a cell at once if it leaves no choice, and keeps it otherwise.
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
        // Where this one allows any value, another constraint may know better. It is still tested.
        for other in &self.options {
            if other.cell == cell && other.reading == reading && tree.has_any() {
                tree = tree.or_else(&other.tree);
            }
        }
        self.schedule.cost += (tree.alternatives(self.setting.domain(cell)).max(1) as f64).log2();
        self.schedule.actions.push(Action::Choose(cell, tree, reading));
        self.bind(cell);
    }

    /// Smaller means that it should be chosen earlier.
    fn urgency(&self, option: &Offer) -> (bool, usize, u64) {
        let tests = self.waiting[option.cell as usize].iter().filter(|&&d| !self.pending[d].done && d != option.demand);
        let nearest = tests.map(|&d| self.pending[d].missing.len()).min().unwrap_or(usize::MAX);
        let alternatives = option.tree.alternatives(self.setting.domain(option.cell));
        (option.tree.has_any(), nearest, alternatives)
    }

    /// A cell that nothing determines, to be tried value by value.
    fn free(&self) -> Option<Slot> {
        let waiting = self.pending.iter().filter(|p| !p.done && !p.missing.is_empty());
        let size = |c: &Slot| self.setting.domain(*c).size();
        let mut best: Option<(usize, bool, u64, Slot)> = None;
        for pending in waiting {
            let free = pending.missing.iter().filter(|c| !self.assigned.contains(c));
            for &cell in free {
                // A cell that the others will determine had better wait for them.
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

    /// Is a demand a constraint of the form `cell = …`?
    fn follows(&self, demand: &Demand, cell: Slot) -> bool {
        use lurcher_ir::relation::{BinaryTerm, Term};
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
