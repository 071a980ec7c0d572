//! All reachable states as a fixpoint.
//!
//! A round makes the images of the states that are new: of every case, and of the idle instant after any wait. Waits of any
//! length are one relation: no case becomes enabled and no assumption becomes false on the way. States know of ages instead of
//! instants and forget what cannot be read any more, so that for many models the rounds end, and the properties hold at all
//! instants for all constants that satisfy the axioms.

use std::rc::Rc;
use std::time::Instant;

use lurcher_presburger::{Formula, Relation, Set, Term};
use lurcher_resources::checkpoint;

use crate::encoding::Encoding;
use crate::error::{Error, Stop};
use crate::outcome::{Ended, Finding, Outcome};
use crate::space::{Observed, Space};
use crate::states::States;
use crate::step::Label;
use crate::truth::{all, exists, is_always, negation};
use crate::view::View;

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
    if frontier.is_empty() {
        return Err(Error::NoInitialState.into());
    }
    let mut reached = frontier.clone();
    let mut rounds = 0;
    let mut disjuncts = 0;
    let mut is_incomplete = false;
    let ended = loop {
        if frontier.is_empty() {
            break if is_incomplete { Ended::Window } else { Ended::Complete };
        }
        if rounds == most {
            break Ended::Rounds;
        }
        rounds += 1;
        let round = space.round(&frontier)?;
        is_incomplete |= round.is_incomplete;
        if let Some(finding) = round.finding {
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
        path: Vec::new(),
        nodes: u64::from(rounds),
        disjuncts,
        window: 0,
        time: std::time::Duration::ZERO,
    })
}

/// What the next steps of some states lead to, and what is found on the way.
struct Round {
    states: States,
    finding: Option<Finding>,
    is_incomplete: bool,
}

impl Space<'_> {
    fn round(&self, states: &States) -> Result<Round, Stop> {
        let mut round = Round { states: States::default(), finding: None, is_incomplete: false };
        let waiting = self.waiting(states)?;
        for states in [states, &waiting] {
            let checked = self.check(states)?;
            round.is_incomplete |= checked.is_incomplete;
            if checked.finding.is_some() {
                return Ok(Round { finding: checked.finding, ..round });
            }
        }
        for label in self.labels() {
            let from = if label == Label::Idle { &waiting } else { states };
            let checked = self.check_step(label, from, true)?;
            round.is_incomplete |= checked.is_incomplete;
            if checked.finding.is_some() {
                return Ok(Round { finding: checked.finding, ..round });
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
        let mut waiting = States::default();
        for (slots, set) in &states.parts {
            let idle = set.subtract(&*self.observe(Observed::NotIdle, slots)?)?;
            if !idle.is_empty() {
                waiting.add(slots, self.wait(slots)?.image(&idle)?)?;
            }
        }
        waiting.coalesce()
    }

    /// Waits of any length from states with these explicit values.
    fn wait(&self, slots: &[i64]) -> Result<Rc<Relation>, Stop> {
        if let Some(wait) = self.waits.borrow().get(slots) {
            return Ok(Rc::clone(wait));
        }
        let (columns, width) = (self.layout.columns, self.step_columns());
        let view = self.view(slots, Term::column, Term::column(columns), width);
        let elapsed = Term::column(columns + 1) - Term::column(columns);
        let context = all([self.context(&view)?, self.none_enabled(&view)?, elapsed.clone().at_least(0)]);
        let after = self.view(slots, |column| Term::column(columns + 2 + column), Term::column(columns + 1), width);
        let mut parts = vec![context.clone()];
        for column in 0..columns {
            let aged = self
                .layout
                .tracks
                .iter()
                .zip(&after.histories)
                .any(|(track, history)| track.ages.iter().take(history.entries.len()).any(|&age| age == column));
            let before = if aged { Term::column(column) + elapsed.clone() } else { Term::column(column) };
            parts.push(Term::column(columns + 2 + column).equals(before));
        }
        let mut waits = Set::from_formula(width, &all(parts))?;
        let between = View { columns: width + 1, ..view.aged(&Term::column(width)) };
        let mut undisturbed = vec![self.none_enabled(&between)?];
        for component in &self.components {
            for &assumption in &component.assumptions {
                undisturbed.push(self.truth(&between, assumption)?.yes);
            }
        }
        let disturbed = negation(all(undisturbed));
        if !is_always(&negation(disturbed.clone())) {
            let within = all([Term::column(width).at_least(1), Term::column(width).at_most(elapsed)]);
            let ordered = self.context(&View { columns: width + 1, ..view.clone() })?;
            let disturbed: Formula = exists(all([ordered, within, disturbed]));
            waits = waits.subtract(&Set::from_formula(width, &disturbed)?)?.coalesce()?;
        }
        checkpoint();
        let wait = Rc::new(self.relation(&context, waits, slots, slots)?);
        self.waits.borrow_mut().insert(slots.to_vec(), Rc::clone(&wait));
        Ok(wait)
    }
}
