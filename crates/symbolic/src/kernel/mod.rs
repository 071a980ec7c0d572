//! Boolean functions under a budget.
//!
//! OxiDD keeps the diagrams. It has one hard limit, the number of nodes, and three habits that a user of it has to know:
//!
//! * an operation that finds no room fails and can be tried again, so every operation here may end in a
//!   [`StopReason`]: on a full table garbage is collected and the operation tried again;
//! * reordering on a full table aborts the process, so [`Kernel::sift`] starts only with room to spare;
//! * its own collection starts at 95 % of the table, which is late: the table is collected here as soon as it has
//!   doubled since the last time.
//!
//! A running operation cannot be stopped. Time and the interrupt flag are looked at before each.
//!
//! The diagrams have complement edges: negation costs nothing, and CTL and pattern databases negate all the time.

mod deep;
mod force;
mod sift;

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lurcher_search::{Budget, StopReason};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef, Subst, VarNo,
};

pub use deep::deep;
pub(crate) use force::Force;

/// A boolean function; as a set, of the valuations where it is true.
pub type Bdd = BCDDFunction;

/// A replacement of bits by functions, kept so that results are found again.
pub(crate) type Renaming = Subst<Bdd>;

/// What an operation gives: something, or the reason why the search has to stop.
pub type Stoppable<T> = Result<T, StopReason>;

/// Bytes that a node takes: 16 for itself, the rest for its place in the table of all nodes and in the cache of results.
const BYTES_PER_NODE: u64 = 40;
/// Memory for diagrams when the budget names none.
const DEFAULT_MEMORY: u64 = 2 << 30;
/// Nodes for each entry of the cache of results.
const NODES_PER_ENTRY: usize = 4;
/// The largest and the smallest cache of results, in entries.
const ENTRIES: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 20;
/// Below so many nodes garbage is left where it is.
const COLLECT_FROM: usize = 1 << 20;

/// Boolean functions over numbered bits, and what may be used to make them.
pub struct Kernel {
    diagrams: BCDDManagerRef,
    budget: Budget,
    /// How many nodes there may be.
    capacity: usize,
    /// Nodes at which to collect garbage next.
    collect_at: Cell<usize>,
    /// Nodes at which to look for a better order next.
    sift_at: Cell<usize>,
    literals: Vec<Bdd>,
    truth: Bdd,
    falsity: Bdd,
}

impl Kernel {
    /// As many bits as asked for, ordered by their numbers.
    pub fn new(bits: u32, budget: &Budget) -> Stoppable<Kernel> {
        let memory = budget.memory.unwrap_or(DEFAULT_MEMORY);
        let capacity = usize::try_from(memory / BYTES_PER_NODE).unwrap_or(usize::MAX).min(u32::MAX as usize / 4);
        // Few bits make small diagrams, and clearing a large cache would take longer than searching a small model. Half of
        // the bits are those of a state; so there are entries for each of its values, and some more.
        let useful = 1usize << (bits / 2 + 4).min(20);
        let entries = (capacity / NODES_PER_ENTRY).min(useful).clamp(*ENTRIES.start(), *ENTRIES.end());
        let diagrams = oxidd::bcdd::new_manager(capacity, entries, 1);
        diagrams.with_manager_exclusive(|m| m.add_vars(bits));
        let (literals, truth, falsity) = diagrams.with_manager_shared(|m| {
            let literals: AllocResult<Vec<Bdd>> = (0..bits).map(|b| Bdd::var(m, b)).collect();
            (literals, Bdd::t(m), Bdd::f(m))
        });
        Ok(Kernel {
            literals: literals.map_err(|_| StopReason::Memory)?,
            truth,
            falsity,
            diagrams,
            budget: budget.clone(),
            capacity,
            collect_at: Cell::new(COLLECT_FROM),
            sift_at: Cell::new(sift::SIFT_FROM),
        })
    }

