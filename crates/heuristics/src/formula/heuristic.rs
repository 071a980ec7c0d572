//! H_f as a heuristic.

use lurcher_ir::{LocationId, Model};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, State};

use super::assertion::Assertions;
use super::build::Builder;
use super::claim::{ClaimStage, stages};
use super::deadlock::Deadlock;
use super::estimate::View;
use super::sites::Sites;
use super::{FAR, Formula, FormulaForm, Literal};
use crate::goals::Target;
use crate::heuristic::Estimate;

/// The formula-based heuristic.
#[derive(Debug)]
pub struct FormulaHeuristic<'m> {
    interpreter: Interpreter<'m>,
    violation: ViolationFormula,
    form: FormulaForm,
    /// The greatest estimate of a formula that can hold, and one more.
    most: u32,
    max: u32,
}

/// The formula of a violation.
#[derive(Debug)]
enum ViolationFormula {
    State(Formula),
    Assertion(Assertions),
    Deadlock(Deadlock),
    /// By location of the claim.
    Claim(Vec<ClaimStage>),
}

impl<'m> FormulaHeuristic<'m> {
    /// The estimate of the steps to a broken invariant, a failed assertion, or a step of a claim.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(interpreter: &Interpreter<'m>, target: &Target, form: FormulaForm) -> Result<Self, String> {
        let model = interpreter.model();
        let builder = |timeout| Builder::new(model, timeout);
        let violation = match target {
            Target::Invariant(e) => ViolationFormula::State(builder(Some(false)).broken(e, form == FormulaForm::Max)),
            Target::Assertion => ViolationFormula::Assertion(Assertions::of(interpreter, &builder(None))),
            Target::Claim(_) if form == FormulaForm::Max => {
                return Err(
                    "a claim may move after the system has stopped, so it has no lower bound for claims".to_owned()
                );
            }
            Target::Claim(claim) => match claim.process_type() {
                Some(id) => ViolationFormula::Claim(stages(&builder(None), id)),
                None => return Err("there is no claim with guards".to_owned()),
            },
            Target::Deadlock => {
                return Err("a deadlock is no formula of the property; the guide deadlock infers one".to_owned());
            }
        };
        Ok(Self::of(interpreter, violation, form))
    }

    /// The estimate of the steps to a deadlock, with the number of dangerous locations of each process type. `prefix` is the
    /// user's prefix of labels at dangerous locations.
    ///
    /// # Errors
    /// When the labels cannot be used.
    pub fn deadlock(
        interpreter: &Interpreter<'m>,
        prefix: Option<&str>,
        form: FormulaForm,
    ) -> Result<(Self, Vec<String>), String> {
        let mut deadlock = Deadlock::of(&Builder::new(interpreter.model(), Some(true)), prefix, form)?;
        let notes = std::mem::take(&mut deadlock.notes);
        Ok((Self::of(interpreter, ViolationFormula::Deadlock(deadlock), form), notes))
    }

    fn of(interpreter: &Interpreter<'m>, violation: ViolationFormula, form: FormulaForm) -> Self {
        let greatest = Greatest { model: interpreter.model(), form };
        let most = greatest.of_violation(&violation).saturating_add(1);
        let ahead = match &violation {
            ViolationFormula::Claim(stages) => stages.iter().filter_map(|s| s.ahead).max().map_or(0, |a| a + 1),
            _ => 0,
        };
        let max = ahead.saturating_mul(most.saturating_add(1)).saturating_add(most);
        FormulaHeuristic { interpreter: interpreter.clone(), violation, form, most, max }
    }
}

impl Guidance for FormulaHeuristic<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        self.max
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        let view = View { interpreter: &self.interpreter, state, reader: None, form: self.form };
        match &self.violation {
            ViolationFormula::State(formula) => view.estimate(formula).min(self.most),
            ViolationFormula::Assertion(assertions) => assertions.estimate(&view).min(self.most),
            ViolationFormula::Deadlock(deadlock) => deadlock.estimate(&view).min(self.most),
            ViolationFormula::Claim(stages) => {
                let Some(ClaimStage { ahead: Some(ahead), guard }) = stages.get(usize::from(claim.0)) else {
                    return self.max;
                };
                ahead.saturating_mul(self.most + 1).saturating_add(view.estimate(guard).min(self.most)).min(self.max)
            }
        }
    }
}

impl Estimate for FormulaHeuristic<'_> {
    fn admissible(&self) -> bool {
        self.form == FormulaForm::Max
    }
}

/// The greatest estimates of formulas that can hold.
struct Greatest<'m> {
    model: &'m Model,
    form: FormulaForm,
}

impl Greatest<'_> {
    fn of_violation(&self, violation: &ViolationFormula) -> u32 {
        match violation {
            ViolationFormula::State(formula) => self.of(formula),
            ViolationFormula::Claim(stages) => stages.iter().map(|s| self.of(&s.guard)).max().unwrap_or(0),
            ViolationFormula::Assertion(assertions) => {
                let own = assertions.sites().iter().map(|s| self.of_sites(s)).max().unwrap_or(0);
                own.saturating_add(1).max(assertions.farthest_creation())
            }
            ViolationFormula::Deadlock(deadlock) => {
                let of_type = |(a, b): (&Sites, &Sites)| self.of_sites(a).max(self.of_sites(b));
                let types: Vec<u32> = deadlock.sites().map(of_type).collect();
                let initial = self.model.initial_processes.iter().map(|(ty, _)| types[ty.0 as usize]);
                initial.chain(types.iter().copied()).fold(0, |sum, most| self.form.join(sum, most))
            }
        }
    }

    fn of_sites(&self, sites: &Sites) -> u32 {
        let formula = sites.formulas().iter().map(|f| self.of(f)).max().unwrap_or(0);
        self.form.join(sites.farthest(), formula)
    }

    fn of(&self, formula: &Formula) -> u32 {
        match formula {
            Formula::All(parts) => parts.iter().fold(0, |sum, part| self.form.join(sum, self.of(part))),
            Formula::Any(parts) => parts.iter().map(|part| self.of(part)).max().unwrap_or(0),
            Formula::Literal { is_bound: false, .. } if self.form == FormulaForm::Max => 1,
            Formula::Literal { literal, .. } => self.of_literal(literal),
        }
    }

    fn of_literal(&self, literal: &Literal) -> u32 {
        let slots = || self.model.channel_types.iter().map(|c| u32::from(c.slots())).max().unwrap_or(0);
        let processes = || self.model.initial_processes.len().max(255) as u32;
        match literal {
            Literal::Truth(..) | Literal::Broken(_) | Literal::NotAt(_) | Literal::NotYoungest => 1,
            Literal::Relation(_) => FAR,
            Literal::Full(..) | Literal::Empty(..) => slots(),
            Literal::Message(..) => slots() + 1,
            Literal::At(at) => {
                let own = at.distances.iter().filter_map(lurcher_ir::analysis::Distances::max).max().unwrap_or(0);
                own.max(at.created.map_or(0, |steps| steps + 2))
            }
            Literal::SendBlocked(..) | Literal::ReceiveBlocked(_) => slots().max(processes()),
        }
    }
}
