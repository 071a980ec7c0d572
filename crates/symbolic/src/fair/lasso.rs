//! A fair run as a lasso: a prefix and a cycle.
//!
//! From a state of the fair core, compute its successors inside the core. If all of them lead back, they are a terminal
//! component, and a cycle through it that visits every constraint is a fair run. Otherwise continue from a state that
//! does not lead back; it belongs to a later component, so this terminates.

use lurcher_system::Path;

use super::Fairness;
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

impl Encoding<'_> {
    /// A run from a state of `from` through `through` that cycles in the core.
    pub(crate) fn lasso(
        &self,
        from: &Bdd,
        through: &Bdd,
        core: &Bdd,
        fairness: &Fairness,
    ) -> BddResult<Path<Vec<i64>>> {
        let k = self.kernel();
        // State-input pairs from here on: the inputs by which a state is left are part of the run.
        let core =
            k.and(&k.and(core, self.all_with_inputs())?, &self.preimage_with_inputs(&self.without_inputs(core)?)?)?;
        let mut states = self.path(from, &core, through)?.expect("the core is reached");
        let component = loop {
            let start = states.last().expect("a path has a last state");
            let here = self.state_with_inputs(start)?;
            let after = k.or(&here, &self.closure(&self.followers(start, &core)?, &core)?)?;
            let back = self.until(&after, &here, true)?;
            let away = k.minus(&after, &back)?;
            if k.is_empty(&away) {
                break after;
            }
            let on = self.path(&here, &away, &core)?.expect("the state is reachable in the core");
            states.extend(on.into_iter().skip(1));
        };
        let cycle_start = states.len() - 1;
        for goal in self.cycle_goals(&component, fairness)? {
            let here = self.state_with_inputs(states.last().expect("a path has a last state"))?;
            let on = self.path(&here, &k.and(&component, &goal)?, &component)?.expect("the component is connected");
            states.extend(on.into_iter().skip(1));
        }
        let last = states.last().expect("a path has a last state");
        let home = self.state_with_inputs(&states[cycle_start])?;
        let on = self.path(&self.followers(last, &component)?, &home, &component)?.expect("the component is connected");
        let back = on.len() - 1;
        states.extend(on.into_iter().take(back));
        Ok(Path { steps: states, cycle_start: Some(cycle_start) })
    }

    /// The sets that a fair cycle through a component visits.
    fn cycle_goals(&self, component: &Bdd, fairness: &Fairness) -> BddResult<Vec<Bdd>> {
        let mut goals = fairness.justice.clone();
        for (first, second) in &fairness.compassion {
            if !self.kernel().disjoint(component, first)? {
                goals.push(second.clone());
            }
        }
        Ok(goals)
    }

    /// The successors of a state-input pair in a set.
    fn followers(&self, pair: &[i64], within: &Bdd) -> BddResult<Bdd> {
        self.kernel().and(&self.image(&self.state_with_inputs(pair)?)?, within)
    }

    /// All that is reachable from a set inside another.
    fn closure(&self, from: &Bdd, within: &Bdd) -> BddResult<Bdd> {
        let k = self.kernel();
        let (mut reached, mut frontier) = (from.clone(), from.clone());
        while !k.is_empty(&frontier) {
            frontier = k.minus(&k.and(&self.image(&frontier)?, within)?, &reached)?;
            reached = k.or(&reached, &frontier)?;
        }
        Ok(reached)
    }

    /// A shortest path of state-input pairs from one set to another inside a third, if there is one.
    pub(crate) fn path(&self, from: &Bdd, to: &Bdd, within: &Bdd) -> BddResult<Option<Vec<Vec<i64>>>> {
        let k = self.kernel();
        let within = k.and(within, self.all_with_inputs())?;
        let mut layers = vec![k.and(from, self.all_with_inputs())?];
        let mut seen = layers[0].clone();
        loop {
            let last = layers.last().expect("there is a first layer");
            let hit = k.and(last, to)?;
            if !k.is_empty(&hit) {
                return self.path_back(&layers, &hit).map(Some);
            }
            let next = k.minus(&k.and(&self.image(last)?, &within)?, &seen)?;
            if k.is_empty(&next) {
                return Ok(None);
            }
            seen = k.or(&seen, &next)?;
            layers.push(next);
        }
    }
}
