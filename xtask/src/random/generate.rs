//! Random well-typed Promela programs with small state spaces.
//!
//! Each program has themes: language features drawn at the start that its statements prefer, so that features occur together
//! more often than in an even mixture. Most programs are legal by construction; those that Spin rejects are counted and dropped.

mod certain;
mod claim;
mod declare;
mod expr;
mod form;
mod message;
mod process;
mod scope;
mod stmt;

use self::scope::Scope;
use self::stmt::Position;
use super::ast::{Field, Inline, Program, Scalar, Type, Var};
use super::rng::Rng;

/// A language feature a program may favour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    Talkative,
    Rendezvous,
    Channels,
    Records,
    Atomic,
    Unless,
    Goto,
    Timeout,
    Faults,
    Wide,
    Counting,
    Last,
    Run,
    Provided,
    Priority,
    Inline,
    Labels,
    Ltl,
    Never,
    Enabled,
}

/// Themes and how many programs in a hundred have them.
const THEMES: [(usize, Theme); 20] = [
    (45, Theme::Talkative),
    (35, Theme::Rendezvous),
    (20, Theme::Channels),
    (25, Theme::Records),
    (45, Theme::Atomic),
    (30, Theme::Unless),
    (35, Theme::Goto),
    (25, Theme::Timeout),
    (6, Theme::Faults),
    (25, Theme::Wide),
    (20, Theme::Counting),
    (8, Theme::Last),
    (30, Theme::Run),
    (8, Theme::Provided),
    (4, Theme::Priority),
    (20, Theme::Inline),
    (40, Theme::Labels),
    (35, Theme::Ltl),
    (15, Theme::Never),
    (10, Theme::Enabled),
];

/// A program under construction.
struct Generator {
    rng: Rng,
    program: Program,
    themes: Vec<Theme>,
    signatures: Vec<Vec<Field>>,
    /// Loop counters of the current process that no enclosing loop uses.
    free_counters: Vec<String>,
    /// How many labels `goto` may choose from in the current process, and those it chose.
    labels: usize,
    targets: Vec<String>,
    in_claim: bool,
    /// The number of process types: the more, the fewer instances of each.
    types: usize,
    fresh: usize,
}

/// Program `index` under `seed`.
pub fn program(seed: u64, index: u64) -> Program {
    let mut rng = Rng::of_program(seed, index);
    let themes = THEMES.iter().filter(|(percent, _)| rng.chance(*percent)).map(|(_, theme)| *theme).collect();
    let mut generator = Generator {
        rng,
        program: Program::default(),
        themes,
        signatures: Vec::new(),
        free_counters: Vec::new(),
        labels: 0,
        targets: Vec::new(),
        in_claim: false,
        types: 0,
        fresh: 0,
    };
    generator.generate();
    generator.program
}

impl Generator {
    fn theme(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn generate(&mut self) {
        if self.rng.chance(40) {
            self.program.symbols = ["red", "green", "blue"].map(str::to_owned).to_vec();
        }
        if self.theme(Theme::Records) {
            self.record();
        }
        let mut globals = Scope::default();
        self.global_numbers(&mut globals);
        self.global_channels(&mut globals);
        if self.theme(Theme::Inline) {
            self.inline(&globals);
        }
        self.processes(&globals);
        self.claims(&globals);
        self.determinism();
    }

    fn inline(&mut self, globals: &Scope) {
        let parameters: Vec<String> =
            ["a", "b"].iter().take(self.rng.between(1, 2)).map(|name| (*name).to_owned()).collect();
        let mut scope = globals.clone();
        let var =
            |name: &String| Var { name: name.clone(), ty: Type::Scalar(Scalar::Byte), array: None, initial: None };
        scope.declare(&var(&parameters[0]), &[]);
        scope.counters.extend(parameters.get(1).cloned());
        let body = self.block(&mut scope, Position { depth: 2, ..Position::TOP }, 1, 2);
        self.program.inlines.push(Inline { name: "act".to_owned(), parameters, body });
    }

    fn claims(&mut self, globals: &Scope) {
        self.in_claim = true;
        if self.theme(Theme::Ltl) {
            for position in 0..self.rng.between(1, 2) {
                let formula = self.formula(globals);
                self.program.ltl.push((format!("p{position}"), formula));
            }
        } else if self.theme(Theme::Never) {
            self.program.never = Some(self.never(globals));
        }
    }
}