    /// What may be used.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Nodes in use, garbage included.
    pub fn nodes(&self) -> usize {
        self.diagrams.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// Bytes in use, about.
    pub fn memory(&self) -> u64 {
        self.nodes() as u64 * BYTES_PER_NODE
    }

    /// Removes what nobody refers to.
    pub fn collect(&self) {
        // OxiDD's own collector may be at work, and a second one would give up at once: wait for it.
        self.diagrams.with_manager_exclusive(|m| m.gc());
        self.collect_at.set((2 * self.nodes()).max(COLLECT_FROM));
    }

    /// Must the search stop?
    pub fn check(&self) -> Stoppable<()> {
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        if self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Makes a function within the budget.
    fn attempt(&self, operation: impl Fn() -> AllocResult<Bdd>) -> Stoppable<Bdd> {
        self.check()?;
        if self.nodes() > self.collect_at.get() {
            self.collect();
        }
        operation().or_else(|_| {
            self.collect();
            operation().or_else(|_| {
                // What OxiDD's own collector freed is ours only a moment after it has finished.
                std::thread::sleep(Duration::from_millis(2));
                self.collect();
                operation().map_err(|_| StopReason::Memory)
            })
        })
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.truth.clone() } else { self.falsity.clone() }
    }

    /// A bit.
    pub fn bit(&self, bit: VarNo) -> &Bdd {
        &self.literals[bit as usize]
    }

    /// A bit or its negation.
    pub fn literal(&self, bit: VarNo, value: bool) -> Stoppable<Bdd> {
        if value { Ok(self.bit(bit).clone()) } else { self.not(self.bit(bit)) }
    }

    /// A conjunction of bits: a set of bits to quantify.
    pub fn cube(&self, bits: impl IntoIterator<Item = VarNo>) -> Stoppable<Bdd> {
        self.literals(bits.into_iter().map(|b| (b, true)))
    }

    /// A conjunction of bits and negated bits.
    pub fn literals(&self, bits: impl IntoIterator<Item = (VarNo, bool)>) -> Stoppable<Bdd> {
        let mut bits: Vec<(VarNo, bool)> = bits.into_iter().collect();
        self.diagrams.with_manager_shared(|m| bits.sort_unstable_by_key(|&(b, _)| m.var_to_level(b)));
        bits.iter().rev().try_fold(self.constant(true), |cube, &(b, value)| {
            let literal = self.literal(b, value)?;
            self.and(&literal, &cube)
        })
    }

    /// Negation.
    pub fn not(&self, a: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.not())
    }

    /// Conjunction.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.and(b))
    }

    /// Disjunction.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.or(b))
    }

    /// The first without the second.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| b.imp_strict(a))
    }

    /// One, but not both.
    pub fn xor(&self, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.xor(b))
    }

    /// Both or neither.
    pub fn iff(&self, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.equiv(b))
    }

    /// If, then, else.
    pub fn ite(&self, condition: &Bdd, a: &Bdd, b: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| condition.ite(a, b))
    }

    /// Conjunction of all.
    pub fn all<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Stoppable<Bdd> {
        parts.into_iter().try_fold(self.constant(true), |all, part| self.and(&all, part))
    }

    /// Disjunction of all.
    pub fn any<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Stoppable<Bdd> {
        parts.into_iter().try_fold(self.constant(false), |any, part| self.or(&any, part))
    }

    /// The function for some values of a set of bits.
    pub fn exists(&self, a: &Bdd, bits: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.exists(bits))
    }

    /// The conjunction for some values of a set of bits.
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, bits: &Bdd) -> Stoppable<Bdd> {
        self.attempt(|| a.apply_exists(BooleanOperator::And, b, bits))
    }

    /// Replaces bits.
    pub(crate) fn rename(&self, a: &Bdd, renaming: &Renaming) -> Stoppable<Bdd> {
        self.attempt(|| a.substitute(renaming))
    }

    /// A renaming of bits by other bits.
    pub(crate) fn renaming(&self, pairs: impl IntoIterator<Item = (VarNo, VarNo)>) -> Renaming {
        let (from, to): (Vec<VarNo>, Vec<Bdd>) = pairs.into_iter().map(|(a, b)| (a, self.bit(b).clone())).unzip();
        Subst::new(from, to)
    }

    /// Is the set empty?
    pub fn is_empty(&self, a: &Bdd) -> bool {
        !a.satisfiable()
    }

    /// Have the sets nothing in common?
    pub fn disjoint(&self, a: &Bdd, b: &Bdd) -> Stoppable<bool> {
        Ok(!self.and(a, b)?.satisfiable())
    }

    /// Does the second contain the first?
    pub fn contains(&self, a: &Bdd, b: &Bdd) -> Stoppable<bool> {
        Ok(!self.minus(a, b)?.satisfiable())
    }

    /// The bits that a function depends on.
    pub fn support(&self, a: &Bdd) -> Vec<VarNo> {
        a.with_manager_shared(|m, root| {
            let mut seen = rustc_hash::FxHashSet::default();
            let mut bits = rustc_hash::FxHashSet::default();
            let mut open = vec![root];
            while let Some(edge) = open.pop() {
                if let oxidd::Node::Inner(node) = m.get_node(edge) {
                    use oxidd::{HasLevel, InnerNode};
                    if seen.insert(edge.node_id()) {
                        bits.insert(m.level_to_var(node.level()));
                        open.extend(node.children());
                    }
                }
            }
            let mut bits: Vec<VarNo> = bits.into_iter().collect();
            bits.sort_unstable();
            bits
        })
    }
}
