//! Which histories of own events can still be read.
//!
//! The instant at which a gate began to move matters while it moves. For every choice of the explicit own variables the analysis
//! finds the histories that a formula reads there, or after steps that do not replace them. The others are forgotten, so that
//! states which differ in nothing that matters are one.

use std::collections::BTreeSet;

use lurcher_ir::timed::{Event, Model, Moment, Owner, Term, TermId, TransitionId, TransitionRef, VariableId};
use lurcher_resources::checkpoint;
use rustc_hash::FxHashMap;

use crate::layout::Layout;

/// More choices of own values than these are not analysed.
const MOST_CHOICES: usize = 300;

type Choice = Vec<i64>;

/// The histories that can be read, for every choice of own explicit values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    /// The explicit own variables with their slots.
    variables: Vec<(VariableId, usize)>,
    of: FxHashMap<Choice, BTreeSet<usize>>,
    graph: Graph,
}

/// The execution graph: which cases can follow which, perhaps after idle instants, as far as explicit own values tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    initial: BTreeSet<usize>,
    after: Vec<BTreeSet<usize>>,
}

impl Graph {
    /// The cases that can follow one, or come first.
    pub fn after(&self, case: Option<usize>) -> &BTreeSet<usize> {
        case.and_then(|case| self.after.get(case)).unwrap_or(&self.initial)
    }
}

impl Live {
    /// `anywhere` are formulas that are read at every instant, `at_ends` those that are read where transitions end.
    pub fn new(model: &Model, layout: &Layout, anywhere: &[TermId], at_ends: &[TermId]) -> Live {
        let cases = || model.transitions().flat_map(|(id, t)| t.cases.iter().map(move |case| (id, case)));
        let every: BTreeSet<usize> = (0..cases().count()).collect();
        let variables: Vec<(VariableId, usize)> =
            model.own_variables().filter_map(|(id, _)| Some((id, layout.slot_of(id)?))).collect();
        let graph = Graph { after: vec![every.clone(); every.len()], initial: every.clone() };
        let mut live = Live { variables, of: FxHashMap::default(), graph };
        let domains = live.variables.iter().map(|(id, _)| model.variable(*id).domain.values().unwrap_or_default());
        let Some(choices) = product(domains, MOST_CHOICES) else { return live };
        let scan = Scan { model, layout, variables: &live.variables };
        let mut edges: Vec<(usize, usize, TransitionId)> = Vec::new();
        let mut sets: Vec<BTreeSet<usize>> = Vec::new();
        let is_false =
            |formula, old: &Choice, new: &Choice| scan.truth(formula, old, new, &mut BTreeSet::new()) == Some(false);
        // The cases that may be enabled for each choice.
        let enabled: Vec<BTreeSet<usize>> = choices
            .iter()
            .map(|choice| {
                cases().enumerate().filter(|(_, (_, c))| !is_false(c.entry, choice, choice)).map(|(i, _)| i).collect()
            })
            .collect();
        let mut graph = Graph { after: vec![BTreeSet::new(); every.len()], initial: BTreeSet::new() };
        for (choice, enabled) in choices.iter().zip(&enabled) {
            if !model.initial.iter().any(|clause| is_false(clause.term, choice, choice)) {
                graph.initial.extend(enabled);
            }
        }
        for (from, choice) in choices.iter().enumerate() {
            let mut reads = BTreeSet::new();
            for &formula in anywhere {
                scan.truth(formula, choice, choice, &mut reads);
            }
            for (index, (id, case)) in cases().enumerate() {
                checkpoint();
                scan.truth(case.entry, choice, choice, &mut reads);
                if !enabled[from].contains(&index) {
                    continue;
                }
                [&[case.exit], at_ends].into_iter().flatten().for_each(|&f| scan.everything(f, &mut reads));
                for (to, next) in choices.iter().enumerate() {
                    if !is_false(case.exit, choice, next) {
                        edges.push((from, to, id));
                        graph.after[index].extend(&enabled[to]);
                    }
                }
            }
            sets.push(reads);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to, by) in &edges {
                checkpoint();
                let kept = sets[to].iter().copied().filter(|&track| !is_replaced(layout, track, by));
                let new: Vec<usize> = kept.filter(|track| !sets[from].contains(track)).collect();
                changed |= !new.is_empty();
                sets[from].extend(new);
            }
        }
        live.of = choices.into_iter().zip(sets).collect();
        live.graph = graph;
        live
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether the history of an own event can be read in a state with these explicit values.
    pub fn is_live(&self, track: usize, slots: &[i64]) -> bool {
        let choice: Choice = self.variables.iter().map(|(_, slot)| slots[*slot]).collect();
        self.of.get(&choice).is_none_or(|live| live.contains(&track))
    }
}

