//! What every attempt at a pattern needs to know about the model, found once.

use std::collections::{BTreeSet, HashSet};

use lurcher_ir::analysis::{Access, Owner, Region, constant_globals, global_channels};
use lurcher_ir::{ChannelTypeId, Expr, Frame, Model, ProcessTypeId, Scalar, VarDecl};
use rustc_hash::FxHashMap;

/// Names and types of single values, by offset.
pub(super) type Leaves = FxHashMap<u32, (String, Scalar)>;

fn leaves(declared: &[VarDecl]) -> Leaves {
    let mut found = Leaves::default();
    for var in declared {
        var.shape.leaves(&mut |suffix, at, scalar| {
            found.insert(var.offset + at, (format!("{}{suffix}", var.name), scalar));
        });
    }
    found
}

/// Facts about a model.
#[derive(Debug)]
pub(super) struct Facts {
    /// Names and types of the globals, by offset.
    pub globals: Leaves,
    /// Names and types of the locals, by process type and offset.
    pub locals: Vec<Leaves>,
    /// The channels that belong to the globals: type, and where the number is stored.
    pub channels: Vec<(ChannelTypeId, u32)>,
    /// Offsets of globals that nothing changes.
    pub constant: HashSet<u32>,
    /// Locals that an action changes.
    pub written: HashSet<(ProcessTypeId, u32)>,
    /// Process types that are created while the model runs.
    pub runs: BTreeSet<ProcessTypeId>,
    /// Channels that can be known under other names: their numbers are passed around.
    pub escaping: HashSet<u16>,
}

impl Facts {
    pub fn new(model: &Model) -> Facts {
        let mut written = HashSet::new();
        let mut runs = BTreeSet::new();
        for (number, process_type) in model.process_types.iter().enumerate() {
            let ty = ProcessTypeId(number as u16);
            for action in &process_type.actions {
                let access = Access::of_kind(&action.kind, None);
                runs.extend(access.creates);
                for region in access.writes.iter().filter(|r| r.owner == Owner::Own) {
                    region.offsets(&mut |o| {
                        written.insert((ty, o));
                    });
                }
            }
        }
        let channels = global_channels(model);
        let escaping = escaping(model, &channels);
        Facts {
            globals: leaves(&model.globals),
            locals: model.process_types.iter().map(|p| leaves(&p.locals)).collect(),
            escaping,
            channels,
            constant: constant_globals(model),
            written,
            runs,
        }
    }
}

/// The global channels whose numbers are read other than to send, receive or look.
fn escaping(model: &Model, channels: &[(ChannelTypeId, u32)]) -> HashSet<u16> {
    let mut found = HashSet::new();
    let mut operands = HashSet::new();
    for process_type in &model.process_types {
        for action in &process_type.actions {
            let access = Access::of_kind(&action.kind, None);
            operands.extend(access.channels.iter().map(|c| std::ptr::from_ref::<Expr>(c.0)));
            let mut look = |e: &Expr| {
                if let Expr::Read(place) = e
                    && place.frame == Frame::Global
                    && place.scalar == Scalar::Channel
                    && !operands.contains(&std::ptr::from_ref(e))
                {
                    let region = Region::of(place, None);
                    region.offsets(&mut |o| {
                        found.extend(channels.iter().position(|c| c.1 == o).map(|n| n as u16));
                    });
                }
            };
            action.kind.exprs(&mut |e| e.walk(&mut look));
            action.kind.places(&mut |p| p.walk(&mut look));
        }
    }
    found
}
