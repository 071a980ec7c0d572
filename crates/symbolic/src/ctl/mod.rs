//! CTL over fair runs (Clarke, Emerson and Sistla 1986; symbolically Burch and others 1992).
//!
//! Each formula becomes the set of reachable states where it holds, from the inside out. Runs are infinite and just;
//! compassion is ignored, as NuSMV ignores it in CTL. A formula is true of the model if it holds in every initial state
//! where a fair run begins.

mod witness;

use std::cell::RefCell;
use std::collections::HashMap;

use lurcher_ir::Ctl;
use lurcher_search::Observer;

use crate::encode::Encoding;
use crate::fair::Demands;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// Answers questions in CTL about one relation.
pub struct CtlChecker<'e, 'r> {
    encoding: &'e Encoding<'r>,
    ground: Ground,
    known: RefCell<HashMap<Ctl, Bdd>>,
}

/// What all questions in CTL about one relation need first.
#[derive(Clone)]
pub struct Ground {
    demands: Demands,
    reachable: Bdd,
    /// Reachable states where a fair run begins.
    fair: Bdd,
}

impl Ground {
    /// Finds the reachable states, unless they are known, and those where fair runs begin.
    pub fn find(encoding: &Encoding<'_>, reachable: Option<Bdd>, observer: &mut dyn Observer) -> Stoppable<Self> {
        let reachable = reachable.map_or_else(|| encoding.reachable(observer), Ok)?;
        let demands = encoding.demands(false)?;
        let fair = encoding.without_inputs(&encoding.fair_core(&reachable, &demands)?)?;
        Ok(Ground { demands, reachable, fair })
    }

    /// All reachable states.
    pub fn reachable(&self) -> &Bdd {
        &self.reachable
    }

    /// Reachable states where a fair run begins.
    pub fn fair(&self) -> &Bdd {
        &self.fair
    }
}

/// The answer to a question in CTL.
#[derive(Clone, Debug)]
pub struct CtlAnswer {
    /// Does the formula hold in all initial states where a fair run begins?
    pub holds: bool,
    /// Where not: a run that shows it.
    pub counterexample: Option<Witness>,
}

/// A run that shows why a formula holds, or why not.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The run.
    pub trace: Trace,
    /// Does the run alone show it? Where not, what cannot be seen from it is true of the run's last state and would
    /// take a tree of runs to show.
    pub complete: bool,
}

impl<'e, 'r> CtlChecker<'e, 'r> {
    /// Asks about a relation whose ground was found.
    pub fn new(encoding: &'e Encoding<'r>, ground: Ground) -> Self {
        CtlChecker { encoding, ground, known: RefCell::default() }
    }

    /// Is a formula true of the model?
    pub fn check(&self, formula: &Ctl) -> Stoppable<CtlAnswer> {
        let k = self.encoding.kernel();
        let begin = k.and(self.encoding.initial(), &self.ground.fair)?;
        let bad = k.minus(&begin, &self.states(formula)?)?;
        if k.is_empty(&bad) {
            return Ok(CtlAnswer { holds: true, counterexample: None });
        }
        let counterexample = Some(self.witness(&bad, &Ctl::Not(Box::new(formula.clone())))?);
        Ok(CtlAnswer { holds: false, counterexample })
    }

    /// The reachable states where a formula holds.
    pub fn states(&self, formula: &Ctl) -> Stoppable<Bdd> {
        if let Some(known) = self.known.borrow().get(formula) {
            return Ok(known.clone());
        }
        let k = self.encoding.kernel();
        let states = match formula {
            Ctl::Atom(term) => k.and(&self.encoding.truth(*term)?, &self.ground.reachable)?,
            Ctl::Not(a) => k.minus(&self.ground.reachable, &self.states(a)?)?,
            Ctl::And(a, b) => k.and(&self.states(a)?, &self.states(b)?)?,
            Ctl::Or(a, b) => k.or(&self.states(a)?, &self.states(b)?)?,
            Ctl::ExistsNext(a) => self.next(&self.states(a)?)?,
            Ctl::ExistsGlobally(a) => self.globally(&self.states(a)?)?,
            Ctl::ExistsUntil(a, b) => {
                let to = k.and(&self.states(b)?, &self.ground.fair)?;
                self.encoding.until(&self.states(a)?, &to, false)?
            }
            Ctl::ExistsGloballyWithin(bounds, a) => {
                let layers = self.globally_within(bounds.low, bounds.high, &self.states(a)?)?;
                layers.into_iter().next_back().expect("there is a last layer")
            }
            Ctl::ExistsUntilWithin(bounds, a, b) => {
                let layers = self.until_within(bounds.low, bounds.high, &self.states(a)?, &self.states(b)?)?;
                layers.into_iter().next_back().expect("there is a last layer")
            }
        };
        self.known.borrow_mut().insert(formula.clone(), states.clone());
        Ok(states)
    }

    /// States with a step into a set, from where a fair run goes on.
    fn next(&self, set: &Bdd) -> Stoppable<Bdd> {
        let k = self.encoding.kernel();
        k.and(&self.encoding.preimage(&k.and(set, &self.ground.fair)?)?, &self.ground.reachable)
    }

    /// States where a fair run inside a set begins.
    fn globally(&self, set: &Bdd) -> Stoppable<Bdd> {
        self.encoding.without_inputs(&self.fair_core(set)?)
    }

    fn fair_core(&self, set: &Bdd) -> Stoppable<Bdd> {
        self.encoding.fair_core(&self.encoding.kernel().and(set, &self.ground.fair)?, &self.ground.demands)
    }

    /// Layer i: states from where a fair run meets the set at the last i of the steps in question; the last layer is the
    /// answer. NuSMV's `EBG`.
    fn globally_within(&self, low: u32, high: u32, set: &Bdd) -> Stoppable<Vec<Bdd>> {
        let k = self.encoding.kernel();
        let mut layers = vec![k.and(set, &self.ground.fair)?];
        for distance in (0..high).rev() {
            let before = self.next(layers.last().expect("there is a first layer"))?;
            layers.push(if distance >= low { k.and(&before, set)? } else { before });
        }
        Ok(layers)
    }

    /// Layer i: states from where a run through the first set meets the second within the last i of the steps in
    /// question; the last layer is the answer. NuSMV's `EBU`.
    fn until_within(&self, low: u32, high: u32, through: &Bdd, to: &Bdd) -> Stoppable<Vec<Bdd>> {
        let k = self.encoding.kernel();
        let to = k.and(to, &self.ground.fair)?;
        let mut layers = vec![to.clone()];
        for distance in (0..high).rev() {
            let before = k.and(&self.next(layers.last().expect("there is a first layer"))?, through)?;
            layers.push(if distance >= low { k.or(&before, &to)? } else { before });
        }
        Ok(layers)
    }
}
