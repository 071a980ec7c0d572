//! When partial-order reduction is sound, and what the property sees of the model then. With it, values that nobody will ask
//! for again are forgotten, as Spin does.

use lurcher_ir::analysis::{Dead, Watch};
use lurcher_ir::{ActionKind, Branch, Expr, Model, ProcessRole, ProcessTypeId, PropertyKind};
use lurcher_search::Reduction;
use lurcher_system::Interpreter;

use crate::job::Job;
use crate::quarry::{Quarry, Watched};

/// The name of the reduction in reports.
pub(crate) const PARTIAL_ORDER: &str = "partial-order";

/// The reduction that a check may use and what it may forget, or why it may use none.
pub(crate) fn reduction(
    job: &Job,
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
) -> Result<(Reduction, Dead), &'static str> {
    let mut watch = watch(job, quarry)?;
    if job.budget.all_errors {
        return Err("it need not meet every violation");
    }
    if job.budget.depth.is_some() {
        return Err("it may reach a state later than by the shortest way, and the depth is limited");
    }
    obstacle(interpreter, &watch).map_or(Ok(()), Err)?;
    let dead = match quarry.property.kind {
        PropertyKind::Safety | PropertyKind::Invariant(_) => Dead::with_vain(&quarry.model, &watch.exprs),
        // A cycle has to be one of the model itself.
        _ => Dead::of(&quarry.model, &watch.exprs),
    };
    watch.unseen = dead.globals().to_vec();
    Ok((Reduction::new(&quarry.model, watch, job.message_loss), dead))
}

/// What the property sees.
fn watch(job: &Job, quarry: &Quarry) -> Result<Watch, &'static str> {
    let claims = !matches!(quarry.property.kind, PropertyKind::Safety | PropertyKind::Invariant(_));
    if claims && job.fair {
        return Err("fairness depends on every process that can move");
    }
    Ok(match &quarry.property.kind {
        PropertyKind::Safety => Watch::default(),
        PropertyKind::Invariant(atom) => Watch { exprs: vec![atom.expr().clone()], ..Watch::default() },
        PropertyKind::Ltl { formula, .. } if lurcher_ltl::is_stutter_sensitive(formula) => {
            return Err("a formula with `X` counts steps");
        }
        // As in Spin, accept labels of the system count beside the claim's.
        PropertyKind::Ltl { .. } => {
            Watch { exprs: quarry.property.kind.exprs(), accept: true, faults: ends_runs(quarry), ..Watch::default() }
        }
        PropertyKind::NonProgress => Watch { progress: true, ..Watch::default() },
        PropertyKind::Acceptance => Watch { accept: true, ..Watch::default() },
        PropertyKind::Never(_) => return Err("a never claim may count steps"),
        PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) => {
            unreachable!("a property of a relation")
        }
    })
}

/// May the claim refuse to go on before everything is executed? Then what fails on the way has to be seen.
fn ends_runs(quarry: &Quarry) -> bool {
    let Watched::Claim(claim) = &quarry.watched else { return false };
    let Some(claim) = claim.process_type().map(|id| quarry.model.process_type(id)) else { return false };
    let waits = |b: &Branch| {
        let always = matches!(claim.action(b.action).kind, ActionKind::Guard(Expr::Const(1)));
        always && b.target == claim.initial
    };
    !claim.location(claim.initial).branches.iter().any(waits)
}

/// What in the model, or in what the property reads, depends on all processes at once.
fn obstacle(interpreter: &Interpreter<'_>, watch: &Watch) -> Option<&'static str> {
    let model = interpreter.model();
    if model.uses_priorities {
        return Some("priorities make processes depend on each other");
    }
    if model.uses_last {
        return Some("`_last` tells the order of steps");
    }
    if model.event_trace.is_some() {
        return Some("an event trace sees the order of messages");
    }
    if interpreter.sees_halves() {
        return Some("somebody can tell that a rendezvous is under way");
    }
    let asked = |test: &dyn Fn(&Expr) -> bool| watch.exprs.iter().any(|e| e.any(test));
    if asked(&|e| matches!(e, Expr::Timeout)) {
        return Some("the property asks for `timeout`");
    }
    let anywhere = |test: &dyn Fn(&Expr) -> bool| asked(test) || used(model, test);
    if anywhere(&|e| matches!(e, Expr::Enabled(_))) {
        return Some("`enabled` depends on all that a process can do");
    }
    if anywhere(&|e| matches!(e, Expr::PcValue(_))) {
        return Some("`pc_value` tells every step of a process");
    }
    anywhere(&|e| matches!(e, Expr::Last | Expr::NonProgress | Expr::Priority(_)))
        .then_some("something depends on all processes at once")
}

/// Does any process ask a question of this kind?
fn used(model: &Model, test: &dyn Fn(&Expr) -> bool) -> bool {
    let types = (0..model.process_types.len()).map(|t| model.process_type(ProcessTypeId(t as u16)));
    types.filter(|p| p.role == ProcessRole::System).any(|p| {
        let mut found = p.provided.as_ref().is_some_and(|e| e.any(test));
        for action in &p.actions {
            action.kind.exprs(&mut |e| found |= e.any(test));
            action.kind.places(&mut |place| place.walk(&mut |e| found |= test(e)));
        }
        found
    })
}
