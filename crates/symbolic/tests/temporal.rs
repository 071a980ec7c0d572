//! CTL and fair runs of tiny relations, against brute force on explicit graphs.

mod tiny;

use lurcher_ir::relation::Relation;
use lurcher_ir::{Ctl, TimeBounds};
use lurcher_symbolic::{CtlChecker, Encoding, FairStates};
use lurcher_system::Path;
use tiny::{Numbers, World, about_state, for_many};

/// An explicit graph of state-input pairs ("pairs") with a brute-force CTL evaluator.
struct Graph<'w, 'r> {
    world: &'w World<'r>,
    /// The number of each pair's state.
    state: Vec<usize>,
    states: usize,
}

type Pairs = Vec<bool>;

impl<'w, 'r> Graph<'w, 'r> {
    fn new(world: &'w World<'r>) -> Self {
        let mut known: Vec<Vec<i64>> = Vec::new();
        let mut state = Vec::new();
        for v in 0..world.all.len() {
            let key = world.state_of(&world.all[v]);
            let at = known.iter().position(|k| *k == key).unwrap_or_else(|| {
                known.push(key);
                known.len() - 1
            });
            state.push(at);
        }
        Graph { world, state, states: known.len() }
    }

    fn pairs(&self) -> std::ops::Range<usize> {
        0..self.world.all.len()
    }

    /// The pairs of states.
    fn of(&self, states: &[bool]) -> Pairs {
        self.pairs().map(|m| self.world.states[m] && states[self.state[m]]).collect()
    }

    /// The states of pairs.
    fn states_of(&self, pairs: &Pairs) -> Vec<bool> {
        let mut states = vec![false; self.states];
        self.pairs().filter(|&m| pairs[m]).for_each(|m| states[self.state[m]] = true);
        states
    }

    /// The transitive closure of the steps inside a set.
    fn ways(&self, within: &Pairs) -> Vec<Vec<bool>> {
        let count = self.world.all.len();
        let mut ways = vec![vec![false; count]; count];
        for a in self.pairs().filter(|&a| within[a]) {
            self.world.after[a].iter().filter(|&&b| within[b]).for_each(|&b| ways[a][b] = true);
        }
        for via in 0..count {
            for a in 0..count {
                if ways[a][via] {
                    let on = ways[via].clone();
                    ways[a].iter_mut().zip(on).for_each(|(way, on)| *way |= on);
                }
            }
        }
        ways
    }

    /// The pairs where a fair run inside a set starts: a component that violates a compassion constraint is searched again
    /// without its first part.
    fn fair(&self, within: &Pairs, compassion: bool) -> Pairs {
        let ways = self.ways(within);
        let mut good = vec![false; within.len()];
        for m in self.pairs().filter(|&m| ways[m][m]) {
            let component: Pairs = self.pairs().map(|n| ways[m][n] && ways[n][m]).collect();
            if self.component_is_fair(&component, compassion) {
                good[m] = true;
            }
        }
        let leads = |m: usize| self.pairs().any(|n| good[n] && ways[m][n]);
        self.pairs().map(|m| within[m] && (good[m] || leads(m))).collect()
    }

    fn component_is_fair(&self, component: &Pairs, compassion: bool) -> bool {
        let holds = |term, m: usize| self.world.oracle.holds(term, &self.world.all[m]);
        let meets = |term| self.pairs().any(|m| component[m] && holds(term, m));
        if !self.world.relation.justice.iter().all(|&j| meets(j)) {
            return false;
        }
        let failed = self.world.relation.compassion.iter().find(|&&(p, q)| compassion && meets(p) && !meets(q));
        match failed {
            None => true,
            Some(&(p, _)) => {
                let left: Pairs = self.pairs().map(|m| component[m] && !holds(p, m)).collect();
                self.fair(&left, compassion).iter().any(|&m| m)
            }
        }
    }

    fn next(&self, states: &[bool]) -> Vec<bool> {
        let fair = self.fair_states();
        let goal = |m: &usize| states[self.state[*m]] && fair[self.state[*m]];
        let pairs: Pairs = self.pairs().map(|m| self.world.after[m].iter().any(&goal)).collect();
        self.states_of(&pairs)
    }

