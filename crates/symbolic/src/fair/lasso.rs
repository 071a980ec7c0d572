//! A fair run as a prefix and a cycle.
//!
//! From a state of the core, look at all that follows inside the core: if all of it leads back, it is a component
//! without a way out, and a cycle through it that meets every demand is a fair run. If not, go on from a state that
//! does not lead back: it belongs to a later component, so this ends.

use super::Demands;
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

impl Encoding<'_> {
    /// A run from a state of a set through another set, and round a core for ever.
    pub(crate) fn lasso(&self, from: &Bdd, through: &Bdd, core: &Bdd, demands: &Demands) -> Stoppable<Trace> {
        let k = self.kernel();
        // Moments from here on: the inputs by which a state is left are part of the run.
        let core = k.and(&k.and(core, self.all_moments())?, &self.preimage_moments(&self.without_inputs(core)?)?)?;
        let mut states = self.path(from, &core, through)?.expect("the core is reached");
        let component = loop {
            let start = states.last().expect("a path has an end");
            let here = self.moment(start)?;
            let after = k.or(&here, &self.closure(&self.followers(start, &core)?, &core)?)?;
            let back = self.until(&after, &here, true)?;
            let away = k.minus(&after, &back)?;
            if k.is_empty(&away) {
                break after;
            }
            let on = self.path(&here, &away, &core)?.expect("it follows");
            states.extend(on.into_iter().skip(1));
        };
        let cycle_start = states.len() - 1;
        for demand in self.goals(&component, demands)? {
            let here = self.moment(states.last().expect("a path has an end"))?;
            let on = self.path(&here, &k.and(&component, &demand)?, &component)?.expect("it is in the component");
            states.extend(on.into_iter().skip(1));
        }
        let last = states.last().expect("a path has an end");
        let home = self.moment(&states[cycle_start])?;
        let on = self.path(&self.followers(last, &component)?, &home, &component)?.expect("all leads back");
        let back = on.len() - 1;
        states.extend(on.into_iter().take(back));
        Ok(Trace { states, cycle_start: Some(cycle_start) })
    }

    /// What a cycle through a component has to meet.
    fn goals(&self, component: &Bdd, demands: &Demands) -> Stoppable<Vec<Bdd>> {
        let k = self.kernel();
        let mut goals = demands.justice.clone();
        for (first, second) in &demands.compassion {
            if !k.disjoint(component, first)? {
                goals.push(second.clone());
            }
        }
        Ok(goals)
    }

    /// Moments of a set that follow a moment.
    fn followers(&self, moment: &[i64], within: &Bdd) -> Stoppable<Bdd> {
        self.kernel().and(&self.image(&self.moment(moment)?)?, within)
    }

    /// Moments of a set with all that follow them inside it.
    fn closure(&self, from: &Bdd, within: &Bdd) -> Stoppable<Bdd> {
        let k = self.kernel();
        let (mut reached, mut news) = (from.clone(), from.clone());
        while !k.is_empty(&news) {
            news = k.minus(&k.and(&self.image(&news)?, within)?, &reached)?;
            reached = k.or(&reached, &news)?;
        }
        Ok(reached)
    }

    /// A shortest way from a moment of one set to a moment of another, inside a third; nothing if there is none.
    pub(crate) fn path(&self, from: &Bdd, to: &Bdd, within: &Bdd) -> Stoppable<Option<Vec<Vec<i64>>>> {
        let k = self.kernel();
        let within = k.and(within, self.all_moments())?;
        let mut layers = vec![k.and(from, self.all_moments())?];
        let mut seen = layers[0].clone();
        loop {
            let last = layers.last().expect("there is a first layer");
            let met = k.and(last, to)?;
            if !k.is_empty(&met) {
                let mut states = vec![self.pick(&met).expect("it is not empty")];
                for layer in layers.iter().rev().skip(1) {
                    let after = self.state(states.last().expect("there is a last"))?;
                    let before = k.and(&self.preimage_moments(&after)?, layer)?;
                    states.push(self.pick(&before).expect("a moment of a layer has a predecessor"));
                }
                states.reverse();
                return Ok(Some(states));
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
