//! Initial states and successors, found by running plans.
//!
//! A plan runs forward until a test fails or the step is complete, and then goes back to the last choice that has an
//! alternative left. Listing goes through all alternatives in order; sampling draws them at random and stops at the first
//! step that is wanted. Nothing is allocated while a plan runs, once its lists have grown.

use std::ops::ControlFlow;
use std::sync::Arc;

use lurcher_ir::relation::{Relation, VariableId, VariableRole};

use super::code::{Slot, run};
use super::machine::{Bounds, Machine};
use super::native::{NativePlans, Stop};
use super::pick::{InOrder, Order, Pick, Shuffled};
use super::plan::{Instruction, Plan};
use super::tree::{Node, NodeId, Tree};

/// Why a search for states did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Halt {
    /// The caller asked it to stop.
    Stopped,
    /// More values were tried than the effort allows.
    Effort,
}

/// A step, or an initial state.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The index of the transition; 0 for an initial state.
    pub transition: usize,
    /// The state before with the inputs of the step. Inputs that the transition does not read have the first value of
    /// their domain. Nothing is said by it for an initial state.
    pub now: &'s [i64],
    /// The state after; its inputs have the first value of their domains.
    pub next: &'s [i64],
}

/// Values that may be tried for one call, when nobody says.
pub const EFFORT: u64 = 1 << 24;

/// Lists up to this length are not worth sorting.
const SHORT: usize = 16;

/// Finds the initial states of a relation and the successors of a state.
#[derive(Clone, Debug)]
pub struct Stepper {
    machine: Arc<Machine>,
    native: Option<Arc<dyn NativePlans>>,
    slots: Vec<i64>,
    frames: Vec<Frame>,
    /// Candidates that had to be listed, those of the last frame at the end.
    values: Vec<i64>,
    /// Every input with the first value of its domain.
    all_inputs: Vec<(Slot, i64)>,
    /// What one call may take, and what all may still take together.
    effort: u64,
    total: u64,
}

/// A choice that was made.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The instruction behind the choice.
    resume: u32,
    cell: Slot,
    candidates: Candidates,
    pick: Pick,
    /// Length of the list of values before this choice.
    values: u32,
}

