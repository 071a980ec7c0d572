//! What is varied.

use std::time::Duration;

use lurcher::Question;
use lurcher::engines::{
    BIAS, DROP, ENGINES, GUIDE, Kind, Parameter, RESTART, REVERSE_GUIDE, SELECT, UNTIL, parameters,
};
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_syntax::{Span, did_you_mean};
use toml::de::DeValue;

use crate::spec::{Choices, Depth, Limits, PeerLimits, Traces};
use crate::units;

use super::Reader;
use super::value::{Value, sorted};

/// The settings of trials, beside the options of engines.
const KEYS: [&str; 14] = [
    "model", "define", "property", "engine", "reverse", "seeds", "time", "memory", "states", "minimise", "spin",
    "traces", "tries", "nusmv",
];

/// The names of all settings of trials.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().chain(parameters().into_iter().map(|p| p.name))
}

impl Choices {
    /// What holds when a file does not say: an unguided random walk with one seed.
    pub fn usual() -> Choices {
        Choices {
            models: Vec::new(),
            defines: Vec::new(),
            properties: vec![(Question::Named("safety".to_owned()), Span::default())],
            engines: vec!["walk"],
            options: [
                (&SELECT, "try-a-child"),
                (&GUIDE, ""),
                (&DROP, ""),
                (&BIAS, "steep"),
                (&REVERSE_GUIDE, "false"),
                (&RESTART, "initial"),
                (&UNTIL, "end"),
            ]
            .map(|(parameter, value): (&'static Parameter, &str)| (parameter, vec![value.to_owned()]))
            .to_vec(),
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
    pub(super) fn choice(&mut self, to: &mut Choices, name: &str, value: &Value<'_>) -> bool {
        match name {
            "model" => {
                to.models = self.many(value, |r, v| Some((r.text(v)?, r.place(v.span()))));
            }
            "define" => self.defines(to, value),
            "property" => to.properties = self.many(value, Reader::property),
            "engine" => {
                let mut known: Vec<(&str, &'static str)> =
                    ENGINES.iter().map(|e| (e.info().name, e.info().name)).collect();
                known.push(("portfolio", "auto"));
                to.engines = self.many(value, |r, v| r.word(v, "engine", &known));
            }
            "depth" => to.depths = self.many(value, Reader::depth),
            "seeds" => to.seeds = self.numbers(value),
            "walks" => to.limits.walks = self.positive(value),
            "time" => to.limits.time = self.quantity(value, units::duration).unwrap_or_default(),
            "memory" => to.limits.memory = self.quantity(value, units::size).unwrap_or_default(),
            "states" => to.limits.states = self.positive(value),
            "minimise" => to.minimise = self.many(value, Reader::flag),
            "spin" => to.spin = self.peer(value, "Spin", 1 << 30, Some(10_000)),
            "nusmv" => to.nusmv = self.peer(value, "NuSMV", 2 << 30, None),
            "traces" => {
                let known = [("all", Traces::All), ("first", Traces::First), ("none", Traces::None)];
                to.traces = self.word(value, "choice of traces", &known).unwrap_or(Traces::All);
            }
            "tries" => to.tries = self.flag(value).unwrap_or_default(),
            name => {
                let name = if name == "reverse" { REVERSE_GUIDE.name } else { name };
                let Some(parameter) = parameters().into_iter().find(|p| p.name == name) else { return false };
                let values = self.many(value, |r, v| r.option(parameter, v));
                if values.is_empty() && !self.failed {
                    self.wrong(value, "none of these values is there, which leaves no trials");
                }
                match to.options.iter_mut().find(|(known, _)| std::ptr::eq(*known, parameter)) {
                    Some((_, known)) => *known = values,
                    None => to.options.push((parameter, values)),
                }
            }
        }
        true
    }

    /// A value of an engine parameter, as text; words that mean the default stay as they are.
    fn option(&mut self, parameter: &'static Parameter, value: &Value<'_>) -> Option<String> {
        let text = match (&parameter.kind, value.get_ref()) {
            (Kind::Flag, _) => return self.flag(value).map(|flag| flag.to_string()),
            (Kind::Repeats, DeValue::Integer(_)) => self.positive(value)?.to_string(),
            (_, DeValue::Integer(number)) => number.as_str().to_owned(),
            (_, DeValue::Float(number)) => number.as_str().to_owned(),
            _ => self.text(value)?,
        };
        match &parameter.kind {
            Kind::Repeats if text == "end" => return Some(text),
            Kind::File if text == "auto" => return Some(String::new()),
            Kind::File => return Some(text),
            Kind::Heuristic => return self.heuristic(value, text),
            _ => {}
        }
        let mut options = lurcher::engines::Options::default();
        let added = options.add(parameter, &text).map_err(|why| match parameter.kind {
            Kind::Repeats => {
                let near = did_you_mean(&text, ["end", "loop"].into_iter());
                format!("`{text}` is neither `end` nor `loop` nor a number of repeated states{near}")
            }
            _ => why,
        });
        self.accept(value, added)?;
        Some(text)
    }

    /// A heuristic by name. One that this version does not have is left out, so that files may be written ahead of it.
    fn heuristic(&mut self, value: &Value<'_>, name: String) -> Option<String> {
        let known: Vec<&str> = HEURISTICS.iter().map(|h| h.name).collect();
        if name == "none" || known.contains(&name.as_str()) {
            return Some(name);
        }
        let near = did_you_mean(&name, known.iter().copied());
        let known = known.join(", ");
        let message = format!("there is no guide `{name}`, and its trials are left out; there are none, {known}{near}");
        self.warning(self.place(value.span()), message);
        None
    }

    /// Macros are merged with those that were there before; the same name is replaced.
    fn defines(&mut self, to: &mut Choices, value: &Value<'_>) {
        let table = self.table(value, "macros are a table: { N = [10, 20], FAST = 1 }");
        for (key, value) in table.map(sorted).unwrap_or_default() {
            let name = key.get_ref().to_string();
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                self.wrong(key, format!("`{name}` is no macro name"));
            }
            let values = self.macro_values(value);
            match to.defines.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = values,
                None => to.defines.push((name, values)),
            }
        }
    }

    fn property(&mut self, value: &Value<'_>) -> Option<(Question, Span)> {
        let span = self.place(value.span());
        let Some(table) = value.get_ref().as_table() else {
            return Some((Question::Named(self.text(value)?), span));
        };
        let entries = sorted(table);
        let [(kind, text)] = entries.as_slice() else {
            self.wrong(value, "a property is a name, { ltl = \"…\" } or { invariant = \"…\" }");
            return None;
        };
        let text = self.text(text)?;
        match kind.get_ref().as_ref() {
            "ltl" => Some((Question::Ltl("ltl".to_owned(), text), span)),
            "invariant" => Some((Question::invariant(&text), span)),
            other => {
                self.wrong(value, format!("`{other}` is no kind of property; there are ltl and invariant"));
                None
            }
        }
    }

    /// Depths are evaluated for each instance; here only what no instance could mend is refused.
    fn depth(&mut self, value: &Value<'_>) -> Option<Depth> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().to_owned(),
            _ => self.text(value)?,
        };
        Some(Depth { text, span: self.place(value.span()) })
    }

    pub(super) fn positive(&mut self, value: &Value<'_>) -> Option<u64> {
        let number = self.number(value)?;
        if number == 0 {
            self.wrong(value, "this must be at least 1");
        }
        Some(number)
    }

    /// The limits of a peer: `true` for the usual ones, or a table.
    fn peer(&mut self, value: &Value<'_>, name: &str, memory: u64, depth: Option<u64>) -> Option<PeerLimits> {
        let mut limits = PeerLimits { time: Duration::from_secs(60), memory, depth };
        let Some(table) = value.get_ref().as_table() else {
            return self.flag(value)?.then_some(limits);
        };
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "time" => limits.time = self.quantity(value, units::duration).unwrap_or_default(),
                "memory" => limits.memory = self.quantity(value, units::size).unwrap_or_default(),
                "depth" if depth.is_some() => limits.depth = self.positive(value).map(|d| d.min(u32::MAX.into())),
                other => {
                    let known = if depth.is_some() { "time, memory and depth" } else { "time and memory" };
                    self.wrong(key, format!("there is no limit `{other}` for {name}; there are {known}"));
                }
            }
        }
        Some(limits)
    }
}
