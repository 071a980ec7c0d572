//! CTL model checking over fair runs (Clarke, Emerson and Sistla 1986; symbolically Burch and others 1992).
//!
//! Bottom-up, each subformula becomes the set of reachable states that satisfy it. Path quantifiers range over infinite
//! runs that satisfy the justice constraints; compassion is ignored, as in NuSMV. A formula is true of the model if it
//! holds in every fair initial state.

mod witness;

use std::cell::RefCell;
use std::collections::HashMap;

use lurcher_ir::Ctl;
use lurcher_search::Observer;
use lurcher_system::Path;

use crate::encode::Encoding;
use crate::fair::Fairness;
use crate::kernel::{Bdd, BddResult};

/// A CTL checker of one relation.
pub struct CtlChecker<'e, 'r> {
    encoding: &'e Encoding<'r>,
    sets: FairStates,
    cache: RefCell<HashMap<Ctl, Bdd>>,
}

/// The reachable states, and those among them where a fair run starts.
#[derive(Clone)]
pub struct FairStates {
    fairness: Fairness,
    reachable: Bdd,
    fair: Bdd,
}

impl FairStates {
    /// Computes the fair states, and the reachable states unless they are given.
    pub fn compute(encoding: &Encoding<'_>, reachable: Option<Bdd>, observer: &mut dyn Observer) -> BddResult<Self> {
        let reachable = reachable.map_or_else(|| encoding.reachable(observer), Ok)?;
        let fairness = encoding.fairness(false)?;
        let fair = encoding.without_inputs(&encoding.fair_core(&reachable, &fairness)?)?;
        Ok(FairStates { fairness, reachable, fair })
    }

    /// All reachable states.
    pub fn reachable(&self) -> &Bdd {
        &self.reachable
    }

    /// Reachable states where a fair run starts.
    pub fn fair(&self) -> &Bdd {
        &self.fair
    }
}

/// The verdict on a CTL formula.
#[derive(Clone, Debug)]
pub struct CtlAnswer {
    /// Whether the formula holds in all fair initial states.
    pub holds: bool,
    /// If not, a run that shows it.
    pub counterexample: Option<Witness>,
}

/// A run that shows why a formula holds in its first state.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The run.
    pub trace: Path<Vec<i64>>,
    /// Whether the run alone is a proof. If not, the rest is true of the run's last state and would need a tree of runs.
    pub complete: bool,
}

impl<'e, 'r> CtlChecker<'e, 'r> {
    /// A checker of an encoded relation.
    pub fn new(encoding: &'e Encoding<'r>, sets: FairStates) -> Self {
        CtlChecker { encoding, sets, cache: RefCell::default() }
    }

    /// Checks a formula.
    pub fn check(&self, formula: &Ctl) -> BddResult<CtlAnswer> {
        let k = self.encoding.kernel();
        let begin = k.and(self.encoding.initial(), &self.sets.fair)?;
        let bad = k.minus(&begin, &self.states(formula)?)?;
        if k.is_empty(&bad) {
            return Ok(CtlAnswer { holds: true, counterexample: None });
        }
        let counterexample = Some(self.witness(&bad, &Ctl::Not(Box::new(formula.clone())))?);
        Ok(CtlAnswer { holds: false, counterexample })
    }

    /// The reachable states that satisfy a formula.
    pub fn states(&self, formula: &Ctl) -> BddResult<Bdd> {
        if let Some(known) = self.cache.borrow().get(formula) {
            return Ok(known.clone());
        }
        let k = self.encoding.kernel();
        let states = match formula {
            Ctl::Atom(term) => k.and(&self.encoding.truth(*term)?, &self.sets.reachable)?,
            Ctl::Not(a) => k.minus(&self.sets.reachable, &self.states(a)?)?,
            Ctl::And(a, b) => k.and(&self.states(a)?, &self.states(b)?)?,
            Ctl::Or(a, b) => k.or(&self.states(a)?, &self.states(b)?)?,
            Ctl::ExistsNext(a) => self.next(&self.states(a)?)?,
            Ctl::ExistsGlobally(a) => self.globally(&self.states(a)?)?,
            Ctl::ExistsUntil(a, b) => {
                let to = k.and(&self.states(b)?, &self.sets.fair)?;
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
        self.cache.borrow_mut().insert(formula.clone(), states.clone());
        Ok(states)
    }

    /// `EX`: states with a fair successor in the set.
    fn next(&self, set: &Bdd) -> BddResult<Bdd> {
        let k = self.encoding.kernel();
        k.and(&self.encoding.preimage(&k.and(set, &self.sets.fair)?)?, &self.sets.reachable)
    }

    /// `EG`: states where a fair run inside the set starts.
    fn globally(&self, set: &Bdd) -> BddResult<Bdd> {
        self.encoding.without_inputs(&self.fair_core(set)?)
    }

    fn fair_core(&self, set: &Bdd) -> BddResult<Bdd> {
        self.encoding.fair_core(&self.encoding.kernel().and(set, &self.sets.fair)?, &self.sets.fairness)
    }

    /// NuSMV's `EBG`: layer *i* holds the states where a fair run satisfies the last *i* steps of the window. The last
    /// layer is the result.
    fn globally_within(&self, low: u32, high: u32, set: &Bdd) -> BddResult<Vec<Bdd>> {
        let k = self.encoding.kernel();
        let mut layers = vec![k.and(set, &self.sets.fair)?];
        for distance in (0..high).rev() {
            let before = self.next(layers.last().expect("there is a first layer"))?;
            layers.push(if distance >= low { k.and(&before, set)? } else { before });
        }
        Ok(layers)
    }

    /// NuSMV's `EBU`: layer *i* holds the states where a run through the first set reaches the second within the last *i*
    /// steps of the window. The last layer is the result.
    fn until_within(&self, low: u32, high: u32, through: &Bdd, to: &Bdd) -> BddResult<Vec<Bdd>> {
        let k = self.encoding.kernel();
        let to = k.and(to, &self.sets.fair)?;
        let mut layers = vec![to.clone()];
        for distance in (0..high).rev() {
            let before = k.and(&self.next(layers.last().expect("there is a first layer"))?, through)?;
            layers.push(if distance >= low { k.or(&before, &to)? } else { before });
        }
        Ok(layers)
    }
}