/// What is chosen from.
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
    /// The stepper of a relation that passes its check.
    pub fn new(relation: &Relation) -> Self {
        Stepper::with_inputs(relation, &[], &[])
    }

    /// A stepper that takes the values of `fixed` inputs from the state it is given rather than choosing them, and gives
    /// values to `observed` inputs even where no transition reads them.
    pub fn with_inputs(relation: &Relation, fixed: &[VariableId], observed: &[VariableId]) -> Self {
        let machine = Machine::new(relation, fixed, observed);
        let inputs = relation.variables().filter(|(_, v)| v.role == VariableRole::Input);
        let all_inputs: Vec<(Slot, i64)> = inputs.map(|(id, v)| (id.0, v.domain.value(0))).collect();
        let slots = machine.slots(&all_inputs);
        Stepper {
            machine: Arc::new(machine),
            native: None,
            slots,
            frames: Vec::new(),
            values: Vec::new(),
            all_inputs,
            effort: EFFORT,
            total: u64::MAX,
        }
    }

    /// The plans, by number: what native code is made from.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.machine.plans()
    }

    /// The values of a variable.
    pub fn bounds(&self, variable: VariableId) -> &Bounds {
        &self.machine.bounds[variable.0 as usize]
    }

    /// The constant in a slot, where there is one.
    pub fn constant(&self, slot: Slot) -> Option<i64> {
        self.machine.constants.value(slot)
    }

    /// How many slots plans run on.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Runs plans as native code, which was made from these plans.
    pub fn run_natively(&mut self, native: Arc<dyn NativePlans>) {
        self.native = Some(native);
    }

    /// Lets each call try at most so many values before it gives up.
    pub fn set_effort(&mut self, effort: u64) {
        self.effort = effort;
    }

    /// Lets all calls together that list states try at most so many values before they give up.
    pub fn set_total_effort(&mut self, effort: u64) {
        self.total = effort;
    }

    /// Calls `f` with each initial state. The same one may come more than once.
    pub fn initial(&mut self, mut f: impl FnMut(&[i64]) -> ControlFlow<()>) -> Result<(), Halt> {
        let machine = Arc::clone(&self.machine);
        self.within_effort(|stepper, left| {
            machine.initial.iter().try_for_each(|plan| {
                stepper.search(&machine, plan, &mut InOrder, left, |slots| f(made(&machine, slots)))
            })
        })
    }

    /// Calls `f` with each step out of a state. The same successor may come more than once: by different inputs, by
    /// different transitions, by overlapping cases of a constraint.
    pub fn successors(&mut self, now: &[i64], mut f: impl FnMut(Step<'_>) -> ControlFlow<()>) -> Result<(), Halt> {
        let machine = Arc::clone(&self.machine);
        self.slots[..machine.variables].copy_from_slice(now);
        self.within_effort(|stepper, left| {
            for (transition, plans) in machine.transitions.iter().enumerate() {
                for plan in plans {
                    stepper.forget_inputs(&machine);
                    stepper.search(&machine, plan, &mut InOrder, left, |slots| {
                        f(Step { transition, now: &slots[..machine.variables], next: made(&machine, slots) })
                    })?;
                }
            }
            Ok(())
        })
    }

    /// Lists states with the effort that a call may take.
    fn within_effort(&mut self, list: impl FnOnce(&mut Self, &mut u64) -> Result<(), Halt>) -> Result<(), Halt> {
        let allowed = self.effort.min(self.total);
        let mut left = allowed;
        let listed = list(self, &mut left);
        self.total -= allowed - left;
        listed
    }

    /// An initial state drawn at random, among those that `accept` takes; nothing if there is none. `below(n)` gives a
    /// number below n.
    pub fn sample_initial(
        &mut self,
        below: impl FnMut(u32) -> u32,
        mut accept: impl FnMut(&[i64]) -> bool,
    ) -> Result<Option<&[i64]>, Halt> {
        let machine = Arc::clone(&self.machine);
        let mut order = Shuffled(below);
        let mut left = self.effort;
        let mut cases = Pick::new(machine.initial.len() as u64);
        while let Some(case) = cases.next(&mut order) {
            let found = self.search(&machine, &machine.initial[case as usize], &mut order, &mut left, |slots| {
                until(accept(made(&machine, slots)))
            });
            match found {
                Ok(()) => {}
                Err(Halt::Stopped) => return Ok(Some(made(&machine, &self.slots))),
                Err(halt) => return Err(halt),
            }
        }
        Ok(None)
    }

    /// A step drawn at random, among those that `accept` takes; nothing if there is none. First a transition is drawn,
    /// each as likely as the other, then one case of it, then values in the order of the plan; where that leads nowhere
    /// the last choice is drawn again without what was tried.
    pub fn sample_successor(
        &mut self,
        now: &[i64],
        below: impl FnMut(u32) -> u32,
        mut accept: impl FnMut(Step<'_>) -> bool,
    ) -> Result<Option<Step<'_>>, Halt> {
        let machine = Arc::clone(&self.machine);
        self.slots[..machine.variables].copy_from_slice(now);
        let mut order = Shuffled(below);
        let mut left = self.effort;
        let mut transitions = Pick::new(machine.transitions.len() as u64);
        while let Some(transition) = transitions.next(&mut order) {
            let transition = transition as usize;
            let plans = &machine.transitions[transition];
            let mut cases = Pick::new(plans.len() as u64);
            while let Some(case) = cases.next(&mut order) {
                self.forget_inputs(&machine);
                let found = self.search(&machine, &plans[case as usize], &mut order, &mut left, |slots| {
                    let (now, next) = (&slots[..machine.variables], made(&machine, slots));
                    until(accept(Step { transition, now, next }))
                });
                match found {
                    Ok(()) => {}
                    Err(Halt::Stopped) => {
                        let slots = &self.slots;
                        let (now, next) = (&slots[..machine.variables], made(&machine, slots));
                        return Ok(Some(Step { transition, now, next }));
                    }
                    Err(halt) => return Err(halt),
                }
            }
        }
        Ok(None)
    }

    /// A valuation as steps lead to it: inputs at the first value of their domains.
    pub fn state_of(&self, valuation: &[i64]) -> Vec<i64> {
        let mut state = valuation.to_vec();
        self.all_inputs.iter().for_each(|&(input, value)| state[input as usize] = value);
        state
    }

    fn forget_inputs(&mut self, machine: &Machine) {
        for &(cell, value) in &machine.inputs {
            self.slots[cell as usize] = value;
        }
    }

    /// Runs a plan and calls `f` whenever it comes to its end.
    fn search(
        &mut self,
        machine: &Machine,
        plan: &Plan,
        order: &mut impl Order,
        left: &mut u64,
        mut f: impl FnMut(&[i64]) -> ControlFlow<()>,
    ) -> Result<(), Halt> {
        self.frames.clear();
        self.values.clear();
        let native = self.native.clone();
        let mut at = 0;
        loop {
            if let Some(native) = &native {
                match native.run(plan.number, at, &mut self.slots, left) {
                    Stop::End => at = plan.instructions.len(),
                    Stop::Before(instruction) => at = instruction,
                    Stop::Effort => return Err(Halt::Effort),
                    Stop::Failed => match self.retry(machine, plan, order) {
                        Some(resume) => {
                            at = resume;
                            *left = left.checked_sub(1).ok_or(Halt::Effort)?;
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
                    machine.bounds[variable.0 as usize].contains(value)
                }
                Some(&Instruction::Choose(cell, tree, variable)) => {
                    self.choose(machine, plan, at as u32 + 1, (cell, tree, variable))
                }
            };
            if forward {
                at += 1;
                continue;
            }
            match self.retry(machine, plan, order) {
                Some(resume) => at = resume,
                None => return Ok(()),
            }
            *left = left.checked_sub(1).ok_or(Halt::Effort)?;
        }
    }

    /// Opens a choice. True if there was nothing to choose: then the cell has its value. Otherwise a frame was pushed,
    /// unless there is no value at all, and the next alternative has to be taken.
    fn choose(&mut self, machine: &Machine, plan: &Plan, resume: u32, choice: (Slot, u32, VariableId)) -> bool {
        let (cell, number, variable) = choice;
        let tree = &plan.trees[number as usize];
        let bounds = &machine.bounds[variable.0 as usize];
        let values = self.values.len() as u32;
        let Some(node) = self.follow(tree, tree.root()) else { return false };
        let (candidates, len) = match &tree.nodes[node as usize] {
            Node::Leaf(slot) => {
                let value = self.slots[*slot as usize];
                self.slots[cell as usize] = value;
                return bounds.contains(value);
            }
            Node::Constants(list) => (Candidates::Constants(number, node), list.len() as u64),
            Node::Any => (Candidates::Domain(variable), bounds.size()),
            _ => {
                self.list(tree, node, machine, variable);
                self.drop_doubles(values as usize);
                (Candidates::Listed, self.values.len() as u64 - u64::from(values))
            }
        };
        if len > 0 {
            self.frames.push(Frame { resume, cell, candidates, pick: Pick::new(len), values });
        }
        false
    }

    /// Goes down a tree as far as conditions decide.
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
    fn list(&mut self, tree: &Tree<Slot>, node: NodeId, machine: &Machine, variable: VariableId) {
        let Some(node) = self.follow(tree, node) else { return };
        let bounds = &machine.bounds[variable.0 as usize];
        match &tree.nodes[node as usize] {
            Node::Leaf(slot) => {
                let value = self.slots[*slot as usize];
                if bounds.contains(value) {
                    self.values.push(value);
                }
            }
            Node::Constants(list) => self.values.extend_from_slice(list),
            Node::Any => self.values.extend((0..bounds.size()).map(|code| bounds.value(code))),
            Node::Choice(parts) => parts.iter().for_each(|&p| self.list(tree, p, machine, variable)),
            Node::Ite(..) | Node::When(..) => unreachable!("conditions were followed"),
        }
    }

    /// Keeps each value of the list once from a position on.
    fn drop_doubles(&mut self, from: usize) {
        let short = self.values.len() - from <= SHORT;
        if !short {
            self.values[from..].sort_unstable();
        }
        let mut kept = from;
        for at in from..self.values.len() {
            let value = self.values[at];
            // In a sorted list equal values are neighbours.
            let before = if short { from } else { kept.saturating_sub(1).max(from) };
            if !self.values[before..kept].contains(&value) {
                self.values[kept] = value;
                kept += 1;
            }
        }
        self.values.truncate(kept);
    }

    /// Takes the next alternative of the last choice that has one left; gives the instruction behind it.
    fn retry(&mut self, machine: &Machine, plan: &Plan, order: &mut impl Order) -> Option<usize> {
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
                Candidates::Domain(variable) => machine.bounds[variable.0 as usize].value(index),
                Candidates::Listed => self.values[frame.values as usize + index as usize],
            };
            self.slots[frame.cell as usize] = value;
            return Some(frame.resume as usize);
        }
        None
    }
}

/// The state that a plan has made.
fn made<'s>(machine: &Machine, slots: &'s [i64]) -> &'s [i64] {
    &slots[machine.variables..2 * machine.variables]
}

/// Stops at what is accepted.
fn until(accepted: bool) -> ControlFlow<()> {
    if accepted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
