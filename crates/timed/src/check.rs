//! Checks of sets of states: properties, entry assertions without a value, constraints, and the instants within steps.

use lurcher_ir::timed::PropertyKind;

use crate::error::Stop;
use crate::outcome::Finding;
use crate::space::{Aspect, Observed, Space, When};
use crate::states::States;
use crate::step::Label;

/// Where on the way of a step something is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where the step begins.
    Start,
    /// Between start and end of a case.
    Within(usize),
    /// At the end of a case.
    End(usize),
}

/// What a check of states says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    pub finding: Option<(Finding, Place)>,
    /// Whether something may have been missed, because a formula reads events that are not kept.
    pub is_incomplete: bool,
}

impl Space<'_> {
    /// Checks the entry assertions and then the properties where steps begin: an entry assertion without a value decides what
    /// comes next.
    pub fn check(&self, states: &States) -> Result<Checked, Stop> {
        let mut is_incomplete = false;
        for case in 0..self.cases.len() {
            is_incomplete |= self.is_observed(Observed::Entry(case, Aspect::Lost), states)?;
            if self.is_observed(Observed::Entry(case, Aspect::NoValue), states)? {
                return Ok(Checked { finding: Some((Finding::EntryNoValue(case), Place::Start)), is_incomplete });
            }
        }
        let mut checked = self.check_properties(states, When::AtSteps, Place::Start)?;
        checked.is_incomplete |= is_incomplete;
        Ok(checked)
    }

    fn check_properties(&self, states: &States, when: When, place: Place) -> Result<Checked, Stop> {
        let mut checked = Checked::default();
        for (index, &property) in self.properties.iter().enumerate() {
            if self.model.properties[property].kind == PropertyKind::Constraint {
                continue;
            }
            for (aspect, finding) in
                [(Aspect::False, Finding::False(property)), (Aspect::NoValue, Finding::NoValue(property))]
            {
                if self.is_observed(Observed::Property(index, aspect, when), states)? {
                    checked.finding = Some((finding, place));
                    return Ok(checked);
                }
            }
            checked.is_incomplete |= self.is_observed(Observed::Property(index, Aspect::Lost, when), states)?;
        }
        Ok(checked)
    }

    fn is_observed(&self, what: Observed, states: &States) -> Result<bool, Stop> {
        for (slots, set) in &states.parts {
            let observed = self.observe(what, slots)?;
            if !observed.is_empty() && !set.intersect(&observed)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks the properties at the instants between start and end of a step, and the constraints at its end.
    pub fn check_step(&self, label: Label, states: &States, every_instant: bool) -> Result<Checked, Stop> {
        let Label::Case(case) = label else { return Ok(Checked::default()) };
        let finding = self.check_constraints(label, states)?.map(|finding| (finding, Place::End(case)));
        if !every_instant || finding.is_some() {
            return Ok(Checked { finding, is_incomplete: false });
        }
        let within = self.image(Label::Within(case), states)?;
        let mut checked = self.check_properties(&within.states, When::WithinSteps, Place::Within(case))?;
        checked.is_incomplete |= within.is_incomplete;
        Ok(checked)
    }

    fn check_constraints(&self, label: Label, states: &States) -> Result<Option<Finding>, Stop> {
        for (slots, set) in &states.parts {
            for piece in self.steps(label, slots)?.iter() {
                for (index, aspect, relation) in &piece.broken {
                    if !relation.image(set)?.is_empty() {
                        let property = self.properties[*index];
                        let has_value = *aspect == Aspect::False;
                        return Ok(Some(if has_value { Finding::False(property) } else { Finding::NoValue(property) }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The name of a step.
    pub fn name(&self, label: Label) -> String {
        match label {
            Label::Case(case) | Label::Within(case) => self.cases[case].1.name.clone(),
            Label::Idle => "idle".to_owned(),
            Label::Wait => "wait".to_owned(),
        }
    }
}
