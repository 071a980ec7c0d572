//! What is varied.

use std::time::Duration;

use lurcher_engines::{Asked, GuideKind};
use lurcher_search::{Bias, Selection};
use lurcher_syntax::Span;
use toml::Spanned;
use toml::de::DeValue;

use crate::spec::{Choices, Depth, EngineChoice, GuideChoice, Limits, PeerLimits, SpinLimits, Traces};
use crate::units;

use super::Reader;
use super::value::sorted;

/// The settings of trials.
pub(super) const KEYS: [&str; 22] = [
    "model", "define", "property", "engine", "select", "guide", "bias", "reverse", "restart", "until", "depth",
    "seeds", "walks", "time", "memory", "states", "minimise", "spin", "traces", "tries", "drop", "nusmv",
];

impl Choices {
    /// What holds when a file does not say: an unguided random walk with one seed.
    pub fn usual() -> Choices {
        Choices {
            models: Vec::new(),
            defines: Vec::new(),
            properties: vec![(Asked::Named("safety".to_owned()), Span::default())],
            engines: vec![EngineChoice::Walk],
            selections: vec![Selection::TryAChild],
            guides: vec![None],
            drops: vec![String::new()],
            biases: vec![Bias::Steep],
            reversed: vec![false],
            chains: vec![1],
            untils: vec![None],
            depths: vec![Depth { text: "10000".to_owned(), span: Span::default() }],
            seeds: vec![1],
            minimise: vec![true],
            limits: Limits { walks: None, time: Duration::from_secs(60), memory: 2 << 30, states: None },
            spin: None,
            nusmv: None,
            traces: Traces::All,
            tries: false,
        }
    }
}

impl Reader {
    /// One setting of trials; false when there is none of that name.
    pub(super) fn choice(&mut self, to: &mut Choices, name: &str, value: &Spanned<DeValue<'_>>) -> bool {
        match name {
            "model" => {
                to.models = self.many(value, |r, v| Some((r.text(v)?, r.place(v.span()))));
            }
            "define" => self.defines(to, value),
            "property" => to.properties = self.many(value, Reader::property),
            "engine" => {
                let known = [
                    ("walk", EngineChoice::Walk),
                    ("trail", EngineChoice::Trail),
                    ("auto", EngineChoice::Auto),
                    ("portfolio", EngineChoice::Auto),
                    ("bfs", EngineChoice::Bfs),
                    ("dfs", EngineChoice::Dfs),
                    ("lurch", EngineChoice::Lurch),
                    ("bdd", EngineChoice::Bdd),
                    ("bdd-plain", EngineChoice::BddPlain),
                    ("sgmc", EngineChoice::Sgmc),
                    ("symbolic-walk", EngineChoice::SymbolicWalk),
                    ("symbolic-trail", EngineChoice::SymbolicTrail),
                ];
                to.engines = self.many(value, |r, v| r.word(v, "engine", &known));
            }
            "select" => {
                let known = [("try-a-child", Selection::TryAChild), ("all-children", Selection::AllChildren)];
                to.selections = self.many(value, |r, v| r.word(v, "selection", &known));
            }
            "guide" => {
                to.guides = self.many(value, Reader::guide);
                if to.guides.is_empty() && !self.failed {
                    self.error(self.place(value.span()), "none of these guides is there, which leaves no trials");
                }
            }
            "drop" => {
                to.drops = self.many(value, Reader::text);
                to.drops.iter_mut().filter(|d| *d == "auto").for_each(String::clear);
            }
            "bias" => {
                let known = [("thesis", Bias::Thesis), ("linear", Bias::Linear), ("steep", Bias::Steep)];
                to.biases = self.many(value, |r, v| r.word(v, "bias", &known));
            }
            "reverse" => to.reversed = self.many(value, Reader::flag),
            "restart" => {
                let known = [("initial", 1), ("random", CHAIN)];
                to.chains = self.many(value, |r, v| r.word(v, "start of walks", &known));
            }
            "until" => to.untils = self.many(value, Reader::until),
            "depth" => to.depths = self.many(value, Reader::depth),
            "seeds" => to.seeds = self.numbers(value),
            "walks" => to.limits.walks = self.positive(value),
            "time" => to.limits.time = self.quantity(value, units::duration).unwrap_or_default(),
            "memory" => to.limits.memory = self.quantity(value, units::size).unwrap_or_default(),
            "states" => to.limits.states = self.positive(value),
            "minimise" => to.minimise = self.many(value, Reader::flag),
            "spin" => to.spin = self.spin(value),
            "nusmv" => to.nusmv = self.nusmv(value),
            "traces" => {
                let known = [("all", Traces::All), ("first", Traces::First), ("none", Traces::None)];
                to.traces = self.word(value, "choice of traces", &known).unwrap_or(Traces::All);
            }
            "tries" => to.tries = self.flag(value).unwrap_or_default(),
            _ => return false,
        }
        true
    }

