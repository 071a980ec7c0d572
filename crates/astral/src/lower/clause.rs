//! Clauses, properties and further assumptions.

use std::collections::HashSet;

use lurcher_ir::timed::{self, Clause, Owner, Property, PropertyKind, TransitionRef};
use lurcher_resources::checkpoint;
use lurcher_syntax::Span;

use super::{Context, Lowering};
use crate::checked::{self, FormulaKind, ProcessId, TermId, TermKind, TransitionId, VariableId};

impl Lowering<'_> {
    /// All clauses of the process, and the axioms of the global specification.
    pub(super) fn clauses(&mut self, process: ProcessId) {
        let name = self.model.process.clone();
        let timeless = Context { timeless: true, ..self.context };
        let global = Context { process: None, ..timeless };
        let axioms = self.within(global, |l| l.conjuncts(None, FormulaKind::Axiom, "global.axiom"));
        self.axioms(axioms);
        let axioms =
            self.within(timeless, |l| l.conjuncts(Some(process), FormulaKind::Axiom, &format!("{name}.axiom")));
        self.axioms(axioms);
        self.model.initial = self.conjuncts(Some(process), FormulaKind::Initial, &format!("{name}.initial"));
        self.satisfiable();
        self.model.environment =
            self.conjuncts(Some(process), FormulaKind::Environment, &format!("{name}.environment"));
        self.model.imported_variable =
            self.conjuncts(Some(process), FormulaKind::ImportedVariable, &format!("{name}.imported"));
        for (kind, clause) in [
            (PropertyKind::Invariant, FormulaKind::Invariant),
            (PropertyKind::Constraint, FormulaKind::Constraint),
            (PropertyKind::Schedule, FormulaKind::Schedule),
        ] {
            for (clause, term) in self.numbered(Some(process), clause, &format!("{name}.{}", kind.name())) {
                let Clause { name, term: formula, span } = clause;
                let text = self.specification.text(term);
                self.model.properties.push(Property { name, kind, term: formula, text, span });
            }
        }
    }

    fn conjuncts(&mut self, process: Option<ProcessId>, kind: FormulaKind, name: &str) -> Vec<Clause> {
        self.numbered(process, kind, name).into_iter().map(|(clause, _)| clause).collect()
    }

    /// The conjuncts of a clause, counted from 1.
    fn numbered(&mut self, process: Option<ProcessId>, kind: FormulaKind, name: &str) -> Vec<(Clause, TermId)> {
        let conjuncts = self.specification.clause(process, kind).map_or(&[][..], |c| &c.conjuncts);
        let mut clauses = Vec::new();
        for (number, &conjunct) in conjuncts.iter().enumerate() {
            if let Some(term) = self.clause(conjunct) {
                let span = self.specification.terms[conjunct].span;
                clauses.push((Clause { name: format!("{name}.{}", number + 1), term, span }, conjunct));
            }
        }
        clauses
    }

    /// Enters axioms; reports those that no constants satisfy.
    fn axioms(&mut self, axioms: Vec<Clause>) {
        for axiom in axioms {
            if self.model.terms.as_truth(axiom.term) == Some(false) {
                let given = !self.given.is_empty();
                let message = if given { "the axiom does not hold for the given values" } else { "the axiom is false" };
                self.error(axiom.span, message);
            }
            self.model.axioms.push(axiom);
        }
    }

    fn satisfiable(&mut self) {
        let clauses = self.model.initial.clone();
        for clause in clauses {
            if self.model.terms.as_truth(clause.term) == Some(false) {
                self.error(clause.span, "nothing satisfies the initial clause: this is false");
            }
        }
    }

    /// What the initial clauses of other instances say of imported variables: the conjuncts that read nothing else of them.
    pub(super) fn initial_values_of_imports(&mut self) {
        let mut instances: Vec<u32> = self.model.variables.iter().filter_map(|v| imported(v.owner)).collect();
        instances.sort_unstable();
        instances.dedup();
        for instance in instances {
            let process = self.process_of(instance);
            let read: HashSet<VariableId> =
                self.variables.keys().filter(|(i, ..)| *i == instance).map(|(_, id, _)| *id).collect();
            let initial = self.specification.clause(Some(process), FormulaKind::Initial);
            let conjuncts = initial.map_or(&[][..], |c| &c.conjuncts);
            let context = Context { process: Some(process), me: instance, ..self.context };
            for (number, &conjunct) in conjuncts.iter().enumerate() {
                if !self.reads_only(conjunct, &read) {
                    continue;
                }
                let Some(term) = self.within(context, |l| l.clause(conjunct)) else { continue };
                let name = format!("{}.initial.{}", self.name_of(instance), number + 1);
                let span = self.specification.terms[conjunct].span;
                self.model.initial.push(Clause { name, term, span });
            }
        }
    }

    /// Whether a formula of a process reads no variables but some, and no history.
    fn reads_only(&self, formula: TermId, allowed: &HashSet<VariableId>) -> bool {
        let specification = self.specification;
        let mut seen = HashSet::new();
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            checkpoint();
            if !seen.insert(term) {
                continue;
            }
            match &specification.terms[term].kind {
                TermKind::Variable { variable, owner: checked::Owner::Own, .. } if allowed.contains(variable) => {}
                TermKind::Variable { .. } | TermKind::Event(_) | TermKind::Change { .. } | TermKind::Past(..) => {
                    return false;
                }
                TermKind::Define(define, ..) => open.push(specification.defines[define.index()].body),
                _ => {}
            }
            open.extend(specification.terms[term].kind.operands());
        }
        true
    }

    /// The further assumptions that are asked for.
    pub(super) fn further(&mut self, process: ProcessId, numbers: &[i64]) {
        let specification = self.specification;
        let declared = &specification.processes[process.index()];
        for &number in numbers {
            let Some(further) = declared.further.iter().find(|f| f.number == number) else {
                let message = format!("`{}` has no `FURTHER ASSUMPTIONS #{number}`", declared.name);
                self.error(declared.span, message);
                continue;
            };
            let name = format!("{}.further.{number}", declared.name);
            let environment = self.assumed(&further.environment, &format!("{name}.environment"));
            self.model.environment.extend(environment);
            let context = Context { timeless: true, ..self.context };
            let constants = self.within(context, |l| l.assumed(&further.constants, &format!("{name}.constants")));
            self.axioms(constants);
            for rule in &further.selection {
                let condition = match rule.condition {
                    Some(condition) => self.clause(condition),
                    None => Some(self.model.terms.truth(true)),
                };
                let (enabled, selected) = (self.all_of(&rule.enabled), self.all_of(&rule.selected));
                if let Some(condition) = condition {
                    self.model.selection.push(timed::SelectionRule { enabled, condition, selected });
                }
            }
        }
    }

    fn assumed(&mut self, conjuncts: &[TermId], name: &str) -> Vec<Clause> {
        let mut clauses = Vec::new();
        for (number, &conjunct) in conjuncts.iter().enumerate() {
            if let Some(term) = self.clause(conjunct) {
                let span: Span = self.specification.terms[conjunct].span;
                clauses.push(Clause { name: format!("{name}.{}", number + 1), term, span });
            }
        }
        clauses
    }

    /// The own transitions that some declarations expand to.
    fn all_of(&mut self, declarations: &[TransitionId]) -> Vec<timed::TransitionId> {
        let mut found = Vec::new();
        for &id in declarations {
            let span = self.specification.transitions[id.index()].span;
            for (_, transition) in self.expansion(self.own, id, span).map_or(Vec::new(), |e| e.transitions) {
                if let TransitionRef::Own(id) = transition {
                    found.push(id);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

fn imported(owner: Owner) -> Option<u32> {
    match owner {
        Owner::Own => None,
        Owner::Imported(instance) => Some(instance),
    }
}
