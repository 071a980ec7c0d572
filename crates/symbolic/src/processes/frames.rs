//! The variables of the relation: one for each part of a state.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use lurcher_ir::analysis::Bounds;
use lurcher_ir::relation::{Domain, Relation, VariableId, WordShape};
use lurcher_ir::{ChannelTypeId, Expr, Frame, Initial, Leaf, Model, Place, ProcessTypeId, Scalar, VarDecl};
use lurcher_syntax::Span;
use lurcher_system::{ChannelId, Layout, ProcessId, State};

use super::survey::survey;
use super::{Builder, Cell, Channel, Refusal, Slot, add_variable};

impl<'m> Builder<'m> {
    pub(super) fn new(model: &'m Model) -> Result<Builder<'m>, Refusal> {
        let (initial, types) = survey(model)?;
        let of_globals = channels_in(&model.global_init);
        let per_type = |ty: ProcessTypeId| channels_in(&model.process_type(ty).init);
        let of_slots: Vec<Vec<ChannelTypeId>> = types.iter().map(|&ty| per_type(ty)).collect();
        let total = of_globals.len() + of_slots.iter().map(Vec::len).sum::<usize>();
        let (relation, layout, bounds) = (Relation::default(), Layout::new(model), Bounds::of(model, total as u32));
        let mut frames = Frames { relation, model, initial: &initial, layout, bounds };
        let at = initial.globals_at(&frames.layout);
        let globals = frames.variables("", None, &model.globals, Some(at), Some(&written(model, None)), total);
        let mut channels: Vec<Channel> = Vec::new();
        for ty in of_globals {
            let channel = frames.channel(channels.len(), ty, None, total);
            channels.push(channel);
        }
        let mut slots = Vec::new();
        for (number, &ty) in types.iter().enumerate() {
            let first = channels.len();
            slots.push(frames.slot(number, ty, total));
            for &channel in &of_slots[number] {
                let channel = frames.channel(channels.len(), channel, Some(number), total);
                channels.push(channel);
            }
            slots[number].channels = first..channels.len();
        }
        let holder = frames.variable("holder".to_owned(), Domain::Range(0, types.len() as i64), 0);
        let overflow = frames.variable("beyond".to_owned(), Domain::Boolean, 0);
        let mut relation = frames.relation;
        let terms = RefCell::new(std::mem::take(&mut relation.terms));
        let (violations, claim, span) = (Vec::new(), None, Span::default());
        Ok(Builder { model, relation, terms, globals, slots, channels, holder, overflow, violations, claim, span })
    }
}

fn channels_in(steps: &[Initial]) -> Vec<ChannelTypeId> {
    let channel = |step: &Initial| match step {
        Initial::Channel(new) => Some(new.channel),
        Initial::Value(..) => None,
    };
    steps.iter().filter_map(channel).collect()
}

/// The offsets that statements write in the globals, or in the frames of a process type.
fn written(model: &Model, of: Option<ProcessTypeId>) -> Vec<Range<u32>> {
    let mut ranges = Vec::new();
    for (index, process) in model.process_types.iter().enumerate() {
        let mut note = |place: &Place| {
            let same = match &place.frame {
                Frame::Global => of.is_none(),
                Frame::Local => of == Some(ProcessTypeId(index as u16)),
                Frame::Process(_, ty) => of == Some(*ty),
            };
            if same {
                ranges.push(place.bytes());
            }
        };
        process.actions.iter().for_each(|a| a.kind.places(&mut note));
    }
    ranges
}

/// Whether a statement creates a process of a type.
fn creates(model: &Model, ty: ProcessTypeId) -> bool {
    let mut actions = model.process_types.iter().flat_map(|p| &p.actions);
    actions.any(|a| a.kind.any(&|e| matches!(e, Expr::Run(other, ..) if *other == ty)))
}

/// The domain of a type, narrowed to a bound; `channels` is the number of channels.
fn domain(scalar: Scalar, channels: usize, bound: Option<u32>) -> Domain {
    let word = |width, signed| {
        let enough = bound.map(|b| (u32::BITS - b.leading_zeros()).max(1)).filter(|&bits| bits < width);
        Domain::Word(enough.map_or(WordShape { width, signed }, |width| WordShape { width, signed: false }))
    };
    match scalar {
        Scalar::Bit => Domain::Boolean,
        Scalar::Byte | Scalar::Symbol(_) => word(8, false),
        Scalar::Short => word(16, true),
        Scalar::Int => word(32, true),
        Scalar::Unsigned(bits) => word(u32::from(bits.clamp(1, 31)), false),
        // Any number may be stored in a channel variable.
        Scalar::Channel if bound.is_some_and(|b| b as usize <= channels) => Domain::Range(0, channels as i64),
        Scalar::Channel => word(16, false),
    }
}

struct Frames<'m> {
    relation: Relation,
    model: &'m Model,
    initial: &'m State,
    layout: Layout,
    bounds: Bounds,
}