/// All tuples, unless there are too many.
pub(crate) fn product(domains: impl Iterator<Item = Vec<i64>>, most: usize) -> Option<Vec<Choice>> {
    let mut all = vec![Vec::new()];
    for domain in domains {
        if all.len().saturating_mul(domain.len()) > most {
            return None;
        }
        let extend = |choice: &Choice| {
            let choice = choice.clone();
            domain.iter().map(move |&value| choice.iter().copied().chain([value]).collect()).collect::<Vec<Choice>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    Some(all)
}

/// Whether a step of a transition leaves nothing of a history.
fn is_replaced(layout: &Layout, track: usize, by: TransitionId) -> bool {
    let track = &layout.tracks[track];
    match &track.event {
        Event::Start(source) | Event::End(source) => {
            track.depth == 1 && source.transitions.contains(&TransitionRef::Own(by))
        }
        _ => false,
    }
}

/// Reads formulas where only explicit own variables are known.
struct Scan<'a> {
    model: &'a Model,
    layout: &'a Layout,
    variables: &'a [(VariableId, usize)],
}

impl Scan<'_> {
    fn value(&self, id: TermId, old: &Choice, new: &Choice) -> Option<i64> {
        match self.model.terms.get(id) {
            Term::Sum(sum) => {
                let mut total = sum.constant;
                for &(term, factor) in &sum.terms {
                    total = total.checked_add(self.value(term, old, new)?.checked_mul(factor)?)?;
                }
                Some(total)
            }
            Term::Variable(id, moment) => {
                let index = self.variables.iter().position(|(variable, _)| variable == id)?;
                Some(if *moment == Moment::Start { old[index] } else { new[index] })
            }
            _ => None,
        }
    }

    /// The value of a formula, if it is known; otherwise the histories that decide it are added.
    fn truth(&self, id: TermId, old: &Choice, new: &Choice, reads: &mut BTreeSet<usize>) -> Option<bool> {
        match self.model.terms.get(id) {
            Term::Truth(value) => Some(*value),
            Term::Zero(linear) | Term::NotNegative(linear) => {
                let mut total = Some(linear.constant);
                for &(term, factor) in &linear.terms {
                    let value = self.value(term, old, new).and_then(|value| value.checked_mul(factor));
                    total = total.zip(value).and_then(|(a, b)| a.checked_add(b));
                }
                match (total, self.model.terms.get(id)) {
                    (Some(total), Term::Zero(_)) => Some(total == 0),
                    (Some(total), _) => Some(total >= 0),
                    (None, _) => {
                        linear.terms.iter().for_each(|&(term, _)| self.everything(term, reads));
                        None
                    }
                }
            }
            Term::Variable(..) => self.value(id, old, new).map(|value| value == 1),
            Term::Not(inner) => self.truth(*inner, old, new, reads).map(|value| !value),
            Term::And(parts) => self.junction(parts, false, old, new, reads),
            Term::Or(parts) => self.junction(parts, true, old, new, reads),
            Term::Iff(a, b) => {
                let mut inner = BTreeSet::new();
                let a = self.truth(*a, old, new, &mut inner);
                let b = self.truth(*b, old, new, &mut inner);
                let both = a.zip(b).map(|(a, b)| a == b);
                if both.is_none() {
                    reads.extend(inner);
                }
                both
            }
            Term::If(condition, a, b) => match self.truth(*condition, old, new, reads) {
                Some(true) => self.truth(*a, old, new, reads),
                Some(false) => self.truth(*b, old, new, reads),
                None => {
                    [*a, *b].into_iter().for_each(|part| self.everything(part, reads));
                    None
                }
            },
            Term::Exists(_, body) | Term::Forall(_, body) => self.truth(*body, old, new, reads),
            _ => {
                self.everything(id, reads);
                None
            }
        }
    }

    fn junction(
        &self,
        parts: &[TermId],
        decisive: bool,
        old: &Choice,
        new: &Choice,
        reads: &mut BTreeSet<usize>,
    ) -> Option<bool> {
        let mut inner = BTreeSet::new();
        let mut result = Some(!decisive);
        for &part in parts {
            match self.truth(part, old, new, &mut inner) {
                Some(value) if value == decisive => return Some(decisive),
                Some(_) => {}
                None => result = None,
            }
        }
        reads.extend(inner);
        result
    }

    /// All histories in a term.
    fn everything(&self, id: TermId, reads: &mut BTreeSet<usize>) {
        for part in self.model.terms.closure([id]) {
            match self.model.terms.get(part) {
                Term::Instant(occurrence) | Term::Occurred(occurrence) => {
                    reads.extend(self.layout.of_event.get(&occurrence.event));
                }
                Term::Variable(id, Moment::Now) if self.model.variable(*id).owner == Owner::Own => {
                    reads.extend(self.layout.of_variable.get(id));
                }
                _ => {}
            }
        }
    }
}
