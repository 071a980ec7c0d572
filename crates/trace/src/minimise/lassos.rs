//! Minimising lassos.
//!
//! A lasso is cut where a state comes twice, then its two parts are shortened in turn by what shortens other runs: the
//! prefix is a run that has to meet the cycle, at any place of it and with the claim where the cycle is accepted from; the
//! cycle is a run from a state to itself, approved when the claim accepts it and, under fairness, no process is
//! neglected. A search in the product of model and claim looks for the shortest lasso there is. Where it finishes, it
//! knows the shortest way to every node near enough, and so to every place of a cycle. Where it cannot, the two parts are
//! shortened by all means, and the same search starts again from nodes along the lasso.

use crate::Question;
use lurcher_search::{Claim, ClaimTable, Product, Space, Step};
use lurcher_system::{Interpreter, Move};

use crate::minimise::budget::Meter;
use crate::minimise::improve::shorten;
use crate::minimise::lasso::{Lasso, is_good, survey};
use crate::minimise::loops::remove_loops;
use crate::minimise::quest::{Advance, Meetings, Position, Quest, Target};
use crate::minimise::recut::recut;
use crate::minimise::run::Run;
use crate::minimise::shortest_lasso::LassoSearch;
use crate::minimise::shrink::{Effort, shrink};

/// From how many places along a lasso the product is searched.
const ROOTS: usize = 8;

/// What is chased: a lasso that the claim accepts.
pub(crate) struct Chase<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    pub question: &'a Question,
    /// The claim of the question, if it only asks for conditions.
    pub table: Option<&'a ClaimTable>,
    pub fair: bool,
}

