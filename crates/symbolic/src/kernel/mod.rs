//! BDD operations under a budget, on top of OxiDD.
//!
//! OxiDD limits the number of nodes, with three consequences:
//!
//! * an operation fails when the table is full; garbage is collected, the operation retried, and a second failure is a
//!   [`StopReason`];
//! * reordering a full table aborts the process, so [`Kernel::sift`] needs free space;
//! * OxiDD collects garbage at 95 % of the table, which is late: here it is collected whenever the table has doubled.
//!
//! A running operation cannot be interrupted. Time and the interrupt flag are checked before each.
//!
//! The BDDs have complement edges, so negation takes constant time.

mod force;
mod sift;
mod stack;

use std::cell::Cell;
use std::panic::{catch_unwind, resume_unwind};
use std::time::Duration;

use lurcher_resources::address_limit;
use lurcher_search::{Budget, StopReason};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef, Subst, VarNo,
};

pub(crate) use force::force_order;
pub use stack::with_deep_stack;

/// A boolean function, or the set of valuations where it is true.
pub type Bdd = BCDDFunction;

/// A substitution of bits. One object per substitution, so that OxiDD caches its results.
pub(crate) type Renaming = Subst<Bdd>;

/// A result, or the limit that stopped the operation.
pub type BddResult<T> = Result<T, StopReason>;

/// Bytes per node: 16 for the node, the rest for the unique table and the apply cache.
const BYTES_PER_NODE: u64 = 40;
/// Memory for BDDs if the budget has no limit.
const DEFAULT_MEMORY: u64 = 2 << 30;
/// Nodes per entry of the apply cache.
const NODES_PER_ENTRY: usize = 4;
/// The smallest and the largest apply cache, in entries.
const ENTRIES: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 20;
/// The smallest number of nodes for which garbage is collected.
const COLLECT_FROM: usize = 1 << 20;

/// A BDD manager with its budget.
pub struct Kernel {
    manager: BCDDManagerRef,
    budget: Budget,
    /// The most nodes.
    capacity: usize,
    /// Number of nodes at which garbage is collected next.
    collect_at: Cell<usize>,
    /// Number of nodes at which the variables are sifted next.
    sift_at: Cell<usize>,
    literals: Vec<Bdd>,
    truth: Bdd,
    falsity: Bdd,
}

/// Bytes of addresses per node while the unique table grows, and of those that do not depend on nodes: the apply cache,
/// the stacks of OxiDD's threads, and what callers allocate.
const ADDRESSES: (usize, usize) = (64, 48 << 20);
/// The smallest useful number of nodes.
const LEAST_NODES: usize = 1 << 16;

/// So many nodes, or as many as there are addresses for: OxiDD aborts the program where an allocation fails. None if even
/// a small table does not fit, or if the threads of a manager cannot be started.
fn available(nodes: usize) -> Option<usize> {
    if address_limit().is_none() {
        return Some(nodes);
    }
    let stack = std::env::var("OXIDD_STACK_SIZE").ok().and_then(|s| s.parse().ok()).unwrap_or(OXIDD_STACK);
    std::thread::Builder::new().stack_size(stack).spawn(|| {}).ok()?.join().ok()?;
    let (per_node, fixed) = ADDRESSES;
    let fits = |nodes: usize| Vec::<u8>::new().try_reserve_exact(nodes.saturating_mul(per_node) + fixed).is_ok();
    std::iter::successors(Some(nodes), |n| Some(n / 4 * 3)).take_while(|&n| n >= LEAST_NODES).find(|&n| fits(n))
}

/// The stack of the thread in OxiDD's pool.
const OXIDD_STACK: usize = 1 << 30;

impl Kernel {
    /// A manager of `bits` variables, ordered by number.
    pub fn new(bits: u32, budget: &Budget) -> BddResult<Kernel> {
        let memory = budget.resources.memory.unwrap_or(DEFAULT_MEMORY);
        let capacity = usize::try_from(memory / BYTES_PER_NODE).unwrap_or(usize::MAX).min(u32::MAX as usize / 4);
        let capacity = available(capacity).ok_or(StopReason::Memory)?;
        // Clearing a large cache takes longer than searching a small model. Half of the bits are state bits; the cache
        // has some entries per valuation of them.
        let useful = 1usize << (bits / 2 + 4).min(20);
        let entries = (capacity / NODES_PER_ENTRY).min(useful).clamp(*ENTRIES.start(), *ENTRIES.end());
        // Another thread may have taken the addresses that were there.
        let manager = catch_unwind(|| oxidd::bcdd::new_manager(capacity, entries, 1));
        let manager = manager.map_err(|panic| match address_limit() {
            Some(_) => StopReason::Memory,
            None => resume_unwind(panic),
        })?;
        manager.with_manager_exclusive(|m| m.add_vars(bits));
        let (literals, truth, falsity) = manager.with_manager_shared(|m| {
            let literals: AllocResult<Vec<Bdd>> = (0..bits).map(|b| Bdd::var(m, b)).collect();
            (literals, Bdd::t(m), Bdd::f(m))
        });
        Ok(Kernel {
            literals: literals.map_err(|_| StopReason::Memory)?,
            truth,
            falsity,
            manager,
            budget: budget.clone(),
            capacity,
            collect_at: Cell::new(COLLECT_FROM),
            sift_at: Cell::new(sift::SIFT_FROM),
        })
    }

