//! What a product observes.

use lurcher_ir::{Action, Expr, Model, ProcessTypeId};

/// What a product observes of the runs of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The system's accepting locations.
    None,
    /// A claim of the model, and the system's accepting locations.
    Process(ProcessTypeId),
    /// A claim of the model alone.
    Alone(ProcessTypeId),
}

impl Claim {
    /// The claim's process type.
    pub fn process_type(self) -> Option<ProcessTypeId> {
        match self {
            Claim::None => None,
            Claim::Process(id) | Claim::Alone(id) => Some(id),
        }
    }

    /// Whether the claim reads `np_`.
    pub(crate) fn reads_progress(self, model: &Model) -> bool {
        let reads = |a: &Action| {
            let mut found = false;
            a.kind.exprs(&mut |e| found |= e.any(&|e| matches!(e, Expr::NonProgress)));
            found
        };
        self.process_type().is_some_and(|id| model.process_type(id).actions.iter().any(reads))
    }

    /// Whether the system's accepting locations count.
    pub fn counts_system(self) -> bool {
        !matches!(self, Claim::Alone(_))
    }
}