    fn fair_states(&self) -> Vec<bool> {
        self.states_of(&self.fair(&self.of(&vec![true; self.states]), false))
    }

    fn eval(&self, formula: &Ctl) -> Vec<bool> {
        let both = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a && *b).collect() };
        let either = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a || *b).collect() };
        match formula {
            Ctl::Atom(term) => {
                let truth = self.pairs().map(|m| self.world.oracle.holds(*term, &self.world.all[m])).collect();
                self.states_of(&truth)
            }
            Ctl::Not(a) => self.eval(a).iter().map(|a| !a).collect(),
            Ctl::And(a, b) => both(&self.eval(a), &self.eval(b)),
            Ctl::Or(a, b) => either(&self.eval(a), &self.eval(b)),
            Ctl::ExistsNext(a) => self.next(&self.eval(a)),
            Ctl::ExistsGlobally(a) => self.states_of(&self.fair(&self.of(&self.eval(a)), false)),
            Ctl::ExistsUntil(a, b) => {
                let a = self.eval(a);
                let mut states = both(&self.eval(b), &self.fair_states());
                for _ in 0..self.states {
                    states = either(&states, &both(&a, &self.next(&states)));
                }
                states
            }
            // By the distance from here, straight from the definition.
            Ctl::ExistsGloballyWithin(bounds, a) => {
                let a = self.eval(a);
                let mut states = self.fair_states();
                for distance in (0..=bounds.high).rev() {
                    if distance < bounds.high {
                        states = self.next(&states);
                    }
                    if distance >= bounds.low {
                        states = both(&states, &a);
                    }
                }
                states
            }
            Ctl::ExistsUntilWithin(bounds, a, b) => {
                let (a, b) = (self.eval(a), both(&self.eval(b), &self.fair_states()));
                let exactly = |distance: u32| (0..distance).fold(b.clone(), |states, _| both(&a, &self.next(&states)));
                (bounds.low..=bounds.high).map(exactly).fold(vec![false; self.states], |x, y| either(&x, &y))
            }
        }
    }
}

fn formula(numbers: &mut Numbers, relation: &mut Relation, depth: usize) -> Ctl {
    if depth == 0 {
        return Ctl::Atom(about_state(numbers, relation, false));
    }
    let low = numbers.below(3);
    let bounds = TimeBounds { low, high: low + numbers.below(3) };
    let mut part = |numbers: &mut Numbers| Box::new(formula(numbers, relation, depth - 1));
    match numbers.below(9) {
        0 | 1 => Ctl::Not(part(numbers)),
        2 => Ctl::And(part(numbers), part(numbers)),
        3 => Ctl::Or(part(numbers), part(numbers)),
        4 => Ctl::ExistsNext(part(numbers)),
        5 => Ctl::ExistsGlobally(part(numbers)),
        6 => Ctl::ExistsUntil(part(numbers), part(numbers)),
        7 => Ctl::ExistsGloballyWithin(bounds, part(numbers)),
        _ => Ctl::ExistsUntilWithin(bounds, part(numbers), part(numbers)),
    }
}

/// The cycle of a lasso satisfies every fairness constraint.
fn assert_fair(world: &World<'_>, trace: &Path<Vec<i64>>, compassion: bool, what: &str) {
    let cycle = &trace.steps[trace.cycle_start.expect("a lasso")..];
    let meets = |term| cycle.iter().any(|s| world.oracle.holds(term, s));
    assert!(world.relation.justice.iter().all(|&j| meets(j)), "{what}: unjust");
    assert!(
        !compassion || world.relation.compassion.iter().all(|&(p, q)| !meets(p) || meets(q)),
        "{what}: no compassion"
    );
}

fn checker<'e, 'r>(encoding: &'e Encoding<'r>) -> CtlChecker<'e, 'r> {
    CtlChecker::new(encoding, FairStates::compute(encoding, None, &mut ()).expect("within the budget"))
}

