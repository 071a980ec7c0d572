//! Claims as tables of conditions and targets.
//!
//! Automata made from formulas, and most never claims, test conditions on the state and nothing else. The interpreter executes
//! other claims: those with assertions, atomic sequences, or conditions that depend on more than the state.

use lurcher_ir::{ActionKind, Expr, LocationId, ProcessTypeId};
use lurcher_system::{Fault, Machine, State};

#[derive(Clone, Copy, Debug)]
enum Test {
    /// The condition of this number is true.
    If(usize),
    /// No branch before this one is enabled.
    Else,
}

/// A claim that only tests conditions on the state.
#[derive(Debug)]
pub struct ClaimTable {
    /// By location: the branches.
    branches: Vec<Vec<(Test, LocationId)>>,
    /// Conditions, and their numbers in the machine if it watches them.
    conditions: Vec<(Expr, Option<u32>)>,
}

impl ClaimTable {
    /// The table of a claim; none if the claim does more than test conditions on the state.
    pub fn new<M: Machine>(machine: &M, claim: ProcessTypeId) -> Option<ClaimTable> {
        let process_type = machine.model().process_type(claim);
        let mut table = ClaimTable { branches: Vec::new(), conditions: Vec::new() };
        for location in &process_type.locations {
            let mut branches = Vec::new();
            for branch in &location.branches {
                let test = match &process_type.action(branch.action).kind {
                    ActionKind::End => continue,
                    ActionKind::Else => Test::Else,
                    ActionKind::Guard(e) if depends_on_state_only(e) => Test::If(table.number(machine, e)),
                    _ => return None,
                };
                if branch.atomic {
                    return None;
                }
                branches.push((test, branch.target));
            }
            table.branches.push(branches);
        }
        Some(table)
    }

    fn number<M: Machine>(&mut self, machine: &M, condition: &Expr) -> usize {
        let known = self.conditions.iter().position(|(e, _)| e == condition);
        known.unwrap_or_else(|| {
            self.conditions.push((condition.clone(), machine.watch(condition)));
            self.conditions.len() - 1
        })
    }

    /// Calls `each` with the targets of the enabled branches of a location, in order.
    pub fn targets<M: Machine>(
        &self,
        machine: &M,
        state: &State,
        from: LocationId,
        mut each: impl FnMut(LocationId),
    ) -> Result<(), Fault> {
        let mut moved = false;
        for &(test, target) in &self.branches[from.0 as usize] {
            let enabled = match test {
                Test::Else => !moved,
                Test::If(number) => match &self.conditions[number] {
                    (_, Some(watched)) => machine.watched(state, *watched)?,
                    (condition, None) => machine.holds(state, condition)?,
                },
            };
            if enabled {
                moved = true;
                each(target);
            }
        }
        Ok(())
    }
}

/// Whether the value of a condition depends on the state alone.
fn depends_on_state_only(condition: &Expr) -> bool {
    !condition.any(&|e| matches!(e, Expr::Timeout | Expr::NonProgress | Expr::Enabled(_) | Expr::Run(..)))
}
