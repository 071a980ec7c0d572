//! Clauses that are formulas, definitions and further assumptions.

use lurcher_syntax::Span;

use super::Checker;
use super::declare::Levels;
use super::place::Place;
use super::scope::Entity;
use super::variation::Timeless;
use crate::ast::{self, ClauseKind, Expr, FormulaKind, Ident};
use crate::checked::{Clause, DefineId, Further, Owner, SelectionRule, TermId, TermKind, TransitionId};

/// The next declarations whose bodies are checked.
#[derive(Default)]
struct Next {
    define: usize,
    transition: usize,
}

impl Checker {
    /// Checks all definitions, clauses and transitions, in the order in which their names were entered.
    pub(super) fn bodies(&mut self, global: &ast::Global, levels: &Levels<'_>) {
        let mut next = Next::default();
        self.process = None;
        self.clauses(&global.clauses, &mut next);
        for &(process, clauses) in levels {
            self.process = Some(process);
            self.clauses(clauses, &mut next);
        }
        self.process = None;
    }

    fn clauses(&mut self, clauses: &[ast::Clause], next: &mut Next) {
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Define(list) => {
                    for define in list {
                        self.define_body(DefineId::new(next.define), define);
                        next.define += 1;
                    }
                }
                ClauseKind::Formula(kind, formula) => self.formula_clause(*kind, formula, clause.span),
                ClauseKind::Transition(transition) if self.process.is_some() => {
                    self.transition(TransitionId::new(next.transition), transition);
                    next.transition += 1;
                }
                ClauseKind::Further(further) => self.further(further, clause.span),
                _ => {}
            }
        }
    }

    fn define_body(&mut self, id: DefineId, it: &ast::Define) {
        self.place = Place::Define;
        let define = &self.specification.defines[id.index()];
        let (ty, parameters) = (define.ty, define.parameters.clone());
        let body = self.with_bound(&parameters, |c| {
            let body = c.expr(&it.body)?;
            c.expect_type(body, ty)
        });
        if let Some(body) = body {
            self.specification.defines[id.index()].body = body;
        }
    }

    fn formula_clause(&mut self, kind: FormulaKind, formula: &Expr, span: Span) {
        self.place = Place::Formula(kind);
        let Some(term) = self.formula(formula) else { return };
        if kind == FormulaKind::Axiom {
            self.timeless.push(Timeless { term, place: self.place });
        }
        if kind == FormulaKind::Environment {
            self.warn_of_own_variables(term);
        }
        let clause = Clause { kind, span, conjuncts: self.specification.terms.conjuncts(term) };
        match self.process {
            Some(process) => self.specification.processes[process.index()].clauses.push(clause),
            None => self.specification.clauses.push(clause),
        }
    }

    /// An environment clause speaks of what the process does not decide.
    fn warn_of_own_variables(&mut self, formula: TermId) {
        for term in self.specification.terms.within(formula) {
            if let TermKind::Variable { owner: Owner::Own, variable, .. } = self.specification.terms[term].kind {
                let name = self.specification.variables[variable.index()].name.clone();
                let span = self.specification.terms[term].span;
                self.warning(span, format!("an environment clause speaks of calls, but `{name}` is an own variable"));
            }
        }
    }

    fn further(&mut self, it: &ast::Further, span: Span) {
        let Some(process) = self.process else { return };
        self.place = Place::Further;
        let twice = self.specification.processes[process.index()].further.iter().any(|f| f.number == it.number);
        if twice {
            self.error(span, format!("`FURTHER ASSUMPTIONS #{}` is given twice", it.number));
        }
        let environment = it.environment.as_ref().and_then(|e| self.formula(e));
        let constants = it.constants.as_ref().and_then(|e| self.formula(e));
        self.timeless.extend(constants.map(|term| Timeless { term, place: Place::Further }));
        let selection = it.selection.iter().filter_map(|rule| self.selection_rule(rule)).collect();
        let conjuncts = |term: Option<TermId>| term.map_or(Vec::new(), |t| self.specification.terms.conjuncts(t));
        let (environment, constants) = (conjuncts(environment), conjuncts(constants));
        let further = Further { number: it.number, environment, constants, selection };
        self.specification.processes[process.index()].further.push(further);
    }

    fn selection_rule(&mut self, it: &ast::SelectionRule) -> Option<SelectionRule> {
        let enabled = self.transition_names(&it.enabled);
        let condition = it.condition.as_ref().map(|c| self.formula(c));
        let selected = self.transition_names(&it.selected);
        let condition = match condition {
            Some(condition) => Some(condition?),
            None => None,
        };
        Some(SelectionRule { enabled: enabled?, condition, selected: selected? })
    }

    fn transition_names(&mut self, names: &[Ident]) -> Option<Vec<TransitionId>> {
        let found: Vec<_> = names.iter().map(|name| self.transition_named(name)).collect();
        found.into_iter().collect()
    }

    fn transition_named(&mut self, name: &Ident) -> Option<TransitionId> {
        match self.lookup(&name.name, name.span)? {
            Entity::Transition(id) => Some(id),
            other => self.refuse(name.span, format!("`{}` is {}, not a transition", name.name, other.describe())),
        }
    }
}
