//! Which branches the processes of a state can take.
//!
//! Exclusive control is ignored: a process is not blocked because another one is inside an atomic chain. Buffers belong to the
//! thread, so that evaluating a state allocates nothing.

use std::cell::RefCell;

use lurcher_ir::ActionKind;
use lurcher_ir::analysis::creates_processes;
use lurcher_system::{Interpreter, Move, ProcessId, State};

/// The enabled branches of a process. Both sides of a rendezvous are enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EnabledBranches {
    /// The process cannot move.
    #[default]
    None,
    /// There is no choice.
    One(u16),
    /// The process has a choice.
    Several,
}

impl EnabledBranches {
    fn add(&mut self, branch: u16) {
        *self = match *self {
            EnabledBranches::None => EnabledBranches::One(branch),
            EnabledBranches::One(known) if known == branch => return,
            _ => EnabledBranches::Several,
        };
    }
}

#[derive(Default)]
struct Buffers {
    moves: Vec<Move>,
    /// The state without exclusive control.
    released: Option<State>,
    branches: Vec<EnabledBranches>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Calls `f` with the enabled branches of every process of a state.
pub(crate) fn with_enabled_branches<T>(
    interpreter: &Interpreter<'_>,
    state: &State,
    f: impl FnOnce(&[EnabledBranches]) -> T,
) -> T {
    BUFFERS.with_borrow_mut(|Buffers { moves, released, branches }| {
        match state.exclusive {
            None => interpreter.moves(state, moves),
            Some(_) => {
                let released = released.get_or_insert_with(|| State::empty(interpreter.layout()));
                released.copy_from(state);
                released.exclusive = None;
                interpreter.moves(released, moves);
            }
        }
        branches.clear();
        branches.resize(usize::from(state.process_count()), EnabledBranches::None);
        for step in moves.iter() {
            branches[usize::from(step.process.0)].add(step.branch);
            if let Some((partner, branch)) = step.partner {
                branches[usize::from(partner.0)].add(branch);
            }
        }
        f(branches)
    })
}

/// Whether a process has executed its last statement and waits for younger processes to die.
pub(crate) fn has_ended(interpreter: &Interpreter<'_>, state: &State, process: ProcessId) -> bool {
    let process_type = interpreter.model().process_type(state.process_type(process));
    let branches = &process_type.location(state.location(process)).branches;
    branches.iter().any(|branch| matches!(process_type.action(branch.action).kind, ActionKind::End))
}

/// The most processes that exist at once.
pub(crate) fn most_processes(interpreter: &Interpreter<'_>) -> u32 {
    match creates_processes(interpreter.model()) {
        true => interpreter.limits().processes.into(),
        false => interpreter.model().initial_processes.len().max(1) as u32,
    }
}
