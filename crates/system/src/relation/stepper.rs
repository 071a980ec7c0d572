//! Enumeration of initial states and successors by running plans.
//!
//! A plan runs forward until a test fails or the step is complete, then backtracks to the last choice with a remaining
//! alternative. Listing tries all alternatives in order; sampling draws them at random and stops at the first accepted
//! step. Running a plan allocates nothing once its buffers have grown.

use std::ops::ControlFlow;
use std::sync::Arc;

use lurcher_ir::relation::{Relation, VariableId};
use lurcher_resources::{LimitReached, checkpoint_now, reached};

use super::code::{Slot, run};
use super::compiled::{Bounds, CompiledRelation};
use super::native::{NativePlans, Stop};
use super::pick::{InOrder, Order, Pick, Shuffled};
use super::plan::{Instruction, Plan};
use super::tree::{Node, NodeId, Tree};

/// Why an enumeration ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Halt {
    /// The caller stopped it.
    Stopped,
    /// It tried more values than the effort allows.
    Effort,
    /// A limit of the thread was reached, and nothing unwinds.
    Limit(LimitReached),
}

/// A step, or an initial state.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The index of the transition; 0 for an initial state.
    pub transition: usize,
    /// The state before, with the inputs of the step; unread inputs have the first value of their domain. Meaningless for
    /// an initial state.
    pub now: &'s [i64],
    /// The state after; inputs have the first value of their domain.
    pub next: &'s [i64],
}

impl<'s> Step<'s> {
    fn new(compiled: &CompiledRelation, transition: usize, slots: &'s [i64]) -> Self {
        Step { transition, now: &slots[..compiled.variables], next: compiled.new_state(slots) }
    }
}

/// The default effort of one call.
pub const EFFORT: u64 = 1 << 24;

/// Lists up to this length are deduplicated without sorting.
const SHORT: usize = 16;

/// Enumerates the initial states of a relation and the successors of a state.
#[derive(Clone, Debug)]
pub struct Stepper {
    compiled: Arc<CompiledRelation>,
    native: Option<Arc<dyn NativePlans>>,
    slots: Vec<i64>,
    frames: Vec<Frame>,
    /// Listed candidates of all frames, those of the last frame at the end.
    values: Vec<i64>,
    /// Every input with the first value of its domain.
    all_inputs: Vec<(Slot, i64)>,
    /// The effort of one call, and the remaining effort of all calls that list states.
    effort: u64,
    total: u64,
}

/// Values that are tried between two looks at the limits.
const INTERVAL: u32 = 1 << 12;

/// Charges one value that was tried.
#[inline]
fn charge(left: &mut u64, unchecked: &mut u32) -> Result<(), Halt> {
    *left = left.checked_sub(1).ok_or(Halt::Effort)?;
    *unchecked += 1;
    if *unchecked == INTERVAL {
        *unchecked = 0;
        checkpoint_now();
        return reached().map_or(Ok(()), |limit| Err(Halt::Limit(limit)));
    }
    Ok(())
}

/// A choice on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The instruction after the choice.
    resume: u32,
    cell: Slot,
    candidates: Candidates,
    pick: Pick,
    /// The length of the list of values before this choice.
    values: u32,
}

/// The candidates of a choice.
#[derive(Clone, Copy, Debug)]
enum Candidates {
    /// The constants of a node of a tree.
    Constants(u32, NodeId),
    /// The domain of a variable.
    Domain(VariableId),
    /// The end of the list of values.
    Listed,
}

impl Stepper {
    /// A stepper of a relation that satisfies [`check`](lurcher_ir::relation::check).
    pub fn new(relation: &Relation) -> Self {
        Stepper::with_inputs(relation, &[], &[])
    }

