//! Deadlocks: every process is at a location where no statement is executable (the paper's formula *deadlock*).
//!
//! A location is *dangerous* if every statement there may be disabled. In the sum form, valid end locations are not dangerous,
//! except for processes that can reach no other dangerous location; and if labels with a prefix mark locations of a process
//! type, exactly these are dangerous. In the maximum form all locations at which a process can block count, because a deadlock
//! needs only one process that is not at a valid end.
//!
//! A process that dies before the deadlock passes the location where it dies, at which it can block.

use lurcher_ir::analysis::{ControlFlow, blocking_locations};
use lurcher_ir::{LocationId, ProcessType};
use lurcher_system::ProcessId;

use super::build::Builder;
use super::estimate::View;
use super::sites::Sites;
use super::{Formula, FormulaForm, INFINITE};
use crate::goals::system_types;

/// The prefix of labels at dangerous locations by default.
pub(super) const DANGER: &str = "danger";

/// The dangerous locations of a model.
#[derive(Debug)]
pub(super) struct Deadlock {
    /// By process type: the dangerous locations, with the formula that a process is blocked there.
    dangerous: Vec<Sites>,
    /// The same for all locations at which a process can block.
    blocking: Vec<Sites>,
    /// The process types with dangerous locations, and how these were found.
    pub notes: Vec<String>,
}

impl Deadlock {
    /// The formula of a model. `prefix` is the user's prefix of labels at dangerous locations.
    ///
    /// # Errors
    /// When a labelled location cannot block, or the prefix that the user gave begins no label.
    pub fn of(builder: &Builder<'_>, prefix: Option<&str>, form: FormulaForm) -> Result<Self, String> {
        let types = builder.model.process_types.iter();
        let mut deadlock = Deadlock {
            dangerous: types.clone().map(|_| Sites::default()).collect(),
            blocking: types.map(|_| Sites::default()).collect(),
            notes: Vec::new(),
        };
        let mut labelled = false;
        for (number, process_type) in system_types(builder.model) {
            let flow = ControlFlow::new(process_type, None);
            let depths = flow.depths();
            let mut all = blocking_locations(process_type, None);
            all.retain(|&l| depths.of(l).is_some());
            let sites = |locations: &[LocationId]| {
                let site = |&l: &LocationId| (l, blocked(builder, process_type, l));
                Sites::new(&flow, locations.iter().map(site).collect())
            };
            deadlock.blocking[number] = sites(&all);
            if form == FormulaForm::Max {
                continue;
            }
            let marked = labelled_locations(process_type, prefix.unwrap_or(DANGER), &all)?;
            labelled |= !marked.is_empty();
            let (dangerous, how) = match marked.is_empty() {
                true => (all.into_iter().filter(|&l| !process_type.location(l).end).collect(), "inferred"),
                false => (marked, "labelled"),
            };
            deadlock.notes.push(format!("{}: {} dangerous locations, {how}", process_type.name, dangerous.len()));
            deadlock.dangerous[number] = sites(&dangerous);
        }
        match prefix {
            Some(prefix) if !labelled => Err(format!("no label begins with `{prefix}`")),
            _ => Ok(deadlock),
        }
    }

    /// All sites, by process type.
    pub fn sites(&self) -> impl Iterator<Item = (&Sites, &Sites)> {
        self.dangerous.iter().zip(&self.blocking)
    }

    /// The estimated steps until every process is blocked.
    pub fn estimate(&self, view: &View<'_, '_>) -> u32 {
        let blocked = |p: ProcessId| {
            let (ty, location) = (view.state.process_type(p).0 as usize, view.state.location(p));
            let view = View { reader: Some(p), ..*view };
            match self.dangerous[ty].formulas() {
                [] => self.blocking[ty].estimate(&view, location),
                _ => match self.dangerous[ty].estimate(&view, location) {
                    INFINITE => self.blocking[ty].estimate(&view, location),
                    steps => steps,
                },
            }
        };
        (0..view.state.process_count()).fold(0, |sum, p| view.form.join(sum, blocked(ProcessId(p))))
    }
}

/// The locations with a label that begins with the prefix.
fn labelled_locations(
    process_type: &ProcessType,
    prefix: &str,
    blocking: &[LocationId],
) -> Result<Vec<LocationId>, String> {
    let label = |l: LocationId| process_type.location(l).labels.iter().find(|label| label.starts_with(prefix));
    let marked: Vec<LocationId> = process_type.location_ids().filter(|&l| label(l).is_some()).collect();
    match marked.iter().find(|l| !blocking.contains(l)).and_then(|&l| label(l)) {
        Some(label) => Err(format!("{} cannot block at the label `{label}`", process_type.name)),
        None => Ok(marked),
    }
}

/// The formula that a process at a location is blocked (*blocked* without i@u).
fn blocked(builder: &Builder<'_>, process_type: &ProcessType, location: LocationId) -> Formula {
    let branches = process_type.location(location).branches.iter();
    let disabled = Formula::All(branches.map(|b| builder.blocked(&process_type.action(b.action).kind)).collect());
    match &process_type.provided {
        Some(condition) => Formula::Any(vec![builder.truth(condition, false), disabled]),
        None => disabled,
    }
}
