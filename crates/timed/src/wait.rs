//! Waits of any length.

use lurcher_presburger::{Set, Term};

use crate::error::Stop;
use crate::space::Space;
use crate::step::{Before, Piece};
use crate::truth::{all, exists, is_never, negation};
use crate::view::View;

impl Space<'_> {
    /// Waits of any length from states with these explicit values: nothing happens, and on the way nothing becomes enabled and
    /// no assumption becomes false.
    pub fn wait(&self, before: &Before, slots: &[i64]) -> Result<Piece, Stop> {
        let (columns, width) = (self.layout.columns, self.step_columns());
        let elapsed = before.duration.clone();
        let mut parts = vec![before.formula.clone()];
        for column in 0..columns {
            let is_age = self
                .layout
                .tracks
                .iter()
                .zip(&before.view.histories)
                .any(|(track, history)| track.ages.iter().take(history.entries.len()).any(|&age| age == column));
            let aged = if is_age { Term::column(column) + elapsed.clone() } else { Term::column(column) };
            parts.push(Term::column(columns + 2 + column).equals(aged));
        }
        let mut waits = Set::from_formula(width, &all(parts))?;
        let start = View { columns: width + 1, ..before.view.clone() };
        let between = start.aged(&Term::column(width));
        let mut undisturbed = vec![self.none_enabled(&between)?];
        for &assumption in self.components.iter().flat_map(|component| &component.assumptions) {
            undisturbed.push(self.truth(&between, assumption)?.yes);
        }
        let disturbed = negation(all(undisturbed));
        if !is_never(&disturbed) {
            let within = all([Term::column(width).at_least(1), Term::column(width).at_most(elapsed)]);
            let disturbed = exists(all([self.context(&start)?, within, disturbed]));
            waits = waits.subtract(&Set::from_formula(width, &disturbed)?)?.coalesce()?;
        }
        let relation = self.relation(&before.context, waits.clone(), slots, slots)?;
        let piece =
            Piece { slots: slots.to_vec(), relation, broken: Vec::new(), is_incomplete: false, times: Some(waits) };
        Ok(piece)
    }
}
