//! States and steps as text.

use lurcher_ir::{Action, Leaf, Scalar, VarDecl};
use lurcher_syntax::SourceMap;
use lurcher_system::{ChannelId, Interpreter, Move, ProcessId, State};

/// Describes states and steps of a model by the names in its sources.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'a, 'm> {
    /// The interpreter whose states are described.
    pub interpreter: &'a Interpreter<'m>,
    /// The sources.
    pub sources: &'a SourceMap,
}

/// Two states that follow each other, and which channels differ.
struct Pair<'a> {
    before: &'a State,
    after: &'a State,
    channels: &'a [bool],
}

impl Describer<'_, '_> {
    /// `Name[number]` of a process.
    pub fn process(&self, state: &State, id: ProcessId) -> String {
        let name = &self.interpreter.model().process_type(state.process_type(id)).name;
        format!("{name}[{}]", id.0)
    }

    /// The actions of a move: that of the process, and for a rendezvous that of the receiver.
    pub fn actions(&self, state: &State, step: &Move) -> Vec<(ProcessId, &Action)> {
        let mut actions = vec![(step.process, self.interpreter.branch(state, step.process, step.branch).1)];
        if let Some((partner, branch)) = step.partner {
            actions.push((partner, self.interpreter.branch(state, partner, branch).1));
        }
        actions
    }

    /// A value in source syntax; a channel by its contents.
    fn value(&self, state: &State, scalar: Scalar, value: i32) -> String {
        match scalar {
            Scalar::Channel => self.channel(state, value),
            _ => self.number(scalar, value),
        }
    }

    /// A value in source syntax; a channel by its number.
    fn number(&self, scalar: Scalar, value: i32) -> String {
        match scalar {
            Scalar::Symbol(set) => self.interpreter.model().symbol(set, value),
            _ => value.to_string(),
        }
    }

    /// Every variable of a state with its value, globals first, channels with their contents.
    pub fn variables(&self, state: &State) -> Vec<(String, String)> {
        let model = self.interpreter.model();
        let layout = self.interpreter.layout();
        let mut all = Vec::new();
        self.frame(state, &model.globals, state.globals_at(layout), "", &mut all);
        for p in (0..state.process_count()).map(ProcessId) {
            let locals = &model.process_type(state.process_type(p)).locals;
            let prefix = format!("{}:", self.process(state, p));
            self.frame(state, locals, state.locals_at(layout, p), &prefix, &mut all);
        }
        all
    }

    fn frame(&self, state: &State, vars: &[VarDecl], base: usize, prefix: &str, all: &mut Vec<(String, String)>) {
        for Leaf { name, offset, scalar } in vars.iter().flat_map(VarDecl::leaves) {
            let value = state.get(base + offset as usize, scalar);
            all.push((format!("{prefix}{name}"), self.value(state, scalar, value)));
        }
    }

    /// The contents of a channel.
    fn channel(&self, state: &State, value: i32) -> String {
        if value <= 0 || value > i32::from(state.channel_count()) {
            return "none".to_owned();
        }
        let id = ChannelId(value as u16 - 1);
        let ty = self.interpreter.model().channel_type(state.channel_type(id));
        let mut at = state.messages_at(id);
        let mut messages = Vec::new();
        for _ in 0..state.channel_len(id) {
            let mut fields = Vec::new();
            for &scalar in &ty.fields {
                fields.push(self.number(scalar, state.get(at, scalar)));
                at += scalar.size() as usize;
            }
            messages.push(fields.join(","));
        }
        format!("[{}]", messages.join("; "))
    }

    /// What differs between two states: variables with their new values, `P[2]:x` for those of a process, and processes that
    /// started or ended.
    pub fn changes(&self, before: &State, after: &State) -> Vec<(String, String)> {
        let mut changes = Vec::new();
        for p in before.process_count()..after.process_count() {
            changes.push((self.process(after, ProcessId(p)), "started".to_owned()));
        }
        for p in after.process_count()..before.process_count() {
            changes.push((self.process(before, ProcessId(p)), "ended".to_owned()));
        }
        let model = self.interpreter.model();
        let layout = self.interpreter.layout();
        let channels = self.changed_channels(before, after);
        let pair = Pair { before, after, channels: &channels };
        let globals = (Some(before.globals_at(layout)), after.globals_at(layout));
        self.changed_in_frame(&pair, &model.globals, globals, String::new, &mut changes);
        for p in (0..after.process_count()).map(ProcessId) {
            let same = p.0 < before.process_count() && before.process_type(p) == after.process_type(p);
            let old = if same { Some(before.locals_at(layout, p)) } else { None };
            let locals = &model.process_type(after.process_type(p)).locals;
            let prefix = || format!("{}:", self.process(after, p));
            self.changed_in_frame(&pair, locals, (old, after.locals_at(layout, p)), prefix, &mut changes);
        }
        changes
    }

    /// By channel of the later state: whether its contents changed.
    fn changed_channels(&self, before: &State, after: &State) -> Vec<bool> {
        let contents = |state: &State, c: u16| self.channel(state, i32::from(c) + 1);
        let changed = |c: u16| {
            let known =
                c < before.channel_count() && before.channel_type(ChannelId(c)) == after.channel_type(ChannelId(c));
            !known || contents(before, c) != contents(after, c)
        };
        (0..after.channel_count()).map(changed).collect()
    }

    /// What differs between a frame at one offset of a state and at another of the next; without the first offset, what
    /// differs from the default values.
    fn changed_in_frame(
        &self,
        pair: &Pair<'_>,
        vars: &[VarDecl],
        (old, new): (Option<usize>, usize),
        prefix: impl Fn() -> String,
        changes: &mut Vec<(String, String)>,
    ) {
        let size = vars.iter().map(|v| v.offset + v.shape.size()).max().unwrap_or(0) as usize;
        let now = &pair.after.bytes()[new..new + size];
        let same = old.is_some_and(|at| pair.before.bytes()[at..at + size] == *now);
        if same && !pair.channels.contains(&true) {
            return;
        }
        for Leaf { name, offset, scalar } in vars.iter().flat_map(VarDecl::leaves) {
            let at = offset as usize;
            let value = pair.after.get(new + at, scalar);
            let known = old.map_or(0, |old| pair.before.get(old + at, scalar));
            let names_changed = scalar == Scalar::Channel
                && value > 0
                && pair.channels.get(value as usize - 1).copied().unwrap_or(false);
            if value == known && !names_changed {
                continue;
            }
            let value = self.value(pair.after, scalar, value);
            if old.is_some() || value != "[]" {
                changes.push((format!("{}{name}", prefix()), value));
            }
        }
    }
}
