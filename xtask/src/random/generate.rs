//! Random well-typed Promela programs with small state spaces.
//!
//! Each program has a theme: a handful of language features drawn at the start that its statements then prefer, so that
//! features meet each other more often than in an even mixture. Most programs are legal by construction; the few Spin
//! refuses are counted and dropped.

mod claim;
mod expr;
mod message;
mod scope;
mod stmt;

use self::scope::Scope;
use self::stmt::Position;
use super::ast::{Act, Block, Expr, Field, Initial, Inline, Process, Program, Record, Scalar, Start, Stmt, Type, Var};
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

/// A program in the making.
struct Generator {
    rng: Rng,
    program: Program,
    themes: Vec<Theme>,
    signatures: Vec<Vec<Field>>,
    /// Loop counters of the process at hand that no enclosing loop uses.
    free_counters: Vec<String>,
    /// How many labels `goto` may choose from in the process at hand, and which it chose.
    labels: usize,
    targets: Vec<String>,
    in_claim: bool,
    /// How many process types there will be: the more, the fewer instances of each.
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
    }

    fn scalar(&mut self) -> Scalar {
        let symbols = if self.program.symbols.is_empty() { 0 } else { 3 };
        let width = self.rng.between(1, 5) as u8;
        self.rng.weighted(&[
            (3, Scalar::Bit),
            (4, Scalar::Bool),
            (8, Scalar::Byte),
            (2, Scalar::Short),
            (3, Scalar::Int),
            (2, Scalar::Unsigned(width)),
            (symbols, Scalar::Mtype),
            (1, Scalar::Pid),
        ])
    }

    fn record(&mut self) {
        let count = self.rng.between(1, 3);
        let mut fields = Vec::new();
        for position in 0..count {
            let ty = Type::Scalar(self.scalar());
            let array = (self.rng.chance(25) && !matches!(ty, Type::Scalar(Scalar::Unsigned(_)))).then_some(2);
            fields.push(Var { name: format!("f{position}"), ty, array, initial: None });
        }
        self.program.records.push(Record { name: "R".to_owned(), fields });
    }

    /// A number, array or record of this name.
    fn variable(&mut self, name: String) -> Var {
        if !self.program.records.is_empty() && self.rng.chance(25) {
            let array = self.rng.chance(30).then_some(2);
            return Var { name, ty: Type::Record("R".to_owned()), array, initial: None };
        }
        let scalar = self.scalar();
        let array =
            (self.rng.chance(20) && !matches!(scalar, Scalar::Unsigned(_))).then(|| self.rng.between(1, 3) as u8);
        let initial = match scalar {
            _ if self.rng.chance(70) => None,
            Scalar::Mtype => Some(Initial::Value(self.symbol())),
            Scalar::Bit | Scalar::Bool => Some(Initial::Value(Expr::Const(1))),
            _ => Some(Initial::Value(Expr::Const(self.rng.below(3) as i64))),
        };
        Var { name, ty: Type::Scalar(scalar), array, initial }
    }

    fn global_numbers(&mut self, globals: &mut Scope) {
        let count = self.rng.between(1, 4);
        for position in 0..count {
            let var = self.variable(format!("g{position}"));
            globals.declare(&var, &self.program.records);
            self.program.globals.push(var);
        }
    }

    /// Signature 0 carries numbers only; another may carry channels of signature 0.
    fn global_channels(&mut self, globals: &mut Scope) {
        let wanted = self.theme(Theme::Talkative) || self.theme(Theme::Rendezvous) || self.theme(Theme::Channels);
        if !wanted && self.rng.chance(60) {
            return;
        }
        for signature in 0..self.rng.between(1, 2) {
            let count = self.rng.between(1, 3);
            let mut fields: Vec<Field> = (0..count).map(|_| Field::Scalar(self.field_scalar())).collect();
            if signature > 0 && self.theme(Theme::Channels) {
                fields[0] = Field::Chan;
            }
            self.signatures.push(fields);
        }
        let count = self.rng.between(self.signatures.len(), 3);
        for position in 0..count {
            let signature =
                if position < self.signatures.len() { position } else { self.rng.below(self.signatures.len()) };
            let capacity = match self.theme(Theme::Rendezvous) && !self.theme(Theme::Priority) && self.rng.chance(60) {
                true => 0,
                false => self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]),
            };
            let initial = Some(Initial::Channel(capacity, self.signatures[signature].clone()));
            let array = self.rng.chance(15).then_some(2);
            let var = Var { name: format!("q{position}"), ty: Type::Chan, array, initial };
            globals.declare_channel(&var, signature);
            self.program.globals.push(var);
        }
    }

    fn field_scalar(&mut self) -> Scalar {
        match self.scalar() {
            Scalar::Unsigned(_) => Scalar::Byte,
            scalar => scalar,
        }
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

    fn processes(&mut self, globals: &Scope) {
        let run = self.theme(Theme::Run);
        let count = self.rng.weighted(&[(1, 1), (4, 2), (3, 3)]);
        self.types = count;
        let priorities = self.theme(Theme::Priority);
        for position in 0..count {
            let by_run = run && (position == 0 || self.rng.chance(40));
            let mut process = self.process(globals, format!("P{position}"), by_run);
            if priorities {
                process.priority = Some(self.rng.between(1, 3) as u8);
            }
            self.program.processes.push(process);
        }
        if run {
            let init = self.init(globals);
            let first = self.rng.chance(30);
            self.program.processes.insert(if first { 0 } else { count }, init);
        }
    }

    fn process(&mut self, globals: &Scope, name: String, by_run: bool) -> Process {
        let mut scope = globals.clone();
        let mut parameters = Vec::new();
        if by_run {
            self.parameters(&mut scope, &mut parameters);
        }
        let count = match self.types {
            1 => self.rng.weighted(&[(3, 1), (4, 2), (3, 3)]),
            2 => self.rng.weighted(&[(6, 1), (3, 2)]),
            _ => self.rng.weighted(&[(8, 1), (1, 2)]),
        };
        let start = if by_run { Start::Run } else { Start::Active(count) };
        let provided = (self.theme(Theme::Provided) && !self.theme(Theme::Priority) && self.rng.chance(50))
            .then(|| self.condition(globals, 0));
        let body = self.body(scope, 2, if self.types > 2 { 3 } else { 5 });
        Process { name, start, parameters, provided, priority: None, body }
    }

    fn parameters(&mut self, scope: &mut Scope, parameters: &mut Vec<Var>) {
        if self.rng.chance(50) {
            let ty = Type::Scalar(*self.rng.pick(&[Scalar::Byte, Scalar::Bit, Scalar::Int]));
            parameters.push(Var { name: "n".to_owned(), ty, array: None, initial: None });
            scope.declare(&parameters[0], &[]);
        }
        if !self.signatures.is_empty() && self.rng.chance(60) {
            let var = Var { name: "c".to_owned(), ty: Type::Chan, array: None, initial: None };
            scope.declare_channel(&var, 0);
            parameters.push(var);
        }
    }

    /// Declarations and statements of a process, with the labels its `goto`s need.
    fn body(&mut self, mut scope: Scope, low: usize, high: usize) -> Block {
        let mut declarations = self.locals(&mut scope);
        self.free_counters = vec!["i".to_owned(), "j".to_owned()];
        self.targets.clear();
        self.labels = 2;
        let mut statements = match low > 0 && self.rng.chance(50) {
            true => self.cyclic(&mut scope),
            false => self.block(&mut scope, Position::TOP, low, high),
        };
        self.attach_labels(&mut statements);
        let text = format!("{statements:?}");
        for counter in ["i", "j"]
            .iter()
            .filter(|name| text.contains(&format!("For(\"{name}\"")) || text.contains(&format!("ForIn(\"{name}\"")))
        {
            let ty = Type::Scalar(if self.rng.chance(50) { Scalar::Byte } else { Scalar::Int });
            declarations.push(Act::Declare(Var { name: (*counter).to_owned(), ty, array: None, initial: None }).into());
        }
        declarations.extend(statements);
        declarations
    }

    /// A body that is a loop, perhaps with something before it.
    fn cyclic(&mut self, scope: &mut Scope) -> Block {
        let mut statements = self.block(scope, Position::TOP, 0, 2);
        let options = self.loop_options(scope, Position { depth: 1, ..Position::TOP });
        statements.push(Act::Do(options).into());
        statements
    }

    fn locals(&mut self, scope: &mut Scope) -> Block {
        let mut declarations = Block::new();
        for position in 0..self.rng.below(3) {
            let var = self.variable(format!("l{position}"));
            scope.declare(&var, &self.program.records);
            declarations.push(Act::Declare(var).into());
        }
        if !self.signatures.is_empty() && self.theme(Theme::Channels) && self.rng.chance(50) {
            let owned = self.rng.chance(50);
            let initial = owned.then(|| Initial::Channel(self.rng.between(1, 2) as u8, self.signatures[0].clone()));
            let var = Var { name: "lc".to_owned(), ty: Type::Chan, array: None, initial };
            if owned || self.rng.chance(30) {
                scope.declare_channel(&var, 0);
            }
            if !owned {
                scope.holders.push((var.name.clone(), 0));
            }
            declarations.push(Act::Declare(var).into());
        }
        declarations
    }

    /// The label a `goto` goes to; it is put somewhere when the body is done.
    fn target(&mut self) -> String {
        let label = format!("L{}", self.rng.below(self.labels));
        if !self.targets.contains(&label) {
            self.targets.push(label.clone());
        }
        label
    }

    fn attach_labels(&mut self, statements: &mut Block) {
        let mut labels = std::mem::take(&mut self.targets);
        if self.theme(Theme::Labels) {
            for prefix in ["end", "progress", "here"] {
                if self.rng.chance(40) {
                    labels.push(format!("{prefix}0"));
                }
            }
        }
        // Spin wants no label on `unless`, no jump into `d_step`, and no loop made of jumps alone.
        let fit = |statement: &Stmt| !matches!(statement.act, Act::Unless(..) | Act::DStep(_) | Act::Goto(_));
        for label in labels {
            let places: Vec<usize> = (0..statements.len()).filter(|place| fit(&statements[*place])).collect();
            if places.is_empty() {
                statements.insert(0, Stmt { labels: vec![label], act: Act::Skip });
            } else {
                statements[*self.rng.pick(&places)].labels.push(label);
            }
        }
    }

    /// `init`, which runs the processes that do not start by themselves.
    fn init(&mut self, globals: &Scope) -> Process {
        let mut runs = Block::new();
        for process in self.program.processes.clone() {
            if process.start == Start::Run {
                for _ in 0..self.rng.weighted(&[(4, 1), (2, 2)]) {
                    runs.extend(self.run_statement(&process, globals));
                }
            }
        }
        let mut scope = globals.clone();
        scope.places.retain(|place| place.length.is_none());
        let mut body = self.body(scope, 0, 2);
        let declared = body.iter().take_while(|statement| matches!(statement.act, Act::Declare(_))).count();
        let runs = match self.rng.chance(60) {
            true => vec![Act::Atomic(runs).into()],
            false => runs,
        };
        body.splice(declared..declared, runs);
        Process {
            name: "init".to_owned(),
            start: Start::Init,
            parameters: vec![],
            provided: None,
            priority: None,
            body,
        }
    }

    fn run_statement(&mut self, process: &Process, globals: &Scope) -> Option<Stmt> {
        let mut values = Vec::new();
        for parameter in &process.parameters {
            values.push(match &parameter.ty {
                Type::Chan => self.field_value(Field::Chan, globals)?,
                _ => Expr::Const(self.rng.below(3) as i64),
            });
        }
        let run = Expr::Run(process.name.clone(), values);
        Some(
            match self.place(globals) {
                Some((place, scalar)) if self.rng.chance(10) && scalar != Scalar::Bit => Act::Assign(place, run),
                _ => Act::Guard(run),
            }
            .into(),
        )
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
