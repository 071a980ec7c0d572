//! What a property reads, and which processes can take part in violating it: the static PEP factor.
//!
//! The *process error participation* of Bui's thesis (sections 6.4 and 7.3) is the share of the processes that are
//! involved in an error. Its static counterpart here is the share of the processes that can have a hand in it:
//!
//! * for a property over variables and assertions, those that execute such an assertion, or that directly change a
//!   variable it reads, or whose location it reads: whose control lies in layer 0 or 1 of the dependency layers;
//! * for deadlock, those that can be made to wait somewhere they may not end.
//!
//! Counted are the processes that exist from the start and one for each `run` in the model, since how often a `run`
//! is executed is not known.

use crate::analysis::{Access, ControlFlow, Dependencies, Instance, Layers, Variable, blocking_locations, constant};
use crate::expr::Expr;
use crate::model::{Action, ActionKind, DStepNode, Model, ProcessTypeId};

/// What a property reads, and how near to it a process must be to take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// Layer 0.
    pub reads: Vec<Variable>,
    /// Processes take part whose control lies in this layer or before.
    pub depth: u32,
}

impl Concern {
    /// Of an expression that a property is about.
    pub fn expression(dependencies: &Dependencies<'_>, expr: &Expr) -> Concern {
        Concern { reads: dependencies.read_by(expr), depth: 1 }
    }

    /// Of the assertions of a model: what they read, and where the processes that execute them stand.
    pub fn assertions(model: &Model, dependencies: &Dependencies<'_>) -> Concern {
        let mut reads = Vec::new();
        for &instance in dependencies.instances() {
            let flow = ControlFlow::new(model.process_type(instance.process_type(model)), instance.number());
            let depths = flow.depths();
            for edge in flow.edges().iter().filter(|e| depths.of(e.from).is_some()) {
                for condition in conditions(&flow.action(edge).kind) {
                    reads.push(Variable::Control(instance));
                    reads.extend(own_reads(dependencies, condition, instance));
                }
            }
        }
        reads.sort();
        reads.dedup();
        Concern { reads, depth: 1 }
    }

    /// Of deadlock: where the processes stand that can be made to wait.
    pub fn deadlock(model: &Model, dependencies: &Dependencies<'_>) -> Concern {
        let waits = |i: &&Instance| {
            let process_type = model.process_type(i.process_type(model));
            let depths = ControlFlow::new(process_type, i.number()).depths();
            let blocking = blocking_locations(process_type, i.number());
            blocking.into_iter().any(|l| depths.of(l).is_some() && !process_type.location(l).end)
        };
        let reads = dependencies.instances().iter().filter(waits).map(|&i| Variable::Control(i)).collect();
        Concern { reads, depth: 0 }
    }

    /// Of a claim: what its guards read; with `counts_system`, the processes with accept labels as well.
    pub fn claim(
        model: &Model,
        dependencies: &Dependencies<'_>,
        claim: Option<ProcessTypeId>,
        counts_system: bool,
    ) -> Concern {
        let mut reads = Vec::new();
        for Action { kind, .. } in claim.iter().flat_map(|&id| &model.process_type(id).actions) {
            kind.exprs(&mut |e| {
                reads.extend(dependencies.read_by(e));
                if e.any(&|e| matches!(e, Expr::NonProgress)) {
                    reads.retain(|v| *v != Variable::Processes);
                    reads.extend(with_location(model, dependencies, |l| l.progress));
                }
            });
        }
        if counts_system {
            reads.extend(with_location(model, dependencies, |l| l.accept));
        }
        reads.sort();
        reads.dedup();
        Concern { reads, depth: 1 }
    }
}

fn with_location(
    model: &Model,
    dependencies: &Dependencies<'_>,
    test: impl Fn(&crate::model::Location) -> bool,
) -> Vec<Variable> {
    let has = |i: &&Instance| model.process_type(i.process_type(model)).locations.iter().any(&test);
    dependencies.instances().iter().filter(has).map(|&i| Variable::Control(i)).collect()
}

/// The conditions of the assertions in a statement that are not always true.
fn conditions(kind: &ActionKind) -> Vec<&Expr> {
    match kind {
        ActionKind::Assert(e) if constant(e, None).is_none_or(|v| v == 0) => vec![e],
        ActionKind::DStep(sequence) => {
            let inside = sequence.nodes.iter().filter_map(|n| match n {
                DStepNode::Do(kind, ..) => Some(conditions(kind)),
                _ => None,
            });
            inside.flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn own_reads(dependencies: &Dependencies<'_>, condition: &Expr, instance: Instance) -> Vec<Variable> {
    let mut found = Vec::new();
    for region in Access::of_test(condition, instance.number()).reads() {
        match region.owner {
            crate::analysis::Owner::Own => region.offsets(&mut |o| found.push(Variable::Local(instance, o))),
            crate::analysis::Owner::Global => region.offsets(&mut |o| found.push(Variable::Global(o))),
            crate::analysis::Owner::Process(..) => found.extend(dependencies.read_by(condition)),
        }
    }
    found
}

/// Who can take part in a violation.
#[derive(Clone, Debug, PartialEq)]
pub struct Participation {
    /// Those who can.
    pub takes_part: Vec<Instance>,
    /// How many processes take part, counting each `run` once.
    pub participants: usize,
    /// How many processes there are, counting each `run` once.
    pub processes: usize,
}

impl Participation {
    /// Finds the processes that can take part.
    pub fn new(model: &Model, dependencies: &Dependencies<'_>, layers: &Layers, concern: &Concern) -> Participation {
        let near = |i: &&Instance| layers.of(Variable::Control(**i)).is_some_and(|l| l <= concern.depth);
        let takes_part: Vec<Instance> = dependencies.instances().iter().filter(near).copied().collect();
        let count = |i: &Instance| match i {
            Instance::Initial(_) => 1,
            Instance::Created(ty) => runs(model, *ty),
        };
        Participation {
            participants: takes_part.iter().map(count).sum(),
            processes: dependencies.instances().iter().map(count).sum(),
            takes_part,
        }
    }

    /// The share of the processes that take part; 0 when there are none.
    pub fn factor(&self) -> f64 {
        if self.processes == 0 { 0.0 } else { self.participants as f64 / self.processes as f64 }
    }
}

fn runs(model: &Model, ty: ProcessTypeId) -> usize {
    let actions = model.process_types.iter().flat_map(|p| &p.actions);
    actions.map(|a| Access::of_action(a, None).creates.iter().filter(|t| **t == ty).count()).sum()
}
