//! Random walks that find the process type of each pid.

use lurcher_ir::analysis::creates_processes;
use lurcher_ir::{ActionKind, Expr, Model, ProcessTypeId};
use lurcher_resources::charge;
use lurcher_search::Draws;
use lurcher_system::{Interpreter, Limits, State};

use super::{Refusal, refuse};

const WALKS: u64 = 60;
const STEPS: u32 = 2000;

/// The initial state, and the process type of each pid.
pub(super) fn survey(model: &Model) -> Result<(State, Vec<ProcessTypeId>), Refusal> {
    check(model)?;
    let interpreter = Interpreter::new(model, Limits::for_model(model));
    let initial = interpreter.initial().or_else(|_| refuse("the model meets a fault before it starts"))?;
    let mut types: Vec<ProcessTypeId> = Vec::new();
    if !creates_processes(model) {
        types.extend((0..initial.process_count()).map(|p| initial.process_type(lurcher_system::ProcessId(p))));
        return Ok((initial, types));
    }
    let mut moves = Vec::new();
    for walk in 0..WALKS {
        let mut draws = Draws::of(1, walk);
        let mut state = initial.clone();
        for _ in 0..STEPS {
            for p in 0..state.process_count() {
                let ty = state.process_type(lurcher_system::ProcessId(p));
                match types.get(p as usize) {
                    None => types.push(ty),
                    Some(known) if *known != ty => {
                        return refuse(format!("process number {p} is used by more than one process type"));
                    }
                    Some(_) => {}
                }
            }
            charge(4 + state.bytes().len() / 64);
            interpreter.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let step = moves[draws.below(moves.len() as u32) as usize];
            if interpreter.apply(&mut state, &step).is_some_and(|v| v.is_fatal()) {
                break;
            }
        }
    }
    Ok((initial, types))
}

/// Checks for unsupported features that are found without translating.
///
/// # Errors
/// The unsupported feature.
pub fn check(model: &Model) -> Result<(), Refusal> {
    let refused = [
        (model.uses_priorities, "process priorities"),
        (model.uses_last, "`_last`"),
        (model.event_trace.is_some(), "an event trace"),
        (model.has_hidden, "hidden variables"),
    ];
    if let Some((_, what)) = refused.iter().find(|(uses, _)| *uses) {
        return refuse(format!("{what} cannot be translated to a relation"));
    }
    let rendezvous = model.has_rendezvous();
    for process in &model.process_types {
        for action in &process.actions {
            if rendezvous && observes_rendezvous(&action.kind) {
                return refuse("a receive that can watch a rendezvous half done cannot be translated to a relation");
            }
        }
    }
    Ok(())
}

/// Whether a receive reads the state between the two halves of a rendezvous.
fn observes_rendezvous(kind: &ActionKind) -> bool {
    let observes =
        |e: &Expr| matches!(e, Expr::Len(_) | Expr::Probe(..) | Expr::Poll(..) | Expr::PcValue(_) | Expr::At(..));
    matches!(kind, ActionKind::Receive { .. }) && kind.any(&observes)
}
