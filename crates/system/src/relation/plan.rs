//! Plans: executable schedules.
//!
//! A plan is a sequence of instructions over slots. If a constraint is a disjunction that leaves variables undetermined, such
//! as `TRANS` with one disjunct for each rule, there is one plan for each case.

use lurcher_ir::relation::{BinaryTerm, Domain, Relation, Term, TermId, Terms, UnaryTerm, VariableId};

use super::code::{Coder, Constants, Op, Slot};
use super::hoist::hoisted;
use super::schedule::{Action, Demand, Schedule, Setting};
use super::solve::{cases, conjuncts};
use super::tree::Tree;

/// One instruction.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// Run the operations of a range.
    Run(u32, u32),
    /// Continue only if a slot is not 0.
    Test(Slot),
    /// Copy a slot to a cell; continue only if the value is in its domain.
    Set(Slot, Slot, VariableId),
    /// Bind a cell to each value of a tree.
    Choose(Slot, u32, VariableId),
}

/// A program that constructs a state or a step.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Its number among all plans: first those for initial states, then those of each transition.
    pub number: usize,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The operations of `Run` instructions.
    pub ops: Vec<Op>,
    /// The trees of `Choose` instructions.
    pub trees: Vec<Tree<Slot>>,
    /// Slots used after the constants.
    pub extra_slots: u32,
}

/// The most plans for one set of demands.
const MOST_CASES: usize = 64;
/// The most demands that are scheduled to compare case splits.
const MOST_WORK: usize = 200_000;

/// The remaining budget for case splits.
struct Budget {
    cases: usize,
    work: usize,
}

/// Schedules for demands: one, or one for each case if that leaves fewer combinations.
pub(super) fn schedules(setting: &Setting<'_>, terms: &mut Terms, demands: Vec<Demand>) -> Vec<Schedule> {
    let demands: Vec<Demand> = demands.into_iter().flat_map(|d| split_conjunction(terms, d)).collect();
    let schedule = setting.schedule(terms, &demands);
    let mut budget = Budget { cases: MOST_CASES, work: MOST_WORK };
    by_cases(setting, terms, demands, schedule, &mut budget)
}

fn split_conjunction(terms: &Terms, demand: Demand) -> Vec<Demand> {
    match demand {
        Demand::Test(term, reading) => conjuncts(terms, term).into_iter().map(|t| Demand::Test(t, reading)).collect(),
        assign => vec![assign],
    }
}

/// The demands of a case and their schedule.
type Case = (Vec<Demand>, Schedule);

/// Splits the disjunction that saves the most combinations, and recurses into each case.
fn by_cases(
    setting: &Setting<'_>,
    terms: &mut Terms,
    demands: Vec<Demand>,
    whole: Schedule,
    budget: &mut Budget,
) -> Vec<Schedule> {
    let mut best: Option<(f64, Vec<Case>)> = None;
    for index in 0..demands.len() {
        let Demand::Test(term, reading) = demands[index] else { continue };
        let open = |c: &Slot| whole.enumerated.contains(c);
        if whole.enumerated.is_empty() || !setting.cells.reads(terms, [term], reading).iter().any(open) {
            continue;
        }
        let Some(parts) = cases(terms, term) else { continue };
        let work = parts.len() * demands.len();
        if parts.len() > budget.cases || work > budget.work {
            continue;
        }
        budget.work -= work;
        let mut split = Vec::new();
        let mut combinations = 0.0;
        for part in parts {
            let mut demands = demands.clone();
            demands.splice(index..=index, split_conjunction(terms, Demand::Test(part, reading)));
            let schedule = setting.schedule(terms, &demands);
            combinations += schedule.cost.exp2();
            split.push((demands, schedule));
        }
        if combinations < best.as_ref().map_or(whole.cost.exp2(), |b| b.0) {
            best = Some((combinations, split));
        }
    }
    let Some((_, split)) = best else { return vec![whole] };
    budget.cases = budget.cases.saturating_sub(split.len() - 1);
    split.into_iter().flat_map(|(demands, schedule)| by_cases(setting, terms, demands, schedule, budget)).collect()
}

impl Plan {
    /// The plan of a schedule.
    pub(super) fn new(
        relation: &Relation,
        terms: &Terms,
        constants: &Constants,
        setting: &Setting<'_>,
        from: &Schedule,
    ) -> Self {
        let mut coder = Coder::new(terms, setting.cells, constants);
        let mut plan = Plan::default();
        let hoisted = hoisted(terms, setting.cells, &from.actions);
        for (action, before) in from.actions.iter().zip(hoisted) {
            for (term, reading) in before {
                coder.slot(term, reading);
            }
            match action {
                Action::Test(term, reading) => {
                    let slot = coder.slot(*term, *reading);
                    plan.flush(&mut coder);
                    plan.instructions.push(Instruction::Test(slot));
                }
                Action::Set(cell, term, reading) => {
                    let slot = coder.slot(*term, *reading);
                    let variable = setting.cells.variable(*cell);
                    if stays_inside(relation, terms, *term, &relation.variable(variable).domain, DEPTH) {
                        coder.ops.push(Op::Copy { from: slot, to: *cell });
                    } else {
                        plan.flush(&mut coder);
                        plan.instructions.push(Instruction::Set(*cell, slot, variable));
                    }
                }
                Action::Choose(cell, tree, reading) => {
                    let tree = tree.map(|t| coder.slot(*t, *reading));
                    plan.flush(&mut coder);
                    let variable = setting.cells.variable(*cell);
                    plan.instructions.push(Instruction::Choose(*cell, plan.trees.len() as u32, variable));
                    plan.trees.push(tree);
                }
            }
        }
        plan.flush(&mut coder);
        plan.extra_slots = coder.extra_slots();
        plan
    }

    fn flush(&mut self, coder: &mut Coder<'_>) {
        if coder.ops.is_empty() {
            return;
        }
        let first = self.ops.len() as u32;
        self.ops.append(&mut coder.ops);
        self.instructions.push(Instruction::Run(first, self.ops.len() as u32));
    }
}

/// The recursion limit of [`stays_inside`].
const DEPTH: u32 = 40;

/// Whether the value of a term is syntactically always in a domain.
fn stays_inside(relation: &Relation, terms: &Terms, id: TermId, domain: &Domain, depth: u32) -> bool {
    let boolean = *domain == Domain::Boolean;
    match terms.get(id) {
        Term::Const(value) => domain.contains(*value),
        Term::Current(v) | Term::Next(v) => relation.variable(*v).domain == *domain,
        Term::Unary(UnaryTerm::Not, _) => boolean,
        Term::Unary(UnaryTerm::Wrap(shape), _) => *domain == Domain::Word(*shape),
        Term::Binary(op, a, b) => {
            let bits = matches!(op, BinaryTerm::BitAnd | BinaryTerm::BitOr | BinaryTerm::BitXor);
            let inside = |t: &TermId| depth > 0 && stays_inside(relation, terms, *t, domain, depth / 2);
            boolean && (op.is_test() || bits && inside(a) && inside(b))
        }
        Term::Ite(_, a, b) if depth > 0 => {
            stays_inside(relation, terms, *a, domain, depth / 2) && stays_inside(relation, terms, *b, domain, depth - 1)
        }
        _ => false,
    }
}
