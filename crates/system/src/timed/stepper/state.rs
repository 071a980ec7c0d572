//! Runs that share their beginnings.

use std::sync::Arc;

use lurcher_ir::timed::{TransitionRef, VariableId};

use super::super::run::{Event, EventKind, Run};
use super::super::snapshot::Snapshot;

/// A run up to an instant. Clones are cheap, and runs share the instants that they have in common.
#[derive(Clone, Debug)]
pub struct State(pub(super) Arc<Node>);

/// An instant of a run and the instants before it.
#[derive(Debug)]
pub(super) struct Node {
    snapshot: Snapshot,
    before: Option<Arc<Node>>,
    instant: usize,
}

impl State {
    pub(super) fn new(snapshot: Snapshot, before: Option<&State>) -> Self {
        let instant = before.map_or(0, |state| state.instant() + 1);
        State(Arc::new(Node { snapshot, before: before.map(|state| state.0.clone()), instant }))
    }

    /// The last instant.
    pub fn instant(&self) -> usize {
        self.0.instant
    }

    /// The values and events at the last instant.
    pub fn snapshot(&self) -> &Snapshot {
        &self.0.snapshot
    }

    /// The values and events at all instants.
    pub fn history(&self) -> Vec<&Snapshot> {
        let mut history = Vec::with_capacity(self.instant() + 1);
        let mut node = Some(&self.0);
        while let Some(this) = node {
            history.push(&this.snapshot);
            node = this.before.as_ref();
        }
        history.reverse();
        history
    }

    /// The run, with the values of the constants.
    pub fn run(&self, constants: &[i64]) -> Run {
        let history = self.history();
        let mut events = Vec::new();
        for (at, now) in history.iter().enumerate() {
            let mut happens = |kind| events.push(Event { at: at as i64, kind });
            let before = &history[at.saturating_sub(1)].values;
            for (index, (&value, _)) in now.values.iter().zip(before).enumerate().filter(|(_, (a, b))| a != b) {
                happens(EventKind::Change { variable: VariableId(index as u32), value });
            }
            for firing in &now.ends {
                if let TransitionRef::Imported(transition) = firing.call.transition {
                    happens(EventKind::ImportedEnd { transition });
                }
            }
            for call in &now.calls {
                happens(EventKind::Call { transition: call.transition, arguments: call.arguments.clone() });
            }
            for firing in &now.starts {
                let arguments = firing.call.arguments.clone();
                happens(match firing.call.transition {
                    TransitionRef::Own(transition) => EventKind::Start { transition, case: firing.case, arguments },
                    TransitionRef::Imported(transition) => EventKind::ImportedStart { transition, arguments },
                });
            }
        }
        events.sort();
        Run {
            constants: constants.to_vec(),
            initial: history[0].values.clone(),
            events,
            horizon: self.instant() as i64,
        }
    }
}

/// Long runs are dropped without recursion.
impl Drop for Node {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.before.take();
        }
    }
}
