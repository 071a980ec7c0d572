//! Deterministic sequences in abstract states: along every way that may be taken.

use std::collections::HashSet;

use lurcher_ir::{ActionKind, DStep, DStepNode};

use super::abstraction::{Abstraction, Obstacle};
use super::effect::{Message, Outcomes};
use super::value::Actor;

/// The most situations that are looked at inside a deterministic sequence.
const SITUATIONS: usize = 4096;

impl Abstraction<'_, '_> {
    /// Walks through a deterministic sequence, along every way that may be taken.
    pub fn d_step(
        &self,
        values: &[i32],
        actor: Actor,
        sequence: &DStep,
        message: Option<Message<'_>>,
    ) -> Result<Outcomes, Obstacle> {
        let mut outcomes = Outcomes::default();
        let mut seen: HashSet<(u32, bool, Vec<i32>)> = HashSet::new();
        let mut waiting = vec![(0u32, message.is_some(), values.to_vec())];
        while let Some((node, pending, values)) = waiting.pop() {
            if !seen.insert((node, pending, values.clone())) {
                continue;
            }
            if seen.len() > SITUATIONS {
                return Err(Obstacle::TooLarge);
            }
            match &sequence.nodes[node as usize] {
                DStepNode::Exit => outcomes.states.push(values),
                DStepNode::Goto(next) => waiting.push((*next, pending, values)),
                DStepNode::Choose(options, _) => {
                    for &option in options {
                        let (may, sure) = match &sequence.nodes[option as usize] {
                            DStepNode::Do(kind, ..) if !pending => self.possible(&values, actor, kind),
                            DStepNode::Do(..) => (true, false),
                            _ => (true, true),
                        };
                        if may {
                            waiting.push((option, pending, values.clone()));
                        }
                        if sure {
                            break;
                        }
                    }
                }
                DStepNode::Do(kind, _, next) => {
                    let takes = pending && matches!(kind, ActionKind::Receive { .. });
                    if !takes && !self.possible(&values, actor, kind).0 {
                        continue;
                    }
                    let done = self.execute(&values, actor, kind, message.filter(|_| takes))?;
                    outcomes.failed |= done.failed;
                    waiting.extend(done.states.into_iter().map(|s| (*next, pending && !takes, s)));
                }
            }
        }
        Ok(outcomes)
    }
}
