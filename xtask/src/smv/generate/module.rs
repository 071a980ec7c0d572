//! Random modules: declarations, assignments, constraints, specifications.

use super::super::program::{Item, Kind, Module, Node, Program};
use super::expression::Writer;
use super::types::{Name, SYMBOLS, Scope, Type};
use crate::random::rng::Rng;
use crate::tree::holes;

/// The most valuations of state variables.
const SPACE: usize = 3000;

/// A module under construction.
struct Draft<'a> {
    rng: &'a mut Rng,
    modern: bool,
    items: Vec<Item>,
    /// Valuations that further variables may multiply by.
    room: usize,
}

/// A module that can be instantiated.
struct Part {
    module: Module,
    /// The types of its parameters.
    parameters: Vec<Type>,
    /// It assigns the next value of its first parameter.
    writes: bool,
    /// Its names that are visible outside.
    names: Vec<Name>,
    /// Valuations of one instance.
    space: usize,
}
pub fn program(rng: &mut Rng, modern: bool) -> Program {
    let room = SPACE;
    let mut draft = Draft { rng, modern, items: Vec::new(), room };
    let symbols = Node::leaf(Kind::Statement, format!("{};", SYMBOLS.join(", ")));
    draft.items.push(Item { keyword: "CONSTANTS", body: symbols });
    let count = draft.rng.between(1, 4);
    let variables = draft.variables("VAR", "x", count, true);
    let inputs = if draft.rng.chance(30) { draft.inputs() } else { Vec::new() };
    let count = usize::from(draft.rng.chance(20));
    let frozen = draft.variables("FROZENVAR", "f", count, false);
    let mut states = [frozen.clone(), variables.clone()].concat();
    let part = if draft.rng.chance(45) { draft.part(&variables) } else { None };
    let mut written = None;
    let mut inside = Vec::new();
    if let Some(part) = &part {
        (written, inside) = draft.instances(part, &variables, &states);
    }
    let mut readable = [states.clone(), inside].concat();
    readable.extend(draft.defines("d", &states));
    draft.assignments(&states, &readable, &inputs, written.as_deref());
    states.clone_from(&readable);
    draft.constraints(&states, &inputs);
    let processes = draft.items.iter().any(|item| item.body.template.contains(" : process "));
    let compassion = inputs.is_empty() && !processes;
    draft.fairness(&states, &inputs, compassion);
    draft.specifications(&states, &inputs);
    let main = Module { head: "main".to_owned(), items: draft.items };
    Program { modules: part.map(|part| part.module).into_iter().chain([main]).collect() }
}

