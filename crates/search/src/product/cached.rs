//! A product with a transition cache.
//!
//! The moves of the system depend on the state alone, those of the claim on its location and on what its conditions read. So
//! the location of the claim, the holder of exclusive control and the round of fairness are a part of nodes of their own, the
//! tail. The transition cache passes over it, and a second cache knows the claim's moves ([`ClaimCache`]). The edges of a node
//! have the same order as in [`Product::steps`].
//!
//! Nodes with something to report and nodes in which the system has stopped are left to the slow path.

use lurcher_ir::LocationId;
use lurcher_system::{Machine, ProcessId, Violation};

use super::claim_cache::ClaimCache;
use super::location_tests::LocationTests;
use super::tail_cache::TailCache;
use super::{DONE, Product, STUTTERED, Tail, next_round};
use crate::coverage::Coverage;
use crate::parallel::SuccessorBatch;
use crate::space::{ClaimComponent, Expander, NodeClass};
use crate::state_graph::{CachedGraph, CachedSelection, SUFFIX, SuccessorTail};
use crate::store::{Partition, StoreFull};
use crate::transition_cache::{TransitionCache, global_splits};

/// Bytes of the tail of a node.
const TAIL: usize = 2 + SUFFIX;

/// A product with a transition cache.
#[derive(Debug)]
pub struct CachedProduct<M, S: CachedSelection> {
    product: Product<M, S>,
    cache: TransitionCache,
    /// Scratch space for an encoded node.
    node: Vec<u8>,
    scratch: S::Scratch,
    tails: TailCache,
    claims: ClaimCache,
    accepting: LocationTests,
    progress: LocationTests,
    /// The locations of the claim behind its moves in the current node.
    targets: Vec<LocationId>,
    /// The round behind each move of the system, with fairness; and which processes can move.
    rounds: Vec<u16>,
    enabled: Vec<bool>,
    /// The components of the successors that were found last: for each move of the claim, the end of its successors.
    components: Vec<(usize, ClaimComponent)>,
    /// The class of the node that was expanded last.
    class: NodeClass,
}

impl<M: Machine, S: CachedSelection> CachedProduct<M, S> {
    pub(super) fn new(product: Product<M, S>) -> Self {
        let model = product.cursor.machine.model();
        CachedProduct {
            cache: TransitionCache::new(model, true),
            claims: ClaimCache::new(model, product.claim.process_type()),
            tails: TailCache::default(),
            node: Vec::new(),
            scratch: S::Scratch::default(),
            accepting: LocationTests::new(|location| location.accept),
            progress: LocationTests::new(|location| location.progress),
            targets: Vec::new(),
            rounds: Vec::new(),
            enabled: Vec::new(),
            components: Vec::new(),
            class: NodeClass { component: ClaimComponent::ONLY, accepts: false },
            product,
        }
    }

    /// The executed statements.
    pub fn coverage(&self) -> Coverage {
        self.product.coverage()
    }

    /// Sets the class of the node of a batch. Returns whether the node is accepting, fairness aside.
    fn classify(&mut self, tail: Tail, held: bool, batch: &SuccessorBatch<'_>) -> bool {
        let CachedProduct { product, cache, accepting, class, .. } = self;
        let mut system = || accepting.any(product.cursor.machine.model(), cache, batch);
        let accepts = !held && (product.claim_accepts(tail.claim) || product.system_accepts && system());
        *class = NodeClass {
            component: product.components[tail.claim.0 as usize],
            accepts: if product.fair { tail.round == DONE } else { accepts },
        };
        accepts
    }

    /// Lists the locations of the claim behind its moves in the node of a batch. False if the slow path has to list them.
    fn find_targets(
        &mut self,
        tail: Tail,
        held: bool,
        loaded: &mut bool,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let CachedProduct { product, cache, claims, targets, progress, .. } = self;
        let Some(claim) = product.claim.process_type().filter(|_| !held) else {
            targets.clear();
            targets.push(tail.claim);
            return Ok(true);
        };
        let progress = product.reads_progress && progress.any(product.cursor.machine.model(), cache, batch);
        let mark = if tail.stuttered { STUTTERED } else { 0 };
        let own = u32::from(tail.claim.0 | mark) | u32::from(progress) << u16::BITS;
        if claims.find(cache.layout_number(), own, batch.node().numbers(), targets) {
            return Ok(true);
        }
        product.load(batch.load());
        *loaded = true;
        // Nodes in which the system has stopped are left to the slow path, so there is no timeout.
        if product.list_claim_moves(claim, false).is_err() {
            return Ok(false);
        }
        let process_type = product.cursor.machine.model().process_type(claim);
        let ends = |target: LocationId| process_type.location(target).end;
        let reports = |(target, violation): &(LocationId, Option<Violation>)| ends(*target) || violation.is_some();
        if ends(tail.claim) || product.claim_moves.iter().any(reports) {
            return Ok(false);
        }
        targets.clear();
        targets.extend(product.claim_moves.iter().map(|(target, _)| *target));
        let layout = batch.node().layout().expect("the node has parts");
        let state = (product.cursor.machine.interpreter(), &product.cursor.here);
        let cached = claims.insert((cache.layout_number(), layout), own, batch.node().numbers(), state, targets);
        // A claim that cannot move may wait for a timeout.
        Ok(cached || !targets.is_empty())
    }

