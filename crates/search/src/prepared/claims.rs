//! Claims made from properties: automata and the non-progress watcher as process types of the model.

use lurcher_ir::{
    Action, ActionId, ActionKind, Atom, BinaryOp, Branch, Expr, Location, LocationId, Model, ProcessRole, ProcessType,
    ProcessTypeId,
};
use lurcher_ir::{Buchi, BuchiEdge, Literal};
use lurcher_syntax::Span;

/// A claim while it is built: locations are numbered from 1.
struct Builder {
    locations: Vec<Location>,
    actions: Vec<Action>,
}

impl Builder {
    fn new(states: usize) -> Self {
        Builder { locations: vec![Location::default(); states + 1], actions: Vec::new() }
    }

    fn edge(&mut self, from: usize, guard: Expr, text: String, to: usize, span: Span) {
        let home = LocationId(from as u16 + 1);
        self.actions.push(Action { kind: ActionKind::Guard(guard), origin: u32::MAX, home, text, span });
        let action = ActionId(self.actions.len() as u32 - 1);
        let branch = Branch { action, target: LocationId(to as u16 + 1), atomic: false, escape: 0 };
        self.locations[from + 1].branches.push(branch);
    }

    fn add_to(self, model: &mut Model, name: &str, span: Span) -> ProcessTypeId {
        model.process_types.push(ProcessType {
            name: name.to_owned(),
            role: ProcessRole::Claim,
            locals: Vec::new(),
            params: Vec::new(),
            frame_size: 0,
            init: Vec::new(),
            locations: self.locations,
            actions: self.actions,
            initial: LocationId(1),
            provided: None,
            deterministic: false,
            span,
        });
        ProcessTypeId(model.process_types.len() as u16 - 1)
    }
}

/// Adds an automaton to a model as a claim. An accepting state with a loop of its own that is always enabled accepts every
/// continuation of the run: it is the claim's end, as in Spin (`accept_all`), so a finite prefix is enough to violate a safety
/// formula. An automaton without edges accepts nothing, and a claim without moves would end every run at once; its claim
/// follows all runs, so that assertions and faults are still found.
pub(super) fn add_automaton(
    model: &mut Model,
    name: &str,
    automaton: &Buchi,
    atoms: &[Atom],
    span: Span,
) -> ProcessTypeId {
    let mut builder = Builder::new(automaton.states.len());
    for (number, state) in automaton.states.iter().enumerate() {
        let stays = |edge: &BuchiEdge| edge.target == number && edge.guard.is_empty();
        let end = state.accepting && state.edges.iter().any(stays);
        let location = &mut builder.locations[number + 1];
        (location.accept, location.end) = (state.accepting, end);
        for BuchiEdge { guard, target } in state.edges.iter().filter(|_| !end) {
            builder.edge(number, conjunction(guard, atoms), String::new(), *target, span);
        }
    }
    if automaton.states.iter().all(|state| state.edges.is_empty()) {
        builder.edge(0, Expr::Const(1), String::new(), 0, span);
        builder.locations[1].accept = false;
    }
    builder.add_to(model, name, span)
}

fn conjunction(guard: &[Literal], atoms: &[Atom]) -> Expr {
    let literal = |l: &Literal| {
        let atom = atoms[l.atom.0 as usize].expr().clone();
        if l.positive { atom } else { atom.negated() }
    };
    guard.iter().map(literal).reduce(|a, b| Expr::binary(BinaryOp::And, a, b)).unwrap_or(Expr::Const(1))
}

/// Adds the claim that accepts runs which from some point on make no progress.
pub(super) fn add_non_progress(model: &mut Model) -> ProcessTypeId {
    let mut builder = Builder::new(2);
    let span = Span::default();
    builder.edge(0, Expr::NonProgress, "np_".to_owned(), 1, span);
    builder.edge(0, Expr::Const(1), "true".to_owned(), 0, span);
    builder.edge(1, Expr::NonProgress, "np_".to_owned(), 1, span);
    builder.locations[2].accept = true;
    builder.add_to(model, "non-progress", span)
}
