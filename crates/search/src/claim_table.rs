//! A claim as a table, for claims that only ask for conditions: where it can go from each location, and when.
//!
//! Automata made from formulas are of this kind, and most never claims. Others (with assertions, atomic sequences, or
//! conditions that depend on more than the state) are left to the interpreter.

use lurcher_ir::{ActionKind, Expr, LocationId, ProcessTypeId};
use lurcher_system::{Fault, Machine, State};

#[derive(Clone, Copy, Debug)]
enum Test {
    /// A condition, by its number.
    If(usize),
    /// Nothing before it is possible.
    Else,
}

/// A claim that only asks for conditions.
#[derive(Debug)]
pub struct ClaimTable {
    /// By location.
    ways: Vec<Vec<(Test, LocationId)>>,
    /// Conditions, and the numbers under which the machine knows them.
    conditions: Vec<(Expr, Option<u32>)>,
}

impl ClaimTable {
    /// The table of a claim, if it only asks for conditions.
    pub fn new<M: Machine>(machine: &M, claim: ProcessTypeId) -> Option<ClaimTable> {
        let process_type = machine.model().process_type(claim);
        let mut table = ClaimTable { ways: Vec::new(), conditions: Vec::new() };
        for location in &process_type.locations {
            let mut ways = Vec::new();
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
                ways.push((test, branch.target));
            }
            table.ways.push(ways);
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

    /// Where the claim can go from a location, in the order of its branches.
    pub fn targets<M: Machine>(
        &self,
        machine: &M,
        state: &State,
        from: LocationId,
        mut each: impl FnMut(LocationId),
    ) -> Result<(), Fault> {
        let mut moved = false;
        for &(test, target) in &self.ways[from.0 as usize] {
            let possible = match test {
                Test::Else => !moved,
                Test::If(number) => match &self.conditions[number] {
                    (_, Some(watched)) => machine.watched(state, *watched)?,
                    (condition, None) => machine.holds(state, condition)?,
                },
            };
            if possible {
                moved = true;
                each(target);
            }
        }
        Ok(())
    }
}

/// Is the value of a condition the same whenever the state is?
fn depends_on_state_only(condition: &Expr) -> bool {
    !condition.any(&|e| matches!(e, Expr::Timeout | Expr::NonProgress | Expr::Enabled(_) | Expr::Run(..)))
}
