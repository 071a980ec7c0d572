//! The variables that a property reads, and the processes that participate in it.
//!
//! * For an expression or assertion, a process participates if it executes such an assertion, directly changes a variable
//!   that the property reads, or is at a location that it reads: if its control lies in layer 0 or 1.
//! * For deadlock, a process participates if it can block at a location that is no valid end.

use crate::analysis::{
    Access, ControlFlow, Dependencies, Instance, Layers, Owner, Participation, Region, Variable, blocking_locations,
    constant,
};
use crate::expr::Expr;
use crate::model::{Action, Location, Model, ProcessTypeId};
use crate::statement::ActionKind;

/// The variables that a property reads, and how near a process must be to participate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// Layer 0 of the dependency layers.
    pub reads: Vec<Variable>,
    /// Processes participate whose control lies in this layer or before.
    pub depth: u32,
}

impl Concern {
    /// The concern of an expression.
    pub fn expression(dependencies: &Dependencies<'_>, expr: &Expr) -> Concern {
        Concern { reads: dependencies.read_by(expr), depth: 1 }
    }

    /// The concern of the assertions of a model: the variables they read and the locations of the processes that execute
    /// them.
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

    /// The concern of deadlock: the locations of the processes that can block.
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

    /// The concern of a claim: what its guards read; with `counts_system`, also the locations of processes with accept
    /// labels.
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

fn with_location(model: &Model, dependencies: &Dependencies<'_>, test: impl Fn(&Location) -> bool) -> Vec<Variable> {
    let has = |i: &&Instance| model.process_type(i.process_type(model)).locations.iter().any(&test);
    dependencies.instances().iter().filter(has).map(|&i| Variable::Control(i)).collect()
}

/// The conditions of the assertions in a statement, except constant true ones.
fn conditions(kind: &ActionKind) -> impl Iterator<Item = &Expr> {
    kind.statements().filter_map(|statement| match statement {
        ActionKind::Assert(e) if constant(e, None).is_none_or(|v| v == 0) => Some(e),
        _ => None,
    })
}

fn own_reads(dependencies: &Dependencies<'_>, condition: &Expr, instance: Instance) -> Vec<Variable> {
    let access = Access::of_test(condition, instance.number());
    let variables = |region: &Region| match region.owner {
        Owner::Process(..) => dependencies.read_by(condition),
        _ => dependencies.variables_of(region, Some(instance)),
    };
    access.reads().flat_map(variables).collect()
}

impl Dependencies<'_> {
    /// How many processes participate in a property, counting each `run` of the model once.
    pub fn participation(&self, layers: &Layers, concern: &Concern) -> Participation {
        let near = |i: &&Instance| layers.of(Variable::Control(**i)).is_some_and(|l| l <= concern.depth);
        let count = |i: &Instance| match i {
            Instance::Initial(_) => 1,
            Instance::Created(ty) => runs(self.model, *ty),
        };
        Participation {
            participants: self.instances().iter().filter(near).map(count).sum(),
            instances: self.instances().iter().map(count).sum(),
        }
    }
}

fn runs(model: &Model, ty: ProcessTypeId) -> usize {
    let actions = model.process_types.iter().flat_map(|p| &p.actions);
    actions.map(|a| Access::of_kind(&a.kind, None).creates.iter().filter(|t| **t == ty).count()).sum()
}
