//! Checks of sets of states: properties, entry assertions without a value, constraints, and the instants within steps.

use std::rc::Rc;

use lurcher_ir::timed::PropertyKind;
use lurcher_presburger::{Set, Term};
use lurcher_resources::checkpoint;

use crate::component::{Passage, items_of};
use crate::error::Stop;
use crate::outcome::Finding;
use crate::space::{Observed, Space};
use crate::states::States;
use crate::step::Label;
use crate::truth::{all, is_never};
use crate::view::View;

/// What a check of states says.
pub(crate) struct Checked {
    pub finding: Option<Finding>,
    pub is_incomplete: bool,
}

impl Space<'_> {
    /// Checks the properties and the entry assertions where steps begin.
    pub fn check(&self, states: &States) -> Result<Checked, Stop> {
        let mut is_incomplete = false;
        for (index, &property) in self.properties.iter().enumerate() {
            if self.model.properties[property].kind == PropertyKind::Constraint {
                continue;
            }
            let what = [(Observed::False(index), Finding::False(property)), (Observed::NoValue(index), Finding::NoValue(property))];
            for (observed, finding) in what {
                if !self.observed_in(observed, states)?.is_empty() {
                    return Ok(Checked { finding: Some(finding), is_incomplete });
                }
            }
            is_incomplete |= !self.observed_in(Observed::Lost(index), states)?.is_empty();
        }
        for case in 0..self.cases.len() {
            if !self.observed_in(Observed::EntryNoValue(case), states)?.is_empty() {
                return Ok(Checked { finding: Some(Finding::EntryNoValue(case)), is_incomplete });
            }
            is_incomplete |= !self.observed_in(Observed::EntryLost(case), states)?.is_empty();
        }
        Ok(Checked { finding: None, is_incomplete })
    }

    /// Checks the constraints of a step.
    pub fn check_constraints(&self, label: Label, states: &States) -> Result<Option<Finding>, Stop> {
        for (slots, set) in &states.parts {
            for piece in self.steps(label, slots)?.iter() {
                for (index, has_value, relation) in &piece.broken {
                    if !relation.image(set)?.is_empty() {
                        let property = self.properties[*index];
                        let found = if *has_value { Finding::False(property) } else { Finding::NoValue(property) };
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The name of a step.
    pub fn name(&self, label: Label) -> String {
        match label {
            Label::Case(case) => self.cases[case].1.name.clone(),
            Label::Idle => "idle".to_owned(),
        }
    }

    /// Checks the properties at the instants between start and end of a step.
    pub fn check_within(&self, label: Label, states: &States) -> Result<Checked, Stop> {
        let mut checked = Checked { finding: None, is_incomplete: false };
        let Label::Case(case) = label else { return Ok(checked) };
        for (slots, set) in &states.parts {
            for (index, &property) in self.properties.iter().enumerate() {
                if self.model.properties[property].kind == PropertyKind::Constraint {
                    continue;
                }
                for what in [Observed::False(index), Observed::NoValue(index), Observed::Lost(index)] {
                    if set.intersect(&*self.within(case, what, slots)?)?.is_empty() {
                        continue;
                    }
                    match what {
                        Observed::Lost(_) => checked.is_incomplete = true,
                        Observed::NoValue(_) => checked.finding = Some(Finding::NoValue(property)),
                        _ => checked.finding = Some(Finding::False(property)),
                    }
                    if checked.finding.is_some() {
                        return Ok(checked);
                    }
                }
            }
        }
        Ok(checked)
    }

    /// The states from which a property is observed at an instant within a step.
    fn within(&self, case: usize, what: Observed, slots: &[i64]) -> Result<Rc<Set>, Stop> {
        let key = (case, what, slots.to_vec());
        if let Some(set) = self.within.borrow().get(&key) {
            return Ok(Rc::clone(set));
        }
        let set = Rc::new(self.make_within(case, what, slots)?);
        self.within.borrow_mut().insert(key, Rc::clone(&set));
        Ok(set)
    }

    fn make_within(&self, case: usize, what: Observed, slots: &[i64]) -> Result<Set, Stop> {
        let (columns, width) = (self.layout.columns, self.step_columns());
        let mut found = Set::empty(columns + 1)?;
        let (Observed::False(index) | Observed::NoValue(index) | Observed::Lost(index)) = what else {
            return self.without_time(found, &all([]));
        };
        let term = self.model.properties[self.properties[index]].term;
        let Some(before) = self.before(Label::Case(case), slots, width)? else {
            return self.without_time(found, &all([]));
        };
        let started = self.started(Label::Case(case), slots);
        let (now, later) = (Term::column(columns), Term::column(columns + 1));
        let elapsed = later.clone() - now.clone();
        let time = all([elapsed.clone().at_least(1), elapsed.clone().below(before.duration.clone())]);
        let aged = before.view.aged(&elapsed);
        for environment in self.environments_of(&started, &self.model.terms.closure([term]))? {
            checkpoint();
            let mut slots = started.clone();
            for (component, passage) in &environment {
                slots = self.components[*component].with(&slots, &passage.slots);
            }
            let outside = self.view(&slots, |column| Term::column(columns + 2 + column), later.clone(), width);
            let mut view = View {
                constants: before.view.constants.clone(),
                variables: before.view.variables.clone(),
                ..outside.clone()
            };
            for (id, _) in self.model.imported_variables() {
                view.variables[id.index()] = outside.variables[id.index()].clone();
            }
            for (track, layout) in self.layout.tracks.iter().enumerate().filter(|(_, layout)| layout.own) {
                debug_assert!(layout.own);
                view.histories[track] = aged.histories[track].clone();
            }
            self.record_step(&mut view, self.cases[case].0, &elapsed, false);
            let observed = what.of(self.truth(&view, term)?);
            if is_never(&observed) {
                continue;
            }
            let mut set = Set::from_formula(width, &all([before.formula.clone(), time.clone(), observed]))?;
            for (component, passage) in &environment {
                let own = self.components[*component].columns.iter().map(|&column| columns + 2 + column);
                let at: Vec<usize> = (0..columns + 2).chain(own).collect();
                set = set.intersect(&passage.pairs.embed(&at, width)?)?;
            }
            found = found.union(&set.project_out(columns + 1..width)?)?;
        }
        self.without_time(found.coalesce()?, &self.before(Label::Case(case), slots, columns + 1)?.map_or_else(|| all([]), |before| before.formula))
    }

    /// What can become, within a step, of the components that a formula reads or that may bring the step to an end.
    fn environments_of(
        &self,
        slots: &[i64],
        parts: &[lurcher_ir::timed::TermId],
    ) -> Result<Vec<Vec<(usize, Passage)>>, Stop> {
        let mut items = Vec::new();
        for &part in parts {
            items.extend(items_of(self.model, part).0);
        }
        let mut environments: Vec<Vec<(usize, Passage)>> = vec![Vec::new()];
        for (index, component) in self.components.iter().enumerate() {
            let passages = self.passages(index, slots, true)?;
            let is_pressing = passages.iter().any(|passage| passage.is_pressing || passage.is_incomplete);
            if !is_pressing && !component.reads(&items) {
                continue;
            }
            let extend = |environment: &Vec<(usize, Passage)>| {
                let environment = environment.clone();
                let with = move |passage: &Passage| {
                    environment.iter().cloned().chain([(index, passage.clone())]).collect::<Vec<_>>()
                };
                passages.iter().map(with).collect::<Vec<_>>()
            };
            environments = environments.iter().flat_map(extend).collect();
        }
        Ok(environments)
    }
}
