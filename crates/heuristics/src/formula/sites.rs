//! Formulas at locations: (i@u) ∧ *f* for the processes of one type.

use lurcher_ir::LocationId;
use lurcher_ir::analysis::ControlFlow;
use lurcher_resources::checkpoint;

use super::estimate::View;
use super::{Formula, INFINITE};

/// The most formulas that are looked at from one location, the nearest ones; the distance stands for those beyond.
const NEAREST: usize = 64;

/// Formulas at locations of one process type.
#[derive(Debug, Default)]
pub(super) struct Sites {
    formulas: Vec<Formula>,
    /// By location.
    ahead: Vec<Ahead>,
}

/// What lies ahead of a location.
#[derive(Debug)]
struct Ahead {
    /// Distances over the control flow, and numbers of formulas, the nearest first.
    nearest: Vec<(u32, u32)>,
    /// The distance of the formulas that are not among them.
    beyond: u32,
}

impl Sites {
    pub fn new(flow: &ControlFlow<'_>, sites: Vec<(LocationId, Formula)>) -> Self {
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); flow.process_type().locations.len()];
        for (number, (location, _)) in sites.iter().enumerate() {
            at[location.0 as usize].push(number as u32);
        }
        let mut seen = vec![None; at.len()];
        let ahead = flow.process_type().location_ids().map(|from| nearest(flow, &at, from, &mut seen)).collect();
        Sites { formulas: sites.into_iter().map(|(_, formula)| formula).collect(), ahead }
    }

    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// The greatest distance over the control flow that is part of an estimate.
    pub fn farthest(&self) -> u32 {
        let distances =
            |ahead: &Ahead| ahead.nearest.last().map(|n| n.0).into_iter().chain([ahead.beyond]).collect::<Vec<_>>();
        self.ahead.iter().flat_map(distances).filter(|&d| d != INFINITE).max().unwrap_or(0)
    }

    /// The least estimate, for the reader of the view.
    pub fn estimate(&self, view: &View<'_, '_>, location: LocationId) -> u32 {
        let ahead = &self.ahead[location.0 as usize];
        let mut best = ahead.beyond;
        for &(distance, number) in &ahead.nearest {
            if distance >= best {
                break;
            }
            let formula = &self.formulas[number as usize];
            best = best.min(view.form.join(distance, view.estimate(formula)));
        }
        best
    }
}

/// The nearest formulas, by a breadth-first search over the control flow. `seen` has the last search that saw each location.
fn nearest(flow: &ControlFlow<'_>, at: &[Vec<u32>], from: LocationId, seen: &mut [Option<LocationId>]) -> Ahead {
    let mut ahead = Ahead { nearest: Vec::new(), beyond: INFINITE };
    let (mut layer, mut next, mut distance) = (vec![from], Vec::new(), 0);
    seen[from.0 as usize] = Some(from);
    while !layer.is_empty() {
        for location in layer.drain(..) {
            checkpoint();
            for &number in &at[location.0 as usize] {
                match ahead.nearest.len() < NEAREST {
                    true => ahead.nearest.push((distance, number)),
                    false => {
                        ahead.beyond = distance;
                        return ahead;
                    }
                }
            }
            for target in flow.outgoing(location).filter_map(|edge| edge.target) {
                if seen[target.0 as usize].replace(from) != Some(from) {
                    next.push(target);
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        distance += 1;
    }
    ahead
}
