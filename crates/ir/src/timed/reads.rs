//! What formulas read: variables, histories and how far back.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lurcher_resources::checkpoint;

use super::{ConstantId, Event, Model, Moment, Occurrence, Term, TermId, VariableId};

/// What formulas read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Constants without a value.
    pub constants: BTreeSet<ConstantId>,
    /// What is read at the instant of the formula.
    pub now: ReadsAt,
    /// What is read at the start of the transition that ends.
    pub at_start: BTreeSet<VariableId>,
    /// What is read at other instants, inside [`Term::Past`].
    pub earlier: ReadsAt,
    /// The terms that are read at other instants, with the terms of these instants.
    pub past: BTreeSet<(TermId, TermId)>,
}

/// What formulas read at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadsAt {
    /// Variables, except in the terms of [`Event::Change`].
    pub variables: BTreeSet<VariableId>,
    /// Events, with how many of the last ones.
    pub events: BTreeMap<Event, u32>,
    /// Whether the instant itself is read, beyond what quantifiers and histories imply.
    pub instant: bool,
}

impl Model {
    /// What some formulas read.
    pub fn reads(&self, formulas: impl IntoIterator<Item = TermId>) -> Reads {
        let mut reads = Reads::default();
        let mut seen = HashSet::new();
        let mut open: Vec<(TermId, bool)> = formulas.into_iter().map(|f| (f, false)).collect();
        while let Some((id, earlier)) = open.pop() {
            checkpoint();
            if !seen.insert((id, earlier)) {
                continue;
            }
            let at = if earlier { &mut reads.earlier } else { &mut reads.now };
            match self.terms.get(id) {
                Term::Constant(constant) => {
                    reads.constants.insert(*constant);
                }
                Term::Variable(variable, Moment::Now) => {
                    at.variables.insert(*variable);
                }
                Term::Variable(variable, Moment::Start) => {
                    reads.at_start.insert(*variable);
                }
                Term::Now => at.instant = true,
                Term::Instant(Occurrence { event, nth }) | Term::Occurred(Occurrence { event, nth }) => {
                    let most = at.events.entry(event.clone()).or_insert(0);
                    *most = (*most).max(*nth);
                    match event {
                        Event::Change(of) => reads.constants.extend(self.constants_in(*of)),
                        _ => open.extend(event.parts().into_iter().map(|part| (part, earlier))),
                    }
                }
                Term::Past(of, instant) => {
                    reads.past.insert((*of, *instant));
                    open.extend([(*of, true), (*instant, earlier)]);
                }
                term => open.extend(term.parts().into_iter().map(|part| (part, earlier))),
            }
        }
        reads
    }

    /// The constants in a term.
    pub fn constants_in(&self, term: TermId) -> BTreeSet<ConstantId> {
        let constant = |part| match self.terms.get(part) {
            Term::Constant(id) => Some(*id),
            _ => None,
        };
        self.terms.closure([term]).into_iter().filter_map(constant).collect()
    }

    /// The formulas of all clauses, conditions, assertions and properties, without axioms.
    pub fn formulas(&self) -> impl Iterator<Item = TermId> {
        let clauses = [&self.initial, &self.environment, &self.imported_variable].into_iter().flatten().map(|c| c.term);
        let cases = self.transitions.iter().flat_map(|t| &t.cases).flat_map(|c| [c.entry, c.exit]);
        let parameters = self.transitions.iter().flat_map(|t| &t.parameters);
        let parameters = parameters.chain(self.imported.iter().flat_map(|t| &t.parameters));
        let conditions = self.variables.iter().flat_map(|v| &v.conditions);
        let conditions = conditions.chain(parameters.flat_map(|p| &p.conditions)).copied();
        let selection = self.selection.iter().map(|rule| rule.condition);
        clauses.chain(cases).chain(conditions).chain(selection).chain(self.properties.iter().map(|p| p.term))
    }
}
