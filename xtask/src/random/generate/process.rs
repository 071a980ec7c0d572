//! Random processes: bodies, labels, `init` and `run`.

use super::scope::Scope;
use super::stmt::Position;
use super::{Generator, Theme};
use crate::random::ast::{Act, Block, Expr, Field, Process, Scalar, Start, Stmt, Type, Var};

impl Generator {
    /// All process types, and `init` where some must be run.
    pub fn processes(&mut self, globals: &Scope) {
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

    /// Makes a process type of a few programs a `D_proctype`.
    pub fn determinism(&mut self) {
        if self.rng.chance(5) {
            let place = self.rng.below(self.types);
            let mut types = self.program.processes.iter_mut().filter(|process| process.start != Start::Init);
            types.nth(place).expect("as many as there are types").deterministic = true;
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
        Process { name, start, parameters, provided, priority: None, deterministic: false, body }
    }

    fn parameters(&mut self, scope: &mut Scope, parameters: &mut Vec<Var>) {
        if self.rng.chance(50) {
            let bits = if self.theme(Theme::Priority) { Scalar::Byte } else { Scalar::Bit };
            let ty = Type::Scalar(*self.rng.pick(&[Scalar::Byte, bits, Scalar::Int]));
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
        for counter in ["i", "j"].iter().filter(|name| text.contains(&format!("for ({name} "))) {
            let ty = Type::Scalar(if self.rng.chance(50) { Scalar::Byte } else { Scalar::Int });
            declarations.push(Act::Declare(Var { name: (*counter).to_owned(), ty, array: None, initial: None }).into());
        }
        declarations.extend(statements);
        declarations
    }

    /// A body that ends in a loop.
    fn cyclic(&mut self, scope: &mut Scope) -> Block {
        let mut statements = self.block(scope, Position::TOP, 0, 2);
        let options = self.loop_options(scope, Position { depth: 1, ..Position::TOP });
        statements.push(Act::Do(options).into());
        statements
    }

    /// The label of a `goto`; it is attached to a statement when the body is complete.
    pub fn target(&mut self) -> String {
        let label = format!("L{}", self.rng.below(self.labels));
        if !self.targets.contains(&label) {
            self.targets.push(label.clone());
        }
        label
    }

    fn attach_labels(&mut self, statements: &mut Block) {
        let mut labels = std::mem::take(&mut self.targets);
        if self.theme(Theme::Labels) {
            let claims = self.theme(Theme::Ltl) || self.theme(Theme::Never);
            let prefixes = ["end", "progress", "here", "accept"];
            for prefix in prefixes.into_iter().filter(|prefix| !claims || *prefix != "accept") {
                if self.rng.chance(40) {
                    labels.push(format!("{prefix}0"));
                }
            }
        }
        // Spin rejects labels on `unless`, jumps into `d_step`, and loops of jumps alone.
        let fit =
            |Stmt { act, .. }: &Stmt| !(matches!(act, Act::Unless(..)) || act.is_d_step() || act.starts_with("goto"));
        for label in labels {
            let places: Vec<usize> = (0..statements.len()).filter(|place| fit(&statements[*place])).collect();
            if places.is_empty() {
                statements.insert(0, Stmt { labels: vec![label], act: Act::skip() });
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
            true => vec![Act::atomic(runs).into()],
            false => runs,
        };
        body.splice(declared..declared, runs);
        Process {
            name: "init".to_owned(),
            start: Start::Init,
            parameters: vec![],
            provided: None,
            priority: None,
            deterministic: false,
            body,
        }
    }

    fn run_statement(&mut self, process: &Process, globals: &Scope) -> Option<Stmt> {
        let mut values = Vec::new();
        for parameter in &process.parameters {
            values.push(match &parameter.ty {
                Type::Chan => self.field_value(Field::Chan, globals)?,
                _ => Expr::constant(self.rng.below(3) as i64),
            });
        }
        let run = Expr::call(&format!("run {}", process.name), values);
        Some(
            match self.place(globals) {
                Some((place, scalar)) if self.rng.chance(10) && scalar != Scalar::Bit => Act::assign(place, run),
                _ => Act::new("$0", vec![run]),
            }
            .into(),
        )
    }
}