    /// Macros are merged with those that were there before; the same name is replaced.
    fn defines(&mut self, to: &mut Choices, value: &Spanned<DeValue<'_>>) {
        let Some(table) = value.get_ref().as_table() else {
            self.error(self.place(value.span()), "macros are a table: { N = [10, 20], FAST = 1 }");
            return;
        };
        for (name, value) in sorted(table) {
            let (span, name) = (self.place(name.span()), name.get_ref().to_string());
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                self.error(span, format!("`{name}` is no macro name"));
            }
            let values = self.macro_values(value);
            match to.defines.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = values,
                None => to.defines.push((name, values)),
            }
        }
    }

    fn property(&mut self, value: &Spanned<DeValue<'_>>) -> Option<(Asked, Span)> {
        let span = self.place(value.span());
        let Some(table) = value.get_ref().as_table() else {
            return Some((Asked::Named(self.text(value)?), span));
        };
        let entries = sorted(table);
        let [(kind, text)] = entries.as_slice() else {
            self.error(span, "a property is a name, { ltl = \"…\" } or { invariant = \"…\" }");
            return None;
        };
        let text = self.text(text)?;
        match kind.get_ref().as_ref() {
            "ltl" => Some((Asked::Ltl("ltl".to_owned(), text), span)),
            "invariant" => Some((Asked::Invariant(text), span)),
            other => {
                self.error(span, format!("`{other}` is no kind of property; there are ltl and invariant"));
                None
            }
        }
    }

    /// A guide by name. One that this version does not have is left out, so that files may be written ahead of it.
    fn guide(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Option<GuideChoice>> {
        let name = self.text(value)?;
        if name == "none" {
            return Some(None);
        }
        let found = GuideChoice::from_name(&name);
        if found.is_none() {
            let known: Vec<&str> = GuideKind::ALL.iter().map(|k| k.name()).collect();
            let message = format!(
                "there is no guide `{name}`, and its trials are left out; there are none, abstraction, {}",
                known.join(", ")
            );
            self.warning(self.place(value.span()), message);
        }
        found.map(Some)
    }

    fn until(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Option<u32>> {
        if value.get_ref().is_str() {
            return self.word(value, "end of walks", &[("end", None), ("loop", Some(1))]);
        }
        let number = self.positive(value)?;
        Some(Some(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// Depths are evaluated for each instance; here only what no instance could mend is refused.
    fn depth(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Depth> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().to_owned(),
            _ => self.text(value)?,
        };
        Some(Depth { text, span: self.place(value.span()) })
    }

    pub(super) fn positive(&mut self, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let number = self.number(value)?;
        if number == 0 {
            self.error(self.place(value.span()), "this must be at least 1");
        }
        Some(number)
    }

    fn nusmv(&mut self, value: &Spanned<DeValue<'_>>) -> Option<PeerLimits> {
        let mut limits = PeerLimits { time: Duration::from_secs(60), memory: 2 << 30 };
        let Some(table) = value.get_ref().as_table() else {
            return self.flag(value)?.then_some(limits);
        };
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "time" => limits.time = self.quantity(value, units::duration).unwrap_or_default(),
                "memory" => limits.memory = self.quantity(value, units::size).unwrap_or_default(),
                other => {
                    let message = format!("there is no limit `{other}` for NuSMV; there are time and memory");
                    self.error(self.place(key.span()), message);
                }
            }
        }
        Some(limits)
    }

    fn spin(&mut self, value: &Spanned<DeValue<'_>>) -> Option<SpinLimits> {
        let mut limits = SpinLimits { time: Duration::from_secs(60), memory: 1 << 30, depth: 10_000 };
        let Some(table) = value.get_ref().as_table() else {
            return self.flag(value)?.then_some(limits);
        };
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "time" => limits.time = self.quantity(value, units::duration).unwrap_or_default(),
                "memory" => limits.memory = self.quantity(value, units::size).unwrap_or_default(),
                "depth" => limits.depth = self.positive(value).map_or(0, |d| u32::try_from(d).unwrap_or(u32::MAX)),
                other => {
                    let message = format!("there is no limit `{other}` for Spin; there are time, memory and depth");
                    self.error(self.place(key.span()), message);
                }
            }
        }
        Some(limits)
    }
}

/// Walks in a chain when they restart at random.
const CHAIN: u32 = 16;