impl<'a, 'm> Chase<'a, 'm> {
    fn quest<'q>(&'q self, target: Target<'q>) -> Quest<'q, 'm> {
        Quest::new(self.interpreter, self.question, self.table, target)
    }

    /// Executes moves from the start and shows every position, with its number; gives the last one.
    pub fn execute(
        &self,
        moves: &[Move],
        meter: &mut Meter<'_>,
        mut visit: impl FnMut(usize, &Position),
    ) -> Option<Position> {
        let quest = self.quest(Target::Stop);
        let mut position = quest.start()?;
        let mut possible = Vec::new();
        for (index, step) in moves.iter().enumerate() {
            visit(index, &position);
            meter.step();
            if !quest.allows(&position, step, &mut possible) || quest.advance(&mut position, step) != Advance::On {
                return None;
            }
        }
        visit(moves.len(), &position);
        Some(position)
    }

    /// Makes a lasso shorter; says whether it is proven to be a shortest one.
    pub fn minimise(&self, lasso: Lasso, meter: &mut Meter<'_>, shortened: &mut dyn FnMut(u32, u64)) -> (Lasso, bool) {
        let mut lasso = meter.with_share(1, 8, |meter| recut(self, lasso, meter));
        let mut told = |lasso: &Lasso, meter: &Meter<'_>| shortened(lasso.length(), meter.expansions());
        told(&lasso, meter);
        let (mut product, mut root) = (self.product(), Vec::new());
        let started = product.initial(&mut root).is_ok();
        let search = started.then(|| LassoSearch::new(&mut product, &root, meter.budget.memory)).flatten();
        let Some(mut search) = search else { return (lasso, false) };
        // A short lasso is found at once. Where it is not, a quick look at what is known leaves less to search. Rounds of
        // fairness make lassos of the product longer than they need to be, so there what is known comes first.
        let mut complete = false;
        if !self.fair {
            (lasso, complete) = meter.with_share(1, 8, |meter| self.search(lasso, &mut search, meter));
        }
        if !complete {
            lasso = meter.with_share(1, 4, |meter| self.parts(lasso, Effort::Quick, meter));
            told(&lasso, meter);
            (lasso, complete) = meter.with_share(1, 2, |meter| self.search(lasso, &mut search, meter));
        }
        told(&lasso, meter);
        // Where there is no claim, the product is the system, and its shortest lasso is the shortest there is. A claim
        // may need more than one turn.
        if complete && self.question.claim.is_none() && !self.fair {
            return (lasso, true);
        }
        while meter.may_go_on() {
            let before = lasso.length();
            if complete && !self.fair {
                lasso = self.parts_of_searched(lasso, &mut search, meter);
            } else {
                lasso = meter.with_share(1, 2, |meter| self.parts(lasso, Effort::Exhaustive, meter));
            }
            if !complete {
                lasso = meter.with_share(1, 2, |meter| self.search_along(lasso, meter));
            }
            told(&lasso, meter);
            if lasso.length() == before {
                break;
            }
        }
        (lasso, false)
    }

    /// Shortens prefix and cycle in turn.
    fn parts(&self, lasso: Lasso, effort: Effort, meter: &mut Meter<'_>) -> Lasso {
        let shorter = meter.with_share(1, 2, |meter| self.shorter_prefix(&lasso, effort, meter));
        let lasso = shorter.filter(|l| self.accepts(l, meter)).unwrap_or(lasso);
        let shorter = self.shorter_cycle(&lasso, effort, meter);
        let lasso = shorter.filter(|l| self.accepts(l, meter)).unwrap_or(lasso);
        recut(self, lasso, meter)
    }

    /// Shortens prefix and cycle in turn, where everything near enough has been searched.
    fn parts_of_searched(&self, lasso: Lasso, search: &mut LassoSearch<'_, 'm>, meter: &mut Meter<'_>) -> Lasso {
        let shorter = self.shortest_prefix(&lasso, search, meter);
        let lasso = shorter.filter(|l| self.accepts(l, meter)).unwrap_or(lasso);
        let shorter = self.shorter_cycle(&lasso, Effort::Exhaustive, meter);
        let lasso = shorter.filter(|l| self.accepts(l, meter)).unwrap_or(lasso);
        recut(self, lasso, meter)
    }

    /// The same cycle, entered where it is nearest; none when it is entered there already.
    fn shortest_prefix(&self, lasso: &Lasso, search: &mut LassoSearch<'_, 'm>, meter: &mut Meter<'_>) -> Option<Lasso> {
        let mut states = Vec::new();
        let start = self.execute(lasso.prefix(), meter, |_, _| {})?;
        self.execute(&lasso.moves, meter, |index, position| {
            if index >= lasso.cycle_start {
                states.push(position.state.clone());
            }
        })?;
        let mut nearest: Option<(u32, u32, usize)> = None;
        for place in survey(self.interpreter, self.question, &start, lasso.cycle(), self.fair)? {
            for claim in place.good {
                let found = search.distance_to(&states[place.index], claim);
                let found = found.map(|(distance, node)| (distance, node, place.index));
                nearest = nearest.into_iter().chain(found).min();
            }
        }
        let before: u32 = lasso.prefix().iter().map(Move::length).sum();
        let (_, node, at) = nearest.filter(|(distance, ..)| *distance < before)?;
        let mut moves: Vec<Move> = search.way_to(node).iter().filter_map(|s| s.system).collect();
        let cycle_start = moves.len();
        let (first, behind) = lasso.cycle().split_at(at);
        moves.extend_from_slice(behind);
        moves.extend_from_slice(first);
        Some(Lasso { moves, cycle_start })
    }

    fn shorter_prefix(&self, lasso: &Lasso, effort: Effort, meter: &mut Meter<'_>) -> Option<Lasso> {
        let at = self.execute(lasso.prefix(), meter, |_, _| {})?;
        let mut meetings = Meetings::default();
        let mut places = Vec::new();
        let target = if lasso.cycle().is_empty() {
            Target::Stop
        } else {
            places = survey(self.interpreter, self.question, &at, lasso.cycle(), self.fair)?;
            for place in &places {
                meetings.entry(place.state_print).or_insert_with(|| place.good.clone());
            }
            Target::Meeting(&meetings)
        };
        let quest = self.quest(target);
        let run = quest.execute(lasso.prefix(), meter, |_| {})?;
        let run = remove_loops(&quest, run, meter);
        let run = match effort {
            Effort::Quick => shrink(&quest, run, effort, meter),
            Effort::Exhaustive => shorten(&quest, run, meter, &mut |_, _| {}).0,
        };
        let mut moves = run.moves;
        let cycle_start = moves.len();
        if !places.is_empty() {
            let end = self.execute(&moves, meter, |_, _| {})?;
            let place = places.iter().find(|p| p.state_print == end.state_print())?;
            let (before, behind) = lasso.cycle().split_at(place.index);
            moves.extend_from_slice(behind);
            moves.extend_from_slice(before);
        }
        Some(Lasso { moves, cycle_start })
    }

    fn shorter_cycle(&self, lasso: &Lasso, effort: Effort, meter: &mut Meter<'_>) -> Option<Lasso> {
        if lasso.cycle().is_empty() {
            return None;
        }
        let at = self.execute(lasso.prefix(), meter, |_, _| {})?;
        let approve = |run: &Run| {
            let places = survey(self.interpreter, self.question, &at, &run.moves, self.fair);
            places.is_some_and(|p| is_good(self.question, &at, |l| p[0].good.contains(&l)))
        };
        let start = Position { state: at.state.clone(), claim: Vec::new() };
        let system = Question::default();
        let mut quest = Quest::new(self.interpreter, &system, None, Target::End(start.state_print()));
        quest.start = Some(&start);
        quest.approve = Some(&approve);
        let run = Run { moves: lasso.cycle().to_vec(), length: lasso.cycle().iter().map(Move::length).sum() };
        let run = remove_loops(&quest, run, meter);
        let run = shrink(&quest, run, effort, meter);
        Some(Lasso { moves: [lasso.prefix(), &run.moves].concat(), cycle_start: lasso.cycle_start })
    }

    fn product(&self) -> Product<Interpreter<'m>> {
        let claim = match self.question.claim {
            None => Claim::None,
            Some(id) if self.question.claim_alone => Claim::Alone(id),
            Some(id) => Claim::Process(id),
        };
        Product::new(self.interpreter.clone(), claim, self.fair)
    }

    /// Has a search from the initial node find what is shorter; says whether that is all there is.
    fn search(&self, lasso: Lasso, search: &mut LassoSearch<'_, 'm>, meter: &mut Meter<'_>) -> (Lasso, bool) {
        let (found, complete) = search.run(lasso.length(), meter);
        let Some(found) = found else { return (lasso, complete) };
        let shorter = self.lasso(&[], &found.prefix, &found.cycle);
        if self.accepts(&shorter, meter) { (shorter, complete) } else { (lasso, false) }
    }

    /// Searches the product from nodes along the lasso.
    fn search_along(&self, mut lasso: Lasso, meter: &mut Meter<'_>) -> Lasso {
        for part in 1..=ROOTS {
            let at = lasso.moves.len() * part / (ROOTS + 1);
            let behind: u32 = lasso.moves[at..].iter().map(Move::length).sum();
            let mut product = self.product();
            for root in self.nodes_at(&mut product, &lasso.moves[..at]) {
                let share = 1 + (ROOTS - part) as u64;
                let search = |meter: &mut Meter<'_>| {
                    LassoSearch::new(&mut product, &root, meter.budget.memory)?.run(behind, meter).0
                };
                let found =
                    meter.with_share(1, share, search).map(|f| self.lasso(&lasso.moves[..at], &f.prefix, &f.cycle));
                if let Some(shorter) = found.filter(|l| l.length() < lasso.length() && self.accepts(l, meter)) {
                    lasso = shorter;
                    break;
                }
            }
        }
        lasso
    }

    /// The nodes of the product that some moves can lead to.
    fn nodes_at(&self, product: &mut Product<Interpreter<'m>>, moves: &[Move]) -> Vec<Vec<u8>> {
        let mut first = Vec::new();
        let mut nodes = if product.initial(&mut first).is_ok() { vec![first] } else { Vec::new() };
        let (mut steps, mut next) = (Vec::new(), Vec::new());
        for taken in moves {
            let mut after = Vec::new();
            for node in &nodes {
                product.steps(node, &mut steps);
                for step in steps.iter().filter(|s| s.system.as_ref() == Some(taken)) {
                    if product.take(node, step, &mut next).is_none() {
                        after.push(next.clone());
                    }
                }
            }
            after.sort_unstable();
            after.dedup();
            nodes = after;
        }
        nodes
    }

    fn lasso(&self, before: &[Move], prefix: &[Step], cycle: &[Step]) -> Lasso {
        let system = |steps: &[Step]| steps.iter().filter_map(|s| s.system).collect::<Vec<Move>>();
        let prefix = [before, &system(prefix)].concat();
        let cycle_start = prefix.len();
        Lasso { moves: [prefix, system(cycle)].concat(), cycle_start }
    }
}
