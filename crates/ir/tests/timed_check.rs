//! The checker of timed models finds every rule broken.

use lurcher_ir::timed::check::check;
use lurcher_ir::timed::{
    Case, Clause, Constant, ConstantId, Domain, Event, Linear, Model, Moment, Occurrence, Owner, Parameter, Property,
    PropertyKind, Source, Term, TermId, Terms, Transition, TransitionId, TransitionRef, Variable, VariableId,
};
use lurcher_syntax::Span;

/// A counter that is called, with a constant duration.
fn counter() -> Model {
    let mut model = Model { process: "Counter".to_owned(), instance: "it".to_owned(), ..Model::default() };
    let span = Span::default();
    model.instances.push("it".to_owned());
    let positive = Domain::Integer { lower: Some(1), upper: None };
    model.constants.push(Constant { name: "step".to_owned(), domain: positive, value: None, span });
    let variable = |name: &str, domain| Variable {
        name: name.to_owned(),
        owner: Owner::Own,
        domain,
        conditions: Vec::new(),
        span,
    };
    model.variables.push(variable("count", Domain::INTEGERS));
    model.variables.push(variable("on", Domain::Boolean));
    let terms = &mut model.terms;
    let (count, count_at_start) = (read(terms, 0, Moment::Now), read(terms, 0, Moment::Start));
    let (on, on_at_start) = (read(terms, 1, Moment::Now), read(terms, 1, Moment::Start));
    let parameter = terms.add(Term::Parameter(0));
    let grown = terms.combine(&terms.linear(count), &terms.linear(count_at_start), -1).expect("it fits");
    let grown = terms.combine(&grown, &terms.linear(parameter), -1).expect("it fits");
    let (grown, same) = (terms.zero(grown), terms.iff(on, on_at_start));
    let exit = terms.all([grown, same]);
    let duration = terms.add(Term::Constant(ConstantId(0)));
    model.transitions.push(Transition {
        name: "grow".to_owned(),
        declaration: 0,
        exported: true,
        parameters: vec![Parameter { name: "by".to_owned(), domain: Domain::INTEGERS, conditions: Vec::new() }],
        cases: vec![Case { name: "grow".to_owned(), entry: on, exit, duration, span }],
        span,
    });
    let initial = terms.linear(count);
    let initial = terms.zero(initial);
    model.initial.push(Clause { name: "Counter.initial.1".to_owned(), term: initial, span });
    let kind = PropertyKind::Invariant;
    let name = "Counter.invariant.1".to_owned();
    model.properties.push(Property { name, kind, term: on, text: "on".to_owned(), span });
    model
}

fn read(terms: &mut Terms, variable: u32, moment: Moment) -> TermId {
    terms.add(Term::Variable(VariableId(variable), moment))
}

/// Breaks the model, and expects to be told.
fn broken(change: impl FnOnce(&mut Model), message: &str) {
    let mut model = counter();
    change(&mut model);
    let errors = check(&model);
    assert!(errors.iter().any(|e| e.contains(message)), "expected `{message}`, got {errors:?}");
}

/// Makes a term the property.
fn claimed(make: impl FnOnce(&mut Terms) -> Term, message: &str) {
    broken(
        |model| {
            let term = make(&mut model.terms);
            model.properties[0].term = model.terms.add(term);
        },
        message,
    );
}

fn event(event: Event, nth: u32) -> Term {
    Term::Occurred(Occurrence { event, nth })
}

fn grow() -> TransitionRef {
    TransitionRef::Own(TransitionId(0))
}

#[test]
fn a_correct_model_passes() {
    assert_eq!(check(&counter()), [""; 0]);
}

#[test]
fn names_without_meaning_are_found() {
    claimed(|_| Term::Constant(ConstantId(7)), "there is no such constant");
    claimed(|_| Term::Variable(VariableId(7), Moment::Now), "there is no such variable");
    let missing = Source { transitions: vec![TransitionRef::Own(TransitionId(3))], arguments: Vec::new() };
    claimed(|_| event(Event::Start(missing), 1), "there is no such transition");
    broken(|m| m.variables[0].owner = Owner::Imported(4), "it belongs to no instance");
    broken(|m| m.properties[0].term = TermId(4_000), "there is no such term");
}

#[test]
fn formulas_and_numbers_are_not_mixed_up() {
    claimed(|_| Term::Now, "a formula stands for a number, or a number for a formula");
    claimed(|terms| Term::Not(terms.add(Term::Now)), "a formula stands for a number");
    claimed(|terms| Term::Zero(Linear { terms: vec![(terms.truth(true), 1)], constant: 0 }), "a formula stands");
}

