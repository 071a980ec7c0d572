//! Tiny random relations, and all there is to know about them: every valuation, every step, by the oracle.
#![allow(dead_code, missing_docs)]

use lurcher_ir::relation::{
    Assignment, BinaryTerm, Block, Constraint, Domain, Relation, TermId, Transition, UnaryTerm, Variable, VariableId,
    VariableRole, WordShape, check,
};
use lurcher_search::Budget;
use lurcher_syntax::Span;
use lurcher_system::relation::Oracle;

pub fn budget() -> Budget {
    Budget { memory: Some(16 << 20), ..Budget::default() }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const ARITHMETIC: [BinaryTerm; 13] = [
    BinaryTerm::Add,
    BinaryTerm::Sub,
    BinaryTerm::Mul,
    BinaryTerm::Div,
    BinaryTerm::Mod,
    BinaryTerm::UnsignedDiv,
    BinaryTerm::UnsignedMod,
    BinaryTerm::BitAnd,
    BinaryTerm::BitOr,
    BinaryTerm::BitXor,
    BinaryTerm::Shl,
    BinaryTerm::Shr,
    BinaryTerm::UnsignedShr,
];

const TESTS: [BinaryTerm; 7] = [
    BinaryTerm::Eq,
    BinaryTerm::Eq,
    BinaryTerm::Eq,
    BinaryTerm::Lt,
    BinaryTerm::Le,
    BinaryTerm::UnsignedLt,
    BinaryTerm::UnsignedLe,
];

/// What a term may read.
#[derive(Clone, Copy)]
pub struct Reads {
    pub next: bool,
    pub inputs: bool,
}

pub const STATE: Reads = Reads { next: false, inputs: false };
pub const MOMENT: Reads = Reads { next: false, inputs: true };
pub const STEP: Reads = Reads { next: true, inputs: true };

fn domain(random: &mut Random, relation: &mut Relation) -> Domain {
    match random.below(6) {
        0 | 1 => Domain::Boolean,
        2 => Domain::Range(-1, 1),
        3 => {
            let low = random.below(5) as i64 - 2;
            Domain::Range(low, low + random.below(4) as i64)
        }
        4 => {
            let mut values = vec![random.below(3) as i64, relation.symbol("red"), relation.symbol("green")];
            values.truncate(2 + random.below(2));
            Domain::Values(values)
        }
        _ => Domain::Word(WordShape { width: 2, signed: random.chance(50) }),
    }
}

pub fn number(random: &mut Random, relation: &mut Relation, reads: Reads, depth: usize) -> TermId {
    let leaf = depth == 0 || random.chance(35);
    if leaf && random.chance(35) {
        return relation.terms.value(random.below(6) as i64 - 2);
    }
    if leaf {
        let ids: Vec<(VariableId, VariableRole)> = relation.variables().map(|(id, v)| (id, v.role)).collect();
        let may = |role| reads.inputs || role != VariableRole::Input;
        let ids: Vec<(VariableId, VariableRole)> = ids.into_iter().filter(|&(_, r)| may(r)).collect();
        let (id, role) = ids[random.below(ids.len())];
        let next = reads.next && role != VariableRole::Input && random.chance(40);
        return if next { relation.terms.next(id) } else { relation.terms.current(id) };
    }
    match random.below(10) {
        0 => {
            let a = number(random, relation, reads, depth - 1);
            relation.terms.unary(UnaryTerm::Minus, a)
        }
        1 => {
            let a = number(random, relation, reads, depth - 1);
            let shape = WordShape { width: 1 + random.below(4) as u32, signed: random.chance(50) };
            relation.terms.unary(UnaryTerm::Wrap(shape), a)
        }
        2 | 3 => {
            let c = test(random, relation, reads, depth - 1);
            let (a, b) = (number(random, relation, reads, depth - 1), number(random, relation, reads, depth - 1));
            relation.terms.ite(c, a, b)
        }
        _ => {
            let op = ARITHMETIC[random.below(ARITHMETIC.len())];
            let (a, b) = (number(random, relation, reads, depth - 1), number(random, relation, reads, depth - 1));
            relation.terms.binary(op, a, b)
        }
    }
}

pub fn test(random: &mut Random, relation: &mut Relation, reads: Reads, depth: usize) -> TermId {
    if depth == 0 {
        let a = number(random, relation, reads, 0);
        let b = number(random, relation, reads, 0);
        return relation.terms.binary(BinaryTerm::Eq, a, b);
    }
    match random.below(5) {
        0 => {
            let a = test(random, relation, reads, depth - 1);
            relation.terms.not(a)
        }
        1 | 2 => {
            let op = if random.chance(50) { BinaryTerm::And } else { BinaryTerm::Or };
            let (a, b) = (test(random, relation, reads, depth - 1), test(random, relation, reads, depth - 1));
            relation.terms.binary(op, a, b)
        }
        _ => {
            let op = TESTS[random.below(TESTS.len())];
            let (a, b) = (number(random, relation, reads, depth - 1), number(random, relation, reads, depth - 1));
            relation.terms.binary(op, a, b)
        }
    }
}

/// A value of a variable, or a choice among some.
fn choosing(random: &mut Random, relation: &mut Relation, variable: VariableId, reads: Reads, depth: usize) -> TermId {
    match random.below(8) {
        0 | 1 if depth > 0 => {
            let c = test(random, relation, reads, 1);
            let a = choosing(random, relation, variable, reads, depth - 1);
            let b = choosing(random, relation, variable, reads, depth - 1);
            relation.terms.ite(c, a, b)
        }
        2 | 3 if depth > 0 => {
            let parts = (0..2).map(|_| choosing(random, relation, variable, reads, depth - 1)).collect();
            relation.terms.choice(parts)
        }
        4 if depth > 0 => {
            let c = test(random, relation, reads, 1);
            let a = choosing(random, relation, variable, reads, depth - 1);
            relation.terms.add(lurcher_ir::relation::Term::When(c, a))
        }
        5 => number(random, relation, reads, 2),
        _ => {
            let domain = relation.variable(variable).domain.clone();
            let value = domain.value(random.below(domain.size() as usize) as u64);
            relation.terms.value(value)
        }
    }
}

fn block(
    random: &mut Random,
    relation: &mut Relation,
    reads: Reads,
    assign: &[VariableId],
    constraints: usize,
) -> Block {
    let mut block = Block::default();
    for &variable in assign {
        let value = choosing(random, relation, variable, reads, 2);
        block.assignments.push(Assignment { variable, value, span: Span::default() });
    }
    for _ in 0..constraints {
        block.constraints.push(Constraint { term: test(random, relation, reads, 2), span: Span::default() });
    }
    block
}

fn attempt(random: &mut Random, largest: usize) -> Relation {
    let mut relation = Relation::default();
    let mut size = 1;
    for index in 0..2 + random.below(3) {
        let domain = domain(random, &mut relation);
        if size * domain.size() as usize > largest {
            continue;
        }
        size *= domain.size() as usize;
        let role = match random.below(8) {
            0 if index > 0 => VariableRole::Input,
            1 => VariableRole::Frozen,
            _ => VariableRole::State,
        };
        relation.add_variable(Variable { name: format!("v{index}"), role, domain, span: Span::default() });
    }
    let state: Vec<VariableId> =
        relation.variables().filter(|(_, v)| v.role != VariableRole::Input).map(|(id, _)| id).collect();
    let mut always = Vec::new();
    if random.chance(15) {
        always.push(state[random.below(state.len())]);
    }
    let others: Vec<VariableId> = state.iter().copied().filter(|v| !always.contains(v)).collect();
    let some = |random: &mut Random, percent| -> Vec<VariableId> {
        others.iter().copied().filter(|_| random.chance(percent)).collect()
    };
    let invariants = usize::from(random.chance(15));
    relation.invariant = block(random, &mut relation, STATE, &always, invariants);
    let first = some(random, 60);
    let constraints = usize::from(random.chance(20));
    relation.initial = block(random, &mut relation, STATE, &first, constraints);
    for index in 0..1 + random.below(4) {
        let moved: Vec<VariableId> =
            some(random, 60).into_iter().filter(|&v| relation.variable(v).role == VariableRole::State).collect();
        let constraints = random.below(3);
        let block = block(random, &mut relation, STEP, &moved, constraints);
        let keeps = random.chance(70);
        relation.transitions.push(Transition { name: format!("t{index}"), block, keeps });
    }
    relation
}

/// A relation that the checker passes, with at most so many valuations.
pub fn relation(random: &mut Random, largest: usize) -> Relation {
    loop {
        let relation = attempt(random, largest);
        if !relation.variables.is_empty()
            && relation.state_variables().next().is_some()
            && check::check(&relation).is_empty()
        {
            return relation;
        }
    }
}

/// Everything about a tiny relation.
pub struct World<'r> {
    pub oracle: Oracle<'r>,
    /// All valuations, whether states or not.
    pub all: Vec<Vec<i64>>,
    pub states: Vec<bool>,
    pub initial: Vec<bool>,
    /// For each valuation, those that may follow it by a step with its inputs.
    pub after: Vec<Vec<usize>>,
}

