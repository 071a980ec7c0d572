//! Runs that may break off unnoticed: sets of integers contain no state after an assumption or an exit assertion without a value,
//! nor after an exit assertion that no values satisfy. That these do not occur is read off their form here.

use lurcher_ir::timed::{Domain, Linear, Model, Moment, Owner, PropertyKind, Term, TermId, VariableId};

/// Whether runs may break off, as far as the form of the clauses tells.
pub(super) fn may_break_off(model: &Model, kind: PropertyKind) -> bool {
    let mut assumptions = model.assumptions(kind).map(|clause| clause.term);
    let mut exits = model.transitions.iter().flat_map(|t| &t.cases).map(|case| case.exit);
    assumptions.any(|term| !model.terms.is_total(term)) || exits.any(|exit| !assigns(model, exit))
}

/// Whether an exit assertion gives each own variable one value of its type, whatever came before.
fn assigns(model: &Model, exit: TermId) -> bool {
    let parts = match model.terms.get(exit) {
        Term::And(parts) => parts.clone(),
        _ => vec![exit],
    };
    let mut assigned: Vec<Option<VariableId>> = parts.iter().map(|part| assigned(model, *part)).collect();
    assigned.sort_unstable();
    model.terms.is_total(exit)
        && assigned.iter().all(Option::is_some)
        && assigned.windows(2).all(|pair| pair[0] != pair[1])
}

/// The own variable to which an equation gives a value.
fn assigned(model: &Model, part: TermId) -> Option<VariableId> {
    let new = |term: TermId| match *model.terms.get(term) {
        Term::Variable(id, Moment::Now) if model.variable(id).owner == Owner::Own => Some(id),
        _ => None,
    };
    let reads_new = |term: TermId| {
        let closure = model.terms.closure([term]);
        closure.into_iter().any(|term| new(term).is_some())
    };
    let of_sum = |sum: &Linear| {
        let (variables, others): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|(term, _)| new(*term).is_some());
        let [(variable, factor @ (1 | -1))] = variables[..] else { return None };
        let id = new(variable).filter(|_| !others.iter().any(|(term, _)| reads_new(*term)))?;
        let keeps = matches!(others[..], [(term, _)] if sum.constant == 0
            && *model.terms.get(term) == Term::Variable(id, Moment::Start));
        let fits = match &model.variable(id).domain {
            Domain::Boolean => false,
            domain => {
                others.is_empty() && sum.constant.checked_mul(-factor).is_some_and(|value| domain.contains(value))
            }
        };
        let any = model.variable(id).domain == Domain::INTEGERS && model.variable(id).conditions.is_empty();
        (keeps || fits || any).then_some(id)
    };
    match model.terms.get(part) {
        Term::Variable(..) => new(part),
        Term::Not(term) => new(*term),
        Term::Iff(a, b) => match (new(*a), new(*b)) {
            (Some(id), None) if !reads_new(*b) => Some(id),
            (None, Some(id)) if !reads_new(*a) => Some(id),
            _ => None,
        },
        Term::Zero(sum) => of_sum(sum),
        _ => None,
    }
}
