//! All reachable states as a fixpoint.
//!
//! A round makes the images of the states that are new: of every case, and of the idle instant after any wait. Waits of any
//! length are one relation: no case becomes enabled and no assumption becomes false on the way. States know of ages instead of
//! instants and forget what cannot be read any more, so that for many models the rounds end, and the properties hold at all
//! instants for all constants that satisfy the axioms.

use std::time::Instant;

use crate::check::Place;
use crate::encoding::Encoding;
use crate::error::{Error, Stop};
use crate::outcome::{Ended, Finding, Outcome};
use crate::show::Shown;
use crate::space::Space;
use crate::states::States;
use crate::step::Label;

/// How reachable states are computed.
#[derive(Clone, Debug)]
pub struct SetsSettings {
    /// The most of the last events of a kind that states may know of.
    pub window: usize,
    /// The most rounds.
    pub rounds: u32,
}

impl Default for SetsSettings {
    fn default() -> Self {
        SetsSettings { window: 4, rounds: 1000 }
    }
}

impl Encoding<'_> {
    /// Computes all reachable states. First they know of the last event of each kind only, and of more where that does not
    /// suffice.
    ///
    /// # Errors
    /// When the model cannot be encoded, or a number becomes too large.
    pub fn sets(&self, settings: &SetsSettings) -> Result<Outcome, Error> {
        if settings.window == 0 {
            return Err(Error::Zero("window"));
        }
        let started = Instant::now();
        let mut window = 1;
        loop {
            let mut outcome = self.run(window, |space| fixpoint(space, settings.rounds, window < settings.window))?;
            outcome.time = started.elapsed();
            outcome.window = window;
            if outcome.ended != Ended::Window || window >= settings.window {
                return Ok(outcome);
            }
            window += 1;
        }
    }
}

/// Where `impatient`, the fixpoint is given up as soon as something may be missing.
fn fixpoint(space: &Space<'_>, most: u32, impatient: bool) -> Result<Outcome, Stop> {
    let mut frontier = space.initial_states()?;
    let mut reached = frontier.clone();
    let mut layers: Vec<States> = Vec::new();
    let mut disjuncts = 0;
    let mut is_incomplete = false;
    let mut shown = Shown::default();
    let ended = loop {
        if frontier.is_empty() {
            break if is_incomplete { Ended::Window } else { Ended::Complete };
        }
        if layers.len() == most as usize {
            break Ended::Rounds;
        }
        let round = space.round(&frontier)?;
        is_incomplete |= round.is_incomplete;
        layers.push(frontier);
        if let Some((finding, place, waited)) = round.finding {
            shown = space.shown_in(&layers, (finding, place), waited)?;
            break Ended::Found(finding);
        }
        if is_incomplete && impatient {
            break Ended::Window;
        }
        frontier = round.states.without(&reached)?;
        reached = reached.joined(&frontier)?;
        disjuncts = disjuncts.max(reached.disjuncts());
    };
    Ok(Outcome {
        ended,
        path: shown.path,
        run: shown.run,
        nodes: layers.len() as u64,
        disjuncts,
        window: 0,
        time: std::time::Duration::ZERO,
    })
}

/// What the next steps of some states lead to, and what is found on the way.
struct Round {
    states: States,
    /// What, where, and whether in a state that follows a wait.
    finding: Option<(Finding, Place, bool)>,
    is_incomplete: bool,
}

impl Space<'_> {
    fn round(&self, states: &States) -> Result<Round, Stop> {
        let mut round = Round { states: States::default(), finding: None, is_incomplete: false };
        let waiting = self.waiting(states)?;
        for (states, waited) in [(states, false), (&waiting, true)] {
            let checked = self.check(states)?;
            round.is_incomplete |= checked.is_incomplete;
            if let Some((finding, place)) = checked.finding {
                return Ok(Round { finding: Some((finding, place, waited)), ..round });
            }
        }
        for label in self.labels() {
            let from = if label == Label::Idle { &waiting } else { states };
            let checked = self.check_step(label, from, true)?;
            round.is_incomplete |= checked.is_incomplete;
            if let Some((finding, place)) = checked.finding {
                return Ok(Round { finding: Some((finding, place, false)), ..round });
            }
            let image = self.image(label, from)?;
            round.is_incomplete |= image.is_incomplete;
            for (slots, set) in image.states.parts {
                round.states.add(&slots, set)?;
            }
        }
        Ok(round)
    }

    /// The states at which nothing is enabled, and those that follow while nothing happens and nothing becomes enabled.
    fn waiting(&self, states: &States) -> Result<States, Stop> {
        Ok(self.image(Label::Wait, states)?.states)
    }
}
