//! Distances of the processes of a state, combined to one value, and the claim's distance on top of it.

use lurcher_ir::{LocationId, Model};

use crate::goals::{Target, claim_distances};

/// How the distances of all processes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// The minimum.
    Min,
    /// The maximum over the processes that can take part.
    Max,
    /// The sum over the processes that can take part.
    Sum,
}

impl StateForm {
    /// The minimum for an assertion, which one process executes; the sum for everything else.
    pub(crate) fn of_target(target: &Target) -> StateForm {
        if let Target::Assertion = target { StateForm::Min } else { StateForm::Sum }
    }
}

/// The combination of the distances of all processes.
#[derive(Debug)]
pub(crate) struct Combination {
    form: StateForm,
    /// Every process has to reach a goal.
    everyone: bool,
    /// The distance of a process that reaches no goal.
    far: u32,
    /// The largest combined distance of the processes.
    local_max: u32,
    /// Distance of the claim from acceptance, by location.
    claim: Vec<u32>,
    max: u32,
}

impl Combination {
    pub fn new(model: &Model, target: &Target, form: StateForm, far: u32) -> Combination {
        let processes = model.initial_processes.len().max(1) as u32;
        let local_max = if form == StateForm::Sum { far.saturating_mul(processes) } else { far };
        let claim = claim_values(model, target);
        let farthest = claim.iter().copied().max().unwrap_or(0);
        let max = farthest.saturating_mul(local_max.saturating_add(1)).saturating_add(local_max);
        Combination { form, everyone: matches!(target, Target::Deadlock), far, local_max, claim, max }
    }

    /// The largest combined distance of the processes.
    pub fn local_max(&self) -> u32 {
        self.local_max
    }

    /// The largest value.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The value of a state from the distances of its processes.
    pub fn of_state(&self, claim: LocationId, distances: impl Iterator<Item = u32>) -> u32 {
        let ahead = self.claim.get(claim.0 as usize).copied().unwrap_or(0);
        ahead.saturating_mul(self.local_max + 1).saturating_add(self.of_processes(distances)).min(self.max)
    }

    fn of_processes(&self, distances: impl Iterator<Item = u32>) -> u32 {
        let mut found: Option<u32> = None;
        for value in distances {
            if value == self.far {
                if self.everyone {
                    return self.local_max;
                }
                continue;
            }
            found = Some(match (found, self.form) {
                (None, _) => value,
                (Some(old), StateForm::Min) => old.min(value),
                (Some(old), StateForm::Max) => old.max(value),
                (Some(old), StateForm::Sum) => old.saturating_add(value),
            });
        }
        found.map_or(self.local_max, |v| v.min(self.local_max))
    }
}

/// The distances of the claim from acceptance, with the largest value for never.
fn claim_values(model: &Model, target: &Target) -> Vec<u32> {
    let Target::Claim(claim) = target else { return Vec::new() };
    let Some(id) = claim.process_type() else { return Vec::new() };
    let distances = claim_distances(model, id);
    let never = distances.max().map_or(0, |m| m + 1);
    distances.as_slice().iter().map(|d| d.unwrap_or(never)).collect()
}
