//! The tree of all paths of steps, depth-first, as Z. Dang and R. A. Kemmerer search it (*Three approximation techniques for
//! ASTRAL symbolic model checking of infinite state real-time systems*, ICSE 2000, figures 2 to 4).
//!
//! A node is a step. Where it leads somewhere, the states before it are checked, and its children follow in the order of the
//! model, idle last. Nodes in the last layer are counted and not examined, so the states that they would start from are never
//! checked, unless [`TreeSettings::last_layer`] asks for that.

use std::time::Instant;

use lurcher_search::Draws;

use crate::check::Place;
use crate::encoding::Encoding;
use crate::error::{Error, Stop};
use crate::outcome::{Ended, Finding, Outcome};
use crate::space::Space;
use crate::states::States;
use crate::step::Label;

/// How a tree is searched.
#[derive(Clone, Debug)]
pub struct TreeSettings {
    /// Layers of nodes.
    pub depth: u32,
    /// How many of the last events of a kind states know of.
    pub window: usize,
    /// Whether the nodes of the last layer are examined.
    pub last_layer: bool,
    /// Whether properties are checked at the instants within transitions, too.
    pub every_instant: bool,
    /// Whether the states before a step are cut to half of their polyhedra.
    pub partial_image: bool,
    /// Whether children are left out at random, those in deep layers more often.
    pub toss: bool,
}

impl Default for TreeSettings {
    fn default() -> Self {
        TreeSettings {
            depth: 10,
            window: 2,
            last_layer: false,
            every_instant: false,
            partial_image: false,
            toss: false,
        }
    }
}

impl Encoding<'_> {
    /// Searches the tree; whatever is left to chance, walk `index` of a seed decides.
    ///
    /// # Errors
    /// When the model cannot be encoded, or a number becomes too large.
    pub fn tree(&self, settings: &TreeSettings, seed: u64, index: u64) -> Result<Outcome, Error> {
        if settings.depth == 0 {
            return Err(Error::Zero("depth"));
        }
        let started = Instant::now();
        self.run(settings.window, |space| {
            let mut search = Search {
                space,
                settings,
                draws: Draws::of(seed, index),
                nodes: 1,
                disjuncts: 0,
                path: Vec::new(),
                trail: Vec::new(),
                is_incomplete: false,
            };
            let initial = search.space.initial_states()?;
            let found = search.children(&initial, 0, None)?;
            let ended = match found {
                Some((finding, _)) => Ended::Found(finding),
                None if search.is_incomplete => Ended::Window,
                None if settings.toss || settings.partial_image => Ended::Sampled,
                None => Ended::Depth,
            };
            let shown =
                found.map(|found| space.shown(found, &search.path, &search.trail)).transpose()?.unwrap_or_default();
            Ok(Outcome {
                ended,
                path: shown.path,
                run: shown.run,
                nodes: search.nodes,
                disjuncts: search.disjuncts,
                window: settings.window,
                time: started.elapsed(),
            })
        })
    }
}

struct Search<'s, 'm> {
    space: &'s Space<'m>,
    settings: &'s TreeSettings,
    draws: Draws,
    nodes: u64,
    disjuncts: usize,
    path: Vec<Label>,
    /// The states before each step of the path.
    trail: Vec<States>,
    is_incomplete: bool,
}

impl Search<'_, '_> {
    /// Examines the children of a node, which leads to these states and stands in this layer. `last` is the nearest step on the
    /// path that is not idle.
    fn children(&mut self, states: &States, layer: u32, last: Option<Label>) -> Result<Option<(Finding, Place)>, Stop> {
        let layers = self.settings.depth - 1 - layer;
        if layers == 0 {
            return Ok(None);
        }
        let mut checked = false;
        for label in self.space.labels() {
            if !self.is_visited(layer, last, label) {
                continue;
            }
            self.nodes += 1;
            if layers == 1 && !self.settings.last_layer {
                continue;
            }
            let half = if self.settings.partial_image { Some(self.half(states)) } else { None };
            let states = half.as_ref().unwrap_or(states);
            let image = self.space.image(label, states)?;
            self.is_incomplete |= image.is_incomplete;
            self.disjuncts = self.disjuncts.max(image.states.disjuncts());
            if image.states.is_empty() {
                continue;
            }
            self.trail.push(states.clone());
            if !checked || half.is_some() {
                checked = true;
                if let Some(finding) = self.check(states)? {
                    return Ok(Some(finding));
                }
            }
            let step = self.space.check_step(label, states, self.settings.every_instant)?;
            self.is_incomplete |= step.is_incomplete;
            if step.finding.is_some() {
                return Ok(step.finding);
            }
            self.path.push(label);
            let last = if label == Label::Idle { last } else { Some(label) };
            if let Some(finding) = self.children(&image.states, layer + 1, last)? {
                return Ok(Some(finding));
            }
            self.path.pop();
            self.trail.pop();
        }
        Ok(None)
    }

    fn check(&mut self, states: &States) -> Result<Option<(Finding, Place)>, Stop> {
        let checked = self.space.check(states)?;
        self.is_incomplete |= checked.is_incomplete;
        Ok(checked.finding)
    }

    /// Figure 3: the deeper a node and the more children it has in the graph, the more often a child is left out.
    fn is_visited(&mut self, layer: u32, last: Option<Label>, label: Label) -> bool {
        if !self.settings.toss {
            return true;
        }
        let last = last.and_then(|label| if let Label::Case(case) = label { Some(case) } else { None });
        let children = self.space.live.graph().after(last);
        if matches!(label, Label::Case(case) if !children.contains(&case)) {
            return false;
        }
        // The idle step is a child of every node.
        let children = children.len() + 1;
        let (depth, count) = (u64::from(self.settings.depth), children as u64);
        // (1 - l/d) + (l/d)/n = (n (d - l) + l) / (n d).
        let whole = count * depth;
        let tail = count * (depth - u64::from(layer)) + u64::from(layer);
        u64::from(self.draws.below(u32::try_from(whole).unwrap_or(u32::MAX))) < tail
    }

    /// Half of the polyhedra, at random.
    fn half(&mut self, states: &States) -> States {
        let count = states.disjuncts();
        let mut order: Vec<usize> = (0..count).collect();
        self.draws.shuffle(&mut order);
        order.truncate(count.div_ceil(2));
        let mut half = States::default();
        let mut first = 0;
        for (slots, set) in &states.parts {
            let kept = set.keep_disjuncts(|index| order.contains(&(first + index)));
            first += set.disjuncts();
            if !kept.is_empty() {
                half.parts.insert(slots.clone(), kept);
            }
        }
        half
    }
}
