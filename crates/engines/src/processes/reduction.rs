//! When partial-order reduction is sound, and what the property observes. Dead variables are reset along with it, as Spin
//! does.

use lurcher_ir::analysis::{Dead, Visibility};
use lurcher_ir::{ActionKind, Branch, Expr, Model, ProcessRole, ProcessTypeId, PropertyKind};
use lurcher_search::{AmpleMoves, Budget, Prepared};
use lurcher_system::Interpreter;

/// The name of the reduction in reports.
pub(super) const PARTIAL_ORDER: &str = "partial-order";

/// The reduction of a search and the variables that it resets, or why there is none.
pub(super) fn reduction(
    prepared: &Prepared,
    interpreter: &Interpreter<'_>,
    budget: &Budget,
) -> Result<(AmpleMoves, Dead), &'static str> {
    let mut watch = watch(prepared)?;
    if budget.all_errors {
        return Err("it need not meet every violation");
    }
    if budget.depth.is_some() {
        return Err("it may reach a state later than by the shortest way, and the depth is limited");
    }
    obstacle(interpreter, &watch).map_or(Ok(()), Err)?;
    let dead = match prepared.property.kind {
        PropertyKind::Safety | PropertyKind::Invariant(_) => Dead::with_faint(&prepared.model, &watch.exprs),
        // A cycle has to be one of the model itself.
        _ => Dead::of(&prepared.model, &watch.exprs),
    };
    watch.unseen = dead.globals().to_vec();
    Ok((AmpleMoves::new(&prepared.model, watch, prepared.limits().message_loss), dead))
}

/// What the property observes.
fn watch(prepared: &Prepared) -> Result<Visibility, &'static str> {
    if prepared.objective.fair {
        return Err("fairness depends on every process that can move");
    }
    Ok(match &prepared.property.kind {
        PropertyKind::Safety => Visibility::default(),
        PropertyKind::Invariant(atom) => Visibility { exprs: vec![atom.expr().clone()], ..Visibility::default() },
        PropertyKind::Ltl { formula, .. } if lurcher_ltl::is_stutter_sensitive(formula) => {
            return Err("a formula with `X` counts steps");
        }
        // As in Spin, accept labels of the system count beside the claim's.
        PropertyKind::Ltl { .. } => Visibility {
            exprs: prepared.property.kind.exprs(),
            accept: true,
            faults: ends_runs(prepared),
            ..Visibility::default()
        },
        PropertyKind::NonProgress => Visibility { progress: true, ..Visibility::default() },
        PropertyKind::Acceptance => Visibility { accept: true, ..Visibility::default() },
        PropertyKind::Never(_) => return Err("a never claim may count steps"),
        PropertyKind::Deadlock | PropertyKind::StepInvariant(_) | PropertyKind::Ctl(_) | PropertyKind::Timed(_) => {
            unreachable!("a property of another kind of model")
        }
    })
}

/// Whether the claim may block before everything is executed. Then failures on the way must be visible.
fn ends_runs(prepared: &Prepared) -> bool {
    let Some(id) = prepared.objective.claim.and_then(|c| c.process_type()) else { return false };
    let claim = prepared.model.process_type(id);
    let waits = |b: &Branch| {
        let always = matches!(claim.action(b.action).kind, ActionKind::Guard(Expr::Const(1)));
        always && b.target == claim.initial
    };
    !claim.location(claim.initial).branches.iter().any(waits)
}

/// Why no process is independent of the others: something in the model, or in what the property reads.
fn obstacle(interpreter: &Interpreter<'_>, watch: &Visibility) -> Option<&'static str> {
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
    if interpreter.sees_half_rendezvous() {
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

/// Whether any process evaluates such an expression.
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
