//! Small random relations: every kind of variable, operator, assignment and constraint.

use lurcher_ir::relation::{
    Assignment, BinaryTerm, Block, Constraint, Domain, Relation, SYMBOLS, Term, TermId, Transition, UnaryTerm,
    Variable, VariableId, VariableRole, WordShape,
};
use lurcher_syntax::Span;

/// SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((((z ^ (z >> 31)) >> 32) * u64::from(n)) >> 32) as u32
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }
}

/// The variables that a term may read.
#[derive(Clone)]
struct Scope {
    current: Vec<VariableId>,
    next: Vec<VariableId>,
}

struct Generator<'n> {
    numbers: &'n mut Numbers,
    relation: Relation,
}

/// A random relation with at most about `states` valuations of its state variables.
pub fn relation(numbers: &mut Numbers, states: u64) -> Relation {
    let relation = Relation { symbols: ["red", "green", "blue"].map(String::from).into(), ..Relation::default() };
    let mut generator = Generator { numbers, relation };
    generator.variables(states);
    generator.blocks();
    generator.fairness();
    let relation = generator.relation;
    let errors = lurcher_ir::relation::check::check(&relation);
    assert!(errors.is_empty(), "{errors:?}");
    relation
}

/// A term about a state (with its inputs, if `inputs`).
pub fn about_state(numbers: &mut Numbers, relation: &mut Relation, inputs: bool) -> TermId {
    let mut generator = Generator { numbers, relation: std::mem::take(relation) };
    let scope = generator.state_scope(inputs);
    let term = generator.truth(&scope, 3);
    *relation = generator.relation;
    term
}