    /// Adds the successors by the moves of the system, behind the first move of the claim. False if there are none or the node
    /// needs the slow path.
    fn expand_system(
        &mut self,
        first: Tail,
        holder: Option<ProcessId>,
        loaded: &mut bool,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let CachedProduct { product, cache, node, scratch, tails, .. } = self;
        let suffix = first.suffix();
        let tail = Some(SuccessorTail::new(suffix, tails.change_to(cache.layout_number(), suffix, batch)?));
        let mut cached = CachedGraph { cursor: &mut product.cursor, cache, node, tail, loaded };
        Ok(S::expand_into(&mut cached, scratch, holder, batch)?.is_some() && batch.len() > 0)
    }

    /// Finds the round behind each move of the system from a node.
    fn find_rounds(&mut self, round: u16, held: bool, accepts: bool, batch: &SuccessorBatch<'_>) {
        let CachedProduct { product, cache, rounds, enabled, .. } = self;
        rounds.clear();
        if !product.fair {
            rounds.resize(batch.len(), 0);
            return;
        }
        let processes = cache.process_count();
        enabled.clear();
        enabled.resize(processes, held);
        for mover in batch.edges().filter_map(|edge| edge.mover) {
            enabled[usize::from(mover.0)] = true;
        }
        rounds.extend(batch.edges().map(|edge| {
            next_round(round, accepts, processes as u16, |process| {
                [edge.mover, edge.partner].contains(&Some(process)) || !enabled[usize::from(process.0)]
            })
        }));
    }
}

impl<M: Machine, S: CachedSelection> Expander for CachedProduct<M, S> {
    type Space = Product<M, S>;
    const EXPANDS: bool = true;

    fn space(&mut self) -> &mut Product<M, S> {
        &mut self.product
    }

    fn graph(&self) -> &Product<M, S> {
        &self.product
    }

    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        let mut loaded = false;
        let CachedProduct { product, cache, node, .. } = self;
        let mut cached = CachedGraph { cursor: &mut product.cursor, cache, node, tail: None, loaded: &mut loaded };
        if !cached.start_node(batch) {
            return Ok(None);
        }
        let (holder, tail) = self.tails.of_node(self.cache.layout_number(), batch);
        let accepts = self.classify(tail, holder.is_some(), batch);
        self.components.clear();
        if !self.find_targets(tail, holder.is_some(), &mut loaded, batch)? {
            return Ok(None);
        }
        let Some(&first) = self.targets.first() else { return Ok(Some(0)) };
        let behind = |claim: LocationId, round: u16| Tail { claim, stuttered: false, round };
        if !self.expand_system(behind(first, tail.round), holder, &mut loaded, batch)? {
            return Ok(None);
        }
        self.find_rounds(tail.round, holder.is_some(), accepts, batch);
        for (successor, &round) in self.rounds.iter().enumerate().filter(|(_, round)| **round != tail.round) {
            batch.set_suffix(successor, &behind(first, round).suffix())?;
        }
        let component = |claim: LocationId| self.product.components[claim.0 as usize];
        self.components.push((batch.len(), component(first)));
        // The system has the same moves behind each move of the claim.
        for &target in &self.targets[1..] {
            for (successor, &round) in self.rounds.iter().enumerate() {
                batch.push_copy(successor, &behind(target, round).suffix())?;
            }
            self.components.push((batch.len(), component(target)));
        }
        Ok(Some(batch.len() as u64))
    }

    fn component_of(&self, successor: usize) -> ClaimComponent {
        let found = self.components.iter().find(|(end, _)| successor < *end);
        found.map_or(ClaimComponent::ONLY, |(_, component)| *component)
    }

    fn class(&self) -> NodeClass {
        self.class
    }

    fn partition(&self) -> Partition {
        let machine = &self.product.cursor.machine;
        let (model, layout) = (machine.model(), machine.layout());
        Partition::Frames { layout: layout.clone(), splits: global_splits(model, layout), tail: TAIL }
    }

    fn memory(&self) -> u64 {
        let tests = self.accepting.memory() + self.progress.memory();
        self.cache.table.memory() + S::memory(&self.scratch) + self.claims.memory() + tests
    }
}