    /// The budget.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Number of nodes, garbage included.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// Approximate memory use in bytes.
    pub fn memory(&self) -> u64 {
        self.nodes() as u64 * BYTES_PER_NODE
    }

    /// Collects garbage.
    pub fn collect(&self) {
        // Exclusive access waits for OxiDD's own collector; a concurrent collection would return at once.
        self.manager.with_manager_exclusive(|m| m.gc());
        self.collect_at.set((2 * self.nodes()).max(COLLECT_FROM));
    }

    /// Fails if the budget is spent or the search interrupted.
    pub fn check(&self) -> BddResult<()> {
        self.budget.stop_reason().map_or(Ok(()), Err)
    }

    /// Runs an operation within the budget.
    fn attempt(&self, operation: impl Fn() -> AllocResult<Bdd>) -> BddResult<Bdd> {
        self.check()?;
        if self.nodes() > self.collect_at.get() {
            self.collect();
        }
        // Nodes freed by OxiDD's own collector become available with a delay.
        for delay in [Duration::ZERO, Duration::from_millis(2)] {
            if let Ok(result) = operation() {
                return Ok(result);
            }
            self.check()?;
            std::thread::sleep(delay);
            self.collect();
            self.check()?;
        }
        operation().map_err(|_| StopReason::Memory)
    }

    /// The constant function.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.truth.clone() } else { self.falsity.clone() }
    }

    /// The function of one bit.
    pub fn bit(&self, bit: VarNo) -> &Bdd {
        &self.literals[bit as usize]
    }

    /// A bit or its negation.
    pub fn literal(&self, bit: VarNo, value: bool) -> BddResult<Bdd> {
        if value { Ok(self.bit(bit).clone()) } else { self.not(self.bit(bit)) }
    }

    /// A conjunction of bits, as the operand of a quantification.
    pub fn cube(&self, bits: impl IntoIterator<Item = VarNo>) -> BddResult<Bdd> {
        self.literals(bits.into_iter().map(|b| (b, true)))
    }

    /// A conjunction of bits and negated bits.
    pub fn literals(&self, bits: impl IntoIterator<Item = (VarNo, bool)>) -> BddResult<Bdd> {
        let mut bits: Vec<(VarNo, bool)> = bits.into_iter().collect();
        self.manager.with_manager_shared(|m| bits.sort_unstable_by_key(|&(b, _)| m.var_to_level(b)));
        bits.iter().rev().try_fold(self.constant(true), |cube, &(b, value)| {
            let literal = self.literal(b, value)?;
            self.and(&literal, &cube)
        })
    }

    /// Negation.
    pub fn not(&self, a: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.not())
    }

    /// Conjunction.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.and(b))
    }

    /// Disjunction.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.or(b))
    }

    /// Set difference `a \ b`.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| b.imp_strict(a))
    }

    /// Exclusive or.
    pub fn xor(&self, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.xor(b))
    }

    /// Equivalence.
    pub fn iff(&self, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.equiv(b))
    }

    /// If, then, else.
    pub fn ite(&self, condition: &Bdd, a: &Bdd, b: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| condition.ite(a, b))
    }

    /// Disjunction of any number of functions.
    pub fn any<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> BddResult<Bdd> {
        parts.into_iter().try_fold(self.constant(false), |any, part| self.or(&any, part))
    }

    /// Existential quantification over a cube of bits.
    pub fn exists(&self, a: &Bdd, bits: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.exists(bits))
    }

    /// Relational product: the conjunction, quantified over a cube of bits.
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, bits: &Bdd) -> BddResult<Bdd> {
        self.attempt(|| a.apply_exists(BooleanOperator::And, b, bits))
    }

    /// Substitutes bits.
    pub(crate) fn rename(&self, a: &Bdd, renaming: &Renaming) -> BddResult<Bdd> {
        self.attempt(|| a.substitute(renaming))
    }

    /// A substitution of bits by other bits.
    pub(crate) fn renaming(&self, pairs: impl IntoIterator<Item = (VarNo, VarNo)>) -> Renaming {
        let (from, to): (Vec<VarNo>, Vec<Bdd>) = pairs.into_iter().map(|(a, b)| (a, self.bit(b).clone())).unzip();
        Subst::new(from, to)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self, a: &Bdd) -> bool {
        !a.satisfiable()
    }

    /// Whether the intersection is empty.
    pub fn disjoint(&self, a: &Bdd, b: &Bdd) -> BddResult<bool> {
        Ok(!self.and(a, b)?.satisfiable())
    }

    /// The bits that a function depends on, sorted.
    pub(crate) fn support(&self, a: &Bdd) -> Vec<VarNo> {
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