impl<'r> World<'r> {
    pub fn new(relation: &'r Relation) -> Self {
        let oracle = Oracle::new(relation);
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for variable in &relation.variables {
            let extended = all.iter().flat_map(|v| {
                variable.domain.values().map(move |value| v.iter().copied().chain([value]).collect::<Vec<i64>>())
            });
            all = extended.collect();
        }
        let states: Vec<bool> = all.iter().map(|v| oracle.is_state(v)).collect();
        let initial = all.iter().map(|v| oracle.is_initial(v)).collect();
        let follows = |a: usize, b: usize| states[a] && states[b] && oracle.steps(&all[a], &all[b]).next().is_some();
        let after = (0..all.len()).map(|a| (0..all.len()).filter(|&b| follows(a, b)).collect()).collect();
        World { oracle, states, initial, after, all }
    }

    /// Valuations that differ only in inputs have the same representative.
    pub fn state_of(&self, relation: &Relation, valuation: usize) -> Vec<i64> {
        let all = &self.all[valuation];
        relation.state_variables().map(|(id, _)| all[id.0 as usize]).collect()
    }

    /// Distances from the initial valuations.
    pub fn distances(&self) -> Vec<Option<usize>> {
        let mut distance: Vec<Option<usize>> = self.initial.iter().map(|&i| i.then_some(0)).collect();
        let mut layer: Vec<usize> = (0..self.all.len()).filter(|&v| self.initial[v]).collect();
        let mut depth = 0;
        while !layer.is_empty() {
            depth += 1;
            let next: Vec<usize> = layer.iter().flat_map(|&v| self.after[v].iter().copied()).collect();
            layer = next.into_iter().filter(|&v| distance[v].is_none()).collect();
            layer.sort_unstable();
            layer.dedup();
            layer.iter().for_each(|&v| distance[v] = Some(depth));
        }
        distance
    }
}
