//! What statements print, and which channels they use.

use lurcher_ir::{Action, ActionKind, Expr, Scalar};

use crate::eval::Context;
use crate::interpreter::Interpreter;
use crate::state::{ChannelId, ProcessId, State};

impl Interpreter<'_> {
    /// The channel that a statement of a process sends to or receives from in a state.
    pub fn channel_of(&self, state: &State, id: ProcessId, action: &Action) -> Option<ChannelId> {
        let (ActionKind::Send(channel, ..) | ActionKind::Receive { channel, .. }) = &action.kind else { return None };
        self.channel(state, Context::of(id, false), channel).ok()
    }

    /// The text that a statement of a process prints in a state.
    pub fn printed(&self, state: &State, id: ProcessId, action: &Action) -> Option<String> {
        let context = Context::of(id, false);
        match &action.kind {
            ActionKind::Print(format, args) => Some(self.formatted(state, context, format, args)),
            ActionKind::PrintSymbol(e, set) => Some(self.model.symbol(*set, self.eval(state, context, e).unwrap_or(0))),
            _ => None,
        }
    }

    /// `printf` with the conversions of Promela.
    fn formatted(&self, state: &State, context: Context, format: &str, args: &[Expr]) -> String {
        let mut out = String::new();
        let mut values = args.iter().map(|a| (a, self.eval(state, context, a).unwrap_or(0)));
        let mut chars = format.trim_matches('"').chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(other) => out.push(other),
                    None => {}
                },
                '%' => match chars.next() {
                    Some('%') => out.push('%'),
                    Some('c') => out.extend(values.next().map(|(_, v)| char::from(v as u8))),
                    Some('e') => out.extend(values.next().map(|(e, v)| self.symbol_of(e, v))),
                    Some('x') => out.extend(values.next().map(|(_, v)| format!("{v:x}"))),
                    Some('o') => out.extend(values.next().map(|(_, v)| format!("{v:o}"))),
                    Some('u') => out.extend(values.next().map(|(_, v)| (v as u32).to_string())),
                    Some('d') => out.extend(values.next().map(|(_, v)| v.to_string())),
                    Some(other) => out.extend(['%', other]),
                    None => {}
                },
                _ => out.push(c),
            }
        }
        out
    }

    fn symbol_of(&self, expr: &Expr, value: i32) -> String {
        let set = match expr {
            Expr::Symbol(_, set) => *set,
            Expr::Read(place) => match place.scalar {
                Scalar::Symbol(set) => set,
                _ => 0,
            },
            _ => 0,
        };
        self.model.symbol(set, value)
    }
}
