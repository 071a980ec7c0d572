//! Facts about a model that every pattern needs, computed once.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use lurcher_ir::analysis::{Access, OffsetSet, Owner, Region, constant_globals, creates_processes, global_channels};
use lurcher_ir::{ChannelTypeId, Expr, Frame, Model, ProcessTypeId, Scalar, VarDecl};
use lurcher_system::{Interpreter, ProcessId, State};

/// The most states that are explored to see which processes are created.
const FIRST_STATES: usize = 500;

/// Types of single values, by offset.
pub(super) type Scalars = BTreeMap<u32, Scalar>;

fn scalars(declared: &[VarDecl]) -> Scalars {
    declared.iter().flat_map(VarDecl::scalars).collect()
}

/// Facts about a model.
#[derive(Debug)]
pub(super) struct Facts<'m> {
    pub interpreter: Interpreter<'m>,
    pub initial: State,
    /// Process types by process number: of the initial processes, and of those seen in the first states. None if a number
    /// belongs to processes of several types.
    pub types: Vec<Option<ProcessTypeId>>,
    pub globals: Scalars,
    /// By process type.
    pub locals: Vec<Scalars>,
    /// The global channels: type, and offset of the variable that holds the number.
    pub channels: Vec<(ChannelTypeId, u32)>,
    /// Offsets of globals that are never written.
    pub constant: OffsetSet,
    /// Locals that an action writes.
    pub written: HashSet<(ProcessTypeId, u32)>,
    /// Process types that are created during a run.
    pub runs: BTreeSet<ProcessTypeId>,
    /// Channels that may have aliases, because their numbers are read other than as channel operands.
    pub escaping: HashSet<u16>,
}

impl<'m> Facts<'m> {
    /// The facts about a model; none if it has no initial state.
    pub fn new(interpreter: &Interpreter<'m>) -> Option<Facts<'m>> {
        let model = interpreter.model();
        let initial = interpreter.initial().ok()?;
        let mut written = HashSet::new();
        let mut runs = BTreeSet::new();
        for (ty, process_type) in model.process_types() {
            for action in &process_type.actions {
                let access = Access::of_kind(&action.kind, None);
                runs.extend(access.creates);
                for region in access.writes.iter().filter(|r| r.owner == Owner::Own) {
                    written.extend(region.offsets().into_iter().map(|o| (ty, o)));
                }
            }
        }
        let channels = global_channels(model);
        Some(Facts {
            interpreter: interpreter.clone(),
            types: process_types(interpreter, &initial),
            initial,
            globals: scalars(&model.globals),
            locals: model.process_types.iter().map(|p| scalars(&p.locals)).collect(),
            escaping: escaping(model, &channels),
            channels,
            constant: constant_globals(model),
            written,
            runs,
        })
    }

    pub fn model(&self) -> &'m Model {
        self.interpreter.model()
    }

    /// The type of the process with a number.
    pub fn type_of(&self, pid: u16) -> Option<ProcessTypeId> {
        self.types.get(usize::from(pid)).copied().flatten()
    }
}

fn process_types(interpreter: &Interpreter<'_>, initial: &State) -> Vec<Option<ProcessTypeId>> {
    let model = interpreter.model();
    let mut found: Vec<Option<ProcessTypeId>> = model.initial_processes.iter().map(|p| Some(p.0)).collect();
    let fixed = found.len();
    if !creates_processes(model) {
        return found;
    }
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut open = VecDeque::from([initial.clone()]);
    let mut moves = Vec::new();
    while let Some(state) = open.pop_front() {
        for pid in fixed as u16..state.process_count() {
            let ty = state.process_type(ProcessId(pid));
            match found.get_mut(usize::from(pid)) {
                None => found.push(Some(ty)),
                Some(known) if *known != Some(ty) => *known = None,
                Some(_) => {}
            }
        }
        interpreter.moves(&state, &mut moves);
        for step in &moves {
            let mut next = state.clone();
            let fatal = interpreter.apply(&mut next, step).is_some_and(|v| v.is_fatal());
            if !fatal && seen.len() < FIRST_STATES && seen.insert(next.bytes().to_vec()) {
                open.push_back(next);
            }
        }
    }
    found
}

fn escaping(model: &Model, channels: &[(ChannelTypeId, u32)]) -> HashSet<u16> {
    let mut found = HashSet::new();
    let mut operands = HashSet::new();
    for action in model.process_types.iter().flat_map(|p| &p.actions) {
        let access = Access::of_kind(&action.kind, None);
        operands.extend(access.channels.iter().map(|c| std::ptr::from_ref::<Expr>(c.0)));
        let mut visit = |e: &Expr| {
            if let Expr::Read(place) = e
                && place.frame == Frame::Global
                && place.scalar == Scalar::Channel
                && !operands.contains(&std::ptr::from_ref(e))
            {
                let number = |o| channels.iter().position(|c| c.1 == o).map(|n| n as u16);
                found.extend(Region::of(place, None).offsets().into_iter().filter_map(number));
            }
        };
        action.kind.walk(&mut visit);
    }
    found
}
