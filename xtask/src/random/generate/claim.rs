//! Random claims: temporal formulas and never claims over globals.

use super::scope::Scope;
use super::{Generator, Theme};
use crate::random::ast::{Act, Block, Expr, Sort, Start, Stmt, Type, Var};

impl Generator {
    /// A temporal formula with at most three temporal operators and no `X`, which Debian's Spin refuses.
    pub fn formula(&mut self, scope: &Scope) -> Expr {
        let always = |inner| unary("[]", inner);
        let eventually = |inner| unary("<>", inner);
        let (p, q) = (self.atom(scope), self.atom(scope));
        match self.rng.below(12) {
            0 => always(p),
            1 => eventually(p),
            2 => always(eventually(p)),
            3 => eventually(always(p)),
            4 => always(binary("->", p, eventually(q))),
            5 => binary("U", p, q),
            6 => binary("->", always(eventually(p)), always(eventually(q))),
            _ => self.free_formula(scope, &mut 3, 3),
        }
    }

    fn free_formula(&mut self, scope: &Scope, temporal: &mut usize, depth: usize) -> Expr {
        if depth == 0 {
            return self.atom(scope);
        }
        if *temporal > 0 && self.rng.chance(60) {
            *temporal -= 1;
            return match self.rng.below(6) {
                0 => unary("[]", self.free_formula(scope, temporal, depth - 1)),
                1 => unary("<>", self.free_formula(scope, temporal, depth - 1)),
                2 => unary("always", self.free_formula(scope, temporal, depth - 1)),
                _ => {
                    let op = *self.rng.pick(&["U", "W", "V", "until", "weakuntil", "release"]);
                    let left = self.free_formula(scope, temporal, depth - 1);
                    binary(op, left, self.free_formula(scope, temporal, depth - 1))
                }
            };
        }
        match self.rng.below(6) {
            0 => unary("!", self.free_formula(scope, temporal, depth - 1)),
            1..4 => {
                // Spin expands `<->` in both directions, so nested ones take too long.
                let op = *self.rng.pick(if depth == 3 { &["&&", "||", "->", "<->"] } else { &["&&", "||", "->"][..] });
                let left = self.free_formula(scope, temporal, depth - 1);
                binary(op, left, self.free_formula(scope, temporal, depth - 1))
            }
            _ => self.atom(scope),
        }
    }

    fn atom(&mut self, scope: &Scope) -> Expr {
        Expr::new(Sort::Formula, "($0)", vec![self.proposition(scope)])
    }

    /// A condition over globals, or over the location or a local of a process.
    fn proposition(&mut self, scope: &Scope) -> Expr {
        if self.rng.chance(30)
            && let Some(remote) = self.remote()
        {
            return remote;
        }
        self.condition(scope, 0)
    }

    /// `Process[pid]@label` or `Process[pid]:variable == 1`, in programs where pids are known from the start.
    fn remote(&mut self) -> Option<Expr> {
        if self.program.processes.iter().any(|process| process.start == Start::Run) {
            return None;
        }
        let mut known = Vec::new();
        let mut pid = 0;
        for process in &self.program.processes {
            let count = if let Start::Active(count) = process.start { count } else { 1 };
            let instance = format!("{}[{}]", process.name, pid + self.rng.below(count.into()) as u8);
            for statement in process.body.iter().filter(|_| process.start != Start::Init) {
                let at = |label: &String| Expr::name(format!("{instance}@{label}"));
                known.extend(statement.labels.iter().map(at));
                if let Act::Declare(Var { name, ty: Type::Scalar(_), array: None, .. }) = &statement.act {
                    let value = Expr::name(format!("{instance}:{name}"));
                    known.push(Expr::binary("==", value, Expr::constant(self.rng.below(2) as i64)));
                }
            }
            pid += count;
        }
        (!known.is_empty()).then(|| self.rng.pick(&known).clone())
    }

    /// A never claim: a few states, each an `if` whose options lead to states; it may also run off its end.
    pub fn never(&mut self, scope: &Scope) -> Block {
        let states = self.rng.between(1, 3);
        let names: Vec<String> = (0..states)
            .map(|state| if self.rng.chance(50) { format!("accept_{state}") } else { format!("state_{state}") })
            .collect();
        let mut claim = Block::new();
        for name in &names {
            let count = self.rng.between(1, 3);
            let mut options: Vec<Block> = Vec::new();
            for _ in 0..count {
                options.push(self.claim_option(scope, &names));
            }
            if self.rng.chance(40) {
                options.push(vec![Act::guard(Expr::name("true")).into(), Act::word(format!("goto {name}")).into()]);
            }
            claim.push(Stmt { labels: vec![name.clone()], act: Act::If(options) });
        }
        claim
    }

    fn claim_option(&mut self, scope: &Scope, names: &[String]) -> Block {
        let enabled = Expr::call("enabled", vec![Expr::constant(0)]);
        let condition = match self.rng.below(20) {
            0 if self.theme(Theme::Enabled) => enabled,
            1 if self.theme(Theme::Enabled) => Expr::unary("!", enabled),
            2 if self.theme(Theme::Enabled) => Expr::name("np_"),
            _ => self.proposition(scope),
        };
        let mut option: Block = vec![Act::guard(condition).into()];
        if self.rng.chance(85) {
            option.push(Act::word(format!("goto {}", self.rng.pick(names))).into());
        }
        option
    }
}

fn unary(op: &str, operand: Expr) -> Expr {
    Expr::new(Sort::Formula, format!("{op} ($0)"), vec![operand])
}

fn binary(op: &str, left: Expr, right: Expr) -> Expr {
    Expr::new(Sort::Formula, format!("(($0) {op} ($1))"), vec![left, right])
}
