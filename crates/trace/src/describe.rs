//! States and steps in words.

use lurcher_exec::{ChannelId, Interpreter, Move, ProcessId, State};
use lurcher_ir::{Action, Scalar, VarDecl};
use lurcher_syntax::SourceMap;

/// A variable that a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable, as `P[2]:x` for those of a process.
    pub name: String,
    /// Its new value.
    pub value: String,
}

/// Knows the names of things.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'a, 'm> {
    /// The interpreter whose states are described.
    pub interpreter: &'a Interpreter<'m>,
    /// The sources.
    pub sources: &'a SourceMap,
}

impl Describer<'_, '_> {
    /// `Name[number]` of a process.
    pub fn process(&self, state: &State, id: ProcessId) -> String {
        let name = &self.interpreter.model().process_type(state.process_type(id)).name;
        format!("{name}[{}]", id.0)
    }

    /// The action of a process in a move: its own, or the receive that answers.
    pub fn actions(&self, state: &State, step: &Move) -> Vec<(ProcessId, &Action)> {
        let mut actions = vec![(step.process, self.interpreter.branch(state, step.process, step.branch).1)];
        if let Some((partner, branch)) = step.partner {
            actions.push((partner, self.interpreter.branch(state, partner, branch).1));
        }
        actions
    }

    /// A value as the source would write it.
    pub fn value(&self, scalar: Scalar, value: i32) -> String {
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
        for var in vars {
            var.shape.leaves(&mut |suffix, offset, scalar| {
                let value = state.get(base + (var.offset + offset) as usize, scalar);
                let shown = match scalar {
                    Scalar::Channel => self.channel(state, value),
                    _ => self.value(scalar, value),
                };
                all.push((format!("{prefix}{}{suffix}", var.name), shown));
            });
        }
    }

    /// A channel by its contents.
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
                fields.push(self.value(scalar, state.get(at, scalar)));
                at += scalar.size() as usize;
            }
            messages.push(fields.join(","));
        }
        format!("[{}]", messages.join("; "))
    }

    /// What differs between two states: changed variables, and processes that came or went.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let old: std::collections::HashMap<String, String> = self.variables(before).into_iter().collect();
        let mut changes = Vec::new();
        for p in before.process_count()..after.process_count() {
            let name = self.process(after, ProcessId(p));
            changes.push(Change { name, value: "started".to_owned() });
        }
        for p in after.process_count()..before.process_count() {
            let name = self.process(before, ProcessId(p));
            changes.push(Change { name, value: "ended".to_owned() });
        }
        for (name, value) in self.variables(after) {
            let default = value == "0" || value == "[]" || value == "none";
            match old.get(&name) {
                Some(known) if *known == value => {}
                None if default => {}
                _ => changes.push(Change { name, value }),
            }
        }
        changes
    }

    /// What a step prints.
    pub fn printed(&self, state: &State, id: ProcessId, action: &Action) -> Option<String> {
        self.interpreter.printed(state, id, action)
    }
}
