//! Minimising lassos.
//!
//! A lasso is cut at repeated states; then its two parts are minimised in turn by the strategies for finite runs. The prefix
//! is a run that has to enter the cycle, at any point of it, with the claim at a location from which the cycle is accepted.
//! The cycle is a run from a state to itself that the claim accepts and that is fair, if fairness is required. A search in
//! the product of model and claim looks for the shortest lasso (`search`, `graph`). Where it finishes, it gives the shortest
//! path to every node near enough, and so the best entry of every cycle. Where it does not, the two parts are minimised
//! exhaustively, and the same search starts again from nodes along the lasso.

mod acceptance;
mod graph;
mod search;

use lurcher_search::{Claim, Product, Space, Step};
use lurcher_system::{Interpreter, Move, Path};
use rustc_hash::FxHashMap;

use super::delta_debugging::{Effort, delta_debug};
use super::goal::{Advance, CycleEntries, Goal, GoalKind, Position, ProcessSystem};
use super::run::Run;
use super::strategies::shorten;
use crate::Question;
use crate::minimise::budget::Meter;
use search::LassoSearch;

/// The number of positions along a lasso from which the product is searched.
const ROOTS: usize = 8;
/// The most pairs of equal states that are tried as a cycle.
const MAX_PAIRS: u32 = 256;