#[test]
fn ctl_agrees_with_brute_force() {
    let (mut holding, mut failing, mut shown) = (0, 0, 0);
    for_many(300, 10, |seed, numbers, mut relation| {
        let formulas: Vec<Ctl> = (0..8).map(|i| formula(numbers, &mut relation, 1 + i % 3)).collect();
        let world = World::new(&relation);
        let graph = Graph::new(&world);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let checker = checker(&encoding);
        let fair = graph.fair_states();
        for formula in formulas {
            let what = format!("{seed}, {formula:?}");
            let truth = graph.eval(&formula);
            let states = checker.states(&formula).unwrap();
            let distances = world.distances();
            for m in graph.pairs().filter(|&m| distances[m].is_some() && fair[graph.state[m]]) {
                assert_eq!(encoding.holds(&states, &world.all[m]), truth[graph.state[m]], "{what}");
            }
            let answer = checker.check(&formula).unwrap();
            let begin = |m: &usize| world.initial[*m] && fair[graph.state[*m]];
            assert_eq!(answer.holds, graph.pairs().filter(begin).all(|m| truth[graph.state[m]]), "{what}");
            if answer.holds {
                holding += 1;
                continue;
            }
            failing += 1;
            let witness = answer.counterexample.expect("what is violated is shown");
            world.assert_runs(&witness.trace, &what);
            let first = world.all.iter().position(|v| *v == witness.trace.steps[0]).unwrap();
            assert!(!truth[graph.state[first]], "{what}");
            shown += u32::from(witness.complete);
            if witness.trace.cycle_start.is_some() {
                assert_fair(&world, &witness.trace, false, &what);
            }
        }
    });
    assert!(holding > 300 && failing > 300 && shown > 150, "{holding}, {failing}, {shown}");
}

#[test]
fn always_and_eventually_have_the_traces_people_expect() {
    let (mut paths, mut lassos) = (0, 0);
    for_many(200, 24, |_, numbers, mut relation| {
        relation.justice.clear();
        let atom = Ctl::Atom(about_state(numbers, &mut relation, false));
        let truth = Ctl::Atom(relation.terms.truth(true));
        let not = |a: Ctl| Ctl::Not(Box::new(a));
        let always = not(Ctl::ExistsUntil(Box::new(truth), Box::new(not(atom.clone()))));
        let eventually = not(Ctl::ExistsGlobally(Box::new(not(atom.clone()))));
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let checker = checker(&encoding);
        let Ctl::Atom(atom) = atom else { unreachable!("an atom") };
        if let Some(shown) = checker.check(&always).unwrap().counterexample {
            assert!(shown.complete && shown.trace.cycle_start.is_none());
            assert!(!world.oracle.holds(atom, shown.trace.steps.last().unwrap()));
            world.assert_runs(&shown.trace, "always");
            paths += 1;
        }
        if let Some(shown) = checker.check(&eventually).unwrap().counterexample {
            assert!(shown.complete && shown.trace.cycle_start.is_some());
            assert!(shown.trace.steps.iter().all(|s| !world.oracle.holds(atom, s)));
            world.assert_runs(&shown.trace, "eventually");
            lassos += 1;
        }
    });
    assert!(paths > 40 && lassos > 20, "{paths} and {lassos}");
}

#[test]
fn fair_runs_are_found_where_brute_force_finds_one() {
    let (mut some, mut none) = (0, 0);
    for_many(500, 10, |seed, _, relation| {
        let world = World::new(&relation);
        let graph = Graph::new(&world);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let fair = graph.fair(&graph.of(&vec![true; graph.states]), true);
        let expected = graph.pairs().any(|m| world.initial[m] && fair[m]);
        let found = encoding.fair_run(&mut ()).expect("within the budget");
        assert_eq!(found.is_some(), expected, "{seed}");
        *if expected { &mut some } else { &mut none } += 1;
        if let Some(trace) = found {
            world.assert_runs(&trace, seed);
            assert_fair(&world, &trace, true, seed);
        }
    });
    assert!(some > 100 && none > 50, "{some} and {none}");
}
