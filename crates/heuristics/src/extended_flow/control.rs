//! Control states of a process type: a location, with what is known of the data that decides branches.

use lurcher_ir::analysis::{constant, known_value};
use lurcher_ir::{ActionKind, BinaryOp, Expr, Frame, Initial, LocationId, Place, ProcessType, Scalar};

/// The most data of a process type that are tracked.
pub(super) const SLOTS: usize = 7;

/// A value that the control flow of a process decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The number of the process.
    Number,
    /// A local variable, or an element of one.
    Local { offset: u32, scalar: Scalar },
}

/// A location with the values that are known there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Control {
    pub location: LocationId,
    /// One bit for each slot whose value is unknown; such a value is 0.
    pub unknown: u8,
    pub values: [i32; SLOTS],
}

impl Control {
    /// The same with the values of some slots forgotten.
    pub fn without(mut self, unknown: u8) -> Control {
        self.unknown = unknown;
        self.values.iter_mut().enumerate().filter(|(slot, _)| unknown >> slot & 1 == 1).for_each(|(_, v)| *v = 0);
        self
    }

    fn set(&mut self, slot: usize, value: Option<i32>) {
        self.values[slot] = value.unwrap_or(0);
        self.unknown = self.unknown & !(1 << slot) | u8::from(value.is_none()) << slot;
    }

    fn get(&self, slot: usize) -> Option<i32> {
        (self.unknown >> slot & 1 == 0).then_some(self.values[slot])
    }
}

/// The data of a process type that are tracked.
#[derive(Clone, Debug)]
pub(super) struct Slots(Vec<Slot>);

impl Slots {
    /// The data that guards, assertions and arguments of `run` read, and what these are computed from. `number` asks for the
    /// number of the process in any case.
    pub fn of_type(process_type: &ProcessType, number: bool) -> Slots {
        let mut slots = Slots(if number { vec![Slot::Number] } else { Vec::new() });
        for action in &process_type.actions {
            slots.add_deciding(&action.kind);
        }
        // What a tracked variable is computed from is tracked as well.
        let mut known = 0;
        while known < slots.0.len() {
            known = slots.0.len();
            for action in &process_type.actions {
                if let ActionKind::Assign(place, value) = &action.kind
                    && slots.written(place, &|_| None).next().is_some()
                {
                    slots.add_reads(value);
                }
            }
        }
        slots.0.truncate(SLOTS);
        slots
    }

    /// Adds what decides whether a statement is enabled, fails, or with which arguments it creates a process.
    fn add_deciding(&mut self, kind: &ActionKind) {
        match kind {
            ActionKind::Guard(e) | ActionKind::Assert(e) => self.add_reads(e),
            ActionKind::DStep(sequence) => sequence.guards.iter().for_each(|guard| self.add_deciding(guard)),
            ActionKind::Assign(_, e) if e.created().is_some() => self.add_reads(e),
            _ => {}
        }
    }

    fn add_reads(&mut self, expr: &Expr) {
        expr.walk(&mut |part| {
            let slot = match part {
                Expr::Pid => Some(Slot::Number),
                Expr::Read(place) => exact(place, &|e| constant(e, None)),
                _ => None,
            };
            if let Some(slot) = slot.filter(|slot| !self.0.contains(slot)) {
                self.0.push(slot);
            }
        });
    }

    /// The tracked data, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Slot> + '_ {
        self.0.iter().copied()
    }

    /// Stops tracking a slot.
    pub fn remove(&mut self, slot: usize) {
        self.0.remove(slot);
    }

    fn position(&self, slot: Slot) -> Option<usize> {
        self.0.iter().position(|s| *s == slot)
    }

    /// The value of an expression; none if it is unknown.
    pub fn value(&self, control: &Control, expr: &Expr) -> Option<i32> {
        known_value(expr, &|part| match part {
            Expr::Pid => control.get(self.position(Slot::Number)?),
            Expr::Read(place) => control.get(self.position(exact(place, &|e| self.value(control, e))?)?),
            _ => None,
        })
    }

    /// The slots that a write may change, and whether each is certainly the place that is written.
    fn written<'s>(
        &'s self,
        place: &'s Place,
        value: &dyn Fn(&Expr) -> Option<i32>,
    ) -> impl Iterator<Item = (usize, bool)> + 's {
        let certain = exact(place, value);
        let bytes = match certain {
            Some(Slot::Local { offset, scalar }) => offset..offset + scalar.size(),
            _ => place.bytes(),
        };
        let slots = self.0.iter().enumerate().filter(|_| place.frame == Frame::Local);
        slots.filter_map(move |(number, slot)| match *slot {
            Slot::Local { offset, scalar } if offset < bytes.end && bytes.start < offset + scalar.size() => {
                Some((number, certain == Some(*slot)))
            }
            _ => None,
        })
    }

    /// Writes a value, if it is known.
    fn store(&self, control: &mut Control, place: &Place, value: Option<i32>) {
        let before = *control;
        for (slot, certain) in self.written(place, &|e| self.value(&before, e)) {
            control.set(slot, value.filter(|_| certain).map(|v| place.scalar.truncate(v)));
        }
    }

    /// The control state behind a statement, at another location.
    pub fn after(&self, control: &Control, kind: &ActionKind, location: LocationId) -> Control {
        let mut next = Control { location, ..*control };
        match kind {
            ActionKind::Assign(place, value) => self.store(&mut next, place, self.value(control, value)),
            ActionKind::Guard(e) => self.learn(&mut next, e),
            kind => kind.places(&mut |place| self.store(&mut next, place, None)),
        }
        next
    }

    /// Notes what a guard that was true tells: the values of its equations.
    fn learn(&self, control: &mut Control, guard: &Expr) {
        match guard {
            Expr::Binary(BinaryOp::And, a, b) => {
                self.learn(control, a);
                self.learn(control, b);
            }
            Expr::Binary(BinaryOp::Eq, a, b) => {
                for (read, other) in [(a, b), (b, a)] {
                    if let (Expr::Read(place), Some(value)) = (&**read, self.value(control, other))
                        && let Some(slot) = exact(place, &|e| self.value(control, e)).and_then(|s| self.position(s))
                        && control.get(slot).is_none()
                        && place.scalar.truncate(value) == value
                    {
                        control.set(slot, Some(value));
                    }
                }
            }
            _ => {}
        }
    }

    /// The control state in which a process starts.
    pub fn initial(&self, process_type: &ProcessType, number: Option<u16>, args: &[Option<i32>]) -> Control {
        let mut control = Control { location: process_type.initial, unknown: 0, values: [0; SLOTS] };
        if let Some(slot) = self.position(Slot::Number) {
            control.set(slot, number.map(i32::from));
        }
        for (place, value) in process_type.params.iter().zip(args) {
            self.store(&mut control, place, *value);
        }
        for step in &process_type.init {
            match step {
                Initial::Value(place, value) => {
                    let value = self.value(&control, value);
                    self.store(&mut control, place, value);
                }
                Initial::Channel(new) => self.store(&mut control, &new.place, None),
            }
        }
        control
    }
}

/// The local variable or element that a place denotes, if its indices are known.
fn exact(place: &Place, value: &dyn Fn(&Expr) -> Option<i32>) -> Option<Slot> {
    if place.frame != Frame::Local {
        return None;
    }
    let mut offset = place.offset;
    for index in &place.indices {
        offset += u32::try_from(value(&index.expr)?).ok().filter(|i| *i < index.count)? * index.stride;
    }
    Some(Slot::Local { offset, scalar: place.scalar })
}