impl<'m> ProcessSystem<'_, 'm> {
    /// Executes moves from the start, calls `visit` with every position and its index, and returns the last one.
    fn execute(
        &self,
        moves: &[Move],
        meter: &mut Meter<'_>,
        mut visit: impl FnMut(usize, &Position),
    ) -> Option<Position> {
        let goal = Goal::new(*self, GoalKind::AcceptedStop);
        let mut position = goal.start()?;
        let mut possible = Vec::new();
        for (index, step) in moves.iter().enumerate() {
            visit(index, &position);
            let possible = meter.step() && goal.allows(&position, step, &mut possible);
            if !possible || goal.advance(&mut position, step) != Advance::Continues {
                return None;
            }
        }
        visit(moves.len(), &position);
        Some(position)
    }

    /// Whether a lasso is executable and accepted.
    pub fn accepts_lasso(&self, lasso: &Path<Move>, meter: &mut Meter<'_>) -> bool {
        let Some(at) = self.execute(lasso.prefix(), meter, |_, _| {}) else { return false };
        if lasso.cycle().is_empty() {
            let mut moves = Vec::new();
            self.interpreter.moves(&at.state, &mut moves);
            return moves.is_empty() && self.accepts_stutter(&at);
        }
        meter.steps(lasso.cycle().len());
        self.accepts_cycle(&at, lasso.cycle())
    }

    /// Minimises an accepted lasso. Also returns whether the result is proven shortest.
    pub fn minimise_lasso(&self, lasso: Path<Move>, meter: &mut Meter<'_>) -> (Path<Move>, bool) {
        let mut lasso = meter.with_share(1, 8, |meter| self.cut_at_repeats(lasso, meter));
        let (mut product, mut root) = (self.product(), Vec::new());
        let started = product.initial(&mut root).is_ok();
        let search = started.then(|| LassoSearch::new(&mut product, &root, meter.budget.memory())).flatten();
        let Some(mut search) = search else { return (lasso, false) };
        // The search finds a short lasso at once. Otherwise a quick round of delta debugging leaves it less to do. Fairness
        // makes lassos of the product longer than necessary, so there delta debugging comes first.
        let mut exhaustive = false;
        if !self.fair {
            (lasso, exhaustive) = meter.with_share(1, 8, |meter| self.search_product(lasso, &mut search, meter));
        }
        if !exhaustive {
            lasso = meter.with_share(1, 4, |meter| self.shorten_parts(lasso, Effort::Quick, meter));
            (lasso, exhaustive) = meter.with_share(1, 2, |meter| self.search_product(lasso, &mut search, meter));
        }
        // Without a claim the product is the system, and its shortest lasso is the shortest one. A claim may need more than
        // one turn around a shorter cycle.
        if exhaustive && self.question.claim.is_none() && !self.fair {
            return (lasso, true);
        }
        while meter.may_go_on() {
            let before = lasso.length();
            if exhaustive && !self.fair {
                let prefix = self.nearest_entry(&lasso, &mut search, meter);
                lasso = self.shorten_rest(lasso, prefix, Effort::Exhaustive, meter);
            } else {
                lasso = meter.with_share(1, 2, |meter| self.shorten_parts(lasso, Effort::Exhaustive, meter));
            }
            if !exhaustive {
                lasso = meter.with_share(1, 2, |meter| self.search_along(lasso, meter));
            }
            if lasso.length() == before {
                break;
            }
        }
        (lasso, false)
    }

    /// The shortest lasso between two equal states of this one. The claim need not be at the same location at both.
    fn cut_at_repeats(&self, lasso: Path<Move>, meter: &mut Meter<'_>) -> Path<Move> {
        let mut states = Vec::new();
        self.execute(&lasso.steps, meter, |index, position| {
            if position.state.exclusive.is_none() {
                states.push((index, position.state_print()));
            }
        });
        let mut visits: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut pairs = 0;
        for (index, print) in states {
            let earlier = visits.entry(print).or_default();
            for &start in earlier.iter().rev() {
                pairs += 1;
                let whole = (Some(start), index) == (lasso.cycle_start, lasso.steps.len());
                if whole || pairs > MAX_PAIRS || !meter.may_go_on() {
                    return lasso;
                }
                let cut = Path { steps: lasso.steps[..index].to_vec(), cycle_start: Some(start) };
                if self.accepts_lasso(&cut, meter) {
                    return cut;
                }
            }
            earlier.push(index);
        }
        lasso
    }

    /// Shortens prefix and cycle in turn.
    fn shorten_parts(&self, lasso: Path<Move>, effort: Effort, meter: &mut Meter<'_>) -> Path<Move> {
        let prefix = meter.with_share(1, 2, |meter| self.shorter_prefix(&lasso, effort, meter));
        self.shorten_rest(lasso, prefix, effort, meter)
    }

    /// Shortens the cycle of a lasso, or of the same lasso with a shorter prefix if that is accepted.
    fn shorten_rest(
        &self,
        lasso: Path<Move>,
        shorter: Option<Path<Move>>,
        effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Path<Move> {
        let lasso = shorter.filter(|l| self.accepts_lasso(l, meter)).unwrap_or(lasso);
        let shorter = self.shorter_cycle(&lasso, effort, meter);
        let lasso = shorter.filter(|l| self.accepts_lasso(l, meter)).unwrap_or(lasso);
        self.cut_at_repeats(lasso, meter)
    }

    /// The same cycle, entered at the point nearest to the root of an exhaustive search; none if it is entered there.
    fn nearest_entry(
        &self,
        lasso: &Path<Move>,
        search: &mut LassoSearch<'_, 'm>,
        meter: &mut Meter<'_>,
    ) -> Option<Path<Move>> {
        let start = self.execute(lasso.prefix(), meter, |_, _| {})?;
        let mut points = self.cycle_points(&start, lasso.cycle())?.into_iter().peekable();
        let mut nearest: Option<(u32, u32, usize)> = None;
        self.execute(&lasso.steps, meter, |index, position| {
            let Some(point) = points.next_if(|p| lasso.prefix().len() + p.index == index) else { return };
            for &claim in &*point.accepted_from {
                let found = search.distance_to(&position.state, claim);
                let found = found.map(|(distance, node)| (distance, node, point.index));
                nearest = nearest.into_iter().chain(found).min();
            }
        })?;
        let (_, node, at) = nearest.filter(|(distance, ..)| *distance < lasso.prefix_length())?;
        Some(enter_cycle(system_moves(&search.path_to(node)), lasso.cycle(), at))
    }

    fn shorter_prefix(&self, lasso: &Path<Move>, effort: Effort, meter: &mut Meter<'_>) -> Option<Path<Move>> {
        let at = self.execute(lasso.prefix(), meter, |_, _| {})?;
        let mut entries = CycleEntries::default();
        let mut points = Vec::new();
        let kind = if lasso.cycle().is_empty() {
            GoalKind::AcceptedStop
        } else {
            points = self.cycle_points(&at, lasso.cycle())?;
            for point in &points {
                entries.entry(point.state_print).or_insert_with(|| point.accepted_from.clone());
            }
            GoalKind::CycleEntry(&entries)
        };
        let goal = Goal::new(*self, kind);
        let run = goal.execute(lasso.prefix(), meter, |_| {})?;
        let run = goal.remove_loops(run, meter);
        let run = match effort {
            Effort::Quick => delta_debug(&goal, run, effort, meter),
            Effort::Exhaustive => shorten(&goal, run, meter).0,
        };
        let mut entry = 0;
        if !points.is_empty() {
            let end = self.execute(&run.moves, meter, |_, _| {})?;
            entry = points.iter().find(|p| p.state_print == end.state_print())?.index;
        }
        Some(enter_cycle(run.moves, lasso.cycle(), entry))
    }

    fn shorter_cycle(&self, lasso: &Path<Move>, effort: Effort, meter: &mut Meter<'_>) -> Option<Path<Move>> {
        if lasso.cycle().is_empty() {
            return None;
        }
        let at = self.execute(lasso.prefix(), meter, |_, _| {})?;
        let accepted = |run: &Run| self.accepts_cycle(&at, &run.moves);
        let start = Position { state: at.state.clone(), claim: Vec::new() };
        let anything = Question::default();
        let system = ProcessSystem { question: &anything, table: None, ..*self };
        let mut goal = Goal::new(system, GoalKind::Return(start.state_print()));
        goal.start = Some(&start);
        goal.condition = Some(&accepted);
        let run = Run { moves: lasso.cycle().to_vec(), length: lasso.length() - lasso.prefix_length() };
        let run = goal.remove_loops(run, meter);
        let run = delta_debug(&goal, run, effort, meter);
        Some(Path { steps: [lasso.prefix(), &run.moves].concat(), cycle_start: lasso.cycle_start })
    }

    fn product(&self) -> Product<Interpreter<'m>> {
        let claim = match self.question.claim {
            None => Claim::None,
            Some(id) if self.question.claim_alone => Claim::Alone(id),
            Some(id) => Claim::Process(id),
        };
        Product::new(self.interpreter.clone(), claim, self.fair)
    }

    /// Searches for a shorter lasso from the initial node. Also returns whether the search was exhaustive.
    fn search_product(
        &self,
        lasso: Path<Move>,
        search: &mut LassoSearch<'_, 'm>,
        meter: &mut Meter<'_>,
    ) -> (Path<Move>, bool) {
        let (found, exhaustive) = search.run(lasso.length(), meter);
        let Some(found) = found else { return (lasso, exhaustive) };
        let shorter = system_lasso(&[], &found);
        if self.accepts_lasso(&shorter, meter) { (shorter, exhaustive) } else { (lasso, false) }
    }

    /// Searches the product from nodes along the lasso.
    fn search_along(&self, mut lasso: Path<Move>, meter: &mut Meter<'_>) -> Path<Move> {
        for part in 1..=ROOTS {
            let at = lasso.steps.len() * part / (ROOTS + 1);
            let remaining: u32 = lasso.steps[at..].iter().map(Move::length).sum();
            let mut product = self.product();
            for root in self.nodes_at(&mut product, &lasso.steps[..at]) {
                let share = 1 + (ROOTS - part) as u64;
                let search = |meter: &mut Meter<'_>| {
                    LassoSearch::new(&mut product, &root, meter.budget.memory())?.run(remaining, meter).0
                };
                let found = meter.with_share(1, share, search).map(|found| system_lasso(&lasso.steps[..at], &found));
                if let Some(shorter) = found.filter(|l| l.length() < lasso.length() && self.accepts_lasso(l, meter)) {
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
}

/// The moves of the system among the steps of the product.
fn system_moves(steps: &[Step]) -> Vec<Move> {
    steps.iter().filter_map(|s| s.system).collect()
}

/// A lasso of the product, after some moves, as a lasso of the system.
fn system_lasso(before: &[Move], found: &Path<Step>) -> Path<Move> {
    let prefix = [before, &system_moves(found.prefix())].concat();
    enter_cycle(prefix, &system_moves(found.cycle()), 0)
}

/// The lasso that enters a cycle before its move `at`.
fn enter_cycle(prefix: Vec<Move>, cycle: &[Move], at: usize) -> Path<Move> {
    let (before, after) = cycle.split_at(at);
    Path { cycle_start: Some(prefix.len()), steps: [&prefix, after, before].concat() }
}