impl Draft<'_> {
    fn add(&mut self, keyword: &'static str, template: impl Into<String>, parts: Vec<Node>) {
        self.items.push(Item { keyword, body: Node::new(Kind::Statement, template, parts) });
    }

    fn writer(&mut self, scope: Scope) -> Writer<'_> {
        Writer { rng: &mut *self.rng, scope, modern: self.modern }
    }

    fn variables(&mut self, keyword: &'static str, letter: &str, count: usize, changes: bool) -> Vec<Name> {
        let mut names = Vec::new();
        for number in 0..count {
            let most = self.room.min(16);
            if most < 2 {
                break;
            }
            let of = Type::random(self.rng, most);
            self.room /= of.values();
            let text = format!("{letter}{number}");
            self.add(keyword, format!("{text} : {of};"), Vec::new());
            names.push(Name { text, of, changes });
        }
        names
    }

    fn inputs(&mut self) -> Vec<Name> {
        let of = Type::random(self.rng, 4);
        self.add("IVAR", format!("i0 : {of};"), Vec::new());
        vec![Name { text: "i0".to_owned(), of, changes: false }]
    }

    /// Names for expressions over other names.
    fn defines(&mut self, letter: &str, names: &[Name]) -> Vec<Name> {
        let mut found: Vec<Name> = Vec::new();
        for number in 0..self.rng.below(3) {
            let of = match self.rng.below(4) {
                0 => Type::Range(0, 0),
                1 => Type::Word(self.rng.chance(40), self.rng.between(1, 3) as u32),
                _ => Type::Bool,
            };
            let scope = Scope::of(&[names, &found].concat());
            let body = self.writer(scope).expression(of.kind(), 2);
            let text = format!("{letter}{number}");
            self.add("DEFINE", format!("{text} := $0;"), vec![body]);
            found.push(Name { text, of, changes: true });
        }
        found
    }

    /// A module to be instantiated; its parameters take the types of variables.
    fn part(&mut self, variables: &[Name]) -> Option<Part> {
        let plain: Vec<Name> = variables.iter().filter(|v| !matches!(v.of, Type::Array(..))).cloned().collect();
        if plain.is_empty() || self.room < 4 {
            return None;
        }
        let parameters: Vec<Type> = (0..self.rng.between(1, 2)).map(|_| self.rng.pick(&plain).of.clone()).collect();
        let mut inner = Draft { rng: &mut *self.rng, modern: self.modern, items: Vec::new(), room: self.room.min(8) };
        let before = inner.room;
        let count = inner.rng.between(0, 2);
        let own = inner.variables("VAR", "v", count, true);
        let space = before / inner.room.max(1);
        let formal = |(number, of): (usize, &Type)| Name { text: format!("p{number}"), of: of.clone(), changes: false };
        let formals: Vec<Name> = parameters.iter().enumerate().map(formal).collect();
        let mut readable = [formals.clone(), own.clone()].concat();
        let defines = inner.defines("e", &readable);
        readable.extend(defines.clone());
        inner.assignments(&own, &readable, &[], None);
        let writes = inner.rng.chance(35);
        if writes {
            let value = inner.writer(Scope::of(&readable)).choice(&parameters[0], 2);
            inner.add("ASSIGN", "next(p0) := $0;", vec![value]);
        }
        let heads: Vec<String> = formals.iter().map(|name| name.text.clone()).collect();
        let module = Module { head: format!("part({})", heads.join(", ")), items: inner.items };
        Some(Part { module, parameters, writes, names: [own, defines].concat(), space: space.max(1) })
    }

    /// Instances of a module: the variable that they write, and their visible names.
    fn instances(&mut self, part: &Part, variables: &[Name], states: &[Name]) -> (Option<String>, Vec<Name>) {
        let process = self.rng.chance(40);
        let wanted = if part.writes && !process { 1 } else { self.rng.between(1, 2) };
        let written = variables.iter().find(|v| v.of == part.parameters[0]).filter(|_| part.writes);
        let mut seen = Vec::new();
        for number in 0..wanted {
            if self.room < part.space {
                break;
            }
            self.room /= part.space;
            let mut actuals = Vec::new();
            for (position, of) in part.parameters.iter().enumerate() {
                actuals.push(match written.filter(|_| position == 0) {
                    Some(name) => Node::leaf(of.kind(), &name.text),
                    None => self.writer(Scope::of(states)).value(of, 1),
                });
            }
            let holes = holes(0, actuals.len());
            let keyword = if process { "process " } else { "" };
            self.add("VAR", format!("s{number} : {keyword}part({holes});"), actuals);
            if process && self.rng.chance(40) {
                self.add("FAIRNESS", format!("s{number}.running"), Vec::new());
            }
            let outside = |name: &Name| Name { text: format!("s{number}.{}", name.text), ..name.clone() };
            seen.extend(part.names.iter().map(outside));
        }
        (written.filter(|_| wanted > 0).map(|name| name.text.clone()), seen)
    }

    /// Assigns variables; each assignment reads earlier variables only.
    fn assignments(&mut self, variables: &[Name], readable: &[Name], inputs: &[Name], written: Option<&str>) {
        let others: Vec<Name> = readable.iter().filter(|r| r.text.starts_with('p')).cloned().collect();
        for (position, name) in variables.iter().enumerate() {
            let places: Vec<String> = match &name.of {
                Type::Array(low, high, _) => (*low..=*high).map(|index| format!("{}[{index}]", name.text)).collect(),
                _ => vec![name.text.clone()],
            };
            let before = [&variables[..position], &others].concat();
            for place in places {
                let now = Scope::of(&before);
                let later = Scope::of(&[readable, inputs].concat()).with_next(&variables[..position]);
                let keeps = written == Some(place.as_str());
                if !keeps && name.changes && self.rng.chance(8) {
                    let value = self.writer(now).choice(&name.of, 2);
                    self.add("ASSIGN", format!("{place} := $0;"), vec![value]);
                    continue;
                }
                if self.rng.chance(65) {
                    let value = self.writer(now).choice(&name.of, 1);
                    self.add("ASSIGN", format!("init({place}) := $0;"), vec![value]);
                }
                if !keeps && name.changes && self.rng.chance(80) {
                    let value = self.writer(later).choice(&name.of, 3);
                    self.add("ASSIGN", format!("next({place}) := $0;"), vec![value]);
                }
            }
        }
    }

    fn constraints(&mut self, states: &[Name], inputs: &[Name]) {
        let step = Scope::of(&[states, inputs].concat()).with_next(states);
        for (keyword, percent, scope) in
            [("INIT", 20, Scope::of(states)), ("INVAR", 12, Scope::of(states)), ("TRANS", 30, step)]
        {
            if self.rng.chance(percent) {
                let mut writer = self.writer(scope);
                // Two of three constraints are weak, so that states remain.
                let body = match writer.rng.below(3) {
                    0 => writer.truth(2),
                    _ => Node::new(Kind::Bool, "($0 | $1)", vec![writer.truth(1), writer.truth(2)]),
                };
                self.add(keyword, "$0", vec![body]);
            }
        }
    }

    /// No compassion beside inputs or processes: NuSMV then misses fair paths.
    fn fairness(&mut self, states: &[Name], inputs: &[Name], compassion: bool) {
        while self.rng.chance(25) {
            let inputs = if self.rng.chance(20) { inputs } else { &[] };
            let mut writer = self.writer(Scope::of(&[states, inputs].concat()));
            let (one, other) = (writer.truth(1), writer.truth(1));
            match self.rng.below(4) {
                0 if compassion => self.add("COMPASSION", "($0, $1)", vec![one, other]),
                1 => self.add("JUSTICE", "$0", vec![one]),
                _ => self.add("FAIRNESS", "$0", vec![one]),
            }
        }
    }

    fn specifications(&mut self, states: &[Name], inputs: &[Name]) {
        let both = [states, inputs].concat();
        for number in 0..6 {
            let about_steps = self.rng.chance(25);
            let linear = if about_steps { Scope::of(&both) } else { Scope::of(states) };
            let with_next = if about_steps { linear.clone().with_next(states) } else { linear.clone() };
            let template = format!("NAME q{number} := $0;");
            match number / 2 {
                0 => {
                    let body = self.writer(with_next).truth(2);
                    self.add("INVARSPEC", template, vec![body]);
                }
                1 => {
                    let body = self.writer(Scope::of(states)).ctl(3);
                    self.add("CTLSPEC", template, vec![body]);
                }
                _ => {
                    let next = self.modern && self.rng.chance(40);
                    let body = self.writer(if next { with_next } else { linear }).ltl(3);
                    self.add("LTLSPEC", template, vec![body]);
                }
            }
        }
    }
}
