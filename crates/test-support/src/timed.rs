//! Small random real-time specifications, as ASTRAL text.
//!
//! The process `Own` has up to three transitions, two truth values or an enumeration, and a ranged integer; it imports a truth
//! value of `other`, sometimes a number and a transition. Clauses speak of changes, starts, ends, calls and the past. Some of
//! them have no value at some instants, and some exit assertions cannot be satisfied.

use crate::Random;

/// A random specification. Lower it for the process `Own`; all constants are meant to lie between 1 and 3.
pub fn timed_specification(random: &mut Random) -> String {
    let mut generator = Generator { random, variables: Vec::new(), transitions: Vec::new(), constants: Vec::new() };
    generator.specification()
}

/// What the type of a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Colour,
    Small,
}

struct Variable {
    name: &'static str,
    kind: Kind,
    own: bool,
}

struct Declared {
    name: &'static str,
    exported: bool,
    /// The type of its parameter.
    parameter: Option<&'static str>,
}

struct Generator<'r> {
    random: &'r mut Random,
    variables: Vec<Variable>,
    transitions: Vec<Declared>,
    constants: Vec<&'static str>,
}

impl Generator<'_> {
    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len())]
    }

    fn specification(&mut self) -> String {
        self.declare();
        let pokes = self.chance(15);
        let count = self.variables.iter().any(|v| v.name == "other.count");
        let (exports, counts, at_first) =
            if count { (", count", ", count: small", " & count = 0") } else { ("", "", "") };
        let import_count = if count { ", other.count" } else { "" };
        let import_poke = if pokes { ", other.poke" } else { "" };
        let constants = match self.constants.len() {
            0 => String::new(),
            _ => format!("CONSTANT {}: positive\n", self.constants.join(", ")),
        };
        let own: Vec<String> = self.variables.iter().filter(|v| v.own).map(declaration).collect();
        let exported: Vec<&str> = self.transitions.iter().filter(|t| t.exported).map(|t| t.name).collect();
        let exported = if exported.is_empty() { String::new() } else { format!("EXPORT {}\n", exported.join(", ")) };
        let clauses = self.clauses(pokes);
        let transitions: Vec<String> = (0..self.transitions.len()).map(|index| self.transition(index)).collect();
        format!(
            "SPECIFICATION Small
GLOBAL SPECIFICATION Small
PROCESSES it: Own, other: Other
TYPE positive: TYPEDEF i: INTEGER (i > 0), small: TYPEDEF i: INTEGER (0 <= i & i <= 2), colour: (red, green, blue)
END Small
PROCESS SPECIFICATION Other
LEVEL Top IMPORT small EXPORT signal, poke{exports} VARIABLE signal: BOOLEAN{counts} INITIAL ~signal{at_first}
TRANSITION poke ENTRY [TIME: 1] TRUE EXIT signal = ~signal'
END Top
END Other
PROCESS SPECIFICATION Own
LEVEL Top
IMPORT positive, small, colour, other.signal{import_count}{import_poke}
{exported}{constants}VARIABLE {}
{clauses}
{}
END Top
END Own
END Small
",
            own.join(", "),
            transitions.join("\n"),
        )
    }

    fn declare(&mut self) {
        let (truths, colour) = if self.chance(50) { (2, false) } else { (usize::from(self.chance(40)), true) };
        for name in ["a", "b"].into_iter().take(truths) {
            self.variables.push(Variable { name, kind: Kind::Truth, own: true });
        }
        if colour {
            self.variables.push(Variable { name: "mode", kind: Kind::Colour, own: true });
        }
        if self.chance(60) {
            self.variables.push(Variable { name: "n", kind: Kind::Small, own: true });
        }
        self.variables.push(Variable { name: "other.signal", kind: Kind::Truth, own: false });
        if self.chance(20) {
            self.variables.push(Variable { name: "other.count", kind: Kind::Small, own: false });
        }
        let many = 1 + self.random.below(3);
        for name in ["t", "u", "w"].into_iter().take(many) {
            let exported = self.chance(40);
            let parameter = match self.random.below(10) {
                0 => Some("small"),
                1 if exported => Some("INTEGER"),
                _ => None,
            };
            self.transitions.push(Declared { name, exported, parameter });
        }
        let constants = self.random.below(3);
        self.constants = ["c", "d"][..constants].to_vec();
    }

    fn clauses(&mut self, pokes: bool) -> String {
        let mut clauses = String::new();
        let mut clause = |name: &str, formula: String| clauses += &format!("{name} {formula}\n");
        if self.constants.len() == 2 && self.chance(50) {
            clause("AXIOM", self.one_of(&["c <= d", "c + d <= 4", "d > c | c = 3"]).to_owned());
        }
        let own: Vec<(&str, Kind)> = self.variables.iter().filter(|v| v.own).map(|v| (v.name, v.kind)).collect();
        let mut initial: Vec<String> = Vec::new();
        for (name, kind) in own {
            match kind {
                _ if self.chance(20) => {}
                Kind::Truth => initial.push(format!("~{name}")),
                Kind::Colour => initial.push(format!("{name} = red")),
                Kind::Small => initial.push(format!("{name} = 0")),
            }
        }
        clause("INITIAL", if initial.is_empty() { "TRUE".to_owned() } else { initial.join(" & ") });
        if let (Some(called), true) = (self.transitions.iter().find(|t| t.exported).map(|t| t.name), self.chance(60)) {
            let time = self.time();
            clause("ENVIRONMENT", self.seldom(&format!("Call({called}, now)"), &format!("Call[2]({called}"), &time));
        }
        if self.chance(70) {
            let time = self.time();
            let formula = match self.random.below(3) {
                0 => self.seldom("Change(other.signal, now)", "Change[2](other.signal", &time),
                1 => format!(
                    "Change(other.signal, now) & ~other.signal
  -> FORALL t: TIME (now - {time} <= t & t < now -> past(other.signal, t))"
                ),
                _ if pokes => format!("Change(other.signal, now) -> other.End(poke, now) & now >= {time}"),
                _ => format!("other.signal -> now >= {time}"),
            };
            clause("IMPORTED VARIABLE", formula);
        } else if pokes {
            clause("IMPORTED VARIABLE", "other.Start(poke, now) -> ~other.signal | other.Call(poke, now)".to_owned());
        }
        clause("INVARIANT", format!("{} & ({})", self.formula(2), self.formula(1)));
        clause("SCHEDULE", self.formula(2));
        if self.chance(50) {
            let primed = self.primed();
            clause("CONSTRAINT", format!("{primed} -> {}", self.formula(1)));
        }
        clauses
    }

    /// An event happens only so long after the one before it.
    fn seldom(&mut self, event: &str, before: &str, time: &str) -> String {
        format!("{event} & (EXISTS t: TIME ({before}, t))) -> now - {before}) >= {time}")
    }

    /// A number of instants.
    fn time(&mut self) -> String {
        let constant = self.constants.first().copied();
        match constant {
            Some(_) if self.chance(50) => {
                let index = self.random.below(self.constants.len());
                self.constants[index].to_owned()
            }
            _ => (1 + self.random.below(3)).to_string(),
        }
    }

    /// A formula about now and the run so far.
    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(30) {
            return format!("({})", self.atom());
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.below(6) {
            0 | 1 => format!("({a} & {b})"),
            2 | 3 => format!("({a} | {b})"),
            4 => format!("({a} -> {b})"),
            _ => format!("~{a}"),
        }
    }

    fn atom(&mut self) -> String {
        if self.chance(50) {
            return self.state();
        }
        let (state, time) = (self.state(), self.time());
        let variable = self.random.below(self.variables.len());
        let variable = self.variables[variable].name;
        let transition = self.random.below(self.transitions.len());
        let Declared { name, exported, parameter } = self.transitions[transition];
        let happens = self.one_of(if exported { &["Start", "End", "Call"] } else { &["Start", "End"] });
        let event = if parameter.is_some() && self.chance(40) { format!("{name}(1)") } else { name.to_owned() };
        match self.random.below(15) {
            0 => format!("EXISTS t: TIME (Change(({happens}({event}, now)), t) & now - t <= {time})"),
            14 => format!("now >= {time}"),
            1 => format!("Change({variable}, now)"),
            2 => format!("{happens}({event}, now)"),
            3 => format!("EXISTS t: TIME ({happens}({event}, t) & now - t >= {time})"),
            4 => format!("EXISTS t: TIME (Change({variable}, t) & now - t <= {time})"),
            5 => format!("EXISTS t: TIME (now - {time} <= t & t <= now & past({state}, t))"),
            6 => format!("FORALL t: TIME (now - {time} <= t & t < now -> past({state}, t))"),
            7 => format!("now >= {time} & past({state}, now - {time})"),
            8 => format!("EXISTS t: TIME ({happens}[2]({event}, t))"),
            9 => format!("FORALL t: TIME (past({state}, t) -> t + {time} <= now)"),
            10 => format!("EXISTS t: TIME (Change({variable}, t) & past({happens}({event}, t), t))"),
            // These have no value at first.
            11 => format!("now - {happens}({event}) >= {time}"),
            12 => format!("now - Change({variable}) >= {time}"),
            _ => format!("past({state}, now - {time})"),
        }
    }

    /// A formula about the values of variables.
    fn state(&mut self) -> String {
        let variable = self.random.below(self.variables.len());
        let Variable { name, kind, .. } = self.variables[variable];
        match kind {
            Kind::Truth => self.one_of(&["", "~"]).to_owned() + name,
            Kind::Colour => format!("({name} = {})", self.one_of(&["red", "green", "blue"])),
            Kind::Small => format!("({name} {} {})", self.one_of(&["=", "<=", ">="]), 1 + self.random.below(2)),
        }
    }

    /// A formula about the start of a transition.
    fn primed(&mut self) -> String {
        let Variable { name, kind, .. } = self.variables[0];
        match kind {
            Kind::Truth => format!("{name}'"),
            Kind::Colour => format!("({name}' = {})", self.one_of(&["red", "green"])),
            Kind::Small => format!("({name}' >= 1)"),
        }
    }

    fn transition(&mut self, index: usize) -> String {
        let Declared { name, parameter, .. } = self.transitions[index];
        let parameters = parameter.map_or(String::new(), |ty| format!("(p: {ty})"));
        let reads = parameter.is_some() && self.chance(60);
        let guard =
            if reads { format!(" & (p {} 1 | now >= 2)", self.one_of(&["=", "<=", ">="])) } else { String::new() };
        let entry = if self.chance(10) { "TRUE".to_owned() } else { self.formula(1) };
        let case = format!("ENTRY [TIME: {}] {entry}{guard}\n  EXIT {}", self.duration(), self.exit(parameter));
        let exception = match self.chance(20) {
            true => {
                let entry = self.formula(1);
                format!("\n  EXCEPT [TIME: {}] {entry}\n  EXIT {}", self.duration(), self.exit(parameter))
            }
            false => String::new(),
        };
        format!("TRANSITION {name}{parameters}\n  {case}{exception}")
    }

    fn duration(&mut self) -> String {
        self.time()
    }

    fn exit(&mut self, parameter: Option<&str>) -> String {
        let own: Vec<(&str, Kind)> = self.variables.iter().filter(|v| v.own).map(|v| (v.name, v.kind)).collect();
        let mut parts = Vec::new();
        for (name, kind) in own {
            if self.chance(40) {
                continue;
            }
            parts.push(match (kind, self.random.below(6)) {
                (Kind::Truth, 0 | 1) => name.to_owned(),
                (Kind::Truth, 2) => format!("~{name}"),
                (Kind::Truth, 3) => format!("{name} = ~{name}'"),
                (Kind::Truth, 4) => format!("({name} | other.signal)"),
                (Kind::Truth, _) => format!("({name} <-> now >= 2)"),
                (Kind::Colour, 0..=2) => format!("{name} = {}", self.one_of(&["red", "green", "blue"])),
                (Kind::Colour, 3) => format!("{name} ~= {name}'"),
                (Kind::Colour, 4) => format!("IF {name}' = red THEN {name} = green ELSE {name} = red FI"),
                (Kind::Colour, _) => format!("({name} = red | {name} = blue)"),
                (Kind::Small, 0 | 1) => format!("IF {name}' < 2 THEN {name} = {name}' + 1 ELSE {name} = 0 FI"),
                (Kind::Small, 2) => format!("{name} = {name}' + 1"),
                (Kind::Small, 3) if parameter.is_some() => format!("(p >= 0 & p <= 2 -> {name} = p)"),
                (Kind::Small, 4) => format!("{name} >= {name}'"),
                (Kind::Small, _) => format!("{name} = {}", self.random.below(3)),
            });
        }
        if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") }
    }
}

fn declaration(variable: &Variable) -> String {
    let ty = match variable.kind {
        Kind::Truth => "BOOLEAN",
        Kind::Colour => "colour",
        Kind::Small => "small",
    };
    format!("{}: {ty}", variable.name)
}