    /// A stepper that takes the values of `fixed` inputs from the given state, and binds `observed` inputs even if no
    /// transition reads them.
    pub fn with_inputs(relation: &Relation, fixed: &[VariableId], observed: &[VariableId]) -> Self {
        let compiled = CompiledRelation::new(relation, fixed, observed);
        let all_inputs: Vec<(Slot, i64)> = relation.inputs().map(|(id, v)| (id.0, v.domain.value(0))).collect();
        let slots = compiled.slots(&all_inputs);
        Stepper {
            compiled: Arc::new(compiled),
            native: None,
            slots,
            frames: Vec::new(),
            values: Vec::new(),
            all_inputs,
            effort: EFFORT,
            total: u64::MAX,
        }
    }

    /// The plans, by number.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.compiled.plans()
    }

    /// The domain of a variable.
    pub fn bounds(&self, variable: VariableId) -> &Bounds {
        &self.compiled.bounds[variable.0 as usize]
    }

    /// The constant in a slot, if there is one.
    pub fn constant(&self, slot: Slot) -> Option<i64> {
        self.compiled.constants.value(slot)
    }

    /// The number of slots.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Uses native code that was compiled from these plans.
    pub fn run_natively(&mut self, native: Arc<dyn NativePlans>) {
        self.native = Some(native);
    }

    /// Sets the most values that one call tries.
    pub fn set_effort(&mut self, effort: u64) {
        self.effort = effort;
    }

    /// Sets the most values that all calls that list states try together.
    pub fn set_total_effort(&mut self, effort: u64) {
        self.total = effort;
    }

    /// Calls `f` with each initial state, possibly repeatedly.
    pub fn initial(&mut self, mut f: impl FnMut(&[i64]) -> ControlFlow<()>) -> Result<(), Halt> {
        let compiled = Arc::clone(&self.compiled);
        self.within_effort(|stepper, left| {
            compiled.initial.iter().try_for_each(|plan| {
                stepper.search(&compiled, plan, &mut InOrder, left, |slots| f(compiled.new_state(slots)))
            })
        })
    }

    /// Calls `f` with each step from a state. A successor may occur repeatedly: by different inputs, transitions or
    /// overlapping cases.
    pub fn successors(&mut self, now: &[i64], mut f: impl FnMut(Step<'_>) -> ControlFlow<()>) -> Result<(), Halt> {
        let compiled = Arc::clone(&self.compiled);
        self.slots[..compiled.variables].copy_from_slice(now);
        self.within_effort(|stepper, left| {
            for (transition, plans) in compiled.transitions.iter().enumerate() {
                for plan in plans {
                    stepper.search(&compiled, plan, &mut InOrder, left, |slots| {
                        f(Step::new(&compiled, transition, slots))
                    })?;
                }
            }
            Ok(())
        })
    }

    /// Runs an enumeration with the effort of one call.
    fn within_effort(&mut self, list: impl FnOnce(&mut Self, &mut u64) -> Result<(), Halt>) -> Result<(), Halt> {
        let allowed = self.effort.min(self.total);
        let mut left = allowed;
        let listed = list(self, &mut left);
        self.total -= allowed - left;
        listed
    }

    /// A random initial state among those that `accept` takes, if there is one. `below(n)` draws a number below n.
    pub fn sample_initial(
        &mut self,
        below: impl FnMut(u32) -> u32,
        mut accept: impl FnMut(&[i64]) -> bool,
    ) -> Result<Option<&[i64]>, Halt> {
        let compiled = Arc::clone(&self.compiled);
        let (mut order, mut left) = (Shuffled(below), self.effort);
        let accept = |slots: &[i64]| accept(compiled.new_state(slots));
        let found = self.sample(&compiled, &compiled.initial, &mut order, &mut left, accept)?;
        Ok(found.then(|| compiled.new_state(&self.slots)))
    }

    /// A random step among those that `accept` takes, if there is one. Draws a transition uniformly, then one of its cases,
    /// then values in the order of the plan; after a failure the last choice is drawn again without the tried values.
    pub fn sample_successor(
        &mut self,
        now: &[i64],
        below: impl FnMut(u32) -> u32,
        mut accept: impl FnMut(Step<'_>) -> bool,
    ) -> Result<Option<Step<'_>>, Halt> {
        let compiled = Arc::clone(&self.compiled);
        self.slots[..compiled.variables].copy_from_slice(now);
        let (mut order, mut left) = (Shuffled(below), self.effort);
        let mut transitions = Pick::new(compiled.transitions.len() as u64);
        while let Some(transition) = transitions.next(&mut order) {
            let transition = transition as usize;
            let accept = |slots: &[i64]| accept(Step::new(&compiled, transition, slots));
            if self.sample(&compiled, &compiled.transitions[transition], &mut order, &mut left, accept)? {
                return Ok(Some(Step::new(&compiled, transition, &self.slots)));
            }
        }
        Ok(None)
    }

    /// Runs plans in random order until a result is accepted; returns whether one is.
    fn sample(
        &mut self,
        compiled: &CompiledRelation,
        plans: &[Plan],
        order: &mut impl Order,
        left: &mut u64,
        mut accept: impl FnMut(&[i64]) -> bool,
    ) -> Result<bool, Halt> {
        let mut cases = Pick::new(plans.len() as u64);
        while let Some(case) = cases.next(order) {
            let found = self.search(compiled, &plans[case as usize], order, left, |slots| match accept(slots) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            match found {
                Ok(()) => {}
                Err(Halt::Stopped) => return Ok(true),
                Err(halt) => return Err(halt),
            }
        }
        Ok(false)
    }

    /// The valuation with inputs at the first value of their domain, as in [`Step::next`].
    pub fn state_of(&self, valuation: &[i64]) -> Vec<i64> {
        let mut state = valuation.to_vec();
        self.all_inputs.iter().for_each(|&(input, value)| state[input as usize] = value);
        state
    }

    /// Runs a plan and calls `f` for each result.
    fn search(
        &mut self,
        compiled: &CompiledRelation,
        plan: &Plan,
        order: &mut impl Order,
        left: &mut u64,
        mut f: impl FnMut(&[i64]) -> ControlFlow<()>,
    ) -> Result<(), Halt> {
        self.frames.clear();
        self.values.clear();
        compiled.inputs.iter().for_each(|&(cell, value)| self.slots[cell as usize] = value);
        let native = self.native.clone();
        let (mut at, mut unchecked) = (0, 0);
        loop {
            if let Some(native) = &native {
                match native.run(plan.number, at, &mut self.slots, left) {
                    Stop::End => at = plan.instructions.len(),
                    Stop::Before(instruction) => at = instruction,
                    Stop::Effort => return Err(Halt::Effort),
                    Stop::Failed => match self.retry(compiled, plan, order) {
                        Some(resume) => {
                            at = resume;
                            charge(left, &mut unchecked)?;
                            continue;
                        }
                        None => return Ok(()),
                    },
                }
            }
            let forward = match plan.instructions.get(at) {
                None => {
                    if f(&self.slots).is_break() {
                        return Err(Halt::Stopped);
                    }
                    false
                }
                Some(&Instruction::Run(first, last)) => {
                    run(&plan.ops[first as usize..last as usize], &mut self.slots);
                    true
                }
                Some(&Instruction::Test(slot)) => self.slots[slot as usize] != 0,
                Some(&Instruction::Set(cell, slot, variable)) => {
                    let value = self.slots[slot as usize];
                    self.slots[cell as usize] = value;
                    compiled.bounds[variable.0 as usize].contains(value)
                }
                Some(&Instruction::Choose(cell, tree, variable)) => {
                    self.choose(compiled, plan, at as u32 + 1, (cell, tree, variable))
                }
            };
            if forward {
                at += 1;
                continue;
            }
            match self.retry(compiled, plan, order) {
                Some(resume) => at = resume,
                None => return Ok(()),
            }
            charge(left, &mut unchecked)?;
        }
    }

    /// Opens a choice. Returns true if there is a single value, which is bound. Otherwise pushes a frame, unless there is no
    /// value, and the caller takes the next alternative.
    fn choose(
        &mut self,
        compiled: &CompiledRelation,
        plan: &Plan,
        resume: u32,
        choice: (Slot, u32, VariableId),
    ) -> bool {
        let (cell, number, variable) = choice;
        let tree = &plan.trees[number as usize];
        let bounds = &compiled.bounds[variable.0 as usize];
        let values = self.values.len() as u32;
        let Some(node) = self.follow(tree, tree.root()) else { return false };
        let (candidates, len) = match &tree.nodes[node as usize] {
            Node::Leaf(slot) => {
                let value = self.slots[*slot as usize];
                self.slots[cell as usize] = value;
                return bounds.contains(value);
            }
            Node::Constants(list) => (Candidates::Constants(number, node), list.len() as u64),
            Node::Any => (Candidates::Domain(variable), bounds.domain.size()),
            _ => {
                self.list(tree, node, compiled, variable);
                self.deduplicate(values as usize);
                (Candidates::Listed, self.values.len() as u64 - u64::from(values))
            }
        };
        if len > 0 {
            self.frames.push(Frame { resume, cell, candidates, pick: Pick::new(len), values });
        }
        false
    }

    /// Descends a tree along its conditions.
    fn follow(&self, tree: &Tree<Slot>, mut node: NodeId) -> Option<NodeId> {
        loop {
            match &tree.nodes[node as usize] {
                Node::Ite(condition, a, b) => node = if self.slots[*condition as usize] != 0 { *a } else { *b },
                Node::When(condition, _) if self.slots[*condition as usize] == 0 => return None,
                Node::When(_, a) => node = *a,
                _ => return Some(node),
            }
        }
    }

    /// Appends the values of a node to the list.
    fn list(&mut self, tree: &Tree<Slot>, node: NodeId, compiled: &CompiledRelation, variable: VariableId) {
        let Some(node) = self.follow(tree, node) else { return };
        let bounds = &compiled.bounds[variable.0 as usize];
        match &tree.nodes[node as usize] {
            Node::Leaf(slot) => {
                let value = self.slots[*slot as usize];
                if bounds.contains(value) {
                    self.values.push(value);
                }
            }
            Node::Constants(list) => self.values.extend_from_slice(list),
            Node::Any => self.values.extend(bounds.domain.values()),
            Node::Choice(parts) => parts.iter().for_each(|&p| self.list(tree, p, compiled, variable)),
            Node::Ite(..) | Node::When(..) => unreachable!("conditions were followed"),
        }
    }

    /// Removes duplicates from a position of the list on.
    fn deduplicate(&mut self, from: usize) {
        let short = self.values.len() - from <= SHORT;
        if !short {
            self.values[from..].sort_unstable();
        }
        let mut kept = from;
        for at in from..self.values.len() {
            let value = self.values[at];
            // In a sorted list equal values are adjacent.
            let before = if short { from } else { kept.saturating_sub(1).max(from) };
            if !self.values[before..kept].contains(&value) {
                self.values[kept] = value;
                kept += 1;
            }
        }
        self.values.truncate(kept);
    }

    /// Takes the next alternative of the last choice that has one; returns the instruction after it.
    fn retry(&mut self, compiled: &CompiledRelation, plan: &Plan, order: &mut impl Order) -> Option<usize> {
        while let Some(frame) = self.frames.last_mut() {
            let Some(index) = frame.pick.next(order) else {
                self.values.truncate(frame.values as usize);
                self.frames.pop();
                continue;
            };
            let value = match frame.candidates {
                Candidates::Constants(tree, node) => match &plan.trees[tree as usize].nodes[node as usize] {
                    Node::Constants(list) => list[index as usize],
                    _ => unreachable!("the choice was made from constants"),
                },
                Candidates::Domain(variable) => compiled.bounds[variable.0 as usize].domain.value(index),
                Candidates::Listed => self.values[frame.values as usize + index as usize],
            };
            self.slots[frame.cell as usize] = value;
            return Some(frame.resume as usize);
        }
        None
    }
}
