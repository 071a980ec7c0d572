//! The product of an executed run and the claim.
//!
//! A node is a position on the run and a location of the claim. The run is evidence if the product has a reachable accepting
//! cycle. States are not kept: a run may have millions of positions. Nodes are expanded while the run is executed once more,
//! position by position, and the cycle again until it adds no nodes.

use indexmap::IndexSet;
use lurcher_ir::graph::components;
use lurcher_ir::{ActionKind, Expr, LocationId, ProcessType};
use lurcher_resources::checkpoint;
use lurcher_syntax::Span;
use lurcher_system::{Fault, Interpreter, State, Violation};
use rustc_hash::FxBuildHasher;

use crate::judge::{Evidence, Question, is_stuck};
use crate::replay::{Replayed, Visit};

/// The states of a run in which the claim moves.
struct Positions<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    replayed: &'a Replayed,
    /// How many there are.
    count: usize,
    /// The position that follows the last one; none on a finite run.
    back: Option<usize>,
    /// The run ends in a state without moves and stutters there.
    stutters: bool,
}

/// A state in which the claim moves.
struct Position<'a> {
    number: usize,
    state: &'a State,
    /// The step out of the state is a timeout.
    timeout: bool,
    /// The system has stopped.
    stutter: bool,
}

impl<'a, 'm> Positions<'a, 'm> {
    fn new(interpreter: &'a Interpreter<'m>, replayed: &'a Replayed) -> Self {
        let (mut count, mut start) = (0, None);
        replayed.visit(interpreter, |Visit { index, before, .. }| {
            if replayed.path.cycle_start == Some(index) && *before == replayed.last {
                start = Some(count);
            }
            count += usize::from(before.exclusive.is_none());
        });
        let mut positions = Positions { interpreter, replayed, count, back: start, stutters: false };
        if start.is_none() && replayed.last.exclusive.is_none() {
            positions.stutters = is_stuck(interpreter, &replayed.last);
            // The claim's first step in a last state is an ordinary one; the following ones are stutter steps.
            positions.count += 1 + usize::from(positions.stutters);
            positions.back = positions.stutters.then(|| positions.count - 1);
        }
        positions
    }

    /// Executes the run and calls `f` with each position.
    fn visit(&self, mut f: impl FnMut(Position<'_>)) {
        let mut number = 0;
        self.replayed.visit(self.interpreter, |Visit { step, before, .. }| {
            if before.exclusive.is_none() {
                f(Position { number, state: before, timeout: step.taken.timeout, stutter: false });
                number += 1;
            }
        });
        for number in number..self.count {
            let stutter = self.stutters && number + 1 == self.count;
            f(Position { number, state: &self.replayed.last, timeout: self.stutters, stutter });
        }
    }
}

/// A position on the run and a location of the claim.
type Node = (usize, LocationId);

/// The nodes that can be reached from the initial one.
pub(crate) struct LassoProduct<'m> {
    claim: Option<&'m ProcessType>,
    nodes: IndexSet<Node, FxBuildHasher>,
    /// The successors of each node, by its number.
    successors: Vec<Vec<usize>>,
    accepting: Vec<usize>,
    /// The claim's locations after the last position of a finite run.
    last_targets: Vec<LocationId>,
    /// What went wrong first while the claim moved.
    fault: Option<Fault>,
    is_infinite: bool,
}

impl<'m> LassoProduct<'m> {
    /// The product of a run with the claim of a question.
    pub fn new(interpreter: &Interpreter<'m>, replayed: &Replayed, question: &Question) -> Self {
        let positions = Positions::new(interpreter, replayed);
        let mut product = LassoProduct {
            claim: question.claim.map(|id| interpreter.model().process_type(id)),
            nodes: IndexSet::default(),
            successors: Vec::new(),
            accepting: Vec::new(),
            last_targets: Vec::new(),
            fault: None,
            is_infinite: positions.back.is_some(),
        };
        if positions.count == 0 {
            return product;
        }
        let initial = product.claim.map_or(LocationId(0), |claim| claim.initial);
        // Nodes that are not expanded yet; all stand at one position.
        let mut pending = vec![product.number((0, initial))];
        while !pending.is_empty() {
            positions.visit(|position| {
                if pending.first().is_some_and(|&node| product.nodes[node].0 == position.number) {
                    let next = Some(position.number + 1).filter(|&n| n < positions.count).or(positions.back);
                    let first_new = product.nodes.len();
                    pending.iter().for_each(|&node| product.expand(interpreter, question, &position, next, node));
                    pending = (first_new..product.nodes.len()).collect();
                }
            });
        }
        product
    }

    /// The number of a node, which is added if it is new.
    fn number(&mut self, node: Node) -> usize {
        let (number, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.successors.push(Vec::new());
        }
        number
    }

    /// Adds the successors of a node; they are at position `next`.
    fn expand(
        &mut self,
        interpreter: &Interpreter<'m>,
        question: &Question,
        position: &Position<'_>,
        next: Option<usize>,
        node: usize,
    ) {
        checkpoint();
        let location = self.nodes[node].1;
        let claim_accepts = self.claim.is_some_and(|claim| claim.location(location).accept);
        if claim_accepts || (!question.claim_alone && interpreter.any_location(position.state, |l| l.accept)) {
            self.accepting.push(node);
        }
        let steps =
            |claim| interpreter.claim_steps(position.state, claim, location, position.timeout, position.stutter);
        let targets = match question.claim.map(steps) {
            None => vec![location],
            Some(Ok(steps)) => steps.into_iter().map(|s| s.target).collect(),
            Some(Err(fault)) => {
                self.fault.get_or_insert(fault);
                Vec::new()
            }
        };
        match next {
            Some(next) => self.successors[node] = targets.into_iter().map(|l| self.number((next, l))).collect(),
            None => self.last_targets.extend(targets),
        }
    }

    /// What the run shows.
    pub fn evidence(self) -> Evidence {
        if let Some(fault) = self.fault {
            let span = self.claim.map_or_else(Span::default, |claim| claim.span);
            return Evidence::Step(Violation::Fault { fault, span, fatal: true, half: false });
        }
        if self.reaches(|claim, l| claim.location(l).end && !accepts_everything(claim, l)) {
            return Evidence::ClaimEnd;
        }
        let components = components(&self.successors);
        let is_on_cycle = |node: usize| components.cyclic[components.of[node]];
        if self.is_infinite && self.accepting.iter().any(|&node| is_on_cycle(node)) {
            Evidence::AcceptingCycle
        } else if self.reaches(accepts_everything) {
            Evidence::BadPrefix
        } else {
            Evidence::None
        }
    }

    /// Whether the claim reaches such a location, its step out of the last state included.
    fn reaches(&self, wanted: impl Fn(&ProcessType, LocationId) -> bool) -> bool {
        let Some(claim) = self.claim else { return false };
        self.nodes.iter().map(|node| node.1).chain(self.last_targets.iter().copied()).any(|l| wanted(claim, l))
    }
}

/// Whether a location accepts every continuation: it accepts, and it is an end or has a loop that is always enabled.
fn accepts_everything(process_type: &ProcessType, at: LocationId) -> bool {
    let location = process_type.location(at);
    let stays = location.branches.iter().any(|b| {
        let kind = &process_type.action(b.action).kind;
        b.target == at && matches!(kind, ActionKind::Skip | ActionKind::Guard(Expr::Const(1)))
    });
    location.accept && (location.end || stays)
}
