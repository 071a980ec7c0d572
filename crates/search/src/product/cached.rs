//! A product with a transition cache.
//!
//! The moves of the system depend on the state alone, those of the claim on its location and on what its conditions read. So
//! the location of the claim, the holder of exclusive control and the round of fairness are a part of nodes of their own, the
//! tail. The transition cache passes over it, and a second cache knows the claim's moves ([`ClaimCache`]). The edges of a node
//! have the same order as in [`Product::steps`].
//!
//! Nodes with something to report and nodes in which the system has stopped are left to the slow path.

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_system::Machine;

use super::claim_cache::ClaimCache;
use super::location_tests::LocationTests;
use super::{DONE, Product, STUTTERED, Tail, next_round};
use crate::coverage::Coverage;
use crate::parallel::SuccessorBatch;
use crate::space::{ClaimComponent, Expander, NodeClass};
use crate::state_graph::{CachedGraph, CachedSelection, SUFFIX, SuccessorTail, decode_node};
use crate::store::{MAX_PART, Partition, StoreFull};
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

    /// Lists the locations behind the moves of the claim in the node of a batch. False if the claim does more than move.
    fn find_targets(
        &mut self,
        claim: ProcessTypeId,
        tail: Tail,
        loaded: &mut bool,
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<bool, StoreFull> {
        let CachedProduct { product, cache, claims, targets, progress, .. } = self;
        let reads_progress = product.reads_progress;
        let mark = if tail.stuttered { STUTTERED } else { 0 };
        let model = product.cursor.machine.model();
        let progress = reads_progress && progress.any(model, cache, batch);
        let own = u32::from(tail.claim.0 | mark) | u32::from(progress) << u16::BITS;
        if claims.find(cache.layout_number(), own, batch.node().numbers(), targets) {
            return Ok(true);
        }
        product.load(batch.load());
        *loaded = true;
        // Nodes in which the system has stopped are left to the slow path.
        if product.list_claim_moves(claim, false).is_err() {
            return Ok(false);
        }
        let process_type = product.cursor.machine.model().process_type(claim);
        let ends = |target: LocationId| process_type.location(target).end;
        if ends(tail.claim) || product.claim_moves.iter().any(|(target, violation)| ends(*target) || violation.is_some()) {
            return Ok(false);
        }
        targets.clear();
        targets.extend(product.claim_moves.iter().map(|(target, _)| *target));
        let layout = batch.node().layout().expect("the node has parts");
        let state = (product.cursor.machine.interpreter(), &product.cursor.here);
        let cached = claims.insert((cache.layout_number(), layout), own, batch.node().numbers(), state, targets);
        // A claim that cannot move may wait until the system stops.
        Ok(cached || !targets.is_empty())
    }
}

impl<M: Machine, S: CachedSelection> CachedProduct<M, S> {
    /// Finds the round behind each move of the system from a node.
    fn find_rounds(&mut self, round: u16, held: bool, accepts: bool, batch: &SuccessorBatch<'_>) {
        let CachedProduct { cache, rounds, enabled, .. } = self;
        let processes = cache.process_count();
        enabled.clear();
        enabled.resize(processes, held);
        for mover in (0..batch.len()).filter_map(|successor| batch.edge(successor).mover) {
            enabled[usize::from(mover.0)] = true;
        }
        rounds.clear();
        for edge in (0..batch.len()).map(|successor| batch.edge(successor)) {
            rounds.push(next_round(round, accepts, processes as u16, |process| {
                [edge.mover, edge.partner].contains(&Some(process)) || !enabled[usize::from(process.0)]
            }));
        }
    }
}

impl<M: Machine, S: CachedSelection> Expander for CachedProduct<M, S> {
    type Space = Product<M, S>;

    fn space(&mut self) -> &mut Product<M, S> {
        &mut self.product
    }

    fn graph(&self) -> &Product<M, S> {
        &self.product
    }

    fn expand_into(&mut self, batch: &mut SuccessorBatch<'_>) -> Result<Option<u64>, StoreFull> {
        let mut loaded = false;
        let CachedProduct { product, cache, node, .. } = self;
        let mut cached = CachedGraph { cursor: &mut product.cursor, cache, node, tail: None, loaded };
        if !cached.start_node(batch) {
            return Ok(None);
        }
        loaded |= cached.loaded;
        let mut bytes = [0; MAX_PART];
        let part = batch.node().numbers().len() - 1;
        let (rest, tail) = super::split(batch.read_part(part, &mut bytes));
        let holder = decode_node(rest).1;
        let mut accepts = holder.is_none() && self.product.claim_accepts(tail.claim);
        if holder.is_none() && self.product.system_accepts {
            accepts |= self.accepting.any(self.product.cursor.machine.model(), &self.cache, batch);
        }
        self.class = NodeClass {
            component: self.product.components[tail.claim.0 as usize],
            accepts: if self.product.fair { tail.round == DONE } else { accepts },
        };
        self.components.clear();
        match self.product.claim.process_type() {
            Some(claim) if holder.is_none() => {
                if !self.find_targets(claim, tail, &mut loaded, batch)? {
                    return Ok(None);
                }
            }
            _ => {
                self.targets.clear();
                self.targets.push(tail.claim);
            }
        }
        let suffix = |claim: LocationId, round: u16| Tail { claim, stuttered: false, round }.suffix();
        let Some(&first) = self.targets.first() else { return Ok(Some(0)) };
        let CachedProduct { product, cache, node, scratch, .. } = self;
        let successor_tail = Some(SuccessorTail::new(batch, suffix(first, tail.round))?);
        let mut cached = CachedGraph { cursor: &mut product.cursor, cache, node, tail: successor_tail, loaded };
        let expanded = S::expand_into(&mut cached, scratch, holder, batch)?;
        let moves = batch.len();
        if expanded.is_none() || moves == 0 {
            return Ok(None);
        }
        if self.product.fair {
            self.find_rounds(tail.round, holder.is_some(), accepts, batch);
            for successor in 0..moves {
                if self.rounds[successor] != tail.round {
                    batch.set_suffix(successor, &suffix(first, self.rounds[successor]))?;
                }
            }
        }
        // The moves of the system are the same behind each move of the claim.
        for (at, &target) in self.targets.iter().enumerate() {
            for successor in 0..if at > 0 { moves } else { 0 } {
                let round = if self.product.fair { self.rounds[successor] } else { 0 };
                batch.push_copy(successor, &suffix(target, round))?;
            }
            self.components.push((batch.len(), self.product.components[target.0 as usize]));
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
        self.cache.table.memory() + S::memory(&self.scratch) + self.claims.memory()
    }
}