#[test]
fn sums_are_normal() {
    let unsorted = |terms: &mut Terms| {
        let (count, now) = (read(terms, 0, Moment::Now), terms.add(Term::Now));
        Term::Zero(Linear { terms: vec![(now.max(count), 1), (now.min(count), 1)], constant: 0 })
    };
    claimed(unsorted, "the terms of a sum are not sorted");
    claimed(|terms| Term::Zero(Linear { terms: vec![(terms.number(3), 1)], constant: 0 }), "a sum stands in a sum");
    let nothing = |terms: &mut Terms| Term::Zero(Linear { terms: vec![(terms.add(Term::Now), 0)], constant: 0 });
    claimed(nothing, "a term with a value has the coefficient 0");
}

#[test]
fn bound_instants_parameters_and_starts_stay_where_they_belong() {
    let free = |terms: &mut Terms| {
        let bound = terms.add(Term::Bound(0));
        Term::Exists(1, terms.zero(Linear { terms: vec![(bound, 1)], constant: 0 }))
    };
    claimed(|terms| free(terms), "an instant is not bound");
    claimed(|_| Term::Variable(VariableId(1), Moment::Start), "read where there is none");
    let parameter =
        |terms: &mut Terms| Term::Zero(Linear { terms: vec![(terms.add(Term::Parameter(0)), 1)], constant: 0 });
    claimed(parameter, "there is no such parameter");
    let old = |terms: &mut Terms| read(terms, 1, Moment::Start);
    claimed(|terms| Term::Past(old(terms), terms.add(Term::Now)), "read inside `Past`");
    claimed(|terms| event(Event::Change(old(terms)), 1), "read inside `Change`");
    let mut constraint = counter();
    constraint.properties[0].kind = PropertyKind::Constraint;
    constraint.properties[0].term = old(&mut constraint.terms);
    assert_eq!(check(&constraint), [""; 0]);
}

#[test]
fn what_holds_for_all_time_does_not_read_the_state() {
    broken(
        |m| m.axioms.push(Clause { name: "axiom".to_owned(), term: m.properties[0].term, span: Span::default() }),
        "it depends on time",
    );
    broken(|m| m.variables[0].conditions.push(m.properties[0].term), "it depends on time");
    broken(|m| m.transitions[0].parameters[0].conditions.push(m.properties[0].term), "it depends on time");
}

#[test]
fn values_and_domains_fit() {
    broken(|m| m.constants[0].value = Some(0), "its value is not in its domain");
    broken(|m| m.constants[0].value = Some(2), "its duration is not");
    broken(|m| m.variables[0].domain = Domain::Integer { lower: Some(2), upper: Some(1) }, "it has no values");
    let names = vec![(1, "b".to_owned()), (0, "a".to_owned())];
    broken(|m| m.variables[0].domain = Domain::Named(names), "its values are not sorted");
    broken(|m| m.properties.push(m.properties[0].clone()), "two properties have this name");
}

#[test]
fn divisors_and_quotients_are_checked() {
    let divided = |terms: &mut Terms, term: fn(TermId) -> Term| {
        let now = terms.add(Term::Now);
        let quotient = terms.add(term(now));
        Term::Zero(Linear { terms: vec![(quotient, 1)], constant: 0 })
    };
    claimed(|terms| divided(terms, |now| Term::Floor(now, 1)), "a divisor is not greater than 1");
    claimed(|terms| divided(terms, |now| Term::Quotient(now, 2)), "a quotient is not the instant of `Past`");
}

#[test]
fn events_are_those_of_transitions() {
    let source = |transitions: Vec<TransitionRef>| Source { transitions, arguments: Vec::new() };
    claimed(|_| event(Event::Start(source(Vec::new())), 1), "an event has no transitions");
    claimed(|_| event(Event::Start(source(vec![grow(), grow()])), 1), "are not sorted");
    claimed(|_| event(Event::Start(source(vec![grow()])), 0), "an event is counted from 0");
    let argument = |terms: &mut Terms| Source { transitions: vec![grow()], arguments: vec![(1, terms.number(0))] };
    claimed(|terms| event(Event::End(argument(terms)), 1), "an argument without a parameter");
    broken(
        |m| {
            m.transitions[0].exported = false;
            let term = m.terms.add(event(Event::Call(source(vec![grow()])), 1));
            m.properties[0].term = term;
        },
        "a transition that is not exported is called",
    );
}

#[test]
fn transitions_have_cases_and_durations() {
    broken(|m| m.transitions[0].cases.clear(), "it has no cases");
    broken(|m| m.transitions[0].cases[0].duration = m.terms.number(0), "its duration is not");
    broken(|m| m.transitions[0].cases[0].entry = m.transitions[0].cases[0].exit, "read where there is none");
}

#[test]
fn deep_terms_are_refused() {
    let deep = |terms: &mut Terms| {
        let mut term = read(terms, 1, Moment::Now);
        for bound in 0..=Terms::MOST_NESTING {
            term = terms.add(Term::Exists(bound, term));
        }
        Term::Not(term)
    };
    claimed(deep, "it nests too deeply");
}