impl Frames<'_> {
    fn variable(&mut self, name: String, domain: Domain, initial: i64) -> VariableId {
        let initial = self.relation.terms.value(initial);
        add_variable(&mut self.relation, name, domain, initial)
    }

    /// The variables of a frame, initialised from the initial state if the frame exists there. Scalars that are never
    /// written, mostly channel numbers, become constants; `None` writes all.
    fn variables(
        &mut self,
        prefix: &str,
        ty: Option<ProcessTypeId>,
        declared: &[VarDecl],
        at: Option<usize>,
        written: Option<&[Range<u32>]>,
        channels: usize,
    ) -> HashMap<u32, Cell> {
        let mut cells = HashMap::new();
        for Leaf { name, offset, scalar } in declared.iter().flat_map(VarDecl::leaves) {
            let name = format!("{prefix}{name}");
            let initial = at.map_or(0, |at| i64::from(self.initial.get(at + offset as usize, scalar)));
            let cell = if written.is_none_or(|ranges| ranges.iter().any(|r| r.contains(&offset))) {
                let bound = ty.map_or_else(|| self.bounds.global(offset), |ty| self.bounds.local(ty, offset));
                Cell::Variable(self.variable(name, domain(scalar, channels, bound), initial))
            } else {
                Cell::Constant(initial)
            };
            cells.insert(offset, cell);
        }
        cells
    }

    fn slot(&mut self, number: usize, ty: ProcessTypeId, channels: usize) -> Slot {
        let process = self.model.process_type(ty);
        let there = number < usize::from(self.initial.process_count());
        let id = ProcessId(number as u16);
        let prefix = format!("{}:{number}.", process.name);
        let first = if there { i64::from(self.initial.location(id).0) } else { 0 };
        let location =
            self.variable(format!("{prefix}at"), Domain::Range(0, process.locations.len() as i64 - 1), first);
        let at = there.then(|| self.initial.locals_at(&self.layout, id));
        let once = there && !creates(self.model, ty);
        let written = once.then(|| written(self.model, Some(ty)));
        let locals = self.variables(&prefix, Some(ty), &process.locals, at, written.as_deref(), channels);
        Slot { ty, location, locals, channels: 0..0 }
    }

    fn channel(&mut self, number: usize, ty: ChannelTypeId, owner: Option<usize>, channels: usize) -> Channel {
        let shape = self.model.channel_type(ty);
        if shape.capacity == 0 {
            return Channel { ty, owner, len: None, messages: Vec::new() };
        }
        debug_assert!(
            number >= usize::from(self.initial.channel_count())
                || self.initial.channel_len(ChannelId(number as u16)) == 0,
            "channels are empty at first"
        );
        let prefix = format!("{}:{number}", shape.name);
        let len = self.variable(format!("{prefix}.len"), Domain::Range(0, i64::from(shape.capacity)), 0);
        let mut messages = Vec::new();
        for slot in 0..shape.capacity {
            let fields = shape.fields.iter().enumerate();
            let field = |(i, f): (usize, &Scalar)| {
                (format!("{prefix}[{slot}].{i}"), domain(*f, channels, self.bounds.field(i)))
            };
            let fields: Vec<(String, Domain)> = fields.map(field).collect();
            messages.push(fields.into_iter().map(|(name, domain)| self.variable(name, domain, 0)).collect());
        }
        Channel { ty, owner, len: Some(len), messages }
    }
}