impl Generator<'_> {
    fn variables(&mut self, most: u64) {
        let (mut states, mut inputs) = (1, 1);
        for index in 0..2 + self.numbers.below(4) {
            let domain = match self.numbers.below(6) {
                0 | 1 => Domain::Boolean,
                2 | 3 => {
                    let low = i64::from(self.numbers.below(5)) - 2;
                    Domain::Range(low, low + i64::from(self.numbers.below(4)))
                }
                4 => Domain::Values(
                    [vec![0, 2, SYMBOLS + 1], vec![SYMBOLS, SYMBOLS + 2], vec![-1, 3]][self.numbers.below(3) as usize]
                        .clone(),
                ),
                _ => Domain::Word(WordShape { width: 1 + self.numbers.below(2), signed: self.numbers.chance(50) }),
            };
            let role = match self.numbers.below(8) {
                0 if index > 0 => VariableRole::Frozen,
                1 | 2 if index > 0 => VariableRole::Input,
                _ => VariableRole::State,
            };
            let (product, limit) = match role {
                VariableRole::Input => (&mut inputs, 6),
                _ => (&mut states, most),
            };
            if *product * domain.size() > limit {
                continue;
            }
            *product *= domain.size();
            let name = format!("v{index}");
            self.relation.add_variable(Variable { name, role, domain, span: Span::default() });
        }
        if self.relation.state_variables().next().is_none() {
            let domain = Domain::Boolean;
            let role = VariableRole::State;
            self.relation.add_variable(Variable { name: "last".into(), role, domain, span: Span::default() });
        }
    }

    fn of_role(&self, wanted: impl Fn(VariableRole) -> bool) -> Vec<VariableId> {
        self.relation.variables().filter(|(_, v)| wanted(v.role)).map(|(id, _)| id).collect()
    }

    fn state_scope(&self, inputs: bool) -> Scope {
        Scope { current: self.of_role(|r| inputs || r != VariableRole::Input), next: Vec::new() }
    }

    fn blocks(&mut self) {
        let states = self.of_role(|r| r != VariableRole::Input);
        let always: Vec<VariableId> = states.iter().copied().filter(|_| self.numbers.chance(12)).collect();
        let others: Vec<VariableId> = states.iter().copied().filter(|v| !always.contains(v)).collect();
        let scope = self.state_scope(false);
        self.relation.invariant = self.block(&always, &scope, 15, false);
        let first: Vec<VariableId> = others.iter().copied().filter(|_| self.numbers.chance(60)).collect();
        self.relation.initial = self.block(&first, &scope, 25, false);
        let assignable: Vec<VariableId> =
            others.into_iter().filter(|v| self.relation.variable(*v).role == VariableRole::State).collect();
        for index in 0..1 + self.numbers.below(3) {
            let chance = self.numbers.one_of(&[0, 60, 90]);
            let assigned: Vec<VariableId> =
                assignable.iter().copied().filter(|_| self.numbers.chance(chance)).collect();
            let scope = Scope { current: self.of_role(|_| true), next: states.clone() };
            let constraints = if chance == 0 { 150 } else { 40 };
            let block = self.block(&assigned, &scope, constraints, true);
            let keeps = self.numbers.chance(50);
            self.relation.transitions.push(Transition { name: format!("t{index}"), block, keeps });
        }
    }

    fn fairness(&mut self) {
        let scope = self.state_scope(true);
        for _ in 0..self.numbers.below(3) {
            let term = self.truth(&scope, 2);
            self.relation.justice.push(term);
        }
        for _ in 0..self.numbers.below(3) {
            let pair = (self.truth(&scope, 2), self.truth(&scope, 2));
            self.relation.compassion.push(pair);
        }
    }

    /// Acyclic assignments, and constraints.
    fn block(&mut self, assigned: &[VariableId], scope: &Scope, constraints: u32, step: bool) -> Block {
        let mut order = assigned.to_vec();
        for last in (1..order.len()).rev() {
            order.swap(last, self.numbers.below(last as u32 + 1) as usize);
        }
        let mut block = Block::default();
        for (index, &variable) in order.iter().enumerate() {
            let allowed = |v: &VariableId| !order[index..].contains(v);
            let mut scope = scope.clone();
            if step {
                scope.next.retain(allowed);
            } else {
                scope.current.retain(allowed);
            }
            let value = self.choosing(variable, &scope, 3);
            block.assignments.push(Assignment { variable, value, span: Span::default() });
        }
        let mut left = constraints;
        while self.numbers.chance(left.min(95)) {
            left = left.saturating_sub(40);
            let term = self.constraint(scope);
            block.constraints.push(Constraint { term, span: Span::default() });
        }
        block
    }

    /// The term of an assignment, which may be a set.
    fn choosing(&mut self, variable: VariableId, scope: &Scope, depth: u32) -> TermId {
        match self.numbers.below(if depth == 0 { 2 } else { 6 }) {
            2 => {
                let condition = self.truth(scope, 2);
                let (a, b) = (self.choosing(variable, scope, depth - 1), self.choosing(variable, scope, depth - 1));
                self.relation.terms.ite(condition, a, b)
            }
            3 => {
                let condition = self.truth(scope, 2);
                let value = self.choosing(variable, scope, depth - 1);
                self.relation.terms.add(Term::When(condition, value))
            }
            4 => {
                let parts = (0..self.numbers.below(4)).map(|_| self.choosing(variable, scope, depth - 1)).collect();
                self.relation.terms.choice(parts)
            }
            5 => {
                let values: Vec<i64> = self.relation.variable(variable).domain.values().collect();
                let parts = values.into_iter().map(|v| self.relation.terms.value(v)).collect();
                self.relation.terms.choice(parts)
            }
            0 => self.value(variable, scope, 2),
            _ => self.constant(variable),
        }
    }

    fn constant(&mut self, like: VariableId) -> TermId {
        let values: Vec<i64> = self.relation.variable(like).domain.values().collect();
        let value = self.numbers.one_of(&values) + i64::from(self.numbers.chance(5));
        self.relation.terms.value(value)
    }

    fn read(&mut self, scope: &Scope) -> Option<TermId> {
        let next = !scope.next.is_empty() && (scope.current.is_empty() || self.numbers.chance(50));
        match next {
            true => Some(self.numbers.one_of(&scope.next)).map(|v| self.relation.terms.next(v)),
            false if scope.current.is_empty() => None,
            false => Some(self.numbers.one_of(&scope.current)).map(|v| self.relation.terms.current(v)),
        }
    }

    /// A value that a variable could have, or nearly.
    fn value(&mut self, like: VariableId, scope: &Scope, depth: u32) -> TermId {
        let domain = self.relation.variable(like).domain.clone();
        if domain == Domain::Boolean && self.numbers.chance(80) {
            return self.truth(scope, depth);
        }
        if depth == 0 || self.numbers.chance(30) {
            let read = self.read(scope);
            return match read {
                Some(read) if self.numbers.chance(70) => read,
                _ => self.constant(like),
            };
        }
        use BinaryTerm::*;
        let all = [Add, Sub, Mul, Div, Mod, UnsignedDiv, UnsignedMod, BitAnd, BitOr, BitXor, Shl, Shr, UnsignedShr];
        match self.numbers.below(4) {
            0 => {
                let condition = self.truth(scope, depth - 1);
                let (a, b) = (self.value(like, scope, depth - 1), self.value(like, scope, depth - 1));
                self.relation.terms.ite(condition, a, b)
            }
            1 => {
                let a = self.value(like, scope, depth - 1);
                let op = match domain {
                    Domain::Word(shape) => UnaryTerm::Wrap(shape),
                    _ => UnaryTerm::Minus,
                };
                self.relation.terms.unary(op, a)
            }
            _ => {
                let op = if self.numbers.chance(60) { Add } else { self.numbers.one_of(&all) };
                let (a, b) = (self.value(like, scope, depth - 1), self.value(like, scope, depth - 1));
                self.relation.terms.binary(op, a, b)
            }
        }
    }

    fn any_variable(&mut self) -> VariableId {
        VariableId(self.numbers.below(self.relation.variables.len() as u32))
    }

    /// A truth value.
    fn truth(&mut self, scope: &Scope, depth: u32) -> TermId {
        use BinaryTerm::*;
        if depth == 0 || self.numbers.chance(40) {
            let like = self.any_variable();
            let a = self.read(scope).unwrap_or_else(|| self.relation.terms.value(1));
            if self.numbers.chance(20) {
                return a;
            }
            let b = if self.numbers.chance(50) { self.constant(like) } else { self.value(like, scope, 1) };
            let op = self.numbers.one_of(&[Eq, Eq, Eq, Lt, Le, UnsignedLt, UnsignedLe]);
            return self.relation.terms.binary(op, a, b);
        }
        let a = self.truth(scope, depth - 1);
        match self.numbers.below(5) {
            0 => self.relation.terms.not(a),
            1 => {
                let (b, c) = (self.truth(scope, depth - 1), self.truth(scope, depth - 1));
                self.relation.terms.ite(a, b, c)
            }
            2 => {
                let b = self.truth(scope, depth - 1);
                let op = self.numbers.one_of(&[Eq, BitXor]);
                self.relation.terms.binary(op, a, b)
            }
            op => {
                let b = self.truth(scope, depth - 1);
                self.relation.terms.binary(if op == 3 { And } else { Or }, a, b)
            }
        }
    }

    /// A constraint, often one that determines a variable.
    fn constraint(&mut self, scope: &Scope) -> TermId {
        match self.numbers.below(4) {
            0 => self.truth(scope, 3),
            1 => self.rule(scope),
            2 => {
                let rules: Vec<TermId> = (0..2 + self.numbers.below(2)).map(|_| self.rule(scope)).collect();
                self.relation.terms.any(rules)
            }
            _ => {
                let condition = self.truth(scope, 1);
                let rule = self.rule(scope);
                let not = self.relation.terms.not(condition);
                self.relation.terms.binary(BinaryTerm::Or, not, rule)
            }
        }
    }

    /// A conjunction of equations.
    fn rule(&mut self, scope: &Scope) -> TermId {
        let targets = if scope.next.is_empty() { scope.current.clone() } else { scope.next.clone() };
        let mut parts = vec![self.truth(scope, 1)];
        for target in targets {
            if self.numbers.chance(40) {
                continue;
            }
            let left = match scope.next.is_empty() {
                true => self.relation.terms.current(target),
                false => self.relation.terms.next(target),
            };
            let right = self.value(target, scope, 1);
            parts.push(self.relation.terms.binary(BinaryTerm::Eq, left, right));
        }
        self.relation.terms.all(parts)
    }
}
