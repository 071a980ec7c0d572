//! States and steps as text.

use lurcher_ir::{Action, ActionKind, Initial, Leaf, Scalar, VarDecl};
use lurcher_syntax::SourceMap;
use lurcher_system::{ChannelId, Interpreter, Move, ProcessId, State};

use crate::steps::Change;

/// Describes states and steps of a model by the names in its sources.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'a, 'm> {
    /// The interpreter whose states are described.
    pub interpreter: &'a Interpreter<'m>,
    /// The sources.
    pub sources: &'a SourceMap,
}

/// The most characters of a `d_step`'s source that are shown.
const D_STEP: usize = 60;
/// The most characters of a statement, and of what it prints.
const MOST_TEXT: usize = 1000;

/// Leaves out the rest of a long text.
fn cut(text: String) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}… ({} more characters)", &text[..end], text[end..].chars().count()),
        None => text,
    }
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

    /// A statement of a process: its source text, with the name of its channel where the text does not start with it.
    pub fn statement(&self, state: &State, process: ProcessId, action: &Action) -> String {
        let text = match &action.kind {
            ActionKind::DStep(_) => self.d_step(action),
            _ => action.text.clone(),
        };
        let text = cut(text);
        let Some(id) = self.interpreter.channel_of(state, process, action) else { return text };
        let name = self.channel_name(state, id);
        let own = format!("{}:", self.process(state, process));
        let rest = text.strip_prefix(name.strip_prefix(&own).unwrap_or(&name));
        // `q1!x` does not name the channel `q`.
        match rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "_[.".contains(c))) {
            true => text,
            false => format!("{text} (channel {name})"),
        }
    }

    /// What a statement prints.
    pub fn printed(&self, state: &State, process: ProcessId, action: &Action) -> Option<String> {
        self.interpreter.printed(state, process, action).map(cut)
    }

    /// A deterministic sequence: its source on one line, cut where it is long.
    fn d_step(&self, action: &Action) -> String {
        let source = self.sources.text_on_one_line(action.span);
        match source.char_indices().nth(D_STEP) {
            _ if !source.starts_with(&action.text) => action.text.clone(),
            Some((end, _)) => format!("{}…", &source[..end]),
            None => source,
        }
    }

    /// A value in source syntax; a channel by its name.
    fn value(&self, state: &State, scalar: Scalar, value: i32) -> String {
        match scalar {
            Scalar::Symbol(set) => self.interpreter.model().symbol(set, value),
            Scalar::Channel => channel_id(state, value).map_or("none".to_owned(), |id| self.channel_name(state, id)),
            _ => value.to_string(),
        }
    }

    /// The name of a channel: that of the variable that declares it, `P[2]:c` for one of a process. Channels stand in the
    /// order of creation: those of the model, then those of each process.
    pub fn channel_name(&self, state: &State, id: ChannelId) -> String {
        let model = self.interpreter.model();
        let processes = (0..state.process_count()).map(ProcessId).map(|p| {
            let process_type = model.process_type(state.process_type(p));
            (Some(p), &process_type.init, &process_type.locals)
        });
        let frames = std::iter::once((None, &model.global_init, &model.globals)).chain(processes);
        let mut made = frames.flat_map(|(owner, init, variables)| {
            init.iter().filter_map(move |step| match step {
                Initial::Channel(new) => Some((owner, new, variables)),
                Initial::Value(..) => None,
            })
        });
        let found = made.nth(id.0.into()).filter(|(_, new, _)| new.channel == state.channel_type(id));
        let name = found.and_then(|(owner, new, variables)| {
            let leaf = variables.iter().find_map(|v| v.leaf_at(new.place.offset))?;
            Some(owner.map_or(leaf.name.clone(), |p| format!("{}:{}", self.process(state, p), leaf.name)))
        });
        name.unwrap_or_else(|| format!("channel {}", id.0 + 1))
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
            let name = format!("{prefix}{name}");
            let value = self.variable(state, &name, scalar, state.get(base + offset as usize, scalar));
            all.push((name, value));
        }
    }

    /// The value of a variable; the variable that declares a channel shows its contents.
    fn variable(&self, state: &State, name: &str, scalar: Scalar, value: i32) -> String {
        let text = self.value(state, scalar, value);
        match channel_id(state, value).filter(|_| scalar == Scalar::Channel && text == name) {
            Some(id) => self.contents(state, id),
            None => text,
        }
    }

    /// The contents of a channel.
    fn contents(&self, state: &State, id: ChannelId) -> String {
        let ty = self.interpreter.model().channel_type(state.channel_type(id));
        let mut at = state.messages_at(id);
        let mut messages = Vec::new();
        for _ in 0..state.channel_len(id) {
            let mut fields = Vec::new();
            for &scalar in &ty.fields {
                fields.push(self.value(state, scalar, state.get(at, scalar)));
                at += scalar.size() as usize;
            }
            messages.push(fields.join(","));
        }
        format!("[{}]", messages.join("; "))
    }

    /// The bytes of a channel's messages.
    fn messages<'s>(&self, state: &'s State, id: ChannelId) -> &'s [u8] {
        let ty = self.interpreter.model().channel_type(state.channel_type(id));
        let at = state.messages_at(id);
        &state.bytes()[at..at + usize::from(state.channel_len(id)) * ty.message_size() as usize]
    }

    /// What differs between two states: processes that started or ended, channels with their contents, and variables with
    /// their new values, `P[2]:x` for those of a process.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let mut changes = Vec::new();
        for p in before.process_count()..after.process_count() {
            changes.push(Change::Started(self.process(after, ProcessId(p))));
        }
        for p in after.process_count()..before.process_count() {
            changes.push(Change::Ended(self.process(before, ProcessId(p))));
        }
        for id in (0..after.channel_count()).map(ChannelId) {
            let known = id.0 < before.channel_count() && before.channel_type(id) == after.channel_type(id);
            let old = if known { self.messages(before, id) } else { &[] };
            if old != self.messages(after, id) {
                changes.push(Change::Value(self.channel_name(after, id), self.contents(after, id)));
            }
        }
        let model = self.interpreter.model();
        let layout = self.interpreter.layout();
        let globals = (Some(before.globals_at(layout)), after.globals_at(layout));
        self.changed_in_frame((before, after), &model.globals, globals, String::new, &mut changes);
        for p in (0..after.process_count()).map(ProcessId) {
            let same = p.0 < before.process_count() && before.process_type(p) == after.process_type(p);
            let old = if same { Some(before.locals_at(layout, p)) } else { None };
            let locals = &model.process_type(after.process_type(p)).locals;
            let prefix = || format!("{}:", self.process(after, p));
            self.changed_in_frame((before, after), locals, (old, after.locals_at(layout, p)), prefix, &mut changes);
        }
        changes
    }

    /// What differs between a frame at one offset of a state and at another of the next; without the first offset, what
    /// differs from the default values.
    fn changed_in_frame(
        &self,
        (before, after): (&State, &State),
        vars: &[VarDecl],
        (old, new): (Option<usize>, usize),
        prefix: impl Fn() -> String,
        changes: &mut Vec<Change>,
    ) {
        let size = vars.iter().map(|v| v.offset + v.shape.size()).max().unwrap_or(0) as usize;
        let now = &after.bytes()[new..new + size];
        if old.is_some_and(|at| before.bytes()[at..at + size] == *now) {
            return;
        }
        for var in vars {
            var.shape.scalars(var.offset, &mut |offset, scalar| {
                let at = offset as usize;
                let value = after.get(new + at, scalar);
                if value == old.map_or(0, |old| before.get(old + at, scalar)) {
                    return;
                }
                // Only what has changed is named: an array may have a million elements.
                let leaf = var.leaf_at(offset).expect("there is a value at the offset");
                let name = format!("{}{}", prefix(), leaf.name);
                let value = self.variable(after, &name, scalar, value);
                if old.is_some() || value != "[]" {
                    changes.push(Change::Value(name, value));
                }
            });
        }
    }
}

/// The channel of a channel variable's value.
fn channel_id(state: &State, value: i32) -> Option<ChannelId> {
    let number = u16::try_from(value).ok().filter(|&n| n <= state.channel_count())?;
    number.checked_sub(1).map(ChannelId)
}
