//! Static facts about a model for the compiler.

use lurcher_ir::{ActionKind, ChannelTypeId, Expr, Frame, Initial, Model, Place, Scalar};
use lurcher_system::{Interpreter, Layout, State};

/// The channels of a variable or array that is never assigned. Global channels are created first, so they never move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedChannels {
    pub ty: ChannelTypeId,
    /// The value of the first element.
    pub value: i32,
    /// The offset of the first channel in the state.
    pub at: usize,
}

/// Static facts about a model.
#[derive(Debug)]
pub(crate) struct Facts<'m> {
    pub model: &'m Model,
    pub layout: Layout,
    pub message_loss: bool,
    pub with_claim: bool,
    /// Whether there are channels, all of them rendezvous channels.
    pub only_rendezvous: bool,
    /// Whether the interpreter finds the receivers of a rendezvous.
    pub interpreted_offers: bool,
    /// Whether the interpreter executes rendezvous.
    pub interpreted_rendezvous: bool,
    /// Whether a branch keeps exclusive control.
    pub has_atomic: bool,
    /// By process type: the number of its first action, with actions numbered across types.
    pub first_action: Vec<u32>,
    /// Bits of a process type in a position.
    pub type_bits: u32,
    /// Number of branches of all locations.
    branches: usize,
    /// The initial state, unless initialisation fails.
    initial: Option<State>,
    /// By byte of the globals: whether a statement writes it.
    written: Vec<bool>,
}

impl<'m> Facts<'m> {
    pub fn new(interpreter: &Interpreter<'m>) -> Self {
        let model = interpreter.model();
        let branches = || model.process_types.iter().flat_map(|p| &p.locations).flat_map(|l| &l.branches);
        let deterministic = model.process_types.iter().any(|p| p.deterministic);
        Facts {
            model,
            layout: interpreter.layout().clone(),
            message_loss: interpreter.limits().message_loss,
            with_claim: interpreter.limits().with_claim,
            only_rendezvous: model.has_only_rendezvous(),
            interpreted_offers: interpreter.sees_half_rendezvous() || model.uses_priorities,
            interpreted_rendezvous: deterministic || model.event_trace.is_some(),
            has_atomic: branches().any(|b| b.atomic),
            first_action: first_actions(model),
            type_bits: type_bits(model),
            branches: branches().count(),
            initial: interpreter.initial().ok(),
            written: written(model),
        }
    }

    /// Whether the steps of all processes are inlined into the walk.
    pub fn inline_steps(&self) -> bool {
        self.branches <= FEW_BRANCHES
    }

    /// The channels of a place that is never assigned.
    pub fn fixed_channels(&self, place: &Place) -> Option<FixedChannels> {
        let state = self.initial.as_ref()?;
        if place.frame != Frame::Global || place.scalar != Scalar::Channel || place.indices.len() > 1 {
            return None;
        }
        let (count, stride) = place.indices.first().map_or((1, 0), |i| (i.count, i.stride));
        let mut first: Option<FixedChannels> = None;
        for i in 0..count {
            let offset = place.offset as usize + (i * stride) as usize;
            if self.written[offset..offset + 2].iter().any(|w| *w) {
                return None;
            }
            let value = state.get(self.layout.globals_at() + offset, Scalar::Channel);
            let number = u16::try_from(value).ok()?.checked_sub(1)?;
            let at = *state.channel_offsets().get(usize::from(number))? as usize;
            // A channel of a process dies with it.
            if state.process_offsets().first().is_some_and(|&p| at > p as usize) {
                return None;
            }
            let ty = state.channel_type(lurcher_system::ChannelId(number));
            match first {
                None => first = Some(FixedChannels { ty, value, at }),
                Some(known) => {
                    let expected = known.at + i as usize * self.layout.channel_size(ty);
                    if ty != known.ty || value != known.value + i as i32 || at != expected {
                        return None;
                    }
                }
            }
        }
        first
    }
}

/// The most branches to inline into the walk.
const FEW_BRANCHES: usize = 400;

/// Bits of a process type in a position.
pub(crate) fn type_bits(model: &Model) -> u32 {
    (model.process_types.len() as u32).next_power_of_two().trailing_zeros()
}

/// The number of the first action of each process type, with actions numbered across types.
pub(crate) fn first_actions(model: &Model) -> Vec<u32> {
    let mut next = 0;
    let first = |p: &lurcher_ir::ProcessType| {
        next += p.actions.len() as u32;
        next - p.actions.len() as u32
    };
    model.process_types.iter().map(first).collect()
}

fn written(model: &Model) -> Vec<bool> {
    let mut written = vec![false; model.globals_size as usize];
    let mut mark = |place: &Place| {
        if place.frame == Frame::Global {
            let bytes = place.bytes();
            written[bytes.start as usize..bytes.end as usize].fill(true);
        }
    };
    for process in &model.process_types {
        process.actions.iter().for_each(|a| a.kind.places(&mut mark));
        for step in &process.init {
            match step {
                Initial::Value(place, _) => mark(place),
                Initial::Channel(new) => mark(&new.place),
            }
        }
    }
    written
}

/// Whether the evaluation of an expression cannot fault.
pub(crate) fn never_faults(expr: &Expr) -> bool {
    use lurcher_ir::BinaryOp::{Div, Mod};
    let place = |p: &Place| p.indices.iter().all(|i| matches!(i.expr, Expr::Const(v) if (v as u32) < i.count));
    !expr.any(&|e| match e {
        Expr::Read(p) => !place(p),
        Expr::Binary(Div | Mod, _, divisor) => !matches!(**divisor, Expr::Const(v) if v != 0),
        Expr::Len(_) | Expr::Probe(..) | Expr::Poll(..) | Expr::Enabled(_) => true,
        _ => false,
    })
}

/// Whether a statement is always enabled if no earlier branch is.
pub(crate) fn always_possible(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Guard(Expr::Const(v)) => *v != 0,
        // `run` has the value 1 until it has created a process.
        ActionKind::Guard(e) => matches!(e, Expr::Run(..)),
        ActionKind::DStep(sequence) => sequence.guards.is_empty() || kind.is_else(),
        _ => !kind.can_wait(),
    }
}
